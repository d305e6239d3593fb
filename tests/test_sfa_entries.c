/* SPDX-License-Identifier: MIT */
/* Packed entries of object lists: every way of packing, odd and damaged ones. */
#define _XOPEN_SOURCE 700
#include "../src/formats/sfa/packing/bank.h"
#include "sfa_entries.h"
#include "sfa_parsed.h"
#include "stopping.h"

/* ---- entries by hand ---------------------------------------------------------------------------- */

static const char *const kind_names[KINDS] = {"zlb", "zlb",  "zlb", "zlb",      "none",
                                              "dir", "dirn", "lzo", "facefeed", "stored"};

/* ---- packed lists ------------------------------------------------------------------------------- */

static void lists_come_out_as_they_went_in(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(3, 7);
    for (wrapping as = 0; as < KINDS; as++) {
        writer w = wrap(as, &inside);
        mst_document *document = open_named(&w, "test.romlist.zlb");
        assert_string_equal(mst_document_format(document)->id, "sfa-romlist");
        assert_int_equal(mst_document_file_count(document), 1);
        assert_writer(document, &w);
        assert_int_equal(count_of(document, "objects"), 3);
        assert_int_equal(number_of(document, "objects[2].id"), 102);
        mst_value value;
        MUST(mst_find(mst_root(document), "wrapper", &value, NULL), NULL);
        assert_string_equal(mst_get_name(&value), kind_names[as]);
        /* data that packing reproduces is not kept */
        assert_int_equal(json_has(document, "\"original\":"), as == ZLB_OTHER || as == LZO);
        assert_int_equal(json_has(document, "\"unpadded\": true"), as == ZLB_UNPADDED);
        assert_round_trips(document);
        assert_nothing(document, NULL);
        mst_close(document);
        writer_free(&w);
    }
    writer_free(&inside);
}

static void edited_lists_are_packed_as_they_were(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(3, 7), changed = make_objects(3, 77);
    for (wrapping as = 0; as < KINDS; as++) {
        writer w = wrap(as, &inside), wanted = wrap(as == ZLB_OTHER ? ZLB : as, &changed);
        mst_document *document = open_named(&w, "test.romlist.zlb"), *again;
        mst_diagnostic why;
        if (as == LZO) {
            assert_int_equal(mst_set(document, "objects[0].id", "77", &why), MST_REFUSED);
            assert_writer(document, &w);
            assert_false(mst_is_edited(document));
            must_set(document, "objects[0].id", "7"); /* the same value as before */
            assert_writer(document, &w);
        } else {
            must_set(document, "objects[0].id", "77");
            assert_true(mst_is_edited(document));
            assert_writer(document, &wanted);
            assert_round_trips(document);
            size_t size;
            const void *bytes = mst_document_file(document, 0, NULL, &size);
            mst_open_options options = {.size = sizeof options, .name = "test.romlist.zlb"};
            MUST(mst_open_memory(bytes, size, &options, &again, &why), &why);
            assert_int_equal(number_of(again, "objects[0].id"), 77);
            mst_close(again);
            /* and back: the stream with other settings has been discarded */
            must_set(document, "objects[0].id", "7");
            if (as != ZLB_OTHER)
                assert_writer(document, &w);
            MUST(mst_remove(document, "objects[1]", &why), &why);
            assert_int_equal(count_of(document, "objects"), 2);
            assert_round_trips(document);
        }
        mst_close(document);
        writer_free(&w);
        writer_free(&wanted);
    }
    writer_free(&inside);
    writer_free(&changed);
}

static void odd_entries_are_kept(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(1, 7), w = {.big = true};
    put_u32(&w, 0xF0F0F0F0);
    put_bytes_of(&w, inside.data, inside.size);
    mst_document *document = open_named(&w, NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-packed");
    assert_writer(document, &w);
    assert_round_trips(document);
    assert_nothing(document, NULL);
    mst_close(document);
    /* halves without names, and files that are identified by their names alone */
    document = open_as(w.data, w.size, "sfa-table", "odd");
    assert_nothing(document, NULL);
    mst_close(document);
    static const char *const known[] = {"OBJECTS.bin", "a/MODELS.tab", "Gametext.bin"};
    for (size_t i = 0; i < 3; i++) {
        document = open_named(&inside, known[i]);
        assert_string_equal(mst_document_format(document)->id, "sfa-kept");
        assert_nothing(document, NULL);
        mst_close(document);
    }
    /* not the zeros that usually follow */
    static const uint8_t after[][3] = {{0}, {1}, {0, 0, 9}};
    for (size_t i = 0; i < 3; i++) {
        writer_free(&w);
        w = wrap(ZLB, &inside);
        put_bytes_of(&w, after[i], 3);
        document = open_as(w.data, w.size, "sfa-packed", NULL);
        assert_writer(document, &w);
        assert_true(json_has(document, "\"original\":"));
        assert_round_trips(document);
        mst_close(document);
    }
    writer_free(&w);
    writer_free(&inside);
}

/* A fault is an error if the file consists of nothing else, and is reported with its place. */
static void damaged_entries_do_not_open(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(2, 7);
    static const struct {
        wrapping as;
        size_t at;
        uint8_t value;
        uint64_t offset;
    } cases[] = {
        {ZLB, 12, 1, 12},               /* the packed bytes run past the end */
        {ZLB, 10, 0x40, MST_NO_OFFSET}, /* it unpacks to fewer */
        {ZLB, 16, 0x59, MST_NO_OFFSET}, /* no stream */
        {DIR0, 8, 1, 8},                /* past the end */
        {LZO, 12, 1, 12},
        {FACEFEED, 8, 1, 8},     /* the extra data runs past the end */
        {FACEFEED, 30, 'C', 29}, /* no ZLB after it */
        {E0, 4, 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = wrap(cases[i].as, &inside);
        w.data[cases[i].at] = cases[i].value;
        mst_document *document;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .format = "sfa-packed"};
        assert_int_equal(mst_open_memory(w.data, w.size, &options, &document, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-ZLB");
        if (cases[i].offset != MST_NO_OFFSET)
            assert_int_equal(why.offset, cases[i].offset);
        writer_free(&w);
    }
    writer dir = {.big = true};
    put_dir(&dir, &inside, "DIR", (uint32_t)inside.size + 1);
    put_aligned(&dir, 0, 32);
    mst_document *document = open_named(&dir, NULL);
    assert_round_trips(document);
    assert_one(document, NULL, "SFA-DIR-SIZE", "");
    assert_stops(document, NULL, 1);
    mst_close(document);
    writer_free(&dir);
    writer_free(&inside);
}

/* ---- forms ---------------------------------------------------------------------------------------- */

/* The fields before the packed data: where they are cut off, and where they have impossible values. */
static void entries_that_make_no_sense_are_refused(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(1, 7);
    for (wrapping as = 0; as < KINDS; as++) {
        writer w = wrap(as, &inside);
        mst_document *document = open_as(w.data, w.size, "sfa-packed", NULL);
        const uint8_t *content;
        uint64_t content_size, length;
        size_t whole = (size_t)document->size;
        assert_true(mst_sfa_entry_content(document->data, whole, &content, &content_size, &length));
        assert_int_equal(length, whole);
        assert_int_equal(content_size, inside.size);
        size_t header = (size_t)(content - document->data);
        for (size_t size = 4; size < header; size++) {
            uint8_t *cut = exact_copy(document->data, size);
            mst_store32(cut, (uint32_t)(size - 4), true);
            counted memory = {0};
            mst_diagnostic why;
            assert_int_equal(serialize_parsed(document->format, cut, size, &memory, &why), MST_REFUSED);
            assert_string_equal(why.message, "a packed entry is incomplete");
            assert_false(mst_sfa_entry_content(cut, size, &content, &content_size, &length));
            assert_false(document->format->files.is_canonical(document->format, cut, 4, size));
            free(cut);
        }
        size_t wrapper = 8 + mst_load32(document->data + 4, true);
        uint8_t *wrong = exact_copy(document->data, whole);
        wrong[wrapper] = MST_SFA_KEPT + 1;
        counted memory = {0};
        assert_int_equal(serialize_parsed(document->format, wrong, whole, &memory, NULL), MST_REFUSED);
        wrong[wrapper] = MST_SFA_KEPT; /* has nothing after it */
        assert_int_equal(serialize_parsed(document->format, wrong, whole, &memory, NULL), MST_REFUSED);
        assert_false(mst_sfa_entry_content(wrong, whole - 1, &content, &content_size, &length));
        assert_false(mst_sfa_entry_content(wrong, 3, &content, &content_size, &length));
        free(wrong);
        mst_close(document);
        writer_free(&w);
    }
    writer_free(&inside);
}

/* Every field before the packed data is written; the stored form no longer applies. */
static void fields_of_wrappers_are_written(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(2, 7);
    static const struct {
        wrapping as;
        const char *path, *json;
        size_t at;
        const char *bytes;
    } cases[] = {
        {ZLB, "version", "9", 4, "\0\0\0\x09"},
        {LZO, "version", "1", 4, "\0\0\0\x01"}, /* unchanged */
        {DIR0, "version", "9", 4, "\0\0\0\x09"},
        {DIRN, "unknown_10", "\"000102030405060708090a0b0c0d0e0f\"", 16, "\x00\x01\x02\x03"},
        {DIR0, "unpadded", "true", 8, "\0\0\0\x30"},
        {FACEFEED, "unknown_10", "25", 16, "\0\0\0\x19"},
        {FACEFEED, "unknown_14", "26", 20, "\0\0\0\x1A"},
        {FACEFEED, "extra", "\"ff\"", 8, "\0\0\0\x01"},
        {FACEFEED, "extra", "\"6578747262\"", 25, "xtrb"},
        {FACEFEED, "packing", "\"modded\"", 29, "ZLB"},
        {E0, "packed_size", "27", 12, "\0\0\0\x1B"},
        {E0, "unknown_10", "28", 16, "\0\0\0\x1C"},
        {E0, "extra", "\"\"", 8, "\0\0\0\0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = wrap(cases[i].as, &inside);
        mst_document *document = open_as(w.data, w.size, "sfa-packed", NULL);
        mst_diagnostic why;
        size_t size;
        mst_status status = mst_set(document, cases[i].path, cases[i].json, &why);
        if (status != MST_OK)
            print_error("case %zu\n", i);
        MUST(status, &why);
        const uint8_t *bytes = mst_document_file(document, 0, NULL, &size);
        assert_memory_equal(bytes + cases[i].at, cases[i].bytes, 4);
        assert_round_trips(document);
        mst_close(document);
        writer_free(&w);
    }
    /* the stored bytes cannot be set to others */
    static const char *const stored[] = {"\"5a4c4200\"", "\"44495200000000010000003000000030\"", "\"00\""};
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        writer w = wrap(i < 2 ? ZLB : PLAIN, &inside);
        mst_document *document = open_as(w.data, w.size, "sfa-packed", NULL);
        mst_diagnostic why;
        assert_int_equal(mst_set(document, "original", stored[i], &why), MST_REFUSED);
        assert_string_equal(why.path, "original");
        assert_writer(document, &w);
        mst_close(document);
        writer_free(&w);
    }
    writer w = wrap(ZLB, &inside), modded = {.big = true};
    put_zlb(&modded, &inside, MODDED, 1);
    mst_document *document = open_as(w.data, w.size, "sfa-packed", NULL);
    must_set(document, "packing", "\"modded\"");
    must_set(document, "unpadded", "true");
    assert_writer(document, &modded);
    mst_close(document);
    writer_free(&modded);
    writer_free(&w);
    writer_free(&inside);
}

/* A wrapper without content, where content is required. */
static void entries_without_content_are_refused(void **state) {
    (void)state;
    needs_packing();
    for (unsigned i = 3; i < 5; i++) {
        opened o = open_kind(i);
        const uint8_t *content;
        uint64_t content_size, length;
        assert_true(
            mst_sfa_entry_content(o.document->data, o.document->size, &content, &content_size, &length));
        size_t header = (size_t)(content - o.document->data);
        uint8_t *cut = exact_copy(o.document->data, header);
        mst_store32(cut, (uint32_t)(header - 4), true);
        counted memory = {0};
        mst_diagnostic why;
        assert_int_equal(serialize_parsed(o.document->format, cut, header, &memory, &why), MST_REFUSED);
        assert_int_equal(why.status, MST_REFUSED);
        free(cut);
        close_kind(&o);
    }
}

/* Small things in entries that are optional in files. */
static void small_and_odd_entries(void **state) {
    (void)state;
    needs_packing();
    static const uint8_t feed[28] = {0xFA, 0xCE, 0xFE, 0xED};
    uint8_t header[4];
    mst_sfa_entry entry;
    mst_diagnostic why;
    assert_false(mst_sfa_is_wrapped((const uint8_t *)"DIRx", 4));
    assert_false(mst_sfa_is_wrapped((const uint8_t *)"ZLB", 3));
    assert_true(mst_sfa_is_wrapped((const uint8_t *)"DIRn", 4));
    assert_int_equal(mst_sfa_entry_read(feed, 23, &entry, &why), MST_DAMAGED);
    assert_string_equal(why.message, "the wrapper's header is cut off");
    assert_int_equal(mst_sfa_entry_read(feed, 28, &entry, &why), MST_DAMAGED);
    assert_string_equal(why.expected, "ZLB");
    assert_int_equal(why.offset, 24);
    assert_int_equal(mst_sfa_entry_read(feed, 28, &entry, NULL), MST_DAMAGED);
    assert_int_equal(mst_sfa_entry_peek(feed, 23, header, sizeof header), 0);
    writer nothing = {.big = true}, w = wrap(ZLB, &nothing);
    mst_document *document = open_as(w.data, w.size, "sfa-packed", NULL);
    assert_writer(document, &w);
    assert_round_trips(document);
    mst_close(document);
    writer_free(&w);
    /* an invalid texture: its stored form is not canonical */
    writer texture = make_texture(I8, 8, 4, 0, 32, 1);
    w = wrap(ZLB, &texture);
    document = open_named(&w, NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-texture");
    uint8_t *parsed = exact_copy(document->data, (size_t)document->size);
    assert_true(document->format->files.is_canonical(document->format, parsed, 4, document->size));
    const uint8_t *content;
    uint64_t size, length;
    assert_true(mst_sfa_entry_content(parsed, document->size, &content, &size, &length));
    parsed[(size_t)(content - parsed) + 1 + 0x0B] = 0; /* its width */
    assert_false(document->format->files.is_canonical(document->format, parsed, 4, document->size));
    free(parsed);
    mst_close(document);
    writer_free(&w);
    writer_free(&texture);
    /* nothing follows the kept entry: u32 size, u32 stored, wrapper, and one byte too many */
    static const uint8_t kept[10] = {0, 0, 0, 6, 0, 0, 0, 0, MST_SFA_KEPT, 1};
    counted memory = {0};
    assert_int_equal(serialize_parsed(&mst_format_sfa_packed, kept, 10, &memory, &why), MST_REFUSED);
#if SIZE_MAX > UINT32_MAX
    mst_buffer to = {0};
    mst_parsed_writer writing = {.to = &to, .limit = UINT64_MAX};
    mst_parsed_counted(&writing, "", (size_t)UINT32_MAX + 1); /* does not fit a u32 count */
    assert_int_equal(writing.status, MST_NO_MEMORY);
    mst_parsed_counted(&writing, "", (size_t)UINT32_MAX + 1);
    assert_int_equal(to.size, 0);
    mst_buffer_free(&to);
#endif
}

/* An entry that unpacks to more than a bank's limit is kept, and reported by checks. */
static void large_entries_are_kept(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    writer zeros = {.big = true};
    put_zeros(&zeros, 800000);
    mst_store32(t.tab.data, 0x81000000 | (uint32_t)(t.bin.size / 2), true);
    put_entry(&t.bin, &zeros, ZLB);
    mst_store32(t.tab.data + 32, sum_of(&t.tab, COUNT + 1), true);
    mst_document *document = must_open_two(&t);
    assert_one(document, NULL, "SFA-ZLB", "textures[0].frames[0]");
    findings list = check_all(document, NULL);
    assert_string_equal(list.items[0].message, "the unpacked content is not understood");
    findings_free(&list);
    assert_files(document, &t);
    mst_close(document);
    writer_free(&zeros);
    two_free(&t);
}

int test_sfa_entries(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_come_out_as_they_went_in),
        cmocka_unit_test(edited_lists_are_packed_as_they_were),
        cmocka_unit_test(odd_entries_are_kept),
        cmocka_unit_test(damaged_entries_do_not_open),
        cmocka_unit_test(small_and_odd_entries),
        cmocka_unit_test(large_entries_are_kept),
        cmocka_unit_test(entries_that_make_no_sense_are_refused),
        cmocka_unit_test(fields_of_wrappers_are_written),
        cmocka_unit_test(entries_without_content_are_refused),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
