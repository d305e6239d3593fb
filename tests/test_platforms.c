/* SPDX-License-Identifier: MIT */
/*
 * The same on every machine: the library's results for every fixture, as SHA-256 in tests/platforms.txt, with
 * which builds for other machines are also compared. `test_platforms write` (make faults) writes the table
 * again.
 *
 * A line is a fixture, a result, and its digest:
 *   file         the fixture itself
 *   saved        its files, encoded again from their values
 *   json         the whole document
 *   findings     the findings of checks, in full
 *   big, little  its file in the other byte order
 *   glb          the scene, without pictures (a build without libspng writes none)
 *   obj          the same as OBJ
 *   pixels       the scene's textures
 *   above, oblique, dimetric   pictures, their pixels
 *   svg          the map as SVG
 *   images       pictures in the file
 *   faults       the diagnosis of the file truncated after each 61 bytes
 */
#include "../src/core/hash.h"
#include "../src/write/rebuild.h"
#include "fixtures.h"
#include "runner.h"
#include <mapstone/base.h>
#include <mapstone/mapstone.h>

#define TABLE "tests/platforms.txt"

typedef struct line {
    char name[40], what[16], digest[65];
} line;

typedef struct list {
    line *lines;
    size_t count, capacity;
} list;

static void add_digest(list *l, const char *name, const char *what, const void *data, size_t size) {
    if (l->count == l->capacity) {
        l->capacity = l->capacity * 2 + 64;
        l->lines = realloc(l->lines, l->capacity * sizeof *l->lines);
        assert_non_null(l->lines);
    }
    line *made = &l->lines[l->count++];
    snprintf(made->name, sizeof made->name, "%s", name);
    snprintf(made->what, sizeof made->what, "%s", what);
    mst_sha256_text(data ? data : "", size, made->digest);
}

static void put_files(mst_buffer *to, const mst_document *document) {
    mst_sink sink = mst_buffer_sink(to);
    for (size_t i = 0; i < mst_document_file_count(document); i++) {
        size_t size;
        const void *bytes = mst_document_file(document, i, NULL, &size);
        MUST(sink.write(sink.user, bytes, size), NULL);
    }
}

static void put_diagnostic(mst_buffer *to, const mst_diagnostic *d) {
    char text[700];
    mst_sink sink = mst_buffer_sink(to);
    mst_diagnostic_text(d, text, sizeof text);
    MUST(sink.write(sink.user, text, strlen(text)), NULL);
    MUST(sink.write(sink.user, "\n", 1), NULL);
}

static mst_status write_finding(void *user, const mst_diagnostic *finding) {
    put_diagnostic(user, finding);
    return MST_OK;
}

/* The scene and all drawings of it. */
static void add_scene(list *l, const fixture_source *source, const mst_document *document) {
    shelf beside = {.count = 0};
    fixture others[2];
    size_t other_count = 0;
    for (size_t i = 0; i < 2 && source->beside[i]; i++)
        for (size_t k = 0; k < FIXTURES; k++)
            if (strcmp(fixtures[k].name, source->beside[i]) == 0) {
                assert_true(fixture_make(&fixtures[k], &others[other_count]));
                shelf_put(&beside, fixtures[k].file, others[other_count].files[0].data,
                          others[other_count].files[0].size);
                other_count++;
            }
    mst_resolver resolver = shelf_resolver(&beside);
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene;
    mst_diagnostic why;
    mst_status status = mst_scene_from_document(document, &options, &scene, &why);
    if (status == MST_OK) {
        mst_buffer pixels = {0}, glb = {0};
        mst_sink sink = mst_buffer_sink(&pixels);
        for (size_t i = 0; i < scene->image_count; i++)
            MUST(sink.write(sink.user, scene->images[i].pixels.data,
                            (size_t)4 * scene->images[i].pixels.width * scene->images[i].pixels.height),
                 NULL);
        if (scene->image_count)
            add_digest(l, source->name, "pixels", pixels.data, pixels.size);
        mst_buffer_free(&pixels);
        static const char *const views[] = {"above", "oblique", "dimetric"};
        for (int view = MST_VIEW_ABOVE; view <= MST_VIEW_DIMETRIC; view++) {
            mst_pixels picture = {0};
            mst_picture_options draw = {.size = sizeof draw, .view = (mst_view)view, .width = 320};
            if (mst_scene_draw(scene, &draw, &picture, &why) != MST_OK)
                continue;
            add_digest(l, source->name, views[view], picture.data,
                       (size_t)4 * picture.width * picture.height);
            mst_pixels_free(&picture);
        }
        mst_buffer map = {0};
        if (mst_scene_write_svg(scene, NULL, mst_buffer_sink(&map), &why) == MST_OK)
            add_digest(l, source->name, "svg", map.data, map.size);
        mst_buffer_free(&map);
        mst_scene plain = *scene;
        mst_material *materials = calloc(scene->material_count + 1, sizeof *materials);
        assert_non_null(materials);
        for (size_t i = 0; i < scene->material_count; i++) {
            materials[i] = scene->materials[i];
            materials[i].image = -1;
        }
        plain.materials = materials;
        plain.images = NULL;
        plain.image_count = 0;
        MUST(mst_scene_write_glb(&plain, NULL, mst_buffer_sink(&glb), &why), &why);
        add_digest(l, source->name, "glb", glb.data, glb.size);
        mst_buffer_free(&glb);
        mst_buffer obj = {0};
        MUST(mst_scene_export(&plain, NULL, mst_buffer_sink(&obj), &why), &why);
        add_digest(l, source->name, "obj", obj.data, obj.size);
        mst_buffer_free(&obj);
        free(materials);
        mst_scene_free(scene);
    }
    for (size_t i = 0; i < other_count; i++)
        fixture_free(&others[i]);
}

static void add_images(list *l, const fixture_source *source, const mst_document *document) {
    mst_buffer all = {0};
    mst_sink sink = mst_buffer_sink(&all);
    for (size_t i = 0; i < mst_image_count(document); i++) {
        mst_pixels pixels = {0};
        char name[MST_IMAGE_NAME];
        if (mst_image_read(document, i, 0, NULL, &pixels, name, NULL) != MST_OK)
            continue;
        MUST(
            sink.write(sink.user, pixels.data,
                       (size_t)(pixels.format == MST_PIXELS_INDEXED8 ? 1 : 4) * pixels.width * pixels.height),
            NULL);
        MUST(sink.write(sink.user, pixels.palette, sizeof pixels.palette[0] * pixels.palette_count), NULL);
        mst_pixels_free(&pixels);
    }
    if (all.size)
        add_digest(l, source->name, "images", all.data, all.size);
    mst_buffer_free(&all);
}

static void add_faults(list *l, const fixture *f) {
    mst_buffer all = {0};
    size_t step = f->files[0].size / 61 + 1;
    for (size_t size = 0; size < f->files[0].size; size += step) {
        writer files[2] = {f->files[0], f->files[1]};
        files[0].size = size;
        mst_document *document;
        mst_diagnostic why;
        if (fixture_open(f->source, files, &document, &why) != MST_OK) {
            put_diagnostic(&all, &why);
            continue;
        }
        mst_check_options options = {.size = sizeof options, .information = 1};
        MUST(mst_check(document, &options, write_finding, &all, NULL, &why), &why);
        mst_close(document);
    }
    add_digest(l, f->source->name, "faults", all.data, all.size);
    mst_buffer_free(&all);
}

static void add_fixture(list *l, const fixture *f) {
    const char *name = f->source->name;
    mst_document *document, *made;
    mst_diagnostic why;
    mst_buffer text = {0};
    MUST(fixture_open(f->source, f->files, &document, &why), &why);
    put_files(&text, document);
    add_digest(l, name, "file", text.data, text.size);
    mst_buffer_free(&text);
    MUST(mst_rebuild(document, &made, &why), &why);
    put_files(&text, made);
    add_digest(l, name, "saved", text.data, text.size);
    mst_buffer_free(&text);
    mst_close(made);
    mst_value root = mst_root(document);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    add_digest(l, name, "json", text.data, text.size);
    mst_buffer_free(&text);
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(document, &options, write_finding, &text, NULL, &why), &why);
    add_digest(l, name, "findings", text.data, text.size);
    mst_buffer_free(&text);
    static const char *const orders[] = {"big", "little"};
    for (int i = 0; i < 2; i++) {
        mst_convert_options convert = {.size = sizeof convert, .byte_order = orders[i]};
        if (mst_convert(document, &convert, NULL, NULL, &made, &why) != MST_OK)
            continue;
        put_files(&text, made);
        add_digest(l, name, orders[i], text.data, text.size);
        mst_buffer_free(&text);
        mst_close(made);
    }
    add_scene(l, f->source, document);
    add_images(l, f->source, document);
    mst_close(document);
    add_faults(l, f);
}

/* ---- the table ----------------------------------------------------------------------------------- */

static bool read_table(list *l) {
    FILE *file = fopen(TABLE, "r");
    line read;
    memset(l, 0, sizeof *l);
    if (!file)
        return false;
    while (fscanf(file, "%39s %15s %64s", read.name, read.what, read.digest) == 3) {
        add_digest(l, read.name, read.what, "", 0);
        l->lines[l->count - 1] = read;
    }
    fclose(file);
    return true;
}

static const line *wanted_line(const list *table, const line *made) {
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->lines[i].name, made->name) == 0 && strcmp(table->lines[i].what, made->what) == 0)
            return &table->lines[i];
    return NULL;
}

/* Every fixture supported by this build is the same as elsewhere, and so are all results. */
static void everything_is_the_same(void **state) {
    (void)state;
    list table, made = {0};
    size_t differ = 0, wanted = 0, absent = 0;
    assert_true(read_table(&table));
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        if (!fixture_make(&fixtures[i], &f)) {
            print_message("# %s is not there%s\n", fixtures[i].name,
                          fixtures[i].zlib ? ": it needs zlib" : "");
            absent++;
            continue;
        }
        size_t before = made.count;
        add_fixture(&made, &f);
        for (size_t k = 0; k < table.count; k++)
            wanted += strcmp(table.lines[k].name, fixtures[i].name) == 0;
        for (size_t k = before; k < made.count; k++) {
            const line *as = wanted_line(&table, &made.lines[k]);
            if (as && strcmp(as->digest, made.lines[k].digest) == 0)
                continue;
            print_error("%s: %s differs: %s, the table has %s\n", made.lines[k].name, made.lines[k].what,
                        made.lines[k].digest, as ? as->digest : "nothing");
            differ++;
        }
        fixture_free(&f);
    }
    print_message("# %zu digests, %zu files absent\n", made.count, absent);
    if (differ)
        print_error("%zu differ: if that is meant, make faults\n", differ);
    assert_int_equal(differ, 0);
    assert_int_equal(made.count, wanted);
    assert_true(made.count > 50);
    free(made.lines);
    free(table.lines);
}

static void write_table(void) {
    list made = {0};
    FILE *file = fopen(TABLE, "w");
    assert_non_null(file);
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        assert_true(fixture_make(&fixtures[i], &f));
        add_fixture(&made, &f);
        fixture_free(&f);
    }
    for (size_t i = 0; i < made.count; i++)
        fprintf(file, "%s %s %s\n", made.lines[i].name, made.lines[i].what, made.lines[i].digest);
    fclose(file);
    free(made.lines);
}

int test_platforms(void) {
    if (strcmp(test_word(0), "write") == 0) {
        write_table();
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
