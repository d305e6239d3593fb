/* SPDX-License-Identifier: MIT */
/* Whether a file is still what it was after an edit, and the checks find nothing in it that they did not find
 * before. */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "edit.h"
#include "finding.h"
#include <stdlib.h>

/* The findings of one document, by what identifies each, in ascending order. */
typedef struct findings {
    mst_array keys;  /* uint64_t, without what was found: as many with one of them are expected again */
    mst_array wrong; /* uint64_t, with it: of numbers that name nothing */
    size_t *left;    /* how many of equal keys have been met again, at the first of them */
    const mst_format *format;
} findings;

/* The findings after an edit, as they are compared with those of one or two documents before. */
typedef struct comparing {
    findings *before;
    size_t before_count;
    const mst_edit_options *options;
    mst_diagnostic *diagnostic;
    const mst_format *format;
    uint64_t refused, others;
    bool binding; /* errors are judged elsewhere */
    bool counts;  /* without reporting */
    bool facts;   /* these are the numbers that name nothing by the tables */
} comparing;

/* A finding by its code, and its path without indices, which edits change. */
static uint64_t key_of(const mst_diagnostic *finding, bool fact) {
    uint64_t key = mst_hash_byte(mst_hash_text(MST_HASH, finding->code), fact);
    for (const char *c = finding->path; *c; c++)
        if (*c < '0' || *c > '9')
            key = mst_hash_byte(key, (uint8_t)*c);
    return key;
}

/* With what is wrong: a copy of what was wrong before is not a new fault. Lists may have got longer since, so
 * what is expected of a number counts only where no fact of the tables says it. */
static uint64_t key_of_wrong(const mst_diagnostic *finding, bool fact) {
    uint64_t key = mst_hash_text(key_of(finding, fact), finding->found);
    return fact ? key : mst_hash_text(key, finding->expected);
}

static bool is_described(const mst_diagnostic *finding) {
    return finding->path[0] || finding->found[0];
}

static mst_status collect_one(findings *all, const mst_diagnostic *finding, bool fact) {
    uint64_t *key = mst_array_push(&all->keys, 1);
    if (!key)
        return MST_NO_MEMORY;
    *key = key_of(finding, fact);
    if (!is_described(finding) || (!fact && !mst_code_binds(all->format, finding->code)))
        return MST_OK;
    key = mst_array_push(&all->wrong, 1);
    if (!key)
        return MST_NO_MEMORY;
    *key = key_of_wrong(finding, fact);
    return MST_OK;
}

static mst_status collect(void *user, const mst_diagnostic *finding) {
    return collect_one(user, finding, false);
}

static mst_status collect_fact(void *user, const mst_diagnostic *finding) {
    return collect_one(user, finding, true);
}

/* The first of a number in ascending ones that is not below the key. */
static size_t place_of(const mst_array *all, uint64_t key) {
    const uint64_t *keys = all->items;
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has(const mst_array *all, size_t at, uint64_t key) {
    const uint64_t *keys = all->items;
    return at < all->count && keys[at] == key;
}

/* Whether the finding was there before; each of those counts once. */
static bool was_there(comparing *now, const mst_diagnostic *finding) {
    uint64_t key = key_of(finding, now->facts), wrong = key_of_wrong(finding, now->facts);
    bool was = false;
    for (size_t i = 0; i < now->before_count; i++) {
        findings *before = &now->before[i];
        size_t at = place_of(&before->keys, key);
        if (has(&before->keys, at, key))
            was |= has(&before->keys, at + before->left[at]++, key);
        was |= is_described(finding) && has(&before->wrong, place_of(&before->wrong, wrong), wrong);
    }
    return was;
}

/* Whether a new finding refuses the edit, unless it is forced. */
static bool refuses(const comparing *now, const mst_diagnostic *finding) {
    if (finding->severity == MST_ERROR)
        return !now->binding;
    return now->facts || mst_code_binds(now->format, finding->code);
}

static mst_status compare(void *user, const mst_diagnostic *finding) {
    comparing *now = user;
    if (was_there(now, finding))
        return MST_OK;
    if (refuses(now, finding) && !now->options->force) {
        if (!now->refused++ && now->diagnostic) {
            *now->diagnostic = *finding;
            now->diagnostic->status = MST_REFUSED;
            now->diagnostic->severity = MST_ERROR;
        }
        return MST_OK;
    }
    if (now->facts && finding->code[0] && finding->severity != MST_INFORMATION)
        return MST_OK; /* the check reports it */
    now->others++;
    return now->options->report && !now->counts ? now->options->report(now->options->user, finding) : MST_OK;
}

static void sort(mst_array *keys) {
    if (keys->count)
        qsort(keys->items, keys->count, sizeof(uint64_t), mst_by_number);
}

static mst_status begin(findings *all, const mst_document *document, const mst_edit_options *options,
                        mst_arena *arena, mst_diagnostic *diagnostic) {
    mst_array none = {.element_size = sizeof(uint64_t), .allocator = document->allocator};
    *all = (findings){.keys = none, .wrong = none, .format = document->format};
    mst_status status = mst_check(document, options->checks, collect, all, NULL, diagnostic);
    if (status == MST_OK)
        status = mst_check_dangling(document, collect_fact, all, diagnostic);
    sort(&all->keys);
    sort(&all->wrong);
    all->left = mst_arena_zero(arena, all->keys.count + 1, sizeof *all->left);
    return status == MST_OK && !all->left ? MST_NO_MEMORY : status;
}

static mst_status compare_all(comparing *now, const mst_document *after, mst_diagnostic *diagnostic) {
    for (size_t i = 0; i < now->before_count; i++)
        memset(now->before[i].left, 0, now->before[i].keys.count * sizeof *now->before[i].left);
    now->facts = false;
    mst_status status = mst_check(after, now->options->checks, compare, now, NULL, diagnostic);
    now->facts = true;
    return status == MST_OK ? mst_check_dangling(after, compare, now, diagnostic) : status;
}

#define BEFORE_MAX 2

static mst_status recheck(comparing *now, const mst_document *const *before, const mst_document *after,
                          mst_diagnostic *diagnostic) {
    findings old[BEFORE_MAX] = {{.left = NULL}};
    mst_arena arena;
    mst_arena_begin(&arena, &after->allocator, 0);
    mst_status status = MST_OK;
    now->before = old;
    now->counts = true;
    now->format = after->format;
    size_t begun = 0;
    while (begun < now->before_count && status == MST_OK) {
        status = begin(&old[begun], before[begun], now->options, &arena, diagnostic);
        begun++;
    }
    if (status == MST_OK)
        status = compare_all(now, after, diagnostic);
    if (status == MST_OK && !now->refused && now->others && now->options->report) {
        now->counts = false;
        status = compare_all(now, after, diagnostic);
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "there is no memory to check the edit");
    mst_arena_end(&arena);
    for (size_t i = 0; i < begun; i++) {
        mst_array_free(&old[i].keys);
        mst_array_free(&old[i].wrong);
    }
    return status == MST_OK && now->refused ? MST_REFUSED : status;
}

mst_status mst_edit_recheck(const mst_document *before, const mst_document *after,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    comparing now = {.before_count = 1, .options = options, .diagnostic = diagnostic};
    return recheck(&now, &before, after, diagnostic);
}

mst_status mst_edit_recheck_merged(const mst_document *ours, const mst_document *theirs,
                                   const mst_document *merged, const mst_check_options *checks,
                                   mst_diagnostic *diagnostic) {
    const mst_edit_options options = {.size = sizeof options, .checks = checks};
    const mst_document *const both[BEFORE_MAX] = {ours, theirs};
    comparing now = {
        .before_count = BEFORE_MAX, .options = &options, .diagnostic = diagnostic, .binding = true};
    return recheck(&now, both, merged, diagnostic);
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
