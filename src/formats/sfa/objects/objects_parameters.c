/* SPDX-License-Identifier: MIT */
/*
 * The parameters of placed objects by type. Most layouts are generated from a list of facts
 * (scripts/sfa_parameters.py); curves and triggers are described here.
 */
#include "../../../tables/words.h"
#include "objects.h"

#define RAW(n) .kind = MST_KIND_RAW, FIXED(n)
const char mst_sfa_game_bit[] = "game bit";
#define BIT .kind = MST_KIND_I16, .unit = mst_sfa_game_bit, .flags = MST_FIELD_SENSE

/* ---- layouts by type ---------------------------------------------------------------------------- */

static const uint8_t layouts_of_types[] = {
#define HAS(type, layout) [type] = MST_SFA_PART_##layout,
#include "parameter_layouts.h"
    HAS(0x04B, TRIGGER) HAS(0x04C, TRIGGER) HAS(0x04D, TRIGGER) HAS(0x04F, TRIGGER) HAS(0x050, TRIGGER)
        HAS(0x054, TRIGGER) HAS(0x06E, CURVE) HAS(0x230, TRIGGER)
#undef HAS
};
_Static_assert(MST_SFA_OBJECT_PARTS <= UINT8_MAX, "layouts_of_types needs wider numbers");

uint32_t mst_sfa_layout_of_type(uint32_t type) {
    return type < MST_COUNT_OF(layouts_of_types) ? layouts_of_types[type] : MST_SFA_PART_OTHER;
}

const mst_record *mst_sfa_object_part_of(int type) {
    uint32_t layout = mst_sfa_layout_of_type((uint32_t)type);
    return layout == MST_SFA_PART_OTHER ? NULL : &mst_sfa_object_parts[layout];
}

/* ---- curves ------------------------------------------------------------------------------------- */

enum { S_PLAIN, S_BITS, S_WORD, S_ROLL, S_PATCH };
#define CURVE_SIZE  28 /* parameter bytes common to all kinds */
#define ONLY(shape) IF(IS(MST_SFA_VARIABLE_SHAPE, shape))

static uint32_t shape_of(uint32_t kind) {
    switch (mst_sfa_curve_words(kind)) {
    case 14: return S_WORD;
    case 15: return S_ROLL;
    case 17: return S_PATCH;
    default: return kind == 0x1F || kind == 0x24 ? S_BITS : S_PLAIN;
    }
}

bool mst_sfa_layout_fits(const mst_document *document, uint32_t layout, uint64_t size) {
    return size >= (layout == MST_SFA_PART_CURVE
                        ? CURVE_SIZE
                        : mst_plan_of(document, &mst_sfa_object_parts[layout])->minimum);
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

static const mst_enum_name curve_kinds[] = {
    {0x02, "flying_enemy"},  {0x03, "hagabon"},   {0x19, "barrel_grabber"},
    {0x1F, "crawl_tunnel"},  {0x23, "fish"},      {0x24, "companion"},
    {0x26, "walk_patch"},    {0x2A, "hover_pad"}, {0x01, "dragon_rock_bottom"},
    {0x15, "dark_ice_mines"}};

/* Ids of objects; they may refer to objects of neighbouring maps, so objects_check_links.c checks them. */
#define OBJECTS(...)   REFERS({.by = MST_BY_ID, .target = "objects", .key = "id", NO(__VA_ARGS__)})
#define NOT_KNOWN_TEXT "Not known: no description of the game names it."
static const char unit_TURN[] = "1/256 turn";

static const mst_field curve_fields[] = {
    {.name = "action",
     U8,
     .doc = "Selects the event at the point; the meaning of the numbers is not known. Of a walk patch: its "
            "extent above the point, signed."},
    {.name = "kind",
     U8,
     BIND(MST_SFA_VARIABLE_SHAPE),
     .transform = shape_of,
     NAMES(curve_kinds),
     .doc = "The kind of object that moves along the curve."},
    {.name = "unknown_1A", U8, .doc = NOT_KNOWN_TEXT, IF(IS_NOT(MST_SFA_VARIABLE_SHAPE, S_PATCH))},
    {.name = "y_below", I8, .doc = "How far the patch reaches below the point.", ONLY(S_PATCH)},
    {.name = "blocked_links", U8, .doc = "Bit n: link n is closed."},
    {.name = "links",
     U32,
     FIXED(MST_SFA_LINKS),
     OBJECTS(MST_SFA_NO_LINK),
     .doc = "The next points of the path, in this list or another list in the directory."},
    {.name = "yaw", I8, .unit = unit_TURN, .doc = "The direction of the curve at the point."},
    {.name = "pitch", I8, .unit = unit_TURN, .doc = "Its slope there."},
    {.name = "tangent_length", U8, .doc = "How far the curve bends at the point; its unit is not known."},
    {.name = "unknown_2F", U8, .doc = NOT_KNOWN_TEXT},
    {.name = "required", BIT, .doc = "The point works only while it is set.", ONLY(S_BITS)},
    {.name = "forbidden", BIT, .doc = "The point does not work while it is set.", ONLY(S_BITS)},
    {.name = "second_edge",
     I8,
     FIXED(4),
     .doc = "x and z of two corners of the patch, from the point; the first two are in `link_walk_groups`.",
     ONLY(S_PATCH)},
    {.name = "unknown_30",
     RAW(4),
     .doc = NOT_KNOWN_TEXT,
     IF(IS_NOT(MST_SFA_VARIABLE_SHAPE, S_BITS), IS_NOT(MST_SFA_VARIABLE_SHAPE, S_PATCH))},
    {.name = "unknown_34", U32, .doc = NOT_KNOWN_TEXT, .present = has_4, ONLY(S_WORD)},
    {.name = "unknown_34", U32, .doc = NOT_KNOWN_TEXT, .present = has_4, ONLY(S_ROLL)},
    {.name = "roll", U32, .doc = "Tilt sideways; its unit is not known.", .present = has_4, ONLY(S_ROLL)},
    {.name = "link_edges",
     I8,
     FIXED(16),
     .doc = "x and z of two corners on the way to each link, from the point.",
     .present = has_16,
     ONLY(S_PATCH)},
};

/* ---- triggers ----------------------------------------------------------------------------------- */

static const mst_enum_name target_names[] = {{0, "player"}, {1, "companion"}, {2, "camera"}};

static const mst_enum_name command_flags[] = {{0, "entering"},      {1, "leaving"},     {2, "every_entering"},
                                              {3, "every_leaving"}, {4, "every_frame"}, {5, "also_at_load"}};

static const mst_enum_name command_names[] = {{0x00, "none"},
                                              {0x01, "player"},
                                              {0x02, "idle_02"},
                                              {0x03, "idle_03"},
                                              {0x04, "sound"},
                                              {0x05, "idle_05"},
                                              {0x06, "camera"},
                                              {0x08, "picture"},
                                              {0x0A, "environment"},
                                              {0x0B, "sequence"},
                                              {0x0C, "run_triggers"},
                                              {0x0D, "light"},
                                              {0x10, "player_model"},
                                              {0x11, "companion_talk"},
                                              {0x12, "game_bit"},
                                              {0x13, "load_group"},
                                              {0x14, "unload_group"},
                                              {0x15, "load_textures"},
                                              {0x16, "free_textures"},
                                              {0x18, "act"},
                                              {0x1A, "load_group_of_map"},
                                              {0x1B, "unload_group_of_map"},
                                              {0x1C, "sky"},
                                              {0x1D, "companion_allowed"},
                                              {0x1E, "act_of_map"},
                                              {0x1F, "save_point"},
                                              {0x20, "layer"},
                                              {0x21, "game_bit_part"},
                                              {0x22, "toggle_group"},
                                              {0x23, "restart_point"},
                                              {0x26, "companion"},
                                              {0x27, "load_directory"},
                                              {0x28, "unload_directory"},
                                              {0x29, "unknown_29"},
                                              {0x2A, "keep_directory"},
                                              {0x2B, "release_directory"},
                                              {0x2C, "speed_or_size"},
                                              {0x2D, "say"},
                                              {0x2E, "tidy_memory"},
                                              {0x2F, "more_time"}};
static const char *const command_meanings[] = {
    "Nothing.",
    ("Changes the state of the player: a 8 idle, 9 state 10, 10 state 11, 11 idle at speed 14; others do "
     "nothing."),
    "Does nothing.",
    "Does nothing.",
    "Plays sound ab on entering and stops it on leaving.",
    "Does nothing.",
    "Runs camera action a with the argument b.",
    ("Changes how the picture is drawn: a selects the effect, b its setting. a 0 clouds and lights, 1 "
     "anti-aliasing (off), 2 lights, 4 the shadow of the player, 5 water effects (off), 6 slot of the sky, 7 "
     "a switch of the renderer, 8 shimmer of heat, 9 to 11 the light of the sky, over b frames."),
    "Starts environment effect ab.",
    "a 0 or 3: runs sequence b of the nearest object of group 15; 1: sets its flag b; 2: clears it.",
    "Runs all triggers whose `trigger_id` is ab.",
    "Starts light action ab.",
    "Gives the player model a.",
    "The companion's topic: ab.",
    "Changes game bit ab & 0x3FFF. The two bits above it: 0 clears, 1 sets, 2 turns it over.",
    "Loads object group ab of this map.",
    "Unloads object group ab of this map.",
    "Loads the textures of table ab.",
    "Frees the textures of table ab.",
    "Sets the act of this map to ab.",
    "Loads object group a of map b.",
    "Unloads object group a of map b.",
    ("Effects of the sky: a 0 to 2: a day effect, off if b is 0; 3: indoors if b is 1, outdoors if b is 0 or "
     "2."),
    "Allows (a not 0) or forbids the horn, fireflies and feeding.",
    "Sets the act of map b to a.",
    "Makes this a place to return to, facing as on arrival, with the argument b.",
    "Goes to the next layer of the world (a 0), or to the previous one.",
    "Turns over part ab >> 13 of game bit ab & 0x1FFF.",
    "Loads object group ab of this map, or unloads it if it is loaded.",
    "The place to restart: a 0 or 3 sets it here, 1 clears it, 2 moves the player there.",
    ("The companion: a 0 is called, 1 is removed, 2 moves to the nearest place of group 50 or 49; 3 allows "
     "the ball, 4 forbids it."),
    "Loads the files of directory ab.",
    "Unloads the files of directory ab.",
    "Not known: no description mentions it.",
    "Keeps the data of directory a in bucket b.",
    "Releases the data of directory a from bucket b.",
    "Sets the speed or the size of the triggering object to ab / 10.",
    "Shows text ab.",
    "Tidies up the memory.",
    "Gives the nearest timer b more seconds."};
_Static_assert(MST_COUNT_OF(command_names) == MST_COUNT_OF(command_meanings), "a meaning is missing");

static const mst_field command_fields[] = {
    {.name = "flags",
     U8,
     .flags = MST_FIELD_FLAGS,
     NAMES(command_flags),
     .doc =
         "When it runs: on entering or leaving, the first time or `every` time; `every_frame`: inside with "
         "`entering`, outside with `leaving`, else always; `also_at_load`: even if `activate` is set when "
         "the trigger is loaded. Without the first two and `every_frame` it never runs."},
    {.name = "command",
     U8,
     NAMES(command_names),
     .meanings = command_meanings,
     .doc = "The command, with the arguments `parameter_1` (a) and `parameter_2` (b); ab is a * 256 + b. "
            "`info --triggers` describes it in words."},
    {.name = "parameter_1", U8, .doc = "Depends on the command: a number, or the high byte of one."},
    {.name = "parameter_2", U8, .doc = "Depends on the command: a number, or the low byte of one."},
};

static const mst_field trigger_fields[] = {
    {.name = "commands",
     .kind = MST_KIND_RECORD,
     FIXED(8),
     .record = &mst_sfa_object_parts[MST_SFA_PART_OTHER],
     .doc = "The commands of the trigger, in this order."},
    {.name = "trigger_id",
     I16,
     .doc = "Above 0: it fires only when the command `run_triggers` of another one calls this number."},
    {.name = "size",
     U8,
     FIXED(3),
     .unit = "2 units",
     .doc =
         "TrigPnt: the radius; TrigCyl: radius and half the height; TrigArea: half the length of each side. "
         "TrigPln: the first is half the side of the square, in units of 6.25 times the model's scale."},
    {.name = "rotation",
     U8,
     FIXED(2),
     .unit = unit_TURN,
     .doc = "Yaw and pitch of areas and planes; of the yaw of a plane only bits 0 to 5 count, times 4."},
    {.name = "unknown_3F", RAW(4), .doc = NOT_KNOWN_TEXT},
    {.name = "target",
     U8,
     NAMES(target_names),
     .doc =
         "The triggering object; n above 2: the nearest object of object group n - 1, up to 200 units away."},
    {.name = "activate",
     BIT,
     .doc = "Set on entering. If it is set when the trigger is loaded, the trigger fires at once."},
    {.name = "delay", U16, .unit = "frames", .doc = "TrigTime: time before it fires."},
    {.name = "gates",
     BIT,
     FIXED(4),
     .doc = "TrigPln works only while the first is set; TrigBits fires when all four are."},
};

/* ---- generated layouts -------------------------------------------------------------------------- */

static const char unit_FRAMES[] = "frames", unit_SECONDS[] = "s", unit_MINUTES[] = "min",
                  unit_PERCENT[] = "%", unit_PART[] = "1/256", unit_UNITS_2[] = "2 units",
                  unit_UNITS_4[] = "4 units", unit_UNITS_8[] = "8 units", unit_TURN_16[] = "1/65536 turn";

#define WORD(name, unit, text)          static const char doc_##name[] = text;
#define WORD_AT(name, type, unit, text) static const char doc_##name##_##type[] = text;
#define NOT_KNOWN(name)
#define PLAIN(type, offset, kind)
#define LAYOUT_NAME(type, label, text) static const char layout_##type[] = text;
#include "parameter_words.h"
static const char doc_not_known[] = "Its effect is not known.", doc_gap[] = NOT_KNOWN_TEXT,
                  layout_other[] = "the parameters of some types of objects";
static const mst_enum no_names = {NULL, 0};

/* A parameter, with the sentence for its name; OF: for its name in this layout; N: nothing else is known. */
#define F(label, ...)                                                                                        \
    { .name = #label, .doc = doc_##label, __VA_ARGS__ }
#define OF(label, type, ...)                                                                                 \
    { .name = #label, .doc = doc_##label##_##type, __VA_ARGS__ }
#define N(label, ...)                                                                                        \
    { .name = #label, .doc = doc_not_known, __VA_ARGS__ }
#define AT(offset, ...)                                                                                      \
    { .name = "unknown_" #offset, .doc = doc_gap, __VA_ARGS__ }
#define BYTE(offset)      AT(offset, U8)
#define GAP(offset, size) AT(offset, RAW(size))
#define MAPS              .names = &mst_sfa_map_names
#define UNIT(label)       .unit = unit_##label
#define SWITCHES(kind)    kind, .flags = MST_FIELD_FLAGS, .names = &no_names
#define LAYOUT(type, ...) static const mst_field fields_##type[] = {__VA_ARGS__};
#include "parameter_fields.h"

#define BY_HAND(label, layout, text)                                                                         \
    {                                                                                                        \
        .name = #label, .index = MST_SFA_PART_##layout + 1, .doc = text, .fields = label##_fields,           \
        .field_count = MST_COUNT_OF(label##_fields)                                                          \
    }
#define PART(type, label, text)                                                                              \
    {.name = #label,                                                                                         \
     .index = MST_SFA_PART_##type + 1,                                                                       \
     .doc = text,                                                                                            \
     .apart = MST_SFA_OBJECT_HEADER,                                                                         \
     .fields = fields_##type,                                                                                \
     .field_count = MST_COUNT_OF(fields_##type)},
const mst_record mst_sfa_object_parts[MST_SFA_OBJECT_PARTS] = {
    BY_HAND(command, OTHER, "a command of a trigger"),
    BY_HAND(curve, CURVE, "a point of a path"),
    BY_HAND(trigger, TRIGGER, "a trigger: commands that run when something passes through it"),
#include "parameter_layouts.h"
};
