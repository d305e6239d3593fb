/* SPDX-License-Identifier: MIT */
/*
 * Tables of the Alien Trilogy level format. Facts: https://wiki.xentax.com/index.php/Alien_Trilogy_MAP,
 * corrected by measurements on two levels of the PC version; lifts and the big-endian variant from programs
 * that read them.
 */
#include "../../core/diagnose.h"
#include "../../edit/fix_findings.h"
#include "../../tables/words.h"
#include "alien.h"
#include "alien_stock.h"
#include "sections.h"

/* context variables; 0 is the version */
enum {
    R_VERTICES = 1,
    R_QUADS,
    R_COLUMNS,
    R_ROWS,
    R_PATH_NODES,
    R_LIGHTS,
    R_MONSTERS,
    R_PICKUPS,
    R_BOXES,
    R_DOORS,
    R_LIFTS,
    R_ANIMATORS,
    R_TRIGGERS,
    R_COMMANDS,
    R_WORDS
};
_Static_assert(R_WORDS < MST_VARIABLES, "the header's counts need context variables");

#define ZERO .flags = MST_FIELD_DEFAULT, .rule = {.kind = MST_RULE_ZERO, .code = "ALIEN-NONZERO"}

/* clang-format off */
#define RECORDS(X) \
    X(mst_alien_unknown_section) X(mst_alien_model_quad) X(mst_alien_model_vertex) X(mst_alien_model) \
    X(level) X(map) X(vertex) X(quad) X(cell) X(path_node) X(monster) X(pickup) X(box) X(door) X(lift) \
    X(trigger) X(command) X(light) X(texture_animator) X(texture_animation_word)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

/* ---- unused elements ---------------------------------------------------------------------------- */

/* A terminator, regardless of its last bytes. */
static bool has_no_corners(const uint8_t *quad) {
    return memcmp(quad, mst_alien_terminator, 16) == 0;
}

/* ---- names of values --------------------------------------------------------------------------- */

static const mst_enum_name monster_types[] = {{1, "egg"},
                                              {2, "face_hugger"},
                                              {3, "chest_burster"},
                                              {4, "bambi"},
                                              {5, "dog_alien"},
                                              {6, "warrior_drone"},
                                              {7, "queen"},
                                              {8, "ceiling_warrior_drone"},
                                              {9, "ceiling_dog_alien"},
                                              {10, "colonist"},
                                              {11, "guard"},
                                              {12, "soldier"},
                                              {13, "synthetic"},
                                              {14, "handler"},
                                              {15, "unused"},
                                              {16, "horizontal_steam_vent"},
                                              {17, "horizontal_flame_vent"},
                                              {18, "vertical_steam_vent"},
                                              {19, "vertical_flame_vent"}};

static const mst_enum_name pickup_types[] = {{0, "pistol"},
                                             {1, "shotgun"},
                                             {2, "pulse_rifle"},
                                             {3, "flame_thrower"},
                                             {4, "smart_gun"},
                                             {5, "unused"},
                                             {6, "seismic_charge"},
                                             {7, "battery"},
                                             {8, "night_vision_goggles"},
                                             {9, "pistol_clip"},
                                             {10, "shotgun_cartridges"},
                                             {11, "pulse_rifle_clip"},
                                             {12, "grenades"},
                                             {13, "flamethrower_fuel"},
                                             {14, "smart_gun_ammunition"},
                                             {15, "identity_tag"},
                                             {16, "auto_mapper"},
                                             {17, "hypo_pack"},
                                             {18, "acid_vest"},
                                             {19, "body_suit"},
                                             {20, "medi_kit"},
                                             {21, "derm_patch"},
                                             {22, "protective_boots"},
                                             {23, "adrenaline_burst"},
                                             {24, "derm_patch_2"},
                                             {25, "shoulder_lamp"},
                                             {26, "shotgun_cartridge_fixed"},
                                             {27, "grenades_fixed"}};

static const mst_enum_name box_types[] = {{20, "box"},
                                          {21, "destructible_wall"},
                                          {22, "small_switch_with_lightning"},
                                          {23, "barrel"},
                                          {24, "animated_small_switch"},
                                          {25, "double_box"},
                                          {26, "wide_switch_with_zipper"},
                                          {27, "wide_switch"},
                                          {28, "shootable_empty_object"},
                                          {29, "shootable_object_with_drop"},
                                          {30, "box_30"},
                                          {31, "box_31"},
                                          {32, "small_yellow_square"},
                                          {33, "steel_coil"}};

static const mst_enum_name drop_types[] = {{0, "pickup"}, {2, "monster"}};
static const mst_enum_name lock_states[] = {{1, "open"}, {2, "locked"}};
static const mst_enum_name angles[] = {{0, "north"}, {1, "north_east"}, {2, "east"}, {3, "south_east"},
                                       {4, "south"}, {5, "south_west"}, {6, "west"}, {7, "north_west"}};
static const mst_enum_name operations[] = {{0, "light"},           {1, "unlock_door"},    {2, "show_pickup"},
                                           {3, "wake_monster"},    {4, "switch_off_box"}, {5, "locked_lift"},
                                           {6, "open_door"},       {7, "move_lift"},      {8, "end_level"},
                                           {9, "animate_texture"}, {255, "none"}};
static const mst_enum_name light_modes[] = {
    {0, "static"}, {1, "blinking"}, {3, "blinking_3"}, {4, "gouraud"}};

static const mst_enum_name run_ends[] = {{7, "last_of_run"}};
static const mst_enum_name operation_marks[] = {{15, "operation"}};

/* ---- the level ---------------------------------------------------------------------------------- */

static const mst_field vertex_fields[] = {
    {.name = "x", I16, .unit = "1/256 m", .doc = "The grid's middle is 0; to the right as columns count."},
    {.name = "y", I16, .unit = "1/256 m", .doc = "Up."},
    {.name = "z", I16, .unit = "1/256 m", .doc = "The grid's middle is 0; as rows count."},
    {.name = "unknown_06", U16, ZERO, .doc = "Not known; 0 in the game's levels."},
};
static const mst_placement_fields corner_stands = {.position = {"x", "y", "z"}, .from = 2, .to = 0};
RECORD(vertex, "vertex", "a corner of quads", .placement = &corner_stands);

static const mst_field quad_fields[] = {
    {.name = "vertices",
     I32,
     FIXED(4),
     REFERS({.target = "vertices", NO(0xFFFFFFFFu), .none_from = 3, .code = "ALIEN-QUAD-VERTEX"}),
     .doc = "Vertices of the corners; the fourth is -1 in a triangle."},
    {.name = "texture",
     U16,
     REFERS({.target = "texture_animators",
             .where = "draw_flags",
             .operation = MST_EQUAL,
             .value = 8,
             .code = "ALIEN-QUAD-TEXTURE"}),
     .doc = "Index through all rectangles of the texture file; of an animator if draw_flags is 8."},
    {.name = "draw_flags",
     U8,
     .range =
         "0 plain, 1 triangle, 2 mirrored texture, 3 and 4 double-sided or transparent, 8 animated, 10, 26 "
         "and 28 destructible",
     .doc = "How the quad is drawn: a number, not bits. If it is 8, texture is the index of an animator.",
     .evidence = "two levels; programs that read other levels also know 5, 6, 12, 13, 14, 30, 32 and 34"},
    {.name = "light",
     U8,
     .flags = MST_FIELD_FLAGS | MST_FIELD_BESIDE,
     NAMES(run_ends),
     REFERS({.target = "map.lights", .mask = 0x7F, .code = "ALIEN-REFERENCE"}),
     .range = "0 to 127, and the flag",
     .doc = "The light that colours the quad. The flag last_of_run marks the last quad of its cell's run."},
};
RECORD(quad, "quad",
       "a face; the last one of the level is a terminator: -1 four times, then four bytes of 255",
       .vacant = has_no_corners);

/* The header and cells have 16-bit words that hold two bytes each: a big-endian file has the upper one first.
 */
#define LOW_FIRST                                                                                            \
    { MST_EQUAL, MST_VARIABLE_BIG, 0 }
#define HIGH_FIRST                                                                                           \
    { MST_NOT_EQUAL, MST_VARIABLE_BIG, 0 }
#define CELL_NODE(order)                                                                                     \
    {                                                                                                        \
        .name = "path_node", U8, .when = {order},                                                            \
        REFERS({.target = "path_nodes", .instead = mst_alien_nearest_node, .code = "ALIEN-REFERENCE"}),      \
        .doc = "The path node nearest to the cell."                                                          \
    }
#define CELL_UPPER(order)                                                                                    \
    { .name = "unknown_07", U8, .when = {order}, .doc = "Not known; the upper byte of path_node's word." }
static const mst_field cell_fields[] = {
    {.name = "first_quad",
     I32,
     REFERS({.target = "quads",
             NO(0xFFFFFFFFu),
             .run = true,
             .ends_run = mst_alien_ends_run}), /* checked by ALIEN-RUNS */
     .doc = "First of the cell's run of quads; -1: none, the cell is solid.",
     .evidence = "7994 cells of two levels: the runs cover all quads without a gap"},
    {.name = "unknown_04", U16, .doc = "Not known; the high byte is 0 or 1."},
    CELL_NODE(LOW_FIRST),
    CELL_UPPER(LOW_FIRST),
    CELL_UPPER(HIGH_FIRST),
    CELL_NODE(HIGH_FIRST),
    {.name = "zone_mask",
     U16,
     .doc = "A bit for each zone that is visible from the cell; a public description calls it fog."},
    {.name = "shape",
     U8,
     .range =
         "0x14 to 0x2C blocking or sloped, 25 to 28 of them diagonal walls, 0x2D to 0x38 ramps and stairs",
     .doc = "How the cell blocks or lifts walking creatures.",
     .evidence = "a program that reads levels; the diagonals in two levels"},
    {.name = "floor", U8, .unit = "1/8 m", .doc = "Height of the floor: 32 units of world y each."},
    {.name = "unknown_0c", U8, ZERO, .doc = "Not known; 0 in the game's levels."},
    {.name = "ceiling", U8, .unit = "1/8 m", .doc = "Height of the ceiling: 32 units of world y each."},
    {.name = "light",
     U8,
     REFERS({.target = "lights", .code = "ALIEN-REFERENCE"}),
     .doc = "Index of the light that falls on things in the cell.",
     .evidence = "16383 cells of two levels"},
    {.name = "trigger",
     U8,
     REFERS({.target = "triggers", NO(0), .code = "ALIEN-TRIGGER"}),
     .doc = "Trigger that stepping on the cell sets off; 0: none."},
};
RECORD(cell, "cell", "a square of the grid, 2 m wide; index = y * grid_columns + x");

static const mst_field path_node_fields[] = {
    {.name = "x", U8, .unit = "cells", .doc = "Column of its cell."},
    {.name = "y", U8, .unit = "cells", .doc = "Row of its cell."},
    {.name = "unknown_02", U8, ZERO, .doc = "Not known; 0 in the game's levels."},
    {.name = "alternate",
     U8,
     .doc = "Below the number of nodes, so perhaps the index of another node; 0 in many. What the game does "
            "with it is not known.",
     .evidence = "0 in 60 of 147 nodes of two levels"},
    {.name = "links",
     U8,
     FIXED(4),
     REFERS({.target = "path_nodes", NO(255), .code = "ALIEN-LINK"}),
     .doc = "Nodes that monsters can walk to from here; 255: none.",
     .evidence = "324 links of two levels"},
};
/* In the grid; angles increase from +Y to +X. */
static const mst_placement_fields stands = {.position = {"x", "y"},
                                            .turn = {"rotation"},
                                            .units = 8,
                                            .from = 1,
                                            .to = 0,
                                            .axes = {1, 3},
                                            .step = 512};
RECORD(path_node, "path_node", "a waypoint of monsters", .placement = &stands);

static const mst_field monster_fields[] = {
    {.name = "type",
     U8,
     NAMES(monster_types),
     .doc = "Its type; enemy_mask has the types up to 15 that the level uses."},
    {.name = "x", U8, .unit = "cells", .doc = "Column of its cell."},
    {.name = "y", U8, .unit = "cells", .doc = "Row of its cell."},
    {.name = "z", U8, .doc = "Height; 255: on the floor. In which unit is not known."},
    {.name = "rotation", U8, .unit = "1/8 turn", .doc = "0 along +Y of the grid, 2 along +X.", NAMES(angles)},
    {.name = "health", U8, .doc = "Hit points at the start."},
    {.name = "drop",
     U8,
     REFERS({.target = "pickups", NO(255), .code = "ALIEN-DROP"}),
     .doc = "Pickup that it leaves when killed; 255: none."},
    {.name = "unknown_07", U8, .doc = "Not known; 0 in the level that was looked at."},
    {.name = "trigger_threshold",
     U8,
     .range = "0 awake, above 0 asleep",
     .doc = "Whether it sleeps until a command or a box wakes it. A program that reads levels treats it as "
            "the lowest difficulty with the monster."},
    {.name = "unknown_09", U8, .doc = "Not known; 0 in the level that was looked at."},
    {.name = "unknown_0a",
     U8,
     FIXED(4),
     .doc = "Not known; perhaps two numbers of 16 bits, which differ from monster to monster."},
    {.name = "speed", U8, .doc = "How fast it moves; the unit is not known."},
    {.name = "unknown_0f", U8, ZERO, .doc = "Not known; 0 in the game's levels."},
    {.name = "unknown_10", U8, FIXED(4), .doc = "Not known; perhaps two numbers of 16 bits; different ones."},
};
RECORD(monster, "monster", "an enemy, or a vent", .placement = &stands);

static const mst_field pickup_fields[] = {
    {.name = "x", U8, .unit = "cells", .doc = "Column of its cell."},
    {.name = "y", U8, .unit = "cells", .doc = "Row of its cell."},
    {.name = "type",
     U8,
     NAMES(pickup_types),
     .doc = "Types from 28 on crash the game; 26 and 27 cannot be picked up."},
    {.name = "amount",
     U8,
     .doc = "The amount that the player receives; for ammunition, the number of rounds."},
    {.name = "multiplier",
     U8,
     .doc = "By its name a factor of the amount; its use by the game is not known."},
    {.name = "unknown_05", U8, ZERO, .doc = "Not known; 0 in the game's levels."},
    {.name = "trigger_threshold",
     U8,
     .range = "0 or 1",
     .doc = "1 if a box drops it; a public description calls it a height."},
    {.name = "amount_copy", U8, .doc = "Equal to amount for ammunition."},
};
RECORD(pickup, "pickup", "an item that the player can pick up", .placement = &stands);

#define DROPPED(list, test, number)                                                                          \
    {                                                                                                        \
        .target = (list), NO(255), .where = "drop_type", .operation = (test), .value = (number),             \
        .code = "ALIEN-DROP"                                                                                 \
    }
#define DROP REFERS(DROPPED("monsters", MST_EQUAL, 2), DROPPED("pickups", MST_NOT_EQUAL, 2))
static const mst_field box_fields[] = {
    {.name = "x", U8, .unit = "cells", .doc = "Column of its cell."},
    {.name = "y", U8, .unit = "cells", .doc = "Row of its cell."},
    {.name = "type",
     U8,
     NAMES(box_types),
     .doc = "Its type, which determines its model. Types below 20 cannot be destroyed; 34 to 37 are shapes "
            "that no known level has; above 37 it is a box.",
     .evidence = "names of a program that reads levels"},
    {.name = "drop_type",
     U8,
     NAMES(drop_types),
     .doc = "The list that drop_first and drop_second are indices into. Set all three together."},
    {.name = "unknown_04", U8, .doc = "Not known; 1, 2, 3 or 5 in the level that was looked at."},
    {.name = "unknown_05", U8, .doc = "Not known; 0 or 10."},
    {.name = "drop_first", U8, DROP, .doc = "Dropped when it is destroyed: a pickup or monster."},
    {.name = "drop_second", U8, DROP, .doc = "Also dropped."},
    {.name = "unknown_08", U8, .doc = "Not known; 1 in all boxes of a level."},
    {.name = "unknown_09", U8, .doc = "Not known; 1 in all boxes of a level."},
    {.name = "unknown_0a", U8, .doc = "Not known; 0 in all boxes of a level."},
    {.name = "unknown_0b", U8, .doc = "Not known; 0 in all boxes of a level."},
    {.name = "unknown_0c", U8, .doc = "Not known; 0 in all boxes of a level."},
    {.name = "unknown_0d", U8, .doc = "Not known; 0 in all boxes of a level."},
    {.name = "rotation", U8, .unit = "1/8 turn", .doc = "0 along +Y of the grid, 2 along +X.", NAMES(angles)},
    {.name = "unknown_0f", U8, .doc = "Not known; 0 in all boxes of a level."},
};
RECORD(box, "box", "a box, barrel, switch or wall that can be blown up", .placement = &stands);

static const mst_field door_fields[] = {
    {.name = "x", U8, .unit = "cells", .doc = "Column of its cell."},
    {.name = "y", U8, .unit = "cells", .doc = "Row of its cell."},
    {.name = "unknown_02", U8, .doc = "Not known; 0 or 64."},
    {.name = "open_time", U8, .doc = "How long it stays open; the unit is not known."},
    {.name = "lock",
     U8,
     NAMES(lock_states),
     .range = "1, 2, or 10 and more",
     .doc = "Whether the door opens automatically; from 10 on it must be shot open."},
    {.name = "unknown_05", U8, .doc = "Not known; 0 in all doors of a level."},
    {.name = "rotation", U8, .unit = "1/8 turn", .doc = "0 along +Y of the grid, 2 along +X.", NAMES(angles)},
    {.name = "model",
     U8,
     REFERS({.by = MST_BY_ID, .target = "door_models", .key = "name", .code = "ALIEN-MODEL"}),
     .doc = "Number of a D section."},
};
RECORD(door, "door", "a door", .placement = &stands);

static const mst_field lift_fields[] = {
    {.name = "x", U8, .unit = "cells", .doc = "Column of its cell."},
    {.name = "y", U8, .unit = "cells", .doc = "Row of its cell."},
    {.name = "z", U8, .doc = "Height; the unit is not known."},
    {.name = "unknown_03", U8, .doc = "Not known; 0 to 6."},
    {.name = "unknown_04", U8, ZERO, .doc = "Not known; 0."},
    {.name = "unknown_05", U8, .doc = "Not known; no lift of the game could be looked at."},
    {.name = "unknown_06", U8, .doc = "Not known; 1."},
    {.name = "unknown_07", U8, .doc = "Not known; 1, 4, 5 or 17."},
    {.name = "unknown_08", U8, .doc = "Not known; 0, 1 or 60."},
    {.name = "unknown_09", U8, .doc = "Not known; no lift of the game could be looked at."},
    {.name = "unknown_0a", U8, .doc = "Not known; no lift of the game could be looked at."},
    {.name = "unknown_0b", U8, ZERO, .doc = "Not known; 0."},
    {.name = "model",
     U8,
     REFERS({.by = MST_BY_ID, .target = "lift_models", .key = "name", .code = "ALIEN-MODEL"}),
     .doc = "Number of an L section."},
    {.name = "unknown_0d", U8, .doc = "Not known; equal to the next two."},
    {.name = "unknown_0e", U8, .doc = "Not known; equal to the byte before."},
    {.name = "unknown_0f", U8, .doc = "Not known; equal to the byte before."},
};
RECORD(lift, "lift", "a lift", .placement = &stands);

static const uint8_t empty_slot[] = {0xFF, 0xFF, 0xFF, 0xFF};

static const mst_field trigger_fields[] = {
    {.name = "mask", U8, .doc = "Not known; 255 or 0 in an unused trigger."},
    {.name = "first_command",
     U8,
     REFERS({.target = "commands", NO(255), .heir = "next", .code = "ALIEN-COMMAND-NEXT"}),
     .doc = "First command of the chain; 255: none."},
    {.name = "uses", U8, .doc = "How often it can be triggered; 255: without limit."},
    {.name = "unknown_03", U8, .doc = "Not known; 0, and 255 or 0 in an unused trigger."},
};
RECORD(trigger, "trigger", "an action of stepping on a cell; unused: 255 four times or 0, 255, 255, 0",
       .vacant = mst_alien_is_empty, .empty = empty_slot);

#define TARGET(list, number)                                                                                 \
    {                                                                                                        \
        .target = (list), .where = "operation", .operation = MST_EQUAL, .value = (number),                   \
        .code = "ALIEN-COMMAND-TARGET"                                                                       \
    }
static const mst_field command_fields[] = {
    {.name = "operation", U8, NAMES(operations), .doc = "The action on the target."},
    {.name = "next",
     U8,
     REFERS({.target = "commands", NO(255), .heir = "next", .code = "ALIEN-COMMAND-NEXT"}),
     .doc = "Next command of the chain; 255: the chain ends."},
    {.name = "amount", U8, .doc = "Argument of the operation; its unit is not known."},
    {.name = "target",
     U8,
     REFERS(TARGET("lights", 0), TARGET("doors", 1), TARGET("pickups", 2), TARGET("monsters", 3),
            TARGET("boxes", 4), TARGET("lifts", 5), TARGET("doors", 6), TARGET("lifts", 7),
            TARGET("texture_animators", 9)),
     .doc = "Index into the list that the operation acts on.",
     .evidence =
         "all targets of two levels; operation 4 hits exactly the switches, 9 exactly the animated panels"},
};
RECORD(command, "command", "a step of a trigger's action; unused: as a trigger", .vacant = mst_alien_is_empty,
       .empty = empty_slot);

static const mst_field light_fields[] = {
    {.name = "off_color", U8, FIXED(3), .doc = "Red, green, blue, 0 to 255, while the light is off."},
    {.name = "unknown_03", U8, ZERO, .doc = "Padding; 0 in the game's levels."},
    {.name = "on_color", U8, FIXED(3), .doc = "Red, green, blue, 0 to 255, while the light is on."},
    {.name = "unknown_07", U8, ZERO, .doc = "Padding; 0 in the game's levels."},
    {.name = "corner_color",
     U8,
     FIXED(3),
     .doc = "Red, green, blue; by its name for the mode `gouraud`. Which corner is not known."},
    {.name = "unknown_0b", U8, ZERO, .doc = "Padding; 0 in the game's levels."},
    {.name = "corner_color_2", U8, FIXED(3), .doc = "Likewise, of another corner."},
    {.name = "unknown_0f", U8, ZERO, .doc = "Padding; 0 in the game's levels."},
    {.name = "timers",
     U16,
     FIXED(4),
     .flags = MST_FIELD_LITTLE,
     .doc = "Countdown, on, off, repeats; the order and the unit are uncertain. Little-endian in both byte "
            "orders."},
    {.name = "mode", U8, NAMES(light_modes), .doc = "How the light changes."},
    {.name = "on", U8, .doc = "0: off_color is in use, else on_color."},
    {.name = "variant", U8, .doc = "The light's variant; the meaning of the variants is not known."},
    {.name = "variant_max", U8, .doc = "The last variant."},
};
RECORD(light, "light", "a colour, possibly changing, that quads and cells refer to");

static const mst_field texture_animator_fields[] = {
    {.name = "program",
     U16,
     REFERS(
         {.by = MST_BY_ID, .target = "texture_animation_words", .key = "program", .code = "ALIEN-REFERENCE"}),
     .doc = "The program whose words are its steps.",
     .evidence = "all animators of two levels; a description calls it the index of the first word, which "
                 "does not fit them"},
    {.name = "variant", U8, .doc = "The animator's variant; the meaning of the variants is not known."},
    {.name = "variant_max", U8, .doc = "The last variant."},
};
RECORD(texture_animator, "texture_animator", "a panel whose texture changes");

static const mst_field texture_animation_word_fields[] = {
    {.name = "program",
     U16,
     .doc = "Number of the program that the word belongs to; its words are consecutive.",
     .evidence = "four programs of five words each in a level of the game"},
    {.name = "value",
     U16,
     .flags = MST_FIELD_FLAGS | MST_FIELD_BESIDE,
     NAMES(operation_marks),
     .doc = "Index into all rectangles of the texture file; with the flag operation 1 to return to the first "
            "word, 2 to 10 for a speed, 11 to stop."},
};
RECORD(texture_animation_word, "texture_animation_word", "a step of an animator");

#define PAIR(order, first, first_list, first_variable, second, second_list, second_variable)                 \
    {.name = (first), U8, LENGTH_OF(first_list, first_variable), .when = {order}}, {                         \
        .name = (second), U8, LENGTH_OF(second_list, second_variable), .when = { order }                     \
    }

static const mst_field map_fields[] = {
    {.name = "vertex_count", U16, LENGTH_OF("vertices", R_VERTICES)},
    {.name = "quad_count", U16, LENGTH_OF("quads", R_QUADS), .doc = "Includes the terminator."},
    {.name = "grid_columns", U16, BIND(R_COLUMNS), .doc = "Cells along X."},
    {.name = "grid_rows", U16, BIND(R_ROWS), .doc = "Cells along Z."},
    {.name = "start_x", U16, .unit = "cells", .doc = "Column of the cell in which the player starts."},
    {.name = "start_y", U16, .unit = "cells", .doc = "Row of the cell in which the player starts."},
    PAIR(LOW_FIRST, "path_node_count", "path_nodes", R_PATH_NODES, "light_count", "lights", R_LIGHTS),
    PAIR(HIGH_FIRST, "light_count", "lights", R_LIGHTS, "path_node_count", "path_nodes", R_PATH_NODES),
    {.name = "monster_count", U16, LENGTH_OF("monsters", R_MONSTERS)},
    {.name = "pickup_count", U16, LENGTH_OF("pickups", R_PICKUPS)},
    {.name = "box_count", U16, LENGTH_OF("boxes", R_BOXES)},
    {.name = "door_count", U16, LENGTH_OF("doors", R_DOORS)},
    {.name = "lift_count", U16, LENGTH_OF("lifts", R_LIFTS)},
    {.name = "start_angle",
     U16,
     .unit = "1/8 turn",
     NAMES(angles),
     .doc = "Which way the player looks: 0 along +Y of the grid, 2 along +X."},
    {.name = "texture_animator_count", U16, LENGTH_OF("texture_animators", R_ANIMATORS)},
    PAIR(LOW_FIRST, "trigger_count", "triggers", R_TRIGGERS, "command_count", "commands", R_COMMANDS),
    PAIR(HIGH_FIRST, "command_count", "commands", R_COMMANDS, "trigger_count", "triggers", R_TRIGGERS),
    {.name = "texture_animation_word_count", U16, LENGTH_OF("texture_animation_words", R_WORDS)},
    {.name = "enemy_mask",
     U16,
     .doc = "Bit (type - 1) for each monster type 1..15 in the level; a bit without a monster of the type "
            "crashes the game. Updated when monsters are edited.",
     .evidence = "exact in both known levels"},
    {.name = "vent_mask",
     U16,
     .doc = "Which vents (types 16..19) the level has; how its bits follow from them is unknown. No check, "
            "fix or "
            "edit of monsters touches it.",
     .evidence = "of two real levels, one has eight vents of type 16 and 4 here, the other none and 0"},
    {.name = "vertices",
     COUNTED(vertex, R_VERTICES),
     .doc = "Corners of the quads; unused ones are allowed."},
    {.name = "quads", COUNTED(quad, R_QUADS), .doc = "The faces, cell by cell, and the terminator."},
    {.name = "cells",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = R_COLUMNS,
     .count = R_ROWS,
     .record = &cell,
     .doc = "The cells of the grid, row by row."},
    {.name = "path_nodes", COUNTED(path_node, R_PATH_NODES), .doc = "Waypoints of monsters."},
    {.name = "monsters", COUNTED(monster, R_MONSTERS), .doc = "Enemies and vents."},
    {.name = "pickups", COUNTED(pickup, R_PICKUPS), .doc = "Items in the level, or dropped."},
    {.name = "boxes", COUNTED(box, R_BOXES), .doc = "Boxes, barrels, switches."},
    {.name = "doors",
     COUNTED(door, R_DOORS),
     .doc = "Where they are and how they open; their shapes are in `door_models`."},
    {.name = "lifts",
     COUNTED(lift, R_LIFTS),
     .doc = "Where they are and how they move; their shapes are in `lift_models`."},
    {.name = "triggers",
     COUNTED(trigger, R_TRIGGERS),
     .flags = MST_FIELD_SLOTS,
     .doc = "Started when the player enters a cell that refers to one; 64 in every level."},
    {.name = "commands",
     COUNTED(command, R_COMMANDS),
     .flags = MST_FIELD_SLOTS,
     .doc = "The commands of triggers, executed in order; 64 in every level."},
    {.name = "lights",
     COUNTED(light, R_LIGHTS),
     .flags = MST_FIELD_SLOTS,
     .doc = "Colours, still or blinking, in which quads and cells are lit; 128 in every level."},
    {.name = "texture_animators",
     COUNTED(texture_animator, R_ANIMATORS),
     .doc = "Panels whose texture changes."},
    {.name = "texture_animation_words",
     COUNTED(texture_animation_word, R_WORDS),
     .doc = "The steps of all animators, program by program."},
};
RECORD(map, "map", "the level: a header of 36 bytes and 14 blocks without gaps");

/* The size of the header and blocks, computed from the header's counts; 0 without a complete header. */
static uint64_t size_of_blocks(const uint8_t *content, uint64_t size, bool big) {
    /* the header's counts in order: offset, width, size of an element */
    static const uint8_t blocks[][3] = {{0, 2, 8},  {2, 2, 20},  {12, 1, 8}, {13, 1, 28}, {14, 2, 20},
                                        {16, 2, 8}, {18, 2, 16}, {20, 2, 8}, {22, 2, 16}, {26, 2, 4},
                                        {28, 1, 4}, {29, 1, 4},  {30, 2, 4}};
    if (size < 36)
        return 0;
    uint64_t sum = 36 + (uint64_t)mst_load16(content + 4, big) * mst_load16(content + 6, big) * 16;
    for (size_t i = 0; i < MST_COUNT_OF(blocks); i++) {
        bool half = blocks[i][1] == 1; /* of a word */
        sum += mst_load(content + (blocks[i][0] ^ (half && big)), blocks[i][1], big) * blocks[i][2];
    }
    return sum;
}

static bool accepts_map(const uint8_t *content, uint64_t size, bool big) {
    return size >= 36 && size_of_blocks(content, size, big) == size;
}

static const mst_case level_cases[] = {
    {.id = MST_NAMED('M', 'A', 'P', '0'),
     .accepts = accepts_map,
     .field = {.name = "map", .kind = MST_KIND_RECORD, .record = &map, .doc = "Exactly one, and first."}},
    {.id = MST_NAMED('D', 0, 0, 0),
     .any = 0x00FFFFFFu,
     .accepts = mst_alien_accepts_model,
     .field = {.name = "door_models",
               .kind = MST_KIND_RECORD,
               .record = &mst_alien_model,
               .flags = MST_FIELD_REPEATED | MST_FIELD_WITH_HEADER | MST_FIELD_APPEND,
               .doc = "D000, D001, ...: doors and other moving objects."}},
    {.id = MST_NAMED('L', 0, 0, 0),
     .any = 0x00FFFFFFu,
     .accepts = mst_alien_accepts_model,
     .field = {.name = "lift_models",
               .kind = MST_KIND_RECORD,
               .record = &mst_alien_model,
               .flags = MST_FIELD_REPEATED | MST_FIELD_WITH_HEADER | MST_FIELD_APPEND,
               .doc = "L000, L001, ...: lifts."}},
};
static const mst_chunks level_chunks = {.cases = level_cases,
                                        .case_count = MST_COUNT_OF(level_cases),
                                        .big = true,
                                        .align = 2,
                                        .unknown = &mst_alien_unknown_sections};

static const mst_field level_fields[] = {
    {.name = "magic",
     .kind = MST_KIND_CHAR8,
     FIXED(4),
     .constant = "FORM",
     .doc = "A container of sections."},
    {
        .name = "size",
        U32,
        .flags = MST_FIELD_SIZE | MST_FIELD_BIG,
    },
    {.name = "type",
     .kind = MST_KIND_CHAR8,
     FIXED(4),
     .constant = "0000",
     .doc = "Four zeros in ASCII: a level."},
    {.name = "sections",
     .kind = MST_KIND_CHUNKS,
     .chunks = &level_chunks,
     .doc = "MAP0, then D000, D001, ... and L000, L001, ..."},
    MST_ALIEN_TRAILING(),
};
RECORD(level, "level", "the file: a container of named sections");

/* ---- the formats -------------------------------------------------------------------------------- */

static const mst_record *const level_records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe_map(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                      mst_variant *variant) {
    (void)file_size;
    (void)name;
    (void)variant;
    return mst_alien_probe(bytes, size, "0000");
}

/* The blocks of MAP0 fill the section exactly in the right byte order only. */
static mst_status resolve_map(const uint8_t *bytes, size_t size, mst_variant *variant,
                              mst_diagnostic *diagnostic) {
    uint32_t length;
    const uint8_t *content = mst_alien_find_section(bytes, size, MST_NAMED('M', 'A', 'P', '0'), &length);
    if (!content)
        return MST_OK;
    uint64_t little = size_of_blocks(content, length, false), big = size_of_blocks(content, length, true);
    variant->big = little != length;
    if (length >= 36 && (little == length || big == length))
        return MST_OK;
    mst_fail(diagnostic, MST_DAMAGED, "the blocks of MAP0 do not fill its section in either byte order");
    if (diagnostic) {
        MST_SET(diagnostic->code, "ALIEN-BLOCKS");
        MST_SET(diagnostic->path, "map");
        diagnostic->offset = (uint64_t)(content - bytes);
        diagnostic->length = length;
        MST_SET(diagnostic->expected, "%u bytes", length);
        if (length < 36)
            MST_SET(diagnostic->found, "less than a header");
        else
            MST_SET(diagnostic->found, "%llu little-endian, %llu big-endian", (unsigned long long)little,
                    (unsigned long long)big);
    }
    return MST_DAMAGED;
}

const mst_format mst_format_alien_map = {
    .information = {.id = "alien-map",
                    .title = "Alien Trilogy level",
                    .extensions = ".map",
                    .media_type = "",
                    .versions = "",
                    .rows = "map.monsters",
                    .added_columns = "cell cells drops does triggers"},
    .tables.compared = mst_alien_compared,
    .tables.root = &level,
    .tables.records = level_records,
    .tables.record_count = MST_COUNT_OF(level_records),
    .conversion = &(const mst_conversion){.either_order = true},
    .identity.probe = probe_map,
    .identity.resolve_variant = resolve_map,
    .check.problem_codes = MST_ALIEN_PROBLEM_CODES("ALIEN-MAGIC", "ALIEN-SIZE"),
    .check.codes = &mst_alien_map_codes,
    .check.dangling = MST_DANGLING("ALIEN-RUNS", "ALIEN-CHAIN", "ALIEN-TERMINATOR", "ALIEN-MODEL-LAST",
                                   "ALIEN-FIXED-COUNT"),
    .check.fixes = MST_FIXES({"ALIEN-ENEMY-MASK", "sets it to the types of the monsters in the level", NULL}),
    .fix_up = mst_alien_fix_up,
    .set = &(const mst_set_rules){.names_elsewhere = {"texture", "rectangle_lists"}},
    .editing = &(const mst_edit_hooks){.renumber = mst_alien_renumber,
                                       .alone = mst_alien_alone,
                                       .renumber_all = mst_alien_renumber_all,
                                       .settle = mst_alien_settle,
                                       .reaches = mst_alien_reaches},
    .adding = &(const mst_add_hooks){.place = mst_alien_place, .blank = mst_alien_blank},
    .content.describe = mst_alien_describe,
    .content.special = &(const mst_special_content){.look_up = mst_alien_look_up},
    .content.names = mst_alien_names,
    .check.check = mst_alien_check_map,
    .build_scene = mst_alien_scene,
    .tables.listed =
        MST_LISTED({"level", "door_models", NULL, "alien.md 8"}, {"level", "lift_models", NULL, "alien.md 8"},
                   {"map", "quads", "it is the terminator, which must remain the last", "alien.md 8"},
                   {"map", "cells", NULL, "alien.md 8"}, {"map", "triggers", NULL, "alien.md 8"},
                   {"map", "commands", NULL, "alien.md 8"}, {"map", "lights", NULL, "alien.md 8"}),
    .tables.sources =
        "[Alien Trilogy MAP](https://wiki.xentax.com/index.php/Alien_Trilogy_MAP), corrected by measurements "
        "on two levels of the PC, a program that shows levels and one that plays them. No level of the "
        "consoles could be measured.\n",
    .tables.introduction =
        "A level of Alien Trilogy (Probe, 1996). The container's numbers are big-endian; the content of its "
        "sections is\n"
        "little-endian on the PC and big-endian on the Saturn: in the right order the blocks of `MAP0` fill "
        "the section\n"
        "exactly. A section of odd size would be followed by a zero byte.\n\n"
        "Y is up; a cell of the grid is 512 units wide and begins at x = (column - grid_columns / 2) * 512,\n"
        "z = (row - grid_rows / 2) * 512. Positions of objects are cells. Angles are eighths of a turn: 0 "
        "along +Y of the\n"
        "grid (+Z of the world), 2 along +X. A quad (a, b, c, d) is visible from the side on which it runs "
        "counter-clockwise.\n\n"
        "The cells' runs of quads are contiguous and cover all quads except the terminator.\n\n"
        "The looks of things are in other files: monsters in `NME` (`alien-sprites`), pickups in "
        "`GFX/PICKMOD.BND`, boxes and switches in\n"
        "`GFX/OBJ3D.BND` (`alien-models`), their textures in `GFX/PICKGFX.BND` and the panels "
        "(`LANGUAGE/PNL0GFX?.BND`, `PNL1GFX?.BND`).\n"
        "Scenes show them at their size: a picture's pixel is 7.6 to 11 units, by the monster. The game "
        "looks up\n"
        "colours at a brightness from 0 to 255 in the light table (`.DPQ`). How light and distance determine "
        "the brightness is not known; scenes multiply\n"
        "colours by the largest part of the light's colour / 255.\n",
};
