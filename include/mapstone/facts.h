/* SPDX-License-Identifier: MIT */
/*
 * Facts about values beyond their content: what a number means, the names that it may have, which element it
 * names, and which numbers name an element. For property panels, for pickers, and for drawing lines between
 * an element and its targets.
 */
#ifndef MAPSTONE_FACTS_H
#define MAPSTONE_FACTS_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_meaning {
    MST_MEANS_PARTS = 0, /* a record or a list: its parts have meanings (a list of numbers has theirs) */
    MST_MEANS_NUMBER,
    MST_MEANS_TEXT,
    MST_MEANS_NAMED,   /* values have names: mst_value_name */
    MST_MEANS_FLAGS,   /* bits have names: mst_value_name */
    MST_MEANS_ELEMENT, /* it names an element of a list: mst_references */
    MST_MEANS_DERIVED, /* it is computed from other values: it cannot be set */
    MST_MEANS_UNKNOWN  /* bytes without a description */
} mst_meaning;

typedef struct mst_value_facts {
    size_t size; /* sizeof(mst_value_facts) */
    mst_meaning meaning;
    bool has_limits;         /* minimum and maximum are those of its type */
    double minimum, maximum; /* 64-bit limits are rounded */
    uint64_t text_limit;     /* the most bytes of a text; 0: limited only by its length field */
    /* MST_MEANS_ELEMENT, and MST_MEANS_FLAGS whose unnamed bits name an element, else NULL: the list's path
     * below a record that encloses the value. The number that names no element is `none`, if `has_none`. */
    const char *list;
    bool has_none;
    int64_t none;
    bool stands; /* an element that has a position: operations can move it */
    bool turns;  /* and can be turned about the vertical */
    /* Where there is a `list`: the field of the list's elements that the number is a value of; NULL: their
     * index. With `bits`, each bit of the number names an element this way. */
    const char *key;
    bool bits;
} mst_value_facts;
/* Set `size` before the call. MST_ARGUMENT: there is no value, or the size is wrong. */
MST_API mst_status mst_value_facts_of(const mst_value *value, mst_value_facts *facts);

/* The names that a value, or an element of a list, may have, in the order of the tables: NULL past the end.
 * `number` receives the value, for flags the number of the bit; `words` (may be NULL) its meaning in words,
 * NULL if the name is enough. */
MST_API const char *mst_value_name(const mst_value *value, size_t index, int64_t *number, const char **words);

/* A number that names an element. */
typedef struct mst_reference {
    const char *path; /* of the number */
    const char *to;   /* of the element */
} mst_reference;
/* Any status but MST_OK stops the search and is returned, MST_STOPPED as success. */
typedef mst_status (*mst_reference_function)(void *user, const mst_reference *reference);
/*
 * Calls `found` for each number in the value at `path` that names an element; or, `inwards`, for each number
 * of the document that names the element at `path`. In the order of the file. MST_NO_PATH: there is no such
 * value. MST_ARGUMENT: with `inwards`, it is not an element of a list.
 */
MST_API mst_status mst_references(const mst_document *document, const char *path, bool inwards,
                                  mst_reference_function found, void *user, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
