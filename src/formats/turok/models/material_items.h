/* SPDX-License-Identifier: MIT */
/* Iterating over the words of materials, and the appearance of materials. */
#ifndef MST_FORMATS_TUROK_MATERIAL_ITEMS_H
#define MST_FORMATS_TUROK_MATERIAL_ITEMS_H

#include "models.h"
#include "turok_material_text.h"

typedef struct mst_kex_text {
    const char *text; /* not terminated */
    size_t size;
} mst_kex_text;

#define MST_KEX_VALUES 3 /* maximum number of values of a known word */
typedef struct mst_kex_item {
    mst_kex_text word, values[MST_KEX_VALUES]; /* empty: absent */
    const mst_kmat_word *known;                /* NULL: unknown */
    mst_value record;
    uint64_t index; /* in the list around it */
} mst_kex_item;

/* The items of a material or block (the root has a list `materials`), in order. */
typedef struct mst_kex_items {
    mst_iterator iterator;
    bool some; /* false: there is no block */
    mst_kmat_block block;
    uint64_t count;
} mst_kex_items;
mst_kex_items mst_kex_items_of(const mst_value *record, mst_kmat_block block);
bool mst_kex_next_item(mst_kex_items *items, mst_kex_item *item);

bool mst_kex_is(mst_kex_text text, const char *wanted);
/* Four numbers in a text; false: the text is something else. */
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

/* Reads the appearance of a material of a document. */
void mst_kex_look_at(const mst_kex_item *material, mst_kex_look *look);
/* The same for the first material of that name; false: none. */
bool mst_kex_find_look(const mst_document *document, const char *name, size_t size, mst_kex_look *look);

#endif
