/* SPDX-License-Identifier: MIT */
/*
 * Baselines: known findings that do not count.
 *
 * A text file with one line per finding, FILE <tab> CODE <tab> PATH, sorted by bytes, so that version control
 * shows the changes. Empty lines and those that begin with '#' are ignored. FILE is the path as the check
 * shows it, without "./"; control characters are escaped by put_visible. Offsets, values and messages are
 * left out because unrelated edits change them. Each line counts once: two findings with the same code and
 * path are two lines.
 */
#ifndef CLI_INPUTS_BASELINE_H
#define CLI_INPUTS_BASELINE_H

#include "../output/streams.h"

typedef struct baseline_entry {
    const char *line;
    uint64_t count;        /* identical lines */
    _Atomic uint64_t used; /* of them matched by findings */
} baseline_entry;

/* Zero-initialise it. */
typedef struct baseline {
    char *text;
    baseline_entry *entries; /* sorted */
    size_t count;
} baseline;

/* Returns an exit code, with a message on failure. Free in any case. */
int baseline_read(baseline *all, const char *path);
/* Whether the baseline has the finding; each line counts once. May be called by several threads. */
bool baseline_takes(baseline *all, const char *file, const mst_diagnostic *finding);
/* The number of its findings that no longer occur in the checked files: `checked` holds their paths, each
 * terminated by a NUL. */
uint64_t baseline_unused(const baseline *all, const stream *checked);
void baseline_free(baseline *all);

/* Appends the line for a finding. */
void baseline_put(stream *to, const char *file, const mst_diagnostic *finding);
/* Writes lines from baseline_put, sorted; returns an exit code. */
int baseline_write(const char *path, stream *lines);

#endif
