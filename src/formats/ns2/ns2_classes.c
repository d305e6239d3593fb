/* SPDX-License-Identifier: MIT */
#include "ns2_classes.h"
#include "../../core/diagnose.h"
#include "../../core/hash.h"
#include "../../core/spelling.h"
#include "setup.h"
#include <mapstone/edit.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_MAX_BYTES 128
#define SETUP          "editor_setup.xml"
#define LETTERS        2 /* maximum difference of a misspelled name */

static const char *const in_levels[] = {
#include "class_names.inc"
};

void mst_ns2_put_classes(mst_output *out) {
    for (size_t i = 0; i < MST_COUNT_OF(in_levels); i++) {
        mst_output_text(out, in_levels[i]);
        mst_output_text(out, "\n");
    }
}

typedef struct judge_state {
    const mst_document *before;
    const mst_edit_options *options;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
    mst_ns2_setup *setup; /* NULL: none was given or found */
    uint64_t *own;        /* hashes of the classes in the level before the edit, ascending */
    size_t own_count;
    char last[NAME_MAX_BYTES]; /* the last name judged */
} judge_state;

static bool read_class(const mst_value *object, char *name) {
    mst_value value;
    return mst_member(object, "class_name", &value) == MST_OK &&
           mst_get_text(&value, name, NAME_MAX_BYTES, NULL) == MST_OK;
}

static mst_status read_own(judge_state *j) {
    mst_value objects, object;
    char name[NAME_MAX_BYTES];
    if (mst_find(mst_root(j->before), "objects", &objects, NULL) != MST_OK)
        return MST_OK;
    size_t count = (size_t)mst_count(&objects);
    j->own = mst_arena_take(j->arena, count + 1, sizeof *j->own);
    if (!j->own)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&objects); j->own_count < count && mst_next(&it, &object);)
        if (read_class(&object, name))
            j->own[j->own_count++] = mst_hash_text(MST_HASH, name);
    qsort(j->own, j->own_count, sizeof *j->own, mst_by_number);
    return MST_OK;
}

static int by_text(const void *left, const void *right) {
    return strcmp(left, *(const char *const *)right);
}

static bool is_own(const judge_state *j, const char *name) {
    uint64_t hash = mst_hash_text(MST_HASH, name);
    return (j->own_count && bsearch(&hash, j->own, j->own_count, sizeof hash, mst_by_number)) ||
           bsearch(name, in_levels, MST_COUNT_OF(in_levels), sizeof *in_levels, by_text);
}

typedef struct found_setup {
    const void *bytes;
    size_t size;
} found_setup;

static mst_status take_setup(void *taker, const char *file, const void *bytes, size_t size) {
    (void)file;
    *(found_setup *)taker = (found_setup){bytes, size};
    return MST_STOPPED;
}

/* The schema next to the level, else in the root of the mod or the game: there, only folders are searched. */
static bool find_setup(const mst_resolver *sidecars, const void **bytes, size_t *size) {
    found_setup found = {NULL, 0};
    if (!sidecars)
        return false;
    if (sidecars->find && sidecars->find(sidecars->user, SETUP, bytes, size) == MST_OK)
        return true;
    if (sidecars->each)
        sidecars->each(sidecars->user, "", SETUP, take_setup, &found);
    *bytes = found.bytes;
    *size = found.size;
    return found.bytes != NULL;
}

static mst_status read_setup(judge_state *j) {
    const mst_check_options *checks = j->options->checks;
    const void *bytes = checks->schema;
    size_t size = checks->schema_size;
    if (!bytes && !find_setup(checks->sidecars, &bytes, &size))
        return MST_OK;
    mst_status status = mst_ns2_setup_read(bytes, size, j->arena, &j->setup, NULL);
    if (status != MST_OK)
        j->setup = NULL;
    return status == MST_NO_MEMORY ? status : MST_OK; /* an unreadable schema has no classes */
}

static void take_nearest(const char *name, const char *known, unsigned *distance, char *nearest) {
    if (!*distance)
        return;
    unsigned is = mst_spelling_distance(name, strlen(name), known, strlen(known), *distance - 1);
    if (is < *distance) {
        *distance = is;
        snprintf(nearest, NAME_MAX_BYTES, "%s", known);
    }
}

/* The known class with the most similar name; "": none is similar. */
static void find_nearest(const judge_state *j, const char *name, char *nearest) {
    mst_value objects, object;
    char known[NAME_MAX_BYTES];
    size_t half = (strlen(name) + 1) / 2; /* in short names, other letters make other words */
    unsigned distance = half > LETTERS ? LETTERS + 1 : (unsigned)half;
    *nearest = 0;
    for (size_t i = 0; i < MST_COUNT_OF(in_levels); i++)
        take_nearest(name, in_levels[i], &distance, nearest);
    const char *of_schema;
    for (size_t i = 0; j->setup && (of_schema = mst_ns2_setup_class(j->setup, i)); i++)
        take_nearest(name, of_schema, &distance, nearest);
    if (mst_find(mst_root(j->before), "objects", &objects, NULL) != MST_OK)
        return;
    for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object);)
        if (read_class(&object, known))
            take_nearest(name, known, &distance, nearest);
}

static mst_status judge(judge_state *j, const char *name, uint64_t index) {
    char nearest[NAME_MAX_BYTES];
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    find_nearest(j, name, nearest);
    if (*nearest && !j->options->force) {
        mst_fail(j->diagnostic, MST_REFUSED, "no class has that name: did you mean %.80s?", nearest);
        if (!j->diagnostic)
            return MST_REFUSED;
        MST_SET(j->diagnostic->path, "objects[%llu].class_name", (unsigned long long)index);
        MST_SET(j->diagnostic->expected, "a known class, or --force");
        MST_SET(j->diagnostic->found, "%.70s", name);
        return MST_REFUSED;
    }
    MST_SET(what.path, "objects[%llu].class_name", (unsigned long long)index);
    MST_SET(what.message, "no known level or schema has the class %.60s: it must be a mod's", name);
    return j->options->report ? j->options->report(j->options->user, &what) : MST_OK;
}

static mst_status judge_all(judge_state *j, const mst_document *after) {
    mst_value objects, object;
    char name[NAME_MAX_BYTES];
    uint64_t index = 0;
    bool searched = false;
    mst_status status = MST_OK;
    if (mst_find(mst_root(after), "objects", &objects, NULL) != MST_OK)
        return MST_OK;
    for (mst_iterator it = mst_iterate(&objects); status == MST_OK && mst_next(&it, &object); index++) {
        if (!read_class(&object, name) || !*name || strcmp(name, j->last) == 0 || is_own(j, name))
            continue;
        memcpy(j->last, name, sizeof j->last);
        if (!searched)
            status = read_setup(j);
        searched = true;
        if (status == MST_OK && !(j->setup && mst_ns2_setup_has_class(j->setup, name)))
            status = judge(j, name, index);
    }
    return status;
}

mst_status mst_ns2_judge_classes(const mst_document *before, const mst_document *after,
                                 const struct mst_edit_options *options, mst_arena *arena,
                                 mst_diagnostic *diagnostic) {
    if (!options || !options->checks)
        return MST_OK;
    judge_state *j = mst_arena_zero(arena, 1, sizeof *j);
    if (!j)
        return MST_NO_MEMORY;
    j->before = before;
    j->options = options;
    j->arena = arena;
    j->diagnostic = diagnostic;
    mst_status status = read_own(j);
    return status == MST_OK ? judge_all(j, after) : status;
}
