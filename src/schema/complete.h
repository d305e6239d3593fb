/* SPDX-License-Identifier: MIT */
/* New elements of which only some fields are given. */
#ifndef MST_SCHEMA_COMPLETE_H
#define MST_SCHEMA_COMPLETE_H

#include "engine.h"
#include <mapstone/edit.h>

/*
 * JSON for the element that is inserted at a path: what is given, and the rest as the schema of the options
 * (may be NULL) describes its kind, or as the first element of the list has it that is most like it by its
 * kind, if that is given (a monster's type, an entity's class). Properties may be an object of names and
 * values; their types are those of others. What the format makes of special JSON (edit.expand) may edit the
 * document. `made` is `json` itself where nothing is added: fields that are still missing are filled in by
 * the encoder. `like` (may be NULL): the first of so many elements are enough to say what is taken over;
 * UINT64_MAX: more of them might say more.
 */
mst_status mst_complete(mst_document *document, const char *path, const char *json,
                        const mst_edit_options *options, mst_arena *arena, const char **made, uint64_t *like,
                        mst_diagnostic *diagnostic);

/* The list of the path's last index, or the one that rows are about: `record` is around them then, else its
 * document is NULL. */
bool mst_list_around(const mst_document *document, const char *path, mst_arena *arena, const char **list_path,
                     mst_value *list, mst_value *record);

#endif
