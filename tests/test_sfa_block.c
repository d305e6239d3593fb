/* SPDX-License-Identifier: MIT */
/* Blocks of Star Fox Adventures: a block built by hand, in every order and with every fault; the corpus. */
#include "../src/core/json.h"
#include "../src/formats/sfa/block/block.h"
#include "../src/schema/engine.h"
#include "stopping.h"

/* ---- a block by hand ---------------------------------------------------------------------------- */

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

typedef struct options {
    const uint8_t *order; /* of the pieces, PIECES of them; NULL: the default one */
    uint8_t gap;          /* what stands between pieces, in an odd order */
    bool wide;            /* list 1 has wide positions and texcoords */
    bool unused;          /* no stream calls list 1 */
    uint8_t unused_bits;
    uint8_t tail;    /* bytes 0xEE after the stream's end */
    uint8_t padding; /* bytes 0 that list 0 has too many */
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

static void put16(uint8_t **p, unsigned value) {
    *(*p)++ = (uint8_t)(value >> 8);
    *(*p)++ = (uint8_t)value;
}
static void put32(uint8_t **p, uint32_t value) {
    put16(p, value >> 16);
    put16(p, value & 0xFFFF);
}
static void store16(uint8_t *p, unsigned value) {
    put16(&p, value);
}
static void store32(uint8_t *p, uint32_t value) {
    put32(&p, value);
}

/* Bits, the lowest first. */
static void bits(uint8_t *bytes, unsigned *at, unsigned count, unsigned value) {
    for (unsigned i = 0; i < count; i++, ++*at)
        if (value >> i & 1)
            bytes[*at / 8] |= (uint8_t)(1u << *at % 8);
}

static const int16_t positions[6][3] = {{0, 0, 0},    {800, 80, 0},     {800, -16, 1600},
                                        {0, 8, 1600}, {5120, 80, 5120}, {3200, 160, 640}};

static unsigned piece_stream(uint8_t *p, const options *o) {
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

static unsigned piece_data(uint8_t *start, unsigned list, const options *o) {
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

static void group(uint8_t **p, unsigned first, const int16_t box[6], unsigned surface, unsigned flags) {
    put16(p, first);
    for (int i = 0; i < 6; i++)
        put16(p, (uint16_t)box[i]);
    put16(p, 0);
    *(*p)++ = 0;
    *(*p)++ = (uint8_t)surface;
    put16(p, flags);
}

/* A piece; its bytes. Offsets of lists' data are filled in later. */
static unsigned piece(uint8_t *start, unsigned kind, const options *o) {
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

static void build(built *b, const options *o) {
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

/* ---- helpers ------------------------------------------------------------------------------------ */

static void parse(const uint8_t *bytes, size_t size, mst_buffer *image, mst_sfa_block *view) {
    mst_diagnostic why;
    MUST(mst_sfa_block_parse(bytes, size, image, &why), &why);
    MUST(mst_sfa_block_view(image->data, image->size, view), NULL);
    assert_int_equal(view->size, image->size);
    assert_true(image->size <= 8 * size + 256);
}
static void assert_folds(const mst_buffer *image, const uint8_t *bytes, size_t size) {
    mst_buffer made = {0};
    mst_diagnostic why;
    MUST(mst_sfa_block_serialize(image->data, image->size, &made, &why), &why);
    assert_int_equal(made.size, size);
    assert_memory_equal(made.data, bytes, size);
    mst_buffer_free(&made);
}
static void assert_refused(const mst_buffer *image, const char *code, const char *path) {
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
/* A report that has heard enough ends the check. */
static void assert_image_stops(const mst_buffer *image, size_t min) {
    stopping s = {.at = SIZE_MAX};
    MUST(mst_sfa_block_check(image->data, image->size, stop_at, &s), NULL);
    size_t count = s.heard;
    assert_true(count >= min);
    for (size_t at = 0; at < count; at++) {
        s = (stopping){.at = at};
        assert_int_equal(mst_sfa_block_check(image->data, image->size, stop_at, &s), MST_STOPPED);
        assert_int_equal(s.heard, at + 1);
    }
}
static void check(const mst_buffer *image, findings *list) {
    MUST(mst_sfa_block_check(image->data, image->size, collect, list), NULL);
}
static void assert_clean(const mst_buffer *image) {
    findings list = {0};
    check(image, &list);
    if (list.count)
        print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}
/* Bytes put in place of others. */
static void splice(mst_buffer *image, size_t at, size_t old_size, const void *bytes, size_t size) {
    mst_buffer made = {0};
    mst_sink sink = mst_buffer_sink(&made);
    MUST(sink.write(sink.user, image->data, at), NULL);
    MUST(sink.write(sink.user, bytes, size), NULL);
    MUST(sink.write(sink.user, image->data + at + old_size, image->size - at - old_size), NULL);
    mst_buffer_free(image);
    *image = made;
}
static size_t place(const mst_buffer *image, const uint8_t *p) {
    return (size_t)(p - image->data);
}

/* ---- the tables --------------------------------------------------------------------------------- */

static const mst_record *const test_records[] = {MST_SFA_BLOCK_RECORD_LIST};
static const mst_format test_format = {
    .information =
        {.id = "sfa-test", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &mst_sfa_block_record,
    .tables.records = test_records,
    .tables.record_count = MST_COUNT_OF(test_records),
    .identity.big = true,
    .check.problem_codes = {"T-MAGIC", "T-VERSION", "T-OVERRUN", "T-STRING", "T-COUNT", "T-TRAILING"}};

static void fabricate(mst_document *d, const mst_buffer *image) {
    memset(d, 0, sizeof *d);
    d->format = &test_format;
    d->variant = (mst_variant){0, true, 0};
    d->allocator = mst_allocator_or_default(NULL);
    mst_arena_begin(&d->arena, &d->allocator, 0);
    d->data = image->data;
    d->size = image->size;
    mst_variant_context(d->variant, d->context);
    MUST(mst_plans_compile(&test_format, d->variant, &d->arena, &d->plans), NULL);
}

static uint64_t number(const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    uint64_t result;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_get_unsigned(&value, &result), NULL);
    return result;
}

/* The image is exactly what the tables say: nothing is left over, and values and JSON make it again. */
static void assert_tables(const mst_buffer *image) {
    mst_document d;
    mst_diagnostic why;
    fabricate(&d, image);
    mst_walk_request walk = mst_walk_of_document(&d);
    uint64_t after = 0;
    MUST(mst_walk_field(&walk, &after, &why), &why);
    assert_int_equal(after, image->size);
    mst_buffer text = {0}, made = {.allocator = d.allocator};
    mst_value root = mst_root(&d);
    mst_json_options compact = {.compact = 1};
    MUST(mst_write_json(&root, &compact, mst_buffer_sink(&text), &why), &why);
    if (reads_json) {
        mst_arena arena;
        mst_arena_begin(&arena, NULL, 0);
        mst_json json;
        MUST(mst_json_parse((const char *)text.data, text.size, &arena, &json, &why), &why);
        mst_encode_request request = {.format = d.format,
                                      .variant = d.variant,
                                      .plans = d.plans,
                                      .allocator = &d.allocator,
                                      .limit = UINT32_MAX,
                                      .field = &mst_document_field,
                                      .single = true,
                                      .context = d.context,
                                      .source = {.json = json.nodes}};
        MUST(mst_encode_field(&request, &made, &why), &why);
        assert_int_equal(made.size, image->size);
        assert_memory_equal(made.data, image->data, image->size);
        mst_buffer_free(&made);
        mst_arena_end(&arena);
    }
    mst_buffer_free(&text);
    mst_arena_end(&d.arena);
}

static void tables_describe_the_image(void **state) {
    (void)state;
    static const options forms[] = {{.order = NULL}, {.wide = true},  {.unused = true, .tail = 3},
                                    {.padding = 32}, {.water = true}, {.overlap = true, .water = true}};
    for (size_t i = 0; i < MST_COUNT_OF(forms); i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[i]);
        parse(b.bytes, b.size, &image, &view);
        assert_tables(&image);
        mst_buffer_free(&image);
    }
    built b;
    mst_buffer image = {0};
    mst_document d;
    mst_diagnostic why;
    build(&b, &(options){.wide = true});
    MUST(mst_sfa_block_parse(b.bytes, b.size, &image, &why), &why);
    fabricate(&d, &image);
    assert_int_equal(number(&d, "flags"), 8);
    assert_int_equal(number(&d, "positions[1][0]"), 800);
    assert_int_equal(number(&d, "texcoords[2][0]"), 512);
    assert_int_equal(number(&d, "colors[2]"), 0x1234);
    assert_int_equal(number(&d, "lists[1].shader_bit_address"), 45);
    assert_int_equal(number(&d, "lists[1].texcoord_count"), 2);
    assert_int_equal(number(&d, "lists[1].commands[0].opcode"), 0x95);
    assert_int_equal(number(&d, "lists[1].commands[0].vertices[1].position"), 4);
    assert_int_equal(number(&d, "lists[1].commands[0].vertices[1].texcoord_1"), 2);
    assert_int_equal(number(&d, "lists[0].commands[0].vertices[3].texcoord"), 0);
    assert_int_equal(number(&d, "streams[0].ops[4].shader"), 1);
    assert_int_equal(number(&d, "streams[0].ops[5].wide_position"), 1);
    assert_int_equal(number(&d, "streams[0].ops[5].wide_color"), 0);
    assert_int_equal(number(&d, "streams[0].ops[2].matrices[0]"), 0);
    assert_int_equal(number(&d, "shaders[1].layers[1].tev_mode"), 9);
    assert_int_equal(number(&d, "shaders[1].layer_count"), 2);
    assert_int_equal(number(&d, "textures[1]"), 9);
    assert_int_equal(number(&d, "polygon_groups[1].first_polygon"), 2);
    assert_int_equal(number(&d, "polygon_groups[0].surface"), 0x18);
    assert_int_equal(number(&d, "polygon_sentinel.first_polygon"), 3);
    assert_int_equal(number(&d, "polygons[2].sub_blocks"), 0xFFFF);
    mst_arena_end(&d.arena);
    mst_buffer_free(&image);
}

/* ---- there and back ----------------------------------------------------------------------------- */

static void usual_blocks_come_back(void **state) {
    (void)state;
    static const options forms[] = {{.order = NULL}, {.wide = true},  {.unused_bits = 3}, {.tail = 5},
                                    {.padding = 32}, {.padding = 64}, {.water = true},    {.unused = true}};
    for (size_t i = 0; i < MST_COUNT_OF(forms); i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[i]);
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, 0);
        assert_folds(&image, b.bytes, b.size);
        if (!forms[i].unused)
            assert_clean(&image);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
        assert_true(mst_sfa_next_command(&it));
        assert_int_equal(it.vertex_count, 4);
        assert_int_equal(it.left, forms[i].padding);
        it = mst_sfa_list_commands(&view, 1);
        assert_int_equal(mst_sfa_next_command(&it), !forms[i].unused);
        assert_int_equal(view.streams[0].tail_size, forms[i].tail);
        assert_int_equal(view.streams[0].unused_bits, forms[i].unused_bits);
        mst_buffer_free(&image);
    }
}

static const uint8_t odd_order[PIECES] = {P_LISTS,    P_POLYGONS,  P_GROUPS,    P_SHADERS,
                                          P_TEXTURES, P_STREAM,    P_TEXCOORDS, P_COLORS,
                                          P_DATA_1,   P_POSITIONS, P_DATA_0};

static void odd_blocks_come_back(void **state) {
    (void)state;
    static const options forms[] = {
        {.order = odd_order}, {.order = odd_order, .gap = 0xCD},
        {.gap = 0xCD},        {.overlap = true, .water = true},
        {.padding = 5},       {.order = odd_order, .tail = 2, .wide = true, .padding = 1, .gap = 1}};
    for (size_t i = 0; i < MST_COUNT_OF(forms); i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[i]);
        if (forms[i].overlap) /* a second list with the first one's vertices */
            store16(b.bytes + b.at[P_LISTS] + 0x1C + 4, 32);
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, b.size);
        assert_folds(&image, b.bytes, b.size);
        assert_tables(&image);
        mst_buffer_free(&image);
    }
}

static void edits_go_to_their_places(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = odd_order, .gap = 0xCD});
    parse(b.bytes, b.size, &image, &view);
    store16(image.data + place(&image, view.positions) + 6 * 2 + 2, 77);
    store16(b.bytes + b.at[P_POSITIONS] + 6 * 2 + 2, 77);
    image.data[view.list_offsets[1] + MST_SFA_LIST_SORT_LAYER] = 9;
    b.bytes[b.at[P_LISTS] + 0x1C + 0x18] = 9;
    image.data[MST_SFA_IMAGE_NAME] = 'M';
    b.bytes[0xA4] = 'M';
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
    mst_sfa_next_command(&it);
    store16(image.data + place(&image, it.vertices), 5);
    b.bytes[b.at[P_DATA_0] + 3] = 5;
    assert_folds(&image, b.bytes, b.size);
    /* another number of colours moves everything: the gaps' bytes would be lost */
    uint8_t *count = image.data + place(&image, view.colors) - 2;
    store16(count, 4);
    splice(&image, place(&image, view.colors) + 6, 0, "\1\2", 2);
    assert_refused(&image, "SFA-BLOCK-OVERLAP", "original");
    mst_buffer_free(&image);

    /* where nothing would be lost, the block is written as usual */
    image = (mst_buffer){0};
    build(&b, &(options){.order = odd_order});
    parse(b.bytes, b.size, &image, &view);
    store16(image.data + place(&image, view.colors) - 2, 4);
    splice(&image, place(&image, view.colors) + 6, 0, "\1\2", 2);
    mst_buffer made = {0}, again = {0};
    mst_diagnostic why;
    MUST(mst_sfa_block_serialize(image.data, image.size, &made, &why), &why);
    parse(made.data, made.size, &again, &view);
    assert_int_equal(view.original_size, 0);
    assert_int_equal(view.color_count, 4);
    assert_clean(&again);
    mst_buffer_free(&made);
    mst_buffer_free(&again);
    mst_buffer_free(&image);

    /* an array over what lists say of themselves: their bounds, or where their data is */
    for (unsigned at = 0; at < 2; at++) {
        image = (mst_buffer){0};
        build(&b, &(options){.order = NULL});
        store32(b.bytes + 0x5C, b.at[P_LISTS] + (at ? 0 : 8)); /* three colours */
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, b.size);
        assert_folds(&image, b.bytes, b.size);
        image.data[place(&image, view.colors)] ^= 1;
        assert_refused(&image, "SFA-BLOCK-OVERLAP", "original");
        mst_buffer_free(&image);
    }
    /* groups of which only the last is there, and then not even that */
    image = (mst_buffer){0};
    build(&b, &(options){.order = odd_order});
    store16(b.bytes + 0x9A, 0);
    store16(b.bytes + b.at[P_GROUPS], 3);
    memset(b.bytes + b.at[P_GROUPS] + 20, 0, 40);
    parse(b.bytes, b.size, &image, &view);
    assert_int_equal(view.original_size, b.size);
    splice(&image, place(&image, view.groups) - 3, 23, "\0", 1);
    mst_buffer bare = {0};
    MUST(mst_sfa_block_serialize(image.data, image.size, &bare, &why), &why);
    assert_int_equal(mst_load32(bare.data + 0x50, true), 0);
    mst_buffer_free(&bare);
    mst_buffer_free(&image);

    /* bytes that two lists share cannot have two values */
    image = (mst_buffer){0};
    build(&b, &(options){.overlap = true, .water = true});
    store16(b.bytes + b.at[P_LISTS] + 0x1C + 4, 32);
    parse(b.bytes, b.size, &image, &view);
    it = mst_sfa_list_commands(&view, 0);
    mst_sfa_next_command(&it);
    store16(image.data + place(&image, it.vertices), 5);
    assert_refused(&image, "SFA-BLOCK-OVERLAP", "original");
    mst_buffer_free(&image);
}

static void raw_blocks_are_kept(void **state) {
    (void)state;
    mst_buffer image = {0};
    mst_sfa_block view;
    mst_diagnostic why;
    MUST(mst_sfa_block_parse_raw((const uint8_t *)"no block", 8, &image, &why), &why);
    MUST(mst_sfa_block_view(image.data, image.size, &view), NULL);
    assert_true(view.raw);
    assert_int_equal(view.raw_size, 8);
    assert_folds(&image, (const uint8_t *)"no block", 8);
    assert_tables(&image);
    assert_clean(&image);
    mst_buffer_free(&image);
}

/* One list, shader 0, narrow indices: these bytes. */
static void a_stream_is_read_from_the_lowest_bit(void **state) {
    (void)state;
    static const uint8_t stream[7] = {0x01, 0x0C, 0x28, 0x00, 0x04, 0xA0, 0x00};
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.unused = true});
    assert_memory_equal(b.bytes + b.at[P_STREAM], stream, 7);
    assert_int_equal(mst_load16(b.bytes + 0x84, true), 7);
    parse(b.bytes, b.size, &image, &view);
    static const struct { uint8_t op, operand, bit; } ops[] = {{1, 0, 0}, {3, 0, 10}, {4, 1, 17}, {2, 0, 33}};
    mst_sfa_ops it = mst_sfa_stream_ops(&view, 0);
    for (size_t i = 0; i < 4; i++) {
        assert_true(mst_sfa_next_op(&it));
        assert_int_equal(it.op, ops[i].op);
        assert_int_equal(it.operand, ops[i].operand);
        assert_int_equal(it.bit, ops[i].bit);
    }
    assert_false(mst_sfa_next_op(&it));
    assert_int_equal(it.bits, 45);
    mst_sfa_call calls[256];
    mst_sfa_block_calls(&view, calls);
    assert_int_equal(calls[0].shader_bit, 0);
    assert_int_equal(calls[0].matrix_bit, 17);
    assert_int_equal(calls[1].stream, MST_SFA_NOT_CALLED);
    mst_buffer_free(&image);
}

/* ---- what cannot be read ------------------------------------------------------------------------ */

/* One number of the block is changed; `piece` PIECES: of the header. */
typedef struct change {
    const char *code, *path;
    unsigned piece, offset, width;
    uint32_t value;
} change;

static void apply(built *b, const change *c) {
    uint8_t *p = b->bytes + c->offset + (c->piece < PIECES ? b->at[c->piece] : 0);
    for (unsigned i = 0; i < c->width; i++)
        p[i] = (uint8_t)(c->value >> 8 * (c->width - 1 - i));
}

static void damage_is_told(void **state) {
    (void)state;
    static const change changes[] = {
        {"SFA-BLOCK-HEADER", "", PIECES, 8, 4, 1},
        {"SFA-BLOCK-OFFSET", "polygons", PIECES, 0x4C, 4, 0x10000000},
        {"SFA-BLOCK-OFFSET", "polygon_groups", PIECES, 0x50, 4, 0xFFFFFFFF},
        {"SFA-BLOCK-OFFSET", "textures", PIECES, 0x54, 4, 0x10},
        {"SFA-BLOCK-OFFSET", "positions", PIECES, 0x58, 4, 0},
        {"SFA-BLOCK-OFFSET", "colors", PIECES, 0x94, 2, 0xFFFF},
        {"SFA-BLOCK-OFFSET", "texcoords", PIECES, 0x60, 4, 0x2000},
        {"SFA-BLOCK-OFFSET", "shaders", PIECES, 0xA2, 1, 200},
        {"SFA-BLOCK-OFFSET", "lists", PIECES, 0xA1, 1, 255},
        {"SFA-BLOCK-OFFSET", "streams[0]", PIECES, 0x84, 2, 0xFFFF},
        {"SFA-BLOCK-OFFSET", "lists[1].commands", P_LISTS, 0x1C, 4, 0x8000},
        {"SFA-BLOCK-COUNT", "polygons[1].vertices[2]", P_POLYGONS, 8 + 4, 2, 6},
        {"SFA-BLOCK-COUNT", "polygon_sentinel.first_polygon", P_GROUPS, 40, 2, 4},
        {"SFA-STREAM", "streams[0].ops[0]", P_STREAM, 0, 1, 0x06},
        {"SFA-STREAM", "streams[0].ops[0]", P_STREAM, 0, 1, 0x0F},
        {"SFA-STREAM", "streams[0].ops[7]", PIECES, 0x84, 2, 11},
        {"SFA-STREAM", "streams[0].ops[0]", PIECES, 0x84, 2, 1},
        {"SFA-LIST", "streams[0].ops[3]", P_STREAM, 4, 1, 0x24},
        {"SFA-LIST", "lists[0].commands[0]", P_DATA_0, 0, 1, 0x12},
        {"SFA-LIST", "lists[0].commands[0]", P_DATA_0, 0, 1, 0x98},
        {"SFA-LIST", "lists[0].commands[0]", P_DATA_0, 1, 2, 400},
        {"SFA-LIST", "lists[0].commands[17]", P_DATA_0, 31, 1, 0x95},
        {"SFA-LIST", "lists[0].commands[0].vertices[2].position", P_DATA_0, 3 + 6, 1, 6},
        {"SFA-LIST", "lists[0].commands[0].vertices[0].color", P_DATA_0, 3 + 1, 1, 3},
        {"SFA-LIST", "lists[0].commands[0].vertices[3].texcoord", P_DATA_0, 3 + 11, 1, 3},
        {"SFA-LIST", "lists[1].commands[0].vertices[2].texcoord_1", P_DATA_1, 3 + 11, 1, 3},
    };
    for (size_t i = 0; i < MST_COUNT_OF(changes); i++) {
        built b;
        build(&b, &(options){.order = NULL});
        apply(&b, &changes[i]);
        if (strcmp(changes[i].path, "streams[0].ops[3]") == 0)
            b.bytes[b.at[P_STREAM] + 5] |= 0x1F; /* the list's high bits */
        mst_buffer image = {0};
        mst_diagnostic why = {0};
        mst_status status = mst_sfa_block_parse(b.bytes, b.size, &image, &why);
        if (status != MST_DAMAGED || strcmp(why.code, changes[i].code) || strcmp(why.path, changes[i].path))
            print_error("change %zu: %s, %s at %s (%s)\n", i, mst_status_text(status), why.code, why.path,
                        why.message);
        assert_int_equal(status, MST_DAMAGED);
        assert_string_equal(why.code, changes[i].code);
        assert_string_equal(why.path, changes[i].path);
        assert_true(why.offset < b.size);
        assert_int_equal(image.size, 0);
        assert_int_equal(mst_sfa_block_parse(b.bytes, b.size, &image, NULL), MST_DAMAGED);
        mst_buffer_free(&image);
    }
    mst_diagnostic why;
    mst_buffer image = {0};
    built b;
    build(&b, &(options){.order = NULL});
    assert_int_equal(mst_sfa_block_parse(b.bytes, 0xB7, &image, &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-BLOCK-HEADER");
    assert_int_equal(mst_sfa_block_parse(b.bytes, 0, &image, &why), MST_DAMAGED);
    /* groups at the very end of the block: the sentinel is after it */
    store32(b.bytes + 0x50, b.size - 40);
    assert_int_equal(mst_sfa_block_parse(b.bytes, b.size, &image, &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-BLOCK-COUNT");
    assert_string_equal(why.path, "polygon_sentinel");
    /* without a diagnosis, too */
    assert_int_equal(mst_sfa_block_parse(b.bytes, b.size, &image, NULL), MST_DAMAGED);
    mst_buffer_free(&image);
}

/* ---- findings ----------------------------------------------------------------------------------- */

static void findings_are_told(void **state) {
    (void)state;
    static const change changes[] = {
        {"SFA-GROUP-ORDER", "polygon_groups[1].first_polygon", P_GROUPS, 0, 2, 3},
        {"SFA-SHADER-INDEX", "lists[0].shader", P_LISTS, 0x13, 1, 1},
        {"SFA-SHADER-ATTRIBUTES", "shaders[1].attributes", P_SHADERS, 0x44 + 0x40, 1, 4},
        {"SFA-TEXTURE-INDEX", "shaders[1].layers[0].texture", P_SHADERS, 0x44 + 0x24, 4, 2},
        {"SFA-BOUNDS", "lists[1].bounds_min", P_LISTS, 0x1C + 6, 2, 1},
        {"SFA-BOUNDS", "lists[0].bounds_max", P_LISTS, 0x10, 2, 1},
        {"SFA-BOUNDS", "polygon_groups[1].x_max", P_GROUPS, 20 + 4, 2, 1},
        {"SFA-BOUNDS", "y_min", PIECES, 0x8A, 2, 1},
        {"SFA-BOUNDS", "y_max", PIECES, 0x8C, 2, 1},
        {"SFA-BITS", "lists[1].shader_bit_address", P_LISTS, 0x1C + 0x14, 2, 44},
        {"SFA-BITS", "lists[0].matrix_bit_address", P_LISTS, 0x16, 2, 0},
        {"SFA-SUB-BLOCKS", "polygons[0].sub_blocks", P_POLYGONS, 6, 2, 0x0701},
        {"SFA-NAME", "name", PIECES, 0xA4, 1, 'M'},
        {"SFA-NAME", "name", PIECES, 0xA4 + 6, 1, 'a'},
        {"SFA-NAME", "name", PIECES, 0xA4 + 5, 1, 0},
    };
    for (size_t i = 0; i < MST_COUNT_OF(changes); i++) {
        built b;
        findings list = {0};
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        apply(&b, &changes[i]);
        parse(b.bytes, b.size, &image, &view);
        check(&image, &list);
        size_t expected = 1;
        if (list.count != expected || !list.count || strcmp(list.items[0].code, changes[i].code))
            print_findings(&list);
        assert_int_equal(list.count, expected);
        assert_true(list.count > 0);
        assert_string_equal(list.items[0].code, changes[i].code);
        assert_string_equal(list.items[0].path, changes[i].path);
        assert_int_equal(list.items[0].status, MST_OK);
        assert_true(list.items[0].offset < image.size);
        assert_folds(&image, b.bytes, b.size);
        assert_image_stops(&image, 1);
        findings_free(&list);
        mst_buffer_free(&image);
    }
    static const struct {
        options how;
        const char *code, *path;
    } whole[] = {{{.unused = true}, "SFA-LIST-UNUSED", "lists[1]"},
                 {{.order = odd_order}, "SFA-BLOCK-OVERLAP", "original"}};
    for (size_t i = 0; i < MST_COUNT_OF(whole); i++) {
        built b;
        findings list = {0};
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &whole[i].how);
        parse(b.bytes, b.size, &image, &view);
        check(&image, &list);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, whole[i].code);
        assert_string_equal(list.items[0].path, whole[i].path);
        findings_free(&list);
        mst_buffer_free(&image);
    }
    /* a vertex outside the square is reported once, together with the boxes that lack it */
    built b;
    findings list = {0};
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    store16(b.bytes + b.at[P_POSITIONS] + 6 * 4, 5121);
    parse(b.bytes, b.size, &image, &view);
    check(&image, &list);
    assert_int_equal(count_code(&list, "SFA-GEOMETRY-RANGE"), 1);
    assert_int_equal(count_code(&list, "SFA-BOUNDS"), 1); /* 5121 >> 3 is 640, so only the list's box */
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].path, "positions[4]");
    assert_string_equal(list.items[1].path, "lists[1].bounds_max");
    findings_free(&list);
    /* an image that no block can hold */
    list = (findings){0};
    store16(image.data + place(&image, view.polygons), 6);
    check(&image, &list);
    assert_int_equal(count_code(&list, "SFA-BLOCK-COUNT"), 1);
    findings_free(&list);
    mst_buffer_free(&image);
}

/* All at once, and up to any of them. */
/* References of the tables are checked in complete documents. */
static void shaders_are_looked_for(void **state) {
    (void)state;
    static const change changes[] = {
        {"", "lists[0].shader", P_LISTS, 0x13, 1, 2},
        {"", "streams[0].ops[0].shader", P_STREAM, 0, 1, 0x21},
    };
    for (size_t i = 0; i < MST_COUNT_OF(changes); i++) {
        built b;
        mst_document *d;
        mst_diagnostic why;
        findings list = {0};
        bool found = false;
        build(&b, &(options){.order = NULL});
        apply(&b, &changes[i]);
        mst_open_options opening = {.format = "sfa-block", .name = "a.block.bin"};
        MUST(mst_open_memory(b.bytes, b.size, &opening, &d, &why), &why);
        MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
        for (size_t k = 0; k < list.count; k++)
            found = found || (strcmp(list.items[k].code, "SFA-SHADER-INDEX") == 0 &&
                              strstr(list.items[k].path, changes[i].path) &&
                              strcmp(list.items[k].expected, "below 2") == 0);
        if (!found)
            print_findings(&list);
        assert_true(found);
        findings_free(&list);
        mst_close(d);
    }
}

static void findings_stop(void **state) {
    (void)state;
    static const change changes[] = {
        {"", "", P_GROUPS, 0, 2, 3},
        {"", "", P_LISTS, 0x1C + 0x13, 1, 2},
        {"", "", P_SHADERS, 0x44 + 0x40, 1, 4},
        {"", "", P_SHADERS, 0x40, 1, 4},
        {"", "", P_SHADERS, 0x24, 4, 7},
        {"", "", P_LISTS, 0x1C + 6, 2, 1},
        {"", "", P_LISTS, 0x1C + 12, 2, 1},
        {"", "", P_LISTS, 0x14, 2, 44},
        {"", "", P_POLYGONS, 6, 2, 0x0701},
        {"", "", PIECES, 0xA4, 1, 'M'},
        {"", "", PIECES, 0x8A, 2, 1},
        {"", "", PIECES, 0x8C, 2, 1},
        {"", "", P_POSITIONS, 6 * 4, 2, 5121},
    };
    static const options forms[] = {{.order = NULL}, {.order = odd_order}, {.unused = true}};
    for (size_t f = 0; f < MST_COUNT_OF(forms); f++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[f]);
        for (size_t i = 0; i < MST_COUNT_OF(changes); i++)
            apply(&b, &changes[i]);
        parse(b.bytes, b.size, &image, &view);
        assert_image_stops(&image, 11);
        /* three layers, of which two are not there; what they say is not asked */
        image.data[place(&image, view.shaders) + 0x41] = 3;
        assert_image_stops(&image, 12);
        image.data[place(&image, view.streams[0].ops) + 1] = 9; /* nor is what no shader draws */
        assert_image_stops(&image, 1);
        store16(image.data + place(&image, view.polygons), 6); /* nothing can be written of it */
        assert_image_stops(&image, 1);
        mst_buffer_free(&image);
    }
    /* a shader has two layers at most, and its list is kept as bytes else */
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    findings list = {0};
    build(&b, &(options){.unused = true});
    b.bytes[b.at[P_SHADERS] + 0x44 + 0x41] = 3;
    parse(b.bytes, b.size, &image, &view);
    check(&image, &list);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].path, "shaders[1].layer_count");
    assert_string_equal(list.items[1].code, "SFA-LIST-UNUSED");
    findings_free(&list);
    mst_buffer_free(&image);
}

static void a_large_block_is_told(void **state) {
    (void)state;
    built b;
    findings list = {0};
    mst_buffer image = {0};
    mst_sfa_block view;
    size_t size = MST_SFA_BLOCK_MAXIMUM + 32;
    build(&b, &(options){.order = NULL});
    uint8_t *bytes = calloc(1, size);
    assert_non_null(bytes);
    memcpy(bytes, b.bytes, b.size);
    store32(bytes + 8, (uint32_t)size);
    parse(bytes, size, &image, &view);
    assert_int_equal(view.original_size, size);
    assert_folds(&image, bytes, size);
    check(&image, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "SFA-BLOCK-SIZE");
    findings_free(&list);
    mst_buffer_free(&image);
    free(bytes);
}

/* ---- what no block holds ------------------------------------------------------------------------ */

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    enum {
        SHADER,
        LIST,
        WIDE,
        MATRICES,
        UNUSED,
        SENTINEL,
        VERTEX,
        OPCODE,
        INDEX,
        TEXCOORDS,
        NARROW,
        FORM,
        CASES
    };
    static const struct {
        const char *code, *path;
    } expected[CASES] = {
        [SHADER] = {"SFA-STREAM", "streams[0].ops[0]"},
        [LIST] = {"SFA-LIST", "streams[0].ops[3]"},
        [WIDE] = {"SFA-STREAM", "streams[0].ops[1]"},
        [MATRICES] = {"SFA-STREAM", "streams[0].ops[2]"},
        [UNUSED] = {"SFA-STREAM", "streams[0].unused_bits"},
        [SENTINEL] = {"SFA-BLOCK-COUNT", "polygon_sentinel.first_polygon"},
        [VERTEX] = {"SFA-BLOCK-COUNT", "polygons[0].vertices[0]"},
        [OPCODE] = {"SFA-LIST", "lists[0].commands[0]"},
        [INDEX] = {"SFA-LIST", "lists[0].commands[0].vertices[0].position"},
        [TEXCOORDS] = {"SFA-LIST", "lists[1].texcoord_count"},
        [NARROW] = {"SFA-LIST", "lists[0].commands[0].vertices[0].position"},
        [FORM] = {"SFA-BLOCK-HEADER", "has_polygon_groups"},
    };
    for (int i = 0; i < CASES; i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        parse(b.bytes, b.size, &image, &view);
        /* ops: shader 2 bytes, format 4, matrices 3, list 2 */
        uint8_t *ops = image.data + place(&image, view.streams[0].ops);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
        mst_sfa_next_command(&it);
        uint8_t *vertices = image.data + place(&image, it.vertices);
        uint8_t many[300 * 6] = {0};
        switch (i) {
        case SHADER: ops[1] = 64; break;
        case LIST: ops[10] = 2; break;
        case WIDE: ops[3] = 2; break;
        case MATRICES: ops[7] = 16, splice(&image, place(&image, ops + 9), 0, "123456789012345", 15); break;
        case UNUSED: image.data[place(&image, view.streams[0].tail) - 5] = 4; break;
        case SENTINEL: store16(image.data + place(&image, view.groups) + 40, 2); break;
        case VERTEX: store16(image.data + place(&image, view.polygons), 6); break;
        case OPCODE: vertices[-3] = 0x9C; break;
        case INDEX: store16(vertices, 6); break;
        case TEXCOORDS: /* a shader with one layer says one */
            image.data[place(&image, view.shaders) + 0x44 + 0x41] = 1;
            break;
        case NARROW:
            store16(vertices, 256);
            store16(image.data + place(&image, view.positions) - 2, 306);
            splice(&image, place(&image, view.positions), 0, many, sizeof many);
            break;
        default: image.data[place(&image, view.groups) - 3] = 2; break;
        }
        if (i == FORM) /* what follows the groups' count has no place then: they are taken out */
            splice(&image, place(&image, view.groups) - 2, 62, "", 0);
        assert_refused(&image, expected[i].code, expected[i].path);
        mst_buffer_free(&image);
    }
    mst_buffer nothing = {0};
    mst_diagnostic why;
    assert_int_equal(mst_sfa_block_serialize((const uint8_t *)"\0\0\0", 3, &nothing, &why), MST_REFUSED);
    mst_buffer_free(&nothing);
}

/* More than there is room for: of shaders, of bytes of a list, of a stream, and of the whole. */
static void what_is_too_long_is_refused(void **state) {
    (void)state;
    enum { SHADERS, WHOLE, STORED, RAW, RAW_LONG, COMMANDS, TAIL, OPS, CASES };
    static const struct {
        const char *code, *path;
    } expected[CASES] = {
        [SHADERS] = {"SFA-SHADER-INDEX", "shaders"}, [WHOLE] = {"SFA-BLOCK-SIZE", ""},
        [STORED] = {"SFA-SHADER-INDEX", "shaders"},  [RAW] = {"SFA-LIST", "lists[0].form"},
        [RAW_LONG] = {"SFA-LIST", "lists[1].data"},  [COMMANDS] = {"SFA-LIST", "lists[0].commands"},
        [TAIL] = {"SFA-STREAM", "streams[0]"},       [OPS] = {"SFA-STREAM", "streams[0]"},
    };
    size_t capacity = 300000;
    uint8_t *many = calloc(1, capacity);
    assert_non_null(many);
    for (int i = 0; i < CASES; i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = i == STORED ? odd_order : NULL, .unused = i == RAW_LONG});
        parse(b.bytes, b.size, &image, &view);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
        size_t shaders = place(&image, view.shaders), list = view.list_offsets[0] + MST_SFA_LIST_FORM;
        switch (i) {
        case SHADERS:
        case STORED:
            image.data[shaders - 1] = 65;
            splice(&image, shaders + 2 * 0x44, 0, many, 63 * 0x44);
            break;
        case WHOLE:
            store16(image.data + place(&image, view.positions) - 2, 40006);
            splice(&image, place(&image, view.positions), 0, many, 40000 * 6);
            break;
        case RAW: /* the first list's commands as bytes: u8 form, u32 size */
            splice(&image, list, view.list_offsets[1] - list, "\1\0\0\0\0", 5);
            break;
        case RAW_LONG: {
            size_t data = view.list_offsets[1] + MST_SFA_LIST_FORM;
            assert_int_equal(image.data[data], 1);
            size_t was = mst_load32(image.data + data + 1, true);
            store32(image.data + data + 1, 65505);
            splice(&image, data + 5, was, many, 65505);
            break;
        }
        case COMMANDS: /* 22000 vertices of three bytes */
            mst_sfa_next_command(&it);
            store16(image.data + place(&image, it.vertices) - 2, 22000);
            splice(&image, place(&image, it.vertices), 4 * 6, many, 22000 * 6);
            break;
        case TAIL:
            store32(image.data + place(&image, view.streams[0].tail) - 4, 0x10000);
            splice(&image, place(&image, view.streams[0].tail), 0, many, 0x10000);
            break;
        default: /* each of two bytes, twelve bits in the stream */
            for (size_t k = 0; k < 2 * 44000; k += 2)
                many[k] = MST_SFA_OP_LIST;
            store32(image.data + place(&image, view.streams[0].ops) - 4, view.streams[0].op_count + 44000);
            splice(&image, place(&image, view.streams[0].ops), 0, many, 2 * 44000);
            break;
        }
        assert_refused(&image, expected[i].code, expected[i].path);
        findings list_of = {0};
        check(&image, &list_of);
        findings_free(&list_of);
        mst_buffer_free(&image);
    }
    free(many);
}

/* An op far back in its stream has no place that a list could say, and nothing follows from it. */
static void ops_far_back_have_no_place(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    uint8_t ops[2 * 5500];
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &image, &view);
    for (size_t i = 0; i < sizeof ops; i += 2)
        ops[i] = MST_SFA_OP_LIST, ops[i + 1] = 0;
    store32(image.data + place(&image, view.streams[0].ops) - 4, view.streams[0].op_count + 5500);
    splice(&image, place(&image, view.streams[0].ops), 0, ops, sizeof ops);
    MUST(mst_sfa_block_view(image.data, image.size, &view), NULL);
    mst_sfa_call calls[256];
    mst_sfa_block_calls(&view, calls);
    assert_int_equal(calls[0].shader_bit, MST_SFA_NO_BIT); /* it is drawn without */
    assert_int_equal(calls[0].shader, MST_SFA_NO_SHADER);
    assert_int_equal(calls[1].shader, 1);
    assert_int_equal(calls[1].shader_bit, MST_SFA_NO_BIT); /* at bit 66045 */
    mst_buffer_free(&image);
}

/* Every form of a vertex, with as many texcoords as there can be. */
static void every_form_of_vertex(void **state) {
    (void)state;
    for (unsigned parsed = 0; parsed < 24; parsed++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        unsigned texcoords = parsed >> 3;
        build(&b, &(options){.format = parsed & 7, .bare = texcoords == 0, .water = texcoords == 1});
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, 0);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 1);
        assert_true(mst_sfa_next_command(&it));
        assert_int_equal(it.texcoord_count, texcoords);
        assert_int_equal(it.vertex_count, 3);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(mst_load16(it.vertices + i * it.stride, true), 3 + i);
            assert_int_equal(mst_load16(it.vertices + i * it.stride + 2, true), i & 1);
            for (unsigned k = 0; k < texcoords; k++)
                assert_int_equal(mst_load16(it.vertices + i * it.stride + 4 + 2 * k, true), (i + k) % 3);
        }
        assert_folds(&image, b.bytes, b.size);
        mst_buffer_free(&image);
    }
    /* a command without vertices names nothing, even where there is nothing */
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.unused = true});
    memset(b.bytes + b.at[P_DATA_0] + 1, 0, 31);
    store16(b.bytes + 0x94, 0); /* no colours */
    parse(b.bytes, b.size, &image, &view);
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
    assert_true(mst_sfa_next_command(&it));
    assert_int_equal(it.vertex_count, 0);
    assert_folds(&image, b.bytes, b.size);
    mst_buffer_free(&image);
}

static void wide_indices_make_room(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0}, made = {0}, again = {0};
    mst_sfa_block view;
    mst_diagnostic why;
    uint8_t many[300 * 6] = {0};
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &image, &view);
    image.data[place(&image, view.streams[0].ops) + 3] = 1;
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
    mst_sfa_next_command(&it);
    store16(image.data + place(&image, it.vertices), 0x0105);
    store16(image.data + place(&image, view.positions) - 2, 306);
    splice(&image, place(&image, view.positions) + 36, 0, many, sizeof many);
    MUST(mst_sfa_block_serialize(image.data, image.size, &made, &why), &why);
    parse(made.data, made.size, &again, &view);
    assert_int_equal(again.size, image.size);
    assert_memory_equal(again.data, image.data, image.size);
    static const uint8_t vertex[4] = {0x01, 0x05, 0, 0};
    assert_memory_equal(made.data + b.at[P_DATA_0] + 3, vertex, 4);
    mst_buffer_free(&image);
    mst_buffer_free(&made);
    mst_buffer_free(&again);
}

/* ---- what follows ------------------------------------------------------------------------------- */

static void fix_up(const mst_buffer *before, mst_buffer *after) {
    mst_sfa_block_fix_up(before->data, before->size, after->data, after->size);
}

static void boxes_follow_positions(void **state) {
    (void)state;
    built b;
    mst_buffer before = {0}, after = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &before, &view);
    parse(b.bytes, b.size, &after, &view);
    /* position 1 is in list 0, polygon 0 and group 0 */
    uint8_t *p = after.data + place(&after, view.positions) + 6;
    store16(p, 1600), store16(p + 2, 800), store16(p + 4, (uint16_t)-8);
    fix_up(&before, &after);
    const uint8_t *list = after.data + view.list_offsets[0];
    assert_int_equal((int16_t)mst_load16(list + 6, true), 1600);
    assert_int_equal((int16_t)mst_load16(list + 8, true), 800);
    assert_int_equal((int16_t)mst_load16(list + 4, true), -8);
    assert_int_equal((int16_t)mst_load16(view.groups + 4, true), 200);
    assert_int_equal((int16_t)mst_load16(view.groups + 8, true), 100);
    assert_int_equal((int16_t)mst_load16(view.groups + 10, true), -1);
    assert_int_equal(mst_load16(view.polygons + 6, true), 0x0707);
    assert_int_equal(mst_load16(view.polygons + 8 + 6, true), 0x0703);
    assert_int_equal((int16_t)mst_load16(after.data + MST_SFA_IMAGE_Y_MAX, true), 93);
    findings list_of = {0};
    check(&after, &list_of);
    assert_int_equal(list_of.count, count_code(&list_of, "SFA-GEOMETRY-RANGE"));
    findings_free(&list_of);
    /* odd values stay odd, and values set by hand are kept */
    mst_buffer odd = {0};
    store16(b.bytes + b.at[P_POLYGONS] + 6, 0x1111);
    mst_buffer odd_before = {0};
    parse(b.bytes, b.size, &odd_before, &view);
    parse(b.bytes, b.size, &odd, &view);
    store16(odd.data + place(&odd, view.positions) + 6, 1600);
    store16(odd.data + MST_SFA_IMAGE_Y_MIN, 5);
    fix_up(&odd_before, &odd);
    assert_int_equal(mst_load16(view.polygons + 6, true), 0x1111);
    assert_int_equal((int16_t)mst_load16(view.groups + 4, true), 200);
    assert_int_equal(mst_load16(odd.data + MST_SFA_IMAGE_Y_MIN, true), 5);
    mst_buffer_free(&odd);
    mst_buffer_free(&odd_before);
    mst_buffer_free(&before);
    mst_buffer_free(&after);
}

static void bits_follow_streams(void **state) {
    (void)state;
    built b;
    mst_buffer before = {0}, after = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &before, &view);
    parse(b.bytes, b.size, &after, &view);
    /* list 1 keeps shader 0: the op shader before it is taken out */
    uint8_t *ops = after.data + place(&after, view.streams[0].ops);
    store32(ops - 4, 7);
    splice(&after, place(&after, ops) + 11, 2, "", 0);
    fix_up(&before, &after);
    MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
    const uint8_t *list = after.data + view.list_offsets[1];
    assert_int_equal(list[MST_SFA_LIST_SHADER], 0);
    assert_int_equal(mst_load16(list + MST_SFA_LIST_SHADER_BITS, true), 0);
    assert_int_equal(mst_load16(list + MST_SFA_LIST_MATRIX_BITS, true), 52);
    mst_buffer_free(&before);
    mst_buffer_free(&after);
}

static void groups_follow_polygons(void **state) {
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        built b;
        mst_buffer before = {0}, after = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        parse(b.bytes, b.size, &before, &view);
        parse(b.bytes, b.size, &after, &view);
        size_t at = place(&after, view.polygons);
        store16(after.data + at - 2, taken ? 2 : 4);
        if (taken)
            splice(&after, at + 8, 8, "", 0);
        else
            splice(&after, at + 8, 0, "\0\1\0\2\0\4\0\0", 8);
        fix_up(&before, &after);
        MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
        assert_int_equal(mst_load16(view.groups, true), 0);
        assert_int_equal(mst_load16(view.groups + 20, true), taken ? 1 : 3);
        assert_int_equal(mst_load16(view.groups + 40, true), taken ? 2 : 4);
        /* the new polygon has position 4: 640, 10, 640 */
        assert_int_equal((int16_t)mst_load16(view.groups + 4, true), taken ? 100 : 640);
        assert_clean(&after);
        mst_buffer made = {0};
        mst_diagnostic why;
        MUST(mst_sfa_block_serialize(after.data, after.size, &made, &why), &why);
        mst_buffer_free(&made);
        mst_buffer_free(&before);
        mst_buffer_free(&after);
    }
}

/* Groups, there or not, of a number of polygons that changes: in every way that makes a difference. */
static void groups_follow_what_they_can(void **state) {
    (void)state;
    enum { NONE_BEFORE, NONE_AFTER, ODD_END, FEWER, AFTER, EDITED, CUT, WAYS };
    for (unsigned way = 0; way < WAYS; way++) {
        built b;
        mst_buffer before = {0}, after = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        parse(b.bytes, b.size, &before, &view);
        parse(b.bytes, b.size, &after, &view);
        size_t groups = place(&after, view.groups), polygons = place(&after, view.polygons);
        /* one more polygon before all; of CUT two less */
        if (way == CUT) {
            store16(after.data + polygons - 2, 1);
            splice(&after, polygons, 16, "", 0);
        } else {
            store16(after.data + polygons - 2, 4);
            splice(&after, polygons, 0, "\0\1\0\2\0\4\0\0", 8);
        }
        switch (way) {
        case NONE_BEFORE: splice(&before, groups - 3, 63, "\0", 1); break;
        case NONE_AFTER: splice(&after, groups - 3, 63, "\0", 1); break;
        case ODD_END: store16(before.data + groups + 40, 2); break;
        case FEWER: /* the first of two groups is taken out as well */
            store16(after.data + groups - 2, 1);
            splice(&after, groups, 20, "", 0);
            break;
        case AFTER: /* a group that begins after all polygons */
            store16(before.data + groups + 20, 9);
            store16(after.data + groups + 20, 9);
            break;
        case EDITED: store16(after.data + groups + 20, 1); break;
        default: break;
        }
        fix_up(&before, &after);
        MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
        static const int first[WAYS] = {2, -1, 3, 4, 9, 1, 0}, last[WAYS] = {3, -1, 3, -1, 4, 4, 1};
        if (first[way] >= 0)
            assert_int_equal(mst_load16(view.groups + 20, true), first[way]);
        if (last[way] >= 0)
            assert_int_equal(mst_load16(view.groups + 40, true), last[way]);
        assert_int_equal(view.groups == NULL, way == NONE_AFTER);
        mst_buffer_free(&before);
        mst_buffer_free(&after);
    }
}

/* Lists and polygons that are put in get what follows, unless such values were odd before. */
static void what_is_new_follows_if_the_rest_does(void **state) {
    (void)state;
    for (unsigned odd = 0; odd < 2; odd++) {
        built b;
        mst_buffer before = {0}, after = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        if (odd)
            store16(b.bytes + b.at[P_POLYGONS] + 8 + 6, 0x1111);
        parse(b.bytes, b.size, &before, &view);
        parse(b.bytes, b.size, &after, &view);
        size_t at = place(&after, view.polygons);
        store16(after.data + at - 2, 4);
        splice(&after, at, 0, "\0\0\0\1\0\2\0\0", 8);
        fix_up(&before, &after);
        MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
        assert_int_equal(mst_load16(view.polygons + 6, true), odd ? 0 : 0x0703);
        mst_buffer_free(&before);
        mst_buffer_free(&after);
    }
    /* the same number of groups, of which one had no polygon and nothing followed */
    built b;
    mst_buffer before = {0}, after = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    store16(b.bytes + b.at[P_GROUPS] + 20, 3);
    parse(b.bytes, b.size, &before, &view);
    parse(b.bytes, b.size, &after, &view);
    store16(after.data + place(&after, view.groups) + 20, 2);
    store16(after.data + place(&after, view.groups) + 24, 1);
    fix_up(&before, &after);
    assert_int_equal((int16_t)mst_load16(view.groups + 24, true), 640);
    mst_buffer_free(&before);
    mst_buffer_free(&after);
}

/* ---- nothing misbehaves ------------------------------------------------------------------------- */

static mst_status ignore(void *user, const mst_diagnostic *diagnostic) {
    ++*(size_t *)user;
    return diagnostic->status;
}

/* Whether it opens; if it does, it comes back, and everything else can be asked of it. */
static bool try_block(const uint8_t *bytes, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    mst_buffer image = {0};
    mst_diagnostic why;
    mst_status status = mst_sfa_block_parse(exact, size, &image, &why);
    if (status == MST_OK) {
        mst_sfa_block view;
        size_t count = 0;
        assert_true(image.size <= 8 * size + 256);
        assert_folds(&image, exact, size);
        MUST(mst_sfa_block_view(image.data, image.size, &view), NULL);
        assert_int_equal(view.size, image.size);
        MUST(mst_sfa_block_check(image.data, image.size, ignore, &count), NULL);
        mst_buffer copy = {0};
        mst_sink sink = mst_buffer_sink(&copy);
        MUST(sink.write(sink.user, image.data, image.size), NULL);
        fix_up(&image, &copy);
        assert_memory_equal(copy.data, image.data, image.size);
        mst_buffer_free(&copy);
    } else {
        assert_int_equal(status, MST_DAMAGED);
        assert_true(why.code[0] != 0);
        assert_int_equal(image.size, 0);
    }
    mst_buffer_free(&image);
    free(exact);
    return status == MST_OK;
}

static void every_change_is_borne(void **state) {
    (void)state;
    static const options forms[] = {
        {.order = NULL}, {.order = odd_order, .gap = 0xCD, .wide = true, .tail = 2, .padding = 33}};
    for (size_t f = 0; f < MST_COUNT_OF(forms); f++) {
        built b;
        build(&b, &forms[f]);
        uint32_t whole = b.size;
        for (uint32_t size = 0; size < whole; size += (uint32_t)sample_step()) {
            store32(b.bytes + 8, whole);
            assert_false(try_block(b.bytes, size));
            store32(b.bytes + 8, size); /* as if it had been made so */
            try_block(b.bytes, size);
        }
        store32(b.bytes + 8, whole);
        for (uint32_t i = 0; i < whole; i += (uint32_t)sample_step()) {
            uint8_t was = b.bytes[i];
            b.bytes[i] = 0;
            try_block(b.bytes, whole);
            b.bytes[i] = 0xFF;
            try_block(b.bytes, whole);
            for (unsigned bit = 0; bit < 8; bit++) {
                b.bytes[i] = (uint8_t)(was ^ 1u << bit);
                try_block(b.bytes, whole);
            }
            b.bytes[i] = was;
        }
        random_state r = {f + 1};
        for (int n = 0; n < (sample_step() > 1 ? 200 : 20000); n++) {
            built worse = b;
            for (uint32_t k = random_below(&r, 6) + 1; k; k--)
                worse.bytes[random_below(&r, whole)] = (uint8_t)random_next(&r);
            try_block(worse.bytes, whole);
        }
    }
}

/* Images that an edit might leave: serialize says no, or what it makes can be read. */
static void every_image_is_borne(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    mst_diagnostic why;
    build(&b, &(options){.order = odd_order, .wide = true});
    for (int stored = 0; stored < 2; stored++) {
        if (!stored)
            build(&b, &(options){.wide = true});
        else
            build(&b, &(options){.order = odd_order, .wide = true});
        parse(b.bytes, b.size, &image, &view);
        for (size_t i = 0; i < image.size; i += sample_step())
            for (unsigned k = 0; k < 10; k++) {
                uint8_t was = image.data[i];
                image.data[i] = k == 8 ? 0 : k == 9 ? 0xFF : (uint8_t)(was ^ 1u << k);
                mst_buffer made = {0}, again = {0};
                mst_status status = mst_sfa_block_serialize(image.data, image.size, &made, &why);
                if (status == MST_OK && image.data[0] != 1)
                    MUST(mst_sfa_block_parse(made.data, made.size, &again, &why), &why);
                else if (status != MST_OK)
                    assert_int_equal(status, MST_REFUSED);
                size_t count = 0;
                MUST(mst_sfa_block_check(image.data, image.size, ignore, &count), NULL);
                mst_buffer_free(&again);
                mst_buffer_free(&made);
                image.data[i] = was;
            }
        for (size_t size = 0; size < image.size; size += sample_step()) {
            uint8_t *exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, image.data, size);
            assert_int_equal(mst_sfa_block_view(exact, size, &view), MST_DAMAGED);
            mst_sfa_block_fix_up(image.data, image.size, exact, size);
            mst_sfa_block_fix_up(exact, size, image.data, image.size);
            free(exact);
        }
        mst_buffer_free(&image);
        image = (mst_buffer){0};
    }
}

/* Lists that all have the same data would make an image many times the block. */
static void an_image_is_bounded(void **state) {
    (void)state;
    enum { LISTS = 255, DATA = 0xB8 + LISTS * 0x1C + 4, SIZE = DATA + 0xFFE0 };
    uint8_t *bytes = calloc(1, SIZE + 0x400);
    assert_non_null(bytes);
    uint32_t size = SIZE;
    store32(bytes + 0x68, 0xB8);
    bytes[0xA1] = LISTS;
    for (unsigned i = 0; i < LISTS; i++) {
        store32(bytes + 0xB8 + 0x1C * i, DATA);
        store16(bytes + 0xB8 + 0x1C * i + 4, 0xFFE0);
    }
    size = (size + 31) / 32 * 32;
    store32(bytes + 8, size);
    mst_buffer image = {0};
    mst_diagnostic why;
    assert_int_equal(mst_sfa_block_parse(bytes, size, &image, &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-BLOCK-OVERLAP");
    mst_buffer_free(&image);
    free(bytes);
}

static void no_memory_is_borne(void **state) {
    (void)state;
    built b;
    mst_diagnostic why;
    build(&b, &(options){.order = odd_order});
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_buffer image = {.allocator = counted_allocator(&c)}, made = {.allocator = counted_allocator(&c)};
        mst_status status = mst_sfa_block_parse_raw(b.bytes, b.size, &image, &why);
        if (status == MST_OK)
            status = mst_sfa_block_serialize(image.data, image.size, &made, &why);
        assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
        mst_buffer_free(&image);
        mst_buffer_free(&made);
        assert_int_equal(c.blocks, 0);
        if (!c.failed)
            break;
    }
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_buffer image = {.allocator = counted_allocator(&c)}, made = {.allocator = counted_allocator(&c)};
        mst_status status = mst_sfa_block_parse(b.bytes, b.size, &image, &why);
        if (status == MST_OK)
            status = mst_sfa_block_serialize(image.data, image.size, &made, &why);
        assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
        mst_buffer_free(&image);
        mst_buffer_free(&made);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
}

/* ---- the corpus --------------------------------------------------------------------------------- */

static const mst_json_node *member(const mst_json_node *nodes, const mst_json_node *object, const char *key) {
    uint32_t at = (uint32_t)(object - nodes) + 1;
    for (uint32_t i = 0; i < object->count; i++, at = nodes[at + 1].end)
        if (nodes[at].length == strlen(key) && memcmp(nodes[at].text, key, nodes[at].length) == 0)
            return &nodes[at + 1];
    print_error("no %s is expected\n", key);
    fail();
    return NULL;
}
static long long_of(const mst_json_node *node) {
    char text[32] = "";
    assert_int_equal(node->kind, MST_JSON_NUMBER);
    memcpy(text, node->text, node->length < 31 ? node->length : 31);
    return strtol(text, NULL, 10);
}

static void corpus_block(const mst_json_node *nodes, const mst_json_node *expected, const char *file) {
    size_t size;
    uint8_t *bytes = corpus_read(file, &size);
    mst_buffer image = {0};
    mst_sfa_block view;
    parse(bytes, size, &image, &view);
    const struct {
        const char *name;
        unsigned found;
    } counts[] = {{"size", (unsigned)size},         {"positions", view.position_count},
                  {"colors", view.color_count},     {"texcoords", view.texcoord_count},
                  {"polygons", view.polygon_count}, {"groups", view.group_count},
                  {"lists", view.list_count},       {"shaders", view.shader_count}};
    for (size_t i = 0; i < MST_COUNT_OF(counts); i++)
        assert_int_equal(long_of(member(nodes, expected, counts[i].name)), counts[i].found);
    const mst_json_node *name = member(nodes, expected, "name");
    assert_int_equal(name->length, strlen(view.name));
    assert_memory_equal(name->text, view.name, name->length);
    const mst_json_node *textures = member(nodes, expected, "textures");
    assert_int_equal(textures->count, view.texture_count);
    for (unsigned i = 0; i < view.texture_count; i++)
        assert_int_equal(long_of(textures + 1 + i), mst_load32(view.textures + 4 * (size_t)i, true));
    const mst_json_node *y = member(nodes, expected, "y");
    assert_int_equal(long_of(y + 1), view.y_min);
    assert_int_equal(long_of(y + 2), view.y_max);
    assert_int_equal(long_of(y + 3), view.y_offset);
    const mst_json_node *lengths = member(nodes, expected, "stream_lengths");
    for (unsigned i = 0; i < 3; i++) {
        mst_sfa_ops it = mst_sfa_stream_ops(&view, i);
        while (mst_sfa_next_op(&it))
            continue;
        unsigned length = view.streams[i].present ? (it.bits + 4 + 7) / 8 + view.streams[i].tail_size : 0;
        assert_int_equal(long_of(lengths + 1 + i), length);
    }
    assert_int_equal(member(nodes, expected, "rebuilds_exactly")->kind, MST_JSON_TRUE);
    assert_int_equal(view.original_size, 0);
    assert_folds(&image, bytes, size);
    assert_int_equal(long_of(member(nodes, expected, "derived_disagreements")), 0);
    assert_clean(&image);
    assert_tables(&image);
    mst_buffer_free(&image);
    free(bytes);
}

static void real_blocks_are_understood(void **state) {
    (void)state;
    static const char *const files[][2] = {
        {"animtest.mod6.0.block.bin", "sfa/samples/animtest.mod6.0.block.bin"},
        {"mini/animtest/mod6.0", "sfa/mini/animtest/mod6.0.block"},
        {"mini/animtest/mod6.1", "sfa/mini/animtest/mod6.1.block"},
        {"mini/animtest/mod6.2", "sfa/mini/animtest/mod6.2.block"},
        {"mini/animtest/mod6.3", "sfa/mini/animtest/mod6.3.block"},
        {"mini/shipbattle/mod14.0", "sfa/mini/shipbattle/mod14.0.block"}};
    if (!reads_json)
        skip();
    size_t size;
    uint8_t *text = corpus_read("sfa/expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_json_parse((const char *)text, size, &arena, &json, &why), &why);
    for (size_t i = 0; i < MST_COUNT_OF(files); i++)
        corpus_block(json.nodes, member(json.nodes, json.nodes, files[i][0]), files[i][1]);
    mst_arena_end(&arena);
    free(text);
}

static void changes_of_a_real_block_are_borne(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/animtest.mod6.0.block.bin", &size);
    assert_true(try_block(bytes, size));
    for (size_t i = 0; i < size; i += sample_step()) {
        uint8_t was = bytes[i];
        bytes[i] = 0;
        try_block(bytes, size);
        bytes[i] = 0xFF;
        try_block(bytes, size);
        bytes[i] = (uint8_t)~was;
        try_block(bytes, size);
        bytes[i] = was;
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_describe_the_image),
        cmocka_unit_test(usual_blocks_come_back),
        cmocka_unit_test(odd_blocks_come_back),
        cmocka_unit_test(edits_go_to_their_places),
        cmocka_unit_test(raw_blocks_are_kept),
        cmocka_unit_test(a_stream_is_read_from_the_lowest_bit),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(findings_are_told),
        cmocka_unit_test(shaders_are_looked_for),
        cmocka_unit_test(findings_stop),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(ops_far_back_have_no_place),
        cmocka_unit_test(every_form_of_vertex),
        cmocka_unit_test(groups_follow_what_they_can),
        cmocka_unit_test(what_is_new_follows_if_the_rest_does),
        cmocka_unit_test(a_large_block_is_told),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(wide_indices_make_room),
        cmocka_unit_test(boxes_follow_positions),
        cmocka_unit_test(bits_follow_streams),
        cmocka_unit_test(groups_follow_polygons),
        cmocka_unit_test(every_change_is_borne),
        cmocka_unit_test(every_image_is_borne),
        cmocka_unit_test(an_image_is_bounded),
        cmocka_unit_test(no_memory_is_borne),
        cmocka_unit_test(real_blocks_are_understood),
        cmocka_unit_test(changes_of_a_real_block_are_borne),
    };
    return cmocka_run_group_tests(tests, look_what_there_is, NULL);
}
