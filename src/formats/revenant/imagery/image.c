/* SPDX-License-Identifier: MIT */
/* Tables of Revenant's pictures (.I2D). Sources: measurements on the developers' files of 1998, and the
 * behaviour of the published engine. */
#include "image.h"
#include "../../../edit/fix_findings.h"
#include "state_fields.h"

/* clang-format off */
#define RECORDS(X) \
    X(image) X(state) X(bitmap) X(absent) X(pixels) X(plane) X(block) X(animation) X(frame)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

enum { R_FILL = 1, R_DATA_FILL, R_FORM, R_EMPTY, R_ASTRAY }; /* context variables */

#define DEFAULT(value) .flags = MST_FIELD_DEFAULT, .initial = (value)
#define KEPT           .flags = MST_FIELD_BIG | MST_FIELD_OMIT_EMPTY
#define UNUSED         "The game does not use it for pictures in levels."

/* ---- states -------------------------------------------------------------------------------------- */

#define REFERENCE(list)                                                                                      \
    U32, .flags = MST_FIELD_BIG | MST_FIELD_DEFAULT, .initial = MST_IMAGERY_NONE,                            \
         REFERS({.target = (list), NO(MST_IMAGERY_NONE)})

static const mst_field state_fields[] = {
    MST_IMAGERY_STATE_FIELDS(R_ASTRAY),
    {.name = "still", REFERENCE("bitmaps"), .doc = "The picture of an object in this state."},
    {.name = "animation",
     REFERENCE("animations"),
     .doc = "Its animation, whose first frame is shown if the state has no picture."},
    {.name = "inventory", REFERENCE("bitmaps"), .doc = "The picture in the inventory's window."},
    {.name = "inventory_animation", REFERENCE("animations"), .doc = "The moving picture there."},
    {.name = "slot_flags",
     U32,
     .flags = MST_FIELD_FLAGS,
     .names = &mst_imagery_state_flags,
     .doc = "A copy of the state's flags in the data.",
     .range = "Equal to `flags`, but in one known file",
     .evidence = "measured on 2,086 files of 1998"},
};
RECORD(state, "state", "one of the ways in which an object can look");

/* ---- bitmaps ------------------------------------------------------------------------------------- */

static const mst_field block_fields[] = {
    {.name = "empty",
     U8,
     BIND(R_EMPTY),
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .doc = "Yes: nothing is drawn in the whole block; the file has only an offset of 0 for it."},
    {.name = "id",
     U32,
     IF(IS(R_EMPTY, 0)),
     .doc =
         "The name by which the game keeps the unpacked block for all files together: two different blocks "
         "must not have the same one.",
     .range = "A number of the picture's own plus the block's number plus 1; depths 256 more",
     .evidence = "measured on 231 pictures"},
    {.name = "run_marker", U8, IF(IS(R_EMPTY, 0)), .doc = "The byte that begins a run or ends a row."},
    {.name = "copy_marker",
     U8,
     IF(IS(R_EMPTY, 0)),
     .doc = "The byte that begins a copy or, in depths, changes the upper byte."},
    {.name = "stream",
     BYTES,
     .flags = MST_FIELD_BIG | MST_FIELD_CONTENT,
     IF(IS(R_EMPTY, 0)),
     .doc = "64 rows of 64 values, packed."},
};
RECORD(block, "block", "64 x 64 pixels or depths");

static const mst_enum_name form_names[] = {
    {MST_PLANE_BYTES, "bytes"}, {MST_PLANE_BLOCKS, "blocks"}, {MST_PLANE_COLORS, "colors"}};
static const char *const form_meanings[] = {"plain: row by row from the top", "packed in blocks of 64 x 64",
                                            "the colours of a palette"};
#define FORM(form) IF(IS(R_FORM, form))
#define PLANE_FIELDS                                                                                         \
    {.name = "form",                                                                                         \
     U8,                                                                                                     \
     BIND(R_FORM),                                                                                           \
     NAMES(form_names),                                                                                      \
     DEFAULT(MST_PLANE_BYTES),                                                                               \
     .meanings = form_meanings,                                                                              \
     .doc = "How the bytes are stored."},                                                                    \
        {.name = "bytes",                                                                                    \
         BYTES,                                                                                              \
         .flags = MST_FIELD_BIG | MST_FIELD_CONTENT,                                                         \
         FORM(MST_PLANE_BYTES),                                                                              \
         .doc = "Values of 1 byte (8-bit pixels and alpha) or 2 bytes (15- and 16-bit pixels, depths), "     \
                "little-endian, row by row from the top."},                                                  \
        {.name = "blocks_type",                                                                              \
         U32,                                                                                                \
         FORM(MST_PLANE_BLOCKS),                                                                             \
         .doc = "As the game's tool wrote it: 5, and 6 for normals. The game does not need it."},            \
        {.name = "blocks_across",                                                                            \
         U32,                                                                                                \
         FORM(MST_PLANE_BLOCKS),                                                                             \
         .doc = "The width divided by 64, rounded up."},                                                     \
        {.name = "blocks_down",                                                                              \
         U32,                                                                                                \
         FORM(MST_PLANE_BLOCKS),                                                                             \
         .doc = "The height divided by 64, rounded up."},                                                    \
        {.name = "blocks_gap",                                                                               \
         BYTES,                                                                                              \
         KEPT,                                                                                               \
         FORM(MST_PLANE_BLOCKS),                                                                             \
         .doc = "Bytes before the first block; none in known files."},                                       \
        {.name = "blocks",                                                                                   \
         LIST(block),                                                                                        \
         .flags = MST_FIELD_BIG,                                                                             \
         FORM(MST_PLANE_BLOCKS),                                                                             \
         .doc = "Row by row from the top left. Each file has them in this order, without gaps."},            \
        {.name = "colors_15",                                                                                \
         U16,                                                                                                \
         FIXED(256),                                                                                         \
         FORM(MST_PLANE_COLORS),                                                                             \
         .doc = "The colours with five bits each: blue in bits 0-4, green in 5-9, red in 10-14.",            \
         .range = "The upper five bits of `colors`"},                                                        \
    {                                                                                                        \
        .name = "colors", U32, FIXED(256), FORM(MST_PLANE_COLORS),                                           \
        .doc = "The colours: red in the lowest byte, then green, then blue.",                                \
        .range = "Mostly multiples of 8 in each byte"                                                        \
    }

static const mst_field pixels_fields[] = {PLANE_FIELDS};
RECORD(pixels, "pixels", "the pixels of a bitmap");

static const mst_enum_name plane_names[] = {{MST_PLANE_ALIAS, "alias"},
                                            {MST_PLANE_ALPHA, "alpha"},
                                            {MST_PLANE_Z, "depth"},
                                            {MST_PLANE_NORMALS, "normals"},
                                            {MST_PLANE_PALETTE, "palette"}};
static const char *const plane_meanings[] = {
    "not known; in no known file", "a byte for each pixel: 0 is transparent, 31 and more opaque",
    "16 bits for each pixel, signed: smaller is nearer; 7F7Fh: nothing is drawn",
    "two bytes for each pixel, probably directions for light; nothing reads them",
    "256 colours, for 8-bit pixels"};
static const mst_field plane_fields[] = {
    {.name = "kind",
     U8,
     NAMES(plane_names),
     .meanings = plane_meanings,
     .doc = "The kind of the plane. A bitmap has at most one of each kind."},
    {.name = "gap", BYTES, KEPT, .doc = "Bytes before the plane; none in known files."},
    PLANE_FIELDS,
};
RECORD(plane, "plane", "further values of each pixel of a bitmap");

static const mst_field absent_fields[] = {
    {.name = "kind", U8, NAMES(plane_names), .doc = "The kind of plane that the bitmap lacks."},
    {.name = "size", U32, .unit = "bytes", .doc = "0 in known files, which therefore have no plane."},
    {.name = "offset", U32, .doc = "A leftover that leads nowhere, such as CDCDCDCDh."},
};
RECORD(absent, "absent_plane", "the size and offset of a plane that is not there");

static const mst_enum_name bitmap_flags[] = {
    {0, "bits_8"},      {1, "bits_15"},    {2, "bits_16"},         {3, "bits_24"}, {4, "bits_32"},
    {5, "depth"},       {6, "normals"},    {7, "alias"},           {8, "alpha"},   {9, "palette"},
    {10, "registered"}, {11, "no_pixels"}, {12, "palette_5_bits"}, {14, "packed"}, {15, "blocks"}};
static const char *const bitmap_flag_meanings[] = {
    "pixels are indices into the palette",
    "pixels have five bits for each of red, green and blue",
    "pixels have five bits for red, six for green and five for blue",
    "in no known file",
    "in no known file",
    "a plane of depths may follow",
    "a plane of normals may follow",
    "in no known file",
    "a plane of alpha may follow",
    "never set: the palette is there if its size is not 0",
    "registration_x and registration_y are valid",
    "only planes, no pixels",
    "in no known file",
    "with `blocks`: pixels, depths and normals are packed",
    "with `packed`"};
static const mst_field bitmap_fields[] = {
    {.name = "size", U32, .flags = MST_FIELD_SIZE | MST_FIELD_BIG},
    MST_IMAGERY_FILL_FIELDS(R_FILL, "before the bitmap", ""),
    {.name = "width", U32, .unit = "pixels", .doc = "Columns of the picture.", .range = "At most 8192"},
    {.name = "height", U32, .unit = "pixels", .doc = "Rows of the picture.", .range = "At most 8192"},
    {.name = "registration_x", I32, .unit = "pixels", .doc = "Valid with the flag `registered`. " UNUSED},
    {.name = "registration_y", I32, .unit = "pixels", .doc = "Valid with the flag `registered`. " UNUSED},
    {.name = "flags",
     U32,
     .flags = MST_FIELD_FLAGS,
     NAMES(bitmap_flags),
     .meanings = bitmap_flag_meanings,
     .doc =
         "How pixels are stored, and which planes there may be: a plane is there if its flag is set and its "
         "size is not 0."},
    {.name = "draw_mode", U32, .doc = UNUSED, .range = "D00h, 20D00h, 100h and 0 are known"},
    {.name = "key_color",
     U32,
     .doc = "The pixel value that is not drawn, in pictures without depths.",
     .range = "0 in known files"},
    {.name = "absent_planes",
     LIST(absent),
     KEPT,
     .doc = "Sizes and offsets of planes that are not there, unless both are 0."},
    {.name = "pixels",
     .kind = MST_KIND_RECORD,
     .record = &pixels,
     .doc = "The picture itself, without the planes."},
    {.name = "planes",
     LIST(plane),
     .flags = MST_FIELD_BIG,
     .doc =
         "In the order of the file: palette, alpha, depth, normals; in bitmaps without pixels alpha first."},
};
RECORD(bitmap, "bitmap", "a picture");

/* ---- animations ---------------------------------------------------------------------------------- */

static const mst_field frame_fields[] = {
    {.name = "dx", I32, .unit = "pixels", .doc = "Not known how it is used.", .range = "0 in known files"},
    {.name = "dy", I32, .unit = "pixels", .doc = "Not known how it is used.", .range = "0 in known files"},
    {.name = "registration_x", I32, .unit = "pixels", .doc = "Not known how it is used.", .range = "0 or -1"},
    {.name = "registration_y", I32, .unit = "pixels", .doc = "Not known how it is used.", .range = "0 or -1"},
    {.name = "x", I32, .unit = "pixels", .doc = "Not known how it is used.", .range = "-1 in known files"},
    {.name = "y", I32, .unit = "pixels", .doc = "Not known how it is used.", .range = "-1 in known files"},
    {.name = "width", I32, .unit = "pixels", .doc = "The largest width of all frames."},
    {.name = "height", I32, .unit = "pixels", .doc = "The largest height of all frames."},
    {.name = "buffer_size", U32, .unit = "bytes", .doc = "Probably of a buffer for a frame of that size."},
    {.name = "bitmap", REFERENCE("bitmaps"), .doc = "The picture of the frame."},
};
RECORD(frame, "frame", "one picture of an animation");

static const mst_field animation_fields[] = {
    MST_IMAGERY_FILL_FIELDS(R_FILL, "before the animation", ""),
    {.name = "before",
     U32,
     .flags = MST_FIELD_BIG,
     .doc =
         "The number of the bitmap that follows the animation in the file; the number of all bitmaps if none "
         "does."},
    {.name = "flags", U32, .doc = "Not known.", .range = "0 or 1 in known files"},
    {.name = "max_width", I32, .unit = "pixels", .doc = "The largest width of the frames."},
    {.name = "max_height", I32, .unit = "pixels", .doc = "The largest height of the frames."},
    {.name = "draw_mode", U32, .doc = UNUSED, .range = "0 in known files"},
    {.name = "frames", LIST(frame), .flags = MST_FIELD_BIG, .doc = "In the order in which they are shown."},
    {.name = "spare_frame",
     .kind = MST_KIND_RAW,
     FIXED(40),
     .doc = "A frame after the last one, which is not shown.",
     .range = "Zeros in known files"},
};
RECORD(animation, "animation", "a moving picture");

/* ---- the file ------------------------------------------------------------------------------------ */

static const mst_enum_name kind_names[] = {{MST_IMAGERY_PICTURES, "pictures"}};
static const mst_field image_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "CGSR"},
    {.name = "container_version", U8, DEFAULT(1), .doc = "1 in every file; others are refused."},
    {.name = "object_size_excess",
     I32,
     .flags = MST_FIELD_BIG | MST_FIELD_DEFAULT,
     .unit = "bytes",
     .doc = "The difference between the second stored size of the data and the first, which is correct.",
     .range = "0 in every file that opens"},
    {.name = "imagery_id", I32, NAMES(kind_names), DEFAULT(0), .doc = "The kind of the data: pictures."},
    {.name = "states",
     LIST(state),
     .flags = MST_FIELD_BIG,
     .doc = "At most 64. An object's `state` is an index."},
    MST_IMAGERY_FILL_FIELDS(R_FILL, "after the states and walkmaps", "header_"),
    {.name = "table",
     U32,
     MST_PREFIXED,
     KEPT,
     REFERS({.target = "bitmaps"}),
     .doc = "The bitmaps in the order of the file's table, if that does not just list all of them."},
    {.name = "unused_slots", BYTES, KEPT, .doc = "Slots of missing states, unless they are zeros."},
    {.name = "bitmaps", LIST(bitmap), .flags = MST_FIELD_BIG, .doc = "In the order of the file."},
    {.name = "animations", LIST(animation), .flags = MST_FIELD_BIG, .doc = "In the order of the file."},
    MST_IMAGERY_FILL_FIELDS(R_DATA_FILL, "after the last bitmap or animation", "data_"),
    {.name = "trailing",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc =
         "Bytes after the data. The game's tool wrote smaller files over larger ones without cutting them."},
};
RECORD(image, "image", "the file: pictures for the states of an object");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)variant;
    return mst_imagery_probe(bytes, size, name, false);
}

const mst_format mst_format_revenant_image = {
    .information = {.id = "revenant-image",
                    .title = "Revenant pictures",
                    .extensions = ".i2d",
                    .media_type = "",
                    .versions = "",
                    .rows = "states"},
    .tables.root = &image,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.probe = probe,
    .files = {.count = 1, .parse = mst_image_parse, .serialize = mst_image_serialize},
    .check.problem_codes = MST_IMAGERY_PROBLEM_CODES,
    .check.codes = &mst_imagery_codes,
    .check.fixes = MST_FIXES({"REV-IMAGE-OBJECT-SIZE", "sets the second size to the first", NULL}),
    .check.check = mst_image_check,
    .editing = &(const mst_edit_hooks){.reaches = mst_imagery_is_size_of_walkmap,
                                       .resize = mst_imagery_resize_walkmap},
    .images = &(const mst_images){.count = mst_image_pictures,
                                  .read = mst_image_picture,
                                  .replace = mst_image_replace_picture},
    .tables.introduction =
        "The pictures of an object of Revenant (Cinematix, 1999), one or more for each of its states: `.I2D` "
        "files in `IMAGERY`.\n"
        "Little-endian.\n",
    .tables.in_files =
        {"## In the file\n\n"
         "This section and the next one describe bytes; the tables after them describe the values that the "
         "program reads from them.\n\n"
         "`CGSR`; u16 number of bitmaps; u8 0 (1: packed as a whole, in one damaged file); u8 version 1; u32 "
         "size of the data; u32 the same; u32 size of the header; the\n"
         "header; a u32 for each bitmap, its offset in the data; the data; perhaps trailing bytes.\n\n"
         "An *offset field* is a u32 that counts from its own first byte: 0 is none. The header is an i32 "
         "`imagery_id`, an i32\n"
         "number of states, the states of 76 bytes, and the walkmaps in order. In a state of the file, "
         "`name` has 32\n"
         "bytes (`name_rest` is the part after its NUL), then follow an offset field that leads to the "
         "walkmap, then `flags` and the\n"
         "other numbers up to `inventory_frames`, in the order below.\n\n"
         "The data begins with 64 slots of 20 bytes, one for each state: four offset fields (`still`, "
         "`animation`, `inventory`,\n"
         "`inventory_animation`) and `slot_flags`. Bitmaps and animations follow in any order, each at a "
         "multiple of 4.\n\n"
         "A bitmap begins with 72 bytes: `width` to `key_color`, then a u32 size and an offset field for "
         "each of alias, alpha, depth,\n"
         "normals and palette, then the size of the pixels. The pixels follow, then the planes.\n\n"
         "An animation begins with `flags`, `max_width`, `max_height`, the number of frames and `draw_mode`; "
         "each frame has 40\n"
         "bytes, of which the last four are an offset field that leads to its bitmap.\n",
         "\n"
         "## Blocks\n\n"
         "A plane in blocks is `blocks_type`, `blocks_across`, `blocks_down`, an offset field for each block "
         "(0: empty), and the\n"
         "blocks: `id`, the two markers, the stream. To unpack one, begin with 4096 zeros (depths: 7F7Fh) "
         "and take bytes of the\n"
         "stream until 64 rows have ended:\n\n"
         "- `run_marker`, n: n 0 ends a row and does nothing else; up to 127, the next byte is repeated n "
         "times; above,\n"
         "  n - 128 values are skipped.\n"
         "- `copy_marker`, n, u16 d: n bytes of the block itself, from d bytes before this marker on, are "
         "values. In depths n 0 is\n"
         "  followed by one byte, the upper byte of all values from then on (0 at first).\n"
         "- any other byte is a value.\n\n"
         "A block that sets more than 4096 values, copies from outside of itself or continues after its "
         "plane is damaged; the values\n"
         "unpacked before are used. In pictures with depths a pixel is drawn unless its depth is 7F7Fh, else "
         "unless its value is\n"
         "`key_color`; where there is alpha, by that.\n"},
    .tables.relations = "- A type in `class.def` names the file: `IMAGERY\\` and the path after the type's "
                        "name, in any case.\n"
                        "- `still`, `animation`, `inventory` and `inventory_animation` of a state are "
                        "indices into `bitmaps` and `animations`;\n"
                        "  `bitmap` of a frame is one into `bitmaps`.\n",
    .tables.listed =
        MST_LISTED({"bitmap", "planes", "there would be two of a kind, or pixels without their palette",
                    "revenant-imagery.md 4"},
                   {"pixels", "blocks", "refused: there are as many as `blocks_across` times `blocks_down`",
                    "revenant-imagery.md 5"},
                   {"plane", "blocks", "refused: there are as many as `blocks_across` times `blocks_down`",
                    "revenant-imagery.md 5"},
                   {"image", "animations", "no state would show it", "revenant-imagery.md 4"}),
    .tables.sources =
        "- 2,087 `.I2D` files of the developers of 1998, published by one of the game's authors "
        "(<https://github.com/benjcooley/Revenant>).\n"
        "- The engine of 1998, published there as well.\n",
};
