/* SPDX-License-Identifier: MIT */
/* Paths: their parts, and the files that they name. */
#ifndef CLI_INPUTS_PATHS_H
#define CLI_INPUTS_PATHS_H

#include "options.h"
#include <stdbool.h>
#include <stddef.h>

/* ".glb" of "maps/a.glb", "" if there is no extension. */
const char *extension_of(const char *path);
/* The part after the last '/', or after the '!' of an archive's path if no '/' follows. */
const char *base_name(const char *path);
/* Whether `path` means a directory: it is one, or ends with a slash. */
bool names_directory(const char *path);

bool is_regular(const char *path);
/* Whether neither a file nor, possibly, a member of an archive has that name. */
bool is_missing(const char *path);
/* Whether two paths name the same existing file. */
bool same_file(const char *a, const char *b);
bool is_directory(const char *path);
/* Stores the paths that the user named: the words of the command line, and `to`, a further output path (may
 * be NULL). They must stay valid. */
void paths_named(const options *given, const char *to);
/* The length of the directory that the user named for files that are written below or next to it with
 * possibly untrusted names: below it no link is followed (mst_file_options.below). SIZE_MAX: the user named
 * the whole path. */
size_t named_length(const char *path);

/* Creates the parent directories of `path`, whose first `named_part` characters the user named; `made` (may
 * be NULL) is called for each new one, the outermost first. False, with a message, if one cannot be
 * created. */
bool make_directories(const char *path, size_t named_part, void (*made)(void *user, const char *directory),
                      void *user);
bool make_parents(const char *path);

/* The length of the archive's path in "archive!member"; 0 if no '!' follows the path of a file, or if
 * `path` itself is a file. */
size_t archive_prefix(const char *path);
/* A copy of the path of the file: of the archive, or the whole path if there is none. */
char *file_of(const char *path);
/* Whether `path` is the file `given`, or the archive that `given` is a member of. */
bool is_input(const char *path, const char *given);
/* True, with a message, if the path is inside an archive. */
bool leads_into_archive(const char *path);
/* Whether a file with that name is an archive or disc image. */
bool names_archive(const char *path);

#endif
