/* SPDX-License-Identifier: MIT */
/* The tables of Alien Trilogy levels and texture files against a list of their fields. */
#include "values.h"

#define SECTION_SIZE "size; u32; ; Bytes after the size fields, up to the end of the record. Big-endian."
#define SECTION      "name; char[4]", SECTION_SIZE
#define UNKNOWN                                                                                              \
    "= unknown_section", SECTION, "data; bytes until the end", "padding; bytes up to a multiple of 2"
#define COMPASS "0 north, 1 north_east, 2 east, 3 south_east, 4 south, 5 south_west, 6 west, 7 north_west"

static const char *const map[] = {
    "= level",
    "magic; char[4]; ; Always `FORM`.",
    SECTION_SIZE,
    "type; char[4]; ; Always `0000`.",
    "trailing; bytes until the end",
    "# MAP0; map; map",
    "# D...; door_models; model; Any number of chunks. ...",
    "# L...; lift_models; model; Any number of chunks. ...",
    UNKNOWN,
    "= map",
    "vertex_count; u16; ; Length of `vertices`.",
    "quad_count; u16; ; Length of `quads`.",
    "grid_columns; u16",
    "grid_rows; u16",
    "start_x; u16",
    "start_y; u16",
    "path_node_count; u8; little-endian; Length of `path_nodes`.",
    "light_count; u8; little-endian; Length of `lights`.",
    "light_count; u8; big-endian; Length of `lights`.",
    "path_node_count; u8; big-endian; Length of `path_nodes`.",
    "monster_count; u16; ; Length of `monsters`.",
    "pickup_count; u16; ; Length of `pickups`.",
    "box_count; u16; ; Length of `boxes`.",
    "door_count; u16; ; Length of `doors`.",
    "lift_count; u16; ; Length of `lifts`.",
    "start_angle; u16; ; " COMPASS,
    "texture_animator_count; u16; ; Length of `texture_animators`.",
    "trigger_count; u8; little-endian; Length of `triggers`.",
    "command_count; u8; little-endian; Length of `commands`.",
    "command_count; u8; big-endian; Length of `commands`.",
    "trigger_count; u8; big-endian; Length of `triggers`.",
    "texture_animation_word_count; u16; ; Length of `texture_animation_words`.",
    "enemy_mask; u16",
    "vent_mask; u16",
    "vertices; vertex_count x vertex",
    "quads; quad_count x quad",
    "cells; grid_columns x grid_rows x cell",
    "path_nodes; path_node_count x path_node",
    "monsters; monster_count x monster",
    "pickups; pickup_count x pickup",
    "boxes; box_count x box",
    "doors; door_count x door",
    "lifts; lift_count x lift",
    "triggers; trigger_count x trigger",
    "commands; command_count x command",
    "lights; light_count x light",
    "texture_animators; texture_animator_count x texture_animator",
    "texture_animation_words; texture_animation_word_count x texture_animation_word",
    "= vertex",
    "x; i16",
    "y; i16",
    "z; i16",
    "unknown_06; u16; ; Usually 0.",
    "= quad",
    "vertices; i32[4]",
    "texture; u16",
    "draw_flags; u8",
    "light; u8",
    "= cell",
    "first_quad; i32",
    "unknown_04; u16",
    "path_node; u16",
    "zone_mask; u16",
    "shape; u8",
    "floor; u8",
    "unknown_0c; u8; ; Usually 0.",
    "ceiling; u8",
    "light; u8",
    "trigger; u8",
    "= path_node",
    "x; u8",
    "y; u8",
    "unknown_02; u8; ; Usually 0.",
    "alternate; u8",
    "links; u8[4]",
    "= monster",
    "type; u8; ; 1 egg, 2 face_hugger, 3 chest_burster, 4 bambi, 5 dog_alien, 6 warrior_drone, 7 queen, "
    "8 ceiling_warrior_drone, 9 ceiling_dog_alien, 10 colonist, 11 guard, 12 soldier, 13 synthetic, "
    "14 handler, 15 unused, 16 horizontal_steam_vent, 17 horizontal_flame_vent, 18 vertical_steam_vent, "
    "19 vertical_flame_vent",
    "x; u8",
    "y; u8",
    "z; u8",
    "rotation; u8; ; " COMPASS,
    "health; u8",
    "drop; u8",
    "unknown_07; u8",
    "trigger_threshold; u8",
    "unknown_09; u8",
    "unknown_0a; u8[4]",
    "speed; u8",
    "unknown_0f; u8; ; Usually 0.",
    "unknown_10; u8[4]",
    "= pickup",
    "x; u8",
    "y; u8",
    "type; u8; ; 0 pistol, 1 shotgun, 2 pulse_rifle, 3 flame_thrower, 4 smart_gun, 5 unused, "
    "6 seismic_charge, 7 battery, 8 night_vision_goggles, 9 pistol_clip, 10 shotgun_cartridges, "
    "11 pulse_rifle_clip, 12 grenades, 13 flamethrower_fuel, 14 smart_gun_ammunition, 15 identity_tag, "
    "16 auto_mapper, 17 hypo_pack, 18 acid_vest, 19 body_suit, 20 medi_kit, 21 derm_patch, "
    "22 protective_boots, 23 adrenaline_burst, 24 derm_patch_2, 25 shoulder_lamp, "
    "26 shotgun_cartridge_fixed, 27 grenades_fixed",
    "amount; u8",
    "multiplier; u8",
    "unknown_05; u8; ; Usually 0.",
    "trigger_threshold; u8",
    "amount_copy; u8",
    "= box",
    "x; u8",
    "y; u8",
    "type; u8; ; 20 box, 21 destructible_wall, 22 small_switch_with_lightning, 23 barrel, "
    "24 animated_small_switch, 25 double_box, 26 wide_switch_with_zipper, 27 wide_switch, "
    "28 shootable_empty_object, 29 shootable_object_with_drop, 30 box_30, 31 box_31, "
    "32 small_yellow_square, 33 steel_coil",
    "drop_type; u8; ; 0 pickup, 2 monster",
    "unknown_04; u8",
    "unknown_05; u8",
    "drop_first; u8",
    "drop_second; u8",
    "unknown_08; u8",
    "unknown_09; u8",
    "unknown_0a; u8",
    "unknown_0b; u8",
    "unknown_0c; u8",
    "unknown_0d; u8",
    "rotation; u8; ; " COMPASS,
    "unknown_0f; u8",
    "= door",
    "x; u8",
    "y; u8",
    "unknown_02; u8",
    "open_time; u8",
    "lock; u8; ; 1 open, 2 locked",
    "unknown_05; u8",
    "rotation; u8; ; " COMPASS,
    "model; u8",
    "= lift",
    "x; u8",
    "y; u8",
    "z; u8",
    "unknown_03; u8",
    "unknown_04; u8; ; Usually 0.",
    "unknown_05; u8",
    "unknown_06; u8",
    "unknown_07; u8",
    "unknown_08; u8",
    "unknown_09; u8",
    "unknown_0a; u8",
    "unknown_0b; u8; ; Usually 0.",
    "model; u8",
    "unknown_0d; u8",
    "unknown_0e; u8",
    "unknown_0f; u8",
    "= trigger",
    "mask; u8",
    "first_command; u8",
    "uses; u8",
    "unknown_03; u8",
    "= command",
    "operation; u8; ; 0 light, 1 unlock_door, 2 show_pickup, 3 wake_monster, 4 switch_off_box, "
    "5 locked_lift, 6 open_door, 7 move_lift, 8 end_level, 9 animate_texture, 255 none",
    "next; u8",
    "amount; u8",
    "target; u8",
    "= light",
    "off_color; u8[3]",
    "unknown_03; u8; ; Usually 0.",
    "on_color; u8[3]",
    "unknown_07; u8; ; Usually 0.",
    "corner_color; u8[3]",
    "unknown_0b; u8; ; Usually 0.",
    "corner_color_2; u8[3]",
    "unknown_0f; u8; ; Usually 0.",
    "timers; u16[4]",
    "mode; u8; ; 0 static, 1 blinking, 3 blinking_3, 4 gouraud",
    "on; u8",
    "variant; u8",
    "variant_max; u8",
    "= texture_animator",
    "program; u16",
    "variant; u8",
    "variant_max; u8",
    "= texture_animation_word",
    "program; u16",
    "value; u16",
    "= model_vertex",
    "x; i16",
    "y; i16",
    "z; i16",
    "unknown_06; u16; ; Usually 0.",
    "= model",
    SECTION,
    "magic; char[4]; ; Always `OBJ1`.",
    "unknown_04; u32; ; Usually 0.",
    "unknown_08; u32; ; Usually 5922924.",
    "quad_count; u32; ; Length of `quads`.",
    "vertex_count; u32; ; Length of `vertices`.",
    "quads; quad_count x quad",
    "vertices; vertex_count x model_vertex",
};

static const char *const gfx[] = {
    "= textures",
    "magic; char[4]; ; Always `FORM`.",
    "size; u32; layout is whole; Bytes after the size fields, up to the end of the record. Big-endian.",
    "size; u32; layout is cut; In a truncated file: the size of the complete one. Big-endian.",
    "type; char[4]; ; Always `PSXT`.",
    "trailing; bytes until the end; layout is whole",
    "# INFO; information; information",
    "# TP..; pages; page; Any number of chunks. ...",
    "# CL..; palettes; palette; Any number of chunks. ...",
    "# BX..; rectangle_lists; rectangles; Any number of chunks. ...",
    UNKNOWN,
    "= information",
    "page_width; u16",
    "page_height; u16",
    "bits; u16",
    "rectangle_count; u16",
    "unknown_08; u16",
    "unknown_0a; u16",
    "unknown_0c; u16",
    "unknown_0e; u16",
    "= page",
    SECTION,
    "pixels; bytes until the end",
    "= palette",
    SECTION,
    "unknown_00; u16[2]",
    "colors; u16 until the end",
    "= rectangles",
    SECTION,
    "count; u16; ; Length of `rectangles`.",
    "rectangles; count x rectangle",
    "padding; bytes until the end",
    "= rectangle",
    "x; u8",
    "y; u8",
    "width_minus_1; u8",
    "height_minus_1; u8",
    "page; u8",
    "unknown_05; u8; ; Usually 0.",
};

static void fields_of_levels(void **state) {
    (void)state;
    ASSERT_FIELDS("alien-map", map);
}
static void fields_of_textures(void **state) {
    (void)state;
    ASSERT_FIELDS("alien-gfx", gfx);
}

static void put_section(writer *w, const char *name, const char *bytes, size_t size) {
    put_bytes_of(w, name, 4);
    put_u32(w, (uint32_t)size);
    put_bytes_of(w, bytes, size);
    if (size % 2)
        put_u8(w, 0);
}

/* Sections whose content is not as long as it should be are kept as they are; others of their names are not.
 */
static void odd_sections(void **state) {
    (void)state;
    for (int good = 0; good < 2; good++) {
        writer w = {0};
        mst_document *document;
        mst_diagnostic why;
        mst_value value;
        w.big = true;
        put_bytes_of(&w, "FORM\0\0\0\0PSXT", 12);
        put_section(&w, "INFO", "\1\0\1\0\0\10\0\1\0\5\0\5\0\6\0\1", good ? 16 : 14);
        put_section(&w, "CL00", "\1\2\3\4\5\6", good ? 6 : 5);
        put_section(&w, "CL01", "\1\2\3\4", good ? 4 : 2);
        put_section(&w, "BX00",
                    "\0\2"
                    "123456abcdef",
                    good ? 14 : 12);
        mst_store32(w.data + 4, (uint32_t)(w.size - 8), true);
        MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
        static const char *const lists[] = {"palettes", "rectangle_lists", "unknown_sections"};
        static const unsigned counts[2][3] = {{0, 0, 4}, {2, 1, 0}};
        for (size_t i = 0; i < 3; i++) {
            MUST(mst_find(mst_root(document), lists[i], &value, &why), &why);
            assert_int_equal(mst_count(&value), counts[good][i]);
        }
        assert_int_equal(mst_find(mst_root(document), "information", &value, NULL),
                         good ? MST_OK : MST_NO_PATH);
        mst_close(document);
        writer_free(&w);
    }
}

static const record_place map_places[] = {
    {"vertex", "map.vertices[3]", NULL},
    {"quad", "map.quads[2]", NULL},
    {"cell", "map.cells[5]", NULL},
    {"path_node", "map.path_nodes[1]", NULL},
    {"monster", "map.monsters[1]", NULL},
    {"pickup", "map.pickups[1]", NULL},
    {"box", "map.boxes[1]", NULL},
    {"door", "map.doors[1]", NULL},
    {"lift", "map.lifts[0]", NULL},
    {"trigger", "map.triggers[1]", NULL},
    {"command", "map.commands[1]", NULL},
    {"light", "map.lights[1]", "timers"},
    {"texture_animator", "map.texture_animators[1]", NULL},
    {"texture_animation_word", "map.texture_animation_words[1]", NULL},
    {"quad", "door_models[1].quads[0]", NULL},
    {"model_vertex", "door_models[1].vertices[0]", NULL},
    {"model_vertex", "lift_models[0].vertices[1]", NULL},
    {NULL, NULL, NULL},
};
static const record_place gfx_places[] = {
    {"rectangle", "rectangle_lists[0].rectangles[0]", NULL},
    {NULL, NULL, NULL},
};

static void values(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        const char *order = big ? "big" : "little";
        assert_values("alien-map", map, sizeof map / sizeof *map, "bunker", order, map_places);
        assert_values("alien-gfx", gfx, sizeof gfx / sizeof *gfx, "bunker-textures", order, gfx_places);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(fields_of_levels),
        cmocka_unit_test(fields_of_textures),
        cmocka_unit_test(odd_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
