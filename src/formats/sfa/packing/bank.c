/* SPDX-License-Identifier: MIT */
/* Parsing and serializing banks. Sources: public notes on the game's files and code; tables of blocks and
 * textures from measurements and a survey of retail files. */
#include "bank.h"
#include "../../../core/arena.h"
#include "../../../core/diagnose.h"
#include "../../../core/lower_bound.h"
#include "../../../core/unreachable.h"
#include <stdlib.h>

#define PRESENT         0x10u /* blocks and voxel maps; in the upper eight bits of the table's word */
#define TEXTURE_PRESENT 0x80u
#define FRAMES          0x3Fu

static const mst_enum_name sum_names[] = {
    {MST_SFA_SUM_RIGHT, "right"}, {MST_SFA_SUM_WRONG, "wrong"}, {MST_SFA_SUM_NONE, "none"}};
const mst_enum mst_sfa_sums = {sum_names, MST_COUNT_OF(sum_names)};

static bool is_present(const mst_sfa_pair *pair, uint32_t word) {
    return (word >> 24 & (pair->textures ? TEXTURE_PRESENT : PRESENT)) != 0;
}
static uint64_t offset_of(const mst_sfa_pair *pair, uint32_t word) {
    return (uint64_t)(word & 0xFFFFFF) * (pair->textures ? 2 : 1);
}

/* Sum of the table's bytes before its end mark. It is written after the padding. */
static uint32_t sum_of(const uint8_t *table, uint32_t count) {
    uint32_t sum = 0;
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        sum += table[i];
    return sum;
}
static size_t sum_offset(uint32_t count) {
    return (4 * (size_t)count + 4 + 31) / 32 * 32;
}

mst_sfa_sum mst_sfa_table_sum(const uint8_t *table, size_t size, uint32_t count, uint32_t *stored,
                              uint32_t *right) {
    size_t at = sum_offset(count);
    *stored = 0;
    *right = sum_of(table, count);
    if (!mst_fits(at, 4, size))
        return MST_SFA_SUM_NONE;
    *stored = mst_load32(table + at, true);
    return *stored == *right ? MST_SFA_SUM_RIGHT : MST_SFA_SUM_WRONG;
}

/* ---- parsing ---------------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The entries' starting offsets in the table's units, ascending. An entry ends where the next one begins, or
 * at the end of the file. */
typedef struct starts {
    uint32_t *offsets;
    size_t count, capacity;
    mst_allocator allocator;
} starts;

static mst_status find_starts(const mst_sfa_pair *pair, const mst_file_view *files, uint32_t count,
                              const mst_allocator *allocator, starts *all) {
    *all = (starts){.allocator = mst_allocator_or_default(allocator), .capacity = (size_t)count + 1};
    all->offsets = all->allocator.resize(all->allocator.user, NULL, 0, all->capacity * sizeof *all->offsets);
    if (!all->offsets)
        return MST_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = mst_sfa_table_word(&files[1], i);
        if (is_present(pair, word))
            all->offsets[all->count++] = word & 0xFFFFFF;
    }
    qsort(all->offsets, all->count, sizeof *all->offsets, by_offset);
    return MST_OK;
}
static void free_starts(starts *all) {
    if (all->offsets)
        all->allocator.resize(all->allocator.user, all->offsets, all->capacity * sizeof *all->offsets, 0);
}

static uint64_t end_of_entry(const mst_sfa_pair *pair, const mst_file_view *files, const starts *all,
                             uint32_t word) {
    /* finds the first greater offset */
    MST_LOWER_BOUND(low, middle, all->count, all->offsets[middle] <= (word & 0xFFFFFF));
    uint64_t end = low < all->count ? offset_of(pair, all->offsets[low]) : files[0].size;
    return end < files[0].size ? end : files[0].size;
}

/* Whether the bytes begin with a valid list of frame offsets: one for each frame, then the end. */
static bool has_frame_offsets(const uint8_t *bytes, uint64_t size, uint32_t count) {
    uint64_t before = 4 * ((uint64_t)count + 1);
    if (before > size)
        return false;
    for (uint32_t i = 0; i <= count; i++) {
        uint64_t offset = mst_load32(bytes + 4 * (size_t)i, true);
        if (offset < before || offset > size || (i == 0 && offset != before))
            return false;
        before = offset;
    }
    return true;
}

static mst_status over_limit(mst_diagnostic *diagnostic, mst_status status) {
    return mst_fail(diagnostic, status, "the bank needs more memory than the limit allows");
}

static mst_status parse_present(const mst_sfa_pair *pair, const uint8_t *bytes, uint64_t size,
                                uint32_t frames, mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    bool several = pair->textures && frames > 1 && has_frame_offsets(bytes, size, frames);
    uint32_t count = several ? frames : 1;
    if (pair->textures)
        mst_parsed_number(w, count, 4);
    if (several)
        mst_parsed_note(w, "frame_offsets", MST_BYTES_DERIVED, bytes, 4 * ((uint64_t)count + 1));
    if (w->status != MST_OK)
        return over_limit(diagnostic, w->status);
    mst_status status = MST_OK;
    uint64_t end = size;
    for (uint32_t i = 0; i < count && status == MST_OK; i++) {
        uint64_t begin = several ? mst_load32(bytes + 4 * (size_t)i, true) : 0;
        end = several ? mst_load32(bytes + 4 * (size_t)i + 4, true) : size;
        if (MST_CHANGED(end > size || begin > end))
            begin = end = size;
        status =
            mst_sfa_entry_parse(bytes + begin, (size_t)(end - begin), pair->content, false, w, diagnostic);
    }
    if (status == MST_OK && size - end < 32)
        mst_parsed_note(w, "padding", MST_BYTES_PADDING, bytes + end, size - end);
    return status;
}

static mst_status bad_entry(const mst_sfa_pair *pair, const mst_file_view *files, uint32_t index,
                            uint64_t offset, const mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_DAMAGED, "the entry begins after the end of the bank");
    if (diagnostic) {
        MST_SET(diagnostic->code, "SFA-TAB");
        MST_SET(diagnostic->path, "%s[%u]", pair->list, index);
        diagnostic->offset = 4 * (uint64_t)index;
        diagnostic->length = 4;
        MST_SET(diagnostic->expected, "at most %llu", (unsigned long long)files[0].size);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)offset);
    }
    mst_parsed_blame(w, files[1].data, false, diagnostic);
    return MST_DAMAGED;
}

static mst_status parse_entries(const mst_sfa_pair *pair, const mst_file_view *files, uint32_t count,
                                const starts *all, mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    mst_parsed_number(w, count, 4);
    for (uint32_t i = 0; i < count && w->status == MST_OK; i++) {
        uint32_t word = mst_sfa_table_word(&files[1], i);
        const uint8_t *at = files[1].data + 4 * (size_t)i;
        uint64_t offset = offset_of(pair, word);
        bool present = is_present(pair, word);
        if (present && offset > files[0].size)
            return bad_entry(pair, files, i, offset, w, diagnostic);
        mst_parsed_from(w, present, 1, at, 1);
        mst_parsed_from(w, present ? word >> 24 : word, present ? 1 : 4, at, present ? 1 : 4);
        if (!present)
            continue;
        mst_parsed_note(w, "offset", MST_BYTES_DERIVED, at + 1, 3);
        uint64_t end = end_of_entry(pair, files, all, word);
        if (MST_CHANGED(end < offset))
            end = offset;
        mst_status status =
            parse_present(pair, files[0].data + offset, end - offset, word >> 24 & FRAMES, w, diagnostic);
        if (status != MST_OK)
            return status;
    }
    return w->status == MST_OK ? MST_OK : over_limit(diagnostic, w->status);
}

/* After a texture table's words: the sum, which is written after the padding. */
static void put_sum(const mst_file_view *table, uint32_t words, mst_parsed_writer *w) {
    uint32_t closing = words ? mst_sfa_table_word(table, words - 1) : 0, sum, right;
    const uint8_t *at = words ? table->data + 4 * (size_t)(words - 1) : NULL;
    mst_parsed_from(w, closing >> 24, 1, at, 1);
    if (words)
        mst_parsed_note(w, "offset", MST_BYTES_DERIVED, at + 1, 3);
    mst_sfa_sum state = mst_sfa_table_sum(table->data, table->size, words, &sum, &right);
    const uint8_t *place = state == MST_SFA_SUM_NONE ? NULL : table->data + sum_offset(words);
    if (state == MST_SFA_SUM_RIGHT)
        mst_parsed_from(w, state, 1, place, 4);
    else
        mst_parsed_number(w, state, 1);
    if (state == MST_SFA_SUM_WRONG)
        mst_parsed_from(w, sum, 4, place, 4);
    if (place && table->size == sum_offset(words) + 32)
        mst_parsed_note(w, "padding", MST_BYTES_PADDING, place + 4, 28);
}

mst_status mst_sfa_bank_parse(const mst_sfa_pair *pair, const mst_file_view *files, mst_parsed_writer *w,
                              mst_diagnostic *diagnostic) {
    uint32_t words;
    mst_status status = mst_sfa_table_parse(w, &files[1], &words, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t count = pair->textures && words ? words - 1 : words;
    starts all;
    status = find_starts(pair, files, count, &w->to->allocator, &all);
    if (status == MST_OK)
        status = parse_entries(pair, files, count, &all, w, diagnostic);
    else
        mst_fail(diagnostic, status, "out of memory while reading the table");
    free_starts(&all);
    if (status != MST_OK)
        return status;
    if (pair->textures)
        put_sum(&files[1], words, w);
    mst_sfa_table_notes(w, &files[1], words);
    return w->status == MST_OK ? MST_OK : over_limit(diagnostic, w->status);
}

/* ---- serializing ------------------------------------------------------------------------------------ */

/* Appends zeros up to the next offset at which an entry may begin. */
static void align_bank(mst_buffer *bank, unsigned unit, mst_parsed_writer *w) {
    mst_parsed_writer to = {.to = bank, .limit = UINT64_MAX, .status = w->status};
    mst_parsed_zeros(&to, (unit - bank->size % unit) % unit);
    w->status = to.status;
}

static mst_status refuse(const mst_sfa_pair *pair, mst_diagnostic *diagnostic, uint32_t index,
                         const char *message) {
    mst_fail(diagnostic, MST_REFUSED, "%s", message);
    if (diagnostic)
        MST_SET(diagnostic->path, "%s[%u]", pair->list, index);
    return MST_REFUSED;
}

static mst_status too_large(const mst_sfa_pair *pair, mst_diagnostic *diagnostic, uint32_t index) {
    refuse(pair, diagnostic, index, "the bank becomes too large for the offsets in its table");
    return MST_STOPPED;
}

/* Whether the next frame has a wrapper. Without one, the bytes may be several frames with invalid offsets,
 * which were kept unchanged. */
static bool is_one_frame(const mst_parsed_reader *parsed) {
    mst_parsed_reader ahead = *parsed;
    mst_parsed_reader inner = mst_parsed_inner(&ahead);
    uint32_t stored;
    mst_parsed_read_counted(&inner, &stored);
    return mst_parsed_read(&inner, 1) != MST_SFA_PLAIN && !inner.failed;
}

/* `frames`: the number of frames for the table's word; 0: keep the one it had. */
static mst_status serialize_present(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *bank,
                                    uint32_t *frames, mst_diagnostic *diagnostic) {
    mst_parsed_writer w = {.to = bank, .limit = UINT64_MAX};
    uint32_t count = pair->textures ? mst_parsed_read(parsed, 4) : 1;
    size_t start = bank->size;
    bool several = count > 1;
    *frames = count;
    if (pair->textures && count == 1 && !is_one_frame(parsed))
        *frames = 0;
    if (parsed->failed || count > FRAMES || !count)
        return mst_fail(diagnostic, MST_REFUSED,
                        "the entry has a number of frames that the table cannot hold (1 to 63)");
    if (several)
        mst_parsed_zeros(&w, 4 * ((size_t)count + 1));
    mst_status status = w.status;
    for (uint32_t i = 0; i < count && status == MST_OK; i++) {
        if (several)
            mst_store32(bank->data + start + 4 * (size_t)i, (uint32_t)(bank->size - start), true);
        status = mst_sfa_entry_serialize(parsed, pair->content, bank, diagnostic);
    }
    if (status == MST_OK && several) {
        mst_store32(bank->data + start + 4 * (size_t)count, (uint32_t)(bank->size - start), true);
        mst_parsed_zeros(&w, (32 - (bank->size - start) % 32) % 32);
        status = w.status;
    }
    return status;
}

mst_status mst_sfa_bank_serialize(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                                  mst_diagnostic *diagnostic) {
    mst_buffer *bank = &files[0], *table = &files[1];
    mst_parsed_writer w = {.to = table, .limit = UINT64_MAX};
    uint32_t count = mst_parsed_read(parsed, 4);
    unsigned unit = pair->textures ? 2 : 1;
    mst_status status = MST_OK, fits = MST_OK;
    for (uint32_t i = 0; i < count && !parsed->failed && status == MST_OK; i++) {
        bool present = mst_parsed_read(parsed, 1) != 0;
        if (!present) {
            uint32_t word = mst_parsed_read(parsed, 4);
            if (is_present(pair, word)) /* also true for the end mark */
                return refuse(pair, diagnostic, i, "the word of an absent entry has the present bit set");
            mst_parsed_number(&w, word, 4);
            continue;
        }
        uint32_t flags = mst_parsed_read(parsed, 1), frames;
        align_bank(bank, unit, &w);
        uint64_t offset = bank->size / unit;
        if (offset > 0xFFFFFF && fits == MST_OK)
            fits = too_large(pair, diagnostic, i);
        if (!is_present(pair, flags << 24))
            return refuse(pair, diagnostic, i, "the flags of a present entry lack the present bit");
        status = serialize_present(pair, parsed, bank, &frames, diagnostic);
        if (status == MST_REFUSED && diagnostic && !diagnostic->path[0])
            MST_SET(diagnostic->path, "%s[%u]", pair->list, i);
        if (pair->textures && (frames > 1 || (frames == 1 && (flags & FRAMES) > 1)))
            flags = (flags & ~FRAMES) | frames;
        mst_parsed_number(&w, flags << 24 | ((uint32_t)offset & 0xFFFFFF), 4);
    }
    if (status != MST_OK)
        return status;
    if (pair->textures) {
        uint32_t closing = mst_parsed_read(parsed, 1);
        uint32_t state = mst_parsed_read(parsed, 1), sum = 0;
        if (state == MST_SFA_SUM_WRONG)
            sum = mst_parsed_read(parsed, 4);
        align_bank(bank, unit, &w);
        uint64_t end = bank->size / unit;
        if (end > 0xFFFFFF && fits == MST_OK)
            fits = too_large(pair, diagnostic, count);
        mst_parsed_number(&w, closing << 24 | ((uint32_t)end & 0xFFFFFF), 4);
        uint32_t words = count + 1;
        mst_sfa_table_end(&w, NULL);
        if (w.status == MST_OK && state == MST_SFA_SUM_RIGHT)
            sum = sum_of(table->data, words);
        if (state != MST_SFA_SUM_NONE) {
            mst_parsed_number(&w, sum, 4);
            mst_parsed_zeros(&w, 28);
        }
    } else {
        mst_sfa_table_end(&w, NULL);
    }
    if (parsed->failed)
        return mst_fail(diagnostic, MST_REFUSED, "the bank is incomplete");
    return w.status == MST_OK ? fits : mst_fail(diagnostic, w.status, "out of memory while writing the bank");
}

/* ---- iteration ---------------------------------------------------------------------------------- */

mst_sfa_bank_cursor mst_sfa_bank_open(const uint8_t *parsed, uint64_t size, bool textures) {
    mst_sfa_bank_cursor c = {.reader = {parsed, size, 0, false}, .textures = textures};
    c.count = mst_parsed_read(&c.reader, 4);
    return c;
}

bool mst_sfa_bank_next(mst_sfa_bank_cursor *c) {
    while (!c->frames_left) {
        if (c->next == c->count || c->reader.failed)
            return false;
        c->index = c->next++;
        if (!mst_parsed_read(&c->reader, 1)) {
            mst_parsed_read(&c->reader, 4);
            continue;
        }
        mst_parsed_read(&c->reader, 1);
        c->frame_count = c->frames_left = c->textures ? mst_parsed_read(&c->reader, 4) : 1;
        c->frame = 0;
        if (c->reader.failed)
            return false;
    }
    c->frame = c->frame_count - c->frames_left--;
    const uint8_t *content, *here = c->reader.data + c->reader.at;
    uint64_t length;
    c->entry = c->reader.at;
    c->kept =
        !mst_sfa_entry_content(here, c->reader.size - c->reader.at, &content, &c->content_size, &length);
    c->content = c->kept ? 0 : (uint64_t)(content - c->reader.data);
    return mst_parsed_take(&c->reader, length) != NULL;
}
