/* SPDX-License-Identifier: MIT */
/* Initial contents of new files; the build embeds the families' templates/. */
#include "../tables/templates.h"
#include "alien/alien.h"
#include "ns2/ns2.h"
#include "revenant/revenant.h"
#include "sfa/sfa.h"
#include "turok/turok.h"

static const char ns2_empty[] = {
#include "ns2_empty.inc"
};
static const char ns2_room[] = {
#include "ns2_room.inc"
};
static const char ns2_match[] = {
#include "ns2_match.inc"
};
static const char alien_corridor[] = {
#include "alien_corridor.inc"
};
static const char revenant_empty[] = {
#include "revenant_empty.inc"
};
static const char revenant_room[] = {
#include "revenant_room.inc"
};
static const char turok_hall[] = {
#include "turok_hall.inc"
};
static const char sfa_empty[] = {
#include "sfa_empty.inc"
};
static const char sfa_objects[] = {
#include "sfa_objects.inc"
};

const mst_template mst_templates[] = {
    {&mst_format_ns2_level, "empty", "nothing in it yet", ns2_empty, sizeof ns2_empty},
    {&mst_format_ns2_level, "room", "a room with a light, a location and a start", ns2_room, sizeof ns2_room},
    {&mst_format_ns2_level, "match",
     "two bases with a corridor between them and a ready room: all that a match needs", ns2_match,
     sizeof ns2_match},
    {&mst_format_alien_map, "corridor", "a corridor with a door, its switch and the end of the level",
     alien_corridor, sizeof alien_corridor},
    {&mst_format_revenant_sector, "empty", "a sector with nothing in it", revenant_empty,
     sizeof revenant_empty},
    {&mst_format_revenant_sector, "room", "a floor, two walls and an exit; the types are the game's own",
     revenant_room, sizeof revenant_room},
    {&mst_format_turok_map, "hall", "a hall with a start, an enemy, an item and an exit", turok_hall,
     sizeof turok_hall},
    {&mst_format_sfa_romlist, "empty", "a list of no objects", sfa_empty, sizeof sfa_empty},
    {&mst_format_sfa_romlist, "objects", "a start, a light, a crate and a plant", sfa_objects,
     sizeof sfa_objects},
    {NULL, NULL, NULL, NULL, 0},
};
