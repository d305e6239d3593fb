/* SPDX-License-Identifier: MIT */
#include "finding.h"
#include <stdarg.h>
#include <stdio.h>

mst_diagnostic *mst_finding(mst_checker *checker, uint64_t offset, uint64_t length) {
    mst_diagnostic *finding = checker->finding;
    memset(finding, 0, sizeof *finding);
    finding->offset = offset;
    finding->length = length;
    return finding;
}

mst_diagnostic *mst_finding_at(mst_checker *checker, uint64_t offset, uint64_t length, const char *path,
                               ...) {
    va_list arguments;
    mst_diagnostic *finding = mst_finding(checker, offset, length);
    va_start(arguments, path);
    vsnprintf(finding->path, sizeof finding->path, path, arguments);
    va_end(arguments);
    return finding;
}

mst_diagnostic *mst_finding_of(mst_checker *checker, const mst_value *value, const char *path, ...) {
    uint64_t offset = MST_NO_OFFSET, length = 0;
    va_list arguments;
    if (value)
        mst_value_span(value, &offset, &length);
    mst_diagnostic *finding = mst_finding(checker, offset, length);
    va_start(arguments, path);
    vsnprintf(finding->path, sizeof finding->path, path, arguments);
    va_end(arguments);
    return finding;
}

mst_status mst_report(mst_checker *checker, const char *code, const char *expected, const char *found, ...) {
    mst_diagnostic *finding = checker->finding;
    char text[sizeof finding->found + 1];
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    if (expected)
        MST_SET(finding->expected, "%s", expected);
    MST_SET(finding->found, "%s", text);
    return mst_checker_report(checker, code);
}
