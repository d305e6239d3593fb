/* SPDX-License-Identifier: MIT */
/*
 * Differences between two documents of one format, matching elements by identity rather than by position: an
 * object is the same even if others were inserted before it, a face even if its vertices have other numbers.
 * The tables of the formats define what identifies an element.
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
    MST_DIFFERENCE_SET = 0, /* the value at `path` differs, or only one of the documents has it */
    MST_DIFFERENCE_ADD,     /* the element is only in the new document */
    MST_DIFFERENCE_REMOVE,  /* only in the old one */
    MST_DIFFERENCE_MOVE     /* among its list's elements that are in both, its position differs */
} mst_difference_kind;

/* The kind of content that a change concerns. */
typedef enum mst_difference_sort {
    MST_DIFFERENCE_CONTENT = 0,
    MST_DIFFERENCE_VIEW,    /* editor state only: no change of the level */
    MST_DIFFERENCE_PART,    /* parts of other changed elements: vertices and edges of faces */
    MST_DIFFERENCE_DERIVED, /* follows from the rest, such as the triangles of faces */
    MST_DIFFERENCE_STORAGE  /* how the same content is stored: the order of a set, packing, padding */
} mst_difference_sort;

#define MST_NOWHERE UINT64_MAX

/* What identifies an element: a path below it, and its value there (in the old document if it has the
 * element). */
typedef struct mst_known_by {
    const char *path;
    mst_value value;
} mst_known_by;
#define MST_KNOWN_BY 8

/* Missing values are of MST_TYPE_NONE. All texts and values are valid during the call only. */
typedef struct mst_difference {
    size_t size; /* sizeof(mst_difference) */
    mst_difference_kind kind;
    mst_difference_sort sort;
    /* The changed element: the path of its list ("objects"; "" if the change is not in a list, in which case
     * all of this is empty), its index in the two documents (MST_NOWHERE: missing) and its values. */
    const char *list;
    uint64_t old_index, new_index;
    mst_value old_element, new_element;
    mst_known_by known_by[MST_KNOWN_BY]; /* as far as the tables define it: class_name, properties.name */
    size_t known_by_count;
    const char *type;  /* the element's type: "prop_static"; "": not known */
    const char *label; /* its type and name: "prop_static rock.model" */
    const char *place; /* its position, in the new document if present: "4.65 1.22 1.70"; "" */
    /* SET: which value of the element, or of the document. Properties are given by name
     * ("properties.origin"); indices refer to the old document if it has the value. MST_DIFFERENCE_STORAGE
     * may concern no value: "". */
    const char *path;
    mst_value old_value, new_value;
    /* SET, if an element of a nested list, such as a property, was added or removed: its path by index, and
     * that element. "": any other value. */
    const char *item_path;
    mst_value item;
    /* MOVE: its index in the new document. For all changes of a whole element: the lengths of the lists in
     * which it was added, removed or moved. */
    uint64_t to;
    uint64_t old_count, new_count;
    /* SET of a number that names an element: the element named before and now. */
    mst_value old_target, new_target;
    bool reshapes;   /* SET: the element's parts differ, such as the corners of a face */
    bool moves;      /* SET: the position of a part, such as a vertex: elements made of it are reshaped */
    bool is_default; /* SET: the new value is the schema's default for new elements of its type */
    bool follows;    /* SET: the value is the same except that parts that it names have moved */
    /* Similar elements have changed, and it is not known which is which: this one could equally be the one at
     * `alternative` in the old document, or, if `alternative_is_new`, an element that is only in the new one.
     * MST_NOWHERE: the ambiguity is not in this element, but in an element of a nested list on the path. */
    bool ambiguous, alternative_is_new;
    uint64_t alternative;
    /* SET, and `reshapes`: all corners have moved by the same offset, so that the shape is unchanged. */
    bool moves_whole;
    double moved_by[3];
    bool along; /* SET: a value that changes when its element is moved: angles, the origin of a texture */
} mst_difference;

/* ---- directories and archives ---------------------------------------------------------------------- */

/* The outcome for a file. */
typedef enum mst_file_change {
    MST_FILE_CHANGED = 0, /* its changes are reported next; if there are none, it is the same */
    MST_FILE_SAME,        /* the same bytes */
    MST_FILE_ADDED,       /* only the new files have it */
    MST_FILE_REMOVED,     /* only the old files have it */
    MST_FILE_RENAMED,     /* the same bytes under another name */
    MST_FILE_UNLIKE,      /* only one of the two is a level, or their formats differ */
    MST_FILE_FAILED       /* one of the two cannot be opened */
} mst_file_change;

typedef struct mst_file_difference {
    size_t size; /* sizeof(mst_file_difference) */
    mst_file_change change;
    const char *old_name, *new_name; /* NULL: missing. FAILED: the one that cannot be opened */
    const mst_diagnostic *why;       /* FAILED; else NULL */
    bool is_sector;                  /* CHANGED: of a level, so that `moved` may report more about it */
} mst_file_difference;

/* An element that was reported as removed from one sector of a level and as added to another. */
typedef struct mst_moved_between {
    size_t size; /* sizeof(mst_moved_between) */
    const char *list;
    const char *old_name, *new_name; /* of the files */
    uint64_t old_index, new_index;
} mst_moved_between;

/* Directories or archives that are compared instead of two documents: files of the same name, in the order of
 * the names; then elements that moved from one sector of a level to another, otherwise unchanged; then files
 * that only one side has. Files that are neither levels nor their JSON are left out, as are hidden files, and
 * the second file of a pair, which is compared with the first. */
typedef struct mst_diff_files {
    size_t size; /* sizeof(mst_diff_files) */
    mst_container *old_files, *new_files;
    /* Receive, with the `user` of mst_diff, each file, followed by its changes, and moved elements. Names are
     * valid until a container is closed. Each may be NULL; any status but MST_OK ends mst_diff, which returns
     * it. */
    mst_status (*file)(void *user, const mst_file_difference *file);
    mst_status (*moved)(void *user, const mst_moved_between *moved);
} mst_diff_files;

/* ---- comparing ------------------------------------------------------------------------------------- */

/* MST_OK continues; any other status ends mst_diff, which returns it. */
typedef mst_status (*mst_difference_function)(void *user, const mst_difference *change);

typedef struct mst_diff_options {
    size_t size; /* sizeof(mst_diff_options) */
    mst_allocator allocator;
    /* Bytes that may be allocated; 0: 6 x the size of both documents + 32 x the schema + 1 MiB. */
    size_t budget;
    bool within_derived; /* also report changes within derived values, one by one */
    /* A text that describes entities (NS2: editor_setup.xml): new values are compared with its defaults
     * (mst_difference.is_default). NULL: none. */
    const char *schema;
    size_t schema_size;
    /* If the documents are NULL: compared instead of them. `found` may then be NULL, and the budget applies
     * to each file. */
    const mst_diff_files *files;
    mst_parallel parallel; /* with `files`: for comparing several at a time */
    /* The new document was made from the old one by edits that keep every element at its index: where a
     * list's length is unchanged, elements with the same index are the same, and nothing is ambiguous. */
    bool in_place;
} mst_diff_options;

/*
 * Reports the changes. Elements are reported in the order of the new document, removed ones after the others
 * of their list. Every difference is reported: documents without a change have identical files. Takes time
 * proportional to their size. `options` may be NULL. MST_ARGUMENT: the documents are of different formats, or
 * the schema cannot be read.
 */
MST_API mst_status mst_diff(const mst_document *old_document, const mst_document *new_document,
                            const mst_diff_options *options, mst_difference_function found, void *user,
                            mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
