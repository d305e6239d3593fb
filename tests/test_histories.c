/* SPDX-License-Identifier: MIT */
/*
 * Histories of levels: ten operations on real files, five for the second save and five for the third. The
 * differences are exactly the operations, patches lead from each save to each, and merges of independent
 * edits are the same in both orders. Successive saves of real levels, merged.
 */
#include "edit.h"
#include "support.h"
#include <mapstone/edit.h>
#include <mapstone/patch.h>

/* ---- documents --------------------------------------------------------------------------------------- */

static mst_document *open_corpus(const char *file) {
    char path[512];
    mst_document *d;
    mst_diagnostic why;
    assert_true(corpus_path(file, path, sizeof path));
    MUST(mst_open_file(path, NULL, &d, &why), &why);
    return d;
}

/* Whether this build has the libraries that the file needs (zlib). */
static bool is_supported(const char *file) {
    char path[512];
    mst_document *d;
    assert_true(corpus_path(file, path, sizeof path));
    mst_status status = mst_open_file(path, NULL, &d, NULL);
    if (status == MST_OK)
        mst_close(d);
    else if (status == MST_UNSUPPORTED)
        print_message("# %s: this build cannot unpack it\n", file);
    return status != MST_UNSUPPORTED;
}

static void need_corpus(void) {
    char path[512];
    if (corpus_path("histories", path, sizeof path))
        return;
    print_message("# no corpus found (MAPSTONE_CORPUS)\n");
    skip();
}

static void edit(mst_document *document, const char *lines) {
    mst_operations *all = NULL;
    mst_diagnostic why;
    size_t count;
    MUST(mst_operations_read(&all, lines, strlen(lines), 1, NULL, &why), &why);
    const mst_operation *operations = mst_operations_all(all, &count);
    mst_edit_options how = {.size = sizeof how, .cascade = 1};
    mst_status status = mst_edit(document, operations, count, &how, &why);
    if (status != MST_OK)
        print_error("%s\n", lines);
    MUST(status, &why);
    mst_operations_free(all);
}

static bool same_files(const mst_document *a, const mst_document *b) {
    size_t count = mst_document_file_count(a);
    bool same = count == mst_document_file_count(b);
    for (size_t i = 0; i < count && same; i++) {
        size_t n, m;
        const void *x = mst_document_file(a, i, NULL, &n), *y = mst_document_file(b, i, NULL, &m);
        same = n == m && (!n || memcmp(x, y, n) == 0);
    }
    return same;
}

/* ---- differences ------------------------------------------------------------------------------------- */

typedef struct seen {
    char lines[40][200];
    size_t count; /* of the content */
    bool views;   /* editors' display settings count as well */
} seen;

/* "~ list[index] path", "- list[index]", "+ list". */
static mst_status see(void *user, const mst_difference *change) {
    seen *all = user;
    static const char marks[] = "~+->";
    if (change->sort != MST_DIFFERENCE_CONTENT && (change->sort != MST_DIFFERENCE_VIEW || !all->views))
        return MST_OK;
    if (all->count < sizeof all->lines / sizeof *all->lines) {
        char *line = all->lines[all->count];
        int length = snprintf(line, sizeof *all->lines, "%c %.100s", marks[change->kind], change->list);
        if (change->kind != MST_DIFFERENCE_ADD && *change->list)
            length += snprintf(line + length, sizeof *all->lines - (size_t)length, "[%llu]",
                               (unsigned long long)change->old_index);
        snprintf(line + length, sizeof *all->lines - (size_t)length, "%s%.60s",
                 *change->path && *change->list ? " " : "", change->path);
    }
    all->count++;
    return MST_OK;
}

static seen look(const mst_document *old, const mst_document *now, bool views) {
    seen all = {.views = views};
    mst_diagnostic why;
    MUST(mst_diff(old, now, NULL, see, &all, &why), &why);
    return all;
}

/* Whether exactly the lines of the text were seen, in any order. */
static bool is_exactly(const seen *all, const char *text, const char *what) {
    size_t count = 0;
    bool same = true;
    for (const char *at = text; *at; count++) {
        size_t length = strcspn(at, "\n");
        bool any = false;
        for (size_t i = 0; i < all->count && i < sizeof all->lines / sizeof *all->lines; i++)
            any = any || (strlen(all->lines[i]) == length && memcmp(all->lines[i], at, length) == 0);
        if (!any)
            print_error("%s: not seen: %.*s\n", what, (int)length, at);
        same = same && any;
        at += length + (at[length] == '\n');
    }
    if (same && count == all->count)
        return true;
    for (size_t i = 0; i < all->count && i < sizeof all->lines / sizeof *all->lines; i++)
        print_error("%s: seen: %s\n", what, all->lines[i]);
    return false;
}

/* ---- ten operations ---------------------------------------------------------------------------------- */

typedef struct history {
    const char *file;
    const char *operations[2]; /* of the second and the third save */
    const char *changes[2];    /* the resulting changes, with the indices of the save before */
} history;

static const history histories[] = {
    {"alien/L111LEV.MAP",
     {"map.monsters[0].health = 7\nmap.pickups[3].amount = 5\nmap.doors[3].open_time = 9\n"
      "map.quads[1000].texture = 12\nremove map.monsters[27]",
      "map.monsters[5].x = 70\nmap.cells[1000].light = 3\nmap.lights[7].mode = 1\nmap.pickups[4].y = 60\n"
      "duplicate map.pickups[20]"},
     {"~ map.monsters[0] health\n~ map.pickups[3] amount\n~ map.doors[3] open_time\n"
      "~ map.quads[1000] texture\n- map.monsters[27]",
      "~ map.monsters[5] x\n~ map.cells[1000] light\n~ map.lights[7] mode\n~ map.pickups[4] y\n+ "
      "map.pickups"}},
    {"turok/synth_valley.map",
     {"actors.records[0].health = 7\nactors.records[2].origin = [1500, 345.5, -43]\n"
      "collision.sector_sets[9].fog_far = 1000\nsky_material = skies/other\nremove actors.records[100]",
      "actors.records[5].yaw = 1.5\nactors.models[7] = models/other.bin\n"
      "grid_sections[40].static_meshes[0].scale[0] = 2\nworld.ambient_color[0] = 0.5\n"
      "duplicate actors.records[50]"},
     {"~ actors.records[0] health\n~ actors.records[2] origin\n~ collision.sector_sets[9] fog_far\n"
      "~ sky_material\n- actors.records[100]",
      "~ actors.records[5] yaw\n~ actors.models[7]\n~ grid_sections[40].static_meshes[0] scale\n"
      "~ world.ambient_color\n+ actors.records"}},
    {"revenant/v15/44_12_8.DAT",
     {"objects[20].position[2] = 280\nobjects[198].group = 3\nobjects[210].state = 2\n"
      "objects[227].name = Forg\nremove objects[1168]",
      "objects[265].position = [13200, 8880, 400]\nobjects[21].rotation_z = 5\nobjects[22].flags += "
      "disabled\n"
      "objects[26].shadow = 4\nduplicate objects[27]"},
     {"~ objects[20] position\n~ objects[198] group\n~ objects[210] state\n~ objects[227] name\n"
      "- objects[1168]",
      "~ objects[265] position\n~ objects[21] rotation_z\n~ objects[22] flags\n~ objects[26] shadow\n"
      "+ objects"}},
    {"sfa/samples/romlists/temple.romlist.bin",
     {"objects[0].position[1] = 240\nobjects[3].bound = 30\nobjects[3].parameters.delay = 5\n"
      "objects[8].cull_distance = 99\nremove objects[40]",
      "objects[5].position = [1213, -60, 1800]\nobjects[9].id = 999999\nobjects[7].acts_0 = 3\n"
      "objects[4].parameters.activate = 5\nduplicate objects[22]"},
     {"~ objects[0] position\n~ objects[3] bound\n~ objects[3] parameters.delay\n~ objects[8] cull_distance\n"
      "- objects[40]",
      "~ objects[5] position\n~ objects[9] id\n~ objects[7] acts_0\n~ objects[4] parameters.activate\n"
      "+ objects"}},
    {"sfa/mini/animtest/mod6.zlb.bin",
     {"blocks[0].packed.block.positions[0] = [0, 550, 0]\nblocks[0].packed.block.y_max = 190\n"
      "blocks[1].packed.block.flags = 0\nblocks[2].packed.block.unknown_92 = 4\nblocks[3].flags = 17",
      "blocks[0].packed.block.positions[5] = [1280, 800, 640]\nblocks[1].packed.block.y_min = -30\n"
      "blocks[1].packed.block.matrix[3] = 0.5\nblocks[2].packed.block.unknown_06 = 8\n"
      "blocks[3].packed.block.name = other"},
     {"~ blocks[0] packed.block.positions[0]\n~ blocks[0] packed.block.y_max\n"
      "~ blocks[1] packed.block.flags\n~ blocks[2] packed.block.unknown_92\n~ blocks[3] flags",
      "~ blocks[0] packed.block.positions[5]\n~ blocks[1] packed.block.y_min\n"
      "~ blocks[1] packed.block.matrix\n~ blocks[2] packed.block.unknown_06\n~ blocks[3] packed.block.name"}},
    {"sfa/mini/MAPS.bin",
     {"maps[0].origin_x = 2\nmaps[0].cells[1].sub = 3\nmaps[0].cell_rects[2].a = [-1, -1, 2, 3]\n"
      "maps[0].unknown_0A = 7\nmaps[0].cells[4].sub = 5",
      "maps[0].origin_z = 2\nmaps[0].cells[0].layer_row = 1\nmaps[0].visible_cell_rects[0].b = [1, 1, 2, 2]\n"
      "maps[0].cells[5].mod = 6\nmaps[0].cell_rects[4].b = [1, 0, 0, 0]"},
     {"~ maps[0] origin_x\n~ maps[0].cells[1] sub\n~ maps[0].cell_rects[2] a\n~ maps[0] unknown_0A\n"
      "~ maps[0].cells[4] sub",
      "~ maps[0] origin_z\n~ maps[0].cells[0] layer_row\n~ maps[0].visible_cell_rects[0] b\n"
      "~ maps[0].cells[5] mod\n~ maps[0].cell_rects[4] b"}},
};

static mst_document *save_of(const history *one, bool first, bool second) {
    mst_document *d = open_corpus(one->file);
    if (first)
        edit(d, one->operations[0]);
    if (second)
        edit(d, one->operations[1]);
    return d;
}

static bool patch_leads(const mst_document *old, const mst_document *now, const mst_document *again,
                        mst_document *changed, const char *what) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_patch_options back = {.size = sizeof back, .reverse = 1};
    MUST(mst_patch_make(old, now, NULL, mst_buffer_sink(&text), &why), &why);
    mst_status status = mst_patch_apply(changed, (const char *)text.data, text.size, NULL, &why);
    bool right = status == MST_OK && same_files(changed, now);
    if (right)
        status = mst_patch_apply(changed, (const char *)text.data, text.size, &back, &why);
    right = right && status == MST_OK && same_files(changed, again);
    if (!right)
        print_error("%s: %s\n", what, status == MST_OK ? "the patch makes something else" : why.message);
    mst_buffer_free(&text);
    return right;
}

static uint64_t merge(mst_document *ours, const mst_document *base, const mst_document *theirs) {
    mst_diagnostic why;
    uint64_t conflicts;
    mst_check_options checks = {.size = sizeof checks, .details = 1};
    mst_merge_options options = {.size = sizeof options, .checks = &checks};
    MUST(mst_merge(ours, base, theirs, &options, &conflicts, &why), &why);
    return conflicts;
}

static void ten_operations(void **state) {
    (void)state;
    need_corpus();
    size_t failed = 0;
    for (size_t i = 0; i < sizeof histories / sizeof *histories; i++) {
        const history *one = &histories[i];
        if (!is_supported(one->file))
            continue;
        mst_document *first = save_of(one, false, false), *second = save_of(one, true, false),
                     *third = save_of(one, true, true), *other = save_of(one, false, true);
        char both[1000];
        snprintf(both, sizeof both, "%s\n%s", one->changes[0], one->changes[1]);
        seen changes = look(first, second, true);
        bool right = is_exactly(&changes, one->changes[0], one->file);
        changes = look(second, third, true);
        right = is_exactly(&changes, one->changes[1], one->file) && right;
        changes = look(first, third, true);
        right = is_exactly(&changes, both, one->file) && right;
        mst_document *changed = save_of(one, false, false), *ours = save_of(one, true, false),
                     *theirs = save_of(one, false, true);
        right = patch_leads(first, third, first, changed, one->file) && right;
        right = merge(ours, first, other) == 0 && right;
        right = merge(theirs, first, second) == 0 && right;
        changes = look(ours, third, true);
        right = is_exactly(&changes, "", "merged") && right;
        changes = look(theirs, third, true);
        right = is_exactly(&changes, "", "merged the other way round") && right;
        if (!right) {
            print_error("%s\n", one->file);
            failed++;
        }
        mst_document *const closed[] = {first, second, third, other, changed, ours, theirs};
        for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
            mst_close(closed[k]);
    }
    assert_int_equal(failed, 0);
}

/* ---- real saves -------------------------------------------------------------------------------------- */

static const struct {
    const char *chain;
    int saves;
} chains[] = {{"minegate", 4}, {"XenoSwarmVents", 3}, {"eem_test", 2}, {"sws2", 2},
              {"x", 2},        {"mvm_test", 2},       {"d", 2}};

static mst_document *open_save(const char *chain, int save) {
    char file[120];
    snprintf(file, sizeof file, "histories/ns2/%s/%d.level", chain, save);
    return open_corpus(file);
}

/* One of the two did nothing: the result has the other's bytes. */
static void one_did_nothing(void **state) {
    (void)state;
    need_corpus();
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
        for (int save = 1; save < chains[c].saves; save++)
            for (int back = 0; back < 2; back++) {
                mst_document *base = open_save(chains[c].chain, save + back),
                             *changed = open_save(chains[c].chain, save + !back),
                             *ours = open_save(chains[c].chain, save + !back),
                             *theirs = open_save(chains[c].chain, save + back);
                assert_int_equal(merge(ours, base, base), 0);
                assert_true(same_files(ours, changed));
                assert_int_equal(merge(theirs, base, changed), 0);
                assert_true(same_files(theirs, changed));
                mst_document *const closed[] = {base, changed, ours, theirs};
                for (size_t k = 0; k < 4; k++)
                    mst_close(closed[k]);
            }
}

static mst_status hear(void *user, const mst_conflict *conflict) {
    char *heard = user;
    snprintf(heard, 100, "%.90s", conflict->path);
    return MST_OK;
}

/* Later edits, applied to the first save as well and merged with the edits between: the result is the last
 * save, except for contradictions, which are named, and for data that only the editor shows. */
static void the_last_save_again(void **state) {
    (void)state;
    need_corpus();
    static const struct {
        const char *chain;
        int save;
        const char *rejected; /* the subject of the later change, missing in the first save; "" nothing */
        const char *left;     /* the resulting difference */
    } cases[] = {
        {"minegate", 1, "", ""},
        {"minegate", 2, "objects[102]", "- objects[103]"},       /* changed first, then removed */
        {"XenoSwarmVents", 1, "objects[222]", "- objects[222]"}, /* added, then removed */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *a = open_save(cases[i].chain, cases[i].save),
                     *b = open_save(cases[i].chain, cases[i].save + 1),
                     *c = open_save(cases[i].chain, cases[i].save + 2),
                     *theirs = open_save(cases[i].chain, cases[i].save);
        mst_buffer text = {0};
        mst_diagnostic why;
        char rejected[100] = "";
        mst_patch_options how = {.size = sizeof how, .partial = 1, .rejected = hear, .user = rejected};
        MUST(mst_patch_make(b, c, NULL, mst_buffer_sink(&text), &why), &why);
        MUST(mst_patch_apply(theirs, (const char *)text.data, text.size, &how, &why), &why);
        assert_string_equal(rejected, cases[i].rejected);
        assert_int_equal(merge(b, a, theirs), 0);
        seen changes = look(b, c, false);
        assert_true(is_exactly(&changes, cases[i].left, cases[i].chain));
        mst_buffer_free(&text);
        mst_document *const closed[] = {a, b, c, theirs};
        for (size_t k = 0; k < 4; k++)
            mst_close(closed[k]);
    }
}

int test_histories(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_operations),
        cmocka_unit_test(one_did_nothing),
        cmocka_unit_test(the_last_save_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
