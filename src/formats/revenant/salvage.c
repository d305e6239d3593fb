/* SPDX-License-Identifier: MIT */
/*
 * Recovers the intact objects of a damaged sector. From version 4 on, objects have sizes, so a damaged one
 * can be skipped. An empty slot replaces it, so that the others keep their indices.
 */
#include "../../core/diagnose.h"
#include "../../core/unreachable.h"
#include "revenant.h"
#include <stdio.h>

typedef struct salvage {
    const uint8_t *bytes;
    size_t size;
    mst_variant variant;
    mst_sink out;
    mst_report_function report;
    void *user;
    const mst_open_options *options;
} salvage;

static mst_status write_bytes(const salvage *s, const void *bytes, size_t size) {
    return s->out.write(s->out.user, bytes, size);
}

/* Tests a record by opening it as the only object of a sector. */
static mst_status try_object(const salvage *s, uint64_t offset, uint64_t length, size_t header,
                             mst_diagnostic *why) {
    mst_buffer alone = {.allocator = mst_allocator_or_default(&s->options->allocator)};
    mst_sink sink = mst_buffer_sink(&alone);
    uint8_t one[4];
    mst_store32(one, 1, false);
    mst_status status = sink.write(sink.user, s->bytes, header);
    if (status == MST_OK)
        status = sink.write(sink.user, one, sizeof one);
    if (status == MST_OK)
        status = sink.write(sink.user, s->bytes + offset, (size_t)length);
    mst_document *document = NULL;
    mst_open_options opening = {
        .size = sizeof opening, .format = "revenant-sector", .allocator = alone.allocator};
    if (status == MST_OK)
        status = mst_open_memory(alone.data, alone.size, &opening, &document, why);
    mst_close(document);
    mst_buffer_free(&alone);
    if (status != MST_DAMAGED)
        return status;
    /* everything before the object is valid */
    if (MST_UNREACHABLE(why->offset == MST_NO_OFFSET || why->offset < header + 4))
        return status;
    why->offset += offset - header - 4;
    return status;
}

/* Reports the fault of an object, with its path in the complete sector. */
static mst_status report(const salvage *s, const mst_diagnostic *why, uint64_t index) {
    if (!s->report)
        return MST_OK;
    mst_diagnostic reported = *why;
    char path[sizeof reported.path];
    mst_path_step(path, sizeof path, 0, "objects", index);
    const char *after = why->path + strlen("objects[0]");
    if (MST_UNREACHABLE(strncmp(why->path, "objects[0]", 10) != 0)) /* it is the only object */
        after = "";
    MST_SET(reported.path, "%s%s", path, after);
    reported.severity = MST_ERROR;
    return s->report(s->user, &reported);
}

/* The bytes of the record at `offset`, 0 if its size runs past the end. */
static uint64_t record_length(const salvage *s, uint64_t offset) {
    uint32_t version = s->variant.version;
    if (!mst_fits(offset, 2, s->size))
        return 0;
    if ((int16_t)mst_load16(s->bytes + offset, false) < 0)
        return 2;
    uint64_t header = version >= 14 ? 12 : version >= 8 ? 10 : 8;
    if (!mst_fits(offset, header, s->size))
        return 0;
    uint64_t at = offset + header - (version >= 14 ? 4 : 2);
    uint64_t size = mst_load16(s->bytes + at, false);
    if (version >= 14 && s->variant.layout == 1)
        size = mst_load16(s->bytes + at + 2, false);
    return mst_fits(offset + header, size, s->size) ? header + size : 0;
}

mst_status mst_revenant_salvage(const uint8_t *bytes, size_t size, mst_variant variant,
                                const mst_open_options *options, mst_buffer *repaired) {
    salvage s = {bytes,  size, variant, mst_buffer_sink(repaired), options->report, options->report_user,
                 options};
    size_t header = variant.version >= 14 ? 12 : 8;
    if (variant.version < 4 || variant.version > 15 || size < header + 4)
        return MST_UNSUPPORTED;
    uint32_t count = mst_load32(bytes + header, false);
    size_t count_offset = header;
    mst_status status = write_bytes(&s, bytes, header + 4);
    uint64_t offset = header + 4;
    uint32_t found = 0;
    while (status == MST_OK && found < count) {
        uint64_t length = record_length(&s, offset);
        if (!length)
            break;
        mst_diagnostic why;
        memset(&why, 0, sizeof why);
        why.offset = MST_NO_OFFSET;
        mst_status opened = length == 2 ? MST_OK : try_object(&s, offset, length, header, &why);
        if (opened == MST_NO_MEMORY)
            return opened;
        if (opened == MST_OK)
            status = write_bytes(&s, bytes + offset, (size_t)length);
        else
            status = report(&s, &why, found);
        static const uint8_t empty[2] = {0xFF, 0xFF};
        if (opened != MST_OK && status == MST_OK)
            status = write_bytes(&s, empty, sizeof empty);
        offset += length;
        found++;
    }
    if (status != MST_OK)
        return status;
    mst_store32(repaired->data + count_offset, found, false);
    if (found < count && s.report) {
        mst_diagnostic lost;
        memset(&lost, 0, sizeof lost);
        mst_fail(&lost, MST_DAMAGED, "the objects from here on are lost");
        lost.severity = MST_ERROR;
        MST_SET(lost.code, "REV-COUNT");
        mst_path_step(lost.path, sizeof lost.path, 0, "objects", found);
        lost.offset = offset;
        lost.length = size - offset;
        MST_SET(lost.expected, "%u objects", count);
        MST_SET(lost.found, "%u", found);
        return s.report(s.user, &lost);
    }
    return found < count ? MST_OK : write_bytes(&s, bytes + offset, (size_t)(size - offset));
}
