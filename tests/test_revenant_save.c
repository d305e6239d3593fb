/* SPDX-License-Identifier: MIT */
/* Revenant: saved games, built byte by byte from published descriptions. */
#include "documents.h"

static void put_string(writer *w, const char *text, uint8_t high) {
    put_u8(w, (uint8_t)strlen(text));
    for (; *text; text++)
        put_u8(w, (uint8_t)((uint8_t)*text | high));
}

static void put_zeros(writer *w, size_t count) {
    while (count--)
        put_u8(w, 0);
}

/* A carried thing: an item of version 15. */
static void put_item(writer *w) {
    put_u16(w, 0), put_u16(w, 0);
    put_u32(w, 0x10000000);
    put_u16(w, 43), put_u16(w, 0); /* sizes */
    put_string(w, "gem", 0x80);
    put_u32(w, 1); /* immobile */
    put_zeros(w, 12);
    put_u16(w, 0);
    put_u16(w, 5), put_u16(w, 0);
    put_u32(w, UINT32_MAX);
    put_zeros(w, 3);
    put_u32(w, 77);
    put_zeros(w, 2);
    put_zeros(w, 4); /* a tail */
}

/* The fields before a player's own data; all flags that add fields, except the velocity. */
static void put_character(writer *w) {
    put_u8(w, 4), put_u8(w, 1), put_u8(w, 0); /* versions */
    put_string(w, "Locke", 0x80);
    put_u32(w, 1 | 4 | 1 << 14 | 1 << 19);
    put_u32(w, 100), put_u32(w, 200), put_u32(w, 30);
    put_u16(w, 2);  /* state */
    put_u16(w, 44); /* level */
    put_u16(w, 0xFFFF), put_u16(w, 0xFFFF);
    put_u32(w, UINT32_MAX);
    put_u8(w, 0), put_u8(w, 0), put_u8(w, 64);
    put_u32(w, 4711);             /* map_index */
    put_u16(w, 3), put_u16(w, 1); /* frame */
    put_u8(w, 9);                 /* group */
    put_u8(w, 1);
    put_u32(w, 180);
    for (const char *c = "HLT"; *c; c++)
        put_u8(w, (uint8_t)(*c | 0x80));
    put_u8(w, 0x80);
    put_zeros(w, 19); /* light */
    put_u8(w, 3);
    put_string(w, "combat", 0);
    for (uint32_t i = 1; i <= 3; i++)
        put_u32(w, i * 1000);
    for (int i = 0; i < 5; i++)
        put_u32(w, UINT32_MAX);
}

/* Its own data, by its form. */
static void put_own(writer *w, int form) {
    if (form >= 4)
        for (int i = 0; i < 5; i++)
            put_string(w, i ? "" : "IGNIS", 0);
    if (form >= 5) {
        put_u32(w, 2);
        for (int i = 0; i < 2; i++) {
            put_bytes_of(w, "ABCDEF", 6);
            if (form >= 6 && form <= 8)
                put_u32(w, 88);
        }
    }
    if (form >= 7)
        put_u32(w, 1), put_u32(w, 2), put_u32(w, 3), put_u32(w, 4);
    if (form >= 8)
        put_u32(w, 5), put_u32(w, 6), put_u32(w, 7);
    if (form == 10)
        put_zeros(w, 50);
    if (form >= 11) {
        put_string(w, "me", 0), put_string(w, "id", 0);
        for (int i = 0; i < (form >= 13 ? 3 : 1); i++)
            put_u32(w, (uint32_t)(50 + i));
        put_string(w, "ahkuilon", 0);
    }
    if (form >= 13) {
        put_u32(w, 6), put_u32(w, 123456);
        for (int i = 0; i < 4; i++)
            put_string(w, "said", 0);
        for (int i = 0; i < (form >= 15 ? 4 : 2); i++)
            put_u32(w, (uint32_t)(60 + i));
    }
    if (form >= 14) {
        put_string(w, "ahkuilon", 0);
        put_u32(w, 1);
        put_u32(w, 44), put_u32(w, 2), put_u16(w, 0xFFFF), put_u16(w, 7);
    }
}

static void put_player(writer *w, int form) {
    size_t start = w->size;
    put_u16(w, (uint16_t)form), put_u16(w, 11);
    put_u32(w, 0x2000000B);
    put_u32(w, 0); /* sizes */
    put_character(w);
    put_own(w, form);
    size_t inventory = w->size;
    put_u32(w, 1);
    put_item(w);
    mst_store16(w->data + start + 8, (uint16_t)(w->size - start - 12), false);
    mst_store16(w->data + start + 10, (uint16_t)(w->size - inventory), false);
}

/* Ends before the list of players. */
static void put_header(writer *w, bool multiplayer) {
    put_u32(w, 99000);
    put_zeros(w, 16);
    put_u32(w, multiplayer);
    put_u32(w, 2), put_u32(w, 15);
    put_bytes_of(w, "ahkuilon", 8);
    put_zeros(w, 24 + 64);
    assert_int_equal(w->size, 128);
    put_zeros(w, multiplayer ? 512 : 0);
    put_u32(w, 1);
    put_string(w, "GateOpen", 0x80);
    put_u32(w, 3);
    put_u32(w, 1);
    put_u32(w, 21), put_u32(w, 22);
}

static mst_document *open_save(const writer *w) {
    mst_document *d = open_named(w, "newGame.SAV");
    assert_string_equal(mst_document_format(d)->id, "revenant-save");
    return d;
}

static void assert_text(const mst_document *d, const char *path, const char *wanted) {
    mst_value value;
    mst_diagnostic why;
    char text[64];
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, wanted);
}

static void assert_findings(const mst_document *d, const char *code) {
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, code != NULL);
    if (code)
        assert_string_equal(list.items[0].code, code);
    findings_free(&list);
}

static void players(void **state) {
    (void)state;
    for (int form = 3; form <= 15; form++) {
        writer w = {0};
        put_header(&w, form % 2 == 0);
        put_u32(&w, 2);
        put_player(&w, form);
        put_u16(&w, 0xFFFF); /* no target */
        mst_document *d = open_save(&w);
        assert_round_trips(d);
        assert_findings(d, NULL);
        assert_int_equal(number_at(d, "game_time"), 99000);
        assert_text(d, "module", "ahkuilon");
        assert_text(d, "states[0].name", "GateOpen");
        assert_int_equal(number_at(d, "sold[0].numbers[1]"), 22);
        assert_text(d, "players[0].name", "Locke");
        assert_int_equal(number_at(d, "players[0].level"), 44);
        assert_int_equal(number_at(d, "players[0].teleport_level"), -1);
        assert_text(d, "players[0].inventory[0].name", "gem");
        assert_int_equal(has(d, "players[0].quick_spells"), form >= 4);
        assert_int_equal(has(d, "players[0].known_spells"), form >= 5);
        assert_int_equal(has(d, "players[0].known_spells[0].unknown"), form >= 6 && form <= 8);
        assert_int_equal(has(d, "players[0].identity"), form == 10);
        assert_int_equal(has(d, "players[0].automap"), form >= 14);
        if (form >= 8)
            assert_int_equal(number_at(d, "players[0].level_up_statistics[2]"), 7);
        if (form >= 11)
            assert_text(d, "players[0].module", "ahkuilon");
        if (form >= 13) {
            assert_int_equal(number_at(d, "players[0].identity_numbers[2]"), 52);
            assert_int_equal(number_at(d, "players[0].state_time"), 123456);
            assert_text(d, "players[0].profile[3]", "said");
        }
        if (form == 15) {
            assert_int_equal(number_at(d, "players[0].kills[3]"), 63);
            assert_text(d, "players[0].quick_spells[0]", "IGNIS");
            assert_int_equal(number_at(d, "players[0].automap.levels[0].seen[1]"), 7);
            mst_diagnostic why;
            MUST(mst_set(d, "players[0].quick_spells[1]", "LUX", &why), &why);
            MUST(mst_remove(d, "players[0].automap.levels[0]", &why), &why);
            assert_text(d, "players[0].quick_spells[1]", "LUX");
            assert_text(d, "players[0].inventory[0].name", "gem");
            assert_round_trips(d);
        }
        mst_close(d);
        writer_free(&w);
    }
}

/* Bytes after the known fields of a player, and after the things that it carries. */
static void tails(void **state) {
    (void)state;
    static const char *const paths[] = {"players[0].unknown_tail", "players[0].inventory_tail"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        writer w = {0};
        put_header(&w, false);
        put_u32(&w, 1);
        put_player(&w, 15);
        mst_document *d = open_save(&w);
        mst_diagnostic why;
        MUST(mst_set(d, paths[i], "\"C0FFEE\"", &why), &why);
        assert_round_trips(d);
        findings list = {0};
        MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, "REV-SAVE-TAIL");
        assert_string_equal(list.items[0].path, paths[i]);
        assert_string_equal(list.items[0].found, "3 bytes");
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* A player in another form is kept, and so are the bytes after the players. */
static void odd_ones(void **state) {
    (void)state;
    writer w = {0};
    put_header(&w, false);
    put_u32(&w, 1);
    put_u16(&w, 15), put_u16(&w, 11);
    put_u32(&w, 1);
    put_u16(&w, 8), put_u16(&w, 0);
    for (uint8_t i = 0; i < 8; i++)
        put_u8(&w, (uint8_t)(0xF0 + i));
    mst_document *d = open_save(&w);
    assert_round_trips(d);
    assert_findings(d, "REV-SAVE-PLAYER");
    assert_true(has(d, "players[0].data"));
    mst_close(d);
    writer_free(&w);
    w = (writer){0};
    put_header(&w, false);
    put_u32(&w, 0);
    put_u8(&w, 1);
    d = open_save(&w);
    assert_round_trips(d);
    assert_findings(d, "REV-SAVE-TRAILING");
    mst_close(d);
    writer_free(&w);
}

/* Truncated anywhere, and files that are not saved games. */
static void refused(void **state) {
    (void)state;
    writer w = {0};
    put_header(&w, false);
    put_u32(&w, 1);
    put_player(&w, 15);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = "game.sav"};
    static const char *const codes[] = {"REV-SAVE-OVERRUN", "REV-SAVE-COUNT"};
    for (size_t size = 128; size < w.size; size++) {
        assert_int_equal(mst_open_memory(w.data, size, &options, &d, &why), MST_DAMAGED);
        assert_true(strcmp(why.code, codes[0]) == 0 || strcmp(why.code, codes[1]) == 0);
    }
    options.name = "other.sav";
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_UNKNOWN);
    options.name = "game.sav";
    assert_int_equal(mst_open_memory(w.data, 30, &options, &d, &why), MST_UNKNOWN);
    mst_store32(w.data + 0x1C, 16, false);
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "REV-SAVE-VERSION");
    /* whatever its name, as in an edit or when the format is given */
    options.name = "other.sav";
    options.format = "revenant-save";
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "REV-SAVE-VERSION");
    options.name = "game.sav";
    options.format = NULL;
    mst_store32(w.data + 0x18, 3, false);
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_UNKNOWN);
    writer_free(&w);
}

int test_revenant_save(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players),
        cmocka_unit_test(tails),
        cmocka_unit_test(odd_ones),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
