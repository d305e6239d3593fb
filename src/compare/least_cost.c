/* SPDX-License-Identifier: MIT */
/* The assignment of least cost: the Hungarian method, with potentials and shortest paths. */
#include "pairing.h"

typedef struct assign_state {
    const int64_t *costs;
    size_t n;
    int64_t *rows, *columns; /* potentials; row and column 0 represent none, the others count from 1 */
    int64_t *least, *row_of, *before, *used;
} assign_state;

/* Extends the path from the last reached column to the nearest one, which is returned. */
static size_t reach(assign_state *a, size_t column) {
    const size_t row = (size_t)a->row_of[column];
    int64_t delta = INT64_MAX;
    size_t next = 0;
    a->used[column] = 1;
    for (size_t j = 1; j <= a->n; j++) {
        if (a->used[j])
            continue;
        int64_t reduced = a->costs[(row - 1) * a->n + j - 1] - a->rows[row] - a->columns[j];
        if (reduced < a->least[j]) {
            a->least[j] = reduced;
            a->before[j] = (int64_t)column;
        }
        if (a->least[j] < delta) {
            delta = a->least[j];
            next = j;
        }
    }
    for (size_t j = 0; j <= a->n; j++)
        if (a->used[j]) {
            a->rows[a->row_of[j]] += delta;
            a->columns[j] -= delta;
        } else {
            a->least[j] -= delta;
        }
    return next;
}

void mst_assign(const int64_t *costs, size_t n, uint32_t *column_of_row, int64_t *scratch) {
    assign_state a = {.costs = costs, .n = n};
    int64_t **const parts[] = {&a.rows, &a.columns, &a.least, &a.row_of, &a.before, &a.used};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = scratch + i * (n + 1);
    memset(scratch, 0, 6 * (n + 1) * sizeof *scratch);
    for (size_t row = 1; row <= n; row++) {
        size_t column = 0;
        a.row_of[0] = (int64_t)row;
        for (size_t j = 0; j <= n; j++) {
            a.least[j] = INT64_MAX / 2;
            a.used[j] = 0;
        }
        do
            column = reach(&a, column);
        while (a.row_of[column]);
        for (; column; column = (size_t)a.before[column])
            a.row_of[column] = a.row_of[a.before[column]];
    }
    for (size_t j = 1; j <= n; j++)
        column_of_row[a.row_of[j] - 1] = (uint32_t)j - 1;
}
