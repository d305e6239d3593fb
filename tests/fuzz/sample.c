/* SPDX-License-Identifier: MIT */
#include "../../src/files/ledger.h"
#include "fuzz.h"
#include <stdio.h>

#define DEPTH 60

typedef struct sampler {
    fuzz_sample *sample;
    bool derived;
    char path[256];
    size_t lengths[DEPTH]; /* of the path, around each open record or list */
    int slots[DEPTH];      /* its slot in the sample; -1: none */
    size_t length;         /* sizeof path or more: does not fit */
    uint32_t depth;
} sampler;

static size_t step(sampler *s, const mst_event *event) {
    size_t length = s->length;
    if (event->name[0] && length < sizeof s->path)
        length += (size_t)snprintf(s->path + length, sizeof s->path - length, "%s%s", length ? "." : "",
                                   event->name);
    if (event->index != UINT64_MAX && length < sizeof s->path)
        length += (size_t)snprintf(s->path + length, sizeof s->path - length, "[%llu]",
                                   (unsigned long long)event->index);
    return length;
}

/* Keeps the event with the required probability; the slot, or -1. */
static int keep(sampler *s, const mst_event *event, size_t length) {
    fuzz_sample *all = s->sample;
    size_t slot = all->count < FUZZ_THINGS ? all->count : (size_t)(fuzz_next(all->random) % (all->met + 1));
    all->met++;
    if (slot >= FUZZ_THINGS)
        return -1;
    if (all->count < FUZZ_THINGS)
        all->count++;
    for (uint32_t i = 0; i < s->depth; i++)
        if (s->slots[i] == (int)slot)
            s->slots[i] = -1;
    fuzz_thing *thing = &all->things[slot];
    memset(thing, 0, sizeof *thing);
    memcpy(thing->path, s->path, length < sizeof s->path ? length : 0);
    thing->kind = event->kind;
    thing->offset = event->offset;
    thing->length = event->length;
    thing->index = event->index;
    if (event->value) {
        thing->type = mst_value_type(event->value);
        if (event->kind == MST_EVENT_LEAF)
            mst_value_span(event->value, &thing->value_offset, &thing->value_length);
    }
    return (int)slot;
}

static mst_status meet(void *user, const mst_event *event) {
    sampler *s = user;
    if (event->kind == MST_EVENT_END) {
        s->depth--;
        if (s->depth < DEPTH) {
            s->length = s->lengths[s->depth];
            int slot = s->slots[s->depth];
            if (slot >= 0)
                s->sample->things[slot].length = event->offset - s->sample->things[slot].offset;
        }
        return MST_OK;
    }
    if (event->kind == MST_EVENT_DERIVED || !event->value) { /* the padding of archives is a LEAF */
        if (s->derived && s->depth < DEPTH)
            keep(s, event, sizeof s->path);
        return MST_OK;
    }
    size_t length = s->depth < DEPTH ? step(s, event) : sizeof s->path;
    int slot = s->depth < DEPTH && length && length < sizeof s->path ? keep(s, event, length) : -1;
    if (event->kind == MST_EVENT_LEAF)
        return MST_OK;
    if (s->depth < DEPTH) {
        s->lengths[s->depth] = s->length;
        s->slots[s->depth] = slot;
        s->length = length;
    }
    s->depth++;
    return MST_OK;
}

mst_status fuzz_take_sample(const mst_document *document, fuzz_random *random, bool derived,
                            fuzz_sample *sample) {
    sampler s = {.sample = sample, .derived = derived};
    memset(sample, 0, sizeof *sample);
    sample->random = random;
    return mst_walk(document, meet, &s);
}

const char *fuzz_odd_json(fuzz_random *random) {
    static const char *const odd[] = {
        "0",
        "1",
        "2",
        "3",
        "4",
        "7",
        "8",
        "16",
        "-1",
        "127",
        "128",
        "255",
        "256",
        "32767",
        "-32768",
        "65535",
        "65536",
        "16777216",
        "2147483647",
        "-2147483648",
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "0.5",
        "-0.0",
        "1e30",
        "-3e38",
        "1e-40",
        "1e400",
        "\"NaN\"",
        "\"Infinity\"",
        "\"NaN:ffc00001\"",
        "\"\"",
        "\"x\"",
        "\"\\u0000\"",
        "\"\\u0080\\ud83d\\ude00\"",
        "\"ff\"",
        "\"00000000\"",
        "\"0123456789abcdef0123456789abcdef\"",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
        "[]",
        "[0]",
        "[1,2,3]",
        "[[]]",
        "{}",
        "{\"$raw\":\"ff\"}",
        "{\"$raw\":\"00d8\"}",
        "[{}]",
        "null",
        "true",
        "false",
        "word",
        "\"",
        "}",
        "[1",
        "1 2",
        "1}",
        "\\",
        "x\",\"name\":\"y",
        "\x80",
    };
    return odd[fuzz_below(random, sizeof odd / sizeof *odd)];
}

char *fuzz_json_of(const mst_value *value, bool compact, size_t *size) {
    mst_buffer text = {0};
    mst_json_options options = {.size = sizeof options, .compact = compact};
    mst_sink sink = mst_buffer_sink(&text);
    mst_status status = mst_write_json(value, &options, sink, NULL);
    if (status == MST_OK)
        status = sink.write(sink.user, "", 1);
    char *copy = status == MST_OK ? malloc(text.size) : NULL;
    if (copy) {
        memcpy(copy, text.data, text.size);
        *size = text.size - 1;
    }
    mst_buffer_free(&text);
    return copy;
}
