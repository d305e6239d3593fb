/* SPDX-License-Identifier: MIT */
/* The contents of a directory: to verify the effects of a command, and to undo them. */
#ifndef MST_TESTS_CONTENTS_H
#define MST_TESTS_CONTENTS_H

#include "../support.h"

#define FILES 16
typedef struct entry {
    char name[64];
    uint8_t *bytes;
    size_t size;
} entry;
typedef struct contents {
    entry files[FILES];
    size_t count;
    unsigned temporaries;
} contents;

void contents_free(contents *all);
/* The files of a directory; hidden ones are counted. */
contents look_at(const char *directory);
/* NULL: no file has that name. */
const entry *entry_of(const contents *all, const char *name);
bool same_entry(const entry *a, const entry *b);
bool same_contents(const contents *a, const contents *b);
/* Restores the directory. */
void put_back(const char *directory, const contents *was);

#endif
