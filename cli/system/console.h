/* SPDX-License-Identifier: MIT */
/*
 * What the command needs of the operating system beyond files (src/system/system.h): the process, its
 * terminal, threads. One file a system; no other file of the command asks which one it is.
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
/* What has to come first. Makes the arguments UTF-8. */
command_line system_begin(int count, char **items);
/* Whether the command was started by itself, with a window of its own that closes with it: by a double click,
 * or by files that are dragged on to it. */
bool system_has_own_window(void);
/* Shows a line and waits for a key. */
void system_wait_for_key(const char *line);
/* `clean` is called before the process is ended from outside, or because mapped bytes are gone. It may only
 * do what a signal handler may. While files are being renamed, that waits. */
void system_guard(void (*clean)(void));
void system_renaming(bool now);
/* Waits for the end of the process, which another thread is about to bring. */
_Noreturn void system_wait_for_end(void);
_Noreturn void system_end(int code);

/* The path of a program: as the system searches for it, but only in folders that are given from the root, so
 * never in the current one, where a stranger's files may be. To be freed; NULL: it is not there. */
char *system_program(const char *name);
/* Runs a program, found in that way, that reads one file (NULL: nothing) and writes another. Returns an
 * errno; `code` is what the program ended with, -1 if it was killed. */
int system_run(char *const arguments[], const char *from, const char *to, int *code);
/* Lets the process open as many files as it may. */
void system_open_many(void);

/* ---- what shells make of words ---- */

/* Whether single quotes are a part of the word, and patterns and ends of paths are left to programs. */
bool system_shell_is_plain(void);
/* A path as it was meant, with / between its parts; to be freed. NULL: it is the path itself. */
char *system_tidy_path(const char *path);
/* Calls `each` with the paths that a pattern means, sorted by folders and names, where that is left to
 * programs. False: there are none. */
bool system_matches(const char *pattern, void (*each)(void *user, const char *path), void *user);

/* ---- the terminal ---- */

bool system_is_terminal(int descriptor);
/* In columns; 0: it is not a terminal, or its width is not known. */
int system_terminal_width(int descriptor);
/* Whether colours are understood there, if nobody says otherwise. */
bool system_has_colors(int descriptor);

/* ---- places ---- */

/* Each is free's; NULL: an errno is set. */
char *system_whole_path(const char *path);
/* A new, empty file for a short time. */
char *system_temporary(void);
/* A directory for settings; NULL: there is none, and `advice` says what to set. */
char *system_settings(const char **advice);
/* The same for what a program remembers between two runs. */
char *system_state(const char **advice);
/* Makes a directory that only its owner can use, in one that exists. Returns an errno; EPERM: it exists, and
 * is somebody else's or others can use it. */
int system_private_directory(const char *path);
int system_remove_directory(const char *path);

/* The folder that the program is in, with the separator. */
char *system_own_folder(void);

/* ---- serving a page to this computer ---- */

/* Opens a file with a page in the browser; whether there is one shows only later. */
void system_show(const char *page);
/* Bytes that nobody can guess. False: there are none. */
bool system_secret(void *bytes, size_t size);

typedef long long connection; /* -1: none */

/* These return an errno. Only this computer can reach `listener`; the system chooses the port. */
int connection_listen(connection *listener, unsigned *port);
/* The next one that comes; sending to it fails once it has taken nothing for so many seconds. */
int connection_accept(connection listener, unsigned patience, connection *made);
/* Waits until one of them (-1 is passed over) has something to accept or receive; `ready` says which. */
int connection_wait(const connection *all, size_t count, bool *ready);
/* `got` is 0 at the end; EAGAIN: nothing is there, after all. */
int connection_receive(connection from, void *to, size_t size, size_t *got);
int connection_send(connection to, const void *from, size_t size);
/* What was sent still arrives. */
void connection_end(connection one);

/* ---- time and threads ---- */

/* Seconds since some moment. */
double system_seconds(void);
/* 0: there are no threads. */
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
/* Waits until another thread says that something has changed; the lock is given away meanwhile. */
void bell_begin(bell *one);
void bell_end(bell *one);
void bell_wait(bell *one, lock *held);
void bell_ring(bell *one);

/* Calls `work` in up to so many threads, this one included, and returns when all have ended. */
void system_threads(size_t count, void *(*work)(void *user), void *user);

#endif
