/* SPDX-License-Identifier: MIT */
/* Values as text: short ones for outlines and tables, complete ones for `get`. */
#ifndef CLI_OUTPUT_SHOW_H
#define CLI_OUTPUT_SHOW_H

#include "streams.h"

/* A number, boolean or text (not a list or record). */
bool is_scalar(const mst_value *value);
/* A list of at most `max` scalars. */
bool is_short_list(const mst_value *value, uint64_t max);

/* An integer whose bits have names. */
bool is_flags(const mst_value *value);

/* Appends the value as JSON on one line. */
void put_value_json(stream *to, const mst_value *value);
/* Appends a scalar, flags or a short list as plain text: no quotes, elements separated by spaces. */
void put_value_plain(stream *to, const mst_value *value);
/* Appends the value in about 80 characters at most. */
void put_value_short(stream *to, const mst_value *value);
/* "field", "derived", "padding", "gap" or "raw". */
const char *byte_class_name(mst_byte_class byte_class);
/* Finds the value at a path, in which each '@' continues in the unpacked content of the value before it:
 * `inside` is then the document with that content, to be closed after use; else NULL. */
mst_status find_inside(const mst_document *document, const char *path, mst_document **inside,
                       mst_value *value, mst_diagnostic *why);
/* The text that distinguishes an element in its list: its class_name or name. False if it has neither. */
bool put_label(stream *to, const mst_value *element);

#endif
