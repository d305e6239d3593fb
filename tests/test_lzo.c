/* SPDX-License-Identifier: MIT */
/* LZO1X streams put together instruction by instruction, from the description of the format, and some that
 * liblzo2's own packer makes. */
#include "../src/codec/lzo.h"
#include "support.h"

#define LIMIT (UINT64_C(1) << 30)

#if MST_WITH_LZO
#include <lzo/lzo1x.h>

/* ---- streams by hand ----------------------------------------------------------------------------- */

typedef struct stream {
    writer packed, plain;
} stream;

static void stream_free(stream *s) {
    writer_free(&s->packed);
    writer_free(&s->plain);
}

static void put_literals(stream *s, size_t count) {
    while (count--) {
        uint8_t byte = (uint8_t)(s->plain.size * 37 + s->plain.size / 256 * 11 + 5);
        put_u8(&s->packed, byte);
        put_u8(&s->plain, byte);
    }
}

static void plain_copy(stream *s, size_t distance, size_t length) {
    assert_true(distance <= s->plain.size);
    while (length--)
        put_u8(&s->plain, s->plain.data[s->plain.size - distance]);
}

/* What is over the number that the instruction has room for. */
static void put_extension(stream *s, size_t rest) {
    assert_true(rest);
    for (; rest > 255; rest -= 255)
        put_u8(&s->packed, 0);
    put_u8(&s->packed, (uint8_t)rest);
}

/* The first byte of a stream may count literals. */
static void put_first(stream *s, size_t count) {
    assert_true(count > 0 && count <= 238);
    put_u8(&s->packed, (uint8_t)(17 + count));
    put_literals(s, count);
}

/* A run of at least 4, after the beginning or a copy without literals. */
static void put_run(stream *s, size_t count) {
    assert_true(count >= 4);
    if (count <= 18) {
        put_u8(&s->packed, (uint8_t)(count - 3));
    } else {
        put_u8(&s->packed, 0);
        put_extension(s, count - 18);
    }
    put_literals(s, count);
}

/* 3 to 8 bytes from at most 2,048 back. */
static void put_near(stream *s, size_t distance, size_t length, size_t literals) {
    assert_true(length >= 3 && length <= 8 && distance <= 2048);
    put_u8(&s->packed, (uint8_t)((length - 1) << 5 | ((distance - 1) & 7) << 2 | literals));
    put_u8(&s->packed, (uint8_t)((distance - 1) >> 3));
    plain_copy(s, distance, length);
    put_literals(s, literals);
}

/* From at most 16,384 back. */
static void put_middle(stream *s, size_t distance, size_t length, size_t literals) {
    assert_true(length >= 3 && distance <= 16384);
    if (length <= 33) {
        put_u8(&s->packed, (uint8_t)(32 | (length - 2)));
    } else {
        put_u8(&s->packed, 32);
        put_extension(s, length - 33);
    }
    put_u16(&s->packed, (uint16_t)((distance - 1) << 2 | literals));
    plain_copy(s, distance, length);
    put_literals(s, literals);
}

/* From 16,385 to 49,151 back. */
static void put_far(stream *s, size_t distance, size_t length, size_t literals) {
    size_t d = distance - 0x4000;
    assert_true(length >= 3 && distance > 0x4000 && d < 0x8000);
    unsigned high = d & 0x4000 ? 8 : 0;
    if (length <= 9) {
        put_u8(&s->packed, (uint8_t)(16 | high | (length - 2)));
    } else {
        put_u8(&s->packed, (uint8_t)(16 | high));
        put_extension(s, length - 9);
    }
    put_u16(&s->packed, (uint16_t)((d & 0x3FFF) << 2 | literals));
    plain_copy(s, distance, length);
    put_literals(s, literals);
}

/* 2 bytes from at most 1,024 back, after one to three literals. */
static void put_two(stream *s, size_t distance, size_t literals) {
    assert_true(distance <= 1024);
    put_u8(&s->packed, (uint8_t)(((distance - 1) & 3) << 2 | literals));
    put_u8(&s->packed, (uint8_t)((distance - 1) >> 2));
    plain_copy(s, distance, 2);
    put_literals(s, literals);
}

/* 3 bytes from 2,049 to 3,072 back, after a run. */
static void put_three(stream *s, size_t distance, size_t literals) {
    size_t d = distance - 0x801;
    assert_true(distance > 2048 && d < 1024);
    put_u8(&s->packed, (uint8_t)((d & 3) << 2 | literals));
    put_u8(&s->packed, (uint8_t)(d >> 2));
    plain_copy(s, distance, 3);
    put_literals(s, literals);
}

static void put_end(stream *s) {
    put_bytes_of(&s->packed, "\x11\0", 3);
}

/* ---- what is asserted ---------------------------------------------------------------------------- */

static mst_status unpack(const uint8_t *packed, size_t size, const uint8_t *plain, size_t plain_size,
                         mst_diagnostic *why) {
    counted count = {0};
    mst_memory memory = {.allocator = counted_allocator(&count)};
    mst_sink sink = mst_memory_sink(&memory);
    assert_int_equal(sink.write(sink.user, "abc", 3), MST_OK);
    uint8_t *copy = malloc(size + !size); /* so that a read behind it is seen */
    assert_non_null(copy);
    if (size)
        memcpy(copy, packed, size);
    mst_status status = mst_lzo_unpack(copy, size, plain_size, LIMIT, &memory, why);
    free(copy);
    assert_memory_equal(memory.data, "abc", 3);
    assert_int_equal(memory.size, status == MST_OK ? 3 + plain_size : 3);
    if (status == MST_OK && plain && plain_size)
        assert_memory_equal(memory.data + 3, plain, plain_size);
    mst_memory_free(&memory);
    assert_int_equal(count.blocks, 0);
    assert_false(count.wrong);
    return status;
}

static void assert_unpacks(const stream *s) {
    mst_diagnostic why;
    MUST(unpack(s->packed.data, s->packed.size, s->plain.data, s->plain.size, &why), &why);
}

static void assert_damaged(const uint8_t *packed, size_t size, size_t plain_size, const char *code) {
    mst_diagnostic why;
    assert_int_equal(unpack(packed, size, NULL, plain_size, &why), MST_DAMAGED);
    if (strcmp(why.code, code) != 0)
        print_error("%s, not %s\n", why.code, code);
    assert_string_equal(why.code, code);
    assert_true(mst_fits(why.offset, why.length, size));
    assert_true(why.message[0] && why.expected[0] && why.found[0]);
}

/* Every instruction, at the ends of what it can say. */
static void put_everything(stream *s) {
    put_first(s, 238);
    put_near(s, 1, 3, 0);
    put_run(s, 4);
    put_near(s, 238, 8, 3);
    put_two(s, 1, 1);
    put_two(s, 200, 2);
    put_near(s, 200, 5, 0);
    put_run(s, 18);
    put_middle(s, 1, 3, 0);
    put_run(s, 19);
    put_middle(s, 250, 33, 1);
    put_middle(s, 7, 34, 2);
    put_middle(s, 8, 33 + 255, 0);
    put_run(s, 18 + 255);
    put_middle(s, 300, 34 + 255, 3);
    put_two(s, 1024, 0);
    put_run(s, 18 + 256 + 2048);
    put_three(s, 2049, 0);
    put_run(s, 2000);
    put_three(s, 3072, 1);
    put_near(s, 2048, 4, 0);
    put_run(s, 12000);
    put_middle(s, 16384, 40, 0);
    put_far(s, 16385, 3, 0);
    put_run(s, 33000);
    put_far(s, 0x4000 + 0x3FFF, 9, 1);
    put_far(s, 0x8000, 10, 0);
    put_far(s, 0xBFFF, 9 + 255, 2);
    put_far(s, 20000, 10 + 255, 0);
    put_end(s);
}

static void test_by_hand(void **state) {
    (void)state;
    stream s = {0};
    put_everything(&s);
    assert_unpacks(&s);
    stream_free(&s);
    /* One to three literals at the beginning are as after a copy. */
    for (size_t i = 1; i <= 3; i++) {
        put_first(&s, i);
        put_two(&s, i, 0);
        put_end(&s);
        assert_unpacks(&s);
        stream_free(&s);
    }
    /* Nothing, and a run at the beginning. */
    put_end(&s);
    assert_unpacks(&s);
    stream_free(&s);
    put_run(&s, 300);
    put_end(&s);
    assert_unpacks(&s);
    stream_free(&s);
    /* The most for its size. */
    put_first(&s, 4);
    put_middle(&s, 1, 33 + 255 * 4000, 0);
    put_end(&s);
    assert_true(s.plain.size / s.packed.size >= 253);
    assert_unpacks(&s);
    stream_free(&s);
}

static void test_damaged(void **state) {
    (void)state;
    stream s = {0};
    put_first(&s, 20);
    put_near(&s, 5, 4, 0);
    put_end(&s);
    for (size_t i = 1; i < s.packed.size; i++)
        assert_damaged(s.packed.data, i, s.plain.size, "LZO-CUT");
    assert_damaged(s.packed.data, 0, 0, "LZO-CUT");
    assert_damaged(s.packed.data, s.packed.size, s.plain.size - 1, "LZO-SIZE");
    assert_damaged(s.packed.data, s.packed.size, s.plain.size + 1, "LZO-SIZE");
    assert_damaged(s.packed.data, s.packed.size, 0, "LZO-SIZE");
    put_u8(&s.packed, 0);
    assert_damaged(s.packed.data, s.packed.size, s.plain.size, "LZO-SIZE");
    s.packed.data[22] = 20 >> 3; /* distance: from before the first byte */
    s.packed.data[21] |= 7 << 2;
    assert_damaged(s.packed.data, s.packed.size - 1, s.plain.size, "LZO-STREAM");
    /* Claims. */
    static const uint64_t claims[] = {255 * 28 + 1, UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        counted count = {0};
        mst_memory memory = {.allocator = counted_allocator(&count)};
        mst_diagnostic why;
        assert_int_equal(mst_lzo_unpack(s.packed.data, 28, claims[i], UINT64_MAX, &memory, &why),
                         MST_DAMAGED);
        assert_string_equal(why.code, "LZO-CLAIM");
        assert_int_equal(mst_lzo_unpack(s.packed.data, 28, 1000, 999, &memory, &why), MST_NO_MEMORY);
        assert_int_equal(count.calls, 0);
        count.fail_at = 1;
        assert_int_equal(mst_lzo_unpack(s.packed.data, 26, 24, LIMIT, &memory, &why), MST_NO_MEMORY);
        assert_true(count.failed);
        assert_null(memory.data);
    }
    stream_free(&s);
}

/* Changed bytes, and none that is read or written elsewhere. */
static void test_bent(void **state) {
    (void)state;
    stream s = {0};
    put_first(&s, 30);
    put_near(&s, 30, 8, 3);
    put_two(&s, 9, 0);
    put_run(&s, 30);
    put_middle(&s, 50, 300, 0);
    put_end(&s);
    assert_unpacks(&s);
    for (size_t i = 0; i < s.packed.size; i++)
        for (unsigned value = 0; value < 256; value += (unsigned)sample_step()) {
            mst_diagnostic why;
            uint8_t was = s.packed.data[i];
            s.packed.data[i] = (uint8_t)value;
            mst_status status = unpack(s.packed.data, s.packed.size, NULL, s.plain.size, &why);
            assert_true(status == MST_OK || status == MST_DAMAGED);
            s.packed.data[i] = was;
        }
    stream_free(&s);
}

/* ---- liblzo2's own packer ------------------------------------------------------------------------ */

static void test_packed(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 3, 4, 100, 5000, 200000};
    void *work = malloc(LZO1X_1_MEM_COMPRESS);
    assert_non_null(work);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned kinds = 1; kinds <= 256; kinds *= 16) {
            size_t size = sizes[i];
            random_state r = {size + kinds};
            uint8_t *plain = malloc(size + 1), *packed = malloc(size + size / 16 + 67);
            assert_true(plain && packed);
            for (size_t k = 0; k < size; k++)
                plain[k] = k > 60 && random_below(&r, 9) ? plain[k - 1 - random_below(&r, 60)]
                                                         : (uint8_t)random_below(&r, kinds);
            lzo_uint packed_size = 0;
            assert_int_equal(lzo1x_1_compress(plain, (lzo_uint)size, packed, &packed_size, work), LZO_E_OK);
            mst_diagnostic why;
            MUST(unpack(packed, (size_t)packed_size, plain, size, &why), &why);
            free(packed);
            free(plain);
        }
    free(work);
}

#else

static void test_unsupported(void **state) {
    (void)state;
    static const uint8_t stream[] = {0x12, 'a', 0x11, 0, 0};
    mst_memory memory = {0};
    mst_diagnostic why;
    assert_int_equal(mst_lzo_unpack(stream, sizeof stream, 1, LIMIT, &memory, &why), MST_UNSUPPORTED);
    assert_true(why.message[0]);
    assert_null(memory.data);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
#if MST_WITH_LZO
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_bent),
        cmocka_unit_test(test_packed),
#else
        cmocka_unit_test(test_unsupported),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
