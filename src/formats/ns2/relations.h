/* SPDX-License-Identifier: MIT */
/* How entities of a level refer to each other. */
#ifndef MST_FORMATS_NS2_RELATIONS_H
#define MST_FORMATS_NS2_RELATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mst_ns2_how {
    MST_NS2_BY_NAME,  /* a text equal to the target's except for case */
    MST_NS2_BY_NUMBER /* a number equal to the target's */
} mst_ns2_how;

typedef struct mst_ns2_relation {
    const char *from;     /* classes, separated by spaces; "*": all */
    const char *property; /* '#' at its end represents a number */
    const char *to;       /* classes as in `from`; several entities may match */
    const char *target;   /* their property */
    mst_ns2_how how;
    const char *instead; /* a property that takes precedence if it is set; or NULL */
    bool needed;         /* without it, or with an empty text, the entity has no purpose */
    bool zero_is_none;   /* the number 0 refers to nothing */
    const char *order; /* a property that orders the entities that refer to one: they form its way; or NULL */
    const char *acts;  /* the entity's effect on matching entities, in words; NULL: none */
    bool reversed;     /* the matching entities act on it */
    bool own;          /* a copy of a target gets its own name or number */
    const char *code;  /* of the finding if no entity matches; NULL: none is reported */
} mst_ns2_relation;

#define MST_NS2_RELATIONS 7
extern const mst_ns2_relation mst_ns2_relations[MST_NS2_RELATIONS];
/* The same for the format reference, as Markdown. */
extern const char mst_ns2_relations_reference[];

/* Whether a class is among the classes of a relation. */
bool mst_ns2_relation_has(const char *classes, const char *class_name);
/* The first relation with the same targets. */
uint32_t mst_ns2_targets_of(uint32_t relation);
/* Whether a property name matches a relation's. */
bool mst_ns2_relation_names(const char *property, const void *name, size_t length);
/* A hash of a text (UTF-16, little-endian) that is the same for either case of ASCII letters. */
uint32_t mst_ns2_relation_hash(const uint8_t *text, size_t size);

#endif
