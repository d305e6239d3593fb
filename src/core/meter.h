/* SPDX-License-Identifier: MIT */
/* An allocator that takes at most a limit from another one, for work that frees everything it allocates. */
#ifndef MST_CORE_METER_H
#define MST_CORE_METER_H

#include <mapstone/base.h>
#include <stdbool.h>

typedef struct mst_meter {
    mst_allocator from;
    uint64_t used, limit;
    bool refused; /* a request was refused because of the limit */
} mst_meter;

/* The default limit for work on inputs of that size. */
uint64_t mst_meter_default(uint64_t inputs);
/* `limit` 0: the default for `inputs`. The meter must not move. */
mst_allocator mst_meter_begin(mst_meter *meter, const mst_allocator *from, uint64_t limit, uint64_t inputs);
/* Refuses work during which the limit was reached, whatever its status. */
mst_status mst_meter_end(const mst_meter *meter, mst_status status, mst_diagnostic *diagnostic);

#endif
