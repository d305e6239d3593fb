/* SPDX-License-Identifier: MIT */
/*
 * The values stored in bytes of a file, and the bytes of a value. The requested bytes become *parts* of the
 * document's bytes; a walk enters only values that have some of them.
 */
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "../read/engine.h"
#include <mapstone/place.h>
#include <stdlib.h>

/* Requested bytes of the document, all of one span. */
typedef struct part {
    uint64_t begin, end;
    size_t span;
} part;

/* A found field, kept until all are found: the parsed bytes are in another order than the file's. */
typedef struct found_field {
    mst_file_field field;
    mst_value value;
    uint64_t from, length; /* in the range's origin */
    size_t order;
} found_field;

typedef struct search {
    const mst_document *document;
    const mst_spans *spans; /* NULL: the document's bytes are those of its file */
    const mst_file_range *range;
    uint32_t origin;        /* the range's */
    mst_array parts, notes; /* of part, by `begin`; of indices of notes, by `at` */
    size_t next_note;
    mst_array path, lengths; /* the path of the current record or list; lengths of the enclosing paths */
    mst_array fields;        /* of found_field, if there are spans */
    mst_arena texts;         /* of their paths */
    bool fresh;              /* the next item is the element with which a separate walk begins */
    mst_file_field_function found;
    void *user;
} search;

/* ---- paths ----------------------------------------------------------------------------------------- */

static size_t path_length(const search *s) {
    return s->lengths.count ? ((const size_t *)s->lengths.items)[s->lengths.count - 1] : 0;
}

/* The path of an item in the current record or list; NULL: out of memory. */
static const char *path_with(search *s, const char *name, uint64_t index, size_t *length) {
    size_t begin = path_length(s);
    for (;;) {
        char *text = s->path.items;
        if (text) {
            text[begin] = 0;
            *length = mst_path_step(text, s->path.capacity, begin, name, index);
            if (*length < s->path.capacity)
                return text;
        }
        s->path.count = s->path.capacity;
        if (!mst_array_push(&s->path, 256))
            return NULL;
    }
}

static mst_status enter(search *s, const char *name, uint64_t index) {
    size_t length, *kept;
    if (!path_with(s, name, index, &length) || !(kept = mst_array_push(&s->lengths, 1)))
        return MST_NO_MEMORY;
    *kept = length;
    return MST_OK;
}

static void leave(search *s) {
    if (s->lengths.count)
        s->lengths.count--;
}

/* ---- parts ----------------------------------------------------------------------------------------- */

/* The first part that ends after `begin`. */
static size_t part_from(const search *s, uint64_t begin) {
    const part *parts = s->parts.items;
    MST_LOWER_BOUND(low, middle, s->parts.count, parts[middle].end <= begin);
    return low;
}

static bool has_parts(const search *s, uint64_t begin, uint64_t end) {
    size_t i = part_from(s, begin);
    return i < s->parts.count && ((const part *)s->parts.items)[i].begin < end;
}

/* Whether the walk has to enter the item with these bytes: notes are also reported in order. */
static bool wanted(const search *s, uint64_t begin, uint64_t end) {
    const size_t *notes = s->notes.items;
    return has_parts(s, begin, end) ||
           (s->spans && s->next_note < s->notes.count && s->spans->notes[notes[s->next_note]].at < end);
}

/* Adds the bytes of a span within the range, in whole units. */
static mst_status add_span(search *s, size_t index) {
    const mst_span *span = &s->spans->items[index];
    uint64_t stop = index + 1 < s->spans->count ? span[1].begin : s->document->size, from, length;
    uint64_t after = s->range->offset + s->range->length;
    mst_span_source(span, span->begin, stop, &from, &length);
    if (span->origin != s->origin || span->copy || from >= after || from + length <= s->range->offset)
        return MST_OK;
    uint64_t first = s->range->offset > from ? (s->range->offset - from) / span->width : 0;
    uint64_t units = (after - from + span->width - 1) / span->width;
    part *made = mst_array_push(&s->parts, 1);
    if (!made)
        return MST_NO_MEMORY;
    uint64_t most = (stop - span->begin + span->unit - 1) / span->unit;
    uint64_t last = units < most ? units : most;
    *made = (part){span->begin + first * span->unit, span->begin + last * span->unit, index};
    if (made->end > stop)
        made->end = stop;
    return MST_OK;
}

static mst_status add_note(search *s, size_t index) {
    const mst_note *note = &s->spans->notes[index];
    if (note->origin != s->origin || note->from >= s->range->offset + s->range->length ||
        note->from + note->length <= s->range->offset)
        return MST_OK;
    size_t *kept = mst_array_push(&s->notes, 1);
    if (!kept)
        return MST_NO_MEMORY;
    *kept = index;
    return MST_OK;
}

static mst_status find_parts(search *s) {
    mst_status status = MST_OK;
    if (!s->spans) {
        part *all = mst_array_push(&s->parts, 1);
        if (all)
            *all = (part){s->range->offset, s->range->offset + s->range->length, 0};
        return all ? MST_OK : MST_NO_MEMORY;
    }
    for (size_t i = 0; i < s->spans->count && status == MST_OK; i++)
        status = add_span(s, i);
    for (size_t i = 0; i < s->spans->note_count && status == MST_OK; i++)
        status = add_note(s, i);
    return status;
}

/* ---- fields ---------------------------------------------------------------------------------------- */

/* Keeps a field of bytes of the origin until the walk is over. */
static mst_status keep(search *s, const mst_file_field *field, uint64_t from, uint64_t length) {
    if (!length)
        return MST_OK;
    found_field *made = mst_array_push(&s->fields, 1);
    char *path = made ? mst_arena_text(&s->texts, field->path, strlen(field->path)) : NULL;
    if (!path)
        return MST_NO_MEMORY;
    *made = (found_field){.field = *field, .from = from, .length = length, .order = s->fields.count};
    made->field.path = path;
    if (field->value)
        made->value = *field->value;
    return MST_OK;
}

/* Reports the document's bytes of a field, separately for each part's span. */
static mst_status field_at(search *s, mst_file_field *field, uint64_t offset, uint64_t length) {
    const part *parts = s->parts.items;
    mst_status status = MST_OK;
    if (!length || !has_parts(s, offset, offset + length))
        return MST_OK;
    if (!s->spans) {
        field->place = (mst_place){.kind = MST_PLACE_FILE, .offset = offset, .length = length};
        return s->found(s->user, field);
    }
    for (size_t i = part_from(s, offset);
         status == MST_OK && i < s->parts.count && parts[i].begin < offset + length; i++) {
        const mst_span *span = &s->spans->items[parts[i].span];
        uint64_t stop = parts[i].span + 1 < s->spans->count ? span[1].begin : s->document->size;
        uint64_t begin = offset > span->begin ? offset : span->begin, end = offset + length, from, size;
        mst_span_source(span, begin, end < stop ? end : stop, &from, &size);
        status = keep(s, field, from, size);
    }
    return status;
}

/* Reports notes about bytes before `offset`. */
static mst_status pass_notes(search *s, uint64_t offset) {
    size_t length;
    const size_t *notes = s->notes.items;
    mst_status status = MST_OK;
    for (; s->next_note < s->notes.count && status == MST_OK; s->next_note++) {
        const mst_note *note = &s->spans->notes[notes[s->next_note]];
        if (note->at > offset)
            break;
        mst_file_field field = {.byte_class = note->byte_class,
                                .name = note->name,
                                .path = path_with(s, NULL, UINT64_MAX, &length)};
        if (note->unpacked != MST_ORIGIN_NONE)
            field.unpacked = s->spans->origins[note->unpacked].size;
        status = field.path ? keep(s, &field, note->from, note->length) : MST_NO_MEMORY;
    }
    return status;
}

/* Bytes that no path names. */
static mst_status unnamed(search *s, const char *name, mst_byte_class as, uint64_t offset, uint64_t length) {
    size_t size;
    mst_file_field field = {.byte_class = as, .name = name, .path = path_with(s, NULL, UINT64_MAX, &size)};
    return field.path ? field_at(s, &field, offset, length) : MST_NO_MEMORY;
}

/* ---- the walk -------------------------------------------------------------------------------------- */

static mst_status visit(void *user, const mst_item *item);

/* Visits the elements `first` to `last` of a list of records of one size, each in a separate walk. */
static mst_status visit_elements(search *s, const mst_item *item, uint64_t first, uint64_t last) {
    mst_walk_request request = {.document = s->document,
                                .field = item->field,
                                .context = item->context,
                                .single = true,
                                .trusted = true,
                                .visitor = visit,
                                .user = s};
    mst_status status = MST_OK;
    for (uint64_t i = first; i <= last && status == MST_OK; i++) {
        request.index = i;
        request.offset = item->offset + item->shape.prefix + i * item->shape.element;
        request.end = request.offset + item->shape.element;
        s->fresh = true;
        status = mst_walk_field(&request, NULL, NULL);
        s->fresh = false;
    }
    return status;
}

/* A list of records of one size: visits only the elements that have some of the parts. */
static mst_status visit_fixed(search *s, const mst_item *item) {
    const part *parts = s->parts.items;
    uint64_t begin = item->offset + item->shape.prefix, next = 0;
    uint64_t end = begin + item->shape.count * item->shape.element;
    mst_status status = MST_OK;
    for (size_t i = part_from(s, begin); status == MST_OK && i < s->parts.count && parts[i].begin < end;
         i++) {
        uint64_t low = parts[i].begin > begin ? (parts[i].begin - begin) / item->shape.element : 0;
        uint64_t after = parts[i].end < end ? parts[i].end : end;
        uint64_t high = after > begin ? (after - begin - 1) / item->shape.element : 0;
        if (low < next)
            low = next;
        if (high < low || low >= item->shape.count)
            continue;
        status = visit_elements(s, item, low, high);
        next = high + 1;
    }
    return status;
}

static mst_status begin(search *s, const mst_item *item, const char *name) {
    bool list = item->kind == MST_ITEM_BEGIN_LIST;
    if (s->lengths.count) {
        mst_value value = mst_value_of_item(s->document, item);
        if (!wanted(s, item->offset, mst_value_after(&value)))
            return MST_UNKNOWN;
    }
    mst_status status = enter(s, name, item->index);
    if (status != MST_OK || !list)
        return status;
    status = unnamed(s, "count", MST_BYTES_DERIVED, item->offset, item->shape.prefix);
    if (status != MST_OK || !item->shape.element)
        return status;
    status = visit_fixed(s, item);
    if (status == MST_OK)
        status =
            pass_notes(s, item->offset + item->shape.prefix + item->shape.count * item->shape.element - 1);
    leave(s);
    return status == MST_OK ? MST_UNKNOWN : status;
}

/* Reports those numbers of a list that have some of the parts. */
static mst_status visit_numbers(search *s, const mst_item *item, mst_file_field *field, const char *name) {
    uint64_t at = item->offset + item->shape.prefix, width = item->shape.element;
    uint64_t end = at + item->shape.count * width;
    const part *parts = s->parts.items;
    mst_value element;
    size_t length;
    mst_status status = enter(s, name, item->index);
    for (size_t i = part_from(s, at); status == MST_OK && i < s->parts.count && parts[i].begin < end; i++) {
        if (parts[i].begin > at)
            at += (parts[i].begin - at) / width * width;
        for (; status == MST_OK && at < end && at < parts[i].end; at += width) {
            uint64_t index = (at - item->offset - item->shape.prefix) / width;
            mst_file_field one = *field;
            if (mst_element(field->value, index, &element) != MST_OK)
                return MST_OK;
            one.value = &element;
            one.path = path_with(s, "", index, &length);
            status = one.path ? field_at(s, &one, at, width) : MST_NO_MEMORY;
        }
    }
    leave(s);
    return status;
}

static mst_status visit_leaf(search *s, const mst_item *item, const char *name) {
    uint64_t offset = item->offset + item->shape.prefix, length = item->length - item->shape.prefix;
    if (!has_parts(s, item->offset, item->offset + item->length))
        return MST_OK;
    size_t size;
    mst_value value = mst_value_of_item(s->document, item);
    mst_file_field field = {.byte_class = mst_class_of_field(item->field),
                            .name = name,
                            .path = path_with(s, name, item->index, &size),
                            .value = &value};
    if (!field.path)
        return MST_NO_MEMORY;
    mst_file_field before = {.byte_class = MST_BYTES_DERIVED,
                             .name = mst_is_text(item->field) ? "length" : "count",
                             .path = field.path};
    mst_status status = field_at(s, &before, item->offset, item->shape.prefix);
    if (status != MST_OK)
        return status;
    return mst_is_number(item->field) && mst_is_list(item->field) && item->shape.element
               ? visit_numbers(s, item, &field, name)
               : field_at(s, &field, offset, length);
}

static mst_status visit(void *user, const mst_item *item) {
    search *s = user;
    const char *name = item->name;
    bool pads = name == mst_padding_name;
    mst_status status = MST_OK;
    if (item->kind == MST_ITEM_END_RECORD || item->kind == MST_ITEM_END_LIST) {
        leave(s);
        return MST_OK;
    }
    if (s->spans && s->next_note < s->notes.count)
        status = pass_notes(s, item->offset);
    if (status != MST_OK)
        return status;
    if (item->kind == MST_ITEM_DERIVED)
        return unnamed(s, name,
                       !pads                            ? MST_BYTES_DERIVED
                       : item->length < MST_BLOCK_ALIGN ? MST_BYTES_PADDING
                                                        : MST_BYTES_GAP,
                       item->offset, item->length);
    if (s->fresh)
        name = ""; /* the list is already in the path */
    s->fresh = false;
    return item->kind == MST_ITEM_LEAF ? visit_leaf(s, item, name) : begin(s, item, name);
}

/* ---- in the order of the file ------------------------------------------------------------------------ */

static int by_place(const void *left, const void *right) {
    const found_field *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : a->order > b->order ? 1 : -1;
}

/* Reports a field, or the gap before one, between two offsets. */
static mst_status report(const search *s, mst_file_field field, uint64_t from, uint64_t end) {
    mst_place_in(s->spans, s->origin, from, end - from, &field.place);
    return s->found(s->user, &field);
}

static mst_status report_all(const search *s, uint64_t size) {
    found_field *all = s->fields.items;
    const mst_file_field gap = {.byte_class = MST_BYTES_GAP, .name = "gap", .path = ""};
    uint64_t next = s->range->offset, after = s->range->offset + s->range->length;
    mst_status status = MST_OK;
    if (s->fields.count)
        qsort(all, s->fields.count, sizeof *all, by_place);
    if (s->fields.count && all[0].from < next)
        next = all[0].from;
    for (size_t i = 0; i < s->fields.count && status == MST_OK; i++) {
        uint64_t from = all[i].from, end = from + all[i].length;
        if (end > size)
            end = size;
        if (from > next && next < after)
            status = report(s, gap, next, from);
        if (from < next)
            from = next; /* the previous field has the same bytes */
        if (end <= from || from >= after || status != MST_OK)
            continue;
        all[i].field.value = all[i].field.value ? &all[i].value : NULL;
        status = report(s, all[i].field, from, end);
        next = end;
    }
    if (status == MST_OK && next < after)
        status = report(s, gap, next, after);
    return status;
}

/* ---- queries ------------------------------------------------------------------------------------------ */

/* The origin of the range, and its size. */
static bool find_origin(search *s, uint64_t *size) {
    const mst_file_range *range = s->range;
    *size = 0;
    if (range->file >= mst_document_file_count(s->document))
        return false;
    size_t bytes;
    mst_document_file(s->document, range->file, NULL, &bytes);
    *size = bytes;
    for (size_t i = 0; s->spans && i < s->spans->origin_count; i++) {
        const mst_origin *in = &s->spans->origins[i];
        if (in->file != range->file || in->packed != (range->packed != 0) ||
            (in->packed && in->offset != range->packed_at))
            continue;
        s->origin = (uint32_t)i;
        *size = in->size;
        return true;
    }
    return !s->spans && !range->packed;
}

mst_status mst_range_fields(const mst_document *document, const mst_file_range *range,
                            mst_file_field_function found, void *user, mst_diagnostic *diagnostic) {
    if (!document || !range || range->size < sizeof *range || !found)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, a range and a function are needed");
    mst_file_range inside = *range;
    const mst_allocator a = document->allocator;
    search s = {.document = document, .range = &inside, .found = found, .user = user};
    uint64_t size = 0;
    mst_status status = mst_spans_of(document, &s.spans);
    if (status == MST_OK && !s.spans && document->format->files.count)
        return mst_fail(diagnostic, MST_IO, "the files have changed since they were opened");
    if (status == MST_OK && !find_origin(&s, &size))
        return mst_fail(diagnostic, MST_ARGUMENT, "the document has no such file, or no such packed bytes");
    s.parts = (mst_array){.element_size = sizeof(part), .allocator = a};
    s.notes = (mst_array){.element_size = sizeof(size_t), .allocator = a};
    s.path = (mst_array){.element_size = 1, .allocator = a};
    s.lengths = (mst_array){.element_size = sizeof(size_t), .allocator = a};
    s.fields = (mst_array){.element_size = sizeof(found_field), .allocator = a};
    mst_arena_begin(&s.texts, &a, 0);
    if (status == MST_OK && inside.offset < size && inside.length) {
        if (inside.length > size - inside.offset)
            inside.length = size - inside.offset;
        status = find_parts(&s);
        mst_walk_request request = mst_walk_of_document(document);
        request.visitor = visit;
        request.user = &s;
        if (status == MST_OK)
            status = mst_walk_field(&request, NULL, NULL);
        if (status == MST_OK && s.spans)
            status = pass_notes(&s, UINT64_MAX);
        if (status == MST_OK && s.spans)
            status = report_all(&s, size);
    }
    mst_array *const lists[] = {&s.parts, &s.notes, &s.path, &s.lengths, &s.fields};
    for (size_t i = 0; i < MST_COUNT_OF(lists); i++)
        mst_array_free(lists[i]);
    mst_arena_end(&s.texts);
    if (status == MST_NO_MEMORY)
        return mst_fail(diagnostic, status, "not enough memory for the fields");
    return status == MST_STOPPED ? MST_OK : status;
}

/* Reports the place that was joined from neighbours. */
static mst_status end_place(const mst_place *place, mst_place_function found, void *user) {
    return place->kind == MST_PLACE_MADE ? MST_OK : found(user, place);
}

/* Whether `next` continues the place, which it then becomes part of. */
static bool joins(mst_place *place, const mst_place *next) {
    bool packed = place->kind == MST_PLACE_PACKED;
    if (place->kind != next->kind || place->file != next->file || (packed && place->offset != next->offset))
        return false;
    uint64_t *length = packed ? &place->inner_length : &place->length;
    uint64_t end = (packed ? place->inner : place->offset) + *length;
    if (end != (packed ? next->inner : next->offset))
        return false;
    *length += packed ? next->inner_length : next->length;
    return true;
}

mst_status mst_value_places(const mst_value *value, mst_place_function found, void *user) {
    if (mst_is_void(value) || !found)
        return MST_ARGUMENT;
    uint64_t offset, length;
    const mst_document *document = value->document;
    const mst_spans *spans;
    mst_value_span(value, &offset, &length);
    mst_status status = mst_spans_of(document, &spans);
    mst_place place = {.kind = MST_PLACE_MADE}, next;
    if (status == MST_OK && !document->format->files.count && length)
        place = (mst_place){.kind = MST_PLACE_FILE, .offset = offset, .length = length};
    uint64_t end = length < document->size - offset ? offset + length : document->size;
    for (size_t i = spans ? mst_spans_at(spans, offset) : 0;
         spans && status == MST_OK && i < spans->count && spans->items[i].begin < end; i++) {
        const mst_span *span = &spans->items[i];
        uint64_t begin = span->begin > offset ? span->begin : offset, from, size;
        uint64_t stop = i + 1 < spans->count ? span[1].begin : document->size;
        if (span->origin == MST_ORIGIN_NONE || begin >= end)
            continue;
        mst_span_source(span, begin, stop < end ? stop : end, &from, &size);
        mst_place_in(spans, span->origin, from, size, &next);
        if (!size || joins(&place, &next))
            continue;
        status = end_place(&place, found, user);
        place = next;
    }
    if (status == MST_OK)
        status = end_place(&place, found, user);
    return status == MST_STOPPED ? MST_OK : status;
}
