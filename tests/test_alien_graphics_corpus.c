/* SPDX-License-Identifier: MIT */
/* Alien Trilogy's graphics compared with the results of an independent reader: every file is exact, and has
 * its sections, frames, pixels, models and findings. */
#include "../src/core/hash.h"
#include "../src/core/json.h"
#include "../src/formats/alien/graphics/alien_sprites.h"
#include "../src/formats/present.h"
#include "support.h"
#include <mapstone/mapstone.h>

#define FOLDER "alien-graphics/"

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

static bool is_text(const mst_json_node *node, const char *text) {
    return node && node->length == strlen(text) && memcmp(node->text, text, node->length) == 0;
}

/* The digest's first digits. */
static void same_hash(const mst_json_node *node, const void *bytes, size_t size) {
    char text[65];
    mst_sha256_text(bytes, size, text);
    assert_true(node->length == 16 || node->length == 64);
    assert_memory_equal(node->text, text, node->length);
}

static uint64_t number_at(const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    uint64_t number = 0;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_get_unsigned(&value, &number), NULL);
    return number;
}

/* ---- sprites ------------------------------------------------------------------------------------- */

typedef struct tally {
    size_t packed, same_bytes, same_size;
} tally;

static void same_frame(const mst_json_node *nodes, const mst_json_node *node, const mst_alien_sprite *s,
                       tally *sum) {
    const mst_json_node *width = member(nodes, node, "width"), *x = member(nodes, node, "x");
    uint8_t *pixels = malloc(s->pixels + 1), *packed;
    mst_arena arena;
    assert_non_null(pixels);
    assert_int_equal(s->packed, member(nodes, node, "packed")->kind == MST_JSON_TRUE);
    assert_int_equal(s->size, number_in(member(nodes, node, "size")));
    assert_int_equal(s->pixels, number_in(member(nodes, node, "pixels")));
    mst_alien_sprite_unpack(s, pixels);
    same_hash(member(nodes, node, "pixels_sha256"), pixels, s->pixels);
    assert_int_equal(s->shape.width, width ? number_in(width) : 0);
    assert_int_equal(s->shape.height, width ? number_in(member(nodes, node, "height")) : 0);
    assert_int_equal(s->animation >= 0, x != NULL);
    if (x) {
        char text[16];
        assert_int_equal(s->shape.x, number_in(x));
        assert_int_equal(s->shape.y, number_in(member(nodes, node, "y")));
        snprintf(text, sizeof text, "A%02d", s->animation);
        assert_true(is_text(member(nodes, node, "animation"), text));
    }
    mst_arena_begin(&arena, NULL, 0);
    if (s->packed) {
        size_t size = mst_frame_lz_pack(pixels, s->pixels, &arena, &packed);
        sum->packed++;
        sum->same_size += size == s->size;
        sum->same_bytes += size == s->size && memcmp(packed, s->bytes, size) == 0;
    }
    mst_arena_end(&arena);
    free(pixels);
}

static void same_sprites(const figures *f, const mst_document *d) {
    const mst_json_node *list = member(f->nodes, f->file, "sections"), *node = list + 1,
                        *repack = member(f->nodes, f->file, "repack");
    mst_alien_sprite *sprites;
    mst_arena arena;
    tally sum = {0, 0, 0};
    size_t count, next = 0;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_alien_sprites_list(d, &arena, &sprites, &count), NULL);
    for (uint32_t i = 0; i < list->count; i++, node = &f->nodes[node->end]) {
        char path[48];
        const mst_json_node *frames = member(f->nodes, node, "frames"), *frame = frames ? frames + 1 : NULL,
                            *colors = member(f->nodes, node, "colours");
        snprintf(path, sizeof path, "sections[%u].outside", i);
        assert_int_equal(number_at(d, path), member(f->nodes, node, "outside")->kind == MST_JSON_TRUE);
        snprintf(path, sizeof path, "sections[%u].color_count", i);
        if (colors)
            assert_int_equal(number_at(d, path), number_in(colors));
        for (uint32_t k = 0; frames && k < frames->count; k++, frame = &f->nodes[frame->end], next++) {
            assert_true(next < count && sprites[next].section == i && sprites[next].number == k);
            same_frame(f->nodes, frame, &sprites[next], &sum);
        }
    }
    assert_int_equal(next, count);
    assert_int_equal(sum.packed, number_in(member(f->nodes, repack, "packed")));
    assert_int_equal(sum.same_bytes, number_in(member(f->nodes, repack, "same_bytes")));
    assert_int_equal(sum.same_size, number_in(member(f->nodes, repack, "same_size")));
    mst_arena_end(&arena);
}

/* ---- pages and models ---------------------------------------------------------------------------- */

static void same_raw(const mst_json_node *hash, const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    const void *bytes;
    size_t size;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_get_bytes(&value, &bytes, &size), NULL);
    same_hash(hash, bytes, size);
}

/* A list of lists of numbers, as consecutive bytes of these widths. */
static void same_rows(const mst_json_node *nodes, const mst_json_node *list, const mst_value *values,
                      const uint8_t *widths) {
    const mst_json_node *row = list + 1;
    mst_value one;
    assert_int_equal(mst_count(values), list->count);
    for (mst_iterator it = mst_iterate(values); mst_next(&it, &one); row = &nodes[row->end]) {
        const uint8_t *bytes = one.document->data + one.offset;
        for (uint32_t i = 0; i < row->count; bytes += widths[i], i++) {
            uint64_t expected = (uint64_t)number_in(row + 1 + i), mask = widths[i] == 4   ? UINT32_MAX
                                                                         : widths[i] == 2 ? UINT16_MAX
                                                                                          : UINT8_MAX;
            assert_int_equal(mst_load(bytes, widths[i], false), expected & mask);
        }
    }
}

static void same_pages(const figures *f, const mst_document *d) {
    static const uint8_t bytes[] = {1, 1, 1, 1, 1, 1};
    const mst_json_node *list = member(f->nodes, f->file, "sections"), *node = list + 1;
    unsigned pages = 0, lists = 0;
    char path[64];
    mst_value value;
    for (uint32_t i = 0; i < list->count; i++, node = &f->nodes[node->end]) {
        const mst_json_node *rows = member(f->nodes, node, "rectangles"),
                            *pixels = member(f->nodes, node, "pixels_sha256"),
                            *numbers = member(f->nodes, node, "info");
        snprintf(path, sizeof path, "pages[%u].pixels", pages);
        if (pixels) {
            mst_pixels image = {0};
            mst_diagnostic why;
            same_raw(pixels, d, path);
            MUST(mst_image_read(d, pages++, 0, NULL, &image, NULL, &why), &why);
            same_hash(pixels, image.data, 65536);
            mst_pixels_free(&image);
        }
        snprintf(path, sizeof path, "rectangle_lists[%u].rectangles", lists);
        if (rows) {
            MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
            same_rows(f->nodes, rows, &value, bytes);
            lists++;
        }
        if (numbers) {
            MUST(mst_find(mst_root(d), "information", &value, NULL), NULL);
            for (uint32_t k = 0; k < numbers->count; k++)
                assert_int_equal(mst_load16(d->data + value.offset + 2 * (size_t)k, false),
                                 number_in(numbers + 1 + k));
        }
    }
    assert_int_equal(mst_image_count(d), pages);
}

static void same_models(const figures *f, const mst_document *d) {
    static const uint8_t quad[] = {4, 4, 4, 4, 2, 1, 1}, vertex[] = {2, 2, 2, 2};
    const mst_json_node *list = member(f->nodes, f->file, "sections"), *node = list + 1;
    for (uint32_t i = 0; i < list->count; i++, node = &f->nodes[node->end]) {
        char path[64];
        mst_value value;
        snprintf(path, sizeof path, "models[%u].quads", i);
        MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
        same_rows(f->nodes, member(f->nodes, node, "quads"), &value, quad);
        snprintf(path, sizeof path, "models[%u].vertices", i);
        MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
        same_rows(f->nodes, member(f->nodes, node, "vertices"), &value, vertex);
        snprintf(path, sizeof path, "models[%u].unknown_08", i);
        assert_int_equal(number_at(d, path), number_in(member(f->nodes, node, "unknown_08")));
    }
}

/* ---- flat files ---------------------------------------------------------------------------------- */

static void same_shades(const figures *f, const mst_document *d) {
    const mst_json_node *kept = member(f->nodes, f->file, "kept_in_all_rows");
    uint32_t next = 0, same = 0;
    for (unsigned i = 0; i < 256; i++) {
        bool stays = true;
        for (unsigned row = 0; row < 256; row++)
            stays = stays && d->data[256 * row + i] == i;
        if (stays)
            assert_int_equal(number_in(kept + 1 + next++), i);
        same += d->data[255 * 256 + i] == i;
    }
    assert_int_equal(next, kept->count);
    assert_int_equal(same, number_in(member(f->nodes, f->file, "identity_last_row")));
}

/* ---- all ----------------------------------------------------------------------------------------- */

/* Each finding has its severity and its code, and there are no others. */
static void same_findings(const figures *f, const mst_document *d) {
    static const char *const severities[] = {
        [MST_INFORMATION] = "information", [MST_WARNING] = "warning", [MST_ERROR] = "error"};
    const mst_json_node *list = member(f->nodes, f->file, "findings"), *node = list + 1;
    findings found = {0};
    mst_diagnostic why;
    MUST(mst_check(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, collect,
                   &found, NULL, &why),
         &why);
    if (found.count != list->count)
        print_findings(&found);
    assert_int_equal(found.count, list->count);
    for (uint32_t i = 0; i < list->count; i++, node = &f->nodes[node->end]) {
        bool any = false;
        for (size_t k = 0; k < found.count; k++)
            any = any || (is_text(node + 1, severities[found.items[k].severity]) &&
                          is_text(node + 2, found.items[k].code));
        assert_true(any);
    }
    findings_free(&found);
}

static void compare(const figures *f, const char *name) {
    char path[300];
    size_t size;
    mst_document *d;
    mst_diagnostic why;
    snprintf(path, sizeof path, FOLDER "%s", name);
    uint8_t *bytes = corpus_read(path, &size);
    const mst_json_node *list = member(f->nodes, f->file, "findings");
    const mst_open_options options = {.size = sizeof options, .name = name};
    same_hash(member(f->nodes, f->file, "sha256"), bytes, size);
    mst_status status = mst_open_memory(bytes, size, &options, &d, &why);
    if (list->count && is_text(list + 2, "error")) {
        assert_int_equal(status, MST_DAMAGED);
        assert_true(is_text(list + 3, why.code));
        free(bytes);
        return;
    }
    MUST(status, &why);
    const char *id = mst_document_format(d)->id;
    assert_same_bytes(d, bytes, size);
    assert_round_trips(d);
    same_findings(f, d);
    if (strcmp(id, "alien-sprites") == 0)
        same_sprites(f, d);
    else if (strcmp(id, "alien-models") == 0)
        same_models(f, d);
    else if (strcmp(id, "alien-gfx") == 0)
        same_pages(f, d);
    else if (strcmp(id, "alien-shades") == 0)
        same_shades(f, d);
    else
        assert_true(strcmp(id, "alien-palette") == 0 || strcmp(id, "alien-matches") == 0 ||
                    strcmp(id, "alien-picture") == 0);
    mst_close(d);
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
    assert_true(files->count > 25);
    mst_arena_end(&arena);
    free(text);
}

int test_alien_graphics_corpus(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_are_as_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
