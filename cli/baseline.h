/* SPDX-License-Identifier: MIT */
/*
 * Baselines: findings that are known and do not count.
 *
 * A text file of a line a finding, FILE <tab> CODE <tab> PATH, sorted by bytes, so that version control shows
 * what came and went. Lines that begin with '#' and empty ones are comments. FILE is the path as the check
 * shows it, without "./"; what a terminal would obey is written as put_visible does. Offsets, values and
 * messages are not in it: they move when other things are edited. A line stands for one finding; two findings
 * of one code and path are two lines.
 */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "output.h"

typedef struct baseline_entry {
    const char *line;
    uint64_t count;        /* findings that it stands for */
    _Atomic uint64_t used; /* of these were found */
} baseline_entry;

/* Begin with zeros. */
typedef struct baseline {
    char *text;
    baseline_entry *entries; /* sorted */
    size_t count;
} baseline;

/* Returns an exit code; has said what is wrong. Free in every case. */
int baseline_read(baseline *all, const char *path);
/* Whether a finding stands there; each line counts once. May be called by several threads. */
bool baseline_takes(baseline *all, const char *file, const mst_diagnostic *finding);
/* How many of its findings were not met in files that were checked: `checked` holds their paths, each ended
 * by a NUL. */
uint64_t baseline_unused(const baseline *all, const stream *checked);
void baseline_free(baseline *all);

/* Appends the line of a finding. */
void baseline_put(stream *to, const char *file, const mst_diagnostic *finding);
/* Writes lines that baseline_put made, sorted; returns an exit code. */
int baseline_write(const char *path, stream *lines);

#endif
