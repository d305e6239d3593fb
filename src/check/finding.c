/* SPDX-License-Identifier: MIT */
/* Findings: created and reported by their code, with their place in the document's files. */
#include "finding.h"
#include "../core/unreachable.h"
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

/* ---- reporting ------------------------------------------------------------------------------------- */

/* formats only report codes from their own list */
static const mst_code_information *code_of(const mst_format *format, const char *code) {
    size_t i = 0;
    while (strcmp(format->check.codes->items[i].code, code) != 0) {
        i++;
        if (MST_UNREACHABLE(i >= format->check.codes->count))
            return &format->check.codes->items[0];
    }
    return &format->check.codes->items[i];
}

static bool wants(const mst_checker *checker, mst_severity severity) {
    return severity != MST_INFORMATION || (checker->options && checker->options->information);
}

bool mst_checker_wants(const mst_checker *checker, const char *code) {
    const mst_code_information *information = code_of(checker->document->format, code);
    return wants(checker, information->severity);
}

static void name(mst_diagnostic *finding, const mst_code_information *information, mst_severity severity) {
    finding->status = MST_OK;
    finding->severity = severity;
    MST_SET(finding->code, "%s", information->code);
    if (!finding->message[0])
        MST_SET(finding->message, "%s", information->documentation);
}

void mst_checker_name(const mst_checker *checker, const char *code) {
    const mst_code_information *information = code_of(checker->document->format, code);
    name(checker->finding, information, information->severity);
}

static mst_status count(mst_checker *checker, const mst_diagnostic *finding) {
    if (finding->severity == MST_ERROR)
        checker->result.errors++;
    else if (finding->severity == MST_WARNING)
        checker->result.warnings++;
    else
        checker->result.information++;
    return checker->report ? checker->report(checker->user, finding) : MST_OK;
}

/* How many findings with this code have been described. */
static uint64_t *described(const mst_checker *checker, const mst_code_information *information,
                           mst_severity severity) {
    size_t index = (size_t)(information - checker->document->format->check.codes->items);
    return &checker->described[2 * index + (severity == MST_INFORMATION)];
}

/* Reports a finding by its code alone, if enough have been described. */
static bool is_one_more(mst_checker *checker, const mst_code_information *information, mst_severity severity,
                        mst_status *status) {
    mst_diagnostic *bare = checker->bare;
    if (!checker->described || *described(checker, information, severity) < checker->options->details)
        return false;
    if (bare->severity != severity || strcmp(bare->code, information->code) != 0) {
        memset(bare, 0, sizeof *bare);
        bare->offset = MST_NO_OFFSET;
        name(bare, information, severity);
    }
    *status = count(checker, bare);
    return true;
}

static mst_status report_as(mst_checker *checker, const mst_code_information *information,
                            mst_severity severity) {
    mst_diagnostic *finding = checker->finding;
    mst_status status = MST_OK;
    if (!wants(checker, severity) || is_one_more(checker, information, severity, &status))
        return status;
    if (checker->described)
        ++*described(checker, information, severity);
    if (mst_place_finding(checker->document, finding) != MST_OK)
        finding->offset = MST_NO_OFFSET; /* a finding without its place is better than none */
    name(finding, information, severity);
    return count(checker, finding);
}

bool mst_checker_counts(mst_checker *checker, const char *code, mst_status *status) {
    const mst_code_information *information = code_of(checker->document->format, code);
    return is_one_more(checker, information, information->severity, status);
}

mst_status mst_checker_report(mst_checker *checker, const char *code) {
    const mst_code_information *information = code_of(checker->document->format, code);
    return report_as(checker, information, information->severity);
}

mst_status mst_checker_inform(mst_checker *checker, const char *code) {
    return report_as(checker, code_of(checker->document->format, code), MST_INFORMATION);
}

mst_status mst_checker_warn(mst_checker *checker, const char *code) {
    return report_as(checker, code_of(checker->document->format, code), MST_WARNING);
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
