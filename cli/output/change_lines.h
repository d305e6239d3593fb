/* SPDX-License-Identifier: MIT */
/* The changes between two documents, collected for output: as few lines as possible, a table, or JSON. */
#ifndef CLI_OUTPUT_CHANGE_LINES_H
#define CLI_OUTPUT_CHANGE_LINES_H

#include "changed_type.h"
#include "streams.h"
#include <mapstone/diff.h>

typedef struct change_item {
    mst_difference_kind kind;
    mst_difference_sort sort;
    uint64_t old_index, new_index, moved_to;
    size_t element; /* number of the element, the same for all its changes; 0: none */
    char *list, *type, *label, *path, *old_text, *new_text, *place;
    bool was, is; /* the value existed before, exists now */
    bool exact;   /* old_text and new_text are the complete values */
    bool reshapes, moves;
    bool is_default;  /* the new value is the schema's default */
    bool shown;       /* it has a line */
    bool is_field;    /* a field of the format that only one of the two versions has */
    bool of_version;  /* included in the version's line */
    bool along_faces; /* it has moved by the same distance as faces */
    bool folded;      /* included in another line: the version's, or a move's */
    uint64_t bytes;   /* size of the value; 0: it is not a value of bytes */
    double distance;  /* length of the move; negative: it was not moved */
    const char *unit;
    char *by;          /* the move, "0,0,30"; NULL: it was not moved */
    bool follows_axis; /* one of several numbers that form a place, except the first */
    bool whole;        /* all corners of a face have moved by the same distance */
    bool along;        /* the value changes when its element is moved */
    /* For ADD and REMOVE of something with a place: its values, and the index + 1 of the item for the same
     * element with another type; 0: none. Only the removed one of the two is shown. */
    changed_members members;
    size_t partner;
    /* The element may also be the one at `alternative`. */
    bool ambiguous, alternative_is_new;
    uint64_t alternative;
    /* Between files of one level: */
    bool alone;     /* an added or removed element, which another file may have */
    const char *to; /* MOVE: the file that has it now, at `to_place`; NULL: this one */
    const char *to_place;
    uint64_t times;    /* how often the change occurs: only for parts, which are merely counted */
    bool came;         /* it was moved from another file, which shows the move */
    size_t step, line; /* of the JSON */
} change_item;

/* The order of operations, in which each finds its elements: first those that shift no index, then removals
 * from the end, then insertions. */
enum { STEP_SET, STEP_REMOVE_ITEM, STEP_INSERT_ITEM, STEP_REMOVE, STEP_INSERT, STEP_MOVE, STEPS };

/* Lines of JSON. */
typedef struct json_lines {
    char **items;
    size_t count, capacity;
} json_lines;

/* Zero-initialise it. */
typedef struct changes {
    change_item *items;
    size_t count, capacity, elements;
    uint64_t of_sort[5]; /* by mst_difference_sort */
    size_t placed;       /* elements with a place that were added or removed */
    bool as_json;        /* collected as operations, for changes_put_json */
    json_lines steps[STEPS];
    const char *file;             /* in JSON; NULL: none */
    const mst_resolver *sidecars; /* which may have names of types; NULL: none */
    bool everything;              /* also changes outside the content */
    bool view_state;              /* also changes of an editor's view state */
    bool identify; /* added or removed elements may be in another file of the level: changes_moved */
} changes;

/* An mst_difference_function; `user` is the changes. */
mst_status changes_take(void *user, const mst_difference *change);
void changes_free(changes *all);
/* Adds a change as an operation; the note has the information that operations lack. */
void changes_add_json(changes *all, const mst_difference *change);
/* Adds the element's position in another file to the note at the end of a change's line. */
void changes_add_note(changes *in, const change_item *item, const char *name, const char *file,
                      uint64_t index);
/* As operations, one per line. */
void changes_put_json(const changes *all, stream *to);
/* Turns a removal from one file of a level and an addition to another into a move. The names of the files are
 * in `file`; keep both collections as long as either is shown. */
void changes_moved(changes *from, changes *to, const mst_moved_between *moved);
/* Finds the partners of added and removed elements. */
void changed_find_partners(changes *all);
/* Folds fields that only one version has into the version's line, if the version has changed, unless
 * everything is shown. */
void changed_fold_version(changes *all, bool everything);
/* ", which adds smooth, extras" */
void changed_put_version(const changes *all, stream *to);
/* Whether other files of the level already show all changes of a file. */
bool changes_said(const changes *all);
/* Whether there are changes that count. */
bool changes_any(const changes *all);
/* Lines of text, each after `indent`; `everything`: every change. */
void changes_put(changes *all, stream *to, const char *indent, bool everything);
/* The heading for a file's changes. */
void changes_put_heading(stream *to, const char *name);
/* The number of changes, by list. */
void changes_put_stat(changes *all, stream *to, const char *indent);

/* A short text for a value; for a number that references something, its name. `exactly`: numbers with all
 * digits. `said`: whether the text represents the value. */
char *changed_value(const mst_value *value, const mst_value *named, bool exactly, bool *said);

/* For things whose place is one number per axis, sets the distance that they moved (changed_axes.c). */
void changes_join_axes(changes *all);

#endif
