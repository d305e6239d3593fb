/* SPDX-License-Identifier: MIT */
/* Tables and checks of Alien Trilogy's sprites: monsters, and weapons in the hand. */
#include "alien_sprites.h"
#include "../../../core/text.h"
#include "../../../edit/fix_findings.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "../sections.h"
#include "indexed.h"

/* clang-format off */
#define RECORDS(X) X(sprites) X(section) X(frame)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };
enum { R_KIND = 1, R_COLORS }; /* context variables */

static const mst_field frame_fields[] = {
    {.name = "unused",
     U32,
     .flags = MST_FIELD_BIG | MST_FIELD_DEFAULT | MST_FIELD_OWN,
     .unit = "bytes",
     .doc = "Zeros before the frame: a changed frame is shorter than the one that was in its place.",
     .range = "0 in the game's files"},
    {.name = "packed",
     BYTES,
     .flags = MST_FIELD_BIG | MST_FIELD_CONTENT,
     .doc =
         "The pixels, packed: indices into a palette, row by row from the top; 0 is transparent. The width "
         "and height are in the game's program."},
};
RECORD(frame, "frame", "a picture of a monster or of a weapon");

static const mst_enum_name kinds[] = {{MST_ALIEN_SPRITE_BYTES, "bytes"},
                                      {MST_ALIEN_SPRITE_FRAMES, "frames"},
                                      {MST_ALIEN_SPRITE_COLORS, "colors"}};
#define KIND(kind) IF(IS(R_KIND, kind))
static const mst_field section_fields[] = {
    {.name = "name",
     .kind = MST_KIND_CHAR8,
     FIXED(4),
     .doc = "F and three digits: frames; C and three digits: colours."},
    {.name = "outside",
     U8,
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .doc = "Yes: it is after the end given by the file's size, as the colours of `.B16` files are."},
    {.name = "padding", U8, .flags = MST_FIELD_DEFAULT, .doc = "The byte after a section of odd size."},
    {.name = "kind",
     U8,
     BIND(R_KIND),
     NAMES(kinds),
     .flags = MST_FIELD_DEFAULT,
     .initial = MST_ALIEN_SPRITE_FRAMES,
     .doc = "Its content."},
    {.name = "frames",
     LIST(frame),
     .flags = MST_FIELD_BIG,
     KIND(MST_ALIEN_SPRITE_FRAMES),
     .doc = "The packed frames, which are first."},
    {.name = "lacks",
     U8,
     .flags = MST_FIELD_DEFAULT,
     KIND(MST_ALIEN_SPRITE_FRAMES),
     .unit = "bytes",
     .doc = "How many zeros the last frame lacks up to a multiple of 4, because the section ends.",
     .range = "0 in every file"},
    {.name = "unpacked",
     BYTES,
     .flags = MST_FIELD_BIG | MST_FIELD_CONTENT | MST_FIELD_OMIT_EMPTY,
     KIND(MST_ALIEN_SPRITE_FRAMES),
     .doc = "Frames that are not packed, in order; walking monsters of the game's demo."},
    {.name = "color_count",
     U32,
     LENGTH_OF("colors", R_COLORS),
     .flags = MST_FIELD_BIG,
     KIND(MST_ALIEN_SPRITE_COLORS)},
    {.name = "colors",
     U16,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COLORS,
     .flags = MST_FIELD_LITTLE,
     KIND(MST_ALIEN_SPRITE_COLORS),
     .doc = "Red in bits 0-4, green in 5-9, blue in 10-14."},
    {.name = "data",
     BYTES,
     .flags = MST_FIELD_BIG,
     KIND(MST_ALIEN_SPRITE_BYTES),
     .doc = "Of a section of another name, kept unchanged."},
};
RECORD(section, "section", "the frames of a movement, or colours");

static const mst_field sprites_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "FORM"},
    {.name = "type", .kind = MST_KIND_CHAR8, FIXED(4), .doc = "The number of sections, in four digits."},
    {.name = "sections",
     LIST(section),
     .flags = MST_FIELD_BIG,
     .doc = "F000, F001, ... In files for 16-bit colour, C000, ... follow."},
    {.name = "trailing",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the last section, kept unchanged."},
};
RECORD(sprites, "sprites", "the file: a container of sections");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- the format ---------------------------------------------------------------------------------- */

/* Updates the number of sections if it was right before. */
static void fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    const mst_document *documents[2] = {before, after};
    uint64_t counts[2] = {0, 0}, stored = 0;
    mst_value type = {0};
    for (int i = 0; i < 2; i++) {
        mst_value root = mst_root(documents[i]), sections = mst_member_in(&root, "sections"), one;
        for (mst_iterator it = mst_iterate(&sections); mst_next(&it, &one);)
            counts[i] += !mst_number_in(&one, "outside");
        type = mst_member_in(&root, "type");
        const uint8_t *digits = mst_bytes_in(&type, 4);
        for (int k = 0; k < 4 && i == 0; k++)
            stored = stored * 10 + (uint64_t)(digits[k] - '0');
    }
    if (counts[0] == counts[1] || stored != counts[0] || counts[1] > 9999)
        return;
    for (int k = 3; k >= 0; k--, counts[1] /= 10)
        bytes[type.offset + (uint64_t)k] = (uint8_t)('0' + counts[1] % 10);
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)variant;
    size_t length = name ? strlen(name) : 0;
    if (name && (mst_text_ends_in(name, length, ".bnd") || mst_text_ends_in(name, length, ".b16")))
        return true; /* the other containers were tried before */
    return size >= 16 && memcmp(bytes, "FORM", 4) == 0 && bytes[12] == 'F' && bytes[13] >= '0' &&
           bytes[13] <= '9';
}

const mst_format mst_format_alien_sprites = {
    .information = {.id = "alien-sprites",
                    .title = "Alien Trilogy sprites",
                    .extensions = ".bnd .b16",
                    .media_type = "",
                    .versions = "",
                    .rows = "sections"},
    .tables.root = &sprites,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.probe = probe,
    .files = {.count = 1, .parse = mst_alien_sprites_parse, .serialize = mst_alien_sprites_serialize},
    .fix_up = fix_up,
    .check.problem_codes = MST_ALIEN_PROBLEM_CODES("ALIEN-MAGIC", "ALIEN-GFX-SIZE"),
    .check.codes = &mst_alien_sprites_codes,
    .check.dangling = MST_DANGLING("ALIEN-GFX-COUNT"),
    .check.fixes = MST_FIXES({"ALIEN-GFX-COUNT", "sets it to the number of sections", NULL}),
    .check.check = mst_alien_sprites_check,
    .content.describe = mst_alien_sprites_describe,
    .images = &(const mst_images){.count = mst_alien_sprites_image_count,
                                  .read = mst_alien_sprites_image_read,
                                  .replace = mst_alien_sprites_image_replace,
                                  .colors = mst_alien_colors_of_sprites},
    .tables.introduction =
        "The monsters of Alien Trilogy (`NME`) and its weapons in the hand (`GFX`): `.BND` files, and `.B16` "
        "for 16-bit colour.\n",
    .tables.in_files =
        {"## In the file\n\n"
         "This section describes bytes; the tables after it describe the values that the program reads from "
         "them.\n\n"
         "`FORM`, u32 size of the remaining bytes, the type, and the sections: four letters, u32 size, the "
         "content. These numbers are big-endian.\n"
         "In `.B16` files, sections of colours follow after the end given by the size.\n\n"
         "A section of frames is a sequence of frames, each at a multiple of 4 of the section, with zeros "
         "before it. At such a\n"
         "place a packed frame begins if it can be unpacked, has at least 256 pixels and a multiple of 16, "
         "and zeros follow up to the\n"
         "next such place; from the first place without one, the rest of the section is not packed.\n\n"
         "A packed frame is a byte of flags, from the lowest bit on one for each of the next eight items, "
         "and so on: 0 is a literal\n"
         "byte; 1 is a copy of bytes unpacked before, which may overlap its own output. Its first byte c "
         "selects the form: from 60h on, 2 bytes\n"
         "from 256 - c before; below 50h, c / 16 + 3 bytes from c % 16 * 256 + the next byte before; from "
         "50h to 5Fh the same distance,\n"
         "and a third byte plus 8 is their number. A distance of 0 is the end: two zeros, and the remaining "
         "flags are 0.\n",
         "\n"
         "## Sizes of frames\n\n"
         "Widths, heights and pivots are in the game's program. mapstone knows these numbers for the full "
         "game's files, and\n"
         "uses them where the sizes of a section's frames fit an animation; else a frame has the width at "
         "which its rows resemble\n"
         "each other most, of those with both sides from 16 to 260 and multiples of 4. A changed frame "
         "should not be longer\n"
         "than it was: the game finds frames by their old places.\n"},
    .tables.sources =
        "Files of the game's demo and of two editions of its disc; the tables of the PC's program; a "
        "published description of the\npacking, corrected.\n",
};
