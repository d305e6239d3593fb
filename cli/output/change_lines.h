/* SPDX-License-Identifier: MIT */
/* The changes between two documents, collected to be shown: as few lines as say it, a table, or JSON. */
#ifndef CLI_OUTPUT_CHANGE_LINES_H
#define CLI_OUTPUT_CHANGE_LINES_H

#include "changed_type.h"
#include "streams.h"
#include <mapstone/diff.h>

typedef struct change_item {
    mst_difference_kind kind;
    mst_difference_sort sort;
    uint64_t old_index, new_index, moved_to;
    size_t element; /* number of the element, the same for all changes of one; 0: of none */
    char *list, *type, *label, *path, *old_text, *new_text, *place;
    bool was, is; /* a value was there, is there */
    bool exact;   /* old_text and new_text say all of the values */
    bool reshapes, moves;
    bool is_default;  /* the schema has the new value */
    bool shown;       /* a line has it */
    bool is_field;    /* of the format: only one of the two has it */
    bool of_version;  /* the line of the version names it */
    bool along_faces; /* faces have moved by the same */
    bool folded;      /* another line has it: of the version, or of what has moved */
    uint64_t bytes;   /* that the value has; 0: it is no value of bytes */
    double distance;  /* by which it has been moved; negative: it has not */
    const char *unit;
    char *by;          /* what it has been moved by, "0,0,30"; NULL: it has not */
    bool follows_axis; /* of several numbers that are one place, not the first */
    bool whole;        /* by which all corners of a face have moved */
    bool along;        /* the value changes when its element is moved */
    /* ADD and REMOVE of what has a place: its values, and the index of the item, + 1, that is the same
     * element with another type; 0: there is none. Of the two the removed one is shown. */
    changed_members members;
    size_t partner;
    /* The element could as well be another one, at `alternative`. */
    bool ambiguous, alternative_is_new;
    uint64_t alternative;
    /* Between files of one level: */
    bool alone;     /* an element that came or went, which another file may have */
    const char *to; /* MOVE: the file that it is in now, at `to_place`; NULL: this one */
    const char *to_place;
    uint64_t times;    /* that the same was said: of parts, which only numbers are about */
    bool came;         /* it came from another file: that one shows it */
    size_t step, line; /* of its JSON */
} change_item;

/* In which order operations come, so that each finds what it names: those that move nothing, then what goes,
 * from the end, and then what comes. */
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
    size_t placed;       /* elements with a place that came or went */
    bool as_json;        /* collected as operations, for changes_put_json */
    json_lines steps[STEPS];
    const char *file;             /* in JSON; NULL: none */
    const mst_resolver *sidecars; /* which have names of types; NULL: none */
    bool everything;              /* also changes that are none of the content */
    bool view_state;              /* what an editor shows counts, too */
    bool identify; /* elements that came or went may be in another file of the level: changes_moved */
} changes;

/* An mst_difference_function; `user` is the changes. */
mst_status changes_take(void *user, const mst_difference *change);
void changes_free(changes *all);
/* Adds one in the language of operations, with what is not part of one in the note. */
void changes_add_json(changes *all, const mst_difference *change);
/* Adds to the note of a change, which its line ends with, what it is in another file. */
void changes_add_note(changes *in, const change_item *item, const char *name, const char *file,
                      uint64_t index);
/* As operations, one a line. */
void changes_put_json(const changes *all, stream *to);
/* What went from one file of a level came to another: it has moved. The names of the files are in `file`; all
 * of them must be kept as long as any is shown. */
void changes_moved(changes *from, changes *to, const mst_moved_between *moved);
/* Finds the partners of what came and went. */
void changed_find_partners(changes *all);
/* Folds fields that only one version has into the version's line, if that has changed: unless everything is
 * shown. */
void changed_fold_version(changes *all, bool everything);
/* ", which adds smooth, extras" */
void changed_put_version(const changes *all, stream *to);
/* Whether nothing is left to say of a file but what others of its level say. */
bool changes_said(const changes *all);
/* Whether there are changes that count. */
bool changes_any(const changes *all);
/* Lines for people, each after `indent`; `everything`: every change. */
void changes_put(changes *all, stream *to, const char *indent, bool everything);
/* The name of a file that changes are said of. */
void changes_put_heading(stream *to, const char *name);
/* How much has changed, by lists. */
void changes_put_stat(changes *all, stream *to, const char *indent);

/* What a value is in words; a number that names something by what that is called. `exactly`: numbers with all
 * digits. `said`: whether there are words. */
char *changed_value(const mst_value *value, const mst_value *named, bool exactly, bool *said);

/* Of things whose place is a number for each axis, notes by what they have moved (changed_axes.c). */
void changes_join_axes(changes *all);

#endif
