/* SPDX-License-Identifier: MIT */
/*
 * What changed between two documents of one format, by what things are and not by where they stand: an object
 * is the same one although others came before it, a face although its vertices have other numbers. The tables
 * of the formats say what identifies an element.
 *
 *     static mst_status show(void *user, const mst_difference *change) {
 *         printf("%s[%llu] %s %s\n", change->list, (unsigned long long)change->old_index, change->label,
 *                change->path);
 *         return MST_OK;
 *     }
 *     mst_diff(old_level, new_level, NULL, show, NULL, &why);
 */
#ifndef MAPSTONE_DIFF_H
#define MAPSTONE_DIFF_H

#include <mapstone/document.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_difference_kind {
    MST_DIFFERENCE_SET = 0, /* the value at `path` is another one, or only one of the documents has it */
    MST_DIFFERENCE_ADD,     /* the element is only in the new document */
    MST_DIFFERENCE_REMOVE,  /* only in the old one */
    MST_DIFFERENCE_MOVE     /* among the elements of its list that are in both, it has another place */
} mst_difference_kind;

/* What a change is about. */
typedef enum mst_difference_sort {
    MST_DIFFERENCE_CONTENT = 0,
    MST_DIFFERENCE_VIEW,    /* what an editor shows: no change of the level */
    MST_DIFFERENCE_PART,    /* of other elements that have changed: vertices and edges of faces */
    MST_DIFFERENCE_DERIVED, /* follows from the rest, such as the triangles of faces */
    MST_DIFFERENCE_STORAGE  /* how the same is stored: the order of a set, packing, padding */
} mst_difference_sort;

#define MST_NOWHERE UINT64_MAX

/* What an element is known by: a path below it, and its value there (in the old document if it has the
 * element). */
typedef struct mst_known_by {
    const char *path;
    mst_value value;
} mst_known_by;
#define MST_KNOWN_BY 8

/* Values that are not there are of MST_TYPE_NONE. All texts and values are valid during the call only. */
typedef struct mst_difference {
    size_t size; /* sizeof(mst_difference) */
    mst_difference_kind kind;
    mst_difference_sort sort;
    /* The element that has changed: the path of its list ("objects"; "" if the change is in no list, then all
     * of this is empty), its index in the two documents (MST_NOWHERE: not there) and its values. */
    const char *list;
    uint64_t old_index, new_index;
    mst_value old_element, new_element;
    mst_known_by known_by[MST_KNOWN_BY]; /* as far as the tables say something: class_name, properties.name */
    size_t known_by_count;
    const char *type;  /* what sort of thing it is: "prop_static"; "": not known */
    const char *label; /* that, and what it is called: "prop_static rock.model" */
    const char *place; /* its position, in the new document if it is there: "4.65 1.22 1.70"; "" */
    /* SET: which value of the element, or of the document. Properties go by their names
     * ("properties.origin"); indices are those of the old document if it has the value.
     * MST_DIFFERENCE_STORAGE may be about no value: "". */
    const char *path;
    mst_value old_value, new_value;
    /* SET of an element of a list in the element, such as a property, that came or went: its path by its
     * index, and the element. "": it is another value. */
    const char *item_path;
    mst_value item;
    /* MOVE: its index in the new document, and of all changes that are about a whole element, how many the
     * lists have in which it comes, goes or moves. */
    uint64_t to;
    uint64_t old_count, new_count;
    /* SET of a number that names an element: what it named and names. */
    mst_value old_target, new_target;
    int reshapes;   /* SET: the element has other parts, such as a face other corners */
    int moves;      /* SET: the value is where a part is, such as a vertex: what consists of it is reshaped */
    int is_default; /* SET: the schema gives new elements of its type the new value */
    int follows;    /* SET: the value is as before but that parts that it names have moved */
} mst_difference;

/* MST_OK continues; anything else ends mst_diff with it. */
typedef mst_status (*mst_difference_function)(void *user, const mst_difference *change);

typedef struct mst_diff_options {
    size_t size; /* sizeof(mst_diff_options) */
    mst_allocator allocator;
    size_t
        budget; /* bytes that may be allocated; 0: 6 x the size of both documents + 32 x the schema + 1 MiB */
    int within_derived; /* also what changed within a value that follows from others, one by one */
    /* A text that describes entities (NS2: editor_setup.xml): new values are compared with what it has
     * (mst_difference.is_default). NULL: none. */
    const char *schema;
    size_t schema_size;
} mst_diff_options;

/*
 * Reports what changed. Elements come in the order of the new document, removed ones after the others of
 * their list. Every difference is reported: documents without a change have the same files. Takes time in
 * proportion to their size. `options` may be NULL. MST_ARGUMENT: the documents are of different formats, or
 * the schema cannot be read.
 */
MST_API mst_status mst_diff(const mst_document *old_document, const mst_document *new_document,
                            const mst_diff_options *options, mst_difference_function found, void *user,
                            mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
