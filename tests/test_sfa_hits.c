/* SPDX-License-Identifier: MIT */
/* Interaction lines of Star Fox Adventures: HITS.bin and HITS.tab as one document, edits, findings. */
#include "../src/formats/sfa/maps/maps_hits.h"
#include "sfa_pair.h"
#include "sfa_parsed.h"
#include "stopping.h"

typedef struct line {
    int16_t x[2], y[2], z[2];
    uint16_t heights;
    uint8_t flags, kind;
    int16_t parameter;
} line;

static void put_line(writer *w, const line *l) {
    for (unsigned k = 0; k < 2; k++)
        put_u16(w, (uint16_t)l->x[k]);
    for (unsigned k = 0; k < 2; k++)
        put_u16(w, (uint16_t)l->y[k]);
    for (unsigned k = 0; k < 2; k++)
        put_u16(w, (uint16_t)l->z[k]);
    put_u16(w, l->heights);
    put_u8(w, l->flags);
    put_u8(w, l->kind);
    put_u16(w, (uint16_t)l->parameter);
    put_u16(w, 0);
}
static void put_zeros(writer *w, size_t count) {
    if (count)
        memset(put(w, count), 0, count);
}
static void end_block(two *t) {
    put_zeros(&t->bin, (32 - t->bin.size % 32) % 32);
    put_u32(&t->tab, (uint32_t)t->bin.size);
}
static void end_table(two *t) {
    put_u32(&t->tab, 0xFFFFFFFF);
    put_zeros(&t->tab, (32 - t->tab.size % 32) % 32);
}
static two begin_hits(void) {
    two t = {.bin_name = "HITS.bin", .tab_name = "HITS.tab"};
    t.bin.big = t.tab.big = true;
    put_u32(&t.tab, 0);
    return t;
}

static const line ladder = {{0, 640}, {-10, 20}, {5, 5}, 0x1E28, 0x0E, 0x0A, -1};
static const line wall = {{100, 200}, {0, 0}, {640, 0}, 0x0178, 0x8E, 0x41, 3};

/* Two lines and padding for a third, none, and one before bytes that are not zeros. */
static two make_hits(void) {
    two t = begin_hits();
    put_line(&t.bin, &ladder);
    put_line(&t.bin, &wall);
    end_block(&t);
    end_block(&t);
    put_line(&t.bin, &wall);
    put_bytes_of(&t.bin, "twelve bytes", 12);
    end_block(&t);
    end_table(&t);
    assert_int_equal(t.bin.size, 96);
    assert_int_equal(t.tab.size, 32);
    return t;
}

/* Reads the lines of a block: at most three. */
static uint32_t hits_of(const mst_document *document, unsigned block, mst_sfa_hit hits[3]) {
    char path[40];
    uint32_t count;
    mst_arena arena;
    mst_diagnostic why;
    snprintf(path, sizeof path, "blocks[%u].lines", block);
    mst_value lines;
    MUST(mst_find(mst_root(document), path, &lines, &why), &why);
    mst_arena_begin(&arena, NULL, 0);
    const mst_sfa_hit *read = mst_sfa_hits_of(&lines, &arena, &count);
    assert_true(read && count <= 3);
    memcpy(hits, read, count * sizeof *hits);
    mst_arena_end(&arena);
    return count;
}

static void test_made(void **state) {
    (void)state;
    two t = make_hits();
    assert_two(&t, "sfa-hits");
    assert_alone(&t);
    mst_document *d = must_open_two(&t);
    assert_int_equal(count_of(d, "blocks"), 3);
    assert_int_equal(count_of(d, "blocks[0].lines"), 3);
    assert_int_equal(count_of(d, "blocks[1].lines"), 0);
    assert_int_equal(count_of(d, "blocks[2].lines"), 1);
    assert_int_equal(number_of(d, "blocks[0].lines[0].x[1]"), 640);
    assert_int_equal(number_of(d, "blocks[0].lines[0].y[0]"), -10);
    assert_int_equal(number_of(d, "blocks[0].lines[0].z[1]"), 5);
    assert_int_equal(number_of(d, "blocks[0].lines[0].heights[0]"), 0x1E);
    assert_int_equal(number_of(d, "blocks[0].lines[0].heights[1]"), 0x28);
    assert_int_equal(number_of(d, "blocks[0].lines[0].type"), 0x0A);
    assert_int_equal(number_of(d, "blocks[0].lines[1].type"), 1);
    assert_int_equal(number_of(d, "blocks[0].lines[0].disabled"), 0);
    assert_int_equal(number_of(d, "blocks[0].lines[1].disabled"), 1);
    assert_int_equal(number_of(d, "blocks[0].lines[1].second_class"), 0);
    assert_int_equal(number_of(d, "blocks[0].lines[0].parameter"), -1);
    assert_int_equal(number_of(d, "blocks[0].lines[1].height"), 0x178);
    assert_int_equal(number_of(d, "blocks[0].lines[1].parameter"), 3);
    assert_one(d, NULL, "SFA-HIT-PADDING", "blocks[0].lines[2]");

    mst_sfa_hit hits[3];
    assert_int_equal(hits_of(d, 0, hits), 3);
    assert_int_equal(hits[0].heights[0], 0x1E);
    assert_int_equal(hits[0].heights[1], 0x28);
    assert_int_equal(hits[0].parameter, -1);
    assert_string_equal(mst_sfa_hit_name(hits[0].type), "ladder");
    assert_false(mst_sfa_hit_is_outside(hits[0].x));
    assert_false(mst_sfa_hit_is_padding(&hits[0]));
    assert_true(mst_sfa_hit_is_padding(&hits[2]));
    assert_int_equal(hits[1].heights[0], 0x178);
    assert_int_equal(hits[1].heights[1], 0x178);
    assert_int_equal(hits[1].disabled, 1);
    assert_string_equal(mst_sfa_hit_name(hits[1].type), "barrier");
    assert_null(mst_sfa_hit_name(0));
    assert_null(mst_sfa_hit_name(7));
    assert_int_equal(hits_of(d, 1, hits), 0);
    assert_int_equal(hits_of(d, 2, hits), 1);
    mst_close(d);
    two_free(&t);
}

static void test_mini(void **state) {
    (void)state;
    two t = corpus_two("sfa/mini", "HITS.bin", "HITS.tab");
    assert_two(&t, "sfa-hits");
    char path[512];
    for (int by_table = 0; by_table < 2; by_table++) {
        mst_document *d;
        mst_diagnostic why;
        corpus_path(by_table ? "sfa/mini/HITS.tab" : "sfa/mini/HITS.bin", path, sizeof path);
        MUST(mst_open_file(path, NULL, &d, &why), &why);
        assert_files(d, &t);
        assert_int_equal(count_of(d, "blocks"), 5);
        unsigned lines = 0, zero = 0;
        for (unsigned block = 0; block < 5; block++) {
            mst_sfa_hit hits[3];
            uint32_t count = hits_of(d, block, hits);
            for (uint32_t i = 0; i < count; i++, lines++)
                zero += mst_sfa_hit_is_padding(&hits[i]);
        }
        assert_int_equal(lines, 8);
        assert_int_equal(zero, 1);
        findings list = check_all(d, NULL);
        assert_int_equal(list.count, 2);
        assert_int_equal(count_code(&list, "SFA-HIT-PADDING"), 1);
        assert_int_equal(count_code(&list, "SFA-HIT-RANGE"), 1); /* an x of 700 */
        findings_free(&list);
        mst_close(d);
    }
    two_free(&t);
}

static void test_edit(void **state) {
    (void)state;
    two t = make_hits();
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    MUST(mst_set(d, "blocks[0].lines[0].y[0]", "-300", &why), &why);
    mst_store16(t.bin.data + 4, (uint16_t)-300, true);
    MUST(mst_set(d, "blocks[2].lines[0].height", "-2", &why), &why);
    mst_store16(t.bin.data + 64 + 12, (uint16_t)-2, true);
    assert_files(d, &t);
    /* one more line in the empty block: 32 bytes, and every offset after it moves */
    MUST(
        mst_insert(d, "blocks[1].lines[0]",
                   "{\"x\": [0, 640], \"y\": [-10, 20], \"z\": [5, 5], \"flags\": 14, \"heights\": [30, 40], "
                   "\"type\": 10, \"parameter\": -1, \"unknown_12\": 0}",
                   &why),
        &why);
    two wanted = begin_hits();
    put_bytes_of(&wanted.bin, t.bin.data, 64);
    end_block(&wanted);
    put_line(&wanted.bin, &ladder);
    end_block(&wanted);
    put_bytes_of(&wanted.bin, t.bin.data + 64, 32);
    end_block(&wanted);
    end_table(&wanted);
    assert_files(d, &wanted);
    assert_two(&wanted, "sfa-hits");
    two_free(&wanted);
    mst_close(d);
    two_free(&t);
}

static void test_findings(void **state) {
    (void)state;
    const struct {
        size_t offset;
        uint16_t value;
        const char *path;
    } changes[] = {{0, 0xFFFF, "blocks[0].lines[0].x"},
                   {2, 641, "blocks[0].lines[0].x"},
                   {8, 641, "blocks[0].lines[0].z"},
                   {20 + 10, 0x8000, "blocks[0].lines[1].z"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        two t = make_hits();
        mst_store16(t.bin.data + changes[i].offset, changes[i].value, true);
        mst_document *d = must_open_two(&t);
        findings list = check_all(d, NULL);
        assert_int_equal(list.count, 2);
        assert_int_equal(count_code(&list, "SFA-HIT-PADDING"), 1);
        assert_string_equal(list.items[0].code, "SFA-HIT-RANGE");
        assert_string_equal(list.items[0].path, changes[i].path);
        findings_free(&list);
        mst_close(d);
        two_free(&t);
    }
    /* offsets: after the file, falling, no end */
    const struct {
        size_t offset;
        uint32_t value;
    } tables[] = {{12, 128}, {8, 32}, {16, 0}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        two t = make_hits();
        mst_store32(t.tab.data + tables[i].offset, tables[i].value, true);
        mst_document *d;
        mst_diagnostic why;
        assert_int_equal(open_two(&t, false, &d, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-TAB");
        two_free(&t);
    }
}

/* The three parts of the byte of the type, in the file and by name. */
static void test_types(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_value type;
    for (unsigned byte = 0; byte < 256; byte++) {
        two t = make_hits();
        t.bin.data[15] = (uint8_t)byte;
        assert_two(&t, "sfa-hits");
        mst_document *d = must_open_two(&t);
        assert_int_equal(number_of(d, "blocks[0].lines[0].type"), byte & 0x3F);
        assert_int_equal(number_of(d, "blocks[0].lines[0].disabled"), byte >> 6 & 1);
        assert_int_equal(number_of(d, "blocks[0].lines[0].second_class"), byte >> 7);
        mst_close(d);
        two_free(&t);
    }
    static const struct {
        const char *path, *value;
        uint8_t byte; /* of the first line, which has 0x0A, after this edit and the earlier ones */
    } edits[] = {{"type", "grab_ledge", 0x02}, {"disabled", "true", 0x42}, {"second_class", "true", 0xC2},
                 {"type", "63", 0xFF},         {"disabled", "0", 0xBF},    {"second_class", "false", 0x3F}};
    two t = make_hits();
    mst_document *d = must_open_two(&t);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char path[64];
        snprintf(path, sizeof path, "blocks[0].lines[0].%s", edits[i].path);
        MUST(mst_set(d, path, edits[i].value, &why), &why);
        t.bin.data[15] = edits[i].byte;
        assert_files(d, &t);
    }
    MUST(mst_find(mst_root(d), "blocks[0].lines[1].type", &type, &why), &why);
    assert_string_equal(mst_get_name(&type), "barrier");
    static const char *const too_large[][2] = {
        {"type", "64"}, {"disabled", "2"}, {"second_class", "2"}}; /* their bits cannot hold them */
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; i++) {
        char path[64];
        snprintf(path, sizeof path, "blocks[2].lines[0].%s", too_large[i][0]);
        assert_int_equal(mst_set(d, path, too_large[i][1], &why), MST_REFUSED);
        assert_string_equal(why.path, path);
        assert_string_equal(why.expected, i ? "0 to 1" : "0 to 63");
        assert_string_equal(why.found, too_large[i][1]);
        assert_files(d, &t);
    }
    mst_close(d);
    two_free(&t);
}

/* Layouts that are not the default one. */
static void test_odd(void **state) {
    (void)state;
    mst_diagnostic why;
    two t = begin_hits(); /* an unaligned block, and bytes after the last one and the table's end */
    put_line(&t.bin, &ladder);
    put_zeros(&t.bin, 1);
    put_u32(&t.tab, (uint32_t)t.bin.size);
    put_line(&t.bin, &wall);
    put_u32(&t.tab, (uint32_t)t.bin.size);
    put_bytes_of(&t.bin, "more", 4);
    end_table(&t);
    t.tab.data[t.tab.size - 1] = 1;
    assert_two(&t, "sfa-hits");
    two_free(&t);

    t = make_hits(); /* bytes after both, which are kept when a line is edited */
    put_bytes_of(&t.bin, "after the last of all the lines", 32);
    put_bytes_of(&t.tab, "tail", 4);
    assert_two(&t, "sfa-hits");
    mst_document *d = must_open_two(&t);
    MUST(mst_set(d, "blocks[2].lines[0].type", "barrier", &why), &why);
    MUST(mst_set(d, "blocks[2].lines[0].disabled", "false", &why), &why);
    t.bin.data[64 + 15] = 1;
    assert_files(d, &t);
    mst_close(d);
    two_free(&t);

    t = begin_hits(); /* the first block does not begin at 0 */
    put_zeros(&t.bin, 32);
    mst_store32(t.tab.data, 32, true);
    put_line(&t.bin, &wall);
    end_block(&t);
    end_table(&t);
    assert_two(&t, "sfa-hits");
    two_free(&t);

    t = begin_hits(); /* no blocks at all, then without any offset */
    end_table(&t);
    assert_two(&t, "sfa-hits");
    t.tab.size = 0;
    end_table(&t);
    assert_two(&t, "sfa-hits");
    two_free(&t);
}

static void test_cut(void **state) {
    (void)state;
    two t = make_hits();
    mst_store16(t.bin.data, 0xFFFF, true);
    mst_document *d = must_open_two(&t);
    assert_cut_refused(d, sample_step());
    assert_limits_held(d, sample_step());
    assert_stops(d, NULL, 2);
    mst_close(d);
    two_free(&t);
}

static void test_survives(void **state) {
    (void)state;
    random_state random = {2};
    two t = make_hits();
    assert_no_memory(&t);
    assert_pair_survives(&t, &random, 3000);
    two_free(&t);
}

int test_sfa_hits(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),     cmocka_unit_test(test_mini),  cmocka_unit_test(test_edit),
        cmocka_unit_test(test_findings), cmocka_unit_test(test_types), cmocka_unit_test(test_odd),
        cmocka_unit_test(test_survives), cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
