/* SPDX-License-Identifier: MIT */
/*
 * Models (.I3D): their data is made of parts that are found by offsets. Parsed, it is a list of the parts in
 * the order of the file, each as it is stored, with the numbers of other parts in place of offsets.
 */
#ifndef MST_FORMATS_REVENANT_MODEL_H
#define MST_FORMATS_REVENANT_MODEL_H

#include "imagery.h"

/* The kinds of parts. A body without the last two numbers is one without tags. */
enum {
    MST_MODEL_BODY,
    MST_MODEL_SHORT_BODY,
    MST_MODEL_STATES,
    MST_MODEL_NAMED_STATES,
    MST_MODEL_ICON,
    MST_MODEL_MOTION,
    MST_MODEL_ROOT_MOTION,
    MST_MODEL_FACING_MOTION,
    MST_MODEL_VERTEX_STATES,
    MST_MODEL_VERTEX_FRAMES,
    MST_MODEL_VERTICES,
    MST_MODEL_FACES,
    MST_MODEL_MATERIALS,
    MST_MODEL_TEXTURES,
    MST_MODEL_TEXTURE_FRAMES,
    MST_MODEL_PIXELS,
    MST_MODEL_OBJECTS,
    MST_MODEL_OBJECT_FACES,
    MST_MODEL_OBJECT_STATES,
    MST_MODEL_OBJECT_LONG_STATES,
    MST_MODEL_KEYS,
    MST_MODEL_LONG_KEYS,
    MST_MODEL_TAGS,
    MST_MODEL_SOUND_TAGS,
    MST_MODEL_TEXT,
    MST_MODEL_KINDS
};

/* The elements of a kind: their size, and where they have offset fields. */
typedef struct mst_model_kind {
    uint8_t size, count; /* of offset fields */
    uint8_t fields[7];
} mst_model_kind;
extern const mst_model_kind mst_model_kinds[MST_MODEL_KINDS];

typedef struct mst_model_part {
    uint32_t at, size; /* in the data */
    uint32_t count;    /* of elements */
    uint32_t of;       /* frames of textures: bytes of pixels of each */
    uint32_t field;    /* the offset field that leads to it */
    uint8_t kind;
} mst_model_part;

/* The parts of a model's data, in its order. */
typedef struct mst_model_parts {
    mst_array items; /* mst_model_part */
    mst_array links; /* the same, once for each field that leads to one, in the order of the fields */
    mst_status status;
} mst_model_parts;
/* False: the data is not made of such parts, or there is no memory. Free `items` and `links` either way. */
bool mst_model_find_parts(const mst_imagery *imagery, const mst_allocator *allocator, mst_model_parts *parts);

/* Orders parts by their place. */
int mst_model_by_place(const void *a, const void *b);
/* The number of the part that the offset field leads to; MST_IMAGERY_NONE: to none. */
uint32_t mst_model_target(const mst_model_parts *parts, uint32_t field);

enum { MST_MODEL_OF_PARTS, MST_MODEL_OF_BYTES }; /* the form of parsed data */

mst_status mst_model_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                           mst_diagnostic *diagnostic);
mst_status mst_model_serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                               mst_diagnostic *diagnostic);
mst_status mst_model_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic);

#endif
