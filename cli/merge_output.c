/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "merge_output.h"
#include "output.h"
#include "paths.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void add(char ***list, size_t *count, char *path) {
    if ((*count & (*count + 1)) == 0)
        *list = need(realloc(*list, 2 * (*count + 1) * sizeof **list));
    (*list)[(*count)++] = path;
}

/* Whether a directory is empty, or missing; not if it cannot be read. */
static bool is_free(const char *path) {
    DIR *entries = opendir(path);
    bool empty = true;
    if (!entries)
        return errno == ENOENT;
    for (struct dirent *one; empty && (one = readdir(entries));)
        empty = strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0;
    closedir(entries);
    return empty;
}

bool set_output_begin(set_output *out, const char *directory, const char *ours) {
    struct stat there, first;
    size_t length = strlen(directory);
    out->in_place = stat(directory, &there) == 0 && stat(ours, &first) == 0 && there.st_dev == first.st_dev &&
                    there.st_ino == first.st_ino;
    if (!out->in_place && !is_free(directory)) {
        say(MST_ERROR, "%s is not empty; the result goes to a new directory, or to OURS", directory);
        return false;
    }
    struct rlimit files; /* all are open until the last is written */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (asprintf(&out->directory, "%s%s", directory, length && directory[length - 1] == '/' ? "" : "/") < 0)
        need(NULL);
    return true;
}

/* Makes the directories above a file, and remembers them. */
static bool make_directories(set_output *out, const char *path) {
    char *part = need(strdup(path));
    bool made = true;
    for (char *slash = strchr(part + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(part, 0777) == 0)
            add(&out->made, &out->made_count, need(strdup(part)));
        else if (errno != EEXIST) {
            say(MST_ERROR, "cannot create the directory %s: %s", part, strerror(errno));
            made = false;
        }
        *slash = '/';
    }
    free(part);
    return made;
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
        add(&out->gone, &out->gone_count, path);
        return MST_OK;
    }
    out->said = !make_directories(out, path);
    mst_status status = out->said ? MST_IO : mst_file_create_watched(path, NULL, &temporaries, &writer, &why);
    if (status == MST_OK && file->byte_count) {
        mst_sink sink = mst_file_sink(writer);
        sink.write(sink.user, file->bytes, file->byte_count); /* a failure is remembered */
    }
    if (status == MST_OK) {
        if (out->count == out->capacity) {
            out->capacity = out->capacity ? 2 * out->capacity : 64;
            out->writers = need(realloc(out->writers, out->capacity * sizeof *out->writers));
        }
        out->writers[out->count++] = writer;
    } else if (!out->said) {
        say_diagnosis(path, &why);
        out->said = true;
    }
    free(path);
    return status;
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
    for (size_t i = 0; code == EXIT_YES && i < out->gone_count; i++)
        if (unlink(out->gone[i]) != 0 && errno != ENOENT) {
            say(MST_ERROR, "cannot remove %s: %s", out->gone[i], strerror(errno));
            code = EXIT_TROUBLE;
        }
    while (out->gone_count)
        free(out->gone[--out->gone_count]);
    while (out->made_count) { /* the last one made is the innermost */
        char *made = out->made[--out->made_count];
        if (code != EXIT_YES)
            rmdir(made);
        free(made);
    }
    free(out->gone);
    free(out->made);
    free(out->writers);
    free(out->directory);
    return code;
}
