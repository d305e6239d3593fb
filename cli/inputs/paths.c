/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "paths.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "../system/console.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------------- */

const char *base_name(const char *path) {
    size_t prefix = archive_prefix(path);
    if (prefix && path[prefix + 1])
        path += prefix + 1;
    size_t directory = mst_system_directory_length(path);
    return path[directory] ? path + directory : path;
}

const char *extension_of(const char *path) {
    const char *name = base_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot : "";
}

bool names_directory(const char *path) {
    size_t length = strlen(path);
    return strcmp(path, "-") != 0 &&
           ((length && mst_system_separates(path[length - 1])) || is_directory(path));
}

/* ---- files ---------------------------------------------------------------------------------------- */

bool is_regular(const char *path) {
    mst_system_info info;
    return strcmp(path, "-") != 0 && mst_system_about(path, &info) == 0 && info.kind == MST_SYSTEM_FILE;
}

bool is_missing(const char *path) {
    mst_system_info info;
    return strcmp(path, "-") != 0 && !archive_prefix(path) && mst_system_about(path, &info) != 0;
}

bool same_file(const char *a, const char *b) {
    mst_system_info first, second;
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && mst_system_about(a, &first) == 0 &&
           mst_system_about(b, &second) == 0 && first.kind == MST_SYSTEM_FILE &&
           mst_system_is_same(&first, &second);
}

bool is_directory(const char *path) {
    mst_system_info info;
    return mst_system_about(path, &info) == 0 && info.kind == MST_SYSTEM_DIRECTORY;
}

/* Set once, before any thread starts. */
static struct {
    const options *given;
    const char *outputs[4];
    size_t count;
} named;

static void name_output(const char *to) {
    if (to && named.count < sizeof named.outputs / sizeof *named.outputs)
        named.outputs[named.count++] = to;
}

void paths_named(const options *given, const char *to) {
    if (!named.given) {
        name_output(given->value[OPTION_OUTPUT]);
        name_output(given->value[OPTION_TILES]);
        targets_below(named_length);
    }
    named.given = given;
    name_output(to);
}

static bool is_word(const char *path) {
    bool is = false;
    for (size_t i = 0; i < named.count && !is; i++)
        is = !strcmp(named.outputs[i], path);
    for (size_t i = 0; named.given && i < named.given->argument_count && !is; i++)
        is = named.given->arguments[i].value && !strcmp(named.given->arguments[i].value, path);
    for (size_t i = 0; named.given && i < named.given->operand_count && !is; i++)
        is = !strcmp(named.given->operands[i], path);
    return is;
}

size_t named_length(const char *path) {
    size_t longest = 0, beside = SIZE_MAX;
    if (is_word(path))
        return SIZE_MAX;
    for (size_t i = 0; i < named.count; i++) {
        const char *to = named.outputs[i];
        size_t length = strlen(to), directory = mst_system_directory_length(to);
        bool below = length && !strncmp(path, to, length) &&
                     (mst_system_separates(to[length - 1]) || mst_system_separates(path[length]));
        if (below && length > longest)
            longest = length;
        if (!strncmp(path, to, directory) && (directory || !mst_system_is_absolute(path)))
            beside = directory;
    }
    return longest ? longest : beside;
}

bool make_directories(const char *path, size_t named_part, void (*made)(void *user, const char *directory),
                      void *user) {
    char *name = need(strdup(path));
    int error = 0;
    for (char *at = name + mst_system_root_length(name); *at && !error; at++) {
        char separator = *at;
        if (!mst_system_separates(separator))
            continue;
        *at = 0;
        bool is_named = (size_t)(at - name) <= named_part;
        error = mst_system_make_directory(name, is_named ? MST_SYSTEM_ALL : named_part);
        if (!error && made)
            made(user, name);
        if (error == EEXIST)
            error = 0;
        if (error == ELOOP && !is_named) {
            say(MST_ERROR, "cannot write %s: %s is a symbolic link, which is not followed there", path, name);
        } else if (error) {
            char reason[80];
            mst_system_reason(error, reason, sizeof reason);
            say(MST_ERROR, "cannot create the directory %s: %s", name, reason);
        }
        *at = separator;
    }
    free(name);
    return !error;
}

bool make_parents(const char *path) {
    return make_directories(path, named_length(path), NULL, NULL);
}

/* ---- members of archives -------------------------------------------------------------------------- */

size_t archive_prefix(const char *path) {
    if (!strchr(path, '!') || !strcmp(path, "-") || is_regular(path) || is_directory(path))
        return 0;
    char *prefix = need(strdup(path));
    size_t found = 0;
    for (char *at = strchr(prefix + (*prefix != 0), '!'); at && !found; at = strchr(at + 1, '!')) {
        *at = 0;
        if (is_regular(prefix))
            found = (size_t)(at - prefix);
        *at = '!';
    }
    free(prefix);
    return found;
}

char *file_of(const char *path) {
    size_t length = archive_prefix(path);
    char *file = need(strdup(path));
    if (length)
        file[length] = 0;
    return file;
}

bool is_input(const char *path, const char *given) {
    char *file = file_of(given);
    bool same = same_file(path, file);
    free(file);
    return same;
}

bool leads_into_archive(const char *path) {
    size_t length = archive_prefix(path);
    if (length)
        say(MST_ERROR, "%s is inside %.*s; archives cannot be written", path, (int)length, path);
    return length != 0;
}

bool names_archive(const char *path) {
    static const char *const extensions[] = {".kpf", ".zip", ".rvm", ".pk3", ".iso", ".gcm", ".rar",
                                             ".7z",  ".cab", ".tar", ".gz",  ".tgz", ".bz2", ".xz"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (!strcasecmp(extension_of(path), extensions[i]))
            return true;
    return false;
}
