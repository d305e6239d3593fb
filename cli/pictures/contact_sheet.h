/* SPDX-License-Identifier: MIT */
/* Contact sheets: render --sheet. */
#ifndef CLI_PICTURES_CONTACT_SHEET_H
#define CLI_PICTURES_CONTACT_SHEET_H

#include "../inputs/many_files.h"
#include <mapstone/picture.h>

/* Draws every input, small, and all of them on one sheet; returns the exit code. */
int sheet_render(const options *given, const inputs *all, const char *to);

#endif
