/* SPDX-License-Identifier: MIT */
/* Reading files into memory, and listing directories. For writing see <mapstone/file.h>. */
#ifndef MST_CORE_FILE_H
#define MST_CORE_FILE_H

#include <mapstone/file.h>
#include <stdbool.h>

/* MST_IO with a number of errno.h: "cannot read maps/a.level: No such file or directory" */
mst_status mst_fail_file(mst_diagnostic *diagnostic, const char *verb, const char *path, int error);

typedef struct mst_file_bytes {
    const uint8_t *data;
    size_t size;
    int mapped; /* 1: mmap; 0: from the allocator */
    mst_allocator allocator;
} mst_file_bytes;

/*
 * Reads a regular file (mapped where the system can, unless it is to be `unmapped`: then later changes to the
 * file do not affect the bytes), a pipe or a device ("-" is standard input) to its end. `limit` is the
 * maximum size of anything that is not a regular file (0: 4 GiB). A directory is MST_IO. Free with
 * mst_file_bytes_free.
 */
mst_status mst_file_read(const char *path, const mst_allocator *allocator, uint64_t limit, bool unmapped,
                         mst_file_bytes *bytes, mst_diagnostic *diagnostic);

#define MST_FILE_BEGINNING 4096

/* The same in steps, if its beginning decides whether the rest is needed. */
typedef struct mst_file_reader {
    const char *path;
    int file;      /* negative: it is not open */
    uint64_t size; /* of a regular file; 0: unknown */
    size_t beginning_size;
    uint8_t beginning[MST_FILE_BEGINNING];
} mst_file_reader;
mst_status mst_file_open(const char *path, mst_file_reader *reader, mst_diagnostic *diagnostic);
/* The same, following no link after the first `root` characters: mst_system_open_below. */
mst_status mst_file_open_below(const char *path, size_t root, mst_file_reader *reader,
                               mst_diagnostic *diagnostic);
/* Reads the beginning, as much as fits. */
mst_status mst_file_peek(mst_file_reader *reader, mst_diagnostic *diagnostic);
/* Whether a file of known size has these bytes at `offset`: at most 16. */
bool mst_file_has(const mst_file_reader *reader, uint64_t offset, const char *bytes, size_t size);
/* Reads the whole file, and closes it in any case. */
mst_status mst_file_rest(mst_file_reader *reader, const mst_allocator *allocator, uint64_t limit,
                         bool unmapped, mst_file_bytes *bytes, mst_diagnostic *diagnostic);
/* It may be closed already. */
void mst_file_close(mst_file_reader *reader);

void mst_file_bytes_free(mst_file_bytes *bytes);

/* Whether the path leads to a regular file, so that opening it cannot block: MST_NO_PATH if it does not,
 * MST_IO if that cannot be determined. */
mst_status mst_file_is_regular(const char *path);

/* Whether the file or directory exists and may be read. */
bool mst_file_may_read(const char *path);

typedef enum mst_file_kind {
    MST_FILE_NONE = 0,  /* does not exist */
    MST_FILE_REGULAR,   /* also through a symbolic link */
    MST_FILE_DIRECTORY, /* not through a link, unless the path ends with a slash */
    MST_FILE_OTHER
} mst_file_kind;
/* The type of the path, and the size of a regular file (`size` may be NULL). */
mst_file_kind mst_file_look(const char *path, uint64_t *size);

/*
 * Calls `each` with every name in a directory except "." and "..", in no particular order, until it returns
 * something other than MST_OK, which is then returned; in this case the callback fills in the diagnostic.
 * `each` NULL: only checks that the directory can be read. MST_IO if it cannot.
 */
mst_status mst_directory_read(const char *path, mst_status (*each)(void *user, const char *name), void *user,
                              mst_diagnostic *diagnostic);

#endif
