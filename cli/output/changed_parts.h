/* SPDX-License-Identifier: MIT */
/* Changes of values by what they mean, where what is stored says less. */
#ifndef CLI_OUTPUT_CHANGED_PARTS_H
#define CLI_OUTPUT_CHANGED_PARTS_H

#include "streams.h"
#include <mapstone/diff.h>
#include <stdbool.h>

/* Of bits that stand for elements, such as an object's layers, the names: "Lights, Props", "none"; the path,
 * to be freed, gets the name that conditions have for them, as in objects[layer=Props]. False: the values
 * have no such bits, or some that name nothing. */
bool changed_names(const mst_difference *change, char **old_text, char **new_text, char **path);
/* What the element is called, with the name of its type if a sidecar has that (Revenant's class.def); to be
 * freed. */
char *changed_label(const mst_difference *change, const mst_resolver *sidecars);
/* How far something has been moved by a change of its position; negative: it is no such change. `unit`
 * receives in what it is measured. */
double changed_distance(const mst_difference *change, const char **unit);
/* The number of bytes that a value has; 0: it is another one. */
uint64_t changed_bytes(const mst_value *value);
/* Whether two paths differ in indices only. */
bool changed_same_shape(const char *a, const char *b);
/* "extras[0].cubemap: 98,304 bytes", of parts that are bytes, by the path of one of them. */
void changed_put_bytes(stream *to, const char *path, uint64_t bytes);

#endif
