/* SPDX-License-Identifier: MIT */
/*
 * The command's needs of the operating system beyond files (src/system/system.h): the process, its terminal,
 * threads. One file per system; no other file of the command tests for the system.
 */
#ifndef CLI_SYSTEM_CONSOLE_H
#define CLI_SYSTEM_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

/* ---- the process ---- */

typedef struct command_line {
    int count;
    char **items;
} command_line;
/* Call it first. Converts the arguments to UTF-8. */
command_line system_begin(int count, char **items);
/* Whether the command has its own window, which closes with it: it was started by a double click, or by files
 * dragged onto it. */
bool system_has_own_window(void);
/* Shows a line and waits for a key. */
void system_wait_for_key(const char *line);
/* `clean` is called before the process is ended from outside, or because mapped bytes no longer exist. It may
 * only do what a signal handler may. It is delayed while files are being renamed. */
void system_guard(void (*clean)(void));
void system_renaming(bool now);
/* Waits for another thread to end the process. */
_Noreturn void system_wait_for_end(void);
_Noreturn void system_end(int code);

/* The path of a program, found as the system does, but only in absolute folders, so never in the current one,
 * which may be untrusted. To be freed; NULL: not found. */
char *system_program(const char *name);
/* Runs a program, found in that way, that reads one file (NULL: nothing) and writes another. Returns an
 * errno; `code` is the program's exit code, -1 if it was killed. */
int system_run(char *const arguments[], const char *from, const char *to, int *code);
/* Raises the process's limit of open files to the maximum. */
void system_open_many(void);

/* ---- command lines from shells ---- */

/* Whether the shell keeps single quotes, and leaves patterns and the ends of paths to programs. */
bool system_shell_is_plain(void);
/* A path in its intended form, with / between its parts; to be freed. NULL: the path needs no change. */
char *system_tidy_path(const char *path);
/* Calls `each` with the paths that match a pattern, sorted by folders and names, where shells leave patterns
 * to programs. False: there are none. */
bool system_matches(const char *pattern, void (*each)(void *user, const char *path), void *user);

/* ---- the terminal ---- */

bool system_is_terminal(int descriptor);
/* In columns; 0: it is not a terminal, or its width is unknown. */
int system_terminal_width(int descriptor);
/* Whether the terminal supports colours, unless the user chose otherwise. */
bool system_has_colors(int descriptor);

/* ---- places ---- */

/* All results are to be freed; NULL: errno is set. */
char *system_whole_path(const char *path);
/* A new, empty, temporary file. */
char *system_temporary(void);
/* A directory for settings; NULL: there is none, and `advice` names the variable to set. */
char *system_settings(const char **advice);
/* The same for the state that a program keeps between runs. */
char *system_state(const char **advice);
/* Creates a directory that only its owner can use, in an existing one. Returns an errno; EPERM: it exists,
 * and belongs to or is accessible to others. */
int system_private_directory(const char *path);
int system_remove_directory(const char *path);

/* The folder of the program, with a separator at the end. */
char *system_own_folder(void);

/* ---- serving a page to this computer ---- */

/* Opens a file with a page in the browser; the caller does not learn whether there is a browser. */
void system_show(const char *page);
/* Unpredictable bytes. False: there are none. */
bool system_secret(void *bytes, size_t size);

typedef long long connection; /* -1: none */

/* These return an errno. Only this computer can reach `listener`; the system chooses the port. */
int connection_listen(connection *listener, unsigned *port);
/* Accepts the next one; sending to it fails after it has accepted no data for `patience` seconds. */
int connection_accept(connection listener, unsigned patience, connection *made);
/* Waits until one of them (-1 is skipped) can accept or receive; `ready` states which. */
int connection_wait(const connection *all, size_t count, bool *ready);
/* `got` is 0 at the end; EAGAIN: there is no data yet. */
int connection_receive(connection from, void *to, size_t size, size_t *got);
int connection_send(connection to, const void *from, size_t size);
/* Ends it; data that was sent still arrives. */
void connection_end(connection one);

/* ---- time and threads ---- */

/* Seconds since an arbitrary moment. */
double system_seconds(void);
/* 0: threads are not supported. */
size_t system_processors(void);

typedef union lock {
    void *aligned;
    unsigned char bytes[80];
} lock;
typedef lock bell;
void lock_begin(lock *one);
void lock_end(lock *one);
void lock_take(lock *one);
void lock_give(lock *one);
/* Waits until another thread reports a change; the lock is released meanwhile. */
void bell_begin(bell *one);
void bell_end(bell *one);
void bell_wait(bell *one, lock *held);
void bell_ring(bell *one);

/* Calls `work` in up to so many threads, including this one, and returns when all have ended. */
void system_threads(size_t count, void *(*work)(void *user), void *user);

#endif
