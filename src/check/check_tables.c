/* SPDX-License-Identifier: MIT */
/* Checks given by the tables: enum names, references, finite numbers. Formats add their own. */
#include "../core/number.h"
#include "../core/unreachable.h"
#include "../tables/fields.h"
#include "finding.h"
#include "numbers.h"
#include <stdio.h>

#define RUNS 16

typedef mst_numbers_walk walk;
typedef mst_numbers numbers;

static mst_checker *checker_of(const walk *w) {
    return w->user;
}

/* Begins the finding about component `component` of element `element`. */
static mst_diagnostic *begin_number(const walk *w, const numbers *n, uint64_t element, uint64_t component) {
    unsigned width = mst_kind_width[n->field->kind];
    mst_diagnostic *finding =
        mst_finding(checker_of(w), n->offset + element * n->stride + component * width, width);
    mst_numbers_path(w, n, element, component, finding->path, sizeof finding->path);
    return finding;
}

/* Reports a component of an element; `expected` NULL: taken from the field's rule. */
static mst_status report_number(walk *w, const char *code, const numbers *n, uint64_t element,
                                uint64_t component, const char *expected, uint64_t found) {
    mst_status status;
    const mst_field *field = n->field;
    if (mst_checker_counts(checker_of(w), code, &status))
        return status;
    mst_diagnostic *finding = begin_number(w, n, element, component);
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64) {
        MST_SET(finding->expected, "a finite number");
        double real =
            field->kind == MST_KIND_F32 ? (double)mst_f32_of_bits((uint32_t)found) : mst_f64_of_bits(found);
        MST_SET(finding->found, "%s", real != real ? "NaN" : real < 0 ? "-infinity" : "infinity");
        return mst_checker_report(checker_of(w), code);
    }
    MST_SET(finding->found, "%lld", (long long)found);
    if (expected)
        MST_SET(finding->expected, "%s", expected);
    else if (field->rule.kind == MST_RULE_ZERO)
        MST_SET(finding->expected, "0");
    else if (field->rule.kind == MST_RULE_BOOL)
        MST_SET(finding->expected, "0 or 1");
    else
        MST_SET(finding->expected, "%lld..%lld", (long long)field->names->items[0].value,
                (long long)field->names->items[field->names->count - 1].value);
    return mst_checker_report(checker_of(w), code);
}

static mst_status check_finite(walk *w, const numbers *n, const char *code) {
    const mst_document *document = w->document;
    bool big = mst_field_big(document, n->field);
    unsigned width = mst_kind_width[n->field->kind];
    const uint8_t *data = document->data + n->offset;
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < n->count && status == MST_OK; i++, data += n->stride)
        for (uint32_t c = 0; c < n->components && status == MST_OK; c++) {
            uint64_t bits = mst_load(data + (size_t)width * c, width, big);
            bool odd = width == 4 ? (bits & 0x7F800000u) == 0x7F800000u : (bits >> 52 & 0x7FF) == 0x7FF;
            if (odd)
                status = report_number(w, code, n, i, c, NULL, bits);
        }
    return status;
}

/* Whether all numbers are below `places` or `none`, as in nearly all files: one pass without a branch for
 * each. */
static bool all_below(const walk *w, const numbers *n, uint64_t places, uint64_t none) {
    const bool big = mst_field_big(w->document, n->field);
    const unsigned width = mst_kind_width[n->field->kind];
    const uint8_t *data = w->document->data + n->offset;
    bool bad = false;
    for (uint64_t i = 0; i < n->count; i++, data += n->stride)
        for (uint32_t c = 0; c < n->components; c++) {
            uint64_t value = width == 4 ? mst_load32(data + (size_t)4 * c, big)
                                        : mst_load(data + (size_t)width * c, width, big);
            bad |= (value >= places) & (value != none);
        }
    return !bad;
}

static mst_status check_rule(walk *w, const numbers *n) {
    const mst_field *field = n->field;
    unsigned width = mst_kind_width[field->kind];
    mst_status status = MST_OK;
    if (field->rule.kind != MST_RULE_NAMED && all_below(w, n, field->rule.kind == MST_RULE_BOOL ? 2 : 1, 0))
        return MST_OK;
    for (uint64_t i = 0; i < n->count && status == MST_OK; i++)
        for (uint32_t c = 0; c < n->components && status == MST_OK; c++) {
            uint64_t bits =
                mst_scalar_bits(w->document, field, n->offset + i * n->stride + (uint64_t)width * c);
            bool good = field->rule.kind == MST_RULE_ZERO ? bits == 0
                        : field->rule.kind == MST_RULE_BOOL
                            ? bits <= 1
                            : mst_name_of_number(field->names, (int64_t)bits) != NULL;
            if (!good)
                status = report_number(w, field->rule.code, n, i, c, NULL, bits);
        }
    return status;
}

/* ---- references --------------------------------------------------------------------------------- */

/* A finding without a code where the tables give it none. */
static mst_status report_dangling(const walk *w, const numbers *n, const mst_refers *fact, uint64_t element,
                                  uint32_t component, const char *expected, uint64_t found) {
    mst_checker *checker = checker_of(w);
    mst_diagnostic *finding = begin_number(w, n, element, component);
    MST_SET(finding->found, "%lld", (long long)found);
    MST_SET(finding->expected, "%s", expected);
    if (fact->code)
        mst_checker_name(checker, fact->code);
    else
        MST_SET(finding->message, "`%s` has no such element", mst_last_name(fact->target));
    finding->severity = fact->code ? finding->severity : MST_WARNING;
    if (mst_place_finding(checker->document, finding) != MST_OK)
        finding->offset = MST_NO_OFFSET;
    return checker->report(checker->user, finding);
}

static mst_status report_reference(walk *w, const numbers *n, const mst_referred *referred, uint64_t element,
                                   uint32_t component, uint64_t found) {
    char expected[80];
    if (!mst_numbers_apply(w, n, referred->fact, element))
        return MST_OK;
    mst_refers_expected(referred, n->field, expected, sizeof expected);
    if (checker_of(w)->dangling)
        return report_dangling(w, n, referred->fact, element, component, expected, found);
    return report_number(w, referred->fact->code, n, element, component, expected, found);
}

static mst_status check_bits(walk *w, const numbers *n, const mst_referred *referred, uint64_t element,
                             uint32_t component, uint64_t bits) {
    mst_status status = MST_OK;
    /* Levels without layers have masks as well: a bit refers to nothing only where the list has elements. */
    if (checker_of(w)->dangling && !referred->count)
        return MST_OK;
    uint64_t id = referred->fact->apart ? 0 : (uint64_t)component * 8 * mst_kind_width[n->field->kind];
    for (; bits && status == MST_OK; id++, bits >>= 1)
        if ((bits & 1) && !mst_refers_hits(referred, id))
            status = report_reference(w, n, referred, element, component, id);
    return status;
}

static bool names_element(const mst_document *document, const mst_referred *referred, uint64_t stored,
                          uint64_t value) {
    const mst_refers *fact = referred->fact;
    return (!fact->about || fact->about(document, stored)) && mst_refers_hits(referred, value);
}

/* Whether one pass shows that all numbers are indices of elements, or the one value that names none. */
static bool all_refer(const walk *w, const numbers *n, const mst_referred *referred) {
    const mst_refers *fact = referred->fact;
    const unsigned bits = 8 * mst_kind_width[n->field->kind];
    const bool none = fact->nones && !fact->none_from;
    if (!referred->by_place || fact->by == MST_BY_BIT || fact->mask || fact->about || fact->nones > 1 ||
        bits > 32)
        return false;
    return all_below(w, n, referred->places, none ? fact->none[0] & UINT32_MAX >> (32 - bits) : UINT64_MAX);
}

static mst_status check_reference(walk *w, const numbers *n, const mst_refers *fact) {
    const mst_document *document = w->document;
    const mst_referred *referred;
    if (!fact->code && !checker_of(w)->dangling)
        return MST_OK;
    mst_status status = mst_refers_look_up(&w->refers, fact, &referred);
    if (status != MST_OK || !referred || all_refer(w, n, referred))
        return status;
    bool big = mst_field_big(document, n->field);
    unsigned width = mst_kind_width[n->field->kind];
    const uint8_t *data = document->data + n->offset;
    for (uint64_t i = 0; i < n->count && status == MST_OK; i++, data += n->stride)
        for (uint32_t c = 0; c < n->components && status == MST_OK; c++) {
            uint64_t stored = mst_load(data + (size_t)width * c, width, big),
                     value = fact->mask ? stored & fact->mask : stored;
            if (fact->by == MST_BY_BIT) {
                if (value)
                    status = check_bits(w, n, referred, i, c, value);
            } else if (!names_element(document, referred, stored, value) &&
                       !mst_refers_is_none(fact, stored, width, c)) {
                uint64_t found =
                    mst_scalar_bits(document, n->field, n->offset + i * n->stride + (uint64_t)width * c);
                status = report_reference(w, n, referred, i, c, fact->mask && !fact->about ? value : found);
            }
        }
    return status;
}

static mst_status check_references(walk *w, const numbers *n) {
    mst_status status = MST_OK;
    for (uint8_t i = 0; i < n->field->refers_count && status == MST_OK; i++)
        status = check_reference(w, n, &n->field->refers[i]);
    return status;
}

static mst_status check_numbers(walk *w, const numbers *n) {
    const mst_field *field = n->field;
    const char *nonfinite = w->document->format->check.nonfinite_code;
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64)
        return nonfinite ? check_finite(w, n, nonfinite) : MST_OK;
    mst_status status = field->rule.kind ? check_rule(w, n) : MST_OK;
    return status == MST_OK ? check_references(w, n) : status;
}

/* ---- the walk ----------------------------------------------------------------------------------- */

/* Whether all 32-bit floats of a list of flat records are finite, as in nearly all files: one pass over runs
 * of adjacent floats, without a branch for each. */
static bool all_finite(const mst_document *document, const mst_item *item, const mst_plan *plan) {
    struct {
        uint64_t offset, count;
        bool big;
    } runs[RUNS];
    size_t run_count = 0;
    for (uint16_t i = 0; i < item->record->field_count; i++) {
        const mst_field *field = &item->record->fields[i];
        if (plan->fields[i].presence == MST_ABSENT || field->kind != MST_KIND_F32)
            continue;
        bool big = mst_field_big(document, field);
        uint64_t offset = plan->fields[i].offset, count = plan->fields[i].size / 4;
        if (run_count && runs[run_count - 1].offset + 4 * runs[run_count - 1].count == offset &&
            runs[run_count - 1].big == big) {
            runs[run_count - 1].count += count;
            continue;
        }
        if (run_count == RUNS)
            return false;
        runs[run_count].offset = offset;
        runs[run_count].count = count;
        runs[run_count++].big = big;
    }
    const uint8_t *element = document->data + item->offset + item->shape.prefix;
    uint64_t elements = item->shape.count;
    if (run_count == 1 && 4 * runs[0].count == plan->stride) { /* only floats: all elements form one run */
        runs[0].count *= elements;
        elements = 1;
    }
    for (uint64_t i = 0; i < elements; i++, element += plan->stride) {
        uint32_t odd = 0;
        for (size_t r = 0; r < run_count; r++)
            for (uint64_t c = 0; c < runs[r].count; c++)
                odd |=
                    (mst_load32(element + runs[r].offset + 4 * c, runs[r].big) & 0x7F800000u) + 0x00800000u;
        if (odd & 0x80000000u)
            return false;
    }
    return true;
}

static bool skips_floats(walk *w, const mst_item *list, const mst_plan *plan) {
    return w->document->format->check.nonfinite_code && all_finite(w->document, list, plan);
}

/* Why a field is visited: the tables state a check of its number, or the format's own checks inspect it. */
static uint8_t wants(void *user, const mst_field *field) {
    const mst_format *format = ((const walk *)user)->document->format;
    bool (*item)(const mst_field *) = MST_OPTION(format->check.items, wants);
    bool real = field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64;
    bool checked = real ? format->check.nonfinite_code != NULL : field->rule.kind != MST_RULE_NONE;
    for (uint8_t i = 0; i < field->refers_count; i++)
        checked = checked || field->refers[i].code;
    return (uint8_t)((checked && mst_is_number(field) ? MST_NUMBERS_NUMBER : 0) |
                     (item && item(field) ? MST_NUMBERS_ITEM : 0));
}

static uint8_t wants_references(void *user, const mst_field *field) {
    (void)user;
    return mst_is_number(field) && field->refers_count ? MST_NUMBERS_NUMBER : 0;
}

static mst_status check_item(walk *w, const mst_item *item) {
    return w->document->format->check.items->item(checker_of(w), item);
}

/* Visits the fields to be checked, if documents like this one have any. */
static mst_status visit_numbers(mst_checker *checker, walk *w, mst_wants wanted, mst_diagnostic *diagnostic) {
    bool any;
    mst_status status = mst_runs_between(w->document, wanted, w, &checker->scratch, &w->runs, &any);
    if (status == MST_OK && any)
        status = mst_refers_begin(&w->refers, w->document, &checker->scratch);
    return status == MST_OK && any ? mst_numbers_visit(w, diagnostic) : status;
}

/* Three kilobytes: allocated, not on the stack. */
typedef struct check_state {
    walk walk;
    mst_diagnostic finding, bare; /* the checker's */
} check_state;

mst_status mst_check(const mst_document *document, const mst_check_options *options,
                     mst_report_function report, void *user, mst_check_result *result,
                     mst_diagnostic *diagnostic) {
    if (!document)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document is needed");
    mst_check_options given = {.size = 0};
    mst_resolver resolver;
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (given.sidecars && !given.sidecars->find)
        given.sidecars = mst_resolver_of_each(given.sidecars, &resolver);
    mst_checker checker = {
        .document = document, .options = options ? &given : NULL, .report = report, .user = user};
    checker.failure = diagnostic;
    uint64_t read = document->size + (given.schema ? given.schema_size : 0);
    mst_arena_begin(&checker.scratch, &document->allocator, mst_default_budget(read));
    check_state *own = mst_arena_zero(&checker.scratch, 1, sizeof *own);
    status = own ? MST_OK : MST_NO_MEMORY;
    if (own) {
        checker.finding = &own->finding;
        checker.bare = &own->bare;
        own->walk.document = document;
        own->walk.user = &checker;
        own->walk.item = MST_OPTION(document->format->check.items, item) ? check_item : NULL;
        own->walk.skips_floats = skips_floats;
        own->walk.numbers = check_numbers;
    }
    if (status == MST_OK && given.details && document->format->check.codes) {
        checker.described =
            mst_arena_zero(&checker.scratch, 2 * document->format->check.codes->count, sizeof(uint64_t));
        status = checker.described ? MST_OK : MST_NO_MEMORY;
    }
    if (status == MST_OK && MST_OPTION(document->format->check.items, begin))
        status = document->format->check.items->begin(&checker);
    if (status == MST_OK)
        status = visit_numbers(&checker, &own->walk, wants, diagnostic);
    if (status == MST_OK && document->format->check.check)
        status = document->format->check.check(&checker);
    mst_arena_end(&checker.scratch);
    if (result)
        *result = checker.result;
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to check the document");
    return status;
}

/* Floats refer to nothing. */
static bool skips_all_floats(walk *w, const mst_item *list, const mst_plan *plan) {
    (void)w, (void)list, (void)plan;
    return true;
}

mst_status mst_check_dangling(const mst_document *document, mst_report_function report, void *user,
                              mst_diagnostic *diagnostic) {
    mst_checker checker = {.document = document, .report = report, .user = user, .dangling = true};
    mst_arena_begin(&checker.scratch, &document->allocator, mst_default_budget(document->size));
    check_state *own = mst_arena_zero(&checker.scratch, 1, sizeof *own);
    mst_status status = own ? MST_OK : MST_NO_MEMORY;
    if (own) {
        checker.finding = &own->finding;
        own->walk.document = document;
        own->walk.user = &checker;
        own->walk.skips_floats = skips_all_floats;
        own->walk.numbers = check_references;
        status = visit_numbers(&checker, &own->walk, wants_references, diagnostic);
    }
    mst_arena_end(&checker.scratch);
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to look for dangling references");
    return status;
}

/* Whether a fact about numbers that name elements has the code; `bits`: only facts whose numbers are sets of
 * bits. */
static bool has_fact(const mst_format *format, const char *code, bool bits) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count; i++) {
            const mst_refers *fact = &it.field->refers[i];
            if (fact->code && strcmp(fact->code, code) == 0 && (!bits || fact->by == MST_BY_BIT))
                return true;
        }
    return false;
}

bool mst_code_binds(const mst_format *format, const char *code) {
    const char *const *all = format->check.dangling;
    for (size_t i = 0; all && all[i]; i++)
        if (strcmp(all[i], code) == 0)
            return true;
    return has_fact(format, code, false);
}

bool mst_code_is_of_bits(const mst_format *format, const char *code) {
    return has_fact(format, code, true);
}
