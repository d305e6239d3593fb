/* SPDX-License-Identifier: MIT */
/*
 * Parquet, limited to what flat columns need: row groups of one data page (version 1) per column, values
 * PLAIN after definition levels in runs, packed by Snappy. The metadata is Thrift's compact protocol:
 * https://parquet.apache.org/docs/file-format/ and its parquet.thrift.
 */
#include "../../src/core/bytes.h"
#include "../../src/core/number.h"
#include "../output/streams.h"
#include "sinks.h"
#include "snappy.h"
#include <stdlib.h>
#include <string.h>

#define GROUP_ROWS  122880 /* rows that DuckDB reads at once */
#define GROUP_BYTES (32U << 20)
#define TAKEN_ROWS  4096 /* rows taken at once, column by column */

enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3 };
enum { CODEC_SNAPPY = 1 };
enum { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_TEXT = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

/* A written chunk of a column. */
typedef struct chunk {
    uint64_t offset, plain_size, size;
} chunk;

typedef struct column {
    char *name;
    mst_cell_type type;
    /* of the current row group: */
    stream levels, packed, values; /* `values`: less than a block that is not packed yet */
    uint64_t plain_size;           /* of what is packed */
    uint64_t run;                  /* number of final rows that share: */
    bool has;
} column;

typedef struct group {
    uint64_t rows;
    chunk *chunks; /* one for each column */
} group;

typedef struct parquet {
    rows_sink sink;
    target out;
    uint64_t offset;
    char *relation;
    column *columns;
    size_t column_count;
    uint64_t rows; /* in the current row group */
    group *groups;
    size_t group_count;
    snappy packing;
} parquet;

/* ---- thrift --------------------------------------------------------------------------------------- */

static void put_varint(stream *to, uint64_t number) {
    unsigned char bytes[10];
    size_t n = 0;
    for (; number >= 0x80; number >>= 7)
        bytes[n++] = (unsigned char)(number | 0x80);
    bytes[n++] = (unsigned char)number;
    put(to, bytes, n);
}

static void put_zigzag(stream *to, int64_t number) {
    const uint64_t twice = (uint64_t)number << 1;
    put_varint(to, number < 0 ? ~twice : twice);
}

/* The header of a field; `last` is the id of the previous field in the struct. */
static void put_field(stream *to, int *last, int id, int type) {
    const unsigned char byte = (unsigned char)((id - *last) << 4 | type);
    put(to, &byte, 1);
    *last = id;
}

static void put_number(stream *to, int *last, int id, int type, int64_t number) {
    put_field(to, last, id, type);
    put_zigzag(to, number);
}

static void put_thrift_text(stream *to, const char *text) {
    put_varint(to, strlen(text));
    put_text(to, text);
}

static void put_list(stream *to, int *last, int id, int type, size_t count) {
    put_field(to, last, id, THRIFT_LIST);
    const unsigned char byte = (unsigned char)((count < 15 ? count : 15) << 4 | (unsigned)type);
    put(to, &byte, 1);
    if (count >= 15)
        put_varint(to, count);
}

static void put_stop(stream *to) {
    put(to, "", 1);
}

/* ---- pages ---------------------------------------------------------------------------------------- */

static void put_u32(stream *to, uint32_t number) {
    mst_store32(stream_add(to, 4), number, false);
}

static void end_run(column *one) {
    if (!one->run)
        return;
    put_varint(&one->levels, one->run << 1);
    put(&one->levels, one->has ? "\1" : "", 1);
    one->run = 0;
}

static bool write_out(parquet *to, const stream *bytes) {
    const mst_sink sink = target_sink(&to->out);
    to->offset += bytes->size;
    return !bytes->size || sink.write(sink.user, bytes->data, bytes->size) == MST_OK;
}

static void put_page_header(stream *to, uint64_t rows, size_t plain_size, size_t size) {
    int last = 0, inner = 0;
    put_number(to, &last, 1, THRIFT_I32, 0); /* a data page */
    put_number(to, &last, 2, THRIFT_I32, (int64_t)plain_size);
    put_number(to, &last, 3, THRIFT_I32, (int64_t)size);
    put_field(to, &last, 5, THRIFT_STRUCT);
    put_number(to, &inner, 1, THRIFT_I32, (int64_t)rows);
    put_number(to, &inner, 2, THRIFT_I32, ENCODING_PLAIN);
    put_number(to, &inner, 3, THRIFT_I32, ENCODING_RLE);
    put_number(to, &inner, 4, THRIFT_I32, ENCODING_RLE);
    put_stop(to);
    put_stop(to);
}

/* Packs the first `size` bytes of the values: at once, while they are in the processor's cache. */
static void pack_values(parquet *to, column *one, size_t size) {
    const size_t before = one->packed.size;
    uint8_t *packed = stream_add(&one->packed, snappy_most(size));
    one->packed.size = before + snappy_pack(&to->packing, (const uint8_t *)one->values.data, size, packed);
    one->plain_size += size;
    one->values.size -= size;
    if (one->values.size)
        memmove(one->values.data, one->values.data + size, one->values.size);
}

/* The page is its levels, whose length is known only now, and the values. */
static bool write_chunk(parquet *to, column *one, chunk *made) {
    stream header = stream_memory(), plain = stream_memory(), levels = stream_memory();
    end_run(one);
    put_u32(&plain, (uint32_t)one->levels.size);
    put(&plain, one->levels.data, one->levels.size);
    if (one->values.size)
        pack_values(to, one, one->values.size);
    const size_t size = plain.size + (size_t)one->plain_size;
    uint8_t *packed = stream_add(&levels, SNAPPY_LENGTH + snappy_most(plain.size));
    levels.size = snappy_length(packed, (uint32_t)size);
    levels.size += snappy_pack(&to->packing, (const uint8_t *)plain.data, plain.size, packed + levels.size);
    const size_t packed_size = levels.size + one->packed.size;
    put_page_header(&header, to->rows, size, packed_size);
    *made = (chunk){to->offset, header.size + size, header.size + packed_size};
    const bool good = write_out(to, &header) && write_out(to, &levels) && write_out(to, &one->packed);
    stream_free(&header);
    stream_free(&plain);
    stream_free(&levels);
    one->levels.size = one->packed.size = 0;
    one->plain_size = 0;
    return good;
}

static bool end_group(parquet *to) {
    if (!to->rows || !to->column_count)
        return true;
    to->groups = need(realloc(to->groups, (to->group_count + 1) * sizeof *to->groups));
    group *made = &to->groups[to->group_count++];
    *made = (group){to->rows, need(calloc(to->column_count, sizeof *made->chunks))};
    bool good = true;
    for (size_t i = 0; i < to->column_count && good; i++)
        good = write_chunk(to, &to->columns[i], &made->chunks[i]);
    to->rows = 0;
    return good;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

/* Stores which rows have a value; returns their number. */
static size_t put_levels(column *one, const unsigned char *has, size_t rows) {
    size_t values = 0;
    for (size_t i = 0; i < rows; i++) {
        const bool is = has[i] != 0;
        if (is != one->has)
            end_run(one);
        one->has = is;
        one->run++;
        values += is;
    }
    return values;
}

static void put_texts(stream *to, const mst_table_column *from, size_t row, size_t rows, size_t values) {
    const uint64_t begin = row ? from->ends[row - 1] : 0;
    uint8_t *at = stream_add(to, 4 * values + (size_t)(from->ends[row + rows - 1] - begin));
    for (size_t i = row; i < row + rows; i++) {
        size_t length;
        if (!from->has[i])
            continue;
        const char *text = cell_text(from, i, &length);
        mst_store32(at, (uint32_t)length, false);
        memcpy(at + 4, text, length);
        at += 4 + length;
    }
}

static void put_fixed(stream *to, const mst_table_column *from, size_t row, size_t rows, size_t values) {
    uint8_t *at = stream_add(to, 8 * values);
    for (size_t i = row; i < row + rows; i++) {
        if (!from->has[i])
            continue;
        mst_store64(
            at, from->type == MST_CELL_REAL ? mst_bits_of_f64(from->reals[i]) : (uint64_t)from->integers[i],
            false);
        at += 8;
    }
}

static void put_rows(parquet *to, column *one, const mst_table_column *from, size_t row, size_t rows) {
    const size_t values = put_levels(one, from->has + row, rows);
    if (values)
        (from->type == MST_CELL_TEXT ? put_texts : put_fixed)(&one->values, from, row, rows, values);
    if (one->values.size >= SNAPPY_BLOCK)
        pack_values(to, one, one->values.size / SNAPPY_BLOCK * SNAPPY_BLOCK);
}

static bool take(rows_sink *sink, const file_rows *rows) {
    parquet *to = (parquet *)sink;
    const mst_table *table = rows->tables[0];
    size_t row = 0;
    while (row < table->row_count) {
        /* column by column, a number of rows that cannot make the group too large */
        const size_t left = table->row_count - row, room = GROUP_ROWS - (size_t)to->rows;
        size_t some = left < room ? left : room;
        if (some > TAKEN_ROWS)
            some = TAKEN_ROWS;
        size_t bytes = 0;
        for (size_t i = 0; i < to->column_count; i++) {
            put_rows(to, &to->columns[i], &table->columns[i], row, some);
            bytes += (size_t)to->columns[i].plain_size + to->columns[i].values.size;
        }
        row += some;
        to->rows += some;
        if ((to->rows >= GROUP_ROWS || bytes >= GROUP_BYTES) && !end_group(to))
            return false;
    }
    return true;
}

/* ---- the footer ----------------------------------------------------------------------------------- */

static int type_of(const column *one) {
    return one->type == MST_CELL_INTEGER ? TYPE_INT64
           : one->type == MST_CELL_REAL  ? TYPE_DOUBLE
                                         : TYPE_BYTE_ARRAY;
}

static void put_schema(stream *to, const parquet *of) {
    int last = 0;
    put_field(to, &last, 4, THRIFT_TEXT);
    put_thrift_text(to, of->relation);
    put_number(to, &last, 5, THRIFT_I32, (int64_t)of->column_count);
    put_stop(to);
    for (size_t i = 0; i < of->column_count; i++) {
        const column *one = &of->columns[i];
        last = 0;
        put_number(to, &last, 1, THRIFT_I32, type_of(one));
        put_number(to, &last, 3, THRIFT_I32, 1); /* optional */
        put_field(to, &last, 4, THRIFT_TEXT);
        put_thrift_text(to, one->name);
        if (one->type == MST_CELL_TEXT)
            put_number(to, &last, 6, THRIFT_I32, 0); /* UTF-8 */
        put_stop(to);
    }
}

static void put_chunk(stream *to, const column *one, const chunk *of, uint64_t rows) {
    int last = 0, inner = 0;
    put_number(to, &last, 2, THRIFT_I64, (int64_t)of->offset);
    put_field(to, &last, 3, THRIFT_STRUCT);
    put_number(to, &inner, 1, THRIFT_I32, type_of(one));
    put_list(to, &inner, 2, THRIFT_I32, 2);
    put_zigzag(to, ENCODING_PLAIN);
    put_zigzag(to, ENCODING_RLE);
    put_list(to, &inner, 3, THRIFT_TEXT, 1);
    put_thrift_text(to, one->name);
    put_number(to, &inner, 4, THRIFT_I32, CODEC_SNAPPY);
    put_number(to, &inner, 5, THRIFT_I64, (int64_t)rows);
    put_number(to, &inner, 6, THRIFT_I64, (int64_t)of->plain_size);
    put_number(to, &inner, 7, THRIFT_I64, (int64_t)of->size);
    put_number(to, &inner, 9, THRIFT_I64, (int64_t)of->offset);
    put_stop(to);
    put_stop(to);
}

static void put_group(stream *to, const parquet *of, const group *one) {
    int last = 0;
    uint64_t bytes = 0;
    put_list(to, &last, 1, THRIFT_STRUCT, of->column_count);
    for (size_t i = 0; i < of->column_count; i++) {
        put_chunk(to, &of->columns[i], &one->chunks[i], one->rows);
        bytes += one->chunks[i].plain_size;
    }
    put_number(to, &last, 2, THRIFT_I64, (int64_t)bytes);
    put_number(to, &last, 3, THRIFT_I64, (int64_t)one->rows);
    put_stop(to);
}

static void put_pair(stream *to, const char *key, const char *value) {
    int last = 0;
    put_field(to, &last, 1, THRIFT_TEXT);
    put_thrift_text(to, key);
    put_field(to, &last, 2, THRIFT_TEXT);
    put_thrift_text(to, value);
    put_stop(to);
}

static bool write_footer(parquet *to) {
    stream footer = stream_memory();
    int last = 0;
    uint64_t rows = 0;
    char version[16] = {0};
    mst_write_u64(version, MST_TABLE_SCHEMA);
    for (size_t i = 0; i < to->group_count; i++)
        rows += to->groups[i].rows;
    put_number(&footer, &last, 1, THRIFT_I32, 1);
    put_list(&footer, &last, 2, THRIFT_STRUCT, to->column_count + 1);
    put_schema(&footer, to);
    put_number(&footer, &last, 3, THRIFT_I64, (int64_t)rows);
    put_list(&footer, &last, 4, THRIFT_STRUCT, to->group_count);
    for (size_t i = 0; i < to->group_count; i++)
        put_group(&footer, to, &to->groups[i]);
    put_list(&footer, &last, 5, THRIFT_STRUCT, 2);
    put_pair(&footer, "mapstone.relation", to->relation);
    put_pair(&footer, "mapstone.schema", version);
    put_field(&footer, &last, 6, THRIFT_TEXT);
    put_thrift_text(&footer, "mapstone");
    put_stop(&footer);
    const uint32_t size = (uint32_t)footer.size;
    put_u32(&footer, size);
    put_text(&footer, "PAR1");
    const bool good = write_out(to, &footer);
    stream_free(&footer);
    return good;
}

/* ---- the file ------------------------------------------------------------------------------------- */

static void release(parquet *to) {
    for (size_t i = 0; i < to->column_count; i++) {
        free(to->columns[i].name);
        stream_free(&to->columns[i].values);
        stream_free(&to->columns[i].packed);
        stream_free(&to->columns[i].levels);
    }
    for (size_t i = 0; i < to->group_count; i++)
        free(to->groups[i].chunks);
    free(to->groups);
    free(to->columns);
    free(to->relation);
    free(to);
}

static bool end(rows_sink *sink, bool keep) {
    parquet *to = (parquet *)sink;
    bool good = keep && end_group(to) && write_footer(to);
    if (good)
        good = target_finish(&to->out);
    else
        target_abandon(&to->out);
    release(to);
    return good || !keep;
}

rows_sink *parquet_sink(const char *path, const char *relation, const mst_table *columns) {
    parquet *to = need(calloc(1, sizeof *to));
    to->sink = (rows_sink){.take = take, .end = end};
    to->relation = need(strdup(relation));
    to->column_count = columns->column_count;
    to->columns = need(calloc(columns->column_count + 1, sizeof *to->columns));
    for (size_t i = 0; i < to->column_count; i++)
        to->columns[i] = (column){.name = need(strdup(columns->columns[i].name)),
                                  .type = columns->columns[i].type,
                                  .values = stream_memory(),
                                  .packed = stream_memory(),
                                  .levels = stream_memory()};
    stream magic = stream_memory();
    put_text(&magic, "PAR1");
    const bool good = target_begin(&to->out, path) && write_out(to, &magic);
    stream_free(&magic);
    if (good)
        return &to->sink;
    release(to);
    return NULL;
}
