/* SPDX-License-Identifier: MIT */
/* Changes of values by their meaning, where the stored values are less clear. */
#ifndef CLI_OUTPUT_CHANGED_PARTS_H
#define CLI_OUTPUT_CHANGED_PARTS_H

#include "streams.h"
#include <mapstone/diff.h>
#include <stdbool.h>

/* For bits that reference elements, such as an object's layers, or an element's id, such as its group, gets
 * the names: "Lights, Props", "none"; the path, to be freed, gets the name that conditions use for them, as
 * in objects[layer=Props]. False for other values, or if they reference nothing with a name. */
bool changed_names(const mst_difference *change, char **old_text, char **new_text, char **path);
/* The same for one value, given by an element of a list and a path below it. NULL: it has no such names. */
char *changed_name_in(const mst_value *value, const char *list, uint64_t index, char **path);
/* The label of the element, with the name of its type if a sidecar has it (Revenant's class.def); to be
 * freed. */
char *changed_label(const mst_difference *change, const mst_resolver *sidecars);
/* The distance of a move in the form of the operation: "0,0,30", to be freed; NULL: it is not one change.
 * `distance` receives the length of the move if the position changed (negative: other changes), `unit` its
 * unit. */
char *changed_distance(const mst_difference *change, double *distance, const char **unit);
/* The size of a value of bytes; 0 for other values. */
uint64_t changed_bytes(const mst_value *value);
/* Whether two paths differ only in indices. */
bool changed_same_shape(const char *a, const char *b);
/* "extras[0].cubemap: 98,304 bytes", for parts that are bytes, from the path of one of them. */
void changed_put_bytes(stream *to, const char *path, uint64_t bytes);

#endif
