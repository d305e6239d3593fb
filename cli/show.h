/* SPDX-License-Identifier: MIT */
/* Values as text: short ones for outlines and tables, whole ones for `get`. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "output.h"

/* A number, yes or no, or text (not a list or record). */
bool is_scalar(const mst_value *value);
/* A list of at most `max` scalars. */
bool is_short_list(const mst_value *value, uint64_t max);

/* An integer whose bits have names. */
bool is_flags(const mst_value *value);

/* Appends the value as JSON on one line. */
void put_value_json(stream *to, const mst_value *value);
/* Appends a scalar, flags or a short list for a reader: text without quotes, elements separated by blanks. */
void put_value_plain(stream *to, const mst_value *value);
/* Appends the value in at most some 80 characters. */
void put_value_short(stream *to, const mst_value *value);
/* The text that names an element among its like: its class_name or name. false if it has none. */
bool put_label(stream *to, const mst_value *element);

#endif
