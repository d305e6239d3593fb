/* SPDX-License-Identifier: MIT */
/* RNC blocks assembled bit by bit from the description, and those in the corpus' archives; records stored
 * plane by plane. */
#include "../src/codec/interleave.h"
#include "../src/codec/rnc.h"
#include "../src/core/hash.h"
#include "../src/core/json.h"
#include "rnc_pack.h"
#include "rnc_stream.h"
#include <mapstone/base.h>

/* ---- assertions ------------------------------------------------------------------------------- */

/* Unpacks with a counting allocator: nothing may leak in any case. */
static mst_status unpack(const uint8_t *block, size_t size, uint8_t **out, size_t *out_size, unsigned *wrong,
                         mst_diagnostic *why) {
    counted memory = {0};
    mst_allocator allocator = counted_allocator(&memory);
    uint8_t *unpacked;
    *out = NULL;
    mst_status status = mst_rnc_unpack(block, size, &allocator, &unpacked, out_size, wrong, why);
    assert_int_equal(memory.bytes, *out_size);
    assert_int_equal(memory.blocks, *out_size != 0);
    assert_int_equal(unpacked != NULL, *out_size != 0);
    if (status != MST_OK)
        assert_int_equal(*out_size, 0);
    if (unpacked) {
        *out = malloc(*out_size);
        assert_non_null(*out);
        memcpy(*out, unpacked, *out_size);
        counted_resize(&memory, unpacked, *out_size, 0);
    }
    assert_false(memory.wrong);
    return status;
}

static void assert_unpacks_to(const uint8_t *block, size_t size, const uint8_t *content,
                              size_t content_size) {
    uint8_t *out;
    size_t out_size;
    unsigned wrong;
    mst_diagnostic why;
    MUST(unpack(block, size, &out, &out_size, &wrong, &why), &why);
    assert_int_equal(wrong, 0);
    assert_int_equal(out_size, content_size);
    if (out_size)
        assert_memory_equal(out, content, out_size);
    free(out);
}

/* Ends a valid stream: it unpacks, but no part of it does, and no corrupted byte of it does harm. */
static void assert_right(stream *s) {
    size_t size, out_size;
    uint8_t *block = block_of(s, &size), *out;
    mst_diagnostic why;
    assert_unpacks_to(block, size, s->plain, s->plain_size);
    for (size_t shorter = 0; shorter < size; shorter++) {
        uint8_t *part = malloc(shorter ? shorter : 1);
        assert_non_null(part);
        memcpy(part, block, shorter);
        assert_int_equal(unpack(part, shorter, &out, &out_size, NULL, &why), MST_DAMAGED);
        assert_string_equal(why.code, "RNC-HEADER");
        if (shorter >= 18) {
            big_endian(part + 8, shorter - 18, 4);
            mst_status status = unpack(part, shorter, &out, &out_size, NULL, &why);
            if (status == MST_OK) { /* the missing bytes are the rest of the last word or the last code */
                assert_true(shorter + 2 >= size);
                assert_int_equal(out_size, s->plain_size);
                assert_memory_equal(out, s->plain, out_size);
            } else {
                assert_int_equal(status, MST_DAMAGED);
                assert_string_equal(why.code, "RNC-SIZE");
                assert_true(why.offset <= shorter);
            }
            free(out);
        }
        free(part);
    }
    for (size_t i = 0; i < size; i++)
        for (unsigned change = 1; change < 256; change = change == 1 ? 128 : change == 128 ? 255 : 256) {
            unsigned wrong;
            block[i] ^= (uint8_t)change;
            mst_status status = unpack(block, size, &out, &out_size, &wrong, &why);
            if (status == MST_OK) /* it is detected anyway */
                assert_true(wrong || i == 3 || i == 16 || i == 17);
            else
                assert_int_equal(status, MST_DAMAGED);
            free(out);
            block[i] ^= (uint8_t)change;
        }
    free(block);
    end(s);
}

/* Ends an invalid stream; its header states that it makes `claimed` bytes. */
static void assert_wrong(stream *s, uint64_t claimed, const char *code) {
    size_t size, out_size;
    uint8_t *block = block_of(s, &size), *out;
    mst_diagnostic why;
    unsigned wrong;
    big_endian(block + 4, claimed, 4);
    assert_int_equal(unpack(block, size, &out, &out_size, &wrong, &why), MST_DAMAGED);
    assert_string_equal(why.code, code);
    assert_int_equal(why.status, MST_DAMAGED);
    assert_int_equal(why.severity, MST_ERROR);
    assert_true(why.offset <= size);
    assert_true(why.message[0]);
    assert_int_equal(wrong, 0);
    assert_int_equal(unpack(block, size, &out, &out_size, NULL, NULL), MST_DAMAGED);
    free(block);
    end(s);
}

/* ---- method 1 ---------------------------------------------------------------------------------- */

static void method_1_values(void **state) {
    (void)state;
    stream s;
    begin(&s, 1);
    put_tables(&s, &every, &every, &every, 26);
    static const unsigned values[] = {0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 32, 100, 127, 128, 255, 256, 600};
    put_run(&s, &every, 1);
    for (size_t i = 0; i < 18; i++) {
        put_pair(&s, &every, &every, 1 + i % s.plain_size, 2 + values[i]);
        put_run(&s, &every, values[17 - i] % 50);
    }
    static const unsigned large[] = {511, 512, 1023, 1024};
    for (size_t i = 0; i < 4; i++) { /* distances of 10 and 11 bits */
        put_pair(&s, &every, &every, large[i] + 1, 3 + i);
        put_run(&s, &every, 0);
    }
    put_pair(&s, &every, &every, s.plain_size, 2); /* from the very first byte */
    put_run(&s, &every, 17);
    put_pair(&s, &every, &every, 3, 300); /* overlapping */
    put_run(&s, &every, 0);
    put_pair(&s, &every, &every, 9, 9);
    put_run(&s, &every, 3);
    assert_right(&s);
}

static void method_1_long_values(void **state) {
    (void)state;
    static const table lengths = {17, {[0] = 2, [13] = 2, [14] = 3, [15] = 3, [16] = 2}};
    stream s;
    size_t size;
    begin(&s, 1);
    put_tables(&s, &every, &every, &lengths, 6);
    put_run(&s, &every, 20000);
    put_pair(&s, &every, &lengths, 16385, 2 + 32768 + 12345);
    put_run(&s, &every, 32767);
    put_pair(&s, &every, &lengths, 32768, 2 + 65535);
    put_run(&s, &every, 0);
    put_pair(&s, &every, &lengths, 2, 2 + 4096);
    put_run(&s, &every, 0);
    put_pair(&s, &every, &lengths, 2, 2 + 8191);
    put_run(&s, &every, 0);
    put_pair(&s, &every, &lengths, 1, 2);
    put_run(&s, &every, 1);
    uint8_t *block = block_of(&s, &size);
    assert_unpacks_to(block, size, s.plain, s.plain_size);
    free(block);
    end(&s);
}

static void method_1_chunks(void **state) {
    (void)state;
    stream s;
    begin(&s, 1);
    put_tables(&s, &some, &some, &some, 3);
    put_run(&s, &some, 3);
    put_pair(&s, &some, &some, 3, 3);
    put_run(&s, &some, 0);
    put_pair(&s, &some, &some, 1, 20);
    put_run(&s, &some, 10);
    put_tables(&s, &some, &none, &none, 1); /* tables that are not used */
    put_run(&s, &some, 64);
    put_tables(&s, &none, &none, &none, 0); /* nothing at all */
    put_tables(&s, &one, &every, &one, 3);  /* a match first: it reaches into the last chunk */
    put_run(&s, &one, 0);
    put_pair(&s, &every, &one, 80, 2);
    put_run(&s, &one, 0);
    put_pair(&s, &every, &one, 1, 2);
    put_run(&s, &one, 0);
    assert_right(&s);
}

static void method_1_odd_end(void **state) {
    (void)state;
    static const table two = {2, {0, 1}}, three = {3, {1, 2, 2}};
    stream s;
    size_t size;
    begin(&s, 1); /* 42 bits in three words, and a literal byte after them */
    put_tables(&s, &two, &none, &none, 1);
    put_run(&s, &two, 1);
    assert_int_equal(s.size, 7);
    assert_right(&s);

    begin(&s, 1);
    put_tables(&s, &three, &three, &three, 5);
    put_run(&s, &three, 2);
    for (int i = 0; i < 4; i++) {
        put_pair(&s, &three, &three, 1, 2);
        put_run(&s, &three, 0);
    }
    assert_true(s.used && s.used <= 8); /* no bit is in the second byte of the last word */
    s.size--;
    uint8_t *block = block_of(&s, &size);
    assert_unpacks_to(block, size, s.plain, s.plain_size);
    free(block);
    end(&s);
}

static void method_1_errors(void **state) {
    (void)state;
    stream s;
    static const table crowded = {3, {1, 1, 1}}, crowded_late = {4, {1, 2, 2, 15}}, gap = {2, {2, 2}};
    const table *const broken[] = {&crowded, &crowded_late};
    for (int which = 0; which < 6; which++) {
        const table *t = broken[which / 3];
        begin(&s, 1);
        put_tables(&s, which % 3 == 0 ? t : &some, which % 3 == 1 ? t : &some, which % 3 == 2 ? t : &some, 1);
        put_run(&s, which % 3 == 0 ? t : &some, 1); /* valid except for the table */
        assert_wrong(&s, 1, "RNC-CODE");
    }
    begin(&s, 1); /* no code begins with 1 */
    put_tables(&s, &gap, &gap, &gap, 1);
    bits(&s, "1111111111111111");
    put_plain(&s, 40);
    assert_wrong(&s, 40, "RNC-CODE");
    begin(&s, 1); /* no code at all */
    put_tables(&s, &none, &none, &none, 1);
    put_plain(&s, 40);
    assert_wrong(&s, 40, "RNC-CODE");
    begin(&s, 1); /* no code for the distance */
    put_tables(&s, &some, &none, &some, 2);
    put_run(&s, &some, 2);
    put_plain(&s, 40);
    assert_wrong(&s, 42, "RNC-CODE");
    begin(&s, 1); /* no code for the length */
    put_tables(&s, &some, &some, &none, 2);
    put_run(&s, &some, 2);
    put_value(&s, &some, 1);
    put_plain(&s, 40);
    assert_wrong(&s, 42, "RNC-CODE");

    for (unsigned too_far = 1; too_far < 20000; too_far *= 3) {
        begin(&s, 1);
        put_tables(&s, &every, &every, &every, 2);
        put_run(&s, &every, 3);
        put_value(&s, &every, 3 + too_far - 1);
        put_value(&s, &every, 2);
        put_run(&s, &every, 0);
        assert_wrong(&s, 7, "RNC-DISTANCE");
    }
    begin(&s, 1); /* there are no bytes yet */
    put_tables(&s, &one, &one, &one, 2);
    bits(&s, "0 0 0 0");
    assert_wrong(&s, 2, "RNC-DISTANCE");

    /* Bytes made by a run, by a match, in total: one more or less than the header states. */
    for (unsigned claimed = 0; claimed < 100; claimed++) {
        begin(&s, 1);
        put_tables(&s, &every, &every, &every, 2);
        put_run(&s, &every, 10);
        put_pair(&s, &every, &every, 7, 23);
        put_run(&s, &every, 5);
        if (claimed == s.plain_size || claimed == 0)
            end(&s);
        else
            assert_wrong(&s, claimed, "RNC-SIZE");
    }
}

/* ---- method 2 ---------------------------------------------------------------------------------- */

static void method_2_codes(void **state) {
    (void)state;
    stream s;
    begin(&s, 2);
    put_literal(&s);
    put_copy(&s, 1, 2);
    put_literal(&s);
    for (size_t i = 2; i < 10; i++)
        put_copy(&s, 1 + i % 4, i);
    for (size_t count = 12; count <= 72; count += 4)
        put_literals(&s, count);
    put_copy(&s, 256, 2);
    put_copy(&s, 1, 263);
    put_copy(&s, 263, 263);
    put_copy(&s, 5, 262);
    put_copy(&s, s.plain_size, 9); /* from the very first byte */
    end_chunk_2(&s, "0");
    assert_right(&s);
}

static void method_2_distances(void **state) {
    (void)state;
    stream s;
    size_t size;
    begin(&s, 2);
    while (s.plain_size < 4096)
        put_literals(&s, 64);
    for (unsigned high = 0; high < 16; high++)
        for (unsigned low = 0; low < 256; low += 51) {
            put_copy(&s, high * 256 + low + 1, 3 + (high + low) % 17);
            if (low % 2)
                put_literal(&s);
        }
    end_chunk_2(&s, "1");
    uint8_t *block = block_of(&s, &size);
    assert_unpacks_to(block, size, s.plain, s.plain_size);
    free(block);
    end(&s);
}

static void method_2_chunks(void **state) {
    (void)state;
    stream s;
    for (int after = 0; after < 4; after++) {
        begin(&s, 2);
        put_literals(&s, 12);
        end_chunk_2(&s, after & 1 ? "1" : "0");
        put_copy(&s, 12, 8); /* reaches into the last chunk */
        put_literal(&s);
        end_chunk_2(&s, after & 1 ? "1" : "0");
        end_chunk_2(&s, "1"); /* one without content */
        for (int i = 0; i < 11; i++)
            put_literal(&s);
        end_chunk_2(&s, after & 2 ? "1" : "");
        if (after == 2) { /* the same amount again, which is ignored */
            size_t size;
            for (int i = 0; i < 4; i++)
                whole_byte(&s, 0xFF);
            uint8_t *block = block_of(&s, &size);
            assert_unpacks_to(block, size, s.plain, s.plain_size);
            free(block);
            end(&s);
        } else {
            assert_right(&s);
        }
    }
    begin(&s, 2);
    end_chunk_2(&s, "0");
    assert_right(&s); /* nothing at all */
}

static void method_2_errors(void **state) {
    (void)state;
    stream s;
    for (size_t length = 2; length < 12; length++)
        for (unsigned have = 0; have < 3; have++) {
            begin(&s, 2);
            for (unsigned i = 0; i < have; i++)
                put_literal(&s);
            put_copy(&s, length == 2 ? have + 1 : have + 1 + 500 * (length - 3), length);
            end_chunk_2(&s, "0");
            assert_wrong(&s, have + length, "RNC-DISTANCE");
        }
    for (unsigned claimed = 0; claimed < 60; claimed++) {
        begin(&s, 2);
        put_literals(&s, 16);
        put_copy(&s, 3, 2);
        put_copy(&s, 4, 3);
        put_copy(&s, 5, 5);
        put_copy(&s, 6, 20);
        put_literal(&s);
        end_chunk_2(&s, "0");
        if (claimed == s.plain_size)
            end(&s);
        else
            assert_wrong(&s, claimed, "RNC-SIZE");
    }
    begin(&s, 2); /* complete, but without the end code */
    put_literal(&s);
    assert_wrong(&s, 1, "RNC-SIZE");
}

/* ---- headers, checksums, bombs, memory --------------------------------------------------------- */

static void headers(void **state) {
    (void)state;
    static const uint8_t good[] = {'R', 'N',  'C',  2,    0x01, 0x02, 0x03, 0x04, 0,   0,   0,
                                   3,   0xAB, 0xCD, 0x12, 0x34, 7,    5,    'a',  'b', 'c', 'd'};
    mst_rnc_header header;
    assert_int_equal(mst_rnc_crc((const uint8_t *)"123456789", 9), 0xBB3D);
    assert_int_equal(mst_rnc_crc(NULL, 0), 0);
    assert_true(mst_rnc_probe(good, sizeof good, &header));
    assert_int_equal(header.method, 2);
    assert_int_equal(header.unpacked_size, 0x01020304);
    assert_int_equal(header.packed_size, 3);
    assert_int_equal(header.unpacked_crc, 0xABCD);
    assert_int_equal(header.packed_crc, 0x1234);
    assert_int_equal(header.leeway, 7);
    assert_int_equal(header.chunks, 5);
    assert_true(mst_rnc_probe(good, 21, NULL));
    assert_false(mst_rnc_probe(good, 20, NULL));
    assert_false(mst_rnc_probe(good, 17, NULL));
    assert_false(mst_rnc_probe(NULL, 0, NULL));
    for (size_t i = 0; i < 12; i++) {
        uint8_t bad[sizeof good], *out;
        size_t out_size;
        mst_diagnostic why;
        if (i >= 4 && i < 8)
            continue;
        memcpy(bad, good, sizeof good);
        bad[i] = i == 3 ? 3 : (uint8_t)(bad[i] ^ 0x40);
        assert_false(mst_rnc_probe(bad, sizeof bad, &header));
        assert_int_equal(unpack(bad, sizeof bad, &out, &out_size, NULL, &why), MST_DAMAGED);
        assert_string_equal(why.code, "RNC-HEADER");
    }
}

static void checksums(void **state) {
    (void)state;
    for (unsigned which = 0; which < 4; which++) {
        stream s;
        size_t size, out_size;
        uint8_t *out;
        unsigned wrong;
        mst_diagnostic why;
        begin(&s, 2);
        put_literals(&s, 12);
        end_chunk_2(&s, "0");
        uint8_t *block = block_of(&s, &size);
        if (which & 1)
            block[15] ^= 1;
        if (which & 2)
            block[12] ^= 0x80;
        MUST(unpack(block, size, &out, &out_size, &wrong, &why), &why);
        assert_int_equal(wrong,
                         (which & 1 ? MST_RNC_PACKED_CRC : 0) | (which & 2 ? MST_RNC_UNPACKED_CRC : 0));
        assert_int_equal(out_size, s.plain_size);
        assert_memory_equal(out, s.plain, out_size);
        free(out);
        free(block);
        end(&s);
    }
}

/* The largest request, and the total. */
typedef struct greed {
    size_t max, calls;
} greed;

static void *greedy_resize(void *user, void *old, size_t old_size, size_t new_size) {
    greed *g = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    g->calls++;
    if (new_size > g->max)
        g->max = new_size;
    return realloc(old, new_size);
}

static void bombs(void **state) {
    (void)state;
    static const uint64_t claims[] = {UINT32_MAX, 0x80000000u, 0x7FFFFFFFu, 3000000, 1000000, 70000};
    for (int method = 1; method < 3; method++)
        for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
            stream s;
            size_t size, out_size;
            uint8_t *out;
            mst_diagnostic why;
            greed g = {0};
            mst_allocator allocator = {greedy_resize, &g};
            begin(&s, method);
            for (int k = 0; k < 1000; k++)
                whole_byte(&s, 0);
            uint8_t *block = block_of(&s, &size);
            big_endian(block + 4, claims[i], 4);
            assert_int_equal(mst_rnc_unpack(block, size, &allocator, &out, &out_size, NULL, &why),
                             MST_DAMAGED);
            assert_string_equal(why.code, "RNC-SIZE");
            assert_true(g.max <= 16 * 1002 + 4096);
            free(block);
            end(&s);
        }

    /* A match of 2^30 + 1 bytes in a few bits, which the header does not mention. */
    static const table huge = {31, {[0] = 1, [30] = 1}};
    stream s;
    begin(&s, 1);
    put_tables(&s, &every, &one, &huge, 3);
    put_run(&s, &every, 1);
    put_value(&s, &one, 0);
    put_value(&s, &huge, (1ul << 30) - 1);
    put_value(&s, &every, 0);
    assert_wrong(&s, 1000000, "RNC-SIZE");
    begin(&s, 1); /* a distance, and a run, of the same size */
    put_tables(&s, &every, &huge, &one, 3);
    put_run(&s, &every, 1);
    put_value(&s, &huge, (1ul << 30) - 1);
    put_value(&s, &one, 0);
    assert_wrong(&s, 1000000, "RNC-DISTANCE");
    begin(&s, 1);
    put_tables(&s, &huge, &one, &one, 1);
    put_value(&s, &huge, (1ul << 30) - 1);
    assert_wrong(&s, 1000000, "RNC-SIZE");
}

/* Much from little, up to the plausible limit; and every allocation on the way fails once. */
static void growth(void **state) {
    (void)state;
    stream s;
    size_t size, out_size;
    uint8_t *out;
    static const table lengths = {16, {[15] = 1}};
    begin(&s, 1);
    put_tables(&s, &every, &one, &lengths, 20);
    put_run(&s, &every, 1);
    for (int i = 0; i < 19; i++) {
        put_pair(&s, &one, &lengths, 1, 32769);
        put_run(&s, &every, 0);
    }
    uint8_t *block = block_of(&s, &size);
    assert_unpacks_to(block, size, s.plain, s.plain_size);
    size_t fail_at = 0;
    for (bool failed = true; failed;) {
        fail_at++;
        counted memory = {.fail_at = fail_at};
        mst_allocator allocator = counted_allocator(&memory);
        mst_diagnostic why;
        mst_status status = mst_rnc_unpack(block, size, &allocator, &out, &out_size, NULL, &why);
        failed = memory.failed;
        assert_int_equal(status, failed ? MST_NO_MEMORY : MST_OK);
        if (status == MST_OK)
            counted_resize(&memory, out, out_size, 0);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
    }
    assert_true(fail_at > 4);
    free(block);
    end(&s);

    begin(&s, 1); /* the same, but beyond the plausible limit */
    put_tables(&s, &every, &one, &lengths, 60);
    put_run(&s, &every, 1);
    for (int i = 0; i < 59; i++) {
        put_pair(&s, &one, &lengths, 1, 32769);
        put_run(&s, &every, 0);
    }
    assert_wrong(&s, s.plain_size, "RNC-SIZE");
}

static void nonsense(void **state) {
    (void)state;
    random_state r = {4711};
    for (int i = 0; i < 3000; i++) {
        size_t size = 18 + random_below(&r, 200), out_size;
        uint8_t *block = malloc(size), *out;
        mst_diagnostic why;
        assert_non_null(block);
        for (size_t k = 0; k < size; k++)
            block[k] = (uint8_t)(random_next(&r) >> 8 & random_next(&r) >> 9);
        memcpy(block, "RNC", 3);
        block[3] = (uint8_t)(1 + i % 2);
        big_endian(block + 4, random_below(&r, 5000), 4);
        big_endian(block + 8, size - 18, 4);
        mst_status status = unpack(block, size, &out, &out_size, NULL, &why);
        assert_true(status == MST_OK || status == MST_DAMAGED);
        free(out);
        free(block);
    }
}

/* ---- packing ----------------------------------------------------------------------------------- */

static size_t assert_packs(const uint8_t *bytes, size_t size) {
    uint8_t *packed;
    size_t packed_size;
    mst_diagnostic why;
    mst_rnc_header header;
    counted memory = {0};
    mst_allocator allocator = counted_allocator(&memory);
    MUST(rnc_pack(bytes, size, &allocator, &packed, &packed_size, &why), &why);
    assert_int_equal(memory.bytes, packed_size);
    assert_true(mst_rnc_probe(packed, packed_size, &header));
    assert_int_equal(header.method, 2);
    assert_int_equal(header.packed_size + 18, packed_size);
    assert_int_equal(header.unpacked_size, size);
    assert_int_equal(header.chunks, 1);
    assert_int_equal(header.packed_crc, slow_crc(packed + 18, packed_size - 18));
    assert_int_equal(header.unpacked_crc, slow_crc(bytes, size));
    assert_unpacks_to(packed, packed_size, bytes, size);
    counted_resize(&memory, packed, packed_size, 0);
    assert_int_equal(memory.blocks, 0);
    assert_false(memory.wrong);
    return packed_size;
}

static void packing(void **state) {
    (void)state;
    static uint8_t bytes[70000];
    random_state r = {1};
    assert_packs(NULL, 0);
    for (size_t size = 1; size < 300; size++) {
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_next(&r);
        assert_true(assert_packs(bytes, size) <= size + size / 8 + 26);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(random_next(&r) >> 5 & 1);
        assert_packs(bytes, size);
        memset(bytes, 7, size);
        assert_true(assert_packs(bytes, size) <= 18 + 3 + 15 + 12);
    }
    for (unsigned values = 1; values < 300; values = values * 2 + 1) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_below(&r, values);
        assert_packs(bytes, sizeof bytes);
    }
    /* Copies of every length, from every distance up to the largest code and beyond. */
    for (size_t at = 0; at < sizeof bytes;) {
        size_t distance = 1 + random_below(&r, 4200), length = 1 + random_below(&r, 300);
        for (; length-- && at < sizeof bytes; at++)
            bytes[at] = at < distance || length == 0 ? (uint8_t)random_next(&r) : bytes[at - distance];
    }
    assert_true(assert_packs(bytes, sizeof bytes) < sizeof bytes / 4);
    memset(bytes, 0, sizeof bytes);
    assert_true(assert_packs(bytes, sizeof bytes) < sizeof bytes / 80);

    uint8_t *packed;
    size_t packed_size;
    mst_diagnostic why;
    for (size_t fail_at = 1; fail_at < 4; fail_at++) {
        counted memory = {.fail_at = fail_at};
        mst_allocator allocator = counted_allocator(&memory);
        assert_int_equal(rnc_pack(bytes, 100, &allocator, &packed, &packed_size, &why), MST_NO_MEMORY);
        assert_null(packed);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
    }
    assert_int_equal(rnc_pack(bytes, UINT64_MAX, NULL, &packed, &packed_size, &why), MST_UNSUPPORTED);
}

/* ---- planes ------------------------------------------------------------------------------------ */

static void planes(void **state) {
    (void)state;
    static const uint8_t stored[] = {1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12};
    static const uint8_t records[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    uint8_t out[12];
    mst_deinterleave(stored, 4, 3, out);
    assert_memory_equal(out, records, 12);
    mst_deinterleave(records, 12, 1, out);
    assert_memory_equal(out, records, 12);
    mst_deinterleave(records, 1, 12, out);
    assert_memory_equal(out, records, 12);
    mst_deinterleave(NULL, 0, 3, NULL);
}

/* ---- the corpus -------------------------------------------------------------------------------- */

typedef struct found_block {
    uint8_t *owned; /* the last content that was unpacked */
    const uint8_t *bytes;
    size_t size;
} found_block;

/* Block `i` of an indexed archive: u32 number, u32 offsets[number + 1] from the archive's start on. */
static void step(found_block *b, size_t i, bool big) {
    assert_true(b->size >= 8);
    size_t count = mst_load32(b->bytes, big);
    assert_true(i < count && 8 + 4 * count <= b->size);
    size_t from = mst_load32(b->bytes + 4 + 4 * i, big), to = mst_load32(b->bytes + 8 + 4 * i, big);
    assert_true(from <= to && to <= b->size);
    b->bytes += from;
    b->size = to - from;
}

static void step_into(found_block *b) {
    size_t size;
    uint8_t *out;
    unsigned wrong;
    mst_diagnostic why;
    MUST(unpack(b->bytes, b->size, &out, &size, &wrong, &why), &why);
    assert_int_equal(wrong, 0);
    free(b->owned);
    *b = (found_block){out, out, size};
}

static found_block walk(const uint8_t *bytes, size_t size, const char *path, size_t length, bool big) {
    found_block b = {NULL, bytes, size};
    for (size_t i = 0; i < length;) {
        if (path[i] == '/') {
            i++;
        } else if (path[i] == '@') {
            step_into(&b);
            i++;
        } else {
            size_t index = 0;
            for (; i < length && path[i] >= '0' && path[i] <= '9'; i++)
                index = index * 10 + (size_t)(path[i] - '0');
            step(&b, index, big);
        }
    }
    return b;
}

static bool says(const mst_json_node *node, const char *text) {
    return node->length == strlen(text) && memcmp(node->text, text, node->length) == 0;
}

static unsigned long number_of(const mst_json_node *node) {
    assert_int_equal(node->kind, MST_JSON_NUMBER);
    return strtoul(node->text, NULL, 10);
}

static const mst_json_node *member(const mst_json *json, const mst_json_node *object, const char *name) {
    const mst_json_node *key = object + 1;
    for (uint32_t i = 0; i < object->count; i++, key = &json->nodes[key[1].end])
        if (says(key, name))
            return key + 1;
    print_error("no %s\n", name);
    fail();
    return NULL;
}

static void assert_digest(const found_block *b, const mst_json_node *header) {
    char text[65];
    mst_sha256_text(b->bytes, b->size, text);
    assert_true(header->length >= 8 && header->length <= 64);
    assert_memory_equal(text, header->text, header->length);
}

static void corpus_archive(const char *name, const mst_json *json) {
    char path[64];
    size_t size;
    snprintf(path, sizeof path, "turok/%s", name);
    uint8_t *bytes = corpus_read(path, &size);
    const mst_json_node *archive = member(json, &json->nodes[0], name);
    const mst_json_node *nodes = member(json, archive, "nodes"), *key = nodes + 1;
    bool big = says(member(json, archive, "endian"), "be");
    unsigned methods[3] = {0, 0, 0};
    for (uint32_t i = 0; i < nodes->count; i++, key = &json->nodes[key[1].end]) {
        const mst_json_node *value = key + 2; /* the first element */
        found_block b = walk(bytes, size, key->text, key->length, big);
        if (key->length > 1) /* not the root, which is truncated at the end of the last block */
            assert_int_equal(b.size, number_of(value + 1));
        if (says(value, "raw")) /* other kinds, for content within RNC blocks */
            assert_digest(&b, value + 2);
        if (says(value, "data_set") || says(value, "empty"))
            assert_digest(&b, value + key[1].count - 1);
        if (says(value, "rnc")) {
            mst_rnc_header header;
            assert_true(mst_rnc_probe(b.bytes, b.size, &header));
            assert_int_equal(header.method, number_of(value + 2));
            methods[header.method]++;
            assert_int_equal(header.unpacked_size, number_of(value + 3));
            step_into(&b);
            assert_int_equal(b.size, number_of(value + 3));
            assert_digest(&b, value + 4);
            assert_packs(b.bytes, b.size);
        }
        free(b.owned);
    }
    assert_true(methods[1] && methods[2]);
    free(bytes);
}

static void corpus_archives(void **state) {
    (void)state;
    size_t size;
    uint8_t *text = corpus_read("turok/expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_json_parse((const char *)text, size, &arena, &json, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        corpus_archive("synth_cart_le.dat", &json);
        corpus_archive("synth_cart_be.dat", &json);
    }
    mst_arena_end(&arena);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
}

int test_rnc(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(method_1_values),
        cmocka_unit_test(method_1_long_values),
        cmocka_unit_test(method_1_chunks),
        cmocka_unit_test(method_1_odd_end),
        cmocka_unit_test(method_1_errors),
        cmocka_unit_test(method_2_codes),
        cmocka_unit_test(method_2_distances),
        cmocka_unit_test(method_2_chunks),
        cmocka_unit_test(method_2_errors),
        cmocka_unit_test(headers),
        cmocka_unit_test(checksums),
        cmocka_unit_test(bombs),
        cmocka_unit_test(growth),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(packing),
        cmocka_unit_test(planes),
        cmocka_unit_test(corpus_archives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
