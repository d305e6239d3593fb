/* SPDX-License-Identifier: MIT */
/* A small game of Revenant in memory: class.def and pictures of 2 x 2 pixels, and sectors of objects that
 * have them. */
#ifndef MST_TESTS_REVENANT_GAME_H
#define MST_TESTS_REVENANT_GAME_H

#include "revenant_documents.h"
#include "revenant_image.h"
#include <strings.h>

#define FILES_MAX 14

typedef struct game {
    const char *names[FILES_MAX];
    writer files[FILES_MAX];
    size_t count;
    size_t asked; /* the number of searches for files */
} game;

static inline mst_status find_file(void *user, const char *name, const void **bytes, size_t *size) {
    game *g = user;
    g->asked++;
    for (size_t i = 0; i < g->count; i++)
        if (strcasecmp(g->names[i], name) == 0) {
            *bytes = g->files[i].data;
            *size = g->files[i].size;
            return MST_OK;
        }
    return MST_NO_PATH;
}

static inline void add_file(game *g, const char *name, writer w) {
    assert_true(g->count < FILES_MAX);
    g->names[g->count] = name;
    g->files[g->count++] = w;
}

static inline void add_text(game *g, const char *name, const char *text) {
    writer w = {0};
    put_bytes_of(&w, text, strlen(text));
    add_file(g, name, w);
}

static inline void game_free(game *g) {
    for (size_t i = 0; i < g->count; i++)
        writer_free(&g->files[i]);
}

/* States are registered at 5, 6 and depth 7 (image_state). */
#define REGISTERED_X 5
#define REGISTERED_Y 6
#define REGISTERED_Z 7

enum { LIT = 1, UNLIT = 2, CHOSEN = 4 }; /* flags of states */
enum { BITS_8 = 1, BITS_15 = 2, DEPTHS = 0x20, ALPHA = 0x100, NO_PIXELS = 0x800 };

/* A picture of 2 x 2 pixels. */
static inline writer picture(uint32_t flags, const char *pixels, size_t size, const char *depths,
                             const char *alpha, uint32_t state) {
    image_source s;
    image_begin(&s);
    image_state(&s, "still", state, 0, 0, NULL);
    uint32_t bitmap = image_bitmap(&s, 2, 2, flags, pixels, size);
    if (flags & BITS_8)
        image_palette(&s, bitmap);
    if (alpha)
        image_plane(&s, bitmap, 1, alpha, 4);
    if (depths)
        image_plane(&s, bitmap, 2, depths, 8);
    image_slot(&s, 0, 0, bitmap);
    return image_finish(&s);
}

enum { FLOOR = 1, NEAR, GHOST, GLOW, WEB, SPARK, PAIR, LOST, MODEL, PLAIN, CHOSEN_ONE, NO_FILE };

static const char types_def[] = "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n"
                                "\"Floor\" \"Forest\\Floor.I2D\" 0x1 {} {}\n"
                                "\"Near\" \"near.i2d\" 0x2 {} {}\n"
                                "\"Ghost\" \"ghost.i2d\" 0x3 {} {}\n"
                                "\"Glow\" \"glow.i2d\" 0x4 {} {}\n"
                                "\"Web\" \"web.i2d\" 0x5 {} {}\n"
                                "\"Spark\" \"17\" 0x6 {} {}\n"
                                "\"Pair\" \"pair.i2d\" 0x7 {} {}\n"
                                "\"Lost\" \"lost.i2d\" 0x8 {} {}\n"
                                "\"Other floor\" \"FOREST\\floor.i2d\" 0x9 {} {}\n"
                                "\"Plain\" \"plain.i2d\" 0xA {} {}\n"
                                "\"Chosen\" \"chosen.i2d\" 0xB {} {}\n"
                                "\"No file\" \"\" 0xC {} {}\n"
                                "END\nEND\n"
                                "CLASS \"CHARACTER\"\nBEGIN\nTYPES\nBEGIN\n"
                                "\"Guard\" \"near.i2d\" 0x20 {} {}\n"
                                "END\nEND\n";
enum { OTHER_FLOOR = 9, GUARD = 0x20 };

static inline game small_game(void) {
    game g = {0};
    add_text(&g, "class.def", types_def);
    /* colours 1 to 4 at depths 10, 10, nothing, 20 */
    add_file(&g, "IMAGERY/Forest/Floor.I2D",
             picture(BITS_8 | DEPTHS, "\1\2\3\4", 4, "\12\0\12\0\x7F\x7F\24\0", NULL, UNLIT));
    /* without depths: colour 5 above, holes below */
    add_file(&g, "IMAGERY/near.i2d", picture(BITS_8, "\5\5\0\0", 4, NULL, NULL, UNLIT));
    /* alpha 31, 16, 0, 90 of white */
    add_file(&g, "IMAGERY/ghost.i2d",
             picture(BITS_15 | ALPHA, "\xFF\x7F\xFF\x7F\xFF\x7F\xFF\x7F", 8, NULL, "\x1F\x10\0\x5A", UNLIT));
    /* drawn after the light, without depth */
    add_file(&g, "IMAGERY/glow.i2d", picture(BITS_8, "\6\0\0\0", 4, NULL, NULL, LIT));
    /* no pixels: alpha and depths 5 and 4000 */
    add_file(&g, "IMAGERY/web.i2d",
             picture(DEPTHS | ALPHA | NO_PIXELS, NULL, 0, "\5\0\5\0\xA0\xF\xA0\xF", "\x1F\x1F\x1F\x1F", LIT));
    add_file(&g, "IMAGERY/IMAGERY.17", picture(BITS_15, "\1\0\0\0\0\0\0\0", 8, NULL, NULL, UNLIT));
    image_places places;
    add_file(&g, "IMAGERY/pair.i2d", image_usual(&places));
    /* index 0 is a colour at depth 3, and nothing at depth 9000 */
    add_file(&g, "IMAGERY/plain.i2d",
             picture(BITS_8 | DEPTHS, "\0\0\1\1", 4, "\3\0\x28\x23\3\0\x28\x23", NULL, UNLIT));
    add_file(&g, "IMAGERY/chosen.i2d", picture(BITS_8, "\7\7\7\7", 4, NULL, NULL, CHOSEN | LIT));
    return g;
}

/* ---- levels -------------------------------------------------------------------------------------- */

#define X        300
#define Y        200
#define SECTOR_X 3
#define SECTOR_Y 5
/* Of an object there at height 0, by the projection: screen x = x - y, y = (x + y) / 2. */
#define LEFT (SECTOR_X * 1024 + X - SECTOR_Y * 1024 - Y - REGISTERED_X)
#define TOP  ((SECTOR_X * 1024 + X + SECTOR_Y * 1024 + Y) / 2 - REGISTERED_Y)

static inline sector_object thing(uint32_t id, uint32_t flags) {
    sector_object o = sector_thing(SECTOR_TILE, flags | SECTOR_IMMOBILE, "");
    o.unique_id = id;
    o.position[0] = X;
    o.position[1] = Y;
    o.position[2] = 0;
    return o;
}

/* `w` has the bytes, to be freed after the document. */
static inline mst_document *open_objects(const sector_object *objects, size_t count, writer *w) {
    const sector s = {.version = 8, .objects = objects, .object_count = count};
    *w = (writer){0};
    write_sector(w, &s);
    return open_named(w, NAME);
}

#endif
