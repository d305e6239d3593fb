/* SPDX-License-Identifier: MIT */
/* Editing and comparing documents. Pages do not use directories: the internal functions beneath the public
 * ones are called directly, which leaves the rest out of the module. */
#include "../../cli/output/change_lines.h"
#include "../../src/compare/comparing.h"
#include "../../src/patch/drafts.h"
#include "bridge.h"
#include <mapstone/edit.h>
#include <mapstone/patch.h>
#include <stdlib.h>

mst_status web_set(answer *to, const opened *of, uint32_t index, const char *path, const char *json) {
    mst_document *document = opened_document(of, index, to);
    return answer_end(to, document ? mst_set(document, path, json, &to->why) : MST_ARGUMENT);
}

mst_status web_classes(answer *to, const opened *of, uint32_t index) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_format *format = document->format;
    const char *names = "";
    mst_status status = MST_OK;
    mst_value list;
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    if (MST_OPTION(format->adding, of_class) && format->information.rows &&
        mst_find(mst_root(document), format->information.rows, &list, NULL) == MST_OK)
        status = format->adding->of_class(mst_field_of(&list), NULL, NULL, &arena, &names, &to->why);
    if (status == MST_OK)
        put_text(&to->text, names);
    mst_arena_end(&arena);
    return answer_end(to, status);
}

static mst_status put_change(void *user, const mst_edit_change *change) {
    static const char *const kinds[] = {"set", "add", "remove", "move"};
    stream *to = &((answer *)user)->text;
    put_text(to, "{");
    put_json_member(to, "change", kinds[change->kind]);
    put_json_member(to, "path", change->path);
    if (change->old) {
        put_json_key(to, "old");
        put_text(to, change->old);
    }
    if (change->now) {
        put_json_key(to, "new");
        put_text(to, change->now);
    }
    put_text(to, "}\n");
    return MST_OK;
}

mst_status web_edit(answer *to, const opened *of, uint32_t index, const char *script, uint32_t size,
                    uint32_t flags) {
    mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_check_options checks = {.size = sizeof checks,
                                      .sidecars = mst_level_sidecars(opened_level(of))};
    answer reported = {.text = stream_memory()};
    const mst_edit_options how = {.size = sizeof how,
                                  .each = (flags & EDIT_EACH) != 0,
                                  .cascade = (flags & EDIT_CASCADE) != 0,
                                  .keep_loose = (flags & EDIT_KEEP_LOOSE) != 0,
                                  .force = (flags & EDIT_FORCE) != 0,
                                  .checks = &checks,
                                  .report = put_finding,
                                  .change = put_change,
                                  .user = &reported};
    mst_operations *operations = NULL;
    mst_status status = mst_operations_read(&operations, script, size, 1, NULL, &to->why);
    size_t count = 0;
    const mst_operation *all = status == MST_OK ? mst_operations_all(operations, &count) : NULL;
    if (status == MST_OK && (flags & EDIT_TRY)) {
        mst_transaction *transaction = NULL;
        status = mst_edit_begin(document, &how, &transaction, &to->why);
        for (size_t i = 0; i < count && status == MST_OK; i++)
            status = mst_edit_apply(transaction, &all[i], &to->why);
        mst_edit_abort(transaction);
    } else if (status == MST_OK) {
        status = mst_edit(document, all, count, &how, &to->why);
    }
    mst_operations_free(operations);
    return answer_end_with(to, status, &reported);
}

/* ---- undo steps --------------------------------------------------------------------------------------- */

struct step {
    mst_undo *undo;
    uint64_t others; /* hash of the level's other documents */
    bool spread;     /* the edit changed them as well */
};

/* A hash that changes when another document of the level changes. */
static uint64_t others_of(const opened *of, uint32_t index) {
    uint64_t sum = mst_level_count(opened_level(of));
    for (uint32_t i = 0; i < mst_level_count(opened_level(of)); i++) {
        size_t size;
        const void *bytes = mst_document_bytes(mst_level_document(opened_level(of), i), &size);
        if (i != index)
            sum = (sum ^ (uintptr_t)bytes ^ size) * UINT64_C(1099511628211);
    }
    return sum;
}

void web_step_drop(step *of) {
    if (!of)
        return;
    mst_undo_free(of->undo);
    free(of);
}

step *web_step_begin(answer *to, const opened *of, uint32_t index) {
    const mst_document *document = opened_document(of, index, to);
    step *made = need(calloc(1, sizeof *made));
    mst_status status = document ? mst_undo_begin(document, &made->undo, &to->why) : MST_ARGUMENT;
    if (document)
        made->others = others_of(of, index);
    if (status == MST_OK)
        return made;
    web_step_drop(made);
    answer_end(to, status);
    return NULL;
}

mst_status web_step_end(answer *to, step *made, const opened *of, uint32_t index) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    made->spread = others_of(of, index) != made->others;
    return answer_end(to, mst_undo_end(made->undo, document, &to->why));
}

mst_status web_step_swap(answer *to, step *made, const opened *of, uint32_t index) {
    mst_document *document = opened_document(of, index, to);
    mst_status status = document ? MST_OK : MST_ARGUMENT;
    if (document && made->spread)
        status = blame(&to->why, MST_REFUSED, "other files have changed together with it");
    return answer_end(to, status == MST_OK ? mst_undo_swap(made->undo, document, &to->why) : status);
}

double web_step_size(const step *of) {
    return (double)(sizeof *of + mst_undo_memory(of->undo));
}

mst_status web_diff(answer *to, const opened *old, uint32_t old_index, const opened *now, uint32_t new_index,
                    uint32_t flags) {
    const mst_document *before = opened_document(old, old_index, to), *after = NULL;
    if (before)
        after = opened_document(now, new_index, to);
    if (!after)
        return answer_end(to, MST_ARGUMENT);
    bool lines = (flags & DIFF_LINES) != 0, everything = (flags & DIFF_EVERYTHING) != 0;
    changes all = {.as_json = !lines, .everything = everything};
    mst_status status = mst_diff_with_doubts(before, after, NULL, changes_take, &all, NULL, &to->why);
    if (status == MST_OK && lines)
        changes_put(&all, &to->text, "", everything);
    else if (status == MST_OK)
        changes_put_json(&all, &to->text);
    changes_free(&all);
    return answer_end(to, status);
}

mst_status web_patch_make(answer *to, const opened *old, uint32_t old_index, const opened *now,
                          uint32_t new_index, int with_data) {
    const mst_document *before = opened_document(old, old_index, to), *after = NULL;
    if (before)
        after = opened_document(now, new_index, to);
    if (!after)
        return answer_end(to, MST_ARGUMENT);
    const mst_patch_options how = {.size = sizeof how, .with_data = with_data};
    return answer_end(to, mst_patch_of_documents(before, after, &how, stream_sink(&to->text), &to->why));
}

static mst_status put_rejected(void *user, const mst_conflict *conflict) {
    stream *to = &((answer *)user)->text;
    put_text(to, "{");
    put_json_member(to, "path", conflict->path);
    if (*conflict->label)
        put_json_member(to, "label", conflict->label);
    const char *const names[] = {"base", "ours", "theirs"}, *const texts[] = {conflict->base, conflict->ours,
                                                                              conflict->theirs};
    for (size_t i = 0; i < 3; i++)
        if (texts[i]) {
            put_json_key(to, names[i]);
            put_text(to, texts[i]);
        }
    put_text(to, "}\n");
    return MST_OK;
}

mst_status web_patch(answer *to, const opened *of, uint32_t index, const char *text, uint32_t size,
                     uint32_t flags) {
    mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_check_options checks = {
        .size = sizeof checks, .details = 1, .sidecars = mst_level_sidecars(opened_level(of))};
    answer rejected = {.text = stream_memory()};
    const mst_patch_options how = {.size = sizeof how,
                                   .reverse = (flags & PATCH_REVERSE) != 0,
                                   .partial = (flags & PATCH_PARTIAL) != 0,
                                   .force = (flags & PATCH_FORCE) != 0,
                                   .checks = &checks,
                                   .rejected = put_rejected,
                                   .user = &rejected};
    return answer_end_with(to, mst_patch_apply_but(document, text, size, &how, NULL, &to->why), &rejected);
}
