/* SPDX-License-Identifier: MIT */
/* Unpacking and packing blocks. Packing follows the rules of the game's own tool as far as its files show
 * them, but always escapes values that equal a marker. */
#include "tile_block.h"
#include "../core/bytes.h"

/* ---- unpacking ---------------------------------------------------------------------------------- */

/* Positions count from the markers. */
typedef struct unpacker {
    const uint8_t *markers, *stream;
    size_t size, at;
    uint16_t *values;
    size_t count; /* of values written or skipped */
    uint16_t high;
    bool deep, damaged;
} unpacker;

static uint8_t byte_at(const unpacker *u, size_t at) {
    return at < 2 ? u->markers[at] : u->stream[at - 2];
}

static uint8_t next_byte(unpacker *u) {
    if (u->at < u->size)
        return byte_at(u, u->at++);
    u->damaged = true;
    return 0;
}

static void put_value(unpacker *u, uint8_t byte) {
    if (u->damaged)
        return;
    if (u->count < MST_TILE_VALUES)
        u->values[u->count++] = (uint16_t)(u->high | byte);
    else
        u->damaged = true;
}

/* After the first marker: a run, values to skip, or the end of the row, for which it returns true. */
static bool take_run(unpacker *u) {
    unsigned n = next_byte(u);
    if (!n)
        return true;
    if (n > 127) {
        n -= 128;
        u->damaged = n > MST_TILE_VALUES - u->count;
        u->count += u->damaged ? 0 : n;
        return false;
    }
    uint8_t byte = next_byte(u);
    for (unsigned i = 0; i < n; i++)
        put_value(u, byte);
    return false;
}

/* After the second marker, which is at `code`: the upper byte of depths, or bytes of the stream. */
static void take_copy(unpacker *u, size_t code) {
    unsigned n = next_byte(u), low = next_byte(u);
    if (u->deep && !n) {
        u->high = (uint16_t)(low << 8);
        return;
    }
    size_t back = low | (unsigned)next_byte(u) << 8;
    if (u->damaged || back > code || back < n) {
        u->damaged = true;
        return;
    }
    for (unsigned i = 0; i < n; i++)
        put_value(u, byte_at(u, code - back + i));
}

bool mst_tile_unpack(const mst_tile_block *block, uint16_t *values) {
    uint8_t run = block->markers[0], copy = block->markers[1];
    unpacker u = {.markers = block->markers,
                  .stream = block->stream,
                  .size = block->size + 2,
                  .at = 2,
                  .values = values,
                  .deep = block->deep};
    for (size_t i = 0; i < MST_TILE_VALUES; i++)
        values[i] = block->deep ? MST_TILE_CLEAR : 0;
    for (unsigned rows = 0; rows < MST_TILE_SIDE && !u.damaged;) {
        size_t code = u.at;
        uint8_t byte = next_byte(&u);
        if (byte == run)
            rows += take_run(&u);
        else if (byte == copy)
            take_copy(&u, code);
        else
            put_value(&u, byte);
    }
    return !u.damaged;
}

/* ---- packing ------------------------------------------------------------------------------------ */

#define LEAST 5u /* values of a run or bytes of a copy that are worth a code */

typedef struct packer {
    const uint16_t *values;
    uint8_t *out;
    size_t size;
    unsigned high;
    uint8_t run, copy;
    bool deep;
} packer;

static void put(packer *p, unsigned byte) {
    p->out[p->size++] = (uint8_t)byte;
}

/* The number of equal values from `at` on, within the row. */
static unsigned run_at(const packer *p, size_t at, size_t end) {
    unsigned n = 1;
    while (at + n < end && p->values[at + n] == p->values[at])
        n++;
    return n;
}

/* The longest copy of the next values in the stream so far, and its first position. */
static unsigned find_copy(const packer *p, size_t at, size_t end, size_t *where) {
    unsigned best = 0;
    for (size_t from = 0; from + LEAST <= p->size; from++) {
        unsigned n = 0;
        while (at + n < end && from + n < p->size && p->values[at + n] >> 8 == p->values[at] >> 8 &&
               p->out[from + n] == (uint8_t)p->values[at + n])
            n++;
        if (n > best) {
            best = n;
            *where = from;
        }
    }
    return best;
}

/* Writes the value itself, or a run of `n` if it equals a marker; returns the number of values written. */
static unsigned put_plain(packer *p, uint16_t value, unsigned n) {
    uint8_t byte = (uint8_t)value;
    if (byte != p->run && byte != p->copy) {
        put(p, byte);
        return 1;
    }
    put(p, p->run), put(p, n), put(p, byte);
    return n;
}

/* Writes the next item of the row; returns the number of values. */
static unsigned put_next(packer *p, size_t at, size_t end, bool first) {
    uint16_t value = p->values[at];
    if (p->deep && value >> 8 != p->high) {
        p->high = value >> 8;
        put(p, p->copy), put(p, 0), put(p, p->high);
        if (!first)
            return put_plain(p, value, 1);
    }
    bool skipped = !p->deep && value == 0;
    size_t where = 0;
    unsigned run = run_at(p, at, end), copy = find_copy(p, at, end, &where);
    /* a run takes three bytes, a skip two, a copy four */
    if (run >= LEAST && copy + (skipped ? 2u : 3u) <= run + 4) {
        put(p, p->run), put(p, skipped ? 128 + run : run);
        if (!skipped)
            put(p, value & 0xFF);
        return run;
    }
    if (copy < LEAST)
        return put_plain(p, value, run);
    size_t back = p->size - where;
    put(p, p->copy), put(p, copy), put(p, (unsigned)(back & 0xFF)), put(p, (unsigned)(back >> 8));
    return copy;
}

/* The two rarest bytes, unless those given do not occur. */
static void choose_markers(const uint16_t *values, const uint8_t given[2], uint8_t markers[2]) {
    uint16_t counts[256] = {0};
    for (size_t i = 0; i < MST_TILE_VALUES; i++)
        counts[values[i] & 0xFF]++;
    memcpy(markers, given, 2);
    if (given[0] != given[1] && !counts[given[0]] && !counts[given[1]])
        return;
    unsigned first = 0, second = 1;
    for (unsigned i = 1; i < 256; i++)
        if (counts[i] < counts[first])
            first = i;
    second = first == 0;
    for (unsigned i = 0; i < 256; i++)
        if (i != first && counts[i] < counts[second])
            second = i;
    markers[0] = (uint8_t)first;
    markers[1] = (uint8_t)second;
}

size_t mst_tile_pack(const uint16_t *values, bool deep, const uint8_t markers[2], uint8_t *packed) {
    uint8_t chosen[2];
    choose_markers(values, markers, chosen);
    packer p = {.values = values, .run = chosen[0], .copy = chosen[1], .deep = deep};
    p.out = packed;
    put(&p, p.run), put(&p, p.copy);
    for (size_t row = 0; row < MST_TILE_VALUES; row += MST_TILE_SIDE) {
        for (size_t at = row; at < row + MST_TILE_SIDE;)
            at += put_next(&p, at, row + MST_TILE_SIDE, at == row);
        put(&p, p.run), put(&p, 0);
    }
    return p.size;
}
