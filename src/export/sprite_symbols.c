/* SPDX-License-Identifier: MIT */
/* Draws sprites pixel by pixel, ordered by depth. */
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "../scene/sprites.h"
#include <string.h>

#define PIXELS_MAX ((uint64_t)1 << 28)
#define LIGHT_FULL 31

/* A part of the picture being drawn. */
typedef struct canvas {
    int64_t left, top;
    uint32_t width, height;
    uint8_t *pixels; /* RGBA */
    int32_t *depths; /* of the nearest sprite at each pixel so far */
    uint32_t *seen;  /* that sprite; NULL: not needed */
} canvas;

/* Mixes a colour with the one below it, which is black where it is empty. */
static void blend(uint8_t *below, const uint8_t *color, uint32_t opaque) {
    uint32_t alpha = color[3] < opaque ? color[3] : opaque;
    for (int c = 0; c < 3; c++)
        below[c] = (uint8_t)((below[c] * (opaque - alpha) + color[c] * alpha) / opaque);
    below[3] = 255;
}

static void draw_pixel(canvas *to, size_t at, const mst_sprite *sprite, const mst_sprite_image *image,
                       size_t from, uint32_t index) {
    const uint8_t *color = image->pixels + 4 * from;
    if (!color[3])
        return;
    if (!sprite->flat) {
        int32_t depth = sprite->depth + (image->depths ? image->depths[from] : 0);
        if (to->depths[at] < depth)
            return;
        if (!image->blended)
            to->depths[at] = depth;
    }
    if (image->blended)
        blend(to->pixels + 4 * at, color, image->opaque);
    else
        memcpy(to->pixels + 4 * at, color, 4);
    if (to->seen)
        to->seen[at] = index;
}

static void draw_sprite(canvas *to, const mst_sprites *sprites, uint32_t index) {
    const mst_sprite *sprite = &sprites->items[index];
    const mst_sprite_image *image = &sprites->images[sprite->image];
    int64_t x = sprite->left - to->left, y = sprite->top - to->top;
    int64_t left = x > 0 ? x : 0, top = y > 0 ? y : 0;
    int64_t right = x + image->width < to->width ? x + image->width : to->width;
    int64_t bottom = y + image->height < to->height ? y + image->height : to->height;
    for (int64_t row = top; row < bottom; row++)
        for (int64_t column = left; column < right; column++) {
            size_t across = (size_t)(sprite->mirrored ? image->width - 1 - (column - x) : column - x);
            draw_pixel(to, (size_t)row * to->width + (size_t)column, sprite, image,
                       (size_t)(row - y) * image->width + across, index);
        }
}

static void dim(canvas *to, int ambient) {
    for (size_t i = 0; i < (size_t)to->width * to->height; i++)
        for (int c = 0; c < 3 && to->pixels[4 * i + 3]; c++)
            to->pixels[4 * i + (size_t)c] = (uint8_t)(to->pixels[4 * i + (size_t)c] * ambient / LIGHT_FULL);
}

/* Draws the sprites of one square that light changes, or the others, within the canvas. */
static void draw_square(canvas *to, const mst_sprites_owner *owner, uint32_t square, bool lit) {
    const mst_sprites *s = &owner->sprites;
    for (uint32_t i = owner->squares[square]; i < owner->squares[square + 1]; i++)
        if ((owner->members[i] >= s->lit) == lit)
            draw_sprite(to, s, owner->members[i]);
}

/* ---- squares ------------------------------------------------------------------------------------- */

/* Draws the content of a square into its own canvas. */
static void compose(canvas *to, const mst_sprites_owner *owner, uint32_t square, int ambient) {
    size_t count = (size_t)to->width * to->height;
    memset(to->pixels, 0, 4 * count);
    for (size_t i = 0; i < count; i++)
        to->depths[i] = INT32_MAX;
    draw_square(to, owner, square, false);
    if (ambient)
        dim(to, ambient);
    draw_square(to, owner, square, true);
}

/* Copies the part of a square that is in the picture, over the background. */
static void place(const canvas *square, mst_pixels *picture, const mst_sprites_view *view) {
    for (uint32_t y = 0; y < square->height; y++)
        for (uint32_t x = 0; x < square->width; x++) {
            int64_t column = square->left + x - view->left, row = square->top + y - view->top;
            const uint8_t *from = square->pixels + 4 * ((size_t)y * square->width + x);
            if (column < 0 || row < 0 || column >= picture->width || row >= picture->height || !from[3])
                continue;
            memcpy(picture->data + 4 * ((size_t)row * picture->width + (size_t)column), from, 4);
        }
}

static bool begin_canvas(canvas *square, mst_arena *scratch) {
    size_t count = (size_t)MST_SPRITES_SQUARE * MST_SPRITES_SQUARE;
    square->pixels = mst_arena_take(scratch, count, 4);
    square->depths = mst_arena_take(scratch, count, sizeof *square->depths);
    square->width = square->height = MST_SPRITES_SQUARE;
    return square->pixels && square->depths;
}

/* The first and the last square, along one axis, that a part of the picture touches; false: none. */
static bool touched(int64_t from, uint32_t length, uint32_t squares, uint32_t *first, uint32_t *last) {
    int64_t end = from + length;
    if (end <= 0 || from >= (int64_t)squares * MST_SPRITES_SQUARE)
        return false;
    *first = from > 0 ? (uint32_t)(from / MST_SPRITES_SQUARE) : 0;
    *last = (uint32_t)((end - 1) / MST_SPRITES_SQUARE);
    if (*last >= squares)
        *last = squares - 1;
    return true;
}

static void draw_all(const mst_sprites_owner *owner, const mst_sprites_view *view, canvas *square,
                     mst_pixels *picture) {
    const mst_sprites *s = &owner->sprites;
    uint32_t left, right, top, bottom;
    if (!touched((int64_t)view->left - s->left, picture->width, owner->across, &left, &right) ||
        !touched((int64_t)view->top - s->top, picture->height, owner->down, &top, &bottom))
        return;
    for (uint32_t row = top; row <= bottom; row++)
        for (uint32_t column = left; column <= right; column++) {
            square->left = s->left + (int64_t)column * MST_SPRITES_SQUARE;
            square->top = s->top + (int64_t)row * MST_SPRITES_SQUARE;
            compose(square, owner, row * owner->across + column, view->ambient);
            place(square, picture, view);
        }
}

mst_status mst_sprites_draw(const mst_sprites *sprites, const mst_sprites_view *view, mst_pixels *picture,
                            mst_diagnostic *diagnostic) {
    mst_sprites_view all = {0};
    if (!sprites || !picture || (view && (view->ambient < 0 || view->ambient > LIGHT_FULL)))
        return mst_fail(diagnostic, MST_ARGUMENT, "sprites, a picture and a light of 0 to 31 are needed");
    if (view)
        all = *view;
    if (!all.width && !all.height) {
        all.left = sprites->left;
        all.top = sprites->top;
        all.width = sprites->width;
        all.height = sprites->height;
    }
    if (!all.width || !all.height)
        return mst_fail(diagnostic, MST_ARGUMENT, "there is nothing to draw");
    if ((uint64_t)all.width * all.height > PIXELS_MAX)
        return mst_fail(diagnostic, MST_REFUSED, "a picture of %lu by %lu pixels is too large",
                        (unsigned long)all.width, (unsigned long)all.height);
    *picture = (mst_pixels){.allocator = mst_allocator_or_default(&picture->allocator)};
    size_t count = (size_t)all.width * all.height;
    mst_arena scratch;
    canvas square = {0};
    mst_arena_begin(&scratch, &picture->allocator, 0);
    if (begin_canvas(&square, &scratch) && mst_pixels_take(picture, all.width, all.height, 0)) {
        picture->unfiltered = 1;
        for (size_t i = 0; i < count; i++)
            memcpy(picture->data + 4 * i, all.background, 4);
        draw_all((const mst_sprites_owner *)sprites, &all, &square, picture);
    }
    mst_arena_end(&scratch);
    return picture->data ? MST_OK : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the picture");
}

size_t mst_sprites_at(const mst_sprites *sprites, int32_t x, int32_t y) {
    const mst_sprites_owner *owner = (const mst_sprites_owner *)sprites;
    uint32_t column, row, last, seen = UINT32_MAX;
    if (!sprites || !touched((int64_t)x - sprites->left, 1, owner->across, &column, &last) ||
        !touched((int64_t)y - sprites->top, 1, owner->down, &row, &last))
        return SIZE_MAX;
    uint8_t pixel[4] = {0};
    int32_t depth = INT32_MAX;
    canvas one = {x, y, 1, 1, pixel, &depth, &seen};
    draw_square(&one, owner, row * owner->across + column, false);
    draw_square(&one, owner, row * owner->across + column, true);
    return seen == UINT32_MAX ? SIZE_MAX : seen;
}
