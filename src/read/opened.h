/* SPDX-License-Identifier: MIT */
/* Functions on opened documents for levels and the command, beyond the public headers. */
#ifndef MST_READ_OPENED_H
#define MST_READ_OPENED_H

#include <mapstone/asset.h>
#include <mapstone/document.h>
#include <mapstone/scene.h>
#include <mapstone/sprites.h>
#include <stdbool.h>

/* Whether documents of the format may have a scene or images. */
bool mst_format_is_drawn(const mst_format_information *format);

/* ---- several documents that form one level ---------------------------------------------------------- */

/* Builds one scene of the documents of a level (the sectors of a map). All have the same format;
 * MST_UNSUPPORTED if there is more than one and each document of the format is a separate level. */
mst_status mst_scene_from_documents(const mst_document *const *documents, size_t count,
                                    const mst_scene_options *options, mst_scene **scene,
                                    mst_diagnostic *diagnostic);
/* Their sprites: see mst_level_sprites. */
mst_status mst_sprites_from_documents(const mst_document *const *documents, size_t count,
                                      const mst_sprites_options *options, mst_sprites **sprites,
                                      mst_diagnostic *diagnostic);

/* The files that they reference: see mst_level_assets. `sidecars` NULL: nothing is found. Free the list with
 * mst_assets_free, before the data that the resolver needs. */
mst_status mst_assets_of(const mst_document *const *documents, size_t count, const mst_resolver *sidecars,
                         mst_assets **result, mst_diagnostic *diagnostic);

/* ---- saving ------------------------------------------------------------------------------------------ */

/* Writes the path of one of the document's files if it is saved at `path`, with a terminating NUL, cut to
 * `capacity`; returns its full length. */
size_t mst_save_path(const mst_document *document, const char *path, size_t index, char *text,
                     size_t capacity);
#define MST_SAVE_FILES 2 /* the maximum number of writers */
/*
 * Saves up to the renames, for documents that belong together: makes a completely written writer for each of
 * the document's files, in order; mst_file_finish_all ends the writers of several documents at once. With "-"
 * only the first file is written. `options` are those of mst_file_create, without `like`. The file next to
 * `path`, whose name the document decides, is never written through a link.
 */
mst_status mst_save_begin(const mst_document *document, const char *path, const mst_file_options *options,
                          mst_file_writer **writers, size_t *count, mst_diagnostic *diagnostic);

/* ---- values ------------------------------------------------------------------------------------------ */

/* Whether an element meets conditions, as in the brackets of a selector. MST_ARGUMENT: no element of its kind
 * can. MST_NO_PATH: they name a layer, group or the like that does not exist. */
mst_status mst_matches(const mst_value *element, const char *conditions, bool *matches,
                       mst_diagnostic *diagnostic);
/* Whether a text that is not a value meets a condition, which begins with the operator: "~light_*" or
 * "=(\"light_\" + kind)". Names in an expression are paths below `element` (may be NULL: none). MST_ARGUMENT:
 * the operator is missing, or the expression is not valid. */
mst_status mst_text_matches(const char *text, const char *given, const mst_value *element, bool *matches);
/* Converts bytes that are stored plane by plane (byte j of record i is at j * count + i) to consecutive
 * records. `value` is of MST_TYPE_BYTES; its size must be a multiple of `stride`, and at most `capacity`. */
mst_status mst_read_interleaved(const mst_value *value, uint32_t stride, void *records, size_t capacity,
                                uint64_t *count, mst_diagnostic *diagnostic);
/* A guess at the meaning of undocumented bytes, in words, for people who study them: "0, id of LargeCrate,
 * 1.5". It is cut off at `capacity`. MST_UNSUPPORTED: there is none. */
mst_status mst_guess_content(const mst_value *value, char *words, size_t capacity);

#endif
