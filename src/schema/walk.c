/* SPDX-License-Identifier: MIT */
/*
 * The walker: goes over bytes by the tables, proves that everything fits, and reports each item to a visitor.
 * Opening is a walk without a visitor; the ledger, JSON, outlines and checks are visitors.
 */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "engine.h"
#include <stdarg.h>
#include <stdio.h>

const mst_field mst_document_field = {.name = "", .kind = MST_KIND_RECORD};
const char mst_padding_name[] = "padding";

/* mst_document_field is shared by all formats and has no record: it means the format's root record. */
static const mst_record *record_of(const mst_document *document, const mst_field *field) {
    return field->record ? field->record : document->format->tables.root;
}

typedef enum frame_mode { FRAME_RECORD, FRAME_LIST, FRAME_CHUNKS } frame_mode;

typedef struct frame {
    uint8_t mode;     /* frame_mode */
    bool met;         /* its BEGIN was reported, so its END must be */
    bool exact;       /* must end exactly at `end` */
    bool in_chunk;    /* FRAME_CHUNKS: inside a chunk's content */
    bool in_list;     /* FRAME_CHUNKS by case: inside the list of a repeated case */
    bool sized;       /* FRAME_RECORD: the ends of its parts are known */
    bool outer_exact; /* FRAME_RECORD: the fields outside the sizes must end exactly at `outer` */
    uint8_t part;     /* FRAME_RECORD: 0 the first part, or no sizes; 1 the last part; 2 outside */
    uint16_t next;    /* next field or case */
    uint32_t block;   /* next block of an archive */
    uint32_t levels;  /* frames since the nearest enclosing one whose end is noted */
    const mst_field *field;
    const mst_record *record;
    const char *name; /* label in paths; "" none */
    uint64_t index;   /* label in paths; UINT64_MAX none */
    uint64_t start, end;
    union {
        struct {                /* FRAME_RECORD and FRAME_LIST */
            uint64_t last_part; /* end of the last part */
            uint64_t outer;
            uint64_t sizes[3];
            mst_archive archive; /* of a record that is an archive, or of a list of its blocks */
            uint64_t done, count, element;
            size_t noted; /* FRAME_RECORD: index of its entry in mst_ends; SIZE_MAX: none */
        };
        struct { /* FRAME_CHUNKS */
            const mst_chunks *chunks;
            const char *content; /* name of the field in the chunk */
            uint64_t chunk_end;
            mst_chunk_cursor cursor;
            uint32_t counters[MST_CASES + 1]; /* chunks of each case so far */
        };
    };
    uint32_t context[MST_VARIABLES];
} frame;

#define FRAMES 8 /* deeper nesting is allocated */

typedef struct walker {
    const mst_walk_request *request;
    const mst_document *document;
    mst_diagnostic *diagnostic;
    uint64_t position;
    frame *frames;
    size_t depth, capacity;
    bool allocated;
    bool too_deep;
    frame first_frames[FRAMES];
} walker;

static void path_of(const walker *w, const char *name, char *path, size_t capacity) {
    size_t length = 0;
    path[0] = 0;
    for (size_t i = 0; i < w->depth; i++)
        length = mst_path_step(path, capacity, length, w->frames[i].name, w->frames[i].index);
    mst_path_step(path, capacity, length, name, UINT64_MAX);
}

static mst_status problem(const walker *w, const char *name, mst_status status) {
    if (w->diagnostic)
        path_of(w, name, w->diagnostic->path, sizeof w->diagnostic->path);
    return status;
}

mst_status mst_problem_at(const mst_document *document, mst_diagnostic *diagnostic, mst_problem kind,
                          uint64_t offset, uint64_t length, const char *format, ...) {
    if (!diagnostic)
        return MST_DAMAGED;
    char message[sizeof diagnostic->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    const char *code = document->format->check.problem_codes[kind];
    MST_SET(diagnostic->code, "%s", code ? code : "");
    diagnostic->offset = offset;
    diagnostic->length = length;
    return MST_DAMAGED;
}

/* u32 element size in bytes, u32 element count. `shape->element` holds the size by the tables. */
static mst_status data_set_shape(const mst_document *document, const mst_field *field, uint64_t offset,
                                 uint64_t end, mst_shape *shape, mst_diagnostic *diagnostic) {
    if (!mst_fits(offset, 8, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                       "the header of a data set does not fit");
        if (diagnostic)
            MST_SET(diagnostic->expected, "8 bytes");
        return MST_DAMAGED;
    }
    uint32_t stride = mst_load32(document->data + offset, document->variant.big);
    uint32_t count = mst_load32(document->data + offset + 4, document->variant.big);
    bool text = mst_is_text(field);
    uint64_t size = (uint64_t)stride * count;
    shape->prefix = 8;
    if (text && count != 1 && (stride || count)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_TEXT, offset, 8,
                       "a text must be a data set of one element");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "1");
            MST_SET(diagnostic->found, "%u", count);
        }
        return MST_DAMAGED;
    }
    if (!text && count && stride != shape->element) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_STRIDE, offset, 4,
                       "the elements of the data set have the wrong size");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%llu", (unsigned long long)shape->element);
            MST_SET(diagnostic->found, "%u", stride);
        }
        return MST_DAMAGED;
    }
    if (!mst_fits(offset + 8, size, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_COUNT, offset, 8, "the data set does not fit");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu bytes", (unsigned long long)(end - offset - 8));
            MST_SET(diagnostic->found, "%u x %u", count, stride);
        }
        return MST_DAMAGED;
    }
    shape->count = text ? size : count;
    return MST_OK;
}

mst_status mst_field_shape(const mst_document *document, const mst_field *field, const uint32_t *context,
                           uint64_t offset, uint64_t end, mst_shape *shape, mst_diagnostic *diagnostic) {
    uint64_t width = mst_kind_width[field->kind], min = width;
    if (MST_UNREACHABLE(offset > end)) /* callers have reached `offset` within `end` */
        return MST_DAMAGED;
    if (field->kind == MST_KIND_RECORD) {
        const mst_plan *plan = mst_plan_of(document, record_of(document, field));
        width = plan->stride;
        min = plan->minimum;
    }
    shape->element = width;
    shape->prefix = 0;
    shape->count = 1;
    mst_problem kind = MST_PROBLEM_COUNT;
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE: kind = MST_PROBLEM_OVERRUN; break;
    case MST_COUNT_FIXED:
        kind = MST_PROBLEM_OVERRUN;
        shape->count = field->count;
        break;
    case MST_COUNT_PREFIX: {
        unsigned prefix = mst_kind_width[field->prefix];
        if (!mst_fits(offset, prefix, end)) {
            mst_status status =
                mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                               "the count does not fit into the remaining bytes");
            if (diagnostic) {
                MST_SET(diagnostic->expected, "%u bytes", prefix);
                MST_SET(diagnostic->found, "%llu left", (unsigned long long)(end - offset));
            }
            return status;
        }
        shape->prefix = prefix;
        shape->count = mst_load(document->data + offset, prefix, mst_field_big(document, field));
        break;
    }
    case MST_COUNT_VARIABLE: shape->count = (uint64_t)context[field->count_variable] + field->count; break;
    case MST_COUNT_PRODUCT:
        shape->count = (uint64_t)context[field->count_variable] * context[field->count];
        break;
    case MST_COUNT_DATA_SET: return data_set_shape(document, field, offset, end, shape, diagnostic);
    case MST_COUNT_ARCHIVE:
        if (!mst_fits(offset, 8, end))
            return mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                                  "the header of an archive does not fit");
        shape->element = 0; /* blocks are found by their offsets */
        shape->count = mst_archive_at(document, offset, end).count;
        return MST_OK;
    case MST_COUNT_ALIGN:
        shape->count = mst_padding(field, offset);
        if (shape->count > end - offset)
            shape->count = end - offset;
        return MST_OK;
    case MST_COUNT_SENTINEL:
        if (MST_UNREACHABLE(!width)) /* the tables use it with fixed-size elements only */
            return MST_DAMAGED;
        shape->count = (end - offset) / width;
        if (field->ends) {
            const uint8_t *element = document->data + offset;
            bool big = mst_field_big(document, field);
            uint64_t count = 0;
            while (count < shape->count && !field->ends(element + count * width, big))
                count++;
            shape->count = count;
        }
        return MST_OK;
    case MST_COUNT_TO_END:
        if (!width) {
            shape->count = MST_TO_SENTINEL;
            return MST_OK;
        }
        shape->count = (end - offset) / width;
        if ((end - offset) % width) {
            mst_status status =
                mst_problem_at(document, diagnostic, MST_PROBLEM_TRAILING, offset + shape->count * width,
                               (end - offset) % width, "bytes are left over after the last element");
            if (diagnostic) {
                MST_SET(diagnostic->expected, "a multiple of %llu bytes", (unsigned long long)width);
                MST_SET(diagnostic->found, "%llu bytes", (unsigned long long)(end - offset));
            }
            return status;
        }
        return MST_OK;
    }
    uint64_t need;
    if (min == 0)
        min = 1; /* elements of no bytes would leave the count unlimited */
    if ((field->flags & MST_FIELD_SHORT) && mst_is_list(field)) {
        shape->element = 0; /* one by one, until the end */
        return MST_OK;
    }
    if (field->mode == MST_COUNT_ONE && width == 0)
        return MST_OK; /* its fields are checked one by one */
    if (mst_multiply(shape->count, min, &need) && mst_fits(offset + shape->prefix, need, end))
        return MST_OK;
    if (mst_is_text(field))
        kind = MST_PROBLEM_STRING;
    uint64_t left = end - offset - shape->prefix;
    mst_status status =
        mst_problem_at(document, diagnostic, kind, offset, end - offset,
                       kind == MST_PROBLEM_OVERRUN  ? "the field does not fit into the remaining bytes"
                       : kind == MST_PROBLEM_STRING ? "the string does not fit into the remaining bytes"
                                                    : "the list does not fit into the remaining bytes");
    if (diagnostic) {
        if (kind == MST_PROBLEM_OVERRUN) {
            MST_SET(diagnostic->expected, "%llu bytes", (unsigned long long)(shape->count * min));
        } else {
            MST_SET(diagnostic->expected, "at most %llu", (unsigned long long)(left / min));
        }
        if (kind == MST_PROBLEM_OVERRUN) {
            MST_SET(diagnostic->found, "%llu left", (unsigned long long)left);
        } else {
            MST_SET(diagnostic->found, "%llu", (unsigned long long)shape->count);
        }
    }
    return status;
}

int mst_case_of(const mst_chunks *chunks, mst_variant variant, uint32_t id, const uint8_t *content,
                uint64_t length, uint32_t *seen) {
    for (int i = 0; i < chunks->case_count; i++) {
        const mst_case *one = &chunks->cases[i];
        if (((one->id ^ id) & ~one->any) != 0)
            continue;
        /* only a record that contains its own padding can be followed by some */
        bool even =
            !chunks->align || length % chunks->align == 0 || (one->field.flags & MST_FIELD_WITH_HEADER);
        bool free = (one->field.flags & MST_FIELD_REPEATED) || !(*seen >> i & 1);
        if (!even || !free || (one->accepts && !one->accepts(content, length, variant.big)))
            return -1;
        *seen |= 1u << i;
        return i;
    }
    return -1;
}

const mst_chunks *mst_chunks_of(const mst_format *format, const mst_field *field) {
    for (size_t r = 0; r < format->tables.record_count; r++)
        for (uint16_t f = 0; f < format->tables.records[r]->field_count; f++) {
            const mst_chunks *chunks = format->tables.records[r]->fields[f].chunks;
            if (!chunks)
                continue;
            if (chunks->unknown == field)
                return chunks;
            for (int i = 0; i < chunks->case_count; i++)
                if (&chunks->cases[i].field == field)
                    return chunks;
        }
    return NULL;
}

mst_status mst_chunk_next(const mst_document *document, const mst_chunks *chunks, mst_chunk_cursor *cursor,
                          uint64_t end, mst_chunk *chunk, mst_diagnostic *diagnostic) {
    uint64_t offset = cursor->offset;
    if (offset == end)
        return MST_UNKNOWN;
    if (!mst_fits(offset, MST_CHUNK_HEADER, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                       "too few bytes are left for a chunk");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%u bytes", MST_CHUNK_HEADER);
            MST_SET(diagnostic->found, "%llu left", (unsigned long long)(end - offset));
        }
        return MST_DAMAGED;
    }
    bool big = mst_chunks_big(chunks, document->variant);
    chunk->offset = offset;
    chunk->id = mst_load32(document->data + offset, big);
    uint32_t length = mst_load32(document->data + offset + 4, big);
    offset += MST_CHUNK_HEADER;
    if (!mst_fits(offset, length, end)) {
        char named[5] = {(char)(chunk->id >> 24), (char)(chunk->id >> 16), (char)(chunk->id >> 8),
                         (char)chunk->id, 0};
        bool printable = chunks->big;
        for (int i = 0; i < 4; i++)
            printable = printable && named[i] >= ' ' && named[i] <= '~';
        if (printable)
            mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, chunk->offset, MST_CHUNK_HEADER,
                           "the section %s runs past the end of the enclosing data", named);
        else
            mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, chunk->offset, MST_CHUNK_HEADER,
                           "the chunk %u runs past the end of the enclosing data", chunk->id);
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu bytes", (unsigned long long)(end - offset));
            MST_SET(diagnostic->found, "%u", length);
        }
        return MST_DAMAGED;
    }
    chunk->which =
        mst_case_of(chunks, document->variant, chunk->id, document->data + offset, length, &cursor->seen);
    bool headed = chunk->which < 0 || mst_holds_header(chunks, &chunks->cases[chunk->which].field);
    chunk->start = headed ? chunk->offset : offset;
    chunk->end = offset + length;
    if (chunks->align) {
        uint64_t padding = (chunks->align - chunk->end % chunks->align) % chunks->align;
        chunk->end += padding < end - chunk->end ? padding : end - chunk->end;
    }
    cursor->offset = chunk->end;
    return MST_OK;
}

static mst_status report(const walker *w, const mst_item *item) {
    return w->request->visitor ? w->request->visitor(w->request->user, item) : MST_OK;
}

/* A new frame at the walker's position, with a copy of the context variables. */
static frame *push(walker *w, const uint32_t *context) {
    uint32_t copy[MST_VARIABLES]; /* they may be in a frame that moves */
    memcpy(copy, context, sizeof copy);
    if (w->depth == w->capacity) {
        const mst_allocator *a = &w->document->allocator;
        size_t old = w->capacity * sizeof(frame), size = old * 2;
        /* a small input must not cause a large stack */
        if (size > w->document->size * 16 + (1u << 20)) {
            w->too_deep = true;
            return NULL;
        }
        frame *grown = a->resize(a->user, w->allocated ? w->frames : NULL, w->allocated ? old : 0, size);
        if (!grown) {
            mst_fail(w->diagnostic, MST_NO_MEMORY, "there is no memory for records nested this deeply");
            return NULL;
        }
        if (!w->allocated)
            memcpy(grown, w->first_frames, old);
        w->frames = grown;
        w->allocated = true;
        w->capacity *= 2;
    }
    frame *top = &w->frames[w->depth++];
    top->met = top->exact = top->in_chunk = top->in_list = top->sized = false;
    top->next = 0;
    top->levels = w->depth > 1 ? w->frames[w->depth - 2].levels + 1 : 0;
    top->start = w->position;
    memcpy(top->context, copy, sizeof copy);
    return top;
}

/* The label of an item in paths (frames) and for the visitor; they differ below an inline record. */
typedef struct label {
    const char *name;
    uint64_t index;
    bool silent; /* the path already contains it */
} label;

/* Skips what the visitor does not want to enter. */
static mst_status skip(walker *w, const mst_field *field, const uint32_t *context, uint64_t end, bool single,
                       bool chunk) {
    mst_walk_request measure = {.document = w->document,
                                .field = field,
                                .context = context,
                                .offset = w->position,
                                .end = end,
                                .single = single,
                                .chunk = chunk};
    return mst_walk_field(&measure, &w->position, w->diagnostic);
}

/* The item at the walker's position. Each member is assigned separately: with a partial initialiser,
 * compilers clear the structure first, which takes longer than everything else about a field. */
static inline mst_item item_at(const walker *w, mst_item_kind kind, const mst_field *field,
                               const uint32_t *context, const char *name, uint64_t index, uint64_t limit) {
    mst_item item;
    item.kind = kind;
    item.field = field;
    item.record = NULL;
    item.chunks = NULL;
    item.context = context;
    item.name = name;
    item.index = index;
    item.offset = w->position;
    item.length = 0;
    item.limit = limit;
    item.shape.prefix = item.shape.count = item.shape.element = 0;
    item.depth = (uint32_t)w->depth;
    item.chunk = false;
    return item;
}

static mst_status report_derived(const walker *w, const frame *top, const char *name, uint64_t length) {
    mst_item item = item_at(w, MST_ITEM_DERIVED, NULL, top->context, name, UINT64_MAX, w->position + length);
    item.length = length;
    mst_status status = length ? report(w, &item) : MST_OK;
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* Advances to `offset` over padding. */
static mst_status pad_to(walker *w, const frame *top, uint64_t offset) {
    if (MST_CHANGED(offset < w->position))
        return mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_OFFSET, top->archive.base, 4,
                              "the offsets of the archive have changed since it was opened");
    mst_status status = report_derived(w, top, mst_padding_name, offset - w->position);
    w->position = offset;
    return status;
}

/* The maximum number of blocks of a record. */
static uint32_t block_fields(const mst_record *record) {
    uint32_t count = 0;
    while (count < record->field_count && !(record->fields[count].flags & MST_FIELD_OUTSIDE))
        count++;
    return count;
}

/* The header of an archive that is a record (`record` of the frame) or a list of its blocks. */
static mst_status begin_archive(walker *w, frame *top, bool root) {
    mst_status status = w->request->trusted ? MST_OK : MST_UNKNOWN;
    if (status == MST_OK)
        top->archive = mst_archive_at(w->document, w->position, top->end);
    else
        status = mst_archive_open(w->document, w->position, top->end, root || top->end == w->document->size,
                                  &top->archive, w->diagnostic);
    top->block = 0;
    if (status != MST_OK)
        return problem(w, "", status);
    uint32_t count = top->archive.count;
    if (top->mode == FRAME_RECORD && (count || top->record->min) &&
        (count < top->record->min || count > block_fields(top->record) ||
         (!top->record->min && count != block_fields(top->record)))) {
        status = mst_problem_at(w->document, w->diagnostic, root ? MST_PROBLEM_ROOT : MST_PROBLEM_BLOCKS,
                                w->position, 4, "the archive has the wrong number of blocks");
        if (w->diagnostic) {
            uint32_t min = top->record->min, max = block_fields(top->record);
            MST_SET(w->diagnostic->expected, min == max ? "%u" : min ? "%u to %u" : "%u or %u", min, max);
            MST_SET(w->diagnostic->found, "%u", count);
        }
        return problem(w, "", status);
    }
    if (w->request->trusted && !w->request->visitor) {
        w->position = mst_archive_block(w->document, &top->archive, count);
        top->block = count;
        if (top->mode == FRAME_RECORD)
            top->next = (uint16_t)block_fields(top->record);
        top->done = count;
        return MST_OK;
    }
    status = report_derived(w, top, "count", 4);
    w->position += 4;
    if (status == MST_OK)
        status = report_derived(w, top, "offsets", 4 * (uint64_t)(count + 1));
    w->position += 4 * (uint64_t)(count + 1);
    return status;
}

/* ---- ends of nested records -------------------------------------------------------------------- */

/* Notes the record of a new frame, if enough levels have passed since the last one. */
static void note_begin(const walker *w, frame *top) {
    mst_ends *ends = w->request->ends;
    if (top->levels < MST_ENDS_LEVELS)
        return;
    top->levels = 0;
    if (ends->items) {
        top->noted = ends->count;
        ends->items[ends->count].record = top->record;
        ends->items[ends->count].offset = w->position;
    }
    ends->count++;
}

/* Advances to the end of a noted record; false if it was not noted. */
static bool go_to_end(walker *w, const mst_record *record, uint64_t end) {
    const mst_ends *ends = &w->document->ends;
    for (size_t i = ends->steps[w->position / MST_ENDS_STEP];
         i < ends->count && ends->items[i].offset <= w->position; i++)
        if (ends->items[i].offset == w->position && ends->items[i].record == record &&
            !MST_CHANGED(ends->items[i].end > end)) {
            w->position = ends->items[i].end;
            return true;
        }
    return false;
}

mst_status mst_walk_first(mst_document *document, mst_diagnostic *diagnostic) {
    mst_ends ends = {NULL, NULL, 0};
    document->ends = ends;
    mst_walk_request request = mst_walk_of_document(document);
    request.ends = &ends;
    mst_status status = mst_walk_field(&request, NULL, diagnostic);
    if (status != MST_OK || !ends.count)
        return status;
    /* rare: a second walk stores the ends that the first one counted */
    size_t steps = (size_t)(document->size / MST_ENDS_STEP) + 1;
    ends.items = mst_arena_take(&document->arena, ends.count, sizeof *ends.items);
    ends.steps = mst_arena_take(&document->arena, steps, sizeof *ends.steps);
    if (!ends.items || !ends.steps)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the ends of nested records");
    ends.count = 0;
    status = mst_walk_field(&request, NULL, diagnostic);
    for (size_t step = 0, i = 0; step < steps; step++) {
        while (i < ends.count && ends.items[i].offset < (uint64_t)step * MST_ENDS_STEP)
            i++;
        ends.steps[step] = i;
    }
    if (status == MST_OK)
        document->ends = ends;
    return status;
}

/* Begins one element of the field: a leaf is done at once, a record gets a frame. */
static mst_status begin_record(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                               label as, bool chunk) {
    const mst_record *record = record_of(w->document, field);
    bool met = false, endless = mst_plan_of(w->document, record)->endless;
    if (endless && w->document->ends.count && w->request->trusted && !w->request->visitor &&
        go_to_end(w, record, end))
        return MST_OK;
    if (w->request->visitor && !record->is_inline) {
        mst_item item = item_at(w, MST_ITEM_BEGIN_RECORD, field, context, as.name, as.index, end);
        item.record = record;
        item.shape.count = 1;
        item.chunk = chunk;
        mst_status status = report(w, &item);
        if (status == MST_UNKNOWN)
            return skip(w, field, context, end, true, chunk);
        if (status != MST_OK)
            return status;
        met = true;
    }
    frame *top = push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_RECORD;
    top->met = met;
    top->exact = chunk;
    top->field = field;
    top->record = record;
    top->name = as.silent ? "" : as.name;
    top->index = as.silent ? UINT64_MAX : as.index;
    top->end = top->outer = end;
    top->outer_exact = chunk;
    top->part = 0;
    /* the index that the visitor gets for an inline record's field */
    top->element = as.index;
    top->noted = SIZE_MAX;
    if (endless && w->request->ends)
        note_begin(w, top);
    return record->archive ? begin_archive(w, top, field == &mst_document_field) : MST_OK;
}

/* Proves a list of texts in an archive with one loop: there may be hundreds of thousands. `list` is its
 * frame. False if anything is wrong; the regular walk then finds out what. */
static bool proves_texts(walker *w, frame *list) {
    const mst_record *record = list->field->record;
    if (w->request->visitor || w->request->trusted || !record->is_inline ||
        !mst_is_text(&record->fields[0]) || record->fields[0].mode != MST_COUNT_DATA_SET)
        return false;
    const mst_document *document = w->document;
    uint64_t begin = mst_archive_block(document, &list->archive, 0);
    for (uint32_t i = 0; i < list->archive.count; i++) {
        uint64_t end = mst_archive_block(document, &list->archive, i + 1);
        if (end - begin < 8)
            return false;
        uint32_t stride = mst_load32(document->data + begin, list->archive.big);
        uint32_t count = mst_load32(document->data + begin + 4, list->archive.big);
        if ((count != 1 && (stride | count)) || (count && stride > end - begin - 8))
            return false;
        begin = end;
    }
    w->position = begin;
    list->done = list->archive.count;
    return true;
}

/* Reports the last of a record's sizes, which ends at the walker's position and has `length` bytes, as
 * impossible. */
static mst_status contradiction(const walker *w, const frame *owner, const mst_field *field, uint64_t stored,
                                uint64_t length, uint64_t end) {
    bool beyond = !mst_fits(w->position, owner->sizes[mst_size_index(field)], end);
    uint64_t unit = field->size_scale ? field->size_scale : 1;
    bool small = stored < (field->size_bias + unit - 1) / unit;
    mst_status status =
        mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_OVERRUN, w->position - length, length,
                       small    ? "the size is too small"
                       : beyond ? "the size runs past the end of the enclosing data"
                                : "the sizes contradict each other");
    if (!w->diagnostic)
        return status;
    uint64_t max = beyond ? end - w->position : owner->sizes[0];
    if (small)
        MST_SET(w->diagnostic->expected, "at least %llu",
                (unsigned long long)((field->size_bias + unit - 1) / unit));
    else if (unit == 1)
        MST_SET(w->diagnostic->expected, "at most %llu bytes", (unsigned long long)(max + field->size_bias));
    else
        MST_SET(w->diagnostic->expected, "at most %llu x %llu bytes",
                (unsigned long long)((max + field->size_bias) / unit), (unsigned long long)unit);
    MST_SET(w->diagnostic->found, "%lld", (long long)stored);
    return status;
}

/* Proves a list of length-prefixed texts with one loop. False if anything is wrong; the regular walk then
 * finds out what. */
static bool passes_texts(walker *w, const mst_field *field, const mst_shape *shape, uint64_t end) {
    const mst_field *text = field->record->fields;
    if (!field->record->is_inline || !mst_is_text(text) || text->mode != MST_COUNT_PREFIX ||
        field->mode == MST_COUNT_ARCHIVE || shape->count == MST_TO_SENTINEL ||
        (field->flags & MST_FIELD_SHORT))
        return false;
    unsigned prefix = mst_kind_width[text->prefix], width = mst_kind_width[text->kind];
    bool big = mst_field_big(w->document, text);
    uint64_t at = w->position + shape->prefix;
    for (uint64_t i = 0; i < shape->count; i++) {
        if (!mst_fits(at, prefix, end))
            return false;
        uint64_t size = mst_load(w->document->data + at, prefix, big) * width;
        at += prefix;
        if (!mst_fits(at, size, end))
            return false;
        at += size;
    }
    w->position = at;
    return true;
}

static mst_status begin_field(walker *w, const mst_field *field, uint32_t *context, uint64_t end, label as,
                              bool chunk, frame *owner) {
    mst_shape shape;
    if (field->kind == MST_KIND_CHUNKS) {
        uint64_t start = w->position;
        if (w->request->by_case) {
            mst_item item = item_at(w, MST_ITEM_BEGIN_LIST, field, context, "$chunks", UINT64_MAX, end);
            item.chunks = field->chunks;
            mst_status status = report(w, &item);
            if (status == MST_UNKNOWN) {
                w->position = end;
                return MST_OK;
            }
            if (status != MST_OK)
                return status;
        }
        frame *top = push(w, context);
        if (!top)
            return MST_NO_MEMORY;
        top->mode = FRAME_CHUNKS;
        top->field = field;
        top->record = NULL;
        top->chunks = field->chunks;
        top->name = "";
        top->index = UINT64_MAX;
        top->end = end;
        top->cursor = (mst_chunk_cursor){start, 0};
        memset(top->counters, 0, sizeof top->counters);
        return MST_OK;
    }
    mst_status status = MST_OK;
    uint64_t numbers = field->mode == MST_COUNT_ONE ? 1 : field->mode == MST_COUNT_FIXED ? field->count : 0;
    shape = (mst_shape){0, numbers, mst_kind_width[field->kind]};
    /* most fields are a few numbers: if they fit, there is nothing more to do without a visitor */
    if (mst_is_number(field) && numbers && mst_fits(w->position, numbers * shape.element, end)) {
        if (!w->request->visitor && !(field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP))) {
            if (field->bind)
                mst_bind_variable(field, context, mst_scalar_bits(w->document, field, w->position));
            w->position += numbers * shape.element;
            return MST_OK;
        }
    } else {
        status = mst_field_shape(w->document, field, context, w->position, end, &shape, w->diagnostic);
    }
    if (status != MST_OK)
        return problem(w, as.silent ? "" : field->name, status);
    if (field->kind == MST_KIND_RECORD) {
        if (field->mode == MST_COUNT_ONE)
            return begin_record(w, field, context, end, as, chunk);
        bool fixed = shape.element > 0;
        if (!w->request->visitor) {
            if (fixed) {
                w->position += shape.prefix + shape.count * shape.element;
                return MST_OK;
            }
            if (passes_texts(w, field, &shape, end))
                return MST_OK;
        } else {
            mst_item item = item_at(w, MST_ITEM_BEGIN_LIST, field, context, as.name, as.index, end);
            item.record = field->record;
            item.shape = shape;
            item.chunk = chunk;
            status = report(w, &item);
            if (status == MST_UNKNOWN && fixed) {
                w->position += shape.prefix + shape.count * shape.element;
                return MST_OK;
            }
            if (status == MST_UNKNOWN)
                return skip(w, field, context, end, false, false);
            if (status != MST_OK)
                return status;
        }
        w->position += shape.prefix;
        frame *top = push(w, context);
        if (!top)
            return MST_NO_MEMORY;
        top->mode = FRAME_LIST;
        top->met = w->request->visitor != NULL;
        top->field = field;
        top->record = field->record;
        top->name = as.silent ? "" : as.name;
        top->index = as.silent ? UINT64_MAX : as.index;
        top->end = end;
        top->done = 0;
        top->count = shape.count;
        top->element = shape.element;
        /* only the archive that is the file itself begins at 0: others have a header before them */
        bool root = top->start == 0;
        if (field->mode != MST_COUNT_ARCHIVE)
            return MST_OK;
        status = begin_archive(w, top, root);
        if (status == MST_OK)
            proves_texts(w, top);
        return status;
    }
    /* a leaf */
    const uint8_t *bytes = w->document->data + w->position;
    uint64_t length = shape.prefix + shape.count * shape.element;
    if (field->constant && memcmp(bytes, field->constant, field->count) != 0) {
        status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_MAGIC, w->position, length,
                                "the bytes differ from the constant that the format requires");
        if (w->diagnostic) {
            MST_SET(w->diagnostic->expected, "%s", field->constant);
            size_t n = 0;
            for (uint64_t i = 0; i < length && i < 8; i++, n += 3)
                snprintf(w->diagnostic->found + n, sizeof w->diagnostic->found - n, "%02x ", bytes[i]);
            w->diagnostic->found[n - 1] = 0; /* drops the last blank: no constant is empty */
        }
        return problem(w, field->name, status);
    }
    uint64_t stored = 0;
    if (field->mode == MST_COUNT_ONE && (field->bind || (field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP))))
        stored = mst_scalar_bits(w->document, field, w->position);
    if (w->request->visitor) {
        mst_item_kind kind = field->flags & MST_FIELD_SIZES ? MST_ITEM_DERIVED : MST_ITEM_LEAF;
        mst_item item = item_at(w, kind, field, context, as.name, as.index, end);
        item.length = length;
        /* member by member: reading the structure right after its parts were written would stall */
        item.shape.prefix = shape.prefix;
        item.shape.count = shape.count;
        item.shape.element = shape.element;
        item.chunk = chunk;
        status = report(w, &item);
        if (status != MST_OK && status != MST_UNKNOWN)
            return status;
    }
    w->position += length;
    mst_bind_variable(field, context, stored);
    if ((field->flags & MST_FIELD_STOP) && owner && mst_is_number(field))
        owner->next = mst_field_after(owner->record, (uint16_t)(owner->next - 1), stored);
    if ((field->flags & MST_FIELD_SIZES) && owner) {
        const mst_plan *plan = mst_plan_of(w->document, owner->record);
        uint64_t covered = mst_size_covered(field, stored);
        owner->sizes[mst_size_index(field)] = covered;
        if (owner->next != plan->last_size + 1)
            return MST_OK;
        uint64_t first_end;
        if (!mst_split_parts(plan, owner->sizes, w->position, end, &first_end, &owner->last_part)) {
            return problem(w, field->name, contradiction(w, owner, field, stored, length, end));
        }
        owner->end = first_end;
        owner->exact = owner->sized = true;
        if (w->request->trusted && !w->request->visitor) {
            w->position = owner->end = owner->last_part;
            owner->part = 1;
            while (owner->next < owner->record->field_count &&
                   !(owner->record->fields[owner->next].flags & MST_FIELD_OUTSIDE))
                owner->next++;
        }
    }
    return MST_OK;
}

/* Checks that the content ends with the frame, where it must. */
static mst_status at_end(const walker *w, const frame *top) {
    if (!top->exact || w->position == top->end)
        return MST_OK;
    mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_TRAILING, w->position,
                                       top->end - w->position, "bytes are left over at the end");
    if (w->diagnostic)
        MST_SET(w->diagnostic->found, "%llu bytes", (unsigned long long)(top->end - w->position));
    return problem(w, "", status);
}

/* Advances to the given part of a record: the parts before it must end where their sizes say. */
static mst_status next_part(const walker *w, frame *top, uint8_t part) {
    mst_status status = MST_OK;
    while (top->sized && top->part < part && status == MST_OK) {
        status = at_end(w, top);
        top->end = ++top->part == 1 ? top->last_part : top->outer;
        top->exact = top->part == 1 || top->outer_exact;
    }
    return status;
}

static mst_status end_frame(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    mst_status ended = top->mode == FRAME_RECORD ? next_part(w, top, 1) : MST_OK;
    if (ended == MST_OK)
        ended = at_end(w, top);
    if (ended != MST_OK)
        return ended;
    if (top->mode == FRAME_RECORD && top->noted != SIZE_MAX)
        w->request->ends->items[top->noted].end = w->position;
    mst_status status = MST_OK;
    if (top->met) {
        mst_item_kind kind = top->mode == FRAME_RECORD ? MST_ITEM_END_RECORD : MST_ITEM_END_LIST;
        mst_item item = item_at(w, kind, top->field, top->context, top->name, top->index, top->end);
        item.record = top->record;
        item.depth--;
        status = report(w, &item);
    }
    w->depth--;
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* The blocks in order, then the fields after the archive. */
static mst_status step_archive(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    while (top->next < top->record->field_count) {
        const mst_field *field = &top->record->fields[top->next];
        bool outside = (field->flags & MST_FIELD_OUTSIDE) != 0;
        if (!outside && top->block == top->archive.count) {
            top->next++;
            continue;
        }
        mst_status status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->block));
        if (status != MST_OK)
            return status;
        top->next++;
        if (!outside)
            top->block++;
        else if (!mst_field_found(w->document, field, top->context, w->position, top->end))
            continue;
        uint64_t end = outside
                           ? top->end
                           : mst_archive_block_end(w->document, &top->archive, top->block - 1, w->position);
        size_t depth = w->depth;
        label as = {field->name, UINT64_MAX, false};
        status = begin_field(w, field, top->context, end, as, false, top);
        if (status != MST_OK)
            return status;
        if (w->depth != depth)
            return MST_OK;
    }
    uint64_t end = mst_archive_block(w->document, &top->archive, top->archive.count);
    mst_status status = w->position < end ? pad_to(w, top, end) : MST_OK;
    return status == MST_OK ? end_frame(w) : status;
}

static mst_status step_record(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    if (top->record->archive)
        return step_archive(w);
    const mst_plan *plan = mst_plan_of(w->document, top->record);
    while (top->next < top->record->field_count) {
        uint16_t i = top->next;
        const mst_field_plan *compiled = &plan->fields[i];
        if (compiled->presence == MST_ABSENT && (w->request->visitor || !compiled->run_size)) {
            top->next++;
            continue;
        }
        if (!w->request->visitor && compiled->run_size) {
            if (!mst_fits(w->position, compiled->run_size, top->end)) {
                /* find the first field that does not fit */
                uint64_t left = top->end - w->position;
                while (compiled->size <= left) { /* ends: the sum does not fit */
                    left -= compiled->size;
                    compiled = &plan->fields[++i];
                }
                w->position = top->end - left;
            } else {
                w->position += compiled->run_size;
                top->next = compiled->run_next;
                continue;
            }
        }
        const mst_field *field = &top->record->fields[i];
        top->next = (uint16_t)(i + 1);
        mst_status status;
        if (top->sized && (field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE))) {
            status = next_part(w, top, field->flags & MST_FIELD_LAST ? 1 : 2);
            if (status != MST_OK)
                return status;
        }
        if (compiled->presence == MST_DEPENDS &&
            !mst_field_found(w->document, field, top->context, w->position, top->end))
            continue;
        label as = {field->name, UINT64_MAX, false};
        if (top->record->is_inline)
            as = (label){top->name, top->element, true};
        if ((field->flags & MST_FIELD_STOP) && !mst_is_number(field))
            top->next = mst_field_after(top->record, i, 0);
        size_t depth = w->depth;
        status = begin_field(w, field, top->context, top->end, as, false, top);
        if (status != MST_OK)
            return status;
        if (w->depth != depth)
            return MST_OK; /* its content comes first */
    }
    return end_frame(w);
}

static mst_status step_list(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    bool to_sentinel = top->count == MST_TO_SENTINEL || (top->field->flags & MST_FIELD_SHORT);
    if (top->done >= top->count || (to_sentinel && w->position >= top->end)) {
        mst_status status = MST_OK;
        if (top->field->mode == MST_COUNT_ARCHIVE)
            status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->archive.count));
        return status == MST_OK ? end_frame(w) : status;
    }
    if (to_sentinel && top->done && w->position == top->start)
        return mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_COUNT, w->position, 0,
                              "an element takes no bytes");
    if (top->field->mode == MST_COUNT_ARCHIVE) {
        mst_status status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->block));
        if (status != MST_OK)
            return status;
        uint64_t block_end = mst_archive_block_end(w->document, &top->archive, top->block++, w->position);
        return begin_record(w, top->field, top->context, block_end, (label){"", top->done++, false}, false);
    }
    top->start = w->position; /* of the element */
    uint64_t end = top->element ? w->position + top->element : top->end;
    return begin_record(w, top->field, top->context, end, (label){"", top->done++, false}, false);
}

static const char *name_of_chunk(const mst_chunks *chunks, uint32_t id) {
    for (uint8_t i = 0; i < chunks->case_count; i++)
        if (((chunks->cases[i].id ^ id) & ~chunks->cases[i].any) == 0)
            return chunks->cases[i].field.name;
    return chunks->unknown->name;
}

static mst_status step_chunks(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    if (top->in_chunk && w->position != top->chunk_end) {
        mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_TRAILING, w->position,
                                           top->chunk_end - w->position, "bytes are left over in the chunk");
        if (w->diagnostic)
            MST_SET(w->diagnostic->found, "%llu bytes", (unsigned long long)(top->chunk_end - w->position));
        return problem(w, top->content, status);
    }
    top->in_chunk = false;
    mst_chunk chunk = {.offset = UINT64_MAX};
    bool by_case = w->request->by_case && w->request->visitor;
    for (;;) {
        mst_status status =
            mst_chunk_next(w->document, top->chunks, &top->cursor, top->end, &chunk, w->diagnostic);
        if (status == MST_UNKNOWN) {
            if (top->in_list) {
                top->in_list = false;
                mst_item end = item_at(w, MST_ITEM_END_LIST, NULL, top->context, "", UINT64_MAX, top->end);
                end.depth--;
                status = report(w, &end);
                if (status != MST_OK && status != MST_UNKNOWN)
                    return status;
            }
            if (!by_case || top->next >= top->chunks->case_count) {
                w->position = top->end;
                return end_frame(w);
            }
            top->next++;
            top->cursor = (mst_chunk_cursor){top->start, 0};
            continue;
        }
        if (status != MST_OK)
            return problem(w, chunk.offset == top->cursor.offset ? name_of_chunk(top->chunks, chunk.id) : "",
                           status);
        if (by_case && (chunk.which < 0 ? top->chunks->case_count : chunk.which) != (int)top->next)
            continue;
        break;
    }
    const mst_field *field = chunk.which < 0 ? top->chunks->unknown : &top->chunks->cases[chunk.which].field;
    bool repeated = chunk.which < 0 || (field->flags & MST_FIELD_REPEATED);
    uint32_t *counter = &top->counters[chunk.which < 0 ? MST_CASES : chunk.which];
    label as = {field->name, UINT64_MAX, false};
    if (repeated)
        as.index = (*counter)++;
    mst_status status;
    if (by_case && repeated && !top->in_list) {
        mst_item begin =
            item_at(w, MST_ITEM_BEGIN_LIST, field, top->context, field->name, UINT64_MAX, top->end);
        begin.record = field->record;
        begin.chunks = top->chunks;
        begin.offset = top->start;
        begin.shape.count = MST_TO_SENTINEL;
        status = report(w, &begin);
        if (status == MST_UNKNOWN) { /* skip all chunks of the case */
            top->next++;
            top->cursor = (mst_chunk_cursor){top->start, 0};
            return MST_OK;
        }
        if (status != MST_OK)
            return status;
        top->in_list = true;
    }
    if (by_case && repeated)
        as.name = "";
    top->in_chunk = true;
    top->chunk_end = chunk.end;
    top->content = field->name;
    w->position = chunk.offset;
    if (mst_holds_header(top->chunks, field))
        return begin_record(w, field, top->context, chunk.end, as, true);
    mst_item header = item_at(w, MST_ITEM_DERIVED, NULL, top->context, "chunk", UINT64_MAX, chunk.end);
    header.length = MST_CHUNK_HEADER;
    status = report(w, &header);
    if (status != MST_OK && status != MST_UNKNOWN)
        return status;
    w->position += MST_CHUNK_HEADER;
    if (repeated)
        return begin_record(w, field, top->context, chunk.end, as, true);
    return begin_field(w, field, top->context, chunk.end, as, true, NULL);
}

mst_status mst_walk_field(const mst_walk_request *request, uint64_t *after, mst_diagnostic *diagnostic) {
    walker w;
    w.request = request;
    w.document = request->document;
    w.diagnostic = diagnostic;
    w.position = request->offset;
    w.frames = w.first_frames;
    w.depth = 0;
    w.capacity = FRAMES;
    w.allocated = w.too_deep = false;
    uint32_t context[MST_VARIABLES];
    memcpy(context, request->context, sizeof context);
    const mst_field *field = request->field;
    label as = {field->name, request->index, false};
    mst_status status;
    if (request->single && field->kind == MST_KIND_RECORD) {
        status = begin_record(&w, field, context, request->end, as, request->chunk);
    } else if (request->single) {
        mst_field one = *field; /* one number of a list */
        one.mode = mst_is_number(field) ? MST_COUNT_ONE : field->mode;
        status = begin_field(&w, &one, context, request->end, as, request->chunk, NULL);
    } else {
        status = begin_field(&w, field, context, request->end, as, request->chunk, NULL);
    }
    while (status == MST_OK && w.depth > 0) {
        uint8_t mode = w.frames[w.depth - 1].mode;
        status = mode == FRAME_RECORD ? step_record(&w)
                 : mode == FRAME_LIST ? step_list(&w)
                                      : step_chunks(&w);
    }
    if (w.too_deep) {
        status = mst_problem_at(w.document, diagnostic, MST_PROBLEM_NESTING, w.position, 0,
                                "records are nested too deeply for a file of this size");
        if (diagnostic)
            MST_SET(diagnostic->found, "%zu levels", w.depth);
    }
    if (w.allocated) {
        const mst_allocator *a = &w.document->allocator;
        a->resize(a->user, w.frames, w.capacity * sizeof(frame), 0);
    }
    /* a root's own size field may be less than the file's size */
    if (status == MST_OK && request->chunk && w.position != request->end)
        status = mst_problem_at(w.document, diagnostic, MST_PROBLEM_TRAILING, w.position,
                                request->end - w.position, "bytes are left over at the end");
    if (after)
        *after = w.position;
    return status;
}

mst_walk_request mst_walk_of_document(const mst_document *document) {
    return (mst_walk_request){.document = document,
                              .field = &mst_document_field,
                              .context = document->context,
                              .offset = 0,
                              .end = document->size,
                              .index = UINT64_MAX,
                              .chunk = true};
}
