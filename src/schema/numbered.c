/* SPDX-License-Identifier: MIT */
#include "numbered.h"
#include "../core/diagnose.h"

mst_status mst_renumber_files(const mst_document *document, const mst_value *list, uint64_t index,
                              bool inserts, const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_format *format = document->format;
    if (format->edit.renumber_files && document->group) {
        const mst_renumbering what = {document,        list,   index, mst_count(list), inserts,
                                      document->group, options};
        return format->edit.renumber_files(&what, diagnostic);
    }
    mst_fail(diagnostic, MST_REFUSED, "other files know them by their numbers, which would change");
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", mst_field_of(list)->name);
        if (format->edit.renumber_files)
            MST_SET(diagnostic->expected, "an edit in place of all files that belong together");
        else if (format->edit.numbered_by)
            MST_SET(diagnostic->expected, "an edit of %s", format->edit.numbered_by);
    }
    return MST_REFUSED;
}
