/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "game_view.h"
#include "../../src/read/opened.h"
#include "../commands/commands.h"
#include "../inputs/threads.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 8 /* limit of files named in messages */

/* Reads a number and the character after it, and advances; false if they are missing. */
static bool read_number(const char **at, char after, long long *number) {
    char *end;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    bool good = end != *at && !errno && *end == after && (isdigit((unsigned char)**at) || **at == '-');
    *at = end + (*end != 0);
    return good;
}

/* "-421,9742,640x480" */
static bool read_area(const options *given, mst_sprites_view *how) {
    const char *text = given->value[OPTION_AREA], *at = text;
    long long left, top, width, height;
    if (!text)
        return true;
    if (!read_number(&at, ',', &left) || !read_number(&at, ',', &top) || !read_number(&at, 'x', &width) ||
        !read_number(&at, 0, &height)) {
        options_usage(given, "--area: '%s' is not LEFT,TOP,WIDTHxHEIGHT", text);
        return false;
    }
    if (llabs(left) > INT32_MAX / 2 || llabs(top) > INT32_MAX / 2 || width < 1 || height < 1 ||
        width > UINT16_MAX || height > UINT16_MAX) {
        options_usage(given, "--area: %s is empty, larger than 65535 pixels or far away", text);
        return false;
    }
    how->left = (int32_t)left;
    how->top = (int32_t)top;
    how->width = (uint32_t)width;
    how->height = (uint32_t)height;
    return true;
}

bool game_options(const options *given, game_view *view) {
    double ambient = 0;
    view->how.size = sizeof view->how;
    view->tiles = given->value[OPTION_TILES];
    view->no_models = options_has(given, OPTION_NO_MODELS);
    if (!read_area(given, &view->how) || !options_number(given, OPTION_AMBIENT, 1, 31, &ambient))
        return false;
    view->how.ambient = (int)ambient;
    view->threads = threads_wanted(given, 0, SIZE_MAX);
    return view->threads != 0;
}

/* ---- messages ------------------------------------------------------------------------------------ */

static mst_status count_file(void *user, const mst_diagnostic *finding) {
    size_t *count = user;
    if (!finding->code[0] || ++*count <= NAMED_MAX)
        say(MST_INFORMATION, "%s: %s", finding->path, finding->message);
    return MST_OK;
}

static void say_what_lacks(const mst_sprites *sprites, size_t files, const char *file) {
    if (files > NAMED_MAX)
        say(MST_INFORMATION, "... and %zu more files", files - NAMED_MAX);
    const size_t missing = sprites->missing_count, untyped = sprites->untyped_count;
    char reason[96] = "";
    if (untyped && untyped == missing)
        snprintf(reason, sizeof reason, ": class.def lacks %s", untyped == 1 ? "its type" : "their types");
    else if (untyped)
        snprintf(reason, sizeof reason, ": class.def lacks the type%s of %zu of them",
                 untyped == 1 ? "" : "s", untyped);
    if (missing)
        say(MST_WARNING, "%s: %zu object%s ha%s no picture%s", file, missing, missing == 1 ? "" : "s",
            missing == 1 ? "s" : "ve", reason);
    if (sprites->model_count)
        say(MST_INFORMATION, "%s: %zu object%s a model or an effect that is not drawn", file,
            sprites->model_count, sprites->model_count == 1 ? " is" : "s are");
}

/* ---- drawing ------------------------------------------------------------------------------------- */

/* Coordinates count from the world's origin, so it is easy to give an area outside the level. */
static void say_if_outside(const mst_sprites *sprites, const mst_sprites_view *how, const char *file) {
    int64_t right = sprites->left + (int64_t)sprites->width, bottom = sprites->top + (int64_t)sprites->height;
    if (how->width && (how->left >= right || how->left + (int64_t)how->width <= sprites->left ||
                       how->top >= bottom || how->top + (int64_t)how->height <= sprites->top))
        say(MST_WARNING, "%s: the area shows nothing: the level is at %ld,%ld,%lux%lu", file,
            (long)sprites->left, (long)sprites->top, (unsigned long)sprites->width,
            (unsigned long)sprites->height);
}

/* The mean of the pixels that a pixel of the smaller picture covers, weighted by alpha. */
static void mean_of(const mst_pixels *from, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom,
                    uint8_t *pixel) {
    uint64_t sums[3] = {0, 0, 0}, alpha = 0, count = (uint64_t)(right - left) * (bottom - top);
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++) {
            const uint8_t *one = from->data + 4 * ((size_t)y * from->width + x);
            for (int c = 0; c < 3; c++)
                sums[c] += (uint64_t)one[c] * one[3];
            alpha += one[3];
        }
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)(alpha ? (sums[c] + alpha / 2) / alpha : 0);
    pixel[3] = (uint8_t)((alpha + count / 2) / count);
}

/* Scales the picture to the size of --size at most, and keeps its proportions. Enlarging repeats pixels. */
static void scale(mst_pixels *picture, const game_view *view) {
    const uint64_t width = picture->width, height = picture->height;
    uint64_t across = view->width, down = (height * across + width / 2) / width;
    if (view->height && down > view->height) {
        down = view->height;
        across = (width * down + height / 2) / height;
    }
    across = across ? across : 1;
    down = down ? down : 1;
    uint8_t *data = need(malloc((size_t)(across * down * 4)));
    for (uint64_t y = 0; y < down; y++)
        for (uint64_t x = 0; x < across; x++) {
            const uint64_t left = x * width / across, top = y * height / down;
            const uint64_t right = (x + 1) * width / across, bottom = (y + 1) * height / down;
            mean_of(picture, (uint32_t)left, (uint32_t)top, (uint32_t)(right > left ? right : left + 1),
                    (uint32_t)(bottom > top ? bottom : top + 1), data + 4 * (y * across + x));
        }
    *picture = (mst_pixels){.width = (uint32_t)across, .height = (uint32_t)down, .data = data};
}

static int draw_picture(const mst_sprites *sprites, const game_view *view, const char *file,
                        const char *path) {
    mst_pixels picture = {0};
    mst_diagnostic why;
    target out;
    mst_status status = mst_sprites_draw(sprites, &view->how, &picture, &why);
    if (status != MST_OK && status != MST_REFUSED)
        return say_diagnosis(file, &why);
    if (status == MST_REFUSED) {
        say(MST_ERROR, "%s: %s: use --area for a part of it, or --tiles", file, why.message);
        return exit_code(status);
    }
    say_if_outside(sprites, &view->how, file);
    mst_pixels scaled = picture;
    if (view->width)
        scale(&scaled, view);
    int code = target_begin(&out, path) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES) {
        status = mst_pixels_write_png(&scaled, target_sink(&out), &why);
        code = target_settle(&out, status, file, &why);
    }
    if (view->width)
        free(scaled.data);
    mst_pixels_free(&picture);
    return code;
}

int game_draw(const game_view *view, const mst_document *const *documents, size_t count,
              const mst_resolver *sidecars, const char *file, const char *path, mst_diagnostic *why) {
    size_t files = 0;
    mst_sprites *sprites;
    const mst_sprites_options how = {.size = sizeof how,
                                     .sidecars = sidecars,
                                     .no_models = view->no_models,
                                     .report = count_file,
                                     .user = &files};
    mst_status status = mst_sprites_from_documents(documents, count, &how, &sprites, why);
    if (status != MST_OK)
        return status == MST_UNSUPPORTED ? -1 : say_diagnosis(file, why);
    say_what_lacks(sprites, files, file);
    int code = EXIT_YES;
    if (!sprites->count) {
        say(MST_ERROR, "%s: none of its objects has a picture: name the game's directory with --search-path",
            file);
        code = EXIT_TROUBLE;
    } else {
        code = view->tiles ? tiles_write(sprites, view, file) : draw_picture(sprites, view, file, path);
    }
    mst_sprites_free(sprites);
    return code;
}
