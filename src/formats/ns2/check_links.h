/* SPDX-License-Identifier: MIT */
/* What entities name and are named by, collected in one pass and compared at its end. */
#ifndef MST_FORMATS_NS2_CHECK_LINKS_H
#define MST_FORMATS_NS2_CHECK_LINKS_H

#include "check.h"
#include "relations.h"

/* A list in the check's own memory, which goes with it. */
typedef struct mst_ns2_list {
    void *items;
    size_t count, capacity;
} mst_ns2_list;
/* Room for one more; NULL: there is no memory. */
void *mst_ns2_push(mst_ns2_level *level, mst_ns2_list *list, size_t size);

/* What a property says: one text, one number, or nothing that can be read. */
typedef struct mst_ns2_said {
    enum { MST_NS2_SAYS_NOTHING, MST_NS2_SAYS_TEXT, MST_NS2_SAYS_NUMBER } kind;
    const uint8_t *name;
    size_t name_length;
    const uint8_t *text; /* UTF-16 */
    size_t size;         /* of it */
    int32_t number;
    uint64_t at;             /* which property it is */
    uint64_t offset, length; /* of the value */
} mst_ns2_said;

typedef struct mst_ns2_links {
    mst_ns2_level *level;
    const char *path;     /* of the entities */
    mst_ns2_list targets; /* uint64_t: relation and what is said. Equal hashes of different names could hide
                           * a finding, never make a wrong one. */
    mst_ns2_list sources;
    const mst_field *text; /* the field of texts */
    char class_name[64];   /* of the entity before: that of many that follow */
    uint32_t from, to;     /* bits of the relations that it has */
    /* the entity that the walk is in */
    uint64_t object, offset, length; /* of its class name */
    size_t first;                    /* of its sources */
    uint32_t met;                    /* bits of relations whose property it has */
} mst_ns2_links;

/* An entity begins: the item is its class name. */
void mst_ns2_links_enter(mst_ns2_links *links, const char *class_name, uint64_t object, const mst_item *item);
mst_status mst_ns2_links_property(mst_ns2_links *links, const mst_ns2_said *said);
/* A property of that name is there, whatever it says. */
void mst_ns2_links_met(mst_ns2_links *links, const uint8_t *name, size_t length);
/* The entity ends. */
mst_status mst_ns2_links_leave(mst_ns2_links *links);
/* All entities have been met. */
mst_status mst_ns2_links_end(mst_ns2_links *links);

#endif
