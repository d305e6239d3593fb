/* SPDX-License-Identifier: MIT */
/* editor_setup.xml: the game's or a mod's classes of entities, as an optional schema. */
#ifndef MST_FORMATS_NS2_SETUP_H
#define MST_FORMATS_NS2_SETUP_H

#include "ns2.h"

typedef struct mst_ns2_setup mst_ns2_setup;

/* A property that was read; offsets are absolute. */
typedef struct mst_ns2_property {
    const uint8_t *name; /* NULL: the property is of an unknown kind */
    char text[128];      /* the name as UTF-8, if it was requested and fits ... */
    bool has_text;       /* ... then this is true */
    size_t name_length;
    uint64_t offset, name_offset, name_size, type_offset, value_offset, value_size;
    uint32_t id, type, components;
    bool animated, has_number;
    int32_t number; /* the value, if it is one integer */
} mst_ns2_property;

/* Reads the text into the arena. MST_ARGUMENT if it is not XML, MST_UNSUPPORTED in a build without expat. */
mst_status mst_ns2_setup_read(const char *text, size_t size, mst_arena *arena, mst_ns2_setup **setup,
                              mst_diagnostic *diagnostic);

bool mst_ns2_setup_has_class(const mst_ns2_setup *setup, const char *class_name);

/* The name of a class, in any order; NULL: no more. */
const char *mst_ns2_setup_class(const mst_ns2_setup *setup, size_t index);

/* JSON of a new entity of that class, as the editor creates it. NULL: unknown class, or no memory. */
const char *mst_ns2_setup_entity(mst_ns2_setup *setup, const char *class_name, mst_arena *arena);

/* JSON of the choices for a property, in the order of the text: [[value, "name"], ...]. NULL: no memory. */
const char *mst_ns2_setup_choices(mst_ns2_setup *setup, const char *class_name, const char *property,
                                  mst_arena *arena);

/* Reports faults of the schema itself: NS2-SCHEMA. */
mst_status mst_ns2_setup_report(const mst_ns2_setup *setup, mst_checker *checker);

/* Checks one property of an entity against the schema: NS2-PROPERTY-UNKNOWN, NS2-CHOICE. */
mst_status mst_ns2_setup_check(mst_ns2_setup *setup, mst_checker *checker, const char *class_name,
                               const mst_ns2_property *property, const char *path);

#endif
