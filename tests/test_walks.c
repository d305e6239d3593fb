/* SPDX-License-Identifier: MIT */
/* Walks and their ends: visitors that stop, truncated files, inline records. */
#include "../src/files/ledger.h"
#include "odd_formats.h"

/* ---- walks ------------------------------------------------------------------------------------- */

static mst_status tour(void *user, const mst_item *item) {
    tourist *t = user;
    (void)item;
    size_t now = t->met++;
    return now == t->at ? t->says : now > t->at ? t->then : MST_OK;
}

static mst_status tour_events(void *user, const mst_event *event) {
    tourist *t = user;
    if (t->met == t->at)
        t->inside = event->kind == MST_EVENT_BEGIN_LIST || event->kind == MST_EVENT_BEGIN_RECORD;
    size_t now = t->met++;
    return now == t->at ? t->says : now > t->at ? t->then : MST_OK;
}

/* ---- visitors that request few fields ---------------------------------------------------------- */

#define LEAVES 256

typedef struct gathering {
    const mst_field *wanted; /* NULL: all */
    mst_item items[LEAVES];
    size_t count;
    int depth;
} gathering;

static uint8_t wants_one(void *user, const mst_field *field) {
    return field == ((gathering *)user)->wanted ? 5 : 0;
}

static mst_status gather(void *user, const mst_item *item) {
    gathering *g = user;
    g->depth += item->kind == MST_ITEM_BEGIN_LIST || item->kind == MST_ITEM_BEGIN_RECORD;
    g->depth -= item->kind == MST_ITEM_END_LIST || item->kind == MST_ITEM_END_RECORD;
    if (item->field && (item->kind == MST_ITEM_LEAF || item->kind == MST_ITEM_DERIVED) &&
        (!g->wanted || item->field == g->wanted)) {
        assert_true(g->count < LEAVES);
        g->items[g->count++] = *item;
    }
    return MST_OK;
}

/* Each field alone is visited in the same way as among all, and the walk ends at the same place. */
static void each_is_met_alone(const mst_document *d, bool trusted) {
    static gathering all, one;
    mst_walk_request request = mst_walk_of_document(d);
    request.visitor = gather;
    request.trusted = trusted;
    memset(&all, 0, sizeof all);
    request.user = &all;
    MUST(mst_walk_field(&request, NULL, NULL), NULL);
    assert_int_equal(all.depth, 0);
    for (size_t n = 0; n < all.count; n++) {
        mst_arena arena;
        bool any;
        uint64_t after = 0;
        memset(&one, 0, sizeof one);
        one.wanted = all.items[n].field;
        request.user = &one;
        mst_arena_begin(&arena, &d->allocator, 0);
        MUST(mst_runs_between(d, wants_one, &one, &arena, &request.runs, &any), NULL);
        MUST(mst_walk_field(&request, &after, NULL), NULL);
        mst_arena_end(&arena);
        assert_int_equal(one.depth, 0);
        assert_int_equal(after, d->size);
        size_t at = 0;
        for (size_t i = 0; i < all.count; i++) {
            if (all.items[i].field != one.wanted)
                continue;
            const mst_item *alone = &one.items[at++], *among = &all.items[i];
            assert_true(at <= one.count && (alone->met == 5 || alone->met == MST_MET_ALL));
            assert_int_equal(alone->kind, among->kind);
            assert_string_equal(alone->name, among->name);
            assert_int_equal(alone->offset, among->offset);
            assert_int_equal(alone->length, among->length);
            assert_int_equal(alone->index, among->index);
            assert_int_equal(alone->limit, among->limit);
            assert_int_equal(alone->depth, among->depth);
            assert_memory_equal(&alone->shape, &among->shape, sizeof among->shape);
        }
        assert_int_equal(at, one.count);
    }
}

/* At any event a visitor may end the walk or skip the value, and then gets no more events than otherwise. */
static void tours(const mst_document *d) {
    for (int by_case = 0; by_case < 2; by_case++) {
        mst_walk_request request = mst_walk_of_document(d);
        request.visitor = tour;
        request.by_case = by_case;
        tourist all = {0, SIZE_MAX, MST_OK, false, MST_OK};
        request.user = &all;
        MUST(mst_walk_field(&request, NULL, NULL), NULL);
        for (size_t n = 0; n < all.met; n++) {
            tourist t = {0, n, MST_STOPPED, false, MST_OK};
            request.user = &t;
            assert_int_equal(mst_walk_field(&request, NULL, NULL), MST_STOPPED);
            assert_int_equal(t.met, n + 1);
            t = (tourist){0, n, MST_UNKNOWN, false, MST_OK};
            uint64_t after = 0;
            MUST(mst_walk_field(&request, &after, NULL), NULL);
            assert_true(t.met <= all.met && t.met > n);
            assert_int_equal(after, d->size);
        }
    }
    each_is_met_alone(d, false);
    each_is_met_alone(d, true);
    tourist all = {0, SIZE_MAX, MST_OK, false, MST_OK};
    MUST(mst_walk(d, tour_events, &all), NULL);
    for (size_t n = 0; n < all.met; n++) {
        tourist t = {0, n, MST_NO_MEMORY, false, MST_OK};
        assert_int_equal(mst_walk(d, tour_events, &t), MST_NO_MEMORY);
        assert_int_equal(t.met, n + 1);
        t = (tourist){0, n, MST_STOPPED, false, MST_OK};
        MUST(mst_walk(d, tour_events, &t), NULL);
        assert_int_equal(t.met, n + 1);
        t = (tourist){0, n, MST_UNKNOWN, false, MST_OK};
        MUST(mst_walk(d, tour_events, &t), NULL);
        tourist twice = {0, n, MST_UNKNOWN, false, MST_STOPPED};
        MUST(mst_walk(d, tour_events, &twice), NULL);
        assert_true(twice.met == n + 2 || twice.met == all.met);
        if (t.inside)
            assert_true(t.met > n && t.met <= all.met + 2); /* the count before it, and itself as a leaf */
        else
            assert_int_equal(t.met, all.met);
    }
}

static void tours_end_anywhere(void **state) {
    (void)state;
    static const uint32_t offsets[] = {24, 32, 32, 40}, slabs[] = {24, 32, 40};
    writer w = {0};
    put_odd(&w, 0);
    mst_document *d = open_own(&odd_format, &w);
    tours(d);
    mst_close(d);
    writer_free(&w);
    put_archive(&w, 3, offsets);
    put_u16(&w, 7);
    d = open_own(&crate_format, &w);
    tours(d);
    mst_close(d);
    writer_free(&w);
    put_archive(&w, 2, slabs);
    put_u8(&w, 7);
    d = open_own(&stack_format, &w);
    tours(d);
    mst_close(d);
    writer_free(&w);
    put_u8(&w, 9);
    put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 500);
    put_u32(&w, 1), put_u32(&w, 2), put_u16(&w, 0x0202);
    put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 501);
    put_u32(&w, 7), put_u32(&w, 1), put_u8(&w, 5);
    d = open_own(&stream_format, &w);
    tours(d);
    mst_value words = value_at(d, "words");
    uint64_t offset, length;
    mst_value_span(&words, &offset, &length); /* with others in between */
    assert_int_equal(offset + length, w.size);
    mst_close(d);
    writer_free(&w);
}

/* ---- records that replace their field, parts, data sets: valid and invalid ones ---------------- */

static void stand_ins(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        cases_at at = put_case(&w);
        mst_document *d = open_own(&case_format, &w);
        if (!big)
            assert_reads_as(d, "{\"$format\":\"test\",\"hulls\":[{\"a\":1,\"b\":[11,12]},{\"a\":2,\"b\":[]}],"
                               "\"hull\":{\"a\":3,\"b\":[]},\"part\":{\"a\":21,\"b\":22,\"c\":23},"
                               "\"texts\":[\"hi\"],\"sets\":[\"hello\"],\"hulled\":[{\"a\":1,\"b\":[3,4]}]}");
        assert_survives(d);
        assert_limits(&case_format, d);
        tours(d);
        mst_value v = value_at(d, "hulls[0].b[1]");
        uint64_t number;
        MUST(mst_get_unsigned(&v, &number), NULL);
        assert_int_equal(number, 12);
        mst_close(d);
        const struct {
            size_t at;
            uint8_t value;
            const char *code, *path;
        } damage[] = {
            {at.part + 1, 2, "T-TRAILING", "part"},       /* the first part has a byte left over */
            {at.part + 1, 0, "T-OVERRUN", "part.a"},      /* ... or none */
            {at.part + 1, 3, "T-OVERRUN", "part.front"},  /* more than the complete size */
            {at.part, 200, "T-OVERRUN", "part.front"},    /* the total exceeds the available bytes */
            {at.hulls + 2, 255, "T-COUNT", "hulls[0].b"}, /* */
            {at.texts + 16, 9, "T-STRING", "texts[0]"},   /* longer than its block */
            {at.texts + 8 + (big ? 3 : 0), 200, "T-OVERRUN", "texts"},
            {at.sets + 16 + (big ? 3 : 0), 9, "T-COUNT", "sets[0]"},
            {at.sets + 20 + (big ? 3 : 0), 2, "T-TEXT", "sets[0]"},
            {at.sets + 20 + (big ? 3 : 0), 0, "T-TEXT", "sets[0]"},
            {at.hulled + 17, 9, "T-COUNT", "hulled[0].b"},
        };
        for (size_t i = 0; i < MST_COUNT_OF(damage); i++) {
            uint8_t old = w.data[damage[i].at];
            mst_diagnostic why;
            w.data[damage[i].at] = damage[i].value;
            for (int reported = 1; reported >= 0; reported--) {
                mst_status status = open_in(&case_format, big, w.data, w.size, &d, reported ? &why : NULL);
                if (status != MST_DAMAGED)
                    print_error("%zu: %s\n", i, mst_status_text(status));
                assert_int_equal(status, MST_DAMAGED);
            }
            if (strcmp(why.path, damage[i].path) != 0 || strcmp(why.code, damage[i].code) != 0)
                print_error("%zu: %s: %s, %s\n", i, why.path, why.code, why.message);
            assert_string_equal(why.code, damage[i].code);
            assert_string_equal(why.path, damage[i].path);
            w.data[damage[i].at] = old;
        }
        /* a data set in a block that is shorter than its stated size */
        mst_store32(w.data + at.sets + 8, 16, big), mst_store32(w.data + at.sets + 4, 16, big);
        for (size_t size = at.sets + 12; size < w.size; size++)
            for (int reported = 1; reported >= 0; reported--) {
                mst_diagnostic why;
                assert_int_equal(open_in(&case_format, big, w.data, size, &d, reported ? &why : NULL),
                                 MST_DAMAGED);
            }
        writer_free(&w);
    }
}

/* Truncation at every offset, with and without a diagnostic. */
static void every_end(void **state) {
    (void)state;
    for (unsigned variety = 0; variety < 3; variety++) {
        writer w = {.big = variety == 1};
        put_odd(&w, variety);
        size_t rest = w.size - (variety == 1 ? 0 : 2);
        for (size_t size = 0; size < w.size; size++) {
            mst_diagnostic why;
            mst_document *d;
            uint8_t *exact = malloc(size + !size);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_status wanted = size == rest ? MST_OK : MST_DAMAGED;
            assert_int_equal(open_in(&odd_format, w.big, exact, size, &d, &why), wanted);
            mst_close(d);
            assert_int_equal(open_in(&odd_format, w.big, exact, size, &d, NULL), wanted);
            mst_close(d);
            if (wanted != MST_OK)
                assert_true(why.path[0] && why.offset <= size && strncmp(why.code, "T-", 2) == 0);
            free(exact);
        }
        writer_free(&w);
    }
    /* headers of data sets */
    static const struct {
        uint32_t stride, count;
        const char *path, *code, *expected, *found;
    } sets[] = {{5, 1, "set", "T-STRIDE", "4", "5"},
                {4, 0x10000000, "set", "T-COUNT", NULL, "268435456 x 4"},
                {4, 0, "", NULL, NULL, NULL}};
    for (size_t i = 0; i < MST_COUNT_OF(sets); i++) {
        writer w = {0};
        mst_diagnostic why;
        mst_document *d;
        put_odd(&w, 1);
        mst_store32(w.data + 1 + 16, sets[i].stride, false);
        mst_store32(w.data + 1 + 20, sets[i].count, false);
        mst_status status = open_in(&odd_format, false, w.data, w.size, &d, &why);
        assert_int_equal(status, sets[i].code ? MST_DAMAGED : MST_OK);
        if (status != MST_OK) {
            assert_string_equal(why.path, sets[i].path);
            assert_string_equal(why.code, sets[i].code);
            if (sets[i].expected)
                assert_string_equal(why.expected, sets[i].expected);
            assert_string_equal(why.found, sets[i].found);
        }
        mst_close(d);
        writer_free(&w);
    }
    static const uint32_t labels[][2] = {{0, 2}, {6, 0}, {6, 2}};
    for (size_t i = 0; i < MST_COUNT_OF(labels); i++) {
        writer w = {0};
        mst_diagnostic why;
        mst_document *d;
        put_odd(&w, 0);
        mst_store32(w.data + 1 + 24 + 16, labels[i][0], false);
        mst_store32(w.data + 1 + 24 + 20, labels[i][1], false);
        assert_int_equal(open_in(&odd_format, false, w.data, w.size, &d, &why), MST_DAMAGED);
        assert_string_equal(why.path, "label");
        assert_string_equal(why.code, "T-TEXT");
        assert_string_equal(why.expected, "1");
        assert_int_equal(open_in(&odd_format, false, w.data, w.size, &d, NULL), MST_DAMAGED);
        writer_free(&w);
    }
}

int test_walks(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tours_end_anywhere),
        cmocka_unit_test(stand_ins),
        cmocka_unit_test(every_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
