/* SPDX-License-Identifier: MIT */
/* Inputs of a command: files, directories, archives and their members, stdin. */
#ifndef CLI_INPUTS_INPUTS_H
#define CLI_INPUTS_INPUTS_H

#include "../output/streams.h"
#include "archives.h"
#include "options.h"
#include "paths.h"

typedef struct input {
    char *path;     /* "-": stdin; "archive!member" */
    char *relative; /* path below the named directory or archive, else its last part: for output in DIR/ */
    size_t operand; /* index of the operand that it was found by */
    bool named;     /* explicitly, not found in a directory or archive */
    archive *in;    /* the archive that contains it, as `member`; NULL: a file */
    size_t member;
} input;

typedef struct inputs {
    input *items;
    size_t count, capacity;
    bool many;        /* several operands, or a directory or archive */
    int code;         /* not EXIT_YES if a directory or archive could not be read */
    uint64_t omitted; /* files that archives left out */
    bool *searched; /* by operand: a directory or archive of which no file was left out because of its name */
    size_t operand; /* the operand being expanded */
    archive **archives;
    size_t archive_count;
} inputs;

/* Expands directories to the files below them and archives to their members, sorted (members of a streamed
 * archive in its order); links to directories are not followed. */
inputs inputs_expand(const options *given);
/* Removes and reports inputs whose names must not name files below `to` (`.git/x`, `NUL`). */
void inputs_leave_out(inputs *all, const options *given, const char *to);
/* Removes inputs whose `which` is true. */
void inputs_remove(inputs *all, const bool *which);
void inputs_free(inputs *all);

/* The single file that a command works on; NULL, with a message, if there is none or several. */
const char *input_single(const options *given);

#endif
