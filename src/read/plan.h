/* SPDX-License-Identifier: MIT */
/* Compiled plans of records, and the effects of conditions and sizes in them. */
#ifndef MST_READ_PLAN_H
#define MST_READ_PLAN_H

#include "../core/bytes.h"
#include "../tables/schema.h"

/*
 * A plan is a record's table compiled for one version: which fields are certainly present, at which offsets
 * the fixed-size ones are, and how far a run of them can be skipped in one step.
 */
typedef enum mst_presence {
    MST_ABSENT = 0,
    MST_PRESENT,
    MST_DEPENDS,
    MST_ALTERNATIVE /* depends: in a run of fields, one for each value of a variable, in ascending order */
} mst_presence;

/* The length of a field of the first part whose presence context variables decide: all that most steps of a
 * walk need. */
typedef enum mst_quick {
    MST_QUICK_NONE = 0,
    MST_QUICK_FIXED,    /* `extent` bytes of numbers or text */
    MST_QUICK_COUNTED,  /* elements of `extent` bytes each after a count of `prefix` bytes */
    MST_QUICK_VARIABLE, /* elements of `extent` bytes, counted by a context variable */
    MST_QUICK_REST      /* raw bytes to the end of the part */
} mst_quick;

/* A condition tested without a branch: whether `value & mask` is one of `span` + 1 values from `low` on, or
 * (`outside`) none of them. All zero: it always holds. */
typedef struct mst_lead {
    uint8_t variable;
    bool outside;
    uint32_t mask;
    uint32_t low;
    uint32_t span;
} mst_lead;

typedef struct mst_field_plan {
    uint8_t presence;     /* mst_presence */
    bool leads;           /* stepping may pass over it: it is ABSENT or has a `lead` */
    bool led;             /* it is present if `lead` holds */
    uint8_t quick;        /* mst_quick */
    uint8_t prefix;       /* MST_QUICK_COUNTED */
    bool decides;         /* quick, one number, and other fields depend on it */
    uint8_t others;       /* the first of its conditions that may fail even if `lead` holds */
    uint16_t absent_next; /* if ABSENT or `lead` fails: the next that may be present; of an alternative: the
                             first after all */
    uint32_t offset;      /* from the record's start; UINT32_MAX: not fixed */
    uint32_t size;        /* of the complete field; 0: not fixed */
    uint32_t
        alone; /* its size if it is present, fixed, and nothing depends on its value; 0: it must be read */
    uint32_t extent; /* mst_quick */
    mst_lead lead;   /* a condition required for presence; of an alternative the one on the value */
} mst_field_plan;

/* Consecutive fields that can be skipped together. */
typedef struct mst_run {
    uint32_t size; /* bytes of all of them; 0: this field must be examined */
    uint16_t next; /* the first field after them */
    uint8_t met;   /* 0: this field may be skipped; else why a visitor wants it */
} mst_run;

/* The positions of a record's sizes, if they are fixed. */
typedef struct mst_sized {
    uint32_t head;      /* bytes to the end of the last one */
    uint16_t fields[3]; /* by mst_size_index; */
    uint32_t places[3]; /* from the record's start */
    uint16_t stop;      /* before them: a number that may end the record; UINT16_MAX: none */
    uint32_t stop_place;
} mst_sized;

typedef struct mst_plan {
    const mst_field_plan *fields;
    const mst_run *runs;    /* for a walk without a visitor; NULL: of an archive, which has none */
    const mst_sized *sized; /* NULL: its end is found field by field */
    uint32_t stride;        /* the record's size if fixed, else 0 */
    uint32_t minimum;       /* the smallest size it can have */
    uint32_t sizes;         /* which MST_FIELD_SIZES it has */
    uint16_t last_size;     /* index of the last of them */
    uint16_t outside;       /* the first field outside the parts of the record */
    uint32_t carried;       /* bits of context variables that are set outside of it and read in it */
    bool simple;            /* all its fields are quick, and none of them decides about others */
    bool endless;           /* it may contain itself, and its end can only be found by a walk: see mst_ends */
} mst_plan;

/* Whether a condition holds for the value of its variable. */
static inline bool mst_when_holds(const mst_when *when, uint32_t value) {
    switch ((mst_operator)when->operation) {
    case MST_ALWAYS: return true;
    case MST_EQUAL: return value == when->value;
    case MST_NOT_EQUAL: return value != when->value;
    case MST_AT_LEAST: return value >= when->value;
    case MST_BELOW: return value < when->value;
    case MST_ANY_BIT: return (value & when->value) != 0;
    case MST_NO_BIT: return (value & when->value) == 0;
    case MST_ONE_OF: return value < 32 && (when->value >> value & 1) != 0;
    }
    return false;
}
static inline bool mst_lead_holds(const mst_lead *lead, const uint32_t *context) {
    return ((context[lead->variable] & lead->mask) - lead->low <= lead->span) != lead->outside;
}

/* Finds the runs of a record's fields; `met` must be set. */
void mst_find_runs(const mst_record *record, const mst_field_plan *fields, mst_run *runs);

/* Whether a field is present, as far as the context variables decide it. */
bool mst_field_present(const mst_field *field, const uint32_t *context);

/* Index of a size in an array of three: both parts, first part, last part; -1 if the field is not a size. */
static inline int mst_size_index(const mst_field *field) {
    return field->flags & MST_FIELD_SIZE         ? 0
           : field->flags & MST_FIELD_SIZE_FIRST ? 1
           : field->flags & MST_FIELD_SIZE_LAST  ? 2
                                                 : -1;
}
/* The bytes that a size covers, given its stored value; UINT64_MAX if that is less than its bias. */
static inline uint64_t mst_size_covered(const mst_field *field, uint64_t stored) {
    uint64_t covered;
    if (!mst_multiply(stored, field->size_scale ? field->size_scale : 1, &covered) ||
        covered < field->size_bias)
        return UINT64_MAX;
    return covered - field->size_bias;
}
/* Sets the context variable of a field that was read or written: `bits` is its value. */
static inline void mst_bind_variable(const mst_field *field, uint32_t *context, uint64_t bits) {
    if (field->bind)
        context[field->bind - 1] = field->transform ? field->transform((uint32_t)bits) : (uint32_t)bits;
}
/* The ends of a record's parts, which begin at `offset`, by its sizes; false if they are beyond `end` or
 * contradict each other. */
bool mst_split_parts(const mst_plan *plan, const uint64_t sizes[3], uint64_t offset, uint64_t end,
                     uint64_t *first_end, uint64_t *last_end);

#endif
