/* SPDX-License-Identifier: MIT */
/* LZO1X streams assembled instruction by instruction, from the description of the format; and if liblzo2 is
 * installed (MST_TEST_LZO2) the output of its packers, and whether its unpacker agrees. */
#include "../src/codec/lzo.h"
#include "../src/codec/reserve.h"
#include "support.h"
#if MST_TEST_LZO2
#include <lzo/lzo1x.h>
#endif

#define LIMIT (UINT64_C(1) << 30)

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

/* The excess over the number that fits into the instruction. */
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

/* ---- assertions ---------------------------------------------------------------------------------- */

/* A copy of exactly the size, so that a read after it is seen. */
static uint8_t *exact(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size + !size);
    assert_non_null(copy);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

/* The liblzo2 output for the stream, to be freed; NULL if it refuses the stream, or is missing. */
static uint8_t *unpack_elsewhere(const uint8_t *packed, size_t size, size_t plain_size) {
#if MST_TEST_LZO2
    uint8_t *plain = calloc(plain_size + 1, 1), *copy = exact(packed, size);
    assert_non_null(plain);
    lzo_uint made = (lzo_uint)plain_size;
    int result = lzo1x_decompress_safe(copy, (lzo_uint)size, plain, &made, NULL);
    free(copy);
    if (result == LZO_E_OK && made == plain_size)
        return plain;
    free(plain);
#else
    (void)packed, (void)size, (void)plain_size;
#endif
    return NULL;
}

/* Unpacks after three existing bytes, into room of exactly the size. If `plain` is NULL the result is only
 * compared with liblzo2's. */
static mst_status unpack(const uint8_t *packed, size_t size, const uint8_t *plain, size_t plain_size,
                         mst_diagnostic *why) {
    counted count = {0};
    mst_buffer memory = {.allocator = counted_allocator(&count)};
    memory.data = memory.allocator.resize(memory.allocator.user, NULL, 0, 3);
    assert_non_null(memory.data);
    memcpy(memory.data, "abc", 3);
    memory.size = memory.capacity = 3;
    uint8_t *copy = exact(packed, size);
    mst_status status = mst_lzo_unpack(copy, size, plain_size, LIMIT, &memory, why);
    free(copy);
    assert_memory_equal(memory.data, "abc", 3);
    assert_int_equal(memory.size, status == MST_OK ? 3 + plain_size : 3);
    assert_true(count.bytes <= 3 + plain_size); /* no more than was asked for */
    if (status == MST_OK && plain_size) {
        uint8_t *other = plain ? NULL : unpack_elsewhere(packed, size, plain_size);
        if (plain || other)
            assert_memory_equal(memory.data + 3, plain ? plain : other, plain_size);
        free(other);
    }
    mst_buffer_free(&memory);
    assert_int_equal(count.blocks, 0);
    assert_false(count.wrong);
    return status;
}

static void assert_unpacks(const stream *s) {
    mst_diagnostic why;
    MUST(unpack(s->packed.data, s->packed.size, s->plain.data, s->plain.size, &why), &why);
}

static void assert_damaged(const uint8_t *packed, size_t size, size_t plain_size, const char *code,
                           size_t offset, size_t length) {
    mst_diagnostic why;
    assert_int_equal(unpack(packed, size, NULL, plain_size, &why), MST_DAMAGED);
    if (strcmp(why.code, code) != 0)
        print_error("%s, not %s\n", why.code, code);
    assert_string_equal(why.code, code);
    assert_int_equal(why.offset, offset);
    assert_int_equal(why.length, length);
    assert_true(mst_fits(why.offset, why.length, size));
    assert_true(why.message[0] && why.expected[0] && why.found[0]);
}

/* Every instruction, at the limits of its ranges. */
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
    /* One to three literals at the beginning behave as after a copy. */
    for (size_t i = 1; i <= 3; i++) {
        put_first(&s, i);
        put_two(&s, i, 0);
        put_end(&s);
        assert_unpacks(&s);
        stream_free(&s);
    }
    /* Empty, and with a run at the beginning. */
    put_end(&s);
    assert_unpacks(&s);
    stream_free(&s);
    put_run(&s, 300);
    put_end(&s);
    assert_unpacks(&s);
    stream_free(&s);
    /* The largest ratio. */
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
    put_first(&s, 20);        /* at 0, 21 bytes */
    put_near(&s, 5, 4, 0);    /* at 21, 2 bytes */
    put_run(&s, 20);          /* at 23, 22 bytes */
    put_middle(&s, 1, 40, 2); /* at 45, 4 + 2 bytes */
    put_end(&s);              /* at 51 */
    assert_int_equal(s.packed.size, 54);
    assert_int_equal(s.plain.size, 86);
    static const size_t begins[] = {0, 21, 23, 45, 51, 54};
    const uint8_t *packed = s.packed.data;
    for (size_t i = 1, k = 0; i < 54; i++) {
        k += i >= begins[k + 1];
        assert_damaged(packed, i, 86, "LZO-CUT", begins[k], i - begins[k]);
    }
    assert_damaged(packed, 0, 0, "LZO-CUT", 0, 0);
    assert_damaged(packed, 54, 87, "LZO-SIZE", 51, 3);
    assert_damaged(packed, 54, 85, "LZO-SIZE", 45, 4); /* there is no room for its literals */
    assert_damaged(packed, 54, 83, "LZO-SIZE", 45, 4);
    assert_damaged(packed, 54, 43, "LZO-SIZE", 23, 2);
    assert_damaged(packed, 54, 23, "LZO-SIZE", 21, 2);
    assert_damaged(packed, 54, 0, "LZO-SIZE", 0, 1);
    put_bytes_of(&s.packed, "\0", 2);
    assert_damaged(s.packed.data, 56, 86, "LZO-SIZE", 54, 2);
    s.packed.data[21] = (uint8_t)(3 << 5 | ((21 - 1) & 7) << 2); /* the byte before the first */
    s.packed.data[22] = (21 - 1) >> 3;
    assert_damaged(s.packed.data, 54, 86, "LZO-STREAM", 21, 2);
    /* The same for the others: for 17, which alone can be first, and after a literal or a run. */
    static const uint8_t far[] = {0x11, 4, 0, 0x11, 0, 0}, near[] = {0x12, 'a', 0x44, 0, 0x11, 0, 0},
                         middle[] = {0x12, 'a', 0x21, 4, 0, 0x11, 0, 0},
                         two[] = {0x12, 'a', 4, 0, 0x11, 0, 0},
                         three[] = {1, 'a', 'b', 'c', 'd', 0, 0, 0x11, 0, 0};
    assert_damaged(far, sizeof far, 3, "LZO-STREAM", 0, 3);
    assert_damaged(near, sizeof near, 4, "LZO-STREAM", 2, 2);
    assert_damaged(middle, sizeof middle, 4, "LZO-STREAM", 2, 3);
    assert_damaged(two, sizeof two, 3, "LZO-STREAM", 2, 2);
    assert_damaged(three, sizeof three, 7, "LZO-STREAM", 5, 2);
    /* A length that never ends, and one larger than any memory. */
    uint8_t *zeros = calloc(100000, 1);
    assert_non_null(zeros);
    assert_damaged(zeros, 100000, 255 * 100000, "LZO-CUT", 0, 100000);
    mst_diagnostic why;
    assert_int_equal(unpack(zeros, 100000, NULL, 1000, &why), MST_DAMAGED);
    assert_string_equal(why.code, "LZO-SIZE");
    assert_int_equal(why.offset, 0);
    free(zeros);
    mst_buffer some = {.size = 3, .capacity = 3}; /* the contents of which are not read */
    assert_false(mst_buffer_reserve(&some, SIZE_MAX - 2));
    assert_null(some.data);
    mst_buffer pieces = {0}; /* many short ones are moved only a few times */
    size_t moves = 0;
    for (size_t before = 0; pieces.size < 1000; pieces.size++) {
        assert_true(mst_buffer_reserve(&pieces, 1));
        moves += pieces.capacity != before;
        before = pieces.capacity;
    }
    assert_in_range(moves, 2, 30);
    mst_buffer_free(&pieces);
    mst_buffer nothing = {0}; /* an empty stream unpacks to an empty buffer, and a longer one does not */
    assert_int_equal(mst_lzo_unpack((const uint8_t[]){0x11, 0, 0}, 3, 0, LIMIT, &nothing, NULL), MST_OK);
    assert_int_equal(mst_lzo_unpack(s.packed.data, 54, 0, LIMIT, &nothing, NULL), MST_DAMAGED);
    assert_null(nothing.data);
    /* Claims. */
    static const uint64_t claims[] = {255 * 28 + 1, UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        counted count = {0};
        mst_buffer memory = {.allocator = counted_allocator(&count)};
        assert_int_equal(mst_lzo_unpack(s.packed.data, 28, claims[i], UINT64_MAX, &memory, &why),
                         MST_DAMAGED);
        assert_string_equal(why.code, "LZO-CLAIM");
        assert_int_equal(mst_lzo_unpack(s.packed.data, 28, 1000, 999, &memory, &why), MST_NO_MEMORY);
        assert_int_equal(count.calls, 0);
        assert_int_equal(mst_lzo_unpack(s.packed.data, UINT64_MAX, 1000, 999, &memory, NULL), MST_NO_MEMORY);
        assert_int_equal(mst_lzo_unpack(s.packed.data, 28, claims[i], UINT64_MAX, &memory, NULL),
                         MST_DAMAGED);
        assert_int_equal(count.calls, 0);
        count.fail_at = 1;
        assert_int_equal(mst_lzo_unpack(s.packed.data, 26, 24, LIMIT, &memory, &why), MST_NO_MEMORY);
        assert_true(count.failed);
        assert_null(memory.data);
    }
    stream_free(&s);
}

/* Truncated or changed, nothing is read or written out of bounds; and liblzo2 agrees if it accepts the
 * stream. */
static void assert_bends(uint8_t *packed, size_t size, size_t plain_size, size_t step, unsigned value_step) {
    mst_diagnostic why;
    for (size_t i = 0; i < size; i += step) {
        assert_int_equal(unpack(packed, i, NULL, plain_size, &why), MST_DAMAGED);
        assert_string_equal(why.code, i * 255 < plain_size ? "LZO-CLAIM" : "LZO-CUT");
        for (unsigned value = 0; value < 256; value += value_step) {
            uint8_t was = packed[i];
            packed[i] = (uint8_t)value;
            mst_status status = unpack(packed, size, NULL, plain_size, &why);
            assert_true(status == MST_OK || status == MST_DAMAGED);
            assert_true(status == MST_OK || mst_fits(why.offset, why.length, size));
#if MST_TEST_LZO2
            uint8_t *other = unpack_elsewhere(packed, size, plain_size);
            assert_int_equal(other != NULL, status == MST_OK);
            free(other);
#endif
            packed[i] = was;
        }
    }
}

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
    assert_bends(s.packed.data, s.packed.size, s.plain.size, 1, (unsigned)sample_step());
    stream_free(&s);
    /* All instructions; most bytes are literals, recognisable without trying each. */
    put_everything(&s);
    assert_bends(s.packed.data, s.packed.size, s.plain.size, 997, 17);
    stream_free(&s);
}

/* ---- liblzo2's own packers ----------------------------------------------------------------------- */

#if MST_TEST_LZO2

typedef struct packers {
    void *work;
    uint8_t *packed;
    lzo_uint size;
} packers;

/* With the fast packer, or the thorough one. */
static void pack(packers *p, const uint8_t *plain, size_t size, bool thorough) {
    free(p->packed);
    p->packed = malloc(size + size / 16 + 67);
    if (!p->work)
        p->work = malloc(LZO1X_999_MEM_COMPRESS > LZO1X_1_MEM_COMPRESS ? LZO1X_999_MEM_COMPRESS
                                                                       : LZO1X_1_MEM_COMPRESS);
    assert_true(p->packed && p->work);
    p->size = 0;
    assert_int_equal((thorough ? lzo1x_999_compress : lzo1x_1_compress)(plain, (lzo_uint)size, p->packed,
                                                                        &p->size, p->work),
                     LZO_E_OK);
}

static void assert_both_unpack(packers *p, const uint8_t *plain, size_t size) {
    for (int thorough = 0; thorough < 2; thorough++) {
        mst_diagnostic why;
        pack(p, plain, size, thorough);
        MUST(unpack(p->packed, (size_t)p->size, plain, size, &why), &why);
    }
}

static void packers_free(packers *p) {
    free(p->packed);
    free(p->work);
}

/* With this many different bytes; 0 in `reach`: random, else most bytes come from at most that far back. */
static uint8_t *content_of(size_t size, unsigned kinds, uint32_t reach) {
    random_state r = {size * 7 + kinds + reach};
    uint8_t *plain = malloc(size + 1);
    assert_non_null(plain);
    for (size_t k = 0; k < size; k++)
        plain[k] = reach && k > reach && random_below(&r, 40) ? plain[k - reach + k / 50 % (reach / 2 + 1)]
                                                              : (uint8_t)random_below(&r, kinds);
    return plain;
}

static void packed_small(void **state) {
    (void)state;
    packers p = {0};
    for (size_t size = 0; size <= 300; size += sample_step())
        for (unsigned kinds = 1; kinds <= 256; kinds *= 4) {
            uint8_t *plain = content_of(size, kinds, kinds == 64 ? 12 : 0);
            assert_both_unpack(&p, plain, size);
            free(plain);
        }
    packers_free(&p);
}

static void packed_large(void **state) {
    (void)state;
    static const size_t sizes[] = {1000, 5000, 130000};
    static const uint32_t reaches[] = {0, 1, 2, 3, 60, 1500, 3000, 15000, 16385, 30000, 49000, 60000};
    packers p = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k<sizeof reaches / sizeof *reaches; k += sample_step()> 1 ? 3 : 1)
            for (unsigned kinds = 2; kinds <= 256; kinds *= sample_step() > 1 ? 128 : 8) {
                uint8_t *plain = content_of(sizes[i], kinds, reaches[k]);
                assert_both_unpack(&p, plain, sizes[i]);
                free(plain);
            }
    packers_free(&p);
}

/* Long runs of one byte between a few others: lengths of up to a million. */
static void packed_runs(void **state) {
    (void)state;
    packers p = {0};
    uint8_t *plain = calloc(1200000, 1);
    assert_non_null(plain);
    size_t size = 0;
    random_state r = {5};
    for (size_t length = 1; length < 600000; length = length * 5 / 4 + 1) {
        memset(plain + size, (int)random_below(&r, 256), length / 3 + 1);
        size += length / 3 + 1;
        for (uint32_t k = random_below(&r, 40); k--;)
            plain[size++] = (uint8_t)random_below(&r, 256);
    }
    assert_true(size < 1200000);
    assert_both_unpack(&p, plain, size);
    memset(plain, 'x', 1000000);
    assert_both_unpack(&p, plain, 1000000);
    assert_true(p.size < 1000000 / 100);
    free(plain);
    packers_free(&p);
}

/* Random bytes twice: the second time is one copy, if the format can reach that far. */
static void packed_far(void **state) {
    (void)state;
    static const size_t distances[] = {2048,  2049,  16384, 16385, 20000, 32767, 32768,
                                       40000, 49000, 49151, 49152, 60000, 100000};
    packers p = {0};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        size_t distance = distances[i];
        uint8_t *plain = content_of(2 * distance, 256, 0);
        memcpy(plain + distance, plain, distance);
        assert_both_unpack(&p, plain, 2 * distance);
        bool reached = (size_t)p.size < distance + distance / 4; /* by the thorough one */
        assert_int_equal(reached, distance <= 0xBFFF);
        free(plain);
    }
    packers_free(&p);
}

static void packed_bent(void **state) {
    (void)state;
    packers p = {0};
    static const uint32_t reaches[] = {0, 9, 700};
    for (size_t i = 0; i < 3; i++)
        for (int thorough = 0; thorough < 2; thorough++) {
            uint8_t *plain = content_of(1500, 5, reaches[i]);
            pack(&p, plain, 1500, thorough);
            assert_bends(p.packed, (size_t)p.size, 1500, sample_step(), sample_step() > 1 ? 85 : 15);
            free(plain);
        }
    /* Distant matches, with their instructions at the end. */
    uint8_t *plain = content_of(45000, 256, 0);
    memcpy(plain + 44000, plain, 1000);
    for (size_t k = 44100; k < 45000; k += 100)
        plain[k] ^= 1;
    pack(&p, plain, 45000, true);
    uint8_t *packed = p.packed;
    size_t size = (size_t)p.size;
    for (size_t i = size - 60; i < size; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            mst_diagnostic why;
            packed[i] ^= (uint8_t)(1u << bit);
            mst_status status = unpack(packed, size, NULL, 45000, &why);
            uint8_t *other = unpack_elsewhere(packed, size, 45000);
            assert_int_equal(other != NULL, status == MST_OK);
            free(other);
            packed[i] ^= (uint8_t)(1u << bit);
        }
    free(plain);
    packers_free(&p);
}

#else

static void packed_elsewhere(void **state) {
    (void)state;
    print_message("# liblzo2 is not there to compare with\n");
    skip();
}

#endif

int test_lzo(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_bent),
#if MST_TEST_LZO2
        cmocka_unit_test(packed_small),
        cmocka_unit_test(packed_large),
        cmocka_unit_test(packed_runs),
        cmocka_unit_test(packed_far),
        cmocka_unit_test(packed_bent),
#else
        cmocka_unit_test(packed_elsewhere),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
