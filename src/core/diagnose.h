/* SPDX-License-Identifier: MIT */
/* Filling in diagnostics. */
#ifndef MST_CORE_DIAGNOSE_H
#define MST_CORE_DIAGNOSE_H

#include <mapstone/base.h>

/* Clears the diagnostic (may be NULL), sets the status, severity error, no offset and the message, and
 * returns the status: `return mst_fail(diagnostic, MST_IO, "cannot read %s", path);` */
mst_status mst_fail(mst_diagnostic *diagnostic, mst_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the reason to a diagnosis that mst_fail made, and returns its status:
 * `return mst_because(mst_fail(diagnostic, ...), diagnostic, MST_REASON_NEAR_NAME);` */
static inline mst_status mst_because(mst_status status, mst_diagnostic *diagnostic, mst_reason reason) {
    if (diagnostic)
        diagnostic->reason = reason;
    return status;
}

/* Copies the options of a caller, which may have been built with fewer or more of them, to `to`, `capacity`
 * bytes of zeros; they begin with their size, which becomes `capacity`. NULL: none are given. MST_ARGUMENT:
 * their size is not set. */
mst_status mst_take_options(void *to, size_t capacity, const void *options, mst_diagnostic *diagnostic);

/* "information", "warning" or "error". */
const char *mst_severity_word(mst_severity severity);

/* Sets a text of a diagnostic, truncating it between characters. */
void mst_diagnostic_set(char *field, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define MST_SET(field, ...) mst_diagnostic_set((field), sizeof(field), __VA_ARGS__)

/* The same for damage, with a code and its place. */
mst_status mst_damaged(mst_diagnostic *diagnostic, const char *code, uint64_t offset, uint64_t length,
                       const char *message);

#endif
