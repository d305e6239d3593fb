/* SPDX-License-Identifier: MIT */
/* Merging three documents: the edits of two sides have the result of one editor making both; contradictions
 * are conflicts. */
#include "edit.h"
#include "fixture_files.h"
#include <mapstone/edit.h>
#include <mapstone/merge.h>

/* ---- documents -------------------------------------------------------------------------------------- */

static mst_document *open_sample(const char *path, const char *name) {
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

static mst_document *open_corpus(const char *file) {
    char path[512];
    mst_document *d;
    mst_diagnostic why;
    if (!corpus_path(file, path, sizeof path))
        skip();
    MUST(mst_open_file(path, NULL, &d, &why), &why);
    return d;
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
    size_t n, m;
    const void *x = mst_document_file(a, 0, NULL, &n), *y = mst_document_file(b, 0, NULL, &m);
    return n == m && memcmp(x, y, n) == 0;
}

/* ---- differences ------------------------------------------------------------------------------------- */

static mst_status see(void *user, const mst_difference *change) {
    size_t *count = user;
    if (change->sort == MST_DIFFERENCE_STORAGE)
        return MST_OK;
    print_error("    %d %s[%lld/%lld] %s %s (%d)\n", change->kind, change->list, (long long)change->old_index,
                (long long)change->new_index, change->label, change->path, change->sort);
    ++*count;
    return MST_OK;
}

/* The number of differences apart from how values are stored. */
static size_t differences(const mst_document *old, const mst_document *now) {
    size_t count = 0;
    mst_diagnostic why;
    mst_diff_options options = {.size = sizeof options, .within_derived = 1};
    MUST(mst_diff(old, now, &options, see, &count, &why), &why);
    return count;
}

/* ---- conflicts --------------------------------------------------------------------------------------- */

typedef struct heard {
    char lines[16][200], changed[16][80];
    size_t count;
} heard;

static mst_status hear(void *user, const mst_conflict *conflict) {
    heard *all = user;
    static const char *const kinds[] = {"value", "gone", "goes", "number", "ambiguous"};
    if (all->count < sizeof all->lines / sizeof *all->lines) {
        snprintf(all->lines[all->count], sizeof *all->lines, "%s %s%s%s", kinds[conflict->kind],
                 conflict->path, conflict->marked ? " " : "", conflict->marked ? conflict->marked : "");
        snprintf(all->changed[all->count], sizeof *all->changed, "%s",
                 conflict->changed ? conflict->changed : "-");
    }
    all->count++;
    return MST_OK;
}

static uint64_t merge(mst_document *ours, const mst_document *base, const mst_document *theirs,
                      mst_preference prefer, heard *all) {
    mst_diagnostic why;
    uint64_t conflicts;
    mst_check_options checks = {.size = sizeof checks, .details = 1};
    memset(all, 0, sizeof *all);
    mst_merge_options options = {
        .size = sizeof options, .prefer = prefer, .conflict = hear, .user = all, .checks = &checks};
    MUST(mst_merge(ours, base, theirs, &options, &conflicts, &why), &why);
    assert_int_equal(conflicts, prefer == MST_PREFER_NONE ? all->count : 0);
    return conflicts;
}

/* ---- edits that are independent of each other --------------------------------------------------------- */

typedef struct plan {
    const char *sample, *name;
    const char *ours, *theirs;
    const char *both; /* NULL: ours, then theirs */
} plan;

#define OUTPOST "samples/outpost.json", "outpost.level"
#define VALLEY  "samples/valley.json", "valley.map"
#define BUNKER  "samples/bunker.json", "L101LEV.MAP"
#define SECTOR  "samples/keep/7_10_10.json", "7_10_10.DAT"
#define CARRIER "samples/keep/7_10_11.json", "7_10_11.DAT" /* objects[137] carries one thing */

static const plan plans[] = {
    {OUTPOST, "objects[7].properties.origin[0] = -24", "objects[19].properties.intensity = 2", NULL},
    {OUTPOST, "objects[7].properties.origin[0] = -24", "objects[7].properties.angles[1] = 2", NULL},
    {OUTPOST, "remove objects[30]", "objects[31].properties.origin[0] = 5\nremove objects[40]",
     "objects[31].properties.origin[0] = 5\nremove objects[40]\nremove objects[30]"},
    {OUTPOST, "duplicate objects[7]\nobjects[8].properties.origin[0] = -99",
     "duplicate objects[19]\nobjects[20].properties.intensity = 7",
     "duplicate objects[19]\nobjects[20].properties.intensity = 7\nduplicate objects[7]\n"
     "objects[8].properties.origin[0] = -99"},
    {OUTPOST, "remove mesh.faces[3]", "remove mesh.faces[20]", "remove mesh.faces[20]\nremove mesh.faces[3]"},
    {OUTPOST, "mesh.vertices[100].position[1] = 7", "mesh.vertices[101].position[1] = 8", NULL},
    {OUTPOST, "remove mesh.faces[3]", "mesh.vertices[100].position[1] = 77",
     "mesh.vertices[100].position[1] = 77\nremove mesh.faces[3]"},
    {OUTPOST, "mesh.faces[5].material = 1", "remove mesh.faces[20]\nremove mesh.faces[2]",
     "mesh.faces[5].material = 1\nremove mesh.faces[20]\nremove mesh.faces[2]"},
    {OUTPOST, "remove mesh.faces[3]\nremove mesh.faces[3]\nremove mesh.faces[3]", "duplicate mesh.faces[30]",
     "duplicate mesh.faces[30]\nremove mesh.faces[3]\nremove mesh.faces[3]\nremove mesh.faces[3]"},
    {OUTPOST, "layers[0].name = Boxes", "remove layers[1]", NULL},
    /* Materials are in the order of their first use: face 0's is number 0, whichever it is. */
    {OUTPOST, "remove mesh.materials[3]", "mesh.faces[0].material = 3",
     "mesh.faces[0].material = 3\n"
     "remove mesh.faces[166]\nremove mesh.faces[163]\nremove mesh.faces[156]\nremove mesh.faces[155]\n"
     "remove mesh.faces[151]\nremove mesh.faces[148]\nremove mesh.faces[145]\nremove mesh.faces[141]\n"
     "remove mesh.faces[137]\nremove mesh.faces[120]\nremove mesh.faces[119]\nremove mesh.faces[118]\n"
     "remove mesh.faces[117]\nremove mesh.faces[105]\nremove mesh.faces[101]\nremove mesh.faces[97]\n"
     "remove mesh.faces[93]\nremove mesh.faces[90]\nremove mesh.faces[85]\nremove mesh.faces[81]\n"
     "remove mesh.faces[77]"},
    {VALLEY, "actors.records[0].health = 7", "remove actors.records[3]", NULL},
    {VALLEY, "duplicate actors.records[2]", "remove actors.records[5]",
     "remove actors.records[5]\nduplicate actors.records[2]"},
    {VALLEY, "collision.sector_sets[9].flags += water", "actors.records[1].origin[0] = 100", NULL},
    {BUNKER, "map.monsters[0].health = 7", "map.pickups[0].x = 9", NULL},
    {BUNKER, "map.monsters[0].health = 7", "remove map.monsters[2]", NULL},
    {SECTOR, "objects[1].position[0] = 5", "remove objects[3]", NULL},
    {SECTOR, "duplicate objects[2]", "objects[0].name = Gate",
     "objects[0].name = Gate\nduplicate objects[2]"},
};

static mst_document *edited(const plan *one, const char *first, const char *second) {
    mst_document *d = open_sample(one->sample, one->name);
    if (first)
        edit(d, first);
    if (second)
        edit(d, second);
    return d;
}

static void as_if_one_had_made_both(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const plan *one = &plans[i];
        mst_document *base = edited(one, NULL, NULL), *ours = edited(one, one->ours, NULL),
                     *theirs = edited(one, one->theirs, NULL), *other = edited(one, one->theirs, NULL),
                     *both = one->both ? edited(one, one->both, NULL) : edited(one, one->ours, one->theirs);
        heard all;
        bool right = merge(ours, base, theirs, MST_PREFER_NONE, &all) == 0;
        for (size_t k = 0; k < all.count; k++)
            print_error("    %s\n", all.lines[k]);
        right = !differences(both, ours) && right;
        mst_document *again = edited(one, one->ours, NULL);
        right = merge(other, base, again, MST_PREFER_NONE, &all) == 0 && right;
        right = !differences(both, other) && right;
        if (!right) {
            print_error("%zu: %s; %s\n", i, one->ours, one->theirs);
            failed++;
        }
        mst_document *const closed[] = {base, ours, theirs, other, both, again};
        for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
            mst_close(closed[k]);
    }
    assert_int_equal(failed, 0);
}

/* Both sides give new elements the next free id: theirs get other ids, and references to them are updated. */
static void ids_that_both_gave(void **state) {
    (void)state;
#define ISLET "samples/islet/capeclaw.romlist.zlb.json", "capeclaw.romlist.zlb"
    static const plan all[] = {
        {OUTPOST, "add layers name=A\nobjects[12].layer_masks = [8,0,0,0,0,0,0,0]",
         "add layers name=B\nobjects[13].layer_masks = [12,0,0,0,0,0,0,0]\nduplicate objects[13]",
         "add layers name=A\nobjects[12].layer_masks = [8,0,0,0,0,0,0,0]\nadd layers name=B\n"
         "objects[13].layer_masks = [20,0,0,0,0,0,0,0]\nduplicate objects[13]"},
        {OUTPOST, "add layers name=A id=31",
         "add layers name=B id=31\nobjects[13].layer_masks[0] = 0x80000004",
         "add layers name=A id=31\nadd layers name=B id=32\nobjects[13].layer_masks[1] = 1"},
        {OUTPOST, "add groups name=A id=4", "add groups name=B id=4\nobjects[3].group = 4",
         "add groups name=A id=4\nadd groups name=B id=5\nobjects[3].group = 5"},
        {OUTPOST, "add groups name=A id=4", "add groups name=A id=4\nobjects[3].group = 4",
         "add groups name=A id=4\nobjects[3].group = 4"},
        {VALLEY, "duplicate actors.records[82]",
         "duplicate actors.records[83]\nactors.records[75].target_tid = 352",
         "duplicate actors.records[82]\nduplicate actors.records[84]\nactors.records[75].target_tid = 353"},
        {ISLET, "duplicate objects[42]", "duplicate objects[43]\nobjects[43].parameters.links[2] = 118855",
         "duplicate objects[42]\nduplicate objects[44]\nobjects[44].parameters.links[2] = 118856"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const plan *one = &all[i];
        mst_document *base = edited(one, NULL, NULL), *ours = edited(one, one->ours, NULL),
                     *theirs = edited(one, one->theirs, NULL), *before = edited(one, one->theirs, NULL),
                     *both = edited(one, one->both, NULL);
        heard found;
        assert_int_equal(merge(ours, base, theirs, MST_PREFER_NONE, &found), 0);
        size_t count = differences(both, ours);
        if (count)
            print_error("%zu: %s; %s\n", i, one->ours, one->theirs);
        assert_int_equal(count, 0);
        assert_true(same_files(theirs, before));
        mst_document *const closed[] = {base, ours, theirs, before, both};
        for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
            mst_close(closed[k]);
    }
}

/* ---- histories -------------------------------------------------------------------------------------- */

/* One side did nothing: the other's bytes are kept. Our edits merged with the changes of a real save equal
 * the same edits applied to that save. */
static void real_saves(void **state) {
    (void)state;
    static const struct {
        const char *base, *theirs, *edit, *of_theirs;
    } cases[] = {
        {"histories/ns2/minegate/1.level", "histories/ns2/minegate/2.level",
         "objects[5].class_name = location", NULL},
        {"histories/ns2/eem_test/1.level", "histories/ns2/eem_test/2.level", "remove mesh.faces[0]", NULL},
        {"histories/ns2/eem_test/2.level", "histories/ns2/eem_test/1.level", "remove mesh.faces[0]", NULL},
        {"histories/ns2/sws2/1.level", "histories/ns2/sws2/2.level", "remove mesh.faces[0]", NULL},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *base = open_corpus(cases[i].base), *theirs = open_corpus(cases[i].theirs),
                     *ours = open_corpus(cases[i].base), *both = open_corpus(cases[i].theirs);
        heard all;
        merge(ours, base, theirs, MST_PREFER_NONE, &all);
        assert_true(same_files(ours, theirs));
        merge(ours, base, base, MST_PREFER_NONE, &all);
        assert_true(same_files(ours, theirs));
        mst_close(ours);
        ours = open_corpus(cases[i].base);
        edit(ours, cases[i].edit);
        edit(both, cases[i].of_theirs ? cases[i].of_theirs : cases[i].edit);
        bool right = !merge(ours, base, theirs, MST_PREFER_NONE, &all);
        for (size_t k = 0; k < all.count; k++)
            print_error("    %s\n", all.lines[k]);
        if (differences(both, ours) || !right) {
            print_error("%zu: %s and %s\n", i, cases[i].theirs, cases[i].edit);
            failed++;
        }
        mst_close(base);
        mst_close(theirs);
        mst_close(ours);
        mst_close(both);
    }
    assert_int_equal(failed, 0);
}

/* ---- contradictions ---------------------------------------------------------------------------------- */

#define NEW_MATERIAL(name)                                                                                   \
    "insert mesh.materials[4] = \"materials/" name ".material\"\nmesh.faces[172].material = 4"

static void conflicts(void **state) {
    (void)state;
    static const struct {
        plan of;
        const char *conflict;
        const char *ours, *theirs; /* the result if one side is preferred; NULL: nothing is compared */
    } cases[] = {
        {{OUTPOST, "objects[19].properties.intensity = 2", "objects[19].properties.intensity = 3", NULL},
         "value objects[19].properties.intensity",
         "objects[19].properties.intensity = 2",
         "objects[19].properties.intensity = 3"},
        {{OUTPOST, "remove objects[19]", "objects[19].properties.intensity = 3", NULL},
         "gone objects[19].properties.intensity",
         "remove objects[19]",
         "objects[19].properties.intensity = 3"},
        {{OUTPOST, "objects[19].properties.intensity = 3", "remove objects[19]", NULL},
         "goes objects[19]",
         "objects[19].properties.intensity = 3",
         "remove objects[19]"},
        {{OUTPOST, "objects[19].properties.scale ?= [2, 2, 2]", "objects[19].properties.scale ?= [3, 3, 3]",
          NULL},
         "value objects[19].properties.scale",
         "objects[19].properties.scale ?= [2, 2, 2]",
         "objects[19].properties.scale ?= [3, 3, 3]"},
        {{OUTPOST, "mesh.vertices[100].position[1] = 7", "mesh.vertices[100].position[1] = 8", NULL},
         "value mesh.vertices[100].position",
         "mesh.vertices[100].position[1] = 7",
         "mesh.vertices[100].position[1] = 8"},
        /* The numbers are equal, but name different materials: */
        {{OUTPOST, "mesh.faces[0].material = 2", "mesh.faces[0].material = 3", NULL},
         "value mesh.faces[0].material",
         "mesh.faces[0].material = 2",
         "mesh.faces[0].material = 3"},
        {{OUTPOST, NEW_MATERIAL("x"), NEW_MATERIAL("y"), NULL},
         "value mesh.faces[172].material",
         NEW_MATERIAL("x"),
         NEW_MATERIAL("y")},
        /* the triangles of a face that stays are counted */
        {{OUTPOST, "mesh.faces[5].angle = 0.5", "remove mesh.faces[5]", NULL},
         "goes mesh.faces[5]",
         "mesh.faces[5].angle = 0.5",
         NULL},
        /* the type of an object is a value */
        {{OUTPOST, "objects[19].class_name = light_spot", "remove objects[19]", NULL},
         "goes objects[19]",
         "objects[19].class_name = light_spot",
         "remove objects[19]"},
        /* an object is put into a layer that the other side removes; its earlier members stay in it */
        {{OUTPOST, "objects[3].layer_masks[0] = 5", "remove layers[0]", NULL},
         "goes layers[0]",
         "objects[3].layer_masks[0] = 5",
         "remove layers[0]"},
        {{OUTPOST, "remove layers[0]", "objects[3].layer_masks[0] = 5", NULL},
         "gone objects[3].layer_masks",
         "remove layers[0]",
         "objects[3].layer_masks[0] = 5"},
        /* it leaves another layer for that one: without it, it is where it was */
        {{OUTPOST, "objects[3].layer_masks[0] = 1", "remove layers[0]", NULL},
         "goes layers[0]",
         "objects[3].layer_masks[0] = 1",
         "remove layers[0]"},
        {{OUTPOST, "remove layers[0]", "objects[3].layer_masks[0] = 1", NULL},
         "gone objects[3].layer_masks",
         "remove layers[0]",
         "objects[3].layer_masks[0] = 1"},
        {{OUTPOST, "remove groups[0]", "objects[3].group = 1", NULL},
         "gone objects[3].group",
         "remove groups[0]",
         "objects[3].group = 1"},
        /* a layer or a group is changed by one side and removed by the other: if it stays, so do its members
         */
        {{OUTPOST, "layers[0].name = Boxes", "remove layers[0]", NULL},
         "goes layers[0]",
         "layers[0].name = Boxes",
         "remove layers[0]"},
        {{OUTPOST, "remove layers[0]", "layers[0].name = Boxes", NULL},
         "gone layers[0].name",
         "remove layers[0]",
         "layers[0].name = Boxes"},
        {{OUTPOST, "groups[0].name = Hall", "remove groups[0]", NULL},
         "goes groups[0]",
         "groups[0].name = Hall",
         "remove groups[0]"},
        {{OUTPOST, "remove groups[0]", "groups[0].name = Hall", NULL},
         "gone groups[0].name",
         "remove groups[0]",
         "groups[0].name = Hall"},
        {{VALLEY, "actors.records[0].health = 7", "actors.records[0].health = 8", NULL},
         "value actors.records[0].health",
         "actors.records[0].health = 7",
         "actors.records[0].health = 8"},
        /* without the last thing, there is no list of them */
        {{CARRIER, "remove objects[137].inventory[0]", "objects[137].inventory[0].name = Boots", NULL},
         "gone objects[137].inventory[0].name",
         "remove objects[137].inventory[0]",
         "objects[137].inventory[0].name = Boots"},
        {{CARRIER, "objects[137].inventory[0].name = Boots", "remove objects[137].inventory[0]", NULL},
         "goes objects[137].inventory",
         "objects[137].inventory[0].name = Boots",
         "remove objects[137].inventory[0]"},
        {{SECTOR, "objects[1].position[0] = 5", "objects[1].position[0] = 6", NULL},
         "value objects[1].position",
         "objects[1].position[0] = 5",
         "objects[1].position[0] = 6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int prefer = MST_PREFER_NONE; prefer <= MST_PREFER_THEIRS; prefer++) {
            const plan *one = &cases[i].of;
            mst_document *base = edited(one, NULL, NULL), *ours = edited(one, one->ours, NULL),
                         *theirs = edited(one, one->theirs, NULL);
            heard all;
            merge(ours, base, theirs, (mst_preference)prefer, &all);
            if (all.count != 1 || strcmp(all.lines[0], cases[i].conflict) != 0)
                print_error("%zu: %zu %s\n", i, all.count, all.lines[0]);
            assert_int_equal(all.count, 1);
            assert_string_equal(all.lines[0], cases[i].conflict);
            const char *stands = prefer == MST_PREFER_THEIRS ? cases[i].theirs : cases[i].ours;
            if (stands) {
                mst_document *expected = edited(one, stands, NULL);
                assert_int_equal(differences(expected, ours), 0);
                mst_close(expected);
            }
            mst_close(base);
            mst_close(ours);
            mst_close(theirs);
        }
}

/* Five conflicts, each of which is left, or resolved to ours, theirs or a value of neither side. */
typedef struct choices {
    const char *paths[5], *values[5];
    int made[5]; /* an mst_preference; 3: the value */
    size_t asked, reported;
} choices;

static size_t numbered(const choices *all, const char *path) {
    for (size_t i = 0; i < 5; i++)
        if (strcmp(all->paths[i], path) == 0)
            return i;
    fail_msg("%s is not expected to be in conflict", path);
    return 0;
}

static mst_status choose(void *user, const mst_conflict *conflict, mst_resolution *resolution) {
    choices *all = user;
    const size_t i = numbered(all, conflict->path);
    assert_int_equal(resolution->side, MST_PREFER_NONE);
    all->asked++;
    if (all->made[i] == 3)
        resolution->value = all->values[i];
    else
        resolution->side = (mst_preference)all->made[i];
    return MST_OK;
}

static mst_status hear_choice(void *user, const mst_conflict *conflict) {
    choices *all = user;
    const int made = all->made[numbered(all, conflict->path)];
    assert_int_equal(conflict->decided, made == 3 ? MST_PREFER_THEIRS : made);
    all->reported++;
    return MST_OK;
}

static void one_by_one(void **state) {
    (void)state;
    /* ours, theirs, a value; from the end on, so that removals do not change the following indices */
    static const char *const operations[5][3] = {
        {"objects[30].properties.model = ours.model", "objects[30].properties.model = theirs.model",
         "objects[30].properties.model = other.model"},
        {"objects[22].properties.intensity = 9", "remove objects[22]", NULL},
        {"remove objects[20]", "objects[20].properties.intensity = 3", NULL},
        {"objects[19].properties.intensity = 2", "objects[19].properties.intensity = 3",
         "objects[19].properties.intensity = 4"},
        {"objects[7].properties.origin[0] = -24", "objects[7].properties.origin[0] = -25",
         "objects[7].properties.origin = [-26, 0, 1]"}};
    choices all = {.paths = {"objects[30].properties.model", "objects[22]",
                             "objects[20].properties.intensity", "objects[19].properties.intensity",
                             "objects[7].properties.origin"},
                   .values = {"[\"other.model\"]", NULL, NULL, "[4]", "[-26, 0, 1]"}};
    char texts[2][600] = {"", ""};
    for (size_t i = 0; i < 5; i++)
        for (int side = 0; side < 2; side++)
            snprintf(texts[side] + strlen(texts[side]), sizeof texts[side] - strlen(texts[side]), "%s\n",
                     operations[i][side]);
    plan of = {OUTPOST, texts[0], texts[1], NULL};
    for (unsigned n = 0; n < 4 * 4 * 4 * 3 * 3; n += 5) {
        char expected[600] = "";
        const unsigned made[5] = {n % 4, n / 192 % 3, n / 64 % 3, n / 4 % 4, n / 16 % 4};
        uint64_t left = 0, conflicts;
        for (size_t i = 0; i < 5; i++) {
            all.made[i] = (int)made[i];
            left += !made[i];
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s\n",
                     operations[i][made[i] ? made[i] - 1 : 0]);
        }
        mst_document *base = edited(&of, NULL, NULL), *ours = edited(&of, of.ours, NULL),
                     *theirs = edited(&of, of.theirs, NULL), *wanted = edited(&of, expected, NULL);
        mst_diagnostic why;
        const mst_merge_options how = {
            .size = sizeof how, .conflict = hear_choice, .user = &all, .resolve = choose};
        all.asked = all.reported = 0;
        MUST(mst_merge(ours, base, theirs, &how, &conflicts, &why), &why);
        assert_int_equal(conflicts, left);
        assert_int_equal(all.asked, 5);
        assert_int_equal(all.reported, 5);
        assert_int_equal(differences(wanted, ours), 0);
        mst_close(base);
        mst_close(ours);
        mst_close(theirs);
        mst_close(wanted);
    }
}

/* In addition to ours the level has a copy with the values of theirs, and no new errors. */
static void both_stand(void **state) {
    (void)state;
    static const struct {
        plan of; /* `both`: the expected elements */
        const char *marked[3];
    } cases[] = {
        {{OUTPOST, "objects[19].properties.intensity = 2", "objects[19].properties.intensity = 3",
          "objects[19].properties.intensity = 2\nduplicate objects[19]\n"
          "objects[20].properties.intensity = 3"},
         {"value objects[19].properties.intensity objects[20]"}},
        {{OUTPOST, "objects[19].properties.intensity = 2\nobjects[19].properties.origin[1] = 5",
          "objects[19].properties.intensity = 3\nobjects[19].properties.origin[1] = 6",
          "objects[19].properties.intensity = 2\nobjects[19].properties.origin[1] = 5\n"
          "duplicate objects[19]\nobjects[20].properties.intensity = 3\n"
          "objects[20].properties.origin[1] = 6"},
         {"value objects[19].properties.origin objects[20]",
          "value objects[19].properties.intensity objects[20]"}},
        {{OUTPOST,
          "objects[7].properties.origin[1] = 5\nobjects[19].properties.intensity = 2\nremove objects[3]",
          "objects[7].properties.origin[1] = 6\nobjects[19].properties.intensity = 3\nremove objects[30]",
          "objects[7].properties.origin[1] = 5\nobjects[19].properties.intensity = 2\nremove objects[30]\n"
          "duplicate objects[19]\nobjects[20].properties.intensity = 3\n"
          "duplicate objects[7]\nobjects[8].properties.origin[1] = 6\nremove objects[3]"},
         {"value objects[7].properties.origin objects[7]",
          "value objects[19].properties.intensity objects[20]"}},
        {{OUTPOST, "objects[19].properties.scale ?= [2, 2, 2]", "objects[19].properties.scale ?= [3, 3, 3]",
          "objects[19].properties.scale ?= [2, 2, 2]\nduplicate objects[19]\n"
          "objects[20].properties.scale = [3, 3, 3]"},
         {"value objects[19].properties.scale objects[20]"}},
        {{VALLEY, "actors.records[0].health = 7", "actors.records[0].health = 8",
          "actors.records[0].health = 7\nduplicate actors.records[0]\nactors.records[1].health = 8"},
         {"value actors.records[0].health actors.records[1]"}},
        {{BUNKER, "map.monsters[0].health = 7", "map.monsters[0].health = 8",
          "map.monsters[0].health = 7\nduplicate map.monsters[0]\nmap.monsters[1].health = 8"},
         {"value map.monsters[0].health map.monsters[1]"}},
        {{SECTOR, "objects[1].position[0] = 5", "objects[1].position[0] = 6",
          "objects[1].position[0] = 5\nduplicate objects[1]\nobjects[2].position[0] = 6"},
         {"value objects[1].position objects[2]"}},
        /* These cannot be copied: ours is kept. */
        {{OUTPOST, "layers[0].name = Boxes", "layers[0].name = Crates", "layers[0].name = Boxes"},
         {"value layers[0].name"}},
        {{OUTPOST, "mesh.faces[5].material = 0", "mesh.faces[5].material = 2", "mesh.faces[5].material = 0"},
         {"value mesh.faces[5].material"}},
        {{OUTPOST, "objects[19].properties.intensity = 3", "remove objects[19]",
          "objects[19].properties.intensity = 3"},
         {"goes objects[19]"}},
        {{OUTPOST, "remove objects[19]", "objects[19].properties.intensity = 3", "remove objects[19]"},
         {"gone objects[19].properties.intensity"}},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const plan *one = &cases[i].of;
        mst_document *base = edited(one, NULL, NULL), *ours = edited(one, one->ours, NULL),
                     *theirs = edited(one, one->theirs, NULL), *both = edited(one, one->both, NULL);
        mst_diagnostic why;
        uint64_t conflicts;
        heard all = {.count = 0};
        mst_check_options checks = {.size = sizeof checks, .details = 1};
        mst_check_result before, after;
        mst_merge_options options = {
            .size = sizeof options, .conflict = hear, .user = &all, .checks = &checks, .mark = 1};
        MUST(mst_check(ours, &checks, NULL, NULL, &before, &why), &why);
        MUST(mst_merge(ours, base, theirs, &options, &conflicts, &why), &why);
        MUST(mst_check(ours, &checks, NULL, NULL, &after, &why), &why);
        bool right = conflicts == all.count && after.errors <= before.errors && !differences(both, ours);
        for (size_t k = 0; k < all.count || (k < 3 && cases[i].marked[k]); k++) {
            bool same =
                k < all.count && k < 3 && cases[i].marked[k] && strcmp(all.lines[k], cases[i].marked[k]) == 0;
            if (!same)
                print_error("    %s\n", k < all.count ? all.lines[k] : "(nothing)");
            right = right && same;
        }
        if (!right) {
            print_error("%zu: %s; %s\n", i, one->ours, one->theirs);
            failed++;
        }
        mst_document *const closed[] = {base, ours, theirs, both};
        for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
            mst_close(closed[k]);
    }
    assert_int_equal(failed, 0);
}

/* Both sides made the same edit: no conflict, and nothing is inserted twice. */
static void the_same_on_both_sides(void **state) {
    (void)state;
    static const plan same[] = {
        {OUTPOST, "objects[19].properties.intensity = 2\nremove objects[30]",
         "objects[19].properties.intensity = 2\nremove objects[30]\nobjects[3].properties.origin[0] = 8",
         "objects[19].properties.intensity = 2\nremove objects[30]\nobjects[3].properties.origin[0] = 8"},
        {OUTPOST, "duplicate objects[7]\nobjects[8].properties.origin[0] = -99\nremove mesh.faces[3]",
         "duplicate objects[7]\nobjects[8].properties.origin[0] = -99\nremove mesh.faces[3]\nremove "
         "objects[30]",
         "duplicate objects[7]\nobjects[8].properties.origin[0] = -99\nremove mesh.faces[3]\n"
         "remove objects[30]"},
        {OUTPOST, NEW_MATERIAL("x"), NEW_MATERIAL("x"), NEW_MATERIAL("x")},
        {OUTPOST, NEW_MATERIAL("x"), /* which is 5 here */
         "insert mesh.materials[4] = \"materials/w.material\"\nmesh.faces[171].material = 4\n"
         "insert mesh.materials[5] = \"materials/x.material\"\nmesh.faces[172].material = 5",
         "insert mesh.materials[4] = \"materials/w.material\"\nmesh.faces[171].material = 4\n"
         "insert mesh.materials[5] = \"materials/x.material\"\nmesh.faces[172].material = 5"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        mst_document *base = edited(&same[i], NULL, NULL), *ours = edited(&same[i], same[i].ours, NULL),
                     *theirs = edited(&same[i], same[i].theirs, NULL),
                     *both = edited(&same[i], same[i].both, NULL);
        heard all;
        merge(ours, base, theirs, MST_PREFER_NONE, &all);
        assert_int_equal(all.count, 0);
        assert_int_equal(differences(both, ours), 0);
        mst_close(base);
        mst_close(ours);
        mst_close(theirs);
        mst_close(both);
    }
}

/* A conflict about an element that theirs removed names the value that ours changed. */
static void named_changes(void **state) {
    (void)state;
    static const struct {
        plan plan;
        const char *line, *changed;
    } cases[] = {
        {{OUTPOST, "objects[19].properties.intensity = 2", "remove objects[19]", NULL},
         "goes objects[19]",
         "properties.intensity"},
        {{OUTPOST, "objects[19].layer_masks[0] = 4", "remove layers[2]", NULL},
         "goes layers[2]",
         "objects[19].layer_masks"},
        {{OUTPOST, "remove objects[19]", "objects[19].properties.intensity = 2", NULL},
         "gone objects[19].properties.intensity",
         "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const plan *one = &cases[i].plan;
        mst_document *base = edited(one, NULL, NULL), *ours = edited(one, one->ours, NULL),
                     *theirs = edited(one, one->theirs, NULL);
        heard all;
        merge(ours, base, theirs, MST_PREFER_NONE, &all);
        assert_int_equal(all.count, 1);
        assert_string_equal(all.lines[0], cases[i].line);
        assert_string_equal(all.changed[0], cases[i].changed);
        mst_close(base);
        mst_close(ours);
        mst_close(theirs);
    }
}

/* Actors that both sides have added without a tid, which is 0, keep it: they are different actors, and
 * neither gets another tid. */
static void actors_without_a_tid(void **state) {
    (void)state;
    static const plan one = {
        VALLEY, "duplicate actors.records[2]\nactors.records[3].tid = 0\nactors.records[3].origin[0] += 300",
        "duplicate actors.records[2]\nactors.records[3].tid = 0\nactors.records[3].origin[1] += 300\n"
        "duplicate actors.records[6]\nactors.records[7].tid = 0\nactors.records[7].health = 3",
        NULL};
    mst_document *base = edited(&one, NULL, NULL), *ours = edited(&one, one.ours, NULL),
                 *theirs = edited(&one, one.theirs, NULL);
    heard all;
    mst_value list;
    mst_diagnostic why;
    char path[64];
    merge(ours, base, theirs, MST_PREFER_NONE, &all);
    assert_int_equal(all.count, 0);
    uint64_t without = 0, sum = 0, before = 0;
    MUST(mst_find(mst_root(base), "actors.records", &list, &why), &why);
    uint64_t count = mst_count(&list);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "actors.records[%llu].tid", (unsigned long long)i);
        before += (uint64_t)number_at(base, path);
        assert_int_not_equal(number_at(base, path), 0);
    }
    MUST(mst_find(mst_root(ours), "actors.records", &list, &why), &why);
    assert_int_equal(mst_count(&list), count + 3);
    for (uint64_t i = 0; i < count + 3; i++) {
        snprintf(path, sizeof path, "actors.records[%llu].tid", (unsigned long long)i);
        without += number_at(ours, path) == 0;
        sum += (uint64_t)number_at(ours, path);
    }
    assert_int_equal(without, 3);
    assert_int_equal(sum, before);
    mst_close(base);
    mst_close(ours);
    mst_close(theirs);
}

/* ---- alike elements ---------------------------------------------------------------------------------- */

/* A light, and a copy of it `apart` from it. */
static mst_document *open_twins(const char *apart, const char *lines) {
    char text[128];
    mst_document *d = open_sample(OUTPOST);
    snprintf(text, sizeof text, "duplicate objects[19]\nobjects[20].properties.origin[0] += %s", apart);
    edit(d, text);
    if (lines)
        edit(d, lines);
    return d;
}

static mst_status count_ambiguous(void *user, const mst_difference *change) {
    *(size_t *)user += change->ambiguous != 0;
    return MST_OK;
}

static mst_status count_doubts(void *user, const mst_difference *change) {
    *(size_t *)user += change->ambiguous && change->alternative != MST_NOWHERE;
    return MST_OK;
}

#define DIMMER "objects[19].properties.intensity = 2\n"

static void twins_keep_their_changes(void **state) {
    (void)state;
    static const struct {
        const char *apart, *ours, *theirs;
        bool is_clear, conflicts;
    } cases[] = {
        {"9", DIMMER "objects[20].properties.origin[0] = 16.5", "objects[19].properties.distance = 21", true,
         false},
        {"0.1", DIMMER "objects[20].properties.origin[0] = 7.6", "objects[19].properties.distance = 21", true,
         false},
        {"0.1", DIMMER "remove objects[20]", "objects[19].properties.distance = 21", true, false},
        {"1", "objects[19].properties.origin[0] = 7.5\nobjects[20].properties.intensity = 2",
         "objects[20].properties.distance = 21", true, false},
        {"1", "objects[19].properties.origin[0] = 8\nobjects[20].properties.intensity = 2", /* in its place */
         "objects[20].properties.distance = 21", false, true},
        {"0", DIMMER "remove objects[20]", "objects[19].properties.distance = 21", false, true},
        {"0", "remove objects[20]", "objects[19].properties.distance = 21", false, true},
        {"0", DIMMER "remove objects[20]", "objects[2].properties.origin[0] = 3", false, false},
        {"0", DIMMER, "objects[20].properties.distance = 21", false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int turned = 0; turned < 2; turned++) {
            mst_document *base = open_twins(cases[i].apart, NULL);
            mst_document *sides[] = {open_twins(cases[i].apart, cases[i].ours),
                                     open_twins(cases[i].apart, cases[i].theirs)};
            mst_document *both = open_twins(cases[i].apart, cases[i].theirs);
            mst_diagnostic why;
            size_t doubts = 0;
            heard all;
            edit(both, cases[i].ours);
            MUST(mst_diff(base, sides[0], NULL, count_doubts, &doubts, &why), &why);
            assert_int_equal(!doubts, cases[i].is_clear);
            merge(sides[turned], base, sides[1 - turned], MST_PREFER_NONE, &all);
            assert_int_equal(all.count > 0, cases[i].conflicts);
            if (all.count)
                assert_memory_equal(all.lines[0], "ambiguous ", 10);
            else
                assert_int_equal(differences(both, sides[turned]), 0);
            mst_close(base);
            mst_close(sides[0]);
            mst_close(sides[1]);
            mst_close(both);
        }
}

/* More than the limit of exact assignment. */
#define MANY 80

static void many_twins_keep_their_changes(void **state) {
    (void)state;
    char line[96];
    mst_document *all[4] = {open_sample(OUTPOST), open_sample(OUTPOST), open_sample(OUTPOST),
                            open_sample(OUTPOST)};
    heard said;
    for (int d = 0; d < 4; d++) {
        const bool ours = d == 1 || d == 3, theirs = d >= 2;
        char *text = calloc(MANY, 3 * sizeof line);
        assert_non_null(text);
        for (int i = 0; i < MANY; i++) {
            double x = i % 9 * 3 + (ours ? 0.4 : 0), z = i / 9 * 3;
            snprintf(line, sizeof line, "duplicate objects[%d]\n", 19 + i);
            strcat(text, line);
            snprintf(line, sizeof line, "objects[%d].properties.origin = [%g, 2, %g]\n", 20 + i, x, z);
            strcat(text, line);
        }
        strcat(text, ours ? "objects[50].properties.intensity = 2\n" : "");
        strcat(text, theirs ? "objects[50].properties.distance = 21\n" : "");
        edit(all[d], text);
        free(text);
    }
    merge(all[1], all[0], all[2], MST_PREFER_NONE, &said);
    assert_int_equal(said.count, 0);
    assert_int_equal(differences(all[3], all[1]), 0);
    for (int d = 0; d < 4; d++)
        mst_close(all[d]);
}

/* Elements of a list inside an element that the tables do not describe. */
static void twins_within(void **state) {
    (void)state;
    for (int removes = 0; removes < 2; removes++) {
        mst_document *all[3];
        mst_diagnostic why;
        size_t doubts = 0;
        heard said;
        for (int d = 0; d < 3; d++) {
            all[d] = open_sample(BUNKER);
            edit(all[d], "duplicate door_models[0].vertices[0]");
        }
        edit(all[1], "door_models[0].vertices[0].x = 77");
        edit(all[2], removes ? "remove door_models[0].vertices[1]" : "door_models[0].vertices[1].y = 78");
        MUST(mst_diff(all[0], all[2], NULL, count_ambiguous, &doubts, &why), &why);
        assert_int_equal(doubts > 0, removes);
        merge(all[1], all[0], all[2], MST_PREFER_NONE, &said);
        assert_int_equal(said.count > 0, removes);
        if (removes)
            assert_memory_equal(said.lines[0], "ambiguous ", 10);
        for (int d = 0; d < 3; d++)
            mst_close(all[d]);
    }
}

/* Vertices without quads are identified by their places in the list. */
static void loose_vertices(void **state) {
    (void)state;
    mst_document *all[4];
    heard said;
    for (int d = 0; d < 4; d++) {
        all[d] = open_sample(BUNKER);
        edit(all[d], "duplicate map.vertices[0]\nduplicate map.vertices[1]");
        if (d == 1 || d == 3)
            edit(all[d], "map.vertices[1].x = 77");
        if (d >= 2)
            edit(all[d], "map.vertices[1].y = 78");
    }
    merge(all[1], all[0], all[2], MST_PREFER_NONE, &said);
    assert_int_equal(said.count, 0);
    assert_true(same_files(all[1], all[3]));
    for (int d = 0; d < 4; d++)
        mst_close(all[d]);
}

/* Elements identified only by their place in a list: copies that no other element consists of, pairs of one
 * name, the edges of a loop. A merge applies both edits to the right elements, or reports the ambiguity. */
static void known_by_their_places(void **state) {
    (void)state;
    static const struct {
        const char *sample, *name, *prepare, *ours, *theirs;
        bool conflicts, ambiguous; /* ambiguous: theirs */
    } cases[] = {
#define CASE(sample, list, copy, one, two)                                                                   \
    {sample, copy, list "[1]." one, list "[2]." two, false, false},                                          \
        {sample, copy, list "[2]." one, "remove " list "[1]", true, true},                                   \
        {sample, copy, list "[1]." one, "remove " list "[1]", true, true},                                   \
        {sample, copy "\n" list "[2]." two, list "[1]." one, "remove " list "[2]", false, false},            \
        {sample, copy "\n" list "[2]." two, list "[2]." one, "remove " list "[2]", true, false}
#define COPIES(list) "duplicate " list "[0]\nduplicate " list "[1]\nduplicate " list "[2]"
        CASE(BUNKER, "map.vertices", COPIES("map.vertices"), "x = 77", "y = 78"),
        CASE(VALLEY, "collision.vertices", COPIES("collision.vertices"), "position[0] = 77", "ceiling = 78"),
        CASE(OUTPOST, "mesh.vertices", COPIES("mesh.vertices"), "position[0] = 77", "smooth = 1"),
        CASE(OUTPOST, "mesh.edges", COPIES("mesh.edges"), "vertices[0] = 77", "smooth = 1"),
#define NAMED "objects[19].properties"
        CASE(OUTPOST, NAMED, COPIES(NAMED), "value[0] = 77", "value[0] = 78"),
        /* one is changed and one is renamed: it is not stated which */
        {OUTPOST, COPIES(NAMED), NAMED "[1].value[0] = 6",
         NAMED "[1].value[0] = 8\n" NAMED "[2].name = \"b\"", true, true},
        /* both remove one of them: the same one or two different ones */
        {OUTPOST, COPIES(NAMED), "remove " NAMED "[1]", "remove " NAMED "[2]\n" NAMED "[5].value[0] = 9",
         true, true},
        {OUTPOST, COPIES("mesh.vertices"), "remove mesh.vertices[1]",
         "remove mesh.vertices[2]\nobjects[19].properties.intensity = 9", true, true},
        {OUTPOST, "", "mesh.faces[3].loops[0][0].edge = 7", "mesh.faces[3].loops[0][1].flipped = true", true,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int turned = 0; turned < 2; turned++) {
            mst_document *all[4];
            mst_diagnostic why;
            size_t doubts = 0;
            heard said;
            for (int d = 0; d < 4; d++) {
                all[d] = open_sample(cases[i].sample, cases[i].name);
                edit(all[d], cases[i].prepare);
                if (d == 1 || d == 3)
                    edit(all[d], cases[i].ours);
                if (d == 2 || (d == 3 && !cases[i].conflicts))
                    edit(all[d], cases[i].theirs);
            }
            MUST(mst_diff(all[0], all[2], NULL, count_ambiguous, &doubts, &why), &why);
            merge(all[1 + turned], all[0], all[2 - turned], MST_PREFER_NONE, &said);
            if ((said.count > 0) != cases[i].conflicts || (doubts > 0) != cases[i].ambiguous)
                print_error("%zu: %s; %s (%zu conflicts, %zu ambiguous)\n", i, cases[i].ours, cases[i].theirs,
                            said.count, doubts);
            assert_int_equal(said.count > 0, cases[i].conflicts);
            assert_int_equal(doubts > 0, cases[i].ambiguous);
            assert_true(cases[i].conflicts || same_files(all[1 + turned], all[3]));
            for (int d = 0; d < 4; d++)
                mst_close(all[d]);
        }
}

static void formats_differ(void **state) {
    (void)state;
    mst_document *one = open_sample(OUTPOST), *map = open_sample(VALLEY);
    mst_diagnostic why;
    assert_int_equal(mst_merge(one, one, map, NULL, NULL, &why), MST_ARGUMENT);
    assert_non_null(strstr(why.message, "different formats"));
    mst_close(one);
    mst_close(map);
}

/* The result has the newest version. */
static void versions_differ(void **state) {
    (void)state;
    mst_document *old = open_corpus("histories/ns2/mvm_test/1.level"), /* of version 7, and of 10 */
        *now = open_corpus("histories/ns2/mvm_test/2.level"),
                 *expected = open_corpus("histories/ns2/mvm_test/2.level"),
                 *theirs = open_corpus("histories/ns2/mvm_test/1.level");
    mst_diagnostic why;
    edit(theirs, "objects[3].properties.origin[0] += 1");
    edit(expected, "objects[2].properties.origin[0] += 1");
    MUST(mst_merge(now, old, theirs, NULL, NULL, &why), &why);
    assert_same_files(now, expected);
    mst_close(old);
    mst_close(now);
    mst_close(expected);
    mst_close(theirs);
}

/* Theirs has other vertices at the places of many, and ours has changed none: the result has their mesh. */
static void a_mesh_that_one_side_changed(void **state) {
    (void)state;
    mst_document *old = open_corpus("histories/ns2/mvm_test/1.level"),
                 *theirs = open_corpus("histories/ns2/mvm_test/2.level"), *base, *results[2];
    const mst_convert_options ten = {.size = sizeof ten, .has_version = true, .version = 10};
    mst_diagnostic why;
    heard said;
    MUST(mst_convert(old, &ten, NULL, NULL, &base, &why), &why);
    for (int turned = 0; turned < 2; turned++) {
        mst_document *ours;
        MUST(mst_convert(old, &ten, NULL, NULL, &ours, &why), &why);
        edit(ours, "objects[3].properties.origin[0] += 1");
        results[turned] = turned ? open_corpus("histories/ns2/mvm_test/2.level") : ours;
        merge(results[turned], base, turned ? ours : theirs, MST_PREFER_NONE, &said);
        assert_int_equal(said.count, 0);
        if (turned)
            mst_close(ours);
    }
    assert_same_files(results[0], results[1]);
    mst_close(results[0]);
    mst_close(results[1]);
    mst_close(base);
    mst_close(theirs);
    mst_close(old);
}

/* A side saved in an older version has not changed values that the version cannot store: vertices' `smooth`.
 */
#define SMOOTH "mesh.vertices[8].smooth = 1\n"
static void an_older_side(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        mst_document *base = open_sample(OUTPOST), *all[2] = {open_sample(OUTPOST), open_sample(OUTPOST)},
                     *expected = open_sample(OUTPOST), *older;
        mst_diagnostic why;
        heard said;
        const mst_convert_options four = {
            .size = sizeof four, .has_version = true, .version = 4, .allow_loss = true};
        edit(base, SMOOTH);
        edit(expected, SMOOTH);
        for (int i = 0; i < 2; i++)
            edit(all[i], i == side ? SMOOTH "objects[7].properties.origin[0] = -24"
                                   : SMOOTH "objects[19].properties.intensity = 2");
        edit(expected, "objects[7].properties.origin[0] = -24\nobjects[19].properties.intensity = 2");
        MUST(mst_convert(all[side], &four, NULL, NULL, &older, &why), &why);
        merge(side ? all[0] : older, base, side ? older : all[1], MST_PREFER_NONE, &said);
        assert_int_equal(said.count, 0);
        assert_int_equal(differences(expected, side ? all[0] : older), 0);
        mst_close(base);
        mst_close(all[0]);
        mst_close(all[1]);
        mst_close(expected);
        mst_close(older);
    }
}

int test_merge(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_if_one_had_made_both),
        cmocka_unit_test(ids_that_both_gave),
        cmocka_unit_test(real_saves),
        cmocka_unit_test(conflicts),
        cmocka_unit_test(one_by_one),
        cmocka_unit_test(both_stand),
        cmocka_unit_test(the_same_on_both_sides),
        cmocka_unit_test(named_changes),
        cmocka_unit_test(actors_without_a_tid),
        cmocka_unit_test(twins_keep_their_changes),
        cmocka_unit_test(many_twins_keep_their_changes),
        cmocka_unit_test(twins_within),
        cmocka_unit_test(loose_vertices),
        cmocka_unit_test(known_by_their_places),
        cmocka_unit_test(formats_differ),
        cmocka_unit_test(versions_differ),
        cmocka_unit_test(an_older_side),
        cmocka_unit_test(a_mesh_that_one_side_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
