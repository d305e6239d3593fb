/* SPDX-License-Identifier: MIT */
/* Tables as patterns for ImHex: what hexpat.c (records) and hexpat_fields.c (their fields) share. Names, and
 * which context variables a record gets from outside, are those of Kaitai Struct's descriptions. */
#ifndef MST_LANGUAGES_HEXPAT_H
#define MST_LANGUAGES_HEXPAT_H

#include "ksy.h"

/* An identifier of that language for a field of a record. */
void mst_hexpat_id(const mst_record *record, uint16_t index, char id[MST_KSY_ID]);
/* The same for any name. */
void mst_hexpat_name(const char *name, char id[MST_KSY_ID]);
/* The enumeration that a field's type is; false: it is none. */
bool mst_hexpat_enum(const mst_ksy *k, const mst_field *field, char id[MST_KSY_ID]);
/* "u32", with the byte order where it is not the file's. */
void mst_hexpat_number(mst_output *out, uint8_t kind, uint32_t flags);

/* "<auto limit, auto context_3>", and what is given for that at a place. */
void mst_hexpat_parameters(mst_ksy *k, uint32_t needs);
void mst_hexpat_arguments(mst_ksy *k, mst_ksy_scope at, const char *limit, uint32_t needs);
/* The number that a context variable is at a place. */
void mst_hexpat_variable(mst_ksy *k, mst_ksy_scope at, unsigned variable);
/* Writes what the tables say of a hook: `value` for $, the bytes up to `limit` for @. */
void mst_hexpat_expression(mst_output *out, const char *text, const char *value, const char *limit);
/* Writes the conditions on context variables under which a field is there; false: there are none. */
bool mst_hexpat_conditions(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *limit);
/* Writes a field, and the numbers before it that it needs. */
void mst_hexpat_field(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id, const char *limit,
                      const char *margin);

#endif
