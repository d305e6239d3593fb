/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "commands/commands.h"
#include "commands/games.h"
#include "history/record.h"
#include "inputs/opened_source.h"
#include "inputs/paths.h"
#include "inputs/shell_words.h"
#include "inputs/threads.h"
#include "output/streams.h"
#include "system/console.h"
#include <stdlib.h>
#include <string.h>

const command *const command_table[] = {&identify_command,
                                        &info_command,
                                        &tree_command,
                                        &get_command,
                                        &set_command,
                                        &edit_command,
                                        &undo_command,
                                        &redo_command,
                                        &history_command,
                                        &diff_command,
                                        &patch_command,
                                        &merge_command,
                                        &conflicts_command,
                                        &resolve_command,
                                        &import_command,
                                        &git_setup_command,
                                        &check_command,
                                        &fix_command,
                                        &dump_command,
                                        &convert_command,
                                        &table_command,
                                        &render_command,
                                        &view_command,
                                        &new_command,
                                        &roundtrip_command,
                                        &collect_command,
                                        &game_command,
                                        &spec_command,
                                        &help_command,
                                        &version_command,
                                        NULL};

/* Redirects the command's stdout to the file given by -o; false, with a message, if that is not possible. */
static bool choose_output(const options *given) {
    const char *to = given->value[OPTION_OUTPUT];
    if (!given->command->output_is_stdout || !to || !strcmp(to, "-"))
        return true;
    if (given->command->keeps_output && given->command->keeps_output(given))
        return !leads_into_archive(to);
    if (leads_into_archive(to))
        return false;
    if (is_directory(to)) {
        say(MST_ERROR, "%s is a directory; name a file to write", to);
        return false;
    }
    for (size_t i = 0; i < given->operand_count; i++)
        if (is_input(to, given->operands[i])) {
            options_usage(given, "%s is the input; it is not overwritten", to);
            return false;
        }
    output_to(to);
    return true;
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        stream text = stream_stderr();
        help_overview(&text);
        stream_free(&text);
        return EXIT_TROUBLE;
    }
    bool asks_help =
        !strcmp(name, "--help") || !strcmp(name, "-h") || words_ask_help(name) || !strcmp(name, "/?");
    bool asks_version = !strcmp(name, "--version") || !strcmp(name, "-V");
    const command *of = command_find(asks_help ? "help" : asks_version ? "version" : name);
    if (!of) {
        const char *close = command_nearest(name);
        if (name[0] == '-' && name[1])
            say(MST_ERROR, "%s: options follow the command", name);
        else if (close)
            say(MST_ERROR, "'%s' is not a command; did you mean '%s'?", name, close);
        else
            say(MST_ERROR, "'%s' is not a command", name);
        say_plain("Try 'mapstone help'.");
        return EXIT_TROUBLE;
    }
    options given;
    int code = EXIT_TROUBLE;
    if (options_parse(&given, of, argc - 1, argv + 1)) {
        color_choose(given.value[OPTION_COLOR]);
        paths_named(&given, NULL);
        if (options_has(&given, OPTION_HELP)) {
            stream text = stream_stdout();
            help_command_text(&text, of);
            stream_free(&text);
            code = EXIT_YES;
        } else if (limits_choose(&given) && threads_wanted(&given, 1, 1) && games_apply(&given) &&
                   choose_output(&given)) {
            record_begin(&given);
            code = output_settle(of->run(&given));
            record_end(&given, argc, argv);
        }
    }
    options_free(&given);
    if (!targets_sync())
        code = worse(code, EXIT_TROUBLE);
    code = worse(code, stdout_code());
    return code;
}

/* The introduction in a window that opened on its own: its reader does not expect one. */
static void say_first_steps(void) {
    stream text = stream_stderr();
    put_text(
        &text,
        "mapstone shows, checks, edits, compares and converts levels of games.\n"
        "\n"
        "The page that shows levels opens in your browser. Open files there, or drop them on mapstone.exe.\n"
        "It is there as long as this window is open: close the window to end it.\n"
        "\n"
        "mapstone is a program for the command line: type cmd into the address bar of this folder, then\n"
        "    mapstone info samples\\outpost.level\n"
        "    mapstone help\n"
        "The manual is docs\\index.html.\n\n");
    stream_free(&text);
}

/* Serves the page, with the files that were dropped on the program. */
static int run_view(command_line files) {
    char **items = need(calloc((size_t)files.count + 2, sizeof *items)), view[] = "view";
    items[0] = files.items[0];
    items[1] = view;
    for (int i = 1; i < files.count; i++)
        items[i + 1] = files.items[i];
    if (files.count == 1)
        say_first_steps();
    else
        say_plain("The page opens in your browser. It is there as long as this window is open.");
    int code = run(files.count + 1, items);
    free((void *)items);
    return code;
}

/* Whether the program was started by a double click, or by dropping files on it. */
static bool is_clicked(command_line all) {
    for (int i = 1; i < all.count; i++)
        if (!is_regular(all.items[i]) && !is_directory(all.items[i]))
            return false;
    return true;
}

int main(int argc, char **argv) {
    command_line all = system_begin(argc, argv);
    temporaries_guard();
    color_choose(NULL);
    words_hint(all.count, all.items);
    if (!system_has_own_window())
        return run(all.count, all.items);
    int code = is_clicked(all) ? run_view(all) : run(all.count, all.items);
    system_wait_for_key("\nPress any key to close this window.");
    return code;
}
