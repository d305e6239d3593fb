/* SPDX-License-Identifier: MIT */
/*
 * A level's picture as a pyramid of tiles. The last zoom has the full size; each tile of another zoom is made
 * of four of the next. Each thread takes branches of the pyramid and keeps one tile per zoom. Only one byte
 * per tile depends on the level's size: whether the tile shows anything. Empty areas take no work.
 */
#define _GNU_SOURCE
#include "../../src/core/hash.h"
#include "../../src/system/system.h"
#include "../inputs/paths.h"
#include "../inputs/threads.h"
#include "../output/existing_names.h"
#include "game_view.h"
#include <mapstone/image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE        256u /* pixels of a tile */
#define PIXELS      ((size_t)SIDE * SIDE)
#define ZOOMS       24
#define BRANCH_ZOOM 3 /* zoom of the tiles that threads take */

typedef struct pyramid {
    const mst_sprites *sprites;
    const game_view *view;
    int directory; /* length of its path without slashes at the end */
    unsigned last; /* the zoom of full size */
    unsigned top;  /* the zoom of the branches */
    struct {
        uint32_t across, down;
        uint8_t *filled; /* of each tile, row by row: it shows something */
    } zooms[ZOOMS + 1];
    uint8_t *tops; /* their tiles */
    lock lock;
    uint32_t next; /* next branch */
    int code;
    uint64_t written;
} pyramid;

/* ---- filled areas -------------------------------------------------------------------------------- */

static bool is_filled(const pyramid *p, unsigned zoom, uint32_t x, uint32_t y) {
    return x < p->zooms[zoom].across && y < p->zooms[zoom].down &&
           p->zooms[zoom].filled[(size_t)y * p->zooms[zoom].across + x];
}

static void fill(pyramid *p, unsigned zoom, uint32_t x, uint32_t y) {
    p->zooms[zoom].filled[(size_t)y * p->zooms[zoom].across + x] = 1;
}

static void find_filled(pyramid *p) {
    const mst_sprites *s = p->sprites;
    for (unsigned zoom = 0; zoom <= p->last; zoom++) {
        uint64_t step = (uint64_t)SIDE << (p->last - zoom);
        p->zooms[zoom].across = (uint32_t)((s->width + step - 1) / step);
        p->zooms[zoom].down = (uint32_t)((s->height + step - 1) / step);
        p->zooms[zoom].filled = need(calloc((size_t)p->zooms[zoom].across + 1, p->zooms[zoom].down + 1));
    }
    for (size_t i = 0; i < s->count; i++) {
        const mst_sprite_image *image = &s->images[s->items[i].image];
        uint32_t left = (uint32_t)((int64_t)s->items[i].left - s->left),
                 top = (uint32_t)((int64_t)s->items[i].top - s->top);
        for (uint32_t y = top / SIDE; y * SIDE < top + image->height; y++)
            for (uint32_t x = left / SIDE; x * SIDE < left + image->width; x++)
                fill(p, p->last, x, y);
    }
    for (unsigned zoom = p->last; zoom; zoom--)
        for (uint32_t y = 0; y < p->zooms[zoom].down; y++)
            for (uint32_t x = 0; x < p->zooms[zoom].across; x++)
                if (is_filled(p, zoom, x, y))
                    fill(p, zoom - 1, x / 2, y / 2);
}

/* ---- one tile ------------------------------------------------------------------------------------ */

static bool is_empty(const uint8_t *pixels) {
    for (size_t i = 0; i < PIXELS; i++)
        if (pixels[4 * i + 3])
            return false;
    return true;
}

static int write_tile(pyramid *p, unsigned zoom, uint32_t x, uint32_t y, uint8_t *pixels) {
    char *path;
    target out;
    mst_diagnostic why;
    if (is_empty(pixels))
        return EXIT_YES;
    if (asprintf(&path, "%.*s/%u/%lu/%lu.png", p->directory, p->view->tiles, zoom, (unsigned long)x,
                 (unsigned long)y) < 0)
        need(NULL);
    int code = make_parents(path) && target_begin(&out, path) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES) {
        const mst_pixels tile = {.width = SIDE, .height = SIDE, .data = pixels, .unfiltered = 1};
        target_hurry(&out);
        mst_status status = mst_pixels_write_png(&tile, target_sink(&out), &why);
        code = target_settle(&out, status, path, &why);
    }
    free(path);
    lock_take(&p->lock);
    p->written++;
    lock_give(&p->lock);
    return code;
}

/* Puts a tile into a quarter of the one above it: means of 2 x 2 pixels, weighted by coverage. */
static void halve(const uint8_t *from, uint8_t *to, uint32_t x, uint32_t y) {
    for (uint32_t row = 0; row < SIDE / 2; row++)
        for (uint32_t column = 0; column < SIDE / 2; column++) {
            const uint8_t *a = from + 4 * ((size_t)2 * row * SIDE + 2 * column), *b = a + 4 * (size_t)SIDE;
            uint8_t *pixel =
                to + 4 * ((row + (y & 1) * SIDE / 2) * (size_t)SIDE + column + (x & 1) * SIDE / 2);
            unsigned alpha = (unsigned)a[3] + a[7] + b[3] + b[7];
            for (int c = 0; c < 3; c++)
                pixel[c] = (uint8_t)(alpha ? ((unsigned)a[c] * a[3] + (unsigned)a[c + 4] * a[7] +
                                              (unsigned)b[c] * b[3] + (unsigned)b[c + 4] * b[7] + alpha / 2) /
                                                 alpha
                                           : 0);
            pixel[3] = (uint8_t)((alpha + 2) / 4);
        }
}

static int draw_tile(pyramid *p, uint32_t x, uint32_t y, uint8_t *pixels) {
    const mst_sprites *s = p->sprites;
    mst_pixels picture = {0};
    mst_diagnostic why;
    mst_sprites_view part = p->view->how;
    memset(pixels, 0, 4 * PIXELS);
    part.left = (int32_t)(s->left + (int64_t)x * SIDE);
    part.top = (int32_t)(s->top + (int64_t)y * SIDE);
    part.width = part.height = SIDE;
    if (mst_sprites_draw(s, &part, &picture, &why) != MST_OK)
        return say_diagnosis(p->view->tiles, &why);
    memcpy(pixels, picture.data, 4 * PIXELS);
    mst_pixels_free(&picture);
    return EXIT_YES;
}

/* ---- branches ------------------------------------------------------------------------------------ */

/* Writes a tile of a branch, and the tiles above it that are complete then; `zoom` is relative to the
 * branch. */
static int finish_tile(pyramid *p, unsigned zoom, uint32_t x, uint32_t y, uint8_t *top, uint8_t *tiles) {
    int code = EXIT_YES;
    for (bool last = true; last && code == EXIT_YES; x /= 2, y /= 2, zoom--) {
        uint8_t *tile = zoom ? tiles + 4 * PIXELS * zoom : top;
        if (is_filled(p, p->top + zoom, x, y)) {
            code = write_tile(p, p->top + zoom, x, y, tile);
            if (zoom) {
                halve(tile, zoom > 1 ? tiles + 4 * PIXELS * (zoom - 1) : top, x, y);
                memset(tile, 0, 4 * PIXELS);
            }
        }
        last = zoom && (x & 1) && (y & 1);
    }
    return code;
}

/* Whether, in the order below, a square of 2^size tiles begins with tile i and is empty. */
static bool is_bare(const pyramid *p, unsigned size, uint64_t i, uint32_t x, uint32_t y) {
    return !(i & (((uint64_t)1 << 2 * size) - 1)) && !is_filled(p, p->last - size, x >> size, y >> size);
}

/* Draws all tiles of a branch that are not empty, in an order that keeps the four parts of each tile
 * together. */
static int draw_branch(pyramid *p, uint32_t x, uint32_t y, uint8_t *top, uint8_t *tiles) {
    unsigned depth = p->last - p->top;
    int code = EXIT_YES;
    for (uint64_t i = 0, step; i < (uint64_t)1 << 2 * depth && code == EXIT_YES; i += step) {
        uint32_t column = x << depth, row = y << depth;
        for (unsigned bit = 0; bit < depth; bit++) {
            column |= (uint32_t)(i >> 2 * bit & 1) << bit;
            row |= (uint32_t)(i >> (2 * bit + 1) & 1) << bit;
        }
        unsigned zoom = 0; /* of the largest empty part that begins here */
        while (zoom <= depth && !is_bare(p, depth - zoom, i, column, row))
            zoom++;
        if (zoom > depth) {
            zoom = depth;
            code = draw_tile(p, column, row, depth ? tiles + 4 * PIXELS * depth : top);
        }
        step = (uint64_t)1 << 2 * (depth - zoom);
        if (code == EXIT_YES)
            code = finish_tile(p, zoom, column >> (depth - zoom), row >> (depth - zoom), top, tiles);
    }
    return code;
}

static void *work_on(void *user) {
    pyramid *p = user;
    uint8_t *tiles = need(calloc(p->last - p->top + 1, 4 * PIXELS));
    uint32_t side = 1u << p->top;
    for (;;) {
        lock_take(&p->lock);
        uint32_t index = p->code == EXIT_YES ? p->next++ : side * side;
        lock_give(&p->lock);
        if (index >= side * side)
            break;
        int code = draw_branch(p, index % side, index / side, p->tops + 4 * PIXELS * index, tiles);
        lock_take(&p->lock);
        p->code = worse(p->code, code);
        lock_give(&p->lock);
    }
    free(tiles);
    return NULL;
}

/* The zooms above the branches. */
static int draw_tops(pyramid *p) {
    int code = EXIT_YES;
    for (unsigned zoom = p->top; zoom-- && code == EXIT_YES;) {
        uint32_t side = 1u << zoom;
        uint8_t *tiles = need(calloc((size_t)side * side, 4 * PIXELS));
        for (uint32_t i = 0; i < 4 * side * side; i++) {
            uint32_t x = i % (2 * side), y = i / (2 * side);
            halve(p->tops + 4 * PIXELS * i, tiles + 4 * PIXELS * (x / 2 + (size_t)y / 2 * side), x, y);
        }
        free(p->tops);
        p->tops = tiles;
        for (uint32_t i = 0; i < side * side && code == EXIT_YES; i++)
            code = write_tile(p, zoom, i % side, i / side, tiles + 4 * PIXELS * i);
    }
    return code;
}

/* ---- the page ------------------------------------------------------------------------------------ */

static unsigned hex_digit(char digit) {
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* 'sha256-...': the hash of the text between the tags, in the form of a policy. */
static void put_sum(stream *to, const stream *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[65 + 2] = "";
    mst_sha256_text(text->data, text->size, hex);
    memcpy(hex + 64, "00", 3); /* 32 bytes are 42 digits of 6 bits, and 4 bits that are padded with zeros */
    put_text(to, "'sha256-");
    for (size_t i = 0; i < 22; i++) {
        const char *three = hex + 3 * i;
        unsigned bits = hex_digit(three[0]) << 8 | hex_digit(three[1]) << 4 | hex_digit(three[2]);
        put(to, &digits[bits >> 6], 1);
        if (i < 21)
            put(to, &digits[bits & 63], 1);
    }
    put_text(to, "='");
}

static void put_policy(stream *to) {
    stream style = stream_memory(), script = stream_memory();
    put_text(&style, tiles_page_style);
    put_text(&script, tiles_page_names);
    put_text(&script, tiles_page_draw);
    put_text(&script, tiles_page_moves);
    put_text(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ");
    put_sum(to, &script);
    put_text(to, "; style-src ");
    put_sum(to, &style);
    /* pages on a disk do not share an origin with their files */
    put_text(to, "; img-src 'self' file:; base-uri 'none'; form-action 'none'\">\n");
    stream_free(&style);
    stream_free(&script);
}

static void put_level(stream *to, const mst_sprites *s, unsigned last, const char *title) {
    stream text = stream_memory();
    text.page = true;
    print(&text, "{\"title\":");
    put_json_string(&text, title, strlen(title));
    print(&text, ",\"left\":%ld,\"top\":%ld,\"width\":%lu,\"height\":%lu,\"last\":%u,\"labels\":[",
          (long)s->left, (long)s->top, (unsigned long)s->width, (unsigned long)s->height, last);
    for (size_t i = 0; i < s->label_count; i++) {
        const mst_sprite_label *label = &s->labels[i];
        print(&text, "%s[%ld,%ld,", i ? ",\n" : "\n", (long)label->x, (long)label->y);
        put_json_string(&text, label->text, strlen(label->text));
        put_text(&text, ",");
        put_json_string(&text, label->class_name, strlen(label->class_name));
        put_text(&text, "]");
    }
    put_text(&text, "]}");
    put(to, text.data, text.size);
    stream_free(&text);
}

static int write_page(const pyramid *p, const char *title) {
    char *path;
    target out;
    if (asprintf(&path, "%.*s/index.html", p->directory, p->view->tiles) < 0)
        need(NULL);
    int code = make_parents(path) && target_begin(&out, path) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES) {
        put_text(&out.text, tiles_page_head);
        put_policy(&out.text);
        put_text(&out.text, tiles_page_title);
        put_text(&out.text, tiles_page_style);
        put_text(&out.text, tiles_page_body);
        put_level(&out.text, p->sprites, p->last, title);
        put_text(&out.text, tiles_page_code);
        put_text(&out.text, tiles_page_names);
        put_text(&out.text, tiles_page_draw);
        put_text(&out.text, tiles_page_moves);
        put_text(&out.text, tiles_page_end);
        code = target_finish(&out) ? EXIT_YES : EXIT_TROUBLE;
    }
    free(path);
    return code;
}

int tiles_write(const mst_sprites *sprites, const game_view *view, const char *title) {
    pyramid p = {.sprites = sprites, .view = view, .directory = (int)strlen(view->tiles)};
    while (p.directory > 1 && mst_system_separates(view->tiles[p.directory - 1]))
        p.directory--;
    uint32_t longer = sprites->width > sprites->height ? sprites->width : sprites->height;
    while (p.last < ZOOMS && (uint64_t)SIDE << p.last < longer)
        p.last++;
    p.top = p.last < BRANCH_ZOOM ? p.last : BRANCH_ZOOM;
    p.tops = need(calloc((size_t)1 << 2 * p.top, 4 * PIXELS));
    find_filled(&p);
    lock_begin(&p.lock);
    system_threads(view->threads, work_on, &p);
    if (p.code == EXIT_YES)
        p.code = draw_tops(&p);
    if (p.code == EXIT_YES)
        p.code = write_page(&p, title);
    lock_end(&p.lock);
    for (unsigned zoom = 0; zoom <= p.last; zoom++)
        free(p.zooms[zoom].filled);
    free(p.tops);
    if (p.code == EXIT_YES)
        say(MST_INFORMATION, "%.*s/index.html shows %llu tiles of %lu x %lu pixels", p.directory, view->tiles,
            (unsigned long long)p.written, (unsigned long)sprites->width, (unsigned long)sprites->height);
    return p.code;
}
