/* SPDX-License-Identifier: MIT */
/*
 * Containers: a directory, an archive (.zip, .kpf, .rvm, .tar, .iso, ...), a GameCube disc image, or files
 * supplied by the caller, whose members are read by name. Nothing is ever written into one.
 *
 *     mst_container *game;
 *     if (mst_container_open("game.kpf", NULL, &game, &why) == MST_OK) {
 *         for (size_t i = 0; i < mst_container_count(game); i++)
 *             puts(mst_container_name(game, i));
 *         ...
 *         mst_container_close(game);
 *     }
 */
#ifndef MAPSTONE_CONTAINER_H
#define MAPSTONE_CONTAINER_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mst_container mst_container;

typedef struct mst_container_options {
    size_t size; /* sizeof(mst_container_options) */
    mst_allocator allocator;
    /* The largest member to read, in bytes; larger ones are only listed. 0: 1 GiB, and a compressed member
     * may unpack to 16 MiB or to 200 times its compressed size (in a streamed archive: the size of the
     * archive), whichever is more. */
    uint64_t member_limit;
    /* Bytes that all read members together may unpack to. 0: 200 times the size of the archive plus 64 MiB,
     * or 16 GiB if member_limit is not 0. */
    uint64_t total_limit;
    /* How often a streamed archive, whose members can only be reached by unpacking everything before them
     * (tar.gz, 7z, cab), may be reread from its beginning. 0: 32. */
    unsigned pass_limit;
    bool unmapped; /* files are read instead of mapped: see mst_open_file */
    /* Receives warnings that do not keep the container from opening: a disc of another game, omitted members,
     * sidecars that cannot be read. */
    mst_report_function report;
    void *report_user;
} mst_container_options;

/* Opens a directory (recursively; links to directories are not followed), an archive or a disc image.
 * MST_UNKNOWN: the file is not an archive. MST_UNSUPPORTED: the library was built without libarchive or
 * cannot load it (the message states what to install), and then reads only stored and deflated members of zip
 * archives, and disc images; or a compressed disc image (RVZ, WIA, CISO, GCZ, WBFS), which must be converted
 * to a plain one first. MST_DAMAGED, with the code SFA-DISC: the file table of a disc image is invalid; files
 * beyond the end of the image are listed, and only reading them fails. */
MST_API mst_status mst_container_open(const char *path, const mst_container_options *options,
                                      mst_container **container, mst_diagnostic *diagnostic);
/*
 * Files that the program supplies, such as files dropped onto a web page: names with '/' between directories,
 * which are made safe like names from an archive. They are read when needed, and must not change until the
 * container is closed.
 */
typedef struct mst_container_files {
    size_t size; /* sizeof(mst_container_files) */
    size_t count;
    /* The name of a file (UTF-8, valid during the call) and the number of its bytes; NULL: it is left out. */
    const char *(*name)(void *user, size_t index, uint64_t *size);
    /* Copies `count` bytes from `offset` on, all of which are within the file. */
    mst_status (*read)(void *user, size_t index, uint64_t offset, void *to, size_t count);
    void *user;
} mst_container_files;
MST_API mst_status mst_container_open_files(const mst_container_files *files,
                                            const mst_container_options *options, mst_container **container,
                                            mst_diagnostic *diagnostic);
/* Opens one of these files, a zip archive (.zip, .kpf) or a disc image. Only the needed bytes are read, so it
 * may be larger than memory. MST_UNKNOWN: it is neither. MST_UNSUPPORTED: it is an archive that can only be
 * read as a whole. */
MST_API mst_status mst_container_open_slices(const mst_container_files *files, size_t index,
                                             const mst_container_options *options, mst_container **container,
                                             mst_diagnostic *diagnostic);
/* Whether the first bytes of a file are those of an archive or disc image (ISO 9660: 0x8006 bytes). */
MST_API bool mst_container_is_archive(const void *bytes, size_t size);
/* The number of files, which are sorted by name; names have '/' between directories. Names from an archive
 * are UTF-8 and stay below the archive: "..", absolute path prefixes and control characters are removed.
 * Links are not files. */
MST_API size_t mst_container_count(const mst_container *container);
MST_API const char *mst_container_name(const mst_container *container, size_t index);
MST_API uint64_t mst_container_size(const mst_container *container, size_t index);
/* The file with that name, ignoring case (an exact match first); SIZE_MAX if there is none. */
MST_API size_t mst_container_find(const mst_container *container, const char *name);
/* The index of the member at `position` in the archive's order (of a directory: by name); SIZE_MAX past the
 * end. In this order all members of a streamed archive are read in one pass; any other order repeats passes.
 */
MST_API size_t mst_container_at(const mst_container *container, size_t position);
/* The bytes of a member, from the container's allocator or mapped; release them with mst_container_release.
 * One thread may read at a time; any may use the bytes. MST_IO if the member exceeds a limit. */
typedef struct mst_container_bytes {
    const void *data;
    size_t size;
    void *held;
} mst_container_bytes;
MST_API mst_status mst_container_read(mst_container *container, size_t index, mst_container_bytes *bytes,
                                      mst_diagnostic *diagnostic);
MST_API void mst_container_release(mst_container *container, mst_container_bytes *bytes);
/* Rewrites a zip archive with other bytes as one member, packed in the same way; everything else, such as
 * other members, times and comments, stays the same to the byte. MST_UNSUPPORTED: it is another kind of
 * container, has 64-bit sizes, or the member's compression can only be read. */
MST_API mst_status mst_container_replace(mst_container *container, size_t index, const void *bytes,
                                         size_t size, mst_sink sink, mst_diagnostic *diagnostic);
/* The first bytes of a member, at most `capacity`, for identifying it: no more than that is unpacked, and no
 * checksum is verified. In a streamed archive the member is unpacked completely and kept for
 * mst_container_read, unless it is too large. */
MST_API mst_status mst_container_peek(mst_container *container, size_t index, void *first, size_t capacity,
                                      size_t *size, mst_diagnostic *diagnostic);
/* Finds sidecars among the members, ignoring case: a plain name matches the last part of a member's name
 * (members outside all directories first), one with '/' the complete name. The resolver and the bytes that it
 * finds are valid until the container is closed. */
MST_API mst_resolver mst_container_resolver(mst_container *container);
/* NULL is allowed. */
MST_API void mst_container_close(mst_container *container);

#ifdef __cplusplus
}
#endif
#endif
