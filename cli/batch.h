/* SPDX-License-Identifier: MIT */
/*
 * One function over many files: with threads, in the order of the input, with progress, a sum and the
 * worst exit code.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "output.h"
#include "sidecars.h"
#include "source.h"

struct batch;

/* What a thread keeps from one file to the next. */
typedef struct worker {
    buffer reused;
    sidecars beside;
} worker;

/* One file's work. What it prints appears when all files before it are done. */
typedef struct job {
    struct batch *batch;
    const input *input;
    size_t index;
    stream out, errors;
    source opened;
    worker *worker;
    bool skipped; /* not recognised, found in a directory: counts for nothing */
    bool unknown; /* not recognised, named outright */
    int code;
    bool finished;
    void *result; /* the command's own, for `done`, which frees it */
} job;

typedef struct batch {
    const options *given;
    const inputs *inputs;
    int (*run)(job *work);   /* returns an exit code */
    void (*done)(job *work); /* may be NULL; called in order, one at a time */
    void *user;
    const char *schema; /* what --schema says, as a sidecar; NULL */
    size_t schema_size;
    /* sums */
    uint64_t good, bad, damaged, unknown, failed, skipped;
    int code; /* the worst */
    struct batch_private *inside;
} batch;

/* Runs everything and returns the worst exit code; the sums are filled in. */
int batch_run(batch *all);

/* Opens the job's file into job->opened, or says why not and sets what the sums need. Returns -1 to go on
 * or the exit code. */
int job_open(job *work, unsigned flags);
/* The file is well, but the command cannot do with its format what it does: a failure for a file named
 * outright; one found in a directory is skipped with a note. Other failures are said as they are. */
int job_unfit(job *work, mst_diagnostic *why);
/* Whether a file is of a known format, by its beginning; for files found in directories, so that the others
 * cost little. */
bool job_recognised(job *work, unsigned flags);
/* Makes the directories of a file that the job is about to write ("-": stdout). EXIT_REFUSED, and has said
 * so, if the batch has written it already; call it once for each file. */
int job_claims(job *work, const char *path);
/* Finds what belongs to the job's file, for as long as the job. */
const mst_resolver *job_sidecars(job *work);

/* "95 files: 95 exact, 0 differ, 0 damaged, 3 skipped" without an end of line. `bad` may be NULL. */
void batch_sum(const batch *all, stream *to, const char *good, const char *bad);
/* The same as a line on stderr, for commands that write something else; nothing for one input or --quiet. */
void batch_say_sum(const batch *all, const char *good);

#endif
