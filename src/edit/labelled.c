/* SPDX-License-Identifier: MIT */
#include "labelled.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../read/labels.h"
#include "../tables/fields.h"
#include "../write/given.h"
#include "last_names.h"

void mst_labelled_begin(mst_labelled *labelled, const mst_document *document) {
    *labelled =
        (mst_labelled){.sets = {.element_size = sizeof(mst_operation), .allocator = document->allocator}};
    mst_arena_begin(&labelled->arena, &document->allocator, 0);
}

void mst_labelled_end(mst_labelled *labelled) {
    mst_array_free(&labelled->sets);
    mst_arena_end(&labelled->arena);
}

/* The list and the index of a path such as "mesh.faces[12]". */
static bool split(const char *path, size_t *length, uint64_t *index) {
    const size_t end = strlen(path);
    const char *open = strrchr(path, '[');
    if (!open || path[end - 1] != ']')
        return false;
    *length = (size_t)(open - path);
    return mst_read_u64(open + 1, (size_t)(path + end - 1 - open - 1), index);
}

/* ---- which members are labels ----------------------------------------------------------------------- */

static bool is_own_field(const mst_value *list, const char *name) {
    const mst_record *record = mst_field_of(list)->record;
    for (uint16_t f = 0; record && f < record->field_count; f++)
        if (strcmp(record->fields[f].name, name) == 0)
            return true;
    return false;
}

/* The fact by which a field of that name, of another record, has a bit for each label. */
static const mst_field *mask_called(const mst_format *format, const char *name, const char **word) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        if (strcmp(it.field->name, name) != 0)
            continue;
        for (uint8_t i = 0; i < it.field->refers_count; i++) {
            *word = mst_last_name(it.field->refers[i].target);
            const mst_refers *fact = mst_label_fact(format, it.field, (mst_excerpt){*word, strlen(*word)});
            if (fact && fact->by == MST_BY_BIT)
                return it.field;
        }
    }
    return NULL;
}

/* The ids whose bits are set in words, as JSON; NULL: these are not words, or out of memory. */
static const char *ids_of(const mst_json *json, uint32_t at, unsigned width, mst_arena *arena) {
    const mst_json_node *nodes = json->nodes;
    const char *text = "[";
    uint64_t base = 0;
    if (nodes[at].kind != MST_JSON_ARRAY)
        return NULL;
    for (uint32_t one = at + 1; one < nodes[at].end; one = nodes[one].end, base += width) {
        uint64_t word;
        if (nodes[one].kind != MST_JSON_NUMBER || !mst_read_u64(nodes[one].text, nodes[one].length, &word))
            return NULL;
        for (unsigned bit = 0; bit < width && text; bit++)
            if (word >> bit & 1)
                text = mst_arena_printf(arena, "%s%s%llu", text, text[1] ? "," : "",
                                        (unsigned long long)base + bit);
    }
    return text ? mst_arena_printf(arena, "%s]", text) : NULL;
}

/* Whether a member of an element's JSON is a label, by the word for its sort or as a mask; `word` and `value`
 * then state it. */
static bool is_label(const mst_document *document, const char *list_path, const mst_json *json, uint32_t key,
                     mst_arena *arena, const char **word, const char **value) {
    mst_value list;
    mst_label_source source;
    const char *name = mst_arena_text(arena, json->nodes[key].text, json->nodes[key].length);
    const bool there = name && mst_find(mst_root(document), list_path, &list, NULL) == MST_OK;
    const mst_field *mask = NULL;
    if (!name || (there && is_own_field(&list, name)))
        return false;
    *word = name;
    if (!mst_is_label_word(document, name)) {
        mask = mask_called(document->format, name, word);
        if (!mask)
            return false;
    }
    *value = mask ? ids_of(json, key + 1, 8U * mst_kind_width[mask->kind], arena)
                  : mst_json_text_of(json, key + 1, arena);
    if (!*value || !there)
        return *value != NULL;
    return mst_label_source_of(document, list_path, (mst_excerpt){*word, strlen(*word)}, arena, &source) ==
               MST_OK &&
           (source.kind == MST_LABEL_BESIDE || source.kind == MST_LABEL_MEMBERS);
}

/* ---- taking labels ---------------------------------------------------------------------------------- */

static mst_status keep(mst_labelled *labelled, const char *path, const char *word, const char *value) {
    mst_operation *made = mst_array_push(&labelled->sets, 1);
    const char *to = mst_arena_printf(&labelled->arena, "%s.%s", path, word),
               *kept = mst_arena_text(&labelled->arena, value, strlen(value));
    if (!made || !to || !kept)
        return MST_NO_MEMORY;
    *made = (mst_operation){.kind = MST_OPERATION_SET, .path = to, .value = kept};
    return MST_OK;
}

mst_status mst_labelled_take(mst_labelled *labelled, const mst_document *document,
                             const mst_operation *insertion, mst_arena *arena, const char **json,
                             mst_diagnostic *diagnostic) {
    mst_json given, rest;
    size_t length;
    uint64_t index;
    const char *text = *json;
    (void)diagnostic;
    if (text[strspn(text, " \t\r\n")] != '{' || !split(insertion->path, &length, &index))
        return MST_OK;
    const char *list = mst_arena_text(arena, insertion->path, length), *word, *value;
    mst_status status = list ? mst_json_parse(text, strlen(text), arena, &given, NULL) : MST_NO_MEMORY;
    if (status != MST_OK) /* the edit reports the error */
        return status == MST_NO_MEMORY ? status : MST_OK;
    const mst_json_node *nodes = given.nodes;
    bool any = false;
    rest = given;
    for (uint32_t at = 1; at < nodes[0].end && status == MST_OK; at = nodes[at + 1].end) {
        if (!is_label(document, list, &given, at, arena, &word, &value))
            continue;
        any = true;
        const char *name = mst_arena_text(arena, nodes[at].text, nodes[at].length);
        mst_json less = {.nodes = NULL};
        status = keep(labelled, insertion->path, word, value);
        if (status == MST_OK)
            status = name ? mst_json_without_member(&rest, name, arena, &less) : MST_NO_MEMORY;
        rest = status == MST_OK ? less : rest;
    }
    if (status != MST_OK || !any)
        return status;
    *json = mst_json_text_of(&rest, 0, arena);
    labelled->list = mst_arena_text(&labelled->arena, list, length);
    labelled->next = index + 1;
    return *json && labelled->list ? MST_OK : MST_NO_MEMORY;
}

bool mst_labelled_wait(mst_labelled *labelled, const mst_operation *operation) {
    size_t length;
    uint64_t index;
    if (!labelled->list)
        return true;
    if (operation->kind != MST_OPERATION_INSERT || !split(operation->path, &length, &index) ||
        strlen(labelled->list) != length || memcmp(labelled->list, operation->path, length) != 0 ||
        index != labelled->next)
        return false;
    labelled->next++;
    return true;
}
