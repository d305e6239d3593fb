/* SPDX-License-Identifier: MIT */
/* JSON text read into a flat list of nodes: no recursion, numbers kept as text. */
#ifndef MST_CORE_JSON_H
#define MST_CORE_JSON_H

#include "arena.h"
#include <string.h>

typedef enum mst_json_kind {
    MST_JSON_NULL,
    MST_JSON_FALSE,
    MST_JSON_TRUE,
    MST_JSON_NUMBER, /* `text` is the number as written */
    MST_JSON_STRING, /* `text` is UTF-8, escapes resolved; may hold NUL */
    MST_JSON_ARRAY,
    MST_JSON_OBJECT
} mst_json_kind;

/*
 * The nodes are in document order; a container is followed by its children; an object's children are key (a
 * string), value, key, value, ... `end` is the index of the first node after the subtree, so the next sibling
 * of node i is nodes[i].end.
 */
typedef struct mst_json_node {
    const char *text; /* not NUL-terminated; in the input text where possible, else in the arena */
    uint32_t length;
    uint32_t end;
    uint32_t count; /* array: elements; object: pairs */
    uint8_t kind;   /* mst_json_kind */
} mst_json_node;

/* Whether a JSON name or text equals a word. */
static inline bool mst_is_word(const mst_json_node *node, const char *word) {
    return node->kind == MST_JSON_STRING && node->length == strlen(word) &&
           memcmp(node->text, word, node->length) == 0;
}

typedef struct mst_json {
    const mst_json_node *nodes;
    uint32_t count;
} mst_json;

/* The value of a member of an object; 0: there is no such member, or it is not an object. */
uint32_t mst_json_find(const mst_json *json, uint32_t object, const char *name, size_t length);
static inline uint32_t mst_json_find_member(const mst_json *json, const char *name) {
    return mst_json_find(json, 0, name, strlen(name));
}

/*
 * Reads one JSON document; `text` must live as long as the nodes. All memory is taken from the arena.
 * MST_DAMAGED if it is not JSON (comments, trailing text, invalid UTF-8), with the offset up to which the
 * text could be, and as the path "line 3, column 14" (in characters); a document of more than 2^32 - 3 bytes
 * is MST_UNSUPPORTED.
 */
mst_status mst_json_parse(const char *text, size_t size, mst_arena *arena, mst_json *json,
                          mst_diagnostic *diagnostic);

/* Whether two nodes of different texts have the same content. */
bool mst_same_tree(const mst_json *a, uint32_t at, const mst_json *b, uint32_t other);

#endif
