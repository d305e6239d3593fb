/* SPDX-License-Identifier: MIT */
#include "relations.h"
#include <string.h>

const mst_ns2_relation mst_ns2_relations[MST_NS2_RELATIONS] = {
    {.from = "*",
     .property = "output#",
     .to = "*",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .code = "NS2-OUTPUT-TARGET"},
    {.from = "teleport_trigger",
     .property = "destination",
     .to = "*",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .code = "NS2-TELEPORT"},
    {.from = "teleport_trigger",
     .property = "teleportDestinationId",
     .to = "teleport_destination",
     .target = "teleportDestinationId",
     .how = MST_NS2_BY_NUMBER,
     .instead = "destination",
     .needed = true,
     .code = "NS2-TELEPORT"},
    /* the waypoints of a train in the order of their `number` are its path */
    {.from = "func_train_waypoint",
     .property = "trainName",
     .to = "func_train func_moveable func_platform",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .needed = true,
     .code = "NS2-TRAIN"},
    {.from = "npc_wave_manager npc_wave_manager_tunnel",
     .property = "waypoint",
     .to = "logic_waypoint",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .code = "NS2-WAYPOINT"},
    /* within `signalRange`; 0 is not a channel */
    {.from = "cinematic death_trigger logic_listener sound_effect",
     .property = "listenChannel",
     .to = "prop_dynamic button_emitter logic_emitter logic_emitter_destroyer",
     .target = "emitChannel",
     .how = MST_NS2_BY_NUMBER},
    /* those with the same number are one room */
    {.from = "room_spawn",
     .property = "RoomId",
     .to = "room_spawn",
     .target = "RoomId",
     .how = MST_NS2_BY_NUMBER},
};

bool mst_ns2_relation_has(const char *classes, const char *class_name) {
    size_t length = strlen(class_name);
    if (strcmp(classes, "*") == 0)
        return true;
    for (const char *at = classes; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, class_name, length) == 0 && (at[length] == ' ' || !at[length]))
            return true;
    }
    return false;
}

bool mst_ns2_relation_names(const char *property, const void *name, size_t length) {
    const char *text = name;
    size_t known = strlen(property);
    if (property[known - 1] != '#')
        return known == length && memcmp(property, text, length) == 0;
    known--;
    if (length <= known || memcmp(property, text, known) != 0)
        return false;
    for (size_t i = known; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return true;
}

uint32_t mst_ns2_relation_hash(const uint8_t *text, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t unit = text[i] | (uint32_t)text[i + 1] << 8;
        if (unit >= 'A' && unit <= 'Z')
            unit += 'a' - 'A';
        hash = (hash ^ (unit & 0xFF)) * 16777619u;
        hash = (hash ^ unit >> 8) * 16777619u;
    }
    return hash;
}
