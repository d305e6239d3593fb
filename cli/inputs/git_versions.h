/* SPDX-License-Identifier: MIT */
/* The versions of a file that git has. */
#ifndef CLI_INPUTS_GIT_VERSIONS_H
#define CLI_INPUTS_GIT_VERSIONS_H

/* Looks for the version of a file with that SHA-256, in all branches: a temporary file with its content, to
 * be removed and freed. NULL: git has none, or none among the newest. */
char *git_version_with(const char *file, const char *sha256);

#endif
