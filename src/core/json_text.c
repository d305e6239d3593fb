/* SPDX-License-Identifier: MIT */
#include "json_text.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

#define ESCAPED 6 /* the most bytes for one input byte */

/* The length of the character at the start of the text, if terminals interpret it; else 0. Such characters
 * have at most three bytes, and few first bytes. */
static size_t control(const unsigned char *at, size_t left, unsigned *code) {
    size_t length = 1;
    *code = at[0];
    if ((at[0] == 0xC2 || at[0] == 0xD8) && left > 1) {
        length = 2;
        *code = (at[0] & 0x1Fu) << 6 | (at[1] & 0x3Fu);
    } else if (at[0] == 0xE2 && left > 2) {
        length = 3;
        *code = (at[0] & 0x0Fu) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    }
    return (length > 1 || at[0] < 0x80) && mst_is_control(*code) ? length : 0;
}

static char *put_quoted(char *to, const char *text, size_t length) {
    *to++ = '"';
    for (size_t i = 0, n; i < length; i += n) {
        unsigned code;
        unsigned char c = (unsigned char)text[i];
        n = control((const unsigned char *)text + i, length - i, &code);
        if (n) {
            to += snprintf(to, ESCAPED + 1, "\\u%04x", code);
        } else {
            n = 1;
            if (c == '"' || c == '\\')
                *to++ = '\\';
            *to++ = (char)c;
        }
    }
    *to++ = '"';
    return to;
}

char *mst_json_quoted(mst_arena *arena, const char *text, size_t length) {
    char *made = length < SIZE_MAX / ESCAPED - 1 ? mst_arena_take(arena, length * ESCAPED + 4, 1) : NULL;
    if (made)
        *put_quoted(made, text, length) = 0;
    return made;
}

/* A container being written. */
typedef struct level {
    uint32_t end;
    bool object, first;
} level;

static size_t room_for(const mst_json *json, uint32_t at, uint32_t end) {
    size_t room = 1;
    for (uint32_t i = at; i < end; i++)
        room +=
            ESCAPED * (size_t)json->nodes[i].length + 6; /* a word, quotes or brackets; a comma or colon */
    return room;
}

char *mst_json_text_of(const mst_json *json, uint32_t at, mst_arena *arena) {
    static const char *const words[] = {"null", "false", "true"};
    const mst_json_node *nodes = json->nodes;
    uint32_t end = nodes[at].end, depth = 0;
    char *made = mst_arena_take(arena, room_for(json, at, end), 1), *to = made;
    level *levels = mst_arena_take(arena, (size_t)(end - at) + 1, sizeof *levels);
    bool value = false; /* the previous node was a key */
    if (!made || !levels)
        return NULL;
    for (uint32_t i = at; i < end; i++) {
        const mst_json_node *node = &nodes[i];
        for (; depth && levels[depth - 1].end == i; depth--)
            *to++ = levels[depth - 1].object ? '}' : ']';
        level *in = depth ? &levels[depth - 1] : NULL;
        if (in && !value && !in->first)
            *to++ = ',';
        if (in)
            in->first = false;
        bool key = in && in->object && !value;
        value = key;
        if (node->kind <= MST_JSON_TRUE) {
            memcpy(to, words[node->kind], strlen(words[node->kind]));
            to += strlen(words[node->kind]);
        } else if (node->kind == MST_JSON_NUMBER) {
            memcpy(to, node->text, node->length);
            to += node->length;
        } else if (node->kind == MST_JSON_STRING) {
            to = put_quoted(to, node->text, node->length);
        } else {
            *to++ = node->kind == MST_JSON_OBJECT ? '{' : '[';
            levels[depth++] = (level){node->end, node->kind == MST_JSON_OBJECT, true};
        }
        if (key)
            *to++ = ':';
    }
    while (depth--)
        *to++ = levels[depth].object ? '}' : ']';
    *to = 0;
    return made;
}
