/* SPDX-License-Identifier: MIT */
/* Reading, replacing and checking the texture pages of Alien Trilogy. Page n uses palette n, in the order of
 * the file. */
#include "../../check/finding.h"
#include "../../core/output.h"
#include "../../core/pixels.h"
#include "../../edit/fix_findings.h"
#include "../present.h"
#include "alien.h"
#include <stdio.h>

static const mst_code_information codes[] = {
    {"ALIEN-GFX-MAGIC", MST_ERROR, "the file does not begin with FORM, or is not a texture file"},
    {"ALIEN-GFX-SIZE", MST_ERROR,
     "the file ends inside a section; a warning if only complete sections are missing at its end: the others "
     "can be used"},
    {"ALIEN-GFX-TAIL", MST_WARNING, "bytes follow the end of the container"},
    {"ALIEN-GFX-INFO", MST_WARNING, "a page is not 256 x 256 pixels, or no INFO section confirms that it is"},
    {"ALIEN-GFX-COUNT", MST_WARNING,
     "the number of textures, pages or palettes differs from the number in INFO"},
    {"ALIEN-GFX-PAGE", MST_WARNING, "the page does not exist, or it has no palette and is shown in greys"},
    {"ALIEN-GFX-RECTANGLE", MST_WARNING,
     "the texture runs past the edge of its page: make it smaller, or move it"},
    {"ALIEN-GFX-NONZERO", MST_WARNING,
     "a byte that is 0 in all known files is not 0: its meaning is not known"},
    {"ALIEN-GFX-SECTION", MST_ERROR,
     "a section of palettes or rectangles has the wrong length, and is kept unchanged"},
    {"ALIEN-GFX-TWICE", MST_WARNING, "another section has the same name"},
    {"ALIEN-GFX-ALIGN", MST_WARNING, "the length of a section is not a multiple of 4, as in all known files"},
    {"ALIEN-GFX-PALETTE", MST_WARNING,
     "a palette does not begin with the numbers 1 and 0, as in all known files"},
};
const mst_codes mst_alien_gfx_codes = MST_CODES(codes);

#define SIDE   256u
#define COLORS 256u

/* The sections of one kind: a list, which may be empty. */
static mst_value sections_of(const mst_document *document, const char *name) {
    mst_value root = mst_root(document);
    return mst_member_in(&root, name);
}

static bool has_information(const mst_document *document, mst_value *information) {
    mst_value root = mst_root(document);
    return mst_member(&root, "information", information) == MST_OK;
}

/* ---- pages -------------------------------------------------------------------------------------- */

/* Width and height from INFO, 256 x 256 without one. */
static void page_size(const mst_document *document, uint64_t *width, uint64_t *height) {
    mst_value information;
    *width = *height = SIDE;
    if (!has_information(document, &information))
        return;
    *width = mst_number_in(&information, "page_width");
    *height = mst_number_in(&information, "page_height");
}

static const uint8_t *pixels_of(const mst_value *page, size_t *size) {
    mst_value pixels = mst_member_in(page, "pixels");
    const void *bytes = "";
    *size = 0;
    mst_get_bytes(&pixels, &bytes, size);
    return bytes;
}

/* Reads the colours of a page, 1-5-5-5. Returns the number of colours in its palette, at most 256. */
static uint32_t page_palette(const mst_document *document, size_t index, uint16_t colors[COLORS]) {
    mst_value palettes = sections_of(document, "palettes"), palette;
    uint64_t count = 0;
    if (mst_element(&palettes, index, &palette) != MST_OK)
        return 0;
    mst_value list = mst_member_in(&palette, "colors");
    mst_target target = {.type = MST_U16, .components = 1, .capacity = COLORS};
    target.data = colors;
    mst_read(&list, &target, &count, NULL);
    return (uint32_t)count;
}

size_t mst_alien_image_count(const mst_document *document) {
    mst_value pages = sections_of(document, "pages");
    return (size_t)mst_count(&pages);
}

/* The pixels of a page: of INFO's size if the number of bytes matches it, else rows of 256. */
static mst_status page_shape(const mst_document *document, size_t index, const uint8_t **data,
                             uint32_t *width, uint32_t *height, mst_diagnostic *diagnostic) {
    mst_value pages = sections_of(document, "pages"), page = mst_element_in(&pages, index);
    uint64_t wide, high;
    size_t size;
    *data = pixels_of(&page, &size);
    page_size(document, &wide, &high);
    if (wide * high != size) {
        wide = SIDE;
        high = size / SIDE; /* sections have sizes of u32 */
    }
    *width = (uint32_t)wide;
    *height = (uint32_t)high;
    if (size && wide * high == size)
        return MST_OK;
    mst_fail(diagnostic, MST_DAMAGED, "page %lu is not a rectangle of pixels", (unsigned long)index);
    if (diagnostic) {
        MST_SET(diagnostic->code, "ALIEN-GFX-INFO");
        MST_SET(diagnostic->path, "pages[%lu]", (unsigned long)index);
        MST_SET(diagnostic->expected, "%u bytes", SIDE * SIDE);
        MST_SET(diagnostic->found, "%lu bytes", (unsigned long)size);
    }
    return MST_DAMAGED;
}

static uint8_t eight_bits(unsigned five) {
    return (uint8_t)(five << 3 | five >> 2);
}

static mst_status need_palette(mst_diagnostic *diagnostic, size_t index, uint32_t count) {
    if (count)
        return MST_OK;
    mst_fail(diagnostic, MST_DAMAGED, "page %lu has no palette", (unsigned long)index);
    if (diagnostic) {
        MST_SET(diagnostic->code, "ALIEN-GFX-PAGE");
        MST_SET(diagnostic->path, "pages[%lu]", (unsigned long)index);
    }
    return MST_DAMAGED;
}

mst_status mst_alien_image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                                char *name, mst_diagnostic *diagnostic) {
    (void)level;
    const uint8_t *data;
    uint32_t width, height;
    uint16_t colors[COLORS];
    mst_status status = page_shape(document, index, &data, &width, &height, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t count = page_palette(document, index, colors);
    if (!mst_pixels_take(pixels, width, height, COLORS))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a page");
    memcpy(pixels->data, data, (size_t)width * height);
    memset(pixels->palette, 0, COLORS * sizeof *pixels->palette); /* indices without a colour are black */
    for (uint32_t i = 0; i < COLORS; i++) {
        for (unsigned c = 0; c < 3; c++) {
            if (!count) /* without a palette: shades of grey */
                pixels->palette[i][c] = (uint8_t)i;
            else if (i < count)
                pixels->palette[i][c] = eight_bits((uint32_t)colors[i] >> 5 * c & 31u);
        }
        pixels->palette[i][3] = i ? 255 : 0;
    }
    snprintf(name, MST_IMAGE_NAME, "page_%lu", (unsigned long)index);
    return MST_OK;
}

/* ---- replacing pixels --------------------------------------------------------------------------- */

/* The replacement of a page's pixels. A pixel keeps its index where the page's palette has the right colour
 * there; else it is matched by colour. */
typedef struct replacement {
    const mst_pixels *pixels;
    const uint8_t *before; /* the page's own */
    uint16_t colors[COLORS];
    uint32_t color_count;
    int16_t *index_of; /* by colour, 32,768 of them: the lowest index from 1 on; -1: none */
} replacement;

static unsigned five_bits(unsigned eight) {
    return (eight * 31 + 127) / 255;
}

/* The index for a pixel; -1 if the page's palette does not have its colour. */
static int index_for(const replacement *r, size_t at) {
    const mst_pixels *pixels = r->pixels;
    unsigned given = pixels->format == MST_PIXELS_INDEXED8 ? pixels->data[at] : 0;
    const uint8_t *color = mst_pixel_at(pixels, at);
    if (color[3] < 128)
        return 0;
    unsigned requested = five_bits(color[0]) | five_bits(color[1]) << 5 | five_bits(color[2]) << 10;
    /* several indices may have the same colour: prefers the given one, then the page's present one */
    const unsigned candidates[2] = {given, r->before[at]};
    for (int i = 0; i < 2; i++)
        if (candidates[i] && candidates[i] < r->color_count &&
            (r->colors[candidates[i]] & 0x7FFFu) == requested)
            return (int)candidates[i];
    return r->index_of[requested];
}

static mst_status refuse_pixel(const replacement *r, size_t at, mst_diagnostic *diagnostic) {
    const mst_pixels *pixels = r->pixels;
    const uint8_t *color = mst_pixel_at(pixels, at);
    mst_fail(diagnostic, MST_REFUSED, "the page's palette does not have the colour of column %lu, row %lu",
             (unsigned long)(at % pixels->width), (unsigned long)(at / pixels->width));
    if (diagnostic)
        MST_SET(diagnostic->found, "#%02x%02x%02x", color[0], color[1], color[2]);
    return MST_REFUSED;
}

/* Writes the new pixels as JSON: hexadecimal digits in quotes. */
static mst_status make_text(replacement *r, size_t size, char *text, bool *changed,
                            mst_diagnostic *diagnostic) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i <= 0x7FFF; i++)
        r->index_of[i] = -1;
    for (uint32_t i = r->color_count; i-- > 1;)
        r->index_of[r->colors[i] & 0x7FFFu] = (int16_t)i;
    *changed = false;
    *text++ = '"';
    for (size_t at = 0; at < size; at++) {
        int index = index_for(r, at);
        if (index < 0)
            return refuse_pixel(r, at, diagnostic);
        *changed = *changed || index != r->before[at];
        *text++ = digits[index >> 4];
        *text++ = digits[index & 15];
    }
    *text++ = '"';
    *text = 0;
    return MST_OK;
}

mst_status mst_alien_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                   mst_diagnostic *diagnostic) {
    replacement r = {.pixels = pixels};
    uint32_t width, height;
    mst_status status = page_shape(document, index, &r.before, &width, &height, diagnostic);
    if (status != MST_OK)
        return status;
    r.color_count = page_palette(document, index, r.colors);
    status = need_palette(diagnostic, index, r.color_count);
    if (status != MST_OK)
        return status;
    if (pixels->width != width || pixels->height != height) {
        mst_fail(diagnostic, MST_REFUSED, "the image's size differs from the page's");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%lu x %lu", (unsigned long)width, (unsigned long)height);
            MST_SET(diagnostic->found, "%lu x %lu", (unsigned long)pixels->width,
                    (unsigned long)pixels->height);
        }
        return MST_REFUSED;
    }
    mst_arena scratch;
    mst_arena_begin(&scratch, &document->allocator, 0);
    size_t size = (size_t)width * height;
    r.index_of = mst_arena_take(&scratch, 0x8000, sizeof *r.index_of);
    char *text = mst_arena_take(&scratch, size + 2, 2); /* digits, quotes and the end */
    if (!r.index_of || !text) {
        mst_arena_end(&scratch);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a page");
    }
    bool changed = false;
    char path[64];
    snprintf(path, sizeof path, "pages[%lu].pixels", (unsigned long)index);
    status = make_text(&r, size, text, &changed, diagnostic);
    if (status == MST_OK && changed)
        status = mst_set(document, path, text, diagnostic);
    mst_arena_end(&scratch);
    return status;
}

/* ---- textures ----------------------------------------------------------------------------------- */

uint64_t mst_alien_rectangle_count(const mst_document *textures) {
    mst_value lists = sections_of(textures, "rectangle_lists"), list;
    uint64_t total = 0;
    for (mst_iterator it = mst_iterate(&lists); mst_next(&it, &list);) {
        mst_value elements = mst_member_in(&list, "rectangles");
        total += mst_count(&elements);
    }
    return total;
}

mst_status mst_alien_rectangles(const mst_document *textures, mst_arena *arena,
                                mst_alien_rectangle **rectangles, uint32_t *count) {
    mst_value lists = sections_of(textures, "rectangle_lists"), list;
    uint64_t total = mst_alien_rectangle_count(textures);
    *count = 0;
    *rectangles = NULL;
    if (MST_UNREACHABLE(total > UINT32_MAX)) /* each takes six bytes of a container whose size is a u32 */
        return MST_NO_MEMORY;
    mst_alien_rectangle *made = mst_arena_take(arena, (size_t)total, sizeof *made);
    if (!made)
        return MST_NO_MEMORY;
    uint32_t filled = 0;
    for (mst_iterator it = mst_iterate(&lists); mst_next(&it, &list);) {
        mst_value elements = mst_member_in(&list, "rectangles");
        const mst_column bytes = mst_column_in(&elements, "x");
        for (uint64_t i = 0; i < bytes.count; i++) {
            const uint8_t *b = bytes.data + (size_t)i * bytes.stride; /* x is the first of six bytes */
            made[filled++] = (mst_alien_rectangle){b[0], b[1], b[2], b[3], b[4]};
        }
    }
    *rectangles = made;
    *count = filled;
    return MST_OK;
}

/* ---- checks ------------------------------------------------------------------------------------- */

/* Whether the file is truncated, which explains missing pages and palettes. */
static bool is_cut(const mst_document *document) {
    return document->variant.layout != 0;
}

static mst_status check_container(mst_checker *checker) {
    mst_value root = mst_root(checker->document), trailing;
    if (is_cut(checker->document)) {
        mst_value size = mst_member_in(&root, "size");
        mst_diagnostic *finding = mst_finding_of(checker, &size, "size");
        MST_SET(finding->expected, "%llu", (unsigned long long)checker->document->size - 8);
        MST_SET(finding->found, "%llu", (unsigned long long)mst_number_in(&root, "size"));
        MST_SET(finding->message,
                "sections are missing at the end of the file: those that are there can be used");
        return mst_checker_warn(checker, "ALIEN-GFX-SIZE");
    }
    trailing = mst_member_in(&root, "trailing");
    const void *bytes;
    size_t size = 0;
    mst_get_bytes(&trailing, &bytes, &size);
    if (!size)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, &trailing, "trailing");
    MST_SET(finding->expected, "a size of %llu", (unsigned long long)checker->document->size - 8);
    MST_SET(finding->found, "%llu", (unsigned long long)(checker->document->size - 8 - size));
    return mst_checker_report(checker, "ALIEN-GFX-TAIL");
}

static mst_status check_information(mst_checker *checker, uint64_t width, uint64_t height) {
    mst_value information;
    bool present = has_information(checker->document, &information);
    uint64_t bits = present ? mst_number_in(&information, "bits") : 0;
    /* 4 bits as on the console; in this file pixels have 8 either way */
    if (present && width == SIDE && height == SIDE && (bits == 8 || bits == 4))
        return MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, present ? &information : NULL, "information");
    MST_SET(finding->expected, "256 x 256, 8 or 4 bits");
    if (present)
        MST_SET(finding->found, "%u x %u, %u bits", (unsigned)width, (unsigned)height, (unsigned)bits);
    else
        MST_SET(finding->message, "the section INFO, with the number of textures, is missing");
    return mst_checker_report(checker, "ALIEN-GFX-INFO");
}

static mst_status check_pages(mst_checker *checker, uint64_t width, uint64_t height, uint64_t *page_count) {
    mst_value pages = sections_of(checker->document, "pages"),
              palettes = sections_of(checker->document, "palettes"), page;
    uint64_t palette_count = mst_count(&palettes);
    *page_count = 0;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&pages); status == MST_OK && mst_next(&it, &page); ++*page_count) {
        size_t size;
        pixels_of(&page, &size);
        mst_diagnostic *finding =
            mst_finding_of(checker, &page, "pages[%llu]", (unsigned long long)*page_count);
        if (size != width * height) {
            MST_SET(finding->expected, "%llu bytes", (unsigned long long)(width * height));
            MST_SET(finding->found, "%lu bytes", (unsigned long)size);
            status = mst_checker_report(checker, "ALIEN-GFX-INFO");
        }
        /* in a truncated file, missing palettes are only counted */
        if (status == MST_OK && *page_count >= palette_count && !is_cut(checker->document)) {
            MST_SET(finding->message, "the page has no palette: its textures are shown in greys");
            MST_SET(finding->expected, "%llu palettes", (unsigned long long)mst_count(&pages));
            MST_SET(finding->found, "%llu", (unsigned long long)palette_count);
            status = mst_checker_report(checker, "ALIEN-GFX-PAGE");
        }
    }
    return status;
}

static mst_status check_rectangle(mst_checker *checker, const mst_value *rectangle, const char *path,
                                  uint64_t width, uint64_t height, uint64_t page_count) {
    uint64_t x = mst_number_in(rectangle, "x"), y = mst_number_in(rectangle, "y"),
             right = x + mst_number_in(rectangle, "width_minus_1") + 1,
             bottom = y + mst_number_in(rectangle, "height_minus_1") + 1,
             page = mst_number_in(rectangle, "page");
    mst_status status = MST_OK;
    if (page >= page_count) {
        mst_value field = mst_member_in(rectangle, "page");
        mst_diagnostic *finding = mst_finding_of(checker, &field, "%s.page", path);
        MST_SET(finding->expected, "below %llu", (unsigned long long)page_count);
        MST_SET(finding->found, "%llu", (unsigned long long)page);
        MST_SET(finding->message, "the page does not exist: the texture cannot be shown");
        status = mst_checker_report(checker, "ALIEN-GFX-PAGE");
    }
    if (status == MST_OK && (right > width || bottom > height)) {
        mst_diagnostic *finding = mst_finding_of(checker, rectangle, "%s", path);
        MST_SET(finding->expected, "at most %llu, %llu", (unsigned long long)width,
                (unsigned long long)height);
        MST_SET(finding->found, "%llu, %llu", (unsigned long long)right, (unsigned long long)bottom);
        status = mst_checker_report(checker, "ALIEN-GFX-RECTANGLE");
    }
    return status;
}

static mst_status check_rectangles(mst_checker *checker, uint64_t width, uint64_t height,
                                   uint64_t page_count) {
    mst_value lists = sections_of(checker->document, "rectangle_lists"), list, rectangle, information;
    uint64_t total = 0, number = 0;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&lists); status == MST_OK && mst_next(&it, &list); number++) {
        mst_value rectangles = mst_member_in(&list, "rectangles");
        uint64_t index = 0;
        for (mst_iterator each = mst_iterate(&rectangles); status == MST_OK && mst_next(&each, &rectangle);
             index++) {
            char path[96];
            snprintf(path, sizeof path, "rectangle_lists[%llu].rectangles[%llu]", (unsigned long long)number,
                     (unsigned long long)index);
            status = check_rectangle(checker, &rectangle, path, width, height, page_count);
        }
        total += index;
    }
    mst_value palettes = sections_of(checker->document, "palettes");
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"rectangle_count", total}, {"unknown_08", page_count}, {"unknown_0a", mst_count(&palettes)}};
    bool informed = has_information(checker->document, &information);
    for (size_t i = 0; informed && status == MST_OK && i < MST_COUNT_OF(counts); i++) {
        mst_value field = mst_member_in(&information, counts[i].name);
        uint64_t found = mst_number_in(&information, counts[i].name);
        if (found == counts[i].count)
            continue;
        mst_diagnostic *finding = mst_finding_of(checker, &field, "information.%s", counts[i].name);
        MST_SET(finding->expected, "%llu", (unsigned long long)counts[i].count);
        MST_SET(finding->found, "%llu", (unsigned long long)found);
        status = is_cut(checker->document) ? mst_checker_inform(checker, "ALIEN-GFX-COUNT")
                                           : mst_checker_report(checker, "ALIEN-GFX-COUNT");
    }
    return status;
}

mst_status mst_alien_fix_count(mst_fix_context *fixing) {
    return is_cut(fixing->document) ? MST_OK : mst_fix_as_expected(fixing);
}

mst_status mst_alien_check_gfx(mst_checker *checker) {
    uint64_t width, height, page_count = 0;
    page_size(checker->document, &width, &height);
    mst_status status = check_container(checker);
    if (status == MST_OK)
        status = check_information(checker, width, height);
    if (status == MST_OK)
        status = check_pages(checker, width, height, &page_count);
    if (status == MST_OK)
        status = check_rectangles(checker, width, height, page_count);
    return status == MST_OK ? mst_alien_check_sections(checker) : status;
}

mst_status mst_alien_describe_textures(const mst_document *document, const char *what,
                                       const mst_resolver *sidecars, mst_sink sink,
                                       mst_diagnostic *diagnostic) {
    (void)sidecars;
    if (strcmp(what, "rectangles") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "textures have no %s", what);
    mst_arena arena;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_alien_rectangle *rectangles;
    uint32_t count;
    mst_status status = mst_alien_rectangles(document, &arena, &rectangles, &count);
    mst_output out;
    mst_output_begin(&out, sink);
    for (uint32_t i = 0; i < count; i++)
        mst_output_format(&out, "texture %u: page %u, %u x %u at %u %u\n", i, rectangles[i].page,
                          rectangles[i].width_minus_1 + 1u, rectangles[i].height_minus_1 + 1u,
                          rectangles[i].x, rectangles[i].y);
    mst_status written = mst_output_end(&out);
    mst_arena_end(&arena);
    status = status == MST_OK ? written : status;
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the rectangles could not be written");
}
