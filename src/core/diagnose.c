/* SPDX-License-Identifier: MIT */
#include "diagnose.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

/* The arguments may be the field itself, hence the detour. Fields are at most 200 bytes: see base.h. */
static void set_text(char *field, size_t capacity, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
static void set_text(char *field, size_t capacity, const char *format, va_list arguments) {
    char text[512];
    if (capacity == 0)
        return;
    int length = vsnprintf(text, sizeof text, format, arguments);
    size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    size_t limit = capacity < sizeof text - 1 ? capacity - 1 : sizeof text - 2;
    size = mst_utf8_cut(text, size, limit);
    memcpy(field, text, size);
    field[size] = 0;
}

void mst_diagnostic_set(char *field, size_t capacity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_text(field, capacity, format, arguments);
    va_end(arguments);
}

mst_status mst_fail(mst_diagnostic *diagnostic, mst_status status, const char *format, ...) {
    if (!diagnostic)
        return status;
    char message[sizeof diagnostic->message];
    va_list arguments;
    va_start(arguments, format);
    set_text(message, sizeof message, format, arguments);
    va_end(arguments);
    memset(diagnostic, 0, sizeof *diagnostic);
    diagnostic->status = status;
    diagnostic->severity = MST_ERROR;
    diagnostic->offset = MST_NO_OFFSET;
    memcpy(diagnostic->message, message, sizeof message);
    return status;
}
