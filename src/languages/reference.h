/* SPDX-License-Identifier: MIT */
/* The writers of each language, and the parts of the reference. */
#ifndef MST_LANGUAGES_REFERENCE_H
#define MST_LANGUAGES_REFERENCE_H

#include "../core/output.h"
#include "../read/engine.h"
#include "record_names.h"

/* ---- output of mst_write_specification -------------------------------------------------------------- */

mst_status mst_write_reference(const mst_format_information *information, mst_sink sink);
mst_status mst_write_reference_html(const mst_format_information *information, mst_sink sink);
mst_status mst_write_json_schema(const mst_format_information *information, mst_sink sink);
mst_status mst_write_magic(const mst_format_information *information, mst_sink sink);
mst_status mst_write_ksy(const mst_format_information *information, mst_sink sink);
mst_status mst_write_hexpat(const mst_format_information *information, mst_sink sink);
mst_status mst_write_record_reference(const mst_format_information *information, const char *what,
                                      mst_sink sink);

/* ---- parts of the reference ------------------------------------------------------------------------- */

/* The bits of `layouts` select which of a format's layouts count: a record need not occur in all of them. */
#define MST_ALL_LAYOUTS 0xFFu

/* Writes the offset of a field in its record, which begins at `base`: "4", or "0 (version 0), 8 (1-13)";
 * nothing if it varies. */
void mst_reference_offset(mst_output *out, const mst_format *format, const mst_record *record, uint16_t field,
                          uint32_t base, unsigned layouts);
/* Whether the offset is the same in all files of the format's first variant. */
bool mst_reference_fixed(const mst_format *format, const mst_record *record, uint16_t field,
                         uint32_t *offset);

/* The section about the lists that can be edited; `reached`: the layouts of each record. */
void mst_reference_lists(mst_output *out, const mst_format *format, const uint8_t *reached);

/* Whether the format has the field: formats can share a record. */
bool mst_reference_has_field(const mst_format *format, const mst_field *field, unsigned layouts);
/* Whether the condition is on the version or the layout, and holds for all that the format has. */
bool mst_reference_holds_always(const mst_format *format, const mst_when *when, unsigned layouts);

#endif
