/* SPDX-License-Identifier: MIT */
/*
 * Everything the command writes: streams of text on stdout, messages on stderr, files that appear whole
 * or not at all, JSON; and the exit codes.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <mapstone/document.h>
#include <mapstone/file.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EXIT_YES = 0,
    EXIT_NO = 1,      /* differs, has errors, unknown kind */
    EXIT_TROUBLE = 2, /* usage, input or output */
    EXIT_NO_PATH = 3,
    EXIT_DAMAGED = 4,
    EXIT_REFUSED = 5 /* data would be lost */
};
int exit_code(mst_status status);
static inline int worse(int a, int b) {
    return a > b ? a : b;
}

/* What malloc gave, unless that was NULL: then says so and exits. */
void *need(void *memory);

/* ---- streams -------------------------------------------------------------------------------------- */

/*
 * Text or bytes on their way to stdout or stderr. They are held in memory and handed on in large pieces;
 * `may_write` (NULL: always) is asked first, so that files worked on at the same time wait for their turn.
 */
typedef struct stream {
    char *data;
    size_t size, capacity;
    int descriptor; /* -1: memory only */
    bool (*may_write)(void *user);
    void *user;
    bool color;
    bool terminal; /* put_data makes visible what it would obey */
} stream;

stream stream_stdout(void);
stream stream_stderr(void);
stream stream_memory(void);
void put(stream *to, const void *data, size_t size);
void put_text(stream *to, const char *text);
void print(stream *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a terminal would obey (mst_is_control), and bytes that are not text, as \x1b, \u0085: for messages and
 * outlines with names and values from files. */
void put_visible(stream *to, const char *text);
/* Data from files: as it is, but on a terminal as put_visible shows it; ends of lines and tabs stay. */
void put_data(stream *to, const char *text, size_t length);
bool is_utf8(const char *text, size_t length);
void put_json_string(stream *to, const char *text, size_t length);
/* ,"name": -- the comma unless an object has just begun. */
void put_json_key(stream *to, const char *name);
void put_json_member(stream *to, const char *name, const char *text);
mst_sink stream_sink(stream *to);
void stream_flush(stream *to);
void stream_free(stream *to);

/* From now on what goes to stdout goes to a file, which is made when there is something for it. */
void output_to(const char *path);
/* Makes that file appear, unless the exit code says that the data is not complete: only 0, 1 and 4 (what
 * damaged files left out has been said) keep it. Returns the exit code. */
int output_settle(int code);

/* Whether stdout could not be written. Says why, once, except for a pipe that nobody reads any more. */
bool stdout_failed(void);

/* ---- colours -------------------------------------------------------------------------------------- */

/* `when` is auto, always, never or NULL. */
void color_choose(const char *when);
#define COLOR_BOLD  "\033[1m"
#define COLOR_DIM   "\033[2m"
#define COLOR_RED   "\033[31m"
#define COLOR_GREEN "\033[32m"
#define COLOR_AMBER "\033[33m"
#define COLOR_CYAN  "\033[36m"
/* Starts and ends a colour, where the stream has any. */
void paint(stream *to, const char *color);
void unpaint(stream *to);

/* ---- messages ------------------------------------------------------------------------------------- */

/* "error: ...", "warning: ..." or "note: ..." on stderr. */
void say(mst_severity severity, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* This thread's messages go to a stream until it is NULL. */
void say_to(stream *messages);
void say_plain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "error: file:0x01a4: path: message (expected E, found F) [CODE]" */
void put_diagnosis(stream *to, const char *file, const mst_diagnostic *why);
/* The same on stderr, now; returns the exit code of its status. */
int say_diagnosis(const char *file, const mst_diagnostic *why);
/* Fills in a diagnosis of the command's own; returns `status`. */
mst_status blame(mst_diagnostic *why, mst_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- files ---------------------------------------------------------------------------------------- */

/* A file being written (mapstone/file.h), or stdout: "-". */
typedef struct target {
    stream text;             /* waiting to be written */
    mst_file_writer *writer; /* NULL: stdout */
    bool failed;
} target;
/* Passed to whatever writes files, so that temporary ones are taken away if a signal ends the command. */
extern const mst_file_watch temporaries;
/* From now on the signals that end a process take them away, and then do what they always do; a file that
 * grows too large (ulimit -f) is an error of writing. */
void temporaries_guard(void);
/* On failure says so on stderr and returns false. */
bool target_begin(target *file, const char *path);
mst_sink target_sink(target *file);
/* Ends it in every case. Returns false, and has said why, if the file could not be written. */
bool target_finish(target *file);
void target_abandon(target *file);
/* Ends it after work that read `input` and ended with `status`: finishes or abandons it, says what went
 * wrong, and returns the exit code. */
int target_settle(target *file, mst_status status, const char *input, const mst_diagnostic *why);
/* The same of files that belong together (at most TARGETS_MAX): all appear or none. */
#define TARGETS_MAX 2
int targets_settle(target *files, size_t count, mst_status status, const char *input,
                   const mst_diagnostic *why);

/* Whether two paths name the same existing file. */
bool same_file(const char *a, const char *b);
bool is_directory(const char *path);
/* Makes the directories that `path`'s last part stands in. */
bool make_parents(const char *path);
/* Refuses to write bytes to a terminal: false, and has said so. */
bool may_be_binary(const char *path, const char *what);

#endif
