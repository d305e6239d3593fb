/* SPDX-License-Identifier: MIT */
/* Whether an edited file still has its format, and the checks find nothing new in it. */
#include "../check/finding.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/lower_bound.h"
#include "single_edit.h"
#include <stdlib.h>

/* The identity of a finding. */
typedef struct identity {
    uint64_t exact; /* including the found value */
    uint64_t key;   /* without it: edits also change found values */
} identity;

/* The findings of one document, in ascending order once complete. The first of equal numbers has the count of
 * those that were met again. */
typedef struct findings {
    mst_array all;  /* identity */
    uint64_t *keys; /* of all of them */
    size_t *met_all, *met_keys;
    bool facts; /* the findings being added are numbers that name nothing by the tables */
    const mst_format *format;
} findings;

/* The findings after an edit, compared with those of one or two documents before. */
typedef struct compare_state {
    findings *before;
    size_t before_count;
    const mst_edit_options *options;
    mst_diagnostic *diagnostic;
    const mst_format *format;
    uint64_t refused, others;
    bool binding; /* errors are judged elsewhere */
    bool counts;  /* without reporting */
    bool facts;
} compare_state;

/* A finding by its code, and its path without indices, which edits change. */
static uint64_t key_of(const mst_diagnostic *finding, bool fact) {
    uint64_t key = mst_hash_byte(mst_hash_text(MST_HASH, finding->code), fact);
    for (const char *c = finding->path; *c; c++)
        if (*c < '0' || *c > '9')
            key = mst_hash_byte(key, (uint8_t)*c);
    return key;
}

/* With the found and the expected value. Lists may have grown since, so the expected value of a number that
 * names an element does not count. */
static uint64_t exact_of(const mst_diagnostic *finding, bool fact, const mst_format *format) {
    uint64_t key = mst_hash_text(key_of(finding, fact), finding->found);
    return fact || mst_code_binds(format, finding->code) ? key : mst_hash_text(key, finding->expected);
}

static mst_status collect(void *user, const mst_diagnostic *finding) {
    findings *f = user;
    identity *one = mst_array_push(&f->all, 1);
    if (!one)
        return MST_NO_MEMORY;
    *one = (identity){exact_of(finding, f->facts, f->format), key_of(finding, f->facts)};
    return MST_OK;
}

/* The first of `count` ascending numbers, `step` apart, that is not below `number`. */
static size_t place_of(const uint64_t *numbers, size_t step, size_t count, uint64_t number) {
    MST_LOWER_BOUND(low, middle, count, numbers[middle * step] < number);
    return low;
}

/* Whether one more occurrence of a number is among them. */
static bool meet(const uint64_t *numbers, size_t step, size_t count, size_t *met, uint64_t number) {
    size_t at = place_of(numbers, step, count, number);
    if (at == count || numbers[at * step] != number || at + met[at] >= count ||
        numbers[(at + met[at]) * step] != number)
        return false;
    met[at]++;
    return true;
}

#define STEP (sizeof(identity) / sizeof(uint64_t))

static bool meet_exact(findings *before, uint64_t exact) {
    return meet(before->all.items, STEP, before->all.count, before->met_all, exact);
}

static bool meet_key(findings *before, uint64_t key) {
    return meet(before->keys, 1, before->all.count, before->met_keys, key);
}

static bool has_exact(const findings *before, uint64_t exact) {
    const identity *all = before->all.items;
    size_t at = place_of(before->all.items, STEP, before->all.count, exact);
    return at < before->all.count && all[at].exact == exact;
}

/* Whether a new finding refuses the edit, unless it is forced. */
static bool refuses(const compare_state *now, const mst_diagnostic *finding) {
    if (finding->severity == MST_ERROR)
        return !now->binding;
    return now->facts ||
           (mst_code_binds(now->format, finding->code) && !mst_code_is_of_bits(now->format, finding->code));
}

/*
 * Whether the finding existed before. Each earlier finding counts once, and equal ones count first: changed
 * ones can only be among the rest. A copy of a number that names nothing does not make another element
 * missing.
 */
static bool was_there(compare_state *now, const mst_diagnostic *finding) {
    uint64_t key = key_of(finding, now->facts), exact = exact_of(finding, now->facts, now->format);
    bool copies = finding->severity != MST_ERROR && finding->found[0] && refuses(now, finding), was = false;
    for (size_t i = 0; i < now->before_count; i++) {
        findings *before = &now->before[i];
        was |= meet_exact(before, exact) || (copies && has_exact(before, exact)) || meet_key(before, key);
    }
    return was;
}

static mst_status compare(void *user, const mst_diagnostic *finding) {
    compare_state *now = user;
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

static mst_status collect_all(findings *f, const mst_document *document, const mst_check_options *checks,
                              mst_arena *arena, mst_diagnostic *diagnostic) {
    *f = (findings){.all = {.element_size = sizeof(identity), .allocator = document->allocator},
                    .format = document->format};
    mst_status status = mst_check(document, checks, collect, f, NULL, diagnostic);
    f->facts = true;
    if (status == MST_OK)
        status = mst_check_dangling(document, collect, f, diagnostic);
    size_t count = f->all.count;
    const identity *all = f->all.items;
    f->keys = mst_arena_take(arena, count + 1, sizeof *f->keys);
    f->met_all = mst_arena_zero(arena, count + 1, sizeof *f->met_all);
    f->met_keys = mst_arena_zero(arena, count + 1, sizeof *f->met_keys);
    if (!f->keys || !f->met_all || !f->met_keys)
        return MST_NO_MEMORY;
    if (!count)
        return status;
    qsort(f->all.items, count, sizeof *all, mst_by_number);
    for (size_t i = 0; i < count; i++)
        f->keys[i] = all[i].key;
    qsort(f->keys, count, sizeof *f->keys, mst_by_number);
    return status;
}

/* Earlier findings that are unchanged count as met by their keys; returns whether all are unchanged. */
static bool take_same(findings *before, const findings *after) {
    const identity *all = after->all.items;
    bool same = true;
    memset(before->met_all, 0, before->all.count * sizeof *before->met_all);
    memset(before->met_keys, 0, before->all.count * sizeof *before->met_keys);
    for (size_t i = 0; i < after->all.count; i++) {
        bool met = meet_exact(before, all[i].exact);
        same &= met;
        if (met)
            meet_key(before, all[i].key);
    }
    memset(before->met_all, 0, before->all.count * sizeof *before->met_all);
    return same;
}

static mst_status compare_all(compare_state *now, const findings *is, const mst_document *after,
                              mst_diagnostic *diagnostic) {
    bool same = false;
    for (size_t i = 0; i < now->before_count; i++)
        same |= take_same(&now->before[i], is);
    if (same)
        return MST_OK;
    now->facts = false;
    mst_status status = mst_check(after, now->options->checks, compare, now, NULL, diagnostic);
    now->facts = true;
    return status == MST_OK ? mst_check_dangling(after, compare, now, diagnostic) : status;
}

#define BEFORE_MAX 2

/* `was`: of each document before */
static mst_status recheck(compare_state *now, const mst_document *const *before,
                          const mst_check_options *const *was, const mst_document *after,
                          mst_diagnostic *diagnostic) {
    findings all[BEFORE_MAX + 1] = {{.keys = NULL}}, *is = &all[now->before_count];
    mst_arena arena;
    mst_arena_begin(&arena, &after->allocator, 0);
    mst_status status = MST_OK;
    now->before = all;
    now->counts = true;
    now->format = after->format;
    size_t begun = 0;
    while (begun <= now->before_count && status == MST_OK) {
        bool old = begun < now->before_count;
        status = collect_all(&all[begun], old ? before[begun] : after,
                             old ? was[begun] : now->options->checks, &arena, diagnostic);
        begun++;
    }
    if (status == MST_OK)
        status = compare_all(now, is, after, diagnostic);
    if (status == MST_OK && !now->refused && now->others && now->options->report) {
        now->counts = false;
        status = compare_all(now, is, after, diagnostic);
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to check the edit");
    mst_arena_end(&arena);
    for (size_t i = 0; i < begun; i++)
        mst_array_free(&all[i].all);
    now->before = NULL;
    return status == MST_OK && now->refused ? MST_REFUSED : status;
}

mst_status mst_edit_recheck(const mst_document *before, const mst_check_options *was,
                            const mst_document *after, const mst_edit_options *options,
                            mst_diagnostic *diagnostic) {
    compare_state now = {.before_count = 1, .options = options, .diagnostic = diagnostic};
    was = was ? was : options->checks;
    return recheck(&now, &before, &was, after, diagnostic);
}

mst_status mst_edit_recheck_merged(const mst_document *ours, const mst_document *theirs,
                                   const mst_document *merged, const mst_check_options checks[BEFORE_MAX + 1],
                                   mst_diagnostic *diagnostic) {
    const mst_edit_options options = {.size = sizeof options, .checks = &checks[BEFORE_MAX]};
    const mst_document *const both[BEFORE_MAX] = {ours, theirs};
    const mst_check_options *const was[BEFORE_MAX] = {&checks[0], &checks[1]};
    compare_state now = {
        .before_count = BEFORE_MAX, .options = &options, .diagnostic = diagnostic, .binding = true};
    return recheck(&now, both, was, merged, diagnostic);
}

/* The name of a document's file; NULL: it has none. */
static const char *name_of(const mst_document *document) {
    const char *name = document->format->files.count ? document->files[0].name : document->name;
    return name && *name ? name : NULL;
}

/* The format as which a document's file is recognized, by its first bytes and a name. */
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
    mst_fail(diagnostic, MST_REFUSED, "the file could no longer be identified");
    if (diagnostic)
        MST_SET(diagnostic->expected, "the beginning of a file of %s", before->format->information.title);
    return MST_REFUSED;
}
