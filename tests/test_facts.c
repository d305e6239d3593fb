/* SPDX-License-Identifier: MIT */
/*
 * Facts about values: for every fixture, each number that names an element leads to one with that number, and
 * the element leads back to it; and for single values the statements of the formats' descriptions.
 */
#include "../src/check/refers.h"
#include "../src/read/engine.h"
#include "fixtures.h"
#include <mapstone/facts.h>

typedef struct pair {
    char path[300], to[300];
} pair;

typedef struct pairs {
    pair *items;
    size_t count, capacity;
} pairs;

static mst_status keep(void *user, const mst_reference *one) {
    pairs *all = user;
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->items = realloc(all->items, all->capacity * sizeof *all->items);
        assert_non_null(all->items);
    }
    pair *made = &all->items[all->count++];
    memset(made, 0, sizeof *made);
    snprintf(made->path, sizeof made->path, "%s", one->path);
    snprintf(made->to, sizeof made->to, "%s", one->to);
    return MST_OK;
}

static pairs references(const mst_document *d, const char *path, int inwards) {
    pairs all = {0};
    mst_diagnostic why;
    MUST(mst_references(d, path, inwards, keep, &all, &why), &why);
    return all;
}

/* Whether an element has that number: in its list, or as one of its fields. */
static bool has_number(const mst_value *element, const char *path, uint64_t number) {
    mst_value field;
    uint64_t own;
    char text[100], end[40];
    if (strtoull(strrchr(path, '[') + 1, NULL, 10) == number)
        return true;
    snprintf(end, sizeof end, "%llu", (unsigned long long)number);
    for (mst_iterator it = mst_iterate(element); mst_next(&it, &field);) {
        if (mst_get_unsigned(&field, &own) == MST_OK && own == number)
            return true;
        size_t length;
        if (mst_get_text(&field, text, sizeof text, &length) == MST_OK && length < sizeof text &&
            length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0)
            return true; /* the number that a text ends in */
    }
    return false;
}

static size_t compared;

static void assert_references(const char *name, const mst_document *d) {
    pairs all = references(d, "", 0);
    for (size_t i = 0; i < all.count; i += all.count / 40 + 1) {
        const pair *one = &all.items[i];
        mst_value number, element;
        mst_diagnostic why;
        uint64_t stored;
        MUST(mst_find(mst_root(d), one->path, &number, &why), &why);
        MUST(mst_find(mst_root(d), one->to, &element, &why), &why);
        const mst_field *field = mst_field_of(&number);
        bool bits = false, masked = false, then = false;
        for (uint8_t k = 0; k < field->refers_count; k++) {
            bits = bits || field->refers[k].by == MST_BY_BIT;
            masked = masked || field->refers[k].mask;
            then = then || field->refers[k].then;
        }
        if (!bits && !masked && !then && mst_get_unsigned(&number, &stored) == MST_OK &&
            !has_number(&element, one->to, stored))
            fail_msg("%s: %s is %llu, not %s", name, one->path, (unsigned long long)stored, one->to);
        pairs back = references(d, one->to, 1), own = references(d, one->path, 0);
        bool found = false, same = false;
        for (size_t k = 0; k < back.count; k++) {
            assert_string_equal(back.items[k].to, one->to);
            found = found || strcmp(back.items[k].path, one->path) == 0;
        }
        for (size_t k = 0; k < own.count; k++) {
            assert_string_equal(own.items[k].path, one->path);
            same = same || strcmp(own.items[k].to, one->to) == 0;
        }
        if (!found || !same)
            fail_msg("%s: %s and %s do not lead to each other", name, one->path, one->to);
        free(back.items), free(own.items);
        compared++;
    }
    free(all.items);
}

static void test_fixtures(void **state) {
    (void)state;
    assert_true(fixtures_each(assert_references) > 0);
    assert_true(compared > 300);
}

/* ---- single values ------------------------------------------------------------------------------------- */

static mst_value_facts facts_of(const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    mst_value_facts facts = {.size = sizeof facts};
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_value_facts_of(&value, &facts), NULL);
    return facts;
}

/* As in alien.md: a door's lock has names, a byte is 0 to 255, a cell's first quad is one of the quads, the
 * low seven bits of a quad's light are the index of one. */
static void test_alien(void **state) {
    (void)state;
    writer w = {0};
    fixture_alien_big(&w);
    mst_open_options options = {.size = sizeof options, .name = "L111LEV.MAP"};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    assert_int_equal(facts_of(d, "map").meaning, MST_MEANS_PARTS);
    assert_int_equal(facts_of(d, "map.vertex_count").meaning, MST_MEANS_DERIVED);
    assert_int_equal(facts_of(d, "magic").meaning, MST_MEANS_DERIVED);
    mst_value_facts monster = facts_of(d, "map.monsters[0]");
    assert_true(monster.stands && monster.turns);
    mst_value_facts vertex = facts_of(d, "map.vertices[0]");
    assert_false(vertex.turns);
    mst_value_facts corner = facts_of(d, "map.quads[0].vertices");
    assert_int_equal(corner.meaning, MST_MEANS_ELEMENT);
    assert_string_equal(corner.list, "vertices");
    assert_null(corner.key);
    assert_false(corner.bits);
    mst_value_facts light = facts_of(d, "map.quads[0].light"); /* a number next to a flag */
    assert_int_equal(light.meaning, MST_MEANS_FLAGS);
    assert_string_equal(light.list, "map.lights");
    assert_null(facts_of(d, "map.quads[0].draw_flags").list);
    mst_value type;
    MUST(mst_find(mst_root(d), "map.monsters[0].type", &type, &why), &why);
    int64_t number;
    const char *words;
    assert_int_equal(facts_of(d, "map.monsters[0].type").meaning, MST_MEANS_NAMED);
    assert_non_null(mst_value_name(&type, 0, &number, &words));
    assert_null(mst_value_name(&type, 100000, &number, NULL));
    mst_value_facts health = facts_of(d, "map.start_x");
    assert_int_equal(health.meaning, MST_MEANS_NUMBER);
    assert_true(health.has_limits && health.minimum <= 0 && health.maximum >= 255);
    mst_close(d);
    writer_free(&w);
}

static void test_ns2(void **state) {
    (void)state;
    writer w = {0};
    fixture_ns2_everything(&w);
    mst_open_options options = {.size = sizeof options, .name = "a.level"};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    assert_int_equal(facts_of(d, "objects[0].class_name").meaning, MST_MEANS_TEXT);
    assert_int_equal(facts_of(d, "objects[0].class_name").text_limit, 0);
    mst_value_facts position = facts_of(d, "mesh.vertices[0].position");
    assert_int_equal(position.meaning, MST_MEANS_NUMBER);
    assert_true(position.maximum > 3.4e38 && position.minimum < -3.4e38);
    pairs none = references(d, "objects[0].class_name", 0);
    assert_int_equal(none.count, 0);
    assert_int_equal(mst_references(d, "objects[0].nothing", 0, keep, &none, &why), MST_NO_PATH);
    assert_int_equal(mst_references(d, "mesh", 1, keep, &none, &why), MST_ARGUMENT);
    mst_close(d);
    writer_free(&w);
}

static mst_status stop(void *user, const mst_reference *one) {
    (void)one;
    ++*(int *)user;
    return MST_STOPPED;
}

static void test_arguments(void **state) {
    (void)state;
    writer w = {0};
    fixture_ns2_everything(&w);
    mst_open_options options = {.size = sizeof options, .name = "a.level"};
    mst_document *d;
    mst_diagnostic why;
    int count = 0;
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    mst_value root = mst_root(d);
    mst_value_facts facts = {.size = 1};
    int64_t number;
    assert_int_equal(mst_value_facts_of(&root, &facts), MST_ARGUMENT);
    assert_int_equal(mst_value_facts_of(NULL, &facts), MST_ARGUMENT);
    assert_int_equal(mst_value_facts_of(&root, NULL), MST_ARGUMENT);
    assert_null(mst_value_name(NULL, 0, &number, NULL));
    assert_null(mst_value_name(&root, 0, NULL, NULL));
    assert_int_equal(mst_references(NULL, "", 0, stop, &count, &why), MST_ARGUMENT);
    assert_int_equal(mst_references(d, NULL, 0, stop, &count, &why), MST_ARGUMENT);
    assert_int_equal(mst_references(d, "", 0, NULL, &count, &why), MST_ARGUMENT);
    MUST(mst_references(d, "", 0, stop, &count, &why), &why);
    assert_int_equal(count, 1);
    mst_close(d);
    counted memory = {0};
    options.allocator = counted_allocator(&memory);
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    for (size_t n = 1;; n++) {
        memory.fail_at = memory.calls + n, memory.failed = false;
        mst_status status = mst_references(d, "", 0, stop, &count, &why);
        memory.fail_at = 0;
        if (!memory.failed)
            break;
        assert_true(status == MST_NO_MEMORY || status == MST_OK); /* the arena then takes a smaller block */
    }
    mst_close(d);
    assert_int_equal(memory.bytes, 0);
    writer_free(&w);
}

int test_facts(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fixtures), cmocka_unit_test(test_alien),
                                       cmocka_unit_test(test_ns2), cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
