/* SPDX-License-Identifier: MIT */
#include "numbered.h"
#include "../core/diagnose.h"
#include "single_edit.h"
#include <string.h>

mst_status mst_renumber_files(const mst_document *document, const mst_value *list, uint64_t index,
                              bool inserts, const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_format *format = document->format;
    if (MST_OPTION(format->set, renumber_files) && document->group) {
        const mst_renumbering what = {document,        list,   index, mst_count(list), inserts,
                                      document->group, options};
        return format->set->renumber_files(&what, diagnostic);
    }
    mst_fail(diagnostic, MST_REFUSED, "other files refer to them by index, which would change");
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", mst_field_of(list)->name);
        if (MST_OPTION(format->set, renumber_files))
            MST_SET(diagnostic->expected, "an edit, in place, of all files that belong together");
        else if (MST_OPTION(format->set, numbered_by))
            MST_SET(diagnostic->expected, "an edit of %s", MST_OPTION(format->set, numbered_by));
    }
    return MST_REFUSED;
}

bool mst_is_list_of_root(const char *path) {
    return !strpbrk(path, ".[");
}

mst_status mst_set_numbered(mst_document *document, const mst_operation *operation,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_value list;
    (void)options;
    if (!mst_is_list_of_root(operation->path) ||
        mst_find(mst_root(document), operation->path, &list, NULL) != MST_OK ||
        !(mst_field_of(&list)->flags & MST_FIELD_NUMBERED))
        return MST_UNSUPPORTED;
    uint64_t count = mst_count(&list);
    mst_status status = mst_edit_set(document, operation->path, operation->value, diagnostic);
    if (status != MST_OK || mst_find(mst_root(document), operation->path, &list, diagnostic) != MST_OK ||
        mst_count(&list) == count)
        return status;
    mst_fail(diagnostic, MST_REFUSED, "other files refer to them by index: their number must not change");
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", operation->path);
        MST_SET(diagnostic->expected, "%llu", (unsigned long long)count);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)mst_count(&list));
    }
    return MST_REFUSED;
}
