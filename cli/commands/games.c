/* SPDX-License-Identifier: MIT */
/* mapstone game: remembers the folders of games. */
#define _GNU_SOURCE
#include "games.h"
#include "../../src/system/system.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../inputs/shell_words.h"
#include "../system/console.h"
#include "commands.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A line of the file: NAME, a tab, PATH. Names are compared without case. */
typedef struct game {
    const char *name, *path;
} game;

typedef struct games {
    char *file; /* its path */
    char *text;
    game *items;
    size_t count;
    size_t damaged; /* number of the first malformed line; 0: there is none */
} games;

static void games_free(games *all) {
    free(all->file);
    free(all->text);
    free(all->items);
}

/* The file's path; NULL, with a message, if there is no place for it. */
static char *path_of_file(void) {
    const char *advice;
    char *path = NULL, *settings = system_settings(&advice);
    if (!settings)
        say(MST_ERROR, "there is no directory for settings: %s", advice);
    else if (asprintf(&path, "%s/mapstone/games", settings) < 0)
        need(NULL);
    free(settings);
    return path;
}

static bool is_plain(const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return *name && strspn(name, plain) == strlen(name);
}

/* Parses a line; false: mapstone did not write it. */
static bool take_line(games *all, char *line, size_t length) {
    char *tab = strchr(line, '\t');
    if (strlen(line) != length || !tab || !tab[1] || strchr(tab + 1, '\t'))
        return false;
    *tab = 0;
    all->items[all->count] = (game){line, tab + 1};
    bool good = is_plain(line);
    all->count += good;
    return good;
}

/* Locks the file: other commands that change it wait. -1, with a message, if it cannot be changed. */
static int begin_change(void) {
    char *file = path_of_file(), *path;
    if (!file)
        return -1;
    if (asprintf(&path, "%s.lock", file) < 0)
        need(NULL);
    int held = -1;
    if (make_parents(path)) {
        int error = mst_system_open(path, MST_SYSTEM_CREATE, &held);
        if (error == EEXIST)
            error = mst_system_open(path, MST_SYSTEM_WRITE, &held);
        if (error)
            say(MST_ERROR, "%s: %s", path, strerror(error));
        else
            mst_system_lock_in_turn(held); /* not every file system has locks */
    }
    free(path);
    free(file);
    return held;
}

/* Reads the file, which may be missing. Damaged lines cause a warning and are skipped. */
static bool games_read(games *all) {
    size_t size = 0;
    mst_diagnostic why;
    *all = (games){.file = path_of_file()};
    if (!all->file)
        return false;
    if (is_regular(all->file) && read_whole(all->file, &all->text, &size, &why) != MST_OK) {
        say_diagnosis(all->file, &why);
        return false;
    }
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += all->text[i] == '\n';
    all->items = need(calloc(lines, sizeof *all->items));
    char *end = all->text ? all->text + size : NULL;
    size_t number = 1;
    for (char *line = all->text; line < end; number++) {
        char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end; /* a NUL follows the text */
        *stop = 0;
        if (!take_line(all, line, (size_t)(stop - line))) {
            say(MST_WARNING,
                "%s:%zu: this line is damaged, and is ignored: a name, a tab and a folder are expected",
                all->file, number);
            all->damaged = all->damaged ? all->damaged : number;
        }
        line = stop + 1;
    }
    return true;
}

/* Writes all games except `left_out`, and one more unless its name is NULL. */
static int games_write(const games *all, const bool *left_out, game added) {
    target out;
    if (all->damaged) {
        say(MST_ERROR, "%s is not written, as line %zu would be lost; repair or remove that line", all->file,
            all->damaged);
        return EXIT_REFUSED;
    }
    if (!make_parents(all->file) || !target_begin(&out, all->file))
        return EXIT_TROUBLE;
    for (size_t i = 0; i < all->count; i++)
        if (!left_out[i])
            print(&out.text, "%s\t%s\n", all->items[i].name, all->items[i].path);
    if (added.name)
        print(&out.text, "%s\t%s\n", added.name, added.path);
    return target_settle(&out, MST_OK, all->file, NULL);
}

bool games_apply(options *given) {
    size_t before = given->argument_count;
    games all = {0};
    bool good = true;
    for (size_t i = 0; i < before && good; i++) {
        if (given->arguments[i].id != OPTION_GAME)
            continue;
        const char *name = given->arguments[i].value;
        size_t met = 0;
        good = all.file || games_read(&all);
        for (size_t k = 0; k < all.count && good; k++) {
            if (strcasecmp(all.items[k].name, name) != 0)
                continue;
            met++;
            words_take(given, OPTION_SEARCH_PATH, words_keep(given, need(strdup(all.items[k].path))));
        }
        if (good && !met) {
            say(MST_ERROR, "--game: no folder of %s is known; add one with 'mapstone game add %s DIR'", name,
                name);
            good = false;
        }
    }
    games_free(&all);
    return good;
}

/* ---- the command ---------------------------------------------------------------------------------- */

static bool is_name(const options *given, const char *name) {
    if (is_plain(name))
        return true;
    options_usage(given, "'%s' is not a name: use letters, digits, '-', '_' and '.'", name);
    return false;
}

/* The complete path, with the folder of an archive; NULL, with a message, if it does not exist. */
static char *whole_path(const char *path) {
    size_t length = archive_prefix(path);
    char *file = file_of(path), *whole = NULL;
    char *real = system_whole_path(file);
    if (!real)
        say(MST_ERROR, "%s: %s", path, strerror(errno));
    else if (strpbrk(real, "\n\t") || strpbrk(path, "\n\t"))
        say(MST_ERROR, "%s: a path with a tab or a line end cannot be remembered", path);
    else if (!is_directory(real) && !looks_like_archive(real))
        say(MST_ERROR, "%s is neither a directory nor an archive", path);
    else if (asprintf(&whole, "%s%s", real, length ? path + length : "") < 0)
        need(NULL);
    free(real);
    free(file);
    return whole;
}

static int add_game(const options *given, const games *all) {
    char *path = is_name(given, given->operands[1]) ? whole_path(given->operands[2]) : NULL;
    if (!path)
        return EXIT_TROUBLE;
    const game one = {given->operands[1], path};
    bool *left_out = need(calloc(all->count + 1, sizeof *left_out));
    for (size_t i = 0; i < all->count; i++) /* it becomes the last one */
        left_out[i] = !strcasecmp(all->items[i].name, one.name) && !strcmp(all->items[i].path, one.path);
    int code = games_write(all, left_out, one);
    free(left_out);
    free(path);
    return code;
}

static int remove_game(const options *given, const games *all) {
    const char *name = given->operands[1];
    char *path = NULL;
    if (given->operand_count == 3) {
        path = system_whole_path(given->operands[2]); /* a folder that no longer exists is named as listed */
        path = path ? path : need(strdup(given->operands[2]));
    }
    bool *left_out = need(calloc(all->count + 1, sizeof *left_out));
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        left_out[i] = !strcasecmp(all->items[i].name, name) && (!path || !strcmp(all->items[i].path, path));
        count += left_out[i];
    }
    int code = count ? games_write(all, left_out, (game){NULL, NULL}) : EXIT_NO;
    if (!count)
        say(MST_ERROR, "no folder of %s is known%s%s", name, path ? " as " : "", path ? path : "");
    free(left_out);
    free(path);
    return code;
}

static int list_games(const options *given, const games *all) {
    stream out = stream_stdout();
    bool json = options_has(given, OPTION_JSON);
    for (size_t i = 0; i < all->count; i++) {
        if (json) {
            put_text(&out, "{");
            put_json_member(&out, "game", all->items[i].name);
            put_json_member(&out, "path", all->items[i].path);
            put_text(&out, "}\n");
        } else {
            put_visible(&out, all->items[i].name);
            put_text(&out, "\t");
            put_visible(&out, all->items[i].path);
            put_text(&out, "\n");
        }
    }
    stream_free(&out);
    return EXIT_YES;
}

static int run(const options *given) {
    const char *what = given->operand_count ? given->operands[0] : "list";
    size_t count = given->operand_count ? given->operand_count : 1;
    bool adds = !strcmp(what, "add"), lists = !strcmp(what, "list"), removes = !strcmp(what, "remove");
    if (!adds && !lists && !removes)
        return options_usage(given, "'%s' is none of: add, list, remove", what);
    if (adds ? count != 3 : lists ? count != 1 : count < 2 || count > 3)
        return options_usage(given, adds    ? "game add needs a name and a directory or archive"
                                    : lists ? "game list takes no names"
                                            : "game remove needs a name, and may have a directory");
    games all;
    int held = lists ? -1 : begin_change();
    if (!lists && held < 0)
        return EXIT_TROUBLE;
    int code = !games_read(&all) ? EXIT_TROUBLE
               : adds            ? add_game(given, &all)
               : removes         ? remove_game(given, &all)
                                 : list_games(given, &all);
    games_free(&all);
    if (held >= 0)
        mst_system_close(held);
    return code;
}

static const option_row rows[] = {OPTION_ROW_JSON("list: one JSON object per line"), OPTION_ROW_COMMON};

const command game_command = {
    .name = "game",
    .operands = "add NAME DIR | list | remove NAME [DIR]",
    .summary = "remember where games are, for --game NAME",
    .description =
        "Levels refer to files of their game: models, materials, textures. 'game add' remembers the folder "
        "(or archive) of a game under a name that you choose, such as ns2; its case does not matter. --game "
        "NAME then searches it as --search-path does, after the level's own mod and all --search-path. A "
        "name may have several folders, which are searched in the order in which they were added: a mod "
        "before its game.\n\n"
        "They are stored in mapstone/games in the directory for settings (XDG_CONFIG_HOME, or .config in the "
        "home directory). A damaged line of that file is reported, and the file is not overwritten.",
    .options = rows,
    .examples = "mapstone game add ns2 ~/games/ns2\nmapstone render --game ns2 --oblique maps/a.level a.png\n"
                "mapstone game list",
    .run = run,
};
