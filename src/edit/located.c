/* SPDX-License-Identifier: MIT */
#include "located.h"
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../read/labels.h"
#include "../read/path_end.h"
#include "last_names.h"

typedef struct collect_state {
    mst_array paths; /* const char * */
    mst_arena *arena;
    const char *name; /* appended to each; NULL: none */
    bool labels;      /* `name` is a word for labels: elements without field and label are counted */
    const char *list; /* the list that `has_labels` is about */
    bool has_labels;
    uint64_t lacking;
} collect_state;

/* Whether an element has the field, or elements of its list have labels of that name. */
static mst_status has_name(collect_state *all, const char *path, const mst_value *element, bool *has) {
    mst_value value;
    mst_label_source source;
    const char *open = mst_path_bracket(path);
    *has = mst_member(element, all->name, &value) == MST_OK;
    if (*has || !open)
        return MST_OK;
    const size_t length = (size_t)(open - path);
    if (!all->list || strlen(all->list) != length || memcmp(all->list, path, length) != 0) {
        all->list = mst_arena_text(all->arena, path, length);
        mst_status status =
            all->list ? mst_label_source_of(element->document, all->list,
                                            (mst_excerpt){all->name, strlen(all->name)}, all->arena, &source)
                      : MST_NO_MEMORY;
        if (status != MST_OK && status != MST_NO_PATH)
            return status;
        all->has_labels = status == MST_OK;
    }
    *has = all->has_labels;
    return MST_OK;
}

static mst_status take_path(void *user, const char *path, const mst_value *value) {
    collect_state *all = user;
    if (all->labels && value) {
        bool has;
        mst_status status = has_name(all, path, value, &has);
        all->lacking += status == MST_OK && !has;
        if (status != MST_OK || !has)
            return status;
    }
    const char **taken = mst_array_push(&all->paths, 1);
    char *copy = all->name ? mst_arena_printf(all->arena, "%s.%s", path, all->name)
                           : mst_arena_text(all->arena, path, strlen(path));
    if (taken)
        *taken = copy;
    return taken && copy ? MST_OK : MST_NO_MEMORY;
}

/* ---- selectors ---------------------------------------------------------------------------------------- */

static mst_status too_many(const char *const *paths, size_t count, const char *selector,
                           mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_ARGUMENT, "the selector matches %zu values", count);
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", selector);
        MST_SET(diagnostic->expected, "one, or --each");
        MST_SET(diagnostic->found, "%.50s, %.50s%s%.50s", paths[0], paths[1], count > 2 ? ", " : "",
                count > 2 ? paths[2] : "");
    }
    return MST_ARGUMENT;
}

/* Reports the number of elements that lack the member after their bracket, or fails. */
static mst_status say_lacking(const mst_edit_options *options, const char *selector, uint64_t lacking,
                              mst_diagnostic *diagnostic) {
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!lacking || (options->each && !options->report))
        return MST_OK;
    mst_diagnostic *to = options->each ? &what : diagnostic;
    if (!options->each)
        mst_fail(diagnostic, MST_NO_PATH, "%s", "");
    if (to) {
        MST_SET(to->path, "%s", selector);
        MST_SET(to->message, lacking == 1 ? "one element lacks it" : "%llu elements lack it",
                (unsigned long long)lacking);
        if (!options->each)
            MST_SET(to->expected, "--each to skip them, or ?= to add it");
    }
    return options->each ? options->report(options->user, &what) : MST_NO_PATH;
}

/* Whether only the last name of a path is missing: an optional field, perhaps. */
static bool may_be_added(const mst_document *document, const char *path, mst_arena *arena) {
    const char *name, *around = mst_path_before(path, arena, &name);
    mst_value value;
    return around && mst_find(mst_root(document), around, &value, NULL) == MST_OK;
}

static mst_status select_all(const mst_document *document, const char *selector, collect_state *all,
                             const mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_selected found = {0};
    const char *parent = all->name ? mst_path_before(selector, all->arena, &all->name) : selector;
    if (!parent)
        return MST_NO_MEMORY;
    mst_status status = mst_select(mst_root(document), parent, take_path, all, &found, diagnostic);
    found.lacking += all->lacking;
    const char *const *paths = all->paths.items;
    mst_value of_slice; /* the edit reports that slices cannot be changed */
    if (status == MST_OK && !all->paths.count &&
        mst_find(mst_root(document), selector, &of_slice, NULL) == MST_OK)
        return take_path(all, selector, NULL);
    if (status == MST_OK && !all->paths.count && !options->each && found.lacking == 1 &&
        may_be_added(document, selector, all->arena))
        return take_path(all, selector, NULL);
    if (status == MST_OK && !all->paths.count && (!found.lacking || options->each))
        return mst_select(mst_root(document), parent, take_path, all, NULL, diagnostic);
    if (status == MST_OK && all->paths.count > 1 && !options->each)
        return too_many(paths, all->paths.count, selector, diagnostic);
    if (status == MST_OK)
        status = say_lacking(options, selector, found.lacking, diagnostic);
    return status;
}

/* ---- elements by their values ------------------------------------------------------------------------- */

/* Whether a value equals a node of JSON: a scalar, or a list of scalars. */
static bool value_is(const mst_value *value, const mst_json_node *node) {
    static const char *const words[] = {"null", "false", "true"};
    mst_value one;
    if (node->kind == MST_JSON_ARRAY) {
        uint64_t i = 0;
        if (mst_value_type(value) != MST_TYPE_LIST || mst_count(value) != node->count)
            return false;
        for (const mst_json_node *each = node + 1; i < node->count; i++, each++)
            if (each->kind >= MST_JSON_ARRAY || mst_element(value, i, &one) != MST_OK ||
                !value_is(&one, each))
                return false;
        return true;
    }
    if (node->kind == MST_JSON_OBJECT || !mst_single_of(value, &one))
        return false;
    if (node->kind <= MST_JSON_TRUE)
        return mst_value_is(&one, words[node->kind], strlen(words[node->kind]));
    return mst_value_is(&one, node->text, node->length);
}

static bool is_key(const mst_json_node *node, const char *name) {
    return node->length == strlen(name) && memcmp(node->text, name, node->length) == 0;
}

/* Whether an element has all values that the object states, besides list and index. */
static bool element_is(const mst_value *element, const mst_json *at, mst_arena *arena) {
    mst_value value;
    for (uint32_t i = 1; i < at->count; i = at->nodes[i + 1].end) {
        const mst_json_node *key = &at->nodes[i];
        if (is_key(key, "list") || is_key(key, "index"))
            continue;
        const char *path = mst_arena_text(arena, key->text, key->length);
        if (!path || mst_find(*element, path, &value, NULL) != MST_OK || !value_is(&value, key + 1))
            return false;
    }
    return true;
}

static mst_status no_element(mst_diagnostic *diagnostic, const char *at, uint64_t matches) {
    mst_fail(diagnostic, MST_NO_PATH, matches ? "several elements match" : "no such element");
    if (diagnostic)
        MST_SET(diagnostic->found, "%.70s", at);
    return MST_NO_PATH;
}

/* The path of the element that an operation is at: the one at its index if that fits, else the only one that
 * does. */
static mst_status path_at(const mst_document *document, const char *text, mst_arena *arena, const char **path,
                          mst_diagnostic *diagnostic) {
    mst_json at;
    mst_value list, element;
    uint64_t index = UINT64_MAX, found = 0, i = 0, matches = 0;
    const char *list_path = NULL;
    mst_status status = mst_json_parse(text, strlen(text), arena, &at, diagnostic);
    if (status != MST_OK)
        return status == MST_DAMAGED ? mst_fail(diagnostic, MST_ARGUMENT, "\"at\" is not JSON") : status;
    for (uint32_t k = 1; at.nodes->kind == MST_JSON_OBJECT && k < at.count; k = at.nodes[k + 1].end) {
        const mst_json_node *value = &at.nodes[k + 1];
        if (is_key(&at.nodes[k], "list") && value->kind == MST_JSON_STRING)
            list_path = mst_arena_text(arena, value->text, value->length);
        if (is_key(&at.nodes[k], "index") && value->kind == MST_JSON_NUMBER)
            mst_read_u64(value->text, value->length, &index);
    }
    if (!list_path)
        return arena->starved ? MST_NO_MEMORY : mst_fail(diagnostic, MST_ARGUMENT, "\"at\" needs a \"list\"");
    status = mst_find(mst_root(document), list_path, &list, diagnostic);
    if (status != MST_OK)
        return status;
    bool here = mst_element(&list, index, &element) == MST_OK && element_is(&element, &at, arena);
    for (mst_iterator it = mst_iterate(&list); !here && mst_next(&it, &element); i++)
        if (element_is(&element, &at, arena)) {
            found = i;
            matches++;
        }
    if (arena->starved) /* in that case nothing matched */
        return MST_NO_MEMORY;
    if (!here && matches != 1)
        return no_element(diagnostic, text, matches);
    *path = mst_arena_printf(arena, "%s[%llu]", list_path, (unsigned long long)(here ? index : found));
    return *path ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_locate(const mst_document *document, const mst_operation *operation,
                      const mst_edit_options *options, mst_arena *arena, mst_located *all,
                      mst_diagnostic *diagnostic) {
    collect_state found = {.paths = {.element_size = sizeof(const char *), .allocator = document->allocator},
                           .arena = arena};
    const char *path = operation->path, *below = path;
    mst_status status = MST_OK;
    if (operation->at) {
        status = path_at(document, operation->at, arena, &path, diagnostic);
        if (status == MST_OK && *below)
            path = mst_arena_printf(arena, "%s%s%s", path, *below == '[' ? "" : ".", below);
        if (!path)
            return MST_NO_MEMORY;
    }
    if (status != MST_OK)
        return status;
    if (operation->kind == MST_OPERATION_SET && operation->assignment == MST_ASSIGN_OR_ADD &&
        !mst_path_before(path, arena, &found.name))
        found.name = NULL;
    if (!found.name && operation->kind == MST_OPERATION_SET) {
        found.name = mst_label_word_of(document, operation, arena);
        found.labels = found.name != NULL;
    }
    if (operation->kind != MST_OPERATION_INSERT && mst_is_selector(path, 1))
        status = select_all(document, path, &found, options, diagnostic);
    else
        found.name = NULL, found.labels = false, status = take_path(&found, path, NULL);
    all->count = found.paths.count;
    const char **paths = mst_arena_take(arena, all->count + 1, sizeof *paths);
    if (status == MST_OK && !paths)
        status = MST_NO_MEMORY;
    if (status == MST_OK && all->count)
        memcpy(paths, found.paths.items, all->count * sizeof *paths);
    all->paths = paths;
    mst_array_free(&found.paths);
    return status;
}
