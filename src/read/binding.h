/* SPDX-License-Identifier: MIT */
/*
 * Typed bindings: C structs that are filled from records. A const list maps fields to members; mst_bind
 * resolves it once for a document's plan, and filling a struct then needs no names. Numbers at known offsets
 * are loaded directly; the other fields take one pass over the record.
 */
#ifndef MST_READ_BINDING_H
#define MST_READ_BINDING_H

#include "engine.h"
#include <stddef.h>

/* The type of a member: a number type (mst_element_type), or one of these. */
enum {
    MST_BOUND_BOOL = 16, /* whether the number is not 0 */
    MST_BOUND_VALUE      /* the value: a text, bytes, a record, a list */
};

typedef struct mst_binding {
    const char *name;        /* of the field, or of alternative fields */
    uint16_t to, components; /* offset and length of the member */
    uint8_t type;
} mst_binding;

struct mst_bindings {
    const char *record; /* its name */
    const mst_binding *items;
    uint16_t count;
    uint16_t struct_size;
};

#define MST_TYPE_OF_MEMBER(member)                                                                           \
    _Generic((member), float                                                                                 \
             : MST_F32, float *                                                                              \
             : MST_F32, uint8_t                                                                              \
             : MST_U8, uint8_t *                                                                             \
             : MST_U8, int8_t                                                                                \
             : MST_I8, int8_t *                                                                              \
             : MST_I8, uint16_t                                                                              \
             : MST_U16, uint16_t *                                                                           \
             : MST_U16, int16_t                                                                              \
             : MST_I16, int16_t *                                                                            \
             : MST_I16, uint32_t                                                                             \
             : MST_U32, uint32_t *                                                                           \
             : MST_U32, int32_t                                                                              \
             : MST_I32, int32_t *                                                                            \
             : MST_I32, uint64_t                                                                             \
             : MST_U64, bool                                                                                 \
             : MST_BOUND_BOOL, mst_value                                                                     \
             : MST_BOUND_VALUE)
#define MST_WIDTH_OF_MEMBER(member)                                                                          \
    _Generic((member), float * : 4, uint8_t * : 1, int8_t * : 1, uint16_t * : 2, int16_t * : 2,              \
             uint32_t * : 4, int32_t * : 4, default                                                          \
             : sizeof(member))
/* A member (a number, an array of numbers, a bool or an mst_value) and the field of that name. */
#define MST_BINDING(type_, member, name_)                                                                    \
    {                                                                                                        \
        .name = (name_), .to = offsetof(type_, member),                                                      \
        .components = sizeof(((type_ *)0)->member) / MST_WIDTH_OF_MEMBER(((type_ *)0)->member),              \
        .type = MST_TYPE_OF_MEMBER(((type_ *)0)->member)                                                     \
    }
/* The bindings of a struct; `list` is an array of them. */
#define MST_BINDINGS(type_, record_, list)                                                                   \
    { .record = (record_), .items = (list), .count = MST_COUNT_OF(list), .struct_size = sizeof(type_) }

/* A field that is present in the document's variant. Some cursors have several lists of these, at a dozen
 * bytes each. */
typedef struct mst_bound_field {
    uint32_t at;    /* offset in the record, if known */
    uint16_t index; /* of the field in the record */
    uint16_t to, components;
    uint8_t type;
    bool word : 1; /* a number of four bytes, of the member's type */
    bool big : 1;
} mst_bound_field;

#define MST_BOUND_FIELDS 20
typedef struct mst_bound {
    const mst_document *document;
    const mst_bindings *bindings;
    const mst_record *record;
    uint16_t direct, count; /* of `fields`: at known offsets, and in total; the rest needs a pass */
    uint16_t first;         /* the field where that pass begins, and its offset */
    uint32_t first_offset;
    uint32_t size; /* bytes up to the end of the last field at a known offset */
    mst_bound_field fields[MST_BOUND_FIELDS];
} mst_bound;

/* Resolves the bindings for the document's variant. */
void mst_bind(const mst_document *document, const mst_bindings *bindings, mst_bound *bound);

/* Fills the members of a struct from a record. Members whose field is absent keep their values; all members
 * do if the record no longer exists. */
void mst_fill(const mst_bound *bound, const mst_value *record, void *to);
/* The same for a record at `offset` of which only fields at known offsets are bound. */
void mst_fill_at(const mst_bound *bound, uint64_t offset, uint64_t end, void *to);
/* Fills at most `capacity` structs, zeroed before, from a list of fixed-size records or a slice of it;
 * returns the number filled. */
uint64_t mst_fill_list(const mst_bound *bound, const mst_value *list, void *structs, uint64_t capacity);

/* The offset in the record of the field that fills the member at `to`; it must be a known one. */
uint32_t mst_bound_at(const mst_bound *bound, size_t to);
/* That field as a column; mst_column_at applies it to a list. */
mst_column mst_bound_column(const mst_bound *bound, size_t to);
static inline mst_column mst_column_at(const mst_column *column, uint64_t offset, uint64_t count) {
    return (mst_column){column->data + offset, count, column->stride, column->big};
}

/* The offset of a field in a record in which all fields before it are present and have fixed sizes, whatever
 * the variant. */
uint32_t mst_field_offset(const mst_record *record, const char *name);
/* That field in all records that begin at `records`: for bytes that are not in a document. */
mst_column mst_column_among(const mst_column *records, const mst_record *record, const char *name);

/* A field of a record, to compare with the fields that a walk visits. */
const mst_field *mst_field_named(const mst_record *record, const char *name);

#endif
