/* SPDX-License-Identifier: MIT */
/*
 * Runs one operation on one level, for counting its instructions: bench_instructions OPERATION FILE. The
 * operation's input is prepared first; bench/instructions.sh makes callgrind count inside measured() only.
 */
#include "../src/write/rebuild.h"
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <string.h>

typedef struct work {
    const char *path;
    mst_document *document;
    mst_buffer json;
} work;

static mst_status discard(void *user, const void *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return MST_OK;
}

static mst_status run_open(work *w) {
    mst_document *document;
    mst_status status = mst_open_file(w->path, NULL, &document, NULL);
    if (status == MST_OK)
        mst_close(document);
    return status;
}

static mst_status run_check(work *w) {
    return mst_check(w->document, NULL, NULL, NULL, NULL, NULL);
}

static mst_status run_ledger(work *w) {
    mst_ledger ledger;
    return mst_byte_coverage(w->document, &ledger, NULL);
}

static mst_status run_encode(work *w) {
    size_t size = 0;
    return mst_encode(w->document, (mst_sink){discard, &size}, NULL);
}

static mst_status run_json_out(work *w) {
    size_t size = 0;
    mst_value root = mst_root(w->document);
    return mst_write_json(&root, NULL, (mst_sink){discard, &size}, NULL);
}

static mst_status run_json_in(work *w) {
    mst_document *document;
    mst_status status = mst_open_json((const char *)w->json.data, w->json.size, NULL, &document, NULL);
    if (status == MST_OK)
        mst_close(document);
    return status;
}

/* Visits every value with iterators. */
static size_t count_values(mst_value value) {
    size_t count = 1;
    mst_iterator iterator = mst_iterate(&value);
    mst_value element;
    while (mst_next(&iterator, &element))
        count += count_values(element);
    return count;
}

static mst_status run_values(work *w) {
    return count_values(mst_root(w->document)) > 1 ? MST_OK : MST_UNKNOWN;
}

static mst_status run_set(work *w) {
    mst_status status = mst_set(w->document, "objects[0].class_name", "renamed_entity", NULL);
    return status == MST_NO_PATH ? mst_set(w->document, "objects[0].id", "4711", NULL) : status;
}

static mst_status run_scene(work *w) {
    size_t size = 0;
    mst_scene *scene;
    mst_status status = mst_scene_from_document(w->document, NULL, &scene, NULL);
    if (status != MST_OK)
        return status;
    status = mst_scene_write_glb(scene, NULL, (mst_sink){discard, &size}, NULL);
    mst_scene_free(scene);
    return status;
}

static mst_status run_picture(work *w, mst_view view) {
    const mst_picture_options options = {.size = sizeof options, .view = view, .width = 400};
    size_t size = 0;
    mst_scene *scene;
    mst_status status = mst_scene_from_document(w->document, NULL, &scene, NULL);
    if (status != MST_OK)
        return status;
    status = mst_scene_write_png(scene, &options, (mst_sink){discard, &size}, NULL);
    mst_scene_free(scene);
    return status;
}

static mst_status run_map(work *w) {
    return run_picture(w, MST_VIEW_ABOVE);
}

static mst_status run_oblique(work *w) {
    return run_picture(w, MST_VIEW_OBLIQUE);
}

static const struct operation {
    const char *name;
    mst_status (*run)(work *);
} operations[] = {
    {"open", run_open},         {"check", run_check},     {"ledger", run_ledger},   {"encode", run_encode},
    {"json-out", run_json_out}, {"json-in", run_json_in}, {"values", run_values},   {"set", run_set},
    {"scene", run_scene},       {"map", run_map},         {"oblique", run_oblique},
};

/* Not inlined: callgrind begins and ends counting at this function. */
__attribute__((noinline)) mst_status measured(const struct operation *operation, work *w);
__attribute__((noinline)) mst_status measured(const struct operation *operation, work *w) {
    return operation->run(w);
}

int main(int count, char **arguments) {
    const struct operation *operation = NULL;
    for (size_t i = 0; count == 3 && i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, arguments[1]) == 0)
            operation = &operations[i];
    if (!operation) {
        fprintf(stderr, "usage: bench_instructions OPERATION FILE\n");
        return 2;
    }
    mst_diagnostic why;
    work w = {.path = arguments[2]};
    if (mst_open_file(w.path, NULL, &w.document, &why) != MST_OK) {
        fprintf(stderr, "%s: %s\n", w.path, why.message);
        return 1;
    }
    mst_value root = mst_root(w.document);
    if (operation->run == run_json_in)
        mst_write_json(&root, NULL, mst_buffer_sink(&w.json), NULL);
    mst_status status = measured(operation, &w);
    mst_buffer_free(&w.json);
    mst_close(w.document);
    if (status != MST_OK)
        fprintf(stderr, "%s of %s failed\n", operation->name, w.path);
    return status != MST_OK;
}
