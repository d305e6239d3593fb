/* SPDX-License-Identifier: MIT */
/* Rows in a directory of Parquet files. */
#ifndef CLI_SINKS_PARTITIONED_H
#define CLI_SINKS_PARTITIONED_H

#include "sinks.h"

typedef struct partition_options {
    const char *directory, *relation;
    bool by_family, by_format;
    unsigned part; /* the number in the files' names */
} partition_options;

rows_sink *partitioned_sink(const partition_options *how);

#endif
