/* SPDX-License-Identifier: MIT */
/* Codes of findings: the requested ones, and the frequency of each. */
#ifndef CLI_OUTPUT_FINDING_CODES_H
#define CLI_OUTPUT_FINDING_CODES_H

#include "../inputs/options.h"
#include "streams.h"

/* Patterns of codes, from --only and --ignore. Zero-initialise it. */
typedef struct code_filter {
    char **only, **ignore; /* in capitals */
    size_t only_count, ignore_count;
} code_filter;

/* Reads both options; false, with a message, if a pattern matches no code of any format. Free in any case. */
bool code_filter_read(code_filter *filter, const options *given);
/* Whether findings with this code are requested; `named` (may be NULL): --only lists it without a
 * wildcard. */
bool code_filter_wants(const code_filter *filter, const char *code, bool *named);
/* Whether --only lists a code without a wildcard. */
bool code_filter_names_any(const code_filter *filter);
void code_filter_free(code_filter *filter);

/* The frequency of a code. Counts are by code and severity. */
typedef struct code_count {
    char code[sizeof((mst_diagnostic *)0)->code];
    mst_severity severity;
    uint64_t count, files;
} code_count;

/* Zero-initialise it; end with free(items). */
typedef struct code_counts {
    code_count *items;
    size_t used, capacity, last;
} code_counts;

/* The entry of a code, which is added if missing. */
code_count *code_counts_at(code_counts *all, const char *code, mst_severity severity);
/* Adds the counts of one file. */
void code_counts_add_file(code_counts *all, const code_counts *file);
uint64_t code_counts_of(const code_counts *all, mst_severity severity);
/* Sorted by severity and frequency. As lines; nothing if no code has several findings. */
void code_counts_put(code_counts *all, stream *to);
/* ,"codes":[{"code":"NS2-EDGE-LOOSE","severity":"information","count":3,"files":1}, ...] */
void code_counts_put_json(code_counts *all, stream *to);

#endif
