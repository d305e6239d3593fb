/* SPDX-License-Identifier: MIT */
/* The accessors and buffer views of a glTF file, which locate its arrays. */
#include "gltf_json.h"
#include <math.h>

typedef struct accessor_writer {
    mst_output *out;
    uint64_t view_index[MST_GLTF_VIEW_COUNT];
    uint64_t offset[MST_GLTF_VIEW_COUNT]; /* within the view, of the next accessor */
    size_t count;
} accessor_writer;

/* One accessor without its closing brace. */
static void begin_accessor(accessor_writer *w, int view, uint64_t count) {
    static const struct {
        const char *type;
        unsigned size;
    } kinds[MST_GLTF_VIEW_COUNT] = {{",\"componentType\":5126,\"type\":\"VEC3\"", 12},
                                    {",\"componentType\":5126,\"type\":\"VEC2\"", 8},
                                    {",\"componentType\":5126,\"type\":\"VEC4\"", 16},
                                    {",\"componentType\":5123,\"type\":\"SCALAR\"", 2},
                                    {",\"componentType\":5125,\"type\":\"SCALAR\"", 4},
                                    {",\"componentType\":5123,\"type\":\"VEC4\"", 8},
                                    {",\"componentType\":5126,\"type\":\"MAT4\"", 64},
                                    {",\"componentType\":5126,\"type\":\"SCALAR\"", 4},
                                    {",\"componentType\":5126,\"type\":\"VEC3\"", 12},
                                    {",\"componentType\":5126,\"type\":\"VEC4\"", 16},
                                    {",\"componentType\":5126,\"type\":\"SCALAR\"", 4}};
    mst_gltf_element(w->out, ",\n\"accessors\":[", &w->count);
    mst_output_text(w->out, "{\"bufferView\":");
    mst_gltf_number(w->out, w->view_index[view]);
    if (w->offset[view]) {
        mst_output_text(w->out, ",\"byteOffset\":");
        mst_gltf_number(w->out, w->offset[view]);
    }
    mst_output_text(w->out, kinds[view].type);
    mst_output_text(w->out, ",\"count\":");
    mst_gltf_number(w->out, count);
    w->offset[view] += padded(count * kinds[view].size);
}

static void write_accessor(accessor_writer *w, int view, uint64_t count) {
    begin_accessor(w, view, count);
    mst_output_bytes(w->out, "}", 1);
}

static void write_bounded(accessor_writer *w, int view, uint64_t count, const float *low, const float *high,
                          size_t width) {
    begin_accessor(w, view, count);
    mst_gltf_floats(w->out, ",\"min\":", low, width);
    mst_gltf_floats(w->out, ",\"max\":", high, width);
    mst_output_bytes(w->out, "}", 1);
}

static void write_times(accessor_writer *w, const mst_animation *animation, uint32_t count) {
    const float first = 0, last = time_of(animation, count - 1);
    write_bounded(w, MST_GLTF_VIEW_TIME, count, &first, &last, 1);
}

static void write_animation_accessors(accessor_writer *w, const mst_gltf_plan *p,
                                      const mst_animation *animation) {
    if (has_times(p, animation, true))
        write_times(w, animation, 1);
    if (has_times(p, animation, false))
        write_times(w, animation, animation->frame_count);
    for (size_t k = 0; k < animation->channel_count; k++) {
        const mst_channel *channel = &animation->channels[k];
        if (channel_fits(p, animation, channel))
            write_accessor(w, view_of(channel),
                           channel->value_count *
                               (uint64_t)(channel->kind == MST_MORPHS ? width_of(p, channel) : 1));
    }
}

static void write_target_accessors(accessor_writer *w, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    for (uint32_t t = 0; t < source->target_count; t++) {
        const float *moves = source->targets + 3 * (size_t)source->vertex_count * t;
        float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (size_t i = 0; i < 3 * (size_t)primitive->vertex_count; i++) {
            low[i % 3] = fminf(low[i % 3], finite_or(moves[i], 0));
            high[i % 3] = fmaxf(high[i % 3], finite_or(moves[i], 0));
        }
        write_bounded(w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count, low, high, 3);
        if (target_width(primitive) > 12)
            write_accessor(w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count);
    }
}

void mst_gltf_accessors(mst_output *out, const mst_gltf_plan *p,
                        const uint64_t view_index[MST_GLTF_VIEW_COUNT]) {
    accessor_writer w = {.out = out};
    memcpy(w.view_index, view_index, sizeof w.view_index);
    for (size_t i = 0; i < p->primitive_count; i++) {
        const mst_gltf_primitive *primitive = &p->primitives[i];
        write_bounded(&w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count, primitive->minimum,
                      primitive->maximum, 3);
        if (primitive->flags & MST_GLTF_HAS_NORMALS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_TEXCOORDS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR2, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_NUMBERS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR2, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_COLORS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR4, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_TANGENTS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR4, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_JOINTS) {
            write_accessor(&w, MST_GLTF_VIEW_JOINTS, primitive->vertex_count);
            write_accessor(&w, MST_GLTF_VIEW_VECTOR4, primitive->vertex_count);
        }
        if (primitive->flags & MST_GLTF_HAS_INDICES)
            write_accessor(
                &w, primitive->flags & MST_GLTF_WIDE_INDICES ? MST_GLTF_VIEW_INDEX32 : MST_GLTF_VIEW_INDEX16,
                primitive->index_count);
        if (primitive->flags & MST_GLTF_HAS_TARGETS)
            write_target_accessors(&w, primitive);
    }
    for (size_t i = 0; i < p->scene->skin_count; i++)
        if (p->skins[i] >= 0)
            write_accessor(&w, MST_GLTF_VIEW_MATRIX, p->scene->skins[i].joint_count);
    for (size_t i = 0; i < p->animations.count; i++)
        write_animation_accessors(&w, p, &p->scene->animations[i]);
    mst_gltf_end_list(out, w.count);
}

static void begin_view(mst_output *out, size_t *count, uint64_t offset, uint64_t size) {
    mst_gltf_element(out, ",\n\"bufferViews\":[", count);
    mst_output_text(out, "{\"buffer\":0,\"byteOffset\":");
    mst_gltf_number(out, offset);
    mst_output_text(out, ",\"byteLength\":");
    mst_gltf_number(out, size);
}

void mst_gltf_views(mst_output *out, const mst_gltf_plan *p) {
    static const char *const ends[MST_GLTF_VIEW_COUNT] = {",\"byteStride\":12,\"target\":34962}",
                                                          ",\"byteStride\":8,\"target\":34962}",
                                                          ",\"byteStride\":16,\"target\":34962}",
                                                          ",\"target\":34963}",
                                                          ",\"target\":34963}",
                                                          ",\"byteStride\":8,\"target\":34962}"};
    size_t count = 0;
    uint64_t offset = 0;
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++) {
        if (!p->view_size[view])
            continue;
        begin_view(out, &count, offset, p->view_size[view]);
        mst_output_text(out, ends[view] ? ends[view] : "}");
        offset += p->view_size[view];
    }
    for (size_t i = 0; i < p->images.count; i++) {
        if (p->images.index[i] < 0 || p->image_folder)
            continue;
        begin_view(out, &count, offset, p->pictures[i].size);
        mst_output_bytes(out, "}", 1);
        offset += padded(p->pictures[i].size);
    }
    mst_gltf_end_list(out, count);
}
