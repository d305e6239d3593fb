/* SPDX-License-Identifier: MIT */
/* The changes between two levels as a picture. */
#ifndef CLI_PICTURES_DIFF_PICTURE_H
#define CLI_PICTURES_DIFF_PICTURE_H

#include "../inputs/opened_source.h"

/* Draws it to `path`; returns the exit code. `name` is the name of the new file. */
int diff_picture(source *old_source, source *new_source, const char *name, const char *path);

#endif
