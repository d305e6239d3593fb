/* SPDX-License-Identifier: MIT */
/* New elements of which only some fields are given. */
#ifndef MST_EDIT_COMPLETE_H
#define MST_EDIT_COMPLETE_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* What elements of a list are like, by their kinds, while others come to it that are not there yet. */
typedef struct mst_like {
    const char *kind; /* JSON of the members that say so */
    const char *json; /* of the first element of that kind */
    uint64_t index;   /* of that element, once all are there that have come */
} mst_like;

/* Zero-initialise it, with an arena. */
typedef struct mst_likes {
    mst_arena *arena;
    mst_like *items;
    size_t count, room;
    /* Of the last element that was completed: */
    const char *kind;  /* NULL: it is not known */
    uint64_t like_at;  /* the first so many elements were looked at for one that is like it; UINT64_MAX: all,
                          in vain */
    uint64_t pairs_at; /* the same for properties */
    bool partly;       /* another element may be more like it */
} mst_likes;

/* Notes that the last element that was completed will be at an index, as this JSON. MST_NO_MEMORY. */
mst_status mst_likes_came(mst_likes *likes, uint64_t index, const char *json);

/*
 * JSON for the element that is inserted at a path: what is given, and the rest as the schema of the options
 * (may be NULL) describes its kind, or as the first element of the list has it that is most like it by its
 * kind, if that is given (a monster's type, an entity's class). Properties may be an object of names and
 * values; their types are those of others. What the format makes of special JSON (adding.expand) may edit the
 * document. `made` is `json` itself where nothing is added: fields that are still missing are filled in by
 * the encoder. `likes` may be NULL.
 */
mst_status mst_complete(mst_document *document, const char *path, const char *json,
                        const mst_edit_options *options, mst_arena *arena, const char **made,
                        mst_likes *likes, mst_diagnostic *diagnostic);

/* The list of the path's last index, or the one that rows are about: `record` is around them then, else its
 * document is NULL. */
bool mst_list_around(const mst_document *document, const char *path, mst_arena *arena, const char **list_path,
                     mst_value *list, mst_value *record);

#endif
