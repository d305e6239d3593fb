/* SPDX-License-Identifier: MIT */
/* zlib streams assembled by hand, a packed model of the corpus, and every way in which a stream can be
 * incomplete. */
#include "../src/codec/deflate.h"
#include "../src/core/hash.h"
#include "support.h"
#include <mapstone/base.h>

#define LIMIT (UINT64_C(1) << 30)

static void test_is_modded(void **state) {
    (void)state;
    static const uint8_t modded[] = {0x58, 0xC3}, retail[] = {0x58, 0x85}, other[] = {0x78, 0xC3};
    assert_true(mst_zlib_is_modded(modded, 2));
    assert_false(mst_zlib_is_modded(modded, 1));
    assert_false(mst_zlib_is_modded(NULL, 0));
    assert_false(mst_zlib_is_modded(retail, 2));
    assert_false(mst_zlib_is_modded(other, 2));
}

#if MST_WITH_ZLIB

/* ---- streams by hand ----------------------------------------------------------------------------- */

static uint32_t adler_of(const uint8_t *bytes, size_t size) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* One stored block. */
static void put_stored(writer *w, const uint8_t *bytes, size_t size) {
    w->big = false;
    put_bytes_of(w, "\x78\x01\x01", 3);
    put_u16(w, (uint16_t)size);
    put_u16(w, (uint16_t)~size);
    put_bytes_of(w, bytes, size);
    w->big = true;
    put_u32(w, adler_of(bytes, size));
}

/* A copy of exactly the size, so that a read after it is seen. */
static uint8_t *exact(const void *bytes, size_t size) {
    uint8_t *copy = malloc(size + !size);
    assert_non_null(copy);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

/* Unpacks after three existing bytes, with a counting allocator. Returns the status; the appended bytes are
 * compared. */
static mst_status unpack(const void *stream, size_t size, const void *content, size_t content_size,
                         uint64_t *used, mst_diagnostic *why) {
    counted count = {0};
    mst_buffer memory = {.allocator = counted_allocator(&count)};
    mst_sink sink = mst_buffer_sink(&memory);
    assert_int_equal(sink.write(sink.user, "abc", 3), MST_OK);
    uint8_t *copy = exact(stream, size);
    mst_status status = mst_zlib_unpack(copy, size, content_size, LIMIT, &memory, used, why);
    free(copy);
    assert_memory_equal(memory.data, "abc", 3);
    assert_int_equal(memory.size, status == MST_OK ? 3 + content_size : 3);
    if (status == MST_OK && content_size && content)
        assert_memory_equal(memory.data + 3, content, content_size);
    assert_int_equal(count.blocks, 1); /* zlib has freed everything */
    mst_buffer_free(&memory);
    assert_int_equal(count.bytes, 0);
    assert_false(count.wrong);
    return status;
}

static void test_by_hand(void **state) {
    (void)state;
    mst_diagnostic why;
    uint64_t used;
    /* "a" in the fixed codes: a literal of eight bits, the end of seven. */
    static const uint8_t a[] = {0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62};
    MUST(unpack(a, sizeof a, "a", 1, &used, &why), &why);
    assert_int_equal(used, sizeof a);
    /* Empty. */
    static const uint8_t nothing[] = {0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
    MUST(unpack(nothing, sizeof nothing, "", 0, &used, &why), &why);
    assert_int_equal(used, sizeof nothing);
    /* Other bytes may follow. */
    uint8_t both[sizeof a + sizeof nothing];
    memcpy(both, a, sizeof a);
    memcpy(both + sizeof a, nothing, sizeof nothing);
    MUST(unpack(both, sizeof both, "a", 1, &used, &why), &why);
    assert_int_equal(used, sizeof a);
    MUST(unpack(a, sizeof a, "a", 1, NULL, NULL), NULL);
    /* Stored bytes, as many as a block can have. */
    random_state r = {1};
    uint8_t *content = malloc(65535);
    assert_non_null(content);
    for (size_t i = 0; i < 65535; i++)
        content[i] = (uint8_t)random_next(&r);
    writer w = {0};
    put_stored(&w, content, 65535);
    MUST(unpack(w.data, w.size, content, 65535, &used, &why), &why);
    assert_int_equal(used, w.size);
    free(content);
    writer_free(&w);
}

static void assert_damaged(const void *stream, size_t size, size_t content_size, const char *code) {
    mst_diagnostic why;
    uint64_t used = 7;
    assert_int_equal(unpack(stream, size, NULL, content_size, &used, &why), MST_DAMAGED);
    assert_int_equal(used, 0);
    assert_int_equal(why.status, MST_DAMAGED);
    if (strcmp(why.code, code) != 0)
        print_error("%s, not %s\n", why.code, code);
    assert_string_equal(why.code, code);
    assert_true(why.offset <= size);
    assert_true(why.message[0] && why.expected[0] && why.found[0]);
}

static void test_damaged(void **state) {
    (void)state;
    static const uint8_t content[20] = "twenty bytes of text";
    writer w = {0};
    put_stored(&w, content, 20);
    for (size_t i = 0; i < w.size; i++)
        assert_damaged(w.data, i, 20, "ZLIB-CUT");
    assert_damaged(w.data, w.size, 19, "ZLIB-SIZE");
    assert_damaged(w.data, w.size, 21, "ZLIB-SIZE");
    assert_damaged(w.data, w.size, 0, "ZLIB-SIZE");
    w.data[w.size - 1] ^= 1; /* checksum */
    assert_damaged(w.data, w.size, 20, "ZLIB-STREAM");
    w.data[w.size - 1] ^= 1;
    w.data[5] ^= 1; /* a stored block's length and its complement */
    assert_damaged(w.data, w.size, 20, "ZLIB-STREAM");
    w.data[5] ^= 1;
    w.data[0] = 0x79; /* unknown method */
    assert_damaged(w.data, w.size, 20, "ZLIB-STREAM");
    static const uint8_t dictionary[] = {0x78, 0xBB, 0, 0, 0, 1, 3, 0, 0, 0, 0, 1};
    assert_damaged(dictionary, sizeof dictionary, 0, "ZLIB-STREAM");
    writer_free(&w);
    /* A size that no stream of the length can produce, refused before any allocation. */
    static const uint8_t a[] = {0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62};
    static const uint64_t claims[] = {9 * 1032 + 64 + 1, UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        counted count = {0};
        mst_buffer memory = {.allocator = counted_allocator(&count)};
        mst_diagnostic why;
        assert_int_equal(mst_zlib_unpack(a, sizeof a, claims[i], UINT64_MAX, &memory, NULL, &why),
                         MST_DAMAGED);
        assert_string_equal(why.code, "ZLIB-CLAIM");
        assert_int_equal(count.calls, 0);
        assert_int_equal(mst_zlib_unpack(a, sizeof a, 1000, 999, &memory, NULL, &why), MST_NO_MEMORY);
        assert_int_equal(count.calls, 0);
        assert_int_equal(mst_zlib_unpack(a, UINT64_MAX, 1000, 999, &memory, NULL, NULL), MST_NO_MEMORY);
        assert_int_equal(mst_zlib_unpack(a, sizeof a, claims[i], UINT64_MAX, &memory, NULL, NULL),
                         MST_DAMAGED);
        assert_int_equal(count.calls, 0);
    }
    assert_damaged(a, sizeof a, 9 * 1032 + 64, "ZLIB-SIZE");
}

/* ---- packing ------------------------------------------------------------------------------------- */

static uint8_t *content_of(size_t size, unsigned kinds) {
    random_state r = {size};
    uint8_t *content = malloc(size + 1);
    assert_non_null(content);
    for (size_t i = 0; i < size; i++)
        content[i] = i > 40 && random_below(&r, 8) ? content[i - 1 - random_below(&r, 40)]
                                                   : (uint8_t)random_below(&r, kinds);
    return content;
}

static void test_pack(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 1000, 40000, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned kinds = 1; kinds <= 256; kinds *= 16)
            for (int modded = 0; modded < 2; modded++) {
                uint8_t *content = content_of(sizes[i], kinds);
                mst_buffer memory = {0};
                mst_sink sink = mst_buffer_sink(&memory);
                mst_diagnostic why;
                uint64_t used;
                assert_int_equal(sink.write(sink.user, "abc", 3), MST_OK);
                MUST(mst_zlib_pack(content, sizes[i], modded ? MST_ZLIB_MODDED : MST_ZLIB_RETAIL, &memory,
                                   &why),
                     &why);
                assert_memory_equal(memory.data, "abc", 3);
                assert_memory_equal(memory.data + 3, modded ? "\x58\xC3" : "\x58\x85", 2);
                assert_int_equal(mst_zlib_is_modded(memory.data + 3, memory.size - 3), modded);
                MUST(unpack(memory.data + 3, memory.size - 3, content, sizes[i], &used, &why), &why);
                assert_int_equal(used, memory.size - 3);
                mst_buffer_free(&memory);
                free(content);
            }
}

/* Whichever allocation fails, nothing is lost or leaked. */
static void test_memory(void **state) {
    (void)state;
    uint8_t *content = content_of(20000, 200);
    mst_buffer packed = {0};
    mst_diagnostic why;
    MUST(mst_zlib_pack(content, 20000, MST_ZLIB_RETAIL, &packed, &why), &why);
    for (int packing = 0; packing < 2; packing++)
        for (size_t k = 1;; k++) {
            counted count = {.fail_at = k, .for_good = true};
            mst_buffer memory = {.allocator = counted_allocator(&count)};
            mst_status status =
                packing ? mst_zlib_pack(content, 20000, MST_ZLIB_RETAIL, &memory, &why)
                        : mst_zlib_unpack(packed.data, packed.size, 20000, LIMIT, &memory, NULL, &why);
            assert_false(count.wrong);
            assert_true(count.blocks <= 1);
            assert_int_equal(status, count.failed ? MST_NO_MEMORY : MST_OK);
            assert_int_equal(memory.size, count.failed ? 0 : packing ? packed.size : 20000);
            mst_buffer_free(&memory);
            assert_int_equal(count.blocks, 0);
            if (!count.failed) {
                assert_true(k > 2);
                break;
            }
        }
    /* for truncated streams zlib keeps its window, in case more input follows */
    for (size_t k = 1;; k++) {
        counted count = {.fail_at = k, .for_good = true};
        mst_buffer memory = {.allocator = counted_allocator(&count)};
        mst_status status = mst_zlib_unpack(packed.data, packed.size - 10, 20000, LIMIT, &memory, NULL, &why);
        assert_int_equal(status, count.failed ? MST_NO_MEMORY : MST_DAMAGED);
        assert_int_equal(why.status, status);
        mst_buffer_free(&memory);
        assert_int_equal(count.blocks, 0);
        if (!count.failed)
            break;
    }
    mst_buffer_free(&packed);
    free(content);
}

/* Truncated and changed streams: damaged, or of the requested size. */
static void test_bent(void **state) {
    (void)state;
    uint8_t *content = content_of(3000, 60);
    mst_buffer packed = {0};
    mst_diagnostic why;
    uint64_t used;
    size_t kept = 0;
    MUST(mst_zlib_pack(content, 3000, MST_ZLIB_MODDED, &packed, &why), &why);
    for (size_t i = 0; i < packed.size; i += sample_step())
        assert_damaged(packed.data, i, 3000, i * 1032 + 64 < 3000 ? "ZLIB-CLAIM" : "ZLIB-CUT");
    for (size_t i = 0; i < packed.size; i += sample_step())
        for (unsigned bit = 0; bit < 8; bit++) {
            packed.data[i] ^= (uint8_t)(1u << bit);
            /* Some bits have no meaning, and an Adler-32 does not detect bytes that are exchanged in
             * pairs. */
            mst_status status = unpack(packed.data, packed.size, NULL, 3000, &used, &why);
            assert_true(status == MST_DAMAGED || status == MST_OK);
            kept += status == MST_OK;
            packed.data[i] ^= (uint8_t)(1u << bit);
        }
    assert_true(kept < 20);
    mst_buffer_free(&packed);
    free(content);
}

/* ---- peeking at the first bytes ------------------------------------------------------------------ */

/* Peeks from a copy of exactly the size into room of exactly the capacity. The result is a prefix of
 * `content` (may be NULL), and nothing else is touched. Returns its length. */
static size_t peek(const void *stream, size_t size, size_t capacity, const void *content,
                   size_t content_size) {
    uint8_t *copy = exact(stream, size), *first = malloc(capacity + !capacity);
    assert_non_null(first);
    memset(first, 0xEE, capacity + !capacity);
    size_t made = mst_zlib_peek(copy, size, first, capacity);
    assert_true(made <= capacity);
    if (content) {
        assert_true(made <= content_size);
        if (made)
            assert_memory_equal(first, content, made);
    }
    if (!capacity)
        assert_int_equal(first[0], 0xEE);
    free(first);
    free(copy);
    return made;
}

static void test_peek(void **state) {
    (void)state;
    static const uint8_t a[] = {0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62, 'x', 'y'};
    static const uint8_t nothing[] = {0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
    assert_int_equal(peek(a, sizeof a, 10, "a", 1), 1);
    assert_int_equal(peek(a, sizeof a, 1, "a", 1), 1);
    assert_int_equal(peek(a, sizeof a, 0, "a", 1), 0);
    assert_int_equal(peek(nothing, sizeof nothing, 10, "", 0), 0);
    assert_int_equal(peek("", 0, 10, "", 0), 0);
    uint8_t one = 7;
    assert_int_equal(mst_zlib_peek(NULL, 0, &one, 1), 0);
    assert_int_equal(one, 7);
    /* Of stored bytes, those after the seven of the headers are available, regardless of the end. */
    static const char content[] = "twenty bytes of text";
    writer w = {0};
    put_stored(&w, (const uint8_t *)content, 20);
    for (size_t size = 0; size <= w.size; size++)
        for (size_t capacity = 0; capacity <= 22; capacity++) {
            size_t there = size < 7 ? 0 : size - 7 < 20 ? size - 7 : 20;
            assert_int_equal(peek(w.data, size, capacity, content, 20), there < capacity ? there : capacity);
        }
    w.data[w.size - 1] ^= 1; /* the checksum is not verified */
    assert_int_equal(peek(w.data, w.size, 30, content, 20), 20);
    w.data[5] ^= 1; /* a length that contradicts its complement */
    assert_int_equal(peek(w.data, w.size, 30, NULL, 0), 0);
    w.data[5] ^= 1;
    w.data[0] = 0x79; /* unknown method */
    assert_int_equal(peek(w.data, w.size, 30, NULL, 0), 0);
    writer_free(&w);
    /* Damaged later on: a block of three bytes, and one of an invalid type. */
    static const uint8_t later[] = {0x78, 0x01, 0x00, 3, 0, 0xFC, 0xFF, 'o', 'n', 'e', 0x07, 0, 0};
    assert_int_equal(peek(later, sizeof later, 30, "one", 3), 3);
    static const uint8_t dictionary[] = {0x78, 0xBB, 0, 0, 0, 1, 3, 0, 0, 0, 0, 1};
    assert_int_equal(peek(dictionary, sizeof dictionary, 30, NULL, 0), 0);
    assert_int_equal(peek("twenty bytes of text", 20, 30, NULL, 0), 0);
}

static void test_peek_packed(void **state) {
    (void)state;
    static const size_t capacities[] = {0, 1, 16, 64, 4096, 39999, 40000, 40001, 100000};
    uint8_t *content = content_of(40000, 200);
    for (int modded = 0; modded < 2; modded++) {
        mst_buffer packed = {0};
        mst_diagnostic why;
        MUST(mst_zlib_pack(content, 40000, modded ? MST_ZLIB_MODDED : MST_ZLIB_RETAIL, &packed, &why), &why);
        for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
            assert_int_equal(peek(packed.data, packed.size, capacities[i], content, 40000),
                             capacities[i] < 40000 ? capacities[i] : 40000);
        /* A longer part of the stream gives a longer result. */
        size_t before = 0;
        for (size_t size = 0; size < packed.size; size += 97 * sample_step()) {
            size_t made = peek(packed.data, size, 50000, content, 40000);
            assert_true(made >= before);
            before = made;
        }
        assert_in_range(before, 20000, 40000);
        /* Changed in its first bytes and anywhere. */
        for (size_t i = 0; i < packed.size; i += i < 200 ? sample_step() : 211 * sample_step())
            for (unsigned bit = 0; bit < 8; bit++) {
                packed.data[i] ^= (uint8_t)(1u << bit);
                peek(packed.data, packed.size, 300, NULL, 0);
                packed.data[i] ^= (uint8_t)(1u << bit);
            }
        mst_buffer_free(&packed);
    }
    free(content);
}

/* ---- the corpus ---------------------------------------------------------------------------------- */

/* A model: a header with 12 bytes of extra data, then a packed entry with a header of 16. */
static void corpus_model(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/km0", &size);
    assert_true(size > 0x34);
    assert_int_equal(mst_load32(bytes, true), 0xFACEFEED);
    assert_int_equal(mst_load32(bytes + 8, true), 12);
    assert_memory_equal(bytes + 0x24, "ZLB", 4);
    uint32_t unpacked_size = mst_load32(bytes + 0x2C, true), packed_size = mst_load32(bytes + 0x30, true);
    assert_int_equal(unpacked_size, 138720);
    assert_int_equal(packed_size, 76507);
    mst_buffer memory = {0}, packed = {0};
    mst_diagnostic why;
    uint64_t used;
    MUST(mst_zlib_unpack(bytes + 0x34, size - 0x34, unpacked_size, LIMIT, &memory, &used, &why), &why);
    assert_int_equal(used, packed_size);
    assert_int_equal(memory.size, unpacked_size);
    char digest[65]; /* the expected one is from an independent reader */
    mst_sha256_text(memory.data, memory.size, digest);
    assert_string_equal(digest, "774b408fbb68d6c31b2917fc56bb8233047ea1ebc8362908b8c4335e1a2cdf79");
    assert_int_equal(peek(bytes + 0x34, packed_size, 64, memory.data, memory.size), 64);
    assert_int_equal(peek(bytes + 0x34, packed_size, unpacked_size + 1, memory.data, memory.size),
                     unpacked_size);
    assert_false(mst_zlib_is_modded(bytes + 0x34, packed_size));
    MUST(mst_zlib_pack(memory.data, memory.size, MST_ZLIB_RETAIL, &packed, &why), &why);
    assert_int_equal(packed.size, packed_size);
    assert_memory_equal(packed.data, bytes + 0x34, packed_size);
    mst_buffer_free(&packed);
    mst_buffer_free(&memory);
    free(bytes);
}

#else

/* Without zlib it reports that. */
static void test_unsupported(void **state) {
    (void)state;
    static const uint8_t stream[] = {0x78, 0x9C, 0x4B, 0x04, 0, 0, 0x62, 0, 0x62};
    mst_buffer memory = {0};
    mst_diagnostic why;
    uint64_t used = 5;
    assert_int_equal(mst_zlib_unpack(stream, sizeof stream, 1, LIMIT, &memory, &used, &why), MST_UNSUPPORTED);
    assert_int_equal(used, 0);
    assert_true(why.message[0]);
    assert_int_equal(mst_zlib_pack(stream, sizeof stream, MST_ZLIB_RETAIL, &memory, &why), MST_UNSUPPORTED);
    assert_null(memory.data);
    uint8_t first = 7;
    assert_int_equal(mst_zlib_peek(stream, sizeof stream, &first, 1), 0);
    assert_int_equal(first, 7);
}

#endif

#if MST_WITH_ZLIB
/* A stored block of deflate as in RFC 1951: last block, its length and the inverted length, the bytes. */
static void without_a_header(void **state) {
    static const uint8_t packed[] = {1, 3, 0, 0xFC, 0xFF, 'a', 'b', 'c', 9};
    (void)state;
    mst_buffer bytes = {0};
    mst_diagnostic why;
    uint64_t used;
    MUST(mst_deflate_unpack(packed, sizeof packed, 3, 100, &bytes, &used, &why), &why);
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "abc", 3);
    assert_int_equal(used, 8);
    assert_int_equal(mst_deflate_unpack(packed, 7, 3, 100, &bytes, &used, &why), MST_DAMAGED);
    assert_string_equal(why.code, "ZLIB-CUT");
    uint8_t first[2];
    assert_int_equal(mst_deflate_peek(packed, sizeof packed, first, sizeof first), 2);
    assert_memory_equal(first, "ab", 2);
    mst_buffer_free(&bytes);
}
#endif

int test_deflate(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_modded),
#if MST_WITH_ZLIB
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(without_a_header),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_bent),
        cmocka_unit_test(test_peek),
        cmocka_unit_test(test_peek_packed),
        cmocka_unit_test(corpus_model),
#else
        cmocka_unit_test(test_unsupported),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
