/* SPDX-License-Identifier: MIT */
#include "../../src/core/arena.h"
#include "../../src/core/json.h"
#include "../../src/core/memo.h"
#include "../../src/read/opened.h"
#include "property.h"
#include "scenes.h"

const char fuzz_promise[] =
    "a scene's indices are in range; it becomes a GLB that is well-formed, and a picture";

static uint32_t load_little(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void is_glb(const mst_buffer *glb) {
    HOLDS(glb->size >= 20 && glb->size % 4 == 0 && memcmp(glb->data, "glTF\2\0\0\0", 8) == 0);
    HOLDS(load_little(glb->data + 8) == glb->size);
    uint32_t length = load_little(glb->data + 12);
    HOLDS(length <= glb->size - 20 && memcmp(glb->data + 16, "JSON", 4) == 0);
    HOLDS(length == glb->size - 20 || load_little(glb->data + 20 + length) == glb->size - 28 - length);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    fuzz_memory memory = {0};
    mst_allocator allocator = fuzz_allocator(&memory);
    mst_arena_begin(&arena, &allocator, 0);
    MUST(mst_json_parse((const char *)glb->data + 20, length, &arena, &json, &why), &why);
    mst_arena_end(&arena);
}

static void has_a_scene(const mst_document *document, fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_resolver resolver = fuzz_resolver(in);
    mst_scene_options options = {.size = sizeof options,
                                 .allocator = fuzz_allocator(&memory),
                                 .sidecars = fuzz_below(&in->random, 8) ? &resolver : NULL,
                                 .split_layers = fuzz_below(&in->random, 4) == 0,
                                 .no_markers = fuzz_below(&in->random, 4) == 0};
    if (fuzz_below(&in->random, 16) == 0)
        memory.fail_at = 1 + fuzz_below(&in->random, 60);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_status status;
    if (fuzz_below(&in->random, 8) == 0) {
        const mst_document *two[] = {document, document};
        status = mst_scene_from_documents(two, 2, &options, &scene, &why);
    } else {
        status = mst_scene_from_document(document, &options, &scene, &why);
    }
    if (status == MST_OK) {
        fuzz_is_a_scene(scene);
        mst_buffer glb = {0};
        mst_gltf_options few = {.size = sizeof few, .no_extras = fuzz_below(&in->random, 4) == 0};
        MUST(mst_scene_write_glb(scene, &few, mst_buffer_sink(&glb), &why), &why);
        is_glb(&glb);
        mst_buffer_free(&glb);
        size_t written = 0;
        mst_sink nowhere = {fuzz_count_output, &written};
        if (fuzz_below(&in->random, 4) == 0)
            MUST(mst_scene_write_gltf(scene, &few, NULL, nowhere, nowhere, &why), &why);
        const mst_export_options text = {.size = sizeof text,
                                         .format = (mst_scene_format)fuzz_below(&in->random, 2),
                                         .model = &few,
                                         .materials = "a.mtl",
                                         .materials_to = nowhere,
                                         .own_units = fuzz_below(&in->random, 2) == 0};
        MUST(mst_scene_export(scene, &text, nowhere, &why), &why);
        /* one of the views: they take most of the time */
        mst_view view = (mst_view)(MST_VIEW_ABOVE + fuzz_below(&in->random, 3));
        bool large = fuzz_below(&in->random, 8) == 0; /* with room for the whole output */
        uint32_t bits = fuzz_next(&in->random);
        mst_picture_options small = {
            .size = sizeof small, .view = view, .width = large ? 480 : 128, .height = large ? 360 : 96};
        if (large) {
            small.tags = bits & 1;
            small.heights = bits >> 1 & 1;
            small.no_links = bits >> 2 & 1;
            small.no_grid = bits >> 3 & 1;
            small.yaw = bits & 16 ? (float)(bits >> 5 & 7) : 0;
        }
        mst_pixels picture = {0};
        MUST(mst_scene_draw(scene, &small, &picture, &why), &why);
        HOLDS(picture.width == small.width && picture.height == small.height);
        mst_pixels_free(&picture);
    }
    mst_scene_free(scene);
    mst_memo_clear(&in->memo);
    HOLDS(memory.bytes == 0);
    /* twice the limit of a scene: room for temporary memory as well */
    size_t size;
    mst_document_bytes(document, &size);
    HOLDS(memory.max <= 128 * (2 * size + in->whole) + (2u << 20));
}

void fuzz_property(fuzz_input *in) {
    mst_document *document = fuzz_open(in, NULL);
    if (document)
        has_a_scene(document, in);
    mst_close(document);
}
