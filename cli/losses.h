/* SPDX-License-Identifier: MIT */
/* What a conversion loses, summed by field: there may be hundreds of thousands. */
#ifndef CLI_LOSSES_H
#define CLI_LOSSES_H

#include "output.h"

typedef struct loss_kind loss_kind;

/* Of one file. Begin with zeros, a path, and whether each loss is said by itself. */
typedef struct losses {
    const char *file;
    bool each;
    loss_kind *kinds;
    size_t count, capacity;
} losses;

/* An mst_report_function of which `user` is the losses. */
mst_status losses_take(void *user, const mst_diagnostic *loss);
/* Says the sums, and frees them. */
void losses_say(losses *all);

#endif
