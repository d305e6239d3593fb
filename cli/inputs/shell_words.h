/* SPDX-License-Identifier: MIT */
/* The words of the command line, in particular paths. */
#ifndef CLI_INPUTS_SHELL_WORDS_H
#define CLI_INPUTS_SHELL_WORDS_H

#include "options.h"

/* Whether the argument of an option, as named in the help, is a path: FILE or DIR. */
bool words_names_file(const char *kind);
/* Keeps an allocated word until the options are freed. */
const char *words_keep(options *to, char *word);
/* The path, cleaned up by system_tidy_path(); it stays valid as long as the options. */
const char *words_path(options *to, const char *path);
/* Makes room for so many words. */
void words_room(options *to, size_t count);
/* Adds an option, or an operand (OPTION_NONE). */
void words_take(options *to, option_id id, const char *value);
/* Adds an operand or, where the shell leaves patterns to programs, the matching files; false, with a message,
 * if no file matches. */
bool words_operand(options *to, const char *word);
/* Whether it is -?, or /? unless that is a path. */
bool words_ask_help(const char *word);
/* Prints a hint if the shell may have left single quotes in the words. */
void words_hint(int count, char **words);

#endif
