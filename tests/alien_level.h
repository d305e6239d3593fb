/* SPDX-License-Identifier: MIT */
/*
 * Levels of Alien Trilogy and texture files, written byte by byte from the description of the formats, with
 * the path of every part. Independent of the library's tables.
 *
 *     alien_level l;
 *     alien_small(&l);               a small level without findings
 *     l.doors[0].model = 7;          the difference under test
 *     writer w = {0};
 *     write_alien_level(&w, &l, true);
 *     ...
 *     writer_free(&w);
 */
#ifndef MST_TESTS_ALIEN_LEVEL_H
#define MST_TESTS_ALIEN_LEVEL_H

#include "documents.h"

#define ALIEN_MANY  128 /* maximum of each kind */
#define ALIEN_EMPTY 255

typedef struct alien_vertex {
    int16_t x, y, z;
    uint16_t unknown_06;
} alien_vertex;

typedef struct alien_quad {
    int32_t vertices[4];
    uint16_t texture;
    uint8_t draw_flags, light;
} alien_quad;

typedef struct alien_cell {
    int32_t first_quad;
    uint16_t unknown_04, path_node, zone_mask;
    uint8_t shape, floor, unknown_0c, ceiling, light, trigger;
} alien_cell;

typedef struct alien_path_node {
    uint8_t x, y, unknown_02, alternate, links[4];
} alien_path_node;

typedef struct alien_monster {
    uint8_t type, x, y, z, rotation, health, drop, unknown_07, trigger_threshold, unknown_09, unknown_0a[4],
        speed, unknown_0f, unknown_10[4];
} alien_monster;

typedef struct alien_pickup {
    uint8_t x, y, type, amount, multiplier, unknown_05, trigger_threshold, amount_copy;
} alien_pickup;

typedef struct alien_box {
    uint8_t x, y, type, drop_type, unknown_04, unknown_05, drop_first, drop_second, unknown_08[6], rotation,
        unknown_0f;
} alien_box;

typedef struct alien_door {
    uint8_t x, y, unknown_02, open_time, lock, unknown_05, rotation, model;
} alien_door;

typedef struct alien_lift {
    uint8_t x, y, z, unknown_03[9], model, unknown_0d[3];
} alien_lift;

typedef struct alien_trigger {
    uint8_t mask, first_command, uses, unknown_03;
} alien_trigger;

typedef struct alien_command {
    uint8_t operation, next, amount, target;
} alien_command;

typedef struct alien_light {
    uint8_t off[4], on[4], corners[2][4];
    uint16_t timers[4];
    uint8_t mode, is_on, variant, variant_max;
} alien_light;

typedef struct alien_animator {
    uint16_t program;
    uint8_t variant, variant_max;
} alien_animator;

typedef struct alien_word {
    uint16_t program, value;
} alien_word;

/* A section "D000" or "L000". */
typedef struct alien_model {
    char name[5];
    uint32_t unknown_04, unknown_08;
    alien_quad quads[8];
    uint32_t quad_count;
    alien_vertex vertices[16];
    uint32_t vertex_count;
    uint32_t extra_quads; /* added to the written count, so that it does not fit */
} alien_model;

/* Any other section; an odd size is followed by a zero, or by `padding`. */
typedef struct alien_section {
    char name[5];
    const void *data;
    size_t size;
    uint8_t padding;
    bool in_front; /* of MAP0 */
} alien_section;

typedef struct alien_level {
    alien_vertex vertices[ALIEN_MANY];
    alien_quad quads[ALIEN_MANY]; /* with the terminator */
    alien_cell cells[ALIEN_MANY];
    alien_path_node path_nodes[ALIEN_MANY];
    alien_monster monsters[ALIEN_MANY];
    alien_pickup pickups[ALIEN_MANY];
    alien_box boxes[ALIEN_MANY];
    alien_door doors[ALIEN_MANY];
    alien_lift lifts[ALIEN_MANY];
    alien_trigger triggers[ALIEN_MANY];
    alien_command commands[ALIEN_MANY];
    alien_light lights[ALIEN_MANY];
    alien_animator animators[ALIEN_MANY];
    alien_word words[ALIEN_MANY];
    alien_model models[8];
    alien_section sections[8];
    uint16_t vertex_count, quad_count, columns, rows, monster_count, pickup_count, box_count, door_count,
        lift_count, animator_count, word_count;
    uint8_t path_node_count, light_count, trigger_count, command_count;
    uint16_t start_x, start_y, start_angle, enemy_mask, vent_mask;
    size_t model_count, section_count;
    bool no_map;
    int32_t form_size_bias; /* added to the container's size */
    const void *trailing;   /* after the container */
    size_t trailing_size;
} alien_level;

/* ---- making one --------------------------------------------------------------------------------- */

int32_t alien_add_vertex(alien_level *l, int16_t x, int16_t y, int16_t z);

/* A quad with its own vertices. */
alien_quad *alien_add_quad(alien_level *l, const int16_t corners[4][3], uint16_t texture, uint8_t draw_flags,
                           uint8_t light);

void alien_end_quads(alien_level *l);

alien_cell *alien_cell_at(alien_level *l, unsigned x, unsigned y);

/*
 * Four by three cells, of which two are open:
 *     . . . .       (1, 1): floor at 0, ceiling at 1024; the player, a face hugger, a barrel, a switch
 *     . A B .       (2, 1): floor at 128, ceiling at 1024; a warrior drone, a medi kit, a door, a lift
 *     . . . .
 * Seen from above, +X to the right and +Z down; cell (1, 1) is x -512..0, z -256..256.
 * Quads: 0 floor of A, 1 ceiling of A, 2 wall of A at x = -512 that faces +X; 3 floor of B, mirrored; 4
 * ceiling of B; 5 a triangle; 6 an animated panel at x = 512 that faces -X; 7 the terminator. Trigger 1 (cell
 * A) opens door 0 and switches light 2; trigger 2 (cell B) ends the level.
 */
void alien_small(alien_level *l);

/* ---- writing ------------------------------------------------------------------------------------ */

/* "name", u32 size in the container's order. */
void begin_section(writer *w, const char *name);
void end_section(writer *w);

#define ALIEN_FIELD(name, put_one, value)                                                                    \
    do {                                                                                                     \
        at(w, "%s.%s", path, (name));                                                                        \
        put_one(w, (value));                                                                                 \
    } while (0)

void put_alien_bytes(writer *w, const char *path, const char *name, const uint8_t *bytes, size_t size);

/* unknown_08 = {..} as unknown_08, unknown_09, ... */
void put_alien_unknown(writer *w, const char *path, unsigned first, const uint8_t *bytes, unsigned count);

/* Signed numbers are marked as spans. */
void put_alien_signed(writer *w, const char *path, const char *name, unsigned width, int32_t value);

void put_alien_vertices(writer *w, const char *list, const alien_vertex *v, size_t count);

/* A model's quads have a kind and an unknown byte in place of a level's draw flags and light. */
void put_alien_quads(writer *w, const char *list, const alien_quad *q, size_t count, bool of_model);

/* Two bytes that are swapped like a word in big-endian files: `low` is its low byte. */
void put_alien_pair(writer *w, const char *low_name, uint8_t low, const char *high_name, uint8_t high);

void put_alien_header(writer *w, const alien_level *l);

void put_alien_cells(writer *w, const alien_level *l);

void put_alien_things(writer *w, const alien_level *l);

void put_alien_switches(writer *w, const alien_level *l);

void put_alien_model(writer *w, const alien_model *m, const char *path);

void put_alien_sections(writer *w, const alien_section *sections, size_t count, bool in_front);

void begin_form(writer *w, const char *type);
void end_form(writer *w, int32_t more, const void *trailing, size_t trailing_size);

/* Writes the file to an empty writer. */
void write_alien_level(writer *w, const alien_level *l, bool big);

/* ---- texture files ------------------------------------------------------------------------------ */

typedef struct alien_rectangle {
    uint8_t x, y, width_minus_1, height_minus_1, page, unknown_05;
} alien_rectangle;

typedef struct alien_page {
    uint8_t *pixels; /* `size` of them */
    size_t size;
    uint16_t palette_header[2], palette[256];
    alien_rectangle rectangles[8];
    uint16_t rectangle_count;
    bool no_pixels, no_palette, no_rectangles;
} alien_page;

typedef struct alien_textures {
    uint16_t information[8];
    bool no_information;
    alien_page pages[4];
    size_t page_count;
    alien_section sections[4];
    size_t section_count;
    int32_t form_size_bias;
    const void *trailing;
    size_t trailing_size;
} alien_textures;

/* 0x1F is red, 0x3E0 green, 0x7C00 blue. */
uint16_t alien_color(unsigned r, unsigned g, unsigned b);

/*
 * Two pages of 256 x 256, without findings. Pixel (x, y) of page 0 has index (x + 3 * y) %
 * 256, of page 1 index (x ^ y) % 256. Palettes: index i of page p is (i % 32, i / 8, p ? 31 : 3), index 0
 * magenta. Textures: 0 (page 0) at (0, 0) 32 x 32, 1 at (32, 0) 32 x 16, 2 at (64, 8) 8 x 8; 3 (page 1) at
 * (0, 64) 64 x 32, 4 (page 0 in the list of page 1) at (128, 128) 16 x 16.
 */
void alien_small_textures(alien_textures *t);

void alien_textures_free(alien_textures *t);

void write_alien_textures(writer *w, const alien_textures *t, bool big);

#endif
