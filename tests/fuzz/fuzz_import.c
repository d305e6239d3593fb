/* SPDX-License-Identifier: MIT */
/* The input is a model (a GLB, or the JSON of one), or a list of changes to the model of a level: places in
 * it and new bytes. The level is always the same one. */
#include "property.h"
#include <mapstone/export.h>
#include <mapstone/import.h>
#include <stdio.h>
#include <unistd.h>

const char fuzz_promise[] =
    "a model is read and compared with its level, or refused; what it changes can be tried";

static mst_level *level;
static mst_buffer exported;

static mst_status count_warning(void *user, const mst_diagnostic *what) {
    HOLDS(what->message[0]);
    ++*(uint64_t *)user;
    return MST_OK;
}

static void make_level(void) {
    char path[] = "/tmp/mapstone-fuzz-XXXXXX";
    mst_document *made = NULL;
    mst_buffer bytes = {0};
    mst_scene *scene = NULL;
    mst_diagnostic why;
    const mst_new_options what = {.size = sizeof what, .template_name = "room"};
    const mst_scene_options contents = {.size = sizeof contents, .no_textures = 1};
    const mst_editing_options editing = {.size = sizeof editing, .scene = &contents};
    const mst_gltf_options how = {.size = sizeof how, .for_editing = 1};
    const int file = mkstemp(path);
    HOLDS(file >= 0);
    MUST(mst_new("ns2-level", &what, &made, &why), &why);
    MUST(mst_save(made, mst_buffer_sink(&bytes), &why), &why);
    HOLDS(write(file, bytes.data, bytes.size) == (ssize_t)bytes.size);
    close(file);
    MUST(mst_level_open(path, NULL, &level, &why), &why);
    unlink(path);
    MUST(mst_editing_scene(level, &editing, &scene, &why), &why);
    MUST(mst_scene_write_glb(scene, &how, mst_buffer_sink(&exported), &why), &why);
    mst_scene_free(scene);
    mst_buffer_free(&bytes);
    mst_close(made);
}

/* The level's model with the changes of the input: two bytes for a place (the last third of the model has the
 * numbers), one for the number of new bytes, and these bytes. Its JSON may be changed as well. */
static uint8_t *changed(fuzz_input *in, size_t *size) {
    uint8_t *model = malloc(exported.size);
    memcpy(model, exported.data, exported.size);
    *size = exported.size;
    for (size_t at = 0; at + 3 < in->size;) {
        const size_t place = ((size_t)in->bytes[at] | (size_t)in->bytes[at + 1] << 8) * 4 % *size;
        size_t count = 1 + in->bytes[at + 2] % 16;
        at += 3;
        for (size_t i = 0; i < count && at < in->size && place + i < *size; i++)
            model[place + i] = in->bytes[at++];
    }
    const uint32_t length = (uint32_t)model[12] | (uint32_t)model[13] << 8 | (uint32_t)model[14] << 16;
    if (fuzz_below(&in->random, 4) == 0 && length < *size - 20) { /* the length is kept: filled with spaces */
        const size_t made = fuzz_change_json(model + 20, length, length, &in->random);
        if (made && made < length)
            memset(model + 20 + made, ' ', length - made);
    }
    return model;
}

static void is_tried(const char *script) {
    mst_transaction *transaction = NULL;
    mst_operations *operations = NULL;
    mst_diagnostic why;
    size_t count;
    MUST(mst_operations_read(&operations, script, strlen(script), true, NULL, &why), &why);
    const mst_operation *all = mst_operations_all(operations, &count);
    MUST(mst_edit_begin(mst_level_document(level, 0), NULL, &transaction, &why), &why);
    mst_status status = MST_OK;
    for (size_t i = 0; i < count && i < 64 && status == MST_OK; i++)
        status = mst_edit_apply(transaction, &all[i], &why);
    mst_edit_document(transaction);
    mst_edit_abort(transaction);
    mst_operations_free(operations);
}

static void is_imported(const uint8_t *model, size_t size, fuzz_input *in) {
    fuzz_memory memory = {0};
    uint64_t warnings = 0;
    const mst_resolver resolver = fuzz_resolver(in);
    const mst_import_options how = {.size = sizeof how,
                                    .allocator = fuzz_allocator(&memory),
                                    .beside = &resolver,
                                    .other_base = fuzz_below(&in->random, 4) != 0,
                                    .report = count_warning,
                                    .user = &warnings};
    mst_imported *found = NULL;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    if (fuzz_below(&in->random, 32) == 0)
        memory.fail_at = 1 + fuzz_below(&in->random, 400);
    const mst_status status = mst_import(level, model, size, &how, &found, &why);
    if (status != MST_OK) {
        fuzz_is_told(&why, status);
        HOLDS(!found);
    } else if (*mst_imported_script(found, 0) && fuzz_below(&in->random, 8) == 0) {
        is_tried(mst_imported_script(found, 0));
    }
    mst_imported_free(found);
    HOLDS(memory.bytes == 0);
    HOLDS(memory.max <= 64 * (size + exported.size) + ((size_t)16 << 20));
}

void fuzz_property(fuzz_input *in) {
    if (!level)
        make_level();
    const bool whole = in->size > 4 && (memcmp(in->bytes, "glTF", 4) == 0 || in->bytes[0] == '{');
    if (whole) {
        is_imported(in->bytes, in->size, in);
        return;
    }
    size_t size;
    uint8_t *model = changed(in, &size);
    is_imported(model, size, in);
    free(model);
}
