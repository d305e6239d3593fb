/* SPDX-License-Identifier: MIT */
/* The new numbers are written first, before anything moves; then elements are inserted or removed, the last
 * in the file first, so that the paths of the others remain valid. */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/unreachable.h"
#include "../read/landmarks.h"
#include "../tables/fields.h"
#include "assign.h"
#include "editing.h"
#include "following.h"
#include "single_edit.h"
#include "waiting_sets.h"
#include <stdio.h>
#include <stdlib.h>

/* A removed element, or a place of an insertion. */
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

mst_status mst_follow_write_numbers(follow *w) {
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

const char *mst_follow_voided(const follow *w) {
    const char *name = NULL;
    mst_value value;
    for (const change *c = w->changes; c && !name; c = c->next) {
        if (MST_OPTION(w->document->format->editing, voids) && (w->inserts || c->removed || c->now) &&
            mst_find(mst_root(w->document), c->path, &value, NULL) == MST_OK)
            name = w->document->format->editing->voids(&value);
    }
    return name;
}

mst_status mst_follow_remove_voided(follow *w, const char *name) {
    mst_value root = mst_root(w->document), value;
    if (mst_member(&root, name, &value) != MST_OK)
        return MST_OK;
    mst_status status = mst_edit_remove(w->document, name, w->diagnostic);
    return status == MST_OK
               ? mst_follow_say(w, MST_WARNING, name, MST_NO_OFFSET, "also removed: it is no longer valid")
               : status;
}

/* The element to insert into a list: the given one, or the row of the copied element; NULL: an empty one. */
static mst_status element_for(follow *w, const change *list, const change *first, const char *given,
                              const char **json) {
    mst_value rows, row;
    *json = list == first ? given : NULL;
    if (list == first || w->copied == UINT64_MAX ||
        mst_find(mst_root(w->document), list->path, &rows, NULL) != MST_OK ||
        mst_element(&rows, w->copied, &row) != MST_OK)
        return MST_OK;
    return mst_value_text(&row, &w->arena, json, w->diagnostic);
}

bool mst_goes_together(const mst_format *format) {
    if (MST_OPTION(format->editing, renumber) || format->files.count)
        return false;
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        if (it.record->archive || it.field->mode == MST_COUNT_ARCHIVE)
            return false;
    return true;
}

bool mst_come_together(const mst_value *list, int by, bool last) {
    const mst_format *format = list->document->format;
    const mst_field *field = mst_field_of(list);
    return field->mode != MST_COUNT_ARCHIVE && field->mode != MST_COUNT_SENTINEL &&
           !MST_OPTION(format->editing, one_by_one) &&
           (!MST_OPTION(format->editing, renumber) ||
            (MST_OPTION(format->editing, alone) && !format->editing->alone(list, by, last)));
}

static mst_status remove_from(follow *w, const change *c, mst_batch *batch, mst_chain *list) {
    mst_value element;
    uint64_t i = 0, left = c->removed;
    mst_status status = mst_find_chain(mst_root(w->document), c->path, list, w->diagnostic);
    if (status != MST_OK)
        return status;
    mst_value value = list->values[list->count - 1];
    for (mst_iterator it = mst_iterate(&value); left && status == MST_OK && mst_next(&it, &element); i++)
        if (c->gone[i]) {
            status = mst_batch_remove(batch, c->path, list, &element, i);
            left--;
        }
    return status;
}

static mst_status remove_together(follow *w) {
    mst_batch batch;
    mst_chain list = {.values = mst_arena_take(&w->arena, MST_PATH_DEPTH + 1, sizeof *list.values),
                      .indices = mst_arena_take(&w->arena, MST_PATH_DEPTH + 1, sizeof *list.indices)};
    mst_status status = list.values && list.indices ? mst_follow_write_numbers(w) : MST_NO_MEMORY;
    mst_batch_begin(&batch, w->document, NULL);
    for (const change *c = w->changes; c && status == MST_OK; c = c->next)
        if (c->removed && !(c->field->flags & MST_FIELD_SLOTS))
            status = remove_from(w, c, &batch, &list);
    if (status == MST_OK)
        status = mst_batch_settle(&batch, w->diagnostic);
    mst_batch_end(&batch);
    return status;
}

static int list_last_first(const void *left, const void *right) {
    const change *a = *(const change *const *)left, *b = *(const change *const *)right;
    return (a->offset < b->offset) - (a->offset > b->offset);
}

/* The lists from which elements are removed, the last in the file first: they may be in removed elements of
 * another list. `lists` NULL: one of the lists cannot lose all its elements at once. */
static mst_status shrinking(follow *w, const change ***lists, size_t *count) {
    mst_value list;
    size_t all = 0;
    *count = 0;
    *lists = NULL;
    for (const change *c = w->changes; c; c = c->next)
        all++;
    const change **made = mst_arena_take(&w->arena, all + 1, sizeof *made);
    if (!made)
        return MST_NO_MEMORY;
    for (const change *c = w->changes; c; c = c->next) {
        if (!c->removed || (c->field->flags & MST_FIELD_SLOTS))
            continue;
        if (mst_find(mst_root(w->document), c->path, &list, NULL) != MST_OK ||
            !mst_come_together(&list, -1, c->count && c->gone[c->count - 1]))
            return MST_OK;
        made[(*count)++] = c;
    }
    qsort(made, *count, sizeof *made, list_last_first);
    for (size_t i = 1; i < *count; i++)
        if (made[i]->offset == made[i - 1]->offset) /* it is not known which of them contains the other */
            return MST_OK;
    *lists = made;
    return MST_OK;
}

/* Begins edits of several lists. After the first, the numbers are already final: the format examines the
 * document again only after the last. */
static mst_status begin_steps(follow *w, size_t count, mst_document **before) {
    *before = NULL;
    mst_status status =
        count > 1 && w->document->format->fix_up ? mst_edit_copy(w->document, before, w->diagnostic) : MST_OK;
    if (status == MST_OK)
        status = mst_follow_write_numbers(w);
    w->document->between = count > 1;
    return status;
}

static mst_status end_steps(follow *w, size_t count, mst_document *before, mst_status status) {
    mst_document *document = w->document;
    document->between = false;
    if (status == MST_OK && before)
        document->format->fix_up(before, document, document->own);
    mst_close(before);
    return status == MST_OK && count > 1 ? mst_serialize(document, w->diagnostic) : status;
}

static mst_status remove_by_lists(follow *w, const change **lists, size_t count) {
    mst_document *before;
    mst_status status = begin_steps(w, count, &before);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        uint64_t *gone = mst_arena_take(&w->arena, (size_t)lists[i]->removed + 1, sizeof *gone);
        size_t found = 0;
        for (uint64_t k = 0; gone && k < lists[i]->count && found < lists[i]->removed; k++)
            if (lists[i]->gone[k])
                gone[found++] = k;
        status = gone ? mst_edit_remove_many(w->document, lists[i]->path, gone, found, w->diagnostic)
                      : MST_NO_MEMORY;
    }
    return end_steps(w, count, before, status);
}

mst_status mst_follow_carry_out(follow *w, const char *json) {
    place *places = NULL;
    size_t count = 0;
    const change *first = w->changes;
    while (first && first->next) /* the list that the caller named was the first to change */
        first = first->next;
    const char *voided = mst_follow_voided(w);
    if (!w->inserts && mst_goes_together(w->document->format)) {
        mst_status together = remove_together(w);
        return together == MST_OK && voided ? mst_follow_remove_voided(w, voided) : together;
    }
    const change **lists = NULL;
    mst_status status = w->inserts ? MST_OK : shrinking(w, &lists, &count);
    if (status == MST_OK && lists) {
        status = remove_by_lists(w, lists, count);
        return status == MST_OK && voided ? mst_follow_remove_voided(w, voided) : status;
    }
    if (status == MST_OK)
        status = places_of(w, &places, &count);
    mst_document *before = NULL;
    if (status == MST_OK)
        status = begin_steps(w, count, &before);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        char path[MAX_PATH + 24];
        snprintf(path, sizeof path, "%s[%llu]", places[i].list->path, (unsigned long long)places[i].index);
        const char *element = NULL;
        if (w->inserts)
            status = element_for(w, places[i].list, first, json, &element);
        if (w->inserts && status == MST_OK)
            status = mst_edit_insert(w->document, path, element, w->diagnostic);
        else if (!w->inserts)
            status = mst_edit_remove(w->document, path, w->diagnostic);
    }
    status = end_steps(w, count, before, status);
    return status == MST_OK && voided ? mst_follow_remove_voided(w, voided) : status;
}

/* ---- several insertions ------------------------------------------------------------------------------- */

/* The rows for a parallel list: the copied elements' rows, from before the insertions; else empty ones. If
 * the list is too short, only the rows that have a place. */
static mst_status begin_rows(follow *w, const change *list, const mst_insertion *all, size_t count,
                             mst_insertion **made, size_t *made_count) {
    mst_landmarks *landmarks = mst_arena_zero(&w->arena, 1, sizeof *landmarks);
    mst_value rows, row;
    *made = mst_arena_take(&w->arena, count + 1, sizeof **made);
    *made_count = 0;
    if (!*made || !landmarks)
        return MST_NO_MEMORY;
    mst_status status = mst_find(mst_root(w->document), list->path, &rows, w->diagnostic);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        if (all[i].index - i > list->count)
            break;
        mst_insertion *one = &(*made)[(*made_count)++];
        *one = (mst_insertion){.index = all[i].index, .copied = all[i].copied};
        one->path = mst_arena_printf(&w->arena, "%s[%llu]", list->path, (unsigned long long)all[i].index);
        if (one->copied < list->count)
            status = mst_landmarks_element(landmarks, &rows, one->copied, &row);
        if (one->copied < list->count && status == MST_OK)
            status = mst_value_text(&row, &w->arena, &one->json, w->diagnostic);
        if (!one->path)
            status = MST_NO_MEMORY;
    }
    mst_landmarks_reset(landmarks);
    return status;
}

/* The rows of elements that are not copies, as their format makes them from the elements, which now exist. */
static mst_status make_rows(follow *w, const change *list, const change *rows, mst_insertion *made,
                            size_t count) {
    mst_value elements, element;
    uint64_t index = 0;
    size_t next = 0;
    if (!MST_OPTION(w->document->format->editing, row))
        return MST_OK;
    mst_status status = mst_find(mst_root(w->document), list->path, &elements, w->diagnostic);
    mst_iterator it = mst_iterate(&elements);
    for (; next < count && status == MST_OK && mst_next(&it, &element); index++) {
        if (index != made[next].index)
            continue;
        if (made[next].copied == UINT64_MAX)
            status = w->document->format->editing->row(&element, rows->field, &w->arena, &made[next].json);
        next++;
    }
    return status;
}

mst_status mst_follow_carry_insertions(follow *w, const mst_insertion *all, size_t count) {
    mst_insertion *rows[MST_PARALLEL_MAX];
    size_t counts[MST_PARALLEL_MAX], lists = 0;
    const change *own = w->changes;
    while (own->next)
        own = own->next;
    mst_status status = MST_OK;
    for (const change *c = w->changes; c != own && status == MST_OK; c = c->next) {
        if (MST_UNREACHABLE(lists == MST_PARALLEL_MAX)) /* see mst_is_followed_at_once */
            return MST_REFUSED;
        status = begin_rows(w, c, all, count, &rows[lists], &counts[lists]);
        lists++;
    }
    mst_document *before = NULL;
    if (status == MST_OK)
        status = begin_steps(w, lists + 1, &before);
    if (status == MST_OK)
        status = mst_edit_insert_many(w->document, own->path, all, count, w->diagnostic);
    size_t k = 0;
    for (const change *c = w->changes; c != own && status == MST_OK; c = c->next, k++) {
        status = make_rows(w, own, c, rows[k], counts[k]);
        if (status == MST_OK && counts[k])
            status = mst_edit_insert_many(w->document, c->path, rows[k], counts[k], w->diagnostic);
    }
    return end_steps(w, lists + 1, before, status);
}

mst_status mst_follow_fill_rows(follow *w, const change *changes, uint64_t index) {
    mst_value list, element;
    mst_status status = MST_OK;
    for (const change *c = changes; MST_OPTION(w->document->format->editing, row) && c && status == MST_OK;
         c = c->next) {
        const char *json = NULL, *path = NULL;
        if (!c->next) /* the list itself was the first to change */
            break;
        status = mst_find(mst_root(w->document), w->path, &list, w->diagnostic);
        if (status == MST_OK)
            status = mst_element(&list, index, &element);
        if (status == MST_OK && index <= c->count)
            status = w->document->format->editing->row(&element, c->field, &w->arena, &json);
        if (status == MST_OK && json)
            path = mst_arena_printf(&w->arena, "%s[%llu]", c->path, (unsigned long long)index);
        if (path)
            status = mst_edit_set(w->document, path, json, w->diagnostic);
        else if (json)
            status = MST_NO_MEMORY;
    }
    return status;
}

/* ---- another order ------------------------------------------------------------------------------------- */

/* Archives store the offsets of their blocks. Where bytes cannot simply change places, the list is encoded
 * again. */
static mst_status permute_blocks(follow *w, const change *c, const mst_value *list, const uint32_t *from) {
    const char *old;
    mst_json json = {0};
    mst_buffer made = {.allocator = w->arena.allocator};
    mst_sink sink = mst_buffer_sink(&made);
    mst_status status = mst_edit_permute_blocks(w->document, list, from, &w->arena);
    if (status != MST_UNSUPPORTED)
        return status;
    status = mst_value_text(list, &w->arena, &old, w->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse(old, strlen(old), &w->arena, &json, w->diagnostic);
    uint32_t *starts =
        status == MST_OK ? mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *starts) : NULL;
    if (status == MST_OK && !starts)
        status = MST_NO_MEMORY;
    for (uint32_t i = 0, at = 1; status == MST_OK && i < c->count; i++, at = json.nodes[at].end)
        starts[i] = at;
    for (uint64_t i = 0; status == MST_OK && i < c->count; i++) {
        const char *block = mst_json_text_of(&json, starts[from[i]], &w->arena);
        status = block ? sink.write(sink.user, i ? "," : "[", 1) : MST_NO_MEMORY;
        if (status == MST_OK)
            status = sink.write(sink.user, block, strlen(block));
    }
    if (status == MST_OK)
        status = sink.write(sink.user, "]", 2); /* with the NUL */
    if (status == MST_OK)
        status = mst_edit_set(w->document, c->path, (const char *)made.data, w->diagnostic);
    mst_buffer_free(&made);
    return status;
}

/* Reorders the elements of one list, with the headers of chunks. */
static mst_status permute_one(follow *w, const change *c) {
    mst_value list, element;
    mst_status status = mst_find(mst_root(w->document), c->path, &list, NULL);
    uint64_t *starts = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *starts), i = 0;
    uint64_t *ends = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *ends);
    uint32_t *from = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *from);
    if (status != MST_OK || !starts || !ends || !from)
        return status != MST_OK ? status : MST_NO_MEMORY;
    const mst_chunks *chunks = mst_shape_of(&list) == MST_SHAPE_CHUNK_LIST ? mst_chunks_of_list(&list) : NULL;
    uint64_t header = chunks && !mst_holds_header(chunks, c->field) ? MST_CHUNK_HEADER : 0;
    for (mst_iterator it = mst_iterate(&list); i < c->count && mst_next(&it, &element); i++) {
        from[c->now[i]] = (uint32_t)i;
        starts[i] = element.offset - header;
        ends[i] = mst_value_after(&element);
        if (i && starts[i] != ends[i - 1] && c->field->mode != MST_COUNT_ARCHIVE)
            return mst_fail(w->diagnostic, MST_REFUSED, "other chunks are between the elements");
    }
    if (i < c->count || !i)
        return MST_OK;
    if (c->field->mode == MST_COUNT_ARCHIVE)
        return permute_blocks(w, c, &list, from);
    uint64_t begin = starts[0], size = ends[i - 1] - begin;
    uint8_t *old = mst_arena_take(&w->arena, (size_t)size + 1, 1), *to = mst_edit_bytes(w->document) + begin;
    if (!old)
        return MST_NO_MEMORY;
    memcpy(old, to, (size_t)size);
    for (i = 0; i < c->count; i++) {
        size_t length = (size_t)(ends[from[i]] - starts[from[i]]);
        memcpy(to, old + (starts[from[i]] - begin), length);
        to += length;
    }
    return MST_OK;
}

mst_status mst_follow_permute(follow *w) {
    mst_status status = MST_OK;
    for (const change *c = w->changes; c && status == MST_OK; c = c->next)
        if (c->now)
            status = permute_one(w, c);
    return status;
}
