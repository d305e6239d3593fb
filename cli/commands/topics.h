/* SPDX-License-Identifier: MIT */
/* Pages of docs/ in the terminal: `mapstone help selectors`. */
#ifndef CLI_COMMANDS_TOPICS_H
#define CLI_COMMANDS_TOPICS_H

#include "../output/streams.h"
#include <stdbool.h>

/* The names of the topics, up to NULL. */
extern const char *const topic_names[];
/* Writes a topic; false: no topic has that name. */
bool topic_put(stream *to, const char *name);

#endif
