/* SPDX-License-Identifier: MIT */
/* What resolvers give of a folder, as one text. */
#ifndef MST_TESTS_GIVEN_H
#define MST_TESTS_GIVEN_H

#include "support.h"

/* What `each` gives, one after the other: "name=text,". */
typedef struct given {
    char text[400];
    unsigned count, max; /* after so many it wants no more */
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
