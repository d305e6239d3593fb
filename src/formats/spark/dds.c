/* SPDX-License-Identifier: MIT */
/*
 * Textures (.dds). Parsed, they are the header as stored, a list of levels and the bytes after them. The
 * header determines how long each level is, so that edits of either that do not fit the other are refused.
 */
#include "dds.h"
#include "../../check/finding.h"
#include "../../tables/words.h"
#include "../present.h"

#define RECORDS(X) X(texture) X(pixel_format) X(extension) X(mip_level)
enum { RECORDS(RECORD_INDEX) };

#define LITTLE MST_FIELD_LITTLE
#define WORD   .kind = MST_KIND_U32, .flags = LITTLE

static const mst_enum_name header_flags[] = {{0, "capabilities"}, {1, "height"},        {2, "width"},
                                             {3, "pitch"},        {12, "pixel_format"}, {17, "level_count"},
                                             {19, "linear_size"}, {23, "depth"}};
static const mst_enum_name pixel_flags[] = {{0, "alpha_pixels"}, {1, "alpha"}, {2, "four_cc"},
                                            {6, "rgb"},          {9, "yuv"},   {17, "luminance"},
                                            {31, "normal"}};
static const mst_enum_name capability_flags[] = {{3, "complex"}, {12, "texture"}, {22, "mipmap"}};
static const mst_enum_name capability_2_flags[] = {{9, "cubemap"},     {10, "positive_x"}, {11, "negative_x"},
                                                   {12, "positive_y"}, {13, "negative_y"}, {14, "positive_z"},
                                                   {15, "negative_z"}, {21, "volume"}};

static const mst_field pixel_format_fields[] = {
    {.name = "size", WORD, .doc = "Size of the pixel format in bytes.", .range = "32"},
    {.name = "flags",
     .kind = MST_KIND_U32,
     .flags = LITTLE | MST_FIELD_FLAGS,
     NAMES(pixel_flags),
     .doc =
         "Which of the following fields count: four_cc, or the bits and masks. `normal` marks a normal map; "
         "only one maker of textures sets it."},
    {.name = "four_cc",
     .kind = MST_KIND_CHAR8,
     FIXED(4),
     .doc = "The packing, if the flag four_cc is set; else not used.",
     .range = "DXT1, DXT3 or DXT5; DX10 means that there is an extension"},
    {.name = "bits", WORD, .unit = "bits", .doc = "Bits of a pixel that is not packed.", .range = "24 or 32"},
    {.name = "red_mask", WORD, .doc = "Bits of red in a pixel that is not packed.", .range = "0xFF0000"},
    {.name = "green_mask", WORD, .doc = "Bits of green in a pixel that is not packed.", .range = "0xFF00"},
    {.name = "blue_mask", WORD, .doc = "Bits of blue in a pixel that is not packed.", .range = "0xFF"},
    {.name = "alpha_mask",
     WORD,
     .doc = "Bits of alpha in a pixel that is not packed.",
     .range = "0xFF000000 with 32 bits"},
};
RECORD(pixel_format, "pixel_format", "how a pixel is stored");

static const mst_enum_name dxgi_formats[] = {{1, "R32G32B32A32_TYPELESS"},
                                             {2, "R32G32B32A32_FLOAT"},
                                             {3, "R32G32B32A32_UINT"},
                                             {4, "R32G32B32A32_SINT"},
                                             {5, "R32G32B32_TYPELESS"},
                                             {6, "R32G32B32_FLOAT"},
                                             {7, "R32G32B32_UINT"},
                                             {8, "R32G32B32_SINT"},
                                             {9, "R16G16B16A16_TYPELESS"},
                                             {10, "R16G16B16A16_FLOAT"},
                                             {11, "R16G16B16A16_UNORM"},
                                             {12, "R16G16B16A16_UINT"},
                                             {13, "R16G16B16A16_SNORM"},
                                             {14, "R16G16B16A16_SINT"},
                                             {15, "R32G32_TYPELESS"},
                                             {16, "R32G32_FLOAT"},
                                             {17, "R32G32_UINT"},
                                             {18, "R32G32_SINT"},
                                             {19, "R32G8X24_TYPELESS"},
                                             {20, "D32_FLOAT_S8X24_UINT"},
                                             {21, "R32_FLOAT_X8X24_TYPELESS"},
                                             {22, "X32_TYPELESS_G8X24_UINT"},
                                             {23, "R10G10B10A2_TYPELESS"},
                                             {24, "R10G10B10A2_UNORM"},
                                             {25, "R10G10B10A2_UINT"},
                                             {26, "R11G11B10_FLOAT"},
                                             {27, "R8G8B8A8_TYPELESS"},
                                             {28, "R8G8B8A8_UNORM"},
                                             {29, "R8G8B8A8_UNORM_SRGB"},
                                             {30, "R8G8B8A8_UINT"},
                                             {31, "R8G8B8A8_SNORM"},
                                             {32, "R8G8B8A8_SINT"},
                                             {33, "R16G16_TYPELESS"},
                                             {34, "R16G16_FLOAT"},
                                             {35, "R16G16_UNORM"},
                                             {36, "R16G16_UINT"},
                                             {37, "R16G16_SNORM"},
                                             {38, "R16G16_SINT"},
                                             {39, "R32_TYPELESS"},
                                             {40, "D32_FLOAT"},
                                             {41, "R32_FLOAT"},
                                             {42, "R32_UINT"},
                                             {43, "R32_SINT"},
                                             {44, "R24G8_TYPELESS"},
                                             {45, "D24_UNORM_S8_UINT"},
                                             {46, "R24_UNORM_X8_TYPELESS"},
                                             {47, "X24_TYPELESS_G8_UINT"},
                                             {48, "R8G8_TYPELESS"},
                                             {49, "R8G8_UNORM"},
                                             {50, "R8G8_UINT"},
                                             {51, "R8G8_SNORM"},
                                             {52, "R8G8_SINT"},
                                             {53, "R16_TYPELESS"},
                                             {54, "R16_FLOAT"},
                                             {55, "D16_UNORM"},
                                             {56, "R16_UNORM"},
                                             {57, "R16_UINT"},
                                             {58, "R16_SNORM"},
                                             {59, "R16_SINT"},
                                             {60, "R8_TYPELESS"},
                                             {61, "R8_UNORM"},
                                             {62, "R8_UINT"},
                                             {63, "R8_SNORM"},
                                             {64, "R8_SINT"},
                                             {65, "A8_UNORM"},
                                             {66, "R1_UNORM"},
                                             {67, "R9G9B9E5_SHAREDEXP"},
                                             {68, "R8G8_B8G8_UNORM"},
                                             {69, "G8R8_G8B8_UNORM"},
                                             {70, "BC1_TYPELESS"},
                                             {71, "BC1_UNORM"},
                                             {72, "BC1_UNORM_SRGB"},
                                             {73, "BC2_TYPELESS"},
                                             {74, "BC2_UNORM"},
                                             {75, "BC2_UNORM_SRGB"},
                                             {76, "BC3_TYPELESS"},
                                             {77, "BC3_UNORM"},
                                             {78, "BC3_UNORM_SRGB"},
                                             {79, "BC4_TYPELESS"},
                                             {80, "BC4_UNORM"},
                                             {81, "BC4_SNORM"},
                                             {82, "BC5_TYPELESS"},
                                             {83, "BC5_UNORM"},
                                             {84, "BC5_SNORM"},
                                             {85, "B5G6R5_UNORM"},
                                             {86, "B5G5R5A1_UNORM"},
                                             {87, "B8G8R8A8_UNORM"},
                                             {88, "B8G8R8X8_UNORM"},
                                             {89, "R10G10B10_XR_BIAS_A2_UNORM"},
                                             {90, "B8G8R8A8_TYPELESS"},
                                             {91, "B8G8R8A8_UNORM_SRGB"},
                                             {92, "B8G8R8X8_TYPELESS"},
                                             {93, "B8G8R8X8_UNORM_SRGB"},
                                             {94, "BC6H_TYPELESS"},
                                             {95, "BC6H_UF16"},
                                             {96, "BC6H_SF16"},
                                             {97, "BC7_TYPELESS"},
                                             {98, "BC7_UNORM"},
                                             {99, "BC7_UNORM_SRGB"}};
static const mst_enum_name dimensions[] = {{2, "1d"}, {3, "2d"}, {4, "3d"}};
static const mst_enum_name extension_flags[] = {{2, "cubemap"}};

static const mst_field extension_fields[] = {
    {.name = "dxgi_format",
     .kind = MST_KIND_U32,
     .flags = LITTLE,
     NAMES(dxgi_formats),
     .doc = "How pixels are stored, as Direct3D counts it. Read are 70 to 78 (BC1, BC2 and BC3: as DXT1, "
            "DXT3 and DXT5) and "
            "87, 90 and 91 (blue, green, red and alpha)."},
    {.name = "dimension",
     .kind = MST_KIND_U32,
     .flags = LITTLE,
     NAMES(dimensions),
     .doc = "Only 2d is read."},
    {.name = "flags",
     .kind = MST_KIND_U32,
     .flags = LITTLE | MST_FIELD_FLAGS,
     NAMES(extension_flags),
     .doc = "Cubemaps are not read."},
    {.name = "array_size", WORD, .doc = "Number of textures in the file. Arrays of several are not read."},
    {.name = "alpha_mode",
     WORD,
     .doc = "The meaning of alpha: 0 not stated, 1 not multiplied, 2 multiplied, 3 opaque, 4 other."},
};
RECORD(extension, "extension", "more of the header");

static const mst_field mip_level_fields[] = {{.name = "pixels",
                                              BYTES,
                                              .flags = MST_FIELD_CONTENT,
                                              .doc =
                                                  "Blocks of 4 x 4 pixels, or pixels as blue, green, red and "
                                                  "(of 32 bits) alpha, from the top left, row by row."}};
RECORD(mip_level, "level", "a mip level", .is_inline = true);

static const mst_field texture_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "DDS "},
    {.name = "header_size", WORD, .doc = "Size of the header after the magic number.", .range = "124"},
    {.name = "flags",
     .kind = MST_KIND_U32,
     .flags = LITTLE | MST_FIELD_FLAGS,
     NAMES(header_flags),
     .doc = "Which fields of the header the maker has filled in. Readers need not rely on it."},
    {.name = "height", WORD, .unit = "pixels", .doc = "Rows of the largest level.", .range = "1..16384"},
    {.name = "width", WORD, .unit = "pixels", .doc = "Columns of the largest level.", .range = "1..16384"},
    {.name = "pitch_or_size",
     WORD,
     .unit = "bytes",
     .doc = "Bytes of a row, or of the largest level if that is packed. Readers need not rely on it."},
    {.name = "depth", WORD, .doc = "Slices of a volume; not used by textures of the game."},
    {.name = "level_count",
     WORD,
     .doc = "Number of mip levels; 0 means 1. Each has half the width and height of the one before, rounded "
            "down, at least 1.",
     .range = "0..15"},
    {.name = "maker",
     .kind = MST_KIND_RAW,
     FIXED(44),
     .flags = MST_FIELD_CONTENT,
     .doc = "Not used by the format. Some programs leave their name there: NVTT, UVER, GIMP-DDS."},
    {.name = "pixel_format",
     .kind = MST_KIND_RECORD,
     .record = &pixel_format,
     .doc = "How pixels are stored."},
    {.name = "capabilities",
     .kind = MST_KIND_U32,
     .flags = LITTLE | MST_FIELD_FLAGS,
     NAMES(capability_flags),
     .doc = "The kind of the file: a texture, with mip levels. Readers need not rely on it."},
    {.name = "capabilities_2",
     .kind = MST_KIND_U32,
     .flags = LITTLE | MST_FIELD_FLAGS,
     NAMES(capability_2_flags),
     .doc = "Sides of a cubemap, or a volume; 0 in textures of the game, and others are not read."},
    {.name = "capabilities_3", WORD, .doc = "Not used by the format."},
    {.name = "capabilities_4", WORD, .doc = "Not used by the format."},
    {.name = "reserved", WORD, .doc = "Not used by the format."},
    {.name = "extension",
     LIST(extension),
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "With the packing DX10, 20 more bytes of the header, as one element; else none."},
    {.name = "levels",
     LIST(mip_level),
     .doc = "The mip levels, the largest first. In the file they follow each other without sizes, which "
            "width, height and pixel format determine."},
    {.name = "trailing",
     BYTES,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the last level, up to the end of the file, without a stored size; no reader uses "
            "them. If the extension states a kind of pixels that is not supported, there are no levels, and "
            "these are all bytes."},
};
RECORD(texture, "texture", "a texture with its mip levels");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_code_information codes[] = {
    {"SPARK-DDS-MAGIC", MST_ERROR,
     "the file does not begin with DDS and a space: it is not a texture, or its beginning is lost"},
    {"SPARK-DDS-SIZE", MST_ERROR, "the file is shorter than the header"},
    {"SPARK-DDS-HEADER", MST_ERROR,
     "a size in the header is wrong, or a side of the texture is 0 or too large"},
    {"SPARK-DDS-FORMAT", MST_ERROR, "the pixel format does not occur in the game's textures"},
    {"SPARK-DDS-PIXELS", MST_WARNING,
     "the header's extension states a kind of pixels that is not supported: they are kept, but not shown"},
    {"SPARK-DDS-SHORT", MST_ERROR, "the file ends before the last mip level does"},
    {"SPARK-DDS-TRAILING", MST_WARNING, "bytes follow the last mip level; nothing reads them"},
    {"SPARK-DDS-BLOCK", MST_WARNING, "a side of a packed texture is not a multiple of 4"},
    {"SPARK-DDS-MIPS", MST_WARNING,
     "the texture has neither one mip level, nor a complete chain, nor one without the last level"},
};

/* ---- the header ---------------------------------------------------------------------------------- */

/* Offsets in the file. */
enum {
    HEADER_SIZE = 4,
    HEIGHT = 12,
    WIDTH = 16,
    LEVEL_COUNT = 28,
    FORMAT_SIZE = 76,
    FORMAT_FLAGS = 80,
    FOUR_CC = 84,
    BITS = 88,
    MASKS = 92, /* red, green, blue, alpha */
    CAPABILITIES_2 = 112
};
/* Offsets in the extension. */
enum { DXGI_FORMAT = 0, DIMENSION = 4, EXTENSION_FLAGS = 8, ARRAY_SIZE = 12 };
#define FLAT         3u /* the dimension of two axes */
#define FLAG_CUBEMAP 4u
#define FLAG_FOUR_CC 4u
#define NOT_FLAT     0x0020FE00u /* in capabilities_2: a cubemap, its sides, or a volume */

static uint32_t word(const uint8_t *bytes, unsigned offset) {
    return mst_load32(bytes + offset, false);
}

uint32_t mst_dds_side(uint32_t side, uint32_t level) {
    return side >> level ? side >> level : 1;
}

uint64_t mst_dds_level_size(const mst_dds_header *header, uint32_t level) {
    uint32_t width = mst_dds_side(header->width, level), height = mst_dds_side(header->height, level);
    if (header->kind == MST_DDS_UNREAD)
        return 0;
    if (mst_dds_is_packed(header->kind))
        return mst_dxt_size((mst_dxt)header->kind, width, height);
    return (uint64_t)width * height * (header->kind == MST_DDS_BGRA8 ? 4 : 3);
}

static bool is_extended(const uint8_t *bytes) {
    return word(bytes, FORMAT_FLAGS) & FLAG_FOUR_CC && memcmp(bytes + FOUR_CC, "DX10", 4) == 0;
}

static uint32_t kind_of_extension(const uint8_t *bytes, const uint8_t *more) {
    const uint32_t number = word(more, DXGI_FORMAT);
    if (word(bytes, CAPABILITIES_2) & NOT_FLAT || word(more, DIMENSION) != FLAT ||
        word(more, EXTENSION_FLAGS) & FLAG_CUBEMAP || word(more, ARRAY_SIZE) > 1)
        return MST_DDS_UNREAD;
    if (number >= 70 && number <= 78) /* three each: BC1, BC2, BC3 */
        return MST_DXT1 + (number - 70) / 3;
    return number == 87 || number == 90 || number == 91 ? MST_DDS_BGRA8 : MST_DDS_UNREAD;
}

static bool find_kind(const uint8_t *bytes, uint32_t *kind) {
    static const char names[] = "DXT1DXT3DXT5";
    if (word(bytes, CAPABILITIES_2) & NOT_FLAT)
        return false;
    if (word(bytes, FORMAT_FLAGS) & FLAG_FOUR_CC) {
        for (*kind = 0; *kind <= MST_DXT5; ++*kind)
            if (memcmp(bytes + FOUR_CC, names + 4 * (size_t)*kind, 4) == 0)
                return true;
        return false;
    }
    uint32_t bits = word(bytes, BITS);
    *kind = bits == 32 ? MST_DDS_BGRA8 : MST_DDS_BGR8;
    return word(bytes, MASKS) == 0xFF0000 && word(bytes, MASKS + 4) == 0xFF00 &&
           word(bytes, MASKS + 8) == 0xFF &&
           (bits == 24 || (bits == 32 && word(bytes, MASKS + 12) == 0xFF000000u));
}

static mst_status damaged(mst_diagnostic *diagnostic, const char *code, uint64_t offset, uint64_t length,
                          const char *path, const char *message) {
    mst_damaged(diagnostic, code, offset, length, message);
    if (diagnostic)
        MST_SET(diagnostic->path, "%s", path);
    return MST_DAMAGED;
}

/* A number of the header that has only one valid value, or must be within a range. */
static mst_status check_number(const uint8_t *bytes, unsigned offset, const char *path, uint32_t low,
                               uint32_t high, mst_diagnostic *diagnostic) {
    uint32_t number = word(bytes, offset);
    if (number >= low && number <= high)
        return MST_OK;
    damaged(diagnostic, "SPARK-DDS-HEADER", offset, 4, path, "the header does not belong to a texture");
    if (diagnostic) {
        MST_SET(diagnostic->found, "%u", number);
        if (low == high)
            MST_SET(diagnostic->expected, "%u", low);
        else
            MST_SET(diagnostic->expected, "%u..%u", low, high);
    }
    return MST_DAMAGED;
}

static mst_status too_short(uint64_t size, uint32_t least, mst_diagnostic *diagnostic) {
    damaged(diagnostic, "SPARK-DDS-SIZE", 0, size, "", "the file is shorter than the header");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "at least %u bytes", least);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)size);
    }
    return MST_DAMAGED;
}

/* The extension is present where `before` bytes follow the header: none in a file, its count in parsed
 * bytes. */
static mst_status read_header(const uint8_t *bytes, uint64_t size, uint32_t before, mst_dds_header *header,
                              mst_diagnostic *diagnostic) {
    if (size >= 4 && memcmp(bytes, "DDS ", 4) != 0)
        return damaged(diagnostic, "SPARK-DDS-MAGIC", 0, 4, "magic", "the file is not a texture");
    if (size < MST_DDS_HEADER)
        return too_short(size, MST_DDS_HEADER, diagnostic);
    mst_status status = check_number(bytes, HEADER_SIZE, "header_size", 124, 124, diagnostic);
    if (status == MST_OK)
        status = check_number(bytes, FORMAT_SIZE, "pixel_format.size", 32, 32, diagnostic);
    if (status == MST_OK)
        status = check_number(bytes, WIDTH, "width", 1, MST_DDS_MAX_SIDE, diagnostic);
    if (status == MST_OK)
        status = check_number(bytes, HEIGHT, "height", 1, MST_DDS_MAX_SIDE, diagnostic);
    if (status != MST_OK)
        return status;
    const bool extended = is_extended(bytes);
    header->size = MST_DDS_HEADER + (extended ? MST_DDS_EXTENSION : 0);
    if (size < (uint64_t)before + header->size)
        return too_short(size, header->size, diagnostic);
    if (extended) {
        header->kind = kind_of_extension(bytes, bytes + MST_DDS_HEADER + before);
    } else if (!find_kind(bytes, &header->kind)) {
        damaged(diagnostic, "SPARK-DDS-FORMAT", FORMAT_FLAGS, 28, "pixel_format",
                "the pixel format is not supported");
        if (diagnostic)
            MST_SET(diagnostic->expected, "DXT1, DXT3, DXT5, or blue, green, red (and alpha) of 8 bits each");
        return MST_DAMAGED;
    }
    header->width = word(bytes, WIDTH);
    header->height = word(bytes, HEIGHT);
    uint32_t count = word(bytes, LEVEL_COUNT), side = header->width | header->height;
    for (header->complete = 1; side >> header->complete;)
        header->complete++;
    header->levels = count < 1 ? 1 : count < header->complete ? count : header->complete;
    if (header->kind == MST_DDS_UNREAD)
        header->levels = 0;
    return MST_OK;
}

mst_status mst_dds_read_header(const uint8_t *bytes, uint64_t size, mst_dds_header *header,
                               mst_diagnostic *diagnostic) {
    const mst_status status = read_header(bytes, size, 0, header, diagnostic);
    if (status != MST_OK || header->kind != MST_DDS_UNREAD)
        return status;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this kind of pixels is not supported");
}

void mst_dds_header_of(const mst_document *document, mst_dds_header *header) {
    *header = (mst_dds_header){.width = 1, .height = 1, .kind = MST_DDS_UNREAD};
    read_header(document->data, document->size, 4, header, NULL); /* parsing has checked it */
}

mst_status mst_dds_unread(const mst_document *document, mst_diagnostic *diagnostic) {
    const mst_value root = mst_root(document);
    mst_value one = mst_member_in(&root, "extension"), number;
    one = mst_element_in(&one, 0);
    number = mst_member_in(&one, "dxgi_format");
    const char *name = mst_get_name(&number);
    const unsigned format = (unsigned)mst_number_in(&one, "dxgi_format");
    mst_fail(diagnostic, MST_UNSUPPORTED, "this kind of pixels is not supported");
    if (diagnostic) {
        MST_SET(diagnostic->path, "extension[0].dxgi_format");
        MST_SET(diagnostic->expected, "one texture of BC1, BC2, BC3 or B8G8R8A8");
        MST_SET(diagnostic->found, "%s%sDXGI format %u", name ? name : "", name ? ", " : "", format);
    }
    return MST_UNSUPPORTED;
}

/* ---- parsing and serializing --------------------------------------------------------------------- */

static mst_status parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                        mst_diagnostic *diagnostic) {
    const uint8_t *bytes = files[0].data;
    mst_dds_header header;
    (void)format;
    mst_status status = read_header(bytes, files[0].size, 0, &header, diagnostic);
    if (status != MST_OK)
        return status;
    uint64_t size = files[0].size, at = header.size;
    const uint32_t more = header.size - MST_DDS_HEADER;
    mst_parsed_bytes(w, bytes, MST_DDS_HEADER);
    mst_parsed_number(w, more != 0, 4);
    mst_parsed_bytes(w, bytes + MST_DDS_HEADER, more);
    mst_parsed_number(w, header.levels, 4);
    for (uint32_t level = 0; level < header.levels; level++) {
        uint64_t length = mst_dds_level_size(&header, level);
        if (!mst_fits(at, length, size)) {
            damaged(diagnostic, "SPARK-DDS-SHORT", at, size - at, "levels",
                    "the file ends within a mip level");
            if (diagnostic) {
                MST_SET(diagnostic->path, "levels[%u]", level);
                MST_SET(diagnostic->expected, "%llu bytes", (unsigned long long)length);
                MST_SET(diagnostic->found, "%llu", (unsigned long long)(size - at));
            }
            return MST_DAMAGED;
        }
        mst_parsed_counted(w, bytes + at, (size_t)length);
        at += length;
    }
    mst_parsed_counted(w, bytes + at, (size_t)(size - at));
    return w->status == MST_OK ? MST_OK
                               : mst_fail(diagnostic, w->status, "not enough memory for the texture");
}

static mst_status serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                            mst_diagnostic *diagnostic) {
    mst_parsed_reader parsed = {.data = bytes, .size = size};
    mst_parsed_writer w = {.to = &files[0], .limit = UINT64_MAX};
    mst_dds_header header;
    uint32_t length;
    (void)format;
    mst_status status = read_header(bytes, size, 4, &header, diagnostic);
    if (status != MST_OK) {
        if (diagnostic)
            diagnostic->status = MST_REFUSED;
        return MST_REFUSED;
    }
    const uint32_t more = header.size - MST_DDS_HEADER;
    mst_parsed_bytes(&w, mst_parsed_take(&parsed, MST_DDS_HEADER), MST_DDS_HEADER);
    if (mst_parsed_read(&parsed, 4) != (more != 0)) {
        mst_fail(diagnostic, MST_REFUSED,
                 "the header has an extension if its packing is DX10, and else none");
        if (diagnostic)
            MST_SET(diagnostic->path, "extension");
        return MST_REFUSED;
    }
    mst_parsed_bytes(&w, mst_parsed_take(&parsed, more), more);
    uint32_t count = mst_parsed_read(&parsed, 4);
    if (count != header.levels) {
        mst_fail(diagnostic, MST_REFUSED, "the number of levels is not the one in the header");
        if (diagnostic) {
            MST_SET(diagnostic->path, "levels");
            MST_SET(diagnostic->expected, "%u", header.levels);
            MST_SET(diagnostic->found, "%u", count);
        }
        return MST_REFUSED;
    }
    for (uint32_t level = 0; level <= count; level++) { /* and the bytes after the last one */
        const uint8_t *data = mst_parsed_read_counted(&parsed, &length);
        if (level < count && length != mst_dds_level_size(&header, level)) {
            mst_fail(diagnostic, MST_REFUSED,
                     "the level does not have the size that follows from the header");
            if (diagnostic) {
                MST_SET(diagnostic->path, "levels[%u]", level);
                MST_SET(diagnostic->expected, "%llu bytes",
                        (unsigned long long)mst_dds_level_size(&header, level));
                MST_SET(diagnostic->found, "%u", length);
            }
            return MST_REFUSED;
        }
        mst_parsed_bytes(&w, data, length);
    }
    return w.status == MST_OK ? MST_OK : mst_fail(diagnostic, w.status, "not enough memory for the texture");
}

/* ---- identifying and checking -------------------------------------------------------------------- */

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes, "DDS ", 4) == 0;
}

static mst_status report_unread(mst_checker *checker) {
    mst_diagnostic why;
    mst_value number;
    const mst_value root = mst_root(checker->document);
    mst_dds_unread(checker->document, &why);
    const mst_status status = mst_find(root, why.path, &number, NULL);
    if (MST_UNREACHABLE(status != MST_OK)) /* else the kind would not be unread */
        return status;
    mst_finding_of(checker, &number, "%s", why.path);
    return mst_report(checker, "SPARK-DDS-PIXELS", why.expected, "%s", why.found);
}

static mst_status check(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_value root = mst_root(document), value;
    mst_dds_header header;
    mst_dds_header_of(document, &header);
    mst_status status = MST_OK;
    if (header.kind == MST_DDS_UNREAD)
        return report_unread(checker);
    if (mst_dds_is_packed(header.kind) && (header.width % 4 || header.height % 4)) {
        value = mst_member_in(&root, header.width % 4 ? "width" : "height");
        mst_diagnostic *finding =
            mst_finding_of(checker, &value, "%s", header.width % 4 ? "width" : "height");
        MST_SET(finding->message, "blocks of 4 x 4 pixels run past the edge of the texture");
        status =
            mst_report(checker, "SPARK-DDS-BLOCK", "multiples of 4", "%u x %u", header.width, header.height);
        if (status != MST_OK)
            return status;
    }
    uint64_t count = mst_number_in(&root, "level_count");
    /* a chain without its last level, of 1 x 1 pixels, is valid as well */
    if (count > 1 && count != header.complete && count + 1 != header.complete) {
        value = mst_member_in(&root, "level_count");
        mst_diagnostic *finding = mst_finding_of(checker, &value, "level_count");
        MST_SET(finding->expected, "0, 1 or %u", header.complete);
        status = mst_report(checker, "SPARK-DDS-MIPS", NULL, "%llu", (unsigned long long)count);
        if (status != MST_OK)
            return status;
    }
    value = mst_member_in(&root, "trailing");
    const void *bytes;
    size_t length = 0;
    mst_get_bytes(&value, &bytes, &length);
    mst_finding_of(checker, &value, "trailing");
    return length ? mst_report(checker, "SPARK-DDS-TRAILING", "the end of the file", "%llu more byte%s",
                               (unsigned long long)length, length == 1 ? "" : "s")
                  : MST_OK;
}

const mst_format mst_format_dds = {
    .information = {.id = "dds",
                    .title = "DDS texture",
                    .extensions = ".dds",
                    .media_type = "image/vnd-ms.dds",
                    .versions = "",
                    .rows = "levels"},
    .tables.root = &texture,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.big = true,
    .identity.probe = probe,
    .files.count = 1,
    .files.parse = parse,
    .files.serialize = serialize,
    .check.problem_codes = {"SPARK-DDS-MAGIC", "SPARK-DDS-MAGIC", "SPARK-DDS-SIZE", "SPARK-DDS-SIZE",
                            "SPARK-DDS-SIZE", "SPARK-DDS-SIZE"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check,
    .images = &(const mst_images){.count = mst_dds_image_count,
                                  .read = mst_dds_image_read,
                                  .levels = mst_dds_image_levels,
                                  .replace = mst_dds_image_replace},
    .tables.introduction =
        "A texture of Natural Selection 2 and its mods: one image with mip levels. Little-endian.\n\n"
        "The header has 128 bytes: the fields of `texture` from `magic` to `reserved` in the order of the "
        "table, without\n"
        "gaps, with `pixel_format` at 76. With the packing DX10 the 20 bytes of `extension` follow. Then "
        "follow the levels, the largest first, without sizes. Three kinds are packed in\n"
        "blocks of 4 x 4 pixels, row by row from the top left; blocks at the edges are complete. In a block "
        "the pixels are also in\n"
        "rows, and the first one's bits are the lowest.\n\n"
        "- **DXT1**, 8 bytes a block: two colours a and b of 16 bits (red in the top five, green in six, "
        "blue in five), then two\n"
        "bits for each pixel: 0 is a, 1 is b. If a is larger as a number, 2 and 3 are (2a + b) / 3 and (a + "
        "2b) / 3; else 2 is\n"
        "(a + b) / 2, and 3 is transparent black. Before that, colours get eight bits: their upper bits are "
        "repeated below them.\n"
        "- **DXT3**, 16 bytes: four bits of alpha for each pixel, 15 is opaque; then a block of colours, "
        "always of four.\n"
        "- **DXT5**, 16 bytes: two alphas of 8 bits, three bits for each pixel, then a block of colours, "
        "always of four. If the\n"
        "first alpha is larger, indices 2 to 7 are six steps from it to the second; else 2 to 5 are four "
        "steps, 6 is 0, 7 is 255.\n\n"
        "Two are not packed: blue, green, red and alpha of 8 bits each, or without alpha. Rows are not "
        "padded.\n\n"
        "The first row is the top one, at v = 0. In a normal map red, green and blue are x, y and z; green "
        "points down the\n"
        "texture in most of them. The file does not state whether colours are sRGB; they look right as "
        "sRGB.\n",
    .tables.listed = MST_LISTED(
        {"texture", "extension", "refused: there is one where the packing is DX10", "spark-assets.md 5"},
        {"texture", "levels", "refused: the header determines their number", "spark-assets.md 5"}),
    .tables.sources =
        "- [Programming guide for DDS](https://learn.microsoft.com/en-us/windows/win32/direct3ddds/"
        "dx-graphics-dds-pguide), and measurements on 1581 textures of 28 public mods of Natural "
        "Selection 2.\n",
};
