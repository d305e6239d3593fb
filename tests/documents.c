/* SPDX-License-Identifier: MIT */
#include "documents.h"

mst_document *open_as(const void *bytes, size_t size, const char *format, const char *name) {
    mst_document *document = NULL;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = format, .name = name};
    MUST(mst_open_memory(bytes, size, &options, &document, &why), &why);
    return document;
}

mst_document *open_named(const writer *w, const char *name) {
    return open_as(w->data, w->size, NULL, name);
}

mst_document *open_json(const char *text, const char *name) {
    mst_document *document = NULL;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = name, .lenient_json = 1};
    mst_status status = mst_open_json(text, strlen(text), &options, &document, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return document;
}

bool has(const mst_document *document, const char *path) {
    mst_value value;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK;
}

mst_value value_at(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    mst_status status = mst_find(mst_root(document), path, &value, &why);
    if (status != MST_OK)
        print_error("%s\n", path);
    MUST(status, &why);
    return value;
}

int64_t number_at(const mst_document *document, const char *path) {
    mst_value value = value_at(document, path);
    int64_t number;
    MUST(mst_get_integer(&value, &number), NULL);
    return number;
}

uint64_t unsigned_at(const mst_document *document, const char *path) {
    mst_value value = value_at(document, path);
    uint64_t number;
    MUST(mst_get_unsigned(&value, &number), NULL);
    return number;
}

char *json_at(const mst_document *document, const char *path) {
    mst_value value = value_at(document, path);
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_json_options options = {.size = sizeof options, .compact = 1};
    MUST(mst_write_json(&value, &options, mst_buffer_sink(&text), &why), &why);
    text.data[text.size - 1] = 0;
    return (char *)text.data;
}

void assert_json_at(const mst_document *document, const char *path, const char *expected) {
    char *text = json_at(document, path);
    assert_string_equal(text, expected);
    free(text);
}
