/* SPDX-License-Identifier: MIT */
/* Opening an input as a document. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "inputs.h"

/* A thread's buffer, reused for one file after the other. */
typedef struct buffer {
    char *data;
    size_t capacity;
} buffer;

/* An input, read or opened. Zero-initialise it, except for `reused`. */
typedef struct source {
    mst_document *document;
    bool from_json;
    bool loaded;
    bool salvaged;      /* it was damaged: parts are left out, which has been reported */
    const char *prefix; /* the first bytes, at most PREFIX_CAPACITY */
    size_t prefix_size;
    uint64_t file_size;
    const char *bytes; /* all of them; NULL: large, and not requested by SOURCE_BYTES */
    size_t size;
    buffer *reused; /* NULL: own memory */
    char *owned;
    archive *in, *own_archive; /* that contains `member`; opened for this input only */
    mst_container_bytes member;
    const input *item; /* while it is opened */
    bool unmapped;
    mst_search *search; /* of its directory, if the second file was searched for */
} source;

enum {
    SOURCE_BYTES = 1,  /* `bytes` is required: the file's content before any edit */
    SOURCE_JSON = 2,   /* JSON is accepted in place of a level */
    SOURCE_LENIENT = 4 /* fields missing in JSON are zero */
};

/* Reads the beginning of a large file, and anything else completely. Further calls do nothing. */
mst_status source_load(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why);
/* Loads it, and opens it according to --from and --as-path. Close with source_close in any case. */
mst_status source_open(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why);
/* The same for a path that may be inside an archive. */
mst_status source_open_path(source *opened, const char *path, const options *given, unsigned flags,
                            mst_diagnostic *why);
/* True, with a message, if the document is two files, which cannot go to stdout. */
bool two_files_on_stdout(const mst_document *document);
/* Whether an input is the second file of a document whose first is beside it. */
bool source_is_second(source *opened, const input *item, const mst_format_information *format);
/* Leaves `reused` alone. */
void source_close(source *opened);

#endif
