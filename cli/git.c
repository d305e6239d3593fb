/* SPDX-License-Identifier: MIT */
/* mapstone git-setup: lets git compare and merge levels. */
#include "../src/system/system.h"
#include "commands.h"
#include "paths.h"
#include "source.h"
#include <mapstone/file.h>
#include <stdlib.h>
#include <string.h>

/* Files that are a level by themselves, and files that belong together: git merges file by file. */
static const char *const patterns[] = {"*.level", "*.clip", "*.map", "*.MAP", "*.dat", "*.DAT", "*.romlist"};
static const char *const together[] = {"*.tab",    "MAPS.bin",   "HITS.bin",
                                       "TEX*.bin", "VOXMAP.bin", "mod*.zlb.bin"};

static const char config[] = "[diff \"mapstone\"]\n"
                             "\tcommand = mapstone diff --git\n"
                             "\ttextconv = mapstone diff --textconv\n"
                             "\tcachetextconv = true\n"
                             "[merge \"mapstone\"]\n"
                             "\tname = merge levels\n"
                             "\tdriver = mapstone merge %O %A %B -o %A --as-path %P\n"
                             "[merge \"mapstone-together\"]\n"
                             "\tname = files that belong together\n"
                             "\tdriver = mapstone merge --together --as-path %P\n";

/* ---- files ------------------------------------------------------------------------------------------ */

static char *joined(const char *directory, const char *name) {
    size_t length = strlen(directory);
    stream path = stream_memory();
    put(&path, directory, length);
    put_text(&path, length && directory[length - 1] != '/' ? "/" : "");
    put_text(&path, name);
    put(&path, "", 1);
    return path.data;
}

/* The text of a file; empty if there is none. */
static char *text_of(const char *path) {
    char *text = NULL;
    size_t size;
    mst_diagnostic why;
    if (read_whole(path, &text, &size, &why) != MST_OK) {
        free(text);
        text = need(strdup(""));
    }
    return text;
}

/* Where the repository of a directory has its settings: .git, or what the file .git names. NULL: it is none.
 */
static char *repository_of(const char *directory) {
    mst_system_info about;
    char *git = joined(directory, ".git");
    if (mst_system_about(git, &about) != 0) {
        free(git);
        return NULL;
    }
    if (about.kind == MST_SYSTEM_DIRECTORY)
        return git;
    char *text = text_of(git), *named = NULL;
    free(git);
    if (strncmp(text, "gitdir: ", 8) == 0) {
        text[8 + strcspn(text + 8, "\r\n")] = 0;
        named = mst_system_is_absolute(text + 8) ? need(strdup(text + 8)) : joined(directory, text + 8);
        char *common = joined(named, "commondir"), *shared = text_of(common); /* of several work trees */
        if (*shared) {
            shared[strcspn(shared, "\r\n")] = 0;
            char *all = mst_system_is_absolute(shared) ? need(strdup(shared)) : joined(named, shared);
            free(named);
            named = all;
        }
        free(common);
        free(shared);
    }
    free(text);
    return named;
}

/* Appends what a file does not have yet. */
static int append(const char *path, const char *more) {
    char *text = text_of(path);
    size_t length = strlen(text);
    target to;
    mst_diagnostic why;
    if (!target_begin(&to, path)) {
        free(text);
        return EXIT_TROUBLE;
    }
    mst_sink sink = target_sink(&to);
    mst_status status = sink.write(sink.user, text, length);
    if (status == MST_OK && length && text[length - 1] != '\n')
        status = sink.write(sink.user, "\n", 1);
    if (status == MST_OK)
        status = sink.write(sink.user, more, strlen(more));
    free(text);
    return target_settle(&to, status, path, &why);
}

/* ---- the command ------------------------------------------------------------------------------------ */

/* Whether a file has the line. */
static bool has_line(const char *text, const char *line) {
    size_t length = strlen(line);
    for (const char *at = text; (at = strstr(at, line)); at += length)
        if ((at == text || at[-1] == '\n') && (!at[length] || at[length] == '\n' || at[length] == '\r'))
            return true;
    return false;
}

/* Adds the lines of .gitattributes that the text does not have. */
static void put_attributes(stream *to, const options *given, const char *text) {
    size_t own = given->operand_count ? given->operand_count : sizeof patterns / sizeof *patterns;
    size_t others = given->operand_count ? 0 : sizeof together / sizeof *together;
    for (size_t i = 0; i < own + others; i++) {
        stream line = stream_memory();
        if (i >= own)
            print(&line, "%s merge=mapstone-together", together[i - own]);
        else
            print(&line, "%s diff=mapstone merge=mapstone",
                  given->operand_count ? given->operands[i] : patterns[i]);
        put(&line, "", 1);
        if (!has_line(text, line.data))
            print(to, "%s\n", line.data);
        stream_free(&line);
    }
}

static int write_attributes(const options *given, const char *path) {
    char *text = text_of(path);
    stream more = stream_memory();
    put_attributes(&more, given, text);
    put(&more, "", 1);
    int code = more.size > 1 ? append(path, more.data) : EXIT_YES;
    stream_free(&more);
    free(text);
    return code;
}

static int print_all(const options *given) {
    stream out = stream_stdout();
    put_text(&out, "# .gitattributes\n");
    put_attributes(&out, given, "");
    put_text(&out, "# .git/config\n");
    put_text(&out, config);
    stream_free(&out);
    return EXIT_YES;
}

static int run(const options *given) {
    if (options_has(given, OPTION_PRINT))
        return print_all(given);
    char *repository = repository_of(".");
    if (!repository) {
        say(MST_ERROR, "this is not the top of a git repository; change to the directory that has .git");
        return EXIT_NO;
    }
    char *settings = joined(repository, "config"), *text = text_of(settings);
    int code = write_attributes(given, ".gitattributes");
    if (code == EXIT_YES && !has_line(text, "[merge \"mapstone\"]"))
        code = append(settings, config);
    if (code == EXIT_YES && !options_has(given, OPTION_QUIET))
        say_plain("git compares and merges levels with mapstone here; commit .gitattributes, and run "
                  "'mapstone git-setup' in each clone");
    free(text);
    free(settings);
    free(repository);
    return code;
}

static const option_row rows[] = {
    {OPTION_PRINT, 0, "print", NULL, NULL, "print what would be written, and write nothing"},
    OPTION_ROW_QUIET("do not say what comes next"),
    OPTION_ROW_COMMON};

const command git_setup_command = {
    .name = "git-setup",
    .operands = "[PATTERN...]",
    .summary = "let git compare and merge levels",
    .description =
        "Sets up the git repository in the current directory: .gitattributes says which files are levels "
        "(PATTERN; by default those whose names levels have), and .git/config how to compare and merge them. "
        "'git diff' and 'git log -p --ext-diff' show what 'mapstone diff' shows, 'git merge', 'git rebase' "
        "and "
        "'git cherry-pick' merge as 'mapstone merge' does. Settings are of one clone: others run it, too.",
    .options = rows,
    .examples = "mapstone git-setup\nmapstone git-setup 'maps/*.level'\nmapstone git-setup --print",
    .run = run,
};
