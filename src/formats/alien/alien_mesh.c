/* SPDX-License-Identifier: MIT */
/*
 * The faces of Alien Trilogy levels and of their doors and lifts. Every face gets its own corners, because
 * neighbours share neither textures nor light; faces of one material become one primitive. A face that refers
 * to a missing vertex is left out; one that refers to a missing texture or light gets a placeholder or full
 * brightness.
 */
#include "alien_mesh.h"
#include "../../scene/geometry.h"
#include "../present.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The game looks up the shade of a colour at a brightness of 0 to 255 (the light table, .DPQ); which
 * brightness it takes for a light and a distance is not known. Here it is the largest component of the
 * light's colour, and colours are multiplied by it, which gives the same within the error of the palette. */
#define FULL_BRIGHTNESS 255.0F

enum { FLAG_TRIANGLE = 1, FLAG_MIRRORED = 2, FLAG_ANIMATED = 8 };

/* A column of a list in a record. */
static mst_column column(const mst_value *record, const char *list_name, const char *name) {
    mst_value list = mst_member_in(record, list_name);
    return mst_column_in(&list, name);
}

/* ---- textures ----------------------------------------------------------------------------------- */

/* Fills in a summed-area table of transparent pixels, so that the count in any rectangle takes four
 * look-ups. */
static void count_holes(mst_alien_page *page, const mst_pixels *pixels) {
    size_t stride = (size_t)page->width + 1;
    memset(page->holes, 0, stride * sizeof *page->holes);
    for (size_t y = 0; y < page->height; y++) {
        const uint32_t *above = page->holes + y * stride;
        uint32_t *row = page->holes + (y + 1) * stride, sum = 0;
        row[0] = 0;
        for (size_t x = 0; x < page->width; x++) {
            sum += pixels->data[y * page->width + x] == 0;
            row[x + 1] = above[x + 1] + sum;
        }
    }
}

static bool has_holes(const mst_alien_page *page, const mst_alien_rectangle *r) {
    size_t stride = (size_t)page->width + 1, left = r->x, top = r->y, right = left + r->width_minus_1 + 1u,
           bottom = top + r->height_minus_1 + 1u;
    right = right < page->width ? right : page->width;
    bottom = bottom < page->height ? bottom : page->height;
    if (left >= right || top >= bottom)
        return false;
    return page->holes[bottom * stride + right] - page->holes[bottom * stride + left] -
               page->holes[top * stride + right] + page->holes[top * stride + left] !=
           0;
}

static void take_page(mst_alien_work *work, const mst_document *textures, size_t index) {
    mst_alien_page *page = &work->pages[index];
    char name[MST_IMAGE_NAME];
    mst_pixels pixels = {.allocator = work->builder->scratch.allocator};
    *page = (mst_alien_page){.image = -1};
    mst_status status = mst_image_read(textures, index, 0, NULL, &pixels, name, NULL);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(work->builder);
    if (status != MST_OK)
        return; /* its textures get a placeholder */
    page->width = pixels.width;
    page->height = pixels.height;
    size_t count = (size_t)pixels.width * pixels.height;
    uint8_t *colors = mst_scene_take(work->builder, count, 4);
    const char *kept_name = mst_scene_text(work->builder, name, strlen(name));
    page->holes = mst_scene_scratch(work->builder, ((uint64_t)page->width + 1) * ((uint64_t)page->height + 1),
                                    sizeof *page->holes);
    if (colors && page->holes) {
        for (size_t i = 0; i < count; i++)
            memcpy(colors + 4 * i, pixels.palette[pixels.data[i]], 4);
        count_holes(page, &pixels);
        /* opaque faces show no transparent pixels, so their colour matters only to filtering */
        if (!mst_image_bleed(colors, page->width, page->height, &work->builder->scratch.allocator))
            mst_scene_fail(work->builder);
        mst_image image = {.name = kept_name,
                           .pixels = {.width = page->width, .height = page->height, .data = colors}};
        page->image = mst_scene_add_image(work->builder, &image);
    }
    mst_pixels_free(&pixels);
}

void mst_alien_take_textures(mst_alien_work *work, const mst_document *textures) {
    size_t count = mst_image_count(textures);
    count = count < 256 ? count : 256; /* rectangles refer to them by a byte */
    work->pages = mst_scene_scratch(work->builder, count, sizeof *work->pages);
    if (mst_alien_rectangles(textures, &work->builder->scratch, &work->rectangles, &work->rectangle_count) !=
        MST_OK)
        mst_scene_fail(work->builder);
    for (; work->page_count < count && mst_scene_ok(work->builder); work->page_count++)
        take_page(work, textures, work->page_count);
}

/* ---- lights and animators ----------------------------------------------------------------------- */

void mst_alien_begin_materials(mst_alien_work *work) {
    work->placeholder = -1;
    work->materials = mst_scene_scratch(work->builder, MST_ALIEN_MATERIALS, sizeof *work->materials);
    work->first_texture = mst_scene_scratch(work->builder, MST_ALIEN_PROGRAMS, sizeof *work->first_texture);
    if (!work->materials || !work->first_texture)
        return;
    for (size_t i = 0; i < MST_ALIEN_MATERIALS; i++)
        work->materials[i] = -1;
    for (size_t i = 0; i < MST_ALIEN_PROGRAMS; i++)
        work->first_texture[i] = -1;
}

void mst_alien_take_level(mst_alien_work *work, const mst_value *map) {
    const mst_column on = column(map, "lights", "on"),
                     colors[2] = {column(map, "lights", "off_color"), column(map, "lights", "on_color")},
                     programs = column(map, "texture_animation_words", "program"),
                     values = column(map, "texture_animation_words", "value");
    mst_alien_begin_materials(work);
    if (!mst_scene_ok(work->builder))
        return;
    work->light_count = on.count < MST_ALIEN_LIGHTS ? (uint32_t)on.count : MST_ALIEN_LIGHTS;
    for (uint32_t i = 0; i < work->light_count; i++) {
        const mst_column *from = &colors[mst_column_u8(&on, i, 0) ? 1 : 0];
        const uint8_t *color = from->data + (size_t)i * from->stride;
        uint8_t row = color[0] > color[1] ? color[0] : color[1];
        row = row > color[2] ? row : color[2];
        for (uint32_t c = 0; c < 3; c++)
            work->lights[i][c] = mst_linear_of_srgb((float)row / FULL_BRIGHTNESS);
    }
    work->animators = column(map, "texture_animators", "program");
    /* each word contains the number of its program; the words of a program are contiguous */
    for (uint64_t i = 0; i < programs.count; i++) {
        uint32_t program = mst_column_u16(&programs, i, 0), value = mst_column_u16(&values, i, 0);
        if (!(value & 0x8000u) && work->first_texture[program] < 0)
            work->first_texture[program] = (int32_t)value;
    }
}

/* ---- materials ---------------------------------------------------------------------------------- */

/* A face's surface: its kind, which decides the material, and its texture. */
typedef struct surface {
    uint32_t kind;                        /* index of `materials` */
    const mst_alien_rectangle *rectangle; /* NULL: the texture is missing */
    uint32_t texture;
    bool double_sided, holes;
} surface;

static surface find_surface(const mst_alien_work *work, uint32_t texture, uint32_t flags) {
    surface s = {.texture = texture, .double_sided = flags == 3 || flags == 4};
    if (flags == FLAG_ANIMATED && texture < work->animators.count) {
        int32_t first = work->first_texture[mst_column_u16(&work->animators, texture, 0)];
        if (first >= 0)
            s.texture = (uint32_t)first;
    }
    const mst_alien_rectangle *r = s.texture < work->rectangle_count ? &work->rectangles[s.texture] : NULL;
    if (r && r->page < work->page_count && work->pages[r->page].image >= 0) {
        s.rectangle = r;
        s.holes = has_holes(&work->pages[r->page], r);
        s.kind = r->page * 4u + (s.double_sided ? 2u : 0u) + (s.holes ? 1u : 0u);
    } else {
        s.kind = 1024u + s.texture * 2 + (s.double_sided ? 1u : 0u);
    }
    return s;
}

static int32_t material_of(mst_alien_work *work, const surface *s) {
    mst_scene_builder *builder = work->builder;
    if (work->materials[s->kind] >= 0 || !mst_scene_ok(builder))
        return work->materials[s->kind];
    mst_material material = {.color = {1, 1, 1, 1},
                             .wrap_s = MST_WRAP_CLAMP,
                             .wrap_t = MST_WRAP_CLAMP,
                             .nearest = 1,
                             .double_sided = s->double_sided,
                             .unlit = 1};
    const char *sides = s->double_sided ? "_double_sided" : "";
    if (s->rectangle) {
        material.name = mst_scene_printf(builder, "%spage_%u%s%s", work->label ? work->label : "",
                                         s->rectangle->page, s->holes ? "_holes" : "", sides);
        material.image = work->pages[s->rectangle->page].image;
        material.alpha_mode = s->holes ? MST_ALPHA_MASK : MST_ALPHA_OPAQUE;
        material.alpha_cutoff = 0.5F;
    } else {
        char plain[32];
        snprintf(plain, sizeof plain, "texture_%u", (unsigned)s->texture);
        mst_color_of_name(plain, material.color);
        if (work->placeholder < 0)
            work->placeholder = mst_scene_add_placeholder(builder);
        material.image = work->placeholder;
        material.name = mst_scene_printf(builder, "%s%s", plain, sides);
    }
    return work->materials[s->kind] = mst_scene_add_material(builder, &material);
}

/* ---- faces -------------------------------------------------------------------------------------- */

/* The columns of a list of quads and of vertices. */
typedef struct faces {
    mst_column vertices, texture, kind, light, x, y, z;
    bool of_model; /* kinds are not draw flags, and there is one light for all */
} faces;

#define KIND_MIRRORED   11 /* of a model's quad; 0 and 1 are plain, all others triangles */
#define LIGHT_OF_MODELS 10 /* by the game's program */

static uint32_t flags_of(const faces *f, uint32_t face) {
    uint32_t kind = mst_column_u8(&f->kind, face, 0);
    if (!f->of_model)
        return kind;
    kind &= 0x7Fu; /* without the mark of the last quad */
    return kind == KIND_MIRRORED ? FLAG_MIRRORED : kind < 2 ? 0 : FLAG_TRIANGLE;
}

typedef struct face_key {
    uint32_t kind, face;
} face_key;

static int compare_faces(const void *left, const void *right) {
    const face_key *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

/* Gets the vertices of a face's corners. Returns 4, 3 for a triangle, 0 if a vertex is missing. */
static uint32_t face_corners(const faces *f, uint64_t face, uint32_t corners[4]) {
    for (uint32_t k = 0; k < 4; k++) {
        corners[k] = mst_column_u32(&f->vertices, face, k);
        if (k == 3 && corners[k] == UINT32_MAX)
            return 3;
        if (corners[k] >= f->x.count)
            return 0;
    }
    return 4;
}

static bool is_terminator(const faces *f, uint64_t face) {
    for (uint32_t k = 0; k < 4; k++)
        if (mst_column_u32(&f->vertices, face, k) != UINT32_MAX)
            return false;
    return face + 1 == f->vertices.count;
}

static float coordinate(const mst_column *c, uint32_t vertex) {
    uint32_t bits = mst_column_u16(c, vertex, 0);
    return (float)(bits < 0x8000 ? (int32_t)bits : (int32_t)bits - 0x10000);
}

/* The corner of the rectangle for each corner of the face; 0 is the lower left, then counter-clockwise. */
static void texture_corners(uint32_t flags, uint32_t count, uint32_t order[4]) {
    static const uint8_t standard[4] = {0, 1, 2, 3}, mirrored[4] = {1, 0, 3, 2}, upper[4] = {0, 2, 3, 0};
    bool high = count == 3 && (flags == FLAG_TRIANGLE || flags == 5 || flags == 13);
    const uint8_t *from = high ? upper : flags == FLAG_MIRRORED ? mirrored : standard;
    for (int k = 0; k < 4; k++)
        order[k] = from[k];
}

static void texture_point(const mst_alien_work *work, const surface *s, uint32_t corner, float point[2]) {
    bool right = corner == 1 || corner == 2, low = corner < 2;
    if (!s->rectangle) {
        point[0] = right ? 1 : 0;
        point[1] = low ? 1 : 0;
        return;
    }
    const mst_alien_rectangle *r = s->rectangle;
    const mst_alien_page *page = &work->pages[r->page];
    point[0] = ((float)r->x + (right ? (float)r->width_minus_1 + 1 : 0)) / (float)page->width;
    point[1] = ((float)r->y + (low ? (float)r->height_minus_1 + 1 : 0)) / (float)page->height;
}

/* The arrays of a primitive being filled. */
typedef struct fill_state {
    float *positions, *normals, *texcoords, *colors;
    uint32_t *indices, *quads;
    uint32_t vertex_count, index_count;
} fill_state;

static void fill_normal(const float *points, uint32_t count, float normal[3]) {
    double n[3];
    mst_polygon_normal(points, NULL, count, n);
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0 ? (float)(n[i] / length) : i == 1 ? 1.0F : 0.0F;
}

static void fill_face(const mst_alien_work *work, const faces *f, uint32_t face, const surface *s,
                      fill_state *to) {
    static const uint8_t triangles[6] = {0, 1, 2, 0, 2, 3};
    uint32_t corners[4], order[4], count = face_corners(f, face, corners);
    if (MST_CHANGED(!count)) /* faces without all their vertices were left out before */
        return;
    uint32_t light = f->of_model ? LIGHT_OF_MODELS : mst_column_u8(&f->light, face, 0) & 0x7Fu,
             first = to->vertex_count;
    float *points = to->positions + 3 * (size_t)first, normal[3];
    texture_corners(flags_of(f, face), count, order);
    for (uint32_t k = 0; k < count; k++) {
        size_t at = first + k;
        points[3 * k] = coordinate(&f->x, corners[k]);
        points[3 * k + 1] = coordinate(&f->y, corners[k]);
        points[3 * k + 2] = coordinate(&f->z, corners[k]);
        texture_point(work, s, order[k], to->texcoords + 2 * at);
        for (int c = 0; c < 3; c++)
            to->colors[4 * at + (size_t)c] = light < work->light_count ? work->lights[light][c] : 1;
        to->colors[4 * at + 3] = 1;
    }
    fill_normal(points, count, normal);
    for (uint32_t k = 0; k < count; k++)
        memcpy(to->normals + 3 * ((size_t)first + k), normal, sizeof normal);
    for (uint32_t i = 0; i < (count == 4 ? 6u : 3u); i++) {
        to->quads[to->index_count / 3] = face;
        to->indices[to->index_count++] = first + triangles[i];
    }
    to->vertex_count += count;
}

static surface surface_of(const mst_alien_work *work, const faces *f, uint32_t face) {
    return find_surface(work, mst_column_u16(&f->texture, face, 0), flags_of(f, face));
}

/* Makes a primitive of `count` faces of one kind. */
static void make_primitive(mst_alien_work *work, const faces *f, const face_key *keys, size_t count,
                           const char *path, mst_primitive *primitive) {
    uint64_t max = 4 * (uint64_t)count;
    /* a quad takes 20 bytes of a container whose size is a u32 */
    if (MST_UNREACHABLE(max > UINT32_MAX / 2)) {
        mst_scene_fail(work->builder);
        return;
    }
    fill_state to = {.positions = mst_scene_take(work->builder, max, 3 * sizeof(float)),
                     .normals = mst_scene_take(work->builder, max, 3 * sizeof(float)),
                     .texcoords = mst_scene_take(work->builder, max, 2 * sizeof(float)),
                     .colors = mst_scene_take(work->builder, max, 4 * sizeof(float)),
                     .indices = mst_scene_take(work->builder, 6 * (uint64_t)count, sizeof(uint32_t)),
                     .quads = mst_scene_take(work->builder, 2 * (uint64_t)count, sizeof(uint32_t))};
    surface first = surface_of(work, f, keys->face);
    int32_t material = material_of(work, &first);
    if (!mst_scene_ok(work->builder) || /* MST_OK means that all were allocated */
        MST_UNREACHABLE(!to.positions || !to.normals || !to.texcoords || !to.colors || !to.indices ||
                        !to.quads))
        return;
    for (size_t i = 0; i < count; i++) {
        surface s = surface_of(work, f, keys[i].face);
        fill_face(work, f, keys[i].face, &s, &to);
    }
    *primitive = (mst_primitive){.material = material,
                                 .vertex_count = to.vertex_count,
                                 .index_count = to.index_count,
                                 .positions = to.positions,
                                 .normals = to.normals,
                                 .texcoords = to.texcoords,
                                 .colors = to.colors,
                                 .indices = to.indices,
                                 .source = {.path = path, .index = MST_NO_INDEX},
                                 .elements = to.quads};
}

size_t mst_alien_primitives(mst_alien_work *work, const mst_value *record, const char *path,
                            mst_primitive **primitives) {
    const mst_field *field = mst_field_of(record);
    *primitives = NULL;
    if (MST_CHANGED(!field || !field->record)) /* it no longer exists */
        return 0;
    bool of_model = strcmp(field->record->name, "model") == 0;
    const faces f = {.of_model = of_model,
                     .vertices = column(record, "quads", "vertices"),
                     .texture = column(record, "quads", "texture"),
                     .kind = column(record, "quads", of_model ? "kind" : "draw_flags"),
                     .light = column(record, "quads", of_model ? "unknown_13" : "light"),
                     .x = column(record, "vertices", "x"),
                     .y = column(record, "vertices", "y"),
                     .z = column(record, "vertices", "z")};
    if (!f.x.count || MST_UNREACHABLE(f.vertices.count > UINT32_MAX)) /* as above */
        return 0;
    face_key *keys = mst_scene_scratch(work->builder, f.vertices.count, sizeof *keys);
    if (!keys)
        return 0;
    size_t count = 0, kinds = 0;
    for (uint32_t i = 0; i < f.vertices.count; i++) {
        uint32_t corners[4];
        if (!face_corners(&f, i, corners)) {
            work->left_out += !is_terminator(&f, i);
            continue;
        }
        keys[count++] = (face_key){surface_of(work, &f, i).kind, i};
    }
    work->shown += count;
    if (count > 1)
        qsort(keys, count, sizeof *keys, compare_faces);
    for (size_t i = 0; i < count; i++)
        kinds += i == 0 || keys[i].kind != keys[i - 1].kind;
    mst_primitive *made = mst_scene_take(work->builder, kinds, sizeof *made);
    if (!made)
        return 0;
    size_t made_count = 0;
    for (size_t first = 0, end; first < count && mst_scene_ok(work->builder); first = end) {
        for (end = first + 1; end < count && keys[end].kind == keys[first].kind;)
            end++;
        make_primitive(work, &f, keys + first, end - first, path, &made[made_count++]);
    }
    *primitives = made;
    return mst_scene_ok(work->builder) ? made_count : 0;
}

/* ---- collision ---------------------------------------------------------------------------------- */

bool mst_alien_collision(mst_alien_work *work, const mst_value *map, mst_primitive *primitive) {
    const mst_column first_quad = column(map, "cells", "first_quad"),
                     sides[2] = {column(map, "cells", "floor"), column(map, "cells", "ceiling")};
    uint64_t columns = mst_number_in(map, "grid_columns"), rows = mst_number_in(map, "grid_rows"), open = 0;
    for (uint64_t i = 0; i < first_quad.count; i++)
        open += mst_column_u32(&first_quad, i, 0) < 0x80000000u;
    if (!open || MST_UNREACHABLE(open > UINT32_MAX / 12)) /* a cell takes 16 bytes of a container, as above */
        return false;
    float *positions = mst_scene_take(work->builder, 8 * open, 3 * sizeof(float));
    uint32_t *indices = mst_scene_take(work->builder, 12 * open, sizeof(uint32_t)),
             *cells = mst_scene_take(work->builder, 4 * open, sizeof(uint32_t));
    if (!mst_scene_ok(work->builder) || MST_UNREACHABLE(!positions || !indices || !cells)) /* as above */
        return false;
    uint32_t vertex_count = 0, index_count = 0;
    for (uint64_t i = 0; i < first_quad.count; i++) {
        if (mst_column_u32(&first_quad, i, 0) >= 0x80000000u)
            continue;
        uint64_t cell_column = i % columns, cell_row = i / columns;
        float left = ((float)cell_column - (float)columns / 2) * MST_ALIEN_CELL,
              back = ((float)cell_row - (float)rows / 2) * MST_ALIEN_CELL;
        for (uint32_t side = 0; side < 2; side++) {
            /* counter-clockwise seen from above, clockwise for the ceiling */
            static const uint8_t order[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 2, 1, 0, 3, 2}};
            float y = (float)(mst_column_u8(&sides[side], i, 0) * MST_ALIEN_STEP);
            for (uint32_t k = 0; k < 6; k++) {
                cells[index_count / 3] = (uint32_t)i;
                indices[index_count++] = vertex_count + order[side][k];
            }
            for (uint32_t k = 0; k < 4; k++, vertex_count++) {
                float *p = positions + 3 * (size_t)vertex_count;
                p[0] = left + (k == 1 || k == 2 ? MST_ALIEN_CELL : 0);
                p[1] = y;
                p[2] = back + (k < 2 ? MST_ALIEN_CELL : 0);
            }
        }
    }
    /* It is invisible, because the faces coincide with floors and ceilings and would flicker in viewers that
     * show all nodes. */
    mst_material material = {.name = "collision",
                             .color = {0.1F, 0.6F, 0.2F, 0},
                             .image = -1,
                             .alpha_mode = MST_ALPHA_MASK,
                             .alpha_cutoff = 0.5F};
    *primitive = (mst_primitive){.material = mst_scene_add_material(work->builder, &material),
                                 .vertex_count = vertex_count,
                                 .index_count = index_count,
                                 .positions = positions,
                                 .indices = indices,
                                 .source = {.path = "map.cells", .index = MST_NO_INDEX},
                                 .elements = cells};
    return mst_scene_ok(work->builder);
}
