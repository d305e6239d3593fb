/* SPDX-License-Identifier: MIT */
/* Checks of pictures. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "image.h"
#include <stdio.h>

/* Reports the value at a path. */
static mst_status report(mst_checker *checker, const char *code, const char *path, const char *message,
                         uint64_t expected, uint64_t found) {
    mst_value value;
    mst_status status = mst_find(mst_root(checker->document), path, &value, NULL);
    if (MST_UNREACHABLE(status != MST_OK)) /* the tables have it */
        return MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, &value, "%s", path);
    MST_SET(finding->message, "%s", message);
    if (expected != UINT64_MAX)
        MST_SET(finding->expected, "%llu", (unsigned long long)expected);
    if (found != UINT64_MAX)
        MST_SET(finding->found, "%llu", (unsigned long long)found);
    return mst_checker_report(checker, code);
}
#define REPORT(...)                                                                                          \
    do {                                                                                                     \
        mst_status reported = report(__VA_ARGS__);                                                           \
        if (reported != MST_OK)                                                                              \
            return reported;                                                                                 \
    } while (0)
#define NO UINT64_MAX

/* ---- planes -------------------------------------------------------------------------------------- */

static void path_of(const mst_image_bitmap *bitmap, unsigned plane, char path[64]) {
    if (plane == MST_PLANES)
        snprintf(path, 64, "bitmaps[%u].pixels", bitmap->index);
    else
        snprintf(path, 64, "bitmaps[%u].planes[%u]", bitmap->index, bitmap->planes[plane].index);
}

static mst_status check_blocks(mst_checker *checker, const mst_image_bitmap *bitmap, unsigned plane,
                               const char *path, uint16_t *values) {
    const mst_image_plane *p = &bitmap->planes[plane];
    uint64_t across = (bitmap->width + (uint64_t)MST_TILE_SIDE - 1) / MST_TILE_SIDE;
    uint64_t down = (bitmap->height + (uint64_t)MST_TILE_SIDE - 1) / MST_TILE_SIDE;
    mst_parsed_reader r = p->blocks;
    char block[96];
    if (p->across != across || p->down != down)
        REPORT(checker, "REV-IMAGE-CHUNKS", path,
               "the plane does not have a block for each 64 x 64 pixels: the bitmap is not drawn",
               across * down, p->count);
    for (uint32_t i = 0; i < p->count && plane != MST_PLANE_NORMALS; i++) {
        mst_tile_block packed;
        const uint8_t *header;
        if (!mst_image_next_block(&r, plane == MST_PLANE_Z, &packed, &header) ||
            mst_tile_unpack(&packed, values))
            continue;
        snprintf(block, sizeof block, "%s.blocks[%u]", path, i);
        REPORT(checker, "REV-IMAGE-CHUNK", block,
               "the packed block is damaged: the rest of it is not drawn until `set --image` changes it", NO,
               NO);
    }
    return MST_OK;
}

/* Bytes of a value in a plane that is not packed; 0: unknown. */
static unsigned width_of(const mst_image_bitmap *bitmap, unsigned plane) {
    switch (plane) {
    case MST_PLANES: return bitmap->depth == 8 ? 1 : 2;
    case MST_PLANE_ALPHA: return 1;
    case MST_PLANE_Z: return 2;
    default: return 0;
    }
}

static mst_status check_plane(mst_checker *checker, const mst_image_bitmap *bitmap, unsigned plane,
                              uint16_t *values) {
    const mst_image_plane *p = &bitmap->planes[plane];
    uint64_t needed = (uint64_t)bitmap->width * bitmap->height * width_of(bitmap, plane);
    char path[64];
    path_of(bitmap, plane, path);
    if (p->form == MST_PLANE_BLOCKS)
        return check_blocks(checker, bitmap, plane, path, values);
    if (p->form == MST_PLANE_COLORS)
        return MST_OK;
    if (mst_bitmap_packs(bitmap->flags, plane))
        return report(checker, "REV-IMAGE-PLANE", path,
                      "the plane is not made of blocks, contrary to its flags: it is not drawn", NO, NO);
    if (needed && p->size < needed)
        return report(checker, "REV-IMAGE-PLANE", path,
                      "the plane is too short for its bitmap, which is not drawn", needed, p->size);
    if (needed && p->size > needed)
        return report(checker, "REV-IMAGE-SIZE", path,
                      "the plane is longer than its bitmap needs; nothing reads the rest", needed, p->size);
    return MST_OK;
}

static mst_status check_bitmap(mst_checker *checker, const mst_image_bitmap *bitmap, uint16_t *values) {
    char path[64];
    unsigned packed = bitmap->flags & MST_BITMAP_PACKED;
    snprintf(path, sizeof path, "bitmaps[%u].flags", bitmap->index);
    if ((packed && packed != MST_BITMAP_PACKED) ||
        (!bitmap->depth && !(bitmap->flags & MST_BITMAP_NO_PIXELS)))
        REPORT(checker, "REV-IMAGE-FLAGS", path,
               "the flags do not select exactly one known kind of pixels: the bitmap may not be drawn", NO,
               NO);
    if (!bitmap->width || !bitmap->height || bitmap->width > MST_BITMAP_SIDE ||
        bitmap->height > MST_BITMAP_SIDE) {
        bool width = !bitmap->width || bitmap->width > MST_BITMAP_SIDE;
        snprintf(path, sizeof path, "bitmaps[%u].%s", bitmap->index, width ? "width" : "height");
        return report(checker, "REV-IMAGE-BITMAP", path,
                      "the bitmap's size is not possible, 1 to 8192: it is not drawn", NO,
                      width ? bitmap->width : bitmap->height);
    }
    snprintf(path, sizeof path, "bitmaps[%u]", bitmap->index);
    if (bitmap->has[MST_PLANES] && bitmap->depth == 8 &&
        bitmap->planes[MST_PLANE_PALETTE].form != MST_PLANE_COLORS)
        REPORT(checker, "REV-IMAGE-PALETTE", path,
               "the bitmap has no palette of 1536 bytes, so that its pixels have no colours: it is not drawn",
               NO, NO);
    for (unsigned plane = 0; plane <= MST_PLANES; plane++)
        if (bitmap->has[plane]) {
            mst_status status = check_plane(checker, bitmap, plane, values);
            if (status != MST_OK)
                return status;
        }
    return MST_OK;
}

static mst_status check_bitmaps(mst_checker *checker) {
    mst_image_cursor cursor = mst_image_bitmaps(checker->document);
    mst_image_bitmap bitmap;
    uint16_t *values = mst_arena_take(&checker->scratch, MST_TILE_VALUES, sizeof *values);
    mst_status status = values ? MST_OK : MST_NO_MEMORY;
    while (status == MST_OK && mst_image_next(&cursor, &bitmap))
        status = check_bitmap(checker, &bitmap, values);
    return status;
}

/* ---- states -------------------------------------------------------------------------------------- */

typedef struct used {
    uint8_t *bitmaps; /* those in use */
    uint64_t count;
} used;

static bool use(const mst_value *record, const char *name, const used *bitmaps) {
    uint64_t index = mst_number_in(record, name);
    if (index == MST_IMAGERY_NONE)
        return false;
    if (bitmaps && !MST_UNREACHABLE(index >= bitmaps->count)) /* serializing refuses other indices */
        bitmaps->bitmaps[index] = 1;
    return true;
}

static mst_status check_state(mst_checker *checker, const mst_value *state, uint64_t index,
                              const used *bitmaps) {
    char path[64];
    bool shown = use(state, "still", bitmaps);
    shown = use(state, "inventory", bitmaps) || shown;
    shown = use(state, "animation", NULL) || use(state, "inventory_animation", NULL) || shown;
    snprintf(path, sizeof path, "states[%llu]", (unsigned long long)index);
    if (!shown)
        REPORT(checker, "REV-IMAGE-EMPTY-STATE", path,
               "the state has no picture: objects in it are invisible", NO, NO);
    snprintf(path, sizeof path, "states[%llu].slot_flags", (unsigned long long)index);
    if (mst_number_in(state, "flags") != mst_number_in(state, "slot_flags"))
        REPORT(checker, "REV-IMAGE-STATE-FLAGS", path,
               "the slot's flags differ from the state's, which are used: set them to the same",
               mst_number_in(state, "flags"), mst_number_in(state, "slot_flags"));
    return mst_imagery_check_walkmap(checker, state, index);
}

static mst_status check_states(mst_checker *checker, const used *bitmaps) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "states"), one, frame;
    uint64_t index = 0;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &one); index++)
        status = check_state(checker, &one, index, bitmaps);
    list = mst_member_in(&root, "animations");
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &one);) {
        mst_value frames = mst_member_in(&one, "frames");
        for (mst_iterator each = mst_iterate(&frames); mst_next(&each, &frame);)
            use(&frame, "bitmap", bitmaps);
    }
    return status;
}

static mst_status check_use(mst_checker *checker, const used *bitmaps) {
    mst_value root = mst_root(checker->document), table = mst_member_in(&root, "table");
    char path[64];
    if (mst_count(&table))
        REPORT(checker, "REV-IMAGE-TABLE", "table",
               "the table does not list exactly all bitmaps in order: it is kept unchanged, and states find "
               "their bitmaps without it",
               bitmaps->count, mst_count(&table));
    for (uint64_t i = 0; i < bitmaps->count; i++) {
        snprintf(path, sizeof path, "bitmaps[%llu]", (unsigned long long)i);
        if (!bitmaps->bitmaps[i])
            REPORT(checker, "REV-IMAGE-TABLE", path,
                   "no state and no animation uses the bitmap: it is kept, but never drawn", NO, NO);
    }
    return MST_OK;
}

/* ---- bytes between parts ------------------------------------------------------------------------- */

static mst_status report_bytes(mst_checker *checker, const char *path) {
    return report(
        checker, "REV-IMAGE-UNKNOWN", path,
        "there are bytes between the parts of the data without a known use: they are kept unchanged", NO, NO);
}

/* Whether a record has bytes of this name. */
static bool has_bytes(const mst_value *record, const char *name) {
    mst_value value;
    const void *bytes;
    size_t size = 0;
    if (mst_member(record, name, &value) == MST_OK)
        mst_get_bytes(&value, &bytes, &size);
    return size != 0;
}

static mst_status check_gaps(mst_checker *checker, const mst_image_bitmap *bitmap) {
    char path[64], gap[96];
    mst_status status = MST_OK;
    snprintf(path, sizeof path, "bitmaps[%u].filling", bitmap->index);
    if (bitmap->filled)
        status = report_bytes(checker, path);
    for (unsigned plane = 0; plane <= MST_PLANES && status == MST_OK; plane++) {
        path_of(bitmap, plane, path);
        snprintf(gap, sizeof gap, "%s.gap", path);
        if (bitmap->planes[plane].gap)
            status = report_bytes(checker, gap);
        snprintf(gap, sizeof gap, "%s.blocks_gap", path);
        if (status == MST_OK && bitmap->planes[plane].blocks_gap)
            status = report_bytes(checker, gap);
    }
    return status;
}

static mst_status check_fillings(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "animations"), one;
    mst_image_cursor cursor = mst_image_bitmaps(checker->document);
    mst_image_bitmap bitmap;
    mst_status status = MST_OK;
    uint64_t index = 0;
    while (status == MST_OK && mst_image_next(&cursor, &bitmap))
        status = check_gaps(checker, &bitmap);
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &one); index++) {
        char path[64];
        snprintf(path, sizeof path, "animations[%llu].filling", (unsigned long long)index);
        if (has_bytes(&one, "filling"))
            status = report_bytes(checker, path);
    }
    if (status == MST_OK && has_bytes(&root, "data_filling"))
        status = report_bytes(checker, "data_filling");
    return status;
}

mst_status mst_image_check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "bitmaps");
    used bitmaps = {.count = mst_count(&list)};
    bitmaps.bitmaps = mst_arena_zero(&checker->scratch, (size_t)bitmaps.count, 1);
    if (!bitmaps.bitmaps)
        return MST_NO_MEMORY;
    mst_status status = mst_imagery_check_sizes(checker);
    if (status == MST_OK)
        status = check_states(checker, &bitmaps);
    if (status == MST_OK)
        status = check_use(checker, &bitmaps);
    if (status == MST_OK)
        status = check_bitmaps(checker);
    return status == MST_OK ? check_fillings(checker) : status;
}
