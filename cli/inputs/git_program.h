/* SPDX-License-Identifier: MIT */
/* Asking git. */
#ifndef CLI_INPUTS_GIT_PROGRAM_H
#define CLI_INPUTS_GIT_PROGRAM_H

#include <stddef.h>

/* Runs git with arguments, of which the first is "git" and NULL ends them. `text` receives what it writes,
 * with a NUL after it; to be freed. Returns what it ended with; -1, with a message, if it could not be run.
 */
int git_run(char *const arguments[], char **text, size_t *size);
/* The same into a temporary file; its path, to be removed and freed. NULL, with a message, unless git ended
 * with 0. */
char *git_write(char *const arguments[]);

#endif
