/* SPDX-License-Identifier: MIT */
#include "../core/diagnose.h"
#include <mapstone/picture.h>

#define PNG_SIZE_MOST 0x7FFFFFFFu /* of the format */

#if MST_WITH_PNG
#include <spng.h>

typedef struct png_target {
    mst_sink sink;
    mst_status status;
} png_target;

static int take(spng_ctx *context, void *user, void *data, size_t size) {
    png_target *target = user;
    (void)context;
    if (size == 0)
        return 0;
    target->status = target->sink.write(target->sink.user, data, size);
    return target->status == MST_OK ? 0 : SPNG_IO_ERROR;
}
#endif

mst_status mst_png_write(uint32_t width, uint32_t height, const uint8_t *pixels, mst_sink sink,
                         mst_diagnostic *diagnostic) {
    if (width == 0 || height == 0 || width > PNG_SIZE_MOST || height > PNG_SIZE_MOST || !pixels ||
        !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a PNG needs pixels and a place to go to");
    if (width > SIZE_MAX / 4 / height)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture of %lu by %lu pixels is too large",
                        (unsigned long)width, (unsigned long)height);
#if MST_WITH_PNG
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!context)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for a PNG");
    png_target target = {sink, MST_OK};
    struct spng_ihdr header = {
        .width = width, .height = height, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    int error = spng_set_png_stream(context, take, &target);
    if (!error)
        error = spng_set_ihdr(context, &header);
    if (!error)
        error = spng_encode_image(context, pixels, (size_t)width * height * 4, SPNG_FMT_PNG,
                                  SPNG_ENCODE_FINALIZE);
    spng_ctx_free(context);
    if (target.status != MST_OK)
        return mst_fail(diagnostic, target.status, "the PNG could not be written");
    if (error)
        return mst_fail(diagnostic, error == SPNG_EMEM ? MST_NO_MEMORY : MST_IO,
                        "the PNG could not be made: %s", spng_strerror(error));
    return MST_OK;
#else
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build writes no PNG");
#endif
}
