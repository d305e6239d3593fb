/* SPDX-License-Identifier: MIT */
#include "property.h"
#include <mapstone/edit.h>
#include <stdio.h>
#include <string.h>

const char fuzz_promise[] = "operations are done all together, and then the document is understood and has "
                            "no more errors than before, or "
                            "leave everything as it was";

#define OPERATIONS 4

/* Operations and the texts that they point to. */
typedef struct plan {
    mst_operation operations[OPERATIONS];
    char paths[OPERATIONS][300], values[OPERATIONS][40];
    char *own[OPERATIONS];
    size_t count;
} plan;

static mst_status ignore(void *user, const mst_diagnostic *diagnostic) {
    (void)user, (void)diagnostic;
    return MST_OK;
}

static uint64_t errors_of(const mst_document *document) {
    mst_check_options options = {.details = 1};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, &options, ignore, NULL, &result, &why), &why);
    return result.errors;
}

/* "list[3].x" as it is, or with some of the list's elements, or all. */
static void choose_path(const fuzz_thing *thing, fuzz_random *random, char path[300]) {
    static const char *const brackets[] = {"[*]", "[1:3]", "[-1]", "[name~*a*]", "[0]"};
    const char *open = strchr(thing->path, '['), *close = open ? strchr(open, ']') : NULL;
    snprintf(path, 300, "%s", thing->path);
    if (close && fuzz_below(random, 3) == 0)
        snprintf(path, 300, "%.*s%s%s", (int)(open - thing->path), thing->path,
                 brackets[fuzz_below(random, 5)], close + 1);
    else if (fuzz_below(random, 6) == 0)
        snprintf(path, 300, "%.250s[%u]", thing->path, fuzz_below(random, 4));
}

/* Numbers that move, turn and scale something, and indices. */
static void choose_amount(fuzz_random *random, mst_operation_kind kind, char value[40]) {
    static const char *const amounts[] = {"1,0,-2",   "0.5,0.25", "90deg", "1",  "-1.5",
                                          "1e30,0,0", "2,1,2",    "0,0,0", "64", "0"};
    if (kind == MST_OPERATION_MOVE || kind == MST_OPERATION_DUPLICATE)
        snprintf(value, 40, "%d", (int)fuzz_below(random, 8) - 2);
    else
        snprintf(value, 40, "%s", amounts[fuzz_below(random, 10)]);
}

static void choose_operation(const mst_document *document, const fuzz_sample *sample, fuzz_random *random,
                             plan *all) {
    static const mst_operation_kind kinds[] = {
        MST_OPERATION_SET,       MST_OPERATION_SET,    MST_OPERATION_SET,     MST_OPERATION_INSERT,
        MST_OPERATION_INSERT,    MST_OPERATION_REMOVE, MST_OPERATION_REMOVE,  MST_OPERATION_DUPLICATE,
        MST_OPERATION_DUPLICATE, MST_OPERATION_MOVE,   MST_OPERATION_MOVE_BY, MST_OPERATION_ROTATE,
        MST_OPERATION_SCALE};
    size_t n = all->count++, length;
    const fuzz_thing *thing = &sample->things[fuzz_below(random, sample->count)];
    mst_operation *one = &all->operations[n];
    mst_value value;
    *one = (mst_operation){.kind = kinds[fuzz_below(random, sizeof kinds / sizeof *kinds)],
                           .path = all->paths[n]};
    choose_path(thing, random, all->paths[n]);
    MUST(mst_find(mst_root(document), thing->path, &value, NULL), NULL);
    all->own[n] = fuzz_json_of(&value, true, &length);
    HOLDS(all->own[n]);
    bool makes = one->kind == MST_OPERATION_SET || one->kind == MST_OPERATION_INSERT;
    if (makes)
        one->value = fuzz_below(random, 2) ? all->own[n] : fuzz_odd_json(random);
    if (one->kind == MST_OPERATION_SET && fuzz_below(random, 3) == 0)
        one->assignment = (mst_assignment)fuzz_below(random, MST_ASSIGN_OR_ADD + 1);
    if (one->kind == MST_OPERATION_SET || one->kind == MST_OPERATION_REMOVE)
        one->old = fuzz_below(random, 6) ? NULL : all->own[n];
    if (makes || one->kind == MST_OPERATION_REMOVE)
        return;
    choose_amount(random, one->kind, all->values[n]);
    one->value = one->kind == MST_OPERATION_DUPLICATE && fuzz_below(random, 2) ? NULL : all->values[n];
    if (fuzz_below(random, 2))
        one->about = "1,2,3";
}

static void plan_free(plan *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->own[i]);
}

/* One by one, with looks at the document between them; sometimes given up in the end. */
static mst_status apply_in_steps(mst_document *document, const plan *all, const mst_edit_options *options,
                                 fuzz_random *random, bool looks, bool *given_up) {
    mst_transaction *transaction;
    mst_diagnostic why;
    mst_status status = mst_edit_begin(document, options, &transaction, &why);
    for (size_t i = 0; i < all->count && status == MST_OK; i++) {
        status = mst_edit_apply(transaction, &all->operations[i], &why);
        if (status == MST_OK && looks && fuzz_below(random, 3) == 0 && mst_edit_document(transaction))
            errors_of(mst_edit_document(transaction)); /* can be gone over */
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
        mst_check_options checks = {.details = 0};
        mst_edit_options options = {.size = sizeof options,
                                    .cascade = fuzz_below(&in->random, 2) == 0,
                                    .each = fuzz_below(&in->random, 2) == 0,
                                    .keep_loose = fuzz_below(&in->random, 4) == 0,
                                    .checks = &checks};
        fuzz_sample sample;
        plan all = {.count = 0};
        mst_diagnostic why;
        bool given_up = false;
        MUST(fuzz_take_sample(document, &in->random, false, &sample), NULL);
        if (!sample.count)
            break;
        for (uint32_t i = 1 + fuzz_below(&in->random, OPERATIONS); i-- > 0;)
            choose_operation(document, &sample, &in->random, &all);
        fuzz_files before = fuzz_files_of(document);
        uint64_t errors = errors_of(document);
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
            HOLDS(errors_of(document) <= errors);
        } else {
            HOLDS(fuzz_same_files(document, &before));
            HOLDS(memory.bytes == held);
        }
        fuzz_files_free(&before);
        plan_free(&all);
    }
    fuzz_close(document, in, &memory, 128);
}
