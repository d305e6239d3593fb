/* SPDX-License-Identifier: MIT */
/* The files that a resolver gives for a folder, as one text. */
#ifndef MST_TESTS_GIVEN_H
#define MST_TESTS_GIVEN_H

#include "support.h"

/* The files that `each` passes, in order: "name=text,". */
typedef struct given {
    char text[400];
    unsigned count, max; /* stops after this many */
} given;

static inline mst_status take(void *taker, const char *name, const void *bytes, size_t size) {
    given *all = taker;
    if (all->count++ == all->max)
        return MST_STOPPED;
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length, "%s=%.*s,", name, (int)size, (const char *)bytes);
    return MST_OK;
}

static inline void resolver_gives(mst_resolver resolver, const char *folder, const char *ending,
                                  const char *text) {
    given all = {.max = 100};
    assert_int_equal(resolver.each(resolver.user, folder, ending, take, &all), MST_OK);
    assert_string_equal(all.text, text);
}

#endif
