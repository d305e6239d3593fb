/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "archives.h"
#include "../../src/container/container.h"
#include "../../src/level/sources.h"
#include "paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mst_status say_odd(void *user, const mst_diagnostic *odd) {
    say_diagnosis(user, odd);
    return MST_OK;
}

archive *archive_open(const char *path, const options *given, mst_diagnostic *why) {
    mst_container *members;
    char *name = need(strdup(path));
    mst_container_options how = {.size = sizeof how,
                                 .unmapped = options_has(given, OPTION_NO_MMAP) ||
                                             options_has(given, OPTION_IN_PLACE),
                                 .report = say_odd,
                                 .report_user = name};
    if (!options_size(given, OPTION_MEMBER_LIMIT, &how.member_limit)) {
        free(name);
        blame(why, MST_STOPPED, "%s", "");
        return NULL;
    }
    if (mst_container_open(path, &how, &members, why) != MST_OK) {
        free(name);
        return NULL;
    }
    archive *one = need(calloc(1, sizeof *one));
    one->members = members;
    one->path = name;
    lock_begin(&one->lock);
    return one;
}

void archive_close(archive *one) {
    if (!one)
        return;
    lock_end(&one->lock);
    mst_container_close(one->members);
    free(one->path);
    free(one);
}

size_t archive_at(const archive *one, size_t position) {
    return mst_container_is_streamed(one->members) ? mst_container_at(one->members, position) : position;
}

static void take_or_give(void *user, bool enter) {
    archive *one = user;
    if (enter)
        lock_take(&one->lock);
    else
        lock_give(&one->lock);
}

void archive_share(archive *one, mst_level_options *how) {
    how->container = one->members;
    how->guard = take_or_give;
    how->guard_user = one;
}

bool looks_like_archive(const char *path) {
    const mst_level_options how = {.size = sizeof how, .single = 1, .unopened = 1};
    mst_level *level;
    size_t size;
    if (!is_regular(path) || mst_level_open(path, &how, &level, NULL) != MST_OK)
        return false;
    const void *bytes = mst_level_bytes_of(level, 0, &size);
    size_t beginning = size < 4096 ? size : 4096;
    bool yes = mst_container_is_archive(bytes, size) && !mst_identify(bytes, beginning, size, path, NULL);
    mst_level_close(level);
    return yes;
}
