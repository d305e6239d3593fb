/* SPDX-License-Identifier: MIT */
#include "writing.h"
#include "../../core/diagnose.h"
#include <stdarg.h>
#include <stdio.h>

void mst_ns2_put(mst_ns2_writer *w, const void *bytes, uint64_t size) {
    mst_sink sink = mst_buffer_sink(w->out);
    if (w->status == MST_OK)
        w->status = sink.write(sink.user, bytes, (size_t)size);
}

void mst_ns2_put_u32(mst_ns2_writer *w, uint32_t number) {
    uint8_t bytes[4];
    mst_store32(bytes, number, false);
    mst_ns2_put(w, bytes, sizeof bytes);
}

void mst_ns2_put_u64(mst_ns2_writer *w, uint64_t number) {
    mst_ns2_put_u32(w, (uint32_t)number);
    mst_ns2_put_u32(w, (uint32_t)(number >> 32));
}

void mst_ns2_copy(mst_ns2_writer *w, const mst_document *document, uint64_t from, uint64_t to) {
    if (from < to)
        mst_ns2_put(w, document->data + from, to - from);
}

void mst_ns2_copy_value(mst_ns2_writer *w, const mst_value *value) {
    mst_ns2_copy(w, value->document, value->offset, mst_value_after(value));
}

size_t mst_ns2_begin(mst_ns2_writer *w, uint32_t id) {
    mst_ns2_put_u32(w, id);
    mst_ns2_put_u32(w, 0);
    return w->out->size;
}

void mst_ns2_end(mst_ns2_writer *w, size_t begin) {
    size_t size = w->out->size - begin;
    if (MST_CHANGED(size > UINT32_MAX)) /* its contents were copied from shorter chunks */
        mst_ns2_refuse(w, "", "a chunk is too large for its length");
    if (w->status == MST_OK)
        mst_store32(w->out->data + begin - 4, (uint32_t)size, false);
}

static void lose(mst_ns2_writer *w, uint64_t offset, uint64_t length, const char *why, const char *path,
                 va_list list) __attribute__((format(printf, 5, 0)));
static void lose(mst_ns2_writer *w, uint64_t offset, uint64_t length, const char *why, const char *path,
                 va_list list) {
    if (w->status != MST_OK || !w->report)
        return;
    mst_diagnostic loss;
    memset(&loss, 0, sizeof loss);
    loss.severity = w->severity;
    loss.offset = offset;
    loss.length = length;
    MST_SET(loss.message, "%s", why);
    vsnprintf(loss.path, sizeof loss.path, path, list);
    w->status = w->report(w->user, &loss);
}

void mst_ns2_lose(mst_ns2_writer *w, uint64_t offset, uint64_t length, const char *why, const char *path,
                  ...) {
    va_list list;
    va_start(list, path);
    lose(w, offset, length, why, path, list);
    va_end(list);
}

void mst_ns2_lose_value(mst_ns2_writer *w, const mst_value *value, const char *why, const char *path, ...) {
    va_list list;
    va_start(list, path);
    lose(w, value->offset, mst_value_after(value) - value->offset, why, path, list);
    va_end(list);
}

void mst_ns2_refuse(mst_ns2_writer *w, const char *path, const char *message) {
    if (w->status != MST_OK)
        return;
    w->status = mst_fail(w->diagnostic, MST_REFUSED, "%s", message);
    if (w->diagnostic)
        MST_SET(w->diagnostic->path, "%s", path);
}

mst_status mst_ns2_written(const mst_ns2_writer *w) {
    return w->status == MST_NO_MEMORY
               ? mst_fail(w->diagnostic, MST_NO_MEMORY, "not enough memory for the result")
               : w->status;
}
