/* SPDX-License-Identifier: MIT */
/* JSON text made from plain text, and from parsed nodes. */
#ifndef MST_CORE_JSON_TEXT_H
#define MST_CORE_JSON_TEXT_H

#include "json.h"

/* A JSON string; the text must be UTF-8. NULL: out of memory. */
char *mst_json_quoted(mst_arena *arena, const char *text, size_t length);
/* Node `at` of a JSON document with everything below it, without blanks. NULL: out of memory. */
char *mst_json_text_of(const mst_json *json, uint32_t at, mst_arena *arena);

#endif
