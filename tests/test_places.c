/* SPDX-License-Identifier: MIT */
/*
 * The origin of a document's bytes: for every fixture and every file of Star Fox Adventures in the corpus,
 * the walk over the files and the ledger account for each byte, copied bytes equal their source, and findings
 * have a place.
 */
#include "../src/files/ledger.h"
#include "../src/read/engine.h"
#include "fixtures.h"
#include "go_through.h"

typedef struct seen {
    const mst_document *document;
    const char *name;
    size_t sizes[2];
    uint8_t *bytes[2]; /* 1 where an event is */
    uint64_t copies, computed, notes;
} seen;

static bool same_bytes(const mst_event *event, const mst_document *document) {
    size_t size, total;
    const uint8_t *parsed = mst_document_bytes(document, &total);
    const uint8_t *bytes = mst_place_bytes(document, &event->place, &size);
    assert_non_null(bytes);
    return size == event->length && memcmp(bytes, parsed + event->offset, size) == 0;
}

static mst_status see(void *user, const mst_event *event) {
    seen *s = user;
    const mst_place *place = &event->place;
    if (event->kind != MST_EVENT_LEAF && event->kind != MST_EVENT_DERIVED)
        return MST_OK;
    if (place->kind == MST_PLACE_MADE) {
        assert_int_equal(event->kind, MST_EVENT_LEAF);
        return MST_OK;
    }
    assert_true(place->file < mst_document_file_count(s->document));
    assert_true(place->offset <= s->sizes[place->file]);
    assert_true(place->length <= s->sizes[place->file] - place->offset);
    size_t size;
    const uint8_t *bytes = mst_place_bytes(s->document, place, &size);
    assert_non_null(bytes);
    assert_int_equal(size, place->kind == MST_PLACE_PACKED ? place->inner_length : place->length);
    if (event->offset == MST_NO_OFFSET)
        s->notes++;
    else if (same_bytes(event, s->document))
        s->copies++;
    else
        s->computed++;
    if (place->kind == MST_PLACE_FILE)
        memset(s->bytes[place->file] + place->offset, 1, (size_t)place->length);
    return MST_OK;
}

static mst_status has_place(void *user, const mst_diagnostic *found) {
    const seen *s = user;
    bool elsewhere = !strcmp(found->code, "SFA-ALONE"); /* about a file that is missing */
    if (!elsewhere && found->offset == MST_NO_OFFSET)
        fail_msg("%s: %s at %s has no place", s->name, found->code, found->path);
    return MST_OK;
}

/* Adds up the events of `mst_walk_files`; the rest of a file is the ledger's gap. */
static void assert_places(const char *name, const mst_document *d, uint64_t *gaps) {
    seen s = {.document = d, .name = name};
    mst_ledger ledger;
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options, .information = 1};
    uint64_t missed = 0;
    for (size_t i = 0; i < mst_document_file_count(d); i++) {
        mst_document_file(d, i, NULL, &s.sizes[i]);
        s.bytes[i] = calloc(s.sizes[i] + 1, 1);
        assert_non_null(s.bytes[i]);
    }
    MUST(mst_walk_files(d, see, &s), NULL);
    MUST(mst_byte_coverage(d, &ledger, &why), &why);
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < s.sizes[i]; k++)
            missed += !s.bytes[i][k];
        free(s.bytes[i]);
    }
    if (missed != ledger.bytes[MST_BYTES_GAP] && d->format->files.count)
        fail_msg("%s: %llu bytes are in no event, and %llu are gaps", name, (unsigned long long)missed,
                 (unsigned long long)ledger.bytes[MST_BYTES_GAP]);
    assert_int_equal(ledger.size, s.sizes[0] + s.sizes[1]);
    MUST(mst_check(d, &options, has_place, &s, NULL, &why), &why);
    *gaps += missed;
}

static void assert_no_gaps(const char *name, const mst_document *d) {
    uint64_t gaps = 0;
    if (d->format->files.count)
        assert_places(name, d, &gaps);
    if (gaps)
        fail_msg("%s has %llu bytes of gaps", name, (unsigned long long)gaps);
}
static void test_fixtures(void **state) {
    (void)state;
    assert_true(fixtures_each(assert_no_gaps) > 0);
}

static struct { uint64_t gaps, size; } corpus_bytes;
static void add_gaps(const char *name, const mst_document *d) {
    uint64_t own = 0;
    assert_places(name, d, &own);
    if (own)
        print_message("%s: %llu bytes of gaps\n", name, (unsigned long long)own);
    corpus_bytes.gaps += own;
    corpus_bytes.size += d->size;
}

/* Real files may have gaps, left by the game; they are counted. */
static void test_corpus(void **state) {
    static const char *const folders[] = {"sfa/mini",    "sfa/mini/animtest",    "sfa/mini/shipbattle",
                                          "sfa/samples", "sfa/samples/romlists", "sfa/samples/textures"};
    (void)state;
    documents_of_corpus(folders, MST_COUNT_OF(folders), add_gaps);
    assert_true(corpus_bytes.gaps * 100 <= corpus_bytes.size);
}

/* ---- one file, to the byte --------------------------------------------------------------------- */

typedef struct line {
    const char *name;
    mst_place_kind kind;
    uint64_t offset, length, inner;
} line;

typedef struct lines {
    const line *next;
    size_t left;
} lines;

static mst_status compare(void *user, const mst_event *event) {
    lines *all = user;
    if (event->kind != MST_EVENT_LEAF && event->kind != MST_EVENT_DERIVED)
        return MST_OK;
    if (!all->left)
        return MST_OK;
    const line *expected = all->next++;
    all->left--;
    assert_string_equal(event->name, expected->name);
    assert_int_equal(event->place.kind, expected->kind);
    if (expected->kind == MST_PLACE_MADE)
        return MST_OK;
    assert_int_equal(event->place.offset, expected->offset);
    assert_int_equal(event->place.length, expected->length);
    assert_int_equal(event->place.inner, expected->inner);
    return MST_OK;
}

/* The wrapper and its parts, as in public notes: magic, version, sizes, then the stream. */
static void test_wrapper(void **state) {
    static const line expected[] = {
        {"wrapper", MST_PLACE_FILE, 0, 4, 0},        {"packing", MST_PLACE_MADE, 0, 0, 0},
        {"version", MST_PLACE_FILE, 4, 4, 0},        {"unpadded", MST_PLACE_MADE, 0, 0, 0},
        {"unpacked_size", MST_PLACE_FILE, 8, 4, 0},  {"packed_size", MST_PLACE_FILE, 12, 4, 0},
        {"packed", MST_PLACE_FILE, 16, 104, 0},      {"type", MST_PLACE_PACKED, 16, 104, 0},
        {"size_words", MST_PLACE_PACKED, 16, 104, 2}};
    (void)state;
    needs_zlib();
    size_t size;
    uint8_t *bytes = corpus_read("sfa/mini/animtest.romlist.zlb", &size);
    mst_open_options options = {.size = sizeof options, .name = "animtest.romlist.zlb"};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, size, &options, &d, &why), &why);
    lines all = {expected, sizeof expected / sizeof *expected};
    MUST(mst_walk_files(d, compare, &all), NULL);
    assert_int_equal(all.left, 0);
    mst_place place;
    mst_value value;
    uint64_t offset, length;
    MUST(mst_find(mst_root(d), "objects[1].position", &value, &why), &why);
    mst_value_span(&value, &offset, &length);
    MUST(mst_place_of(d, offset, length, &place), NULL);
    assert_int_equal(place.kind, MST_PLACE_PACKED);
    assert_int_equal(place.inner, 80 + 8);
    assert_int_equal(place.inner_length, 12);
    MUST(mst_place_of(d, d->size + 1, 1, &place), NULL);
    assert_int_equal(place.kind, MST_PLACE_MADE);
    mst_close(d);
    free(bytes);
}

static void test_text(void **state) {
    (void)state;
    mst_diagnostic d = {.offset = 0x10, .packed = 1, .inner = 0x24};
    char text[100];
    mst_diagnostic_text(&d, text, sizeof text);
    assert_non_null(strstr(text, "at offset 0x10+0x24"));
    snprintf(d.file, sizeof d.file, "mod6.tab");
    d.packed = 0;
    mst_diagnostic_text(&d, text, sizeof text);
    assert_non_null(strstr(text, "at offset 0x10 of mod6.tab"));
}

int test_places(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fixtures), cmocka_unit_test(test_corpus),
                                       cmocka_unit_test(test_wrapper), cmocka_unit_test(test_text)};
    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
