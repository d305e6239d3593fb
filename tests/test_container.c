/* SPDX-License-Identifier: MIT */
/* Sets: directories and archives by name; archives that lie, are cut, or would fill all memory. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "../src/container/container.h"
#include "given.h"
#include <mapstone/container.h>
#include <sys/stat.h>
#include <unistd.h>
#if MST_WITH_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

static char directory[] = "/tmp/mapstone-set-XXXXXX";

static int make_place(void **state) {
    (void)state;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int remove_place(void **state) {
    (void)state;
    static const char *const names[] = {"a.bin",       "d/link", "d/b/Two.TXT", "d/b/two.txt", "d/one.txt",
                                        "d/b/c/three", "d/b/c",  "d/b",         "d/empty",     "d"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(names[i]);
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static void put_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static mst_container *opened(const char *path, uint64_t limit) {
    mst_container_options options = {.member_limit = limit};
    mst_diagnostic why;
    mst_container *container;
    MUST(mst_container_open(path, &options, &container, &why), &why);
    return container;
}

static void opens_as(mst_status wanted, const writer *w) {
    mst_diagnostic why = {0};
    mst_container *container;
    put_file("a.bin", w->data, w->size);
    assert_int_equal(mst_container_open("a.bin", NULL, &container, &why), wanted);
    assert_null(container);
    assert_int_equal(why.status, wanted);
    assert_int_not_equal(why.message[0], 0);
}

static void holds(mst_container *container, const char *name, const void *data, size_t size) {
    mst_container_bytes bytes;
    mst_diagnostic why;
    size_t index = mst_container_find(container, name);
    assert_int_not_equal(index, SIZE_MAX);
    MUST(mst_container_read(container, index, &bytes, &why), &why);
    assert_int_equal(bytes.size, size);
    assert_non_null(bytes.data);
    assert_memory_equal(bytes.data, data, size);
    mst_container_release(container, &bytes);
}

static void reads_as(mst_container *container, size_t index, mst_status wanted) {
    mst_container_bytes bytes;
    mst_diagnostic why = {0};
    assert_int_equal(mst_container_read(container, index, &bytes, &why), wanted);
    assert_int_equal(bytes.size, 0);
    assert_int_equal(why.status, wanted);
}

/* ---- zip archives by hand, as APPNOTE.TXT describes them ----------------------------------------------- */

typedef struct zip {
    writer w, ends; /* members; the directory */
    uint32_t count;
} zip;

static uint32_t crc_of(const uint8_t *data, size_t size) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

typedef struct entry {
    const char *name, *data;
    size_t name_length;   /* 0: that of the name */
    uint16_t method;      /* of the data as it stands here */
    uint32_t size;        /* unpacked; 0: that of the data */
    uint32_t mode, flags; /* of Unix */
    bool wrong_crc;
    size_t packed; /* 0: strlen of the data */
    uint32_t crc;  /* 0: of the data */
    /* what only the directory has, or only the member's own header */
    const char *extra, *header_extra;
    size_t extra_size, header_extra_size;
    uint16_t header_flags;
    uint32_t listed; /* the size that the directory says; 0: as above */
    bool wide[3];    /* size, packed size, offset: they are in `extra`, if anywhere */
} entry;

static void add(zip *z, entry e) {
    size_t length = e.name_length ? e.name_length : strlen(e.name),
           packed = e.packed ? e.packed : strlen(e.data);
    uint32_t size = e.size ? e.size : (uint32_t)packed, offset = (uint32_t)z->w.size;
    uint32_t crc = (e.crc ? e.crc : crc_of((const uint8_t *)e.data, packed)) + e.wrong_crc;
    writer *const both[] = {&z->w, &z->ends};
    for (int i = 0; i < 2; i++) {
        writer *w = both[i];
        put_u32(w, i ? 0x02014B50 : 0x04034B50);
        if (i)
            put_u16(w, 3 << 8 | 20);
        put_u16(w, 20);
        put_u16(w, (uint16_t)(i ? e.flags : e.flags | e.header_flags));
        put_u16(w, e.method);
        put_u32(w, 0);
        put_u32(w, crc);
        put_u32(w, i && e.wide[1] ? UINT32_MAX : (uint32_t)packed);
        put_u32(w, i && e.wide[0] ? UINT32_MAX : i && e.listed ? e.listed : size);
        put_u16(w, (uint16_t)length);
        put_u16(w, (uint16_t)(i ? e.extra_size : e.header_extra_size));
        if (i) {
            put_u16(w, 0);
            put_u16(w, 0);
            put_u16(w, 0);
            put_u32(w, e.mode << 16);
            put_u32(w, e.wide[2] ? UINT32_MAX : offset);
        }
        put_bytes_of(w, e.name, length);
        put_bytes_of(w, i ? e.extra : e.header_extra, i ? e.extra_size : e.header_extra_size);
        if (!i)
            put_bytes_of(w, e.data, packed);
    }
    z->count++;
}

static void end(zip *z, const char *comment) {
    uint32_t offset = (uint32_t)z->w.size, size = (uint32_t)z->ends.size;
    put_bytes_of(&z->w, z->ends.data, z->ends.size);
    put_u32(&z->w, 0x06054B50);
    put_u32(&z->w, 0);
    put_u16(&z->w, (uint16_t)z->count);
    put_u16(&z->w, (uint16_t)z->count);
    put_u32(&z->w, size);
    put_u32(&z->w, offset);
    put_u16(&z->w, (uint16_t)strlen(comment));
    put_bytes_of(&z->w, comment, strlen(comment));
    put_file("a.bin", z->w.data, z->w.size);
}

/* The same with the larger end that archives of more than 4 GiB have. `moved`: it is not where the locator
 * says; `spoilt`: it is nowhere. */
static void end_wide(zip *z, uint64_t moved, bool spoilt) {
    uint64_t offset = z->w.size, size = z->ends.size, large = offset + size;
    put_bytes_of(&z->w, z->ends.data, z->ends.size);
    put_u32(&z->w, spoilt ? 0 : 0x06064B50);
    put_u64(&z->w, 44);
    put_u32(&z->w, 45 << 16 | 45);
    put_u64(&z->w, 0); /* disks */
    put_u64(&z->w, z->count);
    put_u64(&z->w, z->count);
    put_u64(&z->w, size);
    put_u64(&z->w, offset);
    put_u32(&z->w, 0x07064B50);
    put_u32(&z->w, 0);
    put_u64(&z->w, large + moved);
    put_u32(&z->w, 1);
    put_u32(&z->w, 0x06054B50);
    put_u32(&z->w, 0);
    for (int i = 0; i < 3; i++)
        put_u32(&z->w, UINT32_MAX);
    put_u16(&z->w, 0);
    put_file("a.bin", z->w.data, z->w.size);
}

static void zip_free(zip *z) {
    writer_free(&z->w);
    writer_free(&z->ends);
}

static void stored_members_are_views(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "levels/b.map", .data = "second"});
    add(&z, (entry){.name = "levels/", .data = ""});
    add(&z, (entry){.name = "link", .data = "levels", .mode = 0120777});
    add(&z, (entry){.name = "levels/A.map", .data = "first", .mode = 0100644});
    add(&z, (entry){.name = "empty", .data = ""});
    add(&z, (entry){.name = "levels/B.MAP", .data = "other"});
    end(&z, "PK\5\6 a comment that looks like an end");
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 4);
    assert_string_equal(mst_container_name(container, 0), "empty");
    assert_string_equal(mst_container_name(container, 1), "levels/A.map");
    assert_string_equal(mst_container_name(container, 2), "levels/B.MAP");
    assert_string_equal(mst_container_name(container, 3), "levels/b.map");
    assert_null(mst_container_name(container, 4));
    assert_int_equal(mst_container_size(container, 3), 6);
    assert_int_equal(mst_container_size(container, 99), 0);
    holds(container, "levels/b.map", "second", 6);
    holds(container, "levels/B.MAP", "other", 5);
    holds(container, "LEVELS/a.MAP", "first", 5);
    holds(container, "Empty", "", 0);
    assert_int_equal(mst_container_find(container, "b.map"), SIZE_MAX);
    assert_int_equal(mst_container_find(container, "levels"), SIZE_MAX);
    assert_int_equal(mst_container_find(container, ""), SIZE_MAX);
    reads_as(container, 4, MST_ARGUMENT);

    mst_resolver resolver = mst_container_resolver(container);
    const void *data;
    size_t size;
    assert_int_equal(resolver.find(resolver.user, "b.map", &data, &size), MST_OK);
    assert_int_equal(size, 6);
    assert_int_equal(resolver.find(resolver.user, "a.MAP", &data, &size), MST_OK);
    assert_memory_equal(data, "first", 5);
    assert_int_equal(resolver.find(resolver.user, "EMPTY", &data, &size), MST_OK);
    assert_int_equal(size, 0);
    assert_int_equal(resolver.find(resolver.user, "Levels/a.map", &data, &size), MST_OK);
    assert_memory_equal(data, "first", 5);
    assert_int_equal(resolver.find(resolver.user, "other/A.map", &data, &size), MST_NO_PATH);
    assert_int_equal(resolver.find(resolver.user, "../levels/A.map", &data, &size), MST_NO_PATH);
    assert_int_equal(resolver.find(resolver.user, "", &data, &size), MST_NO_PATH);
    mst_container_close(container);
    zip_free(&z);
    mst_container_close(NULL);
}

/* What looks like an end in a comment is none if its own comment would not fit. */
static void a_comment_with_an_end_in_it(void **state) {
    (void)state;
    zip z = {0};
    char data[301] = "", comment[] = "PK\5\6 and sixteen more.";
    memset(data, 'x', 300);
    comment[20] = 1, comment[21] = 1; /* 257 bytes: fewer than there are in all, more than follow */
    add(&z, (entry){.name = "a.map", .data = data});
    end(&z, comment);
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 1);
    holds(container, "a.map", data, 300);
    mst_container_close(container);
    zip_free(&z);
}

static void something_may_stand_in_front(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "x", .data = "1234"});
    end(&z, "");
    writer w = {0}; /* an empty member, then the complete archive */
    zip front = {0};
    add(&front, (entry){.name = "y", .data = "0"});
    put_bytes_of(&w, front.w.data, front.w.size);
    put_bytes_of(&w, z.w.data, z.w.size);
    put_file("a.bin", w.data, w.size);
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 1);
    holds(container, "x", "1234", 4);
    mst_container_close(container);
    writer_free(&w);
    zip_free(&z);
    zip_free(&front);
}

static void large_archives(void **state) {
    (void)state;
    /* the required sizes and offset, in a block after one of another kind */
    static const char first[] = "UT\1\0x"
                                "\1\0\x18\0"
                                "\4\0\0\0\0\0\0\0"
                                "\4\0\0\0\0\0\0\0"
                                "\0\0\0\0\0\0\0\0",
                      second[] = "\1\0\x8\0"
                                 "\3\0\0\0\0\0\0\0";
    for (int i = 0; i < 3; i++) {
        zip z = {0};
        add(&z, (entry){.name = "a", .data = "1234", .extra = first, .extra_size = 33, .wide = {1, 1, 1}});
        add(&z, (entry){.name = "b", .data = "123", .extra = second, .extra_size = 12, .wide = {0, 1, 0}});
        add(&z, (entry){.name = "c", .data = "12", .extra = "UT\0\0xyz", .extra_size = 7});
        add(&z, (entry){.name = "d", .data = "1", .extra = "UT\xFF\0", .extra_size = 4});
        end_wide(&z, i == 0 ? 0 : i == 1 ? 7 : UINT32_MAX, false);
        mst_container *container = opened("a.bin", 0);
        assert_int_equal(mst_container_count(container), 4);
        holds(container, "a", "1234", 4);
        holds(container, "b", "123", 3);
        holds(container, "c", "12", 2);
        holds(container, "d", "1", 1);
        mst_container_close(container);
        zip_free(&z);
    }
    zip z = {0};
    add(&z, (entry){.name = "a", .data = "1234"});
    end_wide(&z, 0, true);
    opens_as(MST_DAMAGED, &z.w);
    zip_free(&z);
    writer w = {0}; /* no room for the larger end */
    put_u32(&w, 0x04034B50);
    put_u64(&w, 0);
    put_u32(&w, 0x07064B50);
    put_u64(&w, 0);
    put_u64(&w, 0);
    put_u32(&w, 0x06054B50);
    for (int i = 0; i < 9; i++)
        put_u16(&w, 0);
    opens_as(MST_DAMAGED, &w);
    writer_free(&w);
    /* sizes that should be elsewhere, and are not */
    static const entry lacking[] = {
        {.name = "a", .data = "1", .wide = {1, 0, 0}},
        {.name = "a", .data = "1", .wide = {0, 1, 0}},
        {.name = "a", .data = "1", .wide = {0, 0, 1}},
        {.name = "a", .data = "1", .wide = {1, 1, 0}, .extra = second, .extra_size = 12},
        {.name = "a", .data = "1", .wide = {0, 1, 0}, .extra = second, .extra_size = 11},
    };
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        zip one = {0};
        add(&one, lacking[i]);
        end(&one, "");
        opens_as(MST_DAMAGED, &one.w);
        zip_free(&one);
    }
}

static void archives_of_nothing(void **state) {
    (void)state;
    zip z = {0};
    end(&z, "");
    mst_container *container = opened("a.bin", UINT64_MAX);
    assert_int_equal(mst_container_count(container), 0);
    reads_as(container, 0, MST_ARGUMENT);
    mst_container_close(container);
    zip_free(&z);
    put_file("a.bin", "PK\3\4", 4);
    assert_int_equal(mst_container_open("a.bin", NULL, &container, NULL), MST_DAMAGED);
    put_file("a.bin", "\x1F\x8B\x08", 3);
    assert_int_equal(mst_container_open("a.bin", NULL, &container, NULL),
                     MST_WITH_ARCHIVE ? MST_UNKNOWN : MST_UNSUPPORTED);
    /* entries that are not files: without a name, a folder as some packers write it, a device */
    zip folders = {0};
    add(&folders, (entry){.name = "", .data = ""});
    add(&folders, (entry){.name = "folder\\", .data = ""});
    add(&folders, (entry){.name = "device", .data = "", .mode = 0020666});
    end(&folders, "");
    container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 0);
    mst_container_close(container);
    zip_free(&folders);
}

/* Members of one name stay in the order in which they lie. */
static void names_may_repeat(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "x/a", .data = "1"});
    add(&z, (entry){.name = "y/a", .data = "2"});
    add(&z, (entry){.name = "x/a", .data = "3"});
    add(&z, (entry){.name = "X/A", .data = "4"});
    end(&z, "");
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 4);
    static const char *const wanted[] = {"4", "1", "3", "2"};
    for (size_t i = 0; i < 4; i++) {
        mst_container_bytes bytes;
        MUST(mst_container_read(container, i, &bytes, NULL), NULL);
        assert_memory_equal(bytes.data, wanted[i], 1);
        mst_container_release(container, &bytes);
    }
    holds(container, "x/a", "1", 1);
    holds(container, "x/A", "4", 1);
    mst_container_close(container);
    zip_free(&z);
}

static void gives(mst_container *container, const char *folder, const char *ending, const char *text) {
    resolver_gives(mst_container_resolver(container), folder, ending, text);
}

static void every_file_of_an_ending_is_given(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "defs/Actors/b.TXT", .data = "b"});
    add(&z, (entry){.name = "defs/Actors/a.txt", .data = "a"});
    add(&z, (entry){.name = "defs/Actors/c.txt", .data = "c", .wrong_crc = true});
    add(&z, (entry){.name = "defs/Actors/d.bin", .data = "d"});
    add(&z, (entry){.name = "actors/e.txt", .data = "e"});
    add(&z, (entry){.name = "f.txt", .data = "f"});
    end(&z, "");
    mst_container *container = opened("a.bin", 0);
    gives(container, "actors", ".txt", "e.txt=e,a.txt=a,b.TXT=b,");
    gives(container, "defs/actors", ".txt", "a.txt=a,b.TXT=b,");
    gives(container, "defs/actors", "", "a.txt=a,b.TXT=b,d.bin=d,");
    gives(container, "other", "", "");
    mst_resolver resolver = mst_container_resolver(container);
    given all = {.max = 1};
    assert_int_equal(resolver.each(resolver.user, "actors", ".txt", take, &all), MST_STOPPED);
    assert_string_equal(all.text, "e.txt=e,");
    const void *data;
    size_t size;
    assert_int_equal(resolver.find(resolver.user, "c.txt", &data, &size), MST_DAMAGED);
    mst_container_close(container);
    zip_free(&z);
}

static void names_are_made_safe(void **state) {
    (void)state;
    static const struct {
        const char *raw, *safe;
    } names[] = {{"../../etc/passwd", "etc/passwd"},
                 {"/absolute/x", "absolute/x"},
                 {"C:\\Games\\y.map", "Games/y.map"},
                 {"a/./b//c", "a/b/c"},
                 {"bell\a\x1B[2J", "bell__[2J"},
                 {"M\x81LL", "M\xC3\xBCLL"}, /* code page 437 */
                 {"M\xC3\xBC", "M\xC3\xBC"}, /* UTF-8 */
                 {"c1\xC2\x9Bm", "c1_m"},
                 {"soft\xC2\xAD", "soft\xC2\xAD"},
                 {"del\x7F", "del_"},
                 {"a/C:/b", "a/C:/b"},
                 {"a/.b/..c", "a/.b/..c"},
                 {"\xB3 \xE0", "\xE2\x94\x82 \xCE\xB1"},
                 {"..\\..", NULL},
                 {"...", "..."}};
    zip z = {0};
    size_t there = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add(&z, (entry){.name = names[i].raw, .data = "x"});
        there += names[i].safe != NULL;
    }
    add(&z, (entry){.name = "nul\0after", .name_length = 9, .data = "nul"});
    end(&z, "");
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), there + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].safe)
            holds(container, names[i].safe, "x", 1);
    holds(container, "nul_after", "nul", 3);
    mst_container_close(container);
    zip_free(&z);
}

/* Whatever the capacity: the complete name, or none. */
static void names_need_their_room(void **state) {
    (void)state;
    static const char name[] = "x/\x81\xB3\a", wanted[] = "x/\xC3\xBC\xE2\x94\x82_";
    for (size_t capacity = 0; capacity < 20; capacity++) {
        char safe[20];
        memset(safe, '?', sizeof safe);
        size_t length = mst_name_make_safe(name, sizeof name - 1, safe, capacity);
        assert_int_equal(length, capacity >= sizeof wanted ? sizeof wanted - 1 : 0);
        if (length)
            assert_string_equal(safe, wanted);
        for (size_t i = capacity; i < sizeof safe; i++)
            assert_int_equal(safe[i], '?');
    }
    char none[1] = "";
    assert_int_equal(mst_name_make_safe("", 0, none, 0), 0);
    assert_int_equal(mst_name_make_safe("", 0, none, 1), 0);
}

/* What a set reports: the last of it. */
typedef struct reported {
    unsigned count;
    mst_diagnostic last;
    mst_status answer;
} reported;

static mst_status take_report(void *user, const mst_diagnostic *one) {
    reported *all = user;
    all->count++;
    all->last = *one;
    return all->answer;
}

static void names_without_end_are_left_out(void **state) {
    (void)state;
    zip z = {0};
    char *name = malloc(60000);
    assert_non_null(name);
    memset(name, 'x', 60000);
    memcpy(name + 46, "\xE2\x94\x82", 3); /* a character where it is cut */
    add(&z, (entry){.name = name, .name_length = 60000, .data = "x"});
    add(&z, (entry){.name = "short", .data = "y"});
    end(&z, "");
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 1);
    assert_int_equal(mst_container_omitted(container), 1);
    holds(container, "short", "y", 1);
    mst_container_close(container);
    reported all = {0};
    mst_diagnostic why;
    mst_container_options options = {.report = take_report, .report_user = &all};
    MUST(mst_container_open("a.bin", &options, &container, &why), &why);
    mst_container_close(container);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.last.severity, MST_WARNING);
    assert_string_equal(all.last.message, "a file is left out of the container: its name is too long");
    assert_string_equal(all.last.found, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
    all.answer = MST_STOPPED;
    assert_int_equal(mst_container_open("a.bin", &options, &container, &why), MST_STOPPED);
    zip_free(&z);

    zip short_ones = {0}; /* one with the most that a name may have, and one byte more */
    add(&short_ones, (entry){.name = name + 100, .name_length = MST_CONTAINER_NAME_MAX, .data = "x"});
    add(&short_ones, (entry){.name = name + 100, .name_length = MST_CONTAINER_NAME_MAX + 1, .data = "x"});
    add(&short_ones, (entry){.name = "..", .data = "x"});
    end(&short_ones, "");
    all = (reported){0};
    MUST(mst_container_open("a.bin", &options, &container, &why), &why);
    assert_int_equal(mst_container_count(container), 1);
    assert_int_equal(mst_container_omitted(container), 2);
    assert_string_equal(all.last.message, "a file is left out of the container: its name has no usable part");
    mst_container_close(container);
    zip_free(&short_ones);
    free(name);
}

/* A sidecar that cannot be read is reported once, and taken for one that is not there. */
static void unreadable_sidecars(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "defs/a.txt", .data = "a", .wrong_crc = true});
    end(&z, "");
    reported all = {0};
    mst_container_options options = {.report = take_report, .report_user = &all};
    mst_container *container;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    mst_resolver resolver = mst_container_resolver(container);
    const void *data;
    size_t size;
    for (int i = 0; i < 2; i++)
        assert_int_equal(resolver.find(resolver.user, "a.txt", &data, &size), MST_DAMAGED);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.last.severity, MST_WARNING);
    assert_non_null(strstr(all.last.message, "its checksum is wrong"));
    mst_container_close(container);
    all.answer = MST_STOPPED;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    resolver = mst_container_resolver(container);
    assert_int_equal(resolver.find(resolver.user, "a.txt", &data, &size), MST_STOPPED);
    mst_container_close(container);
    zip_free(&z);
}

static void begins(mst_container *container, const char *name, size_t capacity, const void *wanted,
                   size_t size) {
    char first[64] = "";
    size_t count = 99;
    mst_diagnostic why;
    MUST(mst_container_peek(container, mst_container_find(container, name), first, capacity, &count, &why),
         &why);
    assert_int_equal(count, size);
    assert_memory_equal(first, wanted, size);
}

static void beginnings(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "a", .data = "1234567890", .wrong_crc = true});
    add(&z, (entry){.name = "b", .data = ""});
    add(&z, (entry){.name = "c", .data = "123", .size = 4});
    end(&z, "");
    mst_container *container = opened("a.bin", 5);
    begins(container, "a", 4, "1234", 4);
    begins(container, "a", 64, "1234567890", 10);
    begins(container, "b", 64, "", 0);
    char first[4];
    size_t count = 99;
    assert_int_equal(mst_container_peek(container, 2, first, 4, &count, NULL), MST_DAMAGED);
    assert_int_equal(count, 0);
    assert_int_equal(mst_container_peek(container, 3, first, 4, &count, NULL), MST_ARGUMENT);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(mst_container_at(container, i), i);
    assert_int_equal(mst_container_at(container, 3), SIZE_MAX);
    assert_false(mst_container_is_streamed(container));
    mst_container_close(container);
    zip_free(&z);
}

static void damaged_archives(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "one", .data = "1234567890"});
    add(&z, (entry){.name = "two", .data = "abc"});
    size_t members = z.w.size;
    end(&z, "");
    uint8_t *whole = malloc(z.w.size);
    size_t size = z.w.size;
    assert_non_null(whole);
    memcpy(whole, z.w.data, size);

    for (z.w.size = 4; z.w.size < size; z.w.size++) /* cut anywhere */
        opens_as(MST_DAMAGED, &z.w);
    for (size_t i = 0; i < size; i++) /* each byte, turned */
        for (int k = 0; k < 3; k++) {
            memcpy(z.w.data, whole, size);
            z.w.data[i] ^= (uint8_t)(k == 0 ? 0xFF : k == 1 ? 0x01 : 0x80);
            z.w.size = size;
            put_file("a.bin", z.w.data, size);
            mst_container *container;
            mst_diagnostic why;
            if (mst_container_open("a.bin", NULL, &container, &why) != MST_OK)
                continue;
            for (size_t m = 0; m < mst_container_count(container); m++) {
                mst_container_bytes bytes;
                if (mst_container_read(container, m, &bytes, &why) == MST_OK) /* then it is what it was */
                    assert_true(bytes.size == 10 || bytes.size == 3);
                mst_container_release(container, &bytes);
            }
            mst_container_close(container);
        }
    memcpy(z.w.data, whole, size);
    mst_store32(z.w.data + members + 42, 5, false); /* where the first member is */
    put_file("a.bin", z.w.data, size);
    mst_container *container = opened("a.bin", 0);
    reads_as(container, 0, MST_DAMAGED);
    holds(container, "two", "abc", 3);
    mst_container_close(container);
    memcpy(z.w.data, whole, size);
    mst_store16(z.w.data + 26, 0xFFFF, false); /* how long the first member's name is */
    put_file("a.bin", z.w.data, size);
    container = opened("a.bin", 0);
    reads_as(container, 0, MST_DAMAGED);
    mst_container_close(container);
    free(whole);
    zip_free(&z);
}

static void members_that_lie(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "a crc", .data = "x", .wrong_crc = true});
    add(&z, (entry){.name = "b size", .data = "x", .size = 1000});
    add(&z, (entry){.name = "c secret", .data = "x", .flags = 1});
    add(&z, (entry){.name = "d large", .data = "12345678901"});
    add(&z, (entry){.name = "e method", .data = "x", .method = 99});
    end(&z, "");
    mst_container *container = opened("a.bin", 10);
    assert_int_equal(mst_container_count(container), 5);
    reads_as(container, 0, MST_DAMAGED);
    reads_as(container, 1, MST_IO);
    reads_as(container, 2, MST_UNSUPPORTED);
    assert_int_equal(mst_container_size(container, 3), 11);
    reads_as(container, 3, MST_IO);
    mst_container_bytes bytes;
    assert_int_not_equal(mst_container_read(container, 4, &bytes, NULL), MST_OK);
    mst_container_close(container);
    container = opened("a.bin", 2000);
    reads_as(container, 1, MST_DAMAGED);
    mst_container_close(container);
    zip_free(&z);

    /* entries that share their bytes: a directory of nothing else unpacks to petabytes */
    zip same = {0};
    add(&same, (entry){.name = "0", .data = "0123456789012345678901234567890123456789"});
    uint8_t *first = malloc(same.ends.size);
    size_t size = same.ends.size;
    assert_non_null(first);
    memcpy(first, same.ends.data, size);
    for (int i = 0; i < 9; i++)
        put_bytes_of(&same.ends, first, size);
    end(&same, "");
    opens_as(MST_DAMAGED, &same.w);
    free(first);
    zip_free(&same);
}

static void what_is_an_archive(void **state) {
    (void)state;
    uint8_t tar[512] = {0};
    memcpy(tar + 257, "ustar", 5);
    assert_true(mst_container_is_archive("PK\3\4", 4));
    assert_true(mst_container_is_archive("PK\5\6", 4));
    assert_true(mst_container_is_archive("7z\xBC\xAF\x27\x1C", 6));
    assert_true(mst_container_is_archive("BZh91AY&SY", 10));
    assert_true(mst_container_is_archive(tar, 512));
    assert_false(mst_container_is_archive(tar, 261));
    assert_false(mst_container_is_archive("xxh91AY&SY", 10));
    assert_false(mst_container_is_archive("PK\3", 3));
    assert_false(mst_container_is_archive("MAP \1\0\0\0", 8));
    assert_false(mst_container_is_archive("", 0));
    mst_container *container;
    mst_diagnostic why;
    put_file("a.bin", "no archive", 10);
    assert_int_equal(mst_container_open("a.bin", NULL, &container, &why), MST_UNKNOWN);
    assert_int_equal(mst_container_open("nowhere", NULL, &container, &why), MST_IO);
    assert_null(container);
}

/* ---- directories --------------------------------------------------------------------------------------- */

static void directories(void **state) {
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    mst_container *container = opened("d", 0);
    assert_int_equal(mst_container_count(container), 0);
    mst_container_close(container);
    assert_int_equal(mkdir("d/b", 0777), 0);
    assert_int_equal(mkdir("d/b/c", 0777), 0);
    assert_int_equal(mkdir("d/empty", 0777), 0);
#ifndef __wasi__
    assert_int_equal(symlink("/", "d/link"), 0); /* which is not followed */
#endif
    put_file("d/one.txt", "one", 3);
    put_file("d/b/Two.TXT", "two", 3);
    put_file("d/b/two.txt", "TWO!", 4);
    put_file("d/b/c/three", "", 0);
    static const char *const paths[] = {"d", "d/", "./d"};
    for (size_t i = 0; i < 3; i++) {
        container = opened(paths[i], 0);
        assert_int_equal(mst_container_count(container), 4);
        assert_string_equal(mst_container_name(container, 0), "b/Two.TXT");
        assert_string_equal(mst_container_name(container, 1), "b/c/three");
        assert_string_equal(mst_container_name(container, 2), "b/two.txt");
        assert_string_equal(mst_container_name(container, 3), "one.txt");
        assert_int_equal(mst_container_size(container, 2), 4);
        holds(container, "b/two.txt", "TWO!", 4);
        holds(container, "B/TWO.TXT", "two", 3);
        holds(container, "B/C/THREE", "", 0);
        begins(container, "b/two.txt", 2, "TW", 2);
        begins(container, "one.txt", 64, "one", 3);
        for (size_t n = 0; n < 4; n++)
            assert_int_equal(mst_container_at(container, n), n);
        assert_false(mst_container_is_streamed(container));
        assert_int_equal(mst_container_omitted(container), 0);
        mst_container_close(container);
    }
    container = opened("d", 3);
    reads_as(container, 2, MST_IO);
    holds(container, "one.txt", "one", 3);
    put_file("d/one.txt", "four", 4); /* it grows while it is read */
    reads_as(container, 3, MST_IO);
    mst_resolver resolver = mst_container_resolver(container);
    const void *data;
    size_t size;
    assert_int_equal(resolver.find(resolver.user, "tWO.txt", &data, &size), MST_OK);
    assert_memory_equal(data, "two", 3);
    assert_int_equal(remove("d/one.txt"), 0); /* and is gone */
    reads_as(container, 3, MST_IO);
    put_file("d/one.txt", "one", 3);
    mst_container_close(container);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "one", .data = "1234567890"});
    add(&z, (entry){.name = "two", .data = "abc"});
    end(&z, "");
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_container_options options = {.allocator = counted_allocator(&c)};
        mst_container *container;
        mst_diagnostic why;
        mst_status status = mst_container_open("a.bin", &options, &container, &why);
        if (status == MST_OK)
            holds(container, "two", "abc", 3);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_container_close(container);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
    zip_free(&z);
}

/* The same with the set's name longer and longer, so that each piece of memory is once the one for which
 * there is no room left. */
static void every_piece_of_memory_may_lack(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "d/b/two.txt", .data = "1234567890"});
    add(&z, (entry){.name = "one.txt", .data = "abc"});
    end(&z, "");
    static char path[4000];
    for (int k = 0; k < 2; k++) /* a directory, an archive */
        for (size_t slashes = 0; slashes < 1500; slashes += 40 * sample_step()) {
            memset(path, '/', slashes + 1);
            path[0] = '.';
            strcpy(path + slashes + 1, k ? "/a.bin" : "/d");
            for (size_t fail_at = 1;; fail_at++) {
                counted c = {.fail_at = fail_at, .for_good = true};
                mst_container_options options = {.allocator = counted_allocator(&c)};
                mst_container *container;
                mst_diagnostic why;
                mst_status status = mst_container_open(path, &options, &container, &why);
                bool opens = status == MST_OK;
                if (opens) {
                    mst_container_bytes bytes;
                    given all = {.max = 100};
                    mst_resolver resolver = mst_container_resolver(container);
                    status = resolver.each(resolver.user, "b", "two.txt", take, &all);
                    if (status == MST_OK)
                        assert_int_equal(all.count, k ? 1 : 2);
                    if (status == MST_OK)
                        status = mst_container_read(container, mst_container_find(container, "one.txt"),
                                                    &bytes, &why);
                    if (status == MST_OK)
                        mst_container_release(container, &bytes);
                }
                if (status != MST_OK) {
                    assert_true(c.failed);
                    assert_int_equal(status, MST_NO_MEMORY);
                }
                mst_container_close(container);
                assert_int_equal(c.blocks, 0);
                assert_false(c.wrong);
                if (!c.failed)
                    break;
            }
        }
    zip_free(&z);
}

/* ---- what libarchive writes, and reads ----------------------------------------------------------------- */

#if MST_WITH_ARCHIVE

typedef struct made {
    struct archive *archive;
} made;

static made begin_archive(const char *format, const char *filter) {
    made m = {archive_write_new()};
    assert_non_null(m.archive);
    assert_int_equal(archive_write_set_format_by_name(m.archive, format), ARCHIVE_OK);
    if (filter)
        assert_int_equal(archive_write_add_filter_by_name(m.archive, filter), ARCHIVE_OK);
    else
        archive_write_add_filter_none(m.archive);
    if (filter && strcmp(filter, "gzip") == 0) /* how well does not matter */
        archive_write_set_filter_option(m.archive, "gzip", "compression-level", "1");
    assert_int_equal(archive_write_open_filename(m.archive, "a.bin"), ARCHIVE_OK);
    return m;
}

static void add_member(made *m, const char *name, const void *data, size_t size) {
    struct archive_entry *header = archive_entry_new();
    archive_entry_set_pathname(header, name);
    archive_entry_set_filetype(header, AE_IFREG);
    archive_entry_set_perm(header, 0644);
    archive_entry_set_size(header, (la_int64_t)size);
    assert_int_equal(archive_write_header(m->archive, header), ARCHIVE_OK);
    for (size_t done = 0; done < size;) {
        la_ssize_t n = archive_write_data(m->archive, (const char *)data + done, size - done);
        assert_true(n > 0);
        done += (size_t)n;
    }
    archive_entry_free(header);
}

/* Not files: a folder; another name for a member; a member that is stored in part. */
static void add_odd(made *m, const char *name, const char *linked, size_t hole) {
    struct archive_entry *header = archive_entry_new();
    archive_entry_set_pathname(header, name);
    archive_entry_set_filetype(header, linked || hole ? AE_IFREG : AE_IFDIR);
    archive_entry_set_perm(header, 0755);
    archive_entry_set_size(header, (la_int64_t)(hole ? hole + 3 : 0));
    if (linked)
        archive_entry_set_hardlink(header, linked);
    if (hole)
        archive_entry_sparse_add_entry(header, (la_int64_t)hole, 3);
    assert_int_equal(archive_write_header(m->archive, header), ARCHIVE_OK);
    static const char bytes[5003];
    if (hole)
        assert_true(archive_write_data(m->archive, bytes, hole + 3) > 0);
    archive_entry_free(header);
}

static void end_archive(made *m) {
    assert_int_equal(archive_write_close(m->archive), ARCHIVE_OK);
    archive_write_free(m->archive);
}

static const struct {
    const char *format, *filter;
} kinds[] = {{"zip", NULL},    {"7zip", NULL},    {"ustar", NULL},  {"pax", NULL},
             {"gnutar", NULL}, {"ustar", "gzip"}, {"pax", "bzip2"}, {"ustar", "xz"}};

#define MEMBERS 40

static void archives_of_all_kinds(void **state) {
    (void)state;
    static uint8_t data[MEMBERS * 700];
    random_state r = {1};
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_below(&r, 7);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char name[64];
        made m = begin_archive(kinds[k].format, kinds[k].filter);
        for (size_t i = 0; i < MEMBERS; i++) { /* not in the order of their names */
            size_t number = i * 7 % MEMBERS;
            snprintf(name, sizeof name, "map/Level%02zu.dat", number);
            add_member(&m, name, data, number * 700);
        }
        end_archive(&m);
        mst_container *container = opened("a.bin", 0);
        assert_int_equal(mst_container_count(container), MEMBERS);
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < MEMBERS; i++) {
                size_t number = pass ? MEMBERS - 1 - i : i;
                snprintf(name, sizeof name, "MAP/level%02zu.DAT", number);
                assert_int_equal(mst_container_find(container, name), number);
                begins(container, name, 5, data, number ? 5 : 0);
                holds(container, name, data, number * 700);
            }
        mst_container_close(container);
    }
}

/* Members among other entries, in any order: members passed on the way are kept, once each. */
static void what_is_passed(void **state) {
    (void)state;
    static const size_t orders[][4] = {{3, 1, 0, 2}, {2, 2, 3, 2}, {3, 3, 0, 3}, {0, 1, 2, 3}};
    for (size_t k = 0; k < 6; k += 5) { /* zip and tar.gz; pax alone has holes */
        made m = begin_archive(k ? "pax" : "7zip", k ? "gzip" : NULL);
        add_odd(&m, "folder", NULL, 0);
        add_member(&m, "a", "first", 5);
        if (k)
            add_odd(&m, "another", "a", 0);
        add_member(&m, "b", "second", 6);
        add_odd(&m, "z", NULL, 0);
        add_member(&m, "c", "", 0);
        if (k)
            add_odd(&m, "hole", NULL, 5000);
        else
            add_member(&m, "d", "fourth", 6);
        end_archive(&m);
        static const char *const names[] = {"a", "b", "c", "d"}, *const texts[] = {"first", "second", "",
                                                                                   "fourth"};
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
            mst_container *container = opened("a.bin", 0);
            assert_int_equal(mst_container_count(container), 4);
            for (size_t n = 0; n < 4; n++) {
                size_t which = orders[i][n];
                if (k && which == 3) {
                    mst_diagnostic why;
                    mst_container_bytes bytes;
                    assert_int_equal(mst_container_read(container, 3, &bytes, &why), MST_UNSUPPORTED);
                    assert_non_null(strstr(why.message, "it has holes"));
                } else {
                    holds(container, names[which], texts[which], strlen(texts[which]));
                }
            }
            mst_container_close(container);
        }
    }
}

/* What is passed and is more than is kept is unpacked again when it is asked for. */
static void what_is_large_is_not_kept(void **state) {
    (void)state;
    size_t size = (size_t)65 << 20;
    uint8_t *zeros = sample_step() > 1 ? NULL : calloc(size, 1);
    if (!zeros)
        skip();
    made m = begin_archive("ustar", "gzip");
    add_member(&m, "large", zeros, size);
    add_member(&m, "small", "text", 4);
    end_archive(&m);
    counted c = {0};
    mst_container_options options = {.allocator = counted_allocator(&c), .member_limit = size};
    mst_container *container;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    holds(container, "small", "text", 4);
    assert_true(c.peak < 1u << 20);
    char first[100], wanted[100] = {0};
    size_t count;
    MUST(mst_container_peek(container, 0, first, sizeof first, &count, NULL),
         NULL); /* nor is it for a look */
    assert_int_equal(count, sizeof first);
    assert_memory_equal(first, wanted, sizeof first);
    assert_true(c.peak < 1u << 20);
    holds(container, "large", zeros, size);
    mst_container_close(container);
    assert_int_equal(c.blocks, 0);
    free(zeros);
}

static void tar_header(uint8_t *block, const char *name, const char *octal_size, char type) {
    unsigned sum = 0;
    memset(block, 0, 512);
    snprintf((char *)block, 100, "%s", name);
    memcpy(block + 100,
           "0000644\0"
           "0000000\0"
           "0000000\0",
           24);
    memcpy(block + 124, octal_size, 12);
    memcpy(block + 136,
           "00000000000\0"
           "        ",
           20);
    block[156] = (uint8_t)type;
    snprintf((char *)block + 157, 100, "%s", "first");
    memcpy(block + 257, "ustar\00000", 8);
    for (size_t i = 0; i < 512; i++)
        sum += block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
}

/* A tar whose header says more than is believed; and one with a second name that has bytes of its own. */
static void odd_tars(void **state) {
    (void)state;
    uint8_t tar[5 * 512] = {0};
    mst_container *container;
    mst_diagnostic why;
    tar_header(tar, "first", "00000000003", '0');
    memcpy(tar + 512, "123", 3);
    tar_header(tar + 1024, "second", "00000000003", '1');
    memcpy(tar + 1536, "456", 3);
    put_file("a.bin", tar, sizeof tar);
    container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 1);
    holds(container, "first", "123", 3);
    mst_container_close(container);
    tar_header(tar, "large", "200000000000", '0');
    put_file("a.bin", tar, sizeof tar);
    assert_int_equal(mst_container_open("a.bin", NULL, &container, &why), MST_DAMAGED);
}

/* What the directory says of a packed member and what stands before it are two things. */
static void packed_members_that_lie(void **state) {
    (void)state;
    static const char packed[] = "\x4B\x04\0"; /* "a" */
    static const struct {
        entry e;
        mst_status status;
        const char *said;
    } cases[] = {
        {{.name = "a"}, MST_OK, ""},
        {{.name = "a", .listed = 2},
         MST_DAMAGED,
         "it does not unpack to the size in the archive's directory"},
        {{.name = "a", .header_flags = 1}, MST_UNSUPPORTED, "it is encrypted"},
        {{.name = "a", .header_extra = "UT\xFF\0x", .header_extra_size = 5}, MST_DAMAGED, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zip z = {0};
        entry e = cases[i].e;
        e.data = packed;
        e.packed = 3;
        e.method = 8;
        e.size = e.size ? e.size : 1;
        e.crc = crc_of((const uint8_t *)"a", 1);
        add(&z, e);
        end(&z, "");
        mst_container *container = opened("a.bin", 0);
        mst_container_bytes bytes;
        mst_diagnostic why = {0};
        assert_int_equal(mst_container_read(container, 0, &bytes, &why), cases[i].status);
        assert_int_equal(bytes.size, cases[i].status == MST_OK);
        if (!strstr(why.message, cases[i].said))
            fail_msg("%s", why.message);
        mst_container_release(container, &bytes);
        mst_container_close(container);
        zip_free(&z);
    }
}

/* Much from little: only the bytes that come count, and they are not taken beyond the limit. */
static void bombs(void **state) {
    (void)state;
    size_t size = (size_t)16 << 20;
    uint8_t *zeros = calloc(size, 1);
    assert_non_null(zeros);
    for (size_t k = 0; k < 6; k += 5) { /* zip and tar.gz */
        made m = begin_archive(kinds[k].format, kinds[k].filter);
        add_member(&m, "bomb", zeros, size);
        end_archive(&m);
        counted c = {0};
        mst_container_options options = {.allocator = counted_allocator(&c), .member_limit = size - 1};
        mst_container *container;
        mst_diagnostic why;
        MUST(mst_container_open("a.bin", &options, &container, &why), &why);
        reads_as(container, 0, MST_IO);
        assert_true(c.bytes < 1u << 20);
        mst_container_close(container);
        assert_int_equal(c.blocks, 0);
        container = opened("a.bin", 0);
        holds(container, "bomb", zeros, size);
        mst_container_close(container);
    }
    /* a zip whose directory says 10 bytes of what unpacks to many */
    made m = begin_archive("zip", NULL);
    add_member(&m, "bomb", zeros, size);
    end_archive(&m);
    size_t length;
    uint8_t *bytes = read_whole("a.bin", &length);
    for (size_t i = 0; i + 46 < length; i++)
        if (!memcmp(bytes + i, "PK\1\2", 4))
            mst_store32(bytes + i + 24, 10, false);
    put_file("a.bin", bytes, length);
    counted c = {0};
    mst_container_options options = {.allocator = counted_allocator(&c), .member_limit = 1u << 20};
    mst_container *container;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    assert_int_equal(mst_container_size(container, 0), 10);
    reads_as(container, 0, MST_IO);
    mst_container_close(container);
    free(bytes);
    free(zeros);
}

static void fails_with(mst_container *container, size_t index, const char *text) {
    mst_container_bytes bytes;
    mst_diagnostic why;
    assert_int_equal(mst_container_read(container, index, &bytes, &why), MST_IO);
    if (!strstr(why.message, text))
        fail_msg("%s", why.message);
}

/* A member of which more comes than packed levels have is not believed, unless a limit is given. */
static void members_that_burst(void **state) {
    (void)state;
    size_t size = (size_t)17 << 20;
    uint8_t *zeros = calloc(size, 1);
    assert_non_null(zeros);
    for (size_t k = 0; k < 6; k += 5) { /* zip and tar.gz */
        made m = begin_archive(kinds[k].format, kinds[k].filter);
        add_member(&m, "bomb", zeros, size);
        end_archive(&m);
        counted c = {0};
        mst_container_options options = {.allocator = counted_allocator(&c)};
        mst_container *container;
        MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
        fails_with(container, 0, "more than 200 times its packed size; set a member limit");
        begins(container, "BOMB", 64, zeros, 64);
        assert_true(c.peak < (k ? 2 * size : 1u << 20));
        mst_container_close(container);
        container = opened("a.bin", size);
        holds(container, "bomb", zeros, size);
        mst_container_close(container);
    }
    free(zeros);
}

/* What members unpack to counts together, and once each. */
static void all_members_together(void **state) {
    (void)state;
    size_t size = (size_t)1 << 20;
    uint8_t *zeros = calloc(size, 1);
    assert_non_null(zeros);
    made m = begin_archive("zip", NULL);
    add_member(&m, "a", zeros, size);
    add_member(&m, "b", zeros, size);
    add_member(&m, "c", zeros, size);
    end_archive(&m);
    mst_container_options options = {.total_limit = 2 * size + 5};
    mst_container *container;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    for (int i = 0; i < 3; i++)
        holds(container, "b", zeros, size);
    holds(container, "c", zeros, size);
    fails_with(container, 0,
               "the members read from a.bin unpack to more than 2097157 bytes; set a member limit");
    holds(container, "b", zeros, size);
    begins(container, "a", 64, zeros, 64);
    mst_container_close(container);
    free(zeros);
}

/* Where one member must be unpacked to come to the next, one that is too large hides the rest. */
static void what_hides_the_rest(void **state) {
    (void)state;
    size_t size = (size_t)1 << 20;
    uint8_t *zeros = calloc(size, 1);
    assert_non_null(zeros);
    for (int k = 0; k < 2; k++) {
        made m = begin_archive(k ? "7zip" : "ustar", k ? NULL : "gzip");
        add_member(&m, "x", zeros, size);
        add_member(&m, "large", zeros, size);
        add_member(&m, "a", zeros, 4);
        end_archive(&m);
        reported all = {0};
        mst_container_options options = {
            .total_limit = 3 * size / 2, .report = take_report, .report_user = &all};
        mst_container *container;
        MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
        assert_int_equal(mst_container_count(container), 1);
        assert_int_equal(mst_container_omitted(container), 1);
        assert_int_equal(all.count, 1);
        assert_string_equal(all.last.message,
                            "a file is left out of the container: it and all files after it: the archive "
                            "unpacks to more than 1572864 bytes; set a member limit to allow more");
        assert_string_equal(all.last.found, "large");
        holds(container, "x", zeros, size);
        mst_container_close(container);
        options.total_limit = 0;
        options.member_limit = size;
        MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
        assert_int_equal(mst_container_count(container), 3);
        mst_container_close(container);
    }
    free(zeros);
}

/* What comes to the limit exactly is not too much. A tar's header is 512 bytes, and so is what data is padded
 * to. */
static void what_just_fits(void **state) {
    (void)state;
    enum { FIRST = 1 << 20, SECOND = 1000, HEADER = 512, PADDED = 1024 };
    uint8_t *zeros = calloc(FIRST, 1);
    assert_non_null(zeros);
    made m = begin_archive("ustar", "gzip");
    add_member(&m, "first", zeros, FIRST);
    add_member(&m, "second", zeros, SECOND);
    add_member(&m, "third", "", 0);
    end_archive(&m);
    const uint64_t second = HEADER + FIRST + HEADER, third = second + PADDED + HEADER;
    const struct {
        uint64_t total;
        size_t members;
    } cases[] = {{second + SECOND - 1, 1}, {second + SECOND, 2}, {third - 1, 2}, {third, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_container_options options = {.total_limit = cases[i].total};
        mst_container *container;
        MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
        assert_int_equal(mst_container_count(container), cases[i].members);
        assert_int_equal(mst_container_omitted(container), cases[i].members < 3);
        mst_container_close(container);
    }
    free(zeros);
}

/* libarchive warns of a name that the locale has no letters for, and the member is there. */
static void members_that_are_warned_of(void **state) {
    (void)state;
    static const char name[] = "gr\xC3\xBCn.map", path[] = "18 path=gr\xC3\xBCn.map\n";
    uint8_t tar[512 * 6] = {0};
    const struct {
        const char *name, *data, *size;
        char type;
    } entries[] = {{"x", path, "00000000022", 'x'}, {"plain.map", "hello", "00000000005", '0'}};
    assert_int_equal(strlen(path), 18);
    for (size_t i = 0; i < 2; i++) {
        uint8_t *header = tar + 1024 * i;
        unsigned sum = 8 * ' ';
        memcpy(header, entries[i].name, strlen(entries[i].name));
        memcpy(header + 100, "0000644", 7);
        memcpy(header + 124, entries[i].size, 11);
        header[156] = (uint8_t)entries[i].type;
        memcpy(header + 257, "ustar\00000", 8);
        for (size_t k = 0; k < 512; k++)
            sum += header[k];
        snprintf((char *)header + 148, 8, "%06o", sum);
        memcpy(header + 512, entries[i].data, strlen(entries[i].data));
    }
    put_file("a.bin", tar, sizeof tar);
    mst_container *container = opened("a.bin", 0);
    assert_int_equal(mst_container_count(container), 1);
    assert_string_equal(mst_container_name(container, 0), name);
    holds(container, name, "hello", 5);
    mst_container_close(container);
}

/* The archive's own order costs one pass, any other as few as the kept members allow. */
static void passes(void **state) {
    (void)state;
    enum { COUNT = 10 };
    size_t size = (size_t)8 << 20;
    uint8_t *zeros = calloc(size, 1);
    assert_non_null(zeros);
    made m = begin_archive("ustar", "gzip");
    for (unsigned i = 0; i < COUNT; i++) {
        char name[2] = {(char)('j' - i), 0};
        zeros[0] = (uint8_t)name[0];
        add_member(&m, name, zeros, size);
    }
    end_archive(&m);
    mst_container_options options = {.member_limit = size, .pass_limit = 2};
    mst_container *container;
    mst_container_bytes bytes;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    assert_true(mst_container_is_streamed(container));
    for (size_t i = 0; i < COUNT; i++) {
        size_t index = mst_container_at(container, i);
        assert_int_equal(index, COUNT - 1 - i);
        begins(container, mst_container_name(container, index), 1, mst_container_name(container, index), 1);
        MUST(mst_container_read(container, index, &bytes, NULL), NULL);
        assert_int_equal(*(const char *)bytes.data, 'a' + (int)index);
        mst_container_release(container, &bytes);
    }
    assert_int_equal(container->passes, 1);
    mst_container_close(container);

    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    for (size_t i = 0; i < COUNT; i++) { /* by name: from the end */
        MUST(mst_container_read(container, i, &bytes, NULL), NULL);
        assert_int_equal(*(const char *)bytes.data, 'a' + (int)i);
        mst_container_release(container, &bytes);
        assert_int_equal(container->passes, i < COUNT - 1 ? 1 : 2); /* eight are kept */
    }
    fails_with(container, COUNT - 1, "the archive was read 2 times from its beginning; extract it first");
    mst_container_close(container);
    free(zeros);
}

static void damaged_packed_archives(void **state) {
    (void)state;
    static uint8_t data[3000];
    random_state r = {5};
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_below(&r, 11);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        made m = begin_archive(kinds[k].format, kinds[k].filter);
        add_member(&m, "a", data, sizeof data);
        add_member(&m, "b", data, 1000);
        end_archive(&m);
        size_t size;
        uint8_t *bytes = read_whole("a.bin", &size), *spoilt = malloc(size);
        assert_non_null(bytes);
        assert_non_null(spoilt);
        for (int i = 0; i < 60; i++) {
            size_t length = i & 1 ? 20 + random_below(&r, (uint32_t)size - 20) : size;
            memcpy(spoilt, bytes, size);
            if (length == size)
                spoilt[random_below(&r, (uint32_t)size)] ^= (uint8_t)(1 + random_below(&r, 255));
            put_file("a.bin", spoilt, length);
            counted c = {0};
            mst_container_options options = {.allocator = counted_allocator(&c)};
            mst_container *container;
            mst_diagnostic why;
            if (mst_container_open("a.bin", &options, &container, &why) == MST_OK)
                for (size_t n = 0; n < mst_container_count(container); n++) {
                    mst_container_bytes one;
                    char first[64];
                    size_t count;
                    if (i % 3 == 0)
                        mst_container_peek(container, n, first, sizeof first, &count, &why);
                    mst_container_read(container, n, &one, &why);
                    mst_container_release(container, &one);
                }
            mst_container_close(container);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
        }
        free(bytes);
        free(spoilt);
    }
}

static void a_packed_file_is_no_archive(void **state) {
    (void)state;
    made m = begin_archive("raw", "gzip");
    add_member(&m, "x", "only text", 9);
    end_archive(&m);
    mst_container *container;
    mst_diagnostic why;
    assert_int_equal(mst_container_open("a.bin", NULL, &container, &why), MST_UNKNOWN);
}

static void every_allocation_may_fail_unpacking(void **state) {
    (void)state;
    static uint8_t data[200000];
    for (size_t k = 0; k < 6; k += 5) {
        char path[1200] = ".";
        made m = begin_archive(kinds[k].format, kinds[k].filter);
        add_member(&m, "b", data, sizeof data);
        add_member(&m, "a", data, sizeof data);
        end_archive(&m);
        for (size_t fail_at = 1;; fail_at++) {
            counted c = {.fail_at = fail_at, .for_good = k == 5};
            mst_container_options options = {.allocator = counted_allocator(&c)};
            mst_container *container;
            mst_diagnostic why;
            if (fail_at == 1) { /* so long that what comes next finds no room beside it */
                memset(path + 1, '/', sizeof path - 1);
                strcpy(path + 1024, "a.bin");
            }
            if (mst_container_open(path, &options, &container, &why) == MST_OK)
                for (size_t n = 0; n < 2; n++) {
                    mst_container_bytes one;
                    if (mst_container_read(container, n, &one, &why) == MST_OK)
                        assert_int_equal(one.size, sizeof data);
                    mst_container_release(container, &one);
                }
            mst_container_close(container);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            if (!c.failed)
                break;
        }
    }
}

#else

static void without_libarchive(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "packed", .data = "\3", .method = 8, .packed = 1, .size = 1});
    end(&z, "");
    mst_container *container = opened("a.bin", 0);
    reads_as(container, 0, MST_UNSUPPORTED);
    mst_container_close(container);
    zip_free(&z);
    writer w = {0};
    put_bytes_of(&w, "7z\xBC\xAF\x27\x1C", 6);
    opens_as(MST_UNSUPPORTED, &w);
    writer_free(&w);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_an_archive),
        cmocka_unit_test(stored_members_are_views),
        cmocka_unit_test(a_comment_with_an_end_in_it),
        cmocka_unit_test(something_may_stand_in_front),
        cmocka_unit_test(large_archives),
        cmocka_unit_test(archives_of_nothing),
        cmocka_unit_test(names_may_repeat),
        cmocka_unit_test(every_file_of_an_ending_is_given),
        cmocka_unit_test(names_need_their_room),
        cmocka_unit_test(names_are_made_safe),
        cmocka_unit_test(names_without_end_are_left_out),
        cmocka_unit_test(unreadable_sidecars),
        cmocka_unit_test(beginnings),
        cmocka_unit_test(damaged_archives),
        cmocka_unit_test(members_that_lie),
        cmocka_unit_test(directories),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_piece_of_memory_may_lack),
#if MST_WITH_ARCHIVE
        cmocka_unit_test(archives_of_all_kinds),
        cmocka_unit_test(what_is_passed),
        cmocka_unit_test(odd_tars),
        cmocka_unit_test(what_is_large_is_not_kept),
        cmocka_unit_test(packed_members_that_lie),
        cmocka_unit_test(bombs),
        cmocka_unit_test(members_that_burst),
        cmocka_unit_test(all_members_together),
        cmocka_unit_test(what_hides_the_rest),
        cmocka_unit_test(what_just_fits),
        cmocka_unit_test(members_that_are_warned_of),
        cmocka_unit_test(passes),
        cmocka_unit_test(damaged_packed_archives),
        cmocka_unit_test(a_packed_file_is_no_archive),
        cmocka_unit_test(every_allocation_may_fail_unpacking),
#else
        cmocka_unit_test(without_libarchive),
#endif
    };
    return cmocka_run_group_tests_name("set", tests, make_place, remove_place);
}
