/* SPDX-License-Identifier: MIT */
/* Changes of values by what they mean, where what is stored says less. */
#ifndef CLI_OUTPUT_CHANGED_PARTS_H
#define CLI_OUTPUT_CHANGED_PARTS_H

#include "streams.h"
#include <mapstone/diff.h>
#include <stdbool.h>

/* Of bits that stand for elements, such as an object's layers, or the id of one, such as its group, the
 * names: "Lights, Props", "none"; the path, to be freed, gets the name that conditions have for them, as in
 * objects[layer=Props]. False: the values are others, or name nothing that has a name. */
bool changed_names(const mst_difference *change, char **old_text, char **new_text, char **path);
/* The same of one value, by an element of a list and its path below that. NULL: it has no such names. */
char *changed_name_in(const mst_value *value, const char *list, uint64_t index, char **path);
/* What the element is called, with the name of its type if a sidecar has that (Revenant's class.def); to be
 * freed. */
char *changed_label(const mst_difference *change, const mst_resolver *sidecars);
/* By what something has been moved, as the operation has it: "0,0,30", to be freed; NULL: it is not one
 * change. `distance` receives how far a change of its position moves it (negative: it is another change),
 * `unit` in what that is measured. */
char *changed_distance(const mst_difference *change, double *distance, const char **unit);
/* The number of bytes that a value has; 0: it is another one. */
uint64_t changed_bytes(const mst_value *value);
/* Whether two paths differ in indices only. */
bool changed_same_shape(const char *a, const char *b);
/* "extras[0].cubemap: 98,304 bytes", of parts that are bytes, by the path of one of them. */
void changed_put_bytes(stream *to, const char *path, uint64_t bytes);

#endif
