/* SPDX-License-Identifier: MIT */
/* Tables of Revenant's models (.I3D). Sources: measurements on the developers' files of 1998, and the
 * behaviour of the published engine. */
#include "imagery_model.h"
#include "../../../check/finding.h"
#include "../../../edit/fix_findings.h"
#include "../../present.h"
#include "state_fields.h"
#include <stdio.h>

/* clang-format off */
#define RECORDS(X) \
    X(model) X(state) X(part) X(body) X(short_body) X(body_state) X(named_body_state) X(motion) X(root_motion) \
    X(facing_motion) X(reference) X(vertex) X(face) X(material) X(texture) X(object) X(object_faces) \
    X(object_state) X(object_long_state) X(keys) X(long_keys) X(tag) X(sound_tag) X(old_texture) X(old_name) \
    X(old_faces) X(old_body) X(older_body) X(oldest_body) X(icon)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

enum { R_FILL = 1, R_DATA_FILL, R_ASTRAY, R_FORM, R_KIND };

#define PART(label, ...)                                                                                     \
    {                                                                                                        \
        .name = (label), U32, .flags = MST_FIELD_BIG, REFERS({.target = "parts", NO(MST_IMAGERY_NONE)}),     \
        .doc = __VA_ARGS__                                                                                   \
    }
#define FLOATS(label, n, ...)                                                                                \
    { .name = (label), F32, FIXED(n), .doc = __VA_ARGS__ }

/* ---- the body ------------------------------------------------------------------------------------ */

static const mst_enum_name body_flags[] = {{0, "morph"},         {1, "icons"},     {2, "hierarchy"},
                                           {3, "facing_motion"}, {4, "parts"},     {5, "sounds"},
                                           {6, "root_motion"},   {7, "short_keys"}};
static const char *const body_flag_meanings[] = {"each state and frame has its own vertices",
                                                 "states may have pictures for the inventory",
                                                 "objects hang on others",
                                                 "motion has the direction that the object faces",
                                                 "the data is made of parts, as described here",
                                                 "tags may play sounds",
                                                 "motion has three rotations and a height",
                                                 "keys have four bytes"};
#define BODY_FIELDS                                                                                          \
    {.name = "flags",                                                                                        \
     U32,                                                                                                    \
     .flags = MST_FIELD_FLAGS,                                                                               \
     NAMES(body_flags),                                                                                      \
     .meanings = body_flag_meanings,                                                                         \
     .doc = "How the parts are made."},                                                                      \
        {.name = "version", U32, .doc = "Which tags and states it has.", .range = "1 to 3"},                 \
        PART("states", "The part with the states."),                                                         \
        {.name = "vertex_count", U32, .doc = "Vertices in all objects together."},                           \
        PART("vertex_states", "The part that leads to the vertices."),                                       \
        {.name = "face_count", U32, .doc = "Faces of all objects together."},                                \
        PART("faces", "The part with the faces."),                                                           \
        {.name = "material_count", U32, .doc = "Materials in their part."},                                  \
        PART("materials", "The part with the materials."),                                                   \
        {.name = "texture_count", U32, .doc = "Textures in their part."},                                    \
        PART("textures", "The part with the textures."),                                                     \
        {.name = "object_count", U32, .doc = "Objects in their part."},                                      \
        PART("objects", "The part with the objects.")
static const mst_field body_fields[] = {
    BODY_FIELDS,
    {.name = "tag_count", U32, .doc = "Tags in their part."},
    PART("tags", "The part with the tags."),
};
RECORD(body, "body", "the parts of the model");
static const mst_field short_body_fields[] = {BODY_FIELDS};
RECORD(short_body, "short_body", "the parts of a model without tags");

/* ---- states and motion --------------------------------------------------------------------------- */

#define BODY_STATE_FIELDS                                                                                    \
    {.name = "icon_size", U32, .unit = "bytes", .doc = "Bytes of the bitmap that `icon` leads to."},         \
        PART("icon", "The part with the picture for the inventory: a bitmap as pictures have them."),        \
        PART("icon_animation", "In no known file."), PART("motion", "The part with the state's motion.")
static const mst_field body_state_fields[] = {BODY_STATE_FIELDS};
RECORD(body_state, "body_state", "the data of a state");
static const mst_field named_body_state_fields[] = {
    BODY_STATE_FIELDS,
    {.name = "first", .kind = MST_KIND_CHAR8, FIXED(32), .doc = "Not known; the name of a state."},
    {.name = "last", .kind = MST_KIND_CHAR8, FIXED(32), .doc = "Not known; the name of a state."},
};
RECORD(named_body_state, "named_body_state", "the data of a state in version 2");

static const mst_field motion_fields[] = {
    {.name = "motion",
     U32,
     .doc = "How far the object moves in the frame, in the lower 24 bits, and where to, in the upper eight: "
            "256 are "
            "a turn."},
};
RECORD(motion, "motion", "how the object moves in a frame");
static const mst_field facing_motion_fields[] = {
    {.name = "distance", U16, .doc = "How far the object moves in the frame; the unit is not known."},
    {.name = "facing", U8, .doc = "Where the object faces; 256 are a turn."},
    {.name = "angle", U8, .doc = "Where it moves to; 256 are a turn."},
};
RECORD(facing_motion, "facing_motion", "how the object moves and turns in a frame");
static const mst_field root_motion_fields[] = {
    {.name = "distance", U16, .doc = "How far the object moves in the frame; the unit is not known."},
    {.name = "height", I16, .doc = "How far it moves up; the unit is not known."},
    {.name = "angle", U8, .doc = "Where it moves to; 256 are a turn."},
    {.name = "rotation", U8, FIXED(3), .doc = "How it is turned about x, y and z; 256 are a turn."},
};
RECORD(root_motion, "root_motion", "how the object moves and turns in a frame");

/* ---- meshes -------------------------------------------------------------------------------------- */

static const mst_field reference_fields[] = {PART("part", "The part that this element leads to.")};
RECORD(reference, "reference", "the number of a part");

static const mst_field vertex_fields[] = {
    FLOATS("position", 3,
           "x, y and z from the object's own origin; z is up. Probably in units of the map: a man is about "
           "75 high."),
    FLOATS("normal", 3,
           "x, y and z of the direction in which the surface looks: light from there falls on it in full."),
    FLOATS("texture", 2, "u to the right and v down; 1 is the texture's width or height."),
};
RECORD(vertex, "vertex", "a corner");

static const mst_field face_fields[] = {
    {.name = "vertices", U16, FIXED(3), .doc = "Corners, counted from the first vertex of the object."},
};
RECORD(face, "face", "a triangle");

static const mst_field material_fields[] = {
    {.name = "size", U32, .unit = "bytes", .doc = "Size of the structure.", .range = "80"},
    FLOATS("diffuse", 4,
           "Colour of the surface in light: red, green, blue and alpha; as in Direct3D, 1 is full."),
    FLOATS("ambient", 4, "Colour of the surface without light, likewise."),
    FLOATS("specular", 4, "Colour of reflections, likewise."),
    FLOATS("emissive", 4, "Colour of its own light, likewise."),
    {.name = "power", F32, .doc = "How sharp reflections are."},
    {.name = "texture", I32, .doc = "Index of a texture; -1: none. What counts are the objects' faces."},
    {.name = "ramp", U32, .doc = "Not known: shades for displays with few colours."},
};
RECORD(material, "material", "the colours of a surface, as Direct3D had them");

#define TEXTURE_FIELDS                                                                                       \
    {.name = "size", U32, .unit = "bytes", .doc = "Size of the description.", .range = "108"},               \
        {.name = "flags", U32, .doc = "Which of its fields are valid; the game needs none."},                \
        {.name = "height", U32, .unit = "pixels", .doc = "Rows of pixels."},                                 \
        {.name = "width", U32, .unit = "pixels", .doc = "Pixels in a row."},                                 \
        {.name = "surface",                                                                                  \
         .kind = MST_KIND_RAW,                                                                               \
         FIXED(68),                                                                                          \
         .doc = "Fields of DirectDraw, without a meaning in files."},                                        \
        {.name = "bits", U32, .doc = "Bits of a pixel.", .range = "16"},                                     \
        {.name = "masks",                                                                                    \
         U32,                                                                                                \
         FIXED(4),                                                                                           \
         .doc = "The bits of red, green, blue and alpha. Without bits of alpha the texture is opaque.",      \
         .range =                                                                                            \
             "F800h, 7E0h, 1Fh, 0; 1Fh, 7E0h, F800h, 0; F00h, F0h, Fh, F000h; 7C00h, 3E0h, 1Fh, 8000h"},     \
    {                                                                                                        \
        .name = "capabilities", U32, .doc = "A field of DirectDraw, without a meaning in files."             \
    }
static const mst_field texture_fields[] = {
    TEXTURE_FIELDS,
    PART("frames", "The part that leads to the pixels of each frame."),
    PART("palette", "In no known file."),
    {.name = "frame_count", U32, .doc = "Pictures that are shown in order."},
};
RECORD(texture, "texture", "a picture on faces");

/* ---- objects ------------------------------------------------------------------------------------- */

static const mst_field object_fields[] = {
    {.name = "name",
     .kind = MST_KIND_CHAR8,
     FIXED(32),
     .doc = "Its name in the modelling program, such as lhand."},
    {.name = "material", U16, .doc = "Which material it has: an index into the part with the materials."},
    {.name = "first_vertex",
     U16,
     .doc = "Where its vertices begin in the part with the vertices; numbers in its faces count from there."},
    {.name = "vertex_count", U16, .doc = "Vertices that belong to it."},
    {.name = "padding", U16, .doc = "Without a meaning."},
    PART("faces", "The part with its faces."),
    PART("states", "The part with its keys in each state."),
};
RECORD(object, "object", "a part of the body that moves as one");

static const mst_field object_faces_fields[] = {
    {.name = "first", U16, .doc = "Where they begin in the part with the faces."},
    {.name = "count", U16, .doc = "How many they are; 0: none."},
};
RECORD(object_faces, "object_faces",
       "the faces of an object with one texture; the first of them without any");

static const mst_field object_state_fields[] = {
    {.name = "parent", I32, .doc = "Index of the object that it hangs on; -1: none."},
    {.name = "key_count", U32, .doc = "Keys in their part."},
    PART("keys", "The part with its keys; none: the object is hidden in this state."),
};
RECORD(object_state, "object_state", "how an object moves in a state");
static const mst_field object_long_state_fields[] = {
    {.name = "parent", I32, .doc = "Index of the object that it hangs on; -1: none."},
    PART("keys", "The part with its keys, one for each frame; none: the object is hidden in this state."),
};
RECORD(object_long_state, "object_long_state", "how an object moves in a state");

static const mst_field keys_fields[] = {
    {.name = "bits",
     U32,
     .doc = "Bits 0-1: 1 position, 2 rotation, 3 scale; then x, y, z with 10 bits each, signed: in quarters, "
            "1024ths of a turn, 64ths. 0: a code of 6 bits (0 next frame, 1 skip that many frames, 2-4 "
            "position x, y, z, 5-7 rotation, 8-10 scale) and a signed number of 24 bits, in 256ths."},
};
RECORD(keys, "key", "a position, rotation or scale of an object");
static const mst_field long_keys_fields[] = {
    {.name = "bits",
     .kind = MST_KIND_U64,
     .doc = "From bit 0 on: x, y, z with 12 bits each, minus 2048, in quarters; rotations about x, y, z with "
            "9 bits "
            "each, minus 256, of which 512 are a turn."},
};
RECORD(long_keys, "long_key", "where an object is in a frame");

/* ---- tags ---------------------------------------------------------------------------------------- */

static const mst_field tag_fields[] = {
    {.name = "state", U32, .doc = "In which state it happens: an index into `states`."},
    {.name = "frame", U32, .doc = "The frame of it in which something happens."},
    PART("name", "The part with the events."),
    PART("text", "The part with the targets of the events."),
};
RECORD(tag, "tag", "something that happens in a frame");
static const mst_field sound_tag_fields[] = {
    {.name = "state", U32, .doc = "In which state it happens: an index into `states`."},
    {.name = "frame", U32, .doc = "The frame of it in which a sound is played."},
    {.name = "mount", U32, .doc = "Not known: no description mentions its use."},
    {.name = "sounds", .kind = MST_KIND_CHAR8, FIXED(32), .doc = "Names of sounds."},
};
RECORD(sound_tag, "sound_tag", "a sound that is played in a frame");

/* ---- bodies of the old kind ---------------------------------------------------------------------- */

static const mst_field old_texture_fields[] = {TEXTURE_FIELDS};
RECORD(old_texture, "old_texture", "a picture on faces, of a body of the old kind");
static const mst_field old_name_fields[] = {
    {.name = "name",
     .kind = MST_KIND_CHAR8,
     FIXED(32),
     .doc = "An object's name in the modelling program, such as lhand."}};
RECORD(old_name, "old_name", "the name of an object", .is_inline = true);
static const mst_field old_faces_fields[] = {
    {.name = "faces",
     U16,
     FIXED(8),
     .doc = "For the faces without a texture, then for those with each of the textures."}};
RECORD(old_faces, "old_faces", "a number for each texture of an object", .is_inline = true);
static const mst_field icon_fields[] = {
    {.name = "size", U32, .unit = "bytes", .doc = "Bytes of the bitmap that `icon` leads to."},
    PART("icon", "The part with the picture for the inventory: a bitmap as pictures have them."),
    PART("icon_animation", "In no known file."),
};
RECORD(icon, "icon", "a state's data for the inventory");

#define PARTS_OF(label, n, ...)                                                                              \
    {                                                                                                        \
        .name = (label), U32, FIXED(n), .flags = MST_FIELD_BIG,                                              \
        REFERS({.target = "parts", NO(MST_IMAGERY_NONE)}), .doc = __VA_ARGS__                                \
    }
#define OLD_BODY_FIELDS                                                                                      \
    {.name = "flags",                                                                                        \
     U32,                                                                                                    \
     .flags = MST_FIELD_FLAGS,                                                                               \
     NAMES(body_flags),                                                                                      \
     .meanings = body_flag_meanings,                                                                         \
     .doc = "How the parts are made."},                                                                      \
        {.name = "vertex_count", U32, .doc = "Vertices in all objects together."},                           \
        PARTS_OF("vertex_states", 64,                                                                        \
                 "For each state with `morph`, else the first: the part that leads to the vertices."),       \
        {.name = "face_count", U32, .doc = "Faces of all objects together."},                                \
        PART("faces", "The part with the faces."),                                                           \
        {.name = "material_count", U32, .doc = "How many of the materials there are."},                      \
        {.name = "materials",                                                                                \
         .kind = MST_KIND_RECORD,                                                                            \
         FIXED(8),                                                                                           \
         .record = &material,                                                                                \
         .doc = "How surfaces look; objects name them by index."},                                           \
        {.name = "texture_count", U32, .doc = "How many of the textures there are."},                        \
        {.name = "textures",                                                                                 \
         .kind = MST_KIND_RECORD,                                                                            \
         FIXED(8),                                                                                           \
         .record = &old_texture,                                                                             \
         .doc = "Size and kind of the pixels of each."},                                                     \
        PARTS_OF("texture_frames", 8, "For each texture: the part that leads to the pixels of each frame."), \
        PARTS_OF("palettes", 8, "In no known file."),                                                        \
        {.name = "frame_counts",                                                                             \
         U32,                                                                                                \
         FIXED(8),                                                                                           \
         .doc = "For each texture: pictures that are shown in order."},                                      \
        {.name = "object_count", U32, .doc = "Number of objects; an object moves as one, such as a hand."},  \
        {.name = "names",                                                                                    \
         .kind = MST_KIND_RECORD,                                                                            \
         FIXED(64),                                                                                          \
         .record = &old_name,                                                                                \
         .doc = "For each object."},                                                                         \
        {.name = "object_materials",                                                                         \
         U16,                                                                                                \
         FIXED(64),                                                                                          \
         .doc = "For each object: which material it has, an index into `materials`."},                       \
        {.name = "first_vertices",                                                                           \
         U16,                                                                                                \
         FIXED(64),                                                                                          \
         .doc = "For each object: where its vertices begin in the part with the vertices; numbers in its "   \
                "faces count from there."},                                                                  \
        {.name = "vertex_counts", U16, FIXED(64), .doc = "For each object: vertices that belong to it."},    \
        {.name = "first_faces",                                                                              \
         .kind = MST_KIND_RECORD,                                                                            \
         FIXED(64),                                                                                          \
         .record = &old_faces,                                                                               \
         .doc = "For each object: where its faces begin in the part with the faces."},                       \
        {.name = "face_counts",                                                                              \
         .kind = MST_KIND_RECORD,                                                                            \
         FIXED(64),                                                                                          \
         .record = &old_faces,                                                                               \
         .doc = "For each object: how many they are; 0: none."},                                             \
        PARTS_OF("motion", 64, "For each state: the part with its motion."),                                 \
        PARTS_OF("keys", 64,                                                                                 \
                 "For each state: the part with the keys of all objects; none: objects do not move.")
static const mst_field oldest_body_fields[] = {OLD_BODY_FIELDS};
RECORD(oldest_body, "oldest_body", "the parts of a model, without pictures for the inventory and parents");
#define ICONS_FIELD                                                                                          \
    PARTS_OF("icons", 64, "For each state with `icons`: the part with its picture for the inventory.")
static const mst_field older_body_fields[] = {OLD_BODY_FIELDS, ICONS_FIELD};
RECORD(older_body, "older_body", "the parts of a model, without parents");
static const mst_field old_body_fields[] = {
    OLD_BODY_FIELDS,
    ICONS_FIELD,
    PARTS_OF("parents", 64, "For each object with `hierarchy`: the part with its parent."),
};
RECORD(old_body, "old_body", "the parts of a model, with lists of fixed lengths");

/* ---- parts --------------------------------------------------------------------------------------- */

static const mst_enum_name kind_names[] = {
    {MST_MODEL_BODY, "body"},
    {MST_MODEL_SHORT_BODY, "short_body"},
    {MST_MODEL_STATES, "states"},
    {MST_MODEL_NAMED_STATES, "named_states"},
    {MST_MODEL_ICON, "icon"},
    {MST_MODEL_MOTION, "motion"},
    {MST_MODEL_ROOT_MOTION, "root_motion"},
    {MST_MODEL_FACING_MOTION, "facing_motion"},
    {MST_MODEL_VERTEX_STATES, "vertex_states"},
    {MST_MODEL_VERTEX_FRAMES, "vertex_frames"},
    {MST_MODEL_VERTICES, "vertices"},
    {MST_MODEL_FACES, "faces"},
    {MST_MODEL_MATERIALS, "materials"},
    {MST_MODEL_TEXTURES, "textures"},
    {MST_MODEL_TEXTURE_FRAMES, "texture_frames"},
    {MST_MODEL_PIXELS, "pixels"},
    {MST_MODEL_OBJECTS, "objects"},
    {MST_MODEL_OBJECT_FACES, "object_faces"},
    {MST_MODEL_OBJECT_STATES, "object_states"},
    {MST_MODEL_OBJECT_LONG_STATES, "object_long_states"},
    {MST_MODEL_KEYS, "keys"},
    {MST_MODEL_LONG_KEYS, "long_keys"},
    {MST_MODEL_TAGS, "tags"},
    {MST_MODEL_SOUND_TAGS, "sound_tags"},
    {MST_MODEL_TEXT, "text"},
    {MST_MODEL_OLD_BODY, "old_body"},
    {MST_MODEL_OLDER_BODY, "older_body"},
    {MST_MODEL_OLDEST_BODY, "oldest_body"},
    {MST_MODEL_ICONS, "icons"},
    {MST_MODEL_PARENTS, "parents"},
};
#define OF_KIND(kind) .flags = MST_FIELD_BIG, IF(IS(R_KIND, MST_MODEL_##kind))
static const mst_field part_fields[] = {
    MST_IMAGERY_FILL_FIELDS(R_FILL, "before the part", ""),
    {.name = "kind", U8, BIND(R_KIND), NAMES(kind_names), .doc = "The kind of the part."},
    {.name = "body",
     LIST(body),
     OF_KIND(BODY),
     .doc = "The part that leads to all others; always the first one."},
    {.name = "short_body", LIST(short_body), OF_KIND(SHORT_BODY), .doc = "The same of a model without tags."},
    {.name = "states", LIST(body_state), OF_KIND(STATES), .doc = "For each state of the header."},
    {.name = "named_states",
     LIST(named_body_state),
     OF_KIND(NAMED_STATES),
     .doc = "For each state of the header."},
    {.name = "icon",
     BYTES,
     .flags = MST_FIELD_BIG | MST_FIELD_CONTENT,
     IF(IS(R_KIND, MST_MODEL_ICON)),
     .doc = "A bitmap of 72 bytes and its pixels, as in `revenant-image`."},
    {.name = "motion", LIST(motion), OF_KIND(MOTION), .doc = "For each frame of a state."},
    {.name = "root_motion", LIST(root_motion), OF_KIND(ROOT_MOTION), .doc = "For each frame of a state."},
    {.name = "facing_motion",
     LIST(facing_motion),
     OF_KIND(FACING_MOTION),
     .doc = "For each frame of a state."},
    {.name = "vertex_states",
     LIST(reference),
     OF_KIND(VERTEX_STATES),
     .doc = "For each state with `morph`, else one: the frames with vertices."},
    {.name = "vertex_frames",
     LIST(reference),
     OF_KIND(VERTEX_FRAMES),
     .doc = "For each frame with `morph`, else one: the vertices."},
    {.name = "vertices",
     LIST(vertex),
     OF_KIND(VERTICES),
     .doc = "The vertices of all objects, object after object."},
    {.name = "faces", LIST(face), OF_KIND(FACES), .doc = "The faces of all objects, object after object."},
    {.name = "materials",
     LIST(material),
     OF_KIND(MATERIALS),
     .doc = "How surfaces look; objects name them by index."},
    {.name = "textures",
     LIST(texture),
     OF_KIND(TEXTURES),
     .doc = "Sizes and kinds of pixels; materials refer to them by index."},
    {.name = "texture_frames",
     LIST(reference),
     OF_KIND(TEXTURE_FRAMES),
     .doc = "For each frame of a texture: the pixels."},
    {.name = "pixels",
     BYTES,
     .flags = MST_FIELD_BIG | MST_FIELD_CONTENT,
     IF(IS(R_KIND, MST_MODEL_PIXELS)),
     .doc = "16 bits for each pixel, little-endian, row by row from the top; the texture's `masks` give the "
            "bits of each colour."},
    {.name = "objects", LIST(object), OF_KIND(OBJECTS), .doc = "Parts that move as one, such as a hand."},
    {.name = "object_faces",
     LIST(object_faces),
     OF_KIND(OBJECT_FACES),
     .doc = "Faces without a texture, then those with each of the textures."},
    {.name = "object_states", LIST(object_state), OF_KIND(OBJECT_STATES), .doc = "For each state."},
    {.name = "object_long_states",
     LIST(object_long_state),
     OF_KIND(OBJECT_LONG_STATES),
     .doc = "For each state."},
    {.name = "keys",
     LIST(keys),
     OF_KIND(KEYS),
     .doc = "The keys of all frames. A second position, rotation or scale begins the next frame; values that "
            "are not given are unchanged."},
    {.name = "long_keys", LIST(long_keys), OF_KIND(LONG_KEYS), .doc = "For each frame."},
    {.name = "tags", LIST(tag), OF_KIND(TAGS), .doc = "The tags of version 3."},
    {.name = "sound_tags", LIST(sound_tag), OF_KIND(SOUND_TAGS), .doc = "The tags of versions 1 and 2."},
    {.name = "text",
     BYTES,
     .flags = MST_FIELD_BIG | MST_FIELD_CONTENT,
     IF(IS(R_KIND, MST_MODEL_TEXT)),
     .doc = "A text with the NUL that ends it."},
    {.name = "old_body", LIST(old_body), OF_KIND(OLD_BODY), .doc = "A body of the old kind."},
    {.name = "older_body",
     LIST(older_body),
     OF_KIND(OLDER_BODY),
     .doc = "A body of the old kind without parents."},
    {.name = "oldest_body",
     LIST(oldest_body),
     OF_KIND(OLDEST_BODY),
     .doc = "A body of the old kind without icons and parents."},
    {.name = "icons",
     LIST(icon),
     OF_KIND(ICONS),
     .doc = "Of a body of the old kind: a state's data for the inventory."},
    {.name = "parents",
     I8,
     MST_PREFIXED,
     OF_KIND(PARENTS),
     .doc = "Of a body of the old kind, for each state: index of the object's parent; -1: none. Three times "
            "as many numbers without a meaning follow."},
};
RECORD(part, "part", "the target of an offset");

/* ---- the file ------------------------------------------------------------------------------------ */

static const mst_field state_fields[] = {MST_IMAGERY_STATE_FIELDS(R_ASTRAY)};
RECORD(state, "state", "one of the things that an object can do");

static const mst_enum_name imagery_names[] = {{MST_IMAGERY_MODEL, "model"}, {MST_IMAGERY_HELPER, "helper"}};
static const mst_enum_name form_names[] = {{MST_MODEL_OF_PARTS, "parts"}, {MST_MODEL_OF_BYTES, "bytes"}};
static const mst_field model_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "CGSR"},
    {.name = "container_version",
     U8,
     .flags = MST_FIELD_DEFAULT,
     .initial = 1,
     .doc = "1 in every file; others are refused."},
    {.name = "object_size_excess",
     I32,
     .flags = MST_FIELD_BIG | MST_FIELD_DEFAULT,
     .unit = "bytes",
     .doc = "The difference between the second stored size of the data and the first, which is correct.",
     .range = "0 in every file that opens"},
    {.name = "imagery_id",
     I32,
     NAMES(imagery_names),
     .doc = "The kind of the data: a model, or one that helps editing."},
    {.name = "states",
     LIST(state),
     .flags = MST_FIELD_BIG,
     .doc = "The states; an object's `state` is an index."},
    MST_IMAGERY_FILL_FIELDS(R_FILL, "after the states and walkmaps", "header_"),
    {.name = "table",
     U32,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .flags = MST_FIELD_BIG | MST_FIELD_OMIT_EMPTY,
     .doc = "Offsets of bitmaps, which models do not have: none in known files."},
    {.name = "form",
     U8,
     BIND(R_FORM),
     NAMES(form_names),
     .flags = MST_FIELD_DEFAULT,
     .doc = "Whether the data consists of the parts described here, or is kept as bytes."},
    {.name = "parts",
     LIST(part),
     .flags = MST_FIELD_BIG,
     IF(IS(R_FORM, MST_MODEL_OF_PARTS)),
     .doc = "In the order of the file."},
    MST_IMAGERY_FILL_IF(R_DATA_FILL, "after the last part", "data_", IS(R_FORM, MST_MODEL_OF_PARTS)),
    {.name = "data",
     BYTES,
     .flags = MST_FIELD_BIG,
     IF(IS_NOT(R_FORM, MST_MODEL_OF_PARTS)),
     .doc = "The data of a model that is made in another way."},
    {.name = "trailing", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Bytes after the data."},
};
RECORD(model, "model", "the file: a body with its states");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- checks -------------------------------------------------------------------------------------- */

#define ALIGNED 8 /* fewer zeros are alignment of a part */

/* Bytes that belong to no part. */
static mst_status check_filling(mst_checker *checker, const mst_value *record, const char *name,
                                const char *path) {
    mst_value filling;
    const void *bytes;
    size_t size = 0, zeros = 0;
    if (mst_member(record, name, &filling) != MST_OK || mst_get_bytes(&filling, &bytes, &size) != MST_OK)
        return MST_OK;
    while (zeros < size && !((const uint8_t *)bytes)[zeros])
        zeros++;
    if (zeros == size && size < ALIGNED)
        return MST_OK;
    mst_finding_of(checker, &filling, "%s", path);
    return mst_report(checker, "REV-IMAGE-UNKNOWN", NULL, "%llu bytes", (unsigned long long)size);
}

static mst_status check_fillings(mst_checker *checker, const mst_value *root, const mst_value *parts) {
    mst_value one;
    uint64_t index = 0;
    mst_status status = check_filling(checker, root, "header_filling", "header_filling");
    for (mst_iterator it = mst_iterate(parts); status == MST_OK && mst_next(&it, &one); index++) {
        char path[64];
        snprintf(path, sizeof path, "parts[%llu].filling", (unsigned long long)index);
        status = check_filling(checker, &one, "filling", path);
    }
    return status == MST_OK ? check_filling(checker, root, "data_filling", "data_filling") : status;
}

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), states = mst_member_in(&root, "states"), one, data;
    mst_status status = mst_imagery_check_sizes(checker);
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&states); status == MST_OK && mst_next(&it, &one); index++)
        status = mst_imagery_check_walkmap(checker, &one, index);
    if (status != MST_OK)
        return status;
    if (mst_member(&root, "parts", &data) == MST_OK)
        return check_fillings(checker, &root, &data);
    data = mst_member_in(&root, "data");
    mst_diagnostic *finding = mst_finding_of(checker, &data, "data");
    const void *bytes;
    size_t size;
    uint32_t version;
    mst_get_bytes(&data, &bytes, &size);
    if (mst_model_is_third_kind(bytes, size, &version)) {
        MST_SET(finding->message, "the body is of a third kind, which is not understood: the data is copied "
                                  "unchanged, and cannot be edited or drawn");
        MST_SET(finding->expected, "version 1, 2 or 3, or a body of the old kind");
        MST_SET(finding->found, "version %lu", (unsigned long)version);
    } else {
        MST_SET(
            finding->message,
            "the data contains parts that are not understood: it is copied unchanged, and cannot be edited");
    }
    status = mst_checker_report(checker, "REV-IMAGE-MODEL");
    return status == MST_OK ? check_filling(checker, &root, "data", "data") : status;
}

/* ---- the format ---------------------------------------------------------------------------------- */

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)variant;
    return mst_imagery_probe(bytes, size, name, true);
}

const mst_format mst_format_revenant_model = {
    .information = {.id = "revenant-model",
                    .title = "Revenant model",
                    .extensions = ".i3d",
                    .media_type = "",
                    .versions = "",
                    .rows = "states"},
    .tables.root = &model,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.probe = probe,
    .files = {.count = 1, .parse = mst_model_parse, .serialize = mst_model_serialize},
    .check.problem_codes = MST_IMAGERY_PROBLEM_CODES,
    .check.codes = &mst_imagery_codes,
    .check.fixes = MST_FIXES({"REV-IMAGE-OBJECT-SIZE", "sets the second size to the first", NULL}),
    .check.check = check,
    .editing = &(const mst_edit_hooks){.reaches = mst_imagery_is_size_of_walkmap,
                                       .resize = mst_imagery_resize_walkmap},
    .build_scene = mst_model_scene,
    .tables.introduction =
        "The model of an object of Revenant (Cinematix, 1999): `.I3D` files in `IMAGERY`. Little-endian.\n",
    .tables.in_files = {"## In the file\n\n"
                        "This section describes bytes; the tables after it describe the values that the "
                        "program reads from them. The container and its\n"
                        "header are described in [`revenant-image`](revenant-image.md). The data consists of "
                        "parts, of which the first is the body. An offset\n"
                        "field, a u32 that counts from its own first byte, leads from one part to another: "
                        "here it is the number of that part, or\n"
                        "4294967295 for an offset of 0. The number of elements of a part is not stored with "
                        "it, but in the part that leads to it, or in\n"
                        "the header: the frames of a state, the number of states.\n\n"
                        "A body whose flags lack `parts` is of the old kind. It has 7388, 7132 or 6876 "
                        "bytes: the first part begins at its end. Its objects and textures are lists in the "
                        "body itself, its keys have eight bytes,\n"
                        "object after object, and it leads to vertices, motion and keys by state.\n\n"
                        "A third kind of body is found in two files (`box.i3d`, `gordo.i3d`): its flags have "
                        "`parts`, its version is 0,\n"
                        "and it has its own lists in place of the other kinds' offsets. The rest is not "
                        "known: the data is kept as bytes (`data`), with\n"
                        "the finding REV-IMAGE-MODEL; `info` reports it, and the model is not drawn.\n\n"
                        "A vertex is rotated about x, then y, then z, moved and scaled by its object's key, "
                        "then by the key of the object's parent, up to the\n"
                        "root.\n"},
    .tables.relations = "- A type in `class.def` names the file: `IMAGERY\\` and the path after the type's "
                        "name, in any case.\n",
    .tables.listed = MST_LISTED(
        {"model", "states", "the parts would not agree with the states", "revenant-imagery.md 7"},
        {"model", "parts", "the parts would not agree with the body and the states", "revenant-imagery.md 7"},
        {"part", NULL, "the numbers in the body and the states would not agree", "revenant-imagery.md 7"}),
    .tables.sources = "- 281 `.I3D` files of the developers of 1998, published by one of the game's authors "
                      "(<https://github.com/benjcooley/Revenant>).\n"
                      "- The engine of 1998, published there as well.\n",
};
