/* SPDX-License-Identifier: MIT */
/* Writing levels and clipboards chunk by chunk. After the first failure nothing is written or reported. */
#ifndef MST_FORMATS_NS2_WRITING_H
#define MST_FORMATS_NS2_WRITING_H

#include "ns2.h"

typedef struct mst_ns2_writer {
    mst_buffer *out;
    mst_status status; /* the first failure */
    mst_diagnostic *diagnostic;
    mst_report_function report; /* receives reports of lost data; may be NULL */
    void *user;
    mst_severity severity; /* of these reports */
} mst_ns2_writer;

void mst_ns2_put(mst_ns2_writer *w, const void *bytes, uint64_t size);
void mst_ns2_put_u32(mst_ns2_writer *w, uint32_t number);
void mst_ns2_put_u64(mst_ns2_writer *w, uint64_t number);
/* Bytes of a document. */
void mst_ns2_copy(mst_ns2_writer *w, const mst_document *document, uint64_t from, uint64_t to);
void mst_ns2_copy_value(mst_ns2_writer *w, const mst_value *value);

/* Writes the header of a chunk; returns the offset of its content, for mst_ns2_end, which fills in the
 * length. */
size_t mst_ns2_begin(mst_ns2_writer *w, uint32_t id);
void mst_ns2_end(mst_ns2_writer *w, size_t begin);

/* Reports that bytes of the input are left out: why, and their path. */
void mst_ns2_lose(mst_ns2_writer *w, uint64_t offset, uint64_t length, const char *why, const char *path, ...)
    __attribute__((format(printf, 5, 6)));
void mst_ns2_lose_value(mst_ns2_writer *w, const mst_value *value, const char *why, const char *path, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails with a diagnosis, if nothing has failed before. */
void mst_ns2_refuse(mst_ns2_writer *w, const char *path, const char *message);
/* The status; a lack of memory gets its diagnosis. */
mst_status mst_ns2_written(const mst_ns2_writer *w);

#endif
