/* SPDX-License-Identifier: MIT */
/* Containers for tests: a directory of their own, and zip archives written by hand. */
#ifndef MST_TESTS_CONTAINERS_H
#define MST_TESTS_CONTAINERS_H

#include "../src/container/container.h"
#include "given.h"
#include "slices.h"
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/mapstone-set-XXXXXX";

static inline int make_place(void **state) {
    (void)state;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static inline int remove_place(void **state) {
    (void)state;
    static const char *const names[] = {"a.bin",       "d/link", "d/b/Two.TXT", "d/b/two.txt", "d/one.txt",
                                        "d/b/c/three", "d/b/c",  "d/b",         "d/empty",     "d"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(names[i]);
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static inline void put_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline mst_container *opened(const char *path, uint64_t limit) {
    mst_container_options options = {.size = sizeof options, .member_limit = limit};
    mst_diagnostic why;
    mst_container *container;
    MUST(open_either(path, &options, &container, &why), &why);
    return container;
}

static inline void opens_as(mst_status wanted, const writer *w) {
    mst_diagnostic why = {0};
    mst_container *container;
    put_file("a.bin", w->data, w->size);
    assert_int_equal(open_either("a.bin", NULL, &container, &why), wanted);
    assert_null(container);
    assert_int_equal(why.status, wanted);
    assert_int_not_equal(why.message[0], 0);
}

static inline void holds(mst_container *container, const char *name, const void *data, size_t size) {
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

static inline void reads_as(mst_container *container, size_t index, mst_status wanted) {
    mst_container_bytes bytes;
    mst_diagnostic why = {0};
    assert_int_equal(mst_container_read(container, index, &bytes, &why), wanted);
    assert_int_equal(bytes.size, 0);
    assert_int_equal(why.status, wanted);
}

static inline void gives(mst_container *container, const char *folder, const char *ending, const char *text) {
    resolver_gives(mst_container_resolver(container), folder, ending, text);
}

typedef struct reported {
    unsigned count;
    mst_diagnostic last;
    mst_status answer;
} reported;

static inline mst_status take_report(void *user, const mst_diagnostic *one) {
    reported *all = user;
    all->count++;
    all->last = *one;
    return all->answer;
}

static inline void begins(mst_container *container, const char *name, size_t capacity, const void *wanted,
                          size_t size) {
    char first[64] = "";
    size_t count = 99;
    mst_diagnostic why;
    MUST(mst_container_peek(container, mst_container_find(container, name), first, capacity, &count, &why),
         &why);
    assert_int_equal(count, size);
    assert_memory_equal(first, wanted, size);
}

/* ---- zip archives by hand, as APPNOTE.TXT describes them ----------------------------------------------- */

typedef struct zip {
    writer w, ends; /* members; the directory */
    uint32_t count;
} zip;

static inline uint32_t crc_of(const uint8_t *data, size_t size) {
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
    size_t name_length;   /* 0: the name's */
    uint16_t method;      /* of the data as given here */
    uint32_t size;        /* unpacked; 0: the data's */
    uint32_t mode, flags; /* of Unix */
    bool wrong_crc;
    size_t packed; /* 0: strlen of the data */
    uint32_t crc;  /* 0: of the data */
    /* fields that only the directory has, or only the member's own header */
    const char *extra, *header_extra;
    size_t extra_size, header_extra_size;
    uint16_t header_flags;
    uint32_t listed; /* the size in the directory; 0: as above */
    bool wide[3];    /* size, packed size, offset: they are in `extra`, if anywhere */
} entry;

static inline void add(zip *z, entry e) {
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

static inline void end(zip *z, const char *comment) {
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

/* The same with the larger end that archives of more than 4 GiB have. `moved`: it is not at the place in the
 * locator; `spoilt`: it is missing. */
static inline void end_wide(zip *z, uint64_t moved, bool spoilt) {
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

static inline void zip_free(zip *z) {
    writer_free(&z->w);
    writer_free(&z->ends);
}

#endif
