/* SPDX-License-Identifier: MIT */
/* The destinations of rows of relations (mapstone/table.h): one sink for each kind of container. */
#ifndef CLI_SINKS_SINKS_H
#define CLI_SINKS_SINKS_H

#include <mapstone/table.h>
#include <stdbool.h>

/* The rows of one file of levels, which appear together or not at all. */
typedef struct file_rows {
    const char *name, *sha256; /* of the file */
    const mst_format_information *format;
    mst_table *const *tables; /* one for each relation of the sink */
} file_rows;

/* A text cell that has a value, `length` bytes. */
static inline const char *cell_text(const mst_table_column *column, size_t row, size_t *length) {
    const uint64_t begin = row ? column->ends[row - 1] : 0;
    *length = (size_t)(column->ends[row] - begin);
    return *length ? (const char *)column->bytes + begin : "";
}

/* Each returns false, with a message, on failure. */
typedef struct rows_sink rows_sink;
struct rows_sink {
    bool (*take)(rows_sink *to, const file_rows *rows);
    /* Ends and frees it; `keep`: the written rows are kept. */
    bool (*end)(rows_sink *to, bool keep);
    /* Whether an earlier run wrote a file with that name and content; may be called by several threads. NULL:
     * there are no earlier files. */
    bool (*has)(const rows_sink *to, const char *name, const char *sha256);
};

/* Writes one relation to a file or "-". `columns` is a table without rows; it is copied. NULL, with a
 * message, on failure. */
rows_sink *parquet_sink(const char *path, const char *relation, const mst_table *columns);
typedef enum lines_kind { LINES_JSON, LINES_CSV, LINES_CSV_SAFE } lines_kind;
rows_sink *lines_sink(const char *path, const mst_table *columns, lines_kind kind);

/* Writes all relations to a database; `update`: it may exist, and its content is kept. */
extern const char *const database_relations[];
#define DATABASE_RELATIONS 7
rows_sink *database_sink(const char *path, bool update);
bool databases_work(void); /* else prints that this build has no SQLite */

#endif
