/* SPDX-License-Identifier: MIT */
/*
 * The encoder: makes bytes from values, by the same tables that read them. Values come from JSON or from a
 * document; counts, sizes and chunk lengths are recomputed. The stack is explicit, like the walker's.
 */
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "engine.h"
#include <math.h>
#include <stdio.h>

typedef enum frame_mode { FRAME_RECORD, FRAME_LIST, FRAME_CHUNKS } frame_mode;

typedef struct frame {
    uint8_t mode; /* frame_mode */
    uint8_t part; /* RECORD: as in the walker */
    bool in_chunk;
    uint16_t next;
    const mst_field *field;
    const mst_record *record;
    const char *name; /* labels in paths */
    uint64_t index;
    mst_source source;
    size_t patch; /* CHUNKS: where the current chunk begins */
    /* RECORD: the size fields and their offsets (by mst_size_index), and the bounds of the parts */
    const mst_field *sizes[3];
    size_t size_offsets[3], begin, last_part, end;
    uint32_t context[MST_VARIABLES];
    uint32_t used; /* RECORD from JSON: keys that were used */
    uint64_t done, count;
    uint32_t cursor;       /* JSON: next child */
    mst_iterator iterator; /* document: next child */
    /* of a record or list that is an archive */
    size_t archive;  /* where it begins */
    uint32_t blocks; /* how many it has */
    uint32_t block;  /* the next one */
    uint32_t gap;    /* JSON: the next entry of "$gaps"; 0: none */
    uint32_t gap_end;
    uint64_t content_end; /* document: of the previous block */
    mst_archive old;      /* document */
    /* CHUNKS */
    const mst_chunks *chunks;
    uint32_t order; /* JSON: next node of "$order", 0: none */
    uint32_t order_left;
    uint64_t run; /* chunks of the present case left in the run */
    int which;
    uint32_t cursors[MST_CASES + 1]; /* JSON: next element of each repeated case */
    uint64_t lefts[MST_CASES + 1];   /* ... and how many are left */
    mst_chunk_cursor stream;         /* document */
    uint32_t seen;                   /* cases already written */
} frame;

#define FRAMES 4 /* some 900 bytes each; deeper nesting is allocated */

typedef struct encoder {
    const mst_encode_request *request;
    mst_buffer *out;
    mst_diagnostic *diagnostic;
    mst_document shell; /* format, variant and plans, for functions that need a document */
    frame *frames;
    size_t depth, capacity;
    bool allocated;
    const char *name; /* labels of the value being encoded */
    uint64_t index;
    frame first_frames[FRAMES];
} encoder;

/* ---- failures ---------------------------------------------------------------------------------- */

/* `name` NULL: the failure is about the value being encoded. */
static mst_status fail(const encoder *e, mst_status status, const char *name, const char *message,
                       const char *expected, const char *found) {
    mst_diagnostic *d = e->diagnostic;
    mst_fail(d, status, "%s", message);
    if (!d)
        return status;
    if (expected)
        MST_SET(d->expected, "%s", expected);
    if (found)
        MST_SET(d->found, "%s", found);
    size_t length = 0;
    /* the caller adds the name of the outermost field */
    for (size_t i = 0; i < e->depth; i++)
        length = mst_path_step(d->path, sizeof d->path, length, e->frames[i].name, e->frames[i].index);
    if (e->depth)
        mst_path_step(d->path, sizeof d->path, length, name ? name : e->name, name ? UINT64_MAX : e->index);
    return status;
}

static const char *kind_of(const mst_json_node *node) {
    static const char *const names[] = {"null",     "false",  "true",     "a number",
                                        "a string", "a list", "an object"};
    return names[node->kind];
}

/* ---- output ------------------------------------------------------------------------------------ */

static uint8_t *reserve(encoder *e, mst_span_kind kind, const mst_field *field, uint64_t size) {
    mst_buffer *out = e->out;
    size_t limit = e->request->limit;
    if (size > limit || out->size > limit - size)
        return NULL;
    size_t needed = out->size + (size_t)size;
    if (needed > out->capacity || !out->data) { /* never NULL, even for no bytes */
        size_t capacity = needed < limit / 2 ? needed * 2 : limit;
        if (capacity < 256)
            capacity = 256;
        void *grown = out->allocator.resize(out->allocator.user, out->data, out->capacity, capacity);
        if (!grown)
            return NULL;
        out->data = grown;
        out->capacity = capacity;
    }
    uint8_t *target = out->data + out->size;
    if (e->request->span)
        e->request->span(e->request->span_user, kind, field, out->size, size);
    out->size = needed;
    return target;
}

static bool big_of(const encoder *e, const mst_field *field) {
    return mst_big_in(field, e->request->variant);
}

static mst_status put_bits(encoder *e, mst_span_kind span, const mst_field *field, uint8_t kind,
                           uint64_t value) {
    unsigned width = mst_kind_width[kind];
    uint8_t *target = reserve(e, span, field, width);
    if (!target)
        return fail(e, MST_NO_MEMORY, field->name, "there is no memory for the bytes", NULL, NULL);
    mst_store(target, width, value, big_of(e, field));
    return MST_OK;
}

static mst_status put_integer(encoder *e, const mst_field *field, uint8_t kind, uint64_t value) {
    return put_bits(e, MST_SPAN_VALUE, field, kind, value);
}

static mst_status put_prefix(encoder *e, const mst_field *field, uint8_t kind, uint64_t value) {
    return put_bits(e, MST_SPAN_COUNT, field, kind, value);
}

static mst_status put_json_number(encoder *e, const mst_field *field, const mst_json_node *node,
                                  uint64_t *bits) {
    mst_misfit why;
    if (mst_number_of_json(field, node, bits, &why))
        return put_integer(e, field, field->kind, *bits);
    return fail(e, MST_ARGUMENT, NULL, why.message, why.expected, why.found);
}

/* ---- text and raw bytes ------------------------------------------------------------------------ */

/* {"$raw": "hex"} */
static bool raw_text(const mst_json_node *nodes, uint32_t at, const mst_json_node **hex) {
    const mst_json_node *node = &nodes[at];
    if (node->kind != MST_JSON_OBJECT || node->count != 1 || nodes[at + 1].length != 4 ||
        memcmp(nodes[at + 1].text, "$raw", 4) != 0 || nodes[at + 2].kind != MST_JSON_STRING)
        return false;
    *hex = &nodes[at + 2];
    return true;
}

/* The header of a data set of `count` elements; a text is one element of `count` bytes. */
static mst_status put_data_set(encoder *e, const mst_field *field, uint64_t count) {
    uint64_t stride = field->kind == MST_KIND_RECORD ? e->request->plans[field->record->index].stride
                                                     : mst_kind_width[field->kind];
    if (mst_is_text(field)) {
        stride = count;
        count = count ? 1 : 0;
    }
    if (!count)
        stride = 0;
    /* JSON and the data sets of documents are limited to 32 bits */
    if (MST_UNREACHABLE(count > UINT32_MAX || stride > UINT32_MAX))
        return fail(e, MST_REFUSED, NULL, "there are more elements than the format can count", NULL, NULL);
    mst_status status = put_prefix(e, field, MST_KIND_U32, stride);
    return status == MST_OK ? put_prefix(e, field, MST_KIND_U32, count) : status;
}

/* A text of one element with no bytes, as opposed to no element. */
static mst_status put_empty_element(encoder *e, const mst_field *field) {
    mst_status status = put_prefix(e, field, MST_KIND_U32, 0);
    return status == MST_OK ? put_prefix(e, field, MST_KIND_U32, 1) : status;
}

/* Writes the count of something with `count` code units, or checks it where the count is given elsewhere. */
static mst_status put_count(encoder *e, const mst_field *field, const uint32_t *context, uint64_t count) {
    char expected[40], found[40];
    uint64_t required = count;
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE: required = 1; break;
    case MST_COUNT_FIXED: required = field->count; break;
    case MST_COUNT_VARIABLE:
        required = (uint64_t)context[field->count_variable] + field->count;
        if ((field->flags & MST_FIELD_SHORT) && count < required)
            required = count;
        break;
    case MST_COUNT_PRODUCT:
        required = (uint64_t)context[field->count_variable] * context[field->count];
        break;
    case MST_COUNT_ALIGN:
        required = mst_padding(field, e->request->origin + e->out->size);
        if (count < required) /* there may be less at the end of the enclosing data */
            required = count;
        break;
    case MST_COUNT_PREFIX: {
        unsigned bits = mst_kind_width[field->prefix] * 8;
        if (count >> bits) {
            snprintf(found, sizeof found, "%llu", (unsigned long long)count);
            return fail(e, MST_REFUSED, NULL, "there are more elements than the format can count", NULL,
                        found);
        }
        return put_prefix(e, field, field->prefix, count);
    }
    case MST_COUNT_DATA_SET: return put_data_set(e, field, count);
    case MST_COUNT_ARCHIVE:
    case MST_COUNT_TO_END:
    case MST_COUNT_SENTINEL: return MST_OK;
    }
    bool padded = field->mode == MST_COUNT_FIXED && field->kind == MST_KIND_CHAR8 && count <= required;
    if (count == required || padded)
        return MST_OK;
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)required);
    snprintf(found, sizeof found, "%llu", (unsigned long long)count);
    return fail(e, MST_ARGUMENT, NULL, "the number of elements is wrong", expected, found);
}

static mst_status put_bytes(encoder *e, const mst_field *field, const uint32_t *context, const void *bytes,
                            size_t size) {
    unsigned width = mst_kind_width[field->kind];
    mst_status status = put_count(e, field, context, size / width);
    if (status != MST_OK)
        return status;
    bool padded = field->mode == MST_COUNT_FIXED && field->kind == MST_KIND_CHAR8;
    uint64_t total = padded ? field->count : size;
    uint8_t *target = reserve(e, MST_SPAN_VALUE, field, total);
    if (!target)
        return fail(e, MST_NO_MEMORY, field->name, "there is no memory for the bytes", NULL, NULL);
    if (size)
        memcpy(target, bytes, size);
    if (total > size)
        memset(target + size, 0, (size_t)total - size);
    return MST_OK;
}

/* Sets bit 7 of the bytes written since `from`. */
static void set_high(encoder *e, const mst_field *field, size_t from) {
    for (size_t i = from; (field->flags & MST_FIELD_HIGH) && i < e->out->size; i++)
        e->out->data[i] |= 0x80;
}

/* A text with the NUL that ends it. */
static mst_status put_text_element(encoder *e, const mst_field *field, const uint32_t *context,
                                   const mst_json_node *node) {
    if (memchr(node->text, 0, node->length))
        return fail(e, MST_ARGUMENT, NULL, "the text must not contain NUL", NULL, NULL);
    mst_status status = put_count(e, field, context, (uint64_t)node->length + 1);
    if (status != MST_OK)
        return status;
    uint8_t *target = reserve(e, MST_SPAN_VALUE, field, (uint64_t)node->length + 1);
    if (!target)
        return fail(e, MST_NO_MEMORY, field->name, "there is no memory for the bytes", NULL, NULL);
    if (node->length)
        memcpy(target, node->text, node->length);
    target[node->length] = 0;
    return MST_OK;
}

static mst_status put_json_bytes(encoder *e, const mst_field *field, const uint32_t *context, uint32_t at) {
    const mst_json_node *nodes = e->request->source.json, *node = &nodes[at], *hex = NULL;
    unsigned width = mst_kind_width[field->kind];
    bool raw = raw_text(nodes, at, &hex);
    if (!raw && field->kind == MST_KIND_RAW && node->kind == MST_JSON_STRING)
        hex = node;
    if (raw && !hex->length && mst_is_text(field) && field->mode == MST_COUNT_DATA_SET)
        return put_empty_element(e, field);
    if (hex) {
        mst_status status = put_count(e, field, context, hex->length / 2 / width);
        if (status != MST_OK)
            return status;
        bool padded = field->mode == MST_COUNT_FIXED && field->kind == MST_KIND_CHAR8;
        uint64_t size = padded ? field->count : hex->length / 2;
        bool complete = hex->length % (2 * width) == 0;
        uint8_t *target = complete ? reserve(e, MST_SPAN_VALUE, field, size) : NULL;
        if (complete && !target)
            return fail(e, MST_NO_MEMORY, field->name, "there is no memory for the bytes", NULL, NULL);
        if (target)
            memset(target, 0, (size_t)size);
        if (!target || !mst_read_hex(hex->text, hex->length, target))
            return fail(e, MST_ARGUMENT, NULL, "the bytes are not pairs of hexadecimal digits", NULL, NULL);
        return MST_OK;
    }
    if (node->kind == MST_JSON_NULL && field->mode == MST_COUNT_DATA_SET)
        return put_count(e, field, context, 0);
    if (node->kind != MST_JSON_STRING)
        return fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "a string", kind_of(node));
    if (field->kind == MST_KIND_CHAR8 && field->mode == MST_COUNT_DATA_SET)
        return put_text_element(e, field, context, node);
    if (field->kind == MST_KIND_CHAR8) {
        size_t from = e->out->size + (field->mode == MST_COUNT_PREFIX ? mst_kind_width[field->prefix] : 0);
        for (size_t i = 0; (field->flags & MST_FIELD_HIGH) && i < node->length; i++)
            if ((unsigned char)node->text[i] > 0x7F)
                return fail(e, MST_ARGUMENT, NULL, "the text must be ASCII", NULL, NULL);
        mst_status status = put_bytes(e, field, context, node->text, node->length);
        if (status == MST_OK)
            set_high(e, field, from);
        return status;
    }
    if (!mst_utf8_valid(node->text, node->length)) /* only literal text of an edit: JSON has been checked */
        return fail(e, MST_ARGUMENT, NULL, "the text is not UTF-8", NULL, NULL);
    size_t units = mst_utf8_length_as_utf16(node->text, node->length);
    mst_status status = put_count(e, field, context, units);
    if (status != MST_OK)
        return status;
    uint8_t *target = reserve(e, MST_SPAN_VALUE, field, (uint64_t)units * 2);
    if (!target)
        return fail(e, MST_NO_MEMORY, field->name, "there is no memory for the bytes", NULL, NULL);
    mst_utf8_to_utf16(node->text, node->length, big_of(e, field), target);
    return MST_OK;
}

/* ---- sources ----------------------------------------------------------------------------------- */

/* The value of a record's field; false if it has none. */
static bool member_of(frame *record, const char *name, mst_source *member) {
    *member = record->source;
    if (!record->source.json)
        return mst_member(&record->source.value, name, &member->value) == MST_OK;
    const mst_json_node *nodes = record->source.json, *object = &nodes[record->source.node];
    size_t length = strlen(name);
    /* keys usually come in the order of the table: continue after the last one found */
    uint32_t first = record->source.node + 1, at = record->cursor ? record->cursor : first;
    for (uint32_t tried = 0; tried < object->count; tried++) {
        if (at >= object->end)
            at = first;
        if (nodes[at].length == length && memcmp(nodes[at].text, name, length) == 0) {
            record->cursor = nodes[at + 1].end;
            member->node = at + 1;
            return true;
        }
        at = nodes[at + 1].end;
    }
    return false;
}

static uint64_t count_of(const mst_source *source) {
    if (source->json)
        return source->json[source->node].kind == MST_JSON_ARRAY ? source->json[source->node].count : 0;
    return mst_count(&source->value);
}

/* ---- frames ------------------------------------------------------------------------------------ */

static frame *push(encoder *e, frame_mode mode, const mst_field *field, const char *name, uint64_t index,
                   const mst_source *source, const uint32_t *context) {
    mst_source kept = *source; /* it may be in a frame that moves */
    uint32_t copy[MST_VARIABLES];
    memcpy(copy, context, sizeof copy);
    if (e->depth == e->capacity) {
        const mst_allocator *a = e->request->allocator;
        size_t old = e->capacity * sizeof(frame);
        frame *grown = a->resize(a->user, e->allocated ? e->frames : NULL, e->allocated ? old : 0, old * 2);
        if (!grown)
            return NULL;
        if (!e->allocated)
            memcpy(grown, e->first_frames, old);
        e->frames = grown;
        e->allocated = true;
        e->capacity *= 2;
    }
    frame *top = &e->frames[e->depth++];
    memset(top, 0, sizeof *top);
    top->mode = (uint8_t)mode;
    top->field = field;
    top->name = name;
    top->index = index;
    top->source = kept;
    memcpy(top->context, copy, sizeof copy);
    return top;
}

static mst_status begin_field(encoder *e, const mst_field *field, const char *name, uint64_t index,
                              const mst_source *source, uint32_t *context, bool single);

static mst_status end_record(encoder *e);

/* ---- archives ---------------------------------------------------------------------------------- */

/* The member "$gaps" and the like of an object, or "$gaps.models" for a list in it; NULL if it has none. */
static const mst_json_node *own_key(const frame *record, const char *key, const char *list) {
    char name[160];
    snprintf(name, sizeof name, list ? "%s.%s" : "%s", key, list);
    const mst_json_node *nodes = record->source.json, *object = &nodes[record->source.node];
    size_t length = strlen(name);
    if (object->kind != MST_JSON_OBJECT) /* a list that is set alone */
        return NULL;
    for (uint32_t at = record->source.node + 1; at < object->end; at = nodes[at + 1].end)
        if (nodes[at].length == length && memcmp(nodes[at].text, name, length) == 0)
            return &nodes[at + 1];
    return NULL;
}

static bool own_number(const frame *record, const char *key, const char *list, uint64_t *number) {
    const mst_json_node *node = own_key(record, key, list);
    return node && node->kind == MST_JSON_NUMBER && mst_read_u64(node->text, node->length, number) &&
           *number <= UINT32_MAX;
}

/* The number of a record's blocks: up to the last field that has a value. */
static uint32_t blocks_of(frame *top) {
    uint32_t count = top->record->min;
    mst_source member;
    for (uint32_t i = 0; i < top->record->field_count; i++)
        if (!(top->record->fields[i].flags & MST_FIELD_OUTSIDE) && i >= count &&
            member_of(top, top->record->fields[i].name, &member))
            count = i + 1;
    return count;
}

/* Writes the header; the offsets are filled in later. `owner` is the record that contains the list, NULL for
 * a record. */
static mst_status begin_archive(encoder *e, frame *top, uint64_t blocks, const frame *owner) {
    bool big = e->request->variant.big;
    const frame *keys = owner ? owner : top;
    const char *list = owner ? top->name : NULL;
    top->archive = e->out->size;
    top->blocks = (uint32_t)blocks;
    uint8_t *target = reserve(e, MST_SPAN_HEADER, NULL, mst_archive_header(top->blocks));
    if (!target)
        return fail(e, MST_NO_MEMORY, NULL, "there is no memory for the bytes", NULL, NULL);
    memset(target, 0, (size_t)mst_archive_header(top->blocks));
    mst_store32(target, top->blocks, big);
    uint64_t end = 0;
    if (!top->source.json) {
        const mst_document *document = top->source.value.document;
        top->old = mst_archive_at(document, top->source.value.offset, top->source.value.end);
        top->content_end = top->old.base + mst_archive_header(top->old.count);
        if (MST_CHANGED(top->old.count != top->blocks))
            return fail(e, MST_REFUSED, "", "the bytes have changed since they were opened", NULL, NULL);
        if (!blocks)
            end = mst_archive_end(document, &top->old);
    } else {
        const mst_json_node *gaps = own_key(keys, "$gaps", list);
        if (gaps && gaps->kind != MST_JSON_ARRAY)
            return fail(e, MST_ARGUMENT, "$gaps", "the value does not fit the field", "a list",
                        kind_of(gaps));
        if (gaps && gaps->count) {
            top->gap = (uint32_t)(gaps - top->source.json) + 1;
            top->gap_end = gaps->end;
        }
        if (!blocks)
            own_number(keys, "$end", list, &end);
    }
    if (!blocks)
        mst_store32(target + 4, (uint32_t)end, big);
    return MST_OK;
}

/* Writes the padding before the next block or after the last one: zeros up to the alignment of blocks, unless
 * the source says otherwise. */
static mst_status put_gap(encoder *e, frame *top) {
    uint64_t size = mst_block_padding(e->out->size - top->archive);
    const uint8_t *bytes = NULL;
    const mst_json_node *hex = NULL;
    if (!top->source.json) {
        const mst_document *document = top->source.value.document;
        uint64_t begin = mst_archive_block(document, &top->old, top->block);
        size = begin > top->content_end ? begin - top->content_end : 0;
        bytes = document->data + top->content_end;
    } else if (top->gap && top->gap < top->gap_end) {
        /* [block, "hex"], in order */
        const mst_json_node *entry = &top->source.json[top->gap];
        uint64_t block;
        if (entry->kind != MST_JSON_ARRAY || entry->count != 2 || entry[1].kind != MST_JSON_NUMBER ||
            entry[2].kind != MST_JSON_STRING || !mst_read_u64(entry[1].text, entry[1].length, &block) ||
            block < top->block)
            return fail(e, MST_ARGUMENT, "$gaps", "entries must be [block, \"hex\"], in ascending order",
                        NULL, NULL);
        if (block == top->block) {
            hex = &entry[2];
            size = hex->length / 2;
            top->gap = entry->end;
        }
    }
    uint8_t *target = reserve(e, MST_SPAN_GAP, NULL, size);
    if (!target)
        return fail(e, MST_NO_MEMORY, NULL, "there is no memory for the bytes", NULL, NULL);
    if (bytes)
        memcpy(target, bytes, (size_t)size);
    else if (!hex)
        memset(target, 0, (size_t)size);
    else if (hex->length % 2 || !mst_read_hex(hex->text, hex->length, target))
        return fail(e, MST_ARGUMENT, "$gaps", "the bytes are not pairs of hexadecimal digits", NULL, NULL);
    return MST_OK;
}

/* Writes the padding before a block (or after the last one) and its offset. */
static mst_status begin_block(encoder *e, frame *top) {
    if (!top->blocks)
        return MST_OK;
    mst_status status = put_gap(e, top);
    uint64_t offset = e->out->size - top->archive;
    if (status == MST_OK && top->block == top->blocks) {
        /* the last padding of a file may be missing */
        uint64_t cut = 0;
        bool list = top->mode == FRAME_LIST;
        const frame *keys = list && e->depth > 1 ? &e->frames[e->depth - 2] : top;
        if (top->source.json)
            own_number(keys, "$cut", list ? top->name : NULL, &cut);
        else
            cut = mst_archive_end(top->source.value.document, &top->old) + top->old.base -
                  mst_archive_block(top->source.value.document, &top->old, top->old.count);
        offset += cut < MST_BLOCK_ALIGN ? cut : 0;
    }
    if (status == MST_OK && offset > UINT32_MAX)
        status = fail(e, MST_REFUSED, "", "the archive is too large for its offsets", NULL, NULL);
    if (status == MST_OK)
        mst_store32(e->out->data + top->archive + 4 + 4 * (size_t)top->block, (uint32_t)offset,
                    e->request->variant.big);
    top->block++;
    return status;
}

/* Notes where the content of a document's block ends. */
static void note_block(frame *top, const mst_source *block) {
    if (!block->json)
        top->content_end = mst_value_after(&block->value);
}

static mst_status step_archive(encoder *e) {
    frame *top = &e->frames[e->depth - 1];
    while (top->next < top->record->field_count) {
        const mst_field *field = &top->record->fields[top->next++];
        bool outside = (field->flags & MST_FIELD_OUTSIDE) != 0;
        mst_source member;
        if (outside && top->blocks) { /* the first outside field: after the last block */
            mst_status status = begin_block(e, top);
            if (status != MST_OK)
                return status;
        }
        if (!outside && top->next > top->blocks)
            continue;
        bool there = member_of(top, field->name, &member);
        if (!there && outside)
            continue;
        if (!there)
            return fail(e, MST_ARGUMENT, field->name, "the field is missing", NULL, NULL);
        top->used++;
        mst_status status = outside ? MST_OK : begin_block(e, top);
        if (status != MST_OK)
            return status;
        if (!outside)
            note_block(top, &member);
        size_t depth = e->depth;
        status = begin_field(e, field, field->name, UINT64_MAX, &member, top->context, false);
        if (status != MST_OK || e->depth != depth)
            return status;
    }
    mst_status status = top->block == top->blocks ? begin_block(e, top) : MST_OK;
    return status == MST_OK ? end_record(e) : status;
}

static mst_status begin_record(encoder *e, const mst_field *field, const char *name, uint64_t index,
                               const mst_source *source, uint32_t *context) {
    const mst_record *record = field->record ? field->record : e->request->format->tables.root;
    if (record->is_inline) /* the field replaces the record; the recursion is as shallow as the tables */
        return begin_field(e, &record->fields[0], name, index, source, context, false);
    if (source->json && source->json[source->node].kind != MST_JSON_OBJECT)
        return fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "an object",
                    kind_of(&source->json[source->node]));
    frame *top = push(e, FRAME_RECORD, field, name, index, source, context);
    if (!top)
        return MST_NO_MEMORY;
    top->record = record;
    return record->archive ? begin_archive(e, top, blocks_of(top), NULL) : MST_OK;
}

/* The first or second number of a data set's header in a document. */
static uint32_t data_set_number(const mst_value *value, uint64_t which) {
    if (MST_CHANGED(!mst_fits(value->offset, 8, value->end)))
        return 0;
    return mst_load32(value->document->data + value->offset + 4 * which, value->document->variant.big);
}

/* The element size of an empty data set, which is preserved. */
static mst_status put_empty_data_set(encoder *e, const mst_field *field, const mst_source *source) {
    uint64_t stride = 0;
    if (!source->json)
        stride = data_set_number(&source->value, 0);
    else if (e->depth)
        own_number(&e->frames[e->depth - 1], "$stride", field->name, &stride);
    mst_status status = put_prefix(e, field, MST_KIND_U32, stride);
    return status == MST_OK ? put_prefix(e, field, MST_KIND_U32, 0) : status;
}

static mst_status put_numbers(encoder *e, const mst_field *field, const mst_source *source,
                              const uint32_t *context) {
    uint64_t bits;
    if (field->mode == MST_COUNT_DATA_SET && count_of(source) == 0 &&
        (!source->json || source->json[source->node].kind == MST_JSON_ARRAY))
        return put_empty_data_set(e, field, source);
    if (source->json) {
        const mst_json_node *list = &source->json[source->node];
        if (list->kind != MST_JSON_ARRAY)
            return fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "a list", kind_of(list));
        mst_status status = put_count(e, field, context, list->count);
        for (uint32_t at = source->node + 1, i = 0; status == MST_OK && i < list->count; i++) {
            status = put_json_number(e, field, &source->json[at], &bits);
            at = source->json[at].end;
        }
        return status;
    }
    uint64_t count = mst_count(&source->value);
    mst_status status = put_count(e, field, context, count);
    mst_value element;
    for (mst_iterator it = mst_iterate(&source->value); status == MST_OK && mst_next(&it, &element);)
        status = put_integer(e, field, field->kind, mst_scalar_of(&element));
    return status;
}

static mst_status begin_field(encoder *e, const mst_field *field, const char *name, uint64_t index,
                              const mst_source *source, uint32_t *context, bool single) {
    e->name = name;
    e->index = index;
    if (field->kind == MST_KIND_RECORD && (single || field->mode == MST_COUNT_ONE))
        return begin_record(e, field, name, index, source, context);
    if (field->kind == MST_KIND_RECORD) {
        if (source->json && source->json[source->node].kind != MST_JSON_ARRAY)
            return fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "a list",
                        kind_of(&source->json[source->node]));
        uint64_t count = count_of(source);
        mst_status status = count || field->mode != MST_COUNT_DATA_SET ? put_count(e, field, context, count)
                                                                       : put_empty_data_set(e, field, source);
        if (status != MST_OK)
            return status;
        frame *top = push(e, FRAME_LIST, field, name, index, source, context);
        if (!top)
            return MST_NO_MEMORY;
        top->record = field->record;
        top->count = count;
        top->cursor = source->json ? source->node + 1 : 0;
        if (!source->json)
            top->iterator = mst_iterate(&top->source.value);
        if (field->mode == MST_COUNT_ARCHIVE)
            return begin_archive(e, top, count, e->depth > 1 ? &e->frames[e->depth - 2] : NULL);
        return MST_OK;
    }
    if (mst_is_text(field) || field->kind == MST_KIND_RAW) {
        if (source->json)
            return put_json_bytes(e, field, context, source->node);
        const void *bytes;
        size_t size;
        mst_status got = mst_get_bytes(&source->value, &bytes, &size);
        if (MST_UNREACHABLE(got != MST_OK)) /* the value belongs to this field */
            return fail(e, MST_REFUSED, NULL, "the value is not text", NULL, NULL);
        if (mst_left_out(source->value.document, field, source->value.offset, source->value.end))
            size = 0;
        if (!size && mst_is_text(field) && field->mode == MST_COUNT_DATA_SET &&
            data_set_number(&source->value, 1))
            return put_empty_element(e, field);
        return put_bytes(e, field, context, bytes, size);
    }
    if (field->mode != MST_COUNT_ONE && !single)
        return put_numbers(e, field, source, context);
    uint64_t bits;
    mst_status status;
    if (source->json) {
        uint32_t at = source->node;
        /* a single number and a list of one number are interchangeable */
        if (source->json[at].kind == MST_JSON_ARRAY && source->json[at].count == 1)
            at++;
        status = put_json_number(e, field, &source->json[at], &bits);
    } else {
        bits = mst_scalar_of(&source->value);
        status = put_integer(e, field, field->kind, bits);
    }
    if (status == MST_OK)
        mst_bind_variable(field, context, bits);
    return status;
}

/* ---- records ----------------------------------------------------------------------------------- */

static mst_status put_zeros(encoder *e, const mst_field *field, uint32_t *context) {
    uint64_t count = field->mode == MST_COUNT_FIXED   ? field->count
                     : field->mode == MST_COUNT_ALIGN ? mst_padding(field, e->request->origin + e->out->size)
                                                      : 1;
    if (field->mode == MST_COUNT_ARCHIVE) /* without blocks */
        return put_bits(e, MST_SPAN_HEADER, field, MST_KIND_U64, 0);
    if (field->kind == MST_KIND_RECORD && field->mode != MST_COUNT_ONE && field->mode != MST_COUNT_FIXED)
        return put_count(e, field, context, 0);
    if (field->kind == MST_KIND_RECORD) {
        uint32_t stride = e->request->plans[field->record->index].stride;
        uint8_t *target = stride ? reserve(e, MST_SPAN_VALUE, field, stride * count) : NULL;
        if (!target)
            return fail(e, MST_ARGUMENT, field->name, "the field is missing", NULL, NULL);
        memset(target, 0, (size_t)(stride * count));
        return MST_OK;
    }
    if (field->mode != MST_COUNT_ONE && field->mode != MST_COUNT_FIXED && field->mode != MST_COUNT_ALIGN)
        return put_count(e, field, context, 0);
    uint64_t value = field->flags & MST_FIELD_DEFAULT ? field->initial : 0;
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < count && status == MST_OK; i++)
        status = put_integer(e, field, mst_is_number(field) ? field->kind : MST_KIND_U8, value);
    mst_bind_variable(field, context, value);
    return status;
}

/* Whether the key is "$gaps" or the like, for a record or a list in it. */
static bool is_archive_key(const frame *record, const mst_json_node *key) {
    static const char *const keys[] = {"$gaps", "$end", "$cut", "$stride"};
    for (size_t k = 0; k < MST_COUNT_OF(keys); k++) {
        size_t n = strlen(keys[k]);
        if (key->length < n || memcmp(key->text, keys[k], n) != 0)
            continue;
        if (key->length == n)
            return record->record->archive && k < 3;
        if (key->text[n] != '.')
            continue;
        for (uint16_t i = 0; i < record->record->field_count; i++) {
            const mst_field *field = &record->record->fields[i];
            if (strlen(field->name) == key->length - n - 1 &&
                memcmp(field->name, key->text + n + 1, key->length - n - 1) == 0)
                return field->mode == (k == 3 ? MST_COUNT_DATA_SET : MST_COUNT_ARCHIVE);
        }
    }
    return false;
}

/* Whether the key is not a field's: those of the document, of archives, and "$order" where there are chunks.
 */
static bool is_own_key(const frame *record, const mst_json_node *key) {
    static const char *const of_document[] = {"$format", "$version", "$byte_order", "$layout", "$content"};
    for (size_t i = 0; i < MST_COUNT_OF(of_document); i++)
        if (key->length == strlen(of_document[i]) && memcmp(key->text, of_document[i], key->length) == 0)
            return record->field == &mst_document_field;
    if (is_archive_key(record, key))
        return true;
    if (key->length != 6 || memcmp(key->text, "$order", 6) != 0)
        return false;
    for (uint16_t i = 0; i < record->record->field_count; i++)
        if (record->record->fields[i].kind == MST_KIND_CHUNKS)
            return true;
    return false;
}

/* Fails with the first key of a JSON object that no field used. With request->drop, keys of fields that the
 * record has under other conditions are ignored: clearing a flag removes its fields. */
static mst_status unused_key(encoder *e, const frame *top) {
    const mst_json_node *nodes = top->source.json, *object = &nodes[top->source.node];
    const mst_plan *plan = &e->request->plans[top->record->index];
    char found[64] = "";
    for (uint32_t at = top->source.node + 1; at < object->end; at = nodes[at + 1].end) {
        bool known = is_own_key(top, &nodes[at]);
        for (uint16_t i = 0; i < top->record->field_count && !known; i++) {
            const mst_field *field = &top->record->fields[i];
            bool there = plan->fields[i].presence != MST_ABSENT && mst_field_present(field, top->context);
            if (field->kind == MST_KIND_CHUNKS) {
                for (int c = 0; c <= field->chunks->case_count && !known; c++) {
                    const char *name = c < field->chunks->case_count ? field->chunks->cases[c].field.name
                                                                     : field->chunks->unknown->name;
                    known = (there || e->request->drop) && strlen(name) == nodes[at].length &&
                            memcmp(name, nodes[at].text, nodes[at].length) == 0;
                }
                continue;
            }
            known = (there || e->request->drop) && strlen(field->name) == nodes[at].length &&
                    memcmp(field->name, nodes[at].text, nodes[at].length) == 0;
        }
        if (!known) {
            snprintf(found, sizeof found, "%.*s", (int)(nodes[at].length < 60 ? nodes[at].length : 60),
                     nodes[at].text);
            /* lenient: an edit fills in the record, so the data lost would be the document's */
            return fail(e, e->request->lenient ? MST_REFUSED : MST_ARGUMENT, "",
                        e->request->lenient
                            ? "this field would be lost"
                            : "there is no such field here: wrong name or version, or its flag is not set",
                        NULL, found);
        }
    }
    return e->request->drop
               ? MST_OK
               : fail(e, MST_ARGUMENT, "", "a field is given twice, or does not belong here", NULL, NULL);
}

/* Begins the given part of the record. */
static void begin_part(const encoder *e, frame *top, uint8_t part) {
    if (top->part < 1)
        top->last_part = e->out->size;
    if (top->part < 2 && part >= 2)
        top->end = e->out->size;
    if (part > top->part)
        top->part = part;
}

/* Fills in the sizes, after all parts have been written. */
static mst_status put_sizes(encoder *e, frame *top) {
    begin_part(e, top, 2);
    const uint64_t sizes[3] = {top->end - top->begin, top->last_part - top->begin, top->end - top->last_part};
    for (int i = 0; i < 3; i++) {
        const mst_field *field = top->sizes[i];
        if (!field)
            continue;
        unsigned width = mst_kind_width[field->kind];
        uint64_t unit = field->size_scale ? field->size_scale : 1, counted = sizes[i] + field->size_bias;
        if (counted % unit) {
            char expected[48], found[32];
            snprintf(expected, sizeof expected, "a multiple of %llu bytes", (unsigned long long)unit);
            snprintf(found, sizeof found, "%llu bytes", (unsigned long long)counted);
            return fail(e, MST_REFUSED, "", "the size field cannot hold this number of bytes", expected,
                        found);
        }
        if (counted / unit >> (8 * width - 1) >> !mst_is_signed(field->kind))
            return fail(e, MST_REFUSED, "", "there are more bytes than the size field can hold", NULL, NULL);
        mst_store(e->out->data + top->size_offsets[i], width, counted / unit, big_of(e, field));
    }
    return MST_OK;
}

static mst_status end_record(encoder *e) {
    frame *top = &e->frames[e->depth - 1];
    if (top->source.json) {
        const mst_json_node *nodes = top->source.json, *object = &nodes[top->source.node];
        uint32_t own = 0; /* keys that are not fields */
        for (uint32_t at = top->source.node + 1; at < object->end; at = nodes[at + 1].end)
            own += is_own_key(top, &nodes[at]);
        mst_status status = top->used + own == object->count ? MST_OK : unused_key(e, top);
        if (status != MST_OK)
            return status;
    }
    mst_status status = put_sizes(e, top);
    e->depth--;
    return status;
}

/* Whether to write a conditional field: by the context variables, and where a reader would inspect the bytes,
 * by whether there is a value. */
static bool is_written(frame *top, const mst_field *field) {
    mst_source member;
    if (!mst_field_present(field, top->context))
        return false;
    if (!field->present && !(field->flags & MST_FIELD_OPTIONAL))
        return true;
    return member_of(top, field->name, &member) ||
           (field->length_of && member_of(top, field->length_of, &member));
}

/* The next field after the one just written. */
static uint16_t field_after(const encoder *e, const mst_record *record, uint16_t index) {
    const mst_field *field = &record->fields[index];
    if (!(field->flags & MST_FIELD_STOP) || !mst_is_number(field))
        return mst_field_after(record, index, 0);
    unsigned width = mst_kind_width[field->kind];
    uint64_t bits = mst_load(e->out->data + e->out->size - width, width, big_of(e, field));
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    return mst_field_after(record, index, (bits ^ sign) - sign);
}

static mst_status step_record(encoder *e) {
    frame *top = &e->frames[e->depth - 1];
    if (top->record->archive)
        return step_archive(e);
    const mst_plan *plan = &e->request->plans[top->record->index];
    while (top->next < top->record->field_count) {
        uint16_t at = top->next++;
        const mst_field *field = &top->record->fields[at];
        uint8_t presence = plan->fields[at].presence;
        if (presence == MST_ABSENT)
            continue;
        if (field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE))
            begin_part(e, top, field->flags & MST_FIELD_LAST ? 1 : 2);
        if (presence == MST_DEPENDS && !is_written(top, field))
            continue;
        mst_source member;
        mst_status status;
        if (field->kind == MST_KIND_CHUNKS) {
            frame *chunks = push(e, FRAME_CHUNKS, field, "", UINT64_MAX, &top->source, top->context);
            if (!chunks)
                return MST_NO_MEMORY;
            chunks->chunks = field->chunks;
            chunks->which = -1;
            return MST_OK;
        }
        if (field->constant) {
            status = put_bytes(e, field, top->context, field->constant, field->count);
            if (status != MST_OK)
                return status;
            continue;
        }
        int size = mst_size_index(field);
        if (size >= 0) {
            top->sizes[size] = field;
            top->size_offsets[size] = e->out->size;
            status = put_integer(e, field, field->kind, 0);
            if (status != MST_OK)
                return status;
            top->begin = top->last_part = top->end = e->out->size;
            continue;
        }
        if (field->length_of && member_of(top, field->length_of, &member)) {
            int64_t count = (int64_t)count_of(&member) + field->length_bias;
            char found[32];
            mst_source said_by;
            if (!top->source.json && (field->flags & MST_FIELD_SHORT) &&
                member_of(top, field->name, &said_by))
                count = (int64_t)mst_scalar_of(&said_by.value);
            snprintf(found, sizeof found, "%lld", (long long)count);
            bool kept = (field->flags & MST_FIELD_SHORT) != 0 && !top->source.json;
            if (!kept && (count < 0 || (uint64_t)count >> (8 * mst_kind_width[field->kind] - 1) >> 1))
                return fail(e, MST_REFUSED, field->length_of,
                            "there are more elements than the format can count", NULL, found);
            if (top->source.json && member_of(top, field->name, &member)) { /* optional, but must be right */
                uint64_t said;
                mst_misfit why;
                top->used++;
                bool number = mst_number_of_json(field, &member.json[member.node], &said, &why);
                if (number && (field->flags & MST_FIELD_SHORT) && said > (uint64_t)count)
                    count = (int64_t)said;
                if (!number || said != (uint64_t)count)
                    return fail(e, MST_ARGUMENT, field->name, "the count differs from the list's length",
                                found, NULL);
            }
            status = put_integer(e, field, field->kind, (uint64_t)count);
            if (status != MST_OK)
                return status;
            mst_bind_variable(field, top->context, (uint64_t)count);
            continue;
        }
        if (!member_of(top, field->name, &member)) {
            bool standard =
                (field->flags & (MST_FIELD_DEFAULT | MST_FIELD_OMIT_EMPTY)) || field->mode == MST_COUNT_ALIGN;
            if (!standard && !e->request->lenient)
                return fail(e, MST_ARGUMENT, field->name, "the field is missing", NULL, NULL);
            e->name = field->name;
            e->index = UINT64_MAX;
            status = put_zeros(e, field, top->context);
            if (status != MST_OK)
                return status;
            top->next = field_after(e, top->record, at);
            continue;
        }
        top->used++;
        if (!mst_is_number(field))
            top->next = field_after(e, top->record, at);
        size_t depth = e->depth;
        status = begin_field(e, field, field->name, UINT64_MAX, &member, top->context, false);
        if (status != MST_OK)
            return status;
        if (e->depth != depth)
            return MST_OK;
        top->next = field_after(e, top->record, at);
    }
    return end_record(e);
}

static mst_status step_list(encoder *e) {
    frame *top = &e->frames[e->depth - 1];
    bool archive = top->field->mode == MST_COUNT_ARCHIVE;
    if (top->done == top->count) {
        mst_status status = archive ? begin_block(e, top) : MST_OK;
        e->depth--;
        return status;
    }
    mst_source element = top->source;
    if (top->source.json) {
        element.node = top->cursor;
        top->cursor = top->source.json[top->cursor].end;
    } else {
        int more = mst_next(&top->iterator, &element.value);
        if (MST_CHANGED(!more)) /* it was counted */
            return fail(e, MST_REFUSED, "", "the list ends early", NULL, NULL);
    }
    if (archive) {
        mst_status status = begin_block(e, top);
        if (status != MST_OK)
            return status;
        note_block(top, &element);
    }
    return begin_field(e, top->field, "", top->done++, &element, top->context, true);
}

/* ---- chunks ------------------------------------------------------------------------------------ */

static const mst_field *case_field(const mst_chunks *chunks, int which) {
    return which == chunks->case_count ? chunks->unknown : &chunks->cases[which].field;
}

/* Reads the next run of a case from "$order"; false if it is not valid. */
static bool next_run(frame *top) {
    const mst_json_node *node = &top->source.json[top->order];
    top->order = node->end;
    top->order_left--;
    if (node->kind != MST_JSON_STRING)
        return false;
    size_t name = 0;
    while (name < node->length && node->text[name] != '*')
        name++;
    top->run = 1;
    if (name < node->length && !mst_read_u64(node->text + name + 1, node->length - name - 1, &top->run))
        return false;
    for (top->which = 0; top->which <= top->chunks->case_count; top->which++) {
        const char *label = case_field(top->chunks, top->which)->name;
        if (strlen(label) == name && memcmp(label, node->text, name) == 0)
            return true;
    }
    return false;
}

/* JSON: finds the elements of every case once, and counts their keys as used by the enclosing record. */
static mst_status begin_chunks(encoder *e, frame *top, frame *record) {
    mst_source member;
    for (int which = 0; which <= top->chunks->case_count; which++) {
        const mst_field *field = case_field(top->chunks, which);
        if (!member_of(record, field->name, &member))
            continue;
        record->used++;
        bool repeated = which == top->chunks->case_count || (field->flags & MST_FIELD_REPEATED);
        const mst_json_node *node = &member.json[member.node];
        if (repeated && node->kind != MST_JSON_ARRAY)
            return fail(e, MST_ARGUMENT, field->name, "the value does not fit the field", "a list",
                        kind_of(node));
        top->cursors[which] = repeated ? member.node + 1 : member.node;
        top->lefts[which] = repeated ? node->count : 1;
    }
    if (member_of(record, "$order", &member)) {
        if (member.json[member.node].kind != MST_JSON_ARRAY)
            return fail(e, MST_ARGUMENT, "$order", "the value does not fit the field", "a list",
                        kind_of(&member.json[member.node]));
        top->order = member.node + 1;
        top->order_left = member.json[member.node].count;
    }
    return MST_OK;
}

/* Fills in the chunk's length, and checks that a reader would take the chunk for the same field: that depends
 * on its id and possibly its content. */
static mst_status end_chunk(encoder *e, frame *top) {
    const mst_chunks *chunks = top->chunks;
    const mst_field *field = case_field(chunks, top->which);
    bool big = mst_chunks_big(chunks, e->request->variant);
    if (MST_CHANGED(e->out->size - top->patch <
                    MST_CHUNK_HEADER)) /* the header or its fields have been written */
        return fail(e, MST_ARGUMENT, field->name, "the chunk has no id", NULL, NULL);
    uint8_t *bytes = e->out->data + top->patch;
    uint64_t size = e->out->size - top->patch - MST_CHUNK_HEADER;
    if (size > UINT32_MAX)
        return fail(e, MST_REFUSED, "", "the chunk is too large for its length field", NULL, NULL);
    if (mst_holds_header(chunks, field)) {
        uint64_t max = size;
        size = mst_load32(bytes + 4, big); /* without padding */
        if (MST_CHANGED(size > max))
            return fail(e, MST_REFUSED, "", "the bytes have changed since they were opened", NULL, NULL);
    } else {
        mst_store32(bytes + 4, (uint32_t)size, big);
    }
    int which = mst_case_of(chunks, e->request->variant, mst_load32(bytes, big), bytes + MST_CHUNK_HEADER,
                            size, &top->seen);
    if (which == (top->which == chunks->case_count ? -1 : top->which))
        return MST_OK;
    return fail(e, MST_ARGUMENT, field->name, "the chunk would be read as another field", NULL,
                case_field(chunks, which < 0 ? chunks->case_count : which)->name);
}

static mst_status step_chunks(encoder *e) {
    frame *top = &e->frames[e->depth - 1];
    const mst_chunks *chunks = top->chunks;
    bool big = mst_chunks_big(chunks, e->request->variant);
    if (top->in_chunk) {
        mst_status status = end_chunk(e, top);
        if (status != MST_OK)
            return status;
    }
    mst_source content = top->source;
    uint64_t index = UINT64_MAX;
    uint32_t id = 0;
    if (top->source.json) {
        if (top->which < 0) {
            mst_status status = begin_chunks(e, top, &e->frames[e->depth - 2]);
            if (status != MST_OK)
                return status;
        }
        bool ordered = top->order != 0;
        int before = top->which;
        while (ordered && top->run == 0 && top->order_left)
            if (!next_run(top))
                return fail(e, MST_ARGUMENT, "$order", "an entry does not name chunks", NULL, NULL);
        if (!ordered || top->run == 0) {
            /* chunks not in "$order" follow in the order of the table */
            top->order_left = 0;
            for (top->which = 0; top->which <= chunks->case_count && !top->lefts[top->which]; top->which++)
                ;
            top->run = 1;
        }
        if (top->which > chunks->case_count) {
            e->depth--;
            return MST_OK;
        }
        if (!top->lefts[top->which])
            return fail(e, MST_ARGUMENT, "$order", "it names more chunks than there are", NULL, NULL);
        top->run--;
        top->lefts[top->which]--;
        content.node = top->cursors[top->which];
        top->cursors[top->which] = top->source.json[content.node].end;
        if (top->which < chunks->case_count)
            id = chunks->cases[top->which].id;
        if (top->which != before)
            top->done = 0;
        index = top->done++;
    } else {
        /* iterate over the record's fields to find the offset of its chunks */
        if (top->which < 0) {
            mst_iterator it = mst_iterate(&top->source.value);
            mst_value field;
            while (it.field_index < e->frames[e->depth - 2].next - 1u && mst_next(&it, &field))
                ;
            top->stream = (mst_chunk_cursor){it.position, 0};
            top->iterator = it;
        }
        mst_chunk chunk;
        const mst_document *document = top->source.value.document;
        uint64_t end = top->iterator.value.end;
        if (mst_chunk_next(document, chunks, &top->stream, end, &chunk, NULL) != MST_OK) {
            e->depth--;
            return MST_OK;
        }
        top->which = chunk.which < 0 ? chunks->case_count : chunk.which;
        id = chunk.id;
        const mst_field *field = case_field(chunks, top->which);
        mst_item item = {.kind = mst_is_list(field) && !(field->flags & MST_FIELD_REPEATED)
                                     ? MST_ITEM_BEGIN_LIST
                                     : MST_ITEM_BEGIN_RECORD,
                         .field = field,
                         .context = top->iterator.value.context,
                         .offset = chunk.start,
                         .limit = chunk.end,
                         .chunk = true};
        content.value = mst_value_of_item(document, &item);
    }
    const mst_field *field = case_field(chunks, top->which);
    bool unknown = top->which == chunks->case_count;
    bool single = unknown || (field->flags & MST_FIELD_REPEATED);
    top->in_chunk = true;
    top->patch = e->out->size;
    if (!mst_holds_header(chunks, field)) {
        uint8_t *target = reserve(e, MST_SPAN_HEADER, NULL, MST_CHUNK_HEADER);
        if (!target)
            return fail(e, MST_NO_MEMORY, field->name, "there is no memory for the bytes", NULL, NULL);
        mst_store32(target, id, big);
        mst_store32(target + 4, 0, big);
    }
    return begin_field(e, field, field->name, single ? index : UINT64_MAX, &content, top->context, single);
}

mst_status mst_encode_field(const mst_encode_request *request, mst_buffer *output,
                            mst_diagnostic *diagnostic) {
    encoder e;
    e.request = request;
    e.out = output;
    e.diagnostic = diagnostic;
    e.frames = e.first_frames;
    e.depth = 0;
    e.capacity = FRAMES;
    e.allocated = false;
    e.name = "";
    e.index = UINT64_MAX;
    if (diagnostic)
        diagnostic->status = MST_OK; /* nothing reported yet */
    uint32_t context[MST_VARIABLES];
    memcpy(context, request->context, sizeof context);
    mst_status status =
        begin_field(&e, request->field, "", UINT64_MAX, &request->source, context, request->single);
    while (status == MST_OK && e.depth > 0) {
        uint8_t mode = e.frames[e.depth - 1].mode;
        status = mode == FRAME_RECORD ? step_record(&e)
                 : mode == FRAME_LIST ? step_list(&e)
                                      : step_chunks(&e);
    }
    if (status == MST_NO_MEMORY && diagnostic && diagnostic->status != MST_NO_MEMORY)
        mst_fail(diagnostic, status, "there is no memory to encode");
    if (e.allocated)
        request->allocator->resize(request->allocator->user, e.frames, e.capacity * sizeof(frame), 0);
    return status;
}
