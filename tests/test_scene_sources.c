/* SPDX-License-Identifier: MIT */
/* The sources of nodes and triangles of a scene: every path leads to a value of the file that it names. */
#include <mapstone/container.h>
#include <mapstone/scene.h>

#include "support.h"
#include <sys/stat.h>

/* A scene's document, and the sidecar opened last. */
typedef struct opened {
    mst_document *level, *sidecar;
    char file[300];
    mst_resolver resolver;
} opened;

typedef struct inside {
    const mst_resolver *outer;
    char directory[64];
} inside;

static mst_status find_inside(void *user, const char *name, const void **bytes, size_t *size) {
    const inside *in = user;
    char path[400];
    snprintf(path, sizeof path, "%s%s", in->directory, name);
    return in->outer->find(in->outer->user, path, bytes, size);
}

static mst_document *document_of(opened *all, const char *file) {
    if (!file[0] || strcmp(file, mst_document_name(all->level)) == 0)
        return all->level;
    if (strcmp(file, all->file) == 0)
        return all->sidecar;
    const void *bytes;
    size_t size;
    inside in = {.outer = &all->resolver};
    const char *slash = strrchr(file, '/');
    snprintf(in.directory, sizeof in.directory, "%.*s", slash ? (int)(slash + 1 - file) : 0, file);
    mst_resolver beside = {.find = find_inside, .user = &in};
    mst_open_options how = {.size = sizeof how, .name = file, .sidecars = &beside};
    mst_diagnostic why;
    MUST(all->resolver.find(all->resolver.user, file, &bytes, &size), NULL);
    mst_close(all->sidecar);
    MUST(mst_open_memory(bytes, size, &how, &all->sidecar, &why), &why);
    snprintf(all->file, sizeof all->file, "%s", file);
    return all->sidecar;
}

static void leads_to_value(opened *all, const mst_scene_source *source) {
    char path[500];
    mst_value value;
    mst_diagnostic why;
    assert_non_null(source->file);
    size_t length = mst_scene_source_path(source, path, sizeof path);
    assert_int_equal(length, strlen(path));
    if (!path[0])
        return; /* the root */
    mst_status status = mst_find(mst_root(document_of(all, source->file)), path, &value, &why);
    if (status != MST_OK)
        print_error("%s: %s: %s\n", source->file, path, why.message);
    assert_int_equal(status, MST_OK);
}

static void sources_lead_to_values(opened *all, const mst_scene *scene, size_t *nodes, size_t *triangles) {
    for (size_t n = 0; n < scene->node_count; n++) {
        leads_to_value(all, &scene->nodes[n].source);
        ++*nodes;
        const mst_mesh *mesh = scene->nodes[n].mesh >= 0 ? &scene->meshes[scene->nodes[n].mesh] : NULL;
        for (size_t p = 0; mesh && p < mesh->primitive_count; p++) {
            const mst_primitive *part = &mesh->primitives[p];
            uint32_t count = (part->indices ? part->index_count : part->vertex_count) / 3;
            mst_scene_source last = {NULL, NULL, 0};
            for (uint32_t t = 0; t < count; t++) {
                mst_scene_source source = mst_scene_triangle_source(scene, n, p, t);
                if (source.path != last.path || source.index > last.index)
                    leads_to_value(all, &source);
                last = source;
                ++*triangles;
            }
            assert_null(mst_scene_triangle_source(scene, n, p, count).path);
        }
        size_t beyond = mesh ? mesh->primitive_count : 0;
        assert_null(mst_scene_triangle_source(scene, n, beyond, 0).path);
    }
    assert_null(mst_scene_triangle_source(scene, scene->node_count, 0, 0).path);
    assert_null(mst_scene_triangle_source(NULL, 0, 0, 0).path);
}

/* All levels of a directory; each may find the others as sidecars. */
static void check_directory(const char *directory, size_t *nodes, size_t *triangles) {
    mst_container *files;
    mst_diagnostic why;
    MUST(mst_container_open(directory, NULL, &files, &why), &why);
    for (size_t i = 0; i < mst_container_count(files); i++) {
        const char *name = mst_container_name(files, i);
        mst_container_bytes bytes;
        if (mst_container_size(files, i) > 1 << 20)
            continue; /* large files add no further cases */
        MUST(mst_container_read(files, i, &bytes, &why), &why);
        opened all = {.resolver = mst_container_resolver(files)};
        mst_open_options how = {.size = sizeof how, .name = name, .sidecars = &all.resolver};
        mst_scene_options as = {.size = sizeof as, .sidecars = &all.resolver};
        mst_scene *scene = NULL;
        if (mst_open_memory(bytes.data, bytes.size, &how, &all.level, NULL) == MST_OK &&
            mst_scene_from_document(all.level, &as, &scene, NULL) == MST_OK)
            sources_lead_to_values(&all, scene, nodes, triangles);
        mst_scene_free(scene);
        mst_close(all.level);
        mst_close(all.sidecar);
        mst_container_release(files, &bytes);
    }
    mst_container_close(files);
}

static void sources_of_corpus(void **state) {
    static const char *const folders[] = {"ns2", "alien", "turok", "revenant/v15", "revenant/v0", "sfa/mini"};
    const char *corpus = getenv("MAPSTONE_CORPUS");
    (void)state;
    if (!corpus)
        skip();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[500];
        struct stat about;
        size_t nodes = 0, triangles = 0;
        snprintf(path, sizeof path, "%s/%s", corpus, folders[i]);
        if (stat(path, &about) != 0)
            continue;
        check_directory(path, &nodes, &triangles);
        print_message("# %s: %zu nodes, %zu triangles\n", folders[i], nodes, triangles);
        assert_true(nodes > 0 && triangles > 0);
    }
}

static void paths_are_cut(void **state) {
    const mst_scene_source element = {"", "objects", 12}, root = {"", "", MST_NO_INDEX}, none = {0};
    char text[8];
    (void)state;
    assert_int_equal(mst_scene_source_path(&element, text, sizeof text), 11);
    assert_string_equal(text, "objects");
    assert_int_equal(mst_scene_source_path(&element, text, 4), 11);
    assert_string_equal(text, "obj");
    assert_int_equal(mst_scene_source_path(&element, NULL, 0), 11);
    assert_int_equal(mst_scene_source_path(&root, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(mst_scene_source_path(&none, text, sizeof text), 0);
    assert_int_equal(mst_scene_source_path(NULL, NULL, 0), 0);
}

int test_scene_sources(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_are_cut), cmocka_unit_test(sources_of_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
