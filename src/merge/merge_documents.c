/* SPDX-License-Identifier: MIT */
#include "../compare/comparing.h"
#include "../core/diagnose.h"
#include "../core/meter.h"
#include "../edit/single_edit.h"
#include "merging.h"

/* Makes `to` a copy of `from`, keeping its file names. */
static mst_status copy(mst_document *to, const mst_document *from, mst_diagnostic *diagnostic) {
    mst_document *made;
    mst_status status = mst_edit_copy(from, &made, diagnostic);
    if (status == MST_OK && mst_keep_file_names(made, to) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the names of the files");
    if (status == MST_OK)
        status = mst_serialize(made, diagnostic);
    if (status == MST_OK)
        mst_edit_adopt(to, made);
    mst_close(made);
    return status;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

/* Recomputes values that depend on all others, such as hashes. */
static mst_status finish(mst_merge_state *m, mst_document *result) {
    const mst_format *format = m->ours->format;
    mst_status status = MST_OK;
    if (MST_OPTION(format->editing, settle))
        status = format->editing->settle(m->ours, result, NULL, m->diagnostic);
    if (status == MST_OK && format->fix_up) {
        format->fix_up(m->ours, result, mst_edit_bytes(result));
        status = mst_edit_reopen(result, m->diagnostic);
    }
    if (status == MST_OK && format->files.count)
        status = mst_serialize(result, m->diagnostic);
    return status;
}

/* The result may not have more errors than the worse of the two sides, nor dangling references that neither
 * side has. */
static mst_status check(mst_merge_state *m, const mst_document *result) {
    const mst_document *const all[] = {m->ours, m->theirs, result};
    mst_check_options checks[3] = {{.size = 0}};
    uint64_t errors[3];
    for (size_t i = 0; i < 3; i++) {
        mst_check_result found;
        mst_status status = mst_take_options(&checks[i], sizeof checks[i], m->options.checks, m->diagnostic);
        if (m->beside && i < 2)
            checks[i].sidecars = m->beside[i];
        if (status == MST_OK)
            status = mst_check(all[i], &checks[i], NULL, NULL, &found, m->diagnostic);
        if (status != MST_OK)
            return status;
        errors[i] = found.errors;
    }
    if (errors[2] <= errors[0] || errors[2] <= errors[1])
        return mst_edit_recheck_merged(m->ours, m->theirs, result, checks, m->diagnostic);
    return mst_fail(m->diagnostic, MST_REFUSED, "the merged level would have more errors (%llu) than either",
                    (unsigned long long)errors[2]);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static mst_status find_steps(mst_merge_state *m, int side) {
    m->doubts[side].items.count = 0;
    mst_status status = mst_steps_between(m->base, side ? m->theirs : m->ours, m->arena, &m->steps[side],
                                          &m->doubts[side], m->diagnostic);
    return status == MST_OK ? mst_changes_of_steps(&m->steps[side], m->base->size, m->arena, &m->lists[side])
                            : status;
}

/* `renewed`: a copy of their document with new ids, which the caller closes. */
static mst_status merge(mst_merge_state *m, mst_document **result, mst_document **renewed) {
    mst_status status = MST_OK;
    for (int side = 0; side < 2 && status == MST_OK; side++)
        status = find_steps(m, side);
    if (status == MST_OK)
        status = mst_merge_renew_ids(m, renewed);
    if (status == MST_OK && *renewed) {
        m->theirs = *renewed;
        status = find_steps(m, 1);
    }
    if (status == MST_OK)
        status = mst_merge_check_numbered(m);
    if (status == MST_OK)
        status = mst_merge_lists(m);
    if (status == MST_OK)
        status = mst_merge_note_doubts(m);
    if (status == MST_OK)
        status = mst_merge_weigh(m);
    if (status == MST_OK)
        status = mst_merge_members(m);
    if (status == MST_OK)
        status = mst_merge_twins(m);
    if (status == MST_OK)
        status = mst_merge_result(m, result);
    if (status == MST_OK)
        status = mst_merge_untouched(m, *result);
    if (status == MST_OK && m->options.mark && m->options.prefer == MST_PREFER_NONE)
        status = mst_merge_mark(m, result);
    if (status == MST_OK)
        status = mst_merge_tidy(m, *result);
    if (status == MST_OK)
        status = mst_merge_let_go(m, *result);
    if (status == MST_OK)
        status = finish(m, *result);
    if (status == MST_OK && m->options.checks)
        status = check(m, *result);
    return status;
}

static mst_status report(mst_merge_state *m) {
    const mst_held *held = m->held.items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < m->held.count && m->options.conflict && status == MST_OK; i++)
        status = m->options.conflict(m->options.user, &held[i].conflict);
    return status;
}

static mst_status in_version(const mst_document *document, uint32_t version, bool allow_loss,
                             mst_document **made, mst_diagnostic *diagnostic) {
    const mst_convert_options how = {
        .size = sizeof how, .version = version, .has_version = true, .allow_loss = allow_loss};
    return mst_convert(document, &how, NULL, NULL, made, diagnostic);
}

/* The base document with the changes of a side that has an older version. Values that the older version
 * cannot store count as unchanged. `base` and `side` are both in the newest version; `side` is replaced. */
static mst_status without_loss(const mst_document *base, uint32_t older, mst_document **side,
                               mst_diagnostic *diagnostic) {
    const mst_merge_options take = {.size = sizeof take, .prefer = MST_PREFER_THEIRS};
    mst_document *low = NULL, *poor = NULL, *made = NULL;
    mst_status status = in_version(base, older, true, &low, diagnostic);
    if (status == MST_OK)
        status = in_version(low, (*side)->variant.version, true, &poor, diagnostic);
    if (status == MST_OK)
        status = mst_edit_copy(base, &made, diagnostic);
    if (status == MST_OK)
        status = mst_merge_beside(made, poor, *side, &take, NULL, NULL, diagnostic);
    if (status == MST_OK) {
        mst_close(*side);
        *side = made;
        made = NULL;
    }
    mst_close(low);
    mst_close(poor);
    mst_close(made);
    return status;
}

/* Merges the documents after converting them to the newest of their versions. */
static mst_status merge_newest(mst_document *ours, const mst_document *base, const mst_document *theirs,
                               const mst_merge_options *options, const mst_resolver *const *beside,
                               uint64_t *conflicts, mst_diagnostic *diagnostic) {
    const mst_document *const all[] = {base, ours, theirs};
    mst_document *made[3] = {NULL};
    uint32_t newest = 0;
    mst_status status = MST_OK;
    for (size_t i = 0; i < 3; i++)
        newest = all[i]->variant.version > newest ? all[i]->variant.version : newest;
    for (size_t i = 0; i < 3 && status == MST_OK; i++)
        status = in_version(all[i], newest, false, &made[i], diagnostic);
    for (size_t i = 1; i < 3 && status == MST_OK; i++)
        if (all[i]->variant.version < base->variant.version)
            status = without_loss(made[0], all[i]->variant.version, &made[i], diagnostic);
    if (status == MST_UNSUPPORTED || status == MST_ARGUMENT)
        status = mst_fail(diagnostic, MST_REFUSED,
                          "the documents are of different versions: convert them to one first");
    if (status == MST_OK)
        status = mst_merge_beside(made[1], made[0], made[2], options, beside, conflicts, diagnostic);
    if (status == MST_OK)
        status = copy(ours, made[1], diagnostic);
    for (size_t i = 0; i < 3; i++)
        mst_close(made[i]);
    return status;
}

mst_status mst_merge_beside(mst_document *ours, const mst_document *base, const mst_document *theirs,
                            const mst_merge_options *options, const mst_resolver *const *beside,
                            uint64_t *conflicts, mst_diagnostic *diagnostic) {
    if (conflicts)
        *conflicts = 0;
    if (!ours || !base || !theirs)
        return mst_fail(diagnostic, MST_ARGUMENT, "three documents are needed");
    if (ours->format != base->format || theirs->format != base->format)
        return mst_fail(diagnostic, MST_ARGUMENT, "the documents are of different formats");
    mst_arena arena;
    mst_document *result = NULL, *renewed = NULL;
    mst_merge_state m = {.ours = ours,
                         .base = base,
                         .theirs = theirs,
                         .beside = beside,
                         .arena = &arena,
                         .diagnostic = diagnostic};
    mst_status status = mst_take_options(&m.options, sizeof m.options, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (mst_same_files(base, theirs) || mst_same_files(ours, theirs))
        return MST_OK;
    if (mst_same_files(base, ours))
        return copy(ours, theirs, diagnostic);
    if (ours->variant.version != base->variant.version || theirs->variant.version != base->variant.version)
        return merge_newest(ours, base, theirs, options, beside, conflicts, diagnostic);
    if (!mst_same_variant(ours->variant, base->variant) || !mst_same_variant(theirs->variant, base->variant))
        return mst_fail(diagnostic, MST_REFUSED,
                        "the documents have different byte orders or layouts: convert them to one first");
    mst_meter meter;
    const mst_allocator metered = mst_meter_begin(&meter, &ours->allocator, m.options.memory_limit,
                                                  ours->size + base->size + theirs->size);
    mst_arena_begin(&arena, &metered, 0);
    m.more = (mst_array){.element_size = sizeof(mst_patch_step), .allocator = arena.allocator};
    m.held = (mst_array){.element_size = sizeof(mst_held), .allocator = arena.allocator};
    m.named = (mst_array){.element_size = sizeof(mst_listing), .allocator = arena.allocator};
    for (int side = 0; side < 2; side++) {
        m.doubts[side].arena = &arena;
        m.doubts[side].items = (mst_array){.element_size = sizeof(mst_doubted), .allocator = arena.allocator};
    }
    status = merge(&m, &result, &renewed);
    if (status == MST_OK || status == MST_REFUSED) {
        mst_status heard = report(&m);
        status = heard == MST_OK ? status : heard;
    }
    if (status == MST_OK) {
        const uint64_t larger = ours->size > theirs->size ? ours->size : theirs->size;
        status = mst_edit_may_grow(
            ours, result->size, m.options.growth_limit ? m.options.growth_limit : mst_default_growth(larger),
            diagnostic);
    }
    if (status == MST_OK && !meter.refused)
        status = mst_edit_take(ours, result, diagnostic);
    if (status == MST_OK && conflicts)
        *conflicts = m.conflicts;
    mst_close(result);
    mst_close(renewed);
    mst_landmarks_reset(&m.landmarks);
    mst_array_free(&m.more);
    mst_array_free(&m.held);
    mst_array_free(&m.named);
    mst_array_free(&m.doubts[0].items);
    mst_array_free(&m.doubts[1].items);
    mst_arena_end(&arena);
    status = mst_meter_end(&meter, status, diagnostic);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, status, "not enough memory to merge") : status;
}
