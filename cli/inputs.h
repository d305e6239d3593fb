/* SPDX-License-Identifier: MIT */
/* Inputs of a command: files, directories, archives and their members, stdin. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "archives.h"
#include "options.h"
#include "output.h"
#include <mapstone/document.h>

#define PREFIX_CAPACITY 4096 /* bytes that identify a file */

typedef struct input {
    char *path;     /* "-": stdin; "archive!member" */
    char *relative; /* path below the named directory or archive, else its last part: for output in DIR/ */
    bool named;     /* explicitly, not found in a directory or archive */
    archive *in;    /* the archive that contains it, as `member`; NULL: a file */
    size_t member;
} input;

typedef struct inputs {
    input *items;
    size_t count, capacity;
    bool many;        /* more than one was named, or a directory or archive */
    int code;         /* not EXIT_YES if a directory or archive could not be read */
    uint64_t omitted; /* files that archives left out */
    archive **archives;
    size_t archive_count;
} inputs;

/* Expands directories to the files below them and archives to their members, sorted (members of a streamed
 * archive in its order); links to directories are not followed. */
inputs inputs_expand(const options *given);
void inputs_free(inputs *all);

/* The single file that a command works on; NULL, with a message, if there is none or several. */
const char *input_single(const options *given);

/* Applies --input-limit to everything read from now on; false, with a message, if it is not a size. */
bool input_limit_choose(const options *given);
/* Reads a complete file or stdin. Free `*bytes`. */
mst_status read_whole(const char *path, char **bytes, size_t *size, mst_diagnostic *why);
/* The first bytes, at most `capacity`, and the size of the file. MST_IO if it is not a regular file, which
 * could be read only once. */
mst_status read_prefix(const char *path, void *prefix, size_t capacity, size_t *size, uint64_t *file_size,
                       mst_diagnostic *why);
bool is_regular(const char *path);

/* ".glb" of "maps/a.glb", "" if there is none. */
const char *extension_of(const char *path);
/* The part after the last '/', or after the '!' of an archive's path if no '/' follows. */
const char *base_name(const char *path);

/* A format by its id, or by an extension with its dot; NULL if there is none. */
const mst_format_information *format_by_id(const char *id);
const mst_format_information *format_by_extension(const char *extension);
bool has_extension(const mst_format_information *format, const char *extension);
/* The ids, each after a space; free it. */
stream format_ids(void);
/* False, with a message that lists the formats, if `from` (may be NULL) is neither a format nor "json". */
bool format_is_known(const options *given, const char *from);

/* Splits a copy of `text` at commas; NULL after the last. Free with split_free. */
char **split_commas(const char *text, size_t *count);
void split_free(char **parts);

/* The first '=' outside brackets and quotes; NULL if there is none. */
const char *find_assignment(const char *text);

#endif
