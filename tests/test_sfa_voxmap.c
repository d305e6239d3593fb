/* SPDX-License-Identifier: MIT */
/* Voxel maps of Star Fox Adventures: VOXMAP.bin and VOXMAP.tab as one document, edits, findings. */
#include "../src/formats/sfa/sfa.h"
#include "fixing.h"
#include "sfa_pair.h"
#include "sfa_parsed.h"
#include "stopping.h"

static void put_zeros(writer *w, size_t count) {
    if (count)
        memset(put(w, count), 0, count);
}
static void put_aligned(writer *w, size_t to) {
    put_zeros(w, (to - w->size % to) % to);
}

typedef struct plan {
    bool ranks_first;
    bool wrong_rank;
    unsigned gap_1, gap_2, tail; /* bytes */
    bool unpadded;
    uint32_t bitmap_offset; /* 0: the default one */
} plan;

/* Two rows: 3 cells at z 0 and 2 at z 9 of the first, 1 at z 15 of the second; so 6 nodes. The ranks are
 * 0, 3 and 5, 5. */
static writer make_map(const plan *p) {
    writer w = {.big = true};
    uint32_t first = 0x2C + 64 + p->gap_1;
    uint32_t second = first + (p->ranks_first ? 6 : 24) + p->gap_2;
    put_u32(&w, 7);
    put_u32(&w, (uint32_t)-3);
    put_u32(&w, 0);
    put_u32(&w, (uint32_t)-1);
    put_u32(&w, 0);
    put_u32(&w, p->ranks_first ? second : first);
    put_u32(&w, 0);
    put_u32(&w, p->ranks_first ? first : second);
    put_u32(&w, 0);
    put_u32(&w, p->bitmap_offset ? p->bitmap_offset : 0x2C);
    put_u32(&w, 9);
    uint8_t bitmap[64] = {0};
    bitmap[0] = 0x03;
    bitmap[1] = 0x80;
    bitmap[18] = 0x11;
    bitmap[32 + 31] = 0x40;
    put_bytes_of(&w, bitmap, sizeof bitmap);
    for (unsigned i = 0; i < p->gap_1; i++)
        put_u8(&w, 0xA1);
    for (unsigned part = 0; part < 2; part++) {
        if (part)
            for (unsigned i = 0; i < p->gap_2; i++)
                put_u8(&w, 0xA2);
        if (p->ranks_first == (part == 0)) {
            const uint8_t ranks[] = {0x00, 0x30, 0x00, (uint8_t)(p->wrong_rank ? 6 : 5), 0x50, 0x00};
            put_bytes_of(&w, ranks, sizeof ranks);
        } else {
            for (uint8_t i = 0; i < 24; i++)
                put_u8(&w, (uint8_t)(i * 5));
        }
    }
    for (unsigned i = 0; i < p->tail; i++)
        put_u8(&w, 0xA3);
    if (!p->unpadded)
        put_aligned(&w, 32);
    return w;
}

/* An entry in a stream of one stored block. */
static void put_entry(two *t, const writer *map) {
    writer *w = &t->bin;
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < map->size; i++) {
        a = (a + map->data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_u32(&t->tab, 0x10000000 | (uint32_t)w->size);
    put_bytes_of(w, "ZLB", 4);
    put_u32(w, 1);
    put_u32(w, (uint32_t)map->size);
    put_u32(w, (uint32_t)map->size + 11);
    put_u16(w, 0x7801);
    put_u8(w, 1);
    for (unsigned i = 0; i < 2; i++) {
        uint16_t length = (uint16_t)(i ? ~map->size : map->size);
        put_u8(w, (uint8_t)length);
        put_u8(w, (uint8_t)(length >> 8));
    }
    put_bytes_of(w, map->data, map->size);
    put_u32(w, b << 16 | a);
    put_aligned(w, 32);
}

static two make_bank(const plan *p) {
    two t = {.bin_name = "VOXMAP.bin", .tab_name = "VOXMAP.tab"};
    t.bin.big = t.tab.big = true;
    put_u32(&t.tab, 0);
    for (unsigned i = 0; i < 2; i++) {
        writer map = make_map(i ? p : &(plan){.ranks_first = false});
        put_entry(&t, &map);
        writer_free(&map);
    }
    put_u32(&t.tab, 0xFFFFFFFF);
    put_aligned(&t.tab, 32);
    return t;
}

static void test_made(void **state) {
    (void)state;
    needs_zlib();
    two t = make_bank(&(plan){.ranks_first = true});
    assert_two(&t, "sfa-voxmap");
    assert_alone(&t);
    mst_document *d = must_open_two(&t);
    assert_nothing(d, NULL);
    assert_int_equal(count_of(d, "entries"), 3);
    assert_int_equal(number_of(d, "entries[0].present"), 0);
    assert_int_equal(number_of(d, "entries[1].packed.map.min_y"), -3);
    assert_int_equal(number_of(d, "entries[1].packed.map.max_y"), -1);
    assert_int_equal(number_of(d, "entries[1].packed.map.unknown_00"), 7);
    assert_int_equal(number_of(d, "entries[1].packed.map.unknown_28"), 9);
    assert_int_equal(number_of(d, "entries[1].packed.map.ranks_first"), 0);
    assert_int_equal(number_of(d, "entries[2].packed.map.ranks_first"), 1);
    mst_value value;
    mst_diagnostic why;
    const void *bytes;
    size_t size;
    MUST(mst_find(mst_root(d), "entries[2].packed.map.nodes", &value, &why), &why);
    MUST(mst_get_bytes(&value, &bytes, &size), NULL);
    assert_int_equal(size, 24);
    assert_int_equal(((const uint8_t *)bytes)[23], 115);
    MUST(mst_find(mst_root(d), "entries[2].packed.map.bitmap", &value, &why), &why);
    MUST(mst_get_bytes(&value, &bytes, &size), NULL);
    assert_int_equal(size, 64);
    assert_int_equal(((const uint8_t *)bytes)[18], 0x11);
    assert_int_equal(count_of(d, "entries[1].packed.map.ranks"), 0); /* they follow from the bitmap */
    mst_close(d);
    two_free(&t);
}

static void test_mini(void **state) {
    (void)state;
    needs_zlib();
    const char *const folders[] = {"sfa/mini/animtest", "sfa/mini/shipbattle"};
    const uint64_t entries[] = {4, 5};
    for (int i = 0; i < 2; i++) {
        two t = corpus_two(folders[i], "VOXMAP.bin", "VOXMAP.tab");
        assert_two(&t, "sfa-voxmap");
        char name[64], path[512];
        mst_document *d;
        mst_diagnostic why;
        snprintf(name, sizeof name, "%s/VOXMAP.bin", folders[i]);
        corpus_path(name, path, sizeof path);
        MUST(mst_open_file(path, NULL, &d, &why), &why);
        assert_files(d, &t);
        assert_nothing(d, NULL);
        assert_int_equal(count_of(d, "entries"), entries[i]);
        mst_close(d);
        two_free(&t);
    }
}

static void test_odd(void **state) {
    (void)state;
    needs_zlib();
    const plan plans[] = {
        {.gap_1 = 5},
        {.gap_2 = 3, .ranks_first = true},
        {.tail = 40, .gap_1 = 1, .gap_2 = 2},
        {.unpadded = true},
        {.unpadded = true, .tail = 1, .ranks_first = true},
        {.tail = 22}, /* as many as the padding */
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        two t = make_bank(&plans[i]);
        assert_two(&t, "sfa-voxmap");
        mst_document *d = must_open_two(&t);
        assert_nothing(d, NULL);
        mst_close(d);
        two_free(&t);
    }
}

static void test_findings(void **state) {
    (void)state;
    needs_zlib();
    two t = make_bank(&(plan){.wrong_rank = true});
    assert_two(&t, "sfa-voxmap");
    mst_document *d = must_open_two(&t);
    assert_one(d, NULL, "SFA-VOXMAP-RANKS", "entries[2].packed.map.ranks");
    assert_int_equal(number_of(d, "entries[2].packed.map.ranks[2]"), 6);
    assert_int_equal(number_of(d, "entries[2].packed.map.ranks[3]"), 5);
    fixed_list list;
    assert_true(fix(d, NULL, NULL, &list) >= 1);
    assert_nothing(d, NULL);
    mst_close(d);
    two_free(&t);

    t = make_bank(&(plan){.bitmap_offset = 0x30});
    assert_two(&t, "sfa-voxmap");
    d = must_open_two(&t);
    assert_one(d, NULL, "SFA-VOXMAP", "entries[2].packed.map");
    mst_close(d);
    two_free(&t);

    t = make_bank(&(plan){.tail = 0});
    t.bin.data[16] ^= 0x10; /* of the stream's header */
    assert_two(&t, "sfa-voxmap");
    d = must_open_two(&t);
    assert_one(d, NULL, "SFA-ZLB", "entries[1].packed");
    mst_close(d);
    two_free(&t);

    t = make_bank(&(plan){.tail = 0});
    mst_diagnostic why;
    mst_store32(t.tab.data + 8, 0x10000000 | (uint32_t)(t.bin.size + 32), true);
    assert_int_equal(open_two(&t, true, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-TAB");
    t.tab.size = 12;
    assert_int_equal(open_two(&t, true, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-TAB");
    two_free(&t);
}

static void test_edit(void **state) {
    (void)state;
    needs_zlib();
    two t = make_bank(&(plan){.ranks_first = true});
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    MUST(mst_set(d, "entries[2].packed.map.unknown_08", "77", &why), &why);
    two made = two_of(d, &t);
    /* the other entry is unchanged, and the edited one is the same except for the number */
    size_t first = (size_t)(mst_load32(t.tab.data + 8, true) & 0xFFFFFF);
    assert_int_equal(mst_load32(made.tab.data + 8, true), mst_load32(t.tab.data + 8, true));
    assert_memory_equal(made.bin.data, t.bin.data, first);
    assert_two(&made, "sfa-voxmap");
    mst_document *again = must_open_two(&made);
    assert_nothing(again, NULL);
    assert_int_equal(number_of(again, "entries[2].packed.map.unknown_08"), 77);
    assert_int_equal(number_of(again, "entries[2].packed.map.max_y"), -1);
    mst_close(again);
    two_free(&made);
    /* inconsistent values are refused */
    const char *const refused[][2] = {{"entries[2].packed.map.max_y", "0"},
                                      {"entries[2].packed.map.max_y", "-4"},
                                      {"entries[2].packed.map.bitmap", "\"00\""},
                                      {"entries[2].packed.map.bitmap", "\"\""},
                                      {"entries[2].packed.map.ranks", "[4096, 3, 5, 5]"},
                                      {"entries[2].packed.map.nodes", "\"\""},
                                      {"entries[2].packed.map.ranks", "[0, 3]"},
                                      {"entries[2].packed.map.ranks", "[0, 3, 5, 4096]"},
                                      {"entries[2].flags", "0"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        mst_status status = mst_set(d, refused[i][0], refused[i][1], &why);
        if (status != MST_REFUSED)
            print_error("%s = %s: %s\n", refused[i][0], refused[i][1], mst_status_text(status));
        assert_int_equal(status, MST_REFUSED);
    }
    mst_close(d);
    two_free(&t);
}

/* Records whose parts overlap, or are outside of them: kept unchanged, and reported. */
static void test_damaged(void **state) {
    (void)state;
    needs_zlib();
    static const struct {
        bool ranks_first;
        size_t at;
        uint32_t value;
    } cases[] = {
        {false, 0x0C, (uint32_t)-4}, /* a negative number of rows */
        {false, 0x0C, 0x7FFFFFFF},   /* more than the available room */
        {false, 0x14, 0x2C},         /* nodes in the bitmap */
        {false, 0x14, 0x70},         /* nodes over the ranks */
        {false, 0x1C, 0x9E},         /* ranks after the end */
        {true, 0x1C, 0x2C},          /* ranks in the bitmap */
        {true, 0x1C, 0x6E},          /* ranks over the nodes */
        {true, 0x14, 0x90},          /* nodes after the end */
        {false, 0, 0},               /* only a part of the header */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        two t = {.bin_name = "VOXMAP.bin", .tab_name = "VOXMAP.tab"};
        t.bin.big = t.tab.big = true;
        writer map = make_map(&(plan){.ranks_first = cases[i].ranks_first});
        if (cases[i].at)
            mst_store32(map.data + cases[i].at, cases[i].value, true);
        else
            map.size = 0x2B;
        put_entry(&t, &map);
        put_entry(&t, &map);
        put_u32(&t.tab, 0xFFFFFFFF);
        put_aligned(&t.tab, 32);
        mst_document *d = must_open_two(&t);
        findings list = check_all(d, NULL);
        assert_int_equal(list.count, 2);
        assert_string_equal(list.items[1].code, "SFA-VOXMAP");
        assert_string_equal(list.items[1].path, "entries[1].packed.map");
        findings_free(&list);
        assert_stops(d, NULL, 2);
        assert_files(d, &t);
        assert_encodes(d);
        mst_close(d);
        two_free(&t);
        writer_free(&map);
    }
    /* ranks that are wrong from the first row on, and an invalid stream */
    two t = make_bank(&(plan){.ranks_first = false});
    writer map = make_map(&(plan){.ranks_first = true});
    map.data[0x6C] = 1;
    put_u32(&t.tab, 0); /* over the end mark */
    t.tab.size = 12;
    put_entry(&t, &map);
    put_u32(&t.tab, 0xFFFFFFFF);
    put_aligned(&t.tab, 32);
    t.bin.data[16] ^= 0x10;
    mst_document *d = must_open_two(&t);
    findings list = check_all(d, NULL);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].code, "SFA-ZLB");
    assert_string_equal(list.items[1].path, "entries[3].packed.map.ranks");
    findings_free(&list);
    assert_int_equal(number_of(d, "entries[3].packed.map.ranks[0]"), 1);
    assert_stops(d, NULL, 2);
    mst_close(d);
    writer_free(&map);
    two_free(&t);
}

static void test_cut(void **state) {
    (void)state;
    needs_zlib();
    two t = make_bank(&(plan){.gap_1 = 1, .gap_2 = 2, .wrong_rank = true});
    mst_document *d = must_open_two(&t);
    assert_cut_refused(d, sample_step());
    assert_limits_held(d, sample_step());
    /* fields of one record, and nothing after them: its sizes are right, but it is invalid */
    size_t size;
    const uint8_t *parsed = mst_document_bytes(d, &size);
    size_t entry = 4 + 1 + 4 + 1 + 1; /* the count, an absent entry, and the presence and flags of the next */
    size_t whole = 4 + mst_load32(parsed + entry, true), stored = mst_load32(parsed + entry + 4, true);
    size_t content = entry + 8 + stored + 1 + 1 + 4 + 1, length = entry + whole - content;
    for (size_t kept = 0; kept < length; kept++) {
        uint8_t *cut = exact_copy(parsed, content + kept);
        mst_store32(cut, 2, true);
        mst_store32(cut + entry, (uint32_t)(content + kept - entry - 4), true);
        counted memory = {0};
        mst_diagnostic why;
        assert_int_equal(serialize_parsed(&mst_format_sfa_voxmap, cut, content + kept, &memory, &why),
                         MST_REFUSED);
        assert_string_equal(why.path, "entries[1]");
        free(cut);
    }
    mst_close(d);
    two_free(&t);
}

static void test_survives(void **state) {
    (void)state;
    needs_zlib();
    random_state random = {3};
    two t = make_bank(&(plan){.ranks_first = true});
    assert_no_memory(&t);
    assert_pair_survives(&t, &random, 1500);
    two_free(&t);
}

int test_sfa_voxmap(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),     cmocka_unit_test(test_mini), cmocka_unit_test(test_odd),
        cmocka_unit_test(test_findings), cmocka_unit_test(test_edit), cmocka_unit_test(test_survives),
        cmocka_unit_test(test_damaged),  cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
