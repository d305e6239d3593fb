/* SPDX-License-Identifier: MIT */
/* The walker's internals, shared by walk.c and walk_chunks.c. */
#ifndef MST_READ_WALKER_H
#define MST_READ_WALKER_H

#include "step.h"

typedef enum frame_mode { FRAME_RECORD, FRAME_LIST, FRAME_CHUNKS } frame_mode;

typedef struct frame {
    uint8_t mode;     /* frame_mode */
    bool met;         /* its BEGIN was reported, so its END must be */
    bool exact;       /* must end exactly at `end` */
    bool in_chunk;    /* FRAME_CHUNKS: inside a chunk's content */
    bool in_list;     /* FRAME_CHUNKS by case: inside the list of a repeated case */
    bool outer_exact; /* FRAME_RECORD: fields outside the sizes must end exactly at `outer` */
    uint32_t block;   /* next block of an archive */
    uint32_t levels;  /* frames since the nearest enclosing one whose end is noted */
    const mst_field *field;
    const mst_record *record;
    const mst_run *runs; /* FRAME_RECORD: fields to skip; NULL: none */
    const char *name;    /* label in paths; "" none */
    uint64_t index;      /* label in paths; UINT64_MAX none */
    uint64_t start, end;
    union {
        struct {                 /* FRAME_RECORD and FRAME_LIST */
            mst_step step;       /* FRAME_RECORD */
            uint64_t outer;      /* FRAME_RECORD: end of all parts (`end`: current); FRAME_LIST: start */
            mst_archive archive; /* of a record that is an archive, or of a list of its blocks */
            uint64_t done, count, element;
            size_t noted; /* FRAME_RECORD: index of its entry in mst_ends; SIZE_MAX: none */
        };
        struct { /* FRAME_CHUNKS */
            const mst_chunks *chunks;
            const char *content; /* name of the field in the chunk */
            uint64_t chunk_end;
            mst_chunk_cursor cursor;
            uint32_t counters[MST_CASES + 1]; /* chunks of each case so far */
            uint16_t next;                    /* by case: the current one */
        };
    };
    uint32_t context[MST_VARIABLES];
} frame;

#define FRAMES 6 /* 300 bytes each, and walks can start others; deeper nesting is allocated */

typedef struct walker {
    const mst_walk_request *request;
    const mst_document *document;
    mst_diagnostic *diagnostic;
    mst_visitor visitor; /* the request's; NULL while it skips a field that is not visited */
    uint64_t position;
    frame *frames;
    size_t depth, capacity;
    bool allocated;
    bool too_deep;
    frame first_frames[FRAMES];
} walker;

/* The label of an item in paths (frames) and for the visitor; they differ below an inline record. */
typedef struct label {
    const char *name;
    uint64_t index;
    bool silent; /* the path already contains it */
} label;

/* The item at the walker's position. Each member is assigned separately: with a partial initialiser,
 * compilers clear the structure first, which takes longer than the rest of the work for a field. */
static inline mst_item item_at(const walker *w, mst_item_kind kind, const mst_field *field,
                               const uint32_t *context, const char *name, uint64_t index, uint64_t limit) {
    mst_item item;
    item.kind = kind;
    item.field = field;
    item.record = NULL;
    item.chunks = NULL;
    item.context = context;
    item.name = name;
    item.index = index;
    item.offset = w->position;
    item.length = 0;
    item.limit = limit;
    item.shape.prefix = item.shape.count = item.shape.element = 0;
    item.depth = (uint32_t)w->depth;
    item.chunk = false;
    item.met = MST_MET_ALL;
    return item;
}

static inline mst_status report(const walker *w, const mst_item *item) {
    return w->visitor ? w->visitor(w->request->user, item) : MST_OK;
}

/* Gives a problem the path of the walker's position, and of the field `name` there. */
mst_status mst_walk_problem(const walker *w, const char *name, mst_status status);
/* A new frame at the walker's position, with a copy of the context variables; NULL: out of memory, or nested
 * too deeply. */
frame *mst_walk_push(walker *w, const uint32_t *context);
/* Begins one element of the field: a leaf is done at once, a record gets a frame. */
mst_status mst_walk_begin_record(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                                 const label *as, bool chunk);
/* Begins a field. `owner`: the frame of its record; NULL: it is the content of a chunk. */
mst_status mst_walk_begin_field(walker *w, const mst_field *field, uint32_t *context, uint64_t end,
                                const label *as, bool chunk, frame *owner);
/* Ends the innermost frame. */
mst_status mst_walk_end_frame(walker *w);

/* Chunks: their frame, which begins at the walker's position, and the next one. */
mst_status mst_walk_begin_chunks(walker *w, const mst_field *field, const uint32_t *context, uint64_t end);
mst_status mst_walk_step_chunks(walker *w);

#endif
