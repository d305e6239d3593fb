/* SPDX-License-Identifier: MIT */
/*
 * Tables of the Turok remaster's level format. Facts: "TurokEX Map Format Specifications" by
 * BehemothProgrammer (Pastebin, 2019), corrected by measurements on a level that the remaster's editor saved,
 * by a published engine and by its scripting interface.
 */
#include "../../core/diagnose.h"
#include "../../edit/fix_findings.h"
#include "../../tables/words.h"
#include "turok.h"
#include "turok_bindings.h"

/* layouts */
enum { L_STRIDE_18, L_STRIDE_16 };
/* context variables */
enum { R_STRIDE = 1, R_ROWS };

#define SET          .mode = MST_COUNT_DATA_SET
#define SET_OF(r)    .kind = MST_KIND_RECORD, .mode = MST_COUNT_DATA_SET, .record = &(r)
#define BLOCKS(r)    .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &(r)
#define ONE(r)       .kind = MST_KIND_RECORD, .record = &(r)
#define UNITS        .unit = "1/38.4 m"
#define SQUARED      .unit = "(1/38.4 m)^2"
#define FLAGS(of)    .flags = MST_FIELD_FLAGS, .names = &(of)
#define SECTOR_FLAGS FLAGS(mst_turok_sector_flags), .meanings = mst_turok_sector_flag_meanings

/* clang-format off */
#define RECORDS(X) \
    X(level) X(string) X(world) X(collision) X(vertex) X(sector_set) X(sector) X(grid_bounds) \
    X(corner) X(cell) X(static_mesh) X(actors) X(actor) X(visibility)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

static const mst_field string_fields[] = {{.name = "text",
                                           .kind = MST_KIND_CHAR8,
                                           SET,
                                           .doc = "A path that ends in NUL; null if the text is absent."}};
RECORD(string, "string", "a text", .is_inline = true);

static const mst_field world_fields[] = {
    {.name = "sun_direction", F32, FIXED(3), .doc = "Unit vector towards the sun; Z is above 0 by day."},
    {.name = "sun_color",
     F32,
     FIXED(4),
     .doc = "Red, green, blue, alpha of the light from the sun, 0 to 1 each."},
    {.name = "ambient_color",
     F32,
     FIXED(4),
     .doc = "Red, green, blue, alpha of the light from everywhere, 0 to 1 each."},
};
RECORD(world, "world", "the lighting of the level", .archive = true, .min = 3);

static const mst_field vertex_fields[] = {
    {.name = "position", F32, FIXED(3), UNITS, .doc = "x, y, z of a point on the floor; Z is up."},
    {.name = "ceiling",
     F32,
     UNITS,
     .doc = "Z of the ceiling above it (not its distance from the floor), used by sectors with the flag "
            "ceiling; 0: none.",
     .evidence = "above the floor at all corners of 601 sectors with the flag"},
};
static const mst_placement_fields corner_stands = {.position = {"position"}, .from = 0, .to = 1};
RECORD(vertex, "vertex", "a corner of sectors", .placement = &corner_stands);

static const mst_field sector_set_fields[] = {
    {.name = "flags", U32, SECTOR_FLAGS, .doc = "What the area does."},
    {.name = "fog_color", U8, FIXED(4), .doc = "Red, green, blue, alpha of the fog, 0 to 255 each."},
    {.name = "water_color",
     U8,
     FIXED(4),
     .doc = "Red, green, blue, alpha of the fog under water, 0 to 255 each."},
    {.name = "fog_far", F32, UNITS, .doc = "Distance at which the fog is full; 1024 is usual."},
    {.name = "water_far", F32, UNITS, .doc = "The same distance under water."},
    {.name = "fog_start", F32, UNITS, .doc = "Distance at which the fog begins; 750 is usual."},
    {.name = "water_start", F32, UNITS, .doc = "Distance at which the fog under water begins; 744 is usual."},
    {.name = "water_height", F32, UNITS, .doc = "Z of the water's surface, used with the flag water."},
    {.name = "sky_height",
     F32,
     .doc = "How high the sky is drawn (45 to 190 in known areas); its unit is not known."},
    {.name = "sky_speed", F32, .unit = "%", .doc = "Speed at which the sky moves; 100 is normal."},
    {.name = "blend_length", F32, .doc = "How fast the fog changes on entering: 1 is 1/15 per tick."},
    {.name = "arguments",
     I16,
     FIXED(6),
     .doc = "In order: warp, level of the warp or sound, checkpoint, tag of the event, damage, delay of the "
            "damage (1024 is 1 s)."},
    {.name = "floor_impact",
     U8,
     .names = &mst_turok_impacts,
     .doc = "The material of the floor for impacts."},
    {.name = "wall_impact",
     U8,
     .names = &mst_turok_impacts,
     .doc = "The material of walls for impacts; stone in all known areas."},
    {.name = "ambience",
     U8,
     .doc = "Background sounds, by number. Two lists exist, not known which the game uses: of 1997, 0 none, "
            "1 jungle, 2 swamp, 3 cave, 4 catacombs 1, 5 lost land, 6 catacombs 2, 7 catacombs 3, 8 ruins, 9 "
            "valley, 10 village; of the remaster's definitions, the same without none, each one lower."},
    {.name = "automap_color",
     U8,
     .names = &mst_turok_automap_colors,
     .doc = "Colour in which the automap draws the area."},
    {.name = "music", U8, .names = &mst_turok_music, .doc = "Piece of music that plays in the area."},
    {.name = "cull_bits",
     U8,
     .doc = "From inside the area a static mesh is drawn if its cull_bits share a bit with these; 255 by "
            "default.",
     .evidence = "the scripting interface; according to a description a match hides"},
    {.name = "unknown_3e", U8, FIXED(2), .doc = "Not known; 0 in all known areas."},
};
RECORD(sector_set, "sector_set",
       "an area; scripts refer to it by its index, so equal sets are still distinct");

static const mst_field sector_fields[] = {
    {.name = "sector_set",
     U16,
     .doc = "The area that the triangle belongs to.",
     REFERS({.target = "sector_sets", .code = "TUROK-SET-INDEX"})},
    {.name = "flags",
     U16,
     SECTOR_FLAGS,
     .doc = "The flags that collision uses: the area's lower 16 flags and others of the sector's own.",
     .evidence = "equal to the area's in 3801 of 4207 sectors, more of them in the others"},
    {.name = "vertices",
     U16,
     FIXED(3),
     REFERS({.target = "vertices", .code = "TUROK-VERTEX-INDEX"}),
     .doc = "Its corners, counter-clockwise from above.",
     .evidence = "all 4207 sectors of a real level"},
    {.name = "links",
     U16,
     FIXED(3),
     REFERS({.target = "sectors", NO(0xFFFF), .code = "TUROK-LINK-INDEX"}),
     .doc = "Neighbours across the edges v0-v2, v1-v0, v2-v1 (in the original game's data v0-v1, v1-v2, "
            "v2-v0); 65535: a solid edge.",
     .evidence = "11018 of 11055 links of a real level are answered across an edge that both have"},
    {.name = "draw_order",
     I16,
     .range = "0 to 300 in a real level",
     .doc = "Order on the automap: the lowest is drawn on top.",
     .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, L_STRIDE_18}}},
};
RECORD(sector, "sector", "a triangle of floor");

static const mst_field collision_fields[] = {
    {.name = "vertices",
     SET_OF(vertex),
     .flags = MST_FIELD_OWNED,
     .doc = "Corners that neighbouring sectors share; at most 65536."},
    {.name = "sector_sets",
     SET_OF(sector_set),
     .flags = MST_FIELD_APPEND,
     .doc = "Areas; at most 65536. Never reorder them: scripts refer to them by index."},
    {.name = "sectors", SET_OF(sector), .doc = "Triangles of the floor; at most 65535."},
};
RECORD(collision, "collision", "the surfaces that actors walk on", .archive = true, .min = 3);

static const mst_field corner_fields[] = {{.name = "corner",
                                           F32,
                                           FIXED(2),
                                           UNITS,
                                           .doc = "x, y of a corner of a cell's box; boxes have no height."}};
RECORD(corner, "corner", "x and y", .is_inline = true);
static const mst_field grid_bounds_fields[] = {
    {.name = "size", I16, SET, .doc = "Width and height in cells."},
    {.name = "minimums",
     SET_OF(corner),
     .doc = "Minimum of each cell's box: the bounds of its meshes plus 10.24 on each side.",
     .evidence = "120 cells of a real level; empty cells have their corner of the grid twice"},
    {.name = "maximums", SET_OF(corner), .doc = "Maximum of each cell's box."},
};
RECORD(grid_bounds, "grid_bounds", "the boxes of the grid's cells", .archive = true, .min = 3);

static const mst_field static_mesh_fields[] = {
    {.name = "origin", F32, FIXED(3), UNITS, .doc = "x, y, z where the model's own origin is placed."},
    {.name = "scale", F32, FIXED(3), .doc = "Factors of the model's own axes; 0.35 is usual."},
    {.name = "rotation",
     F32,
     FIXED(4),
     .doc = "Quaternion x, y, z, w of length 1 that turns the scaled model.",
     .evidence = "860 boxes of models in quarter turns agree, its conjugate in 332"},
    {.name = "bounds_min",
     F32,
     FIXED(3),
     UNITS,
     .doc = "Least x, y, z of the scaled and turned model, from the origin."},
    {.name = "bounds_max", F32, FIXED(3), UNITS, .doc = "Greatest x, y, z of the same."},
    {.name = "texture", I32, .doc = "Texture variant; -1 and 0: the model's own textures."},
    {.name = "flags",
     U32,
     FLAGS(mst_turok_mesh_flags),
     .doc = "collide: its cylinder stops movement. Of the others only the names are known."},
    {.name = "sector",
     I32,
     REFERS({.target = "collision.sectors", NO(0xFFFFFFFFu), .code = "TUROK-MESH-SECTOR"}),
     .doc = "The sector that contains it; -1 in all known levels: none."},
    {.name = "collision_radius",
     F32,
     UNITS,
     .doc = "Radius of the cylinder that stops movement if it has the flag collide; 0 to 164 is known."},
    {.name = "collision_height", F32, UNITS, .doc = "Height of that cylinder; 0 to 1280 is known."},
    {.name = "cull_bits",
     I32,
     .doc =
         "It is drawn from areas whose cull_bits share a bit with these; -1 in all known levels: from all."},
};
static const mst_placement_fields mesh_stands = {.position = {"origin"},
                                                 .quaternion = "rotation",
                                                 .size = "scale",
                                                 .low = "bounds_min",
                                                 .high = "bounds_max",
                                                 .box_scales = true,
                                                 .from = 0,
                                                 .to = 1};
RECORD(static_mesh, "static_mesh", "a model placed in the level", .placement = &mesh_stands);

static const mst_refers of_static_meshes = {.target = "static_meshes"};
static const mst_field cell_fields[] = {
    {.name = "static_meshes",
     SET_OF(static_mesh),
     .doc = "Models whose origin is in the cell or close to it."},
    {.name = "models",
     BLOCKS(string),
     .parallel = &of_static_meshes,
     .row = "model",
     .doc = "The path of each mesh's model, in the meshes' order."},
};
RECORD(cell, "cell", "a square of the grid: empty, or with meshes", .archive = true);

static const mst_field actor_fields[] = {
    {.name = "type",
     I32,
     .names = &mst_turok_actor_types,
     .doc = "Key of the definition in defs/actors of the game or a mod; mods define further numbers."},
    {.name = "origin", F32, FIXED(3), UNITS, .doc = "Its position x, y, z; Z is up."},
    {.name = "scale", F32, FIXED(3), .doc = "Factors of the model's own axes; 0.5 is usual."},
    {.name = "yaw",
     F32,
     .unit = "rad",
     .range = "-pi to pi",
     .doc = "Rotation about Z, counter-clockwise from above; not known which way a model faces at 0.",
     .evidence = "boxes of actors of one model in quarter turns"},
    {.name = "sector",
     I32,
     REFERS({.target = "collision.sectors", NO(0xFFFFFFFFu), .code = "TUROK-ACTOR-SECTOR-RANGE"}),
     .doc = "The sector below it; -1: none."},
    {.name = "bounds_min",
     F32,
     FIXED(3),
     UNITS,
     .doc = "Least x, y, z of the turned but not scaled model, from the origin; 1e30 without a model.",
     .evidence = "355 actors with and 36 without a model"},
    {.name = "bounds_max",
     F32,
     FIXED(3),
     UNITS,
     .doc = "Greatest x, y, z of the same; -1e30 without a model."},
    {.name = "sight_range_squared",
     F32,
     SQUARED,
     .doc = "Square of the distance at which it sees; 513802.25 (70 times 10.24) is usual."},
    {.name = "sight_fov",
     F32,
     .unit = "rad",
     .doc = "Angle within which it sees; not known whether it is the whole or half of it."},
    {.name = "loud_range_squared",
     F32,
     SQUARED,
     .doc = "Square of the distance at which it hears loud sounds."},
    {.name = "quiet_range_squared",
     F32,
     SQUARED,
     .doc = "Square of the distance at which it hears quiet sounds."},
    {.name = "attack_range_squared", F32, SQUARED, .doc = "Square of the distance from which it attacks."},
    {.name = "fly_height",
     F32,
     UNITS,
     .doc = "How far above the floor it flies; 307.2 is usual. Unlike the ranges it is not squared.",
     .evidence = "30 times 10.24 in 358 of 391 actors; according to a description squared"},
    {.name = "collision_width", F32, UNITS, .doc = "Radius at which it stops other actors; 25.6 is usual."},
    {.name = "collision_wall_width", F32, UNITS, .doc = "Radius at which walls stop it."},
    {.name = "collision_height", F32, UNITS, .doc = "How tall it is for collisions; 71.68 is usual."},
    {.name = "collision_dead_height",
     F32,
     UNITS,
     .doc = "How tall it is once it is dead; also the highest step that it climbs."},
    {.name = "melee_range_squared",
     F32,
     SQUARED,
     .doc = "Square of the distance at which it fights hand to hand."},
    {.name = "leash_radius_squared",
     F32,
     SQUARED,
     .doc = "Square of the distance that it strays from its place; 1536 squared is usual."},
    {.name = "trigger_delay",
     F32,
     .doc = "Time from being triggered to acting, probably in seconds; 0, 0.5, 1 and 2 are known."},
    {.name = "species_mask",
     I32,
     FLAGS(mst_turok_species),
     .doc = "Bits of species, not used by the game; 255 is the editor's default.",
     .evidence = "-1 in 377 actors, 0 in 13, 255 in one"},
    {.name = "spawn_flags_1",
     U32,
     FLAGS(mst_turok_spawn_flags[0]),
     .meanings = mst_turok_spawn_flag_meanings[0],
     .doc = "How it behaves."},
    {.name = "spawn_flags_2",
     U32,
     FLAGS(mst_turok_spawn_flags[1]),
     .meanings = mst_turok_spawn_flag_meanings[1],
     .doc = "What it leaves behind, and how it is drawn and behaves."},
    {.name = "spawn_flags_3",
     U16,
     FLAGS(mst_turok_spawn_flags[2]),
     .meanings = mst_turok_spawn_flag_meanings[2],
     .doc = "How it appears and dies; bits 12 to 15 are not known."},
    {.name = "health", I16, .doc = "Points of damage until it dies."},
    {.name = "tid",
     I16,
     .doc = "Tag by which areas and actors trigger it; several actors may share one. 100 is usual."},
    {.name = "target_tid",
     I16,
     REFERS({.by = MST_BY_ID, .target = "records", .key = "tid", NO(0, 0xFFFF), .code = "TUROK-TARGET"}),
     .doc = "Tag of the actors that it triggers, enemies when they are killed; 0: none."},
    {.name = "max_regenerations", I16, .doc = "The number of times that it may return after its death."},
    {.name = "attack_chance", U8, .unit = "%", .doc = "How likely it is to attack when it could."},
    {.name = "trigger_animation",
     U8,
     .doc = "The animation that it plays when it is triggered; until then it is hidden, unless the flag "
            "make_spawn_animation_visible is set. How these are numbered is not known."},
    {.name = "variant",
     I8,
     .doc =
         "Which variant of the type it is. Of ai_grunt: 0 barbarian, 1 with axe and shield, 2 with morning "
         "star, 3 with polearm, 4 with shotgun, 5 with spiked shin guards; of others it is not known.",
     .evidence = "a modding guide"},
    {.name = "texture", I8, .doc = "Texture variant; -1: the model's own textures."},
    {.name = "parameter_1",
     I8,
     .doc = "Argument that depends on the type, such as of movers and portals; not known in detail."},
    {.name = "parameter_2", I8, .doc = "Not known; 0 in all known levels."},
};
static const mst_placement_fields actor_stands = {.position = {"origin"},
                                                  .turn = {"yaw"},
                                                  .size = "scale",
                                                  .low = "bounds_min",
                                                  .high = "bounds_max",
                                                  .from = 0,
                                                  .to = 1};
RECORD(actor, "actor", "a creature, pickup or interactive object", .placement = &actor_stands);

static const mst_refers of_records = {.target = "records"};
static const mst_field actors_fields[] = {
    {.name = "records", SET_OF(actor), .doc = "The creatures and things of the level."},
    {.name = "models",
     BLOCKS(string),
     .parallel = &of_records,
     .row = "model",
     .doc = "The path of each actor's model, in the actors' order; empty: it has none."},
    {.name = "animations",
     BLOCKS(string),
     .parallel = &of_records,
     .row = "animation",
     .doc = "The path of each actor's animation, in the actors' order; `_morph`: the model changes shape and "
            "has no skeleton."},
};
RECORD(actors, "actors", "all objects that are not static", .archive = true, .min = 3);

static const mst_field visibility_fields[] = {
    {.name = "stride", U32, BIND(R_STRIDE), .doc = "Size of a row in bytes."},
    {.name = "row_count", U32, BIND(R_ROWS), .doc = "Number of rows, one for each sector."},
    {.name = "rows",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = R_STRIDE,
     .count = R_ROWS,
     .doc = "A bit for each static mesh; their numbering is not known."},
};
RECORD(visibility, "visibility", "which meshes are visible from each sector");

#define EXTRA(label)                                                                                         \
    {                                                                                                        \
        .name = (label), .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END,                                     \
        .doc = "A block that no known level has; kept unchanged."                                            \
    }

static const mst_field level_fields[] = {
    {.name = "version", U32, .doc = "1; others are not known."},
    {.name = "world", ONE(world), .doc = "Light from the sun and from everywhere."},
    {.name = "sky_material", ONE(string), .doc = "Path of the sky, skies/skyMaterials/...; may be empty."},
    {.name = "collision", ONE(collision), .doc = "The floor, its areas and its connections."},
    {.name = "grid_bounds", ONE(grid_bounds), .doc = "The number of cells, and the box of each."},
    {.name = "grid_sections",
     BLOCKS(cell),
     .doc = "The cells, row by row, x fastest: the one at (x, y) is y * width + x."},
    {.name = "actors", ONE(actors), .doc = "Creatures, pickups and interactive objects."},
    {.name = "visibility", ONE(visibility), .doc = "Optional; the editor does not write it."},
    EXTRA("block_8"),
    EXTRA("block_9"),
    EXTRA("block_10"),
    EXTRA("block_11"),
    EXTRA("block_12"),
    EXTRA("block_13"),
    EXTRA("block_14"),
    EXTRA("block_15"),
    EXTRA("block_16"),
    EXTRA("block_17"),
    EXTRA("block_18"),
    EXTRA("block_19"),
    EXTRA("block_20"),
    EXTRA("block_21"),
    EXTRA("block_22"),
    EXTRA("block_23"),
    EXTRA("block_24"),
    EXTRA("block_25"),
    EXTRA("block_26"),
    EXTRA("block_27"),
    EXTRA("block_28"),
    EXTRA("block_29"),
    EXTRA("block_30"),
    EXTRA("block_31"),
    {.name = "tail",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY | MST_FIELD_OUTSIDE | MST_FIELD_OPTIONAL,
     .doc = "Bytes after the archive, kept unchanged."},
};
RECORD(level, "level", "the file", .archive = true, .min = 7);

static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- the format --------------------------------------------------------------------------------- */

/* The table of visibility has a row for each sector and a bit for each mesh, whose numbering is not known. */
static const char *voids(const mst_value *list) {
    const mst_record *record = mst_field_of(list)->record;
    return record == &sector || record == &static_mesh ? "visibility" : NULL;
}

/* A word in the given prefix of the file; 0 outside of it. */
static uint32_t word(const uint8_t *bytes, size_t size, uint64_t offset, bool big) {
    return mst_fits(offset, 4, size) ? mst_load32(bytes + offset, big) : 0;
}

/* The format has no magic: the root and the blocks before the vertices must be as in every level. */
#define LARGEST (UINT32_C(1) << 28) /* offset in a truncated level that probing accepts */

static bool probe_order(const uint8_t *bytes, size_t size, uint64_t file_size, bool big) {
    uint32_t count = word(bytes, size, 0, big);
    if (size < 64 || count < 7 || count > 32)
        return false;
    uint64_t before = 8 + 4 * (uint64_t)count;
    bool complete = true;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t offset = word(bytes, size, 4 + 4 * (uint64_t)i, big);
        complete = complete && offset <= file_size + 7;
        if (offset < before || (!complete && offset > LARGEST))
            return false;
        before = offset;
    }
    /* a truncated level must still have the blocks that are checked below */
    if (!complete && !mst_fits(word(bytes, size, 4 + 4 * 3, big), 4, file_size))
        return false;
    uint32_t offsets[5];
    for (uint32_t i = 0; i < 5; i++)
        offsets[i] = word(bytes, size, 4 + 4 * (uint64_t)i, big);
    if (offsets[1] - offsets[0] < 4 || offsets[1] - offsets[0] > 16)
        return false;
    bool has_world = word(bytes, size, offsets[1], big) == 3;
    /* blocks outside of the given prefix are not checked */
    bool has_sky = !mst_fits(offsets[2], 8, size) || word(bytes, size, offsets[2] + 4, big) <= 1;
    bool has_collision = !mst_fits(offsets[3], 4, size) || word(bytes, size, offsets[3], big) == 3;
    return has_world && has_sky && has_collision;
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)name;
    variant->big = false;
    if (probe_order(bytes, size, file_size, false))
        return true;
    variant->big = probe_order(bytes, size, file_size, true);
    return variant->big;
}

/* Sectors of 16 bytes have no draw_order. */
static mst_status resolve_variant(const uint8_t *bytes, size_t size, mst_variant *variant,
                                  mst_diagnostic *diagnostic) {
    (void)diagnostic;
    bool big = variant->big;
    uint64_t block = word(bytes, size, 4 + 4 * 3, big);
    uint64_t sectors = block + word(bytes, size, block + 4 + 4 * 2, big);
    variant->layout = word(bytes, size, sectors, big) == 16 ? L_STRIDE_16 : L_STRIDE_18;
    return MST_OK;
}

static const char *const layouts[] = {
    [L_STRIDE_18] = "sectors of 18 bytes", [L_STRIDE_16] = "sectors of 16 bytes"};

const mst_format mst_format_turok_map = {
    .information = {.id = "turok-map",
                    .title = "Turok remaster level",
                    .extensions = ".map",
                    .media_type = "",
                    .versions = "",
                    .rows = "actors.records",
                    .added_columns = "type_name model animation"},
    .tables.compared = mst_turok_compared,
    .tables.root = &level,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = mst_turok_bindings,
    .tables.bindings_count = MST_TUROK_BINDINGS,
    .conversion = &(const mst_conversion){.either_order = true},
    .identity.probe = probe,
    .identity.layouts = layouts,
    .identity.layout_count = MST_COUNT_OF(layouts),
    .identity.resolve_variant = resolve_variant,
    .editing = &(const mst_edit_hooks){.voids = voids,
                                       .fill = mst_turok_fill,
                                       .settle = mst_turok_settle,
                                       .reaches = mst_turok_reaches,
                                       .refile = mst_turok_refile},
    .adding = &(const mst_add_hooks){.blank = mst_turok_blank},
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "TUROK-ROOT",
                            [MST_PROBLEM_VERSION] = "TUROK-VERSION",
                            [MST_PROBLEM_OVERRUN] = "TUROK-TRUNCATED",
                            [MST_PROBLEM_STRING] = "TUROK-COUNT",
                            [MST_PROBLEM_COUNT] = "TUROK-COUNT",
                            [MST_PROBLEM_TRAILING] = "TUROK-TRUNCATED",
                            [MST_PROBLEM_OFFSET] = "TUROK-OFFSET",
                            [MST_PROBLEM_ROOT] = "TUROK-ROOT",
                            [MST_PROBLEM_BLOCKS] = "TUROK-CHILDREN",
                            [MST_PROBLEM_STRIDE] = "TUROK-STRIDE",
                            [MST_PROBLEM_TEXT] = "TUROK-STRING"},
    .check.codes = &mst_turok_codes,
    .check.dangling = MST_DANGLING("TUROK-VISIBILITY-SIZE"),
    .check.fixes =
        MST_FIXES({"TUROK-GRID-BOUNDS", "sets the box to the box of the cell's meshes", mst_turok_fix_cell},
                  {"TUROK-GRID-EMPTY", "makes the box the cell's corner", mst_turok_fix_cell}),
    .check.nonfinite_code = "TUROK-NONFINITE",
    .check.check = mst_turok_check,
    .build_scene = mst_turok_scene,
    .content.describe = mst_turok_describe,
    .content.special = &(const mst_special_content){.look_up = mst_turok_look_up},
    .content.names = mst_turok_map_names,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| `actor.type` | the definition with that key in `defs/actors/*.txt` of the game or a mod |\n"
        "| place of an `actor` in `records` | the same place in `models` and `animations` |\n"
        "| place of a `static_mesh` in its cell | the same place in the cell's `models` |\n"
        "| `sector_set.arguments[0]`, with the flag teleport | a warp of the level `arguments[1]` |\n"
        "| `sector_set.arguments[3]`, with the flag event | `tid` of the actors that are triggered |\n"
        "| place in `sector_sets` | the area's number in scripts |\n",
    .tables.listed = MST_LISTED(
        {"level", "grid_sections", NULL, "turok.md 8"}, {"collision", "sector_sets", NULL, "turok.md 8"},
        {"grid_bounds", "minimums", NULL, "turok.md 8"}, {"grid_bounds", "maximums", NULL, "turok.md 8"},
        {"cell", "models", NULL, "turok.md 8"}, {"actors", "models", NULL, "turok.md 8"},
        {"actors", "animations", NULL, "turok.md 8"}),
    .tables.sources = "\"TurokEX Map Format Specifications\" by BehemothProgrammer (Pastebin, 2019), "
                      "corrected by measurements on one "
                      "level that the remaster's editor saved, by a published engine and by its scripting "
                      "interface. Sectors of 16 bytes and "
                      "tables of visibility could not be measured. Flags and variants also by the [Turok EX "
                      "Modding Guide](https://smoke39.github.io/turok/levels.html).\n",
    .tables.introduction =
        "A level of the Turok remaster (Kex engine, 2015): an indexed archive of 7 blocks, or 8 "
        "with a visibility table.\n"
        "Little-endian; big-endian in the form of the N64 game's data. Right-handed, Z up; 38.4 "
        "units are about a metre;\n"
        "angles in radians, yaw counter-clockwise from above.\n"
        "\n"
        "An indexed archive is u32 count n, u32 offsets[n + 1] from its first byte (the last one is "
        "its end), then the blocks,\n"
        "each at a multiple of 8, padded with zeros; without blocks it is eight zero bytes. A data "
        "set is u32 size of an element,\n"
        "u32 number of elements, then the elements. A text is a data set of one element that ends in "
        "NUL.\n",
};
