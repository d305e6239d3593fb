/* SPDX-License-Identifier: MIT */
/* Options of programs that were built for an older library, which has fewer: what comes after the size that a
 * caller gives is none of its options. */
#include "edit.h"
#include "fixture_files.h"
#include <mapstone/edit.h>
#include <mapstone/merge.h>
#include <mapstone/patch.h>
#include <stddef.h>

static mst_document *open_outpost(const char *edit) {
    size_t size, count;
    char *text = (char *)read_whole("samples/outpost.json", &size);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.name = "outpost.level"};
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

/* The first bytes of options, where nothing may be read behind them. */
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
    /* a budget of 16 bytes is too small, where it is one of the options */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_diff),
        cmocka_unit_test(of_patch),
        cmocka_unit_test(of_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
