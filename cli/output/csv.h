/* SPDX-License-Identifier: MIT */
/* Cells of CSV. */
#ifndef CLI_OUTPUT_CSV_H
#define CLI_OUTPUT_CSV_H

#include "streams.h"

/* Whether spreadsheets would read a text as a formula: the signs that OWASP lists under "CSV injection", also
 * in full width and after blanks. */
bool csv_is_formula(const char *text, size_t size);

void csv_put_cell(stream *to, const char *text, size_t size);
/* The same for a text that a spreadsheet must not evaluate: an apostrophe prevents it, also after characters
 * that separate cells in other locales. */
void csv_put_safe_cell(stream *to, const char *text, size_t size);

#endif
