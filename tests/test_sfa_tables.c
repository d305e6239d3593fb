/* SPDX-License-Identifier: MIT */
/* Star Fox Adventures: tables against TRKBLK.tab, and the sum of a table of textures whose bank is missing.
 */
#include "sfa_pair.h"
#include "stopping.h"

static void put_words(writer *w, size_t count, uint32_t word, bool ends) {
    writer_free(w);
    w->big = true;
    for (size_t i = 0; i < count; i++)
        put_u32(w, word);
    if (ends)
        put_u32(w, 0xFFFFFFFF);
    while (w->size % 32)
        put_u8(w, 0);
}

/* Directory 3 (arwing, mod3) has two blocks, 5 (animtest, mod6) three after it; there are five. */
typedef struct set {
    writer first, blocks_3, blocks_5, routes_3, routes_5, hits;
    shelf beside;
    mst_resolver resolver;
} set;

static void place(set *s) {
    s->beside.count = 0;
    shelf_put(&s->beside, "arwing/mod3.tab", s->blocks_3.data, s->blocks_3.size);
    shelf_put(&s->beside, "animtest/mod6.tab", s->blocks_5.data, s->blocks_5.size);
    shelf_put(&s->beside, "arwing/VOXMAP.tab", s->routes_3.data, s->routes_3.size);
    shelf_put(&s->beside, "animtest/VOXMAP.tab", s->routes_5.data, s->routes_5.size);
    shelf_put(&s->beside, "HITS.tab", s->hits.data, s->hits.size);
    s->resolver = shelf_resolver(&s->beside);
}
static void begin(set *s) {
    memset(s, 0, sizeof *s);
    s->first.big = true;
    for (unsigned mod = 0; mod < 80; mod++) /* more than the number of directories */
        put_u16(&s->first, mod < 4 ? 0 : mod < 6 ? 2 : 5);
    put_u16(&s->first, 0xFFFF);
    put_words(&s->blocks_3, 2, 0x10000000, true);
    put_words(&s->blocks_5, 5, 0x10000000, true);
    put_words(&s->routes_3, 2, 0x10000000, true);
    put_words(&s->routes_5, 5, 0x10000000, true);
    put_words(&s->hits, 6, 0, true);
    place(s);
}
static void end(set *s) {
    writer *all[] = {&s->first, &s->blocks_3, &s->blocks_5, &s->routes_3, &s->routes_5, &s->hits};
    for (size_t i = 0; i < 6; i++)
        writer_free(all[i]);
}

static void findings_of(set *s, findings *list) {
    mst_document *d = open_named(&s->first, "TRKBLK.tab");
    mst_check_options options = {.size = sizeof options, .sidecars = &s->resolver};
    mst_diagnostic why;
    memset(list, 0, sizeof *list);
    MUST(mst_check(d, &options, collect, list, NULL, &why), &why);
    mst_close(d);
}
static void assert_counts_right(set *s) {
    findings list;
    place(s);
    findings_of(s, &list);
    print_findings(&list);
    assert_int_equal(list.count, 0);
}
static void assert_counted(set *s, const char *path, const char *expected, const char *found) {
    findings list;
    place(s);
    findings_of(s, &list);
    if (list.count != 1)
        print_findings(&list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "SFA-TRKBLK-COUNT");
    assert_int_equal(list.items[0].severity, MST_WARNING);
    assert_string_equal(list.items[0].path, path);
    assert_string_equal(list.items[0].expected, expected);
    assert_string_equal(list.items[0].found, found);
    findings_free(&list);
}

static void numbers_of_blocks(void **state) {
    (void)state;
    set s;
    begin(&s);
    assert_counts_right(&s);
    put_words(&s.blocks_3, 3, 0x10000000, true); /* a block beyond the limit */
    assert_counted(&s, "first_blocks[4]", "2 in arwing/mod3.tab", "3");
    put_words(&s.blocks_3, 1, 0x10000000, true);
    assert_counted(&s, "first_blocks[4]", "2 in arwing/mod3.tab", "1");
    put_words(&s.blocks_3, 0, 0, false); /* without an end, or if it is missing, nothing is known about it */
    assert_counts_right(&s);
    put_words(&s.blocks_5, 6, 0x10000000, true);
    assert_counted(&s, "first_blocks[6]", "5 in animtest/mod6.tab", "6");
    put_words(&s.blocks_5, 5, 0x10000000, true);
    put_words(&s.routes_3, 5, 0x10000000, true); /* of all blocks of the game */
    assert_counts_right(&s);
    put_words(&s.routes_3, 4, 0x10000000, true);
    assert_counted(&s, "first_blocks[4]", "2 in arwing/VOXMAP.tab", "4");
    put_words(&s.routes_3, 2, 0x10000000, true);
    put_words(&s.hits, 5, 0, true);
    assert_counted(&s, "first_blocks[79]", "6 in HITS.tab", "5");
    put_words(&s.hits, 7, 0, true);
    assert_counted(&s, "first_blocks[79]", "6 in HITS.tab", "7");
    put_words(&s.blocks_3, 4, 0, true);
    place(&s);
    mst_document *d = open_named(&s.first, "TRKBLK.tab");
    assert_stops(d, &s.resolver, 2);
    assert_stops(d, NULL, 0);
    mst_close(d);
    writer_free(&s.first);
    s.first.big = true; /* no directory at all */
    put_u16(&s.first, 0);
    put_u16(&s.first, 0xFFFF);
    assert_counts_right(&s);
    end(&s);
}

/* ---- a table of textures alone ------------------------------------------------------------------ */

/* Two words and the end; after the padding the sum of the words before the end. */
static writer make_table(uint32_t sum) {
    writer w = {.big = true};
    put_u32(&w, 0x81000000);
    put_u32(&w, 0x00000020);
    put_u32(&w, 0xFFFFFFFF);
    while (w.size < 32)
        put_u8(&w, 0);
    put_u32(&w, sum);
    return w;
}

static void assert_sum(const writer *w, const char *name, bool wrong) {
    mst_document *d = open_named(w, name);
    assert_string_equal(mst_document_format(d)->id, "sfa-table");
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_diagnostic why;
    findings list = {0};
    MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
    assert_int_equal(count_code(&list, "SFA-ALONE"), 1);
    assert_int_equal(count_code(&list, "SFA-TAB-SUM"), wrong);
    assert_int_equal(list.count, wrong ? 2 : 1);
    if (wrong) {
        assert_string_equal(list.items[1].path, "tail");
        assert_int_equal(list.items[1].offset, 32);
        assert_int_equal(list.items[1].severity, MST_INFORMATION);
        assert_string_equal(list.items[1].expected, "0x000000a1");
    }
    findings_free(&list);
    assert_stops(d, NULL, wrong ? 2 : 1);
    mst_close(d);
}

static void sums(void **state) {
    (void)state;
    const uint32_t right = 0x81 + 0x20;
    writer w = make_table(right);
    assert_sum(&w, "TEX0.tab", false);
    mst_store32(w.data + 32, right + 1, true);
    assert_sum(&w, "TEX0.tab", true);
    assert_sum(&w, "tex1.TAB", true);
    assert_sum(&w, "TEXPRE.tab", true);
    assert_sum(&w, "mod6.tab", false); /* others have none */
    w.size = 32;
    assert_sum(&w, "TEX0.tab", false);
    w.size = 8; /* nor has one without an end */
    assert_sum(&w, "TEX0.tab", false);
    writer_free(&w);
}

int test_sfa_tables(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_blocks),
        cmocka_unit_test(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
