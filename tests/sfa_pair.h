/* SPDX-License-Identifier: MIT */
/* Shared by tests of pairs of files: files in memory, opening either, and the proof that both are saved
 * unchanged. */
#ifndef MST_TESTS_SFA_PAIR_H
#define MST_TESTS_SFA_PAIR_H

#include "documents.h"
#include <mapstone/search.h>

typedef struct shelf_file {
    const char *name;
    const uint8_t *data;
    size_t size;
} shelf_file;
/* Files that a resolver finds. */
typedef struct shelf {
    shelf_file files[16];
    size_t count;
} shelf;

void shelf_put(shelf *s, const char *name, const uint8_t *data, size_t size);
mst_status shelf_find(void *user, const char *name, const void **bytes, size_t *size);
mst_resolver shelf_resolver(shelf *s);

/* A pair and its names: "X.bin" and "X.tab". */
typedef struct two {
    const char *bin_name, *tab_name;
    writer bin, tab;
} two;

void two_free(two *t);

/* Opens one of the two, which finds the other. */
mst_status open_two(const two *t, bool by_table, mst_document **document, mst_diagnostic *why);
mst_document *must_open_two(const two *t);

void assert_file(const mst_document *document, size_t index, const writer *wanted);
void assert_files(const mst_document *document, const two *t);

/* Its JSON makes the same two files. */
void assert_files_by_json(const mst_document *document, const two *t);

/* Opened by either file, every way of writing gives the same two files. */
void assert_two(const two *t, const char *format);

/* The files that the document would be saved as. */
two two_of(const mst_document *document, const two *names);

two two_copy(const two *t);

/* A pair of the corpus. */
two corpus_two(const char *folder, const char *bin_name, const char *tab_name);

/* All findings, including information. */
findings check_all(const mst_document *document, const mst_resolver *sidecars);

/* Exactly one finding: this code, at this path. */
void assert_one(const mst_document *document, const mst_resolver *sidecars, const char *code,
                const char *path);
void assert_nothing(const mst_document *document, const mst_resolver *sidecars);

int64_t number_of(const mst_document *document, const char *path);
uint64_t count_of(const mst_document *document, const char *path);

/* Truncated files and files with flipped bits are saved unchanged if they open, by either name. */
void assert_pair_survives(const two *t, random_state *random, unsigned flips);

/* Whichever request for memory fails, nothing leaks. */
void assert_no_memory(const two *t);

/* Alone, each opens as the format for a single file. */
void assert_alone(const two *t);

#endif
