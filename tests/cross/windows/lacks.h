/* SPDX-License-Identifier: MIT */
/* Included before everything in tests for Windows: POSIX functions that have other names there, and functions
 * that Windows lacks; a test that calls one of these is skipped. */
#ifndef MST_TESTS_CROSS_WINDOWS_LACKS_H
#define MST_TESTS_CROSS_WINDOWS_LACKS_H

#pragma GCC system_header

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* fopen does not change line ends. */
static void __attribute__((constructor)) open_as_bytes(void) {
    _fmode = _O_BINARY;
}

static inline int make_directory(const char *path, int mode) {
    (void)mode;
    return _mkdir(path);
}
#define mkdir make_directory

static inline int remove_file_or_directory(const char *path) {
    return remove(path) == 0 || _rmdir(path) == 0 ? 0 : -1;
}
#define remove remove_file_or_directory

static inline char *mkdtemp(char *pattern) {
    char *digits = pattern + strlen(pattern) - 6;
    for (unsigned i = 0; i < 1000000; i++) {
        unsigned number = (i * 7919 + (unsigned)time(NULL) + (unsigned)_getpid() * 31) % 1000000;
        for (int k = 5; k >= 0; k--, number /= 10)
            digits[k] = (char)('0' + number % 10);
        if (_mkdir(pattern) == 0)
            return pattern;
    }
    return NULL;
}

static inline int setenv(const char *name, const char *value, int replace) {
    return !replace && getenv(name) ? 0 : _putenv_s(name, value);
}

static inline int unsetenv(const char *name) {
    return _putenv_s(name, "");
}

#define umask      umask_of_users
#define lstat      stat
#define S_ISLNK(m) 0
#define O_NONBLOCK 0

#define RLIMIT_NOFILE 0
struct rlimit {
    int rlim_cur;
};

/* These skip the test: see ../cmocka.h. */
#define SHIM_LACKS_LIST                                                                                      \
    SHIM_LACKS(pid_t, fork, void)                                                                            \
    SHIM_LACKS(int, geteuid, void)                                                                           \
    SHIM_LACKS(int, getrlimit, int kind, struct rlimit *limit)                                               \
    SHIM_LACKS(int, setrlimit, int kind, const struct rlimit *limit)                                         \
    SHIM_LACKS(int, link, const char *old, const char *path)                                                 \
    SHIM_LACKS(int, mkfifo, const char *path, int mode)                                                      \
    SHIM_LACKS(int, pipe, int ends[2])                                                                       \
    SHIM_LACKS(int, symlink, const char *old, const char *path)                                              \
    SHIM_LACKS(mode_t, umask_of_users, int mask)                                                             \
    SHIM_LACKS(pid_t, waitpid, pid_t process, int *status, int options)

#endif
