/* SPDX-License-Identifier: MIT */
/* Scenes of single blocks: shapes, surfaces, materials, and damaged data. */
#include "../src/formats/sfa/scene/sfa_scene.h"
#include "sfa_scene_block.h"

#define WRITER(buffer) (&(mst_parsed_writer){.to = (buffer), .limit = UINT64_MAX})

/* ---- a block by hand ---------------------------------------------------------------------------- */

#define LISTS    6
#define SHADERS  6
#define Y_OFFSET 5

static const int16_t positions[5][3] = {{0, 0, 0}, {80, 0, 0}, {0, 0, 80}, {80, 16, 80}, {-9, -8, 0}};
static const uint16_t colors[2] = {0xF84F, 0x00F8};
static const int16_t texcoords[3][2] = {{0, 0}, {256, 128}, {-256, 512}};

static void align(writer *w, size_t to) {
    while (w->size % to)
        put_u8(w, 0);
}

static void patch(writer *w, size_t place, unsigned width, uint64_t value) {
    mst_store(w->data + place, width, value, true);
}

/* A vertex whose colour and texcoords depend on its place in the list. */
static void list_data(writer *w, uint8_t opcode, const uint8_t *points, unsigned count, unsigned layers) {
    put_u8(w, opcode);
    put_u16(w, (uint16_t)count);
    for (unsigned i = 0; i < count; i++) {
        put_u8(w, points[i]);
        put_u8(w, (uint8_t)(i & 1));
        for (unsigned k = 0; k < layers; k++)
            put_u8(w, (uint8_t)(i % 3));
    }
    align(w, 32);
}

typedef struct bit_writer {
    uint8_t bytes[64];
    unsigned at;
} bit_writer;

static void bits(bit_writer *b, unsigned count, unsigned value) {
    for (unsigned i = 0; i < count; i++, b->at++)
        if (value >> i & 1)
            b->bytes[b->at / 8] |= (uint8_t)(1u << b->at % 8);
}

static void draw(bit_writer *b, unsigned shader, unsigned list) {
    bits(b, 4, 1), bits(b, 6, shader);
    bits(b, 4, 3), bits(b, 3, 0);
    bits(b, 4, 2), bits(b, 8, list);
}

/*
 * Lists: 0 a strip, plain; 1 a quad, holes; 2 a fan, water; 3 a triangle, hidden; 4 the same, blended; 5 the
 * same, with two layers that blend. Stream 0 draws 0, 1, 3 and 5, and 0 again; 1 list 4; 2 list 2.
 */
static void write_block_facing(writer *w, bool down) {
    static const uint8_t rows[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}},
                         rounds[2][4] = {{0, 1, 3, 2}, {2, 3, 1, 0}};
    const uint8_t *row = rows[down], *round = rounds[down];
    static const uint8_t opcodes[LISTS] = {0x9D, 0x85, 0xA5, 0x95, 0x95, 0x95};
    static const uint32_t flags[SHADERS] = {0x1C, 0x414, 0x80000010, 0x1E, 0x4000041C, 0x41C};
    memset(w, 0, sizeof *w);
    w->big = true;
    memset(put(w, 0xB8), 0, 0xB8);
    memcpy(w->data + 0xA4, "mod6.0", 6);
    patch(w, 0x68, 4, 0xB8);
    patch(w, 0x8E, 2, Y_OFFSET);
    patch(w, 0x8C, 2, 7);
    memset(put(w, LISTS * 0x1C), 0, LISTS * 0x1C);
    align(w, 32);
    for (unsigned i = 0; i < LISTS; i++) {
        size_t begin = w->size;
        list_data(w, opcodes[i], i == 0 ? row : round, i < 3 ? 4 : 3, i == 5 ? 2 : 1);
        patch(w, 0xB8 + i * 0x1C, 4, begin);
        patch(w, 0xB8 + i * 0x1C + 4, 2, w->size - begin);
        patch(w, 0xB8 + i * 0x1C + 0x18, 1, 7);
    }
    patch(w, 0x58, 4, w->size), patch(w, 0x90, 2, 5);
    for (unsigned i = 0; i < 15; i++)
        put_u16(w, (uint16_t)positions[i / 3][i % 3]);
    align(w, 4);
    patch(w, 0x5C, 4, w->size), patch(w, 0x94, 2, 2);
    put_u16(w, colors[0]), put_u16(w, colors[1]);
    patch(w, 0x60, 4, w->size), patch(w, 0x96, 2, 3);
    for (unsigned i = 0; i < 6; i++)
        put_u16(w, (uint16_t)texcoords[i / 2][i % 2]);
    bit_writer streams[3];
    memset(streams, 0, sizeof streams);
    draw(&streams[0], 0, 0), draw(&streams[0], 1, 1), draw(&streams[0], 3, 3), draw(&streams[0], 5, 5);
    draw(&streams[0], 0, 0);
    draw(&streams[1], 4, 4);
    draw(&streams[2], 2, 2);
    for (unsigned i = 0; i < 3; i++) {
        bits(&streams[i], 4, 5);
        align(w, 4);
        patch(w, 0x78 + 4 * i, 4, w->size);
        patch(w, 0x84 + 2 * i, 2, (streams[i].at + 7) / 8);
        put_bytes_of(w, streams[i].bytes, (streams[i].at + 7) / 8);
    }
    align(w, 4);
    patch(w, 0x54, 4, w->size), patch(w, 0xA0, 1, 2);
    put_u32(w, 1), put_u32(w, 7); /* the bank has 1, not 7 */
    patch(w, 0x64, 4, w->size), patch(w, 0xA2, 1, SHADERS);
    for (unsigned i = 0; i < SHADERS; i++) {
        uint8_t *s = put(w, 0x44);
        memset(s, 0, 0x44);
        mst_store32(s + 0x34, 0xFFFFFFFF, true);
        mst_store32(s + 0x38, 0xFFFFFFFF, true);
        mst_store32(s + 0x2C, 1, true);
        s[0x30] = 0x80 | 9;
        mst_store32(s + 0x3C, flags[i], true);
        s[0x40] = 6;
        s[0x41] = i == 5 ? 2 : 1;
    }
    patch(w, 0xA1, 1, LISTS);
    patch(w, 0x50, 4, w->size), patch(w, 0x9A, 2, 2);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *g = put(w, 0x14);
        memset(g, 0, 0x14);
        mst_store16(g, (uint16_t)(i == 2 ? 2 : i), true);
        g[0x11] = i == 0 ? 1 : i == 1 ? 0x77 : 0;
    }
    patch(w, 0x4C, 4, w->size), patch(w, 0x98, 2, 2);
    put_u16(w, 0), put_u16(w, 2), put_u16(w, 1), put_u16(w, 0);
    put_u16(w, 1), put_u16(w, 2), put_u16(w, 4), put_u16(w, 0);
    align(w, 32);
    patch(w, 8, 4, w->size);
}

static void write_block(writer *w) {
    write_block_facing(w, false);
}

/* A bank whose texture 1 is of 8 x 4 texels of intensity, stored; 0 is absent. */
static void write_textures(writer *bin, writer *tab) {
    memset(bin, 0, sizeof *bin);
    memset(tab, 0, sizeof *tab);
    bin->big = tab->big = true;
    put_bytes_of(bin, "DIR", 4);
    put_u32(bin, 1), put_u32(bin, 0x80), put_u32(bin, 0x80);
    memset(put(bin, 16), 0, 16);
    uint8_t *header = put(bin, 0x60);
    memset(header, 0, 0x60);
    mst_store16(header + 0x0A, 8, true), mst_store16(header + 0x0C, 4, true);
    mst_store16(header + 0x0E, 1, true), mst_store16(header + 0x10, 256, true);
    header[0x16] = 1;                   /* I8 */
    header[0x17] = 0, header[0x18] = 2; /* clamp, mirror */
    header[0x19] = 1, header[0x1A] = 1;
    for (unsigned i = 0; i < 32; i++)
        put_u8(bin, (uint8_t)(i * 8));
    put_u32(tab, 0x01000000);
    put_u32(tab, 0x81000000);
    put_u32(tab, (uint32_t)bin->size / 2);
    uint32_t sum = 0;
    for (size_t i = 0; i < tab->size; i++)
        sum += tab->data[i];
    put_u32(tab, 0xFFFFFFFF);
    align(tab, 32);
    put_u32(tab, sum);
    align(tab, 32);
}

typedef struct two_files {
    writer bin, tab;
} two_files;

static mst_status find_two(void *user, const char *name, const void **bytes, size_t *size) {
    two_files *files = user;
    writer *w = !strcmp(name, "TEX1.bin") ? &files->bin : !strcmp(name, "TEX1.tab") ? &files->tab : NULL;
    if (!w || !w->size)
        return MST_NO_PATH;
    *bytes = w->data;
    *size = w->size;
    return MST_OK;
}

static mst_scene *scene_by_hand(bool with_textures) {
    writer block;
    two_files files;
    write_block(&block);
    write_textures(&files.bin, &files.tab);
    mst_resolver resolver = {.find = find_two, .user = &files};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of(block.data, block.size, "a.block", with_textures ? &options : NULL);
    writer_free(&block);
    writer_free(&files.bin);
    writer_free(&files.tab);
    return scene;
}

static const mst_scene_source here = {"", "", MST_NO_INDEX};

/* ---- checking scenes ---------------------------------------------------------------------------- */

static const mst_material *material_of(const mst_scene *scene, const mst_primitive *primitive) {
    assert_true(primitive->material >= 0 && (size_t)primitive->material < scene->material_count);
    return &scene->materials[primitive->material];
}

static void assert_reals(const float *values, const double *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_near((double)values[i], expected[i]);
}

static double linear(double value) {
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static void assert_indices(const mst_primitive *p, const uint32_t *expected, uint32_t count) {
    assert_int_equal(p->index_count, count);
    assert_memory_equal(p->indices, expected, count * sizeof *expected);
}

/* ---- by hand ------------------------------------------------------------------------------------ */

static void shapes(void **state) {
    (void)state;
    mst_scene *scene = scene_by_hand(true);
    assert_near(scene->unit_metres, 0.1);
    assert_near((double)scene->nodes[0].scale[1], 0.1);
    const mst_node *block = node_named(scene, "mod6.0");
    assert_non_null(block);
    assert_int_equal(block->role, MST_ROLE_GROUP);
    assert_number(&block->extras, "y_offset", 5);
    assert_number(&block->extras, "y_max", 7);

    const mst_mesh *mesh = mesh_of(scene, "opaque");
    assert_int_equal(mesh->primitive_count, 3);
    const mst_primitive *strip = &mesh->primitives[0];
    /* 0 1 2 and 1 2 3, clockwise: the second one as 2 1 3 */
    static const uint32_t corners[6] = {0, 2, 1, 2, 3, 1};
    static const double places[12] = {0, 5, 0, 10, 5, 0, 0, 5, 10, 10, 7, 10};
    static const double uv[8] = {0, 0, 1, 0.5, -1, 2, 0, 0};
    assert_int_equal(strip->vertex_count, 4);
    assert_indices(strip, corners, 6);
    assert_reals(strip->positions, places, 12);
    assert_reals(strip->texcoords, uv, 8);
    double first[4] = {1, linear(8 / 15.0), linear(4 / 15.0), 1};
    double second[4] = {0, 0, 1, 8 / 15.0};
    assert_reals(strip->colors, first, 4);
    assert_reals(strip->colors + 4, second, 4);
    assert_null(strip->normals);

    /* 0 1 3 2: 0 1 3 and 0 3 2 */
    static const uint32_t quad[6] = {0, 2, 1, 0, 3, 2};
    assert_indices(&mesh->primitives[1], quad, 6);
    const mst_mesh *water = mesh_of(scene, "water");
    assert_int_equal(water->primitive_count, 1);
    assert_indices(&water->primitives[0], quad, 6); /* a fan has the same orientation */
    assert_near((double)water->primitives[0].colors[7], 1);
    static const uint32_t one[3] = {0, 2, 1};
    assert_indices(&mesh_of(scene, "hidden")->primitives[0], one, 3);
    assert_int_equal(node_named(scene, "hidden")->role, MST_ROLE_HELPER);
    assert_int_equal(node_named(scene, "water")->role, MST_ROLE_GEOMETRY);
    assert_indices(&mesh_of(scene, "transparent")->primitives[0], one, 3);
    assert_text(&node_named(scene, "opaque")->extras, "lists", "0 1 5");
    assert_text(&node_named(scene, "opaque")->extras, "sort_layers", "7 7 7");
    assert_text(&node_named(scene, "hidden")->extras, "pass", "hidden");
    mst_scene_free(scene);
}

static void surfaces(void **state) {
    (void)state;
    mst_scene *scene = scene_by_hand(false);
    const mst_node *grass = node_named(scene, "grass"), *unknown = node_named(scene, "surface_0x77");
    assert_non_null(grass);
    assert_non_null(unknown);
    assert_string_equal(scene->nodes[grass->parent].name, "collision");
    assert_int_equal(grass->role, MST_ROLE_COLLISION);
    /* counter-clockwise, as stored; -9 eighths are -2 units, and -8 are -1 */
    static const uint32_t corners[3] = {0, 1, 2};
    static const double flat[9] = {0, 5, 0, 0, 5, 10, 10, 5, 0}, other[9] = {10, 5, 0, 0, 5, 10, -2, 4, 0};
    const mst_primitive *p = scene->meshes[grass->mesh].primitives;
    assert_indices(p, corners, 3);
    assert_reals(p->positions, flat, 9);
    assert_string_equal(material_of(scene, p)->name, "collision_grass");
    p = scene->meshes[unknown->mesh].primitives;
    assert_indices(p, corners, 3);
    assert_reals(p->positions, other, 9);
    mst_scene_free(scene);
}

/* Lists whose fronts face down, under collision that is walked on from above: both sides are shown. */
static void inside_out(void **state) {
    (void)state;
    for (int down = 0; down < 2; down++) {
        writer block;
        write_block_facing(&block, down);
        const uint32_t polygons = mst_load32(block.data + 0x4C, true);
        patch(&block, polygons + 8, 2, 2), patch(&block, polygons + 10, 2, 1); /* both face up */
        mst_scene *scene = scene_of(block.data, block.size, "a.block", NULL);
        const mst_primitive *opaque = mesh_of(scene, "opaque")->primitives;
        assert_int_equal(material_of(scene, &opaque[0])->double_sided, down);
        const mst_node *node = &scene->nodes[node_named(scene, "opaque")->parent];
        assert_int_equal(extra_of(&node->extras, "faces_down") != NULL, down);
        mst_scene_free(scene);
        writer_free(&block);
    }
}

static void materials(void **state) {
    (void)state;
    mst_scene *scene = scene_by_hand(true);
    const mst_primitive *opaque = mesh_of(scene, "opaque")->primitives;
    const mst_material *plain = material_of(scene, &opaque[0]), *holes = material_of(scene, &opaque[1]);
    const mst_material *both = material_of(scene, &opaque[2]);
    const mst_material *water = material_of(scene, mesh_of(scene, "water")->primitives);
    const mst_material *blended = material_of(scene, mesh_of(scene, "transparent")->primitives);
    assert_string_equal(plain->name, "shader_0");
    assert_int_equal(plain->alpha_mode, MST_ALPHA_OPAQUE);
    assert_false(plain->double_sided);
    assert_true(plain->unlit);
    assert_number(&plain->extras, "texture", 1);
    assert_null(extra_of(&plain->extras, "layer_1_texture"));
    assert_int_equal(plain->wrap_s, MST_WRAP_CLAMP);
    assert_int_equal(plain->wrap_t, MST_WRAP_MIRROR);
    assert_int_equal(holes->alpha_mode, MST_ALPHA_MASK);
    assert_near((double)holes->alpha_cutoff, 1 / 255.0);
    assert_true(holes->double_sided);
    assert_int_equal(both->alpha_mode, MST_ALPHA_OPAQUE);
    assert_number(&both->extras, "layer_1_texture", 7);
    assert_number(&both->extras, "layer_1_mode", 9);
    assert_int_equal(water->alpha_mode, MST_ALPHA_BLEND);
    assert_near((double)water->color[3], 0.5);
    assert_int_equal(water->image, -1);
    assert_int_equal(blended->alpha_mode, MST_ALPHA_BLEND);
    /* one picture for all */
    assert_int_equal(scene->image_count, 1);
    assert_int_equal(plain->image, 0);
    assert_int_equal(both->image, 0);
    assert_int_equal(scene->images[0].pixels.width, 8);
    assert_int_equal(scene->images[0].pixels.height, 4);
    static const uint8_t second[4] = {8, 8, 8, 8};
    assert_memory_equal(scene->images[0].pixels.data + 4, second, 4);
    assert_text(&scene->extras, "textures", "TEX1.bin");
    mst_scene_free(scene);
}

static void without_textures(void **state) {
    (void)state;
    mst_scene *scene = scene_by_hand(false);
    assert_int_equal(scene->image_count, 0);
    const mst_primitive *opaque = mesh_of(scene, "opaque")->primitives;
    assert_int_equal(material_of(scene, &opaque[0])->image, -1);
    assert_non_null(opaque[0].colors);
    assert_text(&scene->extras, "textures", "not found: TEX1.bin");
    mst_scene_free(scene);
}

/* ---- damaged data ------------------------------------------------------------------------------- */

/* Whatever an image contains, making meshes of it stays within it and within its budget. */
static void damaged_images(void **state) {
    (void)state;
    static const uint8_t values[4] = {0x00, 0xFF, 0x80, 0x01};
    writer block;
    mst_buffer image = {0};
    mst_diagnostic why;
    write_block(&block);
    MUST(mst_sfa_block_parse(block.data, block.size, WRITER(&image), &why), &why);
    uint8_t *copy = malloc(image.size);
    assert_non_null(copy);
    for (size_t i = 0; i < image.size * 5; i++) {
        size_t size = image.size;
        memcpy(copy, image.data, size);
        if (i / image.size == 4)
            size = i % image.size;
        else
            copy[i % size] ^= values[i / image.size] ? values[i / image.size] : 0x10;
        uint8_t *exact = malloc(size + 1);
        assert_non_null(exact);
        memcpy(exact, copy, size);
        mst_scene_options options = {.size = sizeof options, .budget = 1 << 20};
        mst_scene_builder build;
        mst_sfa_scene_work w;
        mst_sfa_scene_textures textures;
        mst_sfa_scene_block made;
        mst_scene_begin(&build, NULL, options.budget);
        mst_sfa_scene_work_begin(&w, &build, &options, size);
        mst_sfa_scene_textures_begin(&w, "", &textures);
        mst_sfa_scene_block_make(&w, exact, size, &here, &textures, &made);
        for (size_t m = 0; build.status == MST_OK && m < build.meshes.count; m++) {
            const mst_mesh *mesh = (const mst_mesh *)build.meshes.items + m;
            for (size_t k = 0; k < mesh->primitive_count; k++)
                for (uint32_t c = 0; c < mesh->primitives[k].index_count; c++)
                    assert_true(mesh->primitives[k].indices[c] < mesh->primitives[k].vertex_count);
        }
        mst_sfa_scene_textures_end(&textures);
        mst_sfa_scene_work_end(&w);
        mst_scene_abandon(&build);
        free(exact);
    }
    free(copy);
    mst_buffer_free(&image);
    writer_free(&block);
}

static void too_little_memory(void **state) {
    (void)state;
    writer block;
    mst_document *document;
    mst_diagnostic why;
    write_block(&block);
    mst_open_options how = {.size = sizeof how, .name = "a.block"};
    MUST(mst_open_memory(block.data, block.size, &how, &document, &why), &why);
    size_t failed = 0, made = 0;
    for (size_t budget = 256; budget < 200000; budget += budget / 2) {
        mst_scene_options options = {.size = sizeof options, .budget = budget};
        mst_scene *scene = NULL;
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true(failed == 0 || made == 0 || status == MST_OK); /* once it succeeds, it always does */
        *(status == MST_OK ? &made : &failed) += 1;
        mst_scene_free(scene);
    }
    assert_true(failed > 0 && made > 0);
    mst_close(document);
    writer_free(&block);
}

/* ---- blocks of other kinds ---------------------------------------------------------------------- */

/* The image of the block by hand, to be changed. */
static mst_buffer image_by_hand(mst_sfa_block *view) {
    writer block;
    mst_buffer image = {0};
    mst_diagnostic why;
    write_block(&block);
    MUST(mst_sfa_block_parse(block.data, block.size, WRITER(&image), &why), &why);
    writer_free(&block);
    assert_int_equal(mst_sfa_block_view(image.data, image.size, view), MST_OK);
    return image;
}

/* Replaces bytes by others. */
static void splice(mst_buffer *image, size_t from, size_t size, const void *bytes, size_t with) {
    uint8_t *made = malloc(image->size - size + with);
    assert_non_null(made);
    memcpy(made, image->data, from);
    if (with)
        memcpy(made + from, bytes, with);
    memcpy(made + from + with, image->data + from + size, image->size - from - size);
    size_t whole = image->size - size + with;
    mst_buffer_free(image);
    mst_parsed_writer w = {.to = image, .limit = UINT64_MAX};
    mst_parsed_bytes(&w, made, whole);
    free(made);
    assert_int_equal(w.status, MST_OK);
}

/* The meshes of an image in a scene. */
typedef struct drawn {
    mst_scene_builder build;
    mst_sfa_scene_work work;
    mst_sfa_scene_textures textures;
    mst_sfa_scene_block made;
} drawn;

static drawn *draw_with(const mst_buffer *image, const mst_resolver *sidecars, size_t budget,
                        counted *memory) {
    drawn *d = malloc(sizeof *d);
    mst_scene_options options = {.size = sizeof options, .sidecars = sidecars, .budget = budget};
    if (memory)
        options.allocator = counted_allocator(memory);
    assert_non_null(d);
    mst_scene_begin(&d->build, &options.allocator, budget);
    mst_sfa_scene_work_begin(&d->work, &d->build, &options, image->size);
    mst_sfa_scene_textures_begin(&d->work, "", &d->textures);
    mst_sfa_scene_block_make(&d->work, image->data, image->size, &here, &d->textures, &d->made);
    return d;
}

static drawn *draw_image(const mst_buffer *image, const mst_resolver *sidecars, size_t budget) {
    return draw_with(image, sidecars, budget, NULL);
}

static void end_drawn(drawn *d) {
    mst_sfa_scene_textures_end(&d->textures);
    mst_sfa_scene_work_end(&d->work);
    mst_scene_abandon(&d->build);
    free(d);
}

static const mst_mesh *drawn_mesh(const drawn *d, unsigned pass) {
    assert_true(d->made.meshes[pass] >= 0);
    return (const mst_mesh *)d->build.meshes.items + d->made.meshes[pass];
}

static uint32_t triangles_of_pass(const drawn *d, unsigned pass) {
    uint32_t count = 0;
    for (size_t i = 0; d->made.meshes[pass] >= 0 && i < drawn_mesh(d, pass)->primitive_count; i++)
        count += drawn_mesh(d, pass)->primitives[i].index_count / 3;
    return count;
}

static void same_shaders_are_one(void **state) {
    (void)state;
    mst_sfa_block view;
    mst_buffer image = image_by_hand(&view);
    size_t shaders = (size_t)(view.shaders.all.data - image.data);
    memcpy(image.data + shaders + 0x44, image.data + shaders, 0x44);
    drawn *d = draw_image(&image, NULL, 1 << 20);
    /* lists 0 and 1 in one primitive, and 5 in the other */
    assert_int_equal(drawn_mesh(d, MST_SFA_PASS_OPAQUE)->primitive_count, 2);
    assert_int_equal(drawn_mesh(d, MST_SFA_PASS_OPAQUE)->primitives[0].index_count, 12);
    assert_text(&d->made.extras[MST_SFA_PASS_OPAQUE], "lists", "0 1 5");
    end_drawn(d);
    mst_buffer_free(&image);
}

/* A stream can select 64 shaders; an image that selects others draws without. */
static void shaders_that_cannot_be_selected(void **state) {
    (void)state;
    mst_sfa_block view;
    mst_buffer image = image_by_hand(&view);
    size_t shaders = (size_t)(view.shaders.all.data - image.data);
    uint8_t more[64 * 0x44];
    for (size_t i = 0; i < 64; i++)
        memcpy(more + i * 0x44, image.data + shaders, 0x44);
    splice(&image, shaders, 0, more, sizeof more);
    image.data[shaders - 1] = SHADERS + 64;
    assert_int_equal(mst_sfa_block_view(image.data, image.size, &view), MST_OK);
    size_t op = (size_t)(view.streams[0].ops - image.data);
    assert_int_equal(image.data[op], MST_SFA_OP_SHADER);
    image.data[op + 1] = 64;
    drawn *d = draw_image(&image, NULL, 1 << 20);
    const mst_primitive *first = &drawn_mesh(d, MST_SFA_PASS_OPAQUE)->primitives[0];
    assert_string_equal(((const mst_material *)d->build.materials.items)[first->material].name, "no_shader");
    end_drawn(d);
    mst_buffer_free(&image);
}

/* Triangles with two equal corners have no area, and are left out. */
static void flat_triangles(void **state) {
    (void)state;
    static const uint8_t corners[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    for (unsigned i = 0; i < 4; i++) {
        mst_sfa_block view;
        mst_buffer image = image_by_hand(&view);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 3); /* three vertices of 6 bytes, hidden */
        assert_true(mst_sfa_next_command(&it));
        uint8_t *v = image.data + (it.vertices - image.data);
        if (i < 3)
            memcpy(v + corners[i][0] * it.stride, v + corners[i][1] * it.stride, it.stride);
        drawn *d = draw_image(&image, NULL, 1 << 20);
        assert_int_equal(d->made.meshes[MST_SFA_PASS_HIDDEN] >= 0, i == 3);
        assert_null(extra_of(&d->made.block_extras, "triangles_not_shown"));
        end_drawn(d);
        mst_buffer_free(&image);
    }
}

/* A name may fill its field, may be missing, and may consist of other bytes. */
static void names_of_blocks(void **state) {
    (void)state;
    static const char *const names[][2] = {{"twenty letters long!", "twenty_letters_long!"},
                                           {"", "block"},
                                           {"mod\x7F"
                                            "6.\xE4",
                                            "mod_6._"}};
    for (size_t i = 0; i < 3; i++) {
        mst_sfa_block view;
        mst_buffer image = image_by_hand(&view);
        uint8_t *name = image.data + 98; /* its offset in every image */
        memset(name, 0, 20);
        memcpy(name, names[i][0], strlen(names[i][0]));
        drawn *d = draw_image(&image, NULL, 1 << 20);
        assert_string_equal(d->made.name, names[i][1]);
        end_drawn(d);
        mst_buffer_free(&image);
    }
}

/* Groups of one surface are one mesh; a block may have no collision. */
static void groups_of_one_surface(void **state) {
    (void)state;
    mst_sfa_block view;
    mst_buffer image = image_by_hand(&view);
    size_t groups = (size_t)(view.groups.data - image.data);
    image.data[groups + 0x14 + 0x11] = 1;
    drawn *d = draw_image(&image, NULL, 1 << 20);
    assert_int_equal(d->made.surface_count, 1);
    const mst_mesh *mesh = (const mst_mesh *)d->build.meshes.items + d->made.surfaces[0].mesh;
    assert_int_equal(mesh->primitives[0].index_count, 6);
    end_drawn(d);
    mst_store16(image.data + groups + 0x14, 0, true);
    mst_store16(image.data + groups + 0x28, 0, true);
    d = draw_image(&image, NULL, 1 << 20);
    assert_int_equal(d->made.surface_count, 0);
    float place[3] = {0};
    size_t nodes = d->build.nodes.count;
    assert_true(mst_sfa_scene_block_place(&d->work, -1, "b", place, &d->made) >= 0);
    assert_int_equal(d->build.nodes.count - nodes, 5); /* the block, and a node for each pass */
    end_drawn(d);
    mst_buffer_free(&image);
}

/* More draws than are reported: each list with each of 50 shaders, which differ. */
static void many_draws(void **state) {
    (void)state;
    mst_sfa_block view;
    mst_buffer image = image_by_hand(&view);
    size_t shaders = (size_t)(view.shaders.all.data - image.data);
    uint8_t more[44 * 0x44], ops[4 + 1 + 50 * (2 + 6 * 2)];
    for (size_t i = 0; i < 44; i++) {
        memcpy(more + i * 0x44, image.data + shaders, 0x44);
        more[i * 0x44] = (uint8_t)(i + 1);
    }
    splice(&image, shaders, 0, more, sizeof more);
    image.data[shaders - 1] = 50;
    for (unsigned i = 0; i < SHADERS; i++) { /* its own ones are opaque and visible */
        uint8_t *own = image.data + shaders + sizeof more + i * 0x44;
        own[0] = (uint8_t)(100 + i);
        mst_store32(own + 0x3C, 0x10, true);
    }
    assert_int_equal(mst_sfa_block_view(image.data, image.size, &view), MST_OK);
    for (unsigned i = 0; i < LISTS; i++)
        image.data[view.list_offsets[i] + 18] = 255;
    size_t at = 4;
    for (unsigned i = 0; i < 50; i++) {
        ops[at++] = MST_SFA_OP_SHADER;
        ops[at++] = (uint8_t)i;
        for (unsigned k = 0; k < 6; k++) {
            ops[at++] = MST_SFA_OP_LIST;
            ops[at++] = (uint8_t)k;
        }
    }
    mst_store32(ops, 50 * 7, true);
    size_t from = (size_t)(view.streams[0].ops - image.data) - 4;
    const uint8_t *p = view.streams[0].ops;
    for (uint32_t i = 0; i < view.streams[0].op_count; i++)
        p += *p == MST_SFA_OP_FORMAT ? 4 : 2;
    splice(&image, from, (size_t)(p - image.data) - from, ops, at);
    drawn *d = draw_image(&image, NULL, 1 << 22);
    assert_int_equal(d->work.draws.count, 300 + 2);
    const mst_extra *sorts = extra_of(&d->made.extras[MST_SFA_PASS_OPAQUE], "sort_layers");
    assert_non_null(sorts);
    assert_int_equal(strlen(sorts->text), 255 * 4 - 1);
    end_drawn(d);
    mst_buffer_free(&image);
}

/* A list of thousands of triangles, without memory for their indices. */
static void more_triangles_than_memory(void **state) {
    (void)state;
    mst_sfa_block view;
    mst_buffer image = image_by_hand(&view);
    uint8_t list[3 + 6 * 3000];
    memset(list, 0, sizeof list);
    list[0] = 0x9D;
    mst_store16(list + 1, 3000, true);
    for (unsigned i = 0; i < 3000; i++)
        list[3 + 6 * i + 1] = (uint8_t)(i % 5);
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0); /* the strip of four */
    size_t from = (size_t)(it.next - image.data);
    splice(&image, from, 3 + 6 * 4, list, sizeof list);
    drawn *d = draw_image(&image, NULL, 1 << 20);
    assert_int_equal(d->build.status, MST_OK);
    assert_true(triangles_of_pass(d, MST_SFA_PASS_OPAQUE) > 2000);
    end_drawn(d);
    d = draw_image(&image, NULL, 4 * 2998 - 1);
    assert_int_equal(d->build.status, MST_NO_MEMORY);
    assert_int_equal(d->made.meshes[MST_SFA_PASS_OPAQUE], -1);
    end_drawn(d);
    mst_buffer_free(&image);
}

/* Textures: one with an unknown wrap mode, one that is invalid, one that is missing, and one that is kept. */
static void textures_of_other_kinds(void **state) {
    (void)state;
    two_files files;
    write_textures(&files.bin, &files.tab);
    mst_resolver resolver = {.find = find_two, .user = &files};
    for (unsigned i = 0; i < 5; i++) {
        mst_sfa_block view;
        mst_buffer image = image_by_hand(&view);
        uint8_t kept[4];
        memcpy(kept, files.bin.data, 4);
        uint8_t *header = files.bin.data + 0x20;
        if (i == 0)
            header[0x17] = header[0x18] = 3;
        else if (i == 1)
            header[0x16] = 7; /* an unknown format */
        else if (i == 2)
            mst_store32(image.data + (view.textures.data - image.data), 0, true); /* is absent */
        else if (i == 3)
            mst_store32(files.bin.data, 0xF0F0F0F0, true); /* an unknown wrapper */
        else
            files.tab.data[4] = 0x01; /* there are none */
        drawn *d = draw_image(&image, &resolver, 1 << 20);
        assert_int_equal(d->build.status, MST_OK);
        assert_int_equal(d->build.images.count, i == 0);
        const mst_material *plain = (const mst_material *)d->build.materials.items +
                                    drawn_mesh(d, MST_SFA_PASS_OPAQUE)->primitives[0].material;
        if (i == 0) {
            assert_int_equal(plain->wrap_s, MST_WRAP_REPEAT);
            assert_int_equal(plain->wrap_t, MST_WRAP_REPEAT);
        }
        assert_int_equal(plain->image, i == 0 ? 0 : -1);
        end_drawn(d);
        mst_buffer_free(&image);
        memcpy(files.bin.data, kept, 4);
        header[0x16] = 1, header[0x17] = 0, header[0x18] = 2;
    }
    writer_free(&files.bin);
    writer_free(&files.tab);
}

/* Whichever part of a block gets no memory, it is reported, and nothing leaks. */
static void any_part_may_lack_memory(void **state) {
    (void)state;
    two_files files;
    write_textures(&files.bin, &files.tab);
    mst_resolver resolver = {.find = find_two, .user = &files};
    mst_sfa_block view;
    mst_buffer image = image_by_hand(&view);
    float place[3] = {1, 2, 3};
    bool enough = false;
    for (size_t budget = 1; !enough; budget += 40 * sample_step()) {
        counted memory = {0};
        drawn *d = draw_with(&image, &resolver, budget, &memory);
        int32_t node = mst_sfa_scene_block_place(&d->work, -1, "b", place, &d->made);
        mst_sfa_scene_label(&d->work, node, "text", 1, 2);
        enough = d->build.status == MST_OK;
        if (!enough)
            assert_int_equal(d->build.status, MST_NO_MEMORY);
        assert_true(budget < 1 << 18);
        end_drawn(d);
        assert_int_equal(memory.blocks, 0);
    }
    for (size_t fail_at = 1;; fail_at++) {
        counted memory = {.fail_at = fail_at, .for_good = true};
        drawn *d = draw_with(&image, &resolver, 1 << 20, &memory);
        int32_t node = mst_sfa_scene_block_place(&d->work, -1, "b", place, &d->made);
        bool failed = memory.failed;
        mst_status status = d->build.status;
        assert_int_equal(node < 0, status != MST_OK);
        end_drawn(d);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        if (!failed) {
            assert_int_equal(status, MST_OK);
            break;
        }
    }
    mst_scene_builder build;
    mst_scene_begin(&build, NULL, 8);
    assert_string_equal(mst_scene_printf(&build, "%s", "a"), "");
    assert_int_equal(build.status, MST_NO_MEMORY);
    mst_scene_abandon(&build);
    mst_buffer_free(&image);
    writer_free(&files.bin);
    writer_free(&files.tab);
}

/* An unusual file name still gives a name; data that is not understood is reported. */
static void documents_of_other_names(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"a", "a"}, {".block", ".block"}, {"mod6.zlb.bin", "mod6"}, {"x.zlb.y", "x"}, {"zlb.y", "zlb"}};
    writer block;
    write_block(&block);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mst_document *document;
        mst_scene *scene;
        mst_diagnostic why;
        mst_open_options how = {.size = sizeof how, .format = "sfa-block", .name = names[i][0]};
        MUST(mst_open_memory(block.data, block.size, &how, &document, &why), &why);
        mst_resolver none = {0};
        mst_scene_options options = {.size = sizeof options, .sidecars = &none};
        MUST(mst_scene_from_document(document, &options, &scene, &why), &why);
        assert_string_equal(scene->name, names[i][1]);
        assert_text(&scene->extras, "textures", "not found: TEX1.bin");
        mst_scene_free(scene);
        mst_close(document);
    }
    static const uint8_t unknown[4] = {0xF0, 0xF0, 0xF0, 0xF0};
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    mst_open_options how = {.size = sizeof how, .format = "sfa-block", .name = "a"};
    MUST(mst_open_memory(unknown, 4, &how, &document, &why), &why);
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    assert_number(&scene->extras, "blocks_not_shown", 1);
    mst_scene_free(scene);
    mst_close(document);
    mst_scene_options options = {.size = sizeof options};
    mst_scene_builder build;
    mst_scene_start(&build, NULL, UINT64_MAX, 1);
    assert_true(build.arena.budget == SIZE_MAX);
    mst_scene_limit(&build, &options, 1);
    assert_true(build.arena.budget == 64 + ((size_t)4 << 20));
    options.budget = 77;
    mst_scene_limit(&build, &options, 1);
    assert_true(build.arena.budget == 77);
    mst_scene_abandon(&build);
    writer_free(&block);
}

int test_sfa_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(surfaces),
        cmocka_unit_test(inside_out),
        cmocka_unit_test(materials),
        cmocka_unit_test(without_textures),
        cmocka_unit_test(damaged_images),
        cmocka_unit_test(too_little_memory),
        cmocka_unit_test(same_shaders_are_one),
        cmocka_unit_test(shaders_that_cannot_be_selected),
        cmocka_unit_test(flat_triangles),
        cmocka_unit_test(names_of_blocks),
        cmocka_unit_test(groups_of_one_surface),
        cmocka_unit_test(many_draws),
        cmocka_unit_test(more_triangles_than_memory),
        cmocka_unit_test(textures_of_other_kinds),
        cmocka_unit_test(any_part_may_lack_memory),
        cmocka_unit_test(documents_of_other_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
