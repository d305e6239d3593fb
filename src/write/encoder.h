/* SPDX-License-Identifier: MIT */
/* The encoder's state, which its files share. */
#ifndef MST_WRITE_ENCODER_H
#define MST_WRITE_ENCODER_H

#include "../core/json.h"
#include "../read/step.h"

typedef enum mst_frame_mode { FRAME_RECORD, FRAME_LIST, FRAME_CHUNKS } mst_frame_mode;

typedef struct mst_encode_frame {
    uint8_t mode; /* mst_frame_mode */
    uint8_t part; /* RECORD: the current one, as in mst_step */
    bool in_chunk;
    mst_step step; /* RECORD */
    const mst_field *field;
    const mst_record *record;
    const char *name; /* labels in paths */
    uint64_t index;
    mst_source source;
    size_t patch; /* CHUNKS: the beginning of the current chunk */
    /* RECORD: the size fields and their offsets (by mst_size_index), and the bounds of the parts */
    const mst_field *sizes[3];
    size_t size_offsets[3], begin, last_part, end;
    uint32_t context[MST_VARIABLES];
    uint32_t used; /* RECORD from JSON: keys that were used */
    uint64_t done, count;
    uint32_t cursor;       /* JSON: next child */
    mst_iterator iterator; /* document: next child */
    mst_value ahead;       /* RECORD from a document: the child visited last, if not void */
    /* of a record or list that is an archive */
    size_t archive;  /* its beginning */
    uint32_t blocks; /* number of blocks */
    uint32_t block;  /* the next one */
    uint32_t gap;    /* JSON: the next entry of "$gaps"; 0: none */
    uint32_t gap_end;
    uint64_t content_end; /* document: of the previous block */
    mst_archive old;      /* document */
    /* CHUNKS */
    const mst_chunks *chunks;
    uint32_t order; /* JSON: next node of "$order", 0: none */
    uint32_t order_left;
    uint64_t run; /* chunks of the current case left in the run */
    int which;
    uint32_t cursors[MST_CASES + 1]; /* JSON: next element of each repeated case */
    uint64_t lefts[MST_CASES + 1];   /* ... and how many are left */
    uint64_t stream_end;
    mst_chunk_cursor stream; /* document */
    uint32_t seen;           /* cases already written */
} mst_encode_frame;

#define FRAMES 4 /* some 900 bytes each; deeper nesting is allocated */

typedef struct mst_encoder {
    const mst_encode_request *request;
    mst_buffer *out;
    mst_diagnostic *diagnostic;
    mst_document shell; /* format, variant and plans, for functions that need a document */
    mst_encode_frame *frames;
    size_t depth, capacity;
    bool allocated;
    const char *name; /* labels of the value being encoded */
    uint64_t index;
    mst_encode_frame first_frames[FRAMES];
} mst_encoder;

/* ---- output ------------------------------------------------------------------------------------ */

/* `name` NULL: the failure is about the value being encoded. */
mst_status mst_encode_fail(const mst_encoder *e, mst_status status, const char *name, const char *message,
                           const char *expected, const char *found);
/* Room for `size` bytes of output; NULL: out of memory. */
uint8_t *mst_encode_reserve(mst_encoder *e, mst_span_kind kind, const mst_field *field, uint64_t size);
static inline bool mst_encodes_big(const mst_encoder *e, const mst_field *field) {
    return mst_big_in(field, e->request->variant);
}
mst_status mst_put_bits(mst_encoder *e, mst_span_kind span, const mst_field *field, uint8_t kind,
                        uint64_t value);
/* Writes a value, and a number before it. */
mst_status mst_put_integer(mst_encoder *e, const mst_field *field, uint8_t kind, uint64_t value);
mst_status mst_put_prefix(mst_encoder *e, const mst_field *field, uint8_t kind, uint64_t value);
mst_status mst_put_json_number(mst_encoder *e, const mst_field *field, const mst_json_node *node,
                               uint64_t *bits);
/* Writes the count of something with `count` code units, or checks it where the count is given elsewhere. */
mst_status mst_put_count(mst_encoder *e, const mst_field *field, const uint32_t *context, uint64_t count);
mst_status mst_put_bytes(mst_encoder *e, const mst_field *field, const uint32_t *context, const void *bytes,
                         size_t size);
mst_status mst_put_json_bytes(mst_encoder *e, const mst_field *field, const uint32_t *context, uint32_t at);
/* A text of one element with no bytes, as opposed to no element. */
mst_status mst_put_empty_element(mst_encoder *e, const mst_field *field);

/* ---- sources ----------------------------------------------------------------------------------- */

/* The value of a record's field; false if it has none. mst_source_field is quicker for fields in order. */
bool mst_source_member(mst_encode_frame *record, const char *name, mst_source *member);
bool mst_source_field(mst_encode_frame *record, const mst_field *field, mst_source *member);
/* The number of elements; 0 if it is not a list. */
uint64_t mst_source_count(const mst_source *source);
/* The number under "$end" and the like of an object, or "$end.models" for a list in it. */
bool mst_own_number(const mst_encode_frame *record, const char *key, const char *list, uint64_t *number);
const mst_json_node *mst_own_key(const mst_encode_frame *record, const char *key, const char *list);
bool mst_is_own_key(const mst_encode_frame *record, const mst_json_node *key);
mst_status mst_unused_key(mst_encoder *e, const mst_encode_frame *top);

/* ---- archives ---------------------------------------------------------------------------------- */

uint32_t mst_encode_blocks(mst_encode_frame *top);
mst_status mst_encode_archive(mst_encoder *e, mst_encode_frame *top, uint64_t blocks,
                              const mst_encode_frame *owner);
mst_status mst_encode_block(mst_encoder *e, mst_encode_frame *top);
void mst_encode_note(mst_encode_frame *top, const mst_source *block);

/* ---- chunks ------------------------------------------------------------------------------------ */

/* The field of a case, by its number; unknown chunks have the number after the last case. */
static inline const mst_field *mst_case_field(const mst_chunks *chunks, int which) {
    return which == chunks->case_count ? chunks->unknown : &chunks->cases[which].field;
}
/* Whether a list is made of the chunks of that case. */
static inline bool mst_is_repeated(const mst_chunks *chunks, const mst_field *field) {
    return field == chunks->unknown || (field->flags & MST_FIELD_REPEATED) != 0;
}
/* Ends the chunk of the innermost frame that is being written, if any, and begins the next one: `content` is
 * its value, `index` its label. MST_UNKNOWN after the last one. */
mst_status mst_encode_chunk(mst_encoder *e, mst_source *content, uint64_t *index);

#endif
