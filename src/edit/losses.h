/* SPDX-License-Identifier: MIT */
/* What a record loses when a field changes that decides about its others, as the type of an object does. */
#ifndef MST_EDIT_LOSSES_H
#define MST_EDIT_LOSSES_H

#include "../core/json.h"
#include "editing.h"

typedef struct mst_had_value mst_had_value;

typedef struct mst_losses {
    edit *e;
    const mst_field *changed;
    bool allowed;                  /* mst_edit_options.allow_loss */
    const char *record;            /* its path with the dot after it; empty: the document */
    mst_had_value *values, **last; /* in the edit's arena */
} mst_losses;

/* Notes what the record at the end of the edit's chain has, if losses are allowed. */
mst_status mst_losses_begin(mst_losses *losses, edit *e, const mst_field *changed);

/* After encoding the record from `made` failed: takes what was why out of it; `again`: whether there was one,
 * and it may be lost. Otherwise `why` says so, if that would help. */
mst_status mst_losses_without(mst_losses *losses, mst_status failed, mst_diagnostic *why, mst_json *made,
                              bool *again);

/* Reports what the record had and has no more. */
mst_status mst_losses_report(const mst_losses *losses);

#endif
