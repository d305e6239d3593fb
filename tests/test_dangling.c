/* SPDX-License-Identifier: MIT */
/*
 * An edit that makes a number name nothing is refused: for every fact of the tables that says what a number
 * names, in a document that has such a number.
 */
#include "../src/schema/fields.h"
#include "../src/schema/finding.h"
#include "../src/schema/numbers.h"
#include "fixtures.h"
#include <mapstone/edit.h>

#define FACTS 600
#define LONG  400

/* A number that a fact is about, and one that would name nothing. */
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

/* The first number that names nothing; false: all that fit name something. */
static bool find_wrong(const mst_referred *referred, const mst_field *field, unsigned long long *wrong) {
    const mst_refers *fact = referred->fact;
    unsigned width = mst_kind_width[field->kind];
    uint64_t room = fact->mask ? fact->mask : UINT64_MAX >> (64 - 8 * width);
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
            *wrong = number;
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
            if (!mst_numbers_apply(walk, n, fact, i) || !find_wrong(referred, n->field, &t->wrong))
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

static size_t try_fixture(const fixture_source *source) {
    fixture f;
    mst_document *d;
    mst_diagnostic why;
    size_t failed = 0;
    if (!fixture_make(source, &f))
        return 0;
    MUST(fixture_open(source, f.files, &d, &why), &why);
    find_trials(d);
    for (size_t i = 0; i < trial_count && proved_count < FACTS; i++)
        failed += try_one(d, &trials[i], source->name);
    mst_close(d);
    fixture_free(&f);
    return failed;
}

/* Facts that no fixture has a number for that could name nothing (a layout that no fixture has, a list as
 * long as the number can count), by format, record, field and list. One that gets a case leaves this list. */
static const char *const without_case[] = {"ns2-level clip_object.layer_mask layers",
                                           "ns2-level clip_object.layer_masks layers",
                                           "ns2-level clip_object.group groups",
                                           "alien-map quad.light map.lights",
                                           "alien-map box.drop_first monsters drop_type=2",
                                           "alien-map box.drop_second monsters drop_type=2",
                                           "alien-map command.target pickups operation=2",
                                           "alien-map command.target lifts operation=5",
                                           "revenant-sector early_object.first_item objects",
                                           "revenant-sector early_object.next_item objects",
                                           "revenant-sector early_object.shadow objects",
                                           "revenant-image image.table bitmaps",
                                           "revenant-model short_body.states parts",
                                           "revenant-model short_body.vertex_states parts",
                                           "revenant-model short_body.faces parts",
                                           "revenant-model short_body.materials parts",
                                           "revenant-model short_body.textures parts",
                                           "revenant-model short_body.objects parts",
                                           "revenant-model named_body_state.icon parts",
                                           "revenant-model named_body_state.icon_animation parts",
                                           "revenant-model named_body_state.motion parts",
                                           "revenant-model object_long_state.keys parts",
                                           "revenant-model older_body.vertex_states parts",
                                           "revenant-model older_body.faces parts",
                                           "revenant-model older_body.texture_frames parts",
                                           "revenant-model older_body.palettes parts",
                                           "revenant-model older_body.motion parts",
                                           "revenant-model older_body.keys parts",
                                           "revenant-model older_body.icons parts",
                                           "revenant-model oldest_body.vertex_states parts",
                                           "revenant-model oldest_body.faces parts",
                                           "revenant-model oldest_body.texture_frames parts",
                                           "revenant-model oldest_body.palettes parts",
                                           "revenant-model oldest_body.motion parts",
                                           "revenant-model oldest_body.keys parts",
                                           "ns2-clip clip_object.layer_mask layers",
                                           "ns2-clip clip_object.layer_masks layers",
                                           "ns2-clip clip_object.group groups",
                                           "sfa-blocks vertex_0.position positions",
                                           "sfa-blocks vertex_0.color colors",
                                           "sfa-block vertex_0.position positions",
                                           "sfa-block vertex_0.color colors",
                                           "sfa-romlist checkpoint.previous objects",
                                           "sfa-romlist checkpoint.next objects",
                                           "sfa-romlist ARWBigAster.leader_object_id objects",
                                           "sfa-romlist arwing_enemy.leader_id objects"};

static bool is_without_case(const char *name) {
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
    for (size_t i = 0; mst_formats[i]; i++)
        failed += ask_tables(mst_formats[i]);
    print_message("# %zu facts\n", proved_count);
    assert_int_equal(failed, 0);
}

/* Codes of loops, runs and counts are those of their format: findings with them refuse. */
static void codes_that_bind(void **state) {
    (void)state;
    size_t count = 0;
    for (size_t i = 0; mst_formats[i]; i++) {
        const mst_format *format = mst_formats[i];
        for (const char *const *code = format->check.dangling; code && *code; code++, count++) {
            bool found = false;
            for (size_t k = 0; k < format->check.codes->count; k++)
                found = found || strcmp(format->check.codes->items[k].code, *code) == 0;
            if (!found)
                print_error("%s: %s\n", format->information.id, *code);
            assert_true(found && mst_code_binds(format, *code));
        }
        assert_false(mst_code_binds(format, "NO-CODE"));
    }
    assert_true(count > 30);
}

int test_dangling(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_refuses),
        cmocka_unit_test(codes_that_bind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
