/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "merge_output.h"
#include "../../src/core/write.h"
#include "../../src/system/system.h"
#include "../history/record.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../system/console.h"
#include "streams.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(char ***list, size_t *count, char *path) {
    if ((*count & (*count + 1)) == 0)
        *list = need(realloc(*list, 2 * (*count + 1) * sizeof **list));
    (*list)[(*count)++] = path;
}

static bool is_entry(void *user, const char *name, mst_system_kind kind) {
    (void)name, (void)kind;
    *(bool *)user = true;
    return false;
}

/* Whether a directory is empty or missing; false if it cannot be read. */
static bool is_free(const char *path) {
    bool full = false;
    int error = mst_system_entries(path, is_entry, &full);
    return error ? error == ENOENT : !full;
}

void set_output_recover(const char *directory) {
    char *name;
    if (asprintf(&name, "%s/.", directory) < 0)
        need(NULL);
    recover_at(name);
    free(name);
}

bool set_output_begin(set_output *out, const char *directory, const char *ours) {
    mst_system_info there, first;
    size_t length = strlen(directory);
    out->in_place = mst_system_about(directory, &there) == 0 && mst_system_about(ours, &first) == 0 &&
                    mst_system_is_same(&there, &first);
    if (!out->in_place && !is_free(directory)) {
        say(MST_ERROR, "%s is not empty; write the result to a new directory, or to OURS", directory);
        return false;
    }
    if (out->in_place)
        set_output_recover(directory);
    else
        targets_hurry();
    system_open_many(); /* all files stay open until the last is written */
    if (asprintf(&out->directory, "%s%s", directory,
                 length && mst_system_separates(directory[length - 1]) ? "" : "/") < 0)
        need(NULL);
    return true;
}

static void remember(void *user, const char *directory) {
    set_output *out = user;
    add(&out->made, &out->made_count, need(strdup(directory)));
}

/* Records a changed file of OURS for the history. */
static void record_change(const set_output *out, const char *path, const mst_merged_file *file) {
    char *before = NULL;
    size_t size = 0;
    mst_diagnostic why;
    if (!out->in_place)
        return;
    if (is_missing(path) || read_whole(path, &before, &size, &why) == MST_OK)
        record_file(path, before, size, file->bytes, file->byte_count);
    free(before);
}

mst_status set_output_take(void *user, const mst_merged_file *file) {
    set_output *out = user;
    char *path;
    mst_diagnostic why;
    mst_file_writer *writer = NULL;
    if (!out->directory || (out->in_place && file->is_ours))
        return MST_OK;
    if (!file->bytes && !out->in_place)
        return MST_OK;
    if (asprintf(&path, "%s%s", out->directory, file->name) < 0)
        need(NULL);
    if (!file->bytes) {
        record_change(out, path, file);
        add(&out->gone, &out->gone_count, path);
        return MST_OK;
    }
    const mst_file_options how = {
        .size = sizeof how, .watch = &temporaries, .below = out->directory, .lost = say_lost};
    out->said = !make_directories(path, strlen(out->directory), remember, out);
    mst_status status = out->said ? MST_IO : mst_file_create(path, &how, &writer, &why);
    if (status == MST_OK && file->byte_count) {
        mst_sink sink = mst_file_sink(writer);
        sink.write(sink.user, file->bytes, file->byte_count); /* the writer stores a failure */
    }
    if (status == MST_OK) {
        if (out->count == out->capacity) {
            out->capacity = out->capacity ? 2 * out->capacity : 64;
            out->writers = need(realloc(out->writers, out->capacity * sizeof *out->writers));
        }
        record_change(out, path, file);
        writer_hurry(writer, path);
        out->writers[out->count++] = writer;
    } else if (!out->said) {
        say_diagnosis(path, &why);
        out->said = true;
    }
    free(path);
    return status;
}

static int remove_file(const set_output *out, const char *path) {
    int error = mst_system_remove_below(path, strlen(out->directory));
    if (!error || error == ENOENT)
        return EXIT_YES;
    char reason[80];
    mst_system_reason(error, reason, sizeof reason);
    say(MST_ERROR, "cannot remove %s: %s", path, reason);
    return EXIT_TROUBLE;
}

int set_output_end(set_output *out, int code) {
    mst_diagnostic why;
    if (code == EXIT_YES && out->count && mst_file_finish_all(out->writers, out->count, &why) != MST_OK) {
        code = say_diagnosis(NULL, &why);
        out->count = 0;
    } else if (code != EXIT_YES) {
        while (out->count)
            mst_file_abandon(out->writers[--out->count]);
    }
    bool kept = code == EXIT_YES;
    if (!kept)
        record_forget();
    for (size_t i = 0; kept && i < out->gone_count; i++)
        code = worse(code, remove_file(out, out->gone[i]));
    while (out->gone_count)
        free(out->gone[--out->gone_count]);
    while (out->made_count) { /* innermost directories first */
        char *made = out->made[--out->made_count];
        if (code != EXIT_YES)
            system_remove_directory(made);
        free(made);
    }
    free(out->gone);
    free(out->made);
    free(out->writers);
    free(out->directory);
    return code;
}
