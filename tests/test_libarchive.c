/* SPDX-License-Identifier: MIT */
/* Archives that libarchive writes and reads, and those that claim too much. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "../src/container/container.h"
#include "containers.h"
#include <mapstone/level.h>
#if MST_WITH_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

/* ---- archives written and read by libarchive ----------------------------------------------------------- */

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
    if (filter && strcmp(filter, "gzip") == 0) /* the ratio does not matter */
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

/* Not files: a folder; another name for a member; a sparse member. */
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
} kinds[] = {{"zip", NULL},     {"7zip", NULL},   {"ustar", NULL}, {"pax", NULL},    {"gnutar", NULL},
             {"ustar", "gzip"}, {"pax", "bzip2"}, {"ustar", "xz"}, {"iso9660", NULL}};

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

/* An image of a game's disc: recognised by the bytes after its first sectors, read in any order, and
 * truncated. */
static void images_of_discs(void **state) {
    (void)state;
    static uint8_t image[1 << 20];
    mst_container *container;
    mst_level *level;
    mst_diagnostic why;
    char name[64];
    made m = begin_archive("iso9660", NULL);
    for (unsigned i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "materials/%02u.material", i);
        add_member(&m, name, "shader = \"a.surface_shader\"\n", 29);
    }
    end_archive(&m);
    MUST(mst_level_open("a.bin!MATERIALS/07.material", NULL, &level, &why), &why);
    mst_level_close(level);
    container = opened("a.bin", 0);
    for (unsigned i = 40; i--;) { /* more passes than other archives may take */
        snprintf(name, sizeof name, "materials/%02u.material", i);
        holds(container, name, "shader = \"a.surface_shader\"\n", 29);
    }
    mst_container_close(container);

    FILE *file = fopen("a.bin", "rb");
    assert_non_null(file);
    size_t size = fread(image, 1, sizeof image, file);
    fclose(file);
    assert_true(size > 0x8006 && size < sizeof image);
    assert_true(mst_container_is_archive(image, 0x8006));
    assert_false(mst_container_is_archive(image, 0x8005));
    file = fopen("a.bin", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, 0x9000, file), 0x9000);
    fclose(file);
    assert_int_equal(mst_container_open("a.bin", NULL, &container, &why), MST_DAMAGED);
    assert_non_null(strstr(why.message, "the image ends before its directory"));
}

/* Members among other entries, in any order: members skipped on the way are kept, once each. */
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

/* Skipped members beyond the cache's limit are unpacked again on request. */
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
    mst_container_options options = {
        .size = sizeof options, .allocator = counted_allocator(&c), .member_limit = size};
    mst_container *container;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    holds(container, "small", "text", 4);
    assert_true(c.peak < 1u << 20);
    char first[100], wanted[100] = {0};
    size_t count;
    MUST(mst_container_peek(container, 0, first, sizeof first, &count, NULL),
         NULL); /* nor is it for identification */
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

/* A tar with an implausible header; and one with a second name that has bytes of its own. */
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

/* "a", deflated for zlib to unpack, and by bzip2, which libarchive unpacks. */
static const struct {
    uint16_t method;
    size_t size;
    const char *bytes;
} packings[] = {
    {8, 3, "\x4B\x04\0"},
    {12, 37,
     "BZh91AY&"
     "SY\x19\x93\x9B\x6B\0\0\0\1\0\x20\0\x20\0\x21\x18\x46\x82\xEE\x48\xA7\x0A\x12\x03\x32\x73\x6D\x60"},
};

static void read_packed(entry e, mst_status wanted, const char *said) {
    zip z = {0};
    add(&z, e);
    end(&z, "");
    mst_container *container = opened("a.bin", 0);
    mst_container_bytes bytes;
    mst_diagnostic why = {0};
    assert_int_equal(mst_container_read(container, 0, &bytes, &why), wanted);
    assert_int_equal(bytes.size, wanted == MST_OK);
    if (!strstr(why.message, said))
        fail_msg("%s", why.message);
    mst_container_release(container, &bytes);
    if (wanted == MST_OK)
        begins(container, "a", 5, "a", 1);
    mst_container_close(container);
    zip_free(&z);
}

/* The directory and the local header of a packed member contradict each other. libarchive, unlike zlib's
 * caller, reads extra fields. */
static void packed_members_that_lie(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
        entry e = {.name = "a", .data = packings[i].bytes, .packed = packings[i].size};
        e.method = packings[i].method;
        e.size = 1;
        e.crc = crc_of((const uint8_t *)"a", 1);
        read_packed(e, MST_OK, "");
        entry other = e;
        other.wrong_crc = true;
        read_packed(other, MST_DAMAGED, "");
        other = e;
        other.listed = 2;
        read_packed(other, MST_DAMAGED, "unpack");
        other = e;
        other.header_flags = 1;
        read_packed(other, MST_UNSUPPORTED, "it is encrypted");
        other = e;
        other.header_extra = "UT\xFF\0x";
        other.header_extra_size = 5;
        read_packed(other, MST_WITH_ZLIB && e.method == 8 ? MST_OK : MST_DAMAGED, "");
    }
}

/* Much from little: only the bytes produced count, and none are taken beyond the limit. */
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
        mst_container_options options = {
            .size = sizeof options, .allocator = counted_allocator(&c), .member_limit = size - 1};
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
    /* a zip whose directory states 10 bytes for a member that unpacks to many */
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
    mst_container_options options = {
        .size = sizeof options, .allocator = counted_allocator(&c), .member_limit = 1u << 20};
    mst_container *container;
    MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
    assert_int_equal(mst_container_size(container, 0), 10);
    reads_as(container, 0, MST_WITH_ZLIB ? MST_DAMAGED : MST_IO);
    assert_true(c.bytes < 1u << 20);
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

/* A member larger than packed levels are is refused, unless a limit is given. */
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
        mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
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

/* The unpacked sizes of members count together, and once each. */
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
    mst_container_options options = {.size = sizeof options, .total_limit = 2 * size + 5};
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

/* Where one member must be unpacked to reach the next, a too large one hides the rest. */
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
            .size = sizeof options, .total_limit = 3 * size / 2, .report = take_report, .report_user = &all};
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

/* A size equal to the limit is accepted. A tar's header is 512 bytes, and data is padded to multiples of
 * that. */
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
        mst_container_options options = {.size = sizeof options, .total_limit = cases[i].total};
        mst_container *container;
        MUST(mst_container_open("a.bin", &options, &container, NULL), NULL);
        assert_int_equal(mst_container_count(container), cases[i].members);
        assert_int_equal(mst_container_omitted(container), cases[i].members < 3);
        mst_container_close(container);
    }
    free(zeros);
}

/* libarchive warns of a name that the locale cannot represent, but the member exists. */
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
    mst_container_options options = {.size = sizeof options, .member_limit = size, .pass_limit = 2};
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
            mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
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
            mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
            mst_container *container;
            mst_diagnostic why;
            if (fail_at == 1) { /* so long that the following data does not fit next to it */
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
    add(&z, (entry){.name = "packed", .data = "\3", .method = 14, .packed = 1, .size = 1});
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

int test_libarchive(void) {
    const struct CMUnitTest tests[] = {
#if MST_WITH_ARCHIVE
        cmocka_unit_test(images_of_discs),
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
    return cmocka_run_group_tests_name("libarchive", tests, make_place, remove_place);
}
