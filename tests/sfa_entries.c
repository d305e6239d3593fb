/* SPDX-License-Identifier: MIT */
#include "sfa_entries.h"

bool packs;
size_t entry_at[COUNT];
char folder[64];

int look(void **state) {
    mst_buffer stream = {0};
    packs = mst_zlib_pack((const uint8_t *)"x", 1, MST_ZLIB_RETAIL, &stream, NULL) == MST_OK;
    mst_buffer_free(&stream);
    (void)state;
    return 0;
}

void needs_packing(void) {
    if (!packs)
        skip();
}

void put_zeros(writer *w, size_t count) {
    if (count)
        memset(put(w, count), 0, count);
}

void put_aligned(writer *w, size_t from, size_t to) {
    put_zeros(w, (to - (w->size - from) % to) % to);
}

void put_stream(writer *w, const writer *inside, way how) {
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

void put_zlb(writer *w, const writer *inside, way how, uint32_t version) {
    writer stream = {.big = true};
    put_stream(&stream, inside, how);
    put_bytes_of(w, "ZLB", 4);
    put_u32(w, version);
    put_u32(w, (uint32_t)inside->size);
    put_u32(w, (uint32_t)stream.size);
    put_bytes_of(w, stream.data, stream.size);
    writer_free(&stream);
}

void put_dir(writer *w, const writer *inside, const char *magic, uint32_t other_size) {
    put_bytes_of(w, magic, 4);
    put_u32(w, 1);
    put_u32(w, (uint32_t)inside->size);
    put_u32(w, other_size);
    for (unsigned i = 0; i < 16; i++)
        put_u8(w, (uint8_t)(0xA0 + i));
    put_bytes_of(w, inside->data, inside->size);
}

void put_lzo(writer *w, const writer *inside) {
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

void put_outer(writer *w, uint32_t magic, size_t size, uint32_t packed) {
    put_u32(w, magic);
    put_u32(w, (uint32_t)size);
    put_u32(w, 5);
    put_u32(w, packed);
    put_u32(w, 0x18);
    put_u32(w, 0x21);
    put_bytes_of(w, "extra", 5);
}

writer make_objects(unsigned count, uint32_t first) {
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

writer wrap(wrapping as, const writer *inside) {
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

bool json_has(const mst_document *document, const char *word) {
    mst_buffer text = {0};
    mst_value root = mst_root(document);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), NULL), NULL);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    bool has = strstr((const char *)text.data, word) != NULL;
    mst_buffer_free(&text);
    return has;
}

void must_set(mst_document *document, const char *path, const char *json) {
    mst_diagnostic why;
    MUST(mst_set(document, path, json, &why), &why);
}

void assert_writer(const mst_document *document, const writer *wanted) {
    assert_same_bytes(document, wanted->data, wanted->size);
}

writer make_texture(unsigned format, unsigned width, unsigned height, unsigned max_lod, size_t data,
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

void put_entry(writer *bin, const writer *texture, wrapping as) {
    writer w = wrap(as, texture);
    put_bytes_of(bin, w.data, w.size);
    writer_free(&w);
}

uint32_t sum_of(const writer *tab, size_t words) {
    uint32_t sum = 0;
    for (size_t i = 0; i < 4 * words; i++)
        sum += tab->data[i];
    return sum;
}

void end_table(two *t, size_t words) {
    put_u32(&t->tab, MARK);
    put_aligned(&t->tab, 0, 32);
    put_u32(&t->tab, sum_of(&t->tab, words));
    put_aligned(&t->tab, 0, 32);
}

two make_bank(void) {
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

two make_odd(odd how) {
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
    default: t.tab.data[8] = 0x83; break; /* three frames without data */
    }
    if (how != GAP && how != WRONG_SUM && how != NO_SUM && how != GARBAGE)
        mst_store32(t.tab.data + 32, sum_of(&t.tab, COUNT + 1), true);
    return t;
}

writer make_block(void) {
    writer w = {.big = true};
    /* in the header: the offsets of positions, colours, texcoords, the stream, textures, shaders, groups and
     * polygons, relative to the end of the header */
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

const char *in_folder(const char *name) {
    static char paths[4][400];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

void clear_folder(void) {
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.')
            unlink(in_folder(entry->d_name));
    closedir(listing);
}

bool make_folder(void) {
    const char *above = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/mapstone-parsed-XXXXXX",
             above && strlen(above) < 32 ? above : "/tmp");
    return mkdtemp(folder) != NULL;
}

void *peak_resize(void *user, void *old, size_t old_size, size_t new_size) {
    peak *p = user;
    void *made = counted_resize(&p->all, old, old_size, new_size);
    if (p->all.bytes > p->max)
        p->max = p->all.bytes;
    return made;
}

mst_status open_bounded(const two *t, const char *format, const char *code) {
    peak memory = {.max = 0};
    shelf beside = {.count = 0};
    if (t->tab_name)
        shelf_put(&beside, t->tab_name, t->tab.data, t->tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_open_options options = {.size = sizeof options,
                                .format = format,
                                .name = t->bin_name,
                                .sidecars = &resolver,
                                .allocator = {peak_resize, &memory}};
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

two make_blocks(void) {
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

opened open_kind(unsigned index) {
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
    o.document = open_named(&o.files.bin, o.files.bin_name);
    writer_free(&inside);
    return o;
}

void close_kind(opened *o) {
    mst_close(o->document);
    two_free(&o->files);
}
