/* SPDX-License-Identifier: MIT */
/* Records with parts whose sizes are stored. */
#include "own_format.h"

/* ---- sizes and parts --------------------------------------------------------------------------- */

/*
 * A thing: tag (negative: nothing else), sizes, body, tail; then its last part: a count, that many numbers, a
 * tail; then one byte outside. In layout "whole" the sizes are (both, last), in "split" (first, both).
 */
enum { R_COUNT = 1, R_TAG };
enum { I_THINGS, I_THING };
#define IN_LAYOUT(n) .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, (n)}}

#define SIZE(label, which, n)                                                                                \
    { .name = label, .kind = MST_KIND_U16, .flags = MST_FIELD_##which, IN_LAYOUT(n) }

static const mst_field thing_fields[] = {
    {.name = "tag", .kind = MST_KIND_I8, .flags = MST_FIELD_STOP, BIND(R_TAG)},
    SIZE("size_1", SIZE, 0),
    SIZE("size_2", SIZE_LAST, 0),
    SIZE("size_1", SIZE_FIRST, 1),
    SIZE("size_2", SIZE, 1),
    {.name = "body", .kind = MST_KIND_U16},
    {.name = "tail", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
    {.name = "count",
     .kind = MST_KIND_U8,
     .length_of = "numbers",
     BIND(R_COUNT),
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT},
    {.name = "numbers",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT,
     .record = &(const mst_record){.name = "number",
                                   .index = 2,
                                   .fields = &(const mst_field){.name = "x", .kind = MST_KIND_U16, BIND(5)},
                                   .field_count = 1}},
    {.name = "rest",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_OMIT_EMPTY},
    {.name = "outside", .kind = MST_KIND_U8, .flags = MST_FIELD_OUTSIDE},
};

static const mst_record thing = {.name = "thing", .index = I_THING, TABLE(thing_fields)};

static const mst_field things_fields[] = {
    {.name = "things", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &thing}};

static const mst_record things = {.name = "things", .index = I_THINGS, TABLE(things_fields)};
static uint8_t chosen_layout;

static bool in_layout(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                      mst_variant *variant) {
    variant->layout = chosen_layout;
    return any_file(bytes, size, file_size, name, variant);
}

static const char *const thing_layouts[] = {"whole", "split"};

static void put_thing(writer *w, unsigned index, const char *tail, int count, unsigned numbers,
                      const char *rest) {
    char path[32];
    snprintf(path, sizeof path, "things[%u]", index);
    at(w, "%s.tag", path), put_u8(w, 1);
    size_t sizes = w->size;
    put_u16(w, 0), put_u16(w, 0);
    at(w, "%s.body", path), put_u16(w, (uint16_t)(500 + index));
    if (*tail)
        at(w, "%s.tail", path), put_bytes_of(w, tail, strlen(tail));
    size_t first = w->size - sizes - 4;
    if (count >= 0)
        at(w, "%s.count", path), put_u8(w, (uint8_t)count);
    for (unsigned i = 0; i < numbers; i++)
        at(w, "%s.numbers[%u].x", path, i), put_u16(w, (uint16_t)(100 + i));
    if (*rest)
        at(w, "%s.rest", path), put_bytes_of(w, rest, strlen(rest));
    size_t whole = w->size - sizes - 4;
    mst_store16(w->data + sizes, (uint16_t)(chosen_layout ? first : whole), w->big);
    mst_store16(w->data + sizes + 2, (uint16_t)(chosen_layout == 1 ? whole : whole - first), w->big);
    at(w, "%s.outside", path), put_u8(w, (uint8_t)(7 + index));
}

static void parts(void **state) {
    (void)state;
    static const mst_record *list[3];
    list[0] = &things;
    list[1] = &thing;
    list[2] = thing_fields[8].record;
    const mst_format format = {FORMAT_PROBED(things, list, in_layout),
                               .conversion = &(const mst_conversion){.either_order = true},
                               .identity.layouts = thing_layouts, .identity.layout_count = 2};
    for (chosen_layout = 0; chosen_layout < 2; chosen_layout++) {
        writer w = {0};
        put_thing(&w, 0, "", -1, 0, "");
        put_thing(&w, 1, "tail", -1, 0, "");
        put_thing(&w, 2, "", 0, 0, "");
        put_thing(&w, 3, "", 2, 2, "");
        put_thing(&w, 4, "t", 5, 2, ""); /* a count of more than exist */
        put_thing(&w, 5, "t", 1, 1, "rest");
        put_u8(&w, 0x80); /* empty */
        put_thing(&w, 7, "", 0, 0, "r");
        put_u8(&w, 0xFF);
        mst_document *d = open_own(&format, &w);
        assert_marks(d, &w);
        assert_survives(d);
        assert_int_equal(count_at(d, "things"), 9);
        assert_false(has(d, "things[0].count"));
        assert_true(has(d, "things[2].count"));
        assert_int_equal(count_at(d, "things[4].numbers"), 2);
        assert_int_equal(number_at(d, "things[4].count"), 5);
        assert_int_equal(count_at(d, "things[6]"), 1);
        mst_value root = mst_root(d);
        char *text = json_of(&root, 1);
        static const char *const whole =
            "{\"$format\":\"test\",%s\"things\":["
            "{\"tag\":1,\"body\":500,\"outside\":7},"
            "{\"tag\":1,\"body\":501,\"tail\":\"7461696c\",\"outside\":8},"
            "{\"tag\":1,\"body\":502,\"outside\":9,\"count\":0},"
            "{\"tag\":1,\"body\":503,\"numbers\":[{\"x\":100},{\"x\":101}],\"outside\":10},"
            "{\"tag\":1,\"body\":504,\"tail\":\"74\",\"numbers\":[{\"x\":100},{\"x\":101}],\"outside\":11,"
            "\"count\":5},"
            "{\"tag\":1,\"body\":505,\"tail\":\"74\",\"numbers\":[{\"x\":100}],\"rest\":\"72657374\","
            "\"outside\":12},{\"tag\":-128},"
            "{\"tag\":1,\"body\":507,\"numbers\":[],\"rest\":\"72\",\"outside\":14},{\"tag\":-1}]}";
        char expected[1200];
        static const char *const layouts[] = {"", "\"$layout\":\"split\","};
        snprintf(expected, sizeof expected, whole, layouts[chosen_layout]);
        assert_string_equal(text, expected);
        free(text);
        /* sizes are updated by edits in every part, and by none outside */
        mst_diagnostic why;
        writer now = {0};
        MUST(mst_set(d, "things[1].tail", "\"6f74686572\"", &why), &why);
        MUST(mst_set(d, "things[0].tail", "\"6f\"", &why), &why);
        MUST(mst_insert(d, "things[3].numbers[2]", "{\"x\":102}", &why), &why);
        MUST(mst_remove(d, "things[5].numbers[0]", &why), &why);
        MUST(mst_set(d, "things[5].rest", "\"7272\"", &why), &why);
        put_thing(&now, 0, "o", -1, 0, "");
        put_thing(&now, 1, "other", -1, 0, "");
        put_thing(&now, 2, "", 0, 0, "");
        put_thing(&now, 3, "", 3, 3, "");
        put_thing(&now, 4, "t", 5, 2, "");
        put_thing(&now, 5, "t", 0, 0, "rr");
        put_u8(&now, 0x80);
        put_thing(&now, 7, "", 0, 0, "r");
        put_u8(&now, 0xFF);
        assert_same_bytes(d, now.data, now.size);
        assert_survives(d);
        writer_free(&now);
        mst_close(d);
        every_beginning(&format, &w);
        every_byte(&format, &w);
        writer_free(&w);
        /* impossible sizes: the second part is larger than both, the first smaller than its known fields */
        put_thing(&w, 0, "", 1, 1, "");
        for (unsigned i = 0; i < 2; i++) {
            mst_store16(w.data + 1 + 2 * (size_t)i, 1000, false);
            assert_int_equal(try_as(&format, &w, &d, &why), MST_DAMAGED);
            assert_string_equal(why.code, "T-OVERRUN");
            mst_store16(w.data + 1 + 2 * (size_t)i, 0, false);
            mst_status status = try_as(&format, &w, &d, &why);
            assert_true(status == MST_DAMAGED || status == MST_OK);
            mst_close(d);
            writer_free(&w);
            put_thing(&w, 0, "", 1, 1, "");
        }
        writer_free(&w);
    }
    chosen_layout = 0;
}

int test_parts(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
