/* SPDX-License-Identifier: MIT */
#include "rnc.h"
#include "../core/arena.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"

static const uint16_t crc_table[256] = {
    0x0000, 0xC0C1, 0xC181, 0x0140, 0xC301, 0x03C0, 0x0280, 0xC241, 0xC601, 0x06C0, 0x0780, 0xC741, 0x0500,
    0xC5C1, 0xC481, 0x0440, 0xCC01, 0x0CC0, 0x0D80, 0xCD41, 0x0F00, 0xCFC1, 0xCE81, 0x0E40, 0x0A00, 0xCAC1,
    0xCB81, 0x0B40, 0xC901, 0x09C0, 0x0880, 0xC841, 0xD801, 0x18C0, 0x1980, 0xD941, 0x1B00, 0xDBC1, 0xDA81,
    0x1A40, 0x1E00, 0xDEC1, 0xDF81, 0x1F40, 0xDD01, 0x1DC0, 0x1C80, 0xDC41, 0x1400, 0xD4C1, 0xD581, 0x1540,
    0xD701, 0x17C0, 0x1680, 0xD641, 0xD201, 0x12C0, 0x1380, 0xD341, 0x1100, 0xD1C1, 0xD081, 0x1040, 0xF001,
    0x30C0, 0x3180, 0xF141, 0x3300, 0xF3C1, 0xF281, 0x3240, 0x3600, 0xF6C1, 0xF781, 0x3740, 0xF501, 0x35C0,
    0x3480, 0xF441, 0x3C00, 0xFCC1, 0xFD81, 0x3D40, 0xFF01, 0x3FC0, 0x3E80, 0xFE41, 0xFA01, 0x3AC0, 0x3B80,
    0xFB41, 0x3900, 0xF9C1, 0xF881, 0x3840, 0x2800, 0xE8C1, 0xE981, 0x2940, 0xEB01, 0x2BC0, 0x2A80, 0xEA41,
    0xEE01, 0x2EC0, 0x2F80, 0xEF41, 0x2D00, 0xEDC1, 0xEC81, 0x2C40, 0xE401, 0x24C0, 0x2580, 0xE541, 0x2700,
    0xE7C1, 0xE681, 0x2640, 0x2200, 0xE2C1, 0xE381, 0x2340, 0xE101, 0x21C0, 0x2080, 0xE041, 0xA001, 0x60C0,
    0x6180, 0xA141, 0x6300, 0xA3C1, 0xA281, 0x6240, 0x6600, 0xA6C1, 0xA781, 0x6740, 0xA501, 0x65C0, 0x6480,
    0xA441, 0x6C00, 0xACC1, 0xAD81, 0x6D40, 0xAF01, 0x6FC0, 0x6E80, 0xAE41, 0xAA01, 0x6AC0, 0x6B80, 0xAB41,
    0x6900, 0xA9C1, 0xA881, 0x6840, 0x7800, 0xB8C1, 0xB981, 0x7940, 0xBB01, 0x7BC0, 0x7A80, 0xBA41, 0xBE01,
    0x7EC0, 0x7F80, 0xBF41, 0x7D00, 0xBDC1, 0xBC81, 0x7C40, 0xB401, 0x74C0, 0x7580, 0xB541, 0x7700, 0xB7C1,
    0xB681, 0x7640, 0x7200, 0xB2C1, 0xB381, 0x7340, 0xB101, 0x71C0, 0x7080, 0xB041, 0x5000, 0x90C1, 0x9181,
    0x5140, 0x9301, 0x53C0, 0x5280, 0x9241, 0x9601, 0x56C0, 0x5780, 0x9741, 0x5500, 0x95C1, 0x9481, 0x5440,
    0x9C01, 0x5CC0, 0x5D80, 0x9D41, 0x5F00, 0x9FC1, 0x9E81, 0x5E40, 0x5A00, 0x9AC1, 0x9B81, 0x5B40, 0x9901,
    0x59C0, 0x5880, 0x9841, 0x8801, 0x48C0, 0x4980, 0x8941, 0x4B00, 0x8BC1, 0x8A81, 0x4A40, 0x4E00, 0x8EC1,
    0x8F81, 0x4F40, 0x8D01, 0x4DC0, 0x4C80, 0x8C41, 0x4400, 0x84C1, 0x8581, 0x4540, 0x8701, 0x47C0, 0x4680,
    0x8641, 0x8201, 0x42C0, 0x4380, 0x8341, 0x4100, 0x81C1, 0x8081, 0x4040};

uint16_t mst_rnc_crc(const uint8_t *bytes, size_t size) {
    unsigned crc = 0;
    size_t at = 0;
    if (size >= 2048) {
        /* four bytes at a time, with tables of a byte's effect when up to three more follow it */
        uint16_t after[4][256];
        memcpy(after[0], crc_table, sizeof crc_table);
        for (size_t i = 1; i < 4; i++)
            for (size_t k = 0; k < 256; k++)
                after[i][k] = (uint16_t)(after[i - 1][k] >> 8 ^ crc_table[after[i - 1][k] & 0xFF]);
        for (; size - at >= 4; at += 4) {
            crc ^= mst_load16(bytes + at, false);
            crc =
                after[3][crc & 0xFF] ^ after[2][crc >> 8] ^ after[1][bytes[at + 2]] ^ after[0][bytes[at + 3]];
        }
    }
    for (; at < size; at++)
        crc = crc >> 8 ^ crc_table[(crc ^ bytes[at]) & 0xFF];
    return (uint16_t)crc;
}

/* ---- the header -------------------------------------------------------------------------------- */

static bool read_header(const uint8_t *bytes, uint64_t size, mst_rnc_header *header) {
    if (size < MST_RNC_HEADER_SIZE || memcmp(bytes, "RNC", 3) != 0 || bytes[3] < 1 || bytes[3] > 2)
        return false;
    *header = (mst_rnc_header){.method = bytes[3],
                               .unpacked_size = mst_load32(bytes + 4, true),
                               .packed_size = mst_load32(bytes + 8, true),
                               .unpacked_crc = mst_load16(bytes + 12, true),
                               .packed_crc = mst_load16(bytes + 14, true),
                               .leeway = bytes[16],
                               .chunks = bytes[17]};
    return true;
}

bool mst_rnc_probe(const uint8_t *bytes, uint64_t size, mst_rnc_header *header) {
    mst_rnc_header read;
    if (!read_header(bytes, size, &read) || !mst_fits(MST_RNC_HEADER_SIZE, read.packed_size, size))
        return false;
    if (header)
        *header = read;
    return true;
}

/* ---- unpacking: shared by both methods --------------------------------------------------------- */

typedef enum fault { NO_FAULT = 0, INPUT_ENDS, OUTPUT_OVERFLOWS, BAD_DISTANCE, BAD_CODE, NO_MEMORY } fault;

/* The first fault is kept. Afterwards reads return zeros, so that only loops need to check for it. */
typedef struct unpack_state {
    const uint8_t *packed;
    size_t at, end;     /* offset of the next byte in `packed`, and its size */
    uint32_t bits;      /* fetched but not yet read */
    unsigned bits_left; /* number of those bits */
    fault fault;
    uint8_t *out;
    size_t made, capacity, expected; /* bytes of `out` */
    mst_allocator allocator;
} unpack_state;

static void set_fault(unpack_state *u, fault what) {
    if (!u->fault)
        u->fault = what;
}

static inline unsigned read_byte(unpack_state *u) {
    if (u->at < u->end)
        return u->packed[u->at++];
    set_fault(u, INPUT_ENDS);
    return 0;
}

/* Reserves n more bytes of output, within the size that the header gives. */
static bool reserve(unpack_state *u, size_t n) {
    if (n > u->expected - u->made) {
        set_fault(u, OUTPUT_OVERFLOWS);
        return false;
    }
    if (n <= u->capacity - u->made)
        return true;
    size_t capacity = u->capacity > u->expected / 2 ? u->expected : u->capacity * 2;
    if (capacity < u->made + n)
        capacity = u->made + n;
    uint8_t *out = u->allocator.resize(u->allocator.user, u->out, u->capacity, capacity);
    if (!out) {
        set_fault(u, NO_MEMORY);
        return false;
    }
    u->out = out;
    u->capacity = capacity;
    return true;
}

static void copy_literals(unpack_state *u, size_t n) {
    if (n > u->end - u->at) {
        set_fault(u, INPUT_ENDS);
    } else if (n && reserve(u, n)) {
        memcpy(u->out + u->made, u->packed + u->at, n);
        u->made += n;
        u->at += n;
    }
}

static void copy_match(unpack_state *u, size_t distance, size_t length) {
    if (distance > u->made) {
        set_fault(u, BAD_DISTANCE);
    } else if (reserve(u, length)) {
        uint8_t *to = u->out + u->made;
        const uint8_t *from = to - distance;
        if (distance >= length)
            memcpy(to, from, length);
        else /* overlapping: reads bytes that this copy wrote */
            for (size_t i = 0; i < length; i++)
                to[i] = from[i];
        u->made += length;
    }
}

/* ---- method 1: canonical codes, bits from 16-bit words, lowest bit first ----------------------- */

#define CODE_LENGTHS 16 /* 1 to 15 */

typedef struct code_table {
    uint8_t counts[CODE_LENGTHS]; /* number of codes of each length */
    uint8_t symbols[32];          /* by length, then ascending */
} code_table;

static void fetch_word(unpack_state *u) {
    u->bits = read_byte(u);
    u->bits_left = 8;
    if (u->at < u->end || u->fault) { /* else the stream ends within a word */
        u->bits |= (uint32_t)read_byte(u) << 8;
        u->bits_left = 16;
    }
}

static inline unsigned read_low(unpack_state *u) {
    if (!u->bits_left)
        fetch_word(u);
    unsigned bit = u->bits & 1;
    u->bits >>= 1;
    u->bits_left--;
    return bit;
}

/* Reads at most 29 bits, lowest first. */
static uint32_t read_low_bits(unpack_state *u, unsigned count) {
    uint32_t number = 0;
    for (unsigned have = 0; have < count;) {
        if (!u->bits_left)
            fetch_word(u);
        unsigned take = count - have < u->bits_left ? count - have : u->bits_left;
        number |= (u->bits & ((1u << take) - 1)) << have;
        u->bits >>= take;
        u->bits_left -= take;
        have += take;
    }
    return number;
}

static void read_table(unpack_state *u, code_table *table) {
    uint8_t lengths[32];
    unsigned symbols = read_low_bits(u, 5), position = 0, capacity = 1;
    memset(table, 0, sizeof *table);
    for (unsigned s = 0; s < symbols; s++) {
        lengths[s] = (uint8_t)read_low_bits(u, 4);
        table->counts[lengths[s]]++;
    }
    table->counts[0] = 0;
    for (unsigned length = 1; length < CODE_LENGTHS; length++) {
        capacity *= 2;
        if (table->counts[length] > capacity) {
            set_fault(u, BAD_CODE);
            return;
        }
        capacity -= table->counts[length];
        for (unsigned s = 0; s < symbols; s++)
            if (lengths[s] == length)
                table->symbols[position++] = (uint8_t)s;
    }
}

static uint32_t read_value(unpack_state *u, const code_table *table) {
    unsigned code = 0, first = 0, position = 0; /* the first code of a length, and its symbol */
    for (unsigned length = 1; length < CODE_LENGTHS; length++) {
        code = code << 1 | read_low(u);
        unsigned count = table->counts[length];
        if (code - first < count) {
            unsigned symbol = table->symbols[position + code - first];
            return symbol < 2 ? symbol : (1u << (symbol - 1)) + read_low_bits(u, symbol - 1);
        }
        position += count;
        first = (first + count) << 1;
    }
    set_fault(u, BAD_CODE);
    return 0;
}

static void unpack_chunk_1(unpack_state *u) {
    code_table runs, distances, lengths;
    read_table(u, &runs);
    read_table(u, &distances);
    read_table(u, &lengths);
    for (unsigned left = read_low_bits(u, 16); left && !u->fault; left--) {
        copy_literals(u, read_value(u, &runs));
        if (left == 1)
            break;
        uint32_t distance = read_value(u, &distances) + 1;
        uint32_t length = read_value(u, &lengths) + 2;
        if (!u->fault)
            copy_match(u, distance, length);
    }
}

static void unpack_1(unpack_state *u) {
    read_low_bits(u, 2);
    while (u->made < u->expected && !u->fault)
        unpack_chunk_1(u);
}

/* ---- method 2: fixed codes, bits from bytes, highest bit first --------------------------------- */

static inline unsigned read_high(unpack_state *u) {
    if (!u->bits_left) {
        u->bits = read_byte(u);
        u->bits_left = 8;
    }
    return u->bits >> --u->bits_left & 1;
}

static unsigned read_distance_2(unpack_state *u) {
    unsigned high = 0;
    if (read_high(u)) {
        unsigned first = read_high(u);
        if (read_high(u)) {
            high = 4 + 2 * first + read_high(u);
            if (!read_high(u))
                high = 2 * high + read_high(u);
        } else {
            high = first ? 1 : 2 + read_high(u);
        }
    }
    return (high << 8 | read_byte(u)) + 1;
}

/* After the bits `10`: a match of 4 to 8 bytes, or 12 to 72 literals. */
static void unpack_middle_2(unpack_state *u) {
    unsigned length = 4 + read_high(u);
    if (read_high(u))
        length = (length - 1) * 2 + read_high(u);
    if (length == 9) {
        unsigned quads = 0;
        for (unsigned i = 0; i < 4; i++)
            quads = quads << 1 | read_high(u);
        copy_literals(u, quads * 4 + 12);
    } else {
        copy_match(u, read_distance_2(u), length);
    }
}

static void unpack_2(unpack_state *u) {
    read_high(u);
    read_high(u);
    while (!u->fault) {
        if (!read_high(u)) {
            copy_literals(u, 1);
        } else if (!read_high(u)) {
            unpack_middle_2(u);
        } else if (!read_high(u)) {
            copy_match(u, read_byte(u) + 1, 2);
        } else if (!read_high(u)) {
            copy_match(u, read_distance_2(u), 3);
        } else {
            unsigned more = read_byte(u);
            if (more) {
                copy_match(u, read_distance_2(u), more + 8);
            } else { /* the end of a chunk */
                if (u->made == u->expected)
                    return;
                read_high(u);
            }
        }
    }
}

/* ---- unpacking --------------------------------------------------------------------------------- */

static mst_status bad_header(const uint8_t *bytes, uint64_t size, mst_diagnostic *diagnostic) {
    mst_rnc_header header;
    if (!read_header(bytes, size, &header))
        return mst_damaged(diagnostic, "RNC-HEADER", 0, 0, "this is not the header of an RNC block");
    mst_damaged(diagnostic, "RNC-HEADER", 8, 0,
                "the header of an RNC block claims more packed bytes than there are");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "at most %llu packed bytes",
                (unsigned long long)(size - MST_RNC_HEADER_SIZE));
        MST_SET(diagnostic->found, "%lu", (unsigned long)header.packed_size);
    }
    return MST_DAMAGED;
}

static mst_status bad_stream(const unpack_state *u, mst_diagnostic *diagnostic) {
    uint64_t offset = MST_RNC_HEADER_SIZE + (uint64_t)u->at;
    switch (u->fault) {
    case NO_MEMORY: return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to unpack an RNC block");
    case BAD_DISTANCE:
        mst_damaged(diagnostic, "RNC-DISTANCE", offset, 0, "an RNC block copies from before its first byte");
        break;
    case BAD_CODE:
        mst_damaged(diagnostic, "RNC-CODE", offset, 0, "an RNC block contains bits that are not a code");
        break;
    case OUTPUT_OVERFLOWS:
        mst_damaged(diagnostic, "RNC-SIZE", offset, 0,
                    "an RNC block unpacks to more bytes than its header states");
        break;
    default:
        mst_damaged(diagnostic, "RNC-SIZE", offset, 0, "an RNC block ends before it is completely unpacked");
        break;
    }
    if (diagnostic) {
        MST_SET(diagnostic->expected, "%llu unpacked bytes", (unsigned long long)u->expected);
        MST_SET(diagnostic->found, "fault after %llu", (unsigned long long)u->made);
    }
    return MST_DAMAGED;
}

mst_status mst_rnc_unpack(const uint8_t *bytes, uint64_t size, const mst_allocator *allocator,
                          uint8_t **unpacked, size_t *unpacked_size, unsigned *mismatches,
                          mst_diagnostic *diagnostic) {
    mst_rnc_header header;
    *unpacked = NULL;
    *unpacked_size = 0;
    if (mismatches)
        *mismatches = 0;
    if (!mst_rnc_probe(bytes, size, &header))
        return bad_header(bytes, size, diagnostic);

    unpack_state u = {.packed = bytes + MST_RNC_HEADER_SIZE,
                      .end = header.packed_size,
                      .expected = header.unpacked_size,
                      .allocator = mst_allocator_or_default(allocator)};
    if (mismatches && mst_rnc_crc(u.packed, u.end) != header.packed_crc)
        *mismatches |= MST_RNC_PACKED_CRC;
    if (header.unpacked_size > 1024 * (uint64_t)header.packed_size + (1u << 20)) {
        u.fault = INPUT_ENDS;
        return bad_stream(&u, diagnostic);
    }

    /* enough for ordinary blocks; beyond that, the output grows as it is unpacked */
    uint64_t first = 16 * (uint64_t)header.packed_size + 4096;
    if (!reserve(&u, first < u.expected ? (size_t)first : u.expected))
        return bad_stream(&u, diagnostic);
    if (header.method == 1)
        unpack_1(&u);
    else
        unpack_2(&u);
    if (u.fault) {
        if (u.out)
            u.allocator.resize(u.allocator.user, u.out, u.capacity, 0);
        return bad_stream(&u, diagnostic);
    }
    if (mismatches && mst_rnc_crc(u.out, u.made) != header.unpacked_crc)
        *mismatches |= MST_RNC_UNPACKED_CRC;
    *unpacked = u.out; /* it is full, so its capacity equals the size in the header */
    *unpacked_size = u.made;
    return MST_OK;
}
