/* SPDX-License-Identifier: MIT */
/* The grid's cells after edits: their boxes, cells that have become empty, and re-filing all meshes. */
#include "grid.h"
#include "../../core/diagnose.h"
#include "../../core/number.h"
#include "../../edit/fix_findings.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "turok.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- the lattice -------------------------------------------------------------------------------- */

#define BIGGEST 3.4e38 /* about the largest float; not exceeded by real coordinates */

bool mst_turok_lattice_of(const mst_turok_box *all, int64_t width, int64_t height,
                          mst_turok_lattice *lattice) {
    const int64_t size[2] = {width, height};
    for (unsigned k = 0; k < 2; k++) {
        if (!(all->low[k] >= -BIGGEST && all->high[k] <= BIGGEST && all->low[k] <= all->high[k]) ||
            size[k] <= 0)
            return false;
        lattice->low[k] = all->low[k];
        lattice->pitch[k] = (all->high[k] - all->low[k]) / (double)size[k];
        lattice->size[k] = size[k];
    }
    return true;
}

mst_turok_box mst_turok_corner_of(const mst_turok_lattice *lattice, uint64_t cell) {
    mst_turok_box corner = mst_turok_no_box;
    const uint64_t at[2] = {cell % (uint64_t)lattice->size[0], cell / (uint64_t)lattice->size[0]};
    for (unsigned k = 0; k < 2; k++)
        corner.low[k] = corner.high[k] = lattice->low[k] + (double)at[k] * lattice->pitch[k];
    return corner;
}

uint64_t mst_turok_cell_of(const mst_turok_lattice *lattice, const double origin[2]) {
    int64_t at[2];
    for (unsigned k = 0; k < 2; k++) {
        double cell = lattice->pitch[k] > 0 ? (origin[k] - lattice->low[k]) / lattice->pitch[k] : 0;
        at[k] = !(cell >= 0) ? 0 : cell < (double)lattice->size[k] ? (int64_t)cell : lattice->size[k] - 1;
    }
    return (uint64_t)(at[1] * lattice->size[0] + at[0]);
}

/* ---- the cells of a document -------------------------------------------------------------------- */

typedef struct cell {
    mst_turok_box box;
    uint64_t meshes; /* 0: `box` is the corner of the lattice, or there is no box */
    bool bare;       /* without the lists that cells with meshes have */
} cell;

typedef struct grid {
    const mst_document *document;
    mst_value sections;
    mst_column low, high; /* the stored boxes */
    cell *cells;
    uint64_t count;
    mst_turok_lattice lattice;
    bool has_lattice;
} grid;

static double real_at(const mst_column *column, uint64_t index, unsigned k) {
    return (double)mst_f32_of_bits(mst_column_u32(column, index, k));
}

static mst_turok_box box_of_meshes(const mst_value *list) {
    mst_column origins = mst_column_in(list, "origin"), lows = mst_column_in(list, "bounds_min"),
               highs = mst_column_in(list, "bounds_max");
    mst_turok_box all = mst_turok_no_box, one;
    for (uint64_t i = 0; i < origins.count; i++) {
        for (unsigned k = 0; k < 2; k++) {
            one.low[k] = real_at(&origins, i, k) + real_at(&lows, i, k);
            one.high[k] = real_at(&origins, i, k) + real_at(&highs, i, k);
        }
        mst_turok_grow(&all, &one);
    }
    return all;
}

/* MST_UNKNOWN: the parts of the grid contradict each other. */
static mst_status read_grid(const mst_document *document, mst_arena *arena, grid *g) {
    mst_value root = mst_root(document), bounds = mst_member_in(&root, "grid_bounds"),
              sizes = mst_member_in(&bounds, "size"), low = mst_member_in(&bounds, "minimums"),
              high = mst_member_in(&bounds, "maximums"), section, meshes, number;
    int64_t size[2] = {0, 0};
    mst_turok_box all = mst_turok_no_box;
    memset(g, 0, sizeof *g);
    g->document = document;
    g->sections = mst_member_in(&root, "grid_sections");
    g->low = mst_column_in(&low, "corner");
    g->high = mst_column_in(&high, "corner");
    g->count = mst_count(&g->sections);
    for (uint64_t k = 0; k < 2 && mst_count(&sizes) == 2; k++)
        if (mst_element(&sizes, k, &number) == MST_OK)
            mst_get_integer(&number, &size[k]);
    if (size[0] <= 0 || size[1] <= 0 || (uint64_t)(size[0] * size[1]) != g->count ||
        g->low.count != g->count || g->high.count != g->count)
        return MST_UNKNOWN;
    g->cells = mst_arena_zero(arena, (size_t)g->count, sizeof *g->cells);
    if (!g->cells)
        return MST_NO_MEMORY;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&g->sections); index < g->count && mst_next(&it, &section); index++) {
        cell *c = &g->cells[index];
        c->bare = mst_member(&section, "static_meshes", &meshes) != MST_OK;
        c->meshes = c->bare ? 0 : mst_count(&meshes);
        if (!c->meshes)
            continue;
        c->box = box_of_meshes(&meshes);
        mst_turok_grow(&all, &c->box);
        c->box = mst_turok_cell_box(&c->box);
    }
    g->has_lattice = mst_turok_lattice_of(&all, size[0], size[1], &g->lattice);
    for (index = 0; index < g->count; index++)
        if (!g->cells[index].meshes)
            g->cells[index].box = g->has_lattice ? mst_turok_corner_of(&g->lattice, index) : mst_turok_no_box;
    return MST_OK;
}

/* ---- boxes -------------------------------------------------------------------------------------- */

/* An edge of a cell's box: 0 and 1 of its minimum, 2 and 3 of its maximum. */
static double edge_of(const mst_turok_box *box, unsigned edge) {
    return edge < 2 ? box->low[edge] : box->high[edge - 2];
}
static double stored_edge(const grid *g, uint64_t index, unsigned edge) {
    return edge < 2 ? real_at(&g->low, index, edge) : real_at(&g->high, index, edge - 2);
}

static void store_edge(const grid *g, uint8_t *bytes, uint64_t index, unsigned edge, double number) {
    const mst_column *column = edge < 2 ? &g->low : &g->high;
    if (!(number >= -BIGGEST && number <= BIGGEST))
        return;
    mst_store32(bytes + mst_column_offset(g->document, column, index) + 4 * (edge % 2),
                mst_bits_of_f32((float)number), column->big);
}

/* An edge is updated if its meshes' edge changed. An edge that was wrong before only grows, because it may
 * enclose other things. An edge that the edit has set stays. */
static void follow_edge(const grid *was, const grid *now, uint8_t *bytes, uint64_t index, unsigned edge) {
    const cell *old = &was->cells[index], *new = &now->cells[index];
    double before = edge_of(&old->box, edge), after = edge_of(&new->box, edge),
           stored = stored_edge(now, index, edge);
    bool kind = !old->meshes != !new->meshes, low = edge < 2;
    if ((!kind && before >= after && before <= after) || stored < stored_edge(was, index, edge) ||
        stored > stored_edge(was, index, edge))
        return;
    bool grows = new->meshes && (low ? after < stored : after > stored);
    if (kind || grows || !mst_turok_is_off(stored, before))
        store_edge(now, bytes, index, edge, after);
}

/* Removes the lists of cells whose last mesh was removed. */
static mst_status empty_cells(const grid *was, const grid *now, mst_document *after,
                              mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < now->count && status == MST_OK; i++) {
        char path[48];
        if (now->cells[i].meshes || now->cells[i].bare || !was->cells[i].meshes)
            continue;
        snprintf(path, sizeof path, "grid_sections[%llu]", (unsigned long long)i);
        status = mst_edit_set(after, path, "{}", diagnostic);
    }
    return status;
}

mst_status mst_turok_settle_grid(const mst_document *before, mst_document *after,
                                 mst_diagnostic *diagnostic) {
    mst_arena arena;
    grid was = {0}, now = {0};
    mst_arena_begin(&arena, &before->allocator, 0);
    mst_status status = read_grid(before, &arena, &was);
    if (status == MST_OK)
        status = read_grid(after, &arena, &now);
    if (status == MST_OK && was.count == now.count) {
        status = empty_cells(&was, &now, after, diagnostic);
        cell *cells = now.cells;
        if (status == MST_OK)
            status = read_grid(after, &arena, &now); /* offsets have changed */
        if (status == MST_OK)
            now.cells = cells;
        for (uint64_t i = 0; status == MST_OK && i < now.count; i++)
            for (unsigned edge = 0; edge < 4; edge++)
                follow_edge(&was, &now, mst_edit_bytes(after), i, edge);
    }
    mst_arena_end(&arena);
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for the edit");
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* ---- re-filing all meshes ---------------------------------------------------------------------------- */

/* A mesh, with its new and old cells. */
typedef struct filed {
    uint64_t to, from, index;
    mst_value mesh, model;
} filed;

static int by_cell(const void *left, const void *right) {
    const filed *a = left, *b = right;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    bool stays_a = a->to == a->from, stays_b = b->to == b->from; /* meshes already there are first */
    if (stays_a != stays_b)
        return stays_a ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static mst_status collect(const grid *g, filed *all, uint64_t count, uint64_t *there, bool *moved) {
    mst_value section, meshes, models;
    uint64_t cell_index = 0;
    *there = 0;
    for (mst_iterator it = mst_iterate(&g->sections); mst_next(&it, &section); cell_index++) {
        if (mst_member(&section, "static_meshes", &meshes) != MST_OK ||
            mst_member(&section, "models", &models) != MST_OK)
            continue;
        if (mst_count(&meshes) != mst_count(&models))
            return MST_REFUSED;
        mst_column origins = mst_column_in(&meshes, "origin");
        for (uint64_t i = 0; i < origins.count && *there < count; i++) {
            const double origin[2] = {real_at(&origins, i, 0), real_at(&origins, i, 1)};
            filed *made = &all[(*there)++];
            *made = (filed){.to = mst_turok_cell_of(&g->lattice, origin),
                            .from = cell_index,
                            .index = i,
                            .mesh = mst_element_in(&meshes, i),
                            .model = mst_element_in(&models, i)};
            *moved = *moved || made->to != cell_index;
        }
    }
    return MST_OK;
}

static mst_status put_list(const filed *all, uint64_t count, const char *name, bool models,
                           mst_buffer *text) {
    static const mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_sink sink = mst_buffer_sink(text);
    mst_status status = sink.write(sink.user, name, strlen(name));
    for (uint64_t i = 0; i < count && status == MST_OK; i++) {
        if (i)
            status = sink.write(sink.user, ",", 1);
        if (status == MST_OK)
            status = mst_write_json(models ? &all[i].model : &all[i].mesh, &compact, sink, NULL);
    }
    return status == MST_OK ? sink.write(sink.user, "]", 1) : status;
}

static mst_status put_cells(const filed *all, uint64_t count, uint64_t cells, mst_buffer *text) {
    mst_sink sink = mst_buffer_sink(text);
    mst_status status = sink.write(sink.user, "[", 1);
    for (uint64_t c = 0, first = 0, end; c < cells && status == MST_OK; c++, first = end) {
        for (end = first; end < count && all[end].to == c;)
            end++;
        status = sink.write(sink.user, c ? ",{" : "{", c ? 2 : 1);
        if (status == MST_OK && end > first)
            status = put_list(all + first, end - first, "\"static_meshes\":[", false, text);
        if (status == MST_OK && end > first)
            status = put_list(all + first, end - first, ",\"models\":[", true, text);
        if (status == MST_OK)
            status = sink.write(sink.user, "}", 1);
    }
    return status == MST_OK ? sink.write(sink.user, "]", 2) : status;
}

static mst_status file_meshes(mst_document *document, const grid *g, mst_arena *arena,
                              mst_diagnostic *diagnostic) {
    uint64_t count = 0, there;
    bool moved = false;
    mst_value root = mst_root(document), table;
    for (uint64_t i = 0; i < g->count; i++)
        count += g->cells[i].meshes;
    filed *all = mst_arena_take(arena, (size_t)count + 1, sizeof *all);
    if (!all)
        return MST_NO_MEMORY;
    mst_status status = collect(g, all, count, &there, &moved);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "a cell has another number of meshes than of models");
    if (!moved)
        return MST_OK;
    qsort(all, (size_t)there, sizeof *all, by_cell);
    mst_buffer text = {.allocator = document->allocator};
    status = put_cells(all, there, g->count, &text);
    if (status == MST_OK)
        status = mst_edit_set(document, "grid_sections", (const char *)text.data, diagnostic);
    mst_buffer_free(&text);
    root = mst_root(document);
    if (status == MST_OK && mst_member(&root, "visibility", &table) == MST_OK) /* mesh numbers have changed */
        status = mst_edit_remove(document, "visibility", diagnostic);
    return status;
}

mst_status mst_turok_refile(mst_document *document, mst_diagnostic *diagnostic) {
    mst_arena arena;
    grid g;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = read_grid(document, &arena, &g);
    if (status == MST_OK && g.has_lattice)
        status = file_meshes(document, &g, &arena, diagnostic);
    if (status == MST_OK)
        status = read_grid(document, &arena, &g);
    for (uint64_t i = 0; status == MST_OK && i < g.count; i++)
        for (unsigned edge = 0; edge < 4; edge++)
            if (mst_turok_is_off(stored_edge(&g, i, edge), edge_of(&g.cells[i].box, edge)))
                store_edge(&g, mst_edit_bytes(document), i, edge, edge_of(&g.cells[i].box, edge));
    mst_arena_end(&arena);
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for the grid");
    return status == MST_UNKNOWN
               ? mst_fail(diagnostic, MST_REFUSED, "the size of the grid and its cells contradict each other")
               : status;
}

/* Corrects only the edges that are off; the others may be rounded differently. */
mst_status mst_turok_fix_cell(mst_fix_context *fixing) {
    const char *number = strchr(fixing->finding->path, '[');
    uint64_t index = number ? strtoull(number + 1, NULL, 10) : UINT64_MAX;
    mst_arena arena;
    grid g;
    mst_arena_begin(&arena, &fixing->document->allocator, 0);
    mst_status status = read_grid(fixing->document, &arena, &g);
    for (unsigned edge = 0; edge < 4 && status == MST_OK && index < g.count; edge++) {
        double should = edge_of(&g.cells[index].box, edge);
        char path[64], json[32];
        if (!mst_turok_is_off(stored_edge(&g, index, edge), should) ||
            !(should >= -BIGGEST && should <= BIGGEST))
            continue;
        snprintf(path, sizeof path, "grid_bounds.%s[%llu][%u]", edge < 2 ? "minimums" : "maximums",
                 (unsigned long long)index, edge % 2);
        json[mst_write_f32(json, (float)should)] = '\0';
        status = fixing->set(fixing, path, json);
    }
    mst_arena_end(&arena);
    return status == MST_UNKNOWN ? MST_OK : status;
}
