/* SPDX-License-Identifier: MIT */
/* The commands, one per file. */
#ifndef CLI_COMMANDS_COMMANDS_H
#define CLI_COMMANDS_COMMANDS_H

#include "../inputs/options.h"
#include "../output/streams.h"

extern const command identify_command, info_command, tree_command, get_command, set_command, edit_command,
    fix_command, check_command, dump_command, convert_command, table_command, render_command,
    roundtrip_command, spec_command, diff_command, patch_command, merge_command, git_setup_command,
    help_command, version_command, game_command, collect_command, view_command, undo_command, redo_command,
    history_command, conflicts_command, resolve_command, new_command, import_command;

/* help.c: the output of `mapstone help` and `mapstone help CMD`. */
void help_overview(stream *to);
void help_command_text(stream *to, const command *of);

#endif
