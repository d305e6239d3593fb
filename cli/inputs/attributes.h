/* SPDX-License-Identifier: MIT */
/* Reads and extends the file .gitattributes, which gives files their attributes. */
#ifndef CLI_INPUTS_ATTRIBUTES_H
#define CLI_INPUTS_ATTRIBUTES_H

#include "../output/streams.h"

/* Whether git could match a file with the pattern; false, with a message, if not. */
bool attributes_accept(const char *pattern);
/* Appends a line, unless `text` has it. */
void attributes_put(stream *to, const char *text, const char *pattern, const char *attributes);

/* Reads the file, with a NUL after it; a missing file is empty. All results except EXIT_YES print a
 * message. */
int attributes_read(const char *path, char **text, size_t *size);
/* Appends to the file whose content attributes_read returned. */
int attributes_append(const char *path, const char *text, size_t size, const stream *more);

#endif
