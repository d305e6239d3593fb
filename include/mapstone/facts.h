/* SPDX-License-Identifier: MIT */
/*
 * What is known about values beyond their content: what a number means, the names that it may have, which
 * element it names, and which numbers name an element. For panels in which values are edited, for pickers,
 * and for the lines between what acts on what.
 */
#ifndef MAPSTONE_FACTS_H
#define MAPSTONE_FACTS_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_meaning {
    MST_MEANS_PARTS = 0, /* a record or a list: its parts have meanings. (A list of numbers has theirs.) */
    MST_MEANS_NUMBER,
    MST_MEANS_TEXT,
    MST_MEANS_NAMED,   /* values have names: mst_value_name */
    MST_MEANS_FLAGS,   /* bits have names: mst_value_name */
    MST_MEANS_ELEMENT, /* it names an element of a list: mst_references */
    MST_MEANS_DERIVED, /* it follows from other values, which change it: it cannot be set */
    MST_MEANS_UNKNOWN  /* bytes that nobody has described */
} mst_meaning;

typedef struct mst_value_facts {
    size_t size; /* sizeof(mst_value_facts) */
    mst_meaning meaning;
    bool has_limits;         /* of the numbers that it can store, by its type */
    double minimum, maximum; /* those of 64 bits rounded */
    uint64_t text_limit;     /* the most bytes of a text; 0: no limit but that of its length */
    /* MST_MEANS_ELEMENT: the list's path below a record around the value. The number that names none is
     * `none`, if `has_none`. */
    const char *list;
    bool has_none;
    int64_t none;
    bool stands; /* an element that has a position: operations move it */
    bool turns;  /* and one that can be turned about the vertical */
    /* MST_MEANS_ELEMENT: the field of the list's elements whose value the number is; NULL: their index. With
     * `bits`, each bit of the number names an element so. */
    const char *key;
    bool bits;
} mst_value_facts;
/* Set `size` before the call. MST_ARGUMENT: there is no value, or the size is another one. */
MST_API mst_status mst_value_facts_of(const mst_value *value, mst_value_facts *facts);

/* The names that a value, or an element of a list, may have, in the order of the tables: NULL past the end.
 * `number` receives the value, of flags the number of the bit; `words` (may be NULL) what it means in words,
 * NULL if its name says it. */
MST_API const char *mst_value_name(const mst_value *value, size_t index, int64_t *number, const char **words);

/* A number that names an element. */
typedef struct mst_reference {
    const char *path; /* of the number */
    const char *to;   /* of the element */
} mst_reference;
/* Not MST_OK ends it with that status, MST_STOPPED with success. */
typedef mst_status (*mst_reference_function)(void *user, const mst_reference *reference);
/*
 * Calls `found` for each number in the value at `path` that names an element; or, `inwards`, for each number
 * of the document that names the element at `path`. In the order of the file. MST_NO_PATH: there is no such
 * value. MST_ARGUMENT: inwards of what is not an element of a list.
 */
MST_API mst_status mst_references(const mst_document *document, const char *path, bool inwards,
                                  mst_reference_function found, void *user, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
