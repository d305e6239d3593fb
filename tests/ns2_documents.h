/* SPDX-License-Identifier: MIT */
/* Levels of Natural Selection 2 as documents. */
#ifndef MST_TESTS_NS2_DOCUMENTS_H
#define MST_TESTS_NS2_DOCUMENTS_H

#include "thorough.h"

typedef struct error_case {
    const char *code, *path, *expected, *found;
    unsigned version;
    const char *patch; /* the mark where `value` is written, `delta` after it */
    int delta;
    unsigned width;
    uint32_t value;
    size_t size;       /* of the file; 0: all of it */
    const char *where; /* the mark of the fault; NULL: at `offset` */
    int where_delta;
    size_t offset, length; /* length 0: not checked */
} error_case;

static const error_case error_cases[] = {
    {"NS2-MAGIC", "magic", "LVL", "4c 56 58", .patch = "version", .delta = -1, .width = 1, .value = 'X',
     .length = 3},
    {"NS2-VERSION", "version", "one of 4, 5, 6, 7, 8, 9, 10", "3", .patch = "version", .width = 1, .value = 3,
     .offset = 3, .length = 1},
    {"NS2-VERSION", "version", "one of 4, 5, 6, 7, 8, 9, 10", "11", .patch = "version", .width = 1,
     .value = 11, .offset = 3, .length = 1},
    {"NS2-CHUNK-OVERRUN", "version", "1 bytes", "0 left", .size = 3, .offset = 3},
    {"NS2-CHUNK-OVERRUN", "", "8 bytes", "7 left", .size = 11, .offset = 4, .length = 7},
    {"NS2-CHUNK-OVERRUN", "mesh", "at most 20 bytes", NULL, .size = 32, .offset = 4, .length = 8},
    {"NS2-CHUNK-OVERRUN", "objects[0].properties[0].length", NULL, "4096",
     .patch = "objects[0].properties[0].name", .delta = -4, .width = 4, .value = 4096,
     .where = "objects[0].properties[0].name", .where_delta = -4, .length = 4},
    {"NS2-STRING-OVERRUN", "objects[0].class_name", NULL, "2147483647", .patch = "objects[0].class_name",
     .width = 4, .value = 0x7FFFFFFF, .where = "objects[0].class_name"},
    {"NS2-STRING-OVERRUN", "viewports", "at most 13", "14", .patch = "viewports", .width = 4, .value = 14,
     .where = "viewports", .length = 30},
    {"NS2-STRING-OVERRUN", "mesh.materials[1]", "at most 20", "21", .patch = "mesh.materials[1]", .width = 4,
     .value = 21, .where = "mesh.materials[1]", .length = 24},
    {"NS2-COUNT", "mesh.vertices", "at most 11", "12", .patch = "mesh.vertices[0]", .delta = -4, .width = 4,
     .value = 12, .where = "mesh.vertices[0]", .where_delta = -4, .length = 4 + 11 * 13},
    {"NS2-COUNT", "mesh.edges", "at most 13", "4294967295", .patch = "mesh.edges[0]", .delta = -4, .width = 4,
     .value = 0xFFFFFFFF, .where = "mesh.edges[0]", .where_delta = -4, .length = 4 + 13 * 9},
    {"NS2-COUNT", "mesh.faces[2].loops", NULL, "4294967296", .patch = "mesh.faces[2].inner_loop_count",
     .width = 4, .value = 0xFFFFFFFF, .where = "mesh.faces[2].inner_loop_count", .where_delta = 4},
    {"NS2-COUNT", "objects[1].properties[3].value", "at most 1", "2",
     .patch = "objects[1].properties[3].component_count", .width = 4, .value = 2,
     .where = "objects[1].properties[3].value[0]", .length = 4},
    {"NS2-TRAILING", "mesh.vertices", "", "13 bytes", .patch = "mesh.vertices[0]", .delta = -4, .width = 4,
     .value = 10, .where = "mesh.vertices[10]", .length = 13},
    {"NS2-TRAILING", "groups", "", NULL, .patch = "groups[0].name", .delta = -4, .width = 4, .value = 0,
     .where = "groups[0].name"},
    {"NS2-TRAILING", "editor_settings[0].layers", "", "4 bytes",
     .patch = "editor_settings[0].layers.layer_masks[0]", .delta = -4, .width = 4, .value = 7,
     .where = "editor_settings[0].layers.layer_masks[7]", .length = 4},
    {"NS2-TRAILING", "mesh.face_layers.masks", "a multiple of 8 bytes", "23 bytes", .version = 4,
     .patch = "mesh.face_layers.masks[0]", .delta = -4, .width = 4, .value = 23,
     .where = "mesh.face_layers.masks[2]", .length = 7},
};

static inline void patch(writer *w, const char *path, int delta, unsigned width, uint32_t value) {
    mst_store(w->data + (ptrdiff_t)mark_of(w, path)->offset + delta, width, value, false);
}

#endif
