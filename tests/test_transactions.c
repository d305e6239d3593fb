/* SPDX-License-Identifier: MIT */
/*
 * Edits proved together make the same bytes as the same edits one by one, for random edits of every fixture;
 * and undoing an operation by another one leaves the old bytes.
 */
#include "fixtures.h"
#include "own_format.h"
#include <mapstone/edit.h>

#define OPERATIONS 40
#define PATHS      4000
#define LONG       300

/* ---- random operations ------------------------------------------------------------------------------- */

typedef struct places {
    char (*paths)[LONG]; /* of values that are not records */
    const void **fields;
    size_t count;
    char (*lists)[LONG]; /* of lists that have elements */
    size_t list_count;
} places;

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Records the descendants of a value, without recursion: a queue of paths. */
static void look_around(const mst_document *d, places *p) {
    static char queue[PATHS][LONG];
    size_t first = 0, end = 1;
    queue[0][0] = 0;
    p->count = p->list_count = 0;
    while (first < end) {
        char path[LONG];
        strcpy(path, queue[first++]);
        mst_value value, inner;
        uint64_t index = 0;
        if (mst_find(mst_root(d), path, &value, NULL) != MST_OK)
            continue;
        mst_type type = mst_value_type(&value);
        if (type != MST_TYPE_RECORD && p->count < PATHS) {
            strcpy(p->paths[p->count], path);
            p->fields[p->count++] = value.field;
        }
        if (type == MST_TYPE_LIST && mst_count(&value) && p->list_count < PATHS)
            strcpy(p->lists[p->list_count++], path);
        if (type != MST_TYPE_RECORD && type != MST_TYPE_LIST)
            continue;
        for (mst_iterator it = mst_iterate(&value); mst_next(&it, &inner) && end < PATHS; index++) {
            if (type == MST_TYPE_LIST && index > 40)
                break;
            int length = type == MST_TYPE_LIST
                             ? snprintf(queue[end], LONG, "%s[%llu]", path, (unsigned long long)index)
                             : snprintf(queue[end], LONG, "%s%s%s", path, *path ? "." : "",
                                        mst_value_field(&inner).name);
            end += length < LONG;
        }
    }
}

typedef struct plan_of_edits {
    mst_operation items[OPERATIONS];
    char paths[OPERATIONS][LONG + 24];
    char *values[OPERATIONS];
    size_t count;
} plan_of_edits;

static char *text_at(const mst_document *d, const char *path) {
    mst_value value;
    mst_buffer text = {0};
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
    MUST(mst_write_json(&value, &compact, mst_buffer_sink(&text), NULL), NULL);
    text.data[text.size - 1] = 0;
    return (char *)text.data;
}

/* An element of a list is inserted again somewhere, or copied; most often several of one list in a row. */
static void make_new(const mst_document *d, const places *p, uint32_t *random, plan_of_edits *made) {
    size_t n = made->count;
    mst_operation *one = &made->items[n];
    static const char *list;
    char element[LONG + 24];
    mst_value value;
    if (!n || next_random(random) % 4 == 0)
        list = p->lists[next_random(random) % p->list_count];
    MUST(mst_find(mst_root(d), list, &value, NULL), NULL);
    unsigned count = (unsigned)mst_count(&value), from = next_random(random) % count;
    snprintf(element, sizeof element, "%.299s[%u]", list, from);
    one->kind = next_random(random) % 4 ? MST_OPERATION_INSERT : MST_OPERATION_DUPLICATE;
    if (one->kind == MST_OPERATION_INSERT)
        one->value = made->values[n] = text_at(d, element);
    snprintf(made->paths[n], sizeof made->paths[n], "%.299s[%u]", list, next_random(random) % (count + 1));
    made->count++;
}

/* A value is set to another value of the same field, or an element is removed. */
static void make_one(const mst_document *d, const places *p, uint32_t *random, plan_of_edits *made) {
    size_t n = made->count;
    mst_operation *one = &made->items[n];
    memset(one, 0, sizeof *one);
    one->path = made->paths[n];
    made->values[n] = NULL;
    if (p->list_count && next_random(random) % 4 == 0) {
        const char *list = p->lists[next_random(random) % p->list_count];
        mst_value value;
        MUST(mst_find(mst_root(d), list, &value, NULL), NULL);
        one->kind = MST_OPERATION_REMOVE;
        snprintf(made->paths[n], sizeof made->paths[n], "%.299s[%u]", list,
                 next_random(random) % (unsigned)mst_count(&value));
        made->count++;
        return;
    }
    if (p->list_count && next_random(random) % 2 == 0) {
        make_new(d, p, random, made);
        return;
    }
    size_t to = next_random(random) % p->count, from = next_random(random) % p->count;
    for (size_t i = 0; i < p->count && p->fields[from] != p->fields[to]; i++)
        from = (from + 1) % p->count;
    one->value = made->values[n] = text_at(d, p->paths[from]);
    strcpy(made->paths[n], p->paths[to]);
    made->count++;
}

/* Applies the plan in one transaction. `watched`: the document is inspected after every operation, which
 * proves it. Returns the number of the operation that failed, or their count. */
static size_t carry_out(const fixture *f, const plan_of_edits *plan, bool watched, mst_buffer *result,
                        mst_status *status) {
    mst_document *d;
    mst_diagnostic why;
    mst_transaction *t;
    mst_edit_options options = {.size = sizeof options, .cascade = 1};
    size_t i = 0;
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    MUST(mst_edit_begin(d, &options, &t, &why), &why);
    *status = MST_OK;
    for (; i < plan->count; i++) {
        *status = mst_edit_apply(t, &plan->items[i], &why);
        if (*status == MST_OK && watched && !mst_edit_document(t))
            *status = MST_REFUSED;
        if (*status != MST_OK)
            break;
    }
    if (*status != MST_OK) {
        if (!watched)
            print_error("%s: operation %zu: %s: %s\n", f->source->name, i, why.path, why.message);
        mst_edit_abort(t);
    } else {
        *status = mst_edit_commit(t, &why);
        if (*status == MST_OK) {
            size_t size;
            const void *bytes = mst_document_bytes(d, &size);
            MUST(mst_buffer_sink(result).write(result, bytes, size), NULL);
        } else if (!watched) {
            print_error("%s: %s: %s\n", f->source->name, why.path, why.message);
        }
    }
    mst_close(d);
    return i;
}

static void drop(plan_of_edits *plan, size_t at) {
    free(plan->values[at]);
    plan->count--;
    for (size_t i = at; i < plan->count; i++) {
        memcpy(plan->paths[i], plan->paths[i + 1], sizeof plan->paths[i]);
        plan->values[i] = plan->values[i + 1];
        plan->items[i] = plan->items[i + 1];
        plan->items[i].path = plan->paths[i];
    }
}

static places around;
static plan_of_edits plan;

static void try_fixture(const fixture *f, uint32_t seed) {
    mst_document *d;
    mst_diagnostic why;
    mst_buffer one_by_one = {0}, together = {0};
    mst_status status;
    uint32_t random = seed;
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    look_around(d, &around);
    plan.count = 0;
    while (around.count && plan.count < OPERATIONS)
        make_one(d, &around, &random, &plan);
    mst_close(d);
    for (;;) { /* operations that can be applied in sequence */
        size_t failed = carry_out(f, &plan, true, &one_by_one, &status);
        if (status == MST_OK)
            break;
        if (failed == plan.count) /* all of them together cannot */
            failed = 0;
        drop(&plan, failed);
    }
    carry_out(f, &plan, false, &together, &status);
    if (status != MST_OK || together.size != one_by_one.size ||
        memcmp(together.data, one_by_one.data, together.size) != 0) {
        print_error("%s, seed %u: %s\n", f->source->name, seed, mst_status_text(status));
        for (size_t i = 0; i < plan.count; i++)
            print_error("  %d %s %.60s\n", (int)plan.items[i].kind, plan.paths[i],
                        plan.values[i] ? plan.values[i] : "");
        fail();
    }
    while (plan.count)
        drop(&plan, plan.count - 1);
    mst_buffer_free(&one_by_one);
    mst_buffer_free(&together);
}

static void together_as_one_by_one(void **state) {
    (void)state;
    around.paths = malloc(PATHS * sizeof *around.paths);
    around.lists = malloc(PATHS * sizeof *around.lists);
    around.fields = malloc(PATHS * sizeof *around.fields);
    assert_true(around.paths && around.lists && around.fields);
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        if (!fixture_make(&fixtures[i], &f))
            continue;
        for (uint32_t seed = 1; seed <= (fixtures[i].small ? 4 : 1); seed++)
            try_fixture(&f, seed);
        fixture_free(&f);
    }
    free(around.paths);
    free(around.lists);
    free(around.fields);
}

/* ---- one list ------------------------------------------------------------------------------------------ */

#define IN_A_ROW  12
#define ROW_LISTS 8

/* An element is inserted into a list or removed, each time another one, and the list has the length that the
 * earlier ones left.
 */
static void make_change(const mst_document *d, const char *list, uint64_t *length, uint32_t *random,
                        plan_of_edits *made) {
    size_t n = made->count++;
    mst_operation *one = &made->items[n];
    char element[LONG + 24];
    mst_value value;
    MUST(mst_find(mst_root(d), list, &value, NULL), NULL);
    uint32_t what = next_random(random) % 4;
    *one = (mst_operation){.path = made->paths[n]};
    made->values[n] = NULL;
    one->kind = what == 3 && *length > 1 ? MST_OPERATION_REMOVE
                : what                   ? MST_OPERATION_INSERT
                                         : MST_OPERATION_DUPLICATE;
    if (one->kind == MST_OPERATION_INSERT) {
        snprintf(element, sizeof element, "%.299s[%u]", list,
                 next_random(random) % (unsigned)mst_count(&value));
        one->value = made->values[n] = text_at(d, element);
    }
    unsigned ways = (unsigned)*length + (one->kind == MST_OPERATION_INSERT);
    snprintf(made->paths[n], sizeof made->paths[n], "%.299s[%u]", list, next_random(random) % ways);
    *length += one->kind == MST_OPERATION_REMOVE ? (uint64_t)-1 : 1;
}

static void take_bytes(mst_document *d, mst_buffer *to) {
    size_t size;
    const void *bytes = mst_document_bytes(d, &size);
    to->size = 0;
    MUST(mst_buffer_sink(to).write(to, bytes, size), NULL);
}

/* Applies each operation of the plan in a transaction of its own, and drops those that are refused. Some
 * formats put lists in order at every commit (objects of Star Fox Adventures, materials), or compute the
 * boxes of a grid's cells: places and boxes would then differ, and numbers in inserted elements would name
 * something else. For these each operation is proved alone in one transaction. */
static void edit_by_edit(const fixture *f, mst_document *d, plan_of_edits *edits, mst_buffer *result) {
    mst_status status;
    const char *format = mst_document_format(d)->id;
    if (strncmp(format, "ns2", 3) == 0 || strncmp(format, "turok", 5) == 0 ||
        strncmp(f->source->name, "sfa_list", 8) == 0 || strncmp(f->source->name, "sfa_hits", 8) == 0) {
        for (;;) {
            size_t failed = carry_out(f, edits, true, result, &status);
            if (status == MST_OK)
                return;
            drop(edits, failed == edits->count ? 0 : failed);
        }
    }
    static const mst_edit_options options = {.size = sizeof options, .cascade = 1};
    for (size_t i = 0; i < edits->count;)
        if (mst_edit(d, &edits->items[i], 1, &options, NULL) == MST_OK)
            i++;
        else
            drop(edits, i);
    take_bytes(d, result);
}

static void try_list(const fixture *f, const char *list, uint32_t *random) {
    mst_document *d;
    mst_value value;
    mst_diagnostic why;
    mst_buffer apart = {0}, together = {0};
    mst_edit_options options = {.size = sizeof options, .cascade = 1};
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    MUST(mst_find(mst_root(d), list, &value, &why), &why);
    uint64_t length = mst_count(&value);
    plan.count = 0;
    while (plan.count < IN_A_ROW)
        make_change(d, list, &length, random, &plan);
    edit_by_edit(f, d, &plan, &apart);
    mst_close(d);
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    mst_status status = mst_edit(d, plan.items, plan.count, &options, &why);
    if (status == MST_OK)
        take_bytes(d, &together);
    mst_close(d);
    if (status != MST_OK)
        print_error("%s: %s\n", why.path, why.message);
    if (status != MST_OK || apart.size != together.size ||
        memcmp(apart.data, together.data, apart.size) != 0) {
        print_error("%s: %s\n", f->source->name, list);
        for (size_t i = 0; i < plan.count; i++)
            print_error("  %d %s\n", (int)plan.items[i].kind, plan.paths[i]);
        fail();
    }
    while (plan.count)
        drop(&plan, plan.count - 1);
    mst_buffer_free(&apart);
    mst_buffer_free(&together);
}

static void lists_together_with(uint32_t random) {
    around.paths = malloc(PATHS * sizeof *around.paths);
    around.lists = malloc(PATHS * sizeof *around.lists);
    around.fields = malloc(PATHS * sizeof *around.fields);
    assert_true(around.paths && around.lists && around.fields);
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        mst_document *d;
        mst_diagnostic why;
        if (!fixture_make(&fixtures[i], &f))
            continue;
        MUST(fixture_open(f.source, f.files, &d, &why), &why);
        look_around(d, &around);
        mst_close(d);
        size_t step = around.list_count / ROW_LISTS + 1;
        for (size_t k = 0; k < around.list_count; k += k < ROW_LISTS * 2 ? 1 : step)
            try_list(&f, around.lists[k], &random);
        fixture_free(&f);
    }
    free(around.paths);
    free(around.lists);
    free(around.fields);
}

/* Insertions and removals in one list make the same bytes in one transaction as in one for each. */
static void lists_together_as_edit_by_edit(void **state) {
    (void)state;
    static const uint32_t seeds[] = {3, 4, 22, 24}; /* each of which has found a defect */
    size_t count = getenv("MAPSTONE_SLOW") ? 1 : sizeof seeds / sizeof *seeds;
    for (size_t i = 0; i < count; i++)
        lists_together_with(seeds[i]);
}

/* ---- a format of the test's own ------------------------------------------------------------------------ */

#define RECORDS(X) X(file) X(box) X(row) X(word)
enum { RECORDS(RECORD_INDEX) };
#define LIST_OF(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, .record = &(r)

static const mst_field box_fields[] = {{.name = "size", U8, .flags = MST_FIELD_SIZE},
                                       PREFIXED("text", CHAR8, U16)};
RECORD(box, "box", "knows its size");
static const mst_field word_fields[] = {PREFIXED("text", CHAR8, U8)};
RECORD(word, "word", "a text", .is_inline = true);
static const mst_field row_fields[] = {PREFIXED("name", CHAR8, U8), {.name = "words", LIST_OF(word)}};
RECORD(row, "row", "has words");
static bool is_end(const uint8_t *bytes, bool big) {
    (void)big;
    return bytes[0] == 0;
}
static const mst_field file_fields[] = {
    {.name = "box", .kind = MST_KIND_RECORD, .record = &box},
    {.name = "rows", LIST_OF(row)},
    {.name = "marks", .kind = MST_KIND_U8, .mode = MST_COUNT_SENTINEL, .ends = is_end},
    {.name = "rest", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END},
};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_format format = {FORMAT(file, records)};

static mst_document *own_document(void) {
    writer w = {0};
    put_bytes_of(&w, "\x04\x02\0ab", 5);
    put_bytes_of(&w, "\x04", 1);
    put_bytes_of(&w,
                 "\x01"
                 "A"
                 "\x02\x01"
                 "p"
                 "\x01"
                 "q",
                 7);
    put_bytes_of(&w,
                 "\x01"
                 "B"
                 "\x00",
                 3);
    put_bytes_of(&w,
                 "\x01"
                 "C"
                 "\x03\x01"
                 "r"
                 "\x02"
                 "st"
                 "\x00",
                 9);
    put_bytes_of(&w,
                 "\x01"
                 "D"
                 "\x01\x01"
                 "u",
                 5);
    put_bytes_of(&w, "\x07\x08\x00\xFF", 4);
    mst_document *d = open_own(&format, &w);
    writer_free(&w);
    return d;
}

typedef struct waiting {
    const char *script; /* operations, one a line */
    const char *after;  /* the rows, marks and box; NULL: refused */
    const char *where;  /* with this path */
} waiting;

#define ROWS(box, rows, marks)                                                                               \
    "{\"$format\":\"test\",\"box\":{\"text\":\"" box "\"},\"rows\":[" rows "],\"marks\":[" marks             \
    "],\"rest\":\"00ff\"}"
#define ROW(name, words) "{\"name\":\"" name "\",\"words\":[" words "]}"
#define A                ROW("A", "\"p\",\"q\"")
#define B                ROW("B", "")
#define C                ROW("C", "\"r\",\"st\",\"\"")
#define D                ROW("D", "\"u\"")

static const waiting cases[] = {
    {"rows[0].name = long\nrows[0].name = l\nrows[0].name = m\nrows[0].name = none",
     ROWS("ab", ROW("none", "\"p\",\"q\"") "," B "," C "," D, "7,8"), NULL},
    {"rows[2].words[1] = s\nbox.text = abc\nrows[0].words[0] = ppp\nbox.text = cd",
     ROWS("cd", ROW("A", "\"ppp\",\"q\"") "," B "," ROW("C", "\"r\",\"s\",\"\"") "," D, "7,8"), NULL},
    {"remove rows[0]\nremove rows[0]\nremove rows[1]", ROWS("ab", C, "7,8"), NULL},
    {"remove rows[2]\nremove rows[0]\nremove rows[1]", ROWS("ab", B, "7,8"), NULL},
    {"remove rows[0].words[1]\nremove rows[2].words[0]\nremove rows[2].words[1]\nremove rows[0].words[0]",
     ROWS("ab", ROW("A", "") "," B "," ROW("C", "\"st\"") "," D, "7,8"), NULL},
    {"remove rows[2].words[1]\nremove rows[2]\nremove rows[2].words[0]",
     ROWS("ab", A "," B "," ROW("D", ""), "7,8"), NULL},
    {"remove rows[0]\nrows[0].name = E\nremove rows[1].words[0]\nrows[1].words[0] += u",
     ROWS("ab", ROW("E", "") "," ROW("C", "\"stu\",\"\"") "," D, "7,8"), NULL},
    {"remove rows[*].words[0]\nremove rows[name=B]\nduplicate rows[0]\nremove rows[0]",
     ROWS("ab", ROW("A", "\"q\"") "," ROW("C", "\"st\",\"\"") "," ROW("D", ""), "7,8"), NULL},
    {"insert rows[4] = {\"name\":\"E\"}\ninsert rows[0] = {}\ninsert rows[2] = "
     "{\"words\":[\"z\"]}\nduplicate "
     "rows[0]",
     ROWS("ab", ROW("", "") "," ROW("", "") "," A "," ROW("", "\"z\"") "," B "," C "," D "," ROW("E", ""),
          "7,8"),
     NULL},
    {"insert rows[1].words[0] = a\ninsert rows[1].words[1] = b\ninsert rows[1].words[0] = c\ninsert rows[1] "
     "= {}",
     ROWS("ab", A "," ROW("", "") "," ROW("B", "\"c\",\"a\",\"b\"") "," C "," D, "7,8"), NULL},
    {"duplicate rows[3]\nduplicate rows[1]\nduplicate rows[0] to 6\nrows[4].name = X",
     ROWS("ab", A "," B "," B "," C "," ROW("X", "\"u\"") "," D "," A, "7,8"), NULL},
    {"insert rows[4] = {\"name\":\"E\"}\ninsert rows[6] = {}", NULL, "rows[6]"},
    {"insert rows[4] = {\"name\":\"E\"}\ninsert rows[5] = {\"nonsense\":1}", NULL, "rows[5]"},
    {"insert rows[4] = {}\ninsert rows[5].words[0] = a\ninsert rows[4].words[0] = b", NULL, "rows[5].words"},
    {"remove rows[0]\nremove rows[3]", NULL, "rows[3]"},
    {"remove rows[4]", NULL, "rows[4]"},
    {"remove rows[1].words[0]", NULL, "rows[1].words[0]"},
    {"remove rows[0].words[0]\nremove rows[0].words[x]", NULL, "rows[0].words[x]"},
    {"marks[0] = 9\nmarks[1] = 3\nrows[0].name = Z",
     ROWS("ab", ROW("Z", "\"p\",\"q\"") "," B "," C "," D, "9,3"), NULL},
    {"marks[1] = 0", NULL, "marks[1]"},
};

static mst_status apply_script(mst_document *d, const char *script, mst_diagnostic *why) {
    mst_operations *all = NULL;
    mst_edit_options each = {.size = sizeof each, .each = 1};
    size_t count;
    MUST(mst_operations_read(&all, script, strlen(script), 1, NULL, why), why);
    const mst_operation *items = mst_operations_all(all, &count);
    mst_status status = mst_edit(d, items, count, &each, why);
    mst_operations_free(all);
    return status;
}

static void what_waits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_document *d = own_document();
        mst_status status = apply_script(d, cases[i].script, &why);
        if ((status == MST_OK) != (cases[i].after != NULL))
            print_error("%s: %s\n", cases[i].script, status == MST_OK ? "done" : why.message);
        if (cases[i].after) {
            MUST(status, &why);
            assert_reads_as(d, cases[i].after);
        } else {
            assert_int_not_equal(status, MST_OK);
            assert_string_equal(why.path, cases[i].where);
            assert_false(mst_is_edited(d));
        }
        mst_close(d);
    }
}

/* The box's size has no room for a text that fits the text's own length. */
static void sizes_without_room(void **state) {
    (void)state;
    char script[400] = "rows[0].name = wait\nbox.text = ";
    mst_diagnostic why;
    mst_document *d = own_document();
    size_t length = strlen(script);
    memset(script + length, 'x', 300);
    script[length + 300] = 0;
    assert_int_equal(apply_script(d, script, &why), MST_REFUSED);
    assert_string_equal(why.path, "box.text");
    assert_string_equal(why.message, "an enclosing size or count cannot hold the new number");
    assert_false(mst_is_edited(d));
    mst_close(d);
}

int test_transactions(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_as_one_by_one),
        cmocka_unit_test(lists_together_as_edit_by_edit),
        cmocka_unit_test(what_waits),
        cmocka_unit_test(sizes_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
