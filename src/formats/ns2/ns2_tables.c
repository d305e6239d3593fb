/* SPDX-License-Identifier: MIT */
/*
 * The tables of Natural Selection 2 levels and clipboards. Facts: "Map format documentation"
 * (https://forums.unknownworlds.com/discussion/comment/2136215), corrected by measurements on 109 levels of
 * versions 4, 6, 7, 9 and 10; versions 5 and 8 are interpolated.
 */
#include "ns2_tables.h"
#include "../../edit/fix_findings.h"
#include "ns2_bindings.h"
#include "ns2_renames.h"
#include "relations.h"

#define EDITOR_UNIT .editor_unit = "in", .editor_per_metre = 1 / 0.0254

#define SOURCES                                                                                              \
    "[Map format documentation](https://forums.unknownworlds.com/discussion/comment/2136215), corrected by " \
    "measurements "                                                                                          \
    "on 109 levels of versions 4, 6, 7, 9 and 10. Versions 5 and 8 are interpolated. What properties refer " \
    "to follows "                                                                                            \
    "scripts of the game and the same levels.\n"

static const mst_enum_name none_names[] = {{NONE, "none"}};
const mst_enum mst_ns2_none = {none_names, 1};

/* ---- small records ----------------------------------------------------------------------------- */

static const mst_field string_fields[] = {
    {.name = "text", NARROW, .doc = "Bytes without a terminator; ASCII in all known levels."}};
MST_NS2_RECORD(string, "string", "a narrow string", .is_inline = true);
static const mst_field wide_string_fields[] = {
    {.name = "text", WIDE, .doc = "UTF-16 code units without a terminator."}};
MST_NS2_RECORD(wide_string, "wide_string", "a wide string", .is_inline = true);
static const mst_field point_fields[] = {
    {.name = "position",
     F32S(3),
     .unit = "m",
     .doc = "x, y, z in the space of the level: Y is up, +Z forward, +X left."}};
MST_NS2_RECORD(point, "point", "three coordinates", .is_inline = true);
static const mst_field color_fields[] = {
    {.name = "rgba",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_FIXED,
     .count = 4,
     .doc = "Red, green, blue, alpha, 0 to 255 each. Of use to the editor only."}};
MST_NS2_RECORD(color, "color", "red, green, blue, alpha", .is_inline = true);

static const mst_field unknown_chunk_fields[] = {
    {.name = "id", U32, .doc = "The meaning of the chunk is not known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Not known; kept unchanged."},
};
MST_NS2_RECORD(unknown_chunk, "unknown_chunk", "a chunk with an unknown id, or a duplicate of a known one");
const mst_field mst_ns2_unknown_chunks = {.name = "unknown_chunks",
                                          .doc = "Chunks with other ids, kept unchanged.",
                                          .kind = MST_KIND_RECORD,
                                          .record = &mst_ns2_unknown_chunk_record,
                                          .flags = MST_FIELD_REPEATED};

/* ---- objects ----------------------------------------------------------------------------------- */

#define OBJECT_FIELDS                                                                                        \
    {.name = "layer_mask",                                                                                   \
     .kind = MST_KIND_U64,                                                                                   \
     IF(UNTIL(5)),                                                                                           \
     LAYER_NUMBERS,                                                                                          \
     .doc = "Bit k is layer number k."},                                                                     \
        {.name = "has_layers",                                                                               \
         BOOL,                                                                                               \
         BIND(R_HAS_LAYERS),                                                                                 \
         IF(FROM(5)),                                                                                        \
         .doc = "Whether the entity is on any layer."},                                                      \
        {.name = "layer_format",                                                                             \
         U32,                                                                                                \
         .flags = MST_FIELD_DEFAULT,                                                                         \
         .initial = MST_NS2_LAYER_FORMAT,                                                                    \
         IF(FROM(5), IS_NOT(R_HAS_LAYERS, 0)),                                                               \
         .doc = "2 in all known levels; the meaning of other numbers is not known."},                        \
        {.name = "layer_masks",                                                                              \
         U32S,                                                                                               \
         IF(FROM(5), IS_NOT(R_HAS_LAYERS, 0)),                                                               \
         LAYERS,                                                                                             \
         .doc = "Bit k of all words together is the layer with id k."},                                      \
        {.name = "group",                                                                                    \
         U32,                                                                                                \
         IF(FROM(5)),                                                                                        \
         .names = &mst_ns2_none,                                                                             \
         GROUP(NO(NONE)),                                                                                    \
         .doc = "Id of the group that the entity is in; meaningful names are listed above."},                \
        {.name = "class_name",                                                                               \
         NARROW,                                                                                             \
         .doc =                                                                                              \
             "Class of the entity, such as prop_static; editor_setup.xml of the game or mod defines them."}, \
        {.name = "property_count",                                                                           \
         U32,                                                                                                \
         .length_of = "properties",                                                                          \
         BIND(R_PROPERTIES),                                                                                 \
         IF(FROM(10)),                                                                                       \
         .doc = "Earlier versions have properties until the chunk ends."},                                   \
        {.name = "properties",                                                                               \
         .kind = MST_KIND_RECORD,                                                                            \
         .mode = MST_COUNT_VARIABLE,                                                                         \
         .count_variable = R_PROPERTIES,                                                                     \
         .record = &mst_ns2_property_record,                                                                 \
         IF(FROM(10)),                                                                                       \
         .doc = "origin and angles first; then the properties of the class."},                               \
        {.name = "properties",                                                                               \
         .kind = MST_KIND_RECORD,                                                                            \
         TO_END,                                                                                             \
         .record = &mst_ns2_property_record,                                                                 \
         IF(UNTIL(10)),                                                                                      \
         .doc = "origin and angles first; then the properties of the class."},                               \
    {                                                                                                        \
        .name = "extras", LIST_OF(extra), .flags = MST_FIELD_OWN, IF(FROM(10)),                              \
        .doc = "Only reflection probes have one."                                                            \
    }

/* Roll, pitch and yaw; yaw is applied last: about Y, from +Z to +X. */
static const mst_placement_fields stands = {.position = {"properties.origin"},
                                            .turn = {"properties.angles[2]"},
                                            .angles = "properties.angles",
                                            .size = "properties.scale",
                                            .from = 2,
                                            .to = 0};
static const mst_field object_fields[] = {OBJECT_FIELDS};
MST_NS2_RECORD(object, "object", "an entity", .placement = &stands);

/* ---- layers, groups, the editor's own data ----------------------------------------------------- */

static const mst_field layer_fields[] = {
    {.name = "name", WIDE, .doc = "Some names have a meaning for the game: see above."},
    {.name = "visible", BOOL, .doc = "Whether the editor shows it; the game does not care."},
    {.name = "color",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_FIXED,
     .count = 4,
     .doc = "Red, green, blue, alpha, 0 to 255 each, in the editor only."},
    {.name = "id",
     U32,
     IF(FROM(5)),
     .doc = "The id by which faces and entities refer to it, independent of its place in the list."},
};
MST_NS2_RECORD(layer, "layer", "a layer or a group of the editor");

static const mst_field setting_layers_fields[] = {
    {.name = "name", WIDE, .doc = "Pathing in all known levels: the navigation mesh."},
    {.name = "layer_masks",
     U32S,
     .doc = "Bit k of all words together is the layer with id k; 8 words in all known levels.",
     REFERS({.by = MST_BY_BIT, .target = "layers", .key = "id", .member = true})}};
MST_NS2_RECORD(setting_layers, "setting_layers", "the layers that a setting is for");
static const mst_case setting_cases[] = {
    {.id = 0,
     .field = {.name = "layers",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_setting_layers_record,
               .doc = "The layers that are included."}},
    {.id = 1,
     .field = {.name = "properties",
               .kind = MST_KIND_RECORD,
               TO_END,
               .record = &mst_ns2_property_record,
               .doc = "13 numbers for building the navigation mesh, by name."}},
};
static const mst_chunks setting_chunks = {
    .cases = setting_cases, .case_count = MST_COUNT_OF(setting_cases), .unknown = &mst_ns2_unknown_chunks};
static const mst_field setting_fields[] = {
    {.name = "id",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = MST_NS2_SETTING,
     BIND(R_KIND),
     .doc = "0x7E374C8E; any other kind is not known and kept as bytes."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "chunks",
     .kind = MST_KIND_CHUNKS,
     .chunks = &setting_chunks,
     IF(IS(R_KIND, MST_NS2_SETTING)),
     .doc = "The subject of the setting, and its values."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     IF(IS_NOT(R_KIND, MST_NS2_SETTING)),
     .doc = "Not known; kept unchanged."},
};
MST_NS2_RECORD(setting, "setting", "settings of the editor, for example of the navigation mesh");

static const mst_case level_cases[] = {
    {.id = 2,
     .field = {.name = "mesh",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_mesh_record,
               .doc = "Exactly one, and first."}},
    {.id = 1,
     .field = {.name = "objects",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_object_record,
               .flags = MST_FIELD_REPEATED,
               .doc = "One chunk for each entity."}},
    {.id = 3,
     .field = {.name = "layers", LIST_OF(layer), .doc = "Stored after the objects that are on them."}},
    {.id = 5,
     .field = {.name = "groups", LIST_OF(layer), .doc = "Stored after the objects that are in them."}},
    {.id = 4, .field = {.name = "viewports", WIDE, .doc = "The editor's views, as XML."}},
    {.id = 6,
     .field = {.name = "custom_colors",
               LIST_OF(color),
               .doc =
                   "16 colours of the editor's palette; in some levels of version 9 and all of version 10."}},
    {.id = 7,
     .field = {.name = "editor_settings",
               .kind = MST_KIND_RECORD,
               TO_END,
               .record = &mst_ns2_setting_record,
               .doc = "In some levels of version 9 and all of version 10."}},
};
static const mst_chunks level_chunks = {
    .cases = level_cases, .case_count = MST_COUNT_OF(level_cases), .unknown = &mst_ns2_unknown_chunks};
static const mst_field level_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 3, .constant = "LVL"},
    {.name = "version", .kind = MST_KIND_U8, .doc = "4 to 10; the fields state what depends on it."},
    {.name = "chunks",
     .kind = MST_KIND_CHUNKS,
     .chunks = &level_chunks,
     .doc = "In real levels in the order of the table; any order is read and kept."},
};
MST_NS2_RECORD(level, "level", "a level");

/* ---- clipboard --------------------------------------------------------------------------------- */

static const mst_field clip_object_fields[] = {
    {.name = "id",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = MST_NS2_CLIP_OBJECT,
     .doc = "1: an entity; others are not known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    OBJECT_FIELDS,
};
MST_NS2_RECORD(clip_object, "clip_object", "an entity on the clipboard", .placement = &stands);

static const mst_enum_name block_names[] = {{1, "objects"}, {2, "mesh"}};
static const mst_enum block_kinds = {block_names, MST_COUNT_OF(block_names)};
static const mst_field block_fields[] = {
    {.name = "unknown_00",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = 1,
     .doc = "1; its meaning is not known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "kind",
     .kind = MST_KIND_U16,
     .names = &block_kinds,
     BIND(R_KIND),
     .doc = "The content of the block; counts towards its length."},
    {.name = "mesh",
     .kind = MST_KIND_RECORD,
     .record = &mst_ns2_mesh_record,
     IF(IS(R_KIND, 2)),
     .doc = "As in a level of version 10, but without triangles, layers of faces and members of groups."},
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     TO_END,
     .record = &mst_ns2_clip_object_record,
     IF(IS(R_KIND, 1)),
     .doc = "The copied entities."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     IF(IS_NOT(R_KIND, 1), IS_NOT(R_KIND, 2)),
     .doc = "Not known; kept unchanged."},
};
MST_NS2_RECORD(block, "block", "copied objects or a copied mesh");
static const mst_field clip_fields[] = {{.name = "blocks",
                                         .kind = MST_KIND_RECORD,
                                         TO_END,
                                         .record = &mst_ns2_block_record,
                                         .doc = "The copied elements, by kind."}};
MST_NS2_RECORD(clip, "clipboard", "a clipboard of the Spark editor");

/* ---- formats ----------------------------------------------------------------------------------- */

static const mst_record *const records[] = {MST_NS2_RECORDS(MST_NS2_RECORD_ADDRESS)};

static bool probe_level(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant) {
    (void)file_size;
    (void)name;
    if (size < 3 || bytes[0] != 'L' || bytes[1] != 'V' || bytes[2] != 'L')
        return false;
    /* without a version byte the file is a truncated level */
    variant->version = size > 3 ? bytes[3] : 10;
    return true;
}

static bool version_known(uint32_t version) {
    return version >= 4 && version <= 10;
}

/* The format has no magic: the first block and its first chunk must be plausible. */
static bool probe_clip(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)file_size;
    (void)name;
    if (size < 10 || mst_load32(bytes, false) != 1)
        return false;
    uint32_t length = mst_load32(bytes + 4, false);
    uint16_t kind = mst_load16(bytes + 8, false);
    if (length < 2 || kind < 1 || kind > 2)
        return false;
    if (length > 2) { /* the block may be truncated: check only its beginning */
        if (size < 18 || length < 10)
            return false;
        uint32_t id = mst_load32(bytes + 10, false);
        if (mst_load32(bytes + 14, false) > length - 10 || (kind == 1 ? id != 1 : id < 1 || id > 8))
            return false;
    }
    variant->version = 10;
    return true;
}

#define PROBLEM_CODES                                                                                        \
    {                                                                                                        \
        [MST_PROBLEM_MAGIC] = "NS2-MAGIC", [MST_PROBLEM_VERSION] = "NS2-VERSION",                            \
        [MST_PROBLEM_OVERRUN] = "NS2-CHUNK-OVERRUN", [MST_PROBLEM_STRING] = "NS2-STRING-OVERRUN",            \
        [MST_PROBLEM_COUNT] = "NS2-COUNT", [MST_PROBLEM_TRAILING] = "NS2-TRAILING"                           \
    }

#define NS2_LISTED                                                                                           \
    MST_LISTED({"face_layers", "faces", NULL, "ns2.md 3.2"}, {"face_layers", "masks", NULL, "ns2.md 3.2"},   \
               {"triangles", "faces", NULL, "ns2.md 3.2"},                                                   \
               {"face", "loops", "it is the only one, the border", "ns2.md 3.2"})

const mst_format mst_format_ns2_level = {
    .information = {.id = "ns2-level",
                    .title = "Natural Selection 2 level",
                    .extensions = ".level",
                    .media_type = "",
                    .versions = "4, 5, 6, 7, 8, 9, 10",
                    .rows = "objects",
                    .added_columns = "layers group material location",
                    EDITOR_UNIT},
    .tables.root = &mst_ns2_level_record,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = mst_ns2_bindings,
    .tables.bindings_count = MST_NS2_BINDINGS,
    .tables.compared = mst_ns2_compared,
    .tables.expressions = mst_ns2_expressions,
    .identity.version_field = "version",
    .identity.version = 10,
    .identity.probe = probe_level,
    .identity.version_known = version_known,
    .fix_up = mst_ns2_fix_up,
    .editing = &(const mst_edit_hooks){.row = mst_ns2_row,
                                       .settle = mst_ns2_settle,
                                       .reaches = mst_ns2_reaches,
                                       .resize = mst_ns2_reshape,
                                       .names = mst_ns2_naming,
                                       .names_list = "objects"},
    .mesh = &(const mst_mesh_hooks){.move_together = mst_ns2_move_together,
                                    .geometry = mst_ns2_geometry,
                                    .carry = mst_ns2_carry,
                                    .paste = mst_ns2_paste},
    .adding = &(const mst_add_hooks){.expand = mst_ns2_expand,
                                     .expands = mst_ns2_expands,
                                     .blank = mst_ns2_blank,
                                     .of_class = mst_ns2_of_class,
                                     .pair = mst_ns2_pair,
                                     .from_schema = mst_ns2_from_schema},
    .conversion = &(const mst_conversion){.convert = mst_ns2_convert,
                                          .other = "ns2-clip",
                                          .to_other = mst_ns2_level_to_clip},
    .check.problem_codes = PROBLEM_CODES,
    .check.codes = &mst_ns2_codes,
    .check.dangling = MST_DANGLING("NS2-LOOP-OPEN", "NS2-LAYER-ID", "NS2-MAPPING-TWICE", "NS2-TRIANGLE-COUNT",
                                   "NS2-OUTPUT-TARGET", "NS2-TRAIN", "NS2-WAYPOINT"),
    .check.fixes = MST_FIXES(
        {"NS2-TRIANGLE-COUNT", "sets it to the sum over all faces", NULL},
        {"NS2-FACE-LAYERS", "puts the faces on none, if none of them has any", mst_ns2_fix_face_layers},
        {"NS2-TRIANGLES-MISSING", "makes them of the faces' borders, if there are none",
         mst_ns2_fix_triangles}),
    .check.nonfinite_code = "NS2-NONFINITE",
    .check.items = &(const mst_item_checks){.begin = mst_ns2_check_begin,
                                            .item = mst_ns2_check_item,
                                            .wants = mst_ns2_check_wants},
    .check.check = mst_ns2_check,
    .build_scene = mst_ns2_scene,
    .content.describe = mst_ns2_describe,
    .content.names = mst_ns2_name_files,
    .images = &(const mst_images){.count = mst_ns2_image_count,
                                  .read = mst_ns2_image_read,
                                  .replace = mst_ns2_image_replace},
    .rooms = &mst_ns2_rooms,
    .tables.relations = mst_ns2_relations_reference,
    .tables.listed = NS2_LISTED,
    .tables.sources = SOURCES,
    .tables.introduction =
        "A level of Natural Selection 2 (Spark engine). Little-endian; metres (the editor shows inches: "
        "39.37 to the metre), Y up, +Z forward, +X left;\n"
        "angles in radians, stored roll, pitch, yaw: rotation = Ry(yaw) * Rx(pitch) * Rz(roll). Narrow "
        "strings are\n"
        "bytes, wide strings UTF-16. Layers and groups follow the objects that refer to them: read "
        "everything, then resolve.\n\n"
        "Groups that the game identifies by name: CollisionGeometry, InvisibleGeometry, "
        "NonCollisionGeometry,\n"
        "OcclusionGeometry, CommanderInvisible, CommanderInvisibleVents, CommanderInvisibleNonCollision,\n"
        "CommanderBuild, CommanderNoBuild, OverviewInvisible, Low Lights. Layers: Vents, Pathing,\n"
        "ReflectionsInvisible. Geometry that is only on the layer Pathing is the editor's navigation mesh, "
        "and the materials\n"
        "toolsskybox, toolsclip, toolsplayerclip, toolshint, toolsskip, toolstrigger, toolsnodraw and "
        "toolsinvisible\n"
        "are for compilers of levels: pictures, models and bounds leave both out.\n",
};

const mst_format mst_format_ns2_clip = {
    .information = {.id = "ns2-clip",
                    .title = "Spark editor clipboard",
                    .extensions = ".clip",
                    .media_type = "application/spark editor",
                    .versions = "",
                    .rows = "blocks",
                    EDITOR_UNIT},
    .tables.root = &mst_ns2_clip_record,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = mst_ns2_bindings,
    .tables.bindings_count = MST_NS2_BINDINGS,
    .tables.compared = mst_ns2_compared,
    .tables.expressions = mst_ns2_expressions,
    .identity.version = 10,
    .identity.probe = probe_clip,
    .conversion = &(const mst_conversion){.other = "ns2-level", .to_other = mst_ns2_clip_to_level},
    .mesh = &(const mst_mesh_hooks){.move_together = mst_ns2_move_together},
    .check.problem_codes = PROBLEM_CODES,
    .check.codes = &mst_ns2_codes,
    .check.dangling = MST_DANGLING("NS2-LOOP-OPEN", "NS2-MAPPING-TWICE", "NS2-TRIANGLE-COUNT"),
    .check.nonfinite_code = "NS2-NONFINITE",
    .check.items = &(const mst_item_checks){.begin = mst_ns2_clip_check_begin,
                                            .item = mst_ns2_check_item,
                                            .wants = mst_ns2_check_wants},
    .check.check = mst_ns2_clip_check,
    .build_scene = mst_ns2_clip_scene,
    .content.describe = mst_ns2_describe,
    .tables.relations = mst_ns2_relations_reference,
    .tables.listed = NS2_LISTED,
    .tables.sources = SOURCES "No clipboard of the editor itself could be measured.\n",
    .tables.introduction =
        "The clipboard of the Spark editor (media type `application/spark editor`). Objects and\n"
        "meshes have the layout of level version 10. Little-endian; metres and angles as there.\n",
};
