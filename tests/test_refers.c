/* SPDX-License-Identifier: MIT */
/* References of numbers, as stated in tables: findings about those that refer to nothing. */
#include "../src/check/refers.h"
#include "own_format.h"

#define RECORDS(X) X(file) X(street) X(house) X(door) X(thing) X(extra) X(nest) X(room) X(letter)
enum { RECORDS(RECORD_INDEX) };
enum { R_VERSION };
#define FLAT(r, by) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_##by, .record = &(r)
#define CODE        .code = "T-REFERENCE"

/* A door leads from a place among the house's rooms to the number of one. */
static const mst_field room_fields[] = {{.name = "id", U8}};
RECORD(room, "room", "a room");
static const mst_field door_fields[] = {
    {.name = "from", U8, REFERS({.target = "rooms", .end_is_none = true, CODE})},
    {.name = "to", U8, REFERS({.by = MST_BY_ID, .target = "rooms", .key = "id", NO(0xFF, 0xFE), CODE})},
};
RECORD(door, "door", "a door");
static const mst_field house_fields[] = {
    {.name = "name", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "rooms", FLAT(room, U8)},
    {.name = "doors", FLAT(door, U8)},
};
RECORD(house, "house", "a house");
static const mst_field street_fields[] = {{.name = "houses", FLAT(house, U8)}};
RECORD(street, "street", "houses");

static bool is_vacant(const uint8_t *thing) {
    return thing[0] == 0x77;
}
static const mst_field thing_fields[] = {
    {.name = "kind", U8},
    {.name = "place", I16, REFERS({.target = "street.houses", NO(0xFFFF), CODE})},
    {.name = "of_kind",
     U8,
     REFERS({.target = "street.houses", .where = "kind", .operation = MST_EQUAL, .value = 1, CODE},
            {.target = "notes", .where = "kind", .operation = MST_NOT_EQUAL, .value = 1, CODE})},
    {.name = "low", U16, REFERS({.target = "street.houses", .mask = 0x0F, CODE})},
    {.name = "corners", U8, FIXED(3), REFERS({.target = "notes", NO(0xFF), .none_from = 2, CODE})},
    {.name = "both", U8, REFERS({.target = "street.houses", .then = "notes", CODE})},
    {.name = "unchecked", U8, REFERS({.target = "notes"})},
    {.name = "newer", U8, REFERS({.target = "extras", NO(9), CODE})},
    {.name = "nowhere", U8, REFERS({.target = "attic", CODE})},
};
RECORD(thing, "thing", "a thing", .vacant = is_vacant);

/* One of variable size, by the number at the end of a house's name. */
static const mst_field letter_fields[] = {
    {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "sent", U8},
    {.name = "to",
     U16,
     REFERS({.by = MST_BY_ID,
             .target = "street.houses",
             .key = "name",
             .where = "sent",
             .operation = MST_EQUAL,
             .value = 1,
             CODE})},
    {.name = "stamps", U8, FIXED(2), REFERS({.by = MST_BY_BIT, .target = "extras", .key = "id", CODE})},
    {.name = "places",
     .kind = MST_KIND_U64,
     FIXED(2),
     REFERS({.by = MST_BY_BIT, .target = "notes", .apart = true, CODE})},
};
RECORD(letter, "letter", "a letter");

static const mst_field extra_fields[] = {{.name = "weight", U8}, {.name = "id", U8, .when = {MST_FROM(2)}}};
RECORD(extra, "extra", "an extra");

/* Nested records, each with a list of its own. */
static const mst_record nest;
static const mst_field nest_fields[] = {
    {.name = "leaves", U8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "leaf", U8, REFERS({.target = "leaves", CODE})},
    {.name = "nests", FLAT(nest, U8)},
};
static const mst_record nest = {.name = "nest",
                                .doc = "a nest",
                                .index = I_nest,
                                .fields = nest_fields,
                                .field_count = MST_COUNT_OF(nest_fields)};

static const mst_field file_fields[] = {
    {.name = "version", U8},
    {.name = "street", .kind = MST_KIND_RECORD, .record = &street},
    {.name = "notes", U16, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "extras", FLAT(extra, U8), .when = {MST_FROM(1)}},
    {.name = "things", FLAT(thing, U8)},
    {.name = "letters", FLAT(letter, U8)},
    {.name = "nests", FLAT(nest, U8)},
};
RECORD(file, "file", "a file");

static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_code_information codes[] = {{"T-REFERENCE", MST_WARNING, "there is no such thing"}};

static bool any_town(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                     mst_variant *variant) {
    (void)file_size, (void)name;
    variant->version = size ? bytes[0] : 0;
    return true;
}
static const mst_format format = {FORMAT_PROBED(file, records, any_town), .identity.version_field = "version",
                                  .check.codes = &(const mst_codes)MST_CODES(codes)};

/* ---- files ---------------------------------------------------------------------------------------- */

static void put_text(writer *w, const char *text) {
    put_u8(w, (uint8_t)strlen(text));
    put_bytes_of(w, text, strlen(text));
}

/* Two houses with rooms 5, 6 and 7 or none, and three notes; then things and letters must follow. */
static void put_town(writer *w, uint8_t version) {
    put_u8(w, version);
    put_u8(w, 2);
    put_text(w, "house 12");
    put_u8(w, 3), put_u8(w, 5), put_u8(w, 6), put_u8(w, 7);
    put_u8(w, 5); /* doors: good; to none; to the other none; from the end; bad */
    put_u8(w, 2), put_u8(w, 7);
    put_u8(w, 0), put_u8(w, 0xFF);
    put_u8(w, 0), put_u8(w, 0xFE);
    put_u8(w, 3), put_u8(w, 5);
    put_u8(w, 4), put_u8(w, 4);
    put_text(w, "house");
    put_u8(w, 0);
    put_u8(w, 1), put_u8(w, 1), put_u8(w, 5);
    put_u8(w, 3), put_u16(w, 0), put_u16(w, 0), put_u16(w, 0);
    if (version) {
        put_u8(w, 2);
        for (uint8_t i = 0; i < 2; i++) {
            put_u8(w, 50);
            if (version >= 2)
                put_u8(w, (uint8_t)(i ? 15 : 3));
        }
    }
}

typedef struct thing_numbers {
    uint8_t kind;
    uint16_t place;
    uint8_t of_kind;
    uint16_t low;
    uint8_t corners[3], both, unchecked, newer, nowhere;
} thing_numbers;

static void put_thing(writer *w, thing_numbers t) {
    put_u8(w, t.kind), put_u16(w, t.place), put_u8(w, t.of_kind), put_u16(w, t.low);
    put_bytes_of(w, t.corners, 3);
    put_u8(w, t.both), put_u8(w, t.unchecked), put_u8(w, t.newer), put_u8(w, t.nowhere);
}

static void put_letter(writer *w, uint8_t sent, uint16_t to, uint8_t stamps_0, uint8_t stamps_1,
                       uint64_t places) {
    put_text(w, "Hello");
    put_u8(w, sent), put_u16(w, to), put_u8(w, stamps_0), put_u8(w, stamps_1), put_u64(w, 3),
        put_u64(w, places);
}

typedef struct wanted {
    const char *path, *expected, *found;
} wanted;

static void expect(writer *w, const wanted *list, size_t count) {
    mst_document *d = open_own(&format, w);
    findings found = {0};
    MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
    if (found.count != count)
        print_findings(&found);
    for (size_t i = 0; i < count && i < found.count; i++) {
        mst_value value;
        assert_string_equal(found.items[i].path, list[i].path);
        assert_string_equal(found.items[i].expected, list[i].expected);
        assert_string_equal(found.items[i].found, list[i].found);
        assert_string_equal(found.items[i].code, "T-REFERENCE");
        MUST(mst_find(mst_root(d), list[i].path, &value, NULL), NULL);
        assert_int_equal(found.items[i].offset, value.offset);
    }
    assert_int_equal(found.count, count);
    findings_free(&found);
    mst_close(d);
    writer_free(w);
}

/* Common to every town: the doors that lead nowhere, each in its house. */
#define DOORS                                                                                                \
    {"street.houses[0].doors[4].from", "below 4", "4"},                                                      \
        {"street.houses[0].doors[4].to", "the id of one of 3 rooms, or 255, or 254", "4"},                   \
        {"street.houses[1].doors[0].from", "no reference, as `rooms` is empty", "1"}, {                      \
        "street.houses[1].doors[0].to", "no reference, as `rooms` is empty, or 255, or 254", "5"             \
    }

/* ---- tests ---------------------------------------------------------------------------------------- */

static void things_of_fixed_size(void **state) {
    (void)state;
    writer w = {0};
    put_town(&w, 1);
    put_u8(&w, 5);
    /* all good */
    put_thing(&w, (thing_numbers){1, 1, 1, 0xFFF1, {0, 2, 0xFF}, 4, 99, 1, 200});
    put_thing(&w, (thing_numbers){2, 0xFFFF, 2, 0, {0, 0, 0}, 0, 0, 9, 0});
    /* numbers that are not references, or not of this kind, are not checked */
    put_thing(&w, (thing_numbers){0x77, 50, 50, 50, {50, 50, 50}, 50, 50, 50, 50});
    /* nothing good */
    put_thing(&w, (thing_numbers){1, 2, 2, 0xFFF2, {3, 0xFF, 3}, 5, 99, 2, 200});
    put_thing(&w, (thing_numbers){3, 0xFFFE, 3, 0, {0, 0, 0}, 0, 0, 9, 0});
    put_u8(&w, 0), put_u8(&w, 0);
    static const wanted all[] = {DOORS,
                                 {"things[3].place", "below 2, or -1", "2"},
                                 {"things[4].place", "below 2, or -1", "-2"},
                                 {"things[3].of_kind", "below 2", "2"},
                                 {"things[4].of_kind", "below 3", "3"},
                                 {"things[3].low", "below 2", "2"},
                                 {"things[3].corners[0]", "below 3, or 255", "3"},
                                 {"things[3].corners[1]", "below 3, or 255", "255"},
                                 {"things[3].corners[2]", "below 3, or 255", "3"},
                                 {"things[3].both", "below 5", "5"},
                                 {"things[3].newer", "below 2, or 9", "2"}};
    expect(&w, all, MST_COUNT_OF(all));
}

/* A list that this version lacks is empty; references to one that no table has are not checked. */
static void lists_that_are_not_there(void **state) {
    (void)state;
    writer w = {0};
    put_town(&w, 0);
    put_u8(&w, 2);
    put_thing(&w, (thing_numbers){1, 0, 0, 0, {0, 0, 0}, 0, 0, 0, 77});
    put_thing(&w, (thing_numbers){1, 0, 0, 0, {0, 0, 0}, 0, 0, 9, 77});
    put_u8(&w, 0), put_u8(&w, 0);
    static const wanted all[] = {DOORS, {"things[0].newer", "no reference, as `extras` is empty, or 9", "0"}};
    expect(&w, all, MST_COUNT_OF(all));
}

static void records_of_any_size(void **state) {
    (void)state;
    writer w = {0};
    put_town(&w, 2);
    put_u8(&w, 0), put_u8(&w, 4);
    put_letter(&w, 1, 12, 1 << 3, 1 << 7, 7);          /* stamps 3 and 15, places 0 to 2 */
    put_letter(&w, 2, 13, 0, 0, 0);                    /* not sent */
    put_letter(&w, 1, 13, 1 << 3 | 1 << 4, 1 << 6, 8); /* nothing good */
    put_letter(&w, 1, 2, 0, 0, UINT64_C(1) << 63);
    put_u8(&w, 0);
    static const wanted all[] = {DOORS,
                                 {"letters[2].to", "the name of one of 2 houses", "13"},
                                 {"letters[2].stamps[0]", "the id of one of 2 extras", "4"},
                                 {"letters[2].stamps[1]", "the id of one of 2 extras", "14"},
                                 {"letters[2].places[1]", "below 3", "3"},
                                 {"letters[3].to", "the name of one of 2 houses", "2"},
                                 {"letters[3].places[1]", "below 3", "63"}};
    expect(&w, all, MST_COUNT_OF(all));
    /* an earlier version has no ids: places are used */
    put_town(&w, 1);
    put_u8(&w, 0), put_u8(&w, 1);
    put_letter(&w, 0, 0, 1 << 1 | 1 << 2, 0, 0);
    put_u8(&w, 0);
    static const wanted places[] = {DOORS, {"letters[0].stamps[0]", "below 2", "2"}};
    expect(&w, places, MST_COUNT_OF(places));
}

/* The nearest list is used; records deeper than the state's capacity are not checked. */
static void records_in_each_other(void **state) {
    (void)state;
    writer w = {0};
    mst_document *d;
    findings found = {0};
    put_town(&w, 1);
    put_u8(&w, 0), put_u8(&w, 0);
    put_u8(&w, 2);
    for (unsigned i = 0; i < 40;
         i++) { /* each has one leaf more than the enclosing one, and names the next */
        put_u8(&w, (uint8_t)i);
        for (unsigned k = 0; k < i; k++)
            put_u8(&w, 0);
        put_u8(&w, (uint8_t)i), put_u8(&w, i < 39);
    }
    put_u8(&w, 1), put_u8(&w, 0), put_u8(&w, 3), put_u8(&w, 0); /* after them */
    d = open_own(&format, &w);
    MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
    /* the file and the street's four doors, then as many levels as fit */
    size_t levels = MST_REFERS_SCOPES - 1;
    assert_int_equal(found.count, 4 + levels + 1);
    assert_string_equal(found.items[4].path, "nests[0].leaf");
    assert_string_equal(found.items[4].expected, "no reference, as `leaves` is empty");
    assert_string_equal(found.items[5].path, "nests[0].nests[0].leaf");
    assert_string_equal(found.items[5].expected, "below 1");
    assert_string_equal(found.items[4 + levels].path, "nests[1].leaf");
    assert_string_equal(found.items[4 + levels].found, "3");
    findings_free(&found);
    mst_close(d);
    writer_free(&w);
}

static void memory_runs_out(void **state) {
    (void)state;
    writer w = {0};
    put_town(&w, 2);
    put_u8(&w, 1);
    put_thing(&w, (thing_numbers){1, 1, 1, 0xFFF1, {0, 2, 0xFF}, 4, 99, 1, 200});
    put_u8(&w, 1);
    put_letter(&w, 1, 12, 1 << 3, 1 << 7, 7);
    put_u8(&w, 0);
    mst_document *d = open_own(&format, &w);
    mst_arena arena;
    mst_refers_state refers;
    const mst_referred *referred;
    mst_allocator allocator = mst_allocator_or_default(NULL);
    for (size_t budget = 1; budget < 4096; budget += 8) {
        mst_arena_begin(&arena, &allocator, budget);
        mst_status status = mst_refers_begin(&refers, d, &arena);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_arena_end(&arena);
    }
    /* outside of all records nothing is known */
    mst_arena_begin(&arena, &allocator, 0);
    MUST(mst_refers_begin(&refers, d, &arena), NULL);
    MUST(mst_refers_look_up(&refers, &door_fields[0].refers[0], &referred), NULL);
    assert_null(referred);
    assert_null(mst_refers_around(&refers));
    mst_arena_end(&arena);
    mst_close(d);
    writer_free(&w);
}

int test_refers(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_of_fixed_size), cmocka_unit_test(lists_that_are_not_there),
        cmocka_unit_test(records_of_any_size),  cmocka_unit_test(records_in_each_other),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
