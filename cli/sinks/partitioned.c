/* SPDX-License-Identifier: MIT */
/* A directory of Parquet files, one for each family or format, with names that Spark, DuckDB and Polars read
 * as columns (as Hive does): family=ns2/format=ns2-level/part-0001.parquet. */
#define _GNU_SOURCE
#include "partitioned.h"
#include "../inputs/paths.h"
#include "../output/streams.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
    char *path;
    rows_sink *sink;
} part;

typedef struct partitioned {
    rows_sink sink;
    partition_options how;
    part *parts;
    size_t part_count;
} partitioned;

static char *path_of(const partitioned *to, const mst_format_information *format) {
    stream path = stream_memory();
    put_text(&path, to->how.directory);
    if (path.size && path.data[path.size - 1] != '/')
        put_text(&path, "/");
    if (to->how.by_family)
        print(&path, "family=%.*s/", (int)strcspn(format->id, "-"), format->id);
    if (to->how.by_format)
        print(&path, "format=%s/", format->id);
    print(&path, "part-%04u.parquet", to->how.part);
    put(&path, "", 1);
    return path.data;
}

/* Takes ownership of the path. NULL, with a message, on failure. */
static rows_sink *sink_at(partitioned *to, char *path, const mst_table *columns) {
    for (size_t i = 0; i < to->part_count; i++)
        if (!strcmp(to->parts[i].path, path)) {
            free(path);
            return to->parts[i].sink;
        }
    rows_sink *made = make_parents(path) ? parquet_sink(path, to->how.relation, columns) : NULL;
    if (!made) {
        free(path);
        return NULL;
    }
    to->parts = need(realloc(to->parts, (to->part_count + 1) * sizeof *to->parts));
    to->parts[to->part_count++] = (part){path, made};
    return made;
}

static bool take(rows_sink *sink, const file_rows *rows) {
    partitioned *to = (partitioned *)sink;
    rows_sink *in = sink_at(to, path_of(to, rows->format), rows->tables[0]);
    return in && in->take(in, rows);
}

static bool end(rows_sink *sink, bool keep) {
    partitioned *to = (partitioned *)sink;
    bool good = true;
    for (size_t i = 0; i < to->part_count; i++) {
        good = to->parts[i].sink->end(to->parts[i].sink, keep) && good;
        free(to->parts[i].path);
    }
    free(to->parts);
    free(to);
    return good;
}

rows_sink *partitioned_sink(const partition_options *how) {
    partitioned *to = need(calloc(1, sizeof *to));
    to->sink = (rows_sink){.take = take, .end = end};
    to->how = *how;
    return &to->sink;
}
