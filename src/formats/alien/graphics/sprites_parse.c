/* SPDX-License-Identifier: MIT */
/* From a file of sprites to parsed bytes and back: sections, and the frames in them. */
#include "../../../core/diagnose.h"
#include "alien_sprites.h"

#define HEADER  12u /* FORM, the size, the type */
#define SECTION 8u  /* a section's name and size */

static bool is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

/* A letter and a number of three digits. */
static bool is_numbered(const uint8_t *name, char letter) {
    return name[0] == (uint8_t)letter && is_digit(name[1]) && is_digit(name[2]) && is_digit(name[3]);
}

/* ---- parsing ------------------------------------------------------------------------------------- */

/* The packed size of the frame that begins at `at` of a section; 0: none begins there. */
static size_t measure(const uint8_t *bytes, size_t at, size_t size) {
    mst_frame_lz_sizes sizes;
    if (!mst_frame_lz_measure(bytes + at, size - at, &sizes) || sizes.unpacked < MST_ALIEN_SPRITE_MIN ||
        sizes.unpacked % 16)
        return 0;
    for (size_t end = at + sizes.packed; end % 4 && end < size; end++)
        if (bytes[end])
            return 0;
    return sizes.packed;
}

static size_t padded(size_t end, size_t size) {
    size_t to = end + (4 - end % 4) % 4;
    return to < size ? to : size;
}

/* The beginning of the next frame: `at`, or after zeros that fill the place of a longer one. `size`: none. */
static size_t find_frame(const uint8_t *bytes, size_t at, size_t size, size_t *packed) {
    static const uint8_t zeros[4] = {0};
    *packed = at < size ? measure(bytes, at, size) : 0;
    if (*packed)
        return at;
    while (size - at > 4 && memcmp(bytes + at, zeros, 4) == 0)
        at += 4;
    *packed = at < size ? measure(bytes, at, size) : 0;
    return *packed ? at : size;
}

static void put_frames(mst_parsed_writer *w, const uint8_t *bytes, size_t size) {
    size_t counted = w->to->size, at = 0, packed;
    uint32_t count = 0;
    mst_parsed_number(w, 0, 4);
    for (size_t next; w->status == MST_OK && (next = find_frame(bytes, at, size, &packed)) < size; count++) {
        mst_parsed_from(w, (uint32_t)(next - at), 4, NULL, 0);
        mst_parsed_note(w, "unused", MST_BYTES_PADDING, bytes + at, next - at);
        mst_parsed_counted(w, bytes + next, packed);
        at = padded(next + packed, size);
        mst_parsed_note(w, "frame_padding", MST_BYTES_PADDING, bytes + next + packed, at - next - packed);
    }
    if (w->status == MST_OK)
        mst_store32(w->to->data + counted, count, true);
    /* the number of padding zeros missing after the last frame, because the section ends */
    mst_parsed_number(w, count && at == size ? (uint32_t)((4 - at % 4) % 4) : 0, 1);
    mst_parsed_counted(w, bytes + at, size - at);
}

/* Writes the section at `at`, which has been found to fit. */
static void put_section(mst_parsed_writer *w, const uint8_t *bytes, uint64_t at, bool outside) {
    uint32_t size = mst_load32(bytes + at + 4, true);
    const uint8_t *name = bytes + at, *content = name + SECTION;
    mst_parsed_bytes(w, name, 4);
    mst_parsed_note(w, "section_size", MST_BYTES_DERIVED, bytes + at + 4, 4);
    mst_parsed_number(w, outside, 1);
    if (size % 2)
        mst_parsed_bytes(w, content + size, 1);
    else
        mst_parsed_number(w, 0, 1);
    unsigned kind = is_numbered(name, 'F')                    ? MST_ALIEN_SPRITE_FRAMES
                    : is_numbered(name, 'C') && size % 2 == 0 ? MST_ALIEN_SPRITE_COLORS
                                                              : MST_ALIEN_SPRITE_BYTES;
    mst_parsed_number(w, kind, 1);
    if (kind == MST_ALIEN_SPRITE_FRAMES) {
        put_frames(w, content, size);
    } else if (kind == MST_ALIEN_SPRITE_COLORS) {
        mst_parsed_number(w, size / 2, 4);
        mst_parsed_bytes(w, content, size);
    } else {
        mst_parsed_counted(w, content, size);
    }
}

/* The end of the section at `at`, with its padding; 0: it does not end before `end`. */
static uint64_t section_end(const uint8_t *bytes, uint64_t at, uint64_t end) {
    if (!mst_fits(at, SECTION, end))
        return 0;
    uint64_t size = mst_load32(bytes + at + 4, true), after = at + SECTION + size + size % 2;
    return after <= end ? after : 0;
}

static bool is_printable(const uint8_t *name) {
    for (int i = 0; i < 4; i++)
        if (name[i] <= ' ' || name[i] > '~')
            return false;
    return true;
}

mst_status mst_alien_sprites_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                                   mst_diagnostic *diagnostic) {
    (void)format;
    const uint8_t *bytes = files[0].data;
    uint64_t size = files[0].size, at = HEADER, after;
    uint32_t count = 0;
    if (size < HEADER || memcmp(bytes, "FORM", 4) != 0)
        return mst_damaged(diagnostic, "ALIEN-MAGIC", 0, size < 4 ? size : 4,
                           "the file does not begin with FORM: copy it from the game again");
    uint64_t end = SECTION + (uint64_t)mst_load32(bytes + 4, true);
    if (end > size || end < HEADER)
        return mst_damaged(diagnostic, "ALIEN-GFX-SIZE", 4, 4,
                           "the file is shorter or longer than its size states: copy it from the game again");
    mst_parsed_bytes(w, bytes, 4);
    mst_parsed_note(w, "size", MST_BYTES_DERIVED, bytes + 4, 4);
    mst_parsed_bytes(w, bytes + 8, 4);
    size_t counted = w->to->size;
    mst_parsed_number(w, 0, 4);
    for (; at < end && w->status == MST_OK; at = after, count++) {
        after = section_end(bytes, at, end);
        if (!after)
            return mst_damaged(diagnostic, "ALIEN-GFX-SIZE", at, end - at,
                               "the file ends inside a section: copy it from the game again");
        put_section(w, bytes, at, false);
    }
    for (; (after = section_end(bytes, at, size)) != 0 && is_printable(bytes + at) && w->status == MST_OK;
         at = after, count++)
        put_section(w, bytes, at, true);
    if (w->status == MST_OK)
        mst_store32(w->to->data + counted, count, true);
    mst_parsed_bytes(w, bytes + at, (size_t)(size - at));
    if (w->status == MST_NO_MEMORY)
        mst_fail(diagnostic, w->status, "not enough memory for the sections");
    return w->status;
}

/* ---- serializing --------------------------------------------------------------------------------- */

static void take_frames(mst_parsed_reader *r, mst_parsed_writer *file) {
    uint32_t count = mst_parsed_read(r, 4), size;
    size_t start = file->to->size;
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t unused = mst_parsed_read(r, 4);
        const uint8_t *packed = mst_parsed_read_counted(r, &size);
        mst_parsed_zeros(file, (4 - (file->to->size - start) % 4) % 4);
        mst_parsed_zeros(file, r->failed ? 0 : unused);
        mst_parsed_put(file, packed, size);
    }
    uint32_t lacks = mst_parsed_read(r, 1), fill = (4 - (uint32_t)((file->to->size - start) % 4)) % 4;
    mst_parsed_zeros(file, lacks < fill ? fill - lacks : 0);
    const uint8_t *rest = mst_parsed_read_counted(r, &size);
    mst_parsed_put(file, rest, size);
}

/* Appends a section; false: its content is incomplete. */
static bool take_section(mst_parsed_reader *r, mst_parsed_writer *file, bool *outside) {
    uint32_t size;
    const uint8_t *name = mst_parsed_take(r, 4), *bytes;
    *outside = mst_parsed_read(r, 1) != 0;
    uint8_t padding = (uint8_t)mst_parsed_read(r, 1);
    uint32_t kind = mst_parsed_read(r, 1);
    if (r->failed)
        return false;
    mst_parsed_put(file, name, 4);
    size_t at = file->to->size;
    mst_parsed_zeros(file, 4);
    if (kind == MST_ALIEN_SPRITE_FRAMES) {
        take_frames(r, file);
    } else if (kind == MST_ALIEN_SPRITE_COLORS) {
        size = mst_parsed_read(r, 4);
        bytes = mst_parsed_take(r, 2 * (uint64_t)size);
        mst_parsed_put(file, bytes, bytes ? 2 * (size_t)size : 0);
    } else {
        bytes = mst_parsed_read_counted(r, &size);
        mst_parsed_put(file, bytes, size);
    }
    if (r->failed || file->status != MST_OK)
        return false;
    uint64_t length = file->to->size - at - 4;
    mst_store32(file->to->data + at, (uint32_t)length, true);
    if (length % 2)
        mst_parsed_put(file, &padding, 1);
    return length <= UINT32_MAX;
}

mst_status mst_alien_sprites_serialize(const mst_format *format, const uint8_t *bytes, size_t size,
                                       mst_buffer *files, mst_diagnostic *diagnostic) {
    (void)format;
    mst_parsed_reader r = {bytes, size, 0, false};
    mst_parsed_writer file = {.to = &files[0], .limit = UINT32_MAX};
    const uint8_t *magic = mst_parsed_take(&r, 4), *type = mst_parsed_take(&r, 4);
    uint32_t count = mst_parsed_read(&r, 4);
    bool outside = false, behind = false;
    size_t end = HEADER;
    if (r.failed)
        return mst_fail(diagnostic, MST_REFUSED, "the file's beginning is incomplete");
    mst_parsed_put(&file, magic, 4);
    mst_parsed_zeros(&file, 4);
    mst_parsed_put(&file, type, 4);
    for (uint32_t i = 0; i < count && file.status == MST_OK; i++) {
        behind = behind || outside;
        if (!take_section(&r, &file, &outside) && file.status == MST_OK)
            return mst_fail(diagnostic, MST_REFUSED, "a section is incomplete, or too large");
        if (behind && !outside)
            return mst_fail(diagnostic, MST_REFUSED,
                            "a section that the file's size covers follows one that it does not cover");
        end = outside ? end : file.to->size;
    }
    if (file.status == MST_OK)
        mst_store32(file.to->data + 4, (uint32_t)(end - SECTION), true);
    mst_parsed_put(&file, bytes + r.at, (size_t)(r.size - r.at));
    return file.status == MST_OK ? MST_OK
                                 : mst_fail(diagnostic, file.status,
                                            "the file would be larger than 4 GiB, or "
                                            "not enough memory for it");
}
