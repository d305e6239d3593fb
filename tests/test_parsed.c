/* SPDX-License-Identifier: MIT */
/* Documents that are parsed when they are opened: packed entries, banks, and two files that are one. */
#define _XOPEN_SOURCE 700
#include "../src/codec/deflate.h"
#include "../src/formats/sfa/packing/bank.h"
#include "sfa_pair.h"
#include "sfa_parsed.h"
#include "stopping.h"
#include <mapstone/image.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK 0xFFFFFFFFu

static bool packs;

static int look(void **state) {
    mst_buffer stream = {0};
    packs = mst_zlib_pack((const uint8_t *)"x", 1, MST_ZLIB_RETAIL, &stream, NULL) == MST_OK;
    mst_buffer_free(&stream);
    return look_what_there_is(state);
}
static void needs(bool edits) {
    if (!packs || (edits && !reads_json))
        skip();
}

/* ---- entries by hand ---------------------------------------------------------------------------- */

static void put_zeros(writer *w, size_t count) {
    if (count)
        memset(put(w, count), 0, count);
}
static void put_aligned(writer *w, size_t from, size_t to) {
    put_zeros(w, (to - (w->size - from) % to) % to);
}

typedef enum way { RETAIL = MST_ZLIB_RETAIL, MODDED = MST_ZLIB_MODDED, UNPACKED } way;

/* A zlib stream; UNPACKED: one block that is stored, which nobody's settings make. */
static void put_stream(writer *w, const writer *inside, way how) {
    if (how != UNPACKED) {
        mst_buffer stream = {0};
        MUST(mst_zlib_pack(inside->data, inside->size, (mst_zlib_way)how, &stream, NULL), NULL);
        put_bytes_of(w, stream.data, stream.size);
        mst_buffer_free(&stream);
        return;
    }
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < inside->size; i++) {
        a = (a + inside->data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_u16(w, 0x7801);
    put_u8(w, 1);
    for (unsigned i = 0; i < 2; i++) {
        uint16_t length = (uint16_t)(i ? ~inside->size : inside->size);
        put_u8(w, (uint8_t)length);
        put_u8(w, (uint8_t)(length >> 8));
    }
    put_bytes_of(w, inside->data, inside->size);
    put_u32(w, b << 16 | a);
}

static void put_zlb(writer *w, const writer *inside, way how, uint32_t version) {
    writer stream = {.big = true};
    put_stream(&stream, inside, how);
    put_bytes_of(w, "ZLB", 4);
    put_u32(w, version);
    put_u32(w, (uint32_t)inside->size);
    put_u32(w, (uint32_t)stream.size);
    put_bytes_of(w, stream.data, stream.size);
    writer_free(&stream);
}
static void put_dir(writer *w, const writer *inside, const char *magic, uint32_t other_size) {
    put_bytes_of(w, magic, 4);
    put_u32(w, 1);
    put_u32(w, (uint32_t)inside->size);
    put_u32(w, other_size);
    for (unsigned i = 0; i < 16; i++)
        put_u8(w, (uint8_t)(0xA0 + i));
    put_bytes_of(w, inside->data, inside->size);
}
/* One run of literals, and the mark that ends a stream. */
static void put_lzo(writer *w, const writer *inside) {
    assert_true(inside->size > 3 && inside->size <= 238);
    put_bytes_of(w, "LZOn", 4);
    put_u32(w, 1);
    put_u32(w, (uint32_t)inside->size);
    put_u32(w, (uint32_t)inside->size + 4);
    put_u8(w, (uint8_t)(inside->size + 17));
    put_bytes_of(w, inside->data, inside->size);
    put_u8(w, 0x11);
    put_u16(w, 0);
}
static void put_outer(writer *w, uint32_t magic, size_t size, uint32_t packed) {
    put_u32(w, magic);
    put_u32(w, (uint32_t)size);
    put_u32(w, 5);
    put_u32(w, packed);
    put_u32(w, 0x18);
    put_u32(w, 0x21);
    put_bytes_of(w, "extra", 5);
}

/* Objects of six words; the first one's id is `first`. */
static writer make_objects(unsigned count, uint32_t first) {
    writer w = {.big = true};
    for (unsigned i = 0; i < count; i++) {
        put_u16(&w, 4);
        put_u8(&w, 6);
        put_zeros(&w, 5);
        put_f32(&w, 1.5f), put_f32(&w, -2), put_f32(&w, (float)i);
        put_u32(&w, i ? 100 + i : first);
    }
    return w;
}

typedef enum kind {
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
} kind;
static const char *const kind_names[KINDS] = {"zlb", "zlb",  "zlb", "zlb",      "none",
                                              "dir", "dirn", "lzo", "facefeed", "stored"};

/* Any bytes in any wrapper. */
static writer wrap(kind as, const writer *inside) {
    writer w = {.big = true}, zlb = {.big = true};
    switch (as) {
    case ZLB:
    case ZLB_UNPADDED: put_zlb(&w, inside, RETAIL, 1); break;
    case ZLB_MODDED: put_zlb(&w, inside, MODDED, 3); break;
    case ZLB_OTHER: put_zlb(&w, inside, UNPACKED, 1); break;
    case PLAIN: put_bytes_of(&w, inside->data, inside->size); return w;
    case DIR0: put_dir(&w, inside, "DIR", (uint32_t)inside->size); break;
    case DIRN: put_dir(&w, inside, "DIRn", (uint32_t)inside->size); break;
    case LZO: put_lzo(&w, inside); return w;
    case E0:
        put_outer(&w, 0xE0E0E0E0, inside->size, 0x1234);
        put_bytes_of(&w, inside->data, inside->size);
        break;
    case FACEFEED:
    default:
        put_zlb(&zlb, inside, RETAIL, 1);
        put_aligned(&zlb, 0, 32);
        put_outer(&w, 0xFACEFEED, inside->size, (uint32_t)zlb.size);
        put_bytes_of(&w, zlb.data, zlb.size);
        writer_free(&zlb);
        break;
    }
    if (as != ZLB_UNPADDED)
        put_aligned(&w, 0, 32);
    return w;
}

static mst_document *open_as(const writer *w, const char *format, const char *name) {
    mst_document *document = NULL;
    mst_diagnostic why;
    mst_open_options options = {.format = format, .name = name};
    MUST(mst_open_memory(w->data, w->size, &options, &document, &why), &why);
    return document;
}

static bool json_has(const mst_document *document, const char *word) {
    mst_buffer text = {0};
    mst_value root = mst_root(document);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), NULL), NULL);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    bool has = strstr((const char *)text.data, word) != NULL;
    mst_buffer_free(&text);
    return has;
}

static void must_set(mst_document *document, const char *path, const char *json) {
    mst_diagnostic why;
    MUST(mst_set(document, path, json, &why), &why);
}

static void assert_writer(const mst_document *document, const writer *wanted) {
    assert_same_bytes(document, wanted->data, wanted->size);
}

/* ---- packed lists ------------------------------------------------------------------------------- */

static void lists_come_out_as_they_went_in(void **state) {
    (void)state;
    needs(false);
    writer inside = make_objects(3, 7);
    for (kind as = 0; as < KINDS; as++) {
        writer w = wrap(as, &inside);
        mst_document *document = open_as(&w, NULL, "test.romlist.zlb");
        assert_string_equal(mst_document_format(document)->id, "sfa-romlist");
        assert_int_equal(mst_document_file_count(document), 1);
        assert_writer(document, &w);
        assert_int_equal(count_of(document, "objects"), 3);
        assert_int_equal(number_of(document, "objects[2].id"), 102);
        mst_value value;
        MUST(mst_find(mst_root(document), "wrapper", &value, NULL), NULL);
        assert_string_equal(mst_get_name(&value), kind_names[as]);
        /* what packing makes again is not kept */
        assert_int_equal(json_has(document, "\"original\":"), as == ZLB_OTHER || as == LZO);
        assert_int_equal(json_has(document, "\"unpadded\": true"), as == ZLB_UNPADDED);
        assert_round_trips(document);
        assert_nothing(document, NULL);
        mst_close(document);
        writer_free(&w);
    }
    writer_free(&inside);
}

static void edited_lists_are_packed_as_they_were(void **state) {
    (void)state;
    needs(true);
    writer inside = make_objects(3, 7), changed = make_objects(3, 77);
    for (kind as = 0; as < KINDS; as++) {
        writer w = wrap(as, &inside), wanted = wrap(as == ZLB_OTHER ? ZLB : as, &changed);
        mst_document *document = open_as(&w, NULL, "test.romlist.zlb"), *again;
        mst_diagnostic why;
        if (as == LZO) {
            assert_int_equal(mst_set(document, "objects[0].id", "77", &why), MST_REFUSED);
            assert_writer(document, &w);
            assert_false(mst_is_edited(document));
            must_set(document, "objects[0].id", "7"); /* the same value as before */
            assert_writer(document, &w);
        } else {
            must_set(document, "objects[0].id", "77");
            assert_true(mst_is_edited(document));
            assert_writer(document, &wanted);
            assert_round_trips(document);
            size_t size;
            const void *bytes = mst_document_file(document, 0, NULL, &size);
            mst_open_options options = {.name = "test.romlist.zlb"};
            MUST(mst_open_memory(bytes, size, &options, &again, &why), &why);
            assert_int_equal(number_of(again, "objects[0].id"), 77);
            mst_close(again);
            /* and back: the stream of other settings has been let go */
            must_set(document, "objects[0].id", "7");
            if (as != ZLB_OTHER)
                assert_writer(document, &w);
            MUST(mst_remove(document, "objects[1]", &why), &why);
            assert_int_equal(count_of(document, "objects"), 2);
            assert_round_trips(document);
        }
        mst_close(document);
        writer_free(&w);
        writer_free(&wanted);
    }
    writer_free(&inside);
    writer_free(&changed);
}

static void odd_entries_are_kept(void **state) {
    (void)state;
    needs(false);
    writer inside = make_objects(1, 7), w = {.big = true};
    put_u32(&w, 0xF0F0F0F0);
    put_bytes_of(&w, inside.data, inside.size);
    mst_document *document = open_as(&w, NULL, NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-packed");
    assert_writer(document, &w);
    assert_round_trips(document);
    assert_nothing(document, NULL);
    mst_close(document);
    /* halves that nobody names, and files that are known by their names alone */
    document = open_as(&w, "sfa-table", "odd");
    assert_nothing(document, NULL);
    mst_close(document);
    static const char *const known[] = {"OBJECTS.bin", "a/MODELS.tab", "Gametext.bin"};
    for (size_t i = 0; i < 3; i++) {
        document = open_as(&inside, NULL, known[i]);
        assert_string_equal(mst_document_format(document)->id, "sfa-kept");
        assert_nothing(document, NULL);
        mst_close(document);
    }
    /* not the zeros that there usually are after it */
    static const uint8_t after[][3] = {{0}, {1}, {0, 0, 9}};
    for (size_t i = 0; i < 3; i++) {
        writer_free(&w);
        w = wrap(ZLB, &inside);
        put_bytes_of(&w, after[i], 3);
        document = open_as(&w, "sfa-packed", NULL);
        assert_writer(document, &w);
        assert_true(json_has(document, "\"original\":"));
        assert_round_trips(document);
        mst_close(document);
    }
    writer_free(&w);
    writer_free(&inside);
}

/* What is wrong is an error where a file is nothing else, and says where. */
static void damaged_entries_do_not_open(void **state) {
    (void)state;
    needs(false);
    writer inside = make_objects(2, 7);
    static const struct {
        kind as;
        size_t at;
        uint8_t value;
        uint64_t offset;
    } cases[] = {
        {ZLB, 12, 1, 12},               /* the packed bytes run past the end */
        {ZLB, 10, 0x40, MST_NO_OFFSET}, /* it unpacks to fewer */
        {ZLB, 16, 0x59, MST_NO_OFFSET}, /* no stream */
        {DIR0, 8, 1, 8},                /* past the end */
        {LZO, 12, 1, 12},
        {FACEFEED, 8, 1, 8},     /* the extra data runs past the end */
        {FACEFEED, 30, 'C', 29}, /* no ZLB after it */
        {E0, 4, 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = wrap(cases[i].as, &inside);
        w.data[cases[i].at] = cases[i].value;
        mst_document *document;
        mst_diagnostic why;
        mst_open_options options = {.format = "sfa-packed"};
        assert_int_equal(mst_open_memory(w.data, w.size, &options, &document, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-ZLB");
        if (cases[i].offset != MST_NO_OFFSET)
            assert_int_equal(why.offset, cases[i].offset);
        writer_free(&w);
    }
    writer dir = {.big = true};
    put_dir(&dir, &inside, "DIR", (uint32_t)inside.size + 1);
    put_aligned(&dir, 0, 32);
    mst_document *document = open_as(&dir, NULL, NULL);
    assert_round_trips(document);
    assert_one(document, NULL, "SFA-DIR-SIZE", "");
    assert_stops(document, NULL, 1);
    mst_close(document);
    writer_free(&dir);
    writer_free(&inside);
}

/* ---- texture banks ------------------------------------------------------------------------------ */

enum { I4 = 0, I8 = 1, RGB5A3 = 5, RGBA8 = 6, CMPR = 14 };

static writer make_texture(unsigned format, unsigned width, unsigned height, unsigned max_lod, size_t data,
                           uint8_t seed) {
    writer w = {.big = true};
    put_zeros(&w, 0x60);
    mst_store16(w.data + 0x0A, (uint16_t)width, true);
    mst_store16(w.data + 0x0C, (uint16_t)height, true);
    mst_store16(w.data + 0x0E, 1, true);
    mst_store16(w.data + 0x10, 0x100, true);
    w.data[0x16] = (uint8_t)format;
    w.data[0x17] = w.data[0x18] = w.data[0x19] = w.data[0x1A] = 1;
    w.data[0x1D] = (uint8_t)max_lod;
    for (size_t i = 0; i < data; i++)
        put_u8(&w, (uint8_t)(seed + 37 * i + i * i / 7));
    return w;
}

/* Where things of the bank are. */
#define COUNT 6u
static size_t entry_at[COUNT];

static void put_entry(writer *bin, const writer *texture, kind as) {
    writer w = wrap(as, texture);
    put_bytes_of(bin, w.data, w.size);
    writer_free(&w);
}

static uint32_t sum_of(const writer *tab, size_t words) {
    uint32_t sum = 0;
    for (size_t i = 0; i < 4 * words; i++)
        sum += tab->data[i];
    return sum;
}
static void end_table(two *t, size_t words) {
    put_u32(&t->tab, MARK);
    put_aligned(&t->tab, 0, 32);
    put_u32(&t->tab, sum_of(&t->tab, words));
    put_aligned(&t->tab, 0, 32);
}

/* 0: RGBA8; 1: none; 2: RGB5A3, modded; 3: CMPR, stored; 4: two frames of I4; 5: I8 with two levels. */
static two make_bank(void) {
    two t = {.bin_name = "TEX1.bin", .tab_name = "TEX1.tab"};
    t.bin.big = t.tab.big = true;
    for (unsigned i = 0; i < COUNT; i++) {
        writer one = i == 0   ? make_texture(RGBA8, 4, 4, 0, 64, 1)
                     : i == 2 ? make_texture(RGB5A3, 8, 4, 0, 64, 2)
                     : i == 3 ? make_texture(CMPR, 8, 8, 0, 32, 3)
                     : i == 4 ? make_texture(I4, 8, 8, 0, 32, 4)
                              : make_texture(I8, 8, 8, 1, 96, 5);
        entry_at[i] = t.bin.size;
        if (i == 1) {
            put_u32(&t.tab, 0x01000000);
        } else {
            put_u32(&t.tab, (i == 4 ? 0x82000000 : 0x81000000) | (uint32_t)(t.bin.size / 2));
            size_t start = t.bin.size;
            if (i == 4)
                put_zeros(&t.bin, 12);
            if (i == 4)
                mst_store32(t.bin.data + start, 12, true);
            put_entry(&t.bin, &one, i == 2 ? ZLB_MODDED : i == 3 ? DIR0 : ZLB);
            if (i == 4) {
                mst_store32(t.bin.data + start + 4, (uint32_t)(t.bin.size - start), true);
                one.data[0x70] ^= 0x55;
                put_entry(&t.bin, &one, ZLB);
                mst_store32(t.bin.data + start + 8, (uint32_t)(t.bin.size - start), true);
                put_aligned(&t.bin, start, 32);
            }
        }
        writer_free(&one);
    }
    put_u32(&t.tab, (uint32_t)(t.bin.size / 2));
    end_table(&t, COUNT + 1);
    return t;
}

static void banks_come_out_as_they_went_in(void **state) {
    (void)state;
    needs(false);
    two t = make_bank();
    assert_two(&t, "sfa-textures");
    mst_document *document = must_open_two(&t);
    assert_nothing(document, NULL);
    assert_false(json_has(document, "\"original"));
    assert_int_equal(count_of(document, "textures"), COUNT);
    assert_int_equal(count_of(document, "textures[4].frames"), 2);
    assert_int_equal(number_of(document, "textures[2].frames[0].width"), 8);
    mst_close(document);
    assert_alone(&t);
    random_state random = {5};
    assert_pair_survives(&t, &random, 300);
    two_free(&t);
}

/* The pictures' data of entries that are not edited. */
static void assert_same_data(const mst_document *one, const mst_document *other, unsigned without) {
    for (unsigned i = 0; i < COUNT; i++) {
        char path[64];
        mst_value a, b;
        const void *x, *y;
        size_t n, m;
        snprintf(path, sizeof path, "textures[%u].frames[0].data", i);
        if (i == without || mst_find(mst_root(one), path, &a, NULL) != MST_OK)
            continue;
        MUST(mst_find(mst_root(other), path, &b, NULL), NULL);
        MUST(mst_get_bytes(&a, &x, &n), NULL);
        MUST(mst_get_bytes(&b, &y, &m), NULL);
        assert_int_equal(n, m);
        assert_memory_equal(x, y, n);
    }
}

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

static two make_odd(odd how) {
    two t = make_bank();
    switch (how) {
    case SHARED: memcpy(t.tab.data + 4, t.tab.data, 4); break;
    case GAP:
        put_zeros(&t.bin, 64);
        memmove(t.bin.data + entry_at[3] + 64, t.bin.data + entry_at[3], t.bin.size - 64 - entry_at[3]);
        memset(t.bin.data + entry_at[3], 0xEE, 64);
        for (size_t i = 3; i <= COUNT; i++)
            mst_store32(t.tab.data + 4 * i, mst_load32(t.tab.data + 4 * i, true) + 32, true);
        break;
    case WRONG_SUM: t.tab.data[35] ^= 1; break;
    case NO_SUM: t.tab.size = 32; break;
    case DISORDER: {
        uint8_t kept[4];
        memcpy(kept, t.tab.data, 4);
        memcpy(t.tab.data, t.tab.data + 8, 4);
        memcpy(t.tab.data + 8, kept, 4);
        break;
    }
    case GARBAGE: memset(t.tab.data + 36, 0xAB, 20); break;
    case CLOSING: t.tab.data[24] = 0x81; break;
    case HOLE_AT_START:
        for (size_t i = 0; i <= COUNT; i++)
            if (i != 1)
                mst_store32(t.tab.data + 4 * i, mst_load32(t.tab.data + 4 * i, true) + 16, true);
        put_zeros(&t.bin, 32);
        memmove(t.bin.data + 32, t.bin.data, t.bin.size - 32);
        break;
    case ODD_END: put_bytes_of(&t.bin, "odd", 3); break;
    case FRAMES:
    default: t.tab.data[8] = 0x83; break; /* three frames, of which there is nothing */
    }
    if (how != GAP && how != WRONG_SUM && how != NO_SUM && how != GARBAGE)
        mst_store32(t.tab.data + 32, sum_of(&t.tab, COUNT + 1), true);
    return t;
}

static void odd_banks_are_kept_and_can_be_edited(void **state) {
    (void)state;
    needs(true);
    for (odd how = 0; how < ODDS; how++) {
        two t = make_odd(how);
        assert_two(&t, "sfa-textures");
        mst_document *document = must_open_two(&t), *again;
        mst_document *before = must_open_two(&t);
        if (json_has(document, "\"original_bin\"") !=
            (how != GAP && how != WRONG_SUM && how != NO_SUM && how != CLOSING))
            print_error("layout %d\n", (int)how);
        assert_int_equal(json_has(document, "\"original_bin\""),
                         how != GAP && how != WRONG_SUM && how != NO_SUM && how != CLOSING);
        must_set(document, "textures[5].frames[0].usage", "3");
        assert_round_trips(document);
        two made = two_of(document, &t);
        again = must_open_two(&made);
        assert_int_equal(number_of(again, "textures[5].frames[0].usage"), 3);
        assert_same_data(before, again, 5);
        assert_two(&made, "sfa-textures");
        mst_close(again);
        mst_close(before);
        mst_close(document);
        two_free(&made);
        two_free(&t);
    }
}

static void banks_are_edited(void **state) {
    (void)state;
    needs(true);
    two t = make_bank();
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    mst_value value;
    /* a complete record, as in its JSON */
    mst_buffer text = {0};
    MUST(mst_find(mst_root(document), "textures[0]", &value, &why), &why);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), &why), &why);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    must_set(document, "textures[0]", (const char *)text.data);
    assert_files(document, &t);
    MUST(mst_insert(document, "textures[1]", (const char *)text.data, &why), &why);
    assert_int_equal(count_of(document, "textures"), COUNT + 1);
    MUST(mst_remove(document, "textures[1]", &why), &why);
    assert_files(document, &t);
    mst_buffer_free(&text);
    /* the table says how many frames there are */
    MUST(mst_find(mst_root(document), "textures[0].frames[0]", &value, &why), &why);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), &why), &why);
    sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    MUST(mst_insert(document, "textures[0].frames[1]", (const char *)text.data, &why), &why);
    assert_int_equal(number_of(document, "textures[0].flags"), 0x82);
    MUST(mst_remove(document, "textures[0].frames[0]", &why), &why);
    assert_int_equal(number_of(document, "textures[0].flags"), 0x81);
    assert_files(document, &t);
    mst_buffer_free(&text);
    MUST(mst_remove(document, "textures[4].frames[0]", &why), &why);
    assert_int_equal(number_of(document, "textures[4].flags"), 0x81);
    assert_round_trips(document);
    /* what the table cannot say */
    two kept = two_of(document, &t);
    assert_int_equal(mst_set(document, "textures[0].flags", "1", &why), MST_REFUSED);
    assert_string_equal(why.path, "textures[0]");
    assert_int_equal(mst_set(document, "textures[0].flags", "131", &why), MST_REFUSED);
    assert_int_equal(mst_set(document, "textures[1].word", "2164260864", &why), MST_REFUSED);
    assert_int_equal(mst_set(document, "textures[1].word", "4294967295", &why), MST_REFUSED);
    assert_int_equal(mst_set(document, "textures[0].frames", "[]", &why), MST_REFUSED);
    assert_string_equal(why.path, "textures[0]");
    assert_int_equal(mst_set(document, "textures[0].frames[0].format", "7", &why), MST_REFUSED);
    assert_string_equal(why.code, "SFA-TEXTURE");
    assert_int_equal(mst_set(document, "textures[0].frames[0].original", "\"00\"", &why), MST_REFUSED);
    assert_files(document, &kept);
    two_free(&kept);
    mst_close(document);
    two_free(&t);
}

/* ---- pictures ----------------------------------------------------------------------------------- */

static void read_picture(const mst_document *document, size_t index, mst_pixels *pixels) {
    char name[MST_IMAGE_NAME];
    mst_diagnostic why;
    memset(pixels, 0, sizeof *pixels);
    MUST(mst_image_read(document, index, pixels, name, &why), &why);
    static const char *const names[] = {"texture_0",   "texture_2",   "texture_3",
                                        "texture_4_0", "texture_4_1", "texture_5"};
    assert_string_equal(name, names[index]);
}

static void pictures_are_replaced(void **state) {
    (void)state;
    needs(true);
    two t = make_bank();
    assert_int_equal(entry_at[0], 0);
    for (size_t i = 0; i < 6; i++) {
        mst_document *document = must_open_two(&t), *again;
        mst_diagnostic why;
        mst_pixels pixels, after;
        assert_int_equal(mst_image_count(document), 6);
        read_picture(document, i, &pixels);
        MUST(mst_image_replace(document, i, &pixels, &why), &why);
        assert_files(document, &t);
        assert_false(mst_is_edited(document));
        /* the last pixel first: colours that the format has */
        size_t count = (size_t)pixels.width * pixels.height;
        for (size_t k = 0; k < count / 2; k++) {
            uint8_t one[4];
            memcpy(one, pixels.data + 4 * k, 4);
            memcpy(pixels.data + 4 * k, pixels.data + 4 * (count - 1 - k), 4);
            memcpy(pixels.data + 4 * (count - 1 - k), one, 4);
        }
        MUST(mst_image_replace(document, i, &pixels, &why), &why);
        assert_true(mst_is_edited(document));
        two made = two_of(document, &t);
        again = must_open_two(&made);
        read_picture(again, i, &after);
        if (i != 2) /* CMPR has few colours in a tile */
            assert_memory_equal(after.data, pixels.data, 4 * count);
        assert_two(&made, "sfa-textures");
        mst_close(again);
        two_free(&made);
        mst_pixels_free(&after);
        pixels.width--;
        assert_int_equal(mst_image_replace(document, i, &pixels, &why), MST_REFUSED);
        mst_pixels_free(&pixels);
        mst_close(document);
    }
    /* smaller levels are made of the picture */
    mst_document *document = must_open_two(&t);
    mst_pixels pixels;
    mst_diagnostic why;
    mst_value value;
    const void *data;
    size_t size;
    read_picture(document, 5, &pixels);
    memset(pixels.data, 100, 4 * 64);
    for (size_t y = 0; y < 8; y += 2) /* squares of four that are 110 on average */
        for (size_t x = 0; x < 8; x += 2)
            memset(pixels.data + 4 * (y * 8 + x), 140, 4);
    MUST(mst_image_replace(document, 5, &pixels, &why), &why);
    MUST(mst_find(mst_root(document), "textures[5].frames[0].data", &value, &why), &why);
    MUST(mst_get_bytes(&value, &data, &size), NULL);
    assert_int_equal(size, 96);
    for (size_t i = 0; i < 16; i++) /* 4 x 4, of a tile of 8 x 4 */
        assert_int_equal(((const uint8_t *)data)[64 + i / 4 * 8 + i % 4], 110);
    mst_pixels_free(&pixels);
    assert_int_equal(mst_image_read(document, 6, &pixels, NULL, &why), MST_ARGUMENT);
    mst_close(document);
    two_free(&t);
}

/* A texture by itself. */
typedef struct lone {
    writer bytes;
    mst_document *document;
    mst_pixels pixels;
} lone;

static lone open_lone(const writer *texture) {
    lone l = {.bytes = wrap(DIR0, texture)};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME];
    l.document = open_as(&l.bytes, NULL, NULL);
    assert_string_equal(mst_document_format(l.document)->id, "sfa-texture");
    assert_int_equal(mst_image_count(l.document), 1);
    MUST(mst_image_read(l.document, 0, &l.pixels, name, &why), &why);
    assert_string_equal(name, "texture");
    return l;
}
static void close_lone(lone *l) {
    mst_pixels_free(&l->pixels);
    mst_close(l->document);
    writer_free(&l->bytes);
}
/* The levels' bytes; they stand 0x20 + 0x60 bytes after the start of the file. */
static const uint8_t *lone_data(const lone *l) {
    size_t size;
    const uint8_t *bytes = mst_document_file(l->document, 0, NULL, &size);
    assert_true(size > 0x80);
    return bytes + 0x80;
}

/* Each level is made of the one above it, of whatever shape that is; what is after the last one stays. */
static void levels_are_made(void **state) {
    (void)state;
    needs(true);
    static const struct {
        unsigned width, height, max_lod, levels; /* levels: that there is data for */
        uint8_t values[4];                       /* of the pixels */
        uint8_t next[2], last;                   /* of level 1, and of level 2 */
    } cases[] = {
        {2, 2, 4, 5, {10, 20, 30, 41}, {25, 0}, 0},
        {4, 1, 2, 3, {10, 20, 30, 50}, {15, 40}, 28},
        {1, 4, 2, 3, {10, 20, 30, 50}, {15, 40}, 28},
        {4, 1, 2, 2, {10, 20, 30, 50}, {15, 40}, 0}, /* the last one is not there */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer texture =
            make_texture(I8, cases[i].width, cases[i].height, cases[i].max_lod, cases[i].levels * 32, 9);
        lone l = open_lone(&texture);
        uint8_t indices[4] = {0, 1, 2, 3}, after[32];
        memcpy(after, lone_data(&l) + (cases[i].levels - 1) * 32, 32);
        mst_pixels with = {.width = cases[i].width, .height = cases[i].height, .data = indices};
        with.indexed = 1;
        with.palette_count = 4;
        for (unsigned k = 0; k < 4; k++)
            memset(with.palette[k], cases[i].values[k], 4);
        mst_diagnostic why;
        MUST(mst_image_replace(l.document, 0, &with, &why), &why);
        const uint8_t *data = lone_data(&l);
        bool flat = cases[i].height == 1, tall = cases[i].width == 1;
        for (unsigned k = 0; k < 4; k++) /* rows of a tile have eight pixels */
            assert_int_equal(data[flat ? k : tall ? 8 * k : k / 2 * 8 + k % 2], cases[i].values[k]);
        assert_int_equal(data[32], cases[i].next[0]);
        if (cases[i].next[1])
            assert_int_equal(data[32 + (tall ? 8 : 1)], cases[i].next[1]);
        if (cases[i].last)
            assert_int_equal(data[64], cases[i].last);
        if (i == 0)
            assert_memory_equal(data + 4 * 32, after, 32);
        findings list = check_all(l.document, NULL);
        assert_int_equal(list.count, i == 3);
        if (list.count)
            assert_string_equal(list.items[0].path, "max_lod");
        findings_free(&list);
        close_lone(&l);
        writer_free(&texture);
    }
}

static void pictures_that_are_not_written(void **state) {
    (void)state;
    needs(true);
    static const struct {
        unsigned format, second; /* where the alpha image is */
        const char *found;
    } cases[] = {{4, 128, "RGB565 with an alpha image"}, {9, 0, "C8"}};
    for (size_t i = 0; i < 2; i++) {
        writer texture = make_texture(cases[i].format, 8, 8, 0, 160, 3);
        mst_store32(texture.data + 0x50, cases[i].second, true);
        lone l = open_lone(&texture);
        mst_diagnostic why;
        if (cases[i].second) /* a byte is two pixels, in rows of eight */
            for (unsigned k = 0; k < 64; k++) {
                uint8_t both = texture.data[0x60 + 128 + k / 2];
                assert_int_equal(l.pixels.data[4 * k + 3], (k % 2 ? both & 15 : both >> 4) * 17);
            }
        MUST(mst_image_replace(l.document, 0, &l.pixels, &why), &why); /* the same value as before */
        l.pixels.data[0] ^= 0x80;
        assert_int_equal(mst_image_replace(l.document, 0, &l.pixels, &why), MST_REFUSED);
        assert_string_equal(why.found, cases[i].found);
        assert_int_equal(mst_image_replace(l.document, 0, &l.pixels, NULL), MST_REFUSED);
        l.pixels.height--;
        assert_int_equal(mst_image_replace(l.document, 0, &l.pixels, &why), MST_REFUSED);
        assert_string_equal(why.expected, "8 x 8");
        assert_string_equal(why.found, "8 x 7");
        assert_int_equal(mst_image_replace(l.document, 0, &l.pixels, NULL), MST_REFUSED);
        assert_false(mst_is_edited(l.document));
        assert_round_trips(l.document);
        l.bytes.data[15] ^= 1;
        mst_document *two_sizes = open_as(&l.bytes, NULL, NULL);
        assert_one(two_sizes, NULL, "SFA-DIR-SIZE", "");
        assert_stops(two_sizes, NULL, 1);
        mst_close(two_sizes);
        close_lone(&l);
        /* an alpha image that would lie after the end is none */
        mst_store32(texture.data + 0x50, 144, true);
        l = open_lone(&texture);
        assert_one(l.document, NULL, "SFA-TEXTURE-ALPHA", "alpha_image_offset");
        close_lone(&l);
        writer_free(&texture);
    }
}

/* What is kept, or is not a texture, is not a picture. */
static void not_all_entries_are_pictures(void **state) {
    (void)state;
    needs(false);
    two t = make_bank();
    writer few = {.big = true}, unknown = {.big = true};
    put_zeros(&few, 10);
    mst_store32(t.tab.data + 4, 0x81000000 | (uint32_t)(t.bin.size / 2), true);
    put_entry(&t.bin, &few, DIR0);
    t.bin.data[entry_at[0] + 40] ^= 0x10;         /* the stream */
    t.bin.data[entry_at[3] + 0x20 + 0x16] = 0x21; /* the format */
    mst_store32(t.tab.data + 32, sum_of(&t.tab, COUNT + 1), true);
    mst_document *document = must_open_two(&t);
    assert_int_equal(mst_image_count(document), 4);
    mst_pixels pixels = {0};
    char name[MST_IMAGE_NAME];
    mst_diagnostic why;
    MUST(mst_image_read(document, 0, &pixels, name, &why), &why);
    assert_string_equal(name, "texture_2");
    mst_pixels_free(&pixels);
    findings list = check_all(document, NULL);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].path, "textures[0].frames[0]");
    assert_string_equal(list.items[0].code, "SFA-ZLB");
    assert_string_equal(list.items[1].path, "textures[1].frames[0]");
    assert_string_equal(list.items[1].code, "SFA-TEXTURE");
    assert_string_equal(list.items[2].path, "textures[3].frames[0].format");
    findings_free(&list);
    assert_stops(document, NULL, 3);
    mst_close(document);
    two_free(&t);
    put_u32(&unknown, 0xF0F0F0F0);
    document = open_as(&unknown, "sfa-texture", NULL);
    assert_int_equal(mst_image_count(document), 0);
    assert_int_equal(mst_image_read(document, 0, &pixels, name, &why), MST_ARGUMENT);
    assert_nothing(document, NULL);
    mst_close(document);
    writer_free(&unknown);
    writer_free(&few);
}

static void textures_are_recognised(void **state) {
    (void)state;
    needs(false);
    static const struct {
        size_t at;
        uint16_t value;
        bool whole, cut; /* whether it is one with all of its data, and without */
    } cases[] = {
        {0x10, 0x100, true, true},    {0x02, 1, false, false},      {0x06, 1, false, false},
        {0x0A, 0, false, false},      {0x0C, 0, false, false},      {0x0E, 2, false, false},
        {0x16, 0x0701, false, false}, {0x16, 0x0103, false, false}, {0x18, 0x0301, false, false},
        {0x18, 0x0106, false, false}, {0x10, 0, true, false},       {0x10, 0x101, true, false},
        {0x0A, 1025, true, false},    {0x0C, 1025, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = make_texture(I8, 8, 4, 0, 40000, 1);
        mst_variant variant = {0};
        const mst_format *format = &mst_format_sfa_texture;
        mst_store16(w.data + cases[i].at, cases[i].value, true);
        if (format->identity.probe(w.data, w.size, w.size, NULL, &variant) != cases[i].whole)
            print_error("case %zu\n", i);
        assert_int_equal(format->identity.probe(w.data, w.size, w.size, NULL, &variant), cases[i].whole);
        assert_int_equal(format->identity.probe(w.data, 0x60, 0x60, NULL, &variant), cases[i].cut);
        assert_false(format->identity.probe(w.data, 0x5F, 0x5F, NULL, &variant));
        /* in a wrapper it need not be all there */
        writer packed = wrap(DIR0, &w);
        assert_int_equal(format->identity.probe(packed.data, 0x80, packed.size, NULL, &variant),
                         cases[i].whole);
        writer_free(&packed);
        writer_free(&w);
    }
}

/* A picture is put there, or nothing is. */
static void pictures_may_lack_memory(void **state) {
    (void)state;
    needs(true);
    writer texture = make_texture(I8, 64, 64, 6, 8192, 9), w = wrap(DIR0, &texture);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {0};
        mst_open_options options = {.allocator = counted_allocator(&memory)};
        mst_document *document;
        mst_diagnostic why;
        mst_pixels pixels = {.allocator = options.allocator};
        MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_image_read(document, 0, &pixels, NULL, &why);
        if (status == MST_OK) {
            pixels.data[0] ^= 1;
            status = mst_image_replace(document, 0, &pixels, &why);
        }
        bool failed = memory.failed;
        memory.fail_at = 0;
        mst_pixels_free(&pixels);
        if (status != MST_OK) {
            assert_true(failed);
            assert_int_equal(status, MST_NO_MEMORY);
            assert_int_equal(why.status, MST_NO_MEMORY);
            assert_writer(document, &w);
        }
        mst_close(document);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        if (!failed)
            break;
    }
    writer_free(&w);
    writer_free(&texture);
}

/* ---- findings ----------------------------------------------------------------------------------- */

static void each_fault_is_said_once(void **state) {
    (void)state;
    needs(false);
    static const struct {
        bool table;
        unsigned entry; /* `at` counts from it */
        size_t at;
        uint8_t flip;
        const char *code, *path;
    } cases[] = {
        {false, 0, 40, 0x10, "SFA-ZLB", "textures[0].frames[0]"},
        {false, 0, 12, 0x80, "SFA-ZLB", "textures[0].frames[0]"},
        {false, 3, 15, 1, "SFA-DIR-SIZE", "textures[3].frames[0]"},
        {false, 3, 0x20 + 0x16, 14 ^ 7, "SFA-TEXTURE", "textures[3].frames[0].format"},
        {false, 3, 0x20 + 0x0B, 8, "SFA-TEXTURE", "textures[3].frames[0].width"},
        {false, 3, 0x20 + 0x0D, 8, "SFA-TEXTURE", "textures[3].frames[0].height"},
        {false, 3, 0x20 + 0x0C, 8, "SFA-TEXTURE", "textures[3].frames[0].data"},
        {false, 3, 0x20 + 0x1D, 3, "SFA-TEXTURE-LEVELS", "textures[3].frames[0].max_lod"},
        {false, 3, 0x20 + 0x50, 1, "SFA-TEXTURE-ALPHA", "textures[3].frames[0].alpha_image_offset"},
        {true, 0, 35, 1, "SFA-TAB-SUM", "sum_stored"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        two t = make_bank();
        (cases[i].table ? t.tab.data : t.bin.data + entry_at[cases[i].entry])[cases[i].at] ^= cases[i].flip;
        mst_document *document = must_open_two(&t);
        assert_one(document, NULL, cases[i].code, cases[i].path);
        assert_files(document, &t);
        mst_close(document);
        two_free(&t);
    }
    for (int i = 0; i < 2; i++) {
        two t = make_bank();
        if (i)
            t.tab.data[21] = 0xFF; /* far after the end */
        else
            t.tab.data[28] = 0; /* no end mark */
        mst_document *document;
        mst_diagnostic why;
        assert_int_equal(open_two(&t, false, &document, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-TAB");
        assert_string_equal(why.path, i ? "textures[5]" : "");
        two_free(&t);
    }
}

/* A block with two textures, 5 and 9, and a group without polygons. */
static writer make_block(void) {
    writer w = {.big = true};
    /* in the header: where positions, colours, texcoords, the stream, textures, shaders, groups and polygons
     * are, counted from the end of the header */
    static const uint8_t places[][2] = {{0x58, 0}, {0x5C, 0}, {0x60, 0}, {0x78, 0},
                                        {0x54, 0}, {0x64, 8}, {0x50, 8}, {0x4C, 48}};
    put_zeros(&w, 0xB8);
    put_u32(&w, 5), put_u32(&w, 9);
    put_zeros(&w, 2 * 20);
    put_aligned(&w, 0, 32);
    mst_store16(w.data + 4, 8, true);
    mst_store32(w.data + 8, (uint32_t)w.size, true);
    mst_store32(w.data + 0x68, 0xB8, true);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        mst_store32(w.data + places[i][0], 0xB8u + places[i][1], true);
    mst_store16(w.data + 0x9A, 1, true);
    w.data[0xA0] = 2;
    memcpy(w.data + 0xA4, "mod6.0", 6);
    return w;
}

static void blocks_know_what_textures_there_are(void **state) {
    (void)state;
    needs(false);
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    put_entry(&t.bin, &block, ZLB);
    put_u32(&t.tab, 0);
    put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    assert_two(&t, "sfa-blocks");
    mst_document *document = must_open_two(&t);
    findings alone = check_all(document, NULL);
    writer table = {.big = true};
    for (unsigned i = 0; i < 11; i++)
        put_u32(&table, i == 5 || i == 9 ? 0x81000000 : 0x01000000);
    put_u32(&table, MARK);
    shelf beside = {.count = 0};
    shelf_put(&beside, "TEX1.tab", table.data, table.size);
    mst_resolver resolver = shelf_resolver(&beside);
    for (int absent = 0; absent < 2; absent++) {
        if (absent)
            table.data[36] = 0x01;
        findings list = check_all(document, &resolver);
        assert_int_equal(list.count, alone.count + (size_t)absent);
        assert_int_equal(count_code(&list, "SFA-TEXTURE-INDEX"),
                         count_code(&alone, "SFA-TEXTURE-INDEX") + (size_t)absent);
        for (size_t i = 0; i < list.count && absent; i++)
            if (strcmp(list.items[i].code, "SFA-TEXTURE-INDEX") == 0)
                assert_string_equal(list.items[i].path, "blocks[1].packed.block.textures[1]");
        findings_free(&list);
    }
    findings_free(&alone);
    writer_free(&table);
    mst_close(document);
    two_free(&t);
}

/* A bank with a block, one that is kept packed, a damaged one, and an empty slot. */
static two make_mixed_blocks(void) {
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    for (unsigned i = 0; i < 4; i++) {
        put_u32(&t.tab, i == 3 ? 0 : 0x10000000 | (uint32_t)t.bin.size);
        if (i == 1) {
            put_u32(&t.bin, 0xF0F0F0F0);
            put_zeros(&t.bin, 28);
            continue;
        }
        if (i == 2)
            mst_store32(block.data + 8, 1, true); /* its size */
        if (i != 3)
            put_entry(&t.bin, &block, i ? DIR0 : ZLB);
    }
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    return t;
}

static void blocks_are_checked_one_by_one(void **state) {
    (void)state;
    needs(false);
    two t = make_mixed_blocks();
    writer table = {.big = true};
    shelf beside = {.count = 0};
    put_u32(&table, 0x81000000); /* not one of them, and no end */
    shelf_put(&beside, "TEX1.tab", table.data, table.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_document *document = must_open_two(&t);
    findings list = check_all(document, NULL);
    assert_true(list.count > 0);
    assert_string_equal(list.items[list.count - 1].code, "SFA-BLOCK-HEADER");
    assert_string_equal(list.items[list.count - 1].path, "blocks[2].packed.block");
    size_t alone = list.count;
    findings_free(&list);
    list = check_all(document, &resolver); /* a table without an end mark has no entries */
    assert_int_equal(list.count, alone);
    findings_free(&list);
    stopping s = {.at = SIZE_MAX};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, NULL, stop_at, &s, &result, &why), &why);
    assert_int_equal(s.heard, alone);
    table.size = 0;
    put_u32(&table, 0x81000000), put_u32(&table, MARK);
    beside.files[0] = (shelf_file){"TEX1.tab", table.data, table.size};
    list = check_all(document, &resolver);
    assert_int_equal(list.count, alone + 2);
    findings_free(&list);
    assert_stops(document, &resolver, 3);
    t.bin.data[12] ^= 1; /* the first is damaged as well */
    mst_document *damaged = must_open_two(&t);
    assert_stops(damaged, &resolver, 2);
    mst_close(damaged);
    mst_close(document);
    two_free(&t);
    /* a block by itself */
    writer block = make_block();
    memcpy(block.data + 0xA4, "odd", 4);
    writer w = wrap(DIR0, &block);
    document = open_as(&w, NULL, NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-block");
    assert_stops(document, &resolver, 3);
    mst_close(document);
    w.data[15] ^= 1; /* two sizes */
    document = open_as(&w, NULL, NULL);
    assert_stops(document, &resolver, 4);
    mst_close(document);
    writer_free(&w);
    writer_free(&block);
    writer unknown = {.big = true};
    put_u32(&unknown, 0xF0F0F0F0);
    document = open_as(&unknown, "sfa-block", NULL);
    assert_nothing(document, &resolver);
    mst_close(document);
    writer_free(&unknown);
    writer_free(&table);
}

/* Whatever else of the bank is edited, a block's values follow its own edits alone. */
static void blocks_follow_their_own_edits(void **state) {
    (void)state;
    needs(true);
    two t = make_mixed_blocks();
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    mst_value value;
    mst_buffer text = {0};
    MUST(mst_find(mst_root(document), "blocks[0]", &value, &why), &why);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), &why), &why);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    /* the box of the group is that of no position, so nothing follows but the range of y, from the group */
    must_set(document, "blocks[0].packed.block.polygon_groups[0].y_min", "-4");
    assert_int_equal(number_of(document, "blocks[0].packed.block.y_min"), -4);
    must_set(document, "blocks[0].packed.block.textures", "[5, 9, 11]"); /* longer */
    assert_int_equal(count_of(document, "blocks[0].packed.block.textures"), 3);
    must_set(document, "blocks[3]", (const char *)text.data); /* one more */
    must_set(document, "blocks[3].packed.block.polygon_groups[0].y_max", "6");
    assert_int_equal(number_of(document, "blocks[3].packed.block.y_max"), 6);
    assert_int_equal(number_of(document, "blocks[0].packed.block.y_min"), -4);
    must_set(document, "blocks[0]", "{\"present\": false}");
    assert_int_equal(number_of(document, "blocks[3].packed.block.y_max"), 6);
    must_set(document, "blocks[3]", "{\"present\": false}");
    must_set(document, "blocks[1]", "{\"present\": false}");
    must_set(document, "blocks[2]", "{\"present\": false}"); /* none is left */
    must_set(document, "blocks[0]", (const char *)text.data);
    assert_int_equal(number_of(document, "blocks[0].packed.block.y_min"), 0);
    must_set(document, "blocks[1]", (const char *)text.data);
    must_set(document, "blocks[1].packed.wrapper", "\"none\"");
    assert_round_trips(document);
    mst_buffer_free(&text);
    mst_close(document);
    two_free(&t);
}

static void blocks_are_recognised(void **state) {
    (void)state;
    needs(false);
    static const struct {
        const char *name;
        bool is;
    } names[] = {{"mod6.tab", true},     {"MOD12.zlb.bin", true}, {"a/mod123.bin", true},
                 {"mod1234.bin", false}, {"mod.bin", false},      {"mod6.zlb", false},
                 {"mo", false},          {"nod6.bin", false},     {"mad6.bin", false},
                 {"mob6.bin", false},    {"mod/.bin", false},     {"mod:.bin", false},
                 {"mod6/.bin", false},   {"mod6:.bin", false}};
    mst_variant variant = {0};
    const mst_format *bank = &mst_format_sfa_blocks, *one = &mst_format_sfa_block;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(bank->identity.probe(NULL, 0, 0, names[i].name, &variant), names[i].is);
    assert_false(bank->identity.probe(NULL, 0, 0, NULL, &variant));
    writer block = make_block();
    assert_true(one->identity.probe(block.data, block.size, block.size, NULL, &variant));
    /* of another size than it says, its lists have to lie in it */
    assert_true(one->identity.probe(block.data, block.size, block.size + 1, NULL, &variant));
    for (size_t at = 0x4C; at <= 0x64; at += 4) {
        uint32_t was = mst_load32(block.data + at, true);
        mst_store32(block.data + at, 0xB7, true);
        assert_false(one->identity.probe(block.data, block.size, block.size + 1, NULL, &variant));
        mst_store32(block.data + at, (uint32_t)block.size + 1, true);
        assert_false(one->identity.probe(block.data, block.size, block.size + 1, NULL, &variant));
        mst_store32(block.data + at, was, true);
    }
    writer packed = wrap(DIR0, &block);
    assert_true(one->identity.probe(packed.data, packed.size, packed.size, NULL, &variant));
    packed.data[0x20 + 11] ^= 1; /* the size is not a multiple of 32 */
    assert_false(one->identity.probe(packed.data, packed.size, packed.size, NULL, &variant));
    block.data[11] ^= 1;
    assert_false(one->identity.probe(block.data, block.size, block.size, NULL, &variant));
    mst_store32(block.data + 0x68, 0xBC, true);
    assert_false(one->identity.probe(block.data, block.size, block.size, NULL, &variant));
    writer_free(&packed);
    writer_free(&block);
}

/* Blocks that are put in or taken out move others, and change nothing of them: odd values stay odd. */
static void blocks_keep_what_is_odd(void **state) {
    (void)state;
    needs(true);
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    for (unsigned i = 0; i < 4; i++) {
        put_u32(&t.tab, 0x10000000 | (uint32_t)t.bin.size);
        if (i == 3) { /* the range of y is not that of the group */
            mst_store32(block.data + 0x8A, 0x00070009, true);
            mst_store32(block.data + 0xC0 + 6, 0x00010002, true);
        }
        put_entry(&t.bin, &block, ZLB);
    }
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    int64_t low = number_of(document, "blocks[3].packed.block.y_min"),
            high = number_of(document, "blocks[3].packed.block.y_max");
    assert_true(low == 7 || high == 7);
    MUST(mst_remove(document, "blocks[0]", &why), &why);
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_min"), low);
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_max"), high);
    must_set(document, "blocks[0]", "{\"present\": false}");
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_min"), low);
    assert_int_equal(number_of(document, "blocks[2].packed.block.y_max"), high);
    assert_round_trips(document);
    mst_close(document);
    two_free(&t);
}

/* ---- files -------------------------------------------------------------------------------------- */

static char folder[64];

static const char *in_folder(const char *name) {
    static char paths[4][400];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}
static void write_file(const char *name, const writer *w) {
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(w->data, 1, w->size, file), w->size);
    assert_int_equal(fclose(file), 0);
}
static bool is_there(const char *name) {
    return access(in_folder(name), F_OK) == 0;
}
static void assert_on_disc(const char *name, const writer *w) {
    size_t size;
    uint8_t *bytes = read_whole(in_folder(name), &size);
    assert_non_null(bytes);
    assert_int_equal(size, w->size);
    assert_memory_equal(bytes, w->data, size);
    free(bytes);
}
static void clear_folder(void) {
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.')
            unlink(in_folder(entry->d_name));
    closedir(listing);
}
static unsigned files_in_folder(void) {
    unsigned count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(listing);
    return count;
}
static bool make_folder(void) {
    const char *above = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/mapstone-parsed-XXXXXX",
             above && strlen(above) < 32 ? above : "/tmp");
    return mkdtemp(folder) != NULL;
}

static mst_document *open_file(const char *name, const mst_open_options *options) {
    mst_document *document = NULL;
    mst_diagnostic why;
    MUST(mst_open_file(in_folder(name), options, &document, &why), &why);
    return document;
}

static void pairs_on_disc(void **state) {
    (void)state;
    needs(true);
    if (!make_folder())
        skip();
    two t = make_bank();
    mst_diagnostic why;
    const char *name;
    size_t size;
    /* found beside either, in any case, and saved under its own name */
    static const char *const names[][2] = {{"TEX1.bin", "TEX1.tab"},
                                           {"tex1.BIN", "tex1.TAB"},
                                           {"TEX1.bin", "tex1.TAB"},
                                           {"TeX0.bin", "TEX0.Tab"}};
    for (size_t i = 0; i < 4; i++)
        for (int by_table = 0; by_table < 2; by_table++) {
            clear_folder();
            write_file(names[i][0], &t.bin);
            write_file(names[i][1], &t.tab);
            mst_document *document = open_file(names[i][by_table], NULL);
            assert_string_equal(mst_document_format(document)->id, "sfa-textures");
            assert_files(document, &t);
            assert_string_equal(mst_document_name(document), names[i][0]);
            mst_document_file(document, 1, &name, &size);
            assert_string_equal(name, names[i][1]);
            MUST(mst_remove(document, "textures[4].frames[1]", &why), &why);
            mst_document_file(document, 1, &name, &size);
            assert_string_equal(name, names[i][1]);
            MUST(mst_save_file(document, in_folder(names[i][by_table]), &why), &why);
            two made = two_of(document, &t);
            assert_int_equal(files_in_folder(), 2);
            assert_on_disc(names[i][0], &made.bin);
            assert_on_disc(names[i][1], &made.tab);
            two_free(&made);
            mst_close(document);
        }
    /* under new names */
    clear_folder();
    write_file("TEX1.bin", &t.bin);
    write_file("TEX1.tab", &t.tab);
    mst_document *document = open_file("TEX1.bin", NULL);
    static const char *const saved[][3] = {
        {"new.bin", "new.bin", "new.tab"},        {"x.tab", "x.bin", "x.tab"},
        {"OUT.TAB", "OUT.BIN", "OUT.TAB"},        {"UP.BIN", "UP.BIN", "UP.TAB"},
        {"mod7.tab", "mod7.zlb.bin", "mod7.tab"}, {"nothing", "nothing", "nothing.tab"}};
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        MUST(mst_save_file(document, in_folder(saved[i][0]), &why), &why);
        assert_on_disc(saved[i][1], &t.bin);
        assert_on_disc(saved[i][2], &t.tab);
        assert_int_equal(files_in_folder(), 4 + 2 * i);
    }
    mst_close(document);
    /* another name than its own, and a place all the same */
    mst_open_options named = {.name = "TEX0.bin"};
    clear_folder();
    write_file("data", &t.bin);
    write_file("TEX0.tab", &t.tab);
    document = open_file("data", &named);
    assert_string_equal(mst_document_format(document)->id, "sfa-textures");
    assert_files(document, &t);
    mst_close(document);
    /* without its other file it is something else */
    unlink(in_folder("TEX0.tab"));
    document = open_file("data", &named);
    assert_string_equal(mst_document_format(document)->id, "sfa-kept");
    assert_one(document, NULL, "SFA-ALONE", "");
    mst_close(document);
    clear_folder();
    write_file("TEX1.tab", &t.tab);
    document = open_file("TEX1.tab", NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-table");
    assert_same_bytes(document, t.tab.data, t.tab.size);
    assert_one(document, NULL, "SFA-ALONE", "");
    mst_close(document);
    /* where both cannot be written, neither is */
    clear_folder();
    write_file("TEX1.bin", &t.bin);
    write_file("TEX1.tab", &t.tab);
    document = open_file("TEX1.bin", NULL);
    must_set(document, "textures[0].frames[0].usage", "2");
    assert_int_equal(mkdir(in_folder("y.tab"), 0700), 0);
    assert_int_equal(mst_save_file(document, in_folder("y.bin"), &why), MST_IO);
    assert_false(is_there("y.bin"));
    assert_int_equal(files_in_folder(), 3);
    mst_close(document);
    rmdir(in_folder("y.tab"));
    clear_folder();
    rmdir(folder);
    two_free(&t);
}

/* The bank without .zlb, as another version of the game has it, keeps that name. */
static void banks_keep_their_names(void **state) {
    (void)state;
    needs(true);
    if (!make_folder())
        skip();
    two t = {.bin_name = "mod6.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer inside = make_objects(1, 1);
    put_entry(&t.bin, &inside, ZLB);
    writer_free(&inside);
    put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    for (int by_table = 0; by_table < 2; by_table++) {
        clear_folder();
        write_file("mod6.bin", &t.bin);
        write_file("mod6.tab", &t.tab);
        mst_document *document = open_file(by_table ? "mod6.tab" : "mod6.bin", NULL);
        mst_diagnostic why;
        must_set(document, "blocks[0].packed.version", "2");
        MUST(mst_save_file(document, in_folder(by_table ? "mod6.tab" : "mod6.bin"), &why), &why);
        two made = two_of(document, &t);
        assert_int_equal(made.bin.data[7], 2);
        assert_on_disc("mod6.bin", &made.bin);
        assert_int_equal(files_in_folder(), 2);
        two_free(&made);
        mst_close(document);
    }
    clear_folder();
    rmdir(folder);
    two_free(&t);
}

/* JSON has no files; the name that it is given may be that of either. */
static void names_of_what_comes_from_json(void **state) {
    (void)state;
    needs(true);
    two t = make_bank();
    mst_document *document = must_open_two(&t), *again;
    mst_buffer text = {0};
    mst_value root = mst_root(document);
    mst_diagnostic why;
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_close(document);
    static const char *const names[][3] = {{"TEX1.bin", "TEX1.bin", "TEX1.tab"},
                                           {"TEX1.tab", "TEX1.bin", "TEX1.tab"},
                                           {"dir/TEX1.TAB", "TEX1.BIN", "TEX1.TAB"},
                                           {"strange", "strange", ""},
                                           {NULL, "", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mst_open_options options = {.name = names[i][0]};
        MUST(mst_open_json((const char *)text.data, text.size, &options, &again, &why), &why);
        assert_files(again, &t);
        for (size_t k = 0; k < 2; k++) {
            const char *name;
            size_t size;
            mst_document_file(again, k, &name, &size);
            assert_string_equal(name, names[i][k + 1]);
        }
        mst_close(again);
    }
    mst_buffer_free(&text);
    two_free(&t);
}

/* ---- what is said elsewhere --------------------------------------------------------------------- */

/* Map 0, of one cell. */
static two make_maps(unsigned list_size, unsigned objects) {
    two t = {.bin_name = "MAPS.bin", .tab_name = "MAPS.tab"};
    writer *b = &t.bin, *tab = &t.tab;
    b->big = tab->big = true;
    put_u32(tab, 0);
    put_u16(b, 1), put_u16(b, 1), put_u32(b, 0);
    put_u16(b, (uint16_t)list_size);
    put_zeros(b, 18);
    put_u16(b, (uint16_t)objects);
    put_zeros(b, 26);
    put_u32(tab, (uint32_t)b->size);
    put_u32(b, 0x7F8000FFu);
    for (unsigned i = 0; i < 2; i++) {
        put_u32(tab, (uint32_t)b->size);
        put_u32(b, 0x77777777), put_u32(b, 0x77777777);
    }
    put_u32(tab, (uint32_t)b->size);
    put_u32(tab, (uint32_t)b->size);
    put_u32(tab, (uint32_t)b->size);
    put_u32(b, 0xFACEFEED);
    put_u32(b, list_size);
    put_u32(b, 0);
    put_u32(b, 32);
    put_u32(b, 0x18), put_u32(b, 0x1C), put_u32(b, 0), put_u32(b, 0);
    put_aligned(b, 0, 32);
    put_u32(tab, (uint32_t)b->size);
    put_u32(tab, MARK);
    put_aligned(tab, 0, 32);
    return t;
}

static void maps_follow_their_lists(void **state) {
    (void)state;
    needs(true);
    writer inside = make_objects(3, 7), w = wrap(ZLB, &inside);
    two t = make_maps(72, 3), bank = make_bank();
    mst_document *maps = must_open_two(&t), *list = open_as(&w, NULL, "frontend.romlist.zlb");
    mst_document *other = open_as(&w, NULL, "nowhere.romlist.zlb"), *textures = must_open_two(&bank);
    mst_diagnostic why;
    assert_string_equal(mst_index_file(list), "MAPS.bin");
    assert_null(mst_index_file(maps));
    MUST(mst_remove(list, "objects[1]", &why), &why);
    MUST(mst_update_index(list, maps, &why), &why);
    assert_int_equal(number_of(maps, "maps[0].object_list_size"), 48);
    assert_int_equal(number_of(maps, "maps[0].object_count"), 2);
    assert_int_equal(number_of(maps, "maps[0].object_list.unpacked_size"), 48);
    size_t size;
    mst_document_file(list, 0, NULL, &size);
    assert_int_equal(number_of(maps, "maps[0].object_list.packed_size"), size);
    /* again: there is nothing new */
    two made = two_of(maps, &t);
    MUST(mst_update_index(list, maps, &why), &why);
    assert_files(maps, &made);
    assert_int_equal(mst_update_index(other, maps, &why), MST_NO_PATH);
    assert_int_equal(mst_update_index(list, textures, &why), MST_NO_PATH);
    assert_int_equal(mst_update_index(textures, maps, &why), MST_UNSUPPORTED);
    mst_close(list);
    /* more than MAPS.bin can say */
    for (unsigned objects = 2730; objects <= 2731; objects++) {
        writer many = make_objects(objects, 1), packed = wrap(ZLB, &many);
        list = open_as(&packed, NULL, "frontend.romlist.zlb");
        mst_status status = mst_update_index(list, maps, &why);
        assert_int_equal(status, objects == 2730 ? MST_OK : MST_REFUSED);
        assert_int_equal(number_of(maps, "maps[0].object_count"), 2730);
        mst_close(list);
        writer_free(&packed);
        writer_free(&many);
    }
    assert_round_trips(maps);
    /* a number that is not the object count is corrected; without a diagnostic, too */
    MUST(mst_set(maps, "maps[0].object_count", "-1", &why), &why);
    list = open_as(&w, NULL, "frontend.romlist.zlb");
    MUST(mst_update_index(list, maps, NULL), NULL);
    assert_int_equal(number_of(maps, "maps[0].object_count"), 3);
    mst_close(list);
    writer large = make_objects(2731, 1), stored = wrap(PLAIN, &large);
    list = open_as(&stored, NULL, "frontend.romlist");
    assert_int_equal(mst_update_index(list, maps, NULL), MST_REFUSED);
    mst_close(list);
    writer_free(&stored);
    writer_free(&large);
    /* no list at all, and a name that no list has */
    static const uint8_t unknown[4] = {0xF0, 0xF0, 0xF0, 0xF0};
    mst_open_options named = {.format = "sfa-romlist", .name = "frontend.romlist.zlb"};
    MUST(mst_open_memory(unknown, 4, &named, &list, &why), &why);
    assert_int_equal(mst_update_index(list, maps, &why), MST_REFUSED);
    assert_nothing(list, NULL);
    mst_close(list);
    char name[80];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    list = open_as(&w, "sfa-romlist", name);
    assert_int_equal(mst_update_index(list, maps, &why), MST_NO_PATH);
    mst_close(list);
    mst_close(maps);
    /* whatever of it there is no memory for, it is told or it is not */
    shelf beside = {.count = 0};
    shelf_put(&beside, t.tab_name, t.tab.data, t.tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    list = open_as(&w, NULL, "frontend.romlist.zlb");
    MUST(mst_remove(list, "objects[1]", &why), &why);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {0};
        mst_open_options options = {
            .name = t.bin_name, .sidecars = &resolver, .allocator = counted_allocator(&memory)};
        MUST(mst_open_memory(t.bin.data, t.bin.size, &options, &maps, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_update_index(list, maps, &why);
        bool failed = memory.failed;
        memory.fail_at = 0;
        assert_int_equal(status == MST_NO_MEMORY, status != MST_OK);
        assert_true(failed || status == MST_OK);
        mst_close(maps);
        assert_int_equal(memory.blocks, 0);
        if (!failed)
            break;
    }
    mst_close(list);
    mst_close(other);
    mst_close(textures);
    two_free(&made);
    two_free(&bank);
    two_free(&t);
    writer_free(&w);
    writer_free(&inside);
}

/* ---- bounds ------------------------------------------------------------------------------------- */

typedef struct peak {
    counted all;
    size_t max;
} peak;
static void *peak_resize(void *user, void *old, size_t old_size, size_t new_size) {
    peak *p = user;
    void *made = counted_resize(&p->all, old, old_size, new_size);
    if (p->all.bytes > p->max)
        p->max = p->all.bytes;
    return made;
}

/* Opens it, checks it and closes it within the bound. */
static mst_status open_bounded(const two *t, const char *format, const char *code) {
    peak memory = {.max = 0};
    shelf beside = {.count = 0};
    if (t->tab_name)
        shelf_put(&beside, t->tab_name, t->tab.data, t->tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_open_options options = {
        .format = format, .name = t->bin_name, .sidecars = &resolver, .allocator = {peak_resize, &memory}};
    mst_document *document = NULL;
    mst_diagnostic why;
    size_t bound = 16 * (t->bin.size + t->tab.size) + (1u << 20);
    mst_status status = mst_open_memory(t->bin.data, t->bin.size, &options, &document, &why);
    if (memory.max > bound)
        print_error("%zu bytes of %zu\n", memory.max, bound);
    assert_true(memory.max <= bound);
    if (status == MST_OK) {
        if (t->tab_name)
            assert_files(document, t);
        else
            assert_writer(document, &t->bin);
        findings list = check_all(document, NULL);
        if (code)
            assert_true(count_code(&list, code) > 0);
        findings_free(&list);
    } else if (code && status == MST_DAMAGED) {
        assert_string_equal(why.code, code);
    }
    mst_close(document);
    assert_int_equal(memory.all.bytes, 0);
    assert_false(memory.all.wrong);
    return status;
}

static void bombs_do_not_go_off(void **state) {
    (void)state;
    needs(false);
    /* 1 KB that claims 4 GB */
    two t = {.bin_name = "a.romlist.zlb"};
    t.bin.big = true;
    put_bytes_of(&t.bin, "ZLB", 4);
    put_u32(&t.bin, 1);
    put_u32(&t.bin, 0xFFFFFFFF);
    put_u32(&t.bin, 1008);
    put_u16(&t.bin, 0x5885);
    put_zeros(&t.bin, 1006);
    assert_int_equal(open_bounded(&t, NULL, "SFA-ZLB"), MST_DAMAGED);
    two bank = make_bank();
    memcpy(bank.bin.data + entry_at[5] + 8, "\377\377\377\377", 4);
    assert_int_equal(open_bounded(&bank, NULL, "SFA-ZLB"), MST_OK);
    two_free(&bank);
    two_free(&t);
    /* a stream that really holds that much */
    writer zeros = {.big = true};
    put_zeros(&zeros, (size_t)24 << 20);
    t = (two){.bin_name = "a.bin"};
    t.bin = wrap(ZLB, &zeros);
    assert_true(t.bin.size < 1u << 16);
    assert_int_equal(open_bounded(&t, "sfa-packed", NULL), MST_NO_MEMORY);
    two_free(&t);
    /* one that is kept in a bank */
    t = make_bank();
    entry_at[0] = t.bin.size;
    put_entry(&t.bin, &zeros, ZLB);
    mst_store32(t.tab.data, 0x81000000 | (uint32_t)(entry_at[0] / 2), true);
    assert_int_equal(open_bounded(&t, NULL, "SFA-ZLB"), MST_OK);
    two_free(&t);
    writer_free(&zeros);
}

static void many_entries_at_one_place(void **state) {
    (void)state;
    needs(false);
    random_state random = {9};
    for (int how = 0; how < 3; how++) {
        two t = {.bin_name = "TEX1.bin", .tab_name = "TEX1.tab"};
        t.bin.big = t.tab.big = true;
        if (how == 1) {
            writer texture = make_texture(RGBA8, 32, 32, 0, 4096, 1);
            put_entry(&t.bin, &texture, ZLB);
            writer_free(&texture);
        }
        for (size_t i = 0; i < (how == 2 ? 1u << 12 : 1u << 20); i++)
            put_u8(&t.bin, (uint8_t)random_next(&random));
        for (unsigned i = 0; i < 100000; i++)
            put_u32(&t.tab, 0x81000000);
        put_u32(&t.tab, (uint32_t)(t.bin.size / 2));
        end_table(&t, 100001);
        mst_status status = open_bounded(&t, NULL, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        two_free(&t);
    }
}

/* What a text says is kept may be a bomb, too. */
static void json_is_bounded(void **state) {
    (void)state;
    needs(true);
    writer zeros = {.big = true}, packed, text = {0};
    put_zeros(&zeros, (size_t)24 << 20);
    packed = wrap(ZLB, &zeros);
    static const char header[] = "{\"$format\":\"sfa-textures\",\"textures\":[],\"original_bin\":\"";
    put_bytes_of(&text, header, strlen(header));
    for (size_t i = 0; i < packed.size; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", packed.data[i]);
        put_bytes_of(&text, digits, 2);
    }
    static const char tail[] = "\",\"original_tab\":\"8100000000000000ffffffff\"}";
    put_bytes_of(&text, tail, strlen(tail));
    peak memory = {.max = 0};
    mst_open_options options = {.allocator = {peak_resize, &memory}};
    mst_document *document;
    mst_open_json((const char *)text.data, text.size, &options, &document, NULL);
    assert_true(memory.max <= 64 * text.size + (1u << 20));
    mst_close(document);
    assert_int_equal(memory.all.bytes, 0);
    writer_free(&text);
    writer_free(&packed);
    writer_free(&zeros);
}

/* The caller may allow less, or more. */
static void budgets_are_heeded(void **state) {
    (void)state;
    needs(false);
    writer zeros = {.big = true};
    put_zeros(&zeros, (size_t)4 << 20);
    writer w = wrap(ZLB, &zeros);
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.format = "sfa-packed", .budget = (size_t)64 << 20};
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    assert_writer(document, &w);
    assert_encodes(document);
    mst_close(document);
    options.budget = (size_t)1 << 20;
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &document, &why), MST_NO_MEMORY);
    assert_null(document);
    writer_free(&w);
    writer_free(&zeros);
}

/* ---- forms ---------------------------------------------------------------------------------------- */

static two make_blocks(void) {
    two t = {.bin_name = "mod6.zlb.bin", .tab_name = "mod6.tab"};
    t.bin.big = t.tab.big = true;
    writer block = make_block();
    put_u32(&t.tab, 0x00000001);
    put_entry(&t.bin, &block, ZLB);
    put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    writer_free(&block);
    return t;
}

/* A document of every kind that is parsed, and the files that it is opened from. */
typedef struct opened {
    two files;
    mst_document *document;
} opened;

static opened open_kind(unsigned index) {
    opened o;
    if (index < 3) {
        o.files = index == 0 ? make_bank() : index == 1 ? make_blocks() : make_odd(SHARED);
        o.document = must_open_two(&o.files);
        return o;
    }
    writer inside = index == 3   ? make_block()
                    : index == 4 ? make_texture(I8, 8, 4, 0, 32, 1)
                                 : make_objects(2, 7);
    o.files = (two){.bin_name = index == 5 ? "a.romlist.zlb" : "a"};
    o.files.bin = wrap(index == 5 ? FACEFEED : ZLB, &inside);
    o.document = open_as(&o.files.bin, NULL, o.files.bin_name);
    writer_free(&inside);
    return o;
}
static void close_kind(opened *o) {
    mst_close(o->document);
    two_free(&o->files);
}
#define DOCUMENT_KINDS 6u

static void cut_forms_are_refused(void **state) {
    (void)state;
    needs(false);
    for (unsigned i = 0; i < DOCUMENT_KINDS; i++) {
        opened o = open_kind(i);
        assert_cut_refused(o.document, sample_step());
        close_kind(&o);
    }
}

static void limits_are_held(void **state) {
    (void)state;
    needs(false);
    for (unsigned i = 0; i < DOCUMENT_KINDS; i++) {
        opened o = open_kind(i);
        assert_limits_held(o.document, sample_step());
        close_kind(&o);
    }
}

/* Iterating over truncated parsed bytes stays within them, and finds what is complete. */
static void cursors_stop_where_a_form_ends(void **state) {
    (void)state;
    needs(false);
    for (unsigned i = 0; i < 2; i++) {
        opened o = open_kind(i);
        const mst_document *document = o.document;
        size_t before = 0, max = i ? 1 : 6;
        for (size_t size = 0; size <= document->size; size++) {
            uint8_t *cut = exact_copy(document->data, size);
            mst_sfa_bank_cursor cursor = mst_sfa_bank_open(cut, size, i == 0);
            size_t met = 0;
            while (mst_sfa_bank_next(&cursor)) {
                assert_true(cursor.entry < size && cursor.content + cursor.content_size <= size);
                met++;
            }
            assert_false(mst_sfa_bank_next(&cursor));
            assert_true(met >= before && met <= max);
            before = met;
            free(cut);
        }
        assert_int_equal(before, max);
        close_kind(&o);
    }
}

/* The fields before what is packed: where they are cut off, and where they say what cannot be. */
static void entries_that_make_no_sense_are_refused(void **state) {
    (void)state;
    needs(false);
    writer inside = make_objects(1, 7);
    for (kind as = 0; as < KINDS; as++) {
        writer w = wrap(as, &inside);
        mst_document *document = open_as(&w, "sfa-packed", NULL);
        const uint8_t *content;
        uint64_t content_size, length;
        size_t whole = (size_t)document->size;
        assert_true(mst_sfa_entry_content(document->data, whole, &content, &content_size, &length));
        assert_int_equal(length, whole);
        assert_int_equal(content_size, inside.size);
        size_t header = (size_t)(content - document->data);
        assert_true(mst_sfa_entry_locate(document->data, whole, header) == 0);
        assert_true(mst_sfa_entry_locate(document->data, whole, header - 1) == MST_NO_OFFSET);
        for (size_t size = 4; size < header; size++) {
            uint8_t *cut = exact_copy(document->data, size);
            mst_store32(cut, (uint32_t)(size - 4), true);
            counted memory = {0};
            mst_diagnostic why;
            assert_int_equal(serialize_parsed(document->format, cut, size, &memory, &why), MST_REFUSED);
            assert_string_equal(why.message, "a packed entry is incomplete");
            assert_false(mst_sfa_entry_content(cut, size, &content, &content_size, &length));
            assert_false(document->format->files.is_canonical(document->format, cut, 4, size));
            assert_true(mst_sfa_entry_locate(cut, size, 0) == MST_NO_OFFSET);
            free(cut);
        }
        size_t wrapper = 8 + mst_load32(document->data + 4, true);
        uint8_t *wrong = exact_copy(document->data, whole);
        wrong[wrapper] = MST_SFA_KEPT + 1;
        counted memory = {0};
        assert_int_equal(serialize_parsed(document->format, wrong, whole, &memory, NULL), MST_REFUSED);
        wrong[wrapper] = MST_SFA_KEPT; /* has nothing after it */
        assert_int_equal(serialize_parsed(document->format, wrong, whole, &memory, NULL), MST_REFUSED);
        assert_false(mst_sfa_entry_content(wrong, whole - 1, &content, &content_size, &length));
        assert_false(mst_sfa_entry_content(wrong, 3, &content, &content_size, &length));
        free(wrong);
        mst_close(document);
        writer_free(&w);
    }
    writer_free(&inside);
}

/* Every field before what is packed is written; what is stored holds no longer. */
static void fields_of_wrappers_are_written(void **state) {
    (void)state;
    needs(true);
    writer inside = make_objects(2, 7);
    static const struct {
        kind as;
        const char *path, *json;
        size_t at;
        const char *bytes;
    } cases[] = {
        {ZLB, "version", "9", 4, "\0\0\0\x09"},
        {LZO, "version", "1", 4, "\0\0\0\x01"}, /* as it was */
        {DIR0, "version", "9", 4, "\0\0\0\x09"},
        {DIRN, "unknown_10", "\"000102030405060708090a0b0c0d0e0f\"", 16, "\x00\x01\x02\x03"},
        {DIR0, "unpadded", "true", 8, "\0\0\0\x30"},
        {FACEFEED, "unknown_10", "25", 16, "\0\0\0\x19"},
        {FACEFEED, "unknown_14", "26", 20, "\0\0\0\x1A"},
        {FACEFEED, "extra", "\"ff\"", 8, "\0\0\0\x01"},
        {FACEFEED, "extra", "\"6578747262\"", 25, "xtrb"},
        {FACEFEED, "packing", "\"modded\"", 29, "ZLB"},
        {E0, "packed_size", "27", 12, "\0\0\0\x1B"},
        {E0, "unknown_10", "28", 16, "\0\0\0\x1C"},
        {E0, "extra", "\"\"", 8, "\0\0\0\0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = wrap(cases[i].as, &inside);
        mst_document *document = open_as(&w, "sfa-packed", NULL);
        mst_diagnostic why;
        size_t size;
        mst_status status = mst_set(document, cases[i].path, cases[i].json, &why);
        if (status != MST_OK)
            print_error("case %zu\n", i);
        MUST(status, &why);
        const uint8_t *bytes = mst_document_file(document, 0, NULL, &size);
        assert_memory_equal(bytes + cases[i].at, cases[i].bytes, 4);
        assert_round_trips(document);
        mst_close(document);
        writer_free(&w);
    }
    /* what is stored cannot be anything else than that */
    static const char *const stored[] = {"\"5a4c4200\"", "\"44495200000000010000003000000030\"", "\"00\""};
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        writer w = wrap(i < 2 ? ZLB : PLAIN, &inside);
        mst_document *document = open_as(&w, "sfa-packed", NULL);
        mst_diagnostic why;
        assert_int_equal(mst_set(document, "original", stored[i], &why), MST_REFUSED);
        assert_string_equal(why.path, "original");
        assert_writer(document, &w);
        mst_close(document);
        writer_free(&w);
    }
    writer w = wrap(ZLB, &inside), modded = {.big = true};
    put_zlb(&modded, &inside, MODDED, 1);
    mst_document *document = open_as(&w, "sfa-packed", NULL);
    must_set(document, "packing", "\"modded\"");
    must_set(document, "unpadded", "true");
    assert_writer(document, &modded);
    mst_close(document);
    writer_free(&modded);
    writer_free(&w);
    writer_free(&inside);
}

/* A wrapper around nothing, where something has to be. */
static void entries_without_content_are_refused(void **state) {
    (void)state;
    needs(false);
    for (unsigned i = 3; i < 5; i++) {
        opened o = open_kind(i);
        const uint8_t *content;
        uint64_t content_size, length;
        assert_true(
            mst_sfa_entry_content(o.document->data, o.document->size, &content, &content_size, &length));
        size_t header = (size_t)(content - o.document->data);
        uint8_t *cut = exact_copy(o.document->data, header);
        mst_store32(cut, (uint32_t)(header - 4), true);
        counted memory = {0};
        mst_diagnostic why;
        assert_int_equal(serialize_parsed(o.document->format, cut, header, &memory, &why), MST_REFUSED);
        assert_int_equal(why.status, MST_REFUSED);
        free(cut);
        close_kind(&o);
    }
}

/* Little things of entries that no file has to have. */
static void small_and_odd_entries(void **state) {
    (void)state;
    needs(false);
    static const uint8_t feed[28] = {0xFA, 0xCE, 0xFE, 0xED};
    uint8_t header[4];
    mst_sfa_entry entry;
    mst_diagnostic why;
    assert_false(mst_sfa_is_wrapped((const uint8_t *)"DIRx", 4));
    assert_false(mst_sfa_is_wrapped((const uint8_t *)"ZLB", 3));
    assert_true(mst_sfa_is_wrapped((const uint8_t *)"DIRn", 4));
    assert_int_equal(mst_sfa_entry_read(feed, 23, &entry, &why), MST_DAMAGED);
    assert_string_equal(why.message, "the wrapper's header is cut off");
    assert_int_equal(mst_sfa_entry_read(feed, 28, &entry, &why), MST_DAMAGED);
    assert_string_equal(why.expected, "ZLB");
    assert_int_equal(why.offset, 24);
    assert_int_equal(mst_sfa_entry_read(feed, 28, &entry, NULL), MST_DAMAGED);
    assert_int_equal(mst_sfa_entry_peek(feed, 23, header, sizeof header), 0);
    writer nothing = {.big = true}, w = wrap(ZLB, &nothing);
    mst_document *document = open_as(&w, "sfa-packed", NULL);
    assert_writer(document, &w);
    assert_round_trips(document);
    mst_close(document);
    writer_free(&w);
    /* a texture that is none: what is stored is not what it would be */
    writer texture = make_texture(I8, 8, 4, 0, 32, 1);
    w = wrap(ZLB, &texture);
    document = open_as(&w, NULL, NULL);
    assert_string_equal(mst_document_format(document)->id, "sfa-texture");
    uint8_t *parsed = exact_copy(document->data, (size_t)document->size);
    assert_true(document->format->files.is_canonical(document->format, parsed, 4, document->size));
    const uint8_t *content;
    uint64_t size, length;
    assert_true(mst_sfa_entry_content(parsed, document->size, &content, &size, &length));
    parsed[(size_t)(content - parsed) + 1 + 0x0B] = 0; /* its width */
    assert_false(document->format->files.is_canonical(document->format, parsed, 4, document->size));
    free(parsed);
    mst_close(document);
    writer_free(&w);
    writer_free(&texture);
    /* after what is kept there is nothing: u32 size, u32 stored, wrapper, and a byte too many */
    static const uint8_t kept[10] = {0, 0, 0, 6, 0, 0, 0, 0, MST_SFA_KEPT, 1};
    counted memory = {0};
    assert_int_equal(serialize_parsed(&mst_format_sfa_packed, kept, 10, &memory, &why), MST_REFUSED);
#if SIZE_MAX > UINT32_MAX
    mst_buffer to = {0};
    mst_parsed_writer writing = {&to, UINT64_MAX, MST_OK};
    mst_parsed_counted(&writing, "", (size_t)UINT32_MAX + 1); /* does not fit a u32 count */
    assert_int_equal(writing.status, MST_NO_MEMORY);
    mst_parsed_counted(&writing, "", (size_t)UINT32_MAX + 1);
    assert_int_equal(to.size, 0);
    mst_buffer_free(&to);
#endif
}

/* An entry that unpacks to more than a bank may is kept, and reported by checks. */
static void large_entries_are_kept(void **state) {
    (void)state;
    needs(false);
    two t = make_bank();
    writer zeros = {.big = true};
    put_zeros(&zeros, 800000);
    mst_store32(t.tab.data, 0x81000000 | (uint32_t)(t.bin.size / 2), true);
    put_entry(&t.bin, &zeros, ZLB);
    mst_store32(t.tab.data + 32, sum_of(&t.tab, COUNT + 1), true);
    mst_document *document = must_open_two(&t);
    assert_one(document, NULL, "SFA-ZLB", "textures[0].frames[0]");
    findings list = check_all(document, NULL);
    assert_string_equal(list.items[0].message, "the unpacked content is not understood");
    findings_free(&list);
    assert_files(document, &t);
    mst_close(document);
    writer_free(&zeros);
    two_free(&t);
}

/* Entries that share their bytes would, each by itself, be too much for the table's offsets. */
static void shared_entries_may_be_too_many(void **state) {
    (void)state;
    needs(true);
    if (sample_step() > 1)
        skip();
    two t = {.bin_name = "VOXMAP.bin", .tab_name = "VOXMAP.tab"};
    t.bin.big = t.tab.big = true;
    put_u32(&t.bin, 0xF0F0F0F0); /* nobody knows what that is */
    put_zeros(&t.bin, (2u << 20) - 4);
    for (unsigned i = 0; i < 9; i++)
        put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    assert_files(document, &t);
    assert_encodes(document);
    assert_int_equal(mst_set(document, "entries[8].flags", "48", &why), MST_REFUSED);
    assert_string_equal(why.path, "entries[8]");
    assert_string_equal(why.message, "the bank becomes too large for the offsets in its table");
    assert_files(document, &t);
    /* one of them less, and it is written as usual */
    MUST(mst_remove(document, "entries[8]", &why), &why);
    size_t size;
    const uint8_t *table = mst_document_file(document, 1, NULL, &size);
    assert_int_equal(size, 64);
    assert_int_equal(mst_load32(table + 28, true), 0x10000000 | 7u << 21);
    mst_document_file(document, 0, NULL, &size);
    assert_int_equal(size, 8u << 21);
    mst_close(document);
    two_free(&t);
}

/* What JSON says is stored is not believed. */
static void stored_files_that_say_something_else(void **state) {
    (void)state;
    needs(true);
    static const char *const stored[] = {
        "\"original_tab\":\"00\"",               /* no end */
        "\"original_tab\":\"01000000ffffffff\"", /* another end */
        "\"original_bin\":\"0102\",\"original_tab\":\"00000001ffffffff\"",
    };
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        mst_document *document;
        mst_diagnostic why;
        size_t size;
        char text[160];
        snprintf(text, sizeof text, "{\"$format\":\"sfa-textures\",\"textures\":[],%s}", stored[i]);
        MUST(mst_open_json(text, strlen(text), NULL, &document, &why), &why);
        const uint8_t *table = mst_document_file(document, 1, NULL, &size);
        assert_int_equal(size, 64); /* the end of the bank, its mark, and the sum */
        assert_int_equal(mst_load32(table, true), 0);
        mst_document_file(document, 0, NULL, &size);
        assert_int_equal(size, 0);
        mst_close(document);
    }
}

static void names_of_pairs(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned attempt;
        int which;
        const char *other;
    } cases[] = {
        {"mod6.tab", 0, 1, "mod6.zlb.bin"},
        {"mod6.tab", 1, 1, "mod6.bin"},
        {"mod6.tab", 2, -1, ""},
        {"MOD6.TAB", 0, 1, "MOD6.ZLB.BIN"},
        {"TEX1.tab", 0, 1, "TEX1.bin"},
        {"TEX1.tab", 1, 1, "TEX1.zlb.bin"},
        {"mod:.tab", 0, 1, "mod:.bin"},
        {"MAPS.TAB", 0, 1, "MAPS.BIN"},
        {"MAPS.BIN", 0, 0, "MAPS.TAB"},
        {"MAPS.bin", 0, 0, "MAPS.tab"},
        {"MAPS.bin", 1, -1, ""},
        {"a.zlb.bin", 0, 0, "a.tab"},
        {"a.zlb.bin", 1, -1, ""},
        {".zlb.bin", 0, 0, ".zlb.tab"},
        {".tab", 0, -1, ""},
        {".bin", 0, -1, ""},
        {"a.txt", 0, -1, ""},
        {"a.Bin", 0, 0, "a.tab"},
        {"a_.{in", 0, -1, ""},
        {"mod.tab", 0, 1, "mod.bin"},
        {"Mod7.tab", 0, 1, "Mod7.zlb.bin"},
        {"x7.tab", 0, 1, "x7.bin"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char other[32] = "";
        int which = mst_sfa_sidecar(cases[i].name, cases[i].attempt, other, sizeof other);
        if (which != cases[i].which || strcmp(which < 0 ? "" : other, cases[i].other) != 0)
            print_error("%s, %u: %d %s\n", cases[i].name, cases[i].attempt, which, other);
        assert_int_equal(which, cases[i].which);
        if (which >= 0)
            assert_string_equal(other, cases[i].other);
        /* there is no room for its end */
        if (which >= 0)
            assert_int_equal(mst_sfa_sidecar(cases[i].name, cases[i].attempt, other, strlen(cases[i].other)),
                             -1);
    }
}

/* ---- without memory ----------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state) {
    (void)state;
    needs(true);
    if (!make_folder())
        skip();
    two t = make_odd(GAP);
    shelf beside = {.count = 0};
    shelf_put(&beside, t.tab_name, t.tab.data, t.tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    counted memory = {0};
    mst_open_options options = {
        .name = t.bin_name, .sidecars = &resolver, .allocator = counted_allocator(&memory)};
    mst_buffer text = {0};
    mst_document *whole = must_open_two(&t), *document, *again;
    mst_value root = mst_root(whole);
    mst_diagnostic why;
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_close(whole);
    for (int what = 0; what < 5; what++) {
        size_t step = sample_step(), tries = 0;
        for (size_t fail_at = 1;; fail_at += step, tries++) {
            memset(&memory, 0, sizeof memory);
            mst_buffer made = {.allocator = options.allocator};
            document = again = NULL;
            mst_status status = MST_OK;
            if (what > 1)
                MUST(mst_open_memory(t.bin.data, t.bin.size, &options, &document, &why), &why);
            size_t held = memory.bytes;
            memory.calls = 0;
            memory.fail_at = fail_at;
            memset(&why, 0, sizeof why);
            switch (what) {
            case 0: status = mst_open_memory(t.bin.data, t.bin.size, &options, &document, &why); break;
            case 1:
                status = mst_open_json((const char *)text.data, text.size, &options, &document, &why);
                break;
            case 2:
                root = mst_root(document);
                status = mst_write_json(&root, NULL, mst_buffer_sink(&made), &why);
                break;
            case 3: status = mst_rebuild(document, &again, &why); break;
            default: status = mst_save_file(document, in_folder("TEX1.tab"), &why); break;
            }
            bool failed = memory.failed;
            memory.fail_at = 0;
            if (status != MST_OK) {
                if (!failed || status != MST_NO_MEMORY)
                    print_error("%d at %zu: %s: %s\n", what, fail_at, mst_status_text(status), why.message);
                assert_true(failed);
                assert_int_equal(status, MST_NO_MEMORY);
                assert_null(what < 2 ? document : again);
                if (what > 1) {
                    assert_files(document, &t);
                    if (what != 2)
                        assert_int_equal(memory.bytes, held);
                }
                if (what != 2)
                    assert_int_equal(why.status, MST_NO_MEMORY);
            } else if (document) {
                assert_files(again ? again : document, &t);
            }
            mst_buffer_free(&made);
            mst_close(again);
            mst_close(document);
            assert_int_equal(memory.bytes, 0);
            assert_int_equal(memory.blocks, 0);
            assert_false(memory.wrong);
            if (!failed)
                break;
        }
        assert_true(tries > 0);
    }
    mst_buffer_free(&text);
    clear_folder();
    rmdir(folder);
    two_free(&t);
}

/* An edit is done, or nothing is. */
static void edits_may_lack_memory(void **state) {
    (void)state;
    needs(true);
    two t = make_bank();
    shelf beside = {.count = 0};
    shelf_put(&beside, t.tab_name, t.tab.data, t.tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    counted memory = {0};
    mst_open_options options = {
        .name = t.bin_name, .sidecars = &resolver, .allocator = counted_allocator(&memory)};
    size_t step = sample_step();
    for (size_t fail_at = 1;; fail_at += step) {
        mst_document *document;
        mst_diagnostic why;
        memset(&memory, 0, sizeof memory);
        MUST(mst_open_memory(t.bin.data, t.bin.size, &options, &document, &why), &why);
        size_t held = memory.bytes;
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_set(document, "textures[4].frames[1].usage", "9", &why);
        bool failed = memory.failed;
        memory.fail_at = 0;
        if (status == MST_OK) {
            assert_int_equal(number_of(document, "textures[4].frames[1].usage"), 9);
            assert_round_trips(document);
        } else {
            assert_true(failed);
            assert_int_equal(status, MST_NO_MEMORY);
            assert_files(document, &t);
            assert_int_equal(memory.bytes, held);
        }
        mst_close(document);
        assert_int_equal(memory.bytes, 0);
        assert_false(memory.wrong);
        if (!failed)
            break;
    }
    two_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_come_out_as_they_went_in),
        cmocka_unit_test(edited_lists_are_packed_as_they_were),
        cmocka_unit_test(odd_entries_are_kept),
        cmocka_unit_test(damaged_entries_do_not_open),
        cmocka_unit_test(banks_come_out_as_they_went_in),
        cmocka_unit_test(odd_banks_are_kept_and_can_be_edited),
        cmocka_unit_test(banks_are_edited),
        cmocka_unit_test(pictures_are_replaced),
        cmocka_unit_test(levels_are_made),
        cmocka_unit_test(pictures_that_are_not_written),
        cmocka_unit_test(not_all_entries_are_pictures),
        cmocka_unit_test(textures_are_recognised),
        cmocka_unit_test(pictures_may_lack_memory),
        cmocka_unit_test(each_fault_is_said_once),
        cmocka_unit_test(blocks_know_what_textures_there_are),
        cmocka_unit_test(blocks_are_checked_one_by_one),
        cmocka_unit_test(blocks_follow_their_own_edits),
        cmocka_unit_test(blocks_are_recognised),
        cmocka_unit_test(blocks_keep_what_is_odd),
        cmocka_unit_test(pairs_on_disc),
        cmocka_unit_test(banks_keep_their_names),
        cmocka_unit_test(names_of_what_comes_from_json),
        cmocka_unit_test(maps_follow_their_lists),
        cmocka_unit_test(bombs_do_not_go_off),
        cmocka_unit_test(many_entries_at_one_place),
        cmocka_unit_test(json_is_bounded),
        cmocka_unit_test(budgets_are_heeded),
        cmocka_unit_test(cut_forms_are_refused),
        cmocka_unit_test(limits_are_held),
        cmocka_unit_test(cursors_stop_where_a_form_ends),
        cmocka_unit_test(entries_that_make_no_sense_are_refused),
        cmocka_unit_test(fields_of_wrappers_are_written),
        cmocka_unit_test(entries_without_content_are_refused),
        cmocka_unit_test(small_and_odd_entries),
        cmocka_unit_test(large_entries_are_kept),
        cmocka_unit_test(shared_entries_may_be_too_many),
        cmocka_unit_test(stored_files_that_say_something_else),
        cmocka_unit_test(names_of_pairs),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(edits_may_lack_memory),
    };
    return cmocka_run_group_tests_name("parsed", tests, look, NULL);
}
