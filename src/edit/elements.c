/* SPDX-License-Identifier: MIT */
#include "elements.h"
#include "../check/refers.h"
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../read/path_end.h"
#include "assign.h"
#include "follow.h"
#include "last_names.h"
#include "located.h"
#include "single_edit.h"
#include <stdio.h>

static mst_status refuse(mst_diagnostic *diagnostic, mst_status status, const char *path,
                         const char *message) {
    mst_fail(diagnostic, status, "%s", message);
    if (diagnostic)
        MST_SET(diagnostic->path, "%s", path);
    return status;
}

/* Reads the target index, below `end`. */
static mst_status read_index(const char *path, const char *text, uint64_t end, uint64_t *index,
                             mst_diagnostic *diagnostic) {
    bool back = *text == '-';
    if (!mst_read_u64(text + back, strlen(text + back), index))
        return refuse(diagnostic, MST_ARGUMENT, path, "the target index is not a number");
    if (*index < end + back && (!back || *index)) {
        *index = back ? end - *index : *index;
        return MST_OK;
    }
    refuse(diagnostic, MST_NO_PATH, path, "the list is shorter than that");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "below %llu", (unsigned long long)end);
        MST_SET(diagnostic->found, "%s", text);
    }
    return MST_NO_PATH;
}

/* Writes a number in the form of an element's key: as the digits at the end of a name, or as the value. NULL:
 * there is no room for it, or no memory. */
static const char *key_text(const mst_value *value, uint64_t number, mst_arena *arena) {
    char text[64];
    size_t length = 0, digits = 0;
    if (mst_is_number(mst_field_of(value)))
        return mst_arena_printf(arena, "%llu", (unsigned long long)number);
    if (mst_get_text(value, text, sizeof text, &length) != MST_OK || length >= sizeof text)
        return NULL;
    while (digits < length && text[length - digits - 1] >= '0' && text[length - digits - 1] <= '9')
        digits++;
    const char *made = mst_arena_printf(arena, "%.*s%0*llu", (int)(length - digits), text, (int)digits,
                                        (unsigned long long)number);
    return made && digits && strlen(made) == length ? mst_json_quoted(arena, made, length) : NULL;
}

mst_status mst_element_renew_id(mst_document *document, const char *list_path, uint64_t made,
                                mst_arena *arena, mst_diagnostic *diagnostic) {
    mst_value list, element, value;
    uint64_t id = 0, other;
    const mst_format *format = document->format;
    if (mst_find(mst_root(document), list_path, &list, NULL) != MST_OK)
        return MST_OK;
    const mst_field *field = mst_field_of(&list);
    const char *key = mst_key_of(format, field);
    if (!key || mst_element(&list, made, &element) != MST_OK || mst_member(&element, key, &value) != MST_OK)
        return MST_OK;
    uint64_t own = UINT64_MAX, same = 0,
             last = mst_is_number(mst_field_of(&value)) ? mst_bits_in(mst_field_of(&value)) : UINT64_MAX;
    mst_no_keys none;
    uint64_t negative = mst_is_signed(mst_field_of(&value)->kind) ? last >> 1 : UINT64_MAX; /* above it */
    mst_no_keys_of(format, field, &none);
    mst_refers_id_of(&element, key, &own);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);)
        if (mst_refers_id_of(&element, key, &other)) {
            same += other == own;
            if (other >= id && other != last && other <= negative && !mst_is_no_key(&none, other))
                id = other + 1;
        }
    /* the id is already its own, or it has none, or several share it */
    if (same != 2 || own == last || mst_is_no_key(&none, own))
        return MST_OK;
    const char *path = mst_arena_printf(arena, "%s[%llu].%s", list_path, (unsigned long long)made, key);
    const char *json = key_text(&value, id, arena);
    return path && json ? mst_edit_set(document, path, json, diagnostic) : path ? MST_OK : MST_NO_MEMORY;
}

bool mst_element_lacks_id(const mst_value *list, const char *json, mst_arena *arena) {
    mst_json given;
    const char *key = mst_is_void(list) ? NULL : mst_key_of(list->document->format, mst_field_of(list));
    if (!key || mst_json_parse(json, strlen(json), arena, &given, NULL) != MST_OK ||
        given.nodes[0].kind != MST_JSON_OBJECT)
        return false;
    for (uint32_t at = 1; at < given.nodes[0].end; at = given.nodes[at + 1].end)
        if (given.nodes[at].length == strlen(key) &&
            memcmp(given.nodes[at].text, key, given.nodes[at].length) == 0)
            return false;
    return true;
}

mst_status mst_element_duplicate(mst_document *document, const char *path, const char *to,
                                 const mst_edit_options *options, mst_arena *arena, uint64_t *made,
                                 mst_diagnostic *diagnostic) {
    mst_value list, element;
    const char *list_path, *json = NULL;
    uint64_t index;
    mst_status status = mst_element_at(document, path, arena, &list_path, &list, &index, diagnostic);
    *made = index + 1;
    if (status == MST_OK && to)
        status = read_index(path, to, mst_count(&list) + 1, made, diagnostic);
    if (status == MST_OK)
        status = mst_element(&list, index, &element);
    if (status == MST_OK)
        status = mst_value_text(&element, arena, &json, diagnostic);
    const char *at = json ? mst_arena_printf(arena, "%s[%llu]", list_path, (unsigned long long)*made) : NULL;
    if (status == MST_OK && !at)
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_edit_insert_all(document, at, json, index, options, diagnostic);
    return status == MST_OK ? mst_element_renew_id(document, list_path, *made, arena, diagnostic) : status;
}

/* The new index of each element. */
static uint32_t *order_of(uint64_t count, uint64_t from, uint64_t to, mst_arena *arena) {
    uint32_t *now = count < UINT32_MAX ? mst_arena_take(arena, (size_t)count + 1, sizeof *now) : NULL;
    for (uint64_t i = 0; now && i < count; i++)
        now[i] = (uint32_t)(i == from ? to : from < i && i <= to ? i - 1 : to <= i && i < from ? i + 1 : i);
    return now;
}

/* The elements themselves state where a run ends: an element leaves one run and joins another. */
static mst_status move_between_runs(mst_document *document, const char *list, uint64_t from, uint64_t to,
                                    const char *json, const mst_edit_options *options, mst_arena *arena,
                                    mst_diagnostic *diagnostic) {
    const char *old = mst_arena_printf(arena, "%s[%llu]", list, (unsigned long long)from + (to < from));
    const char *now = mst_arena_printf(arena, "%s[%llu]", list, (unsigned long long)to + (to > from));
    if (!old || !now)
        return MST_NO_MEMORY;
    mst_status status = mst_edit_insert_all(document, now, json, from, options, diagnostic);
    return status == MST_OK ? mst_edit_remove_all(document, old, options, diagnostic) : status;
}

mst_status mst_element_move(mst_document *document, const char *path, const char *to,
                            const mst_edit_options *options, mst_arena *arena, uint64_t *made,
                            mst_diagnostic *diagnostic) {
    mst_value list, element;
    const char *list_path, *json;
    uint64_t index;
    mst_status status = mst_element_at(document, path, arena, &list_path, &list, &index, diagnostic);
    if (status == MST_OK)
        status = read_index(path, to, mst_count(&list), made, diagnostic);
    if (status != MST_OK || *made == index)
        return status;
    if (mst_stands_in_grid(document->format, mst_field_of(&list)))
        return refuse(diagnostic, MST_REFUSED, path,
                      "it would move to another cell of the grid: set the element there instead");
    if (mst_has_runs(document->format, mst_field_of(&list))) {
        status = mst_element(&list, index, &element);
        if (status == MST_OK)
            status = mst_value_text(&element, arena, &json, diagnostic);
        return status == MST_OK
                   ? move_between_runs(document, list_path, index, *made, json, options, arena, diagnostic)
                   : status;
    }
    const char *objection = MST_OPTION(document->format->editing, renumber)
                                ? document->format->editing->renumber(&list, document, index, 0, NULL)
                                : NULL;
    if (objection)
        return refuse(diagnostic, MST_REFUSED, path, objection);
    uint32_t *now = order_of(mst_count(&list), index, *made, arena);
    return now ? mst_follow_order(document, list_path, now, options, diagnostic) : MST_NO_MEMORY;
}

uint64_t mst_element_inserted(const mst_document *document, const char *path) {
    const char *bracket = mst_path_bracket(path), *at = bracket ? bracket + 1 : "";
    char list_path[400];
    mst_value list;
    uint64_t index = 0;
    bool back = *at == '-';
    size_t length = bracket ? (size_t)(bracket - path) : 0;
    if (length >= sizeof list_path || !mst_read_u64(at + back, strspn(at + back, "0123456789"), &index) ||
        !back)
        return index;
    memcpy(list_path, path, length);
    list_path[length] = 0;
    return mst_find(mst_root(document), list_path, &list, NULL) == MST_OK ? mst_count(&list) - 1 - index : 0;
}

/* The first pair of that name that an element of the list around `element` has; false: none has it. */
static bool find_pair(const mst_document *document, const char *pairs, const char *name, mst_arena *arena,
                      mst_value *pair) {
    const char *below, *dot = strrchr(pairs, ']');
    mst_value list, element;
    const char *open = pairs;
    size_t depth = 0, length = dot ? (size_t)(dot - pairs) : 0;
    for (size_t i = length; dot && i-- > 0;) { /* the bracket that belongs to it */
        depth += pairs[i] == ']';
        open = pairs + i;
        if (pairs[i] == '[' && !depth--)
            break;
    }
    below = dot ? mst_arena_printf(arena, "%s[name=%s]", dot + 1 + (dot[1] == '.'), name) : NULL;
    const char *list_path = dot ? mst_arena_text(arena, pairs, (size_t)(open - pairs)) : NULL;
    if (!below || !list_path || mst_find(mst_root(document), list_path, &list, NULL) != MST_OK)
        return false;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);)
        if (mst_find(element, below, pair, NULL) == MST_OK)
            return true;
    return false;
}

mst_status mst_pair_add(mst_document *document, const char *path, const char *value,
                        const mst_edit_options *options, mst_arena *arena, mst_diagnostic *diagnostic) {
    const char *name = NULL, *json, *pairs = mst_path_before(path, arena, &name);
    mst_value list, pair;
    bool is_pair = pairs && mst_find(mst_root(document), pairs, &list, NULL) == MST_OK &&
                   mst_value_type(&list) == MST_TYPE_LIST && mst_field_of(&list)->record &&
                   mst_field_of(&list)->record->pairs;
    if (!is_pair) /* an optional field */
        return mst_edit_set_losing(document, path, value, options, diagnostic);
    if (!find_pair(document, pairs, name, arena, &pair)) {
        refuse(diagnostic, MST_NO_PATH, path,
               "no other element has such a property, so its type is not known");
        if (diagnostic)
            MST_SET(diagnostic->expected, "insert %.60s[%llu]={...}", pairs,
                    (unsigned long long)mst_count(&list));
        return MST_NO_PATH;
    }
    mst_status status = mst_value_text(&pair, arena, &json, diagnostic);
    const char *at = mst_arena_printf(arena, "%s[%llu]", pairs, (unsigned long long)mst_count(&list));
    if (!at)
        return MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_edit_insert_all(document, at, json, UINT64_MAX, options, diagnostic);
    return status == MST_OK ? mst_edit_set(document, path, value, diagnostic) : status;
}
