/* SPDX-License-Identifier: MIT */
/* Text that is wrapped to the terminal's width. An empty line separates paragraphs; a line that begins with
 * WRAP_ITEM is an item of a list. */
#ifndef CLI_OUTPUT_WRAP_H
#define CLI_OUTPUT_WRAP_H

#include "streams.h"

#define WRAP_ITEM "- "

/* COLUMNS if it is set, else the width of the terminal, else 80. */
int wrap_width(void);
void put_wrapped(stream *to, const char *text);
/* Writes `margin` and `left`, then a text from column `indent` on. */
void put_hanging(stream *to, const char *margin, const char *left, int indent, const char *text);

#endif
