/* SPDX-License-Identifier: MIT */
/*
 * Lists whose elements other files refer to by number (MST_FIELD_NUMBERED). When an element is inserted or
 * removed, those files change with the document: the format states how (set.renumber_files), and the caller
 * that opened the document gives access to them (mst_file_group; the library's levels do).
 */
#ifndef MST_EDIT_NUMBERED_H
#define MST_EDIT_NUMBERED_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* The files that a document is edited and saved together with. Names are relative to the document's folder:
 * "HITS.tab", "../animtest/VOXMAP.tab"; case does not matter. */
typedef struct mst_file_group mst_file_group;
struct mst_file_group {
    /* The name of the document's folder; "" if unknown. */
    const char *(*folder)(mst_file_group *group);
    /* MST_OK; MST_NO_PATH: there is no file of that name; others: that cannot be determined. */
    mst_status (*has)(mst_file_group *group, const char *name);
    /* The file as a document for edits until `finish`: later edits find the changes of earlier ones. Opened
     * as the only file of the format `alone`, or NULL: as elsewhere. MST_NO_PATH: there is no such file. */
    mst_status (*open)(mst_file_group *group, const char *name, const mst_format *alone,
                       mst_document **document, mst_diagnostic *diagnostic);
    /* Makes the edited documents the group's, or (`keep` false) discards them. All or none. */
    mst_status (*finish)(mst_file_group *group, bool keep, mst_diagnostic *diagnostic);
};

/* An inserted or removed element. */
typedef struct mst_renumbering {
    const mst_document *document; /* before the edit */
    const mst_value *list;
    uint64_t index, count; /* of the element; of the list, before the edit */
    bool inserts;
    mst_file_group *group;
    const mst_edit_options *options; /* may be NULL */
} mst_renumbering;

/* Has the format change the other files of the group. MST_REFUSED: it cannot. */
mst_status mst_renumber_files(const mst_document *document, const mst_value *list, uint64_t index,
                              bool inserts, const mst_edit_options *options, mst_diagnostic *diagnostic);

/* For lists in the root whose number of elements no edit of the complete list may change: editing.reaches and
 * editing.resize. */
bool mst_is_list_of_root(const char *path);
mst_status mst_set_numbered(mst_document *document, const mst_operation *operation,
                            const mst_edit_options *options, mst_diagnostic *diagnostic);

#endif
