/* SPDX-License-Identifier: MIT */
/*
 * Included by every other header: status codes, diagnostics, the caller's allocator, and output sinks.
 *
 * Rules that hold everywhere
 *   - No global state. Different documents may be used by different threads at the same time; one document
 *     may be read by many threads at the same time, but an edit needs it exclusively.
 *   - Options are structs that begin with their size, `mst_open_options options = {.size = sizeof options};`,
 *     so that a program also works with a library that has fewer or more of them; a missing size is
 *     MST_ARGUMENT. Zero-initialise the rest: zero is always the sensible default.
 *   - Errors are values. A function that can fail returns an mst_status; if it takes an mst_diagnostic that
 *     is not NULL, it fills that in whenever it returns anything but MST_OK.
 *   - Offsets and sizes are bytes; offsets are absolute, from the first byte of the file.
 *   - Input and output text is UTF-8.
 *   - A missing required argument (a NULL pointer, a zeroed value, a sink without `write`) is MST_ARGUMENT; a
 *     function that returns no status then returns 0, NULL, "" or a zeroed struct. Options and diagnostics
 *     may always be NULL, as may other arguments where a comment allows it.
 */
#ifndef MAPSTONE_BASE_H
#define MAPSTONE_BASE_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MST_VERSION_MAJOR 0
#define MST_VERSION_MINOR 1
#define MST_VERSION_PATCH 0
#define MST_VERSION       "0.1.0"

#if defined(_WIN32) && defined(MST_BUILD_SHARED)
#define MST_API __declspec(dllexport)
#elif defined(MST_BUILD_SHARED) && defined(__GNUC__)
#define MST_API __attribute__((visibility("default")))
#else
#define MST_API
#endif

/* The version of the linked library, as "major.minor.patch"; MST_VERSION is the header's. */
MST_API const char *mst_version(void);

typedef enum mst_status {
    MST_OK = 0,
    MST_NO_MEMORY,   /* the allocator failed, or the document's budget is used up */
    MST_IO,          /* a file could not be read or written */
    MST_ARGUMENT,    /* the caller passed something invalid */
    MST_UNKNOWN,     /* the bytes are not in a format known to this library */
    MST_DAMAGED,     /* the bytes are in a known format, but their structure is invalid */
    MST_NO_PATH,     /* no such field, element or name */
    MST_REFUSED,     /* the operation would lose or corrupt data */
    MST_UNSUPPORTED, /* this build of the library lacks an optional part */
    MST_STOPPED      /* one of the caller's callbacks asked to stop */
} mst_status;

/* The name of a status, such as "no memory"; never NULL. */
MST_API const char *mst_status_text(mst_status status);

typedef enum mst_severity {
    MST_INFORMATION = 0, /* valid, but worth knowing */
    MST_WARNING,         /* unusual; the file opens and is preserved unchanged */
    MST_ERROR            /* the file contradicts itself, or cannot be read */
} mst_severity;

/* Reasons that a program can do something about, without reading the message. */
typedef enum mst_reason {
    MST_REASON_NONE = 0,     /* all others */
    MST_REASON_INPUT_LIMIT,  /* a file is larger than the caller's limit for inputs */
    MST_REASON_GROWTH_LIMIT, /* the result would be larger than the limit for growth */
    MST_REASON_MEMORY_LIMIT, /* the limit for memory is too low */
    MST_REASON_NEAR_NAME,    /* the name is unknown, and the message suggests a similar one */
    MST_REASON_OTHER_BASE    /* a model was made of another level; `expected` is "SHA-256 " and its sum */
} mst_reason;

/*
 * One diagnostic: the problem, its location, and the expected and found values. It owns its text, so it may
 * be copied and kept. Text that does not fit is cut at a character boundary and ends in "..."; paths fit
 * unless they are nested more than about twenty levels deep.
 */
typedef struct mst_diagnostic {
    mst_status status; /* MST_OK for findings of a check */
    mst_severity severity;
    mst_reason reason;
    uint64_t offset;    /* first affected byte, in the file; MST_NO_OFFSET if none */
    uint64_t length;    /* number of affected bytes; may be 0 */
    uint64_t inner;     /* with `packed`: the first affected byte in the unpacked content */
    bool packed;        /* `offset` locates the packed bytes, and `length` counts unpacked ones */
    char file[64];      /* in a document of several files: the file that `offset` refers to */
    char code[32];      /* stable, such as "NS2-CHUNK-OVERRUN"; empty if not about a format */
    char path[400];     /* such as "objects[12].properties[3].value"; may be empty */
    char expected[140]; /* may be empty; several names are listed closest match first */
    char found[80];     /* may be empty */
    char message[200];  /* one sentence without a full stop */
} mst_diagnostic;

#define MST_NO_OFFSET UINT64_MAX

/* Called once for each finding. Returning anything but MST_OK stops the operation with that status. */
typedef mst_status (*mst_report_function)(void *user, const mst_diagnostic *diagnostic);

/*
 * Writes "path: message (expected E, found F) [CODE] at offset 0x.." to `text`, at most `capacity` bytes
 * including the final NUL, and returns the length of the untruncated text, as snprintf does. An offset in
 * packed content is written as "0x10+0x24": content packed at 0x10, and the offset in its unpacked form.
 */
MST_API size_t mst_diagnostic_text(const mst_diagnostic *diagnostic, char *text, size_t capacity);

/*
 * The caller's allocator: one function that allocates (old NULL), grows or shrinks (neither 0) and frees
 * (new_size 0; the result is ignored). It returns NULL on failure. The default is malloc and its relatives.
 */
typedef struct mst_allocator {
    void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
    void *user;
} mst_allocator;

/*
 * Runs parts of a task in parallel: `run` calls work(data, i) for each i below `count`, in any order and on
 * any threads, and returns when all are done. Zero: they run sequentially. If it is set, the allocator must
 * allow calls from several threads.
 */
typedef struct mst_parallel {
    void (*run)(void *user, size_t count, void (*work)(void *data, size_t index), void *data);
    void *user;
} mst_parallel;

/*
 * A destination for output. `write` is called with consecutive pieces and must consume each completely;
 * returning anything but MST_OK stops the operation with that status.
 */
typedef struct mst_sink {
    mst_status (*write)(void *user, const void *data, size_t size);
    void *user;
} mst_sink;

/* A growing buffer to be used as a sink. Zero-initialise it (or set `allocator`); free it with
 * mst_buffer_free. */
typedef struct mst_buffer {
    unsigned char *data;
    size_t size;
    size_t capacity;
    mst_allocator allocator; /* zero: malloc and its relatives */
} mst_buffer;

MST_API mst_sink mst_buffer_sink(mst_buffer *buffer);
MST_API void mst_buffer_free(mst_buffer *buffer);

#ifdef __cplusplus
}
#endif
#endif
