/* SPDX-License-Identifier: MIT */
/*
 * Parameters of placed objects, type by type, and heads of textures: each field at the right place, of the
 * right width, sign and byte order; and records that are too short for them.
 */
#include "../src/read/opened.h"
#include "documents.h"

/* From the start of the record, in hexadecimal: offset, type, name. */
static const struct {
    uint16_t types[8];
    unsigned words; /* of 4 bytes, of the complete record */
    const char *fields;
} layouts[] = {
    {{0x31C}, 8, "1A u8 rotation_y"},
    {{0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x54, 0x230},
     20,
     "18 u8 commands[0].flags, 19 u8 commands[0].command, 1A u8 commands[0].parameter_1, "
     "1B u8 commands[0].parameter_2, 1C u8 commands[1].flags, 1D u8 commands[1].command, "
     "1E u8 commands[1].parameter_1, 1F u8 commands[1].parameter_2, 20 u8 commands[2].flags, "
     "21 u8 commands[2].command, 22 u8 commands[2].parameter_1, 23 u8 commands[2].parameter_2, "
     "24 u8 commands[3].flags, 25 u8 commands[3].command, 26 u8 commands[3].parameter_1, "
     "27 u8 commands[3].parameter_2, 28 u8 commands[4].flags, 29 u8 commands[4].command, "
     "2A u8 commands[4].parameter_1, 2B u8 commands[4].parameter_2, 2C u8 commands[5].flags, "
     "2D u8 commands[5].command, 2E u8 commands[5].parameter_1, 2F u8 commands[5].parameter_2, "
     "30 u8 commands[6].flags, 31 u8 commands[6].command, 32 u8 commands[6].parameter_1, "
     "33 u8 commands[6].parameter_2, 34 u8 commands[7].flags, 35 u8 commands[7].command, "
     "36 u8 commands[7].parameter_1, 37 u8 commands[7].parameter_2, 38 i16 trigger_id, "
     "3A u8[3] size, 3D u8[2] rotation, 43 u8 target, 44 i16 activate, 46 u16 delay, "
     "48 i16[4] gates"},
    {{0x6E8, 0x7A8, 0x853},
     12,
     "18 i8[3] rotation_zyx, 1B u8 color, 1C u8 mode, 1D u8 pulse, 20 f32 radius, "
     "24 i16 bit, 26 u8 color_distance, 27 u8 effect_distance, 28 u8 pulse_distance, "
     "29 u8 flags, 2A u8 behavior, 2B u8 inactive_seconds, 2C u8 glow"},
    {{0x617, 0x6D5, 0x7F0},
     13,
     "18 u8[3] rotation_xyz, 1B u8[3] rotation_speed, 1E i8 leader_z, 20 i32 leader_id, "
     "24 u16 exit_distance, 26 i8 leader_x, 27 i8 leader_y, 2A u16 spread, 2C u8 cooldown, "
     "2D u8 shot_interval, 2E u8 shots, 2F u8 path_mode, 30 u8 path_speed, 31 u8 dialogue, "
     "32 i16 bit"},
    {{0x671}, 13, "31 u8 text"},
    {{0x49F}, 9, "18 i8 rotation_y, 19 u8 drop, 1A i16 unknown_1A, 1C i16 respawn_minutes, 1E i16 broken"},
    {{0x3CF},
     9,
     "18 i8 rotation_y, 19 u8 subtype, 1A i16 unknown_1A, 1C i16 respawn_minutes, 1E i16 gone, "
     "20 i16 leash"},
    {{0x24F}, 8, "18 i16 bit, 1A u8 toggle, 1B u8 block_effect, 1C u8 flags, 1D u8 line_parameter"},
    {{0x39, 0x70C, 0x70D, 0x70E},
     8,
     "18 u8[3] rotation_zyx, 1B u8 scale, 1C u8 flags_low, 1D u8 proximity, 1E u8 flags_high"},
    {{0x30, 0x634, 0x6B3, 0x5D0, 0x6C8, 0x6C9}, 8, "18 u8[3] rotation_zyx, 1B u8 scale, 1F u8 still"},
    {{0x868}, 8, "18 u8[3] rotation_zyx, 1B u8 scale, 1F u8 still"},
    {{0xD}, 8, "18 u8 act, 19 u8 index, 1B i8 rotation_y, 1C u32 object_groups"},
    {{0x14}, 9, "18 i16 texture, 1A i16 bit, 1C i8[2] second_step, 1E i8[2] step"},
    {{0x2C0}, 8, "18 u16 regrow_time, 1B u8 gem, 1C u8 model, 1D u8 rotation_y"},
    {{0xD4},
     11,
     "18 i8 range, 19 i8 bank, 1A i16 effect, 1C i16 rate, 1E i16 toggle, 20 i16 disable, "
     "22 i8[3] rotation_zyx, 25 i8[3] rotation_speed, 28 u8 preset, 29 u8 interval, "
     "2A i16 sound"},
    {{0x5}, 16, "18 u32[2] previous, 20 u32[2] next, 28 i8 index, 29 u8 rotation_y, 2A u8 radius"},
    {{0x787},
     9,
     "18 i8 mode, 19 i8 probability, 1A u16 target_low, 1C u16 target_high, 1E i16 done, "
     "20 i16 enable"},
    {{0x6A}, 8, "18 u8 object_type, 19 u8 lunge_distance, 1A i16 gone, 1C u8 scale, 1F u8 retreat_distance"},
    {{0x802},
     12,
     "18 u8[3] rotation_zyx, 1B u8 effect, 1C u8[2] effect_parameters, 20 f32 scale, "
     "24 i16 bit, 26 u8[3] spread, 29 u8 flags, 2A u8 burst"},
    {{0x5E7}, 7, "18 u16 radius"},
    {{0x75}, 7, "18 i16 arming, 1A u8 rotation_y"},
    {{0x7B}, 8, "18 u8 rotation_y, 19 u8 height, 1A u8 speed, 1C i16 disable"},
    {{0x61B},
     16,
     "18 u8[2] rotation_xy, 1A u8[3] color, 1D u8 event, 1E i16 enable, 20 u8 brightness, "
     "21 u8 spot_mode, 22 u16 near, 24 u16 far, 26 u8 fade_speed, 27 u8[3] target_color, "
     "2A u8 flags, 2C u8 priority, 2E i16 fade_frames, 30 u8 enabled, 32 i16[2] rotation_speed, "
     "36 u16 glow_scale, 38 u16 glow_texture, 3A u8[4] glow_color, 3E u8 glow, "
     "3F u8 affects_aabb_light_selection"},
    {{0x61D},
     16,
     "18 u8[2] rotation_xy, 1A u16 near, 1C u16 far, 1E i16 fade_frames, "
     "20 i16[2] rotation_speed, 24 u16 texture, 26 u8 projection, 27 u8 field_of_view, "
     "28 u16 height, 2A u16 width, 2D u8[3] color, 30 u8[3] target_color, 33 u8 fade_speed, "
     "34 u8 rotation_z, 35 i8 rotation_z_speed, 36 u8 tev_mode_a, 37 u8 alpha, "
     "38 u8 target_alpha, 39 u8 channel_preference, 3A u8 enabled, 3B u8 near_z, 3C u16 far_z, "
     "3E u8 tev_mode_b, 3F u8 ortho_depth_nibbles"},
    {{0x559}, 9, "1A i16 amplitude_divisor"},
    {{0x710},
     9,
     "18 i8 rotation_x, 19 u8 rotation_y, 1A i16 cycle, 1C i16 scale, 1E i16 bit, "
     "20 i16 start, 22 u8 flags"},
    {{0x178}, 9, "18 i8 rotation_y, 19 u8 mode, 1A i16 range, 1C i16 flags, 1E i16 bit, 22 u8 options"},
    {{0x176}, 9, "1E i16 collected, 20 i16 visible"},
    {{0x285},
     9,
     "18 i16 bit, 1A u16 sound, 1C u8 flags, 1D u8 mode, 1E u8[2] delay_seconds, "
     "20 i8 channel, 22 u16 second_sound"},
    {{0x63}, 9, "1A i16 color, 20 i16 trigger_bit"},
};
/* By the curve's kind. */
static const struct {
    uint8_t kind;
    unsigned words;
    const char *fields;
} curves[] = {
#define BEGIN "18 u8 action, 19 u8 kind, "
#define CURVE BEGIN "1A u8 unknown_1A, " ALL_KINDS
#define ALL_KINDS                                                                                            \
    "1B u8 blocked_links, 1C u32[4] links, 2C i8 yaw, 2D i8 pitch, 2E u8 tangent_length, 2F u8 unknown_2F"
#define BITS ", 30 i16 required, 32 i16 forbidden"
    {0x24, 13, CURVE BITS},
    {0x1F, 13, CURVE BITS},
    {0x00, 13, CURVE},
    {0x09, 14, CURVE ", 34 u32 unknown_34"},
    {0x15, 14, CURVE ", 34 u32 unknown_34"},
    {0x17, 14, CURVE ", 34 u32 unknown_34"},
    {0x1B, 14, CURVE ", 34 u32 unknown_34"},
    {0x08, 15, CURVE ", 34 u32 unknown_34, 38 u32 roll"},
    {0x1A, 15, CURVE ", 34 u32 unknown_34, 38 u32 roll"},
    {0x26, 17, BEGIN "1A i8 y_below, " ALL_KINDS ", 30 i8[4] second_edge, 34 i8[16] link_edges"},
};

#define HEAD 0x18
enum { CURVE_TYPE = 0x6E };

/* A record with no two equal bytes, all above 0x7F from the parameters on. */
static void put_object(writer *w, unsigned type, unsigned words, unsigned kind) {
    size_t start = w->size;
    w->big = true;
    put_u16(w, (uint16_t)type);
    put_u8(w, (uint8_t)words);
    for (unsigned at = 3; at < 8; at++)
        put_u8(w, type == CURVE_TYPE ? (uint8_t)(0xE0 + at) : 0);
    for (unsigned i = 0; i < 3; i++)
        put_f32(w, 1.5f + (float)i);
    put_u32(w, 0x81828384u);
    while (w->size - start < 4 * (size_t)words)
        put_u8(w, (uint8_t)(0x80 + (w->size - start)));
    if (type == CURVE_TYPE && words > 6)
        w->data[start + 0x19] = (uint8_t)kind;
}

static mst_document *open_list(const writer *w) {
    return open_as(w->data, w->size, "sfa-romlist", "test.romlist");
}

/* A number as stored, big-endian. */
static int64_t stored_number(const uint8_t *bytes, unsigned width, bool sign) {
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number = number << 8 | bytes[i];
    if (sign && bytes[0] & 0x80)
        return (int64_t)number - ((int64_t)1 << 8 * width);
    return (int64_t)number;
}

static void assert_number(const mst_value *value, const uint8_t *bytes, char kind, unsigned width) {
    int64_t number;
    double real;
    if (kind == 'f') {
        MUST(mst_get_real(value, &real), NULL);
        assert_int_equal(mst_bits_of_f32((float)real), (uint32_t)stored_number(bytes, 4, false));
        return;
    }
    assert_int_equal(mst_value_type(value), MST_TYPE_INTEGER);
    MUST(mst_get_integer(value, &number), NULL);
    assert_int_equal(number, stored_number(bytes, width, kind == 'i'));
}

static uint64_t start_of(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    uint64_t start, length;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    mst_value_span(&value, &start, &length);
    return start;
}

/* Every listed field, below `prefix`; returns the end of the last one, relative to `start`. */
static size_t assert_listed(const mst_document *document, const char *prefix, uint64_t start,
                            const char *fields) {
    size_t size, after = 0;
    const uint8_t *bytes = mst_document_bytes(document, &size);
    mst_value value;
    uint64_t offset, length;
    for (const char *at = fields; *at;) {
        char *next, name[64], path[96];
        unsigned place = (unsigned)strtoul(at, &next, 16);
        char kind = next[1];
        unsigned width = (unsigned)strtoul(next + 2, &next, 10) / 8, count = 0;
        if (*next == '[')
            count = (unsigned)strtoul(next + 1, &next, 10), next++;
        size_t letters = strcspn(next + 1, ",");
        assert_true(letters < sizeof name);
        memcpy(name, next + 1, letters);
        name[letters] = 0;
        at = next + 1 + letters;
        while (*at == ',' || *at == ' ')
            at++;
        snprintf(path, sizeof path, "%s%s", prefix, name);
        mst_diagnostic why;
        MUST(mst_find(mst_root(document), path, &value, &why), &why);
        mst_value_span(&value, &offset, &length);
        if (offset != start + place || length != width * (count ? count : 1))
            print_error("%s at %u: %llu + %llu\n", name, place, (unsigned long long)(offset - start),
                        (unsigned long long)length);
        assert_int_equal(offset, start + place);
        assert_int_equal(length, width * (count ? count : 1));
        assert_true(offset + length <= size);
        if (!count)
            assert_number(&value, bytes + offset, kind, width);
        for (unsigned i = 0; i < count; i++) {
            mst_value element;
            assert_int_equal(mst_count(&value), count);
            MUST(mst_element(&value, i, &element), NULL);
            assert_number(&element, bytes + offset + (size_t)i * width, kind, width);
        }
        if (place + length > after)
            after = place + (size_t)length;
    }
    return after;
}

/* All its bytes belong to named parameters; with one word too few there are none: the bytes are kept. */
static void assert_layout(unsigned type, unsigned kind, unsigned words, const char *fields) {
    writer w = {0};
    put_object(&w, type, words, kind);
    mst_document *document = open_list(&w);
    mst_value value;
    uint64_t offset, length;
    assert_true(assert_listed(document, "objects[0].parameters.", start_of(document, "objects[0]"), fields) <=
                4 * (size_t)words);
    MUST(mst_find(mst_root(document), "objects[0].parameters", &value, NULL), NULL);
    mst_value_span(&value, &offset, &length);
    assert_int_equal(length, 4 * words - HEAD);
    assert_round_trips(document);
    mst_close(document);
    for (unsigned less = words - 1; less + 1 == words || (type == CURVE_TYPE && less >= 13); less--) {
        w.size = 0;
        put_object(&w, type, less, kind);
        document = open_list(&w);
        if (type == CURVE_TYPE && less >= 13) { /* the fields of all kinds are present */
            assert_true(has(document, "objects[0].parameters.tangent_length"));
            assert_false(has(document, "objects[0].parameters.roll"));
            assert_false(has(document, "objects[0].parameters.link_edges"));
            assert_int_equal(has(document, "objects[0].parameters.unknown_34"), words == 15 && less == 14);
        } else {
            assert_false(has(document, "objects[0].parameters"));
            MUST(mst_find(mst_root(document), "objects[0].unknown_tail", &value, NULL), NULL);
            mst_value_span(&value, &offset, &length);
            assert_int_equal(length, 4 * less - HEAD);
        }
        assert_round_trips(document);
        mst_close(document);
    }
    writer_free(&w);
}

static void parameters(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (size_t t = 0; t < 8 && layouts[i].types[t]; t++)
            assert_layout(layouts[i].types[t], 0, layouts[i].words, layouts[i].fields);
}

static void curve_points(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        assert_layout(CURVE_TYPE, curves[i].kind, curves[i].words, curves[i].fields);
    }
}

/* Inverted game bits: bit 15, but not -1, which is none. */
static void turned_bits(void **state) {
    (void)state;
    writer w = {0};
    put_object(&w, 0x49F, 9, 0);
    mst_document *document = open_list(&w);
    mst_diagnostic why;
    static const char path[] = "objects[0].parameters.broken";
    static const struct {
        const char *given;
        int number;
        const char *json;
    } good[] = {{"~3164", 3164 - 0x8000, "\"~3164\""},
                {"\"~0\"", -0x8000, "\"~0\""},
                {"-2", -2, "\"~32766\""},
                {"-1", -1, "-1"},
                {"~0x10", 16 - 0x8000, "\"~16\""},
                {"3164", 3164, "3164"}};
    static const char *const bad[] = {"~", "~x", "~32767", "~40000", "~-1", "x3164"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        mst_value value;
        int64_t number;
        mst_buffer json = {0};
        MUST(mst_set(document, path, good[i].given, &why), &why);
        MUST(mst_find(mst_root(document), path, &value, &why), &why);
        MUST(mst_get_integer(&value, &number), NULL);
        assert_int_equal(number, good[i].number);
        MUST(mst_write_json(&value, NULL, mst_buffer_sink(&json), &why), &why);
        assert_int_equal(json.size, strlen(good[i].json) + 1); /* and the end of the line */
        assert_memory_equal(json.data, good[i].json, json.size - 1);
        mst_buffer_free(&json);
        assert_round_trips(document);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(mst_set(document, path, bad[i], &why), MST_ARGUMENT);
    /* other numbers are not inverted */
    assert_int_equal(mst_set(document, "objects[0].parameters.respawn_minutes", "~1", &why), MST_ARGUMENT);
    mst_close(document);
    writer_free(&w);
}

/* Words of undescribed bytes, by the rules for them. */
static void guesses(void **state) {
    (void)state;
    static const uint8_t words[] = {
        0,    0,    0,    0,    /* 0 */
        0xFF, 0xFF, 0xFF, 0xFF, /* -1 */
        0x81, 0x82, 0x83, 0x84, /* the id of the object itself */
        0x3F, 0xC0, 0,    0,    /* a float */
        0x0F, 0x4A, 0x80, 0x07, /* two game bits, one of them inverted */
        0x10, 0x20, 0x30, 0x41, /* neither */
        0x49, 0x74, 0x24, 0x00, /* 1,000,000 */
        0x7F, 0x80, 0,    0,    /* not finite */
    };
    writer w = {0};
    put_object(&w, 0x1D3, 6 + sizeof words / 4, 0); /* an undescribed type */
    memcpy(w.data + HEAD, words, sizeof words);
    mst_document *document = open_list(&w);
    mst_value value;
    char text[200], small[8];
    MUST(mst_find(mst_root(document), "objects[0].parameters", &value, NULL), NULL);
    MUST(mst_guess_content(&value, text, sizeof text), NULL);
    assert_string_equal(text,
                        "0, -1, id of ProjectileS, 1.5, 3914 -32761, 16 32 48 65, 1000000, 127 128 0 0");
    MUST(mst_guess_content(&value, small, sizeof small), NULL);
    assert_string_equal(small, "0, -1, ");
    MUST(mst_find(mst_root(document), "objects[0].id", &value, NULL), NULL);
    assert_int_equal(mst_guess_content(&value, text, sizeof text), MST_UNSUPPORTED); /* it is described */
    mst_close(document);
    w.size = 0;
    /* words begin at multiples of four in the record: unknown_18 of a warp point has two bytes */
    put_object(&w, 0x31C, 8, 0);
    memcpy(w.data + HEAD, "\1\2\3\4\0\0\0\0", 8);
    document = open_list(&w);
    MUST(mst_find(mst_root(document), "objects[0].parameters.unknown_18", &value, NULL), NULL);
    MUST(mst_guess_content(&value, text, sizeof text), NULL);
    assert_string_equal(text, "1, 2");
    MUST(mst_find(mst_root(document), "objects[0].parameters.unknown_1B", &value, NULL), NULL);
    MUST(mst_guess_content(&value, text, sizeof text), NULL);
    assert_string_equal(text, "4, 0");
    mst_close(document);
    w.size = 0;
    put_object(&w, 0x31C, 9, 0); /* longer than its parameters */
    memset(w.data + HEAD + 8, 0, 4);
    document = open_list(&w);
    MUST(mst_find(mst_root(document), "objects[0].unknown_tail", &value, NULL), NULL);
    MUST(mst_guess_content(&value, text, sizeof text), NULL);
    assert_string_equal(text, "0");
    mst_close(document);
    writer_free(&w);
}

/* A texture of 8 x 4 texels, of one byte each, as a file of its own. */
static void texture_header(void **state) {
    (void)state;
    uint8_t bytes[0x60 + 32];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(0x80 + i % 0x70);
    static const uint8_t size_and_usage[] = {0, 8, 0, 4, 0, 1};
    memset(bytes, 0, 4);
    memcpy(bytes + 0x0A, size_and_usage, sizeof size_and_usage);
    bytes[0x16] = 1;                  /* I8 */
    bytes[0x1C] = 4, bytes[0x1D] = 0; /* one level */
    memset(bytes + 0x50, 0, 4);
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "sfa-texture"};
    MUST(mst_open_memory(bytes, sizeof bytes, &options, &document, &why), &why);
    assert_listed(
        document, "", start_of(document, "next"),
        "0 u32 next, 4 u32 unknown_04, 8 i16 x_offset, A u16 width, C u16 height, E u16 usage, "
        "10 u16 frame_count_8, 12 u16 unknown_12, 14 u16 frames_per_tick, 16 u8 format, 17 u8 wrap_s, "
        "18 u8 wrap_t, 19 u8 min_filter, 1A u8 mag_filter, 1B u8 unknown_1B, 1C u8 min_lod, "
        "1D u8 max_lod, 1E u8[2] unknown_1E, 50 u32 alpha_image_offset");
    mst_value value;
    size_t size;
    uint64_t offset, length, start = start_of(document, "next");
    static const struct {
        const char *name;
        unsigned offset, size;
    } kept[] = {
        {"unknown_20", 0x20, 32}, {"unknown_40", 0x40, 16}, {"unknown_54", 0x54, 12}, {"data", 0x60, 32}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        MUST(mst_find(mst_root(document), kept[i].name, &value, NULL), NULL);
        assert_int_equal(mst_value_type(&value), MST_TYPE_BYTES);
        mst_value_span(&value, &offset, &length);
        assert_int_equal(offset, start + kept[i].offset);
        assert_int_equal(length, kept[i].size);
        assert_memory_equal((const uint8_t *)mst_document_bytes(document, &size) + offset,
                            bytes + kept[i].offset, kept[i].size);
    }
    assert_same_bytes(document, bytes, sizeof bytes);
    assert_round_trips(document);
    mst_close(document);
}

int test_sfa_parameters(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters), cmocka_unit_test(curve_points),   cmocka_unit_test(turned_bits),
        cmocka_unit_test(guesses),    cmocka_unit_test(texture_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
