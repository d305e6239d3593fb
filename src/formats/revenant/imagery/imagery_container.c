/* SPDX-License-Identifier: MIT */
/* The container of pictures and models: its sizes, its header with states and walkmaps. */
#include "../../../core/diagnose.h"
#include "../../../tables/words.h"
#include "../revenant_words.h"
#include "imagery.h"

#define HEADER_START  8u  /* imagery_id and the number of states */
#define STATE_NAME    32u /* bytes */
#define STATE_NUMBERS 36u /* offset of the numbers after the walkmap's offset */
#define STATE_MAP     66u /* the size of the walkmap */

/* ---- opening ------------------------------------------------------------------------------------- */

mst_status mst_imagery_damaged(const mst_imagery *imagery, const char *code, const uint8_t *at,
                               uint64_t length, const char *message, mst_diagnostic *diagnostic) {
    return mst_damaged(diagnostic, code, (uint64_t)(at - imagery->bytes), length, message);
}

static bool is_named(const char *name, const char *extension) {
    size_t length = name ? strlen(name) : 0;
    return length >= 4 && is_word(name + length - 4, 4, extension);
}

bool mst_imagery_probe(const uint8_t *bytes, size_t size, const char *name, bool model) {
    if (size < 4 || memcmp(bytes, "CGSR", 4) != 0)
        return is_named(name, model ? ".i3d" : ".i2d");
    if (size < MST_IMAGERY_PREFIX + HEADER_START || mst_load32(bytes + 16, false) < HEADER_START)
        return model == is_named(name, ".i3d");
    uint32_t kind = mst_load32(bytes + MST_IMAGERY_PREFIX, false);
    return model == (kind == MST_IMAGERY_MODEL || kind == MST_IMAGERY_HELPER);
}

static mst_status open_sizes(const mst_file_view *file, mst_imagery *imagery, mst_diagnostic *diagnostic) {
    const uint8_t *bytes = file->data;
    *imagery = (mst_imagery){.bytes = bytes};
    if (file->size < MST_IMAGERY_PREFIX)
        return mst_damaged(diagnostic, "REV-IMAGE-HEADER", 0, file->size,
                           "the file is shorter than 20 bytes: copy it from the game again");
    if (memcmp(bytes, "CGSR", 4) != 0)
        return mst_damaged(diagnostic, "REV-IMAGE-MAGIC", 0, 4,
                           "the file does not begin with CGSR: it is neither a picture nor a model");
    if (bytes[6])
        return mst_damaged(diagnostic, "REV-IMAGE-COMPRESSED", 6, 1,
                           "the whole file is compressed by an unknown method: only copy it unchanged");
    if (bytes[7] != 1)
        return mst_damaged(diagnostic, "REV-IMAGE-VERSION", 7, 1,
                           "the version is not 1, the only one that is known");
    imagery->bitmap_count = mst_load16(bytes + 4, false);
    imagery->data_size = mst_load32(bytes + 8, false);
    imagery->header_size = mst_load32(bytes + 16, false);
    uint64_t data = MST_IMAGERY_PREFIX + (uint64_t)imagery->header_size + 4 * (uint64_t)imagery->bitmap_count;
    if (!mst_fits(data, imagery->data_size, file->size))
        return mst_damaged(diagnostic, "REV-IMAGE-OVERRUN", 8, 12,
                           "the header, the table and the data are larger than the file");
    imagery->header = bytes + MST_IMAGERY_PREFIX;
    imagery->table = imagery->header + imagery->header_size;
    imagery->data = bytes + data;
    imagery->trailing = imagery->data + imagery->data_size;
    imagery->trailing_size = file->size - data - imagery->data_size;
    return MST_OK;
}

mst_status mst_imagery_open(const mst_file_view *file, mst_imagery *imagery, mst_diagnostic *diagnostic) {
    mst_status status = open_sizes(file, imagery, diagnostic);
    if (status != MST_OK)
        return status;
    if (imagery->header_size < HEADER_START)
        return mst_damaged(diagnostic, "REV-IMAGE-HEADER", 16, 4,
                           "the header is shorter than 8 bytes: copy the file from the game again");
    imagery->state_count = mst_load32(imagery->header + 4, false);
    if (imagery->state_count > (imagery->header_size - HEADER_START) / MST_IMAGERY_STATE)
        return mst_imagery_damaged(imagery, "REV-IMAGE-STATES", imagery->header + 4, 4,
                                   "the header is too short for its states", diagnostic);
    return MST_OK;
}

uint32_t mst_imagery_target(const uint8_t *section, uint32_t size, uint32_t at) {
    uint32_t value = mst_load32(section + at, false), target = at + value;
    return !value ? MST_IMAGERY_NONE : target < size ? target : size;
}

/* ---- bytes between parts ------------------------------------------------------------------------- */

static bool is_usual(const uint8_t *section, uint32_t from, uint32_t to) {
    if (to - from != (4 - from % 4) % 4)
        return false;
    while (from < to && !section[from])
        from++;
    return from == to;
}

void mst_imagery_put_fill(mst_parsed_writer *w, const uint8_t *section, uint32_t from, uint32_t to) {
    bool usual = is_usual(section, from, to);
    mst_parsed_number(w, !usual, 1);
    if (usual)
        mst_parsed_note(w, "padding", MST_BYTES_PADDING, section + from, to - from);
    else
        mst_parsed_counted(w, section + from, to - from);
}

void mst_imagery_take_fill(mst_parsed_reader *r, mst_parsed_writer *section) {
    uint32_t size;
    if (!mst_parsed_read(r, 1)) {
        mst_parsed_zeros(section, (4 - section->to->size % 4) % 4);
        return;
    }
    const uint8_t *bytes = mst_parsed_read_counted(r, &size);
    mst_parsed_put(section, bytes, size);
}

bool mst_imagery_skip_fill(mst_parsed_reader *r) {
    uint32_t size = 0;
    if (mst_parsed_read(r, 1))
        mst_parsed_read_counted(r, &size);
    return size != 0;
}

/* ---- states -------------------------------------------------------------------------------------- */

/* The number of cells of a state's walkmap; `numbers` are the state's numbers, as stored. */
static uint32_t map_size(const uint8_t *numbers) {
    int16_t width = (int16_t)mst_load16(numbers + STATE_MAP - STATE_NUMBERS, false);
    int16_t length = (int16_t)mst_load16(numbers + STATE_MAP - STATE_NUMBERS + 2, false);
    return width > 0 && length > 0 ? (uint32_t)width * (uint32_t)length : 0;
}

/* Writes the name up to its NUL; then the bytes after it, unless they are all zeros. */
static void put_name(mst_parsed_writer *w, const uint8_t *name) {
    const uint8_t *nul = memchr(name, 0, STATE_NAME);
    size_t length = nul ? (size_t)(nul - name) : STATE_NAME, rest = STATE_NAME;
    while (rest > length && !name[rest - 1])
        rest--;
    mst_parsed_bytes(w, name, length);
    mst_parsed_zeros(w, STATE_NAME - length);
    bool more = rest > length;
    mst_parsed_counted(w, name + length + more, more ? STATE_NAME - length - 1 : 0);
}

void mst_imagery_put_beginning(mst_parsed_writer *w, const mst_imagery *imagery) {
    mst_parsed_bytes(w, imagery->bytes, 4);
    mst_parsed_note(w, "bitmap_count", MST_BYTES_DERIVED, imagery->bytes + 4, 2);
    mst_parsed_note(w, "compression", MST_BYTES_DERIVED, imagery->bytes + 6, 1);
    mst_parsed_bytes(w, imagery->bytes + 7, 1);
    mst_parsed_note(w, "data_size", MST_BYTES_DERIVED, imagery->bytes + 8, 4);
    mst_parsed_from(w, mst_load32(imagery->bytes + 12, false) - imagery->data_size, 4, imagery->bytes + 12,
                    4);
    mst_parsed_note(w, "header_size", MST_BYTES_DERIVED, imagery->bytes + 16, 4);
    mst_parsed_bytes(w, imagery->header, 4);
}

void mst_imagery_put_state(mst_parsed_writer *w, const mst_imagery *imagery, uint32_t index, uint32_t *end) {
    uint32_t at = HEADER_START + MST_IMAGERY_STATE * index;
    const uint8_t *state = imagery->header + at;
    uint32_t size = map_size(state + STATE_NUMBERS);
    uint32_t target = mst_imagery_target(imagery->header, imagery->header_size, at + STATE_NAME);
    bool fits = size && target != MST_IMAGERY_NONE && mst_fits(*end, size, imagery->header_size);
    bool astray = target != MST_IMAGERY_NONE && (!fits || target != *end);
    put_name(w, state);
    mst_parsed_bytes(w, state + STATE_NUMBERS, MST_IMAGERY_STATE - STATE_NUMBERS);
    mst_parsed_counted(w, imagery->header + *end, fits ? size : 0);
    mst_parsed_number(w, astray, 1);
    if (astray)
        mst_parsed_bytes(w, state + STATE_NAME, 4);
    else
        mst_parsed_note(w, "walkmap_offset", MST_BYTES_DERIVED, state + STATE_NAME, 4);
    *end += fits ? size : 0;
}

mst_status mst_imagery_take_state(mst_parsed_reader *r, uint32_t index, uint32_t count,
                                  mst_parsed_writer *states, mst_parsed_writer *walkmaps,
                                  mst_diagnostic *diagnostic) {
    static const uint8_t none[MST_IMAGERY_STATE];
    uint8_t name[STATE_NAME];
    uint32_t rest_size, size;
    const uint8_t *given = mst_parsed_take(r, STATE_NAME), *rest = mst_parsed_read_counted(r, &rest_size);
    const uint8_t *numbers = mst_parsed_take(r, MST_IMAGERY_STATE - STATE_NUMBERS);
    const uint8_t *map = mst_parsed_read_counted(r, &size);
    bool astray = mst_parsed_read(r, 1) != 0;
    const uint8_t *offset = astray ? mst_parsed_take(r, 4) : none;
    if (MST_UNREACHABLE(r->failed)) /* mst_imagery_skip_state has checked it */
        return mst_fail(diagnostic, MST_REFUSED, "a state is incomplete");
    if (rest_size >= STATE_NAME)
        return mst_fail(diagnostic, MST_REFUSED, "name_rest must be shorter than 32 bytes");
    if (size && size != map_size(numbers)) {
        mst_fail(diagnostic, MST_REFUSED, "the walkmap does not have the size that its state gives");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%u cells: walkmap_width times walkmap_length", map_size(numbers));
            MST_SET(diagnostic->found, "%u", size);
        }
        return MST_REFUSED;
    }
    memcpy(name, given, STATE_NAME);
    const uint8_t *nul = memchr(name, 0, STATE_NAME);
    for (uint32_t i = 0; nul && i < rest_size; i++) {
        uint8_t *to = name + STATE_NAME - rest_size + i;
        if (to > nul)
            *to = rest[i];
    }
    uint64_t field = HEADER_START + (uint64_t)MST_IMAGERY_STATE * index + STATE_NAME;
    uint64_t target = HEADER_START + (uint64_t)MST_IMAGERY_STATE * count + walkmaps->to->size;
    mst_parsed_put(states, name, STATE_NAME);
    if (astray)
        mst_parsed_put(states, offset, 4);
    else
        mst_imagery_put(states, size ? (uint32_t)(target - field) : 0);
    mst_parsed_put(states, numbers, MST_IMAGERY_STATE - STATE_NUMBERS);
    mst_parsed_put(walkmaps, map, size);
    return MST_OK;
}

void mst_imagery_skip_state(mst_parsed_reader *r) {
    uint32_t size;
    mst_parsed_take(r, STATE_NAME);
    mst_parsed_read_counted(r, &size);
    mst_parsed_take(r, MST_IMAGERY_STATE - STATE_NUMBERS);
    mst_parsed_read_counted(r, &size);
    if (mst_parsed_read(r, 1))
        mst_parsed_take(r, 4);
}
