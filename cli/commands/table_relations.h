/* SPDX-License-Identifier: MIT */
/* mapstone table with rows of the relations, whose columns have a fixed order (mapstone/table.h). */
#ifndef CLI_COMMANDS_TABLE_RELATIONS_H
#define CLI_COMMANDS_TABLE_RELATIONS_H

#include "../inputs/inputs.h"

/* Whether the options request relations: --to, --relation, --partition-by, or the extension of -o. */
bool asks_for_relations(const options *given);
/* Whether -o is a database or a directory, not a file for the output of stdout. */
bool relations_keep_output(const options *given);
/* Writes the relations; returns the exit code. */
int put_relations(const options *given, const inputs *files);

#endif
