/* SPDX-License-Identifier: MIT */
/*
 * The tables of models. A surface without triangles may lack the number of its vertices, and bytes may follow
 * the last node: which of these a file has is only known after reading it, so they are layouts.
 */
#include "../../../core/text.h"
#include "../../../tables/words.h"
#include "models.h"
#include <string.h>

/* context variables; 0 is the version */
enum { R_CHILDREN = 1, R_VARIANTS, R_OBJECTS, R_TRIANGLES };
enum { L_PLAIN, L_BARE, L_TAIL };
#define PER(variable) .mode = MST_COUNT_VARIABLE, .count_variable = (variable)
#define F32S(n)       F32, FIXED(n)

#define RECORDS(X) X(model) X(node) X(object) X(surface) X(triangle) X(vertex)
enum { RECORDS(RECORD_INDEX) };

static const mst_field vertex_fields[] = {
    {.name = "position", F32S(3), .doc = "x, y, z in the space of the node, in the level's units; z is up."},
    {.name = "uv",
     F32S(2),
     .doc = "Place on the picture: u to the right, v upwards from the bottom edge; beyond 0..1 the material "
            "decides."},
    {.name = "normal", F32S(3), .doc = "Unit vector away from the surface."},
};
RECORD(vertex, "vertex", "a corner of triangles");

static const mst_field triangle_fields[] = {
    {.name = "corners",
     U16,
     FIXED(3),
     .doc = "Three vertices of the surface, counter-clockwise seen from outside.",
     REFERS({.target = "vertices", .code = "KEX-INDEX"})},
};
RECORD(triangle, "triangle", "three vertices", .is_inline = true);

static bool is_nul(const uint8_t *bytes, bool big) {
    (void)big;
    return bytes[0] == 0;
}

#define VERTICES(...)                                                                                        \
    { .name = "vertices", LIST(vertex), IF(__VA_ARGS__), .doc = "The corners of its triangles." }
static const mst_field surface_fields[] = {
    {.name = "material",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_SENTINEL,
     .ends = is_nul,
     .doc = "Path of a material file without its ending, then the material in it: "
            "`materials/mat_crate01/wood` is `wood` of `materials/mat_crate01.kmat`."},
    {.name = "material_end", U8, .flags = MST_FIELD_DEFAULT, .doc = "Always 0: ends the path."},
    {.name = "triangle_count", U32, BIND(R_TRIANGLES), .length_of = "triangles", .doc = "Their number."},
    {.name = "triangles",
     .kind = MST_KIND_RECORD,
     .record = &triangle,
     PER(R_TRIANGLES),
     .doc = "What is drawn; none is allowed."},
    VERTICES(IS_NOT(MST_VARIABLE_LAYOUT, L_BARE)),
    VERTICES(IS(MST_VARIABLE_LAYOUT, L_BARE), IS_NOT(R_TRIANGLES, 0)),
};
RECORD(surface, "surface", "triangles of one material");

static const mst_field object_fields[] = {
    {.name = "surfaces", LIST(surface), .doc = "The drawn surfaces; without any, the shape is invisible."},
};
RECORD(object, "object", "a shape of a node", .is_inline = true);

static const mst_field node_fields[] = {
    {.name = "child_count", U32, BIND(R_CHILDREN), .length_of = "children", .doc = "Number of children."},
    {.name = "variant_count",
     U32,
     BIND(R_VARIANTS),
     .length_of = "variants",
     .doc = "Number of variants.",
     .range = "1..255"},
    {.name = "object_count",
     U32,
     BIND(R_OBJECTS),
     .length_of = "objects",
     .doc = "Number of shapes.",
     .range = "1..255"},
    {.name = "children",
     U16,
     PER(R_CHILDREN),
     .doc = "The nodes that move with this one. All nodes are one tree below the first.",
     REFERS({.target = "nodes", .code = "KEX-CHILD"})},
    {.name = "variants",
     U16,
     PER(R_VARIANTS),
     .doc = "The shape of each variant; an actor selects its variant by number.",
     REFERS({.target = "objects", .code = "KEX-VARIANT"})},
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     .record = &object,
     PER(R_OBJECTS),
     .doc = "The shapes that the node can have."},
};
RECORD(node, "node", "a part of the model that moves as one");

static const mst_field model_fields[] = {
    {.name = "version", U32, .doc = "Always 1."},
    {.name = "bounds_min",
     F32S(3),
     .doc = "Smallest x, y, z of the model in all its animations; zeros in models of static meshes."},
    {.name = "bounds_max", F32S(3), .doc = "Largest x, y, z; zeros as well."},
    {.name = "nodes", LIST(node), .doc = "The parts; the first is the root. A static mesh has only that."},
    {.name = "tail",
     RAW_TO_END,
     IF(IS(MST_VARIABLE_LAYOUT, L_TAIL)),
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the last node; their meaning is not known."},
};
RECORD(model, "model", "a model");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- bindings ------------------------------------------------------------------------------------ */

static const mst_binding bounds_list[] = {MST_BINDING(mst_kex_model_bounds, minimum, "bounds_min"),
                                          MST_BINDING(mst_kex_model_bounds, maximum, "bounds_max")};
static const mst_binding node_list[] = {MST_BINDING(mst_kex_node, children, "children"),
                                        MST_BINDING(mst_kex_node, variants, "variants"),
                                        MST_BINDING(mst_kex_node, objects, "objects")};
static const mst_binding surface_list[] = {MST_BINDING(mst_kex_surface, material, "material"),
                                           MST_BINDING(mst_kex_surface, triangles, "triangles"),
                                           MST_BINDING(mst_kex_surface, vertices, "vertices")};
static const mst_binding vertex_list[] = {MST_BINDING(mst_kex_vertex, position, "position"),
                                          MST_BINDING(mst_kex_vertex, uv, "uv"),
                                          MST_BINDING(mst_kex_vertex, normal, "normal")};
static const mst_binding triangle_list[] = {MST_BINDING(mst_kex_triangle, corners, "corners")};

const mst_bindings mst_kex_model_bindings = MST_BINDINGS(mst_kex_model_bounds, "model", bounds_list);
const mst_bindings mst_kex_node_bindings = MST_BINDINGS(mst_kex_node, "node", node_list);
const mst_bindings mst_kex_surface_bindings = MST_BINDINGS(mst_kex_surface, "surface", surface_list);
const mst_bindings mst_kex_vertex_bindings = MST_BINDINGS(mst_kex_vertex, "vertex", vertex_list);
const mst_bindings mst_kex_triangle_bindings = MST_BINDINGS(mst_kex_triangle, "triangle", triangle_list);
static const mst_bindings *const bindings[] = {&mst_kex_model_bindings, &mst_kex_node_bindings,
                                               &mst_kex_surface_bindings, &mst_kex_vertex_bindings,
                                               &mst_kex_triangle_bindings};

/* ---- identifying --------------------------------------------------------------------------------- */

#define MOST_NODES  65535u
#define MOST_SHAPES 255u

/* The numbers at the beginning of a file that identify it: there is no magic. */
enum { AT_BOUNDS = 4, AT_NODES = 28, AT_CHILDREN = 32, AT_VARIANTS = 36, AT_OBJECTS = 40, HEADER = 44 };

/* Zero, or plausible as a length: not an integer or text that is read as a float. */
static bool is_length(uint32_t bits) {
    uint32_t exponent = bits >> 23 & 0xFF;
    return (bits & 0x7FFFFFFF) == 0 || (exponent > 127 - 32 && exponent < 127 + 24);
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size;
    if (size >= 4)
        variant->version = mst_load32(bytes, false);
    if (size < HEADER || (name && !mst_text_ends_in(name, strlen(name), ".bin")))
        return false;
    for (unsigned k = 0; k < 6; k++)
        if (!is_length(mst_load32(bytes + AT_BOUNDS + 4 * (size_t)k, false)))
            return false;
    uint32_t nodes = mst_load32(bytes + AT_NODES, false), children = mst_load32(bytes + AT_CHILDREN, false),
             variants = mst_load32(bytes + AT_VARIANTS, false),
             objects = mst_load32(bytes + AT_OBJECTS, false);
    const bool good[] = {variant->version == 1, nodes && nodes <= MOST_NODES, children < MOST_NODES,
                         variants && variants <= MOST_SHAPES, objects && objects <= MOST_SHAPES};
    unsigned wrong = 0;
    for (size_t i = 0; i < MST_COUNT_OF(good); i++)
        wrong += !good[i];
    return wrong <= (name ? 1u : 0u); /* a damaged model is accepted by its name */
}

static mst_status resolve_variant(const uint8_t *bytes, size_t size, mst_variant *variant,
                                  mst_diagnostic *diagnostic) {
    (void)variant;
    bool none = size >= HEADER && mst_load32(bytes, false) == 1 && !mst_load32(bytes + AT_NODES, false);
    if (!none)
        return MST_OK;
    mst_fail(diagnostic, MST_DAMAGED, "the model has no node");
    if (diagnostic) {
        MST_SET(diagnostic->code, "KEX-NODES");
        diagnostic->offset = AT_NODES;
        diagnostic->length = 4;
        MST_SET(diagnostic->path, "nodes");
        MST_SET(diagnostic->expected, "at least 1");
        MST_SET(diagnostic->found, "0");
    }
    return MST_DAMAGED;
}

static bool fallback(mst_variant *variant) {
    if (variant->layout == L_TAIL)
        return false;
    variant->layout++;
    return true;
}

static bool version_known(uint32_t version) {
    return version == 1;
}

static const char *const layouts[] = {
    [L_PLAIN] = "plain", [L_BARE] = "no vertex count without triangles", [L_TAIL] = "bytes after the end"};

static const mst_code_information codes[] = {
    {"KEX-TRUNCATED", MST_ERROR, "a field or name extends past the end of the file"},
    {"KEX-COUNT", MST_ERROR, "a count is too large for the remaining bytes"},
    {"KEX-VERSION", MST_ERROR, "the version is not 1"},
    {"KEX-NODES", MST_ERROR, "the model has no node, or a node has no variant or no shape and is invisible"},
    {"KEX-INDEX", MST_ERROR, "the vertex does not exist: pictures omit the triangle"},
    {"KEX-CHILD", MST_ERROR, "the node does not exist, or is the node itself"},
    {"KEX-VARIANT", MST_ERROR, "the shape does not exist: the variant shows nothing of the node"},
    {"KEX-TAIL", MST_WARNING, "bytes follow the end; they are kept unchanged"},
    {"KEX-TREE", MST_WARNING,
     "the nodes are not one tree below the first node: the others do not move with it"},
    {"KEX-BOUNDS", MST_WARNING, "the box is inverted: a minimum is above its maximum"},
    {"KEX-NONFINITE", MST_WARNING, "the number is not finite and cannot be used as a position: set another"},
    {"KEX-VERTEX-UNUSED", MST_WARNING, "no triangle uses these vertices: they are invisible"},
    {"KEX-MATERIAL", MST_WARNING,
     "the name has no slash: it must be the path of a material file, then the material in it"},
    {"KEX-EMPTY", MST_INFORMATION, "the surface has no triangles"},
    {"KEX-NORMAL", MST_INFORMATION, "normals are not normalized: they are lit too strongly or too weakly"},
    MST_KEX_FILE_CODES,
};

const mst_format mst_format_turok_model = {
    .information = {.id = "turok-model",
                    .title = "Turok remaster model",
                    .extensions = ".bin",
                    .media_type = "",
                    .versions = "1",
                    .rows = "nodes"},
    .tables.root = &model,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = bindings,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .identity.version_field = "version",
    .identity.version = 1,
    .identity.probe = probe,
    .identity.layouts = layouts,
    .identity.layout_count = MST_COUNT_OF(layouts),
    .identity.resolve_variant = resolve_variant,
    .identity.fallback = fallback,
    .identity.version_known = version_known,
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "KEX-VERSION",
                            [MST_PROBLEM_VERSION] = "KEX-VERSION",
                            [MST_PROBLEM_OVERRUN] = "KEX-TRUNCATED",
                            [MST_PROBLEM_STRING] = "KEX-TRUNCATED",
                            [MST_PROBLEM_COUNT] = "KEX-COUNT",
                            [MST_PROBLEM_TRAILING] = "KEX-TAIL"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.nonfinite_code = "KEX-NONFINITE",
    .check.check = mst_kex_check_model,
    .content.names = mst_kex_model_names,
    .build_scene = mst_kex_model_scene,
    .tables.introduction =
        "A model of the Turok remaster (Kex engine, 2015), as in `models`. Little-endian, packed, without a "
        "magic number. The space is\n"
        "the space of levels: right-handed, Z up, 38.4 units are about a metre.\n\n"
        "A model is a tree of nodes. An actor shows all of them, of each the shape of the actor's variant, "
        "placed by the first frame of the\n"
        "first animation of its [`turok-animation`](turok-animation.md), or all at the origin without one. A "
        "static mesh shows the first\n"
        "shape of the first node.\n\n"
        "Whether a surface without triangles stores its number of vertices is not known: one writer does, "
        "one reader does not expect it.\n"
        "A file is read with it, and without it only if the end of the file does not fit otherwise.\n",
    .tables.relations =
        "- `material` names a material in a [`turok-material`](turok-material.md) file below the "
        "game's root.\n"
        "- Levels ([`turok-map`](turok-map.md)) name models by their paths below the root.\n",
    .tables.sources =
        "- The readers and writers of a published Blender add-on and its manual, an older engine of "
        "the same author, and one public model.\n",
};
