/* SPDX-License-Identifier: MIT */
#include "lfs.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "../system/console.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char beginning[] = "version https://git-lfs.github.com/spec/";

bool lfs_is_pointer(const char *path) {
    char text[sizeof beginning - 1];
    size_t size = 0, got = 1;
    int file;
    if (mst_system_open(path, MST_SYSTEM_READ, &file) != 0)
        return false;
    while (got && size < sizeof text && mst_system_read(file, text + size, sizeof text - size, &got) == 0)
        size += got;
    mst_system_close(file);
    return size == sizeof text && memcmp(text, beginning, sizeof text) == 0;
}

/* Runs 'git lfs VERB -- NAME' from one file to another. */
static bool run_git(const char *verb, const char *name, const char *from, const char *to) {
    char *const arguments[] = {"git", "lfs", (char *)verb, "--", (char *)name, NULL};
    char reason[80] = "";
    int code, failure = system_run(arguments, from, to, &code);
    if (!failure && code == 0)
        return true;
    if (failure)
        mst_system_reason(failure, reason, sizeof reason);
    say(MST_ERROR, "%s: 'git lfs %s' failed%s%s", name, verb, failure ? ": " : "", reason);
    return false;
}

char *lfs_smudge(const char *path, const char *name) {
    char *made = system_temporary();
    if (!made) {
        say(MST_ERROR, "cannot create a temporary file: %s", strerror(errno));
        return NULL;
    }
    if (run_git("smudge", name, path, made))
        return made;
    lfs_remove(made);
    return NULL;
}

bool lfs_clean(const char *path, const char *name, const char *to) {
    return run_git("clean", name, path, to);
}

void lfs_remove(char *path) {
    if (path)
        mst_system_remove(path);
    free(path);
}
