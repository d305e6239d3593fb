/* SPDX-License-Identifier: MIT */
/* The codes of models, and the checks of the file as a whole. */
#include "../../core/number.h"
#include "../../core/text.h"
#include "../../edit/fix_findings.h"
#include "spark_model.h"
#include <math.h>

static const mst_code_information codes[] = {
    {"SPARK-MODEL-MAGIC", MST_ERROR,
     "the file does not begin with MDL: it is not a model, or its beginning is lost"},
    {"SPARK-MODEL-VERSION", MST_ERROR, "the version is not known"},
    {"SPARK-MODEL-CHUNK-OVERRUN", MST_ERROR, "a chunk or field runs past the end of the structure around it"},
    {"SPARK-MODEL-STRING-OVERRUN", MST_ERROR, "a string runs past the end of its chunk"},
    {"SPARK-MODEL-COUNT", MST_ERROR, "a list runs past the end of its chunk"},
    {"SPARK-MODEL-TRAILING", MST_ERROR, "bytes are left over in a chunk or at the end of the file"},
    {"SPARK-MODEL-NODE-TYPE", MST_ERROR, "the type of the animation node is not known"},
    {"SPARK-MODEL-CHUNK-UNKNOWN", MST_WARNING, "the chunk's id is not known; its bytes are kept unchanged"},
    {"SPARK-MODEL-CHUNK-DUPLICATE", MST_WARNING, "another chunk has the same id; this one is kept as bytes"},
    {"SPARK-MODEL-CHUNK-MISSING", MST_WARNING, "the model lacks a chunk that all others have"},
    {"SPARK-MODEL-CHUNK-ORDER", MST_WARNING, "chunks are not in the usual order"},
    {"SPARK-MODEL-BOOL", MST_WARNING, "the boolean is neither 0 nor 1: set one of them"},
    {"SPARK-MODEL-NONFINITE", MST_WARNING,
     "the number is not finite and cannot be used as a position or size: set another"},
    {"SPARK-MODEL-INDEX", MST_WARNING, "the vertex does not exist: pictures omit the triangle"},
    {"SPARK-MODEL-INDEX-COUNT", MST_WARNING,
     "the number of indices is not a multiple of 3: the last ones do not form a triangle"},
    {"SPARK-MODEL-FACESET-ORDER", MST_WARNING, "the face set does not begin at the end of the previous one"},
    {"SPARK-MODEL-FACESET-RANGE", MST_WARNING,
     "the face set has triangles that do not exist: pictures omit them"},
    {"SPARK-MODEL-FACESET-COVER", MST_WARNING,
     "some triangles belong to no face set: they have no material, and are not drawn"},
    {"SPARK-MODEL-MATERIAL-INDEX", MST_WARNING,
     "the material does not exist: the triangles are drawn grey here"},
    {"SPARK-MODEL-MATERIAL-NAME", MST_WARNING,
     "the name is empty, contains a backslash, or does not end in .material"},
    {"SPARK-MODEL-PALETTE", MST_WARNING, "the bone does not exist: vertices that follow it do not move"},
    {"SPARK-MODEL-PALETTE-DUPLICATE", MST_WARNING, "the palette lists a bone twice"},
    {"SPARK-MODEL-PALETTE-SIZE", MST_WARNING, "the palette has more bones than the game supports"},
    {"SPARK-MODEL-VERTEX-SHARED", MST_WARNING, "vertices belong to several face sets"},
    {"SPARK-MODEL-VERTEX-LOOSE", MST_WARNING, "no triangle uses these vertices: they are invisible"},
    {"SPARK-MODEL-NORMAL", MST_WARNING,
     "normals are not normalized: they are lit too strongly or too weakly"},
    {"SPARK-MODEL-WEIGHT-SUM", MST_WARNING,
     "the weights of vertices neither add up to 1 nor are all 0: the vertices move too far or too little "
     "with their bones"},
    {"SPARK-MODEL-WEIGHT-INDEX", MST_WARNING,
     "vertices follow bones that the palette of their face set lacks"},
    {"SPARK-MODEL-WINDING", MST_WARNING,
     "most triangles are clockwise seen from outside, so the model shows its inside"},
    {"SPARK-MODEL-TRIANGLE-FLAT", MST_WARNING, "some triangles have no area: they are invisible"},
    {"SPARK-MODEL-BOUNDS", MST_WARNING,
     "the bounding box does not contain the vertices, as it does in all 118 models of mods without "
     "animations"},
    {"SPARK-MODEL-BONE-PARENT", MST_WARNING, "the parent bone does not exist, or is not before its child"},
    {"SPARK-MODEL-BONE-BOUNDS", MST_WARNING, "the number of boxes differs from the number of bones"},
    {"SPARK-MODEL-REP-RANGE", MST_WARNING,
     "the collision rep does not exist, or has solids, joints or pairs that do not exist"},
    {"SPARK-MODEL-REP-NAME", MST_WARNING,
     "no collision rep is named default, as one is in every known model"},
    {"SPARK-MODEL-SOLID-BONE", MST_WARNING, "the bone does not exist"},
    {"SPARK-MODEL-SOLID-INDEX", MST_WARNING, "the solid has no such vertex"},
    {"SPARK-MODEL-SOLID-OPEN", MST_WARNING, "the solid is not closed: its inside and outside are undefined"},
    {"SPARK-MODEL-JOINT-SOLID", MST_WARNING, "the solid does not exist"},
    {"SPARK-MODEL-PAIR-SOLID", MST_WARNING, "the solid does not exist"},
    {"SPARK-MODEL-ATTACH-BONE", MST_WARNING, "the bone does not exist"},
    {"SPARK-MODEL-CAMERA-BONE", MST_WARNING, "the bone does not exist"},
    {"SPARK-MODEL-ANIM-BONE", MST_WARNING, "the bone does not exist"},
    {"SPARK-MODEL-ANIM-CURVES", MST_WARNING, "the animation does not have curves for each bone"},
    {"SPARK-MODEL-ANIM-TAG", MST_WARNING, "the event is after the animation's last frame: it never occurs"},
    {"SPARK-MODEL-NODE-REF", MST_WARNING, "the animation or node does not exist"},
    {"SPARK-MODEL-NODE-PARAMETER", MST_WARNING, "the parameter does not exist"},
    {"SPARK-MODEL-SEQUENCE-NODE", MST_WARNING, "the node does not exist"},
    MST_SPARK_ASSET_CODES,
};
const mst_codes mst_spark_model_codes = MST_CODES(codes);

/* ---- chunks -------------------------------------------------------------------------------------- */

/* Whether the id belongs to a known chunk. */
static bool is_known(uint64_t id) {
    const mst_chunks *chunks = mst_spark_model_record.fields[mst_spark_model_record.field_count - 1].chunks;
    for (uint8_t c = 0; c < chunks->case_count; c++)
        if (chunks->cases[c].id == id)
            return true;
    return false;
}

static mst_status check_unknown(mst_checker *checker) {
    mst_value list, chunk;
    uint64_t index = 0;
    if (!mst_spark_list(checker->document, "unknown_chunks", &list))
        return MST_OK;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &chunk); index++) {
        uint64_t id = mst_number_in(&chunk, "id");
        mst_diagnostic *finding =
            mst_finding_of(checker, &chunk, "unknown_chunks[%llu]", (unsigned long long)index);
        MST_SET(finding->found, "%llu", (unsigned long long)id);
        mst_status status = mst_checker_report(checker, is_known(id) ? "SPARK-MODEL-CHUNK-DUPLICATE"
                                                                     : "SPARK-MODEL-CHUNK-UNKNOWN");
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status report_missing(mst_checker *checker, const char *name) {
    mst_finding_of(checker, NULL, "%s", name);
    return mst_checker_report(checker, "SPARK-MODEL-CHUNK-MISSING");
}

/* The chunks that all models have, and their order, which is the table's. */
static mst_status check_chunks(mst_checker *checker) {
    static const struct {
        const char *name;
        uint32_t from;
    } always[] = {{"vertices", 0},  {"indices", 0},        {"face_sets", 0},   {"bones", 0},
                  {"materials", 0}, {"collision_reps", 5}, {"bounding_box", 5}};
    const mst_document *document = checker->document;
    mst_value root = mst_root(document), value;
    for (size_t i = 0; i < MST_COUNT_OF(always); i++) {
        mst_status status = MST_OK;
        if (document->variant.version >= always[i].from &&
            mst_member(&root, always[i].name, &value) != MST_OK)
            status = report_missing(checker, always[i].name);
        if (status != MST_OK)
            return status;
    }
    const mst_chunks *chunks = mst_spark_model_record.fields[mst_spark_model_record.field_count - 1].chunks;
    uint64_t before = 0;
    for (uint8_t c = 0; c < chunks->case_count; c++) {
        const char *name = chunks->cases[c].field.name;
        if (mst_member(&root, name, &value) != MST_OK)
            continue;
        mst_finding_of(checker, &value, "%s", name);
        if (value.offset < before)
            return mst_checker_report(checker, "SPARK-MODEL-CHUNK-ORDER");
        before = value.offset;
    }
    return MST_OK;
}

/* ---- materials and the box ----------------------------------------------------------------------- */

static mst_status check_materials(mst_checker *checker) {
    mst_value list, name;
    uint64_t index = 0;
    if (!mst_spark_list(checker->document, "materials", &list))
        return MST_OK;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &name); index++) {
        static const char suffix[] = ".material";
        const void *bytes = "";
        size_t size = 0;
        mst_get_bytes(&name, &bytes, &size);
        if (size && !memchr(bytes, '\\', size) && mst_text_ends_in(bytes, size, suffix))
            continue;
        mst_finding_of(checker, &name, "materials[%llu]", (unsigned long long)index);
        MST_REPORT(checker, "SPARK-MODEL-MATERIAL-NAME");
    }
    return MST_OK;
}

/*
 * The box holds the vertices, within a hundredth of its size and a millimetre. An animated model has the box
 * of all its poses: 15 of 52 such boxes do not hold the vertices as stored, and the warning was false for all
 * 10 that were examined.
 */
static mst_status check_box(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_value root = mst_root(document), value, vertices, other;
    mst_spark_box box = {{0}, {0}};
    mst_bound bound;
    if (mst_member(&root, "bounding_box", &value) != MST_OK ||
        (mst_spark_list(document, "animations", &other) &&
         mst_spark_list(document, "bone_bounding_boxes", &other)) ||
        !mst_spark_list(document, "vertices", &vertices))
        return MST_OK;
    mst_bind(document, &mst_spark_box_bindings, &bound);
    mst_fill(&bound, &value, &box);
    mst_column positions = mst_column_in(&vertices, "position");
    for (uint64_t i = 0; i < positions.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t bits = mst_column_u32(&positions, i, k);
            float at;
            memcpy(&at, &bits, sizeof at);
            float away = fabsf(at - box.centre[k]);
            if (!(away > box.half_size[k] * 1.01F + 0.001F))
                continue;
            mst_diagnostic *finding = mst_finding_of(checker, &value, "bounding_box");
            MST_SET(finding->expected, "a box that holds vertices[%llu]", (unsigned long long)i);
            MST_SET(finding->found, "%g beyond it along %c", (double)(away - box.half_size[k]), 'x' + (int)k);
            return mst_checker_report(checker, "SPARK-MODEL-BOUNDS");
        }
    return MST_OK;
}

static mst_status set_vector(mst_fix_context *fixing, const char *path, const float vector[3]) {
    char json[128];
    size_t length = 0;
    for (uint32_t k = 0; k < 3; k++) {
        json[length++] = k ? ',' : '[';
        length += mst_write_f32(json + length, vector[k]);
    }
    memcpy(json + length, "]", 2);
    return fixing->set(fixing, path, json);
}

/* The box of the vertices; animated models have the box of all their poses. */
mst_status mst_spark_fix_bounds(mst_fix_context *fixing) {
    mst_value vertices, animations;
    if (mst_spark_list(fixing->document, "animations", &animations) ||
        !mst_spark_list(fixing->document, "vertices", &vertices))
        return MST_OK;
    mst_column positions = mst_column_in(&vertices, "position");
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, middle[3], half[3];
    for (uint64_t i = 0; i < positions.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            float at = mst_f32_of_bits(mst_column_u32(&positions, i, k));
            if (!isfinite(at))
                return MST_OK;
            low[k] = !i || at < low[k] ? at : low[k];
            high[k] = !i || at > high[k] ? at : high[k];
        }
    for (uint32_t k = 0; k < 3; k++) {
        middle[k] = low[k] / 2 + high[k] / 2;
        half[k] = fmaxf(high[k] - middle[k], middle[k] - low[k]);
    }
    mst_status status = set_vector(fixing, "bounding_box.centre", middle);
    return status == MST_OK ? set_vector(fixing, "bounding_box.half_size", half) : status;
}

mst_status mst_spark_check_model(mst_checker *checker) {
    mst_status status = check_unknown(checker);
    if (status == MST_OK)
        status = check_chunks(checker);
    if (status == MST_OK)
        status = check_materials(checker);
    if (status == MST_OK)
        status = check_box(checker);
    if (status == MST_OK)
        status = mst_spark_check_mesh(checker);
    if (status == MST_OK)
        status = mst_spark_check_parts(checker);
    return status == MST_OK ? mst_spark_check_assets(checker) : status;
}
