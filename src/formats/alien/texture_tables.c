/* SPDX-License-Identifier: MIT */
/* Tables of the Alien Trilogy texture format. */
#include "../../edit/fix_findings.h"
#include "../../tables/words.h"
#include "alien.h"
#include "sections.h"

/* clang-format off */
#define RECORDS(X) \
    X(mst_alien_unknown_section) X(textures) X(information) X(page) X(palette) X(rectangles) \
    X(rectangle)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

enum { R_RECTANGLES = 1 }; /* a context variable */

static const mst_field information_fields[] = {
    {.name = "page_width", U16, .unit = "pixels", .doc = "256 in every file."},
    {.name = "page_height", U16, .unit = "pixels", .doc = "256 in every file."},
    {.name = "bits", U16, .doc = "Bits per pixel; on the console 4. Here pixels have 8 either way."},
    {.name = "rectangle_count",
     U16,
     .doc = "Number of rectangles in all lists together.",
     .evidence = "exact in every whole file"},
    {.name = "unknown_08",
     U16,
     .doc = "Number of pages: of TP sections.",
     .evidence = "exact in every whole file"},
    {.name = "unknown_0a",
     U16,
     .doc = "Number of palettes: of CL sections.",
     .evidence = "exact in every whole file"},
    {.name = "unknown_0c", U16, .doc = "Not known; 6 in every file."},
    {.name = "unknown_0e", U16, .doc = "Not known; 1, and 0 in one file of fonts."},
};
RECORD(information, "information", "properties that all pages share");

static const mst_field page_fields[] = {
    MST_ALIEN_SECTION_HEADER,
    {.name = "pixels",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_CONTENT,
     .doc = "Indices into the palette of the same number, row by row from the top; 0 is transparent.",
     .evidence = "10 pages with their palettes"},
};
RECORD(page, "page", "an image of 256 x 256 pixels");

static const mst_field palette_fields[] = {
    MST_ALIEN_SECTION_HEADER,
    {.name = "unknown_00", U16, FIXED(2), .doc = "Not known; 1 and 0."},
    {.name = "colors", U16, .mode = MST_COUNT_TO_END, .doc = "Red in bits 0-4, green in 5-9, blue in 10-14."},
};
RECORD(palette, "palette", "the colours of a page");

static const mst_field rectangle_fields[] = {
    {.name = "x", U8, .unit = "pixels", .doc = "Left edge, from the page's left edge."},
    {.name = "y", U8, .unit = "pixels", .doc = "Upper edge, from the page's upper edge."},
    {.name = "width_minus_1", U8, .unit = "pixels", .doc = "The width is one more, so that 256 fit."},
    {.name = "height_minus_1", U8, .unit = "pixels", .doc = "The height is one more."},
    {.name = "page", U8, REFERS({.target = "pages"}), .doc = "The page that it is a part of."},
    {.name = "unknown_05",
     U8,
     .flags = MST_FIELD_DEFAULT,
     .doc = "Not known; 0 in every file.",
     .rule = {.kind = MST_RULE_ZERO, .code = "ALIEN-GFX-NONZERO"}},
};
RECORD(rectangle, "rectangle", "a texture: a part of a page");

static const mst_field rectangles_fields[] = {
    MST_ALIEN_SECTION_HEADER,
    {.name = "count", U16, LENGTH_OF("rectangles", R_RECTANGLES)},
    {.name = "rectangles",
     COUNTED(rectangle, R_RECTANGLES),
     .flags = MST_FIELD_APPEND,
     .doc = "The rectangles. A quad's texture is an index through the lists of all sections in order."},
    {.name = "padding",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Zeros up to a multiple of four."},
};
RECORD(rectangles, "rectangles", "a list of textures");

static bool accepts_information(const uint8_t *content, uint64_t size, bool big) {
    (void)content;
    (void)big;
    return size == 16;
}

static bool accepts_palette(const uint8_t *content, uint64_t size, bool big) {
    (void)content;
    (void)big;
    return size >= 4 && size % 2 == 0;
}

static bool accepts_rectangles(const uint8_t *content, uint64_t size, bool big) {
    if (size < 2)
        return false;
    return 2 + (uint64_t)mst_load16(content, big) * 6 <= size;
}

#define NUMBERED(a, b, label, row, accept, text)                                                             \
    {                                                                                                        \
        .id = MST_NAMED(a, b, 0, 0), .any = 0x0000FFFFu, .accepts = (accept), .field = {                     \
            .name = (label),                                                                                 \
            .kind = MST_KIND_RECORD,                                                                         \
            .record = &(row),                                                                                \
            .flags = MST_FIELD_REPEATED | MST_FIELD_WITH_HEADER | MST_FIELD_APPEND,                          \
            .doc = (text)                                                                                    \
        }                                                                                                    \
    }

static const mst_case texture_cases[] = {
    {.id = MST_NAMED('I', 'N', 'F', 'O'),
     .accepts = accepts_information,
     .field = {.name = "information",
               .kind = MST_KIND_RECORD,
               .record = &information,
               .doc = "Exactly one, and first: settings of all pages."}},
    NUMBERED('T', 'P', "pages", page, NULL, "TP00, TP01, ..."),
    NUMBERED('C', 'L', "palettes", palette, accepts_palette, "CL00, CL01, ..."),
    NUMBERED('B', 'X', "rectangle_lists", rectangles, accepts_rectangles, "BX00, BX01, ..."),
};
static const mst_chunks texture_chunks = {.cases = texture_cases,
                                          .case_count = MST_COUNT_OF(texture_cases),
                                          .big = true,
                                          .align = 2,
                                          .unknown = &mst_alien_unknown_sections};
/* Some files in circulation are truncated at the end of a section: their `size` is kept unchanged. */
enum { L_WHOLE, L_CUT };
#define IN_LAYOUT(operation, layout) .when = {{operation, MST_VARIABLE_LAYOUT, layout}}
static const mst_field textures_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "FORM"},
    {.name = "size", U32, .flags = MST_FIELD_SIZE | MST_FIELD_BIG, IN_LAYOUT(MST_EQUAL, L_WHOLE)},
    {.name = "size",
     U32,
     .flags = MST_FIELD_BIG,
     .doc = "In a truncated file: the size of the complete one.",
     IN_LAYOUT(MST_EQUAL, L_CUT)},
    {.name = "type", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "PSXT"},
    {.name = "sections",
     .kind = MST_KIND_CHUNKS,
     .chunks = &texture_chunks,
     .doc = "INFO, then TP00, TP01, ..., CL00, ..., BX00, ..."},
    MST_ALIEN_TRAILING(IN_LAYOUT(MST_EQUAL, L_WHOLE)),
};
RECORD(textures, "textures", "the file: a container of named sections");

static const mst_record *const texture_records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe_gfx(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                      mst_variant *variant) {
    (void)file_size;
    (void)name;
    (void)variant;
    return mst_alien_probe(bytes, size, "PSXT");
}

/* Whether a file shorter than its header's size ends at the end of a section, and has a page. */
static bool is_cut(const uint8_t *bytes, size_t size) {
    bool any_page = false;
    uint64_t at = 12;
    if (size < 12 || mst_load32(bytes + 4, true) + (uint64_t)8 <= size)
        return false;
    while (mst_fits(at, MST_CHUNK_HEADER, size)) {
        uint32_t length = mst_load32(bytes + at + 4, true);
        any_page = any_page || memcmp(bytes + at, "TP", 2) == 0;
        at += MST_CHUNK_HEADER + (uint64_t)length + length % 2;
    }
    return any_page && at == size;
}

/* INFO has 8 bits per pixel, or 4 as on the console: only one byte order gives this. */
static mst_status resolve_gfx(const uint8_t *bytes, size_t size, mst_variant *variant,
                              mst_diagnostic *diagnostic) {
    (void)diagnostic;
    uint32_t length;
    const uint8_t *content = mst_alien_find_section(bytes, size, MST_NAMED('I', 'N', 'F', 'O'), &length);
    unsigned bits = content && length >= 6 ? mst_load16(content + 4, true) : 0;
    variant->big = bits == 8 || bits == 4;
    variant->layout = is_cut(bytes, size) ? L_CUT : L_WHOLE;
    return MST_OK;
}

static const char *const gfx_layouts[] = {[L_WHOLE] = "whole", [L_CUT] = "cut"};

const mst_format mst_format_alien_gfx = {
    .information = {.id = "alien-gfx",
                    .title = "Alien Trilogy textures",
                    .extensions = ".bin .b16 .bnd .16",
                    .media_type = "",
                    .versions = "",
                    .rows = "rectangle_lists[0].rectangles"},
    .tables.root = &textures,
    .tables.records = texture_records,
    .tables.record_count = MST_COUNT_OF(texture_records),
    .conversion = &(const mst_conversion){.either_order = true},
    .identity.probe = probe_gfx,
    .identity.resolve_variant = resolve_gfx,
    .identity.layouts = gfx_layouts,
    .identity.layout_count = MST_COUNT_OF(gfx_layouts),
    .fix_up = mst_alien_textures_fix_up,
    .editing =
        &(const mst_edit_hooks){.renumber = mst_alien_textures_renumber, .settle = mst_alien_textures_settle},
    .check.problem_codes = MST_ALIEN_PROBLEM_CODES("ALIEN-GFX-MAGIC", "ALIEN-GFX-SIZE"),
    .check.codes = &mst_alien_gfx_codes,
    .check.dangling = MST_DANGLING("ALIEN-GFX-COUNT"),
    .check.fixes = MST_FIXES({"ALIEN-GFX-COUNT", "sets it to the number that is there", mst_alien_fix_count}),
    .content.describe = mst_alien_describe_textures,
    .check.check = mst_alien_check_gfx,
    .images = &(const mst_images){.count = mst_alien_image_count,
                                  .read = mst_alien_image_read,
                                  .replace = mst_alien_image_replace},
    .tables.listed = MST_LISTED({"textures", "pages", NULL, "alien-graphics.md 2.3"},
                                {"textures", "palettes", NULL, "alien-graphics.md 2.3"},
                                {"textures", "rectangle_lists", NULL, "alien.md 8"},
                                {"rectangles", "rectangles",
                                 "add; insert, duplicate and remove at the end of the last list only: levels "
                                 "refer to them by index through all lists",
                                 "alien.md 8"}),
    .tables.sources =
        "[Alien Trilogy MAP](https://wiki.xentax.com/index.php/Alien_Trilogy_MAP) and a program that shows "
        "levels; measured on the files of the PC's game.\n",
    .tables.introduction =
        "The textures of a level of Alien Trilogy. Page n (`TPnn`) takes its colours from palette n "
        "(`CLnn`); index 0 is\n"
        "transparent. A texture is a rectangle of a page: a quad's `texture` is an index through "
        "the lists of `BX00`,\n"
        "`BX01`, ... in order.\n",
};
