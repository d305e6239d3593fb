/* SPDX-License-Identifier: MIT */
/* Zip archives, as APPNOTE.TXT describes them: written by hand, including odd and damaged ones. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "../src/container/container.h"
#include "containers.h"

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

static mst_status append(void *user, const void *bytes, size_t size) {
    writer *to = user;
    put_bytes_of(to, bytes, size);
    return MST_OK;
}

static mst_status refuse(void *user, const void *bytes, size_t size) {
    size_t *left = user;
    (void)bytes;
    if (size > *left)
        return MST_IO;
    *left -= size;
    return MST_OK;
}

/* A member is replaced; the others and the comment are kept, wherever they are. */
static void members_are_replaced(void **state) {
    (void)state;
    static const char *const contents[] = {"", "s", "a much longer second one"};
    zip z = {0};
    add(&z, (entry){.name = "a.map", .data = "first"});
    add(&z, (entry){.name = "b.map", .data = "second"});
    add(&z, (entry){.name = "c.map", .data = "third"});
    end(&z, "a comment");
    for (size_t i = 0; i < 3; i++) {
        writer w = {0};
        mst_diagnostic why;
        mst_container *container = opened("a.bin", 0);
        const size_t size = strlen(contents[i]), index = mst_container_find(container, "b.map");
        if (by_slices) { /* no slice has all of it */
            assert_int_equal(
                mst_container_replace(container, index, contents[i], size, (mst_sink){append, &w}, &why),
                MST_UNSUPPORTED);
            mst_container_close(container);
            continue;
        }
        MUST(mst_container_replace(container, index, contents[i], size, (mst_sink){append, &w}, &why), &why);
        assert_int_equal(w.size, z.w.size - 6 + size);
        assert_memory_equal(w.data + w.size - 9, "a comment", 9);
        for (size_t room = 0; room < w.size; room += 7) {
            size_t left = room;
            assert_int_equal(
                mst_container_replace(container, index, contents[i], size, (mst_sink){refuse, &left}, &why),
                MST_IO);
        }
        mst_container_close(container);
        put_file("b.bin", w.data, w.size);
        container = opened("b.bin", 0);
        assert_int_equal(mst_container_count(container), 3);
        holds(container, "a.map", "first", 5);
        holds(container, "b.map", contents[i], size);
        holds(container, "c.map", "third", 5);
        mst_container_close(container);
        remove("b.bin");
        free(w.data);
    }
    mst_container *container = opened("a.bin", 0);
    mst_diagnostic why;
    writer w = {0};
    assert_int_equal(mst_container_replace(container, 3, "x", 1, (mst_sink){append, &w}, &why), MST_ARGUMENT);
    mst_container_close(container);
    zip_free(&z);
}

/* An apparent end in a comment is not one if its own comment would not fit. */
static void a_comment_with_an_end_in_it(void **state) {
    (void)state;
    zip z = {0};
    char data[301] = "", comment[] = "PK\5\6 and sixteen more.";
    memset(data, 'x', 300);
    comment[20] = 1, comment[21] = 1; /* 257 bytes: fewer than the total, but more than follow */
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
    /* sizes that should be elsewhere, but are missing */
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
    assert_int_equal(open_either("a.bin", NULL, &container, NULL), MST_DAMAGED);
    put_file("a.bin", "\x1F\x8B\x08", 3);
    assert_int_equal(open_either("a.bin", NULL, &container, NULL),
                     MST_WITH_ARCHIVE && !by_slices ? MST_UNKNOWN : MST_UNSUPPORTED);
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

/* Members of the same name are in the order of their positions. */
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

/* For any capacity: the complete name, or none. */
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

/* The last report of a set. */

static void names_without_end_are_left_out(void **state) {
    (void)state;
    zip z = {0};
    char *name = malloc(60000);
    assert_non_null(name);
    memset(name, 'x', 60000);
    memcpy(name + 46, "\xE2\x94\x82", 3); /* a character at the truncation */
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
    mst_container_options options = {.size = sizeof options, .report = take_report, .report_user = &all};
    MUST(open_either("a.bin", &options, &container, &why), &why);
    mst_container_close(container);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.last.severity, MST_WARNING);
    assert_string_equal(all.last.message, "a file is left out of the container: its name is too long");
    assert_string_equal(all.last.found, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
    all.answer = MST_STOPPED;
    assert_int_equal(open_either("a.bin", &options, &container, &why), MST_STOPPED);
    zip_free(&z);

    zip short_ones = {0}; /* a name of the maximum length, and one byte more */
    add(&short_ones, (entry){.name = name + 100, .name_length = MST_CONTAINER_NAME_MAX, .data = "x"});
    add(&short_ones, (entry){.name = name + 100, .name_length = MST_CONTAINER_NAME_MAX + 1, .data = "x"});
    add(&short_ones, (entry){.name = "..", .data = "x"});
    end(&short_ones, "");
    all = (reported){0};
    MUST(open_either("a.bin", &options, &container, &why), &why);
    assert_int_equal(mst_container_count(container), 1);
    assert_int_equal(mst_container_omitted(container), 2);
    assert_string_equal(all.last.message, "a file is left out of the container: its name has no usable part");
    mst_container_close(container);
    zip_free(&short_ones);
    free(name);
}

/* A sidecar that cannot be read is reported once, and counts as missing. */
static void unreadable_sidecars(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "defs/a.txt", .data = "a", .wrong_crc = true});
    end(&z, "");
    reported all = {0};
    mst_container_options options = {.size = sizeof options, .report = take_report, .report_user = &all};
    mst_container *container;
    MUST(open_either("a.bin", &options, &container, NULL), NULL);
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
    MUST(open_either("a.bin", &options, &container, NULL), NULL);
    resolver = mst_container_resolver(container);
    assert_int_equal(resolver.find(resolver.user, "a.txt", &data, &size), MST_STOPPED);
    mst_container_close(container);
    zip_free(&z);
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

    for (z.w.size = 4; z.w.size < size; z.w.size++) /* truncated anywhere */
        opens_as(MST_DAMAGED, &z.w);
    for (size_t i = 0; i < size; i++) /* each byte, inverted */
        for (int k = 0; k < 3; k++) {
            memcpy(z.w.data, whole, size);
            z.w.data[i] ^= (uint8_t)(k == 0 ? 0xFF : k == 1 ? 0x01 : 0x80);
            z.w.size = size;
            put_file("a.bin", z.w.data, size);
            mst_container *container;
            mst_diagnostic why;
            if (open_either("a.bin", NULL, &container, &why) != MST_OK)
                continue;
            for (size_t m = 0; m < mst_container_count(container); m++) {
                mst_container_bytes bytes;
                if (mst_container_read(container, m, &bytes, &why) == MST_OK) /* the content is unchanged */
                    assert_true(bytes.size == 10 || bytes.size == 3);
                mst_container_release(container, &bytes);
            }
            mst_container_close(container);
        }
    memcpy(z.w.data, whole, size);
    mst_store32(z.w.data + members + 42, 5, false); /* the offset of the first member */
    put_file("a.bin", z.w.data, size);
    mst_container *container = opened("a.bin", 0);
    reads_as(container, 0, MST_DAMAGED);
    holds(container, "two", "abc", 3);
    mst_container_close(container);
    memcpy(z.w.data, whole, size);
    mst_store16(z.w.data + 26, 0xFFFF, false); /* the length of the first member's name */
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

    /* entries that share their bytes: a directory of only these unpacks to petabytes */
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
    assert_int_equal(open_either("a.bin", NULL, &container, &why), MST_UNKNOWN);
    assert_int_equal(open_either("nowhere", NULL, &container, &why), MST_IO);
    assert_null(container);
}

int test_zip(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_an_archive),
        cmocka_unit_test(stored_members_are_views),
        cmocka_unit_test(members_are_replaced),
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
    };
    int failed = cmocka_run_group_tests_name("zip", tests, make_place, remove_place);
    by_slices = true; /* and the same of a file that is read in slices */
    memcpy(directory + strlen(directory) - 6, "XXXXXX", 6);
    return failed + cmocka_run_group_tests_name("zip by slices", tests, make_place, remove_place);
}
