/* SPDX-License-Identifier: MIT */
/* Shared by the checks of a level: findings by path, and checks of archives, blocks and texts. */
#include "check_blocks.h"
#include <stdio.h>

/* ---- findings ----------------------------------------------------------------------------------- */

mst_diagnostic *mst_turok_finding(const mst_turok_level *level, uint64_t offset, uint64_t length,
                                  const mst_turok_path *path) {
    mst_diagnostic *finding = mst_finding(level->checker, offset, length);
    size_t written = 0;
    for (size_t i = 0; i < MST_COUNT_OF(path->steps); i++)
        written = mst_path_step(finding->path, sizeof finding->path, written, path->steps[i].name,
                                path->steps[i].name ? path->steps[i].index : MST_TUROK_NONE);
    return finding;
}

mst_status mst_turok_report(const mst_turok_level *level, const char *code, uint64_t offset, uint64_t length,
                            const mst_turok_path *path, const char *expected, const char *found) {
    mst_diagnostic *finding = mst_turok_finding(level, offset, length, path);
    if (expected)
        MST_SET(finding->expected, "%s", expected);
    if (found)
        MST_SET(finding->found, "%s", found);
    return mst_checker_report(level->checker, code);
}

mst_status mst_turok_report_number(const mst_turok_level *level, const char *code, uint64_t offset,
                                   uint64_t length, const mst_turok_path *path, const char *expected,
                                   int64_t found) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)found);
    return mst_turok_report(level, code, offset, length, path, expected, text);
}

mst_turok_text mst_turok_real(double value) {
    mst_turok_text made;
    made.text[mst_write_f32(made.text, (float)value)] = 0;
    return made;
}

mst_status mst_turok_report_real(const mst_turok_level *level, const char *code, uint64_t offset,
                                 const mst_turok_path *path, const char *expected, double found) {
    mst_turok_text text = mst_turok_real(found);
    return mst_turok_report(level, code, offset, 4, path, expected, text.text);
}

/* ---- archives ----------------------------------------------------------------------------------- */

/* Padding is fewer than 8 zero bytes. */
static mst_status check_padding(const mst_turok_level *level, uint64_t start, uint64_t end,
                                const mst_turok_path *path) {
    if (start >= end)
        return MST_OK;
    if (end - start >= MST_BLOCK_ALIGN) {
        char found[40];
        snprintf(found, sizeof found, "%llu bytes", (unsigned long long)(end - start));
        MST_TUROK_TRY(
            mst_turok_report(level, "TUROK-GAP", start, end - start, path, "at most 7 bytes", found));
    }
    const uint8_t *bytes = level->document->data;
    for (uint64_t at = start; at < end; at++)
        if (bytes[at])
            return mst_turok_report_number(level, "TUROK-PADDING", at, 1, path, "0", bytes[at]);
    return MST_OK;
}

mst_status mst_turok_archive(const mst_turok_level *level, uint64_t offset, uint64_t end,
                             const mst_turok_path *path, mst_archive *archive) {
    *archive = mst_archive_at(level->document, offset, end);
    if (archive->count)
        return check_padding(level, offset + mst_archive_header(archive->count),
                             mst_archive_block(level->document, archive, 0), path);
    uint32_t stored = mst_archive_stored(level->document, archive, 0);
    return stored && level->information
               ? mst_turok_report_number(level, "TUROK-EMPTY-END", offset + 4, 4, path, "0", stored)
               : MST_OK;
}

mst_status mst_turok_block(const mst_turok_level *level, const mst_archive *archive, uint32_t index,
                           uint64_t end, const mst_turok_path *path) {
    uint64_t at = archive->base + 4 + 4 * (uint64_t)index;
    uint32_t offset = mst_archive_stored(level->document, archive, index);
    if (offset % MST_BLOCK_ALIGN)
        MST_TUROK_TRY(mst_turok_report_number(level, "TUROK-GAP", at, 4, path, "a multiple of 8", offset));
    return check_padding(level, end, mst_archive_block(level->document, archive, index + 1), path);
}

/* ---- texts -------------------------------------------------------------------------------------- */

static const char *const path_forms[] = {
    [MST_TUROK_SKY] = "skies/skyMaterials/*, lower case",
    [MST_TUROK_MODEL] = "models/*.bin, lower case",
    [MST_TUROK_ANIMATION] = "anims/*_anim.bin, lower case, or _morph",
};

/* Sets bit 7 of each byte that is at least `limit`, if all bytes of the word are below 0x80. */
#define ONES                  UINT64_C(0x0101010101010101)
#define AT_LEAST(word, limit) ((word) + (0x80 - (limit)) * ONES)

/* Nonzero if a byte is not printable ASCII, a capital letter or a backslash. */
static inline uint64_t odd_bytes(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return (word | ~AT_LEAST(word, 0x20) | AT_LEAST(word, 0x7F) |
            (AT_LEAST(word, 'A') & ~AT_LEAST(word, 'Z' + 1)) |
            (AT_LEAST(word, '\\') & ~AT_LEAST(word, '\\' + 1))) &
           0x80 * ONES;
}
static inline bool is_plain(const uint8_t *bytes, size_t length) {
    uint64_t odd = 0;
    if (length < 8) {
        uint8_t word[8] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
        memcpy(word, bytes, length);
        return !odd_bytes(word);
    }
    for (size_t i = 0; i < length - 8; i += 8)
        odd |= odd_bytes(bytes + i);
    return !(odd | odd_bytes(bytes + length - 8));
}

/* A macro, so that memcmp gets constant lengths: this runs for hundreds of thousands of texts. */
#define IS_LIKE(folder, ending)                                                                              \
    (length > sizeof folder + sizeof ending - 2 && memcmp(text, folder, sizeof folder - 1) == 0 &&           \
     memcmp(text + length - (sizeof ending - 1), ending, sizeof ending - 1) == 0 &&                          \
     is_plain(text + (sizeof folder - 1), length - (sizeof folder - 1)))

static inline bool is_like(const uint8_t *text, size_t length, mst_turok_path_kind kind) {
    if (!length)
        return true;
    switch (kind) {
    case MST_TUROK_SKY: return IS_LIKE("skies/skyMaterials/", "");
    case MST_TUROK_MODEL: return IS_LIKE("models/", ".bin");
    case MST_TUROK_ANIMATION: break;
    }
    return (length == 6 && memcmp(text, "_morph", 6) == 0) || IS_LIKE("anims/", "_anim.bin");
}

bool mst_turok_is_canonical(const mst_turok_level *level, const mst_archive *archive, uint32_t index,
                            mst_turok_path_kind kind) {
    const uint8_t *data = level->document->data;
    uint64_t at = mst_archive_block(level->document, archive, index),
             next = mst_archive_block(level->document, archive, index + 1);
    mst_data_set text;
    uint64_t end = mst_data_set_at(level->document, at, 0, &text), padding = next - end;
    if (text.count != 1 || text.stride < 2 || (at - archive->base) % MST_BLOCK_ALIGN ||
        padding >= MST_BLOCK_ALIGN || data[end - 1])
        return false;
    for (; end < next; end++)
        if (data[end])
            return false;
    return is_like(text.data, text.stride - 1, kind);
}

/* The beginning of a text, with bytes other than printable ASCII escaped. */
static void show(const uint8_t *text, size_t length, char *shown, size_t capacity) {
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;
    for (size_t i = 0; i < length && n + 5 < capacity; i++) {
        bool printable = text[i] >= 0x20 && text[i] < 0x7F;
        shown[n++] = printable ? (char)text[i] : '\\';
        if (!printable) {
            shown[n++] = 'x';
            shown[n++] = digits[text[i] >> 4];
            shown[n++] = digits[text[i] & 15];
        }
    }
    shown[n] = 0;
}

mst_status mst_turok_string(const mst_turok_level *level, uint64_t offset, mst_turok_path_kind kind,
                            const mst_turok_path *path, uint64_t *length, uint64_t *end) {
    mst_data_set list;
    *end = mst_data_set_at(level->document, offset, 0, &list);
    size_t size = list.count ? list.stride : 0;
    if (size && !list.data[size - 1] && is_like(list.data, size - 1, kind)) { /* without a NUL inside */
        if (length)
            *length = size - 1;
        return MST_OK;
    }
    const uint8_t *nul = size ? memchr(list.data, 0, size) : NULL;
    size_t text = nul ? (size_t)(nul - list.data) : size;
    if (length)
        *length = text;
    if (!list.count)
        return level->information
                   ? mst_turok_report(level, "TUROK-STRING-ABSENT", offset, 8, path, NULL, NULL)
                   : MST_OK;
    if (text + 1 != size)
        MST_TUROK_TRY(mst_turok_report(level, "TUROK-STRING-NUL", list.offset, size, path,
                                       "one NUL, at the end", nul ? "one before the end" : "none"));
    if (is_like(list.data, text, kind))
        return MST_OK;
    char found[80];
    show(list.data, text, found, sizeof found);
    return mst_turok_report(level, "TUROK-PATH", list.offset, text, path, path_forms[kind], found);
}
