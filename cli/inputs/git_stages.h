/* SPDX-License-Identifier: MIT */
/* A file that git could not merge: its three versions in the index, and what was chosen for its conflicts. */
#ifndef CLI_INPUTS_GIT_STAGES_H
#define CLI_INPUTS_GIT_STAGES_H

#include <stdbool.h>
#include <stddef.h>

#define GIT_CHOICE_RESULT 'w'

/* What was chosen for the conflict at a path. */
typedef struct git_choice {
    char *path;
    char side; /* 'o'urs, 't'heirs, 'v'alue; GIT_CHOICE_RESULT: no choice, `path` is the fingerprint of a file
                  that was made */
    char *value; /* JSON; NULL unless it is a value */
} git_choice;

typedef struct git_stages {
    char *folder, *name; /* of the file, as it was named */
    char *path;          /* in the repository */
    char *ids[3];        /* of the versions: base, ours, theirs */
    char *files[3];      /* temporary ones with their content */
    char *store;         /* where the choices are */
    git_choice *choices;
    size_t count;
} git_stages;

/* Asks git about a file; the exit code, with a message: EXIT_NO if git has no conflict of it. End it with
 * git_stages_end in any case. */
int git_stages_begin(git_stages *all, const char *file);
void git_stages_end(git_stages *all);
/* The choice for a path; NULL: there is none. */
const git_choice *git_stages_choice(const git_stages *all, const char *path);
void git_stages_choose(git_stages *all, const char *path, char side, const char *value);
/* Writes the choices into the directory of git, where they are as long as the versions are these. False, with
 * a message, on failure. */
bool git_stages_keep(const git_stages *all);
/* Tells git that the file is merged; the choices are no longer needed. False, with a message, on failure. */
bool git_stages_add(const git_stages *all);

#endif
