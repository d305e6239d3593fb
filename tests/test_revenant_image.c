/* SPDX-License-Identifier: MIT */
/* Revenant's pictures: files written by hand are opened, checked, edited and written; damaged ones are
 * refused with the code of the fault. */
#include "../src/formats/revenant/imagery/imagery.h"
#include "revenant_image.h"
#include "sfa_pair.h"
#include "sfa_parsed.h"
#include "thorough.h"

static mst_document *open_image(const writer *w) {
    mst_document *document = open_named(w, "A.I2D");
    assert_string_equal(mst_document_format(document)->id, "revenant-image");
    return document;
}

/* It opens, is exact, and has these findings in this order: "CODE path" each, ended by NULL. */
static void assert_opens(writer *w, const char *const *expected) {
    mst_document *document = open_image(w);
    assert_same_bytes(document, w->data, w->size);
    assert_round_trips(document);
    findings list = check_all(document, NULL);
    for (size_t i = 0; i < list.count || expected[i]; i++) {
        char found[600] = "";
        if (i < list.count)
            snprintf(found, sizeof found, "%s %s", list.items[i].code, list.items[i].path);
        assert_string_equal(found, expected[i] ? expected[i] : "");
    }
    assert_stops(document, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    findings_free(&list);
    assert_cut_refused(document, 1 + (size_t)document->size / 300);
    assert_limits_held(document, 1 + (size_t)document->size / 100);
    mst_close(document);
    writer_free(w);
}
#define OPENS(w, ...)  assert_opens((w), (const char *const[]){__VA_ARGS__, NULL})
#define OPENS_CLEAN(w) OPENS(w, NULL)

/* It is refused with this code, at this offset. */
static void assert_refused(writer *w, const char *code, uint64_t offset) {
    for (int reported = 0; reported < 2; reported++) {
        const mst_open_options options = {.size = sizeof options, .name = "A.I2D"};
        mst_document *document;
        mst_diagnostic why;
        assert_int_equal(mst_open_memory(w->data, w->size, &options, &document, reported ? &why : NULL),
                         MST_DAMAGED);
        if (reported) {
            assert_string_equal(why.code, code);
            assert_int_equal(why.offset, offset);
        }
    }
    writer_free(w);
}

static void usual_file(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_image(&w);
    static const struct {
        const char *path;
        int64_t number;
    } facts[] = {
        {"states[0].walkmap_width", 3},
        {"states[0].walkmap_length", 2},
        {"states[0].animation_flags", 1},
        {"states[0].registration_x", 5},
        {"states[0].walkmap_z", 13},
        {"states[0].inventory_frames", 22},
        {"states[0].still", 0},
        {"states[0].animation", 4294967295},
        {"states[1].animation", 0},
        {"states[1].inventory", 1},
        {"states[1].slot_flags", 1},
        {"bitmaps[0].width", 70},
        {"bitmaps[0].registration_y", -4},
        {"bitmaps[0].pixels.blocks[0].id", 0x1234A001},
        {"bitmaps[0].pixels.blocks[0].run_marker", 0xAA},
        {"bitmaps[0].pixels.blocks[1].empty", 1},
        {"bitmaps[0].planes[0].colors_15[1]", 0x400 | 30 << 5 | 8},
        {"bitmaps[0].planes[1].blocks[0].copy_marker", 0xBB},
        {"bitmaps[3].key_color", 0},
        {"animations[0].before", 1},
        {"animations[0].draw_mode", 0x77},
        {"animations[0].frames[2].bitmap", 3},
        {"animations[0].frames[2].dx", 20},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        assert_int_equal(number_of(d, facts[i].path), facts[i].number);
    assert_int_equal(count_of(d, "bitmaps"), 4);
    mst_close(d);
    OPENS_CLEAN(&w);
}

/* ---- unusual but valid files -------------------------------------------------------------------- */

/* The usual file with a number changed; `at` counts from the data, or from the file. */
static writer changed(bool data, size_t at, uint32_t value) {
    image_places p;
    writer w = image_usual(&p);
    image_set(&w, at + (data ? p.data : 0), value);
    return w;
}
#define STATE(i, at) (20 + 8 + 76 * (size_t)(i) + (at))

static void odd_states(void **state) {
    (void)state;
    writer w = changed(false, STATE(0, 32), 0xFFFFFF00); /* points before the header */
    OPENS(&w, "REV-IMAGE-WALKMAP states[0].walkmap");
    w = changed(false, STATE(0, 32), 4); /* into the state */
    OPENS(&w, "REV-IMAGE-WALKMAP states[0].walkmap");
    w = changed(false, STATE(0, 32), 0);
    OPENS(&w, "REV-IMAGE-WALKMAP states[0].walkmap");
    w = changed(false, STATE(1, 32), 7); /* no size, but an offset */
    OPENS(&w, "REV-IMAGE-WALKMAP states[1].walkmap");
    w = changed(false, STATE(0, 66), 0x00100010); /* larger than the header */
    OPENS(&w, "REV-IMAGE-WALKMAP states[0].walkmap");
    w = changed(false, STATE(0, 66), 0x0002FFFF);
    OPENS(&w, "REV-IMAGE-WALKMAP states[0].walkmap");
    w = changed(true, 16, 1);
    OPENS(&w, "REV-IMAGE-STATE-FLAGS states[0].slot_flags");
    w = changed(true, 0, 0); /* only the table refers to the tile */
    OPENS(&w, "REV-IMAGE-EMPTY-STATE states[0]", "REV-IMAGE-TABLE bitmaps[0]");
    w = changed(true, 20 * 63 + 8, 0xCDCDCDCD);
    OPENS_CLEAN(&w);
    /* a name with data after it, and one without an end */
    w = changed(false, STATE(0, 8), 0x11223344);
    mst_document *d = open_image(&w);
    mst_value value;
    const void *bytes;
    size_t size;
    MUST(mst_find(mst_root(d), "states[0].name_rest", &value, NULL), NULL);
    MUST(mst_get_bytes(&value, &bytes, &size), NULL);
    assert_int_equal(size, 26);
    assert_memory_equal(bytes, "\0\0\x44\x33\x22\x11\0", 7);
    mst_close(d);
    OPENS_CLEAN(&w);
    image_places p;
    w = image_usual(&p);
    memset(w.data + STATE(0, 0), 'n', 32);
    OPENS_CLEAN(&w);
}

static void odd_files(void **state) {
    (void)state;
    image_places p;
    writer w = changed(false, 12, 0);
    OPENS(&w, "REV-IMAGE-OBJECT-SIZE object_size_excess");
    w = image_usual(&p);
    put_bytes_of(&w, "old", 3);
    OPENS(&w, "REV-IMAGE-TRAILING trailing");
    /* the table: two bitmaps exchanged, or one left out */
    w = image_usual(&p);
    image_set(&w, p.data - 16, p.plain);
    image_set(&w, p.data - 12, p.tile);
    OPENS(&w, "REV-IMAGE-TABLE table");
    w = image_usual(&p);
    mst_store16(w.data + 4, 3, false);
    mst_store32(w.data + 16, mst_load32(w.data + 16, false) + 4, false);
    memmove(w.data + p.data - 12, w.data + p.data - 16, 12);
    OPENS(&w, "REV-IMAGE-TABLE table");
    /* the header's padding, and its end without any */
    w = changed(false, 20 + 8 + 2 * 76 + 4, 0xCDCD0605);
    OPENS_CLEAN(&w);
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    uint32_t at = image_bitmap(&s, 1, 1, 1, "\1", 1);
    image_palette(&s, at);
    image_slot(&s, 0, 0, at);
    w = image_finish(&s);
    put_bytes_of(&w, "", 0);
    w.size -= 3; /* without padding */
    mst_store32(w.data + 8, mst_load32(w.data + 8, false) - 3, false);
    mst_store32(w.data + 12, mst_load32(w.data + 8, false), false);
    OPENS_CLEAN(&w);
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    put_u32(&s.data, 0x99);
    at = image_animation(&s, 0);
    image_slot(&s, 0, 3, at);
    put_u32(&s.data, 0x99);
    w = image_finish(&s);
    OPENS(&w, "REV-IMAGE-UNKNOWN animations[0].filling", "REV-IMAGE-UNKNOWN data_filling");
    /* bytes between the parts */
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    put_u32(&s.data, 0x55);
    at = image_bitmap(&s, 1, 1, 1, "\1", 1);
    put_u8(&s.data, 0x66);
    image_palette(&s, at);
    image_slot(&s, 0, 0, at);
    w = image_finish(&s);
    OPENS(&w, "REV-IMAGE-UNKNOWN bitmaps[0].filling", "REV-IMAGE-UNKNOWN bitmaps[0].planes[0].gap");
    /* no bitmaps, no states, an animation at the end of the file */
    image_begin(&s);
    w = image_finish(&s);
    OPENS_CLEAN(&w);
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    at = image_animation(&s, 1);
    image_slot(&s, 0, 1, at);
    w = image_finish(&s);
    OPENS_CLEAN(&w);
}

/* ---- bitmaps ------------------------------------------------------------------------------------ */

static void odd_bitmaps(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    image_set(&w, p.data + p.plain + 32, 0xCDCDCDCD); /* the offset of a missing plane */
    OPENS_CLEAN(&w);
    w = image_usual(&p);
    size_t plain = p.data + p.plain, faded = p.data + p.faded, tile = p.data + p.tile;
    image_set(&w, plain, 9000);
    OPENS(&w, "REV-IMAGE-BITMAP bitmaps[1].width");
    w = image_usual(&p);
    image_set(&w, plain + 4, 0);
    OPENS(&w, "REV-IMAGE-BITMAP bitmaps[1].height");
    w = image_usual(&p);
    image_set(&w, plain + 4, 8193);
    OPENS(&w, "REV-IMAGE-BITMAP bitmaps[1].height");
    w = image_usual(&p);
    image_set(&w, plain, 0);
    OPENS(&w, "REV-IMAGE-BITMAP bitmaps[1].width");
    w = image_usual(&p);
    image_set(&w, plain + 16, 3);
    OPENS(&w, "REV-IMAGE-FLAGS bitmaps[1].flags");
    w = image_usual(&p);
    image_set(&w, plain + 16, 0x4001);
    OPENS(&w, "REV-IMAGE-FLAGS bitmaps[1].flags");
    w = image_usual(&p);
    image_set(&w, plain + 16, 0xC001);
    OPENS(&w, "REV-IMAGE-PLANE bitmaps[1].pixels");
    w = image_usual(&p);
    image_set(&w, faded + 4, 3);
    OPENS(&w, "REV-IMAGE-PLANE bitmaps[2].planes[0]", "REV-IMAGE-PLANE bitmaps[2].pixels");
    w = image_usual(&p);
    image_set(&w, faded + 4, 1);
    OPENS(&w, "REV-IMAGE-SIZE bitmaps[2].planes[0]", "REV-IMAGE-SIZE bitmaps[2].pixels");
    w = image_usual(&p);
    image_set(&w, faded + 16, 0x101); /* 8 bits, but no palette */
    OPENS(&w, "REV-IMAGE-PALETTE bitmaps[2]", "REV-IMAGE-SIZE bitmaps[2].pixels");
    w = image_usual(&p);
    image_set(&w, tile, 129);
    OPENS(&w, "REV-IMAGE-CHUNKS bitmaps[0].planes[1]", "REV-IMAGE-CHUNKS bitmaps[0].pixels");
    w = image_usual(&p);
    image_set(&w, tile + 4, 65);
    OPENS(&w, "REV-IMAGE-CHUNKS bitmaps[0].planes[1]", "REV-IMAGE-CHUNKS bitmaps[0].pixels");
    w = image_usual(&p);
    w.data[tile + 72 + 20 + 4 + 2 + 6] = 200; /* the copy: longer than the available pixels */
    OPENS(&w, "REV-IMAGE-CHUNK bitmaps[0].pixels.blocks[0]");
}

/* Planes of unknown length, and a palette of another size. */
static void odd_planes(void **state) {
    (void)state;
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    uint32_t at = image_bitmap(&s, 1, 1, 0xC1, "\1", 1);
    image_palette(&s, at);
    image_plane(&s, at, 0, "alias", 5);
    image_plane(&s, at, 3, "normals", 7);
    image_slot(&s, 0, 0, at);
    writer w = image_finish(&s);
    OPENS_CLEAN(&w);
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    at = image_bitmap(&s, 1, 1, 1, "\1", 1);
    image_plane(&s, at, 4, "colors", 6);
    image_slot(&s, 0, 0, at);
    w = image_finish(&s);
    OPENS(&w, "REV-IMAGE-PALETTE bitmaps[0]");
}

/* A bitmap of 8 x 8 pixels, of which a plane is made of these blocks. */
static writer with_blocks(const writer *plane, unsigned kind, uint32_t flags) {
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    uint32_t at = image_bitmap(&s, 8, 8, flags, plane->data, kind == 9 ? plane->size : 0);
    if (kind != 9)
        image_plane(&s, at, kind, plane->data, plane->size);
    if (kind == 9)
        image_palette(&s, at);
    image_slot(&s, 0, 0, at);
    return image_finish(&s);
}

static void odd_blocks(void **state) {
    (void)state;
    static const struct {
        uint32_t across, down, offset;
        size_t cut;
        const char *finding;
    } cases[] = {
        {1, 1, 4, 0, NULL},
        {1, 1, 5, 0, "REV-IMAGE-UNKNOWN bitmaps[0].pixels.blocks_gap"},
        {1, 1, 3, 0, "REV-IMAGE-PLANE bitmaps[0].pixels"},
        {1, 1, 0, 0, "REV-IMAGE-UNKNOWN bitmaps[0].pixels.blocks_gap"},
        {1, 1, 4, 270, "REV-IMAGE-PLANE bitmaps[0].pixels"},
        {1, 1, 4, 277, "REV-IMAGE-PLANE bitmaps[0].pixels"},
        {129, 1, 4, 0, "REV-IMAGE-PLANE bitmaps[0].pixels"},
        {1, 129, 4, 0, "REV-IMAGE-PLANE bitmaps[0].pixels"},
        {100, 100, 4, 0, "REV-IMAGE-PLANE bitmaps[0].pixels"},
        {0, 1, 4, 0, "REV-IMAGE-UNKNOWN bitmaps[0].pixels.blocks_gap"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer plane = {0}, block = image_pixel_block();
        image_blocks(&plane, 5, 1, 1);
        image_block(&plane, 0, 0x7001, block.data, block.size);
        image_set(&plane, 4, cases[i].across);
        image_set(&plane, 8, cases[i].down);
        image_set(&plane, 12, cases[i].offset);
        plane.size -= cases[i].cut;
        if (cases[i].offset == 5)
            plane.data[16] = 0;
        writer w = with_blocks(&plane, 9, 0xC001);
        mst_document *d = open_image(&w);
        findings list = check_all(d, NULL);
        size_t kept = 0; /* if the block begins elsewhere, it is another one */
        for (size_t k = 0; k < list.count; k++)
            if (strncmp(list.items[k].code, "REV-IMAGE-CHUNK", 15) != 0)
                list.items[kept++] = list.items[k];
        list.count = kept;
        if (list.count != (cases[i].finding != NULL))
            print_findings(&list);
        assert_int_equal(list.count, cases[i].finding != NULL);
        if (cases[i].finding) {
            char found[600];
            snprintf(found, sizeof found, "%s %s", list.items[0].code, list.items[0].path);
            assert_string_equal(found, cases[i].finding);
        }
        findings_free(&list);
        assert_same_bytes(d, w.data, w.size);
        assert_round_trips(d);
        mst_close(d);
        writer_free(&w);
        writer_free(&plane);
        writer_free(&block);
    }
    /* normals: their packing is unknown, so nothing is reported */
    writer plane = {0};
    image_blocks(&plane, 6, 1, 1);
    image_block(&plane, 0, 0x7001, "\xCD\xCD\xCD", 3);
    writer w = with_blocks(&plane, 3, 0xC840);
    OPENS_CLEAN(&w);
    writer_free(&plane);
}

/* ---- damage ------------------------------------------------------------------------------------- */

static void refused_files(void **state) {
    (void)state;
    image_places p;
    writer w = {0};
    assert_refused(&w, "REV-IMAGE-HEADER", 0);
    put_bytes_of(&w, "CGSR", 4);
    assert_refused(&w, "REV-IMAGE-HEADER", 0);
    w = changed(false, 0, 0x11223344);
    assert_refused(&w, "REV-IMAGE-MAGIC", 0);
    w = changed(false, 4, 0x01010004);
    assert_refused(&w, "REV-IMAGE-COMPRESSED", 6);
    w = changed(false, 4, 0x02000004);
    assert_refused(&w, "REV-IMAGE-VERSION", 7);
    w = changed(false, 8, 0x7FFFFFFF);
    assert_refused(&w, "REV-IMAGE-OVERRUN", 8);
    w = changed(false, 16, 0xFFFFFFF0);
    assert_refused(&w, "REV-IMAGE-OVERRUN", 8);
    w = changed(false, 16, 7);
    assert_refused(&w, "REV-IMAGE-HEADER", 16);
    w = changed(false, 24, 3);
    assert_refused(&w, "REV-IMAGE-STATES", 24);
    w = changed(false, 24, 0xFFFFFFFF);
    assert_refused(&w, "REV-IMAGE-STATES", 24);
    image_source s;
    image_begin(&s);
    for (unsigned i = 0; i < 65; i++)
        image_state(&s, "still", 2, 0, 0, NULL);
    w = image_finish(&s);
    assert_refused(&w, "REV-IMAGE-STATES", 24);
    w = changed(false, 8, 1279);
    assert_refused(&w, "REV-IMAGE-BODY", 8);
    /* offsets */
    w = image_usual(&p);
    writer_free(&w);
    w = changed(true, 0, 20);
    assert_refused(&w, "REV-IMAGE-BITMAP", p.data);
    w = changed(true, 24, 0x7FFFFFFF);
    assert_refused(&w, "REV-IMAGE-ANIMATION", p.data + 24);
    w = image_usual(&p);
    uint32_t size = mst_load32(w.data + 8, false);
    image_lead(&w, p.data, p.data + size - 4);
    assert_refused(&w, "REV-IMAGE-BITMAP", p.data + size - 4);
    w = image_usual(&p);
    image_lead(&w, p.data + 4, p.data + size - 4);
    assert_refused(&w, "REV-IMAGE-ANIMATION", p.data + size - 4);
    w = changed(true, p.animation + 12, 1000);
    assert_refused(&w, "REV-IMAGE-ANIMATION", p.data + p.animation + 12);
    w = changed(true, p.animation + 56, 0x7FFFFFFF);
    assert_refused(&w, "REV-IMAGE-BITMAP", p.data + p.animation + 56);
    w = changed(false, p.data - 16, 4);
    assert_refused(&w, "REV-IMAGE-BITMAP", p.data - 16);
    w = changed(false, p.data - 4, size);
    assert_refused(&w, "REV-IMAGE-BITMAP", p.data - 4);
    /* planes */
    w = changed(true, p.plain + 68, 0x7FFFFFFF);
    assert_refused(&w, "REV-IMAGE-BITMAP", p.data + p.plain + 68);
    w = changed(true, p.faded + 36, 0x7FFFFFFF);
    assert_refused(&w, "REV-IMAGE-PLANE", p.data + p.faded + 36);
    w = changed(true, p.faded + 40, 0);
    assert_refused(&w, "REV-IMAGE-PLANE", p.data + p.faded + 36);
    /* overlapping parts */
    w = changed(true, p.faded + 40, 4);
    assert_refused(&w, "REV-IMAGE-OVERLAP", p.data + p.faded + 36);
    w = image_usual(&p);
    image_lead(&w, p.data + 4, p.data + p.animation + 20);
    assert_refused(&w, "REV-IMAGE-OVERLAP", p.data + p.animation + 20);
    w = image_usual(&p);
    image_lead(&w, p.data, p.data + p.plain + 900);
    assert_refused(&w, "REV-IMAGE-OVERLAP", p.data + p.plain + 900);
}

static void recognized(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_named(&w, NULL);
    assert_string_equal(mst_document_format(d)->id, "revenant-image");
    mst_close(d);
    const mst_open_options models = {.size = sizeof models, .name = "a.i3d"},
                           neither = {.size = sizeof neither, .name = "2d"};
    mst_diagnostic why;
    /* an unreadable header identifies nothing: the name decides */
    assert_int_equal(mst_open_memory(w.data, 24, &models, &d, &why), MST_DAMAGED);
    assert_int_equal(mst_open_memory("x", 1, &models, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "REV-IMAGE-HEADER");
    assert_int_equal(mst_open_memory("x", 1, &neither, &d, &why), MST_UNKNOWN);
    assert_int_equal(mst_open_memory(w.data, 24, NULL, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "REV-IMAGE-OVERRUN");
    for (uint8_t kind = 1; kind < 3; kind++) {
        w.data[20] = kind;
        MUST(mst_open_memory(w.data, w.size, NULL, &d, &why), &why);
        assert_string_equal(mst_document_format(d)->id, "revenant-model");
        mst_close(d);
    }
    writer_free(&w);
}

/* ---- edits -------------------------------------------------------------------------------------- */

static void edits(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_image(&w);
    mst_diagnostic why;
    static const struct {
        const char *path, *value;
        mst_status status;
    } cases[] = {
        {"states[0].registration_x", "-40", MST_OK},
        {"states[0].walkmap_width", "2", MST_OK},
        {"states[0].walkmap", "\"01020304050607\"", MST_REFUSED},
        {"states[0].walkmap", "\"\"", MST_OK},
        {"states[0].name_rest", "\"11\"", MST_REFUSED},
        {"states[0].name_rest", "\"0102030405060708090a0b0c0d0e0f10111213141516171819ff\"", MST_OK},
        {"states[0].name", "\"standing\"", MST_OK},
        {"states[0].name", "\"a name of up to thirty-two bytes\"", MST_OK},
        {"states[1].name_rest", "\"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\"",
         MST_REFUSED},
        {"states[1].still", "3", MST_OK},
        {"states[1].still", "4", MST_REFUSED},
        {"states[1].animation", "1", MST_REFUSED},
        {"animations[0].frames[0].bitmap", "4", MST_REFUSED},
        {"animations[0].before", "0", MST_OK},
        {"animations[0].before", "100", MST_REFUSED},
        {"animations[0].before", "4", MST_OK},
        {"bitmaps[0].pixels.blocks_down", "2", MST_REFUSED},
        {"bitmaps[0].flags", "1", MST_REFUSED},
        {"bitmaps[1].planes[0].kind", "9", MST_REFUSED},
        {"bitmaps[1].planes[0].kind", "\"normals\"", MST_REFUSED},
        {"bitmaps[2].planes[0].kind", "\"depth\"", MST_REFUSED},
        {"bitmaps[2].planes[0].bytes", "\"\"", MST_REFUSED},
        {"bitmaps[2].planes", "[{\"kind\":\"alpha\",\"bytes\":\"01\"},{\"kind\":\"alpha\",\"bytes\":\"01\"}]",
         MST_REFUSED},
        {"bitmaps[2].planes",
         "[{\"kind\":\"alpha\",\"form\":\"blocks\",\"blocks_type\":5,\"blocks_across\":0,"
         "\"blocks_down\":0,\"blocks\":[]}]",
         MST_REFUSED},
        {"bitmaps[2].absent_planes", "[{\"kind\":\"alpha\",\"size\":0,\"offset\":1}]", MST_REFUSED},
        {"bitmaps[2].absent_planes", "[{\"kind\":7,\"size\":0,\"offset\":1}]", MST_REFUSED},
        {"bitmaps[2].absent_planes",
         "[{\"kind\":\"depth\",\"size\":0,\"offset\":1},{\"kind\":\"depth\",\"size\":0,\"offset\":1}]",
         MST_REFUSED},
        {"bitmaps[2].absent_planes", "[{\"kind\":\"depth\",\"size\":0,\"offset\":1}]", MST_OK},
        {"table", "[0,4]", MST_REFUSED},
        {"table", "[0,0,1]", MST_OK},
        {"unused_slots", "\"11\"", MST_REFUSED},
        {"object_size_excess", "-1", MST_OK},
        {"states[0].walkmap_astray", "true", MST_REFUSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_status status = mst_set(d, cases[i].path, cases[i].value, &why);
        if (status == MST_UNSUPPORTED)
            continue; /* a build that cannot read JSON */
        if (status != cases[i].status)
            print_error("%s = %s: %s %s\n", cases[i].path, cases[i].value, why.message, why.found);
        assert_int_equal(status, cases[i].status);
        if (status == MST_OK)
            assert_round_trips(d);
    }
    assert_int_not_equal(mst_set(d, "states[1].walkmap", "\"00\"", NULL), MST_OK);
    /* more bitmaps in the table than it can count */
    char *table = malloc(3 * 65536 + 2);
    assert_non_null(table);
    for (size_t i = 0; i < 65536; i++)
        memcpy(table + 3 * i, i ? ", 0" : "[ 0", 3);
    memcpy(table + 3 * 65536, "]", 2);
    assert_int_not_equal(mst_set(d, "table", table, &why), MST_OK);
    free(table);
    mst_close(d);
    writer_free(&w);
}

/* Bitmaps that end before their content does. No document has such bitmaps, but the output does not depend on
 * it. */
static void short_bitmaps(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    image_set(&w, p.data + p.plain + 32, 0xCDCDCDCD);
    mst_document *d = open_image(&w);
    for (unsigned i = 0; i < 4; i++) {
        char path[20];
        mst_value value;
        uint64_t offset, length;
        snprintf(path, sizeof path, "bitmaps[%u]", i);
        MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
        mst_value_span(&value, &offset, &length);
        offset = value.offset; /* in the parsed bytes */
        uint32_t size = mst_load32(d->data + offset, true);
        for (uint32_t cut = 1; cut <= size; cut++) {
            uint8_t *bytes = exact_copy(d->data, (size_t)d->size - cut);
            size_t end = (size_t)offset + 4 + size;
            memcpy(bytes + end - cut, d->data + end, (size_t)d->size - end);
            mst_store32(bytes + offset, size - cut, true);
            counted memory = {0};
            assert_int_equal(serialize_parsed(d->format, bytes, (size_t)d->size - cut, &memory, NULL),
                             MST_REFUSED);
            assert_int_equal(memory.blocks, 0);
            free(bytes);
        }
    }
    mst_close(d);
    writer_free(&w);
}

/* Buffers that grow at each part of a plane. */
static void short_memory(void **state) {
    (void)state;
    for (size_t size = 600; size < 800; size += 3) {
        image_source s;
        image_begin(&s);
        image_state(&s, "still", 2, 0, 0, NULL);
        uint8_t stream[800] = {0};
        writer plane = {0};
        image_blocks(&plane, 5, 1, 2);
        image_block(&plane, 0, 0x7001, stream, size);
        image_block(&plane, 1, 0x7002, stream, 30);
        uint32_t at = image_bitmap(&s, 64, 128, 0xC001, plane.data, plane.size);
        image_slot(&s, 0, 0, at);
        writer w = image_finish(&s);
        mst_document *d = open_image(&w);
        assert_limits_held(d, (size_t)d->size);
        mst_close(d);
        writer_free(&w);
        writer_free(&plane);
    }
}

static void many_states(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_image(&w);
    mst_diagnostic why;
    mst_buffer json = {0};
    mst_value value;
    MUST(mst_find(mst_root(d), "states[1]", &value, NULL), NULL);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&json), NULL), NULL);
    mst_sink sink = mst_buffer_sink(&json);
    MUST(sink.write(sink.user, "", 1), NULL);
    for (unsigned i = 2; i <= 64; i++) {
        mst_status status = mst_insert(d, "states[0]", (const char *)json.data, &why);
        if (status == MST_UNSUPPORTED)
            break;
        assert_int_equal(status, i < 64 ? MST_OK : MST_REFUSED);
    }
    assert_round_trips(d);
    mst_buffer_free(&json);
    mst_close(d);
    writer_free(&w);
}

/* Truncated and corrupted files are either refused or written unchanged. */
static void bent(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    random_state random = {7};
    const mst_open_options options = {.size = sizeof options, .name = "A.I2D"};
    mst_document *d;
    for (size_t size = 0; size < w.size; size += 1 + size / 40 * sample_step()) {
        uint8_t *cut = exact_copy(w.data, size);
        assert_int_equal(mst_open_memory(cut, size, &options, &d, NULL), MST_DAMAGED);
        free(cut);
    }
    for (unsigned i = 0; i < 2000 / sample_step(); i++) {
        uint8_t *copy = exact_copy(w.data, w.size);
        for (unsigned k = 0; k < 3; k++) {
            size_t where = random_below(&random, 3) ? random_below(&random, (uint32_t)w.size)
                                                    : p.data + random_below(&random, 400);
            copy[where] = (uint8_t)random_next(&random);
        }
        if (mst_open_memory(copy, w.size, &options, &d, NULL) == MST_OK) {
            assert_same_bytes(d, copy, w.size);
            assert_encodes(d);
            assert_checks(d);
            mst_close(d);
        }
        free(copy);
    }
    writer_free(&w);
}

int test_revenant_image(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_file),    cmocka_unit_test(odd_states),    cmocka_unit_test(odd_files),
        cmocka_unit_test(odd_bitmaps),   cmocka_unit_test(odd_planes),    cmocka_unit_test(odd_blocks),
        cmocka_unit_test(refused_files), cmocka_unit_test(recognized),    cmocka_unit_test(edits),
        cmocka_unit_test(many_states),   cmocka_unit_test(short_bitmaps), cmocka_unit_test(short_memory),
        cmocka_unit_test(bent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
