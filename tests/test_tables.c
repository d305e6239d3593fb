/* SPDX-License-Identifier: MIT */
/*
 * What the tables of all formats say beside names, types and conditions (test_*_fields.c): byte orders of
 * their own, parts, bytes that JSON leaves out, rules of checks. Lists are complete: what is not in them has
 * it not.
 */
#include "../src/schema/schema.h"
#include "support.h"

/* Called for each field, those of chunks too (`of_chunks`). */
typedef void (*field_function)(void *user, const mst_format *format, const mst_record *record,
                               const mst_field *field, const mst_case *of_chunks);

static void each_field(field_function visit, void *user) {
    for (size_t f = 0; mst_formats[f]; f++)
        for (size_t r = 0; r < mst_formats[f]->tables.record_count; r++) {
            const mst_record *record = mst_formats[f]->tables.records[r];
            for (size_t i = 0; i < record->field_count; i++) {
                const mst_field *field = &record->fields[i];
                visit(user, mst_formats[f], record, field, NULL);
                if (!field->chunks)
                    continue;
                for (size_t c = 0; c < field->chunks->case_count; c++)
                    visit(user, mst_formats[f], record, &field->chunks->cases[c].field,
                          &field->chunks->cases[c]);
                visit(user, mst_formats[f], record, field->chunks->unknown, &field->chunks->cases[0]);
            }
        }
}

/* ---- fields that have a flag -------------------------------------------------------------------- */

typedef struct flag_list {
    const char *const
        *names; /* "format record.field", or "format record.field/1" for the second of that name */
    size_t count;
    uint32_t flag;
    uint8_t found[128];
    size_t wrong;
} flag_list;

/* "alien-*" stands for all that begin so. */
static bool called(const char *wanted, const char *name) {
    const char *star = strchr(wanted, '*');
    if (!star)
        return strcmp(wanted, name) == 0;
    size_t before = (size_t)(star - wanted), after = strlen(star + 1), length = strlen(name);
    return length >= before + after && strncmp(wanted, name, before) == 0 &&
           strcmp(name + length - after, star + 1) == 0;
}

/* Of the fields of one name in a record, the which this is. */
static unsigned which(const mst_record *record, const mst_field *field) {
    unsigned before = 0;
    for (size_t i = 0; i < record->field_count && &record->fields[i] != field; i++)
        before += strcmp(record->fields[i].name, field->name) == 0;
    return before;
}

static void look_for_flag(void *user, const mst_format *format, const mst_record *record,
                          const mst_field *field, const mst_case *of_chunks) {
    flag_list *list = user;
    char name[128], numbered[140];
    bool wanted = false;
    snprintf(name, sizeof name, "%s %s.%s", format->information.id, record->name, field->name);
    snprintf(numbered, sizeof numbered, "%s/%u", name, of_chunks ? 0 : which(record, field));
    for (size_t i = 0; i < list->count; i++)
        if (called(list->names[i], name) || called(list->names[i], numbered)) {
            wanted = true;
            list->found[i] = 1;
        }
    if (wanted != ((field->flags & list->flag) != 0)) {
        print_error("%s %s it\n", numbered, wanted ? "should have" : "should not have");
        list->wrong++;
    }
}

static void assert_flag(uint32_t flag, const char *const *names, size_t count) {
    flag_list list = {.names = names, .count = count, .flag = flag};
    assert_true(count <= sizeof list.found);
    each_field(look_for_flag, &list);
    for (size_t i = 0; i < count; i++)
        if (!list.found[i]) {
            print_error("there is no %s\n", names[i]);
            list.wrong++;
        }
    assert_int_equal(list.wrong, 0);
}
#define ASSERT_FLAG(flag, ...)                                                                               \
    do {                                                                                                     \
        static const char *const flag_names[] = {__VA_ARGS__};                                               \
        assert_flag((flag), flag_names, sizeof flag_names / sizeof *flag_names);                             \
    } while (0)

/* Sizes in Alien containers and all of RNC headers are big-endian, whatever the rest is. */
static void byte_orders(void **state) {
    (void)state;
    ASSERT_FLAG(MST_FIELD_BIG, "alien-map level.size", "alien-map model.size",
                "alien-map unknown_section.size", "alien-gfx textures.size", "alien-gfx page.size",
                "alien-gfx palette.size", "alien-gfx rectangles.size", "alien-gfx unknown_section.size",
                "iguana rnc.unpacked_size", "iguana rnc.packed_size", "iguana rnc.unpacked_crc",
                "iguana rnc.packed_crc");
    ASSERT_FLAG(MST_FIELD_LITTLE, "alien-map light.timers");
}

static void parts(void **state) {
    (void)state;
    ASSERT_FLAG(MST_FIELD_OUTSIDE, "alien-map level.trailing", "alien-gfx textures.trailing",
                "alien-* unknown_section.padding", "turok-map level.tail");
    ASSERT_FLAG(MST_FIELD_LAST, "revenant-sector object.inventory_count",
                "revenant-sector object.inventory_tail", "revenant-sector object.inventory/1");
    ASSERT_FLAG(MST_FIELD_OPTIONAL, "revenant-sector object.inventory_count",
                "revenant-sector object.inventory_tail", "revenant-sector object.inventory/1",
                "turok-map level.tail");
    ASSERT_FLAG(MST_FIELD_SHORT, "revenant-sector object.inventory_count",
                "revenant-sector object.inventory/1");
    ASSERT_FLAG(MST_FIELD_STOP, "revenant-sector object.object_version", "revenant-sector object.class/1",
                "revenant-sector early_object.class", "revenant-sector object.player", "iguana block.rnc",
                "iguana block.blocks", "iguana block.data_set", "iguana block.empty");
}

/* JSON has no empty bytes of what most files have not. */
static void left_out(void **state) {
    (void)state;
    ASSERT_FLAG(MST_FIELD_OMIT_EMPTY, "ns2-* property.data", "ns2-* extra.data", "ns2-* setting.data",
                "ns2-* unknown_chunk.data", "ns2-* block.data", "alien-* unknown_section.data",
                "alien-map level.trailing", "alien-gfx textures.trailing", "alien-gfx rectangles.padding",
                "revenant-sector sector.trailing", "revenant-sector object.unknown_tail",
                "revenant-sector object.inventory_tail", "turok-map level.tail", "iguana archive.tail",
                "iguana archive.padding", "iguana block.raw", "sfa-*.tail", "sfa-hits lines.rest",
                "sfa-*.original", "sfa-*.original_bin", "sfa-*.original_tab", "sfa-maps map.gap",
                "sfa-maps map.bytes", "sfa-romlist object.parameters/30", "sfa-romlist object.unknown_tail",
                "sfa-voxmap voxel_map.gap_1", "sfa-voxmap voxel_map.gap_2", "sfa-voxmap voxel_map.ranks");
}

/* Bytes that are understood as a whole, and original bytes. */
static void understood(void **state) {
    (void)state;
    ASSERT_FLAG(MST_FIELD_CONTENT, "alien-gfx page.pixels", "iguana block.empty", "iguana rnc.packed",
                "sfa-texture* texture.data", "ns2-* cube_row.pixels", "sfa-*.original_bin",
                "sfa-*.original_tab", "sfa-voxmap voxel_map.bitmap", "sfa-voxmap voxel_map.nodes",
                "sfa-* packed_block.original", "sfa-* packed.original", "sfa-romlist list.original",
                "sfa-texture* texture.original");
    ASSERT_FLAG(MST_FIELD_ORIGINAL, "sfa-* packed_block.original", "sfa-* packed.original",
                "sfa-romlist list.original", "sfa-texture* texture.original");
}

static void yes_and_no(void **state) {
    (void)state;
    ASSERT_FLAG(MST_FIELD_BOOL, "ns2-* loop_edge.flipped", "ns2-* face_layer.has_layers",
                "ns2-* property.animated", "ns2-* property.value/1", "ns2-* object.has_layers",
                "ns2-* clip_object.has_layers", "ns2-* layer.visible", "sfa-* entry.present",
                "sfa-* stream.present", "sfa-*.unpadded", "sfa-* op.wide_position", "sfa-* op.wide_color",
                "sfa-* op.wide_texcoord", "sfa-* block.has_polygon_groups", "sfa-voxmap voxel_map.kept",
                "sfa-voxmap voxel_map.ranks_first");
}

/* Values that are bits. */
static void bits(void **state) {
    (void)state;
    ASSERT_FLAG(MST_FIELD_FLAGS, "revenant-sector light.flags", "revenant-sector object.exit_flags",
                "revenant-sector object.flags", "revenant-sector early_object.flags",
                "sfa-block* shader.flags", "sfa-hits line.flags", "turok-map actor.species_mask",
                "turok-map actor.spawn_flags_1", "turok-map actor.spawn_flags_2",
                "turok-map actor.spawn_flags_3", "turok-map sector.flags", "turok-map sector_set.flags",
                "turok-map static_mesh.flags");
}

/* How many blocks archives have, at least, where they are not empty. */
static void archives(void **state) {
    static const struct {
        const char *record;
        uint8_t min;
    } known[] = {{"level", 7},       {"world", 3},  {"collision", 3},
                 {"grid_bounds", 3}, {"actors", 3}, {"cell", 0}};
    (void)state;
    for (size_t f = 0; mst_formats[f]; f++)
        for (size_t r = 0; r < mst_formats[f]->tables.record_count; r++) {
            const mst_record *record = mst_formats[f]->tables.records[r];
            bool archive = false;
            for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (strcmp(mst_formats[f]->information.id, "turok-map") == 0 &&
                    strcmp(known[i].record, record->name) == 0) {
                    archive = true;
                    assert_int_equal(record->min, known[i].min);
                }
            assert_int_equal(record->archive, archive);
        }
}

/* Alien containers are big-endian, their sections stand at even offsets; chunks of the others are as the
 * file, one right after another. */
static void chunks(void **state) {
    (void)state;
    for (size_t f = 0; mst_formats[f]; f++)
        for (size_t r = 0; r < mst_formats[f]->tables.record_count; r++)
            for (size_t i = 0; i < mst_formats[f]->tables.records[r]->field_count; i++) {
                const mst_chunks *found = mst_formats[f]->tables.records[r]->fields[i].chunks;
                bool container = strncmp(mst_formats[f]->information.id, "alien-", 6) == 0;
                if (!found)
                    continue;
                assert_int_equal(found->big, container);
                assert_int_equal(found->align, container ? 2 : 0);
            }
}

/* ---- rules -------------------------------------------------------------------------------------- */

typedef struct rule_row {
    const char *name;
    mst_rule_kind kind;
    const char *code;
} rule_row;
static const rule_row rules[] = {
    {"ns2-* property.type", MST_RULE_NAMED, "NS2-PROPERTY-TYPE"},
    {"ns2-* vertex.smooth", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* edge.smooth", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* loop_edge.flipped", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* face_layer.has_layers", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* property.value", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* object.has_layers", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* clip_object.has_layers", MST_RULE_BOOL, "NS2-BOOL"},
    {"ns2-* layer.visible", MST_RULE_BOOL, "NS2-BOOL"},
    {"alien-map vertex.unknown_06", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map cell.unknown_0c", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map path_node.unknown_02", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map monster.unknown_0f", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map pickup.unknown_05", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map lift.unknown_04", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map lift.unknown_0b", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map light.unknown_03", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map light.unknown_07", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map light.unknown_0b", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map light.unknown_0f", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-map model.unknown_04", MST_RULE_ZERO, "ALIEN-NONZERO"},
    {"alien-gfx rectangle.unknown_05", MST_RULE_ZERO, "ALIEN-GFX-NONZERO"},
};

static void look_at_rule(void *user, const mst_format *format, const mst_record *record,
                         const mst_field *field, const mst_case *of_chunks) {
    const rule_row none = {"", MST_RULE_NONE, NULL}, *wanted = &none;
    char name[128];
    size_t *wrong = user;
    (void)of_chunks;
    snprintf(name, sizeof name, "%s %s.%s", format->information.id, record->name, field->name);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (called(rules[i].name, name) &&
            (rules[i].kind != MST_RULE_BOOL || field->kind == MST_KIND_U8 || field->flags & MST_FIELD_BOOL))
            wanted = &rules[i]; /* of the values of a property one is a yes or no */
    const mst_rule *rule = &field->rule;
    bool same = rule->kind == wanted->kind;
    if (same && wanted->code)
        same = rule->code && strcmp(rule->code, wanted->code) == 0;
    if (!same) {
        print_error("%s: another rule\n", name);
        ++*wrong;
    }
}

static void rules_of_checks(void **state) {
    (void)state;
    size_t wrong = 0;
    each_field(look_at_rule, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- references --------------------------------------------------------------------------------- */

typedef struct fact_row {
    const char *name, *target;
    mst_refers_by by;
    const char *key;
} fact_row;
/* By the descriptions of the formats: which number names an element of which list. */
static const fact_row facts[] = {
    {"ns2-* edge.vertices", "vertices", MST_BY_INDEX, NULL},
    {"ns2-* loop_edge.edge", "edges", MST_BY_INDEX, NULL},
    {"ns2-* face.mapping_group", "mapping_groups", MST_BY_ID, "id"},
    {"ns2-* face.material", "materials", MST_BY_INDEX, NULL},
    {"ns2-* face_layer.layer_masks", "layers", MST_BY_BIT, "id"},
    {"ns2-* face_layers.masks", "layers", MST_BY_BIT, NULL},
    {"ns2-* vertex_group.id", "groups", MST_BY_ID, "id"},
    {"ns2-* vertex_group.indices", "vertices", MST_BY_INDEX, NULL},
    {"ns2-* edge_group.id", "groups", MST_BY_ID, "id"},
    {"ns2-* edge_group.indices", "edges", MST_BY_INDEX, NULL},
    {"ns2-* face_group.id", "groups", MST_BY_ID, "id"},
    {"ns2-* face_group.indices", "faces", MST_BY_INDEX, NULL},
    {"ns2-* triangle.vertices", "vertices", MST_BY_INDEX, NULL},
    {"ns2-* triangle.normals", "smoothed_normals", MST_BY_INDEX, NULL},
    {"ns2-* object.layer_mask", "layers", MST_BY_BIT, NULL},
    {"ns2-* object.layer_masks", "layers", MST_BY_BIT, "id"},
    {"ns2-* object.group", "groups", MST_BY_ID, "id"},
    {"ns2-* clip_object.layer_mask", "layers", MST_BY_BIT, NULL},
    {"ns2-* clip_object.layer_masks", "layers", MST_BY_BIT, "id"},
    {"ns2-* clip_object.group", "groups", MST_BY_ID, "id"},
    {"ns2-* setting_layers.layer_masks", "layers", MST_BY_BIT, "id"},
    {"alien-map quad.vertices", "vertices", MST_BY_INDEX, NULL},
    {"alien-map quad.texture", "map.texture_animators", MST_BY_INDEX, NULL},
    {"alien-map quad.light", "map.lights", MST_BY_INDEX, NULL},
    {"alien-map cell.first_quad", "quads", MST_BY_INDEX, NULL},
    {"alien-map cell.path_node", "path_nodes", MST_BY_INDEX, NULL},
    {"alien-map cell.light", "lights", MST_BY_INDEX, NULL},
    {"alien-map cell.trigger", "triggers", MST_BY_INDEX, NULL},
    {"alien-map path_node.links", "path_nodes", MST_BY_INDEX, NULL},
    {"alien-map monster.drop", "pickups", MST_BY_INDEX, NULL},
    {"alien-map box.drop_first", "monsters pickups", MST_BY_INDEX, NULL},
    {"alien-map box.drop_second", "monsters pickups", MST_BY_INDEX, NULL},
    {"alien-map door.model", "door_models", MST_BY_ID, "name"},
    {"alien-map lift.model", "lift_models", MST_BY_ID, "name"},
    {"alien-map trigger.first_command", "commands", MST_BY_INDEX, NULL},
    {"alien-map command.next", "commands", MST_BY_INDEX, NULL},
    {"alien-map command.target", "lights doors pickups monsters boxes lifts doors lifts texture_animators",
     MST_BY_INDEX, NULL},
    {"alien-map texture_animator.program", "texture_animation_words", MST_BY_ID, "program"},
    {"turok-map sector.sector_set", "sector_sets", MST_BY_INDEX, NULL},
    {"turok-map sector.vertices", "vertices", MST_BY_INDEX, NULL},
    {"turok-map sector.links", "sectors", MST_BY_INDEX, NULL},
    {"turok-map static_mesh.sector", "collision.sectors", MST_BY_INDEX, NULL},
    {"turok-map actor.sector", "collision.sectors", MST_BY_INDEX, NULL},
    {"turok-map actor.target_tid", "records", MST_BY_ID, "tid"},
    {"sfa-* vertex_0.position", "positions", MST_BY_INDEX, NULL},
    {"sfa-* vertex_0.color", "colors", MST_BY_INDEX, NULL},
    {"sfa-* vertex.position", "positions", MST_BY_INDEX, NULL},
    {"sfa-* vertex.color", "colors", MST_BY_INDEX, NULL},
    {"sfa-* vertex.texcoord", "texcoords", MST_BY_INDEX, NULL},
    {"sfa-* vertex_2.position", "positions", MST_BY_INDEX, NULL},
    {"sfa-* vertex_2.color", "colors", MST_BY_INDEX, NULL},
    {"sfa-* vertex_2.texcoord", "texcoords", MST_BY_INDEX, NULL},
    {"sfa-* vertex_2.texcoord_1", "texcoords", MST_BY_INDEX, NULL},
    {"sfa-* list.shader", "shaders", MST_BY_INDEX, NULL},
    {"sfa-* op.shader", "shaders", MST_BY_INDEX, NULL},
    {"sfa-* op.list", "lists", MST_BY_INDEX, NULL},
    {"sfa-* layer.texture", "textures", MST_BY_INDEX, NULL},
    {"sfa-* polygon_group.first_polygon", "polygons", MST_BY_INDEX, NULL},
    {"sfa-* polygon.vertices", "positions", MST_BY_INDEX, NULL},
};

static void look_at_facts(void *user, const mst_format *format, const mst_record *record,
                          const mst_field *field, const mst_case *of_chunks) {
    const fact_row none = {"", "", MST_BY_INDEX, NULL}, *wanted = &none;
    char name[128], targets[160] = "";
    size_t *wrong = user, length = 0;
    (void)of_chunks;
    snprintf(name, sizeof name, "%s %s.%s", format->information.id, record->name, field->name);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (called(facts[i].name, name))
            wanted = &facts[i];
    bool same = true;
    for (uint8_t i = 0; i < field->refers_count; i++) {
        const mst_refers *fact = &field->refers[i];
        length +=
            (size_t)snprintf(targets + length, sizeof targets - length, "%s%s", i ? " " : "", fact->target);
        same = same && fact->by == wanted->by && !fact->key == !wanted->key &&
               (!fact->key || strcmp(fact->key, wanted->key) == 0);
    }
    if (!same || strcmp(targets, wanted->target) != 0) {
        print_error("%s: refers to %s, wanted %s\n", name, targets, wanted->target);
        ++*wrong;
    }
}

static void references(void **state) {
    (void)state;
    size_t wrong = 0;
    each_field(look_at_facts, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- what is so in every table ------------------------------------------------------------------ */

static void look_at_sense(void *user, const mst_format *format, const mst_record *record,
                          const mst_field *field, const mst_case *of_chunks) {
    size_t *wrong = user;
    bool good = true;
    /* bits of an id that are ignored: then the id has to be kept */
    if (of_chunks && field == &of_chunks->field)
        good = !of_chunks->any || (field->flags & MST_FIELD_WITH_HEADER);
    if (of_chunks)
        good = good && !(field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE | MST_FIELD_OPTIONAL));
    /* a condition depends on fields before it */
    if (!of_chunks)
        for (size_t i = 0; i < 4; i++)
            good = good && (field->when[i].operation != MST_ALWAYS || i == 3 ||
                            field->when[i + 1].operation == MST_ALWAYS);
    if (field->struct_size)
        good = good && record->struct_size >= field->struct_offset + field->struct_size;
    if (!good) {
        print_error("%s %s.%s makes no sense\n", format->information.id, record->name, field->name);
        ++*wrong;
    }
}

/* Members of public structs lie one after another, and all are there. */
static void hosts(size_t *wrong) {
    for (size_t f = 0; mst_formats[f]; f++)
        for (size_t r = 0; r < mst_formats[f]->tables.record_count; r++) {
            const mst_record *record = mst_formats[f]->tables.records[r];
            size_t end = 0;
            if (!record->struct_size)
                continue;
            for (size_t i = 0; i < record->field_count; i++) {
                if (record->fields[i].struct_offset != end || !record->fields[i].struct_size) {
                    print_error("%s.%s is elsewhere in its struct\n", record->name, record->fields[i].name);
                    ++*wrong;
                }
                end = (size_t)record->fields[i].struct_offset + record->fields[i].struct_size;
            }
        }
}

static void sense(void **state) {
    (void)state;
    size_t wrong = 0;
    each_field(look_at_sense, &wrong);
    hosts(&wrong);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_orders), cmocka_unit_test(parts),      cmocka_unit_test(left_out),
        cmocka_unit_test(understood),  cmocka_unit_test(yes_and_no), cmocka_unit_test(rules_of_checks),
        cmocka_unit_test(references),  cmocka_unit_test(sense),      cmocka_unit_test(bits),
        cmocka_unit_test(archives),    cmocka_unit_test(chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
