/* SPDX-License-Identifier: MIT */
/* Shared by reading zip archives (zip.c) and rewriting them (zip_replace.c). */
#ifndef MST_CONTAINER_ZIP_H
#define MST_CONTAINER_ZIP_H

#include "container.h"

enum { MST_ZIP_END_SIZE = 22, MST_ZIP_ENTRY_SIZE = 46, MST_ZIP_HEADER_SIZE = 30 };

typedef struct mst_zip_directory {
    uint64_t begin, end; /* of the directory */
    uint64_t base;       /* of the archive in the file: other bytes may precede it */
    bool large;          /* it has a zip64 end record */
} mst_zip_directory;

bool mst_container_is_zip(const mst_container *container);
mst_status mst_zip_find_directory(const mst_container *container, mst_zip_directory *found,
                                  mst_diagnostic *diagnostic);
/* The size of a member's header, which its data follows. */
mst_status mst_zip_find_data(mst_container *container, const mst_container_member *member, uint64_t *begin,
                             mst_diagnostic *diagnostic);
/* The size of a directory entry, which was checked when listing. */
size_t mst_zip_entry_size(const uint8_t *entry);
uint32_t mst_zip_crc(const void *data, size_t size);

#endif
