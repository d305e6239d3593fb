/* SPDX-License-Identifier: MIT */
/* Tables that describe a block's image. Sources: public descriptions, corrected by measurements on retail
 * blocks. */
#include "../../../tables/words.h"
#include "block.h"

/* context variables */
enum { R_FORM = 1, R_LIST_FORM, R_TEXCOORDS, R_OPCODE, R_OP, R_PRESENT, R_GROUPS };

#define MANY(prefix_kind, r)                                                                                 \
    .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = (prefix_kind), .record = &(r)
#define EIGHTHS .unit = "1/8"
#define DEFINE(variable, label, ...)                                                                         \
    const mst_record variable##_record = {.name = label,                                                     \
                                          .index = I_##variable,                                             \
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
    {.name = "position", U16, REFERS({.target = "positions", .owner = "commands"})}, {                       \
        .name = "color", U16, REFERS({.target = "colors", .owner = "commands"})                              \
    }
static const mst_field mst_sfa_vertex_0_fields[] = {VERTEX_INDICES};
DEFINE(mst_sfa_vertex_0, "vertex_0", "a vertex without a texture");
static const mst_field mst_sfa_vertex_1_fields[] = {
    VERTEX_INDICES, {.name = "texcoord", U16, REFERS({.target = "texcoords", .owner = "commands"})}};
DEFINE(mst_sfa_vertex_1, "vertex", "a vertex");
static const mst_field mst_sfa_vertex_2_fields[] = {VERTEX_INDICES,
                                                    {.name = "texcoord",
                                                     U16,
                                                     REFERS({.target = "texcoords", .owner = "commands"}),
                                                     .doc = "For the first layer."},
                                                    {.name = "texcoord_1",
                                                     U16,
                                                     REFERS({.target = "texcoords", .owner = "commands"}),
                                                     .doc = "For the second layer."}};
DEFINE(mst_sfa_vertex_2, "vertex_2", "a vertex with two layers of texture");

#define VERTICES(of, count_)                                                                                 \
    {                                                                                                        \
        .name = "vertices", MANY(MST_KIND_U16, of),                                                          \
        .when = {{MST_NOT_EQUAL, R_OPCODE, 0}, {MST_EQUAL, R_TEXCOORDS, (count_)}},                          \
        .doc = "The corners of the primitives, in the order that the opcode wants; all of the list have as " \
               "many texcoords."                                                                             \
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
DEFINE(mst_sfa_command, "command", "a command of a display list: primitives whose front faces are clockwise");

static const mst_field mst_sfa_list_fields[] = {
    {.name = "bounds_min",
     I16,
     FIXED(3),
     EIGHTHS,
     .doc = "Lowest x, y, z of the list's vertices, without y_offset."},
    {.name = "bounds_max", I16, FIXED(3), EIGHTHS, .doc = "Highest x, y, z."},
    {.name = "flags", U8, .doc = "Set while the game runs; 0 in files."},
    {.name = "shader",
     U8,
     REFERS({.target = "shaders", .code = "SFA-SHADER-INDEX"}),
     .doc = "The shader that the stream selects for the list."},
    {.name = "shader_bit_address",
     U16,
     .doc =
         "Where the `shader` op that the list is drawn with begins, in bits from the start of its stream."},
    {.name = "matrix_bit_address", U16, .doc = "Where its `matrices` op begins, likewise."},
    {.name = "sort_layer", U8, .doc = "7 in the game's blocks; its use by the game is not known."},
    {.name = "unknown_19", .kind = MST_KIND_RAW, FIXED(3), .doc = "Not known; 0 in the game's blocks."},
    {.name = "form",
     U8,
     BIND(R_LIST_FORM),
     .doc = "0: commands; 1: raw data of a list that cannot be divided into commands."},
    {.name = "texcoord_count",
     U8,
     BIND(R_TEXCOORDS),
     IF(IS_NOT(R_LIST_FORM, 1)),
     .doc = "Texcoords per vertex, 0 to 2: the shader's layers; 1 for water and without a shader."},
    {.name = "commands",
     MANY(MST_KIND_U32, mst_sfa_command_record),
     IF(IS_NOT(R_LIST_FORM, 1)),
     .doc = "The drawing commands, without the zeros at the end."},
    {.name = "data", BYTES, IF(IS(R_LIST_FORM, 1)), .doc = "The list's unparsed data."},
};
DEFINE(mst_sfa_list, "list", "a display list");

static const mst_field mst_sfa_position_fields[] = {
    {.name = "position",
     I16,
     FIXED(3),
     EIGHTHS,
     .doc = "The number in the file is eight times the coordinate."}};
DEFINE(mst_sfa_position, "position", "x, y, z within the block, without y_offset", .is_inline = true);
static const mst_field mst_sfa_texcoord_fields[] = {
    {.name = "texcoord", I16, FIXED(2), .unit = "1/256", .doc = "1 is a whole texture."}};
DEFINE(mst_sfa_texcoord, "texcoord", "s and t; t points down", .is_inline = true);

/* ---- streams ------------------------------------------------------------------------------------ */

static const mst_field mst_sfa_op_fields[] = {
    {.name = "op",
     U8,
     .names = &mst_sfa_ops_names,
     BIND(R_OP),
     .doc = "The kind of the op; 4 bits in the file."},
    {.name = "shader",
     U8,
     IF(IS(R_OP, MST_SFA_OP_SHADER)),
     REFERS({.target = "shaders", .code = "SFA-SHADER-INDEX"}),
     .doc = "Selects a shader; 6 bits in the file."},
    {.name = "list",
     U8,
     IF(IS(R_OP, MST_SFA_OP_LIST)),
     REFERS({.target = "lists"}),
     .doc = "Draws the list, unless its shader is `hidden`."},
    {.name = "wide_position",
     U8,
     .flags = MST_FIELD_BOOL,
     IF(IS(R_OP, MST_SFA_OP_FORMAT)),
     .doc = "Indices of positions have 16 bits instead of 8."},
    {.name = "wide_color",
     U8,
     .flags = MST_FIELD_BOOL,
     IF(IS(R_OP, MST_SFA_OP_FORMAT)),
     .doc = "Indices of colors have 16 bits."},
    {.name = "wide_texcoord",
     U8,
     .flags = MST_FIELD_BOOL,
     IF(IS(R_OP, MST_SFA_OP_FORMAT)),
     .doc = "Indices of texcoords have 16 bits."},
    {.name = "matrices",
     U8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     IF({MST_ONE_OF, R_OP, 1u << MST_SFA_OP_MATRICES_0 | 1u << MST_SFA_OP_MATRICES}),
     .doc =
         "At most 15 numbers of matrices, which blocks do not use: the game's have one 0 before each list."},
};
DEFINE(mst_sfa_op, "op", "a drawing operation; its effect lasts until the next of its kind");

static const mst_field mst_sfa_stream_fields[] = {
    {.name = "present",
     U8,
     .flags = MST_FIELD_BOOL,
     BIND(R_PRESENT),
     .doc = "Whether the block has this stream: its offset is not 0."},
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
DEFINE(mst_sfa_stream, "stream", "the operations of a drawing pass");

/* ---- shaders ------------------------------------------------------------------------------------ */

static const mst_field mst_sfa_layer_fields[] = {
    {.name = "texture",
     I32,
     REFERS({.target = "textures", NO(0xFFFFFFFFu)}),
     .doc = "Layers from layer_count on are not used; the game's blocks have 0 there."},
    {.name = "tev_mode",
     U8,
     .doc = "How the layer is combined with the previous layers. Low seven bits: 0 multiply, 9 blend below; "
            "others occur in models of characters. Bit 7 is set on the only layer of shaders with one layer; "
            "its effect is not known."},
    {.name = "material", U8, .doc = "Id by which the game can replace the texture; 0 in the game's blocks."},
    {.name = "scroll",
     U8,
     .doc = "The game sets it to 255 when it loads the block; the value in the file has no effect."},
    {.name = "unknown_7", U8, .doc = "Not known; 0 in the game's blocks."},
};
DEFINE(mst_sfa_layer, "layer", "a texture of a shader");

static const mst_field mst_sfa_shader_fields[] = {
    {.name = "unknown_00", U32, .doc = "Not known; 0x000000FF in the game's blocks."},
    {.name = "color",
     U8,
     FIXED(4),
     .doc = "Red, green, blue, alpha; all 255 in the game's blocks, so its use by the game is not known."},
    {.name = "distortion_texture_1",
     I32,
     .doc = "Of a distortion effect; 0 in the game's blocks, and its unit is not known."},
    {.name = "distortion_alpha_1", U8, .doc = "Alpha of that effect; 255 in the game's blocks."},
    {.name = "unknown_0D", .kind = MST_KIND_RAW, FIXED(3), .doc = "Not known; 0 in the game's blocks."},
    {.name = "unknown_10", U32, .doc = "Not known; 0xFFFFFFFF in the game's blocks."},
    {.name = "distortion_texture_2",
     I32,
     .doc = "Of a second distortion effect; 0 in the game's blocks, and its unit is not known."},
    {.name = "texture_18", I32, .doc = "A texture whose use is not known; 0 in the game's blocks."},
    {.name = "unknown_1C", I32, .doc = "Not known; -1 in the game's blocks."},
    {.name = "distortion_slot",
     U8,
     .doc = "Of the distortion effects; 0 in the game's blocks, and its meaning is not known."},
    {.name = "unknown_21", U8, .doc = "Not known; 0 in the game's blocks."},
    {.name = "distortion_alpha_2", U8, .doc = "Alpha of the second effect; 0 in the game's blocks."},
    {.name = "unknown_23", U8, .doc = "Not known; 0 in the game's blocks."},
    {.name = "layers",
     .kind = MST_KIND_RECORD,
     FIXED(2),
     .record = &mst_sfa_layer_record,
     .doc = "The textures; the first layer_count of them are used."},
    {.name = "auxiliary_texture",
     I32,
     .doc = "Index of the texture for reflection, or of a second image; -1: none."},
    {.name = "indirect_texture", I32, .doc = "Index of the texture for fur or bumps; -1: none."},
    {.name = "flags",
     U32,
     .flags = MST_FIELD_FLAGS,
     .names = &mst_sfa_shader_flags,
     .doc = "How the material is drawn; bit 0 is the lowest. Bits without a name are not known; bit 4 is "
            "often set."},
    {.name = "attributes",
     U8,
     .doc = "The attributes of vertices, as readers interpret it: bit 0 normals (never in blocks), bit 1 "
            "colours. 6 in the game's blocks; bit 2 is not known. Vertices always have indices of colours."},
    {.name = "layer_count",
     U8,
     .doc = "Number of layers in use, 0 to 2, and of texcoords that a vertex has (1 with the flag `water`)."},
    {.name = "environment_map",
     U8,
     .doc = "0 in the game's blocks; which environment another number selects is not known."},
    {.name = "alpha", U8, .doc = "0 in the game's blocks; its use by the game is not known."},
};
DEFINE(mst_sfa_shader, "shader", "a material");

/* ---- collision ---------------------------------------------------------------------------------- */

static const mst_field mst_sfa_group_fields[] = {
    {.name = "first_polygon",
     U16,
     REFERS({.target = "polygons", .run = true, .end_is_none = true}),
     .doc = "The group has the polygons from here up to the first one of the next group; the sentinel has "
            "the number of polygons."},
    {.name = "x_min",
     I16,
     .doc = "Bounding box of the group's polygons, in units rounded down (the vertices' numbers shifted "
            "right by 3)."},
    {.name = "x_max", I16, .doc = "Highest x, also rounded down."},
    {.name = "y_min", I16, .doc = "Lowest y, without y_offset."},
    {.name = "y_max", I16, .doc = "Highest y, without y_offset."},
    {.name = "z_min", I16, .doc = "Lowest z."},
    {.name = "z_max", I16, .doc = "Highest z."},
    {.name = "unknown_0E", U16, .doc = "Not known; 0 in the game's blocks."},
    {.name = "unknown_10", U8, .doc = "Not known; 0 in the game's blocks."},
    {.name = "surface",
     U8,
     .names = &mst_sfa_surfaces,
     .doc = "The kind of ground: snow slows, ice is slippery, lava burns. The game also knows 6, 28, 31, 32 "
            "and 33; their meaning is not known."},
    {.name = "flags",
     U16,
     .doc = "Bit 2 (4): common. Bit 4 (0x10) without bit 2: tests for a floor skip the group. Others are not "
            "known."},
};
DEFINE(mst_sfa_group, "polygon_group",
       "collision polygons with one surface: from first_polygon up to the next group's");

static const mst_field mst_sfa_polygon_fields[] = {
    {.name = "vertices",
     U16,
     FIXED(3),
     REFERS({.target = "positions"}),
     .doc = "Counter-clockwise seen from above the ground: right-handed axes, y up."},
    {.name = "sub_blocks",
     U16,
     .doc = "The strips of 80 units that the polygon touches, borders included: bit k of the low byte for x, "
            "of the high byte for z, from 80 k to 80 (k + 1)."},
};
DEFINE(mst_sfa_polygon, "polygon", "a collision triangle");

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
    {.name = "unused_00", U32, DECODED, .doc = "0 in the game's blocks; not read."},
    {.name = "flags",
     U16,
     DECODED,
     .doc = "8 in the game's blocks; it switches bit 0 and clears bit 6 while it runs."},
    {.name = "unknown_06", U16, DECODED, .doc = "Not known; 0 in the game's blocks."},
    {.name = "matrix", F32, FIXED(12), DECODED, .doc = "0 in files; not known."},
    {.name = "unknown_3C", RAW_WORD(16), DECODED, .doc = "Not known; 0 in the game's blocks."},
    {.name = "line_hits", U32, DECODED, .doc = "0 in files; not read."},
    {.name = "hits", U32, DECODED, .doc = "0 in files: the game puts the lines of HITS.bin here."},
    {.name = "unknown_74", U32, DECODED, .doc = "Not known; 0 in the game's blocks."},
    {.name = "y_min", I16, .unit = "units", DECODED, .doc = "Lowest y of the polygon groups, plus y_offset."},
    {.name = "y_max",
     I16,
     .unit = "units",
     DECODED,
     .doc = "Highest y of the polygon groups, plus y_offset."},
    {.name = "y_offset",
     I16,
     .unit = "units",
     DECODED,
     .doc = "Added to every y of the block, of positions and groups."},
    {.name = "unknown_92", U16, DECODED, .doc = "Not known; 0 in the game's blocks."},
    {.name = "hit_count", U16, DECODED, .doc = "0 in files; not known."},
    {.name = "unknown_9E", U16, DECODED, .doc = "Not known; 0 in the game's blocks."},
    {.name = "unknown_A3", U8, DECODED, .doc = "Not known; 0 in the game's blocks."},
    {.name = "name",
     .kind = MST_KIND_CHAR8,
     FIXED(20),
     DECODED,
     .doc = "mod<file number>.<sub>, filled with zeros."},
    {.name = "lists",
     MANY(MST_KIND_U8, mst_sfa_list_record),
     DECODED,
     .doc = "Display lists, which streams draw."},
    {.name = "positions",
     MANY(MST_KIND_U16, mst_sfa_position_record),
     DECODED,
     .doc = "Corners of drawn primitives and of polygons."},
    {.name = "colors",
     U16,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U16,
     DECODED,
     .doc = "Red in the highest four bits, then green, blue, alpha."},
    {.name = "texcoords", MANY(MST_KIND_U16, mst_sfa_texcoord_record), DECODED, .doc = "Places in textures."},
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
    {.name = "shaders",
     MANY(MST_KIND_U8, mst_sfa_shader_record),
     DECODED,
     .doc = "Materials; a stream can select the first 64."},
    {.name = "has_polygon_groups",
     U8,
     BIND(R_GROUPS),
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .initial = 1,
     DECODED,
     .doc = "Whether the block has collision groups: their offset is not 0."},
    {.name = "polygon_groups",
     MANY(MST_KIND_U16, mst_sfa_group_record),
     IF_GROUPS,
     .doc = "Collision polygons by surface, without the sentinel."},
    {.name = "polygon_sentinel",
     .kind = MST_KIND_RECORD,
     .record = &mst_sfa_group_record,
     IF_GROUPS,
     .doc = "After the last group; first_polygon is the number of polygons."},
    {.name = "polygons",
     MANY(MST_KIND_U16, mst_sfa_polygon_record),
     DECODED,
     .doc = "Collision triangles, ordered by group."},
    {.name = "original",
     BYTES,
     .flags = MST_FIELD_OMIT_EMPTY,
     DECODED,
     .doc = "The original block, if it is laid out otherwise: values are written back into a copy of it."},
    {.name = "data", BYTES, IF(IS(R_FORM, 1)), .doc = "The unparsed block."},
};
DEFINE(mst_sfa_block, "block", "a model of 640 x 640 units");
