/* SPDX-License-Identifier: MIT */
/* Operations that are applied together: the copy that they change, and their waiting edits. */
#ifndef MST_EDIT_TRANSACTION_H
#define MST_EDIT_TRANSACTION_H

#include "insertions.h"
#include "keys.h"
#include "labelled.h"
#include "removals.h"
#include "renames.h"
#include "waiting_sets.h"

struct mst_transaction {
    mst_document *document, *copy;
    mst_batch batch;
    mst_removals removals;
    mst_insertions insertions;
    mst_labelled labelled;
    mst_keys keys;
    mst_renames names;
    mst_edit_options options;
    bool failed;
    bool rearranged; /* elements were inserted, removed or moved: offsets of the file lead elsewhere */
};

/* Whether an operation has its path and, where it needs one, its value. */
bool mst_operation_is_complete(const mst_operation *operation);
/* Applies all waiting edits. */
mst_status mst_transaction_settle(mst_transaction *transaction, mst_diagnostic *diagnostic);
/* Sets names and ids in references that have the old ones. */
mst_status mst_transaction_follow(mst_transaction *transaction, mst_diagnostic *diagnostic);

#endif
