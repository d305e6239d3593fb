/* SPDX-License-Identifier: MIT */
/* The formats, and identifying the format of a file. */
#include "../core/diagnose.h"
#include "engine.h"
#include "opened.h"
#include <stdio.h>

size_t mst_format_count(void) {
    size_t count = 0;
    while (mst_formats[count])
        count++;
    return count;
}

const mst_format_information *mst_format_at(size_t index) {
    return index < mst_format_count() ? &mst_formats[index]->information : NULL;
}

const mst_format *mst_format_of(const mst_format_information *information) {
    for (size_t i = 0; mst_formats[i]; i++)
        if (&mst_formats[i]->information == information)
            return mst_formats[i];
    return NULL;
}

bool mst_format_is_drawn(const mst_format_information *information) {
    const mst_format *format = mst_format_of(information);
    return format &&
           (format->build_scene || MST_OPTION(format->parts, build) || MST_OPTION(format->images, count));
}

const mst_format *mst_format_named(const char *id, size_t length) {
    for (size_t i = 0; mst_formats[i]; i++)
        if (strlen(mst_formats[i]->information.id) == length &&
            memcmp(mst_formats[i]->information.id, id, length) == 0)
            return mst_formats[i];
    return NULL;
}

const mst_format *mst_probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                            mst_variant *variant) {
    for (size_t i = 0; mst_formats[i]; i++) {
        *variant = mst_default_variant(mst_formats[i]);
        if (mst_formats[i]->identity.probe(bytes, size, file_size, name, variant))
            return mst_formats[i];
    }
    return NULL;
}

void mst_describe_unknown(mst_diagnostic *diagnostic, const uint8_t *bytes, size_t size) {
    mst_fail(diagnostic, MST_UNKNOWN, "%s", size ? "no known format begins like this" : "the file is empty");
    if (!diagnostic || !size)
        return;
    diagnostic->offset = 0;
    diagnostic->length = size < 8 ? size : 8;
    size_t printable = 0, n = size < 24 ? size : 24;
    while (printable < n && ((bytes[printable] >= 32 && bytes[printable] < 127) || bytes[printable] == '\n' ||
                             bytes[printable] == '\r' || bytes[printable] == '\t'))
        printable++;
    if (printable == n) {
        char text[25];
        for (size_t i = 0; i < n; i++)
            text[i] = bytes[i] < 32 ? ' ' : (char)bytes[i];
        text[n] = 0;
        MST_SET(diagnostic->found, "text: %s", text);
        return;
    }
    char hex[3 * 8 + 1];
    size_t length = 0;
    for (size_t i = 0; i < diagnostic->length; i++)
        length += (size_t)snprintf(hex + length, sizeof hex - length, "%02x ", bytes[i]);
    hex[length - 1] = 0;
    MST_SET(diagnostic->found, "%s", hex);
}

const mst_format_information *mst_identify(const void *bytes, size_t size, uint64_t file_size,
                                           const char *name, mst_diagnostic *diagnostic) {
    mst_variant variant;
    if (!bytes) {
        bytes = "";
        size = 0;
    }
    const mst_format *format = mst_probe(bytes, size, file_size, name, &variant);
    if (!format)
        mst_describe_unknown(diagnostic, bytes, size);
    return format ? &format->information : NULL;
}

const mst_code_information *mst_code_at(const mst_format_information *information, size_t index) {
    const mst_format *format = mst_format_of(information);
    return format && index < format->check.codes->count ? &format->check.codes->items[index] : NULL;
}
