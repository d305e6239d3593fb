/* SPDX-License-Identifier: MIT */
/* Values that a record loses when a field changes that decides about others, such as the type of an
 * object. */
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

/* Records the values of the record at the end of the edit's chain, if losses are allowed. */
mst_status mst_losses_begin(mst_losses *losses, edit *e, const mst_field *changed);

/* After encoding the record from `made` failed: removes the cause from it; `again`: there was one, and it may
 * be lost. Otherwise `why` states that a loss would have to be allowed, if that would help. */
mst_status mst_losses_without(mst_losses *losses, mst_status failed, mst_diagnostic *why, mst_json *made,
                              bool *again);

/* Reports the values that the record no longer has. */
mst_status mst_losses_report(const mst_losses *losses);

#endif
