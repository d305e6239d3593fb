/* SPDX-License-Identifier: MIT */
/* Shared by tests of parsed formats: truncated parsed bytes, and too little memory, passed directly to the
 * hooks. */
#ifndef MST_TESTS_SFA_PARSED_H
#define MST_TESTS_SFA_PARSED_H

#include "../src/files/parsed.h"
#include "../src/read/engine.h"
#include "support.h"

static inline mst_status serialize_parsed(const mst_format *format, const uint8_t *parsed, size_t size,
                                          counted *memory, mst_diagnostic *why) {
    mst_buffer files[2] = {{.allocator = counted_allocator(memory)},
                           {.allocator = counted_allocator(memory)}};
    mst_status status = format->files.serialize(format, parsed, size, files, why);
    mst_buffer_free(&files[0]);
    mst_buffer_free(&files[1]);
    return status;
}

/* A copy in a block of exactly its size, to be freed. */
static inline uint8_t *exact_copy(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

/* Truncated parsed bytes are refused, with and without a diagnostic, and leak nothing. */
static inline void assert_cut_refused(const mst_document *document, size_t step) {
    const mst_format *format = document->format;
    size_t whole = (size_t)document->size;
    for (size_t size = whole % step; size <= whole; size += step) {
        uint8_t *cut = exact_copy(document->data, size);
        for (int reported = 0; reported < 2; reported++) {
            counted memory = {0};
            mst_diagnostic why;
            mst_status status = serialize_parsed(format, cut, size, &memory, reported ? &why : NULL);
            assert_int_equal(status, size < whole ? MST_REFUSED : MST_OK);
            if (reported && size < whole)
                assert_int_equal(why.status, MST_REFUSED);
            assert_int_equal(memory.blocks, 0);
            assert_false(memory.wrong);
        }
        free(cut);
    }
}

static inline mst_status parse_files(const mst_document *document, uint64_t limit, mst_buffer *parsed,
                                     mst_diagnostic *why) {
    mst_file_view files[2];
    for (size_t i = 0; i < 2; i++)
        files[i] = (mst_file_view){document->files[i].data, document->files[i].size};
    mst_parsed_writer to = {.to = parsed, .limit = limit, .files = files};
    return document->format->files.parse(document->format, files, &to, why);
}

/* Parsed bytes above any limit are MST_NO_MEMORY, and so are those that the allocator refuses; a limit of
 * their size is enough. */
static inline void assert_limits_held(const mst_document *document, size_t step) {
    mst_buffer parsed = {0};
    mst_diagnostic why;
    MUST(parse_files(document, UINT64_MAX, &parsed, &why), &why);
    size_t whole = parsed.size;
    mst_buffer_free(&parsed);
    for (size_t limit = 0; limit < whole; limit += step) {
        memset(&why, 0, sizeof why);
        parsed = (mst_buffer){0};
        mst_status status = parse_files(document, limit, &parsed, &why);
        /* a bank's entry that is too large is kept packed, which may fit */
        assert_true(status == MST_NO_MEMORY || (status == MST_OK && parsed.size <= limit));
        if (status != MST_OK)
            assert_int_equal(why.status, MST_NO_MEMORY);
        mst_buffer_free(&parsed);
    }
    for (int serializes = 0; serializes < 2; serializes++)
        for (size_t fail_at = 1;; fail_at++) {
            counted memory = {.fail_at = fail_at};
            mst_status status;
            memset(&why, 0, sizeof why);
            if (serializes) {
                status =
                    serialize_parsed(document->format, document->data, (size_t)document->size, &memory, &why);
            } else {
                parsed = (mst_buffer){.allocator = counted_allocator(&memory)};
                status = parse_files(document, UINT64_MAX, &parsed, &why);
                mst_buffer_free(&parsed);
            }
            assert_int_equal(memory.blocks, 0);
            assert_false(memory.wrong);
            /* without memory for a comparison, more original bytes are kept than necessary */
            assert_true(status == MST_OK || status == MST_NO_MEMORY);
            if (status != MST_OK)
                assert_int_equal(why.status, MST_NO_MEMORY);
            if (!memory.failed)
                break;
        }
}

#endif
