/* SPDX-License-Identifier: MIT */
/* The parts of an input that describe it. */
#include "fuzz.h"

/* Inputs name them by number: this list is not changed, and formats missing from it follow by their ids. */
static const fuzz_kind kinds[] = {
    {NULL, NULL},
    {NULL, "a.level"},
    {NULL, "0_1_2.DAT"},
    {NULL, "class.def"},
    {NULL, "exit.def"},
    {NULL, "111GFX.BIN"},
    {NULL, "L111LEV.MAP"},
    {NULL, "x.map"},
    {NULL, "x.clip"},
    {NULL, "x.dat"},
    {NULL, "swaphol.romlist.zlb"},
    {NULL, "swaphol.romlist"},
    {NULL, "TEX0.tab"},
    {NULL, "TEX1.bin"},
    {NULL, "mod6.zlb.bin"},
    {NULL, "MAPS.bin"},
    {NULL, "HITS.bin"},
    {NULL, "VOXMAP.bin"},
    {NULL, "ANIM.BIN"},
    {NULL, "MAPINFO.bin"},
    {NULL, "globalma.bin"},
    {NULL, "TRKBLK.tab"},
    {NULL, "WARPTAB.bin"},
    {NULL, "OBJINDEX.bin"},
    {NULL, "TEXTABLE.bin"},
    {"ns2-level", NULL},
    {"ns2-clip", NULL},
    {"alien-map", NULL},
    {"alien-gfx", NULL},
    {"revenant-sector", "0_1_2.DAT"},
    {"revenant-sector", NULL},
    {"revenant-def", NULL},
    {"turok-map", NULL},
    {"iguana", NULL},
    {"sfa-mapinfo", NULL},
    {"sfa-globalma", NULL},
    {"sfa-trkblk", NULL},
    {"sfa-warptab", NULL},
    {"sfa-objindex", NULL},
    {"sfa-textable", NULL},
    {"sfa-blocks", "mod6.zlb.bin"},
    {"sfa-block", NULL},
    {"sfa-textures", "TEX1.bin"},
    {"sfa-texture", NULL},
    {"sfa-romlist", NULL},
    {"sfa-maps", "MAPS.bin"},
    {"sfa-hits", "HITS.bin"},
    {"sfa-voxmap", "VOXMAP.bin"},
    {"sfa-packed", NULL},
    {"sfa-kept", NULL},
    {"sfa-table", NULL},
    {NULL, "frontend.romlist.zlb"}, /* of the first map, which MAPS.bin describes */
    {"revenant-save", "game.sav"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static bool is_listed(const char *format) {
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].format && strcmp(kinds[i].format, format) == 0)
            return true;
    return false;
}

fuzz_kind fuzz_kind_at(size_t index) {
    if (index < KINDS)
        return kinds[index];
    size_t at = KINDS;
    for (size_t i = 0; i < mst_format_count(); i++)
        if (!is_listed(mst_format_at(i)->id) && at++ == index)
            return (fuzz_kind){mst_format_at(i)->id, NULL};
    return kinds[0];
}

size_t fuzz_kind_count(void) {
    size_t count = KINDS;
    for (size_t i = 0; i < mst_format_count(); i++)
        count += !is_listed(mst_format_at(i)->id);
    return count;
}

static size_t next_mark(const uint8_t *data, size_t from, size_t end) {
    for (; from + FUZZ_MARK_SIZE <= end; from++)
        if (memcmp(data + from, FUZZ_MARK, FUZZ_MARK_SIZE) == 0)
            return from;
    return end;
}

fuzz_spans fuzz_spans_of(const uint8_t *data, size_t size) {
    fuzz_spans spans = {.end = size};
    if (size >= FUZZ_HOW_SIZE && memcmp(data + size - FUZZ_HOW_SIZE, FUZZ_HOW, 8) == 0) {
        spans.end = size - FUZZ_HOW_SIZE;
        spans.kind = (uint8_t)(data[size - 5] % fuzz_kind_count());
        memcpy(&spans.seed, data + size - 4, 4);
    }
    spans.file = next_mark(data, 0, spans.end);
    spans.second_end = spans.file;
    for (size_t at = spans.file; at < spans.end && spans.count < FUZZ_SIDECARS; spans.count++) {
        size_t begin = at + FUZZ_MARK_SIZE;
        const uint8_t *name = NULL;
        at = next_mark(data, begin, spans.end);
        if (begin < at && data[begin] == '!') {
            const uint8_t *nul = memchr(data + begin, 0, at - begin);
            if (nul) {
                name = data + begin + 1;
                begin = (size_t)(nul - data) + 1;
            }
        }
        spans.sidecars[spans.count].begin = begin;
        spans.sidecars[spans.count].end = at;
        spans.sidecars[spans.count].name = name;
        if (!spans.count && !name)
            spans.second_end = at;
    }
    return spans;
}

void fuzz_put_how(uint8_t *place, uint8_t kind, uint32_t seed) {
    memcpy(place, FUZZ_HOW, 8);
    place[8] = kind;
    memcpy(place + 9, &seed, 4);
}
