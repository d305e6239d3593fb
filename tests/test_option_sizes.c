/* SPDX-License-Identifier: MIT */
/* Options of programs built for an older library, which has fewer: bytes after the size given by a caller are
 * not options. */
#include "../src/level/sources.h"
#include "edit.h"
#include "fixture_files.h"
#include <mapstone/mapstone.h>
#include <stddef.h>

static mst_document *open_outpost(const char *edit) {
    size_t size, count;
    char *text = (char *)read_whole("samples/outpost.json", &size);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = "outpost.level"};
    mst_operations *all = NULL;
    assert_non_null(text);
    mst_status status = mst_open_json(text, size, &options, &d, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    if (!edit)
        return d;
    MUST(mst_operations_read(&all, edit, strlen(edit), 1, NULL, &why), &why);
    const mst_operation *operations = mst_operations_all(all, &count);
    mst_edit_options how = {.size = sizeof how, .cascade = 1};
    MUST(mst_edit(d, operations, count, &how, &why), &why);
    mst_operations_free(all);
    return d;
}

/* The first bytes of options, after which nothing may be read. */
static void *older(const void *options, size_t size) {
    void *made = malloc(size);
    assert_non_null(made);
    memcpy(made, options, size);
    memcpy(made, &size, sizeof size);
    return made;
}

/* All of them and more, as of a newer library. */
static void *newer(const void *options, size_t size) {
    size_t larger = size + 64;
    char *made = malloc(larger);
    assert_non_null(made);
    memset(made, 0xA5, larger);
    memcpy(made, options, size);
    memcpy(made, &larger, sizeof larger);
    return made;
}

static mst_status count_one(void *user, const mst_difference *change) {
    uint64_t *count = user;
    (void)change;
    ++*count;
    return MST_OK;
}

static uint64_t differences(const mst_document *old, const mst_document *now, mst_diff_options *options,
                            mst_status expected) {
    uint64_t count = 0;
    mst_diagnostic why;
    mst_status status = mst_diff(old, now, options, count_one, &count, &why);
    assert_int_equal(status, expected);
    free(options);
    return count;
}

static void of_diff(void **state) {
    (void)state;
    mst_document *old = open_outpost(NULL), *now = open_outpost("remove mesh.faces[3]");
    mst_diff_options options = {.size = sizeof options, .budget = 16, .within_derived = 1};
    /* a budget of 16 bytes is too small, if it is one of the options */
    assert_int_equal(differences(old, now, newer(&options, sizeof options), MST_NO_MEMORY), 0);
    differences(old, now, older(&options, offsetof(mst_diff_options, within_derived)), MST_NO_MEMORY);
    uint64_t all = differences(old, now, older(&options, offsetof(mst_diff_options, budget)), MST_OK);
    options.budget = 0;
    uint64_t few = differences(old, now, older(&options, offsetof(mst_diff_options, within_derived)), MST_OK);
    uint64_t more = differences(old, now, newer(&options, sizeof options), MST_OK);
    assert_int_equal(few, all);
    assert_true(more > few);
    assert_int_equal(differences(old, now, older(&options, sizeof(size_t)), MST_OK), few);
    mst_close(old);
    mst_close(now);
}

static mst_status keep_text(void *user, const void *bytes, size_t size) {
    char **text = user;
    size_t length = *text ? strlen(*text) : 0;
    *text = realloc(*text, length + size + 1);
    assert_non_null(*text);
    memcpy(*text + length, bytes, size);
    (*text)[length + size] = 0;
    return MST_OK;
}

static mst_status apply(const char *edit, const char *patch, mst_patch_options *options) {
    mst_document *d = open_outpost(edit);
    mst_diagnostic why;
    mst_status status = mst_patch_apply(d, patch, strlen(patch), options, &why);
    free(options);
    mst_close(d);
    return status;
}

static void of_patch(void **state) {
    (void)state;
    static const char change[] = "objects[19].properties.intensity = 2\nobjects[7].properties.origin[0] = 5";
    static const char moved_on[] = "objects[19].properties.intensity = 4";
    mst_document *old = open_outpost(NULL), *now = open_outpost(change);
    mst_diagnostic why;
    char *patch = NULL;
    mst_patch_options options = {.size = sizeof options, .reverse = 1, .partial = 1, .exact = 1};
    mst_patch_options *given = older(&options, offsetof(mst_patch_options, with_data));
    MUST(mst_patch_make(old, now, given, (mst_sink){keep_text, &patch}, &why), &why);
    free(given);
    assert_int_equal(apply(NULL, patch, older(&options, offsetof(mst_patch_options, reverse))), MST_OK);
    mst_patch_options little = {.size = sizeof little, .growth_limit = 1, .memory_limit = 16};
    assert_int_equal(apply(NULL, patch, older(&little, offsetof(mst_patch_options, growth_limit))), MST_OK);
    assert_int_equal(apply(NULL, patch, older(&little, sizeof little)), MST_REFUSED);
    assert_int_equal(apply(change, patch, older(&options, offsetof(mst_patch_options, rejected))), MST_OK);
    assert_int_equal(apply(change, patch, newer(&options, sizeof options)), MST_OK);
    options.reverse = 0;
    assert_int_equal(apply(moved_on, patch, older(&options, offsetof(mst_patch_options, partial))),
                     MST_REFUSED);
    assert_int_equal(apply(moved_on, patch, older(&options, offsetof(mst_patch_options, exact))), MST_OK);
    assert_int_equal(apply(moved_on, patch, newer(&options, sizeof options)), MST_REFUSED);
    free(patch);
    mst_close(old);
    mst_close(now);
}

static uint64_t conflicts_of(mst_merge_options *options, uint64_t *objects) {
    mst_document *base = open_outpost(NULL), *ours = open_outpost("objects[19].properties.intensity = 2"),
                 *theirs = open_outpost("objects[19].properties.intensity = 3");
    mst_diagnostic why;
    mst_value list;
    uint64_t conflicts;
    MUST(mst_merge(ours, base, theirs, options, &conflicts, &why), &why);
    free(options);
    MUST(mst_find(mst_root(ours), "objects", &list, &why), &why);
    *objects = mst_count(&list);
    mst_close(base);
    mst_close(ours);
    mst_close(theirs);
    return conflicts;
}

static void of_merge(void **state) {
    (void)state;
    mst_merge_options options = {.size = sizeof options, .prefer = MST_PREFER_OURS};
    uint64_t before, objects;
    assert_int_equal(conflicts_of(newer(&options, sizeof options), &before), 0);
    assert_int_equal(conflicts_of(older(&options, offsetof(mst_merge_options, prefer)), &objects), 1);
    options.prefer = MST_PREFER_NONE;
    options.mark = 1;
    assert_int_equal(conflicts_of(older(&options, offsetof(mst_merge_options, mark)), &objects), 1);
    assert_int_equal(objects, before);
    assert_int_equal(conflicts_of(newer(&options, sizeof options), &objects), 1);
    assert_int_equal(objects, before + 1);
}

/* ---- options without a size ---------------------------------------------------------------------------- */

#define REFUSED(call)                                                                                        \
    do {                                                                                                     \
        memset(&why, 0, sizeof why);                                                                         \
        assert_int_equal((call), MST_ARGUMENT);                                                              \
        assert_non_null(strstr(why.message, "begin with their size"));                                       \
    } while (0)

static mst_status take_level(void *user, const char *name, const mst_format_information *format) {
    (void)user, (void)name, (void)format;
    return MST_OK;
}

static void of_documents(mst_document *old, mst_document *now) {
    const mst_open_options opening = {.name = "a.level"};
    const mst_json_options json = {.compact = 1};
    const mst_convert_options convert = {.version = 7, .has_version = 1};
    const mst_check_options check = {.information = 1};
    const mst_diff_options diff = {.within_derived = 1};
    const mst_edit_options edit = {.cascade = 1};
    const mst_operation remove_one = {.kind = MST_OPERATION_REMOVE, .path = "mesh.faces[0]"};
    const mst_fix_options fix = {.checks = NULL};
    const mst_merge_options merge = {.prefer = MST_PREFER_OURS};
    const mst_patch_options patch = {.with_data = 1};
    mst_buffer text = {0};
    mst_document *made;
    mst_transaction *transaction;
    mst_diagnostic why;
    mst_value root = mst_root(old);
    uint64_t count;
    REFUSED(mst_open_memory("MAP ", 4, &opening, &made, &why));
    REFUSED(mst_open_file("samples/outpost.json", &opening, &made, &why));
    REFUSED(mst_open_json("{}", 2, &opening, &made, &why));
    REFUSED(mst_write_json(&root, &json, mst_buffer_sink(&text), &why));
    REFUSED(mst_convert(old, &convert, NULL, NULL, &made, &why));
    REFUSED(mst_check(old, &check, NULL, NULL, NULL, &why));
    REFUSED(mst_diff(old, now, &diff, count_one, &count, &why));
    REFUSED(mst_edit(now, &remove_one, 1, &edit, &why));
    REFUSED(mst_edit_begin(now, &edit, &transaction, &why));
    REFUSED(mst_fix(now, &fix, &count, &why));
    REFUSED(mst_merge(now, old, now, &merge, &count, &why));
    REFUSED(mst_patch_make(old, now, &patch, mst_buffer_sink(&text), &why));
    REFUSED(mst_patch_apply(now, "", 0, &patch, &why));
    assert_int_equal(text.size, 0);
}

static void of_pictures(mst_document *document) {
    const mst_scene_options contents = {.no_assets = 1};
    const mst_gltf_options gltf = {.no_extras = 1};
    const mst_picture_options picture = {.width = 16};
    mst_buffer bytes = {0};
    mst_pixels pixels = {0};
    mst_diagnostic why;
    mst_scene *scene;
    REFUSED(mst_scene_from_document(document, &contents, &scene, &why));
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    REFUSED(mst_scene_write_glb(scene, &gltf, mst_buffer_sink(&bytes), &why));
    REFUSED(
        mst_scene_write_gltf(scene, &gltf, NULL, mst_buffer_sink(&bytes), (mst_sink){.write = NULL}, &why));
    const mst_export_options text = {.triangles = 1};
    const mst_export_options parts = {.size = sizeof parts, .model = &gltf};
    REFUSED(mst_scene_export(scene, &text, mst_buffer_sink(&bytes), &why));
    REFUSED(mst_scene_export(scene, &parts, mst_buffer_sink(&bytes), &why));
    REFUSED(mst_scene_draw(scene, &picture, &pixels, &why));
    REFUSED(mst_scene_write_png(scene, &picture, mst_buffer_sink(&bytes), &why));
    REFUSED(mst_scene_write_svg(scene, &picture, mst_buffer_sink(&bytes), &why));
    REFUSED(mst_scene_draw_changes(scene, scene, NULL, 0, &picture, &pixels, &why));
    assert_int_equal(bytes.size, 0);
    mst_scene_free(scene);
}

static void of_levels(void) {
    const mst_level_options opening = {.single = 1};
    const mst_container_options archive = {.unmapped = 1};
    const mst_scene_options contents = {.no_assets = 1};
    const mst_check_options check = {.information = 1};
    const mst_level_save_options save = {.backup = "~"};
    const mst_sprites_options sprites = {.budget = 1};
    const mst_format_information *format;
    mst_diagnostic why;
    mst_container *container;
    mst_level *from_file;
    mst_scene *scene;
    mst_sprites *made;
    REFUSED(mst_container_open("samples", &archive, &container, &why));
    REFUSED(mst_level_identify("samples/outpost.json", &opening, &format, NULL, &why));
    REFUSED(mst_level_list("samples", &opening, take_level, NULL, &why));
    REFUSED(mst_level_open("samples/outpost.json", &opening, &from_file, &why));
    const mst_level_options json = {.size = sizeof json, .format = "json"};
    MUST(mst_level_open("samples/outpost.json", &json, &from_file, &why), &why);
    REFUSED(mst_level_add(from_file, "samples/bunker.json", &opening, &why));
    REFUSED(mst_level_scene(from_file, &contents, &scene, &why));
    REFUSED(mst_level_check(from_file, &check, NULL, NULL, NULL, &why));
    REFUSED(mst_level_sprites(from_file, &sprites, &made, &why));
    REFUSED(mst_level_save(from_file, &save, &why));
    mst_level_close(from_file);
}

static void without_their_size(void **state) {
    (void)state;
    mst_document *old = open_outpost(NULL), *now = open_outpost("remove mesh.faces[3]");
    of_documents(old, now);
    of_pictures(old);
    of_levels();
    mst_close(old);
    mst_close(now);
}

/* ---- options of an older and of a newer library -------------------------------------------------------- */

static mst_status opened(const void *bytes, size_t size, mst_open_options *options) {
    mst_document *d = NULL;
    mst_status status = mst_open_memory(bytes, size, options, &d, NULL);
    mst_close(d);
    free(options);
    return status;
}

/* A budget of 16 bytes is too small, if it is one of the options. */
static void of_opening(void **state) {
    (void)state;
    mst_document *d = open_outpost(NULL);
    size_t size;
    const void *bytes = mst_document_file(d, 0, NULL, &size);
    const mst_open_options options = {.size = sizeof options, .budget = 16};
    assert_int_equal(opened(bytes, size, newer(&options, sizeof options)), MST_NO_MEMORY);
    assert_int_equal(opened(bytes, size, older(&options, offsetof(mst_open_options, budget))), MST_OK);
    assert_int_equal(opened(bytes, size, older(&options, sizeof(size_t))), MST_OK);
    mst_close(d);
}

static uint32_t width_of(const mst_scene *scene, mst_picture_options *options) {
    mst_pixels picture = {0};
    mst_diagnostic why;
    MUST(mst_scene_draw(scene, options, &picture, &why), &why);
    uint32_t width = picture.width;
    mst_pixels_free(&picture);
    free(options);
    return width;
}

static void of_drawing(void **state) {
    (void)state;
    mst_document *d = open_outpost(NULL);
    mst_diagnostic why;
    mst_scene *scene;
    const mst_picture_options options = {.size = sizeof options, .width = 200, .height = 100};
    MUST(mst_scene_from_document(d, NULL, &scene, &why), &why);
    assert_int_equal(width_of(scene, newer(&options, sizeof options)), 200);
    assert_int_equal(width_of(scene, older(&options, offsetof(mst_picture_options, background))), 200);
    assert_int_equal(width_of(scene, older(&options, offsetof(mst_picture_options, width))), 1600);
    mst_scene_free(scene);
    mst_close(d);
}

int test_option_sizes(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_diff),    cmocka_unit_test(of_patch),   cmocka_unit_test(of_merge),
        cmocka_unit_test(of_opening), cmocka_unit_test(of_drawing), cmocka_unit_test(without_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
