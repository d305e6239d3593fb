/* SPDX-License-Identifier: MIT */
/*
 * Textures of faces in an edited model. The stored parameters of a face are kept unless the texture
 * coordinates of a corner have really changed; new faces store the parameters of their original face, if
 * these give their coordinates.
 */
#include "../core/number.h"
#include "../core/output.h"
#include "faces.h"
#include <math.h>
#include <stdio.h>

#define SAME_TEXTURE 1e-3       /* repeats */
#define EXACT        5e-8       /* relative to the stored value */
#define SCALE_ELSE   0.30757874 /* 128 inches to a repeat, the editor's default */
#define NO_GROUP     UINT32_MAX

/* ---- stored parameters of a face ---- */

static bool read_real(const mst_face_work *f, uint32_t face, const char *name, double *number) {
    char path[64];
    mst_value value;
    const size_t length =
        (size_t)snprintf(path, sizeof path, MST_FACES "[%lu].%s", (unsigned long)face, name);
    return length < sizeof path && mst_find(mst_root(f->document), path, &value, NULL) == MST_OK &&
           mst_get_real(&value, number) == MST_OK && isfinite(*number);
}

/* False if it does not store numbers. `grouped`: a mapping group replaces it. */
static bool read_mapping(const mst_face_work *f, uint32_t face, mst_face_mapping *m, bool *grouped) {
    double group = NO_GROUP;
    *grouped = read_real(f, face, "mapping_group", &group) && group != NO_GROUP;
    m->shear = 0;
    return read_real(f, face, "angle", &m->angle) && read_real(f, face, "offset[0]", &m->offset[0]) &&
           read_real(f, face, "offset[1]", &m->offset[1]) && read_real(f, face, "scale[0]", &m->scale[0]) &&
           read_real(f, face, "scale[1]", &m->scale[1]);
}

/* ---- existing faces ---- */

static mst_status set_numbers(mst_face_work *f, const char *path, const char *name, const double *numbers,
                              unsigned count) {
    char text[2 * (MST_NUMBER_MAX + 1) + 3];
    size_t length = 0;
    if (count > 1)
        text[length++] = '[';
    for (unsigned i = 0; i < count; i++) {
        if (i)
            text[length++] = ',';
        length += mst_write_f32(text + length, (float)(mst_tidy(numbers[i], EXACT) + 0.0));
    }
    if (count > 1)
        text[length++] = ']';
    text[length] = 0;
    return mst_script_line(f->w, f->script, "set %s.%s = %s", path, name, text);
}

static mst_status warn_shear(const mst_face_work *f, const char *path, double shear) {
    return shear > SAME_TEXTURE
               ? mst_importing_warn(f->w, path,
                                    "its texture is sheared in the model, by %.3g repeats a metre, "
                                    "which a level cannot store",
                                    shear)
               : MST_OK;
}

/* Sets the stored parameters that differ. */
static mst_status set_mapping(mst_face_work *f, const char *path, const mst_face_mapping *own,
                              const mst_face_mapping *now) {
    mst_status status = MST_OK;
    if (fabs(own->angle - now->angle) > 1e-6)
        status = set_numbers(f, path, "angle", &now->angle, 1);
    if (status == MST_OK &&
        fabs(own->offset[0] - now->offset[0]) + fabs(own->offset[1] - now->offset[1]) > 1e-5)
        status = set_numbers(f, path, "offset", now->offset, 2);
    if (status == MST_OK && fabs(own->scale[0] - now->scale[0]) + fabs(own->scale[1] - now->scale[1]) > 1e-6)
        status = set_numbers(f, path, "scale", now->scale, 2);
    return status == MST_OK ? warn_shear(f, path, now->shear) : status;
}

mst_status mst_import_texture(mst_face_work *f, const mst_face_triangle *before, size_t count,
                              const mst_face_triangle *after, size_t after_count, const double normal[3],
                              bool turned) {
    mst_face_texture was, is;
    mst_face_mapping own, now;
    double by[2], exact;
    bool grouped;
    const double facing[3] = {turned ? -normal[0] : normal[0], turned ? -normal[1] : normal[1],
                              turned ? -normal[2] : normal[2]};
    mst_face_texture_fit(before, count, normal, &was);
    if (was.none || mst_face_texture_off(&was, before, count, by, &exact) > SAME_TEXTURE)
        return MST_OK; /* not comparable */
    if (turned && read_mapping(f, before->face, &own, &grouped) && !grouped)
        mst_face_texture_of(&own, facing, &was);
    const double left = mst_face_texture_off(&was, after, after_count, by, &exact);
    const double limit = fmax(SAME_TEXTURE, exact);
    if (left <= limit && fabs(by[0]) <= limit && fabs(by[1]) <= limit)
        return MST_OK;
    const char *path = mst_path_of_face(f, before->face);
    if (!path)
        return mst_importing_no_memory(f->w);
    if (!read_mapping(f, before->face, &own, &grouped) || grouped)
        return mst_importing_warn(f->w, path, "its texture is not its own, and stays where it is");
    now = own;
    if (left <= limit) {
        now.offset[0] += by[0], now.offset[1] += by[1];
        return set_mapping(f, path, &own, &now);
    }
    mst_face_texture_fit(after, after_count, facing, &is);
    return mst_face_mapping_of(&is, &now) ? set_mapping(f, path, &own, &now) : MST_OK;
}

/* ---- new faces ---- */

static void put_number(mst_output *out, const char *before, double number) {
    mst_output_text(out, before);
    mst_output_advance(out, mst_write_f32(mst_output_reserve(out, MST_NUMBER_MAX), (float)(number + 0.0)));
}

static void put_mapping(mst_output *out, const mst_face_mapping *m, double exact) {
    put_number(out, ",\"angle\":", mst_tidy(m->angle, exact));
    put_number(out, ",\"offset\":[", mst_tidy(m->offset[0], exact));
    put_number(out, ",", mst_tidy(m->offset[1], exact));
    put_number(out, "],\"scale\":[", mst_tidy(m->scale[0], exact));
    put_number(out, ",", mst_tidy(m->scale[1], exact));
    mst_output_text(out, "]");
}

/* Coordinates without area determine nothing: the original face's mapping is used, or the editor's
 * default. */
static mst_status put_other_mapping(mst_face_work *f, const mst_face_mapping *original, const char *path,
                                    mst_output *out) {
    static const mst_face_mapping usual = {.scale = {SCALE_ELSE, SCALE_ELSE}};
    put_mapping(out, original ? original : &usual, 0);
    if (f->w->options->onto) /* models that were not exported often have none */
        return MST_OK;
    return mst_importing_warn(f->w, path,
                              original
                                  ? "its texture coordinates are none, or a line: it has the texture "
                                    "values of its original face"
                                  : "its texture coordinates are none, or a line: it has the usual scale");
}

mst_status mst_put_texture(mst_face_work *f, const mst_face_origin *origin,
                           const mst_face_triangle *triangles, size_t count, const double normal[3],
                           const char *path, mst_output *out) {
    mst_face_texture t;
    mst_face_mapping own, m;
    double by[2], exact;
    bool grouped = false;
    const bool known = origin && read_mapping(f, origin->face, &own, &grouped);
    if (known && !grouped) {
        mst_face_texture_of(&own, normal, &t);
        const double left = mst_face_texture_off(&t, triangles, count, by, &exact),
                     limit = fmax(SAME_TEXTURE, exact);
        if (left <= limit && fabs(by[0]) <= limit && fabs(by[1]) <= limit) {
            put_mapping(out, &own, 0);
            return MST_OK;
        }
    }
    mst_face_texture_fit(triangles, count, normal, &t);
    if (!mst_face_mapping_of(&t, &m))
        return put_other_mapping(f, known ? &own : NULL, path, out);
    put_mapping(out, &m, EXACT);
    return warn_shear(f, path, m.shear);
}
