/* SPDX-License-Identifier: MIT */
/* Computed numbers, such as hashes: preserved as opened, right or wrong, until they are recomputed. */
#include "../core/diagnose.h"
#include "engine.h"
#include <stdio.h>

const char *mst_checksum_path(const mst_document *document) {
    if (!document)
        return NULL;
    mst_value root = mst_root(document), member;
    const char *name = MST_OPTION(document->format->computed, field);
    return name && mst_member(&root, name, &member) == MST_OK ? name : NULL;
}

mst_status mst_compute(const mst_document *document, char text[MST_COMPUTED_MAX],
                       mst_diagnostic *diagnostic) {
    const char *name = mst_checksum_path(document);
    uint32_t number;
    if (!name)
        return mst_fail(
            diagnostic, MST_UNSUPPORTED, "%s has no %s in this form", document->format->information.title,
            MST_OPTION(document->format->computed, field) ? MST_OPTION(document->format->computed, field)
                                                          : "computed number");
    if (!document->format->computed->compute(document, &number)) {
        mst_fail(diagnostic, MST_REFUSED, "%s cannot be computed from the file's name", name);
        if (diagnostic) {
            MST_SET(diagnostic->path, "%s", name);
            MST_SET(diagnostic->found, "%s", document->name);
        }
        return MST_REFUSED;
    }
    snprintf(text, MST_COMPUTED_MAX, "%u", number);
    return MST_OK;
}
