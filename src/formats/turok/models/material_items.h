/* SPDX-License-Identifier: MIT */
/* Going over the words of materials, and what materials look like. */
#ifndef MST_FORMATS_TUROK_MATERIAL_ITEMS_H
#define MST_FORMATS_TUROK_MATERIAL_ITEMS_H

#include "models.h"
#include "turok_material_text.h"

typedef struct mst_kex_text {
    const char *text; /* not terminated */
    size_t size;
} mst_kex_text;

#define MST_KEX_VALUES 3 /* of a word that is known */
typedef struct mst_kex_item {
    mst_kex_text word, values[MST_KEX_VALUES]; /* empty: absent */
    const mst_kmat_word *known;                /* NULL: it is not */
    mst_value record;
    uint64_t index; /* in the list around it */
} mst_kex_item;

/* The items of a material or block (the root has a list `materials`), one after the other. */
typedef struct mst_kex_items {
    mst_iterator iterator;
    bool some; /* else there is no block */
    mst_kmat_block block;
    uint64_t count;
} mst_kex_items;
mst_kex_items mst_kex_items_of(const mst_value *record, mst_kmat_block block);
bool mst_kex_next_item(mst_kex_items *items, mst_kex_item *item);

bool mst_kex_is(mst_kex_text text, const char *wanted);
/* Four numbers in a text; false: it is something else. */
bool mst_kex_color(mst_kex_text text, float color[4]);

typedef enum mst_kex_alpha { MST_KEX_SOLID, MST_KEX_MASKED, MST_KEX_BLENDED } mst_kex_alpha;
typedef struct mst_kex_look {
    char name[MST_ASSET_NAME];    /* of the material */
    char picture[MST_ASSET_NAME]; /* path, or one of the words that begin with an underscore; "": none */
    float color[4];
    float cutoff; /* of MASKED */
    mst_kex_alpha alpha;
    bool one_sided, unlit, hidden, nearest;
    mst_wrap wrap;
} mst_kex_look;

/* What a material of a document looks like. */
void mst_kex_look_at(const mst_kex_item *material, mst_kex_look *look);
/* The same for the first of that name; false: there is none. */
bool mst_kex_find_look(const mst_document *document, const char *name, size_t size, mst_kex_look *look);

#endif
