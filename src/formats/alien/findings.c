/* SPDX-License-Identifier: MIT */
#include "../../check/finding.h"
#include "alien.h"

mst_status mst_alien_report(mst_checker *checker, const char *code, const mst_value *record, const char *list,
                            uint64_t index, const char *name, uint64_t found, const char *expected) {
    mst_value member = *record;
    if (name)
        mst_member(record, name, &member);
    mst_diagnostic *finding = mst_finding_of(checker, &member, "%s", "");
    size_t length = mst_path_step(finding->path, sizeof finding->path, 0, list, index);
    mst_path_step(finding->path, sizeof finding->path, length, name, UINT64_MAX);
    return mst_report(checker, code, expected, "%lld", (long long)found);
}
