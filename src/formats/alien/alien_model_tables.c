/* SPDX-License-Identifier: MIT */
/* Tables of models: doors and lifts in levels, and models in separate files. */
#include "../../core/bytes.h"
#include "sections.h"
#include <string.h>

enum { R_VERTICES = 1, R_QUADS }; /* context variables */
#define ZERO .flags = MST_FIELD_DEFAULT, .rule = {.kind = MST_RULE_ZERO, .code = "ALIEN-NONZERO"}

static const mst_enum_name model_ends[] = {{7, "last_of_model"}};

/* The last two bytes are one word in the game's program; its upper byte is 0 in all known models. */
static const mst_field model_quad_fields[] = {
    {.name = "vertices",
     I32,
     FIXED(4),
     REFERS({.target = "vertices", NO(0xFFFFFFFFu), .none_from = 3, .code = "ALIEN-QUAD-VERTEX"}),
     .doc = "The model's vertices at its corners; the fourth is -1 in a triangle."},
    {.name = "texture",
     U16,
     .doc = "Index into all rectangles of the texture file: the level's, or the models'."},
    {.name = "kind",
     U8,
     .flags = MST_FIELD_FLAGS | MST_FIELD_BESIDE,
     NAMES(model_ends),
     .range = "0 and 1 plain, 11 mirrored texture, all others a triangle's texture; and the flag",
     .doc = "The orientation of the texture on the quad. The flag last_of_model marks the last quad: the "
            "game draws up to it and ignores the count."},
    {.name = "unknown_13",
     U8,
     .flags = MST_FIELD_DEFAULT,
     .doc = "Not known; 0 in all known models. The game gives every quad of a model light number 10."},
};
const mst_record mst_alien_model_quad = {.name = "model_quad",
                                         .index = 1,
                                         .fields = model_quad_fields,
                                         .field_count = MST_COUNT_OF(model_quad_fields),
                                         .doc = "a face of a model"};

/* Unlike in a level's vertices, the last word is sometimes 127. */
static const mst_field model_vertex_fields[] = {
    {.name = "x", I16, .unit = "1/256 m", .doc = "From the model's origin, to the right."},
    {.name = "y", I16, .unit = "1/256 m", .doc = "Up."},
    {.name = "z", I16, .unit = "1/256 m", .doc = "From the model's origin."},
    {.name = "unknown_06", U16, .flags = MST_FIELD_DEFAULT, .doc = "Not known; 0, sometimes 127."},
};
const mst_record mst_alien_model_vertex = {.name = "model_vertex",
                                           .index = 2,
                                           .fields = model_vertex_fields,
                                           .field_count = MST_COUNT_OF(model_vertex_fields),
                                           .doc = "a corner of a model's quads"};

static const mst_field model_fields[] = {
    MST_ALIEN_SECTION_HEADER,
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "OBJ1"},
    {.name = "unknown_04", U32, ZERO, .doc = "Not known; 0."},
    {.name = "unknown_08",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = 0x005A606Cu,
     .doc = "Not known; always the same number, which is kept."},
    {.name = "quad_count", U32, LENGTH_OF("quads", R_QUADS)},
    {.name = "vertex_count", U32, LENGTH_OF("vertices", R_VERTICES)},
    {.name = "quads",
     COUNTED(mst_alien_model_quad, R_QUADS),
     .doc = "Without a terminator: the last one has a mark."},
    {.name = "vertices", COUNTED(mst_alien_model_vertex, R_VERTICES), .doc = "Corners of its quads."},
};
const mst_record mst_alien_model = {.name = "model",
                                    .index = 3,
                                    .fields = model_fields,
                                    .field_count = MST_COUNT_OF(model_fields),
                                    .doc = "the model of a door, lift, box or other object"};

bool mst_alien_accepts_model(const uint8_t *content, uint64_t size, bool big) {
    return size >= 20 && memcmp(content, "OBJ1", 4) == 0 &&
           20 + (uint64_t)mst_load32(content + 12, big) * 20 + (uint64_t)mst_load32(content + 16, big) * 8 ==
               size;
}
