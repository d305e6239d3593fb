/* SPDX-License-Identifier: MIT */
/* Checks of the parts that pictures and models share. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "imagery.h"

mst_status mst_imagery_check_sizes(mst_checker *checker) {
    mst_value root = mst_root(checker->document), excess = mst_member_in(&root, "object_size_excess");
    mst_value trailing = mst_member_in(&root, "trailing");
    int32_t by = (int32_t)mst_number_in(&root, "object_size_excess");
    if (by) {
        mst_finding_of(checker, &excess, "object_size_excess");
        mst_status status = mst_report(checker, "REV-IMAGE-OBJECT-SIZE", "0", "%ld", (long)by);
        if (status != MST_OK)
            return status;
    }
    uint64_t size = trailing.end - trailing.offset;
    if (!size)
        return MST_OK;
    mst_finding_of(checker, &trailing, "trailing");
    return mst_report(checker, "REV-IMAGE-TRAILING", "the end of the file", "%llu bytes",
                      (unsigned long long)size);
}

mst_status mst_imagery_check_walkmap(mst_checker *checker, const mst_value *state, uint64_t index) {
    mst_value map = mst_member_in(state, "walkmap");
    int16_t width = (int16_t)mst_number_in(state, "walkmap_width");
    int16_t length = (int16_t)mst_number_in(state, "walkmap_length");
    bool astray = mst_number_in(state, "walkmap_astray") != 0;
    const void *cells;
    size_t found = 0;
    mst_get_bytes(&map, &cells, &found);
    uint64_t needed = width > 0 && length > 0 ? (uint64_t)width * (uint64_t)length : 0;
    if (!astray && found == needed)
        return MST_OK;
    mst_diagnostic *finding =
        mst_finding_of(checker, &map, "states[%llu].walkmap", (unsigned long long)index);
    MST_SET(
        finding->message, "%s",
        astray
            ? "the offset of the walkmap leads elsewhere; the cells are read from the usual place of walkmaps"
            : "the state gives a size of its walkmap, but has no walkmap: it cannot be walked on");
    if (astray)
        return mst_report(checker, "REV-IMAGE-WALKMAP", NULL, "the offset 0x%lx",
                          (unsigned long)mst_number_in(state, "walkmap_offset"));
    MST_SET(finding->expected, "%llu cells", (unsigned long long)needed);
    return mst_report(checker, "REV-IMAGE-WALKMAP", NULL, "%llu cells", (unsigned long long)found);
}
