/* SPDX-License-Identifier: MIT */
/*
 * Placed objects: a header that all types share, then parameters by type. Types with the same parameters
 * share a layout; unknown parameters are kept as bytes. The names of unknown fields give their offsets from
 * the start of the record.
 */
#include "../../../schema/words.h"
#include "objects.h"

/* context variables; 0 is the version */
enum { R_LAYOUT = 1, R_SHAPE };
/* Layouts of parameters: indices into mst_sfa_object_parts. Its first record is the triggers' command. */
enum {
    L_OTHER,
    L_CURVE,
    L_TRICKY_WARP,
    L_TRIGGER,
    L_GLOW_SOURCE,
    L_ARWING_ENEMY,
    L_ARWING_MINE,
    L_LARGE_CRATE,
    L_SMALL_BASKET,
    L_HIT_ANIMATOR,
    L_TREE,
    L_GRASS,
    L_SETUP_POINT,
    L_TEXTURE_SCROLL,
    L_MAGIC_PLANT,
    L_EFFECT_EMITTER,
    L_CHECKPOINT,
    L_ENEMY_INTEREST,
    L_BLUE_MUSHROOM,
    L_DUST_SOURCE,
    L_SIDE_REPEL,
    L_SIDE_LOAD,
    L_RIVER_FLOW,
    L_POINT_LIGHT,
    L_PROJECTED_LIGHT,
    L_LAVA_POOL,
    L_FIRE_HOLE,
    L_WALL_TORCH,
    L_FUEL_CELL,
    L_SOUND_PLAYER,
    L_CRATER_FLAME,
    LAYOUTS
};
/* Shapes of curves: the parameters after those that all kinds have. */
enum { S_PLAIN, S_WORD, S_ROLL, S_OUTLINE };

#define RAW(n) .kind = MST_KIND_RAW, FIXED(n)
const char mst_sfa_game_bit[] = "game bit";
#define BIT           .kind = MST_KIND_I16, .unit = mst_sfa_game_bit
#define TURN          "1/256 turn"
#define ONLY_CURVES   IF(IS(R_LAYOUT, L_CURVE))
#define OTHER_OBJECTS IF(IS_NOT(R_LAYOUT, L_CURVE))

/* ---- layouts by type ---------------------------------------------------------------------------- */

typedef struct type_layout {
    uint16_t type;
    uint16_t layout;
} type_layout;

/* clang-format off */
static const type_layout layouts_of_types[] = { /* ascending */
    {0x0005, L_CHECKPOINT},
    {0x000D, L_SETUP_POINT},
    {0x0014, L_TEXTURE_SCROLL},
    {0x0030, L_GRASS},
    {0x0039, L_TREE},
    {0x004B, L_TRIGGER},
    {0x004C, L_TRIGGER},
    {0x004D, L_TRIGGER},
    {0x004F, L_TRIGGER},
    {0x0050, L_TRIGGER},
    {0x0054, L_TRIGGER},
    {0x0063, L_CRATER_FLAME},
    {0x006A, L_BLUE_MUSHROOM},
    {0x006E, L_CURVE},
    {0x0075, L_SIDE_LOAD},
    {0x007B, L_RIVER_FLOW},
    {0x00D4, L_EFFECT_EMITTER},
    {0x0176, L_FUEL_CELL},
    {0x0178, L_WALL_TORCH},
    {0x0230, L_TRIGGER},
    {0x024F, L_HIT_ANIMATOR},
    {0x0285, L_SOUND_PLAYER},
    {0x02C0, L_MAGIC_PLANT},
    {0x031C, L_TRICKY_WARP},
    {0x03CF, L_SMALL_BASKET},
    {0x049F, L_LARGE_CRATE},
    {0x0559, L_LAVA_POOL},
    {0x05D0, L_GRASS},
    {0x05E7, L_SIDE_REPEL},
    {0x0617, L_ARWING_ENEMY},
    {0x061B, L_POINT_LIGHT},
    {0x061D, L_PROJECTED_LIGHT},
    {0x0634, L_GRASS},
    {0x0671, L_ARWING_MINE},
    {0x06B3, L_GRASS},
    {0x06C8, L_GRASS},
    {0x06C9, L_GRASS},
    {0x06D5, L_ARWING_ENEMY},
    {0x06E8, L_GLOW_SOURCE},
    {0x070C, L_TREE},
    {0x070D, L_TREE},
    {0x070E, L_TREE},
    {0x0710, L_FIRE_HOLE},
    {0x0787, L_ENEMY_INTEREST},
    {0x07A8, L_GLOW_SOURCE},
    {0x07F0, L_ARWING_ENEMY},
    {0x0802, L_DUST_SOURCE},
    {0x0853, L_GLOW_SOURCE},
    {0x0868, L_GRASS},
};
/* clang-format on */

static uint32_t layout_of(uint32_t type) {
    size_t low = 0, high = MST_COUNT_OF(layouts_of_types);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (layouts_of_types[middle].type == type)
            return layouts_of_types[middle].layout;
        if (layouts_of_types[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return L_OTHER;
}

const mst_record *mst_sfa_object_part_of(int type) {
    uint32_t layout = type >= 0 ? layout_of((uint32_t)type) : L_OTHER;
    return layout == L_OTHER ? NULL : &mst_sfa_object_parts[layout];
}

static uint32_t shape_of(uint32_t kind) {
    switch (mst_sfa_curve_words(kind)) {
    case 14: return S_WORD;
    case 15: return S_ROLL;
    case 17: return S_OUTLINE;
    default: return S_PLAIN;
    }
}

/* A record that is too short for its type's parameters has none, and its bytes are kept. */
static bool has_parameters(const mst_document *document, uint64_t offset, uint64_t end,
                           const uint32_t *context) {
    const mst_record *record = &mst_sfa_object_parts[context[R_LAYOUT]];
    return mst_fits(offset, mst_plan_of(document, record)->minimum, end);
}

static bool has_4(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    (void)document;
    (void)context;
    return mst_fits(offset, 4, end);
}
static bool has_16(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    (void)document;
    (void)context;
    return mst_fits(offset, 16, end);
}

/* ---- parameters --------------------------------------------------------------------------------- */

#define PART(label, layout, text)                                                                            \
    {                                                                                                        \
        .name = #label, .index = (layout) + 1, .doc = text, .fields = label##_fields,                        \
        .field_count = MST_COUNT_OF(label##_fields)                                                          \
    }

static const mst_enum_name target_names[] = {{0, "player"}, {1, "companion"}, {2, "camera"}};

static const mst_field command_fields[] = {
    {.name = "flags", U8},
    {.name = "command", U8},
    {.name = "parameter_1", U8},
    {.name = "parameter_2", U8},
};

static const mst_enum_name curve_kinds[] = {
    {0x02, "flying_enemy"},  {0x03, "hagabon"},   {0x19, "barrel_grabber"},
    {0x1F, "crawl_tunnel"},  {0x23, "fish"},      {0x24, "companion"},
    {0x26, "walk_patch"},    {0x2A, "hover_pad"}, {0x01, "dragon_rock_bottom"},
    {0x15, "dark_ice_mines"}};

static const mst_field curve_fields[] = {
    {.name = "action", U8},
    {.name = "kind",
     U8,
     BIND(R_SHAPE),
     .transform = shape_of,
     NAMES(curve_kinds),
     .doc = "What moves along the curve."},
    {.name = "unknown_1A", U8},
    {.name = "blocked_links", U8, .doc = "Bit n: link n is blocked."},
    {.name = "links", U32, FIXED(4), .doc = "Ids of other points; 0xFFFFFFFF: none."},
    {.name = "yaw", I8, .unit = TURN},
    {.name = "pitch", I8, .unit = TURN},
    {.name = "tangent_length", U8},
    {.name = "unknown_2F", U8},
    {.name = "required", BIT},
    {.name = "forbidden", BIT},
    {.name = "unknown_34", U32, .present = has_4, IF(IS(R_SHAPE, S_WORD))},
    {.name = "unknown_34", U32, .present = has_4, IF(IS(R_SHAPE, S_ROLL))},
    {.name = "roll", U32, .present = has_4, IF(IS(R_SHAPE, S_ROLL))},
    {.name = "outline", U8, FIXED(16), .present = has_16, IF(IS(R_SHAPE, S_OUTLINE))},
};

static const mst_field tricky_warp_fields[] = {
    {.name = "unknown_18", RAW(2)},
    {.name = "rotation_y", U8, .unit = TURN},
    {.name = "unknown_1B", RAW(5)},
};

static const mst_field trigger_fields[] = {
    {.name = "commands", .kind = MST_KIND_RECORD, FIXED(8), .record = &mst_sfa_object_parts[L_OTHER]},
    {.name = "trigger_id", I16},
    {.name = "size", U8, FIXED(3)},
    {.name = "rotation", U8, FIXED(2), .unit = TURN},
    {.name = "unknown_3F", RAW(4)},
    {.name = "target", U8, NAMES(target_names)},
    {.name = "activate", BIT},
    {.name = "delay", U16, .unit = "frames"},
    {.name = "gates", BIT, FIXED(4)},
};

static const mst_field glow_source_fields[] = {
    {.name = "rotation_zyx", I8, FIXED(3), .unit = TURN},
    {.name = "color", U8},
    {.name = "mode", U8},
    {.name = "pulse", U8},
    {.name = "unknown_1E", RAW(2)},
    {.name = "radius", F32},
    {.name = "bit_24", BIT},
    {.name = "color_distance", U8},
    {.name = "effect_distance", U8},
    {.name = "pulse_distance", U8},
    {.name = "flags", U8},
    {.name = "behavior", U8},
    {.name = "inactive_seconds", U8},
    {.name = "glow", U8},
    {.name = "unknown_2D", RAW(3)},
};

static const mst_field arwing_enemy_fields[] = {
    {.name = "rotation_xyz", U8, FIXED(3), .unit = TURN},
    {.name = "rotation_speed", U8, FIXED(3)},
    {.name = "leader_z", I8},
    {.name = "unknown_1F", U8},
    {.name = "leader_id", I32},
    {.name = "exit_distance", U16},
    {.name = "leader_x", I8},
    {.name = "leader_y", I8},
    {.name = "unknown_28", RAW(2)},
    {.name = "spread", U16},
    {.name = "cooldown", U8},
    {.name = "shot_interval", U8},
    {.name = "shots", U8},
    {.name = "path_mode", U8},
    {.name = "path_speed", U8},
    {.name = "dialogue", U8},
    {.name = "bit_32", BIT},
};

static const mst_field arwing_mine_fields[] = {
    {.name = "unknown_18", RAW(25)},
    {.name = "text", U8},
    {.name = "unknown_32", RAW(2)},
};

static const mst_field large_crate_fields[] = {
    {.name = "rotation_y", I8, .unit = TURN}, {.name = "drop", U8},    {.name = "unknown_1A", I16},
    {.name = "respawn_minutes", I16},         {.name = "broken", BIT}, {.name = "unknown_20", RAW(4)},
};

static const mst_field small_basket_fields[] = {
    {.name = "rotation_y", I8, .unit = TURN}, {.name = "subtype", U8}, {.name = "unknown_1A", I16},
    {.name = "respawn_minutes", I16},         {.name = "gone", BIT},   {.name = "leash", I16},
    {.name = "unknown_22", RAW(2)},
};

static const mst_field hit_animator_fields[] = {
    {.name = "bit_18", BIT},
    {.name = "toggle", U8},
    {.name = "block_effect", U8},
    {.name = "flags", U8},
    {.name = "line_parameter", U8, .doc = "The `parameter` of the interaction lines that it switches."},
    {.name = "unknown_1E", RAW(2)},
};

static const mst_field tree_fields[] = {
    {.name = "rotation_zyx", U8, FIXED(3), .unit = TURN},
    {.name = "scale", U8},
    {.name = "flags_low", U8},
    {.name = "proximity", U8, .doc = "Half the distance."},
    {.name = "flags_high", U8},
    {.name = "unknown_1F", U8},
};

static const mst_field grass_fields[] = {
    {.name = "rotation_zyx", U8, FIXED(3), .unit = TURN},
    {.name = "scale", U8},
    {.name = "unknown_1C", RAW(3)},
    {.name = "still", U8},
};

static const mst_field setup_point_fields[] = {
    {.name = "act", U8},
    {.name = "index", U8},
    {.name = "unknown_1A", U8},
    {.name = "rotation_y", I8, .unit = TURN},
    {.name = "object_groups", U32},
};

static const mst_field texture_scroll_fields[] = {
    {.name = "texture", I16, .doc = "Index into sub-table 14 of TABLES.bin."},
    {.name = "bit_1A", BIT},
    {.name = "second_step", I8, FIXED(2)},
    {.name = "step", I8, FIXED(2)},
    {.name = "unknown_20", RAW(4)},
};

static const mst_field magic_plant_fields[] = {
    {.name = "regrow_time", U16},
    {.name = "unknown_1A", U8},
    {.name = "gem", U8},
    {.name = "model", U8},
    {.name = "rotation_y", U8, .unit = TURN},
    {.name = "unknown_1E", RAW(2)},
};

static const mst_field effect_emitter_fields[] = {
    {.name = "range", I8, .doc = "In units of 4."},
    {.name = "bank", I8},
    {.name = "effect", I16},
    {.name = "rate", I16},
    {.name = "toggle", BIT},
    {.name = "disable", BIT},
    {.name = "rotation_zyx", I8, FIXED(3), .unit = TURN},
    {.name = "rotation_speed", I8, FIXED(3)},
    {.name = "preset", U8},
    {.name = "interval", U8},
    {.name = "sound", I16},
};

static const mst_field checkpoint_fields[] = {
    {.name = "previous", U32, FIXED(2)},
    {.name = "next", U32, FIXED(2), .doc = "Ids of checkpoints."},
    {.name = "index", I8},
    {.name = "rotation_y", U8, .unit = TURN},
    {.name = "radius", U8},
    {.name = "unknown_2B", RAW(21)},
};

static const mst_field enemy_interest_fields[] = {
    {.name = "mode", I8},           {.name = "probability", I8}, {.name = "target_low", U16},
    {.name = "target_high", U16},   {.name = "done", BIT},       {.name = "enable", BIT},
    {.name = "unknown_22", RAW(2)},
};

static const mst_field blue_mushroom_fields[] = {
    {.name = "unknown_18", U8}, {.name = "lunge_distance", U8}, {.name = "gone", BIT},
    {.name = "scale", U8},      {.name = "unknown_1D", RAW(2)}, {.name = "retreat_distance", U8},
};

static const mst_field dust_source_fields[] = {
    {.name = "rotation_zyx", U8, FIXED(3), .unit = TURN},
    {.name = "effect", U8},
    {.name = "effect_parameters", U8, FIXED(2)},
    {.name = "unknown_1E", RAW(2)},
    {.name = "scale", F32},
    {.name = "bit_24", BIT},
    {.name = "spread", U8, FIXED(3)},
    {.name = "flags", U8},
    {.name = "burst", U8},
    {.name = "unknown_2B", RAW(5)},
};

static const mst_field side_repel_fields[] = {
    {.name = "radius", U16, .doc = "In units of 8."},
    {.name = "unknown_1A", RAW(2)},
};

static const mst_field side_load_fields[] = {
    {.name = "arming", BIT},
    {.name = "rotation_y", U8, .unit = TURN},
    {.name = "unknown_1B", U8},
};

static const mst_field river_flow_fields[] = {
    {.name = "rotation_y", U8, .unit = TURN},
    {.name = "height", U8},
    {.name = "speed", U8},
    {.name = "unknown_1B", U8},
    {.name = "disable", BIT},
    {.name = "unknown_1E", RAW(2)},
};

static const mst_field point_light_fields[] = {
    {.name = "rotation_xy", U8, FIXED(2), .unit = TURN},
    {.name = "color", U8, FIXED(3)},
    {.name = "event", U8},
    {.name = "enable", BIT},
    {.name = "brightness", U8},
    {.name = "spot_mode", U8},
    {.name = "near", U16},
    {.name = "far", U16},
    {.name = "fade_speed", U8},
    {.name = "target_color", U8, FIXED(3)},
    {.name = "flags", U8, .doc = "Whether the colour is ambient."},
    {.name = "unknown_2B", U8},
    {.name = "priority", U8},
    {.name = "unknown_2D", U8},
    {.name = "fade_frames", I16},
    {.name = "enabled", U8},
    {.name = "unknown_31", U8},
    {.name = "rotation_speed", I16, FIXED(2)},
    {.name = "glow_scale", U16},
    {.name = "glow_texture", U16},
    {.name = "glow_color", U8, FIXED(4)},
    {.name = "glow", U8},
    {.name = "unknown_3F", U8},
};

static const mst_field projected_light_fields[] = {
    {.name = "rotation_xy", U8, FIXED(2), .unit = TURN},
    {.name = "near", U16},
    {.name = "far", U16},
    {.name = "fade_frames", I16},
    {.name = "rotation_speed", I16, FIXED(2)},
    {.name = "texture", U16},
    {.name = "projection", U8},
    {.name = "field_of_view", U8},
    {.name = "height", U16},
    {.name = "width", U16},
    {.name = "unknown_2C", U8},
    {.name = "color", U8, FIXED(3)},
    {.name = "target_color", U8, FIXED(3)},
    {.name = "fade_speed", U8},
    {.name = "rotation_z", U8, .unit = TURN},
    {.name = "rotation_z_speed", I8},
    {.name = "unknown_36", U8},
    {.name = "alpha", U8},
    {.name = "target_alpha", U8},
    {.name = "unknown_39", U8},
    {.name = "enabled", U8},
    {.name = "near_z", U8},
    {.name = "far_z", U16},
    {.name = "unknown_3E", U8, FIXED(2)},
};

static const mst_field lava_pool_fields[] = {
    {.name = "unknown_18", RAW(2)},
    {.name = "amplitude_divisor", I16},
    {.name = "unknown_1C", RAW(8)},
};

static const mst_field fire_hole_fields[] = {
    {.name = "rotation_x", I8, .unit = TURN},
    {.name = "rotation_y", U8, .unit = TURN},
    {.name = "cycle", I16},
    {.name = "scale", I16},
    {.name = "bit_1E", BIT},
    {.name = "start", I16},
    {.name = "flags", U8},
    {.name = "unknown_23", U8},
};

static const mst_field wall_torch_fields[] = {
    {.name = "rotation_y", I8, .unit = TURN},
    {.name = "mode", U8},
    {.name = "range", I16},
    {.name = "flags", I16},
    {.name = "bit_1E", BIT},
    {.name = "unknown_20", RAW(2)},
    {.name = "options", U8},
    {.name = "unknown_23", U8},
};

static const mst_field fuel_cell_fields[] = {
    {.name = "unknown_18", RAW(6)},
    {.name = "collected", BIT},
    {.name = "visible", BIT},
    {.name = "unknown_22", RAW(2)},
};

static const mst_field sound_player_fields[] = {
    {.name = "bit_18", BIT},
    {.name = "sound", U16},
    {.name = "flags", U8},
    {.name = "mode", U8},
    {.name = "delay_seconds", U8, FIXED(2)},
    {.name = "channel", I8},
    {.name = "unknown_21", U8},
    {.name = "second_sound", U16},
};

static const mst_field crater_flame_fields[] = {
    {.name = "unknown_18", RAW(2)}, {.name = "color", I16},         {.name = "unknown_1C", RAW(4)},
    {.name = "bit_20", BIT},        {.name = "unknown_22", RAW(2)},
};

const mst_record mst_sfa_object_parts[MST_SFA_OBJECT_PARTS] = {
    [L_OTHER] = PART(command, L_OTHER, "a command of a trigger"),
    [L_CURVE] = PART(curve, L_CURVE, "a point of a path"),
    [L_TRICKY_WARP] = PART(tricky_warp, L_TRICKY_WARP, "a place to which the companion warps"),
    [L_TRIGGER] = PART(trigger, L_TRIGGER, "a trigger: commands that run when something passes through it"),
    [L_GLOW_SOURCE] = PART(glow_source, L_GLOW_SOURCE, "a glow"),
    [L_ARWING_ENEMY] = PART(arwing_enemy, L_ARWING_ENEMY, "an asteroid or enemy ship"),
    [L_ARWING_MINE] = PART(arwing_mine, L_ARWING_MINE, "a mine that explodes when something is near"),
    [L_LARGE_CRATE] = PART(large_crate, L_LARGE_CRATE, "a crate"),
    [L_SMALL_BASKET] = PART(small_basket, L_SMALL_BASKET, "a basket"),
    [L_HIT_ANIMATOR] = PART(hit_animator, L_HIT_ANIMATOR, "switches interaction lines of a block"),
    [L_TREE] = PART(tree, L_TREE, "a tree or log"),
    [L_GRASS] = PART(grass, L_GRASS, "grass"),
    [L_SETUP_POINT] = PART(setup_point, L_SETUP_POINT, "a starting point of the player"),
    [L_TEXTURE_SCROLL] = PART(texture_scroll, L_TEXTURE_SCROLL, "moves a texture"),
    [L_MAGIC_PLANT] = PART(magic_plant, L_MAGIC_PLANT, "a plant with a gem"),
    [L_EFFECT_EMITTER] = PART(effect_emitter, L_EFFECT_EMITTER, "emits particles"),
    [L_CHECKPOINT] = PART(checkpoint, L_CHECKPOINT, "a checkpoint of a race"),
    [L_ENEMY_INTEREST] = PART(enemy_interest, L_ENEMY_INTEREST, "attracts enemies"),
    [L_BLUE_MUSHROOM] = PART(blue_mushroom, L_BLUE_MUSHROOM, "a mushroom"),
    [L_DUST_SOURCE] = PART(dust_source, L_DUST_SOURCE, "emits dust"),
    [L_SIDE_REPEL] = PART(side_repel, L_SIDE_REPEL, "keeps the companion away"),
    [L_SIDE_LOAD] = PART(side_load, L_SIDE_LOAD, "triggers side loading"),
    [L_RIVER_FLOW] = PART(river_flow, L_RIVER_FLOW, "a current"),
    [L_POINT_LIGHT] = PART(point_light, L_POINT_LIGHT, "a light"),
    [L_PROJECTED_LIGHT] = PART(projected_light, L_PROJECTED_LIGHT, "a projected light"),
    [L_LAVA_POOL] = PART(lava_pool, L_LAVA_POOL, "a pool of lava"),
    [L_FIRE_HOLE] = PART(fire_hole, L_FIRE_HOLE, "a hole with fire"),
    [L_WALL_TORCH] = PART(wall_torch, L_WALL_TORCH, "a torch"),
    [L_FUEL_CELL] = PART(fuel_cell, L_FUEL_CELL, "a fuel cell"),
    [L_SOUND_PLAYER] = PART(sound_player, L_SOUND_PLAYER, "plays a sound"),
    [L_CRATER_FLAME] = PART(crater_flame, L_CRATER_FLAME, "a flame"),
};
_Static_assert(LAYOUTS == MST_SFA_OBJECT_PARTS, "a record is missing");

/* ---- the object --------------------------------------------------------------------------------- */

static const mst_enum_name load_flag_names[] = {{0x01, "level_object"}, {0x02, "manual"},
                                                {0x04, "near_player"},  {0x08, "by_code"},
                                                {0x10, "grouped"},      {0x20, "block_object"}};

#define PARAMETERS(layout)                                                                                   \
    {                                                                                                        \
        .name = "parameters", .kind = MST_KIND_RECORD, .record = &mst_sfa_object_parts[layout],              \
        .present = has_parameters, IF(IS(R_LAYOUT, layout))                                                  \
    }

static const mst_field object_fields[] = {
    {.name = "type",
     I16,
     BIND(R_LAYOUT),
     .transform = layout_of,
     .names = &mst_sfa_object_type_names,
     .doc = "Index into OBJINDEX.bin; negative: the index of the object definition itself, negated."},
    {.name = "size_words", U8, .flags = MST_FIELD_SIZE, .size_scale = 4, .size_bias = 3},
    {.name = "walk_group", U8, ONLY_CURVES},
    {.name = "link_walk_groups", U8, FIXED(4), .doc = "The walk groups of the linked points.", ONLY_CURVES},
    {.name = "acts_0", U8, .doc = "Bit n: not loaded in act n + 1.", OTHER_OBJECTS},
    {.name = "load_flags",
     U8,
     NAMES(load_flag_names),
     .doc = "When the object is loaded; `grouped`: with the object group `bound`.",
     OTHER_OBJECTS},
    {.name = "acts_1",
     U8,
     .doc =
         "Bit 7: not loaded in act 9, down to bit 1: in act 15. Bits 4 and 3 also select the model of some.",
     OTHER_OBJECTS},
    {.name = "bound",
     U8,
     .doc = "The radius within which the object is loaded, in units of 8, or the number of its object group.",
     OTHER_OBJECTS},
    {.name = "cull_distance", U8, .doc = "In units of 8.", OTHER_OBJECTS},
    {.name = "position", F32, FIXED(3), .doc = "x, y, z on the map, in units; y is up."},
    {.name = "id", U32, .doc = "Identifies the object in scripts and saved games; 0 and duplicates occur."},
    PARAMETERS(L_CURVE),
    PARAMETERS(L_TRICKY_WARP),
    PARAMETERS(L_TRIGGER),
    PARAMETERS(L_GLOW_SOURCE),
    PARAMETERS(L_ARWING_ENEMY),
    PARAMETERS(L_ARWING_MINE),
    PARAMETERS(L_LARGE_CRATE),
    PARAMETERS(L_SMALL_BASKET),
    PARAMETERS(L_HIT_ANIMATOR),
    PARAMETERS(L_TREE),
    PARAMETERS(L_GRASS),
    PARAMETERS(L_SETUP_POINT),
    PARAMETERS(L_TEXTURE_SCROLL),
    PARAMETERS(L_MAGIC_PLANT),
    PARAMETERS(L_EFFECT_EMITTER),
    PARAMETERS(L_CHECKPOINT),
    PARAMETERS(L_ENEMY_INTEREST),
    PARAMETERS(L_BLUE_MUSHROOM),
    PARAMETERS(L_DUST_SOURCE),
    PARAMETERS(L_SIDE_REPEL),
    PARAMETERS(L_SIDE_LOAD),
    PARAMETERS(L_RIVER_FLOW),
    PARAMETERS(L_POINT_LIGHT),
    PARAMETERS(L_PROJECTED_LIGHT),
    PARAMETERS(L_LAVA_POOL),
    PARAMETERS(L_FIRE_HOLE),
    PARAMETERS(L_WALL_TORCH),
    PARAMETERS(L_FUEL_CELL),
    PARAMETERS(L_SOUND_PLAYER),
    PARAMETERS(L_CRATER_FLAME),
    {.name = "parameters",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The parameters of a type that is not described here.",
     IF(IS(R_LAYOUT, L_OTHER))},
    {.name = "unknown_tail",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the type's parameters, or all of a record that is too short for them.",
     IF(IS_NOT(R_LAYOUT, L_OTHER))},
};
const mst_record mst_sfa_object_record = {.name = "object",
                                          .index = 0,
                                          .fields = object_fields,
                                          .field_count = MST_COUNT_OF(object_fields),
                                          .doc = "a thing placed on a map"};
