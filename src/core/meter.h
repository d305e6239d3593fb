/* SPDX-License-Identifier: MIT */
/* An allocator that takes no more than a limit from another, for work that frees all that it has taken. */
#ifndef MST_CORE_METER_H
#define MST_CORE_METER_H

#include <mapstone/base.h>
#include <stdbool.h>

typedef struct mst_meter {
    mst_allocator from;
    uint64_t used, limit;
    bool refused; /* a request was, because of the limit */
} mst_meter;

/* What work on inputs of that size may take, where nobody says otherwise. */
uint64_t mst_meter_default(uint64_t inputs);
/* `limit` 0: the default for `inputs`. The meter must not move. */
mst_allocator mst_meter_begin(mst_meter *meter, const mst_allocator *from, uint64_t limit, uint64_t inputs);
/* Refuses work during which the limit was reached, whatever that made of it. */
mst_status mst_meter_end(const mst_meter *meter, mst_status status, mst_diagnostic *diagnostic);

#endif
