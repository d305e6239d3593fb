/* SPDX-License-Identifier: MIT */
/* The small tables of Star Fox Adventures, big-endian, with a value in every field and without findings. */
#ifndef MST_TESTS_SFA_SMALL_H
#define MST_TESTS_SFA_SMALL_H

#include "documents.h"

static inline void sfa_put_map_name(writer *w, const char *name, unsigned type, unsigned object) {
    char field[28] = {0};
    memcpy(field, name, strlen(name));
    put_bytes_of(w, field, sizeof field);
    put_u8(w, (uint8_t)type);
    put_u8(w, 0x1D);
    put_u16(w, (uint16_t)object);
}
static inline void sfa_write_mapinfo(writer *w) {
    w->big = true;
    sfa_put_map_name(w, "Ship Battle", 0, 0);
    sfa_put_map_name(w, "galleonship", 1, 0x8E);
    sfa_put_map_name(w, "twenty-eight letters long it", 9, 0xFFFF);
}
static inline void sfa_put_placement(writer *w, int x, int z, int layer, int map, int link, int other) {
    put_u16(w, (uint16_t)x), put_u16(w, (uint16_t)z), put_u16(w, (uint16_t)layer);
    put_u16(w, (uint16_t)map), put_u16(w, (uint16_t)link), put_u16(w, (uint16_t)other);
}
static inline void sfa_write_globalma(writer *w) {
    w->big = true;
    sfa_put_placement(w, 0, 23, 0, 0, 0, -1); /* a map may name itself */
    sfa_put_placement(w, -28, 17, -2, 2, 2, 52);
    sfa_put_placement(w, -20, 18, -1, 52, 52, -1);
    sfa_put_placement(w, -1, -1, 0, -1, -1, -1);
    for (int i = 0; i < 16; i++)
        put_u8(w, 0);
}
static inline void sfa_write_trkblk(writer *w) {
    w->big = true;
    put_u16(w, 0), put_u16(w, 0), put_u16(w, 58), put_u16(w, 0xFFFE);
    put_u16(w, 0xFFFF);
    for (int i = 0; i < 22; i++)
        put_u8(w, 0);
}
static inline void sfa_write_warptab(writer *w) {
    w->big = true;
    for (int i = 0; i < 5; i++) { /* the first is not used; all layers */
        put_f32(w, (float)i * 1.5f), put_f32(w, (float)-i), put_f32(w, (float)i);
        put_u16(w, (uint16_t)(i ? i - 3 : 0)), put_u16(w, (uint16_t)(40 * i));
    }
}
static inline void sfa_write_objindex(writer *w) {
    w->big = true;
    put_u16(w, 0xFFFF), put_u16(w, 5), put_u16(w, 0x123);
}
static inline void sfa_write_textable(writer *w) {
    w->big = true;
    put_u16(w, 0x8001), put_u16(w, 0xFFFF), put_u16(w, 0);
}

static const struct {
    const char *id, *file, *list;
    void (*write)(writer *w);
    unsigned rows;
} sfa_tables[] = {
    {"sfa-mapinfo", "MAPINFO.bin", "maps", sfa_write_mapinfo, 3},
    {"sfa-globalma", "globalma.bin", "placements", sfa_write_globalma, 3},
    {"sfa-trkblk", "TRKBLK.tab", "first_blocks", sfa_write_trkblk, 4},
    {"sfa-warptab", "WARPTAB.bin", "warps", sfa_write_warptab, 5},
    {"sfa-objindex", "OBJINDEX.bin", "definitions", sfa_write_objindex, 3},
    {"sfa-textable", "TEXTABLE.bin", "textures", sfa_write_textable, 3},
};
#define SFA_TABLES (sizeof sfa_tables / sizeof *sfa_tables)

#endif
