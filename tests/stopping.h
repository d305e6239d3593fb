/* SPDX-License-Identifier: MIT */
/* A report function can stop a check: it is not called again, and mst_check returns its status. */
#ifndef MST_TESTS_STOPPING_H
#define MST_TESTS_STOPPING_H

#include "support.h"

typedef struct stopping {
    size_t heard, at; /* findings so far; index of the last one */
} stopping;

static inline mst_status stop_at(void *user, const mst_diagnostic *finding) {
    stopping *s = user;
    (void)finding;
    return s->heard++ == s->at ? MST_STOPPED : MST_OK;
}

/* Stops after each of the findings; there have to be at least `min`. */
static inline void assert_stops(const mst_document *document, const mst_resolver *sidecars, size_t min) {
    mst_check_options options = {.information = 1, .sidecars = sidecars};
    mst_check_result result;
    mst_diagnostic why;
    stopping s = {.at = SIZE_MAX};
    MUST(mst_check(document, &options, stop_at, &s, &result, &why), &why);
    size_t count = s.heard;
    assert_true(count >= min);
    for (size_t at = 0; at < count; at++) {
        s = (stopping){.at = at};
        assert_int_equal(mst_check(document, &options, stop_at, &s, &result, &why), MST_STOPPED);
        assert_int_equal(s.heard, at + 1);
    }
}

#endif
