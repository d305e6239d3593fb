/* SPDX-License-Identifier: MIT */
#include "property.h"

const char fuzz_promise[] = "another byte order and back gives the same bytes; another version is understood";

static void converts(const mst_document *document, fuzz_input *in) {
    fuzz_files all = fuzz_files_of(document);
    mst_document *other, *back;
    mst_diagnostic why;
    uint64_t lost = 0;
    static const char *const orders[] = {"big", "little"};
    for (int i = 0; i < 2; i++) {
        mst_convert_options to = {.size = sizeof to, .byte_order = orders[i]},
                            from = {.size = sizeof from, .byte_order = orders[!i]};
        if (mst_convert(document, &to, fuzz_count_findings, &lost, &other, &why) != MST_OK)
            continue;
        fuzz_is_understood(other);
        if (!fuzz_same_files(other, &all)) {
            MUST(mst_convert(other, &from, fuzz_count_findings, &lost, &back, &why), &why);
            HOLDS(fuzz_same_files(back, &all));
            mst_close(back);
        }
        mst_close(other);
    }
    fuzz_files_free(&all);
    mst_convert_options to = {
        .size = sizeof to, .has_version = 1, .version = fuzz_below(&in->random, 17), .allow_loss = 1};
    if (fuzz_below(&in->random, 4) == 0)
        to.name = "7_3_5.DAT";
    if (mst_convert(document, &to, fuzz_count_findings, &lost, &other, &why) == MST_OK) {
        fuzz_is_understood(other);
        mst_close(other);
    }
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    if (document)
        converts(document, in);
    fuzz_close(document, in, &memory, 128);
}
