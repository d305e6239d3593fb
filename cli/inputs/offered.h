/* SPDX-License-Identifier: MIT */
/* The files that `mapstone view` offers to its page. */
#ifndef CLI_INPUTS_OFFERED_H
#define CLI_INPUTS_OFFERED_H

#include "../output/serve.h"
#include "options.h"

/* Adds the operands: files, with the files next to them, and all files below directories. A folder may be
 * untrusted: hidden files and links in it are left out. False, with a message, if an operand cannot be
 * read. */
bool offer_operands(served *page, const options *given);
/* Opens a file below an offered folder for reading, without following links. An error of errno.h. */
int offered_open(const char *folder, const char *name, int *file);

#endif
