/* SPDX-License-Identifier: MIT */
/* A line of a patch, after reading. */
#ifndef MST_PATCH_PATCH_STEP_H
#define MST_PATCH_PATCH_STEP_H

#include "../read/engine.h"

typedef enum mst_step_kind {
    MST_STEP_SET = 0, /* a value, or a missing member; without `now`: a member is removed */
    MST_STEP_INSERT,
    MST_STEP_REMOVE,
    MST_STEP_MOVE,
    MST_STEP_LIST,    /* states how many elements a list has before and after */
    MST_STEP_STORE,   /* a value of the result, by its path there */
    MST_STEP_RESTORE, /* the same for the old document, once the other steps have been undone */
    MST_STEP_RAW,     /* bytes of the result */
    MST_STEP_BULK     /* a SET of all elements of a kind in a list; `index`: their number */
} mst_step_kind;

/* One line of a patch. */
typedef struct mst_patch_step {
    uint8_t kind;          /* mst_step_kind */
    uint8_t sort;          /* mst_difference_sort */
    const char *key;       /* the path of the value in the old document; INSERT: in the new one */
    const char *list;      /* INSERT, REMOVE, MOVE of an element: the path of its list; else NULL */
    uint64_t index;        /* of that element */
    uint64_t to;           /* MOVE: its index in the new document. LIST: elements after, RAW: offset */
    const char *old, *now; /* JSON; NULL: there is none. RAW: hexadecimal digits */
    const char *at;        /* JSON: the element's identifying values; NULL: not stated */
    const char *near;      /* JSON: its place; NULL */
    bool alike;            /* others had the same identifying values: only the place distinguishes it */
    const char *at_list;   /* its list and index */
    uint64_t at_index;
    const char *below; /* BULK: the path of the value below each element */
    const char *hash;  /* LIST: of its JSON in the old document; NULL */
    const char *line;  /* for readers: the element's name */
    bool left_out;     /* it is not applied */
    bool revives;      /* INSERT: restores the old list's element `to`, which the draft lacks */
    bool has_twin;     /* INSERT, left out: the draft's element `twin` is the same */
    uint64_t twin;
    bool has_place; /* merging: the place of the value, or the list, in the base document */
    bool is_record; /* whether it has fields: a number may only follow from something else */
    uint64_t from, end;
    const char *geometry[2]; /* JSON: the element's place in the old and in the new document, and its parts
                              * (mesh.geometry); NULL: not stated */
    bool own;                /* made for this document, with its indices and numbers */
    uint8_t fate;            /* mst_step_fate */
    const char *there;       /* the document's value, where it is not `old`; NULL */
} mst_patch_step;

/* The fate of a step in a document that it was not made for (mesh.carry). */
typedef enum mst_step_fate {
    MST_FATE_AS_IT_IS = 0,
    MST_FATE_REPLACED, /* by other steps, or already done */
    MST_FATE_GONE,     /* its subject is missing */
    MST_FATE_CHANGED   /* its subject has another value */
} mst_step_fate;

/* A document, and steps that were made for another one. */
typedef struct mst_carried_steps {
    const mst_document *document;
    mst_arena *arena;
    mst_patch_step *steps;
    size_t count;
    mst_array made; /* mst_patch_step: the replacements of steps */
} mst_carried_steps;

#endif
