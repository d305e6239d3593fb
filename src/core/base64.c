/* SPDX-License-Identifier: MIT */
#include "base64.h"
#include <string.h>

static int sextet_of(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

unsigned char *mst_base64_read(const char *text, size_t length, mst_arena *arena, size_t *size) {
    for (int padding = 0; padding < 2 && length && text[length - 1] == '='; padding++)
        length--;
    unsigned char *bytes = length % 4 == 1 ? NULL : mst_arena_take(arena, length / 4 * 3 + 3, 1);
    uint32_t bits = 0;
    *size = 0;
    for (size_t i = 0; i < length && bytes; i++) {
        const int sextet = sextet_of(text[i]);
        if (sextet < 0)
            return NULL;
        bits = bits << 6 | (uint32_t)sextet;
        if (i % 4)
            bytes[(*size)++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    return bytes;
}

static void write_group(mst_base64 *encoder) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *rest = encoder->rest;
    const uint32_t bits = (uint32_t)rest[0] << 16 | (uint32_t)rest[1] << 8 | rest[2];
    char *place = mst_output_reserve(encoder->out, 4);
    for (unsigned i = 0; i < 4; i++)
        place[i] = i <= encoder->fill ? digits[bits >> (18 - 6 * i) & 63] : '=';
    mst_output_advance(encoder->out, 4);
    encoder->fill = 0;
    memset(encoder->rest, 0, sizeof encoder->rest);
}

static mst_status write(void *user, const void *data, size_t size) {
    mst_base64 *encoder = user;
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        encoder->rest[encoder->fill++] = bytes[i];
        if (encoder->fill == 3)
            write_group(encoder);
    }
    return encoder->out->status;
}

mst_sink mst_base64_sink(mst_base64 *encoder) {
    return (mst_sink){write, encoder};
}

void mst_base64_end(mst_base64 *encoder) {
    if (encoder->fill)
        write_group(encoder);
}
