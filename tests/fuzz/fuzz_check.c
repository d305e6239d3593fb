/* SPDX-License-Identifier: MIT */
#include "property.h"

const char fuzz_promise[] = "checks come to an end and count what they told, whatever sidecars say";

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    if (document) {
        mst_resolver resolver = fuzz_resolver(in);
        mst_check_options options = {.size = sizeof options, .information = 1, .sidecars = &resolver};
        uint64_t findings = 0;
        mst_check_result result;
        mst_diagnostic why;
        if (in->sidecar) { /* an invalid schema is the caller's mistake */
            options.schema = (const char *)in->sidecar;
            options.schema_size = in->sidecar_size;
            mst_check(document, &options, fuzz_count_findings, &findings, &result, &why);
            options.schema = NULL;
            findings = 0;
        }
        if (fuzz_below(&in->random, 4) == 0)
            options.sidecars = NULL;
        MUST(mst_check(document, &options, fuzz_count_findings, &findings, &result, &why), &why);
        HOLDS(findings == result.errors + result.warnings + result.information);
        size_t written = 0;
        mst_describe(document, "triggers", NULL, (mst_sink){fuzz_count_output, &written}, &why);
    }
    fuzz_close(document, in, &memory, 64);
}
