/* SPDX-License-Identifier: MIT */
/* Merging directories or archives: their files by name, levels by content, and all references between
 * files. */
#include "merge_sets.h"
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../edit/numbered.h"
#include "../patch/patch_sets.h"
#include "../system/file_names.h"
#include <stdlib.h>

/* ---- files ------------------------------------------------------------------------------------------- */

static int by_name(const void *left, const void *right) {
    const entry *a = left, *b = right;
    return strcmp(a->name, b->name);
}

/* Lists the files of all three sides, each once. */
static mst_status find_entries(sets *s) {
    size_t most = 0, kept = 0;
    for (int side = 0; side < SIDES; side++)
        most += mst_container_count(s->from[side]);
    s->entries = mst_arena_take(&s->arena, most + 1, sizeof *s->entries);
    if (!s->entries)
        return mst_merge_no_memory(s->diagnostic);
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < mst_container_count(s->from[side]); i++) {
            if (mst_name_fault(mst_container_name(s->from[side], i)))
                continue; /* neither merged nor written */
            entry *one = &s->entries[s->count++];
            *one = (entry){.name = mst_container_name(s->from[side], i),
                           .at = {NOT_THERE, NOT_THERE, NOT_THERE}};
            one->at[side] = i;
        }
    if (s->count)
        qsort(s->entries, s->count, sizeof *s->entries, by_name);
    for (size_t i = 0; i < s->count; i++) {
        entry *last = kept ? &s->entries[kept - 1] : NULL;
        if (!last || strcmp(last->name, s->entries[i].name) != 0) {
            s->entries[kept++] = s->entries[i];
            continue;
        }
        for (int side = 0; side < SIDES; side++)
            if (last->at[side] == NOT_THERE)
                last->at[side] = s->entries[i].at[side];
    }
    s->count = kept;
    return MST_OK;
}

/* Whether two sides have the same file, or neither has one. */
static mst_status is_same(sets *s, const entry *one, int a, int b, bool *same) {
    mst_container_bytes left, right;
    *same = one->at[a] == NOT_THERE && one->at[b] == NOT_THERE;
    if (one->at[a] == NOT_THERE || one->at[b] == NOT_THERE ||
        mst_container_size(s->from[a], one->at[a]) != mst_container_size(s->from[b], one->at[b]))
        return MST_OK;
    mst_status status = mst_container_read(s->from[a], one->at[a], &left, s->diagnostic);
    if (status != MST_OK)
        return mst_merge_fail_in(s, one->name, status);
    status = mst_container_read(s->from[b], one->at[b], &right, s->diagnostic);
    if (status == MST_OK) {
        *same = left.size == right.size && (!left.size || memcmp(left.data, right.data, left.size) == 0);
        mst_container_release(s->from[b], &right);
    }
    mst_container_release(s->from[a], &left);
    return status == MST_OK ? MST_OK : mst_merge_fail_in(s, one->name, status);
}

/* Whether a file of any side belongs to the levels. */
static bool belongs(sets *s, const entry *one) {
    bool has = false;
    for (int side = 0; side < SIDES && !has; side++)
        has = one->at[side] != NOT_THERE && mst_set_has(s->from[side], one->at[side]);
    return has;
}

/* A file that does not belong to the levels: ours stays. */
static void leave_out(sets *s, entry *one) {
    one->is_known = true;
    if (s->options->left_out)
        s->options->left_out(s->options->user, one->name);
}

static mst_status compare(sets *s) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < s->count && status == MST_OK; i++) {
        entry *one = &s->entries[i];
        bool same;
        for (int side = OURS; side < SIDES && status == MST_OK; side++) {
            status = is_same(s, one, BASE, side, &same);
            one->changed[side] = !same;
        }
        one->same = !one->changed[OURS] && !one->changed[THEIRS];
        if (status == MST_OK && one->changed[OURS] && one->changed[THEIRS])
            status = is_same(s, one, OURS, THEIRS, &one->same);
        one->is_known = one->same;
        one->fate = one->at[OURS] == NOT_THERE ? FATE_GONE : FATE_OURS;
        if (status == MST_OK && one->changed[THEIRS] && !one->same && !belongs(s, one))
            leave_out(s, one);
    }
    return status;
}

/* ---- documents --------------------------------------------------------------------------------------- */

/* The file of that name in the same directory as another. */
static entry *beside(const sets *s, const entry *one, const char *name) {
    size_t directory = (size_t)(mst_base_name(one->name) - one->name);
    for (size_t i = 0; i < s->count; i++) {
        entry *other = &s->entries[i];
        if (other != one && (size_t)(mst_base_name(other->name) - other->name) == directory &&
            memcmp(other->name, one->name, directory) == 0 && mst_same_text(other->name + directory, name))
            return other;
    }
    return NULL;
}

/* The other file of a pair, and which of the two names the document; NULL if there is none. */
static entry *partner(sets *s, entry *one, entry **first) {
    char other[256];
    *first = one;
    for (int side = OURS; side < SIDES; side++) {
        const mst_format_information *format = mst_merge_format(s, one, side);
        for (unsigned attempt = 0; format; attempt++) {
            int which = mst_format_file(format, mst_base_name(one->name), attempt, other, sizeof other);
            entry *found = which < 0 ? NULL : beside(s, one, other);
            if (found)
                *first = which ? found : one;
            if (which < 0 || found)
                return found;
        }
    }
    return NULL;
}

/* ---- conflicts --------------------------------------------------------------------------------------- */

static mst_status hear(void *user, const mst_conflict *conflict) {
    sets *s = user;
    mst_conflict heard = *conflict;
    heard.file = s->file;
    return s->options->conflict ? s->options->conflict(s->options->user, &heard) : MST_OK;
}

/* Both sides made different changes to a file that cannot be merged. */
static mst_status contradict(sets *s, entry *one, bool theirs_is_there) {
    mst_conflict conflict = {.size = sizeof conflict,
                             .kind = one->at[OURS] == NOT_THERE ? MST_CONFLICT_REMOVED_BY_OURS
                                     : theirs_is_there          ? MST_CONFLICT_VALUE
                                                                : MST_CONFLICT_REMOVED_BY_THEIRS,
                             .path = "",
                             .label = ""};
    s->file = one->name;
    if (s->each.prefer == MST_PREFER_THEIRS)
        one->fate = theirs_is_there ? FATE_THEIRS : FATE_GONE;
    s->conflicts += s->each.prefer == MST_PREFER_NONE;
    one->is_known = true;
    return hear(s, &conflict);
}

/* ---- files next to a file ---------------------------------------------------------------------------- */

/* A file that is being merged, among the files of a side or of the result. */
typedef struct surroundings {
    const sets *sets;
    const entry *one;
    int side;
} surroundings;

static mst_status find_beside(void *user, const char *name, const void **bytes, size_t *size) {
    const surroundings *of = user;
    mst_container *from = of->sets->from[of->side];
    return mst_level_member_beside(from, mst_container_name(from, of->one->at[of->side]), name, false, bytes,
                                   size);
}

/* The file as it is in the result. A file that both sides changed and that is still to be merged is not
 * found, so that nothing is judged by its old state. */
static mst_status find_merged(void *user, const char *name, const void **bytes, size_t *size) {
    const surroundings *of = user;
    const sets *s = of->sets;
    const entry *other = beside(s, of->one, name);
    if (!other)
        return mst_level_member_beside(s->from[OURS], of->one->name, name, false, bytes, size);
    if (other->result) {
        *bytes = mst_document_file(other->result, other->file, NULL, size);
        return MST_OK;
    }
    bool theirs = other->is_known ? other->fate == FATE_THEIRS : other->changed[THEIRS];
    int side = theirs ? THEIRS : OURS;
    if (other->at[side] == NOT_THERE || (other->is_known && other->fate == FATE_GONE) ||
        (!other->is_known && other->changed[OURS] && other->changed[THEIRS]))
        return MST_NO_PATH;
    return mst_level_member_beside(s->from[side], mst_container_name(s->from[side], other->at[side]),
                                   mst_base_name(mst_container_name(s->from[side], other->at[side])), false,
                                   bytes, size);
}

/* ---- merging ----------------------------------------------------------------------------------------- */

/* A document of one or two files, and which sides changed it. */
typedef struct unit {
    entry *files[2];               /* the second: NULL */
    bool changed[SIDES], complete; /* all sides have all files */
} unit;

static unit unit_of(sets *s, entry *one) {
    unit made = {.complete = true};
    made.files[1] = partner(s, one, &made.files[0]);
    if (made.files[1] == made.files[0])
        made.files[1] = one;
    for (int i = 0; i < 2 && made.files[i]; i++)
        for (int side = 0; side < SIDES; side++) {
            made.changed[side] = made.changed[side] || made.files[i]->changed[side];
            made.complete = made.complete && made.files[i]->at[side] != NOT_THERE;
        }
    return made;
}

static void decide(const unit *one, fate what) {
    for (int i = 0; i < 2 && one->files[i]; i++) {
        entry *file = one->files[i];
        file->is_known = true;
        file->fate = (uint8_t)(what == FATE_THEIRS && file->at[THEIRS] == NOT_THERE ? FATE_GONE
                               : what == FATE_OURS && file->at[OURS] == NOT_THERE   ? FATE_GONE
                                                                                    : what);
    }
}

static void give(const unit *one, mst_document *result) {
    decide(one, FATE_MERGED);
    for (size_t i = 0; i < 2 && one->files[i]; i++) {
        one->files[i]->result = result;
        one->files[i]->file = i;
    }
}

/* Updates an index file's entries for merged files in both of the versions that are merged, so that they
 * agree. */
static mst_status index_merged(sets *s, const entry *index, mst_document *const sides[SIDES]) {
    size_t directory = (size_t)(mst_base_name(index->name) - index->name);
    mst_status status = MST_OK;
    for (size_t i = 0; i < s->count && (status == MST_OK || status == MST_NO_PATH); i++) {
        const entry *one = &s->entries[i];
        const char *name = one->result && !one->file ? mst_index_file(one->result) : NULL;
        if (!name || (size_t)(mst_base_name(one->name) - one->name) != directory ||
            memcmp(one->name, index->name, directory) != 0 || !mst_same_text(index->name + directory, name))
            continue;
        for (int side = OURS; side < SIDES && (status == MST_OK || status == MST_NO_PATH); side++)
            status = sides[side] ? mst_update_index(one->result, sides[side], s->diagnostic) : MST_OK;
    }
    return status == MST_NO_PATH ? MST_OK : status;
}

static mst_status merge_unit(sets *s, const unit *one) {
    mst_document *sides[SIDES] = {NULL, NULL, NULL};
    const char *name = one->files[0]->name;
    mst_status status = MST_OK;
    for (int side = 0; side < SIDES && status == MST_OK; side++)
        status = mst_merge_open(s, one->files[0], side, &sides[side]);
    for (int side = OURS; side < SIDES && status == MST_OK; side++)
        status = mst_merge_drop(s, one->files[0], side, sides[side]);
    bool levels = status == MST_OK && mst_document_format(sides[BASE]) == mst_document_format(sides[OURS]) &&
                  mst_document_format(sides[BASE]) == mst_document_format(sides[THEIRS]);
    if (status == MST_UNKNOWN || (status == MST_OK && !levels)) {
        status = MST_OK;
        for (int i = 0; i < 2 && one->files[i] && status == MST_OK; i++)
            if (!one->files[i]->same)
                status = contradict(s, one->files[i], true);
        return status;
    }
    uint64_t conflicts = 0;
    s->file = name;
    if (status == MST_OK)
        status = index_merged(s, one->files[0], sides);
    if (status == MST_OK) {
        surroundings around[] = {{s, one->files[0], OURS}, {s, one->files[0], THEIRS}};
        const mst_resolver resolver = {.find = find_merged, .user = &around[0]},
                           own[] = {{.find = find_beside, .user = &around[0]},
                                    {.find = find_beside, .user = &around[1]}};
        const mst_resolver *const both[] = {&own[0], &own[1]};
        mst_check_options checks = {.size = 0};
        mst_merge_options how = s->each;
        status = mst_take_options(&checks, sizeof checks, how.checks, s->diagnostic);
        const bool finds = !checks.sidecars;
        if (finds)
            checks.sidecars = &resolver;
        how.checks = how.checks ? &checks : NULL;
        if (status == MST_OK)
            status = mst_merge_beside(sides[OURS], sides[BASE], sides[THEIRS], &how, finds ? both : NULL,
                                      &conflicts, s->diagnostic);
        status = status == MST_OK ? status : mst_merge_fail_in(s, name, status);
    }
    s->conflicts += conflicts;
    if (status == MST_OK)
        give(one, sides[OURS]);
    return status;
}

/* An index file that at most one side changed: it still has to describe the merged files. */
static mst_status renew_index(sets *s, entry *one) {
    mst_document *sides[SIDES] = {NULL, NULL, NULL};
    int side = one->fate == FATE_THEIRS ? THEIRS : OURS;
    bool any = false;
    if (one->fate == FATE_GONE || one->fate == FATE_MERGED)
        return MST_OK;
    for (size_t i = 0; i < s->count && !any; i++) {
        const char *name = s->entries[i].result ? mst_index_file(s->entries[i].result) : NULL;
        any = name && beside(s, &s->entries[i], name) == one;
    }
    if (!any)
        return MST_OK;
    unit all = unit_of(s, one);
    mst_status status = mst_merge_open(s, all.files[0], side, &sides[side]);
    if (status == MST_UNKNOWN)
        return MST_OK;
    if (status == MST_OK)
        status = index_merged(s, all.files[0], sides);
    if (status == MST_OK && mst_is_edited(sides[side]))
        give(&all, sides[side]);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static bool is_index(const sets *s, const entry *one) {
    for (size_t i = 0; i < s->count; i++) {
        const char *name = s->entries[i].result ? mst_index_file(s->entries[i].result) : NULL;
        if (name && beside(s, &s->entries[i], name) == one)
            return true;
    }
    return false;
}

static mst_status weigh(sets *s, entry *one) {
    unit all = unit_of(s, one);
    bool drops = all.complete && all.files[0]->dropped;
    if ((!all.changed[THEIRS] || !all.changed[OURS]) && !drops) {
        decide(&all, all.changed[THEIRS] ? FATE_THEIRS : FATE_OURS);
        return MST_OK;
    }
    if (all.complete)
        return merge_unit(s, &all);
    mst_status status = MST_OK;
    for (int i = 0; i < 2 && all.files[i] && status == MST_OK; i++)
        if (!all.files[i]->same)
            status = contradict(s, all.files[i], all.files[i]->at[THEIRS] != NOT_THERE);
    return status;
}

static mst_status merge_all(sets *s) {
    mst_status status = find_entries(s);
    if (status == MST_OK)
        status = compare(s);
    if (status == MST_OK)
        status = mst_merge_check_numbers(s);
    if (status == MST_OK)
        status = mst_merge_moves(s);
    for (int pass = 0; pass < 2; pass++) /* index files last: they describe the others */
        for (size_t i = 0; i < s->count && status == MST_OK; i++) {
            entry *one = &s->entries[i];
            if (!one->is_known && mst_patched_may_be_index(one->name) == (pass == 1))
                status = weigh(s, one);
        }
    for (size_t i = 0; i < s->count && status == MST_OK; i++)
        if (is_index(s, &s->entries[i]))
            status = renew_index(s, &s->entries[i]);
    return status;
}

static mst_status hand_over(sets *s, mst_merged_function take, void *user) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < s->count && status == MST_OK; i++) {
        const entry *one = &s->entries[i];
        mst_merged_file file = {.size = sizeof file, .name = one->name};
        mst_container_bytes bytes = {.data = NULL};
        int side = one->fate == FATE_THEIRS ? THEIRS : OURS;
        if (one->fate == FATE_GONE && one->at[OURS] == NOT_THERE)
            continue;
        if (one->fate == FATE_MERGED) {
            file.bytes = mst_document_file(one->result, one->file, NULL, &file.byte_count);
        } else if (one->fate != FATE_GONE) {
            status = mst_container_read(s->from[side], one->at[side], &bytes, s->diagnostic);
            if (status != MST_OK)
                return mst_merge_fail_in(s, one->name, status);
            file.bytes = bytes.size ? bytes.data : "";
            file.byte_count = bytes.size;
            file.is_ours = side == OURS;
        }
        status = take(user, &file);
        if (one->fate == FATE_OURS || one->fate == FATE_THEIRS)
            mst_container_release(s->from[side], &bytes);
    }
    return status;
}

static mst_status merge_sets(const mst_merge_files *files, const mst_merge_options *options,
                             uint64_t *conflicts, mst_diagnostic *diagnostic) {
    sets s = {
        .from = {files->base, files->ours, files->theirs}, .options = options, .diagnostic = diagnostic};
    s.each = *options;
    s.each.conflict = hear;
    s.each.resolve = NULL; /* for single levels only: paths in two files can be equal */
    s.each.user = &s;
    const mst_allocator allocator = mst_allocator_or_default(NULL);
    mst_arena_begin(&s.arena, &allocator, 0);
    s.documents = (mst_array){.element_size = sizeof(mst_document *), .allocator = allocator};
    mst_status status = merge_all(&s);
    if (status == MST_OK)
        status = hand_over(&s, files->take, files->user);
    if (status == MST_OK && conflicts)
        *conflicts = s.conflicts;
    while (s.documents.count)
        mst_close(((mst_document **)s.documents.items)[--s.documents.count]);
    mst_array_free(&s.documents);
    mst_arena_end(&s.arena);
    return status;
}

mst_status mst_merge(mst_document *ours, const mst_document *base, const mst_document *theirs,
                     const mst_merge_options *options, uint64_t *conflicts, mst_diagnostic *diagnostic) {
    if (conflicts)
        *conflicts = 0;
    mst_merge_options given = {.size = 0};
    mst_merge_files files = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status == MST_OK && given.files)
        status = mst_take_options(&files, sizeof files, given.files, diagnostic);
    if (status != MST_OK)
        return status;
    if (!given.files)
        return mst_merge_beside(ours, base, theirs, &given, NULL, conflicts, diagnostic);
    if (ours || base || theirs || !files.ours || !files.base || !files.theirs || !files.take)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "three documents are needed, or three containers and a function");
    return merge_sets(&files, &given, conflicts, diagnostic);
}
