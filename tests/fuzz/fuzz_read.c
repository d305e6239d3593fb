/* SPDX-License-Identifier: MIT */
#include "../../src/read/opened.h"
#include "property.h"
#include <stdio.h>

const char fuzz_promise[] =
    "what a walk meets is found by its path, at its place, and can be read; odd paths are "
    "refused";

static void content_opens(const mst_value *value) {
    mst_document *content;
    mst_diagnostic why;
    if (mst_open_content(value, NULL, &content, &why) != MST_OK)
        return;
    fuzz_is_understood(content);
    mst_close(content);
}

static void is_found(const mst_document *document, const fuzz_thing *thing, fuzz_input *in) {
    mst_value value, member;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), thing->path, &value, &why), &why);
    HOLDS(mst_value_type(&value) == thing->type);
    uint64_t offset, length, elements;
    mst_value_span(&value, &offset, &length);
    if (thing->kind == MST_EVENT_LEAF) {
        HOLDS(offset == thing->value_offset && length == thing->value_length);
        HOLDS(offset + length == thing->offset + thing->length);
    }
    uint64_t count = mst_count(&value), met = 0;
    mst_iterator it = mst_iterate(&value);
    while (met < 300 && mst_next(&it, &member))
        met++;
    if (mst_value_type(&value) == MST_TYPE_LIST) {
        HOLDS(met == count || met == 300);
        HOLDS(mst_element(&value, count, &member) != MST_OK);
        if (count)
            HOLDS(mst_element(&value, fuzz_next(&in->random) % count, &member) == MST_OK);
    }
    int64_t whole;
    uint64_t natural;
    double real, numbers[64];
    char text[40];
    const void *bytes;
    size_t size;
    mst_get_integer(&value, &whole);
    mst_get_unsigned(&value, &natural);
    mst_get_real(&value, &real);
    if (mst_get_text(&value, text, sizeof text, &size) == MST_OK)
        HOLDS(memchr(text, 0, sizeof text));
    mst_get_name(&value);
    mst_target target = {.type = MST_F64, .components = 1, .data = numbers, .capacity = 64};
    if (mst_read(&value, &target, &elements, &why) == MST_OK)
        HOLDS(elements <= 64);
    target.type = (mst_element_type)fuzz_below(&in->random, MST_I64 + 1);
    target.components = fuzz_below(&in->random, 4);
    target.capacity = 2; /* of up to ... components */
    if (target.components)
        mst_read(&value, &target, &elements, &why);
    if (mst_get_bytes(&value, &bytes, &size) == MST_OK) {
        HOLDS(size <= length);
        uint8_t *records = malloc(size ? size : 1);
        uint64_t done;
        HOLDS(records);
        mst_read_interleaved(&value, fuzz_below(&in->random, 40), records, size, &done, &why);
        free(records);
    }
    if (mst_value_type(&value) == MST_TYPE_LIST) {
        char path[300];
        snprintf(path, sizeof path, "%s[%u:%u]", thing->path, fuzz_below(&in->random, 4),
                 fuzz_below(&in->random, 40));
        mst_value slice;
        MUST(mst_find(mst_root(document), path, &slice, &why), &why);
        HOLDS(mst_count(&slice) <= count);
        char *json = fuzz_json_of(&slice, true, &size);
        HOLDS(json);
        free(json);
    }
    content_opens(&value);
}

/* A path that is invalid, or valid by chance. */
static void odd_path(const mst_document *document, const char *path, fuzz_input *in) {
    char odd[256];
    static const char scraps[] = "[]=\".:0123456789 anme-";
    size_t length = strlen(path);
    memcpy(odd, path, length + 1);
    for (uint32_t changes = 1 + fuzz_below(&in->random, 3); changes && length; changes--)
        odd[fuzz_below(&in->random, length)] = scraps[fuzz_below(&in->random, sizeof scraps - 1)];
    mst_value value;
    mst_diagnostic why;
    size_t size;
    if (mst_find(mst_root(document), odd, &value, &why) == MST_OK && mst_count(&value) < 5000) {
        char *json = fuzz_json_of(&value, true, &size);
        free(json);
    }
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    fuzz_sample sample = {0};
    if (document)
        MUST(fuzz_take_sample(document, &in->random, false, &sample), NULL);
    for (size_t i = 0; i < sample.count; i++) {
        is_found(document, &sample.things[i], in);
        odd_path(document, sample.things[i].path, in);
    }
    fuzz_close(document, in, &memory, 64);
}
