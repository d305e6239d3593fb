/* SPDX-License-Identifier: MIT */
/*
 * Writes files like those of a large directory of Star Fox Adventures, without using the library: a bank of
 * blocks with its table (mod6.zlb.bin, mod6.tab) and a list of objects (animtest.romlist.zlb), packed as on
 * the disc:
 * bench_large_bank BLOCKS OBJECTS DIRECTORY
 */
#include "make_block.h"
#include <stdio.h>
#include <stdlib.h>

#if !MST_WITH_ZLIB
int main(void) {
    fprintf(stderr, "bench_large_bank: built without zlib\n");
    return 1;
}
#else
#include <zlib.h>

enum { CAPACITY = 0x40000, MAX = 0x7FF };

/* Writes a wrapper of 16 bytes and the stream, like the disc's own packer; returns their size. */
static size_t pack(const uint8_t *bytes, size_t size, uint8_t *to, size_t capacity) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size, .next_out = to + 16};
    z.avail_out = (uInt)(capacity - 16);
    if (deflateInit2(&z, 6, Z_DEFLATED, 13, 9, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        exit(2);
    memcpy(to, "ZLB", 4);
    mst_store32(to + 4, 1, true);
    mst_store32(to + 8, (uint32_t)size, true);
    mst_store32(to + 12, (uint32_t)z.total_out, true);
    deflateEnd(&z);
    return 16 + (size_t)z.total_out;
}

static size_t padded(size_t size) {
    return (size + 31) / 32 * 32;
}

static void write_file(const char *directory, const char *name, const uint8_t *bytes, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static void write_bank(uint32_t count, const char *directory) {
    static uint8_t table[4 * (MAX + 1) + 32], block[CAPACITY], packed[CAPACITY];
    uint8_t *bank = NULL;
    size_t size = 0, unpacked = 0;
    for (uint32_t i = 0; i < count; i++) {
        /* as in real banks, some are nearly empty, few are large */
        unsigned part = 1 + i * 7 % 8;
        const block_form form = {1 + part / 2, 80 * part, 128 * part, 16 * part, i + 1};
        memset(block, 0, sizeof block);
        size_t made = make_block(block, &form);
        snprintf((char *)block + 0xA4, 20, "mod6.%u", (unsigned)i % 64);
        size_t length = pack(block, made, packed, sizeof packed);
        uint8_t *larger = realloc(bank, size + padded(length));
        if (!larger)
            exit(2);
        bank = larger;
        memset(bank + size, 0, padded(length));
        memcpy(bank + size, packed, length);
        mst_store32(table + 4 * (size_t)i, 0x10000000 | (uint32_t)size, true);
        size += padded(length);
        unpacked += made;
    }
    if (size > 0xFFFFFF) {
        fprintf(stderr, "the offsets of so many blocks do not fit the table\n");
        exit(2);
    }
    mst_store32(table + 4 * (size_t)count, 0xFFFFFFFF, true);
    write_file(directory, "mod6.tab", table, padded(4 * (size_t)count + 4));
    write_file(directory, "mod6.zlb.bin", bank, size);
    fprintf(stderr, "%u blocks, %zu bytes, %zu unpacked\n", (unsigned)count, size, unpacked);
    free(bank);
}

/* Four frequent types: points of curves, crates, warps, small asteroids. */
static void write_objects(uint32_t count, const char *directory) {
    static const struct {
        uint16_t type;
        uint8_t words;
    } types[] = {{0x31C, 8}, {0x49F, 9}, {0x617, 13}, {0x6E, 13}};
    uint8_t *list = calloc(count, 60), *packed = malloc((size_t)count * 64 + 1024);
    if (!list || !packed)
        exit(2);
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) { /* curves are at the end */
        unsigned t = i < count / 2 ? i % 3 : 3;
        uint8_t *object = list + size;
        mst_store16(object, types[t].type, true);
        object[2] = types[t].words;
        for (unsigned k = 0; k < 3; k++) {
            float place = (float)((i * (k + 3) * 37) % 5120) / 4;
            uint32_t bits;
            memcpy(&bits, &place, 4);
            mst_store32(object + 8 + 4 * k, bits, true);
        }
        mst_store32(object + 0x14, 1000 + i, true);
        for (unsigned k = 0; t == 3 && k < 4; k++)
            mst_store32(object + 0x1C + 4 * k, k || i + 1 == count ? 0xFFFFFFFF : 1001 + i, true);
        size += 4 * (size_t)types[t].words;
    }
    size_t length = pack(list, size, packed, (size_t)count * 64 + 1024);
    memset(packed + length, 0, padded(length) - length);
    write_file(directory, "animtest.romlist.zlb", packed, padded(length));
    fprintf(stderr, "%u objects, %zu bytes, %zu unpacked\n", (unsigned)count, padded(length), size);
    free(list);
    free(packed);
}

int main(int argc, char **argv) {
    unsigned long blocks = argc == 4 ? strtoul(argv[1], NULL, 10) : 0,
                  objects = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
    if (!blocks || blocks > MAX - 1 || !objects || objects > 100000) {
        fprintf(stderr, "usage: bench_large_bank BLOCKS OBJECTS DIRECTORY\n");
        return 2;
    }
    write_bank((uint32_t)blocks, argv[3]);
    write_objects((uint32_t)objects, argv[3]);
    return 0;
}
#endif
