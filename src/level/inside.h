/* SPDX-License-Identifier: MIT */
/* The internals of a level: its documents, each with the file that it was opened from, and its sidecars. */
#ifndef MST_LEVEL_INSIDE_H
#define MST_LEVEL_INSIDE_H

#include "../core/arena.h"
#include "../core/file.h"
#include "../read/opened.h"
#include "sources.h"
#include <string.h>

/* A document and its origin. */
typedef struct mst_level_part {
    const char *path; /* as shown */
    const char *name; /* by which the level's other files reference it; "" if it was opened by its path */
    mst_document *document;
    mst_file_bytes file;        /* its bytes, unless it is a member */
    mst_container_bytes member; /* its bytes in the level's container */
    bool is_member, is_json, is_salvaged;
    bool is_sidecar;     /* opened by mst_level_find: not part of the scene */
    bool is_alone;       /* one of two files, opened because another document changes it */
    size_t before_count; /* `writable`: its files as last read or saved */
    mst_file_bytes before[MST_SAVE_FILES];
} mst_level_part;

struct mst_level {
    mst_allocator allocator;
    mst_arena arena;           /* texts */
    mst_level_options options; /* without pointers to the caller's texts */
    mst_container *container;  /* NULL: the level consists of files */
    bool own_container, own_cache;
    mst_level_cache *cache;
    mst_resolver resolver;
    mst_array parts;    /* mst_level_part */
    const char *folder; /* the directory that it was opened from, with a slash; NULL: its path names a file */
    bool identifies;    /* only identifies, see mst_level_identify */
    bool together;      /* an edit changed several documents, which must be saved together */
};

/* The bytes of an input. */
typedef struct mst_level_bytes {
    const void *data;
    size_t size;
} mst_level_bytes;

static inline mst_level_part *mst_level_part_at(const mst_level *level, size_t index) {
    return level && index < level->parts.count ? (mst_level_part *)level->parts.items + index : NULL;
}
static inline bool mst_level_is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}
static inline mst_level_bytes mst_level_part_bytes(const mst_level_part *part) {
    return part->is_member ? (mst_level_bytes){part->member.data, part->member.size}
                           : (mst_level_bytes){part->file.data, part->file.size};
}

/* Around each access to a container that the caller may share between threads. */
static inline void mst_level_guard(const mst_level_options *options, bool enter) {
    if (options->guard)
        options->guard(options->guard_user, enter);
}

/* ---- documents (part.c) ------------------------------------------------------------------------- */

/* Reads one input, which becomes the last part, from a reader that may already be open. `member` is its index
 * in the level's container; SIZE_MAX: `path` is a file. Only group.c calls it. */
mst_status mst_level_read_part(mst_level *level, const char *path, size_t member, mst_file_reader *reader,
                               const mst_level_options *options, mst_diagnostic *diagnostic);
void mst_level_part_free(mst_level *level, mst_level_part *part);
/* Remembers the files of a part, as opened or as saved, for the next time that it is saved. */
mst_status mst_level_part_remember(mst_level *level, mst_level_part *part, bool opened);

/* Calls options->report. */
void mst_level_warn(const mst_level_options *options, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- documents with the files that belong to them (group.c) -------------------------------------- */

/* Opens one input as the last part, like mst_level_read_part, and makes it join a group. */
mst_status mst_level_open_part(mst_level *level, const char *path, size_t member,
                               const mst_level_options *options, mst_diagnostic *diagnostic);

/* The same for a file whose reader may already be open. */
mst_status mst_level_open_part_from(mst_level *level, const char *path, size_t member,
                                    mst_file_reader *reader, const mst_level_options *options,
                                    mst_diagnostic *diagnostic);

/* Allows edits of the part's document to change the files of its group: the part must be saved in place. */
mst_status mst_level_join_group(mst_level *level, mst_level_part *part);

/* ---- sidecars (sidecars.c) ---------------------------------------------------------------------- */

/* Makes level->resolver for the directory of a path; the cache is reused if the directory is the same. */
mst_status mst_level_find_beside(mst_level *level, const char *path, const mst_level_options *options,
                                 mst_diagnostic *diagnostic);
/* A file in the same directory as a member of a container; with `anywhere`, otherwise in any directory. */
mst_status mst_level_member_beside(mst_container *container, const char *member, const char *name,
                                   bool anywhere, const void **bytes, size_t *size);
/* The path of the file that the resolver found last; NULL if it is not a file in a directory. */
const char *mst_level_found_path(const mst_level *level);

/* ---- several levels (choose_files.c) ------------------------------------------------------------------ */

/* Opens the documents of the level in `container` that options->level names, or of the only one. `prefix`
 * is put before the names of members. */
mst_status mst_level_choose(mst_level *level, mst_container *container, const char *prefix,
                            const mst_level_options *options, mst_diagnostic *diagnostic);

#endif
