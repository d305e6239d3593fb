/* SPDX-License-Identifier: MIT */
#include "streams.h"
#include "../../src/core/text.h"
#include "../../src/core/write.h"
#include "../../src/read/opened.h"
#include "../../src/system/system.h"
#include "../system/console.h"
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_PIECE 65536

/* Descriptors have the same numbers on all systems. */
enum { STDOUT = 1, STDERR = 2 };

/* Properties of the terminal; set once, before any thread starts. */
static bool color_stdout, color_stderr, terminal_stdout;
static _Atomic int stdout_error;
/* Receives this thread's messages instead of stderr: messages about a file wait for its turn. */
static _Thread_local stream *message_stream;

void say_to(stream *messages) {
    message_stream = messages;
}

int exit_code(mst_status status) {
    switch (status) {
    case MST_OK: return EXIT_YES;
    case MST_UNKNOWN: return EXIT_NO;
    case MST_DAMAGED: return EXIT_DAMAGED;
    case MST_NO_PATH: return EXIT_NO_PATH;
    case MST_REFUSED: return EXIT_REFUSED;
    case MST_NO_MEMORY:
    case MST_IO:
    case MST_ARGUMENT:
    case MST_UNSUPPORTED: break;
    case MST_STOPPED: return stdout_error == EPIPE ? EXIT_YES : EXIT_TROUBLE;
    }
    return EXIT_TROUBLE;
}

/* ---- temporary files ------------------------------------------------------------------------------ */

/* Temporary files that are being written, where a signal handler can see them. A slot is free, being filled,
 * full, or taken by the handler. */
enum { PLACE_FREE = 0, PLACE_FILLING, PLACE_FULL, PLACE_TAKEN };
#define PLACES 128
static struct {
    _Atomic int state;
    char path[4200];
} places[PLACES];
static _Atomic int ending;
static atomic_flag places_lock = ATOMIC_FLAG_INIT; /* not used by the handler, which takes full slots */

static void tell_temporary(void *user, const char *path, bool there) {
    (void)user;
    size_t length = strlen(path);
    while (atomic_flag_test_and_set(&places_lock))
        ;
    for (size_t i = 0; i < PLACES; i++) {
        int is = there ? PLACE_FREE : PLACE_FULL;
        if (length >= sizeof places[i].path || (!there && strcmp(places[i].path, path) != 0))
            continue;
        if (!atomic_compare_exchange_strong(&places[i].state, &is, there ? PLACE_FILLING : PLACE_FREE))
            continue;
        if (there) {
            memcpy(places[i].path, path, length + 1);
            atomic_store(&places[i].state, PLACE_FULL);
        }
        break;
    }
    atomic_flag_clear(&places_lock);
    if (there && ending) /* another thread is removing them and then ends the process */
        system_wait_for_end();
}

/* Called before the process ends. Async-signal-safe. */
static void remove_temporaries(void) {
    atomic_store(&ending, 1);
    for (size_t i = 0; i < PLACES; i++) {
        int is = PLACE_FULL;
        if (atomic_compare_exchange_strong(&places[i].state, &is, PLACE_TAKEN))
            mst_system_remove(places[i].path);
    }
}

static void tell_renaming(void *user, bool now) {
    (void)user;
    system_renaming(now);
}

const mst_file_watch temporaries = {tell_temporary, NULL, tell_renaming};

void temporaries_guard(void) {
    system_guard(remove_temporaries);
}

/* ---- memory --------------------------------------------------------------------------------------- */

void *need(void *memory) {
    if (!memory) {
        static const char message[] = "error: no memory\n";
        mst_system_write(STDERR, message, sizeof message - 1);
        remove_temporaries();
        system_end(EXIT_TROUBLE);
    }
    return memory;
}

char *copy_of(const char *text, size_t length) {
    char *copy = need(malloc(length + 1));
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

/* ---- streams -------------------------------------------------------------------------------------- */

/* The file that replaces stdout; NULL: stdout itself. */
static const char *output_path;
static mst_file_writer *output_writer;

void output_to(const char *path) {
    output_path = path;
    terminal_stdout = color_stdout = false;
}

static bool output_create(void) {
    mst_diagnostic why;
    const mst_file_options how = {.size = sizeof how, .watch = &temporaries};
    if (mst_file_create(output_path, &how, &output_writer, &why) == MST_OK)
        return true;
    say(MST_ERROR, "%s", why.message);
    stdout_error = -1; /* reported */
    return false;
}

static bool write_stdout(const void *data, size_t size) {
    if (stdout_error < 0 || (output_path && !output_writer && !output_create()))
        return false;
    if (output_writer) {
        mst_diagnostic why;
        mst_sink sink = mst_file_sink(output_writer);
        if (sink.write(sink.user, data, size) == MST_OK)
            return true;
        if (mst_file_finish(output_writer, &why) != MST_OK) /* the writer has the reason */
            say(MST_ERROR, "%s", why.message);
        output_writer = NULL;
        stdout_error = -1; /* reported */
        return false;
    }
    int error = mst_system_write(STDOUT, data, size);
    if (error)
        stdout_error = error;
    return !error;
}

int output_settle(int code) {
    mst_diagnostic why;
    bool kept = code == EXIT_YES || code == EXIT_NO || code == EXIT_DAMAGED;
    if (!output_path || stdout_error < 0)
        return code;
    if (kept && !output_writer && !output_create())
        return EXIT_TROUBLE;
    if (output_writer && !kept) {
        mst_file_abandon(output_writer);
    } else if (output_writer && mst_file_finish(output_writer, &why) != MST_OK) {
        say(MST_ERROR, "%s", why.message);
        stdout_error = -1; /* reported */
        code = EXIT_TROUBLE;
    }
    output_writer = NULL;
    return code;
}

stream stream_stdout(void) {
    return (stream){.descriptor = STDOUT, .color = color_stdout, .terminal = terminal_stdout};
}

stream stream_stderr(void) {
    return (stream){.descriptor = STDERR, .color = color_stderr};
}

stream stream_memory(void) {
    return (stream){.descriptor = -1};
}

void stream_flush(stream *to) {
    if (to->descriptor < 0 || !to->size)
        return;
    if (to->descriptor != STDOUT)
        mst_system_write(to->descriptor, to->data, to->size);
    else if (!stdout_error)
        write_stdout(to->data, to->size); /* stdout_failed reports errors, once */
    to->size = 0;
}

void stream_free(stream *to) {
    stream_flush(to);
    free(to->data);
    to->data = NULL;
    to->size = to->capacity = 0;
}

void *stream_add(stream *to, size_t size) {
    if (!to->data || to->capacity - to->size < size) {
        size_t capacity = to->capacity ? to->capacity : 256;
        while (capacity - to->size < size)
            capacity *= 2;
        to->data = need(realloc(to->data, capacity));
        to->capacity = capacity;
    }
    to->size += size;
    return to->data + to->size - size;
}

void put(stream *to, const void *data, size_t size) {
    if (to->size >= STREAM_PIECE && to->descriptor >= 0 && (!to->may_write || to->may_write(to->user)))
        stream_flush(to);
    void *more = stream_add(to, size);
    if (size)
        memcpy(more, data, size);
}

void put_text(stream *to, const char *text) {
    put(to, text, strlen(text));
}

static void print_list(stream *to, const char *format, va_list list) __attribute__((format(printf, 2, 0)));
static void print_list(stream *to, const char *format, va_list list) {
    char line[1024];
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(line, sizeof line, format, list);
    if (length >= 0 && (size_t)length < sizeof line) {
        put(to, line, (size_t)length);
    } else if (length >= 0) {
        char *text = need(malloc((size_t)length + 1));
        vsnprintf(text, (size_t)length + 1, format, again);
        put(to, text, (size_t)length);
        free(text);
    }
    va_end(again);
}

void print(stream *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_list(to, format, list);
    va_end(list);
}

/* The length of the well-formed UTF-8 character at `at`; 0: it is not well-formed. */
static size_t character(const unsigned char *at, size_t left) {
    unsigned char lead = at[0];
    size_t length = lead < 0x80   ? 1
                    : lead < 0xC2 ? 0
                    : lead < 0xE0 ? 2
                    : lead < 0xF0 ? 3
                    : lead < 0xF5 ? 4
                                  : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    if ((lead == 0xE0 && at[1] < 0xA0) || (lead == 0xED && at[1] >= 0xA0) || (lead == 0xF0 && at[1] < 0x90) ||
        (lead == 0xF4 && at[1] >= 0x90))
        return 0;
    return length;
}

/* The code point of a well-formed character of `length` bytes. */
static uint32_t code_of(const unsigned char *at, size_t length) {
    uint32_t code = length == 1 ? at[0] : at[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3Fu);
    return code;
}

bool is_utf8(const char *text, size_t length) {
    for (size_t n; length; text += n, length -= n)
        if (!(n = character((const unsigned char *)text, length)))
            return false;
    return true;
}

/* Common to put_visible and put_data; with `layout` newlines and tabs are not escaped. */
static void put_shown(stream *to, const char *text, size_t length, bool layout) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        const unsigned char *plain = at;
        size_t n = 0;
        while (at < end && (n = character(at, (size_t)(end - at))) && !mst_is_control(code_of(at, n)))
            at += n;
        put(to, plain, (size_t)(at - plain));
        if (at == end)
            break;
        bool stays = layout && (*at == '\n' || *at == '\t' || (*at == '\r' && at + 1 < end && at[1] == '\n'));
        if (stays)
            put(to, at, 1);
        else
            print(to, n > 1 ? "\\u%04x" : "\\x%02x", n > 1 ? (unsigned)code_of(at, n) : (unsigned)*at);
        at += n ? n : 1;
    }
}

void put_visible(stream *to, const char *text) {
    put_shown(to, text, strlen(text), false);
}

void put_data(stream *to, const char *text, size_t length) {
    if (to->terminal)
        put_shown(to, text, length, true);
    else
        put(to, text, length);
}

/* "</script>" would end the script; scripts treated the last two as line ends until 2019. */
static bool acts_in_page(uint32_t code) {
    return code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029;
}

/* The number of characters that need no escape. */
static size_t plain_length(const stream *to, const unsigned char *text, size_t length) {
    size_t n = 0;
    while (n < length && text[n] >= ' ' && text[n] < 0x7F && text[n] != '"' && text[n] != '\\' &&
           !(to->page && acts_in_page(text[n])))
        n++;
    return n;
}

void put_json_string(stream *to, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text;
    put(to, "\"", 1);
    while (length) {
        const size_t plain = plain_length(to, at, length);
        put(to, at, plain);
        at += plain;
        length -= plain;
        if (!length)
            break;
        size_t n = character(at, length);
        if (!n) {
            put_text(to, "\xEF\xBF\xBD");
            n = 1;
        } else if (*at == '"' || *at == '\\') {
            put(to, (const char[]){'\\', (char)*at}, 2);
        } else if (*at == '\n') {
            put_text(to, "\\n");
        } else if (*at == '\t') {
            put_text(to, "\\t");
        } else if (mst_is_control(code_of(at, n)) || (to->page && acts_in_page(code_of(at, n)))) {
            print(to, "\\u%04x", (unsigned)code_of(at, n));
        } else {
            put(to, at, n);
        }
        at += n;
        length -= n;
    }
    put(to, "\"", 1);
}

void put_json_key(stream *to, const char *name) {
    if (to->size && to->data[to->size - 1] != '{')
        put(to, ",", 1);
    put_json_string(to, name, strlen(name));
    put(to, ":", 1);
}

void put_json_member(stream *to, const char *name, const char *text) {
    put_json_key(to, name);
    put_json_string(to, text, strlen(text));
}

static mst_status sink_to_stream(void *user, const void *data, size_t size) {
    stream *to = user;
    put(to, data, size);
    return to->descriptor == STDOUT && stdout_error ? MST_STOPPED : MST_OK;
}

mst_sink stream_sink(stream *to) {
    return (mst_sink){.write = sink_to_stream, .user = to};
}

bool stdout_failed(void) {
    if (stdout_error > 0 && stdout_error != EPIPE)
        say(MST_ERROR, "cannot write to stdout: %s", strerror(stdout_error));
    if (stdout_error > 0 && stdout_error != EPIPE)
        stdout_error = -1; /* reported */
    return stdout_error != 0;
}

int stdout_code(void) {
    return stdout_failed() && stdout_error != EPIPE ? EXIT_TROUBLE : EXIT_YES;
}

/* ---- colours -------------------------------------------------------------------------------------- */

void color_choose(const char *when) {
    terminal_stdout = system_is_terminal(STDOUT);
    if (when && strcmp(when, "auto") != 0) {
        color_stdout = color_stderr = !strcmp(when, "always");
        return;
    }
    const char *no_color = getenv("NO_COLOR");
    bool wanted = !(no_color && *no_color);
    color_stdout = wanted && system_has_colors(STDOUT);
    color_stderr = wanted && system_has_colors(STDERR);
}

void paint(stream *to, const char *color) {
    if (to->color)
        put_text(to, color);
}

void unpaint(stream *to) {
    if (to->color)
        put_text(to, "\033[0m");
}

/* ---- messages ------------------------------------------------------------------------------------- */

const char *severity_name(mst_severity severity) {
    static const char *const names[] = {"information", "warning", "error"};
    return names[severity];
}

static void put_severity(stream *to, mst_severity severity) {
    static const char *const colors[] = {COLOR_CYAN, COLOR_AMBER, COLOR_RED};
    paint(to, colors[severity]);
    print(to, "%s:", severity_name(severity));
    unpaint(to);
    put(to, " ", 1);
}

static void say_list(bool severe, mst_severity severity, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));
static void say_list(bool severe, mst_severity severity, const char *format, va_list list) {
    stream text = stream_memory(), line = stream_stderr();
    stream *to = message_stream ? message_stream : &line;
    if (severe)
        put_severity(to, severity);
    print_list(&text, format, list);
    put(&text, "", 1);
    put_visible(to, text.data);
    put(to, "\n", 1);
    stream_free(&line);
    stream_free(&text);
}

void say(mst_severity severity, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say_list(true, severity, format, list);
    va_end(list);
}

void say_plain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say_list(false, MST_INFORMATION, format, list);
    va_end(list);
}

/* Limits have the names of their options. */
static const char *const reasons[] = {
    [MST_REASON_NONE] = "",
    [MST_REASON_INPUT_LIMIT] = "input-limit",
    [MST_REASON_GROWTH_LIMIT] = "growth-limit",
    [MST_REASON_MEMORY_LIMIT] = "memory-limit",
    [MST_REASON_NEAR_NAME] = "near-name",
    [MST_REASON_OTHER_BASE] = "other-base",
};

void put_diagnosis(stream *to, const char *file, const mst_diagnostic *why) {
    put_severity(to, why->severity);
    if (file) {
        put_visible(to, file);
        if (why->offset != MST_NO_OFFSET && why->file[0]) {
            put_text(to, ": ");
            put_visible(to, why->file);
        }
        if (why->offset != MST_NO_OFFSET)
            print(to, ":0x%04llx", (unsigned long long)why->offset);
        if (why->offset != MST_NO_OFFSET && why->packed)
            print(to, "+0x%04llx", (unsigned long long)why->inner);
        put_text(to, ": ");
    }
    if (why->path[0]) {
        put_visible(to, why->path);
        put_text(to, ": ");
    }
    put_visible(to, why->message[0] ? why->message : mst_status_text(why->status));
    if (why->reason >= MST_REASON_INPUT_LIMIT && why->reason <= MST_REASON_MEMORY_LIMIT)
        print(to, "; --%s allows more", reasons[why->reason]);
    if (why->expected[0] || why->found[0]) {
        put_text(to, " (");
        if (why->expected[0]) {
            put_text(to, "expected ");
            put_visible(to, why->expected);
        }
        if (why->found[0]) {
            put_text(to, why->expected[0] ? ", found " : "found ");
            put_visible(to, why->found);
        }
        put_text(to, ")");
    }
    if (why->code[0]) {
        paint(to, COLOR_DIM);
        print(to, " [%s]", why->code);
        unpaint(to);
    }
    put(to, "\n", 1);
}

void put_json_diagnosis(stream *to, const char *file, const mst_diagnostic *one) {
    put_text(to, "{");
    if (file)
        put_json_member(to, "file", file);
    put_json_member(to, "severity", severity_name(one->severity));
    put_json_member(to, "code", one->code);
    if (one->status != MST_OK)
        put_json_member(to, "status", mst_status_text(one->status));
    if (one->reason)
        put_json_member(to, "reason", reasons[one->reason]);
    if (one->offset != MST_NO_OFFSET)
        print(to, ",\"offset\":%llu,\"length\":%llu", (unsigned long long)one->offset,
              (unsigned long long)one->length);
    if (one->offset != MST_NO_OFFSET && one->packed)
        print(to, ",\"inner_offset\":%llu", (unsigned long long)one->inner);
    if (one->offset != MST_NO_OFFSET && one->file[0])
        put_json_member(to, "offset_file", one->file);
    put_json_member(to, "path", one->path);
    put_json_member(to, "message", one->message);
    if (one->expected[0])
        put_json_member(to, "expected", one->expected);
    if (one->found[0])
        put_json_member(to, "found", one->found);
    put_text(to, "}\n");
}

int say_diagnosis(const char *file, const mst_diagnostic *why) {
    stream line = stream_stderr();
    if (why->status != MST_STOPPED) /* the cause has been reported, or is a closed pipe */
        put_diagnosis(message_stream ? message_stream : &line, file, why);
    stream_free(&line);
    return exit_code(why->status);
}

int say_trouble(const char *file, const mst_diagnostic *why) {
    int code = say_diagnosis(file, why);
    return code == EXIT_NO ? EXIT_TROUBLE : code;
}

mst_status blame(mst_diagnostic *why, mst_status status, const char *format, ...) {
    memset(why, 0, sizeof *why);
    why->status = status;
    why->severity = MST_ERROR;
    why->offset = MST_NO_OFFSET;
    va_list list;
    va_start(list, format);
    vsnprintf(why->message, sizeof why->message, format, list);
    va_end(list);
    return status;
}

/* ---- files ---------------------------------------------------------------------------------------- */

static void hand_over(target *file, const void *data, size_t size) {
    if (file->failed || !size)
        return;
    if (file->writer) {
        mst_sink sink = mst_file_sink(file->writer);
        file->failed = sink.write(sink.user, data, size) != MST_OK;
    } else if (!write_stdout(data, size)) {
        file->failed = true;
    }
}

static mst_status sink_to_target(void *user, const void *data, size_t size) {
    target *file = user;
    if (size < STREAM_PIECE && file->text.size < STREAM_PIECE) {
        put(&file->text, data, size);
    } else {
        hand_over(file, file->text.data, file->text.size);
        hand_over(file, data, size);
        file->text.size = 0;
    }
    return file->failed ? MST_IO : MST_OK;
}

mst_sink target_sink(target *file) {
    return (mst_sink){.write = sink_to_target, .user = file};
}

static size_t (*named_part)(const char *path);

void targets_below(size_t (*named)(const char *path)) {
    named_part = named;
}

void say_lost(void *user, const char *path, const char *what) {
    (void)user;
    say(MST_WARNING, "%s: %s could not be kept; the new file grants no additional access", path, what);
}

mst_file_options target_options(const char *path, char **folder) {
    size_t length = named_part ? named_part(path) : SIZE_MAX;
    *folder = length == SIZE_MAX ? NULL : copy_of(path, length);
    return (mst_file_options){
        .size = sizeof(mst_file_options), .watch = &temporaries, .below = *folder, .lost = say_lost};
}

static void say_recovered(void *user, const char *message) {
    (void)user;
    say(MST_WARNING, "%s", message);
}

void recover_at(const char *path) {
    static _Thread_local char last[4096]; /* the directory: many files are written to the same one */
    size_t length = mst_system_directory_length(path);
    if (length + 1 >= sizeof last || (last[0] && !strncmp(last + 1, path, length) && !last[length + 1]))
        return;
    last[0] = '.'; /* marks it as set, even if the directory is "" */
    memcpy(last + 1, path, length);
    last[length + 1] = 0;
    mst_file_recover(path, say_recovered, NULL, NULL);
}

/* Directories with files that are not on the disk yet, one per disk. */
#define DISKS 16
static struct {
    char *directory;
    mst_system_info info;
} disks[DISKS];
static size_t disk_count;
static bool all_hurry;
static atomic_flag disks_lock = ATOMIC_FLAG_INIT;

void targets_hurry(void) {
    all_hurry = mst_system_sync_disk(NULL) == 0;
}

/* Remembers the disk of a path; false: this file must be synchronised separately. */
static bool remember_disk(const char *path) {
    size_t length = mst_system_directory_length(path), i = 0;
    mst_system_info info;
    char *directory = length ? copy_of(path, length) : copy_of(".", 1);
    bool there = mst_system_about(directory, &info) == 0;
    while (atomic_flag_test_and_set(&disks_lock))
        ;
    while (i < disk_count && disks[i].info.device != info.device)
        i++;
    bool added = there && i == disk_count && i < DISKS;
    if (added) {
        disks[i].directory = directory;
        disks[i].info = info;
        disk_count++;
    }
    atomic_flag_clear(&disks_lock);
    if (!added)
        free(directory);
    return there && i < DISKS;
}

bool targets_sync(void) {
    bool done = true;
    for (; disk_count; disk_count--) {
        char *directory = disks[disk_count - 1].directory, reason[80];
        int error = mst_system_sync_disk(directory);
        if (error && error != ENOTSUP) {
            mst_system_reason(error, reason, sizeof reason);
            say(MST_ERROR, "cannot write to the disk of %s: %s", directory, reason);
            done = false;
        }
        free(directory);
    }
    return done;
}

void writer_hurry(mst_file_writer *writer, const char *path) {
    if (all_hurry && !mst_file_replaces(writer) && remember_disk(path))
        mst_file_hurry(writer);
}

mst_status save_document(const mst_document *document, const char *path, mst_diagnostic *why) {
    mst_file_writer *writers[MST_SAVE_FILES] = {NULL};
    size_t count = 0;
    char *folder;
    const mst_file_options how = target_options(path, &folder);
    recover_at(path);
    mst_status status = mst_save_begin(document, path, &how, writers, &count, why);
    free(folder);
    for (size_t i = 0; i < count; i++)
        writer_hurry(writers[i], path);
    return status == MST_OK ? mst_file_finish_all(writers, count, why) : status;
}

bool target_begin(target *file, const char *path) {
    *file = (target){.text = stream_memory()};
    mst_diagnostic why;
    char *folder;
    if (!strcmp(path, "-"))
        return true;
    const mst_file_options how = target_options(path, &folder);
    recover_at(path);
    bool begun = mst_file_create(path, &how, &file->writer, &why) == MST_OK;
    free(folder);
    if (begun)
        writer_hurry(file->writer, path);
    else
        say(MST_ERROR, "%s", why.message);
    return begun;
}

void target_hurry(target *file) {
    mst_file_hurry(file->writer);
}

void target_abandon(target *file) {
    if (file->writer)
        mst_file_abandon(file->writer);
    stream_free(&file->text);
}

static int finish(target *files, size_t count) {
    mst_file_writer *writers[TARGETS_MAX] = {NULL};
    size_t open = 0;
    bool complete = true;
    for (size_t i = 0; i < count; i++) {
        hand_over(&files[i], files[i].text.data, files[i].text.size);
        if (files[i].writer)
            writers[open++] = files[i].writer;
        else
            complete = complete && !files[i].failed;
        stream_free(&files[i].text);
    }
    mst_diagnostic why;
    if (mst_file_finish_all(writers, open, &why) == MST_OK)
        return complete ? EXIT_YES : stdout_failed() ? stdout_code() : EXIT_TROUBLE;
    say(MST_ERROR, "%s", why.message);
    return exit_code(why.status);
}

bool target_finish(target *file) {
    return finish(file, 1) == EXIT_YES;
}

int target_settle(target *file, mst_status status, const char *input, const mst_diagnostic *why) {
    return targets_settle(file, 1, status, input, why);
}

int targets_settle(target *files, size_t count, mst_status status, const char *input,
                   const mst_diagnostic *why) {
    bool failed = false;
    for (size_t i = 0; i < count; i++)
        failed = failed || files[i].failed;
    if (status == MST_OK || failed)
        return finish(files, count);
    for (size_t i = 0; i < count; i++)
        target_abandon(&files[i]);
    return say_diagnosis(input, why);
}

bool may_be_binary(const char *path, const char *what) {
    if (strcmp(path, "-") != 0 || output_path || !system_is_terminal(STDOUT))
        return true;
    say(MST_ERROR, "%s is binary and stdout is a terminal; write to a file with -o FILE or to a pipe", what);
    return false;
}
