/* SPDX-License-Identifier: MIT */
#include "objects_graph.h"
#include "../../../core/lower_bound.h"
#include "../../present.h"
#include <math.h>
#include <stdlib.h>

static const mst_binding trigger_items[] = {
    MST_BINDING(mst_sfa_trigger, trigger_id, "trigger_id"),
    MST_BINDING(mst_sfa_trigger, activate, "activate"),
    MST_BINDING(mst_sfa_trigger, size, "size"),
    MST_BINDING(mst_sfa_trigger, target, "target"),
    MST_BINDING(mst_sfa_trigger, delay, "delay"),
};
const mst_bindings mst_sfa_trigger_bindings = MST_BINDINGS(mst_sfa_trigger, "trigger", trigger_items);

#define GROUPED    0x10 /* of load_flags */
#define RUNS       0x13 /* of a command's flags: without any of them it never runs */
#define BIT_NUMBER 0x0FFFu
#define ARROWS_MAX 16   /* of one action */
#define ARROWS_ALL 4096 /* in all: more would be unreadable */

/* Commands by which triggers act on objects. */
enum {
    RUN_TRIGGERS = 0x0C,
    GAME_BIT = 0x12,
    LOAD_GROUP,
    UNLOAD_GROUP,
    LOAD_GROUP_OF_MAP = 0x1A,
    UNLOAD_GROUP_OF_MAP,
    GAME_BIT_PART = 0x21,
    TOGGLE_GROUP
};

static bool is_trigger(const mst_sfa_object *object) {
    return object->parameters.document &&
           mst_sfa_layout_of_type((uint32_t)object->type) == MST_SFA_PART_TRIGGER;
}

/* ---- numbers that reach objects ------------------------------------------------------------------ */

static bool add(mst_sfa_graph *graph, mst_sfa_link_kind kind, uint32_t number, uint32_t object) {
    mst_sfa_link *link = mst_array_push(&graph->links, 1);
    if (link)
        *link = (mst_sfa_link){(uint8_t)kind, (uint16_t)number, object};
    return link != NULL;
}

static bool add_bit(mst_sfa_graph *graph, const mst_value *value, uint32_t object) {
    int64_t bit = -1;
    mst_get_integer(value, &bit);
    return bit == -1 || !mst_sfa_is_game_bit((uint16_t)bit) ||
           add(graph, MST_SFA_BY_BIT, (uint32_t)bit & BIT_NUMBER, object);
}

/* Adds the game bits that an object's parameters name. */
static bool add_bits(mst_sfa_graph *graph, const mst_value *parameters, uint32_t object) {
    mst_value value, element;
    bool ok = true;
    for (mst_iterator it = mst_iterate(parameters); ok && mst_next(&it, &value);) {
        const mst_field *field = mst_field_of(&value);
        if (field->unit != mst_sfa_game_bit)
            continue;
        if (!mst_is_list(field)) {
            ok = add_bit(graph, &value, object);
            continue;
        }
        for (mst_iterator each = mst_iterate(&value); ok && mst_next(&each, &element);)
            ok = add_bit(graph, &element, object);
    }
    return ok;
}

static bool add_object(mst_sfa_graph *graph, uint32_t index) {
    const mst_sfa_object *object = &graph->objects->items[index];
    mst_sfa_trigger trigger = {.trigger_id = 0};
    bool grouped = object->load_flags & GROUPED, ok = true;
    if (grouped)
        ok = add(graph, MST_SFA_BY_GROUP, object->bound, index);
    if (ok && object->parameters.document)
        ok = add_bits(graph, &object->parameters, index);
    if (!ok || !is_trigger(object))
        return ok;
    mst_fill(&graph->trigger, &object->parameters, &trigger);
    return trigger.trigger_id <= 0 || add(graph, MST_SFA_BY_CALL, (uint16_t)trigger.trigger_id, index);
}

static int by_key(const void *left, const void *right) {
    const mst_sfa_link *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int by_object(const void *left, const void *right) {
    const mst_sfa_link *a = left, *b = right;
    int order = by_key(a, b);
    return order ? order : (a->object > b->object) - (a->object < b->object);
}

mst_status mst_sfa_graph_begin(mst_sfa_graph *graph, const mst_document *document,
                               const mst_sfa_objects *objects) {
    const mst_sfa_map *map = mst_sfa_map_of_list(document->name);
    size_t kept = 0;
    *graph = (mst_sfa_graph){.objects = objects, .map = map ? map->number : -1};
    graph->links = (mst_array){.element_size = sizeof(mst_sfa_link), .allocator = document->allocator};
    mst_bind(document, &mst_sfa_trigger_bindings, &graph->trigger);
    mst_bind(document, &mst_sfa_command_bindings, &graph->command);
    for (uint32_t i = 0; i < objects->count; i++)
        if (!add_object(graph, i)) {
            mst_sfa_graph_end(graph);
            return MST_NO_MEMORY;
        }
    mst_sfa_link *links = graph->links.items;
    if (graph->links.count)
        qsort(links, graph->links.count, sizeof *links, by_object);
    for (size_t i = 0; i < graph->links.count; i++) /* an object may name a bit several times */
        if (!i || by_object(&links[i], &links[kept - 1]) != 0)
            links[kept++] = links[i];
    graph->links.count = kept;
    return MST_OK;
}

void mst_sfa_graph_end(mst_sfa_graph *graph) {
    mst_array_free(&graph->links);
}

/* ---- actions of triggers ------------------------------------------------------------------------- */

/* The first link whose key is not less, or greater with `after`. */
static size_t bound_of(const mst_sfa_graph *graph, const mst_sfa_link *key, bool after) {
    const mst_sfa_link *all = graph->links.items;
    MST_LOWER_BOUND(low, middle, graph->links.count, by_key(&all[middle], key) < (after ? 1 : 0));
    return low;
}

/* Adds an action by a number, unless it was added before or has no targets. */
static size_t act(const mst_sfa_graph *graph, mst_sfa_link_kind kind, uint32_t number,
                  mst_sfa_action *actions, size_t count) {
    const mst_sfa_link key = {(uint8_t)kind, (uint16_t)number, 0};
    for (size_t i = 0; i < count; i++)
        if (actions[i].kind == key.kind && actions[i].number == key.number)
            return count;
    size_t first = bound_of(graph, &key, false), found = bound_of(graph, &key, true) - first;
    if (found)
        actions[count++] =
            (mst_sfa_action){key.kind, key.number, (const mst_sfa_link *)graph->links.items + first, found};
    return count;
}

static size_t act_by_command(const mst_sfa_graph *graph, const mst_sfa_command *command,
                             mst_sfa_action *actions, size_t count) {
    uint32_t a = command->parameter_1, b = command->parameter_2, both = a << 8 | b;
    if (!(command->flags & RUNS))
        return count;
    switch (command->command) {
    case RUN_TRIGGERS: return act(graph, MST_SFA_BY_CALL, both, actions, count);
    case GAME_BIT: return act(graph, MST_SFA_BY_BIT, both & 0x3FFF, actions, count);
    case GAME_BIT_PART: return act(graph, MST_SFA_BY_BIT, both & 0x1FFF, actions, count);
    case LOAD_GROUP:
    case UNLOAD_GROUP:
    case TOGGLE_GROUP: return act(graph, MST_SFA_BY_GROUP, both, actions, count);
    case LOAD_GROUP_OF_MAP:
    case UNLOAD_GROUP_OF_MAP:
        return (int)b == graph->map ? act(graph, MST_SFA_BY_GROUP, a, actions, count) : count;
    default: return count;
    }
}

size_t mst_sfa_graph_actions(const mst_sfa_graph *graph, uint32_t object,
                             mst_sfa_action actions[MST_SFA_ACTIONS]) {
    const mst_sfa_object *one = &graph->objects->items[object];
    size_t count = 0;
    if (!is_trigger(one))
        return 0;
    mst_sfa_trigger trigger = {.activate = -1};
    mst_fill(&graph->trigger, &one->parameters, &trigger);
    mst_value commands = mst_member_in(&one->parameters, "commands"), value;
    mst_iterator it = mst_iterate(&commands);
    while (count < MST_SFA_ACTIONS - 1 && mst_next(&it, &value)) {
        mst_sfa_command command = {.command = 0};
        mst_fill(&graph->command, &value, &command);
        count = act_by_command(graph, &command, actions, count);
    }
    if (trigger.activate != -1)
        count = act(graph, MST_SFA_BY_BIT, (uint32_t)trigger.activate & BIT_NUMBER, actions, count);
    return count;
}

/* ---- arrows -------------------------------------------------------------------------------------- */

static bool is_finite(const float position[3]) {
    return isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
}

/* Arrows to a group would hide all others: most objects of a map are loaded and unloaded by groups. */
static mst_status add_lines(const mst_sfa_graph *graph, uint32_t object, mst_array *lines) {
    const mst_sfa_object *all = graph->objects->items;
    mst_sfa_action actions[MST_SFA_ACTIONS];
    size_t count = mst_sfa_graph_actions(graph, object, actions);
    for (size_t i = 0; i < count; i++) {
        size_t drawn = actions[i].kind == MST_SFA_BY_GROUP ? 0
                       : actions[i].count > ARROWS_MAX     ? ARROWS_MAX
                                                           : actions[i].count;
        for (size_t k = 0; k < drawn && lines->count < ARROWS_ALL; k++) {
            uint32_t other = actions[i].first[k].object;
            if (other == object || !is_finite(all[object].position) || !is_finite(all[other].position))
                continue;
            mst_map_line *line = mst_array_push(lines, 1);
            if (!line)
                return MST_NO_MEMORY;
            line->kind = MST_MAP_LINK;
            memcpy(line->from, all[object].position, sizeof line->from);
            memcpy(line->to, all[other].position, sizeof line->to);
        }
    }
    return MST_OK;
}

mst_status mst_sfa_trigger_lines(const mst_document *document, mst_array *lines) {
    mst_value root = mst_root(document), list;
    mst_sfa_objects objects;
    mst_sfa_graph graph;
    mst_arena arena;
    if (mst_member(&root, "objects", &list) != MST_OK)
        return MST_OK;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = mst_sfa_read_objects(&list, &arena, &objects);
    if (status == MST_OK)
        status = mst_sfa_graph_begin(&graph, document, &objects);
    if (status == MST_OK) {
        for (uint32_t i = 0; i < objects.count && status == MST_OK; i++)
            status = add_lines(&graph, i, lines);
        mst_sfa_graph_end(&graph);
    }
    mst_arena_end(&arena);
    return status;
}
