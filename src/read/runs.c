/* SPDX-License-Identifier: MIT */
/* The fields that a visitor that wants few fields skips. */
#include "engine.h"

typedef struct wanted {
    const mst_document *document;
    mst_wants wants;
    void *user;
    mst_run **runs; /* by record index */
    uint8_t *any;   /* by record index: whether something in it is visited */
} wanted;

static uint8_t met(const wanted *w, const mst_field *field) {
    bool within = field->kind == MST_KIND_CHUNKS || (field->record && w->any[field->record->index]);
    return within ? MST_MET_ALL : w->wants(w->user, field);
}

/* Marks the visited fields of a record; whether any of them are new. */
static bool mark_met(wanted *w, const mst_record *record) {
    const mst_field_plan *fields = mst_plan_of(w->document, record)->fields;
    bool more = false;
    for (uint16_t f = 0; f < record->field_count; f++) {
        mst_run *run = &w->runs[record->index][f];
        if (run->met || fields[f].presence == MST_ABSENT)
            continue;
        run->met = met(w, &record->fields[f]);
        if (!run->met)
            continue;
        more = true;
        w->any[record->index] = 1;
    }
    return more;
}

/* Records may contain each other: passes are repeated until nothing changes. */
static void mark_all(wanted *w, const mst_record *const *records, size_t count) {
    for (bool more = true; more;) {
        more = false;
        for (size_t r = 0; r < count; r++)
            more = mark_met(w, records[r]) || more;
    }
}

mst_status mst_runs_between(const mst_document *document, mst_wants wants, void *user, mst_arena *arena,
                            const mst_run *const **runs, bool *any) {
    const mst_record *const *records = document->format->tables.records;
    const size_t count = document->format->tables.record_count;
    wanted w = {document, wants, user, mst_arena_take(arena, count, sizeof *w.runs),
                mst_arena_zero(arena, count, 1)};
    if (!w.runs || !w.any)
        return MST_NO_MEMORY;
    for (size_t r = 0; r < count; r++) {
        w.runs[r] = mst_arena_zero(arena, records[r]->field_count, sizeof **w.runs);
        if (!w.runs[r])
            return MST_NO_MEMORY;
    }
    mark_all(&w, records, count);
    for (size_t r = 0; r < count; r++)
        mst_find_runs(records[r], mst_plan_of(document, records[r])->fields, w.runs[r]);
    *any = w.any[document->format->tables.root->index] != 0;
    *runs = (const mst_run *const *)w.runs;
    return MST_OK;
}
