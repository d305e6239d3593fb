/* SPDX-License-Identifier: MIT */
/* Tables that describe a block's image. Sources: public descriptions, corrected by measurements on retail
 * blocks. */
#include "../../../schema/words.h"
#include "block.h"

/* context variables */
enum { R_FORM = 1, R_LIST_FORM, R_TEXCOORDS, R_OPCODE, R_OP, R_PRESENT, R_GROUPS };

#define MANY(prefix_kind, r)                                                                                 \
    .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = (prefix_kind), .record = &(r)
#define EIGHTHS .unit = "1/8"
#define DEFINE(variable, number, label, ...)                                                                 \
    const mst_record variable##_record = {.name = label,                                                     \
                                          .index = number,                                                   \
                                          .fields = variable##_fields,                                       \
                                          .field_count = MST_COUNT_OF(variable##_fields),                    \
                                          .doc = __VA_ARGS__}
#define ENUM(variable) const mst_enum variable = {variable##_items, MST_COUNT_OF(variable##_items)}

static const mst_enum_name mst_sfa_opcodes_items[] = {
    {0, "nothing"},      {0x85, "quads"},          {0x8D, "quads_8d"},
    {0x95, "triangles"}, {0x9D, "triangle_strip"}, {0xA5, "triangle_fan"},
    {0xAD, "lines"},     {0xB5, "line_strip"},     {0xBD, "points"}};
ENUM(mst_sfa_opcodes);

static const mst_enum_name mst_sfa_ops_names_items[] = {{MST_SFA_OP_MATRICES_0, "matrices_0"},
                                                        {MST_SFA_OP_SHADER, "shader"},
                                                        {MST_SFA_OP_LIST, "list"},
                                                        {MST_SFA_OP_FORMAT, "format"},
                                                        {MST_SFA_OP_MATRICES, "matrices"}};
ENUM(mst_sfa_ops_names);

static const mst_enum_name mst_sfa_shader_flags_items[] = {{1, "hidden"},
                                                           {2, "fog"},
                                                           {3, "cull_back"},
                                                           {5, "sky_reflection"},
                                                           {6, "caustic"},
                                                           {7, "heat_shimmer"},
                                                           {8, "reflective"},
                                                           {10, "alpha_test"},
                                                           {13, "angle_limited"},
                                                           {14, "fur_4"},
                                                           {15, "fur_8"},
                                                           {16, "fur_16"},
                                                           {17, "streaming_video"},
                                                           {18, "indoor_outdoor_blend"},
                                                           {19, "unlit"},
                                                           {20, "decal"},
                                                           {29, "no_depth_write"},
                                                           {30, "force_blend"},
                                                           {31, "water"}};
ENUM(mst_sfa_shader_flags);

static const mst_enum_name mst_sfa_surfaces_items[] = {
    {0, "generic"},       {1, "grass"},   {2, "sand"},     {3, "snow"},    {8, "instant_death"},
    {9, "ice_platform"},  {0x0D, "ice"},  {0x0E, "water"}, {0x10, "gold"}, {0x12, "rough_stone"},
    {0x13, "magic_cave"}, {0x18, "wood"}, {0x19, "stone"}, {0x1A, "lava"}, {0x1B, "ice_wall"},
    {0x1D, "conveyor"},   {0x22, "metal"}};
ENUM(mst_sfa_surfaces);

/* ---- vertices and lists ------------------------------------------------------------------------- */

#define VERTEX_INDICES                                                                                       \
    {.name = "position", U16, REFERS({.target = "positions"})}, {                                            \
        .name = "color", U16, REFERS({.target = "colors"})                                                   \
    }
static const mst_field mst_sfa_vertex_0_fields[] = {VERTEX_INDICES};
DEFINE(mst_sfa_vertex_0, MST_SFA_I_VERTEX_0, "vertex_0", "a vertex without a texture");
static const mst_field mst_sfa_vertex_1_fields[] = {
    VERTEX_INDICES, {.name = "texcoord", U16, REFERS({.target = "texcoords"})}};
DEFINE(mst_sfa_vertex_1, MST_SFA_I_VERTEX_1, "vertex", "a vertex");
static const mst_field mst_sfa_vertex_2_fields[] = {
    VERTEX_INDICES,
    {.name = "texcoord", U16, REFERS({.target = "texcoords"}), .doc = "For the first layer."},
    {.name = "texcoord_1", U16, REFERS({.target = "texcoords"}), .doc = "For the second layer."}};
DEFINE(mst_sfa_vertex_2, MST_SFA_I_VERTEX_2, "vertex_2", "a vertex with two layers of texture");

#define VERTICES(of, count_)                                                                                 \
    {                                                                                                        \
        .name = "vertices", MANY(MST_KIND_U16, of), .when = {                                                \
            {MST_NOT_EQUAL, R_OPCODE, 0},                                                                    \
            {MST_EQUAL, R_TEXCOORDS, (count_)}                                                               \
        }                                                                                                    \
    }
static const mst_field mst_sfa_command_fields[] = {
    {.name = "opcode",
     U8,
     .names = &mst_sfa_opcodes,
     BIND(R_OPCODE),
     .doc = "The primitive type, in vertex format 5; 0: no operation."},
    VERTICES(mst_sfa_vertex_0_record, 0),
    VERTICES(mst_sfa_vertex_1_record, 1),
    VERTICES(mst_sfa_vertex_2_record, 2),
};
DEFINE(mst_sfa_command, MST_SFA_I_COMMAND, "command",
       "a command of a display list: primitives whose front faces are clockwise");

static const mst_field mst_sfa_list_fields[] = {
    {.name = "bounds_min",
     I16,
     FIXED(3),
     EIGHTHS,
     .doc = "Lowest x, y, z of the list's vertices, without y_offset."},
    {.name = "bounds_max", I16, FIXED(3), EIGHTHS, .doc = "Highest x, y, z."},
    {.name = "flags", U8},
    {.name = "shader",
     U8,
     REFERS({.target = "shaders", .code = "SFA-SHADER-INDEX"}),
     .doc = "The shader that the stream selects for the list."},
    {.name = "shader_bit_address", U16, .doc = "Bit of the stream at which the list's shader op begins."},
    {.name = "matrix_bit_address", U16, .doc = "Bit at which its matrices op begins."},
    {.name = "sort_layer", U8},
    {.name = "unknown_19", .kind = MST_KIND_RAW, FIXED(3)},
    {.name = "form", U8, BIND(R_LIST_FORM), .doc = "0: commands; 1: raw data of a list that is not drawn."},
    {.name = "texcoord_count",
     U8,
     BIND(R_TEXCOORDS),
     IF(IS_NOT(R_LIST_FORM, 1)),
     .doc = "Texcoords per vertex, 0 to 2: the shader's layers; 1 for water and without a shader."},
    {.name = "commands", MANY(MST_KIND_U32, mst_sfa_command_record), IF(IS_NOT(R_LIST_FORM, 1))},
    {.name = "data", BYTES, IF(IS(R_LIST_FORM, 1))},
};
DEFINE(mst_sfa_list, MST_SFA_I_LIST, "list", "a display list");

static const mst_field mst_sfa_position_fields[] = {{.name = "position", I16, FIXED(3), EIGHTHS}};
DEFINE(mst_sfa_position, MST_SFA_I_POSITION, "position", "x, y, z within the block, without y_offset",
       .is_inline = true);
static const mst_field mst_sfa_texcoord_fields[] = {{.name = "texcoord", I16, FIXED(2), .unit = "1/256"}};
DEFINE(mst_sfa_texcoord, MST_SFA_I_TEXCOORD, "texcoord", "s and t; t points down", .is_inline = true);

/* ---- streams ------------------------------------------------------------------------------------ */

static const mst_field mst_sfa_op_fields[] = {
    {.name = "op", U8, .names = &mst_sfa_ops_names, BIND(R_OP)},
    {.name = "shader",
     U8,
     IF(IS(R_OP, MST_SFA_OP_SHADER)),
     REFERS({.target = "shaders", .code = "SFA-SHADER-INDEX"}),
     .doc = "Below 64."},
    {.name = "list", U8, IF(IS(R_OP, MST_SFA_OP_LIST)), REFERS({.target = "lists"})},
    {.name = "wide_position",
     U8,
     .flags = MST_FIELD_BOOL,
     IF(IS(R_OP, MST_SFA_OP_FORMAT)),
     .doc = "Indices have 16 bits instead of 8."},
    {.name = "wide_color", U8, .flags = MST_FIELD_BOOL, IF(IS(R_OP, MST_SFA_OP_FORMAT))},
    {.name = "wide_texcoord", U8, .flags = MST_FIELD_BOOL, IF(IS(R_OP, MST_SFA_OP_FORMAT))},
    {.name = "matrices",
     U8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     IF({MST_ONE_OF, R_OP, 1u << MST_SFA_OP_MATRICES_0 | 1u << MST_SFA_OP_MATRICES}),
     .doc = "At most 15."},
};
DEFINE(mst_sfa_op, MST_SFA_I_OP, "op", "a drawing operation; its effect lasts until the next of its kind");

static const mst_field mst_sfa_stream_fields[] = {
    {.name = "present", U8, .flags = MST_FIELD_BOOL, BIND(R_PRESENT)},
    {.name = "ops",
     MANY(MST_KIND_U32, mst_sfa_op_record),
     IF(IS(R_PRESENT, 1)),
     .doc = "Without the end op."},
    {.name = "unused_bits",
     U8,
     .flags = MST_FIELD_DEFAULT,
     IF(IS(R_PRESENT, 1)),
     .doc = "The bits above the end op in its last byte."},
    {.name = "tail",
     BYTES,
     .flags = MST_FIELD_OMIT_EMPTY,
     IF(IS(R_PRESENT, 1)),
     .doc = "Bytes after the end op."},
};
DEFINE(mst_sfa_stream, MST_SFA_I_STREAM, "stream", "the operations of a drawing pass");

/* ---- shaders ------------------------------------------------------------------------------------ */

static const mst_field mst_sfa_layer_fields[] = {
    {.name = "texture",
     I32,
     REFERS({.target = "textures", NO(0xFFFFFFFFu)}), /* block_check.c checks the layers in use */
     .doc = "-1: none."},
    {.name = "tev_mode",
     U8,
     .doc = "Low seven bits: 0 multiply, 9 blend below; bit 7 is set on first layers."},
    {.name = "material", U8, .doc = "Texture override."},
    {.name = "scroll", U8},
    {.name = "unknown_7", U8},
};
DEFINE(mst_sfa_layer, MST_SFA_I_LAYER, "layer", "a texture of a shader");

static const mst_field mst_sfa_shader_fields[] = {
    {.name = "unknown_00", U32},
    {.name = "color", U8, FIXED(4)},
    {.name = "distortion_texture_1", I32},
    {.name = "distortion_alpha_1", U8},
    {.name = "unknown_0D", .kind = MST_KIND_RAW, FIXED(3)},
    {.name = "unknown_10", U32},
    {.name = "distortion_texture_2", I32},
    {.name = "texture_18", I32},
    {.name = "unknown_1C", I32},
    {.name = "distortion_slot", U8},
    {.name = "unknown_21", U8},
    {.name = "distortion_alpha_2", U8},
    {.name = "unknown_23", U8},
    {.name = "layers", .kind = MST_KIND_RECORD, FIXED(2), .record = &mst_sfa_layer_record},
    {.name = "auxiliary_texture", I32, .doc = "For reflection, or a second image; -1: none."},
    {.name = "indirect_texture", I32, .doc = "For fur or bumps; -1: none."},
    {.name = "flags", U32, .flags = MST_FIELD_FLAGS, .names = &mst_sfa_shader_flags},
    {.name = "attributes", U8, .doc = "Vertex attributes: bit 0 normals, bit 1 colours."},
    {.name = "layer_count", U8, .doc = "0 to 2."},
    {.name = "environment_map", U8},
    {.name = "alpha", U8},
};
DEFINE(mst_sfa_shader, MST_SFA_I_SHADER, "shader", "a material");

/* ---- collision ---------------------------------------------------------------------------------- */

static const mst_field mst_sfa_group_fields[] = {
    {.name = "first_polygon", U16, REFERS({.target = "polygons", .end_is_none = true})},
    {.name = "x_min", I16, .doc = "Bounding box of the group's polygons, in units rounded down."},
    {.name = "x_max", I16},
    {.name = "y_min", I16, .doc = "Without y_offset."},
    {.name = "y_max", I16},
    {.name = "z_min", I16},
    {.name = "z_max", I16},
    {.name = "unknown_0E", U16},
    {.name = "unknown_10", U8},
    {.name = "surface", U8, .names = &mst_sfa_surfaces},
    {.name = "flags", U16, .doc = "4: common; 0x10 without 4: floor tests skip the group."},
};
DEFINE(mst_sfa_group, MST_SFA_I_GROUP, "polygon_group",
       "collision polygons with one surface: from first_polygon up to that of the next group");

static const mst_field mst_sfa_polygon_fields[] = {
    {.name = "vertices", U16, FIXED(3), REFERS({.target = "positions"}), .doc = "Counter-clockwise."},
    {.name = "sub_blocks",
     U16,
     .doc = "The strips of 80 units that it touches, a bit each: low byte x, high byte z."},
};
DEFINE(mst_sfa_polygon, MST_SFA_I_POLYGON, "polygon", "a collision triangle");

/* ---- the block ---------------------------------------------------------------------------------- */

#define DECODED     IF(IS_NOT(R_FORM, 1))
#define IF_GROUPS   .when = {{MST_NOT_EQUAL, R_FORM, 1}, {MST_EQUAL, R_GROUPS, 1}}
#define RAW_WORD(n) .kind = MST_KIND_RAW, FIXED(n)
static const mst_field mst_sfa_block_fields[] = {
    {.name = "form",
     U8,
     BIND(R_FORM),
     .flags = MST_FIELD_DEFAULT,
     .doc = "0: decoded; 1: raw bytes that cannot be decoded."},
    {.name = "unused_00", U32, DECODED},
    {.name = "flags", U16, DECODED, .doc = "8 in retail blocks."},
    {.name = "unknown_06", U16, DECODED},
    {.name = "matrix", F32, FIXED(12), DECODED},
    {.name = "unknown_3C", RAW_WORD(16), DECODED},
    {.name = "line_hits", U32, DECODED},
    {.name = "hits", U32, DECODED},
    {.name = "unknown_74", U32, DECODED},
    {.name = "y_min", I16, DECODED, .doc = "Lowest y of the groups, plus y_offset, in units."},
    {.name = "y_max", I16, DECODED, .doc = "Highest y, likewise."},
    {.name = "y_offset", I16, DECODED, .doc = "Added to every y, in units."},
    {.name = "unknown_92", U16, DECODED},
    {.name = "hit_count", U16, DECODED},
    {.name = "unknown_9E", U16, DECODED},
    {.name = "unknown_A3", U8, DECODED},
    {.name = "name", .kind = MST_KIND_CHAR8, FIXED(20), DECODED, .doc = "mod<file number>.<sub>"},
    {.name = "lists", MANY(MST_KIND_U8, mst_sfa_list_record), DECODED},
    {.name = "positions", MANY(MST_KIND_U16, mst_sfa_position_record), DECODED},
    {.name = "colors",
     U16,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U16,
     DECODED,
     .doc = "RGBA, four bits each."},
    {.name = "texcoords", MANY(MST_KIND_U16, mst_sfa_texcoord_record), DECODED},
    {.name = "streams",
     .kind = MST_KIND_RECORD,
     FIXED(MST_SFA_STREAMS),
     .record = &mst_sfa_stream_record,
     DECODED,
     .doc = "Passes: opaque, transparent, water."},
    {.name = "textures",
     U32,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     DECODED,
     .doc = "Entries of TEX1 of the block's directory."},
    {.name = "shaders", MANY(MST_KIND_U8, mst_sfa_shader_record), DECODED},
    {.name = "has_polygon_groups",
     U8,
     BIND(R_GROUPS),
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .initial = 1,
     DECODED},
    {.name = "polygon_groups", MANY(MST_KIND_U16, mst_sfa_group_record), IF_GROUPS},
    {.name = "polygon_sentinel",
     .kind = MST_KIND_RECORD,
     .record = &mst_sfa_group_record,
     IF_GROUPS,
     .doc = "After the last group; first_polygon is the number of polygons."},
    {.name = "polygons", MANY(MST_KIND_U16, mst_sfa_polygon_record), DECODED},
    {.name = "original",
     BYTES,
     .flags = MST_FIELD_OMIT_EMPTY,
     DECODED,
     .doc = "The original block, if its layout is unusual: values are written back into a copy of it."},
    {.name = "data", BYTES, IF(IS(R_FORM, 1))},
};
DEFINE(mst_sfa_block, MST_SFA_I_BLOCK, "block", "a model of 640 x 640 units");
