/* SPDX-License-Identifier: MIT */
/* Templates for new files. */
#ifndef MST_TABLES_TEMPLATES_H
#define MST_TABLES_TEMPLATES_H

#include "schema.h"

/* The JSON is an object: `level`, JSON of a document; optionally `name`, its file's, if its content depends
 * on it; and optionally `edit`, a list of lines of an edit script that complete it. */
typedef struct mst_template {
    const mst_format *format;
    const char *name, *summary;
    const char *json;
    size_t size;
} mst_template;

/* All of them, up to one without a format; the simplest of each format first. They are not a member of the
 * formats, so that programs that create no new files do not contain them. */
extern const mst_template mst_templates[];

#endif
