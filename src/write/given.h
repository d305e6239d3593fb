/* SPDX-License-Identifier: MIT */
/* The values given to edits: text that is a JSON value, or a shorthand for one. */
#ifndef MST_WRITE_GIVEN_H
#define MST_WRITE_GIVEN_H

#include "../core/json.h"
#include "../read/engine.h"

/*
 * Reads text as one value for the field (`single`: for one element of it). Text that is not JSON is taken
 * literally where that makes sense: as a number, a name, a text, the only element of a list. For a text field
 * everything except a JSON string and {"$raw": "hex"} is taken literally. Flags become a number; + and -
 * change the flags of `old`, the field's current value (NULL: none). `json` must live as long as the nodes.
 * MST_ARGUMENT, MST_NO_MEMORY, MST_UNSUPPORTED (built without a JSON reader).
 */
mst_status mst_read_given(const char *json, const mst_field *field, bool single, const mst_value *old,
                          mst_arena *arena, mst_json *given, mst_diagnostic *diagnostic);

/* An object with a member replaced, or added at the end. MST_NO_MEMORY. */
mst_status mst_json_with_member(const mst_json *object, const char *name, const mst_json *value,
                                mst_arena *arena, mst_json *made);

/* A member of an object, as JSON of its own. MST_NO_PATH: no member has that name. */
mst_status mst_json_member(const mst_json *object, const char *name, mst_arena *arena, mst_json *made);

/* An object without a member. MST_NO_MEMORY. */
mst_status mst_json_without_member(const mst_json *object, const char *name, mst_arena *arena,
                                   mst_json *made);

/* Converts numbers in the unit of the game's editor to metres, in a text for one or several lengths: `12in`,
 * `[12in, 0, -3.5in]`. MST_ARGUMENT: the field is not a length. */
mst_status mst_in_metres(const mst_document *document, const mst_field *field, mst_arena *arena,
                         const char **json, mst_diagnostic *diagnostic);

#endif
