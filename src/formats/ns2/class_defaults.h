/* SPDX-License-Identifier: MIT */
/* The classes that occur in many levels, with their properties (class_defaults.c). */
#ifndef MST_NS2_CLASS_DEFAULTS_H
#define MST_NS2_CLASS_DEFAULTS_H

#include "ns2.h"

/* A property in a row; texts are in the row, and end at their lengths. */
typedef struct mst_ns2_class_property {
    const char *name, *type, *value; /* value: JSON without brackets, "?": must be given; NULL: none */
    size_t length, type_length, value_length;
} mst_ns2_class_property;

/* The rows: a class, a space, its properties. NULL past the end. */
const char *mst_ns2_class_at(size_t index);
/* Reads the property at a position of a row; returns the position after it. */
const char *mst_ns2_class_property_read(const char *at, mst_ns2_class_property *read);

#endif
