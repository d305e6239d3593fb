/* SPDX-License-Identifier: MIT */
/* Banks of blocks: their checks, edits and textures. */
#define _XOPEN_SOURCE 700
#include "../src/edit/single_edit.h"
#include "../src/formats/sfa/packing/bank.h"
#include "sfa_entries.h"
#include "stopping.h"

/* ---- findings ----------------------------------------------------------------------------------- */

static void blocks_know_what_textures_there_are(void **state) {
    (void)state;
    needs_packing();
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    put_entry(&t.bin, &block, ZLB);
    put_u32(&t.tab, 0);
    put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    assert_two(&t, "sfa-blocks");
    mst_document *document = must_open_two(&t);
    findings alone = check_all(document, NULL);
    writer table = {.big = true};
    for (unsigned i = 0; i < 11; i++)
        put_u32(&table, i == 5 || i == 9 ? 0x81000000 : 0x01000000);
    put_u32(&table, MARK);
    shelf beside = {.count = 0};
    shelf_put(&beside, "TEX1.tab", table.data, table.size);
    mst_resolver resolver = shelf_resolver(&beside);
    for (int absent = 0; absent < 2; absent++) {
        if (absent)
            table.data[36] = 0x01;
        findings list = check_all(document, &resolver);
        assert_int_equal(list.count, alone.count + (size_t)absent);
        assert_int_equal(count_code(&list, "SFA-TEXTURE-INDEX"),
                         count_code(&alone, "SFA-TEXTURE-INDEX") + (size_t)absent);
        for (size_t i = 0; i < list.count && absent; i++)
            if (strcmp(list.items[i].code, "SFA-TEXTURE-INDEX") == 0)
                assert_string_equal(list.items[i].path, "blocks[1].packed.block.textures[1]");
        findings_free(&list);
    }
    findings_free(&alone);
    writer_free(&table);
    mst_close(document);
    two_free(&t);
}

/* A bank with a block, one that is kept packed, a damaged one, and an empty slot. */
static two make_mixed_blocks(void) {
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    for (unsigned i = 0; i < 4; i++) {
        put_u32(&t.tab, i == 3 ? 0 : 0x10000000 | (uint32_t)t.bin.size);
        if (i == 1) {
            put_u32(&t.bin, 0xF0F0F0F0);
            put_zeros(&t.bin, 28);
            continue;
        }
        if (i == 2)
            mst_store32(block.data + 8, 1, true); /* its size */
        if (i != 3)
            put_entry(&t.bin, &block, i ? DIR0 : ZLB);
    }
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    return t;
}

static void blocks_are_checked_one_by_one(void **state) {
    (void)state;
    needs_packing();
    two t = make_mixed_blocks();
    writer table = {.big = true};
    shelf beside = {.count = 0};
    put_u32(&table, 0x81000000); /* not one of them, and no end */
    shelf_put(&beside, "TEX1.tab", table.data, table.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_document *document = must_open_two(&t);
    findings list = check_all(document, NULL);
    assert_true(list.count > 0);
    assert_string_equal(list.items[list.count - 1].code, "SFA-BLOCK-HEADER");
    assert_string_equal(list.items[list.count - 1].path, "blocks[2].packed.block");
    size_t alone = list.count;
    findings_free(&list);
    list = check_all(document, &resolver); /* a table without an end mark has no entries */
    assert_int_equal(list.count, alone);
    findings_free(&list);
    stopping s = {.at = SIZE_MAX};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, NULL, stop_at, &s, &result, &why), &why);
    assert_int_equal(s.heard, alone);
    table.size = 0;
    put_u32(&table, 0x81000000), put_u32(&table, MARK);
    beside.files[0] = (shelf_file){"TEX1.tab", table.data, table.size};
    list = check_all(document, &resolver);
    assert_int_equal(list.count, alone + 2);
    findings_free(&list);
    assert_stops(document, &resolver, 3);
    t.bin.data[12] ^= 1; /* the first is damaged as well */
    mst_document *damaged = must_open_two(&t);
    assert_stops(damaged, &resolver, 2);
    mst_close(damaged);
    mst_close(document);
    two_free(&t);
    /* a block alone */
    writer block = make_block();
    memcpy(block.data + 0xA4, "odd", 4);
    writer w = wrap(DIR0, &block);
    document = open_named(&w, NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-block");
    assert_stops(document, &resolver, 3);
    mst_close(document);
    w.data[15] ^= 1; /* two sizes */
    document = open_named(&w, NULL);
    assert_stops(document, &resolver, 4);
    mst_close(document);
    writer_free(&w);
    writer_free(&block);
    writer unknown = {.big = true};
    put_u32(&unknown, 0xF0F0F0F0);
    document = open_as(unknown.data, unknown.size, "sfa-block", NULL);
    assert_nothing(document, &resolver);
    mst_close(document);
    writer_free(&unknown);
    writer_free(&table);
}

/* Whatever else is edited in the bank, a block's values are derived from its own edits only. */
static void blocks_follow_their_own_edits(void **state) {
    (void)state;
    needs_packing();
    two t = make_mixed_blocks();
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    mst_value value;
    mst_buffer text = {0};
    MUST(mst_find(mst_root(document), "blocks[0]", &value, &why), &why);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), &why), &why);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    /* the box of the group contains no position, so nothing is updated except the range of y, from the
     * group */
    must_set(document, "blocks[0].packed.block.polygon_groups[0].y_min", "-4");
    assert_int_equal(number_of(document, "blocks[0].packed.block.y_min"), -4);
    must_set(document, "blocks[0].packed.block.textures", "[5, 9, 11]"); /* longer */
    assert_int_equal(count_of(document, "blocks[0].packed.block.textures"), 3);
    must_set(document, "blocks[3]", (const char *)text.data); /* one more */
    must_set(document, "blocks[3].packed.block.polygon_groups[0].y_max", "6");
    assert_int_equal(number_of(document, "blocks[3].packed.block.y_max"), 6);
    assert_int_equal(number_of(document, "blocks[0].packed.block.y_min"), -4);
    must_set(document, "blocks[0]", "{\"present\": false}");
    assert_int_equal(number_of(document, "blocks[3].packed.block.y_max"), 6);
    must_set(document, "blocks[3]", "{\"present\": false}");
    must_set(document, "blocks[1]", "{\"present\": false}");
    must_set(document, "blocks[2]", "{\"present\": false}"); /* none remains */
    must_set(document, "blocks[0]", (const char *)text.data);
    assert_int_equal(number_of(document, "blocks[0].packed.block.y_min"), 0);
    must_set(document, "blocks[1]", (const char *)text.data);
    must_set(document, "blocks[1].packed.wrapper", "\"none\"");
    assert_round_trips(document);
    mst_buffer_free(&text);
    mst_close(document);
    two_free(&t);
}

static void blocks_are_recognised(void **state) {
    (void)state;
    needs_packing();
    static const struct {
        const char *name;
        bool is;
    } names[] = {{"mod6.tab", true},     {"MOD12.zlb.bin", true}, {"a/mod123.bin", true},
                 {"mod1234.bin", false}, {"mod.bin", false},      {"mod6.zlb", false},
                 {"mo", false},          {"nod6.bin", false},     {"mad6.bin", false},
                 {"mob6.bin", false},    {"mod/.bin", false},     {"mod:.bin", false},
                 {"mod6/.bin", false},   {"mod6:.bin", false}};
    mst_variant variant = {0};
    const mst_format *bank = &mst_format_sfa_blocks, *one = &mst_format_sfa_block;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(bank->identity.probe(NULL, 0, 0, names[i].name, &variant), names[i].is);
    assert_false(bank->identity.probe(NULL, 0, 0, NULL, &variant));
    writer block = make_block();
    assert_true(one->identity.probe(block.data, block.size, block.size, NULL, &variant));
    /* with a size other than the stated one, its lists must fit into it */
    assert_true(one->identity.probe(block.data, block.size, block.size + 1, NULL, &variant));
    for (size_t at = 0x4C; at <= 0x64; at += 4) {
        uint32_t was = mst_load32(block.data + at, true);
        mst_store32(block.data + at, 0xB7, true);
        assert_false(one->identity.probe(block.data, block.size, block.size + 1, NULL, &variant));
        mst_store32(block.data + at, (uint32_t)block.size + 1, true);
        assert_false(one->identity.probe(block.data, block.size, block.size + 1, NULL, &variant));
        mst_store32(block.data + at, was, true);
    }
    writer packed = wrap(DIR0, &block);
    assert_true(one->identity.probe(packed.data, packed.size, packed.size, NULL, &variant));
    packed.data[0x20 + 11] ^= 1; /* the size is not a multiple of 32 */
    assert_false(one->identity.probe(packed.data, packed.size, packed.size, NULL, &variant));
    block.data[11] ^= 1;
    assert_false(one->identity.probe(block.data, block.size, block.size, NULL, &variant));
    mst_store32(block.data + 0x68, 0xBC, true);
    assert_false(one->identity.probe(block.data, block.size, block.size, NULL, &variant));
    writer_free(&packed);
    writer_free(&block);
}

/* Inserting or removing blocks moves others, and changes nothing in them: odd values stay odd. */
static void blocks_keep_what_is_odd(void **state) {
    (void)state;
    needs_packing();
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    for (unsigned i = 0; i < 4; i++) {
        put_u32(&t.tab, 0x10000000 | (uint32_t)t.bin.size);
        if (i == 3) { /* the range of y differs from the group's */
            mst_store32(block.data + 0x8A, 0x00070009, true);
            mst_store32(block.data + 0xC0 + 6, 0x00010002, true);
        }
        put_entry(&t.bin, &block, ZLB);
    }
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    int64_t low = number_of(document, "blocks[3].packed.block.y_min"),
            high = number_of(document, "blocks[3].packed.block.y_max");
    assert_true(low == 7 || high == 7);
    MUST(mst_edit_remove(document, "blocks[0]", &why), &why);
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_min"), low);
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_max"), high);
    must_set(document, "blocks[0]", "{\"present\": false}");
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_min"), low);
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_max"), high);
    assert_round_trips(document);
    mst_close(document);
    two_free(&t);
}

int test_sfa_blocks(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_know_what_textures_there_are),
        cmocka_unit_test(blocks_are_checked_one_by_one),
        cmocka_unit_test(blocks_follow_their_own_edits),
        cmocka_unit_test(blocks_are_recognised),
        cmocka_unit_test(blocks_keep_what_is_odd),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
