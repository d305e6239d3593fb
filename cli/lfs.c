/* SPDX-License-Identifier: MIT */
#include "lfs.h"
#include "output.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char beginning[] = "version https://git-lfs.github.com/spec/";

bool lfs_is_pointer(const char *path) {
    char text[sizeof beginning - 1];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    bool same = fread(text, 1, sizeof text, file) == sizeof text && memcmp(text, beginning, sizeof text) == 0;
    fclose(file);
    return same;
}

/* Runs 'git lfs VERB -- NAME' from one file to another. */
static bool run_git(const char *verb, const char *name, const char *from, const char *to) {
    char *const arguments[] = {"git", "lfs", (char *)verb, "--", (char *)name, NULL};
    posix_spawn_file_actions_t files;
    pid_t process = 0;
    int status = -1, failure = posix_spawn_file_actions_init(&files);
    if (!failure)
        failure = posix_spawn_file_actions_addopen(&files, 0, from, O_RDONLY, 0);
    if (!failure)
        failure = posix_spawn_file_actions_addopen(&files, 1, to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!failure)
        failure = posix_spawnp(&process, "git", &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    while (!failure && waitpid(process, &status, 0) < 0)
        failure = errno == EINTR ? 0 : errno;
    if (!failure && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    say(MST_ERROR, "%s: 'git lfs %s' failed%s%s", name, verb, failure ? ": " : "",
        failure ? strerror(failure) : "");
    return false;
}

char *lfs_smudge(const char *path, const char *name) {
    const char *folder = getenv("TMPDIR");
    stream made = stream_memory();
    print(&made, "%s/mapstone-XXXXXX", folder && *folder ? folder : "/tmp");
    put(&made, "", 1);
    int descriptor = mkstemp(made.data);
    if (descriptor < 0) {
        say(MST_ERROR, "%s: %s", made.data, strerror(errno));
        free(made.data);
        return NULL;
    }
    close(descriptor);
    if (run_git("smudge", name, path, made.data))
        return made.data;
    lfs_remove(made.data);
    return NULL;
}

bool lfs_clean(const char *path, const char *name, const char *to) {
    return run_git("clean", name, path, to);
}

void lfs_remove(char *path) {
    if (path)
        unlink(path);
    free(path);
}
