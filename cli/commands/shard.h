/* SPDX-License-Identifier: MIT */
/* Selects the inputs of a run: names from a list, and one shard of several. */
#ifndef CLI_COMMANDS_SHARD_H
#define CLI_COMMANDS_SHARD_H

#include "../inputs/inputs.h"

/* The files of one shard, selected by a hash of their names: of `count` shards the one at `index`. Machines
 * divide the same files in the same way without communicating. */
typedef struct shard {
    unsigned index, count;
} shard;
/* 0 of 1 without --shard. */
shard shard_of(const options *given);
/* False, with a message, if --shard is not i/n. */
bool shard_is_valid(const options *given);
/* Removes the inputs of other shards. */
void shard_choose(inputs *all, const options *given);

/* Replaces the operands by the operands followed by the names in --files0-from; free the result with
 * named_free. False, with a message, on failure. */
typedef struct named_files {
    char *text;
    const char **operands;
} named_files;
bool named_read(options *given, named_files *names);
void named_free(named_files *names);

#endif
