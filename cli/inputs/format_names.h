/* SPDX-License-Identifier: MIT */
/* The formats, by name and as a list. */
#ifndef CLI_INPUTS_FORMAT_NAMES_H
#define CLI_INPUTS_FORMAT_NAMES_H

#include "../output/streams.h"
#include "options.h"

/* A format by its id, or by an extension with its dot; NULL if there is none. */
const mst_format_information *format_by_id(const char *id);
const mst_format_information *format_by_extension(const char *extension);
bool has_extension(const mst_format_information *format, const char *extension);
/* The ids, each after a space; free it. */
stream format_ids(void);
void consider_formats(nearest *so_far);
/* False, with a message that lists the formats, if `from` (may be NULL) is neither a format nor "json". */
bool format_is_known(const options *given, const char *from);

/* All formats, grouped by game; as lines (with extensions and versions) or JSON. */
void put_formats(stream *to, bool extensions);
void put_formats_json(stream *to);

#endif
