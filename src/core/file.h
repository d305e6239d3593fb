/* SPDX-License-Identifier: MIT */
/* Files: reading whole ones as views, and writing so that nothing is ever lost. */
#ifndef MST_CORE_FILE_H
#define MST_CORE_FILE_H

#include <mapstone/base.h>

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
void mst_file_bytes_free(mst_file_bytes *bytes);

/*
 * A file being written: goes to a temporary file in the same directory, which mst_file_finish makes durable
 * (fsync) and renames to `path`, keeping the permissions of a file that stood there; a symbolic link is
 * followed. mst_file_abandon removes the temporary file. If `path` names something that is not a regular
 * file (a device, a pipe), it is written directly; "-" and "/dev/stdout" are standard output.
 */
typedef struct mst_file_writer mst_file_writer;
mst_status mst_file_create(const char *path, const mst_allocator *allocator, mst_file_writer **result,
                           mst_diagnostic *diagnostic);
mst_sink mst_file_sink(mst_file_writer *writer);
/* Ends the writer in every case; on failure the temporary file is removed. */
mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic);
void mst_file_abandon(mst_file_writer *writer);

#endif
