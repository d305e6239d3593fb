/* SPDX-License-Identifier: MIT */
#include "added.h"
#include <string.h>

bool added_column_at(const mst_format_information *format, size_t index, char name[ADDED_COLUMN]) {
    const char *at = format->added_columns ? format->added_columns : "";
    for (; index && *at; index--)
        at += strcspn(at, " ") + strspn(at + strcspn(at, " "), " ");
    size_t length = strcspn(at, " ");
    if (!length || length >= ADDED_COLUMN)
        return false;
    memcpy(name, at, length);
    name[length] = 0;
    return true;
}

bool is_added_column(const mst_format_information *format, const char *title) {
    const size_t wanted = strlen(title);
    size_t length;
    for (const char *at = format->added_columns ? format->added_columns : ""; *at; at += length) {
        length = strcspn(at, " ");
        if (length == wanted && !memcmp(at, title, length))
            return true;
        length += at[length] == ' ';
    }
    return false;
}

bool added_text(const mst_value *element, const char *title, const mst_resolver *sidecars,
                char text[ADDED_TEXT]) {
    return mst_added_column(element, title, sidecars, text, ADDED_TEXT) == MST_OK && *text;
}
