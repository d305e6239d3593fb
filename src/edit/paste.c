/* SPDX-License-Identifier: MIT */
/* Edits that take their content from another document. */
#include "../core/diagnose.h"
#include "renames.h"
#include "single_edit.h"

static uint64_t count_of(const mst_document *document, const char *list) {
    mst_value value;
    return mst_find(mst_root(document), list, &value, NULL) == MST_OK ? mst_count(&value) : 0;
}

/* Pasted elements follow all existing ones: they get names of their own. */
static mst_status rename_pasted(const mst_document *before, mst_document *made,
                                const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_edit_hooks *editing = made->format->editing;
    mst_array sets = {.element_size = sizeof(mst_operation), .allocator = made->allocator};
    mst_arena arena;
    mst_status status = MST_OK;
    if (!MST_OPTION(editing, names))
        return MST_OK;
    const uint64_t first = count_of(before, editing->names_list),
                   count = count_of(made, editing->names_list) - first;
    mst_arena_begin(&arena, &made->allocator, 0);
    uint64_t *copies = mst_arena_take(&arena, (size_t)count + 1, sizeof *copies);
    for (uint64_t i = 0; copies && i < count; i++)
        copies[i] = first + i;
    status = copies ? mst_renames_of_copies(made, editing->names_list, copies, (size_t)count, options, &arena,
                                            &sets)
                    : MST_NO_MEMORY;
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    if (status == MST_OK)
        status = mst_edit(made, sets.items, sets.count, NULL, diagnostic);
    mst_array_free(&sets);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_paste(mst_document *document, const mst_document *content, const mst_edit_options *options,
                     mst_diagnostic *diagnostic) {
    mst_edit_options given = {.size = 0};
    if (!document || !content)
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents are needed");
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (!MST_OPTION(document->format->mesh, paste))
        return mst_fail(diagnostic, MST_UNSUPPORTED, "nothing can be pasted into %s",
                        document->format->information.title);
    mst_buffer bytes = {.allocator = document->allocator};
    mst_open_options opening = {
        .size = sizeof opening, .allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    mst_document *made = NULL;
    const uint64_t larger = content->size > document->size ? content->size : document->size;
    status = document->format->mesh->paste(document, content, &given, &bytes, diagnostic);
    if (status == MST_OK)
        status = mst_edit_may_grow(document, bytes.size,
                                   given.growth_limit ? given.growth_limit : mst_default_growth(larger),
                                   diagnostic);
    if (status == MST_OK)
        status =
            mst_document_adopt(document->format, &document->variant, &bytes, &opening, &made, diagnostic);
    mst_buffer_free(&bytes);
    if (status == MST_OK)
        status = rename_pasted(document, made, &given, diagnostic);
    if (status == MST_OK && given.checks)
        status = mst_edit_recheck(document, NULL, made, &given, diagnostic);
    if (status == MST_OK)
        mst_edit_adopt(document, made);
    mst_close(made);
    return status == MST_DAMAGED ? MST_REFUSED : status;
}
