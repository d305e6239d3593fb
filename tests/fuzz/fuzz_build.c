/* SPDX-License-Identifier: MIT */
/* An input that is a file is first written as JSON, some of whose values are then changed. */
#include "property.h"

const char fuzz_promise[] =
    "JSON becomes a document that is understood, or is refused with its place, within "
    "64 times its size";

static void builds_or_not(fuzz_input *in, const char *text, size_t size, bool lenient) {
    fuzz_memory memory = {0};
    mst_document *document = NULL;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    mst_open_options options = {.size = sizeof options,
                                .name = in->name,
                                .allocator = fuzz_allocator(&memory),
                                .lenient_json = lenient};
    mst_status status = mst_open_json(text, size, &options, &document, &why);
    HOLDS(memory.max <= size * 64 + (1u << 20));
    if (status == MST_OK) {
        fuzz_is_understood(document);
    } else {
        HOLDS(!document);
        fuzz_is_told(&why, status);
        HOLDS(why.offset == MST_NO_OFFSET || why.offset <= size);
        /* its place: in the text, or in the document; otherwise it is about all of it */
        HOLDS(why.offset != MST_NO_OFFSET || why.path[0] || status != MST_DAMAGED);
    }
    mst_close(document);
    HOLDS(memory.bytes == 0);
    if (memory.calls && fuzz_below(&in->random, 8) == 0) {
        memory = (fuzz_memory){.fail_at = 1 + fuzz_below(&in->random, memory.calls)};
        document = NULL;
        mst_open_json(text, size, &options, &document, &why);
        mst_close(document);
        HOLDS(memory.bytes == 0);
    }
}

void fuzz_property(fuzz_input *in) {
    bool lenient = fuzz_below(&in->random, 3) == 0;
    if (in->size && in->bytes[0] == '{') {
        builds_or_not(in, (const char *)in->bytes, in->size, lenient);
        return;
    }
    mst_document *document = fuzz_open(in, NULL);
    if (!document)
        return;
    size_t size;
    mst_value root = mst_root(document);
    char *text = fuzz_json_of(&root, true, &size);
    HOLDS(text);
    mst_close(document);
    size_t capacity = size + 512;
    text = realloc(text, capacity);
    HOLDS(text);
    for (uint32_t times = 1 + fuzz_below(&in->random, 3); times && size; times--) {
        size_t made = fuzz_change_json((uint8_t *)text, size, capacity, &in->random);
        size = made ? made : size;
    }
    char *whole = realloc(text, size ? size : 1); /* nothing after it */
    HOLDS(whole);
    builds_or_not(in, whole, size, lenient);
    free(whole);
}
