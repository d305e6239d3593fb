/* SPDX-License-Identifier: MIT */
/* Findings that can be mended: collected by a check, corrected by one edit. */
#include "mend.h"
#include "../core/diagnose.h"
#include "../read/engine.h"
#include <mapstone/edit.h>
#include <stdio.h>
#include <stdlib.h>

/* Mended values may determine others: a block's range of heights follows from its groups' boxes. */
#define ROUNDS 4

static const mst_mender *mend_of(const mst_format *format, const char *code) {
    const mst_mender *mend = format->check.mends;
    while (mend && mend->code && strcmp(mend->code, code) != 0)
        mend++;
    return mend && mend->code ? mend : NULL;
}

const char *mst_mend_of(const mst_format_information *format, const char *code) {
    const mst_format *known = mst_format_of(format);
    const mst_mender *mend = known && code ? mend_of(known, code) : NULL;
    return mend ? mend->documentation : NULL;
}

/* A value to set. */
typedef struct planned {
    const char *code, *path, *json;
} planned;

typedef struct mender {
    mst_mending mending; /* first: formats get a pointer to it */
    mst_mend_options options;
    mst_arena arena;
    mst_array all; /* planned */
    const char *code;
    uint64_t changes;
} mender;

static mst_status plan(mst_mending *mending, const char *path, const char *json) {
    mender *m = (mender *)mending;
    planned *one = mst_array_push(&m->all, 1);
    if (!one)
        return MST_NO_MEMORY;
    one->code = m->code;
    one->path = mst_arena_text(&m->arena, path, strlen(path));
    one->json = mst_arena_text(&m->arena, json, strlen(json));
    return one->path && one->json ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_mend_as_expected(mst_mending *mending) {
    char json[sizeof mending->finding->expected + 3];
    const char *expected = mending->finding->expected;
    bool list = strchr(expected, ',') != NULL;
    if (*expected != '-' && (*expected < '0' || *expected > '9'))
        return MST_OK; /* the value is not certain */
    if (strncmp(expected, "0x", 2) == 0)
        snprintf(json, sizeof json, "%lu", strtoul(expected, NULL, 16));
    else
        snprintf(json, sizeof json, "%s%s%s", list ? "[" : "", expected, list ? "]" : "");
    return mending->set(mending, mending->finding->path, json);
}

static mst_status take(void *user, const mst_diagnostic *finding) {
    mender *m = user;
    const mst_mender *mend = mend_of(m->mending.document->format, finding->code);
    if (!mend || (m->options.wants && !m->options.wants(m->options.user, finding->code)))
        return MST_OK;
    m->code = mend->code;
    m->mending.finding = finding;
    return mend->mend ? mend->mend(&m->mending) : mst_mend_as_expected(&m->mending);
}

static mst_status take_change(void *user, const mst_edit_change *change) {
    mender *m = user;
    const mst_mended mended = {m->code, change->path, change->old, change->now};
    m->changes++;
    return m->options.mended ? m->options.mended(m->options.user, &mended) : MST_OK;
}

/* Corrects the current findings of the checks. */
static mst_status mend_once(mender *m, mst_transaction *transaction, mst_diagnostic *diagnostic) {
    mst_check_options how = {.size = sizeof how, .information = 1};
    if (m->options.checks)
        how = *m->options.checks;
    how.information = 1;
    how.details = 0; /* each is needed with its place */
    m->mending.document = mst_edit_document(transaction);
    if (!m->mending.document)
        return MST_OK; /* commit reports why */
    m->all.count = 0;
    mst_status status = mst_check(m->mending.document, &how, take, m, NULL, diagnostic);
    for (size_t i = 0; i < m->all.count && status == MST_OK; i++) {
        const planned *one = (const planned *)m->all.items + i;
        const mst_operation set = {.path = one->path, .value = one->json};
        m->code = one->code;
        status = mst_edit_apply(transaction, &set, diagnostic);
    }
    return status;
}

mst_status mst_mend(mst_document *document, const mst_mend_options *options, uint64_t *count,
                    mst_diagnostic *diagnostic) {
    if (count)
        *count = 0;
    if (!document)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document is needed");
    mender m = {.mending = {.set = plan}};
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
    bool mended = true;
    for (int round = 0; round < ROUNDS && status == MST_OK && mended; round++) {
        const uint64_t before = m.changes;
        status = mend_once(&m, transaction, diagnostic);
        mended = m.changes != before;
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to mend the document");
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
