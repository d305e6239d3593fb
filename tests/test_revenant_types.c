/* SPDX-License-Identifier: MIT */
/*
 * Revenant: types of objects that store more than their class does: Drip, Speaker, SpikeWall, Cube,
 * BarrierCube and MonsterGen.
 */
#include "revenant_sector.h"
#include <mapstone/scene.h>

#define DRIP       0x5975ABDEu
#define SPEAKER    0x00000302u
#define SPIKE_WALL 0x84B30587u
#define NAME       "44_3_5.DAT"

static mst_document *open_bytes(const writer *w) {
    return open_named(w, NAME);
}
static bool find(const mst_document *d, const char *path, mst_value *value) {
    return mst_find(mst_root(d), path, value, NULL) == MST_OK;
}
/* One object, and a following thing that shows its end. */
typedef struct one {
    sector_object objects[2], bag[1];
    sector s;
    writer w, more;
} one;

static void begin(one *o, uint32_t version, int16_t class_number, uint32_t unique_id) {
    memset(o, 0, sizeof *o);
    o->objects[0] = sector_thing(class_number, SECTOR_IMMOBILE, "");
    o->objects[0].unique_id = unique_id;
    o->objects[1] = sector_thing(SECTOR_ITEM, SECTOR_IMMOBILE, "after");
    o->bag[0] = sector_thing(SECTOR_ITEM, SECTOR_IMMOBILE, "within");
    o->s = (sector){.version = version, .objects = o->objects, .object_count = 2};
}
static void put_numbers(one *o, size_t count, const int32_t *numbers) {
    for (size_t i = 0; i < count; i++)
        put_u32(&o->more, (uint32_t)numbers[i]);
}
static mst_document *finish(one *o) {
    o->objects[0].more = o->more.data;
    o->objects[0].more_size = o->more.size;
    if (o->s.version >= 14)
        o->s.state_hash = sector_hash(&o->s, 44, 3, 5);
    writer_free(&o->w);
    write_sector(&o->w, &o->s);
    return open_bytes(&o->w);
}
static void end(one *o) {
    writer_free(&o->w);
    writer_free(&o->more);
}

static void assert_no_tail(const mst_document *d) {
    mst_value value;
    uint64_t offset, length = 0;
    if (find(d, "objects[0].unknown_tail", &value))
        mst_value_span(&value, &offset, &length);
    assert_int_equal(length, 0);
    assert_int_equal(number_at(d, "objects[1].unique_id"), 0x10000000);
}

static void assert_silent(const mst_document *d) {
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}

static const int32_t drops[] = {32, 256, 48};

static void drips(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++)
        for (size_t carries = 0; carries <= (version >= 3); carries++) {
            one o;
            begin(&o, version, SECTOR_EFFECT, DRIP);
            put_numbers(&o, 3, drops);
            o.objects[0].inventory = o.bag;
            o.objects[0].inventory_count = carries;
            mst_document *d = finish(&o);
            assert_int_equal(number_at(d, "objects[0].ripple_size"), 32);
            assert_int_equal(number_at(d, "objects[0].height"), 256);
            assert_int_equal(number_at(d, "objects[0].period"), 48);
            assert_no_tail(d);
            assert_silent(d);
            if (carries)
                assert_int_equal(number_at(d, "objects[0].inventory[0].unique_id"), 0x10000000);
            assert_round_trips(d);
            mst_diagnostic why;
            MUST(mst_set(d, "objects[0].period", "-1", &why), &why);
            assert_int_equal(number_at(d, "objects[0].period"), -1);
            mst_close(d);
            end(&o);
        }
}

/* Objects that are not a Drip, and incomplete Drips, as far as sizes reveal it. */
static void not_drips(void **state) {
    (void)state;
    for (uint32_t version = 4; version <= 15; version++) {
        one o;
        mst_value value;
        begin(&o, version, SECTOR_EFFECT, DRIP ^ 1);
        mst_document *d = finish(&o);
        assert_false(find(d, "objects[0].ripple_size", &value));
        assert_round_trips(d);
        mst_close(d);
        end(&o);
        for (size_t numbers = 0; numbers < 3; numbers++)
            for (size_t carries = 0; carries < 2; carries++) {
                begin(&o, version, SECTOR_EFFECT, DRIP);
                o.objects[0].inventory = o.bag;
                o.objects[0].inventory_count = carries;
                if (version >= 14) /* before that the count cannot be distinguished from a surplus number */
                    put_numbers(&o, numbers, drops);
                d = finish(&o);
                assert_false(find(d, "objects[0].ripple_size", &value));
                assert_false(find(d, "objects[0].height", &value));
                assert_false(find(d, "objects[0].period", &value));
                assert_int_equal(number_at(d, "objects[1].unique_id"), 0x10000000);
                if (carries)
                    assert_int_equal(number_at(d, "objects[0].inventory[0].unique_id"), 0x10000000);
                assert_round_trips(d);
                mst_close(d);
                end(&o);
            }
    }
}

static void put_sound(one *o, const char *sound, int32_t length) {
    put_u8(&o->more, (uint8_t)strlen(sound));
    put_bytes_of(&o->more, sound, strlen(sound));
    put_u32(&o->more, (uint32_t)length);
    if (o->s.version >= 14) {
        put_u32(&o->more, 7);
        put_u32(&o->more, 8);
    }
}

static void speakers(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++) {
        one o;
        begin(&o, version, SECTOR_EFFECT, SPEAKER);
        put_sound(&o, "birds", -24);
        mst_document *d = finish(&o);
        mst_value value;
        const void *bytes;
        size_t size;
        assert_true(find(d, "objects[0].sound", &value));
        MUST(mst_get_bytes(&value, &bytes, &size), NULL);
        assert_int_equal(size, 5);
        assert_memory_equal(bytes, "birds", 5);
        assert_int_equal(number_at(d, "objects[0].sample_length"), -24);
        if (version >= 14)
            assert_int_equal(number_at(d, "objects[0].unknown_sound_2"), 8);
        assert_int_equal(find(d, "objects[0].unknown_sound_1", &value), version >= 14);
        assert_no_tail(d);
        assert_silent(d);
        assert_round_trips(d);
        mst_close(d);
        end(&o);
        if (version < 4)
            continue;
        begin(&o, version, SECTOR_EFFECT, SPEAKER); /* without a sound */
        d = finish(&o);
        assert_false(find(d, "objects[0].sound", &value));
        assert_false(find(d, "objects[0].sample_length", &value));
        assert_round_trips(d);
        mst_close(d);
        end(&o);
    }
}

static const int32_t spikes[] = {1, 50, 5};

static void spike_walls(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++) {
        bool locks = version >= 2 && version < 5;
        one o;
        mst_value value;
        begin(&o, version, SECTOR_TRAP, SPIKE_WALL);
        put_numbers(&o, locks ? 3 : 1, locks ? spikes : spikes + 2);
        mst_document *d = finish(&o);
        if (version < 14) {
            assert_int_equal(number_at(d, "objects[0].exit_flags"), 5);
            assert_no_tail(d);
            assert_silent(d);
        }
        assert_int_equal(find(d, "objects[0].exit_flags", &value), version < 14);
        assert_int_equal(find(d, "objects[0].pick_difficulty", &value), locks);
        if (locks)
            assert_int_equal(number_at(d, "objects[0].locked"), 1);
        assert_round_trips(d);
        mst_close(d);
        end(&o);
        if (version < 4 || version >= 14)
            continue;
        begin(&o, version, SECTOR_TRAP, SPIKE_WALL); /* built as a trap */
        d = finish(&o);
        assert_false(find(d, "objects[0].exit_flags", &value));
        assert_false(find(d, "objects[0].locked", &value));
        assert_round_trips(d);
        mst_close(d);
        end(&o);
    }
}

/* ---- types of the game of 1999, whose ids are not public ---------------------------------------- */

static const int32_t place[] = {3077, 5130, -40};

static void cubes(void **state) {
    (void)state;
    for (uint32_t version = 4; version <= 15; version++)
        for (size_t numbers = 2; numbers <= 4; numbers++) {
            one o;
            mst_value value;
            bool is_cube = version >= 14 && numbers == 3;
            begin(&o, version, SECTOR_EFFECT, 0x12345678);
            put_numbers(&o, 2, place);
            put_numbers(&o, numbers - 2, place + 2 - (numbers == 4));
            o.objects[0].inventory = o.bag;
            o.objects[0].inventory_count = 1;
            mst_document *d = finish(&o);
            assert_int_equal(find(d, "objects[0].target", &value), is_cube);
            if (is_cube) {
                assert_int_equal(number_at(d, "objects[0].target[0]"), 3077);
                assert_int_equal(number_at(d, "objects[0].target[2]"), -40);
                assert_no_tail(d);
                assert_silent(d);
                mst_diagnostic why;
                MUST(mst_set(d, "objects[0].target[1]", "5200", &why), &why);
                assert_int_equal(number_at(d, "objects[0].target[1]"), 5200);
            }
            assert_round_trips(d);
            mst_close(d);
            end(&o);
        }
    one o; /* another class has none */
    mst_value value;
    begin(&o, 15, SECTOR_ITEM, 0x12345678);
    put_numbers(&o, 3, place);
    mst_document *d = finish(&o);
    assert_false(find(d, "objects[0].target", &value));
    mst_close(d);
    end(&o);
}

static void put_monster(one *o, const char *name, int32_t second) {
    put_bytes_of(&o->more, name, strlen(name) + 1);
    put_u32(&o->more, 11);
    put_u32(&o->more, (uint32_t)second);
    if (o->s.version >= 15)
        put_u32(&o->more, 1000);
}

static void generators(void **state) {
    (void)state;
    for (uint32_t version = 13; version <= 15; version++)
        for (uint8_t count = 0; count <= 6; count++) {
            one o;
            mst_value value;
            begin(&o, version, SECTOR_HELPER, 0x12345678);
            put_u8(&o.more, count);
            for (uint8_t i = 0; i < count; i++)
                put_monster(&o, i ? "Ogrok" : "", 19999);
            put_u32(&o.more, 77);
            mst_document *d = finish(&o);
            assert_int_equal(find(d, "objects[0].generator", &value), version >= 14 && count <= 5);
            if (version >= 14 && count <= 5) {
                assert_no_tail(d);
                assert_silent(d);
                assert_int_equal(number_at(d, "objects[0].generator.unknown"), 77);
                find(d, "objects[0].generator.monsters", &value);
                assert_int_equal(mst_count(&value), count);
            }
            if (version >= 14 && count == 5) {
                char name[8];
                MUST(mst_find(mst_root(d), "objects[0].generator.monsters[1].name", &value, NULL), NULL);
                MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
                assert_string_equal(name, "Ogrok");
                assert_int_equal(number_at(d, "objects[0].generator.monsters[4].unknown_2"), 19999);
                if (version >= 15)
                    assert_int_equal(number_at(d, "objects[0].generator.monsters[4].start_time"), 1000);
                mst_diagnostic why;
                mst_scene *scene;
                MUST(mst_scene_from_document(d, NULL, &scene, &why), &why);
                assert_int_equal(scene->light_count, 0); /* it is not a light */
                mst_scene_free(scene);
                MUST(mst_set(d, "objects[0].generator.monsters[1].name", "Bat", &why), &why);
                MUST(mst_remove(d, "objects[0].generator.monsters[0]", &why), &why);
                MUST(mst_find(mst_root(d), "objects[0].generator.monsters[0].name", &value, NULL), NULL);
                MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
                assert_string_equal(name, "Bat");
            }
            assert_round_trips(d);
            mst_close(d);
            end(&o);
        }
}

/* An object with another form, down to the last byte, is unchanged. */
static void not_generators(void **state) {
    (void)state;
    static const struct {
        int32_t second;
        bool name_ends;
        size_t bytes; /* after the monster */
    } cases[] = {{19999, true, 3}, {19999, true, 5}, {20000, true, 4},
                 {-1, true, 4},    {0, false, 4},    {0, true, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        one o;
        mst_value value;
        begin(&o, 15, SECTOR_HELPER, 0x12345678);
        put_u8(&o.more, 1);
        if (cases[i].name_ends)
            put_monster(&o, "Bat", cases[i].second);
        else
            put_bytes_of(&o.more, "Bat", 3);
        if (cases[i].name_ends)
            for (size_t k = 0; k < cases[i].bytes; k++)
                put_u8(&o.more, 9);
        mst_document *d = finish(&o);
        assert_false(find(d, "objects[0].generator", &value));
        assert_true(find(d, "objects[0].unknown_tail", &value));
        assert_round_trips(d);
        mst_close(d);
        end(&o);
    }
}

/* ---- in other versions -------------------------------------------------------------------------- */

static mst_document *converted(const mst_document *d, uint32_t version, size_t losses) {
    mst_document *made;
    mst_diagnostic why;
    findings list = {0};
    mst_convert_options options = {
        .size = sizeof options, .version = version, .has_version = 1, .allow_loss = 1};
    MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, losses);
    findings_free(&list);
    return made;
}

/* `from` in version 15 is `to`. */
static void assert_becomes(one *from, one *to, size_t losses) {
    mst_document *d = finish(from), *wanted = finish(to);
    mst_document *made = converted(d, to->s.version, losses);
    assert_same_bytes(made, to->w.data, to->w.size);
    assert_round_trips(made);
    mst_close(made);
    mst_close(wanted);
    mst_close(d);
    end(from);
    end(to);
}

static void conversions(void **state) {
    (void)state;
    for (uint32_t version = 3; version <= 13; version++)
        for (int down = 0; down < 2; down++) {
            one old, new;
            one *from = down ? &new : &old, *to = down ? &old : &new;
            /* twelve bytes: an empty inventory has no count in version 15 */
            begin(&old, version, SECTOR_EFFECT, DRIP);
            begin(&new, 15, SECTOR_EFFECT, DRIP);
            put_numbers(&old, 3, drops);
            put_numbers(&new, 3, drops);
            assert_becomes(from, to, 0);

            begin(&old, version, SECTOR_EFFECT, SPEAKER);
            begin(&new, 15, SECTOR_EFFECT, SPEAKER);
            put_sound(&old, "birds", 9);
            put_sound(&new, "birds", 9);
            memset(new.more.data + new.more.size - 8, 0, 8); /* two zeros that only it has */
            assert_becomes(from, to, 0);

            begin(&old, version, SECTOR_TRAP, SPIKE_WALL);
            begin(&new, 15, SECTOR_TRAP, SPIKE_WALL);
            if (version < 5)
                put_numbers(&old, 2, (const int32_t[]){0, 0});
            put_numbers(&old, 1, spikes + 2);
            new.objects[0].tail = "\5\0\0\0";
            new.objects[0].tail_size = 4;
            assert_becomes(from, to, 0);
        }
    one old, new;
    begin(&old, 4, SECTOR_TRAP, SPIKE_WALL); /* locks have no place */
    begin(&new, 15, SECTOR_TRAP, SPIKE_WALL);
    put_numbers(&old, 3, spikes);
    new.objects[0].tail = "\5\0\0\0";
    new.objects[0].tail_size = 4;
    assert_becomes(&old, &new, 2);
    begin(&new, 15, SECTOR_TRAP, SPIKE_WALL); /* another tail is unknown */
    new.objects[0].tail = "!";
    new.objects[0].tail_size = 1;
    begin(&old, 8, SECTOR_TRAP, SPIKE_WALL);
    put_numbers(&old, 1, (const int32_t[]){0});
    old.objects[0].tail = "!";
    old.objects[0].tail_size = 1;
    assert_becomes(&new, &old, 0);
    begin(&new, 15, SECTOR_TRAP, SPIKE_WALL ^ 1); /* nor is another type's */
    new.objects[0].tail = "\5\0\0\0";
    new.objects[0].tail_size = 4;
    begin(&old, 8, SECTOR_TRAP, SPIKE_WALL ^ 1);
    old.objects[0].tail = "\5\0\0\0";
    old.objects[0].tail_size = 4;
    assert_becomes(&new, &old, 0);
}

/* A time is added or lost; values that version 13 cannot store are lost. */
static void conversions_of_1999(void **state) {
    (void)state;
    for (int down = 0; down < 2; down++) {
        one old, new;
        begin(&old, 14, SECTOR_HELPER, 0x12345678);
        begin(&new, 15, SECTOR_HELPER, 0x12345678);
        for (int i = 0; i < 2; i++) {
            one *o = i ? &new : &old;
            put_u8(&o->more, 2);
            put_monster(o, "Bat", 3);
            put_monster(o, "Ogrok", 4);
            put_u32(&o->more, 77);
        }
        if (!down) { /* 0 if there was none */
            memset(new.more.data + 1 + 4 + 8, 0, 4);
            memset(new.more.data + 1 + 4 + 12 + 6 + 8, 0, 4);
        }
        assert_becomes(down ? &new : &old, down ? &old : &new, down ? 2 : 0);
        begin(&old, 14, SECTOR_EFFECT, 0x12345678);
        begin(&new, 15, SECTOR_EFFECT, 0x12345678);
        put_numbers(&old, 3, place);
        put_numbers(&new, 3, place);
        assert_becomes(down ? &new : &old, down ? &old : &new, 0);
    }
    one old, new;
    begin(&old, 13, SECTOR_EFFECT, 0x12345678);
    begin(&new, 15, SECTOR_EFFECT, 0x12345678);
    put_numbers(&new, 3, place);
    assert_becomes(&new, &old, 1);
    begin(&old, 13, SECTOR_HELPER, 0x12345678);
    begin(&new, 15, SECTOR_HELPER, 0x12345678);
    put_u8(&new.more, 0);
    put_u32(&new.more, 77);
    assert_becomes(&new, &old, 1);
}

int test_revenant_types(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drips),
        cmocka_unit_test(not_drips),
        cmocka_unit_test(speakers),
        cmocka_unit_test(spike_walls),
        cmocka_unit_test(conversions),
        cmocka_unit_test(cubes),
        cmocka_unit_test(generators),
        cmocka_unit_test(not_generators),
        cmocka_unit_test(conversions_of_1999),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
