/* SPDX-License-Identifier: MIT */
/* Frames of sprites as images: their sizes, their pixels, and new pixels for them. */
#include "../../../core/diagnose.h"
#include "../../../core/output.h"
#include "../../../core/pixels.h"
#include "../../present.h"
#include "alien_sprites.h"
#include "indexed.h"
#include <mapstone/edit.h>
#include <stdio.h>

#define COLORS 256u

/* ---- sizes --------------------------------------------------------------------------------------- */

/* The number of pixels that resemble the pixel above, and the number that could. */
static void resemblance(const uint8_t *pixels, size_t count, size_t width, uint64_t *like, uint64_t *all) {
    *like = *all = 0;
    for (size_t i = width; i < count; i++) {
        int below = pixels[i], above = pixels[i - width],
            apart = below < above ? above - below : below - above;
        if (!below && !above)
            continue;
        ++*all;
        *like += apart == 0 || (below && above && apart <= 2);
    }
}

bool mst_alien_sprite_guess(const uint8_t *pixels, size_t count, mst_alien_frame *shape) {
    uint64_t best_like = 0, best_all = 0;
    *shape = (mst_alien_frame){0};
    for (size_t width = 16; width <= MST_ALIEN_SPRITE_SIDE; width += 4) {
        size_t height = count / width;
        if (height * width != count || height % 4 || height < 16 || height > MST_ALIEN_SPRITE_SIDE)
            continue;
        uint64_t like, all;
        resemblance(pixels, count, width, &like, &all);
        if (shape->width && like * (best_all ? best_all : 1) <= best_like * (all ? all : 1))
            continue;
        best_like = like;
        best_all = all;
        *shape = (mst_alien_frame){.width = (uint16_t)width, .height = (uint16_t)height};
    }
    return shape->width != 0;
}

void mst_alien_sprite_unpack(const mst_alien_sprite *sprite, uint8_t *pixels) {
    if (!sprite->packed)
        memcpy(pixels, sprite->bytes, sprite->pixels);
    else if (!mst_frame_lz_unpack(sprite->bytes, sprite->size, pixels, sprite->pixels))
        memset(pixels, 0, sprite->pixels); /* the file has changed meanwhile */
}

/* ---- the list ------------------------------------------------------------------------------------ */

#define UNPACKED_MAX 64u /* frames that are not packed, in an animation that is known */

/* The frames listed so far. */
typedef struct lister {
    mst_arena *arena;
    const char *name; /* of the file */
    mst_alien_sprite *sprites;
    size_t count;
    size_t *lengths; /* pixels of a section's packed frames */
} lister;

static const uint8_t *bytes_of(const mst_value *value, size_t *size) {
    const void *bytes = "";
    *size = 0;
    mst_get_bytes(value, &bytes, size);
    return bytes;
}

static size_t length_of(const mst_value *value) {
    size_t size;
    bytes_of(value, &size);
    return size;
}

static mst_alien_sprite *add(lister *l, const mst_alien_sprite *like, const uint8_t *bytes, size_t size) {
    mst_alien_sprite *one = &l->sprites[l->count++];
    *one = *like;
    one->bytes = bytes;
    one->size = one->pixels = size;
    return one;
}

static mst_status guess_size(lister *l, mst_alien_sprite *one) {
    if (one->pixels > (size_t)MST_ALIEN_SPRITE_SIDE * MST_ALIEN_SPRITE_SIDE)
        return MST_OK;
    mst_arena scratch;
    mst_arena_begin(&scratch, &l->arena->allocator, 0);
    uint8_t *pixels = mst_arena_take(&scratch, one->pixels + 1, 1);
    if (pixels) {
        mst_alien_sprite_unpack(one, pixels);
        mst_alien_sprite_guess(pixels, one->pixels, &one->shape);
    }
    mst_arena_end(&scratch);
    return pixels ? MST_OK : MST_NO_MEMORY;
}

/* Sets the sizes of a section's frames, from number `first` of the list on, and splits the unpacked bytes
 * into frames. */
static mst_status find_shapes(lister *l, size_t first, const mst_alien_sprite *like, const uint8_t *rest,
                              size_t size) {
    size_t packed = l->count - first, known = 0;
    unsigned number = 0;
    const mst_alien_frame *shapes = mst_alien_find_frames(l->name, l->lengths, packed, size, &known, &number);
    mst_alien_sprite one = *like;
    one.packed = false;
    one.number = (unsigned)packed;
    for (size_t k = packed; shapes && size && k < known && k - packed < UNPACKED_MAX; k++, one.number++) {
        size_t pixels = (size_t)shapes[k].width * shapes[k].height;
        if (pixels > size) /* the file has changed meanwhile */
            break;
        add(l, &one, rest, pixels);
        rest += pixels;
        size -= pixels;
    }
    if (size)
        add(l, &one, rest, size);
    mst_status status = MST_OK;
    for (size_t i = first; i < l->count && status == MST_OK; i++) {
        l->sprites[i].animation = shapes ? (int)number : -1;
        if (shapes)
            l->sprites[i].shape = shapes[i - first];
        else
            status = guess_size(l, &l->sprites[i]);
    }
    return status;
}

static mst_status list_section(lister *l, const mst_value *section, mst_alien_sprite *like) {
    mst_value frames, frame, name = mst_member_in(section, "name");
    size_t first = l->count, size;
    if (mst_member(section, "frames", &frames) != MST_OK)
        return MST_OK;
    memcpy(like->name, mst_bytes_in(&name, 4), 4);
    like->packed = true;
    like->number = 0;
    for (mst_iterator it = mst_iterate(&frames); mst_next(&it, &frame); like->number++) {
        mst_value packed = mst_member_in(&frame, "packed");
        mst_frame_lz_sizes sizes = {0, 0};
        const uint8_t *bytes = bytes_of(&packed, &size);
        mst_frame_lz_measure(bytes, size, &sizes);
        add(l, like, bytes, size)->pixels = sizes.unpacked;
        l->lengths[l->count - 1 - first] = sizes.unpacked;
    }
    mst_value rest = mst_member_in(section, "unpacked");
    const uint8_t *bytes = bytes_of(&rest, &size);
    return find_shapes(l, first, like, bytes, size);
}

/* The maximum number of frames in the list, and in one section. */
static size_t count_frames(const mst_value *sections, size_t *most) {
    mst_value section, frames;
    size_t sum = 0;
    *most = 1;
    for (mst_iterator it = mst_iterate(sections); mst_next(&it, &section);) {
        size_t count = mst_member(&section, "frames", &frames) == MST_OK ? (size_t)mst_count(&frames) : 0;
        *most = count > *most ? count : *most;
        sum += count + UNPACKED_MAX + 1;
    }
    return sum;
}

mst_status mst_alien_sprites_list(const mst_document *document, mst_arena *arena, mst_alien_sprite **sprites,
                                  size_t *count) {
    mst_value root = mst_root(document), sections = mst_member_in(&root, "sections"), section;
    lister l = {.arena = arena, .name = document->name};
    mst_alien_sprite like = {0};
    size_t most, all = count_frames(&sections, &most);
    l.sprites = mst_arena_take(arena, all, sizeof *l.sprites);
    l.lengths = mst_arena_take(arena, most, sizeof *l.lengths);
    mst_status status = l.sprites && l.lengths ? MST_OK : MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&sections); status == MST_OK && mst_next(&it, &section);
         like.section++)
        status = list_section(&l, &section, &like);
    *sprites = l.sprites;
    *count = status == MST_OK ? l.count : 0;
    return status;
}

/* ---- images -------------------------------------------------------------------------------------- */

/* The frame that is image `index`, counting only frames of known size. `*again`: another section has the name
 * of the frame's section. MST_NO_PATH: there are only `*count` images. */
static mst_status find_image(const mst_document *document, size_t index, mst_arena *arena,
                             mst_alien_sprite *sprite, size_t *count, bool *again) {
    mst_alien_sprite *sprites = NULL;
    size_t all;
    mst_status status = mst_alien_sprites_list(document, arena, &sprites, &all);
    *count = 0;
    *again = false;
    if (status != MST_OK)
        return status;
    for (size_t i = 0; i < all; i++) {
        if (!sprites[i].shape.width || (*count)++ != index)
            continue;
        *sprite = sprites[i];
        for (size_t k = 0; k < i; k++)
            *again = *again || (sprites[k].section != sprites[i].section &&
                                memcmp(sprites[k].name, sprites[i].name, 4) == 0);
        return MST_OK;
    }
    return MST_NO_PATH;
}

size_t mst_alien_sprites_image_count(const mst_document *document) {
    mst_arena arena;
    mst_alien_sprite sprite;
    size_t count;
    bool again;
    mst_arena_begin(&arena, &document->allocator, 0);
    find_image(document, SIZE_MAX, &arena, &sprite, &count, &again);
    mst_arena_end(&arena);
    return count;
}

/* The colours of the file itself; shades of grey without them. */
static void take_palette(const mst_document *document, mst_pixels *pixels) {
    mst_value root = mst_root(document), sections = mst_member_in(&root, "sections"), section, list;
    uint16_t colors[COLORS] = {0};
    uint64_t count = 0;
    mst_target target = {.type = MST_U16, .components = 1, .capacity = COLORS};
    target.data = colors;
    for (mst_iterator it = mst_iterate(&sections); !count && mst_next(&it, &section);)
        if (mst_member(&section, "colors", &list) == MST_OK)
            mst_read(&list, &target, &count, NULL);
    for (unsigned i = 0; i < COLORS; i++) {
        unsigned color = i < count ? colors[i] : 0;
        for (unsigned c = 0; c < 3; c++)
            pixels->palette[i][c] = count ? mst_alien_eight_bits(color >> 5 * c & 31) : (uint8_t)i;
        pixels->palette[i][3] = i ? 255 : 0;
    }
}

mst_status mst_alien_sprites_image_read(const mst_document *document, size_t index, size_t level,
                                        mst_pixels *pixels, char *name, mst_diagnostic *diagnostic) {
    (void)level;
    mst_arena arena;
    mst_alien_sprite sprite = {0};
    size_t count;
    bool again;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = find_image(document, index, &arena, &sprite, &count, &again);
    if (status == MST_OK && !mst_pixels_take(pixels, sprite.shape.width, sprite.shape.height, COLORS))
        status = MST_NO_MEMORY;
    if (status == MST_OK) {
        mst_alien_sprite_unpack(&sprite, pixels->data);
        take_palette(document, pixels);
        int length = snprintf(name, MST_IMAGE_NAME, "%s_%02u", sprite.name, sprite.number);
        if (again && length > 0)
            snprintf(name + length, MST_IMAGE_NAME - (size_t)length, "_%llu",
                     (unsigned long long)sprite.section);
    }
    mst_arena_end(&arena);
    return status == MST_OK ? status : mst_fail(diagnostic, status, "not enough memory for a frame");
}

/* ---- replacing pixels ---------------------------------------------------------------------------- */

/* Keeps the frames after a packed one in place: zeros fill the space that it no longer needs. */
static mst_status keep_places(mst_document *document, const mst_alien_sprite *sprite, size_t size,
                              char unused[32], char path[96], mst_diagnostic *diagnostic) {
    char place[64];
    mst_value next, rest;
    size_t was = (sprite->size + 3) / 4 * 4, is = (size + 3) / 4 * 4;
    snprintf(place, sizeof place, "sections[%llu].frames[%u]", (unsigned long long)sprite->section,
             sprite->number + 1);
    *path = 0;
    if (is == was)
        return MST_OK;
    bool packed = mst_find(mst_root(document), place, &next, NULL) == MST_OK;
    snprintf(path, 96, "sections[%llu].unpacked", (unsigned long long)sprite->section);
    bool last = !packed && (mst_find(mst_root(document), path, &rest, NULL) != MST_OK || !length_of(&rest));
    *path = 0;
    uint64_t gap = packed ? mst_number_in(&next, "unused") : 0;
    if (last)
        return MST_OK;
    if (!packed || is > was + gap) {
        mst_fail(diagnostic, MST_REFUSED,
                 packed
                     ? "the frame has more bytes than fit into its place: the game would not find the "
                       "following frames"
                     : "the frame has another number of bytes: the game would not find the following frames");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%s%llu bytes", packed ? "at most " : "",
                    (unsigned long long)(was + gap));
            MST_SET(diagnostic->found, "%lu bytes", (unsigned long)size);
        }
        return MST_REFUSED;
    }
    snprintf(path, 96, "%s.unused", place);
    snprintf(unused, 32, "%llu", (unsigned long long)(was + gap - is));
    return MST_OK;
}

static mst_status store_packed(mst_document *document, const mst_alien_sprite *sprite, const uint8_t *indices,
                               mst_arena *arena, mst_diagnostic *diagnostic) {
    uint8_t *packed;
    char path[96], gap[96], unused[32];
    size_t size = mst_frame_lz_pack(indices, sprite->pixels, arena, &packed);
    char *text = size ? mst_alien_bytes_text(packed, size, arena) : NULL;
    if (!text)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a frame");
    mst_status status = keep_places(document, sprite, size, unused, gap, diagnostic);
    if (status != MST_OK)
        return status;
    snprintf(path, sizeof path, "sections[%llu].frames[%u].packed", (unsigned long long)sprite->section,
             sprite->number);
    const mst_operation both[2] = {{.kind = MST_OPERATION_SET, .path = path, .value = text},
                                   {.kind = MST_OPERATION_SET, .path = gap, .value = unused}};
    return mst_edit(document, both, *gap ? 2 : 1, NULL, diagnostic);
}

static mst_status store_unpacked(mst_document *document, const mst_alien_sprite *sprite,
                                 const uint8_t *indices, mst_arena *arena, mst_diagnostic *diagnostic) {
    char path[96];
    mst_value all;
    size_t size;
    snprintf(path, sizeof path, "sections[%llu].unpacked", (unsigned long long)sprite->section);
    mst_status status = mst_find(mst_root(document), path, &all, diagnostic);
    if (status != MST_OK)
        return status;
    const uint8_t *bytes = bytes_of(&all, &size);
    uint8_t *copy = mst_arena_take(arena, size, 1);
    if (!copy)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a frame");
    memcpy(copy, bytes, size);
    memcpy(copy + (sprite->bytes - bytes), indices, sprite->pixels);
    return mst_alien_set_bytes(document, path, copy, size, arena, diagnostic);
}

mst_status mst_alien_sprites_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                           mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_alien_sprite sprite = {0};
    mst_pixels now = {.allocator = document->allocator};
    char name[MST_IMAGE_NAME];
    uint8_t *indices = NULL;
    size_t count;
    bool again;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = find_image(document, index, &arena, &sprite, &count, &again);
    if (status == MST_OK)
        status = mst_alien_sprites_image_read(document, index, 0, &now, name, diagnostic);
    else
        mst_fail(diagnostic, status, "not enough memory for a frame");
    if (status == MST_OK)
        status = mst_alien_find_indices(pixels, &now, &arena, &indices, diagnostic);
    if (status == MST_OK && indices)
        status = sprite.packed ? store_packed(document, &sprite, indices, &arena, diagnostic)
                               : store_unpacked(document, &sprite, indices, &arena, diagnostic);
    mst_pixels_free(&now);
    mst_arena_end(&arena);
    return status;
}

/* ---- descriptions -------------------------------------------------------------------------------- */

mst_status mst_alien_sprites_describe(const mst_document *document, const char *what,
                                      const mst_resolver *sidecars, mst_sink sink,
                                      mst_diagnostic *diagnostic) {
    (void)sidecars;
    if (strcmp(what, "rectangles") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "sprites have no %s", what);
    mst_arena arena;
    mst_alien_sprite *sprites;
    size_t count;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = mst_alien_sprites_list(document, &arena, &sprites, &count);
    mst_output out;
    mst_output_begin(&out, sink);
    for (size_t i = 0; i < count; i++) {
        const mst_alien_sprite *s = &sprites[i];
        mst_output_format(&out, "%s frame %u: ", s->name, s->number);
        if (s->shape.width)
            mst_output_format(&out, "%u x %u", s->shape.width, s->shape.height);
        else
            mst_output_format(&out, "%lu pixels", (unsigned long)s->pixels);
        if (s->animation >= 0)
            mst_output_format(&out, " at %d %d, animation %d", s->shape.x, s->shape.y, s->animation);
        mst_output_format(&out, s->packed ? ", %lu bytes packed\n" : ", not packed\n",
                          (unsigned long)s->size);
    }
    mst_status written = mst_output_end(&out);
    mst_arena_end(&arena);
    status = status == MST_OK ? written : status;
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the frames could not be written");
}
