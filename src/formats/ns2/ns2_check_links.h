/* SPDX-License-Identifier: MIT */
/* References between entities: collected in one pass and resolved at its end. */
#ifndef MST_NS2_NS2_CHECK_LINKS_H
#define MST_NS2_NS2_CHECK_LINKS_H

#include "ns2_check.h"
#include "relations.h"

/* The value of a property: one text, one number, or neither. */
typedef struct mst_ns2_said {
    enum { MST_NS2_SAYS_NOTHING, MST_NS2_SAYS_TEXT, MST_NS2_SAYS_NUMBER } kind;
    const uint8_t *name;
    size_t name_length;
    const uint8_t *text; /* UTF-16 */
    size_t size;         /* of the text, in bytes */
    int32_t number;
    uint64_t at;             /* index of the property */
    uint64_t offset, length; /* of the value */
} mst_ns2_said;

typedef struct mst_ns2_links {
    mst_ns2_level *level;
    const char *path;     /* of the entities */
    mst_ns2_list targets; /* uint64_t: relation and key. Equal hashes of different names can hide a finding,
                             never cause a false one. */
    mst_ns2_list sources;
    const mst_field *text; /* the field of texts */
    char class_name[64];   /* of the previous entity: often the same as the next one's */
    uint32_t from, to;     /* bits of the relations that the class is a source of, a target of */
    /* the current entity */
    uint64_t object, offset, length; /* of its class name */
    size_t first;                    /* index of its first source */
    uint32_t met;                    /* bits of the relations whose property it has */
} mst_ns2_links;

/* Begins an entity; `item` is its class name. */
void mst_ns2_links_enter(mst_ns2_links *links, const char *class_name, uint64_t object, const mst_item *item);
mst_status mst_ns2_links_property(mst_ns2_links *links, const mst_ns2_said *said);
/* Records that the entity has a property of that name, whatever its value. */
void mst_ns2_links_met(mst_ns2_links *links, const uint8_t *name, size_t length);
/* Ends the entity. */
mst_status mst_ns2_links_leave(mst_ns2_links *links);
/* Resolves all references after the last entity. */
mst_status mst_ns2_links_end(mst_ns2_links *links);

#endif
