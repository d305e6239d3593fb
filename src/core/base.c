/* SPDX-License-Identifier: MIT */
#include "arena.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>

const char *mst_version(void) {
    return MST_VERSION;
}

const char *mst_status_text(mst_status status) {
    switch (status) {
    case MST_OK: return "ok";
    case MST_NO_MEMORY: return "no memory";
    case MST_IO: return "input or output failed";
    case MST_ARGUMENT: return "wrong argument";
    case MST_UNKNOWN: return "unknown format";
    case MST_DAMAGED: return "damaged";
    case MST_NO_PATH: return "no such path";
    case MST_REFUSED: return "refused";
    case MST_UNSUPPORTED: return "not supported by this build";
    case MST_STOPPED: return "stopped";
    }
    return "unknown status";
}

/* A text assembled in a fixed buffer; `length` is the complete text's, even if it does not fit. */
typedef struct pieces {
    char *text;
    size_t capacity, length;
} pieces;

static void add(pieces *all, const char *piece) {
    size_t length = strlen(piece);
    if (all->length < all->capacity) {
        size_t left = all->capacity - all->length;
        memcpy(all->text + all->length, piece, length < left ? length : left);
    }
    all->length += length;
}

size_t mst_diagnostic_text(const mst_diagnostic *diagnostic, char *text, size_t capacity) {
    if (!text)
        capacity = 0;
    if (capacity)
        text[0] = 0;
    if (!diagnostic)
        return 0;
    const mst_diagnostic *d = diagnostic;
    pieces all = {text, capacity, 0};
    if (d->path[0]) {
        add(&all, d->path);
        add(&all, ": ");
    }
    add(&all, d->message[0] ? d->message : mst_status_text(d->status));
    if (d->expected[0] || d->found[0]) {
        add(&all, d->expected[0] ? " (expected " : " (");
        add(&all, d->expected);
        if (d->found[0]) {
            add(&all, d->expected[0] ? ", found " : "found ");
            add(&all, d->found);
        }
        add(&all, ")");
    }
    if (d->code[0]) {
        add(&all, " [");
        add(&all, d->code);
        add(&all, "]");
    }
    if (d->offset != MST_NO_OFFSET) {
        char offset[64];
        snprintf(offset, sizeof offset, " at offset 0x%" PRIx64, d->offset);
        add(&all, offset);
        snprintf(offset, sizeof offset, "+0x%" PRIx64, d->inner);
        add(&all, d->packed ? offset : "");
        add(&all, d->file[0] ? " of " : "");
        add(&all, d->file);
    }
    if (capacity) {
        size_t end = all.length < capacity ? all.length : mst_utf8_cut(text, capacity, capacity - 1);
        text[end] = 0;
    }
    return all.length;
}

static mst_status write_memory(void *user, const void *data, size_t size) {
    mst_buffer *buffer = user;
    if (size > buffer->capacity - buffer->size) {
        if (size > SIZE_MAX - buffer->size)
            return MST_NO_MEMORY;
        size_t capacity = buffer->capacity * 2;
        if (capacity < buffer->size + size) /* also if doubling overflowed */
            capacity = buffer->size + size;
        if (capacity < 4096)
            capacity = 4096;
        mst_allocator allocator = mst_allocator_or_default(&buffer->allocator);
        unsigned char *grown = allocator.resize(allocator.user, buffer->data, buffer->capacity, capacity);
        while (!grown && capacity > buffer->size + size) { /* try with less, as long as it is enough */
            capacity = buffer->size + size + (capacity - buffer->size - size) / 2;
            grown = allocator.resize(allocator.user, buffer->data, buffer->capacity, capacity);
        }
        if (!grown)
            return MST_NO_MEMORY;
        buffer->data = grown;
        buffer->capacity = capacity;
    }
    if (size)
        memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return MST_OK;
}

mst_sink mst_buffer_sink(mst_buffer *buffer) {
    return (mst_sink){buffer ? write_memory : NULL, buffer};
}

void mst_buffer_free(mst_buffer *buffer) {
    if (!buffer)
        return;
    mst_allocator allocator = mst_allocator_or_default(&buffer->allocator);
    if (buffer->data)
        allocator.resize(allocator.user, buffer->data, buffer->capacity, 0);
    buffer->data = NULL;
    buffer->size = buffer->capacity = 0;
}
