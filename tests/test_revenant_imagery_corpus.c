/* SPDX-License-Identifier: MIT */
/* Revenant's imagery compared with the results of an independent reader: every file is exact, and has its
 * states, bitmaps and findings. */
#include "../src/core/hash.h"
#include "../src/core/json.h"
#include "../src/formats/present.h"
#include "../src/formats/revenant/imagery/image.h"
#include "../src/formats/revenant/imagery/posed.h"
#include "support.h"
#include <mapstone/base.h>
#include <mapstone/image.h>

#define FOLDER "revenant-imagery/"

typedef struct figures {
    const mst_json_node *nodes;
    const mst_json_node *file; /* an object */
} figures;

static const mst_json_node *member(const mst_json_node *nodes, const mst_json_node *object,
                                   const char *name) {
    const mst_json_node *node = object + 1;
    assert_int_equal(object->kind, MST_JSON_OBJECT);
    for (uint32_t i = 0; i < object->count; i++) {
        if (node->length == strlen(name) && memcmp(node->text, name, node->length) == 0)
            return node + 1;
        node = &nodes[node[1].end];
    }
    return NULL;
}

static int64_t number_in(const mst_json_node *node) {
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)node->length, node->text);
    return strtoll(text, NULL, 10);
}

static void same_text(const mst_json_node *node, const char *text) {
    assert_int_equal(node->length, strlen(text));
    assert_memory_equal(node->text, text, node->length);
}

static void same_hash(const mst_json_node *node, const void *bytes, size_t size) {
    char text[65];
    mst_sha256_text(bytes, size, text);
    same_text(node, text);
}

/* Lists of numbers, of values of these names. */
static void same_numbers(const mst_json_node *list, const mst_value *record, const char *const names[]) {
    for (uint32_t i = 0; i < list->count; i++)
        assert_int_equal((int16_t)mst_number_in(record, names[i]), number_in(list + 1 + i));
}

static void same_state(const figures *f, const mst_json_node *node, const mst_value *state) {
    static const char *const registration[] = {"registration_x", "registration_y", "registration_z"};
    static const char *const size[] = {"width", "height"};
    static const char *const walkmap[] = {"walkmap_x", "walkmap_y", "walkmap_z"};
    static const char *const box[] = {"walkmap_width", "walkmap_length", "walkmap_height"};
    static const char *const animated[] = {"animation_registration_x", "animation_registration_y",
                                           "animation_registration_z"};
    char name[64];
    mst_value value = mst_member_in(state, "name");
    MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
    same_text(member(f->nodes, node, "name"), name);
    same_numbers(member(f->nodes, node, "reg"), state, registration);
    same_numbers(member(f->nodes, node, "size"), state, size);
    same_numbers(member(f->nodes, node, "wreg"), state, walkmap);
    same_numbers(member(f->nodes, node, "box"), state, box);
    same_numbers(member(f->nodes, node, "animreg"), state, animated);
    assert_int_equal(mst_number_in(state, "frames"), number_in(member(f->nodes, node, "frames")));
    assert_int_equal(mst_number_in(state, "animation_flags"),
                     (uint16_t)number_in(member(f->nodes, node, "aniflags")));
    assert_int_equal(mst_number_in(state, "flags"), number_in(member(f->nodes, node, "flags")));
    const mst_json_node *hash = member(f->nodes, node, "walkmap_sha256");
    const void *cells;
    size_t count;
    value = mst_member_in(state, "walkmap");
    MUST(mst_get_bytes(&value, &cells, &count), NULL);
    /* a walkmap that a stray offset does not reach is in no figure */
    assert_int_equal(count && !mst_number_in(state, "walkmap_astray"), hash != NULL);
    if (hash)
        same_hash(hash, cells, count);
}

static void same_states(const figures *f, const mst_document *d) {
    const mst_json_node *list = member(f->nodes, f->file, "states"), *node = list + 1;
    mst_value root = mst_root(d), states = mst_member_in(&root, "states"), state;
    assert_int_equal(mst_count(&states), list->count);
    for (mst_iterator it = mst_iterate(&states); mst_next(&it, &state); node = &f->nodes[node->end])
        same_state(f, node, &state);
}

/* The depths as little-endian numbers. */
static void same_depths(const mst_json_node *hash, const mst_image_bitmap *bitmap) {
    size_t count = (size_t)bitmap->width * bitmap->height;
    uint16_t *values = malloc(count * sizeof *values), *block = malloc(MST_TILE_VALUES * sizeof *block);
    uint8_t *bytes = malloc(count * 2);
    assert_true(values && block && bytes);
    assert_true(mst_image_is_whole(bitmap, MST_PLANE_Z, 2));
    mst_image_unpack(bitmap, MST_PLANE_Z, 2, values, block);
    for (size_t i = 0; i < count; i++)
        mst_store16(bytes + 2 * i, values[i], false);
    same_hash(hash, bytes, count * 2);
    free(values);
    free(block);
    free(bytes);
}

static void same_bitmaps(const figures *f, const mst_document *d) {
    const mst_json_node *list = member(f->nodes, f->file, "bitmaps"), *node = list + 1;
    mst_image_cursor cursor = mst_image_bitmaps(d);
    mst_image_bitmap bitmap;
    assert_int_equal(mst_image_count(d), list->count);
    for (size_t i = 0; mst_image_next(&cursor, &bitmap); i++, node = &f->nodes[node->end]) {
        const mst_json_node *depths = member(f->nodes, node, "z_sha256"),
                            *alpha = member(f->nodes, node, "alpha_sha256"),
                            *size = member(f->nodes, node, "size");
        mst_pixels pixels = {0};
        mst_diagnostic why;
        assert_int_equal(bitmap.width, number_in(size + 1));
        assert_int_equal(bitmap.height, number_in(size + 2));
        MUST(mst_image_read(d, i, 0, NULL, &pixels, NULL, &why), &why);
        same_hash(member(f->nodes, node, "rgba_sha256"), pixels.data,
                  4 * (size_t)pixels.width * pixels.height);
        assert_int_equal(bitmap.has[MST_PLANE_Z], depths != NULL);
        assert_int_equal(bitmap.has[MST_PLANE_ALPHA], alpha != NULL);
        if (depths)
            same_depths(depths, &bitmap);
        if (alpha)
            same_hash(alpha, bitmap.planes[MST_PLANE_ALPHA].bytes, (size_t)bitmap.width * bitmap.height);
        mst_pixels_free(&pixels);
    }
    assert_int_equal(cursor.next, list->count);
}

/* The codes of the findings, each once; `more` or NULL: another expected one. */
static void same_findings(const figures *f, const mst_document *d, const char *more) {
    const mst_json_node *list = member(f->nodes, f->file, "findings");
    findings found = {0};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, collect,
                   &found, &result, &why),
         &why);
    for (size_t i = 0; i < found.count; i++) {
        bool expected = more && strcmp(found.items[i].code, more) == 0;
        for (uint32_t k = 0; k < list->count; k++)
            expected = expected || (list[1 + k].length == strlen(found.items[i].code) &&
                                    memcmp(list[1 + k].text, found.items[i].code, list[1 + k].length) == 0);
        if (!expected)
            print_findings(&found);
        assert_true(expected);
    }
    for (uint32_t k = 0; k < list->count; k++) {
        char code[64];
        snprintf(code, sizeof code, "%.*s", (int)list[1 + k].length, list[1 + k].text);
        assert_true(count_code(&found, code) > 0);
    }
    findings_free(&found);
}

/* ---- models ------------------------------------------------------------------------------------- */

static bool is_of_parts(const mst_document *d) {
    mst_value parts;
    return mst_find(mst_root(d), "parts", &parts, NULL) == MST_OK;
}

/* The part of a kind, of which the model has one; its elements. */
static mst_value elements_of(const mst_document *d, const char *kind) {
    char path[64];
    mst_value elements;
    mst_diagnostic why;
    snprintf(path, sizeof path, "parts[kind=%s].%s", kind, kind);
    MUST(mst_find(mst_root(d), path, &elements, &why), &why);
    return elements;
}

/* The stored bytes of a list. */
static void same_list(const mst_json_node *hash, const mst_value *list, size_t size) {
    assert_true(list->offset + 4 + size <= list->document->size);
    same_hash(hash, list->document->data + list->offset + 4, size);
}

/* A body of the old kind; false: it has another one. */
static bool has_old_body(const mst_document *d, mst_value *body) {
    return mst_find(mst_root(d), "parts[0].old_body[0]", body, NULL) == MST_OK ||
           mst_find(mst_root(d), "parts[0].older_body[0]", body, NULL) == MST_OK ||
           mst_find(mst_root(d), "parts[0].oldest_body[0]", body, NULL) == MST_OK;
}

static uint64_t number_at(const mst_value *record, const char *list, uint32_t index, const char *name) {
    mst_value values = mst_member_in(record, list), one;
    MUST(mst_element(&values, index, &one), NULL);
    if (name)
        return (uint64_t)mst_number_in(&one, name);
    uint64_t number;
    MUST(mst_get_unsigned(&one, &number), NULL);
    return number;
}

/* The data that bodies of the old kind have in lists of their own. */
static void same_old_lists(const mst_json_node *nodes, const mst_json_node *model, const mst_value *body) {
    const mst_json_node *objects = member(nodes, model, "objects"), *node = objects + 1;
    assert_int_equal(mst_number_in(body, "object_count"), objects->count);
    for (uint32_t i = 0; i < objects->count; i++, node = &nodes[node->end]) {
        char name[64];
        mst_value names = mst_member_in(body, "names"), value;
        MUST(mst_element(&names, i, &value), NULL);
        MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
        same_text(node + 1, name);
        assert_int_equal(number_at(body, "first_vertices", i, NULL), number_in(node + 2));
        assert_int_equal(number_at(body, "vertex_counts", i, NULL), number_in(node + 3));
    }
    assert_int_equal(mst_number_in(body, "material_count"), number_in(member(nodes, model, "materials")));
    const mst_json_node *textures = member(nodes, model, "textures");
    assert_int_equal(mst_number_in(body, "texture_count"), textures->count);
    node = textures + 1;
    for (uint32_t i = 0; i < textures->count; i++, node = &nodes[node->end]) {
        assert_int_equal(number_at(body, "textures", i, "width"), number_in(node + 1));
        assert_int_equal(number_at(body, "textures", i, "height"), number_in(node + 2));
        assert_int_equal(number_at(body, "textures", i, "bits"), number_in(node + 3));
        assert_int_equal(number_at(body, "frame_counts", i, NULL), number_in(node + 4));
    }
}

static void same_model(const figures *f, const mst_document *d) {
    const mst_json_node *model = member(f->nodes, f->file, "model");
    const mst_json_node *objects = member(f->nodes, model, "objects"), *node = objects + 1;
    mst_value faces = elements_of(d, "faces"), list, object, body;
    uint64_t face_count = (uint64_t)number_in(member(f->nodes, model, "faces"));
    assert_int_equal(mst_count(&faces), face_count);
    same_list(member(f->nodes, model, "faces_sha256"), &faces, (size_t)face_count * 6);
    mst_value vertices = elements_of(d, "vertices");
    uint64_t vertex_count = (uint64_t)number_in(member(f->nodes, model, "vertices"));
    assert_int_equal(mst_count(&vertices), vertex_count);
    same_list(member(f->nodes, model, "vertices_sha256"), &vertices, (size_t)vertex_count * 32);
    if (has_old_body(d, &body)) {
        same_old_lists(f->nodes, model, &body);
        return;
    }
    list = elements_of(d, "objects");
    assert_int_equal(mst_count(&list), objects->count);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &object); node = &f->nodes[node->end]) {
        char name[64];
        mst_value value = mst_member_in(&object, "name");
        MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
        same_text(node + 1, name);
        assert_int_equal(mst_number_in(&object, "first_vertex"), number_in(node + 2));
        assert_int_equal(mst_number_in(&object, "vertex_count"), number_in(node + 3));
    }
}

static double real_in(const mst_json_node *node) {
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)node->length, node->text);
    return strtod(text, NULL);
}

/* The box around all corners of objects in the first frame. */
static void same_pose(const figures *f, const uint8_t *bytes, size_t size, const char *name) {
    const mst_json_node *model = member(f->nodes, f->file, "model");
    const mst_json_node *box = model ? member(f->nodes, model, "pose_box") : NULL;
    /* its parents are bytes, which the figures take for larger numbers: there it is knee-deep in the floor */
    if (!box || strcmp(name, "root/Imagery/Chars/ogrok2.i3d") == 0)
        return;
    const mst_file_view file = {.data = bytes, .size = size};
    mst_imagery imagery;
    mst_posed posed;
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_imagery_open(&file, &imagery, NULL), NULL);
    MUST(mst_posed_read(&imagery, 0, &arena, &posed), NULL);
    assert_int_equal(posed.triangle_count, number_in(member(f->nodes, model, "faces")));
    double sides[2][3] = {{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
    for (uint32_t i = 0; i < posed.corner_count; i++)
        for (int c = 0; c < 3; c++) {
            double place = posed.corners[i].position[c];
            sides[0][c] = place < sides[0][c] ? place : sides[0][c];
            sides[1][c] = place > sides[1][c] ? place : sides[1][c];
        }
    const mst_json_node *corner = box + 1;
    for (int side = 0; side < 2; side++, corner = &f->nodes[corner->end])
        for (int c = 0; c < 3; c++) {
            double expected = real_in(corner + 1 + c);
            if (sides[side][c] - expected > 0.01 || expected - sides[side][c] > 0.01)
                print_message("%s: %f is not %f\n", name, sides[side][c], expected);
            assert_true(sides[side][c] - expected <= 0.01 && expected - sides[side][c] <= 0.01);
        }
    mst_arena_end(&arena);
}

/* The two models of the oldest engine that the description does not cover either. */
static bool is_kept(const char *name) {
    return strcmp(name, "files/box.i3d") == 0 || strcmp(name, "files/gordo.i3d") == 0;
}

static void compare(const figures *f, const char *name) {
    char path[300];
    size_t size;
    mst_document *d;
    mst_diagnostic why;
    snprintf(path, sizeof path, FOLDER "%s", name);
    uint8_t *bytes = corpus_read(path, &size);
    const mst_json_node *refused = member(f->nodes, f->file, "refused");
    const mst_open_options options = {.size = sizeof options, .name = strrchr(name, '/') + 1};
    same_hash(member(f->nodes, f->file, "sha256"), bytes, size);
    mst_status status = mst_open_memory(bytes, size, &options, &d, &why);
    if (refused) {
        assert_int_equal(status, MST_DAMAGED);
        same_text(refused, why.code);
    } else {
        MUST(status, &why);
        assert_same_bytes(d, bytes, size);
        assert_round_trips(d);
        same_states(f, d);
        bool picture = number_in(member(f->nodes, f->file, "kind")) == 0;
        assert_int_equal(is_of_parts(d), !picture && !is_kept(name));
        same_findings(f, d, is_kept(name) ? "REV-IMAGE-MODEL" : NULL);
        if (is_of_parts(d))
            same_model(f, d);
        if (picture)
            same_bitmaps(f, d);
        same_pose(f, bytes, size, name);
        mst_close(d);
    }
    free(bytes);
}

static void figures_are_as_expected(void **state) {
    (void)state;
    size_t size;
    uint8_t *text = corpus_read(FOLDER "expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_json_parse((const char *)text, size, &arena, &json, &why), &why);
    const mst_json_node *files = member(json.nodes, json.nodes, "files"), *node = files + 1;
    for (uint32_t i = 0; i < files->count; i++, node = &json.nodes[node[1].end]) {
        char name[200];
        const figures f = {json.nodes, node + 1};
        snprintf(name, sizeof name, "%.*s", (int)node->length, node->text);
        compare(&f, name);
    }
    assert_true(files->count > 100);
    mst_arena_end(&arena);
    free(text);
}

int test_revenant_imagery_corpus(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_are_as_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
