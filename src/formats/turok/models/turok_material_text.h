/* SPDX-License-Identifier: MIT */
/* The text of materials: tokens, what stands between them, and which values a word has. */
#ifndef MST_TUROK_MODELS_TUROK_MATERIAL_TEXT_H
#define MST_TUROK_MODELS_TUROK_MATERIAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mst_kmat_token_kind {
    MST_KMAT_END = 0,
    MST_KMAT_WORD,
    MST_KMAT_QUOTED, /* its text is what stands between the quotes */
    MST_KMAT_OPEN,
    MST_KMAT_CLOSE,
    MST_KMAT_BROKEN /* a text or comment without an end */
} mst_kmat_token_kind;

typedef struct mst_kmat_token {
    mst_kmat_token_kind kind;
    size_t before;      /* where what stands before it begins: blanks and comments */
    size_t start, size; /* its text */
    size_t after;       /* where the next one begins */
} mst_kmat_token;

mst_kmat_token mst_kmat_next(const char *text, size_t size, size_t at);

/* The blocks that say which words are known. */
typedef enum mst_kmat_block {
    MST_KMAT_FILE = 0,
    MST_KMAT_MATERIAL,
    MST_KMAT_SAMPLER,
    MST_KMAT_OTHER
} mst_kmat_block;

/* A word and what follows it: 't' a text in quotes, 'w' a word, 'n' a number, 'a' a name in quotes or
 * without, '*' any number of texts and numbers, '{' a block (`may`: if there is one). */
typedef struct mst_kmat_word {
    const char *name, *values;
    mst_kmat_block block; /* that it stands in */
    mst_kmat_block opens;
    bool may;
} mst_kmat_word;
/* NULL: it is not known there. */
const mst_kmat_word *mst_kmat_find(mst_kmat_block block, const char *name, size_t size);

/* What stands before a token unless the text says otherwise: a blank before values and braces that open, a
 * line of its own for the rest; `depth`: of blocks around it. */
typedef enum mst_kmat_place { MST_KMAT_AT_WORD = 0, MST_KMAT_AT_VALUE, MST_KMAT_AT_CLOSE } mst_kmat_place;
#define MST_KMAT_DEPTH 8
size_t mst_kmat_usual(mst_kmat_place place, unsigned depth, bool first, char space[4 * MST_KMAT_DEPTH + 1]);

#endif
