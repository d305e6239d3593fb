/* SPDX-License-Identifier: MIT */
/* Whether a file is still what it was after an edit, and the checks find nothing in it that they did not find
 * before. */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "edit.h"
#include <stdlib.h>

/* The findings of one check: what identifies each, in ascending order. */
typedef struct findings findings;
struct findings {
    mst_array keys; /* uint64_t */
    const findings *before;
    size_t *left; /* of `before`: how many equal keys have not been met again */
    const mst_edit_options *options;
    mst_diagnostic *diagnostic;
    uint64_t errors, others;
    bool counts; /* without reporting */
};

/* A finding by its code, and its path without indices, which edits change. */
static uint64_t key_of(const mst_diagnostic *finding) {
    uint64_t key = mst_hash_text(MST_HASH, finding->code);
    for (const char *c = finding->path; *c; c++)
        if (*c < '0' || *c > '9')
            key = mst_hash_byte(key, (uint8_t)*c);
    return key;
}

static mst_status collect(void *user, const mst_diagnostic *finding) {
    findings *all = user;
    uint64_t *key = mst_array_push(&all->keys, 1);
    if (!key)
        return MST_NO_MEMORY;
    *key = key_of(finding);
    return MST_OK;
}

/* Whether the finding was there before; each of those counts once. */
static bool was_there(findings *now, uint64_t key) {
    const findings *before = now->before;
    const uint64_t *keys = before->keys.items;
    size_t low = 0, high = before->keys.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == before->keys.count || keys[low] != key)
        return false;
    size_t used = now->left[low]++; /* counted at the first of the equal keys */
    return low + used < before->keys.count && keys[low + used] == key;
}

static mst_status compare(void *user, const mst_diagnostic *finding) {
    findings *now = user;
    if (was_there(now, key_of(finding)))
        return MST_OK;
    if (finding->severity == MST_ERROR && !now->options->force) {
        if (!now->errors++ && now->diagnostic) {
            *now->diagnostic = *finding;
            now->diagnostic->status = MST_REFUSED;
        }
        return MST_OK;
    }
    now->others++;
    return now->options->report && !now->counts ? now->options->report(now->options->user, finding) : MST_OK;
}

mst_status mst_edit_recheck(const mst_document *before, const mst_document *after,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    findings old = {.keys = {.element_size = sizeof(uint64_t), .allocator = before->allocator}};
    findings now = {.before = &old, .options = options, .diagnostic = diagnostic};
    mst_arena arena;
    mst_arena_begin(&arena, &before->allocator, 0);
    mst_status status = mst_check(before, options->checks, collect, &old, NULL, diagnostic);
    if (status == MST_OK && old.keys.count)
        qsort(old.keys.items, old.keys.count, sizeof(uint64_t), mst_by_number);
    now.left = mst_arena_zero(&arena, old.keys.count + 1, sizeof *now.left);
    if (status == MST_OK && !now.left)
        status = MST_NO_MEMORY;
    now.counts = true;
    if (status == MST_OK)
        status = mst_check(after, options->checks, compare, &now, NULL, diagnostic);
    if (status == MST_OK && !now.errors && now.others && options->report) {
        now.counts = false;
        memset(now.left, 0, old.keys.count * sizeof *now.left);
        status = mst_check(after, options->checks, compare, &now, NULL, diagnostic);
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "there is no memory to check the edit");
    mst_arena_end(&arena);
    mst_array_free(&old.keys);
    return status == MST_OK && now.errors ? MST_REFUSED : status;
}

/* The name of a document's file; NULL: it has none. */
static const char *name_of(const mst_document *document) {
    const char *name = document->format->files.count ? document->files[0].name : document->name;
    return name && *name ? name : NULL;
}

/* The format by which a document's file is known, by its first bytes and a name. */
static const mst_format *known_as(const mst_document *document, const char *name) {
    const mst_parsed_file *parsed = document->format->files.count ? &document->files[0] : NULL;
    const uint8_t *bytes = parsed ? parsed->data : document->data;
    uint64_t size = parsed ? parsed->size : document->size;
    mst_variant variant;
    return mst_probe(bytes ? bytes : (const uint8_t *)"", size < 4096 ? (size_t)size : 4096, size, name,
                     &variant);
}

mst_status mst_edit_recognize(const mst_document *before, const mst_document *after,
                              mst_diagnostic *diagnostic) {
    const char *name = name_of(before); /* "-", opened again, would be standard input */
    if (!name || known_as(before, name) != before->format || known_as(after, name) == after->format)
        return MST_OK;
    mst_fail(diagnostic, MST_REFUSED, "nothing would be left by which the file is known");
    if (diagnostic)
        MST_SET(diagnostic->expected, "what a file of %s begins with", before->format->information.title);
    return MST_REFUSED;
}
