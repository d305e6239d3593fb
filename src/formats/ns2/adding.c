/* SPDX-License-Identifier: MIT */
/*
 * New faces and entities of which little is given. A face is given by the positions of its corners
 * (`positions`, and `holes`) and the path of its material: vertices and edges that are there already are
 * used, since no two edges may be between the same vertices.
 */
#include "../../core/diagnose.h"
#include "../../core/json_text.h"
#include "../../core/number.h"
#include "../../schema/edit.h"
#include "../present.h"
#include "ns2.h"
#include "setup.h"
#include <stdio.h>

/* ---- entities --------------------------------------------------------------------------------------- */

const char *mst_ns2_blank(const mst_document *document, const mst_field *list) {
    (void)document;
    if (list->record == &mst_ns2_face_record) /* 128 inches to a repeat, as the editor begins with */
        return "{\"scale\":[0.30757874,0.30757874]}";
    return list->record == &mst_ns2_object_record || list->record == &mst_ns2_clip_object_record
               ? "{\"properties\":[{\"name\":\"origin\",\"type\":\"distance\",\"value\":[0,0,0]},"
                 "{\"name\":\"angles\",\"type\":\"angle\",\"value\":[0,0,0]}]}"
               : NULL;
}

mst_status mst_ns2_from_schema(const mst_document *document, const mst_field *list, const char *kind,
                               const mst_json *given, const mst_check_options *schema, mst_arena *arena,
                               const char **json, mst_diagnostic *diagnostic) {
    mst_ns2_setup *setup;
    (void)document, (void)given;
    if ((list->record != &mst_ns2_object_record && list->record != &mst_ns2_clip_object_record) ||
        !schema->schema || !schema->schema_size)
        return MST_OK;
    mst_status status = mst_ns2_setup_read(schema->schema, schema->schema_size, arena, &setup, diagnostic);
    if (status == MST_OK)
        *json = mst_ns2_setup_entity(setup, kind, arena);
    return status;
}

/* The type that a property has in every known level, by its name. */
const char *mst_ns2_pair(const char *name, mst_arena *arena) {
    static const struct {
        const char *type, *names;
    } types[] = {
        {"distance",
         "origin distance radius minFalloff maxFalloff cameraHeight editorTouchRadius touchRadius "
         "popupRadius minRadius maxRadius signalRange"},
        {"angle", "angles innerAngle outerAngle angle"},
        {"color", "color color_dir_right color_dir_left color_dir_up color_dir_down color_dir_forward "
                  "color_dir_backward"},
        {"file_name", "model material gobo_texture cinematicName eventName roundStartMusic deathSoundName "
                      "popupSoundName"},
        {"bool", "castsShadows casts_shadows pathInclude collidable pathWalkable specular ignorePowergrid "
                 "atmospheric exitonly enabled clearVelocity offOnExit startsOn showOnMinimap timedLife "
                 "commanderInvisible disallowNpcs startSocketed dynamic damageOverTime startsOpened isDoor "
                 "startsOpen stayOpen clean shownOnce startsBuilt onlyexplore startsUpgraded"},
        {"real",
         "scale intensity commAlpha shadow_fade_rate atmospheric_density waitDelay volume pitch extents "
         "strength waveTime maxWaveNumber npcNumber number health popupDelay coolDownTime pushForce "
         "moveSpeed extendAmount"},
        {"integer", "teleportDestinationId chooseWeight emitChannel listenChannel RoomId TeamNr"},
        {"choice", "teamNumber onTriggerAction falloffType positioning exploreModeStart team class "
                   "baseDifficulty type repeatStyle teamType triggerStyle reverbType direction "
                   "editorTeamNumber"},
        {"string", "name destination waypoint npcUpgrades trainName startsOnMessage spawnAnimation "
                   "popupAnimation animation tooltip output1 output2 output3 output4 output5 output6 output7 "
                   "output8 output9 output10"},
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < MST_COUNT_OF(types); i++) {
        bool text = strcmp(types[i].type, "string") == 0 || strcmp(types[i].type, "file_name") == 0;
        for (const char *at = types[i].names; *at; at += strspn(at, " ")) {
            size_t n = strcspn(at, " ");
            if (n == length && memcmp(at, name, n) == 0)
                return mst_arena_printf(arena, "{\"name\":\"%s\",\"type\":\"%s\",\"value\":[%s]}", name,
                                        types[i].type, text ? "\"\"" : "");
            at += n;
        }
    }
    return NULL;
}

/* ---- faces ------------------------------------------------------------------------------------------ */

typedef struct adding {
    mst_document *document;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
    mst_json json;
    mst_status status;
} adding;

static void refuse(adding *a, const char *message) {
    if (a->status != MST_OK)
        return;
    a->status = mst_fail(a->diagnostic, MST_ARGUMENT, "%s", message);
    if (a->diagnostic)
        MST_SET(a->diagnostic->path, "mesh.faces");
}

static uint32_t member_of(const mst_json *json, const char *name) {
    for (uint32_t at = 1; at < json->nodes[0].end; at = json->nodes[at + 1].end)
        if (json->nodes[at].length == strlen(name) && memcmp(json->nodes[at].text, name, strlen(name)) == 0)
            return at + 1;
    return 0;
}

static uint64_t length_of(const adding *a, const char *path, mst_value *list) {
    memset(list, 0, sizeof *list);
    return mst_find(mst_root(a->document), path, list, NULL) == MST_OK ? mst_count(list) : 0;
}

/* Appends an element to a list; returns its number. */
static uint32_t append(adding *a, const char *list, const char *json) {
    mst_value value;
    uint64_t count = length_of(a, list, &value);
    const char *path = mst_arena_printf(a->arena, "%s[%llu]", list, (unsigned long long)count);
    if (a->status == MST_OK && (!path || !json))
        a->status = MST_NO_MEMORY;
    if (a->status == MST_OK)
        a->status = mst_edit_insert_all(a->document, path, json, UINT64_MAX, NULL, a->diagnostic);
    return (uint32_t)count;
}

/* The number of the vertex at a position. */
static uint32_t vertex_at(adding *a, uint32_t node) {
    const mst_json_node *point = &a->json.nodes[node];
    float position[3];
    mst_value list;
    if (point->kind != MST_JSON_ARRAY || point->count != 3 || point->end != node + 4) {
        refuse(a, "a corner is given by three coordinates");
        return 0;
    }
    for (size_t i = 0; i < 3; i++)
        if (point[1 + i].kind != MST_JSON_NUMBER ||
            !mst_read_f32(point[1 + i].text, point[1 + i].length, &position[i])) {
            refuse(a, "a corner is given by three coordinates");
            return 0;
        }
    length_of(a, "mesh.vertices", &list);
    mst_column column = mst_column_if(&list, "position");
    for (uint64_t i = 0; i < column.count; i++) {
        bool same = true;
        for (uint32_t k = 0; k < 3 && same; k++)
            same = mst_f32_of_bits(mst_column_u32(&column, i, k)) == position[k];
        if (same)
            return (uint32_t)i;
    }
    const char *text = mst_json_text_of(&a->json, node, a->arena);
    return append(a, "mesh.vertices", text ? mst_arena_printf(a->arena, "{\"position\":%s}", text) : NULL);
}

/* The edge between two vertices, and whether it runs from the second to the first. */
static uint32_t edge_between(adding *a, uint32_t from, uint32_t to, bool *flipped) {
    mst_value list;
    length_of(a, "mesh.edges", &list);
    mst_column ends = mst_column_if(&list, "vertices");
    for (uint64_t i = 0; i < ends.count; i++) {
        uint32_t first = mst_column_u32(&ends, i, 0), second = mst_column_u32(&ends, i, 1);
        *flipped = first == to;
        if ((first == from && second == to) || (first == to && second == from))
            return (uint32_t)i;
    }
    *flipped = false;
    return append(a, "mesh.edges", mst_arena_printf(a->arena, "{\"vertices\":[%u,%u]}", from, to));
}

/* One loop as JSON, after what is in `text`. */
static char *put_loop(adding *a, uint32_t node, const char *text) {
    const mst_json_node *corners = &a->json.nodes[node];
    char *made = mst_arena_printf(a->arena, "%s[", text);
    if (corners->kind != MST_JSON_ARRAY || corners->count < 3) {
        refuse(a, "a border or a hole has three corners at least");
        return NULL;
    }
    uint32_t *vertices = mst_arena_take(a->arena, (size_t)corners->count + 1, sizeof *vertices), i = 0;
    if (!vertices) {
        a->status = MST_NO_MEMORY;
        return NULL;
    }
    for (uint32_t at = node + 1; at < corners->end && a->status == MST_OK; at = a->json.nodes[at].end)
        vertices[i++] = vertex_at(a, at);
    for (uint32_t k = 0; k < i && a->status == MST_OK && made; k++) {
        bool flipped;
        uint32_t from = vertices[k], to = vertices[(k + 1) % i];
        if (from == to)
            refuse(a, "two corners in a row are at the same place");
        uint32_t edge = edge_between(a, from, to, &flipped);
        made = mst_arena_printf(a->arena, "%s%s{\"flipped\":%s,\"edge\":%u}", made, k ? "," : "",
                                flipped ? "true" : "false", edge);
    }
    made = made ? mst_arena_printf(a->arena, "%s]", made) : NULL;
    if (!made && a->status == MST_OK)
        a->status = MST_NO_MEMORY;
    return made;
}

/* The number of the material with that name. */
static uint32_t material_of(adding *a, uint32_t node) {
    const mst_json_node *name = &a->json.nodes[node];
    mst_value list, one;
    uint32_t index = 0;
    length_of(a, "mesh.materials", &list);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &one); index++) {
        const void *bytes;
        size_t size;
        if (mst_get_bytes(&one, &bytes, &size) == MST_OK && size == name->length &&
            (!size || memcmp(bytes, name->text, size) == 0))
            return index;
    }
    return append(a, "mesh.materials", mst_json_text_of(&a->json, node, a->arena));
}

/* The face with loops and the number of a material in place of positions and a name; the rest as given. */
static const char *put_face(adding *a, uint32_t positions, uint32_t holes, uint32_t material) {
    const mst_json_node *nodes = a->json.nodes;
    const char *made = "{", *text = positions ? put_loop(a, positions, "\"loops\":[") : NULL;
    if (holes && nodes[holes].kind != MST_JSON_ARRAY)
        refuse(a, "holes are a list of lists of corners");
    for (uint32_t at = holes + 1; holes && a->status == MST_OK && at < nodes[holes].end; at = nodes[at].end)
        text = put_loop(a, at, mst_arena_printf(a->arena, "%s,", text));
    if (a->status == MST_OK && text)
        made = mst_arena_printf(a->arena, "{%s]", text);
    if (a->status == MST_OK && material)
        made = mst_arena_printf(a->arena, "%s%s\"material\":%u", made, made[1] ? "," : "",
                                material_of(a, material));
    for (uint32_t at = 1; a->status == MST_OK && made && at < nodes[0].end; at = nodes[at + 1].end) {
        if (at + 1 == positions || at + 1 == holes || at + 1 == material)
            continue;
        const char *key = mst_json_text_of(&a->json, at, a->arena),
                   *value = mst_json_text_of(&a->json, at + 1, a->arena);
        made = key && value ? mst_arena_printf(a->arena, "%s%s%s:%s", made, made[1] ? "," : "", key, value)
                            : NULL;
    }
    made = made ? mst_arena_printf(a->arena, "%s}", made) : NULL;
    if (a->status == MST_OK && !made)
        a->status = MST_NO_MEMORY;
    return made;
}

mst_status mst_ns2_expand(mst_document *document, const char *list, const char *json, mst_arena *arena,
                          const char **made, mst_diagnostic *diagnostic) {
    adding a = {.document = document, .arena = arena, .diagnostic = diagnostic};
    *made = json;
    if (strcmp(list, "mesh.faces") != 0)
        return MST_OK;
    a.status = mst_json_parse(json, strlen(json), arena, &a.json, NULL);
    if (a.status != MST_OK) /* the edit says what is wrong with it */
        return a.status == MST_NO_MEMORY ? a.status : MST_OK;
    uint32_t positions = member_of(&a.json, "positions"), holes = member_of(&a.json, "holes"),
             material = member_of(&a.json, "material");
    if (material && a.json.nodes[material].kind != MST_JSON_STRING)
        material = 0;
    if (holes && !positions)
        refuse(&a, "holes need the positions of the border");
    if (positions && member_of(&a.json, "loops"))
        refuse(&a, "a face is given by positions or by loops, not by both");
    if (a.status == MST_OK && (positions || material))
        *made = put_face(&a, positions, holes, material);
    return a.status;
}
