/* SPDX-License-Identifier: MIT */
#include "meter.h"
#include "diagnose.h"

uint64_t mst_meter_default(uint64_t inputs) {
    const uint64_t least = (uint64_t)64 << 20;
    return inputs < (UINT64_MAX - least) / 64 ? 64 * inputs + least : UINT64_MAX;
}

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
    mst_meter *meter = user;
    if (new_size > old_size && new_size - old_size > meter->limit - meter->used) {
        meter->refused = true;
        return NULL;
    }
    void *made = meter->from.resize(meter->from.user, old, old_size, new_size);
    if (made || !new_size)
        meter->used = meter->used - old_size + new_size;
    return made;
}

mst_allocator mst_meter_begin(mst_meter *meter, const mst_allocator *from, uint64_t limit, uint64_t inputs) {
    *meter = (mst_meter){.from = *from, .limit = limit ? limit : mst_meter_default(inputs)};
    return (mst_allocator){resize, meter};
}

mst_status mst_meter_end(const mst_meter *meter, mst_status status, mst_diagnostic *diagnostic) {
    if (!meter->refused)
        return status;
    mst_fail(diagnostic, MST_REFUSED, "it takes more than %llu bytes of memory, which is the memory limit",
             (unsigned long long)meter->limit);
    return mst_because(MST_REFUSED, diagnostic, MST_REASON_MEMORY_LIMIT);
}
