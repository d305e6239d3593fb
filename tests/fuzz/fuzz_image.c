/* SPDX-License-Identifier: MIT */
#include "property.h"

const char fuzz_promise[] =
    "pictures that are put back as they were change nothing, others are taken or refused; "
    "a PNG is read or refused";

static void has_pictures(mst_document *document, fuzz_input *in) {
    size_t count = mst_image_count(document);
    for (size_t i = 0; i < count && i < 3; i++) {
        mst_pixels pixels = {0};
        mst_diagnostic why;
        char name[MST_IMAGE_NAME];
        if (mst_image_read(document, i, 0, NULL, &pixels, name, &why) == MST_OK) {
            HOLDS(memchr(name, 0, sizeof name));
            fuzz_files before = fuzz_files_of(document);
            MUST(mst_image_replace(document, i, NULL, &pixels, &why), &why);
            HOLDS(fuzz_same_files(document, &before));
            fuzz_files_free(&before);
            size_t pixel_bytes =
                (size_t)pixels.width * pixels.height * (pixels.format == MST_PIXELS_INDEXED8 ? 1 : 4);
            for (int k = 0; k < 8 && pixel_bytes; k++)
                pixels.data[fuzz_below(&in->random, pixel_bytes)] = (uint8_t)fuzz_next(&in->random);
            if (mst_image_replace(document, i, NULL, &pixels, &why) == MST_OK)
                fuzz_is_understood(document);
        }
        mst_pixels_free(&pixels);
    }
}

static void is_png_or_not(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_pixels pixels = {.allocator = fuzz_allocator(&memory)}, again = {0};
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    mst_status status = mst_pixels_read_png(in->bytes, in->size, &pixels, &why);
    if (status != MST_OK) {
        fuzz_is_told(&why, status);
        HOLDS(status == MST_DAMAGED || status == MST_REFUSED || status == MST_NO_MEMORY);
    } else {
        mst_buffer png = {0};
        size_t size = (size_t)pixels.width * pixels.height * (pixels.format == MST_PIXELS_INDEXED8 ? 1 : 4);
        MUST(mst_pixels_write_png(&pixels, mst_buffer_sink(&png), &why), &why);
        MUST(mst_pixels_read_png(png.data, png.size, &again, &why), &why);
        HOLDS(again.width == pixels.width && again.height == pixels.height && again.format == pixels.format &&
              memcmp(again.data, pixels.data, size) == 0);
        mst_buffer_free(&png);
        mst_pixels_free(&again);
    }
    mst_pixels_free(&pixels);
    HOLDS(memory.bytes == 0);
    HOLDS(memory.max <= 1024 * in->size + (2u << 20));
}

void fuzz_property(fuzz_input *in) {
    if (in->size > 4 && memcmp(in->bytes, "\x89PNG", 4) == 0) {
        is_png_or_not(in);
        return;
    }
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    if (document)
        has_pictures(document, in);
    fuzz_close(document, in, &memory, 64);
}
