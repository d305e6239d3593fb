/* SPDX-License-Identifier: MIT */
/* The parts of a glTF file that is being read: its JSON, buffers and accessors. */
#ifndef MST_IMPORT_GLTF_FILE_H
#define MST_IMPORT_GLTF_FILE_H

#include "model.h"

/* The elements of one of the lists of the file. */
typedef struct mst_gltf_items {
    const char *name;
    uint32_t *at; /* nodes of the JSON */
    uint32_t count;
} mst_gltf_items;

typedef struct mst_gltf_bytes {
    const unsigned char *data; /* NULL: not read yet */
    size_t size;
} mst_gltf_bytes;

typedef struct mst_gltf_file {
    mst_model *model;
    mst_arena *arena;
    const mst_json *json;
    mst_gltf_bytes binary; /* of a GLB */
    const mst_resolver *beside;
    mst_gltf_items buffers, views, accessors;
    mst_gltf_bytes *contents; /* of buffers */
    const void **read;        /* two for each accessor, its decoded content: floats, indices */
    mst_report_function report;
    void *user;
    mst_diagnostic *diagnostic;
    size_t size;
} mst_gltf_file;

/* Fails with a code and the position in the JSON: `list` with the index of its element. */
mst_status mst_gltf_wrong(const mst_gltf_file *file, const char *code, const char *list, uint64_t index,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));
mst_status mst_gltf_no_memory(const mst_gltf_file *file);

/* Splits a GLB, or takes a text as its JSON, and reads that. */
mst_status mst_gltf_open_file(mst_gltf_file *file, const void *bytes, size_t size);
/* The elements of a list at the top of the file; none if there is no such list. */
mst_status mst_gltf_list(const mst_gltf_file *file, uint32_t object, const char *name, mst_gltf_items *items);

/* Members of an object. A missing number is `otherwise`; false: it is of another type. */
uint32_t mst_gltf_member(const mst_gltf_file *file, uint32_t object, const char *name);
bool mst_gltf_index(const mst_gltf_file *file, uint32_t object, const char *name, uint64_t otherwise,
                    uint64_t *number);
bool mst_gltf_real(const mst_gltf_file *file, uint32_t object, const char *name, double otherwise,
                   double *number);
bool mst_gltf_reals(const mst_gltf_file *file, uint32_t object, const char *name, unsigned count,
                    double *numbers);
/* A text that is kept, "" if missing. NULL: no memory. */
const char *mst_gltf_text(const mst_gltf_file *file, uint32_t object, const char *name);

/* The content of an accessor, `width` floats each; normalised integers are converted to floats. */
mst_status mst_gltf_floats_of(mst_gltf_file *file, uint64_t accessor, unsigned width, const float **values,
                              uint32_t *count);
mst_status mst_gltf_indices_of(mst_gltf_file *file, uint64_t accessor, const uint32_t **values,
                               uint32_t *count);

#endif
