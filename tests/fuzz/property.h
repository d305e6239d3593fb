/* SPDX-License-Identifier: MIT */
/*
 * The common part of properties. A property is a file fuzz_<name>.c with `fuzz_property` and the sentence
 * that it proves; everything else here is linked to each of them.
 */
#ifndef MST_TESTS_FUZZ_PROPERTY_H
#define MST_TESTS_FUZZ_PROPERTY_H

#include "../../src/core/memo.h"
#include "fuzz.h"

/* The input for properties, in allocations of its exact sizes, so that reads out of bounds are detected. */
typedef struct fuzz_sidecar {
    const char *name; /* "": it has none */
    uint8_t *bytes;
    size_t size;
} fuzz_sidecar;
typedef struct fuzz_input {
    const uint8_t *bytes, *sidecar; /* that may be the other file; NULL: there is none */
    size_t size, sidecar_size;
    fuzz_sidecar sidecars[FUZZ_SIDECARS];
    size_t sidecar_count;
    size_t whole; /* bytes of all of them */
    const char *format, *name;
    fuzz_random random;
    mst_memo memo;
    mst_resolver second; /* finds the sidecar as the other file */
} fuzz_input;

/* Defined by each property file. */
extern const char fuzz_promise[];
void fuzz_property(fuzz_input *in);

/* ---- failures ---------------------------------------------------------------------------------- */

_Noreturn void fuzz_broken(const char *file, int line, const char *what, const mst_diagnostic *why);
#define HOLDS(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fuzz_broken(__FILE__, __LINE__, #condition, NULL);                                               \
    } while (0)
/* The call succeeds; `why` is the diagnosis that it filled in. */
#define MUST(call, why)                                                                                      \
    do {                                                                                                     \
        if ((call) != MST_OK)                                                                                \
            fuzz_broken(__FILE__, __LINE__, #call, (why));                                                   \
    } while (0)

/* ---- an allocator that counts, and fails on request -------------------------------------------- */

typedef struct fuzz_memory {
    size_t bytes, max; /* not freed yet, and their maximum */
    size_t calls, fail_at;
} fuzz_memory;
mst_allocator fuzz_allocator(fuzz_memory *memory);

/* ---- documents --------------------------------------------------------------------------------- */

/* The options that the input is opened with. */
mst_open_options fuzz_options(const fuzz_input *in, fuzz_memory *memory);
/* The file, or the JSON, as a document; NULL if it does not open. `memory` may be NULL. */
mst_document *fuzz_open(fuzz_input *in, fuzz_memory *memory);
/* All memory was returned, and its maximum was within `max` times the input and a few MiB. */
void fuzz_close(mst_document *document, fuzz_input *in, const fuzz_memory *memory, size_t max);

/* Saved, encoded again and rebuilt from its values it has the same bytes; each is accounted for once. */
void fuzz_is_saved(const mst_document *document);
/* Its JSON makes the same files. */
void fuzz_is_read_as_json(const mst_document *document, bool compact);
/* Both. */
void fuzz_is_understood(const mst_document *document);

/* The files of a document, copied. */
typedef struct fuzz_files {
    size_t count;
    uint8_t *bytes[2];
    size_t sizes[2];
} fuzz_files;
fuzz_files fuzz_files_of(const mst_document *document);
void fuzz_files_free(fuzz_files *files);
bool fuzz_same_files(const mst_document *document, const fuzz_files *files);
/* Whether the document's files are the input's. */
bool fuzz_has_input(const mst_document *document, const fuzz_input *in);

/* A resolver of sidecars: the one with a similar name; if none has a name the first; if there is none the
 * file itself, part of it, or nothing. */
mst_resolver fuzz_resolver(fuzz_input *in);

/* A sink that adds to a size_t; a report that verifies the finding and adds to a uint64_t. */
mst_status fuzz_count_output(void *user, const void *data, size_t size);
mst_status fuzz_count_findings(void *user, const mst_diagnostic *diagnostic);
/* A failed call has given a reason. */
void fuzz_is_told(const mst_diagnostic *why, mst_status status);

#endif
