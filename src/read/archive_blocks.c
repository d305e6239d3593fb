/* SPDX-License-Identifier: MIT */
/* Indexed archives: a count, offsets, blocks. */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "engine.h"

mst_archive mst_archive_at(const mst_document *document, uint64_t offset, uint64_t end) {
    mst_archive archive = {MST_CHANGED(offset > end) ? end : offset, end, 0, document->variant.big};
    if (!MST_CHANGED(!mst_fits(offset, 8, end)))
        archive.count = mst_load32(document->data + offset, archive.big);
    if (MST_CHANGED(!mst_fits(offset, mst_archive_header(archive.count), end)))
        archive.count = 0;
    return archive;
}

uint64_t mst_archive_end(const mst_document *document, const mst_archive *archive) {
    if (MST_CHANGED(!mst_fits(archive->base, 8, archive->limit)))
        return 8;
    return mst_load32(document->data + archive->base + 4 + 4 * (uint64_t)archive->count, archive->big);
}

static mst_status bad_offset(const mst_document *document, const mst_archive *archive, uint32_t index,
                             uint64_t expected, const char *message, mst_diagnostic *diagnostic) {
    uint64_t at = archive->base + 4 + 4 * (uint64_t)index;
    mst_status status =
        mst_problem_at(document, diagnostic, MST_PROBLEM_OFFSET, at, 4, "offset %u %s", index, message);
    if (diagnostic) {
        MST_SET(diagnostic->expected, "at least %llu", (unsigned long long)expected);
        MST_SET(diagnostic->found, "%u", mst_load32(document->data + at, archive->big));
    }
    return status;
}

mst_status mst_archive_open(const mst_document *document, uint64_t offset, uint64_t end, bool last,
                            mst_archive *archive, mst_diagnostic *diagnostic) {
    if (!mst_fits(offset, 8, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                       "the header of an archive does not fit");
        if (diagnostic)
            MST_SET(diagnostic->expected, "8 bytes");
        return MST_DAMAGED;
    }
    *archive = (mst_archive){offset, end, 0, document->variant.big};
    archive->count = mst_load32(document->data + offset, archive->big);
    if (!archive->count)
        return MST_OK;
    uint64_t header = mst_archive_header(archive->count);
    if (!mst_fits(offset, header, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_COUNT, offset, 4, "the offsets do not fit");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu", (unsigned long long)((end - offset - 8) / 4));
            MST_SET(diagnostic->found, "%u", archive->count);
        }
        return MST_DAMAGED;
    }
    uint64_t before = header;
    for (uint32_t i = 0; i <= archive->count; i++) {
        uint64_t next = mst_load32(document->data + offset + 4 + 4 * (uint64_t)i, archive->big);
        if (next < before)
            return bad_offset(document, archive, i, before,
                              i ? "is less than the one before it" : "points into the header", diagnostic);
        before = next;
    }
    uint64_t available = end - offset;
    if (before <= available)
        return MST_OK;
    /* the last block's padding may be missing, but no block may begin in it */
    if (last && before < available + MST_BLOCK_ALIGN) {
        for (uint32_t i = 0; i < archive->count; i++)
            if (mst_load32(document->data + offset + 4 + 4 * (uint64_t)i, archive->big) > available) {
                bad_offset(document, archive, i, 0, "is past the end of the file", diagnostic);
                if (diagnostic)
                    MST_SET(diagnostic->expected, "at most %llu", (unsigned long long)available);
                return MST_DAMAGED;
            }
        return MST_OK;
    }
    mst_status status = mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset + header - 4, 4,
                                       "the archive runs past the end of the enclosing data");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "at most %llu", (unsigned long long)(end - offset));
        MST_SET(diagnostic->found, "%llu", (unsigned long long)before);
    }
    return status;
}
