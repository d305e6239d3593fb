/* SPDX-License-Identifier: MIT */
/* Initial properties of new entities: class_properties.inc has them for the classes of many levels. */
#include "class_defaults.h"
#include "../../core/diagnose.h"
#include "../../core/json_text.h"
#include <stdlib.h>

/* The types that properties have in every known level, by their names. */
static const struct {
    const char *type, *names;
} types[] = {
    {"distance", "origin distance radius minFalloff maxFalloff cameraHeight editorTouchRadius touchRadius "
                 "popupRadius minRadius maxRadius signalRange protection spawnRadius dropRadius"},
    {"angle", "angles innerAngle outerAngle angle"},
    {"color", "color color_dir_right color_dir_left color_dir_up color_dir_down color_dir_forward "
              "color_dir_backward balance default_zone_color view_zone_color skybox_zone_color"},
    {"file_name", "model material gobo_texture cinematicName eventName roundStartMusic deathSoundName "
                  "popupSoundName animationGraph"},
    {"bool",
     "castsShadows casts_shadows pathInclude collidable pathWalkable specular ignorePowergrid "
     "atmospheric exitonly enabled clearVelocity offOnExit startsOn showOnMinimap timedLife "
     "commanderInvisible disallowNpcs startSocketed dynamic startsOpened isDoor "
     "startsOpen stayOpen clean shownOnce startsBuilt onlyexplore startsUpgraded open disableOnNotify "
     "enableOnNotify showGUI"},
    {"real",
     "scale intensity commAlpha shadow_fade_rate atmospheric_density waitDelay volume pitch extents "
     "strength waveTime maxWaveNumber npcNumber number health popupDelay coolDownTime pushForce "
     "moveSpeed extendAmount damageOverTime weldTime weldHealth dropRate realSpeed brightness contrast "
     "default_zone_scale view_zone_scale skybox_zone_scale option_cell_size option_cell_height "
     "option_agent_height option_agent_radius option_agent_max_climb option_agent_max_slope "
     "option_region_min_size option_region_merge_size option_edge_max_len option_verts_per_poly "
     "option_detail_sample_dist option_detail_sample_max_error option_tile_size"},
    {"integer", "teleportDestinationId chooseWeight emitChannel listenChannel RoomId TeamNr cooldown "
                "blockedDamage detectionRadius"},
    {"choice", "teamNumber onTriggerAction falloffType positioning exploreModeStart team class "
               "baseDifficulty type repeatStyle teamType triggerStyle reverbType direction "
               "editorTeamNumber surface objectType gameType onTimeAction dropType allowedTeam"},
    {"string", "name destination waypoint npcUpgrades trainName startsOnMessage spawnAnimation "
               "popupAnimation animation tooltip output1 output2 output3 output4 output5 output6 output7 "
               "output8 output9 output10 moveableName emitMessage"},
};

/* A class and its properties: NAME, NAME=VALUE (JSON without brackets) or NAME=? (must be given), with :TYPE
 * after a name whose type differs between classes. Sorted by class. */
static const char *const classes[] = {
#include "class_properties.inc"
};

/* The type of a property by its name; NULL: unknown. */
static const char *type_of(const char *name, size_t length) {
    for (size_t i = 0; i < MST_COUNT_OF(types); i++)
        for (const char *at = types[i].names; *at; at += strspn(at, " ")) {
            size_t n = strcspn(at, " ");
            if (n == length && memcmp(at, name, n) == 0)
                return types[i].type;
            at += n;
        }
    return NULL;
}

const char *mst_ns2_pair(const char *name, mst_arena *arena) {
    const char *type = type_of(name, strlen(name));
    bool text = type && (strcmp(type, "string") == 0 || strcmp(type, "file_name") == 0);
    return type ? mst_arena_printf(arena, "{\"name\":\"%s\",\"type\":\"%s\",\"value\":[%s]}", name, type,
                                   text ? "\"\"" : "")
                : NULL;
}

/* ---- classes ----------------------------------------------------------------------------------------- */

/* Compares a name with the first word of a row. */
static int by_class(const void *name, const void *row) {
    const char *text = *(const char *const *)row;
    size_t length = strcspn(text, " ");
    int order = strncmp(name, text, length);
    return order ? order : (int)(strlen(name) > length);
}

/* The value of a property that is listed without one: the neutral value of its type. */
static const char *neutral(const char *type, const char *name, size_t length) {
    if (strcmp(type, "string") == 0 || strcmp(type, "file_name") == 0)
        return "\"\"";
    if (strcmp(type, "bool") == 0)
        return "false";
    bool vector = length == 6 && (memcmp(name, "origin", 6) == 0 || memcmp(name, "angles", 6) == 0);
    return vector ? "0,0,0" : "0";
}

const char *mst_ns2_class_at(size_t index) {
    return index < MST_COUNT_OF(classes) ? classes[index] : NULL;
}

const char *mst_ns2_class_property_read(const char *at, mst_ns2_class_property *read) {
    *read = (mst_ns2_class_property){.name = at, .length = strcspn(at, " :=")};
    at += read->length;
    if (*at == ':') {
        read->type = ++at;
        read->type_length = strcspn(at, " =");
        at += read->type_length;
    } else {
        read->type = type_of(read->name, read->length);
        read->type_length = read->type ? strlen(read->type) : 0;
    }
    if (*at == '=') {
        read->value = ++at;
        read->value_length = strcspn(at, " ");
        at += read->value_length;
    }
    return at + strspn(at, " ");
}

/* Whether the JSON of an entity has a property that must be given. With a list of properties, the entity is
 * complete as given. */
static bool is_given(const mst_json *given, const mst_ns2_class_property *needed) {
    uint32_t at = given ? mst_json_find_member(given, "properties") : 0;
    if (!at)
        return false;
    const mst_json_node *node = &given->nodes[at];
    return node->kind != MST_JSON_OBJECT || mst_json_find(given, at, needed->name, needed->length);
}

static mst_status ask_for(const char *kind, const mst_ns2_class_property *needed,
                          mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_ARGUMENT, "an entity of the class %.60s needs a %.*s", kind, (int)needed->length,
             needed->name);
    if (diagnostic) {
        MST_SET(diagnostic->path, "objects");
        MST_SET(diagnostic->expected, "%.*s=...", (int)needed->length, needed->name);
    }
    return MST_ARGUMENT;
}

static mst_status name_classes(mst_arena *arena, const char **names) {
    const char *made = "";
    for (size_t i = 0; i < MST_COUNT_OF(classes) && made; i++)
        made = mst_arena_printf(arena, "%s%s%.*s", made, i ? " " : "", (int)strcspn(classes[i], " "),
                                classes[i]);
    *names = made;
    return made ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_ns2_of_class(const mst_field *list, const char *kind, const mst_json *given, mst_arena *arena,
                            const char **json, mst_diagnostic *diagnostic) {
    const char *made = "";
    mst_ns2_class_property one;
    if (list->record != &mst_ns2_object_record && list->record != &mst_ns2_clip_object_record)
        return MST_OK;
    if (!kind)
        return name_classes(arena, json);
    const char *const *row = bsearch(kind, classes, MST_COUNT_OF(classes), sizeof *classes, by_class);
    if (!row)
        return MST_OK;
    for (const char *at = *row + strlen(kind) + 1; made && *at;) {
        at = mst_ns2_class_property_read(at, &one);
        const char *value = one.value ? one.value : neutral(one.type, one.name, one.length);
        size_t length = one.value ? one.value_length : strlen(value);
        if (length == 1 && *value == '?') {
            if (!is_given(given, &one))
                return ask_for(kind, &one, diagnostic);
            value = "\"\"";
            length = 2;
        }
        made = mst_arena_printf(arena, "%s%s{\"name\":\"%.*s\",\"type\":\"%.*s\",\"value\":[%.*s]}", made,
                                *made ? "," : "", (int)one.length, one.name, (int)one.type_length, one.type,
                                (int)length, value);
    }
    *json = made ? mst_arena_printf(arena, "{\"properties\":[%s]}", made) : NULL;
    return *json ? MST_OK : MST_NO_MEMORY;
}
