/* SPDX-License-Identifier: MIT */
/*
 * Loaded before the C library (LD_PRELOAD), it makes one call fail: the FAULT_AT-th of FAULT_CALL, in the way
 * of FAULT_HOW: an errno by name, "short" (half of the requested size), or a signal by name, which is raised
 * in place of the call. FAULT_MARK is a file that it then creates, so that the caller knows. With FAULT_FROM
 * every later call of the kind fails as well; every call of FAULT_ALSO fails in any case, with EPERM.
 * FAULT_HOW "replaced" is another program that gives the file "theirs" the name FAULT_NAME right before the
 * call.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int armed = -1; /* not initialised yet */
static const char *call_name, *how, *also;
static long at, from, count;

static void look(void) {
    const char *number = getenv("FAULT_AT");
    call_name = getenv("FAULT_CALL");
    how = getenv("FAULT_HOW");
    also = getenv("FAULT_ALSO");
    at = number ? atol(number) : 0;
    from = getenv("FAULT_FROM") != NULL;
    armed = call_name && how && at > 0;
}

typedef enum verdict { GO_ON, FAIL, SHORTEN } verdict;

static verdict judge(const char *name) {
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"EIO", EIO},        {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EACCES", EACCES},
                  {"EMFILE", EMFILE},  {"EDQUOT", EDQUOT}, {"ENOMEM", ENOMEM}, {"EXDEV", EXDEV},
                  {"EEXIST", EEXIST},  {"EPERM", EPERM},   {"ENOLCK", ENOLCK}, {"EINVAL", EINVAL},
                  {"unheard of", 4000}},
      signals[] = {{"KILL", SIGKILL}, {"TERM", SIGTERM}, {"INT", SIGINT},
                   {"HUP", SIGHUP},   {"QUIT", SIGQUIT}, {"XCPU", SIGXCPU},
                   {"ALRM", SIGALRM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};
    if (armed < 0)
        look();
    if (armed && also && strcmp(also, name) == 0) {
        errno = EPERM;
        return FAIL;
    }
    if (!armed || strcmp(call_name, name) != 0)
        return GO_ON;
    long now = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (from ? now < at : now != at)
        return GO_ON;
    const char *mark = getenv("FAULT_MARK");
    if (mark) {
        long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600);
        if (file >= 0)
            syscall(SYS_close, file);
    }
    if (strcmp(how, "short") == 0)
        return SHORTEN;
    if (strcmp(how, "replaced") == 0) {
        syscall(SYS_renameat2, AT_FDCWD, "theirs", AT_FDCWD, getenv("FAULT_NAME"), 0);
        return GO_ON;
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(how, signals[i].name) == 0) {
            raise(signals[i].number);
            return GO_ON;
        }
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(how, errors[i].name) == 0)
            errno = errors[i].number;
    return FAIL;
}

static size_t half(size_t size) {
    return size > 1 ? size / 2 : size;
}

/* The next function of that name after ours. */
#define NEXT(name)                                                                                           \
    static void *next;                                                                                       \
    if (!next)                                                                                               \
        next = dlsym(RTLD_NEXT, name);

typedef int open_function(const char *, int, ...);
#define OPEN(name)                                                                                           \
    EXPORT int name(const char *path, int flags, ...);                                                       \
    EXPORT int name(const char *path, int flags, ...) {                                                      \
        NEXT(#name)                                                                                          \
        mode_t mode = 0;                                                                                     \
        if (flags & O_CREAT) {                                                                               \
            va_list list;                                                                                    \
            va_start(list, flags);                                                                           \
            mode = va_arg(list, mode_t);                                                                     \
            va_end(list);                                                                                    \
        }                                                                                                    \
        return judge("open") == FAIL ? -1 : ((open_function *)next)(path, flags, mode);                      \
    }
OPEN(open)
OPEN(open64)

typedef int open_at_function(int, const char *, int, ...);
#define OPEN_AT(name)                                                                                        \
    EXPORT int name(int directory, const char *path, int flags, ...);                                        \
    EXPORT int name(int directory, const char *path, int flags, ...) {                                       \
        NEXT(#name)                                                                                          \
        mode_t mode = 0;                                                                                     \
        if (flags & O_CREAT) {                                                                               \
            va_list list;                                                                                    \
            va_start(list, flags);                                                                           \
            mode = va_arg(list, mode_t);                                                                     \
            va_end(list);                                                                                    \
        }                                                                                                    \
        return judge("open") == FAIL ? -1 : ((open_at_function *)next)(directory, path, flags, mode);        \
    }
OPEN_AT(openat)
OPEN_AT(openat64)

EXPORT ssize_t read(int file, void *to, size_t size) {
    NEXT("read")
    verdict is = judge("read");
    return is == FAIL ? -1
                      : ((ssize_t(*)(int, void *, size_t))next)(file, to, is == SHORTEN ? half(size) : size);
}
EXPORT ssize_t write(int file, const void *data, size_t size) {
    NEXT("write")
    verdict is = judge("write");
    return is == FAIL
               ? -1
               : ((ssize_t(*)(int, const void *, size_t))next)(file, data, is == SHORTEN ? half(size) : size);
}
#define PREAD(name)                                                                                          \
    EXPORT ssize_t name(int file, void *to, size_t size, off64_t offset) {                                   \
        NEXT(#name)                                                                                          \
        verdict is = judge("pread");                                                                         \
        return is == FAIL ? -1                                                                               \
                          : ((ssize_t(*)(int, void *, size_t, off64_t))next)(                                \
                                file, to, is == SHORTEN ? half(size) : size, offset);                        \
    }
PREAD(pread)
PREAD(pread64)

/* A failing close still closes the file, as on Linux. */
EXPORT int close(int file) {
    NEXT("close")
    int done = ((int (*)(int))next)(file);
    return judge("close") == FAIL ? -1 : done;
}

#define ONE_FILE(name, call)                                                                                 \
    EXPORT int name(int file) {                                                                              \
        NEXT(#name)                                                                                          \
        return judge(call) == FAIL ? -1 : ((int (*)(int))next)(file);                                        \
    }
ONE_FILE(fsync, "fsync")
ONE_FILE(fdatasync, "fsync")

EXPORT int rename(const char *old, const char *new) {
    NEXT("rename")
    return judge("rename") == FAIL ? -1 : ((int (*)(const char *, const char *))next)(old, new);
}
EXPORT int link(const char *old, const char *new) {
    NEXT("link")
    return judge("link") == FAIL ? -1 : ((int (*)(const char *, const char *))next)(old, new);
}
EXPORT int renameat(int from, const char *old, int to, const char *new) {
    NEXT("renameat")
    return judge("rename") == FAIL
               ? -1
               : ((int (*)(int, const char *, int, const char *))next)(from, old, to, new);
}
EXPORT int linkat(int from, const char *old, int to, const char *new, int flags) {
    NEXT("linkat")
    return judge("link") == FAIL
               ? -1
               : ((int (*)(int, const char *, int, const char *, int))next)(from, old, to, new, flags);
}
EXPORT int unlinkat(int directory, const char *path, int flags) {
    NEXT("unlinkat")
    return judge("unlink") == FAIL ? -1 : ((int (*)(int, const char *, int))next)(directory, path, flags);
}
EXPORT int mkdirat(int directory, const char *path, mode_t mode) {
    NEXT("mkdirat")
    return judge("mkdir") == FAIL ? -1 : ((int (*)(int, const char *, mode_t))next)(directory, path, mode);
}
EXPORT int unlink(const char *path) {
    NEXT("unlink")
    return judge("unlink") == FAIL ? -1 : ((int (*)(const char *))next)(path);
}
EXPORT int flock(int file, int how_locked) {
    NEXT("flock")
    return judge("flock") == FAIL ? -1 : ((int (*)(int, int))next)(file, how_locked);
}
EXPORT int access(const char *path, int mode) {
    NEXT("access")
    return judge("access") == FAIL ? -1 : ((int (*)(const char *, int))next)(path, mode);
}
EXPORT ssize_t readlink(const char *path, char *to, size_t size) {
    NEXT("readlink")
    return judge("readlink") == FAIL ? -1 : ((ssize_t(*)(const char *, char *, size_t))next)(path, to, size);
}
EXPORT int fchown(int file, uid_t user, gid_t group) {
    NEXT("fchown")
    return judge("fchown") == FAIL ? -1 : ((int (*)(int, uid_t, gid_t))next)(file, user, group);
}
EXPORT int fchmod(int file, mode_t mode) {
    NEXT("fchmod")
    return judge("fchmod") == FAIL ? -1 : ((int (*)(int, mode_t))next)(file, mode);
}
EXPORT int mkdir(const char *path, mode_t mode) {
    NEXT("mkdir")
    return judge("mkdir") == FAIL ? -1 : ((int (*)(const char *, mode_t))next)(path, mode);
}
EXPORT DIR *opendir(const char *path) {
    NEXT("opendir")
    return judge("opendir") == FAIL ? NULL : ((DIR * (*)(const char *)) next)(path);
}
#define READDIR(name, type)                                                                                  \
    EXPORT type *name(DIR *directory) {                                                                      \
        NEXT(#name)                                                                                          \
        return judge("readdir") == FAIL ? NULL : ((type * (*)(DIR *)) next)(directory);                      \
    }
READDIR(readdir, struct dirent)
READDIR(readdir64, struct dirent64)

#define STAT(name, type)                                                                                     \
    EXPORT int name(const char *path, type *about) {                                                         \
        NEXT(#name)                                                                                          \
        return judge("stat") == FAIL ? -1 : ((int (*)(const char *, type *))next)(path, about);              \
    }
#define FSTAT(name, type)                                                                                    \
    EXPORT int name(int file, type *about) {                                                                 \
        NEXT(#name)                                                                                          \
        return judge("fstat") == FAIL ? -1 : ((int (*)(int, type *))next)(file, about);                      \
    }
STAT(stat, struct stat)
STAT(stat64, struct stat64)
FSTAT(fstat, struct stat)
FSTAT(fstat64, struct stat64)

#define TRUNCATE(name, type)                                                                                 \
    EXPORT int name(int file, type size) {                                                                   \
        NEXT(#name)                                                                                          \
        return judge("ftruncate") == FAIL ? -1 : ((int (*)(int, type))next)(file, size);                     \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define MAP(name, type)                                                                                      \
    EXPORT void *name(void *place, size_t size, int how_used, int flags, int file, type offset) {            \
        NEXT(#name)                                                                                          \
        if (file >= 0 && judge("mmap") == FAIL)                                                              \
            return MAP_FAILED;                                                                               \
        return ((void *(*)(void *, size_t, int, int, int, type))next)(place, size, how_used, flags, file,    \
                                                                      offset);                               \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

/* Memory: glibc's own functions are after ours, so that finding them takes no memory. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count_of, size_t size);
void *__libc_realloc(void *old, size_t size);
static int counts_memory(void) {
    if (armed < 0)
        look();
    return armed && strcmp(call_name, "malloc") == 0;
}
EXPORT void *malloc(size_t size) {
    return counts_memory() && judge("malloc") == FAIL ? NULL : __libc_malloc(size);
}
EXPORT void *calloc(size_t count_of, size_t size) {
    return counts_memory() && judge("malloc") == FAIL ? NULL : __libc_calloc(count_of, size);
}
EXPORT void *realloc(void *old, size_t size) {
    return size && counts_memory() && judge("malloc") == FAIL ? NULL : __libc_realloc(old, size);
}

#if defined(MST_COVERAGE)
/* A program that counts its branches writes the counts after its end: that is not the program's own work. */
static void rest(void) {
    armed = 0;
}
static int (*real_main)(int, char **, char **);
static int main_and_rest(int count_of, char **arguments, char **environment) {
    atexit(rest); /* registered first, so it runs last */
    return real_main(count_of, arguments, environment);
}
typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);
EXPORT start_function __libc_start_main;
EXPORT int __libc_start_main(int (*main_of)(int, char **, char **), int count_of, char **arguments,
                             void (*begin)(void), void (*end)(void), void (*end_loader)(void), void *stack) {
    NEXT("__libc_start_main")
    real_main = main_of;
    return ((start_function *)next)(main_and_rest, count_of, arguments, begin, end, end_loader, stack);
}
#endif
