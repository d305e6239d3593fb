/* SPDX-License-Identifier: MIT */
/* Tables as patterns for ImHex: shared by hexpat.c (records) and hexpat_fields.c (their fields). Names, and
 * the context variables that a record gets from outside, are the same as in descriptions for Kaitai
 * Struct. */
#ifndef MST_LANGUAGES_HEXPAT_H
#define MST_LANGUAGES_HEXPAT_H

#include "ksy.h"

/* An identifier of the pattern language for a field of a record. */
void mst_hexpat_id(const mst_record *record, uint16_t index, char id[MST_KSY_ID]);
/* The same for any name. */
void mst_hexpat_name(const char *name, char id[MST_KSY_ID]);
/* The enumeration that is a field's type; false if it has none. */
bool mst_hexpat_enum(const mst_ksy *k, const mst_field *field, char id[MST_KSY_ID]);
/* "u32", with the byte order if it differs from the file's. */
void mst_hexpat_number(mst_output *out, uint8_t kind, uint32_t flags);

/* "<auto limit, auto context_3>", and the arguments for these at a place. */
void mst_hexpat_parameters(mst_ksy *k, uint32_t needs);
void mst_hexpat_arguments(mst_ksy *k, mst_ksy_scope at, const char *limit, uint32_t needs);
/* The number that a context variable has at a place. */
void mst_hexpat_variable(mst_ksy *k, mst_ksy_scope at, unsigned variable);
/* Writes the expression that the tables give for a hook: `value` for $, the bytes up to `limit` for @. */
void mst_hexpat_expression(mst_output *out, const char *text, const char *value, const char *limit);
/* Writes the conditions on context variables for a field's presence; false if there are none. */
bool mst_hexpat_conditions(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *limit);
/* Writes a field, and the numbers that it needs before it. */
void mst_hexpat_field(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id, const char *limit,
                      const char *margin);

#endif
