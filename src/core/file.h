/* SPDX-License-Identifier: MIT */
/* Files: reading whole ones as views, and the names in directories. Writing is <mapstone/file.h>. */
#ifndef MST_CORE_FILE_H
#define MST_CORE_FILE_H

#include <mapstone/file.h>
#include <stdbool.h>

typedef struct mst_file_bytes {
    const uint8_t *data;
    size_t size;
    int mapped; /* 1: mmap; 0: from the allocator */
    mst_allocator allocator;
} mst_file_bytes;

/*
 * The bytes of a regular file (mapped where the system can), of a pipe or of a device ("-" is standard
 * input): read to its end. `limit` bounds what is read from something that is not a regular file
 * (0: 4 GiB). A directory is MST_IO. Free with mst_file_bytes_free.
 */
mst_status mst_file_read(const char *path, const mst_allocator *allocator, uint64_t limit,
                         mst_file_bytes *bytes, mst_diagnostic *diagnostic);
/* The same, and never mapped: what others write into the file later does not show. */
mst_status mst_file_read_unmapped(const char *path, const mst_allocator *allocator, uint64_t limit,
                                  mst_file_bytes *bytes, mst_diagnostic *diagnostic);
void mst_file_bytes_free(mst_file_bytes *bytes);

/* Whether the path leads to a regular file, so that opening it does not wait for anybody: MST_NO_PATH if it
 * does not, MST_IO if that cannot be found out. */
mst_status mst_file_is_regular(const char *path);

typedef enum mst_file_kind {
    MST_FILE_NONE = 0,  /* nothing is there */
    MST_FILE_REGULAR,   /* also by way of a link */
    MST_FILE_DIRECTORY, /* not by way of a link, unless the path ends with a slash */
    MST_FILE_OTHER
} mst_file_kind;
/* What stands there, and the size of a regular file (`size` may be NULL). */
mst_file_kind mst_file_look(const char *path, uint64_t *size);

/*
 * Calls `each` with every name in a directory but "." and "..", in no particular order, until it returns
 * anything but MST_OK; that is returned then, and the diagnosis is the callback's. `each` NULL: only finds
 * out whether the directory can be read. MST_IO if it cannot.
 */
mst_status mst_directory_read(const char *path, mst_status (*each)(void *user, const char *name), void *user,
                              mst_diagnostic *diagnostic);

#endif
