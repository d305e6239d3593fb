/* SPDX-License-Identifier: MIT */
/*
 * The tables of Star Fox Adventures against lists of their fields. Where files are parsed, counts stand in
 * front of lists and what serializing would lose is kept as `stored`; what records hold is as in the files.
 */
#include "fields.h"

#define SIZED      "Bytes after the size fields, up to the end of the record."
#define KEPT(name) name "; u32 n, n x bytes"
#define BANK_FILES KEPT("original_bin"), KEPT("original_tab")

/* How an entry is packed. */
#define WRAPPER                                                                                              \
    "size; u32; ; " SIZED, KEPT("original"),                                                                 \
        "wrapper; u8; ; 0 none, 1 zlb, 2 dir, 3 dirn, 4 lzo, 5 facefeed, 6 stored, 7 not_understood",        \
        "packing; u8; wrapper is one of 1 5; Usually 0. 0 retail, 1 modded",                                 \
        "version; u32; wrapper is one of 1 2 3 4 5; Usually 1.",                                             \
        "unknown_10; bytes[16]; wrapper is one of 2 3", "unknown_10; u32; wrapper is one of 5 6",            \
        "unknown_14; u32; wrapper is one of 5 6", "packed_size; u32; wrapper is 6",                          \
        "extra; u32 n, n x bytes; wrapper is one of 5 6",                                                    \
        "unpadded; bool (u8); wrapper is one of 1 2 3 5 6; Usually 0."

/* ---- small tables ------------------------------------------------------------------------------- */

#define TAIL "tail; bytes until the end"
static const char *const mapinfo[] = {
    "= maps",
    "maps; map, as many as fit",
    TAIL,
    "= map",
    "name; char[28]",
    "type; u8; ; 0 map, 1 sub_map, 2 special, 3 special_sub_map, 4 special_map",
    "unknown_1D; u8",
    "object_type; i16",
};
static const char *const globalma[] = {
    "= world",
    "placements; placement until the end marker",
    TAIL,
    "= placement",
    "grid_x; i16",
    "grid_z; i16",
    "layer; i16",
    "map; i16",
    "links; i16[2]",
};
static const char *const trkblk[] = {"= first_blocks", "first_blocks; u16 until the end marker",
                                     "end_mark; u16", TAIL};
static const char *const warptab[] = {
    "= warps", "warps; warp, as many as fit", TAIL, "= warp", "position; f32[3]", "layer; i16", "angle; i16"};
static const char *const objindex[] = {"= definitions", "definitions; i16, as many as fit", TAIL};
static const char *const textable[] = {"= textures", "textures; u16, as many as fit", TAIL};
static const char *const table[] = {"= table", "words; u32 until the end marker", TAIL};
static const char *const kept[] = {"= kept", "content; bytes until the end"};
static const char *const packed[] = {"= packed", WRAPPER, "content; bytes until the end; wrapper is not 7"};

/* ---- blocks ------------------------------------------------------------------------------------- */

#define UNDERSTOOD   "form is not 1"
#define PACKED_BLOCK "= packed_block", WRAPPER, "block; block; wrapper is not 7"
#define BLOCK                                                                                                \
    "= block", "form; u8; ; Usually 0.", "unused_00; u32; " UNDERSTOOD, "flags; u16; " UNDERSTOOD,           \
        "unknown_06; u16; " UNDERSTOOD, "matrix; f32[12]; " UNDERSTOOD,                                      \
        "unknown_3C; bytes[16]; " UNDERSTOOD, "line_hits; u32; " UNDERSTOOD, "hits; u32; " UNDERSTOOD,       \
        "unknown_74; u32; " UNDERSTOOD, "y_min; i16; " UNDERSTOOD, "y_max; i16; " UNDERSTOOD,                \
        "y_offset; i16; " UNDERSTOOD, "unknown_92; u16; " UNDERSTOOD, "hit_count; u16; " UNDERSTOOD,         \
        "unknown_9E; u16; " UNDERSTOOD, "unknown_A3; u8; " UNDERSTOOD, "name; char[20]; " UNDERSTOOD,        \
        "lists; u8 n, n x list; " UNDERSTOOD, "positions; u16 n, n x position; " UNDERSTOOD,                 \
        "colors; u16 n, n x u16; " UNDERSTOOD, "texcoords; u16 n, n x texcoord; " UNDERSTOOD,                \
        "streams; stream[3]; " UNDERSTOOD, "textures; u8 n, n x u32; " UNDERSTOOD,                           \
        "shaders; u8 n, n x shader; " UNDERSTOOD,                                                            \
        "has_polygon_groups; bool (u8); " UNDERSTOOD "; Usually 1.",                                         \
        "polygon_groups; u16 n, n x polygon_group; " UNDERSTOOD ", has_polygon_groups is 1",                 \
        "polygon_sentinel; polygon_group; " UNDERSTOOD ", has_polygon_groups is 1",                          \
        "polygons; u16 n, n x polygon; " UNDERSTOOD, "original; u32 n, n x bytes; " UNDERSTOOD,              \
        "data; u32 n, n x bytes; form is 1", "= list", "bounds_min; i16[3]", "bounds_max; i16[3]",           \
        "flags; u8", "shader; u8", "shader_bit_address; u16", "matrix_bit_address; u16", "sort_layer; u8",   \
        "unknown_19; bytes[3]", "form; u8", "texcoord_count; u8; " UNDERSTOOD,                               \
        "commands; u32 n, n x command; " UNDERSTOOD, "data; u32 n, n x bytes; form is 1", "= command",       \
        "opcode; u8; ; 0 nothing, 133 quads, 141 quads_8d, 149 triangles, 157 triangle_strip, "              \
        "165 triangle_fan, 173 lines, 181 line_strip, 189 points",                                           \
        "vertices; u16 n, n x vertex_0; opcode is not 0, texcoord_count is 0",                               \
        "vertices; u16 n, n x vertex; opcode is not 0, texcoord_count is 1",                                 \
        "vertices; u16 n, n x vertex_2; opcode is not 0, texcoord_count is 2", "= vertex_0",                 \
        "position; u16", "color; u16", "= vertex", "position; u16", "color; u16", "texcoord; u16",           \
        "= vertex_2", "position; u16", "color; u16", "texcoord; u16", "texcoord_1; u16",                     \
        "= position transparent", "position; i16[3]", "= texcoord transparent", "texcoord; i16[2]",          \
        "= stream", "present; bool (u8)", "ops; u32 n, n x op; present is 1",                                \
        "unused_bits; u8; present is 1; Usually 0.", "tail; u32 n, n x bytes; present is 1", "= op",         \
        "op; u8; ; 0 matrices_0, 1 shader, 2 list, 3 format, 4 matrices", "shader; u8; op is 1",             \
        "list; u8; op is 2", "wide_position; bool (u8); op is 3", "wide_color; bool (u8); op is 3",          \
        "wide_texcoord; bool (u8); op is 3", "matrices; u8 n, n x u8; op is one of 0 4", "= shader",         \
        "unknown_00; u32", "color; u8[4]", "distortion_texture_1; i32", "distortion_alpha_1; u8",            \
        "unknown_0D; bytes[3]", "unknown_10; u32", "distortion_texture_2; i32", "texture_18; i32",           \
        "unknown_1C; i32", "distortion_slot; u8", "unknown_21; u8", "distortion_alpha_2; u8",                \
        "unknown_23; u8", "layers; layer[2]", "auxiliary_texture; i32", "indirect_texture; i32",             \
        "flags; u32; ; Bits: 1 hidden, 2 fog, 3 cull_back, 5 sky_reflection, 6 caustic, 7 heat_shimmer, "    \
        "8 reflective, 10 alpha_test, 13 angle_limited, 14 fur_4, 15 fur_8, 16 fur_16, "                     \
        "17 streaming_video, 18 indoor_outdoor_blend, 19 unlit, 20 decal, 29 no_depth_write, "               \
        "30 force_blend, 31 water",                                                                          \
        "attributes; u8", "layer_count; u8", "environment_map; u8", "alpha; u8", "= layer", "texture; i32",  \
        "tev_mode; u8", "material; u8", "scroll; u8", "unknown_7; u8", "= polygon_group",                    \
        "first_polygon; u16", "x_min; i16", "x_max; i16", "y_min; i16", "y_max; i16", "z_min; i16",          \
        "z_max; i16", "unknown_0E; u16", "unknown_10; u8",                                                   \
        "surface; u8; ; 0 generic, 1 grass, 2 sand, 3 snow, 8 instant_death, 9 ice_platform, 13 ice, "       \
        "14 water, 16 gold, 18 rough_stone, 19 magic_cave, 24 wood, 25 stone, 26 lava, 27 ice_wall, "        \
        "29 conveyor, 34 metal",                                                                             \
        "flags; u16", "= polygon", "vertices; u16[3]", "sub_blocks; u16"

static const char *const blocks[] = {
    "= blocks",
    "blocks; u32 n, n x entry",
    BANK_FILES,
    BLOCK,
    PACKED_BLOCK,
    "= entry",
    "present; bool (u8)",
    "word; u32; present is 0; Usually 0.",
    "flags; u8; present is 1; Usually 16.",
    "packed; packed_block; present is 1",
};
static const char *const block[] = {PACKED_BLOCK, BLOCK};

/* ---- textures ----------------------------------------------------------------------------------- */

#define PICTURE "; wrapper is not 7, form is 0"
#define WRAPS   "0 clamp, 1 repeat, 2 mirror"
#define FILTERS "0 near, 1 linear, 2 near_mip_near, 3 linear_mip_near, 4 near_mip_linear, 5 linear_mip_linear"
#define TEXTURE                                                                                              \
    "= texture", WRAPPER, "form; u8; wrapper is not 7; Usually 0. 0 texture, 1 other",                       \
        "next; u32" PICTURE "; Usually 0.", "unknown_04; u32" PICTURE "; Usually 0.",                        \
        "x_offset; i16" PICTURE "; Usually 0.", "width; u16" PICTURE, "height; u16" PICTURE,                 \
        "usage; u16" PICTURE "; Usually 1.", "frame_count_8; u16" PICTURE,                                   \
        "unknown_12; u16" PICTURE "; Usually 0.", "frames_per_tick; u16" PICTURE "; Usually 0.",             \
        "format; u8" PICTURE "; 0 I4, 1 I8, 2 IA4, 3 IA8, 4 RGB565, 5 RGB5A3, 6 RGBA8, 8 C4, 9 C8, "         \
        "10 C14X2, 14 CMPR",                                                                                 \
        "wrap_s; u8" PICTURE "; " WRAPS, "wrap_t; u8" PICTURE "; " WRAPS,                                    \
        "min_filter; u8" PICTURE "; " FILTERS, "mag_filter; u8" PICTURE "; " FILTERS,                        \
        "unknown_1B; u8" PICTURE "; Usually 0.", "min_lod; u8" PICTURE, "max_lod; u8" PICTURE,               \
        "unknown_1E; u8[2]" PICTURE, "unknown_20; bytes[32]" PICTURE, "unknown_40; bytes[16]" PICTURE,       \
        "alpha_image_offset; u32" PICTURE "; Usually 0.", "unknown_54; bytes[12]" PICTURE,                   \
        "data; bytes until the end" PICTURE, "bytes; bytes until the end; wrapper is not 7, form is 1"

static const char *const textures[] = {
    "= textures",
    "textures; u32 n, n x entry",
    "closing_flags; u8; ; Usually 0.",
    "sum; u8; ; Usually 0. 0 right, 1 wrong, 2 none",
    "sum_stored; u32; sum is 1",
    BANK_FILES,
    TEXTURE,
    "= entry",
    "present; bool (u8)",
    "word; u32; present is 0; Usually 16777216.",
    "flags; u8; present is 1",
    "frames; u32 n, n x texture; present is 1",
};
static const char *const texture[] = {TEXTURE};

/* ---- objects ------------------------------------------------------------------------------------ */

#define CURVES "type is 0x6E"
#define OTHERS "type is not 0x6E"
static const char *const romlist[] = {
    "= list",
    WRAPPER,
    "objects; object until the end; wrapper is not 7",
    "= object",
    "type; i16; ; 2 SH_newseqob, 5 checkpoint4, 8 XYZAnimator, ..., 2180 OFPclawOnly, 2185 WC_LandingP",
    "size_words; u8; ; " SIZED " In units of 4 bytes. Includes 3 more bytes.",
    "walk_group; u8; " CURVES,
    "link_walk_groups; u8[4]; " CURVES,
    "acts_0; u8; " OTHERS,
    "load_flags; u8; " OTHERS "; 1 level_object, 2 manual, 4 near_player, 8 by_code, 16 grouped, "
    "32 block_object",
    "acts_1; u8; " OTHERS,
    "bound; u8; " OTHERS,
    "cull_distance; u8; " OTHERS,
    "position; f32[3]",
    "id; u32",
    "parameters; curve; type is 0x6E",
    "parameters; tricky_warp; type is 0x31C",
    "parameters; trigger; type is 0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x54, 0x230",
    "parameters; glow_source; type is 0x6E8, 0x7A8, 0x853",
    "parameters; arwing_enemy; type is 0x617, 0x6D5, 0x7F0",
    "parameters; arwing_mine; type is 0x671",
    "parameters; large_crate; type is 0x49F",
    "parameters; small_basket; type is 0x3CF",
    "parameters; hit_animator; type is 0x24F",
    "parameters; tree; type is 0x39, 0x70C, 0x70D, 0x70E",
    "parameters; grass; type is 0x30, 0x5D0, 0x634, 0x6B3, 0x6C8, 0x6C9, 0x868",
    "parameters; setup_point; type is 0xD",
    "parameters; texture_scroll; type is 0x14",
    "parameters; magic_plant; type is 0x2C0",
    "parameters; effect_emitter; type is 0xD4",
    "parameters; checkpoint; type is 0x5",
    "parameters; enemy_interest; type is 0x787",
    "parameters; blue_mushroom; type is 0x6A",
    "parameters; dust_source; type is 0x802",
    "parameters; side_repel; type is 0x5E7",
    "parameters; side_load; type is 0x75",
    "parameters; river_flow; type is 0x7B",
    "parameters; point_light; type is 0x61B",
    "parameters; projected_light; type is 0x61D",
    "parameters; lava_pool; type is 0x559",
    "parameters; fire_hole; type is 0x710",
    "parameters; wall_torch; type is 0x178",
    "parameters; fuel_cell; type is 0x176",
    "parameters; sound_player; type is 0x285",
    "parameters; crater_flame; type is 0x63",
    "parameters; bytes until the end; type is 0x0, 0x1, 0x2, 0x3, 0x4, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, "
    "0xE, 0xF, 0x10, 0x11, ...",
    "unknown_tail; bytes until the end; type is not 0x0, 0x1, 0x2, 0x3, 0x4, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, "
    "0xC, 0xE, 0xF, 0x10, 0x11, ...",
    "= command",
    "flags; u8",
    "command; u8",
    "parameter_1; u8",
    "parameter_2; u8",
    "= curve",
    "action; u8",
    "kind; u8; ; 2 flying_enemy, 3 hagabon, 25 barrel_grabber, 31 crawl_tunnel, 35 fish, 36 companion, "
    "38 walk_patch, 42 hover_pad, 1 dragon_rock_bottom, 21 dark_ice_mines",
    "unknown_1A; u8",
    "blocked_links; u8",
    "links; u32[4]",
    "yaw; i8",
    "pitch; i8",
    "tangent_length; u8",
    "unknown_2F; u8",
    "required; i16",
    "forbidden; i16",
    "unknown_34; u32; kind is 0x9, 0x15, 0x17, 0x1B",
    "unknown_34; u32; kind is 0x8, 0x1A",
    "roll; u32; kind is 0x8, 0x1A",
    "outline; u8[16]; kind is 0x26",
    "= tricky_warp",
    "unknown_18; bytes[2]",
    "rotation_y; u8",
    "unknown_1B; bytes[5]",
    "= trigger",
    "commands; command[8]",
    "trigger_id; i16",
    "size; u8[3]",
    "rotation; u8[2]",
    "unknown_3F; bytes[4]",
    "target; u8; ; 0 player, 1 companion, 2 camera",
    "activate; i16",
    "delay; u16",
    "gates; i16[4]",
    "= glow_source",
    "rotation_zyx; i8[3]",
    "color; u8",
    "mode; u8",
    "pulse; u8",
    "unknown_1E; bytes[2]",
    "radius; f32",
    "bit_24; i16",
    "color_distance; u8",
    "effect_distance; u8",
    "pulse_distance; u8",
    "flags; u8",
    "behavior; u8",
    "inactive_seconds; u8",
    "glow; u8",
    "unknown_2D; bytes[3]",
    "= arwing_enemy",
    "rotation_xyz; u8[3]",
    "rotation_speed; u8[3]",
    "leader_z; i8",
    "unknown_1F; u8",
    "leader_id; i32",
    "exit_distance; u16",
    "leader_x; i8",
    "leader_y; i8",
    "unknown_28; bytes[2]",
    "spread; u16",
    "cooldown; u8",
    "shot_interval; u8",
    "shots; u8",
    "path_mode; u8",
    "path_speed; u8",
    "dialogue; u8",
    "bit_32; i16",
    "= arwing_mine",
    "unknown_18; bytes[25]",
    "text; u8",
    "unknown_32; bytes[2]",
    "= large_crate",
    "rotation_y; i8",
    "drop; u8",
    "unknown_1A; i16",
    "respawn_minutes; i16",
    "broken; i16",
    "unknown_20; bytes[4]",
    "= small_basket",
    "rotation_y; i8",
    "subtype; u8",
    "unknown_1A; i16",
    "respawn_minutes; i16",
    "gone; i16",
    "leash; i16",
    "unknown_22; bytes[2]",
    "= hit_animator",
    "bit_18; i16",
    "toggle; u8",
    "block_effect; u8",
    "flags; u8",
    "line_parameter; u8",
    "unknown_1E; bytes[2]",
    "= tree",
    "rotation_zyx; u8[3]",
    "scale; u8",
    "flags_low; u8",
    "proximity; u8",
    "flags_high; u8",
    "unknown_1F; u8",
    "= grass",
    "rotation_zyx; u8[3]",
    "scale; u8",
    "unknown_1C; bytes[3]",
    "still; u8",
    "= setup_point",
    "act; u8",
    "index; u8",
    "unknown_1A; u8",
    "rotation_y; i8",
    "object_groups; u32",
    "= texture_scroll",
    "texture; i16",
    "bit_1A; i16",
    "second_step; i8[2]",
    "step; i8[2]",
    "unknown_20; bytes[4]",
    "= magic_plant",
    "regrow_time; u16",
    "unknown_1A; u8",
    "gem; u8",
    "model; u8",
    "rotation_y; u8",
    "unknown_1E; bytes[2]",
    "= effect_emitter",
    "range; i8",
    "bank; i8",
    "effect; i16",
    "rate; i16",
    "toggle; i16",
    "disable; i16",
    "rotation_zyx; i8[3]",
    "rotation_speed; i8[3]",
    "preset; u8",
    "interval; u8",
    "sound; i16",
    "= checkpoint",
    "previous; u32[2]",
    "next; u32[2]",
    "index; i8",
    "rotation_y; u8",
    "radius; u8",
    "unknown_2B; bytes[21]",
    "= enemy_interest",
    "mode; i8",
    "probability; i8",
    "target_low; u16",
    "target_high; u16",
    "done; i16",
    "enable; i16",
    "unknown_22; bytes[2]",
    "= blue_mushroom",
    "unknown_18; u8",
    "lunge_distance; u8",
    "gone; i16",
    "scale; u8",
    "unknown_1D; bytes[2]",
    "retreat_distance; u8",
    "= dust_source",
    "rotation_zyx; u8[3]",
    "effect; u8",
    "effect_parameters; u8[2]",
    "unknown_1E; bytes[2]",
    "scale; f32",
    "bit_24; i16",
    "spread; u8[3]",
    "flags; u8",
    "burst; u8",
    "unknown_2B; bytes[5]",
    "= side_repel",
    "radius; u16",
    "unknown_1A; bytes[2]",
    "= side_load",
    "arming; i16",
    "rotation_y; u8",
    "unknown_1B; u8",
    "= river_flow",
    "rotation_y; u8",
    "height; u8",
    "speed; u8",
    "unknown_1B; u8",
    "disable; i16",
    "unknown_1E; bytes[2]",
    "= point_light",
    "rotation_xy; u8[2]",
    "color; u8[3]",
    "event; u8",
    "enable; i16",
    "brightness; u8",
    "spot_mode; u8",
    "near; u16",
    "far; u16",
    "fade_speed; u8",
    "target_color; u8[3]",
    "flags; u8",
    "unknown_2B; u8",
    "priority; u8",
    "unknown_2D; u8",
    "fade_frames; i16",
    "enabled; u8",
    "unknown_31; u8",
    "rotation_speed; i16[2]",
    "glow_scale; u16",
    "glow_texture; u16",
    "glow_color; u8[4]",
    "glow; u8",
    "unknown_3F; u8",
    "= projected_light",
    "rotation_xy; u8[2]",
    "near; u16",
    "far; u16",
    "fade_frames; i16",
    "rotation_speed; i16[2]",
    "texture; u16",
    "projection; u8",
    "field_of_view; u8",
    "height; u16",
    "width; u16",
    "unknown_2C; u8",
    "color; u8[3]",
    "target_color; u8[3]",
    "fade_speed; u8",
    "rotation_z; u8",
    "rotation_z_speed; i8",
    "unknown_36; u8",
    "alpha; u8",
    "target_alpha; u8",
    "unknown_39; u8",
    "enabled; u8",
    "near_z; u8",
    "far_z; u16",
    "unknown_3E; u8[2]",
    "= lava_pool",
    "unknown_18; bytes[2]",
    "amplitude_divisor; i16",
    "unknown_1C; bytes[8]",
    "= fire_hole",
    "rotation_x; i8",
    "rotation_y; u8",
    "cycle; i16",
    "scale; i16",
    "bit_1E; i16",
    "start; i16",
    "flags; u8",
    "unknown_23; u8",
    "= wall_torch",
    "rotation_y; i8",
    "mode; u8",
    "range; i16",
    "flags; i16",
    "bit_1E; i16",
    "unknown_20; bytes[2]",
    "options; u8",
    "unknown_23; u8",
    "= fuel_cell",
    "unknown_18; bytes[6]",
    "collected; i16",
    "visible; i16",
    "unknown_22; bytes[2]",
    "= sound_player",
    "bit_18; i16",
    "sound; u16",
    "flags; u8",
    "mode; u8",
    "delay_seconds; u8[2]",
    "channel; i8",
    "unknown_21; u8",
    "second_sound; u16",
    "= crater_flame",
    "unknown_18; bytes[2]",
    "color; i16",
    "unknown_1C; bytes[4]",
    "bit_20; i16",
    "unknown_22; bytes[2]",
};

/* ---- maps, lines, voxel maps -------------------------------------------------------------------- */

static const char *const maps[] = {
    "= maps",
    "maps; u32 n, n x map",
    KEPT("tail"),
    BANK_FILES,
    "= map",
    "form; u8; ; 0 full, 1 stub_only, 2 kept",
    "columns; i16; form is 0",
    "rows; i16; form is 0",
    "origin_x; i16; form is 0",
    "origin_z; i16; form is 0",
    "object_list_size; u16; form is 0",
    "unknown_0A; u16; form is 0",
    "unknown_0C; u32[4]; form is 0",
    "object_count; i16; form is 0",
    "layer_row_count; u16; form is 0",
    "unknown_20; bytes[24]; form is 0",
    "cells; u32 n, n x cell; form is 0",
    "cell_rects; u32 n, n x rectangles; form is 0",
    "visible_cell_rects; u32 n, n x rectangles; form is 0",
    "layer_rects; u32 n, n x layer_row; form is 0",
    "visible_layer_rects; u32 n, n x layer_row; form is 0",
    "object_list; object_list_header; form < 2",
    "gap; u32 n, n x bytes; form < 2",
    "offsets; u32[7]; form is 2",
    "bytes; u32 n, n x bytes; form is 2",
    "= cell",
    "mod; u8",
    "sub; u8",
    "layer_row; u8",
    "unknown_7; u16; ; Usually 0.",
    "unused_31; u8; ; Usually 0.",
    "= rectangles",
    "a; i8[4]",
    "b; i8[4]",
    "c; i8[4]",
    "d; i8[4]",
    "= layer_row",
    "two_below; layer_rectangles",
    "one_below; layer_rectangles",
    "one_above; layer_rectangles",
    "two_above; layer_rectangles",
    "= layer_rectangles",
    "a; i8[4]",
    "b; i8[4]",
    "= object_list_header",
    "magic; u32",
    "unpacked_size; u32",
    "extra_size; u32",
    "packed_size; u32",
    "unknown_10; u32",
    "unknown_14; u32",
    "unknown_18; u32",
    "unknown_1C; u32",
};
static const char *const hits[] = {
    "= lines",
    "blocks; u32 n, n x block",
    KEPT("rest"),
    KEPT("tail"),
    BANK_FILES,
    "= block",
    "lines; u32 n, n x line",
    KEPT("tail"),
    "= line",
    "x; i16[2]",
    "y; i16[2]",
    "z; i16[2]",
    "flags; u8; ; Bits: 4 inverted_on_load, 7 one_height",
    "heights; u8[2]; flags has no bit of 0x80",
    "height; i16; flags has 0x80",
    "kind; u8",
    "parameter; i16",
    "unknown_12; i16",
};
static const char *const voxmap[] = {
    "= voxel_maps",
    "entries; u32 n, n x entry",
    BANK_FILES,
    "= entry",
    "present; bool (u8)",
    "word; u32; present is 0; Usually 0.",
    "flags; u8; present is 1; Usually 16.",
    "packed; packed; present is 1",
    "= packed",
    WRAPPER,
    "map; voxel_map; wrapper is not 7",
    "= voxel_map",
    "kept; bool (u8); ; Usually 0.",
    "unknown_00; u32; kept is 0; Usually 0.",
    "min_y; i32; kept is 0",
    "unknown_08; u32; kept is 0; Usually 0.",
    "max_y; i32; kept is 0",
    "unknown_10; u32; kept is 0; Usually 0.",
    "unknown_18; u32; kept is 0; Usually 0.",
    "unknown_20; u32; kept is 0; Usually 0.",
    "unknown_28; u32; kept is 0; Usually 0.",
    "ranks_first; bool (u8); kept is 0; Usually 0.",
    "bitmap; u32 n, n x bytes; kept is 0",
    "ranks; u32 n, n x u16; kept is 0",
    "nodes; u32 n, n x bytes; kept is 0",
    "gap_1; u32 n, n x bytes; kept is 0",
    "gap_2; u32 n, n x bytes; kept is 0",
    "tail; u32 n, n x bytes; kept is 0",
    "unpadded; bool (u8); kept is 0; Usually 0.",
    "bytes; bytes until the end; kept is not 0",
};

static void fields_of_small_tables(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-mapinfo", mapinfo);
    ASSERT_FIELDS("sfa-globalma", globalma);
    ASSERT_FIELDS("sfa-trkblk", trkblk);
    ASSERT_FIELDS("sfa-warptab", warptab);
    ASSERT_FIELDS("sfa-objindex", objindex);
    ASSERT_FIELDS("sfa-textable", textable);
    ASSERT_FIELDS("sfa-table", table);
    ASSERT_FIELDS("sfa-kept", kept);
    ASSERT_FIELDS("sfa-packed", packed);
}
static void fields_of_blocks(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-blocks", blocks);
    ASSERT_FIELDS("sfa-block", block);
}
static void fields_of_textures(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-textures", textures);
    ASSERT_FIELDS("sfa-texture", texture);
}
static void fields_of_object_lists(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-romlist", romlist);
}
static void fields_of_maps(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-maps", maps);
}
static void fields_of_lines(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-hits", hits);
}
static void fields_of_voxel_maps(void **state) {
    (void)state;
    ASSERT_FIELDS("sfa-voxmap", voxmap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_small_tables), cmocka_unit_test(fields_of_blocks),
        cmocka_unit_test(fields_of_textures),     cmocka_unit_test(fields_of_object_lists),
        cmocka_unit_test(fields_of_maps),         cmocka_unit_test(fields_of_lines),
        cmocka_unit_test(fields_of_voxel_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
