/* SPDX-License-Identifier: MIT */
/* New elements of which only some fields are given. */
#ifndef MST_EDIT_COMPLETE_H
#define MST_EDIT_COMPLETE_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* Known elements of a list, by their kinds, while insertions into it wait. */
typedef struct mst_like {
    const char *kind; /* JSON of the members that state it */
    const char *json; /* of the first element of that kind */
    uint64_t index;   /* of that element, after all insertions so far */
} mst_like;

/* Zero-initialise it, with an arena. */
typedef struct mst_likes {
    mst_arena *arena;
    mst_like *items;
    size_t count, room;
    /* Of the last element that was completed: */
    const char *kind;  /* NULL: unknown */
    uint64_t like_at;  /* number of elements searched for a similar one; UINT64_MAX: all, without success */
    uint64_t pairs_at; /* the same for properties */
    bool partly;       /* another element may be more similar */
} mst_likes;

/* Records that the last completed element will be at an index, with this JSON. MST_NO_MEMORY. */
mst_status mst_likes_came(mst_likes *likes, uint64_t index, const char *json);

/*
 * JSON for the element that is inserted at a path: the given members, and the rest from the schema of the
 * options (may be NULL) for its kind, or from the first element of the list whose kind is most similar, if a
 * kind is given (a monster's type, an entity's class). Properties may be an object of names and values; their
 * types are taken from others. Expanding special JSON (adding.expand) may edit the document. `made` is `json`
 * itself where nothing is added: fields that are still missing are filled in by the encoder. `likes` may be
 * NULL.
 */
mst_status mst_complete(mst_document *document, const char *path, const char *json,
                        const mst_edit_options *options, mst_arena *arena, const char **made,
                        mst_likes *likes, mst_diagnostic *diagnostic);

/* The list of the path's last index, or the list that rows describe: `record` then encloses it, else its
 * document is NULL. */
bool mst_list_around(const mst_document *document, const char *path, mst_arena *arena, const char **list_path,
                     mst_value *list, mst_value *record);

#endif
