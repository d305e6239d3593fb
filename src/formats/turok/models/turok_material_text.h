/* SPDX-License-Identifier: MIT */
/* The text of materials: tokens, the space between them, and the values of each word. */
#ifndef MST_TUROK_MODELS_TUROK_MATERIAL_TEXT_H
#define MST_TUROK_MODELS_TUROK_MATERIAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mst_kmat_token_kind {
    MST_KMAT_END = 0,
    MST_KMAT_WORD,
    MST_KMAT_QUOTED, /* its text is between the quotes */
    MST_KMAT_OPEN,
    MST_KMAT_CLOSE,
    MST_KMAT_BROKEN /* a text or comment without an end */
} mst_kmat_token_kind;

typedef struct mst_kmat_token {
    mst_kmat_token_kind kind;
    size_t before;      /* where the blanks and comments before it begin */
    size_t start, size; /* its text */
    size_t after;       /* offset of the next one */
} mst_kmat_token;

mst_kmat_token mst_kmat_next(const char *text, size_t size, size_t at);

/* The kinds of blocks; they determine which words are known. */
typedef enum mst_kmat_block {
    MST_KMAT_FILE = 0,
    MST_KMAT_MATERIAL,
    MST_KMAT_SAMPLER,
    MST_KMAT_OTHER
} mst_kmat_block;

/* A word and its values: 't' a text in quotes, 'w' a word, 'n' a number, 'a' a name in quotes or without, '*'
 * any number of texts and numbers, '{' a block (`may`: if there is one). */
typedef struct mst_kmat_word {
    const char *name, *values;
    mst_kmat_block block; /* that contains it */
    mst_kmat_block opens;
    bool may;
} mst_kmat_word;
/* NULL: unknown there. */
const mst_kmat_word *mst_kmat_find(mst_kmat_block block, const char *name, size_t size);

/* The default space before a token: a blank before values and opening braces, a separate line for the rest;
 * `depth`: number of blocks around it. */
typedef enum mst_kmat_place { MST_KMAT_AT_WORD = 0, MST_KMAT_AT_VALUE, MST_KMAT_AT_CLOSE } mst_kmat_place;
#define MST_KMAT_DEPTH 8
size_t mst_kmat_usual(mst_kmat_place place, unsigned depth, bool first, char space[4 * MST_KMAT_DEPTH + 1]);

#endif
