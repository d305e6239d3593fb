/* SPDX-License-Identifier: MIT */
/* Earlier versions of a file in git. */
#ifndef CLI_INPUTS_GIT_VERSIONS_H
#define CLI_INPUTS_GIT_VERSIONS_H

/* Looks for the version of a file with that SHA-256 in all branches; returns a temporary file with its
 * content, to be removed and freed. NULL: git does not have it, or not among the newest versions. */
char *git_version_with(const char *file, const char *sha256);

#endif
