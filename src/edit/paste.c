/* SPDX-License-Identifier: MIT */
/* Edits that take their content from another document. */
#include "../core/diagnose.h"
#include "single_edit.h"

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
    if (status == MST_OK && given.checks)
        status = mst_edit_recheck(document, NULL, made, &given, diagnostic);
    if (status == MST_OK)
        mst_edit_adopt(document, made);
    mst_close(made);
    return status == MST_DAMAGED ? MST_REFUSED : status;
}
