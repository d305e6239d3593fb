/* SPDX-License-Identifier: MIT */
/* Files to begin with. */
#ifndef MST_TABLES_TEMPLATES_H
#define MST_TABLES_TEMPLATES_H

#include "schema.h"

/* The JSON is an object: `level`, JSON of a document; maybe `name`, that of its file, where its content
 * depends on it; and maybe `edit`, a list of lines of an edit script that make the rest. */
typedef struct mst_template {
    const mst_format *format;
    const char *name, *summary;
    const char *json;
    size_t size;
} mst_template;

/* All of them, up to one without a format; of each format the simplest first. They are no member of the
 * formats, so that programs that make no new files do not carry them. */
extern const mst_template mst_templates[];

#endif
