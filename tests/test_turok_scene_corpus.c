/* SPDX-License-Identifier: MIT */
/* Scenes of real Turok levels, compared with figures of an independent reader. */
#include "turok_level.h"

/* ---- digests ----------------------------------------------------------------------------------- */

/* SHA-256 as in FIPS 180-4. */
static uint32_t turned_right(uint32_t value, unsigned bits) {
    return value >> bits | value << (32 - bits);
}

static void sha256(const uint8_t *bytes, size_t size, char text[65]) {
    uint32_t h[8], k[64];
    /* the fractions of the roots of the first primes */
    for (uint32_t prime = 2, count = 0; count < 64; prime++) {
        bool is_prime = true;
        for (uint32_t d = 2; d * d <= prime; d++)
            is_prime = is_prime && prime % d;
        if (!is_prime)
            continue;
        double square = sqrt((double)prime), cube = cbrt((double)prime);
        if (count < 8)
            h[count] = (uint32_t)((square - floor(square)) * 4294967296.0);
        k[count++] = (uint32_t)((cube - floor(cube)) * 4294967296.0);
    }
    size_t padded = (size + 8) / 64 * 64 + 64;
    uint8_t *all = calloc(padded, 1);
    assert_non_null(all);
    if (size)
        memcpy(all, bytes, size);
    all[size] = 0x80;
    for (int i = 0; i < 8; i++)
        all[padded - 1 - (size_t)i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t block = 0; block < padded; block += 64) {
        uint32_t w[64], s[8];
        for (size_t i = 0; i < 16; i++)
            w[i] = mst_load32(all + block + 4 * i, true);
        for (int i = 16; i < 64; i++) {
            uint32_t a = turned_right(w[i - 15], 7) ^ turned_right(w[i - 15], 18) ^ w[i - 15] >> 3;
            uint32_t b = turned_right(w[i - 2], 17) ^ turned_right(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + a + w[i - 7] + b;
        }
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            uint32_t e = turned_right(s[4], 6) ^ turned_right(s[4], 11) ^ turned_right(s[4], 25);
            uint32_t a = turned_right(s[0], 2) ^ turned_right(s[0], 13) ^ turned_right(s[0], 22);
            uint32_t one = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            uint32_t two = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += one;
            s[0] = one + two;
        }
        for (int i = 0; i < 8; i++)
            h[i] += s[i];
    }
    free(all);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08lx", (unsigned long)h[i]);
}

static void test_sha256(void **state) {
    (void)state;
    char text[65];
    sha256((const uint8_t *)"abc", 3, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* ---- the corpus -------------------------------------------------------------------------------- */

typedef struct figures {
    const char *file;
    size_t floors, ceilings, waters, solid_edges, area_primitives;
    size_t meshes, mesh_boxes, actors, actor_boxes, cameras;
    const char *floor_digest, *ceiling_digest, *water_digest;
    double low[3], high[3]; /* of floors */
    const char *classes;
    double travel[3]; /* of light, in the file's axes */
} figures;

static const figures expected[] = {
    {"synth_basic18.map",
     3,
     2,
     1,
     5,
     3,
     3,
     3,
     2,
     2,
     1,
     "dd5e48280e4dd841abab86546fc3a4043a009f494e4204f9e395246a034d7825",
     "9580242d2d0b94033cb81552d573ea13a67d955ba7d32b4119f516e0b0cf0368",
     "d9efaaceda074dedbac5975e16dd48bc25425dc8ee1661404ae4a79dd592c7b6",
     {0, 0, 0},
     {512, 1024, 64},
     "wall 1 plain 2 ",
     {0.668597, 0.568807, -0.478995}},
    {"synth_vis8.map",
     3,
     2,
     1,
     5,
     3,
     3,
     3,
     2,
     2,
     1,
     "dd5e48280e4dd841abab86546fc3a4043a009f494e4204f9e395246a034d7825",
     "9580242d2d0b94033cb81552d573ea13a67d955ba7d32b4119f516e0b0cf0368",
     "d9efaaceda074dedbac5975e16dd48bc25425dc8ee1661404ae4a79dd592c7b6",
     {0, 0, 0},
     {512, 1024, 64},
     "wall 1 plain 2 ",
     {0.668597, 0.568807, -0.478995}},
    {"synth_stride16.map",
     3,
     2,
     1,
     5,
     3,
     3,
     3,
     2,
     2,
     1,
     "dd5e48280e4dd841abab86546fc3a4043a009f494e4204f9e395246a034d7825",
     "9580242d2d0b94033cb81552d573ea13a67d955ba7d32b4119f516e0b0cf0368",
     "d9efaaceda074dedbac5975e16dd48bc25425dc8ee1661404ae4a79dd592c7b6",
     {0, 0, 0},
     {512, 1024, 64},
     "wall 1 plain 2 ",
     {0.668597, 0.568807, -0.478995}},
    {"synth_empty.map",
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     {1, 1, 1},
     {-1, -1, -1},
     "",
     {0.668597, 0.568807, -0.478995}},
    {"synth_level.map",
     3180,
     242,
     210,
     224,
     48,
     400,
     400,
     120,
     105,
     1,
     "95451d74ab07788767a25a3b1eca20edaf332e03a11cc65bdf7c1a41b59cd51e",
     "269ff376a47851af34e3826b3c5abc550fb24efc0bdfde9ed4f6e2a95ed14b8a",
     "3d0cc9556504499798c8c3fb7d2b761bc7b397e9fefddeb8e07907cc44810820",
     {-5208.77490234375, -5208.783203125, 84.51899719238281},
     {5208.908203125, 5207.6640625, 883.8870239257812},
     "death_pit 18 teleport 20 checkpoint 20 event 18 secret 20 climb 6 wall 104 crawl 24 water 210 "
     "restricted 20 bridge 12 plain 2708 ",
     {0.669555, 0.569622, -0.476683}},
    {"synth_valley.map",
     3052,
     772,
     280,
     300,
     26,
     400,
     400,
     120,
     94,
     1,
     "9536f2844fab071c8b1a3b1a34aa2ebc0face803c1b6e4db5d65984ba41f2bb0",
     "ecfdba62fb68802c084811e4bb18490bb555dad0cf9ae12bcb64effecd464184",
     "7d1953b31bb8ebd61576f93a6cefaaf1c1b9fda39edaa0441cbc1fb03585d484",
     {0, 0, -59.882999420166016},
     {4505.60009765625, 3686.39990234375, 99.98699951171875},
     "death_pit 8 checkpoint 12 climb 14 wall 204 water 280 plain 2534 ",
     {0.668597, 0.568807, -0.478995}},
};

#define SECTORS_MAX 4096

/* The triangles of a layer in the order of their sectors, by the lists in its nodes. */
typedef struct layer_figures {
    size_t triangles, primitives;
    char digest[65];
    double low[3], high[3];
} layer_figures;

static void figures_of(const mst_scene *scene, const char *layer, layer_figures *f) {
    float(*found)[9] = calloc(SECTORS_MAX, sizeof *found);
    uint8_t *bytes = malloc((size_t)SECTORS_MAX * 36);
    bool *there = calloc(SECTORS_MAX, sizeof *there);
    assert_true(found && bytes && there);
    memset(f, 0, sizeof *f);
    for (int i = 0; i < 3; i++) {
        f->low[i] = 1;
        f->high[i] = -1;
    }
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (strcmp(node->layer, layer) != 0 || node->mesh < 0)
            continue;
        const char *list = text_of(node, "sectors");
        const mst_mesh *mesh = &scene->meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++, f->primitives++) {
            const mst_primitive *p = &mesh->primitives[k];
            for (uint32_t corner = 0; corner < p->vertex_count; corner += 3, f->triangles++) {
                char *after;
                unsigned long sector = strtoul(list, &after, 10);
                assert_true(after > list && sector < SECTORS_MAX && !there[sector]);
                list = after;
                there[sector] = true;
                memcpy(found[sector], p->positions + (size_t)corner * 3, sizeof *found);
            }
        }
        assert_string_equal(list, "");
    }
    size_t size = 0;
    for (size_t i = 0; i < SECTORS_MAX; i++)
        for (size_t k = 0; k < 9 && there[i]; k++, size += 4) {
            float value = found[i][k] + 0.0F;
            if (size < 12 || (double)value < f->low[k % 3])
                f->low[k % 3] = (double)value;
            if (size < 12 || (double)value > f->high[k % 3])
                f->high[k % 3] = (double)value;
            mst_store32(bytes + size, mst_bits_of_f32(value), false);
        }
    sha256(bytes, size, f->digest);
    free(found);
    free(bytes);
    free(there);
}

static size_t count_layer(const mst_scene *scene, const char *layer, mst_role role, int32_t parent) {
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += strcmp(scene->nodes[i].layer, layer) == 0 && scene->nodes[i].role == role &&
                 scene->nodes[i].parent == parent;
    return count;
}

/* The classes of all floors, as "wall 1 plain 2 ", in the order of the search. */
static void classes_of(const mst_scene *scene, char *text, size_t capacity) {
    static const char *const names[] = {"death_pit",  "damage", "teleport", "checkpoint", "event",
                                        "secret",     "climb",  "wall",     "crawl",      "water",
                                        "restricted", "bridge", "plain"};
    size_t length = 0;
    text[0] = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t count = 0;
        for (size_t i = 0; i < scene->node_count; i++) {
            const mst_node *node = &scene->nodes[i];
            const mst_mesh *mesh = node->mesh >= 0 ? &scene->meshes[node->mesh] : NULL;
            for (size_t k = 0; mesh && strcmp(node->layer, "floor") == 0 && k < mesh->primitive_count; k++)
                if (strcmp(scene->materials[mesh->primitives[k].material].name, names[n]) == 0)
                    count += mesh->primitives[k].vertex_count / 3;
        }
        if (count)
            length += (size_t)snprintf(text + length, capacity - length, "%s %zu ", names[n], count);
    }
}

static void check_figures(const figures *e, const mst_scene *scene) {
    layer_figures f;
    char classes[400];
    figures_of(scene, "floor", &f);
    assert_int_equal(f.triangles, e->floors);
    assert_int_equal(f.primitives, e->area_primitives);
    assert_string_equal(f.digest, e->floor_digest);
    for (int i = 0; i < 3; i++) {
        assert_true(f.low[i] == e->low[i]);
        assert_true(f.high[i] == e->high[i]);
    }
    figures_of(scene, "ceiling", &f);
    assert_int_equal(f.triangles, e->ceilings);
    assert_string_equal(f.digest, e->ceiling_digest);
    figures_of(scene, "water", &f);
    assert_int_equal(f.triangles, e->waters);
    assert_string_equal(f.digest, e->water_digest);
    int32_t walls = find_node(scene, "walls");
    assert_int_equal(walls < 0 ? 0 : mesh_of(scene, "walls")->primitives->vertex_count, e->solid_edges * 6);
    classes_of(scene, classes, sizeof classes);
    assert_string_equal(classes, e->classes);
    static const char *const layers[] = {"static_meshes", "static_mesh_boxes", "actors", "actor_boxes"};
    static const mst_role roles[] = {MST_ROLE_GROUP, MST_ROLE_HELPER, MST_ROLE_ENTITY, MST_ROLE_HELPER};
    const size_t counts[] = {e->meshes, e->mesh_boxes, e->actors, e->actor_boxes};
    for (int i = 0; i < 4; i++)
        assert_int_equal(count_layer(scene, layers[i], roles[i], find_node(scene, layers[i])), counts[i]);
    assert_int_equal(count_layer(scene, "start", MST_ROLE_CAMERA, 0), e->cameras);
    float travel[3];
    to_world(scene, "sun", (const float[3]){0, 0, -(float)UNITS}, true, travel);
    const double wanted[3] = {e->travel[0], e->travel[2], -e->travel[1]};
    assert_reals(travel, wanted, 3, 2e-5);
    assert_outward(scene);
}

/* In a level of which the automap hides every third sector all are on the map, and those are marked. */
static void test_hidden_sectors(void **state) {
    (void)state;
    size_t size, hidden = 0, marked = 0;
    mst_diagnostic why;
    mst_document *document;
    uint8_t *bytes = corpus_read("turok/synth_level.map", &size);
    if (!bytes)
        skip();
    MUST(mst_open_memory(bytes, size, NULL, &document, &why), &why);
    mst_value sectors, flags;
    MUST(mst_find(mst_root(document), "collision.sectors", &sectors, &why), &why);
    uint64_t count = mst_count(&sectors), offset, length;
    for (uint64_t i = 0; i < count; i += 3) {
        mst_value sector;
        MUST(mst_element(&sectors, i, &sector), NULL);
        MUST(mst_member(&sector, "flags", &flags), NULL);
        mst_value_span(&flags, &offset, &length);
        bytes[offset + 1] |= 0x02; /* bit 9 */
    }
    for (uint64_t i = 0; i < count; i++) { /* some were hidden before */
        mst_value sector;
        MUST(mst_element(&sectors, i, &sector), NULL);
        MUST(mst_member(&sector, "flags", &flags), NULL);
        mst_value_span(&flags, &offset, &length);
        marked += (bytes[offset + 1] & 0x02) != 0;
    }
    assert_true(marked >= (count + 2) / 3);
    mst_close(document);
    mst_scene *scene = scene_of_bytes(bytes, size, NULL);
    assert_int_equal(scene->map->face_count, count);
    for (size_t i = 0; i < scene->map->face_count; i++)
        if (strcmp(scene->map->keys[scene->map->faces[i].key].name, "hidden") == 0)
            assert_int_equal(i, hidden++); /* they are first */
    assert_int_equal(hidden, marked);
    mst_scene_free(scene);
    free(bytes);
}

static void test_corpus(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char name[64];
        size_t size;
        snprintf(name, sizeof name, "turok/%s", expected[i].file);
        uint8_t *bytes = corpus_read(name, &size);
        if (!bytes)
            return;
        mst_scene *scene = scene_of_bytes(bytes, size, NULL);
        check_figures(&expected[i], scene);
        if (strcmp(expected[i].file, "synth_valley.map") == 0) {
            /* the first mesh and actor */
            const mst_node *mesh = node_named(scene, "mesh_0_0"), *player = node_named(scene, "actor_0");
            assert_string_equal(text_of(mesh, "model"), "models/env_tree26.bin");
            ASSERT_REALS(mesh->translation, 111.78199005126953, 13.222679138183594, 58.30400085449219);
            ASSERT_REALS(mesh->rotation, 0, 0, -0.026084482669830322, 0.9996597170829773);
            ASSERT_REALS(player->translation, 96.20368194580078, 214.97364807128906, 40);
            ASSERT_REALS(player->rotation, 0, 0, 0.6591853504817538, 0.7519805008843298);
        }
        mst_scene_free(scene);
        free(bytes);
    }
}

int test_turok_scene_corpus(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_hidden_sectors),
        cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
