/* SPDX-License-Identifier: MIT */
/* The columns that a format adds to the fields of elements (mst_added_column). */
#ifndef CLI_OUTPUT_ADDED_H
#define CLI_OUTPUT_ADDED_H

#include <mapstone/document.h>
#include <stdbool.h>

#define ADDED_COLUMN 64
#define ADDED_TEXT   512

/* The name of a column that the format adds; false past the last one. */
bool added_column_at(const mst_format_information *format, size_t index, char name[ADDED_COLUMN]);
bool is_added_column(const mst_format_information *format, const char *title);
/* The text in that column of an element; false: none. `sidecars` may be NULL. */
bool added_text(const mst_value *element, const char *title, const mst_resolver *sidecars,
                char text[ADDED_TEXT]);

#endif
