/* SPDX-License-Identifier: MIT */
/* The classes that are met in many levels, with their properties (class_defaults.c). */
#ifndef MST_NS2_CLASS_DEFAULTS_H
#define MST_NS2_CLASS_DEFAULTS_H

#include "ns2.h"

/* A property in a row; texts are in the row, and end at their lengths. */
typedef struct mst_ns2_class_property {
    const char *name, *type, *value; /* value: JSON without brackets, "?": has to be given; NULL: none */
    size_t length, type_length, value_length;
} mst_ns2_class_property;

/* The rows: a class, a space, its properties. NULL past the end. */
const char *mst_ns2_class_at(size_t index);
/* Reads the property at a place of a row; returns the place after it. */
const char *mst_ns2_class_property_read(const char *at, mst_ns2_class_property *read);

#endif
