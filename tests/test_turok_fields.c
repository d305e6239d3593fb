/* SPDX-License-Identifier: MIT */
/* The tables of Turok levels and Iguana archives against a list of their fields. */
#include "values.h"

#define SECTOR_FLAGS                                                                                         \
    "0 water, 1 block, 2 toggle, 3 cliff, 4 climb, 5 one_sided, 6 ceiling, 7 crawl, 8 enter_crawl, "         \
    "9 hidden, 10 entered, 11 secret, 12 restricted, 13 slope_test, 14 death_pit, 15 mapped, 16 event, "     \
    "17 repeatable, 18 teleport, 19 damage, 20 draw_sky, 21 teleport_air, 22 lava, 23 event_sound, "         \
    "24 anti_gravity, 25 ladder, 26 checkpoint, 27 save_game, 28 warp_return, 29 shallow_water, "            \
    "30 draw_sun, 31 store_warp_return"
#define IMPACTS                                                                                              \
    "0 default, 1 water, 2 metal, 3 stone, 4 flesh_human, 5 flesh_creature, 6 flesh_undead, 7 lava, "        \
    "8 slime, 9 force_field"
#define EXTRA(n) "block_" #n "; bytes until the end"

static const char *const level[] = {
    "= level archive",
    "version; u32",
    "world; world",
    "sky_material; string",
    "collision; collision",
    "grid_bounds; grid_bounds",
    "grid_sections; archive of cell",
    "actors; actors",
    "visibility; visibility",
    EXTRA(8),
    EXTRA(9),
    EXTRA(10),
    EXTRA(11),
    EXTRA(12),
    EXTRA(13),
    EXTRA(14),
    EXTRA(15),
    EXTRA(16),
    EXTRA(17),
    EXTRA(18),
    EXTRA(19),
    EXTRA(20),
    EXTRA(21),
    EXTRA(22),
    EXTRA(23),
    EXTRA(24),
    EXTRA(25),
    EXTRA(26),
    EXTRA(27),
    EXTRA(28),
    EXTRA(29),
    EXTRA(30),
    EXTRA(31),
    "tail; bytes until the end; ; May be missing.",
    "= string transparent",
    "text; data set of one text",
    "= world archive",
    "sun_direction; f32[3]",
    "sun_color; f32[4]",
    "ambient_color; f32[4]",
    "= collision archive",
    "vertices; data set of vertex",
    "sector_sets; data set of sector_set",
    "sectors; data set of sector",
    "= vertex",
    "position; f32[3]",
    "ceiling; f32",
    "= sector_set",
    "flags; u32; ; Bits: " SECTOR_FLAGS,
    "fog_color; u8[4]",
    "water_color; u8[4]",
    "fog_far; f32",
    "water_far; f32",
    "fog_start; f32",
    "water_start; f32",
    "water_height; f32",
    "sky_height; f32",
    "sky_speed; f32",
    "blend_length; f32",
    "arguments; i16[6]",
    "floor_impact; u8; ; " IMPACTS,
    "wall_impact; u8; ; " IMPACTS,
    "ambience; u8",
    "automap_color; u8; ; 0 white, 1 green, 2 blue, 3 red, 4 pink, 5 purple, 6 brown, 7 cyan, 8 yellow, "
    "9 orange, 10 black",
    "music; u8; ; 0 jungle, 1 catacombs, 2 caves, 3 boss_battle, 4 final_confrontation, 5 campaigner, "
    "6 hub, 7 tree_top_village, 8 lost_land, 9 cyborg_t_rex, 11 lost_land_caves, 13 ancient_city, "
    "14 ruins, 100 underwater",
    "cull_bits; u8",
    "unknown_3e; u8[2]",
    "= sector",
    "sector_set; u16",
    "flags; u16; ; Bits: " SECTOR_FLAGS,
    "vertices; u16[3]",
    "links; u16[3]",
    "draw_order; i16; layout is sectors of 18 bytes",
    "= grid_bounds archive",
    "size; data set of i16",
    "minimums; data set of corner",
    "maximums; data set of corner",
    "= corner transparent",
    "corner; f32[2]",
    "= cell archive",
    "static_meshes; data set of static_mesh",
    "models; archive of string",
    "= static_mesh",
    "origin; f32[3]",
    "scale; f32[3]",
    "rotation; f32[4]",
    "bounds_min; f32[3]",
    "bounds_max; f32[3]",
    "texture; i32",
    "flags; u32; ; Bits: 0 collide, 1 no_poly_collision, 2 no_draw_camera",
    "sector; i32",
    "collision_radius; f32",
    "collision_height; f32",
    "cull_bits; i32",
    "= actors archive",
    "records; data set of actor",
    "models; archive of string",
    "animations; archive of string",
    "= actor",
    "type; i32; ; 0 turok, ..., 1004 aiboss_hummer, 2001 ai_turret",
    "origin; f32[3]",
    "scale; f32[3]",
    "yaw; f32",
    "sector; i32",
    "bounds_min; f32[3]",
    "bounds_max; f32[3]",
    "sight_range_squared; f32",
    "sight_fov; f32",
    "loud_range_squared; f32",
    "quiet_range_squared; f32",
    "attack_range_squared; f32",
    "fly_height; f32",
    "collision_width; f32",
    "collision_wall_width; f32",
    "collision_height; f32",
    "collision_dead_height; f32",
    "melee_range_squared; f32",
    "leash_radius_squared; f32",
    "trigger_delay; f32",
    "species_mask; i32; ; Bits: 0 raptor, 1 human_1, 2 saber_tiger, 3 dimetrodon, 4 triceratops, 5 moschops, "
    "6 pteranodon, 7 subterranean, 8 leaper, 9 alien, 10 hulk, 11 robot, 12 mantis_boss",
    "spawn_flags_1; u32; ; 0 solid, 1 projectile_attack_1, 2 leader, 3 snap_to_floor, 4 explosion_death, "
    "5 climb_walls, 6 projectile_attack_2, 7 no_repeat_explosion, 8 die_on_explosion, 9 flocker, "
    "10 slow_enemy, 11 random_resurrection, 12 random_feign_death, 13 kamikaze, 14 avoid_players, "
    "15 float_in_water_on_death, 16 teleport, 17 cast_shadow, 18 teleport_wait, 19 use_strong_attacks, "
    "20 use_weak_attacks, 21 sniper, 22 melt_on_death, 23 avoid_water, 24 flying, "
    "25 teleport_avoid_water, 26 teleport_avoid_cliffs, 27 trigger_stuff, 28 cannot_cause_a_fight, "
    "29 no_wall_collision, 30 screen_shake, 31 respawn_animation",
    "spawn_flags_2; u32; ; 0 drop_explosive_shells, 1 drop_grenade, 2 drop_medium_health, "
    "3 drop_full_health, 4 drop_ultra_health, 5 drop_small_health, 6 drop_large_health, "
    "7 drop_minigun_ammo, 8 drop_mortal_wound, 9 drop_rockets, 10 drop_shotgun_shells, "
    "11 drop_energy_cell, 12 drop_large_energy_cell, 13 drop_clip, 14 remove_on_completion, 15 no_blood, "
    "16 hold_trigger_animation, 17 projectile_attack_3, 18 projectile_attack_4, 19 drop_item_on_damage, "
    "20 no_automap_draw, 21 alternate_moves, 22 anti_aliasing_reduced, 23 anti_aliasing_full, "
    "24 projectile_attack_5, 25 projectile_attack_6, 26 mortal_wound_impact, 27 stay_in_water, "
    "28 device_warp_death, 29 store_warp_return, 30 projectile_attack_7, 31 projectile_attack_8",
    "spawn_flags_3; u16; ; 0 return_warp, 1 play_trigger_animation_once, 2 regenerate_from_start, "
    "3 walk_in_straight_line, 4 kill_outside_of_view, 5 no_thinker, 6 avoid_players_2, "
    "7 no_violent_death, 8 projectile_attack_9, 9 projectile_attack_10, 10 make_spawn_animation_visible, "
    "11 no_draw_on_camera",
    "health; i16",
    "tid; i16",
    "target_tid; i16",
    "max_regenerations; i16",
    "attack_chance; u8",
    "trigger_animation; u8",
    "variant; i8",
    "texture; i8",
    "parameter_1; i8",
    "parameter_2; i8",
    "= visibility",
    "stride; u32",
    "row_count; u32",
    "rows; stride x row_count x bytes",
};

static const char *const iguana[] = {
    "= archive",
    "blocks; archive of block; layout is archive",
    "tail; bytes until the end; layout is archive",
    "content; block; layout is content",
    "padding; bytes until the end; layout is content",
    "= block",
    "rnc; rnc; ; Nothing follows.",
    "blocks; archive of block; ; Nothing follows.",
    "data_set; data_set; ; Nothing follows.",
    "empty; bytes until the end; ; Nothing follows.",
    "raw; bytes until the end",
    "= data_set",
    "stride; u32",
    "count; u32",
    "elements; stride x count x bytes",
    "= rnc",
    "magic; char[3]; ; Always `RNC`.",
    "method; u8",
    "unpacked_size; u32; ; Big-endian.",
    "packed_size; u32; ; Big-endian.",
    "unpacked_crc; u16; ; Big-endian.",
    "packed_crc; u16; ; Big-endian.",
    "leeway; u8",
    "chunk_count; u8",
    "packed; packed_size x bytes",
};

static void fields_of_levels(void **state) {
    (void)state;
    ASSERT_FIELDS("turok-map", level);
}
static void fields_of_archives(void **state) {
    (void)state;
    ASSERT_FIELDS("iguana", iguana);
}

static const record_place places[] = {
    {"vertex", "collision.vertices[3]", NULL}, {"sector_set", "collision.sector_sets[1]", NULL},
    {"sector", "collision.sectors[7]", NULL},  {"static_mesh", "grid_sections[0].static_meshes[0]", NULL},
    {"actor", "actors.records[2]", NULL},      {NULL, NULL, NULL},
};

static void values(void **state) {
    (void)state;
    assert_values("turok-map", level, sizeof level / sizeof *level, "valley", "little", places);
    assert_values("turok-map", level, sizeof level / sizeof *level, "valley", "big", places);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(fields_of_levels),
        cmocka_unit_test(fields_of_archives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
