/* SPDX-License-Identifier: MIT */
/* Checks by size whether a .gltf and the files next to it belong together. */
#include "gltf_check.h"
#include "../core/arena.h"
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/uri.h"
#include <mapstone/export.h>
#include <stdbool.h>
#include <string.h>

static const mst_code_information codes[] = {
    {"GLTF-BUFFER", MST_ERROR, "the file of a buffer is missing, or is shorter than the buffer"},
    {"GLTF-BUFFER-LONGER", MST_WARNING,
     "the file of a buffer is longer than the buffer: it may belong to another file"},
};

const mst_code_information *mst_gltf_code_at(size_t index) {
    return index < sizeof codes / sizeof *codes ? &codes[index] : NULL;
}

/* The value of an object's member; NULL if there is none, or it is not an object. */
static const mst_json_node *member(const mst_json *json, const mst_json_node *object, const char *name) {
    if (!object || object->kind != MST_JSON_OBJECT)
        return NULL;
    const mst_json_node *key = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        const mst_json_node *value = key + 1;
        if (key->length == strlen(name) && memcmp(key->text, name, key->length) == 0)
            return value;
        key = &json->nodes[value->end];
    }
    return NULL;
}

/* A non-negative integer in plain digits. */
static bool read_size(const mst_json_node *node, uint64_t *size) {
    *size = 0;
    if (!node || node->kind != MST_JSON_NUMBER || node->length > 18)
        return false;
    for (uint32_t i = 0; i < node->length; i++) {
        if (node->text[i] < '0' || node->text[i] > '9')
            return false;
        *size = *size * 10 + (uint64_t)(node->text[i] - '0');
    }
    return true;
}

/* The file name of a URI. False for embedded data (data:), absolute URIs, and invalid names. */
static bool read_uri(const mst_json_node *node, char name[MST_URI_CAPACITY]) {
    return node && node->kind == MST_JSON_STRING && mst_uri_file_name(node->text, node->length, name);
}

static mst_status check_buffer(const mst_json *json, const mst_json_node *buffer, uint32_t index,
                               const mst_resolver *beside, mst_report_function report, void *user) {
    char name[MST_URI_CAPACITY];
    uint64_t said;
    if (!read_size(member(json, buffer, "byteLength"), &said) || !read_uri(member(json, buffer, "uri"), name))
        return MST_OK;
    const void *bytes;
    size_t size = 0;
    mst_status found = beside->find(beside->user, name, &bytes, &size);
    if (found != MST_OK && found != MST_NO_PATH)
        return found;
    if (found == MST_OK && size == said)
        return MST_OK;
    const mst_code_information *code = &codes[found == MST_OK && size > said];
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    finding.severity = code->severity;
    finding.offset = MST_NO_OFFSET;
    MST_SET(finding.code, "%s", code->code);
    MST_SET(finding.path, "buffers[%u]", index);
    MST_SET(finding.expected, "%llu bytes", (unsigned long long)said);
    if (found == MST_OK) {
        MST_SET(finding.message, "%s has another size than the buffer: the two may not belong together",
                name);
        MST_SET(finding.found, "%zu", size);
    } else {
        MST_SET(finding.message, "%s is not there", name);
    }
    return report(user, &finding);
}

mst_status mst_gltf_check(const char *text, size_t size, const mst_resolver *beside,
                          mst_report_function report, void *user, mst_diagnostic *diagnostic) {
    if ((!text && size) || !beside || !beside->find || !report)
        return mst_fail(diagnostic, MST_ARGUMENT, "a text, a resolver and a report are needed");
    mst_arena arena;
    mst_json json;
    mst_arena_begin(&arena, NULL, 0); /* the parser limits nodes by the size of the text */
    mst_status status = mst_json_parse(text, size, &arena, &json, diagnostic);
    const mst_json_node *buffers = status == MST_OK ? member(&json, json.nodes, "buffers") : NULL;
    if (buffers && buffers->kind == MST_JSON_ARRAY) {
        const mst_json_node *buffer = buffers + 1;
        for (uint32_t i = 0; i < buffers->count && status == MST_OK; i++) {
            status = check_buffer(&json, buffer, i, beside, report, user);
            buffer = &json.nodes[buffer->end];
        }
        if (status != MST_OK)
            status = mst_fail(diagnostic, status, "the files that belong to it could not be examined");
    }
    mst_arena_end(&arena);
    return status;
}
