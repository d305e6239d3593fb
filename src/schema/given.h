/* SPDX-License-Identifier: MIT */
/* Values as an edit gives them: text that is one JSON value, or stands for one. */
#ifndef MST_SCHEMA_GIVEN_H
#define MST_SCHEMA_GIVEN_H

#include "../core/json.h"
#include "engine.h"

/*
 * Reads a text as one value for the field (`single`: for one element of it). What is not JSON is taken as it
 * stands where that can be meant: a number, a name, a text, the one element of a list. For a text only a JSON
 * string and {"$raw": "hex"} are not taken as they stand. Flags become a number, by `old` if they have + or
 * -: where the field stands now, NULL: nowhere. `json` must live as long as the nodes. MST_ARGUMENT,
 * MST_NO_MEMORY, MST_UNSUPPORTED (no reader of JSON).
 */
mst_status mst_read_given(const char *json, const mst_field *field, bool single, const mst_value *old,
                          mst_arena *arena, mst_json *given, mst_diagnostic *diagnostic);

/* An object with a member replaced, or added at the end. MST_NO_MEMORY. */
mst_status mst_json_with_member(const mst_json *object, const char *name, const mst_json *value,
                                mst_arena *arena, mst_json *made);

#endif
