/* SPDX-License-Identifier: MIT */
/* Arrays of a glTF file: buffers, and accessors with strides and sparse values. */
#include "../core/base64.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/uri.h"
#include "gltf_file.h"
#include <math.h>

enum { I8 = 5120, U8, I16, U16, U32 = 5125, F32 };

static unsigned size_of(uint64_t component) {
    return component == I8 || component == U8     ? 1
           : component == I16 || component == U16 ? 2
           : component == U32 || component == F32 ? 4
                                                  : 0;
}

/* ---- buffers ---- */

static mst_status find_file(const mst_gltf_file *file, uint64_t index, const mst_json_node *uri,
                            mst_gltf_bytes *content) {
    char name[MST_URI_CAPACITY];
    const void *bytes = NULL;
    size_t size = 0;
    if (!mst_uri_file_name(uri->text, uri->length, name))
        return mst_gltf_wrong(file, "GLTF-URI", "buffers", index,
                              "the buffer is not a file next to the model");
    if (!file->beside || !file->beside->find ||
        file->beside->find(file->beside->user, name, &bytes, &size) != MST_OK)
        return mst_gltf_wrong(file, "GLTF-BUFFER", "buffers", index, "%s is not there", name);
    *content = (mst_gltf_bytes){bytes, size};
    return MST_OK;
}

static mst_status read_buffer(mst_gltf_file *file, uint64_t index, mst_gltf_bytes *content) {
    const uint32_t object = file->buffers.at[index], at = mst_gltf_member(file, object, "uri");
    const mst_json_node *uri = &file->json->nodes[at];
    size_t begin;
    uint64_t said;
    mst_status status = MST_OK;
    if (!at) {
        *content = file->binary;
    } else if (uri->kind == MST_JSON_STRING && mst_uri_is_data(uri->text, uri->length, &begin)) {
        content->data = mst_base64_read(uri->text + begin, uri->length - begin, file->arena, &content->size);
        if (!content->data)
            return mst_gltf_wrong(file, "GLTF-URI", "buffers", index, "the buffer's data is not Base64");
    } else {
        status = find_file(file, index, uri, content);
    }
    if (status != MST_OK)
        return status;
    if (!mst_gltf_index(file, object, "byteLength", 0, &said) || !content->data || said > content->size)
        return mst_gltf_wrong(file, "GLTF-BUFFER", "buffers", index, "the buffer is longer than its bytes");
    content->size = (size_t)said;
    return MST_OK;
}

/* The bytes of a buffer view, and the distance between its elements (0: they are packed). */
static mst_status view_of(mst_gltf_file *file, uint64_t index, mst_gltf_bytes *view, uint64_t *stride) {
    uint64_t buffer, offset, length;
    if (index >= file->views.count)
        return mst_gltf_wrong(file, "GLTF-INDEX", "bufferViews", index, "the buffer view does not exist");
    const uint32_t object = file->views.at[index];
    if (!mst_gltf_index(file, object, "buffer", UINT64_MAX, &buffer) ||
        !mst_gltf_index(file, object, "byteOffset", 0, &offset) ||
        !mst_gltf_index(file, object, "byteLength", 0, &length) ||
        !mst_gltf_index(file, object, "byteStride", 0, stride) || buffer >= file->buffers.count ||
        *stride > 252)
        return mst_gltf_wrong(file, "GLTF-VIEW", "bufferViews", index, "the buffer view is not valid");
    mst_gltf_bytes *content = &file->contents[buffer];
    if (!content->data) {
        mst_status status = read_buffer(file, buffer, content);
        if (status != MST_OK)
            return status;
    }
    if (!mst_fits(offset, length, content->size))
        return mst_gltf_wrong(file, "GLTF-VIEW", "bufferViews", index,
                              "the buffer view ends after its buffer");
    *view = (mst_gltf_bytes){content->data + offset, (size_t)length};
    return MST_OK;
}

/* ---- accessors ---- */

/* Elements in a buffer view. */
typedef struct elements {
    const unsigned char *data; /* NULL: all are 0 */
    uint64_t stride, count;
    unsigned width, size; /* numbers of each, and bytes of a number */
    uint64_t component;
    bool normalized;
} elements;

static double number_at(const elements *of, uint64_t index, unsigned k) {
    if (!of->data)
        return 0;
    const unsigned char *at = of->data + index * of->stride + (uint64_t)k * of->size;
    switch (of->component) {
    case F32: return (double)mst_f32_of_bits(mst_load32(at, false));
    case U32: return mst_load32(at, false);
    case U16: return of->normalized ? mst_load16(at, false) / 65535.0 : mst_load16(at, false);
    case I16: {
        const double value = (int16_t)mst_load16(at, false);
        return of->normalized ? fmax(value / 32767, -1) : value;
    }
    case I8: return of->normalized ? fmax((int8_t)*at / 127.0, -1) : (int8_t)*at;
    default: return of->normalized ? *at / 255.0 : *at;
    }
}

/* Finds elements of a view from an offset on; all of them must be in the view. */
static mst_status locate(mst_gltf_file *file, uint64_t accessor, uint64_t view_index, uint64_t offset,
                         elements *of) {
    mst_gltf_bytes view = {NULL, 0};
    uint64_t stride = 0, whole;
    const uint64_t own = (uint64_t)of->width * of->size;
    mst_status status = view_of(file, view_index, &view, &stride);
    if (status != MST_OK)
        return status;
    of->stride = stride ? stride : own;
    if (of->stride < own || !of->count || !mst_multiply(of->stride, of->count - 1, &whole) ||
        whole > UINT64_MAX - own || !mst_fits(offset, whole + own, view.size))
        return mst_gltf_wrong(file, "GLTF-ACCESSOR", "accessors", accessor,
                              "the accessor ends after its buffer view");
    of->data = view.data + offset;
    return MST_OK;
}

static const struct {
    const char *name;
    unsigned width;
} shapes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};

/* The numbers of an element; 0 if it is a matrix, or not valid. */
static unsigned width_of(const mst_gltf_file *file, uint32_t object) {
    const uint32_t at = mst_gltf_member(file, object, "type");
    for (size_t i = 0; at && i < sizeof shapes / sizeof *shapes; i++)
        if (mst_is_word(&file->json->nodes[at], shapes[i].name))
            return shapes[i].width;
    return 0;
}

/* Reads the properties of an accessor; `of->data` stays NULL if it has no buffer view. */
static mst_status read_accessor(mst_gltf_file *file, uint64_t index, unsigned width, elements *of) {
    uint64_t view, offset;
    *of = (elements){.width = width};
    if (index >= file->accessors.count)
        return mst_gltf_wrong(file, "GLTF-INDEX", "accessors", index, "the accessor does not exist");
    const uint32_t object = file->accessors.at[index],
                   normalized = mst_gltf_member(file, object, "normalized");
    if (!mst_gltf_index(file, object, "bufferView", UINT64_MAX, &view) ||
        !mst_gltf_index(file, object, "byteOffset", 0, &offset) ||
        !mst_gltf_index(file, object, "componentType", 0, &of->component) ||
        !mst_gltf_index(file, object, "count", 0, &of->count) || !of->count || of->count > UINT32_MAX / 4)
        return mst_gltf_wrong(file, "GLTF-ACCESSOR", "accessors", index, "the accessor is not valid");
    of->size = size_of(of->component);
    of->normalized = normalized && file->json->nodes[normalized].kind == MST_JSON_TRUE;
    if (!of->size || width_of(file, object) != width)
        return mst_gltf_wrong(file, "GLTF-ACCESSOR", "accessors", index,
                              "the accessor is of another type than its use needs");
    return view == UINT64_MAX ? MST_OK : locate(file, index, view, offset, of);
}

/* The indices and values of a sparse accessor; none if it is not sparse. */
static mst_status read_sparse(mst_gltf_file *file, uint64_t index, const elements *of, elements *indices,
                              elements *values) {
    const uint32_t sparse = mst_gltf_member(file, file->accessors.at[index], "sparse");
    uint64_t views[2], offsets[2];
    *values = *of;
    *indices = (elements){.width = 1};
    values->count = 0;
    if (!sparse)
        return MST_OK;
    const uint32_t at = mst_gltf_member(file, sparse, "indices"),
                   to = mst_gltf_member(file, sparse, "values");
    if (!at || !to || !mst_gltf_index(file, sparse, "count", 0, &indices->count) || !indices->count ||
        indices->count > of->count || !mst_gltf_index(file, at, "bufferView", UINT64_MAX, &views[0]) ||
        !mst_gltf_index(file, at, "byteOffset", 0, &offsets[0]) ||
        !mst_gltf_index(file, at, "componentType", 0, &indices->component) ||
        !mst_gltf_index(file, to, "bufferView", UINT64_MAX, &views[1]) ||
        !mst_gltf_index(file, to, "byteOffset", 0, &offsets[1]))
        return mst_gltf_wrong(file, "GLTF-ACCESSOR", "accessors", index, "the sparse values are not valid");
    indices->size = size_of(indices->component);
    values->count = indices->count;
    if (!indices->size || indices->component == F32)
        return mst_gltf_wrong(file, "GLTF-ACCESSOR", "accessors", index, "the sparse values are not valid");
    mst_status status = locate(file, index, views[0], offsets[0], indices);
    return status == MST_OK ? locate(file, index, views[1], offsets[1], values) : status;
}

/* Passes each number of an accessor to `put`; `made` has room for all. */
static mst_status take_numbers(mst_gltf_file *file, uint64_t index, const elements *of, void *made,
                               void (*put)(void *made, uint64_t at, double number)) {
    elements indices, values;
    mst_status status = read_sparse(file, index, of, &indices, &values);
    if (status != MST_OK)
        return status;
    for (uint64_t i = 0; i < of->count; i++)
        for (unsigned k = 0; k < of->width; k++)
            put(made, i * of->width + k, number_at(of, i, k));
    for (uint64_t i = 0; i < values.count; i++) {
        const uint64_t at = (uint64_t)number_at(&indices, i, 0);
        if (at >= of->count)
            return mst_gltf_wrong(file, "GLTF-INDEX", "accessors", index, "a sparse value is after the last");
        for (unsigned k = 0; k < of->width; k++)
            put(made, at * of->width + k, number_at(&values, i, k));
    }
    return MST_OK;
}

static void put_float(void *made, uint64_t at, double number) {
    ((float *)made)[at] = isfinite(number) ? (float)number : 0;
}

static void put_index(void *made, uint64_t at, double number) {
    ((uint32_t *)made)[at] = number >= 0 && number <= UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static mst_status take_accessor(mst_gltf_file *file, uint64_t index, unsigned width, bool floats,
                                const void **values, uint32_t *count) {
    elements of;
    mst_status status = read_accessor(file, index, width, &of);
    if (status != MST_OK)
        return status;
    *count = (uint32_t)of.count;
    const void **kept = &file->read[2 * index + (floats ? 0 : 1)];
    if (!*kept) {
        if (floats ? of.component == U32 : of.component == F32 || of.component == I8 || of.component == I16)
            return mst_gltf_wrong(file, "GLTF-ACCESSOR", "accessors", index,
                                  "the accessor is of another type than its use needs");
        void *made = mst_arena_take(file->arena, (size_t)of.count * width, 4);
        if (!made)
            return mst_gltf_no_memory(file);
        status = take_numbers(file, index, &of, made, floats ? put_float : put_index);
        if (status != MST_OK)
            return status;
        *kept = made;
    }
    *values = *kept;
    return MST_OK;
}

mst_status mst_gltf_floats_of(mst_gltf_file *file, uint64_t accessor, unsigned width, const float **values,
                              uint32_t *count) {
    const void *made = NULL;
    mst_status status = take_accessor(file, accessor, width, true, &made, count);
    *values = made;
    return status;
}

mst_status mst_gltf_indices_of(mst_gltf_file *file, uint64_t accessor, const uint32_t **values,
                               uint32_t *count) {
    const void *made = NULL;
    mst_status status = take_accessor(file, accessor, 1, false, &made, count);
    *values = made;
    return status;
}
