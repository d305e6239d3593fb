/* SPDX-License-Identifier: MIT */
#include "revenant_image.h"

void image_free(image_source *s) {
    writer_free(&s->header);
    writer_free(&s->maps);
    writer_free(&s->data);
    writer_free(&s->trailing);
}

void image_set(writer *w, size_t offset, uint32_t value) {
    assert_true(offset + 4 <= w->size);
    mst_store32(w->data + offset, value, false);
}

void image_lead(writer *w, size_t field, size_t target) {
    image_set(w, field, (uint32_t)(target - field));
}

void image_zeros(writer *w, size_t count) {
    if (count)
        memset(put(w, count), 0, count);
}

void image_align(writer *w) {
    image_zeros(w, (4 - w->size % 4) % 4);
}

void image_begin(image_source *s) {
    memset(s, 0, sizeof *s);
    image_zeros(&s->data, 1280);
}

void image_state(image_source *s, const char *name, uint32_t flags, unsigned width, unsigned length,
                 const char *map) {
    writer *w = &s->header;
    char text[32] = {0};
    snprintf(text, sizeof text, "%s", name);
    put_bytes_of(w, text, sizeof text);
    put_u32(w, map ? (uint32_t)s->maps.size + 1 : 0);
    put_u32(w, flags);
    for (unsigned i = 0; i < 13; i++)
        put_u16(w, (uint16_t)(i + 1)); /* aniflags 1 to wregz 13 */
    put_u16(w, (uint16_t)width);
    put_u16(w, (uint16_t)length);
    for (unsigned i = 0; i < 3; i++)
        put_u16(w, (uint16_t)(20 + i));
    if (map)
        put_bytes_of(&s->maps, map, (size_t)width * length);
    mst_store32(s->data.data + 20 * (size_t)s->state_count + 16, flags, false);
    s->state_count++;
}

void image_slot(image_source *s, unsigned state, unsigned which, size_t target) {
    image_lead(&s->data, 20 * (size_t)state + 4 * (size_t)which, target);
}

uint32_t image_bitmap(image_source *s, uint32_t width, uint32_t height, uint32_t flags, const void *pixels,
                      size_t size) {
    writer *w = &s->data;
    image_align(w);
    uint32_t begin = (uint32_t)w->size;
    assert_true(s->count < IMAGE_BITMAPS);
    s->bitmaps[s->count++] = begin;
    put_u32(w, width), put_u32(w, height), put_u32(w, 3), put_u32(w, (uint32_t)-4);
    put_u32(w, flags), put_u32(w, 0xD00), put_u32(w, 0);
    image_zeros(w, 40);
    put_u32(w, (uint32_t)size);
    put_bytes_of(w, pixels, size);
    return begin;
}

void image_plane(image_source *s, uint32_t bitmap, unsigned kind, const void *bytes, size_t size) {
    writer *w = &s->data;
    size_t field = bitmap + 28 + 8 * (size_t)kind, begin = w->size;
    put_bytes_of(w, bytes, size);
    image_set(w, field, (uint32_t)size);
    image_lead(w, field + 4, begin);
}

void image_palette(image_source *s, uint32_t bitmap) {
    writer w = {0};
    for (unsigned i = 0; i < 256; i++)
        put_u16(&w, (uint16_t)(i < 32 ? i << 10 | (31 - i) << 5 | 8 : 0));
    for (unsigned i = 0; i < 256; i++)
        put_u32(&w, i < 32 ? i << 3 | (31 - i) << 11 | 0x400000u : 0);
    image_plane(s, bitmap, 4, w.data, w.size);
    writer_free(&w);
}

uint32_t image_animation(image_source *s, unsigned frames) {
    writer *w = &s->data;
    image_align(w);
    uint32_t begin = (uint32_t)w->size;
    put_u32(w, 1), put_u32(w, 9), put_u32(w, 8), put_u32(w, frames), put_u32(w, 0x77);
    for (unsigned i = 0; i <= frames; i++) {
        for (unsigned k = 0; k < 9; k++)
            put_u32(w, i == frames ? 0 : 10 * i + k);
        put_u32(w, 0);
    }
    return begin;
}

void image_frame(image_source *s, uint32_t animation, unsigned frame, size_t bitmap) {
    image_lead(&s->data, animation + 20 + 40 * (size_t)frame + 36, bitmap);
}

void image_blocks(writer *w, uint32_t type, uint32_t across, uint32_t down) {
    put_u32(w, type), put_u32(w, across), put_u32(w, down);
    image_zeros(w, 4 * (size_t)across * down);
}

void image_block(writer *w, unsigned number, uint32_t id, const void *packed, size_t size) {
    image_lead(w, 12 + 4 * (size_t)number, w->size);
    put_u32(w, id);
    put_bytes_of(w, packed, size);
}

writer image_finish(image_source *s) {
    writer w = {0};
    image_align(&s->data);
    for (uint32_t i = 0; i < s->state_count; i++) {
        uint32_t map = mst_load32(s->header.data + 76 * (size_t)i + 32, false);
        if (map)
            image_lead(&s->header, 76 * (size_t)i + 32, 76 * (size_t)s->state_count + map - 1);
    }
    size_t header = 8 + s->header.size + s->maps.size;
    put_bytes_of(&w, "CGSR", 4);
    put_u16(&w, (uint16_t)s->count), put_u8(&w, 0), put_u8(&w, 1);
    put_u32(&w, (uint32_t)s->data.size), put_u32(&w, (uint32_t)s->data.size);
    put_u32(&w, (uint32_t)(header + 3) / 4 * 4);
    put_u32(&w, 0), put_u32(&w, s->state_count);
    put_bytes_of(&w, s->header.data, s->header.size);
    put_bytes_of(&w, s->maps.data, s->maps.size);
    image_zeros(&w, (4 - header % 4) % 4);
    for (uint32_t i = 0; i < s->count; i++)
        put_u32(&w, s->bitmaps[i]);
    put_bytes_of(&w, s->data.data, s->data.size);
    put_bytes_of(&w, s->trailing.data, s->trailing.size);
    image_free(s);
    return w;
}

writer image_pixel_block(void) {
    writer w = {0};
    static const uint8_t first[] = {0xAA, 0xBB, 1,    2,  3, 4,    5,        0xBB, 5,
                                    5,    0,    0xAA, 10, 7, 0xAA, 128 + 44, 0xAA, 0};
    put_bytes_of(&w, first, sizeof first);
    for (unsigned row = 1; row < 64; row++)
        put_u8(&w, 0xAA), put_u8(&w, 128 + 64), put_u8(&w, 0xAA), put_u8(&w, 0);
    return w;
}

writer image_depth_block(void) {
    writer w = {0};
    static const uint8_t first[] = {0xAA, 0xBB, 0xBB, 0, 1, 0xAA, 64, 0x20, 0xAA, 0, 0xBB, 0, 0x7F};
    put_bytes_of(&w, first, sizeof first);
    for (unsigned row = 1; row < 64; row++)
        put_u8(&w, 0xAA), put_u8(&w, 64), put_u8(&w, 0x7F), put_u8(&w, 0xAA), put_u8(&w, 0);
    return w;
}

writer image_usual(image_places *places) {
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 2, 3, 2, "\1\2\3\4\5\6");
    image_state(&s, "burning", 1, 0, 0, NULL);
    writer plane = {0}, block = image_pixel_block();
    image_blocks(&plane, 5, 2, 1);
    image_block(&plane, 0, 0x1234A001, block.data, block.size);
    places->tile = image_bitmap(&s, 70, 3, 0xC021, plane.data, plane.size);
    image_palette(&s, places->tile);
    writer_free(&plane);
    writer_free(&block);
    block = image_depth_block();
    image_blocks(&plane, 5, 2, 1);
    image_block(&plane, 0, 0x1234A101, block.data, block.size);
    image_plane(&s, places->tile, 2, plane.data, plane.size);
    writer_free(&plane);
    writer_free(&block);
    places->animation = image_animation(&s, 3);
    places->plain = image_bitmap(&s, 3, 2, 0x401, "\0\1\2\3\0\5", 6);
    image_palette(&s, places->plain);
    places->faded = image_bitmap(&s, 2, 2, 0x102, "\x1F\0\xE0\3\0\x7C\xFF\xFF", 8);
    image_plane(&s, places->faded, 1, "\0\x1F\x10\x28", 4);
    places->word = image_bitmap(&s, 2, 1, 4, "\xE0\xFF\0\0", 4);
    image_slot(&s, 0, 0, places->tile);
    image_slot(&s, 1, 1, places->animation);
    image_slot(&s, 1, 2, places->plain);
    image_frame(&s, places->animation, 0, places->plain);
    image_frame(&s, places->animation, 1, places->faded);
    image_frame(&s, places->animation, 2, places->word);
    size_t data = s.data.size;
    writer w = image_finish(&s);
    places->data = w.size - (data + 3) / 4 * 4;
    return w;
}
