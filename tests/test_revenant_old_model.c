/* SPDX-License-Identifier: MIT */
/* Models of Revenant with bodies of the old kind: files written by hand are opened, edited and written; those
 * with undescribed data are kept unparsed. */
#include "revenant_body.h"
#include "revenant_kept.h"
#include "sfa_parsed.h"
#include "thorough.h"

/* The document has its bytes in `file`. */
static mst_document *open_body(const body *b, writer *file) {
    mst_document *document;
    mst_diagnostic why;
    *file = file_of(b);
    MUST(mst_open_memory(file->data, file->size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"}, &document,
                         &why),
         &why);
    assert_same_bytes(document, file->data, file->size);
    assert_round_trips(document);
    return document;
}

static void close_body(mst_document *document, writer *file) {
    mst_close(document);
    writer_free(file);
}

static const char kept[] = "REV-IMAGE-MODEL";

/* It opens and is exact, with this finding or none; `kept`: its data is not understood. */
static void assert_opens(body *b, const char *code, const char *path) {
    writer file;
    mst_document *d = open_body(b, &file);
    if (code == kept)
        assert_kept(d);
    else if (code)
        assert_one(d, NULL, code, path);
    else
        assert_nothing(d, NULL);
    findings list = check_all(d, NULL);
    assert_stops(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    findings_free(&list);
    assert_cut_refused(d, 1 + (size_t)d->size / 100);
    assert_limits_held(d, 1 + (size_t)d->size / 20);
    close_body(d, &file);
    free(b->data);
}

enum { ICONS = 2 };

/* The size of the body follows from the beginning of its first part. */
static void sizes(void **state) {
    (void)state;
    static const struct {
        uint32_t flags, size;
        const char *kind;
    } cases[] = {{0, 6876, "oldest_body"},  {0, 7132, "older_body"},      {0, 7388, "old_body"},
                 {HANGS, 7388, "old_body"}, {HANGS, 6876, "oldest_body"}, {MORPHS, 7132, "older_body"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* without the table there is nothing that depends on it */
        body b = old_body_of(cases[i].size < 7388 ? 0 : cases[i].flags, cases[i].size);
        number(&b, 0, cases[i].flags);
        if (cases[i].flags & MORPHS) /* one frame has corners, the other states none */
            mst_store16(b.header + 8 + 42, 1, false);
        if (cases[i].flags & MORPHS)
            number(&b, 6620, 0);
        writer file;
        mst_document *d = open_body(&b, &file);
        char path[64];
        snprintf(path, sizeof path, "parts[0].%s[0].vertex_count", cases[i].kind);
        assert_int_equal(number_of(d, path), 6);
        close_body(d, &file);
        free(b.data);
    }
    body bodies[] = {old_body_of(0, 6876), old_body_of(0, 7132), old_body(HANGS)};
    for (size_t i = 0; i < 3; i++)
        assert_opens(&bodies[i], NULL, NULL);
}

/* A picture for the inventory in state 0, and motion in state 2. */
static body with_all(void) {
    body b = old_body(HANGS | ICONS);
    uint32_t icon = led(&b, 6876, 12), motion = led(&b, 6364 + 8, 8);
    uint32_t image = led(&b, icon + 4, 8);
    number(&b, icon, 5);
    memcpy(b.data + image, "image", 5);
    number(&b, motion, 7), number(&b, motion + 4, 0x40000009);
    return b;
}

static void values(void **state) {
    (void)state;
    body b = with_all();
    writer file;
    mst_document *d = open_body(&b, &file);
    assert_nothing(d, NULL);
    assert_int_equal(number_of(d, "parts[0].old_body[0].face_count"), 2);
    assert_int_equal(number_of(d, "parts[0].old_body[0].object_count"), 2);
    assert_int_equal(number_of(d, "parts[0].old_body[0].textures[0].width"), 2);
    assert_int_equal(number_of(d, "parts[0].old_body[0].vertex_counts[1]"), 3);
    assert_int_equal(number_of(d, "parts[0].old_body[0].face_counts[1][1]"), 1);
    assert_int_equal(number_of(d, "parts[0].old_body[0].keys[1]"), 4294967295);
    assert_int_equal(count_of(d, "parts[kind=long_keys].long_keys"), 4); /* two frames of two objects */
    assert_int_equal(count_of(d, "parts[kind=vertices].vertices"), 6);
    assert_int_equal(count_of(d, "parts[kind=motion].motion"), 2);
    assert_int_equal(number_of(d, "parts[kind=motion].motion[1].motion"), 0x40000009);
    assert_int_equal(number_of(d, "parts[kind=icons].icons[0].size"), 5);
    assert_int_equal(count_of(d, "parts[7].parents"), 4 * STATES);
    assert_int_equal(number_of(d, "parts[7].parents[0]"), -1);
    mst_diagnostic why;
    static const struct {
        const char *path, *value;
        mst_status status;
    } cases[] = {
        {"parts[0].old_body[0].materials[0].power", "3.5", MST_OK},
        {"parts[0].old_body[0].names[1]", "\"head\"", MST_OK},
        {"parts[kind=vertices].vertices[5].position", "[1,2,3]", MST_OK},
        {"parts[7].parents[1]", "1", MST_OK},
        {"parts[kind=icons].icons[0].size", "4", MST_REFUSED},
        {"parts[0].old_body[0].object_count", "65", MST_REFUSED},
        {"parts[0].old_body[0].object_count", "1", MST_REFUSED},
        {"parts[0].old_body[0].vertex_count", "7", MST_REFUSED},
        {"parts[0].old_body[0].texture_count", "0", MST_REFUSED},
        {"parts[0].old_body[0].flags", "[]", MST_REFUSED},
        {"parts[0].old_body[0].keys[63]", "1", MST_REFUSED},
        {"parts[0].old_body[0].motion[2]", "99", MST_REFUSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_status status = mst_set(d, cases[i].path, cases[i].value, &why);
        if (status != cases[i].status)
            print_error("%s: %s\n", cases[i].path, why.message);
        assert_int_equal(status, cases[i].status);
        if (status == MST_OK)
            assert_round_trips(d);
    }
    close_body(d, &file);
    free(b.data);
}

/* Offsets in fields that the description defines as unused: the data is then kept unparsed. */
static void odd_numbers(void **state) {
    (void)state;
    static const struct {
        uint32_t at, value;
    } cases[] = {
        {8 + 4 * STATES, 16}, /* corners of a missing state */
        {6364 + 4 * 63, 16},  /* motion */
        {6620 + 4 * 63, 16},  /* keys */
        {6876, 16},           /* a picture without the flag */
        {7132 + 4 * 63, 16},  /* a parent of a missing object */
        {1784 + 4, 16},       /* pixels of a missing texture */
        {1816, 16},           /* a palette */
        {272, 9},             /* materials */
        {916, 9},             /* textures */
        {1880, 65},           /* objects */
        {1880, 0xFFFFFFFF},
        {4, 0x7FFFFFFF},
        {264, 0x80000000},
        {268, 0xCDCDCDCD},
        {1848, 0x7FFFFFFF},
        {268, 16},
        {920 + 8, 0x10000},
        {8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        body b = old_body(HANGS);
        number(&b, cases[i].at, cases[i].value);
        if (cases[i].at == 8) /* no corners: no offset points to them */
            number(&b, 12, 1);
        assert_opens(&b, kept, NULL);
    }
    body b = old_body(0);
    b.end = 6875;
    assert_opens(&b, kept, NULL);
}

/* Room for the corners of more frames, which is not used. */
static void fillings(void **state) {
    (void)state;
    for (unsigned zeros = 4; zeros <= 8; zeros += 4) {
        body b = old_body(0);
        uint32_t at = b.end += zeros;
        number(&b, 6364, at - 6364); /* motion */
        b.end += 8;
        assert_opens(&b, zeros < 8 ? NULL : "REV-IMAGE-UNKNOWN", "parts[7].filling");
    }
    body b = old_body(0);
    b.end += 12;
    assert_opens(&b, "REV-IMAGE-UNKNOWN", "data_filling");
}

/* Bytes changed at random. */
static void bent(void **state) {
    (void)state;
    random_state random = {5};
    body b = with_all();
    writer w = file_of(&b);
    const mst_open_options options = {.size = sizeof options, .name = "a.i3d"};
    mst_document *d;
    for (unsigned i = 0; i < 600 / sample_step(); i++) {
        uint8_t *copy = exact_copy(w.data, w.size);
        static const uint32_t lists[] = {0,    4,    8,    264,  268,  916,  928,
                                         1784, 1848, 1880, 6364, 6620, 6876, 7132};
        uint32_t list = 264 + lists[random_below(&random, 14)];
        copy[list + random_below(&random, 4)] = (uint8_t)random_next(&random);
        copy[random_below(&random, (uint32_t)w.size)] = (uint8_t)random_next(&random);
        if (mst_open_memory(copy, w.size, &options, &d, NULL) == MST_OK) {
            if (strcmp(mst_document_format(d)->id, "revenant-model") == 0)
                assert_same_bytes(d, copy, w.size);
            assert_encodes(d);
            assert_checks(d);
            mst_close(d);
        }
        free(copy);
    }
    writer_free(&w);
    free(b.data);
}

int test_revenant_old_model(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(values),
                                       cmocka_unit_test(odd_numbers), cmocka_unit_test(fillings),
                                       cmocka_unit_test(bent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
