/* SPDX-License-Identifier: MIT */
/* Updates of numbers that name elements of changing lists. */
#include "../core/diagnose.h"
#include "following.h"
#include <stdio.h>
#include <stdlib.h>

static mst_status note(follow *w, const mst_numbers *n, uint64_t offset, uint64_t bits) {
    patch *made = mst_array_push(&w->patches, 1);
    if (!made)
        return MST_NO_MEMORY;
    *made = (patch){offset, bits, mst_kind_width[n->field->kind], mst_field_big(w->document, n->field)};
    return MST_OK;
}

/* The path of the list that a fact refers to here: below one of the enclosing records. */
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

/* Removes the owner of a number: the nearest element of a list, or of the list that the fact names. */
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
        return mst_fail(w->diagnostic, MST_REFUSED,
                        "an element that refers to the removed one cannot be removed");
    change *list = NULL;
    if (field->parallel) { /* the element that the row is about */
        const mst_referred *about;
        mst_status status = mst_refers_look_up(&w->walk.refers, field->parallel, &about);
        if (status != MST_OK)
            return status;
        list = about ? mst_change_of(w, &about->target) : NULL;
        if (about && about->target.document && !list) {
            field = mst_field_of(&about->target);
            offset = about->target.offset;
            count = about->count;
            path_of_target(w, about, path, sizeof path);
        }
    }
    if (!list)
        list = mst_change_at(w, field, offset);
    if (!list)
        list = mst_change_begin(w, field, offset, count, path);
    if (!list)
        return MST_NO_MEMORY;
    return index < list->count
               ? mst_follow_remove(w, list, index, "also removed: it refers to a removed element")
               : MST_OK;
}

/* Reports the change of a number, once it is certain. */
static mst_status say_of(follow *w, const mst_numbers *n, uint64_t element, uint32_t component,
                         const char *message) {
    char path[MAX_PATH];
    if (!w->stable || !w->options || !w->options->report)
        return MST_OK;
    mst_numbers_path(&w->walk, n, element, component, path, sizeof path);
    return mst_follow_say(w, MST_INFORMATION, path, n->offset + element * n->stride, message);
}

static mst_status user_found(follow *w, const mst_numbers *n, uint64_t element, uint32_t component,
                             uint64_t offset) {
    char path[MAX_PATH];
    mst_numbers_path(&w->walk, n, element, component, path, sizeof path);
    if (!w->users++)
        MST_SET(w->diagnostic->found, "%s", path);
    return w->stable
               ? mst_follow_say(w, MST_ERROR, path, offset, "refers to an element that would be removed")
               : MST_OK;
}

/* A number that names a removed element: becomes "none" if it has such a value, else its owner is removed.
 * Without `cascade`, the number is a user that refuses the removal. */
static mst_status orphan(follow *w, const mst_numbers *n, const mst_refers *fact, uint64_t element,
                         uint32_t component, uint64_t offset) {
    if (!fact->member && !(w->options && w->options->cascade))
        return user_found(w, n, element, component, offset);
    if (!fact->nones || component < fact->none_from)
        return remove_owner(w, n, fact, element, component);
    mst_status status = say_of(w, n, element, component, "no longer refers to anything");
    return status == MST_OK ? note(w, n, offset, fact->none[0]) : status;
}

/* The number of element `index` of a list after the edit. */
static uint64_t renumbered(const follow *w, const change *list, uint64_t index) {
    if (list->now)
        return index < list->count ? list->now[index] : index + list->more;
    if (w->inserts)
        return index + (index >= list->at);
    return index - list->lower[index];
}

/* For a number that named the first element of a run: the next remaining element of it; UINT64_MAX: none. */
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

/* The element with which a chain continues after the removed one; UINT64_MAX: none. */
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
                        "the numbers of later elements would not fit the fields that refer to them");
    return bits == stored ? MST_OK : note(w, n, offset, bits);
}

/* Finds the number to store in place of one that names a removed element; false: there is none. */
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

/* Removes the chain from `index` on that a removed element carries, if requested; else the removal is
 * refused. */
static mst_status remove_carried(follow *w, const mst_referred *target, change *list, uint64_t index) {
    mst_status status = MST_OK;
    for (uint64_t steps = 0; status == MST_OK && steps < list->count && index < list->count; steps++) {
        char path[MAX_PATH];
        mst_value element;
        if (mst_element(&target->target, index, &element) != MST_OK)
            break;
        snprintf(path, sizeof path, "%s[%llu]", list->path, (unsigned long long)index);
        if (w->options && w->options->cascade)
            status = mst_follow_remove(w, list, index, "also removed: a removed element carries it");
        else if (!list->gone[index]) {
            if (!w->users++)
                MST_SET(w->diagnostic->found, "%s", path);
            if (w->stable)
                status = mst_follow_say(w, MST_ERROR, path, element.offset,
                                        "is carried by an element that would be removed");
        }
        index = mst_number_in(&element, target->fact->heir);
    }
    return status;
}

/* A removed element refers to a removed element: it would be removed with that, if it had not been
 * requested. */
static void goes_with(follow *w, uint8_t how) {
    w->implied |= how == MST_GONE_ASKED && w->options && w->options->cascade;
}

/* `list` is NULL if the element's list does not change; `base`: the new index of its first element. */
static mst_status follow_index(follow *w, const mst_numbers *n, const mst_referred *target, change *list,
                               uint64_t index, uint64_t base, uint64_t element, uint32_t component,
                               uint8_t goes) {
    const mst_refers *fact = target->fact;
    unsigned width = mst_kind_width[n->field->kind];
    uint64_t offset = n->offset + element * n->stride + (uint64_t)component * width;
    uint64_t stored = mst_load(w->document->data + offset, width, mst_field_big(w->document, n->field));
    uint64_t number = index;
    if (list && list->kept && !fact->member && index < list->count)
        (goes ? list->lost : list->kept)[index]++;
    if (goes && list && !list->kept && index < list->count && list->gone[index])
        goes_with(w, goes);
    if (goes)
        return MST_OK;
    bool joins = list && w->inserts && fact->run && index == list->at;
    if (joins && (!index || (!fact->ends_run && index < list->count)))
        number = index; /* the new element is the first of the run, whose end the next run determines */
    else if (list && index < list->count && list->gone[index]) {
        if (!substitute(w, n, target, list, index, element, &number))
            return orphan(w, n, fact, element, component, offset);
        if (number == UINT64_MAX) {
            mst_status status = say_of(w, n, element, component, "no longer refers to anything");
            return status == MST_OK ? note(w, n, offset, fact->none[0]) : status;
        }
        if (!fact->run) {
            const char *what =
                fact->end_is_none ? "no longer refers to anything" : "now refers to another element";
            mst_status status = say_of(w, n, element, component, what);
            if (status != MST_OK)
                return status;
        }
    } else if (list) {
        number = renumbered(w, list, index);
    }
    return store_index(w, n, fact, offset, stored, base + number, component);
}

/* Whether no element with that id remains. */
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
                            uint64_t id, uint64_t element, uint32_t component, uint8_t goes) {
    bool gone = false;
    mst_status status = w->inserts || !list->removed ? MST_OK : has_vanished(w, target, list, id, &gone);
    if (status != MST_OK || !gone)
        return status;
    if (goes) {
        goes_with(w, goes);
        return MST_OK;
    }
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

/* How an element of numbers is removed with its owner; 0: it is kept. */
static uint8_t element_goes(const follow *w, const mst_numbers *n, const change *own, uint64_t element,
                            uint32_t component) {
    uint64_t index = n->column ? element : component;
    if (w->dead)
        return w->how_dead;
    return own && index < own->count ? own->gone[index] : 0;
}

static mst_status follow_fact(follow *w, const mst_numbers *n, const mst_refers *fact) {
    const mst_referred *target;
    mst_status status = mst_refers_look_up(&w->walk.refers, fact, &target);
    if (status != MST_OK || !target)
        return status;
    change *list = mst_change_of(w, &target->target), *then = mst_change_of(w, &target->then);
    if (!list && !then)
        return MST_OK;
    const change *own = mst_change_at(w, n->item->field, n->item->offset);
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
            uint8_t goes = element_goes(w, n, own, i, c);
            if (fact->by == MST_BY_BIT)
                status = goes ? MST_OK : follow_bits(w, n, target, list, i, c, c + 1);
            else if (mst_refers_is_none(fact, stored, width, c) || !mst_refers_hits(target, value) ||
                     (fact->about && !fact->about(w->document, stored)))
                continue;
            else if (goes && fact->carries && !w->inserts && list)
                status = remove_carried(w, target, list, value);
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

mst_status mst_follow_numbers(mst_numbers_walk *walk, const mst_numbers *n) {
    const follow *w = walk->user;
    mst_status status = MST_OK;
    mst_numbers one = *n;
    if (w->given && !w->inside) {
        if (!n->column || mst_change_at(w, n->item->field, n->item->offset) != w->given)
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
