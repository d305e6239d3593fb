/* SPDX-License-Identifier: MIT */
/* The common part of the properties, the mutator and the seeds: the form of an input, and a random sample of
 * the things in a document, with their paths. */
#ifndef MST_TESTS_FUZZ_H
#define MST_TESTS_FUZZ_H

#include "../../src/files/ledger.h"
#include <mapstone/mapstone.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------- */

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

static inline uint32_t fuzz_next(fuzz_random *r) {
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->state >> 33);
}
static inline uint32_t fuzz_below(fuzz_random *r, size_t limit) {
    return limit ? fuzz_next(r) % (uint32_t)limit : 0;
}

/* ---- inputs ------------------------------------------------------------------------------------ */

/*
 * An input is a file (or JSON, if it begins with '{'); then sidecars, each after FUZZ_MARK, where one that
 * begins with '!' is followed by its name up to a NUL; and, at the very end, FUZZ_HOW and five bytes: the
 * kind as which the file is opened (fuzz_kind_at) and the seed of everything else. A first sidecar without a
 * name is also the second file of documents of two files. Everything except the file may be missing.
 */
#define FUZZ_MARK      "\0MSTWITH"
#define FUZZ_MARK_SIZE 8
#define FUZZ_HOW       "\0MSTHOW:"
#define FUZZ_HOW_SIZE  13

/* A format and a file name, either of which may be NULL. */
typedef struct fuzz_kind {
    const char *format, *name;
} fuzz_kind;
fuzz_kind fuzz_kind_at(size_t index);
size_t fuzz_kind_count(void);

/* The spans of an input. */
#define FUZZ_SIDECARS 12
typedef struct fuzz_spans {
    size_t file; /* bytes of the file, from 0 */
    struct {
        size_t begin, end;   /* of its bytes */
        const uint8_t *name; /* ends with NUL, in the input; NULL: it has none */
    } sidecars[FUZZ_SIDECARS];
    size_t count;
    size_t second_end; /* of the other file if there is one, else of the file */
    size_t end;        /* of the last sidecar */
    uint8_t kind;      /* below fuzz_kind_count() */
    uint32_t seed;
} fuzz_spans;
fuzz_spans fuzz_spans_of(const uint8_t *data, size_t size);
/* Writes the end of an input. */
void fuzz_put_how(uint8_t *place, uint8_t kind, uint32_t seed);

/* ---- samples ----------------------------------------------------------------------------------- */

/* An event of a walk. */
typedef struct fuzz_thing {
    char path[256]; /* "" for things without a path */
    mst_event_kind kind;
    mst_type type;           /* NONE for things without a path */
    uint64_t offset, length; /* of BEGIN: until its end */
    uint64_t value_offset, value_length;
    uint64_t index;
} fuzz_thing;

#define FUZZ_THINGS 24
typedef struct fuzz_sample {
    fuzz_random *random;
    fuzz_thing things[FUZZ_THINGS];
    size_t count;
    uint64_t met;
} fuzz_sample;

/* Takes up to FUZZ_THINGS of all things, each with the same chance; derived ones only if `derived`. */
mst_status fuzz_take_sample(const mst_document *document, fuzz_random *random, bool derived,
                            fuzz_sample *sample);

/* One of several odd JSON values. */
const char *fuzz_odd_json(fuzz_random *random);

/* A value's JSON with a NUL, to be freed by the caller; NULL if it is unavailable. */
char *fuzz_json_of(const mst_value *value, bool compact, size_t *size);

/* Changes one value or key of the text, within `max_size`; returns the new size, 0 if nothing was done. */
size_t fuzz_change_json(uint8_t *text, size_t size, size_t max_size, fuzz_random *random);

#endif
