/* SPDX-License-Identifier: MIT */
/* Patches turn the old document into the new one, byte for byte, and the new one into the old one. */
#include "../src/patch/drafts.h"
#include "../src/write/rebuild.h"
#include "documents.h"
#include "edit.h"
#include "fixture_files.h"
#include "go_through.h"
#include "patch_files.h"
#include <mapstone/edit.h>
#include <mapstone/patch.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- making and applying ---------------------------------------------------------------------------- */

/* Writes a patch to the directory that references/patches.py expects. */
static void keep(const mst_buffer *text) {
    static unsigned number;
    const char *directory = getenv("MAPSTONE_KEPT_PATCHES");
    char path[1024];
    if (!directory)
        return;
    snprintf(path, sizeof path, "%s/%u.mspatch", directory, number++);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text->data, 1, text->size, file), text->size);
    assert_int_equal(fclose(file), 0);
}

static mst_buffer make(const mst_document *old, const mst_document *now, int with_data) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_patch_options options = {.size = sizeof options, .with_data = with_data, .plain = true};
    MUST(mst_patch_make(old, now, &options, mst_buffer_sink(&text), &why), &why);
    keep(&text);
    return text;
}

static size_t count_lines(const mst_buffer *text, const char *beginning) {
    size_t count = 0, length = strlen(beginning);
    for (size_t at = 0; at < text->size;) {
        const unsigned char *end = memchr(text->data + at, '\n', text->size - at);
        count += text->size - at >= length && memcmp(text->data + at, beginning, length) == 0;
        at = end ? (size_t)(end - text->data) + 1 : text->size;
    }
    return count;
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

/* Applies the patch to `from`, which becomes `to`. */
static bool makes(mst_document *from, const mst_document *to, const mst_buffer *text, int reverse,
                  const char *what) {
    mst_diagnostic why;
    mst_patch_options options = {.size = sizeof options, .reverse = reverse};
    mst_status status = mst_patch_apply(from, (const char *)text->data, text->size, &options, &why);
    if (status != MST_OK)
        print_error("%s%s: %s: %s\n", what, reverse ? " back" : "", why.path, why.message);
    return status == MST_OK && same_files(from, to);
}

/* ---- histories -------------------------------------------------------------------------------------- */

static void need_corpus(void) {
    char path[512];
    if (corpus_path("histories", path, sizeof path))
        return;
    print_message("# no corpus found (MAPSTONE_CORPUS)\n");
    skip();
}

static mst_document *open_corpus(const char *file) {
    char path[512];
    mst_document *d;
    mst_diagnostic why;
    assert_true(corpus_path(file, path, sizeof path));
    MUST(mst_open_file(path, NULL, &d, &why), &why);
    return d;
}

/* Both ways, with no bytes of data; a patch applied backwards restores. */
static void successive_saves(void **state) {
    (void)state;
    need_corpus();
    static const struct {
        const char *chain;
        int saves;
    } chains[] = {{"minegate", 4}, {"XenoSwarmVents", 3}, {"eem_test", 2}, {"sws2", 2},
                  {"x", 2},        {"mvm_test", 2},       {"d", 2}};
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
        for (int save = 1; save < chains[c].saves; save++)
            for (int back = 0; back < 2; back++) {
                char names[2][80];
                for (int side = 0; side < 2; side++)
                    snprintf(names[side], sizeof names[side], "histories/ns2/%s/%d.level", chains[c].chain,
                             save + (side ^ back));
                mst_document *old = open_corpus(names[0]), *now = open_corpus(names[1]),
                             *changed = open_corpus(names[0]);
                mst_buffer text = make(old, now, 0);
                assert_int_equal(count_lines(&text, "{\"op\":\"raw\""), 0);
                assert_true(makes(changed, now, &text, 0, names[0]));
                assert_true(makes(changed, old, &text, 1, names[0]));
                mst_buffer_free(&text);
                mst_close(old);
                mst_close(now);
                mst_close(changed);
            }
}

/* ---- all formats ------------------------------------------------------------------------------------ */

static mst_document *open_fixture(const test_file *one) {
    mst_document *d;
    mst_search *search = NULL;
    mst_open_options options = {.size = sizeof options, .name = one->name};
    mst_resolver resolver;
    if (one->directory[0]) {
        MUST(mst_search_create(NULL, &search), NULL);
        MUST(mst_search_add(search, one->directory, NULL), NULL);
        resolver = mst_search_resolver(search);
        options.sidecars = &resolver;
    }
    mst_status status = mst_open_memory(one->bytes, one->size, &options, &d, NULL);
    mst_search_free(search);
    return status == MST_OK ? d : NULL;
}

/* Whether the patch whose operations may be packed makes the new document, too. */
static bool is_packed_right(const test_file *old_file, const mst_document *now, mst_patch_made *made) {
    mst_document *old = open_fixture(old_file), *changed = open_fixture(old_file);
    mst_buffer text = {0};
    mst_diagnostic why;
    const mst_patch_options options = {.size = sizeof options, .with_data = true, .made = made};
    MUST(mst_patch_make(old, now, &options, mst_buffer_sink(&text), &why), &why);
    const bool right = makes(changed, now, &text, 0, old_file->name);
    mst_buffer_free(&text);
    mst_close(changed);
    mst_close(old);
    return right;
}

/* Any two files of one format, however little they have in common. */
static void any_two_files(void **state) {
    (void)state;
    test_files all = files_small();
    files_of_samples(&all);
    files_of_corpus(&all, 1u << 14);
    size_t pairs = 0, raw = 0, failed = 0, packed = 0, one_way = 0;
    for (size_t i = 0; i < all.count; i++) {
        mst_document *old = open_fixture(&all.items[i]);
        for (size_t k = i + 1; old && k < all.count && k < i + 40; k++) {
            mst_document *now = open_fixture(&all.items[k]);
            if (!now || mst_document_format(now) != mst_document_format(old)) {
                mst_close(now);
                continue;
            }
            mst_document *changed = open_fixture(&all.items[i]);
            mst_buffer text = make(old, now, 1);
            if (count_lines(&text, "{\"op\":\"raw\"") && ++raw)
                print_message("raw: %s and %s\n", all.items[i].name, all.items[k].name);
            bool back = mst_document_version(old) == mst_document_version(now);
            mst_patch_made made;
            const bool packed_right = is_packed_right(&all.items[i], now, &made);
            packed += made.packed;
            one_way += made.packed && made.one_way;
            if (!packed_right || !makes(changed, now, &text, 0, all.items[i].name) ||
                (back && !makes(changed, old, &text, 1, all.items[i].name))) {
                print_error("%s and %s\n", all.items[i].name, all.items[k].name);
                failed++;
            }
            mst_buffer_free(&text);
            mst_close(changed);
            mst_close(now);
            pairs++;
            break;
        }
        mst_close(old);
    }
    files_free(&all);
    print_message("%zu pairs, %zu with raw bytes, %zu packed, of these %zu one-way\n", pairs, raw, packed,
                  one_way);
    assert_int_equal(failed, 0);
    assert_true(one_way > 0 || !packed); /* nothing is packed without zlib */
    assert_true(pairs > 10);             /* more with the corpus */
}

static void nothing_has_changed(void **state) {
    (void)state;
    session s;
    begin(&s, &(level_plan){.version = 10, .everything = true});
    mst_buffer text = make(s.d, s.d, 0);
    assert_int_equal(count_lines(&text, "{"), 2);
    assert_int_equal(count_lines(&text, "{\"mspatch\":1,"), 1);
    assert_int_equal(count_lines(&text, "{\"end\":{\"operations\":0}}"), 1);
    mst_buffer_free(&text);
    end(&s);
}

static void edit(mst_document *document, const char *lines);

/* Lists with scattered chunks: the order of chunks follows insertions and removals. */
static void chunks_in_another_order(void **state) {
    (void)state;
    static const char *const edits[] = {"remove objects[0]", "remove objects[9]", "duplicate objects[2]",
                                        "remove objects[3]\nremove objects[3]\nremove layers[0]"};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        session old, now, changed;
        begin(&old, &(level_plan){.version = 10, .everything = true});
        begin(&now, &(level_plan){.version = 10, .everything = true});
        begin(&changed, &(level_plan){.version = 10, .everything = true});
        edit(now.d, edits[i]);
        mst_buffer text = make(old.d, now.d, 0);
        assert_int_equal(count_lines(&text, "{\"op\":\"raw\""), 0);
        assert_true(makes(changed.d, now.d, &text, 0, edits[i]));
        assert_true(makes(changed.d, old.d, &text, 1, edits[i]));
        mst_buffer_free(&text);
        end(&old);
        end(&now);
        end(&changed);
    }
}

/* ---- files that have changed since -------------------------------------------------------------------- */

static mst_document *open_of(const char *path, const char *name) {
    size_t size;
    char *text = (char *)read_whole(path, &size);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = name};
    assert_non_null(text);
    mst_status status = mst_open_json(text, size, &options, &d, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return d;
}

static void edit_by(mst_document *document, const char *lines, int each) {
    mst_operations *all = NULL;
    mst_diagnostic why;
    size_t count;
    MUST(mst_operations_read(&all, lines, strlen(lines), 1, NULL, &why), &why);
    const mst_operation *operations = mst_operations_all(all, &count);
    mst_edit_options how = {.size = sizeof how, .cascade = 1, .each = each};
    MUST(mst_edit(document, operations, count, &how, &why), &why);
    mst_operations_free(all);
}

static void edit(mst_document *document, const char *lines) {
    edit_by(document, lines, 0);
}

static void edit_each(mst_document *document, const char *lines) {
    edit_by(document, lines, 1);
}

static mst_document *open_sample(void) {
    return open_of("samples/outpost.json", "outpost.level");
}

static mst_status see(void *user, const mst_difference *change) {
    size_t *count = user;
    *count += change->sort != MST_DIFFERENCE_STORAGE;
    return MST_OK;
}

static size_t differences(const mst_document *old, const mst_document *now) {
    size_t count = 0;
    mst_diff_options options = {.size = sizeof options, .within_derived = 1};
    MUST(mst_diff(old, now, &options, see, &count, NULL), NULL);
    return count;
}

static mst_status reject(void *user, const mst_conflict *conflict) {
    char *all = user;
    size_t length = strlen(all);
    snprintf(all + length, 400 - length, "%s%s", conflict->path, conflict->ours ? "=;" : ";");
    return MST_OK;
}

/* Only the moved vertex needs an operation; its faces and edges need none. */
static void a_vertex_moves(void **state) {
    (void)state;
    mst_document *old = open_sample(), *now = open_sample(), *other = open_sample();
    edit(now, "mesh.vertices[100].position[1] = 7");
    mst_buffer text = make(old, now, 0);
    assert_int_equal(count_lines(&text, "{\"op\":"), 1);
    assert_int_equal(count_lines(&text, "{\"op\":\"set\",\"at\":{\"list\":\"mesh.vertices\""), 1);
    edit(now, "mesh.vertices[0].position[1] = 77\nremove mesh.faces[3]");
    edit(other, "mesh.vertices[0].position[1] = 77\nremove mesh.faces[3]");
    mst_diagnostic why;
    MUST(mst_patch_apply(other, (const char *)text.data, text.size, NULL, &why), &why);
    assert_true(same_files(other, now));
    mst_buffer_free(&text);
    mst_close(old);
    mst_close(now);
    mst_close(other);
}

/* The target of a patch is found by its identity, in a level that was edited meanwhile. */
static void other_files(void **state) {
    (void)state;
    static const struct {
        const char *patch, *meanwhile;
        const char *expected; /* edits of the sample; NULL: refused */
        const char *rejected;
        int reverse; /* both sides began with the patch, which is reversed */
    } cases[] = {
        {"objects[19].properties.intensity = 2", "remove objects[3]",
         "objects[19].properties.intensity = 2\nremove objects[3]", "", 0},
        {"remove objects[30]", "objects[5].properties.origin[0] = 4",
         "remove objects[30]\nobjects[5].properties.origin[0] = 4", "", 0},
        {"duplicate objects[19]\nobjects[20].properties.intensity = 8",
         "remove objects[2]\nremove objects[2]",
         "duplicate objects[19]\nobjects[20].properties.intensity = 8\nremove objects[2]\nremove objects[2]",
         "", 0},
        {"remove mesh.faces[3]", "objects[5].properties.origin[0] = 4",
         "remove mesh.faces[3]\nobjects[5].properties.origin[0] = 4", "", 0},
        {"duplicate mesh.faces[3]", "objects[5].properties.origin[0] = 4",
         "duplicate mesh.faces[3]\nobjects[5].properties.origin[0] = 4", "", 0},
        {"duplicate mesh.faces[172]", "mesh.vertices[0].position[1] = 77",
         "duplicate mesh.faces[172]\nmesh.vertices[0].position[1] = 77", "", 0},
        {"remove mesh.faces[3]\nmesh.faces[20].material = 1", "remove mesh.faces[9]",
         "remove mesh.faces[9]\nremove mesh.faces[3]\nmesh.faces[19].material = 1", "", 0},
        {"mesh.faces[20].material = 1", "remove mesh.faces[9]", "remove mesh.faces[9]", "", 1},
        {"remove mesh.faces[3]", "remove mesh.faces[3]", NULL, "mesh.faces[3];", 0},
        {"mesh.faces[20].material = 1", "mesh.faces[20].material = 3", NULL, "mesh.faces[20].material;", 0},
        {"mesh.faces[20].material = 1", "mesh.faces[20].material = 1\nremove mesh.faces[9]",
         "mesh.faces[20].material = 1\nremove mesh.faces[9]", "", 0},
        {"remove mesh.faces[3]", "mesh.faces[3].angle = 1", NULL, "mesh.faces[3];", 0},
        {"mesh.faces[3].angle = 1", "mesh.faces[3].angle = 2", NULL, "mesh.faces[3].angle=;", 0},
        {"objects[19].properties.intensity = 2", "objects[19].properties.intensity = 3", NULL,
         "objects[19].properties.intensity=;", 0},
        {"objects[19].properties.intensity = 2", "objects[19].properties.intensity = 2\nremove objects[30]",
         "objects[19].properties.intensity = 2\nremove objects[30]", "", 0},
        /* Another lamp has the same intensity. */
        {"objects[19].properties.intensity = 2", "remove objects[19]", NULL,
         "objects[19].properties.intensity;", 0},
        {"objects[19].properties.intensity = 2\nremove objects[3]", "remove objects[5]", "remove objects[6]",
         "", 1},
        {"objects[19].properties.intensity = 2\nobjects[19].properties.origin[0] = 50", "remove objects[3]",
         "remove objects[3]", "", 1},
        {"duplicate objects[19]\nobjects[20].properties.origin[0] = 50", "remove objects[3]",
         "remove objects[3]", "", 1},
        {"objects[19].properties.intensity = 2", "remove objects[19]", NULL,
         "objects[19].properties.intensity;", 1},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *base = open_sample(), *changed = open_sample(), *other = open_sample();
        edit(changed, cases[i].patch);
        if (cases[i].reverse)
            edit(other, cases[i].patch);
        edit(other, cases[i].meanwhile);
        mst_buffer text = make(base, changed, 0);
        char rejected[400] = "";
        mst_diagnostic why;
        mst_patch_options options = {
            .size = sizeof options, .reverse = cases[i].reverse, .rejected = reject, .user = rejected};
        mst_status status = mst_patch_apply(other, (const char *)text.data, text.size, &options, &why);
        bool right =
            status == (cases[i].expected ? MST_OK : MST_REFUSED) && strcmp(rejected, cases[i].rejected) == 0;
        if (right && cases[i].expected) {
            mst_document *expected = open_sample();
            edit(expected, cases[i].expected);
            right = differences(expected, other) == 0;
            mst_close(expected);
        }
        if (!right) {
            print_error("%zu: %d %s %s; %s\n", i, status, status ? why.message : "", status ? why.path : "",
                        rejected);
            failed++;
        }
        mst_buffer_free(&text);
        mst_close(base);
        mst_close(changed);
        mst_close(other);
    }
    assert_int_equal(failed, 0);
}

/* A list in an element is found by that element, wherever it is now. */
static void lists_in_elements(void **state) {
    (void)state;
    static const struct {
        const char *patch, *meanwhile, *expected;
    } cases[] = {
        {"duplicate objects[306].inventory[0]", "remove objects[0]",
         "remove objects[0]\nduplicate objects[305].inventory[0]"},
        {"remove objects[306].inventory[0]", "remove objects[0]",
         "remove objects[0]\nremove objects[305].inventory[0]"},
        {"objects[306].inventory[0].name = Boots", "remove objects[0]",
         "remove objects[0]\nobjects[305].inventory[0].name = Boots"},
        {"duplicate objects[306].inventory[0]", "remove objects[306]", NULL},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *all[3];
        for (size_t k = 0; k < 3; k++)
            all[k] = open_of("samples/keep/7_11_11.json", "7_11_11.DAT");
        edit(all[1], cases[i].patch);
        edit(all[2], cases[i].meanwhile);
        mst_buffer text = make(all[0], all[1], 0);
        mst_diagnostic why;
        mst_status status = mst_patch_apply(all[2], (const char *)text.data, text.size, NULL, &why);
        bool right = status == (cases[i].expected ? MST_OK : MST_REFUSED);
        if (right && cases[i].expected) {
            edit(all[0], cases[i].expected);
            right = differences(all[0], all[2]) == 0;
        }
        if (!right)
            print_error("%s: %s\n", cases[i].patch, status == MST_OK ? "another level" : why.message);
        failed += !right;
        mst_buffer_free(&text);
        for (size_t k = 0; k < 3; k++)
            mst_close(all[k]);
    }
    assert_int_equal(failed, 0);
}

/* Two of one name: where one is missing, the other is not taken for it. */
static void two_of_one_name(void **state) {
    (void)state;
    const char *const both = "objects[12].properties.name = Hub\nobjects[13].properties.name = Hub";
    const char *const meanwhile[] = {"remove objects[12]", "remove objects[13]",
                                     "objects[12].class_name = place"};
    for (size_t i = 0; i < 3; i++) {
        mst_document *old = open_sample(), *now = open_sample(), *other = open_sample();
        edit(old, both);
        edit(now, both);
        edit(other, both);
        edit_each(now, "objects[12].properties.intensity ?= 5");
        edit_each(other, meanwhile[i]);
        mst_buffer text = make(old, now, 0);
        mst_diagnostic why;
        assert_int_equal(mst_patch_apply(other, (const char *)text.data, text.size, NULL, &why),
                         i == 1 ? MST_OK : MST_REFUSED);
        mst_buffer_free(&text);
        mst_close(old);
        mst_close(now);
        mst_close(other);
    }
}

/* Elements referenced meanwhile stay: a part silently, a thing as a change that does not fit. */
static void what_is_needed_meanwhile(void **state) {
    (void)state;
    static const struct {
        const char *before, *patch, *meanwhile, *rejected, *expected;
    } cases[] = {
        {"add map.vertices x=1 y=2 z=3", "remove map.vertices[1240]", "map.quads[3].vertices[2] = 1240", "",
         "map.quads[3].vertices[2] = 1240"},
        {"add map.pickups x=1 y=2", "remove map.pickups[12]\nmap.monsters[0].speed = 7",
         "map.monsters[0].drop = 12", "map.pickups[12];",
         "map.monsters[0].drop = 12\nmap.monsters[0].speed = 7"},
        {"add map.pickups x=1 y=2", "remove map.pickups[12]\nmap.monsters[0].speed = 7",
         "map.monsters[0].health = 3", "",
         "remove map.pickups[12]\nmap.monsters[0].health = 3\nmap.monsters[0].speed = 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const edits[] = {NULL, cases[i].patch, cases[i].meanwhile, cases[i].expected};
        mst_document *all[4];
        for (size_t k = 0; k < 4; k++) {
            all[k] = open_of("samples/bunker.json", "bunker.MAP");
            edit(all[k], cases[i].before);
            if (edits[k])
                edit(all[k], edits[k]);
        }
        mst_buffer text = make(all[0], all[1], 0);
        char rejected[400] = "";
        mst_diagnostic why;
        mst_patch_options options = {.size = sizeof options, .rejected = reject, .user = rejected};
        if (*cases[i].rejected) {
            assert_int_equal(mst_patch_apply(all[2], (const char *)text.data, text.size, &options, &why),
                             MST_REFUSED);
            assert_string_equal(rejected, cases[i].rejected);
            *rejected = 0;
            options.partial = 1;
        }
        MUST(mst_patch_apply(all[2], (const char *)text.data, text.size, &options, &why), &why);
        assert_string_equal(rejected, cases[i].rejected);
        assert_int_equal(differences(all[3], all[2]), 0);
        mst_buffer_free(&text);
        for (size_t k = 0; k < 4; k++)
            mst_close(all[k]);
    }
}

static mst_status take_code(void *user, const mst_diagnostic *finding) {
    snprintf(user, 32, "%s", finding->code);
    return MST_OK;
}

/* A number that names nothing refuses a patch of another document; if forced, it is reported. */
static void what_would_be_worse(void **state) {
    (void)state;
    mst_document *old = open_of("samples/bunker.json", "bunker.MAP"),
                 *now = open_of("samples/bunker.json", "bunker.MAP"),
                 *moved = open_of("samples/bunker.json", "bunker.MAP");
    edit(now, "map.monsters[0].drop = 200");
    edit(moved, "map.monsters[0].health = 3");
    mst_buffer text = make(old, now, 0);
    mst_diagnostic why;
    char code[32] = "";
    const mst_check_options checks = {.size = sizeof checks};
    mst_patch_options options = {.size = sizeof options, .found = take_code, .user = code};
    size_t size;
    const void *before = mst_document_bytes(moved, &size);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(mst_patch_apply(moved, (const char *)text.data, text.size, &options, &why),
                         MST_REFUSED);
        assert_string_equal(why.code, "ALIEN-DROP");
        assert_string_equal(code, "");
        assert_ptr_equal(mst_document_bytes(moved, &size), before);
        options.checks = &checks;
    }
    options.force = 1;
    MUST(mst_patch_apply(moved, (const char *)text.data, text.size, &options, &why), &why);
    assert_string_equal(code, "ALIEN-DROP");
    /* the source document becomes the other one */
    MUST(mst_patch_apply(old, (const char *)text.data, text.size, NULL, &why), &why);
    assert_int_equal(differences(now, old), 0);
    mst_buffer_free(&text);
    mst_close(old);
    mst_close(now);
    mst_close(moved);
}

/* Rows about elements, such as the models of actors, are found through these. */
static void rows_of_other_files(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"remove actors.records[76]", "remove actors.records[70]"},
        {"remove actors.records[76]", "duplicate actors.records[70]\nactors.records[71].origin[0] += 3"},
        {"duplicate actors.records[75]\nactors.records[76].origin[0] += 3\nremove actors.records[9]",
         "remove actors.records[0]"},
    };
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *all[4]; /* before, the patch, meanwhile, and both */
        for (size_t k = 0; k < 4; k++) {
            all[k] = open_of("samples/valley.json", "valley.map");
            if (k & 1)
                edit(all[k], cases[i][0]);
            if (k & 2)
                edit(all[k], cases[i][1]);
        }
        mst_buffer text = make(all[0], all[1], 0);
        MUST(mst_patch_apply(all[2], (const char *)text.data, text.size, NULL, &why), &why);
        assert_int_equal(differences(all[3], all[2]), 0);
        mst_buffer_free(&text);
        for (size_t k = 0; k < 4; k++)
            mst_close(all[k]);
    }
    /* One of many coins with the same tid */
    mst_document *old = open_of("samples/valley.json", "valley.map"),
                 *now = open_of("samples/valley.json", "valley.map"),
                 *other = open_of("samples/valley.json", "valley.map");
    edit(now, "actors.records[40].yaw = 1");
    edit(other, "remove actors.records[40]");
    mst_buffer text = make(old, now, 0);
    assert_int_equal(mst_patch_apply(other, (const char *)text.data, text.size, NULL, &why), MST_REFUSED);
    mst_buffer_free(&text);
    mst_close(old);
    mst_close(now);
    mst_close(other);
}

/* ---- bulk operations --------------------------------------------------------------------------------- */

#define LIGHTS    "objects[class_name=light_point].properties."
#define LOCATIONS "objects[class_name=location].properties."

/* One operation for all elements of a kind, if exactly these change, both ways. The sample has 7 lights of
 * this kind that cast shadows, and 5 locations. */
static void many_in_one(void **state) {
    (void)state;
    static const struct {
        const char *before, *edits; /* `before` is applied to both documents */
        size_t bulk, all;           /* operations */
    } cases[] = {
        {"", LIGHTS "casts_shadows = false", 1, 1},
        {"", LOCATIONS "intensity ?= 5", 1, 1},
        {"", LOCATIONS "intensity ?= 5\n" LOCATIONS "casts_shadows ?= true", 2, 2},
        {LOCATIONS "intensity ?= 5", "remove objects[class_name=location].properties[5]", 1, 1},
        {"", "objects[*].has_layers = false", 1,
         1 + 2 * 42}, /* without their masks, each list of which is removed */
        /* With a change of another element, or of the list. */
        {"", LIGHTS "casts_shadows = false\nobjects[0].properties.origin[0] = 5", 1, 2},
        {"", LIGHTS "casts_shadows = false\nremove objects[0]", 1, 3},
        /* One of them is in one of the two documents alone. */
        {"", LIGHTS "casts_shadows = false\nremove objects[17]", 1, 3},
        {"", LIGHTS "casts_shadows = false\nduplicate objects[17]", 1, 3},
        {"", "duplicate objects[17]\n" LIGHTS "casts_shadows = false", 1, 3},
        {"objects[17].properties.casts_shadows = false", LIGHTS "casts_shadows = false\nremove objects[17]",
         0, 8},
        /* One is left out, or has another value. */
        {"", LIGHTS "casts_shadows = false\nobjects[17].properties.casts_shadows = true", 0, 6},
        {"objects[17].properties.casts_shadows = false", LIGHTS "casts_shadows = false", 0, 6},
        {"", LIGHTS "intensity = 3", 0, 6},
        /* Its elements also change otherwise: one of their lists has one more element. */
        {"", LOCATIONS "intensity ?= 5\nobjects[12].properties.casts_shadows ?= true", 0, 10 + 1},
        /* Too few. */
        {"", "objects[class_name=resource_point].properties.intensity ?= 5", 0, 6},
        /* The identity of elements: a bulk operation would not find them again on the way back. */
        {"", "objects[class_name=location].class_name = place", 0, 5},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *old = open_sample(), *now = open_sample();
        if (*cases[i].before) {
            edit_each(old, cases[i].before);
            edit_each(now, cases[i].before);
        }
        edit_each(now, cases[i].edits);
        mst_document *changed = NULL;
        MUST(mst_rebuild(old, &changed, NULL), NULL);
        mst_buffer text = make(old, now, 0);
        size_t bulk = count_lines(&text, "{\"op\":\"bulk\""), all = count_lines(&text, "{\"op\":");
        if (bulk != cases[i].bulk || all != cases[i].all || !makes(changed, now, &text, 0, "bulk") ||
            !makes(changed, old, &text, 1, "bulk")) {
            print_error("%s: %zu of %zu\n", cases[i].edits, bulk, all);
            failed++;
        }
        mst_buffer_free(&text);
        mst_close(old);
        mst_close(now);
        mst_close(changed);
    }
    assert_int_equal(failed, 0);
}

/* In a level that has changed since, all of the kind with the old value get the new one. */
static void many_elsewhere(void **state) {
    (void)state;
    static const struct {
        const char *patch, *meanwhile;
        const char *expected; /* edits of the sample, with `partial` */
        const char *rejected;
        int reverse;
    } cases[] = {
        {LIGHTS "casts_shadows = false", "objects[0].properties.origin[0] = 5",
         LIGHTS "casts_shadows = false\nobjects[0].properties.origin[0] = 5", "", 0},
        {LIGHTS "casts_shadows = false", "remove objects[3]",
         LIGHTS "casts_shadows = false\nremove objects[3]", "", 0},
        {LIGHTS "casts_shadows = false", "remove objects[19]",
         LIGHTS "casts_shadows = false\nremove objects[19]", LIGHTS "casts_shadows;", 0},
        {LIGHTS "casts_shadows = false", "duplicate objects[19]",
         LIGHTS "casts_shadows = false\nduplicate objects[19]", "", 0},
        {LIGHTS "casts_shadows = false", "objects[19].properties.casts_shadows = false",
         LIGHTS "casts_shadows = false", "", 0},
        {LIGHTS "casts_shadows = false", "remove objects[19].properties[name=casts_shadows]",
         LIGHTS "casts_shadows = false\nremove objects[19].properties[name=casts_shadows]",
         "objects[19].properties.casts_shadows;", 0},
        {LIGHTS "casts_shadows = false", "remove objects[3]", "remove objects[3]", "", 1},
        {LOCATIONS "intensity ?= 5", "remove objects[3]", LOCATIONS "intensity ?= 5\nremove objects[3]", "",
         0},
        {LOCATIONS "intensity ?= 5", "objects[13].properties.intensity ?= 5", LOCATIONS "intensity ?= 5", "",
         0},
        {LOCATIONS "intensity ?= 5", "objects[13].properties.intensity ?= 6",
         LOCATIONS "intensity ?= 5\nobjects[13].properties.intensity = 6",
         "objects[13].properties.intensity=;", 0},
        {LOCATIONS "intensity ?= 5", "objects[13].properties.casts_shadows ?= true",
         "objects[13].properties.casts_shadows ?= true\n" LOCATIONS "intensity ?= 5", "", 0},
        {LOCATIONS "intensity ?= 5", "remove objects[12]", "remove objects[12]", LOCATIONS "intensity;", 1},
        {LOCATIONS "intensity ?= 5", "objects[13].properties.intensity = 6",
         "objects[13].properties.intensity ?= 6", "objects[13].properties.intensity=;", 1},
        {LOCATIONS "intensity ?= 5\n" LOCATIONS "casts_shadows ?= true\nremove objects[30]",
         "remove objects[0]\nobjects[5].properties.origin[0] = 4",
         LOCATIONS
         "intensity ?= 5\n" LOCATIONS
         "casts_shadows ?= true\nremove objects[30]\nremove objects[0]\nobjects[5].properties.origin[0] = 4",
         "", 0},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *base = open_sample(), *changed = open_sample(), *other = open_sample(),
                     *expected = open_sample();
        edit_each(changed, cases[i].patch);
        if (cases[i].reverse)
            edit_each(other, cases[i].patch);
        edit_each(other, cases[i].meanwhile);
        edit_each(expected, cases[i].expected);
        mst_buffer text = make(base, changed, 0);
        assert_true(count_lines(&text, "{\"op\":\"bulk\"") > 0);
        bool right = true;
        for (int partial = *cases[i].rejected == 0; partial < 2; partial++) {
            char rejected[400] = "";
            mst_diagnostic why;
            mst_patch_options options = {.size = sizeof options,
                                         .reverse = cases[i].reverse,
                                         .rejected = reject,
                                         .user = rejected,
                                         .partial = partial};
            mst_status status = mst_patch_apply(other, (const char *)text.data, text.size, &options, &why);
            if (status != (partial ? MST_OK : MST_REFUSED) || strcmp(rejected, cases[i].rejected) != 0) {
                print_error("%zu: %d %s; %s\n", i, status, status ? why.message : "", rejected);
                right = false;
            }
        }
        if (differences(expected, other) != 0) {
            print_error("%zu: %zu differences\n", i, differences(expected, other));
            right = false;
        }
        failed += !right;
        mst_buffer_free(&text);
        mst_close(base);
        mst_close(changed);
        mst_close(other);
        mst_close(expected);
    }
    assert_int_equal(failed, 0);
}

/* ---- text that is not a patch, or not for this file --------------------------------------------------- */

static void assert_refused(mst_document *document, const char *text, mst_status expected,
                           const char *message) {
    mst_diagnostic why;
    size_t size;
    const void *before = mst_document_bytes(document, &size);
    assert_int_equal(mst_patch_apply(document, text, strlen(text), NULL, &why), expected);
    if (!strstr(why.message, message))
        print_error("%s: %s\n", why.path, why.message);
    assert_non_null(strstr(why.message, message));
    assert_ptr_equal(mst_document_bytes(document, &size), before);
}

#define HEAD   "{\"mspatch\":1,\"format\":\"ns2-level\"}\n"
#define END(n) "{\"end\":{\"operations\":" #n "}}\n"

static void not_a_patch(void **state) {
    (void)state;
    session s;
    begin(&s, &(level_plan){.version = 10});
    static const struct {
        const char *text;
        mst_status status;
        const char *message;
    } cases[] = {
        {"", MST_ARGUMENT, "this is not a patch"},
        {"objects\n", MST_ARGUMENT, "this is not a patch"},
        {"{\"objects\":1}\n", MST_ARGUMENT, "this is not a patch"},
        {HEAD "objects\n", MST_ARGUMENT, "not one JSON object"},
        {"{\"mspatch\":2}\n", MST_ARGUMENT, "version of patches"},
        {"{\"mspatch\":1}\n", MST_ARGUMENT, "does not name its format"},
        {"{\"mspatch\":1,\"format\":\"iguana\"}\n" END(0), MST_ARGUMENT, "another format"},
        {HEAD, MST_ARGUMENT, "cut off"},
        {HEAD END(1), MST_ARGUMENT, "cut off"},
        {HEAD "{}\n", MST_ARGUMENT, "not an operation"},
        {HEAD "{\"op\":\"jump\",\"path\":\"\"}\n", MST_ARGUMENT, "unknown operation"},
        {HEAD "{\"op\":\"set\"}\n", MST_ARGUMENT, "needs a \"path\""},
        {HEAD "{\"op\":\"set\",\"at\":{\"list\":\"objects\"}}\n", MST_ARGUMENT, "\"list\" and an \"index\""},
        {HEAD "{\"op\":\"insert\",\"path\":\"objects\",\"new\":1}\n", MST_ARGUMENT, "name an element"},
        {HEAD "{\"op\":\"insert\",\"path\":\"objects[0]\"}\n", MST_ARGUMENT, "needs a \"new\""},
        {HEAD "{\"op\":\"list\",\"path\":\"objects\",\"count\":[1]}\n", MST_ARGUMENT, "two counts"},
        {HEAD "{\"op\":\"raw\",\"offset\":0}\n", MST_ARGUMENT, "raw bytes need"},
        {HEAD "{\"op\":\"raw\",\"old\":\"\",\"new\":\"\"}\n", MST_ARGUMENT, "need an \"offset\""},
        {HEAD "{\"op\":\"raw\",\"offset\":0,\"old\":\"00\",\"new\":\"0g\"}\n" END(1), MST_ARGUMENT,
         "not hexadecimal"},
        {HEAD "{\"op\":\"raw\",\"offset\":99999999,\"old\":\"00\",\"new\":\"00\"}\n" END(1), MST_REFUSED,
         "bytes to replace are not there"},
        {HEAD "{\"op\":\"set\",\"path\":\"absent.value\",\"new\":1}\n" END(1), MST_REFUSED, "does not fit"},
        {HEAD "{\"op\":\"set\",\"path\":\"absent\",\"new\":1}\n" END(1), MST_REFUSED, "no such field"},
        {HEAD "{\"op\":\"insert\",\"path\":\"objects[0]\",\"new\":{}}\n" END(1), MST_REFUSED, "does not fit"},
        {HEAD "{\"op\":\"list\",\"path\":\"objects\",\"count\":[4000000000,1]}\n" END(1), MST_REFUSED,
         "does not fit"},
        {HEAD "{\"op\":\"list\",\"path\":\"objects[99999]\",\"count\":[1,1]}\n" END(1), MST_REFUSED,
         "does not fit"},
        {"{\"mspatch\":1,\"format\":\"ns2-level\",\"old\":{\"sha256\":\"0\"}}\n"
         "{\"op\":\"set\",\"path\":\"version\",\"old\":1,\"new\":2}\n" END(1),
         MST_REFUSED, "do not fit"},
        {"{\"mspatch\":1,\"format\":\"ns2-level\",\"old\":{\"sha256\":\"0\"}}\n"
         "{\"op\":\"set\",\"at\":{\"list\":\"objects\",\"index\":0},\"path\":\"class_name\",\"old\":\"x\","
         "\"new\":\"y\","
         "\"note\":{\"near\":[1,2,3]}}\n" END(1),
         MST_REFUSED, "do not fit"},
        {HEAD "{\"op\":\"bulk\",\"path\":\"class_name\",\"count\":1,\"new\":1}\n", MST_ARGUMENT,
         "needs a \"list\""},
        {HEAD
         "{\"op\":\"bulk\",\"at\":{\"list\":\"objects\",\"index\":0},\"path\":\"x\",\"count\":1,\"new\":1}\n",
         MST_ARGUMENT, "no \"index\""},
        {HEAD "{\"op\":\"bulk\",\"at\":{\"list\":\"objects[0].properties\"},\"path\":\"x\",\"count\":1,"
              "\"new\":1}\n",
         MST_ARGUMENT, "needs a \"list\""},
        {HEAD "{\"op\":\"bulk\",\"at\":{\"list\":\"objects\"},\"count\":1,\"new\":1}\n", MST_ARGUMENT,
         "needs the \"path\""},
        {HEAD "{\"op\":\"bulk\",\"at\":{\"list\":\"objects\"},\"path\":\"x\",\"new\":1}\n", MST_ARGUMENT,
         "needs a \"count\""},
        {HEAD "{\"op\":\"bulk\",\"at\":{\"list\":\"objects\"},\"path\":\"x\",\"count\":0,\"new\":1}\n",
         MST_ARGUMENT, "needs a \"count\""},
        {HEAD "{\"op\":\"bulk\",\"at\":{\"list\":\"objects\"},\"path\":\"x\",\"count\":1}\n", MST_ARGUMENT,
         "\"old\" or \"new\""},
        {HEAD
         "{\"op\":\"bulk\",\"at\":{\"list\":\"objects\"},\"path\":\"x\",\"count\":99,\"new\":1}\n" END(1),
         MST_REFUSED, "does not fit"},
        {HEAD "{\"op\":\"bulk\",\"at\":{\"list\":\"version\"},\"path\":\"x\",\"count\":1,\"new\":1}\n" END(1),
         MST_REFUSED, "does not fit"},
        {"{\"mspatch\":1,\"format\":\"ns2-level\",\"old\":{\"sha256\":\"0\"}}\n"
         "{\"op\":\"bulk\",\"at\":{\"list\":\"absent\",\"a\":[1]},\"path\":\"x\",\"count\":1,\"new\":1}"
         "\n" END(1),
         MST_REFUSED, "do not fit"},
        {"{\"mspatch\":1,\"format\":\"ns2-level\",\"new\":{\"sha256\":\"0\"}}\n" END(0), MST_REFUSED,
         "not the file that the patch was made for"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(s.d, cases[i].text, cases[i].status, cases[i].message);
    end(&s);
}

/* A caller that accepts only the exact file requests it. */
static void only_the_very_file(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 10, .everything = true});
    begin(&now, &(level_plan){.version = 10, .everything = true});
    edit(now.d, "objects[0].class_name = crate");
    mst_buffer text = make(old.d, now.d, 0);
    mst_diagnostic why;
    mst_patch_options options = {.size = sizeof options, .exact = 1};
    edit(old.d, "remove objects[2]");
    assert_int_equal(mst_patch_apply(old.d, (const char *)text.data, text.size, &options, &why), MST_REFUSED);
    assert_non_null(strstr(why.message, "the patch was made from another file"));
    options.exact = 0;
    MUST(mst_patch_apply(old.d, (const char *)text.data, text.size, &options, &why), &why);
    mst_buffer_free(&text);
    end(&old);
    end(&now);
}

/* Bytes that operations cannot express: only as many as allowed. No two files of the corpus need any. */
static void data_is_asked_for(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 10});
    begin(&now, &(level_plan){.version = 10, .everything = true});
    mst_buffer line = {0}, text = {0};
    mst_diagnostic why;
    assert_int_equal(mst_patch_write_raw(old.d, now.d, false, &line, &why), MST_REFUSED);
    assert_non_null(strstr(why.message, "bytes of raw data"));
    MUST(mst_patch_write_raw(old.d, now.d, true, &line, &why), &why);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, HEAD, strlen(HEAD)), NULL);
    MUST(sink.write(sink.user, line.data, line.size), NULL);
    MUST(sink.write(sink.user, END(1), strlen(END(1))), NULL);
    assert_int_equal(count_lines(&text, "{\"op\":\"raw\""), 1);
    assert_true(makes(old.d, now.d, &text, 0, "raw"));
    mst_buffer_free(&line);
    mst_buffer_free(&text);
    end(&old);
    end(&now);
}

/* Every request for memory fails once, later ones less often: a patch is complete, or there is none. */
static void is_made_or_not(const mst_document *old, const mst_document *now, const mst_buffer *whole,
                           size_t step) {
    for (size_t at = 1;; at += step ? 1 + at / step : 1) {
        counted c = {.fail_at = at};
        mst_patch_options options = {
            .size = sizeof options, .allocator = counted_allocator(&c), .plain = true};
        mst_buffer text = {0};
        mst_diagnostic why;
        mst_status status = mst_patch_make(old, now, &options, mst_buffer_sink(&text), &why);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        assert_true(status == MST_OK || status == MST_NO_MEMORY); /* arenas fall back to smaller blocks */
        if (status == MST_OK) {
            assert_int_equal(text.size, whole->size);
            assert_memory_equal(text.data, whole->data, text.size);
        }
        mst_buffer_free(&text);
        if (!c.failed)
            return;
        assert_true(at < 100000);
    }
}

static void memory_runs_out(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 10});
    begin(&now, &(level_plan){.version = 10, .everything = true});
    mst_buffer whole = make(old.d, now.d, 0);
    is_made_or_not(old.d, now.d, &whole, 0);
    mst_buffer_free(&whole);
    end(&old);
    end(&now);
}

/* A document is unchanged, or becomes the new one. */
static void memory_runs_out_for_many(void **state) {
    (void)state;
    mst_document *old = open_sample(), *now = open_sample();
    edit_each(now, LOCATIONS "intensity ?= 5");
    mst_buffer whole = make(old, now, 0);
    assert_int_equal(count_lines(&whole, "{\"op\":\"bulk\""), 1);
    is_made_or_not(old, now, &whole, 16);
    size_t size, refused = 0;
    const void *bytes = mst_document_file(old, 0, NULL, &size);
    for (size_t at = 1;; at += 1 + at / 16) {
        counted c = {.fail_at = at};
        mst_open_options opening = {
            .size = sizeof opening, .name = "outpost.level", .allocator = counted_allocator(&c)};
        mst_document *document = NULL;
        mst_diagnostic why;
        mst_status status = mst_open_memory(bytes, size, &opening, &document, &why);
        if (status == MST_OK)
            status = mst_patch_apply(document, (const char *)whole.data, whole.size, NULL, &why);
        if (status != MST_OK && status != MST_NO_MEMORY)
            print_error("request %zu: %s: %s\n", at, mst_status_text(status), why.message);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        if (document)
            assert_true(same_files(document, status == MST_OK ? now : old));
        refused += status != MST_OK;
        mst_close(document);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
        assert_true(at < 100000);
    }
    assert_true(refused > 10);
    mst_buffer_free(&whole);
    mst_close(old);
    mst_close(now);
}

/* ---- directories ------------------------------------------------------------------------------------- */

typedef struct set_file {
    const char *name;
    const void *bytes;
    size_t size;
} set_file;

typedef struct set {
    set_file files[4]; /* up to one without a name */
} set;

static const char *set_name(void *user, size_t index, uint64_t *size) {
    const set *of = user;
    *size = of->files[index].size;
    return of->files[index].name;
}

static mst_status set_read(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    const set *of = user;
    memcpy(to, (const char *)of->files[index].bytes + offset, count);
    return MST_OK;
}

static mst_container *container_of(set *of) {
    mst_container *container;
    mst_diagnostic why;
    mst_container_files files = {.size = sizeof files, .name = set_name, .read = set_read, .user = of};
    while (files.count < 4 && of->files[files.count].name)
        files.count++;
    MUST(mst_container_open_files(&files, NULL, &container, &why), &why);
    return container;
}

/* The result of a set: each file once, with the expected contents. */
typedef struct arrived {
    const set *wanted;
    size_t count;
} arrived;

static mst_status arrives(void *user, const mst_merged_file *file) {
    arrived *to = user;
    const set_file *wanted = to->wanted->files;
    if (!file->bytes)
        return MST_OK;
    while (wanted->name && strcmp(wanted->name, file->name) != 0)
        wanted++;
    assert_non_null(wanted->name);
    assert_int_equal(file->byte_count, wanted->size);
    assert_memory_equal(file->bytes, wanted->bytes, wanted->size);
    to->count++;
    return MST_OK;
}

/* Of two files that are one level, one that looks like a level of another game: each has its own bytes in the
 * patch. */
static void two_files_of_two_games(void **state) {
    (void)state;
    static const unsigned char before[] = {0, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0x40, 255, 255, 255, 255},
                               after[] = {0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 255, 255, 255, 255};
    set sides[2] = {{{{"TEX0.bin", "MAP \10\0\0\0\0\0\0\0", 12}, {"TEX0.tab", before, sizeof before}}},
                    {{{"TEX0.bin", "", 0}, {"TEX0.tab", after, sizeof after}}}};
    mst_container *containers[2] = {container_of(&sides[0]), container_of(&sides[1])};
    mst_buffer text = {0};
    mst_diagnostic why;
    MUST(make_sets(containers, NULL, &text, &why), &why);
    keep(&text);
    for (int back = 0; back < 2; back++) {
        mst_patch_options options = {.size = sizeof options, .reverse = back};
        arrived got = {.wanted = &sides[!back]};
        MUST(apply_sets(containers[back], &text, &options, arrives, &got, &why), &why);
        assert_int_equal(got.count, 2);
    }
    mst_buffer_free(&text);
    mst_container_close(containers[0]);
    mst_container_close(containers[1]);
}

/* Every request for memory fails once, and then all after it: nothing is lost, and no partial result appears.
 */
static void memory_runs_out_for_sets(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 10});
    begin(&now, &(level_plan){.version = 10, .everything = true});
    set sides[2] = {{{{"a.level", old.w.data, old.w.size}, {"b.png", "old", 3}, {"gone.png", "abc", 3}}},
                    {{{"a.level", now.w.data, now.w.size},
                      {"b.png", "newer", 5},
                      {"is now.png", "abc", 3},
                      {"new.png", "", 0}}}};
    mst_container *containers[2] = {container_of(&sides[0]), container_of(&sides[1])};
    mst_buffer whole = {0};
    mst_diagnostic why;
    MUST(make_sets(containers, NULL, &whole, &why), &why);
    keep(&whole);
    for (int what = 0; what < 6; what++) { /* made, applied, applied backwards; each once or for good */
        size_t refused = 0;
        for (size_t at = 1;; at += 1 + at / 16) { /* later ones less often */
            counted c = {.fail_at = at, .for_good = what > 2};
            mst_patch_options options = {
                .size = sizeof options, .allocator = counted_allocator(&c), .reverse = what % 3 == 2};
            mst_buffer text = {0};
            arrived got = {.wanted = &sides[!options.reverse]};
            memset(&why, 0, sizeof why);
            mst_status status =
                what % 3 ? apply_sets(containers[options.reverse], &whole, &options, arrives, &got, &why)
                         : make_sets(containers, &options, &text, &why);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            if (status != MST_OK) {
                assert_int_equal(status, MST_NO_MEMORY);
                assert_int_not_equal(why.message[0], 0);
                assert_int_equal(got.count, 0);
                refused++;
            } else if (what % 3) {
                assert_int_equal(got.count, options.reverse ? 3 : 4);
            } else {
                assert_int_equal(text.size, whole.size);
                assert_memory_equal(text.data, whole.data, text.size);
            }
            mst_buffer_free(&text);
            if (!c.failed)
                break;
            assert_true(at < 100000);
        }
        assert_true(refused > 10);
    }
    mst_buffer_free(&whole);
    mst_container_close(containers[0]);
    mst_container_close(containers[1]);
    end(&old);
    end(&now);
}

/* Bytes after the last block that become part of it, if the packed one before it becomes an archive that
 * claims one byte more than it has: they would be packed on the way forward and an archive on the way
 * back. */
static void no_way_back(void **state) {
    (void)state;
    mst_document
        *old = open_json(
            "{\"$format\":\"iguana\",\"$gaps.blocks\":[[1,\"0300\"]],\"blocks\":[{\"rnc\":{\"method\":1,"
            "\"unpacked_size\":4,\"packed_size\":4,\"unpacked_crc\":0,\"packed_crc\":0,\"leeway\":0,"
            "\"chunk_count\":1,\"packed\":\"00010272\"}}],\"tail\":\"00\"}",
            NULL),
        *now = open_json("{\"$format\":\"iguana\",\"blocks\":[{\"raw\":"
                         "\"02000000100000001800000019000000f1f2f3f4f5f6f7f8\"}],\"tail\":\"00\"}",
                         NULL),
        *changed;
    MUST(mst_rebuild(old, &changed, NULL), NULL);
    mst_buffer text = make(old, now, 0);
    assert_true(makes(changed, now, &text, 0, "a longer archive"));
    assert_true(makes(changed, old, &text, 1, "a longer archive"));
    mst_buffer_free(&text);
    mst_close(old);
    mst_close(now);
    mst_close(changed);
}

int test_patch(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out_for_sets),
        cmocka_unit_test(no_way_back),
        cmocka_unit_test(two_files_of_two_games),
        cmocka_unit_test(nothing_has_changed),
        cmocka_unit_test(a_vertex_moves),
        cmocka_unit_test(other_files),
        cmocka_unit_test(lists_in_elements),
        cmocka_unit_test(two_of_one_name),
        cmocka_unit_test(what_is_needed_meanwhile),
        cmocka_unit_test(what_would_be_worse),
        cmocka_unit_test(rows_of_other_files),
        cmocka_unit_test(chunks_in_another_order),
        cmocka_unit_test(only_the_very_file),
        cmocka_unit_test(not_a_patch),
        cmocka_unit_test(data_is_asked_for),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(memory_runs_out_for_many),
        cmocka_unit_test(many_in_one),
        cmocka_unit_test(many_elsewhere),
        cmocka_unit_test(successive_saves),
        cmocka_unit_test(any_two_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
