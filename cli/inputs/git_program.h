/* SPDX-License-Identifier: MIT */
/* Running git. */
#ifndef CLI_INPUTS_GIT_PROGRAM_H
#define CLI_INPUTS_GIT_PROGRAM_H

#include <stddef.h>

/* Runs git; `arguments` begin with "git" and end with NULL. `text` receives the output, with a NUL after it;
 * to be freed. Returns git's exit code; -1, with a message, if it could not be run. */
int git_run(char *const arguments[], char **text, size_t *size);
/* The same with output to a temporary file; returns its path, to be removed and freed. NULL, with a message,
 * unless git exits with 0. */
char *git_write(char *const arguments[]);

#endif
