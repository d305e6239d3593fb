/* SPDX-License-Identifier: MIT */
/* Writes MAPS.bin and MAPS.tab of Star Fox Adventures by hand, map by map. */
#ifndef MST_TESTS_SFA_MAPS_H
#define MST_TESTS_SFA_MAPS_H

#include "sfa_pair.h"

/* A cell's word from mod, sub and layer_row */
#define CELL(mod, sub, row) ((uint32_t)(mod) << 23 | (uint32_t)(sub) << 17 | (uint32_t)(row))
#define EMPTY               CELL(255, 1, 127)

static inline void put_zeros(writer *w, size_t count) {
    if (count)
        memset(put(w, count), 0, count);
}
static inline void put_aligned(writer *w, size_t to) {
    put_zeros(w, (to - w->size % to) % to);
}

static inline void put_stub(two *t, uint32_t unpacked, uint32_t packed) {
    put_u32(&t->bin, 0xFACEFEED);
    put_u32(&t->bin, unpacked);
    put_u32(&t->bin, 0);
    put_u32(&t->bin, packed);
    put_u32(&t->bin, 0x18);
    put_u32(&t->bin, 0x1C);
    put_u32(&t->bin, 0);
    put_u32(&t->bin, 0);
}

typedef struct plan {
    uint16_t columns, rows;
    int16_t origin_x, origin_z;
    uint16_t layer_rows, list_size, objects;
    const uint32_t *cells; /* NULL: all empty */
    uint32_t packed;
} plan;

static inline void put_map(two *t, const plan *p) {
    writer *b = &t->bin, *tab = &t->tab;
    size_t cells = (size_t)p->columns * p->rows;
    put_aligned(b, 16);
    put_u32(tab, (uint32_t)b->size);
    put_u16(b, p->columns);
    put_u16(b, p->rows);
    put_u16(b, (uint16_t)p->origin_x);
    put_u16(b, (uint16_t)p->origin_z);
    put_u16(b, p->list_size);
    put_zeros(b, 2 + 16);
    put_u16(b, p->objects);
    put_u16(b, p->layer_rows);
    put_zeros(b, 24);
    put_u32(tab, (uint32_t)b->size);
    for (size_t i = 0; i < cells; i++)
        put_u32(b, p->cells ? p->cells[i] : EMPTY);
    for (unsigned list = 0; list < 2; list++) {
        put_u32(tab, (uint32_t)b->size);
        for (size_t i = 0; i < 2 * cells; i++)
            put_u32(b, i % 3 == 0 ? 0x6699F011 + list : 0x77777777);
    }
    for (unsigned list = 0; list < 2; list++) {
        put_u32(tab, (uint32_t)b->size);
        for (size_t i = 0; i < 4u * p->layer_rows; i++)
            put_u32(b, 0x77771234 + (uint32_t)i);
    }
    put_u32(tab, (uint32_t)b->size);
    put_stub(t, p->list_size, p->packed);
}

static inline void put_stub_map(two *t) {
    put_aligned(&t->bin, 16);
    for (unsigned i = 0; i < 7; i++)
        put_u32(&t->tab, (uint32_t)t->bin.size);
    put_stub(t, 0, 0);
}

static inline void end_maps(two *t) {
    put_aligned(&t->bin, 32);
    put_u32(&t->tab, (uint32_t)t->bin.size);
    put_u32(&t->tab, 0xFFFFFFFF);
    put_aligned(&t->tab, 32);
}

static inline two begin_maps(void) {
    two t = {.bin_name = "MAPS.bin", .tab_name = "MAPS.tab"};
    t.bin.big = t.tab.big = true;
    return t;
}

#endif
