/* SPDX-License-Identifier: MIT */
/* The places searched for the files that belong to a level: its own directory, the mod that contains its
 * folder of maps, and the roots of games, which are directories or archives, in this order. */
#include "containers.h"
#include "ns2_level.h"
#include <mapstone/level.h>

/*
 * mod/maps/a.level  mod/maps/near.txt  mod/models/b.txt
 * game/models/b.txt  game/models/c.txt  game/near.txt
 * a.bin: a zip with  models/c.txt  models/d.txt  out/Models/e.txt  out/maps/a.level
 */
static const char *const folders[] = {"mod", "mod/maps", "mod/models", "game", "game/models"};
static const char *const files[][2] = {{"mod/maps/near.txt", "near"},
                                       {"mod/models/b.txt", "of the mod"},
                                       {"game/models/b.txt", "of the game"},
                                       {"game/models/c.txt", "game's c"},
                                       {"game/near.txt", "too far"}};

static int make_files(void **state) {
    if (make_place(state) != 0)
        return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0777) != 0)
            return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put_file(files[i][0], files[i][1], strlen(files[i][1]));
    writer bytes = {0};
    write_level(&bytes, &(level_plan){0});
    put_file("mod/maps/a.level", bytes.data, bytes.size);
    zip z = {0};
    add(&z, (entry){.name = "models/c.txt", .data = "packed c"});
    add(&z, (entry){.name = "models/d.txt", .data = "packed d"});
    add(&z, (entry){.name = "out/Models/e.txt", .data = "packed e"});
    add(&z, (entry){.name = "out/maps/a.level", .data = (const char *)bytes.data, .packed = bytes.size});
    end(&z, "");
    zip_free(&z);
    writer_free(&bytes);
    return 0;
}

static int remove_files(void **state) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(files[i][0]);
    remove("mod/maps/a.level");
    for (size_t i = sizeof folders / sizeof *folders; i-- > 0;)
        remove(folders[i]);
    return remove_place(state);
}

/* The file that a level finds: NULL, none. */
static void finds(mst_level *found, const char *name, const char *text) {
    const mst_resolver *resolver = mst_level_sidecars(found);
    const void *bytes = NULL;
    size_t size = 0;
    mst_status status = resolver->find(resolver->user, name, &bytes, &size);
    assert_int_equal(status, text ? MST_OK : MST_NO_PATH);
    if (text) {
        assert_int_equal(size, strlen(text));
        assert_memory_equal(bytes, text, size);
    }
}

static mst_level *level_with(const char *path, const char *first, const char *second) {
    const char *const paths[] = {first, second};
    const mst_level_options how = {.size = sizeof how,
                                   .search_paths = paths,
                                   .search_path_count = second  ? 2
                                                        : first ? 1
                                                                : 0};
    mst_level *found;
    mst_diagnostic why;
    MUST(mst_level_open(path, &how, &found, &why), &why);
    return found;
}

static void a_mod_is_around_its_maps(void **state) {
    (void)state;
    mst_level *found = level_with("mod/maps/a.level", NULL, NULL);
    finds(found, "near.txt", "near");
    finds(found, "MODELS/B.txt", "of the mod");
    finds(found, "maps/near.txt", "near");
    finds(found, "Maps/Near.txt", "near");
    finds(found, "b.txt", NULL);
    finds(found, "models/c.txt", NULL);
    finds(found, "../game/near.txt", NULL);
    mst_level_close(found);
    /* from within the mod */
    assert_int_equal(chdir("mod"), 0);
    found = level_with("maps/a.level", NULL, NULL);
    finds(found, "models/b.txt", "of the mod");
    mst_level_close(found);
    assert_int_equal(chdir(".."), 0);
}

/* A file in a folder of models or materials, at any depth, has the enclosing mod. */
static void models_are_in_a_mod(void **state) {
    (void)state;
    assert_int_equal(rename("mod/maps/a.level", "mod/models/a.level"), 0);
    mst_level *found = level_with("mod/models/a.level", NULL, NULL);
    finds(found, "maps/near.txt", "near");
    finds(found, "models/b.txt", "of the mod");
    finds(found, "near.txt", NULL);
    mst_level_close(found);
    assert_int_equal(rename("mod/models/a.level", "mod/maps/a.level"), 0);
}

static void a_mod_comes_before_its_game(void **state) {
    (void)state;
    mst_level *found = level_with("mod/maps/a.level", "game", NULL);
    finds(found, "models/b.txt", "of the mod");
    finds(found, "models/c.txt", "game's c");
    finds(found, "near.txt", "near");
    mst_document *document;
    mst_diagnostic why;
    assert_int_equal(mst_level_find(found, "models/c.txt", &document, &why), MST_UNKNOWN);
    mst_level_close(found);
}

static void archives_are_searched_in_turn(void **state) {
    (void)state;
    mst_level *found = level_with("mod/maps/a.level", "game", "a.bin");
    finds(found, "models/c.txt", "game's c");
    finds(found, "models/d.txt", "packed d");
    finds(found, "models/e.txt", NULL);
    mst_level_close(found);
    found = level_with("mod/maps/a.level", "a.bin", "game");
    finds(found, "Models/c.txt", "packed c");
    mst_level_close(found);
    found = level_with("mod/maps/a.level", "a.bin!out", "a.bin!OUT/");
    finds(found, "models/e.txt", "packed e");
    finds(found, "models/d.txt", NULL);
    mst_document *document;
    mst_diagnostic why;
    assert_int_equal(mst_level_find(found, "models/e.txt", &document, &why), MST_NO_PATH);
    mst_level_close(found);
    /* a mod in an archive */
    found = level_with("a.bin!out/maps/a.level", NULL, NULL);
    finds(found, "models/e.txt", "packed e");
    mst_level_close(found);
}

static void what_cannot_be_searched_is_said(void **state) {
    (void)state;
    static const char *const bad[] = {"none", "none.zip!out", "mod/maps/near.txt", "mod/maps/near.txt!x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const mst_level_options how = {.size = sizeof how, .search_paths = &bad[i], .search_path_count = 1};
        mst_level *found;
        mst_diagnostic why = {0};
        assert_int_not_equal(mst_level_open("mod/maps/a.level", &how, &found, &why), MST_OK);
        assert_int_not_equal(why.message[0], 0);
    }
}

static void any_allocation_may_fail(void **state) {
    static const char *const paths[] = {"game", "a.bin!out"};
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_level_options how = {.size = sizeof how,
                                 .allocator = counted_allocator(&c),
                                 .search_paths = paths,
                                 .search_path_count = 2};
        mst_level *found;
        const void *bytes;
        size_t size;
        mst_status status = mst_level_open("mod/maps/a.level", &how, &found, NULL);
        if (status == MST_OK) {
            const mst_resolver *resolver = mst_level_sidecars(found);
            status = resolver->find(resolver->user, "models/e.txt", &bytes, &size);
        }
        mst_level_close(found);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (status == MST_OK)
            break;
    }
}

int test_roots(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mod_is_around_its_maps),        cmocka_unit_test(models_are_in_a_mod),
        cmocka_unit_test(a_mod_comes_before_its_game),     cmocka_unit_test(archives_are_searched_in_turn),
        cmocka_unit_test(what_cannot_be_searched_is_said), cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
