/* SPDX-License-Identifier: MIT */
/* Revenant's models: files written by hand are opened, edited and written; those whose offsets do not lead to
 * parts are kept unparsed. */
#include "../src/formats/revenant/imagery/imagery_model.h"
#include "revenant_kept.h"
#include "revenant_model.h"
#include "sfa_parsed.h"
#include "thorough.h"

static mst_document *open_model(const writer *w) {
    const mst_open_options options = {.size = sizeof options, .name = "A.I3D"};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w->data, w->size, &options, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, "revenant-model");
    return document;
}

static const char kept[] = "REV-IMAGE-MODEL";

/* It opens and is exact, with this finding or none; `kept`: its data is not understood. */
static void assert_opens(writer *w, const char *code, const char *path) {
    mst_document *d = open_model(w);
    assert_same_bytes(d, w->data, w->size);
    assert_round_trips(d);
    assert_int_equal(number_of(d, "form"), code == kept);
    if (code == kept)
        assert_kept(d);
    else if (code)
        assert_one(d, NULL, code, path);
    else
        assert_nothing(d, NULL);
    findings list = check_all(d, NULL);
    assert_stops(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    findings_free(&list);
    assert_cut_refused(d, 1 + (size_t)d->size / 200);
    assert_limits_held(d, 1 + (size_t)d->size / 50);
    mst_close(d);
    writer_free(w);
}

static void kinds(void **state) {
    (void)state;
    static const model_plan plans[] = {
        {.flags = 0},
        {.flags = 128, .motion = true},
        {.flags = 1 | 128 | 64, .motion = true, .version = 3, .tags = true},
        {.flags = 8, .motion = true, .version = 2, .icon = true},
        {.flags = 32, .tags = true, .icon = true},
        {.flags = 2, .short_body = true},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        writer w = model_usual(&plans[i]);
        assert_opens(&w, NULL, NULL);
    }
}

static void values(void **state) {
    (void)state;
    writer w = model_usual(&(model_plan){.flags = 128, .version = 3, .tags = true});
    mst_document *d = open_model(&w);
    assert_int_equal(number_of(d, "parts[0].body[0].vertex_count"), 3);
    assert_int_equal(number_of(d, "parts[kind=objects].objects[0].vertex_count"), 3);
    assert_int_equal(number_of(d, "parts[kind=object_states].object_states[0].parent"), -1);
    assert_int_equal(number_of(d, "parts[kind=object_states].object_states[1].keys"), 4294967295);
    assert_int_equal(count_of(d, "parts[kind=keys].keys"), 2);
    assert_int_equal(number_of(d, "parts[kind=textures].textures[0].width"), 2);
    assert_int_equal(number_of(d, "parts[kind=object_faces].object_faces[1].count"), 1);
    assert_int_equal(number_of(d, "states[1].frames"), 3);
    mst_diagnostic why;
    static const struct {
        const char *path, *value;
        mst_status status;
    } cases[] = {
        {"parts[kind=materials].materials[0].power", "3.5", MST_OK},
        {"parts[kind=vertices].vertices[0].position", "[1,2,3]", MST_OK},
        {"parts[0].body[0].vertex_count", "2", MST_REFUSED},
        {"parts[0].body[0].flags", "0", MST_REFUSED},
        {"parts[0].body[0].faces", "99", MST_REFUSED},
        {"parts[0].kind", "77", MST_REFUSED},
        {"container_version", "2", MST_REFUSED},
        {"parts[kind=object_states].object_states[0].keys", "4294967295", MST_REFUSED},
        {"states[0].walkmap", "\"010203\"", MST_REFUSED},
        {"table", "[8]", MST_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_status status = mst_set(d, cases[i].path, cases[i].value, &why);
        if (status == MST_UNSUPPORTED)
            continue;
        if (status != cases[i].status)
            print_error("%s: %s\n", cases[i].path, why.message);
        assert_int_equal(status, cases[i].status);
        if (status == MST_OK)
            assert_round_trips(d);
    }
    char *table = malloc(3 * 65536 + 2);
    assert_non_null(table);
    for (size_t i = 0; i < 65536; i++)
        memcpy(table + 3 * i, i ? ", 0" : "[ 0", 3);
    memcpy(table + 3 * 65536, "]", 2);
    assert_int_not_equal(mst_set(d, "table", table, NULL), MST_OK);
    free(table);
    /* a kind that does not exist: no document has it */
    mst_value kind;
    MUST(mst_find(mst_root(d), "parts[1].kind", &kind, NULL), NULL);
    uint8_t *bytes = exact_copy(d->data, (size_t)d->size);
    bytes[kind.offset] = 77;
    counted memory = {0};
    assert_int_equal(serialize_parsed(d->format, bytes, (size_t)d->size, &memory, NULL), MST_REFUSED);
    free(bytes);
    mst_close(d);
    writer_free(&w);
}

/* The beginning of the data. */
static size_t data_of(const writer *w) {
    return w->size - mst_load32(w->data + 8, false);
}

static void odd_models(void **state) {
    (void)state;
    const model_plan plan = {.flags = 128, .motion = true};
    writer w = model_usual(&plan);
    image_set(&w, 20 + 8 + 32, 4); /* the walkmap */
    assert_opens(&w, "REV-IMAGE-WALKMAP", "states[0].walkmap");
    w = model_usual(&plan);
    put_u8(&w, 1);
    assert_opens(&w, "REV-IMAGE-TRAILING", "trailing");
    /* bytes before a part: the keys, which follow the motion of two frames */
    w = model_usual(&plan);
    size_t data = data_of(&w);
    mst_document *d = open_model(&w);
    mst_value value;
    mst_place place;
    MUST(mst_find(mst_root(d), "parts[kind=keys].keys[0]", &value, NULL), NULL);
    MUST(mst_place_of(d, value.offset, 4, &place), NULL);
    mst_close(d);
    w.data[place.offset - 1] = 0x77;
    d = open_model(&w);
    findings list = check_all(d, NULL);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "REV-IMAGE-UNKNOWN");
    assert_stops(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    findings_free(&list);
    mst_close(d);
    writer_free(&w);
    /* no materials, at the beginning of the textures */
    w = model_usual(&plan);
    image_set(&w, data + 28, 0);
    size_t texture = data + 40 + mst_load32(w.data + data + 40, false);
    image_lead(&w, data + 32, texture);
    d = open_model(&w);
    assert_int_equal(number_of(d, "form"), 0);
    assert_same_bytes(d, w.data, w.size);
    assert_round_trips(d);
    mst_close(d);
    /* too many pixels */
    image_set(&w, texture + 8, 0x10000);
    image_set(&w, texture + 12, 0x10000);
    d = open_model(&w);
    assert_int_equal(number_of(d, "form"), 1);
    mst_close(d);
    writer_free(&w);
    /* two states with the same motion */
    w = model_usual(&plan);
    mst_store16(w.data + 20 + 8 + 76 + 42, 2, false);
    size_t first = data + 8 + mst_load32(w.data + data + 8, false) + 12;
    image_lead(&w, first + 16, first + mst_load32(w.data + first, false));
    assert_opens(&w, NULL, NULL);
}

/* A few bytes that lead to a growing number of parts. */
static void many_parts(void **state) {
    (void)state;
    image_source s;
    image_begin(&s);
    for (unsigned i = 0; i < 8; i++) {
        image_state(&s, "walk", 0, 0, 0, NULL);
        mst_store16(s.header.data + 76 * (size_t)i + 42, 40, false);
    }
    writer *w = &s.data;
    w->size = 0;
    put_u32(w, 17), put_u32(w, 1);
    image_zeros(w, 52);
    image_lead(w, 16, 60);
    for (unsigned i = 0; i < 32 / 4; i++)
        put_u32(w, 32 - 4 * i);
    for (unsigned i = 0; i < 40; i++)
        put_u32(w, 4);
    writer made = image_finish(&s);
    made.data[20] = 1;
    assert_opens(&made, kept, NULL);
    /* no data */
    image_begin(&s);
    s.data.size = 0;
    made = image_finish(&s);
    made.data[20] = 2;
    assert_opens(&made, kept, NULL);
}

/* A body of an unknown version: its findings. */
static void third_kind(void **state) {
    (void)state;
    writer w = model_usual(&(model_plan){.flags = 0, .tags = true, .version = 3});
    image_set(&w, w.size - mst_load32(w.data + 8, false) + 4, 0);
    mst_document *d = open_model(&w);
    findings list = check_all(d, NULL);
    assert_string_equal(list.items[0].found, "version 0");
    findings_free(&list);
    assert_kept(d);
    mst_close(d);
    writer_free(&w);
}

/* A changed number in the data: it is then kept unparsed. */
static void odd_numbers(void **state) {
    (void)state;
    static const struct {
        uint32_t at, value;
    } cases[] = {{4, 0},           {4, 4},  {12, 4},          {12, 0x7FFFFFFF}, {20, 0x80000000},
                 {24, 0x10000},    {16, 8}, {36, 0x80000000}, {36, 2},          {24, 4},
                 {56, 0x7FFFFFF0}, {68, 1}, {52, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = model_usual(&(model_plan){.flags = 0, .tags = true, .version = 3});
        size_t data = w.size - mst_load32(w.data + 8, false);
        image_set(&w, data + cases[i].at, cases[i].value);
        assert_opens(&w, kept, NULL);
    }
    /* as a body of the old kind it is too short */
    writer w = model_usual(&(model_plan){.flags = 0});
    image_set(&w, w.size - mst_load32(w.data + 8, false), 0);
    assert_opens(&w, kept, NULL);
}

static void bent(void **state) {
    (void)state;
    random_state random = {3};
    writer w =
        model_usual(&(model_plan){.flags = 1, .tags = true, .version = 3, .icon = true, .motion = true});
    const mst_open_options options = {.size = sizeof options, .name = "A.I3D"};
    mst_document *d;
    for (unsigned i = 0; i < 1500 / sample_step(); i++) {
        uint8_t *copy = exact_copy(w.data, w.size);
        for (unsigned k = 0; k < 2; k++)
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
}

int test_revenant_model(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds),      cmocka_unit_test(values),
                                       cmocka_unit_test(third_kind), cmocka_unit_test(odd_numbers),
                                       cmocka_unit_test(odd_models), cmocka_unit_test(many_parts),
                                       cmocka_unit_test(bent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
