/* SPDX-License-Identifier: MIT */
/*
 * Many levels as rows, for bench/many_levels.py:
 *   bench_many_levels make DIRECTORY COUNT MIN MAX
 * writes sectors of Revenant with MIN to MAX objects, all different, 1,000 per folder;
 *   bench_many_levels measure LEVEL...
 * opens each and makes its tables; prints the processor time of opening and of each table, in seconds, and
 * the number of rows.
 */
#define _DEFAULT_SOURCE
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEMPLATES 16
#define MOST      400 /* objects */
#define SIDE      32  /* sectors of a level, along x and y */

/* A sector, and the offsets of its objects' ids. */
typedef struct sector {
    unsigned char *bytes;
    size_t size, count, ids[MOST];
} sector;

static int fail(const char *what, const mst_diagnostic *why) {
    fprintf(stderr, "%s: %s\n", what, why ? why->message : "it cannot be written");
    return 1;
}

/* ---- making ----------------------------------------------------------------------------------------- */

static mst_status write_json(mst_buffer *text, size_t count) {
    mst_sink to = mst_buffer_sink(text);
    char piece[600];
    int length =
        snprintf(piece, sizeof piece, "{\"$format\":\"revenant-sector\",\"version\":8,\"objects\":[");
    mst_status status = to.write(to.user, piece, (size_t)length);
    for (size_t k = 0; k < count && status == MST_OK; k++) {
        length = snprintf(
            piece, sizeof piece,
            "%s{\"object_version\":0,\"class\":\"tile\",\"unique_id\":%d,\"name\":\"Thing%d\",\"flags\":1,"
            "\"position\":[%d,%d,%d],\"state\":0,\"inventory_number\":-1,\"inventory_index\":-1,"
            "\"shadow\":-1,\"rotation_x\":0,\"rotation_y\":0,\"rotation_z\":%d,\"map_index\":%d,"
            "\"group\":0,\"stats\":[],\"inventory\":[]}",
            k ? "," : "", (int)k, (int)(k % 7), (int)(k * 25 % 1024), (int)(k * 17 % 1024), (int)(k % 64),
            (int)(k * 6 % 256), (int)k);
        status = to.write(to.user, piece, (size_t)length);
    }
    return status == MST_OK ? to.write(to.user, "]}", 2) : status;
}

static mst_status find_ids(const mst_document *document, sector *made) {
    mst_status status = MST_OK;
    for (size_t k = 0; k < made->count && status == MST_OK; k++) {
        char path[64];
        mst_value id;
        uint64_t offset;
        snprintf(path, sizeof path, "objects[%d].unique_id", (int)k);
        status = mst_find(mst_root(document), path, &id, NULL);
        if (status == MST_OK)
            mst_value_span(&id, &offset, NULL);
        made->ids[k] = status == MST_OK ? (size_t)offset : 0;
    }
    return status;
}

static mst_status make_template(sector *made, size_t count, mst_diagnostic *why) {
    mst_buffer text = {0};
    mst_document *document = NULL;
    made->count = count;
    mst_status status = write_json(&text, count);
    if (status == MST_OK)
        status = mst_open_json((const char *)text.data, text.size, NULL, &document, why);
    if (status == MST_OK)
        status = find_ids(document, made);
    if (status == MST_OK) {
        const void *bytes = mst_document_bytes(document, &made->size);
        made->bytes = malloc(made->size + 1);
        status = made->bytes ? MST_OK : MST_NO_MEMORY;
        if (made->bytes)
            memcpy(made->bytes, bytes, made->size);
    }
    mst_close(document);
    mst_buffer_free(&text);
    return status;
}

static void put_id(unsigned char *at, unsigned long id) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(id >> 8 * i);
}

static int make_one(const sector *from, const char *directory, unsigned long i) {
    char path[400];
    snprintf(path, sizeof path, "%s/%03lu", directory, i / 1000);
    if (i % 1000 == 0)
        mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%03lu/%lu_%lu_%lu.DAT", directory, i / 1000, i / (SIDE * SIDE),
             i / SIDE % SIDE, i % SIDE);
    for (size_t k = 0; k < from->count; k++)
        put_id(from->bytes + from->ids[k], i * MOST + k + 1);
    FILE *file = fopen(path, "wb");
    const int good = file && fwrite(from->bytes, 1, from->size, file) == from->size;
    return (!file || fclose(file) || !good) ? fail(path, NULL) : 0;
}

static int make(const char *directory, unsigned long count, size_t min, size_t max) {
    static sector templates[TEMPLATES];
    mst_diagnostic why = {0};
    mkdir(directory, 0777);
    for (size_t t = 0; t < TEMPLATES; t++)
        if (make_template(&templates[t], min + (max - min) * t / (TEMPLATES - 1), &why) != MST_OK)
            return fail("the template", &why);
    for (unsigned long i = 0; i < count; i++)
        if (make_one(&templates[i % TEMPLATES], directory, i))
            return 1;
    for (size_t t = 0; t < TEMPLATES; t++)
        free(templates[t].bytes);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 6 && strcmp(argv[1], "make") == 0) {
        const size_t min = strtoul(argv[4], NULL, 10), max = strtoul(argv[5], NULL, 10);
        if (min <= max && max <= MOST)
            return make(argv[2], strtoul(argv[3], NULL, 10), min, max);
    }
    fprintf(stderr, "usage: %s make DIRECTORY COUNT MIN MAX\n", argv[0]);
    return 2;
}
