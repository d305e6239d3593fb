/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <stdarg.h>
#include <stdio.h>

void mst_output_begin(mst_output *output, mst_sink sink) {
    output->sink = sink;
    output->status = MST_OK;
    output->written = 0;
    output->fill = 0;
}

void mst_output_flush(mst_output *output) {
    if (output->fill && output->status == MST_OK)
        output->status = output->sink.write(output->sink.user, output->buffer, output->fill);
    output->fill = 0;
}

mst_status mst_output_end(mst_output *output) {
    mst_output_flush(output);
    return output->status;
}

void mst_output_bytes(mst_output *output, const void *data, size_t size) {
    if (size > MST_OUTPUT_CAPACITY - output->fill) {
        mst_output_flush(output);
        if (size >= MST_OUTPUT_CAPACITY) {
            if (output->status == MST_OK)
                output->status = output->sink.write(output->sink.user, data, size);
            output->written += size;
            return;
        }
    }
    if (size)
        memcpy(output->buffer + output->fill, data, size);
    mst_output_advance(output, size);
}

void mst_output_format(mst_output *output, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length =
        vsnprintf(output->buffer + output->fill, MST_OUTPUT_CAPACITY - output->fill, format, arguments);
    if (length >= 0 && (size_t)length >= MST_OUTPUT_CAPACITY - output->fill) {
        mst_output_flush(output);
        length = vsnprintf(output->buffer, MST_OUTPUT_CAPACITY, format, again);
    }
    va_end(again);
    va_end(arguments);
    if (length >= 0 && length < MST_OUTPUT_CAPACITY)
        mst_output_advance(output, (size_t)length);
    else if (output->status == MST_OK)
        output->status = MST_ARGUMENT; /* too long: the caller must use mst_output_text */
}
