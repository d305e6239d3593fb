/* SPDX-License-Identifier: MIT */
#include "finding.h"
#include <stdarg.h>
#include <stdio.h>

/* Findings are a kilobyte each: they are made where they are returned, not copied. */
static void set_place(mst_diagnostic *finding, uint64_t offset, uint64_t length, const char *path,
                      va_list arguments) __attribute__((format(printf, 4, 0)));
static void set_place(mst_diagnostic *finding, uint64_t offset, uint64_t length, const char *path,
                      va_list arguments) {
    memset(finding, 0, sizeof *finding);
    finding->offset = offset;
    finding->length = length;
    vsnprintf(finding->path, sizeof finding->path, path, arguments);
}

mst_diagnostic mst_finding_at(uint64_t offset, uint64_t length, const char *path, ...) {
    va_list arguments;
    mst_diagnostic finding;
    va_start(arguments, path);
    set_place(&finding, offset, length, path, arguments);
    va_end(arguments);
    return finding;
}

mst_diagnostic mst_finding_of(const mst_value *value, const char *path, ...) {
    uint64_t offset = MST_NO_OFFSET, length = 0;
    va_list arguments;
    if (value)
        mst_value_span(value, &offset, &length);
    mst_diagnostic finding;
    va_start(arguments, path);
    set_place(&finding, offset, length, path, arguments);
    va_end(arguments);
    return finding;
}

mst_status mst_report(mst_checker *checker, const char *code, mst_diagnostic *finding, const char *expected,
                      const char *found, ...) {
    char text[sizeof finding->found + 1];
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    if (expected)
        MST_SET(finding->expected, "%s", expected);
    MST_SET(finding->found, "%s", text);
    return mst_checker_report(checker, code, finding);
}
