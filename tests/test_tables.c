/* SPDX-License-Identifier: MIT */
/* What every table has to be like; docs/formats has what each says. */
#include "../src/schema/engine.h"
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

/* A value has room for only so many context variables that are set outside of it and read in it. */
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
    /* "not known" is a meaning only with what is known of its values, or why not more is */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sense), cmocka_unit_test(carried_variables),
                                       cmocka_unit_test(meanings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
