/* SPDX-License-Identifier: MIT */
#include "zip_out.h"
#include "../inputs/paths.h"
#include "streams.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct zip_out {
    target file;
    const char *path;
    stream list; /* the central directory */
    uint64_t at;
    uint32_t count;
    uint32_t crc_table[256];
};

static void put16(stream *to, uint32_t value) {
    const char bytes[2] = {(char)(value & 0xFF), (char)(value >> 8 & 0xFF)};
    put(to, bytes, 2);
}

static void put32(stream *to, uint64_t value) {
    put16(to, (uint32_t)(value & 0xFFFF));
    put16(to, (uint32_t)(value >> 16 & 0xFFFF));
}

zip_out *zip_out_begin(const char *path) {
    zip_out *zip = need(calloc(1, sizeof *zip));
    zip->path = path;
    zip->list = stream_memory();
    if (!make_parents(path) || !target_begin(&zip->file, path)) {
        free(zip);
        return NULL;
    }
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        zip->crc_table[i] = crc;
    }
    return zip;
}

static uint32_t crc_of(const zip_out *zip, const unsigned char *bytes, size_t size) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ zip->crc_table[(crc ^ bytes[i]) & 0xFF];
    return ~crc;
}

/* The common part of a member's local header and its entry in the central directory. */
static void put_header(stream *to, uint32_t crc, size_t size, size_t name_length) {
    put16(to, 20);      /* version needed */
    put16(to, 1 << 11); /* the name is UTF-8 */
    put16(to, 0);       /* stored */
    put16(to, 0);       /* 00:00 on */
    put16(to, 0x21);    /* 1980-01-01 */
    put32(to, crc);
    put32(to, size);
    put32(to, size);
    put16(to, (uint32_t)name_length);
    put16(to, 0);
}

bool zip_out_add(zip_out *zip, const char *name, const void *bytes, size_t size) {
    size_t length = strlen(name);
    uint64_t more = 30 + (uint64_t)length + size;
    if (zip->count == 0xFFFF || length > 0xFFFF || size > UINT32_MAX - 1 ||
        zip->at + more + zip->list.size + 46 + length > UINT32_MAX - 1) {
        say(MST_ERROR, "%s: a zip holds no more than 65,535 files and 4 GiB; use a directory", zip->path);
        return false;
    }
    uint32_t crc = crc_of(zip, bytes, size);
    stream header = stream_memory();
    put32(&header, 0x04034B50);
    put_header(&header, crc, size, length);
    put(&header, name, length);
    put32(&zip->list, 0x02014B50);
    put16(&zip->list, 20);
    put_header(&zip->list, crc, size, length);
    put16(&zip->list, 0);
    put16(&zip->list, 0);
    put16(&zip->list, 0);
    put32(&zip->list, 0);
    put32(&zip->list, zip->at);
    put(&zip->list, name, length);
    mst_sink sink = target_sink(&zip->file);
    bool written = sink.write(sink.user, header.data, header.size) == MST_OK &&
                   sink.write(sink.user, bytes, size) == MST_OK;
    stream_free(&header);
    zip->at += more;
    zip->count++;
    return written;
}

bool zip_out_end(zip_out *zip, bool keep) {
    bool good = true;
    if (keep) {
        uint64_t size = zip->list.size;
        put32(&zip->list, 0x06054B50);
        put32(&zip->list, 0);
        put16(&zip->list, zip->count);
        put16(&zip->list, zip->count);
        put32(&zip->list, size);
        put32(&zip->list, zip->at);
        put16(&zip->list, 0);
        mst_sink sink = target_sink(&zip->file);
        good = sink.write(sink.user, zip->list.data, zip->list.size) == MST_OK;
        good = target_finish(&zip->file) && good;
    } else {
        target_abandon(&zip->file);
    }
    stream_free(&zip->list);
    free(zip);
    return good;
}
