/* SPDX-License-Identifier: MIT */
/* Limits for the unpacked size of a container's members. */
#include "../core/diagnose.h"
#include "container.h"

#define TOTAL_LIMIT (UINT64_C(16) << 30)
/* Limits of packed data by ratio. Levels pack to a fifth or tenth, rarely to a twentieth. */
#define RATIO_MAX     200
#define MEMBER_ALWAYS (UINT64_C(16) << 20)
#define TOTAL_ALWAYS  (UINT64_C(64) << 20)

static uint64_t by_ratio(uint64_t packed, uint64_t more, uint64_t min) {
    uint64_t bound = packed > (UINT64_MAX - more) / RATIO_MAX ? UINT64_MAX : packed * RATIO_MAX + more;
    return bound > min ? bound : min;
}

uint64_t mst_container_default_total(const mst_container *container) {
    return container->limit_is_given ? TOTAL_LIMIT : by_ratio(container->file.size, TOTAL_ALWAYS, 0);
}

uint64_t mst_container_bound(const mst_container *container, uint64_t packed) {
    uint64_t bound = container->limit_is_given ? container->limit : by_ratio(packed, 0, MEMBER_ALWAYS);
    return bound < container->limit ? bound : container->limit;
}

uint64_t mst_container_member_limit(const mst_container *container, const mst_container_member *member,
                                    uint64_t packed) {
    uint64_t bound = mst_container_bound(container, packed),
             left = container->total - container->unpacked + member->unpacked;
    return bound < left ? bound : left;
}

mst_status mst_container_bursts(const mst_container *container, const mst_container_member *member,
                                uint64_t packed, mst_diagnostic *diagnostic) {
    uint64_t bound = mst_container_bound(container, packed),
             capacity = mst_container_member_limit(container, member, packed);
    if (bound == container->limit && capacity == bound)
        return mst_container_too_large(container, member, diagnostic);
    if (capacity < bound)
        return mst_fail(
            diagnostic, MST_IO,
            "%s: the members read from %s unpack to more than %llu bytes; set a member limit to allow more",
            member->name, mst_name_base(container->path), (unsigned long long)container->total);
    return mst_fail(diagnostic, MST_IO,
                    "%s unpacks to more than %llu bytes, and to more than %u times its packed size; set a "
                    "member limit to allow it",
                    member->name, (unsigned long long)bound, RATIO_MAX);
}

void mst_container_count_unpacked(mst_container *container, mst_container_member *member, uint64_t size) {
    if (size <= member->unpacked)
        return;
    container->unpacked += size - member->unpacked;
    member->unpacked = size;
}
