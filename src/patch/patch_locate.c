/* SPDX-License-Identifier: MIT */
/*
 * Finding the elements that a patch is about in a list of another document than its own. A step's description
 * of an element is looked up by its hash: thousands of similar steps and elements cost no more than others.
 */
#include "../core/hash.h"
#include "../core/map.h"
#include "../core/unreachable.h"
#include "../tables/fields.h"
#include "drafts.h"

/* A value that an element has at a path. */
typedef struct wanted {
    const char *path;
    const mst_json *json;
    uint32_t node;
} wanted;

/* All values that an element must have. */
typedef struct wish {
    wanted *items;
    size_t count;
} wish;

/* Elements that have the same values at the paths of a form. */
typedef struct group {
    uint32_t first, count;
} group;

/* The elements of the list by the values that they have at some paths. */
struct mst_form {
    mst_arena arena;
    const char **paths;
    size_t count;
    mst_hash_map by_values; /* indices of groups */
    group *groups;          /* as many as elements */
};

/* How a step describes an element. */
typedef struct element_description {
    mst_json at, near, old;
    bool has_near, has_old;
    bool is_named; /* its identifying value is its own, not one that others of its kind have */
    wish known;    /* by `at` */
    wish placed;   /* and by `near`; without items: `near` states nothing */
    wish valued;   /* and by the value that the step changes */
} element_description;

void mst_locator_begin(mst_locator *locator, mst_draft *draft, uint32_t list) {
    *locator = (mst_locator){.draft = draft, .list = list};
}

static void free_form(const mst_allocator *allocator, mst_form *form) {
    if (!form)
        return;
    mst_arena_end(&form->arena);
    allocator->resize(allocator->user, form, sizeof *form, 0);
}

void mst_locator_end(mst_locator *locator) {
    for (size_t i = 0; i < MST_FORMS; i++)
        free_form(&locator->draft->arena->allocator, locator->forms[i]);
}

/* ---- descriptions in steps --------------------------------------------------------------------------- */

/* Whether a value distinguishes an element from others: a name, or an assigned number. */
static bool is_own(const mst_json_node *value) {
    return value->kind != MST_JSON_NULL && value->length && !mst_is_word(value, "0");
}

static bool is_named(const mst_compared *facts, const mst_json *at) {
    for (size_t k = 0; facts && k < MST_COMPARED_PATHS && facts->keys[k]; k++)
        for (uint32_t i = mst_compared_is_kind(facts, facts->keys[k]) ? at->nodes[0].end : 1;
             i < at->nodes[0].end; i = at->nodes[i + 1].end)
            if (mst_is_word(&at->nodes[i], facts->keys[k]) && is_own(&at->nodes[i + 1]))
                return true;
    return false;
}

/* Adds the members of an object, except for the list and the index. */
static mst_status wish_members(wish *all, const mst_json *json, mst_arena *arena) {
    for (uint32_t i = 1; i < json->nodes[0].end; i = json->nodes[i + 1].end) {
        const mst_json_node *key = &json->nodes[i];
        if (mst_is_word(key, "list") || mst_is_word(key, "index"))
            continue;
        const char *path = mst_arena_text(arena, key->text, key->length);
        if (!path)
            return MST_NO_MEMORY;
        all->items[all->count++] = (wanted){path, json, i + 1};
    }
    return MST_OK;
}

/* Begins a wish with the items of another one, and room for more. */
static mst_status wish_more(const wish *from, size_t more, wish *to, mst_arena *arena) {
    to->items = mst_arena_take(arena, from->count + more + 1, sizeof *to->items);
    if (!to->items)
        return MST_NO_MEMORY;
    if (from->count)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = from->count;
    return MST_OK;
}

static bool parse(const char *text, mst_json *json, mst_arena *arena, mst_status *status) {
    mst_status read = text ? mst_json_parse(text, strlen(text), arena, json, NULL) : MST_DAMAGED;
    *status = read == MST_NO_MEMORY ? read : *status;
    return read == MST_OK;
}

/* MST_DAMAGED: the step states nothing. */
static mst_status understand(const mst_locator *locator, const mst_patch_step *step,
                             element_description *what, mst_arena *arena) {
    static const wish nothing;
    mst_status status = MST_OK;
    if (!parse(step->at, &what->at, arena, &status))
        return status == MST_OK ? MST_DAMAGED : status;
    what->has_near = parse(step->near, &what->near, arena, &status);
    what->has_old = parse(step->old, &what->old, arena, &status);
    const mst_compared *facts = mst_compared_of_list(locator->draft->document->format, step->at_list);
    what->is_named = !step->alike && is_named(facts, &what->at);
    if (status == MST_OK)
        status = wish_more(&nothing, what->at.nodes[0].count, &what->known, arena);
    if (status == MST_OK)
        status = wish_members(&what->known, &what->at, arena);
    if (status == MST_OK && what->has_near)
        status = wish_more(&what->known, what->near.nodes[0].count, &what->placed, arena);
    if (status == MST_OK && what->has_near)
        status = wish_members(&what->placed, &what->near, arena);
    if (status == MST_OK && what->has_near && what->placed.count == what->known.count)
        what->placed.count = 0;
    if (status == MST_OK && what->has_old)
        status = wish_more(&what->known, 1, &what->valued, arena);
    if (status != MST_OK || !what->has_old)
        return status;
    const char *path = strchr(step->key + strlen(step->at_list), ']');
    path = path ? path + 1 + (path[1] == '.') : "";
    what->valued.items[what->valued.count++] = (wanted){path, &what->old, 0};
    return MST_OK;
}

/* ---- elements by their values ------------------------------------------------------------------------ */

static uint64_t hash_tree(uint64_t hash, const mst_json *json, uint32_t at) {
    for (uint32_t end = json->nodes[at].end; at < end; at++) {
        const mst_json_node *node = &json->nodes[at];
        hash = mst_hash_number(mst_hash_byte(hash, node->kind), node->length);
        hash = mst_hash_number(hash, node->count);
        hash = node->length ? mst_hash_bytes(hash, node->text, node->length) : hash;
    }
    return hash;
}

/* Adds an element that has a value at all paths to the group of its values. */
static void file(const mst_locator *locator, mst_form *form, uint32_t index) {
    const uint32_t element = mst_draft_element(locator->draft, locator->list, index);
    uint64_t hash = MST_HASH;
    for (size_t i = 0; i < form->count && element != MST_NONE; i++) {
        const uint32_t node = mst_draft_below(locator->draft, element, form->paths[i]);
        if (node == MST_NONE)
            return;
        hash = hash_tree(hash, &locator->draft->json, node);
    }
    mst_hash_map_entry key = mst_key_number(hash);
    key.value = (uint32_t)form->by_values.count;
    const uint32_t *place = mst_hash_map_add(&form->by_values, key);
    if (MST_UNREACHABLE(!place)) /* there is room */
        return;
    group *one = &form->groups[*place];
    one->first = one->count++ ? one->first : index;
}

static mst_status file_all(const mst_locator *locator, mst_form *form, const wish *like) {
    const uint32_t count = locator->draft->json.nodes[locator->list].count;
    form->paths = mst_arena_take(&form->arena, like->count + 1, sizeof *form->paths);
    form->groups = mst_arena_zero(&form->arena, (size_t)count + 1, sizeof *form->groups);
    form->by_values.allocator = mst_arena_allocator(&form->arena);
    if (!form->paths || !form->groups || !mst_hash_map_reserve(&form->by_values, count))
        return MST_NO_MEMORY;
    form->count = like->count;
    for (size_t i = 0; i < like->count; i++) {
        form->paths[i] = mst_arena_text(&form->arena, like->items[i].path, strlen(like->items[i].path));
        if (!form->paths[i])
            return MST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++)
        file(locator, form, i);
    return MST_OK;
}

static bool is_of_form(const mst_form *form, const wish *one) {
    bool same = form && form->count == one->count;
    for (size_t i = 0; same && i < one->count; i++)
        same = strcmp(form->paths[i], one->items[i].path) == 0;
    return same;
}

/* The form of the paths of a wish. */
static mst_status form_of(mst_locator *locator, const wish *one, const mst_form **form) {
    for (size_t i = 0; i < MST_FORMS; i++)
        if (is_of_form(locator->forms[i], one)) {
            *form = locator->forms[i];
            return MST_OK;
        }
    const mst_allocator *allocator = &locator->draft->arena->allocator;
    mst_form *made = allocator->resize(allocator->user, NULL, 0, sizeof *made);
    if (!made)
        return MST_NO_MEMORY;
    *made = (mst_form){.count = 0};
    mst_arena_begin(&made->arena, allocator, 0);
    if (file_all(locator, made, one) != MST_OK) {
        free_form(allocator, made);
        return MST_NO_MEMORY;
    }
    free_form(allocator, locator->forms[locator->next]);
    locator->forms[locator->next] = made;
    locator->next = (locator->next + 1) % MST_FORMS;
    *form = made;
    return MST_OK;
}

/* Whether an element has all values of a wish. */
static bool has_all(const mst_locator *locator, uint64_t index, const wish *one) {
    const uint32_t element = mst_draft_element(locator->draft, locator->list, index);
    for (size_t i = 0; i < one->count && element != MST_NONE; i++) {
        const wanted *want = &one->items[i];
        const uint32_t node = mst_draft_below(locator->draft, element, want->path);
        if (node == MST_NONE || !mst_same_tree(&locator->draft->json, node, want->json, want->node))
            return false;
    }
    return element != MST_NONE;
}

/* Looks for the elements that have all values of a wish: `any` is set if there are some, and `found` to the
 * only one, or to the expected one if `settles`. */
static mst_status look(mst_locator *locator, const wish *one, uint64_t expected, bool settles, bool *any,
                       uint64_t *found) {
    const mst_form *form = NULL;
    mst_status status = form_of(locator, one, &form);
    if (status != MST_OK)
        return status;
    uint64_t hash = MST_HASH;
    for (size_t i = 0; i < one->count; i++)
        hash = hash_tree(hash, one->items[i].json, one->items[i].node);
    const uint32_t *index = mst_hash_map_find(&form->by_values, mst_key_number(hash));
    const group *same = index ? &form->groups[*index] : NULL;
    *any = same && has_all(locator, same->first, one);
    *found = MST_NONE;
    if (*any && same->count == 1)
        *found = same->first;
    else if (*any && settles && has_all(locator, expected, one))
        *found = expected;
    return MST_OK;
}

mst_status mst_locator_find(mst_locator *locator, const mst_patch_step *step, uint64_t expected,
                            uint64_t *found) {
    mst_arena arena;
    element_description what = {.has_near = false};
    mst_arena_begin(&arena, &locator->draft->arena->allocator, 0);
    mst_status status = understand(locator, step, &what, &arena);
    bool any = false;
    *found = expected;
    if (status == MST_OK && what.has_near && what.placed.count)
        status = look(locator, &what.placed, expected, true, &any, found);
    if (status == MST_OK && !what.has_near && what.has_old)
        status = look(locator, &what.valued, expected, true, &any, found);
    /* an unnamed element at another place is another element, however similar */
    if (status == MST_OK && !any && (what.has_near ? what.is_named : what.known.count > 0))
        status = look(locator, &what.known, expected, !what.has_near, &any, found);
    if (status == MST_OK && !any) /* nothing distinguishes it from others */
        *found = step->near ? MST_NONE : expected;
    mst_arena_end(&arena);
    return status == MST_DAMAGED ? MST_OK : status;
}
