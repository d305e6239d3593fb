/* SPDX-License-Identifier: MIT */
/* Tables as descriptions for Kaitai Struct: shared by ksy.c (records) and ksy_fields.c (their fields). */
#ifndef MST_LANGUAGES_KSY_H
#define MST_LANGUAGES_KSY_H

#include "reference.h"

#define MST_KSY_RECORDS 512 /* no format has more */
#define MST_KSY_ID      96

typedef struct mst_ksy {
    mst_output out;
    mst_output nothing; /* for counting output without writing it */
    const mst_format *format;
    uint32_t needs[MST_KSY_RECORDS]; /* bits of context variables that a record gets from outside */
} mst_ksy;

/* The position of an attribute: before field `index` of a record. `record` NULL: in a separate type (the
 * blocks of an archive, a chunk), which gets all context variables that it needs from outside. */
typedef struct mst_ksy_scope {
    const mst_record *record;
    uint16_t index;
} mst_ksy_scope;

/* Begins a description: determines the variables that its records need from outside. MST_UNSUPPORTED: too
 * many. */
mst_status mst_ksy_start(mst_ksy *k, const mst_format *format, mst_sink sink);
/* The number in the file that gives its version; NULL if the file may lack it. */
const mst_field *mst_ksy_version(mst_ksy *k, uint32_t *offset);

/* An identifier of Kaitai Struct for a name of the tables. */
void mst_ksy_name(const char *name, char id[MST_KSY_ID]);
/* The identifier of a record's field: several fields of a record may have one name. */
void mst_ksy_id(const mst_record *record, uint16_t index, char id[MST_KSY_ID]);
/* The type of a record. */
void mst_ksy_type(const mst_ksy *k, const mst_record *record, char id[MST_KSY_ID]);
/* The enumeration for a list of names; false if it has none. */
bool mst_ksy_enum(const mst_ksy *k, const mst_enum *names, char id[MST_KSY_ID]);

/* The suffix that makes a field that may have names a number; "": it is one already. */
const char *mst_ksy_integer(const mst_field *field);

/* Whether files have the field at all. */
bool mst_ksy_has(const mst_ksy *k, const mst_field *field);
/* The context variables that a field's values need from preceding data. */
uint32_t mst_ksy_needs(const mst_ksy *k, const mst_field *field);
/* ", context_3": these as parameters, or with their values at a place. */
void mst_ksy_arguments(const mst_ksy *k, mst_output *out, mst_ksy_scope at, uint32_t needs);
void mst_ksy_parameters(mst_ksy *k, const char *margin, uint32_t needs);

/* Whether a field of a record may be absent. */
bool mst_ksy_is_conditional(mst_ksy *k, const mst_record *record, uint16_t index);
/* Writes the conditions for a field's presence, joined by "and". */
void mst_ksy_conditions(mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_field *field,
                        const char *limit);
/* The same if the field's hook cannot be expressed in that language; false if it can. */
bool mst_ksy_unknown(mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_field *field,
                     const char *limit);
/* The number that a context variable has at a place. */
void mst_ksy_variable(const mst_ksy *k, mst_output *out, mst_ksy_scope at, unsigned variable);
/* The size of a list's elements, which is fixed if the list's content ends it. */
uint32_t mst_ksy_width(const mst_ksy *k, const mst_field *field);
/* The expression that the tables give for a hook; NULL: none. */
const mst_expression *mst_ksy_said(const mst_ksy *k, const mst_field *field, bool present);
/* Writes such an expression: `value` for $, the bytes up to `limit` for @. */
void mst_ksy_expression(mst_output *out, const char *text, const char *value, const char *limit);

/* Writes an attribute, and those that it needs before it (a count). `condition` NULL: it is always
 * present. */
void mst_ksy_attribute(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                       const char *condition, const char *limit);
/* Writes the instances that such an attribute needs. */
void mst_ksy_instances(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                       const char *limit);
/* Writes the types that it needs. */
void mst_ksy_types(mst_ksy *k, const mst_record *record, const mst_field *field, const char *id);

/* "      - id: NAME", with the name in the tables if that differs. */
void mst_ksy_begin(mst_ksy *k, const char *id, const char *name);
void mst_ksy_quoted(mst_output *out, const char *text);

#endif
