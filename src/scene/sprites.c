/* SPDX-License-Identifier: MIT */
#include "sprites.h"
#include "../core/diagnose.h"
#include <string.h>

#define BUDGET_PER_BYTE 64u
#define BUDGET_BESIDES  ((size_t)1 << 20)
#define SQUARES_MAX     ((uint64_t)1 << 22) /* of a level of 32,768 x 8,388,608 pixels */

mst_status mst_sprites_begin(mst_sprites_builder *builder, const mst_sprites_options *options, uint64_t read,
                             mst_diagnostic *diagnostic) {
    mst_allocator allocator = mst_allocator_or_default(options ? &options->allocator : NULL);
    *builder =
        (mst_sprites_builder){.items = {.element_size = sizeof(mst_sprite), .allocator = allocator},
                              .images = {.element_size = sizeof(mst_sprite_image), .allocator = allocator},
                              .labels = {.element_size = sizeof(mst_sprite_label), .allocator = allocator}};
    builder->owner = allocator.resize(allocator.user, NULL, 0, sizeof *builder->owner);
    if (!builder->owner)
        return builder->status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the sprites");
    memset(builder->owner, 0, sizeof *builder->owner);
    mst_arena_begin(&builder->owner->arena, &allocator,
                    options && options->budget ? options->budget : BUDGET_BESIDES);
    mst_sprites_read(builder, options, read);
    return MST_OK;
}

void mst_sprites_read(mst_sprites_builder *builder, const mst_sprites_options *options, uint64_t size) {
    size_t *budget = &builder->owner->arena.budget, left = SIZE_MAX - *budget;
    if (!options || !options->budget)
        *budget += size > left / BUDGET_PER_BYTE ? left : (size_t)size * BUDGET_PER_BYTE;
}

static void fail(mst_sprites_builder *builder) {
    if (builder->status == MST_OK)
        builder->status = MST_NO_MEMORY;
}

void *mst_sprites_take(mst_sprites_builder *builder, size_t count, size_t size) {
    void *memory = builder->status == MST_OK ? mst_arena_take(&builder->owner->arena, count, size) : NULL;
    if (!memory)
        fail(builder);
    return memory;
}

const char *mst_sprites_text(mst_sprites_builder *builder, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = mst_sprites_take(builder, size, 1);
    return copy ? memcpy(copy, text, size) : "";
}

uint32_t mst_sprites_add_image(mst_sprites_builder *builder, const mst_sprite_image *image) {
    mst_sprite_image *added = builder->status == MST_OK ? mst_array_push(&builder->images, 1) : NULL;
    if (!added) {
        fail(builder);
        return UINT32_MAX;
    }
    *added = *image;
    return (uint32_t)builder->images.count - 1;
}

void mst_sprites_add(mst_sprites_builder *builder, const mst_sprite *sprite) {
    mst_sprite *added = builder->status == MST_OK ? mst_array_push(&builder->items, 1) : NULL;
    if (added)
        *added = *sprite;
    else
        fail(builder);
}

void mst_sprites_add_label(mst_sprites_builder *builder, const mst_sprite_label *label) {
    mst_sprite_label *added = builder->status == MST_OK ? mst_array_push(&builder->labels, 1) : NULL;
    if (added)
        *added = *label;
    else
        fail(builder);
}

/* ---- finishing ---------------------------------------------------------------------------------- */

/* The items in drawing order, in the arena. */
static void put_in_order(mst_sprites_builder *builder) {
    mst_sprites *s = &builder->owner->sprites;
    const mst_sprite *from = builder->items.items;
    mst_sprite *to = mst_sprites_take(builder, builder->items.count, sizeof *to);
    mst_sprite_image *images = mst_sprites_take(builder, builder->images.count, sizeof *images);
    mst_sprite_label *labels = mst_sprites_take(builder, builder->labels.count, sizeof *labels);
    if (!to || !images || !labels)
        return;
    for (int lit = 0; lit < 2; lit++) {
        s->lit = s->count;
        for (size_t i = 0; i < builder->items.count; i++)
            if ((from[i].lit != 0) == lit)
                to[s->count++] = from[i];
    }
    if (builder->images.count)
        memcpy(images, builder->images.items, builder->images.count * sizeof *images);
    if (builder->labels.count)
        memcpy(labels, builder->labels.items, builder->labels.count * sizeof *labels);
    s->labels = labels;
    s->label_count = builder->labels.count;
    s->items = to;
    s->images = images;
    s->image_count = builder->images.count;
}

/* The rectangle around all of them; false if it has too many squares. */
static bool find_bounds(mst_sprites_owner *owner) {
    mst_sprites *s = &owner->sprites;
    int64_t left = INT32_MAX, top = INT32_MAX, right = INT32_MIN, bottom = INT32_MIN;
    for (size_t i = 0; i < s->count; i++) {
        const mst_sprite *one = &s->items[i];
        const mst_sprite_image *image = &s->images[one->image];
        left = one->left < left ? one->left : left;
        top = one->top < top ? one->top : top;
        right = (int64_t)one->left + image->width > right ? (int64_t)one->left + image->width : right;
        bottom = (int64_t)one->top + image->height > bottom ? (int64_t)one->top + image->height : bottom;
    }
    if (!s->count)
        return true;
    if (right - left > INT32_MAX || bottom - top > INT32_MAX)
        return false;
    s->left = (int32_t)left;
    s->top = (int32_t)top;
    s->width = (uint32_t)(right - left);
    s->height = (uint32_t)(bottom - top);
    owner->across = (s->width + MST_SPRITES_SQUARE - 1) / MST_SPRITES_SQUARE;
    owner->down = (s->height + MST_SPRITES_SQUARE - 1) / MST_SPRITES_SQUARE;
    return (uint64_t)owner->across * owner->down <= SQUARES_MAX;
}

/* The squares that a sprite touches: columns and rows, each from the first to before the last. */
static void squares_of(const mst_sprites *s, const mst_sprite *one, uint32_t columns[2], uint32_t rows[2]) {
    const mst_sprite_image *image = &s->images[one->image];
    uint32_t x = (uint32_t)((int64_t)one->left - s->left), y = (uint32_t)((int64_t)one->top - s->top);
    columns[0] = x / MST_SPRITES_SQUARE;
    rows[0] = y / MST_SPRITES_SQUARE;
    columns[1] = image->width ? (x + image->width - 1) / MST_SPRITES_SQUARE + 1 : columns[0];
    rows[1] = image->height ? (y + image->height - 1) / MST_SPRITES_SQUARE + 1 : rows[0];
}

/* Counts, or with `members` lists, the sprites of each square; `next` has one number per square. */
static void go_over_squares(const mst_sprites_owner *owner, uint32_t *next, uint32_t *members) {
    const mst_sprites *s = &owner->sprites;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t columns[2], rows[2];
        squares_of(s, &s->items[i], columns, rows);
        for (uint32_t row = rows[0]; row < rows[1]; row++)
            for (uint32_t column = columns[0]; column < columns[1]; column++) {
                uint32_t *at = &next[(size_t)row * owner->across + column];
                if (members)
                    members[*at] = (uint32_t)i;
                ++*at;
            }
    }
}

static void list_squares(mst_sprites_builder *builder) {
    mst_sprites_owner *owner = builder->owner;
    size_t count = (size_t)owner->across * owner->down;
    uint64_t total = 0;
    uint32_t *starts = mst_sprites_take(builder, count + 2, sizeof *starts);
    if (!starts)
        return;
    memset(starts, 0, (count + 2) * sizeof *starts);
    go_over_squares(owner, starts + 2, NULL);
    for (size_t i = 2; i < count + 2; i++) {
        total += starts[i];
        if (total > UINT32_MAX) {
            fail(builder);
            return;
        }
        starts[i] = (uint32_t)total;
    }
    uint32_t *members = mst_sprites_take(builder, (size_t)total, sizeof *members);
    if (!members)
        return;
    go_over_squares(owner, starts + 1, members); /* each start moves to its end, the start of the next one */
    owner->squares = starts;
    owner->members = members;
}

mst_status mst_sprites_finish(mst_sprites_builder *builder, const mst_sprites *settings,
                              mst_sprites **sprites, mst_diagnostic *diagnostic) {
    mst_sprites_owner *owner = builder->owner;
    if (!owner) /* mst_sprites_begin failed */
        return builder->status;
    if (builder->status == MST_OK) {
        owner->sprites = *settings;
        put_in_order(builder);
    }
    if (builder->status == MST_OK && !find_bounds(owner))
        builder->status = mst_fail(diagnostic, MST_REFUSED, "the level's picture is too large");
    else if (builder->status == MST_OK)
        list_squares(builder);
    if (builder->status == MST_NO_MEMORY)
        mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the sprites, or more than they may take");
    mst_array_free(&builder->items);
    mst_array_free(&builder->images);
    mst_array_free(&builder->labels);
    if (builder->status == MST_OK)
        *sprites = &owner->sprites;
    else
        mst_sprites_free(&owner->sprites);
    return builder->status;
}

void mst_sprites_free(mst_sprites *sprites) {
    mst_sprites_owner *owner = (mst_sprites_owner *)sprites; /* its first member */
    if (!owner)
        return;
    mst_allocator allocator = owner->arena.allocator;
    mst_arena_end(&owner->arena);
    allocator.resize(allocator.user, owner, sizeof *owner, 0);
}
