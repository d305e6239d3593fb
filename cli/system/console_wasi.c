/* SPDX-License-Identifier: MIT */
/* WebAssembly: files, but neither signals, terminals, processes, threads nor connections. The web module uses
 * some of this, the command all of it. */
#define _GNU_SOURCE
#include "console.h"

#include "../../src/system/system.h"
#include "../output/streams.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- the process ---------------------------------------------------------------------------------- */

command_line system_begin(int count, char **items) {
    return (command_line){count, items};
}

bool system_has_own_window(void) {
    return false;
}

void system_wait_for_key(const char *line) {
    (void)line;
}

void system_guard(void (*clean)(void)) {
    (void)clean;
}

void system_renaming(bool now) {
    (void)now;
}

_Noreturn void system_wait_for_end(void) {
    for (;;) /* nothing ends the process from outside */
        ;
}

_Noreturn void system_end(int code) {
    _Exit(code);
}

char *system_program(const char *name) {
    (void)name;
    return NULL;
}

int system_run(char *const arguments[], const char *from, const char *to, int *code) {
    (void)arguments, (void)from, (void)to;
    *code = -1;
    return ENOSYS;
}

void system_open_many(void) {
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

/* ---- the terminal --------------------------------------------------------------------------------- */

bool system_is_terminal(int descriptor) {
    (void)descriptor;
    return false;
}

int system_terminal_width(int descriptor) {
    (void)descriptor;
    return 0;
}

bool system_has_colors(int descriptor) {
    (void)descriptor;
    return false;
}

/* ---- places --------------------------------------------------------------------------------------- */

char *system_whole_path(const char *path) {
    mst_system_info info;
    int error = mst_system_about(path, &info);
    if (!error)
        return need(strdup(path)); /* the directories above the current one have no names */
    errno = error;
    return NULL;
}

char *system_temporary(void) {
    errno = ENOSYS;
    return NULL;
}

char *system_settings(const char **advice) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    *advice = "set XDG_CONFIG_HOME or HOME";
    if (config && *config)
        return need(strdup(config));
    if (!home || !*home)
        return NULL;
    stream path = stream_memory();
    print(&path, "%s/.config", home);
    put(&path, "", 1);
    return path.data;
}

char *system_state(const char **advice) {
    const char *state = getenv("XDG_STATE_HOME");
    *advice = "set XDG_STATE_HOME";
    return state && *state ? need(strdup(state)) : NULL;
}

int system_private_directory(const char *path) { /* files have no owner */
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

int system_remove_directory(const char *path) {
    return rmdir(path) == 0 ? 0 : errno;
}

char *system_own_folder(void) {
    return NULL;
}

/* ---- serving a page to this computer -------------------------------------------------------------- */

void system_show(const char *page) {
    (void)page;
}

bool system_secret(void *bytes, size_t size) {
    return getentropy(bytes, size) == 0;
}

int connection_listen(connection *listener, unsigned *port) {
    *listener = -1;
    *port = 0;
    return ENOSYS;
}

int connection_accept(connection listener, unsigned patience, connection *made) {
    (void)listener, (void)patience;
    *made = -1;
    return ENOSYS;
}

int connection_wait(const connection *all, size_t count, bool *ready) {
    (void)all, (void)count, (void)ready;
    return ENOSYS;
}

int connection_receive(connection from, void *to, size_t size, size_t *got) {
    (void)from, (void)to, (void)size;
    *got = 0;
    return ENOSYS;
}

int connection_send(connection to, const void *from, size_t size) {
    (void)to, (void)from, (void)size;
    return ENOSYS;
}

void connection_end(connection one) {
    (void)one;
}

/* ---- time and threads ----------------------------------------------------------------------------- */

double system_seconds(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

size_t system_processors(void) {
    return 0;
}

void lock_begin(lock *one) {
    (void)one;
}

void lock_end(lock *one) {
    (void)one;
}

void lock_take(lock *one) {
    (void)one;
}

void lock_give(lock *one) {
    (void)one;
}

void bell_begin(bell *one) {
    (void)one;
}

void bell_end(bell *one) {
    (void)one;
}

void bell_wait(bell *one, lock *held) {
    (void)one, (void)held;
}

void bell_ring(bell *one) {
    (void)one;
}

void system_threads(size_t count, void *(*work)(void *user), void *user) {
    (void)count;
    work(user);
}
