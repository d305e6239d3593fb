/* SPDX-License-Identifier: MIT */
/* Random operations on a document. */
#ifndef MST_TESTS_FUZZ_PLAN_H
#define MST_TESTS_FUZZ_PLAN_H

#include "property.h"
#include <mapstone/edit.h>

#define FUZZ_OPERATIONS 4

/* Operations and the texts to which they point. */
typedef struct fuzz_plan {
    mst_operation operations[FUZZ_OPERATIONS];
    char paths[FUZZ_OPERATIONS][300], values[FUZZ_OPERATIONS][40], expressions[FUZZ_OPERATIONS][200];
    char *own[FUZZ_OPERATIONS];
    size_t count;
} fuzz_plan;

/* Adds one about something in the sample. */
void fuzz_plan_add(const mst_document *document, const fuzz_sample *sample, fuzz_random *random,
                   fuzz_plan *all);
/* Makes the last of them an assignment of an expression. */
void fuzz_plan_calculate(fuzz_random *random, fuzz_plan *all);
void fuzz_plan_free(fuzz_plan *all);

/* The number of errors that the document's check finds. */
uint64_t fuzz_errors_of(const mst_document *document);

#endif
