/* SPDX-License-Identifier: MIT */
/* Opening documents in tests, and reading their contents. */
#ifndef MST_TESTS_DOCUMENTS_H
#define MST_TESTS_DOCUMENTS_H

#include "support.h"

/* Opens bytes that must open; `format` and `name` may be NULL. */
mst_document *open_as(const void *bytes, size_t size, const char *format, const char *name);
mst_document *open_named(const writer *w, const char *name);

/* JSON that must open; in a build that does not read JSON the test is skipped. */
mst_document *open_json(const char *text, const char *name);

bool has(const mst_document *document, const char *path);

mst_value value_at(const mst_document *document, const char *path);

int64_t number_at(const mst_document *document, const char *path);

uint64_t unsigned_at(const mst_document *document, const char *path);

/* Compact, without the line's end; to be freed. */
char *json_at(const mst_document *document, const char *path);

void assert_json_at(const mst_document *document, const char *path, const char *expected);

#endif
