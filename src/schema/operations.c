/* SPDX-License-Identifier: MIT */
/*
 * Edits as users see them: all or none. Several operations, or one that changes more than its own value, are
 * applied to a copy, which becomes the document in the end.
 */
#include "../core/diagnose.h"
#include "edit.h"
#include "numbered.h"
#include <stdlib.h>

/* ---- new findings ----------------------------------------------------------------------------------- */

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
    uint64_t key = UINT64_C(14695981039346656037);
    for (const char *c = finding->code; *c; c++)
        key = (key ^ (uint8_t)*c) * UINT64_C(1099511628211);
    for (const char *c = finding->path; *c; c++)
        if (*c < '0' || *c > '9')
            key = (key ^ (uint8_t)*c) * UINT64_C(1099511628211);
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

/* Reports what the checks find in `after` that they did not find in `before`. */
static mst_status check_both(const mst_document *before, const mst_document *after,
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

/* ---- operations ------------------------------------------------------------------------------------- */

mst_status mst_edit_copy(const mst_document *document, mst_document **copy, mst_diagnostic *diagnostic) {
    mst_allocator allocator = document->allocator;
    mst_buffer bytes = {.allocator = allocator};
    *copy = NULL;
    bytes.capacity = (size_t)document->size + 1;
    bytes.data = allocator.resize(allocator.user, NULL, 0, bytes.capacity);
    if (!bytes.data)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the edit");
    bytes.size = (size_t)document->size;
    memcpy(bytes.data, document->data, bytes.size);
    mst_open_options options = {.allocator = allocator, .budget = SIZE_MAX, .name = document->name};
    mst_status status =
        mst_document_adopt(document->format, &document->variant, &bytes, &options, copy, diagnostic);
    mst_buffer_free(&bytes);
    if (status == MST_OK && mst_keep_file_names(*copy, document) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the edit");
    if (status != MST_OK) {
        mst_close(*copy);
        *copy = NULL;
    }
    return status;
}

void mst_edit_adopt(mst_document *document, mst_document *copy) {
    mst_document old = *document;
    *document = *copy;
    document->edited = true;
    document->group = old.group;
    *copy = old;
}

static mst_status apply_one(mst_document *document, const mst_operation *operation,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    switch (operation->kind) {
    case MST_OPERATION_SET:
        if (document->format->edit.resize) {
            mst_status status = document->format->edit.resize(document, operation, options, diagnostic);
            if (status != MST_UNSUPPORTED)
                return status;
        }
        return mst_edit_set(document, operation->path, operation->value, diagnostic);
    case MST_OPERATION_INSERT:
        return mst_edit_insert_all(document, operation->path, operation->value, options, diagnostic);
    case MST_OPERATION_REMOVE: break;
    }
    return mst_edit_remove_all(document, operation->path, options, diagnostic);
}

/* ---- selectors -------------------------------------------------------------------------------------- */

typedef struct selected {
    mst_array paths; /* const char *, in `arena` */
    mst_arena arena;
} selected;

static mst_status take_path(void *user, const char *path, const mst_value *value) {
    selected *all = user;
    (void)value;
    const char **taken = mst_array_push(&all->paths, 1);
    char *copy = mst_arena_text(&all->arena, path, strlen(path));
    if (taken)
        *taken = copy;
    return taken && copy ? MST_OK : MST_NO_MEMORY;
}

static mst_status too_many(const char *const *paths, size_t count, const char *selector,
                           mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_ARGUMENT, "the selector stands for %zu values", count);
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", selector);
        MST_SET(diagnostic->expected, "one, or --each");
        MST_SET(diagnostic->found, "%.50s, %.50s%s%.50s", paths[0], paths[1], count > 2 ? ", " : "",
                count > 2 ? paths[2] : "");
    }
    return MST_ARGUMENT;
}

static mst_status say_lacking(const mst_edit_options *options, const char *selector, uint64_t lacking) {
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!lacking || !options || !options->report)
        return MST_OK;
    MST_SET(what.path, "%s", selector);
    MST_SET(what.message, "%llu elements lack it", (unsigned long long)lacking);
    return options->report(options->user, &what);
}

/* Applies an operation to all values that its selector stands for; removals from the last, so that the paths
 * of the others stay right. */
static mst_status apply_selected(mst_document *document, const mst_operation *operation,
                                 const mst_edit_options *options, mst_diagnostic *diagnostic) {
    selected all = {.paths = {.element_size = sizeof(const char *), .allocator = document->allocator}};
    mst_selected found;
    mst_arena_begin(&all.arena, &document->allocator, 0);
    mst_status status = mst_select(mst_root(document), operation->path, take_path, &all, &found, diagnostic);
    const char *const *paths = all.paths.items;
    size_t count = all.paths.count;
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "there is no memory for the edit");
    else if (status == MST_OK && !count) /* says what is wrong with the path */
        status = apply_one(document, operation, options, diagnostic);
    else if (status == MST_OK && count > 1 && !(options && options->each))
        status = too_many(paths, count, operation->path, diagnostic);
    else if (status == MST_OK)
        status = say_lacking(options, operation->path, found.lacking);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        bool last_first = operation->kind == MST_OPERATION_REMOVE;
        mst_operation one = {operation->kind, paths[last_first ? count - 1 - i : i], operation->value};
        status = apply_one(document, &one, options, diagnostic);
    }
    mst_arena_end(&all.arena);
    mst_array_free(&all.paths);
    return status;
}

static bool is_complete(const mst_operation *operation) {
    return operation->path && (operation->value || operation->kind == MST_OPERATION_REMOVE);
}

mst_status mst_edit(mst_document *document, const mst_operation *operations, size_t count,
                    const mst_edit_options *options, mst_diagnostic *diagnostic) {
    if (!document || (!operations && count))
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and operations are needed");
    for (size_t i = 0; i < count; i++)
        if (!is_complete(&operations[i]))
            return mst_fail(diagnostic, MST_ARGUMENT, "an operation lacks its path or value");
    bool checks = options && options->checks;
    bool (*reaches)(const char *path) = document->format->edit.reaches;
    if (count == 1 && operations->kind == MST_OPERATION_SET && !checks &&
        !(reaches && reaches(operations->path)) && !mst_is_selector(operations->path, 1))
        return mst_edit_set(document, operations->path, operations->value, diagnostic);
    if (!count)
        return MST_OK;
    mst_document *copy;
    mst_status status = mst_edit_copy(document, &copy, diagnostic);
    if (status != MST_OK || MST_UNREACHABLE(!copy)) /* it was made */
        return status;
    copy->group = document->group;
    for (size_t i = 0; i < count && status == MST_OK; i++)
        status = operations[i].kind != MST_OPERATION_INSERT && mst_is_selector(operations[i].path, 1)
                     ? apply_selected(copy, &operations[i], options, diagnostic)
                     : apply_one(copy, &operations[i], options, diagnostic);
    if (status == MST_OK && copy->format->edit.settle)
        status = copy->format->edit.settle(document, copy, options, diagnostic);
    if (status == MST_OK && copy->format->files.count)
        status = mst_serialize(copy, diagnostic);
    if (status == MST_OK && checks)
        status = check_both(document, copy, options, diagnostic);
    if (document->group) {
        mst_status finished = document->group->finish(document->group, status == MST_OK, diagnostic);
        status = status == MST_OK ? finished : status;
    }
    if (status == MST_OK)
        mst_edit_adopt(document, copy);
    mst_close(copy);
    return status;
}

mst_status mst_set(mst_document *document, const char *path, const char *json, mst_diagnostic *diagnostic) {
    mst_operation one = {MST_OPERATION_SET, path, json};
    if (!document || !path || !json)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, a path and a value are needed");
    return mst_edit(document, &one, 1, NULL, diagnostic);
}

mst_status mst_insert(mst_document *document, const char *path, const char *json,
                      mst_diagnostic *diagnostic) {
    mst_operation one = {MST_OPERATION_INSERT, path, json};
    if (!document || !path || !json)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, a path and a value are needed");
    return mst_edit(document, &one, 1, NULL, diagnostic);
}

mst_status mst_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic) {
    mst_operation one = {MST_OPERATION_REMOVE, path, NULL};
    if (!document || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a path are needed");
    return mst_edit(document, &one, 1, NULL, diagnostic);
}
