/* SPDX-License-Identifier: MIT */
#include "numbered.h"
#include "../core/diagnose.h"

mst_status mst_renumber_set(const mst_document *document, const mst_value *list, uint64_t index, bool inserts,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_format *format = document->format;
    if (format->edit.renumber_set && document->set) {
        const mst_renumbering what = {document, list,          index,  mst_count(list),
                                      inserts,  document->set, options};
        return format->edit.renumber_set(&what, diagnostic);
    }
    mst_fail(diagnostic, MST_REFUSED, "other files know them by their numbers, which would change");
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", mst_field_of(list)->name);
        if (format->edit.renumber_set)
            MST_SET(diagnostic->expected, "an edit of the whole set, in place");
        else if (format->edit.numbered_by)
            MST_SET(diagnostic->expected, "an edit of %s", format->edit.numbered_by);
    }
    return MST_REFUSED;
}
