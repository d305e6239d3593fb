/* SPDX-License-Identifier: MIT */
/* A removed element and an added one at the same place are one element with a new type if most of their
 * values are equal: the output combines them into one line. */
#ifndef CLI_OUTPUT_CHANGED_TYPE_H
#define CLI_OUTPUT_CHANGED_TYPE_H

#include "streams.h"
#include <stdbool.h>

/* A value of an element: its name, its hash, and a short text (""). */
typedef struct changed_member {
    char *name, *text;
    uint64_t hash;
} changed_member;

typedef struct changed_members {
    changed_member *items;
    size_t count;
} changed_members;

/* The values of an element of a list. */
changed_members changed_members_of(const mst_value *element, const char *list, uint64_t index);
void changed_members_free(changed_members *all);
/* Whether more than half of the values are equal. */
bool changed_members_alike(const changed_members *old, const changed_members *now);
/* "type face_hugger -> warrior_drone, health 5 -> 9" */
void changed_members_put(stream *to, const changed_members *old, const changed_members *now);

#endif
