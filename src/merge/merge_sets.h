/* SPDX-License-Identifier: MIT */
/* Directories or archives that are being merged, file by file (merge_sets.c), what went from one file to
 * another (merge_moves.c), and numbers that name elements of other files (merge_numbers.c). */
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

/* A file of any of the three. */
typedef struct entry {
    const char *name;
    size_t at[SIDES];    /* in the containers */
    bool changed[SIDES]; /* by that side */
    bool same;           /* in ours and theirs */
    bool is_known;       /* what becomes of it has been found out */
    bool is_identified[SIDES];
    const mst_format_information *formats[SIDES]; /* mst_merge_format */
    uint8_t fate;
    mst_document *result; /* borrowed from `documents` */
    size_t file;          /* of its files */
    struct dropped *dropped;
} entry;

/* An element that one side has put into a file, and that is not to come there, or as another one. */
typedef struct dropped {
    struct dropped *next; /* those of one list in descending order */
    int side;
    const char *list;
    uint64_t index;
    const char *as; /* JSON; NULL: it does not come */
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
/* Says which file a failure is about. */
mst_status mst_merge_fail_in(sets *s, const char *name, mst_status status);
/* The format of a side's file by its beginning; NULL: it is unknown, or there is no file. */
const mst_format_information *mst_merge_format(sets *s, entry *one, int side);
/* Opens a file of one side, which `documents` keeps open. MST_UNKNOWN: it is not a level. */
mst_status mst_merge_open(sets *s, const entry *one, int side, mst_document **document);
/* Finds elements that went from one file of a level to another, and that the two sides did not treat alike:
 * conflicts. Each then stands in one file at most. */
mst_status mst_merge_moves(sets *s);
/* Removes from a side's document what is not to come, and changes what is to come as something else. */
mst_status mst_merge_drop(sets *s, const entry *one, int side, mst_document *document);
/* Refuses what would let numbers name other elements: those of one side in files that the other changed. */
mst_status mst_merge_check_numbers(sets *s);

#endif
