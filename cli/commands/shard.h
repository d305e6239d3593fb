/* SPDX-License-Identifier: MIT */
/* Which inputs of many a run is about: names from a list, and one shard of several. */
#ifndef CLI_COMMANDS_SHARD_H
#define CLI_COMMANDS_SHARD_H

#include "../inputs/inputs.h"

/* Files that share a hash of their names, of `count` shards the one at `index`: machines that know nothing of
 * each other divide the same files alike. */
typedef struct shard {
    unsigned index, count;
} shard;
/* 0 of 1 if --shard is not given. */
shard shard_of(const options *given);
/* False, with a message, if --shard is not i/n. */
bool shard_is_valid(const options *given);
/* Removes the inputs of other shards. */
void shard_choose(inputs *all, const options *given);

/* The operands with the names in --files0-from after them, in place of them; the result is to be freed by
 * named_free. False, with a message, on failure. */
typedef struct named_files {
    char *text;
    const char **operands;
} named_files;
bool named_read(options *given, named_files *names);
void named_free(named_files *names);

#endif
