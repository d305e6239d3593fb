/* SPDX-License-Identifier: MIT */
/* Lists of blocks of archives whose blocks begin at multiples of 16: inserted blocks do so as well, and
 * inserting and removing, or moving there and back, leaves the old bytes. */
#include "documents.h"
#include <mapstone/edit.h>

#define DEPTH 8

/* An archive of `count` blocks of 20 bytes, big-endian, at multiples of `align`. */
static void put_archive_of(writer *w, uint32_t count, uint32_t align) {
    uint32_t begin = (uint32_t)w->size, header = (8 + 4 * count + align - 1) / align * align,
             size = (20 + align - 1) / align * align;
    w->big = true;
    put_u32(w, count);
    for (uint32_t i = 0; i <= count; i++)
        put_u32(w, header + i * size);
    while (w->size - begin < header)
        put_u8(w, 0);
    for (uint32_t i = 0; i < count; i++) {
        /* a data set of three numbers */
        put_u32(w, 4), put_u32(w, 3);
        for (uint32_t k = 0; k < 3; k++)
            put_u32(w, 100 * i + k + 1);
        for (uint32_t k = 20; k < size; k++)
            put_u8(w, 0);
    }
}

static mst_status edit_at(mst_document *d, mst_operation_kind kind, const char *path, const char *value,
                          mst_diagnostic *why) {
    const mst_operation one = {.kind = kind, .path = path, .value = value};
    return mst_edit(d, &one, 1, NULL, why);
}

typedef struct lists {
    size_t tried, offsets;
} lists;

/* All offsets of the archive and of those in it are multiples of `align`; reads bytes. */
static void assert_aligned(lists *l, const uint8_t *bytes, size_t size, size_t at, bool big, uint32_t align) {
    uint32_t count = mst_load32(bytes + at, big);
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t offset = mst_load32(bytes + at + 4 + 4 * (size_t)i, big);
        assert_int_equal(offset % align, 0);
        assert_true(offset <= size - at);
        l->offsets++;
    }
}

static void assert_same(const mst_document *d, const void *old, size_t old_size) {
    size_t size;
    const void *bytes = mst_document_bytes(d, &size);
    assert_int_equal(size, old_size);
    assert_memory_equal(bytes, old, size);
}

/* One list: every block is copied and the copy removed, and moved and moved back. */
static void try_list(lists *l, mst_document *d, const char *path, const uint8_t *old, size_t old_size,
                     bool big, uint32_t align) {
    mst_diagnostic why = {0};
    mst_value list = value_at(d, path);
    uint64_t count = mst_count(&list), offset, length;
    for (uint64_t k = 0; k < count; k++) {
        char from[200], made[200], to[24];
        size_t size;
        snprintf(from, sizeof from, "%s[%llu]", path, (unsigned long long)k);
        snprintf(made, sizeof made, "%s[%llu]", path, (unsigned long long)k + 1);
        MUST(edit_at(d, MST_OPERATION_DUPLICATE, from, NULL, &why), &why);
        const uint8_t *bytes = mst_document_bytes(d, &size);
        list = value_at(d, path);
        mst_value_span(&list, &offset, &length);
        assert_int_equal(mst_load32(bytes + offset, big), count + 1);
        assert_aligned(l, bytes, size, (size_t)offset, big, align);
        assert_aligned(l, bytes, size, 0, big, align);
        MUST(edit_at(d, MST_OPERATION_REMOVE, made, NULL, &why), &why);
        assert_same(d, old, old_size);
        snprintf(to, sizeof to, "%llu", (unsigned long long)(count - 1 - k));
        snprintf(made, sizeof made, "%s[%s]", path, to);
        MUST(edit_at(d, MST_OPERATION_MOVE, from, to, &why), &why);
        snprintf(to, sizeof to, "%llu", (unsigned long long)k);
        MUST(edit_at(d, MST_OPERATION_MOVE, made, to, &why), &why);
        assert_same(d, old, old_size);
    }
    l->tried++;
}

/* Tries "blocks" of the document or of a block, and recursively its blocks' lists. */
static void try_lists(lists *l, const uint8_t *old, size_t size, bool big, uint32_t align) {
    mst_document *d = open_as(old, size, "iguana", "x.dat");
    struct {
        char path[160];
        uint64_t next;
    } levels[DEPTH] = {{"blocks", 0}};
    size_t depth = 1;
    try_list(l, d, "blocks", old, size, big, align);
    while (depth) {
        mst_value list = value_at(d, levels[depth - 1].path);
        if (levels[depth - 1].next == mst_count(&list)) {
            depth--;
            continue;
        }
        assert_true(depth < DEPTH);
        char path[160];
        int length = snprintf(path, sizeof path, "%.120s[%u].blocks", levels[depth - 1].path,
                              (unsigned)levels[depth - 1].next++);
        assert_true(length < 140);
        strcpy(levels[depth].path, path);
        if (!has(d, levels[depth].path))
            continue;
        try_list(l, d, levels[depth].path, old, size, big, align);
        levels[depth++].next = 0;
    }
    mst_close(d);
}

/* For every number of blocks: with some, the alignment of blocks is visible from the header alone. */
static void made_archives(void **state) {
    (void)state;
    for (uint32_t align = 8; align <= 16; align += 8)
        for (uint32_t count = 1; count < 9; count++) {
            lists l = {0};
            writer w = {0};
            put_archive_of(&w, count, align);
            try_lists(&l, w.data, w.size, true, align);
            assert_int_equal(l.tried, 1);
            assert_true(l.offsets >= count * (count + 2));
            writer_free(&w);
        }
}

/* A block that becomes longer is padded like the others. */
static void longer_blocks(void **state) {
    (void)state;
    for (uint32_t align = 8; align <= 16; align += 8) {
        writer w = {0};
        mst_diagnostic why = {0};
        lists l = {0};
        size_t size;
        put_archive_of(&w, 3, align);
        mst_document *d = open_as(w.data, w.size, "iguana", "x.dat");
        const char *path = "blocks[1].data_set";
        MUST(edit_at(d, MST_OPERATION_SET, path,
                     "{\"stride\":4,\"count\":4,\"elements\":\"00000001000000020000000300000004\"}", &why),
             &why);
        const uint8_t *bytes = mst_document_bytes(d, &size);
        assert_aligned(&l, bytes, size, 0, true, align);
        MUST(edit_at(d, MST_OPERATION_SET, path,
                     "{\"stride\":4,\"count\":3,\"elements\":\"000000650000006600000067\"}", &why),
             &why);
        assert_same(d, w.data, w.size);
        mst_close(d);
        writer_free(&w);
    }
}

static void corpus_archives(void **state) {
    (void)state;
    static const char *const names[] = {"turok/synth_cart_be.dat", "turok/synth_cart_le.dat"};
    for (int i = 0; i < 2; i++) {
        size_t size;
        lists l = {0};
        uint8_t *bytes = corpus_read(names[i], &size);
        if (!bytes)
            skip();
        try_lists(&l, bytes, size, i == 0, i == 0 ? 16 : 8);
        assert_true(l.tried >= 8);
        free(bytes);
    }
}

int test_block_lists(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_archives),
        cmocka_unit_test(longer_blocks),
        cmocka_unit_test(corpus_archives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
