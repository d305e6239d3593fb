/* SPDX-License-Identifier: MIT */
/* Where fields are, for the reference. */
#ifndef MST_SCHEMA_REFERENCE_H
#define MST_SCHEMA_REFERENCE_H

#include "../core/output.h"
#include "engine.h"

/* Writes the offset of a field in its record: "4", or "0 (version 0), 8 (1-13)"; nothing where it varies. */
void mst_reference_offset(mst_output *out, const mst_format *format, const mst_record *record,
                          uint16_t field);

#endif
