/* SPDX-License-Identifier: MIT */
/* Textures: their header and their levels. */
#ifndef MST_FORMATS_SPARK_DDS_H
#define MST_FORMATS_SPARK_DDS_H

#include "../../codec/dxt.h"
#include "../../files/parsed.h"
#include "spark.h"

/* The first kinds are the values of mst_dxt. */
typedef enum mst_dds_kind {
    MST_DDS_BGRA8 = MST_DXT5 + 1,
    MST_DDS_BGR8,
    MST_DDS_UNREAD /* only with a header extension: the bytes after it are kept unchanged */
} mst_dds_kind;

typedef struct mst_dds_header {
    uint32_t width, height;
    uint32_t kind;             /* mst_dxt or mst_dds_kind */
    uint32_t levels, complete; /* number present, and number in a complete chain */
    uint32_t size;             /* of the header with its extension; levels begin there */
} mst_dds_header;

#define MST_DDS_HEADER     128u
#define MST_DDS_EXTENSION  20u
#define MST_DDS_MAX_SIDE   16384u
#define MST_DDS_MAX_LEVELS 15u

static inline bool mst_dds_is_packed(uint32_t kind) {
    return kind <= MST_DXT5;
}

/* Reads the header of a file and checks it. MST_UNSUPPORTED: its pixels are of a kind that is not read. */
mst_status mst_dds_read_header(const uint8_t *bytes, uint64_t size, mst_dds_header *header,
                               mst_diagnostic *diagnostic);
/* The header in the parsed bytes of a document, which may have such pixels. */
void mst_dds_header_of(const mst_document *document, mst_dds_header *header);
/* Reports which unsupported pixels it has. */
mst_status mst_dds_unread(const mst_document *document, mst_diagnostic *diagnostic);
/* Sides of a level, and its size in bytes. */
uint32_t mst_dds_side(uint32_t side, uint32_t level);
uint64_t mst_dds_level_size(const mst_dds_header *header, uint32_t level);

/* Decodes a level, whose sides are the header's, to 4 bytes per pixel. */
void mst_dds_decode(const mst_dds_header *header, const uint8_t *data, uint8_t *rgba);

size_t mst_dds_image_count(const mst_document *document);
size_t mst_dds_image_levels(const mst_document *document, size_t index);
mst_status mst_dds_image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                              char *name, mst_diagnostic *diagnostic);
mst_status mst_dds_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                 mst_diagnostic *diagnostic);

#endif
