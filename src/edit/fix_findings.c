/* SPDX-License-Identifier: MIT */
/* Findings that can be fixed: collected by a check, corrected by one edit. */
#include "fix_findings.h"
#include "../core/diagnose.h"
#include "../read/engine.h"
#include <mapstone/edit.h>
#include <stdio.h>
#include <stdlib.h>

/* Fixed values may determine others: a block's range of heights follows from its groups' boxes. */
#define ROUNDS 4

static const mst_fix_rule *fix_of(const mst_format *format, const char *code) {
    const mst_fix_rule *fix = format->check.fixes;
    while (fix && fix->code && strcmp(fix->code, code) != 0)
        fix++;
    return fix && fix->code ? fix : NULL;
}

const char *mst_fix_of(const mst_format_information *format, const char *code) {
    const mst_format *known = mst_format_of(format);
    const mst_fix_rule *fix = known && code ? fix_of(known, code) : NULL;
    return fix ? fix->documentation : NULL;
}

/* A value to set. */
typedef struct planned {
    const char *code, *path, *json;
} planned;

typedef struct fix_state {
    mst_fix_context fixing; /* first: formats get a pointer to it */
    mst_fix_options options;
    mst_arena arena;
    mst_array all; /* planned */
    const char *code;
    uint64_t changes;
} fix_state;

static mst_status plan(mst_fix_context *fixing, const char *path, const char *json) {
    fix_state *m = (fix_state *)fixing;
    planned *one = mst_array_push(&m->all, 1);
    if (!one)
        return MST_NO_MEMORY;
    one->code = m->code;
    one->path = mst_arena_text(&m->arena, path, strlen(path));
    one->json = mst_arena_text(&m->arena, json, strlen(json));
    return one->path && one->json ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_fix_as_expected(mst_fix_context *fixing) {
    char json[sizeof fixing->finding->expected + 3];
    const char *expected = fixing->finding->expected;
    bool list = strchr(expected, ',') != NULL;
    if (*expected != '-' && (*expected < '0' || *expected > '9'))
        return MST_OK; /* the value is not certain */
    if (strncmp(expected, "0x", 2) == 0)
        snprintf(json, sizeof json, "%lu", strtoul(expected, NULL, 16));
    else
        snprintf(json, sizeof json, "%s%s%s", list ? "[" : "", expected, list ? "]" : "");
    return fixing->set(fixing, fixing->finding->path, json);
}

static mst_status take(void *user, const mst_diagnostic *finding) {
    fix_state *m = user;
    const mst_fix_rule *fix = fix_of(m->fixing.document->format, finding->code);
    if (!fix || (m->options.wants && !m->options.wants(m->options.user, finding->code)))
        return MST_OK;
    m->code = fix->code;
    m->fixing.finding = finding;
    return fix->fix ? fix->fix(&m->fixing) : mst_fix_as_expected(&m->fixing);
}

static mst_status take_change(void *user, const mst_edit_change *change) {
    fix_state *m = user;
    const mst_fixed_value fixed = {m->code, change->path, change->old, change->now};
    m->changes++;
    return m->options.fixed ? m->options.fixed(m->options.user, &fixed) : MST_OK;
}

/* Corrects the current findings of the checks. */
static mst_status fix_once(fix_state *m, mst_transaction *transaction, mst_diagnostic *diagnostic) {
    mst_check_options how = {.size = sizeof how, .information = 1};
    if (m->options.checks)
        how = *m->options.checks;
    how.information = 1;
    how.details = 0; /* each is needed with its place */
    m->fixing.document = mst_edit_document(transaction);
    if (!m->fixing.document)
        return MST_OK; /* commit reports why */
    m->all.count = 0;
    mst_status status = mst_check(m->fixing.document, &how, take, m, NULL, diagnostic);
    for (size_t i = 0; i < m->all.count && status == MST_OK; i++) {
        const planned *one = (const planned *)m->all.items + i;
        const mst_operation set = {.path = one->path, .value = one->json};
        m->code = one->code;
        status = mst_edit_apply(transaction, &set, diagnostic);
    }
    return status;
}

mst_status mst_fix(mst_document *document, const mst_fix_options *options, uint64_t *count,
                   mst_diagnostic *diagnostic) {
    if (count)
        *count = 0;
    if (!document)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document is needed");
    fix_state m = {.fixing = {.set = plan}};
    m.all = (mst_array){.element_size = sizeof(planned), .allocator = document->allocator};
    mst_status status = mst_take_options(&m.options, sizeof m.options, options, diagnostic);
    if (status != MST_OK)
        return status;
    const mst_check_options none = {.size = sizeof none};
    const mst_edit_options edit = {.size = sizeof edit,
                                   .checks = m.options.checks ? m.options.checks : &none,
                                   .change = take_change,
                                   .user = &m};
    mst_transaction *transaction = NULL;
    status = mst_edit_begin(document, &edit, &transaction, diagnostic);
    if (status != MST_OK)
        return status;
    mst_arena_begin(&m.arena, &document->allocator, 0);
    bool fixed = true;
    for (int round = 0; round < ROUNDS && status == MST_OK && fixed; round++) {
        const uint64_t before = m.changes;
        status = fix_once(&m, transaction, diagnostic);
        fixed = m.changes != before;
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to fix the document");
    if (status == MST_OK && m.changes)
        status = mst_edit_commit(transaction, diagnostic);
    else
        mst_edit_abort(transaction);
    mst_arena_end(&m.arena);
    mst_array_free(&m.all);
    if (count && status == MST_OK)
        *count = m.changes;
    return status;
}
