/* SPDX-License-Identifier: MIT */
/*
 * Models (.I3D): their data is made of parts that are found by offsets. Parsed, it is a list of the parts in
 * the order of the file, each as stored, with the numbers of other parts in place of offsets.
 */
#ifndef MST_REVENANT_IMAGERY_IMAGERY_MODEL_H
#define MST_REVENANT_IMAGERY_IMAGERY_MODEL_H

#include "imagery.h"

/* The kinds of parts. A short body has no tags. Early bodies are of another kind: the latest of these has
 * everything except the data after the lists of its states, an older one has no parents, and the oldest has
 * no icons either. */
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
    MST_MODEL_OLD_BODY,
    MST_MODEL_OLDER_BODY,
    MST_MODEL_OLDEST_BODY,
    MST_MODEL_ICONS,
    MST_MODEL_PARENTS,
    MST_MODEL_KINDS
};

/* Offset fields that follow each other. */
typedef struct mst_model_fields {
    uint16_t at, count;
} mst_model_fields;
/* The elements of a kind: their size, and the positions of their offset fields, in ascending order. */
typedef struct mst_model_kind {
    uint16_t size;
    uint8_t runs; /* of offset fields */
    mst_model_fields fields[8];
} mst_model_kind;
extern const mst_model_kind mst_model_kinds[MST_MODEL_KINDS];

/* Flags of a body. */
enum {
    MST_MODEL_MORPHS = 1 << 0,
    MST_MODEL_HAS_ICONS = 1 << 1,
    MST_MODEL_HIERARCHY = 1 << 2,
    MST_MODEL_FACES_MOTION = 1 << 3,
    MST_MODEL_HAS_PARTS = 1 << 4,
    MST_MODEL_SOUNDS = 1 << 5,
    MST_MODEL_MOVES_ROOT = 1 << 6,
    MST_MODEL_SHORT_KEYS = 1 << 7
};

/* The offsets of fields in a body of the old kind: counts, and lists of that length. */
enum {
    MST_OLD_VERTEX_COUNT = 4,
    MST_OLD_VERTICES = 8, /* by state */
    MST_OLD_FACE_COUNT = 264,
    MST_OLD_FACES = 268,
    MST_OLD_MATERIAL_COUNT = 272,
    MST_OLD_MATERIALS = 276,
    MST_OLD_TEXTURE_COUNT = 916,
    MST_OLD_TEXTURES = 920,
    MST_OLD_PIXELS = 1784,
    MST_OLD_PALETTES = 1816,
    MST_OLD_FRAME_COUNTS = 1848,
    MST_OLD_OBJECT_COUNT = 1880,
    MST_OLD_NAMES = 1884, /* from here on by object */
    MST_OLD_OBJECT_MATERIALS = 3932,
    MST_OLD_FIRST_VERTICES = 4060,
    MST_OLD_VERTEX_COUNTS = 4188,
    MST_OLD_FIRST_FACES = 4316,
    MST_OLD_FACE_COUNTS = 5340,
    MST_OLD_MOTION = 6364, /* by state */
    MST_OLD_KEYS = 6620,
    MST_OLD_ICONS = 6876,
    MST_OLD_PARENTS = 7132, /* by object */
    MST_OLD_END = 7388
};
#define MST_OLD_TEXTURE      108u
#define MST_OLD_TEXTURES_MAX 8u  /* and materials */
#define MST_OLD_OBJECTS_MAX  64u /* and states */

typedef struct mst_model_part {
    uint32_t at, size; /* in the data */
    uint32_t count;    /* of elements */
    uint32_t of;       /* frames of textures: bytes of pixels in each */
    uint32_t field;    /* the offset field that points to it */
    uint8_t kind;
} mst_model_part;

/* The parts of a model's data, in their order in it. */
typedef struct mst_model_parts {
    mst_array items; /* mst_model_part */
    mst_array links; /* the same, once for each field that points to one, in the order of the fields */
    mst_status status;
} mst_model_parts;
/* False: the data does not consist of such parts, or no memory. Free `items` and `links` either way. */
bool mst_model_find_parts(const mst_imagery *imagery, const mst_allocator *allocator, mst_model_parts *parts);
/* Whether data begins with a body that should have parts, but of a version that is not known to have them. */
bool mst_model_is_third_kind(const uint8_t *data, size_t size, uint32_t *version);

/* Orders parts by position. */
int mst_model_by_place(const void *a, const void *b);
/* The number of the part that the offset field points to; MST_IMAGERY_NONE: none. */
uint32_t mst_model_target(const mst_model_parts *parts, uint32_t field);

enum { MST_MODEL_OF_PARTS, MST_MODEL_OF_BYTES }; /* the form of parsed data */

mst_status mst_model_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                           mst_diagnostic *diagnostic);
mst_status mst_model_serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                               mst_diagnostic *diagnostic);
mst_status mst_model_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic);

#endif
