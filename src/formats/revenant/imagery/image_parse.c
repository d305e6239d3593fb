/* SPDX-License-Identifier: MIT */
/*
 * From an .I2D file to parsed bytes: bitmaps and animations, which are in the data in any order and are found
 * by offsets, become two lists, and the offsets become indices into them.
 */
#include "../../../core/diagnose.h"
#include "imagery.h"
#include <stdlib.h>

#define SLOTS_SIZE       (MST_IMAGERY_SLOTS * MST_IMAGERY_SLOT)
#define ANIMATION_HEADER 20u
#define FRAME            40u
#define FRAME_BITMAP     36u /* the offset field in a frame */

/* A bitmap or an animation. */
typedef struct piece {
    uint32_t at, end, before; /* in the data; `before`: the end of the piece before it */
    uint32_t index;           /* in its list; `next`: index of the bitmap that follows an animation */
    uint32_t next;
} piece;

typedef struct parser {
    const mst_imagery *imagery;
    const uint8_t *data;
    uint32_t size;
    mst_array bitmaps, animations; /* pieces */
    bool table;                    /* the table lists all bitmaps in order */
    mst_parsed_writer *w;
    mst_diagnostic *diagnostic;
} parser;

static mst_status damaged(const parser *p, const char *code, uint32_t at, uint32_t length,
                          const char *message) {
    return mst_imagery_damaged(p->imagery, code, p->data + at, length, message, p->diagnostic);
}

static uint32_t number_at(const parser *p, uint32_t at) {
    return mst_load32(p->data + at, false);
}

/* ---- finding pieces ------------------------------------------------------------------------------ */

static mst_status note_piece(parser *p, mst_array *list, uint32_t at) {
    piece *one = mst_array_push(list, 1);
    if (!one)
        return mst_fail(p->diagnostic, MST_NO_MEMORY, "not enough memory for the list of bitmaps");
    *one = (piece){.at = at};
    return MST_OK;
}

/* Records the target of an offset field: an animation, or a bitmap. */
static mst_status note_target(parser *p, uint32_t field, bool animation) {
    uint32_t target = mst_imagery_target(p->data, p->size, field);
    if (target == MST_IMAGERY_NONE)
        return MST_OK;
    if (target < SLOTS_SIZE || target == p->size)
        return damaged(
            p, animation ? "REV-IMAGE-ANIMATION" : "REV-IMAGE-BITMAP", field, 4,
            "the offset does not lead to bytes after the table of slots: copy the file from the game again");
    return note_piece(p, animation ? &p->animations : &p->bitmaps, target);
}

static int by_place(const void *a, const void *b) {
    const piece *left = a, *right = b;
    return (left->at > right->at) - (left->at < right->at);
}

/* Sorts a list and removes duplicates. */
static void settle(mst_array *list) {
    piece *items = list->items;
    size_t kept = 0;
    if (list->count)
        qsort(items, list->count, sizeof *items, by_place);
    for (size_t i = 0; i < list->count; i++)
        if (!kept || items[kept - 1].at != items[i].at)
            items[kept++] = items[i];
    list->count = kept;
    for (size_t i = 0; i < kept; i++)
        items[i].index = (uint32_t)i;
}

static mst_status find_animations(parser *p) {
    for (uint32_t i = 0; i < p->imagery->state_count; i++)
        for (uint32_t k = 1; k < 4; k += 2) {
            mst_status status = note_target(p, MST_IMAGERY_SLOT * i + 4 * k, true);
            if (status != MST_OK)
                return status;
        }
    settle(&p->animations);
    piece *items = p->animations.items;
    for (size_t i = 0; i < p->animations.count; i++) {
        uint32_t at = items[i].at;
        if (!mst_fits(at, ANIMATION_HEADER, p->size))
            return damaged(p, "REV-IMAGE-ANIMATION", at, p->size - at,
                           "the animation's header is cut off: copy the file from the game again");
        uint64_t frames = number_at(p, at + 12);
        if (!mst_fits((uint64_t)at + ANIMATION_HEADER, FRAME * (frames + 1), p->size))
            return damaged(p, "REV-IMAGE-ANIMATION", at + 12, 4,
                           "the data is too short for the frames: copy the file from the game again");
        items[i].end = at + ANIMATION_HEADER + FRAME * (uint32_t)(frames + 1);
        if (i && items[i - 1].end > at)
            return damaged(p, "REV-IMAGE-OVERLAP", at, items[i].end - at,
                           "two animations overlap, so that one could not be edited without the other: copy "
                           "the file from the game again");
    }
    return MST_OK;
}

static mst_status find_bitmaps(parser *p) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < p->imagery->state_count && status == MST_OK; i++)
        for (uint32_t k = 0; k < 4 && status == MST_OK; k += 2)
            status = note_target(p, MST_IMAGERY_SLOT * i + 4 * k, false);
    const piece *animations = p->animations.items;
    for (size_t i = 0; i < p->animations.count; i++)
        for (uint32_t at = animations[i].at + ANIMATION_HEADER; at < animations[i].end - FRAME; at += FRAME) {
            if (status != MST_OK)
                return status;
            status = note_target(p, at + FRAME_BITMAP, false);
        }
    for (uint32_t i = 0; i < p->imagery->bitmap_count && status == MST_OK; i++) {
        uint32_t at = mst_load32(p->imagery->table + 4 * (size_t)i, false);
        if (at < SLOTS_SIZE || at >= p->size)
            return mst_imagery_damaged(p->imagery, "REV-IMAGE-BITMAP", p->imagery->table + 4 * (size_t)i, 4,
                                       "the table's entry does not lead to bytes after the table of slots: "
                                       "copy the file from the game again",
                                       p->diagnostic);
        status = note_piece(p, &p->bitmaps, at);
    }
    settle(&p->bitmaps);
    return status;
}

/* ---- planes -------------------------------------------------------------------------------------- */

typedef struct plane {
    unsigned kind;
    uint32_t at, size;
} plane;

/* The parts of a bitmap, whose numbers are read from the file only once. */
typedef struct layout {
    uint32_t flags, pixels;   /* `pixels`: their size */
    plane planes[MST_PLANES]; /* existing planes, in their order in the file */
    unsigned count;
} layout;

static void find_planes(const parser *p, uint32_t at, layout *l) {
    l->count = 0;
    for (unsigned kind = 0; kind < MST_PLANES; kind++) {
        uint32_t field = at + 28 + 8 * kind, size = number_at(p, field);
        if (!size || !mst_bitmap_says(l->flags, kind))
            continue;
        uint32_t target = mst_imagery_target(p->data, p->size, field + 4);
        plane one = {kind, target == MST_IMAGERY_NONE ? p->size : target, size};
        unsigned to = l->count++;
        for (; to && l->planes[to - 1].at > one.at; to--)
            l->planes[to] = l->planes[to - 1];
        l->planes[to] = one;
    }
}

/* Reads the layout of the bitmap at `at`, and its end. */
static mst_status read_layout(const parser *p, uint32_t at, layout *l, uint32_t *end) {
    if (!mst_fits(at, MST_BITMAP_HEADER, p->size))
        return damaged(p, "REV-IMAGE-BITMAP", at, p->size - at,
                       "the bitmap's header is cut off: copy the file from the game again");
    l->flags = number_at(p, at + 16);
    l->pixels = number_at(p, at + 68);
    if (!mst_fits((uint64_t)at + MST_BITMAP_HEADER, l->pixels, p->size))
        return damaged(p, "REV-IMAGE-BITMAP", at + 68, 4,
                       "the pixels run past the end of the data: copy the file from the game again");
    *end = at + MST_BITMAP_HEADER + l->pixels;
    find_planes(p, at, l);
    for (unsigned i = 0; i < l->count; i++) {
        const plane *one = &l->planes[i];
        uint32_t field = at + 28 + 8 * one->kind;
        if (!mst_fits(one->at, one->size, p->size))
            return damaged(p, "REV-IMAGE-PLANE", field, 8,
                           "a plane of the bitmap is not in the data: copy the file from the game again");
        if (one->at < *end)
            return damaged(
                p, "REV-IMAGE-OVERLAP", field, 8,
                "a plane of the bitmap overlaps the part before it: copy the file from the game again");
        *end = one->at + one->size;
    }
    return MST_OK;
}

/* Finds the ends of bitmaps, and the bytes before each piece. */
static mst_status order_pieces(parser *p) {
    piece *bitmaps = p->bitmaps.items, *animations = p->animations.items;
    uint32_t end = SLOTS_SIZE;
    p->table = p->imagery->bitmap_count == p->bitmaps.count;
    for (size_t b = 0, a = 0; b < p->bitmaps.count || a < p->animations.count;) {
        bool bitmap = a == p->animations.count || (b < p->bitmaps.count && bitmaps[b].at < animations[a].at);
        piece *one = bitmap ? &bitmaps[b] : &animations[a];
        one->before = end;
        one->next = (uint32_t)b;
        if (bitmap) {
            layout found;
            mst_status status = read_layout(p, one->at, &found, &one->end);
            if (status != MST_OK)
                return status;
            p->table = p->table && mst_load32(p->imagery->table + 4 * b, false) == one->at;
        }
        if (one->at < end)
            return damaged(p, "REV-IMAGE-OVERLAP", one->at, one->end - one->at,
                           "a bitmap or animation begins before the one before it ends: copy the file from "
                           "the game again");
        end = one->end;
        b += bitmap;
        a += !bitmap;
    }
    return MST_OK;
}

/* The index of the piece at an offset in the data. */
static uint32_t index_of(const mst_array *list, uint32_t at) {
    const piece wanted = {.at = at};
    const piece *found = NULL;
    if (!MST_CHANGED(!list->count))
        found = bsearch(&wanted, list->items, list->count, sizeof wanted, by_place);
    return MST_CHANGED(!found) ? MST_IMAGERY_NONE : found->index; /* all offsets were recorded */
}

/* ---- writing ------------------------------------------------------------------------------------- */

static void put_reference(const parser *p, uint32_t field, bool animation) {
    uint32_t target = mst_imagery_target(p->data, p->size, field);
    uint32_t index = MST_IMAGERY_NONE;
    if (target != MST_IMAGERY_NONE)
        index = index_of(animation ? &p->animations : &p->bitmaps, target);
    mst_parsed_from(p->w, index, 4, p->data + field, 4);
}

/* Finds the beginning of each block of a plane; false if they are not contiguous up to the plane's end. */
static bool are_blocks(const uint8_t *bytes, uint32_t size, uint32_t *count) {
    if (size < 12)
        return false;
    uint32_t across = mst_load32(bytes + 4, false), down = mst_load32(bytes + 8, false);
    *count = across <= 128 && down <= 128 ? across * down : UINT32_MAX;
    if (*count > (size - 12) / 4)
        return false;
    uint32_t end = 12 + 4 * *count;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t at = mst_imagery_target(bytes, size, 12 + 4 * i);
        if (at == MST_IMAGERY_NONE)
            continue;
        if (at < end || size - at < 6)
            return false;
        end = at + 6;
    }
    return true;
}

/* The offset of the first block from number `i` on that is not empty; the plane's size if there is none. */
static uint32_t next_block(const uint8_t *bytes, uint32_t size, uint32_t i, uint32_t count) {
    for (; i < count; i++) {
        uint32_t at = mst_imagery_target(bytes, size, 12 + 4 * i);
        if (at != MST_IMAGERY_NONE)
            return at;
    }
    return size;
}

static void put_blocks(mst_parsed_writer *w, const uint8_t *bytes, uint32_t size, uint32_t count) {
    uint32_t table = 12 + 4 * count, first = next_block(bytes, size, 0, count);
    if (MST_CHANGED(first < table))
        w->status = MST_DAMAGED;
    mst_parsed_bytes(w, bytes, 12);
    mst_parsed_note(w, "block_offsets", MST_BYTES_DERIVED, bytes + 12, 4 * (uint64_t)count);
    mst_parsed_counted(w, bytes + table, first - table);
    mst_parsed_number(w, count, 4);
    for (uint32_t i = 0; i < count && w->status == MST_OK; i++) {
        uint32_t at = mst_imagery_target(bytes, size, 12 + 4 * i);
        mst_parsed_number(w, at == MST_IMAGERY_NONE, 1);
        if (at == MST_IMAGERY_NONE)
            continue;
        uint32_t end = next_block(bytes, size, i + 1, count);
        if (MST_CHANGED(at > size || end < at || end - at < 6)) /* are_blocks has checked the offsets */
            w->status = MST_DAMAGED;
        mst_parsed_bytes(w, bytes + at, 6);
        mst_parsed_counted(w, bytes + at + 6, end - at - 6);
    }
}

static void put_plane(mst_parsed_writer *w, const uint8_t *bytes, uint32_t size, bool packed, bool palette) {
    uint32_t count = 0;
    bool blocks = packed && are_blocks(bytes, size, &count), colors = palette && size == MST_PALETTE_SIZE;
    mst_parsed_number(w, blocks ? MST_PLANE_BLOCKS : colors ? MST_PLANE_COLORS : MST_PLANE_BYTES, 1);
    if (blocks)
        put_blocks(w, bytes, size, count);
    else if (colors)
        mst_parsed_bytes(w, bytes, size);
    else
        mst_parsed_counted(w, bytes, size);
}

/* The sizes and offsets of planes that the bitmap lacks: mostly zeros. */
static void put_absent(const parser *p, uint32_t at, const layout *l) {
    unsigned there = 0, absent = 0, kinds[MST_PLANES];
    for (unsigned i = 0; i < l->count; i++)
        there |= 1u << l->planes[i].kind;
    for (unsigned kind = 0; kind < MST_PLANES; kind++) {
        uint32_t field = at + 28 + 8 * kind;
        if (there >> kind & 1) {
            mst_parsed_note(p->w, "plane_size", MST_BYTES_DERIVED, p->data + field, 4);
            mst_parsed_note(p->w, "plane_offset", MST_BYTES_DERIVED, p->data + field + 4, 4);
        } else if (number_at(p, field) || number_at(p, field + 4)) {
            kinds[absent++] = kind;
        } else {
            mst_parsed_note(p->w, "no_plane", MST_BYTES_DERIVED, p->data + field, 8);
        }
    }
    mst_parsed_number(p->w, absent, 4);
    for (unsigned i = 0; i < absent; i++) {
        mst_parsed_number(p->w, kinds[i], 1);
        mst_parsed_bytes(p->w, p->data + at + 28 + 8 * kinds[i], 8);
    }
}

static void put_bitmap(const parser *p, const piece *one) {
    mst_parsed_writer *w = p->w;
    layout l = {.count = 0};
    uint32_t at = one->at, end = 0;
    mst_status status = read_layout(p, at, &l, &end);
    if (MST_CHANGED(status != MST_OK || end != one->end)) { /* it was measured before */
        w->status = MST_DAMAGED;
        return;
    }
    size_t size = mst_parsed_begin(w);
    mst_imagery_put_fill(w, p->data, one->before, at);
    mst_parsed_bytes(w, p->data + at, 28);
    put_absent(p, at, &l);
    mst_parsed_note(w, "pixels_size", MST_BYTES_DERIVED, p->data + at + 68, 4);
    put_plane(w, p->data + at + MST_BITMAP_HEADER, l.pixels, mst_bitmap_packs(l.flags, MST_PLANES), false);
    end = at + MST_BITMAP_HEADER + l.pixels;
    mst_parsed_number(w, l.count, 4);
    for (unsigned i = 0; i < l.count; i++) {
        const plane *part = &l.planes[i];
        mst_parsed_number(w, part->kind, 1);
        mst_parsed_counted(w, p->data + end, part->at - end);
        put_plane(w, p->data + part->at, part->size, mst_bitmap_packs(l.flags, part->kind),
                  part->kind == MST_PLANE_PALETTE);
        end = part->at + part->size;
    }
    mst_parsed_end(w, size);
}

static void put_animation(const parser *p, const piece *one) {
    mst_parsed_writer *w = p->w;
    uint32_t at = one->at + ANIMATION_HEADER, count = (one->end - at) / FRAME - 1;
    mst_imagery_put_fill(w, p->data, one->before, one->at);
    mst_parsed_number(w, one->next, 4);
    mst_parsed_bytes(w, p->data + one->at, 12);
    mst_parsed_bytes(w, p->data + one->at + 16, 4);
    mst_parsed_from(w, count, 4, p->data + one->at + 12, 4);
    for (uint32_t i = 0; i < count && w->status == MST_OK; i++, at += FRAME) {
        mst_parsed_bytes(w, p->data + at, FRAME_BITMAP);
        put_reference(p, at + FRAME_BITMAP, false);
    }
    mst_parsed_bytes(w, p->data + at, FRAME);
}

static void put_states(const parser *p) {
    const mst_imagery *imagery = p->imagery;
    mst_parsed_writer *w = p->w;
    uint32_t end = 8 + MST_IMAGERY_STATE * imagery->state_count;
    mst_parsed_from(w, imagery->state_count, 4, imagery->header + 4, 4);
    for (uint32_t i = 0; i < imagery->state_count; i++) {
        uint32_t slot = MST_IMAGERY_SLOT * i;
        mst_imagery_put_state(w, imagery, i, &end);
        for (uint32_t k = 0; k < 4; k++)
            put_reference(p, slot + 4 * k, k % 2);
        mst_parsed_bytes(w, p->data + slot + 16, 4);
    }
    mst_imagery_put_fill(w, imagery->header, end, imagery->header_size);
}

/* Writes the table, unless it lists all bitmaps in their order; and the slots of missing states, unless they
 * are zeros. */
static void put_odd_tables(const parser *p) {
    mst_parsed_writer *w = p->w;
    const uint8_t *table = p->imagery->table;
    uint32_t count = p->imagery->bitmap_count, used = MST_IMAGERY_SLOT * p->imagery->state_count,
             zeros = used;
    mst_parsed_number(w, p->table ? 0 : count, 4);
    for (uint32_t i = 0; i < count && !p->table; i++)
        mst_parsed_from(w, index_of(&p->bitmaps, mst_load32(table + 4 * (size_t)i, false)), 4,
                        table + 4 * (size_t)i, 4);
    if (p->table)
        mst_parsed_note(w, "bitmap_table", MST_BYTES_DERIVED, table, 4 * (uint64_t)count);
    while (zeros < SLOTS_SIZE && !p->data[zeros])
        zeros++;
    if (zeros == SLOTS_SIZE)
        mst_parsed_note(w, "unused_slots", MST_BYTES_PADDING, p->data + used, SLOTS_SIZE - used);
    mst_parsed_counted(w, p->data + used, zeros == SLOTS_SIZE ? 0 : SLOTS_SIZE - used);
}

static mst_status put_all(const parser *p) {
    const mst_imagery *imagery = p->imagery;
    mst_parsed_writer *w = p->w;
    const piece *bitmaps = p->bitmaps.items, *animations = p->animations.items;
    uint32_t end = SLOTS_SIZE;
    mst_imagery_put_beginning(w, imagery);
    put_states(p);
    put_odd_tables(p);
    mst_parsed_number(w, (uint32_t)p->bitmaps.count, 4);
    for (size_t i = 0; i < p->bitmaps.count; i++) {
        put_bitmap(p, &bitmaps[i]);
        end = bitmaps[i].end;
    }
    mst_parsed_number(w, (uint32_t)p->animations.count, 4);
    for (size_t i = 0; i < p->animations.count; i++) {
        put_animation(p, &animations[i]);
        end = animations[i].end > end ? animations[i].end : end;
    }
    mst_imagery_put_fill(w, p->data, end, p->size);
    mst_parsed_bytes(w, imagery->trailing, (size_t)imagery->trailing_size);
    return w->status;
}

mst_status mst_image_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                           mst_diagnostic *diagnostic) {
    (void)format;
    mst_imagery imagery;
    mst_status status = mst_imagery_open(&files[0], &imagery, diagnostic);
    if (status != MST_OK)
        return status;
    if (imagery.state_count > MST_IMAGERY_SLOTS)
        return mst_imagery_damaged(
            &imagery, "REV-IMAGE-STATES", imagery.header + 4, 4,
            "there are more than 64 states, for which the data has slots: copy the file from the game again",
            diagnostic);
    if (imagery.data_size < SLOTS_SIZE)
        return mst_damaged(diagnostic, "REV-IMAGE-BODY", 8, 4,
                           "the data is too short for its 64 slots: copy the file from the game again");
    const mst_array none = {.element_size = sizeof(piece), .allocator = w->to->allocator};
    parser p = {.imagery = &imagery,
                .data = imagery.data,
                .size = imagery.data_size,
                .bitmaps = none,
                .animations = none,
                .w = w,
                .diagnostic = diagnostic};
    status = find_animations(&p);
    if (status == MST_OK)
        status = find_bitmaps(&p);
    if (status == MST_OK)
        status = order_pieces(&p);
    if (status == MST_OK)
        status = put_all(&p);
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for the content of the picture");
    mst_array_free(&p.bitmaps);
    mst_array_free(&p.animations);
    return status;
}
