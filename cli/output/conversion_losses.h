/* SPDX-License-Identifier: MIT */
/* The losses of a conversion, summarised by field: there may be hundreds of thousands. */
#ifndef CLI_OUTPUT_CONVERSION_LOSSES_H
#define CLI_OUTPUT_CONVERSION_LOSSES_H

#include "streams.h"

typedef struct loss_kind loss_kind;

/* The losses of one file. Zero-initialise it except for the path and whether each loss is reported
 * separately. */
typedef struct losses {
    const char *file;
    bool each;
    loss_kind *kinds;
    size_t count, capacity;
} losses;

/* An mst_report_function; `user` is the losses. */
mst_status losses_take(void *user, const mst_diagnostic *loss);
/* Reports the totals and frees them. */
void losses_say(losses *all);

#endif
