/* SPDX-License-Identifier: MIT */
/* A report function can stop a check: it is not called again, and mst_check returns its status. */
#ifndef MST_TESTS_STOPPING_H
#define MST_TESTS_STOPPING_H

#include "documents.h"

typedef struct stopping {
    size_t heard, at; /* findings so far; index of the last one */
} stopping;

static inline mst_status stop_at(void *user, const mst_diagnostic *finding) {
    stopping *s = user;
    (void)finding;
    return s->heard++ == s->at ? MST_STOPPED : MST_OK;
}

/* Stops after each of the findings; there must be at least `min`. */
static inline void assert_stops(const mst_document *document, const mst_resolver *sidecars, size_t min) {
    mst_check_options options = {.size = sizeof options, .information = 1, .sidecars = sidecars};
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

/* Wherever memory ends, or fails just once, the check reports it, or finds the same as with enough memory. */
static inline void assert_check_without_memory(const void *bytes, size_t size, const mst_open_options *how,
                                               const mst_resolver *sidecars) {
    for (int for_good = 0; for_good < 2; for_good++) {
        bool failed = true;
        size_t enough = SIZE_MAX; /* findings */
        for (size_t fail_at = 0; failed || fail_at < 2; fail_at += fail_at ? sample_step() : 1) {
            counted memory = {0};
            mst_open_options options = *how;
            mst_allocator allocator = counted_allocator(&memory);
            mst_check_options check = {.size = sizeof check, .information = 1, .sidecars = sidecars};
            mst_document *document;
            mst_diagnostic why;
            stopping s = {.at = SIZE_MAX};
            options.allocator = allocator;
            MUST(mst_open_memory(bytes, size, &options, &document, &why), &why);
            memory.fail_at = fail_at ? memory.calls + fail_at : 0; /* the first time, there is enough */
            memory.for_good = for_good != 0;
            mst_status status = mst_check(document, &check, stop_at, &s, NULL, &why);
            failed = memory.failed;
            if (status == MST_OK)
                assert_true(s.heard == enough || enough == SIZE_MAX);
            else
                assert_true(status == MST_NO_MEMORY && failed);
            if (!fail_at)
                enough = s.heard;
            mst_close(document);
            assert_int_equal(memory.blocks, 0);
        }
    }
}

#endif
