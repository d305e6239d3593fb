/* SPDX-License-Identifier: MIT */
/*
 * The tables of sectors of Revenant's maps. Facts: a public schema of version 15
 * (https://pastebin.com/XeMvt9aw), corrected by measurements on 8,268 sectors of versions 0-8 and by
 * published analyses of the retail game (versions 14, 15); 9-13 were not seen.
 */
#include "../../core/diagnose.h"
#include "../../core/unreachable.h"
#include "../../edit/fix_findings.h"
#include "../../tables/words.h"
#include "revenant.h"
#include "revenant_names.h"

/* context variables; 0 is the version */
enum {
    R_COUNT = 1,
    R_CLASS,
    R_OBJECT_VERSION,
    R_COMPLEX,
    R_FLAGS,
    R_INVENTORY,
    R_TYPE,
    R_MULTIPLAYER,
    R_PLAYER
};

#define NAME .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8
#define MIN(variable, n)                                                                                     \
    { MST_AT_LEAST, (variable), (n) }
#define HAS(bits)                                                                                            \
    { MST_ANY_BIT, R_FLAGS, (bits) }
#define LACKS(bits)                                                                                          \
    { MST_NO_BIT, R_FLAGS, (bits) }
#define LAYOUT(name)       IS(MST_VARIABLE_LAYOUT, MST_REVENANT_##name)
#define OTHER_LAYOUT(name) IS_NOT(MST_VARIABLE_LAYOUT, MST_REVENANT_##name)
#define CLASS(number)      IS(R_CLASS, MST_REVENANT_##number)
#define ONE_OF(numbers)                                                                                      \
    { MST_ONE_OF, R_CLASS, (numbers) }
#define BIT(number) (1u << MST_REVENANT_##number)
#define CHARACTERS  ONE_OF(BIT(PLAYER) | BIT(CHARACTER))

/* Sectors and saved games share the records of objects, which are first in the lists of both. */
#define OBJECT_RECORDS(X) X(object) X(stat) X(stat_high) X(light) X(monster) X(generator)
#define SECTOR_RECORDS(X) X(sector) X(early_object)
enum { OBJECT_RECORDS(RECORD_INDEX) SECTOR_RECORDS(RECORD_INDEX) };

/* ---- parts of an object ------------------------------------------------------------------------- */

#define STAT_VALUE                                                                                           \
    {                                                                                                        \
        .name = "value", I32,                                                                                \
        .doc = "The amount, which replaces the amount of the object's type in class.def.",                   \
        .range = "seen: AMT 1..420, HLT 0..200, FAT 20..200, MAN 0..100; the limits are in class.def"        \
    }
#define STAT_CODE                                                                                            \
    .name = "id", .kind = MST_KIND_CHAR8, FIXED(4),                                                          \
    .doc =                                                                                                   \
        "Code of the statistic in class.def, filled up with NUL. Containers and exits have LOCK (locked), "  \
        "KEY (number of the key) and PICK (how hard to pick; older: LOC, PIC), keys KEY, money and "         \
        "ammunition AMT (how many), characters AGGR (attacks on sight), PSND (poisoned), SLP (asleep), "     \
        "HLT health, FAT fatigue, MAN mana (older: AGG, PSN; MHL, MFA and MMA are the maxima)."
static const mst_field stat_fields[] = {STAT_VALUE, {STAT_CODE}};
RECORD(stat, "stat", "a statistic whose value differs from the object's type");
static const mst_field stat_high_fields[] = {STAT_VALUE, {STAT_CODE, .flags = MST_FIELD_HIGH}};
RECORD(stat_high, "stat_high", "a statistic from version 14 on, bit 7 of the code's bytes set");

static const mst_field light_fields[] = {
    {.name = "flags",
     U8,
     .flags = MST_FIELD_FLAGS,
     NAMED(light_flag),
     .doc = "The kind of light; without any flag it shines all around."},
    {.name = "position",
     I32,
     FIXED(3),
     .unit = "1/32 m",
     .doc = "Where the light is, relative to its object, along x, y and z of the map."},
    {.name = "color", U8, FIXED(3), .doc = "Red, green and blue.", .range = "0..255"},
    {.name = "intensity", U8, .doc = "How strongly it shines.", .range = "0..255; seen 30..255"},
    {.name = "multiplier",
     I16,
     .doc = "How far it reaches; its unit is not known, as the game only multiplies by it.",
     .range = "seen -1 and 1..255, mostly 12, 15 and 20"},
};
RECORD(light, "light", "the light of an object, 19 bytes");

static const mst_field monster_fields[] = {
    {.name = "name",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_SENTINEL,
     .ends = mst_revenant_is_nul,
     .doc = "Name of the type of monster in class.def."},
    {.name = "terminator", U8, .flags = MST_FIELD_DEFAULT, .doc = "Ends the name.", .range = "0"},
    {.name = "unknown_1", I32, .doc = "Not known: no file has such an object."},
    {.name = "unknown_2",
     I32,
     .doc = "Not known: no file has such an object.",
     .range = "the game's code has at most 19999"},
    {.name = "start_time",
     I32,
     .doc = "A game time; what begins then is not known for certain.",
     IF(FROM(15))},
};
RECORD(monster, "monster", "an object that a generator creates");

static const mst_field generator_fields[] = {
    {.name = "monsters",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &monster,
     .doc = "The monsters that it makes.",
     .range = "at most 5"},
    {.name = "unknown", I32, .doc = "Not known: no file has such an object."},
};
RECORD(generator, "generator", "a generator of monsters");

/* ---- fields of both kinds of objects ------------------------------------------------------------- */

#define OBJECT_TYPE                                                                                          \
    .name = "object_type", I16,                                                                              \
    .doc = "The type within its class, by its place in the class's list of that time, which no known "       \
           "class.def still has. It cannot be turned into a unique_id."
#define OBJECT_NAME                                                                                          \
    .name = "name", NAME,                                                                                    \
    .doc =                                                                                                   \
        "Its own name, by which scripts and exit.def find it; empty: it is called by the name of its type.", \
    .range = "up to 255 bytes of ASCII"
#define OBJECT_FLAGS                                                                                         \
    .name = "flags", U32, BIND(R_FLAGS), .flags = MST_FIELD_FLAGS, NAMED(flag),                              \
    .doc = "Its effect; determines the following fields."
#define POSITION                                                                                             \
    .name = "position", I32, FIXED(3), .unit = "1/32 m",                                                     \
    .doc = "Place on the level: x, y, z. A sector is 1024 wide; the game reads the low ten bits of x and y " \
           "here, the rest from the file's name.",                                                           \
    .range = "x and y in the file's sector, z mostly 0..511"
#define VELOCITY                                                                                             \
    .name = "velocity", I32, FIXED(3), .unit = "1/65536",                                                    \
    .doc = "How far it moves in a tick along x, y and z: 65536 is one map unit."
#define STATE                                                                                                \
    .name = "state",                                                                                         \
    .doc = "Which picture or movement it shows: an index into its imagery (STATE in the editor)."
#define LEVEL                                                                                                \
    .name = "level", .doc = "Number of the level it is on; stored for objects that are not part of the map."
#define HEALTH                                                                                               \
    .name = "health", U8, .doc = "Its remaining health; from version 5 on the statistic HLT.",               \
    .range = "0; 176 in eight"
#define FACING                                                                                               \
    .name = "facing", U8, .unit = "1/256 turn",                                                              \
    .doc = "Direction in which it looks, rotation_z of later versions: 0 is -y, 64 is +x."
/* REV-V0-CHAIN and REV-V0-LOOP check which slots may be referenced. When a slot is removed, its chain
 * continues with its heir. */
#define SLOT(...) REFERS({.target = "objects", .heir = "next_item", NO(0xFFFFFFFFu), __VA_ARGS__})
#define FIRST_ITEM                                                                                           \
    .name = "first_item", I16,                                                                               \
    .doc = "Slot of the first object that it carries; next_item of that one leads to the others.",           \
    .range = "a slot of the file", .evidence = "8 chains with 108 objects, all complete",                    \
    SLOT(.carries = true)
#define NEXT_ITEM                                                                                            \
    .name = "next_item", I16, .doc = "Slot of the next object with the same carrier.",                       \
    .range = "a slot of the file, -1 at the end", SLOT(.carries = false)
#define INVENTORY_NUMBER                                                                                     \
    .name = "inventory_number", I16,                                                                         \
    .doc = "Its place in the inventory of its carrier: from 0 in the backpack; from 256 on the body: 256 "   \
           "neck, "                                                                                          \
           "257 body, 258 other hand, 259 weapon hand, 260 and 261 rings, 262 ranged weapon, 263 "           \
           "ammunition, 264 legs.",                                                                          \
    .range = "-1 if it is not carried"
#define SHADOW                                                                                               \
    .name = "shadow", I32,                                                                                   \
    .doc = "The shadow object that belongs to it: map_index of an object of class shadow in the same "       \
           "sector. The game of 1999 does not use it.",                                                      \
    .evidence = "53 of the 86 that are set name one, so no check reports it"
#define SHADOW_PLACE                                                                                         \
    .name = "shadow", I32,                                                                                   \
    .doc = "The place of the shadow object that belongs to it: level << 28, sector x << 22, sector y << "    \
           "16, slot; mostly in the same file. A map_index from version 3 on.",                              \
    REFERS({.target = "objects", .mask = 0xFFFF, NO(0xFFFFFFFFu), .about = mst_revenant_is_own_slot})
#define FRAME .name = "frame", I16, .doc = "Picture of its movement that it had reached, counted from 0."
#define FRAME_RATE                                                                                           \
    .name = "frame_rate", I16, .doc = "Not known; probably the speed of the animation.", .range = "1 in all"
#define LIGHT .name = "light", .kind = MST_KIND_RECORD, .record = &light, .doc = "Its light."
/* ---- types that store more than their class does ------------------------------------------------- */

/* Types that store more than their class does are those for which the game has a builder, by name. R_TYPE is
 * one of these values, by unique_id; MORE: the fields of the type exist (a file may lack them). */
enum { T_OTHER, T_DRIP, T_DRIP_MORE, T_SPEAKER, T_SPEAKER_MORE, T_SPIKE_WALL, T_SPIKE_WALL_MORE };
static uint32_t type_of(uint32_t unique_id) {
    switch (unique_id) {
    case MST_REVENANT_TYPE_DRIP: return T_DRIP;
    case MST_REVENANT_TYPE_SPEAKER: return T_SPEAKER;
    case MST_REVENANT_TYPE_SPIKE_WALL: return T_SPIKE_WALL;
    default: return T_OTHER;
    }
}
static uint32_t drip_more(uint32_t value) {
    (void)value;
    return T_DRIP_MORE;
}
static uint32_t speaker_more(uint32_t value) {
    (void)value;
    return T_SPEAKER_MORE;
}
static uint32_t spike_wall_more(uint32_t value) {
    (void)value;
    return T_SPIKE_WALL_MORE;
}
#define TYPE(name)         IS(R_TYPE, T_##name)
#define IF_THERE(function) BIND(R_TYPE), .transform = function

#define HAS_LEFT(function, bytes)                                                                            \
    {                                                                                                        \
        .present = (function),                                                                               \
        .text = "_root.format_version < 4 or (_root.format_version >= 14 and @ >= " #bytes ")",              \
        .unknown = "_root.format_version >= 4 and _root.format_version < 14 and @ >= " #bytes " + 4"         \
    }
static const mst_expression expressions[] = {
    {.transform = type_of, .text = "$ == 0x5975abde ? 1 : $ == 0x302 ? 3 : $ == 0x84b30587 ? 5 : 0"},
    {.transform = drip_more, .text = "2"},
    {.transform = speaker_more, .text = "4"},
    {.transform = spike_wall_more, .text = "6"},
    HAS_LEFT(mst_revenant_has_4, 4),
    HAS_LEFT(mst_revenant_has_12, 12),
    {.present = mst_revenant_has_sound,
     .text = "_root.format_version < 4",
     .unknown = "_root.format_version >= 4 and @ >= 9"},
    {.present = mst_revenant_has_length,
     .text = "_root.format_version < 4 or (_root.format_version >= 14 and @ >= 12)",
     .unknown = "_root.format_version >= 4 and _root.format_version < 14 and @ >= 8"},
    {.present = mst_revenant_has_target, .text = "@ == 12"},
    {.present = mst_revenant_has_generator, .text = "false", .unknown = "@ >= 5"},
    {.present = mst_revenant_is_inventory,
     .ahead = "inventory_ahead",
     .text = "_root.format_version < 4 or (@ >= 4 and %.is_one)"},
    {.ends = mst_revenant_is_nul, .text = "$ == 0"},
    {.text = NULL}};

static const mst_record object;
#define OBJECTS .kind = MST_KIND_RECORD, .record = &object

#define SIZE(n) .name = "size_" #n, I16, .doc = "For readers that skip unknown data.", .range = "0..32767"
#define LOCKED                                                                                               \
    .name = "locked", I32, .doc = "Whether it is locked; from version 5 on the statistic LOCK.",             \
    .range = "0 or 1"
#define PICK_DIFFICULTY                                                                                      \
    .name = "pick_difficulty", I32,                                                                          \
    .doc = "How hard its lock is to pick; from version 5 on the statistic PICK."
#define EXIT_FLAGS                                                                                           \
    .name = "exit_flags", U32, .flags = MST_FIELD_FLAGS, NAMED(exit_flag), .doc = "The state of the exit.",  \
    .evidence = "0 in 491 of 493, noise in two"
#define EXIT_FLAGS_OF_SPIKE_WALL                                                                             \
    .name = "exit_flags", U32, .flags = MST_FIELD_FLAGS, NAMED(exit_flag), .doc = "The state of the wall.",  \
    SPIKE_WALLS
/* a SpikeWall (0x84b30587), a trap, is built as an exit, but not in the retail game */
#define SPIKE_WALLS                                                                                          \
    .evidence = "the game's source of 1998: a SpikeWall, type 0x84b30587, is built as an exit; 15 of "       \
                "version 8, all 0"
#define TAIL                                                                                                 \
    .name = "unknown_tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY,                                       \
    .doc = "Not known: unexplained bytes of the class, kept unchanged.",                                     \
    .range = "empty in all 8268 developer sectors"
#define CARRIES .doc = "Objects that it carries, in the order of their inventory_index."

#define COMPLEX_VERSION                                                                                      \
    .name = "complex_version", U8, BIND(R_COMPLEX),                                                          \
    .doc = "Form of the data that all objects with actions have.", .range = "1"
#define INSTANCE_VERSION                                                                                     \
    .name = "instance_version", U8, .doc = "Form of the data that all objects have.", .range = "0"
#define INVENTORY_INDEX                                                                                      \
    .name = "inventory_index", I16, .doc = "Its place in its carrier's inventory.",                          \
    .range = "from 0; -1 if it is not carried"
#define ROTATION_X .name = "rotation_x", U8, .unit = "1/256 turn", .doc = "Tilt of a 3D object about x."
#define ROTATION_Y .name = "rotation_y", U8, .unit = "1/256 turn", .doc = "Tilt of a 3D object about y."
#define ROTATION_Z                                                                                           \
    .name = "rotation_z", U8, .unit = "1/256 turn",                                                          \
    .doc = "Direction in which it looks (FACE in the editor): 0 is -y, 64 is +x."
#define MAP_INDEX                                                                                            \
    .name = "map_index", I32,                                                                                \
    .doc = "A random number that names this object in the whole world: exit.def and network messages "       \
           "use it.",                                                                                        \
    .range = "unique; -1 for none"
#define GROUP                                                                                                \
    .name = "group", U8,                                                                                     \
    .doc = "Number of its group in the editor (GROUP), the same for all of the group; its use by the game "  \
           "is not known.",                                                                                  \
    .range = "0 for none"
#define ACTION                                                                                               \
    .name = "action", U8, NAMED(action),                                                                     \
    .doc = "Its current action; all objects with actions share the low numbers.",                            \
    .range = "seen 0, 1, 3 and 19"
#define ROOT_STATE                                                                                           \
    .name = "root_state", NAME,                                                                              \
    .doc = "Name of the movement to which it returns when it has done something.",                           \
    .range = "`walk` for people, `combat` for monsters, `still`"
#define RECOVERY_TIMES                                                                                       \
    .name = "recovery_times", I32, FIXED(3),                                                                 \
    .doc = "Game times when its health, fatigue and mana last grew; their unit is not known."
#define LAST_POISON                                                                                          \
    .name = "last_poison", I32, .doc = "Game time when poison last hurt it; its unit is not known.",         \
    .range = "-1 for never"
#define TELEPORT_POSITION                                                                                    \
    .name = "teleport_position", I32, FIXED(3), .unit = "1/32 m",                                            \
    .doc = "The destination of its teleporting spell.", .range = "-1 three times for none"
#define TELEPORT_LEVEL                                                                                       \
    .name = "teleport_level", I32, .doc = "Number of the level on which that place is.",                     \
    .range = "-1 for none"
#define STATS_HIGH                                                                                           \
    .name = "stats", .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8,               \
    .record = &stat_high, .doc = "Statistics in which it differs from its type."
#define INVENTORY_COUNT                                                                                      \
    .name = "inventory_count", I32, .length_of = "inventory", BIND(R_INVENTORY),                             \
    .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT,                                          \
    .doc = "Number of objects that it carries; the game sometimes writes more than there are."
#define INVENTORY_TAIL                                                                                       \
    .name = "inventory_tail", RAW_TO_END,                                                                    \
    .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_OMIT_EMPTY,                                     \
    .doc = "Not known: bytes between the last object and the end by the sizes, kept unchanged."
#define INVENTORY                                                                                            \
    .name = "inventory", OBJECTS, .mode = MST_COUNT_VARIABLE, .count_variable = R_INVENTORY,                 \
    .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT | MST_FIELD_OWN, CARRIES

static const mst_field object_fields[] = {
    {.name = "object_version",
     I16,
     BIND(R_OBJECT_VERSION),
     .flags = MST_FIELD_STOP,
     .doc = "Size of its class's data; negative: an empty slot.",
     .range = "characters up to 4, players up to 15, other complex objects 1, the rest 0",
     IF(FROM(8))},
    {.name = "class", I16, BIND(R_CLASS), NAMED(class), .doc = "The class of the object.", IF(FROM(8))},
    {.name = "class",
     I16,
     BIND(R_CLASS),
     NAMED(class),
     .flags = MST_FIELD_STOP,
     .doc = "The class of the object; -1: an empty slot.",
     IF(UNTIL(8))},
    {OBJECT_TYPE, IF(UNTIL(1))},
    {.name = "unique_id",
     U32,
     BIND(R_TYPE),
     .transform = type_of,
     .doc = "Which thing it is: the unique id of its type in class.def.",
     .evidence = "class.def of 1998 has 231439 of 240984 objects",
     IF(FROM(1))},
    {SIZE(1), .flags = MST_FIELD_SIZE, IF(FROM(4), UNTIL(14))},
    {SIZE(1), .flags = MST_FIELD_SIZE, IF(FROM(14), LAYOUT(RETAIL))},
    {SIZE(2), .flags = MST_FIELD_SIZE_LAST, IF(FROM(14), LAYOUT(RETAIL))},
    {SIZE(1), .flags = MST_FIELD_SIZE_FIRST, IF(FROM(14), LAYOUT(PROSE))},
    {SIZE(2), .flags = MST_FIELD_SIZE, IF(FROM(14), LAYOUT(PROSE))},
    {.name = "player",
     RAW_TO_END,
     .flags = MST_FIELD_STOP,
     .doc = "A player's data, kept as bytes: the game has none in sectors.",
     IF(FROM(8), CLASS(PLAYER))},
    {COMPLEX_VERSION, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 3))},
    {INSTANCE_VERSION, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 3), MIN(R_COMPLEX, 1))},
    {OBJECT_NAME, IF(UNTIL(14))},
    {OBJECT_NAME, .flags = MST_FIELD_HIGH, IF(FROM(14))},
    {OBJECT_FLAGS},
    {POSITION},
    {VELOCITY, IF(UNTIL(6))},
    {VELOCITY, .evidence = "all 85400 objects of versions 6-8", IF(FROM(6), LACKS(MST_REVENANT_IMMOBILE))},
    {STATE, U8, IF(UNTIL(9))},
    {STATE, U16, IF(FROM(9))},
    {LEVEL, U8, IF(FROM(6), UNTIL(9), HAS(MST_REVENANT_NONMAP))},
    {LEVEL, U16, IF(FROM(9), HAS(MST_REVENANT_NONMAP))},
    {HEALTH, IF(UNTIL(5))},
    {FACING, IF(UNTIL(3))},
    {FIRST_ITEM, IF(UNTIL(3))},
    {INVENTORY_NUMBER},
    {NEXT_ITEM, IF(UNTIL(3))},
    {INVENTORY_INDEX, IF(FROM(3))},
    {SHADOW_PLACE, .evidence = "44 of the 56 that are set refer to a slot of their own file", IF(UNTIL(3))},
    {SHADOW, REFERS({.by = MST_BY_ID, .target = "objects", .key = "map_index", NO(0xFFFFFFFFu)}),
     IF(FROM(3))},
    {.name = "unknown_c",
     U8,
     .doc = "Not known, but it tells the two layouts of version 0 apart: the earliest files have the "
            "upper byte "
            "of shadow in this place, which is not 0.",
     .range = "0 in all",
     IF(UNTIL(3))},
    {ROTATION_X, IF(FROM(3))},
    {ROTATION_Y, IF(FROM(3))},
    {ROTATION_Z, IF(FROM(3))},
    {MAP_INDEX, IF(FROM(3))},
    {FRAME, IF(FROM(5), UNTIL(6))},
    {FRAME_RATE, IF(FROM(5), UNTIL(6))},
    {FRAME, IF(FROM(6), HAS(MST_REVENANT_ANIMATE))},
    {FRAME_RATE, IF(FROM(6), HAS(MST_REVENANT_ANIMATE))},
    {GROUP, IF(FROM(5))},
    {.name = "stats",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &stat,
     .doc = "Statistics in which it differs from its type.",
     IF(FROM(5), UNTIL(14))},
    {STATS_HIGH, IF(FROM(14))},
    {LIGHT, IF(HAS(MST_REVENANT_LIGHT))},
    {ACTION, IF(FROM(7), CHARACTERS)},
    {ROOT_STATE, IF(FROM(7), CHARACTERS)},
    {RECOVERY_TIMES, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 1))},
    {LAST_POISON, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 4))},
    {TELEPORT_POSITION, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 2))},
    {TELEPORT_LEVEL, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 2))},
    {LOCKED, IF(FROM(2), UNTIL(5), ONE_OF(BIT(CONTAINER) | BIT(EXIT) | BIT(INVENTORY_CONTAINER)))},
    {PICK_DIFFICULTY, IF(FROM(2), UNTIL(5), ONE_OF(BIT(CONTAINER) | BIT(EXIT) | BIT(INVENTORY_CONTAINER)))},
    {LOCKED, SPIKE_WALLS, IF(FROM(2), UNTIL(4), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {LOCKED, SPIKE_WALLS, IF_THERE(spike_wall_more), .present = mst_revenant_has_12,
     IF(FROM(4), UNTIL(5), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {PICK_DIFFICULTY, SPIKE_WALLS, IF(FROM(2), UNTIL(4), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {PICK_DIFFICULTY, SPIKE_WALLS, IF(FROM(4), UNTIL(5), CLASS(TRAP), TYPE(SPIKE_WALL_MORE))},
    {EXIT_FLAGS, IF(FROM(1), CLASS(EXIT))},
    {EXIT_FLAGS_OF_SPIKE_WALL, IF(UNTIL(4), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {EXIT_FLAGS_OF_SPIKE_WALL, IF(FROM(4), UNTIL(5), CLASS(TRAP), TYPE(SPIKE_WALL_MORE))},
    {EXIT_FLAGS_OF_SPIKE_WALL, .present = mst_revenant_has_4,
     IF(FROM(5), UNTIL(14), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {.name = "poison",
     I32,
     .doc = "Poison on the blade; the damage that it adds is not known.",
     .range = "0 for none",
     IF(FROM(1), CLASS(WEAPON))},
    {.name = "text",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U16,
     .doc = "The text on the scroll.",
     IF(CLASS(SCROLL))},
    {.name = "amount_minus_1",
     I32,
     .doc = "One less than the number of coins or arrows; from version 5 on the statistic AMT.",
     .range = "seen 14",
     IF(UNTIL(5), ONE_OF(BIT(MONEY) | BIT(AMMUNITION)))},
    {.name = "ripple_size",
     I32,
     IF_THERE(drip_more),
     .present = mst_revenant_has_12,
     .doc = "The final width of the ring around a drop. A Drip, type 0x5975abde, stores this and the next "
            "two, if the record has 12 more bytes.",
     .range = "seen 32",
     .evidence = "the game's source of 1998, and two objects of version 8",
     IF(TYPE(DRIP))},
    {.name = "height",
     I32,
     .doc = "Of a Drip: from how high the drops fall; the unit is not known.",
     .range = "seen 256",
     IF(TYPE(DRIP_MORE))},
    {.name = "period",
     I32,
     .unit = "ticks",
     .doc = "Of a Drip: time between two drops.",
     .range = "seen 1 and 48",
     IF(TYPE(DRIP_MORE))},
    {.name = "sound",
     NAME,
     .present = mst_revenant_has_sound,
     .doc = "The sound that a Speaker, type 0x302, plays; stored if the record has bytes for it and the next "
            "fields.",
     .evidence = "the game's source of 1998; no file has one",
     IF(TYPE(SPEAKER))},
    {.name = "sample_length",
     I32,
     .unit = "ticks",
     IF_THERE(speaker_more),
     .present = mst_revenant_has_length,
     .doc = "Of a Speaker: time until the sound begins again.",
     .range = "negative: it loops",
     IF(TYPE(SPEAKER))},
    {.name = "unknown_sound_1",
     I32,
     .doc = "Of a Speaker. Not known: the game of 1999 stores it after the length; no known file has one.",
     IF(FROM(14), TYPE(SPEAKER_MORE))},
    {.name = "unknown_sound_2",
     I32,
     .doc = "Of a Speaker. Not known: the game of 1999 stores it after the length; no known file has one.",
     IF(FROM(14), TYPE(SPEAKER_MORE))},
    {.name = "target",
     I32,
     FIXED(3),
     .unit = "1/32 m",
     .present = mst_revenant_has_target,
     .doc = "The home of a Cube or BarrierCube; the game converts it to the path from its position. The ids "
            "of these types are not public: an effect with 12 more bytes is read as one.",
     .evidence = "the code of the game of 1999; no known file has one",
     IF(FROM(14), CLASS(EFFECT))},
    {.name = "generator",
     .kind = MST_KIND_RECORD,
     .record = &generator,
     .present = mst_revenant_has_generator,
     .doc = "The creatures of a MonsterGen. The id of this type is not public: a helper whose last bytes "
            "have this form is read as one.",
     .evidence = "the code of the game of 1999; no known file has one",
     IF(FROM(14), CLASS(HELPER))},
    {TAIL, IF(FROM(14))},
    {.name = "inventory",
     OBJECTS,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .present = mst_revenant_is_inventory,
     .flags = MST_FIELD_OWN,
     CARRIES,
     IF(FROM(3), UNTIL(14))},
    {TAIL, IF(FROM(4), UNTIL(14))},
    {INVENTORY_COUNT, IF(FROM(14))},
    {INVENTORY, IF(FROM(14))},
    {INVENTORY_TAIL, IF(FROM(14))},
};
/* Angles increase from x to y. */
static const mst_placement_fields stands = {.position = {"position"},
                                            .turn = {"rotation_z", "facing"},
                                            .units = 256,
                                            .wraps = true,
                                            .from = 0,
                                            .to = 1,
                                            .axes = {1, 3, 2}};
static const mst_record object = {
    .name = "object",
    .index = I_object,
    .placement = &stands,
    .fields = object_fields,
    .field_count = MST_COUNT_OF(object_fields),
    .doc = "a slot: an object in the level, an object that another carries, or empty"};

/* A slot in the earliest files: no class stores data of its own, and one class has only the two numbers. */
#define NOT_BARE IS_NOT(R_CLASS, MST_REVENANT_EARLY_BARE)
static const mst_field early_object_fields[] = {
    {.name = "class",
     I16,
     BIND(R_CLASS),
     NAMED(early_class),
     .flags = MST_FIELD_STOP,
     .doc = "The class of the object, with other numbers than in later versions; -1: an empty slot."},
    {OBJECT_TYPE},
    {OBJECT_NAME, IF(NOT_BARE)},
    {OBJECT_FLAGS, IF(NOT_BARE)},
    {POSITION, IF(NOT_BARE)},
    {VELOCITY, IF(NOT_BARE)},
    {STATE, U8, IF(NOT_BARE)},
    {.name = "unknown_d",
     U8,
     .doc = "Not known: empty in all files.",
     .range = "0 in all 1721",
     IF(NOT_BARE)},
    {HEALTH, IF(NOT_BARE)},
    {FACING, IF(NOT_BARE)},
    {FIRST_ITEM, IF(NOT_BARE)},
    {INVENTORY_NUMBER, IF(NOT_BARE)},
    {NEXT_ITEM, IF(NOT_BARE)},
    {SHADOW_PLACE, .evidence = "its upper byte is never 0, which tells the two layouts apart", IF(NOT_BARE)},
    {LIGHT, IF(NOT_BARE, HAS(MST_REVENANT_LIGHT))},
};
RECORD(early_object, "early_object", "a slot of the earliest files", .placement = &stands);

static const mst_field sector_fields[] = {
    {.name = "magic",
     .kind = MST_KIND_CHAR8,
     FIXED(4),
     .constant = "MAP ",
     .doc = "Marks a sector. A file without it is of version 0 and begins with the count.",
     IF(FROM(1))},
    {.name = "version",
     U32,
     .doc = "Which form the file has. The shipped game has 14 and later, and 27 sectors of version 1.",
     .range = "1..15; no known file has 9-13",
     IF(FROM(1))},
    {.name = "state_hash",
     U32,
     .doc = "Hash of the sector's place, its number of slots and its characters; updated when they "
            "change. `auto` recomputes it. What reads it is not known.",
     IF(FROM(14))},
    {.name = "object_count",
     I32,
     .length_of = "objects",
     BIND(R_COUNT),
     .doc = "Number of slots, with those that are empty.",
     IF(OTHER_LAYOUT(RAW))},
    {.name = "objects",
     OBJECTS,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .doc = "The slots. Their order is kept: other fields name them by number.",
     IF(OTHER_LAYOUT(RAW), OTHER_LAYOUT(EARLY))},
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     .record = &early_object,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .doc = "The slots. Their order is kept: other fields name them by number.",
     IF(LAYOUT(EARLY))},
    {.name = "trailing",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Not known: bytes after the last slot, kept unchanged.",
     .range = "4 bytes in two files, else none",
     IF(FROM(1))},
    {.name = "data",
     RAW_TO_END,
     .doc = "Not known: a file of version 0 whose objects have neither layout, kept as bytes.",
     IF(LAYOUT(RAW))},
};
RECORD(sector, "sector", "a square of a level, 1024 units wide");

#include "save_tables.h"

static const mst_record *const records[] = {OBJECT_RECORDS(RECORD_ADDRESS) SECTOR_RECORDS(RECORD_ADDRESS)};

static const mst_bindings *const bindings[] = {
    &mst_revenant_object_bindings,  &mst_revenant_placed_bindings,     &mst_revenant_early_bindings,
    &mst_revenant_light_bindings,   &mst_revenant_stat_bindings,       &mst_revenant_stat_high_bindings,
    &mst_revenant_link_bindings,    &mst_revenant_early_link_bindings, &mst_revenant_shown_bindings,
    &mst_revenant_carrying_bindings};

/* ---- the format --------------------------------------------------------------------------------- */

static const char *const layouts[] = {[MST_REVENANT_RETAIL] = "retail",
                                      [MST_REVENANT_PROSE] = "prose",
                                      [MST_REVENANT_RAW] = "raw",
                                      [MST_REVENANT_EARLY] = "early"};

const mst_format mst_format_revenant_sector = {
    .information = {.id = "revenant-sector",
                    .title = "Revenant map sector",
                    .extensions = ".dat",
                    .media_type = "",
                    .versions = "0-15",
                    .rows = "objects",
                    .added_columns = "type_name imagery destination",
                    .folder = "map"},
    .tables.compared = mst_revenant_compared,
    .tables.root = &sector,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.expression_types = mst_revenant_inventory_types,
    .tables.bindings = bindings,
    .tables.expressions = expressions,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .identity.version_field = "version",
    .identity.version = 15,
    .identity.probe = mst_revenant_probe,
    .identity.version_known = mst_revenant_version_known,
    .identity.layouts = layouts,
    .identity.layout_count = MST_COUNT_OF(layouts),
    .identity.resolve_variant = mst_revenant_resolve_variant,
    .content.special =
        &(const mst_special_content){.salvage = mst_revenant_salvage, .look_up = mst_revenant_look_up},
    .content.names = mst_revenant_names,
    .fix_up = mst_revenant_fix_up,
    .editing = &(const mst_edit_hooks){.renumber = mst_revenant_renumber,
                                       .alone = mst_revenant_alone,
                                       .renumber_all = mst_revenant_renumber_all,
                                       .settle = mst_revenant_settle,
                                       .numbers_copies = true},
    .adding = &(const mst_add_hooks){.expand = mst_revenant_expand, .from_schema = mst_revenant_from_schema},
    .computed = &(const mst_computed){.field = "state_hash", .compute = mst_revenant_state_hash},
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "REV-MAGIC",
                            [MST_PROBLEM_VERSION] = "REV-VERSION",
                            [MST_PROBLEM_OVERRUN] = "REV-OVERRUN",
                            [MST_PROBLEM_STRING] = "REV-OVERRUN",
                            [MST_PROBLEM_COUNT] = "REV-COUNT",
                            [MST_PROBLEM_TRAILING] = "REV-OVERRUN",
                            [MST_PROBLEM_NESTING] = "REV-NESTING"},
    .check.codes = &mst_revenant_codes,
    .check.dangling = MST_DANGLING("REV-V0-CHAIN", "REV-V0-LOOP", "REV-SHADOW", "REV-DUPLICATE-INDEX",
                                   "REV-INVENTORY-COUNT"),
    .check.fixes = MST_FIXES({"REV-HASH", "computes it again", mst_revenant_fix_hash}),
    .conversion = &(const mst_conversion){.convert = mst_revenant_convert},
    .check.check = mst_revenant_check,
    .parts = &(const mst_parts_scene){.build = mst_revenant_scene,
                                      .sprites = mst_revenant_sprites,
                                      .place = mst_revenant_place_of},
    .tables.introduction =
        "A square of a level of Revenant (Cinematix, 1999). The name of a file, `<level>_<x>_<y>.DAT`, "
        "determines its place. Little-endian; x runs down-right on the screen, y down-left, z up: screen x = "
        "x - y, screen y = (x + y) / 2 - 0.866 z. 32 units are a metre, a sector is 1024 units wide. Angles "
        "are bytes, 256 a turn.\n\n"
        "In the layout `retail`, size_1 is the body with the inventory and size_2 the inventory; in `prose`, "
        "size_1 is the body and size_2 both. A body has at least 36 bytes, so the first object shows the "
        "layout.\n\n"
        "Version 0 has no magic, no sizes and two layouts. Both have 42 bytes between an object's name and "
        "its light, and the last of them distinguishes them: in the later layout (`retail`) it is unknown_c, "
        "which is 0, in the earlier one (`early`) the upper byte of shadow, which is not 0. The first slot "
        "that is neither empty nor of class 20 decides, and all others must agree; a file of empty slots "
        "only is a later one. A file with neither layout is `raw`, and a finding gives the reason.\n",
    .tables.relations =
        "- `unique_id` refers to a type in `class.def` (a line of TYPES), which gives the name, the imagery "
        "and the statistics. Types with their own builder in the game store more than their class: "
        "SpikeWall, Drip, Speaker, Cube, BarrierCube, MonsterGen.\n"
        "- `stats[].id` names a statistic of the type's class in `class.def` (a line of STATS or OBJSTATS).\n"
        "- `name` of an exit names a line of `exit.def`, which gives its destination; `map_index` there "
        "names the exit at the other end.\n"
        "- Below version 3, `first_item` and `next_item` are indices into `objects`: the carrier's "
        "first_item, then the next_item of each object until -1. From version 3 on, an object carries its "
        "`inventory`.\n"
        "- Below version 3, `shadow` is a slot of the sector in its upper bits, mostly the file's own "
        "sector; from version 3 on the `map_index` of an object of class shadow.\n"
        "- `inventory_index` is the object's own place in its carrier's `inventory`, and `inventory_number` "
        "its place in the panel: they are not references. Objects with the same `group` belong together; "
        "there is no list of groups.\n"
        "- `level`, `teleport_level` and the level in `exit.def` are the first number in the names of "
        "sectors.\n"
        "- Inserting or removing a slot below version 3 renumbers references to later slots in `first_item`, "
        "`next_item` and `shadow`. Carried objects are inserted, removed and moved with their carrier.\n"
        "- The file's name gives the upper bits of `position` and enters `state_hash`.\n",
    .tables.sources =
        "- A public schema of version 15, <https://pastebin.com/XeMvt9aw>, wrong in places.\n"
        "- 8268 sectors of 1997 and 1998, versions 0-8, that one of the game's authors published "
        "(<https://github.com/benjcooley/Revenant>), with the source of that time and class.def: an "
        "independent reader explains every byte of them. \"Seen\" and numbers of objects refer to these.\n"
        "- Published analyses of the released game (versions 14 and 15).\n"
        "- No file of versions 9-13 was available.\n",
};

static const char *const save_layouts[] = {"players", "bytes"};

const mst_format mst_format_revenant_save = {
    .information = {.id = "revenant-save",
                    .title = "Revenant saved game",
                    .extensions = ".sav",
                    .media_type = "",
                    .versions = "14-15",
                    .rows = "players",
                    .added_columns = "type_name imagery"},
    .tables.compared = mst_revenant_compared,
    .tables.root = &save,
    .tables.expression_types = mst_revenant_inventory_types,
    .tables.expressions = expressions,
    .tables.records = save_records,
    .tables.record_count = MST_COUNT_OF(save_records),
    .identity.version_field = "stream_version",
    .identity.version = 15,
    .identity.probe = mst_revenant_probe_save,
    .identity.version_known = mst_revenant_save_version_known,
    .identity.layouts = save_layouts,
    .identity.layout_count = MST_COUNT_OF(save_layouts),
    .identity.fallback = mst_revenant_save_fallback,
    .content.special = &(const mst_special_content){.look_up = mst_revenant_look_up},
    .editing = &(const mst_edit_hooks){.renumber = mst_revenant_renumber,
                                       .alone = mst_revenant_alone,
                                       .renumber_all = mst_revenant_renumber_all,
                                       .settle = mst_revenant_settle,
                                       .numbers_copies = true},
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "REV-SAVE-VERSION",
                            [MST_PROBLEM_VERSION] = "REV-SAVE-VERSION",
                            [MST_PROBLEM_OVERRUN] = "REV-SAVE-OVERRUN",
                            [MST_PROBLEM_STRING] = "REV-SAVE-OVERRUN",
                            [MST_PROBLEM_COUNT] = "REV-SAVE-COUNT",
                            [MST_PROBLEM_TRAILING] = "REV-SAVE-OVERRUN",
                            [MST_PROBLEM_NESTING] = "REV-SAVE-OVERRUN"},
    .check.codes = &(const mst_codes)MST_CODES(save_codes),
    .check.check = mst_revenant_check_save,
    .tables.introduction = "`game.sav` and `newgame.sav` of Revenant (Cinematix, 1999): the players, and "
                           "what has happened in the world; its sectors are files in the same directory. "
                           "Little-endian. No file was available: everything is known from a published "
                           "description of every byte of one file, and from the code of the game.\n\n"
                           "If the players do not have the form described here, each is kept as bytes "
                           "(layout `bytes`): then there is no `object`.\n",
    .tables.relations =
        "- The `unique_id` of `players[]` and of carried objects, and their statistics, refer to lines of "
        "`class.def`, as in sectors.\n"
        "- `map_index` and `shadow` refer to `objects` of sectors, as in sectors.\n"
        "- `quick_spells[]` and `known_spells[].code` do not refer to lines of any known file.\n"
        "- `module` and the automap's `module` name folders of the game; `automap.levels[].level` is the "
        "level of sectors `<level>_<x>_<y>.DAT`.\n",
    .tables.sources =
        "- Published analyses of the released game. The packing of the automap is not described.\n",
};
