/* SPDX-License-Identifier: MIT */
/* Sets: directories and archives by name; archives that lie, are cut, or would fill all memory. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "support.h"
#include <mapstone/set.h>
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
    static const char *const names[] = {"a.bin", "d/b/Two.TXT", "d/b/two.txt", "d/one.txt", "d/b/c/three",
                                        "d/b/c", "d/b",         "d/empty",     "d"};
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

static mst_file_set *opened(const char *path, uint64_t limit) {
    mst_file_set_options options = {.member_limit = limit};
    mst_diagnostic why;
    mst_file_set *set;
    MUST(mst_file_set_open(path, &options, &set, &why), &why);
    return set;
}

static void opens_as(mst_status wanted, const writer *w) {
    mst_diagnostic why = {0};
    mst_file_set *set;
    put_file("a.bin", w->data, w->size);
    assert_int_equal(mst_file_set_open("a.bin", NULL, &set, &why), wanted);
    assert_null(set);
    assert_int_equal(why.status, wanted);
    assert_int_not_equal(why.message[0], 0);
}

static void holds(mst_file_set *set, const char *name, const void *data, size_t size) {
    mst_file_set_bytes bytes;
    mst_diagnostic why;
    size_t index = mst_file_set_find(set, name);
    assert_int_not_equal(index, SIZE_MAX);
    MUST(mst_file_set_read(set, index, &bytes, &why), &why);
    assert_int_equal(bytes.size, size);
    assert_non_null(bytes.data);
    assert_memory_equal(bytes.data, data, size);
    mst_file_set_release(set, &bytes);
}

static void reads_as(mst_file_set *set, size_t index, mst_status wanted) {
    mst_file_set_bytes bytes;
    mst_diagnostic why = {0};
    assert_int_equal(mst_file_set_read(set, index, &bytes, &why), wanted);
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
        put_u16(w, (uint16_t)e.flags);
        put_u16(w, e.method);
        put_u32(w, 0);
        put_u32(w, crc);
        put_u32(w, (uint32_t)packed);
        put_u32(w, size);
        put_u16(w, (uint16_t)length);
        put_u16(w, 0);
        if (i) {
            put_u16(w, 0);
            put_u16(w, 0);
            put_u16(w, 0);
            put_u32(w, e.mode << 16);
            put_u32(w, offset);
        }
        put_bytes_of(w, e.name, length);
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
    mst_file_set *set = opened("a.bin", 0);
    assert_int_equal(mst_file_set_count(set), 4);
    assert_string_equal(mst_file_set_name(set, 0), "empty");
    assert_string_equal(mst_file_set_name(set, 1), "levels/A.map");
    assert_string_equal(mst_file_set_name(set, 2), "levels/B.MAP");
    assert_string_equal(mst_file_set_name(set, 3), "levels/b.map");
    assert_null(mst_file_set_name(set, 4));
    assert_int_equal(mst_file_set_size(set, 3), 6);
    assert_int_equal(mst_file_set_size(set, 99), 0);
    holds(set, "levels/b.map", "second", 6);
    holds(set, "levels/B.MAP", "other", 5);
    holds(set, "LEVELS/a.MAP", "first", 5);
    holds(set, "Empty", "", 0);
    assert_int_equal(mst_file_set_find(set, "b.map"), SIZE_MAX);
    assert_int_equal(mst_file_set_find(set, "levels"), SIZE_MAX);
    assert_int_equal(mst_file_set_find(set, ""), SIZE_MAX);
    reads_as(set, 4, MST_ARGUMENT);

    mst_finder finder = mst_file_set_finder(set);
    const void *data;
    size_t size;
    assert_int_equal(finder.find(finder.user, "b.map", &data, &size), MST_OK);
    assert_int_equal(size, 6);
    assert_int_equal(finder.find(finder.user, "a.MAP", &data, &size), MST_OK);
    assert_memory_equal(data, "first", 5);
    assert_int_equal(finder.find(finder.user, "EMPTY", &data, &size), MST_OK);
    assert_int_equal(size, 0);
    assert_int_equal(finder.find(finder.user, "Levels/a.map", &data, &size), MST_OK);
    assert_memory_equal(data, "first", 5);
    assert_int_equal(finder.find(finder.user, "other/A.map", &data, &size), MST_NO_PATH);
    assert_int_equal(finder.find(finder.user, "../levels/A.map", &data, &size), MST_NO_PATH);
    assert_int_equal(finder.find(finder.user, "", &data, &size), MST_NO_PATH);
    mst_file_set_close(set);
    zip_free(&z);
    mst_file_set_close(NULL);
}

static void something_may_stand_in_front(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "x", .data = "1234"});
    end(&z, "");
    writer w = {0}; /* a member of no bytes, then the whole archive */
    zip front = {0};
    add(&front, (entry){.name = "y", .data = "0"});
    put_bytes_of(&w, front.w.data, front.w.size);
    put_bytes_of(&w, z.w.data, z.w.size);
    put_file("a.bin", w.data, w.size);
    mst_file_set *set = opened("a.bin", 0);
    assert_int_equal(mst_file_set_count(set), 1);
    holds(set, "x", "1234", 4);
    mst_file_set_close(set);
    writer_free(&w);
    zip_free(&z);
    zip_free(&front);
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
    mst_file_set *set = opened("a.bin", 0);
    assert_int_equal(mst_file_set_count(set), there + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].safe)
            holds(set, names[i].safe, "x", 1);
    holds(set, "nul_after", "nul", 3);
    mst_file_set_close(set);
    zip_free(&z);
}

static void names_without_end_are_left_out(void **state) {
    (void)state;
    zip z = {0};
    char *name = malloc(60000);
    assert_non_null(name);
    memset(name, 'x', 60000);
    add(&z, (entry){.name = name, .name_length = 60000, .data = "x"});
    add(&z, (entry){.name = "short", .data = "y"});
    end(&z, "");
    mst_file_set *set = opened("a.bin", 0);
    assert_int_equal(mst_file_set_count(set), 1);
    holds(set, "short", "y", 1);
    mst_file_set_close(set);
    zip_free(&z);
    free(name);
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
            mst_file_set *set;
            mst_diagnostic why;
            if (mst_file_set_open("a.bin", NULL, &set, &why) != MST_OK)
                continue;
            for (size_t m = 0; m < mst_file_set_count(set); m++) {
                mst_file_set_bytes bytes;
                if (mst_file_set_read(set, m, &bytes, &why) == MST_OK) /* then it is what it was */
                    assert_true(bytes.size == 10 || bytes.size == 3);
                mst_file_set_release(set, &bytes);
            }
            mst_file_set_close(set);
        }
    memcpy(z.w.data, whole, size);
    mst_store32(z.w.data + members + 42, 5, false); /* where the first member is */
    put_file("a.bin", z.w.data, size);
    mst_file_set *set = opened("a.bin", 0);
    reads_as(set, 0, MST_DAMAGED);
    holds(set, "two", "abc", 3);
    mst_file_set_close(set);
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
    mst_file_set *set = opened("a.bin", 10);
    assert_int_equal(mst_file_set_count(set), 5);
    reads_as(set, 0, MST_DAMAGED);
    reads_as(set, 1, MST_IO);
    reads_as(set, 2, MST_UNSUPPORTED);
    assert_int_equal(mst_file_set_size(set, 3), 11);
    reads_as(set, 3, MST_IO);
    mst_file_set_bytes bytes;
    assert_int_not_equal(mst_file_set_read(set, 4, &bytes, NULL), MST_OK);
    mst_file_set_close(set);
    set = opened("a.bin", 2000);
    reads_as(set, 1, MST_DAMAGED);
    mst_file_set_close(set);
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
    assert_true(mst_file_set_is_archive("PK\3\4", 4));
    assert_true(mst_file_set_is_archive("PK\5\6", 4));
    assert_true(mst_file_set_is_archive("7z\xBC\xAF\x27\x1C", 6));
    assert_true(mst_file_set_is_archive("BZh91AY&SY", 10));
    assert_true(mst_file_set_is_archive(tar, 512));
    assert_false(mst_file_set_is_archive(tar, 261));
    assert_false(mst_file_set_is_archive("xxh91AY&SY", 10));
    assert_false(mst_file_set_is_archive("PK\3", 3));
    assert_false(mst_file_set_is_archive("MAP \1\0\0\0", 8));
    assert_false(mst_file_set_is_archive("", 0));
    mst_file_set *set;
    mst_diagnostic why;
    put_file("a.bin", "no archive", 10);
    assert_int_equal(mst_file_set_open("a.bin", NULL, &set, &why), MST_UNKNOWN);
    assert_int_equal(mst_file_set_open("nowhere", NULL, &set, &why), MST_IO);
    assert_null(set);
}

/* ---- directories --------------------------------------------------------------------------------------- */

static void directories(void **state) {
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    mst_file_set *set = opened("d", 0);
    assert_int_equal(mst_file_set_count(set), 0);
    mst_file_set_close(set);
    assert_int_equal(mkdir("d/b", 0777), 0);
    assert_int_equal(mkdir("d/b/c", 0777), 0);
    assert_int_equal(mkdir("d/empty", 0777), 0);
    put_file("d/one.txt", "one", 3);
    put_file("d/b/Two.TXT", "two", 3);
    put_file("d/b/two.txt", "TWO!", 4);
    put_file("d/b/c/three", "", 0);
    static const char *const paths[] = {"d", "d/", "./d"};
    for (size_t i = 0; i < 3; i++) {
        set = opened(paths[i], 0);
        assert_int_equal(mst_file_set_count(set), 4);
        assert_string_equal(mst_file_set_name(set, 0), "b/Two.TXT");
        assert_string_equal(mst_file_set_name(set, 1), "b/c/three");
        assert_string_equal(mst_file_set_name(set, 2), "b/two.txt");
        assert_string_equal(mst_file_set_name(set, 3), "one.txt");
        assert_int_equal(mst_file_set_size(set, 2), 4);
        holds(set, "b/two.txt", "TWO!", 4);
        holds(set, "B/TWO.TXT", "two", 3);
        holds(set, "B/C/THREE", "", 0);
        mst_file_set_close(set);
    }
    set = opened("d", 3);
    reads_as(set, 2, MST_IO);
    holds(set, "one.txt", "one", 3);
    put_file("d/one.txt", "four", 4); /* it grows while it is looked at */
    reads_as(set, 3, MST_IO);
    mst_finder finder = mst_file_set_finder(set);
    const void *data;
    size_t size;
    assert_int_equal(finder.find(finder.user, "tWO.txt", &data, &size), MST_OK);
    assert_memory_equal(data, "two", 3);
    mst_file_set_close(set);
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
        mst_file_set_options options = {.allocator = counted_allocator(&c)};
        mst_file_set *set;
        mst_diagnostic why;
        mst_status status = mst_file_set_open("a.bin", &options, &set, &why);
        if (status == MST_OK)
            holds(set, "two", "abc", 3);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_file_set_close(set);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
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
    assert_int_equal(archive_write_open_filename(m.archive, "a.bin"), ARCHIVE_OK);
    return m;
}

static void add_member(made *m, const char *name, const void *data, size_t size) {
    struct archive_entry *head = archive_entry_new();
    archive_entry_set_pathname(head, name);
    archive_entry_set_filetype(head, AE_IFREG);
    archive_entry_set_perm(head, 0644);
    archive_entry_set_size(head, (la_int64_t)size);
    assert_int_equal(archive_write_header(m->archive, head), ARCHIVE_OK);
    for (size_t done = 0; done < size;) {
        la_ssize_t n = archive_write_data(m->archive, (const char *)data + done, size - done);
        assert_true(n > 0);
        done += (size_t)n;
    }
    archive_entry_free(head);
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
        mst_file_set *set = opened("a.bin", 0);
        assert_int_equal(mst_file_set_count(set), MEMBERS);
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < MEMBERS; i++) {
                size_t number = pass ? MEMBERS - 1 - i : i;
                snprintf(name, sizeof name, "MAP/level%02zu.DAT", number);
                assert_int_equal(mst_file_set_find(set, name), number);
                holds(set, name, data, number * 700);
            }
        mst_file_set_close(set);
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
        mst_file_set_options options = {.allocator = counted_allocator(&c), .member_limit = size - 1};
        mst_file_set *set;
        mst_diagnostic why;
        MUST(mst_file_set_open("a.bin", &options, &set, &why), &why);
        reads_as(set, 0, MST_IO);
        assert_true(c.bytes < 1u << 20);
        mst_file_set_close(set);
        assert_int_equal(c.blocks, 0);
        set = opened("a.bin", 0);
        holds(set, "bomb", zeros, size);
        mst_file_set_close(set);
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
    mst_file_set_options options = {.allocator = counted_allocator(&c), .member_limit = 1u << 20};
    mst_file_set *set;
    MUST(mst_file_set_open("a.bin", &options, &set, NULL), NULL);
    assert_int_equal(mst_file_set_size(set, 0), 10);
    reads_as(set, 0, MST_IO);
    mst_file_set_close(set);
    free(bytes);
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
            mst_file_set_options options = {.allocator = counted_allocator(&c)};
            mst_file_set *set;
            mst_diagnostic why;
            if (mst_file_set_open("a.bin", &options, &set, &why) == MST_OK)
                for (size_t n = 0; n < mst_file_set_count(set); n++) {
                    mst_file_set_bytes one;
                    mst_file_set_read(set, n, &one, &why);
                    mst_file_set_release(set, &one);
                }
            mst_file_set_close(set);
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
    mst_file_set *set;
    mst_diagnostic why;
    assert_int_equal(mst_file_set_open("a.bin", NULL, &set, &why), MST_UNKNOWN);
}

static void every_allocation_may_fail_unpacking(void **state) {
    (void)state;
    static uint8_t data[200000];
    for (size_t k = 0; k < 6; k += 5) {
        made m = begin_archive(kinds[k].format, kinds[k].filter);
        add_member(&m, "b", data, sizeof data);
        add_member(&m, "a", data, sizeof data);
        end_archive(&m);
        for (size_t fail_at = 1;; fail_at++) {
            counted c = {.fail_at = fail_at};
            mst_file_set_options options = {.allocator = counted_allocator(&c)};
            mst_file_set *set;
            mst_diagnostic why;
            if (mst_file_set_open("a.bin", &options, &set, &why) == MST_OK)
                for (size_t n = 0; n < 2; n++) {
                    mst_file_set_bytes one;
                    if (mst_file_set_read(set, n, &one, &why) == MST_OK)
                        assert_int_equal(one.size, sizeof data);
                    mst_file_set_release(set, &one);
                }
            mst_file_set_close(set);
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
    mst_file_set *set = opened("a.bin", 0);
    reads_as(set, 0, MST_UNSUPPORTED);
    mst_file_set_close(set);
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
        cmocka_unit_test(something_may_stand_in_front),
        cmocka_unit_test(names_are_made_safe),
        cmocka_unit_test(names_without_end_are_left_out),
        cmocka_unit_test(damaged_archives),
        cmocka_unit_test(members_that_lie),
        cmocka_unit_test(directories),
        cmocka_unit_test(every_allocation_may_fail),
#if MST_WITH_ARCHIVE
        cmocka_unit_test(archives_of_all_kinds),
        cmocka_unit_test(bombs),
        cmocka_unit_test(damaged_packed_archives),
        cmocka_unit_test(a_packed_file_is_no_archive),
        cmocka_unit_test(every_allocation_may_fail_unpacking),
#else
        cmocka_unit_test(without_libarchive),
#endif
    };
    return cmocka_run_group_tests_name("set", tests, make_place, remove_place);
}
