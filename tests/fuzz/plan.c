/* SPDX-License-Identifier: MIT */
#include "plan.h"
#include <stdio.h>

static mst_status ignore(void *user, const mst_diagnostic *diagnostic) {
    (void)user, (void)diagnostic;
    return MST_OK;
}

uint64_t fuzz_errors_of(const mst_document *document) {
    mst_check_options options = {.size = sizeof options, .details = 1};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, &options, ignore, NULL, &result, &why), &why);
    return result.errors;
}

/* "list[3].x" unchanged, or with some of the list's elements, or all. */
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

/* Numbers that move, rotate and scale something, and indices. */
static void choose_amount(fuzz_random *random, mst_operation_kind kind, char value[40]) {
    static const char *const amounts[] = {"1,0,-2",   "0.5,0.25", "90deg", "1",  "-1.5",
                                          "1e30,0,0", "2,1,2",    "0,0,0", "64", "0"};
    if (kind == MST_OPERATION_MOVE || kind == MST_OPERATION_DUPLICATE)
        snprintf(value, 40, "%d", (int)fuzz_below(random, 8) - 2);
    else
        snprintf(value, 40, "%s", amounts[fuzz_below(random, 10)]);
}

void fuzz_plan_add(const mst_document *document, const fuzz_sample *sample, fuzz_random *random,
                   fuzz_plan *all) {
    static const mst_operation_kind kinds[] = {
        MST_OPERATION_SET,       MST_OPERATION_SET,    MST_OPERATION_SET,     MST_OPERATION_INSERT,
        MST_OPERATION_INSERT,    MST_OPERATION_REMOVE, MST_OPERATION_REMOVE,  MST_OPERATION_DUPLICATE,
        MST_OPERATION_DUPLICATE, MST_OPERATION_MOVE,   MST_OPERATION_MOVE_BY, MST_OPERATION_ROTATE,
        MST_OPERATION_SCALE,     MST_OPERATION_ADD};
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
    bool adds = one->kind == MST_OPERATION_ADD;
    bool makes = one->kind == MST_OPERATION_SET || one->kind == MST_OPERATION_INSERT || adds;
    char *bracket = strrchr(all->paths[n], '[');
    if (adds && bracket) /* to the list */
        *bracket = 0;
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

/* Values and operators in turn, rarely one too many; most are valid, and about the value itself. */
static void choose_expression(const char *path, fuzz_random *random, char text[200]) {
    static const char *const values[] = {"index", "1",      "2.5",       "-3",
                                         "\"a\"", "id",     "name",      "0",
                                         "1e300", "x",      "origin[1]", "9007199254740991",
                                         "\"a",   "size[0", "value",     "version"};
    static const char *const signs[] = {" + ", "+", " - ", " * ", "/", ", ", "", ")"};
    static const char *const around[] = {
        "%s",         "(%s)",          "-(%s)",    "round(%s)", "round(%s, 0.25)",
        "min(%s, 1)", "max(1, 2, %s)", "sqrt(%s)", "floor(%s",  "tan(%s)"};
    const char *dot = strrchr(path, '.'), *own = dot ? dot + 1 : path;
    char inner[100] = "";
    size_t length = 0;
    for (uint32_t i = 1 + fuzz_below(random, 4); i-- > 0;) {
        const char *value = fuzz_below(random, 3) ? own : values[fuzz_below(random, 16)];
        const char *sign = i ? signs[fuzz_below(random, fuzz_below(random, 4) ? 5 : 8)] : "";
        length += (size_t)snprintf(inner + length, sizeof inner - length, "%.20s%s", value, sign);
    }
    const char *format = around[fuzz_below(random, 10)], *place = strstr(format, "%s");
    snprintf(text, 200, "%.*s%s%s", (int)(place - format), format, inner, place + 2);
}

void fuzz_plan_calculate(fuzz_random *random, fuzz_plan *all) {
    static const char *const brackets[] = {"[id < (2 * 3 + round(id, 2))]", "[name = (name + \"\")]",
                                           "[x != (x / 2)]", "[*]"};
    size_t n = all->count - 1;
    char path[sizeof all->paths[n]], *open, *close;
    memcpy(path, all->paths[n], sizeof path);
    all->operations[n] = (mst_operation){
        .path = all->paths[n], .value = all->expressions[n], .assignment = MST_ASSIGN_EXPRESSION};
    choose_expression(path, random, all->expressions[n]);
    open = strchr(path, '[');
    close = open ? strchr(open, ']') : NULL;
    if (close && fuzz_below(random, 2))
        snprintf(all->paths[n], sizeof path, "%.*s%s%s", (int)(open - path), path,
                 brackets[fuzz_below(random, 4)], close + 1);
}

void fuzz_plan_free(fuzz_plan *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->own[i]);
}
