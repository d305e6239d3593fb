/* SPDX-License-Identifier: MIT */
/* Hashes of values: equal values have equal hashes, wherever they are. */
#include "comparing.h"

/* ---- one value -------------------------------------------------------------------------------------- */

#define INNER 8 /* records in a value; numbers in deeper ones are not followed */

typedef struct hasher {
    mst_diff_state *state;
    int side;
    const mst_document *document;
    const mst_range *ranges;
    size_t range_count;
    mst_hashes hashes;
    mst_value inner[INNER];
    uint32_t depth;
} hasher;

static void add(hasher *h, uint64_t offset, uint64_t number) {
    h->hashes.all = mst_mix(h->hashes.all, number);
    for (size_t i = 0; i < h->range_count; i++)
        if (offset >= h->ranges[i].from && offset < h->ranges[i].to)
            return;
    h->hashes.rest = mst_mix(h->hashes.rest, number);
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, uint64_t size) {
    for (; size >= 8; bytes += 8, size -= 8)
        hash = mst_mix(hash, mst_load64(bytes, false));
    uint64_t last = size;
    for (; size; size--)
        last = last << 8 | *bytes++;
    return mst_mix(hash, last);
}

/* Whether a record inside the value has the list that the fact leads to: then numbers keep their meaning with
 * it. */
static bool is_inner(const hasher *h, const mst_refers *fact) {
    for (uint32_t i = 0; i < h->depth && i < INNER; i++)
        if (mst_refers_has_list(mst_record_of(h->document, mst_field_of(&h->inner[i])), fact->target))
            return true;
    return h->depth > INNER;
}

static uint64_t number_of(hasher *h, const mst_field *field, const mst_refers *fact, uint64_t offset,
                          uint32_t component) {
    unsigned width = mst_kind_width[field->kind];
    uint64_t bits = mst_scalar_bits(h->document, field, offset), same;
    uint64_t stored = bits & UINT64_MAX >> (64 - 8 * width);
    if (!fact || mst_refers_is_none(fact, stored, width, component))
        return bits;
    uint64_t mask = fact->mask ? fact->mask : UINT64_MAX;
    if (!mst_scope_number(h->state, h->side, fact, stored & mask, &same, &h->hashes.busy))
        return bits;
    return mst_mix(same, stored & ~mask);
}

/* Hashes an element of two ends by these, in the direction given by a second number. */
static bool directed_of(hasher *h, const mst_compared *facts, const mst_refers *fact, uint64_t number,
                        const mst_value *record, uint64_t *same) {
    mst_value element, ends, end;
    bool turned = record && mst_number_in(record, facts->keys[1]);
    uint64_t hash = 0;
    if (!mst_scope_element(h->state, h->side, fact, number, &element) ||
        mst_member(&element, facts->keys[0], &ends) != MST_OK)
        return false;
    const mst_field *field = mst_field_of(&ends);
    const mst_refers *to = mst_fact_of(field, &element);
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t one;
        if (!to || mst_element(&ends, turned ? 1 - i : i, &end) != MST_OK ||
            !mst_scope_number(h->state, h->side, to, mst_scalar_of(&end), &one, &h->hashes.busy))
            return false;
        hash = mst_mix(hash, one);
    }
    *same = hash;
    return true;
}

static void add_leaf(hasher *h, const mst_item *item) {
    const mst_field *field = item->field;
    uint64_t content = item->offset + item->shape.prefix;
    const mst_compared *facts = mst_compared_of(h->state, field);
    bool in_json = !field->constant && !field->length_of && field->mode != MST_COUNT_ALIGN;
    if (!in_json || (facts && facts->as == MST_AS_DERIVED) ||
        mst_left_out(h->document, field, item->offset, item->limit))
        return;
    if (!mst_is_number(field)) {
        uint64_t bytes = item->offset + item->length - content;
        add(h, item->offset, hash_bytes(field->kind, h->document->data + content, bytes));
        return;
    }
    const mst_value *record = h->depth == 0       ? mst_scope_record(h->state, h->side)
                              : h->depth <= INNER ? &h->inner[h->depth - 1]
                                                  : NULL;
    const mst_refers *fact = field->refers_count ? mst_fact_of(field, record) : NULL;
    const bool is_directed = fact && facts && facts->as == MST_AS_DIRECTED, inner = fact && is_inner(h, fact);
    if (inner)
        fact = NULL;
    if (inner && is_directed && record) /* the number alone does not give the direction */
        add(h, item->offset, mst_number_in(record, facts->keys[1]) != 0);
    for (uint64_t i = 0; i < item->shape.count; i++) {
        uint64_t offset = content + i * mst_kind_width[field->kind], same = 0;
        bool directed =
            is_directed && fact &&
            directed_of(h, facts, fact, mst_scalar_bits(h->document, field, offset), record, &same);
        add(h, offset, directed ? same : number_of(h, field, fact, offset, (uint32_t)i));
    }
}

static mst_status visit(void *user, const mst_item *item) {
    hasher *h = user;
    if (item->index != UINT64_MAX && item->kind != MST_ITEM_DERIVED)
        add(h, item->offset, item->index);
    switch (item->kind) {
    case MST_ITEM_BEGIN_RECORD:
        if (h->depth < INNER)
            h->inner[h->depth] = mst_value_of_item(h->document, item);
        h->depth++;
        break;
    case MST_ITEM_BEGIN_LIST: break; /* follows from its elements: an empty list equals a missing one */
    case MST_ITEM_END_RECORD: h->depth--; break;
    case MST_ITEM_END_LIST:
    case MST_ITEM_DERIVED: break;
    case MST_ITEM_LEAF: add_leaf(h, item);
    }
    return MST_OK;
}

bool mst_diff_means_its_bytes(const mst_diff_state *state, const mst_field *field) {
    if (!state->same_variant || field == &mst_document_field)
        return false;
    return field->kind == MST_KIND_RECORD ? !state->refers[field->record->index] : !mst_names_by_index(field);
}

static void hash_plain(hasher *h, const mst_value *value) {
    uint64_t at = value->offset, end = mst_value_after(value);
    const uint8_t *data = h->document->data;
    h->hashes.all = hash_bytes(end - at, data + at, end - at);
    if (!h->range_count)
        return;
    for (size_t i = 0; i < h->range_count; i++) { /* in ascending order */
        if (h->ranges[i].from < at)
            continue;
        h->hashes.rest = hash_bytes(h->hashes.rest, data + at, h->ranges[i].from - at);
        at = h->ranges[i].to;
    }
    h->hashes.rest = hash_bytes(h->hashes.rest, data + at, end - at);
}

static void hash_one(hasher *h, const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    uint32_t context[MST_VARIABLES];
    mst_walk_request request = {.document = value->document,
                                .field = field,
                                .context = mst_context_of(value, context),
                                .offset = value->offset,
                                .end = value->end,
                                .index = UINT64_MAX,
                                .single = mst_shape_of(value) == MST_SHAPE_ONE && !mst_is_text(field) &&
                                          field->kind != MST_KIND_RAW,
                                .chunk = (value->shape & MST_SHAPE_IN_CHUNK) != 0,
                                .by_case = true,
                                .visitor = visit,
                                .user = h};
    if (mst_walk_field(&request, NULL, NULL) == MST_NO_MEMORY)
        h->state->out_of_memory = true;
}

mst_hashes mst_diff_hash(mst_diff_state *state, int side, const mst_value *value, const mst_range *ranges,
                         size_t range_count) {
    hasher h = {.state = state, .side = side, .document = state->documents[side]};
    h.ranges = ranges;
    h.range_count = range_count;
    mst_value element;
    if (mst_diff_means_its_bytes(state, mst_field_of(value)))
        hash_plain(&h, value);
    else if (mst_shape_of(value) == MST_SHAPE_CHUNK_LIST)
        for (mst_iterator it = mst_iterate(value); mst_next(&it, &element);)
            hash_one(&h, &element);
    else
        hash_one(&h, value);
    return h.hashes;
}

/* ---- values at paths -------------------------------------------------------------------------------- */

bool mst_diff_find(const mst_value *element, const char *path, mst_value *found) {
    *found = *element;
    return !*path || mst_find(*element, path, found, NULL) == MST_OK;
}

/* Whether a value is an empty text, or begins with one. */
static bool is_blank(const mst_value *value) {
    mst_value first = *value;
    char text[1];
    size_t length = 1;
    if (mst_value_type(value) == MST_TYPE_LIST && mst_element(value, 0, &first) != MST_OK)
        return true;
    return mst_value_type(&first) == MST_TYPE_TEXT &&
           mst_get_text(&first, text, sizeof text, &length) == MST_OK && !length;
}

uint64_t mst_diff_hash_paths(mst_diff_state *state, int side, const mst_value *element,
                             const char *const paths[MST_COMPARED_PATHS], mst_found *found) {
    uint64_t hash = 0;
    *found = paths[0] ? MST_FOUND_ALL : MST_FOUND_SOME;
    for (size_t i = 0; i < MST_COMPARED_PATHS && paths[i]; i++) {
        mst_value value;
        bool there = mst_diff_find(element, paths[i], &value);
        if (!there)
            *found = MST_FOUND_SOME;
        else if (*found == MST_FOUND_ALL && is_blank(&value))
            *found = MST_FOUND_BLANK;
        hash = mst_mix(hash, there ? mst_diff_hash(state, side, &value, NULL, 0).all : i);
    }
    return hash;
}

/* ---- equality --------------------------------------------------------------------------------------- */

bool mst_diff_read_alike(const mst_diff_state *state, const mst_value *old_value,
                         const mst_value *new_value) {
    return state->same_variant && mst_field_of(old_value) == mst_field_of(new_value) &&
           memcmp(old_value->context, new_value->context, sizeof old_value->context) == 0;
}

bool mst_diff_same_bytes(const mst_value *a, const mst_value *b) {
    uint64_t size = mst_value_after(a) - a->offset;
    return mst_value_after(b) - b->offset == size &&
           memcmp(a->document->data + a->offset, b->document->data + b->offset, (size_t)size) == 0;
}

bool mst_diff_equal(mst_diff_state *state, const mst_value *old_value, const mst_value *new_value,
                    bool whole) {
    const mst_field *field = mst_field_of(old_value);
    bool alike =
        mst_shape_of(old_value) != MST_SHAPE_CHUNK_LIST && mst_diff_read_alike(state, old_value, new_value);
    if (alike && mst_diff_means_its_bytes(state, field))
        return mst_diff_same_bytes(old_value, new_value);
    bool record = mst_value_type(old_value) == MST_TYPE_RECORD || field->kind == MST_KIND_RECORD;
    bool list = mst_value_type(old_value) == MST_TYPE_LIST;
    if (alike && field->kind == MST_KIND_RECORD && field != &mst_document_field) {
        if (list && !whole) /* reported by its elements */
            return false;
        if (!list && mst_diff_same_bytes(old_value, new_value)) {
            const mst_known_targets known = mst_match_targets(state, field->record);
            if (known.bytes_tell && !known.busy)
                return true;
        }
    }
    /* of two versions, one may have fields that the other lacks */
    if (mst_value_type(old_value) != mst_value_type(new_value) || (record && !whole && !state->same_variant))
        return false;
    mst_hashes a = mst_diff_hash(state, MST_OLD, old_value, NULL, 0),
               b = mst_diff_hash(state, MST_NEW, new_value, NULL, 0);
    return !a.busy && !b.busy && a.all == b.all;
}

/* A sum over the members that both documents have, in any order. */
static uint64_t sum_of_members(mst_diff_state *state, int side, const mst_value *list,
                               const mst_refers *fact) {
    mst_value number;
    uint64_t sum = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &number);) {
        uint32_t index = mst_scope_matched(state, side, fact, mst_scalar_of(&number));
        if (index != MST_NOBODY)
            sum += mst_mix(mst_mix(1, index), index);
    }
    return sum;
}

bool mst_diff_same_members(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list) {
    const mst_field *field = mst_field_of(old_list);
    if (field != mst_field_of(new_list) || !mst_names_by_index(field) || !mst_is_list(field))
        return false;
    const mst_refers *fact = mst_fact_of(field, mst_scope_record(state, MST_NEW));
    return fact && fact->member &&
           sum_of_members(state, MST_OLD, old_list, fact) == sum_of_members(state, MST_NEW, new_list, fact);
}
