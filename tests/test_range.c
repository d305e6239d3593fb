/* SPDX-License-Identifier: MIT */
/*
 * The values that bytes of a file belong to, and the bytes of a value: in every fixture each byte has one
 * field, and a query for that byte alone gives the same; in files made by hand each value is at its written
 * place.
 */
#include "../src/read/engine.h"
#include "fixtures.h"
#include <mapstone/mapstone.h>

typedef struct seen_field {
    char path[300], name[80];
    uint64_t offset, length, unpacked;
    mst_byte_class byte_class;
    bool value;
} seen_field;

typedef struct seen {
    const mst_document *document;
    seen_field *all;
    size_t count, capacity, stop_at;
    bool within; /* each value must have the bytes */
} seen;

static mst_status takes_in(void *user, const mst_place *place) {
    mst_place *looked_for = user;
    bool packed = place->kind == MST_PLACE_PACKED;
    if (place->kind != looked_for->kind || place->file != looked_for->file ||
        (packed && place->offset != looked_for->offset))
        return MST_OK;
    uint64_t begin = packed ? place->inner : place->offset,
             length = packed ? place->inner_length : place->length;
    uint64_t from = packed ? looked_for->inner : looked_for->offset;
    uint64_t size = packed ? looked_for->inner_length : looked_for->length;
    if (from < begin || from + size > begin + length)
        return MST_OK;
    looked_for->kind = MST_PLACE_MADE;
    return MST_STOPPED;
}

static mst_status see(void *user, const mst_file_field *field) {
    seen *s = user;
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 64;
        s->all = realloc(s->all, s->capacity * sizeof *s->all);
        assert_non_null(s->all);
    }
    seen_field *one = &s->all[s->count++];
    memset(one, 0, sizeof *one);
    snprintf(one->path, sizeof one->path, "%s", field->path);
    snprintf(one->name, sizeof one->name, "%s", field->name);
    bool packed = field->place.kind == MST_PLACE_PACKED;
    assert_int_not_equal(field->place.kind, MST_PLACE_MADE);
    one->offset = packed ? field->place.inner : field->place.offset;
    one->length = packed ? field->place.inner_length : field->place.length;
    one->byte_class = field->byte_class;
    one->unpacked = field->unpacked;
    one->value = field->value != NULL;
    if (field->value && s->within) {
        mst_value found;
        mst_diagnostic why;
        mst_place place = field->place;
        MUST(mst_find(mst_root(s->document), field->path, &found, &why), &why);
        MUST(mst_value_places(&found, takes_in, &place), NULL);
        if (place.kind != MST_PLACE_MADE)
            fail_msg("%s has not the bytes from %llu on", field->path, (unsigned long long)one->offset);
    }
    return s->count == s->stop_at ? MST_STOPPED : MST_OK;
}

static void ask(seen *s, mst_file_range range) {
    mst_diagnostic why;
    s->count = 0;
    range.size = sizeof range;
    MUST(mst_range_fields(s->document, &range, see, s, &why), &why);
}

/* Single bytes, and ranges of them, have the same fields as all at once. */
static void compare_parts(const seen *all, mst_file_range range) {
    seen one = {.document = all->document};
    size_t step = all->count / 150 + 1; /* all of small files */
    for (size_t i = 0; i < all->count; i += step) {
        const seen_field *expected = &all->all[i];
        for (unsigned k = 0; k < 2; k++) { /* its first byte and its last one */
            range.offset = k ? expected->offset + expected->length - 1 : expected->offset;
            range.length = 1;
            ask(&one, range);
            const seen_field *found = one.all;
            if (one.count != 1 || strcmp(found->path, expected->path) || found->offset > range.offset ||
                found->offset + found->length <= range.offset)
                fail_msg("byte %llu is %s, not %s", (unsigned long long)range.offset,
                         one.count ? found->path : "nothing", expected->path);
        }
        size_t few = all->count - i < 5 ? all->count - i : 5;
        range.offset = expected->offset;
        range.length = expected[few - 1].offset + 1 - expected->offset;
        ask(&one, range);
        assert_int_equal(one.count, few);
    }
    free(one.all);
}

static uint64_t packed_runs;

static void assert_fields(const char *name, const mst_document *d) {
    uint64_t classes[5] = {0};
    for (size_t file = 0; file < mst_document_file_count(d); file++) {
        size_t size;
        mst_document_file(d, file, NULL, &size);
        seen s = {.document = d, .within = true};
        mst_file_range range = {.file = file, .length = size};
        ask(&s, range);
        uint64_t next = 0;
        for (size_t i = 0; i < s.count; i++) {
            if (s.all[i].offset != next || !s.all[i].length)
                fail_msg("%s: %s begins at %llu, not at %llu", name, s.all[i].path,
                         (unsigned long long)s.all[i].offset, (unsigned long long)next);
            next += s.all[i].length;
            classes[s.all[i].byte_class] += s.all[i].length;
        }
        assert_int_equal(next, size);
        compare_parts(&s, range);
        for (size_t i = 0; i < s.count; i++) {
            if (!s.all[i].unpacked)
                continue;
            seen inner = {.document = d, .within = true};
            mst_file_range unpacked = {.file = file, .packed = 1, .packed_at = s.all[i].offset};
            unpacked.length = s.all[i].unpacked;
            ask(&inner, unpacked);
            next = 0;
            for (size_t k = 0; k < inner.count; next += inner.all[k++].length)
                assert_int_equal(inner.all[k].offset, next);
            assert_int_equal(next, s.all[i].unpacked);
            packed_runs++;
            free(inner.all);
        }
        free(s.all);
    }
    if (d->format->files.count)
        return; /* the ledger divides packed bytes */
    mst_ledger ledger;
    mst_diagnostic why;
    MUST(mst_byte_coverage(d, &ledger, &why), &why);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(classes[i], ledger.bytes[i]);
}

static void test_fixtures(void **state) {
    (void)state;
    assert_true(fixtures_each(assert_fields) > 0);
    assert_true(packed_runs > 0 || !MST_WITH_ZLIB);
}

/* ---- files written by hand --------------------------------------------------------------------------- */

static void compare_marks(const writer *w, const char *name) {
    mst_open_options options = {.size = sizeof options, .name = name};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(w->data, w->size, &options, &d, &why), &why);
    seen s = {.document = d, .within = true};
    size_t compared = 0;
    for (size_t i = 0; i < w->mark_count; i++) {
        const mark *m = &w->marks[i];
        mst_value value;
        if (!m->length || mst_find(mst_root(d), m->path, &value, NULL) != MST_OK)
            continue;
        ask(&s, (mst_file_range){.offset = m->offset, .length = m->length});
        size_t length = strlen(m->path);
        bool inside = false;
        for (size_t k = 0; k < s.count; k++)
            inside = inside || (!strncmp(s.all[k].path, m->path, length) && s.all[k].offset >= m->offset &&
                                s.all[k].offset < m->offset + m->length);
        if (!inside && m->kind != MARK_TEXT)
            fail_msg("%s is not at %zu, but %s is", m->path, m->offset, s.count ? s.all->path : "nothing");
        mst_place place = {.kind = MST_PLACE_FILE, .offset = m->offset, .length = m->length};
        MUST(mst_value_places(&value, takes_in, &place), NULL);
        assert_int_equal(place.kind, MST_PLACE_MADE);
        compared++;
    }
    assert_true(compared > 50);
    free(s.all);
    mst_close(d);
}

static void test_marks(void **state) {
    (void)state;
    writer w = {0};
    fixture_ns2_everything(&w);
    compare_marks(&w, "a.level");
    writer_free(&w);
    fixture_alien_big(&w);
    compare_marks(&w, "L111LEV.MAP");
    writer_free(&w);
    fixture_revenant_15(&w);
    compare_marks(&w, "1_3_5.dat");
    writer_free(&w);
}

/* ---- one packed file, to the byte ---------------------------------------------------------------------- */

typedef struct line {
    const char *path, *name;
    uint64_t offset, length, unpacked;
} line;

static void compare(seen *s, mst_file_range range, const line *expected, size_t count) {
    ask(s, range);
    for (size_t i = 0; i < count; i++) {
        assert_true(i < s->count);
        assert_string_equal(s->all[i].path, expected[i].path);
        assert_string_equal(s->all[i].name, expected[i].name);
        assert_int_equal(s->all[i].offset, expected[i].offset);
        assert_int_equal(s->all[i].length, expected[i].length);
        if (expected[i].unpacked)
            assert_int_equal(s->all[i].unpacked, expected[i].unpacked);
    }
    assert_int_equal(s->count, count);
}

/* The wrapper and its parts, as in public notes: magic, version, sizes, then the stream; objects of type (2),
 * size in words (1), ..., position (12 from byte 8 on). */
static void test_wrapper(void **state) {
    (void)state;
    needs_zlib();
    size_t size;
    uint8_t *bytes = corpus_read("sfa/mini/animtest.romlist.zlb", &size);
    mst_open_options options = {.size = sizeof options, .name = "animtest.romlist.zlb"};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, size, &options, &d, &why), &why);
    uint64_t unpacked = mst_load32(bytes + 8, true);
    static const line header[] = {{"wrapper", "wrapper", 0, 4, 0},
                                  {"version", "version", 4, 4, 0},
                                  {"", "unpacked_size", 8, 4, 0},
                                  {"", "packed_size", 12, 4, 0}};
    seen s = {.document = d, .within = true};
    compare(&s, (mst_file_range){.length = 16}, header, MST_COUNT_OF(header));
    const line stream[] = {{"", "packed", 16, 104, unpacked}};
    compare(&s, (mst_file_range){.offset = 50, .length = 2}, stream, 1);
    static const line place[] = {{"objects[1].position[0]", "position", 88, 4, 0},
                                 {"objects[1].position[1]", "position", 92, 4, 0},
                                 {"objects[1].position[2]", "position", 96, 4, 0}};
    compare(&s, (mst_file_range){.packed = 1, .packed_at = 16, .offset = 91, .length = 6}, place, 3);
    s.stop_at = 1;
    compare(&s, (mst_file_range){.packed = 1, .packed_at = 16, .offset = 91, .length = 6}, place, 1);
    mst_file_range none = {.size = sizeof none, .packed = 1, .packed_at = 17, .length = 1};
    assert_int_equal(mst_range_fields(d, &none, see, &s, &why), MST_ARGUMENT);
    free(s.all);
    mst_close(d);
    free(bytes);
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static void test_memory(void **state) {
    (void)state;
    needs_zlib();
    size_t size;
    uint8_t *bytes = corpus_read("sfa/mini/animtest.romlist.zlb", &size);
    counted memory = {0};
    mst_open_options options = {
        .size = sizeof options, .name = "animtest.romlist.zlb", .allocator = counted_allocator(&memory)};
    mst_document *d;
    mst_diagnostic why;
    for (size_t n = 1;; n++) {
        MUST(mst_open_memory(bytes, size, &options, &d, &why), &why);
        memory.fail_at = memory.calls + n;
        memory.failed = false;
        seen s = {.document = d};
        mst_file_range range = {.size = sizeof range, .packed = 1, .packed_at = 16, .length = 4000};
        mst_status status = mst_range_fields(d, &range, see, &s, &why);
        memory.fail_at = 0;
        assert_true(memory.failed || status == MST_OK); /* data without enough memory may have no place */
        assert_true(memory.failed || s.count > 100);
        free(s.all);
        mst_close(d);
        assert_int_equal(memory.bytes, 0);
        assert_false(memory.wrong);
        if (!memory.failed)
            break;
    }
    free(bytes);
}

int test_range(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fixtures), cmocka_unit_test(test_marks),
                                       cmocka_unit_test(test_wrapper), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
