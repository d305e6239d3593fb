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

#include <mapstone/container.h>

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
    bool reshapes; /* SET: the element has other parts, such as a face other corners */
    bool moves;    /* SET: the value is where a part is, such as a vertex: what consists of it is reshaped */
    bool is_default; /* SET: the schema gives new elements of its type the new value */
    bool follows;    /* SET: the value is as before but that parts that it names have moved */
    /* Alike elements have changed, and it is not known which is which: this one could as well be the
     * one at `alternative` in the old document, or, if `alternative_is_new`, an element that is only in the
     * new one. MST_NOWHERE: not the element, but one of a list in it that the path leads through. */
    bool ambiguous, alternative_is_new;
    uint64_t alternative;
    /* SET, and `reshapes`: all corners have moved by the same, so that the shape is as before. */
    bool moves_whole;
    double moved_by[3];
    bool along; /* SET: a value that changes when its element is moved: a thing's angles, where a texture
                  begins */
} mst_difference;

/* ---- directories and archives ---------------------------------------------------------------------- */

/* What became of a file. */
typedef enum mst_file_change {
    MST_FILE_CHANGED = 0, /* what changed in it is reported next, which may be nothing: then it is the same */
    MST_FILE_SAME,        /* the same bytes */
    MST_FILE_ADDED,       /* only the new files have it */
    MST_FILE_REMOVED,     /* only the old files have it */
    MST_FILE_RENAMED,     /* the same bytes under another name */
    MST_FILE_UNLIKE,      /* only one of the two is a level, or they are of different formats */
    MST_FILE_FAILED       /* one of the two cannot be opened */
} mst_file_change;

typedef struct mst_file_difference {
    size_t size; /* sizeof(mst_file_difference) */
    mst_file_change change;
    const char *old_name, *new_name; /* NULL: not there. FAILED: the one that cannot be opened */
    const mst_diagnostic *why;       /* FAILED; else NULL */
    bool is_sector;                  /* CHANGED: of a level, so that `moved` may say more about it */
} mst_file_difference;

/* An element that was reported as removed from one sector of a level and as added to another. */
typedef struct mst_moved_between {
    size_t size; /* sizeof(mst_moved_between) */
    const char *list;
    const char *old_name, *new_name; /* of the files */
    uint64_t old_index, new_index;
} mst_moved_between;

/* Directories or archives that are compared in place of two documents: files of one name, in the order of the
 * names; then what went from one sector of a level to another, the same but for its place; then files that
 * only one side has. Files that are not levels, or JSON of one, are left out, as are those that are hidden,
 * and the second file of a pair, which is compared with the first. */
typedef struct mst_diff_files {
    size_t size; /* sizeof(mst_diff_files) */
    mst_container *old_files, *new_files;
    /* Receive, with the `user` of mst_diff, each file, which is followed by what changed in it, and moved
     * elements. Names are valid until a container is closed. Each may be NULL; anything but MST_OK ends
     * mst_diff with it. */
    mst_status (*file)(void *user, const mst_file_difference *file);
    mst_status (*moved)(void *user, const mst_moved_between *moved);
} mst_diff_files;

/* ---- comparing ------------------------------------------------------------------------------------- */

/* MST_OK continues; anything else ends mst_diff with it. */
typedef mst_status (*mst_difference_function)(void *user, const mst_difference *change);

typedef struct mst_diff_options {
    size_t size; /* sizeof(mst_diff_options) */
    mst_allocator allocator;
    size_t
        budget; /* bytes that may be allocated; 0: 6 x the size of both documents + 32 x the schema + 1 MiB */
    bool within_derived; /* also what changed within a value that follows from others, one by one */
    /* A text that describes entities (NS2: editor_setup.xml): new values are compared with what it has
     * (mst_difference.is_default). NULL: none. */
    const char *schema;
    size_t schema_size;
    /* The documents are NULL: what is compared instead. `found` may be NULL then, and the budget is that of
     * each file. */
    const mst_diff_files *files;
    mst_parallel parallel; /* of `files`: for comparing several at a time */
    /* The new document was made of the old one by edits that keep every element at its index: where a list is
     * as long as before, an element is the same as the one of its index, and nothing is ambiguous. */
    bool in_place;
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
