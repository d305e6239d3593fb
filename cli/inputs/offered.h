/* SPDX-License-Identifier: MIT */
/* Which files `mapstone view` offers to its page. */
#ifndef CLI_INPUTS_OFFERED_H
#define CLI_INPUTS_OFFERED_H

#include "../output/serve.h"
#include "options.h"

/* Adds the operands: files, with those next to them, and what is below directories. A folder may be a
 * stranger's: hidden files and links in it are left out. False, with a message, if one cannot be read. */
bool offer_operands(served *page, const options *given);
/* Opens a file below an offered folder for reading, through no link. An error of errno.h. */
int offered_open(const char *folder, const char *name, int *file);

#endif
