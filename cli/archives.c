/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "archives.h"
#include "inputs.h"
#include "lock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct archive {
    mst_container *set;
    char *path;
    lock lock;
};

static mst_status report(void *user, const mst_diagnostic *odd) {
    say_diagnosis(user, odd);
    return MST_OK;
}

archive *archive_open(const char *path, const options *given, mst_diagnostic *why) {
    mst_container *set;
    char *name = need(strdup(path));
    mst_container_options how = {
        .unmapped = options_has(given, OPTION_NO_MMAP), .report = report, .report_user = name};
    if (!options_size(given, OPTION_MEMBER_LIMIT, &how.member_limit)) {
        free(name);
        blame(why, MST_STOPPED, "%s", "");
        return NULL;
    }
    if (mst_container_open(path, &how, &set, why) != MST_OK) {
        free(name);
        return NULL;
    }
    archive *one = need(calloc(1, sizeof *one));
    one->set = set;
    one->path = name;
    lock_begin(&one->lock);
    return one;
}

void archive_close(archive *one) {
    if (!one)
        return;
    lock_end(&one->lock);
    mst_container_close(one->set);
    free(one->path);
    free(one);
}

const char *archive_path(const archive *one) {
    return one->path;
}

size_t archive_count(const archive *one) {
    return mst_container_count(one->set);
}

const char *archive_name(const archive *one, size_t index) {
    return mst_container_name(one->set, index);
}

size_t archive_at(const archive *one, size_t position) {
    return archive_is_streamed(one) ? mst_container_at(one->set, position) : position;
}

bool archive_is_streamed(const archive *one) {
    return mst_container_is_streamed(one->set) != 0;
}

uint64_t archive_omitted(const archive *one) {
    return mst_container_omitted(one->set);
}

size_t archive_find(const archive *one, const char *name) {
    return mst_container_find(one->set, name);
}

static void guard(void *user, int enter) {
    archive *one = user;
    if (enter)
        lock_take(&one->lock);
    else
        lock_give(&one->lock);
}

void archive_share(archive *one, mst_level_options *how) {
    how->container = one->set;
    how->guard = guard;
    how->guard_user = one;
}

/* ---- paths ---------------------------------------------------------------------------------------- */

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

bool is_input(const char *path, const char *given) {
    size_t length = archive_prefix(given);
    if (!length)
        return same_file(path, given);
    char *file = need(strdup(given));
    file[length] = 0;
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

bool looks_like_archive(const char *path) {
    char prefix[PREFIX_CAPACITY];
    size_t size;
    uint64_t file_size;
    mst_diagnostic why;
    return is_regular(path) && read_prefix(path, prefix, sizeof prefix, &size, &file_size, &why) == MST_OK &&
           mst_container_is_archive(prefix, size) && !mst_identify(prefix, size, file_size, path, NULL);
}
