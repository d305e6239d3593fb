/* SPDX-License-Identifier: MIT */
/* Directories or archives that are being merged, file by file (merge_sets.c), elements that moved from one
 * file to another (merge_moves.c), and numbers that refer to elements of other files (merge_numbers.c). */
#ifndef MST_MERGE_MERGE_SETS_H
#define MST_MERGE_MERGE_SETS_H

#include "../level/inside.h"
#include "../patch/drafts.h"

enum { BASE = 0, OURS, THEIRS, SIDES };
#define NOT_THERE SIZE_MAX

typedef enum fate {
    FATE_OURS = 0,
    FATE_THEIRS,
    FATE_GONE,
    FATE_MERGED /* by `result` */
} fate;

/* A file of any of the three sides. */
typedef struct entry {
    const char *name;
    size_t at[SIDES];    /* in the containers */
    bool changed[SIDES]; /* by that side */
    bool same;           /* in ours and theirs */
    bool is_known;       /* its fate has been decided */
    bool is_identified[SIDES];
    const mst_format_information *formats[SIDES]; /* mst_merge_format */
    uint8_t fate;
    mst_document *result; /* borrowed from `documents` */
    size_t file;          /* of its files */
    struct dropped *dropped;
} entry;

/* An element that one side has put into a file, and that is to be left out there or replaced. */
typedef struct dropped {
    struct dropped *next; /* elements of one list in descending order */
    int side;
    const char *list;
    uint64_t index;
    const char *as; /* JSON; NULL: it is left out */
} dropped;

typedef struct sets {
    mst_container *from[SIDES];
    const mst_merge_options *options;
    mst_merge_options each;
    mst_arena arena;
    entry *entries;
    size_t count;
    mst_array documents; /* mst_document * */
    const char *file;    /* that is being merged */
    uint64_t conflicts;
    mst_diagnostic *diagnostic;
} sets;

mst_status mst_merge_no_memory(mst_diagnostic *diagnostic);
/* Adds the name of the file to a failure's message. */
mst_status mst_merge_fail_in(sets *s, const char *name, mst_status status);
/* The format of a side's file by its beginning; NULL if it is unknown or the file is missing. */
const mst_format_information *mst_merge_format(sets *s, entry *one, int side);
/* Opens a file of one side, which `documents` keeps open. MST_UNKNOWN: it is not a level. */
mst_status mst_merge_open(sets *s, const entry *one, int side, mst_document **document);
/* Finds elements that moved from one file of a level to another and that the two sides treated differently:
 * conflicts. Each element then is in at most one file. */
mst_status mst_merge_moves(sets *s);
/* Removes dropped elements from a side's document, and replaces those that have other content. */
mst_status mst_merge_drop(sets *s, const entry *one, int side, mst_document *document);
/* Refuses changes after which one side's references would name wrong elements in files that the other
 * changed. */
mst_status mst_merge_check_numbers(sets *s);

#endif
