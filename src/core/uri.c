/* SPDX-License-Identifier: MIT */
#include "uri.h"
#include <string.h>

static int digit_of(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

bool mst_uri_file_name(const char *uri, size_t length, char name[MST_URI_CAPACITY]) {
    size_t written = 0;
    if (!length || length >= MST_URI_CAPACITY || uri[0] == '/')
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = uri[i];
        if (c == ':')
            return false;
        if (c == '%' && length - i > 2 && digit_of(uri[i + 1]) >= 0 && digit_of(uri[i + 2]) >= 0) {
            c = (char)(digit_of(uri[i + 1]) * 16 + digit_of(uri[i + 2]));
            i += 2;
        }
        name[written++] = c;
    }
    name[written] = 0;
    return strlen(name) == written && !strstr(name, "..");
}

bool mst_uri_is_data(const char *uri, size_t length, size_t *begin) {
    static const char before[] = ";base64,";
    if (length < 5 || memcmp(uri, "data:", 5) != 0)
        return false;
    for (size_t i = 5; i + sizeof before - 1 <= length && uri[i] != ','; i++)
        if (memcmp(uri + i, before, sizeof before - 1) == 0) {
            *begin = i + sizeof before - 1;
            return true;
        }
    return false;
}

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
