/* SPDX-License-Identifier: MIT */
/* From an .I3D file to parsed bytes and back. */
#include "../../../core/diagnose.h"
#include "../../../core/unreachable.h"
#include "imagery_model.h"

/* ---- parsing ------------------------------------------------------------------------------------- */

/* Writes the elements of a part, with the numbers of parts in place of offsets. */
static void put_part(mst_parsed_writer *w, const mst_imagery *imagery, const mst_model_parts *parts,
                     const mst_model_part *part) {
    const mst_model_kind *kind = &mst_model_kinds[part->kind];
    mst_parsed_number(w, part->kind, 1);
    mst_parsed_number(w, part->count, 4);
    if (!kind->runs) {
        mst_parsed_bytes(w, imagery->data + part->at, part->size);
        return;
    }
    for (uint32_t i = 0; i < part->count && w->status == MST_OK; i++) {
        uint32_t begin = part->at + kind->size * i, at = begin;
        for (unsigned k = 0; k < kind->runs; k++) {
            uint32_t field = begin + kind->fields[k].at, end = field + 4u * kind->fields[k].count;
            mst_parsed_bytes(w, imagery->data + at, field - at);
            for (at = field; at < end; at += 4)
                mst_parsed_from(w, mst_model_target(parts, at), 4, imagery->data + at, 4);
        }
        mst_parsed_bytes(w, imagery->data + at, begin + kind->size - at);
    }
}

static void put_data(mst_parsed_writer *w, const mst_imagery *imagery, const mst_model_parts *parts) {
    const mst_model_part *items = parts->items.items;
    uint32_t end = 0;
    mst_parsed_number(w, (uint32_t)parts->items.count, 4);
    for (size_t i = 0; i < parts->items.count; i++) {
        mst_imagery_put_fill(w, imagery->data, end, items[i].at);
        put_part(w, imagery, parts, &items[i]);
        end = items[i].at + items[i].size;
    }
    mst_imagery_put_fill(w, imagery->data, end, imagery->data_size);
}

static void put_header(mst_parsed_writer *w, const mst_imagery *imagery) {
    uint32_t end = 8 + MST_IMAGERY_STATE * imagery->state_count;
    mst_imagery_put_beginning(w, imagery);
    mst_parsed_from(w, imagery->state_count, 4, imagery->header + 4, 4);
    for (uint32_t i = 0; i < imagery->state_count; i++)
        mst_imagery_put_state(w, imagery, i, &end);
    mst_imagery_put_fill(w, imagery->header, end, imagery->header_size);
    mst_parsed_number(w, imagery->bitmap_count, 4);
    mst_parsed_bytes(w, imagery->table, 4 * (size_t)imagery->bitmap_count);
}

mst_status mst_model_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                           mst_diagnostic *diagnostic) {
    (void)format;
    mst_imagery imagery;
    mst_model_parts parts;
    mst_status status = mst_imagery_open(&files[0], &imagery, diagnostic);
    if (status != MST_OK)
        return status;
    bool known = mst_model_find_parts(&imagery, &w->to->allocator, &parts);
    status = parts.status;
    if (status == MST_OK) {
        put_header(w, &imagery);
        mst_parsed_number(w, known ? MST_MODEL_OF_PARTS : MST_MODEL_OF_BYTES, 1);
        if (known)
            put_data(w, &imagery, &parts);
        else
            mst_parsed_counted(w, imagery.data, imagery.data_size);
        mst_parsed_bytes(w, imagery.trailing, (size_t)imagery.trailing_size);
        status = w->status;
    }
    mst_array_free(&parts.items);
    mst_array_free(&parts.links);
    return status == MST_OK ? status
                            : mst_fail(diagnostic, status, "not enough memory for the content of the model");
}

/* ---- serializing --------------------------------------------------------------------------------- */

typedef struct serializer {
    mst_parsed_writer data;
    mst_array parts; /* mst_model_part: with positions in the data */
    mst_diagnostic *diagnostic;
} serializer;

static mst_status refuse(const serializer *s, const char *message) {
    return mst_fail(s->diagnostic, MST_REFUSED, "%s", message);
}

static mst_status take_part(serializer *s, mst_parsed_reader *r) {
    mst_imagery_take_fill(r, &s->data);
    uint32_t kind = mst_parsed_read(r, 1), count = mst_parsed_read(r, 4);
    if (kind >= MST_MODEL_KINDS)
        return refuse(s, "unknown kind of part");
    uint64_t size = (uint64_t)mst_model_kinds[kind].size * count;
    const uint8_t *bytes = mst_parsed_take(r, size);
    if (r->failed)
        return refuse(s, "a part of the model is incomplete");
    mst_model_part *part = mst_array_push(&s->parts, 1);
    if (!part)
        return MST_NO_MEMORY;
    *part = (mst_model_part){
        .at = (uint32_t)s->data.to->size, .size = (uint32_t)size, .count = count, .kind = (uint8_t)kind};
    mst_parsed_put(&s->data, bytes, (size_t)size);
    return s->data.status;
}

/* The offset field was copied with the part's number in it. */
static mst_status store_offset(const serializer *s, size_t field) {
    const mst_model_part *parts = s->parts.items;
    uint8_t *data = s->data.to->data;
    uint32_t number = mst_load32(data + field, true);
    if (number != MST_IMAGERY_NONE && number >= s->parts.count)
        return refuse(s, "the model has no part of that number");
    uint32_t offset = number == MST_IMAGERY_NONE ? 0 : parts[number].at - (uint32_t)field;
    mst_store32(data + field, offset, false);
    return MST_OK;
}

static mst_status store_offsets(serializer *s) {
    const mst_model_part *parts = s->parts.items;
    mst_status status = s->data.status;
    for (size_t i = 0; i < s->parts.count && status == MST_OK; i++) {
        const mst_model_kind *kind = &mst_model_kinds[parts[i].kind];
        for (uint32_t element = 0; element < parts[i].count && kind->runs; element++)
            for (unsigned k = 0; k < kind->runs; k++)
                for (uint32_t n = 0; n < kind->fields[k].count && status == MST_OK; n++)
                    status = store_offset(s, parts[i].at + element * (size_t)kind->size + kind->fields[k].at +
                                                 4 * (size_t)n);
    }
    return status;
}

static mst_status take_data(serializer *s, mst_parsed_reader *r) {
    uint32_t form = mst_parsed_read(r, 1), count = mst_parsed_read(r, 4);
    mst_status status = MST_OK;
    if (form != MST_MODEL_OF_PARTS) {
        const uint8_t *bytes = mst_parsed_take(r, count);
        if (r->failed)
            return refuse(s, "the model is incomplete");
        mst_parsed_put(&s->data, bytes, count);
        return s->data.status;
    }
    for (uint32_t i = 0; i < count && status == MST_OK; i++)
        status = take_part(s, r);
    if (status != MST_OK)
        return status;
    mst_imagery_take_fill(r, &s->data);
    if (r->failed)
        return refuse(s, "the model is incomplete");
    return store_offsets(s);
}

/* Checks that the file has the same parts again: that the numbers in the body and the states agree with
 * them. */
static mst_status prove(const serializer *s, const mst_buffer *file) {
    const mst_file_view view = {file->data, file->size};
    const mst_model_part *wanted = s->parts.items;
    mst_imagery imagery;
    mst_model_parts parts;
    mst_status status = mst_imagery_open(&view, &imagery, s->diagnostic);
    if (status != MST_OK)
        return MST_REFUSED;
    bool same = mst_model_find_parts(&imagery, &file->allocator, &parts);
    const mst_model_part *found = parts.items.items;
    status = parts.status;
    same = same && parts.items.count == s->parts.count;
    for (size_t i = 0; i < s->parts.count && same; i++)
        same = mst_model_by_place(&found[i], &wanted[i]) == 0;
    mst_array_free(&parts.items);
    mst_array_free(&parts.links);
    if (status == MST_OK && !same)
        return refuse(s, "the parts do not agree with the numbers in the body and the states");
    return status;
}

static mst_status put_file(serializer *s, mst_parsed_reader *r, const uint8_t *start, mst_buffer sections[2],
                           mst_parsed_writer *file) {
    mst_parsed_writer header = {.to = &sections[0], .limit = UINT32_MAX};
    mst_parsed_writer walkmaps = {.to = &sections[1], .limit = UINT32_MAX};
    const uint8_t *kind = mst_parsed_take(r, 4);
    uint32_t states = mst_parsed_read(r, 4);
    mst_status status = MST_OK;
    mst_parsed_reader skipping = *r;
    for (uint32_t i = 0; i < states && !skipping.failed; i++)
        mst_imagery_skip_state(&skipping);
    if (skipping.failed)
        return refuse(s, "the model is incomplete");
    mst_parsed_put(&header, kind, 4);
    mst_imagery_put(&header, states);
    for (uint32_t i = 0; i < states && status == MST_OK; i++)
        status = mst_imagery_take_state(r, i, states, &header, &walkmaps, s->diagnostic);
    if (status != MST_OK)
        return status;
    mst_parsed_put(&header, walkmaps.to->data, walkmaps.to->size);
    if (header.status == MST_OK)
        header.status = walkmaps.status;
    mst_imagery_take_fill(r, &header);
    uint32_t bitmaps = mst_parsed_read(r, 4);
    const uint8_t *table = mst_parsed_take(r, 4 * (uint64_t)bitmaps);
    if (r->failed || bitmaps > UINT16_MAX)
        return refuse(s, "the model is incomplete, or its table too long");
    status = take_data(s, r);
    if (status != MST_OK)
        return status;
    file->status = header.status;
    const uint8_t counts[4] = {(uint8_t)bitmaps, (uint8_t)(bitmaps >> 8), 0, start[4]};
    mst_parsed_put(file, start, 4);
    mst_parsed_put(file, counts, 4);
    mst_imagery_put(file, (uint32_t)s->data.to->size);
    mst_imagery_put(file, (uint32_t)s->data.to->size + mst_load32(start + 5, true));
    mst_imagery_put(file, (uint32_t)header.to->size);
    mst_parsed_put(file, header.to->data, header.to->size);
    mst_parsed_put(file, table, 4 * (size_t)bitmaps);
    mst_parsed_put(file, s->data.to->data, s->data.to->size);
    mst_parsed_put(file, r->data + r->at, (size_t)(r->size - r->at));
    return file->status;
}

mst_status mst_model_serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                               mst_diagnostic *diagnostic) {
    (void)format;
    mst_buffer data = {.allocator = files[0].allocator}, sections[2] = {data, data};
    serializer s = {.data = {.to = &data, .limit = UINT32_MAX},
                    .parts = {.element_size = sizeof(mst_model_part), .allocator = files[0].allocator},
                    .diagnostic = diagnostic};
    mst_parsed_writer file = {.to = &files[0], .limit = UINT64_MAX};
    mst_parsed_reader r = {bytes, size, 0, false};
    const uint8_t *start = mst_parsed_take(&r, 9);
    mst_status status =
        start ? put_file(&s, &r, start, sections, &file) : refuse(&s, "the model is incomplete");
    if (status == MST_OK && s.parts.count)
        status = prove(&s, &files[0]);
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to write the model");
    mst_array_free(&s.parts);
    mst_buffer_free(&data);
    mst_buffer_free(&sections[0]);
    mst_buffer_free(&sections[1]);
    return status;
}
