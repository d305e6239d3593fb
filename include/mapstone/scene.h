/* SPDX-License-Identifier: MIT */
/*
 * The common scene: a level as a 3D world. Every format is converted to it (mst_scene_from_document), and
 * every export and picture is made from it.
 *
 * A scene owns plain arrays that refer to each other by index; -1 is none. Coordinates: right-handed, Y up,
 * metres once the root node's transform is applied; nodes below the root keep the file's own coordinates. A
 * quaternion is x, y, z, w. Triangles are counter-clockwise seen from their visible side. Colours are linear,
 * 0..1. A parent precedes its children; node 0 is the root.
 */
#ifndef MAPSTONE_SCENE_H
#define MAPSTONE_SCENE_H

#include "document.h"
#include "pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_extra_kind { MST_EXTRA_TEXT, MST_EXTRA_INTEGER, MST_EXTRA_REAL } mst_extra_kind;

/*
 * One value of a node's or material's extras. They are flat, because Blender, assimp and others read only
 * flat extras: integers within int32, finite reals, text. Nested data goes to one text named "json".
 */
typedef struct mst_extra {
    const char *name; /* unique within its owner */
    mst_extra_kind kind;
    int32_t integer;
    double real;
    const char *text; /* UTF-8, NUL-terminated */
} mst_extra;

typedef struct mst_extras {
    const mst_extra *items;
    size_t count;
} mst_extras;

/*
 * Where a node or a triangle comes from: a value of a document. `file` is "" for the document that the scene
 * was built from; if there are several (sectors), or other files contribute, the name that it was found by:
 * "44_12_8.DAT", "animtest/mod3.zlb.bin". `path` is the value's, "" for the root; with an `index` it is a
 * list's, and the value is that element. mst_scene_source_path combines both into one text.
 */
typedef struct mst_scene_source {
    const char *file;
    const char *path;
    uint32_t index; /* MST_NO_INDEX: none */
} mst_scene_source;
#define MST_NO_INDEX UINT32_MAX

/* A node's purpose, which pictures and layer filters depend on. */
typedef enum mst_role {
    MST_ROLE_GROUP = 0, /* holds others */
    MST_ROLE_GEOMETRY,  /* seen and walked on by players */
    MST_ROLE_COLLISION, /* not visible */
    MST_ROLE_HELPER,    /* geometry that is visible only in an editor or to some players */
    MST_ROLE_ENTITY,    /* an object at a position; `class_name` is its kind */
    MST_ROLE_LIGHT,
    MST_ROLE_CAMERA
} mst_role;

typedef enum mst_facing { MST_FACING_NONE = 0, MST_FACING_X, MST_FACING_Y, MST_FACING_Z } mst_facing;

typedef struct mst_node {
    const char *name;       /* from the level, UTF-8; exporters make it unique and safe */
    const char *class_name; /* kind of entity, "" if it is not an entity */
    const char *layer;      /* layer or group it belongs to, "" if none; used by --layers */
    const char *label;      /* text for a map, such as the name of a room or of a symbol's file; "" if none */
    mst_role role;
    int32_t parent; /* index, -1 for the root */
    int32_t mesh;
    int32_t light;
    int32_t camera;
    float translation[3];
    float rotation[4];
    float scale[3];
    mst_extras extras;
    const char *tag;         /* the short id that scripts use for it, "" if none; shown in maps on request */
    mst_facing facing;       /* the local axis that an entity faces along */
    mst_scene_source source; /* groups and helpers without a value of their own have their parent's */
    uint32_t skin;           /* index + 1; 0: none. The mesh then follows its joints, not the node */
    bool hidden;             /* left out of pictures and models, with its children (mst_scene_choose) */
} mst_node;

/* Triangles of one material. Every attribute except positions may be NULL; all have vertex_count elements. */
typedef struct mst_primitive {
    int32_t material;
    uint32_t vertex_count;
    uint32_t index_count;   /* a multiple of 3 */
    const float *positions; /* 3 each */
    const float *normals;   /* 3 each, length 1 */
    const float *texcoords; /* 2 each, v pointing down as in glTF */
    const float *colors;    /* 4 each, linear */
    const uint32_t *indices;
    mst_scene_source source;  /* a list; `path` NULL: triangles have the source of the node that shows them */
    const uint32_t *elements; /* for each triangle the list's element; see mst_scene_triangle_source */
    const uint32_t *vertices; /* for each vertex its number in the level, such as of `mesh.vertices`; NULL */
    /* Of a mesh whose nodes have a skin: for each vertex four of its joints, and how far it follows them; the
     * weights add up to 1, and a joint without weight is 0. Both or none. */
    const uint16_t *joints;
    const float *weights;
    /* Morph targets for animations (MST_MORPHS): the displacement of each vertex, target after target, and
     * the change of its normal (NULL: none). All primitives of a mesh have the same number of targets. */
    const float *targets;
    const float *target_normals;
    uint32_t target_count;
} mst_primitive;

typedef struct mst_mesh {
    const char *name;
    const mst_primitive *primitives;
    size_t primitive_count;
} mst_mesh;

/* Nodes that move the vertices of a mesh. */
typedef struct mst_skin {
    const char *name;
    const int32_t *joints; /* nodes */
    size_t joint_count;
    const float *inverse_binds; /* 16 for each, column by column: from the mesh to the joint in bind pose */
} mst_skin;

/* How a node's translation, rotation or scale changes over time, or the weight of each of its mesh's
 * targets. */
typedef enum mst_movement { MST_MOVES = 0, MST_TURNS, MST_SCALES, MST_MORPHS } mst_movement;

typedef struct mst_channel {
    int32_t node;
    mst_movement kind;
    uint32_t value_count; /* the animation's frame count, or 1: constant */
    /* 3 each; for MST_TURNS 4: quaternions of length 1; for MST_MORPHS one for each target of the node's
     * mesh; linear between frames */
    const float *values;
} mst_channel;

typedef struct mst_animation {
    const char *name;
    float frame_rate; /* frames per second */
    uint32_t frame_count;
    const mst_channel *channels; /* nodes without a channel for a property keep it */
    size_t channel_count;
} mst_animation;

typedef enum mst_alpha_mode { MST_ALPHA_OPAQUE = 0, MST_ALPHA_MASK, MST_ALPHA_BLEND } mst_alpha_mode;
typedef enum mst_wrap { MST_WRAP_REPEAT = 0, MST_WRAP_CLAMP, MST_WRAP_MIRROR } mst_wrap;

/* A texture; its pixels are RGBA8, owned by the scene, and read-only. */
typedef struct mst_image {
    const char *name;
    mst_pixels pixels;
    const struct mst_packed_image *packed; /* not NULL: `data` is NULL; see mst_scene_image_read */
    bool placeholder;                      /* a pattern in place of a texture that was not found */
} mst_image;

typedef struct mst_material {
    const char *name;
    float color[4]; /* linear */
    int32_t image;
    mst_wrap wrap_s, wrap_t;
    bool nearest; /* texture filter: nearest, else linear */
    mst_alpha_mode alpha_mode;
    float alpha_cutoff; /* MASK only */
    bool double_sided;
    bool unlit; /* the game does not light it */
    mst_extras extras;
    /* More textures with the same coordinates: index + 1 of the image; 0: none. */
    uint32_t normal_texture;   /* normals in red, green (up the texture) and blue, not colours */
    uint32_t emissive_texture; /* added light */
    uint32_t specular_texture; /* the colour of highlights */
    float roughness;           /* of the surface, up to 1; 0 means 1 */
} mst_material;

typedef enum mst_light_kind { MST_LIGHT_POINT = 0, MST_LIGHT_SPOT, MST_LIGHT_DIRECTIONAL } mst_light_kind;

/* A light shines along its node's -Z. Intensity is candela (point, spot) or lux (directional). */
typedef struct mst_light {
    const char *name;
    mst_light_kind kind;
    float color[3];
    float intensity;
    float range;                    /* metres, 0 unlimited */
    float inner_angle, outer_angle; /* half angles of a spot's cone, radians */
} mst_light;

/* A camera looks along its node's -Z. */
typedef struct mst_camera {
    const char *name;
    float vertical_fov;          /* radians */
    float near_plane, far_plane; /* far 0: infinite */
} mst_camera;

/*
 * The game's own map of the level, which a picture from above shows in place of the geometry's heights.
 * Exporters ignore it. Positions are in the coordinates of the root's children; colours are sRGB.
 */
typedef struct mst_map_key {
    const char *name;
    uint8_t color[4];
} mst_map_key;

typedef struct mst_map_face {
    float corners[3][3];
    uint32_t key; /* index */
} mst_map_face;

typedef enum mst_map_line_kind {
    MST_MAP_WALL = 0, /* impassable */
    MST_MAP_LINK      /* an arrow from an entity to its target */
} mst_map_line_kind;

typedef struct mst_map_line {
    float from[3], to[3];
    mst_map_line_kind kind;
} mst_map_line;

typedef struct mst_map {
    const mst_map_key *keys; /* the legend: meanings of the colours */
    size_t key_count;
    const mst_map_face *faces; /* later ones are painted over earlier ones; none: heights are shown */
    size_t face_count;
    const mst_map_line *lines; /* drawn over heights as well */
    size_t line_count;
} mst_map;

typedef enum mst_object {
    MST_OBJECT_NONE = 0, /* the scene is a level */
    MST_OBJECT_BODY,     /* seen from all sides */
    MST_OBJECT_PANEL     /* flat, seen from +Z */
} mst_object;

typedef struct mst_scene {
    const char *name;   /* of the level */
    const char *format; /* id of its format */
    const mst_node *nodes;
    size_t node_count;
    const mst_mesh *meshes;
    size_t mesh_count;
    const mst_material *materials;
    size_t material_count;
    const mst_image *images;
    size_t image_count;
    const mst_light *lights;
    size_t light_count;
    const mst_camera *cameras;
    size_t camera_count;
    const mst_skin *skins;
    size_t skin_count;
    const mst_animation *animations;
    size_t animation_count;
    mst_extras extras;      /* of the scene */
    double unit_metres;     /* one unit of the file's coordinates in metres */
    float grid_step;        /* edge of the level's grid squares in metres, counted from 0; 0: none */
    bool symbolic;          /* shapes are placeholders for missing models: maps show materials, not heights */
    const mst_map *map;     /* NULL: none */
    const int32_t *storeys; /* nodes that overlap when seen from above, better drawn in a picture each */
    size_t storey_count;    /* 0: there is only one */
    bool pictured;     /* from above it is shown with its textures, even if few of its floors have some */
    mst_object object; /* a single object, not a level: better shown obliquely than from above */
} mst_scene;

typedef struct mst_scene_options {
    size_t size; /* sizeof(mst_scene_options) */
    mst_allocator allocator;
    size_t budget;                /* bytes that the scene may allocate; 0: 64 times the document's size */
    bool split_layers;            /* separate geometry by layer as well as by group and material */
    bool no_markers;              /* no small boxes in place of entities */
    const mst_resolver *sidecars; /* NULL: none */
    const char *map;              /* name or number of one map of a document that holds several
                                     (mst_format_information.maps); NULL: all, at their world positions */
    bool no_assets;       /* the models and materials that a level names (asset.h) are not searched for */
    bool no_textures;     /* their textures are left out */
    uint32_t max_texture; /* their largest side in pixels; larger ones use smaller mip levels. 0: any */
    bool specular;        /* with specular textures, which few viewers show */
    /* Images may stay packed in the files that `sidecars` found, which must then stay valid as long as the
     * scene: it takes less memory, and exporters unpack several at the same time. */
    bool packed_images;
} mst_scene_options;

/* Builds the scene of a level. MST_UNSUPPORTED if the format has none (a clipboard of objects has one). Free
 * it with mst_scene_free; it is independent of the document. */
MST_API mst_status mst_scene_from_document(const mst_document *document, const mst_scene_options *options,
                                           mst_scene **scene, mst_diagnostic *diagnostic);

/* NULL is allowed. */
MST_API void mst_scene_free(mst_scene *scene);

/* Selects by class what pictures and models of a scene show. In patterns `*` matches any characters, `?` one
 * byte. Lights and cameras without a class have the class "light" or "camera". */
typedef struct mst_scene_choice {
    size_t size;             /* sizeof(mst_scene_choice) */
    const char *const *only; /* hides entities, lights and cameras of other classes, but not parts of another
                              * entity, nor geometry; NULL: nothing */
    size_t only_count;
    const char *const *hide; /* hides all nodes of these classes, geometry as well; NULL: nothing */
    size_t hide_count;
    /* For each pattern, those of `only` first, receives the number of nodes with a matching class. May be
     * NULL. */
    size_t *found;
} mst_scene_choice;

/* Sets which nodes are hidden; arrows from or to a hidden entity are not drawn either. Each call replaces the
 * previous choice; with an empty one (or NULL) no node is hidden. MST_ARGUMENT: a pattern is NULL. */
MST_API mst_status mst_scene_choose(mst_scene *scene, const mst_scene_choice *choice,
                                    mst_diagnostic *diagnostic);

/* The pixels of an image, unpacked if it is packed; free them with mst_pixels_free. */
MST_API mst_status mst_scene_image_read(const mst_scene *scene, size_t index, mst_pixels *pixels,
                                        mst_diagnostic *diagnostic);

/* Writes the path of a source, as "objects[12]", with a terminating NUL, cut to `capacity`; returns its full
 * length. */
MST_API size_t mst_scene_source_path(const mst_scene_source *source, char *text, size_t capacity);
/* The source of a triangle of a node's mesh, counted within one primitive. The texts are owned by the scene.
 * A zeroed struct if there is no such triangle. */
MST_API mst_scene_source mst_scene_triangle_source(const mst_scene *scene, size_t node, size_t primitive,
                                                   uint32_t triangle);

typedef struct mst_bounds {
    float minimum[3], maximum[3]; /* minimum > maximum: empty */
} mst_bounds;

/* The bounding box of the geometry in world coordinates (root transform applied). `roles` selects nodes: a
 * set of bits 1 << mst_role; 0 is all. */
MST_API mst_bounds mst_scene_bounds(const mst_scene *scene, unsigned roles);

#ifdef __cplusplus
}
#endif
#endif
