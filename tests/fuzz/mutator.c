/* SPDX-License-Identifier: MIT */
/*
 * Mutations that understand the file: the library itself reports where counts, sizes and offsets are and
 * which spans are records, and makes edits that keep everything around them consistent.
 */
#include "../../src/codec/deflate.h"
#include "../../src/read/engine.h"
#include "fuzz.h"
#include <stdio.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);

/* ---- bytes ------------------------------------------------------------------------------------- */

static void put_odd_number(uint8_t *place, size_t width, size_t size, fuzz_random *r) {
    uint64_t old = 0, now;
    bool big = fuzz_below(r, 2);
    if (width > 8)
        width = 4;
    for (size_t i = 0; i < width; i++)
        old |= (uint64_t)place[big ? width - 1 - i : i] << 8 * i;
    switch (fuzz_below(r, 12)) {
    case 0: now = 0; break;
    case 1: now = UINT64_MAX; break;
    case 2: now = UINT64_C(0x7FFFFFFFFFFFFFFF) >> (64 - 8 * width); break;
    case 3: now = UINT64_C(1) << (8 * width - 1); break;
    case 4: now = size; break;
    case 5: now = fuzz_below(r, size + 1); break;
    case 6: now = old * 2; break;
    case 7: now = old + UINT64_C(4) * (1 + fuzz_below(r, 4)); break;
    case 8: now = old - UINT64_C(4) * (1 + fuzz_below(r, 4)); break;
    case 9: now = fuzz_below(r, 20); break;
    case 10: now = UINT64_C(0x20000001) << fuzz_below(r, 4); break;
    default: now = old + (fuzz_below(r, 2) ? 1 : UINT64_MAX); break;
    }
    for (size_t i = 0; i < width; i++)
        place[big ? width - 1 - i : i] = (uint8_t)(now >> 8 * i);
}

/* Replaces `length` bytes at `offset` by `from`; returns the new size, or 0 if it does not fit. */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t offset, size_t length,
                     const uint8_t *from, size_t from_size) {
    if (offset > size || length > size - offset || size - length + from_size > max_size)
        return 0;
    uint8_t *copy = malloc(from_size ? from_size : 1);
    if (!copy)
        return 0;
    if (from_size)
        memcpy(copy, from, from_size);
    memmove(data + offset + from_size, data + offset + length, size - offset - length);
    if (from_size)
        memcpy(data + offset, copy, from_size);
    free(copy);
    return size - length + from_size;
}

static size_t plain(uint8_t *data, size_t size, size_t max_size, fuzz_random *r) {
    static const uint8_t zeros[64] = {0};
    size_t made = 0;
    switch (fuzz_below(r, 6)) {
    case 0:
        if (size >= 4) {
            size_t width = (size_t)1 << fuzz_below(r, 3);
            put_odd_number(data + fuzz_below(r, size - width + 1), width, size, r);
            return size;
        }
        break;
    case 1: made = fuzz_below(r, size); break;
    case 2: made = splice(data, size, max_size, size, 0, zeros, fuzz_below(r, sizeof zeros)); break;
    case 3: {
        size_t from = fuzz_below(r, size), length = fuzz_below(r, size - from + 1);
        made = splice(data, size, max_size, fuzz_below(r, size), 0, data + from, length);
        break;
    }
    default: break;
    }
    return made ? made : LLVMFuzzerMutate(data, size, max_size);
}

/* ---- files ------------------------------------------------------------------------------------- */

static size_t take_over(const mst_document *document, uint8_t *data, size_t max_size) {
    size_t size;
    const void *bytes = mst_document_bytes(document, &size);
    if (size > max_size || !size)
        return 0;
    memmove(data, bytes, size);
    return size;
}

/* Tries a few edits, until one is done. */
static bool edit_somewhere(mst_document *document, const fuzz_sample *sample, fuzz_random *r) {
    for (int tried = 0; tried < 6; tried++) {
        const fuzz_thing *thing = &sample->things[fuzz_below(r, sample->count)];
        const fuzz_thing *other = &sample->things[fuzz_below(r, sample->count)];
        if (!thing->path[0])
            continue;
        mst_value value;
        size_t length = 0;
        mst_status status = MST_ARGUMENT;
        uint32_t what = fuzz_below(r, 6);
        if (what == 0) {
            status = mst_remove(document, thing->path, NULL);
        } else if (what <= 2 && mst_find(mst_root(document), what == 1 ? thing->path : other->path, &value,
                                         NULL) == MST_OK) {
            char *json = fuzz_json_of(&value, true, &length);
            if (json && what == 1 && thing->index != UINT64_MAX)
                status = mst_insert(document, thing->path, json, NULL);
            else if (json)
                status = mst_set(document, thing->path, json, NULL);
            free(json);
        } else {
            status = mst_set(document, thing->path, fuzz_odd_json(r), NULL);
        }
        if (status == MST_OK)
            return true;
    }
    return false;
}

static size_t edited(mst_document *document, uint8_t *data, size_t max_size, const fuzz_sample *sample,
                     fuzz_random *r) {
    return edit_somewhere(document, sample, r) ? take_over(document, data, max_size) : 0;
}

static size_t converted(const mst_document *document, uint8_t *data, size_t max_size, fuzz_random *r) {
    mst_convert_options to = {.size = sizeof to, .allow_loss = 1};
    if (fuzz_below(r, 2)) {
        to.has_version = 1;
        to.version = fuzz_below(r, 16);
    } else {
        to.byte_order = fuzz_below(r, 2) ? "big" : "little";
    }
    mst_document *other;
    if (mst_convert(document, &to, NULL, NULL, &other, NULL) != MST_OK)
        return 0;
    size_t made = take_over(other, data, max_size);
    mst_close(other);
    return made;
}

/* A file described by the tables, from which `document` was opened; 0 if nothing was done. */
static size_t file(mst_document *document, uint8_t *data, size_t size, size_t max_size,
                   const fuzz_sample *sample, fuzz_random *r) {
    const fuzz_thing *thing = &sample->things[fuzz_below(r, sample->count)];
    const fuzz_thing *other = &sample->things[fuzz_below(r, sample->count)];
    const uint8_t *bytes = mst_document_bytes(document, &(size_t){0});
    size_t made = 0, length = (size_t)thing->length, at = (size_t)thing->offset;
    switch (fuzz_below(r, 16)) {
    case 0:
    case 1:
    case 2:
    case 3: return edited(document, data, max_size, sample, r);
    case 4: return converted(document, data, max_size, r);
    case 5: return splice(data, size, max_size, at, length, NULL, 0);
    case 6: return splice(data, size, max_size, at, 0, bytes + at, length);
    case 7: return splice(data, size, max_size, at, length, bytes + other->offset, (size_t)other->length);
    default:
        for (uint32_t times = 1 + fuzz_below(r, 3); times; times--) {
            for (int tried = 0; tried < 8 && thing->kind != MST_EVENT_DERIVED && fuzz_below(r, 3); tried++)
                thing = &sample->things[fuzz_below(r, sample->count)];
            if (!thing->length)
                continue;
            size_t width = thing->length == 1 ? 1 : thing->length < 4 ? 2 : 4;
            size_t units = (size_t)thing->length / width;
            put_odd_number(data + thing->offset + width * fuzz_below(r, units), width, size, r);
            made = size;
            thing = &sample->things[fuzz_below(r, sample->count)];
        }
    }
    return made;
}

/* ---- parsed files ------------------------------------------------------------------------------ */

static mst_status find_table(void *user, const char *name, const void **bytes, size_t *size) {
    const mst_file_view *table = user;
    (void)name;
    if (!table->data)
        return MST_NO_PATH;
    *bytes = table->data;
    *size = table->size;
    return MST_OK;
}

/* All files of a document, with the mark between them. */
static size_t take_files(const mst_document *document, uint8_t *data, size_t max_size) {
    size_t made = 0;
    for (size_t i = 0; i < mst_document_file_count(document); i++) {
        size_t size, mark = i ? FUZZ_MARK_SIZE : 0;
        const void *bytes = mst_document_file(document, i, NULL, &size);
        if (mark + size > max_size - made)
            return 0;
        memcpy(data + made, FUZZ_MARK, mark);
        if (size)
            memcpy(data + made + mark, bytes, size);
        made += mark + size;
    }
    return made;
}

/* The parsed bytes with an odd value, parsed again. */
static size_t refolded(const mst_document *document, uint8_t *data, size_t max_size,
                       const fuzz_sample *sample, fuzz_random *r) {
    size_t size, capacity;
    const uint8_t *form = mst_document_bytes(document, &size);
    capacity = 2 * size + 256;
    mst_buffer bytes = {.data = malloc(capacity), .size = size, .capacity = capacity};
    if (!bytes.data)
        return 0;
    if (size)
        memcpy(bytes.data, form, size);
    for (uint32_t times = 1 + fuzz_below(r, 3); times && bytes.size; times--) {
        const fuzz_thing *thing = &sample->things[fuzz_below(r, sample->count)];
        const fuzz_thing *other = &sample->things[fuzz_below(r, sample->count)];
        size_t at = (size_t)thing->offset, length = (size_t)thing->length, made = 0;
        if (at > bytes.size || length > bytes.size - at || !length)
            continue;
        switch (fuzz_below(r, 8)) {
        case 0: made = splice(bytes.data, bytes.size, capacity, at, length, NULL, 0); break;
        case 1: made = splice(bytes.data, bytes.size, capacity, at, 0, form + at, length); break;
        case 2:
            made = splice(bytes.data, bytes.size, capacity, at, length, form + other->offset,
                          (size_t)other->length);
            break;
        default: {
            size_t width = length == 1 ? 1 : length < 4 ? 2 : 4, units = length / width;
            put_odd_number(bytes.data + at + width * fuzz_below(r, units), width, size, r);
        }
        }
        bytes.size = made ? made : bytes.size;
    }
    mst_document *again = NULL;
    mst_open_options options = {.size = sizeof options, .name = mst_document_name(document)};
    size_t made = 0;
    if (mst_document_adopt(document->format, NULL, &bytes, &options, &again, NULL) == MST_OK &&
        mst_serialize(again, NULL) == MST_OK)
        made = take_files(again, data, max_size);
    mst_close(again);
    free(bytes.data);
    return made;
}

/* Changes the content of one of the streams, and packs it into the space of the old one. */
static size_t repacked(uint8_t *data, size_t size, size_t max_size, fuzz_random *r) {
    size_t start = fuzz_below(r, size), at = size;
    for (size_t i = 0; i < size && at == size; i++) {
        size_t here = (start + i) % size;
        if (here + 16 <= size && memcmp(data + here, "ZLB", 4) == 0)
            at = here;
    }
    if (at == size)
        return 0;
    uint32_t unpacked = mst_load32(data + at + 8, true), packed = mst_load32(data + at + 12, true);
    mst_buffer inside = {0}, stream = {0};
    size_t made = 0, rest = size - at - 16;
    if (packed <= rest &&
        mst_zlib_unpack(data + at + 16, packed, unpacked, 1 << 16, &inside, NULL, NULL) == MST_OK &&
        inside.size) {
        for (uint32_t times = 1 + fuzz_below(r, 3); times; times--) {
            size_t width = (size_t)1 << fuzz_below(r, 3);
            if (inside.size >= width)
                put_odd_number(inside.data + fuzz_below(r, inside.size - width + 1), width, inside.size, r);
        }
        if (fuzz_below(r, 8) == 0)
            inside.size = fuzz_below(r, inside.size + 1);
        if (mst_zlib_pack(inside.data, inside.size, fuzz_below(r, 2) ? MST_ZLIB_MODDED : MST_ZLIB_RETAIL,
                          &stream, NULL) == MST_OK) {
            size_t capacity = packed + (32 - (16 + (size_t)packed) % 32) % 32;
            capacity = capacity < rest ? capacity : rest;
            mst_store32(data + at + 8, (uint32_t)inside.size, true);
            mst_store32(data + at + 12, (uint32_t)stream.size, true);
            if (stream.size <= capacity) {
                memset(data + at + 16, 0, capacity);
                memcpy(data + at + 16, stream.data, stream.size);
                made = size;
            } else {
                made = splice(data, size, max_size, at + 16, packed, stream.data, stream.size);
            }
        }
    }
    mst_buffer_free(&inside);
    mst_buffer_free(&stream);
    return made;
}

/* Copies and exchanges words of a table. */
static size_t shuffled(uint8_t *table, size_t size, fuzz_random *r) {
    if (size < 8)
        return 0;
    uint8_t *one = table + 4 * (size_t)fuzz_below(r, size / 4),
            *other = table + 4 * (size_t)fuzz_below(r, size / 4);
    uint8_t kept[4];
    memcpy(kept, one, 4);
    memcpy(one, other, 4);
    if (fuzz_below(r, 2))
        memcpy(other, kept, 4);
    if (fuzz_below(r, 4) == 0)
        one[fuzz_below(r, 4)] ^= (uint8_t)(1u << fuzz_below(r, 8));
    return size;
}

static size_t as_json(const mst_document *document, uint8_t *data, size_t max_size) {
    size_t length = 0;
    mst_value root = mst_root(document);
    char *text = fuzz_json_of(&root, true, &length);
    if (text && length <= max_size)
        memcpy(data, text, length);
    else
        length = 0;
    free(text);
    return length;
}

/* The file, and the sidecar if the document consists of both: the bytes up to `size` are changed. 0 if it
 * does not open, or nothing was done. */
static size_t opened(uint8_t *data, const fuzz_spans *spans, size_t max_size, fuzz_random *r) {
    size_t size = spans->end, made = 0;
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    mst_file_view table = {NULL, 0};
    if (spans->second_end > spans->file)
        table = (mst_file_view){bytes + spans->sidecars[0].begin,
                                spans->sidecars[0].end - spans->sidecars[0].begin};
    mst_resolver resolver = {.find = find_table, .user = &table};
    mst_open_options options = {.size = sizeof options,
                                .sidecars = &resolver,
                                .format = fuzz_kind_at(spans->kind).format,
                                .name = fuzz_kind_at(spans->kind).name};
    mst_document *document = NULL;
    fuzz_sample sample;
    if (mst_open_memory(bytes, spans->file, &options, &document, NULL) == MST_OK &&
        fuzz_take_sample(document, r, true, &sample) == MST_OK && sample.count) {
        /* the bytes kept after the changed ones: of two files, not the other one */
        size_t after = document->format->files.count > 1 ? spans->second_end : spans->file;
        size_t rest = size - after;
        if (fuzz_below(r, 64) == 0) {
            made = as_json(document, data, max_size);
        } else if (!document->format->files.count) {
            size_t capacity = max_size - rest;
            made = file(document, data, spans->file, capacity, &sample, r);
        } else if (fuzz_below(r, 2)) {
            made = refolded(document, data, max_size, &sample, r);
        } else if (edit_somewhere(document, &sample, r)) {
            made = take_files(document, data, max_size);
        }
        if (made && rest && data[0] != '{') {
            if (rest <= max_size - made) {
                memcpy(data + made, bytes + after, rest);
                made += rest;
            } else {
                memcpy(data, bytes, size);
                made = 0;
            }
        }
    }
    mst_close(document);
    free(bytes);
    return made;
}

/* ---- JSON -------------------------------------------------------------------------------------- */

/* The span of a value or key somewhere in the text. */
static void json_span(const uint8_t *data, size_t size, fuzz_random *r, size_t *offset, size_t *length) {
    size_t at = fuzz_below(r, size);
    for (size_t i = 0; i < size && !strchr(":,[{", data[at] ? data[at] : ' '); i++)
        at = (at + 1) % size;
    at++;
    while (at < size && (data[at] == ' ' || data[at] == '\n'))
        at++;
    size_t begin = at;
    int depth = 0;
    bool text = false;
    for (; at < size; at++) {
        uint8_t c = data[at];
        if (text) {
            if (c == '\\' && at + 1 < size)
                at++;
            else if (c == '"')
                text = false;
            continue;
        }
        if (c == '"') {
            text = true;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            if (depth == 0)
                break;
            depth--;
        } else if ((c == ',' || c == ':') && depth == 0) {
            break;
        }
    }
    *offset = begin < size ? begin : size;
    *length = at > *offset ? at - *offset : 0;
}

size_t fuzz_change_json(uint8_t *data, size_t size, size_t max_size, fuzz_random *r) {
    size_t offset, length, other, other_length;
    json_span(data, size, r, &offset, &length);
    json_span(data, size, r, &other, &other_length);
    uint32_t what = fuzz_below(r, 17);
    bool comma = offset + length < size && data[offset + length] == ',';
    if (what < 8) {
        const char *odd = fuzz_odd_json(r);
        return splice(data, size, max_size, offset, length, (const uint8_t *)odd, strlen(odd));
    }
    if (what < 12)
        return splice(data, size, max_size, offset, length, data + other, other_length);
    if (what < 14)
        return splice(data, size, max_size, offset, length + comma, NULL, 0);
    if (what < 16)
        return comma ? splice(data, size, max_size, offset, 0, data + offset, length + 1) : 0;
    return fuzz_below(r, size); /* cut off */
}

static size_t json(uint8_t *data, size_t size, size_t max_size, fuzz_kind kind, fuzz_random *r) {
    size_t made = 0;
    if (fuzz_below(r, 24) == 0) {
        mst_document *document;
        mst_open_options options = {.size = sizeof options, .name = kind.name};
        if (mst_open_json((const char *)data, size, &options, &document, NULL) == MST_OK) {
            made = take_files(document, data, max_size);
            mst_close(document);
        }
    } else if (fuzz_below(r, 8)) {
        made = fuzz_change_json(data, size, max_size, r);
    }
    return made ? made : LLVMFuzzerMutate(data, size, max_size);
}

/* ---- inputs ------------------------------------------------------------------------------------ */

/* Changes file and sidecar, which are the whole input. */
static size_t changed(uint8_t *data, const fuzz_spans *spans, size_t max_size, fuzz_random *r) {
    size_t size = spans->end, made = 0;
    if (spans->count && fuzz_below(r, 6) == 0) {
        size_t which = fuzz_below(r, spans->count), begin = spans->sidecars[which].begin,
               end = spans->sidecars[which].end;
        if (fuzz_below(r, 2) && shuffled(data + begin, end - begin, r))
            return size;
        if (begin == end)
            return size;
        uint8_t *work = malloc(max_size); /* the following bytes are kept */
        if (!work)
            return size;
        memcpy(work, data + begin, end - begin);
        made = plain(work, end - begin, max_size - begin - (size - end), r);
        memmove(data + begin + made, data + end, size - end);
        memcpy(data + begin, work, made);
        free(work);
        return begin + made + (size - end);
    }
    if (!spans->file)
        return LLVMFuzzerMutate(data, size, max_size);
    if (data[0] == '{') {
        size_t rest = size - spans->file;
        uint8_t *work = malloc(max_size);
        if (!work)
            return size;
        memcpy(work, data, spans->file);
        made = json(work, spans->file, max_size - rest, fuzz_kind_at(spans->kind), r);
        memmove(data + made, data + spans->file, rest);
        memcpy(data, work, made);
        free(work);
        return made + rest;
    }
    if (fuzz_below(r, 8) == 0)
        made = repacked(data, size, max_size, r);
    else if (fuzz_below(r, 8))
        made = opened(data, spans, max_size, r);
    return made ? made : plain(data, size, max_size, r);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    fuzz_random r = {seed * UINT64_C(2654435761)};
    if (!size || max_size <= FUZZ_HOW_SIZE || fuzz_below(&r, 16) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    fuzz_spans spans = fuzz_spans_of(data, size);
    size_t capacity = max_size - FUZZ_HOW_SIZE;
    if (spans.end > capacity)
        return LLVMFuzzerMutate(data, size, max_size);
    if (fuzz_below(&r, 24) == 0)
        spans.kind = (uint8_t)fuzz_below(&r, fuzz_kind_count());
    size_t made = spans.end;
    if (fuzz_below(&r, 8) == 0) {
        spans.seed = fuzz_next(&r);
    } else if (made) {
        made = changed(data, &spans, capacity, &r);
        if (fuzz_below(&r, 4) == 0)
            spans.seed = fuzz_next(&r);
    }
    if (!spans.kind && !spans.seed)
        return made ? made : 1;
    fuzz_put_how(data + made, spans.kind, spans.seed);
    return made + FUZZ_HOW_SIZE;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t max_size, unsigned int seed) {
    fuzz_random r = {seed * UINT64_C(2654435761)};
    if (max_size <= FUZZ_HOW_SIZE)
        return 0;
    fuzz_spans first = fuzz_spans_of(one, one_size), second = fuzz_spans_of(two, two_size);
    size_t capacity = max_size - FUZZ_HOW_SIZE, size;
    if (fuzz_below(&r, 2) && first.file + FUZZ_MARK_SIZE + second.file <= capacity) {
        memcpy(out, one, first.file);
        memcpy(out + first.file, FUZZ_MARK, FUZZ_MARK_SIZE);
        memcpy(out + first.file + FUZZ_MARK_SIZE, two, second.file);
        size = first.file + FUZZ_MARK_SIZE + second.file;
    } else {
        size_t header = fuzz_below(&r, first.file + 1), tail = fuzz_below(&r, second.file + 1);
        size = header < capacity ? header : capacity;
        memcpy(out, one, size);
        size_t rest = second.file - tail < capacity - size ? second.file - tail : capacity - size;
        memcpy(out + size, two + tail, rest);
        size += rest;
    }
    fuzz_put_how(out + size, first.kind, first.seed ^ second.seed);
    return size + FUZZ_HOW_SIZE;
}
