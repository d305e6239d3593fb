/* SPDX-License-Identifier: MIT */
/*
 * Every edit of a list can be undone, for every list of every format: inserting a copy and removing it leaves
 * the old bytes, and so does a removal that its patch reverses. Edits do to a list what the reference states:
 * where it has "refused", they are refused, with a reason.
 *
 * Of long lists the first, the last and some elements between are tried; with MAPSTONE_THOROUGH all are.
 */
#include "../src/check/finding.h"
#include "../src/read/engine.h"
#include "../src/tables/fields.h"
#include "fixtures.h"
#include <mapstone/edit.h>
#include <mapstone/patch.h>

#define MAX_ROWS 400
#define LONG     400

/* ---- statements of the reference ----------------------------------------------------------------------- */

typedef enum sort {
    SORT_FREE,     /* elements can be inserted and removed */
    SORT_END,      /* only at the end */
    SORT_SLOTS,    /* the game has a fixed number of them: a removed one is an unused one */
    SORT_LIMITED,  /* elements can be inserted and removed unless a rule forbids it */
    SORT_TOGETHER, /* together with other files, which are missing here */
    SORT_REFUSED,
    SORT_UNLISTED
} sort;

typedef struct row {
    char format[40], list[80];
    sort sort;
    bool unexplained;
    size_t done, refused; /* edits */
} row;

static row rows[MAX_ROWS];
static size_t row_count;

static sort sort_of(const char *edits) {
    static const struct {
        const char *words;
        sort sort;
    } sorts[] = {{"add, insert, remove, duplicate, move |", SORT_FREE},
                 {"add; insert, duplicate and remove at the end of the last list only", SORT_LIMITED},
                 {"add; insert, duplicate and remove at the end only", SORT_END},
                 {"add takes the first unused one, remove leaves one", SORT_SLOTS},
                 {"move; add, insert, remove and duplicate are refused", SORT_REFUSED},
                 {"add, insert, remove, duplicate: in place", SORT_TOGETHER},
                 {"refused", SORT_REFUSED}};
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (strncmp(edits, sorts[i].words, strlen(sorts[i].words)) == 0)
            return sorts[i].sort;
    print_error("the reference says of a list: %.80s\n", edits);
    fail();
    return SORT_UNLISTED;
}

/* For edits that are not done with a list its cell names the section that forbids them: "(alien.md 8)" at its
 * end. */
static bool names_section(const char *cell, size_t length) {
    const char *open = memchr(cell, '(', length);
    for (const char *next = open; next; next = memchr(next + 1, '(', length - (size_t)(next + 1 - cell)))
        open = next;
    char file[40];
    int end = 0;
    unsigned section;
    return open && sscanf(open, "(%39[a-z0-9-].md %u%n", file, &section, &end) == 2 && end &&
           cell[length - 1] == ')';
}

static bool contains(const char *cell, size_t length, const char *word) {
    const char *found = strstr(cell, word);
    return found && found < cell + length;
}

static void read_row(const char *format, const char *at) {
    const char *end = strchr(at, '`'), *cell = end + 4, *after = strstr(cell, " | ");
    row *made = &rows[row_count++];
    assert_true(row_count < MAX_ROWS && end && strncmp(end, "` | ", 4) == 0 && after);
    size_t length = (size_t)(after - cell);
    snprintf(made->format, sizeof made->format, "%s", format);
    snprintf(made->list, sizeof made->list, "%.*s", (int)(end - at), at);
    made->sort = contains(cell, length, "; refused where ") ? SORT_LIMITED : sort_of(cell);
    made->unexplained = (contains(cell, length, "refused") || contains(cell, length, " only")) &&
                        !names_section(cell, length);
}

static void read_rows(void) {
    row_count = 0;
    for (size_t f = 0; f < mst_format_count(); f++) {
        const mst_format_information *format = mst_format_at(f);
        mst_buffer text = {0};
        MUST(mst_write_specification(format, MST_SPECIFICATION_MARKDOWN, NULL, mst_buffer_sink(&text)), NULL);
        MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
        const char *at = strstr((const char *)text.data, "## Lists\n");
        for (at = at ? strstr(at, "\n| `") : NULL; at && strncmp(at, "\n| `", 4) == 0;
             at = strchr(at + 1, '\n'))
            read_row(format->id, at + 4);
        mst_buffer_free(&text);
    }
}

/* A line of the reference with "refused" names the section of the format's description. */
static void refusals_name_their_section(void **state) {
    (void)state;
    size_t unexplained = 0;
    read_rows();
    assert_true(row_count > 200);
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].unexplained) {
            print_error("%s %s: no section forbids it\n", rows[i].format, rows[i].list);
            unexplained++;
        }
    assert_int_equal(unexplained, 0);
}

/* The row about a list; NULL: the reference does not list it. */
static row *row_of(const mst_value *list) {
    const mst_format *format = list->document->format;
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        char name[80];
        if (it.field != list->field)
            continue;
        snprintf(name, sizeof name, "%s.%s", it.record->name, it.field->name);
        for (size_t i = 0; i < row_count; i++)
            if (strcmp(rows[i].format, format->information.id) == 0 && strcmp(rows[i].list, name) == 0)
                return &rows[i];
    }
    return NULL;
}

/* ---- the lists of a document --------------------------------------------------------------------------- */

typedef struct found_list {
    char path[LONG];
    row *row;
    uint64_t count;
} found_list;

typedef struct found_lists {
    found_list *items;
    size_t count, capacity;
} found_lists;

static void find_list(found_lists *all, const char *path, const mst_value *list) {
    row *about = row_of(list);
    if (!about || !mst_count(list))
        return;
    if (all->count == all->capacity) {
        all->capacity = all->capacity * 2 + 64;
        all->items = realloc(all->items, all->capacity * sizeof *all->items);
        assert_non_null(all->items);
    }
    found_list *made = &all->items[all->count++];
    strcpy(made->path, path);
    made->row = about;
    made->count = mst_count(list);
}

#define DEPTH 64
typedef struct open_value {
    char path[LONG];
    bool list;
    uint64_t index;
    mst_iterator it;
} open_value;

/* All lists that the reference lists and that have elements. */
static void find_lists(found_lists *all, const mst_document *d) {
    open_value *levels = malloc(DEPTH * sizeof *levels);
    assert_non_null(levels);
    mst_value root = mst_root(d), inner;
    size_t depth = 1;
    levels[0] = (open_value){.it = mst_iterate(&root)};
    while (depth) {
        open_value *around = &levels[depth - 1], *at = around + 1;
        if (!mst_next(&around->it, &inner)) {
            depth--;
            continue;
        }
        assert_true(depth < DEPTH);
        const char *name = mst_value_field(&inner).name, *dot = *around->path ? "." : "";
        char path[LONG];
        int length = around->list
                         ? snprintf(path, LONG, "%s[%llu]", around->path, (unsigned long long)around->index++)
                         : snprintf(path, LONG, "%s%s%s", around->path, dot, name);
        mst_type type = mst_value_type(&inner);
        assert_true(length < LONG);
        strcpy(at->path, path);
        if (type == MST_TYPE_LIST)
            find_list(all, path, &inner);
        if (type != MST_TYPE_LIST && type != MST_TYPE_RECORD)
            continue;
        at->list = type == MST_TYPE_LIST;
        at->index = 0;
        at->it = mst_iterate(&inner);
        depth++;
    }
    free(levels);
}

/* ---- one edit and its inverse -------------------------------------------------------------------------- */

typedef struct trial {
    const fixture *f;
    mst_document *base, *d; /* unchanged; edited */
    size_t failed;
} trial;

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

/* The documents begin with values that any edit corrects: their hashes. */
static mst_document *begin(const fixture *f) {
    mst_document *d;
    mst_diagnostic why;
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    if (mst_checksum_path(d))
        MUST(mst_set(d, mst_checksum_path(d), "auto", &why), &why);
    return d;
}

static void complain(trial *t, const char *what, const char *path, const mst_diagnostic *why) {
    t->failed++;
    print_error("%s: %s: %s: %s (expected %s, found %s)\n", t->f->source->name, path, what,
                why ? why->message : "", why ? why->expected : "", why ? why->found : "");
    mst_close(t->d);
    t->d = begin(t->f);
}

static mst_status edit(trial *t, mst_operation_kind kind, const char *path, int cascade,
                       mst_diagnostic *why) {
    const mst_check_options checks = {.size = sizeof checks, .details = 1};
    mst_operation one = {.kind = kind, .path = path};
    mst_edit_options how = {.size = sizeof how, .cascade = cascade, .checks = &checks};
    memset(why, 0, sizeof *why);
    mst_status status = mst_edit(t->d, &one, 1, &how, why);
    bool names_nothing =
        status == MST_REFUSED && why->offset != MST_NO_OFFSET &&
        (mst_code_binds(t->d->format, why->code) || strstr(why->message, "has no such element"));
    if (!names_nothing || kind != MST_OPERATION_DUPLICATE)
        return status;
    how.force = 1; /* a copy of half of a pair: the edit can be undone anyway */
    return mst_edit(t->d, &one, 1, &how, why);
}

/* A refused edit reports the reason and the subject, and leaves the document unchanged. */
static void assert_refused(trial *t, const char *path, const mst_diagnostic *why) {
    if (!*why->message || !*why->path)
        complain(t, "refused without a reason", path, why);
    else if (!same_files(t->base, t->d))
        complain(t, "refused, but changed", path, why);
}

/* A block with boxes that were never right: any edit of its polygons corrects them. */
static bool begins_wrong(const trial *t, const char *path) {
    return strcmp(t->f->source->name, "sfa_blocks") == 0 &&
           strncmp(path, "blocks[3].packed.block.polygons", 31) == 0;
}

static void copy_and_remove(trial *t, const found_list *list, uint64_t index) {
    char path[LONG + 30], copy[LONG + 30];
    mst_diagnostic why;
    bool last = index + 1 == list->count, limited = list->row->sort == SORT_LIMITED;
    bool is_free = list->row->sort == SORT_FREE || limited;
    bool allowed = is_free || (list->row->sort == SORT_END && last);
    snprintf(path, sizeof path, "%s[%llu]", list->path, (unsigned long long)index);
    snprintf(copy, sizeof copy, "%s[%llu]", list->path, (unsigned long long)index + 1);
    mst_status status = edit(t, MST_OPERATION_DUPLICATE, path, 0, &why);
    if (status != MST_OK) {
        list->row->refused++;
        assert_refused(t, path, &why);
        if (allowed && !limited)
            complain(t, "a copy is refused", path, &why);
        return;
    }
    list->row->done++;
    if (!allowed)
        complain(t, "a copy should be refused", path, NULL);
    else if (same_files(t->base, t->d))
        complain(t, "a copy changes nothing", path, NULL);
    else if (edit(t, MST_OPERATION_REMOVE, copy, 0, &why) != MST_OK)
        complain(t, "the copy cannot be removed", path, &why);
    else if (begins_wrong(t, path)) {
        mst_close(t->d);
        t->d = begin(t->f);
    } else if (!same_files(t->base, t->d))
        complain(t, "a copy that comes and goes changes something", path, NULL);
}

static void take_back(trial *t, const char *path) {
    mst_buffer text = {0};
    mst_diagnostic why = {0};
    mst_patch_options options = {.size = sizeof options, .with_data = 1, .reverse = 1};
    mst_status status = mst_patch_make(t->base, t->d, &options, mst_buffer_sink(&text), &why);
    if (status == MST_OK)
        status = mst_patch_apply(t->d, (const char *)text.data, text.size, &options, &why);
    if (status != MST_OK)
        complain(t, "a removal cannot be taken back", path, &why);
    else if (!same_files(t->base, t->d))
        complain(t, "a removal that is taken back changes something", path, NULL);
    mst_buffer_free(&text);
}

static void remove_and_take_back(trial *t, const found_list *list, uint64_t index) {
    char path[LONG + 30];
    mst_diagnostic why;
    bool last = index + 1 == list->count, limited = list->row->sort == SORT_LIMITED;
    bool is_free = list->row->sort == SORT_FREE || limited;
    bool allowed = is_free || list->row->sort == SORT_SLOTS || (list->row->sort == SORT_END && last);
    snprintf(path, sizeof path, "%s[%llu]", list->path, (unsigned long long)index);
    mst_status status = edit(t, MST_OPERATION_REMOVE, path, 0, &why);
    if (status != MST_OK)
        assert_refused(t, path, &why);
    if (status == MST_REFUSED && allowed)
        status = edit(t, MST_OPERATION_REMOVE, path, 1, &why);
    if (status != MST_OK) {
        list->row->refused++;
        assert_refused(t, path, &why);
        if (allowed && !limited && !*why.code) /* not by a new finding */
            complain(t, "a removal is refused", path, &why);
        return;
    }
    list->row->done++;
    if (!allowed)
        complain(t, "a removal should be refused", path, NULL);
    else
        take_back(t, path);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* Which elements of a list are tried. */
static uint64_t next_index(uint64_t index, uint64_t count, bool all) {
    if (all || index + 1 >= count || count <= 3)
        return index + 1;
    return index ? count - 1 : count / 2;
}

static size_t try_fixture(const fixture *f) {
    trial t = {.f = f, .base = begin(f), .d = begin(f)};
    found_lists all = {0};
    bool thorough = getenv("MAPSTONE_THOROUGH") != NULL;
    find_lists(&all, t.base);
    size_t tried[MAX_ROWS] = {0}, enough = f->source->small ? 12 : 3;
    for (size_t i = 0; i < all.count; i++) {
        const found_list *list = &all.items[i];
        if (!thorough && tried[list->row - rows]++ >= enough)
            continue;
        for (uint64_t k = 0; k < list->count;
             k = next_index(k, list->count, thorough || (f->source->small && list->count < 20))) {
            copy_and_remove(&t, list, k);
            remove_and_take_back(&t, list, k);
        }
    }
    free(all.items);
    mst_close(t.base);
    mst_close(t.d);
    return t.failed;
}

/* Lists of which no fixture has elements. */
static const char *const untried[] = {
    "revenant-sector generator.monsters", "revenant-save generator.monsters",
    "revenant-save player.inventory", "revenant-def definitions.types", "revenant-def definitions.statistics",
    "revenant-def definitions.exits", "revenant-def type.properties", "revenant-def type.object_properties",
    "revenant-image image.table", "revenant-image bitmap.absent_planes", "revenant-model part.short_body",
    "revenant-model part.named_states", "revenant-model part.root_motion",
    "revenant-model part.facing_motion", "revenant-model part.object_long_states",
    "revenant-model part.long_keys", "revenant-model part.sound_tags",
    /* clipboards share them with levels, where they are tried */
    "ns2-clip face_triangles.triangles", "ns2-clip triangles.ghost_vertices",
    "ns2-clip triangles.smoothed_normals", "ns2-clip triangles.faces", "ns2-clip mesh.mapping_groups",
    "sfa-maps map.layer_rects", "sfa-maps map.visible_layer_rects"};

static bool is_untried(const row *list) {
    size_t length = strlen(list->format);
    for (size_t i = 0; i < sizeof untried / sizeof *untried; i++)
        if (strncmp(untried[i], list->format, length) == 0 && untried[i][length] == ' ' &&
            strcmp(untried[i] + length + 1, list->list) == 0)
            return true;
    return false;
}

/* Banks and older bodies, which other tests make as they need them. */
static const fixture_source more[] = {
    {SEED("sfa_blocks", "mod6.zlb.bin"), .other = "mod6.tab", .zlib = true, .small = true},
    {SEED("sfa_textures", "TEX1.bin"), .other = "TEX1.tab", .zlib = true, .small = true},
    {SEED("revenant_older_model", "older.i3d"), .small = true},
    {SEED("revenant_oldest_model", "oldest.i3d"), .small = true},
    {SEED("dds_extended", "a.dds"), .small = true}};

static size_t try_all(const fixture_source *sources, size_t count, bool *all) {
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        fixture f;
        if (fixture_make(&sources[i], &f)) {
            failed += try_fixture(&f);
            fixture_free(&f);
        } else {
            *all = false;
        }
    }
    return failed;
}

static void what_is_taken_back(void **state) {
    (void)state;
    size_t done = 0, refused = 0;
    bool all = true;
    read_rows();
    size_t failed = try_all(fixtures, FIXTURES, &all) + try_all(more, sizeof more / sizeof *more, &all);
    for (size_t i = 0; i < row_count; i++) {
        done += rows[i].done;
        refused += rows[i].refused;
        if (all && !rows[i].done && !rows[i].refused && !is_untried(&rows[i])) {
            print_error("%s %s: no fixture has one\n", rows[i].format, rows[i].list);
            failed++;
        }
        /* an edit refused only in some cases is done in others; parts of models are counted in several
         * places, which one edit alone cannot change */
        if (rows[i].sort == SORT_LIMITED && rows[i].refused && !rows[i].done &&
            strcmp(rows[i].format, "revenant-model") != 0) {
            print_error("%s %s: always refused\n", rows[i].format, rows[i].list);
            failed++;
        }
    }
    print_message("# %zu lists: %zu edits and what takes them back, %zu refused\n", row_count, done, refused);
    assert_int_equal(failed, 0);
    assert_true(done > 2000 && refused > 300);
}

int test_inverses(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_name_their_section),
        cmocka_unit_test(what_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
