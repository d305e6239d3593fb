/* SPDX-License-Identifier: MIT */
/* Defects found by fuzzing (tests/fuzz), minimised. Many are visible only under the sanitizers. */
#include "../src/codec/rnc.h"
#include "rnc_pack.h"
#include "sfa_pair.h"
#include <mapstone/mapstone.h>

static void assert_bytes(const mst_document *document, const void *bytes, size_t size) {
    size_t have;
    const void *data = mst_document_bytes(document, &have);
    assert_int_equal(have, size);
    assert_memory_equal(data, bytes, size);
}

/* ---- archives ---------------------------------------------------------------------------------- */

/* Two blocks: eight bytes that are not structure, and a packed one of four bytes with an invalid stream. */
static const uint8_t archive[] = {
    2,   0,   0, 0, 16, 0, 0, 0, 24, 0, 0, 0, 48, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 'R',
    'N', 'C', 1, 0, 0,  0, 4, 0, 0,  0, 4, 0, 0,  0, 0, 0, 0, 1, 0, 1, 2, 3, 0, 0,
};
#define ARCHIVE_SIZE 48

/* The archive's own keys ("$gaps") were looked for in a list as if it were an object. */
static void test_archive_list_set(void **state) {
    static const char *const values[] = {"5", "word", "[]", "[0]", "[\"$gaps\",[[0,\"ff\"]]]", "{}"};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        mst_document *document = open_as(archive, ARCHIVE_SIZE, "iguana", NULL);
        mst_diagnostic why;
        mst_status status = mst_set(document, "blocks", values[i], &why);
        if (status == MST_OK)
            assert_round_trips(document);
        else
            assert_bytes(document, archive, ARCHIVE_SIZE);
        assert_int_equal(status == MST_OK, i == 2);
        mst_close(document);
    }
}

/* A block's kind follows from its bytes: an edit must not change it. */
static void test_block_stays(void **state) {
    (void)state;
    mst_document *document = open_as(archive, ARCHIVE_SIZE, "iguana", NULL);
    mst_diagnostic why;
    mst_value value;
    uint64_t number;
    assert_int_equal(mst_set(document, "blocks[1].rnc.method", "0", &why), MST_REFUSED);
    assert_bytes(document, archive, ARCHIVE_SIZE);
    MUST(mst_set(document, "blocks[1].rnc.method", "2", &why), &why);
    MUST(mst_find(mst_root(document), "blocks[1].rnc.method", &value, &why), &why);
    MUST(mst_get_unsigned(&value, &number), NULL);
    assert_int_equal(number, 2);
    mst_close(document);
}

/* A file may be truncated in its last padding; its blocks alone were then reported as damaged. */
static void test_cut_list(void **state) {
    uint8_t cut[ARCHIVE_SIZE - 2];
    (void)state;
    memcpy(cut, archive, sizeof cut);
    mst_document *document = open_as(cut, sizeof cut, "iguana", NULL);
    mst_value blocks;
    mst_diagnostic why;
    mst_buffer text = {0};
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    MUST(mst_find(mst_root(document), "blocks", &blocks, &why), &why);
    MUST(mst_write_json(&blocks, &compact, mst_buffer_sink(&text), &why), &why);
    mst_buffer_free(&text);
    assert_round_trips(document);
    mst_close(document);
}

/* A block that begins after the end of such a file was taken for one at its end, and got another offset when
 * it was encoded. */
static void test_block_behind_the_end(void **state) {
    uint8_t cut[ARCHIVE_SIZE - 2];
    (void)state;
    memcpy(cut, archive, sizeof cut);
    memset(cut + 24, 0, sizeof cut - 24); /* a block of eight bytes, and one of 24 that is empty */
    mst_close(open_as(cut, sizeof cut, "iguana", NULL));
    for (int big = 0; big < 2; big++)
        for (uint32_t begin = sizeof cut; begin <= ARCHIVE_SIZE; begin++) {
            const uint32_t words[] = {2, 16, begin, ARCHIVE_SIZE};
            for (size_t i = 0; i < 4; i++)
                mst_store32(cut + 4 * i, words[i], big);
            mst_document *document;
            mst_diagnostic why;
            mst_open_options options = {.size = sizeof options, .format = "iguana"};
            mst_status status = mst_open_memory(cut, sizeof cut, &options, &document, &why);
            if (begin == sizeof cut) { /* at its end nothing is wrong with it */
                MUST(status, &why);
                assert_round_trips(document);
                mst_close(document);
                continue;
            }
            assert_int_equal(status, MST_DAMAGED);
            assert_string_equal(why.code, "IGUANA-OFFSET");
            assert_int_equal(why.offset, 8);
            assert_int_equal(why.length, 4);
        }
}

/* A file of one block, which is packed; to be freed. */
static uint8_t *packed_archive(const uint8_t *plain, size_t plain_size, size_t *size) {
    counted count = {0};
    mst_allocator allocator = counted_allocator(&count);
    uint8_t *packed;
    size_t packed_size;
    mst_diagnostic why;
    MUST(rnc_pack(plain, plain_size, &allocator, &packed, &packed_size, &why), &why);
    *size = 16 + packed_size;
    uint8_t *file = calloc(*size, 1);
    assert_non_null(file);
    mst_store32(file, 1, false);
    mst_store32(file + 4, 16, false);
    mst_store32(file + 8, (uint32_t)*size, false);
    memcpy(file + 16, packed, packed_size);
    counted_resize(&count, packed, packed_size, 0);
    return file;
}

/* Packed content is not recognised by its bytes, so its JSON could not be read. It may also be empty. */
static void test_content_json(void **state) {
    static const uint8_t plain[] = "neither an archive nor a data set, but text and text and text";
    (void)state;
    for (size_t length = 0; length <= sizeof plain; length += sizeof plain) {
        size_t size;
        uint8_t *file = packed_archive(plain, length, &size);
        mst_document *document = open_as(file, size, "iguana", NULL), *content;
        mst_diagnostic why;
        mst_value block;
        MUST(mst_find(mst_root(document), "blocks[0].rnc", &block, &why), &why);
        MUST(mst_open_content(&block, NULL, &content, &why), &why);
        assert_bytes(content, plain, length);
        assert_round_trips(content);
        mst_close(content);
        mst_close(document);
        free(file);
    }
}

/* A text may be one empty element, which differs from none. */
static void test_empty_element(void **state) {
    static const char text[] =
        "{\"$format\":\"turok-map\",\"version\":1,\"world\":{\"sun_direction\":[0,1,0],"
        "\"sun_color\":[1,1,1,1],\"ambient_color\":[1,1,1,1]},\"sky_material\":{\"$raw\":\"\"},"
        "\"collision\":{\"vertices\":[],\"sector_sets\":[],\"sectors\":[]},"
        "\"grid_bounds\":{\"size\":[],\"minimums\":[],\"maximums\":[]},\"grid_sections\":[],"
        "\"actors\":{\"records\":[],\"models\":[],\"animations\":[]}}";
    (void)state;
    mst_document *document;
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_diagnostic why;
    mst_status status = mst_open_json(text, strlen(text), &options, &document, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    mst_value sky;
    uint64_t offset, length;
    size_t size;
    const uint8_t *bytes = mst_document_bytes(document, &size);
    MUST(mst_find(mst_root(document), "sky_material", &sky, &why), &why);
    mst_value_span(&sky, &offset, &length);
    assert_int_equal(length, 8);
    assert_int_equal(mst_load32(bytes + offset, false), 0);
    assert_int_equal(mst_load32(bytes + offset + 4, false), 1);
    assert_round_trips(document);
    mst_close(document);
}

/* ---- class.def --------------------------------------------------------------------------------- */

/* No type of the file has a value: their list has no position. */
static void test_types_without_values(void **state) {
    static const char text[] = "CLASS \"a\" BEGIN TYPES BEGIN \"b\" \"c\" 1 {} {} END END";
    (void)state;
    mst_document *document = open_as(text, strlen(text), NULL, "class.def");
    assert_round_trips(document);
    mst_close(document);
}

/* A file without bytes has no position either. */
static void test_no_bytes(void **state) {
    (void)state;
    mst_document *document = open_as(NULL, 0, NULL, "class.def");
    assert_round_trips(document);
    mst_close(document);
    static const char text[] = "{\"$format\":\"revenant-def\"}";
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_diagnostic why;
    mst_status status = mst_open_json(text, strlen(text), &options, &document, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    assert_checks(document);
    mst_close(document);
}

/* ---- parsed files ------------------------------------------------------------------------------- */

static two bank_of(const char *bin, size_t size, const uint32_t *words, size_t count) {
    two t = {.bin_name = "TEX1.bin", .tab_name = "TEX1.tab"};
    t.tab.big = true;
    put_bytes_of(&t.bin, bin, size);
    for (size_t i = 0; i < count; i++)
        put_u32(&t.tab, words[i]);
    put_u32(&t.tab, 0xFFFFFFFF);
    return t;
}

/* Entries of odd sizes, for which the table has no offsets, were refused when they were written unchanged. */
static void test_odd_entries(void **state) {
    static const uint32_t words[] = {0x81000000, 0x81000001, 0x00000002},
                          shared[] = {0x81000000, 0x81000000, 0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        two t = bank_of("abc", 3, i ? shared : words, 3);
        assert_two(&t, "sfa-textures");
        mst_document *document = must_open_two(&t);
        assert_encodes(document);
        mst_diagnostic why;
        MUST(mst_set(document, "textures[0].flags", "193", &why), &why);
        assert_round_trips(document);
        assert_int_equal(number_of(document, "textures[1].flags"), 0x81);
        mst_close(document);
        two_free(&t);
    }
}

/* A map that is kept, with an offset that becomes the table's end mark when it is moved to the place where
 * serializing puts it: the stored files were not considered, and JSON could not be read. */
static void test_offset_that_ends_a_table(void **state) {
    static const uint32_t words[] = {1, 0, 0, 0, 0, 0, 0};
    (void)state;
    two t = bank_of("\0\1", 2, words, 7);
    t.bin_name = "MAPS.bin";
    t.tab_name = "MAPS.tab";
    assert_two(&t, "sfa-maps");
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    /* if the map states something else, nothing can be kept */
    assert_int_equal(mst_set(document, "maps[0].offsets[2]", "7", &why), MST_REFUSED);
    assert_string_equal(why.path, "maps[0].offsets");
    assert_files(document, &t);
    mst_close(document);
    two_free(&t);
}

/* An edit that the files cannot express was reported as done. */
static void test_edits_that_files_say(void **state) {
    static const char *const edits[][2] = {{"sum", "0"},           {"sum", "1"},
                                           {"sum", "2"},           {"closing_flags", "1"},
                                           {"closing_flags", "9"}, {"closing_flags", "0"}};
    (void)state;
    two t = bank_of("@ZOn", 4, NULL, 0);
    mst_document *document = must_open_two(&t);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        two before = two_of(document, &t);
        mst_diagnostic why;
        mst_status status = mst_set(document, edits[i][0], edits[i][1], &why);
        if (status == MST_OK)
            assert_int_equal(number_of(document, edits[i][0]), edits[i][1][0] - '0');
        else
            assert_files(document, &before);
        assert_round_trips(document);
        two_free(&before);
    }
    mst_close(document);
    two_free(&t);
}

/* ---- sectors ----------------------------------------------------------------------------------- */

/* The number of things that an object carries was read although its last part has no room for it, and so
 * after the end of the file. */
static void test_half_a_count(void **state) {
    enum { BODY = 48, BEGIN = 16 + 12 }; /* of an object without data */
    (void)state;
    for (uint16_t last = 0; last <= 4; last++) {
        size_t size = BEGIN + BODY + last;
        uint8_t *sector = calloc(size, 1); /* of exactly this size */
        assert_non_null(sector);
        memcpy(sector, "MAP ", 4);
        sector[4] = 15;
        sector[12] = 1;
        mst_store16(sector + 24, BODY + last, false);
        mst_store16(sector + 26, last, false);
        mst_document *document;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .format = "revenant-sector"};
        mst_status status = mst_open_memory(sector, size, &options, &document, &why);
        if (last == 0 || last == 4) {
            MUST(status, &why);
            assert_round_trips(document);
            mst_close(document);
        } else {
            assert_int_equal(status, MST_DAMAGED);
            assert_string_equal(why.code, "REV-OVERRUN");
            assert_string_equal(why.path, "objects[0].inventory_count");
            assert_int_equal(why.offset, BEGIN + BODY);
        }
        free(sector);
    }
}

int test_findings(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive_list_set),
        cmocka_unit_test(test_block_stays),
        cmocka_unit_test(test_cut_list),
        cmocka_unit_test(test_block_behind_the_end),
        cmocka_unit_test(test_content_json),
        cmocka_unit_test(test_empty_element),
        cmocka_unit_test(test_types_without_values),
        cmocka_unit_test(test_no_bytes),
        cmocka_unit_test(test_odd_entries),
        cmocka_unit_test(test_offset_that_ends_a_table),
        cmocka_unit_test(test_edits_that_files_say),
        cmocka_unit_test(test_half_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
