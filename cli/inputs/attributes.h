/* SPDX-License-Identifier: MIT */
/* The file .gitattributes: which attributes it gives to files, and adding to it. */
#ifndef CLI_INPUTS_ATTRIBUTES_H
#define CLI_INPUTS_ATTRIBUTES_H

#include "../output/streams.h"

/* Whether git would match a file with the pattern; false, with a message. */
bool attributes_accept(const char *pattern);
/* Appends a line, unless `text` has it. */
void attributes_put(stream *to, const char *text, const char *pattern, const char *attributes);

/* Reads the file, with a NUL after it; no file is an empty one. Anything but EXIT_YES comes with a message.
 */
int attributes_read(const char *path, char **text, size_t *size);
/* Appends to the file what was read from it. */
int attributes_append(const char *path, const char *text, size_t size, const stream *more);

#endif
