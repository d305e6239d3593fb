/* SPDX-License-Identifier: MIT */
/*
 * A removal goes over all numbers of the document until nothing more has to go: what refers to a removed
 * element, what only removed elements referred to, the rows of parallel lists. The last time, the new numbers
 * are noted. They are written first, while every place still is where it was; then the elements go, the last
 * of the file first, so that the paths of the others stay right.
 */
#include "follow.h"
#include "../core/diagnose.h"
#include "edit.h"
#include "numbered.h"
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>

/* A list that changes, or whose elements go when nothing refers to them. */
typedef struct change change;
struct change {
    change *next;
    const char *path;
    const mst_field *field;
    uint64_t offset, count;
    uint8_t *gone;         /* by element */
    uint32_t *lower;       /* how many elements before each are gone; one more for the list's end */
    uint32_t *kept, *lost; /* OWNED: how often what stays, and what goes, refers to the element; else NULL */
    uint64_t removed;
    uint64_t at;         /* insertions: the new element's index */
    const uint32_t *now; /* where each element goes; NULL: the order stays */
};

/* The ids that no element of a list has any more. */
typedef struct vanished {
    const mst_refers *fact;
    uint32_t pass;
    uint64_t *ids;
    size_t count;
} vanished;

typedef struct patch {
    uint64_t offset, bits;
    uint8_t width;
    bool big;
} patch;

#define VANISHED 16 /* facts with ids about changing lists; no format has as many */
#define MAX_PATH 400

typedef struct follow {
    mst_numbers_walk walk;
    mst_document *document;
    const mst_edit_options *options;
    mst_diagnostic *diagnostic;
    mst_arena arena;
    change *changes;
    vanished ids[VANISHED];
    mst_array patches;
    const char *path;           /* what the caller inserts or removes */
    bool inserts, more, stable; /* stable: nothing more goes; what refers to what goes is reported */
    uint32_t pass;
    uint32_t dead;       /* depth of the removed element that the walk is in; 0: none */
    const change *given; /* only numbers in the element that was inserted into this list change; NULL: all */
    uint32_t inside;     /* depth of that element, if the walk is in it */
    uint64_t users;
    mst_diagnostic said;
} follow;

/* ---- facts ------------------------------------------------------------------------------------------ */

static bool ends_with_name(const char *path, const char *name) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return path && strcmp(dot ? dot + 1 : path, name) == 0;
}

static const mst_field *owned_of_record(const mst_record *record, const char *name) {
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_chunks *chunks = record->fields[f].chunks;
        if ((record->fields[f].flags & MST_FIELD_OWNED) && strcmp(record->fields[f].name, name) == 0)
            return &record->fields[f];
        for (uint8_t c = 0; chunks && c < chunks->case_count; c++)
            if ((chunks->cases[c].field.flags & MST_FIELD_OWNED) &&
                strcmp(chunks->cases[c].field.name, name) == 0)
                return &chunks->cases[c].field;
    }
    return NULL;
}

/* Whether the target of a fact is a list whose elements go with the last that refers to them. */
static bool names_owned(const mst_format *format, const mst_refers *fact) {
    const char *dot = strrchr(fact->target, '.'), *name = dot ? dot + 1 : fact->target;
    for (size_t r = 0; r < format->tables.record_count; r++)
        if (owned_of_record(format->tables.records[r], name))
            return true;
    return false;
}

static bool field_concerns(const mst_format *format, const mst_field *field, const mst_field *list) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        if (ends_with_name(field->refers[i].target, list->name) ||
            ends_with_name(field->refers[i].then, list->name) || names_owned(format, &field->refers[i]))
            return true;
    return field->parallel && ends_with_name(field->parallel->target, list->name);
}

bool mst_is_followed(const mst_format *format, const mst_field *list) {
    if (list->parallel ||
        (list->flags & (MST_FIELD_OWNED | MST_FIELD_SLOTS | MST_FIELD_APPEND | MST_FIELD_NUMBERED)))
        return true;
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_record *record = format->tables.records[r];
        for (uint16_t f = 0; f < record->field_count; f++) {
            const mst_chunks *chunks = record->fields[f].chunks;
            if (field_concerns(format, &record->fields[f], list))
                return true;
            for (uint8_t c = 0; chunks && c < chunks->case_count; c++)
                if (field_concerns(format, &chunks->cases[c].field, list))
                    return true;
        }
    }
    return false;
}

/* ---- lists ------------------------------------------------------------------------------------------ */

static change *change_at(const follow *w, const mst_field *field, uint64_t offset) {
    for (change *c = w->changes; c; c = c->next)
        if (c->field == field && (c->offset == offset || (field->flags & MST_FIELD_REPEATED)))
            return c;
    return NULL;
}

static change *change_of(const follow *w, const mst_value *list) {
    return list->document ? change_at(w, mst_field_of(list), list->offset) : NULL;
}

/* Whether elements of the list go with the last that refers to them. */
static bool is_owned(const follow *w, const mst_field *list) {
    return (list->flags & MST_FIELD_OWNED) && !w->inserts && !(w->options && w->options->keep_loose);
}

static change *change_begin(follow *w, const mst_field *field, uint64_t offset, uint64_t count,
                            const char *path) {
    change *made = mst_arena_zero(&w->arena, 1, sizeof *made);
    if (!made || count >= UINT32_MAX)
        return NULL;
    *made = (change){w->changes,
                     mst_arena_text(&w->arena, path, strlen(path)),
                     field,
                     offset,
                     count,
                     mst_arena_zero(&w->arena, (size_t)count + 1, 1),
                     mst_arena_zero(&w->arena, (size_t)count + 1, sizeof(uint32_t)),
                     NULL,
                     NULL,
                     0,
                     0,
                     NULL};
    bool owned = is_owned(w, field);
    if (owned) {
        made->kept = mst_arena_zero(&w->arena, (size_t)count + 1, sizeof(uint32_t));
        made->lost = mst_arena_zero(&w->arena, (size_t)count + 1, sizeof(uint32_t));
    }
    if (!made->path || !made->gone || !made->lower || (owned && (!made->kept || !made->lost)))
        return NULL;
    w->changes = made;
    return made;
}

/* Says what else the edit changes. */
static mst_status say(follow *w, mst_severity severity, const char *path, uint64_t offset,
                      const char *message) {
    if (!w->options || !w->options->report)
        return MST_OK;
    memset(&w->said, 0, sizeof w->said);
    w->said.severity = severity;
    w->said.offset = offset;
    MST_SET(w->said.path, "%s", path);
    MST_SET(w->said.message, "%s", message);
    return w->options->report(w->options->user, &w->said);
}

static mst_status remove_element(follow *w, change *list, uint64_t index, const char *why) {
    char path[MAX_PATH];
    if (list->gone[index])
        return MST_OK;
    list->gone[index] = 1;
    list->removed++;
    w->more = true;
    snprintf(path, sizeof path, "%s[%llu]", list->path, (unsigned long long)index);
    return why ? say(w, MST_INFORMATION, path, MST_NO_OFFSET, why) : MST_OK;
}

/* The numbers that the elements have afterwards. */
static void number_again(change *list) {
    uint32_t lower = 0;
    bool stays = (list->field->flags & MST_FIELD_SLOTS) != 0;
    for (uint64_t i = 0; i <= list->count; i++) {
        list->lower[i] = lower;
        lower += !stays && i < list->count && list->gone[i];
    }
}

/* ---- references ------------------------------------------------------------------------------------- */

static mst_status note(follow *w, const mst_numbers *n, uint64_t offset, uint64_t bits) {
    patch *made = mst_array_push(&w->patches, 1);
    if (!made)
        return MST_NO_MEMORY;
    *made = (patch){offset, bits, mst_kind_width[n->field->kind], mst_field_big(w->document, n->field)};
    return MST_OK;
}

/* The path of the list that a fact refers to here: below one of the records around. */
static void path_of_target(const follow *w, const mst_referred *target, char *path, size_t capacity) {
    uint32_t depth = w->walk.depth < MST_NUMBERS_LEVELS ? w->walk.depth : MST_NUMBERS_LEVELS;
    for (uint32_t d = depth; d <= depth; d--) { /* until it wraps, after the root */
        mst_value value;
        size_t length = 0;
        path[0] = 0;
        for (uint32_t i = 0; i < d; i++)
            length = mst_path_step(path, capacity, length, w->walk.steps[i].name, w->walk.steps[i].index);
        mst_path_step(path, capacity, length, target->fact->target, UINT64_MAX);
        if (mst_find(mst_root(w->document), path, &value, NULL) == MST_OK &&
            value.field == target->target.field && value.offset == target->target.offset)
            return;
    }
}

/* Removes what a number is in: the nearest element of a list, or of the list that the fact names. */
static mst_status remove_owner(follow *w, const mst_numbers *n, const mst_refers *fact, uint64_t element,
                               uint32_t component) {
    char path[MAX_PATH];
    bool list_of_numbers = !n->column && n->field->mode != MST_COUNT_ONE && n->field->mode != MST_COUNT_FIXED;
    const mst_field *field = NULL;
    uint64_t offset = 0, index = 0, count = 0;
    if (!fact->owner && (list_of_numbers || n->column)) {
        field = n->item->field;
        offset = n->item->offset;
        index = n->column ? element : component;
        count = n->column ? n->count : n->components;
        mst_numbers_item_path(&w->walk, n->item, path, sizeof path);
    }
    uint32_t depth = w->walk.depth + (n->column != NULL); /* a list of columns is a step of its own */
    for (uint32_t d = depth < MST_NUMBERS_LEVELS ? depth : MST_NUMBERS_LEVELS; !field && d > 1; d--) {
        const mst_numbers_step *list = &w->walk.steps[d - 2], *step = &w->walk.steps[d - 1];
        mst_value value;
        if (step->index == UINT64_MAX || (fact->owner && strcmp(list->name, fact->owner) != 0))
            continue;
        size_t length = 0;
        path[0] = 0;
        for (uint32_t i = 0; i < d - 1; i++)
            length = mst_path_step(path, sizeof path, length, w->walk.steps[i].name, w->walk.steps[i].index);
        if (mst_find(mst_root(w->document), path, &value, NULL) != MST_OK)
            continue;
        field = list->field;
        offset = list->offset;
        index = step->index;
        count = mst_count(&value);
    }
    if (!field)
        return mst_fail(w->diagnostic, MST_REFUSED, "what refers to the removed element cannot be removed");
    change *list = NULL;
    if (field->parallel) { /* the element that the row is about */
        const mst_referred *about;
        mst_status status = mst_refers_look_up(&w->walk.refers, field->parallel, &about);
        if (status != MST_OK)
            return status;
        list = about ? change_of(w, &about->target) : NULL;
        if (about && about->target.document && !list) {
            field = mst_field_of(&about->target);
            offset = about->target.offset;
            count = about->count;
            path_of_target(w, about, path, sizeof path);
        }
    }
    if (!list)
        list = change_at(w, field, offset);
    if (!list)
        list = change_begin(w, field, offset, count, path);
    if (!list)
        return MST_NO_MEMORY;
    return index < list->count ? remove_element(w, list, index, "removed, too: it refers to what is removed")
                               : MST_OK;
}

/* Says what happens to a number, once it is certain. */
static mst_status say_of(follow *w, const mst_numbers *n, uint64_t element, uint32_t component,
                         const char *message) {
    char path[MAX_PATH];
    if (!w->stable || !w->options || !w->options->report)
        return MST_OK;
    mst_numbers_path(&w->walk, n, element, component, path, sizeof path);
    return say(w, MST_INFORMATION, path, n->offset + element * n->stride, message);
}

static mst_status user_found(follow *w, const mst_numbers *n, uint64_t element, uint32_t component,
                             uint64_t offset) {
    char path[MAX_PATH];
    mst_numbers_path(&w->walk, n, element, component, path, sizeof path);
    if (!w->users++)
        MST_SET(w->diagnostic->found, "%s", path);
    return w->stable ? say(w, MST_ERROR, path, offset, "refers to what would be removed") : MST_OK;
}

/* A number that names an element that goes. `none`: what the number is stored as instead, if it has such a
 * value. */
static mst_status orphan(follow *w, const mst_numbers *n, const mst_refers *fact, uint64_t element,
                         uint32_t component, uint64_t offset) {
    if (!fact->member && !(w->options && w->options->cascade))
        return user_found(w, n, element, component, offset);
    if (!fact->nones || component < fact->none_from)
        return remove_owner(w, n, fact, element, component);
    mst_status status = say_of(w, n, element, component, "refers to nothing now");
    return status == MST_OK ? note(w, n, offset, fact->none[0]) : status;
}

/* The number that stands for element `index` of a list afterwards. */
static uint64_t renumbered(const follow *w, const change *list, uint64_t index) {
    if (list->now)
        return index < list->count ? list->now[index] : index;
    if (w->inserts)
        return index + (index >= list->at);
    return index - list->lower[index];
}

/* A number that named the first of a run: the next of it that stays; UINT64_MAX: none does. */
static uint64_t next_of_run(const follow *w, const mst_referred *target, const change *list, uint64_t index) {
    mst_value element;
    bool last = false;
    for (; index < list->count && !last; index++) {
        if (!list->gone[index])
            return renumbered(w, list, index);
        if (target->fact->ends_run)
            last = mst_element(&target->target, index, &element) != MST_OK ||
                   target->fact->ends_run(w->document->data + element.offset, w->document->variant.big);
    }
    return last ? UINT64_MAX : index - list->lower[list->count];
}

/* What a chain goes on with after the removed element; UINT64_MAX: nothing. */
static uint64_t heir_of(const follow *w, const mst_referred *target, const change *list, uint64_t index) {
    for (uint64_t steps = 0; steps <= list->removed && index < list->count; steps++) {
        mst_value element;
        if (!list->gone[index])
            return renumbered(w, list, index);
        if (mst_element(&target->target, index, &element) != MST_OK)
            break;
        index = mst_number_in(&element, target->fact->heir);
    }
    return UINT64_MAX;
}

static mst_status store_index(follow *w, const mst_numbers *n, const mst_refers *fact, uint64_t offset,
                              uint64_t stored, uint64_t number, uint32_t component) {
    unsigned width = mst_kind_width[n->field->kind];
    uint64_t all = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
    uint64_t room = fact->mask ? fact->mask : mst_is_signed(n->field->kind) ? all >> 1 : all;
    uint64_t bits = fact->mask ? (stored & ~(uint64_t)fact->mask) | number : number;
    if (number > room || mst_refers_is_none(fact, bits, width, component))
        return mst_fail(w->diagnostic, MST_REFUSED,
                        "the numbers of later elements would not fit where they are named");
    return bits == stored ? MST_OK : note(w, n, offset, bits);
}

/* `list` is NULL if the element's list does not change; `base`: the index of its first element afterwards. */
/* What the number that names a removed element is stored as, instead; false: nothing. */
static bool substitute(const follow *w, const mst_numbers *n, const mst_referred *target, const change *list,
                       uint64_t index, uint64_t element, uint64_t *number) {
    const mst_refers *fact = target->fact;
    if (fact->run)
        *number = next_of_run(w, target, list, index);
    else if (fact->heir)
        *number = heir_of(w, target, list, index);
    else if (fact->end_is_none && w->options && w->options->cascade)
        *number = renumbered(w, list, list->count);
    else if (fact->instead && w->options && w->options->cascade) {
        mst_value own = mst_value_of_item(w->document, n->item);
        uint64_t other = fact->instead(&target->target, list->gone, &own, element);
        *number = other < list->count ? renumbered(w, list, other) : UINT64_MAX;
    } else {
        return false;
    }
    return true;
}

static mst_status follow_index(follow *w, const mst_numbers *n, const mst_referred *target, change *list,
                               uint64_t index, uint64_t base, uint64_t element, uint32_t component,
                               bool goes) {
    const mst_refers *fact = target->fact;
    unsigned width = mst_kind_width[n->field->kind];
    uint64_t offset = n->offset + element * n->stride + (uint64_t)component * width;
    uint64_t stored = mst_load(w->document->data + offset, width, mst_field_big(w->document, n->field));
    uint64_t number = index;
    if (list && list->kept && !fact->member && index < list->count)
        (goes ? list->lost : list->kept)[index]++;
    if (goes)
        return MST_OK;
    bool joins = list && w->inserts && fact->run && index == list->at;
    if (joins && (!index || (!fact->ends_run && index < list->count)))
        number = index; /* the new element is the first of the run, which knows its end by the next one */
    else if (list && index < list->count && list->gone[index]) {
        if (!substitute(w, n, target, list, index, element, &number))
            return orphan(w, n, fact, element, component, offset);
        if (number == UINT64_MAX)
            return note(w, n, offset, fact->none[0]);
        if (!fact->run) {
            const char *what = fact->end_is_none ? "refers to nothing now" : "refers to another one now";
            mst_status status = say_of(w, n, element, component, what);
            if (status != MST_OK)
                return status;
        }
    } else if (list) {
        number = renumbered(w, list, index);
    }
    return store_index(w, n, fact, offset, stored, base + number, component);
}

/* Whether no element with that id stays. */
static mst_status has_vanished(follow *w, const mst_referred *target, const change *list, uint64_t id,
                               bool *answer) {
    const char *key = target->fact->key;
    vanished *known = w->ids;
    while (known->fact && known->fact != target->fact && known < w->ids + VANISHED - 1)
        known++;
    if (known->fact != target->fact || known->pass != w->pass) {
        *known = (vanished){target->fact, w->pass, NULL, 0};
        known->ids = mst_arena_take(&w->arena, (size_t)list->removed + 1, sizeof *known->ids);
        if (!known->ids)
            return MST_NO_MEMORY;
        for (uint64_t i = 0; i < list->count && known->count < list->removed; i++) {
            mst_value element;
            if (list->gone[i] && mst_element(&target->target, i, &element) == MST_OK &&
                mst_refers_id_of(&element, key, &known->ids[known->count]))
                known->count++;
        }
        if (known->count)
            qsort(known->ids, known->count, sizeof *known->ids, mst_by_number);
    }
    size_t going = 0, all = 0;
    for (size_t i = 0; i < known->count; i++)
        going += known->ids[i] == id;
    for (size_t i = 0; going && i < target->id_count; i++)
        all += target->ids[i] == id;
    *answer = going && going == all;
    return MST_OK;
}

static mst_status follow_id(follow *w, const mst_numbers *n, const mst_referred *target, const change *list,
                            uint64_t id, uint64_t element, uint32_t component, bool goes) {
    bool gone = false;
    mst_status status =
        goes || w->inserts || !list->removed ? MST_OK : has_vanished(w, target, list, id, &gone);
    if (status != MST_OK || !gone)
        return status;
    uint64_t offset = n->offset + element * n->stride + (uint64_t)component * mst_kind_width[n->field->kind];
    return orphan(w, n, target->fact, element, component, offset);
}

/* Bits of the numbers `first` up to `end` of an element, as one mask. */
static mst_status follow_bits(follow *w, const mst_numbers *n, const mst_referred *target, const change *list,
                              uint64_t element, uint32_t first, uint32_t end) {
    unsigned width = mst_kind_width[n->field->kind], bits = 8 * width;
    bool big = mst_field_big(w->document, n->field);
    const uint8_t *from = w->document->data + n->offset + element * n->stride;
    mst_status status = MST_OK;
    uint64_t made[32] = {0};
    if (end - first > 32)
        return MST_OK; /* no format has masks as long */
    for (uint32_t c = first; c < end; c++) {
        uint64_t word = mst_load(from + (uint64_t)c * width, width, big);
        for (uint32_t b = 0; b < bits; b++) {
            uint64_t id = (uint64_t)(c - first) * bits + b, to = id;
            bool gone = false;
            if (!(word >> b & 1))
                continue;
            if (!target->by_place)
                status = w->inserts || !list->removed ? MST_OK : has_vanished(w, target, list, id, &gone);
            else if (id < list->count) {
                gone = list->gone[id];
                to = renumbered(w, list, id);
            }
            if (status != MST_OK)
                return status;
            if (gone && !target->fact->member && !(w->options && w->options->cascade))
                return user_found(w, n, element, c, MST_NO_OFFSET);
            if (to / bits >= end - first)
                return mst_fail(w->diagnostic, MST_REFUSED, "the mask has no bit for the last element");
            if (!gone)
                made[to / bits] |= UINT64_C(1) << to % bits;
            else
                status = say_of(w, n, element, c, "no longer has the bit");
            if (status != MST_OK)
                return status;
        }
    }
    for (uint32_t c = first; c < end && status == MST_OK; c++)
        if (made[c - first] != mst_load(from + (uint64_t)c * width, width, big))
            status = note(w, n, (uint64_t)(from - w->document->data) + (uint64_t)c * width, made[c - first]);
    return status;
}

/* Whether an element of numbers goes with what it is in. */
static bool element_goes(const follow *w, const mst_numbers *n, const change *own, uint64_t element,
                         uint32_t component) {
    uint64_t index = n->column ? element : component;
    return w->dead || (own && index < own->count && own->gone[index]);
}

static mst_status follow_fact(follow *w, const mst_numbers *n, const mst_refers *fact) {
    const mst_referred *target;
    mst_status status = mst_refers_look_up(&w->walk.refers, fact, &target);
    if (status != MST_OK || !target)
        return status;
    change *list = change_of(w, &target->target), *then = change_of(w, &target->then);
    if (!list && !then)
        return MST_OK;
    const change *own = change_at(w, n->item->field, n->item->offset);
    unsigned width = mst_kind_width[n->field->kind];
    bool big = mst_field_big(w->document, n->field);
    uint64_t base = list ? renumbered(w, list, target->first) : target->first;
    for (uint64_t i = 0; i < n->count && status == MST_OK; i++) {
        if (!mst_numbers_apply(&w->walk, n, fact, i))
            continue;
        if (fact->by == MST_BY_BIT && !fact->apart) {
            if (!element_goes(w, n, n->column ? own : NULL, i, 0))
                status = follow_bits(w, n, target, list, i, 0, n->components);
            continue;
        }
        for (uint32_t c = 0; c < n->components && status == MST_OK; c++) {
            uint64_t stored =
                mst_load(w->document->data + n->offset + i * n->stride + (uint64_t)c * width, width, big);
            uint64_t value = fact->mask ? stored & fact->mask : stored;
            bool goes = element_goes(w, n, own, i, c);
            if (fact->by == MST_BY_BIT)
                status = goes ? MST_OK : follow_bits(w, n, target, list, i, c, c + 1);
            else if (mst_refers_is_none(fact, stored, width, c) || !mst_refers_hits(target, value))
                continue;
            else if (!target->by_place)
                status = list ? follow_id(w, n, target, list, value, i, c, goes) : MST_OK;
            else if (value < target->first || (!target->then.document && value == target->first))
                status = list ? follow_index(w, n, target, list, value, 0, i, c, goes) : MST_OK;
            else
                status = follow_index(w, n, target, then, value - target->first, base, i, c, goes);
        }
    }
    return status;
}

static mst_status follow_numbers(mst_numbers_walk *walk, const mst_numbers *n) {
    const follow *w = walk->user;
    mst_status status = MST_OK;
    mst_numbers one = *n;
    if (w->given && !w->inside) {
        if (!n->column || change_at(w, n->item->field, n->item->offset) != w->given)
            return MST_OK;
        one.offset += w->given->at * n->stride;
        one.element += w->given->at * n->stride;
        one.count = 1;
        n = &one;
    }
    for (uint8_t i = 0; i < n->field->refers_count && status == MST_OK; i++)
        status = follow_fact(walk->user, n, &n->field->refers[i]);
    return status;
}

/* ---- the walk --------------------------------------------------------------------------------------- */

static bool no_floats(mst_numbers_walk *walk, const mst_item *list, const mst_plan *plan) {
    (void)walk, (void)list, (void)plan;
    return true;
}

static mst_status enter(mst_numbers_walk *walk, const mst_item *item) {
    follow *w = walk->user;
    if (w->dead || item->index == UINT64_MAX || walk->depth < 2 || walk->depth > MST_NUMBERS_LEVELS)
        return MST_OK;
    const mst_numbers_step *list = &walk->steps[walk->depth - 2];
    const change *own = change_at(w, list->field, list->offset);
    if (own && own == w->given && item->index == own->at && !w->inside)
        w->inside = walk->depth;
    if (own && item->index < own->count && own->gone[item->index])
        w->dead = walk->depth;
    return MST_OK;
}

static void leave(mst_numbers_walk *walk) {
    follow *w = walk->user;
    if (w->dead == walk->depth)
        w->dead = 0;
    if (w->inside == walk->depth)
        w->inside = 0;
}

static mst_status change_of_item(follow *w, const mst_item *item, change **own) {
    char path[MAX_PATH];
    *own = change_at(w, item->field, item->offset);
    if (*own)
        return MST_OK;
    mst_value value = mst_value_of_item(w->document, item);
    mst_numbers_item_path(&w->walk, item, path, sizeof path);
    *own = change_begin(w, item->field, item->offset, mst_count(&value), path);
    w->more = true;
    return *own ? MST_OK : MST_NO_MEMORY;
}

/* Rows of lists that are parallel to a changing one change with it. */
static mst_status meet(mst_numbers_walk *walk, const mst_item *item) {
    follow *w = walk->user;
    const mst_referred *target;
    change *own = NULL;
    bool list = item->kind == MST_ITEM_BEGIN_LIST || item->kind == MST_ITEM_LEAF;
    if (!list || !item->field || item->index != UINT64_MAX || w->given)
        return MST_OK;
    if (is_owned(w, item->field))
        return change_of_item(w, item, &own);
    if (!item->field->parallel)
        return MST_OK;
    mst_status status = mst_refers_look_up(&walk->refers, item->field->parallel, &target);
    const change *of = status == MST_OK && target ? change_of(w, &target->target) : NULL;
    if (!of || (!of->removed && !of->now && !w->inserts))
        return status;
    status = change_of_item(w, item, &own);
    if (status == MST_OK) {
        own->at = of->at;
        own->now = own->count == of->count ? of->now : NULL;
    }
    for (uint64_t i = 0; !w->inserts && status == MST_OK && i < own->count && i < of->count; i++)
        if (of->gone[i])
            status = remove_element(w, own, i, NULL);
    return status;
}

static mst_status go_over_once(follow *w) {
    w->more = false;
    w->pass++;
    w->dead = 0;
    w->users = 0;
    w->patches.count = 0;
    for (change *c = w->changes; c; c = c->next) {
        number_again(c);
        for (uint64_t i = 0; c->kept && i < c->count; i++)
            c->kept[i] = c->lost[i] = 0;
    }
    mst_arena scratch; /* the lists and ids of this pass */
    mst_arena_begin(&scratch, &w->document->allocator, 0);
    w->walk = (mst_numbers_walk){.document = w->document,
                                 .user = w,
                                 .item = meet,
                                 .enter = enter,
                                 .leave = leave,
                                 .skips_floats = no_floats,
                                 .numbers = follow_numbers};
    mst_status status = mst_refers_begin(&w->walk.refers, w->document, &scratch);
    if (status == MST_OK)
        status = mst_numbers_visit(&w->walk, w->diagnostic);
    mst_arena_end(&scratch);
    for (change *c = w->changes; c && status == MST_OK; c = c->next)
        for (uint64_t i = 0; c->kept && i < c->count && status == MST_OK; i++)
            if (c->lost[i] && !c->kept[i])
                status = remove_element(w, c, i, "removed, too: nothing else refers to it");
    return status;
}

static mst_status go_over(follow *w) {
    mst_status status;
    do
        status = go_over_once(w);
    while (status == MST_OK && w->more);
    w->stable = true;
    return status == MST_OK && w->options && w->options->report ? go_over_once(w) : status;
}

/* ---- carrying it out -------------------------------------------------------------------------------- */

/* An element that goes, or a place where one is inserted. */
typedef struct place {
    uint64_t offset;
    const change *list;
    uint64_t index;
} place;

static int last_first(const void *left, const void *right) {
    const place *a = left, *b = right;
    return a->offset != b->offset ? (a->offset < b->offset) - (a->offset > b->offset)
                                  : (a->index < b->index) - (a->index > b->index);
}

static mst_status offset_of_element(const follow *w, const change *list, uint64_t index, uint64_t *offset) {
    mst_value value, element;
    mst_status status = mst_find(mst_root(w->document), list->path, &value, NULL);
    *offset = value.offset;
    if (status == MST_OK && index < list->count) {
        status = mst_element(&value, index, &element);
        *offset = element.offset;
    }
    return status;
}

/* All places, the last of the file first. */
static mst_status places_of(follow *w, place **places, size_t *count) {
    size_t total = 0;
    for (const change *c = w->changes; c; c = c->next)
        total += w->inserts ? 1 : (size_t)c->removed;
    *places = mst_arena_take(&w->arena, total + 1, sizeof **places);
    *count = 0;
    if (!*places)
        return MST_NO_MEMORY;
    mst_status status = MST_OK;
    for (const change *c = w->changes; c; c = c->next)
        for (uint64_t i = w->inserts ? c->at : 0; i <= c->count && status == MST_OK; i++) {
            if (!w->inserts && (i == c->count || !c->gone[i] || (c->field->flags & MST_FIELD_SLOTS)))
                continue;
            place *made = &(*places)[(*count)++];
            *made = (place){0, c, i};
            status = offset_of_element(w, c, i, &made->offset);
            if (w->inserts)
                break;
        }
    qsort(*places, *count, sizeof **places, last_first);
    return status;
}

/* Writes the empty pattern over the removed elements of lists of slots. */
static mst_status empty_slots(follow *w) {
    for (const change *c = w->changes; c; c = c->next) {
        const mst_record *record = c->field->record;
        if (!(c->field->flags & MST_FIELD_SLOTS) || !c->removed)
            continue;
        if (!record || !record->empty)
            return mst_fail(w->diagnostic, MST_REFUSED,
                            "the game has a fixed number of them, and no empty one is known");
        for (uint64_t i = 0; i < c->count; i++) {
            uint64_t offset;
            if (!c->gone[i])
                continue;
            if (offset_of_element(w, c, i, &offset) != MST_OK)
                return MST_DAMAGED;
            for (uint32_t b = 0; b < mst_plan_of(w->document, record)->stride; b++) {
                patch *made = mst_array_push(&w->patches, 1);
                if (!made)
                    return MST_NO_MEMORY;
                *made = (patch){offset + b, record->empty[b], 1, false};
            }
        }
    }
    return MST_OK;
}

static mst_status write_numbers(follow *w) {
    mst_status status = empty_slots(w);
    if (status != MST_OK || !w->patches.count)
        return status;
    uint8_t *bytes = mst_edit_bytes(w->document);
    if (!bytes)
        return MST_NO_MEMORY;
    const patch *all = w->patches.items;
    for (size_t i = 0; i < w->patches.count; i++)
        mst_store(bytes + all[i].offset, all[i].width, all[i].bits, all[i].big);
    return MST_OK;
}

/* A field of the root that some of the lists that change make void; NULL: none. */
static const char *voided_by(const follow *w) {
    const char *name = NULL;
    mst_value value;
    for (const change *c = w->changes; c && !name; c = c->next) {
        if (w->document->format->edit.voids && (w->inserts || c->removed) &&
            mst_find(mst_root(w->document), c->path, &value, NULL) == MST_OK)
            name = w->document->format->edit.voids(&value);
    }
    return name;
}

static mst_status remove_voided(follow *w, const char *name) {
    mst_value root = mst_root(w->document), value;
    if (mst_member(&root, name, &value) != MST_OK)
        return MST_OK;
    mst_status status = mst_edit_remove(w->document, name, w->diagnostic);
    return status == MST_OK ? say(w, MST_WARNING, name, MST_NO_OFFSET, "removed, too: it is no longer valid")
                            : status;
}

static mst_status carry_out(follow *w, const char *json) {
    place *places;
    size_t count = 0;
    const change *first = w->changes;
    while (first && first->next) /* what the caller named was the first of all */
        first = first->next;
    const char *voided = voided_by(w);
    mst_status status = places_of(w, &places, &count);
    if (status == MST_OK)
        status = write_numbers(w);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        char path[MAX_PATH + 24];
        snprintf(path, sizeof path, "%s[%llu]", places[i].list->path, (unsigned long long)places[i].index);
        if (w->inserts)
            status = mst_edit_insert(w->document, path, places[i].list == first ? json : NULL, w->diagnostic);
        else
            status = mst_edit_remove(w->document, path, w->diagnostic);
    }
    return status == MST_OK && voided ? remove_voided(w, voided) : status;
}

/* The new element was given with the numbers of before: they follow now that it is there. */
static mst_status renumber_given(follow *w, const char *path, uint64_t index) {
    mst_value list;
    mst_status status = mst_find(mst_root(w->document), path, &list, NULL);
    if (status != MST_OK)
        return status;
    w->changes = NULL;
    change *own = change_begin(w, mst_field_of(&list), list.offset, mst_count(&list), path);
    if (!own)
        return MST_NO_MEMORY;
    own->at = index;
    w->given = own;
    w->stable = true;
    status = go_over_once(w);
    return status == MST_OK ? write_numbers(w) : status;
}

/* Puts the elements of the lists into their new order: they only change places. */
static mst_status permute(follow *w) {
    uint8_t *bytes = mst_edit_bytes(w->document);
    for (const change *c = w->changes; c; c = c->next) {
        mst_value list, element;
        if (!c->now)
            continue;
        if (c->field->mode == MST_COUNT_ARCHIVE)
            return mst_fail(w->diagnostic, MST_REFUSED, "blocks of an archive keep their order");
        mst_status status = mst_find(mst_root(w->document), c->path, &list, NULL);
        uint64_t *ends = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *ends), begin = 0, i = 0;
        uint32_t *from = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *from);
        if (status != MST_OK || !ends || !from)
            return status != MST_OK ? status : MST_NO_MEMORY;
        for (mst_iterator it = mst_iterate(&list); i < c->count && mst_next(&it, &element); i++) {
            from[c->now[i]] = (uint32_t)i;
            ends[i] = mst_value_after(&element);
            begin = i ? begin : element.offset;
        }
        if (i < c->count || !i)
            continue;
        uint8_t *old = mst_arena_take(&w->arena, (size_t)(ends[i - 1] - begin), 1), *to = bytes + begin;
        if (!old)
            return MST_NO_MEMORY;
        memcpy(old, bytes + begin, (size_t)(ends[i - 1] - begin));
        for (i = 0; i < c->count; i++) {
            uint64_t first = from[i] ? ends[from[i] - 1] : begin;
            memcpy(to, old + (first - begin), (size_t)(ends[from[i]] - first));
            to += ends[from[i]] - first;
        }
    }
    return MST_OK;
}

/* ---- the two edits ---------------------------------------------------------------------------------- */

static mst_status refuse(follow *w, const char *message) {
    mst_fail(w->diagnostic, MST_REFUSED, "%s", message);
    MST_SET(w->diagnostic->path, "%s", w->path);
    return MST_REFUSED;
}

static mst_status belongs_to(follow *w, const mst_field *list) {
    mst_fail(w->diagnostic, MST_REFUSED, "its elements go with those of another list: edit that one");
    MST_SET(w->diagnostic->path, "%s", w->path);
    MST_SET(w->diagnostic->expected, "%s", list->parallel->target);
    return MST_REFUSED;
}

static mst_status follow_begin(follow **made, mst_document *document, const mst_chain *chain, uint32_t list,
                               const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_allocator *allocator = &document->allocator;
    follow *w = allocator->resize(allocator->user, NULL, 0, sizeof *w);
    *made = w;
    if (!w)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the edit");
    memset(w, 0, sizeof *w);
    w->document = document;
    w->options = options;
    w->diagnostic = diagnostic ? diagnostic : &w->said;
    mst_arena_begin(&w->arena, allocator, 0);
    w->patches.element_size = sizeof(patch);
    w->patches.allocator = *allocator;
    char path[MAX_PATH];
    size_t length = 0;
    path[0] = 0;
    for (uint32_t i = 1; i <= list; i++)
        length = mst_path_step(path, sizeof path, length,
                               chain->indices[i] == UINT64_MAX ? mst_field_of(&chain->values[i])->name : "",
                               chain->indices[i]);
    w->path = mst_arena_text(&w->arena, path, strlen(path));
    return w->path && length < sizeof path ? MST_OK : MST_NO_MEMORY;
}

static mst_status follow_end(follow *w, mst_status status) {
    mst_allocator allocator = w->document->allocator;
    if (status == MST_NO_MEMORY)
        mst_fail(w->diagnostic, status, "there is no memory for the edit");
    mst_array_free(&w->patches);
    mst_arena_end(&w->arena);
    allocator.resize(allocator.user, w, sizeof *w, 0);
    return status;
}

mst_status mst_follow_removal(mst_document *document, const mst_chain *chain, const mst_edit_options *options,
                              mst_diagnostic *diagnostic) {
    follow *w;
    uint32_t last = chain->count - 1;
    mst_status status = follow_begin(&w, document, chain, last - 1, options, diagnostic);
    if (!w)
        return status;
    const mst_value *list = &chain->values[last - 1];
    const mst_field *field = mst_field_of(list);
    uint64_t index = chain->indices[last], count = mst_count(list);
    if (status == MST_OK && field->parallel)
        status = belongs_to(w, field);
    if (status == MST_OK && (field->flags & MST_FIELD_NUMBERED))
        status = mst_renumber_files(document, list, index, false, options, w->diagnostic);
    if (status == MST_OK && (field->flags & MST_FIELD_APPEND) && index + 1 != count)
        status = refuse(w, "only the last can be removed: others know them by their number");
    change *own = status == MST_OK ? change_begin(w, field, list->offset, count, w->path) : NULL;
    if (status == MST_OK)
        status = own ? remove_element(w, own, index, NULL) : MST_NO_MEMORY;
    if (status == MST_OK)
        status = go_over(w);
    if (status == MST_OK && w->users) {
        char first[sizeof w->diagnostic->found];
        memcpy(first, w->diagnostic->found, sizeof first);
        mst_fail(w->diagnostic, MST_REFUSED, "others refer to it");
        MST_SET(w->diagnostic->path, "%s[%llu]", w->path, (unsigned long long)index);
        if (w->users > 1)
            MST_SET(w->diagnostic->found, "%.80s and %llu more", first, (unsigned long long)w->users - 1);
        else
            MST_SET(w->diagnostic->found, "%s", first);
        status = MST_REFUSED;
    }
    if (status == MST_OK)
        status = carry_out(w, NULL);
    return follow_end(w, status);
}

mst_status mst_follow_insertion(mst_document *document, const mst_chain *chain, uint64_t index,
                                const char *json, const mst_edit_options *options,
                                mst_diagnostic *diagnostic) {
    follow *w;
    uint32_t last = chain->count - 1;
    mst_status status = follow_begin(&w, document, chain, last, options, diagnostic);
    if (!w)
        return status;
    const mst_value *list = &chain->values[last];
    const mst_field *field = mst_field_of(list);
    uint64_t count = mst_count(list);
    w->inserts = true;
    if (status == MST_OK && field->parallel)
        status = belongs_to(w, field);
    if (status == MST_OK && (field->flags & MST_FIELD_NUMBERED))
        status = mst_renumber_files(document, list, index, true, options, w->diagnostic);
    if (status == MST_OK && (field->flags & MST_FIELD_SLOTS))
        status = refuse(w, "the game has a fixed number of them: set an unused one");
    if (status == MST_OK && (field->flags & MST_FIELD_APPEND) && index != count)
        status = refuse(w, "new ones come last: others know them by their number");
    change *own = status == MST_OK ? change_begin(w, field, list->offset, count, w->path) : NULL;
    if (status == MST_OK && !own)
        status = MST_NO_MEMORY;
    if (own)
        own->at = index;
    if (status == MST_OK)
        status = go_over(w);
    if (status == MST_OK)
        status = carry_out(w, json);
    if (status == MST_OK)
        status = renumber_given(w, w->path, index);
    if (status == MST_OK && document->format->edit.fill)
        status = document->format->edit.fill(document, field, w->path, index, diagnostic);
    return follow_end(w, status);
}

mst_status mst_follow_order(mst_document *document, const char *path, const uint32_t *now,
                            mst_diagnostic *diagnostic) {
    follow *w;
    mst_value list;
    mst_chain none = {0};
    mst_status status = follow_begin(&w, document, &none, 0, NULL, diagnostic);
    if (!w)
        return status;
    if (status == MST_OK)
        status = mst_find(mst_root(document), path, &list, diagnostic);
    change *own =
        status == MST_OK ? change_begin(w, mst_field_of(&list), list.offset, mst_count(&list), path) : NULL;
    if (status == MST_OK && !own)
        status = MST_NO_MEMORY;
    if (own)
        own->now = now;
    if (status == MST_OK)
        status = go_over(w);
    if (status == MST_OK)
        status = write_numbers(w);
    if (status == MST_OK)
        status = permute(w);
    return follow_end(w, status);
}
