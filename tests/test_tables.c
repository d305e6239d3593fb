/* SPDX-License-Identifier: MIT */
/* Invariants of every table; docs/formats has the contents of each. */
#include "../src/read/step.h"
#include "support.h"

/* Called for each field, including those of chunks (`of_chunks`). */
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

static void look_at_sense(void *user, const mst_format *format, const mst_record *record,
                          const mst_field *field, const mst_case *of_chunks) {
    size_t *wrong = user;
    bool good = true;
    /* if bits of an id are ignored the id has to be kept */
    if (of_chunks && field == &of_chunks->field)
        good = !of_chunks->any || (field->flags & MST_FIELD_WITH_HEADER);
    if (of_chunks)
        good = good && !(field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE | MST_FIELD_OPTIONAL));
    /* a condition depends on fields before it */
    if (!of_chunks)
        for (size_t i = 0; i < 4; i++)
            good = good && (field->when[i].operation != MST_ALWAYS || i == 3 ||
                            field->when[i + 1].operation == MST_ALWAYS);
    if (!good) {
        print_error("%s %s.%s makes no sense\n", format->information.id, record->name, field->name);
        ++*wrong;
    }
}

static void sense(void **state) {
    (void)state;
    size_t wrong = 0;
    each_field(look_at_sense, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- stepping ---------------------------------------------------------------------------------------- */

/* Values of variables at which conditions of the record begin or cease to hold. */
static void choose_context(const mst_record *record, uint32_t *context, uint64_t *random) {
    for (uint16_t i = 0; i < record->field_count; i++)
        for (size_t k = 0; k < MST_COUNT_OF(record->fields[i].when); k++) {
            const mst_when *when = &record->fields[i].when[k];
            *random = *random * 6364136223846793005u + 1442695040888963407u;
            uint32_t dice = (uint32_t)(*random >> 40);
            if (when->operation != MST_ALWAYS && !((1u << when->variable) & MST_VARIABLES_FIXED) &&
                dice % 3 == 0)
                context[when->variable] =
                    when->operation == MST_ONE_OF ? dice / 3 % 33 : when->value + dice / 3 % 3 - 1;
        }
}

/* Steps over a record, and compares the fields visited with each field's own conditions. */
static bool steps_over_absent(const mst_record *record, const mst_plan *plan, mst_variant variant,
                              const uint32_t *context) {
    mst_step step;
    uint8_t part = 0;
    mst_step_begin(&step, record->field_count);
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (mst_presence_in(field, variant) == MST_ABSENT)
            continue;
        if (field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE))
            part = field->flags & MST_FIELD_LAST ? 1 : 2;
        if (!mst_field_present(field, context))
            continue;
        const mst_field *met = NULL;
        while (!met && step.next < record->field_count)
            met = mst_step_next(&step, record, plan, context, NULL, 0, 0);
        if (met != field)
            return false;
        if ((field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE)) && step.part != part)
            return false;
    }
    while (step.next < record->field_count)
        if (mst_step_next(&step, record, plan, context, NULL, 0, 0))
            return false;
    return step.part == part;
}

/* Stepping visits all present fields, in their parts, and no others. */
static void stepping(void **state) {
    (void)state;
    uint64_t random = 1;
    for (size_t f = 0; mst_formats[f]; f++) {
        const mst_format *format = mst_formats[f];
        unsigned layouts = format->identity.layout_count ? format->identity.layout_count : 1;
        for (uint32_t version = 0; version < 32; version++)
            for (uint8_t layout = 0; layout < layouts; layout++) {
                mst_variant variant = {version, false, layout};
                mst_arena arena;
                const mst_plan *plans;
                uint32_t context[MST_VARIABLES];
                mst_arena_begin(&arena, NULL, 0);
                MUST(mst_plans_compile(format, variant, &arena, &plans), NULL);
                mst_variant_context(variant, context);
                for (size_t r = 0; r < format->tables.record_count; r++)
                    for (int i = 0; i < 8 && !format->tables.records[r]->archive; i++) {
                        choose_context(format->tables.records[r], context, &random);
                        if (!steps_over_absent(format->tables.records[r], &plans[r], variant, context))
                            fail_msg("%s of version %u", format->tables.records[r]->name, version);
                    }
                mst_arena_end(&arena);
            }
    }
}

/* A value has room for a limited number of context variables that are set outside of it and read in it. */
static void carried_variables(void **state) {
    (void)state;
    size_t most = 0;
    for (size_t f = 0; mst_formats[f]; f++) {
        const mst_format *format = mst_formats[f];
        unsigned layouts = format->identity.layout_count ? format->identity.layout_count : 1;
        for (uint32_t version = 0; version < 32; version++)
            for (uint8_t layout = 0; layout < layouts; layout++) {
                mst_arena arena;
                const mst_plan *plans;
                mst_arena_begin(&arena, NULL, 0);
                MUST(mst_plans_compile(format, (mst_variant){version, false, layout}, &arena, &plans), NULL);
                for (size_t r = 0; r < format->tables.record_count; r++) {
                    const mst_record *record = format->tables.records[r];
                    for (uint16_t i = 0; i < record->field_count; i++) {
                        size_t count = 0;
                        for (uint32_t left = mst_carried(plans, &record->fields[i]); left; left &= left - 1)
                            count++;
                        most = count > most ? count : most;
                        if (count > MST_VARIABLES_CARRIED)
                            fail_msg("%s.%s of version %u carries %zu", record->name, record->fields[i].name,
                                     version, count);
                    }
                }
                mst_arena_end(&arena);
            }
    }
    assert_int_equal(most, MST_VARIABLES_CARRIED);
}

typedef struct meaning_count {
    const mst_format *format;
    size_t none;
} meaning_count;

static void look_for_meaning(void *user, const mst_format *format, const mst_record *record,
                             const mst_field *field, const mst_case *of_chunks) {
    meaning_count *found = user;
    (void)of_chunks;
    bool derived = field->constant || field->length_of || field->refers_count ||
                   (field->flags & MST_FIELD_SIZES) || field->kind == MST_KIND_CHUNKS;
    /* "not known" is only acceptable as a meaning with known facts about its values, or the reason why there
     * are none */
    bool known = field->doc && *field->doc && (strcmp(field->doc, "Not known.") != 0 || field->range);
    if (format != found->format || derived || known)
        return;
    print_error("%s %s.%s: the reference does not say what it means\n", format->information.id, record->name,
                field->name);
    found->none++;
}

static void meanings(void **state) {
    (void)state;
    for (size_t f = 0; mst_formats[f]; f++) {
        meaning_count found = {mst_formats[f], 0};
        each_field(look_for_meaning, &found);
        assert_int_equal(found.none, 0);
    }
}

int test_tables(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sense), cmocka_unit_test(stepping),
                                       cmocka_unit_test(carried_variables), cmocka_unit_test(meanings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
