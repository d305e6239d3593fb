/* SPDX-License-Identifier: MIT */
#include "alien_graphics.h"

void begin_alien_form(writer *w, const char *type) {
    w->big = true;
    put_bytes_of(w, "FORM", 4);
    put_u32(w, 0);
    put_bytes_of(w, type, 4);
}

void end_alien_form(writer *w) {
    mst_store32(w->data + 4, (uint32_t)w->size - 8, true);
}

void put_alien_section(writer *w, const char *name, const void *bytes, size_t size) {
    w->big = true;
    put_bytes_of(w, name, 4);
    put_u32(w, (uint32_t)size);
    put_bytes_of(w, bytes, size);
    if (size % 2)
        put_u8(w, 0);
}

void put_alien_literals(writer *w, const uint8_t *pixels, size_t count) {
    for (size_t i = 0; i <= count; i += 8) {
        size_t some = count - i < 8 ? count - i : 8;
        put_u8(w, (uint8_t)(some < 8 ? 1u << some : 0));
        put_bytes_of(w, pixels + i, some);
    }
    put_u16(w, 0);
}

void put_alien_padding(writer *w) {
    while (w->size % 4)
        put_u8(w, 0);
}

void alien_pattern(uint8_t *pixels, unsigned width, unsigned height, unsigned seed) {
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            pixels[y * width + x] = (uint8_t)((x * 37 + seed * 11) % 199 + 1 + y % 2);
}

void write_alien_sprites(writer *w) {
    writer section = {0};
    uint8_t pixels[512];
    begin_alien_form(w, "0002");
    alien_pattern(pixels, 16, 16, 1);
    put_alien_literals(&section, pixels, 256);
    put_alien_padding(&section);
    alien_pattern(pixels, 20, 16, 2);
    put_alien_literals(&section, pixels, 320);
    put_alien_padding(&section);
    put_alien_section(w, "F000", section.data, section.size);
    alien_pattern(pixels, 16, 32, 3);
    put_alien_section(w, "F001", pixels, 512);
    end_alien_form(w);
    writer_free(&section);
    for (unsigned i = 0; i < 256; i++)
        put_u16(&section, (uint16_t)(i % 32 | i / 8 << 5 | 3 << 10));
    put_alien_section(w, "C000", section.data, section.size);
    writer_free(&section);
}

void put_alien_object(writer *w, const char *name, unsigned last) {
    writer model = {0};
    put_bytes_of(&model, "OBJ1", 4);
    put_u32(&model, 0);
    put_u32(&model, 0x005A606C);
    put_u32(&model, 2);
    put_u32(&model, 4);
    for (unsigned i = 0; i < 2; i++) {
        put_u32(&model, 0), put_u32(&model, 1), put_u32(&model, 2), put_u32(&model, i ? UINT32_MAX : 3);
        put_u16(&model, (uint16_t)i);
        put_u8(&model, (uint8_t)((i ? 2 : 0) | (i == last ? 128 : 0)));
        put_u8(&model, 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        put_u16(&model, (uint16_t)(i == 1 || i == 2 ? 128 : 0));
        put_u16(&model, (uint16_t)(i >= 2 ? 256 : 0));
        put_u16(&model, 0), put_u16(&model, 0);
    }
    put_alien_section(w, name, model.data, model.size);
    writer_free(&model);
}

void write_alien_models(writer *w) {
    begin_alien_form(w, "0002");
    put_alien_object(w, "M000", 1);
    put_alien_object(w, "M003", 1);
    end_alien_form(w);
}

void write_alien_palette(writer *w) {
    for (unsigned i = 0; i < 768; i++)
        put_u8(w, (uint8_t)(i * 7 % 64));
}

void write_alien_shades(writer *w) {
    for (unsigned row = 0; row < 256; row++)
        for (unsigned i = 0; i < 256; i++)
            put_u8(w, (uint8_t)(i * row / 255));
}

void write_alien_matches(writer *w) {
    for (unsigned i = 0; i < 32768; i++)
        put_u8(w, (uint8_t)(32 + i % 223));
}

void write_alien_picture(writer *w) {
    for (unsigned i = 0; i < 64000; i++)
        put_u8(w, (uint8_t)(i % 256 ^ i / 256));
}
