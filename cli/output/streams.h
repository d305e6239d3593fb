/* SPDX-License-Identifier: MIT */
/*
 * Output of the command: text on stdout, messages on stderr, files that appear completely or not at all,
 * JSON; and the exit codes.
 */
#ifndef CLI_OUTPUT_STREAMS_H
#define CLI_OUTPUT_STREAMS_H

#include <mapstone/document.h>
#include <mapstone/file.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EXIT_YES = 0,
    EXIT_NO = 1,      /* differs, has errors, unknown format */
    EXIT_TROUBLE = 2, /* usage, input or output */
    EXIT_NO_PATH = 3,
    EXIT_DAMAGED = 4,
    EXIT_REFUSED = 5 /* data would be lost */
};
int exit_code(mst_status status);
static inline int worse(int a, int b) {
    return a > b ? a : b;
}

/* Returns the result of malloc, or exits with a message if it is NULL. */
void *need(void *memory);
/* A copy of so many characters, with a NUL; to be freed. */
char *copy_of(const char *text, size_t length);

/* ---- streams -------------------------------------------------------------------------------------- */

/*
 * Text or bytes for stdout or stderr, buffered and written in large pieces. `may_write` (NULL: always) is
 * called first, so that files that are processed concurrently wait for their turn.
 */
typedef struct stream {
    char *data;
    size_t size, capacity;
    int descriptor; /* -1: memory only */
    bool (*may_write)(void *user);
    void *user;
    bool color;
    bool terminal; /* put_data escapes control characters */
    bool page;     /* for JSON in a page's script: also escapes characters special to HTML and old scripts */
} stream;

stream stream_stdout(void);
stream stream_stderr(void);
stream stream_memory(void);
void put(stream *to, const void *data, size_t size);
/* Appends so many bytes, which the caller fills. */
void *stream_add(stream *to, size_t size);
void put_text(stream *to, const char *text);
void print(stream *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Escapes control characters (mst_is_control) and bytes that are not text, as \x1b, \u0085: for messages and
 * outlines with names and values from files. */
void put_visible(stream *to, const char *text);
/* Data from files: unchanged, but on a terminal escaped as by put_visible, except newlines and tabs. */
void put_data(stream *to, const char *text, size_t length);
bool is_utf8(const char *text, size_t length);
void put_json_string(stream *to, const char *text, size_t length);
/* ,"name": without the comma at the beginning of an object. */
void put_json_key(stream *to, const char *name);
void put_json_member(stream *to, const char *name, const char *text);
mst_sink stream_sink(stream *to);
void stream_flush(stream *to);
void stream_free(stream *to);

/* Redirects stdout to a file, which is created at the first output. */
void output_to(const char *path);
/* Finishes that file if the exit code is 0, 1 or 4 (a damaged file: the missing parts have been reported);
 * after other codes the data is incomplete and the file is removed. Returns the exit code. */
int output_settle(int code);

/* Whether writing to stdout failed. Reports the reason, once, except for a closed pipe. */
bool stdout_failed(void);
/* The exit code for that: a closed pipe is not a failure, since its reader is satisfied (`| head -1`). */
int stdout_code(void);

/* ---- colours -------------------------------------------------------------------------------------- */

/* `when` is auto, always, never or NULL. */
void color_choose(const char *when);
#define COLOR_BOLD  "\033[1m"
#define COLOR_DIM   "\033[2m"
#define COLOR_RED   "\033[31m"
#define COLOR_GREEN "\033[32m"
#define COLOR_AMBER "\033[33m"
#define COLOR_CYAN  "\033[36m"
/* Start and end a colour, if the stream uses colours. */
void paint(stream *to, const char *color);
void unpaint(stream *to);

/* ---- messages ------------------------------------------------------------------------------------- */

const char *severity_name(mst_severity severity);
/* "error: ...", "warning: ..." or "information: ..." on stderr. */
void say(mst_severity severity, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Redirects this thread's messages to a stream; NULL: to stderr. */
void say_to(stream *messages);
void say_plain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "error: file:0x01a4: path: message (expected E, found F) [CODE]" */
void put_diagnosis(stream *to, const char *file, const mst_diagnostic *why);
/* The same as a JSON object on a line; `file` NULL: omitted. */
void put_json_diagnosis(stream *to, const char *file, const mst_diagnostic *one);
/* put_diagnosis on stderr; returns the exit code for its status. */
int say_diagnosis(const char *file, const mst_diagnostic *why);
/* The same for commands whose exit code 1 reports a result: 2 for an unknown format. */
int say_trouble(const char *file, const mst_diagnostic *why);
/* Fills in a diagnostic; returns `status`. */
mst_status blame(mst_diagnostic *why, mst_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- files ---------------------------------------------------------------------------------------- */

/* A file being written (mapstone/file.h), or stdout: "-". */
typedef struct target {
    stream text;             /* waiting to be written */
    mst_file_writer *writer; /* NULL: stdout */
    bool failed;
} target;
/* Registers temporary files, so that they are removed if a signal ends the command. */
extern const mst_file_watch temporaries;
/* Installs handlers for the signals that end the process, which remove those files first; exceeding the limit
 * of file size (ulimit -f) becomes a write error. */
void temporaries_guard(void);
/* Sets the function that returns the length of the part of a path that the user named (named_length in
 * paths.h); by default the whole path. */
void targets_below(size_t (*named)(const char *path));
/* The `lost` of mst_file_options: reports it. */
void say_lost(void *user, const char *path, const char *what);
/* The options for opening a file to be written; free `folder` when all files are open. */
mst_file_options target_options(const char *path, char **folder);
/* Writes the files of a document: all of them or none. */
mst_status save_document(const mst_document *document, const char *path, mst_diagnostic *why);
/* False, with a message, on failure. */
bool target_begin(target *file, const char *path);
mst_sink target_sink(target *file);
/* For one of very many files that are easily created again: does not wait until it is on the disk. */
void target_hurry(target *file);
/* From now on, files that replace no other are on the disk only after targets_sync, unless the system can
 * only wait for single files. */
void targets_hurry(void);
/* The same for a file that is written without a target. */
void writer_hurry(mst_file_writer *writer, const char *path);
/* Waits until all of them are on the disk. False, with a message, on failure. */
bool targets_sync(void);
/* Call it before reading a file that will be changed, or writing one, at `path`: mst_file_recover. */
void recover_at(const char *path);
/* Ends it in any case. False, with a message, if the file could not be written. */
bool target_finish(target *file);
void target_abandon(target *file);
/* Ends it after work on `input` that returned `status`: finishes or abandons it, reports errors, and returns
 * the exit code. */
int target_settle(target *file, mst_status status, const char *input, const mst_diagnostic *why);
/* The same for files that belong together (at most TARGETS_MAX): all appear or none. */
#define TARGETS_MAX 2
int targets_settle(target *files, size_t count, mst_status status, const char *input,
                   const mst_diagnostic *why);

/* False, with a message, if the output would be binary data on a terminal. */
bool may_be_binary(const char *path, const char *what);

#endif
