/* SPDX-License-Identifier: MIT */
/* Objects that change their type: common values are kept, and values that only the old type has are lost only
 * if that is allowed, with a line about each value. */
#include "../src/write/rebuild.h"
#include "edit.h"
#include "refusing.h"
#include "revenant_documents.h"
#include <mapstone/edit.h>

typedef struct heard {
    char text[2000];
    unsigned lines;
} heard;

static mst_status hear(void *user, const mst_diagnostic *line) {
    heard *all = user;
    size_t length = strlen(all->text);
    assert_int_equal(line->severity, MST_WARNING);
    snprintf(all->text + length, sizeof all->text - length, "%s: %s\n", line->path, line->message);
    all->lines++;
    return MST_OK;
}

static mst_status set_losing(mst_document *d, const char *path, const char *value, heard *all,
                             mst_diagnostic *why) {
    mst_operation one = {.kind = MST_OPERATION_SET, .path = path, .value = value};
    mst_edit_options options = {.size = sizeof options, .allow_loss = 1, .report = hear, .user = all};
    memset(all, 0, sizeof *all);
    return mst_edit(d, &one, 1, &options, why);
}

/* Without permission to lose anything: refused, and unchanged. */
static void assert_refused(mst_document *d, const char *path, const char *value) {
    mst_operation one = {.kind = MST_OPERATION_SET, .path = path, .value = value};
    heard all = {.lines = 0};
    mst_edit_options options = {.size = sizeof options, .report = hear, .user = &all};
    mst_diagnostic why;
    size_t size;
    const void *file = mst_document_file(d, 0, NULL, &size);
    uint8_t *before = malloc(size + 1);
    assert_non_null(before);
    memcpy(before, file, size);
    assert_int_equal(mst_edit(d, &one, 1, &options, &why), MST_REFUSED);
    assert_string_equal(why.path, path);
    assert_int_equal(strncmp(why.expected, "--allow-loss", 12), 0);
    assert_int_equal(all.lines, 0);
    assert_same_bytes(d, before, size);
    free(before);
}

/* ---- Star Fox Adventures --------------------------------------------------------------------------- */

static void put_start(writer *w, uint16_t type, uint8_t words) {
    put_u16(w, type);
    put_u8(w, words);
    put_u8(w, 0);
    put_u8(w, 4);
    put_u8(w, 0);
    put_u8(w, 40);
    put_u8(w, 0);
    for (int i = 0; i < 3; i++)
        put_f32(w, 1.5F);
    put_u32(w, 77);
}

/* The player's starting place. */
static void put_setup_point(writer *w, uint8_t unknown) {
    put_start(w, 0x00D, 8);
    put_u8(w, 5); /* act */
    put_u8(w, 3); /* index */
    put_u8(w, unknown);
    put_u8(w, (uint8_t)-7); /* rotation_y */
    put_u32(w, 9);          /* object_groups */
}

/* A breakable object: another order of the common values, and more. */
static void put_scarab(writer *w, int16_t unknown, int16_t respawn) {
    put_start(w, 0x49F, 9);
    put_u8(w, (uint8_t)-7); /* rotation_y */
    put_u8(w, 0);           /* drop */
    put_u16(w, (uint16_t)unknown);
    put_u16(w, (uint16_t)respawn);
    put_u16(w, 0); /* broken */
    put_u32(w, 0);
}

static mst_document *open_copy(const writer *w, const char *name) {
    mst_open_options options = {.size = sizeof options, .name = name};
    mst_document *document, *copy;
    mst_diagnostic why;
    MUST(mst_open_memory(w->data, w->size, &options, &document, &why), &why);
    MUST(mst_rebuild(document, &copy, &why), &why);
    mst_close(document);
    return copy;
}

static void parameters_of_another_type(void **state) {
    (void)state;
    NEED_JSON();
    writer w = {.big = true}, expected = {.big = true};
    heard all;
    mst_diagnostic why;
    put_setup_point(&w, 200);
    put_start(&w, 0x078, 8);
    memset(put(&w, 8), 0, 8);
    mst_document *d = open_copy(&w, "some.romlist");
    assert_refused(d, "objects[0].type", "1183");
    MUST(set_losing(d, "objects[0].type", "1183", &all, &why), &why);
    assert_string_equal(all.text, "objects[0].parameters.act: lost with the change: it was 5\n"
                                  "objects[0].parameters.index: lost with the change: it was 3\n"
                                  "objects[0].parameters.object_groups: lost with the change: it was 9\n");
    put_scarab(&expected, 200, 0);
    put_start(&expected, 0x078, 8);
    memset(put(&expected, 8), 0, 8);
    assert_same_bytes(d, expected.data, expected.size);
    mst_close(d);
    writer_free(&w);
    writer_free(&expected);
}

/* A common value that does not fit into the field of the new type. */
static void values_that_do_not_fit(void **state) {
    (void)state;
    NEED_JSON();
    writer w = {.big = true}, expected = {.big = true};
    heard all;
    mst_diagnostic why;
    put_scarab(&w, 1000, 0);
    mst_document *d = open_copy(&w, "some.romlist");
    assert_refused(d, "objects[0].type", "13");
    MUST(set_losing(d, "objects[0].type", "13", &all, &why), &why);
    assert_non_null(
        strstr(all.text, "objects[0].parameters.unknown_1A: lost with the change: it was 1000\n"));
    assert_non_null(strstr(all.text, "objects[0].parameters.drop: lost with the change: it was 0\n"));
    assert_null(strstr(all.text, "rotation_y"));
    put_start(&expected, 0x00D, 8);
    put_u8(&expected, 0);
    put_u8(&expected, 0);
    put_u8(&expected, 0);
    put_u8(&expected, (uint8_t)-7);
    put_u32(&expected, 0);
    assert_same_bytes(d, expected.data, expected.size);
    mst_close(d);
    writer_free(&w);
    writer_free(&expected);
}

/* ---- Revenant -------------------------------------------------------------------------------------- */

static void class_of_an_object(void **state) {
    (void)state;
    NEED_JSON();
    sector_source r;
    heard all;
    mst_diagnostic why;
    good_sector(&r, 15);
    writer w = written(&r.s);
    mst_document *d = open_copy(&w, NAME);
    assert_json_at(d, "objects[3].class", "\"character\"");
    assert_refused(d, "objects[3].class", "tile");
    MUST(set_losing(d, "objects[3].class", "tile", &all, &why), &why);
    assert_non_null(strstr(all.text, "objects[3].complex_version: lost with the change: it was 1\n"));
    assert_false(has(d, "objects[3].complex_version"));
    assert_json_at(d, "objects[3].class", "\"tile\"");
    assert_json_at(d, "objects[3].name", "\"Locke\"");
    assert_json_at(d, "objects[4].name", "\"gate\"");
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

/* Whenever memory runs out it is reported, and the level is unchanged. */
static void without_memory(void **state) {
    (void)state;
    NEED_JSON();
    sector_source r;
    good_sector(&r, 15);
    writer w = written(&r.s);
    mst_status status = MST_NO_MEMORY;
    int refused = 0;
    for (int allocations = 0; status == MST_NO_MEMORY; allocations++) {
        int left = 1000000;
        heard all;
        mst_diagnostic why;
        mst_document *d;
        mst_allocator allocator = {no_memory, &left};
        mst_open_options options = {.size = sizeof options, .name = NAME, .allocator = allocator};
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        left = allocations;
        status = set_losing(d, "objects[3].class", "tile", &all, &why);
        left = 1000000;
        if (status == MST_OK) {
            assert_false(has(d, "objects[3].complex_version"));
        } else {
            assert_int_equal(status, MST_NO_MEMORY);
            assert_same_bytes(d, w.data, w.size);
            refused++;
        }
        mst_close(d);
    }
    assert_int_equal(status, MST_OK);
    assert_true(refused > 5);
    writer_free(&w);
}

/* ---- Natural Selection 2 --------------------------------------------------------------------------- */

static void type_of_a_property(void **state) {
    (void)state;
    NEED_JSON();
    session s;
    heard all;
    mst_diagnostic why;
    begin(&s, &(level_plan){0});
    assert_json_at(s.d, "objects[0].properties[0].name", "\"origin\"");
    assert_refused(s.d, "objects[0].properties[0].type", "string");
    MUST(set_losing(s.d, "objects[0].properties[0].type", "string", &all, &why), &why);
    assert_int_equal(all.lines, 1);
    assert_non_null(strstr(all.text, ".value: lost with the change: it was ["));
    assert_json_at(s.d, "objects[0].properties[0].value", "[]");
    assert_sound(s.d);
    end(&s);
}

int test_losses(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_of_another_type), cmocka_unit_test(values_that_do_not_fit),
        cmocka_unit_test(class_of_an_object),         cmocka_unit_test(without_memory),
        cmocka_unit_test(type_of_a_property),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
