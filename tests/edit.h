/* SPDX-License-Identifier: MIT */
/* A level of Natural Selection 2 to edit, and proofs that only the intended values change. */
#ifndef MST_TESTS_EDIT_H
#define MST_TESTS_EDIT_H

#include "ns2_level.h"

typedef struct session {
    writer w;
    mst_document *d;
} session;

static inline void begin(session *s, const level_plan *plan) {
    mst_diagnostic why;
    memset(s, 0, sizeof *s);
    write_level(&s->w, plan);
    MUST(mst_open_memory(s->w.data, s->w.size, NULL, &s->d, &why), &why);
}

static inline void end(session *s) {
    mst_close(s->d);
    writer_free(&s->w);
}

/* JSON cannot be read in every build; scalars can be set in all of them. */
static inline bool can_read_json(void) {
    mst_document *d;
    static const char text[] = "{\"$format\":\"ns2-level\",\"version\":10}";
    mst_status status = mst_open_json(text, sizeof text - 1, NULL, &d, NULL);
    if (status == MST_OK)
        mst_close(d);
    return status != MST_UNSUPPORTED;
}

#define NEED_JSON()                                                                                          \
    do {                                                                                                     \
        if (!can_read_json())                                                                                \
            skip();                                                                                          \
    } while (0)

static inline uint8_t *copy_bytes(const mst_document *d, size_t *size) {
    const void *bytes = mst_document_bytes(d, size);
    uint8_t *copy = malloc(*size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    return copy;
}

/* The chunks of the level and of its mesh fill their places: lengths were updated. */
static inline void assert_tiled(const mst_document *d) {
    size_t size, place;
    const uint8_t *bytes = mst_document_bytes(d, &size);
    for (place = 4; place < size;) {
        assert_true(size - place >= 8);
        uint32_t id = mst_load32(bytes + place, false), length = mst_load32(bytes + place + 4, false);
        assert_true(length <= size - place - 8);
        size_t after = place + 8 + length;
        if (id == 2) {
            for (place += 8; place < after;) {
                assert_true(after - place >= 8);
                place += 8;
                assert_true(mst_load32(bytes + place - 4, false) <= after - place);
                place += mst_load32(bytes + place - 4, false);
            }
            assert_int_equal(place, after);
        }
        place = after;
    }
    assert_int_equal(place, size);
}

/* The bytes open again, and survive everything. */
static inline void assert_sound(const mst_document *d) {
    size_t size;
    uint8_t *bytes = copy_bytes(d, &size);
    mst_document *again;
    mst_diagnostic why;
    assert_tiled(d);
    MUST(mst_open_memory(bytes, size, NULL, &again, &why), &why);
    assert_round_trips(again);
    mst_close(again);
    free(bytes);
    assert_encodes(d);
}

#endif
