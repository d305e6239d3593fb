/* SPDX-License-Identifier: MIT */
/*
 * Names by which elements of a list refer to each other where no table states it, such as the output of a
 * button that names a door. A copy gets a name of its own, and copies refer to each other as their originals
 * do; when a name is set, references to it are set as well.
 */
#ifndef MST_EDIT_RENAMES_H
#define MST_EDIT_RENAMES_H

#include "../core/map.h"
#include "../read/engine.h"
#include <mapstone/edit.h>

/* A value that is a name, or refers to one. Names are equal regardless of case; numbers are distinct from
 * texts. */
typedef struct mst_name_use {
    uint64_t element;
    mst_value value;    /* a text, or an integer */
    const char *below;  /* its path below the element; valid during the call, as is the text */
    const char *text;   /* of the integer: its digits */
    bool names, refers; /* it is a name; it refers to one */
} mst_name_use;
typedef mst_status (*mst_name_use_function)(void *user, const mst_name_use *one);

/* A name that an edit has set. */
typedef struct mst_named {
    const char *list, *path; /* of its list, and of the value */
    const char *old, *now;
    bool number;
} mst_named;

typedef struct mst_renames {
    mst_arena arena;
    mst_array items;       /* mst_named */
    mst_hash_map by_place; /* index + 1, by element and path below it */
} mst_renames;

void mst_renames_begin(mst_renames *names, const mst_document *document);
void mst_renames_end(mst_renames *names);
/* A value is about to be set to that JSON: records it if it is a name. MST_NO_MEMORY. */
mst_status mst_renames_note(mst_renames *names, const mst_document *document, const char *path,
                            const mst_value *value, const char *json);
/*
 * After all operations: the sets that update the references, as mst_operation, if only the element with the
 * new name had the old one. Reports their number. Their texts are in the arena of `names`. MST_NO_MEMORY.
 */
mst_status mst_renames_follow(mst_renames *names, const mst_document *document,
                              const mst_edit_options *options, mst_array *sets);

/* Whether elements of the list at a path refer to each other by names. */
bool mst_renames_are_in(const mst_document *document, const char *list);
/* Whether an element has a name by which others may refer to it. MST_NO_MEMORY. */
mst_status mst_renames_has(const mst_value *list, uint64_t element, bool *named);
/*
 * The sets that rename copies in a list (their indices ascending), as mst_operation with texts in the arena:
 * each name that others refer to and that not only copies have becomes a new one, also where copies refer to
 * it. Reports each. With `keep_names` it only reports. MST_NO_MEMORY.
 */
mst_status mst_renames_of_copies(const mst_document *document, const char *list, const uint64_t *copies,
                                 size_t count, const mst_edit_options *options, mst_arena *arena,
                                 mst_array *sets);

#endif
