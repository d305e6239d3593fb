/* SPDX-License-Identifier: MIT */
/*
 * Flags: integers whose bits have names. Each flag of each field of every format is set by its name and read
 * by its number; and, with a small format of the test's own, every value of every width survives JSON.
 */
#include "fixtures.h"
#include "own_format.h"
#include <mapstone/facts.h>

/* ---- a format with flags of every width --------------------------------------------------------- */

enum { I_FILE, I_ROW, R_WIDE = 1 };

static const mst_enum_name names[] = {
    {0, "low"}, {3, "fourth"}, {7, "eighth"}, {15, "sixteenth"}, {31, "thirtieth_and_two"}, {63, "last"}};
static const mst_enum all_names = {names, MST_COUNT_OF(names)};
#define FLAGS .flags = MST_FIELD_FLAGS, .names = &all_names

static const mst_field row_fields[] = {
    {.name = "few", .kind = MST_KIND_U8, FLAGS},
    {.name = "more", .kind = MST_KIND_I16, FLAGS},
};
static const mst_record row_record = {
    .name = "row", .index = I_ROW, .fields = row_fields, .field_count = MST_COUNT_OF(row_fields)};
static const mst_field file_fields[] = {
    {.name = "u8", .kind = MST_KIND_U8, FLAGS},
    {.name = "i8", .kind = MST_KIND_I8, FLAGS},
    {.name = "u16", .kind = MST_KIND_U16, FLAGS},
    {.name = "i16", .kind = MST_KIND_I16, FLAGS},
    {.name = "u32", .kind = MST_KIND_U32, FLAGS},
    {.name = "i32", .kind = MST_KIND_I32, FLAGS},
    {.name = "u64", .kind = MST_KIND_U64, FLAGS},
    {.name = "i64", .kind = MST_KIND_I64, FLAGS},
    {.name = "several", .kind = MST_KIND_I16, .mode = MST_COUNT_FIXED, .count = 2, FLAGS},
    {.name = "rows",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &row_record},
    {.name = "usual",
     .kind = MST_KIND_U8,
     .bind = R_WIDE + 1,
     .flags = MST_FIELD_FLAGS | MST_FIELD_DEFAULT,
     .names = &all_names,
     .initial = 4},
    {.name = "brought", .kind = MST_KIND_U16, .when = {{MST_ANY_BIT, R_WIDE, 8}}},
    {.name = "optional",
     .kind = MST_KIND_U16,
     .flags = MST_FIELD_FLAGS | MST_FIELD_OPTIONAL,
     .names = &all_names},
};
static const mst_record file_record = {
    .name = "file", .index = I_FILE, .fields = file_fields, .field_count = MST_COUNT_OF(file_fields)};
static const mst_record *const records[] = {&file_record, &row_record};
static const mst_format format = {FORMAT(file_record, records)};

static void write_file(writer *w, uint64_t value) {
    for (unsigned width = 1; width <= 8; width *= 2)
        put_number(w, width, value), put_number(w, width, value);
    put_u16(w, (uint16_t)value), put_u16(w, (uint16_t)~value);
    put_u8(w, 2);
    for (unsigned i = 0; i < 2; i++)
        put_u8(w, (uint8_t)(value >> i)), put_u16(w, (uint16_t)(value >> i));
    put_u8(w, 4);
}

static mst_document *open_value(uint64_t value) {
    writer w = {0};
    write_file(&w, value);
    mst_document *d = open_own(&format, &w);
    writer_free(&w);
    return d;
}

/* The stored bits. */
static uint64_t bits_at(const mst_document *d, const char *path) {
    mst_value value = value_at(d, path);
    uint64_t offset, length;
    size_t size;
    mst_value_span(&value, &offset, &length);
    const uint8_t *bytes = mst_document_bytes(d, &size);
    return mst_load(bytes + offset, (unsigned)length, mst_field_big(d, value.field));
}

/* The expected text for the bits: the names of the table, then the rest. */
static void expected_text(const char *const *bit_names, unsigned width, uint64_t bits, const char *separator,
                          const char *quote, char *text, size_t capacity) {
    size_t n = 0;
    uint64_t rest = bits;
    text[0] = 0;
    for (unsigned bit = 0; bit < width; bit++)
        if (bits >> bit & 1 && bit_names[bit]) {
            n += (size_t)snprintf(text + n, capacity - n, "%s%s%s%s", n ? separator : "", quote,
                                  bit_names[bit], quote);
            rest &= ~(UINT64_C(1) << bit);
        }
    if (rest)
        snprintf(text + n, capacity - n, "%s%s0x%llx%s", n ? separator : "", quote, (unsigned long long)rest,
                 quote);
}

static const char *const integers[] = {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"};

/* Both ways, of one value in fields of all widths. */
static void assert_value(uint64_t value) {
    static const char *const bit_names[64] = {
        [0] = "low",  [3] = "fourth", [7] = "eighth", [15] = "sixteenth", [31] = "thirtieth_and_two",
        [63] = "last"};
    mst_document *d = open_value(value);
    assert_in_json_and_back(d);
    assert_encodes(d);
    for (unsigned i = 0; i < 8; i++) {
        unsigned width = 8u << i / 2;
        uint64_t stored = value & UINT64_MAX >> (64 - width);
        uint64_t number;
        char text[200], wanted[200], list[230];
        mst_value one = value_at(d, integers[i]);
        assert_int_equal(bits_at(d, integers[i]), stored);
        expected_text(bit_names, width, stored, ",", "", wanted, sizeof wanted);
        size_t length;
        MUST(mst_get_flags(&one, text, sizeof text, &length), NULL);
        assert_string_equal(text, wanted[0] ? wanted : "0");
        assert_int_equal(length, strlen(text));
        MUST(mst_get_unsigned(&one, &number), NULL);
        assert_int_equal(number, stored);
        expected_text(bit_names, width, stored, ",", "\"", wanted, sizeof wanted);
        snprintf(list, sizeof list, "[%s]", wanted);
        char *json = json_of(&one, 1);
        assert_string_equal(json, list);
        free(json);
        MUST(mst_set(d, integers[i], text, NULL), NULL);
        assert_int_equal(bits_at(d, integers[i]), stored);
    }
    mst_close(d);
}

static void every_value(void **state) {
    (void)state;
    for (unsigned value = 0; value < 0x10000; value += value < 0x200 ? 1 : 0x37)
        assert_value(value);
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_value(UINT64_C(1) << bit);
        assert_value(~(UINT64_C(1) << bit));
        assert_value(UINT64_MAX >> bit);
        assert_value(UINT64_MAX << bit);
    }
    random_state r = {5};
    for (unsigned i = 0; i < 500; i++)
        assert_value((uint64_t)random_next(&r) << 33 ^ (uint64_t)random_next(&r) << 11 ^ random_next(&r));
}

/* ---- accepted values ---------------------------------------------------------------------------- */

static void given(void **state) {
    (void)state;
    static const struct {
        const char *path, *text;
        uint64_t bits;
        bool json; /* requires the JSON reader */
    } cases[] = {
        /* of 0x21, in every field: bits 0 and 5 */
        {"u16", "fourth", 8, false},
        {"u16", "low,fourth", 9, false},
        {"u16", " low , fourth ", 9, false},
        {"u16", "+fourth", 0x29, false},
        {"u16", "-low", 0x20, false},
        {"u16", "+fourth,-low", 0x28, false},
        {"u16", "-low,+low", 0x21, false},
        {"u16", "+0x400", 0x421, false},
        {"u16", "-0x20", 1, false},
        {"u16", "+4", 0x25, false},
        {"u16", "low,0x400", 0x401, false},
        {"u16", "5", 5, false},
        {"u16", "0", 0, false},
        {"u16", "0x8000", 0x8000, false},
        {"u16", "65535", 0xFFFF, false},
        {"i16", "-1", 0xFFFF, false},
        {"i16", "0xffff", 0xFFFF, false},
        {"i16", "sixteenth", 0x8000, false},
        {"i16", "+sixteenth", 0x8021, false},
        {"i8", "eighth,low", 0x81, false},
        {"i8", "-128", 0x80, false},
        {"i64", "last", UINT64_C(1) << 63, false},
        {"u64", "last,1", UINT64_C(1) << 63 | 1, false},
        {"u64", "0xffffffffffffffff", UINT64_MAX, false},
        {"u32", "1e3", 1000, false},
        {"u16", "[]", 0, true},
        {"u16", "[\"low\",\"fourth\"]", 9, true},
        {"u16", "[\"low\", \"0x400\", 16]", 0x411, true},
        {"u16", "[\"+fourth\",\"-low\"]", 0x28, true},
        {"u16", "[\"low,fourth\"]", 9, true},
        {"u16", "\"fourth\"", 8, true},
        {"u16", "\"+fourth\"", 0x29, true},
        {"u16", "\"64\"", 64, true},
        {"u16", "[7]", 7, true},
        {"i16", "[-2]", 0xFFFE, true},
        {"several[0]", "+fourth", 0x29, false},
        {"rows[1].more", "+eighth", 0x90, false},
        {"several[1]", "[\"low\"]", 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *d = open_value(0x21);
        mst_diagnostic why;
        mst_status status = mst_set(d, cases[i].path, cases[i].text, &why);
        if (status != MST_OK || bits_at(d, cases[i].path) != cases[i].bits)
            print_error("%s=%s: %llx\n", cases[i].path, cases[i].text,
                        (unsigned long long)bits_at(d, cases[i].path));
        MUST(status, &why);
        assert_int_equal(bits_at(d, cases[i].path), cases[i].bits);
        assert_in_json_and_back(d);
        mst_close(d);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *text, *message, *expected, *found;
        bool json;
    } cases[] = {
        {"u16", "fuorth", "unknown flag", "fourth, ", "fuorth", false},
        {"u16", "LOW", "unknown flag", "low, ", "LOW", false},
        {"u64", "lost", "unknown flag", "last, ", "lost", false},
        {"u16", "low,", "unknown flag", "", "", false},
        {"u16", "", "unknown flag", "", "", false},
        {"u16", "+", "unknown flag", "", "", false},
        {"u16", "low fourth", "unknown flag", "", "low fourth", false},
        {"u16", "thirtieth_and_two", "unknown flag", "", "thirtieth_and_two", false},
        {"u16", "low,+fourth", "either all flags or none must have a + or -", "", "+fourth", false},
        {"u16", "+low,fourth", "either all flags or none must have a + or -", "", "fourth", false},
        {"u16", "0x10000", "the number has more bits than the field", "", "0x10000", false},
        {"u16", "-0x10000", "the number has more bits than the field", "", "0x10000", false},
        {"u16", "65536", "the value does not fit the field", "an integer of the field's size", "65536",
         false},
        {"u16", "-1", "the value does not fit the field", "an integer of the field's size", "-1", false},
        {"u16", "true", "the value does not fit the field", "a list of flags, or an integer", "true", false},
        {"u16", "[\"low\",\"fuorth\"]", "unknown flag", "fourth, ", "fuorth", true},
        {"u16", "[\"low\",true]", "a list of flags must contain only names and numbers", "", "", true},
        {"u16", "[\"low\",[]]", "a list of flags must contain only names and numbers", "", "", true},
        {"u16", "[\"low\",-1]", "either all flags or none must have a + or -", "", "-1", true},
        {"u16", "{}", "the value does not fit the field", "a list of flags, or an integer", "an object",
         true},
        {"u16", "null", "the value does not fit the field", "a list of flags, or an integer", "null", true},
        {"u16", "[\"low\"", "not JSON: the text is incomplete", "one JSON value", "", true},
        {"u16", "[\"low\"],\"u8\":1", "not JSON: unexpected text", "one JSON value", "", true},
        {"rows", "[{\"few\":\"+low\",\"more\":0}]", "+ and - need a present value to change", "", "+low",
         true},
        {"optional", "+low", "+ and - need a present value to change", "", "+low", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *d = open_value(0x21);
        mst_diagnostic why;
        assert_int_equal(mst_set(d, cases[i].path, cases[i].text, &why), MST_ARGUMENT);
        if (strcmp(why.message, cases[i].message) != 0)
            print_error("%s=%s\n", cases[i].path, cases[i].text);
        assert_string_equal(why.message, cases[i].message);
        assert_memory_equal(why.expected, cases[i].expected, strlen(cases[i].expected));
        if (cases[i].found[0])
            assert_string_equal(why.found, cases[i].found);
        assert_memory_equal(why.path, cases[i].path, strlen(cases[i].path));
        assert_int_equal(mst_set(d, cases[i].path, cases[i].text, NULL), MST_ARGUMENT);
        assert_int_equal(bits_at(d, "u16"), 0x21);
        mst_close(d);
    }
    mst_document *d = open_value(0);
    mst_value record = value_at(d, "rows[0]");
    mst_diagnostic why;
    assert_int_equal(mst_set(d, "i8", "\"-129\"", &why), MST_ARGUMENT);
    assert_string_equal(why.message, "the number has more bits than the field");
    assert_int_equal(mst_get_flags(&record, NULL, 0, NULL), MST_ARGUMENT);
    mst_value value = value_at(d, "u8");
    int64_t bit;
    assert_string_equal(mst_value_name(&value, 0, &bit, NULL), "low");
    assert_int_equal(bit, 0);
    assert_string_equal(mst_value_name(&value, 1, &bit, NULL), "fourth");
    assert_int_equal(bit, 3);
    mst_close(d);
}

/* Whole names, as many as fit. */
static void cut(void **state) {
    (void)state;
    static const char whole[] = "low,fourth,0x2";
    mst_document *d = open_value(0xB);
    mst_value value = value_at(d, "u8");
    for (size_t capacity = 0; capacity < 20; capacity++) {
        char text[21];
        memset(text, '?', sizeof text);
        size_t length;
        MUST(mst_get_flags(&value, text, capacity, &length), NULL);
        assert_int_equal(length, sizeof whole - 1);
        size_t fits = capacity >= sizeof whole ? 14 : capacity > 10 ? 10 : capacity > 3 ? 3 : 0;
        if (capacity) {
            assert_int_equal(strlen(text), fits);
            assert_memory_equal(text, whole, fits);
        }
        assert_int_equal(text[capacity], '?');
    }
    mst_close(d);
}

static void selected(void **state) {
    (void)state;
    mst_document *d = open_value(9); /* the second row: 4 */
    static const struct {
        const char *path;
        int index; /* -1: none */
    } cases[] = {
        {"rows[few=9]", 0},
        {"rows[few=4]", 1},
        {"rows[few=0x4]", 1},
        {"rows[few=low,fourth]", 0},
        {"rows[few=fourth,low]", 0},
        {"rows[few=low]", -1},
        {"rows[few=+low]", 0},
        {"rows[few=-low]", 1},
        {"rows[few=+fourth,+low]", 0},
        {"rows[few=-low,-fourth]", 1},
        {"rows[few=nothing]", -1},
        {"rows[few=+nothing]", -1},
        {"rows[few=\"low,fourth\"]", 0},
    };
    mst_value first = value_at(d, "rows[0]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_value found;
        mst_status status = mst_find(mst_root(d), cases[i].path, &found, NULL);
        assert_int_equal(status, cases[i].index < 0 ? MST_NO_PATH : MST_OK);
        if (status == MST_OK)
            assert_int_equal(found.offset == first.offset ? 0 : 1, cases[i].index);
    }
    mst_close(d);
}

/* Flags that determine following fields, flags that JSON leaves out, and flags that are missing at the
 * root. */
static void others(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_value root, member;
    mst_document *d = open_value(0);
    assert_int_equal(mst_find(mst_root(d), "brought", &member, NULL), MST_NO_PATH);
    MUST(mst_set(d, "usual", "+fourth", &why), &why);
    assert_int_equal(bits_at(d, "usual"), 12);
    assert_int_equal(bits_at(d, "brought"), 0);
    MUST(mst_set(d, "brought", "7", &why), &why);
    MUST(mst_set(d, "usual", "+low", &why), &why);
    assert_int_equal(bits_at(d, "usual"), 13);
    assert_int_equal(bits_at(d, "brought"), 7);
    MUST(mst_set(d, "usual", "-fourth,-low", &why), &why);
    assert_int_equal(bits_at(d, "usual"), 4);
    assert_int_equal(mst_find(mst_root(d), "brought", &member, NULL), MST_NO_PATH);
    root = mst_root(d);
    char *json = json_of(&root, 1);
    assert_null(strstr(json, "usual"));
    free(json);
    assert_int_equal(mst_find(mst_root(d), "optional", &member, NULL), MST_NO_PATH);
    MUST(mst_set(d, "optional", "low,sixteenth", &why), &why);
    assert_int_equal(bits_at(d, "optional"), 0x8001);
    MUST(mst_set(d, "optional", "-low", &why), &why);
    assert_int_equal(bits_at(d, "optional"), 0x8000);
    /* numbers in JSON written before flags had names */
    mst_buffer made = {0};
    MUST(
        encode_as(
            d,
            "{\"u8\":9,\"i8\":-1,\"u16\":1,\"i16\":\"0x8000\",\"u32\":4294967295,\"i32\":-2147483648,\"u64\":"
            "\"0xffffffffffffffff\",\"i64\":\"0x8000000000000000\",\"several\":[1,-2],\"rows\":[]}",
            &made, &why),
        &why);
    mst_close(d);
    MUST(open_in(&format, false, made.data, made.size, &d, &why), &why);
    assert_int_equal(bits_at(d, "i8"), 0xFF);
    assert_int_equal(bits_at(d, "i16"), 0x8000);
    assert_int_equal(bits_at(d, "i32"), 0x80000000);
    assert_int_equal(bits_at(d, "u64"), UINT64_MAX);
    assert_int_equal(bits_at(d, "i64"), UINT64_C(1) << 63);
    assert_int_equal(bits_at(d, "several[1]"), 0xFFFE);
    mst_close(d);
    mst_buffer_free(&made);
}

/* Whichever allocation fails, the document is unchanged and nothing leaks. */
static void every_allocation_fails(void **state) {
    (void)state;
    static const struct {
        const char *path, *text;
        bool inserted, json;
    } cases[] = {
        {"u16", "+fourth", false, false},  {"u16", "7", false, false},
        {"u16", "[\"low\"]", false, true}, {"usual", "+fourth", false, true},
        {"optional", "low", false, true},  {"rows[-1]", "{\"few\":[],\"more\":[\"low\"]}", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t failures = 0;
        for (size_t turn = 0;; turn++) {
            counted c = {.for_good = turn % 2 == 1};
            mst_allocator allocator = counted_allocator(&c);
            mst_open_options options = {.size = sizeof options, .allocator = allocator};
            mst_buffer bytes = {.allocator = allocator};
            writer w = {0};
            mst_document *d;
            mst_diagnostic why;
            write_file(&w, 0x21);
            MUST(mst_buffer_sink(&bytes).write(&bytes, w.data, w.size), NULL);
            MUST(mst_document_adopt(&format, NULL, &bytes, &options, &d, &why), &why);
            c.calls = 0;
            c.fail_at = turn / 2 + 1;
            mst_status status = cases[i].inserted ? mst_insert(d, cases[i].path, cases[i].text, &why)
                                                  : mst_set(d, cases[i].path, cases[i].text, &why);
            bool failed = c.failed;
            c.fail_at = 0;
            if (status != MST_OK) {
                failures++;
                assert_true(failed);
                assert_int_equal(status, MST_NO_MEMORY);
                assert_int_equal(why.status, MST_NO_MEMORY);
                assert_true(why.message[0] != 0);
                assert_same_bytes(d, w.data, w.size);
            }
            mst_close(d);
            writer_free(&w);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            if (!failed)
                break;
        }
        assert_true(failures > 0);
    }
}

/* ---- the flags of every format ------------------------------------------------------------------ */

#define FIELDS_MAX 64
typedef struct met_fields {
    const void *fields[FIELDS_MAX];
    size_t count;
} met_fields;

static bool is_met(const met_fields *met, const void *field) {
    for (size_t i = 0; i < met->count; i++)
        if (met->fields[i] == field)
            return true;
    return false;
}

static mst_document *open_fixture(const fixture *f) {
    mst_document *d;
    mst_diagnostic why;
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    return d;
}

/* Whether the format allows setting it; if so, nothing else of it changes, and it is read as set. */
static bool change(mst_document *d, const char *path, const char *text, uint64_t wanted) {
    mst_diagnostic why;
    mst_status status = mst_set(d, path, text, &why);
    if (status == MST_REFUSED)
        return false;
    if (status != MST_OK || unsigned_at(d, path) != wanted)
        print_error("%s=%s\n", path, text);
    MUST(status, &why);
    assert_int_equal(unsigned_at(d, path), wanted);
    assert_encodes(d);
    assert_json(d, 1);
    return true;
}

static size_t refusals;

static void set_each_bit(const fixture *f, const char *path) {
    mst_document *d = open_fixture(f);
    mst_value value = value_at(d, path);
    uint64_t offset, length, before = unsigned_at(d, path), named = 0;
    const char *bit_names[64] = {NULL};
    mst_value_span(&value, &offset, &length);
    int64_t number;
    const char *name;
    for (size_t i = 0; (name = mst_value_name(&value, i, &number, NULL)) != NULL; i++) {
        assert_true(number >= 0 && number < 64);
        bit_names[number] = name; /* no longer valid after an edit */
        named |= UINT64_C(1) << number;
    }
    assert_true(named != 0);
    assert_int_equal(named & ~(UINT64_MAX >> (64 - 8 * length)), 0);
    uint64_t unnamed = ~named & UINT64_MAX >> (64 - 8 * length);
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!bit_names[bit])
            continue;
        char text[80];
        uint64_t mask = UINT64_C(1) << bit;
        mst_close(d);
        d = open_fixture(f);
        snprintf(text, sizeof text, "+%s", bit_names[bit]);
        if (!change(d, path, text, before | mask)) {
            refusals++;
            continue;
        }
        snprintf(text, sizeof text, "-%s", bit_names[bit]);
        change(d, path, text, before & ~mask);
        change(d, path, bit_names[bit], mask);
        /* unnamed bits are kept */
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)unnamed);
        if (!change(d, path, text, unnamed)) {
            refusals++;
            continue;
        }
        snprintf(text, sizeof text, "+%s", bit_names[bit]);
        change(d, path, text, unnamed | mask);
        char flags[900], wanted[900];
        value = value_at(d, path);
        MUST(mst_get_flags(&value, flags, sizeof flags, NULL), NULL);
        expected_text(bit_names, 64, unnamed | mask, ",", "", wanted, sizeof wanted);
        if (strcmp(flags, wanted) != 0) { /* the number may be decimal */
            size_t before_number = strlen(wanted) - strlen(strrchr(wanted, ',')) + 1;
            assert_memory_equal(flags, wanted, before_number);
            assert_int_equal(strtoull(flags + before_number, NULL, 10), unnamed);
        }
        snprintf(text, sizeof text, "-%s", bit_names[bit]);
        change(d, path, text, unnamed);
    }
    mst_close(d);
}

/* The first value of each field of flags in the document. */
static void look_into(const fixture *f, const mst_value *value, const char *path, met_fields *met) {
    mst_type type = mst_value_type(value);
    mst_value inner;
    size_t index = 0;
    if (type == MST_TYPE_INTEGER && mst_get_flags(value, NULL, 0, NULL) == MST_OK &&
        !is_met(met, value->field)) {
        assert_true(met->count < FIELDS_MAX);
        met->fields[met->count++] = value->field;
        set_each_bit(f, path);
    }
    if (type != MST_TYPE_LIST && type != MST_TYPE_RECORD)
        return;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &inner); index++) {
        char below[300];
        int n = type == MST_TYPE_LIST ? snprintf(below, sizeof below, "%s[%zu]", path, index)
                                      : snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "",
                                                 mst_value_field(&inner).name);
        assert_true(n > 0 && (size_t)n < sizeof below);
        look_into(f, &inner, below, met);
    }
}

/* A sector of version 0 of the layout without a fixture: a tile after an object with nothing else. */
static void write_early_sector(writer *w) {
    put_u32(w, 2);
    put_u16(w, 20), put_u16(w, 7);
    put_u16(w, 8), put_u16(w, 7);
    put_u8(w, 5), put_bytes_of(w, "floor", 5);
    put_u32(w, 1);
    put_u32(w, 2 * 1024 + 5), put_u32(w, 2 * 1024 + 6), put_u32(w, 40);
    put_u32(w, 0), put_u32(w, 0), put_u32(w, 1);
    put_u8(w, 3), put_u8(w, 5), put_u8(w, 99), put_u8(w, 64);
    put_u16(w, 0xFFFF), put_u16(w, 11), put_u16(w, 0xFFFF), put_u32(w, 0xFFFFFFFF);
}

/* A trigger with commands, also without a fixture. */
static void write_trigger(writer *w) {
    static const size_t bits[] = {0x44, 0x48, 0x4A, 0x4C, 0x4E};
    w->big = true;
    put_u16(w, 0x4C), put_u8(w, 20);
    memset(put(w, 77), 0, 77);
    for (size_t i = 0; i < MST_COUNT_OF(bits); i++)
        mst_store16(w->data + bits[i], 0xFFFF, true);
    for (size_t i = 0; i < 8; i++)
        w->data[0x18 + 4 * i] = 1;
}

static const fixture_source more_fixtures[] = {
    {.name = "early", .file = "6_2_2.DAT", .write = write_early_sector},
    {.name = "trigger", .file = "swaphol.romlist", .write = write_trigger},
    {SEED("revenant_short", "walk.i3d")},
    {SEED("revenant_older_model", "a.i3d")},
    {SEED("revenant_oldest_model", "a.i3d")},
    {SEED("dds_extended", "a.dds")}};

/* Or another one of the same name in the same record, for other versions. */
static bool is_met_in(const met_fields *met, const mst_record *record, const mst_field *field) {
    for (uint16_t i = 0; i < record->field_count; i++)
        if (strcmp(record->fields[i].name, field->name) == 0 && record->fields[i].names == field->names &&
            is_met(met, &record->fields[i]))
            return true;
    return false;
}

static void every_flag_of_every_format(void **state) {
    (void)state;
    met_fields met = {.count = 0};
    bool all = true;
    for (size_t i = 0; i < FIXTURES + MST_COUNT_OF(more_fixtures); i++) {
        fixture f;
        if (!fixture_make(i < FIXTURES ? &fixtures[i] : &more_fixtures[i - FIXTURES], &f)) {
            all = false;
            continue;
        }
        mst_document *d = open_fixture(&f);
        mst_value root = mst_root(d);
        look_into(&f, &root, "", &met);
        mst_close(d);
        fixture_free(&f);
    }
    print_message("%zu fields of flags, %zu values that the formats refuse\n", met.count, refusals);
    for (size_t f = 0; all && mst_formats[f]; f++)
        for (size_t r = 0; r < mst_formats[f]->tables.record_count; r++)
            for (uint16_t i = 0; i < mst_formats[f]->tables.records[r]->field_count; i++) {
                const mst_field *field = &mst_formats[f]->tables.records[r]->fields[i];
                if ((field->flags & MST_FIELD_FLAGS) &&
                    field->names->count && /* flags without names: numbers */
                    !is_met_in(&met, mst_formats[f]->tables.records[r], field)) {
                    print_error("%s %s.%s is in no fixture\n", mst_formats[f]->information.id,
                                mst_formats[f]->tables.records[r]->name, field->name);
                    fail();
                }
            }
}

/* Names are words rather than numbers, of one bit each. */
static void names_of_flags(void **state) {
    (void)state;
    for (size_t f = 0; mst_formats[f]; f++)
        for (size_t r = 0; r < mst_formats[f]->tables.record_count; r++)
            for (uint16_t i = 0; i < mst_formats[f]->tables.records[r]->field_count; i++) {
                const mst_field *field = &mst_formats[f]->tables.records[r]->fields[i];
                if (!(field->flags & MST_FIELD_FLAGS))
                    continue;
                assert_true(field->kind >= MST_KIND_U8 && field->kind <= MST_KIND_I64);
                assert_int_equal(field->flags & MST_FIELD_BOOL, 0);
                assert_non_null(field->names);
                assert_null(field->length_of);
                uint64_t seen = 0;
                for (size_t n = 0; n < field->names->count; n++) {
                    const mst_enum_name *one = &field->names->items[n];
                    assert_in_range(one->value, 0, 63);
                    assert_int_equal(seen >> one->value, 0); /* in the order of the bits */
                    seen |= UINT64_C(1) << one->value;
                    assert_in_range(one->name[0], 'a', 'z');
                    assert_int_equal(strspn(one->name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                                     strlen(one->name));
                    for (size_t k = 0; k < n; k++)
                        assert_string_not_equal(field->names->items[k].name, one->name);
                }
            }
}

int test_flags(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value),
        cmocka_unit_test(given),
        cmocka_unit_test(refused),
        cmocka_unit_test(cut),
        cmocka_unit_test(selected),
        cmocka_unit_test(others),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(every_flag_of_every_format),
        cmocka_unit_test(names_of_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
