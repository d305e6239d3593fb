/* SPDX-License-Identifier: MIT */
/* Opening an input as a level, according to the options. */
#ifndef CLI_INPUTS_OPENED_SOURCE_H
#define CLI_INPUTS_OPENED_SOURCE_H

#include "format_names.h"
#include "inputs.h"
#include <mapstone/level.h>

/* An opened input. Zero-initialise it, except for the members used by opening it. */
typedef struct source {
    mst_level_cache *cache;       /* NULL: nothing is cached for the next input */
    const mst_resolver *sidecars; /* files to be found before any others; NULL: none */
    mst_level *level;
    mst_document *document; /* its first; NULL: only its bytes were read */
    bool from_json;
    bool salvaged;     /* it was damaged: parts are left out, and have been reported */
    const char *bytes; /* of the file, before any edit */
    size_t size;
    archive *own_archive; /* opened for this input only */
    bool in_place;        /* its edits keep every element at its index */
    /* with SOURCE_IDENTIFY, also if opening fails: */
    const mst_format_information *format; /* NULL: unknown */
    uint64_t file_size;
} source;

enum {
    SOURCE_JSON = 1,    /* JSON is accepted in place of a level */
    SOURCE_LENIENT = 2, /* fields missing in JSON are zero */
    SOURCE_EDIT = 4,    /* it will be changed, perhaps in place */
    SOURCE_READ = 8,    /* only the bytes are read, without a document */
    SOURCE_IDENTIFY = 16
};

/* Applies --input-limit to everything read from now on, and the other limits; false, with a message, if one
 * is not a size. */
bool limits_choose(const options *given);
/* --growth-limit; 0: not given. */
uint64_t growth_limit(void);
uint64_t memory_limit(void); /* --memory-limit */
/* Reads a complete file or stdin; a NUL follows it. Free `*bytes`. */
mst_status read_whole(const char *path, char **bytes, size_t *size, mst_diagnostic *why);

/* The same for a text: as UTF-8, by its byte order mark. */
mst_status read_text(const char *path, char **text, mst_diagnostic *why);

/* False, with a message, if one of the directories of --search-path cannot be read. */
bool search_paths_exist(const options *given);

/* Opens it according to --from and --as-path. MST_UNKNOWN, quickly, for an input that was not named and is
 * not recognised. Close with source_close in any case. */
mst_status source_open(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why);
/* The same for a path that may be inside an archive; initialises `opened`. */
/* Adds a further file to an open level, such as another sector; it is opened like the level. */
mst_status source_add(source *opened, const char *path, const options *given, unsigned flags,
                      mst_diagnostic *why);
mst_status source_open_path(source *opened, const char *path, const options *given, unsigned flags,
                            mst_diagnostic *why);
/* The format of an input according to its beginning: MST_UNKNOWN if none, or if it would be skipped. `size`
 * (may be NULL) receives its size. */
mst_status source_identify(const input *item, const options *given, unsigned flags,
                           const mst_format_information **format, uint64_t *size, mst_diagnostic *why);
/* Whether an input is the second of the two files of the document that was opened from it. */
bool source_is_second(const source *opened, const input *item);
/* The path of a file of the document if the document is saved at `path`; to be freed. */
char *saved_path(const mst_document *document, const char *path, size_t index);
/* True, with a message, if the document has two files, which cannot be written to stdout. */
bool two_files_on_stdout(const mst_document *document);
/* Keeps `cache` and `sidecars`. */
void source_close(source *opened);

#endif
