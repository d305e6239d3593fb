/* SPDX-License-Identifier: MIT */
/* mapstone undo, redo, history: reverts and repeats changes that commands made in place. */
#define _GNU_SOURCE
#include "../../src/core/write.h"
#include "../../src/system/system.h"
#include "../history/store.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../system/console.h"
#include "commands.h"
#include "edits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A file's bytes on the disk, and its new ones; NULL: the file does not exist. */
typedef struct held_file {
    char *path, *before, *now;
    size_t before_size, size;
} held_file;

typedef struct revert_state {
    const options *given;
    const char *name; /* as the user wrote it */
    char *path;       /* its path without links */
    bool is_folder, redoes;
    history_store store;
    held_file *files;
    size_t file_count;
    stream said; /* reports of the reverted commands */
} revert_state;

/* ---- files ------------------------------------------------------------------------------------------ */

/* NULL, with a message, if the file cannot be read. */
static held_file *hold(revert_state *r, const char *path) {
    for (size_t i = 0; i < r->file_count; i++)
        if (!strcmp(r->files[i].path, path))
            return &r->files[i];
    held_file one = {.path = NULL};
    mst_diagnostic why;
    if (!is_missing(path) && read_whole(path, &one.before, &one.before_size, &why) != MST_OK) {
        say_diagnosis(path, &why);
        return NULL;
    }
    if (one.before) {
        one.now = need(malloc(one.before_size + 1));
        memcpy(one.now, one.before, one.before_size);
        one.size = one.before_size;
    }
    if ((r->file_count & (r->file_count + 1)) == 0)
        r->files = need(realloc(r->files, 2 * (r->file_count + 1) * sizeof *r->files));
    one.path = need(strdup(path));
    r->files[r->file_count] = one;
    return &r->files[r->file_count++];
}

static void release(revert_state *r) {
    for (size_t i = 0; i < r->file_count; i++) {
        free(r->files[i].path);
        free(r->files[i].before);
        free(r->files[i].now);
    }
    free(r->files);
    free(r->path);
    stream_free(&r->said);
}

static bool is_changed(const held_file *file) {
    return !file->before != !file->now || file->size != file->before_size ||
           (file->now && memcmp(file->now, file->before, file->size) != 0);
}

/* Begins to write one file, which must not have changed meanwhile. */
static bool begin_file(const held_file *file, mst_file_writer **writer) {
    const mst_file_options how = {.size = sizeof how, .watch = &temporaries, .lost = say_lost};
    mst_diagnostic why;
    if (!file->before && !make_parents(file->path))
        return false;
    if (mst_file_create(file->path, &how, writer, &why) != MST_OK) {
        say_diagnosis(file->path, &why);
        return false;
    }
    if (file->before)
        mst_file_expect(*writer, file->before, file->before_size);
    mst_sink sink = mst_file_sink(*writer);
    if (file->size)
        sink.write(sink.user, file->now, file->size); /* a failure is remembered */
    return true;
}

static int remove_files(const revert_state *r) {
    int code = EXIT_YES;
    for (size_t i = 0; i < r->file_count; i++) {
        const held_file *file = &r->files[i];
        int error = file->before && !file->now ? mst_system_remove(file->path) : 0;
        char reason[80];
        if (!error)
            continue;
        mst_system_reason(error, reason, sizeof reason);
        say(MST_ERROR, "cannot remove %s: %s", file->path, reason);
        code = EXIT_TROUBLE;
    }
    return code;
}

/* Writes all files, or none. */
static int write_files(const revert_state *r) {
    mst_file_writer **writers = need(calloc(r->file_count + 1, sizeof *writers));
    size_t count = 0;
    bool good = true;
    mst_diagnostic why;
    system_open_many();
    for (size_t i = 0; i < r->file_count && good; i++)
        if (r->files[i].now && is_changed(&r->files[i])) {
            good = begin_file(&r->files[i], &writers[count]);
            count += good;
        }
    int code = good ? EXIT_YES : EXIT_TROUBLE;
    if (!good)
        while (count)
            mst_file_abandon(writers[--count]);
    else if (mst_file_finish_all(writers, count, &why) != MST_OK)
        code = say_diagnosis(NULL, &why);
    free(writers);
    return code == EXIT_YES ? remove_files(r) : code;
}

/* ---- entries ---------------------------------------------------------------------------------------- */

/* Whether the user's file equals the state after (for redo: before) an entry. */
static bool fits(revert_state *r, const history_entry *entry) {
    if (r->is_folder)
        return true;
    for (size_t i = 0; i < entry->count; i++) {
        const history_file *file = &entry->files[r->redoes ? i : entry->count - 1 - i];
        if (strcmp(file->path, r->path) != 0)
            continue;
        const held_file *held = hold(r, r->path);
        return held && history_is_state(&file->states[!r->redoes], held->now, held->size);
    }
    return false;
}

/* Finds the entry to apply next: the newest that is not undone or, for redo, the oldest that is. EXIT_NO:
 * there is none; EXIT_REFUSED: none fits the file's current state; EXIT_DAMAGED: the same, and one is
 * damaged. */
static int find_next(revert_state *r, history_line **found, history_entry *entry) {
    const uint64_t key = history_key(r->path);
    int code = EXIT_NO;
    for (size_t i = 0; i < r->store.count; i++) {
        history_line *line = &r->store.lines[r->redoes ? i : r->store.count - 1 - i];
        if (line->undone != r->redoes || !history_has_key(line, key))
            continue;
        const bool sound = history_read(&r->store, line, entry);
        if (sound && fits(r, entry)) {
            *found = line;
            return EXIT_YES;
        }
        code = sound && code != EXIT_DAMAGED ? EXIT_REFUSED : EXIT_DAMAGED;
        history_entry_free(entry);
    }
    return code;
}

/* Makes the other state of one file, in memory. */
static int turn_file(revert_state *r, const history_file *file, const char *changed_by) {
    const int to = r->redoes ? HISTORY_AFTER : HISTORY_BEFORE;
    held_file *held = hold(r, file->path);
    if (!held)
        return EXIT_TROUBLE;
    if (!history_is_state(&file->states[!to], held->now, held->size)) {
        say(MST_ERROR, "%s has changed since '%s', which changed it as well: it is not overwritten",
            file->path, changed_by);
        return EXIT_REFUSED;
    }
    char *made = file->states[to].there ? history_make(file, to, held->now ? held->now : "") : NULL;
    if (file->states[to].there && !made) {
        say(MST_ERROR, "%s: the history would make another file of it: it is not changed", file->path);
        return EXIT_REFUSED;
    }
    free(held->now);
    held->now = made;
    held->size = made ? (size_t)file->states[to].size : 0;
    return EXIT_YES;
}

static int turn_entry(revert_state *r, const history_entry *entry) {
    int code = EXIT_YES;
    for (size_t i = 0; i < entry->count && code == EXIT_YES; i++)
        code = turn_file(r, &entry->files[r->redoes ? i : entry->count - 1 - i], entry->command);
    put_visible(&r->said, r->name);
    put_text(&r->said, r->redoes ? ": done again: " : ": undone: ");
    put_visible(&r->said, entry->command);
    put_text(&r->said, "\n");
    return code;
}

static int turn(revert_state *r, size_t wanted) {
    int code = EXIT_YES;
    for (size_t done = 0; done < wanted && code == EXIT_YES; done++) {
        history_entry entry = {.count = 0};
        history_line *line = NULL;
        const char *what = r->redoes ? "redo" : "undo";
        code = find_next(r, &line, &entry);
        if (code == EXIT_YES)
            code = turn_entry(r, &entry);
        else if (done)
            say(MST_ERROR, "%s: there %s only %zu to %s: nothing is changed", r->name,
                done == 1 ? "is" : "are", done, what);
        else if (code == EXIT_NO)
            say(MST_ERROR, "%s: there is nothing to %s", r->name, what);
        else if (code == EXIT_REFUSED)
            say(MST_ERROR,
                "%s is not as a command of mapstone left it: another program has changed it, and it is not "
                "overwritten",
                r->name);
        if (line)
            line->undone = !r->redoes;
        history_entry_free(&entry);
    }
    return code;
}

/* ---- the commands ----------------------------------------------------------------------------------- */

/* Parses the file operand, and the number before it. */
static bool read_operands(const options *given, const char **file, size_t *count) {
    *count = 1;
    *file = given->operand_count ? given->operands[given->operand_count - 1] : NULL;
    if (given->operand_count < 1 || given->operand_count > 2) {
        options_usage(given, "%s takes a file, and a number before it", given->command->name);
        return false;
    }
    if (given->operand_count == 1)
        return true;
    char *end = NULL;
    const char *number = given->operands[0];
    *count = *number >= '1' && *number <= '9' ? strtoul(number, &end, 10) : 0;
    if (*count && !*end)
        return true;
    options_usage(given, "'%s' is not a number of commands", number);
    return false;
}

static bool begin(revert_state *r, const options *given, const char *file, int *code) {
    char *outer = file_of(file); /* for a member, its archive */
    *r = (revert_state){.given = given, .name = file, .path = history_path(outer)};
    r->is_folder = is_directory(outer);
    r->said = stream_memory();
    r->path = r->path ? r->path : need(strdup(outer));
    free(outer);
    const bool opened = history_open(&r->store, false);
    *code = EXIT_NO;
    return opened;
}

/* A path in the form that the user wrote: relative to the file or directory on the command line. To be
 * freed. */
static char *shown_path(const revert_state *r, const char *path) {
    const size_t whole = strlen(r->path),
                 length = r->is_folder ? whole : mst_system_directory_length(r->path);
    const char *name = r->name,
               *end = name + (r->is_folder ? strlen(name) : mst_system_directory_length(name));
    char *shown;
    if (!strcmp(path, r->path) || strncmp(path, r->path, length) != 0)
        return need(strdup(strcmp(path, r->path) ? path : r->name));
    path += length;
    while (mst_system_separates(*path))
        path++;
    const bool joined = end == name || mst_system_separates(end[-1]);
    if (asprintf(&shown, "%.*s%s%s", (int)(end - name), name, joined ? "" : "/", path) < 0)
        need(NULL);
    return shown;
}

static void report_all(const revert_state *r) {
    stream to = stream_stderr();
    put(&to, r->said.data, r->said.size);
    stream_free(&to);
    for (size_t i = 0; i < r->file_count; i++) {
        const held_file *file = &r->files[i];
        char *shown = shown_path(r, file->path);
        edits_report(shown, file->before ? file->before : "", file->before_size, file->now ? file->now : "",
                     file->size);
        free(shown);
    }
}

static int revert(const options *given, bool redoes) {
    const char *file;
    size_t count;
    revert_state r;
    int code;
    if (!read_operands(given, &file, &count))
        return EXIT_TROUBLE;
    if (begin(&r, given, file, &code)) {
        r.redoes = redoes;
        code = turn(&r, count);
        if (code == EXIT_YES)
            code = write_files(&r);
        if (code == EXIT_YES)
            history_write(&r.store);
        if (code == EXIT_YES && !options_has(given, OPTION_QUIET))
            report_all(&r);
    }
    history_close(&r.store);
    release(&r);
    return code;
}

static int run_undo(const options *given) {
    return revert(given, false);
}

static int run_redo(const options *given) {
    return revert(given, true);
}

static void put_time(stream *to, int64_t seconds) {
    const time_t moment = (time_t)seconds;
    const struct tm *at = gmtime(&moment); /* the same on every machine */
    char text[40] = "?";
    if (at)
        strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", at);
    put_text(to, text);
}

static void put_entry(stream *out, const history_entry *entry, bool undone, size_t steps, bool json) {
    if (json) {
        print(out, "{\"%s\":%zu,\"time\":%lld", undone ? "redo" : "undo", steps, (long long)entry->time);
        put_json_member(out, "command", entry->command);
        put_json_key(out, "files");
        for (size_t i = 0; i < entry->count; i++) {
            put_text(out, i ? "," : "[");
            put_json_string(out, entry->files[i].path, strlen(entry->files[i].path));
        }
        put_text(out, "]}\n");
        return;
    }
    print(out, "%s %2zu  ", undone ? "redo" : "undo", steps);
    put_time(out, entry->time);
    put_text(out, "  ");
    put_visible(out, entry->command);
    if (entry->count > 1)
        print(out, " (%zu files)", entry->count);
    put_text(out, "\n");
}

static int list_entries(const revert_state *r, bool json) {
    const uint64_t key = history_key(r->path);
    size_t undone = 0, done = 0;
    stream out = stream_stdout();
    int code = EXIT_YES;
    for (size_t i = 0; i < r->store.count; i++)
        undone += r->store.lines[i].undone && history_has_key(&r->store.lines[i], key);
    const bool any = undone;
    for (size_t i = r->store.count; i-- > 0;) {
        const history_line *line = &r->store.lines[i];
        history_entry entry;
        if (!history_has_key(line, key))
            continue;
        const size_t steps = line->undone ? undone-- : ++done;
        if (history_read(&r->store, line, &entry))
            put_entry(&out, &entry, line->undone, steps, json);
        else
            code = EXIT_DAMAGED;
        history_entry_free(&entry);
    }
    stream_free(&out);
    if (!any && !done)
        say(MST_ERROR, "%s: there is no history of it", r->name);
    return any || done ? code : EXIT_NO;
}

static int run_history(const options *given) {
    revert_state r;
    int code;
    if (given->operand_count != 1)
        return options_usage(given, "history takes one file");
    if (begin(&r, given, given->operands[0], &code))
        code = list_entries(&r, options_has(given, OPTION_JSON));
    history_close(&r.store);
    release(&r);
    return code;
}

static const option_row revert_rows[] = {OPTION_ROW_QUIET("do not report what changes"), OPTION_ROW_COMMON};
static const option_row history_rows[] = {OPTION_ROW_JSON("one JSON object per line"), OPTION_ROW_COMMON};

const command undo_command = {
    .name = "undo",
    .operands = "[N] FILE",
    .summary = "revert the last command that changed a file",
    .description =
        "Reverts the last command that changed FILE, or the last N: set, edit, fix and patch with -i, and "
        "merge into one of its inputs. All files that the command changed are reverted, or none. FILE may be "
        "a directory: then it is the last command that was given this directory.\n\n"
        "Nothing is overwritten that another program has changed since: exits with 5 if a file is not as the "
        "command left it, with 1 if there is nothing to revert. The result is byte for byte the file from "
        "before.\n\n"
        "The last 50 changes of each file are kept, of all files at most 64 MiB, in mapstone/history in the "
        "directory for states (XDG_STATE_HOME, or .local/state in the home directory; LOCALAPPDATA on "
        "Windows). Only you can read them. --no-history keeps a change out. A file is remembered by its path "
        "without links: one that was moved or copied has no history.",
    .options = revert_rows,
    .examples = "mapstone undo maps/a.level\nmapstone undo 3 maps/a.level\nmapstone undo maps/",
    .run = run_undo,
};

const command redo_command = {
    .name = "redo",
    .operands = "[N] FILE",
    .summary = "repeat what 'undo' reverted",
    .description = "Changes FILE again as the command that 'mapstone undo' reverted last, or the last N. "
                   "Another change of the file ends that: what was undone before it is forgotten.",
    .options = revert_rows,
    .examples = "mapstone redo maps/a.level",
    .run = run_redo,
};

const command history_command = {
    .name = "history",
    .operands = "FILE",
    .summary = "list the commands that changed a file",
    .description =
        "Lists the commands that 'mapstone undo' can revert and 'mapstone redo' can repeat, the "
        "newest first, with the number of steps to get there. Of a directory it lists the commands "
        "that were given this directory.",
    .options = history_rows,
    .examples = "mapstone history maps/a.level",
    .run = run_history,
};
