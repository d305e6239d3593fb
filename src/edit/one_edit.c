/* SPDX-License-Identifier: MIT */
/* One edit by one call. */
#include "../core/arena.h"
#include "../core/diagnose.h"
#include "last_names.h"
#include "single_edit.h"
#include <string.h>

/* Whether a value may be given by the name of an element. */
static bool is_named(const mst_document *document, const mst_operation *set) {
    mst_arena arena;
    mst_value value;
    mst_arena_begin(&arena, &document->allocator, 0);
    bool word = mst_label_word_of(document, set, &arena) != NULL;
    bool plain = strspn(set->value, "0123456789") == strlen(set->value) &&
                 mst_find(mst_root(document), set->path, &value, NULL) == MST_OK;
    mst_arena_end(&arena);
    return word && !plain;
}

mst_status mst_set(mst_document *document, const char *path, const char *json, mst_diagnostic *diagnostic) {
    if (!document || !path || !json)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, a path and a value are needed");
    bool (*reaches)(const char *path) = MST_OPTION(document->format->editing, reaches);
    mst_operation one = {.kind = MST_OPERATION_SET, .path = path, .value = json};
    bool alone = !(reaches && reaches(path)) && !mst_is_selector(path, 1) && !is_named(document, &one);
    return alone ? mst_edit_set(document, path, json, diagnostic) /* proved before it becomes the document */
                 : mst_edit(document, &one, 1, NULL, diagnostic);
}

mst_status mst_insert(mst_document *document, const char *path, const char *json,
                      mst_diagnostic *diagnostic) {
    mst_operation one = {.kind = MST_OPERATION_INSERT, .path = path, .value = json};
    if (!document || !path || !json)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, a path and a value are needed");
    return mst_edit(document, &one, 1, NULL, diagnostic);
}

mst_status mst_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic) {
    mst_operation one = {.kind = MST_OPERATION_REMOVE, .path = path};
    if (!document || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a path are needed");
    return mst_edit(document, &one, 1, NULL, diagnostic);
}
