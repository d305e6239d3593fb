/* SPDX-License-Identifier: MIT */
/* Findings of checks in sectors. */
#include "../src/core/memo.h"
#include "../src/formats/revenant/revenant.h"
#include "revenant_documents.h"
#include "stopping.h"

/* ---- findings ----------------------------------------------------------------------------------- */

typedef struct code_case {
    const char *code;
    void (*change)(sector_source *r);
    const char *path, *where; /* the mark; NULL: the path; "": none */
    const char *found, *expected;
    const char *name;           /* of the file; NULL: NAME */
    uint32_t first, last;       /* versions; 0: all from 1 on */
    bool classes, exits, stale; /* class.def, exit.def; the hash is not recomputed */
} code_case;

#define CHANGE(name, ...)                                                                                    \
    static void name(sector_source *r) {                                                                     \
        __VA_ARGS__;                                                                                         \
    }

CHANGE(nothing, (void)r)
CHANGE(wrong_hash, r->s.state_hash ^= 1)
CHANGE(trailing, r->s.trailing = "left"; r->s.trailing_size = 4)
CHANGE(body_tail, r->objects[0].tail = "!?"; r->objects[0].tail_size = 2)
CHANGE(last_tail, r->objects[6].inventory_tail = "!?"; r->objects[6].inventory_tail_size = 2)
CHANGE(bag_tail, r->bag[2].tail = "!?"; r->bag[2].tail_size = 2)
CHANGE(position_x, r->objects[0].position[0] = 4 * 1024)
CHANGE(position_y, r->objects[4].position[1] = 5 * 1024 - 1)
CHANGE(position_far, r->objects[4].position[1] = 65536)
CHANGE(position_negative, r->objects[4].position[0] = -1)
CHANGE(position_beyond, r->objects[4].position[0] = 70000)
CHANGE(too_low, r->objects[0].position[2] = -1)
CHANGE(too_high, r->objects[0].position[2] = 512)
CHANGE(same_index, r->objects[6].map_index = 1)
CHANGE(other_id, r->objects[2].unique_id = 77)
CHANGE(bag_id, r->bag[0].unique_id = 77)
CHANGE(other_class, r->objects[2].class_number = SECTOR_ITEM)
CHANGE(is_prose, r->s.prose = true)
CHANGE(few, r->objects[3].count_more = 1)
CHANGE(few_inside, r->bag[2].count_more = 5)
CHANGE(few_of_none, (r->objects[6].has_inventory = true, r->objects[6].count_more = 2))
CHANGE(stat_low, r->objects[3].stats[0].value = -21)
CHANGE(stat_high, r->objects[3].stats[1].value = 41)
CHANGE(stat_code, memcpy(r->objects[3].stats[1].id, "WHAT", 5))
CHANGE(chain_empty, r->objects[0].next_item = 1)
CHANGE(chain_itself, r->objects[2].first_item = 2)
CHANGE(chain_outside, r->objects[2].first_item = (int16_t)r->s.object_count)
CHANGE(chain_negative, r->objects[2].next_item = -2)
CHANGE(loop_of_next, (r->objects[0].next_item = 2, r->objects[2].next_item = 3, r->objects[3].next_item = 0))
CHANGE(loop_of_first, (r->objects[0].first_item = 2, r->objects[2].first_item = 0))
CHANGE(loop_of_both, (r->objects[0].first_item = 2, r->objects[2].next_item = 3, r->objects[3].next_item = 0))
#define OWN (7 << 28 | 3 << 22 | 5 << 16) /* the place of 7_3_5 (revenant.md 3.6) */
CHANGE(shadow_outside, r->objects[2].shadow = OWN | (int32_t)r->s.object_count)
CHANGE(shadow_empty, r->objects[2].shadow = OWN | 1)
CHANGE(shadow_elsewhere, r->objects[2].shadow = OWN - (1 << 16))
CHANGE(shadow_low, r->objects[0].shadow = 4000)
CHANGE(other_exit, r->objects[4].name = "door")
CHANGE(other_door, (r->objects[4].name = "door", r->objects[4].unique_id = 0x1000002a))
CHANGE(class_27, r->objects[0].class_number = 27)
CHANGE(class_far, r->objects[0].class_number = 32767)

CHANGE(class_below, r->objects[1].class_number = -2) /* an empty slot */

static const code_case code_cases[] = {
    {.code = "REV-HASH", .change = wrong_hash, .path = "state_hash", .first = 14, .stale = true},
    {.code = "REV-HASH", .change = nothing, .path = "state_hash", .first = 14, .name = "45_3_5.DAT"},
    {.code = "REV-TRAILING",
     .change = trailing,
     .path = "trailing",
     .expected = "nothing",
     .found = "4 bytes"},
    {.code = "REV-TAIL",
     .change = body_tail,
     .path = "objects[0].unknown_tail",
     .found = "2",
     .expected = "no bytes",
     .first = 4},
    {.code = "REV-TAIL",
     .change = last_tail,
     .path = "objects[6].inventory_tail",
     .found = "2",
     .expected = "no bytes",
     .first = 14},
    {.code = "REV-TAIL",
     .change = bag_tail,
     .path = "objects[3].inventory[2].unknown_tail",
     .found = "2",
     .first = 4},
    {.code = "REV-POSITION",
     .change = position_x,
     .path = "objects[0].position",
     .where = "objects[0].position[0]",
     .found = "x 4096",
     .expected = "in the sector 3,5"},
    {.code = "REV-POSITION",
     .change = position_y,
     .path = "objects[4].position",
     .where = "objects[4].position[0]",
     .found = "y 5119",
     .expected = "in the sector 3,5"},
    {.code = "REV-Z",
     .change = too_low,
     .path = "objects[0].position",
     .where = "objects[0].position[0]",
     .found = "-1"},
    {.code = "REV-Z",
     .change = too_high,
     .path = "objects[0].position",
     .where = "objects[0].position[0]",
     .found = "512"},
    {.code = "REV-DUPLICATE-INDEX",
     .change = same_index,
     .path = "objects[6].map_index",
     .found = "1",
     .first = 3},
    {.code = "REV-UNIQUE-ID", .change = other_id, .path = "objects[2].unique_id", .classes = true},
    {.code = "REV-UNIQUE-ID",
     .change = bag_id,
     .path = "objects[3].inventory[0].unique_id",
     .first = 3,
     .classes = true},
    {.code = "REV-CLASS-DEF",
     .change = other_class,
     .path = "objects[2].class",
     .found = "0",
     .expected = "TILE",
     .classes = true},
    {.code = "REV-SIZE-ORDER", .change = is_prose, .path = "objects", .where = "", .first = 14},
    {.code = "REV-INVENTORY-COUNT",
     .change = few,
     .path = "objects[3].inventory",
     .where = "",
     .expected = "3",
     .found = "4",
     .first = 14},
    {.code = "REV-INVENTORY-COUNT",
     .change = few_inside,
     .path = "objects[3].inventory[2].inventory",
     .where = "",
     .expected = "2",
     .found = "7",
     .first = 14},
    {.code = "REV-INVENTORY-COUNT", /* there is room for the count alone */
     .change = few_of_none,
     .path = "objects[6].inventory_count",
     .where = "",
     .expected = "0",
     .found = "2",
     .first = 14},
    {.code = "REV-STAT-RANGE",
     .change = stat_low,
     .path = "objects[3].stats[0].value",
     .expected = "HLTH in -20..10",
     .found = "-21",
     .first = 5,
     .classes = true},
    {.code = "REV-STAT-RANGE",
     .change = stat_high,
     .path = "objects[3].stats[1].value",
     .expected = "SLP in 0..40",
     .found = "41",
     .first = 5,
     .classes = true},
    {.code = "REV-STAT-RANGE",
     .change = stat_code,
     .path = "objects[3].stats[1].id",
     .expected = "a code of class CHARACTER",
     .found = "WHAT",
     .first = 5,
     .classes = true},
    {.code = "REV-FILE-NAME",
     .change = nothing,
     .path = "",
     .where = "",
     .name = "sector.dat",
     .expected = "level_x_y.DAT",
     .found = "sector.dat"},
    {.code = "REV-EXIT",
     .change = other_door,
     .path = "objects[4].name",
     .found = "door",
     .expected = "a name of exit.def",
     .classes = true,
     .exits = true},
    {.code = "REV-EXIT-UNLISTED",
     .change = other_exit,
     .path = "objects[4].name",
     .found = "door",
     .expected = "a name of exit.def",
     .classes = true,
     .exits = true},
    {.code = "REV-EXIT-UNLISTED", /* without class.def its type is unknown */
     .change = other_door,
     .path = "objects[4].name",
     .found = "door",
     .expected = "a name of exit.def",
     .exits = true},
    {.code = "REV-V0-CHAIN",
     .change = chain_empty,
     .path = "objects[0].next_item",
     .expected = "another slot that is not empty, or -1",
     .found = "1",
     .last = 2},
    {.code = "REV-V0-CHAIN",
     .change = chain_itself,
     .path = "objects[2].first_item",
     .found = "2",
     .last = 2},
    {.code = "REV-V0-CHAIN",
     .change = chain_outside,
     .path = "objects[2].first_item",
     .expected = "below 9, or -1",
     .found = "9",
     .last = 2},
    {.code = "REV-V0-CHAIN",
     .change = chain_negative,
     .path = "objects[2].next_item",
     .expected = "below 9, or -1",
     .found = "-2",
     .last = 2},
    {.code = "REV-SHADOW",
     .change = shadow_outside,
     .path = "objects[2].shadow",
     .expected = "a slot of sector 7_3_5 below 9, or -1",
     .found = "1891958793, slot 9 of sector 7_3_5",
     .name = "7_3_5.dat",
     .last = 2},
    {.code = "REV-SHADOW",
     .change = shadow_empty,
     .path = "objects[2].shadow",
     .expected = "a slot that is not empty, or -1",
     .name = "7_3_5.dat",
     .last = 2},
    {.code = "REV-SHADOW-SECTOR",
     .change = shadow_elsewhere,
     .path = "objects[2].shadow",
     .found = "1891893248, slot 0 of sector 7_3_4",
     .name = "7_3_5.dat",
     .last = 2},
    {.code = "REV-SHADOW-SECTOR",
     .change = shadow_low,
     .path = "objects[0].shadow",
     .found = "4000, slot 4000 of sector 0_0_0",
     .name = "7_3_5.dat",
     .last = 2},
    {.code = "REV-V0-LOOP",
     .change = loop_of_next,
     .path = "objects[3].next_item",
     .expected = "a slot that does not lead to this one, or -1",
     .found = "0",
     .last = 2},
    {.code = "REV-V0-LOOP",
     .change = loop_of_first,
     .path = "objects[2].first_item",
     .found = "0",
     .last = 2},
    {.code = "REV-V0-LOOP", /* an object in the chain of its own carrier */
     .change = loop_of_both,
     .path = "objects[3].next_item",
     .found = "0",
     .last = 2},
    {.code = "REV-CLASS",
     .change = class_27,
     .path = "objects[0].class",
     .found = "27",
     .expected = "-1..26",
     .first = 1,
     .last = 3},
    {.code = "REV-CLASS",
     .change = class_far,
     .path = "objects[0].class",
     .found = "32767",
     .first = 1,
     .last = 3},
    {.code = "REV-CLASS",
     .change = class_below,
     .path = "objects[1].class",
     .found = "-2",
     .expected = "-1..26",
     .first = 1,
     .last = 7},
};

static void run_case(const code_case *c, uint32_t version) {
    sector_source r;
    good_sector(&r, version);
    c->change(&r);
    if (!c->stale)
        right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, c->name ? c->name : NAME);
    assert_encodes(d);
    findings list = {0};
    mst_check_result result;
    check_with(d, c->classes, c->exits, &list, &result);
    if (list.count != 1 || strcmp(list.items[0].code, c->code) != 0) {
        print_error("%s, version %u:\n", c->code, version);
        print_findings(&list);
    }
    assert_int_equal(list.count, 1);
    const mst_diagnostic *first = list.items;
    assert_string_equal(first->code, c->code);
    assert_string_equal(first->path, c->path);
    if (c->expected)
        assert_string_equal(first->expected, c->expected);
    if (c->found)
        assert_string_equal(first->found, c->found);
    const char *where = c->where ? c->where : c->path;
    if (*where)
        assert_int_equal(first->offset, mark_of(&w, where)->offset);
    else if (!*c->path)
        assert_true(first->offset == MST_NO_OFFSET);
    for (size_t i = 0; mst_code_at(mst_document_format(d), i); i++)
        if (strcmp(mst_code_at(mst_document_format(d), i)->code, c->code) == 0)
            assert_int_equal(first->severity, mst_code_at(mst_document_format(d), i)->severity);
    assert_int_equal(result.errors, first->severity == MST_ERROR);
    assert_int_equal(result.warnings, first->severity == MST_WARNING);
    assert_int_equal(result.information, first->severity == MST_INFORMATION);
    mst_value value = mst_root(d);
    mst_diagnostic why;
    if (*c->path)
        MUST(mst_find(mst_root(d), c->path, &value, &why), &why);
    uint64_t offset, length; /* findings are within the value of their path */
    mst_value_span(&value, &offset, &length);
    if (first->offset != MST_NO_OFFSET)
        assert_true(first->offset >= offset && first->offset < offset + length);
    findings_free(&list);
    mst_close(d);
    writer_free(&w);
}

static void every_finding(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++) {
        uint32_t last = code_cases[i].last ? code_cases[i].last : 15;
        for (uint32_t v = code_cases[i].first ? code_cases[i].first : 1; v <= last; v++)
            run_case(&code_cases[i], v);
    }
}

static void assert_silent(const sector *s, const char *name) {
    writer w = written(s);
    mst_document *d = open_named(&w, name);
    findings list = {0};
    check_with(d, true, true, &list, NULL);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
    mst_close(d);
    writer_free(&w);
}

static void what_is_legal(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++) {
        sector_source r;
        good_sector(&r, version);
        assert_silent(&r.s, NAME);
        assert_silent(&r.s, version < 14 ? "7_3_5.dat" : NAME);
        if (version < 3) { /* a tile of the sector as a shadow; without a file name it is not checked */
            shadow_outside(&r);
            assert_silent(&r.s, NULL);
            r.objects[2].shadow = OWN | 4;
            assert_silent(&r.s, "7_3_5.dat");
            r.objects[2].shadow = -1;
        }
        /* in the bag things may be anywhere, and need no index of their own */
        r.bag[0].position[0] = -5;
        r.bag[0].map_index = 1;
        r.bag[2].map_index = 1;
        /* the limits of the range */
        r.objects[0].position[0] = 3 * 1024;
        r.objects[0].position[1] = 5 * 1024 + 1023;
        r.objects[2].position[2] = 511;
        r.objects[4].position[2] = 0;
        r.objects[3].stats[0].value = -20;
        r.objects[3].stats[1].value = 40;
        r.objects[4].name = "BACK"; /* of exit.def, in any case */
        right_hash(&r.s);
        assert_silent(&r.s, NAME);
        /* a sector without objects, or with empty slots only */
        r.s.object_count = 0;
        right_hash(&r.s);
        assert_silent(&r.s, NAME);
        r.objects[0] = (sector_object){.empty = true};
        r.s.object_count = 2;
        right_hash(&r.s);
        assert_silent(&r.s, NAME);
    }
    /* without a file name it is not checked, and positions are relative to the map */
    static void (*const changes[])(sector_source *) = {position_far, position_negative, position_y,
                                                       position_beyond};
    for (size_t i = 0; i < 4; i++) {
        sector_source r;
        good_sector(&r, 15);
        changes[i](&r);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NULL);
        findings list = {0};
        check_with(d, false, false, &list, NULL);
        assert_int_equal(list.count, i != 2);
        if (i != 2) {
            assert_string_equal(list.items[0].code, "REV-POSITION");
            assert_string_equal(list.items[0].expected, "0..65535");
            assert_string_equal(list.items[0].found, i == 3 ? "x 70000" : i ? "x -1" : "y 65536");
        }
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

static mst_status find_both(void *user, const char *name, const void **bytes, size_t *size) {
    if (user && strcmp(name, "class.def") == 0) {
        *bytes = user;
        *size = strlen(user);
        return MST_OK;
    }
    if (strcmp(name, "class.def") != 0)
        return find_exits(NULL, name, bytes, size);
    *bytes = class_def;
    *size = sizeof class_def - 1;
    return MST_OK;
}

/* All faults at once, stopped after any of the findings. */
static void findings_stop(void **state) {
    (void)state;
    static const uint32_t versions[] = {3, 4, 8, 14, 15};
    mst_resolver resolver = {.find = find_both}, none = {0};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        sector_source r;
        good_sector(&r, versions[i]);
        static void (*const changes[])(sector_source *) = {
            trailing, last_tail,   bag_tail, position_x, too_low,    same_index, other_id,
            bag_id,   other_class, stat_low, stat_code,  other_door, is_prose,   few};
        size_t count = sizeof changes / sizeof *changes - (versions[i] < 14 ? 2 : 0);
        for (size_t k = 0; k < count; k++)
            changes[k](&r);
        writer w = written(&r.s);
        static const size_t min[] = {7, 8, 10, 14, 14};
        mst_document *d = open_named(&w, NAME);
        assert_stops(d, &resolver, min[i]);
        assert_stops(d, &none, 4);
        mst_close(d);
        d = open_named(&w, "sector.dat");
        assert_stops(d, &resolver, min[i] - (versions[i] >= 14));
        mst_close(d);
        writer_free(&w);
    }
    writer w = {0};
    deep(8, 40, &w);
    mst_document *d = open_named(&w, "sector.dat");
    assert_stops(d, NULL, 2);
    mst_close(d);
    writer_free(&w);
}

/* class.def with a class that the game does not number, without any class, and an exit without a name. */
static void definitions_that_say_little(void **state) {
    (void)state;
    static char novel[] = "CLASS \"NOVELTY\"\nBEGIN\nTYPES\nBEGIN\n\"a\" \"a\" 0x10000009\nEND\nEND\n";
    static char empty[] = "// nothing\n";
    sector_source r;
    good_sector(&r, 15);
    r.objects[4].name = "";
    r.s.object_count = 3; /* two tiles, and an empty slot */
    right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    char *const texts[] = {novel, empty};
    for (size_t i = 0; i < 2; i++) {
        mst_resolver resolver = {.find = find_both, .user = texts[i]};
        mst_check_options options = {.size = sizeof options, .sidecars = &resolver};
        findings list = {0};
        mst_diagnostic why;
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        print_findings(&list);
        assert_int_equal(list.count, 0);
        findings_free(&list);
    }
    mst_close(d);
    writer_free(&w);
    good_sector(&r, 15);
    r.objects[4].name = "";
    right_hash(&r.s);
    assert_silent(&r.s, NAME);
}

/* Some of the game's exit types lead elsewhere, some never do, and others do if exit.def has their name. */
static void exits_by_type(void **state) {
    (void)state;
    static const struct {
        const char *type, *code; /* NULL: none */
    } types[] = {{"Door1", "REV-EXIT"},
                 {"door2", "REV-EXIT"},
                 {"PORTEW", "REV-EXIT"},
                 {"PortNS", "REV-EXIT"},
                 {"CavDoorEW", "REV-EXIT"},
                 {"cavdoor", "REV-EXIT"},
                 {"DunTeleport", "REV-EXIT"},
                 {"Lever", NULL},
                 {"lever", NULL},
                 {"UpBlock", NULL},
                 {"InDoor1", NULL},
                 {"InportEW", NULL},
                 {"InportNS", NULL},
                 {"PressPlate", "REV-EXIT-UNLISTED"},
                 {"Stairs", "REV-EXIT-UNLISTED"},
                 {"CavDoo", "REV-EXIT-UNLISTED"},
                 {"Door10", "REV-EXIT-UNLISTED"}};
    sector_source r;
    good_sector(&r, 15);
    other_exit(&r);
    right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "CLASS \"EXIT\"\nBEGIN\nTYPES\nBEGIN\n\"%s\" \"a\" 0x1000000a\nEND\nEND\n", types[i].type);
        mst_resolver resolver = {.find = find_both, .user = text};
        mst_check_options options = {.size = sizeof options, .sidecars = &resolver, .information = 1};
        findings list = {0};
        mst_diagnostic why;
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        const bool leads = types[i].code && !strcmp(types[i].code, "REV-EXIT");
        assert_int_equal(count_code(&list, "REV-EXIT"), leads);
        assert_int_equal(count_code(&list, "REV-EXIT-UNLISTED"), types[i].code && !leads);
        findings_free(&list);
    }
    mst_close(d);
    writer_free(&w);
}

/* The parsed class.def is reused for the next sector, as long as it is unchanged. */
static void definitions_are_recalled(void **state) {
    (void)state;
    sector_source r;
    good_sector(&r, 15);
    other_id(&r);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    char text[sizeof class_def];
    memcpy(text, class_def, sizeof class_def);
    mst_memo memo = {0};
    mst_resolver resolver = {.find = find_both, .user = text, .memo = &memo};
    mst_check_options options = {.size = sizeof options, .sidecars = &resolver};
    void *made = NULL;
    for (unsigned round = 0; round < 5; round++) {
        findings list = {0};
        mst_diagnostic why;
        static const size_t expected[] = {1, 1, 2, 1, 1};
        if (round == 2) /* its end is missing: scrolls are no longer known */
            *strstr(text, "\"scroll\"") = 0;
        if (round == 3) /* unchanged, but at another address */
            resolver.user = NULL;
        if (round == 4) { /* a memo of another kind is discarded */
            mst_memo_clear(&memo);
            assert_null(memo.made);
        }
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        assert_int_equal(count_code(&list, "REV-UNIQUE-ID"), expected[round]);
        assert_non_null(memo.made);
        assert_int_equal(memo.made == made, round == 1);
        made = round == 0 ? memo.made : NULL;
        findings_free(&list);
    }
    mst_memo_clear(&memo);
    mst_close(d);
    /* whichever allocation fails */
    for (unsigned kept = 0; kept < 2; kept++)
        for (size_t fail_at = 1;; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {
                .size = sizeof how, .name = NAME, .allocator = counted_allocator(&memory)};
            mst_diagnostic why;
            findings list = {0};
            MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            resolver.memo = kept ? &memo : NULL;
            mst_status status = mst_check(d, &options, collect, &list, NULL, &why);
            bool failed = memory.failed;
            memory.fail_at = 0;
            if (status == MST_OK)
                assert_int_equal(count_code(&list, "REV-UNIQUE-ID"), 1);
            else
                assert_int_equal(status, MST_NO_MEMORY);
            assert_true(failed || status == MST_OK);
            findings_free(&list);
            mst_memo_clear(&memo);
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
            assert_false(memory.wrong);
            if (!failed)
                break;
        }
    writer_free(&w);
}

/* The place is taken only from the file's name. */
static void names_and_places(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool place, sector; /* sector: enough for one of the first version */
    } cases[] = {
        {"44_3_5.DAT", true, true},         {"123456_1_1.dat", true, true}, {"44_3_5", true, false},
        {"44_3_5.da", true, false},         {"44_3_5.bat", true, false},    {"44_3_5.dbt", true, false},
        {"44_3_5.dad", true, false},        {"44_3_5.dat.gz", true, false}, {"1234567_1_1.DAT", false, false},
        {"1_1_99999999.DAT", false, false}, {"_1_2.DAT", false, false},     {"1_2.DAT", false, false},
        {"1_2_.DAT", false, false},         {"1_2_3x.DAT", false, false},   {"1-2_3.DAT", false, false},
        {"1_2-3.DAT", false, false},        {"1_x_3.DAT", false, false},    {"", false, false},
        {"4:_1_1.DAT", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_revenant_place place;
        mst_variant variant = {0};
        if (mst_revenant_place_of(cases[i].name, &place) != cases[i].place)
            print_error("%s\n", cases[i].name);
        assert_int_equal(mst_revenant_place_of(cases[i].name, &place), cases[i].place);
        assert_int_equal(mst_format_revenant_sector.identity.probe((const uint8_t *)"\0\0\0\0", 4, 4,
                                                                   cases[i].name, &variant),
                         cases[i].sector);
        if (i == 0) {
            assert_int_equal(place.level, 44);
            assert_int_equal(place.x, 3);
            assert_int_equal(place.y, 5);
        }
    }
    mst_variant variant = {0};
    const uint8_t marked[12] = "MAP ";
    assert_int_equal(
        mst_format_revenant_sector.identity.resolve_variant(marked, sizeof marked, &variant, NULL),
        MST_DAMAGED);
}

/* ---- conversions -------------------------------------------------------------------------------- */

static void every_code_has_a_case(void **state) {
    (void)state;
    static const char *const elsewhere[] = {"REV-NESTING",       "REV-V0-LAYOUT",        "REV-MAGIC",
                                            "REV-IMAGE-MISSING", "REV-IMAGE-UNREADABLE", "REV-IMAGE-PATH",
                                            "REV-MISSING"}; /* the last four: test_revenant_assets */
    sector_source r;
    full_sector(&r, 15);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    const mst_code_information *code;
    size_t codes = 0;
    for (; (code = mst_code_at(mst_document_format(d), codes)) != NULL; codes++) {
        bool found = false;
        for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
            found = found || strcmp(code_cases[i].code, code->code) == 0;
        for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++)
            found = found || strcmp(error_cases[i].code, code->code) == 0;
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            found = found || strcmp(elsewhere[i], code->code) == 0;
        if (!found)
            print_error("%s is never tested\n", code->code);
        assert_true(found);
        assert_true(code->documentation[0] != 0);
    }
    assert_true(codes > 15);
    mst_close(d);
    writer_free(&w);
}

int test_revenant_check(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_finding),    cmocka_unit_test(what_is_legal),
        cmocka_unit_test(findings_stop),    cmocka_unit_test(definitions_that_say_little),
        cmocka_unit_test(exits_by_type),    cmocka_unit_test(definitions_are_recalled),
        cmocka_unit_test(names_and_places), cmocka_unit_test(every_code_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
