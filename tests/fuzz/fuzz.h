/* SPDX-License-Identifier: MIT */
/* What the properties and the mutator share: a random sample of the things in a document, with their paths.
 */
#ifndef MST_TESTS_FUZZ_H
#define MST_TESTS_FUZZ_H

#include <mapstone/mapstone.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An input is a file, or a file and its companion with these bytes between them. */
#define FUZZ_MARK      "\0MSTWITH"
#define FUZZ_MARK_SIZE 8

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

/* Where the companion's mark begins; `size` if there is none. */
static inline size_t fuzz_mark(const uint8_t *data, size_t size) {
    for (size_t i = 0; i + FUZZ_MARK_SIZE <= size; i++)
        if (memcmp(data + i, FUZZ_MARK, FUZZ_MARK_SIZE) == 0)
            return i;
    return size;
}

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

#endif
