/* SPDX-License-Identifier: MIT */
/* What the arguments stand for: files, directories, archives and their members, stdin. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "archives.h"
#include "options.h"
#include "output.h"
#include <mapstone/document.h>

#define PREFIX_CAPACITY 4096 /* bytes that say what a file is */

typedef struct input {
    char *path;     /* "-": stdin; "archive!member" */
    char *relative; /* below what was named, or its last part: for output beside others */
    bool named;     /* outright, not found in a directory or archive */
    archive *in;    /* that it is a member of, and its number there; NULL: a file */
    size_t member;
} input;

typedef struct inputs {
    input *items;
    size_t count, capacity;
    bool many;        /* more than one was named, or a directory or archive */
    int code;         /* not EXIT_YES if one of these could not be read */
    uint64_t omitted; /* files that archives have, but do not give */
    archive **archives;
    size_t archive_count;
} inputs;

/* What it is called by itself; NULL: stdin. */
const char *input_name(const input *item);
/* Directories stand for the files below them, archives for their members, in sorted order (those of an
 * archive that can only be read from its beginning in its own); links to directories are not followed. */
inputs inputs_expand(const options *given);
void inputs_free(inputs *all);

/* The one operand that a command works on; NULL, and has said so, if there is none or it is many. */
const char *input_single(const options *given);

/* Takes --input-limit for all that is read from now on; false, and has said why, if it is not a size. */
bool input_limit_choose(const options *given);
/* A whole file or stdin. Free `*bytes`. */
mst_status read_whole(const char *path, char **bytes, size_t *size, mst_diagnostic *why);
/* The first bytes, at most `capacity`, and the size of the file. MST_IO if it is not a regular file (`why`
 * says so): such a thing can be read only once. */
mst_status read_prefix(const char *path, void *prefix, size_t capacity, size_t *size, uint64_t *file_size,
                       mst_diagnostic *why);
bool is_regular(const char *path);

/* ".glb" of "maps/a.glb", "" if there is none. */
const char *extension_of(const char *path);
/* What stands after the last '/', or in an archive's path after the '!' if none follows. */
const char *base_name(const char *path);

/* A format by its id, or by an extension with its dot; NULL. */
const mst_format_information *format_by_id(const char *id);
const mst_format_information *format_by_extension(const char *extension);
bool has_extension(const mst_format_information *format, const char *extension);
/* The ids, each after a blank; free it. */
stream format_ids(void);
/* false, and has said which there are, if `from` (may be NULL) is neither a format nor "json". */
bool format_is_known(const options *given, const char *from);

/* Splits a copy of `text` at commas; NULL after the last. Free with split_free. */
char **split_commas(const char *text, size_t *count);
void split_free(char **parts);

/* The first '=' that is not in brackets or in quotes there; NULL if there is none. */
const char *find_assignment(const char *text);

#endif
