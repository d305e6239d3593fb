/* SPDX-License-Identifier: MIT */
/* Maps by hand, and their sidecars. */
#ifndef MST_TESTS_SFA_MAPS_DOCUMENT_H
#define MST_TESTS_SFA_MAPS_DOCUMENT_H

#include "sfa_maps.h"

/* Maps 0 (3 x 2, one row for layers), 1 (a stub) and 2 (3 x 1). */
#define INFO_0  0u
#define CELLS_0 0x38u
#define CELLS_2 0x148u
#define SIZE    0x1C0u
#define ROW     28u

static const uint32_t cells_0[] = {CELL(13, 0, 127), EMPTY,           CELL(5, 1, 0),
                                   CELL(5, 0, 127),  CELL(5, 0, 127), EMPTY};

static const uint32_t cells_2[] = {CELL(5, 1, 127), EMPTY, CELL(5, 0, 127)};

static inline two make_maps(void) {
    two t = begin_maps();
    put_map(&t, &(plan){3, 2, 1, 0, 1, 48, 2, cells_0, 96});
    put_stub_map(&t);
    put_map(&t, &(plan){3, 1, 0, -2, 0, 24, 1, cells_2, 64});
    end_maps(&t);
    assert_int_equal(t.bin.size, SIZE);
    assert_int_equal(t.tab.size, 96);
    return t;
}

/* A list of objects of 24 bytes each with these ids (NULL: 0), in an uncompressed zlib stream. */
static inline writer make_list_of(const uint32_t *ids, unsigned objects) {
    writer plain = {.big = true}, w = {.big = true};
    for (unsigned i = 0; i < objects; i++) {
        put_u16(&plain, 4);
        put_u8(&plain, 6);
        put_zeros(&plain, 17);
        put_u32(&plain, ids ? ids[i] : 0);
    }
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < plain.size; i++) {
        a = (a + plain.data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_bytes_of(&w, "ZLB", 4);
    put_u32(&w, 1);
    put_u32(&w, (uint32_t)plain.size);
    put_u32(&w, (uint32_t)plain.size + 11);
    put_u16(&w, 0x7801);
    put_u8(&w, 1);
    for (unsigned i = 0; i < 2; i++) {
        uint16_t length = (uint16_t)(i ? ~plain.size : plain.size);
        put_u8(&w, (uint8_t)length);
        put_u8(&w, (uint8_t)(length >> 8));
    }
    put_bytes_of(&w, plain.data, plain.size);
    put_u32(&w, b << 16 | a);
    put_aligned(&w, 32);
    writer_free(&plain);
    return w;
}
static inline writer make_list(unsigned objects) {
    return make_list_of(NULL, objects);
}

typedef struct world {
    writer list_0, list_2, blocks_5, blocks_13, first_blocks, places;
    shelf beside;
    mst_resolver resolver;
} world;

static inline void set_up(world *w) {
    memset(w, 0, sizeof *w);
    w->list_0 = make_list(2);
    w->list_2 = make_list(1);
    w->blocks_5.big = w->blocks_13.big = w->first_blocks.big = w->places.big = true;
    put_u32(&w->blocks_5, 0x10000000);
    put_u32(&w->blocks_5, 0x10000400);
    put_u32(&w->blocks_5, 0xFFFFFFFF);
    put_u32(&w->blocks_13, 0);
    put_u32(&w->blocks_13, 0);
    put_u32(&w->blocks_13, 0x10000000);
    put_u32(&w->blocks_13, 0xFFFFFFFF);
    for (unsigned mod = 0; mod <= 13; mod++)
        put_u16(&w->first_blocks, mod < 6 ? 0 : 2);
    put_u16(&w->first_blocks, 3);
    put_u16(&w->first_blocks, 0xFFFF);
    const int16_t places[][3] = {{0, 0, 0}, {10, 0, 2}};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 2; k++)
            put_u16(&w->places, (uint16_t)places[i][k]);
        put_u16(&w->places, 0);
        put_u16(&w->places, (uint16_t)places[i][2]);
        put_u32(&w->places, 0xFFFFFFFF);
    }
    put_u32(&w->places, 0xFFFFFFFF);
    put_u32(&w->places, 0x0000FFFF);
    put_u32(&w->places, 0xFFFFFFFF);
    shelf_put(&w->beside, "frontend.romlist.zlb", w->list_0.data, w->list_0.size);
    shelf_put(&w->beside, "dragrock.romlist.zlb", w->list_2.data, w->list_2.size);
    shelf_put(&w->beside, "animtest/mod6.tab", w->blocks_5.data, w->blocks_5.size);
    shelf_put(&w->beside, "shipbattle/mod14.tab", w->blocks_13.data, w->blocks_13.size);
    shelf_put(&w->beside, "TRKBLK.tab", w->first_blocks.data, w->first_blocks.size);
    shelf_put(&w->beside, "globalma.bin", w->places.data, w->places.size);
    w->resolver = shelf_resolver(&w->beside);
}

static inline void tear_down(world *w) {
    writer_free(&w->list_0);
    writer_free(&w->list_2);
    writer_free(&w->blocks_5);
    writer_free(&w->blocks_13);
    writer_free(&w->first_blocks);
    writer_free(&w->places);
}

#endif
