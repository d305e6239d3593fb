/* SPDX-License-Identifier: MIT */
/* The effects of entities on each other, in words: a line for each reference, train and room; and their
 * effects on players. */
#include "../../core/diagnose.h"
#include "../../core/output.h"
#include "describe_class.h"
#include "ns2.h"
#include "ns2_bindings.h"
#include "ns2_graph.h"
#include <stdio.h>

#define SHOWN 8 /* maximum number of matching entities in a line */

/* Writes a text of the file in one line. */
static void put_text(mst_output *out, const char *text) {
    for (; *text; text++)
        mst_output_bytes(out, *text == '\n' ? " " : text, 1);
}

/* `class_name`: "" for none. */
static void put_entity(mst_output *out, const mst_ns2_entity *entity, const char *class_name) {
    mst_output_format(out, "%s[%llu]%s", entity->path, (unsigned long long)entity->index,
                      *class_name ? " " : "");
    put_text(out, class_name);
    if (!*entity->name)
        return;
    mst_output_text(out, " \"");
    put_text(out, entity->name);
    mst_output_text(out, "\"");
}

static void put_value(mst_output *out, const mst_ns2_reference *reference) {
    put_text(out, reference->property);
    if (!reference->text) {
        mst_output_format(out, " is %ld", (long)reference->number);
        return;
    }
    mst_output_text(out, " is \"");
    put_text(out, reference->text);
    mst_output_text(out, "\"");
}

/* "a", "a and b", "a, b and 3 more" */
static void put_targets(mst_output *out, const mst_ns2_graph *graph, const mst_ns2_reference *reference,
                        const char *last) {
    uint32_t count = reference->count, shown = count <= SHOWN ? count : SHOWN;
    for (uint32_t k = 0; k < shown; k++) {
        mst_output_text(out, k == 0 ? "" : k + 1 < count ? ", " : last);
        const mst_ns2_entity *target = mst_ns2_graph_target(graph, reference, k);
        put_entity(out, target, target->class_name);
    }
    if (shown < count)
        mst_output_format(out, "%s%lu more", last, (unsigned long)(count - shown));
}

/* Waypoints lead to waypoints; any other entity that they name is triggered. */
static const char *verb_of(const mst_ns2_graph *graph, const mst_ns2_reference *reference) {
    static const char waypoint[] = "logic_waypoint";
    const mst_ns2_entity *own = (const mst_ns2_entity *)graph->entities.items + reference->entity;
    bool on = strcmp(own->class_name, waypoint) == 0 &&
              strcmp(mst_ns2_graph_target(graph, reference, 0)->class_name, waypoint) == 0;
    return on ? "leads on to" : mst_ns2_relations[reference->relation].acts;
}

static void put_reference(mst_output *out, const mst_ns2_graph *graph, const mst_ns2_reference *reference) {
    const mst_ns2_relation *one = &mst_ns2_relations[reference->relation];
    const mst_ns2_entity *own = (const mst_ns2_entity *)graph->entities.items + reference->entity;
    bool together = !one->acts && !one->order; /* they have the same number */
    if (reference->count && one->order)
        return; /* described with the train */
    if (together && (reference->count < 2 || mst_ns2_graph_target(graph, reference, 0) != own))
        return; /* described with the first of them */
    put_entity(out, own, own->class_name);
    mst_output_text(out, ": ");
    if (together) {
        put_value(out, reference);
        mst_output_text(out, ", like ");
        mst_ns2_reference others = *reference;
        others.first++;
        others.count--;
        put_targets(out, graph, &others, " and ");
    } else if (!reference->count) {
        put_value(out, reference);
        bool one_class = !strpbrk(one->to, "* ");
        mst_output_format(out, ", which %s%s has", one_class ? "no " : "nothing", one_class ? one->to : "");
    } else {
        if (one->property[strlen(one->property) - 1] == '#') {
            put_text(out, reference->property);
            mst_output_text(out, " ");
        }
        mst_output_format(out, "%s ", verb_of(graph, reference));
        put_targets(out, graph, reference, strcmp(one->acts, "leads to") == 0 ? " or " : " and ");
    }
    mst_output_text(out, "\n");
}

static void put_trains(mst_output *out, const mst_ns2_graph *graph) {
    const mst_ns2_entity *entities = graph->entities.items;
    const mst_ns2_stop *stops = graph->stops.items;
    for (size_t i = 0; i < graph->stops.count; i++) {
        if (!i || stops[i].train != stops[i - 1].train) {
            mst_output_text(out, i ? "\n" : "");
            put_entity(out, &entities[stops[i].train], entities[stops[i].train].class_name);
            mst_output_text(out, ": leads to ");
        } else {
            mst_output_text(out, ", then ");
        }
        put_entity(out, &entities[stops[i].waypoint], "");
    }
    mst_output_text(out, graph->stops.count ? "\n" : "");
}

/* ---- effects on players ------------------------------------------------------------------------- */

/* The effect of a class's entities on players who enter them: with the number of a property, if it is 0, and
 * without the property. */
static const struct {
    const char *class_name, *property, *acts, *after, *zero, *without;
} zones[] = {
    {"team_join", "teamNumber", "whoever enters joins team ", " (1 marines, 2 aliens, 3 either)",
     "whoever enters watches the game", "whoever enters joins a team"},
    {"death_trigger", "damageOverTime", "whoever is inside loses ", " points a second", "whoever enters dies",
     "whoever enters dies"},
    {"push_trigger", "pushForce", "pushes whoever enters with a force of ", "", "pushes whoever enters",
     "pushes whoever enters"},
    {"jump_pad_trigger", "", "", "", "", "makes whoever enters jump"},
    {"gorge_nobuild_trigger", "", "", "", "", "gorges cannot build inside"},
};

/* The first number of an entity's property; false if it has none. */
static bool number_of(const mst_document *document, const mst_ns2_entity *entity, const char *property,
                      double *number) {
    char path[128];
    mst_value value, first;
    snprintf(path, sizeof path, "%s[%llu].properties[name=%s].value", entity->path,
             (unsigned long long)entity->index, property);
    *number = 0;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK &&
           mst_element(&value, 0, &first) == MST_OK && mst_get_real(&first, number) == MST_OK;
}

static void put_zones(mst_output *out, const mst_ns2_graph *graph, const mst_document *document) {
    const mst_ns2_entity *entities = graph->entities.items;
    for (size_t i = 0; i < graph->entities.count; i++)
        for (size_t k = 0; k < MST_COUNT_OF(zones); k++) {
            if (strcmp(entities[i].class_name, zones[k].class_name) != 0)
                continue;
            double number, enabled;
            bool has = number_of(document, &entities[i], zones[k].property, &number);
            bool off = number_of(document, &entities[i], "enabled", &enabled) && enabled == 0;
            put_entity(out, &entities[i], entities[i].class_name);
            mst_output_text(out, ": ");
            if (number > 0)
                mst_output_format(out, "%s%g%s", zones[k].acts, number, zones[k].after);
            else
                mst_output_text(out, has ? zones[k].zero : zones[k].without);
            mst_output_text(out, off ? ", once it is enabled\n" : "\n");
        }
}

/* ---- reading ------------------------------------------------------------------------------------ */

static void read_entity(mst_ns2_graph *graph, const char *path, uint64_t index, const mst_bound *object_bound,
                        const mst_bound *property_bound, const mst_value *object) {
    mst_ns2_bound_object o;
    mst_value property;
    char class_name[128] = "", name[96];
    memset(&o, 0, sizeof o);
    mst_fill(object_bound, object, &o);
    mst_get_text(&o.class_name, class_name, sizeof class_name, NULL);
    mst_ns2_graph_enter(graph, path, index, class_name);
    for (mst_iterator it = mst_iterate(&o.properties); graph->status == MST_OK && mst_next(&it, &property);) {
        mst_ns2_bound_property p;
        memset(&p, 0, sizeof p);
        mst_fill(property_bound, &property, &p);
        if (mst_is_void(&p.value))
            continue;
        name[0] = 0;
        mst_get_text(&p.name, name, sizeof name, NULL);
        mst_ns2_graph_property(graph, name, &p.value);
    }
    mst_ns2_graph_leave(graph);
}

static void read_list(mst_ns2_graph *graph, const mst_value *record, const char *path,
                      const mst_bindings *bindings) {
    mst_value objects, object;
    mst_bound object_bound, property_bound;
    uint64_t index = 0;
    if (mst_member(record, "objects", &objects) != MST_OK)
        return;
    mst_bind(record->document, bindings, &object_bound);
    mst_bind(record->document, &mst_ns2_property_bindings, &property_bound);
    for (mst_iterator it = mst_iterate(&objects); graph->status == MST_OK && mst_next(&it, &object); index++)
        read_entity(graph, path, index, &object_bound, &property_bound, &object);
}

static void read_all(mst_ns2_graph *graph, const mst_document *document) {
    mst_value root = mst_root(document), blocks, block;
    uint64_t number = 0;
    if (mst_member(&root, "blocks", &blocks) != MST_OK) {
        read_list(graph, &root, "objects", &mst_ns2_object_bindings);
        return;
    }
    for (mst_iterator it = mst_iterate(&blocks); graph->status == MST_OK && mst_next(&it, &block); number++) {
        const char *path = mst_arena_printf(graph->arena, "blocks[%llu].objects", (unsigned long long)number);
        if (path)
            read_list(graph, &block, path, &mst_ns2_clip_object_bindings);
        else
            graph->status = MST_NO_MEMORY;
    }
}

static mst_status take_reference(const mst_ns2_graph *graph, const mst_ns2_reference *reference,
                                 mst_link_function take, void *user) {
    const mst_ns2_entity *own = (const mst_ns2_entity *)graph->entities.items + reference->entity;
    const char *relation = mst_ns2_relations[reference->relation].property;
    mst_named_link link = {.list = own->path,
                           .index = own->index,
                           .field = reference->property,
                           .name = reference->text,
                           .acts = strncmp(relation, "output", 6) == 0};
    mst_status status = reference->count ? MST_OK : take(user, &link);
    for (uint32_t k = 0; k < reference->count && status == MST_OK; k++) {
        const mst_ns2_entity *to = mst_ns2_graph_target(graph, reference, k);
        link.to = to->path;
        link.to_index = to->index;
        if (to != own)
            status = take(user, &link);
    }
    return status;
}

mst_status mst_ns2_acts_on(const mst_document *document, mst_link_function take, void *user) {
    mst_arena arena;
    mst_ns2_graph graph;
    mst_arena_begin(&arena, &document->arena.allocator, 0);
    mst_ns2_graph_begin(&graph, &arena);
    read_all(&graph, document);
    mst_status status = mst_ns2_graph_resolve(&graph);
    const mst_ns2_reference *all = graph.references.items;
    for (size_t i = 0; i < graph.references.count && status == MST_OK; i++)
        status = take_reference(&graph, &all[i], take, user);
    mst_ns2_graph_end(&graph);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_ns2_describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                            mst_sink sink, mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_ns2_graph graph;
    mst_output out;
    const bool one = strncmp(what, "class ", 6) == 0;
    if (one || strcmp(what, "classes") == 0) {
        mst_output_begin(&out, sink);
        const mst_status made = one ? mst_ns2_describe_class(document, what + 6, sidecars, &out)
                                    : mst_ns2_describe_classes(document, sidecars, &out);
        const mst_status written = mst_output_end(&out);
        return made == MST_OK ? written : mst_fail(diagnostic, made, "not enough memory to describe classes");
    }
    if (strcmp(what, "triggers") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has no %s", document->format->information.title,
                        what);
    mst_arena_begin(&arena, &document->arena.allocator, 0);
    mst_ns2_graph_begin(&graph, &arena);
    read_all(&graph, document);
    mst_status status = mst_ns2_graph_resolve(&graph);
    if (status == MST_OK) {
        const mst_ns2_reference *all = graph.references.items;
        mst_output_begin(&out, sink);
        for (size_t i = 0; i < graph.references.count; i++)
            put_reference(&out, &graph, &all[i]);
        put_trains(&out, &graph);
        put_zones(&out, &graph, document);
        status = mst_output_end(&out);
    }
    mst_ns2_graph_end(&graph);
    mst_arena_end(&arena);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the triggers could not be written");
}
