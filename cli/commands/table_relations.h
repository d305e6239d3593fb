/* SPDX-License-Identifier: MIT */
/* mapstone table, where rows are those of relations whose columns never move (mapstone/table.h). */
#ifndef CLI_COMMANDS_TABLE_RELATIONS_H
#define CLI_COMMANDS_TABLE_RELATIONS_H

#include "../inputs/inputs.h"

/* Whether the options ask for them: --to, --relation, --partition-by, or the ending of -o. */
bool asks_for_relations(const options *given);
/* Whether -o is a database or a directory, and not a file for what is written to stdout. */
bool relations_keep_output(const options *given);
/* Writes them; returns the exit code. */
int put_relations(const options *given, const inputs *files);

#endif
