/* SPDX-License-Identifier: MIT */
/* Changes between two directories or archives: files by name and content, levels by their elements, and
 * elements that moved from one sector of a level to another. */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/text.h"
#include "../edit/assign.h"
#include "../level/sources.h"
#include "../system/file_names.h"
#include "../tables/fields.h"
#include "ahead.h"
#include "comparing.h"
#include "without_place.h"
#include <stdlib.h>

enum { OLD = 0, NEW, SIDES };

/* An element that was removed from one file or added to another. */
typedef struct traveller {
    size_t level;     /* the level that the file is a sector of */
    size_t order;     /* among all */
    const char *file; /* its name */
    const char *list;
    uint64_t index;
    bool came;
    char identity[65]; /* a hash of everything but its place */
} traveller;

/* A level that has sectors. */
typedef struct sectors {
    const mst_format_information *format;
    const char *directory; /* with the '/' after it */
    size_t length;
    int32_t number;
} sectors;

/* A file that only one side has. */
typedef struct lonely {
    size_t index;
    char sha256[65];
    bool paired;
} lonely;

typedef struct compare_state {
    mst_container *sides[SIDES];
    mst_diff_options options;
    mst_ahead ahead;
    mst_diff_files files;
    mst_difference_function found;
    void *user;
    mst_arena arena;
    mst_array levels;     /* sectors */
    mst_array travellers; /* traveller */
    mst_array alone[SIDES];
    size_t level;     /* of the file that is compared; SIZE_MAX: not a sector */
    const char *file; /* its name */
    mst_diagnostic *diagnostic;
} compare_state;

static mst_status no_memory(const compare_state *c) {
    return mst_fail(c->diagnostic, MST_NO_MEMORY, "not enough memory to compare the files");
}

static mst_status report_file(const compare_state *c, mst_file_difference *file) {
    file->size = sizeof *file;
    return c->files.file ? c->files.file(c->user, file) : MST_OK;
}

/* ---- sectors ----------------------------------------------------------------------------------------- */

/* Finds the level that a file is a sector of. */
static mst_status find_level(compare_state *c, const mst_document *document, const char *name) {
    mst_level_candidate one = {.name = name, .format = mst_document_format(document)};
    sectors wanted = {one.format, name, (size_t)(mst_base_name(name) - name), 0};
    c->level = SIZE_MAX;
    if (mst_level_group(&one, 1) != 1 || !one.is_sector)
        return MST_OK;
    wanted.number = one.number;
    const sectors *all = c->levels.items;
    for (size_t i = c->levels.count; i > 0 && c->level == SIZE_MAX; i--)
        if (all[i - 1].format == wanted.format && all[i - 1].number == wanted.number &&
            all[i - 1].length == wanted.length &&
            memcmp(all[i - 1].directory, wanted.directory, wanted.length) == 0)
            c->level = i - 1;
    if (c->level != SIZE_MAX)
        return MST_OK;
    sectors *added = mst_array_push(&c->levels, 1);
    if (!added)
        return no_memory(c);
    *added = wanted;
    c->level = c->levels.count - 1;
    return MST_OK;
}

/* A hash of an element's JSON without its place. */
static mst_status identify(compare_state *c, const mst_value *element, traveller *to) {
    mst_placed_text text;
    mst_arena arena;
    mst_arena_begin(&arena, &c->arena.allocator, 0);
    mst_status status = mst_placed_text_of(element, &arena, &text, c->diagnostic);
    if (status == MST_OK)
        mst_sha256_text(text.rest, strlen(text.rest), to->identity);
    mst_arena_end(&arena);
    return status == MST_NO_MEMORY ? no_memory(c) : status;
}

/* Passes a change on, and remembers elements that may have moved to another sector. */
static mst_status take(void *user, const mst_difference *change) {
    compare_state *c = user;
    bool came = change->kind == MST_DIFFERENCE_ADD, went = change->kind == MST_DIFFERENCE_REMOVE;
    mst_status status = c->found ? c->found(c->user, change) : MST_OK;
    if (status != MST_OK || c->level == SIZE_MAX || change->sort != MST_DIFFERENCE_CONTENT ||
        (!came && !went))
        return status;
    traveller one = {.level = c->level,
                     .order = c->travellers.count,
                     .file = c->file,
                     .index = came ? change->new_index : change->old_index,
                     .came = came};
    one.list = mst_arena_text(&c->arena, change->list, strlen(change->list));
    status = one.list ? identify(c, came ? &change->new_element : &change->old_element, &one) : no_memory(c);
    traveller *kept = status == MST_OK ? mst_array_push(&c->travellers, 1) : NULL;
    if (!kept)
        return status == MST_OK ? no_memory(c) : status;
    *kept = one;
    return MST_OK;
}

static int same_thing(const traveller *a, const traveller *b) {
    int order = a->level != b->level ? (a->level > b->level) - (a->level < b->level)
                                     : strcmp(a->identity, b->identity);
    return order ? order : strcmp(a->list, b->list);
}

static int by_thing(const void *left, const void *right) {
    const traveller *a = left, *b = right;
    int order = same_thing(a, b);
    if (!order)
        order = (int)a->came - (int)b->came;
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

/* Among elements that are equal except for their places, pairs the first removed from a sector with the first
 * added to one. */
static mst_status report_moves(compare_state *c) {
    traveller *all = c->travellers.items;
    size_t count = c->travellers.count;
    mst_status status = MST_OK;
    if (count)
        qsort(all, count, sizeof *all, by_thing);
    for (size_t begin = 0, end; begin < count && status == MST_OK; begin = end) {
        size_t came = begin;
        for (end = begin; end < count && same_thing(&all[begin], &all[end]) == 0; end++)
            came += !all[end].came;
        for (size_t i = begin; came < end && !all[i].came && status == MST_OK; i++, came++) {
            const mst_moved_between moved = {.size = sizeof moved,
                                             .list = all[i].list,
                                             .old_name = all[i].file,
                                             .new_name = all[came].file,
                                             .old_index = all[i].index,
                                             .new_index = all[came].index};
            status = c->files.moved(c->user, &moved);
        }
    }
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* Whether a document belongs to the other file of its pair, under whose name it is compared. */
static bool is_second(const compare_state *c, int side, const char *name, const mst_document *document) {
    const char *first;
    char path[4096];
    size_t size, directory = (size_t)(mst_base_name(name) - name);
    mst_document_file(document, 0, &first, &size);
    if (mst_document_file_count(document) == 1 || !first || mst_same_text(first, name + directory) ||
        directory + strlen(first) >= sizeof path)
        return false;
    memcpy(path, name, directory);
    memcpy(path + directory, first, strlen(first) + 1);
    return mst_container_find(c->sides[side], path) != SIZE_MAX;
}

static mst_status open_json(compare_state *c, mst_patched_member *opened, mst_diagnostic *why) {
    const mst_open_options how = {.size = sizeof how, .allocator = c->arena.allocator};
    const char *data = opened->bytes.data;
    return mst_open_json(data, opened->bytes.size, &how, &opened->document, why);
}

/* Opens a file. `bytes`: the contents of both sides if they were already read, or NULL. `*is`: it is a level
 * that has to be compared. Files that cannot be opened are reported. */
static mst_status open_one(compare_state *c, int side, size_t index, const mst_container_bytes *bytes,
                           mst_patched_member *opened, bool *is) {
    mst_diagnostic why = {0};
    const mst_allocator *allocator = &c->arena.allocator;
    mst_container *from = c->sides[side];
    *is = false;
    mst_status status = bytes ? mst_patched_open_bytes(from, index, &bytes[side], allocator, opened, &why)
                              : mst_patched_open(from, index, allocator, opened, &why);
    if (status == MST_NO_MEMORY)
        return no_memory(c);
    if (status == MST_OK && opened->opening == MST_UNKNOWN &&
        mst_text_is_level(opened->bytes.data, opened->bytes.size))
        opened->opening = open_json(c, opened, &why);
    if (opened->opening == MST_NO_MEMORY)
        return no_memory(c);
    *is = status == MST_OK && opened->document;
    if (*is || (status == MST_OK && opened->opening == MST_UNKNOWN))
        return MST_OK;
    const char *name = mst_container_name(c->sides[side], index);
    mst_file_difference file = {.change = MST_FILE_FAILED,
                                .old_name = side == OLD ? name : NULL,
                                .new_name = side == NEW ? name : NULL,
                                .why = &why};
    opened->failed = true;
    return report_file(c, &file);
}

/* Passes on changes that were found ahead. */
static mst_status take_all(compare_state *c, const mst_array *changes) {
    const mst_difference *all = changes->items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < changes->count && status == MST_OK; i++)
        status = take(c, &all[i]);
    return status;
}

/* Compares two levels of one name. `ahead`: the changes; NULL: not known yet. */
static mst_status compare_levels(compare_state *c, const mst_document *old, const mst_document *now,
                                 const char *name, const mst_array *ahead) {
    mst_file_difference file = {.change = MST_FILE_CHANGED, .old_name = name, .new_name = name};
    mst_status status = find_level(c, now, name);
    if (mst_document_format(old) != mst_document_format(now))
        file.change = MST_FILE_UNLIKE;
    file.is_sector = c->level != SIZE_MAX;
    c->file = name;
    if (status == MST_OK)
        status = report_file(c, &file);
    if (status == MST_OK && file.change == MST_FILE_CHANGED)
        status = ahead ? take_all(c, ahead)
                       : mst_diff_with_doubts(old, now, &c->options, take, c, NULL, c->diagnostic);
    return status == MST_OK || status == MST_NO_MEMORY ? status
                                                       : mst_patched_fail(name, status, c->diagnostic);
}

static mst_status compare_files(compare_state *c, size_t old, size_t now) {
    const char *name = mst_container_name(c->sides[OLD], old);
    mst_patched_member sides[SIDES] = {{.from = NULL}, {.from = NULL}};
    mst_container_bytes bytes = {.data = NULL};
    mst_file_difference file = {.change = MST_FILE_SAME, .old_name = name, .new_name = name};
    bool is[SIDES] = {false, false}, same = false;
    const mst_ahead_pair *pair = mst_ahead_next(&c->ahead, old, now);
    if (pair && pair->found == MST_AHEAD_SAME)
        return report_file(c, &file);
    if (pair && pair->found == MST_AHEAD_COMPARED)
        return compare_levels(c, pair->documents[OLD], pair->documents[NEW], name, &pair->changes);
    const mst_container_bytes *read = pair ? pair->bytes : NULL;
    mst_status status = open_one(c, OLD, old, read, &sides[OLD], &is[OLD]);
    bool may_be_same = status == MST_OK && is[OLD] && mst_document_file_count(sides[OLD].document) == 1 &&
                       mst_container_size(c->sides[OLD], old) == mst_container_size(c->sides[NEW], now);
    if (may_be_same && read) {
        same = mst_patched_same_bytes(&read[OLD], &read[NEW]);
    } else if (may_be_same && mst_container_read(c->sides[NEW], now, &bytes, NULL) == MST_OK) {
        same = mst_patched_same_bytes(&sides[OLD].bytes, &bytes);
        mst_container_release(c->sides[NEW], &bytes);
    }
    if (status == MST_OK && same)
        status = report_file(c, &file);
    else if (status == MST_OK && !sides[OLD].failed)
        status = open_one(c, NEW, now, read, &sides[NEW], &is[NEW]);
    if (status == MST_OK && !same && is[OLD] && is[NEW] &&
        !(is_second(c, OLD, name, sides[OLD].document) && is_second(c, NEW, name, sides[NEW].document)))
        status = compare_levels(c, sides[OLD].document, sides[NEW].document, name, NULL);
    file.change = MST_FILE_UNLIKE;
    if (status == MST_OK && !same && is[OLD] != is[NEW] && !sides[OLD].failed && !sides[NEW].failed)
        status = report_file(c, &file);
    mst_patched_close(&sides[OLD]);
    mst_patched_close(&sides[NEW]);
    return status;
}

/* ---- files that only one side has -------------------------------------------------------------------- */

/* Notes a file that only one side has, if it is a level. */
static mst_status add_lonely(compare_state *c, int side, size_t index) {
    mst_patched_member opened = {.from = NULL};
    bool is;
    mst_status status = open_one(c, side, index, NULL, &opened, &is);
    if (status == MST_OK && is &&
        !is_second(c, side, mst_container_name(c->sides[side], index), opened.document)) {
        lonely *added = mst_array_push(&c->alone[side], 1);
        if (added) {
            *added = (lonely){.index = index};
            mst_sha256_text(opened.bytes.data, opened.bytes.size, added->sha256);
        } else {
            status = no_memory(c);
        }
    }
    mst_patched_close(&opened);
    return status;
}

static int by_hash(const void *left, const void *right) {
    const lonely *a = left, *b = right;
    int order = strcmp(a->sha256, b->sha256);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static int by_index(const void *left, const void *right) {
    const lonely *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* Pairs files of equal content under different names, and reports the rest by name. */
static mst_status report_lonely(compare_state *c) {
    lonely *all[SIDES];
    size_t count[SIDES];
    mst_status status = MST_OK;
    for (int side = 0; side < SIDES; side++) {
        all[side] = c->alone[side].items;
        count[side] = c->alone[side].count;
        if (count[side])
            qsort(all[side], count[side], sizeof(lonely), by_hash);
    }
    for (size_t i = 0, k = 0; i < count[OLD] && k < count[NEW] && status == MST_OK;) {
        int order = strcmp(all[OLD][i].sha256, all[NEW][k].sha256);
        mst_file_difference file = {.change = MST_FILE_RENAMED,
                                    .old_name = mst_container_name(c->sides[OLD], all[OLD][i].index),
                                    .new_name = mst_container_name(c->sides[NEW], all[NEW][k].index)};
        if (!order) {
            all[OLD][i].paired = all[NEW][k].paired = true;
            status = report_file(c, &file);
        }
        i += order <= 0;
        k += order >= 0;
    }
    for (int side = 0; side < SIDES; side++) {
        if (count[side])
            qsort(all[side], count[side], sizeof(lonely), by_index);
        for (size_t i = 0; i < count[side] && status == MST_OK; i++) {
            const char *name = mst_container_name(c->sides[side], all[side][i].index);
            mst_file_difference file = {.change = side == OLD ? MST_FILE_REMOVED : MST_FILE_ADDED,
                                        .old_name = side == OLD ? name : NULL,
                                        .new_name = side == NEW ? name : NULL};
            if (!all[side][i].paired)
                status = report_file(c, &file);
        }
    }
    return status;
}

/* ---- all --------------------------------------------------------------------------------------------- */

static mst_status compare_all(compare_state *c) {
    size_t counts[SIDES] = {mst_container_count(c->sides[OLD]), mst_container_count(c->sides[NEW])};
    mst_status status = MST_OK;
    for (size_t i = 0, k = 0; (i < counts[OLD] || k < counts[NEW]) && status == MST_OK;) {
        int order = i == counts[OLD] ? 1
                    : k == counts[NEW]
                        ? -1
                        : strcmp(mst_container_name(c->sides[OLD], i), mst_container_name(c->sides[NEW], k));
        const char *name =
            order <= 0 ? mst_container_name(c->sides[OLD], i) : mst_container_name(c->sides[NEW], k);
        if (!mst_name_fault(name))
            status = !order      ? compare_files(c, i, k)
                     : order < 0 ? add_lonely(c, OLD, i)
                                 : add_lonely(c, NEW, k);
        i += order <= 0;
        k += order >= 0;
    }
    if (status == MST_OK && c->files.moved)
        status = report_moves(c);
    return status == MST_OK ? report_lonely(c) : status;
}

/* After the options have been taken. */
static mst_status compare_sets(compare_state *c) {
    const mst_allocator allocator = mst_allocator_or_default(&c->options.allocator);
    c->options.allocator = allocator;
    mst_arena_begin(&c->arena, &allocator, 0);
    mst_ahead_begin(&c->ahead, c->sides[OLD], c->sides[NEW], &c->options);
    c->levels = (mst_array){.element_size = sizeof(sectors), .allocator = allocator};
    c->travellers = (mst_array){.element_size = sizeof(traveller), .allocator = allocator};
    for (int side = 0; side < SIDES; side++)
        c->alone[side] = (mst_array){.element_size = sizeof(lonely), .allocator = allocator};
    mst_status status = compare_all(c);
    mst_ahead_end(&c->ahead);
    mst_array_free(&c->levels);
    mst_array_free(&c->travellers);
    mst_array_free(&c->alone[OLD]);
    mst_array_free(&c->alone[NEW]);
    mst_arena_end(&c->arena);
    return status;
}

mst_status mst_diff(const mst_document *old_document, const mst_document *new_document,
                    const mst_diff_options *options, mst_difference_function found, void *user,
                    mst_diagnostic *diagnostic) {
    compare_state c = {.found = found, .user = user, .diagnostic = diagnostic};
    mst_status status = mst_take_options(&c.options, sizeof c.options, options, diagnostic);
    if (status == MST_OK && c.options.files)
        status = mst_take_options(&c.files, sizeof c.files, c.options.files, diagnostic);
    if (status != MST_OK)
        return status;
    if (!c.options.files)
        return mst_diff_with_doubts(old_document, new_document, &c.options, found, user, NULL, diagnostic);
    c.sides[OLD] = c.files.old_files;
    c.sides[NEW] = c.files.new_files;
    if (old_document || new_document || !c.sides[OLD] || !c.sides[NEW])
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents or two containers are needed, not both");
    if (diagnostic)
        *diagnostic->message = 0;
    return compare_sets(&c);
}
