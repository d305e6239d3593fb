/* SPDX-License-Identifier: MIT */
/*
 * Applies one function to many files: with threads, output in input order, progress, totals and the worst
 * exit code.
 */
#ifndef CLI_INPUTS_MANY_FILES_H
#define CLI_INPUTS_MANY_FILES_H

#include "../output/streams.h"
#include "opened_source.h"

struct batch;

/* The work on one file. Its output appears when all files before it are done. */
typedef struct job {
    struct batch *batch;
    const input *input;
    size_t index;
    stream out, errors;
    source opened;
    bool skipped; /* not recognised or not fit, found in a directory: not counted */
    bool known;   /* of a known format, though skipped */
    bool unknown; /* not recognised, named explicitly */
    int code;
    bool finished;
    void *result; /* of the command, for `done`, which frees it */
} job;

typedef struct batch {
    const options *given;
    const inputs *inputs;
    int (*run)(job *work);   /* returns an exit code */
    void (*done)(job *work); /* may be NULL; called in order, one at a time */
    void *user;
    const mst_resolver *sidecars; /* files to be found before any others; NULL: none */
    /* totals */
    uint64_t good, bad, damaged, unknown, failed, skipped;
    int code; /* the worst */
    struct batch_private *inside;
} batch;

/* Runs all jobs, fills in the totals and returns the worst exit code. */
int batch_run(batch *all);

/* Opens the job's file into job->opened. Returns -1 on success, else the exit code, after reporting the
 * reason and updating the job for the totals. */
int job_open(job *work, unsigned flags);
/* Reports a failure. If the command does not support the file's format (MST_UNSUPPORTED), a file found in a
 * directory is skipped with a message. */
int job_unfit(job *work, mst_diagnostic *why);
/* Whether an input is not skipped: it was named, or has a known format according to its beginning. */
bool job_recognised(job *work, unsigned flags);
/* Creates the directories of a file that the job is about to write ("-": stdout). EXIT_REFUSED, with a
 * message, if the batch has already written it; call it once for each file. */
int job_claims(job *work, const char *path);
/* The resolver for sidecars of the job's file, valid until the job ends. */
const mst_resolver *job_sidecars(job *work);

/* "95 files: 95 exact, 0 differ, 0 damaged, 3 skipped" without a newline. `bad` may be NULL. */
void batch_sum(const batch *all, stream *to, const char *good, const char *bad);
/* The same as a line on stderr, for commands with other output; nothing for one input or with --quiet. */
void batch_say_sum(const batch *all, const char *good);

#endif
