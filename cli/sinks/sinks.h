/* SPDX-License-Identifier: MIT */
/* Where the rows of relations (mapstone/table.h) are written: one sink for each kind of container. */
#ifndef CLI_SINKS_SINKS_H
#define CLI_SINKS_SINKS_H

#include <mapstone/table.h>
#include <stdbool.h>

/* The rows of one file of levels, which appear together or not at all. */
typedef struct file_rows {
    const char *name, *sha256; /* of the file */
    const mst_format_information *format;
    mst_table *const *tables; /* one for each relation that the sink was made for */
} file_rows;

/* A text cell that is there, `length` bytes. */
static inline const char *cell_text(const mst_table_column *column, size_t row, size_t *length) {
    const uint64_t begin = row ? column->ends[row - 1] : 0;
    *length = (size_t)(column->ends[row] - begin);
    return *length ? (const char *)column->bytes + begin : "";
}

/* Each returns false, with a message, on failure. */
typedef struct rows_sink rows_sink;
struct rows_sink {
    bool (*take)(rows_sink *to, const file_rows *rows);
    /* Ends and frees it; `keep`: what was written is to stay. */
    bool (*end)(rows_sink *to, bool keep);
    /* Whether a file of that name and content is there from before; may be called by several threads. NULL:
     * nothing is. */
    bool (*has)(const rows_sink *to, const char *name, const char *sha256);
};

/* Of one relation, to a file or "-". `columns` is a table without rows, which is copied. NULL, with a
 * message, on failure. */
rows_sink *parquet_sink(const char *path, const char *relation, const mst_table *columns);
typedef enum lines_kind { LINES_JSON, LINES_CSV, LINES_CSV_SAFE } lines_kind;
rows_sink *lines_sink(const char *path, const mst_table *columns, lines_kind kind);

/* Of all relations, to a database; `update`: it may be there, and what it has is kept. */
extern const char *const database_relations[];
#define DATABASE_RELATIONS 7
rows_sink *database_sink(const char *path, bool update);
bool databases_work(void); /* else with a message: this build has no SQLite */

#endif
