/* SPDX-License-Identifier: MIT */
/* Revenant: sectors of version 0, which have two layouts of records. */
#include "documents.h"
#include <mapstone/edit.h>

#define NAME "6_2_2.DAT"

typedef struct thing {
    int16_t class_number;
    const char *name;
    uint32_t flags;
    int16_t first_item, next_item;
    int32_t shadow;
    uint8_t odd; /* late: unknown_c; early: unknown_d */
    const char *more;
    size_t more_size;
} thing;

static void put_thing(writer *w, const thing *t, bool early) {
    put_u16(w, (uint16_t)t->class_number);
    if (t->class_number < 0)
        return;
    put_u16(w, 7); /* object_type */
    if (early && t->class_number == 20)
        return;
    put_u8(w, (uint8_t)strlen(t->name));
    put_bytes_of(w, t->name, strlen(t->name));
    put_u32(w, t->flags);
    put_u32(w, 2 * 1024 + 5), put_u32(w, 2 * 1024 + 6), put_u32(w, 40);
    put_u32(w, 0), put_u32(w, 0), put_u32(w, 1); /* velocity */
    put_u8(w, 3);                                /* state */
    if (early)
        put_u8(w, t->odd);
    put_u8(w, 99); /* health */
    put_u8(w, 64); /* facing */
    put_u16(w, (uint16_t)t->first_item);
    put_u16(w, 11); /* inventory_number */
    put_u16(w, (uint16_t)t->next_item);
    put_u32(w, (uint32_t)t->shadow);
    if (!early)
        put_u8(w, t->odd);
    if (t->flags & 4)
        for (int i = 0; i < 19; i++)
            put_u8(w, (uint8_t)i);
    put_bytes_of(w, t->more, t->more_size);
}

static writer make(const thing *things, size_t count, bool early) {
    writer w = {0};
    put_u32(&w, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        put_thing(&w, &things[i], early);
    return w;
}

static mst_document *open_bytes(const writer *w) {
    mst_document *d = open_named(w, NAME);
    assert_string_equal(mst_document_format(d)->id, "revenant-sector");
    assert_int_equal(mst_document_version(d), 0);
    return d;
}
static const char *class_at(const mst_document *d, unsigned index) {
    char path[40];
    mst_value value;
    snprintf(path, sizeof path, "objects[%u].class", index);
    MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
    return mst_get_name(&value);
}
static size_t findings_of(const mst_document *d, const char *code) {
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
    size_t count = code ? count_code(&list, code) : list.count;
    findings_free(&list);
    return count;
}

/* The fields after the base in late files. */
static const thing late_things[] = {
    {-1, "", 0, 0, 0, 0, 0, NULL, 0},          {9, "floor", 1, -1, -1, -1, 0, NULL, 0},
    {9, "", 1 | 4, -1, -1, -1, 0, NULL, 0},    {22, "", 1, -1, -1, -1, 0, "\3\0abc", 5},
    {8, "", 1, -1, -1, -1, 0, "\xe\0\0\0", 4}, {21, "", 1, -1, -1, -1, 0, "\1\0\0\0", 4},
    {10, "gate", 1, -1, -1, -1, 0, NULL, 0}, /* no exit_flags */
    {1, "axe", 0, -1, 1, 5, 0, NULL, 0},     /* no poison */
    {12, "Locke", 0, 7, -1, -1, 0, NULL, 0},   {20, "", 1, -1, -1, -1, 0, NULL, 0},
};

static void late(void **state) {
    (void)state;
    writer w = make(late_things, 10, false);
    mst_document *d = open_bytes(&w);
    assert_round_trips(d);
    assert_int_equal(findings_of(d, NULL), 0);
    assert_string_equal(class_at(d, 1), "tile");
    assert_string_equal(class_at(d, 8), "character");
    assert_int_equal(number_at(d, "objects[4].amount_minus_1"), 14);
    assert_int_equal(number_at(d, "objects[2].light.flags"), 0);
    assert_true(has(d, "objects[3].text"));
    assert_false(has(d, "objects[6].exit_flags"));
    assert_false(has(d, "objects[7].poison"));
    assert_int_equal(number_at(d, "objects[7].next_item"), 1);
    assert_int_equal(number_at(d, "objects[8].first_item"), 7);
    assert_int_equal(number_at(d, "objects[8].facing"), 64);
    assert_int_equal(number_at(d, "objects[9].object_type"), 7);
    mst_close(d);
    writer_free(&w);
}

/* Other numbers of classes, only the base, and nothing at all for class 20. */
static const thing early_things[] = {
    {20, "", 0, 0, 0, 0, 0, NULL, 0},
    {-1, "", 0, 0, 0, 0, 0, NULL, 0},
    {8, "floor", 1 | 4, -1, -1, -1, 5, NULL, 0},
    {9, "outside", 1, -1, -1, 0x10200003, 0, NULL, 0},
    {10, "", 0, 5, -1, -1, 0, NULL, 0},
    {11, "", 0, -1, 6, -1, 0, NULL, 0},
    {1, "axe", 0, -1, -1, -1, 0, NULL, 0},
    {15, "", 1, -1, -1, -1, 0, NULL, 0},
    {20, "", 0, 0, 0, 0, 0, NULL, 0},
};

static void early(void **state) {
    (void)state;
    writer w = make(early_things, 9, true);
    mst_document *d = open_bytes(&w);
    assert_round_trips(d);
    assert_int_equal(findings_of(d, NULL), 0);
    static const char *const classes[] = {"early_20",  "empty",  "tile",   "exit",    "player",
                                          "character", "weapon", "shadow", "early_20"};
    for (unsigned i = 0; i < 9; i++)
        assert_string_equal(class_at(d, i), classes[i]);
    assert_int_equal(number_at(d, "objects[2].unknown_d"), 5);
    assert_int_equal(number_at(d, "objects[2].light.position[2]"), 0x0C0B0A09);
    assert_int_equal(number_at(d, "objects[3].shadow"), 0x10200003);
    assert_int_equal(number_at(d, "objects[4].health"), 99);
    assert_false(has(d, "objects[8].name"));
    /* JSON states which of the two it is */
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_value root = mst_root(d);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    const char zero = 0;
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, &zero, 1), NULL);
    assert_non_null(strstr((const char *)text.data, "\"$layout\": \"early\""));
    mst_buffer_free(&text);
    /* an edit that would make it the other one is refused */
    assert_int_equal(mst_set(d, "objects[2].shadow", "5", &why), MST_REFUSED);
    MUST(mst_set(d, "objects[2].health", "3", &why), &why);
    assert_int_equal(number_at(d, "objects[2].health"), 3);
    mst_close(d);
    writer_free(&w);
}

/* Exits have names in exit.def, whatever the number of their class. */
static mst_status find_exits(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    static const char exits[] = "inside (1, 2, 3) level 4\n";
    *bytes = exits;
    *size = sizeof exits - 1;
    return strcmp(name, "exit.def") == 0 ? MST_OK : MST_NO_PATH;
}
static void early_exits(void **state) {
    (void)state;
    writer w = make(early_things, 9, true);
    mst_document *d = open_bytes(&w);
    mst_resolver resolver = {.find = find_exits};
    mst_check_options options = {.size = sizeof options, .sidecars = &resolver, .information = 1};
    mst_diagnostic why;
    findings list = {0};
    MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 2);
    const size_t exit = strcmp(list.items[0].code, "REV-EXIT-UNLISTED") == 0 ? 0 : 1;
    assert_string_equal(list.items[exit].code, "REV-EXIT-UNLISTED");
    assert_string_equal(list.items[exit].path, "objects[3].name");
    assert_string_equal(list.items[exit].found, "outside");
    assert_string_equal(list.items[1 - exit].code, "REV-SHADOW-SECTOR"); /* 0x10200003 */
    assert_string_equal(list.items[1 - exit].path, "objects[3].shadow");
    findings_free(&list);
    mst_close(d);
    writer_free(&w);
}

/* Files whose records disagree are kept as a whole; so are those that end too early, or too late. */
static void neither(void **state) {
    (void)state;
    thing things[10];
    memcpy(things, late_things, sizeof things);
    things[6].odd = 1;
    writer w = make(things, 10, false);
    mst_document *d = open_bytes(&w);
    assert_int_equal(findings_of(d, "REV-V0-LAYOUT"), 1);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
    for (int form = 0; form < 2; form++) {
        w = form ? make(early_things, 9, true) : make(late_things, 10, false);
        put_u8(&w, 0);
        for (size_t size = 4; size <= w.size; size++) {
            writer cut = w;
            cut.size = size;
            d = open_bytes(&cut);
            assert_int_equal(findings_of(d, "REV-V0-LAYOUT"), size + 1 != w.size);
            assert_round_trips(d);
            mst_close(d);
        }
        writer_free(&w);
    }
    /* only empty slots, and an empty file, count as late */
    w = make(early_things + 1, 1, true);
    d = open_bytes(&w);
    assert_int_equal(findings_of(d, NULL), 0);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

/* The finding states where and why the objects match neither layout. */
static void why_neither(void **state) {
    (void)state;
    static const struct {
        int form, odd;  /* the index of the odd object; -1: none */
        int64_t change; /* of the size */
        int64_t at;     /* of the finding; from the end if below 0 */
        const char *expected, *found;
    } cases[] = {
        {0, 6, 0, -1, "objects[6] in the later layout, like the objects before it", "9 where that has 0"},
        {1, 7, 0, -1, "objects[7] in the earlier layout, like the objects before it",
         "0 where that has another number"},
        {0, -1, 1, -1, "the end of the file after 10 objects in the later layout", "1 bytes more"},
        {1, -1, 2, -2, "the end of the file after 9 objects in the earlier layout", "2 bytes more"},
        {0, -1, -1, 0, "all of objects[9], in the later layout", "the end of the file"},
        {1, -1, -1, 0, "all of objects[8], in the earlier layout", "the end of the file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        thing late_copy[10], early_copy[9];
        memcpy(late_copy, late_things, sizeof late_copy);
        memcpy(early_copy, early_things, sizeof early_copy);
        if (cases[i].odd >= 0 && !cases[i].form)
            late_copy[cases[i].odd].odd = 9;
        if (cases[i].odd >= 0 && cases[i].form)
            early_copy[cases[i].odd].shadow = 7;
        writer w = cases[i].form ? make(early_copy, 9, true) : make(late_copy, 10, false);
        for (int64_t k = 0; k < cases[i].change; k++)
            put_u8(&w, 0);
        if (cases[i].change < 0)
            w.size -= (size_t)-cases[i].change;
        mst_document *d = open_bytes(&w);
        findings list = {0};
        mst_diagnostic why;
        MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, "REV-V0-LAYOUT");
        assert_string_equal(list.items[0].expected, cases[i].expected);
        assert_string_equal(list.items[0].found, cases[i].found);
        if (cases[i].change > 0)
            assert_int_equal(list.items[0].offset, (int64_t)w.size + cases[i].at);
        if (cases[i].odd >= 0)
            assert_int_equal(w.data[list.items[0].offset], cases[i].form ? 0 : 9);
        findings_free(&list);
        assert_round_trips(d);
        mst_close(d);
        writer_free(&w);
    }
}

/* Slots of class 20 alone are four bytes long in the earlier layout only. */
static void bare_slots(void **state) {
    (void)state;
    static const thing things[] = {{20, "", 0, 0, 0, 0, 0, NULL, 0}, {-1, "", 0, 0, 0, 0, 0, NULL, 0}};
    writer w = make(things, 2, true);
    mst_document *d = open_bytes(&w);
    assert_int_equal(findings_of(d, NULL), 0);
    assert_string_equal(class_at(d, 0), "early_20");
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
    /* an ambiguous file: in the later layout an object with a name of five bytes and an empty slot, in the
     * earlier one such a slot and an object with a name of three bytes */
    uint8_t both[58] = {2, 0, 0, 0, 20, 0, 0, 0, 5, 0, 0, 0, 3};
    both[56] = both[57] = 0xFF;
    writer either = {.data = both, .size = sizeof both};
    d = open_bytes(&either);
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "REV-V0-LAYOUT");
    assert_string_equal(list.items[0].found, "two");
    findings_free(&list);
    assert_round_trips(d);
    mst_close(d);
}

static void chains(void **state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        thing things[3] = {{1, "", 0, -1, -1, -1, 0, NULL, 0},
                           {-1, "", 0, 0, 0, 0, 0, NULL, 0},
                           {1, "", 0, -1, -1, -1, 0, NULL, 0}};
        static const struct {
            int16_t first, next;
            size_t wrong;
        } cases[] = {{2, -1, 0}, {-1, 2, 0}, {2, 2, 0}, {0, -1, 1}, {1, -1, 1},
                     {3, -1, 1}, {-1, 1, 1}, {0, 3, 2}, {-2, -1, 1}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            things[0].first_item = cases[i].first;
            things[0].next_item = cases[i].next;
            writer w = make(things, 3, form);
            mst_document *d = open_bytes(&w);
            assert_int_equal(findings_of(d, "REV-V0-CHAIN"), cases[i].wrong);
            assert_int_equal(findings_of(d, NULL), cases[i].wrong);
            mst_close(d);
            writer_free(&w);
        }
    }
}

#define NODES 6

/* Random chains: loops are found if and only if one object can be reached from itself. */
static void loops(void **state) {
    (void)state;
    uint32_t random = 7;
    size_t with = 0, without = 0;
    for (int round = 0; round < 600; round++) {
        thing things[NODES];
        bool reaches[NODES][NODES] = {{false}};
        for (int i = 0; i < NODES; i++) {
            int16_t to[2];
            for (int k = 0; k < 2; k++) {
                random = random * 1664525 + 1013904223;
                int16_t at = (int16_t)((random >> 16) % (NODES * 3));
                to[k] = at < NODES && at != i ? at : -1;
                if (to[k] >= 0)
                    reaches[i][to[k]] = true;
            }
            things[i] = (thing){1, "", 0, to[0], to[1], -1, 0, NULL, 0};
        }
        for (int by = 0; by < NODES; by++)
            for (int from = 0; from < NODES; from++)
                for (int to = 0; to < NODES; to++)
                    reaches[from][to] = reaches[from][to] || (reaches[from][by] && reaches[by][to]);
        bool any = false;
        for (int i = 0; i < NODES; i++)
            any = any || reaches[i][i];
        writer w = make(things, NODES, false);
        mst_document *d = open_bytes(&w);
        assert_int_equal(findings_of(d, "REV-V0-LOOP") > 0, any);
        assert_int_equal(findings_of(d, NULL), findings_of(d, "REV-V0-LOOP"));
        *(any ? &with : &without) += 1;
        mst_close(d);
        writer_free(&w);
    }
    assert_true(with > 100 && without > 100);
    /* a chain of the maximum length: it is followed to its end, and once */
    thing *chain = calloc(INT16_MAX, sizeof *chain);
    assert_non_null(chain);
    for (int16_t i = 0; i < INT16_MAX; i++)
        chain[i] = (thing){1, "", 0, -1, (int16_t)(i + 1 == INT16_MAX ? 0 : i + 1), -1, 0, NULL, 0};
    writer w = make(chain, INT16_MAX, false);
    mst_document *d = open_bytes(&w);
    assert_int_equal(findings_of(d, "REV-V0-LOOP"), 1);
    assert_int_equal(findings_of(d, NULL), 1);
    mst_close(d);
    writer_free(&w);
    free(chain);
}

/* Slots by number, before and after edits: references keep their targets. */
static void numbers_follow(void **state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        /* 1 carries 3, then 2; its shadow is 4; 2's shadow is in another sector; level 6, sector 2,2 */
        const int32_t here = (int32_t)0x60820000;
        const thing things[5] = {{1, "", 0, -1, -1, -1, 0, NULL, 0},
                                 {form ? 10 : 11, "", 0, 3, -1, here | 4, 0, NULL, 0},
                                 {1, "", 0, -1, -1, 0x10820004, 0, NULL, 0},
                                 {1, "", 0, -1, 2, here | 3, 0, NULL, 0},
                                 {form ? 15 : 14, "", 1, -1, -1, -1, 0, NULL, 0}};
        writer w = make(things, 5, form);
        mst_diagnostic why;
        mst_document *d = open_bytes(&w);
        assert_int_equal(findings_of(d, NULL), 0);
        MUST(mst_insert(d, "objects[3]", "{\"class\": \"empty\"}", &why), &why);
        assert_int_equal(number_at(d, "objects[1].first_item"), 4);
        assert_int_equal(number_at(d, "objects[1].next_item"), -1);
        assert_int_equal(number_at(d, "objects[4].next_item"), 2);
        assert_int_equal(number_at(d, "objects[1].shadow"), here | 5);
        assert_int_equal(number_at(d, "objects[2].shadow"), 0x10820004);
        assert_int_equal(number_at(d, "objects[4].shadow"), here | 4);
        assert_int_equal(findings_of(d, NULL), 0);
        assert_round_trips(d);
        MUST(mst_remove(d, "objects[3]", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        /* the rest of the chain follows; a shadow refuses the removal */
        MUST(mst_remove(d, "objects[3]", &why), &why);
        assert_int_equal(number_at(d, "objects[1].first_item"), 2);
        assert_int_equal(number_at(d, "objects[1].shadow"), here | 3);
        assert_int_equal(mst_remove(d, "objects[3]", &why), MST_REFUSED);
        assert_string_equal(why.found, "objects[1].shadow");
        const mst_operation shadow = {.kind = MST_OPERATION_REMOVE, .path = "objects[3]"};
        const mst_edit_options cascade = {.size = sizeof cascade, .cascade = 1};
        MUST(mst_edit(d, &shadow, 1, &cascade, &why), &why);
        assert_int_equal(number_at(d, "objects[1].shadow"), -1);
        MUST(mst_remove(d, "objects[2]", &why), &why);
        assert_int_equal(number_at(d, "objects[1].first_item"), -1);
        MUST(mst_insert(d, "objects[2]", "{\"class\": \"empty\"}", &why), &why);
        assert_int_equal(findings_of(d, NULL), 0);
        mst_close(d);
        writer_free(&w);
        /* an object that is its own successor leaves none */
        thing own[2] = {{1, "", 0, 1, -1, -1, 0, NULL, 0}, {1, "", 0, -1, 1, -1, 0, NULL, 0}};
        w = make(own, 2, form);
        d = open_bytes(&w);
        MUST(mst_remove(d, "objects[1]", &why), &why);
        assert_int_equal(number_at(d, "objects[0].first_item"), -1);
        mst_close(d);
        writer_free(&w);
        /* a number that names nothing is kept */
        own[0].first_item = -1;
        own[0].shadow = here | 0xFFFF;
        w = make(own, 2, form);
        d = open_bytes(&w);
        MUST(mst_insert(d, "objects[0]", "{\"class\": \"empty\"}", &why), &why);
        assert_int_equal(number_at(d, "objects[1].shadow"), here | 0xFFFF);
        mst_close(d);
        writer_free(&w);
    }
}

/* The last slot with a valid number. */
static void last_slot(void **state) {
    (void)state;
    size_t count = (size_t)INT16_MAX + 1;
    thing *things = calloc(count, sizeof *things);
    assert_non_null(things);
    for (size_t i = 0; i < count; i++)
        things[i].class_number = -1;
    things[0] = (thing){11, "", 0, INT16_MAX, -1, -1, 0, NULL, 0};
    things[INT16_MAX] = (thing){1, "", 0, -1, -1, -1, 0, NULL, 0};
    writer w = make(things, count, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    assert_int_equal(mst_insert(d, "objects[1]", "{\"class\": \"empty\"}", &why), MST_REFUSED);
    assert_same_bytes(d, w.data, w.size);
    MUST(mst_remove(d, "objects[1]", &why), &why);
    assert_int_equal(number_at(d, "objects[0].first_item"), INT16_MAX - 1);
    MUST(mst_insert(d, "objects[1]", "{\"class\": \"empty\"}", &why), &why);
    assert_same_bytes(d, w.data, w.size);
    mst_close(d);
    writer_free(&w);
    free(things);
}

int test_revenant_first(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late),           cmocka_unit_test(early),       cmocka_unit_test(early_exits),
        cmocka_unit_test(neither),        cmocka_unit_test(why_neither), cmocka_unit_test(bare_slots),
        cmocka_unit_test(numbers_follow), cmocka_unit_test(chains),      cmocka_unit_test(loops),
        cmocka_unit_test(last_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
