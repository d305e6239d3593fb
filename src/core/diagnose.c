/* SPDX-License-Identifier: MIT */
#include "diagnose.h"
#include "text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char cut_mark[] = "...";

/* The arguments may include the field itself, hence the copy. No field is larger than the path: see base.h.
 */
static void set_text(char *field, size_t capacity, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
static void set_text(char *field, size_t capacity, const char *format, va_list arguments) {
    char text[sizeof((mst_diagnostic *)0)->path + 1];
    if (capacity == 0)
        return;
    if (capacity > sizeof text - 1)
        capacity = sizeof text - 1;
    int length = vsnprintf(text, sizeof text, format, arguments);
    size_t size = length < 0 ? 0 : (size_t)length;
    if (size >= capacity) { /* `text` is at least one byte larger than the field */
        bool marked = capacity > 2 * (sizeof cut_mark);
        size = mst_utf8_cut(text, capacity, capacity - (marked ? sizeof cut_mark : 1));
        memcpy(text + size, cut_mark, marked ? sizeof cut_mark - 1 : 0);
        size += marked ? sizeof cut_mark - 1 : 0;
    }
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

mst_status mst_damaged(mst_diagnostic *diagnostic, const char *code, uint64_t offset, uint64_t length,
                       const char *message) {
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "%s", code);
        diagnostic->offset = offset;
        diagnostic->length = length;
    }
    return MST_DAMAGED;
}

mst_status mst_take_options(void *to, size_t capacity, const void *options, mst_diagnostic *diagnostic) {
    size_t size = 0;
    if (options) {
        memcpy(&size, options, sizeof size);
        if (size < sizeof size)
            return mst_fail(diagnostic, MST_ARGUMENT,
                            "options begin with their size: {.size = sizeof options}");
        memcpy(to, options, size < capacity ? size : capacity);
    }
    memcpy(to, &capacity, sizeof capacity);
    return MST_OK;
}

const char *mst_severity_word(mst_severity severity) {
    static const char *const words[] = {"information", "warning", "error"};
    return words[severity];
}
