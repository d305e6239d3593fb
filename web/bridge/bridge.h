/* SPDX-License-Identifier: MIT */
/*
 * What web/mapstone.js calls: the library with flat arguments, for a WebAssembly module. Texts go in with a
 * NUL; what comes out is in an answer. A function returns an mst_status; unless it is MST_OK, the answer is
 * the diagnosis as JSON. Memory that the command's streams cannot get ends the module (see need in
 * cli/output/streams.h): the library itself returns MST_NO_MEMORY.
 */
#ifndef WEB_BRIDGE_H
#define WEB_BRIDGE_H

#include "../../cli/output/streams.h"
#include <mapstone/mapstone.h>

typedef struct answer {
    stream text; /* in memory */
    mst_diagnostic why;
} answer;

/* A level of files that the page has, and its documents. */
typedef struct opened opened;
mst_level *opened_level(const opened *of);
/* The document with that index; NULL, with the diagnosis, if there is none. */
mst_document *opened_document(const opened *of, uint32_t index, answer *to);

/* Ends a function: without MST_OK the answer becomes the diagnosis. */
mst_status answer_end(answer *to, mst_status status);
/* The same, with what was reported: after a failure that follows the diagnosis. */
mst_status answer_end_with(answer *to, mst_status status, answer *reported);
/* "" as NULL. */
static inline const char *or_null(const char *text) {
    return text && *text ? text : NULL;
}
/* A number of JSON, or null. */
void put_number(stream *to, double number);
/* ,"name":[numbers] */
void put_numbers(stream *to, const char *name, const float *numbers, size_t count);
void put_place(stream *to, const mst_place *place);
/* "integer", "list", ... */
const char *type_name(const mst_value *value);
/* A finding of the library, to `user`, an answer: a line of JSON. */
mst_status put_finding(void *user, const mst_diagnostic *finding);
mst_status put_finding_of(void *user, const char *file, const mst_diagnostic *finding);

/* ---- answers, opening, files ---- */

enum { OPEN_SALVAGE = 1, OPEN_JSON = 2, OPEN_LENIENT = 4 };

answer *web_answer(void);
char *web_answer_data(answer *of);
uint32_t web_answer_size(const answer *of);
/* Empties it; what was large is freed. */
void web_answer_clear(answer *of);
void *web_take(uint32_t size);
void web_drop(void *memory);
void web_close(opened *of);
/* Opens `name`, or the level that the set of files holds. NULL: the answer says why; else it has the
 * warnings, a line each. */
opened *web_open(answer *to, uint32_t set, uint32_t count, const char *name, const char *format,
                 const char *level, uint32_t flags);
/* The members of an archive or disc image, if that is the only file of the set, else its files: a line each,
 * with their formats if they are to be identified. */
mst_status web_members(answer *to, uint32_t set, uint32_t count, int identify);
/* The formats as a JSON list. */
mst_status web_formats(answer *to);
/* The format of a file that begins with these bytes, as JSON. */
mst_status web_identify(answer *to, const void *bytes, uint32_t size, double file_bytes, const char *name);
/* How many documents there are, and what one of them is, as JSON. */
uint32_t web_count(const opened *of);
mst_status web_document(answer *to, const opened *of, uint32_t index);
/* The bytes of one of a document's files. */
mst_status web_save(answer *to, const opened *of, uint32_t index, uint32_t file);

/* ---- reading ---- */

enum { CHECK_INFORMATION = 1, CHECK_ASSETS = 2 };

/* The value at a path as JSON on one line; of a selector a list of {path, value}. */
mst_status web_get(answer *to, const opened *of, uint32_t index, const char *path);
/* A value as `mapstone dump` writes it; "" is the document. */
mst_status web_dump(answer *to, const opened *of, uint32_t index, const char *path, int compact);
/*
 * {"row": the value at a path, "rows": `count` of its elements or fields from `first` on}. A path is that of
 * the parent, a dot and a name, or brackets and an index.
 */
mst_status web_tree(answer *to, const opened *of, uint32_t index, const char *path, uint32_t first,
                    uint32_t count);
/* The runs of bytes of a value, as a JSON list. */
mst_status web_at(answer *to, const opened *of, uint32_t index, const char *path);
/* The fields that bytes of a file are, a line each; `packed`: -1, or where packed bytes are, of whose content
 * the range is. And these bytes. */
mst_status web_fields(answer *to, const opened *of, uint32_t index, uint32_t file, double offset,
                      double length, double packed);
mst_status web_bytes(answer *to, const opened *of, uint32_t index, uint32_t file, double offset,
                     double length, double packed);
/* What is known about a value, as JSON: its meaning, the names that it may have, its limits. */
mst_status web_describe(answer *to, const opened *of, uint32_t index, const char *path);
/* The numbers in a value that name elements, a line each; `inwards`: the numbers that name the element. */
mst_status web_references(answer *to, const opened *of, uint32_t index, const char *path, int inwards);
/* The findings of one document, a line each. */
mst_status web_check(answer *to, const opened *of, uint32_t index, uint32_t flags);

/* ---- changing, comparing ---- */

enum { EDIT_EACH = 1, EDIT_CASCADE = 2, EDIT_KEEP_LOOSE = 4, EDIT_FORCE = 8, EDIT_TRY = 16 };
enum { PATCH_REVERSE = 1, PATCH_PARTIAL = 2, PATCH_FORCE = 4 };

mst_status web_set(answer *to, const opened *of, uint32_t index, const char *path, const char *json);
/* The classes that the game has, which 'add' takes, with blanks between them; "": they are not known. */
mst_status web_classes(answer *to, const opened *of, uint32_t index);
/*
 * Carries out the lines of an edit script (mapstone/edit.h), all or none. The answer has a line for each
 * change, and for each thing that was reported, of a failure after the diagnosis. EDIT_TRY: the document
 * stays as it is.
 */
mst_status web_edit(answer *to, const opened *of, uint32_t index, const char *script, uint32_t size,
                    uint32_t flags);
/*
 * Undo: a step begins before an edit and ends after it; each swap changes the document to how it was at the
 * other end. An edit that has changed other documents of the level, too, cannot be taken back alone. NULL:
 * the answer says why.
 */
typedef struct step step;
step *web_step_begin(answer *to, const opened *of, uint32_t index);
mst_status web_step_end(answer *to, step *made, const opened *of, uint32_t index);
mst_status web_step_swap(answer *to, step *made, const opened *of, uint32_t index);
/* The bytes that it takes. */
double web_step_size(const step *of);
void web_step_drop(step *of);
enum { DIFF_EVERYTHING = 1, DIFF_LINES = 2 };
/* What `mapstone diff --json` prints: operations, one a line; DIFF_LINES: the lines of `mapstone diff`. */
mst_status web_diff(answer *to, const opened *old, uint32_t old_index, const opened *now, uint32_t new_index,
                    uint32_t flags);
/* The patch that makes the new document of the old one. */
mst_status web_patch_make(answer *to, const opened *old, uint32_t old_index, const opened *now,
                          uint32_t new_index, int with_data);
/* Applies a patch. The answer has a line for each change that does not fit, of a failure after the diagnosis.
 */
mst_status web_patch(answer *to, const opened *of, uint32_t index, const char *text, uint32_t size,
                     uint32_t flags);

/*
 * What was done to a model of the level (mapstone/import.h), which does not change the level. The answer has
 * a line {"document", "script"} for each document that it changes, and what was reported.
 */
mst_status web_import(answer *to, const opened *of, const char *model, uint32_t size);
/*
 * Merges theirs into ours, as 'mapstone merge' does. `choices`: of each conflict that was decided 'o', 't' or
 * 'v', its path and a NUL; after 'v' the value as JSON and a NUL. The answer has a line for each conflict, as
 * 'mapstone conflicts --json' prints it, and then as many lines {"now"}, the paths in the result, "" of what
 * it has not; after a failure the conflicts follow the diagnosis.
 */
mst_status web_merge(answer *to, const opened *ours, uint32_t ours_index, const opened *base,
                     uint32_t base_index, const opened *theirs, uint32_t theirs_index, const char *choices,
                     uint32_t size);

/* ---- what a level looks like, other formats ---- */

enum {
    SCENE_NO_MARKERS = 1,
    SCENE_NO_ASSETS = 2,
    SCENE_NO_TEXTURES = 4,
    SCENE_SPLIT_LAYERS = 8,
    MODEL_FOR_EDITING = 16 /* as 'mapstone convert --for-editing' */
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
 * The scene for a renderer: the size of the JSON (four bytes, the lowest first), the JSON, blanks up to a
 * multiple of four, and the arrays, whose places in the JSON count from there. Numbers are of 32 bits, the
 * lowest byte first.
 */
mst_status web_scene(answer *to, const opened *of, const char *map, uint32_t max_texture, uint32_t flags);
/* A model as `mapstone convert` writes it; `embedded`: .gltf with all that it needs in it, else .glb. */
mst_status web_model(answer *to, const opened *of, const char *map, int embedded, int32_t max_lights,
                     uint32_t flags);
/*
 * A picture: PNG, or its width and height (four bytes each, the lowest first), where the
 * world is in it (mst_picture_place, twelve numbers of eight bytes), and its pixels, RGBA. `view` is
 * an mst_view; -1: the one that suits the scene.
 */
mst_status web_picture(answer *to, const opened *of, const char *map, int view, uint32_t width,
                       uint32_t height, float cut, uint32_t flags);
/*
 * An image that the document stores: its width, its height, and how many colours its palette has (four bytes
 * each, the lowest first; without a palette 0), its name (MST_IMAGE_NAME bytes), its palette, and its pixels,
 * which are RGBA or indices of the palette.
 */
mst_status web_image(answer *to, const opened *of, uint32_t index, uint32_t image);
/* All of them as a JSON list. */
mst_status web_entities(answer *to, const opened *of);
/* The first file of the document in another byte order, version (-1: the same) or format: the size of the
 * losses (four bytes), these, a line each, and the file. */
mst_status web_convert(answer *to, const opened *of, uint32_t index, const char *byte_order, double version,
                       const char *format, int allow_loss);

#endif
