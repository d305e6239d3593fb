/* SPDX-License-Identifier: MIT */
/* Scenes with the files that they reference: materials by their shaders, textures, models in place of
 * markers. */
#include "../src/scene/geometry.h"
#include "dds_file.h"
#include "spark_model_file.h"
#include <mapstone/export.h>
#include <mapstone/level.h>
#include <mapstone/picture.h>
#include <mapstone/scene.h>
#include <math.h>

/* ---- files in memory ----------------------------------------------------------------------------- */

typedef struct file {
    const char *name;
    const void *bytes;
    size_t size;
} file;

static file files[12];
static size_t file_count;

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    for (size_t i = 0; i < file_count; i++)
        if (strcmp(files[i].name, name) == 0) {
            *bytes = files[i].bytes;
            *size = files[i].size;
            return MST_OK;
        }
    return MST_NO_PATH;
}

static const mst_resolver resolver = {.find = find};

static void put_in(const char *name, const void *bytes, size_t size) {
    assert_true(file_count < sizeof files / sizeof *files);
    files[file_count++] = (file){name, bytes, size};
}

/* A texture of levels in one colour each: b, g, r, a of the first, 10 more in each for the next. */
static writer texture(uint32_t side, uint32_t levels, const uint8_t color[4]) {
    writer w = {0};
    put_dds_header(&w, side, side, levels, NULL, 32);
    for (uint32_t level = 0; level < (levels ? levels : 1); level++)
        for (uint32_t i = 0; i < (side >> level) * (side >> level); i++)
            for (unsigned c = 0; c < 4; c++)
                put_u8(&w, (uint8_t)(color[c] + 10 * level));
    return w;
}

static writer model, albedo, mask, normal;

static int make_files(void **state) {
    (void)state;
    write_spark_model(&model, 7);
    albedo = texture(8, 4, (const uint8_t[4]){10, 20, 30, 40});
    mask = texture(4, 0, (const uint8_t[4]){0, 0, 200, 7});
    normal = texture(2, 0, (const uint8_t[4]){255, 96, 128, 9});
    return 0;
}

static int free_files(void **state) {
    (void)state;
    writer_free(&model);
    writer_free(&albedo);
    writer_free(&mask);
    writer_free(&normal);
    return 0;
}

static void begin_files(const char *material, const char *shader) {
    file_count = 0;
    put_in("a.dds", albedo.data, albedo.size);
    put_in("m.dds", mask.data, mask.size);
    put_in("n.dds", normal.data, normal.size);
    put_in("bad.dds", "DDS ", 4);
    if (material)
        put_in("models/sides.material", material, strlen(material));
    if (shader)
        put_in("x.surface_shader", shader, strlen(shader));
}

/* The scene of the model whose sides have that material. */
static mst_scene *scene_with(const mst_scene_options *options) {
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    MUST(mst_open_memory(model.data, model.size, NULL, &document, &why), &why);
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document);
    return scene;
}

static const mst_material *sides_of(const mst_scene *scene) {
    for (size_t i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, "sides") == 0)
            return &scene->materials[i];
    fail();
    return NULL;
}

static void first_pixel(const mst_scene *scene, int32_t image, const uint8_t expected[4]) {
    assert_in_range(image, 0, scene->image_count - 1);
    assert_memory_equal(scene->images[image].pixels.data, expected, 4);
}

/* ---- materials ----------------------------------------------------------------------------------- */

typedef struct look_case {
    const char *material, *shader; /* the text of the shader; NULL: it was not found */
    mst_alpha_mode mode;
    bool shown; /* by its texture */
    uint8_t pixel[4];
    bool normal, emissive, double_sided;
    float color[4];
} look_case;

#define MAPS "albedoMap = \"a.dds\"\nnormalMap = \"n.dds\"\n"
#define WHITE                                                                                                \
    { 1, 1, 1, 1 }
#define SOLID                                                                                                \
    { 30, 20, 10, 255 }
#define MASKED                                                                                               \
    { 30, 20, 10, 200 }
#define OPAQUE   .mode = MST_ALPHA_OPAQUE, .shown = true, .pixel = SOLID, .color = WHITE
#define IS(name) "shader = \"shaders/" name ".surface_shader\"\n"

static const look_case cases[] = {
    {IS("Level") MAPS, NULL, OPAQUE, .normal = true},
    {IS("Level") MAPS "emissiveMap = \"m.dds\"", NULL, OPAQUE, .normal = true},
    {IS("Level_Emissive") MAPS "EmissiveMap = \"m.dds\"", NULL, OPAQUE, .normal = true, .emissive = true},
    {IS("alien") "albedoMap = \"a.dds\"\nemissiveMap = \"m.dds\"", NULL, OPAQUE, .emissive = true},
    {IS("alien") "albedoMap = \"bad.dds\"\nalbedoMap = \"A.dds\"", NULL, .mode = MST_ALPHA_OPAQUE},
    {IS("Level_alpha") MAPS "opacityMap = \"m.dds\"", NULL, .mode = MST_ALPHA_MASK, .shown = true,
     .pixel = MASKED, .normal = true, .color = WHITE},
    {IS("Level_alpha") "albedoMap = \"a.dds\"", NULL, .mode = MST_ALPHA_MASK, .shown = true, .pixel = SOLID,
     .color = WHITE},
    {IS("Infestation") "albedoMap = \"a.dds\"", NULL, .mode = MST_ALPHA_MASK, .shown = true,
     .pixel = {30, 20, 10, 40}, .color = WHITE},
    {IS("powered_decal") "albedoMap = \"a.dds\"", NULL, .mode = MST_ALPHA_BLEND, .shown = true,
     .pixel = {30, 20, 10, 40}, .color = WHITE},
    {IS("powered_decal") "albedoMap = \"a.dds\"\nopacityMap = \"none.dds\"", NULL, .mode = MST_ALPHA_BLEND,
     .shown = true, .pixel = {30, 20, 10, 40}, .color = WHITE},
    {IS("biodome_glass") "albedoMap = \"a.dds\"\ntransmissionColor = [0.5, 0.25, 1]", NULL,
     .mode = MST_ALPHA_BLEND, .shown = true, .pixel = SOLID, .color = {0.5F, 0.25F, 1, 0.3F}},
    {IS("Level") "transmissionColor = [0.5, 0.25, 1]", NULL, .mode = MST_ALPHA_BLEND,
     .color = {0.5F, 0.25F, 1, 0.3F}},
    {IS("Level") "albedoMap = \"a.dds\"\ntransmissionColor = [0.5, 2]", NULL, OPAQUE},
    {IS("hologram") "emissiveMap = \"a.dds\"", NULL, .mode = MST_ALPHA_BLEND, .shown = true,
     .pixel = {30, 20, 10, 40}, .emissive = true, .color = {0, 0, 0, 1}},
    {IS("Emissive") "emissiveMap = \"*screen\"", NULL, .mode = MST_ALPHA_OPAQUE},
    {"albedoMap = \"/a.dds\"", NULL, .mode = MST_ALPHA_OPAQUE},
    {"<material><maps><map type=\"texture\" value=\"a.dds\"/><map type=\"bump\" value=\"n.dds\"/></maps>"
     "</material>",
     NULL, OPAQUE, .normal = true},
    /* a shader that was found decides by itself */
    {"shader = \"x.surface_shader\"\nalbedoMap = \"a.dds\"",
     "<params><param name=\"twoSided\">true</param></params>", OPAQUE, .double_sided = true},
    {"shader = \"x.surface_shader\"\nalbedoMap = \"a.dds\"\nopacityMap = \"m.dds\"",
     "<param name=\"alphaTest\">true</param> material.opacity = tex2D(opacityMap, uv).r;",
     .mode = MST_ALPHA_MASK, .shown = true, .pixel = MASKED, .color = WHITE},
    {"shader = \"x.surface_shader\"\nalbedoMap = \"a.dds\"\nopacityMap = \"m.dds\"",
     "<param name=\"alphaTest\">true</param>", OPAQUE},
    {"shader = \"x.surface_shader\"\nalbedoMap = \"a.dds\"\nopacityMap = \"m.dds\"",
     "<param name=\"translucent\">true</param>", .mode = MST_ALPHA_BLEND, .shown = true, .pixel = MASKED,
     .color = WHITE},
};

static void materials_look_as_their_shaders_say(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const look_case *c = &cases[i];
        begin_files(c->material, c->shader);
        mst_scene *scene =
            scene_with(&(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver});
        const mst_material *m = sides_of(scene);
        assert_int_equal(m->alpha_mode, c->mode);
        assert_int_equal(m->double_sided, c->double_sided);
        assert_int_equal(m->normal_texture != 0, c->normal);
        assert_int_equal(m->emissive_texture != 0, c->emissive);
        if (c->shown)
            first_pixel(scene, m->image, c->pixel);
        else if (m->image >= 0)
            assert_string_equal(scene->images[m->image].name, "placeholder");
        if (c->normal) /* green is inverted */
            first_pixel(scene, (int32_t)m->normal_texture - 1, (const uint8_t[4]){128, 159, 255, 255});
        if (c->emissive && c->mode == MST_ALPHA_OPAQUE)
            first_pixel(scene, (int32_t)m->emissive_texture - 1, (const uint8_t[4]){200, 0, 0, 255});
        if (c->color[3] > 0)
            assert_memory_equal(m->color, c->color, sizeof m->color);
        mst_scene_free(scene);
    }
}

static void textures_may_be_small_or_left_out(void **state) {
    static const struct {
        uint32_t max;
        uint32_t side;
        uint8_t red;
    } sizes[] = {{0, 8, 30}, {8, 8, 30}, {7, 4, 40}, {2, 2, 50}, {1, 1, 60}};
    (void)state;
    begin_files(IS("Level") MAPS, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mst_scene *scene = scene_with(&(mst_scene_options){
            .size = sizeof(mst_scene_options), .sidecars = &resolver, .max_texture = sizes[i].max});
        const mst_image *image = &scene->images[sides_of(scene)->image];
        assert_int_equal(image->pixels.width, sizes[i].side);
        assert_int_equal(image->pixels.height, sizes[i].side);
        assert_int_equal(image->pixels.data[0], sizes[i].red);
        assert_string_equal(image->name, "a.dds");
        mst_scene_free(scene);
    }
    /* without smaller levels it is halved */
    begin_files(IS("Level") "albedoMap = \"m.dds\"", NULL);
    mst_scene *scene = scene_with(
        &(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver, .max_texture = 1});
    assert_int_equal(scene->images[sides_of(scene)->image].pixels.width, 1);
    first_pixel(scene, sides_of(scene)->image, (const uint8_t[4]){200, 0, 0, 255});
    mst_scene_free(scene);
    static const mst_scene_options without[] = {
        {.size = sizeof without[0], .sidecars = &resolver, .no_textures = 1},
        {.size = sizeof without[0], .sidecars = &resolver, .no_assets = 1},
        {.size = sizeof without[0]}};
    for (size_t i = 0; i < 3; i++) {
        scene = scene_with(&without[i]);
        assert_int_equal(scene->image_count, 1);
        assert_string_equal(scene->images[0].name, "placeholder");
        mst_scene_free(scene);
    }
}

/* Highlights: their map's colours on request, and a roughness derived from the mean of its alpha. */
static void highlights_are_as_glossy_as_their_map(void **state) {
    (void)state;
    static const struct {
        uint8_t alpha[2]; /* of every other row */
        const char *kind;
        uint32_t bits;
        float roughness;
    } maps[] = {{{0, 0}, NULL, 32, 1},        {{255, 0}, NULL, 32, 0.65F}, {{51, 51}, NULL, 32, 0.86F},
                {{255, 255}, NULL, 32, 0.8F}, {{0, 0}, NULL, 24, 0.8F},    {{0, 0}, "DXT1", 0, 0.8F},
                {{0, 0}, "DXT5", 0, 1}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        enum { SIDE = 400 };
        writer map = {0};
        put_dds_header(&map, 4, SIDE, 0, maps[i].kind, maps[i].bits);
        for (unsigned y = 0; y < SIDE && !maps[i].kind; y++)
            for (unsigned k = 0; k < 4 * maps[i].bits / 8; k++)
                put_u8(&map, k % 4 == 3 && maps[i].bits == 32 ? maps[i].alpha[y % 2] : 100);
        for (unsigned k = 0; k < SIDE * 4 && maps[i].kind; k++)
            put_u8(&map, 0);
        begin_files(IS("Level") "albedoMap = \"a.dds\"\nspecularMap = \"s.dds\"", NULL);
        put_in("s.dds", map.data, map.size);
        for (int wanted = 0; wanted < 2; wanted++) {
            mst_scene *scene = scene_with(&(mst_scene_options){
                .size = sizeof(mst_scene_options), .sidecars = &resolver, .specular = wanted});
            const mst_material *m = sides_of(scene);
            assert_true(fabsf(m->roughness - maps[i].roughness) < 1e-4F);
            assert_int_equal(m->specular_texture != 0, wanted);
            mst_buffer json = {0};
            mst_diagnostic why;
            m = sides_of(scene);
            if (wanted && maps[i].bits == 32)
                first_pixel(scene, (int32_t)m->specular_texture - 1, (const uint8_t[4]){100, 100, 100, 255});
            MUST(
                mst_scene_write_gltf(scene, NULL, NULL, mst_buffer_sink(&json), (mst_sink){NULL, NULL}, &why),
                &why);
            mst_sink sink = mst_buffer_sink(&json);
            MUST(sink.write(sink.user, "", 1), NULL);
            bool png = strstr((char *)json.data, "\"images\"") != NULL;
            const char *used = "\"extensionsUsed\":[\"KHR_materials_specular\"]",
                       *texture = ",\"extensions\":{\"KHR_materials_specular\":{\"specularColorTexture\":{"
                                  "\"index\":1}}}";
            assert_int_equal(strstr((char *)json.data, used) != NULL, wanted && png);
            assert_int_equal(strstr((char *)json.data, texture) != NULL, wanted && png);
            mst_buffer_free(&json);
            mst_scene_free(scene);
        }
        writer_free(&map);
    }
    begin_files(IS("Level") MAPS, NULL);
    mst_scene *scene = scene_with(
        &(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver, .specular = 1});
    assert_true(fabsf(sides_of(scene)->roughness - 0.8F) < 1e-6F);
    assert_int_equal(sides_of(scene)->specular_texture, 0);
    mst_scene_free(scene);
}

/* Images that are kept packed give the same pixels, pictures and files; masks are not packed. */
static void textures_may_stay_packed(void **state) {
    (void)state;
    static const char *const kinds[] = {"DXT1", "DXT5", NULL};
    const uint32_t side[][2] = {{8, 8}, {7, 5}, {1, 9}};
    for (size_t i = 0; i < 9; i++) {
        const uint32_t width = side[i % 3][0], height = side[i % 3][1];
        const char *kind = kinds[i / 3];
        size_t blocks = (size_t)((width + 3) / 4) * ((height + 3) / 4);
        size_t size = !kind ? (size_t)width * height * 3 : blocks * (strcmp(kind, "DXT1") == 0 ? 8 : 16);
        writer odd = {0};
        put_dds_header(&odd, width, height, 0, kind, 24);
        for (size_t k = 0; k < size; k++)
            put_u8(&odd, (uint8_t)(k * 37 + k / 8));
        begin_files(IS("Level") "albedoMap = \"odd.dds\"\nnormalMap = \"odd.dds\"", NULL);
        put_in("odd.dds", odd.data, odd.size);
        mst_scene *scenes[2];
        mst_buffer glbs[2] = {{0}};
        mst_pixels pictures[2] = {{0}}, pixels[2][2] = {{{0}}};
        mst_diagnostic why;
        for (int packed = 0; packed < 2; packed++) {
            const mst_picture_options how = {
                .size = sizeof how, .width = 64, .height = 64, .view = MST_VIEW_OBLIQUE};
            mst_scene *scene = scenes[packed] = scene_with(&(mst_scene_options){
                .size = sizeof(mst_scene_options), .sidecars = &resolver, .packed_images = packed});
            const mst_material *m = sides_of(scene);
            const int32_t images[2] = {m->image, (int32_t)m->normal_texture - 1};
            for (int k = 0; k < 2; k++) {
                assert_int_equal(scene->images[images[k]].packed != NULL, packed);
                assert_int_equal(scene->images[images[k]].pixels.data == NULL, packed);
                MUST(mst_scene_image_read(scene, (size_t)images[k], &pixels[packed][k], &why), &why);
            }
            mst_status status = mst_scene_write_glb(scene, NULL, mst_buffer_sink(&glbs[packed]), &why);
            if (status != MST_UNSUPPORTED)
                MUST(status, &why);
            MUST(mst_scene_draw(scene, &how, &pictures[packed], &why), &why);
        }
        for (int k = 0; k < 2; k++) {
            assert_int_equal(pixels[0][k].width, width);
            assert_memory_equal(pixels[0][k].data, pixels[1][k].data, (size_t)width * height * 4);
        }
        assert_int_equal(glbs[0].size, glbs[1].size);
        assert_memory_equal(glbs[0].data, glbs[1].data, glbs[0].size);
        assert_memory_equal(pictures[0].data, pictures[1].data,
                            (size_t)pictures[0].width * pictures[0].height * 4);
        for (int packed = 0; packed < 2; packed++) {
            mst_pixels_free(&pixels[packed][0]);
            mst_pixels_free(&pixels[packed][1]);
            mst_pixels_free(&pictures[packed]);
            mst_buffer_free(&glbs[packed]);
            mst_scene_free(scenes[packed]);
        }
        writer_free(&odd);
    }
    begin_files(IS("Level_alpha") MAPS "opacityMap = \"m.dds\"", NULL);
    mst_scene *scene = scene_with(
        &(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver, .packed_images = 1});
    first_pixel(scene, sides_of(scene)->image, (const uint8_t[4])MASKED);
    mst_pixels none = {0};
    assert_int_equal(mst_scene_image_read(scene, scene->image_count, &none, NULL), MST_NO_PATH);
    mst_scene_free(scene);
    const mst_image empty = {.name = "", .pixels = {.width = 1, .height = 1}};
    const mst_scene bare = {.images = &empty, .image_count = 1};
    assert_int_equal(mst_scene_image_read(&bare, 0, &none, NULL), MST_NO_PATH);
}

/* The colourfulness of a material as displayed, 0..1. */
static float colorfulness(const mst_material *material) {
    float low = 1, high = 0;
    for (int i = 0; i < 3; i++) {
        low = fminf(low, mst_srgb_of_linear(material->color[i]));
        high = fmaxf(high, mst_srgb_of_linear(material->color[i]));
    }
    return high - low;
}

static float brightness(const mst_material *material) {
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += mst_srgb_of_linear(material->color[i]);
    return sum / 3;
}

/* Placeholders next to textures do not stand out, but still differ; where nothing has textures they are
 * brighter, but not gaudy: less colourful than symbols, which are drawn on them. */
static void placeholders_suit_textures(void **state) {
    (void)state;
    begin_files(IS("Level") MAPS, NULL);
    mst_scene *among =
                  scene_with(&(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver}),
              *bare = scene_with(&(mst_scene_options){
                  .size = sizeof(mst_scene_options), .sidecars = &resolver, .no_textures = 1});
    size_t seen = 0;
    assert_int_equal(among->material_count, bare->material_count);
    for (size_t i = 0; i < among->material_count; i++) {
        const mst_material *one = &among->materials[i], *same = &bare->materials[i];
        if (strcmp(one->name, "sides") == 0)
            continue;
        seen++;
        assert_true(colorfulness(one) > 0.05F && colorfulness(one) < 0.22F);
        assert_true(colorfulness(same) > 0.1F && colorfulness(same) < 0.35F);
        assert_true(brightness(same) > brightness(one));
        for (int k = 0; k < 3; k++) /* like stone and metal in levels: neither black nor bright */
            assert_true(mst_srgb_of_linear(one->color[k]) > 0.2F &&
                        mst_srgb_of_linear(one->color[k]) < 0.55F);
        assert_true(one->color[3] == 1);
    }
    assert_true(seen > 0);
    mst_scene_free(among);
    mst_scene_free(bare);
}

/* A material alone is a panel. */
static void materials_are_panels(void **state) {
    (void)state;
    static const char text[] = IS("Level_alpha") MAPS "opacityMap = \"m.dds\"";
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    begin_files(NULL, NULL);
    MUST(mst_open_memory(text, sizeof text - 1,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "wall.material"},
                         &document, &why),
         &why);
    MUST(mst_scene_from_document(
             document, &(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver}, &scene,
             &why),
         &why);
    assert_int_equal(scene->object, MST_OBJECT_PANEL);
    assert_string_equal(scene->name, "wall");
    assert_int_equal(scene->material_count, 1);
    assert_int_equal(scene->materials[0].alpha_mode, MST_ALPHA_MASK);
    first_pixel(scene, scene->materials[0].image, (const uint8_t[4])MASKED);
    mst_bounds box = mst_scene_bounds(scene, 0);
    assert_memory_equal(box.minimum, ((const float[3]){-0.5F, 0, 0}), sizeof box.minimum);
    assert_memory_equal(box.maximum, ((const float[3]){0.5F, 1, 0}), sizeof box.maximum);
    mst_scene_free(scene);
    mst_close(document);
}

/* ---- models in levels ---------------------------------------------------------------------------- */

#define ENTITY(model)                                                                                        \
    "{\"class_name\":\"prop_static\",\"group\":4294967295,\"properties\":["                                  \
    "{\"name\":\"model\",\"type\":4,\"value\":[\"" model "\"]},"                                             \
    "{\"name\":\"origin\",\"type\":9,\"value\":[1,2,3]},"                                                    \
    "{\"name\":\"scale\",\"type\":9,\"value\":[2,3,4]}]}"

static mst_scene *level_scene(const mst_scene_options *options) {
    static const char text[] =
        "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"triangles\":{}},"
        "\"objects\":[" ENTITY("models/a.model") "," ENTITY("models\\\\a.model") "," ENTITY(
            "models/none.model") "," ENTITY("models/bad.model") "," ENTITY("a.dds") "]}";
    const mst_open_options how = {.size = sizeof how, .lenient_json = 1};
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    MUST(mst_open_json(text, sizeof text - 1, &how, &document, &why), &why);
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document);
    return scene;
}

static const mst_node *entity_of(const mst_scene *scene, uint32_t index) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].source.path, "objects") == 0 && scene->nodes[i].source.index == index)
            return &scene->nodes[i];
    fail();
    return NULL;
}

static void props_have_their_models(void **state) {
    (void)state;
    begin_files(IS("Level") MAPS, NULL);
    put_in("models/a.model", model.data, model.size);
    put_in("models/bad.model", "MDL", 3);
    mst_scene *scene =
        level_scene(&(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver});
    const mst_node *first = entity_of(scene, 0), *second = entity_of(scene, 1);
    assert_int_equal(first->role, MST_ROLE_GEOMETRY);
    assert_string_equal(first->class_name, "prop_static");
    assert_true(first->mesh >= 0);
    assert_int_equal(first->mesh, second->mesh);
    const mst_primitive *part = &scene->meshes[first->mesh].primitives[1];
    assert_string_equal(scene->meshes[first->mesh].name, "models/a.model");
    assert_string_equal(part->source.file, "models/a.model");
    assert_string_equal(part->source.path, "face_sets");
    assert_string_equal(scene->materials[part->material].name, "models/sides.material");
    for (uint32_t i = 2; i < 5; i++) { /* markers */
        assert_int_equal(entity_of(scene, i)->role, MST_ROLE_ENTITY);
        assert_int_not_equal(entity_of(scene, i)->mesh, first->mesh);
    }
    /* the model is scaled, not rotated: its box is 2 x 2 x 2 around (0, 1, 0) */
    mst_bounds box = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY);
    static const float low[3] = {-1, 2, -1}, high[3] = {3, 8, 7};
    for (int k = 0; k < 3; k++) {
        assert_true(fabsf(box.minimum[k] - low[k]) < 1e-5F);
        assert_true(fabsf(box.maximum[k] - high[k]) < 1e-5F);
    }
    mst_scene_free(scene);
    scene = level_scene(
        &(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver, .no_assets = 1});
    assert_int_equal(entity_of(scene, 0)->role, MST_ROLE_ENTITY);
    mst_scene_free(scene);
}

/* ---- glTF ---------------------------------------------------------------------------------------- */

static void run_backwards(void *user, size_t count, void (*work)(void *data, size_t index), void *data) {
    assert_null(user);
    while (count)
        work(data, --count);
}

static void gltf_has_all_textures(void **state) {
    (void)state;
    mst_buffer json = {0};
    mst_diagnostic why;
    begin_files(IS("Level_emissive") MAPS "emissiveMap = \"m.dds\"", NULL);
    mst_scene *scene =
        scene_with(&(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver});
    mst_status status =
        mst_scene_write_gltf(scene, NULL, NULL, mst_buffer_sink(&json), (mst_sink){NULL, NULL}, &why);
    MUST(status, &why);
    mst_sink sink = mst_buffer_sink(&json);
    MUST(sink.write(sink.user, "", 1), NULL);
    /* images encoded in another order are the same */
    mst_buffer again = {0};
    const mst_gltf_options parallel = {.size = sizeof parallel, .parallel = {run_backwards, NULL}};
    MUST(mst_scene_write_gltf(scene, &parallel, NULL, mst_buffer_sink(&again), (mst_sink){NULL, NULL}, &why),
         &why);
    assert_int_equal(again.size + 1, json.size);
    assert_memory_equal(again.data, json.data, again.size);
    mst_buffer_free(&again);
    const char *text = (const char *)json.data;
    bool png = strstr(text, "\"images\"") != NULL; /* not in a build without PNG */
    if (png) {
        assert_non_null(strstr(text, "\"baseColorTexture\":{\"index\":"));
        assert_non_null(strstr(text, "\"normalTexture\":{\"index\":"));
        assert_non_null(strstr(text, "\"emissiveTexture\":{\"index\":"));
        assert_non_null(strstr(text, "\"emissiveFactor\":[1,1,1]"));
        assert_non_null(strstr(text, "\"TANGENT\":"));
    } else {
        assert_null(strstr(text, "Texture\":{"));
        assert_null(strstr(text, "\"TANGENT\":"));
    }
    mst_buffer_free(&json);
    mst_scene_free(scene);
}

/* ---- memory -------------------------------------------------------------------------------------- */

static void any_allocation_may_fail(void **state) {
    (void)state;
    begin_files(IS("Level_alpha") MAPS "opacityMap = \"m.dds\"", NULL);
    put_in("models/a.model", model.data, model.size);
    mst_document *document;
    static const char text[] =
        "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"triangles\":{}},\"objects\":[" ENTITY(
            "models/a.model") "]}";
    MUST(mst_open_json(text, sizeof text - 1,
                       &(mst_open_options){.size = sizeof(mst_open_options), .lenient_json = 1}, &document,
                       NULL),
         NULL);
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        const mst_scene_options how = {.size = sizeof how,
                                       .sidecars = &resolver,
                                       .max_texture = 2,
                                       .packed_images = 1,
                                       .allocator = counted_allocator(&c)};
        mst_scene *scene;
        mst_status status = mst_scene_from_document(document, &how, &scene, NULL);
        mst_scene_free(scene);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (status == MST_OK)
            break;
        assert_int_equal(status, MST_NO_MEMORY);
    }
    mst_close(document);
}

/* Memory for unpacking images on demand. */
static void any_allocation_may_fail_while_unpacking(void **state) {
    (void)state;
    begin_files(IS("Level") MAPS, NULL);
    mst_scene *scene = scene_with(
        &(mst_scene_options){.size = sizeof(mst_scene_options), .sidecars = &resolver, .packed_images = 1});
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        done = true;
        for (int what = 0; what < 3; what++) {
            counted c = {.fail_at = fail_at};
            const mst_allocator allocator = counted_allocator(&c);
            mst_pixels pixels = {.allocator = allocator};
            mst_buffer glb = {0};
            const mst_picture_options picture = {.size = sizeof picture, .width = 64, .height = 64};
            mst_status status =
                what == 0   ? mst_scene_image_read(scene, (size_t)sides_of(scene)->image, &pixels, NULL)
                : what == 1 ? mst_scene_draw(scene, &picture, &pixels, NULL)
                            : mst_scene_write_glb(scene,
                                                  &(mst_gltf_options){.size = sizeof(mst_gltf_options),
                                                                      .allocator = allocator},
                                                  mst_buffer_sink(&glb), NULL);
            mst_pixels_free(&pixels);
            mst_buffer_free(&glb);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            assert_true(status == MST_OK || status == MST_NO_MEMORY);
            done = done && c.calls < fail_at;
        }
    }
    mst_scene_free(scene);
}

/* ---- real levels --------------------------------------------------------------------------------- */

/* The numbers after "name": [ ... ] from there on. */
static const char *numbers_after(const char *at, const char *name, double numbers[3]) {
    at = strstr(at, name);
    assert_non_null(at);
    at = strchr(at, '[') + 1;
    for (int k = 0; k < 3; k++) {
        char *end;
        numbers[k] = strtod(at, &end);
        at = end + strspn(end, ", \n");
    }
    return at;
}

/* The props of a level whose models exist have the bounds computed by an independent reader. */
static void bounds_of_real_props(void **state) {
    static const char *const levels[] = {"gameroot/provinggrounds/maps/pg_dm6.level",
                                         "gameroot/mvm/maps/test.level",
                                         "gameroot/extraentities/maps/ns2_eem_test_level.level"};
    static const size_t drawn[] = {194, 1, 1};
    (void)state;
    size_t size;
    char *figures = (char *)corpus_read("spark/expected.json", &size);
    if (!figures)
        skip();
    figures = realloc(figures, size + 1);
    assert_non_null(figures);
    figures[size] = 0;
    for (size_t l = 0; l < 3; l++) {
        char name[120], path[1024];
        mst_level *level_file;
        mst_scene *scene;
        mst_diagnostic why;
        snprintf(name, sizeof name, "spark/%s", levels[l]);
        assert_true(corpus_path(name, path, sizeof path));
        MUST(mst_level_open(path, NULL, &level_file, &why), &why);
        MUST(mst_level_scene(level_file, NULL, &scene, &why), &why);
        snprintf(name, sizeof name, "\"%s\"", levels[l]);
        const char *at = strstr(figures, name);
        assert_non_null(at);
        at = strstr(at, "\"placements\"");
        assert_non_null(at);
        size_t count = 0;
        for (const char *next = at; count < drawn[l] && (next = strstr(at, "\"object\":")) != NULL; count++) {
            uint32_t object = (uint32_t)strtoul(next + 9, NULL, 10);
            double low[3], high[3];
            const char *mins = numbers_after(next, "\"min\"", low),
                       *maxs = numbers_after(next, "\"max\"", high);
            at = mins > maxs ? mins : maxs;
            const mst_node *node = entity_of(scene, object);
            assert_int_equal(node->role, MST_ROLE_GEOMETRY);
            mst_scene one = *scene; /* only this node, below the root */
            mst_node nodes[2] = {scene->nodes[0], *node};
            nodes[1].parent = 0;
            one.nodes = nodes;
            one.node_count = 2;
            mst_bounds box = mst_scene_bounds(&one, 1u << MST_ROLE_GEOMETRY);
            for (int k = 0; k < 3; k++) {
                assert_true(fabs((double)box.minimum[k] - low[k]) < 1e-3);
                assert_true(fabs((double)box.maximum[k] - high[k]) < 1e-3);
            }
        }
        assert_int_equal(count, drawn[l]);
        size_t models = 0;
        for (size_t i = 0; i < scene->node_count; i++)
            models += scene->nodes[i].role == MST_ROLE_GEOMETRY && scene->nodes[i].class_name[0];
        assert_int_equal(models, drawn[l]);
        mst_scene_free(scene);
        mst_level_close(level_file);
    }
    free(figures);
}

int test_spark_look(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_look_as_their_shaders_say),
        cmocka_unit_test(textures_may_be_small_or_left_out),
        cmocka_unit_test(highlights_are_as_glossy_as_their_map),
        cmocka_unit_test(textures_may_stay_packed),
        cmocka_unit_test(placeholders_suit_textures),
        cmocka_unit_test(materials_are_panels),
        cmocka_unit_test(props_have_their_models),
        cmocka_unit_test(gltf_has_all_textures),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(any_allocation_may_fail_while_unpacking),
        cmocka_unit_test(bounds_of_real_props),
    };
    return cmocka_run_group_tests(tests, make_files, free_files);
}
