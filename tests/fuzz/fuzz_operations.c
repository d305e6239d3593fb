/* SPDX-License-Identifier: MIT */
#include "plan.h"

const char fuzz_promise[] = "operations are done all together, and then the document is understood and has "
                            "no more errors than before, or "
                            "leave everything as it was";

/* One by one, inspecting the document in between; sometimes abandoned in the end. */
static mst_status apply_in_steps(mst_document *document, const fuzz_plan *all,
                                 const mst_edit_options *options, fuzz_random *random, bool looks,
                                 bool *given_up) {
    mst_transaction *transaction;
    mst_diagnostic why;
    mst_status status = mst_edit_begin(document, options, &transaction, &why);
    for (size_t i = 0; i < all->count && status == MST_OK; i++) {
        status = mst_edit_apply(transaction, &all->operations[i], &why);
        if (status == MST_OK && looks && fuzz_below(random, 3) == 0 && mst_edit_document(transaction))
            fuzz_errors_of(mst_edit_document(transaction)); /* can be iterated */
    }
    *given_up = status != MST_OK || fuzz_below(random, 4) == 0;
    if (!*given_up)
        return mst_edit_commit(transaction, &why);
    mst_edit_abort(transaction);
    return status;
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    for (int round = 0; document && round < 3; round++) {
        mst_check_options checks = {.size = sizeof checks, .details = 0};
        mst_edit_options options = {.size = sizeof options,
                                    .cascade = fuzz_below(&in->random, 2) == 0,
                                    .each = fuzz_below(&in->random, 2) == 0,
                                    .keep_loose = fuzz_below(&in->random, 4) == 0,
                                    .drag = fuzz_below(&in->random, 2) == 0,
                                    .world_texture = fuzz_below(&in->random, 4) == 0,
                                    .allow_loss = fuzz_below(&in->random, 2) == 0,
                                    .checks = &checks};
        fuzz_sample sample;
        fuzz_plan all = {.count = 0};
        mst_diagnostic why;
        bool given_up = false;
        MUST(fuzz_take_sample(document, &in->random, false, &sample), NULL);
        if (!sample.count)
            break;
        for (uint32_t i = 1 + fuzz_below(&in->random, FUZZ_OPERATIONS); i-- > 0;) {
            fuzz_plan_add(document, &sample, &in->random, &all);
            if (fuzz_below(&in->random, 4) == 0)
                fuzz_plan_calculate(&in->random, &all);
        }
        fuzz_files before = fuzz_files_of(document);
        uint64_t errors = fuzz_errors_of(document);
        size_t held = memory.bytes;
        if (fuzz_below(&in->random, 16) == 0)
            memory.fail_at = memory.calls + 1 + fuzz_below(&in->random, 40);
        mst_status status =
            fuzz_below(&in->random, 2)
                ? mst_edit(document, all.operations, all.count, &options, &why)
                : apply_in_steps(document, &all, &options, &in->random, !memory.fail_at, &given_up);
        memory.fail_at = 0;
        if (status == MST_OK && !given_up) {
            fuzz_is_understood(document);
            HOLDS(fuzz_errors_of(document) <= errors);
        } else {
            HOLDS(fuzz_same_files(document, &before));
            HOLDS(memory.bytes == held);
        }
        fuzz_files_free(&before);
        fuzz_plan_free(&all);
    }
    fuzz_close(document, in, &memory, 128);
}
