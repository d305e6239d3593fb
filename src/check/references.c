/* SPDX-License-Identifier: MIT */
/* Which elements numbers name, in both directions. */
#include "../core/diagnose.h"
#include "../edit/elements.h"
#include "numbers.h"
#include <mapstone/facts.h>

#define PATH 1024 /* longer paths are cut off */

typedef struct search {
    mst_numbers_walk walk;
    uint64_t begin, end; /* the bytes that contain the numbers */
    bool inwards;
    uint64_t list, index; /* inwards: the list's offset, the element's index */
    mst_reference_function found;
    void *user;
    char path[PATH], to[PATH];
} search;

static search *search_of(mst_numbers_walk *walk) {
    return walk->user;
}

/* Skips items that contain none of the bytes. */
static mst_status skip(mst_numbers_walk *walk, const mst_item *item) {
    const search *s = search_of(walk);
    if ((item->kind != MST_ITEM_BEGIN_RECORD && item->kind != MST_ITEM_BEGIN_LIST) || !walk->depth)
        return MST_OK;
    mst_value value = mst_value_of_item(walk->document, item);
    return item->offset < s->end && mst_value_after(&value) > s->begin ? MST_OK : MST_UNKNOWN;
}

/* The path of a list that a fact names, from the innermost enclosing record that has it. */
static size_t list_path(const search *s, const char *target, char path[PATH]) {
    const mst_numbers_walk *w = &s->walk;
    const mst_refers_scope *scope = NULL;
    size_t length = 0;
    for (uint32_t i = w->refers.scope_count; i-- > 0 && !scope;)
        if (mst_refers_has_list(w->refers.scopes[i].record, target))
            scope = &w->refers.scopes[i];
    path[0] = 0;
    for (uint32_t i = 0; scope && i < w->depth && i < MST_NUMBERS_LEVELS; i++) {
        const mst_numbers_step *step = &w->steps[i];
        length = mst_path_step(path, PATH, length, step->name, step->index);
        if (step->offset == scope->value.offset && mst_record_of(w->document, step->field) == scope->record &&
            !(mst_is_list(step->field) && step->index == UINT64_MAX))
            break;
    }
    return mst_path_step(path, PATH, length, target, UINT64_MAX);
}

/* The index of the element with an id; UINT64_MAX: there is none. */
static uint64_t index_of_id(const mst_value *list, const char *key, uint64_t id) {
    mst_value element;
    uint64_t own, index = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element); index++)
        if (mst_refers_id_of(&element, key, &own) && own == id)
            return index;
    return UINT64_MAX;
}

/* A number, or a bit of one, that names the element `id`. */
static mst_status take(search *s, const mst_numbers *n, const mst_referred *referred, uint64_t element,
                       uint32_t component, uint64_t id) {
    const mst_value *list = &referred->target;
    const char *target = referred->fact->target;
    uint64_t index = id;
    if (!referred->by_place) {
        index = mst_refers_has_id(referred, id) ? index_of_id(list, referred->fact->key, id) : UINT64_MAX;
    } else if (id >= referred->first) {
        index -= referred->first;
        list = &referred->then;
        target = referred->fact->then;
    }
    if (!list->document || !target || index == UINT64_MAX || index >= mst_count(list))
        return MST_OK;
    if (s->inwards && (list->offset != s->list || index != s->index))
        return MST_OK;
    if (!mst_numbers_apply(&s->walk, n, referred->fact, element))
        return MST_OK;
    mst_numbers_path(&s->walk, n, element, component, s->path, sizeof s->path);
    mst_path_step(s->to, sizeof s->to, list_path(s, target, s->to), NULL, index);
    const mst_reference one = {s->path, s->to};
    return s->found(s->user, &one);
}

static mst_status take_bits(search *s, const mst_numbers *n, const mst_referred *referred, uint64_t element,
                            uint32_t component, uint64_t bits) {
    uint64_t id = referred->fact->apart ? 0 : (uint64_t)component * 8 * mst_kind_width[n->field->kind];
    mst_status status = MST_OK;
    for (; bits && status == MST_OK; id++, bits >>= 1)
        if (bits & 1)
            status = take(s, n, referred, element, component, id);
    return status;
}

static mst_status take_fact(search *s, const mst_numbers *n, const mst_refers *fact) {
    const mst_document *document = s->walk.document;
    const mst_referred *referred;
    mst_status status = mst_refers_look_up(&s->walk.refers, fact, &referred);
    if (status != MST_OK || !referred)
        return status;
    bool big = mst_field_big(document, n->field);
    unsigned width = mst_kind_width[n->field->kind];
    for (uint64_t i = 0; i < n->count && status == MST_OK; i++)
        for (uint32_t c = 0; c < n->components && status == MST_OK; c++) {
            uint64_t at = n->offset + i * n->stride + (uint64_t)width * c;
            if (!s->inwards && (at < s->begin || at >= s->end))
                continue;
            uint64_t stored = mst_load(document->data + (size_t)at, width, big),
                     value = fact->mask ? stored & fact->mask : stored;
            if ((fact->about && !fact->about(document, stored)) ||
                (fact->by != MST_BY_BIT && mst_refers_is_none(fact, stored, width, c)))
                continue;
            status = fact->by == MST_BY_BIT ? take_bits(s, n, referred, i, c, value)
                                            : take(s, n, referred, i, c, value);
        }
    return status;
}

static mst_status take_numbers(mst_numbers_walk *walk, const mst_numbers *n) {
    search *s = search_of(walk);
    mst_status status = MST_OK;
    for (uint8_t i = 0; i < n->field->refers_count && status == MST_OK; i++)
        status = take_fact(s, n, &n->field->refers[i]);
    return status;
}

/* Sets the target of the search: the bytes of a value, or an element of a list. */
static mst_status begin(search *s, const mst_document *document, const char *path, bool inwards,
                        mst_arena *arena, mst_diagnostic *diagnostic) {
    mst_value value;
    const char *list_path_of;
    s->walk.document = document;
    s->walk.user = s;
    s->walk.numbers = take_numbers;
    s->inwards = inwards;
    mst_status status = mst_find(mst_root(document), path, &value, diagnostic);
    if (status == MST_OK && inwards) {
        status = mst_element_at(document, path, arena, &list_path_of, &value, &s->index, diagnostic);
        s->list = value.offset;
    } else if (status == MST_OK) {
        s->walk.item = skip;
        mst_value_span(&value, &s->begin, &s->end);
        s->end += s->begin;
    }
    return status == MST_OK ? mst_refers_begin(&s->walk.refers, document, arena) : status;
}

mst_status mst_references(const mst_document *document, const char *path, bool inwards,
                          mst_reference_function found, void *user, mst_diagnostic *diagnostic) {
    if (!document || !path || !found)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, a path and a function are needed");
    mst_arena arena;
    mst_arena_begin(&arena, &document->allocator, 0);
    search *s = mst_arena_zero(&arena, 1, sizeof *s);
    mst_status status = s ? MST_OK : MST_NO_MEMORY;
    if (s) {
        s->found = found;
        s->user = user;
        status = begin(s, document, path, inwards != 0, &arena, diagnostic);
    }
    if (s && status == MST_OK)
        status = mst_numbers_visit(&s->walk, NULL);
    mst_arena_end(&arena);
    if (status == MST_NO_MEMORY)
        return mst_fail(diagnostic, status, "not enough memory to find references");
    return status == MST_STOPPED ? MST_OK : status;
}
