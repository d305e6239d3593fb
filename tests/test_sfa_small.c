/* SPDX-License-Identifier: MIT */
/* Star Fox Adventures: names of directories, maps and types, and the small tables. */
#include "../src/formats/sfa/sfa_names.h"
#include "sfa_small.h"
#include "stopping.h"
#include <mapstone/document.h>

static uint64_t count_at(const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    return mst_count(&value);
}

/* ---- names -------------------------------------------------------------------------------------- */

static void directories(void **state) {
    (void)state;
    static const struct {
        int number, parent, file;
        const char *name;
        bool files;
    } cases[] = {
        {0, -1, 0, "animtest", false},    {3, -1, 3, "arwing", true},         {4, -1, 4, "dragrock", true},
        {5, -1, 6, "animtest", true},     {9, 12, 10, "mazecave", true},      {11, -1, 12, "dfalls", false},
        {13, 15, 14, "shipbattle", true}, {24, 18, 25, "clouddungeon", true}, {28, 6, 29, "desert", true},
        {33, -1, 34, "animtest", false},  {35, 34, 36, "bossgaldon", true},   {47, -1, 48, "capeclaw", true},
        {48, 5, 49, "dbay", false},       {54, 30, 55, "linkb", true},        {71, 47, 72, "linkj", true},
        {72, -1, 73, "linki", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mst_sfa_directory *d = mst_sfa_directory_of(cases[i].number);
        assert_non_null(d);
        assert_int_equal(d->number, cases[i].number);
        assert_string_equal(d->name, cases[i].name);
        assert_int_equal(d->parent, cases[i].parent);
        assert_int_equal(d->has_files, cases[i].files);
        assert_int_equal(mst_sfa_file_number(cases[i].number), cases[i].file);
        assert_int_equal(mst_sfa_directory_of_file(cases[i].file), cases[i].number);
    }
    assert_null(mst_sfa_directory_of(-1));
    assert_null(mst_sfa_directory_of(73));
    assert_null(mst_sfa_directory_of(255));
    assert_int_equal(mst_sfa_directory_of_file(5), -1);
    assert_int_equal(mst_sfa_directory_of_file(74), -1);
    assert_int_equal(mst_sfa_directory_of_file(-1), -1);
    unsigned files = 0, parents = 0;
    for (int i = 0; i < MST_SFA_DIRECTORIES; i++) {
        const mst_sfa_directory *d = mst_sfa_directory_of(i);
        assert_int_equal(d->number, i);
        files += d->has_files;
        parents += d->parent >= 0;
        if (d->parent >= 0)
            assert_true(mst_sfa_directory_of(d->parent)->has_files);
        if (d->has_files)
            assert_ptr_equal(mst_sfa_directory_named(d->name), d);
    }
    assert_int_equal(files, 52);
    assert_int_equal(parents, 23);
    assert_int_equal(mst_sfa_directory_named("AnimTest")->number, 5);
    assert_int_equal(mst_sfa_directory_named("DFALLS")->number, 11);
    assert_null(mst_sfa_directory_named("anim"));
    assert_null(mst_sfa_directory_named(""));
}

static void maps(void **state) {
    (void)state;
    static const struct {
        int number, directory, kind, object;
        const char *list, *name;
    } cases[] = {
        {0, 13, 0, 0, "frontend", "Ship Battle"},
        {1, 5, 3, 0, "frontend2", "ZNot Used - Front End2"},
        {7, 12, 0, 0, "hollow", "ThornTail Hollow"},
        {38, 3, 4, 0, "arwing", "ArWing Level - Andross"},
        {54, 38, 0, 0, "magicave", "Magic Cave - Small\\Big"},
        {74, 72, 0, 0, "linki", "LinkI - CloudRunner2Race"},
        {80, -1, 1, 0x8E, "galleonship", "galleonship"},
        {114, -1, 1, 0, "KamColumn", "kameriancolumn"},
        {116, -1, 1, 0x857, "vfppushblock", "vfppushblock"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mst_sfa_map *m = mst_sfa_map_of(cases[i].number);
        assert_non_null(m);
        assert_int_equal(m->number, cases[i].number);
        assert_int_equal(m->directory, cases[i].directory);
        assert_int_equal(m->kind, cases[i].kind);
        assert_int_equal(m->object_type, cases[i].object);
        assert_string_equal(m->list, cases[i].list);
        assert_string_equal(m->name, cases[i].name);
    }
    unsigned kinds[5] = {0}, carried = 0;
    for (int i = 0; i < MST_SFA_MAPS; i++) {
        const mst_sfa_map *m = mst_sfa_map_of(i);
        kinds[m->kind]++;
        carried += m->object_type != 0;
        assert_int_equal(m->number, i);
        assert_true(strlen(m->name) <= 28);
        assert_true((m->directory < 0) == (m->kind == MST_SFA_SUB_MAP));
        assert_ptr_equal(mst_sfa_map_of_list(m->list), m);
        assert_false(mst_sfa_is_list_of_no_map(m->list));
        if (m->object_type)
            assert_int_equal(m->kind, MST_SFA_SUB_MAP);
    }
    assert_int_equal(kinds[MST_SFA_SUB_MAP], 42);
    assert_int_equal(kinds[MST_SFA_SPECIAL_SUB_MAP], 1);
    assert_int_equal(kinds[MST_SFA_SPECIAL], 0);
    assert_int_equal(carried, 28);
    assert_null(mst_sfa_map_of(-1));
    assert_null(mst_sfa_map_of(117));
    assert_int_equal(mst_sfa_map_of_list("KAMCOLUMN")->number, 114);
    assert_int_equal(mst_sfa_map_of_list("ccbridge")->number, 86);
    assert_null(mst_sfa_map_of_list("shlily"));
    static const char *const none[] = {"cfledge",    "dimcannon",     "dimcannonbase", "drhighplat",
                                       "goldplains", "greatfoxworld", "SHlily"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_true(mst_sfa_is_list_of_no_map(none[i]));
}

static void types(void **state) {
    (void)state;
    static const struct {
        int type;
        unsigned words;
        const char *name;
    } cases[] = {
        {0x002, 10, "SH_newseqob"}, {0x005, 16, "checkpoint4"}, {0x00D, 8, "setuppoint"},
        {0x0C2, 6, "CFPrisonUnc"},  {0x06E, 0, "curve"},        {0x3D9, 23, "KT_Rex"},
        {0x4D7, 14, "WB"},          {0x61B, 16, "LGTPointLig"}, {0x889, 10, "WC_LandingP"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mst_sfa_object_type *t = mst_sfa_object_type_of(cases[i].type);
        assert_non_null(t);
        assert_int_equal(t->type, cases[i].type);
        assert_int_equal(t->words, cases[i].words);
        assert_string_equal(t->name, cases[i].name);
    }
    assert_null(mst_sfa_object_type_of(0));
    assert_null(mst_sfa_object_type_of(3));
    assert_null(mst_sfa_object_type_of(-2));
    assert_null(mst_sfa_object_type_of(0x88A));
    size_t count = 0;
    int before = -1;
    for (const mst_sfa_object_type *t; (t = mst_sfa_object_type_at(count)) != NULL; count++) {
        assert_true(t->type > before);
        assert_true(t->type == MST_SFA_CURVE ? !t->words : t->words >= 6 && t->words <= 23);
        assert_true(strlen(t->name) >= 2 && strlen(t->name) <= 11);
        assert_ptr_equal(mst_sfa_object_type_of(t->type), t);
        before = t->type;
    }
    assert_int_equal(count, 814);
    for (unsigned kind = 0; kind < 256; kind++) {
        unsigned words = kind == 9 || kind == 0x15 || kind == 0x17 || kind == 0x1B ? 14
                         : kind == 8 || kind == 0x1A                               ? 15
                         : kind == 0x26                                            ? 17
                                                                                   : 13;
        for (unsigned w = 0; w < 24; w++)
            assert_int_equal(mst_sfa_width_known(MST_SFA_CURVE, kind, w), w == words);
    }
    assert_true(mst_sfa_width_known(2, 8, 10));
    assert_false(mst_sfa_width_known(2, 8, 9));
    assert_false(mst_sfa_width_known(3, 0, 0));
    assert_int_equal(mst_sfa_words_of(3, 0), 0);
}

static void file_names(void **state) {
    (void)state;
    assert_string_equal(mst_sfa_file_name("a/b\\c!d/E.bin"), "E.bin");
    assert_string_equal(mst_sfa_file_name("E.bin"), "E.bin");
    assert_string_equal(mst_sfa_file_name("disc.iso!E.bin"), "E.bin");
    assert_string_equal(mst_sfa_file_name("a/"), "");
    assert_true(mst_same_text("MapInfo.BIN", "MAPINFO.bin"));
    assert_false(mst_same_text("MAPINFO.bin", "MAPINFO.bi"));
    assert_false(mst_same_text("[", "{"));
    assert_true(mst_sfa_name_ends("x.RomList.zlb", ".romlist.zlb"));
    assert_false(mst_sfa_name_ends("zlb", ".romlist.zlb"));
}

/* ---- the tables --------------------------------------------------------------------------------- */

static void found_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < SFA_TABLES; i++) {
        writer w = {.big = true};
        sfa_tables[i].write(&w);
        char names[4][96], lower[64] = "";
        for (size_t k = 0; sfa_tables[i].file[k]; k++)
            lower[k] = (char)(sfa_tables[i].file[k] | (sfa_tables[i].file[k] == '.' ? 0 : 32));
        snprintf(names[0], sizeof names[0], "%s", sfa_tables[i].file);
        snprintf(names[1], sizeof names[1], "some/where/%s", lower);
        snprintf(names[2], sizeof names[2], "disc.iso!%s", sfa_tables[i].file);
        snprintf(names[3], sizeof names[3], "disc.iso!folder/%s", lower);
        for (int k = 0; k < 4; k++) {
            const mst_format_information *format = mst_identify(w.data, w.size, w.size, names[k], NULL);
            assert_non_null(format);
            assert_string_equal(format->id, sfa_tables[i].id);
        }
        const mst_format_information *other = mst_identify(w.data, w.size, w.size, NULL, NULL);
        assert_true(!other || strncmp(other->id, "sfa-", 4) != 0);
        snprintf(names[0], sizeof names[0], "my%s", sfa_tables[i].file);
        other = mst_identify(w.data, w.size, w.size, names[0], NULL);
        assert_true(!other || strncmp(other->id, "sfa-", 4) != 0);
        writer_free(&w);
    }
}

static void tables_survive(void **state) {
    (void)state;
    for (size_t i = 0; i < SFA_TABLES; i++) {
        writer w = {.big = true};
        sfa_tables[i].write(&w);
        mst_document *d = open_named(&w, sfa_tables[i].file);
        assert_string_equal(mst_document_format(d)->id, sfa_tables[i].id);
        assert_int_equal(count_at(d, sfa_tables[i].list), sfa_tables[i].rows);
        assert_round_trips(d);
        findings list = {0};
        mst_diagnostic why;
        mst_check_options options = {.size = sizeof options, .information = 1};
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        assert_int_equal(list.count, 0);
        findings_free(&list);
        mst_close(d);
        /* every truncation, and every changed byte, opens and survives */
        for (size_t size = 1; size < w.size; size++) {
            writer part = {.data = w.data, .size = size};
            d = open_named(&part, sfa_tables[i].file);
            assert_round_trips(d);
            mst_close(d);
        }
        for (size_t at = 0; at < w.size; at++)
            for (unsigned value = 0; value < 256; value += 51) {
                uint8_t old = w.data[at];
                w.data[at] = (uint8_t)value;
                d = open_named(&w, sfa_tables[i].file);
                assert_round_trips(d);
                mst_close(d);
                w.data[at] = old;
            }
        writer_free(&w);
    }
}

static void fields(void **state) {
    (void)state;
    mst_value value;
    char text[64];
    writer w = {.big = true};
    sfa_write_mapinfo(&w);
    mst_document *d = open_named(&w, "MAPINFO.bin");
    MUST(mst_find(mst_root(d), "maps[2].name", &value, NULL), NULL);
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, "twenty-eight letters long it");
    assert_int_equal(number_at(d, "maps[1].type"), 1);
    assert_int_equal(number_at(d, "maps[1].unknown_1D"), 0x1D);
    assert_int_equal(number_at(d, "maps[1].object_type"), 0x8E);
    assert_int_equal(number_at(d, "maps[2].object_type"), -1);
    mst_close(d);
    writer_free(&w);
    sfa_write_globalma(&w);
    d = open_named(&w, "globalma.bin");
    assert_int_equal(number_at(d, "placements[1].grid_x"), -28);
    assert_int_equal(number_at(d, "placements[1].grid_z"), 17);
    assert_int_equal(number_at(d, "placements[1].layer"), -2);
    assert_int_equal(number_at(d, "placements[1].map"), 2);
    assert_int_equal(number_at(d, "placements[1].links[1]"), 52);
    assert_int_equal(number_at(d, "placements[2].links[1]"), -1);
    MUST(mst_find(mst_root(d), "tail", &value, NULL), NULL);
    uint64_t offset, length;
    mst_value_span(&value, &offset, &length);
    assert_int_equal(offset, 36);
    assert_int_equal(length, 28);
    mst_close(d);
    writer_free(&w);
    sfa_write_warptab(&w);
    d = open_named(&w, "WARPTAB.bin");
    assert_int_equal(number_at(d, "warps[1].layer"), -2);
    assert_int_equal(number_at(d, "warps[4].angle"), 160);
    double real;
    MUST(mst_find(mst_root(d), "warps[3].position[0]", &value, NULL), NULL);
    MUST(mst_get_real(&value, &real), NULL);
    assert_true(real == 4.5);
    mst_close(d);
    writer_free(&w);
    sfa_write_trkblk(&w);
    d = open_named(&w, "TRKBLK.tab");
    assert_int_equal(number_at(d, "first_blocks[2]"), 58);
    assert_int_equal(number_at(d, "end_mark"), 0xFFFF);
    mst_close(d);
    writer_free(&w);
    sfa_write_objindex(&w);
    d = open_named(&w, "OBJINDEX.bin");
    assert_int_equal(number_at(d, "definitions[0]"), -1);
    mst_close(d);
    writer_free(&w);
}

/* Each code from exactly one change. */
static void codes(void **state) {
    (void)state;
    static const struct {
        size_t table, offset;
        uint16_t value;
        size_t size; /* 0: all */
        const char *code, *path;
    } cases[] = {
        {1, 30, 0, 0, "SFA-GLOBAL-LINK", "placements[2].map"},       /* placed twice, and 52 is missing */
        {1, 22, 51, 0, "SFA-GLOBAL-LINK", "placements[1].links[1]"}, /* not placed */
        {1, 20, 0xFFFE, 0, "SFA-GLOBAL-LINK", "placements[1].links[0]"},
        {1, 16, 3, 0, "SFA-GLOBAL-PLACE", "placements[1].layer"},
        {1, 4, 0xFFFD, 0, "SFA-GLOBAL-PLACE", "placements[0].layer"},
        {1, 42, 0xFFFE, 0, "SFA-GLOBAL-PLACE", "tail"}, /* still an end */
        {1, 30, 0xFF34, 0, "SFA-GLOBAL-PLACE", "tail"}, /* not an end before, but now; and 52 is missing */
        {2, 0, 0, 8, "SFA-TAB", "first_blocks"},
        {2, 8, 5, 0, "SFA-TAB", "first_blocks"},
        {3, 12, 3, 0, "SFA-WARP-LAYER", "warps[0].layer"},
        {3, 28, 0xFFFD, 0, "SFA-WARP-LAYER", "warps[1].layer"},
        {0, 0, 0, 95, "SFA-TABLE-CUT", "tail"},
        {0, 0, 0, 1, "SFA-TABLE-CUT", "tail"},
        {1, 0, 0, 36, "SFA-TAB", "placements"}, /* the end mark is missing */
        {3, 0, 0, 79, "SFA-TABLE-CUT", "tail"},
        {4, 0, 0, 5, "SFA-TABLE-CUT", "tail"},
        {5, 0, 0, 3, "SFA-TABLE-CUT", "tail"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {.big = true};
        sfa_tables[cases[i].table].write(&w);
        size_t whole = w.size;
        if (cases[i].size)
            w.size = cases[i].size;
        else
            mst_store16(w.data + cases[i].offset, cases[i].value, true);
        mst_document *d = open_named(&w, sfa_tables[cases[i].table].file);
        findings list = {0};
        mst_diagnostic why;
        mst_check_options options = {.size = sizeof options, .information = 1};
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        /* a removed map is missing for those linked with it */
        size_t links = count_code(&list, "SFA-GLOBAL-LINK");
        bool of_links = strcmp(cases[i].code, "SFA-GLOBAL-LINK") == 0;
        assert_int_equal(links, cases[i].offset != 30 ? of_links : of_links ? 3 : 1);
        assert_int_equal(list.count, of_links ? links : links + 1);
        assert_string_equal(list.items[0].code, cases[i].code);
        assert_string_equal(list.items[0].path, cases[i].path);
        findings_free(&list);
        mst_close(d);
        w.size = whole;
        writer_free(&w);
    }
}

/* Stopped at any finding, and without a resolver. */
static void stops(void **state) {
    (void)state;
    writer w = {.big = true};
    sfa_write_globalma(&w);
    mst_store16(w.data + 30, 0, true); /* placed twice */
    mst_store16(w.data + 8, 51, true); /* not placed */
    mst_store16(w.data + 10, 51, true);
    w.size = 36; /* no end */
    mst_document *d = open_named(&w, "globalma.bin");
    assert_stops(d, NULL, 5);
    mst_close(d);
    writer_free(&w);
    w.big = true, sfa_write_warptab(&w);
    for (unsigned i = 0; i < 2; i++)
        mst_store16(w.data + 16 * i + 12, 3, true);
    w.size -= 1;
    d = open_named(&w, "WARPTAB.bin");
    assert_stops(d, NULL, 3);
    mst_resolver none = {0};
    assert_stops(d, &none, 3);
    stopping s = {.at = SIZE_MAX};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(d, NULL, stop_at, &s, &result, &why), &why);
    assert_int_equal(s.heard, 3);
    mst_close(d);
    w.size += 1;
    writer_free(&w);
}

/* More placements, and numbers of blocks, than fit in the first block of memory. */
static void too_little_memory(void **state) {
    (void)state;
    writer w = {.big = true};
    for (int i = 0; i < 9000; i++)
        sfa_put_placement(&w, i, i, i == 8999 ? 3 : 0, i, i, -1);
    sfa_put_placement(&w, 0, 0, 0, -1, -1, -1);
    const mst_open_options placements = {.size = sizeof placements, .name = "globalma.bin"};
    assert_check_without_memory(w.data, w.size, &placements, NULL);
    writer_free(&w);
    w = (writer){.big = true};
    memset(put(&w, 18000), 0, 18000);
    put_u16(&w, 0xFFFF);
    const mst_open_options numbers = {.size = sizeof numbers, .name = "TRKBLK.tab"};
    assert_check_without_memory(w.data, w.size, &numbers, NULL);
    writer_free(&w);
}

static void edits(void **state) {
    (void)state;
    writer w = {.big = true};
    sfa_write_globalma(&w);
    mst_document *d = open_named(&w, "globalma.bin");
    mst_diagnostic why;
    MUST(mst_set(d, "placements[1].grid_x", "-30", &why), &why);
    mst_value old, map;
    int64_t before, number;
    MUST(mst_find(mst_root(d), "placements[1].map", &old, &why), &why);
    MUST(mst_get_integer(&old, &before), &why);
    MUST(mst_set(d, "placements[1].map", "hollow2", &why), &why);
    MUST(mst_find(mst_root(d), "placements[1].map", &map, &why), &why);
    MUST(mst_get_integer(&map, &number), &why);
    assert_int_equal(number, 8);
    char text[8];
    snprintf(text, sizeof text, "%d", (int)before);
    MUST(mst_set(d, "placements[1].map", text, &why), &why);
    assert_int_equal(number_at(d, "placements[1].grid_x"), -30);
    MUST(mst_insert(d, "placements[3]", "{\"grid_x\":1,\"grid_z\":2,\"layer\":0,\"map\":7,\"links\":[-1,-1]}",
                    &why),
         &why);
    assert_int_equal(count_at(d, "placements"), 4);
    MUST(mst_remove(d, "placements[3]", &why), &why);
    assert_int_equal(mst_set(d, "placements[1].map", "-1", &why), MST_REFUSED); /* it would end the list */
    assert_int_equal(count_at(d, "placements"), 3);
    mst_close(d);
    writer_free(&w);
    sfa_write_mapinfo(&w);
    d = open_named(&w, "MAPINFO.bin");
    MUST(mst_set(d, "maps[0].type", "special_map", &why), &why);
    assert_int_equal(number_at(d, "maps[0].type"), 4);
    assert_int_equal(mst_set(d, "maps[0].name", "\"more than twenty-eight letters\"", &why), MST_ARGUMENT);
    mst_close(d);
    writer_free(&w);
}

/* ---- the corpus --------------------------------------------------------------------------------- */

static mst_document *open_corpus(const char *path, const char *name, uint8_t **bytes) {
    size_t size;
    *bytes = corpus_read(path, &size);
    writer w = {.data = *bytes, .size = size};
    mst_document *d = open_named(&w, name);
    assert_round_trips(d);
    return d;
}

static void corpus(void **state) {
    (void)state;
    uint8_t *bytes;
    mst_value value;
    char path[64], text[64];
    mst_document *d = open_corpus("sfa/mini/MAPINFO.bin", "MAPINFO.bin", &bytes);
    assert_int_equal(count_at(d, "maps"), 117);
    for (int i = 0; i < MST_SFA_MAPS; i++) { /* it has two maps; the others are numbered */
        char expected[64];
        snprintf(expected, sizeof expected, "ZNot Used - %d", i);
        snprintf(path, sizeof path, "maps[%d].name", i);
        MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
        MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
        assert_string_equal(text, i == 0 || i == 26 ? mst_sfa_map_of(i)->name : expected);
    }
    mst_close(d);
    free(bytes);

    d = open_corpus("sfa/mini/globalma.bin", "globalma.bin", &bytes);
    assert_int_equal(count_at(d, "placements"), 2);
    mst_close(d);
    free(bytes);

    d = open_corpus("sfa/mini/TRKBLK.tab", "TRKBLK.tab", &bytes);
    /* directories 5 and 13 have blocks: four and one */
    for (int i = 0; i < 73; i++) {
        snprintf(path, sizeof path, "first_blocks[%d]", i);
        int64_t begin = number_at(d, path);
        snprintf(path, sizeof path, "first_blocks[%d]", i + 1);
        assert_int_equal(number_at(d, path) - begin, i == 5 ? 4 : i == 13 ? 1 : 0);
    }
    mst_close(d);
    free(bytes);

    d = open_corpus("sfa/mini/WARPTAB.bin", "WARPTAB.bin", &bytes);
    assert_int_equal(count_at(d, "warps"), 128);
    unsigned used = 0;
    for (int i = 0; i < 128; i++)
        for (int k = 0; k < 16; k++)
            if (bytes[16 * i + k]) {
                used++;
                break;
            }
    assert_int_equal(used, 4);
    mst_close(d);
    free(bytes);
}

/* Some of the placements of a disc. */
static void world(void **state) {
    (void)state;
    static const struct {
        int map, x, z, layer;
    } cases[] = {{0, 0, 23, 0},     {2, -28, 17, 0},   {3, 24, 46, 0},  {8, -11, -5, -1},
                 {27, -15, 28, -2}, {38, -19, -27, 2}, {44, 14, 37, 1}, {74, -24, 50, 0}};
    uint8_t *bytes;
    mst_document *d = open_corpus("sfa/samples/globalma.amethyst.bin", "globalma.bin", &bytes);
    assert_int_equal(count_at(d, "placements"), 62);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        int found = 0;
        for (int k = 0; k < 62; k++) {
            snprintf(path, sizeof path, "placements[%d].map", k);
            if (number_at(d, path) != cases[i].map)
                continue;
            found++;
            snprintf(path, sizeof path, "placements[%d].grid_x", k);
            assert_int_equal(number_at(d, path), cases[i].x);
            snprintf(path, sizeof path, "placements[%d].grid_z", k);
            assert_int_equal(number_at(d, path), cases[i].z);
            snprintf(path, sizeof path, "placements[%d].layer", k);
            assert_int_equal(number_at(d, path), cases[i].layer);
        }
        assert_int_equal(found, 1);
    }
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 0);
    findings_free(&list);
    mst_close(d);
    free(bytes);
}

int test_sfa_small(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories),
        cmocka_unit_test(maps),
        cmocka_unit_test(types),
        cmocka_unit_test(file_names),
        cmocka_unit_test(found_by_name),
        cmocka_unit_test(tables_survive),
        cmocka_unit_test(fields),
        cmocka_unit_test(codes),
        cmocka_unit_test(edits),
        cmocka_unit_test(stops),
        cmocka_unit_test(too_little_memory),
        cmocka_unit_test(corpus),
        cmocka_unit_test(world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
