/* SPDX-License-Identifier: MIT */
/*
 * An edit that makes a number name nothing is refused: for every fact of the tables about the target of a
 * number, in a document that has such a number.
 */
#include "../src/check/finding.h"
#include "../src/check/numbers.h"
#include "../src/tables/fields.h"
#include "../src/write/rebuild.h"
#include "fixtures.h"
#include "revenant_model.h"
#include <mapstone/edit.h>

#define FACTS 600
#define LONG  400

/* A number that a fact is about, and an invalid value for it. */
typedef struct trial {
    const mst_refers *fact;
    char path[LONG];
    unsigned long long wrong;
} trial;

static trial trials[FACTS]; /* of one document */
static size_t trial_count;
static const mst_refers *proved[FACTS]; /* by any */
static size_t proved_count;

static bool is_proved(const mst_refers *fact) {
    for (size_t i = 0; i < proved_count; i++)
        if (proved[i] == fact)
            return true;
    return false;
}

static bool is_tried(const mst_refers *fact) {
    for (size_t i = 0; i < trial_count; i++)
        if (trials[i].fact == fact)
            return true;
    return false;
}

/* The first number that names nothing, keeping the unrelated bits of `stored`; false: all numbers that fit
 * are valid. */
static bool find_wrong(const mst_referred *referred, const mst_field *field, uint64_t stored,
                       unsigned long long *wrong) {
    const mst_refers *fact = referred->fact;
    unsigned width = mst_kind_width[field->kind];
    uint64_t room = fact->mask ? fact->mask : UINT64_MAX >> (64 - 8 * width);
    uint64_t others = fact->mask ? stored & ~(uint64_t)fact->mask : 0;
    room = mst_is_signed(field->kind) ? room >> 1 : room;
    if (fact->by == MST_BY_BIT) {
        for (unsigned bit = 0; bit < 8 * width; bit++)
            if (!mst_refers_hits(referred, bit)) {
                *wrong = 1ULL << bit;
                return true;
            }
        return false;
    }
    for (uint64_t number = referred->by_place ? referred->places : 1; number <= room; number++)
        if (!mst_refers_hits(referred, number) && !mst_refers_is_none(fact, number, width, 0)) {
            *wrong = others | number;
            return true;
        }
    return false;
}

static mst_status take(mst_numbers_walk *walk, const mst_numbers *n) {
    for (uint8_t f = 0; f < n->field->refers_count; f++) {
        const mst_refers *fact = &n->field->refers[f];
        const mst_referred *referred = NULL;
        if (is_proved(fact) || is_tried(fact) || trial_count == FACTS)
            continue;
        if (mst_refers_look_up(&walk->refers, fact, &referred) != MST_OK || !referred)
            continue;
        for (uint64_t i = 0; i < n->count && n->components; i++) {
            trial *t = &trials[trial_count];
            uint64_t stored = mst_scalar_bits(walk->document, n->field, n->offset + i * n->stride);
            if (!mst_numbers_apply(walk, n, fact, i) ||
                (fact->about && !fact->about(walk->document, stored & UINT32_MAX)) ||
                !find_wrong(referred, n->field, stored, &t->wrong))
                continue;
            t->fact = fact;
            mst_numbers_path(walk, n, i, 0, t->path, sizeof t->path);
            trial_count++;
            break;
        }
    }
    return MST_OK;
}

static void find_trials(const mst_document *d) {
    mst_arena arena;
    mst_diagnostic why;
    mst_arena_begin(&arena, &d->allocator, 0);
    mst_numbers_walk *walk = mst_arena_zero(&arena, 1, sizeof *walk);
    assert_non_null(walk);
    trial_count = 0;
    walk->document = d;
    walk->numbers = take;
    MUST(mst_refers_begin(&walk->refers, d, &arena), NULL);
    MUST(mst_numbers_visit(walk, &why), &why);
    mst_arena_end(&arena);
}

static size_t try_one(mst_document *d, const trial *t, const char *name) {
    char value[40];
    mst_diagnostic why = {0};
    const mst_check_options checks = {.size = sizeof checks};
    const mst_edit_options how = {.size = sizeof how, .checks = &checks};
    snprintf(value, sizeof value, "%llu", t->wrong);
    mst_operation one = {.path = t->path, .value = value};
    mst_status status = mst_edit(d, &one, 1, &how, &why);
    proved[proved_count++] = t->fact;
    if (status == MST_REFUSED && *why.message)
        return 0;
    print_error("%s: %s = %s: %s %s\n", name, t->path, value, mst_status_text(status), why.message);
    return 1;
}

static size_t try_document(mst_document *d, const char *name) {
    size_t failed = 0;
    find_trials(d);
    for (size_t i = 0; i < trial_count && proved_count < FACTS; i++)
        failed += try_one(d, &trials[i], name);
    mst_close(d);
    return failed;
}

static size_t try_fixture(const fixture_source *source) {
    fixture f;
    mst_document *d;
    mst_diagnostic why;
    if (!fixture_make(source, &f))
        return 0;
    MUST(fixture_open(source, f.files, &d, &why), &why);
    size_t failed = try_document(d, source->name);
    fixture_free(&f);
    return failed;
}

/* ---- layouts without a fixture ------------------------------------------------------------------------ */

static void write_few_lights(writer *w) {
    alien_level *l = malloc(sizeof *l);
    assert_non_null(l);
    alien_small(l);
    l->light_count = 127; /* seven bits number all of the game's 128 */
    write_alien_level(w, l, false);
    free(l);
}

static void write_named_states(writer *w) {
    *w = model_usual(&(model_plan){.version = 2});
}

/* Two enemies without a leader, and a checkpoint without others. */
static void write_racers(writer *w) {
    static const struct {
        uint16_t type;
        uint8_t words;
    } racers[] = {{0x616, 13}, {0x617, 13}, {5, 16}};
    w->big = true;
    for (unsigned i = 0; i < sizeof racers / sizeof *racers; i++) {
        bool checkpoint = racers[i].type == 5;
        put_u16(w, racers[i].type), put_u8(w, racers[i].words), put_u8(w, 0), put_u32(w, 0x10000322);
        put_f32(w, 1.5f), put_f32(w, -2.0f), put_f32(w, 3.25f);
        put_u32(w, 70 + i);
        for (unsigned k = 6; k < racers[i].words; k++)
            put_u32(w, checkpoint && k < 10 ? UINT32_MAX : 0);
    }
}

/* A fixture, or a seed with other texts in its JSON, after these operations. */
typedef struct variation {
    fixture_source source;
    const char *texts[2][2]; /* the first occurrence of a text, and its replacement */
    const char *script;
} variation;

#define WITHOUT_TEXTURE                                                                                      \
    .texts = {{"\"texcoord_count\":1,\"commands\":[{\"opcode\":\"triangle_strip\",\"vertices\":["            \
               "{\"position\":0,\"color\":0,\"texcoord\":0},{\"position\":1,\"color\":1,\"texcoord\":1},"    \
               "{\"position\":3,\"color\":0,\"texcoord\":2},{\"position\":2,\"color\":1,\"texcoord\":0}]}]", \
               "\"texcoord_count\":0,\"commands\":[{\"opcode\":\"triangle_strip\",\"vertices\":["            \
               "{\"position\":0,\"color\":0},{\"position\":1,\"color\":1},"                                  \
               "{\"position\":3,\"color\":0},{\"position\":2,\"color\":1}]}]"},                              \
              {"\"layer_count\":1", "\"layer_count\":0"}}

static const variation variations[] = {
    {.source = {.name = "turok_map_visible", .file = "a.map", .json = "tests/fuzz/seeds/turok_map.json"},
     .texts =
         {{"\"grid_bounds\"",
           "\"visibility\":{\"stride\":8,\"row_count\":1,\"rows\":\"0000000000000000\"},\"grid_bounds\""}}},
    {.source = {.name = "alien_few_lights", .file = "L111LEV.MAP", .write = write_few_lights}},
    {.source = {SEED("alien_map", "L111LEV.MAP")},
     .texts = {{"\"drop_type\":\"pickup\"", "\"drop_type\":\"monster\""}},
     .script = "map.commands[0].operation = 2\n"
               "map.commands[1] = {\"operation\":5,\"next\":255,\"amount\":1,\"target\":0}"},
    /* level 6, sector 2,2: its shadow is slot 0 */
    {.source = {SEED("revenant_early", "6_2_2.DAT")},
     .texts = {{"\"shadow\":-1,\"light\"", "\"shadow\":1619132416,\"light\""}}},
    {.source = {SEED("revenant_image", "still.i2d")},
     .texts = {{"\"revenant-image\",", "\"revenant-image\",\"table\":[1,0],"}}},
    {.source = {SEED("revenant_short", "walk.i3d")}},
    {.source = {SEED("revenant_older_model", "old.i3d")}},
    {.source = {SEED("revenant_oldest_model", "old.i3d")}},
    {.source = {.name = "revenant_named_states", .file = "walk.i3d", .write = write_named_states}},
    {.source = {SEED("sfa_block", "block.bin")}, WITHOUT_TEXTURE},
    {.source = {.name = "sfa_racers", .file = "race.romlist", .write = write_racers}},
};
#define VARIATIONS (sizeof variations / sizeof *variations)

/* The JSON of a seed with the change; free it. */
static char *text_of(const variation *v, size_t *size) {
    uint8_t *read = read_whole(v->source.json, size);
    assert_non_null(read);
    char *text = calloc(1, *size + 4096);
    assert_non_null(text);
    memcpy(text, read, *size);
    free(read);
    for (size_t i = 0; i < 2 && v->texts[i][0]; i++) {
        char *at = strstr(text, v->texts[i][0]);
        assert_non_null(at);
        size_t from = strlen(v->texts[i][0]), to = strlen(v->texts[i][1]);
        memmove(at + to, at + from, strlen(at + from) + 1);
        memcpy(at, v->texts[i][1], to);
    }
    *size = strlen(text);
    return text;
}

static mst_document *open_variation(const variation *v) {
    mst_document *d;
    mst_diagnostic why;
    fixture f = {.source = &v->source};
    if (v->source.write) {
        v->source.write(&f.files[0]);
        MUST(fixture_open(&v->source, f.files, &d, &why), &why);
        mst_document *own;
        MUST(mst_rebuild(d, &own, &why), &why); /* the fixture's bytes are freed */
        mst_close(d);
        d = own;
    } else {
        size_t size;
        char *text = text_of(v, &size);
        const mst_open_options how = {.size = sizeof how, .name = v->source.file};
        MUST(mst_open_json(text, size, &how, &d, &why), &why);
        free(text);
    }
    if (v->script) {
        mst_operations *all = NULL;
        size_t count;
        MUST(mst_operations_read(&all, v->script, strlen(v->script), 1, NULL, &why), &why);
        const mst_operation *operations = mst_operations_all(all, &count);
        MUST(mst_edit(d, operations, count, NULL, &why), &why);
        mst_operations_free(all);
    }
    fixture_free(&f);
    return d;
}

/*
 * Facts that cannot be violated: a clipboard has no layers and no groups, its objects have the numbers of
 * their source level, and get those of the level into which they are pasted (ns2_paste.c), which is checked
 * like any other edit. Only objects of version 10 are in clipboards, which have no `layer_mask`. A level has
 * no record of that kind; its format just shares the table.
 */
static const char *const without_case[] = {
    "ns2-level clip_object.layer_mask layers", "ns2-level clip_object.layer_masks layers",
    "ns2-level clip_object.group groups",      "ns2-clip clip_object.layer_mask layers",
    "ns2-clip clip_object.layer_masks layers", "ns2-clip clip_object.group groups"};

static bool is_without_case(const char *name) {
    if (!MST_WITH_ZLIB && strcmp(name, "sfa-romlist curve.links objects") == 0)
        return true; /* only the packed list has curves */
    for (size_t i = 0; i < sizeof without_case / sizeof *without_case; i++)
        if (strcmp(without_case[i], name) == 0)
            return true;
    return false;
}

static size_t ask_tables(const mst_format *format) {
    size_t failed = 0;
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count; i++) {
            char name[LONG];
            const mst_refers *fact = &it.field->refers[i];
            int length = snprintf(name, sizeof name, "%s %s.%s %s", format->information.id, it.record->name,
                                  it.field->name, fact->target);
            if (fact->where)
                snprintf(name + length, sizeof name - (size_t)length, " %s=%u", fact->where, fact->value);
            if (is_proved(fact) != is_without_case(name))
                continue;
            print_error("%s: %s\n", name, is_without_case(name) ? "has a case" : "has no case");
            failed++;
        }
    return failed;
}

static void every_fact_refuses(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < FIXTURES; i++)
        failed += try_fixture(&fixtures[i]);
    for (size_t i = 0; i < VARIATIONS; i++)
        failed += try_document(open_variation(&variations[i]), variations[i].source.name);
    for (size_t i = 0; mst_formats[i]; i++)
        failed += ask_tables(mst_formats[i]);
    print_message("# %zu facts\n", proved_count);
    assert_int_equal(failed, 0);
}

/* ---- loops, runs and counts ---------------------------------------------------------------------------- */

/* An edit of a fixture that makes a finding with the code. */
typedef struct code_case {
    const char *format, *code, *fixture, *script;
} code_case;

#define MAPPING "{\"id\":1,\"angle\":0,\"scale\":[1,1],\"offset\":[0,0],\"normal\":[0,1,0]}"

static const code_case code_cases[] = {
    {"ns2-level", "NS2-LOOP-OPEN", "outpost", "remove mesh.faces[0].loops[0][1]"},
    {"ns2-level", "NS2-LAYER-ID", "outpost", "add layers name=Far id=300"},
    {"ns2-level", "NS2-MAPPING-TWICE", "ns2_everything",
     "duplicate mesh.mapping_groups[0]\nmesh.mapping_groups[1].id = 1"},
    {"ns2-level", "NS2-TRIANGLE-COUNT", "outpost", "mesh.triangles.triangle_count = 3"},
    {"ns2-level", "NS2-OUTPUT-TARGET", "ns2_everything", "objects[1].properties.output1 = nobody"},
    {"ns2-level", "NS2-TRAIN", "outpost", "add func_train_waypoint origin=1,2,3 trainName=nobody"},
    {"ns2-level", "NS2-WAYPOINT", "outpost", "add npc_wave_manager origin=1,2,3 waypoint=nobody"},
    {"ns2-clip", "NS2-LOOP-OPEN", "ns2_clips", "remove blocks[1].mesh.faces[0].loops[0][1]"},
    {"ns2-clip", "NS2-MAPPING-TWICE", "ns2_clips",
     "insert blocks[1].mesh.mapping_groups[0] = " MAPPING
     "\ninsert blocks[1].mesh.mapping_groups[1] = " MAPPING},
    {"alien-gfx", "ALIEN-GFX-COUNT", "alien_gfx", "information.rectangle_count = 77"},
    {"alien-map", "ALIEN-RUNS", "alien_map", "map.cells[0].first_quad = 1"},
    {"alien-map", "ALIEN-CHAIN", "alien_map", "map.commands[1].next = 0"},
    {"alien-map", "ALIEN-FIXED-COUNT", "alien_map", "map.triggers = []"},
    {"alien-map", "ALIEN-TERMINATOR", "alien_map", "map.quads[-1].vertices = [0,1,2,3]"},
    {"alien-map", "ALIEN-MODEL-LAST", "alien_map", "door_models[0].quads[-1].kind -= last_of_model"},
    {"alien-models", "ALIEN-QUAD-VERTEX", "alien_models", "models[0].quads[0].vertices[0] = 200"},
    {"alien-models", "ALIEN-MODEL-LAST", "alien_models", "models[0].quads[-1].kind -= last_of_model"},
    {"alien-models", "ALIEN-GFX-COUNT", "alien_models", "type = 0077"},
    {"alien-sprites", "ALIEN-GFX-COUNT", "alien_sprites", "type = 0077"},
    {"sfa-romlist", "SFA-GAME-BIT", "sfa_romlist", "objects[1].parameters.hide_bit = 30000"},
    {"sfa-maps", "SFA-LAYER-ROWS", "sfa_maps", "maps[0].layer_row_count = 9"},
    {"sfa-maps", "SFA-CELL-LAYER", "sfa_maps", "maps[0].cells[0].layer_row = 99"},
    {"sfa-maps", "SFA-CELL-JUNK", "sfa_maps", "maps[0].cells[0].mod = 150"},
    {"sfa-globalma", "SFA-GLOBAL-LINK", "sfa_globalmap", "placements[1].links[1] = 51"},
    {"sfa-globalma", "SFA-GLOBAL-PLACE", "sfa_globalmap", "placements[1].layer = 3"},
    {"sfa-voxmap", "SFA-VOXMAP-RANKS", "sfa_voxmap", "entries[1].packed.map.ranks = [1,2,3,4]"},
    {"revenant-sector", "REV-V0-CHAIN", "revenant_1", "objects[0].next_item = 30000"},
    {"revenant-sector", "REV-V0-LOOP", "revenant_chain",
     "objects[0].first_item = 1\nobjects[1].first_item = 0"},
    {"revenant-sector", "REV-SHADOW", "revenant_1", "objects[0].shadow = 3000"},
    {"revenant-sector", "REV-DUPLICATE-INDEX", "sector_15", "objects[6].map_index = 1"},
    {"spark-model", "SPARK-MODEL-FACESET-RANGE", "spark_model", "face_sets[1].face_count = 5"},
    {"spark-model", "SPARK-MODEL-FACESET-ORDER", "spark_model", "face_sets[1].first_face = 0"},
    {"spark-model", "SPARK-MODEL-FACESET-COVER", "spark_model", "face_sets[1].face_count = 3"},
    {"spark-model", "SPARK-MODEL-INDEX-COUNT", "spark_model", "remove indices[17]"},
    {"spark-model", "SPARK-MODEL-WEIGHT-INDEX", "spark_model", "face_sets[1].palette = [0]"},
    {"spark-model", "SPARK-MODEL-BONE-PARENT", "spark_model", "bones[0].parent = 0"},
    {"spark-model", "SPARK-MODEL-BONE-BOUNDS", "spark_model", "remove bone_bounding_boxes[1]"},
    {"spark-model", "SPARK-MODEL-REP-RANGE", "spark_model", "collision_reps.reps[0].solid_count = 3"},
    {"spark-model", "SPARK-MODEL-ANIM-CURVES", "spark_model", "remove animations[0].curves[1]"},
    {"turok-animation", "KEX-ANIM-NODES", "turok_animation",
     "animations[0].tracks = [{\"translation\": -1, \"rotation\": -1}]"},
    {"turok-map", "TUROK-VISIBILITY-SIZE", "turok_map_visible",
     "visibility = {\"stride\":8,\"row_count\":2,\"rows\":\"00000000000000000000000000000000\"}"},
};

static mst_document *fixture_of(const char *name) {
    mst_document *d = NULL;
    mst_diagnostic why;
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        if (strcmp(fixtures[i].name, name) != 0 || !fixture_make(&fixtures[i], &f))
            continue;
        MUST(fixture_open(&fixtures[i], f.files, &d, &why), &why);
        mst_document *own;
        MUST(mst_rebuild(d, &own, &why), &why); /* the fixture's bytes are freed */
        mst_close(d);
        fixture_free(&f);
        return own;
    }
    for (size_t i = 0; i < VARIATIONS; i++)
        if (strcmp(variations[i].source.name, name) == 0)
            return open_variation(&variations[i]);
    return NULL;
}

typedef struct listening {
    const char *code;
    bool heard;
} listening;

static mst_status listen(void *user, const mst_diagnostic *finding) {
    listening *to = user;
    to->heard = to->heard || strcmp(finding->code, to->code) == 0;
    return MST_OK;
}

/* Refused, and if forced it has the code. */
static size_t try_code(const code_case *c) {
    mst_operations *all = NULL;
    mst_diagnostic why = {0};
    listening to = {c->code, false};
    const mst_check_options checks = {.size = sizeof checks};
    mst_edit_options how = {.size = sizeof how, .checks = &checks, .report = listen, .user = &to};
    size_t count;
    mst_document *d = fixture_of(c->fixture);
    if (!d)
        return 0;
    MUST(mst_operations_read(&all, c->script, strlen(c->script), 1, NULL, &why), &why);
    const mst_operation *operations = mst_operations_all(all, &count);
    mst_status status = mst_edit(d, operations, count, &how, &why);
    bool refused = status == MST_REFUSED && why.code[0];
    how.force = 1;
    if (refused)
        refused = mst_edit(d, operations, count, &how, NULL) == MST_OK && to.heard;
    if (!refused)
        print_error("%s: %s: %s %s %s %s\n", c->code, c->script, mst_status_text(status), why.path,
                    why.message, why.code);
    mst_operations_free(all);
    mst_close(d);
    return !refused;
}

/* Codes about other files, which are in tests/cli/harm.sh and test_sfa_links.c; counts derived from a list,
 * so that no edit sets them; and values that no clipboard has. */
static const char *const codes_without_case[] = {"sfa-maps SFA-INFO-OBJECTS",
                                                 "sfa-maps SFA-INFO-SIZE",
                                                 "sfa-maps SFA-STUB",
                                                 "sfa-maps SFA-CELL-FILE",
                                                 "sfa-warptab SFA-WARP-LAYER",
                                                 "sfa-trkblk SFA-TRKBLK-COUNT",
                                                 "sfa-romlist SFA-ROMLIST-LINK",
                                                 "revenant-sector REV-INVENTORY-COUNT",
                                                 "ns2-clip NS2-TRIANGLE-COUNT"};

static bool has_case(const char *format, const char *code) {
    for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
        if (strcmp(code_cases[i].format, format) == 0 && strcmp(code_cases[i].code, code) == 0)
            return true;
    return false;
}

static bool is_code_without_case(const char *name) {
    for (size_t i = 0; i < sizeof codes_without_case / sizeof *codes_without_case; i++)
        if (strcmp(codes_without_case[i], name) == 0)
            return true;
    return false;
}

/* Codes of loops, runs and counts belong to their format: findings with them refuse. */
static void every_code_refuses(void **state) {
    (void)state;
    size_t count = 0, failed = 0;
    for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
        failed += try_code(&code_cases[i]);
    for (size_t i = 0; mst_formats[i]; i++) {
        const mst_format *format = mst_formats[i];
        const char *id = format->information.id;
        for (const char *const *code = format->check.dangling; code && *code; code++, count++) {
            char name[LONG];
            bool found = false;
            for (size_t k = 0; k < format->check.codes->count; k++)
                found = found || strcmp(format->check.codes->items[k].code, *code) == 0;
            snprintf(name, sizeof name, "%s %s", id, *code);
            if (found && mst_code_binds(format, *code) && has_case(id, *code) != is_code_without_case(name))
                continue;
            print_error("%s: %s\n", name, has_case(id, *code) ? "has a case" : "has no case");
            failed++;
        }
        assert_false(mst_code_binds(format, "NO-CODE"));
    }
    print_message("# %zu codes\n", count);
    assert_int_equal(failed, 0);
}

int test_dangling(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_refuses),
        cmocka_unit_test(every_code_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
