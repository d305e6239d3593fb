/* SPDX-License-Identifier: MIT */
/*
 * Mutations that know what a file is: the library itself says where counts, sizes and offsets stand, which
 * spans are records, and makes edits that keep everything around them right.
 */
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

/* Puts `from` in place of `length` bytes at `offset`; the size then, or 0 if there is no room. */
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

static size_t edited(const uint8_t *bytes, size_t size, uint8_t *data, size_t max_size,
                     const fuzz_sample *sample, fuzz_random *r) {
    mst_document *document;
    if (mst_open_memory(bytes, size, NULL, &document, NULL) != MST_OK)
        return 0;
    size_t made = 0;
    for (int tried = 0; tried < 6 && !made; tried++) {
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
            made = take_over(document, data, max_size);
    }
    mst_close(document);
    return made;
}

static size_t converted(const mst_document *document, uint8_t *data, size_t max_size, fuzz_random *r) {
    mst_convert_options to = {.allow_loss = 1};
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

static size_t file(uint8_t *data, size_t size, size_t max_size, fuzz_random *r) {
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes)
        return 0;
    if (size)
        memcpy(bytes, data, size);
    mst_document *document;
    if (mst_open_memory(bytes, size, NULL, &document, NULL) != MST_OK) {
        free(bytes);
        return plain(data, size, max_size, r);
    }
    fuzz_sample sample;
    size_t made = 0;
    if (fuzz_take_sample(document, r, true, &sample) == MST_OK && sample.count) {
        const fuzz_thing *thing = &sample.things[fuzz_below(r, sample.count)];
        const fuzz_thing *other = &sample.things[fuzz_below(r, sample.count)];
        mst_value root = mst_root(document);
        char *json;
        size_t length = 0;
        switch (fuzz_below(r, 16)) {
        case 0:
        case 1:
        case 2:
        case 3: made = edited(bytes, size, data, max_size, &sample, r); break;
        case 4: made = converted(document, data, max_size, r); break;
        case 5:
            made = splice(data, size, max_size, (size_t)thing->offset, (size_t)thing->length, NULL, 0);
            break;
        case 6:
            made = splice(data, size, max_size, (size_t)thing->offset, 0, bytes + thing->offset,
                          (size_t)thing->length);
            break;
        case 7:
            made = splice(data, size, max_size, (size_t)thing->offset, (size_t)thing->length,
                          bytes + other->offset, (size_t)other->length);
            break;
        case 8:
            json = fuzz_below(r, 4) ? NULL : fuzz_json_of(&root, true, &length);
            if (json && length <= max_size) {
                memcpy(data, json, length);
                made = length;
            }
            free(json);
            break;
        default:
            for (uint32_t times = 1 + fuzz_below(r, 3); times; times--) {
                for (int tried = 0; tried < 8 && thing->kind != MST_EVENT_DERIVED && fuzz_below(r, 3);
                     tried++)
                    thing = &sample.things[fuzz_below(r, sample.count)];
                if (!thing->length)
                    continue;
                size_t width = thing->length == 1 ? 1 : thing->length < 4 ? 2 : 4;
                size_t units = (size_t)thing->length / width;
                put_odd_number(data + thing->offset + width * fuzz_below(r, units), width, size, r);
                made = size;
                thing = &sample.things[fuzz_below(r, sample.count)];
            }
            break;
        }
    }
    mst_close(document);
    free(bytes);
    return made ? made : plain(data, size, max_size, r);
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

static size_t json(uint8_t *data, size_t size, size_t max_size, fuzz_random *r) {
    size_t offset, length, other, other_length, made = 0;
    json_span(data, size, r, &offset, &length);
    json_span(data, size, r, &other, &other_length);
    uint32_t what = fuzz_below(r, 20);
    if (what < 8) {
        const char *odd = fuzz_odd_json(r);
        made = splice(data, size, max_size, offset, length, (const uint8_t *)odd, strlen(odd));
    } else if (what < 12) {
        made = splice(data, size, max_size, offset, length, data + other, other_length);
    } else if (what < 14) {
        bool comma = offset + length < size && data[offset + length] == ',';
        made = splice(data, size, max_size, offset, length + comma, NULL, 0);
    } else if (what < 16 && offset + length < size && data[offset + length] == ',') {
        made = splice(data, size, max_size, offset, 0, data + offset, length + 1);
    } else if (what == 16) {
        mst_document *document;
        if (mst_open_json((const char *)data, size, NULL, &document, NULL) == MST_OK) {
            made = take_over(document, data, max_size);
            mst_close(document);
        }
    }
    return made ? made : LLVMFuzzerMutate(data, size, max_size);
}

/* ---- inputs ------------------------------------------------------------------------------------ */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    fuzz_random r = {seed * UINT64_C(2654435761)};
    if (!size || fuzz_below(&r, 12) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t mark = fuzz_mark(data, size), room = max_size - (size - mark);
    if (mark < size && fuzz_below(&r, 2)) {
        size_t begin = mark + FUZZ_MARK_SIZE;
        return begin + plain(data + begin, size - begin, max_size - begin, &r);
    }
    if (!mark)
        return plain(data, size, max_size, &r);
    /* the companion stays behind what the file becomes */
    uint8_t *work = malloc(max_size);
    if (!work)
        return size;
    memcpy(work, data, mark);
    size_t made = data[0] == '{' ? json(work, mark, room, &r) : file(work, mark, room, &r);
    memmove(data + made, data + mark, size - mark);
    memcpy(data, work, made);
    free(work);
    return made + (size - mark);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t max_size, unsigned int seed) {
    fuzz_random r = {seed * UINT64_C(2654435761)};
    size_t first = fuzz_mark(one, one_size), second = fuzz_mark(two, two_size), size = 0;
    bool companion = fuzz_below(&r, 2);
    if (companion && first + FUZZ_MARK_SIZE + second <= max_size) {
        memcpy(out, one, first);
        memcpy(out + first, FUZZ_MARK, FUZZ_MARK_SIZE);
        memcpy(out + first + FUZZ_MARK_SIZE, two, second);
        return first + FUZZ_MARK_SIZE + second;
    }
    size_t head = fuzz_below(&r, first + 1), tail = fuzz_below(&r, second + 1);
    if (head > max_size)
        head = max_size;
    memcpy(out, one, head);
    size = head;
    size_t rest = second - tail < max_size - size ? second - tail : max_size - size;
    memcpy(out + size, two + tail, rest);
    return size + rest;
}
