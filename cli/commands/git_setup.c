/* SPDX-License-Identifier: MIT */
/* mapstone git-setup: configures git to compare and merge levels. */
#include "../../src/system/system.h"
#include "../inputs/attributes.h"
#include "../inputs/git_program.h"
#include "commands.h"
#include <stdlib.h>
#include <string.h>

/* Files that are a complete level, and files that belong together: git merges file by file. */
static const char *const patterns[] = {"*.level", "*.clip", "*.map", "*.MAP", "*.dat", "*.DAT", "*.romlist"};
static const char *const together[] = {"*.tab",    "MAPS.bin",   "HITS.bin",
                                       "TEX*.bin", "VOXMAP.bin", "mod*.zlb.bin"};

/* A setting of .git/config: its section and driver. Names of files follow --, since git does not guard
 * them. */
typedef struct setting {
    const char *section, *driver, *name, *value;
    bool is_command;
} setting;

static const setting settings[] = {
    {"diff", "mapstone", "command", "mapstone diff --git --", true},
    {"diff", "mapstone", "textconv", "mapstone diff --textconv --", true},
    {"diff", "mapstone", "cachetextconv", "true", false},
    {"merge", "mapstone", "name", "merge levels", false},
    {"merge", "mapstone", "driver", "mapstone merge -o %A --as-path %P -- %O %A %B", true},
    {"mergetool", "mapstone", "cmd", "mapstone resolve --ask -- \"$MERGED\"", true},
    {"mergetool", "mapstone", "trustExitCode", "true", false},
    {"merge", "mapstone-together", "name", "files that belong together", false},
    {"merge", "mapstone-together", "driver", "mapstone merge --together --as-path %P --", true},
};
#define SETTINGS (sizeof settings / sizeof *settings)

/* ---- .gitattributes --------------------------------------------------------------------------------- */

/* Adds the lines of .gitattributes that the text lacks. With -text git keeps the bytes unchanged: git for
 * Windows converts line ends at a checkout, also in text formats and in files that resemble text. */
static void put_attributes(stream *to, const options *given, const char *text) {
    static const char own[] = "-text diff=mapstone merge=mapstone", other[] = "-text merge=mapstone-together";
    for (size_t i = 0; i < given->operand_count; i++)
        attributes_put(to, text, given->operands[i], own);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns && !given->operand_count; i++)
        attributes_put(to, text, patterns[i], own);
    for (size_t i = 0; i < sizeof together / sizeof *together && !given->operand_count; i++)
        attributes_put(to, text, together[i], other);
}

static int write_attributes(const options *given, const char *path) {
    char *text;
    size_t size;
    stream more = stream_memory();
    int code = attributes_read(path, &text, &size);
    if (code == EXIT_YES)
        put_attributes(&more, given, text);
    if (code == EXIT_YES && more.size)
        code = attributes_append(path, text, size, &more);
    stream_free(&more);
    free(text);
    return code;
}

/* ---- .git/config ------------------------------------------------------------------------------------ */

static char *key_of(const setting *one) {
    stream key = stream_memory();
    print(&key, "%s.%s.%s", one->section, one->driver, one->name);
    put(&key, "", 1);
    return key.data;
}

/* The last value that the repository has for a key, in the list that git prints: key, newline, value, NUL.
 * NULL: none. */
static const char *value_of(const char *list, size_t size, const char *key) {
    size_t length = strlen(key);
    const char *value = NULL;
    for (const char *at = list; at < list + size; at += strlen(at) + 1)
        if (strncmp(at, key, length) == 0 && (at[length] == '\n' || !at[length]))
            value = at + length + (at[length] == '\n');
    return value;
}

/* Whether git would run mapstone with this command and names of files that could be options. */
static bool is_unguarded(const char *value) {
    static const char last[] = " --";
    size_t length = strlen(value), end = sizeof last - 1;
    bool guards = strstr(value, " -- ") || (length > end && strcmp(value + length - end, last) == 0);
    return strstr(value, "mapstone") && !guards;
}

static int set(const setting *one, const char *key, const char *before, bool quiet) {
    char *const arguments[] = {"git",       "config",           "--local", "--replace-all",
                               (char *)key, (char *)one->value, NULL};
    char *nothing;
    size_t size;
    int ended = git_run(arguments, &nothing, &size);
    free(nothing);
    if (ended == 0 && before && !quiet)
        say_plain("%s was '%s', where the name of a file could be read as an option: it is now '%s'", key,
                  before, one->value);
    else if (ended > 0)
        say(MST_ERROR, "git could not set %s", key);
    return ended == 0 ? EXIT_YES : EXIT_TROUBLE;
}

/* Keeps settings that the user has chosen, except for such commands. */
static int write_settings(const char *list, size_t size, bool quiet) {
    int code = EXIT_YES;
    for (size_t i = 0; i < SETTINGS && code == EXIT_YES; i++) {
        char *key = key_of(&settings[i]);
        const char *value = value_of(list, size, key);
        if (!value || (settings[i].is_command && is_unguarded(value)))
            code = set(&settings[i], key, value, quiet);
        free(key);
    }
    return code;
}

/* The repository's settings that mapstone manages. */
static int read_settings(char **list, size_t *size) {
    char *const arguments[] = {"git",    "config",       "--local",
                               "--null", "--get-regexp", "^(diff|merge|mergetool)\\.mapstone(-together)?\\.",
                               NULL};
    int ended = git_run(arguments, list, size);
    if (ended > 1)
        say(MST_ERROR, "git could not read the settings of this repository");
    return ended == 0 || ended == 1 ? EXIT_YES : EXIT_TROUBLE; /* 1: there are none */
}

/* Whether this is the top of a work tree whose settings file is the repository's own. Asks git, which also
 * handles other things named .git. */
static int examine_repository(void) {
    char *const arguments[] = {"git",    "rev-parse", "--is-inside-work-tree", "--show-cdup", "--git-path",
                               "config", NULL};
    static const char top[] = "true\n\n"; /* with an empty --show-cdup */
    mst_system_info about;
    char *text;
    size_t size;
    int ended = git_run(arguments, &text, &size), code = ended < 0 ? EXIT_TROUBLE : EXIT_NO;
    if (ended == 0 && size > sizeof top && strncmp(text, top, sizeof top - 1) == 0) {
        const char *path = text + sizeof top - 1;
        text[size - 1] = 0;
        code = EXIT_YES;
        if (mst_system_about_link(path, &about) == 0 && about.kind == MST_SYSTEM_LINK) {
            say(MST_ERROR,
                "%s is a symbolic link: run 'mapstone git-setup' in the repository that it belongs to", path);
            code = EXIT_REFUSED;
        }
    }
    if (code == EXIT_NO)
        say(MST_ERROR, "this is not the top of a git repository; change to the directory that has .git");
    free(text);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------ */

static int print_all(const options *given) {
    stream out = stream_stdout();
    put_text(&out, "# .gitattributes\n");
    put_attributes(&out, given, "");
    put_text(&out, "# .git/config\n");
    for (const setting *one = settings; one < settings + SETTINGS; one++) {
        if (one == settings || strcmp(one->driver, one[-1].driver) || strcmp(one->section, one[-1].section))
            print(&out, "[%s \"%s\"]\n", one->section, one->driver);
        print(&out, "\t%s = ", one->name);
        for (const char *at = one->value; *at; at++)
            print(&out, "%s%c", *at == '"' ? "\\" : "", *at); /* as git parses it */
        put_text(&out, "\n");
    }
    stream_free(&out);
    return EXIT_YES;
}

static int set_up(const options *given) {
    bool quiet = options_has(given, OPTION_QUIET);
    char *list = NULL;
    size_t size = 0;
    int code = examine_repository();
    if (code == EXIT_YES)
        code = read_settings(&list, &size);
    if (code == EXIT_YES)
        code = write_attributes(given, ".gitattributes");
    if (code == EXIT_YES)
        code = write_settings(list, size, quiet);
    if (code == EXIT_YES && !quiet)
        say_plain("git compares and merges levels with mapstone here; commit .gitattributes, and run "
                  "'mapstone git-setup' in each clone");
    free(list);
    return code;
}

static int run(const options *given) {
    bool accepted = true;
    for (size_t i = 0; i < given->operand_count; i++)
        accepted = attributes_accept(given->operands[i]) && accepted;
    return !accepted ? EXIT_TROUBLE : options_has(given, OPTION_PRINT) ? print_all(given) : set_up(given);
}

static const option_row rows[] = {
    {OPTION_PRINT, 0, "print", NULL, NULL, "print the settings, and write nothing"},
    OPTION_ROW_QUIET("do not print the next steps"),
    OPTION_ROW_COMMON};

const command git_setup_command = {
    .name = "git-setup",
    .operands = "[PATTERN...]",
    .summary = "set up git to compare and merge levels",
    .description =
        "Sets up the git repository in the current directory to compare and merge levels:\n\n"
        "- .gitattributes lists which files are levels: PATTERN, or by default the usual names of levels.\n"
        "- .git/config gets the commands that compare and merge them. These settings belong to one clone: "
        "run git-setup in each.\n\n"
        "Then 'git diff' and 'git log -p --ext-diff' show the output of 'mapstone diff', and 'git merge', "
        "'git rebase' and 'git cherry-pick' merge as 'mapstone merge' does; 'git mergetool --tool=mapstone' "
        "asks "
        "about what they leave, as 'mapstone resolve' does.\n\n"
        "Existing settings in .git/config are kept, except commands in which the name of a file could be "
        "read as an option, as earlier versions wrote. A .gitattributes that is a symbolic link, or is not "
        "text, is refused.",
    .options = rows,
    .examples = "mapstone git-setup\nmapstone git-setup \"maps/*.level\"\nmapstone git-setup --print",
    .run = run,
};
