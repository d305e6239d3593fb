/* SPDX-License-Identifier: MIT */
/* Findings of checks: where they are, what is expected there and what is found. */
#ifndef MST_SCHEMA_FINDING_H
#define MST_SCHEMA_FINDING_H

#include "../core/diagnose.h"
#include "engine.h"

/* A finding about bytes of the document, with its path. */
mst_diagnostic mst_finding_at(uint64_t offset, uint64_t length, const char *path, ...)
    __attribute__((format(printf, 3, 4)));
/* A finding about a value; NULL: about no bytes in particular. */
mst_diagnostic mst_finding_of(const mst_value *value, const char *path, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets what is expected (NULL: nothing to say) and what is found, and reports the finding. */
mst_status mst_report(mst_checker *checker, const char *code, mst_diagnostic *finding, const char *expected,
                      const char *found, ...) __attribute__((format(printf, 5, 6)));

/* Reports a finding as it is; returns from the function if the report asks for that. */
#define MST_REPORT(checker, code, finding)                                                                   \
    do {                                                                                                     \
        mst_status reported = mst_checker_report((checker), (code), &(finding));                             \
        if (reported != MST_OK)                                                                              \
            return reported;                                                                                 \
    } while (0)

#endif
