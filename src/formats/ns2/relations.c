/* SPDX-License-Identifier: MIT */
#include "relations.h"
#include "../../core/hash.h"
#include <string.h>

const mst_ns2_relation mst_ns2_relations[MST_NS2_RELATIONS] = {
    {.from = "*",
     .property = "output#",
     .to = "*",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .acts = "triggers",
     .own = true,
     .code = "NS2-OUTPUT-TARGET"},
    {.from = "teleport_trigger",
     .property = "destination",
     .to = "*",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .acts = "leads to",
     .own = true,
     .code = "NS2-TELEPORT"},
    {.from = "teleport_trigger",
     .property = "teleportDestinationId",
     .to = "teleport_destination",
     .target = "teleportDestinationId",
     .how = MST_NS2_BY_NUMBER,
     .instead = "destination",
     .needed = true,
     .acts = "leads to",
     .own = true,
     .code = "NS2-TELEPORT"},
    {.from = "func_train_waypoint",
     .property = "trainName",
     .to = "func_train func_moveable func_platform",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .needed = true,
     .order = "number",
     .own = true,
     .code = "NS2-TRAIN"},
    {.from = "npc_wave_manager npc_wave_manager_tunnel",
     .property = "waypoint",
     .to = "logic_waypoint",
     .target = "name",
     .how = MST_NS2_BY_NAME,
     .acts = "sends its waves to",
     .own = true,
     .code = "NS2-WAYPOINT"},
    /* within `signalRange` */
    {.from = "cinematic death_trigger logic_listener sound_effect",
     .property = "listenChannel",
     .to = "prop_dynamic button_emitter logic_emitter logic_emitter_destroyer",
     .target = "emitChannel",
     .how = MST_NS2_BY_NUMBER,
     .zero_is_none = true,
     .reversed = true,
     .acts = "listens to"},
    /* those with the same number are one room */
    {.from = "room_spawn",
     .property = "RoomId",
     .to = "room_spawn",
     .target = "RoomId",
     .how = MST_NS2_BY_NUMBER},
};

const char mst_ns2_relations_reference[] =
    "Properties of entities that refer to other entities. Names are compared without regard to the case of "
    "ASCII letters; several entities may match.\n\n"
    "| property of | refers to |\n"
    "|---|---|\n"
    "| `output1` to `output10` of any entity | `name` of any entities: what it triggers (NS2-OUTPUT-TARGET); "
    "from one `logic_waypoint` to the next it is the path |\n"
    "| `teleportDestinationId` of `teleport_trigger` | the same number of a `teleport_destination`; of "
    "several one is chosen (NS2-TELEPORT) |\n"
    "| `destination` of `teleport_trigger` | `name` of any entity; takes precedence over the number "
    "(NS2-TELEPORT) |\n"
    "| `trainName` of `func_train_waypoint` | `name` of a `func_train`, `func_moveable` or `func_platform`; "
    "its waypoints in the order of `number` are its path (NS2-TRAIN) |\n"
    "| `waypoint` of `npc_wave_manager`, `npc_wave_manager_tunnel` | `name` of the `logic_waypoint` that the "
    "wave visits first (NS2-WAYPOINT) |\n"
    "| `listenChannel` of `cinematic`, `death_trigger`, `logic_listener`, `sound_effect` | `emitChannel` of "
    "a `prop_dynamic`, `button_emitter`, `logic_emitter`, `logic_emitter_destroyer` within its "
    "`signalRange`; 0: none |\n"
    "| `RoomId` of `room_spawn` | the same number of another: both are in one room |\n"
    "| texts of type file_name, `materials` | files below the game's root; `/` separates folders |\n";

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

uint32_t mst_ns2_targets_of(uint32_t relation) {
    const mst_ns2_relation *all = mst_ns2_relations;
    uint32_t first = 0;
    while ((strcmp(all[first].to, all[relation].to) | strcmp(all[first].target, all[relation].target)) != 0)
        first++;
    return first;
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
    uint32_t hash = MST_HASH32;
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t unit = text[i] | (uint32_t)text[i + 1] << 8;
        if (unit >= 'A' && unit <= 'Z')
            unit += 'a' - 'A';
        const uint8_t halves[2] = {(uint8_t)unit, (uint8_t)(unit >> 8)};
        hash = mst_hash32_bytes(hash, halves, 2);
    }
    return hash;
}
