/* SPDX-License-Identifier: MIT */
/*
 * Labels: the names of other elements that an element is related to. A face has its material by its own
 * number, its layers by the parallel row, its groups by lists of members, its locations by its position. The
 * facts of the tables (mst_refers) define them: a word such as `layer` selects the fact whose target has this
 * name, or this name plus "s".
 */
#ifndef MST_READ_LABELS_H
#define MST_READ_LABELS_H

#include "engine.h"
#include "excerpt.h"

typedef enum mst_label_kind {
    MST_LABEL_OWN,     /* a number in the element */
    MST_LABEL_BESIDE,  /* a number in the element of a parallel list */
    MST_LABEL_MEMBERS, /* lists of elements, one for each target */
    MST_LABEL_ROOM     /* the position of the element */
} mst_label_kind;

typedef struct mst_label_source {
    mst_label_kind kind;
    mst_excerpt word;
    const mst_refers *fact;   /* not for rooms */
    mst_value targets;        /* document NULL: the file lacks the list */
    const char *targets_path; /* then "" */
    mst_value rows;           /* BESIDE: the parallel list; MEMBERS: the list of records with members */
    const char *rows_path;
    const char *members, *number; /* MEMBERS: the names of both fields of these records */
} mst_label_source;

/* The labels of one sort that the elements of a list can have; texts are in the arena. MST_NO_PATH: none. */
mst_status mst_label_source_of(const mst_document *document, const char *list_path, mst_excerpt word,
                               mst_arena *arena, mst_label_source *source);
/* The fact by which a field's numbers are labels of that sort; NULL if there is none. */
const mst_refers *mst_label_fact(const mst_format *format, const mst_field *field, mst_excerpt word);
/* The number that is such a label: a member of an element, or the element itself. */
bool mst_label_number(const mst_value *element, mst_excerpt word, mst_value *number, const mst_refers **fact);
/* Whether a number, or a list of words with a bit for each, names the element of that index or id. */
bool mst_number_names(const mst_value *value, const mst_refers *fact, uint64_t id);

/* The name of an element: its field `name`, or itself if it is a text. False if it has none. */
bool mst_name_of(const mst_value *element, mst_value *name);
/* The list that a fact refers to, as seen from anywhere in the document: in its root, or in a record
 * there. */
bool mst_target_of(const mst_document *document, const mst_refers *fact, mst_value *list);
/* The path of a list that is not in another list; false if it is in one. */
bool mst_path_of(const mst_value *list, char *path, size_t capacity);
/* The path of the list that contains an element, if that list is not in another one, and the element's index.
 * MST_NO_PATH if it is in another one. */
mst_status mst_list_of(const mst_value *element, mst_arena *arena, const char **list_path, uint64_t *index);

/* The labels of all elements of a list. */
struct mst_labels {
    mst_arena arena;
    uint64_t count;     /* elements */
    uint64_t *first;    /* where the labels of each element begin in `named`; one entry more than elements */
    uint32_t *named;    /* into `names` and `ids` */
    const char **names; /* of all targets that have one */
    uint64_t *ids;
    size_t name_count;
    uint8_t *crosses; /* rooms: whether an element is partly in the requested one; else NULL */
};

/* As mst_labels_open, for a word in a longer text. `room` NULL: all rooms, else the only one of interest. */
mst_status mst_labels_make(mst_labels **labels, const mst_document *document, const char *list_path,
                           mst_excerpt word, const mst_excerpt *room, mst_diagnostic *diagnostic);
/* The elements of a list without positions that are within a range: they have a label without a name. */
struct mst_range;
mst_status mst_labels_within(mst_labels **labels, const mst_document *document, const char *list_path,
                             const struct mst_range *range, mst_diagnostic *diagnostic);
/* Whether records have places although they have no positions, such as faces. */
bool mst_has_corners(const mst_document *document, const mst_record *record);
/* Whether a label has the name. */
bool mst_labels_know(const mst_labels *labels, mst_excerpt name);

#endif
