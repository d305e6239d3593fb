/* SPDX-License-Identifier: MIT */
#ifndef MST_LANGUAGES_RECORD_NAMES_H
#define MST_LANGUAGES_RECORD_NAMES_H

#include <mapstone/document.h>

/* The names of records that the reference leaves out (mst_write_specification), in ascending order of their
 * numbers; NULL after the last one, and for formats that have none. */
const char *mst_record_reference_name(const mst_format_information *information, size_t index);

#endif
