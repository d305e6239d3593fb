/* SPDX-License-Identifier: MIT */
/* Additional facts about elements of lists, beyond their fields (mst_added_column). */
#include "../src/core/memo.h"
#include "alien_documents.h"
#include "refusing.h"
#include "turok_level.h"

typedef struct column_case {
    const char *path, *column, *text; /* NULL: there is no such column */
} column_case;

static void assert_columns(const mst_document *document, const mst_resolver *sidecars,
                           const column_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const column_case *one = &cases[i];
        mst_value element;
        char text[200];
        mst_diagnostic why;
        MUST(mst_find(mst_root(document), one->path, &element, &why), &why);
        mst_status status = mst_added_column(&element, one->column, sidecars, text, sizeof text);
        if (status != (one->text ? MST_OK : MST_NO_PATH) || (one->text && strcmp(text, one->text) != 0))
            print_error("%s of %s: %s\n", one->column, one->path, text);
        assert_int_equal(status, one->text ? MST_OK : MST_NO_PATH);
        assert_string_equal(text, one->text ? one->text : "");
    }
}
#define ASSERT_COLUMNS(document, sidecars, cases)                                                            \
    assert_columns((document), (sidecars), (cases), sizeof(cases) / sizeof *(cases))

/* ---- Turok ---------------------------------------------------------------------------------------- */

static mst_document *open_turok(const small_level *l) {
    writer w = {0};
    mst_document *document;
    mst_diagnostic why;
    write_level(&w, l);
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    mst_document *copy; /* its own bytes */
    MUST(mst_convert(document, NULL, NULL, NULL, &copy, &why), &why);
    mst_close(document);
    writer_free(&w);
    return copy;
}

static void actors_and_meshes(void **state) {
    (void)state;
    static const column_case cases[] = {
        {"actors.records[0]", "model", "models/stone.bin"},
        {"actors.records[0]", "animation", "anims/a_anim.bin"},
        {"actors.records[1]", "model", ""},
        {"actors.records[2]", "model", "models/coin.bin"},
        {"actors.records[2]", "animation", ""},
        {"actors.records[2]", "type_name", NULL}, /* no definitions */
        {"actors.records[2]", "wings", NULL},
        {"grid_sections[0].static_meshes[0]", "model", "models/stone.bin"},
        {"grid_sections[0].static_meshes[0]", "animation", NULL},
        {"collision.sectors[0]", "model", NULL},
        {"actors.records", "model", NULL},
        {"actors.models[0]", "model", NULL},
        {"grid_sections[0].static_meshes", "model", NULL},
    };
    mst_document *document = open_turok(&(small_level){0});
    ASSERT_COLUMNS(document, NULL, cases);
    mst_close(document);
}

/* Fewer paths than actors; cells after the one with the mesh. */
static void paths_that_are_missing(void **state) {
    (void)state;
    static const column_case cases[] = {{"actors.records[0]", "model", ""},
                                        {"actors.records[0]", "animation", ""},
                                        {"grid_sections[0].static_meshes[0]", "model", "models/stone.bin"}};
    mst_document *document = open_turok(&(small_level){.bare = true});
    ASSERT_COLUMNS(document, NULL, cases);
    mst_close(document);
}

static void append_json(const mst_document *document, const char *path, mst_buffer *to) {
    mst_value value = value_at(document, path);
    mst_json_options how = {.size = sizeof how, .compact = 1};
    mst_diagnostic why;
    MUST(mst_write_json(&value, &how, mst_buffer_sink(to), &why), &why);
    to->size -= ((const char *)to->data)[to->size - 1] == '\n';
}

static void append(mst_buffer *to, const char *text) {
    MUST(mst_buffer_sink(to).write(to, text, strlen(text)), NULL);
}

/* A cell between empty ones, and more than one mesh in it. */
static void mesh_in_a_later_cell(void **state) {
    (void)state;
    static const column_case cases[] = {{"grid_sections[1].static_meshes[1]", "model", "models/b.bin"},
                                        {"grid_sections[3].static_meshes[0]", "model", "models/c.bin"},
                                        {"grid_sections[3].static_meshes[1]", "model", "models/d.bin"}};
    mst_document *document = open_turok(&(small_level){0});
    mst_buffer mesh = {0}, empty = {0}, all = {0};
    mst_diagnostic why;
    append_json(document, "grid_sections[0].static_meshes[0]", &mesh);
    append_json(document, "grid_sections[1]", &empty);
    MUST(mst_buffer_sink(&mesh).write(&mesh, "", 1), NULL);
    MUST(mst_buffer_sink(&empty).write(&empty, "", 1), NULL);
    for (int i = 0; i < 5; i++) {
        append(&all, i ? "," : "[");
        if (i % 2 == 0) {
            append(&all, (const char *)empty.data);
            continue;
        }
        append(&all, "{\"static_meshes\":[");
        append(&all, (const char *)mesh.data);
        append(&all, ",");
        append(&all, (const char *)mesh.data);
        append(&all, i == 1 ? "],\"models\":[\"models/a.bin\",\"models/b.bin\"]}"
                            : "],\"models\":[\"models/c.bin\",\"models/d.bin\"]}");
    }
    MUST(mst_buffer_sink(&all).write(&all, "]", 2), NULL);
    MUST(mst_set(document, "grid_sections", (const char *)all.data, &why), &why);
    mst_buffer_free(&mesh);
    mst_buffer_free(&empty);
    mst_buffer_free(&all);
    ASSERT_COLUMNS(document, NULL, cases);
    mst_close(document);
}

static mst_status no_definition(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                                void *taker) {
    (void)user, (void)folder, (void)ending, (void)take, (void)taker;
    return MST_OK;
}

/* With and without a memo; its contents are used for the same files only. */
static void names_of_types(void **state) {
    (void)state;
    static const column_case newt[] = {{"actors.records[0]", "type_name", "turok"},
                                       {"actors.records[1]", "type_name", "Monster_Newt"}},
                             toad[] = {{"actors.records[1]", "type_name", "Monster_Toad"}},
                             nobody[] = {{"actors.records[1]", "type_name", NULL}};
    mst_document *document = open_turok(&(small_level){0});
    char first[] = "Monster_Newt 12345 { health 5 }", second[] = "Monster_Toad 12345 { health 5 }",
         other[] = "-";
    mst_memo memo = {0};
    mst_resolver resolver = {.each = one_definition, .user = first};
    ASSERT_COLUMNS(document, &resolver, newt);
    resolver.memo = &memo;
    ASSERT_COLUMNS(document, &resolver, newt);
    const void *made = memo.made;
    ASSERT_COLUMNS(document, &resolver, newt);
    assert_ptr_equal(memo.made, made);
    resolver.user = second;
    ASSERT_COLUMNS(document, &resolver, toad);
    resolver.user = other;
    ASSERT_COLUMNS(document, &resolver, nobody);
    resolver.each = no_definition;
    ASSERT_COLUMNS(document, &resolver, nobody);
    resolver.each = NULL;
    ASSERT_COLUMNS(document, &resolver, nobody);
    mst_memo_clear(&memo);
    mst_close(document);
}

/* Memory that runs out at any time, with and without a memo. */
static void names_without_memory(void **state) {
    (void)state;
    writer w = {0};
    write_level(&w, &(small_level){0});
    char text[] = "Monster_Newt 12345 { health 5 }";
    for (int kept = 0; kept < 2; kept++) {
        bool good = false;
        for (int left = 0; !good; left++) {
            int blocks = 1000;
            mst_memo memo = {0};
            mst_open_options options = {.size = sizeof options, .allocator = {no_memory, &blocks}};
            mst_resolver resolver = {.each = one_definition, .user = text, .memo = kept ? &memo : NULL};
            mst_document *document;
            mst_diagnostic why;
            char name[40];
            MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
            mst_value actor = value_at(document, "actors.records[1]");
            blocks = left;
            mst_status status = mst_added_column(&actor, "type_name", &resolver, name, sizeof name);
            good = status == MST_OK;
            assert_true(good || status == MST_NO_MEMORY);
            assert_string_equal(name, good ? "Monster_Newt" : "");
            mst_memo_clear(&memo);
            mst_close(document);
            assert_true(left < 100);
        }
    }
    writer_free(&w);
}

/* ---- Alien Trilogy -------------------------------------------------------------------------------- */

static void things(void **state) {
    (void)state;
    static const column_case cases[] = {
        {"map.cells[0]", "cell", "0 0"},
        {"map.cells[6]", "cell", "2 1"},
        {"map.cells[6]", "cells", NULL},
        {"map.triggers[0]", "cells", ""}, /* 0 in a cell: none */
        {"map.triggers[1]", "cells", "1 1"},
        {"map.triggers[2]", "cells", "2 1, 3 1"},
        {"map.triggers[0]", "does", ""},
        {"map.triggers[1]", "does", "open door 0, then light 2 on"},
        {"map.triggers[2]", "does", "end of level"},
        {"map.commands[1]", "does", "light 2 on"},
        {"map.commands[3]", "does", ""},
        {"map.monsters[0]", "drops", ""},
        {"map.monsters[1]", "drops", "pickup 0 medi_kit"},
        {"map.boxes[0]", "drops", "pickup 0 medi_kit, pickup 9"},
        {"map.boxes[1]", "drops", "monster 1 warrior_drone, monster 0"},
        {"map.pickups[0]", "drops", NULL},
        {"map.doors[0]", "triggers", "1, 5"},
        {"map.lights[2]", "triggers", "1"},
        {"map.lights[3]", "triggers", ""},
        {"map.boxes[0]", "triggers", ""},
        {"map.pickups[0]", "triggers", "4"},
        {"map.vertices[0]", "cell", NULL},
        {"map.cells", "cell", NULL},
        {"map", "cell", NULL},
        {"map.start_x", "cell", NULL},
    };
    alien_level l;
    alien_small(&l);
    alien_cell_at(&l, 3, 1)->trigger = 2;
    l.boxes[0].drop_second = 9;
    l.boxes[1].drop_type = 2;
    l.boxes[1].drop_first = 1;
    l.boxes[1].drop_second = 0;
    l.monsters[0].type = 200;
    l.triggers[4] = (alien_trigger){1, 4, 255, 0}; /* a circle */
    l.commands[4] = (alien_command){3, 5, 0, 0};
    l.commands[5] = (alien_command){2, 4, 0, 0};
    l.triggers[5] = (alien_trigger){1, 6, 255, 0}; /* to a command that is not there */
    l.commands[6] = (alien_command){1, 200, 0, 0};
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        write_alien_level(&w, &l, true);
        mst_document *document = open_bytes(&w);
        ASSERT_COLUMNS(document, NULL, cases);
        mst_value trigger = value_at(document, "map.triggers[2]");
        char text[8];
        MUST(mst_added_column(&trigger, "does", NULL, text, sizeof text), NULL);
        assert_string_equal(text, "end of ");
        MUST(mst_added_column(&trigger, "cells", NULL, text, sizeof text), NULL);
        assert_string_equal(text, "2 1, 3 ");
        mst_close(document);
        writer_free(&w);
    }
}

static void level_without_map(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    l.no_map = true;
    writer w = {0};
    write_alien_level(&w, &l, true);
    mst_document *document = open_bytes(&w);
    mst_value root = mst_root(document);
    char text[8];
    assert_int_equal(mst_added_column(&root, "cell", NULL, text, sizeof text), MST_NO_PATH);
    mst_close(document);
    writer_free(&w);
}

int test_added_columns(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actors_and_meshes),    cmocka_unit_test(paths_that_are_missing),
        cmocka_unit_test(mesh_in_a_later_cell), cmocka_unit_test(names_of_types),
        cmocka_unit_test(names_without_memory), cmocka_unit_test(things),
        cmocka_unit_test(level_without_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
