/* SPDX-License-Identifier: MIT */
/* Levels of Alien Trilogy as documents. */
#ifndef MST_TESTS_ALIEN_DOCUMENTS_H
#define MST_TESTS_ALIEN_DOCUMENTS_H

#include "alien_level.h"

static inline mst_document *open_bytes(const writer *w) {
    return open_named(w, "L111LEV.MAP");
}

static inline void assert_silent(const mst_document *document, const mst_resolver *sidecars) {
    findings list = {0};
    mst_check_options options = {.size = sizeof options, .information = 1, .sidecars = sidecars};
    mst_diagnostic why;
    MUST(mst_check(document, &options, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}

/* The written bytes of a level, to be freed with writer_free. */
static inline writer written(const alien_level *l, bool big) {
    writer w = {0};
    write_alien_level(&w, l, big);
    return w;
}

static inline alien_section section(const char *name, const char *data, size_t size, uint8_t padding,
                                    bool front) {
    alien_section s = {.data = data, .size = size, .padding = padding, .in_front = front};
    memcpy(s.name, name, 5);
    return s;
}

static inline void set_model_name(alien_model *m, const char *name) {
    memcpy(m->name, name, 5);
}

#endif
