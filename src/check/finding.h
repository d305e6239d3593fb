/* SPDX-License-Identifier: MIT */
/* Findings of checks: their place, the expected and the found value. */
#ifndef MST_CHECK_FINDING_H
#define MST_CHECK_FINDING_H

#include "../core/diagnose.h"
#include "../read/engine.h"

/*
 * A diagnosis takes a kilobyte, so the checker has only one: each of these functions begins the next finding
 * in it. The caller may add texts to it; the next report reports it.
 */

/* Begins a finding about bytes of the document; the caller sets its path, if it has one. */
mst_diagnostic *mst_finding(mst_checker *checker, uint64_t offset, uint64_t length);
/* The same with its path. */
mst_diagnostic *mst_finding_at(mst_checker *checker, uint64_t offset, uint64_t length, const char *path, ...)
    __attribute__((format(printf, 4, 5)));
/* Begins a finding about a value; NULL: about no bytes in particular. */
mst_diagnostic *mst_finding_of(mst_checker *checker, const mst_value *value, const char *path, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the checker's finding a code, with the code's severity and message. */
void mst_checker_name(const mst_checker *checker, const char *code);

/*
 * Reports every number that names nothing, by the facts of the tables: also where only other checks, or none,
 * report that. `report` gets findings without a code where a fact has none.
 */
mst_status mst_check_dangling(const mst_document *document, mst_report_function report, void *user,
                              mst_diagnostic *diagnostic);
/* Whether findings with this code are about numbers that name nothing, or count wrongly: an edit that adds
 * one is refused, although files may contain them. */
bool mst_code_binds(const mst_format *format, const char *code);
/* Whether findings with this code are about bits; mst_check_dangling reports the bits that an edit may not
 * set. */
bool mst_code_is_of_bits(const mst_format *format, const char *code);

/* Sets the expected (NULL: none) and the found value, and reports the finding. */
mst_status mst_report(mst_checker *checker, const char *code, const char *expected, const char *found, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports the finding without adding texts; returns from the calling function if the report requests it. */
#define MST_REPORT(checker, code)                                                                            \
    do {                                                                                                     \
        mst_status reported = mst_checker_report((checker), (code));                                         \
        if (reported != MST_OK)                                                                              \
            return reported;                                                                                 \
    } while (0)

#endif
