/* SPDX-License-Identifier: MIT */
/* Blocks that are added to a bank or removed from it: afterwards every file of the set is as if it had been
 * made with or without them. */
#include <mapstone/edit.h>
#include <mapstone/level.h>

#include "scratch.h"
#include "sfa_maps.h"
#include <sys/stat.h>

/* ---- a set, by hand ------------------------------------------------------------------------------ */

#define MODS   73
#define MOST   80 /* blocks of a directory */
#define CELLS  12
#define FIRST  5  /* animtest, mod6 */
#define SECOND 13 /* shipbattle, mod14 */
#define PLACES 0xFFFFFFFFu

typedef struct block {
    uint8_t tag;
    uint8_t lines; /* chunks of 32 bytes in HITS.bin */
    bool absent, room;
} block;

typedef struct set {
    block first[MOST], second[4];
    unsigned count, others;
    uint32_t cells[CELLS];
    bool all_rooms; /* tables of voxel maps extend to the last block of all */
    bool odd;       /* the second directory's tables have bytes after the end mark */
    bool copy;      /* the disc's root also has the banks */
} set;

/* The blocks a b c d of the first directory (c has no model), e of the second. */
static set usual(void) {
    return (set){
        .first = {{'a', 1, false, true}, {'b', 0, false, false}, {'c', 3, true, true}, {'d', 2, false, true}},
        .second = {{'e', 1, false, true}},
        .count = 4,
        .others = 1,
        .cells = {CELL(FIRST, 0, 127), CELL(FIRST, 1, 3), CELL(SECOND, 0, 0), CELL(FIRST, 3, 127),
                  CELL(FIRST, 3, 1) | 0x155u << 7, CELL(FIRST, 1, 127) | 1u << 31, CELL(FIRST, 6, 127),
                  CELL(155, 38, 77) | 1u << 31, CELL(200, 0, 127), CELL(255, 2, 127), CELL(33, 0, 127),
                  CELL(FIRST, 63, 127)}};
}

static void save_writer(const char *folder, const char *name, writer *w) {
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (w->size)
        assert_int_equal(fwrite(w->data, 1, w->size, file), w->size);
    assert_int_equal(fclose(file), 0);
    writer_free(w);
}

static void end_table(writer *w, bool odd) {
    put_u32(w, PLACES);
    if (odd)
        put_u32(w, 0x12345678);
    else
        put_aligned(w, 32);
}

/* An entry with an unknown wrapper. */
static void put_entry(writer *bin, writer *tab, bool present, uint8_t tag) {
    put_u32(tab, present ? 0x10000000u | (uint32_t)bin->size : 0);
    if (present)
        memset(put(bin, 32), tag, 32);
}

/* The table and the bank of a directory: its blocks, or their voxel maps. */
static void save_bank(const set *s, const char *folder, const char *bin_name, const char *tab_name,
                      bool second, bool rooms) {
    writer bin = {.big = true}, tab = {.big = true};
    unsigned before = second ? s->count : 0, count = second ? s->others : s->count;
    const block *blocks = second ? s->second : s->first;
    for (unsigned i = 0; i < before; i++)
        put_u32(&tab, 0);
    for (unsigned i = 0; i < count; i++)
        put_entry(&bin, &tab, rooms ? blocks[i].room : !blocks[i].absent,
                  (uint8_t)(blocks[i].tag + (rooms ? 64 : 0)));
    for (unsigned i = before + count; rooms && s->all_rooms && i < s->count + s->others; i++)
        put_u32(&tab, 0);
    end_table(&tab, s->odd && second);
    save_writer(folder, bin_name, &bin);
    save_writer(folder, tab_name, &tab);
}

static void save_hits(const set *s, const char *folder) {
    writer bin = {.big = true}, tab = {.big = true};
    for (unsigned i = 0; i < s->count + s->others; i++) {
        const block *b = i < s->count ? &s->first[i] : &s->second[i - s->count];
        put_u32(&tab, (uint32_t)bin.size);
        for (unsigned k = 0; k < b->lines * 32u; k++)
            put_u8(&bin, k % 20 == 1 && k / 20 < b->lines * 32u / 20 ? b->tag : 0);
    }
    put_u32(&tab, (uint32_t)bin.size);
    end_table(&tab, false);
    save_writer(folder, "HITS.bin", &bin);
    save_writer(folder, "HITS.tab", &tab);
}

static void save_set(const set *s, const char *folder) {
    char path[2][60];
    writer first = {.big = true};
    two maps = begin_maps();
    plan map = {.columns = 4, .rows = 3, .cells = s->cells};
    snprintf(path[0], sizeof path[0], "%s/animtest", folder);
    snprintf(path[1], sizeof path[1], "%s/shipbattle", folder);
    mkdir(folder, 0777);
    for (unsigned i = 0; i < 2; i++) {
        mkdir(path[i], 0777);
        save_bank(s, path[i], i ? "mod14.zlb.bin" : "mod6.zlb.bin", i ? "mod14.tab" : "mod6.tab", i, false);
        save_bank(s, path[i], "VOXMAP.bin", "VOXMAP.tab", i, true);
    }
    for (unsigned mod = 0; mod <= MODS; mod++)
        put_u16(&first, (uint16_t)((mod > FIRST ? s->count : 0) + (mod > SECOND ? s->others : 0)));
    put_u16(&first, 0xFFFF);
    put_aligned(&first, 32);
    save_writer(folder, "TRKBLK.tab", &first);
    put_stub_map(&maps);
    put_map(&maps, &map);
    end_maps(&maps);
    save_writer(folder, "MAPS.bin", &maps.bin);
    save_writer(folder, "MAPS.tab", &maps.tab);
    save_hits(s, folder);
    if (s->copy) {
        writer bank = {.big = true};
        put_u32(&bank, 1);
        save_writer(folder, "mod6.zlb.bin", &bank);
    }
}

static const char *const files[] = {"TRKBLK.tab",
                                    "HITS.bin",
                                    "HITS.tab",
                                    "MAPS.bin",
                                    "MAPS.tab",
                                    "animtest/mod6.zlb.bin",
                                    "animtest/mod6.tab",
                                    "animtest/VOXMAP.bin",
                                    "animtest/VOXMAP.tab",
                                    "shipbattle/mod14.zlb.bin",
                                    "shipbattle/mod14.tab",
                                    "shipbattle/VOXMAP.bin",
                                    "shipbattle/VOXMAP.tab"};
#define FILES (sizeof files / sizeof *files)

static void remove_set(const char *folder) {
    char path[100];
    for (size_t i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/mod6.zlb.bin", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/animtest", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/shipbattle", folder);
    rmdir(path);
    rmdir(folder);
}

/* The files in the folder equal those of the set. */
static void assert_set(const char *folder, const set *expected) {
    char path[100];
    save_set(expected, "expected");
    for (size_t i = 0; i < FILES; i++) {
        size_t sizes[2];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        uint8_t *found = read_whole(path, &sizes[0]);
        snprintf(path, sizeof path, "expected/%s", files[i]);
        uint8_t *wanted = read_whole(path, &sizes[1]);
        if (sizes[0] != sizes[1] || (sizes[0] && memcmp(found, wanted, sizes[0]) != 0))
            print_error("%s differs\n", files[i]);
        assert_int_equal(sizes[0], sizes[1]);
        if (sizes[0])
            assert_memory_equal(found, wanted, sizes[0]);
        free(found);
        free(wanted);
    }
    remove_set("expected");
}

/* ---- the expected result ------------------------------------------------------------------------ */

/* The set with one more block of the first directory before `at`, or (`by` -1) without that one. */
static set with(const set *s, unsigned at, int by, block fresh) {
    set made = *s;
    if (by > 0) {
        memmove(made.first + at + 1, s->first + at, (s->count - at) * sizeof(block));
        made.first[at] = fresh;
    } else {
        memmove(made.first + at, s->first + at + 1, (s->count - at - 1) * sizeof(block));
    }
    made.count = (unsigned)((int)s->count + by);
    for (unsigned i = 0; i < CELLS; i++) {
        uint32_t cell = s->cells[i], sub = cell >> 17 & 63;
        if (cell >> 23 != FIRST || sub < at ||
            sub >= s->count) /* of bit 31 and mod: neither junk nor another */
            continue;
        made.cells[i] = by < 0 && sub == at ? cell | 0xFFu << 23 : cell + (uint32_t)(by * (1 << 17));
    }
    return made;
}

/* The output of an edit. */
typedef struct said {
    char text[2000];
    size_t lines;
    size_t stop_at; /* this line aborts the edit; 0: none */
} said;

static mst_status hear(void *user, const mst_diagnostic *line) {
    said *all = user;
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length, "%s: %s\n", line->path, line->message);
    return ++all->lines == all->stop_at ? MST_STOPPED : MST_OK;
}

static mst_level *open_bank(const char *path) {
    const mst_level_options options = {.size = sizeof options, .writable = 1};
    mst_level *level;
    mst_diagnostic why;
    MUST(mst_level_open(path, &options, &level, &why), &why);
    return level;
}

static mst_status edit_with(mst_level *level, mst_operation_kind kind, const char *path, const char *json,
                            bool cascade, said *all, mst_diagnostic *why) {
    mst_operation one = {.kind = kind, .path = path, .value = json};
    mst_edit_options options = {.size = sizeof options, .cascade = cascade, .report = hear, .user = all};
    return mst_edit(mst_level_document(level, 0), &one, 1, &options, why);
}

/* An edit of the first bank that is saved. */
static void edit(mst_operation_kind kind, unsigned at, const char *json, bool cascade) {
    mst_level *level = open_bank("set/animtest/mod6.zlb.bin");
    said all = {.lines = 0};
    char path[40];
    mst_diagnostic why;
    snprintf(path, sizeof path, "blocks[%u]", at);
    MUST(edit_with(level, kind, path, json, cascade, &all, &why), &why);
    MUST(mst_level_save(level, NULL, &why), &why);
    mst_level_close(level);
}

static char *block_text(unsigned at) {
    mst_level *level = open_bank("set/animtest/mod6.zlb.bin");
    mst_buffer text = {0};
    mst_value value;
    char path[40];
    snprintf(path, sizeof path, "blocks[%u]", at);
    MUST(mst_find(mst_root(mst_level_document(level, 0)), path, &value, NULL), NULL);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), NULL), NULL);
    mst_level_close(level);
    char *copy = malloc(text.size + 1);
    assert_non_null(copy);
    memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    mst_buffer_free(&text);
    return copy;
}

static mst_status try_edit(const char *path, mst_operation_kind kind, const char *at, const char *json,
                           mst_diagnostic *why) {
    mst_level *level = open_bank(path);
    said all = {.lines = 0};
    mst_status status = edit_with(level, kind, at, json, true, &all, why);
    mst_level_close(level);
    return status;
}

/* ---- tests -------------------------------------------------------------------------------------- */

static void test_insert_and_take_out(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        set before = usual();
        before.all_rooms = kind & 1;
        before.odd = kind & 2;
        save_set(&before, "set");
        char *text = block_text(1);
        for (unsigned at = 0; at <= before.count; at++) {
            set after = with(&before, at, 1, (block){'b', 0, false, false});
            edit(MST_OPERATION_INSERT, at, text, false);
            assert_set("set", &after);
            edit(MST_OPERATION_REMOVE, at, NULL, false); /* no cell shows it */
            assert_set("set", &before);
        }
        free(text);
        remove_set("set");
    }
}

static void test_remove(void **state) {
    (void)state;
    for (unsigned at = 0; at < 4; at++) {
        set before = usual(), after = with(&before, at, -1, before.first[at]);
        save_set(&before, "set");
        edit(MST_OPERATION_REMOVE, at, NULL, true);
        assert_set("set", &after);
        remove_set("set");
    }
    /* the other directory's only block: nothing else changes */
    set before = usual(), after = usual();
    after.others = 0;
    after.cells[2] |= 0xFFu << 23;
    save_set(&before, "set");
    mst_level *level = open_bank("set/shipbattle/mod14.tab");
    said all = {.lines = 0};
    mst_diagnostic why;
    MUST(edit_with(level, MST_OPERATION_REMOVE, "blocks[4]", NULL, true, &all, &why), &why);
    assert_string_equal(all.text, "MAPS.bin: maps[1].cells[2]: no longer refers to anything\n");
    MUST(mst_level_save(level, NULL, &why), &why);
    mst_level_close(level);
    assert_set("set", &after);
    remove_set("set");
}

static void test_users_are_named(void **state) {
    (void)state;
    set s = usual();
    s.copy = true;
    save_set(&s, "set");
    mst_level *level = open_bank("set/animtest/mod6.zlb.bin");
    said all = {.lines = 0};
    mst_diagnostic why;
    assert_int_equal(edit_with(level, MST_OPERATION_REMOVE, "blocks[3]", NULL, false, &all, &why),
                     MST_REFUSED);
    assert_string_equal(all.text, "MAPS.bin: maps[1].cells[3]: refers to an element that would be removed\n"
                                  "MAPS.bin: maps[1].cells[4]: refers to an element that would be removed\n");
    assert_string_equal(why.message, "others refer to it");
    assert_string_equal(why.path, "blocks[3]");
    assert_string_equal(why.found, "MAPS.bin: maps[1].cells[3] and 1 more");
    assert_int_equal(edit_with(level, MST_OPERATION_REMOVE, "blocks[0]", NULL, false, &all, NULL),
                     MST_REFUSED);
    assert_int_equal(edit_with(level, MST_OPERATION_REMOVE, "blocks[1]", NULL, false, &all, &why),
                     MST_REFUSED);
    assert_string_equal(why.found, "MAPS.bin: maps[1].cells[1]");
    assert_int_equal(mst_level_count(level), 1); /* the files opened for it are closed again */
    assert_false(mst_is_edited(mst_level_document(level, 0)));
    /* the report function may abort the edit */
    for (size_t stop_at = 1; stop_at <= 3; stop_at++) {
        said some = {.stop_at = stop_at};
        assert_int_equal(edit_with(level, MST_OPERATION_REMOVE, "blocks[3]", NULL, true, &some, NULL),
                         MST_STOPPED);
    }
    /* the disc's copies of banks are not the set's */
    memset(&all, 0, sizeof all);
    MUST(edit_with(level, MST_OPERATION_REMOVE, "blocks[2]", NULL, false, &all, &why), &why);
    assert_string_equal(all.text, "mod6.zlb.bin: the copy in the root of the disc is unchanged\n");
    mst_level_close(level);
    assert_set("set", &s);
    remove_set("set");
}

static void test_numbers_of_no_block(void **state) {
    (void)state;
    set s = usual();
    s.cells[6] = CELL(FIRST, 4, 127);
    save_set(&s, "set");
    char *text = block_text(1);
    mst_level *level = open_bank("set/animtest/mod6.zlb.bin");
    said all = {.lines = 0};
    mst_diagnostic why;
    MUST(edit_with(level, MST_OPERATION_INSERT, "blocks[0]", text, false, &all, &why), &why);
    assert_string_equal(all.text, "MAPS.bin: maps[1].cells[6]: refers to the directory's last block now, and "
                                  "referred to none before\n");
    mst_level_close(level);
    level = open_bank("set/animtest/mod6.zlb.bin");
    memset(&all, 0, sizeof all);
    MUST(edit_with(level, MST_OPERATION_REMOVE, "blocks[2]", NULL, false, &all, &why), &why);
    assert_string_equal(all.text, "");
    mst_level_close(level);
    free(text);
    remove_set("set");
}

static void test_all_or_none(void **state) {
    (void)state;
    set before = usual(), middle = with(&before, 2, -1, before.first[2]),
        after = with(&middle, 2, -1, middle.first[2]);
    save_set(&before, "set");
    mst_level *level = open_bank("set/animtest/mod6.zlb.bin");
    mst_document *document = mst_level_document(level, 0);
    mst_diagnostic why;
    const mst_operation wrong[] = {{.kind = MST_OPERATION_REMOVE, .path = "blocks[2]"},
                                   {.kind = MST_OPERATION_REMOVE, .path = "blocks[9]"}};
    assert_int_equal(mst_edit(document, wrong, 2, NULL, NULL), MST_NO_PATH);
    assert_int_equal(mst_level_count(level), 1);
    MUST(mst_level_save(level, NULL, &why), &why);
    assert_set("set", &before);
    /* two blocks in one edit: the second builds on the changes of the first */
    const mst_operation both[] = {{.kind = MST_OPERATION_REMOVE, .path = "blocks[2]"},
                                  {.kind = MST_OPERATION_REMOVE, .path = "blocks[2]"}};
    const mst_edit_options cascade = {.size = sizeof cascade, .cascade = 1};
    MUST(mst_edit(document, both, 2, &cascade, &why), &why);
    assert_int_equal(mst_level_save_as(level, 0, "set/other.bin", NULL, &why), MST_REFUSED);
    MUST(mst_level_save(level, NULL, &why), &why);
    assert_set("set", &after);
    /* two edits in sequence, in a level that has some of the files open */
    const mst_operation one = {.kind = MST_OPERATION_REMOVE, .path = "blocks[1]"};
    set last = with(&after, 1, -1, after.first[1]);
    MUST(mst_edit(document, &one, 1, &cascade, &why), &why);
    mst_check_result result;
    MUST(mst_level_check(level, NULL, NULL, NULL, &result, &why), &why);
    MUST(mst_level_save(level, NULL, &why), &why);
    mst_level_close(level);
    assert_set("set", &last);
    remove_set("set");
}

static void test_files_that_are_open(void **state) {
    (void)state;
    set before = usual(), after = with(&before, 2, -1, before.first[2]);
    save_set(&before, "set");
    mst_level *level = open_bank("set");
    mst_document *maps = mst_level_document(level, 0), *bank, *other;
    mst_diagnostic why;
    MUST(mst_set(maps, "maps[1].cells[0].unknown_7", "5", &why), &why);
    MUST(mst_level_find(level, "animtest/mod6.zlb.bin", &bank, &why), &why);
    MUST(mst_level_find(level, "shipbattle/mod14.zlb.bin", &other, &why), &why);
    MUST(mst_remove(bank, "blocks[2]", &why), &why);
    mst_value blocks;
    MUST(mst_find(mst_root(other), "blocks", &blocks, &why), &why);
    assert_int_equal(mst_count(&blocks), 4);
    MUST(mst_level_save(level, NULL, &why), &why);
    mst_level_close(level);
    after.cells[0] |= 5u << 7;
    assert_set("set", &after);
    remove_set("set");
}

/* From the bank's own folder, by a path without a directory. */
static void test_from_the_folder(void **state) {
    (void)state;
    set before = usual(), after = with(&before, 2, -1, before.first[2]);
    static const char *const paths[] = {"mod6.zlb.bin", "./mod6.zlb.bin", "../animtest/mod6.tab",
                                        "../../set/animtest//mod6.tab"};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        save_set(&before, "set");
        assert_int_equal(chdir("set/animtest"), 0);
        mst_level *level = open_bank(paths[i]);
        MUST(mst_remove(mst_level_document(level, 0), "blocks[2]", &why), &why);
        MUST(mst_level_save(level, NULL, &why), &why);
        mst_level_close(level);
        assert_int_equal(chdir("../.."), 0);
        assert_set("set", &after);
        remove_set("set");
    }
}

static void test_missing_files(void **state) {
    (void)state;
    static const size_t needed[] = {0, 1, 2, 3, 4, 10};
    set s = usual();
    char path[100];
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        save_set(&s, "set");
        snprintf(path, sizeof path, "set/%s", files[needed[i]]);
        assert_int_equal(remove(path), 0);
        assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                         MST_REFUSED);
        snprintf(path, sizeof path, "%s in the set", files[needed[i]]);
        assert_string_equal(why.expected, path);
        remove_set("set");
    }
    save_set(&s, "set"); /* voxel maps may be missing: the game loads but does not use them */
    remove("set/animtest/VOXMAP.bin");
    remove("set/shipbattle/VOXMAP.tab");
    MUST(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why), &why);
    /* the bank alone */
    static const size_t root[] = {0, 1, 2, 3, 4};
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "set/%s", files[root[i]]);
        remove(path);
    }
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    assert_string_equal(why.expected, "TRKBLK.tab, HITS.tab, HITS.bin, MAPS.tab, MAPS.bin in the set");
    remove_set("set");
}

static void overwrite(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_other_files(void **state) {
    (void)state;
    set s = usual();
    mst_diagnostic why;
    for (size_t i = 0; i < FILES; i++) { /* damaged files: refused, or not needed */
        char path[100];
        save_set(&s, "set");
        snprintf(path, sizeof path, "set/%s", files[i]);
        overwrite(path, "no file of the game");
        if (i == 5 || i == 6) { /* the bank itself */
            remove_set("set");
            continue;
        }
        mst_status status =
            try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why);
        bool unused = i == 9 || i == 11; /* the other directory's banks, of which the tables suffice */
        if (unused)
            MUST(status, &why);
        else if (status == MST_OK)
            fail_msg("%s", files[i]);
        remove_set("set");
    }
}

static void test_refused(void **state) {
    (void)state;
    set s = usual();
    mst_diagnostic why;
    save_set(&s, "set");
    assert_int_equal(try_edit("set/shipbattle/mod14.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    assert_string_equal(why.message, "the number belongs to another directory");
    /* lists about blocks */
    static const char *const alone[][2] = {{"set/HITS.bin", "blocks[1]"},
                                           {"set/animtest/VOXMAP.bin", "entries[1]"},
                                           {"set/TRKBLK.tab", "first_blocks[3]"}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(try_edit(alone[i][0], MST_OPERATION_REMOVE, alone[i][1], NULL, &why), MST_REFUSED);
        assert_string_equal(why.expected, "an edit of the bank of the block, modN.zlb.bin");
        assert_int_equal(try_edit(alone[i][0], MST_OPERATION_INSERT, alone[i][1], "0", &why), MST_REFUSED);
    }
    static const char *const lists[][2] = {{"set/HITS.bin", "blocks"},
                                           {"set/animtest/VOXMAP.bin", "entries"},
                                           {"set/animtest/mod6.tab", "blocks"},
                                           {"set/TRKBLK.tab", "first_blocks"}};
    for (size_t i = 0; i < 4; i++) {
        mst_level *level = open_bank(lists[i][0]);
        mst_document *document = mst_level_document(level, 0);
        mst_value list;
        mst_buffer text = {0};
        assert_int_equal(mst_set(document, lists[i][1], "[]", &why), MST_REFUSED);
        assert_string_equal(why.message, "other files refer to them by index: their number must not change");
        assert_string_equal(why.found, "0");
        MUST(mst_find(mst_root(document), lists[i][1], &list, &why), &why);
        MUST(mst_write_json(&list, NULL, mst_buffer_sink(&text), &why), &why);
        mst_sink sink = mst_buffer_sink(&text);
        MUST(sink.write(sink.user, "", 1), NULL);
        MUST(mst_set(document, lists[i][1], (const char *)text.data, &why), &why); /* unchanged */
        assert_int_not_equal(mst_set(document, lists[i][1], "5", &why), MST_OK);
        assert_int_equal(mst_set(document, "nonsense", "5", &why), MST_NO_PATH);
        mst_buffer_free(&text);
        mst_level_close(level);
    }
    MUST(try_edit("set/HITS.bin", MST_OPERATION_SET, "blocks[0].lines[0].type", "ladder", &why), &why);
    MUST(try_edit("set/HITS.bin", MST_OPERATION_SET, "rest", "\"\"", &why), &why);
    /* cannot be saved in place */
    mst_level *level;
    MUST(mst_level_open("set/animtest/mod6.zlb.bin", NULL, &level, &why), &why);
    assert_int_equal(mst_remove(mst_level_document(level, 0), "blocks[2]", &why), MST_REFUSED);
    assert_string_equal(why.expected, "an edit, in place, of all files that belong together");
    mst_level_close(level);
    /* in another folder */
    assert_int_equal(rename("set/animtest", "set/anim"), 0);
    assert_int_equal(try_edit("set/anim/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    assert_string_equal(why.expected, "animtest");
    assert_int_equal(rename("set/anim", "set/animtest"), 0);
    /* numbers that no directory has */
    static const char *const names[][2] = {{"set/animtest/mod5.zlb.bin", "set/animtest/mod5.tab"},
                                           {"set/animtest/mod900.zlb.bin", "set/animtest/mod900.tab"}};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(rename("set/animtest/mod6.zlb.bin", names[i][0]), 0);
        assert_int_equal(rename("set/animtest/mod6.tab", names[i][1]), 0);
        assert_int_equal(try_edit(names[i][0], MST_OPERATION_REMOVE, "blocks[2]", NULL, &why), MST_REFUSED);
        assert_string_equal(why.expected, "mod<N>.zlb.bin in its directory");
        assert_int_equal(rename(names[i][0], "set/animtest/mod6.zlb.bin"), 0);
        assert_int_equal(rename(names[i][1], "set/animtest/mod6.tab"), 0);
    }
    remove_set("set");
}

static void put_first(const uint16_t *numbers, size_t count) {
    writer w = {.big = true};
    for (size_t i = 0; i < count; i++)
        put_u16(&w, numbers[i]);
    put_u16(&w, 0xFFFF);
    save_writer("set", "TRKBLK.tab", &w);
}

static void test_numbers_that_disagree(void **state) {
    (void)state;
    set s = usual();
    mst_diagnostic why;
    uint16_t numbers[MODS + 1] = {0};
    save_set(&s, "set");
    char *text = block_text(1);
    for (unsigned i = FIRST + 1; i <= MODS; i++)
        numbers[i] = i > SECOND ? 5 : 4;
    put_first(numbers, FIRST); /* it ends before the directory */
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    assert_string_equal(why.expected, "the number in TRKBLK.tab");
    put_first(numbers, 0);
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    numbers[FIRST + 1] = 3; /* it has a different number of blocks */
    put_first(numbers, MODS + 1);
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    numbers[FIRST + 1] = 4; /* they descend */
    numbers[FIRST] = 6;
    put_first(numbers, MODS + 1);
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_REMOVE, "blocks[2]", NULL, &why),
                     MST_REFUSED);
    numbers[FIRST] = 0;
    numbers[MODS] = 2047; /* the game has room for 2048 */
    put_first(numbers, MODS + 1);
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_INSERT, "blocks[2]", text, &why),
                     MST_REFUSED);
    assert_string_equal(why.expected, "at most 2047");
    free(text);
    remove_set("set");
    s = usual();
    s.count = 64;
    save_set(&s, "set");
    text = block_text(1);
    assert_int_equal(try_edit("set/animtest/mod6.zlb.bin", MST_OPERATION_INSERT, "blocks[2]", text, &why),
                     MST_REFUSED);
    assert_string_equal(why.expected, "at most 64");
    free(text);
    remove_set("set");
}

/* Whichever request for memory fails, the level is unchanged, and nothing leaks. */
static void test_no_memory(void **state) {
    (void)state;
    set before = usual(), after = with(&before, 1, -1, before.first[1]);
    save_set(&before, "set");
    for (size_t n = 1;; n += sample_step()) {
        counted c = {0};
        const mst_level_options options = {
            .size = sizeof options, .allocator = counted_allocator(&c), .writable = 1};
        mst_level *level;
        mst_diagnostic why;
        said all = {.lines = 0};
        MUST(mst_level_open("set/animtest/mod6.zlb.bin", &options, &level, &why), &why);
        c.fail_at = c.calls + n;
        mst_status status = edit_with(level, MST_OPERATION_REMOVE, "blocks[1]", NULL, true, &all, &why);
        bool failed = c.failed;
        c.fail_at = 0;
        if (status == MST_OK)
            MUST(mst_level_save(level, NULL, &why), &why);
        else
            assert_false(mst_is_edited(mst_level_document(level, 0)));
        mst_level_close(level);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (status == MST_OK) {
            assert_set("set", &after);
            if (!failed)
                break;
            remove_set("set");
            save_set(&before, "set");
        }
    }
    remove_set("set");
}

int test_sfa_renumber(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_insert_and_take_out),   cmocka_unit_test(test_remove),
        cmocka_unit_test(test_users_are_named),       cmocka_unit_test(test_numbers_of_no_block),
        cmocka_unit_test(test_all_or_none),           cmocka_unit_test(test_files_that_are_open),
        cmocka_unit_test(test_from_the_folder),       cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_other_files),           cmocka_unit_test(test_refused),
        cmocka_unit_test(test_numbers_that_disagree), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
