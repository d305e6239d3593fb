/* SPDX-License-Identifier: MIT */
#include "../../src/core/memo.h"
#include "../../src/write/rebuild.h"
#include "property.h"

const char fuzz_promise[] = "when memory runs out, what was asked for fails, everything comes back, and the "
                            "document is as it was";

/* One of the operations, some of which need memory after a refusal as well. */
static mst_status operate(const mst_document *document, fuzz_input *in, mst_allocator allocator,
                          uint32_t what, mst_diagnostic *why) {
    mst_buffer bytes = {.allocator = allocator};
    mst_pixels pixels = {.allocator = allocator};
    mst_resolver resolver = fuzz_resolver(in);
    mst_scene_options making = {.size = sizeof making, .allocator = allocator, .sidecars = &resolver};
    mst_check_options checking = {.size = sizeof checking, .sidecars = &resolver};
    mst_convert_options to = {
        .size = sizeof to, .byte_order = fuzz_below(&in->random, 2) ? "big" : "little", .allow_loss = 1};
    mst_pixels picture = {.allocator = allocator};
    mst_picture_options small = {.size = sizeof small, .width = 64, .height = 48};
    mst_value root = mst_root(document);
    mst_sink sink = mst_buffer_sink(&bytes);
    mst_document *other;
    mst_scene *scene;
    uint64_t findings = 0;
    mst_status status;
    switch (what) {
    case 0: status = mst_write_json(&root, NULL, sink, why); break;
    case 1: status = mst_encode(document, sink, why); break;
    case 2: status = mst_check(document, &checking, fuzz_count_findings, &findings, NULL, why); break;
    case 3:
        status = mst_convert(document, &to, NULL, NULL, &other, why);
        if (status == MST_OK)
            mst_close(other);
        break;
    case 4:
        status =
            mst_image_count(document) ? mst_image_read(document, 0, 0, NULL, &pixels, NULL, why) : MST_OK;
        break;
    case 5:
        status = mst_rebuild(document, &other, why);
        if (status == MST_OK)
            mst_close(other);
        break;
    default:
        status = mst_scene_from_document(document, &making, &scene, why);
        if (status == MST_OK) {
            status = mst_scene_write_glb(scene, NULL, sink, why);
            if (status == MST_OK)
                status = mst_scene_draw(scene, &small, &picture, why);
            mst_pixels_free(&picture);
            mst_scene_free(scene);
        }
    }
    mst_buffer_free(&bytes);
    mst_pixels_free(&pixels);
    mst_memo_clear(&in->memo);
    return status;
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    if (document) {
        size_t more = memory.bytes - mst_document_memory(document);
        fuzz_files files = fuzz_files_of(document);
        for (int i = 0; i < 3; i++) {
            mst_diagnostic why;
            memset(&why, 0x7F, sizeof why);
            memory.fail_at =
                memory.calls + 1 + fuzz_below(&in->random, (size_t)1 << fuzz_below(&in->random, 8));
            mst_status status =
                operate(document, in, fuzz_allocator(&memory), fuzz_below(&in->random, 7), &why);
            memory.fail_at = 0;
            if (status != MST_OK)
                fuzz_is_told(&why, status);
            HOLDS(memory.bytes - mst_document_memory(document) == more); /* it may cache places now */
        }
        HOLDS(fuzz_same_files(document, &files));
        fuzz_files_free(&files);
    }
    fuzz_close(document, in, &memory, 128);
}
