/* SPDX-License-Identifier: MIT */
/* Completion scripts for shells, generated from the tables of commands. */
#ifndef CLI_COMMANDS_COMPLETIONS_H
#define CLI_COMMANDS_COMPLETIONS_H

#include "../output/streams.h"

void put_bash_completion(stream *to);
void put_zsh_completion(stream *to);
void put_fish_completion(stream *to);
void put_powershell_completion(stream *to);

#endif
