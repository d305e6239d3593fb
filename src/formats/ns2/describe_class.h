/* SPDX-License-Identifier: MIT */
/* Classes as editors show them (mst_describe, "classes" and "class NAME"). */
#ifndef MST_NS2_DESCRIBE_CLASS_H
#define MST_NS2_DESCRIBE_CLASS_H

#include "ns2_classes.h"

/* A line for each class that other levels or the schema next to the level have. */
mst_status mst_ns2_describe_classes(const mst_document *document, const mst_resolver *sidecars,
                                    mst_output *out);

/* A line of JSON for each property of a new entity: name, type, value, and `choices` by value and name. None
 * if the class is not known. */
mst_status mst_ns2_describe_class(const mst_document *document, const char *name,
                                  const mst_resolver *sidecars, mst_output *out);

#endif
