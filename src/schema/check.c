/* SPDX-License-Identifier: MIT */
/* Checks that the tables ask for: names of enums, indices, finite numbers. Formats add their own. */
#include "../core/diagnose.h"
#include "../core/never.h"
#include "../core/number.h"
#include "engine.h"
#include <stdio.h>

/* Formats report codes of their own list. */
static const mst_code_information *code_of(const mst_format *format, const char *code) {
    size_t i = 0;
    while (strcmp(format->codes[i].code, code) != 0) {
        i++;
        if (MST_NEVER(i >= format->code_count))
            return &format->codes[0];
    }
    return &format->codes[i];
}

static bool wants(const mst_checker *checker, mst_severity severity) {
    return severity != MST_INFORMATION || (checker->options && checker->options->information);
}

bool mst_checker_wants(const mst_checker *checker, const char *code) {
    const mst_code_information *information = code_of(checker->document->format, code);
    return wants(checker, information->severity);
}

static mst_status report_as(mst_checker *checker, const mst_code_information *information,
                            mst_severity severity, mst_diagnostic *finding) {
    if (!wants(checker, severity))
        return MST_OK;
    finding->offset = mst_place(checker->document, finding->offset);
    finding->status = MST_OK;
    finding->severity = severity;
    MST_SET(finding->code, "%s", information->code);
    if (!finding->message[0])
        MST_SET(finding->message, "%s", information->documentation);
    if (severity == MST_ERROR)
        checker->result.errors++;
    else if (severity == MST_WARNING)
        checker->result.warnings++;
    else
        checker->result.information++;
    return checker->report ? checker->report(checker->user, finding) : MST_OK;
}

mst_status mst_checker_report(mst_checker *checker, const char *code, mst_diagnostic *finding) {
    const mst_code_information *information = code_of(checker->document->format, code);
    return report_as(checker, information, information->severity, finding);
}

mst_status mst_checker_inform(mst_checker *checker, const char *code, mst_diagnostic *finding) {
    return report_as(checker, code_of(checker->document->format, code), MST_INFORMATION, finding);
}

#define LEVELS 64

/* Where the walk is, so that a path can be written when there is something to say. */
typedef struct place {
    const char *name;
    uint64_t index;
} place;

#define TARGETS 16
#define RUNS    16

typedef struct walk {
    mst_checker *checker;
    mst_status (*watch)(mst_checker *checker, const mst_item *item);
    place places[LEVELS];
    uint32_t depth;
    /* lengths of the lists that indices point into, looked up once */
    const char *targets[TARGETS];
    uint64_t lengths[TARGETS];
    size_t target_count;
} walk;

static bool length_of(walk *w, const char *target, uint64_t *length) {
    for (size_t i = 0; i < w->target_count; i++)
        if (w->targets[i] == target) {
            *length = w->lengths[i];
            return true;
        }
    mst_value list;
    if (mst_find(mst_root(w->checker->document), target, &list, NULL) != MST_OK)
        return false; /* elsewhere, as on a clipboard: nothing can be said */
    *length = mst_count(&list);
    if (w->target_count < TARGETS) {
        w->targets[w->target_count] = target;
        w->lengths[w->target_count++] = *length;
    }
    return true;
}

/* Returns the length as mst_path_step does. */
static size_t write_path(const walk *w, const mst_item *item, char *path, size_t capacity) {
    size_t length = 0;
    path[0] = 0;
    for (uint32_t i = 0; i < w->depth; i++)
        length = mst_path_step(path, capacity, length, w->places[i].name, w->places[i].index);
    return mst_path_step(path, capacity, length, item->name, item->index);
}

static mst_status tell(walk *w, const char *code, const mst_field *field, const mst_item *item,
                       uint64_t element, const char *column, uint64_t component, uint64_t offset,
                       uint64_t limit) {
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    finding.offset = offset;
    finding.length = mst_kind_width[field->kind];
    uint64_t bits = mst_scalar_bits(w->checker->document, field, offset);
    size_t length = write_path(w, item, finding.path, sizeof finding.path);
    if (column) /* of an element of a list */
        length = mst_path_step(finding.path, sizeof finding.path, length, "", element);
    mst_path_step(finding.path, sizeof finding.path, length, column, component);
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64) {
        MST_SET(finding.expected, "a finite number");
        double real =
            field->kind == MST_KIND_F32 ? (double)mst_f32_of_bits((uint32_t)bits) : mst_f64_of_bits(bits);
        MST_SET(finding.found, "%s", real != real ? "NaN" : real < 0 ? "-infinity" : "infinity");
    } else {
        MST_SET(finding.found, "%lld", (long long)bits);
        if (field->rule.kind == MST_RULE_ZERO)
            MST_SET(finding.expected, "0");
        else if (field->rule.kind == MST_RULE_INDEX)
            MST_SET(finding.expected, "below %llu", (unsigned long long)limit);
        else
            MST_SET(finding.expected, "%lld..%lld", (long long)field->names->items[0].value,
                    (long long)field->names->items[field->names->count - 1].value);
    }
    return mst_checker_report(w->checker, code, &finding);
}

/* The same field of `count` places, `stride` apart; `column` NULL: components of one place. */
static mst_status check_numbers(walk *w, const mst_item *item, const mst_field *field, uint64_t offset,
                                uint64_t stride, uint64_t count, uint32_t components, const char *column) {
    const mst_document *document = w->checker->document;
    bool big = mst_field_big(document, field);
    const char *nonfinite = document->format->nonfinite_code;
    const uint8_t *data = document->data + offset;
    unsigned width = mst_kind_width[field->kind];
    mst_status status = MST_OK;
    bool many = components > 1 || field->mode != MST_COUNT_ONE;
    if (field->kind == MST_KIND_F32 && nonfinite) {
        for (uint64_t i = 0; i < count && status == MST_OK; i++, data += stride)
            for (uint32_t c = 0; c < components && status == MST_OK; c++)
                if ((mst_load32(data + 4 * c, big) & 0x7F800000u) == 0x7F800000u)
                    status = tell(w, nonfinite, field, item, i, column, many ? c : UINT64_MAX,
                                  offset + i * stride + 4 * c, 0);
        return status;
    }
    if (field->kind == MST_KIND_F64 && nonfinite) {
        for (uint64_t i = 0; i < count && status == MST_OK; i++, data += stride)
            for (uint32_t c = 0; c < components && status == MST_OK; c++)
                if ((mst_load64(data + 8 * c, big) >> 52 & 0x7FF) == 0x7FF)
                    status = tell(w, nonfinite, field, item, i, column, many ? c : UINT64_MAX,
                                  offset + i * stride + 8 * c, 0);
        return status;
    }
    uint64_t limit = 0;
    if (field->rule.kind == MST_RULE_INDEX) {
        if (!length_of(w, field->rule.target, &limit))
            return MST_OK;
        for (uint64_t i = 0; i < count && status == MST_OK; i++, data += stride)
            for (uint32_t c = 0; c < components && status == MST_OK; c++) {
                uint64_t index = mst_load(data + (size_t)width * c, width, big);
                if (index >= limit && !(field->rule.has_none && index == field->rule.none))
                    status = tell(w, field->rule.code, field, item, i, column, many ? c : UINT64_MAX,
                                  offset + i * stride + (uint64_t)width * c, limit);
            }
    } else if (field->rule.kind == MST_RULE_ZERO) {
        for (uint64_t i = 0; i < count && status == MST_OK; i++, data += stride)
            for (uint32_t c = 0; c < components && status == MST_OK; c++)
                if (mst_load(data + (size_t)width * c, width, big) != 0)
                    status = tell(w, field->rule.code, field, item, i, column, many ? c : UINT64_MAX,
                                  offset + i * stride + (uint64_t)width * c, 0);
    } else if (field->rule.kind == MST_RULE_NAMED) {
        for (uint64_t i = 0; i < count * components && status == MST_OK; i++) {
            uint64_t at = offset + i / components * stride + i % components * width;
            int64_t value = (int64_t)mst_scalar_bits(document, field, at);
            if (!mst_name_of_number(field->names, value))
                status = tell(w, field->rule.code, field, item, i / components, column,
                              many ? i % components : UINT64_MAX, at, 0);
        }
    }
    return status;
}

/* Whether all 32-bit floats of a list of flat records are finite, which nearly all are: one pass without a
 * branch for each, over stretches of them that stand together. */
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
    if (run_count == 1 &&
        4 * runs[0].count == plan->stride) { /* nothing else: all elements are one stretch */
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

static mst_status visit(void *user, const mst_item *item) {
    walk *w = user;
    if (w->watch) {
        mst_status status = w->watch(w->checker, item);
        if (status != MST_OK)
            return status;
    }
    switch (item->kind) {
    case MST_ITEM_DERIVED: return MST_OK;
    case MST_ITEM_END_LIST:
    case MST_ITEM_END_RECORD:
        if (w->depth)
            w->depth--;
        return MST_OK;
    case MST_ITEM_BEGIN_LIST:
        if (item->record->transparent && mst_is_text(&item->record->fields[0]))
            return MST_UNKNOWN; /* texts are not for rules */
        if (item->shape.element) {
            const mst_plan *plan = mst_plan_of(w->checker->document, item->record);
            bool flat = true;
            for (uint16_t i = 0; i < item->record->field_count; i++)
                flat = flat &&
                       (plan->fields[i].presence == MST_ABSENT || mst_is_number(&item->record->fields[i]));
            if (flat) {
                bool finite = w->checker->document->format->nonfinite_code &&
                              all_finite(w->checker->document, item, plan);
                for (uint16_t i = 0; i < item->record->field_count; i++) {
                    const mst_field *field = &item->record->fields[i];
                    if (plan->fields[i].presence == MST_ABSENT || (finite && field->kind == MST_KIND_F32))
                        continue;
                    mst_status status = check_numbers(
                        w, item, field, item->offset + item->shape.prefix + plan->fields[i].offset,
                        plan->stride, item->shape.count, plan->fields[i].size / mst_kind_width[field->kind],
                        item->record->transparent ? "" : field->name);
                    if (status != MST_OK)
                        return status;
                }
                return MST_UNKNOWN;
            }
        }
        __attribute__((fallthrough));
    case MST_ITEM_BEGIN_RECORD:
        if (w->depth < LEVELS)
            w->places[w->depth] = (place){item->name, item->index};
        w->depth += w->depth < LEVELS;
        return MST_OK;
    case MST_ITEM_LEAF: break;
    }
    const mst_field *field = item->field;
    if (!mst_is_number(field))
        return MST_OK;
    return check_numbers(w, item, field, item->offset + item->shape.prefix, 0, 1,
                         item->shape.count <= UINT32_MAX ? (uint32_t)item->shape.count : UINT32_MAX, NULL);
}

/* Whether the tables ask for anything to be looked at. */
static bool has_rules(const mst_format *format) {
    if (format->nonfinite_code)
        return true;
    for (size_t r = 0; r < format->record_count; r++) {
        const mst_record *record = format->records[r];
        for (uint16_t f = 0; f < record->field_count; f++) {
            const mst_chunks *chunks = record->fields[f].chunks;
            if (record->fields[f].rule.kind)
                return true;
            for (uint8_t c = 0; chunks && c < chunks->case_count; c++)
                if (chunks->cases[c].field.rule.kind)
                    return true;
        }
    }
    return false;
}

mst_status mst_check(const mst_document *document, const mst_check_options *options,
                     mst_report_function report, void *user, mst_check_result *result,
                     mst_diagnostic *diagnostic) {
    mst_checker checker = {.document = document, .options = options, .report = report, .user = user};
    checker.failure = diagnostic;
    mst_arena_begin(&checker.scratch, &document->allocator, mst_usual_budget(document->size));
    walk w;
    w.checker = &checker;
    w.watch = document->format->watch;
    w.depth = 0;
    w.target_count = 0;
    mst_walk_request request = mst_walk_of_document(document);
    request.visitor = visit;
    request.user = &w;
    mst_status status = document->format->prepare ? document->format->prepare(&checker) : MST_OK;
    if (status == MST_OK && has_rules(document->format))
        status = mst_walk_field(&request, NULL, diagnostic);
    if (status == MST_OK && document->format->check)
        status = document->format->check(&checker);
    mst_arena_end(&checker.scratch);
    if (result)
        *result = checker.result;
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "there is no memory to check the document");
    return status;
}
