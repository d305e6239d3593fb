/* SPDX-License-Identifier: MIT */
#include "numbers.h"

/* ---- paths ---------------------------------------------------------------------------------------- */

size_t mst_numbers_item_path(const mst_numbers_walk *walk, const mst_item *item, char *path,
                             size_t capacity) {
    size_t length = 0;
    path[0] = 0;
    for (uint32_t i = 0; i < walk->depth && i < MST_NUMBERS_LEVELS; i++)
        length = mst_path_step(path, capacity, length, walk->steps[i].name, walk->steps[i].index);
    return mst_path_step(path, capacity, length, item->name, item->index);
}

size_t mst_numbers_path(const mst_numbers_walk *walk, const mst_numbers *n, uint64_t element,
                        uint64_t component, char *path, size_t capacity) {
    bool many = n->components > 1 || n->field->mode != MST_COUNT_ONE;
    size_t length = mst_numbers_item_path(walk, n->item, path, capacity);
    if (n->column)
        length = mst_path_step(path, capacity, length, "", element);
    return mst_path_step(path, capacity, length, n->column, many ? component : UINT64_MAX);
}

/* ---- conditions ----------------------------------------------------------------------------------- */

bool mst_numbers_apply(const mst_numbers_walk *walk, const mst_numbers *n, const mst_refers *fact,
                       uint64_t element) {
    const mst_document *document = walk->document;
    const mst_value *around = mst_refers_around(&walk->refers);
    uint64_t record = n->column ? n->element + element * n->stride : around ? around->offset : 0;
    uint64_t decides = 0;
    if (n->record && n->record->vacant &&
        (MST_CHANGED(!mst_fits(record, mst_plan_of(document, n->record)->minimum, document->size)) ||
         n->record->vacant(document->data + record)))
        return false;
    if (!fact->where)
        return true;
    if (n->record) {
        const mst_plan *plan = mst_plan_of(document, n->record);
        for (uint16_t f = 0; f < n->record->field_count; f++)
            if (strcmp(n->record->fields[f].name, fact->where) == 0)
                decides = mst_scalar_bits(document, &n->record->fields[f], record + plan->fields[f].offset);
    } else if (around) {
        decides = mst_number_in(around, fact->where);
    }
    return (decides == fact->value) == (fact->operation == MST_EQUAL);
}

void mst_numbers_mark(const mst_numbers_walk *walk, const mst_numbers *n, const mst_refers *fact,
                      uint8_t *marks, uint64_t count, uint8_t mark) {
    const unsigned width = mst_kind_width[n->field->kind];
    const bool big = mst_field_big(walk->document, n->field);
    for (uint64_t e = 0; e < n->count; e++)
        for (uint32_t k = 0; k < n->components && mst_numbers_apply(walk, n, fact, e); k++) {
            const uint64_t at = n->offset + e * n->stride + k * (uint64_t)width;
            const uint64_t stored = mst_load(walk->document->data + at, width, big);
            const uint64_t index = stored & (fact->mask ? fact->mask : UINT64_MAX);
            if (!mst_refers_is_none(fact, stored, width, k) && index < count)
                marks[index] = mark;
        }
}

/* ---- the walk ------------------------------------------------------------------------------------- */

static mst_status enter(mst_numbers_walk *walk, const mst_item *item) {
    if (walk->depth < MST_NUMBERS_LEVELS)
        walk->steps[walk->depth] = (mst_numbers_step){item->name, item->index, item->field, item->offset};
    walk->depth++;
    return walk->enter ? walk->enter(walk, item) : MST_OK;
}

static void leave(mst_numbers_walk *walk) {
    if (walk->leave)
        walk->leave(walk);
    walk->depth--;
}

/* Whether the records of a list have only numbers. */
static bool is_flat(const mst_numbers_walk *walk, const mst_record *record) {
    const mst_plan *plan = mst_plan_of(walk->document, record);
    for (uint16_t i = 0; i < record->field_count; i++)
        if (plan->fields[i].presence != MST_ABSENT && !mst_is_number(&record->fields[i]))
            return false;
    return true;
}

static mst_status visit_columns(mst_numbers_walk *walk, const mst_item *item) {
    const mst_record *record = item->record;
    const mst_plan *plan = mst_plan_of(walk->document, record);
    bool finite = walk->skips_floats && walk->skips_floats(walk, item, plan);
    mst_numbers n = {.item = item, .record = record, .stride = plan->stride, .count = item->shape.count};
    n.element = item->offset + item->shape.prefix;
    mst_status status = MST_OK;
    for (uint16_t i = 0; i < record->field_count && status == MST_OK; i++) {
        n.field = &record->fields[i];
        if (plan->fields[i].presence == MST_ABSENT || (finite && n.field->kind == MST_KIND_F32))
            continue;
        n.offset = n.element + plan->fields[i].offset;
        n.components = plan->fields[i].size / mst_kind_width[n.field->kind];
        n.column = record->is_inline ? "" : n.field->name;
        status = walk->numbers(walk, &n);
    }
    return status;
}

static mst_status visit_list(mst_numbers_walk *walk, const mst_item *item) {
    mst_status status = enter(walk, item);
    bool texts = item->record->is_inline && mst_is_text(&item->record->fields[0]),
         flat = !texts && item->shape.element && is_flat(walk, item->record);
    if (status != MST_OK || (!texts && !flat))
        return status;
    walk->depth--; /* the item has the list's name */
    if (flat)
        status = visit_columns(walk, item);
    walk->depth++;
    leave(walk);
    return status == MST_OK ? MST_UNKNOWN : status;
}

static mst_status visit(void *user, const mst_item *item) {
    mst_numbers_walk *walk = user;
    if (walk->item && (item->met & MST_NUMBERS_ITEM)) {
        mst_status status = walk->item(walk, item);
        if (status != MST_OK)
            return status;
    }
    switch (item->kind) {
    case MST_ITEM_DERIVED: return MST_OK;
    case MST_ITEM_END_RECORD: mst_refers_leave(&walk->refers, item->depth); __attribute__((fallthrough));
    case MST_ITEM_END_LIST: leave(walk); return MST_OK;
    case MST_ITEM_BEGIN_LIST: return visit_list(walk, item);
    case MST_ITEM_BEGIN_RECORD: mst_refers_enter(&walk->refers, item); return enter(walk, item);
    case MST_ITEM_LEAF: break;
    }
    if (!(item->met & MST_NUMBERS_NUMBER) || !mst_is_number(item->field))
        return MST_OK;
    mst_numbers n = {.item = item,
                     .field = item->field,
                     .offset = item->offset + item->shape.prefix,
                     .count = 1,
                     .components =
                         item->shape.count <= UINT32_MAX ? (uint32_t)item->shape.count : UINT32_MAX};
    return walk->numbers(walk, &n);
}

mst_status mst_numbers_visit(mst_numbers_walk *walk, mst_diagnostic *diagnostic) {
    mst_walk_request request = mst_walk_of_document(walk->document);
    request.visitor = visit;
    request.user = walk;
    request.runs = walk->runs;
    walk->depth = 0;
    return mst_walk_field(&request, NULL, diagnostic);
}
