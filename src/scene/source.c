/* SPDX-License-Identifier: MIT */
/* The sources of a scene's parts. */
#include "../core/number.h"
#include <mapstone/scene.h>
#include <string.h>

size_t mst_scene_source_path(const mst_scene_source *source, char *text, size_t capacity) {
    if (!source || !source->path) {
        if (capacity)
            text[0] = 0;
        return 0;
    }
    char number[MST_NUMBER_MAX + 3] = "";
    size_t digits = 0, length = strlen(source->path);
    if (source->index != MST_NO_INDEX) {
        number[digits++] = '[';
        digits += mst_write_u64(number + digits, source->index);
        number[digits++] = ']';
    }
    if (capacity) {
        size_t first = length < capacity ? length : capacity - 1;
        size_t more = digits < capacity - 1 - first ? digits : capacity - 1 - first;
        memcpy(text, source->path, first);
        memcpy(text + first, number, more);
        text[first + more] = 0;
    }
    return length + digits;
}

mst_scene_source mst_scene_triangle_source(const mst_scene *scene, size_t node, size_t primitive,
                                           uint32_t triangle) {
    static const mst_scene_source none = {NULL, NULL, 0};
    if (!scene || node >= scene->node_count || scene->nodes[node].mesh < 0)
        return none;
    const mst_mesh *mesh = &scene->meshes[scene->nodes[node].mesh];
    if (primitive >= mesh->primitive_count)
        return none;
    const mst_primitive *part = &mesh->primitives[primitive];
    if (triangle >= (part->indices ? part->index_count : part->vertex_count) / 3)
        return none;
    mst_scene_source source = part->source.path ? part->source : scene->nodes[node].source;
    if (part->source.path && part->elements)
        source.index = part->elements[triangle];
    if (!source.file)
        source.file = scene->nodes[node].source.file;
    return source;
}
