/* SPDX-License-Identifier: MIT */
/* What reading zip archives (zip.c) and writing them again (zip_replace.c) have in common. */
#ifndef MST_CONTAINER_ZIP_H
#define MST_CONTAINER_ZIP_H

#include "container.h"

enum { MST_ZIP_END_SIZE = 22, MST_ZIP_ENTRY_SIZE = 46, MST_ZIP_HEADER_SIZE = 30 };

typedef struct mst_zip_directory {
    uint64_t begin, end; /* of the directory */
    uint64_t base;       /* of the archive in the file: other bytes may precede it */
    bool large;          /* its end record is that of zip64 */
} mst_zip_directory;

bool mst_container_is_zip(const mst_container *container);
mst_status mst_zip_find_directory(const mst_container *container, mst_zip_directory *found,
                                  mst_diagnostic *diagnostic);
/* The size of a member's header, after which its data is. */
mst_status mst_zip_find_data(mst_container *container, const mst_container_member *member, uint64_t *begin,
                             mst_diagnostic *diagnostic);
/* The size of an entry of the directory, which was listed. */
size_t mst_zip_entry_size(const uint8_t *entry);
uint32_t mst_zip_crc(const void *data, size_t size);

#endif
