/* SPDX-License-Identifier: MIT */
/* Files that git stores elsewhere, with git-lfs: a merge driver gets pointers to them. */
#ifndef CLI_INPUTS_LFS_H
#define CLI_INPUTS_LFS_H

#include <stdbool.h>

/* Whether a file is such a pointer. */
bool lfs_is_pointer(const char *path);
/* Makes a temporary file with the content of a pointer, or a copy of another file. Returns its path;
 * lfs_remove frees it and removes the file. NULL, with a message, on failure. `name` is the file's name in
 * the repository. */
char *lfs_smudge(const char *path, const char *name);
/* Writes the pointer to a file, whose content git-lfs stores, to `to`. False, with a message, on failure. */
bool lfs_clean(const char *path, const char *name, const char *to);
void lfs_remove(char *path);

#endif
