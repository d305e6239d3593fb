/* SPDX-License-Identifier: MIT */
/* Cells of CSV. */
#ifndef CLI_OUTPUT_CSV_H
#define CLI_OUTPUT_CSV_H

#include "streams.h"

/* Whether spreadsheets take a text for a formula: what OWASP lists under "CSV injection", also in full width
 * and behind blanks. */
bool csv_is_formula(const char *text, size_t size);

void csv_put_cell(stream *to, const char *text, size_t size);
/* The same of a text that a spreadsheet is not to evaluate: an apostrophe keeps it from that, also behind
 * what spreadsheets elsewhere divide cells by. */
void csv_put_safe_cell(stream *to, const char *text, size_t size);

#endif
