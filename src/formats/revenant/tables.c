/* SPDX-License-Identifier: MIT */
/*
 * The tables of sectors of Revenant's maps. Facts: a public schema of version 15
 * (https://pastebin.com/XeMvt9aw), corrected by measurements on 8,268 sectors of versions 0-8 and by
 * published analyses of the game as it was sold (versions 14, 15); 9-13 were not seen.
 */
#include "../../core/diagnose.h"
#include "../../core/unreachable.h"
#include "../../schema/words.h"
#include "revenant.h"

/* context variables; 0 is the version */
enum { R_COUNT = 1, R_CLASS, R_OBJECT_VERSION, R_COMPLEX, R_FLAGS, R_INVENTORY, R_TYPE };

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

#define RECORDS(X) X(sector) X(object) X(stat) X(stat_high) X(light) X(early_object)
enum { RECORDS(RECORD_INDEX) };

/* ---- names of values --------------------------------------------------------------------------- */

static const mst_enum_name class_names[] = {
    {-1, "empty"},     {0, "item"},       {1, "weapon"},      {2, "armor"},         {3, "talisman"},
    {4, "food"},       {5, "container"},  {6, "lightsource"}, {7, "tool"},          {8, "money"},
    {9, "tile"},       {10, "exit"},      {11, "player"},     {12, "character"},    {13, "trap"},
    {14, "shadow"},    {15, "helper"},    {16, "key"},        {17, "invcontainer"}, {18, "potion"},
    {19, "unused_19"}, {20, "unused_20"}, {21, "ammo"},       {22, "scroll"},       {23, "rangedweapon"},
    {24, "unused_24"}, {25, "effect"},    {26, "mapscroll"}};
static const mst_enum classes = {class_names, MST_COUNT_OF(class_names)};

/* The earliest files number classes differently. */
static const mst_enum_name early_class_names[] = {{-1, "empty"},
                                                  {0, "item"},
                                                  {1, "weapon"},
                                                  {2, "armor"},
                                                  {3, "talisman"},
                                                  {4, "food"},
                                                  {5, "container"},
                                                  {6, "lightsource"},
                                                  {7, "tool"},
                                                  {MST_REVENANT_EARLY_TILE, "tile"},
                                                  {MST_REVENANT_EARLY_EXIT, "exit"},
                                                  {MST_REVENANT_EARLY_PLAYER, "player"},
                                                  {MST_REVENANT_EARLY_CHARACTER, "character"},
                                                  {MST_REVENANT_EARLY_SHADOW, "shadow"},
                                                  {MST_REVENANT_EARLY_BARE, "early_20"}};
static const mst_enum early_classes = {early_class_names, MST_COUNT_OF(early_class_names)};

static const mst_enum_name flag_names[] = {
    {0, "immobile"},   {1, "editorlock"},   {2, "light"},     {3, "moving"},        {4, "animating"},
    {5, "ai"},         {6, "disabled"},     {7, "invisible"}, {8, "editor"},        {9, "foreground"},
    {10, "seldraw"},   {11, "reveal"},      {12, "kill"},     {13, "generated"},    {14, "animate"},
    {15, "pulse"},     {16, "weightless"},  {17, "complex"},  {18, "notify"},       {19, "nonmap"},
    {20, "onexit"},    {21, "pause"},       {22, "nowalk"},   {23, "paralyze"},     {24, "nocollision"},
    {25, "iced"},      {26, "virgin"},      {27, "loading"},  {28, "invulnerable"}, {29, "background"},
    {30, "inventory"}, {31, "calledpredel"}};
static const mst_enum flags = {flag_names, MST_COUNT_OF(flag_names)};

static const mst_enum_name light_flag_names[] = {{0, "directional"}, {1, "sun"}, {2, "moon"}};
static const mst_enum light_flags = {light_flag_names, MST_COUNT_OF(light_flag_names)};
static const mst_enum_name exit_flag_names[] = {{0, "on"}, {1, "activated"}, {2, "from_exit"}};
static const mst_enum exit_flags = {exit_flag_names, MST_COUNT_OF(exit_flag_names)};

/* ---- parts of an object ------------------------------------------------------------------------- */

#define STAT_CODE .name = "id", .kind = MST_KIND_CHAR8, FIXED(4), .doc = "Code of the statistic in class.def."
static const mst_field stat_fields[] = {{.name = "value", I32}, {STAT_CODE}};
RECORD(stat, "stat", "a statistic whose value differs from that of the object's type");
static const mst_field stat_high_fields[] = {{.name = "value", I32}, {STAT_CODE, .flags = MST_FIELD_HIGH}};
RECORD(stat_high, "stat_high", "a statistic from version 14 on, bit 7 of the code's bytes set");

static const mst_field light_fields[] = {
    {.name = "flags", U8, .flags = MST_FIELD_FLAGS, .names = &light_flags},
    {.name = "position", I32, FIXED(3), .doc = "Relative to the object."},
    {.name = "color", U8, FIXED(3)},
    {.name = "intensity", U8},
    {.name = "multiplier", I16},
};
RECORD(light, "light", "the light of an object");

/* Versions 4-13 do not store where the inventory begins: it is after the known part of the body, if the bytes
 * there can be one. They can if the records, by their sizes, fit. */
static bool is_inventory(const mst_document *document, uint64_t offset, uint64_t end,
                         const uint32_t *context) {
    const uint8_t *data = document->data;
    uint32_t version = context[MST_VARIABLE_VERSION];
    if (version < 4)
        return true;
    if (!mst_fits(offset, 4, end))
        return false;
    uint32_t count = mst_load32(data + offset, false);
    offset += 4;
    unsigned header = version >= 8 ? 10 : 8; /* of a slot that is not empty, up to and with its size */
    while (count--) {
        if (!mst_fits(offset, 2, end))
            return false;
        if ((int16_t)mst_load16(data + offset, false) < 0) {
            offset += 2;
            continue;
        }
        if (!mst_fits(offset, header, end))
            return false;
        uint16_t size = mst_load16(data + offset + header - 2, false);
        if (!mst_fits(offset + header, size, end))
            return false;
        offset += header + size;
    }
    return true;
}

/* ---- types that store more than their class ------------------------------------------------------ */

/* Types that store more than their class are those for which the game has a builder, by name. R_TYPE is one
 * of these values, by unique_id; MORE: the fields of the type are there (a file may lack them). */
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

/* Whether that many bytes are left in the body, with an inventory after them where there must be one. Up to
 * version 3 the end of a body is not stored, and the fields of the type are always there. */
static bool has_more(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context,
                     uint64_t size) {
    uint32_t version = context[MST_VARIABLE_VERSION];
    if (version < 4)
        return true;
    return mst_fits(offset, size, end) &&
           (version >= 14 || is_inventory(document, offset + size, end, context));
}
static bool has_4(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    return has_more(document, offset, end, context, 4);
}
static bool has_12(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    return has_more(document, offset, end, context, 12);
}
/* Bytes after the text: one number, from version 14 on three. */
static uint64_t after_sound(const uint32_t *context) {
    return context[MST_VARIABLE_VERSION] >= 14 ? 12 : 4;
}
static bool has_sound(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    uint64_t length = mst_fits(offset, 1, end) ? document->data[offset] : 0;
    return has_more(document, offset, end, context, 1 + length + after_sound(context));
}
static bool has_length(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    return has_more(document, offset, end, context, after_sound(context));
}

static const mst_record object;
#define OBJECTS .kind = MST_KIND_RECORD, .record = &object

static const mst_field object_fields[] = {
    {.name = "object_version",
     I16,
     BIND(R_OBJECT_VERSION),
     .flags = MST_FIELD_STOP,
     .doc = "Version of the data of its class; negative: an empty slot.",
     IF(FROM(8))},
    {.name = "class", I16, BIND(R_CLASS), .names = &classes, IF(FROM(8))},
    {.name = "class",
     I16,
     BIND(R_CLASS),
     .names = &classes,
     .flags = MST_FIELD_STOP,
     .doc = "Class of the object; empty: an empty slot.",
     IF(UNTIL(8))},
    {.name = "object_type", I16, IF(UNTIL(1))},
    {.name = "unique_id",
     U32,
     BIND(R_TYPE),
     .transform = type_of,
     .doc = "Unique id of its type in class.def.",
     IF(FROM(1))},
    {.name = "size_1", I16, .flags = MST_FIELD_SIZE, IF(FROM(4), UNTIL(14))},
    {.name = "size_1", I16, .flags = MST_FIELD_SIZE, IF(FROM(14), LAYOUT(RETAIL))},
    {.name = "size_2", I16, .flags = MST_FIELD_SIZE_LAST, IF(FROM(14), LAYOUT(RETAIL))},
    {.name = "size_1", I16, .flags = MST_FIELD_SIZE_FIRST, IF(FROM(14), LAYOUT(PROSE))},
    {.name = "size_2", I16, .flags = MST_FIELD_SIZE, IF(FROM(14), LAYOUT(PROSE))},
    {.name = "player",
     RAW_TO_END,
     .flags = MST_FIELD_STOP,
     .doc = "A player's body, only in saved games; kept as bytes.",
     IF(FROM(8), CLASS(PLAYER))},
    {.name = "complex_version", U8, BIND(R_COMPLEX), IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 3))},
    {.name = "instance_version", U8, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 3), MIN(R_COMPLEX, 1))},
    {.name = "name", NAME, .doc = "Name of this object; empty: that of its type.", IF(UNTIL(14))},
    {.name = "name",
     NAME,
     .flags = MST_FIELD_HIGH,
     .doc = "Name of this object; empty: that of its type.",
     IF(FROM(14))},
    {.name = "flags", U32, BIND(R_FLAGS), .flags = MST_FIELD_FLAGS, .names = &flags},
    {.name = "position",
     I32,
     FIXED(3),
     .unit = "1/32 m",
     .doc = "Absolute x, y, z; the sectors of a level are 1024 wide."},
    {.name = "velocity", I32, FIXED(3), .unit = "1/65536", IF(UNTIL(6))},
    {.name = "velocity", I32, FIXED(3), .unit = "1/65536", IF(FROM(6), LACKS(MST_REVENANT_IMMOBILE))},
    {.name = "state", U8, IF(UNTIL(9))},
    {.name = "state", U16, IF(FROM(9))},
    {.name = "level", U8, IF(FROM(6), UNTIL(9), HAS(MST_REVENANT_NONMAP))},
    {.name = "level", U16, IF(FROM(9), HAS(MST_REVENANT_NONMAP))},
    {.name = "health", U8, IF(UNTIL(5))},
    {.name = "facing", U8, .unit = "1/256 turn", IF(UNTIL(3))},
    {.name = "first_item", I16, .doc = "Slot of the first object that it carries; -1: none.", IF(UNTIL(3))},
    {.name = "inventory_number", I16},
    {.name = "next_item",
     I16,
     .doc = "Slot of the next object with the same carrier; -1: none.",
     IF(UNTIL(3))},
    {.name = "inventory_index", I16, IF(FROM(3))},
    {.name = "shadow", I32},
    {.name = "unknown_c", U8, IF(UNTIL(3))},
    {.name = "rotation_x", U8, .unit = "1/256 turn", IF(FROM(3))},
    {.name = "rotation_y", U8, .unit = "1/256 turn", IF(FROM(3))},
    {.name = "rotation_z",
     U8,
     .unit = "1/256 turn",
     .doc = "Direction that it faces: 0 is -y, 64 is +x.",
     IF(FROM(3))},
    {.name = "map_index", I32, .doc = "Unique within the map; -1: none.", IF(FROM(3))},
    {.name = "frame", I16, IF(FROM(5), UNTIL(6))},
    {.name = "frame_rate", I16, IF(FROM(5), UNTIL(6))},
    {.name = "frame", I16, IF(FROM(6), HAS(MST_REVENANT_ANIMATE))},
    {.name = "frame_rate", I16, IF(FROM(6), HAS(MST_REVENANT_ANIMATE))},
    {.name = "group", U8, IF(FROM(5))},
    {.name = "stats",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &stat,
     IF(FROM(5), UNTIL(14))},
    {.name = "stats",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &stat_high,
     IF(FROM(14))},
    {.name = "light", .kind = MST_KIND_RECORD, .record = &light, IF(HAS(MST_REVENANT_LIGHT))},
    {.name = "action", U8, IF(FROM(7), CHARACTERS)},
    {.name = "root_state", NAME, IF(FROM(7), CHARACTERS)},
    {.name = "recovery_times", I32, FIXED(3), IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 1))},
    {.name = "last_poison", I32, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 4))},
    {.name = "teleport_position", I32, FIXED(3), IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 2))},
    {.name = "teleport_level", I32, IF(CLASS(CHARACTER), MIN(R_OBJECT_VERSION, 2))},
    {.name = "locked",
     I32,
     IF(FROM(2), UNTIL(5), ONE_OF(BIT(CONTAINER) | BIT(EXIT) | BIT(INVENTORY_CONTAINER)))},
    {.name = "pick_difficulty",
     I32,
     IF(FROM(2), UNTIL(5), ONE_OF(BIT(CONTAINER) | BIT(EXIT) | BIT(INVENTORY_CONTAINER)))},
    /* a SpikeWall (0x84b30587), a trap, is built as an exit, but not in the game as it was sold */
    {.name = "locked", I32, IF(FROM(2), UNTIL(4), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {.name = "locked",
     I32,
     IF_THERE(spike_wall_more),
     .present = has_12,
     .doc = "Stored by a SpikeWall (type 0x84b30587).",
     IF(FROM(4), UNTIL(5), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {.name = "pick_difficulty", I32, IF(FROM(2), UNTIL(4), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {.name = "pick_difficulty", I32, IF(FROM(4), UNTIL(5), CLASS(TRAP), TYPE(SPIKE_WALL_MORE))},
    {.name = "exit_flags", U32, .flags = MST_FIELD_FLAGS, .names = &exit_flags, IF(FROM(1), CLASS(EXIT))},
    {.name = "exit_flags",
     U32,
     .flags = MST_FIELD_FLAGS,
     .names = &exit_flags,
     IF(UNTIL(4), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {.name = "exit_flags",
     U32,
     .flags = MST_FIELD_FLAGS,
     .names = &exit_flags,
     IF(FROM(4), UNTIL(5), CLASS(TRAP), TYPE(SPIKE_WALL_MORE))},
    {.name = "exit_flags",
     U32,
     .flags = MST_FIELD_FLAGS,
     .names = &exit_flags,
     .present = has_4,
     .doc = "Stored by a SpikeWall (type 0x84b30587).",
     IF(FROM(5), UNTIL(14), CLASS(TRAP), TYPE(SPIKE_WALL))},
    {.name = "poison", I32, IF(FROM(1), CLASS(WEAPON))},
    {.name = "text",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U16,
     .doc = "Text that is written on the scroll.",
     IF(CLASS(SCROLL))},
    {.name = "amount_minus_1", I32, IF(UNTIL(5), ONE_OF(BIT(MONEY) | BIT(AMMUNITION)))},
    {.name = "ripple_size",
     I32,
     IF_THERE(drip_more),
     .present = has_12,
     .doc = "Width of the ring that a Drip (type 0x5975abde) makes.",
     IF(TYPE(DRIP))},
    {.name = "height", I32, .doc = "Height from which it drips.", IF(TYPE(DRIP_MORE))},
    {.name = "period", I32, .unit = "ticks", .doc = "Time between two drops.", IF(TYPE(DRIP_MORE))},
    {.name = "sound",
     NAME,
     .present = has_sound,
     .doc = "Sound that a Speaker (type 0x302) plays.",
     IF(TYPE(SPEAKER))},
    {.name = "sample_length",
     I32,
     .unit = "ticks",
     IF_THERE(speaker_more),
     .present = has_length,
     .doc = "Time until the sound begins again; negative: it loops.",
     IF(TYPE(SPEAKER))},
    {.name = "unknown_sound_1", I32, IF(FROM(14), TYPE(SPEAKER_MORE))},
    {.name = "unknown_sound_2", I32, IF(FROM(14), TYPE(SPEAKER_MORE))},
    {.name = "unknown_tail",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Data of the class that is not understood.",
     IF(FROM(14))},
    {.name = "inventory",
     OBJECTS,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .present = is_inventory,
     .doc = "Objects that it carries.",
     IF(FROM(3), UNTIL(14))},
    {.name = "unknown_tail",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Data of the class that is not understood.",
     IF(FROM(4), UNTIL(14))},
    {.name = "inventory_count",
     I32,
     .length_of = "inventory",
     BIND(R_INVENTORY),
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT,
     .doc = "Number of objects that it carries; the game sometimes writes more than there are.",
     IF(FROM(14))},
    {.name = "inventory",
     OBJECTS,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_INVENTORY,
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT,
     .doc = "Objects that it carries.",
     IF(FROM(14))},
    {.name = "inventory_tail",
     RAW_TO_END,
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the inventory.",
     IF(FROM(14))},
};
static const mst_record object = {
    .name = "object",
    .index = I_object,
    .fields = object_fields,
    .field_count = MST_COUNT_OF(object_fields),
    .doc = "a slot: an object in the level, an object that another carries, or nothing"};

/* A slot in the earliest files: no class stores data of its own, and one class has only the two numbers. */
#define NOT_BARE IS_NOT(R_CLASS, MST_REVENANT_EARLY_BARE)
static const mst_field early_object_fields[] = {
    {.name = "class",
     I16,
     BIND(R_CLASS),
     .names = &early_classes,
     .flags = MST_FIELD_STOP,
     .doc = "Class of the object; empty: an empty slot."},
    {.name = "object_type", I16},
    {.name = "name", NAME, .doc = "Name of this object; empty: that of its type.", IF(NOT_BARE)},
    {.name = "flags", U32, BIND(R_FLAGS), .flags = MST_FIELD_FLAGS, .names = &flags, IF(NOT_BARE)},
    {.name = "position", I32, FIXED(3), .unit = "1/32 m", IF(NOT_BARE)},
    {.name = "velocity", I32, FIXED(3), .unit = "1/65536", IF(NOT_BARE)},
    {.name = "state", U8, IF(NOT_BARE)},
    {.name = "unknown_d", U8, IF(NOT_BARE)},
    {.name = "health", U8, IF(NOT_BARE)},
    {.name = "facing", U8, .unit = "1/256 turn", IF(NOT_BARE)},
    {.name = "first_item", I16, IF(NOT_BARE)},
    {.name = "inventory_number", I16, IF(NOT_BARE)},
    {.name = "next_item", I16, IF(NOT_BARE)},
    {.name = "shadow", I32, .doc = "Its upper byte is never 0.", IF(NOT_BARE)},
    {.name = "light", .kind = MST_KIND_RECORD, .record = &light, IF(NOT_BARE, HAS(MST_REVENANT_LIGHT))},
};
RECORD(early_object, "early_object", "a slot of the earliest files");

static const mst_field sector_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "MAP ", IF(FROM(1))},
    {.name = "version", U32, IF(FROM(1))},
    {.name = "state_hash",
     U32,
     .doc = "Hash of the sector's position, its number of slots and its characters; updated when they "
            "change. `auto` recomputes it.",
     IF(FROM(14))},
    {.name = "object_count", I32, .length_of = "objects", BIND(R_COUNT), IF(OTHER_LAYOUT(RAW))},
    {.name = "objects",
     OBJECTS,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     IF(OTHER_LAYOUT(RAW), OTHER_LAYOUT(EARLY))},
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     .record = &early_object,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     IF(LAYOUT(EARLY))},
    {.name = "trailing",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the objects, kept unchanged.",
     IF(FROM(1))},
    {.name = "data", RAW_TO_END, .doc = "A sector of an unknown layout, kept as bytes.", IF(LAYOUT(RAW))},
};
RECORD(sector, "sector", "a square of a level, 1024 units wide");

static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_bindings *const bindings[] = {&mst_revenant_object_bindings};

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
                    .rows = "objects"},
    .tables.root = &sector,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = bindings,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .identity.version_field = "version",
    .identity.version = 15,
    .identity.probe = mst_revenant_probe,
    .identity.version_known = mst_revenant_version_known,
    .identity.layouts = layouts,
    .identity.layout_count = MST_COUNT_OF(layouts),
    .identity.resolve_variant = mst_revenant_resolve_variant,
    .identity.fallback = mst_revenant_fallback,
    .content.salvage = mst_revenant_salvage,
    .edit.fix_up = mst_revenant_fix_up,
    .edit.computed_field = "state_hash",
    .edit.compute = mst_revenant_state_hash,
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "REV-MAGIC",
                            [MST_PROBLEM_VERSION] = "REV-VERSION",
                            [MST_PROBLEM_OVERRUN] = "REV-OVERRUN",
                            [MST_PROBLEM_STRING] = "REV-OVERRUN",
                            [MST_PROBLEM_COUNT] = "REV-COUNT",
                            [MST_PROBLEM_TRAILING] = "REV-OVERRUN",
                            [MST_PROBLEM_NESTING] = "REV-NESTING"},
    .check.codes = &mst_revenant_codes,
    .convert.convert = mst_revenant_convert,
    .check.check = mst_revenant_check,
    .scene.build_from_many = mst_revenant_scene,
    .scene.place = mst_revenant_place_of,
    .tables.introduction =
        "A square of a level of Revenant (Cinematix, 1999). Files are called `<level>_<x>_<y>.DAT`, "
        "and renaming one "
        "moves\n"
        "it. Little-endian; x runs down-right on the screen, y down-left, z up: screen x = x - y, "
        "screen y = (x + y) / "
        "2 -\n"
        "0.866 z. Angles are bytes, 256 a turn.\n"
        "\n"
        "In the layout `retail`, size_1 is the body with the inventory and size_2 the inventory; in "
        "`prose`, size_1 is "
        "the\n"
        "body and size_2 both. `raw` is an unknown layout of version 0.\n",
};
