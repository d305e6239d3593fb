/* SPDX-License-Identifier: MIT */
/* Sectors of Revenant, from bytes that tests/revenant_sector.h writes: reading, checks, edits, conversions.
 */
#include "../src/formats/revenant/revenant.h"
#include "revenant_sector.h"
#include "stopping.h"
#include <mapstone/search.h>

#define NAME "44_3_5.DAT"

static mst_status try_named(const writer *w, const char *name, mst_document **document, mst_diagnostic *why) {
    mst_open_options options = {.name = name};
    return mst_open_memory(w->data, w->size, &options, document, why);
}
static mst_document *open_named(const writer *w, const char *name) {
    mst_document *document;
    mst_diagnostic why;
    MUST(try_named(w, name, &document, &why), &why);
    return document;
}
static mst_value find(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    return value;
}
static int64_t number_at(const mst_document *document, const char *path) {
    int64_t number;
    mst_value value = find(document, path);
    MUST(mst_get_integer(&value, &number), NULL);
    return number;
}
static bool has(const mst_document *document, const char *path) {
    mst_value value;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK;
}
static writer written(const sector *s) {
    writer w = {0};
    write_sector(&w, s);
    return w;
}
static void assert_is_sector(const mst_document *d, const sector *s) {
    writer w = written(s);
    assert_same_bytes(d, w.data, w.size);
    writer_free(&w);
}
static void assert_json_of(const mst_document *document, const char *path, const char *expected) {
    mst_value value = find(document, path);
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_json_options options = {.compact = 1};
    MUST(mst_write_json(&value, &options, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_string_equal((const char *)text.data, expected);
    mst_buffer_free(&text);
}

/* The hash that the sector should have, in it. */
static void right_hash(sector *s) {
    s->state_hash = s->version >= 14 ? sector_hash(s, 44, 3, 5) : 0;
}

/* ---- every version ------------------------------------------------------------------------------ */

static void every_version(void **state) {
    (void)state;
    for (uint32_t version = 0; version <= 15; version++)
        for (int prose = 0; prose <= (version >= 14 ? 1 : 0); prose++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            if (version) {
                r.s.trailing = "left";
                r.s.trailing_size = 4;
            }
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_string_equal(mst_document_format(d)->id, "revenant-sector");
            assert_int_equal(mst_document_version(d), version);
            assert_marks(d, &w);
            assert_round_trips(d);
            assert_false(mst_is_edited(d));
            mst_value list = find(d, "objects");
            assert_int_equal(mst_count(&list), r.s.object_count);
            mst_value slot = find(d, "objects[1]");
            assert_int_equal(mst_count(&slot), 1); /* an empty one has a negative number and nothing else */
            assert_int_equal(has(d, "objects[3].inventory[2].inventory[1].name"), version >= 3);
            assert_int_equal(has(d, "objects[3].velocity"), true);
            assert_int_equal(has(d, "objects[0].velocity"), version < 6);
            assert_int_equal(has(d, "objects[3].complex_version"), version >= 8);
            mst_close(d);
            writer_free(&w);
        }
}

/* A value does not bring others along, even where a complete record is encoded. */
static void one_value(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    static const struct {
        const char *path, *json;
    } cases[] = {
        {"objects[6].inventory_tail", "\"\",\"unknown_tail\":\"aabbccdd\""},
        {"objects[7].inventory_tail", "\"\",\"unknown_tail\":\"aabbccdd\""},
        {"objects[7].unknown_tail", "\"\",\"inventory_tail\":\"aabbccdd\""},
        {"objects[3].flags", "4,\"name\":\"x\""},
        {"objects[3].flags", "[\"light\"],\"name\":\"x\""},
        {"objects[3].class", "\"weapon\",\"name\":\"x\""},
        {"objects[3].class", "weapon,\"name\":\"x\""},
        {"objects[3].inventory", "[],\"name\":\"x\""},
        {"objects[3].name", "\"a\",\"shadow\":5"},
    };
    sector_source r;
    full_sector(&r, 15);
    right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_status status = mst_set(d, cases[i].path, cases[i].json, &why);
        if (status != MST_ARGUMENT)
            print_error("%s = %s\n", cases[i].path, cases[i].json);
        assert_int_equal(status, MST_ARGUMENT);
    }
    assert_same_bytes(d, w.data, w.size);
    mst_close(d);
    writer_free(&w);
}

/* What JSON and paths say of things that look different in the file. */
static void texts_and_names(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 15);
    right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    assert_json_of(d, "objects[3].name", "\"Locke\"\n");
    assert_json_of(d, "objects[3].class", "\"character\"\n");
    assert_json_of(d, "objects[3].flags", "[\"light\",\"animate\",\"nonmap\"]\n");
    assert_json_of(d, "objects[3].stats[0]", "{\"value\":-12,\"id\":\"HLTH\"}\n");
    assert_json_of(d, "objects[4].exit_flags", "[\"on\",\"from_exit\"]\n");
    assert_json_of(d, "objects[2].light.flags", "[\"directional\",\"moon\"]\n");
    assert_json_of(d, "objects[5].text", "\"Beware.\\nOf \\\"it\\\".\"\n");
    assert_json_of(d, "objects[7].unknown_tail", "\"01020304\"\n");
    assert_json_of(d, "objects[7].inventory_tail", "\"78797a\"\n");
    assert_json_of(d, "objects[name=gate].level", "3\n");
    mst_value value = find(d, "objects[3].name");
    char text[16];
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, "Locke");
    mst_close(d);
    /* a name of which one byte has no bit 7 is shown as bytes, and kept */
    size_t name = mark_of(&w, "objects[3].name")->offset;
    w.data[name + 2] &= 0x7F;
    d = open_named(&w, NAME);
    assert_json_of(d, "objects[3].name", "{\"$raw\":\"cc6fe3ebe5\"}\n");
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
    r.objects[3].plain_name = true;
    w = written(&r.s);
    d = open_named(&w, NAME);
    assert_json_of(d, "objects[3].name", "{\"$raw\":\"4c6f636b65\"}\n");
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
    /* before version 14 they are plain */
    full_sector(&r, 8);
    w = written(&r.s);
    d = open_named(&w, NAME);
    assert_json_of(d, "objects[3].name", "\"Locke\"\n");
    assert_json_of(d, "objects[3].stats[0].id", "\"HLTH\"\n");
    mst_close(d);
    writer_free(&w);
}

/* Inventories: the count may be more than there is; nothing in one is something else than none. */
static void inventories(void **state) {
    (void)state;
    for (int prose = 0; prose < 2; prose++)
        for (uint32_t version = 14; version <= 15; version++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            r.bag[2].count_more = 2;
            r.objects[3].count_more = 1000000;
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_marks(d, &w);
            assert_round_trips(d);
            mst_value list = find(d, "objects[3].inventory");
            assert_int_equal(mst_count(&list), 3);
            assert_int_equal(number_at(d, "objects[3].inventory_count"), 1000003);
            list = find(d, "objects[3].inventory[2].inventory");
            assert_int_equal(mst_count(&list), 2);
            assert_true(has(d, "objects[6].inventory_count"));
            assert_false(has(d, "objects[0].inventory_count"));
            mst_close(d);
            writer_free(&w);
        }
}

/* Players of saved games are kept unchanged. */
static void players(void **state) {
    (void)state;
    static const char body[40] = "\1\2\3 a body of which nothing is known";
    for (uint32_t version = 1; version <= 15; version++)
        for (int prose = 0; prose <= (version >= 14 ? 1 : 0); prose++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            r.objects[3].class_number = SECTOR_PLAYER;
            r.objects[3].object_version = 15;
            r.objects[3].player = body;
            r.objects[3].player_size = sizeof body;
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_marks(d, &w);
            assert_round_trips(d);
            assert_int_equal(has(d, "objects[3].player"), version >= 8);
            assert_int_equal(has(d, "objects[3].name"), version < 8);
            if (version >= 14)
                assert_true(has(d, "objects[3].inventory[2].inventory[1]"));
            mst_close(d);
            writer_free(&w);
        }
}

/* Bytes that are not known, of every length, in both places. */
static void unknown_tails(void **state) {
    (void)state;
    static const uint8_t bytes[40] = {1,  0, 0, 0, 255, 255, 0, 0, 9, 200, 0, 0, 0, 7, 7, 7, 0, 0, 0, 0,
                                      12, 0, 1, 2, 3,   4,   5, 6, 7, 8,   9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    size_t step = sample_step() > 1 ? 5 : 1;
    for (uint32_t version = 4; version <= 15; version++)
        for (size_t size = 0; size < sizeof bytes; size += step) {
            sector_source r;
            full_sector(&r, version);
            for (size_t i = 3; i < 9; i++) {
                r.objects[i].tail = bytes + i % 4;
                r.objects[i].tail_size = size - (size < i % 4 ? size : i % 4);
                if (version >= 14 && (r.objects[i].inventory_count || r.objects[i].has_inventory)) {
                    r.objects[i].inventory_tail = bytes;
                    r.objects[i].inventory_tail_size = size;
                }
            }
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_marks(d, &w);
            if (size % 5 == 0)
                assert_round_trips(d);
            else
                assert_encodes(d);
            mst_close(d);
            writer_free(&w);
        }
}

/* From version 4 to 13 a body of another length than is known hides where the inventory is. */
static void bodies_without_an_inventory(void **state) {
    (void)state;
    for (uint32_t version = 4; version <= 13; version++) {
        for (uint8_t last = 0; last < 3; last++) {
            sector_source r;
            full_sector(&r, version);
            writer w = written(&r.s);
            /* the count of the first object's inventory is none: one that has no room */
            const mark *group = mark_of(&w, version >= 5 ? "objects[0].group" : "objects[0].map_index");
            size_t count = group->offset + group->length + (version >= 5);
            assert_int_equal(mst_load32(w.data + count, false), 0);
            w.data[count + last] = 9;
            mst_document *d = open_named(&w, NAME);
            assert_false(has(d, "objects[0].inventory"));
            mst_value tail = find(d, "objects[0].unknown_tail");
            const void *bytes;
            size_t size;
            MUST(mst_get_bytes(&tail, &bytes, &size), NULL);
            assert_int_equal(size, 4);
            assert_round_trips(d);
            mst_close(d);
            writer_free(&w);
        }
    }
}

/* ---- deep nesting ------------------------------------------------------------------------------- */

static void deep(uint32_t version, uint32_t depth, writer *w) {
    sector_object one = sector_thing(SECTOR_CONTAINER, SECTOR_IMMOBILE, "");
    sector_source r = {.s = {.version = version, .objects = &one, .object_count = 1}};
    writer single = {0};
    one.has_inventory = true;
    put_sector_object(&single, &r.s, &one, "x");
    put_bytes_of(w, "MAP ", 4);
    put_u32(w, version);
    if (version >= 14)
        put_u32(w, 0);
    put_u32(w, 1);
    size_t sizes = version >= 8 ? 8 : 6, header = version >= 14 ? 12 : version >= 8 ? 10 : 8;
    for (uint32_t i = 0; i < depth; i++) {
        uint8_t *place = put(w, single.size);
        memcpy(place, single.data, single.size);
        uint32_t left = depth - 1 - i;
        mst_store32(place + single.size - 4, left > 0, false);
        if (version >= 4) {
            size_t body = single.size - header - 4, last = 4 + left * single.size;
            mst_store16(place + sizes, (uint16_t)(body + last), false);
            assert_true(body + last <= INT16_MAX);
            if (version >= 14)
                mst_store16(place + sizes + 2, (uint16_t)last, false);
        }
    }
    writer_free(&single);
}

static void deep_nesting(void **state) {
    (void)state;
    static const struct {
        uint32_t version, depth;
    } cases[] = {{3, 1000}, {4, 480}, {8, 500}, {14, 500}, {15, 500}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        deep(cases[i].version, cases[i].depth, &w);
        mst_document *d = open_named(&w, NAME);
        assert_round_trips(d);
        assert_true(has(d, "objects[0].inventory[0].inventory[0].inventory[0].name"));
        mst_close(d);
        /* the innermost one says that there is another */
        mst_store32(w.data + w.size - 4, 1, false);
        mst_diagnostic why;
        mst_status status = try_named(&w, NAME, &d, &why);
        assert_int_equal(status, cases[i].version == 3 ? MST_DAMAGED : MST_OK);
        mst_close(d);
        writer_free(&w);
    }
    /* without sizes it may go on */
    writer w = {0};
    deep(3, sample_step() > 1 ? 2000 : 20000, &w);
    mst_document *d = open_named(&w, NAME);
    assert_ledger(d);
    assert_json(d, 1);
    assert_checks(d);
    mst_close(d);
    writer_free(&w);
}

/* ---- version 0 ---------------------------------------------------------------------------------- */

static void version_0(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 0);
    writer w = written(&r.s);
    mst_document *d;
    mst_diagnostic why;
    /* only its name identifies it */
    assert_int_equal(try_named(&w, "44_3_5.TXT", &d, &why), MST_UNKNOWN);
    assert_int_equal(try_named(&w, "readme.dat", &d, &why), MST_UNKNOWN);
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &d, &why), MST_UNKNOWN);
    static const char *const names[] = {"44_3_5.DAT", "1_9_9.dat", "MAP/3600_4_5.DAT", "C:\\MAP\\0_0_0.Dat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        d = open_named(&w, names[i]);
        assert_marks(d, &w);
        mst_close(d);
    }
    mst_open_options options = {.format = "revenant-sector"};
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    assert_marks(d, &w);
    assert_round_trips(d);
    mst_close(d);
    /* another structure is kept as bytes */
    for (size_t cut = 1; cut < 60; cut += 7) {
        writer shorter = {.data = w.data, .size = w.size - cut};
        d = open_named(&shorter, NAME);
        assert_int_equal(mst_document_version(d), 0);
        assert_false(has(d, "objects"));
        mst_value data = find(d, "data");
        const void *bytes;
        size_t size;
        MUST(mst_get_bytes(&data, &bytes, &size), NULL);
        assert_int_equal(size, w.size - cut);
        assert_round_trips(d);
        mst_buffer text = {0};
        mst_value root = mst_root(d);
        MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
        MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
        assert_non_null(strstr((const char *)text.data, "\"$layout\": \"raw\""));
        mst_buffer_free(&text);
        mst_close(d);
    }
    /* nothing says which types its objects are of: it cannot be converted */
    d = open_named(&w, NAME);
    mst_document *made;
    mst_convert_options convert = {.version = 15, .has_version = 1, .allow_loss = 1};
    assert_int_equal(mst_convert(d, &convert, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&w);
}

/* ---- findings ----------------------------------------------------------------------------------- */

static const char class_def[] =
    "CLASS \"CHARACTER\"\nBEGIN\nSTATS\nBEGIN\nHealth HLTH 5 -20 10\nEND\n"
    "OBJSTATS\nBEGIN\nSleep SLP 1 0 40\nEND\nTYPES\nBEGIN\n\"Locke\" \"a\" 0x1000000c\nEND\nEND\n"
    "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n\"Floor\" \"a\" 0x10000009\nEND\nEND\n"
    "CLASS \"ITEM\"\nBEGIN\nTYPES\nBEGIN\n\"thing\" \"a\" 0x10000000\nEND\nEND\n"
    "CLASS \"WEAPON\"\nBEGIN\nTYPES\nBEGIN\n\"axe\" \"a\" 0x10000001\nEND\nEND\n"
    "CLASS \"CONTAINER\"\nBEGIN\nTYPES\nBEGIN\n\"bag\" \"a\" 0x10000005\nEND\nEND\n"
    "CLASS \"MONEY\"\nBEGIN\nTYPES\nBEGIN\n\"coin\" \"a\" 0x10000008\nEND\nEND\n"
    "CLASS \"EXIT\"\nBEGIN\nTYPES\nBEGIN\n\"gate\" \"a\" 0x1000000a\nEND\nEND\n"
    "CLASS \"TRAP\"\nBEGIN\nTYPES\nBEGIN\n\"trap\" \"a\" 0x1000000d\nEND\nEND\n"
    "CLASS \"INVCONTAINER\"\nBEGIN\nTYPES\nBEGIN\n\"chest\" \"a\" 0x10000011\nEND\nEND\n"
    "CLASS \"AMMO\"\nBEGIN\nTYPES\nBEGIN\n\"arrows\" \"a\" 0x10000015\nEND\nEND\n"
    "CLASS \"SCROLL\"\nBEGIN\nTYPES\nBEGIN\n\"scroll\" \"a\" 0x10000016\nEND\nEND\n";

static const char exit_def[] = "gate (1, 2, 3) level 4\nback (1, 2, 3) level 5\n";

static mst_status find_exits(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    if (strcmp(name, "exit.def") != 0)
        return MST_UNKNOWN;
    *bytes = exit_def;
    *size = sizeof exit_def - 1;
    return MST_OK;
}

/* A sector without findings: no unknown bytes. */
static void good_sector(sector_source *r, uint32_t version) {
    full_sector(r, version);
    r->objects[7].tail_size = r->objects[7].inventory_tail_size = 0;
    right_hash(&r->s);
}

typedef struct code_case {
    const char *code;
    void (*change)(sector_source *r);
    const char *path, *where; /* the mark; NULL: the path; "": none */
    const char *found, *expected;
    const char *name;           /* of the file; NULL: NAME */
    uint32_t first, last;       /* versions; 0: all from 1 on */
    bool classes, exits, stale; /* class.def, exit.def; the hash is not made again */
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
CHANGE(prose, r->s.prose = true)
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
CHANGE(other_exit, r->objects[4].name = "door")
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
     .found = "4096",
     .expected = "in the sector 3,5"},
    {.code = "REV-POSITION",
     .change = position_y,
     .path = "objects[4].position",
     .where = "objects[4].position[0]",
     .found = "5119",
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
    {.code = "REV-SIZE-ORDER", .change = prose, .path = "objects", .where = "", .first = 14},
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
     .change = other_exit,
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

static void check_with(const mst_document *d, bool classes, bool exits, findings *list,
                       mst_check_result *result) {
    mst_resolver resolver = {.find = find_exits};
    mst_check_options options = {.information = 1};
    mst_diagnostic why;
    if (classes) {
        options.schema = class_def;
        options.schema_size = sizeof class_def - 1;
    }
    if (exits)
        options.sidecars = &resolver;
    MUST(mst_check(d, &options, collect, list, result, &why), &why);
}

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
        /* in the bag things may lie anywhere, and need no index of their own */
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
        /* a sector with nothing in it, or nothing but empty slots */
        r.s.object_count = 0;
        right_hash(&r.s);
        assert_silent(&r.s, NAME);
        r.objects[0] = (sector_object){.empty = true};
        r.s.object_count = 2;
        right_hash(&r.s);
        assert_silent(&r.s, NAME);
    }
    /* without a name it is not checked, and positions are those of the map */
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
            assert_string_equal(list.items[0].found, i == 3 ? "70000" : i ? "-1" : "65536");
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
            bag_id,   other_class, stat_low, stat_code,  other_exit, prose,      few};
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

/* class.def of a class that the game does not number, of none at all, and an exit that has no name. */
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
        mst_check_options options = {.sidecars = &resolver};
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

/* What was made of class.def is there for the next sector, as long as it is the same. */
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
    mst_check_options options = {.sidecars = &resolver};
    void *made = NULL;
    for (unsigned round = 0; round < 5; round++) {
        findings list = {0};
        mst_diagnostic why;
        static const size_t expected[] = {1, 1, 2, 1, 1};
        if (round == 2) /* the end of it is gone: scrolls are not known any more */
            *strstr(text, "\"scroll\"") = 0;
        if (round == 3) /* as it was, but somewhere else */
            resolver.user = NULL;
        if (round == 4) { /* what somebody else has made is let go */
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
    /* whatever there is no memory for */
    for (unsigned kept = 0; kept < 2; kept++)
        for (size_t fail_at = 1;; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {.name = NAME, .allocator = counted_allocator(&memory)};
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

/* A place is in the file's name, and nothing else is. */
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

/* ---- what can be saved --------------------------------------------------------------------------- */

/* An object that makes no sense leaves an empty slot; the others are there. */
static void damaged_objects_are_passed_over(void **state) {
    (void)state;
    for (uint32_t version = 4; version <= 15; version++) {
        sector_source r;
        good_sector(&r, version);
        writer w = written(&r.s);
        w.data[mark_of(&w, "objects[2].name")->offset] = 255;
        size_t body = mark_of(&w, "objects[2].name")->offset;
        mst_document *d;
        mst_diagnostic why;
        findings list = {0};
        mst_open_options options = {.name = NAME, .salvage = 1, .report = collect, .report_user = &list};
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        assert_int_equal(list.count > 0, true);
        assert_string_equal(list.items[0].code, "REV-OVERRUN");
        assert_int_equal(strncmp(list.items[0].path, "objects[2].", 11), 0);
        assert_true(list.items[0].offset >= body && list.items[0].offset <= w.size);
        assert_false(has(d, "objects[2].name"));
        assert_json_of(d, "objects[3].name", "\"Locke\"\n");
        findings_free(&list);
        mst_close(d);
        /* without a report function */
        options.report = NULL;
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        assert_json_of(d, "objects[4].name", "\"gate\"\n");
        mst_close(d);
        /* somebody has heard enough */
        stopping s = {.at = 0};
        options.report = stop_at;
        options.report_user = &s;
        assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_STOPPED);
        assert_int_equal(s.heard, 1);
        assert_null(d);
        /* a count of more than there are */
        size_t count = version >= 14 ? 12 : 8;
        mst_store32(w.data + count, 10, false);
        options.report = NULL;
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        mst_value objects = find(d, "objects");
        assert_int_equal(mst_count(&objects), 9);
        mst_close(d);
        writer_free(&w);
    }
}

/* Whatever is damaged, findings are about existing objects, with offsets in the file. */
static void any_damage_is_told_where_it_is(void **state) {
    (void)state;
    random_state random = {11};
    for (uint32_t version = 4; version <= 15; version++) {
        sector_source r;
        good_sector(&r, version);
        writer w = written(&r.s);
        uint8_t *copy = malloc(w.size);
        assert_non_null(copy);
        for (unsigned round = 0; round < 400; round += (unsigned)sample_step()) {
            memcpy(copy, w.data, w.size);
            for (unsigned k = 0; k <= random_below(&random, 4); k++)
                copy[8 + random_below(&random, (uint32_t)w.size - 8)] = (uint8_t)random_next(&random);
            mst_document *d = NULL;
            mst_diagnostic why;
            findings list = {0};
            mst_open_options options = {.name = NAME, .salvage = 1, .report = collect, .report_user = &list};
            if (mst_open_memory(copy, w.size, &options, &d, &why) == MST_OK) {
                assert_encodes(d);
                for (size_t i = 0; i < list.count; i++) {
                    assert_int_equal(strncmp(list.items[i].path, "objects[", 8), 0);
                    assert_true(list.items[i].offset <= w.size);
                }
            }
            findings_free(&list);
            mst_close(d);
        }
        free(copy);
        writer_free(&w);
    }
}

/* Inventories deeper than the limit: reported once, at their position. */
static void nesting_is_told(void **state) {
    (void)state;
    for (uint32_t depth = 31; depth <= 40; depth++) {
        writer w = {0};
        deep(8, depth, &w);
        mst_document *d = open_named(&w, NULL);
        findings list = {0};
        check_with(d, false, false, &list, NULL);
        size_t reported = count_code(&list, "REV-NESTING");
        if (reported != (depth > 32))
            print_findings(&list);
        assert_int_equal(reported, depth > 32);
        for (size_t i = 0; i < list.count; i++)
            if (strcmp(list.items[i].code, "REV-NESTING") == 0)
                assert_true(list.items[i].offset > 0 && list.items[i].offset < w.size);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

static void older_form(void **state) {
    (void)state;
    static const uint8_t bytes[] = {5, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    writer w = {.data = (uint8_t *)(uintptr_t)bytes, .size = sizeof bytes};
    mst_document *d = open_named(&w, "0_1_2.DAT");
    findings list = {0};
    check_with(d, true, true, &list, NULL);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "REV-V0-LAYOUT");
    assert_string_equal(list.items[0].path, "data");
    assert_int_equal(list.items[0].offset, 0);
    assert_int_equal(list.items[0].severity, MST_WARNING);
    assert_round_trips(d);
    findings_free(&list);
    mst_close(d);
}

/* ---- what does not open ------------------------------------------------------------------------- */

typedef struct error_case {
    const char *code, *path;
    const char *where; /* the mark that is changed, and `delta` after it */
    int delta;
    unsigned width;
    uint32_t value;
    uint64_t offset; /* UINT64_MAX: at the change */
    uint32_t first, last;
} error_case;

static const error_case error_cases[] = {
    {"REV-VERSION", "version", "version", 0, 4, 16, 4, 1, 15},
    {"REV-VERSION", "version", "version", 0, 4, UINT32_MAX, 4, 1, 15},
    {"REV-COUNT", "objects", "version", 4, 4, 0x7FFFFFFF, 12, 1, 13},
    {"REV-COUNT", "objects", "version", 4, 4, UINT32_MAX, 12, 1, 13},
    {"REV-COUNT", "objects", "state_hash", 4, 4, 0x7FFFFFFF, 16, 14, 15},
    /* sizes: larger than the rest, smaller than the known fields, below 0 */
    {"REV-OVERRUN", "objects[8].size_1", "objects[8].unique_id", 4, 2, 0x7FFF, UINT64_MAX, 4, 13},
    {"REV-OVERRUN", NULL, "objects[8].unique_id", 4, 2, 0x7FFF, 0, 14, 15},
    {"REV-OVERRUN", "objects[0].size_1", "objects[0].unique_id", 4, 2, 0x8000, UINT64_MAX, 4, 13},
    {"REV-OVERRUN", NULL, "objects[0].unique_id", 4, 2, 0x8000, 0, 14, 15},
    {"REV-OVERRUN", NULL, "objects[0].unique_id", 4, 2, 7, 0, 4, 13},
    {"REV-OVERRUN", "objects[2].size_2", "objects[2].unique_id", 6, 2, 0x7FFF, UINT64_MAX, 14, 15},
    {"REV-OVERRUN", NULL, "objects[2].name", 0, 1, 255, 0, 4, 15},
};

static void errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        const error_case *c = &error_cases[i];
        for (uint32_t version = c->first; version <= c->last; version++) {
            sector_source r;
            good_sector(&r, version);
            writer w = written(&r.s);
            size_t place = mark_of(&w, c->where)->offset + (size_t)(ptrdiff_t)c->delta;
            mst_store(w.data + place, c->width, c->value, false);
            mst_document *d;
            mst_diagnostic why;
            mst_status status = try_named(&w, NAME, &d, &why);
            if (status != MST_DAMAGED || strcmp(why.code, c->code) != 0 ||
                (c->path && strcmp(why.path, c->path) != 0))
                print_error("%s, version %u: %s at \"%s\", %llu: %s\n", c->code, version, why.code, why.path,
                            (unsigned long long)why.offset, mst_status_text(status));
            assert_int_equal(status, MST_DAMAGED);
            assert_string_equal(why.code, c->code);
            if (c->path)
                assert_string_equal(why.path, c->path);
            if (c->offset)
                assert_int_equal(why.offset, c->offset == UINT64_MAX ? place : c->offset);
            assert_true(why.offset <= w.size && why.message[0]);
            assert_null(d);
            writer_free(&w);
        }
    }
}

/* What is not marked as a sector is none, but for the name; a format that is asked for is looked for. */
static void marks(void **state) {
    (void)state;
    sector_source r;
    good_sector(&r, 15);
    writer w = written(&r.s);
    mst_document *d;
    mst_diagnostic why;
    w.data[3] = 'X';
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &d, &why), MST_UNKNOWN);
    assert_int_equal(try_named(&w, "map.dat", &d, &why), MST_UNKNOWN);
    w.data[3] = ' ';
    d = open_named(&w, "map.dat");
    mst_close(d);
    writer_free(&w);
}

static void every_beginning(void **state) {
    (void)state;
    static const uint32_t versions[] = {1, 3, 5, 8, 15};
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
        sector_source r;
        full_sector(&r, versions[k]);
        writer w = written(&r.s);
        for (size_t size = 8; size < w.size; size++) {
            uint8_t *exact = malloc(size);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_document *d;
            mst_diagnostic why;
            mst_open_options options = {.name = NAME};
            mst_status status = mst_open_memory(exact, size, &options, &d, &why);
            assert_int_equal(status, MST_DAMAGED);
            assert_true(strncmp(why.code, "REV-", 4) == 0 && why.offset <= size && why.message[0]);
            free(exact);
        }
        writer_free(&w);
    }
}

static void every_byte_changed(void **state) {
    (void)state;
    static const uint32_t versions[] = {0, 2, 3, 8, 14, 15};
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
        sector_source r;
        full_sector(&r, versions[k]);
        r.s.prose = versions[k] == 14;
        writer w = written(&r.s);
        random_state random = {77};
        for (size_t i = 0; i < w.size; i += sample_step()) {
            uint8_t old = w.data[i];
            for (int turn = (int)(i % 3); turn < 3; turn++) {
                w.data[i] = turn == 0 ? 0 : turn == 1 ? 255 : (uint8_t)random_next(&random);
                mst_document *d;
                mst_diagnostic why;
                mst_status status = try_named(&w, NAME, &d, &why);
                if (status == MST_OK) {
                    assert_encodes(d);
                    assert_ledger(d);
                    assert_checks(d);
                    if (i % 8 == 0)
                        assert_round_trips(d);
                    mst_document *made;
                    mst_convert_options options = {
                        .version = versions[k] == 15 ? 8 : 15, .has_version = 1, .allow_loss = 1};
                    mst_status converted = mst_convert(d, &options, NULL, NULL, &made, &why);
                    if (converted == MST_OK) {
                        assert_encodes(made);
                        mst_close(made);
                    } else {
                        assert_true(converted == MST_REFUSED || converted == MST_UNSUPPORTED);
                    }
                    mst_close(d);
                } else if (status == MST_DAMAGED) {
                    assert_true(strncmp(why.code, "REV-", 4) == 0 && why.offset <= w.size);
                }
            }
            w.data[i] = old;
        }
        writer_free(&w);
    }
}

/* ---- the state hash ----------------------------------------------------------------------------- */

static uint32_t hash_of(const mst_document *d) {
    return (uint32_t)number_at(d, "state_hash");
}

static void hash_follows(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    for (uint32_t version = 14; version <= 15; version++)
        for (int wrong = 0; wrong < 2; wrong++)
            for (int prose = 0; prose < 2; prose++) {
                sector_source r;
                full_sector(&r, version);
                r.s.prose = prose != 0;
                right_hash(&r.s);
                uint32_t before = r.s.state_hash ^= wrong ? 0xFFFF : 0;
                writer w = written(&r.s);
                mst_document *d = open_named(&w, NAME);
                mst_diagnostic why;
                /* tiles are ignored, nor what characters carry */
                MUST(mst_set(d, "objects[0].position[0]", "3073", &why), &why);
                MUST(mst_set(d, "objects[3].inventory[0].poison", "5", &why), &why);
                MUST(mst_set(d, "objects[0].name", "\"floor\"", &why), &why);
                assert_int_equal(hash_of(d), before);
                /* characters are */
                MUST(mst_set(d, "objects[3].position[0]", "3074", &why), &why);
                r.objects[3].position[0] = 3074;
                assert_int_equal(hash_of(d), sector_hash(&r.s, 44, 3, 5));
                MUST(mst_set(d, "objects[3].name", "\"Andria\"", &why), &why);
                r.objects[3].name = "Andria";
                assert_int_equal(hash_of(d), sector_hash(&r.s, 44, 3, 5));
                /* and how many there are of all */
                MUST(mst_remove(d, "objects[8]", &why), &why);
                r.s.object_count--;
                assert_int_equal(hash_of(d), sector_hash(&r.s, 44, 3, 5));
                /* a hash that is set stays until then */
                MUST(mst_set(d, "state_hash", "7", &why), &why);
                assert_int_equal(hash_of(d), 7);
                MUST(mst_set(d, "objects[0].map_index", "9", &why), &why);
                assert_int_equal(hash_of(d), 7);
                assert_round_trips(d);
                mst_close(d);
                writer_free(&w);
            }
}

static void hash_of_another_place(void **state) {
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        sector_source r;
        full_sector(&r, 15);
        right_hash(&r.s);
        uint32_t before = r.s.state_hash ^= wrong ? 0xFFFF : 0;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        static const struct {
            const char *name;
            int32_t level, x, y;
        } places[] = {{"44_3_6.DAT", 44, 3, 6}, {"0_3_5.dat", 0, 3, 5}, {"3600_63_200.DAT", 3600, 63, 200}};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            mst_convert_options options = {.name = places[i].name};
            MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
            assert_string_equal(mst_document_name(made), places[i].name);
            assert_int_equal(hash_of(made), sector_hash(&r.s, places[i].level, places[i].x, places[i].y));
            mst_close(made);
        }
        /* the same name, or one that is none of a sector: as it was */
        static const char *const names[] = {NAME, "copy.dat", NULL};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            mst_convert_options options = {.name = names[i]};
            MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
            assert_int_equal(hash_of(made), before);
            assert_same_bytes(made, w.data, w.size);
            mst_close(made);
        }
        mst_close(d);
        writer_free(&w);
    }
}

/* A long record makes the sums be reduced on the way; a player counts as two bytes. */
static void hash_of_long_records(void **state) {
    (void)state;
    static uint8_t tail[12000];
    random_state random = {5};
    for (size_t i = 0; i < sizeof tail; i++)
        tail[i] = (uint8_t)random_next(&random);
    for (size_t size = 5400; size < sizeof tail; size += 97) {
        sector_source r;
        full_sector(&r, 15);
        r.objects[3].tail = tail;
        r.objects[3].tail_size = size;
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = tail;
        r.objects[8].player_size = 100;
        right_hash(&r.s);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME);
        findings list = {0};
        check_with(d, false, false, &list, NULL);
        assert_int_equal(count_code(&list, "REV-HASH"), 0);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* ---- edits -------------------------------------------------------------------------------------- */

static void flags_make_fields(void **state) {
    (void)state;
    static const uint32_t bits[] = {SECTOR_IMMOBILE, SECTOR_LIGHT, SECTOR_ANIMATE, SECTOR_NONMAP,
                                    SECTOR_IMMOBILE | SECTOR_LIGHT | SECTOR_ANIMATE | SECTOR_NONMAP};
    if (!reads_json)
        skip();
    for (uint32_t version = 1; version <= 15; version += sample_step() > 1 ? 2 : 1)
        for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
            sector_source r;
            full_sector(&r, version);
            /* objects of every kind: with fields added and taken away */
            for (size_t o = 0; o < 9; o++) {
                if (r.objects[o].empty)
                    continue;
                sector_object old = r.objects[o];
                right_hash(&r.s);
                writer w = written(&r.s);
                mst_document *d = open_named(&w, NAME);
                mst_diagnostic why;
                uint32_t flags = old.flags ^ bits[i], come = flags & ~old.flags;
                char path[40], value[24];
                snprintf(path, sizeof path, "objects[%u].flags", (unsigned)o);
                snprintf(value, sizeof value, "%u", flags);
                mst_status status = mst_set(d, path, value, &why);
                if (status != MST_OK)
                    print_error("version %u, %s: %u -> %u\n", version, path, old.flags, flags);
                MUST(status, &why);
                sector_object *now = &r.objects[o];
                now->flags = flags;
                /* what comes is nothing */
                if (come & SECTOR_LIGHT) {
                    now->light_flags = now->light_intensity = 0;
                    memset(now->light_color, 0, sizeof now->light_color);
                    memset(now->light_position, 0, sizeof now->light_position);
                    now->light_multiplier = 0;
                }
                if ((come & SECTOR_ANIMATE) && version >= 6)
                    now->frame = now->frame_rate = 0;
                if ((come & SECTOR_NONMAP) && version >= 6)
                    now->level = 0;
                if ((old.flags & ~flags & SECTOR_IMMOBILE) && version >= 6)
                    memset(now->velocity, 0, sizeof now->velocity);
                right_hash(&r.s);
                assert_is_sector(d, &r.s);
                assert_round_trips(d);
                mst_close(d);
                writer_free(&w);
                *now = old;
            }
        }
}

static void other_edits(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    for (uint32_t version = 1; version <= 15; version++)
        for (int prose = 0; prose <= (version >= 14 ? 1 : 0); prose++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            right_hash(&r.s);
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            mst_diagnostic why;
            MUST(mst_set(d, "objects[2].name", "\"lantern\"", &why), &why);
            r.objects[2].name = "lantern";
            MUST(mst_set(d, "objects[2].name", "\"lantern\"", &why), &why);
            MUST(mst_set(d, "objects[2].class", "\"tile\"", &why), &why);
            assert_is_sector(d, &r.s);
            if (version >= 3) { /* sizes around the inventory follow, of which one has two */
                MUST(mst_set(d, "objects[3].inventory[2].inventory[1].name", "\"bolts and more\"", &why),
                     &why);
                r.purse[1].name = "bolts and more";
                assert_is_sector(d, &r.s);
                MUST(mst_remove(d, "objects[3].inventory[2].inventory[0]", &why), &why);
                r.purse[0] = r.purse[1];
                r.bag[2].inventory_count = 1;
                assert_is_sector(d, &r.s);
                MUST(mst_remove(d, "objects[3].inventory[1]", &why), &why);
                r.bag[1] = r.bag[2];
                r.objects[3].inventory_count = 2;
                assert_is_sector(d, &r.s);
            }
            if (version >= 5) {
                MUST(mst_insert(d, "objects[3].stats[1]", "{\"value\":-3,\"id\":\"MANA\"}", &why), &why);
                r.objects[3].stats[2] = r.objects[3].stats[1];
                r.objects[3].stats[1] = (sector_stat){-3, "MANA"};
                r.objects[3].stat_count = 3;
                right_hash(&r.s);
                assert_is_sector(d, &r.s);
                MUST(mst_remove(d, "objects[3].stats[0]", &why), &why);
                memmove(r.objects[3].stats, r.objects[3].stats + 1, 2 * sizeof(sector_stat));
                r.objects[3].stat_count = 2;
                right_hash(&r.s);
                assert_is_sector(d, &r.s);
            }
            MUST(mst_set(d, "objects[5].text", "\"\"", &why), &why);
            r.objects[5].text = "";
            assert_is_sector(d, &r.s);
            if (version >= 4) {
                MUST(mst_set(d, "objects[7].unknown_tail", "\"aabbccddeeff\"", &why), &why);
                r.objects[7].tail = "\xaa\xbb\xcc\xdd\xee\xff";
                r.objects[7].tail_size = 6;
                assert_is_sector(d, &r.s);
                /* where there was none */
                MUST(mst_set(d, "objects[0].unknown_tail", "\"0102\"", &why), &why);
                r.objects[0].tail = "\1\2";
                r.objects[0].tail_size = 2;
                assert_is_sector(d, &r.s);
            }
            /* an empty slot more, and one less */
            MUST(mst_insert(d, "objects[0]",
                            version >= 8 ? "{\"object_version\":-1}" : "{\"class\":\"empty\"}", &why),
                 &why);
            memmove(r.objects + 1, r.objects, r.s.object_count * sizeof *r.objects);
            r.objects[0] = (sector_object){.empty = true};
            r.s.object_count++;
            right_hash(&r.s);
            assert_is_sector(d, &r.s);
            MUST(mst_remove(d, "objects[2]", &why), &why);
            memmove(r.objects + 2, r.objects + 3, (r.s.object_count - 3) * sizeof *r.objects);
            r.s.object_count--;
            right_hash(&r.s);
            assert_is_sector(d, &r.s);
            assert_round_trips(d);
            mst_close(d);
            writer_free(&w);
        }
}

static void what_cannot_be(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    for (uint32_t version = 8; version <= 15; version += 7) {
        sector_source r;
        full_sector(&r, version);
        right_hash(&r.s);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME);
        mst_diagnostic why;
        char *text = malloc(70000);
        assert_non_null(text);
        /* names of 255 bytes, and no longer */
        memset(text, 'n', 300);
        text[0] = '"';
        text[257] = '"';
        text[258] = 0;
        assert_int_equal(mst_set(d, "objects[3].name", text, &why), MST_REFUSED);
        assert_same_bytes(d, w.data, w.size);
        text[256] = '"';
        text[257] = 0;
        MUST(mst_set(d, "objects[3].name", text, &why), &why);
        assert_round_trips(d);
        /* bytes beyond ASCII cannot have bit 7 set */
        if (version >= 14)
            assert_int_equal(mst_set(d, "objects[3].name", "\"\xC3\xA9\"", &why), MST_ARGUMENT);
        /* objects of 32767 bytes, and no larger: by one text, and by what is in an inventory */
        mst_close(d);
        d = open_named(&w, NAME);
        uint64_t offset, length;
        mst_value value = find(d, "objects[5]");
        mst_value_span(&value, &offset, &length);
        size_t header = version >= 14 ? 12 : 10, empty = (size_t)length - header - strlen(r.objects[5].text);
        for (int more = 1; more >= 0; more--) {
            size_t size = 32767 - empty + (size_t)more;
            memset(text, 't', size + 1);
            text[0] = text[size + 1] = '"';
            text[size + 2] = 0;
            mst_status status = mst_set(d, "objects[5].text", text, &why);
            assert_int_equal(status, more ? MST_REFUSED : MST_OK);
        }
        assert_round_trips(d);
        free(text);
        /* what the tables say must be */
        static const struct {
            const char *path, *json;
            mst_status status;
        } cases[] = {{"version", "9", MST_REFUSED},
                     {"magic", "\"PAM \"", MST_REFUSED},
                     {"object_count", "1", MST_REFUSED},
                     {"objects[0].size_1", "1", MST_REFUSED},
                     {"objects[0].class", "\"dragon\"", MST_ARGUMENT},
                     {"objects[0].class", "40000", MST_ARGUMENT},
                     {"objects[0].state", "70000", MST_ARGUMENT},
                     {"objects[0].wings", "1", MST_NO_PATH},
                     {"objects[0].velocity", "[1,2,3]", MST_NO_PATH},
                     {"objects[3].stats[0].id", "\"LONGER\"", MST_ARGUMENT},
                     {"objects[99].name", "\"x\"", MST_NO_PATH}};
        size_t size;
        const void *bytes = mst_document_bytes(d, &size);
        uint8_t *before = malloc(size);
        assert_non_null(before);
        memcpy(before, bytes, size);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            mst_status status = mst_set(d, cases[i].path, cases[i].json, &why);
            if (status != cases[i].status)
                print_error("%s=%s: %s\n", cases[i].path, cases[i].json, mst_status_text(status));
            assert_int_equal(status, cases[i].status);
            assert_same_bytes(d, before, size);
        }
        free(before);
        mst_close(d);
        writer_free(&w);
    }
}

/* ---- conversions -------------------------------------------------------------------------------- */

/* What a sector is to be in version 15. */
static void as_15(sector_source *to, const sector_source *from, uint32_t version);

static void object_as_15(sector_object *o, uint32_t version) {
    if (o->empty)
        return;
    if (o->class_number == SECTOR_PLAYER) {
        *o = (sector_object){.empty = true};
        return;
    }
    bool character = o->class_number == SECTOR_CHARACTER;
    if (version < 8) {
        o->object_version = character ? 4 : 0;
        o->complex_version = 1;
        o->instance_version = 0;
        memset(o->recovery_times, 0, sizeof o->recovery_times);
        o->last_poison = -1;
        for (int i = 0; i < 4; i++)
            o->teleport[i] = -1;
    }
    if (version < 7) {
        o->action = 1;
        o->root_state = "still";
    }
    if (version < 6)
        o->level = 0;
    if (version < 5) {
        o->group = o->stat_count = 0;
        o->frame = 0;
        o->frame_rate = 1;
    }
    if (version < 3) {
        o->rotation[0] = o->rotation[1] = 0;
        o->rotation[2] = o->facing;
        o->inventory_index = -1;
        o->map_index = -1;
        o->inventory_count = 0;
    }
    o->has_inventory = false;
    if (version < 4)
        o->tail_size = 0;
}

static void as_15(sector_source *to, const sector_source *from, uint32_t version) {
    *to = *from;
    to->s.objects = to->objects;
    for (size_t i = 0; i < SECTOR_MANY; i++) {
        if (to->objects[i].inventory == from->bag)
            to->objects[i].inventory = to->bag;
        object_as_15(&to->objects[i], version);
    }
    for (size_t i = 0; i < 3; i++) {
        if (to->bag[i].inventory == from->purse)
            to->bag[i].inventory = to->purse;
        object_as_15(&to->bag[i], version);
    }
    for (size_t i = 0; i < 2; i++)
        object_as_15(&to->purse[i], version);
    to->s.version = 15;
    to->s.trailing_size = 0;
    to->s.prose = false;
}

static void print_losses(uint32_t from, uint32_t to, const findings *list) {
    print_error("version %u to %u:\n", from, to);
    print_findings(list);
}

static bool loses(const findings *list, const char *path) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return true;
    return false;
}

/* From versions 1 to 8 to 15: what is kept, filled in, and lost. */
static void up_to_15(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 8; version++) {
        sector_source r, expected;
        full_sector(&r, version);
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = "0123456789";
        r.objects[8].player_size = 10;
        r.s.trailing = "left";
        r.s.trailing_size = 4;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.version = 15, .has_version = 1};
        assert_int_equal(mst_convert(d, &options, collect, &list, &made, &why), MST_REFUSED);
        assert_null(made);
        assert_true(why.message[0] != 0);
        /* by the description: health below 5, locks, amounts, below 3 its unknowns, players, trailing bytes
         */
        size_t wanted = 2;
        wanted += version < 5;                         /* Locke's health */
        wanted += version < 3 ? 3 : 0;                 /* his unknown fields */
        wanted += version >= 2 && version < 5 ? 4 : 0; /* locks of gate and chest */
        wanted += version >= 3 && version < 5 ? 2 + 1 + 1 : 0 /* the purse and its content */;
        if (list.count != wanted)
            print_losses(version, 15, &list);
        assert_int_equal(list.count, wanted);
        assert_true(loses(&list, "trailing"));
        assert_true(loses(&list, "objects[8]"));
        assert_int_equal(loses(&list, "objects[3].health"), version < 5);
        assert_int_equal(loses(&list, "objects[3].first_item"), version < 3);
        assert_int_equal(loses(&list, "objects[4].locked"), version >= 2 && version < 5);
        assert_int_equal(loses(&list, "objects[3].inventory[2].inventory[0].amount_minus_1"),
                         version >= 3 && version < 5);
        for (size_t i = 0; i < list.count; i++) {
            assert_int_equal(list.items[i].severity, MST_WARNING);
            mst_value value;
            MUST(mst_find(mst_root(d), list.items[i].path, &value, &why), &why);
            uint64_t offset, length;
            mst_value_span(&value, &offset, &length);
            assert_int_equal(list.items[i].offset, offset);
            assert_int_equal(list.items[i].length, length);
        }
        findings_free(&list);
        options.allow_loss = 1;
        options.name = "44_3_5.DAT";
        MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
        assert_int_equal(list.count, wanted);
        as_15(&expected, &r, version);
        right_hash(&expected.s);
        assert_is_sector(made, &expected.s);
        assert_round_trips(made);
        assert_int_equal(mst_document_version(made), 15);
        mst_close(made);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* Nothing is lost where there is nothing to lose. */
static void up_without_loss(void **state) {
    (void)state;
    for (uint32_t version = 5; version <= 13; version++) {
        sector_source r;
        full_sector(&r, version);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made, *back;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.version = 15, .has_version = 1};
        mst_status status = mst_convert(d, &options, collect, &list, &made, &why);
        if (status != MST_OK)
            print_losses(version, 15, &list);
        MUST(status, &why);
        assert_int_equal(list.count, 0);
        assert_round_trips(made);
        /* and back again: all is as it was, even where what was made up has no place */
        options.version = version;
        MUST(mst_convert(made, &options, collect, &list, &back, &why), &why);
        assert_int_equal(list.count, 0);
        assert_same_bytes(back, w.data, w.size);
        assert_round_trips(back);
        mst_close(back);
        mst_close(made);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* Before version 6 all things have a velocity, and in 5 a frame: of those that may not, it is lost. */
static void up_with_velocities(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 5; version++) {
        sector_source r;
        full_sector(&r, version);
        r.objects[0].velocity[1] = 5;
        r.objects[0].frame = 3;
        r.objects[4].frame_rate = 7;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.version = 15, .has_version = 1};
        assert_int_equal(mst_convert(d, &options, collect, &list, &made, &why), MST_REFUSED);
        assert_true(loses(&list, "objects[0].velocity"));
        assert_false(loses(&list, "objects[3].velocity"));
        assert_int_equal(loses(&list, "objects[0].frame"), version == 5);
        assert_int_equal(loses(&list, "objects[4].frame_rate"), version == 5);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* To older versions: the list of losses, each with its path. */
static void down(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint32_t below; /* lost in versions below this */
    } lost[] = {
        {"objects[2].frame", 5},
        {"objects[3].stats", 5},
        {"objects[3].group", 5},
        {"objects[3].level", 6},
        {"objects[3].action", 7},
        {"objects[3].root_state", 7},
        {"objects[3].recovery_times", 8},
        {"objects[3].teleport_level", 8},
        {"objects[3].inventory", 3},
        {"objects[0].map_index", 3},
        {"objects[7].unknown_tail", 4},
        {"objects[7].inventory_tail", 4},
        {"objects[3].instance_version", 8},
        {"objects[4].level", 6},
    };
    for (uint32_t from = 14; from <= 15; from++)
        for (uint32_t to = 1; to < 15; to++) {
            if (to == from)
                continue;
            sector_source r;
            full_sector(&r, from);
            r.objects[2].rotation[2] = 0;
            right_hash(&r.s);
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME), *made;
            mst_diagnostic why;
            findings list = {0};
            mst_convert_options options = {.version = to, .has_version = 1, .allow_loss = 1};
            mst_status status = mst_convert(d, &options, collect, &list, &made, &why);
            if (status != MST_OK)
                print_error("version %u to %u\n", from, to);
            MUST(status, &why);
            assert_int_equal(mst_document_version(made), to);
            assert_round_trips(made);
            for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
                if (loses(&list, lost[i].path) != (to < lost[i].below)) {
                    print_error("%s\n", lost[i].path);
                    print_losses(from, to, &list);
                }
                assert_int_equal(loses(&list, lost[i].path), to < lost[i].below);
            }
            for (size_t i = 0; i < list.count; i++) {
                mst_value value;
                mst_status led = mst_find(mst_root(d), list.items[i].path, &value, &why);
                MUST(led, &why);
            }
            assert_int_equal(number_at(made, "objects[3].position[0]"), 3 * 1024 + 10);
            assert_json_of(made, "objects[3].name", "\"Locke\"\n");
            if (to < 3)
                assert_int_equal(number_at(made, "objects[3].facing"), 0);
            mst_document *none;
            options.allow_loss = 0;
            mst_status strict = mst_convert(d, &options, NULL, NULL, &none, &why);
            assert_int_equal(strict, list.count ? MST_REFUSED : MST_OK);
            if (strict == MST_OK)
                mst_close(none);
            findings_free(&list);
            mst_close(made);
            mst_close(d);
            writer_free(&w);
        }
}

static void refused(void **state) {
    (void)state;
    static uint8_t tail[32767];
    sector_source r;
    mst_document *d, *made;
    mst_diagnostic why;
    mst_convert_options options = {.version = 15, .has_version = 1, .allow_loss = 1};
    /* an object of version 8 that is as large as can be grows by a byte in version 15 */
    full_sector(&r, 8);
    writer probe = written(&r.s);
    size_t body = mst_load16(probe.data + mark_of(&probe, "objects[6].unique_id")->offset + 4, false);
    writer_free(&probe);
    for (size_t over = 0; over < 8; over++) {
        full_sector(&r, 8);
        r.objects[6].tail = tail;
        r.objects[6].tail_size = 32767 - body - over;
        writer w = written(&r.s);
        d = open_named(&w, NAME);
        mst_status status = mst_convert(d, &options, NULL, NULL, &made, &why);
        /* its count of no inventory goes (4), its state widens (1) */
        assert_int_equal(status, MST_OK);
        mst_close(made);
        mst_close(d);
        writer_free(&w);
    }
    full_sector(&r, 3); /* which has no sizes */
    char *text = malloc(33000);
    assert_non_null(text);
    memset(text, 't', 32999);
    text[32999] = 0;
    r.objects[5].text = text;
    writer w = written(&r.s);
    d = open_named(&w, NAME);
    for (uint32_t to = 4; to <= 15; to++) {
        options.version = to;
        assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_REFUSED);
        assert_null(made);
        assert_true(why.message[0] != 0);
    }
    options.version = 2;
    MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
    mst_close(made);
    mst_close(d);
    writer_free(&w);
    free(text);
    /* versions that are not there */
    full_sector(&r, 8);
    w = written(&r.s);
    d = open_named(&w, NAME);
    options.version = 16;
    assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_ARGUMENT);
    options.version = 0;
    assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    mst_convert_options big = {.byte_order = "big"};
    assert_int_equal(mst_convert(d, &big, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&w);
}

/* Between versions with two sizes a player stays, whatever it stores. */
static void players_stay(void **state) {
    (void)state;
    for (uint32_t from = 14; from <= 15; from++) {
        sector_source r;
        good_sector(&r, from);
        r.objects[6].has_inventory = r.objects[7].has_inventory = false; /* one of nothing is let go */
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = "0123456789";
        r.objects[8].player_size = 10;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        mst_convert_options options = {.version = 29 - from, .has_version = 1};
        MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
        r.s.version = 29 - from;
        mst_value hash = find(made, "state_hash");
        uint64_t stored = 0;
        MUST(mst_get_unsigned(&hash, &stored), NULL);
        r.s.state_hash = (uint32_t)stored;
        assert_is_sector(made, &r.s);
        mst_close(made);
        mst_close(d);
        writer_free(&w);
    }
    /* below, a player is an object like others */
    for (uint32_t to = 5; to <= 15; to++) {
        sector_source r;
        full_sector(&r, 4);
        r.objects[8].class_number = SECTOR_PLAYER;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.version = to, .has_version = 1, .allow_loss = 1};
        MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
        assert_int_equal(loses(&list, "objects[8]"), to >= 8);
        assert_int_equal(has(made, "objects[8].name"), to < 8);
        findings_free(&list);
        mst_close(made);
        mst_close(d);
        writer_free(&w);
    }
}

/* A report of losses that has heard enough, and memory that does not last. */
static void conversions_that_end_early(void **state) {
    (void)state;
    static const uint32_t versions[][2] = {{15, 1}, {15, 3}, {4, 15}, {15, 6}, {8, 5}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        sector_source r;
        full_sector(&r, versions[i][0]);
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = "0123456789";
        r.objects[8].player_size = 10;
        r.objects[3].root_state = "stand"; /* as long as the default one */
        r.objects[3].state = 300;
        r.s.trailing = "left";
        r.s.trailing_size = 4;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        mst_convert_options options = {.version = versions[i][1], .has_version = 1, .allow_loss = 1};
        findings list = {0};
        MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
        mst_close(made);
        if (versions[i][0] == 15 && versions[i][1] < 7)
            assert_true(loses(&list, "objects[3].root_state"));
        for (size_t at = 0; at < list.count; at++) {
            stopping s = {.at = at};
            assert_int_equal(mst_convert(d, &options, stop_at, &s, &made, &why), MST_STOPPED);
            assert_int_equal(s.heard, at + 1);
            assert_null(made);
        }
        assert_true(list.count > 2);
        findings_free(&list);
        mst_close(d);
        for (size_t fail_at = 1;; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {.name = NAME, .allocator = counted_allocator(&memory)};
            MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            mst_status status = mst_convert(d, &options, NULL, NULL, &made, &why);
            bool failed = memory.failed;
            memory.fail_at = 0;
            assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
            mst_close(made);
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
            if (!failed)
                break;
        }
        writer_free(&w);
    }
    /* one thing is one thing */
    sector_source r;
    full_sector(&r, 8);
    r.s.trailing = "left";
    r.s.trailing_size = 4;
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME), *made;
    mst_diagnostic why;
    mst_convert_options options = {.version = 15, .has_version = 1};
    assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_REFUSED);
    assert_string_equal(why.message, "1 value would be lost in version 15");
    mst_close(d);
    writer_free(&w);
}

/* Deep inventories convert, too. */
static void deep_conversions(void **state) {
    (void)state;
    writer w = {0};
    deep(3, sample_step() > 1 ? 100 : 400, &w);
    mst_document *d = open_named(&w, NAME), *made;
    mst_diagnostic why;
    for (uint32_t to = 1; to <= 15; to++) {
        mst_convert_options options = {.version = to, .has_version = 1, .allow_loss = 1};
        MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
        assert_encodes(made);
        mst_close(made);
    }
    mst_close(d);
    writer_free(&w);
}

static void every_code_has_a_case(void **state) {
    (void)state;
    static const char *const elsewhere[] = {"REV-NESTING", "REV-V0-LAYOUT", "REV-MAGIC"};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version),
        cmocka_unit_test(one_value),
        cmocka_unit_test(texts_and_names),
        cmocka_unit_test(inventories),
        cmocka_unit_test(players),
        cmocka_unit_test(unknown_tails),
        cmocka_unit_test(bodies_without_an_inventory),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(version_0),
        cmocka_unit_test(every_finding),
        cmocka_unit_test(findings_stop),
        cmocka_unit_test(definitions_that_say_little),
        cmocka_unit_test(definitions_are_recalled),
        cmocka_unit_test(names_and_places),
        cmocka_unit_test(damaged_objects_are_passed_over),
        cmocka_unit_test(any_damage_is_told_where_it_is),
        cmocka_unit_test(players_stay),
        cmocka_unit_test(conversions_that_end_early),
        cmocka_unit_test(what_is_legal),
        cmocka_unit_test(nesting_is_told),
        cmocka_unit_test(older_form),
        cmocka_unit_test(errors),
        cmocka_unit_test(marks),
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(hash_follows),
        cmocka_unit_test(hash_of_another_place),
        cmocka_unit_test(hash_of_long_records),
        cmocka_unit_test(flags_make_fields),
        cmocka_unit_test(other_edits),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(up_to_15),
        cmocka_unit_test(up_without_loss),
        cmocka_unit_test(up_with_velocities),
        cmocka_unit_test(down),
        cmocka_unit_test(refused),
        cmocka_unit_test(deep_conversions),
        cmocka_unit_test(every_code_has_a_case),
    };
    return cmocka_run_group_tests(tests, look_what_there_is, NULL);
}
