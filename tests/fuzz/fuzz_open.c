/* SPDX-License-Identifier: MIT */
#include "property.h"

const char fuzz_promise[] = "bytes are opened, salvaged, or refused with a diagnosis, within 16 times their "
                            "size, and without memory, too";

static bool is_folded(const char *format) {
    return !format || strncmp(format, "sfa-", 4) == 0;
}

static void opens_or_not(fuzz_input *in, bool salvage) {
    fuzz_memory memory = {0};
    uint64_t reported = 0;
    mst_document *document = NULL;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    mst_open_options options = fuzz_options(in, &memory);
    options.salvage = salvage;
    options.report = fuzz_count_findings;
    options.report_user = &reported;
    mst_status status = mst_open_memory(in->bytes, in->size, &options, &document, &why);
    size_t whole = in->size, size;
    if (in->sidecar && (status != MST_OK || mst_document_file_count(document) == 2))
        whole += in->sidecar_size;
    HOLDS(memory.max <= whole * 16 + (1u << 20));
    if (status == MST_OK) {
        HOLDS(document && mst_document_format(document));
        HOLDS(!options.format || in->sidecar || is_folded(options.format) ||
              strcmp(mst_document_format(document)->id, options.format) == 0);
        HOLDS(mst_document_bytes(document, &size) || !size);
        if (salvage) {
            HOLDS(mst_is_edited(document) || reported == 0);
            fuzz_is_saved(document);
        } else {
            HOLDS(!mst_is_edited(document) && reported == 0);
            HOLDS(fuzz_has_input(document, in));
        }
    } else {
        HOLDS(!document);
        fuzz_is_told(&why, status);
        HOLDS(why.offset == MST_NO_OFFSET || is_folded(options.format) || why.offset <= in->size);
        /* packed data may be too large; a name may not reveal which of two files it is */
        HOLDS(status == MST_DAMAGED || status == MST_UNKNOWN ||
              (is_folded(options.format) && (status == MST_NO_MEMORY || status == MST_IO)));
    }
    mst_close(document);
    HOLDS(memory.bytes == 0);
    /* the same without memory, from some point on */
    size_t calls = memory.calls;
    if (calls && fuzz_below(&in->random, 3) == 0) {
        memory = (fuzz_memory){.fail_at = 1 + fuzz_below(&in->random, calls)};
        document = NULL;
        mst_open_memory(in->bytes, in->size, &options, &document, &why);
        mst_close(document);
        HOLDS(memory.bytes == 0);
    }
}

void fuzz_property(fuzz_input *in) {
    mst_identify(in->bytes, in->size, in->size, in->name, NULL);
    opens_or_not(in, false);
    if (fuzz_below(&in->random, 3) == 0)
        opens_or_not(in, true);
}
