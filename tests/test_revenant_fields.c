/* SPDX-License-Identifier: MIT */
/* The tables of Revenant sectors against a list of their fields. */
#include "fields.h"

#define CLASSES                                                                                              \
    "-1 empty, 0 item, 1 weapon, 2 armor, 3 talisman, 4 food, 5 container, 6 lightsource, 7 tool, "          \
    "8 money, 9 tile, 10 exit, 11 player, 12 character, 13 trap, 14 shadow, 15 helper, 16 key, "             \
    "17 invcontainer, 18 potion, 19 unused_19, 20 unused_20, 21 ammo, 22 scroll, 23 rangedweapon, "          \
    "24 unused_24, 25 effect, 26 mapscroll"
#define FLAGS                                                                                                \
    "Bits: 0 immobile, 1 editorlock, 2 light, 3 moving, 4 animating, 5 ai, 6 disabled, "                     \
    "7 invisible, 8 editor, 9 foreground, 10 seldraw, 11 reveal, 12 kill, 13 generated, 14 animate, "        \
    "15 pulse, 16 weightless, 17 complex, 18 notify, 19 nonmap, 20 onexit, 21 pause, 22 nowalk, "            \
    "23 paralyze, 24 nocollision, 25 iced, 26 virgin, 27 loading, 28 invulnerable, 29 background, "          \
    "30 inventory, 31 calledpredel"
#define BODY  "Bytes after the size fields, up to the last part of the record."
#define BOTH  "Bytes after the size fields, up to the end of the record."
#define LAST  "Bytes of the last part of the record."
#define MAYBE "In the last part. May be missing."

static const char *const sector[] = {
    "= sector",
    "magic; char[4]; version >= 1; Always `MAP `.",
    "version; u32; version >= 1",
    "state_hash; u32; version >= 14",
    "object_count; i32; layout is not raw; Length of `objects`.",
    "objects; object_count x object; layout is not raw, layout is not early",
    "objects; object_count x early_object; layout is early",
    "trailing; bytes until the end; version >= 1",
    "data; bytes until the end; layout is raw",
    "= object",
    "object_version; i16; version >= 8; If negative, nothing follows.",
    "class; i16; version >= 8; " CLASSES,
    "class; i16; version < 8; If negative, nothing follows. " CLASSES,
    "object_type; i16; version < 1",
    "unique_id; u32; version >= 1",
    "size_1; i16; version >= 4, version < 14; " BOTH,
    "size_1; i16; version >= 14, layout is retail; " BOTH,
    "size_2; i16; version >= 14, layout is retail; " LAST,
    "size_1; i16; version >= 14, layout is prose; " BODY,
    "size_2; i16; version >= 14, layout is prose; " BOTH,
    "player; bytes until the end; version >= 8, class is 11; Nothing follows.",
    "complex_version; u8; class is 12, object_version >= 3",
    "instance_version; u8; class is 12, object_version >= 3, complex_version >= 1",
    "name; u8 n, n x char; version < 14",
    "name; u8 n, n x char; version >= 14; Bit 7 of every byte is set.",
    "flags; u32; ; " FLAGS,
    "position; i32[3]",
    "velocity; i32[3]; version < 6",
    "velocity; i32[3]; version >= 6, flags has no bit of 0x1",
    "state; u8; version < 9",
    "state; u16; version >= 9",
    "level; u8; version >= 6, version < 9, flags has 0x80000",
    "level; u16; version >= 9, flags has 0x80000",
    "health; u8; version < 5",
    "facing; u8; version < 3",
    "first_item; i16; version < 3",
    "inventory_number; i16",
    "next_item; i16; version < 3",
    "inventory_index; i16; version >= 3",
    "shadow; i32",
    "unknown_c; u8; version < 3",
    "rotation_x; u8; version >= 3",
    "rotation_y; u8; version >= 3",
    "rotation_z; u8; version >= 3",
    "map_index; i32; version >= 3",
    "frame; i16; version >= 5, version < 6",
    "frame_rate; i16; version >= 5, version < 6",
    "frame; i16; version >= 6, flags has 0x4000",
    "frame_rate; i16; version >= 6, flags has 0x4000",
    "group; u8; version >= 5",
    "stats; u8 n, n x stat; version >= 5, version < 14",
    "stats; u8 n, n x stat_high; version >= 14",
    "light; light; flags has 0x4",
    "action; u8; version >= 7, class is one of 11 12",
    "root_state; u8 n, n x char; version >= 7, class is one of 11 12",
    "recovery_times; i32[3]; class is 12, object_version >= 1",
    "last_poison; i32; class is 12, object_version >= 4",
    "teleport_position; i32[3]; class is 12, object_version >= 2",
    "teleport_level; i32; class is 12, object_version >= 2",
    "locked; i32; version >= 2, version < 5, class is one of 5 10 17",
    "pick_difficulty; i32; version >= 2, version < 5, class is one of 5 10 17",
    "locked; i32; version >= 2, version < 4, class is 13, depends on unique_id",
    "locked; i32; version >= 4, version < 5, class is 13, depends on unique_id",
    "pick_difficulty; i32; version >= 2, version < 4, class is 13, depends on unique_id",
    "pick_difficulty; i32; version >= 4, version < 5, class is 13, depends on unique_id",
    "exit_flags; u32; version >= 1, class is 10; Bits: 0 on, 1 activated, 2 from_exit",
    "exit_flags; u32; version < 4, class is 13, depends on unique_id; Bits: 0 on, 1 activated, 2 from_exit",
    "exit_flags; u32; version >= 4, version < 5, class is 13, depends on unique_id; Bits: 0 on, 1 activated, "
    "2 "
    "from_exit",
    "exit_flags; u32; version >= 5, version < 14, class is 13, depends on unique_id; Bits: 0 on, 1 "
    "activated, 2 "
    "from_exit",
    "poison; i32; version >= 1, class is 1",
    "text; u16 n, n x char; class is 22",
    "amount_minus_1; i32; version < 5, class is one of 8 21",
    "ripple_size; i32; depends on unique_id",
    "height; i32; depends on unique_id",
    "period; i32; depends on unique_id",
    "sound; u8 n, n x char; unique_id is 0x302",
    "sample_length; i32; unique_id is 0x302",
    "unknown_sound_1; i32; version >= 14, depends on unique_id",
    "unknown_sound_2; i32; version >= 14, depends on unique_id",
    "unknown_tail; bytes until the end; version >= 14",
    "inventory; u32 n, n x object; version >= 3, version < 14",
    "unknown_tail; bytes until the end; version >= 4, version < 14",
    "inventory_count; i32; version >= 14; " MAYBE " Length of `inventory`.",
    "inventory; inventory_count x object; version >= 14; " MAYBE,
    "inventory_tail; bytes until the end; version >= 14; " MAYBE,
    "= stat",
    "value; i32",
    "id; char[4]",
    "= stat_high",
    "value; i32",
    "id; char[4]; ; Bit 7 of every byte is set.",
    "= light",
    "flags; u8; ; Bits: 0 directional, 1 sun, 2 moon",
    "position; i32[3]",
    "color; u8[3]",
    "intensity; u8",
    "multiplier; i16",
    "= early_object",
    "class; i16; ; If negative, nothing follows. -1 empty, 0 item, 1 weapon, 2 armor, 3 talisman, 4 food, "
    "5 container, 6 lightsource, 7 tool, 8 tile, 9 exit, 10 player, 11 character, 15 shadow, 20 early_20",
    "object_type; i16",
    "name; u8 n, n x char; class is not 20",
    "flags; u32; class is not 20; " FLAGS,
    "position; i32[3]; class is not 20",
    "velocity; i32[3]; class is not 20",
    "state; u8; class is not 20",
    "unknown_d; u8; class is not 20",
    "health; u8; class is not 20",
    "facing; u8; class is not 20",
    "first_item; i16; class is not 20",
    "inventory_number; i16; class is not 20",
    "next_item; i16; class is not 20",
    "shadow; i32; class is not 20",
    "light; light; class is not 20, flags has 0x4",
};
static const char *const definitions[] = {"= definitions", "text; char until the end"};

static void fields_of_sectors(void **state) {
    (void)state;
    ASSERT_FIELDS("revenant-sector", sector);
}
static void fields_of_definitions(void **state) {
    (void)state;
    ASSERT_FIELDS("revenant-def", definitions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_sectors),
        cmocka_unit_test(fields_of_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
