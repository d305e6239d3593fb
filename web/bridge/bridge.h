/* SPDX-License-Identifier: MIT */
/*
 * The functions that web/mapstone.js calls: the library with flat arguments, for a WebAssembly module. Texts
 * passed in end with a NUL; results are in an answer. A function returns an mst_status; unless it is MST_OK,
 * the answer is the diagnosis as JSON. If the command's streams cannot get memory, the module ends (see need
 * in cli/output/streams.h): the library itself returns MST_NO_MEMORY.
 */
#ifndef WEB_BRIDGE_H
#define WEB_BRIDGE_H

#include "../../cli/output/streams.h"
#include <mapstone/mapstone.h>

typedef struct answer {
    stream text; /* in memory */
    mst_diagnostic why;
} answer;

/* A level of files supplied by the page, and its documents. */
typedef struct opened opened;
mst_level *opened_level(const opened *of);
/* The document with that index; NULL, with the diagnosis, if there is none. */
mst_document *opened_document(const opened *of, uint32_t index, answer *to);

/* Ends a function: unless `status` is MST_OK, the answer becomes the diagnosis. */
mst_status answer_end(answer *to, mst_status status);
/* The same, with the reported lines: after a failure they follow the diagnosis. */
mst_status answer_end_with(answer *to, mst_status status, answer *reported);
/* NULL for "". */
static inline const char *or_null(const char *text) {
    return text && *text ? text : NULL;
}
/* A JSON number, or null. */
void put_number(stream *to, double number);
/* ,"name":[numbers] */
void put_numbers(stream *to, const char *name, const float *numbers, size_t count);
void put_place(stream *to, const mst_place *place);
/* "integer", "list", ... */
const char *type_name(const mst_value *value);
/* Writes a finding of the library to `user`, which is an answer, as a line of JSON. */
mst_status put_finding(void *user, const mst_diagnostic *finding);
mst_status put_finding_of(void *user, const char *file, const mst_diagnostic *finding);

/* ---- answers, opening, files ---- */

enum { OPEN_SALVAGE = 1, OPEN_JSON = 2, OPEN_LENIENT = 4 };

answer *web_answer(void);
char *web_answer_data(answer *of);
uint32_t web_answer_size(const answer *of);
/* Empties it; frees a large buffer. */
void web_answer_clear(answer *of);
void *web_take(uint32_t size);
void web_drop(void *memory);
void web_close(opened *of);
/* Opens `name`, or the level that the set of files holds. Returns NULL, with the diagnosis in the answer;
 * otherwise the answer has the warnings, one a line. */
opened *web_open(answer *to, uint32_t set, uint32_t count, const char *name, const char *format,
                 const char *level, uint32_t flags);
/* The members of an archive or disc image if it is the only file of the set, otherwise the files of the set:
 * one a line, with their formats if `identify` is set. */
mst_status web_members(answer *to, uint32_t set, uint32_t count, int identify);
/* The formats as a JSON list. */
mst_status web_formats(answer *to);
/* The format of a file that begins with these bytes, as JSON. */
mst_status web_identify(answer *to, const void *bytes, uint32_t size, double file_bytes, const char *name);
/* The number of documents, and a description of one of them as JSON. */
uint32_t web_count(const opened *of);
mst_status web_document(answer *to, const opened *of, uint32_t index);
/* The bytes of one of a document's files. */
mst_status web_save(answer *to, const opened *of, uint32_t index, uint32_t file);

/* ---- reading ---- */

enum { CHECK_INFORMATION = 1, CHECK_ASSETS = 2 };

/* The value at a path as JSON on one line; for a selector, a list of {path, value}. */
mst_status web_get(answer *to, const opened *of, uint32_t index, const char *path);
/* A value as `mapstone dump` writes it; "" is the document. */
mst_status web_dump(answer *to, const opened *of, uint32_t index, const char *path, int compact);
/*
 * {"row": the value at a path, "rows": `count` of its elements or fields, starting at `first`}. A path is the
 * parent's path followed by a dot and a name, or by an index in brackets.
 */
mst_status web_tree(answer *to, const opened *of, uint32_t index, const char *path, uint32_t first,
                    uint32_t count);
/* The runs of bytes that hold a value, as a JSON list. */
mst_status web_at(answer *to, const opened *of, uint32_t index, const char *path);
/* The fields in a range of a file's bytes, one a line, and the bytes themselves. `packed`: -1, or the offset
 * of packed bytes; the range is then within their unpacked content. */
mst_status web_fields(answer *to, const opened *of, uint32_t index, uint32_t file, double offset,
                      double length, double packed);
mst_status web_bytes(answer *to, const opened *of, uint32_t index, uint32_t file, double offset,
                     double length, double packed);
/* The facts about a value, as JSON: its meaning, the names that it can have, its limits. */
mst_status web_describe(answer *to, const opened *of, uint32_t index, const char *path);
/* The numbers in a value that refer to elements, one a line; `inwards`: the numbers that refer to it. */
mst_status web_references(answer *to, const opened *of, uint32_t index, const char *path, int inwards);
/* The findings of one document, one a line. */
mst_status web_check(answer *to, const opened *of, uint32_t index, uint32_t flags);

/* ---- changing, comparing ---- */

enum { EDIT_EACH = 1, EDIT_CASCADE = 2, EDIT_KEEP_LOOSE = 4, EDIT_FORCE = 8, EDIT_TRY = 16 };
enum { PATCH_REVERSE = 1, PATCH_PARTIAL = 2, PATCH_FORCE = 4 };

mst_status web_set(answer *to, const opened *of, uint32_t index, const char *path, const char *json);
/* The classes of the game, which 'add' accepts, separated by blanks; "" if they are not known. */
mst_status web_classes(answer *to, const opened *of, uint32_t index);
/*
 * Applies the lines of an edit script (mapstone/edit.h), all or none. The answer has a line for each change
 * and for each reported finding; after a failure these follow the diagnosis. EDIT_TRY leaves the document
 * unchanged.
 */
mst_status web_edit(answer *to, const opened *of, uint32_t index, const char *script, uint32_t size,
                    uint32_t flags);
/*
 * Undo: a step begins before an edit and ends after it; each swap takes the document to the state at the
 * other end. An edit that also changed other documents of the level cannot be undone separately. NULL: the
 * diagnosis is in the answer.
 */
typedef struct step step;
step *web_step_begin(answer *to, const opened *of, uint32_t index);
mst_status web_step_end(answer *to, step *made, const opened *of, uint32_t index);
mst_status web_step_swap(answer *to, step *made, const opened *of, uint32_t index);
/* The memory that a step uses, in bytes. */
double web_step_size(const step *of);
void web_step_drop(step *of);
enum { DIFF_EVERYTHING = 1, DIFF_LINES = 2 };
/* The output of `mapstone diff --json`: operations, one a line; DIFF_LINES: the lines of `mapstone diff`. */
mst_status web_diff(answer *to, const opened *old, uint32_t old_index, const opened *now, uint32_t new_index,
                    uint32_t flags);
/* The patch that turns the old document into the new one. */
mst_status web_patch_make(answer *to, const opened *old, uint32_t old_index, const opened *now,
                          uint32_t new_index, int with_data);
/* Applies a patch. The answer lists rejected changes, one a line, after the diagnosis if it failed. */
mst_status web_patch(answer *to, const opened *of, uint32_t index, const char *text, uint32_t size,
                     uint32_t flags);

/*
 * The edits made to a model of the level (mapstone/import.h); the level itself is not changed. The answer has
 * a line {"document", "script"} for each document that the edits change, and the reported lines.
 */
mst_status web_import(answer *to, const opened *of, const char *model, uint32_t size);
/*
 * Merges theirs into ours, like 'mapstone merge'. `choices`: for each decided conflict 'o', 't' or 'v', its
 * path and a NUL; after 'v' also the value as JSON and a NUL. The answer has a line for each conflict, in the
 * form of 'mapstone conflicts --json', and then as many lines {"now"}: the paths in the result, "" where the
 * result has none. After a failure the conflicts follow the diagnosis.
 */
mst_status web_merge(answer *to, const opened *ours, uint32_t ours_index, const opened *base,
                     uint32_t base_index, const opened *theirs, uint32_t theirs_index, const char *choices,
                     uint32_t size);

/* ---- scenes, models, pictures, other formats ---- */

enum {
    SCENE_NO_MARKERS = 1,
    SCENE_NO_ASSETS = 2,
    SCENE_NO_TEXTURES = 4,
    SCENE_SPLIT_LAYERS = 8,
    MODEL_FOR_EDITING = 16 /* like 'mapstone convert --for-editing' */
};
enum {
    PICTURE_NO_ENTITIES = 1,
    PICTURE_NO_LEGEND = 2,
    PICTURE_NO_GRID = 4,
    PICTURE_NO_LABELS = 8,
    PICTURE_PNG = 16,
    PICTURE_CLEAR = 32 /* without a background */
};

/*
 * The scene for a renderer: the size of the JSON (four bytes, little-endian), the JSON, blanks up to a
 * multiple of four bytes, and the arrays; the JSON gives their offsets from the start of the first array.
 * Numbers are 32-bit and little-endian.
 */
mst_status web_scene(answer *to, const opened *of, const char *map, uint32_t max_texture, uint32_t flags);
/* A model as `mapstone convert` writes it; `embedded`: a self-contained .gltf, otherwise a .glb. */
mst_status web_model(answer *to, const opened *of, const char *map, int embedded, int32_t max_lights,
                     uint32_t flags);
/*
 * A picture: PNG, or its width and height (four bytes each, little-endian), the mapping of the world to it
 * (mst_picture_place, twelve numbers of eight bytes), and its pixels, RGBA. `view` is an mst_view, or -1 for
 * the one that suits the scene.
 */
mst_status web_picture(answer *to, const opened *of, const char *map, int view, uint32_t width,
                       uint32_t height, float cut, uint32_t flags);
/*
 * An image stored in the document: its width, height, and number of palette colours (four bytes each,
 * little-endian; 0 without a palette), its name (MST_IMAGE_NAME bytes), its palette, and its pixels: RGBA or
 * indices into the palette.
 */
mst_status web_image(answer *to, const opened *of, uint32_t index, uint32_t image, uint32_t level);
/* All entities as a JSON list. */
mst_status web_entities(answer *to, const opened *of);
/* The document's first file in another byte order, version (-1: unchanged) or format: the size of the list
 * of losses (four bytes), the losses, one a line, and the file. */
mst_status web_convert(answer *to, const opened *of, uint32_t index, const char *byte_order, double version,
                       const char *format, int allow_loss);

#endif
