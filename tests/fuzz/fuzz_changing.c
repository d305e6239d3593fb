/* SPDX-License-Identifier: MIT */
/* Another program writes to the bytes of an open document, as a program does that saves over a mapped file:
 * before operations, and whenever they call back. */
#include "../../src/core/memo.h"
#include "../../src/files/ledger.h"
#include "../../src/write/rebuild.h"
#include "property.h"
#include "scenes.h"

const char fuzz_promise[] = "where the bytes of an open document change, results are garbage or refused, but "
                            "nothing beside them is touched, and all comes to an end";

typedef struct change {
    size_t offset;
    uint8_t was[8];
    uint8_t length;
} change;

#define CHANGES 256

typedef struct changing {
    fuzz_input *in;
    mst_allocator allocator; /* the allocator of `memory` */
    bool opened;
    const fuzz_sample *sample;
    change done[CHANGES];
    size_t count;
    size_t written;
    uint64_t calls;
} changing;

static uint8_t *bytes_of(changing *c) {
    return (uint8_t *)(uintptr_t)c->in->bytes; /* they are the input's own copy */
}

/* Possible new values of a count or an offset. */
static void odd_value(changing *c, size_t at, size_t length) {
    static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
    fuzz_random *r = &c->in->random;
    uint8_t *p = bytes_of(c) + at;
    switch (fuzz_below(r, 6)) {
    case 0: memset(p, values[fuzz_below(r, sizeof values)], length); break;
    case 1: p[0]++; break;
    case 2: p[length - 1]--; break;
    case 3: p[fuzz_below(r, length)] ^= (uint8_t)(1u << fuzz_below(r, 8)); break;
    case 4: memmove(p, bytes_of(c) + fuzz_below(r, c->in->size - length + 1), length); break;
    default:
        for (size_t i = 0; i < length; i++)
            p[i] = (uint8_t)fuzz_next(r);
    }
}

static void change_one(changing *c) {
    fuzz_random *r = &c->in->random;
    size_t size = c->in->size, length = 1 + fuzz_below(r, 8), at = fuzz_next(r) % size;
    if (fuzz_below(r, 3) && c->sample->count) { /* where counts are stored */
        const fuzz_thing *thing = &c->sample->things[fuzz_below(r, c->sample->count)];
        if (thing->offset < size)
            at = (size_t)thing->offset;
        length = fuzz_below(r, 2) ? 4 : length;
    }
    if (length > size - at)
        length = size - at;
    if (c->count == CHANGES)
        return;
    change *made = &c->done[c->count++];
    made->offset = at;
    made->length = (uint8_t)length;
    memcpy(made->was, bytes_of(c) + at, length);
    odd_value(c, at, length);
}

static void change_back(changing *c) {
    while (c->count) {
        const change *made = &c->done[--c->count];
        memcpy(bytes_of(c) + made->offset, made->was, made->length);
    }
}

static void change_some(changing *c) {
    if (fuzz_below(&c->in->random, 4) == 0)
        change_back(c);
    uint32_t times = fuzz_below(&c->in->random, 4) ? 1 + fuzz_below(&c->in->random, 3) : 200;
    while (times--)
        change_one(c);
}

/* ---- callbacks --------------------------------------------------------------------------------- */

static void called(changing *c) {
    if (++c->calls < 64 && fuzz_below(&c->in->random, 8) == 0)
        change_some(c);
}

static void *take_memory(void *user, void *old, size_t old_size, size_t new_size) {
    changing *c = user;
    if (c->opened)
        called(c);
    return c->allocator.resize(c->allocator.user, old, old_size, new_size);
}

static mst_status take_output(void *user, const void *data, size_t size) {
    changing *c = user;
    (void)data;
    c->written += size;
    called(c);
    return c->written < (size_t)16 << 20 ? MST_OK : MST_STOPPED; /* garbage may be long */
}

static mst_status take_finding(void *user, const mst_diagnostic *one) {
    changing *c = user;
    (void)one;
    called(c);
    return c->calls < 100000 ? MST_OK : MST_STOPPED;
}

static mst_status take_event(void *user, const mst_event *event) {
    changing *c = user;
    uint64_t offset, length;
    if (event->value)
        mst_value_span(event->value, &offset, &length);
    called(c);
    return c->calls < 100000 ? MST_OK : MST_STOPPED;
}

/* ---- operations -------------------------------------------------------------------------------- */

/* A value found before the bytes changed. */
static void read_value(changing *c, const mst_value *value) {
    uint64_t numbers[64], elements, natural;
    int64_t integer;
    double real;
    char text[40];
    const void *bytes;
    size_t size;
    mst_diagnostic why;
    mst_value element, found;
    mst_get_integer(value, &integer);
    mst_get_unsigned(value, &natural);
    mst_get_real(value, &real);
    mst_get_text(value, text, sizeof text, &size);
    mst_get_name(value);
    if (mst_get_bytes(value, &bytes, &size) == MST_OK && size)
        text[0] = ((const char *)bytes)[0] ^ ((const char *)bytes)[size - 1];
    mst_target target = {.type = MST_F64, .components = 1, .data = numbers, .capacity = 64};
    mst_read(value, &target, &elements, &why);
    uint64_t count = mst_count(value);
    mst_element(value, count ? fuzz_next(&c->in->random) % count : 0, &element);
    mst_find(*value, "[1:3]", &found, &why);
    mst_find(*value, "[0].name", &found, &why);
    uint32_t max = 64;
    for (mst_iterator it = mst_iterate(value); max-- && mst_next(&it, &element);) {
        uint64_t offset, length;
        mst_value_span(&element, &offset, &length);
        if (max % 16 == 0)
            change_one(c);
    }
    mst_write_json(value, NULL, (mst_sink){take_output, c}, &why);
}

static void make_scene(changing *c, const mst_document *document, mst_allocator allocator) {
    mst_resolver resolver = fuzz_resolver(c->in);
    mst_scene_options options = {.size = sizeof options, .allocator = allocator, .sidecars = &resolver};
    mst_scene *scene;
    mst_diagnostic why;
    if (mst_scene_from_document(document, &options, &scene, &why) != MST_OK)
        return;
    fuzz_is_a_scene(scene);
    change_some(c); /* it is independent of the document */
    mst_scene_write_glb(scene, NULL, (mst_sink){take_output, c}, &why);
    mst_scene_free(scene);
}

static void operate(changing *c, const mst_document *document, mst_allocator allocator) {
    mst_sink sink = {take_output, c};
    mst_value root = mst_root(document);
    mst_pixels pixels = {.allocator = allocator};
    mst_check_options checking = {.size = sizeof checking, .information = 1};
    mst_resolver resolver = fuzz_resolver(c->in);
    mst_document *other;
    mst_ledger ledger;
    mst_diagnostic why;
    checking.sidecars = &resolver;
    switch (fuzz_below(&c->in->random, 8)) {
    case 0: mst_write_json(&root, NULL, sink, &why); break;
    case 1: mst_encode(document, sink, &why); break;
    case 2: mst_check(document, &checking, take_finding, c, NULL, &why); break;
    case 3: make_scene(c, document, allocator); break;
    case 4: mst_walk(document, take_event, c); break;
    case 5: mst_byte_coverage(document, &ledger, &why); break;
    case 6:
        if (mst_image_count(document) &&
            mst_image_read(document, fuzz_below(&c->in->random, mst_image_count(document)), 0, NULL, &pixels,
                           NULL, &why) == MST_OK)
            mst_pixels_free(&pixels);
        mst_describe(document, "triggers", NULL, sink, &why);
        mst_describe(document, "rectangles", NULL, sink, &why);
        break;
    default:
        if (mst_rebuild(document, &other, &why) == MST_OK)
            mst_close(other);
    }
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    if (!in->size || in->bytes[0] == '{') /* documents made from JSON have bytes of their own */
        return;
    fuzz_sample sample = {0};
    mst_value values[FUZZ_THINGS];
    size_t count = 0;
    changing c = {.in = in, .sample = &sample, .allocator = fuzz_allocator(&memory)};
    mst_allocator allocator = {take_memory, &c};
    mst_open_options options = fuzz_options(in, NULL);
    mst_document *document = NULL;
    options.allocator = allocator;
    if (mst_open_memory(in->bytes, in->size, &options, &document, NULL) == MST_OK) {
        MUST(fuzz_take_sample(document, &in->random, true, &sample), NULL);
        for (size_t i = 0; i < sample.count; i++)
            if (sample.things[i].type != MST_TYPE_NONE &&
                mst_find(mst_root(document), sample.things[i].path, &values[count], NULL) == MST_OK)
                count++;
        c.opened = true;
        for (uint32_t times = 3; times--;) {
            change_some(&c);
            operate(&c, document, allocator);
        }
        for (size_t i = 0; i < count; i++)
            read_value(&c, &values[i]);
    }
    mst_close(document);
    mst_memo_clear(&in->memo);
    HOLDS(memory.bytes == 0);
}
