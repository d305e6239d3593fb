/* SPDX-License-Identifier: MIT */
#include "stills.h"
#include "../../../core/diagnose.h"
#include "../../../core/unreachable.h"
#include "../../../read/binding.h"
#include "image.h"

#define STATE_LIT      1u
#define STATE_UNLIT    2u
#define STATE_SELECTED 4u
#define ALPHA_MAX      31u
/* Depths beyond these, of pixels with index 0, are background that was never cleared. */
#define DEPTH_MIN (-4096)
#define DEPTH_MAX 8191

typedef struct bound_state {
    uint32_t flags, still, animation;
    int16_t x, y, z;
} bound_state;
static const mst_binding state_items[] = {
    MST_BINDING(bound_state, flags, "flags"),         MST_BINDING(bound_state, still, "still"),
    MST_BINDING(bound_state, animation, "animation"), MST_BINDING(bound_state, x, "registration_x"),
    MST_BINDING(bound_state, y, "registration_y"),    MST_BINDING(bound_state, z, "registration_z")};
const mst_bindings mst_imagery_state_bindings = MST_BINDINGS(bound_state, "state", state_items);

/* ---- images -------------------------------------------------------------------------------------- */

/* Whether a pixel is drawn. */
static bool is_drawn(const mst_image_planes *p, size_t at) {
    if (!p->z)
        return p->alpha ? p->alpha[at] != 0 : p->pixels[at] != p->bitmap->key_color;
    int16_t depth = (int16_t)p->z[at];
    bool far_off = p->pixels && p->palette && !p->pixels[at] && (depth < DEPTH_MIN || depth > DEPTH_MAX);
    return p->z[at] != MST_TILE_CLEAR && !far_off && (!p->alpha || p->alpha[at]);
}

static void put_pixel(const mst_image_planes *p, size_t at, uint8_t color[4]) {
    memset(color, 0, 4);
    if (!is_drawn(p, at))
        return;
    if (p->pixels)
        mst_image_color(p, p->pixels[at], color);
    else
        memset(color, 255, 3);
    color[3] = !p->alpha ? 255 : p->alpha[at] < ALPHA_MAX ? (uint8_t)p->alpha[at] : ALPHA_MAX;
}

/* Adds a bitmap to the sprites; UINT32_MAX: cannot be shown. */
static uint32_t add_image(mst_sprites_builder *builder, mst_arena *scratch, const char *name,
                          const mst_document *document, const mst_image_bitmap *bitmap, bool *deep) {
    mst_image_planes p;
    mst_arena planes;
    if (!mst_image_is_picture(document, bitmap))
        return UINT32_MAX;
    mst_arena_begin(&planes, &scratch->allocator, 0);
    bool enough = mst_image_unpack_all(bitmap, &planes, &p);
    uint8_t *pixels = enough ? mst_sprites_take(builder, p.count, 4) : NULL;
    int16_t *depths = pixels && p.z ? mst_sprites_take(builder, p.count, sizeof *depths) : NULL;
    if (!pixels)
        builder->status = MST_NO_MEMORY;
    for (size_t i = 0; pixels && i < p.count && builder->status == MST_OK; i++) {
        put_pixel(&p, i, pixels + 4 * i);
        if (depths)
            depths[i] = (int16_t)p.z[i];
    }
    const mst_sprite_image image = {.name = name,
                                    .width = bitmap->width,
                                    .height = bitmap->height,
                                    .pixels = pixels,
                                    .opaque = p.alpha ? ALPHA_MAX : 255,
                                    .blended = p.alpha != NULL,
                                    .depths = depths};
    *deep = depths != NULL;
    mst_arena_end(&planes);
    return mst_sprites_add_image(builder, &image);
}

/* ---- states -------------------------------------------------------------------------------------- */

/* The bitmap of a state: the still one, or the first of its animation. */
static uint32_t bitmap_of(const mst_value *animations, const bound_state *state) {
    mst_value animation, frames, frame, bitmap;
    uint64_t number = MST_IMAGERY_NONE;
    if (state->still != MST_IMAGERY_NONE)
        return state->still;
    if (state->animation == MST_IMAGERY_NONE ||
        mst_element(animations, state->animation, &animation) != MST_OK ||
        mst_member(&animation, "frames", &frames) != MST_OK || mst_element(&frames, 0, &frame) != MST_OK ||
        mst_member(&frame, "bitmap", &bitmap) != MST_OK)
        return MST_IMAGERY_NONE;
    mst_get_unsigned(&bitmap, &number);
    return (uint32_t)number;
}

static void read_states(mst_sprites_builder *builder, mst_arena *scratch, const char *name,
                        const mst_document *document, mst_stills *stills) {
    mst_value root = mst_root(document), states = root, animations = root, state;
    mst_bound bound;
    if (MST_UNREACHABLE(mst_member(&root, "states", &states) != MST_OK ||
                        mst_member(&root, "animations", &animations) != MST_OK)) /* always there */
        return;
    size_t count = (size_t)mst_count(&states);
    mst_still *all = mst_arena_take(scratch, count, sizeof *all);
    uint32_t *bitmaps = mst_arena_take(scratch, count, sizeof *bitmaps);
    if (!all || !bitmaps) {
        builder->status = MST_NO_MEMORY;
        return;
    }
    mst_bind(document, &mst_imagery_state_bindings, &bound);
    stills->states = all;
    for (mst_iterator it = mst_iterate(&states); stills->count < count && mst_next(&it, &state);) {
        bound_state stored = {0};
        mst_fill(&bound, &state, &stored);
        bitmaps[stills->count] = bitmap_of(&animations, &stored);
        all[stills->count++] = (mst_still){.image = UINT32_MAX,
                                           .x = stored.x,
                                           .y = stored.y,
                                           .z = stored.z,
                                           .unlit = (stored.flags & STATE_UNLIT) != 0,
                                           .lit = (stored.flags & STATE_LIT) != 0,
                                           .selected = (stored.flags & STATE_SELECTED) != 0};
    }
    mst_image_bitmap bitmap;
    for (mst_image_cursor cursor = mst_image_bitmaps(document); mst_image_next(&cursor, &bitmap);) {
        uint32_t image = UINT32_MAX;
        bool deep = false, is_added = false;
        for (uint32_t i = 0; i < stills->count; i++) {
            if (bitmaps[i] != bitmap.index)
                continue;
            if (!is_added)
                image = add_image(builder, scratch, name, document, &bitmap, &deep);
            is_added = true;
            all[i].image = image;
            /* bitmaps without depths are flat if they are blended, have more than 256 colours, or are drawn
             * after the light */
            all[i].flat = !deep && (bitmap.has[MST_PLANE_ALPHA] || bitmap.depth != 8 || !all[i].unlit);
        }
    }
}

void mst_stills_read(mst_sprites_builder *builder, mst_arena *scratch, const char *name, const void *bytes,
                     size_t size, mst_stills *stills, mst_diagnostic *diagnostic) {
    mst_document *document;
    *stills = (mst_stills){.kind = MST_STILLS_DAMAGED};
    if (mst_imagery_probe(bytes, size, name, true)) { /* the shape is read when it is drawn */
        const mst_file_view file = {.data = bytes, .size = size};
        mst_imagery imagery;
        if (mst_imagery_open(&file, &imagery, diagnostic) == MST_OK)
            stills->kind = MST_STILLS_MODEL;
        return;
    }
    mst_open_options options = {.size = sizeof options, .allocator = scratch->allocator, .name = name};
    mst_status status = mst_open_memory(bytes, size, &options, &document, diagnostic);
    if (status == MST_NO_MEMORY)
        builder->status = status;
    if (status != MST_OK)
        return;
    if (document->format == &mst_format_revenant_image) {
        stills->kind = MST_STILLS_PICTURES;
        read_states(builder, scratch, name, document, stills);
    } else {
        mst_fail(diagnostic, MST_UNKNOWN, "this is not imagery of Revenant");
    }
    mst_close(document);
}
