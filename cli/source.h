/* SPDX-License-Identifier: MIT */
/* Opening an input as a document. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "inputs.h"

/* Bytes of a thread's own, used for one file after the other. */
typedef struct buffer {
    char *data;
    size_t capacity;
} buffer;

/* An input, read or opened. Begin with zeros or with `reused` alone. */
typedef struct source {
    mst_document *document;
    bool from_json;
    bool loaded;
    bool salvaged;      /* it was damaged: some of it is left out, which has been said */
    const char *prefix; /* the first bytes, at most PREFIX_CAPACITY */
    size_t prefix_size;
    uint64_t file_size;
    const char *bytes; /* all of them; NULL: large, and not asked for by SOURCE_BYTES */
    size_t size;
    buffer *reused; /* NULL: own memory */
    char *owned;
    archive *in, *own_archive; /* where `member` comes from; opened for this alone */
    mst_container_bytes member;
    const input *item; /* while it is opened */
    bool unmapped;
    mst_search *search; /* of its directory, if the other file of two was looked for */
} source;

enum {
    SOURCE_BYTES = 1,  /* `bytes` must be there, as the file held them before any edit */
    SOURCE_JSON = 2,   /* JSON may stand for a document */
    SOURCE_LENIENT = 4 /* fields missing in JSON are zero */
};

/* Reads the beginning; small files, members and what is not a file whole. Once is enough. */
mst_status source_load(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why);
/* Loads it, and opens it as --from and --as-path say. Close with source_close in every case. */
mst_status source_open(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why);
/* The same for a path that may lead into an archive. */
mst_status source_open_path(source *opened, const char *path, const options *given, unsigned flags,
                            mst_diagnostic *why);
/* Whether the document is two files, which stdout cannot take; then that has been said. */
bool two_files_on_stdout(const mst_document *document);
/* Whether an input is the second file of a document whose first stands beside it. */
bool source_is_second(source *opened, const input *item, const mst_format_information *format);
/* Leaves `reused` alone. */
void source_close(source *opened);

#endif
