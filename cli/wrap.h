/* SPDX-License-Identifier: MIT */
/* Wrapped text. An empty line separates paragraphs. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include "output.h"

#define WRAP_WIDTH 80 /* columns */

void put_wrapped(stream *to, const char *text);
/* Writes `margin` and `left`, then a text from column `indent` on. */
void put_hanging(stream *to, const char *margin, const char *left, int indent, const char *text);

#endif
