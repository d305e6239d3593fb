/* SPDX-License-Identifier: MIT */
/* How entities of a level name each other. */
#ifndef MST_FORMATS_NS2_RELATIONS_H
#define MST_FORMATS_NS2_RELATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mst_ns2_how {
    MST_NS2_BY_NAME,  /* a text that is the target's, letters of either case being the same */
    MST_NS2_BY_NUMBER /* a number that is the target's */
} mst_ns2_how;

typedef struct mst_ns2_relation {
    const char *from;     /* classes, with blanks between; "*": all */
    const char *property; /* '#' at its end: a number follows */
    const char *to;       /* classes as in `from`: several entities may be meant */
    const char *target;   /* their property */
    mst_ns2_how how;
    const char *instead; /* the property that counts in its place where it is set; NULL */
    bool needed;         /* without it, or with an empty text, the entity has no purpose */
    const char *code;    /* of the finding where no entity is meant; NULL: it may be so */
} mst_ns2_relation;

#define MST_NS2_RELATIONS 7
extern const mst_ns2_relation mst_ns2_relations[MST_NS2_RELATIONS];

/* Whether a class is among those of a relation. */
bool mst_ns2_relation_has(const char *classes, const char *class_name);
/* Whether a property is that of a relation. */
bool mst_ns2_relation_names(const char *property, const void *name, size_t length);
/* The same for texts that mean the same entity; UTF-16, little-endian. */
uint32_t mst_ns2_relation_hash(const uint8_t *text, size_t size);

#endif
