/* SPDX-License-Identifier: MIT */
#include "ns2_graph.h"
#include "../../core/lower_bound.h"
#include "../../core/text.h"
#include <mapstone/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRAINS_MAX 16   /* with one name */
#define ARROWS_MAX 16   /* from one entity by one property */
#define ARROWS_ALL 4096 /* in all: more would be unreadable */

void mst_ns2_graph_begin(mst_ns2_graph *graph, mst_arena *arena) {
    const mst_allocator *with = &arena->allocator;
    *graph = (mst_ns2_graph){
        .arena = arena,
        .entities = {.element_size = sizeof(mst_ns2_entity), .allocator = *with},
        .targets = {.element_size = sizeof(mst_ns2_target), .allocator = *with},
        .references = {.element_size = sizeof(mst_ns2_reference), .allocator = *with},
        .stops = {.element_size = sizeof(mst_ns2_stop), .allocator = *with},
    };
}

void mst_ns2_graph_end(mst_ns2_graph *graph) {
    mst_array_free(&graph->entities);
    mst_array_free(&graph->targets);
    mst_array_free(&graph->references);
    mst_array_free(&graph->stops);
}

static void *push(mst_ns2_graph *graph, mst_array *to) {
    void *added = graph->status == MST_OK ? mst_array_push(to, 1) : NULL;
    if (!added)
        graph->status = MST_NO_MEMORY;
    return added;
}

static const char *keep(mst_ns2_graph *graph, const char *text) {
    const char *copy = graph->status == MST_OK ? mst_arena_text(graph->arena, text, strlen(text)) : NULL;
    if (!copy)
        graph->status = MST_NO_MEMORY;
    return copy ? copy : "";
}

static const char *text_of(mst_ns2_graph *graph, const mst_value *value) {
    size_t length = 0;
    mst_get_text(value, NULL, 0, &length);
    char *text = graph->status == MST_OK ? mst_arena_take(graph->arena, length + 1, 1) : NULL;
    if (!text) {
        graph->status = MST_NO_MEMORY;
        return "";
    }
    text[0] = 0;
    mst_get_text(value, text, length + 1, NULL);
    return text;
}

/* ---- collecting --------------------------------------------------------------------------------- */

static void enter_class(mst_ns2_graph *graph, const char *class_name) {
    if (graph->class_name && strcmp(graph->class_name, class_name) == 0)
        return;
    graph->class_name = keep(graph, class_name);
    graph->from = graph->to = 0;
    for (uint32_t i = 0; i < MST_NS2_RELATIONS; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        graph->from |= (uint32_t)mst_ns2_relation_has(one->from, class_name) << i;
        graph->to |= (uint32_t)mst_ns2_relation_has(one->to, class_name) << mst_ns2_targets_of(i);
    }
}

void mst_ns2_graph_enter(mst_ns2_graph *graph, const char *path, uint64_t index, const char *class_name) {
    enter_class(graph, class_name);
    graph->first = graph->references.count;
    graph->order = 0;
    mst_ns2_entity *entity = push(graph, &graph->entities);
    if (entity)
        *entity = (mst_ns2_entity){path, index, graph->class_name, "", {0, 0, 0}};
}

static mst_ns2_entity *current(mst_ns2_graph *graph) {
    return (mst_ns2_entity *)graph->entities.items + (graph->entities.count - 1);
}

/* The three numbers of a position; numbers that are not finite become 0, as in the scene. */
static void take_origin(mst_ns2_graph *graph, const mst_value *value) {
    float *origin = current(graph)->origin;
    uint64_t read;
    mst_target target = {.type = MST_F32, .components = 1, .data = origin, .capacity = 3};
    mst_read(value, &target, &read, NULL);
    for (int i = 0; i < 3; i++)
        origin[i] = isfinite(origin[i]) ? origin[i] : 0;
}

/* Keeps the value as a target, as a reference or as both. */
static void take(mst_ns2_graph *graph, uint32_t relation, bool from, bool to, const char *name,
                 const mst_value *value) {
    const mst_ns2_relation *one = &mst_ns2_relations[relation];
    bool by_name = one->how == MST_NS2_BY_NAME;
    int64_t number = 0;
    mst_type type = mst_value_type(value);
    if (by_name ? type != MST_TYPE_TEXT : mst_get_integer(value, &number) != MST_OK)
        return;
    const char *text = by_name ? text_of(graph, value) : NULL;
    if (by_name ? !*text : one->zero_is_none && !number)
        return;
    uint32_t entity = (uint32_t)(graph->entities.count - 1);
    mst_ns2_target *target = to ? push(graph, &graph->targets) : NULL;
    if (target)
        *target = (mst_ns2_target){relation, entity, text, (int32_t)number};
    const char *property = from ? keep(graph, name) : NULL;
    mst_ns2_reference *reference = from ? push(graph, &graph->references) : NULL;
    if (reference)
        *reference = (mst_ns2_reference){.entity = entity,
                                         .relation = relation,
                                         .property = property,
                                         .text = text,
                                         .number = (int32_t)number};
}

void mst_ns2_graph_property(mst_ns2_graph *graph, const char *name, const mst_value *value) {
    mst_value first;
    size_t length = strlen(name);
    if (graph->status != MST_OK || mst_element(value, 0, &first) != MST_OK)
        return;
    if (strcmp(name, "origin") == 0 && mst_count(value) == 3)
        take_origin(graph, value);
    for (uint32_t i = 0, bits = graph->from | graph->to; bits >> i && graph->status == MST_OK; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        bool from = graph->from >> i & 1, to = graph->to >> i & 1;
        if (from && one->order && strcmp(name, one->order) == 0)
            mst_get_real(&first, &graph->order);
        from = from && mst_ns2_relation_names(one->property, name, length);
        to = to && mst_ns2_relation_names(one->target, name, length);
        if (from || to)
            take(graph, i, from, to, name, &first);
    }
    if (strcmp(name, "name") == 0 && mst_value_type(&first) == MST_TYPE_TEXT && !*current(graph)->name)
        current(graph)->name = text_of(graph, &first);
}

/* Whether the entity has the property that takes precedence over the relation's. */
static bool has_other(const mst_ns2_graph *graph, const mst_ns2_relation *relation) {
    const mst_ns2_reference *all = graph->references.items;
    for (size_t i = graph->first; relation->instead && i < graph->references.count; i++)
        if (strcmp(all[i].property, relation->instead) == 0)
            return true;
    return false;
}

void mst_ns2_graph_leave(mst_ns2_graph *graph) {
    mst_ns2_reference *all = graph->references.items;
    size_t kept = graph->first;
    for (size_t i = graph->first; i < graph->references.count; i++) {
        all[i].order = isfinite(graph->order) ? graph->order : 0;
        if (!has_other(graph, &mst_ns2_relations[all[i].relation]))
            all[kept++] = all[i];
    }
    graph->references.count = kept;
}

/* ---- resolving ---------------------------------------------------------------------------------- */

static int compare_keys(const mst_ns2_target *a, const mst_ns2_target *b) {
    if (a->relation != b->relation)
        return a->relation < b->relation ? -1 : 1;
    return a->text ? mst_compare_letters(a->text, b->text)
                   : (a->number > b->number) - (a->number < b->number);
}

static int by_key(const void *left, const void *right) {
    const mst_ns2_target *a = left, *b = right;
    int order = compare_keys(a, b);
    return order ? order : (a->entity > b->entity) - (a->entity < b->entity);
}

/* The first target whose key is not less, or greater with `after`. */
static uint32_t bound_of(const mst_ns2_graph *graph, const mst_ns2_target *key, bool after) {
    const mst_ns2_target *all = graph->targets.items;
    MST_LOWER_BOUND(low, middle, graph->targets.count, compare_keys(&all[middle], key) < (after ? 1 : 0));
    return (uint32_t)low;
}

static int by_stop(const void *left, const void *right) {
    const mst_ns2_stop *a = left, *b = right;
    if (a->train != b->train)
        return a->train < b->train ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->waypoint > b->waypoint) - (a->waypoint < b->waypoint);
}

static void add_stops(mst_ns2_graph *graph, const mst_ns2_reference *reference) {
    const mst_ns2_target *targets = graph->targets.items;
    for (uint32_t k = 0; k < reference->count && k < TRAINS_MAX; k++) {
        mst_ns2_stop *stop = push(graph, &graph->stops);
        if (stop)
            *stop = (mst_ns2_stop){targets[reference->first + k].entity, reference->entity, reference->order};
    }
}

mst_status mst_ns2_graph_resolve(mst_ns2_graph *graph) {
    mst_ns2_reference *all = graph->references.items;
    if (graph->targets.count)
        qsort(graph->targets.items, graph->targets.count, sizeof(mst_ns2_target), by_key);
    for (size_t i = 0; i < graph->references.count && graph->status == MST_OK; i++) {
        const mst_ns2_target key = {mst_ns2_targets_of(all[i].relation), 0, all[i].text, all[i].number};
        all[i].first = bound_of(graph, &key, false);
        all[i].count = bound_of(graph, &key, true) - all[i].first;
        if (mst_ns2_relations[all[i].relation].order)
            add_stops(graph, &all[i]);
    }
    if (graph->stops.count)
        qsort(graph->stops.items, graph->stops.count, sizeof(mst_ns2_stop), by_stop);
    return graph->status;
}

const mst_ns2_entity *mst_ns2_graph_target(const mst_ns2_graph *graph, const mst_ns2_reference *reference,
                                           uint32_t k) {
    const mst_ns2_target *targets = graph->targets.items;
    return (const mst_ns2_entity *)graph->entities.items + targets[reference->first + k].entity;
}

/* ---- arrows ------------------------------------------------------------------------------------- */

static void add_line(mst_ns2_graph *graph, mst_array *lines, const mst_ns2_entity *from,
                     const mst_ns2_entity *to) {
    mst_map_line *line = from != to && lines->count < ARROWS_ALL ? push(graph, lines) : NULL;
    if (!line)
        return;
    line->kind = MST_MAP_LINK;
    memcpy(line->from, from->origin, sizeof line->from);
    memcpy(line->to, to->origin, sizeof line->to);
}

mst_status mst_ns2_graph_lines(mst_ns2_graph *graph, mst_array *lines) {
    const mst_ns2_entity *entities = graph->entities.items;
    const mst_ns2_reference *all = graph->references.items;
    const mst_ns2_stop *stops = graph->stops.items;
    for (size_t i = 0; i < graph->references.count; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[all[i].relation];
        const mst_ns2_entity *own = &entities[all[i].entity];
        for (uint32_t k = 0; one->acts && k < all[i].count && k < ARROWS_MAX; k++) {
            const mst_ns2_entity *other = mst_ns2_graph_target(graph, &all[i], k);
            add_line(graph, lines, one->reversed ? other : own, one->reversed ? own : other);
        }
    }
    for (size_t i = 0; i < graph->stops.count; i++) {
        bool first = !i || stops[i - 1].train != stops[i].train;
        add_line(graph, lines, &entities[first ? stops[i].train : stops[i - 1].waypoint],
                 &entities[stops[i].waypoint]);
    }
    return graph->status;
}
