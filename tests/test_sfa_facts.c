/* SPDX-License-Identifier: MIT */
/*
 * Parameters of placed objects against the list of facts that is their source, formats/sfa-objects.tsv next
 * to the corpus: one line for each parameter of each type, with its offset and kind. The expected values are
 * made from these lines alone; only the sizes of records and the numbers of types are the project's own.
 * Without the list these tests are skipped.
 */
#include "documents.h"

#define HEAD 0x18u
enum { CURVE = 0x6E, CURVE_WORDS = 13, CURVE_OWN = 0x30, TYPES_MAX = 1024 };
static const uint16_t triggers[] = {0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x54, 0x230};

typedef struct number_kind {
    const char *name, *shown;
    unsigned width;
    char number; /* u, i or f; b: bytes */
    bool is_bit, is_flags;
} number_kind;
static const number_kind kinds[] = {
    {"u8", "u8", 1, 'u', false, false},     {"s8", "i8", 1, 'i', false, false},
    {"u16", "u16", 2, 'u', false, false},   {"s16", "i16", 2, 'i', false, false},
    {"u32", "u32", 4, 'u', false, false},   {"s32", "i32", 4, 'i', false, false},
    {"f32", "f32", 4, 'f', false, false},   {"bit", "i16", 2, 'i', true, false},
    {"bits8", "u8", 1, 'u', false, true},   {"bits16", "u16", 2, 'u', false, true},
    {"bits32", "u32", 4, 'u', false, true}, {"bytes", "bytes", 1, 'b', false, false},
};

/* A parameter, or the bytes between two. */
typedef struct fact {
    unsigned type, offset, count; /* count: 0 for one */
    const number_kind *kind;
    char name[40];
    const char *evidence; /* "N of M set; LOW..HIGH"; NULL: none */
} fact;

typedef struct object_type {
    unsigned type, words;
    size_t first, after; /* its facts, by offset */
} object_type;

/* All types, ascending. Their facts fill each record from the head to its end, if they have any. */
static struct {
    fact *items;
    size_t count, capacity;
    char *text;
    size_t type_count;
    object_type types[TYPES_MAX];
} facts;

static const number_kind *kind_named(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    print_error("unknown kind %s\n", name);
    fail();
    return NULL;
}

static fact *new_fact(unsigned type, unsigned offset, const char *kind_name, unsigned count) {
    if (facts.count == facts.capacity) {
        facts.capacity = 2 * facts.capacity + 4096;
        facts.items = realloc(facts.items, facts.capacity * sizeof *facts.items);
        assert_non_null(facts.items);
    }
    fact *made = &facts.items[facts.count++];
    *made = (fact){.type = type, .offset = offset, .count = count, .kind = kind_named(kind_name)};
    return made;
}

static unsigned size_of(const fact *f) {
    return f->kind->width * (f->count ? f->count : 1);
}

static int by_place(const void *a, const void *b) {
    const fact *one = a, *other = b;
    if (one->type != other->type)
        return one->type < other->type ? -1 : 1;
    return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* "type_id name offset kind[n] name meaning source evidence", with tabs. */
static void read_line(char *line) {
    char *columns[5], *end, base[8] = "";
    for (size_t i = 0; i < 5; i++) {
        columns[i] = line;
        line = strchr(line, '\t');
        assert_non_null(line);
        *line++ = 0;
    }
    unsigned count = 0;
    assert_true(sscanf(columns[3], "%7[a-z0-9][%u]", base, &count) >= 1);
    fact *f = new_fact((unsigned)strtoul(columns[0], &end, 16), (unsigned)strtoul(columns[2], NULL, 16), base,
                       count);
    assert_true(*end == 0 && strlen(columns[4]) < sizeof f->name);
    memcpy(f->name, columns[4], strlen(columns[4]) + 1);
    f->evidence = strrchr(line, '\t');
    assert_non_null(f->evidence++);
}

/* Numbers of 16 bits that the list lacks; all other gaps between parameters are bytes. */
static bool is_plain(unsigned type, unsigned offset) {
    return (type == 0x3CF || type == 0x49F) && offset == 0x1A;
}

static void put_gap(unsigned type, unsigned begin, unsigned end) {
    unsigned size = end - begin;
    if (!size)
        return;
    fact *gap = is_plain(type, begin) ? new_fact(type, begin, "s16", 0)
                : size == 1           ? new_fact(type, begin, "u8", 0)
                                      : new_fact(type, begin, "bytes", size);
    assert_int_equal(size_of(gap), size);
    snprintf(gap->name, sizeof gap->name, "unknown_%02X", begin);
}

static const struct {
    unsigned type, words;
} known_types[] = {
#define OWN(type, words, name)    {type, words},
#define SHARED(type, words, name) {type, words},
#include "../src/formats/sfa/objects/type_list.h"
};

static int read_facts(void **state) {
    (void)state;
    char path[512];
    size_t size = 0;
    uint8_t *bytes =
        corpus_path("../formats/sfa-objects.tsv", path, sizeof path) ? read_whole(path, &size) : NULL;
    if (!bytes)
        return 0;
    facts.text = realloc(bytes, size + 1);
    assert_non_null(facts.text);
    facts.text[size] = 0;
    char *line = strchr(facts.text, '\n');
    assert_non_null(line);
    for (char *next; *++line; line = next) {
        next = strchr(line, '\n');
        assert_non_null(next);
        *next = 0;
        read_line(line);
    }
    size_t listed = facts.count;
    qsort(facts.items, listed, sizeof *facts.items, by_place);
    size_t types = sizeof known_types / sizeof *known_types, used = 0;
    assert_true(types <= TYPES_MAX);
    for (size_t t = 0; t < types; t++) {
        unsigned at = HEAD, type = known_types[t].type;
        unsigned words = type == CURVE ? CURVE_WORDS : known_types[t].words; /* of most kinds of curves */
        for (; used < listed && facts.items[used].type == type; used++) {
            fact f = facts.items[used];
            put_gap(type, at, f.offset);
            at = f.offset + size_of(&f);
        }
        if (type == CURVE) { /* other kinds have game bits or numbers from there on */
            put_gap(type, at, CURVE_OWN);
            at = CURVE_OWN;
        }
        if (at > HEAD)
            put_gap(type, at, 4 * words);
        facts.types[t] = (object_type){.type = type, .words = words};
    }
    facts.type_count = types;
    assert_int_equal(used, listed); /* no type is only in the list */
    qsort(facts.items, facts.count, sizeof *facts.items, by_place);
    for (size_t t = 0, i = 0; t < types; t++) {
        facts.types[t].first = i;
        while (i < facts.count && facts.items[i].type == facts.types[t].type)
            i++;
        facts.types[t].after = i;
    }
    return 0;
}

static int free_facts(void **state) {
    (void)state;
    free(facts.items);
    free(facts.text);
    memset(&facts, 0, sizeof facts);
    return 0;
}

static void needs_facts(void) {
    if (facts.count > 4000)
        return;
    assert_int_equal(facts.count, 0);
    print_message("# no list of facts found (formats/sfa-objects.tsv beside MAPSTONE_CORPUS)\n");
    skip();
}

/* ---- lists of records --------------------------------------------------------------------------- */

/* A record whose parameter bytes are all different, and above 0x7F, so that signs and byte order are
 * visible. */
static void put_object(writer *w, unsigned type, unsigned words) {
    size_t start = w->size;
    w->big = true;
    put_u16(w, (uint16_t)type);
    put_u8(w, (uint8_t)words);
    for (unsigned at = 3; at < 8; at++)
        put_u8(w, 0);
    for (unsigned i = 0; i < 3; i++)
        put_f32(w, 1.5f + (float)i);
    put_u32(w, 0x81828384u + (uint32_t)start);
    while (w->size - start < 4 * (size_t)words)
        put_u8(w, (uint8_t)(0x80 + (w->size - start)));
}

typedef enum extent { COMPLETE, LONGER, SHORTER, HEAD_ALONE } extent;

static unsigned words_of(const object_type *type, extent which) {
    switch (which) {
    case LONGER: return type->words + 2;
    case SHORTER: return type->words > HEAD / 4 ? type->words - 1 : type->words;
    case HEAD_ALONE: return HEAD / 4;
    case COMPLETE: break;
    }
    return type->words;
}

/* All types in one list, ascending or descending. */
static writer make_list(extent which, bool descending) {
    writer w = {0};
    for (size_t i = 0; i < facts.type_count; i++) {
        const object_type *type = &facts.types[descending ? facts.type_count - 1 - i : i];
        put_object(&w, type->type, words_of(type, which));
    }
    return w;
}

static mst_document *open_list(const writer *w) {
    return open_as(w->data, w->size, "sfa-romlist", "test.romlist");
}

static bool is_trigger(unsigned type) {
    for (size_t i = 0; i < sizeof triggers / sizeof *triggers; i++)
        if (triggers[i] == type)
            return true;
    return false;
}

static bool has_commands(const fact *f) {
    return is_trigger(f->type) && strcmp(f->name, "commands") == 0;
}

static void assert_number(const mst_value *value, const uint8_t *bytes, const number_kind *kind) {
    uint64_t stored = 0;
    for (unsigned i = 0; i < kind->width; i++)
        stored = stored << 8 | bytes[i];
    if (kind->number == 'f') {
        double real;
        assert_int_equal(mst_value_type(value), MST_TYPE_REAL);
        MUST(mst_get_real(value, &real), NULL);
        assert_int_equal(mst_bits_of_f32((float)real), stored);
        return;
    }
    int64_t number, wanted = (int64_t)stored;
    if (kind->number == 'i' && bytes[0] & 0x80)
        wanted -= (int64_t)1 << 8 * kind->width;
    assert_int_equal(mst_value_type(value), MST_TYPE_INTEGER);
    MUST(mst_get_integer(value, &number), NULL);
    assert_int_equal(number, wanted);
    assert_int_equal(mst_get_flags(value, NULL, 0, NULL) == MST_OK, kind->is_flags);
}

/* The member is the parameter that the fact describes, of the record at `start`. */
static void assert_parameter(const mst_value *value, const fact *f, const uint8_t *bytes, uint64_t start) {
    uint64_t offset, length;
    mst_field_information field = mst_value_field(value);
    mst_value_span(value, &offset, &length);
    if (strcmp(field.name, f->name) != 0 || offset != start + f->offset || length != size_of(f))
        print_error("type 0x%X: %s at 0x%X, not %s at 0x%X\n", f->type, field.name,
                    (unsigned)(offset - start), f->name, f->offset);
    assert_string_equal(field.name, f->name);
    assert_int_equal(offset, start + f->offset);
    assert_int_equal(length, size_of(f));
    if (has_commands(f))
        return;
    assert_int_equal(strcmp(field.unit, "game bit") == 0, f->kind->is_bit);
    if (f->kind->number == 'b') {
        const void *kept;
        size_t size;
        assert_int_equal(mst_value_type(value), MST_TYPE_BYTES);
        MUST(mst_get_bytes(value, &kept, &size), NULL);
        assert_int_equal(size, f->count);
        assert_memory_equal(kept, bytes + offset, size);
        return;
    }
    if (!f->count) {
        assert_number(value, bytes + offset, f->kind);
        return;
    }
    assert_int_equal(mst_value_type(value), MST_TYPE_LIST);
    assert_int_equal(mst_count(value), f->count);
    for (unsigned i = 0; i < f->count; i++) {
        mst_value element;
        MUST(mst_element(value, i, &element), NULL);
        assert_number(&element, bytes + offset + (size_t)i * f->kind->width, f->kind);
    }
}

static void assert_kept(const mst_value *value, const char *name, uint64_t begin, uint64_t end) {
    uint64_t offset, length;
    assert_string_equal(mst_value_field(value).name, name);
    assert_int_equal(mst_value_type(value), MST_TYPE_BYTES);
    mst_value_span(value, &offset, &length);
    assert_int_equal(offset, begin);
    assert_int_equal(length, end - begin);
}

/* The members after the head: the parameters in their order and nothing else, then the remaining bytes. */
static void assert_object(const mst_value *object, const object_type *type, const uint8_t *bytes,
                          unsigned words) {
    uint64_t start, size;
    mst_value_span(object, &start, &size);
    assert_int_equal(size, 4 * words);
    uint64_t end = start + size, at = start + HEAD;
    mst_value member;
    mst_iterator members = mst_iterate(object);
    while (mst_next(&members, &member) && strcmp(mst_value_field(&member).name, "id") != 0) {
    }
    bool more = mst_next(&members, &member) != 0, described = type->after > type->first;
    if (described && words >= type->words) {
        assert_true(more);
        assert_string_equal(mst_value_field(&member).name, "parameters");
        assert_int_equal(mst_value_type(&member), MST_TYPE_RECORD);
        mst_iterator parameters = mst_iterate(&member);
        mst_value parameter;
        for (size_t i = type->first; i < type->after; i++) {
            assert_true(mst_next(&parameters, &parameter));
            assert_parameter(&parameter, &facts.items[i], bytes, start);
        }
        assert_false(mst_next(&parameters, &parameter));
        at = start + 4 * (uint64_t)type->words;
        more = mst_next(&members, &member) != 0;
    }
    assert_true(more); /* the remaining bytes, if all are 0 */
    assert_kept(&member, described ? "unknown_tail" : "parameters", at, end);
    assert_false(mst_next(&members, &member));
}

static void assert_list(extent which, bool descending) {
    needs_facts();
    writer w = make_list(which, descending);
    mst_document *document = open_list(&w);
    mst_value objects, object;
    size_t size, i = 0;
    MUST(mst_find(mst_root(document), "objects", &objects, NULL), NULL);
    assert_int_equal(mst_count(&objects), facts.type_count);
    const uint8_t *bytes = mst_document_bytes(document, &size);
    for (mst_iterator all = mst_iterate(&objects); mst_next(&all, &object); i++) {
        const object_type *type = &facts.types[descending ? facts.type_count - 1 - i : i];
        assert_object(&object, type, bytes, words_of(type, which));
    }
    assert_int_equal(i, facts.type_count);
    assert_encodes(document);
    mst_close(document);
    writer_free(&w);
}

static void complete_records(void **state) {
    (void)state;
    assert_list(COMPLETE, false);
}
/* Each type follows another one than before. */
static void in_descending_order(void **state) {
    (void)state;
    assert_list(COMPLETE, true);
}
static void longer_records(void **state) {
    (void)state;
    assert_list(LONGER, false);
}
/* One word too few: there are no parameters, and the bytes are kept. */
static void shorter_records(void **state) {
    (void)state;
    assert_list(SHORTER, false);
}
static void heads_alone(void **state) {
    (void)state;
    assert_list(HEAD_ALONE, true);
}

static void json_of(extent which) {
    needs_facts();
    writer w = make_list(which, false);
    mst_document *document = open_list(&w);
    assert_json(document, 1);
    mst_close(document);
    writer_free(&w);
}
static void json_of_complete_records(void **state) {
    (void)state;
    json_of(COMPLETE);
}
static void json_of_shorter_records(void **state) {
    (void)state;
    json_of(SHORTER);
}
static void checks_and_coverage(void **state) {
    (void)state;
    needs_facts();
    writer w = make_list(COMPLETE, false);
    mst_document *document = open_list(&w);
    assert_ledger(document);
    assert_checks(document);
    mst_close(document);
    writer_free(&w);
}

/* ---- the reference ------------------------------------------------------------------------------ */

/* The end of a line of the reference: the values in real records, from the list. */
static void assert_seen(const char *line, const fact *f) {
    unsigned used, count, length = (unsigned)strcspn(line, "\n");
    int turned = 0;
    char values[64], low[24] = "", high[24] = "", range[128], evidence[128], whole[8192];
    assert_true(length < sizeof whole);
    memcpy(whole, line, length);
    whole[length] = 0;
    if (!f->evidence || has_commands(f)) {
        assert_null(strstr(whole, "Evidence: "));
        return;
    }
    assert_int_equal(sscanf(f->evidence, "%u of %u set; %63[^\t\n]", &used, &count, values), 3);
    const char *none = f->kind->is_bit ? "-1" : "0", *dots = strstr(values, "..");
    const char *inverted = strchr(values, ',');
    if (inverted)
        assert_int_equal(sscanf(inverted, ", %d inverted", &turned), 1);
    if (dots)
        assert_int_equal(sscanf(values, "%23[^.]", low), 1);
    /* hundredths have a point */
    if (dots && f->kind->number == 'f')
        assert_int_equal(sscanf(values, "%23[0-9.]", low), 1);
    if (strstr(low, ".."))
        *strstr(low, "..") = 0;
    assert_int_equal(sscanf(dots ? dots + 2 : values, "%23[^,]", high), 1);
    if (!used)
        snprintf(range, sizeof range, "Values: %s. ", none);
    else if (f->kind->is_flags)
        snprintf(range, sizeof range, "Values: %s. ", values);
    else if (turned)
        snprintf(range, sizeof range, "Values: %s to %s, %d of them inverted. ", dots ? low : high, high,
                 turned);
    else if (dots && (strcmp(low, high) != 0 || f->kind->number == 'f'))
        snprintf(range, sizeof range, "Values: %s to %s. ", low, high);
    else
        snprintf(range, sizeof range, "Values: %s. ", high);
    if (used)
        snprintf(evidence, sizeof evidence, "Evidence: %u of %u records of the type are not %s. ", used,
                 count, none);
    else
        snprintf(evidence, sizeof evidence, "Evidence: all of %u records of the type. ", count);
    if (!strstr(whole, range) || !strstr(whole, evidence))
        print_error("type 0x%X, %s: not %s%s in %s\n", f->type, f->name, range, evidence, whole);
    assert_non_null(strstr(whole, range));
    assert_non_null(strstr(whole, evidence));
}

/* The lines of a type's reference: name, kind and offset of each parameter; all are always present. */
static void assert_reference(const mst_format_information *format, const object_type *type) {
    mst_buffer text = {0};
    char number[8], line[160];
    snprintf(number, sizeof number, "0x%X", type->type);
    MUST(mst_write_specification(format, MST_SPECIFICATION_MARKDOWN, number, mst_buffer_sink(&text)), NULL);
    assert_int_equal(mst_buffer_sink(&text).write(&text, "", 1), 0);
    const char *at = strstr((const char *)text.data, "|---|");
    assert_non_null(at);
    for (size_t i = type->first; i < type->after; i++) {
        const fact *f = &facts.items[i];
        at = strchr(at, '\n') + 1;
        int length =
            f->count ? snprintf(line, sizeof line, "| `%s` | %s[%u] | %u | ", f->name, f->kind->shown,
                                f->count, f->offset)
                     : snprintf(line, sizeof line, "| `%s` | %s | %u | ", f->name, f->kind->shown, f->offset);
        if (has_commands(f))
            length = snprintf(line, sizeof line, "| `commands` | command[8] | 24 | ");
        if (strncmp(at, line, (size_t)length) != 0)
            print_error("type 0x%X: not %s in %.80s\n", type->type, line, at);
        assert_memory_equal(at, line, (size_t)length);
        assert_seen(at, f);
        const char *present = strchr(at + length, '|');
        assert_memory_equal(present, "|  | ", 5);
    }
    at = strchr(at, '\n') + 1;
    assert_int_equal(*at, '\n');
    assert_null(strstr((const char *)text.data, "May be missing"));
    mst_buffer_free(&text);
}

#define QUARTERS 4
static void assert_references(size_t quarter) {
    needs_facts();
    const mst_format_information *format = NULL;
    for (size_t i = 0; i < mst_format_count() && !format; i++)
        if (strcmp(mst_format_at(i)->id, "sfa-romlist") == 0)
            format = mst_format_at(i);
    size_t end = facts.type_count * (quarter + 1) / QUARTERS;
    for (size_t i = facts.type_count * quarter / QUARTERS; i < end; i++) {
        const object_type *type = &facts.types[i];
        if (type->after > type->first && type->type != CURVE)
            assert_reference(format, type);
    }
}
static void references_1(void **state) {
    (void)state;
    assert_references(0);
}
static void references_2(void **state) {
    (void)state;
    assert_references(1);
}
static void references_3(void **state) {
    (void)state;
    assert_references(2);
}
static void references_4(void **state) {
    (void)state;
    assert_references(3);
}

int test_sfa_facts(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_records),
        cmocka_unit_test(in_descending_order),
        cmocka_unit_test(longer_records),
        cmocka_unit_test(shorter_records),
        cmocka_unit_test(heads_alone),
        cmocka_unit_test(references_1),
        cmocka_unit_test(references_2),
        cmocka_unit_test(references_3),
        cmocka_unit_test(references_4),
        cmocka_unit_test(json_of_complete_records),
        cmocka_unit_test(json_of_shorter_records),
        cmocka_unit_test(checks_and_coverage),
    };
    return cmocka_run_group_tests(tests, read_facts, free_facts);
}
