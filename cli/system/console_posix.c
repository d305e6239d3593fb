/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include "console.h"

#include "../../src/system/system.h"
#include "../output/streams.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

extern char **environ;

/* ---- the process ---------------------------------------------------------------------------------- */

command_line system_begin(int count, char **items) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024); /* large blocks always return to the system immediately */
#endif
    signal(SIGPIPE, SIG_IGN); /* writing fails instead, so that temporary files are removed */
    return (command_line){count, items};
}

bool system_has_own_window(void) {
    return false;
}

void system_wait_for_key(const char *line) {
    (void)line;
}

bool system_shell_is_plain(void) {
    return false;
}

char *system_tidy_path(const char *path) {
    (void)path;
    return NULL;
}

bool system_matches(const char *pattern, void (*each)(void *user, const char *path), void *user) {
    (void)pattern, (void)each, (void)user;
    return false;
}

static void (*clean_up)(void);
static _Atomic int renaming; /* number of threads that are renaming files */
static _Atomic int wanted_signal;

/* Ends the process by the received signal. Only one thread does; others that get here, outside a handler,
 * wait for the end. */
static void end_now(void) {
    static atomic_flag once = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&once))
        return;
    clean_up();
    raise(wanted_signal); /* SA_RESETHAND: ends the process, at the latest when the handler returns */
}

/* Waits while files are renamed: of files that belong together, all are new or none. A second signal of the
 * same kind ends the process without waiting. */
static void end_by_signal(int number) {
    atomic_store(&wanted_signal, number);
    if (!atomic_load(&renaming))
        end_now();
}

void system_renaming(bool now) {
    int others = atomic_fetch_add(&renaming, now ? 1 : -1) - (now ? 0 : 1);
    if (!wanted_signal)
        return;
    if (now) /* the other thread was first */
        others = atomic_fetch_sub(&renaming, 1) - 1;
    if (!others)
        end_now();
    for (;;) /* another thread is about to end the process */
        pause();
}

/* SIGBUS: mapped bytes no longer exist. */
static void end_by_truncation(int number, siginfo_t *why, void *context) {
    static const char message[] = "error: the file was truncated while it was read\n";
    (void)context;
    if (why->si_code != BUS_ADRERR) {
        end_by_signal(number);
        return;
    }
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    clean_up();
    _exit(EXIT_TROUBLE);
}

void system_guard(void (*clean)(void)) {
    clean_up = clean;
    struct sigaction bus;
    memset(&bus, 0, sizeof bus);
    bus.sa_sigaction = end_by_truncation;
    bus.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND);
    sigemptyset(&bus.sa_mask);
    sigaction(SIGBUS, &bus, NULL);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2};
    signal(SIGXFSZ, SIG_IGN); /* writing fails instead, which is reported */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, was;
        memset(&now, 0, sizeof now);
        now.sa_handler = end_by_signal;
        now.sa_flags = (int)SA_RESETHAND;
        sigemptyset(&now.sa_mask);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            sigaddset(&now.sa_mask, numbers[k]);
        if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN) /* nohup, & in scripts */
            sigaction(numbers[i], &now, NULL);
    }
}

_Noreturn void system_wait_for_end(void) {
    for (;;)
        pause();
}

_Noreturn void system_end(int code) {
    _exit(code);
}

/* A program in a folder of so many characters; NULL: it does not exist. */
static char *program_in(const char *folder, size_t length, const char *name) {
    struct stat about;
    stream path = stream_memory();
    print(&path, "%.*s/%s", (int)length, folder, name);
    put(&path, "", 1);
    if (stat(path.data, &about) == 0 && S_ISREG(about.st_mode) && access(path.data, X_OK) == 0)
        return path.data;
    stream_free(&path);
    return NULL;
}

char *system_program(const char *name) {
    const char *at = getenv("PATH");
    char *found = NULL;
    if (strchr(name, '/'))
        return need(strdup(name));
    for (at = at ? at : "/usr/local/bin:/usr/bin:/bin"; !found && *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        if (*at == '/' && length < PATH_MAX)
            found = program_in(at, length, name);
        at += length;
    }
    return found;
}

static int spawn(char *const arguments[], const posix_spawn_file_actions_t *files, pid_t *process) {
    char *program = system_program(arguments[0]);
    int failure = program ? posix_spawn(process, program, files, NULL, arguments, environ) : ENOENT;
    free(program);
    return failure;
}

int system_run(char *const arguments[], const char *from, const char *to, int *code) {
    posix_spawn_file_actions_t files;
    pid_t process = 0;
    int status = -1, failure = posix_spawn_file_actions_init(&files);
    if (!failure)
        failure = posix_spawn_file_actions_addopen(&files, 0, from ? from : "/dev/null", O_RDONLY, 0);
    if (!failure)
        failure = posix_spawn_file_actions_addopen(&files, 1, to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!failure)
        failure = spawn(arguments, &files, &process);
    posix_spawn_file_actions_destroy(&files);
    while (!failure && waitpid(process, &status, 0) < 0)
        failure = errno == EINTR ? 0 : errno;
    *code = !failure && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return failure;
}

void system_open_many(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* ---- the terminal --------------------------------------------------------------------------------- */

bool system_is_terminal(int descriptor) {
    return isatty(descriptor);
}

int system_terminal_width(int descriptor) {
    struct winsize size = {0};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool system_has_colors(int descriptor) {
    const char *terminal = getenv("TERM");
    return isatty(descriptor) && !(terminal && !strcmp(terminal, "dumb"));
}

/* ---- places --------------------------------------------------------------------------------------- */

static char *joined(const char *first, const char *second) {
    size_t length = strlen(first), more = strlen(second) + 1;
    char *both = need(malloc(length + more));
    memcpy(both, first, length);
    memcpy(both + length, second, more);
    return both;
}

char *system_whole_path(const char *path) {
    return realpath(path, NULL);
}

char *system_temporary(void) {
    const char *folder = getenv("TMPDIR");
    char *path = joined(folder && *folder ? folder : "/tmp", "/mapstone-XXXXXX");
    int descriptor = mkstemp(path), error = errno;
    if (descriptor >= 0) {
        close(descriptor);
        return path;
    }
    free(path);
    errno = error;
    return NULL;
}

char *system_settings(const char **advice) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    *advice = "set XDG_CONFIG_HOME or HOME";
    if (config && config[0] == '/')
        return joined(config, "");
    return home && *home ? joined(home, "/.config") : NULL;
}

char *system_state(const char **advice) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    *advice = "set XDG_STATE_HOME or HOME";
    if (state && state[0] == '/')
        return joined(state, "");
    return home && home[0] == '/' ? joined(home, "/.local/state") : NULL;
}

int system_private_directory(const char *path) {
    struct stat about;
    if (mkdir(path, 0700) == 0)
        return 0;
    if (errno != EEXIST)
        return errno;
    if (lstat(path, &about) != 0)
        return errno;
    return S_ISDIR(about.st_mode) && about.st_uid == geteuid() && !(about.st_mode & 077) ? 0 : EPERM;
}

int system_remove_directory(const char *path) {
    return rmdir(path) == 0 ? 0 : errno;
}

char *system_own_folder(void) {
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1); /* on Linux */
    if (length <= 0)
        return NULL;
    own[length] = 0;
    own[mst_system_directory_length(own)] = 0;
    return joined(own, "");
}

/* ---- serving a page to this computer -------------------------------------------------------------- */

void system_show(const char *page) {
    const char *chosen = getenv("BROWSER");
#ifdef __APPLE__
    const char *usual = "open";
#else
    const char *usual = "xdg-open";
#endif
    const char *browser = chosen && *chosen ? chosen : usual;
    char *program = system_program(browser);
    if (!program || fork() != 0) {
        free(program);
        return;
    }
    int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; nothing >= 0 && i < 3; i++)
        dup2(nothing, i);
    setsid();
    execl(program, browser, page, (char *)NULL);
    _exit(127);
}

bool system_secret(void *bytes, size_t size) {
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool all = file >= 0 && read(file, bytes, size) == (ssize_t)size;
    if (file >= 0)
        close(file);
    return all;
}

int connection_listen(connection *listener, unsigned *port) {
    struct sockaddr_in own;
    memset(&own, 0, sizeof own);
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made >= 0 && fcntl(made, F_SETFD, FD_CLOEXEC) >= 0 &&
        bind(made, (const struct sockaddr *)&own, size) >= 0 && listen(made, 16) >= 0 &&
        getsockname(made, (struct sockaddr *)&own, &size) >= 0) {
        *listener = made;
        *port = ntohs(own.sin_port);
        return 0;
    }
    int error = errno;
    if (made >= 0)
        close(made);
    return error;
}

int connection_accept(connection listener, unsigned patience, connection *made) {
    const struct timeval limit = {.tv_sec = (time_t)patience};
    int one = accept((int)listener, NULL, NULL);
    *made = one;
    if (one < 0)
        return errno;
    setsockopt(one, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    fcntl(one, F_SETFD, FD_CLOEXEC);
    return 0;
}

int connection_wait(const connection *all, size_t count, bool *ready) {
    struct pollfd *wait = need(calloc(count, sizeof *wait));
    int found, error = 0;
    for (size_t i = 0; i < count; i++)
        wait[i] = (struct pollfd){.fd = (int)all[i], .events = POLLIN};
    do
        found = poll(wait, (nfds_t)count, -1);
    while (found < 0 && errno == EINTR);
    if (found < 0)
        error = errno;
    for (size_t i = 0; i < count; i++) {
        ready[i] = found > 0 && wait[i].revents;
        if (ready[i] && wait[i].revents & POLLNVAL)
            error = EBADF;
    }
    free(wait);
    return error;
}

int connection_receive(connection from, void *to, size_t size, size_t *got) {
    ssize_t count = recv((int)from, to, size, 0);
    *got = count > 0 ? (size_t)count : 0;
    return count >= 0 ? 0 : errno == EINTR ? EAGAIN : errno;
}

int connection_send(connection to, const void *from, size_t size) {
    const char *at = from;
    while (size) {
        ssize_t sent = send((int)to, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return sent < 0 ? errno : EPIPE;
        at += sent;
        size -= (size_t)sent;
    }
    return 0;
}

void connection_end(connection one) {
    if (one < 0)
        return;
    shutdown((int)one, SHUT_WR);
    close((int)one);
}

/* ---- time and threads ----------------------------------------------------------------------------- */

#define THREADS_MAX 256

double system_seconds(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

size_t system_processors(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (size_t)processors : 1;
}

static_assert(sizeof(pthread_mutex_t) <= sizeof(lock), "a lock has room for a mutex");
static_assert(sizeof(pthread_cond_t) <= sizeof(bell), "a bell has room for a condition");

static pthread_mutex_t *mutex_of(lock *one) {
    return (pthread_mutex_t *)(void *)one->bytes;
}

static pthread_cond_t *condition_of(bell *one) {
    return (pthread_cond_t *)(void *)one->bytes;
}

void lock_begin(lock *one) {
    pthread_mutex_init(mutex_of(one), NULL);
}

void lock_end(lock *one) {
    pthread_mutex_destroy(mutex_of(one));
}

void lock_take(lock *one) {
    pthread_mutex_lock(mutex_of(one));
}

void lock_give(lock *one) {
    pthread_mutex_unlock(mutex_of(one));
}

void bell_begin(bell *one) {
    pthread_cond_init(condition_of(one), NULL);
}

void bell_end(bell *one) {
    pthread_cond_destroy(condition_of(one));
}

void bell_wait(bell *one, lock *held) {
    pthread_cond_wait(condition_of(one), mutex_of(held));
}

void bell_ring(bell *one) {
    pthread_cond_broadcast(condition_of(one));
}

void system_threads(size_t count, void *(*work)(void *user), void *user) {
    pthread_t ids[THREADS_MAX];
    size_t started = 0;
    while (started + 1 < count && started < THREADS_MAX &&
           pthread_create(&ids[started], NULL, work, user) == 0)
        started++;
    work(user);
    for (size_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
}
