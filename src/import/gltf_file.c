/* SPDX-License-Identifier: MIT */
/* A glTF file's parts: the chunks of a GLB, its JSON, and buffers. */
#include "gltf_file.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define GLB_HEADER   12u
#define CHUNK_HEADER 8u
#define GLB_MAGIC    0x46546C67u /* "glTF" */
#define CHUNK_JSON   0x4E4F534Au
#define CHUNK_BINARY 0x004E4942u

mst_status mst_gltf_wrong(const mst_gltf_file *file, const char *code, const char *list, uint64_t index,
                          const char *format, ...) {
    char message[sizeof((mst_diagnostic *)NULL)->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mst_fail(file->diagnostic, MST_DAMAGED, "%s", message);
    if (file->diagnostic) {
        MST_SET(file->diagnostic->code, "%s", code);
        if (*list)
            MST_SET(file->diagnostic->path, "%s[%llu]", list, (unsigned long long)index);
    }
    return MST_DAMAGED;
}

mst_status mst_gltf_no_memory(const mst_gltf_file *file) {
    return mst_fail(file->diagnostic, MST_NO_MEMORY, "not enough memory to read the model");
}

/* ---- chunks ---- */

static mst_status wrong_chunk(const mst_gltf_file *file, uint64_t offset, const char *message) {
    return mst_damaged(file->diagnostic, "GLTF-CHUNK", offset, CHUNK_HEADER, message);
}

/* The chunk at an offset, which is advanced to the next one. Chunks of other kinds are to be ignored. */
static bool next_chunk(const unsigned char *bytes, uint64_t end, uint64_t *offset, uint32_t *kind,
                       mst_gltf_bytes *content) {
    if (!mst_fits(*offset, CHUNK_HEADER, end))
        return false;
    const uint32_t length = mst_load32(bytes + *offset, false);
    *kind = mst_load32(bytes + *offset + 4, false);
    if (!mst_fits(*offset + CHUNK_HEADER, length, end))
        return false;
    *content = (mst_gltf_bytes){bytes + *offset + CHUNK_HEADER, length};
    *offset += CHUNK_HEADER + length;
    return true;
}

static mst_status split(mst_gltf_file *file, const unsigned char *bytes, size_t size, mst_gltf_bytes *text) {
    const uint32_t version = mst_load32(bytes + 4, false), end = mst_load32(bytes + 8, false);
    uint64_t offset = GLB_HEADER;
    uint32_t kind = 0;
    mst_gltf_bytes content;
    if (version != 2)
        return mst_fail(file->diagnostic, MST_UNSUPPORTED, "it is a GLB of version %lu, not 2",
                        (unsigned long)version);
    if (end > size)
        return mst_damaged(file->diagnostic, "GLTF-LENGTH", 8, 4, "the GLB is longer than the file");
    if (!next_chunk(bytes, end, &offset, &kind, text) || kind != CHUNK_JSON)
        return wrong_chunk(file, GLB_HEADER, "the first chunk of the GLB is not its JSON");
    while (offset < end) {
        const uint64_t at = offset;
        if (!next_chunk(bytes, end, &offset, &kind, &content))
            return wrong_chunk(file, at, "a chunk of the GLB ends after the file");
        if (kind == CHUNK_BINARY && !file->binary.data)
            file->binary = content;
    }
    return MST_OK;
}

mst_status mst_gltf_open_file(mst_gltf_file *file, const void *bytes, size_t size) {
    mst_gltf_bytes text = {bytes, size};
    mst_status status = MST_OK;
    if (size >= GLB_HEADER && mst_load32(bytes, false) == GLB_MAGIC)
        status = split(file, bytes, size, &text);
    if (status == MST_OK)
        status = mst_json_parse((const char *)text.data, text.size, file->arena, &file->model->json,
                                file->diagnostic);
    if (status == MST_DAMAGED && file->diagnostic && !*file->diagnostic->code)
        MST_SET(file->diagnostic->code, "GLTF-JSON");
    if (status != MST_OK)
        return status;
    if (file->json->nodes[0].kind != MST_JSON_OBJECT || !mst_gltf_member(file, 0, "asset"))
        return mst_fail(file->diagnostic, MST_UNKNOWN, "it is not a glTF file");
    return MST_OK;
}

/* ---- JSON ---- */

uint32_t mst_gltf_member(const mst_gltf_file *file, uint32_t object, const char *name) {
    return mst_json_find(file->json, object, name, strlen(name));
}

static bool read_real(const mst_json_node *node, double *number) {
    return node->kind == MST_JSON_NUMBER && mst_read_f64(node->text, node->length, number) &&
           isfinite(*number);
}

bool mst_gltf_real(const mst_gltf_file *file, uint32_t object, const char *name, double otherwise,
                   double *number) {
    const uint32_t at = mst_gltf_member(file, object, name);
    *number = otherwise;
    return !at || read_real(&file->json->nodes[at], number);
}

bool mst_gltf_index(const mst_gltf_file *file, uint32_t object, const char *name, uint64_t otherwise,
                    uint64_t *number) {
    double real;
    const uint32_t at = mst_gltf_member(file, object, name);
    *number = otherwise;
    if (!at)
        return true;
    if (!read_real(&file->json->nodes[at], &real) || real < 0 || real > 9e15 || real != trunc(real))
        return false;
    *number = (uint64_t)real;
    return true;
}

bool mst_gltf_reals(const mst_gltf_file *file, uint32_t object, const char *name, unsigned count,
                    double *numbers) {
    const uint32_t at = mst_gltf_member(file, object, name);
    const mst_json_node *list = &file->json->nodes[at];
    if (!at)
        return true;
    if (list->kind != MST_JSON_ARRAY || list->count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!read_real(list + 1 + i, &numbers[i]))
            return false;
    return true;
}

const char *mst_gltf_text(const mst_gltf_file *file, uint32_t object, const char *name) {
    const uint32_t at = mst_gltf_member(file, object, name);
    const mst_json_node *node = &file->json->nodes[at];
    if (!at || node->kind != MST_JSON_STRING)
        return "";
    return mst_arena_text(file->arena, node->text, node->length);
}

mst_status mst_gltf_list(const mst_gltf_file *file, uint32_t object, const char *name,
                         mst_gltf_items *items) {
    const uint32_t list = mst_gltf_member(file, object, name);
    *items = (mst_gltf_items){.name = name};
    if (!list)
        return MST_OK;
    const mst_json_node *nodes = file->json->nodes;
    if (nodes[list].kind != MST_JSON_ARRAY)
        return mst_gltf_wrong(file, "GLTF-LIST", "", 0, "`%s` is not a list", name);
    items->at = mst_arena_take(file->arena, nodes[list].count, sizeof *items->at);
    if (!items->at)
        return mst_gltf_no_memory(file);
    for (uint32_t at = list + 1; at < nodes[list].end; at = nodes[at].end)
        items->at[items->count++] = at;
    return MST_OK;
}
