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
