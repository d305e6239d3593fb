/* SPDX-License-Identifier: MIT */
/* Packed entries, banks of textures and of blocks, and the files around them, by hand. */
#ifndef MST_TESTS_SFA_ENTRIES_H
#define MST_TESTS_SFA_ENTRIES_H

#include "../src/codec/deflate.h"
#include "sfa_pair.h"
#include <unistd.h>

#define MARK 0xFFFFFFFFu

extern bool packs;

int look(void **state);

void needs_packing(void);

void put_zeros(writer *w, size_t count);

void put_aligned(writer *w, size_t from, size_t to);

typedef enum way { RETAIL = MST_ZLIB_RETAIL, MODDED = MST_ZLIB_MODDED, UNPACKED } way;

/* A zlib stream; UNPACKED: one stored block, which no settings of packers produce. */
void put_stream(writer *w, const writer *inside, way how);

void put_zlb(writer *w, const writer *inside, way how, uint32_t version);

void put_dir(writer *w, const writer *inside, const char *magic, uint32_t other_size);

/* One run of literals, and the mark that ends a stream. */
void put_lzo(writer *w, const writer *inside);

void put_outer(writer *w, uint32_t magic, size_t size, uint32_t packed);

/* Objects of six words; the first one's id is `first`. */
writer make_objects(unsigned count, uint32_t first);

typedef enum wrapping {
    ZLB,
    ZLB_MODDED,
    ZLB_OTHER,
    ZLB_UNPADDED,
    PLAIN,
    DIR0,
    DIRN,
    LZO,
    FACEFEED,
    E0,
    KINDS
} wrapping;

/* Any bytes in any wrapper. */
writer wrap(wrapping as, const writer *inside);

bool json_has(const mst_document *document, const char *word);

void must_set(mst_document *document, const char *path, const char *json);

void assert_writer(const mst_document *document, const writer *wanted);

enum { I4 = 0, I8 = 1, RGB5A3 = 5, RGBA8 = 6, CMPR = 14 };

writer make_texture(unsigned format, unsigned width, unsigned height, unsigned max_lod, size_t data,
                    uint8_t seed);

/* The positions in the bank. */
#define COUNT 6u

extern size_t entry_at[COUNT];

void put_entry(writer *bin, const writer *texture, wrapping as);

uint32_t sum_of(const writer *tab, size_t words);

void end_table(two *t, size_t words);

/* 0: RGBA8; 1: none; 2: RGB5A3, modded; 3: CMPR, stored; 4: two frames of I4; 5: I8 with two levels. */
two make_bank(void);

typedef enum odd {
    SHARED,
    GAP,
    WRONG_SUM,
    NO_SUM,
    DISORDER,
    GARBAGE,
    CLOSING,
    HOLE_AT_START,
    ODD_END,
    FRAMES,
    ODDS
} odd;

two make_odd(odd how);

/* A block with two textures, 5 and 9, and a group without polygons. */
writer make_block(void);

extern char folder[64];

const char *in_folder(const char *name);

void clear_folder(void);

bool make_folder(void);

typedef struct peak {
    counted all;
    size_t max;
} peak;

void *peak_resize(void *user, void *old, size_t old_size, size_t new_size);

/* Opens it, checks it and closes it within the bound. */
mst_status open_bounded(const two *t, const char *format, const char *code);

two make_blocks(void);

/* A document of every parsed kind, and the files from which it is opened. */
typedef struct opened {
    two files;
    mst_document *document;
} opened;

opened open_kind(unsigned index);

void close_kind(opened *o);

#endif
