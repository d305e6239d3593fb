/* SPDX-License-Identifier: MIT */
/* Disc images as sets: images made by hand, images with wrong numbers or truncated ones, and one made by
 * other programs. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "../src/core/hash.h"
#include "slices.h"
#include "support.h"
#include <mapstone/base.h>
#include <unistd.h>

static char directory[] = "/tmp/mapstone-disc-XXXXXX";

static int make_place(void **state) {
    (void)state;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int remove_place(void **state) {
    (void)state;
    remove("a.iso");
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static void put_file(const void *bytes, size_t size) {
    FILE *file = fopen("a.iso", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* ---- images by hand ------------------------------------------------------------------------------------ */

#define TABLE 0x440

typedef struct entry {
    const char *name;
    uint32_t kind;        /* 0 file, 1 directory */
    const char *data;     /* of a file */
    uint32_t parent, end; /* of a directory */
} entry;

/* The header, the table with the root before these entries, and the data after it. */
static writer image_of(const entry *entries, uint32_t count) {
    writer w = {.big = true};
    uint32_t names = 0, strings = 0, data = 0;
    for (uint32_t i = 0; i < count; i++)
        strings += (uint32_t)strlen(entries[i].name) + 1;
    uint32_t size = (count + 1) * 12 + strings;
    memset(put(&w, TABLE), 0, TABLE);
    memcpy(w.data, "GSAE01", 6);
    mst_store32(w.data + 0x1C, 0xC2339F3D, true);
    memcpy(w.data + 0x20, "made by hand", 12);
    mst_store32(w.data + 0x424, TABLE, true);
    mst_store32(w.data + 0x428, size, true);
    mst_store32(w.data + 0x42C, size, true);
    put_u32(&w, 0x01000000);
    put_u32(&w, 0);
    put_u32(&w, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = entries[i].data ? (uint32_t)strlen(entries[i].data) : 0;
        put_u32(&w, entries[i].kind << 24 | names);
        put_u32(&w, entries[i].kind ? entries[i].parent : TABLE + size + data);
        put_u32(&w, entries[i].kind ? entries[i].end : length);
        names += (uint32_t)strlen(entries[i].name) + 1;
        data += length;
    }
    for (uint32_t i = 0; i < count; i++)
        put_bytes_of(&w, entries[i].name, strlen(entries[i].name) + 1);
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].data)
            put_bytes_of(&w, entries[i].data, strlen(entries[i].data));
    return w;
}

/* /readme, /maps/MOD6.tab, /maps/deep/x, /maps/nothing, /maps/hollow/, /maps/z, /last */
static const entry standard[] = {{"readme", 0, "read me", 0, 0}, {"maps", 1, NULL, 0, 8},
                                 {"MOD6.tab", 0, "six", 0, 0},   {"deep", 1, NULL, 2, 6},
                                 {"x", 0, "unknown", 0, 0},      {"nothing", 0, "", 0, 0},
                                 {"hollow", 1, NULL, 2, 8},      {"animtest", 1, NULL, 0, 10},
                                 {"mod6.TAB", 0, "other", 0, 0}, {"last", 0, "the end", 0, 0}};
enum { STANDARD = sizeof standard / sizeof *standard };

static uint8_t *entry_at(writer *w, uint32_t index) {
    return w->data + TABLE + 12 * index;
}

static mst_status open_image(const writer *w, const mst_container_options *options, mst_container **container,
                             mst_diagnostic *why) {
    memset(why, 0, sizeof *why);
    put_file(w->data, w->size);
    return open_either("a.iso", options, container, why);
}

static mst_container *opened(const writer *w) {
    mst_container *container;
    mst_diagnostic why;
    MUST(open_image(w, NULL, &container, &why), &why);
    return container;
}

static void holds(mst_container *container, const char *name, const char *text) {
    mst_container_bytes bytes;
    mst_diagnostic why;
    size_t index = mst_container_find(container, name);
    if (index == SIZE_MAX)
        print_error("there is no %s\n", name);
    assert_int_not_equal(index, SIZE_MAX);
    MUST(mst_container_read(container, index, &bytes, &why), &why);
    assert_int_equal(bytes.size, strlen(text));
    assert_non_null(bytes.data);
    assert_true(!bytes.held || by_slices);
    assert_memory_equal(bytes.data, text, bytes.size);
    mst_container_release(container, &bytes);
}

static void refused(const writer *w, uint64_t offset, const char *expected, const char *found) {
    mst_container *container;
    mst_diagnostic why;
    assert_int_equal(open_image(w, NULL, &container, &why), MST_DAMAGED);
    assert_null(container);
    assert_string_equal(why.code, "SFA-DISC");
    assert_int_equal(why.status, MST_DAMAGED);
    assert_int_equal(why.severity, MST_ERROR);
    assert_int_equal(why.offset, offset);
    assert_string_equal(why.expected, expected);
    assert_string_equal(why.found, found);
    assert_int_not_equal(why.message[0], 0);
}

/* ---- valid images -------------------------------------------------------------------------------------- */

static void directories_in_each_other(void **state) {
    (void)state;
    static const char *const names[] = {"animtest/mod6.TAB", "last",         "maps/MOD6.tab",
                                        "maps/deep/x",       "maps/nothing", "readme"};
    /* "nothing" is in "maps" and "hollow" is empty: its end is the end of "maps" */
    writer w = image_of(standard, STANDARD);
    mst_container *container = opened(&w);
    assert_int_equal(mst_container_count(container), 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(mst_container_name(container, i), names[i]);
    holds(container, "readme", "read me");
    holds(container, "maps/MOD6.tab", "six");
    holds(container, "Maps/Mod6.Tab", "six");
    holds(container, "ANIMTEST/MOD6.TAB", "other");
    holds(container, "maps/deep/x", "unknown");
    holds(container, "maps/nothing", "");
    holds(container, "last", "the end");
    assert_int_equal(mst_container_find(container, "maps"), SIZE_MAX);
    assert_int_equal(mst_container_find(container, "maps/hollow"), SIZE_MAX);
    assert_int_equal(mst_container_find(container, "x"), SIZE_MAX);
    assert_int_equal(mst_container_size(container, 0), 5);

    mst_resolver resolver = mst_container_resolver(container);
    const void *data;
    size_t size;
    assert_int_equal(resolver.find(resolver.user, "X", &data, &size), MST_OK);
    assert_int_equal(size, 7);
    assert_memory_equal(data, "unknown", 7);
    assert_int_equal(resolver.find(resolver.user, "MAPS/DEEP/X", &data, &size), MST_OK);
    assert_memory_equal(data, "unknown", 7);
    assert_int_equal(resolver.find(resolver.user, "mod6.TAB", &data, &size), MST_OK); /* in this case first */
    assert_memory_equal(data, "other", 5);
    assert_int_equal(resolver.find(resolver.user, "maps/mod6.tab", &data, &size), MST_OK);
    assert_memory_equal(data, "six", 3);
    assert_int_equal(resolver.find(resolver.user, "deep/x", &data, &size), MST_NO_PATH);
    mst_container_close(container);

    mst_store32(entry_at(&w, 6) + 4, 0xFFFFFFFF, true); /* the offset of an empty file does not matter */
    container = opened(&w);
    holds(container, "maps/nothing", "");
    mst_container_close(container);
    writer_free(&w);

    w = image_of(NULL, 0);
    container = opened(&w);
    assert_int_equal(mst_container_count(container), 0);
    mst_container_close(container);
    writer_free(&w);
}

/* Nothing is copied, and the memory for listing follows from the size of the table. */
static void members_are_views(void **state) {
    (void)state;
    if (by_slices)
        return; /* then they are copies */
    size_t space = (size_t)8 << 20;
    writer w = image_of(standard, STANDARD);
    memset(put(&w, space), 7, space);
    mst_store32(entry_at(&w, 10) + 8, 7 + (uint32_t)space, true);
    counted c = {0};
    mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
    mst_container *container;
    mst_diagnostic why;
    mst_container_bytes first, last;
    MUST(open_image(&w, &options, &container, &why), &why);
    MUST(mst_container_read(container, mst_container_find(container, "readme"), &first, &why), &why);
    MUST(mst_container_read(container, mst_container_find(container, "last"), &last, &why), &why);
    assert_int_equal((const char *)last.data - (const char *)first.data,
                     mst_load32(entry_at(&w, 10) + 4, true) - mst_load32(entry_at(&w, 1) + 4, true));
    assert_int_equal(last.size, 7 + space);
    size_t taken = c.bytes;
    mst_container_release(container, &first);
    mst_container_release(container, &last);
    assert_int_equal(c.bytes, taken);
#if !defined(__wasm__) && !defined(_WIN32) /* where files are not mapped */
    assert_true(taken < 1u << 16);
#endif
    mst_container_close(container);
    assert_int_equal(c.blocks, 0);
    assert_false(c.wrong);

    options = (mst_container_options){.size = sizeof(mst_container_options), .member_limit = 100};
    MUST(open_image(&w, &options, &container, &why), &why);
    assert_int_equal(mst_container_read(container, mst_container_find(container, "last"), &last, &why),
                     MST_IO);
    holds(container, "readme", "read me");
    mst_container_close(container);
    writer_free(&w);
}

static void names_of_all_kinds(void **state) {
    (void)state;
    static const entry entries[] = {{"\x83\x5C.bin", 0, "so", 0, 0}, /* Shift-JIS, a backslash in it */
                                    {"\x83\x7D.bin", 0, "ma", 0, 0},
                                    {"M\xC3\xBC", 0, "utf", 0, 0},
                                    {"..", 1, NULL, 0, 6},
                                    {"up", 0, "up", 0, 0},
                                    {"a/b", 0, "slash", 0, 0},
                                    {"bell\a", 0, "bell", 0, 0},
                                    {"", 0, "none", 0, 0}};
    writer w = image_of(entries, 8);
    mst_container *container = opened(&w);
    assert_int_equal(mst_container_count(container), 6);
    holds(container, "\xC3\xA2%5C.bin", "so"); /* 0x83 is U+00E2 in code page 437 */
    holds(container, "\xC3\xA2}.bin", "ma");
    holds(container, "M\xC3\xBC", "utf");
    holds(container, "up", "up");
    holds(container, "a%2Fb", "slash");
    holds(container, "bell_", "bell");
    mst_container_close(container);
    writer_free(&w);
}

/* ---- identifying the disc ------------------------------------------------------------------------------ */

static mst_status stop(void *user, const mst_diagnostic *diagnostic) {
    (void)user;
    (void)diagnostic;
    return MST_STOPPED;
}

static void other_games_open_too(void **state) {
    (void)state;
    static const struct {
        const char *code, *said;
    } games[] = {
        {"GSAE", NULL}, {"GSAP", NULL}, {"GSAJ", NULL}, {"GZZZ", "\"GZZZ\""}, {"\1\2\0Z", "\"___Z\""}};
    writer w = image_of(standard, STANDARD);
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        findings list = {0};
        mst_container_options options = {.size = sizeof options, .report = collect, .report_user = &list};
        mst_container *container;
        mst_diagnostic why;
        memcpy(w.data, games[i].code, 4);
        MUST(open_image(&w, &options, &container, &why), &why);
        assert_int_equal(list.count, games[i].said != NULL);
        for (size_t k = 0; k < list.count; k++) {
            assert_int_equal(list.items[k].severity, MST_WARNING);
            assert_string_equal(list.items[k].code, "SFA-DISC");
            assert_int_equal(list.items[k].offset, 0);
            assert_string_equal(list.items[k].found, games[i].said);
        }
        holds(container, "maps/MOD6.tab", "six");
        mst_container_close(container);
        findings_free(&list);
        options.report = stop;
        assert_int_equal(open_image(&w, &options, &container, &why), games[i].said ? MST_STOPPED : MST_OK);
        mst_container_close(container);
        MUST(open_image(&w, NULL, &container, &why), &why); /* without a report function */
        mst_container_close(container);
    }
    writer_free(&w);
}

static void what_is_a_disc(void **state) {
    (void)state;
    static const struct {
        const char *mark, *kind;
    } kinds[] = {
        {"RVZ\1", "RVZ"}, {"WIA\1", "WIA"}, {"CISO", "CISO"}, {"\x01\xC0\x0B\xB1", "GCZ"}, {"WBFS", "WBFS"}};
    writer w = image_of(standard, STANDARD);
    assert_true(mst_container_is_archive(w.data, w.size));
    assert_true(mst_container_is_archive(w.data, 0x20));
    assert_false(mst_container_is_archive(w.data, 0x1F));
    w.data[0x1F] ^= 1;
    assert_false(mst_container_is_archive(w.data, w.size));
    mst_container *container;
    mst_diagnostic why;
    assert_int_equal(open_image(&w, NULL, &container, &why), MST_UNKNOWN);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        memcpy(w.data, kinds[i].mark, 4);
        assert_true(mst_container_is_archive(w.data, 4));
        assert_false(mst_container_is_archive(w.data, 3));
        assert_int_equal(open_image(&w, NULL, &container, &why), MST_UNSUPPORTED);
        assert_null(container);
        assert_string_equal(why.code, "SFA-DISC");
        assert_int_equal(why.offset, 0);
        assert_string_equal(why.found, kinds[i].kind);
        assert_non_null(strstr(why.message, "dolphin-tool convert"));
    }
    writer_free(&w);
}

/* ---- images with wrong numbers ------------------------------------------------------------------------- */

/* Sets a number, expects the refusal, and restores it. */
static void refused_with(writer *w, size_t place, uint32_t value, uint64_t offset, const char *expected,
                         const char *found) {
    uint32_t before = mst_load32(w->data + place, true);
    mst_store32(w->data + place, value, true);
    refused(w, offset, expected, found);
    mst_store32(w->data + place, before, true);
}

static void ends_that_do_not_nest(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    size_t root = TABLE, maps = TABLE + 24, deep = TABLE + 48, animtest = TABLE + 96;
    refused_with(&w, maps + 8, 2, maps + 8, "more than 2", "2");
    refused_with(&w, maps + 8, 0, maps + 8, "more than 2", "0");
    refused_with(&w, maps + 8, 12, maps + 8, "at most 11", "12");
    refused_with(&w, maps + 8, 0xFFFFFFFF, maps + 8, "at most 11", "4294967295");
    refused_with(&w, deep + 8, 9, deep + 8, "at most 8", "9");
    refused_with(&w, deep + 8, 4, deep + 8, "more than 4", "4");
    refused_with(&w, animtest + 8, 7, animtest + 8, "more than 8", "7");
    refused_with(&w, root + 8, 0, root + 8, "at least 1", "0");
    refused_with(&w, root, 0, root, "a directory: 1", "0");
    /* 11 entries of 12 bytes and 66 of names: room for 16 entries */
    refused_with(&w, root + 8, 17, root + 8, "at most 16", "17");
    refused_with(&w, root + 8, 0xFFFFFFFF, root + 8, "at most 16", "4294967295");
    writer_free(&w);
}

static void a_table_outside(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    char end[40], found[40];
    snprintf(end, sizeof end, "an end of at most %zu", w.size);
    refused_with(&w, 0x424, 0xFFFFFFF0, 0x424, end, "4294967478"); /* + 198, the size of the table */
    snprintf(found, sizeof found, "%llu", TABLE + 0xFFFFFFFFull);
    refused_with(&w, 0x428, 0xFFFFFFFF, 0x424, end, found);
    refused_with(&w, 0x428, 0, 0x428, "at least 12", "0");
    refused_with(&w, 0x428, 11, 0x428, "at least 12", "11");
    writer_free(&w);
}

static void names_outside(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    size_t last = TABLE + 120, names = TABLE + 132;
    refused_with(&w, last, 66, last, "at most 65", "66");
    refused_with(&w, last, 0xFFFFFF, last, "at most 65", "16777215");
    w.data[names + 65] = 'x'; /* the NUL of the last name: the one before it ends at 60 */
    refused(&w, last, "at most 60", "61");
    memset(w.data + names, 'x', 66);
    refused(&w, names, "", "");
    writer_free(&w);
}

static void directories_too_deep(void **state) {
    (void)state;
    for (uint32_t depth = 32; depth <= 33; depth++) {
        entry entries[40];
        char path[100] = "";
        for (uint32_t i = 0; i < depth; i++) {
            entries[i] = (entry){"d", 1, NULL, i, depth + 2};
            memcpy(path + 2 * i, "d/", 2);
        }
        memcpy(path + 2 * depth, "file", 5);
        entries[depth] = (entry){"file", 0, "deep", 0, 0};
        writer w = image_of(entries, depth + 1);
        if (depth == 32) {
            mst_container *container = opened(&w);
            assert_int_equal(mst_container_count(container), 1);
            holds(container, path, "deep");
            mst_container_close(container);
        } else {
            refused(&w, TABLE + 33 * 12, "at most 32", "33");
        }
        writer_free(&w);
    }
}

static void data_outside(void **state) {
    (void)state;
    static const uint32_t places[][2] = {{0xFFFFFFFF, 7}, {0, 0x7FFFFFFF}, {0xFFFFFFFF, 0x3FFFFFFF}, {0, 0}};
    writer w = image_of(standard, STANDARD);
    for (size_t i = 0; i < 4; i++) {
        uint8_t *readme = entry_at(&w, 1);
        bool one_more = i == 3;
        uint32_t begin = one_more ? (uint32_t)w.size - 6 : places[i][0], size = one_more ? 7 : places[i][1];
        mst_store32(readme + 4, begin, true);
        mst_store32(readme + 8, size, true);
        mst_container_options options = {.size = sizeof options, .member_limit = UINT64_C(0x80000000)};
        mst_container *container;
        mst_diagnostic why;
        mst_container_bytes bytes;
        char expected[60], found[60];
        snprintf(expected, sizeof expected, "an end of at most %zu", w.size);
        snprintf(found, sizeof found, "%llu", (unsigned long long)begin + size);
        MUST(open_image(&w, &options, &container, &why), &why);
        size_t index = mst_container_find(container, "readme");
        assert_int_equal(mst_container_size(container, index), size);
        assert_int_equal(mst_container_read(container, index, &bytes, &why), MST_DAMAGED);
        assert_int_equal(bytes.size, 0);
        assert_string_equal(why.code, "SFA-DISC");
        assert_int_equal(why.offset, TABLE + 12 + 4);
        assert_string_equal(why.expected, expected);
        assert_string_equal(why.found, found);
        assert_non_null(strstr(why.message, "readme"));
        holds(container, "maps/MOD6.tab", "six"); /* the rest is usable */
        holds(container, "last", "the end");
        mst_resolver resolver = mst_container_resolver(container);
        const void *data;
        size_t length;
        assert_int_not_equal(resolver.find(resolver.user, "readme", &data, &length), MST_OK);
        assert_int_equal(resolver.find(resolver.user, "last", &data, &length), MST_OK);
        mst_container_close(container);
    }
    writer_free(&w);
}

/* Many files that share all the bytes, and many names of the same long directories, are more than an image
 * holds. */
static void much_from_little(void **state) {
    (void)state;
    static entry entries[600];
    static char name[2001];
    memset(name, 'n', 2000);
    for (int what = 0; what < 2; what++) {
        for (size_t i = 0; i < 600; i++)
            entries[i] = (entry){"x", 0, "", 0, 0};
        if (what)
            entries[0] = (entry){name, 1, NULL, 0, 601};
        writer w = image_of(entries, 600);
        for (uint32_t i = 0; !what && i < 600; i++) {
            mst_store32(entry_at(&w, i + 1) + 4, 0, true);
            mst_store32(entry_at(&w, i + 1) + 8, (uint32_t)w.size, true);
        }
        counted c = {0};
        mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_container *container;
        mst_diagnostic why;
        assert_int_equal(open_image(&w, &options, &container, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-DISC");
        assert_int_equal(c.blocks, 0);
        if (!what) { /* a few may overlap: copies that share their bytes */
            for (uint32_t i = 16; i < 600; i++)
                mst_store32(entry_at(&w, i + 1) + 8, 0, true);
            container = opened(&w);
            assert_int_equal(mst_container_count(container), 600);
            mst_container_close(container);
        }
        writer_free(&w);
    }
}

static void names_without_limit_are_left_out(void **state) {
    (void)state;
    size_t length = 5000;
    char *name = malloc(length + 1);
    assert_non_null(name);
    memset(name, 'n', length);
    name[length] = 0;
    entry entries[] = {
        {name, 1, NULL, 0, 3}, {"in", 0, "in", 0, 0}, {name, 0, "x", 0, 0}, {"short", 0, "y", 0, 0}};
    writer w = image_of(entries, 4);
    memset(put(&w, length * 4), 0, length * 4);
    mst_container *container = opened(&w);
    assert_int_equal(mst_container_count(container), 1);
    holds(container, "short", "y");
    mst_container_close(container);
    writer_free(&w);
    free(name);
}

/* ---- damaged images ------------------------------------------------------------------------------------ */

static void read_all(mst_container *container) {
    unsigned sum = 0;
    for (size_t i = 0; i < mst_container_count(container); i++) {
        mst_container_bytes bytes;
        mst_diagnostic why;
        mst_status status = mst_container_read(container, i, &bytes, &why);
        assert_true(status == MST_OK || status == MST_DAMAGED || status == MST_IO); /* IO: too large */
        if (status == MST_DAMAGED)
            assert_string_equal(why.code, "SFA-DISC");
        for (size_t k = 0; k < bytes.size; k++)
            sum += ((const uint8_t *)bytes.data)[k];
        mst_container_release(container, &bytes);
    }
    assert_true(sum < UINT32_MAX);
}

static void cut_anywhere(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    size_t size = w.size, data = TABLE + 11 * 12 + 66;
    for (w.size = 0; w.size <= size; w.size += sample_step()) {
        mst_container *container;
        mst_diagnostic why;
        mst_status status = open_image(&w, NULL, &container, &why);
        assert_int_equal(status, w.size < 0x20 ? MST_UNKNOWN : w.size < data ? MST_DAMAGED : MST_OK);
        if (status == MST_DAMAGED)
            assert_string_equal(why.code, "SFA-DISC");
        if (status == MST_OK) {
            size_t good = 0;
            for (size_t i = 0; i < mst_container_count(container); i++) {
                mst_container_bytes bytes;
                good += mst_container_read(container, i, &bytes, &why) == MST_OK;
                mst_container_release(container, &bytes);
            }
            /* ends of readme, MOD6.tab, x, mod6.TAB and last in the data; "nothing" always exists */
            static const size_t ends[] = {0, 7, 10, 17, 22, 29};
            size_t wanted = 0;
            for (size_t i = 0; i < 6; i++)
                wanted += w.size - data >= ends[i];
            assert_int_equal(good, wanted);
            read_all(container);
        }
        mst_container_close(container);
    }
    w.size = size;
    writer_free(&w);
}

static void turned_bytes(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    for (size_t i = 0; i < w.size; i += sample_step())
        for (int k = 0; k < 4; k++) {
            uint8_t before = w.data[i];
            w.data[i] = (uint8_t)(k == 0   ? ~before
                                  : k == 1 ? before ^ 1
                                  : k == 2 ? before ^ 0x80
                                           : before + 1);
            counted c = {0};
            mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
            mst_container *container;
            mst_diagnostic why;
            mst_status status = open_image(&w, &options, &container, &why);
            assert_true(status == MST_OK || status == MST_DAMAGED || status == MST_UNKNOWN);
            if (status == MST_OK)
                read_all(container);
            mst_container_close(container);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            w.data[i] = before;
        }
    writer_free(&w);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_container *container;
        mst_diagnostic why;
        mst_status status = open_image(&w, &options, &container, &why);
        c.fail_at = 0; /* reading by slices allocates */
        if (status == MST_OK)
            holds(container, "last", "the end");
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_container_close(container);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
    writer_free(&w);
}

/* ---- an image made by other programs ------------------------------------------------------------------- */

static char *text_after(char *from, const char *what) {
    char *found = from ? strstr(from, what) : NULL;
    return found ? found + strlen(what) : NULL;
}

static void the_image_of_the_corpus(void **state) {
    (void)state;
    size_t size, count = 0, image_size;
    uint8_t *image = corpus_read("sfa/mini/mini.iso", &image_size);
    uint8_t *read = corpus_read("sfa/expected.json", &size);
    char *text = realloc(read, size + 1), path[512];
    assert_non_null(text);
    text[size] = 0;
    assert_true(corpus_path("sfa/mini/mini.iso", path, sizeof path));
    mst_container *container;
    mst_diagnostic why;
    findings list = {0};
    mst_container_options options = {.size = sizeof options, .report = collect, .report_user = &list};
    MUST(open_either(path, &options, &container, &why), &why);
    assert_int_equal(list.count, 0);

    char *next = text_after(text, "\"mini/mini.iso\"");
    next = text_after(next, "{");
    for (char *quote; next && (quote = strpbrk(next, "\"}")) && *quote == '"'; count++) {
        char *name = quote + 1, *name_end = strchr(name, '"');
        assert_non_null(name_end);
        char *end = strchr(name_end, '}');
        char *offset = text_after(name_end, "\"offset\":"), *length = text_after(name_end, "\"size\":");
        char *hash = text_after(text_after(name_end, "\"sha256\":"), "\"");
        assert_true(offset && length && hash && end && offset < end && length < end && hash < end);
        *name_end = 0;
        size_t index = mst_container_find(container, name), file_size;
        assert_int_not_equal(index, SIZE_MAX);
        assert_string_equal(mst_container_name(container, index), name);
        mst_container_bytes bytes;
        MUST(mst_container_read(container, index, &bytes, &why), &why);
        unsigned long begin = strtoul(offset, NULL, 10);
        assert_int_equal(bytes.size, strtoul(length, NULL, 10));
        assert_true(begin + bytes.size <= image_size);
        assert_memory_equal(bytes.data, image + begin, bytes.size);
        char digest[65];
        mst_sha256_text(bytes.data, bytes.size, digest);
        assert_memory_equal(digest, hash, 64);
        char near[200];
        snprintf(near, sizeof near, "sfa/mini/%s", name);
        uint8_t *beside = corpus_read(near, &file_size);
        assert_int_equal(file_size, bytes.size);
        assert_memory_equal(bytes.data, beside, file_size);
        free(beside);
        mst_container_release(container, &bytes);
        next = end + 1;
    }
    assert_int_equal(count, 28);
    assert_int_equal(mst_container_count(container), count);
    mst_container_close(container);
    findings_free(&list);
    free(image);
    free(text);
}

/* Of an image of 1.2 GB only its header, its table and the requested files are read. */
static void large_images(void **state) {
    (void)state;
    writer w = image_of(standard, STANDARD);
    put_file(w.data, w.size);
    assert_int_equal(truncate("a.iso", 1200000000), 0);
    mst_container *container;
    mst_diagnostic why;
    bool before = by_slices;
    by_slices = true;
    most_at_once = read_in_total = 0;
    MUST(open_either("a.iso", NULL, &container, &why), &why);
    holds(container, "maps/MOD6.tab", "six");
    assert_true(read_in_total < 4096 && most_at_once < 2048);
    mst_container_close(container);
    by_slices = before;
    writer_free(&w);
}

int test_disc(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories_in_each_other),
        cmocka_unit_test(members_are_views),
        cmocka_unit_test(names_of_all_kinds),
        cmocka_unit_test(other_games_open_too),
        cmocka_unit_test(what_is_a_disc),
        cmocka_unit_test(ends_that_do_not_nest),
        cmocka_unit_test(a_table_outside),
        cmocka_unit_test(names_outside),
        cmocka_unit_test(directories_too_deep),
        cmocka_unit_test(data_outside),
        cmocka_unit_test(much_from_little),
        cmocka_unit_test(names_without_limit_are_left_out),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(turned_bytes),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_image_of_the_corpus),
        cmocka_unit_test(large_images),
    };
    int failed = cmocka_run_group_tests_name("disc", tests, make_place, remove_place);
    by_slices = true; /* and the same of a file that is read in slices */
    memcpy(directory + strlen(directory) - 6, "XXXXXX", 6);
    return failed + cmocka_run_group_tests_name("disc by slices", tests, make_place, remove_place);
}
