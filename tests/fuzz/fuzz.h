/* SPDX-License-Identifier: MIT */
/* What the properties, the mutator and the seeds share: what an input is, and a random sample of the things
 * in a document, with their paths. */
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
 * An input is a file (or JSON, if it begins with '{'); then sidecars, each after FUZZ_MARK, of which one
 * that begins with '!' has its name up to a NUL there; and, at the very end, FUZZ_HOW and five bytes: what
 * the file is opened as (fuzz_kind_at) and a number that everything else is drawn from. A first sidecar
 * without a name is also the other file of documents that are two. All but the file may be missing.
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

/* Something that a walk met. */
typedef struct fuzz_thing {
    char path[256]; /* "" for what no path names */
    mst_event_kind kind;
    mst_type type;           /* NONE for what no path names */
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

/* JSON values that are odd, one of them. */
const char *fuzz_odd_json(fuzz_random *random);

/* A value's JSON with a NUL, to be freed by the caller; NULL if it cannot be had. */
char *fuzz_json_of(const mst_value *value, bool compact, size_t *size);

/* Changes one value or key of the text, within `max_size`; the size then, 0 if nothing was done. */
size_t fuzz_change_json(uint8_t *text, size_t size, size_t max_size, fuzz_random *random);

#endif
