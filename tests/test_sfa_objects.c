/* SPDX-License-Identifier: MIT */
/* Star Fox Adventures: lists of placed objects. */
#include "../src/core/json.h"
#include "../src/formats/sfa/sfa_names.h"
#include "stopping.h"
#include <mapstone/document.h>

static bool find(const mst_document *d, const char *path, mst_value *value) {
    return mst_find(mst_root(d), path, value, NULL) == MST_OK;
}
/* ---- records by hand ---------------------------------------------------------------------------- */

/* A record whose bytes from 0x18 on are their own offset; then some are set. */
static uint8_t *put_record(writer *w, int type, unsigned words, unsigned load_flags, unsigned bound,
                           uint32_t id) {
    size_t start = w->size;
    w->big = true;
    put_u16(w, (uint16_t)type);
    put_u8(w, (uint8_t)words);
    put_u8(w, 0xFE); /* acts_0 */
    put_u8(w, (uint8_t)load_flags);
    put_u8(w, 0x7C); /* acts_1 */
    put_u8(w, (uint8_t)bound);
    put_u8(w, 0x22); /* cull_distance */
    put_f32(w, 1.5f), put_f32(w, -2.0f), put_f32(w, 3.25f);
    put_u32(w, id);
    while (w->size - start < 4 * words)
        put_u8(w, (uint8_t)(w->size - start));
    return w->data + start;
}

/* A curve without links. */
static uint8_t *put_curve(writer *w, unsigned kind, unsigned words, uint32_t id) {
    uint8_t *record = put_record(w, MST_SFA_CURVE, words, 0x20, 0x41, id);
    record[0x19] = (uint8_t)kind;
    memset(record + 0x1C, 0xFF, 16);
    return record;
}

/* The position of a field of the parameters, from the record's start, and the kind of its number: u1, s2, ...
 */
typedef struct expected_field {
    const char *name;
    unsigned offset;
    const char *kind;
    unsigned count; /* 0: one */
} expected_field;

static const struct {
    int type;
    unsigned words;
    expected_field fields[24];
} layouts[] = {
    {0x31C, 8, {{"rotation_y", 0x1A, "u1", 0}}},
    {0x04C,
     20,
     {{"trigger_id", 0x38, "s2", 0},
      {"size", 0x3A, "u1", 3},
      {"rotation", 0x3D, "u1", 2},
      {"target", 0x43, "u1", 0},
      {"activate", 0x44, "s2", 0},
      {"delay", 0x46, "u2", 0},
      {"gates", 0x48, "s2", 4}}},
    {0x230,
     20,
     {{"commands[1].command", 0x1D, "u1", 0},
      {"commands[7].parameter_2", 0x37, "u1", 0},
      {"gates", 0x48, "s2", 4}}},
    {0x853,
     12,
     {{"rotation_zyx", 0x18, "s1", 3},
      {"color", 0x1B, "u1", 0},
      {"mode", 0x1C, "u1", 0},
      {"pulse", 0x1D, "u1", 0},
      {"bit", 0x24, "s2", 0},
      {"color_distance", 0x26, "u1", 0},
      {"flags", 0x29, "u1", 0},
      {"glow", 0x2C, "u1", 0}}},
    {0x6D5,
     13,
     {{"rotation_xyz", 0x18, "u1", 3},
      {"rotation_speed", 0x1B, "u1", 3},
      {"leader_z", 0x1E, "s1", 0},
      {"leader_id", 0x20, "s4", 0},
      {"exit_distance", 0x24, "u2", 0},
      {"leader_x", 0x26, "s1", 0},
      {"leader_y", 0x27, "s1", 0},
      {"spread", 0x2A, "u2", 0},
      {"cooldown", 0x2C, "u1", 0},
      {"path_speed", 0x30, "u1", 0},
      {"dialogue", 0x31, "u1", 0},
      {"bit", 0x32, "s2", 0}}},
    {0x671, 13, {{"text", 0x31, "u1", 0}}},
    {0x49F,
     9,
     {{"rotation_y", 0x18, "s1", 0},
      {"drop", 0x19, "u1", 0},
      {"unknown_1A", 0x1A, "s2", 0},
      {"respawn_minutes", 0x1C, "s2", 0},
      {"broken", 0x1E, "s2", 0}}},
    {0x3CF,
     9,
     {{"subtype", 0x19, "u1", 0},
      {"respawn_minutes", 0x1C, "s2", 0},
      {"gone", 0x1E, "s2", 0},
      {"leash", 0x20, "s2", 0}}},
    {0x24F,
     8,
     {{"bit", 0x18, "s2", 0},
      {"toggle", 0x1A, "u1", 0},
      {"block_effect", 0x1B, "u1", 0},
      {"flags", 0x1C, "u1", 0},
      {"line_parameter", 0x1D, "u1", 0}}},
    {0x039,
     8,
     {{"rotation_zyx", 0x18, "u1", 3},
      {"scale", 0x1B, "u1", 0},
      {"flags_low", 0x1C, "u1", 0},
      {"proximity", 0x1D, "u1", 0},
      {"flags_high", 0x1E, "u1", 0}}},
    {0x868, 8, {{"rotation_zyx", 0x18, "u1", 3}, {"scale", 0x1B, "u1", 0}, {"still", 0x1F, "u1", 0}}},
    {0x00D,
     8,
     {{"act", 0x18, "u1", 0},
      {"index", 0x19, "u1", 0},
      {"rotation_y", 0x1B, "s1", 0},
      {"object_groups", 0x1C, "u4", 0}}},
    {0x014,
     9,
     {{"texture", 0x18, "s2", 0},
      {"bit", 0x1A, "s2", 0},
      {"second_step", 0x1C, "s1", 2},
      {"step", 0x1E, "s1", 2}}},
    {0x2C0,
     8,
     {{"regrow_time", 0x18, "u2", 0},
      {"gem", 0x1B, "u1", 0},
      {"model", 0x1C, "u1", 0},
      {"rotation_y", 0x1D, "u1", 0}}},
    {0x0D4,
     11,
     {{"range", 0x18, "s1", 0},
      {"bank", 0x19, "s1", 0},
      {"effect", 0x1A, "s2", 0},
      {"rate", 0x1C, "s2", 0},
      {"toggle", 0x1E, "s2", 0},
      {"disable", 0x20, "s2", 0},
      {"rotation_zyx", 0x22, "s1", 3},
      {"rotation_speed", 0x25, "s1", 3},
      {"preset", 0x28, "u1", 0},
      {"interval", 0x29, "u1", 0},
      {"sound", 0x2A, "s2", 0}}},
    {0x005,
     16,
     {{"previous", 0x18, "u4", 2},
      {"next", 0x20, "u4", 2},
      {"index", 0x28, "s1", 0},
      {"rotation_y", 0x29, "u1", 0},
      {"radius", 0x2A, "u1", 0}}},
    {0x787,
     9,
     {{"mode", 0x18, "s1", 0},
      {"probability", 0x19, "s1", 0},
      {"target_low", 0x1A, "u2", 0},
      {"target_high", 0x1C, "u2", 0},
      {"done", 0x1E, "s2", 0},
      {"enable", 0x20, "s2", 0}}},
    {0x06A,
     8,
     {{"lunge_distance", 0x19, "u1", 0},
      {"gone", 0x1A, "s2", 0},
      {"scale", 0x1C, "u1", 0},
      {"retreat_distance", 0x1F, "u1", 0}}},
    {0x802,
     12,
     {{"effect", 0x1B, "u1", 0},
      {"effect_parameters", 0x1C, "u1", 2},
      {"bit", 0x24, "s2", 0},
      {"spread", 0x26, "u1", 3},
      {"flags", 0x29, "u1", 0},
      {"burst", 0x2A, "u1", 0}}},
    {0x5E7, 7, {{"radius", 0x18, "u2", 0}}},
    {0x075, 7, {{"arming", 0x18, "s2", 0}, {"rotation_y", 0x1A, "u1", 0}}},
    {0x07B,
     8,
     {{"rotation_y", 0x18, "u1", 0},
      {"height", 0x19, "u1", 0},
      {"speed", 0x1A, "u1", 0},
      {"disable", 0x1C, "s2", 0}}},
    {0x61B,
     16,
     {{"rotation_xy", 0x18, "u1", 2},
      {"color", 0x1A, "u1", 3},
      {"event", 0x1D, "u1", 0},
      {"enable", 0x1E, "s2", 0},
      {"brightness", 0x20, "u1", 0},
      {"near", 0x22, "u2", 0},
      {"far", 0x24, "u2", 0},
      {"target_color", 0x27, "u1", 3},
      {"flags", 0x2A, "u1", 0},
      {"priority", 0x2C, "u1", 0},
      {"fade_frames", 0x2E, "s2", 0},
      {"rotation_speed", 0x32, "s2", 2},
      {"glow_scale", 0x36, "u2", 0},
      {"glow_texture", 0x38, "u2", 0},
      {"glow_color", 0x3A, "u1", 4},
      {"glow", 0x3E, "u1", 0},
      {"affects_aabb_light_selection", 0x3F, "u1", 0}}},
    {0x61D,
     16,
     {{"near", 0x1A, "u2", 0},
      {"far", 0x1C, "u2", 0},
      {"rotation_speed", 0x20, "s2", 2},
      {"texture", 0x24, "u2", 0},
      {"projection", 0x26, "u1", 0},
      {"height", 0x28, "u2", 0},
      {"width", 0x2A, "u2", 0},
      {"color", 0x2D, "u1", 3},
      {"target_color", 0x30, "u1", 3},
      {"rotation_z_speed", 0x35, "s1", 0},
      {"alpha", 0x37, "u1", 0},
      {"enabled", 0x3A, "u1", 0},
      {"near_z", 0x3B, "u1", 0},
      {"far_z", 0x3C, "u2", 0},
      {"tev_mode_b", 0x3E, "u1", 0}}},
    {0x559, 9, {{"amplitude_divisor", 0x1A, "s2", 0}}},
    {0x710,
     9,
     {{"rotation_x", 0x18, "s1", 0},
      {"rotation_y", 0x19, "u1", 0},
      {"cycle", 0x1A, "s2", 0},
      {"scale", 0x1C, "s2", 0},
      {"bit", 0x1E, "s2", 0},
      {"start", 0x20, "s2", 0},
      {"flags", 0x22, "u1", 0}}},
    {0x178,
     9,
     {{"rotation_y", 0x18, "s1", 0},
      {"mode", 0x19, "u1", 0},
      {"range", 0x1A, "s2", 0},
      {"flags", 0x1C, "s2", 0},
      {"bit", 0x1E, "s2", 0},
      {"options", 0x22, "u1", 0}}},
    {0x176, 9, {{"collected", 0x1E, "s2", 0}, {"visible", 0x20, "s2", 0}}},
    {0x285,
     9,
     {{"bit", 0x18, "s2", 0},
      {"sound", 0x1A, "u2", 0},
      {"flags", 0x1C, "u1", 0},
      {"mode", 0x1D, "u1", 0},
      {"delay_seconds", 0x1E, "u1", 2},
      {"channel", 0x20, "s1", 0},
      {"second_sound", 0x22, "u2", 0}}},
    {0x063, 9, {{"color", 0x1A, "s2", 0}, {"trigger_bit", 0x20, "s2", 0}}},
};

/* The value of such a number if every byte is 0xC0 plus its offset. */
static int64_t number_of_bytes(const uint8_t *bytes, const char *kind) {
    unsigned width = (unsigned)(kind[1] - '0');
    uint64_t bits = 0;
    for (unsigned i = 0; i < width; i++)
        bits = bits << 8 | bytes[i];
    if (kind[0] == 's' && bits >> (8 * width - 1))
        return (int64_t)bits - (INT64_C(1) << 8 * width);
    return (int64_t)bits;
}

static void parameters(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (unsigned high = 0; high < 2; high++) { /* so that signs are visible */
            writer w = {0};
            uint8_t *record = put_record(&w, layouts[i].type, layouts[i].words, 2, 7, 0x12345);
            for (unsigned k = 0x18; high && k < 4 * layouts[i].words; k++)
                record[k] |= 0xC0;
            assert_true(mst_sfa_width_known(layouts[i].type, 0, layouts[i].words));
            mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
            size_t before;
            mst_document_bytes(d, &before);
            before -= w.size;
            for (const expected_field *f = layouts[i].fields; f->name; f++)
                for (unsigned k = 0; k < (f->count ? f->count : 1); k++) {
                    char path[100];
                    mst_value value;
                    uint64_t offset, length;
                    unsigned width = (unsigned)(f->kind[1] - '0');
                    snprintf(path, sizeof path,
                             f->count ? "objects[0].parameters.%s[%u]" : "objects[0].parameters.%s", f->name,
                             k);
                    if (!find(d, path, &value))
                        print_error("%X %s\n", (unsigned)layouts[i].type, path);
                    assert_true(find(d, path, &value));
                    mst_value_span(&value, &offset, &length);
                    offset -= before; /* of the parsed bytes */
                    assert_int_equal(offset, f->offset + k * width);
                    assert_int_equal(length, width);
                    assert_int_equal(number_at(d, path), number_of_bytes(w.data + offset, f->kind));
                }
            mst_value value;
            uint64_t offset, length;
            assert_true(find(d, "objects[0].parameters", &value)); /* they take all of the record */
            mst_value_span(&value, &offset, &length);
            assert_int_equal(offset - before, 0x18);
            assert_int_equal(length, 4 * layouts[i].words - 0x18);
            assert_round_trips(d);
            mst_close(d);
            writer_free(&w);
        }
}

static void reals(void **state) {
    (void)state;
    static const struct {
        int type;
        unsigned words, offset;
        const char *path;
    } cases[] = {{0x6E8, 12, 0x20, "objects[0].parameters.radius"},
                 {0x802, 12, 0x20, "objects[0].parameters.scale"},
                 {0x500, 9, 0x08, "objects[0].position[0]"},
                 {0x500, 9, 0x10, "objects[0].position[2]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        uint8_t *record = put_record(&w, cases[i].type, cases[i].words, 1, 0, 1);
        mst_store32(record + cases[i].offset, mst_bits_of_f32(12.75f), true);
        mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
        mst_value value;
        double real;
        assert_true(find(d, cases[i].path, &value));
        MUST(mst_get_real(&value, &real), NULL);
        assert_true(real == 12.75);
        mst_close(d);
        writer_free(&w);
    }
}

static void heads(void **state) {
    (void)state;
    writer w = {0};
    put_record(&w, 0x500, 9, 4, 0x55, 0xFEDCBA98);
    put_record(&w, -5, 6, 0x10, 31, 7);
    put_curve(&w, 0x24, 13, 8);
    mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
    assert_int_equal(number_at(d, "objects[0].type"), 0x500);
    assert_int_equal(number_at(d, "objects[0].size_words"), 9);
    assert_int_equal(number_at(d, "objects[0].acts_0"), 0xFE);
    assert_int_equal(number_at(d, "objects[0].load_flags"), 4);
    assert_int_equal(number_at(d, "objects[0].acts_1"), 0x7C);
    assert_int_equal(number_at(d, "objects[0].bound"), 0x55);
    assert_int_equal(number_at(d, "objects[0].cull_distance"), 0x22);
    assert_int_equal(number_at(d, "objects[0].id"), 0xFEDCBA98);
    assert_int_equal(number_at(d, "objects[1].type"), -5);
    assert_int_equal(number_at(d, "objects[2].walk_group"), 0xFE);
    assert_int_equal(number_at(d, "objects[2].link_walk_groups[0]"), 0x20);
    assert_int_equal(number_at(d, "objects[2].link_walk_groups[2]"), 0x41);
    assert_int_equal(number_at(d, "objects[2].link_walk_groups[3]"), 0x22);
    mst_value value;
    assert_false(find(d, "objects[2].acts_0", &value) || find(d, "objects[2].load_flags", &value));
    assert_false(find(d, "objects[0].walk_group", &value));
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

static void curves(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < 256; kind++) {
        unsigned words = mst_sfa_curve_words(kind);
        writer w = {0};
        uint8_t *record = put_curve(&w, kind, words, 9);
        record[0x2D] = 0xFF;
        mst_store32(record + 0x20, 0x1234, true);
        mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
        mst_value value;
        assert_int_equal(number_at(d, "objects[0].parameters.action"), 0x18);
        assert_int_equal(number_at(d, "objects[0].parameters.kind"), kind);
        assert_int_equal(number_at(d, "objects[0].parameters.blocked_links"), 0x1B);
        assert_int_equal(number_at(d, "objects[0].parameters.links[1]"), 0x1234);
        assert_int_equal(number_at(d, "objects[0].parameters.yaw"), 0x2C);
        assert_int_equal(number_at(d, "objects[0].parameters.pitch"), -1);
        assert_int_equal(number_at(d, "objects[0].parameters.tangent_length"), 0x2E);
        assert_int_equal(find(d, "objects[0].parameters.required", &value), kind == 0x1F || kind == 0x24);
        if (kind == 0x24) {
            assert_int_equal(number_at(d, "objects[0].parameters.required"), 0x3031);
            assert_int_equal(number_at(d, "objects[0].parameters.forbidden"), 0x3233);
        }
        assert_int_equal(find(d, "objects[0].parameters.unknown_34", &value), words == 14 || words == 15);
        assert_int_equal(find(d, "objects[0].parameters.roll", &value), words == 15);
        assert_int_equal(find(d, "objects[0].parameters.link_edges", &value), words == 17);
        if (words == 15)
            assert_int_equal(number_at(d, "objects[0].parameters.roll"), 0x38393A3B);
        if (words == 17)
            assert_int_equal(number_at(d, "objects[0].parameters.link_edges[15]"), 0x43);
        assert_true(find(d, "objects[0].unknown_tail", &value));
        const void *bytes;
        size_t size;
        MUST(mst_get_bytes(&value, &bytes, &size), NULL);
        assert_int_equal(size, 0);
        assert_round_trips(d);
        mst_close(d);
        writer_free(&w);
    }
}

/* Records of every width, of types of every layout: they open, and nothing is lost. */
static void every_width(void **state) {
    (void)state;
    for (size_t i = 0; i <= sizeof layouts / sizeof *layouts; i++)
        for (unsigned words = 6; words < 26; words++) {
            writer w = {0};
            if (i < sizeof layouts / sizeof *layouts)
                put_record(&w, layouts[i].type, words, 1, 0, 1);
            else
                put_curve(&w, 0x26, words > 12 ? words : 13, 1);
            mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
            assert_round_trips(d);
            if (i < sizeof layouts / sizeof *layouts) {
                mst_value value;
                assert_int_equal(find(d, "objects[0].parameters", &value), words >= layouts[i].words);
                assert_true(find(d, "objects[0].unknown_tail", &value));
                const void *bytes;
                size_t size;
                MUST(mst_get_bytes(&value, &bytes, &size), NULL);
                assert_int_equal(size, 4 * (words - (words >= layouts[i].words ? layouts[i].words : 6)));
            }
            mst_close(d);
            writer_free(&w);
        }
}

/* ---- findings ----------------------------------------------------------------------------------- */

/* Eight valid objects. */
static void write_list(writer *w, size_t *places) {
    unsigned n = 0;
    w->big = true;
    places[n++] = w->size, put_record(w, 0x49F, 9, 1, 0, 1);
    places[n++] = w->size, put_record(w, 0x7FFF, 11, 0x20, 9, 2); /* an unknown type */
    places[n++] = w->size, put_record(w, 0x176, 9, 0x10, 3, 3);
    places[n++] = w->size, put_record(w, 0x176, 9, 0x10, 3, 0); /* an id of 0 is not unique */
    places[n++] = w->size, put_record(w, 0x176, 9, 0x10, 4, 0);
    uint8_t *record;
    places[n++] = w->size, record = put_curve(w, 0x26, 17, 4);
    mst_store32(record + 0x20, 6, true);
    places[n++] = w->size, put_record(w, 0x005, 16, 0x10, 1, 5);
    places[n++] = w->size, put_curve(w, 0x00, 13, 6);
    places[n] = w->size;
    for (unsigned i = 0; i < 5; i++) { /* no game bits */
        if (i == 1)
            continue;
        memset(w->data + places[i] + 0x1E, 0xFF, i ? 4 : 2);
    }
}

static void findings_of(const writer *w, findings *list) {
    mst_document *d = open_as(w->data, w->size, NULL, "x.romlist");
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_diagnostic why;
    MUST(mst_check(d, &options, collect, list, NULL, &why), &why);
    mst_close(d);
}

static void codes(void **state) {
    (void)state;
    static const struct {
        unsigned object, offset, width;
        uint32_t value;
        const char *code, *path;
        mst_severity severity;
    } cases[] = {
        {1, 4, 1, 0x10, "SFA-ROMLIST-ORDER", "objects[2]", MST_WARNING}, /* group 9 before group 3 */
        {2, 6, 1, 5, "SFA-ROMLIST-ORDER", "objects[3]", MST_WARNING},
        {4, 4, 1, 1, "SFA-ROMLIST-ORDER", "objects[4]", MST_WARNING},
        {7, 0, 2, 0x7FFF, "SFA-ROMLIST-ORDER", "objects[7]", MST_WARNING},
        {2, 0x14, 4, 1, "SFA-ROMLIST-ID", "objects[2].id", MST_INFORMATION},
        {0, 0, 2, 0x04C, "SFA-ROMLIST-WIDTH", "objects[0]", MST_WARNING},
        {5, 0x19, 1, 0x25, "SFA-ROMLIST-WIDTH", "objects[5]", MST_WARNING},
        {0, 4, 1, 3, "SFA-ROMLIST-FLAGS", "objects[0].load_flags", MST_WARNING},
        {1, 4, 1, 0x40, "SFA-ROMLIST-FLAGS", "objects[1].load_flags", MST_WARNING},
        {5, 0x20, 4, 77, "SFA-ROMLIST-LINK", "objects[5].parameters.links[1]", MST_INFORMATION},
        {5, 0x28, 4, 8, "SFA-ROMLIST-LINK", "objects[5].parameters.links[3]", MST_INFORMATION},
    };
    writer w = {0};
    size_t places[9];
    write_list(&w, places);
    findings list = {0};
    findings_of(&w, &list);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *at = w.data + places[cases[i].object] + cases[i].offset, kept[4];
        memcpy(kept, at, 4);
        for (unsigned k = 0; k < cases[i].width; k++)
            at[k] = (uint8_t)(cases[i].value >> 8 * (cases[i].width - 1 - k));
        findings_of(&w, &list);
        if (list.count != 1)
            print_findings(&list);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, cases[i].code);
        assert_string_equal(list.items[0].path, cases[i].path);
        assert_int_equal(list.items[0].severity, cases[i].severity);
        assert_true(list.items[0].offset < w.size && list.items[0].length > 0);
        findings_free(&list);
        memcpy(at, kept, 4);
    }
    writer_free(&w);
}

/* Stopped at any finding; a curve's point that is too short for links has none. */
static void stops(void **state) {
    (void)state;
    writer w = {0};
    size_t places[9];
    write_list(&w, places);
    w.data[places[1] + 4] = 0x10;                     /* a group before lower ones */
    mst_store32(w.data + places[2] + 0x14, 1, true);  /* the first one's id */
    mst_store32(w.data + places[3] + 0x14, 2, true);  /* the second one's */
    mst_store16(w.data + places[0], 0x04C, true);     /* of another width */
    w.data[places[0] + 4] = 3;                        /* two flags */
    mst_store32(w.data + places[5] + 0x20, 77, true); /* linked with a missing point */
    mst_store32(w.data + places[5] + 0x28, 78, true);
    put_record(&w, MST_SFA_CURVE, 6, 0, 0, 9);
    put_record(&w, MST_SFA_CURVE, 8, 0, 0, 10)[0x19] = 0;
    mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
    assert_stops(d, NULL, 8);
    findings list = {0};
    findings_of(&w, &list);
    assert_int_equal(count_code(&list, "SFA-ROMLIST-LINK"), 1); /* for all links of a single list */
    assert_int_equal(count_code(&list, "SFA-ROMLIST-WIDTH"), 3);
    findings_free(&list);
    mst_close(d);
    writer_free(&w);
}

/* One finding for an id, however often it repeats; and the time for a long list is bounded. */
static void repeats(void **state) {
    (void)state;
    writer w = {0};
    for (uint32_t i = 0; i < 60000; i++)
        put_record(&w, 0x5E7, 7, 1, 0, i < 11 ? 500000 : i < 30000 ? 0 : i);
    findings list = {0};
    findings_of(&w, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].path, "objects[1].id");
    assert_int_equal(list.items[0].offset, 28 + 0x14);
    findings_free(&list);
    writer_free(&w);
}

static void damaged(void **state) {
    (void)state;
    writer w = {0};
    size_t places[9];
    write_list(&w, places);
    static const struct {
        unsigned object;
        uint8_t words;
    } cases[] = {{0, 0}, {0, 5}, {7, 14}, {3, 255}, {7, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *at = w.data + places[cases[i].object] + 2, kept = *at;
        *at = cases[i].words;
        mst_document *d;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
        assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-ROMLIST");
        char path[32];
        snprintf(path, sizeof path, "objects[%u]", cases[i].object);
        assert_memory_equal(why.path, path, strlen(path));
        assert_true(why.offset >= places[cases[i].object] && why.offset < places[cases[i].object + 1]);
        *at = kept;
    }
    /* a list can only end at the end of an object */
    for (size_t size = 0; size <= w.size; size++) {
        bool whole = false;
        for (int i = 0; i < 9; i++)
            whole = whole || places[i] == size;
        mst_document *d;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
        mst_status status = mst_open_memory(w.data, size, &options, &d, &why);
        assert_int_equal(status, whole ? MST_OK : MST_DAMAGED);
        if (status == MST_OK)
            assert_round_trips(d);
        else
            assert_string_equal(why.code, "SFA-ROMLIST");
        mst_close(d);
    }
    for (size_t i = 0; i < w.size; i += sample_step())
        for (unsigned value = 0; value < 256; value += 17) {
            uint8_t old = w.data[i];
            w.data[i] = (uint8_t)value;
            mst_document *d;
            mst_diagnostic why;
            mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
            if (mst_open_memory(w.data, w.size, &options, &d, &why) == MST_OK)
                assert_round_trips(d);
            else
                assert_string_equal(why.code, "SFA-ROMLIST");
            mst_close(d);
            w.data[i] = old;
        }
    writer_free(&w);
}

/* ---- recognition and edits ---------------------------------------------------------------------- */

static bool is_list(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name) {
    const mst_format_information *format = mst_identify(bytes, size, file_size, name, NULL);
    return format && strcmp(format->id, "sfa-romlist") == 0;
}

static void recognition(void **state) {
    (void)state;
    writer w = {0};
    put_record(&w, 0x49F, 9, 1, 0, 1);
    put_curve(&w, 0x26, 17, 4);
    static const char *const names[] = {"a/b/x.romlist", "X.ROMLIST.BIN", "disc.iso!x.romlist.zlb"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(is_list(w.data, w.size, w.size, names[i]));
        assert_true(is_list(w.data, 30, 100000, names[i])); /* the rest is not inspected */
        assert_true(is_list((const uint8_t *)"ZLB\0\0\0\0\1", 8, 64, names[i]));
    }
    assert_false(is_list((const uint8_t *)"ZLB\0\0\0\0\1", 8, 64, "something"));
    assert_true(is_list(w.data, w.size, w.size, NULL));
    assert_true(is_list(w.data, w.size, w.size, "something"));
    assert_false(is_list(w.data, w.size, w.size + 4, "something"));
    assert_false(is_list(w.data, w.size - 4, w.size - 4, "something"));
    assert_false(is_list(w.data, 0, 0, "something"));
    w.data[2] = 10; /* another width */
    assert_false(is_list(w.data, w.size, w.size, "something"));
    w.data[2] = 9;
    w.data[1] = 3; /* an unknown type */
    assert_false(is_list(w.data, w.size, w.size, "something"));
    w.data[1] = 0x9F;
    w.data[8] = 0x7F, w.data[9] = 0xC0; /* nowhere */
    assert_false(is_list(w.data, w.size, w.size, "something"));
    writer_free(&w);
    uint8_t zeros[256] = {0};
    assert_false(is_list(zeros, sizeof zeros, sizeof zeros, NULL));
}

static void edits(void **state) {
    (void)state;
    writer w = {0};
    size_t places[9];
    write_list(&w, places);
    mst_document *d = open_as(w.data, w.size, NULL, "x.romlist");
    mst_diagnostic why;
    MUST(mst_set(d, "objects[0].load_flags", "near_player", &why), &why);
    assert_int_equal(number_at(d, "objects[0].load_flags"), 4);
    MUST(mst_set(d, "objects[0].parameters.broken", "-1", &why), &why);
    MUST(mst_set(d, "objects[5].parameters.kind", "0x26", &why), &why);
    MUST(mst_set(d, "objects[5].parameters.links[2]", "5", &why), &why);
    assert_int_equal(number_at(d, "objects[5].parameters.links[2]"), 5);
    /* without its edges it would be another curve */
    assert_int_equal(mst_set(d, "objects[5].parameters.kind", "0", &why), MST_REFUSED);
    assert_int_equal(mst_set(d, "objects[0].size_words", "10", &why), MST_REFUSED);
    MUST(mst_set(d, "objects[1].parameters", "\"00112233\"", &why), &why);
    assert_int_equal(number_at(d, "objects[1].size_words"), 7);
    assert_int_equal(mst_set(d, "objects[1].parameters", "\"001122\"", &why), MST_REFUSED);
    MUST(
        mst_insert(d, "objects[1]",
                   "{\"type\":467,\"acts_0\":0,\"load_flags\":1,\"acts_1\":0,\"bound\":1,\"cull_distance\":2,"
                   "\"position\":[1,2,3],\"id\":99,\"parameters\":\"0011223344556677\"}",
                   &why),
        &why);
    assert_int_equal(number_at(d, "objects[1].size_words"), 8);
    MUST(mst_remove(d, "objects[0]", &why), &why);
    assert_int_equal(number_at(d, "objects[0].id"), 99);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

/* ---- the corpus --------------------------------------------------------------------------------- */

static const mst_json_node *member(const mst_json_node *nodes, const mst_json_node *object,
                                   const char *name) {
    const mst_json_node *node = object + 1;
    for (uint32_t i = 0; i < object->count; i++, node = &nodes[node[1].end])
        if (node->length == strlen(name) && memcmp(node->text, name, node->length) == 0)
            return node + 1;
    return NULL;
}

static uint64_t figure(const mst_json_node *nodes, const mst_json_node *figures, const char *name) {
    const mst_json_node *node = member(nodes, figures, name);
    uint64_t number = 0;
    assert_non_null(node);
    assert_true(mst_read_u64(node->text, node->length, &number));
    return number;
}

static void corpus(void **state) {
    (void)state;
    corpus_list files;
    if (!corpus_files("sfa/samples/romlists", ".bin", NULL, &files))
        skip();
    size_t text_size;
    uint8_t *text = corpus_read("sfa/expected.json", &text_size);
    mst_arena arena;
    mst_json json = {0};
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    mst_status parsed = mst_json_parse((const char *)text, text_size, &arena, &json, &why);
    assert_int_equal(files.count, 20);
    uint64_t all = 0;
    for (size_t i = 0; i < files.count; i++) {
        char path[200];
        size_t size;
        snprintf(path, sizeof path, "sfa/samples/romlists/%.128s", files.names[i]);
        uint8_t *bytes = corpus_read(path, &size);
        mst_document *d = open_as(bytes, size, NULL, files.names[i]);
        assert_string_equal(mst_document_format(d)->id, "sfa-romlist");
        if (size <= 4096) /* also without a name */
            assert_true(is_list(bytes, size, size, NULL));
        assert_round_trips(d);
        mst_value objects, object, value;
        static uint8_t seen[0x10000];
        memset(seen, 0, sizeof seen);
        uint64_t count = 0, types = 0;
        assert_true(find(d, "objects", &objects));
        for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object); count++) {
            int64_t type;
            MUST(mst_member(&object, "type", &value), NULL);
            MUST(mst_get_integer(&value, &type), NULL);
            types += !seen[(uint16_t)type];
            seen[(uint16_t)type] = 1;
            assert_non_null(mst_sfa_object_type_of((int)type));
            /* no real record has bytes beyond its type's parameters */
            if (mst_member(&object, "unknown_tail", &value) == MST_OK) {
                const void *tail;
                size_t length;
                MUST(mst_get_bytes(&value, &tail, &length), NULL);
                assert_int_equal(length, 0);
            }
        }
        findings list = {0};
        mst_check_options options = {.size = sizeof options, .information = 1};
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        assert_int_equal(count_code(&list, "SFA-ROMLIST-WIDTH") + count_code(&list, "SFA-ROMLIST-FLAGS"), 0);
        if (parsed == MST_OK) {
            snprintf(path, sizeof path, "romlists/%.128s", files.names[i]);
            const mst_json_node *figures = member(json.nodes, json.nodes, path);
            assert_non_null(figures);
            assert_int_equal(count, figure(json.nodes, figures, "objects"));
            assert_int_equal(types, figure(json.nodes, figures, "types"));
            assert_int_equal(count_code(&list, "SFA-ROMLIST-ORDER"),
                             figure(json.nodes, figures, "order_violations"));
        }
        all += count;
        findings_free(&list);
        mst_close(d);
        free(bytes);
    }
    assert_int_equal(all, 25 + 358 + 198 + 132 + 42 + 177 + 71 + 786 + 1272 + 1054 + 2 + 4 + 8);
    mst_arena_end(&arena);
    free(text);
}

static void corpus_flips(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/romlists/linkc.romlist.bin", &size);
    random_state r = {7};
    for (unsigned turn = 0; turn < 400; turn += (unsigned)sample_step()) {
        size_t at = random_next(&r) % size;
        uint8_t old = bytes[at];
        bytes[at] = (uint8_t)(old ^ (1 + random_below(&r, 255)));
        mst_document *d;
        mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
        if (mst_open_memory(bytes, size, &options, &d, NULL) == MST_OK) {
            assert_encodes(d);
            assert_checks(d);
            if (turn % 20 == 0)
                assert_json(d, 1);
        }
        mst_close(d);
        bytes[at] = old;
    }
    free(bytes);
}

int test_sfa_objects(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters),   cmocka_unit_test(reals),       cmocka_unit_test(heads),
        cmocka_unit_test(curves),       cmocka_unit_test(every_width), cmocka_unit_test(codes),
        cmocka_unit_test(stops),        cmocka_unit_test(repeats),     cmocka_unit_test(damaged),
        cmocka_unit_test(recognition),  cmocka_unit_test(edits),       cmocka_unit_test(corpus),
        cmocka_unit_test(corpus_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
