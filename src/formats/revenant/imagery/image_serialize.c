/* SPDX-License-Identifier: MIT */
/* From parsed bytes to an .I2D file: bitmaps and animations in order, then the offsets. */
#include "../../../core/diagnose.h"
#include "../../../core/unreachable.h"
#include "imagery.h"

#define FRAME_NUMBERS 36u /* bytes of a frame before its bitmap's offset */
#define FRAME         40u

typedef struct serializer {
    mst_parsed_writer data;
    mst_array bitmaps, animations; /* uint32_t: the beginning of each in the data */
    mst_diagnostic *diagnostic;
} serializer;

static mst_status refuse(const serializer *s, const char *message) {
    return mst_fail(s->diagnostic, MST_REFUSED, "%s", message);
}

static mst_status incomplete(const serializer *s) {
    return refuse(s, "a part of the picture is incomplete");
}

static mst_status note_start(serializer *s, mst_array *list) {
    uint32_t *at = mst_array_push(list, 1);
    if (!at)
        return mst_fail(s->diagnostic, MST_NO_MEMORY, "not enough memory for the list of bitmaps");
    *at = (uint32_t)s->data.to->size;
    return MST_OK;
}

/* Stores a number in the data, unless writing the data has failed. */
static void store(serializer *s, size_t field, uint32_t number) {
    if (s->data.status == MST_OK)
        mst_store32(s->data.to->data + field, number, false);
}

/* ---- bitmaps ------------------------------------------------------------------------------------- */

static mst_status take_blocks(serializer *s, mst_parsed_reader *r) {
    uint32_t gap_size, size;
    const uint8_t *numbers = mst_parsed_take(r, 12), *gap = mst_parsed_read_counted(r, &gap_size);
    uint32_t count = mst_parsed_read(r, 4);
    if (r->failed || count > r->size - r->at)
        return incomplete(s);
    if ((uint64_t)mst_load32(numbers + 4, false) * mst_load32(numbers + 8, false) != count)
        return refuse(s, "the number of blocks is not blocks_across times blocks_down");
    mst_parsed_put(&s->data, numbers, 12);
    size_t offsets = s->data.to->size;
    mst_parsed_zeros(&s->data, 4 * (size_t)count);
    mst_parsed_put(&s->data, gap, gap_size);
    for (uint32_t i = 0; i < count; i++) {
        if (mst_parsed_read(r, 1))
            continue;
        size_t at = s->data.to->size, field = offsets + 4 * (size_t)i;
        const uint8_t *header = mst_parsed_take(r, 6), *stream = mst_parsed_read_counted(r, &size);
        if (r->failed)
            return incomplete(s);
        mst_parsed_put(&s->data, header, 6);
        mst_parsed_put(&s->data, stream, size);
        store(s, field, (uint32_t)(at - field));
    }
    return s->data.status;
}

/* Appends a plane, and stores its size in `*size`. */
static mst_status take_plane(serializer *s, mst_parsed_reader *r, bool packed, bool palette, uint32_t *size) {
    size_t begin = s->data.to->size;
    uint32_t form = mst_parsed_read(r, 1), length = 0;
    mst_status status = MST_OK;
    if ((form == MST_PLANE_BLOCKS && !packed) || (form == MST_PLANE_COLORS && !palette))
        return refuse(s, "the bitmap's flags or the kind of the plane do not match its form");
    if (form == MST_PLANE_BLOCKS) {
        status = take_blocks(s, r);
    } else {
        const uint8_t *bytes = form == MST_PLANE_COLORS ? mst_parsed_take(r, length = MST_PALETTE_SIZE)
                                                        : mst_parsed_read_counted(r, &length);
        if (r->failed)
            return incomplete(s);
        mst_parsed_put(&s->data, bytes, length);
        status = s->data.status;
    }
    *size = (uint32_t)(s->data.to->size - begin);
    return status;
}

/* Stores the sizes and offsets of planes that the bitmap at `at` lacks. */
static mst_status take_absent(serializer *s, mst_parsed_reader *r, size_t at, unsigned *seen) {
    uint32_t count = mst_parsed_read(r, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = mst_parsed_read(r, 1);
        const uint8_t *numbers = mst_parsed_take(r, 8);
        if (r->failed)
            return incomplete(s);
        if (kind >= MST_PLANES || (*seen >> kind & 1))
            return refuse(s, "a bitmap has two planes of one kind, or one of an unknown kind");
        *seen |= 1u << kind;
        store(s, at + 28 + 8 * kind, mst_load32(numbers, false));
        store(s, at + 32 + 8 * kind, mst_load32(numbers + 4, false));
    }
    return MST_OK;
}

static mst_status take_other_planes(serializer *s, mst_parsed_reader *r, size_t at, uint32_t flags,
                                    unsigned seen) {
    uint32_t count = mst_parsed_read(r, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = mst_parsed_read(r, 1), gap_size, size = 0;
        const uint8_t *gap = mst_parsed_read_counted(r, &gap_size);
        if (r->failed)
            return incomplete(s);
        if (kind >= MST_PLANES || (seen >> kind & 1))
            return refuse(s, "a bitmap has two planes of one kind, or one of an unknown kind");
        seen |= 1u << kind;
        mst_parsed_put(&s->data, gap, gap_size);
        size_t begin = s->data.to->size, field = at + 28 + 8 * kind;
        mst_status status = take_plane(s, r, mst_bitmap_packs(flags, kind), kind == MST_PLANE_PALETTE, &size);
        if (status != MST_OK)
            return status;
        if (!size || !mst_bitmap_says(flags, kind))
            return refuse(s, "a plane is empty, or the bitmap's flags do not have it");
        store(s, field, size);
        store(s, field + 4, (uint32_t)(begin - field - 4));
    }
    return r->failed ? incomplete(s) : MST_OK;
}

static mst_status take_bitmap(serializer *s, mst_parsed_reader *all) {
    mst_parsed_reader r = mst_parsed_inner(all);
    mst_imagery_take_fill(&r, &s->data);
    mst_status status = note_start(s, &s->bitmaps);
    size_t at = s->data.to->size;
    unsigned seen = 0;
    uint32_t size = 0;
    const uint8_t *numbers = mst_parsed_take(&r, 28);
    if (status == MST_OK && r.failed)
        status = incomplete(s);
    if (status != MST_OK)
        return status;
    uint32_t flags = mst_load32(numbers + 16, false);
    mst_parsed_put(&s->data, numbers, 28);
    mst_parsed_zeros(&s->data, MST_BITMAP_HEADER - 28);
    status = take_absent(s, &r, at, &seen);
    if (status == MST_OK)
        status = take_plane(s, &r, mst_bitmap_packs(flags, MST_PLANES), false, &size);
    if (status != MST_OK)
        return status;
    store(s, at + 68, size);
    return take_other_planes(s, &r, at, flags, seen);
}

/* ---- animations ---------------------------------------------------------------------------------- */

/* Appends an animation without its bitmaps' offsets. */
static mst_status take_animation(serializer *s, mst_parsed_reader *r) {
    mst_imagery_take_fill(r, &s->data);
    mst_status status = note_start(s, &s->animations);
    mst_parsed_read(r, 4);
    const uint8_t *numbers = mst_parsed_take(r, 12), *drawmode = mst_parsed_take(r, 4);
    uint32_t count = mst_parsed_read(r, 4);
    const uint8_t *frames = mst_parsed_take(r, (uint64_t)FRAME * (count + (uint64_t)1));
    if (status == MST_OK && r->failed)
        status = incomplete(s);
    if (status != MST_OK)
        return status;
    mst_parsed_put(&s->data, numbers, 12);
    mst_imagery_put(&s->data, count);
    mst_parsed_put(&s->data, drawmode, 4);
    mst_parsed_put(&s->data, frames, FRAME * ((size_t)count + 1));
    return s->data.status;
}

/* The number of the bitmap that the next animation precedes. */
static uint32_t next_animation(mst_parsed_reader r) {
    mst_imagery_skip_fill(&r);
    return mst_parsed_read(&r, 4);
}

/* Appends bitmaps and animations, in their order in the data. */
static mst_status take_pieces(serializer *s, mst_parsed_reader *bitmaps, mst_parsed_reader *animations,
                              uint32_t bitmap_count, uint32_t animation_count) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i <= bitmap_count && status == MST_OK; i++) {
        while (status == MST_OK && animation_count &&
               (i == bitmap_count || next_animation(*animations) <= i)) {
            status = take_animation(s, animations);
            animation_count--;
        }
        if (status == MST_OK && i < bitmap_count)
            status = take_bitmap(s, bitmaps);
    }
    return status;
}

/* ---- offsets ------------------------------------------------------------------------------------- */

/* Stores the offset of a piece, at `field` of the data. */
static mst_status store_reference(serializer *s, const mst_array *list, size_t field, uint32_t index) {
    const uint32_t *starts = list->items;
    if (index != MST_IMAGERY_NONE && index >= list->count)
        return refuse(s, "the bitmap or animation does not exist");
    uint32_t offset = index == MST_IMAGERY_NONE ? 0 : starts[index] - (uint32_t)field;
    mst_store32(s->data.to->data + field, offset, false);
    return MST_OK;
}

/* The frames were copied with the bitmaps' indices in them. */
static mst_status store_frames(serializer *s) {
    const uint32_t *starts = s->animations.items;
    mst_status status = s->data.status;
    for (size_t i = 0; i < s->animations.count && status == MST_OK; i++) {
        const uint8_t *data = s->data.to->data;
        uint32_t count = mst_load32(data + starts[i] + 12, false);
        for (uint32_t k = 0; k < count && status == MST_OK; k++) {
            size_t field = starts[i] + 20 + FRAME * (size_t)k + FRAME_NUMBERS;
            status = store_reference(s, &s->bitmaps, field, mst_load32(data + field, true));
        }
    }
    return status;
}

/* Reads the states into a header with walkmaps, and stores their slots. */
static mst_status take_states(serializer *s, mst_parsed_reader *r, uint32_t count, mst_parsed_writer *states,
                              mst_parsed_writer *walkmaps) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < count && status == MST_OK; i++) {
        size_t slot = MST_IMAGERY_SLOT * (size_t)i;
        status = mst_imagery_take_state(r, i, count, states, walkmaps, s->diagnostic);
        for (uint32_t k = 0; k < 4 && status == MST_OK; k++)
            status =
                store_reference(s, k % 2 ? &s->animations : &s->bitmaps, slot + 4 * k, mst_parsed_read(r, 4));
        const uint8_t *flags = mst_parsed_take(r, 4);
        if (status == MST_OK && !MST_UNREACHABLE(r->failed)) /* take_apart has checked it */
            memcpy(s->data.to->data + slot + 16, flags, 4);
    }
    return status;
}

/* ---- the file ------------------------------------------------------------------------------------ */

/* The parts of the parsed picture: readers at each of them. */
typedef struct parts {
    const uint8_t *start, *kind, *table, *slots; /* 9 bytes from the magic on; imagery_id */
    mst_parsed_reader states, filling, bitmaps, animations, rest;
    uint32_t state_count, table_count, slots_size, bitmap_count, animation_count;
} parts;

static bool take_apart(const uint8_t *bytes, size_t size, parts *p) {
    mst_parsed_reader r = {bytes, size, 0, false};
    uint32_t skipped;
    p->start = mst_parsed_take(&r, 9);
    p->kind = mst_parsed_take(&r, 4);
    p->state_count = mst_parsed_read(&r, 4);
    p->states = r;
    for (uint32_t i = 0; i < p->state_count && !r.failed; i++) {
        mst_imagery_skip_state(&r);
        mst_parsed_take(&r, MST_IMAGERY_SLOT);
    }
    p->filling = r;
    mst_imagery_skip_fill(&r);
    p->table_count = mst_parsed_read(&r, 4);
    p->table = mst_parsed_take(&r, 4 * (uint64_t)p->table_count);
    p->slots = mst_parsed_read_counted(&r, &p->slots_size);
    p->bitmap_count = mst_parsed_read(&r, 4);
    p->bitmaps = r;
    for (uint32_t i = 0; i < p->bitmap_count && !r.failed; i++)
        mst_parsed_read_counted(&r, &skipped);
    p->animation_count = mst_parsed_read(&r, 4);
    p->animations = r;
    return !r.failed;
}

/* Writes the table of the bitmaps' offsets: the given ones, or all. */
static mst_status put_table(const serializer *s, const parts *p, mst_parsed_writer *file) {
    const uint32_t *starts = s->bitmaps.items;
    for (uint32_t i = 0; i < p->table_count; i++) {
        uint32_t index = mst_load32(p->table + 4 * (size_t)i, true);
        if (index >= s->bitmaps.count)
            return refuse(s, "the table refers to a missing bitmap");
        mst_imagery_put(file, starts[index]);
    }
    for (size_t i = 0; i < s->bitmaps.count && !p->table_count; i++)
        mst_imagery_put(file, starts[i]);
    return file->status;
}

static mst_status put_file(const serializer *s, const parts *p, const mst_buffer *header,
                           mst_parsed_writer *file) {
    uint32_t count = p->table_count ? p->table_count : (uint32_t)s->bitmaps.count;
    uint64_t size = s->data.to->size;
    if (count > UINT16_MAX)
        return refuse(s, "there are more bitmaps than the file can count");
    const uint8_t counts[4] = {(uint8_t)count, (uint8_t)(count >> 8), 0, p->start[4]};
    mst_parsed_put(file, p->start, 4);
    mst_parsed_put(file, counts, 4);
    mst_imagery_put(file, (uint32_t)size);
    mst_imagery_put(file, (uint32_t)size + mst_load32(p->start + 5, true));
    mst_imagery_put(file, (uint32_t)header->size);
    mst_parsed_put(file, header->data, header->size);
    mst_status status = put_table(s, p, file);
    mst_parsed_put(file, s->data.to->data, s->data.to->size);
    mst_parsed_put(file, p->rest.data + p->rest.at, (size_t)(p->rest.size - p->rest.at));
    return status == MST_OK ? file->status : status;
}

/* The data, with everything found by offsets; the slots are stored with the states. */
static mst_status make_data(serializer *s, parts *p) {
    size_t used = MST_IMAGERY_SLOT * (size_t)p->state_count, all = MST_IMAGERY_SLOT * MST_IMAGERY_SLOTS;
    if (p->state_count > MST_IMAGERY_SLOTS || (p->slots_size && p->slots_size != all - used))
        return refuse(s,
                      "there are more than 64 states, or more or fewer bytes of unused slots than are left");
    mst_parsed_zeros(&s->data, used);
    mst_parsed_put(&s->data, p->slots, p->slots_size);
    mst_parsed_zeros(&s->data, p->slots_size ? 0 : all - used);
    mst_status status = s->data.status;
    if (status == MST_OK)
        status = take_pieces(s, &p->bitmaps, &p->animations, p->bitmap_count, p->animation_count);
    if (status != MST_OK)
        return status;
    p->rest = p->animations;
    mst_imagery_take_fill(&p->rest, &s->data);
    if (p->rest.failed)
        return incomplete(s);
    return store_frames(s);
}

static mst_status make_file(serializer *s, parts *p, mst_buffer sections[2], mst_buffer *file) {
    mst_parsed_writer header = {.to = &sections[0], .limit = UINT32_MAX};
    mst_parsed_writer walkmaps = {.to = &sections[1], .limit = UINT32_MAX};
    mst_parsed_writer out = {.to = file, .limit = UINT64_MAX};
    mst_parsed_put(&header, p->kind, 4);
    mst_imagery_put(&header, p->state_count);
    mst_status status = take_states(s, &p->states, p->state_count, &header, &walkmaps);
    if (status != MST_OK)
        return status;
    mst_parsed_put(&header, walkmaps.to->data, walkmaps.to->size);
    mst_imagery_take_fill(&p->filling, &header);
    status = header.status == MST_OK ? walkmaps.status : header.status;
    return status == MST_OK ? put_file(s, p, header.to, &out) : status;
}

mst_status mst_image_serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                               mst_diagnostic *diagnostic) {
    (void)format;
    const mst_array none = {.element_size = sizeof(uint32_t), .allocator = files[0].allocator};
    mst_buffer data = {.allocator = files[0].allocator}, sections[2] = {data, data};
    serializer s = {.data = {.to = &data, .limit = UINT32_MAX},
                    .bitmaps = none,
                    .animations = none,
                    .diagnostic = diagnostic};
    parts p;
    mst_status status = take_apart(bytes, size, &p) ? make_data(&s, &p) : incomplete(&s);
    if (status == MST_OK)
        status = make_file(&s, &p, sections, &files[0]);
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to write the picture");
    mst_array_free(&s.bitmaps);
    mst_array_free(&s.animations);
    mst_buffer_free(&data);
    mst_buffer_free(&sections[0]);
    mst_buffer_free(&sections[1]);
    return status;
}
