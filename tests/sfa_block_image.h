/* SPDX-License-Identifier: MIT */
/* A block by hand, and images of blocks for the tables. */
#ifndef MST_TESTS_SFA_BLOCK_IMAGE_H
#define MST_TESTS_SFA_BLOCK_IMAGE_H

#include "../src/formats/sfa/block/blocks.h"
#include "../src/read/engine.h"
#include "stopping.h"

#define WRITER(buffer) (&(mst_parsed_writer){.to = (buffer), .limit = UINT64_MAX})

enum {
    P_LISTS,
    P_DATA_0,
    P_DATA_1,
    P_POSITIONS,
    P_COLORS,
    P_TEXCOORDS,
    P_STREAM,
    P_TEXTURES,
    P_SHADERS,
    P_GROUPS,
    P_POLYGONS,
    PIECES
};

/* Offsets of fields in an image, and in a list's record there. */
enum {
    IMAGE_Y_MIN = 85,
    IMAGE_Y_MAX = 87,
    IMAGE_NAME = 98,
    LIST_SHADER = 13,
    LIST_SHADER_BITS = 14,
    LIST_MATRIX_BITS = 16,
    LIST_SORT_LAYER = 18,
    LIST_FORM = 22
};

typedef struct options {
    const uint8_t *order; /* of the pieces, PIECES of them; NULL: the default one */
    uint8_t gap;          /* the byte between pieces, in an odd order */
    bool wide;            /* list 1 has wide positions and texcoords */
    bool unused;          /* no stream calls list 1 */
    uint8_t unused_bits;
    uint8_t tail;    /* bytes 0xEE after the stream's end */
    uint8_t padding; /* surplus bytes 0 of list 0 */
    bool overlap;    /* both lists have the data of list 0 */
    bool water;      /* shader 1 is water: one texcoord */
    uint8_t format;  /* of list 1: bit 0 wide positions, 1 colours, 2 texcoords */
    bool bare;       /* shader 1 has no layer: no texcoords */
} options;

typedef struct built {
    uint8_t bytes[4096];
    uint32_t size;
    uint32_t at[PIECES];
} built;

static inline void put16(uint8_t **p, unsigned value) {
    *(*p)++ = (uint8_t)(value >> 8);
    *(*p)++ = (uint8_t)value;
}

static inline void put32(uint8_t **p, uint32_t value) {
    put16(p, value >> 16);
    put16(p, value & 0xFFFF);
}

static inline void store16(uint8_t *p, unsigned value) {
    put16(&p, value);
}

static inline void store32(uint8_t *p, uint32_t value) {
    put32(&p, value);
}

/* Bits, the lowest first. */
static inline void bits(uint8_t *bytes, unsigned *at, unsigned count, unsigned value) {
    for (unsigned i = 0; i < count; i++, ++*at)
        if (value >> i & 1)
            bytes[*at / 8] |= (uint8_t)(1u << *at % 8);
}

static const int16_t positions[6][3] = {{0, 0, 0},    {800, 80, 0},     {800, -16, 1600},
                                        {0, 8, 1600}, {5120, 80, 5120}, {3200, 160, 640}};

static inline unsigned piece_stream(uint8_t *p, const options *o) {
    unsigned at = 0;
    for (unsigned i = 0; i < (o->unused ? 1u : 2u); i++) {
        bits(p, &at, 4, 1), bits(p, &at, 6, i);
        bits(p, &at, 4, 3), bits(p, &at, 3, i && o->wide ? 5 : i ? o->format : 0);
        bits(p, &at, 4, 4), bits(p, &at, 4, 1), bits(p, &at, 8, 0);
        bits(p, &at, 4, 2), bits(p, &at, 8, i);
    }
    bits(p, &at, 4, 5);
    if (at % 8)
        bits(p, &at, 8 - at % 8, o->unused_bits);
    memset(p + at / 8, 0xEE, o->tail);
    return at / 8 + o->tail;
}

static inline unsigned piece_data(uint8_t *start, unsigned list, const options *o) {
    uint8_t *p = start;
    static const uint8_t first[4] = {0, 1, 3, 2}, second[3] = {3, 4, 5};
    *p++ = list ? 0x95 : 0x9D;
    put16(&p, list ? 3 : 4);
    for (unsigned i = 0; i < (list ? 3u : 4u); i++) {
        unsigned wide = !list ? 0 : o->wide ? 5 : o->format;
        unsigned texcoords = list && o->bare ? 0 : list && !o->water ? 2 : 1;
        if (wide & 1)
            *p++ = 0;
        *p++ = list ? second[i] : first[i];
        if (wide & 2)
            *p++ = 0;
        *p++ = i & 1;
        for (unsigned k = 0; k < texcoords; k++) {
            if (wide & 4)
                *p++ = 0;
            *p++ = (uint8_t)((i + k) % 3);
        }
    }
    return ((unsigned)(p - start) + 31) / 32 * 32 + (list ? 0 : o->padding);
}

static inline void group(uint8_t **p, unsigned first, const int16_t box[6], unsigned surface,
                         unsigned flags) {
    put16(p, first);
    for (int i = 0; i < 6; i++)
        put16(p, (uint16_t)box[i]);
    put16(p, 0);
    *(*p)++ = 0;
    *(*p)++ = (uint8_t)surface;
    put16(p, flags);
}

/* A piece; its bytes. Offsets of lists' data are filled in later. */
static inline unsigned piece(uint8_t *start, unsigned kind, const options *o) {
    static const int16_t bounds[2][6] = {{0, -16, 0, 800, 80, 1600}, {0, 8, 640, 5120, 160, 5120}};
    static const int16_t boxes[3][6] = {{0, 100, -2, 10, 0, 200}, {0, 640, 1, 20, 80, 640}, {0}};
    static const uint16_t polygons[3][4] = {{0, 1, 2, 0x0703}, {0, 2, 3, 0x0703}, {3, 4, 5, 0xFFFF}};
    uint8_t *p = start;
    switch (kind) {
    case P_LISTS:
        for (unsigned i = 0; i < 2; i++) {
            put32(&p, 0), put16(&p, 0);
            for (int k = 0; k < 6; k++)
                put16(&p, (uint16_t)bounds[i][k]);
            *p++ = 0, *p++ = (uint8_t)i;
            put16(&p, i * 45), put16(&p, i * 45 + 17);
            *p++ = 7, *p++ = 0, *p++ = 0, *p++ = 0;
        }
        break;
    case P_DATA_0: return piece_data(p, 0, o);
    case P_DATA_1: return piece_data(p, 1, o);
    case P_POSITIONS:
        for (unsigned i = 0; i < 6; i++)
            for (unsigned k = 0; k < 3; k++)
                put16(&p, (uint16_t)positions[i][k]);
        break;
    case P_COLORS: put16(&p, 0xB73F), put16(&p, 0xFFFF), put16(&p, 0x1234); break;
    case P_TEXCOORDS:
        for (unsigned i = 0; i < 3; i++)
            put16(&p, 256 * i), put16(&p, 0xFF00 + i);
        break;
    case P_STREAM: return piece_stream(p, o);
    case P_TEXTURES: put32(&p, 5), put32(&p, 9); break;
    case P_SHADERS:
        for (unsigned i = 0; i < 2; i++, p += 0x44) {
            store32(p, 0xFF), store32(p + 4, 0xFFFFFFFF), store32(p + 0x10, 0xFFFFFFFF);
            store32(p + 0x1C, 0xFFFFFFFF);
            p[0x0C] = 0xFF;
            store32(p + 0x24, i), p[0x28] = 0x80;
            if (i)
                p[0x30] = 9;
            store32(p + 0x34, 0xFFFFFFFF), store32(p + 0x38, 0xFFFFFFFF);
            store32(p + 0x3C, i && o->water ? 0x80000000 : i ? 0x1C : 0x0C);
            p[0x40] = 6, p[0x41] = (uint8_t)(i && o->bare ? 0 : i + 1);
        }
        break;
    case P_GROUPS:
        group(&p, 0, boxes[0], 0x18, 4);
        group(&p, 2, boxes[1], 1, 0x10);
        group(&p, 3, boxes[2], 0, 0);
        break;
    default:
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 0; k < 4; k++)
                put16(&p, polygons[i][k]);
        break;
    }
    return (unsigned)(p - start);
}

static inline void build(built *b, const options *o) {
    static const uint8_t alignment[PIECES] = {4, 32, 32, 4, 4, 4, 4, 4, 4, 4, 4};
    static const uint8_t header[PIECES] = {0x68, 0, 0, 0x58, 0x5C, 0x60, 0x78, 0x54, 0x64, 0x50, 0x4C};
    unsigned sizes[PIECES];
    memset(b, 0, sizeof *b);
    b->size = 0xB8;
    for (unsigned i = 0; i < PIECES; i++) {
        unsigned kind = o->order ? o->order[i] : i;
        while (b->size % alignment[kind])
            b->bytes[b->size++] = o->gap;
        b->at[kind] = b->size;
        b->size += sizes[kind] = piece(b->bytes + b->size, kind, o);
        if (header[kind])
            store32(b->bytes + header[kind], b->at[kind]);
    }
    while (b->size % 32)
        b->bytes[b->size++] = o->gap;
    uint8_t *h = b->bytes;
    store16(h + 4, 8), store32(h + 8, b->size);
    for (unsigned i = 0; i < 2; i++) {
        unsigned data = o->overlap ? P_DATA_0 : P_DATA_0 + i;
        store32(h + b->at[P_LISTS] + 0x1C * i, b->at[data]);
        store16(h + b->at[P_LISTS] + 0x1C * i + 4, sizes[data]);
    }
    store16(h + 0x84, sizes[P_STREAM]);
    store16(h + 0x8A, (uint16_t)-9), store16(h + 0x8C, 13), store16(h + 0x8E, (uint16_t)-7);
    store16(h + 0x90, 6), store16(h + 0x94, 3), store16(h + 0x96, 3), store16(h + 0x98, 3);
    store16(h + 0x9A, 2);
    h[0xA0] = 2, h[0xA1] = 2, h[0xA2] = 2;
    memcpy(h + 0xA4, "mod6.0", 6);
}

static inline void parse(const uint8_t *bytes, size_t size, mst_buffer *image, mst_sfa_block *view) {
    mst_diagnostic why;
    MUST(mst_sfa_block_parse(bytes, size, WRITER(image), &why), &why);
    MUST(mst_sfa_block_view(image->data, image->size, view), NULL);
    assert_int_equal(view->size, image->size);
    assert_true(image->size <= 8 * size + 256);
}

static inline void assert_folds(const mst_buffer *image, const uint8_t *bytes, size_t size) {
    mst_buffer made = {0};
    mst_diagnostic why;
    MUST(mst_sfa_block_serialize(image->data, image->size, &made, &why), &why);
    assert_int_equal(made.size, size);
    assert_memory_equal(made.data, bytes, size);
    mst_buffer_free(&made);
}

static inline void assert_refused(const mst_buffer *image, const char *code, const char *path) {
    mst_buffer made = {0};
    mst_diagnostic why = {0};
    mst_status status = mst_sfa_block_serialize(image->data, image->size, &made, &why);
    if (status != MST_REFUSED || strcmp(why.code, code) != 0 || strcmp(why.path, path) != 0)
        print_error("%s at %s: %s, %s at %s: %s\n", code, path, mst_status_text(status), why.code, why.path,
                    why.message);
    assert_int_equal(status, MST_REFUSED);
    assert_string_equal(why.code, code);
    assert_string_equal(why.path, path);
    assert_int_equal(made.size, 0);
    assert_int_equal(mst_sfa_block_serialize(image->data, image->size, &made, NULL), MST_REFUSED);
    mst_buffer_free(&made);
}

static const mst_record *const test_records[] = {MST_SFA_BLOCK_RECORDS(MST_SFA_BLOCK_ADDRESS)};

static const mst_code_information test_codes[] = {MST_SFA_BLOCK_CODES};
static const mst_format test_format = {
    .information =
        {.id = "sfa-test", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &mst_sfa_block_record,
    .tables.records = test_records,
    .tables.record_count = MST_COUNT_OF(test_records),
    .identity.big = true,
    .check.codes = &(const mst_codes)MST_CODES(test_codes),
    .check.problem_codes = {"T-MAGIC", "T-VERSION", "T-OVERRUN", "T-STRING", "T-COUNT", "T-TRAILING"}};

/* A document that is an image, regardless of its contents. */
static inline void fabricate(mst_document *d, const uint8_t *image, size_t size) {
    memset(d, 0, sizeof *d);
    d->format = &test_format;
    d->variant = (mst_variant){0, true, 0};
    d->allocator = mst_allocator_or_default(NULL);
    mst_arena_begin(&d->arena, &d->allocator, 0);
    d->data = image;
    d->size = size;
    mst_variant_context(d->variant, d->context);
    MUST(mst_plans_compile(&test_format, d->variant, &d->arena, &d->plans), NULL);
}

/* The block's path is "block". */
static inline mst_status check_with(const mst_buffer *image, mst_report_function report, void *user) {
    static const mst_check_options all = {.size = sizeof all, .information = 1};
    mst_document d;
    fabricate(&d, image->data, image->size);
    mst_diagnostic finding;
    mst_checker checker = {
        .document = &d, .options = &all, .report = report, .user = user, .finding = &finding};
    mst_status status = mst_sfa_block_check(&checker, 0, image->size, "block");
    mst_arena_end(&d.arena);
    return status;
}

/* With paths in the block. */
static inline void check(const mst_buffer *image, findings *list) {
    MUST(check_with(image, collect, list), NULL);
    for (size_t i = 0; i < list->count; i++) {
        char *path = list->items[i].path;
        assert_memory_equal(path, "block", 5);
        size_t before = path[5] == '.' ? 6 : 5;
        memmove(path, path + before, strlen(path + before) + 1);
    }
}

static inline void assert_clean(const mst_buffer *image) {
    findings list = {0};
    check(image, &list);
    if (list.count)
        print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}

/* Replaces bytes by others. */
static inline void splice(mst_buffer *image, size_t at, size_t old_size, const void *bytes, size_t size) {
    mst_buffer made = {0};
    mst_sink sink = mst_buffer_sink(&made);
    MUST(sink.write(sink.user, image->data, at), NULL);
    MUST(sink.write(sink.user, bytes, size), NULL);
    MUST(sink.write(sink.user, image->data + at + old_size, image->size - at - old_size), NULL);
    mst_buffer_free(image);
    *image = made;
}

static inline size_t place(const mst_buffer *image, const uint8_t *p) {
    return (size_t)(p - image->data);
}

static const uint8_t odd_order[PIECES] = {P_LISTS,    P_POLYGONS,  P_GROUPS,    P_SHADERS,
                                          P_TEXTURES, P_STREAM,    P_TEXCOORDS, P_COLORS,
                                          P_DATA_1,   P_POSITIONS, P_DATA_0};

/* One number of the block is changed; `piece` PIECES: of the header. */
typedef struct change {
    const char *code, *path;
    unsigned piece, offset, width;
    uint32_t value;
} change;

static inline void apply(built *b, const change *c) {
    uint8_t *p = b->bytes + c->offset + (c->piece < PIECES ? b->at[c->piece] : 0);
    for (unsigned i = 0; i < c->width; i++)
        p[i] = (uint8_t)(c->value >> 8 * (c->width - 1 - i));
}

static inline void fix_up(const mst_buffer *before, mst_buffer *after) {
    mst_sfa_block_fix_up(before->data, before->size, after->data, after->size);
}

#endif
