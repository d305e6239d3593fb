/* SPDX-License-Identifier: MIT */
#include "packed.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include <string.h>

void mst_scene_image_unpack(const mst_image *image, uint8_t *rgba) {
    if (image->packed)
        image->packed->unpack(image->packed, 0, image->pixels.height, rgba);
    else
        memcpy(rgba, image->pixels.data, mst_pixels_size(&image->pixels));
}

mst_status mst_scene_image_read(const mst_scene *scene, size_t index, mst_pixels *pixels,
                                mst_diagnostic *diagnostic) {
    if (!scene || !pixels)
        return mst_fail(diagnostic, MST_ARGUMENT, "a scene and a place for the pixels are needed");
    *pixels = (mst_pixels){.allocator = pixels->allocator};
    if (index >= scene->image_count)
        return mst_fail(diagnostic, MST_NO_PATH, "the scene has no image %zu", index);
    const mst_image *image = &scene->images[index];
    if (!image->packed && !image->pixels.data)
        return mst_fail(diagnostic, MST_NO_PATH, "image %zu has no pixels", index);
    if (!mst_pixels_take(pixels, image->pixels.width, image->pixels.height, 0))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
    mst_scene_image_unpack(image, pixels->data);
    return MST_OK;
}
