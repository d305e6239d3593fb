/* SPDX-License-Identifier: MIT */
/* Levels: the samples of all families, written to a directory and opened by one call each. */
#include <mapstone/level.h>

#include "../src/level/sources.h"
#include "../src/read/opened.h"
#include "support.h"
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[PATH_MAX], place[] = "/tmp/mapstone-level-XXXXXX";

/* ---- the samples -------------------------------------------------------------------------------- */

static uint8_t *read_path(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void write_path(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void copy_sample(const char *from, const char *to) {
    char path[PATH_MAX + 100];
    size_t size;
    snprintf(path, sizeof path, "%s/samples/%s", top, from);
    uint8_t *bytes = read_path(path, &size);
    write_path(to, bytes, size);
    free(bytes);
}

/* Writes the level that a sample in JSON describes, with its sidecars. */
static void make_sample(const char *from, const char *to) {
    char path[PATH_MAX + 100];
    size_t size;
    mst_document *document;
    mst_diagnostic why;
    const char *slash = strrchr(to, '/');
    mst_open_options how = {.size = sizeof how, .name = slash ? slash + 1 : to};
    snprintf(path, sizeof path, "%s/samples/%s", top, from);
    uint8_t *text = read_path(path, &size);
    MUST(mst_open_json((const char *)text, size, &how, &document, &why), &why);
    MUST(mst_save_file(document, to, &why), &why);
    mst_close(document);
    free(text);
}

static int make_samples(void **state) {
    static const char *const sectors[] = {"7_10_10", "7_10_11", "7_11_10", "7_11_11", "7_12_10", "7_12_11"};
    static const char *const directories[] = {"keep",   "islet", "islet/capeclaw", "islet/magiccave",
                                              "single", "both",  "empty"};
    (void)state;
    if (!getcwd(top, sizeof top) || !mkdtemp(place) || chdir(place) != 0)
        return -1;
    if (!MST_WITH_ZLIB) /* the islet's lists are packed */
        return 0;
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        assert_int_equal(mkdir(directories[i], 0777), 0);
    make_sample("outpost.json", "outpost.level");
    make_sample("valley.json", "valley.map");
    make_sample("bunker.json", "L111LEV.MAP");
    make_sample("bunker-textures.json", "111GFX.BIN");
    make_sample("outpost.json", "single/outpost.level");
    make_sample("outpost.json", "both/outpost.level");
    make_sample("valley.json", "both/valley.map");
    for (size_t i = 0; i < sizeof sectors / sizeof *sectors; i++) {
        char from[40], to[40];
        snprintf(from, sizeof from, "keep/%s.json", sectors[i]);
        snprintf(to, sizeof to, "keep/%s.DAT", sectors[i]);
        make_sample(from, to);
    }
    copy_sample("keep/class.def", "keep/class.def");
    static const char *const islet[] = {"HITS.bin",           "MAPINFO.bin",
                                        "MAPS.bin",           "TRKBLK.tab",
                                        "WARPTAB.bin",        "capeclaw.romlist.zlb",
                                        "globalma.bin",       "magicave.romlist.zlb",
                                        "capeclaw/TEX1.bin",  "capeclaw/mod48.zlb.bin",
                                        "magiccave/TEX1.bin", "magiccave/mod39.zlb.bin"};
    for (size_t i = 0; i < sizeof islet / sizeof *islet; i++) {
        char from[80], to[80], path[PATH_MAX + 100];
        snprintf(from, sizeof from, "islet/%s.json", islet[i]);
        snprintf(to, sizeof to, "islet/%s", islet[i]);
        snprintf(path, sizeof path, "%s/samples/%s", top, from);
        if (access(path, R_OK) == 0)
            make_sample(from, to);
    }
    return 0;
}

static int remove_samples(void **state) {
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", place);
#if defined(__wasi__) || defined(_WIN32) /* no such programs exist there; the directory is left */
    return 0;
#else
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1; /* NOLINT(cert-env33-c) */
#endif
}

static mst_level *must_open(const char *path, const mst_level_options *options) {
    mst_level *level;
    mst_diagnostic why;
    MUST(mst_level_open(path, options, &level, &why), &why);
    assert_non_null(level);
    return level;
}

static mst_entities *must_list(mst_level *level) {
    mst_entities *entities;
    mst_diagnostic why;
    MUST(mst_level_entities(level, &entities, &why), &why);
    return entities;
}

/* ---- opening ------------------------------------------------------------------------------------ */

/* Every entity is a value of one of the level's documents. */
static void entities_of_all_families(void **state) {
    static const struct {
        const char *path;
        size_t documents, min;
        const char *class_name; /* of some entity */
    } levels[] = {{"outpost.level", 1, 10, "light_point"},  {"valley.map", 1, 5, ""},
                  {"L111LEV.MAP", 1, 5, "start"},           {"keep", 6, 20, "tile"},
                  {"keep/7_10_10.DAT", 1, 5, "tile"},       {"islet", 1, 5, ""},
                  {"islet/capeclaw.romlist.zlb", 1, 2, ""}, {"single", 1, 10, "light_point"}};
    (void)state;
    needs_zlib();
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        mst_level *level = must_open(levels[i].path, NULL);
        assert_int_equal(mst_level_count(level), levels[i].documents);
        mst_entities *entities = must_list(level);
        bool seen = false;
        assert_in_range(entities->count, levels[i].min, 100000);
        for (size_t k = 0; k < entities->count; k++) {
            const mst_entity *one = &entities->items[k];
            mst_document *document;
            mst_diagnostic why;
            mst_value value;
            seen = seen || strcmp(one->class_name, levels[i].class_name) == 0 || !levels[i].class_name[0];
            MUST(mst_level_find(level, one->file, &document, &why), &why);
            if (*one->path)
                MUST(mst_find(mst_root(document), one->path, &value, &why), &why);
        }
        assert_true(seen);
        mst_level_close(level);
        mst_entities_free(entities);
    }
}

static mst_status count_level(void *user, const char *level, const mst_format_information *format) {
    size_t *count = user;
    assert_non_null(level);
    assert_non_null(format);
    ++*count;
    return MST_OK;
}

static void one_of_several(void **state) {
    mst_level *level;
    mst_diagnostic why;
    size_t count = 0;
    (void)state;
    needs_zlib();
    assert_int_equal(mst_level_open("both", NULL, &level, &why), MST_ARGUMENT);
    assert_null(level);
    assert_string_equal(why.expected, "one of outpost.level, valley.map");
    MUST(mst_level_list("both", NULL, count_level, &count, &why), &why);
    assert_int_equal(count, 2);
    mst_level_close(
        must_open("both", &(mst_level_options){.size = sizeof(mst_level_options), .level = "OUTPOST.level"}));
    mst_level_close(
        must_open("both", &(mst_level_options){.size = sizeof(mst_level_options), .format = "ns2-level"}));
    mst_level_close(
        must_open("keep/", &(mst_level_options){.size = sizeof(mst_level_options), .level = "7"}));
    assert_int_equal(mst_level_open("both",
                                    &(mst_level_options){.size = sizeof(mst_level_options), .level = "8"},
                                    &level, &why),
                     MST_NO_PATH);
    assert_int_equal(mst_level_open("empty", NULL, &level, &why), MST_UNKNOWN);
    assert_int_equal(mst_level_open("nowhere", NULL, &level, &why), MST_IO);
    assert_int_equal(mst_level_open("keep/class.def!x", NULL, &level, &why), MST_UNKNOWN);
    assert_int_equal(mst_level_list("keep/class.def", NULL, count_level, &count, &why), MST_UNKNOWN);
}

static const mst_format_information *format_called(const char *id) {
    for (size_t i = 0; i < mst_format_count(); i++)
        if (strcmp(mst_format_at(i)->id, id) == 0)
            return mst_format_at(i);
    fail_msg("there is no format %s", id);
    return NULL;
}

/* Sectors of a level belong together; of two equal ones the preferred one is first. */
static void groups_candidates(void **state) {
    static const struct {
        const char *name, *format;
        size_t preference;
    } given[] = {{"b/7_3_4.DAT", "revenant-sector", 2},
                 {"b/outpost.level", "ns2-level", 0},
                 {"9_1_1.DAT", "revenant-sector", 0},
                 {"a/7_3_4.DAT", "revenant-sector", 2},
                 {"game.tar!7_4_4", "revenant-sector", 1},
                 {"7_3_4.DAT.bak", "revenant-sector", 0},
                 {"c/7_3_4.DAT", "revenant-sector", 1},
                 {"class.def", "revenant-def", 0},
                 {"unknown", NULL, 0}};
    static const struct {
        size_t index, level;
        int is_sector, is_duplicate, number, x, y;
    } wanted[] = {{6, 0, 1, 0, 7, 3, 4}, {3, 0, 1, 1, 7, 3, 4}, {0, 0, 1, 1, 7, 3, 4}, {4, 0, 1, 0, 7, 4, 4},
                  {2, 1, 1, 0, 9, 1, 1}, {5, 2, 0, 0, 0, 0, 0}, {1, 3, 0, 0, 0, 0, 0}};
    enum { GIVEN = sizeof given / sizeof *given, WANTED = sizeof wanted / sizeof *wanted };
    mst_level_candidate all[GIVEN];
    (void)state;
    for (size_t i = 0; i < GIVEN; i++)
        all[i] = (mst_level_candidate){.name = given[i].name,
                                       .format = given[i].format ? format_called(given[i].format) : NULL,
                                       .preference = given[i].preference,
                                       .index = i};
    assert_int_equal(mst_level_group(all, GIVEN), WANTED);
    for (size_t i = 0; i < WANTED; i++) {
        assert_int_equal(all[i].index, wanted[i].index);
        assert_int_equal(all[i].level, wanted[i].level);
        assert_int_equal(all[i].is_sector, wanted[i].is_sector);
        assert_int_equal(all[i].is_duplicate, wanted[i].is_duplicate);
        assert_int_equal(all[i].number, wanted[i].number);
        assert_int_equal(all[i].x, wanted[i].x);
        assert_int_equal(all[i].y, wanted[i].y);
    }
    /* an entry that a file combines into maps is not a level on its own */
    mst_level_candidate maps[] = {
        {.name = "capeclaw.romlist.zlb", .format = format_called("sfa-romlist")},
        {.name = "MAPS.bin", .format = format_called("sfa-maps"), .index = 1},
        {.name = "outpost.level", .format = format_called("ns2-level"), .index = 2}};
    assert_int_equal(mst_level_group(maps, 3), 2);
    assert_int_equal(maps[0].index, 1);
    assert_int_equal(maps[1].index, 2);
    assert_int_equal(mst_level_group(maps, 0), 0);
    assert_int_equal(mst_level_group(NULL, 1), 0);
}

static void found_or_named(void **state) {
    mst_level_options found = {.size = sizeof found, .found = 1}, json = {.size = sizeof json, .json = 1};
    mst_level *level;
    mst_diagnostic why;
    char path[PATH_MAX + 40];
    (void)state;
    needs_zlib();
    snprintf(path, sizeof path, "%s/samples/outpost.json", top);
    assert_int_equal(mst_level_open("islet/MAPS.tab", &found, &level, &why), MST_UNKNOWN);
    assert_int_equal(mst_level_open(path, &found, &level, &why), MST_UNKNOWN);
    level = must_open("islet/MAPS.tab", NULL);
    assert_int_equal(mst_document_file_count(mst_level_document(level, 0)), 2);
    assert_false(mst_level_is_json(level, 0));
    mst_level_close(level);
    level = must_open("islet/MAPS.bin", &found);
    mst_level_close(level);
    level = must_open(path, &json);
    assert_true(mst_level_is_json(level, 0));
    assert_false(mst_level_is_salvaged(level, 0));
    assert_string_equal(mst_level_path(level, 0), path);
    size_t size;
    assert_memory_equal(mst_level_bytes_of(level, 0, &size), "{", 1);
    mst_level_close(level);
    json.found = 1;
    mst_level_close(must_open(path, &json));
    json.format = "json";
    mst_level_close(must_open(path, &json));
    json.found = 0;
    assert_int_equal(mst_level_open("outpost.level", &json, &level, &why), MST_DAMAGED);
}

/* ---- sidecars ----------------------------------------------------------------------------------- */

/* One cache serves levels in sequence; names are found in any case. */
static void sidecars_are_found(void **state) {
    mst_level_cache *cache;
    const char *const paths[] = {"islet"};
    mst_level_options how = {.size = sizeof how, .search_paths = paths, .search_path_count = 1};
    (void)state;
    needs_zlib();
    MUST(mst_level_cache_create(NULL, &cache), NULL);
    how.cache = cache;
    for (int i = 0; i < 2; i++) {
        const void *bytes;
        size_t size;
        mst_level *level = must_open("keep/7_10_10.DAT", &how);
        const mst_resolver *resolver = mst_level_sidecars(level);
        MUST(resolver->find(resolver->user, "CLASS.DEF", &bytes, &size), NULL);
        MUST(resolver->find(resolver->user, "globalma.BIN", &bytes, &size), NULL);
        assert_int_equal(resolver->find(resolver->user, "outpost.level", &bytes, &size), MST_NO_PATH);
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_level_find(level, "globalma.bin", &document, &why), &why);
        assert_int_equal(mst_level_count(level), 2);
        assert_string_equal(mst_level_path(level, 1), "islet/globalma.bin");
        assert_int_equal(mst_level_find(level, "nowhere.bin", &document, &why), MST_NO_PATH);
        mst_level_close(level);
        mst_level_cache_trim(cache);
    }
    mst_level_close(must_open("L111LEV.MAP", &how));
    mst_level_cache_free(cache);
}

static mst_status count_finding(void *user, const char *file, const mst_diagnostic *finding) {
    size_t *count = user;
    assert_true(file && *file && finding->code[0]);
    ++*count;
    return MST_OK;
}

static void checks_all_documents(void **state) {
    mst_check_options how = {.size = sizeof how, .information = 1};
    mst_check_result result;
    mst_diagnostic why;
    size_t count = 0;
    (void)state;
    needs_zlib();
    mst_level *level = must_open("keep/7_10_10.DAT", NULL);
    MUST(mst_level_add(level, "outpost.level", NULL, &why), &why);
    MUST(mst_set(mst_level_document(level, 1), "objects[0].group", "77777", &why), &why);
    MUST(mst_level_check(level, &how, count_finding, &count, &result, &why), &why);
    assert_true(count > 0);
    assert_int_equal(count, result.errors + result.warnings + result.information);
    mst_level_close(level);
}

/* ---- saving ------------------------------------------------------------------------------------- */

static void count_saved(void *user, const mst_level_file *file) {
    size_t *count = user;
    *count +=
        file->before_size != file->after_size || memcmp(file->before, file->after, file->after_size) != 0;
}

static void is_file_of(const char *path, const uint8_t *bytes, size_t size) {
    size_t found;
    uint8_t *read = read_whole(path, &found);
    assert_non_null(read);
    assert_int_equal(found, size);
    assert_memory_equal(read, bytes, size);
    free(read);
}

/* Replaced contents are kept, for every file including the index file; also a second time. */
static void keeps_old_files(void **state) {
    static const mst_level_options writable = {.size = sizeof writable, .writable = 1};
    static const char *const paths[] = {"islet/capeclaw.romlist.zlb", "islet/MAPS.bin"};
    static const char *const kept[] = {"islet/capeclaw.romlist.zlb~", "islet/MAPS.bin~"};
    mst_level_save_options how = {.size = sizeof how, .backup = "~"};
    mst_diagnostic why;
    uint8_t *old[2];
    size_t sizes[2];
    (void)state;
    needs_zlib();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2; i++)
            assert_non_null(old[i] = read_whole(paths[i], &sizes[i]));
        mst_level *level = must_open(paths[0], &writable);
        MUST(mst_remove(mst_level_document(level, 0), "objects[0]", &why), &why);
        how.size = 0;
        assert_int_equal(mst_level_save(level, &how, &why), MST_ARGUMENT);
        is_file_of(paths[0], old[0], sizes[0]);
        how.size = sizeof how;
        MUST(mst_level_save(level, &how, &why), &why);
        mst_level_close(level);
        for (int i = 0; i < 2; i++) {
            is_file_of(kept[i], old[i], sizes[i]);
            free(old[i]);
        }
    }
    /* a caller compiled before the field existed */
    mst_level *level = must_open(paths[0], &writable);
    MUST(mst_remove(mst_level_document(level, 0), "objects[0]", &why), &why);
    how.size = offsetof(mst_level_save_options, backup);
    for (int i = 0; i < 2; i++)
        assert_int_equal(remove(kept[i]), 0);
    MUST(mst_level_save(level, &how, &why), &why);
    mst_level_close(level);
    for (int i = 0; i < 2; i++)
        assert_null(read_whole(kept[i], &sizes[i]));
}

/* Removing an object from a list changes MAPS.bin next to it, whether that is open or not. */
static void saves_index_files(void **state) {
    static const mst_level_options writable = {.size = sizeof writable, .writable = 1};
    (void)state;
    needs_zlib();
    for (int open = 0; open < 2; open++) {
        mst_diagnostic why;
        mst_value number;
        uint64_t before, after;
        size_t saved = 0;
        mst_level_save_options how = {.size = sizeof how, .saved = count_saved, .user = &saved};
        mst_level *level = must_open(open ? "islet" : "islet/capeclaw.romlist.zlb", &writable);
        mst_document *list, *maps;
        MUST(mst_level_find(level, "capeclaw.romlist.zlb", &list, &why), &why);
        mst_value objects;
        MUST(mst_find(mst_root(list), "objects", &objects, &why), &why);
        before = mst_count(&objects);
        MUST(mst_remove(list, "objects[0]", &why), &why);
        MUST(mst_level_save(level, &how, &why), &why);
        assert_int_equal(saved, 2);
        /* again: the level knows its written files */
        MUST(mst_remove(list, "objects[0]", &why), &why);
        MUST(mst_level_save(level, NULL, &why), &why);
        mst_level_close(level);
        level = must_open("islet/MAPS.bin", NULL);
        maps = mst_level_document(level, 0);
        bool found = false;
        for (size_t i = 0; i < 117; i++) {
            char path[60];
            snprintf(path, sizeof path, "maps[%zu].object_count", i);
            if (mst_find(mst_root(maps), path, &number, NULL) == MST_OK &&
                mst_get_unsigned(&number, &after) == MST_OK)
                found = found || after == before - 2;
        }
        assert_true(found);
        mst_level_close(level);
    }
}

static void saves_elsewhere(void **state) {
    mst_diagnostic why;
    size_t size, other_size;
    (void)state;
    needs_zlib();
    mst_level *level = must_open("keep/7_10_10.DAT", NULL);
    MUST(mst_level_save_as(level, 0, "empty/7_10_12.DAT", NULL, &why), &why);
    mst_level_close(level);
    uint8_t *bytes = read_path("keep/7_10_10.DAT", &size),
            *other = read_path("empty/7_10_12.DAT", &other_size);
    assert_int_equal(size, other_size);
    free(bytes);
    free(other);
    assert_int_equal(unlink("empty/7_10_12.DAT"), 0);
}

/* A level that cannot be saved in place is refused, and nothing changes. */
static void refuses_to_save(void **state) {
    static const mst_level_options writable = {.size = sizeof writable, .writable = 1};
    mst_diagnostic why;
    size_t size;
    (void)state;
    needs_zlib();
    mst_level *level = must_open("valley.map", NULL);
    MUST(mst_level_save(level, NULL, &why), &why); /* there is nothing to do */
    MUST(mst_set(mst_level_document(level, 0), "sky_material", "x", &why), &why);
    assert_int_equal(mst_level_save(level, NULL, &why), MST_ARGUMENT);
    mst_level_close(level);
    level = must_open("valley.map", &writable);
    MUST(mst_set(mst_level_document(level, 0), "sky_material", "x", &why), &why);
    uint8_t *bytes = read_path("valley.map", &size);
    bytes[size - 1] ^= 1;
    write_path("valley.map", bytes, size);
    assert_int_equal(mst_level_save(level, NULL, &why), MST_REFUSED);
    bytes[size - 1] ^= 1;
    write_path("valley.map", bytes, size);
    MUST(mst_level_save(level, NULL, &why), &why);
    mst_level_close(level);
    write_path("valley.map", bytes, size);
    free(bytes);
}

/* JSON is replaced by the level that it describes, unless another program has changed it meanwhile. */
static void replaces_json(void **state) {
    static const mst_level_options writable = {.size = sizeof writable, .writable = 1, .json = 1};
    mst_diagnostic why;
    size_t size, now;
    (void)state;
    needs_zlib();
    copy_sample("outpost.json", "empty/outpost.json");
    uint8_t *text = read_path("empty/outpost.json", &size);
    for (int as = 0; as < 2; as++) {
        mst_level *level = must_open("empty/outpost.json", &writable);
        mst_document *document = mst_level_document(level, 0);
        MUST(mst_set(document, "objects[0].class_name", "x", &why), &why);
        text[size - 1] ^= 1;
        write_path("empty/outpost.json", text, size);
        assert_int_equal(as ? mst_level_save_as(level, 0, "empty/outpost.json", NULL, &why)
                            : mst_level_save(level, NULL, &why),
                         MST_REFUSED);
        assert_non_null(strstr(why.message, "outpost.json was changed by another program"));
        uint8_t *kept = read_path("empty/outpost.json", &now);
        assert_int_equal(now, size);
        assert_memory_equal(kept, text, size);
        free(kept);
        text[size - 1] ^= 1;
        write_path("empty/outpost.json", text, size);
        MUST(mst_level_save(level, NULL, &why), &why);
        MUST(mst_set(document, "objects[0].class_name", "y", &why), &why);
        MUST(mst_level_save(level, NULL, &why), &why); /* it is a level now */
        mst_level_close(level);
        level = must_open("empty/outpost.json", NULL);
        mst_level_close(level);
        write_path("empty/outpost.json", text, size);
    }
    free(text);
    assert_int_equal(unlink("empty/outpost.json"), 0);
    /* one file cannot be replaced by two */
    copy_sample("islet/HITS.bin.json", "empty/HITS.json");
    mst_level *level = must_open("empty/HITS.json", &writable);
    MUST(mst_remove(mst_level_document(level, 0), "blocks[2].lines[0]", &why), &why);
    assert_int_equal(mst_level_save(level, NULL, &why), MST_REFUSED);
    mst_level_close(level);
    assert_int_equal(unlink("empty/HITS.json"), 0);
}

/* ---- archives ----------------------------------------------------------------------------------- */

static void count_entry(void *user, bool enter) {
    int *inside = user;
    *inside += enter ? 1 : -1;
    assert_in_range(*inside, 0, 1);
}

static void disc_images(void **state) {
    const char *corpus = getenv("MAPSTONE_CORPUS");
    char path[PATH_MAX], member[PATH_MAX + 20];
    mst_diagnostic why;
    mst_document *document;
    (void)state;
    needs_zlib();
    snprintf(path, sizeof path, "%s/sfa/mini/mini.iso", corpus ? corpus : "");
    if (!corpus || access(path, R_OK) != 0)
        skip();
    mst_level *level = must_open(
        path, &(mst_level_options){.size = sizeof(mst_level_options), .map = "animtest", .writable = 1});
    mst_entities *entities = must_list(level);
    assert_true(entities->count > 0);
    for (size_t i = 0; i < entities->count; i++)
        MUST(mst_level_find(level, entities->items[i].file, &document, &why), &why);
    mst_entities_free(entities);
    MUST(mst_level_find(level, "animtest.romlist.zlb", &document, &why), &why);
    MUST(mst_remove(document, "objects[0]", &why), &why);
    assert_int_equal(mst_level_save(level, NULL, &why), MST_REFUSED);
    mst_level_close(level);
    /* a container that the caller has opened */
    mst_container *disc;
    MUST(mst_container_open(path, NULL, &disc, &why), &why);
    for (size_t i = 0; i < mst_container_count(disc); i++) {
        int inside = 0;
        mst_level_options how = {
            .size = sizeof how, .container = disc, .found = 1, .guard = count_entry, .guard_user = &inside};
        snprintf(member, sizeof member, "%s!%s", path, mst_container_name(disc, i));
        mst_status status = mst_level_open(member, &how, &level, &why);
        if (status == MST_OK)
            assert_string_equal(mst_level_path(level, 0), member);
        else
            assert_int_equal(status, MST_UNKNOWN);
        mst_level_close(level);
    }
    mst_container_close(disc);
}

typedef struct callers_file {
    const char *name;
    uint8_t *bytes;
    size_t size;
} callers_file;

static const char *name_of_file(void *user, size_t index, uint64_t *size) {
    const callers_file *files = user;
    *size = files[index].size;
    return files[index].name;
}

static mst_status read_file(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    const callers_file *files = user;
    memcpy(to, files[index].bytes + offset, count);
    return MST_OK;
}

/* Only these are found: 111GFX.BIN is in the working directory as well. */
static void files_of_the_caller(void **state) {
    (void)state;
    needs_zlib();
    callers_file list[] = {{.name = "here/L111LEV.MAP"}, {.name = "here/111GFX.BIN"}, {.name = "notes.txt"}};
    list[0].bytes = read_path("L111LEV.MAP", &list[0].size);
    list[1].bytes = read_path("111GFX.BIN", &list[1].size);
    static const char *const paths[] = {"-!here/L111LEV.MAP", "-"};
    for (size_t count = 1; count <= 3; count++)
        for (size_t p = 0; p < 2; p++) {
            const mst_container_files files = {sizeof files, count, name_of_file, read_file, list};
            mst_container *container;
            mst_diagnostic why;
            const void *bytes;
            size_t size;
            MUST(mst_container_open_files(&files, NULL, &container, &why), &why);
            mst_level *level = must_open(
                paths[p], &(mst_level_options){.size = sizeof(mst_level_options), .container = container});
            assert_int_equal(mst_level_count(level), 1);
            assert_string_equal(mst_level_path(level, 0), "-!here/L111LEV.MAP");
            const mst_resolver *sidecars = mst_level_sidecars(level);
            assert_int_equal(sidecars->find(sidecars->user, "111GFX.BIN", &bytes, &size),
                             count > 1 ? MST_OK : MST_NO_PATH);
            mst_level_close(level);
            mst_container_close(container);
        }
    free(list[0].bytes);
    free(list[1].bytes);
}

/* ---- memory ------------------------------------------------------------------------------------- */

/* Opens, lists, finds a sidecar, edits and saves; returns the first status that is not MST_OK. */
static mst_status use_level(const char *path, const char *file, const char *set, counted *c) {
    mst_level_options how = {
        .size = sizeof how, .allocator = counted_allocator(c), .writable = 1, .map = "capeclaw"};
    mst_level *level;
    mst_entities *entities = NULL;
    mst_document *document = NULL;
    mst_status status = mst_level_open(path, &how, &level, NULL);
    if (status == MST_OK)
        status = mst_level_entities(level, &entities, NULL);
    if (status == MST_OK)
        status = mst_level_find(level, file, &document, NULL);
    if (status == MST_OK && set)
        status = mst_set(document, set, "7", NULL);
    if (status == MST_OK)
        status = mst_level_save(level, NULL, NULL);
    mst_entities_free(entities);
    mst_level_close(level);
    return status;
}

/* Whichever allocation fails, nothing leaks, and files are the old ones or the new ones. */
static void any_allocation_may_fail(void **state) {
    static const struct {
        const char *path, *file, *set;
    } uses[] = {{"islet/MAPS.bin", "capeclaw.romlist.zlb", "objects[0].cull_distance"},
                {"islet", "", NULL},
                {"islet/capeclaw.romlist.zlb", "", "objects[0].cull_distance"},
                {"keep", "", "objects[0].position[2]"}};
    (void)state;
    needs_zlib();
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        mst_status status = MST_NO_MEMORY;
        size_t max = 0;
        for (size_t fail_at = 1; max == 0 || fail_at <= max; fail_at += 1 + fail_at / 64) {
            counted c = {.fail_at = max ? fail_at : SIZE_MAX};
            status = use_level(uses[i].path, uses[i].file, uses[i].set, &c);
            if (!max) { /* the first one counts them */
                assert_true(status == MST_OK || status == MST_REFUSED);
                max = (size_t)c.calls;
                fail_at = 0;
            }
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
        }
        mst_level_close(must_open(uses[i].path, NULL));
    }
}

static void where_files_are_saved(void **state) {
    char path[80];
    (void)state;
    needs_zlib();
    mst_level *level = must_open("islet/MAPS.bin", NULL);
    const mst_document *maps = mst_level_document(level, 0);
    assert_int_equal(mst_save_path(maps, "new/MAPS.bin", 1, path, sizeof path), 12);
    assert_string_equal(path, "new/MAPS.tab");
    assert_int_equal(mst_save_path(maps, "new/MAPS.tab", 0, path, 6), 12);
    assert_string_equal(path, "new/M");
    assert_int_equal(mst_save_path(maps, "-", 0, NULL, 0), 1);
    assert_int_equal(mst_save_path(maps, "x", 2, path, sizeof path), 0);
    assert_int_equal(mst_save_path(NULL, "x", 0, path, sizeof path), 0);
    mst_level_close(level);
}

int test_level(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(entities_of_all_families),
                                       cmocka_unit_test(one_of_several),
                                       cmocka_unit_test(found_or_named),
                                       cmocka_unit_test(groups_candidates),
                                       cmocka_unit_test(sidecars_are_found),
                                       cmocka_unit_test(checks_all_documents),
                                       cmocka_unit_test(keeps_old_files),
                                       cmocka_unit_test(saves_index_files),
                                       cmocka_unit_test(saves_elsewhere),
                                       cmocka_unit_test(refuses_to_save),
                                       cmocka_unit_test(replaces_json),
                                       cmocka_unit_test(disc_images),
                                       cmocka_unit_test(files_of_the_caller),
                                       cmocka_unit_test(any_allocation_may_fail),
                                       cmocka_unit_test(where_files_are_saved)};
    return cmocka_run_group_tests(tests, make_samples, remove_samples);
}
