/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the Natural Selection 2 formats. */
#ifndef MST_FORMATS_NS2_H
#define MST_FORMATS_NS2_H

#include "../../read/engine.h"
#include "../../tables/room_hooks.h"

extern const mst_format mst_format_ns2_level, mst_format_ns2_clip, mst_format_ns2_overview;

extern const mst_codes mst_ns2_codes;
extern const mst_compared mst_ns2_compared[];
/* The volumes of locations (locations.c). */
extern const mst_rooms mst_ns2_rooms;
mst_status mst_ns2_acts_on(const mst_document *document, mst_link_function take, void *user);
/* The rules of the tables' hooks, for other languages. */
extern const mst_expression mst_ns2_expressions[];

/* The fields of a property, in the order of its table. */
typedef enum mst_ns2_property_field {
    MST_NS2_PROPERTY_ID,
    MST_NS2_PROPERTY_LENGTH,
    MST_NS2_PROPERTY_NAME,
    MST_NS2_PROPERTY_TYPE,
    MST_NS2_PROPERTY_COMPONENTS,
    MST_NS2_PROPERTY_ANIMATED,
    MST_NS2_PROPERTY_TEXTS, /* the value is one of these six, by type */
    MST_NS2_PROPERTY_BOOLS,
    MST_NS2_PROPERTY_DISTANCES,
    MST_NS2_PROPERTY_ANGLES,
    MST_NS2_PROPERTY_REALS,
    MST_NS2_PROPERTY_INTEGERS,
    MST_NS2_PROPERTY_DATA,
    MST_NS2_PROPERTY_FIELDS
} mst_ns2_property_field;
/* mst_ns2_level_record and so on. */
/* clang-format off */
#define MST_NS2_RECORDS(X) \
    X(level) X(clip) X(string) X(wide_string) X(point) X(vertex) X(edge) X(loop_edge) X(loop) \
    X(face) X(face_layer) X(face_layers) X(mapping_group) X(vertex_group) X(edge_group) \
    X(face_group) X(geometry_groups) X(triangle) X(face_triangles) X(triangles) X(mesh) \
    X(property) X(extra) X(cube_side) X(cube_row) X(object) X(layer) X(color) X(setting) \
    X(setting_layers) X(unknown_chunk) X(clip_object) X(block)
/* clang-format on */
#define MST_NS2_RECORD_DECLARED(label) extern const mst_record mst_ns2_##label##_record;
MST_NS2_RECORDS(MST_NS2_RECORD_DECLARED)

#define MST_NS2_SETTING      0x7E374C8Eu /* the id of known settings */
#define MST_NS2_CLIP_OBJECT  1u          /* the id of entities on a clipboard */
#define MST_NS2_CLIP_BLOCK   1u          /* the first number of its blocks; their contents: */
#define MST_NS2_CLIP_OBJECTS 1u
#define MST_NS2_CLIP_MESH    2u
#define MST_NS2_FIRST_CHUNK  4u /* its offset */
#define MST_NS2_MESH         2u /* the id of the mesh's chunk */
#define MST_NS2_OBJECT       1u /* and of the entities' chunk */
#define MST_NS2_LAYER_FORMAT 2u /* the known format of layer words */

/* An extra of that name and size holds a cubemap: six sides, each in rows of four bytes per pixel. */
#define MST_NS2_CUBEMAP      "reflection_probe_cubemap"
#define MST_NS2_CUBEMAP_SIDE 64u
#define MST_NS2_CUBEMAP_ROW  (4u * MST_NS2_CUBEMAP_SIDE)
#define MST_NS2_CUBEMAP_SIZE (6u * MST_NS2_CUBEMAP_SIDE * MST_NS2_CUBEMAP_ROW)

mst_status mst_ns2_check_begin(mst_checker *checker);
mst_status mst_ns2_check_item(mst_checker *checker, const mst_item *item);
bool mst_ns2_check_wants(const mst_field *field);
mst_status mst_ns2_check(mst_checker *checker);
/* Updates the number of triangles after they were added or removed. */
void mst_ns2_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes);
/* Adds triangles and layers to a mesh with faces that has none (check.fixes). */
struct mst_fix_context;
mst_status mst_ns2_fix_face_layers(struct mst_fix_context *fixing);
mst_status mst_ns2_fix_triangles(struct mst_fix_context *fixing);
/* Expands new faces and entities to their parts (adding.expand, adding.expands, adding.blank,
 * adding.of_class, adding.pair). */
mst_status mst_ns2_expand(mst_document *document, const char *list, const char **json, size_t count,
                          mst_arena *arena, mst_diagnostic *diagnostic);
mst_status mst_ns2_expands(const char *list, const char *json, mst_arena *arena, mst_diagnostic *diagnostic);
const char *mst_ns2_blank(const mst_document *document, const mst_field *list);
mst_status mst_ns2_of_class(const mst_field *list, const char *kind, const struct mst_json *given,
                            mst_arena *arena, const char **json, mst_diagnostic *diagnostic);
const char *mst_ns2_pair(const char *name, mst_arena *arena);
/* An entity according to its class in editor_setup.xml (adding.from_schema). */
mst_status mst_ns2_from_schema(const mst_document *document, const mst_field *list, const char *kind,
                               const struct mst_json *given, const mst_check_options *schema,
                               mst_arena *arena, const char **json, mst_diagnostic *diagnostic);
/* Faces and edges by the positions of their corners, and patches of these for another level (mesh.geometry,
 * mesh.carry). */
mst_status mst_ns2_geometry(const char *list, const mst_value *element, uint64_t index, mst_arena *arena,
                            const char **json);
mst_status mst_ns2_carry(struct mst_carried_steps *what);
/* The triangles of a new face (editing.row). */
mst_status mst_ns2_row(const mst_value *face, const mst_field *rows, mst_arena *arena, const char **json);
/* Changes the corners of a face in place: whether a path is its `positions` or `holes`, which are not in the
 * tables (editing.reaches), and setting them (editing.resize). */
bool mst_ns2_reaches(const char *path);
mst_status mst_ns2_reshape(mst_document *document, const struct mst_operation *operation,
                           const struct mst_edit_options *options, mst_diagnostic *diagnostic);
/* Faces move with their vertices (mesh.move_together). */
mst_status mst_ns2_move_together(const struct mst_together *what, mst_diagnostic *diagnostic);
/* After an edit: moves triangles onto their faces, and restores the order of materials if it was the order of
 * their first use. */
mst_status mst_ns2_settle(const mst_document *before, mst_document *after,
                          const struct mst_edit_options *options, mst_diagnostic *diagnostic);
mst_status mst_ns2_clip_check_begin(mst_checker *checker);
mst_status mst_ns2_clip_check(mst_checker *checker);
/* The same level in another version, with a report of the data that it cannot store (conversion.convert). */
mst_status mst_ns2_convert(const mst_document *document, const mst_convert_options *options,
                           mst_report_function report, void *user, mst_buffer *bytes,
                           mst_diagnostic *diagnostic);
/* Copies the selected objects and faces to a clipboard, and a clipboard to a new level (convert.as_other). */
mst_status mst_ns2_level_to_clip(const mst_document *document, const mst_convert_options *options,
                                 mst_report_function report, void *user, mst_buffer *bytes,
                                 mst_diagnostic *diagnostic);
mst_status mst_ns2_clip_to_level(const mst_document *document, const mst_convert_options *options,
                                 mst_report_function report, void *user, mst_buffer *bytes,
                                 mst_diagnostic *diagnostic);
/* A level with the contents of a clipboard (mesh.paste). */
mst_status mst_ns2_paste(const mst_document *document, const mst_document *clip,
                         const struct mst_edit_options *options, mst_buffer *bytes,
                         mst_diagnostic *diagnostic);
size_t mst_ns2_image_count(const mst_document *document);
mst_status mst_ns2_image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                              char *name, mst_diagnostic *diagnostic);
mst_status mst_ns2_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                 mst_diagnostic *diagnostic);
mst_status mst_ns2_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                         mst_diagnostic *diagnostic);
/* Describes in words which entities act on which. */
mst_status mst_ns2_describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                            mst_sink sink, mst_diagnostic *diagnostic);
/* The materials of faces and the models of entities (content.names). */
mst_status mst_ns2_name_files(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                              void *taker);
mst_status mst_ns2_clip_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic);

#endif
