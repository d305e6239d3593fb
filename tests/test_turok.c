/* SPDX-License-Identifier: MIT */
/* Archives and their contents: odd padding, both byte orders, edits that move the following data, trees of
 * blocks without type tags. */
#include "../src/codec/rnc.h"
#include "../src/core/json.h"
#include "rnc_pack.h"
#include "thorough.h"

/* ---- archives, byte by byte --------------------------------------------------------------------- */

typedef struct made {
    uint8_t bytes[4096];
    size_t size;
    bool big;
} made;

static void put32(made *m, uint32_t value) {
    mst_store32(m->bytes + m->size, value, m->big);
    m->size += 4;
}

static void put_bytes(made *m, const char *bytes, size_t size) {
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static void pad_to(made *m, size_t size, uint8_t with) {
    assert_true(size >= m->size && size <= sizeof m->bytes);
    memset(m->bytes + m->size, with, size - m->size);
    m->size = size;
}

static void assert_survives(const mst_document *document) {
    assert_encodes(document);
    assert_json(document, 1);
    assert_ledger(document);
}

static char *json_of(const mst_document *document, const char *path) {
    mst_value value;
    mst_buffer text = {0};
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    MUST(mst_find(mst_root(document), path, &value, NULL), NULL);
    MUST(mst_write_json(&value, &compact, mst_buffer_sink(&text), NULL), NULL);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    return (char *)text.data;
}

static void assert_has(const mst_document *document, const char *path, const char *words) {
    char *text = json_of(document, path);
    if (!strstr(text, words))
        print_error("%s has no %s\n", text, words);
    assert_non_null(strstr(text, words));
    free(text);
}

/* An archive of a data set, other bytes and an empty archive. The layout follows the specification: offsets
 * from the first byte, blocks at multiples of eight. */
static void small_archive(made *m, bool big, size_t wide, uint8_t with, uint32_t empty_end) {
    memset(m, 0, sizeof *m);
    m->big = big;
    put32(m, 3);
    for (int i = 0; i < 4; i++)
        put32(m, 0);
    pad_to(m, 24, with);
    mst_store32(m->bytes + 4, 24, big);
    put32(m, 3); /* a data set of two elements of three bytes */
    put32(m, 2);
    put_bytes(m, "abcdef", 6);
    pad_to(m, 40 + wide, with);
    mst_store32(m->bytes + 8, (uint32_t)m->size, big);
    put_bytes(m, "\x01\x02\x03\x04\x05", 5);
    pad_to(m, 48 + wide, 0);
    mst_store32(m->bytes + 12, (uint32_t)m->size, big);
    put32(m, 0);
    put32(m, empty_end);
    mst_store32(m->bytes + 16, (uint32_t)m->size, big);
}

static void trees(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        made m;
        small_archive(&m, big, 0, 0, 0);
        mst_document *d = open_as(m.bytes, m.size, "iguana", NULL);
        mst_value value;
        uint64_t number;
        assert_survives(d);
        MUST(mst_find(mst_root(d), "blocks[0].data_set.count", &value, NULL), NULL);
        MUST(mst_get_unsigned(&value, &number), NULL);
        assert_int_equal(number, 2);
        assert_has(d, "blocks[1]", "\"raw\":\"0102030405000000\"");
        assert_has(d, "blocks[2]", "\"empty\":\"0000000000000000\"");
        assert_has(d, "", big ? "\"$byte_order\":\"big\"" : "\"blocks\"");
        char *text = json_of(d, "");
        assert_null(strstr(text, "$gaps"));
        free(text);
        mst_close(d);
        /* padding that is not the default is kept, and reported */
        small_archive(&m, big, 0, 0xEE, 0);
        d = open_as(m.bytes, m.size, "iguana", NULL);
        assert_survives(d);
        assert_has(d, "", "\"$gaps.blocks\":[[0, \"eeeeeeee\"], [1, \"eeee\"]]");
        mst_close(d);
        small_archive(&m, big, 8, 0, 0);
        d = open_as(m.bytes, m.size, "iguana", NULL);
        assert_survives(d);
        assert_has(d, "", "\"$gaps.blocks\":[[1, \"00000000000000000000\"]]");
        mst_ledger ledger;
        MUST(mst_byte_coverage(d, &ledger, NULL), NULL);
        assert_int_equal(ledger.bytes[MST_BYTES_GAP], 10);
        mst_close(d);
        /* bytes after it, and missing padding before the end */
        small_archive(&m, big, 0, 0, 0);
        put_bytes(&m, "tail", 4);
        d = open_as(m.bytes, m.size, "iguana", NULL);
        assert_survives(d);
        assert_has(d, "tail", "7461696c");
        mst_close(d);
    }
}

/* The identifying part of a level: the first blocks, of a grid and actors that take `more` bytes. */
static void level_header(made *m, bool big, uint32_t more) {
    memset(m, 0, sizeof *m);
    m->big = big;
    put32(m, 7);
    const uint32_t offsets[8] = {40, 48, 136, 168, 1000, 2000 + more / 2, 2000 + more, 3000 + more};
    for (int i = 0; i < 8; i++)
        put32(m, offsets[i]);
    pad_to(m, 40, 0);
    put32(m, 1);
    pad_to(m, 48, 0);
    put32(m, 3);
    pad_to(m, 136, 0);
    put32(m, 17);
    put32(m, 1);
    put_bytes(m, "skies/skyMateria", 17);
    pad_to(m, 168, 0);
    put32(m, 3);
}

static const char *reported(const made *m, size_t size, uint64_t file_size) {
    const mst_format_information *format = mst_identify(m->bytes, size, file_size, "x", NULL);
    return format ? format->id : "";
}

/* Levels are distinguished from other archives by their beginning, whatever their size; in a truncated one
 * the first blocks must be present, and the others not too far beyond its end. */
static void levels_are_told(void **state) {
    (void)state;
    static const uint32_t sizes[] = {0, 1000, 200 << 20, 300 << 20, 1500u << 20, 4000000000u};
    for (int big = 0; big < 2; big++) {
        made m;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            level_header(&m, big, sizes[i]);
            for (size_t header = 64; header <= m.size; header++)
                assert_string_equal(reported(&m, header, 3000 + (uint64_t)sizes[i]), "turok-map");
            assert_string_equal(reported(&m, m.size, 3000 + (uint64_t)sizes[i] - 7), "turok-map");
            bool near = sizes[i] <= 200 << 20;
            assert_string_equal(reported(&m, m.size, 3000 + (uint64_t)sizes[i] - 8), near ? "turok-map" : "");
            assert_string_equal(reported(&m, m.size, m.size), near ? "turok-map" : "");
            assert_string_equal(reported(&m, m.size - 4, m.size - 1), ""); /* without the vertices */
        }
        static const struct {
            size_t at;
            uint32_t value;
        } others[] = {{0, 6}, {0, 33}, {4, 32}, {8, 40}, {8, 64}, {48, 2}, {140, 2}, {168, 2}};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            level_header(&m, big, 0);
            mst_store32(m.bytes + others[i].at, others[i].value, big);
            if (strcmp(reported(&m, m.size, 3000), "turok-map") == 0)
                print_error("%zu: %u\n", others[i].at, (unsigned)others[i].value);
            assert_string_not_equal(reported(&m, m.size, 3000), "turok-map");
        }
    }
}

static void put_block(made *m, unsigned index, const uint8_t *bytes, size_t size) {
    mst_store32(m->bytes + 4 + 4 * (size_t)index, (uint32_t)m->size, m->big);
    put_bytes(m, (const char *)bytes, size);
    pad_to(m, (m->size + 7) / 8 * 8, 0);
    mst_store32(m->bytes + 8 + 4 * (size_t)index, (uint32_t)m->size, m->big);
}

/* Ambiguous blocks, and packed ones with a fault. */
static void odd_blocks(void **state) {
    (void)state;
    static const char plain[] = "what is packed: text, text, and text again, and again text";
    counted memory = {0};
    const mst_allocator allocator = counted_allocator(&memory);
    uint8_t *packed;
    size_t packed_size;
    MUST(rnc_pack((const uint8_t *)plain, sizeof plain, &allocator, &packed, &packed_size, NULL), NULL);
    made m = {.size = 4 + 4 * 7};
    mst_store32(m.bytes, 6, false);
    uint8_t words[24] = {1, 0, 0, 0, 16, 0, 0, 0, 24}; /* an archive of a block, or 16 elements of a byte */
    put_block(&m, 0, words, sizeof words);
    words[8] = 28; /* that would end after itself */
    put_block(&m, 1, words, sizeof words);
    put_block(&m, 2, packed, packed_size);
    packed[7]++; /* more than the packed size */
    put_block(&m, 3, packed, packed_size);
    packed[7]--;
    packed[12] ^= 1;
    put_block(&m, 4, packed, packed_size);
    packed[12] ^= 1;
    packed[14] ^= 1;
    put_block(&m, 5, packed, packed_size);
    counted_resize(&memory, packed, packed_size, 0);
    put_bytes(&m, "tail", 4);
    mst_document *d = open_as(m.bytes, m.size, "iguana", NULL), *content;
    static const struct {
        const char *code, *path, *found;
    } wanted[] = {{"IGUANA-AMBIGUOUS", "blocks[0]", ""},
                  {"RNC-SIZE", "blocks[3].rnc", NULL},
                  {"RNC-CRC", "blocks[4].rnc", "a different checksum of the unpacked bytes"},
                  {"RNC-CRC", "blocks[5].rnc", "a different checksum of the packed bytes"},
                  {"IGUANA-TAIL", "tail", "4 bytes"}};
    for (int information = 0; information < 2; information++) {
        mst_check_options options = {.size = sizeof options, .information = information};
        findings list = {0};
        MUST(mst_check(d, &options, collect, &list, NULL, NULL), NULL);
        if (list.count != 4u + (unsigned)information)
            print_findings(&list);
        assert_int_equal(list.count, 4 + information);
        for (size_t i = 0; i < list.count; i++) {
            const mst_diagnostic *f = &list.items[i];
            size_t k = i + 1 - (size_t)information;
            assert_string_equal(f->code, wanted[k].code);
            assert_string_equal(f->path, wanted[k].path);
            if (wanted[k].found)
                assert_string_equal(f->found, wanted[k].found);
            mst_value value;
            uint64_t offset, length;
            MUST(mst_find(mst_root(d), f->path, &value, NULL), NULL);
            mst_value_span(&value, &offset, &length);
            assert_true(f->offset >= offset && f->offset <= offset + length);
        }
        assert_stops(d, &options, &list);
        findings_free(&list);
    }
    /* the packed content is accessible, from the block or from the record in it */
    mst_value value;
    mst_diagnostic why;
    static const char *const good[] = {"blocks[2]", "blocks[2].rnc", "blocks[4]"};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        MUST(mst_find(mst_root(d), good[i], &value, NULL), NULL);
        MUST(mst_open_content(&value, NULL, &content, &why), &why);
        const void *bytes = mst_document_bytes(content, &size);
        assert_int_equal(size, sizeof plain);
        assert_memory_equal(bytes, plain, size);
        mst_close(content);
    }
    static const char *const none[] = {"", "blocks", "blocks[0]", "blocks[1]", "blocks[1].data_set", "tail"};
    for (size_t i = 0; i < 6; i++) {
        MUST(mst_find(mst_root(d), none[i], &value, NULL), NULL);
        assert_int_equal(mst_open_content(&value, NULL, &content, &why), MST_UNSUPPORTED);
        assert_null(content);
    }
    MUST(mst_find(mst_root(d), "blocks[3].rnc", &value, NULL), NULL);
    uint64_t offset, length;
    mst_value_span(&value, &offset, &length);
    assert_int_equal(mst_open_content(&value, NULL, &content, NULL), MST_DAMAGED);
    assert_int_equal(mst_open_content(&value, NULL, &content, &why), MST_DAMAGED);
    assert_string_equal(why.code, "RNC-SIZE");
    assert_true(why.offset > offset && why.offset <= offset + length);
    MUST(mst_find(mst_root(d), "blocks[2]", &value, NULL), NULL);
    memory.fail_at = memory.calls + 1;
    mst_open_options refusing = {.size = sizeof refusing, .allocator = counted_allocator(&memory)};
    assert_int_equal(mst_open_content(&value, &refusing, &content, &why), MST_NO_MEMORY);
    assert_true(why.status == MST_NO_MEMORY && why.offset == MST_NO_OFFSET);
    assert_int_equal(memory.blocks, 0);
    mst_close(d);
}

static findings findings_of(const mst_document *document) {
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
    return list;
}

static void cut_in_its_last_padding(void **state) {
    (void)state;
    made m;
    small_archive(&m, false, 0, 0, 0);
    /* without its last block, the archive ends in padding */
    mst_store32(m.bytes, 2, false);
    for (size_t missing = 0; missing < 4; missing++) {
        mst_document *d = open_as(m.bytes, 48 - missing, "iguana", NULL);
        assert_survives(d);
        if (missing) {
            char words[32];
            snprintf(words, sizeof words, "\"$cut.blocks\":%zu", missing);
            assert_has(d, "", words);
        }
        findings list = findings_of(d);
        assert_int_equal(list.count, missing != 0);
        if (missing) { /* at the stored end */
            assert_string_equal(list.items[0].code, "IGUANA-TAIL-SHORT");
            assert_string_equal(list.items[0].path, "blocks");
            assert_int_equal(list.items[0].offset, 12);
            assert_int_equal(list.items[0].length, 4);
        }
        findings_free(&list);
        mst_close(d);
    }
}

/* Oddities of an archive that opens. */
static void archives_that_are_odd(void **state) {
    (void)state;
    static const struct {
        const char *begin; /* of a block of 24 bytes, big-endian packed size after it */
        uint32_t packed;
        const char *code, *path;
        uint64_t offset;
    } cases[] = {
        {"RNC\1\0\0\0\0", 7, "RNC-HEADER", "blocks[0].raw", 24},
        {"RNC\2\0\0\0\0", 0xFFFFFFFF, "RNC-HEADER", "blocks[0].raw", 24},
        {"RNC\3\0\0\0\0", 7, NULL, NULL, 0}, /* an unknown method: other bytes */
        {"RNX\1\0\0\0\0", 7, NULL, NULL, 0},
    };
    for (int big = 0; big < 2; big++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            made m = {.big = big};
            put32(&m, 1), put32(&m, 16), put32(&m, 40);
            pad_to(&m, 16, 0);
            put_bytes(&m, cases[i].begin, 8);
            put32(&m, 0);
            mst_store32(m.bytes + 24, cases[i].packed, true);
            put_bytes(&m, "\0\0\0\0\0\1packed", 12);
            mst_document *d = open_as(m.bytes, m.size, "iguana", NULL);
            assert_survives(d);
            findings list = findings_of(d);
            assert_int_equal(list.count, cases[i].code != NULL);
            if (cases[i].code) {
                assert_string_equal(list.items[0].code, cases[i].code);
                assert_string_equal(list.items[0].path, cases[i].path);
                assert_int_equal(list.items[0].offset, cases[i].offset);
            }
            findings_free(&list);
            mst_close(d);
            /* and bytes after the end */
            put_bytes(&m, "tail", 4);
            d = open_as(m.bytes, m.size, "iguana", NULL);
            list = findings_of(d);
            assert_int_equal(count_code(&list, "IGUANA-TAIL"), 1);
            findings_free(&list);
            mst_close(d);
        }
}

/* Invalid offsets are reported with their place; like any file, such a one may still be of another kind. */
static void bad_offsets(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *code;
        uint64_t offset;
    } cases[] = {{0, 0xFFFFFFFF, "IGUANA-COUNT", 0},
                 {4, 8, "IGUANA-OFFSET", 4},
                 {8, 16, "IGUANA-OFFSET", 8},
                 {12, 0xFFFFFFF0, "IGUANA-OFFSET", 16},
                 {16, 0x7FFFFFFF, "IGUANA-TRUNCATED", 16}};
    for (int big = 0; big < 2; big++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            made m;
            mst_document *d;
            mst_diagnostic why;
            small_archive(&m, big, 0, 0, 0);
            mst_store32(m.bytes + cases[i].at, cases[i].value, big);
            /* its byte order is no longer known: little-endian is tried */
            mst_status status = mst_open_memory(
                m.bytes, m.size, &(mst_open_options){.size = sizeof(mst_open_options), .format = "iguana"},
                &d, &why);
            assert_int_equal(status, MST_DAMAGED);
            if (!big) {
                assert_string_equal(why.code, cases[i].code);
                assert_int_equal(why.offset, cases[i].offset);
                assert_string_equal(why.path, "blocks");
            }
        }
}

/* ---- levels ------------------------------------------------------------------------------------- */

#define ACTOR                                                                                                \
    "{\"type\":0,\"origin\":[0,0,0],\"scale\":[1,1,1],\"yaw\":0,\"sector\":-1,\"bounds_min\":[0,0,0],"       \
    "\"bounds_max\":[0,0,0],\"sight_range_squared\":0,\"sight_fov\":0,\"loud_range_squared\":0,"             \
    "\"quiet_range_squared\":0,\"attack_range_squared\":0,\"fly_height\":0,\"collision_width\":0,"           \
    "\"collision_wall_width\":0,\"collision_height\":0,\"collision_dead_height\":0,\"melee_range_squared\":" \
    "0,"                                                                                                     \
    "\"leash_radius_squared\":0,\"trigger_delay\":0,\"species_mask\":[],\"spawn_flags_1\":0,"                \
    "\"spawn_flags_2\":0,\"spawn_flags_3\":0,\"health\":0,\"tid\":1,\"target_tid\":0,"                       \
    "\"max_regenerations\":0,\"attack_chance\":0,\"trigger_animation\":0,\"variant\":0,\"texture\":0,"       \
    "\"parameter_1\":0,\"parameter_2\":0}"
#define LEVEL(extra)                                                                                         \
    "{\"$format\":\"turok-map\"" extra ",\"version\":1,\"world\":{\"sun_direction\":[0,0,1],"                \
    "\"sun_color\":[1,1,1,1],\"ambient_color\":[-0.0,0,0,1]},\"sky_material\":\"sky\","                      \
    "\"collision\":{\"vertices\":[],\"sector_sets\":[],\"sectors\":[]},"                                     \
    "\"grid_bounds\":{\"size\":[1,1],\"minimums\":[[0,0]],\"maximums\":[[1,1]]},\"grid_sections\":[{}],"     \
    "\"actors\":{\"records\":[" ACTOR "],\"models\":[\"models/a.bin\"],\"animations\":[\"\"]}}"

static mst_document *level_of(const char *json) {
    mst_document *document;
    mst_diagnostic why;
    mst_status status = mst_open_json(json, strlen(json), NULL, &document, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return document;
}

/* Where a block of the root begins. */
static uint32_t root_offset(const mst_document *document, uint32_t index) {
    size_t size;
    const uint8_t *bytes = mst_document_bytes(document, &size);
    return mst_load32(bytes + 4 + 4 * (size_t)index, false);
}

static void canonical_layout(void **state) {
    (void)state;
    mst_document *d = level_of(LEVEL(""));
    size_t size;
    const uint8_t *bytes = mst_document_bytes(d, &size);
    /* the root of seven blocks: 8 + 4 x 7 bytes, up to a multiple of eight */
    assert_int_equal(mst_load32(bytes, false), 7);
    assert_int_equal(root_offset(d, 0), 40);
    assert_int_equal(root_offset(d, 1), 48);
    assert_int_equal(root_offset(d, 7), size);
    for (uint32_t i = 0; i <= 7; i++)
        assert_int_equal(root_offset(d, i) % 8, 0);
    /* the sky: one element of four bytes and its NUL's */
    assert_memory_equal(bytes + root_offset(d, 2), "\x04\0\0\0\x01\0\0\0sky\0\0\0\0\0", 16);
    /* a cell without meshes is eight zeros, and so is an empty list */
    assert_memory_equal(bytes + root_offset(d, 5) + 16, "\0\0\0\0\0\0\0\0", 8);
    assert_survives(d);
    mst_close(d);
}

static void longer_texts(void **state) {
    (void)state;
    mst_document *d = level_of(LEVEL(""));
    size_t before, after;
    mst_diagnostic why;
    mst_document_bytes(d, &before);
    uint32_t actors = root_offset(d, 6);
    MUST(mst_set(d, "sky_material", "skies/skyMaterials/a", &why), &why);
    mst_document_bytes(d, &after);
    assert_int_equal(after, before + 16); /* 4 bytes became 21, in steps of eight */
    assert_int_equal(root_offset(d, 6), actors + 16);
    assert_int_equal(root_offset(d, 7), after);
    assert_has(d, "sky_material", "\"skies/skyMaterials/a\"");
    assert_has(d, "actors.models[0]", "\"models/a.bin\"");
    assert_survives(d);
    MUST(mst_set(d, "actors.models[0]", "\"\"", &why), &why);
    MUST(mst_set(d, "actors.animations[0]", "anims/b_anim.bin", &why), &why);
    assert_has(d, "actors.models[0]", "\"\"");
    assert_survives(d);
    MUST(mst_set(d, "sky_material", "sky", &why), &why);
    MUST(mst_set(d, "actors.models[0]", "models/a.bin", &why), &why);
    MUST(mst_set(d, "actors.animations[0]", "\"\"", &why), &why);
    mst_document *again = level_of(LEVEL(""));
    const uint8_t *bytes = mst_document_bytes(again, &before);
    assert_same_bytes(d, bytes, before);
    mst_close(again);
    /* a list of them */
    MUST(mst_set(d, "actors.models", "[\"one\",\"two\"]", &why), &why);
    assert_has(d, "actors.models", "[\"one\",\"two\"]");
    assert_survives(d);
    /* a missing text is not the empty one */
    MUST(mst_set(d, "sky_material", "null", &why), &why);
    assert_survives(d);
    mst_close(d);
}

static void data_sets_grow(void **state) {
    (void)state;
    mst_document *d = level_of(LEVEL(""));
    mst_diagnostic why;
    size_t before, after;
    mst_document_bytes(d, &before);
    MUST(mst_insert(d, "collision.vertices[0]", "{\"position\":[1,2,3],\"ceiling\":4}", &why), &why);
    mst_document_bytes(d, &after);
    assert_int_equal(after, before + 16);
    assert_has(d, "collision.vertices", "[{\"position\":[1,2,3],\"ceiling\":4}]");
    assert_survives(d);
    MUST(mst_remove(d, "collision.vertices[0]", &why), &why);
    mst_document *again = level_of(LEVEL(""));
    const uint8_t *bytes = mst_document_bytes(again, &before);
    assert_same_bytes(d, bytes, before);
    mst_close(again);
    assert_int_equal(mst_insert(d, "actors.models[0]", "\"x\"", &why), MST_REFUSED);
    mst_close(d);
}

static void odd_forms(void **state) {
    (void)state;
    static const struct {
        const char *json, *path, *words;
    } cases[] = {
        {LEVEL(",\"$layout\":\"sectors of 18 bytes\""), "collision", "\"sectors\":[]"},
        {"{\"$format\":\"turok-map\",\"$byte_order\":\"big\",\"version\":2,\"world\":{\"$gaps\":[[1,"
         "\"01020304\"]],"
         "\"sun_direction\":[0,0,1],\"sun_color\":[1,1,1,1],\"ambient_color\":[0,0,0,1]},\"sky_material\":"
         "null,"
         "\"collision\":{\"$stride.sectors\":18,\"vertices\":[],\"sector_sets\":[],\"sectors\":[]},"
         "\"grid_bounds\":{\"size\":[0,0],\"minimums\":[],\"maximums\":[]},\"$end.grid_sections\":8,"
         "\"grid_sections\":[],\"actors\":{\"records\":[],\"models\":[],\"animations\":[]},"
         "\"visibility\":{\"stride\":2,\"row_count\":1,\"rows\":\"ffff\"},\"block_8\":\"0102030405060708\","
         "\"tail\":\"ab\"}",
         "", "\"$end.grid_sections\":8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *d = level_of(cases[i].json);
        assert_has(d, cases[i].path, cases[i].words);
        assert_survives(d);
        mst_document *twin, *back;
        mst_diagnostic why;
        mst_convert_options big = {.size = sizeof big, .byte_order = i ? "little" : "big"},
                            little = {.size = sizeof little, .byte_order = i ? "big" : "little"};
        MUST(mst_convert(d, &big, NULL, NULL, &twin, &why), &why);
        assert_survives(twin);
        MUST(mst_convert(twin, &little, NULL, NULL, &back, &why), &why);
        size_t size;
        const uint8_t *bytes = mst_document_bytes(d, &size);
        assert_same_bytes(back, bytes, size);
        mst_close(back);
        mst_close(twin);
        mst_close(d);
    }
}

/* ---- the corpus --------------------------------------------------------------------------------- */

static void all_survive(void **state) {
    corpus_list list;
    (void)state;
    if (!corpus_files("turok", ".map", ".dat", &list)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        skip();
    }
    assert_true(list.count >= 8);
    for (size_t i = 0; i < list.count; i++) {
        char path[200];
        size_t size;
        snprintf(path, sizeof path, "turok/%s", list.names[i]);
        uint8_t *bytes = corpus_read(path, &size);
        mst_document *d, *twin, *back;
        mst_diagnostic why;
        MUST(mst_open_memory(bytes, size, NULL, &d, &why), &why);
        assert_survives(d);
        bool big = strstr(path, "_be") != NULL;
        mst_convert_options there = {.size = sizeof there,
                                     .byte_order = big ? "little" : "big",
                                     .allow_loss = 1},
                            here = {
                                .size = sizeof here, .byte_order = big ? "big" : "little", .allow_loss = 1};
        MUST(mst_convert(d, &there, NULL, NULL, &twin, &why), &why);
        assert_survives(twin);
        MUST(mst_convert(twin, &here, NULL, NULL, &back, &why), &why);
        assert_same_bytes(back, bytes, size);
        mst_close(back);
        mst_close(twin);
        mst_close(d);
        free(bytes);
    }
}

/* The block that "0/0/1@/2" names: numbers of blocks, '@' for packed content. Closes the documents on the
 * way. */
static bool same_node(const mst_document *archive, const char *name, const mst_json_node *figures) {
    char path[512] = "";
    mst_document *inside = NULL;
    size_t length = 0;
    for (const char *at = name; *at;) {
        if (*at == '/') {
            at++;
        } else if (*at == '@') {
            mst_value packed;
            mst_document *next;
            MUST(mst_find(mst_root(inside ? inside : archive), path, &packed, NULL), NULL);
            MUST(mst_open_content(&packed, NULL, &next, NULL), NULL);
            mst_close(inside);
            inside = next;
            length = (size_t)snprintf(path, sizeof path, "content");
            at++;
        } else {
            char *end;
            unsigned long block = strtoul(at, &end, 10);
            length += (size_t)snprintf(path + length, sizeof path - length, "%sblocks[%lu]",
                                       length ? "." : "", block);
            at = end;
        }
    }
    mst_value block, part;
    const mst_json_node *kind = figures + 1;
    const char *field = kind->length == 7 && memcmp(kind->text, "indexed", 7) == 0    ? "blocks"
                        : kind->length == 8 && memcmp(kind->text, "data_set", 8) == 0 ? "data_set"
                        : kind->length == 3 && memcmp(kind->text, "rnc", 3) == 0      ? "rnc"
                        : kind->length == 5 && memcmp(kind->text, "empty", 5) == 0    ? "empty"
                                                                                      : "raw";
    MUST(mst_find(mst_root(inside ? inside : archive), path, &block, NULL), NULL);
    bool same = mst_member(&block, field, &part) == MST_OK;
    uint64_t numbers[2] = {0, 0}, said;
    mst_value number;
    if (same && strcmp(field, "data_set") == 0) {
        MUST(mst_member(&part, "stride", &number), NULL);
        MUST(mst_get_unsigned(&number, &numbers[0]), NULL);
        MUST(mst_member(&part, "count", &number), NULL);
        MUST(mst_get_unsigned(&number, &numbers[1]), NULL);
    } else if (same && strcmp(field, "rnc") == 0) {
        MUST(mst_member(&part, "method", &number), NULL);
        MUST(mst_get_unsigned(&number, &numbers[0]), NULL);
        MUST(mst_member(&part, "unpacked_size", &number), NULL);
        MUST(mst_get_unsigned(&number, &numbers[1]), NULL);
    } else if (same && strcmp(field, "blocks") == 0) {
        numbers[0] = mst_count(&part);
        assert_true(mst_read_u64(figures[3].text, figures[3].length, &said));
        same = said == numbers[0];
    }
    if (same && numbers[1]) {
        assert_true(mst_read_u64(figures[3].text, figures[3].length, &said));
        same = said == numbers[0];
        assert_true(mst_read_u64(figures[4].text, figures[4].length, &said));
        same = same && said == numbers[1];
    }
    if (!same)
        print_error("%s is not as expected\n", name);
    mst_close(inside);
    return same;
}

static void trees_are_as_expected(void **state) {
    (void)state;
    size_t size;
    uint8_t *text = corpus_read("turok/expected.json", &size);
    if (!text)
        skip();
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_json json;
    mst_diagnostic why;
    mst_status status = mst_json_parse((const char *)text, size, &arena, &json, &why);
    if (status == MST_UNSUPPORTED) {
        free(text);
        mst_arena_end(&arena);
        skip();
    }
    MUST(status, &why);
    const mst_json_node *n = json.nodes;
    unsigned checked = 0;
    for (uint32_t file = 1; file < n[0].end; file = n[file + 1].end) {
        char path[128];
        snprintf(path, sizeof path, "turok/%.*s", (int)n[file].length, n[file].text);
        if (!strstr(path, ".dat"))
            continue;
        size_t length;
        uint8_t *bytes = corpus_read(path, &length);
        mst_document *d = open_as(bytes, length, "iguana", NULL);
        for (uint32_t at = file + 2; at < n[file + 1].end; at = n[at + 1].end) {
            if (n[at].length != 5 || memcmp(n[at].text, "nodes", 5) != 0)
                continue;
            for (uint32_t node = at + 2; node < n[at + 1].end; node = n[node + 1].end) {
                char name[128];
                snprintf(name, sizeof name, "%.*s", (int)n[node].length, n[node].text);
                if (strcmp(name, "/") == 0)
                    continue;
                assert_true(same_node(d, name, &n[node + 1]));
                checked++;
            }
        }
        mst_close(d);
        free(bytes);
    }
    assert_true(checked > 100);
    mst_arena_end(&arena);
    free(text);
}

/* A list of blocks, inside a level, that is shorter than its header. */
static void a_header_that_does_not_fit(void **state) {
    (void)state;
    size_t size;
    uint8_t *text = read_whole("tests/fuzz/seeds/turok_map.json", &size);
    mst_document *d;
    mst_diagnostic why;
    assert_non_null(text);
    MUST(mst_open_json((const char *)text, size, NULL, &d, &why), &why);
    free(text);
    mst_value actors, models;
    MUST(mst_find(mst_root(d), "actors", &actors, NULL), NULL);
    MUST(mst_find(mst_root(d), "actors.models", &models, NULL), NULL);
    uint64_t base, begin, length;
    mst_value_span(&actors, &base, &length);
    mst_value_span(&models, &begin, &length);
    const uint8_t *bytes = mst_document_bytes(d, &size);
    made m = {.size = size};
    assert_true(size <= sizeof m.bytes);
    memcpy(m.bytes, bytes, size);
    mst_close(d);
    for (uint32_t left = 0; left < 8; left++) {
        /* the third offset of the actors is the beginning of their animations */
        mst_store32(m.bytes + base + 12, (uint32_t)(begin - base) + left, false);
        mst_open_options options = {.size = sizeof options, .name = "a.map"};
        assert_int_equal(mst_open_memory(m.bytes, m.size, &options, &d, &why), MST_DAMAGED);
        assert_string_equal(why.code, "TUROK-TRUNCATED");
        assert_string_equal(why.path, "actors.models");
        assert_int_equal(why.offset, begin);
        assert_int_equal(why.length, left);
    }
}

/* Blocks that no known level has are identified by their number: the file's own table states which one is
 * where. */
static void blocks_by_number(void **state) {
    (void)state;
    size_t size, length;
    char *sample = (char *)read_whole("samples/valley.json", &size);
    assert_non_null(sample);
    char *json = malloc(size + 4096);
    assert_non_null(json);
    memcpy(json, sample, size);
    json[size] = 0;
    length = (size_t)(strrchr(json, '}') - json);
    length += (size_t)sprintf(json + length, ",\"visibility\":{\"stride\":0,\"row_count\":0,\"rows\":\"\"}");
    for (unsigned i = 8; i < 32; i++)
        length += (size_t)sprintf(json + length, ",\"block_%u\":\"%02x\"", i, i);
    length += (size_t)sprintf(json + length, "}");
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_json(json, length, NULL, &d, &why), &why);
    const uint8_t *bytes = mst_document_file(d, 0, NULL, &size);
    assert_int_equal(mst_load32(bytes, false), 32);
    for (uint32_t i = 8; i < 32; i++) {
        char path[16];
        mst_value block;
        uint64_t offset, count, from = mst_load32(bytes + 4 + 4 * (size_t)i, false);
        assert_int_equal(bytes[from], i);
        snprintf(path, sizeof path, "block_%u", (unsigned)i);
        MUST(mst_find(mst_root(d), path, &block, &why), &why);
        mst_value_span(&block, &offset, &count);
        assert_int_equal(offset, from);
    }
    assert_survives(d);
    mst_close(d);
    free(json);
    free(sample);
}

int test_turok(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_by_number),
        cmocka_unit_test(trees),
        cmocka_unit_test(levels_are_told),
        cmocka_unit_test(odd_blocks),
        cmocka_unit_test(cut_in_its_last_padding),
        cmocka_unit_test(archives_that_are_odd),
        cmocka_unit_test(bad_offsets),
        cmocka_unit_test(a_header_that_does_not_fit),
        cmocka_unit_test(canonical_layout),
        cmocka_unit_test(longer_texts),
        cmocka_unit_test(data_sets_grow),
        cmocka_unit_test(odd_forms),
        cmocka_unit_test(all_survive),
        cmocka_unit_test(trees_are_as_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
