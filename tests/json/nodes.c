/* SPDX-License-Identifier: MIT */
/*
 * Reads texts from standard input, each after its size in four bytes, the lowest first, and prints a line for
 * each: the text as mst_json_parse understands it, written as JSON again, or "refused".
 * tests/json/compare.mjs compares it with JSON.parse.
 */
#include "../../src/core/json.h"
#include "../../src/core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mst_status to_stdout(void *user, const void *data, size_t size) {
    (void)user;
    return fwrite(data, 1, size, stdout) == size ? MST_OK : MST_IO;
}

static void put_node(mst_output *out, const mst_json *json) {
    static const char *const words[] = {
        [MST_JSON_NULL] = "null", [MST_JSON_FALSE] = "false", [MST_JSON_TRUE] = "true"};
    uint32_t ends[256], depth = 0, done[256] = {0};
    for (uint32_t i = 0; i < json->count; i++) {
        const mst_json_node *node = &json->nodes[i];
        bool in_object = depth && json->nodes[ends[depth - 1]].kind == MST_JSON_OBJECT;
        if (depth && done[depth - 1]++)
            mst_output_text(out, in_object && done[depth - 1] % 2 == 0 ? ":" : ",");
        switch ((mst_json_kind)node->kind) {
        case MST_JSON_NULL:
        case MST_JSON_FALSE:
        case MST_JSON_TRUE: mst_output_text(out, words[node->kind]); break;
        case MST_JSON_NUMBER: mst_output_bytes(out, node->text, node->length); break;
        case MST_JSON_STRING: mst_output_json_string(out, node->text, node->length); break;
        case MST_JSON_ARRAY:
        case MST_JSON_OBJECT:
            mst_output_text(out, node->kind == MST_JSON_ARRAY ? "[" : "{");
            if (depth == 256)
                exit(1); /* the texts are not that deep */
            done[depth] = 0;
            ends[depth++] = i;
            break;
        }
        while (depth && json->nodes[ends[depth - 1]].end == i + 1)
            mst_output_text(out, json->nodes[ends[--depth]].kind == MST_JSON_ARRAY ? "]" : "}");
    }
}

int main(void) {
    size_t size = 0, capacity = 1 << 20;
    char *all = malloc(capacity);
    for (size_t n; all && (n = fread(all + size, 1, capacity - size, stdin)) > 0;) {
        size += n;
        if (size == capacity)
            all = realloc(all, capacity *= 2);
    }
    if (!all)
        return 1;
    mst_output out;
    mst_output_begin(&out, (mst_sink){to_stdout, NULL});
    for (size_t at = 0, length; at < size; at += length) {
        if (size - at < 4)
            return 1;
        const unsigned char *digits = (const unsigned char *)all + at;
        length = digits[0] | (size_t)digits[1] << 8 | (size_t)digits[2] << 16 | (size_t)digits[3] << 24;
        at += 4;
        char *text = length <= size - at ? malloc(length ? length : 1) : NULL; /* nothing after it */
        if (!text)
            return 1;
        memcpy(text, all + at, length);
        mst_arena arena;
        mst_json json;
        mst_arena_begin(&arena, NULL, 0);
        if (mst_json_parse(text, length, &arena, &json, NULL) == MST_OK)
            put_node(&out, &json);
        else
            mst_output_text(&out, "refused");
        mst_output_text(&out, "\n");
        mst_arena_end(&arena);
        free(text);
    }
    free(all);
    return mst_output_end(&out) != MST_OK;
}
