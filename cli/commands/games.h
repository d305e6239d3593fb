/* SPDX-License-Identifier: MIT */
/* Games whose folders are remembered for --game. */
#ifndef CLI_COMMANDS_GAMES_H
#define CLI_COMMANDS_GAMES_H

#include "../inputs/options.h"

/* Adds the folders of the games that --game names to the options, as if they were given with --search-path
 * after all others. False, with a message, if a name is not remembered. */
bool games_apply(options *given);

#endif
