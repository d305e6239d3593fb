/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "paths.h"
#include "output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names ---------------------------------------------------------------------------------------- */

const char *base_name(const char *path) {
    size_t prefix = archive_prefix(path);
    if (prefix && path[prefix + 1])
        path += prefix + 1;
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *extension_of(const char *path) {
    const char *name = base_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot : "";
}

bool names_directory(const char *path) {
    size_t length = strlen(path);
    return strcmp(path, "-") != 0 && ((length && path[length - 1] == '/') || is_directory(path));
}

/* ---- files ---------------------------------------------------------------------------------------- */

bool is_regular(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool same_file(const char *a, const char *b) {
    struct stat first, second;
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool make_parents(const char *path) {
    char *name = need(strdup(path));
    bool made = true;
    for (char *at = strchr(name + (*name != 0), '/'); at && made; at = strchr(at + 1, '/')) {
        *at = 0;
        made = mkdir(name, 0777) == 0 || errno == EEXIST;
        if (!made)
            say(MST_ERROR, "cannot create the directory %s: %s", name, strerror(errno));
        *at = '/';
    }
    free(name);
    return made;
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
