/* SPDX-License-Identifier: MIT */
/* A file that git could not merge: its three versions in the index, and the choices for its conflicts. */
#ifndef CLI_INPUTS_GIT_STAGES_H
#define CLI_INPUTS_GIT_STAGES_H

#include <stdbool.h>
#include <stddef.h>

#define GIT_CHOICE_RESULT 'w'

/* The choice for the conflict at a path. */
typedef struct git_choice {
    char *path;
    char side;   /* 'o'urs, 't'heirs, 'v'alue; GIT_CHOICE_RESULT: not a choice, `path` is the fingerprint of a
                    written file */
    char *value; /* JSON; NULL unless it is a value */
} git_choice;

typedef struct git_stages {
    char *folder, *name; /* of the file, as given */
    char *path;          /* in the repository */
    char *ids[3];        /* of the versions: base, ours, theirs */
    char *files[3];      /* temporary files with their content */
    char *store;         /* the file of the choices */
    git_choice *choices;
    size_t count;
} git_stages;

/* Gets the file's versions from git; returns the exit code, with a message: EXIT_NO if git has no conflict in
 * it. Call git_stages_end in any case. */
int git_stages_begin(git_stages *all, const char *file);
void git_stages_end(git_stages *all);
/* The choice for a path; NULL: none. */
const git_choice *git_stages_choice(const git_stages *all, const char *path);
void git_stages_choose(git_stages *all, const char *path, char side, const char *value);
/* Writes the choices into git's directory; they apply as long as the versions are the same. False, with a
 * message, on failure. */
bool git_stages_keep(const git_stages *all);
/* Marks the file as merged in git; the choices are no longer needed. False, with a message, on failure. */
bool git_stages_add(const git_stages *all);

#endif
