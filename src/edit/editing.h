/* SPDX-License-Identifier: MIT */
/* The state of one edit of a document: the value is found, encoded (single_edit.c), the enclosing sizes and
 * counts are updated (enclose.c), and the result is proved (prove.c). */
#ifndef MST_EDIT_EDITING_H
#define MST_EDIT_EDITING_H

#include "../read/engine.h"
#include <mapstone/edit.h>

typedef struct steps {
    mst_value values[MST_PATH_DEPTH];
    uint64_t indices[MST_PATH_DEPTH];
} steps;

typedef struct edit {
    mst_document *document;
    mst_diagnostic *diagnostic;
    const char *path;
    mst_chain chain;
    mst_value *values; /* the chain's: too many for the stack */
    uint64_t *indices;
    steps *steps;
    uint64_t from, to; /* bytes to be replaced */
    int32_t more;      /* elements added to (positive) or removed from (negative) the enclosing list */
    const mst_several *several; /* the inserted or removed elements; NULL: one */
    mst_buffer bytes;           /* their replacement */
    mst_arena arena;            /* for the JSON that is read */
    const mst_edit_options *options;
    uint64_t copied;   /* insertions: the element to copy; UINT64_MAX: none */
    bool rest;         /* fields that an inserted element lacks are filled in */
    bool follows;      /* other values depend on the inserted or removed elements */
    size_t value_size; /* length of the value at the path, at the start of `bytes`; 0: not checked */
} edit;

/* Begins an edit of the value at a path. Finishing it releases everything, and reports it if there was no
 * memory. */
mst_status mst_edit_start(edit *e, mst_document *document, const char *path, mst_diagnostic *diagnostic);
mst_status mst_edit_finish(edit *e, mst_status status);

/* Finds the value to edit. Slices have no bytes of their own, and hide the list whose count would change. */
mst_status mst_edit_find(edit *e, const char *path);

/* Whether elements of a list of chunks begin after the chunk's id and length. */
bool mst_edit_is_headed(const mst_value *list);

/* Appends an element (`json` NULL: an empty one) to the bytes of the edit, with the header of its chunk. */
mst_status mst_edit_encode_element(edit *e, const mst_value *list, const char *json, uint64_t offset);

mst_status mst_edit_refuse(const edit *e, mst_status status, const char *message);

/* The record of a value's field; NULL: the field has no records. */
const mst_record *mst_edit_table_of(const mst_value *value);

/* Whether a value in a chunk includes the chunk's id and length; otherwise they are before it. */
bool mst_edit_has_own_header(const mst_document *document, const mst_value *value);

/* Whether step `i` of the chain is a block of the archive at step `i - 1`, and which one. */
bool mst_edit_is_block(const edit *e, uint32_t i, mst_archive *archive, uint32_t *block);

/* Extends an edit that changes the length of a block to the block's end, including the padding, which is
 * recomputed: for enclosing archives only offsets change then. */
mst_status mst_edit_include_padding(edit *e);

/* The alignment of blocks of the innermost archive in the chain up to step `last`: MST_BLOCK_ALIGN, or more
 * if the archives there are padded to more. */
unsigned mst_edit_block_align(const edit *e, uint32_t last);
#define MST_BLOCK_ALIGN_MAX 16

/* Writes a list of blocks, the last step of the chain, with one more (its bytes before the block at `index`)
 * or (`block` NULL) without that block. The others keep their bytes and the padding after them. */
mst_status mst_edit_put_blocks(edit *e, const mst_value *list, uint64_t index, const mst_buffer *block);

/* Puts block `from[i]` at place `i`, with its padding. MST_UNSUPPORTED: the last padding of the file is
 * missing.
 */
mst_status mst_edit_permute_blocks(mst_document *document, const mst_value *list, const uint32_t *from,
                                   mst_arena *arena);

/* Updates enclosing sizes, counts and offsets in `data` (the new bytes; those before the edit have not
 * moved). `by`: the change in length. */
mst_status mst_edit_update_enclosing(const edit *e, uint8_t *data, int64_t by);

/* Builds the document with the new bytes, and replaces the old one if the result opens. */
mst_status mst_edit_splice(edit *e);

#endif
