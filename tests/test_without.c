/* SPDX-License-Identifier: MIT */
/*
 * A level from which an element was removed equals one built without it. On one side it is removed by an
 * edit; on the other the element and the references to it are removed here from the level as JSON, by the
 * formats' descriptions of its numbers, without the tables and the code of edits. The checks find nothing in
 * the first that they do not find in the second, and if only numbers are adjusted the two files are the same.
 *
 * Of long lists some elements are tried; with MAPSTONE_THOROUGH all are.
 */
#include "fixtures.h"
#include "without.h"
#include <mapstone/edit.h>

/* ---- the two compared ------------------------------------------------------------------------------------
 */

#define FINDINGS 4000
typedef struct found_by_checks {
    char *lines[FINDINGS];
    size_t count;
} found_by_checks;

static mst_status keep_finding(void *user, const mst_diagnostic *one) {
    found_by_checks *all = user;
    char line[440];
    assert_true(all->count < FINDINGS);
    snprintf(line, sizeof line, "%d %s %s", one->severity, one->code, one->path);
    char *kept = malloc(sizeof line);
    assert_non_null(kept);
    strcpy(kept, line);
    all->lines[all->count++] = kept;
    return MST_OK;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static found_by_checks *find_all(const mst_document *d) {
    found_by_checks *all = calloc(1, sizeof *all);
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_diagnostic why;
    assert_non_null(all);
    MUST(mst_check(d, &options, keep_finding, all, NULL, &why), &why);
    qsort(all->lines, all->count, sizeof *all->lines, by_text);
    return all;
}

static void free_findings(found_by_checks *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->lines[i]);
    free(all);
}

/* The first finding that the others lack; NULL: none. */
static const char *one_more(const found_by_checks *all, const found_by_checks *others) {
    size_t k = 0;
    for (size_t i = 0; i < all->count; i++, k++) {
        while (k < others->count && strcmp(others->lines[k], all->lines[i]) < 0)
            k++;
        if (k == others->count || strcmp(others->lines[k], all->lines[i]) != 0)
            return all->lines[i];
    }
    return NULL;
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

typedef struct totals {
    size_t removed, same, refused, unbuilt, failed;
} totals;

#define PATTERNS 600
#define LONG     300
typedef struct tried {
    char pattern[LONG];
    size_t count;
} tried;

/* The path of a node, and the same without numbers. */
static void path_of(const tree *t, uint32_t node, char path[LONG], char pattern[LONG]) {
    uint32_t up[64];
    size_t depth = 0, n = 0, m = 0;
    for (; node; node = t->parent[node]) {
        assert_true(depth < 64);
        up[depth++] = node;
    }
    path[0] = pattern[0] = 0;
    while (depth--) {
        uint32_t at = up[depth], place = t->place[at];
        if (t->json.nodes[t->parent[at]].kind == MST_JSON_ARRAY) {
            n += (size_t)snprintf(path + n, LONG - n, "[%u]", place);
            m += (size_t)snprintf(pattern + m, LONG - m, "[]");
        } else {
            const mst_json_node *key = &t->json.nodes[place];
            n += (size_t)snprintf(path + n, LONG - n, "%s%.*s", n ? "." : "", (int)key->length, key->text);
            m += (size_t)snprintf(pattern + m, LONG - m, "%s%.*s", m ? "." : "", (int)key->length, key->text);
        }
        assert_true(n < LONG && m < LONG);
    }
}

/* Removing elements of these adjusts more than numbers: the files may differ, the findings may not. */
static const struct {
    const char *level, *list; /* how their names begin */
} more_follows[] = {
    {"alien_", "map.path_nodes"}, /* cells get the nearest of the remaining ones (alien.md 8) */
    {"bunker", "map.path_nodes"},
    {"alien_", "map.monsters"}, /* the masks of their types */
    {"bunker", "map.monsters"},
    {"bunker", "map.texture_anim"}, /* quads are removed from several runs */
    {"bunker", "door_models"},      /* the last quad is marked */
    {"bunker", "lift_models"},
    {"alien_sprites", "sections"}, /* the header counts them in letters */
    {"alien_models", "models"},
    {"alien_gfx", ""}, /* the header counts all */
    {"bunker-textures", ""},
    {"outpost", "mesh."},           /* materials are in the order of their use (ns2.md 8) */
    {"turok_map", "grid_sections"}, /* the cell's box */
    {"valley", "grid_sections"},
    {"turok_animation", "animations[].yaw_offsets"},
    {"revenant_", "objects"},    /* shadows; carried things are removed with the carrier */
    {"revenant_model", "parts"}, /* states and bodies have numbers of parts */
    {"revenant_old_model", "parts"},
    {"keep_", "objects[].inventory"}, /* its count */
    {"sfa_list_zlb", "objects"},      /* parameters that name other objects */
    {"sfa_hits", "blocks[].lines"},   /* padding has the size of lines */
    {"sfa_block", "block."},          /* boxes, and places in the streams */
    {"ns2_everything", "layers"},     /* chunks of unknown kinds would be layers */
    {"ns2_odd", "layers"},
};

static bool only_numbers_follow(const char *name, const char *list) {
    for (size_t i = 0; i < sizeof more_follows / sizeof *more_follows; i++)
        if (strncmp(name, more_follows[i].level, strlen(more_follows[i].level)) == 0 &&
            strncmp(list, more_follows[i].list, strlen(more_follows[i].list)) == 0)
            return false;
    return true;
}

static void compare(const char *name, const char *path, const char *list, const mst_document *edited,
                    const mst_document *built, totals *sum) {
    found_by_checks *of_edited = find_all(edited), *of_built = find_all(built);
    const char *more = one_more(of_edited, of_built);
    bool same = same_files(edited, built);
    if (more || (!same && only_numbers_follow(name, list))) {
        sum->failed++;
        print_error("%s: without %s: %s\n", name, path,
                    more ? more : "not the file that is built without it");
    }
    sum->same += same;
    free_findings(of_edited);
    free_findings(of_built);
}

static mst_document *open_fixture(const fixture *f) {
    mst_document *d;
    mst_diagnostic why;
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    if (mst_checksum_path(d))
        MUST(mst_set(d, mst_checksum_path(d), "auto", &why), &why);
    return d;
}

static void remove_both(const fixture *f, tree *t, uint32_t node, totals *sum) {
    char path[LONG], list[LONG];
    mst_document *edited = open_fixture(f), *built = NULL;
    mst_diagnostic why;
    path_of(t, node, path, list);
    mst_operation one = {.kind = MST_OPERATION_REMOVE, .path = path};
    mst_edit_options how = {.size = sizeof how, .cascade = 1};
    if (mst_edit(edited, &one, 1, &how, &why) != MST_OK) {
        sum->refused++;
    } else if (build_without(t, node, f->source->file, &built, &why) != MST_OK) {
        sum->unbuilt++;
        if (only_numbers_follow(f->source->name, list)) {
            sum->failed++;
            print_error("%s: without %s it cannot be built: %s %s (expected %s, found %s)\n", f->source->name,
                        path, why.path, why.message, why.expected, why.found);
        }
    } else {
        sum->removed++;
        compare(f->source->name, path, list, edited, built, sum);
        mst_close(built);
    }
    mst_close(edited);
}

static size_t *tries_of(tried *all, size_t *count, const char *pattern) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(all[i].pattern, pattern) == 0)
            return &all[i].count;
    assert_true(*count < PATTERNS);
    snprintf(all[*count].pattern, LONG, "%s", pattern);
    return &all[(*count)++].count;
}

static void try_fixture(const fixture *f, totals *sum) {
    static tried patterns[PATTERNS];
    size_t count = 0, lists = getenv("MAPSTONE_THOROUGH") ? SIZE_MAX : 3;
    mst_document *base = open_fixture(f);
    tree t;
    memset(patterns, 0, sizeof patterns);
    read_tree(&t, base);
    for (uint32_t i = 1; i < t.json.count; i++) {
        const mst_json_node *list = &t.json.nodes[i];
        char path[LONG], pattern[LONG];
        if (list->kind != MST_JSON_ARRAY || !list->count)
            continue;
        path_of(&t, i, path, pattern);
        size_t *tries = tries_of(patterns, &count, pattern), refused = sum->refused;
        if ((*tries)++ >= lists)
            continue;
        uint32_t step = getenv("MAPSTONE_THOROUGH") || list->count < 8 ? 1 : list->count / 3, node = i + 1;
        for (uint32_t k = 0; k < list->count && sum->refused - refused < 5;
             k++, node = t.json.nodes[node].end)
            if (k % step == 0 || k + 1 == list->count)
                remove_both(f, &t, node, sum);
    }
    free_tree(&t);
    mst_close(base);
}

static void what_is_left_is_as_if_built_without_it(void **state) {
    (void)state;
    totals sum = {0};
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        if (!fixture_make(&fixtures[i], &f))
            continue;
        try_fixture(&f, &sum);
        fixture_free(&f);
    }
    print_message("# %zu removed, %zu the same files, %zu not built, %zu refused\n", sum.removed, sum.same,
                  sum.unbuilt, sum.refused);
    assert_int_equal(sum.failed, 0);
    assert_true(sum.removed > 1000 && sum.same > 900);
}

int test_without(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_as_if_built_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
