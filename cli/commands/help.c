/* SPDX-License-Identifier: MIT */
/* mapstone help: help and the manual page, generated from the tables of commands. */
#include "../inputs/format_names.h"
#include "../output/wrap.h"
#include "../system/console.h"
#include "commands.h"
#include "completions.h"
#include "topics.h"
#include <stdio.h>
#include <string.h>

#define OPTION_END 28 /* column of the descriptions of options */

static const struct {
    int code;
    const char *meaning;
} exit_codes[] = {{EXIT_YES, "success"},
                  {EXIT_NO, "files differ, have errors or are of an unknown format"},
                  {EXIT_TROUBLE, "the command line is invalid, or a file cannot be read or written"},
                  {EXIT_NO_PATH, "no such path in the file"},
                  {EXIT_DAMAGED, "the input is damaged"},
                  {EXIT_REFUSED, "refused, because data would be lost"}};

static const char general[] =
    "- Data is written to stdout and everything else to stderr; '-' as a file is stdin or stdout.\n"
    "- A file given with -o is written completely or not at all. Inputs are changed only by commands with "
    "the option -i.\n"
    "- A directory means every recognised file below it; an archive (zip, also under other names, tar, 7z, "
    "cab), an ISO 9660 image or a plain GameCube disc image means the files in it. Other files are skipped "
    "without an error, but at least one must be recognised.\n"
    "- ARCHIVE!MEMBER is one file of an archive, ignoring case: game.iso!animtest/mod6.tab.\n"
    "- A batch continues after a bad file and exits with the worst code.";

/* ---- help ----------------------------------------------------------------------------------------- */

static void put_heading(stream *to, const char *text) {
    put_text(to, "\n");
    paint(to, COLOR_BOLD);
    put_text(to, text);
    unpaint(to);
    put_text(to, "\n");
}

void help_overview(stream *to) {
    put_text(to, "usage: mapstone COMMAND [OPTION...] [FILE...]\n\n"
                 "Opens, checks, shows, edits and converts levels of old games, exact to the byte.\n");
    put_heading(to, "Commands");
    for (size_t i = 0; command_table[i]; i++)
        put_hanging(to, "  ", command_table[i]->name, 14, command_table[i]->summary);
    put_heading(to, "Formats");
    put_formats(to, false);
    put_heading(to, "Exit codes");
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
        print(to, "  %d  %s\n", exit_codes[i].code, exit_codes[i].meaning);
    put_text(to, "\n");
    put_wrapped(to, general);
    put_text(to, "\n");
    put_wrapped(
        to,
        "'mapstone help COMMAND' describes a command, 'mapstone help options' the options that many "
        "commands share, 'mapstone help formats' lists the formats; 'mapstone help paths', 'selectors' and "
        "'editing' describe how values are named, selected and changed; 'mapstone help --man' writes the "
        "manual page.");
}

/* Options that mean the same in all commands, explained in one place. */
static bool is_common(const option_row *row) {
    switch (row->id) {
    case OPTION_FROM:
    case OPTION_AS_PATH:
    case OPTION_SALVAGE:
    case OPTION_SEARCH_PATH:
    case OPTION_GAME:
    case OPTION_INPUT_LIMIT:
    case OPTION_MEMBER_LIMIT:
    case OPTION_NO_MMAP:
    case OPTION_JOBS:
    case OPTION_PROGRESS:
    case OPTION_COLOR:
    case OPTION_HELP: return true;
    default: return false;
    }
}

/* Calls `put_row` for each common option once. */
static void each_common(stream *to, void (*put_row)(stream *to, const option_row *row)) {
    bool seen[OPTION_COUNT] = {false};
    for (size_t i = 0; command_table[i]; i++)
        for (const option_row *row = command_table[i]->options; row->id; row++)
            if (is_common(row) && !seen[row->id]) {
                seen[row->id] = true;
                put_row(to, row);
            }
}

static void put_option(stream *to, const option_row *row) {
    stream left = stream_memory();
    if (row->letter)
        print(&left, "-%c, ", row->letter);
    print(&left, row->letter ? "--%s" : "    --%s", row->name);
    if (row->argument)
        print(&left, "=%s", row->argument);
    put(&left, "", 1);
    put_hanging(to, "  ", left.data, OPTION_END, row->help);
    stream_free(&left);
}

static void help_options(stream *to) {
    put_wrapped(
        to,
        "Options that many commands share, with the same meaning. Each command's help lists which of them it "
        "takes.");
    put_text(to, "\n");
    each_common(to, put_option);
}

/* The common options that the command has: "--from, --as-path". */
static stream common_names(const command *of) {
    stream list = stream_memory();
    for (const option_row *row = of->options; row->id; row++)
        if (is_common(row)) {
            put_text(&list, list.size ? ", " : "");
            if (row->letter)
                print(&list, "-%c ", row->letter);
            print(&list, "--%s", row->name);
        }
    put(&list, "", 1);
    return list;
}

/* Writes a command line, broken by backslashes if it is long, where the shell accepts them. Quotes are
 * double: cmd.exe supports no others. */
static void put_example(stream *to, const char *line, size_t length) {
    size_t capacity = (size_t)wrap_width() - 4; /* without the indent and the backslash */
    put_text(to, "  ");
    while (length > capacity + 2 && !system_shell_is_plain()) {
        size_t blank = 0;
        bool quoted = false;
        for (size_t i = 0; i < capacity; i++) {
            quoted = quoted != (line[i] == '"');
            if (line[i] == ' ' && !quoted)
                blank = i;
        }
        if (!blank)
            break;
        print(to, "%.*s \\\n      ", (int)blank, line);
        line += blank + 1;
        length -= blank + 1;
        capacity = (size_t)wrap_width() - 8;
    }
    print(to, "%.*s\n", (int)length, line);
}

void help_command_text(stream *to, const command *of) {
    print(to, "usage: mapstone %s [OPTION...]%s%s\n\n", of->name, *of->operands ? " " : "", of->operands);
    put_wrapped(to, of->description);
    put_heading(to, "Options");
    for (const option_row *row = of->options; row->id; row++)
        if (!is_common(row))
            put_option(to, row);
    stream common = common_names(of);
    put_hanging(to, "  ", "common ('help options'):", OPTION_END, common.data);
    stream_free(&common);
    put_heading(to, "Examples");
    for (const char *line = of->examples; *line;) {
        size_t length = strcspn(line, "\n");
        put_example(to, line, length);
        line += length;
        line += *line == '\n';
    }
}

/* ---- the manual page ------------------------------------------------------------------------------ */

/* Escapes a text for roff; paragraphs and items are as in wrap.h. */
static void put_roff(stream *to, const char *text, size_t length) {
    bool begins = true;
    for (size_t i = 0; i < length; i++) {
        if (begins && !strncmp(text + i, WRAP_ITEM, strlen(WRAP_ITEM))) {
            put_text(to, ".IP \\(bu 2\n");
            i += strlen(WRAP_ITEM);
        }
        if (begins && (text[i] == '.' || text[i] == '\''))
            put_text(to, "\\&");
        begins = text[i] == '\n';
        if (text[i] == '\n' && i + 1 < length && text[i + 1] == '\n') {
            put_text(to, strncmp(text + i + 2, WRAP_ITEM, strlen(WRAP_ITEM)) ? "\n.PP\n" : "\n");
            i++;
        } else if (text[i] == '\\') {
            put_text(to, "\\e");
        } else if (text[i] == '-') {
            put_text(to, "\\-");
        } else if (text[i] == '\'') {
            put_text(to, "\\(aq");
        } else {
            put(to, text + i, 1);
        }
    }
}

static void put_roff_text(stream *to, const char *text) {
    put_roff(to, text, strlen(text));
}

static void put_man_option(stream *to, const option_row *row) {
    put_text(to, ".TP\n");
    if (row->letter)
        print(to, "\\fB\\-%c\\fR, ", row->letter);
    put_text(to, "\\fB\\-\\-");
    put_roff_text(to, row->name);
    put_text(to, "\\fR");
    if (row->argument) {
        put_text(to, "=\\fI");
        put_roff_text(to, row->argument);
        put_text(to, "\\fR");
    }
    put_text(to, "\n");
    put_roff_text(to, row->help);
    put_text(to, "\n");
}

static void put_man_synopsis(stream *to, const command *of) {
    put_text(to, ".B mapstone ");
    put_roff_text(to, of->name);
    put_text(to, "\n[\\fIOPTION\\fR...] \\fI");
    put_roff_text(to, of->operands);
    put_text(to, "\\fR\n");
}

static void put_man_exit_status(stream *to) {
    put_text(to, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) {
        print(to, ".TP\n.B %d\n", exit_codes[i].code);
        put_roff_text(to, exit_codes[i].meaning);
        put_text(to, "\n");
    }
}

/* The page of one command, mapstone-COMMAND.1. */
static void put_man_page(stream *to, const command *of) {
    put_text(to, ".TH MAPSTONE\\-");
    for (const char *at = of->name; *at; at++)
        print(to, *at == '-' ? "\\-" : "%c", *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    print(to, " 1 \"\" \"mapstone %s\" \"User Commands\"\n.SH NAME\nmapstone\\-", mst_version());
    put_roff_text(to, of->name);
    put_text(to, " \\- ");
    put_roff_text(to, of->summary);
    put_text(to, "\n.SH SYNOPSIS\n");
    put_man_synopsis(to, of);
    put_text(to, ".SH DESCRIPTION\n");
    put_roff_text(to, of->description);
    put_text(to, "\n.SH OPTIONS\n");
    for (const option_row *row = of->options; row->id; row++)
        if (!is_common(row))
            put_man_option(to, row);
    put_text(to, ".SS Options that many commands share\n");
    for (const option_row *row = of->options; row->id; row++)
        if (is_common(row))
            put_man_option(to, row);
    put_man_exit_status(to);
    put_text(to, ".SH EXAMPLES\n.EX\n");
    put_roff_text(to, of->examples);
    put_text(to, "\n.EE\n.SH SEE ALSO\n.BR mapstone (1)\n");
}

static void put_man(stream *to) {
    print(to, ".TH MAPSTONE 1 \"\" \"mapstone %s\" \"User Commands\"\n", mst_version());
    put_text(to, ".SH NAME\nmapstone \\- open, check, show, edit and convert levels of old games\n"
                 ".SH SYNOPSIS\n.B mapstone\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n"
                 ".SH DESCRIPTION\n");
    put_roff_text(to, general);
    put_text(to, "\n.PP\nFormats:\n");
    for (size_t i = 0; i < mst_format_count(); i++) {
        print(to, ".TP\n.B %s\n", mst_format_at(i)->id);
        put_roff_text(to, mst_format_at(i)->title);
        put_text(to, "\n");
    }
    put_text(to, ".SH COMMANDS\nEach command has a manual page of its own.\n");
    for (size_t i = 0; command_table[i]; i++) {
        put_text(to, ".TP\n.BR mapstone\\-");
        put_roff_text(to, command_table[i]->name);
        put_text(to, " (1)\n");
        put_roff_text(to, command_table[i]->summary);
        put_text(to, "\n");
    }
    put_text(to, ".SH COMMON OPTIONS\nThese mean the same in all commands that take them.\n");
    each_common(to, put_man_option);
    put_man_exit_status(to);
    put_text(to, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set and not empty, no colours unless "
                 "\\fB\\-\\-color=always\\fR asks for them\n"
                 ".TP\n.B XDG_CONFIG_HOME\nthe directory whose \\fBmapstone/games\\fR has what "
                 "\\fBmapstone game\\fR remembers (default: \\fB.config\\fR in the home directory)\n");
    put_text(to, ".SH EXAMPLES\n.EX\n"
                 "mapstone info maps/a.level\nmapstone check maps/\n"
                 "mapstone convert maps/a.level \\-o a.glb\nmapstone view maps/a.level\n.EE\n");
}

/* ---- the command ---------------------------------------------------------------------------------- */

static int run(const options *given) {
    const char *shell = given->value[OPTION_COMPLETION], *about = given->operands[0];
    const command *of = NULL;
    if (given->operand_count > 1)
        return options_usage(given, "help takes one command or topic");
    bool formats = about && !strcmp(about, "formats"), common = about && !strcmp(about, "options");
    bool topic = false;
    for (size_t i = 0; about && topic_names[i]; i++)
        topic = topic || !strcmp(about, topic_names[i]);
    if (about && !formats && !common && !topic && !(of = command_find(about))) {
        const char *close = command_nearest(given->operands[0]);
        return close ? options_usage(given, "'%s' is not a command; did you mean '%s'?", given->operands[0],
                                     close)
                     : options_usage(given, "'%s' is not a command", given->operands[0]);
    }
    stream out = stream_stdout();
    if (options_has(given, OPTION_MAN) && of)
        put_man_page(&out, of);
    else if (options_has(given, OPTION_MAN))
        put_man(&out);
    else if (shell && !strcmp(shell, "bash"))
        put_bash_completion(&out);
    else if (shell && !strcmp(shell, "zsh"))
        put_zsh_completion(&out);
    else if (shell && !strcmp(shell, "fish"))
        put_fish_completion(&out);
    else if (shell)
        put_powershell_completion(&out);
    else if (of)
        help_command_text(&out, of);
    else if (formats)
        put_formats(&out, true);
    else if (common)
        help_options(&out);
    else if (topic)
        topic_put(&out, about);
    else
        help_overview(&out);
    stream_free(&out);
    return EXIT_YES;
}

static const option_row rows[] = {
    {OPTION_MAN, 0, "man", NULL, NULL, "write the manual page: mapstone.1, or mapstone-COMMAND.1"},
    {OPTION_COMPLETION, 0, "completion", "SHELL", "bash zsh fish powershell",
     "write the completion script for bash, zsh, fish or PowerShell"},
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_COMPLETION, OPTION_MAN}, {OPTION_NONE, OPTION_NONE}};

const command help_command = {
    .name = "help",
    .operands = "[COMMAND|TOPIC]",
    .summary = "show help, the manual page or shell completions",
    .description =
        "Shows an overview, or how COMMAND is used. 'help formats' lists the formats, 'help "
        "options' the options that many commands share. 'help paths', 'help selectors' and 'help editing' "
        "are pages about how values are named, selected and changed.",
    .options = rows,
    .examples = "mapstone help convert\nmapstone help --man convert | man -l -\n"
                "mapstone help --completion bash > ~/.local/share/bash-completion/completions/mapstone\n"
                "mapstone help --completion powershell",
    .run = run,
    .clashes = clashes,
};
