/* SPDX-License-Identifier: MIT */
/*
 * glTF 2.0. A GLB begins with its own size, so a plan is made first: used items, names and sizes. The JSON of
 * a GLB is kept until its size is written, and the arrays of the scene are streamed to the sink; only the
 * compressed images are held in memory a second time.
 */
#include "../core/base64.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"
#include "gltf_json.h"

/* ---- the binary part ---- */

static void write_pad(mst_output *out, uint64_t size, char with) {
    for (uint64_t i = size; i < padded(size); i++)
        mst_output_bytes(out, &with, 1);
}

static void put_floats(mst_output *out, const float *values, unsigned count) {
    uint8_t *place = (uint8_t *)mst_output_reserve(out, 4 * (size_t)count);
    for (unsigned i = 0; i < count; i++)
        mst_store32(place + 4 * i, mst_bits_of_f32(values[i]), false);
    mst_output_advance(out, 4 * (size_t)count);
}

static void repaired_normal(const float *normal, float result[3]) {
    double x = (double)normal[0], y = (double)normal[1], z = (double)normal[2];
    double square = x * x + y * y + z * z;
    if (square > 0.9999 && square < 1.0001) {
        memcpy(result, normal, 3 * sizeof *result);
    } else if (isfinite(square) && square > 1e-60) {
        double length = sqrt(square);
        result[0] = (float)(x / length);
        result[1] = (float)(y / length);
        result[2] = (float)(z / length);
    } else {
        result[0] = result[2] = 0;
        result[1] = 1;
    }
}

/* Elements of `width` floats each, repaired one by one unless they can be copied. */
static void put_elements(mst_output *out, const float *values, uint32_t count, unsigned width, bool as_is,
                         bool normals, bool colors) {
    if (as_is && !MST_HOST_BIG) {
        mst_output_bytes(out, values, (size_t)count * width * sizeof *values);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        float element[4] = {0};
        for (unsigned k = 0; values && k < width; k++) {
            float value = finite_or(values[i * width + k], 0);
            element[k] = colors ? clamped(value, 0, 1) : value;
        }
        if (normals && !MST_UNREACHABLE(!values)) /* none without values */
            repaired_normal(values + i * width, element);
        put_floats(out, element, width);
    }
}

static void put_indices(mst_output *out, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    bool wide = (primitive->flags & MST_GLTF_WIDE_INDICES) != 0,
         as_is = (primitive->flags & MST_GLTF_AS_IS_INDICES) != 0;
    if (wide && as_is && !MST_HOST_BIG) {
        mst_output_bytes(out, source->indices, (size_t)primitive->index_count * 4);
        return;
    }
    const unsigned size = wide ? 4 : 2;
    for (uint32_t i = 0; i < source->index_count / 3 * 3; i += 3) {
        const uint32_t *triangle = source->indices + i;
        if (!as_is && !triangle_fits(triangle, source->vertex_count))
            continue;
        uint8_t *place = (uint8_t *)mst_output_reserve(out, 12);
        for (unsigned k = 0; k < 3; k++) {
            if (wide)
                mst_store32(place + 4 * k, triangle[k], false);
            else
                mst_store16(place + 2 * k, (uint16_t)triangle[k], false);
        }
        mst_output_advance(out, 3 * (size_t)size);
    }
    write_pad(out, (uint64_t)primitive->index_count * size, 0);
}

static void put_joints(mst_output *out, const uint16_t *joints, uint32_t count) {
    for (size_t i = 0; i < 4 * (size_t)count; i++) {
        mst_store16((uint8_t *)mst_output_reserve(out, 2), joints[i], false);
        mst_output_advance(out, 2);
    }
}

static void put_targets(mst_output *out, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    for (uint32_t t = 0; t < source->target_count; t++) {
        size_t from = 3 * (size_t)source->vertex_count * t;
        put_elements(out, source->targets + from, primitive->vertex_count, 3, false, false, false);
        if (target_width(primitive) > 12)
            put_elements(out, source->target_normals + from, primitive->vertex_count, 3, false, false, false);
    }
}

static void put_view(mst_output *out, const mst_gltf_primitive *primitive, int view) {
    const mst_primitive *source = primitive->source;
    const unsigned flags = primitive->flags;
    const uint32_t count = primitive->vertex_count;
    if (view == MST_GLTF_VIEW_VECTOR3) {
        put_elements(out, source->positions, count, 3, (flags & MST_GLTF_AS_IS_POSITIONS) != 0, false, false);
        if (flags & MST_GLTF_HAS_NORMALS)
            put_elements(out, source->normals, count, 3, (flags & MST_GLTF_AS_IS_NORMALS) != 0, true, false);
        if (flags & MST_GLTF_HAS_TARGETS)
            put_targets(out, primitive);
    } else if (view == MST_GLTF_VIEW_VECTOR2 && (flags & MST_GLTF_HAS_TEXCOORDS)) {
        put_elements(out, source->texcoords, count, 2, (flags & MST_GLTF_AS_IS_TEXCOORDS) != 0, false, false);
        if (flags & MST_GLTF_HAS_NUMBERS)
            put_elements(out, primitive->numbers, count, 2, true, false, false);
    } else if (view == MST_GLTF_VIEW_VECTOR4) {
        if (flags & MST_GLTF_HAS_COLORS)
            put_elements(out, source->colors, count, 4, (flags & MST_GLTF_AS_IS_COLORS) != 0, false, true);
        if (flags & MST_GLTF_HAS_TANGENTS)
            put_elements(out, primitive->tangents, count, 4, true, false, false);
        if (flags & MST_GLTF_HAS_JOINTS)
            put_elements(out, source->weights, count, 4, false, false, true);
    } else if (view == MST_GLTF_VIEW_JOINTS && (flags & MST_GLTF_HAS_JOINTS)) {
        put_joints(out, source->joints, count);
    } else if ((view == MST_GLTF_VIEW_INDEX16 || view == MST_GLTF_VIEW_INDEX32) &&
               (flags & MST_GLTF_HAS_INDICES)) {
        if ((view == MST_GLTF_VIEW_INDEX32) == ((flags & MST_GLTF_WIDE_INDICES) != 0))
            put_indices(out, primitive);
    }
}

static void put_times(mst_output *out, const mst_animation *animation, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        float time = time_of(animation, i);
        put_floats(out, &time, 1);
    }
}

static void put_values(mst_output *out, const mst_channel *channel, uint32_t width) {
    if (channel->kind != MST_MORPHS) {
        put_elements(out, channel->values, channel->value_count, width, false, false, false);
        return;
    }
    for (size_t i = 0; i < channel->value_count; i++) /* an accessor of single numbers */
        put_elements(out, channel->values + i * width, width, 1, false, false, false);
}

static void put_animations(mst_output *out, const mst_gltf_plan *p) {
    for (size_t i = 0; i < p->animations.count; i++) {
        const mst_animation *animation = &p->scene->animations[i];
        put_times(out, animation, has_times(p, animation, true) ? 1 : 0);
        put_times(out, animation, has_times(p, animation, false) ? animation->frame_count : 0);
    }
    for (int view = MST_GLTF_VIEW_MOVEMENT3; view <= MST_GLTF_VIEW_WEIGHT; view++)
        for (size_t i = 0; i < p->animations.count; i++) {
            const mst_animation *animation = &p->scene->animations[i];
            for (size_t k = 0; k < animation->channel_count; k++) {
                const mst_channel *channel = &animation->channels[k];
                if (view_of(channel) == view && channel_fits(p, animation, channel))
                    put_values(out, channel, width_of(p, channel));
            }
        }
}

static void write_binary(mst_output *out, const mst_gltf_plan *p) {
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++)
        for (size_t i = 0; p->view_size[view] && i < p->primitive_count; i++)
            put_view(out, &p->primitives[i], view);
    for (size_t i = 0; i < p->scene->skin_count; i++)
        for (size_t k = 0; p->skins[i] >= 0 && k < p->scene->skins[i].joint_count; k++)
            put_floats(out, p->scene->skins[i].inverse_binds + 16 * k, 16);
    put_animations(out, p);
    for (size_t i = 0; i < p->images.count; i++) {
        if (p->images.index[i] < 0 || p->image_folder)
            continue;
        mst_output_bytes(out, p->pictures[i].data, p->pictures[i].size);
        write_pad(out, p->pictures[i].size, 0);
    }
}

/* ---- files ---- */

/* In a GLB the length of the JSON precedes it, so the JSON is kept; it is smaller than the scene. */
static mst_status make_json(const mst_gltf_plan *p, mst_buffer *json) {
    mst_output out;
    mst_output_begin(&out, mst_buffer_sink(json));
    mst_gltf_json(&out, p);
    mst_gltf_json_end(&out, p);
    return mst_output_end(&out);
}

static void write_u32(mst_output *out, uint64_t value) {
    mst_store32((uint8_t *)mst_output_reserve(out, 4), (uint32_t)value, false);
    mst_output_advance(out, 4);
}

static mst_status finished(mst_output *out, mst_diagnostic *diagnostic) {
    mst_status status = mst_output_end(out);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the glTF file could not be written");
}

static mst_status write_glb(const mst_gltf_plan *p, const mst_buffer *json, mst_sink sink,
                            mst_diagnostic *diagnostic) {
    uint64_t total = 12 + 8 + padded(json->size) + (p->binary_size ? 8 + p->binary_size : 0);
    if (total > UINT32_MAX)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "the scene is too large for one GLB file of 4 GiB");
    mst_output out;
    mst_output_begin(&out, sink);
    mst_output_text(&out, "glTF");
    write_u32(&out, 2);
    write_u32(&out, total);
    write_u32(&out, padded(json->size));
    mst_output_text(&out, "JSON");
    mst_output_bytes(&out, json->data, json->size);
    write_pad(&out, json->size, ' ');
    if (p->binary_size) {
        write_u32(&out, p->binary_size);
        mst_output_bytes(&out, "BIN\0", 4);
        write_binary(&out, p);
    }
    return finished(&out, diagnostic);
}

/* The given options; `meant`: whether everything that they need is available. */
static mst_status take_options(mst_gltf_options *taken, const mst_gltf_options *given, bool meant,
                               mst_diagnostic *diagnostic) {
    mst_status status = mst_take_options(taken, sizeof *taken, given, diagnostic);
    if (status != MST_OK || (meant && (!taken->images || taken->images->write)))
        return status;
    return mst_fail(diagnostic, MST_ARGUMENT, "a scene and a sink are needed");
}

mst_status mst_scene_write_glb(const mst_scene *scene, const mst_gltf_options *options, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    mst_gltf_options given = {.size = 0};
    mst_status status = take_options(&given, options, scene && sink.write, diagnostic);
    if (status != MST_OK)
        return status;
    mst_gltf_plan p;
    status = mst_gltf_plan_make(&p, scene, &given, diagnostic);
    mst_buffer json = {.allocator = p.arena.allocator};
    if (status == MST_OK && make_json(&p, &json) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    if (status == MST_OK)
        status = write_glb(&p, &json, sink, diagnostic);
    mst_buffer_free(&json);
    mst_gltf_plan_end(&p);
    return status;
}

static void embed_binary(mst_output *out, const mst_gltf_plan *p) {
    mst_base64 encoder = {.out = out};
    mst_output bytes;
    mst_output_begin(&bytes, mst_base64_sink(&encoder));
    write_binary(&bytes, p);
    mst_output_end(&bytes);
    mst_base64_end(&encoder);
}

static mst_status write_embedded_or_beside(const mst_gltf_plan *p, const char *buffer_uri, mst_sink sink,
                                           mst_diagnostic *diagnostic) {
    mst_output out;
    mst_output_begin(&out, sink);
    mst_gltf_json(&out, p);
    if (p->binary_size) {
        mst_output_text(&out, ",\"uri\":\"");
        if (buffer_uri) {
            mst_gltf_uri(&out, buffer_uri);
        } else {
            mst_output_text(&out, "data:application/octet-stream;base64,");
            embed_binary(&out, p);
        }
        mst_output_bytes(&out, "\"", 1);
    }
    mst_gltf_json_end(&out, p);
    mst_output_bytes(&out, "\n", 1);
    return finished(&out, diagnostic);
}

static mst_status write_beside(const mst_gltf_plan *p, mst_sink sink, mst_diagnostic *diagnostic) {
    mst_output out;
    mst_output_begin(&out, sink);
    write_binary(&out, p);
    return finished(&out, diagnostic);
}

mst_status mst_scene_write_gltf(const mst_scene *scene, const mst_gltf_options *options,
                                const char *buffer_uri, mst_sink json, mst_sink binary,
                                mst_diagnostic *diagnostic) {
    mst_gltf_options given = {.size = 0};
    mst_status status =
        take_options(&given, options, scene && json.write && (!buffer_uri || binary.write), diagnostic);
    if (status != MST_OK)
        return status;
    mst_gltf_plan p;
    status = mst_gltf_plan_make(&p, scene, &given, diagnostic);
    if (status == MST_OK)
        status = write_embedded_or_beside(&p, buffer_uri, json, diagnostic);
    if (status == MST_OK && buffer_uri && p.binary_size)
        status = write_beside(&p, binary, diagnostic);
    mst_gltf_plan_end(&p);
    return status;
}
