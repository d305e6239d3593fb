/* SPDX-License-Identifier: MIT */
#include "property.h"

const char fuzz_promise[] = "what opens is written as JSON, and that makes the same bytes";

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    if (document)
        fuzz_is_read_as_json(document, fuzz_below(&in->random, 2) != 0);
    fuzz_close(document, in, &memory, 64);
}
