/* SPDX-License-Identifier: MIT */
/* mapstone help: help, the manual page and completions, generated from the tables of commands. */
#include "commands.h"
#include "formats.h"
#include "wrap.h"
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
    "Data goes to stdout and everything else to stderr; '-' as a file is stdin or stdout. A file given with "
    "-o is written completely or not at all, and only 'set -i' changes an input in place. A directory stands "
    "for every recognised file below it, an archive (zip, also under other names, tar, 7z, cab), an ISO 9660 "
    "or "
    "plain GameCube disc image for those in it; other files are skipped without an error. ARCHIVE!MEMBER is "
    "one "
    "of them, ignoring case: game.iso!animtest/mod6.tab. A batch continues after a bad file and exits with "
    "the worst code.";

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
    put_wrapped(to,
                "'mapstone help COMMAND' describes a command, 'mapstone help options' the options that many "
                "commands share, 'mapstone help formats' lists the formats; 'mapstone help --man' writes the "
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

/* Writes a command line, broken by backslashes if it is long. */
static void put_example(stream *to, const char *line, size_t length) {
    size_t capacity = WRAP_WIDTH - 4; /* without the indent and the backslash */
    put_text(to, "  ");
    while (length > capacity + 2) {
        size_t blank = 0;
        bool quoted = false;
        for (size_t i = 0; i < capacity; i++) {
            quoted = quoted != (line[i] == '\'');
            if (line[i] == ' ' && !quoted)
                blank = i;
        }
        if (!blank)
            break;
        print(to, "%.*s \\\n      ", (int)blank, line);
        line += blank + 1;
        length -= blank + 1;
        capacity = WRAP_WIDTH - 8;
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

/* Escapes a text for roff. */
static void put_roff(stream *to, const char *text, size_t length) {
    bool begins = true;
    for (size_t i = 0; i < length; i++) {
        if (begins && (text[i] == '.' || text[i] == '\''))
            put_text(to, "\\&");
        begins = text[i] == '\n';
        if (text[i] == '\n' && i + 1 < length && text[i + 1] == '\n') {
            put_text(to, "\n.PP\n");
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

static void put_man_command(stream *to, const command *of) {
    print(to, ".SS mapstone %s\n", of->name);
    put_man_synopsis(to, of);
    put_text(to, ".PP\n");
    put_roff_text(to, of->description);
    put_text(to, "\n");
    for (const option_row *row = of->options; row->id; row++)
        if (!is_common(row))
            put_man_option(to, row);
    stream common = common_names(of);
    put_text(to, ".TP\nCommon options:\n");
    put_roff_text(to, common.data);
    put_text(to, "\n");
    stream_free(&common);
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
    put_text(to, ".SH COMMANDS\n");
    for (size_t i = 0; command_table[i]; i++)
        put_man_command(to, command_table[i]);
    put_text(to, ".SH COMMON OPTIONS\nThese mean the same in all commands that take them.\n");
    each_common(to, put_man_option);
    put_man_exit_status(to);
    put_text(to, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set and not empty, no colours unless "
                 "\\fB\\-\\-color=always\\fR asks for them\n"
                 ".TP\n.B XDG_CONFIG_HOME\nthe directory whose \\fBmapstone/games\\fR has what "
                 "\\fBmapstone game\\fR remembers (default: \\fB.config\\fR in the home directory)\n");
    put_text(to, ".SH EXAMPLES\n.EX\n");
    for (size_t i = 0; command_table[i]; i++) {
        put_roff_text(to, command_table[i]->examples);
        put_text(to, "\n");
    }
    put_text(to, ".EE\n.SH SEE ALSO\n");
    for (size_t i = 0; command_table[i]; i++) {
        put_text(to, ".BR mapstone\\-");
        put_roff_text(to, command_table[i]->name);
        print(to, " (1)%s\n", command_table[i + 1] ? "," : "");
    }
}

/* ---- completions ---------------------------------------------------------------------------------- */

static bool takes_formats(const option_row *row) {
    return row->argument && !strcmp(row->argument, "FORMAT");
}

static bool takes_files(const option_row *row) {
    return row->argument && (!strcmp(row->argument, "FILE") || !strcmp(row->argument, "DIR"));
}

/* The ids of formats and the other words that the option takes (NULL: none). */
static void put_format_words(stream *to, const option_row *row) {
    for (size_t i = 0; i < mst_format_count(); i++)
        print(to, "%s%s", i ? " " : "", mst_format_at(i)->id);
    if (row && row->id == OPTION_TO)
        put_text(to, " json glb gltf png");
    else if (row && row->id == OPTION_FROM)
        put_text(to, " json");
}

/* The names of records that the reference of a format describes on demand; false: it has none. */
static bool put_record_names(stream *to, const mst_format_information *format) {
    const char *name;
    for (size_t i = 0; (name = mst_record_reference_name(format, i)) != NULL; i++)
        print(to, "%s%s", i ? " " : "", name);
    return mst_record_reference_name(format, 0) != NULL;
}

static void put_command_names(stream *to) {
    for (size_t i = 0; command_table[i]; i++)
        print(to, "%s%s", i ? " " : "", command_table[i]->name);
}

/* What a command's operands complete to. */
static const char *operands_of(const command *of) {
    return of->run == spec_command.run ? "formats" : of->run == help_command.run ? "commands" : "files";
}

/* Paths in files, step by step: members after a dot, elements after a bracket. */
static void put_bash_paths(stream *to) {
    put_text(to, "_mapstone_paths() {\n"
                 "    local word=${1#[\\'\\\"]} file= parent= step= i\n"
                 "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
                 "        [ -f \"${COMP_WORDS[i]}\" ] && file=${COMP_WORDS[i]} && break\n"
                 "    done\n"
                 "    [ -n \"$file\" ] || return 1\n"
                 "    if [[ $word =~ ^(.*)\\[[^].]*$ ]]; then\n        parent=${BASH_REMATCH[1]}\n"
                 "    elif [[ $word == *.* ]]; then\n        parent=${word%.*} step=.\n    fi\n"
                 "    while IFS= read -r i; do\n"
                 "        i=$parent$step$i\n"
                 "        [[ $i == \"$word\"* ]] && COMPREPLY+=(\"$i\")\n"
                 "    done < <(mapstone tree \"$file\" ${parent:+\"$parent\"} --depth 1 2>/dev/null |\n"
                 "        sed -n ${parent:+-e 1d} -e 's/^  //' -e 's/^\\(\\[[0-9]*\\]\\).*/\\1/p' "
                 "-e 's/^\\([A-Za-z_][A-Za-z0-9_]*\\).*/\\1/p' |\n"
                 "        uniq)\n"
                 "    compopt -o nospace 2>/dev/null\n"
                 "    return 0\n"
                 "}\n");
}

static void put_bash(stream *to) {
    put_text(to, "# bash completion for mapstone; generated by 'mapstone help --completion bash'\n");
    put_bash_paths(to);
    put_text(to, "_mapstone() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
                 "command=${COMP_WORDS[1]}\n"
                 "    COMPREPLY=()\n"
                 "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                 "        COMPREPLY=($(compgen -W \"");
    put_command_names(to);
    put_text(to, " --version --help\" -- \"$word\"))\n        return\n    fi\n"
                 "    if [ \"$before\" = = ]; then\n        before=${COMP_WORDS[COMP_CWORD-2]}\n"
                 "    elif [ \"$word\" = = ]; then\n        word=\n    fi\n"
                 "    case $command:$before in\n");
    for (size_t i = 0; command_table[i]; i++)
        for (const option_row *row = command_table[i]->options; row->id; row++) {
            if (!row->argument)
                continue;
            print(to, "    %s:--%s", command_table[i]->name, row->name);
            if (row->letter)
                print(to, "|%s:-%c", command_table[i]->name, row->letter);
            put_text(to, ")\n");
            if (row->values || takes_formats(row)) {
                put_text(to, "        COMPREPLY=($(compgen -W \"");
                if (row->values)
                    put_text(to, row->values);
                else
                    put_format_words(to, row);
                put_text(to, "\" -- \"$word\"))\n");
            }
            put_text(to, "        return\n        ;;\n");
        }
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_format_information *format = mst_format_at(i);
        if (!mst_record_reference_name(format, 0))
            continue;
        print(to, "    spec:%s)\n        COMPREPLY=($(compgen -W \"", format->id);
        put_record_names(to, format);
        put_text(to, "\" -- \"$word\"))\n        return\n        ;;\n");
    }
    put_text(to, "    esac\n    case $command:$word in\n");
    for (size_t i = 0; command_table[i]; i++) {
        print(to, "    %s:-*)\n        COMPREPLY=($(compgen -W \"", command_table[i]->name);
        for (const option_row *row = command_table[i]->options; row->id; row++)
            print(to, "%s--%s", row == command_table[i]->options ? "" : " ", row->name);
        put_text(to, "\" -- \"$word\"))\n        ;;\n");
    }
    for (size_t i = 0; command_table[i]; i++)
        if (strncmp(command_table[i]->operands, "FILE ", 5) == 0 &&
            strstr(command_table[i]->operands, "PATH"))
            print(to,
                  "    %s:*)\n        [ \"${COMP_WORDS[COMP_CWORD-1]}\" = = ] || _mapstone_paths \"$word\"\n"
                  "        ;;\n",
                  command_table[i]->name);
    put_text(to, "    spec:*)\n        COMPREPLY=($(compgen -W \"");
    put_format_words(to, NULL);
    put_text(to, "\" -- \"$word\"))\n        ;;\n    help:*)\n        COMPREPLY=($(compgen -W \"");
    put_command_names(to);
    put_text(to, " formats options\" -- \"$word\"))\n        ;;\n"
                 "    esac\n}\n"
                 "complete -o bashdefault -o default -F _mapstone mapstone\n"); /* default: files */
}

/* Escapes a text for zsh's _arguments, within single quotes. */
static void put_zsh(stream *to, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            put_text(to, "'\\''");
        else if (*text == '[' || *text == ']' || *text == ':')
            print(to, "\\%c", *text);
        else
            put(to, text, 1);
    }
}

static void put_zsh_option(stream *to, const option_row *row) {
    put_text(to, "            ");
    if (row->letter)
        print(to, "'(-%c --%s)'{-%c%s,--%s%s}", row->letter, row->name, row->letter, row->argument ? "+" : "",
              row->name, row->argument ? "=" : "");
    else
        print(to, "--%s%s", row->name, row->argument ? "=" : "");
    put_text(to, "'[");
    put_zsh(to, row->help);
    put_text(to, "]");
    if (row->argument) {
        put_text(to, ":");
        put_zsh(to, row->argument);
        put_text(to, ":");
        if (row->values || takes_formats(row)) {
            put_text(to, "(");
            if (row->values)
                put_text(to, row->values);
            else
                put_format_words(to, row);
            put_text(to, ")");
        } else if (takes_files(row)) {
            put_text(to, "_files");
        }
    }
    put_text(to, "' \\\n");
}

static void put_zsh_script(stream *to) {
    put_text(
        to,
        "#compdef mapstone\n# zsh completion for mapstone; generated by 'mapstone help --completion zsh'\n"
        "_mapstone() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; command_table[i]; i++) {
        print(to, "        '%s:", command_table[i]->name);
        put_zsh(to, command_table[i]->summary);
        put_text(to, "'\n");
    }
    put_text(
        to,
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; command_table[i]; i++) {
        print(to, "    %s)\n        _arguments -s \\\n", command_table[i]->name);
        for (const option_row *row = command_table[i]->options; row->id; row++)
            put_zsh_option(to, row);
        const char *operands = operands_of(command_table[i]);
        put_text(to, !strcmp(operands, "formats") ? "            '1:format:" : "            '*:operand:");
        if (!strcmp(operands, "formats")) {
            put_text(to, "(");
            put_format_words(to, NULL);
            put_text(to, ")' \\\n            '2:name:(");
            for (size_t k = 0; k < mst_format_count(); k++)
                put_text(to, put_record_names(to, mst_format_at(k)) ? " " : "");
            put_text(to, ")");
        } else if (!strcmp(operands, "commands")) {
            put_text(to, "(");
            put_command_names(to);
            put_text(to, " formats options)");
        } else {
            put_text(to, "_files");
        }
        put_text(to, "'\n        ;;\n");
    }
    put_text(to,
             "    esac\n}\nif [ \"$funcstack[1]\" = _mapstone ]; then\n    _mapstone \"$@\"\nelse\n"
             "    # Brackets in paths need no quotes; for other commands, patterns are expanded to files.\n"
             "    _mapstone_run() {\n"
             "        setopt localoptions nullglob\n"
             "        local one\n"
             "        local -a all found\n"
             "        for one; do\n"
             "            found=()\n"
             "            [[ $1 == (get|set|tree) || -e $one ]] || found=(${~one})\n"
             "            (( $#found )) || found=(\"$one\")\n"
             "            all+=(\"${found[@]}\")\n"
             "        done\n"
             "        command mapstone \"${all[@]}\"\n"
             "    }\n"
             "    alias mapstone='noglob _mapstone_run'\n"
             "    compdef _mapstone mapstone _mapstone_run\nfi\n");
}

static void put_fish(stream *to) {
    put_text(to, "# fish completion for mapstone; generated by 'mapstone help --completion fish'\n");
    for (size_t i = 0; command_table[i]; i++)
        print(to, "complete -c mapstone -n __fish_use_subcommand -f -a %s -d \"%s\"\n",
              command_table[i]->name, command_table[i]->summary);
    for (size_t i = 0; command_table[i]; i++) {
        const command *of = command_table[i];
        for (const option_row *row = of->options; row->id; row++) {
            print(to, "complete -c mapstone -n '__fish_seen_subcommand_from %s' -l %s", of->name, row->name);
            if (row->letter)
                print(to, " -s %c", row->letter);
            if (row->values || takes_formats(row)) {
                put_text(to, " -x -a '");
                if (row->values)
                    put_text(to, row->values);
                else
                    put_format_words(to, row);
                put_text(to, "'");
            } else if (row->argument) {
                put_text(to, takes_files(row) ? " -r" : " -x");
            }
            print(to, " -d \"%s\"\n", row->help);
        }
        const char *operands = operands_of(of);
        if (strcmp(operands, "files") != 0) {
            for (size_t k = 0; !strcmp(operands, "formats") && k < mst_format_count(); k++) {
                const mst_format_information *format = mst_format_at(k);
                if (!mst_record_reference_name(format, 0))
                    continue;
                print(to, "complete -c mapstone -n '__fish_seen_subcommand_from %s", of->name);
                print(to, "; and __fish_seen_subcommand_from %s' -f -a '", format->id);
                put_record_names(to, format);
                put_text(to, "'\n");
            }
            print(to, "complete -c mapstone -n '__fish_seen_subcommand_from %s' -f -a '", of->name);
            if (!strcmp(operands, "formats"))
                put_format_words(to, NULL);
            else
                put_command_names(to);
            put_text(to, strcmp(operands, "formats") != 0 ? " formats options'\n" : "'\n");
        }
    }
}

/* ---- the command ---------------------------------------------------------------------------------- */

static int run(const options *given) {
    const char *shell = given->value[OPTION_COMPLETION], *about = given->operands[0];
    const command *of = NULL;
    if (given->operand_count > 1)
        return options_usage(given, "help takes one command");
    bool formats = about && !strcmp(about, "formats"), common = about && !strcmp(about, "options");
    if (about && !formats && !common && !(of = command_find(about))) {
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
        put_bash(&out);
    else if (shell && !strcmp(shell, "zsh"))
        put_zsh_script(&out);
    else if (shell)
        put_fish(&out);
    else if (of)
        help_command_text(&out, of);
    else if (formats)
        put_formats(&out, true);
    else if (common)
        help_options(&out);
    else
        help_overview(&out);
    stream_free(&out);
    return EXIT_YES;
}

static const option_row rows[] = {
    {OPTION_MAN, 0, "man", NULL, NULL, "write the manual page, mapstone.1; with COMMAND that of the command"},
    {OPTION_COMPLETION, 0, "completion", "SHELL", "bash zsh fish",
     "write the completion script for bash, zsh or fish"},
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_COMPLETION, OPTION_MAN}, {OPTION_NONE, OPTION_NONE}};

const command help_command = {
    .name = "help",
    .operands = "[COMMAND|formats|options]",
    .summary = "show help, the manual page or shell completions",
    .description =
        "Shows an overview, or how COMMAND is used. 'help formats' lists the formats, 'help options' the "
        "options that many commands share.",
    .options = rows,
    .examples = "mapstone help convert\nmapstone help --man convert | man -l -\n"
                "mapstone help --completion bash > ~/.local/share/bash-completion/completions/mapstone",
    .run = run,
    .clashes = clashes,
};
