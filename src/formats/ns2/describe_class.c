/* SPDX-License-Identifier: MIT */
/* The properties of a class's entities, for editors: initial values, and choices by name. */
#include "describe_class.h"
#include "../../core/json_text.h"
#include "setup.h"

/* The entity as in other levels: classes that need a name get one. */
static mst_status in_levels(const char *name, mst_arena *arena, const char **entity) {
    static const char named[] = "{\"properties\":{\"name\":\"\"}}";
    const mst_field list = {.record = &mst_ns2_object_record};
    mst_json given;
    const mst_status status = mst_json_parse(named, sizeof named - 1, arena, &given, NULL);
    return status == MST_OK ? mst_ns2_of_class(&list, name, &given, arena, entity, NULL) : status;
}

/* The schema next to the level, if it can be read. */
static mst_ns2_setup *schema_of(const mst_resolver *sidecars, mst_arena *arena) {
    const void *bytes;
    size_t size;
    mst_ns2_setup *setup = NULL;
    if (!sidecars || !sidecars->find ||
        sidecars->find(sidecars->user, "editor_setup.xml", &bytes, &size) != MST_OK ||
        mst_ns2_setup_read(bytes, size, arena, &setup, NULL) != MST_OK)
        return NULL;
    return setup;
}

/* A line for each property: its JSON, and its choices. */
static mst_status put_properties(const char *entity, mst_ns2_setup *setup, const char *name, mst_arena *arena,
                                 mst_output *out) {
    mst_json json;
    mst_status status = mst_json_parse(entity, strlen(entity), arena, &json, NULL);
    const uint32_t list = status == MST_OK ? mst_json_find_member(&json, "properties") : 0;
    const mst_json_node *nodes = json.nodes;
    for (uint32_t at = list + 1; list && status == MST_OK && at < nodes[list].end; at = nodes[at].end) {
        const mst_json_node *own = &nodes[mst_json_find(&json, at, "name", 4)];
        const char *text = mst_json_text_of(&json, at, arena),
                   *property = mst_arena_text(arena, own->text, own->length),
                   *choices = property && setup ? mst_ns2_setup_choices(setup, name, property, arena) : "[]";
        if (!text || !property || !choices)
            return MST_NO_MEMORY;
        mst_output_bytes(out, text, strlen(text) - 1); /* without its brace */
        mst_output_text(out, ",\"choices\":");
        mst_output_text(out, choices);
        mst_output_text(out, "}\n");
    }
    return status;
}

mst_status mst_ns2_describe_class(const mst_document *document, const char *name,
                                  const mst_resolver *sidecars, mst_output *out) {
    mst_arena arena;
    mst_arena_begin(&arena, &document->arena.allocator, 0);
    mst_ns2_setup *setup = schema_of(sidecars, &arena);
    const char *entity = setup ? mst_ns2_setup_entity(setup, name, &arena) : NULL;
    mst_status status = entity ? MST_OK : in_levels(name, &arena, &entity);
    if (status == MST_OK && entity)
        status = put_properties(entity, setup, name, &arena, out);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_ns2_describe_classes(const mst_document *document, const mst_resolver *sidecars,
                                    mst_output *out) {
    mst_arena arena;
    mst_arena_begin(&arena, &document->arena.allocator, 0);
    const mst_ns2_setup *setup = schema_of(sidecars, &arena);
    const char *name;
    mst_ns2_put_classes(out);
    for (size_t i = 0; setup && (name = mst_ns2_setup_class(setup, i)); i++) {
        mst_output_text(out, name);
        mst_output_text(out, "\n");
    }
    mst_arena_end(&arena);
    return MST_OK;
}
