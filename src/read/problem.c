/* SPDX-License-Identifier: MIT */
/* Problems that the engine finds: their codes, and the paths to them. */
#include "../core/diagnose.h"
#include "engine.h"
#include <stdarg.h>
#include <stdio.h>

mst_status mst_problem_at(const mst_document *document, mst_diagnostic *diagnostic, mst_problem kind,
                          uint64_t offset, uint64_t length, const char *format, ...) {
    if (!diagnostic)
        return MST_DAMAGED;
    char message[sizeof diagnostic->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    const char *const *codes = document->format->check.problem_codes;
    const char *code = codes[kind == MST_PROBLEM_REST && !codes[kind] ? MST_PROBLEM_OVERRUN : kind];
    MST_SET(diagnostic->code, "%s", code ? code : "");
    diagnostic->offset = offset;
    diagnostic->length = length;
    return MST_DAMAGED;
}

static const char cut_mark[] = "..."; /* at the end of a truncated path */

size_t mst_path_step(char *path, size_t capacity, size_t length, const char *name, uint64_t index) {
    int n = 0;
    if (name && *name && length < capacity)
        n = snprintf(path + length, capacity - length, "%s%s", length ? "." : "", name);
    length += n > 0 ? (size_t)n : 0;
    n = 0;
    if (index != UINT64_MAX && length < capacity)
        n = snprintf(path + length, capacity - length, "[%llu]", (unsigned long long)index);
    length += n > 0 ? (size_t)n : 0;
    if (length >= capacity && capacity > sizeof cut_mark)
        memcpy(path + capacity - sizeof cut_mark, cut_mark, sizeof cut_mark);
    return length;
}

void mst_misfit_to(mst_diagnostic *diagnostic, const mst_misfit *why) {
    if (!diagnostic)
        return;
    MST_SET(diagnostic->expected, "%s", why->expected);
    MST_SET(diagnostic->found, "%s", why->found);
}
