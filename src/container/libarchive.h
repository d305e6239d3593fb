/* SPDX-License-Identifier: MIT */
/*
 * The functions of libarchive that archive.c calls. The program is linked with them, or the library is loaded
 * when the first archive is opened: loading it and its dependencies takes four fifths of the command's
 * startup time. The types are repeated here; libarchive.c compares them with <archive.h>.
 */
#ifndef MST_CONTAINER_LIBARCHIVE_H
#define MST_CONTAINER_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define MST_LIBARCHIVE_FUNCTIONS(FUNCTION)                                                                  \
    FUNCTION(struct archive *, read_new, (void))                                                            \
    FUNCTION(int, read_free, (struct archive *))                                                            \
    FUNCTION(int, read_support_filter_gzip, (struct archive *))                                             \
    FUNCTION(int, read_support_filter_bzip2, (struct archive *))                                            \
    FUNCTION(int, read_support_filter_xz, (struct archive *))                                               \
    FUNCTION(int, read_support_format_tar, (struct archive *))                                              \
    FUNCTION(int, read_support_format_7zip, (struct archive *))                                             \
    FUNCTION(int, read_support_format_cab, (struct archive *))                                              \
    FUNCTION(int, read_support_format_iso9660, (struct archive *))                                          \
    FUNCTION(int, read_support_format_zip_streamable, (struct archive *))                                   \
    FUNCTION(int, read_open_memory, (struct archive *, const void *, size_t))                               \
    FUNCTION(int, read_next_header, (struct archive *, struct archive_entry **))                            \
    FUNCTION(la_int64_t, read_header_position, (struct archive *))                                          \
    FUNCTION(la_ssize_t, read_data, (struct archive *, void *, size_t))                                     \
    FUNCTION(int, read_data_block, (struct archive *, const void **, size_t *, la_int64_t *))               \
    FUNCTION(const char *, error_string, (struct archive *))                                                \
    FUNCTION(int, format, (struct archive *))                                                               \
    FUNCTION(int, filter_count, (struct archive *))                                                         \
    FUNCTION(la_int64_t, filter_bytes, (struct archive *, int))                                             \
    FUNCTION(__LA_MODE_T, entry_filetype, (struct archive_entry *))                                         \
    FUNCTION(const char *, entry_hardlink, (struct archive_entry *))                                        \
    FUNCTION(const char *, entry_pathname, (struct archive_entry *))                                        \
    FUNCTION(const char *, entry_pathname_utf8, (struct archive_entry *))                                   \
    FUNCTION(la_int64_t, entry_size, (struct archive_entry *))                                              \
    FUNCTION(int, entry_is_data_encrypted, (struct archive_entry *))
/* clang-format on */

#define MST_LIBARCHIVE_MEMBER(type, name, arguments) type(*name) arguments;
typedef struct mst_libarchive {
    MST_LIBARCHIVE_FUNCTIONS(MST_LIBARCHIVE_MEMBER)
} mst_libarchive;
#undef MST_LIBARCHIVE_MEMBER

/* Fills in all functions. On failure `why` states what is missing and what to install. Several threads may
 * call it: the system loads a library once. */
bool mst_libarchive_load(mst_libarchive *functions, char *why, size_t capacity);

#endif
