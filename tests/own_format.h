/* SPDX-License-Identifier: MIT */
/* Small formats of a test's own, which are not listed: their tables, documents of them, JSON and bytes. */
#ifndef MST_TESTS_OWN_FORMAT_H
#define MST_TESTS_OWN_FORMAT_H

#include "../src/core/json.h"
#include "../src/read/engine.h"
#include "../src/tables/words.h"
#include "documents.h"

/* ---- tables -------------------------------------------------------------------------------------- */

#define TABLE(array) .fields = (array), .field_count = MST_COUNT_OF(array)
#define PREFIXED(label, KIND, by)                                                                            \
    { .name = label, .kind = MST_KIND_##KIND, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_##by }
#define INFORMATION                                                                                          \
    { .id = "test", .title = "Test", .extensions = "", .media_type = "", .versions = "1-9", .rows = "" }
#define PROBLEMS                                                                                             \
    {                                                                                                        \
        "T-MAGIC", "T-VERSION", "T-OVERRUN", "T-STRING", "T-COUNT", "T-TRAILING", "T-OFFSET", "T-ROOT",      \
            "T-BLOCKS", "T-STRIDE", "T-TEXT", "T-NESTING"                                                    \
    }
#define FORMAT_PROBED(the_root, list, the_probe)                                                             \
    .information = INFORMATION, .tables.root = &(the_root), .tables.records = (list),                        \
    .tables.record_count = MST_COUNT_OF(list), .identity.probe = (the_probe),                                \
    .check.problem_codes = PROBLEMS
#define FORMAT(the_root, list) FORMAT_PROBED(the_root, list, any_file), .conversion = &in_either_order
static const mst_conversion in_either_order = {.either_order = true};

static bool big_files; /* the order in which any_file recognises them; try_as sets it */

static inline bool any_file(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                            mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)name;
    variant->big = big_files;
    return true;
}

/* ---- documents ----------------------------------------------------------------------------------- */

static inline mst_status open_in(const mst_format *format, bool big, const void *bytes, size_t size,
                                 mst_document **d, mst_diagnostic *why) {
    mst_buffer copy = {.allocator = mst_allocator_or_default(NULL)};
    big_files = big;
    MUST(mst_buffer_sink(&copy).write(&copy, bytes, size), NULL);
    mst_status status = mst_document_adopt(format, NULL, &copy, NULL, d, why);
    mst_buffer_free(&copy);
    return status;
}
/* In the writer's byte order. */
static inline mst_status try_as(const mst_format *format, const writer *w, mst_document **d,
                                mst_diagnostic *why) {
    return open_in(format, w->big, w->data, w->size, d, why);
}
static inline mst_document *open_own(const mst_format *format, const writer *w) {
    mst_document *d;
    mst_diagnostic why;
    MUST(try_as(format, w, &d, &why), &why);
    return d;
}

static inline uint64_t count_at(const mst_document *d, const char *path) {
    mst_value value = value_at(d, path);
    return mst_count(&value);
}
/* ---- JSON ---------------------------------------------------------------------------------------- */

/* Without the line's end; to be freed. */
static inline char *json_of(const mst_value *value, int compact) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_json_options options = {.size = sizeof options, .compact = compact};
    MUST(mst_write_json(value, &options, mst_buffer_sink(&text), &why), &why);
    text.data[text.size - 1] = 0;
    return (char *)text.data;
}

/* Bytes from JSON, in the variant of `d`. */
static inline mst_status encode_as(const mst_document *d, const char *json, mst_buffer *made,
                                   mst_diagnostic *why) {
    mst_arena arena;
    mst_json tree;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_json_parse(json, strlen(json), &arena, &tree, why);
    if (status == MST_OK) {
        mst_encode_request request = {.format = d->format,
                                      .variant = d->variant,
                                      .plans = d->plans,
                                      .allocator = &d->allocator,
                                      .limit = UINT32_MAX,
                                      .field = &mst_document_field,
                                      .single = true,
                                      .context = d->context,
                                      .source = {.json = tree.nodes}};
        made->allocator = d->allocator;
        status = mst_encode_field(&request, made, why);
    }
    mst_arena_end(&arena);
    return status;
}

/* The document's JSON reproduces it, in a build that reads JSON. */
static inline void assert_in_json_and_back(const mst_document *d) {
    for (int compact = 0; compact < 2; compact++) {
        mst_value root = mst_root(d);
        mst_buffer made = {0};
        mst_diagnostic why;
        char *text = json_of(&root, compact);
        mst_status status = encode_as(d, text, &made, &why);
        if (status != MST_OK)
            print_error("%s\n", text);
        MUST(status, &why);
        assert_same_bytes(d, made.data, made.size);
        mst_buffer_free(&made);
        free(text);
    }
}
static inline void assert_reads_as(const mst_document *d, const char *expected) {
    mst_value root = mst_root(d);
    char *text = json_of(&root, 1);
    assert_string_equal(text, expected);
    free(text);
}

/* ---- changed bytes ------------------------------------------------------------------------------- */

static inline void assert_survives(const mst_document *d) {
    assert_encodes(d);
    assert_ledger(d);
    assert_checks(d);
    assert_in_json_and_back(d);
}

/* Bytes that open survive; otherwise they are damaged at a valid place. */
static inline void assert_opens_or_is_damaged(const mst_format *format, const writer *w) {
    mst_document *d;
    mst_diagnostic why;
    mst_status status = try_as(format, w, &d, &why);
    if (status == MST_OK)
        assert_survives(d);
    else
        assert_true(status == MST_DAMAGED && why.offset <= w->size && strncmp(why.code, "T-", 2) == 0);
    mst_close(d);
}

static inline void every_beginning(const mst_format *format, const writer *w) {
    for (size_t size = 0; size < w->size; size++)
        assert_opens_or_is_damaged(format, &(writer){.data = w->data, .size = size, .big = w->big});
}
static inline void every_byte(const mst_format *format, writer *w) {
    for (size_t i = 0; i < w->size; i++)
        for (unsigned value = 0; value < 256; value += 15) {
            uint8_t old = w->data[i];
            w->data[i] = (uint8_t)value;
            assert_opens_or_is_damaged(format, w);
            w->data[i] = old;
        }
}

#endif
