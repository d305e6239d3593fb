/* SPDX-License-Identifier: MIT */
/* Edits of sectors, saving of damaged ones, and the hash that is updated. */
#include "revenant_documents.h"
#include "stopping.h"
#include "together.h"

/* ---- saving -------------------------------------------------------------------------------------- */

/* A damaged object leaves an empty slot; the others are present. */
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
        mst_open_options options = {
            .size = sizeof options, .name = NAME, .salvage = 1, .report = collect, .report_user = &list};
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        assert_int_equal(list.count > 0, true);
        assert_string_equal(list.items[0].code, "REV-OVERRUN");
        assert_int_equal(strncmp(list.items[0].path, "objects[2].", 11), 0);
        assert_true(list.items[0].offset >= body && list.items[0].offset <= w.size);
        assert_false(has(d, "objects[2].name"));
        assert_json_at(d, "objects[3].name", "\"Locke\"");
        findings_free(&list);
        mst_close(d);
        /* without a report function */
        options.report = NULL;
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        assert_json_at(d, "objects[4].name", "\"gate\"");
        mst_close(d);
        /* the caller stops early */
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
        mst_value objects = value_at(d, "objects");
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
            mst_open_options options = {
                .size = sizeof options, .name = NAME, .salvage = 1, .report = collect, .report_user = &list};
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
    assert_int_equal(list.items[0].offset, 4); /* of the first object */
    assert_int_equal(list.items[0].severity, MST_WARNING);
    assert_round_trips(d);
    findings_free(&list);
    mst_close(d);
}

/* ---- the state hash ----------------------------------------------------------------------------- */

static uint32_t hash_of(const mst_document *d) {
    return (uint32_t)number_at(d, "state_hash");
}

static void hash_follows(void **state) {
    (void)state;
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
                /* tiles are ignored, and so are the things that characters carry */
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
                /* and so is the number of all objects */
                MUST(mst_remove(d, "objects[8]", &why), &why);
                r.s.object_count--;
                assert_int_equal(hash_of(d), sector_hash(&r.s, 44, 3, 5));
                /* a hash that is set is kept until then */
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
            mst_convert_options options = {.size = sizeof options, .name = places[i].name};
            MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
            assert_string_equal(mst_document_name(made), places[i].name);
            /* the positions are updated: the sector's corner, and the place in it */
            sector_source moved = r;
            moved.s.objects = moved.objects;
            for (size_t o = 0; o < r.s.object_count; o++) {
                moved.objects[o].position[0] = places[i].x * 1024 + (r.objects[o].position[0] & 1023);
                moved.objects[o].position[1] = places[i].y * 1024 + (r.objects[o].position[1] & 1023);
            }
            moved.s.state_hash = sector_hash(&moved.s, places[i].level, places[i].x, places[i].y);
            assert_is_sector(made, &moved.s);
            mst_close(made);
        }
        /* the same name, or one that is not a sector's: unchanged */
        static const char *const names[] = {NAME, "copy.dat", NULL};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            mst_convert_options options = {.size = sizeof options, .name = names[i]};
            MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
            assert_int_equal(hash_of(made), before);
            assert_same_bytes(made, w.data, w.size);
            mst_close(made);
        }
        mst_close(d);
        writer_free(&w);
    }
}

/* A long record requires reducing the sums on the way; a player counts as two bytes. */
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
                /* the new fields are zero */
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
            if (version >= 3) { /* the enclosing objects' sizes are updated, one of which has two */
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
            r.objects[4].first_item++; /* the named slots have moved; from version 3 on it names none */
            r.objects[4].next_item++;
            right_hash(&r.s);
            assert_is_sector(d, &r.s);
            MUST(mst_remove(d, "objects[2]", &why), &why);
            memmove(r.objects + 2, r.objects + 3, (r.s.object_count - 3) * sizeof *r.objects);
            r.s.object_count--;
            r.objects[3].first_item--;
            r.objects[3].next_item--;
            right_hash(&r.s);
            assert_is_sector(d, &r.s);
            assert_round_trips(d);
            mst_close(d);
            writer_free(&w);
        }
}

static void what_cannot_be(void **state) {
    (void)state;
    for (uint32_t version = 8; version <= 15; version += 7) {
        sector_source r;
        full_sector(&r, version);
        right_hash(&r.s);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME);
        mst_diagnostic why;
        char *text = malloc(70000);
        assert_non_null(text);
        /* names of 255 bytes, but no longer */
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
        /* objects of 32767 bytes, but no larger: by one text, and by an inventory */
        mst_close(d);
        d = open_named(&w, NAME);
        uint64_t offset, length;
        mst_value value = value_at(d, "objects[5]");
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
        /* requirements of the tables */
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

/* ---- consequences of edits ---------------------------------------------------------------------- */

/* The report of an edit: the number of lines, and the last one with each severity. */
typedef struct said {
    size_t lines;
    char path[4][512];
} said;

static mst_status hear(void *user, const mst_diagnostic *what) {
    said *s = user;
    s->lines++;
    snprintf(s->path[what->severity], sizeof s->path[0], "%s", what->path);
    return MST_OK;
}

static mst_status remove_it(mst_document *d, const char *path, bool cascade, said *s, mst_diagnostic *why) {
    mst_operation one = {.kind = MST_OPERATION_REMOVE, .path = path};
    mst_edit_options options = {.size = sizeof options, .cascade = cascade, .report = hear, .user = s};
    memset(s, 0, sizeof *s);
    return mst_edit(d, &one, 1, &options, why);
}

/* inventory_index is the place in the list (revenant.md 4.1); other values are kept. */
static void places_in_inventories_follow(void **state) {
    (void)state;
    for (uint32_t version = 3; version <= 15; version++) {
        sector_source r;
        full_sector(&r, version);
        r.bag[0].inventory_index = 0;
        r.bag[2].inventory_index = 2;
        r.purse[0].inventory_index = 0;
        r.purse[1].inventory_index = 1;
        right_hash(&r.s);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME);
        mst_diagnostic why;
        char *arrows = json_at(d, "objects[3].inventory[2].inventory[1]"),
             *axe = json_at(d, "objects[3].inventory[0]");
        /* a copy at the beginning and in the middle of nested ones, then removed */
        MUST(mst_insert(d, "objects[3].inventory[2].inventory[0]", arrows, &why), &why);
        assert_int_equal(number_at(d, "objects[3].inventory[2].inventory[0].inventory_index"), 0);
        assert_int_equal(number_at(d, "objects[3].inventory[2].inventory[1].inventory_index"), 1);
        assert_int_equal(number_at(d, "objects[3].inventory[2].inventory[2].inventory_index"), 2);
        MUST(mst_remove(d, "objects[3].inventory[2].inventory[0]", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        MUST(mst_insert(d, "objects[3].inventory[1]", axe, &why), &why);
        assert_int_equal(number_at(d, "objects[3].inventory[1].inventory_index"), 1);
        assert_int_equal(number_at(d, "objects[3].inventory[3].inventory_index"), 3);
        assert_int_equal(number_at(d, "objects[3].inventory[3].inventory[1].inventory_index"), 1);
        MUST(mst_remove(d, "objects[3].inventory[0]", &why), &why);
        assert_int_equal(number_at(d, "objects[3].inventory[0].inventory_index"), 0);
        assert_int_equal(number_at(d, "objects[3].inventory[2].inventory_index"), 2);
        assert_round_trips(d);
        mst_close(d);
        /* numbers that are not places are kept, and a new one is used as given */
        r.purse[0].inventory_index = r.purse[1].inventory_index = -1;
        r.bag[2].inventory_index = 7;
        right_hash(&r.s);
        writer odd = written(&r.s);
        d = open_named(&odd, NAME);
        MUST(mst_insert(d, "objects[3].inventory[2].inventory[1]", arrows, &why), &why);
        for (int k = 0; k < 3; k++) {
            char path[80];
            snprintf(path, sizeof path, "objects[3].inventory[2].inventory[%d].inventory_index", k);
            assert_int_equal(number_at(d, path), k == 1 ? 1 : -1);
        }
        MUST(mst_remove(d, "objects[3].inventory[1]", &why), &why);
        assert_int_equal(number_at(d, "objects[3].inventory[1].inventory_index"), 7);
        mst_close(d);
        free(arrows);
        free(axe);
        writer_free(&w);
        writer_free(&odd);
    }
}

/* Objects inserted together get the numbers that each would get alone, without duplicates. */
static void objects_together(void **state) {
    (void)state;
    static const char *const scripts[] = {
        "duplicate objects[3]\nduplicate objects[3]\nduplicate objects[3] to 0\nduplicate objects[0]",
        ("duplicate objects[0] to 0\nduplicate objects[0] to 0\nobjects[1].name = \"Nothing\"\n"
         "duplicate objects[1] to 0\nremove objects[2]\nduplicate objects[-1] to 1"),
    };
    for (uint32_t version = 0; version <= 15; version++)
        for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
            sector_source r;
            full_sector(&r, version);
            right_hash(&r.s);
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME), *alone = open_named(&w, NAME);
            assert_same_together(d, alone, scripts[i]);
            mst_value objects = value_at(d, "objects");
            uint64_t count = mst_count(&objects);
            for (uint64_t k = 0; version >= 3 && k < count; k++)
                for (uint64_t other = 0; other < k; other++) {
                    char path[2][40];
                    snprintf(path[0], sizeof path[0], "objects[%d].map_index", (int)k);
                    snprintf(path[1], sizeof path[1], "objects[%d].map_index", (int)other);
                    if (has(d, path[0]) && has(d, path[1]) && number_at(d, path[0]) != -1)
                        assert_int_not_equal(number_at(d, path[0]), number_at(d, path[1]));
                }
            mst_close(d);
            mst_close(alone);
            writer_free(&w);
        }
}

/* From version 14 on an inventory without things is not stored (revenant.md 5). */
static void last_thing_goes(void **state) {
    (void)state;
    for (uint32_t version = 3; version <= 15; version++)
        for (int prose = 0; prose <= (version >= 14); prose++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            r.bag[0].inventory_index = 0;
            r.objects[3].inventory_count = 1;
            right_hash(&r.s);
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            mst_diagnostic why;
            char *axe = json_at(d, "objects[3].inventory[0]");
            MUST(mst_remove(d, "objects[3].inventory[0]", &why), &why);
            r.objects[3].inventory_count = 0;
            right_hash(&r.s);
            assert_is_sector(d, &r.s);
            assert_int_equal(has(d, "objects[3].inventory"), version < 14);
            MUST(mst_insert(d, "objects[3].inventory[0]", axe, &why), &why);
            assert_same_bytes(d, w.data, w.size);
            /* into one that has never had any */
            MUST(mst_insert(d, "objects[0].inventory[0]", axe, &why), &why);
            assert_int_equal(number_at(d, "objects[0].inventory[0].inventory_index"), 0);
            assert_int_equal(mst_insert(d, "objects[2].inventory[1]", axe, &why), MST_NO_PATH);
            assert_int_equal(mst_insert(d, "objects[2].wings[0]", axe, &why), MST_NO_PATH);
            MUST(mst_remove(d, "objects[0].inventory[0]", &why), &why);
            assert_same_bytes(d, w.data, w.size);
            free(axe);
            mst_close(d);
            writer_free(&w);
        }
}

/* map_index is unique (revenant.md 4.1): a copy and the things in it get numbers that are free. */
static void copies_are_numbered(void **state) {
    (void)state;
    for (uint32_t version = 3; version <= 15; version++) {
        sector_source r;
        full_sector(&r, version);
        r.objects[0].map_index = INT32_MAX;
        r.objects[2].map_index = 0;
        r.objects[3].map_index = 5;
        r.bag[0].map_index = 6;
        r.bag[2].map_index = -9;
        right_hash(&r.s);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME);
        mst_diagnostic why;
        char *locke = json_at(d, "objects[3]"), *tile = json_at(d, "objects[0]"),
             *exit = json_at(d, "objects[4]");
        MUST(mst_insert(d, "objects[0]", locke, &why), &why);
        assert_int_equal(number_at(d, "objects[0].map_index"), 7);
        assert_int_equal(number_at(d, "objects[0].inventory[0].map_index"), 8);
        assert_true(number_at(d, "objects[0].inventory[2].map_index") != -9);
        assert_int_equal(number_at(d, "objects[4].map_index"), 5);
        MUST(mst_remove(d, "objects[0]", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        MUST(mst_insert(d, "objects[2]", tile, &why), &why);
        assert_int_equal(number_at(d, "objects[2].map_index"), 1);
        MUST(mst_insert(d, "objects[0]", exit, &why), &why);
        assert_int_equal(number_at(d, "objects[0].map_index"), -1); /* which is not a number */
        free(locke);
        free(tile);
        free(exit);
        mst_close(d);
        writer_free(&w);
    }
}

/* From version 3 on a shadow is a map_index (revenant.md 3.6). */
static void shadows_are_named(void **state) {
    (void)state;
    for (uint32_t version = 3; version <= 15; version++) {
        sector_source r;
        full_sector(&r, version);
        r.objects[2].map_index = 77;
        r.objects[5].shadow = 77;
        r.objects[6].shadow = 78; /* names no object */
        right_hash(&r.s);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME);
        mst_diagnostic why;
        said heard;
        assert_int_equal(remove_it(d, "objects[2]", false, &heard, &why), MST_REFUSED);
        assert_string_equal(why.found, "objects[5].shadow");
        assert_string_equal(heard.path[MST_ERROR], "objects[5].shadow");
        assert_same_bytes(d, w.data, w.size);
        MUST(remove_it(d, "objects[2]", true, &heard, &why), &why);
        assert_int_equal(heard.lines, 1);
        assert_int_equal(number_at(d, "objects[4].shadow"), -1);
        assert_int_equal(number_at(d, "objects[5].shadow"), 78);
        mst_close(d);
        writer_free(&w);
    }
}

/* Below version 3 it is a slot, if it is in the file's own sector. */
static void shadows_are_slots(void **state) {
    (void)state;
    const int32_t own = 4 << 28 | 3 << 22 | 5 << 16, other = 4 << 28 | 3 << 22 | 6 << 16;
    for (uint32_t version = 0; version <= 2; version++) {
        sector_source r;
        full_sector(&r, version);
        r.objects[0].shadow = own | 7;
        r.objects[4].shadow = other | 7;
        r.objects[5].shadow = own | 4000; /* the slot does not exist */
        r.objects[3].first_item = r.objects[3].next_item = -1;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, "4_3_5.DAT");
        mst_diagnostic why;
        said heard;
        char *text = json_at(d, "objects[0]");
        /* numbers in an inserted object refer to the slots before the insertion */
        MUST(mst_insert(d, "objects[2]", text, &why), &why);
        assert_int_equal(number_at(d, "objects[0].shadow"), own | 8);
        assert_int_equal(number_at(d, "objects[2].shadow"), own | 8);
        assert_int_equal(number_at(d, "objects[5].shadow"), other | 7);
        assert_int_equal(number_at(d, "objects[6].shadow"), own | 4000);
        MUST(mst_remove(d, "objects[2]", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        assert_int_equal(remove_it(d, "objects[7]", false, &heard, &why), MST_REFUSED);
        assert_string_equal(why.found, "objects[0].shadow");
        MUST(remove_it(d, "objects[7]", true, &heard, &why), &why);
        assert_int_equal(number_at(d, "objects[0].shadow"), -1);
        assert_int_equal(number_at(d, "objects[4].shadow"), other | 7);
        free(text);
        mst_close(d);
        /* under a name that is not a sector's, or of a sector without such numbers, they name nothing */
        static const char *const names[] = {"lost.DAT", "44_3_5.DAT", "4_64_5.DAT", "4_3_64.DAT"};
        for (size_t i = version ? 0 : 1; /* identified by its name */ i < sizeof names / sizeof *names; i++) {
            d = open_named(&w, names[i]);
            MUST(mst_remove(d, "objects[7]", &why), &why);
            assert_int_equal(number_at(d, "objects[0].shadow"), own | 7);
            mst_close(d);
        }
        writer_free(&w);
    }
}

/* In another sector they are slots of that sector, if its numbers fit. */
static void shadows_move(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 2);
    const int32_t own = 4 << 28 | 3 << 22 | 5 << 16, other = 4 << 28 | 3 << 22 | 6 << 16;
    r.objects[0].shadow = own | 7;
    r.objects[4].shadow = other | 7;
    writer w = written(&r.s);
    mst_document *d = open_named(&w, "4_3_5.DAT"), *made;
    static const struct {
        const char *name;
        int64_t shadow, x;
    } cases[] = {{"5_63_0.DAT", (int64_t)5 << 28 | 63 << 22 | 7, 63 * 1024},
                 {"4_3_5.dat", 4 << 28 | 3 << 22 | 5 << 16 | 7, 3 * 1024},
                 {"16_1_1.DAT", 4 << 28 | 3 << 22 | 5 << 16 | 7, 1024},
                 {"4_64_1.DAT", 4 << 28 | 3 << 22 | 5 << 16 | 7, 64 * 1024},
                 {"4_1_64.DAT", 4 << 28 | 3 << 22 | 5 << 16 | 7, 1024}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_convert_options options = {.size = sizeof options, .name = cases[i].name};
        mst_diagnostic why;
        MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
        assert_int_equal(number_at(made, "objects[0].shadow"), cases[i].shadow);
        assert_int_equal(number_at(made, "objects[4].shadow"), other | 7);
        assert_int_equal(number_at(made, "objects[5].shadow"), -1);
        assert_int_equal(number_at(made, "objects[0].position[0]") & ~1023, cases[i].x);
        mst_close(made);
    }
    mst_close(d);
    writer_free(&w);
}

/* Below version 3 things are slots: they are removed with their carrier, on request. */
static void things_go_with_their_carrier(void **state) {
    (void)state;
    for (uint32_t version = 0; version <= 2; version++) {
        sector_source r;
        full_sector(&r, version);
        r.objects[3].first_item = 5;
        r.objects[3].next_item = -1;
        r.objects[5].next_item = 2;
        r.objects[2].first_item = 7;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, "4_3_5.DAT");
        mst_diagnostic why;
        said heard;
        assert_int_equal(remove_it(d, "objects[3]", false, &heard, &why), MST_REFUSED);
        assert_string_equal(why.found, "objects[5] and 1 more");
        assert_string_equal(heard.path[MST_ERROR], "objects[2]");
        assert_int_equal(heard.lines, 2);
        assert_same_bytes(d, w.data, w.size);
        MUST(remove_it(d, "objects[3]", true, &heard, &why), &why);
        assert_int_equal(heard.lines, 3); /* also the things that the second carries */
        r.s.object_count -= 4;
        sector_object left[8] = {r.objects[0], r.objects[1], r.objects[4], r.objects[6], r.objects[8]};
        for (size_t i = 0; i < 5; i++)
            r.objects[i] = left[i];
        assert_is_sector(d, &r.s);
        mst_close(d);
        /* removing only one of them links the chain to the next */
        d = open_named(&w, "4_3_5.DAT");
        MUST(remove_it(d, "objects[5]", false, &heard, &why), &why);
        assert_int_equal(number_at(d, "objects[3].first_item"), 2);
        mst_close(d);
        /* a circular chain */
        full_sector(&r, version);
        r.objects[3].first_item = 5;
        r.objects[3].next_item = -1;
        r.objects[5].next_item = 5;
        writer loop = written(&r.s);
        d = open_named(&loop, "4_3_5.DAT");
        assert_int_equal(remove_it(d, "objects[3]", false, &heard, &why), MST_REFUSED);
        MUST(remove_it(d, "objects[3]", true, &heard, &why), &why);
        mst_close(d);
        writer_free(&w);
        writer_free(&loop);
    }
}

int test_revenant_edit(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_objects_are_passed_over),
        cmocka_unit_test(any_damage_is_told_where_it_is),
        cmocka_unit_test(nesting_is_told),
        cmocka_unit_test(older_form),
        cmocka_unit_test(hash_follows),
        cmocka_unit_test(hash_of_another_place),
        cmocka_unit_test(hash_of_long_records),
        cmocka_unit_test(flags_make_fields),
        cmocka_unit_test(other_edits),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(places_in_inventories_follow),
        cmocka_unit_test(objects_together),
        cmocka_unit_test(last_thing_goes),
        cmocka_unit_test(copies_are_numbered),
        cmocka_unit_test(shadows_are_named),
        cmocka_unit_test(shadows_are_slots),
        cmocka_unit_test(shadows_move),
        cmocka_unit_test(things_go_with_their_carrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
