/* SPDX-License-Identifier: MIT */
/* Files that git keeps elsewhere, with git-lfs: the driver of a merge is given the pointers to them. */
#ifndef CLI_INPUTS_LFS_H
#define CLI_INPUTS_LFS_H

#include <stdbool.h>

/* Whether a file is such a pointer. */
bool lfs_is_pointer(const char *path);
/* Makes a temporary file of what a pointer stands for; another file is copied. Returns its path, to be freed
 * with the file (lfs_remove); NULL, with a message. `name` is the file's in the repository. */
char *lfs_smudge(const char *path, const char *name);
/* Writes the pointer to a file, whose content git-lfs keeps from now on, to `to`. False, with a message. */
bool lfs_clean(const char *path, const char *name, const char *to);
void lfs_remove(char *path);

#endif
