/* SPDX-License-Identifier: MIT */
/* An allocator that counts bytes and calls, and refuses one. */
#ifndef MST_TESTS_TALLY_H
#define MST_TESTS_TALLY_H

#include <mapstone/base.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct tally {
    size_t bytes, max, calls, fail_at; /* fail_at 0: never */
} tally;

static inline void *counted(void *user, void *old, size_t old_size, size_t new_size) {
    tally *counter = user;
    size_t *header = old ? (size_t *)old - 2 : NULL;
    assert_true(header ? header[0] == old_size : old_size == 0 && new_size != 0);
    if (new_size == 0) {
        counter->bytes -= old_size;
        free(header);
        return NULL;
    }
    if (counter->fail_at && ++counter->calls >= counter->fail_at)
        return NULL;
    size_t *grown = realloc(header, new_size + 2 * sizeof *header);
    assert_non_null(grown);
    header = grown;
    header[0] = new_size;
    counter->bytes += new_size - old_size;
    if (counter->bytes > counter->max)
        counter->max = counter->bytes;
    return header + 2;
}

static inline mst_allocator counting(tally *counter) {
    return (mst_allocator){counted, counter};
}

#endif
