/* SPDX-License-Identifier: MIT */
/* The schema engine, part by part, with small formats of the test's own. */
#include "../src/files/ledger.h"
#include "../src/languages/reference.h"
#include "engine_format.h"

/* ---- documents of formats that are not listed -------------------------------------------------- */

static void json_text(const mst_document *d, int compact, mst_buffer *text) {
    mst_diagnostic why;
    mst_value top = mst_root(d);
    mst_json_options options = {.size = sizeof options, .compact = compact};
    MUST(mst_write_json(&top, &options, mst_buffer_sink(text), &why), &why);
    MUST(mst_buffer_sink(text).write(text, "", 1), NULL);
    text->size--;
}

/* The result of reading the JSON in the byte order of `d`; false in a build that cannot read JSON. */
static bool json_bytes(const mst_document *d, const mst_buffer *text, mst_buffer *made) {
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_json json;
    mst_diagnostic why;
    mst_status status = mst_json_parse((const char *)text->data, text->size, &arena, &json, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        mst_encode_request request = {.format = d->format,
                                      .variant = d->variant,
                                      .plans = d->plans,
                                      .allocator = &d->allocator,
                                      .limit = UINT32_MAX,
                                      .field = &mst_document_field,
                                      .single = true,
                                      .context = d->context,
                                      .source = {.json = json.nodes}};
        made->allocator = d->allocator;
        MUST(mst_encode_field(&request, made, &why), &why);
    }
    mst_arena_end(&arena);
    return status != MST_UNSUPPORTED;
}

/* ---- a format with everything ------------------------------------------------------------------ */

#define EVERYTHING_JSON                                                                                      \
    "{\"$format\":\"test\",\"version\":3,\"u8\":200,\"i8\":-128,\"u16\":43981,\"i16\":-32767,"               \
    "\"u32\":3735928559,\"i32\":-2,\"u64\":\"0xfedcba9876543210\",\"i64\":\"0x8000000000000000\","           \
    "\"f32\":0.1,\"f64\":-1e300,\"always_big\":16909060,\"yes\":true,\"color\":\"green\","                   \
    "\"fixed\":[1,-1,3],\"by_u8\":[4660,5],\"by_u16\":[0.5],"                                                \
    "\"by_u32\":[9007199254740992,\"0x0020000000000001\"],\"counted\":[0,1,2],\"name\":\"name\","            \
    "\"narrow\":\"\xC3\xA9!\",\"wide\":\"\xF0\x9F\x98\x80x\",\"raw\":\"00ff\",\"pair\":{\"a\":513,\"b\":-1}" \
    ","                                                                                                      \
    "\"pairs\":[{\"a\":1000,\"b\":-16},{\"a\":1001,\"b\":-15}],\"texts\":[\"p\",\"\"],"                      \
    "\"sized\":[{\"a\":9},{\"a\":8,\"tail\":\"78797a\"}],\"flags\":4,\"if_bit\":1,\"if_no_bit\":2,"          \
    "\"newer\":3,\"kind\":5,\"value\":2.5,\"rest\":[10,20,30]}\n"

#define FORMAT_KEY "{\"$format\":\"test\","
#define ORDER_KEY  "\"$byte_order\":\"big\","

static void both_byte_orders(void **state) {
    (void)state;
    writer twins[2] = {{.big = false}, {.big = true}};
    mst_buffer texts[2] = {{0}, {0}};
    for (int big = 0; big < 2; big++) {
        write_everything(&twins[big], 3, 5);
        mst_document d;
        mst_diagnostic why;
        fabricate(&d, &test_format, 3, big, twins[big].data, twins[big].size);
        MUST(measure(&d, &why), &why);
        assert_marks(&d, &twins[big]);
        assert_encodes(&d);
        assert_ledger(&d);
        assert_checks(&d);
        json_text(&d, 1, &texts[big]);
        /* a byte order that is not the format's default is shown after the format */
        const char *text = (const char *)texts[big].data, *after = &EVERYTHING_JSON[strlen(FORMAT_KEY)];
        assert_memory_equal(text, FORMAT_KEY, strlen(FORMAT_KEY));
        text += strlen(FORMAT_KEY);
        if (big) {
            assert_memory_equal(text, ORDER_KEY, strlen(ORDER_KEY));
            text += strlen(ORDER_KEY);
        }
        assert_string_equal(text, after);
        discard(&d);
    }
    assert_memory_not_equal(twins[0].data, twins[1].data, twins[0].size);
    /* the same JSON makes either of them, indented or not */
    for (int big = 0; big < 2; big++) {
        mst_document d;
        fabricate(&d, &test_format, 3, big, twins[big].data, twins[big].size);
        mst_buffer made = {0}, pretty = {0}, again = {0};
        json_text(&d, 0, &pretty);
        if (json_bytes(&d, &texts[!big], &made)) {
            assert_same_bytes(&d, made.data, made.size);
            json_bytes(&d, &pretty, &again);
            assert_same_bytes(&d, again.data, again.size);
        }
        mst_buffer_free(&made);
        mst_buffer_free(&pretty);
        mst_buffer_free(&again);
        discard(&d);
        mst_buffer_free(&texts[!big]);
        writer_free(&twins[big]);
    }
}

static void conditions_decide(void **state) {
    (void)state;
    static const struct {
        unsigned version, kind;
        mst_type value;
    } cases[] = {{2, 1, MST_TYPE_INTEGER}, {3, 1, MST_TYPE_INTEGER}, {2, 2, MST_TYPE_REAL},
                 {4, 5, MST_TYPE_REAL},    {3, 0, MST_TYPE_NONE},    {3, 40, MST_TYPE_NONE}};
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++)
        for (int big = 0; big < 2; big++) {
            writer w = {.big = big};
            write_everything(&w, cases[i].version, cases[i].kind);
            mst_document d;
            mst_value value;
            fabricate(&d, &test_format, cases[i].version, big, w.data, w.size);
            MUST(measure(&d, NULL), NULL);
            assert_marks(&d, &w);
            assert_encodes(&d);
            mst_status status = mst_find(mst_root(&d), "value", &value, NULL);
            assert_int_equal(status, cases[i].value == MST_TYPE_NONE ? MST_NO_PATH : MST_OK);
            if (status == MST_OK)
                assert_int_equal(mst_value_type(&value), cases[i].value);
            status = mst_find(mst_root(&d), "newer", &value, NULL);
            assert_int_equal(status, cases[i].version >= 3 ? MST_OK : MST_NO_PATH);
            discard(&d);
            writer_free(&w);
        }
}

static void operators(void **state) {
    (void)state;
    static const struct {
        mst_operator operation;
        uint32_t value, variable;
        bool holds;
    } cases[] = {
        {MST_ALWAYS, 1, 2, true},
        {MST_EQUAL, 5, 5, true},
        {MST_EQUAL, 5, 6, false},
        {MST_NOT_EQUAL, 5, 5, false},
        {MST_NOT_EQUAL, 5, 6, true},
        {MST_AT_LEAST, 5, 4, false},
        {MST_AT_LEAST, 5, 5, true},
        {MST_AT_LEAST, 5, UINT32_MAX, true},
        {MST_BELOW, 5, 4, true},
        {MST_BELOW, 5, 5, false},
        {MST_BELOW, 0, 0, false},
        {MST_ANY_BIT, 6, 2, true},
        {MST_ANY_BIT, 6, 9, false},
        {MST_NO_BIT, 6, 2, false},
        {MST_NO_BIT, 6, 9, true},
        {MST_ONE_OF, 1u << 31, 31, true},
        {MST_ONE_OF, 0xFFFFFFFF, 32, false},
        {MST_ONE_OF, 0xFFFFFFFF, UINT32_MAX, false},
        {MST_ONE_OF, 5, 1, false},
        {MST_ONE_OF, 5, 2, true},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_field field = {.name = "x", .when = {{(uint8_t)cases[i].operation, 3, cases[i].value}}};
        uint32_t context[MST_VARIABLES] = {[3] = cases[i].variable};
        assert_int_equal(mst_field_present(&field, context), cases[i].holds);
        /* all three must hold */
        field.when[2] = (mst_when){MST_EQUAL, 4, 1};
        assert_false(mst_field_present(&field, context));
    }
}

static void plans(void **state) {
    (void)state;
    mst_document d;
    fabricate(&d, &test_format, 3, false, NULL, 0);
    const mst_plan *plan = mst_plan_of(&d, &pair);
    assert_int_equal(plan->stride, 3);
    assert_int_equal(plan->minimum, 3);
    assert_int_equal(plan->fields[1].offset, 2);
    assert_int_equal(plan->runs[0].size, 3);
    assert_int_equal(plan->runs[0].next, 2);
    assert_int_equal(mst_plan_of(&d, &text_record)->stride, 0);
    assert_int_equal(mst_plan_of(&d, &text_record)->minimum, 1);
    assert_int_equal(mst_plan_of(&d, &sized)->stride, 0); /* read one by one: the plan has a size */
    assert_int_equal(mst_plan_of(&d, &sized)->minimum, 3);
    plan = mst_plan_of(&d, &root);
    for (size_t i = 0; i < MST_COUNT_OF(root_fields); i++) {
        const char *name = root_fields[i].name;
        mst_presence wanted = strcmp(name, "newer") == 0         ? MST_PRESENT
                              : strcmp(name, "older") == 0       ? MST_ABSENT
                              : root_fields[i].when[0].operation ? MST_DEPENDS
                                                                 : MST_PRESENT;
        assert_int_equal(plan->fields[i].presence, wanted);
    }
    assert_int_equal(plan->fields[2].offset, 3); /* u8 */
    assert_int_equal(plan->fields[11].offset, 3 + 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4);
    discard(&d);
}

/* Every place where the bytes can end: the exact field is named, and nothing beyond is read. */
static void every_end(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        write_everything(&w, 3, 5);
        size_t rest = w.size - 6; /* three numbers until the end: fewer are valid as well */
        for (size_t size = 0; size < w.size; size++) {
            uint8_t *exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_document d;
            mst_diagnostic why;
            fabricate(&d, &test_format, 3, big, exact, size);
            mst_status status = measure(&d, &why);
            assert_int_equal(status, size >= rest && (size - rest) % 2 == 0 ? MST_OK : MST_DAMAGED);
            if (status != MST_OK) {
                assert_true(why.path[0] != 0);
                assert_true(why.offset <= size && why.length <= size - why.offset);
                assert_true(strncmp(why.code, "T-", 2) == 0);
            }
            if (size == 20) { /* within u64, which takes 17 to 24 */
                assert_string_equal(why.path, "u64");
                assert_string_equal(why.code, "T-OVERRUN");
                assert_int_equal(why.offset, 17);
                assert_string_equal(why.expected, "8 bytes");
                assert_string_equal(why.found, "3 left");
            }
            discard(&d);
            free(exact);
        }
        writer_free(&w);
    }
}

static void problems(void **state) {
    (void)state;
    static const struct {
        const char *mark;
        int delta;
        uint8_t value;
        const char *code, *path;
    } cases[] = {
        {"version", -1, 'X', "T-MAGIC", "magic"},         {"by_u8[0]", -1, 255, "T-COUNT", "by_u8"},
        {"count", 0, 255, "T-COUNT", "counted"},          {"sized[0].a", 0, 9, NULL, NULL},
        {"sized[0].a", -1, 0, "T-OVERRUN", "sized[0].a"}, {"sized[0].a", -2, 1, "T-OVERRUN", "sized[0].size"},
        {"sized[0].a", -4, 200, "T-STRING", "texts[0]"},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        writer w = {0};
        write_everything(&w, 3, 5);
        size_t place = mark_of(&w, cases[i].mark)->offset + (size_t)(ptrdiff_t)cases[i].delta;
        if (cases[i].path && strcmp(cases[i].path, "texts[0]") == 0)
            place--; /* the first text's length: 1 'p' 0 precede the size */
        w.data[place] = cases[i].value;
        mst_document d;
        mst_diagnostic why;
        fabricate(&d, &test_format, 3, false, w.data, w.size);
        mst_status status = measure(&d, &why);
        assert_int_equal(status, cases[i].code ? MST_DAMAGED : MST_OK);
        if (status != MST_OK) {
            assert_string_equal(why.code, cases[i].code);
            assert_string_equal(why.path, cases[i].path);
        }
        discard(&d);
        writer_free(&w);
    }
    /* an odd byte after a list that extends to the end */
    writer w = {0};
    write_everything(&w, 3, 5);
    put_u8(&w, 1);
    mst_document d;
    mst_diagnostic why;
    fabricate(&d, &test_format, 3, false, w.data, w.size);
    assert_int_equal(measure(&d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-TRAILING");
    assert_string_equal(why.path, "rest");
    assert_int_equal(why.offset, w.size - 1);
    assert_int_equal(why.length, 1);
    discard(&d);
    writer_free(&w);
}

/* ---- recursive records ------------------------------------------------------------------------- */

static const mst_record node;

static const mst_field node_fields[] = {
    {.name = "size", .kind = MST_KIND_U32, .flags = MST_FIELD_SIZE},
    {.name = "nodes", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &node},
};

static const mst_record node = {.name = "node", .index = 1, TABLE(node_fields)};

static const mst_field tree_fields[] = {
    {.name = "nodes", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &node}};

static const mst_record tree = {.name = "tree", .index = 0, TABLE(tree_fields)};
static const mst_record *const tree_records[] = {&tree, &node};

static const mst_format tree_format = {
    .information =
        {.id = "tree", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &tree,
    .tables.records = tree_records,
    .tables.record_count = 2,
    .check.problem_codes = PROBLEMS};

/* `depth` nodes, each nested in the one before. */
static void write_nodes(writer *w, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++)
        put_u32(w, (depth - 1 - i) * 4);
}

static size_t occurrences(const mst_buffer *text, const char *what) {
    size_t count = 0;
    for (const char *p = (const char *)text->data; (p = strstr(p, what)) != NULL; p++)
        count++;
    return count;
}

static void deep_nesting(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        mst_document d;
        mst_diagnostic why;
        /* more frames than a file of four bytes a level may request */
        write_nodes(&w, 10000);
        fabricate(&d, &tree_format, 0, big, w.data, w.size);
        assert_int_equal(measure(&d, &why), MST_DAMAGED);
        assert_non_null(strstr(why.message, "nested too deeply"));
        discard(&d);
        writer_free(&w);
        w = (writer){.big = big};
        write_nodes(&w, 1500);
        fabricate(&d, &tree_format, 0, big, w.data, w.size);
        MUST(measure(&d, &why), &why);
        assert_ledger(&d);
        assert_checks(&d);
        mst_buffer text = {0}, made = {0};
        json_text(&d, 1, &text);
        assert_int_equal(occurrences(&text, "{\"nodes\":["), 1500);
        assert_int_equal(occurrences(&text, "]}"), 1501);
        if (json_bytes(&d, &text, &made))
            assert_same_bytes(&d, made.data, made.size);
        mst_buffer_free(&text);
        mst_buffer_free(&made);
        json_text(&d, 0, &text);
        mst_buffer_free(&text);
        /* the innermost one claims a further level */
        mst_store32(w.data + w.size - 4, 1, big);
        assert_int_equal(measure(&d, &why), MST_DAMAGED);
        assert_string_equal(why.code, "T-OVERRUN");
        assert_int_equal(why.offset, w.size - 4);
        assert_true(strncmp(why.path, "nodes[0].nodes[0].nodes[0].", 27) == 0);
        discard(&d);
        writer_free(&w);
        /* encoding from values measures every level again */
        write_nodes(&w, 300);
        w.big = big;
        for (uint32_t i = 0; i < 300; i++)
            mst_store32(w.data + 4 * (size_t)i, (299 - i) * 4, big);
        fabricate(&d, &tree_format, 0, big, w.data, w.size);
        assert_encodes(&d);
        discard(&d);
        writer_free(&w);
    }
}

static mst_status count_deepest(void *user, const mst_event *event) {
    uint32_t *deepest = user;
    if (event->depth > *deepest)
        *deepest = event->depth;
    return event->depth >= 100 && event->kind == MST_EVENT_BEGIN_RECORD ? MST_UNKNOWN : MST_OK;
}

static mst_status stop_at_ten(void *user, const mst_event *event) {
    (void)event;
    return ++*(int *)user == 10 ? MST_STOPPED : MST_OK;
}

static void walks_skip_and_stop(void **state) {
    (void)state;
    writer w = {0};
    write_nodes(&w, 1000);
    mst_document d;
    fabricate(&d, &tree_format, 0, false, w.data, w.size);
    uint32_t deepest = 0;
    MUST(mst_walk(&d, count_deepest, &deepest), NULL);
    assert_int_equal(deepest, 100);
    int events = 0;
    MUST(mst_walk(&d, stop_at_ten, &events), NULL);
    assert_int_equal(events, 10);
    discard(&d);
    writer_free(&w);
}

/* ---- empty records ----------------------------------------------------------------------------- */

static const mst_field nothing_fields[] = {
    {.name = "never", .kind = MST_KIND_U8, .when = {{MST_EQUAL, 1, 1}}}};

static const mst_record nothing = {.name = "nothing", .index = 1, TABLE(nothing_fields)};

static const mst_field void_fields[] = {
    {.name = "nothings", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &nothing}};

static const mst_record void_record = {.name = "void", .index = 0, TABLE(void_fields)};
static const mst_record *const void_records[] = {&void_record, &nothing};

static const mst_format void_format = {
    .information =
        {.id = "void", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &void_record,
    .tables.records = void_records,
    .tables.record_count = 2,
    .check.problem_codes = PROBLEMS};

/* Elements that take no bytes would never end. */
static void elements_of_no_bytes(void **state) {
    (void)state;
    static const uint8_t bytes[3] = {1, 2, 3};
    mst_document d;
    mst_diagnostic why;
    fabricate(&d, &void_format, 0, false, bytes, sizeof bytes);
    assert_int_equal(measure(&d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-COUNT");
    assert_int_equal(why.offset, 0);
    discard(&d);
}

/* ---- all formats' tables ----------------------------------------------------------------------- */

static bool when_holds(const mst_when *when, uint32_t value) {
    mst_field field = {.when = {{when->operation, 1, when->value}}};
    uint32_t context[MST_VARIABLES] = {[1] = value};
    return mst_field_present(&field, context);
}

#define WHENS MST_COUNT_OF(((const mst_field *)0)->when)

/* Whether the fields' conditions on some context variable exclude each other. */
static bool exclude(const mst_field *a, const mst_field *b) {
    for (unsigned variable = 0; variable < MST_VARIABLES; variable++) {
        bool possible = false;
        for (unsigned i = 0; i < 300 && !possible; i++) {
            /* small numbers, and those around the compared values */
            uint32_t value = i;
            if (i >= 256 && i < 256 + 6 * WHENS) {
                const mst_field *of = i < 256 + 3 * WHENS ? a : b;
                value = of->when[(i - 256) / 3 % WHENS].value + (i - 256) % 3 - 1;
            }
            bool all = true;
            for (unsigned k = 0; k < 2 * WHENS; k++) {
                const mst_when *when = k < WHENS ? &a->when[k] : &b->when[k - WHENS];
                all = all && (when->operation == MST_ALWAYS || when->variable != variable ||
                              when_holds(when, value));
            }
            possible = all;
        }
        if (!possible)
            return true;
    }
    return false;
}

static bool has_code(const mst_format *format, const char *code) {
    for (size_t i = 0; i < format->check.codes->count; i++)
        if (strcmp(format->check.codes->items[i].code, code) == 0)
            return true;
    return false;
}

/* A field of a record or of a chunk in it; NULL: there is none of that name. */
static const mst_field *field_named(const mst_record *record, const char *name, size_t length) {
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_field *field = &record->fields[f];
        if (strlen(field->name) == length && memcmp(field->name, name, length) == 0)
            return field;
        for (uint8_t c = 0; field->chunks && c < field->chunks->case_count; c++) {
            const mst_field *of = &field->chunks->cases[c].field;
            if (strlen(of->name) == length && memcmp(of->name, name, length) == 0)
                return of;
        }
    }
    return NULL;
}

/* Some record has the list that a path names, and its elements have `key`. */
static bool leads_somewhere(const mst_format *format, const char *path, const char *key) {
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_record *record = format->tables.records[r];
        const mst_field *field = NULL;
        for (const char *step = path; step && record;
             step = strchr(step, '.') ? strchr(step, '.') + 1 : NULL) {
            field = field_named(record, step, strcspn(step, "."));
            record = field ? field->record : NULL;
        }
        if (!field || (field->mode == MST_COUNT_ONE && !(field->flags & MST_FIELD_REPEATED)))
            continue;
        if (!key || (record && field_named(record, key, strlen(key))))
            return true;
    }
    return false;
}

/* The same in another format that shares the record: nothing is checked if it has no such list. */
static bool leads_elsewhere(const mst_record *record, const mst_refers *fact) {
    for (size_t f = 0; mst_formats[f]; f++) {
        const mst_format *format = mst_formats[f];
        bool shares =
            record->index < format->tables.record_count && format->tables.records[record->index] == record;
        if (shares && leads_somewhere(format, fact->target, fact->key))
            return true;
    }
    return false;
}

static void check_fact(const mst_format *format, const mst_record *record, const mst_field *field,
                       const mst_refers *fact) {
    assert_true(mst_is_number(field) && field->kind < MST_KIND_F32);
    assert_true(fact->by <= MST_BY_BIT && fact->nones <= MST_NONES);
    assert_true(!fact->code || has_code(format, fact->code));
    assert_true(leads_somewhere(format, fact->target, fact->key) ||
                (!fact->code && leads_elsewhere(record, fact)));
    assert_true(!fact->about || !fact->code);
    assert_true(!fact->carries || fact->heir);
    assert_true(!fact->then || leads_somewhere(format, fact->then, NULL));
    assert_true(!fact->where || field_named(record, fact->where, strlen(fact->where)));
}

static void check_field(const mst_format *format, const mst_record *record, const mst_field *field) {
    assert_non_null(field->name);
    assert_true(field->kind <= MST_KIND_CHUNKS && field->mode <= MST_COUNT_SENTINEL);
    assert_true(field->bind <= MST_VARIABLES && field->count_variable < MST_VARIABLES);
    for (size_t i = 0; i < sizeof field->when / sizeof *field->when; i++)
        if (field->when[i].operation && field->when[i].variable == MST_VARIABLE_LAYOUT)
            assert_true(field->when[i].value < format->identity.layout_count);
    if (field->mode == MST_COUNT_PREFIX)
        assert_true(field->prefix == MST_KIND_U8 || field->prefix == MST_KIND_U16 ||
                    field->prefix == MST_KIND_U32 || field->prefix == MST_KIND_U64);
    if (field->constant) {
        assert_int_equal(field->kind, MST_KIND_CHAR8);
        assert_int_equal(field->mode, MST_COUNT_FIXED);
        assert_int_equal(strlen(field->constant), field->count);
    }
    if (field->kind == MST_KIND_RECORD) {
        assert_true(field->record->index < format->tables.record_count);
        assert_ptr_equal(format->tables.records[field->record->index], field->record);
    }
    if (field->length_of) {
        bool found = false;
        for (uint16_t i = 0; i < record->field_count; i++)
            found = found || strcmp(record->fields[i].name, field->length_of) == 0;
        assert_true(found);
    }
    if (field->rule.kind)
        assert_true(has_code(format, field->rule.code));
    /* fields that no version has belong to another format that shares the record */
    for (uint8_t i = 0; i < field->refers_count && mst_reference_has_field(format, field, MST_ALL_LAYOUTS);
         i++)
        check_fact(format, record, field, &field->refers[i]);
    assert_true(!(field->flags & MST_FIELD_ORIGINAL) || format->files.is_canonical);
    for (size_t i = 0; field->names && i < field->names->count; i++)
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(field->names->items[i].name, field->names->items[k].name);
            assert_true(field->names->items[i].value != field->names->items[k].value);
        }
}

static void tables(void **state) {
    (void)state;
    for (size_t f = 0; mst_formats[f]; f++) {
        const mst_format *format = mst_formats[f];
        assert_ptr_equal(mst_format_at(f), &format->information);
        assert_ptr_equal(mst_format_of(&format->information), format);
        for (size_t i = 0; i < f; i++)
            assert_string_not_equal(mst_formats[i]->information.id, format->information.id);
        for (size_t i = 0; i < MST_PROBLEMS; i++)
            assert_true(!format->check.problem_codes[i] || has_code(format, format->check.problem_codes[i]));
        for (size_t i = 0; format->files.count > 1 && i < MST_FILES_MAX; i++)
            assert_true(format->files.alone[i] && !format->files.alone[i]->files.count);
        assert_true(!MST_OPTION(format->images, count) == !MST_OPTION(format->images, read) &&
                    !MST_OPTION(format->images, count) == !MST_OPTION(format->images, replace));
        if (format->check.nonfinite_code)
            assert_true(has_code(format, format->check.nonfinite_code));
        for (size_t i = 0; i < format->check.codes->count; i++) {
            assert_true(strlen(format->check.codes->items[i].code) < sizeof((mst_diagnostic *)0)->code);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(format->check.codes->items[i].code,
                                        format->check.codes->items[k].code);
        }
        for (size_t i = 0; i < format->tables.record_count; i++) {
            const mst_record *record = format->tables.records[i];
            assert_int_equal(record->index, i);
            assert_true(record->doc && *record->doc);
            assert_true(!record->is_inline || record->field_count == 1);
            for (uint16_t n = 0; record->archive && n + 1 < record->field_count; n++)
                assert_false(record->fields[n].flags & MST_FIELD_OUTSIDE); /* only the last may be */
            for (uint16_t n = 0; n < record->field_count; n++)
                assert_true(strlen(record->fields[n].name) < 60);
            /* all names in the record: its fields, and the cases of its chunks */
            const mst_field *all[256];
            size_t count = 0;
            for (uint16_t n = 0; n < record->field_count; n++) {
                const mst_field *field = &record->fields[n];
                check_field(format, record, field);
                const mst_chunks *chunks = field->kind == MST_KIND_CHUNKS ? field->chunks : NULL;
                if (!chunks) {
                    assert_true(count < 256);
                    all[count++] = field;
                    continue;
                }
                assert_true(chunks->case_count <= MST_CASES);
                assert_true(chunks->unknown->flags & MST_FIELD_REPEATED);
                assert_true(chunks->unknown->record->fields[1].flags & MST_FIELD_SIZE);
                for (int c = 0; c <= chunks->case_count; c++) {
                    const mst_field *one = c < chunks->case_count ? &chunks->cases[c].field : chunks->unknown;
                    check_field(format, record, one);
                    for (int k = 0; k < c && c < chunks->case_count; k++)
                        assert_true(chunks->cases[k].id != chunks->cases[c].id);
                    assert_true(count < 256);
                    all[count++] = one;
                }
            }
            for (size_t a = 0; a < count; a++)
                for (size_t b = 0; b < a; b++)
                    if (strcmp(all[a]->name, all[b]->name) == 0 && !exclude(all[a], all[b])) {
                        print_error("%s: %s.%s\n", format->information.id, record->name, all[a]->name);
                        fail();
                    }
        }
    }
    assert_null(mst_format_at(mst_format_count()));
}

int test_engine(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders),
        cmocka_unit_test(conditions_decide),
        cmocka_unit_test(operators),
        cmocka_unit_test(plans),
        cmocka_unit_test(every_end),
        cmocka_unit_test(problems),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(walks_skip_and_stop),
        cmocka_unit_test(elements_of_no_bytes),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
