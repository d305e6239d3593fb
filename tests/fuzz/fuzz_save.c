/* SPDX-License-Identifier: MIT */
#include "property.h"

const char fuzz_promise[] = "what opens is saved, encoded again and built again to the same bytes, and every "
                            "byte is accounted for once";

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    if (document)
        fuzz_is_saved(document);
    fuzz_close(document, in, &memory, 64);
}
