/* SPDX-License-Identifier: MIT */
#include "ahead.h"
#include "../core/text.h"
#include "../system/file_names.h"
#include "comparing.h"

enum { OLD = 0, NEW, SIDES };

#define PAIRS       64          /* open at a time; as many more are read */
#define BYTES       (32u << 20) /* of all files of a batch */
#define CHANGES_MAX 4096        /* per pair: each takes 1.5 kB */

void mst_ahead_begin(mst_ahead *ahead, mst_container *old_files, mst_container *new_files,
                     const mst_diff_options *options) {
    const mst_allocator *allocator = &options->allocator;
    *ahead = (mst_ahead){.sides = {old_files, new_files}, .options = options};
    if (options->parallel.run)
        ahead->pairs = allocator->resize(allocator->user, NULL, 0, 2 * PAIRS * sizeof *ahead->pairs);
    if (ahead->pairs) {
        ahead->now.pairs = ahead->pairs;
        ahead->next.pairs = ahead->pairs + PAIRS;
    }
}

/* ---- one pair, in any thread ------------------------------------------------------------------------- */

static void forget(mst_ahead_pair *pair) {
    for (int side = 0; side < SIDES; side++) {
        mst_close(pair->documents[side]);
        pair->documents[side] = NULL;
    }
    mst_array_free(&pair->changes);
    mst_arena_end(&pair->arena);
}

/* A level that asks for other files is opened in its turn, because only one thread may read at a time. */
static mst_status note_question(void *user, const char *name, const void **bytes, size_t *size) {
    (void)name;
    *bytes = NULL;
    *size = 0;
    *(bool *)user = true;
    return MST_NO_PATH;
}

static bool open_side(const mst_ahead *ahead, mst_ahead_pair *pair, int side) {
    bool asked = false;
    const char *name = mst_container_name(ahead->sides[side], pair->indices[side]);
    const mst_resolver resolver = {.find = note_question, .user = &asked};
    const mst_open_options how = {.size = sizeof how,
                                  .name = mst_base_name(name),
                                  .sidecars = &resolver,
                                  .allocator = ahead->options->allocator};
    mst_status status =
        mst_open_memory(pair->bytes[side].data, pair->bytes[side].size, &how, &pair->documents[side], NULL);
    if (status != MST_OK)
        pair->documents[side] = NULL;
    return status == MST_OK && !asked && mst_document_file_count(pair->documents[side]) == 1;
}

static bool keep_text(mst_ahead_pair *pair, const char **text) {
    *text = **text ? mst_arena_text(&pair->arena, *text, strlen(*text)) : "";
    return *text != NULL;
}

static mst_status keep(void *user, const mst_difference *change) {
    mst_ahead_pair *pair = user;
    mst_difference *kept = pair->changes.count < CHANGES_MAX ? mst_array_push(&pair->changes, 1) : NULL;
    if (!kept)
        return MST_NO_MEMORY;
    *kept = *change;
    bool all = keep_text(pair, &kept->list) && keep_text(pair, &kept->type) &&
               keep_text(pair, &kept->label) && keep_text(pair, &kept->place) &&
               keep_text(pair, &kept->path) && keep_text(pair, &kept->item_path);
    return all ? MST_OK : MST_NO_MEMORY;
}

static void compare(const mst_ahead *ahead, mst_ahead_pair *pair) {
    bool same = mst_patched_same_bytes(&pair->bytes[OLD], &pair->bytes[NEW]);
    if (!open_side(ahead, pair, OLD))
        return;
    if (same)
        pair->found = MST_AHEAD_SAME;
    else if (open_side(ahead, pair, NEW) &&
             mst_document_format(pair->documents[OLD]) == mst_document_format(pair->documents[NEW]) &&
             mst_diff_with_doubts(pair->documents[OLD], pair->documents[NEW], ahead->options, keep, pair,
                                  NULL, NULL) == MST_OK)
        pair->found = MST_AHEAD_COMPARED;
}

static void compare_or_forget(const mst_ahead *ahead, size_t index) {
    mst_ahead_pair *pair = &ahead->now.pairs[index];
    compare(ahead, pair);
    if (pair->found != MST_AHEAD_COMPARED)
        forget(pair);
}

/* ---- batches of pairs -------------------------------------------------------------------------------- */

static void release_batch(mst_ahead *ahead, mst_ahead_batch *batch) {
    while (batch->count) {
        mst_ahead_pair *pair = &batch->pairs[--batch->count];
        forget(pair);
        for (int side = 0; side < SIDES; side++)
            mst_container_release(ahead->sides[side], &pair->bytes[side]);
    }
}

/* Reads both files of a pair. */
static bool read_pair(mst_ahead *ahead, mst_ahead_pair *pair, size_t old, size_t now) {
    const mst_allocator *allocator = &ahead->options->allocator;
    *pair = (mst_ahead_pair){.indices = {old, now}};
    pair->changes = (mst_array){.element_size = sizeof(mst_difference), .allocator = *allocator};
    mst_arena_begin(&pair->arena, allocator, 0);
    if (mst_container_read(ahead->sides[OLD], old, &pair->bytes[OLD], NULL) != MST_OK)
        return false;
    if (mst_container_read(ahead->sides[NEW], now, &pair->bytes[NEW], NULL) != MST_OK) {
        mst_container_release(ahead->sides[OLD], &pair->bytes[OLD]);
        return false;
    }
    return true;
}

/* Reads pairs, starting with the given one, into an empty batch. */
static void read_batch(mst_ahead *ahead, mst_ahead_batch *batch, size_t old, size_t now) {
    size_t counts[SIDES] = {mst_container_count(ahead->sides[OLD]), mst_container_count(ahead->sides[NEW])};
    uint64_t bytes = 0;
    while (batch->count < PAIRS && old < counts[OLD] && now < counts[NEW]) {
        const char *name = mst_container_name(ahead->sides[OLD], old);
        int order = strcmp(name, mst_container_name(ahead->sides[NEW], now));
        bool pair = !order && !mst_name_fault(name);
        uint64_t more =
            !pair ? 0
                  : mst_container_size(ahead->sides[OLD], old) + mst_container_size(ahead->sides[NEW], now);
        if (more > BYTES - bytes || (pair && !read_pair(ahead, &batch->pairs[batch->count], old, now)))
            break;
        bytes += more;
        batch->count += pair;
        old += order <= 0;
        now += order >= 0;
    }
    batch->end[OLD] = old;
    batch->end[NEW] = now;
}

/* One thread releases the pairs that have been used and reads the next ones, while the others compare. */
static void read_or_compare(void *data, size_t index) {
    mst_ahead *ahead = data;
    if (index) {
        compare_or_forget(ahead, index - 1);
    } else {
        release_batch(ahead, &ahead->next);
        read_batch(ahead, &ahead->next, ahead->now.end[OLD], ahead->now.end[NEW]);
    }
}

/* Advances to the pairs that start with the given one: the batch that was read, if there is one. */
static void advance(mst_ahead *ahead, size_t old, size_t now) {
    mst_ahead_batch done = ahead->now;
    ahead->now = ahead->next;
    ahead->next = done;
    ahead->first = 0;
    if (!ahead->now.count)
        read_batch(ahead, &ahead->now, old, now);
    if (ahead->now.count > 1)
        ahead->options->parallel.run(ahead->options->parallel.user, ahead->now.count + 1, read_or_compare,
                                     ahead);
    else
        release_batch(ahead, &ahead->next);
}

const mst_ahead_pair *mst_ahead_next(mst_ahead *ahead, size_t old, size_t now) {
    if (!ahead->pairs)
        return NULL;
    if (ahead->first == ahead->now.count)
        advance(ahead, old, now);
    return ahead->now.count ? &ahead->now.pairs[ahead->first++] : NULL;
}

void mst_ahead_end(mst_ahead *ahead) {
    const mst_allocator *allocator = &ahead->options->allocator;
    if (!ahead->pairs)
        return;
    release_batch(ahead, &ahead->now);
    release_batch(ahead, &ahead->next);
    allocator->resize(allocator->user, ahead->pairs, 2 * PAIRS * sizeof *ahead->pairs, 0);
}
