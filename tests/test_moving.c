/* SPDX-License-Identifier: MIT */
/* Things with a position are moved, rotated about the vertical, and scaled. */
#include "own_format.h"
#include <mapstone/edit.h>

#define RECORDS(X) X(file) X(thing) X(piece) X(model) X(turret) X(label)
enum { RECORDS(RECORD_INDEX) };
#define LIST_OF(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, .record = &(r)

/* Y is up, a positive rotation goes from z to x; the angle is an optional one of three. */
static const mst_placement_fields thing_stands = {
    .position = {"place"}, .turn = {"missing", "angles[2]"}, .size = "size", .from = 2, .to = 0};
static const mst_field thing_fields[] = {
    {.name = "place", F32, FIXED(3), .unit = "m"},
    {.name = "angles", F32, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "size", F32, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
};
RECORD(thing, "thing", "stands in a room", .placement = &thing_stands);

/* In a grid, by eighths of a turn from y to x. */
static const mst_placement_fields piece_stands = {
    .position = {"x", "y"}, .turn = {"facing"}, .units = 8, .from = 1, .to = 0};
static const mst_field piece_fields[] = {{.name = "x", U8}, {.name = "y", U8}, {.name = "facing", U8}};
RECORD(piece, "piece", "stands in a grid", .placement = &piece_stands);

/* With a quaternion and a box, Z up. */
static const mst_placement_fields model_stands = {.position = {"at"},
                                                  .quaternion = "rotation",
                                                  .size = "scale",
                                                  .low = "low",
                                                  .high = "high",
                                                  .box_scales = true,
                                                  .from = 0,
                                                  .to = 1};
static const mst_field model_fields[] = {
    {.name = "at", .kind = MST_KIND_I16, FIXED(3)},
    {.name = "rotation", F32, FIXED(4)},
    {.name = "scale", .kind = MST_KIND_F32},
    {.name = "low", F32, FIXED(3)},
    {.name = "high", F32, FIXED(3)},
};
RECORD(model, "model", "has a box", .placement = &model_stands);

/* Angles that use the whole range of their bytes, with a box that does not scale. */
static const mst_placement_fields turret_stands = {.position = {"x", "y"},
                                                   .turn = {"wide", "narrow"},
                                                   .units = 256,
                                                   .wraps = true,
                                                   .low = "none",
                                                   .high = "none",
                                                   .from = 0,
                                                   .to = 1};
static const mst_field turret_fields[] = {
    {.name = "kind", U8, BIND(1)},
    {.name = "x", U8},
    {.name = "y", U8},
    {.name = "wide", .kind = MST_KIND_I16, IF(IS(1, 1))},
    {.name = "narrow", U8, IF(IS(1, 0))},
};
RECORD(turret, "turret", "turns", .placement = &turret_stands);
static const mst_field label_fields[] = {{.name = "x", U8}};
RECORD(label, "label", "stands nowhere");
static const mst_field file_fields[] = {{.name = "things", LIST_OF(thing)},
                                        {.name = "pieces", LIST_OF(piece)},
                                        {.name = "models", LIST_OF(model)},
                                        {.name = "turrets", LIST_OF(turret)},
                                        {.name = "labels", LIST_OF(label)}};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_format format = {FORMAT(file, records), .information.editor_unit = "in",
                                  .information.editor_per_metre = 1 / 0.0254};

static const char whole[] =
    "{\"things\":["
    "{\"place\":[1,2,3],\"angles\":[0.5,0,3],\"size\":[1,2,3]},"
    "{\"place\":[0,0,0],\"angles\":[],\"size\":[]}],"
    "\"pieces\":[{\"x\":5,\"y\":2,\"facing\":7},{\"x\":0,\"y\":1,\"facing\":0}],"
    "\"models\":["
    "{\"at\":[10,0,5],\"rotation\":[0,0,0,1],\"scale\":2,\"low\":[-1,-2,0],\"high\":[3,4,5]},"
    "{\"at\":[0,0,0],\"rotation\":[1,0,0,0],\"scale\":1,\"low\":[1,1,1],\"high\":[-1,-1,-1]}],"
    "\"turrets\":[{\"kind\":1,\"x\":1,\"y\":1,\"wide\":32000},{\"kind\":0,\"x\":1,\"y\":1,"
    "\"narrow\":200},{\"kind\":2,\"x\":1,\"y\":1}],"
    "\"labels\":[{\"x\":1}]}";

static mst_document *begin(void) {
    writer nothing = {0};
    mst_buffer bytes = {0};
    mst_document *d;
    mst_diagnostic why;
    put_bytes_of(&nothing, "\0\0\0\0\0", 5);
    mst_document *none = open_own(&format, &nothing);
    MUST(encode_as(none, whole, &bytes, &why), &why);
    MUST(open_in(&format, false, bytes.data, bytes.size, &d, &why), &why);
    mst_close(none);
    mst_buffer_free(&bytes);
    free(nothing.data);
    return d;
}

static mst_status apply(mst_document *d, const char *text, const mst_edit_options *options,
                        mst_diagnostic *why) {
    mst_operations *all = NULL;
    size_t count;
    mst_status status = mst_operations_read(&all, text, strlen(text), 1, NULL, why);
    const mst_operation *items = mst_operations_all(all, &count);
    if (status == MST_OK)
        status = mst_edit(d, items, count, options, why);
    mst_operations_free(all);
    return status;
}

typedef struct move_case {
    const char *text, *path, *now; /* `path` NULL: refused, with */
    mst_status status;
} move_case;

static const move_case moves[] = {
    {"move things[0] by 0,2,-1.5", "things[0].place", "[1,4,1.5]", 0},
    {"move things[0] by [0, 2, 0]", "things[0].place", "[1,4,3]", 0},
    {"move things[0] by 0,1000in,0", "things[0].place", "[1,27.4,3]", 0},
    {"move pieces[0] by -5,1", "pieces[0].x", "0", 0},
    {"move pieces[0] by -5,1", "pieces[0].y", "3", 0},
    {"move pieces[0] by -6,0", NULL, NULL, MST_ARGUMENT},
    {"move pieces[0] by 0.4,0.5", "pieces[0].x", "5", 0},
    {"move pieces[0] by 0.4,0.5", "pieces[0].y", "3", 0},
    {"move models[0] by 0,0,-5", "models[0].at", "[10,0,0]", 0},
    {"move things[0] by 1,2", NULL, NULL, MST_ARGUMENT},
    {"move things[0] by 1,2,3,4", NULL, NULL, MST_ARGUMENT},
    {"move things[0] by up", NULL, NULL, MST_ARGUMENT},
    {"move things[0] by 1e39,0,0", NULL, NULL, MST_ARGUMENT},
    {"move labels[0] by 1", NULL, NULL, MST_ARGUMENT},
    {"move things[9] by 1,2,3", NULL, NULL, MST_NO_PATH},
    {"move things by 1,2,3", NULL, NULL, MST_ARGUMENT},
    /* Two operations, of which the second uses the result of the first. */
    {"move things[0] by 1,0,0\nmove things[0] by 1,0,0", "things[0].place", "[3,2,3]", 0},
    {"things[0].angles = [1,2,3]\nrotate things[0] by 0.125", "things[0].angles", "[1,2,3.125]", 0},

    {"rotate things[0] by -1.5", "things[0].angles", "[0.5,0,1.5]", 0},
    {"rotate things[0] by 0.25", "things[0].angles", "[0.5,0,-3.0331852]", 0}, /* 3.25 - 2 pi */
    {"rotate things[0] by 90deg about 0,0,0", "things[0].place", "[3,2,-1]", 0},
    {"rotate things[0] by 180 deg about 1,0,0", "things[0].place", "[1,2,-3]", 0},
    {"rotate things[0] by -90deg about 1,9,2", "things[0].place", "[0,2,2]", 0},
    {"rotate things[0] by 360deg about 5,5,5", "things[0].place", "[1,2,3]", 0},
    {"rotate things[1] by 1 about 0,0,0", "things[1].place", "[0,0,0]", 0},
    {"rotate things[1] by 1", NULL, NULL, MST_NO_PATH},
    {"rotate things[0] by a bit", NULL, NULL, MST_ARGUMENT},
    {"rotate things[0] by 1 about 1,2", NULL, NULL, MST_ARGUMENT},
    {"rotate pieces[0] by 2", "pieces[0].facing", "1", 0},
    {"rotate pieces[0] by -90deg", "pieces[0].facing", "5", 0},
    {"rotate pieces[0] by 10deg", NULL, NULL, MST_ARGUMENT},
    {"rotate pieces[1] by 2 about 0,0", "pieces[1].x", "1", 0},
    {"rotate pieces[1] by 2 about 0,0", "pieces[1].y", "0", 0},
    {"rotate turrets[0] by 4", "turrets[0].wide", "-32512", 0}, /* 32000 + 1024 - 65536 */
    {"rotate turrets[0] by 0.001", NULL, NULL, MST_ARGUMENT},
    {"rotate turrets[1] by 64", "turrets[1].narrow", "8", 0},
    {"rotate turrets[2] by 64", NULL, NULL, MST_NO_PATH},
    {"rotate models[0] by 180deg", "models[0].rotation", "[0,0,1,0]", 0},
    {"rotate models[0] by 90deg", "models[0].rotation", "[0,0,0.70710677,0.70710677]", 0},
    {"rotate models[0] by 90deg", "models[0].low", "[-4,-1,0]", 0},
    {"rotate models[0] by 90deg", "models[0].high", "[2,3,5]", 0},
    {"rotate models[0] by -90deg about 0,0,0", "models[0].at", "[0,-10,5]", 0},
    {"rotate models[1] by 180deg", "models[1].rotation", "[0,1,0,0]", 0}, /* k * i = j */
    {"rotate models[1] by 90deg", "models[1].low", "[1,1,1]", 0},         /* it is not a box */

    {"scale things[0] by 2", "things[0].size", "[2,4,6]", 0},
    {"scale things[0] by 2", "things[0].place", "[1,2,3]", 0},
    {"scale things[0] by 1,2,1 about 0,1,0", "things[0].place", "[1,3,3]", 0},
    {"scale things[0] by 1,2,1 about 0,1,0", "things[0].size", "[1,4,3]", 0},
    {"scale things[1] by 2", NULL, NULL, MST_NO_PATH},
    {"scale things[0] by 1,2", NULL, NULL, MST_ARGUMENT},
    {"scale pieces[0] by 2 about 4,2", "pieces[0].x", "6", 0},
    {"scale pieces[0] by 2", NULL, NULL, MST_NO_PATH},
    {"scale models[0] by -0.5", "models[0].scale", "-1", 0},
    {"scale models[0] by -0.5", "models[0].low", "[-1.5,-2,-2.5]", 0},
    {"scale models[0] by -0.5", "models[0].high", "[0.5,1,0]", 0},
    {"scale models[0] by 1,2,1", NULL, NULL, MST_ARGUMENT}, /* it has one size */
};

static void things_are_moved(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        const move_case *one = &moves[i];
        mst_document *d = begin();
        mst_diagnostic why;
        mst_status status = apply(d, one->text, NULL, &why);
        if (status != one->status)
            print_error("%s\n", one->text);
        assert_int_equal(status, one->status);
        if (one->path) {
            mst_value value = value_at(d, one->path);
            char *now = json_of(&value, 1);
            if (strcmp(now, one->now) != 0)
                print_error("%s\n", one->text);
            assert_string_equal(now, one->now);
            free(now);
        }
        mst_close(d);
    }
}

static mst_status count_report(void *user, const mst_diagnostic *what) {
    size_t *count = user;
    assert_int_equal(what->severity, MST_INFORMATION);
    ++*count;
    return MST_OK;
}

static void what_cannot_change_is_passed_over(void **state) {
    (void)state;
    mst_document *d = begin();
    size_t count = 0;
    mst_edit_options options = {.size = sizeof options, .each = 1, .report = count_report, .user = &count};
    mst_diagnostic why;
    MUST(apply(d, "rotate things[*] by -1", &options, &why), &why);
    assert_int_equal(count, 1);
    mst_value value = value_at(d, "things[0].angles");
    char *now = json_of(&value, 1);
    assert_string_equal(now, "[0.5,0,2]");
    free(now);
    options.report = NULL;
    MUST(apply(d, "scale things[*] by 1", &options, &why), &why);
    mst_close(d);
}

/* The changes are reported value by value. */
static mst_status take_change(void *user, const mst_edit_change *change) {
    char *text = user;
    assert_int_equal(change->kind, MST_CHANGE_SET);
    strcat(strcat(strcat(strcat(text, change->path), "="), change->now), ";");
    return MST_OK;
}

static void changes_are_said(void **state) {
    (void)state;
    mst_document *d = begin();
    char text[300] = "";
    mst_edit_options options = {.size = sizeof options, .change = take_change, .user = text};
    mst_diagnostic why;
    MUST(apply(d, "rotate pieces[1] by 2 about 0,0\nmove things[0] by 0,0,0", &options, &why), &why);
    assert_string_equal(text, "pieces[1].x=1;pieces[1].y=0;pieces[1].facing=2;");
    mst_close(d);
}

int test_moving(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_are_moved),
        cmocka_unit_test(what_cannot_change_is_passed_over),
        cmocka_unit_test(changes_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
