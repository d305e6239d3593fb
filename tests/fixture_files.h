/* SPDX-License-Identifier: MIT */
/* Files with their names: the fixtures of one file, the samples, and the small files of the corpus. */
#ifndef MST_TESTS_FIXTURE_FILES_H
#define MST_TESTS_FIXTURE_FILES_H

#include "fixtures.h"
#include <mapstone/mapstone.h>
#include <sys/stat.h>

typedef struct test_file {
    char name[160];      /* for opening it, without directories; identifies formats without a magic */
    char directory[512]; /* directory of its sidecars; "" none */
    uint8_t *bytes;
    size_t size;
    bool small; /* every request for memory is refused once */
} test_file;

typedef struct test_files {
    test_file *items;
    size_t count;
} test_files;

/* Takes ownership of `bytes`. */
test_file *files_add(test_files *all, const char *name, uint8_t *bytes, size_t size, bool small);

void files_written(test_files *all, const char *name, writer *w);

/* Wraps written bytes in an uncompressed zlib stream, which no packer reproduces: it survives only because
 * the original bytes are kept. */
void files_wrapped(test_files *all, writer *of, const char *name);

void files_of_fixture(test_files *all, const fixture_source *source, bool small);

test_files files_small(void);

void files_of_samples(test_files *all);

/* Files of the corpus of at most `max` bytes. */
void files_of_corpus(test_files *all, size_t max);

void files_free(test_files *all);

#endif
