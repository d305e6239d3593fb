/* SPDX-License-Identifier: MIT */
/* Two files that are one document: on disc, in JSON, and the map list that records facts about them. */
#define _XOPEN_SOURCE 700
#include "../src/formats/sfa/packing/bank.h"
#include "../src/read/engine.h"
#include "sfa_entries.h"
#include <sys/stat.h>

/* ---- files -------------------------------------------------------------------------------------- */

static void write_file(const char *name, const writer *w) {
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(w->data, 1, w->size, file), w->size);
    assert_int_equal(fclose(file), 0);
}

static bool is_there(const char *name) {
    return access(in_folder(name), F_OK) == 0;
}

static void assert_on_disc(const char *name, const writer *w) {
    size_t size;
    uint8_t *bytes = read_whole(in_folder(name), &size);
    assert_non_null(bytes);
    assert_int_equal(size, w->size);
    assert_memory_equal(bytes, w->data, size);
    free(bytes);
}

static unsigned files_in_folder(void) {
    unsigned count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(listing);
    return count;
}

static mst_document *open_file(const char *name, const mst_open_options *options) {
    mst_document *document = NULL;
    mst_diagnostic why;
    MUST(mst_open_file(in_folder(name), options, &document, &why), &why);
    return document;
}

static void pairs_on_disc(void **state) {
    (void)state;
    needs_packing();
    if (!make_folder())
        skip();
    two t = make_bank();
    mst_diagnostic why;
    const char *name;
    size_t size;
    /* found next to either, in any case, and saved under its own name */
    static const char *const names[][2] = {{"TEX1.bin", "TEX1.tab"},
                                           {"tex1.BIN", "tex1.TAB"},
                                           {"TEX1.bin", "tex1.TAB"},
                                           {"TeX0.bin", "TEX0.Tab"}};
    for (size_t i = 0; i < 4; i++)
        for (int by_table = 0; by_table < 2; by_table++) {
            clear_folder();
            write_file(names[i][0], &t.bin);
            write_file(names[i][1], &t.tab);
            mst_document *document = open_file(names[i][by_table], NULL);
            assert_string_equal(mst_document_format(document)->id, "sfa-textures");
            assert_files(document, &t);
            assert_string_equal(mst_document_name(document), names[i][0]);
            mst_document_file(document, 1, &name, &size);
            assert_string_equal(name, names[i][1]);
            MUST(mst_remove(document, "textures[4].frames[1]", &why), &why);
            mst_document_file(document, 1, &name, &size);
            assert_string_equal(name, names[i][1]);
            MUST(mst_save_file(document, in_folder(names[i][by_table]), &why), &why);
            two made = two_of(document, &t);
            assert_int_equal(files_in_folder(), 2);
            assert_on_disc(names[i][0], &made.bin);
            assert_on_disc(names[i][1], &made.tab);
            two_free(&made);
            mst_close(document);
        }
    /* under new names */
    clear_folder();
    write_file("TEX1.bin", &t.bin);
    write_file("TEX1.tab", &t.tab);
    mst_document *document = open_file("TEX1.bin", NULL);
    static const char *const saved[][3] = {
        {"new.bin", "new.bin", "new.tab"},        {"x.tab", "x.bin", "x.tab"},
        {"OUT.TAB", "OUT.BIN", "OUT.TAB"},        {"UP.BIN", "UP.BIN", "UP.TAB"},
        {"mod7.tab", "mod7.zlb.bin", "mod7.tab"}, {"nothing", "nothing", "nothing.tab"}};
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        MUST(mst_save_file(document, in_folder(saved[i][0]), &why), &why);
        assert_on_disc(saved[i][1], &t.bin);
        assert_on_disc(saved[i][2], &t.tab);
        assert_int_equal(files_in_folder(), 4 + 2 * i);
    }
    mst_close(document);
    /* not its own name, but still a place */
    mst_open_options named = {.size = sizeof named, .name = "TEX0.bin"};
    clear_folder();
    write_file("data", &t.bin);
    write_file("TEX0.tab", &t.tab);
    document = open_file("data", &named);
    assert_string_equal(mst_document_format(document)->id, "sfa-textures");
    assert_files(document, &t);
    mst_close(document);
    /* without its other file it is something else */
    unlink(in_folder("TEX0.tab"));
    document = open_file("data", &named);
    assert_string_equal(mst_document_format(document)->id, "sfa-kept");
    assert_one(document, NULL, "SFA-ALONE", "");
    mst_close(document);
    clear_folder();
    write_file("TEX1.tab", &t.tab);
    document = open_file("TEX1.tab", NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-table");
    assert_same_bytes(document, t.tab.data, t.tab.size);
    assert_one(document, NULL, "SFA-ALONE", "");
    mst_close(document);
    /* if both cannot be written, neither is */
    clear_folder();
    write_file("TEX1.bin", &t.bin);
    write_file("TEX1.tab", &t.tab);
    document = open_file("TEX1.bin", NULL);
    must_set(document, "textures[0].frames[0].usage", "2");
    assert_int_equal(mkdir(in_folder("y.tab"), 0700), 0);
    assert_int_equal(mst_save_file(document, in_folder("y.bin"), &why), MST_IO);
    assert_false(is_there("y.bin"));
    assert_int_equal(files_in_folder(), 3);
    mst_close(document);
    rmdir(in_folder("y.tab"));
    clear_folder();
    rmdir(folder);
    two_free(&t);
}

/* The bank without .zlb, as another version of the game has it, keeps that name. */
static void banks_keep_their_names(void **state) {
    (void)state;
    needs_packing();
    if (!make_folder())
        skip();
    two t = {.bin_name = "mod6.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer inside = make_objects(1, 1);
    put_entry(&t.bin, &inside, ZLB);
    writer_free(&inside);
    put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    for (int by_table = 0; by_table < 2; by_table++) {
        clear_folder();
        write_file("mod6.bin", &t.bin);
        write_file("mod6.tab", &t.tab);
        mst_document *document = open_file(by_table ? "mod6.tab" : "mod6.bin", NULL);
        mst_diagnostic why;
        must_set(document, "blocks[0].packed.version", "2");
        MUST(mst_save_file(document, in_folder(by_table ? "mod6.tab" : "mod6.bin"), &why), &why);
        two made = two_of(document, &t);
        assert_int_equal(made.bin.data[7], 2);
        assert_on_disc("mod6.bin", &made.bin);
        assert_int_equal(files_in_folder(), 2);
        two_free(&made);
        mst_close(document);
    }
    clear_folder();
    rmdir(folder);
    two_free(&t);
}

/* JSON has no files; the given name may be that of either. */
static void names_of_what_comes_from_json(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    mst_document *document = must_open_two(&t), *again;
    mst_buffer text = {0};
    mst_value root = mst_root(document);
    mst_diagnostic why;
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_close(document);
    static const char *const names[][3] = {{"TEX1.bin", "TEX1.bin", "TEX1.tab"},
                                           {"TEX1.tab", "TEX1.bin", "TEX1.tab"},
                                           {"dir/TEX1.TAB", "TEX1.BIN", "TEX1.TAB"},
                                           {"strange", "strange", ""},
                                           {NULL, "", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mst_open_options options = {.size = sizeof options, .name = names[i][0]};
        MUST(mst_open_json((const char *)text.data, text.size, &options, &again, &why), &why);
        assert_files(again, &t);
        for (size_t k = 0; k < 2; k++) {
            const char *name;
            size_t size;
            mst_document_file(again, k, &name, &size);
            assert_string_equal(name, names[i][k + 1]);
        }
        mst_close(again);
    }
    mst_buffer_free(&text);
    two_free(&t);
}

/* ---- facts stored elsewhere --------------------------------------------------------------------- */

/* Map 0, of one cell. */
static two make_maps(unsigned list_size, unsigned objects) {
    two t = {.bin_name = "MAPS.bin", .tab_name = "MAPS.tab"};
    writer *b = &t.bin, *tab = &t.tab;
    b->big = tab->big = true;
    put_u32(tab, 0);
    put_u16(b, 1), put_u16(b, 1), put_u32(b, 0);
    put_u16(b, (uint16_t)list_size);
    put_zeros(b, 18);
    put_u16(b, (uint16_t)objects);
    put_zeros(b, 26);
    put_u32(tab, (uint32_t)b->size);
    put_u32(b, 0x7F8000FFu);
    for (unsigned i = 0; i < 2; i++) {
        put_u32(tab, (uint32_t)b->size);
        put_u32(b, 0x77777777), put_u32(b, 0x77777777);
    }
    put_u32(tab, (uint32_t)b->size);
    put_u32(tab, (uint32_t)b->size);
    put_u32(tab, (uint32_t)b->size);
    put_u32(b, 0xFACEFEED);
    put_u32(b, list_size);
    put_u32(b, 0);
    put_u32(b, 32);
    put_u32(b, 0x18), put_u32(b, 0x1C), put_u32(b, 0), put_u32(b, 0);
    put_aligned(b, 0, 32);
    put_u32(tab, (uint32_t)b->size);
    put_u32(tab, MARK);
    put_aligned(tab, 0, 32);
    return t;
}

static void maps_follow_their_lists(void **state) {
    (void)state;
    needs_packing();
    writer inside = make_objects(3, 7), w = wrap(ZLB, &inside);
    two t = make_maps(72, 3), bank = make_bank();
    mst_document *maps = must_open_two(&t), *list = open_named(&w, "frontend.romlist.zlb");
    mst_document *other = open_named(&w, "nowhere.romlist.zlb"), *textures = must_open_two(&bank);
    mst_diagnostic why;
    assert_string_equal(mst_index_file(list), "MAPS.bin");
    assert_null(mst_index_file(maps));
    MUST(mst_remove(list, "objects[1]", &why), &why);
    MUST(mst_update_index(list, maps, &why), &why);
    assert_int_equal(number_of(maps, "maps[0].object_list_size"), 48);
    assert_int_equal(number_of(maps, "maps[0].object_count"), 2);
    assert_int_equal(number_of(maps, "maps[0].object_list.unpacked_size"), 48);
    size_t size;
    mst_document_file(list, 0, NULL, &size);
    assert_int_equal(number_of(maps, "maps[0].object_list.packed_size"), size);
    /* again: there are no changes */
    two made = two_of(maps, &t);
    MUST(mst_update_index(list, maps, &why), &why);
    assert_files(maps, &made);
    assert_int_equal(mst_update_index(other, maps, &why), MST_NO_PATH);
    assert_int_equal(mst_update_index(list, textures, &why), MST_NO_PATH);
    assert_int_equal(mst_update_index(textures, maps, &why), MST_UNSUPPORTED);
    mst_close(list);
    /* more than MAPS.bin can store */
    for (unsigned objects = 2730; objects <= 2731; objects++) {
        writer many = make_objects(objects, 1), packed = wrap(ZLB, &many);
        list = open_named(&packed, "frontend.romlist.zlb");
        mst_status status = mst_update_index(list, maps, &why);
        assert_int_equal(status, objects == 2730 ? MST_OK : MST_REFUSED);
        assert_int_equal(number_of(maps, "maps[0].object_count"), 2730);
        mst_close(list);
        writer_free(&packed);
        writer_free(&many);
    }
    assert_round_trips(maps);
    /* a number that differs from the object count is corrected; also without a diagnostic */
    MUST(mst_set(maps, "maps[0].object_count", "-1", &why), &why);
    list = open_named(&w, "frontend.romlist.zlb");
    MUST(mst_update_index(list, maps, NULL), NULL);
    assert_int_equal(number_of(maps, "maps[0].object_count"), 3);
    mst_close(list);
    writer large = make_objects(2731, 1), stored = wrap(PLAIN, &large);
    list = open_named(&stored, "frontend.romlist");
    assert_int_equal(mst_update_index(list, maps, NULL), MST_REFUSED);
    mst_close(list);
    writer_free(&stored);
    writer_free(&large);
    /* no list at all, and a name that no list has */
    static const uint8_t unknown[4] = {0xF0, 0xF0, 0xF0, 0xF0};
    mst_open_options named = {.size = sizeof named, .format = "sfa-romlist", .name = "frontend.romlist.zlb"};
    MUST(mst_open_memory(unknown, 4, &named, &list, &why), &why);
    assert_int_equal(mst_update_index(list, maps, &why), MST_REFUSED);
    assert_nothing(list, NULL);
    mst_close(list);
    char name[80];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    list = open_as(w.data, w.size, "sfa-romlist", name);
    assert_int_equal(mst_update_index(list, maps, &why), MST_NO_PATH);
    mst_close(list);
    mst_close(maps);
    /* whichever allocation fails, it is reported or not needed */
    shelf beside = {.count = 0};
    shelf_put(&beside, t.tab_name, t.tab.data, t.tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    list = open_named(&w, "frontend.romlist.zlb");
    MUST(mst_remove(list, "objects[1]", &why), &why);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {0};
        mst_open_options options = {.size = sizeof options,
                                    .name = t.bin_name,
                                    .sidecars = &resolver,
                                    .allocator = counted_allocator(&memory)};
        MUST(mst_open_memory(t.bin.data, t.bin.size, &options, &maps, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_update_index(list, maps, &why);
        bool failed = memory.failed;
        memory.fail_at = 0;
        assert_int_equal(status == MST_NO_MEMORY, status != MST_OK);
        assert_true(failed || status == MST_OK);
        mst_close(maps);
        assert_int_equal(memory.blocks, 0);
        if (!failed)
            break;
    }
    mst_close(list);
    mst_close(other);
    mst_close(textures);
    two_free(&made);
    two_free(&bank);
    two_free(&t);
    writer_free(&w);
    writer_free(&inside);
}

/* ---- forms ---------------------------------------------------------------------------------------- */

/* The stored files in JSON are verified. */
static void stored_files_that_say_something_else(void **state) {
    (void)state;
    needs_packing();
    static const char *const stored[] = {
        "\"original_tab\":\"00\"",               /* no end */
        "\"original_tab\":\"01000000ffffffff\"", /* another end */
        "\"original_bin\":\"0102\",\"original_tab\":\"00000001ffffffff\"",
    };
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        mst_document *document;
        mst_diagnostic why;
        size_t size;
        char text[160];
        snprintf(text, sizeof text, "{\"$format\":\"sfa-textures\",\"textures\":[],%s}", stored[i]);
        MUST(mst_open_json(text, strlen(text), NULL, &document, &why), &why);
        const uint8_t *table = mst_document_file(document, 1, NULL, &size);
        assert_int_equal(size, 64); /* the end of the bank, its mark, and the sum */
        assert_int_equal(mst_load32(table, true), 0);
        mst_document_file(document, 0, NULL, &size);
        assert_int_equal(size, 0);
        mst_close(document);
    }
}

static void names_of_pairs(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned attempt;
        int which;
        const char *other;
    } cases[] = {
        {"mod6.tab", 0, 1, "mod6.zlb.bin"},
        {"mod6.tab", 1, 1, "mod6.bin"},
        {"mod6.tab", 2, -1, ""},
        {"MOD6.TAB", 0, 1, "MOD6.ZLB.BIN"},
        {"TEX1.tab", 0, 1, "TEX1.bin"},
        {"TEX1.tab", 1, 1, "TEX1.zlb.bin"},
        {"mod:.tab", 0, 1, "mod:.bin"},
        {"MAPS.TAB", 0, 1, "MAPS.BIN"},
        {"MAPS.BIN", 0, 0, "MAPS.TAB"},
        {"MAPS.bin", 0, 0, "MAPS.tab"},
        {"MAPS.bin", 1, -1, ""},
        {"a.zlb.bin", 0, 0, "a.tab"},
        {"a.zlb.bin", 1, -1, ""},
        {".zlb.bin", 0, 0, ".zlb.tab"},
        {".tab", 0, -1, ""},
        {".bin", 0, -1, ""},
        {"a.txt", 0, -1, ""},
        {"a.Bin", 0, 0, "a.tab"},
        {"a_.{in", 0, -1, ""},
        {"mod.tab", 0, 1, "mod.bin"},
        {"Mod7.tab", 0, 1, "Mod7.zlb.bin"},
        {"x7.tab", 0, 1, "x7.bin"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char other[32] = "";
        int which = mst_sfa_sidecar(cases[i].name, cases[i].attempt, other, sizeof other);
        if (which != cases[i].which || strcmp(which < 0 ? "" : other, cases[i].other) != 0)
            print_error("%s, %u: %d %s\n", cases[i].name, cases[i].attempt, which, other);
        assert_int_equal(which, cases[i].which);
        if (which >= 0)
            assert_string_equal(other, cases[i].other);
        /* there is no room for its end */
        if (which >= 0)
            assert_int_equal(mst_sfa_sidecar(cases[i].name, cases[i].attempt, other, strlen(cases[i].other)),
                             -1);
    }
}

int test_sfa_pairs(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_on_disc),
        cmocka_unit_test(banks_keep_their_names),
        cmocka_unit_test(names_of_what_comes_from_json),
        cmocka_unit_test(maps_follow_their_lists),
        cmocka_unit_test(stored_files_that_say_something_else),
        cmocka_unit_test(names_of_pairs),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
