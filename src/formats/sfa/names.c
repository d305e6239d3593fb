/* SPDX-License-Identifier: MIT */
/* Names of the game's directories and maps, from its executable and discs. */
#include "names.h"
#include "../../schema/schema.h"
#include <string.h>

/* clang-format off */
static const mst_sfa_directory directories[] = {
    /* number, name, parent, has files */
    {0, "animtest", -1, false},
    {1, "animtest", -1, false},
    {2, "animtest", -1, false},
    {3, "arwing", -1, true},
    {4, "dragrock", -1, true},
    {5, "animtest", -1, true},
    {6, "dfptop", -1, true},
    {7, "volcano", -1, true},
    {8, "animtest", -1, false},
    {9, "mazecave", 12, true},
    {10, "dragrockbot", -1, true},
    {11, "dfalls", -1, false},
    {12, "swaphol", -1, true},
    {13, "shipbattle", 15, true},
    {14, "nwastes", -1, true},
    {15, "warlock", -1, true},
    {16, "shop", 12, true},
    {17, "animtest", -1, false},
    {18, "crfort", -1, true},
    {19, "swapholbot", 12, true},
    {20, "wallcity", -1, true},
    {21, "lightfoot", -1, true},
    {22, "cloudtreasure", -1, false},
    {23, "animtest", -1, false},
    {24, "clouddungeon", 18, true},
    {25, "mmpass", -1, true},
    {26, "darkicemines", -1, true},
    {27, "animtest", -1, false},
    {28, "desert", 6, true},
    {29, "animtest", -1, false},
    {30, "icemountain", -1, true},
    {31, "animtest", -1, false},
    {32, "animtest", -1, false},
    {33, "animtest", -1, false},
    {34, "darkicemines2", -1, true},
    {35, "bossgaldon", 34, true},
    {36, "animtest", -1, false},
    {37, "insidegal", -1, false},
    {38, "magiccave", -1, true},
    {39, "dfshrine", 25, true},
    {40, "mmshrine", 21, true},
    {41, "ecshrine", 15, true},
    {42, "gpshrine", 20, true},
    {43, "dbshrine", 14, true},
    {44, "nwshrine", 15, true},
    {45, "worldmap", -1, true},
    {46, "animtest", -1, false},
    {47, "capeclaw", -1, true},
    {48, "dbay", 5, false},
    {49, "animtest", -1, false},
    {50, "cloudrace", -1, true},
    {51, "bossdrakor", -1, true},
    {52, "animtest", -1, false},
    {53, "bosstrex", 20, true},
    {54, "linkb", 30, true},
    {55, "cloudjoin", -1, false},
    {56, "arwingtoplanet", -1, true},
    {57, "arwingdarkice", -1, true},
    {58, "arwingcloud", -1, true},
    {59, "arwingcity", -1, true},
    {60, "arwingdragon", -1, true},
    {61, "gamefront", -1, true},
    {62, "linklevel", -1, false},
    {63, "greatfox", 15, true},
    {64, "linka", -1, true},
    {65, "linkc", 14, true},
    {66, "linkd", -1, true},
    {67, "linke", 12, true},
    {68, "linkf", 7, true},
    {69, "linkg", 12, true},
    {70, "linkh", 21, true},
    {71, "linkj", 47, true},
    {72, "linki", -1, true},
};

static const mst_sfa_map maps[] = {
    /* number, directory, kind, object type that carries it, list, name */
    {0, 13, 0, 0, "frontend", "Ship Battle"},
    {1, 5, 3, 0, "frontend2", "ZNot Used - Front End2"},
    {2, 4, 0, 0, "dragrock", "Dragon Rock - Top"},
    {3, 5, 0, 0, "krazoapalace", "ZNot Used - Krazoa Palace"},
    {4, 7, 0, 0, "temple", "Volcano Force Point"},
    {5, 5, 0, 0, "hightop", "Rolling Demo - Just In Case"},
    {6, 5, 0, 0, "discovery", "ZNot Used - Discovery Falls"},
    {7, 12, 0, 0, "hollow", "ThornTail Hollow"},
    {8, 19, 0, 0, "hollow2", "ThornTail Hollow - Undergro"},
    {9, 9, 0, 0, "mazecave", "MazeTest"},
    {10, 14, 0, 0, "wastes", "SnowHorn Wastes"},
    {11, 15, 0, 0, "warlock", "Krazoa Palace"},
    {12, 18, 0, 0, "fortress", "CloudRunner Fortress"},
    {13, 20, 0, 0, "wallcity", "Walled City"},
    {14, 21, 0, 0, "swapcircle", "LightFoot Village"},
    {15, 22, 0, 0, "cloudtreasure", "ZNot Used - CloudRunner - T"},
    {16, 24, 0, 0, "clouddungeon", "CloudRunner - Dungeon"},
    {17, 5, 0, 0, "cloudtrap", "ZNot Used - CloudRunner - T"},
    {18, 25, 0, 0, "moonpass", "Moon Mountain Pass"},
    {19, 26, 0, 0, "snowmines", "DarkIce Mines - Top"},
    {20, 5, 0, 0, "krashrin2", "ZNot Used - Krazoa Shrine"},
    {21, 28, 0, 0, "kraztest", "Ocean Force Point - Bottom"},
    {22, 5, 0, 0, "krazchamber", "krazchamber"},
    {23, 30, 0, 0, "newicemount", "Ice Mountain"},
    {24, 31, 0, 0, "newicemount2", "ZNot Used - Ice Mountain 2"},
    {25, 32, 0, 0, "newicemount3", "ZNot Used - Ice Mountain 3"},
    {26, 5, 0, 0, "animtest", "Animtest"},
    {27, 34, 0, 0, "snowmines2", "DarkIce Mines - Bottom"},
    {28, 35, 0, 0, "snowmines3", "BOSS DarkIce"},
    {29, 47, 0, 0, "capeclaw", "Cape Claw"},
    {30, 37, 0, 0, "insidegal", "ZNot Used - Inside Galleon"},
    {31, 39, 0, 0, "dfshrine", "Test Of Combat"},
    {32, 40, 0, 0, "mmshrine", "Test Of Fear"},
    {33, 41, 0, 0, "ecshrine", "Test Of Skill"},
    {34, 42, 0, 0, "gpshrine", "Test Of Knowledge"},
    {35, 48, 0, 0, "diamondbay", "ZNot Used - Diamond Bay"},
    {36, 5, 0, 0, "earthwalker", "ZNot Used - EarthWalker Tem"},
    {37, 5, 0, 0, "willow", "ZNot Used - Willow Grove"},
    {38, 3, 4, 0, "arwing", "ArWing Level - Andross"},
    {39, 43, 0, 0, "dbshrine", "Test Of Strength"},
    {40, 44, 0, 0, "nwshrine", "BOSS Scales"},
    {41, 45, 4, 0, "ccshrine", "World Map"},
    {42, 5, 0, 0, "wgshrine", "ZNot Used - WGShrine"},
    {43, 50, 0, 0, "cloudrace", "CloudRunner - Race"},
    {44, 51, 0, 0, "finalboss", "BOSS Drakor"},
    {45, 5, 0, 0, "wminsert", "ZNot Used - WMinsert"},
    {46, 5, 0, 0, "snowmines4", "ZNot Used - DarkIce Mines -"},
    {47, 5, 0, 0, "snowmines5", "ZNot Used - DarkIce Mines -"},
    {48, 53, 0, 0, "trexboss", "BOSS TRex"},
    {49, 5, 0, 0, "mikelava", "ZNot Used - MikesLava"},
    {50, 6, 0, 0, "dfptop", "Ocean Force Point - Top"},
    {51, 16, 0, 0, "swapstore", "Shop"},
    {52, 10, 0, 0, "dragbot", "Dragon Rock - Bottom"},
    {53, 5, 0, 0, "kamdrag", "ZNot Used - BOSS Kamerian D"},
    {54, 38, 0, 0, "magicave", "Magic Cave - Small\\Big"},
    {55, 55, 0, 0, "duster", "ZNot Used - Duster Cave"},
    {56, 54, 0, 0, "linkb", "LinkB - Ice2Wastes"},
    {57, 5, 0, 0, "cloudjoin", "ZNot Used - CloudRunner2Rac"},
    {58, 56, 4, 0, "arwingtoplanet", "Arwing to Planet"},
    {59, 57, 4, 0, "arwingdarkice", "Arwing Darkice"},
    {60, 58, 4, 0, "arwingcloud", "Arwing Cloud"},
    {61, 59, 4, 0, "arwingcity", "Arwing City"},
    {62, 60, 4, 0, "arwingdragon", "Arwing Dragon"},
    {63, 61, 4, 0, "gamefront", "Game Front"},
    {64, 62, 0, 0, "linklevel", "LinkK - Nik Test"},
    {65, 63, 0, 0, "greatfox", "Great Fox"},
    {66, 64, 0, 0, "linka", "LinkA - Warpstone to Others"},
    {67, 65, 0, 0, "linkc", "LinkC - Wastes to Hollow"},
    {68, 66, 0, 0, "linkd", "LinkD - Darkmines top 2 bot"},
    {69, 67, 0, 0, "linke", "LinkE - hollow to moon pass"},
    {70, 68, 0, 0, "linkf", "LinkF - moonpass to volcano"},
    {71, 69, 0, 0, "linkg", "LinkG - hollow to lightfoot"},
    {72, 70, 0, 0, "linkh", "LinkH - lightfoot to capecl"},
    {73, 71, 0, 0, "linkj", "LinkJ - capeclaw 2 ocean fo"},
    {74, 72, 0, 0, "linki", "LinkI - CloudRunner2Race"},
    {75, -1, 1, 0, "dfpodium", "dfpodium"},
    {76, -1, 1, 0, "dfcradle", "dfcradle"},
    {77, -1, 1, 0, "dfcavehatch1", "dfcavehatch1"},
    {78, -1, 1, 0, "dfcavehatch2", "dfcavehatch2"},
    {79, -1, 1, 0, "scstatue", "scstatue"},
    {80, -1, 1, 0x008E, "galleonship", "galleonship"},
    {81, -1, 1, 0x00CE, "cfgalleon", "cfgalleon"},
    {82, -1, 1, 0, "cfgangplank", "cfgangplank"},
    {83, -1, 1, 0, "nwtreebridge", "nwtreebridge"},
    {84, -1, 1, 0x00B3, "cfdungeonblock", "cfdungeonblock"},
    {85, -1, 1, 0x008C, "cloudrunnermap", "cloudrunnermap"},
    {86, -1, 1, 0x0099, "ccbridge", "ccBridge"},
    {87, -1, 1, 0x0782, "cfcolumn", "cfcolumn"},
    {88, -1, 1, 0, "nwboulder", "nwboulder"},
    {89, -1, 1, 0x00C1, "cfprisondoor", "cfprisondoor"},
    {90, -1, 1, 0x0127, "cfprisoncage", "cfprisoncage"},
    {91, -1, 1, 0x01DB, "nwtreebridge2", "nwtreebridge2"},
    {92, -1, 1, 0x07C7, "dim2iceblock1", "dim2 ice block1"},
    {93, -1, 1, 0x01CB, "dimpushblock", "dimpushblock"},
    {94, -1, 1, 0x07C9, "dim2iceblock2", "dim2 ice block2"},
    {95, -1, 1, 0, "dimhornplinth", "dimhornplinth"},
    {96, -1, 1, 0, "nwshcolpush", "nwshcolpush"},
    {97, -1, 1, 0, "dim2lift", "dim2lift"},
    {98, -1, 1, 0x0111, "dim2icefloe", "dim2icefloe"},
    {99, -1, 1, 0x0109, "dim2icefloe1", "dim2icefloe1"},
    {100, -1, 1, 0x010D, "dim2icefloe2", "dim2icefloe2"},
    {101, -1, 1, 0, "cfliftplat", "cfliftplat"},
    {102, -1, 1, 0x0168, "imspacecraft", "imspacecraft"},
    {103, -1, 1, 0x0155, "dimbossgut", "dimbossgut"},
    {104, -1, 1, 0x015D, "wmcolrise", "wmcolrise"},
    {105, -1, 1, 0x03BA, "vfpslide1", "vfpslide1"},
    {106, -1, 1, 0x03C0, "vfpslide2", "vfpslide2"},
    {107, -1, 1, 0x0418, "drpushcart", "drpushcart"},
    {108, -1, 1, 0x03B1, "drliftplat", "drliftplat"},
    {109, -1, 1, 0x00F2, "dim2stonepillar", "dim2stonepillar"},
    {110, -1, 1, 0x07DF, "bossdrakorflatr", "bossdrakorrock"},
    {111, -1, 1, 0x04FE, "wcbouncycrate", "wcbouncycrate"},
    {112, -1, 1, 0x0515, "wcpushblock", "wcpushblock"},
    {113, -1, 1, 0x0528, "wctemplelift", "wctemplelift"},
    {114, -1, 1, 0, "KamColumn", "kameriancolumn"},
    {115, -1, 1, 0, "dbstepstone", "dbstepstone"},
    {116, -1, 1, 0x0857, "vfppushblock", "vfppushblock"},
};
/* clang-format on */

static const char *const lists_of_no_map[] = {"cfledge",    "dimcannon",     "dimcannonbase", "drhighplat",
                                              "goldplains", "greatfoxworld", "shlily"};

const mst_sfa_directory *mst_sfa_directory_of(int number) {
    return number >= 0 && number < MST_SFA_DIRECTORIES ? &directories[number] : NULL;
}

int mst_sfa_file_number(int directory) {
    return directory < 5 ? directory : directory + 1;
}

int mst_sfa_directory_of_file(int number) {
    int directory = number < 5 ? number : number - 1;
    return number == 5 || !mst_sfa_directory_of(directory) ? -1 : directory;
}

static bool same_letters(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        x += x >= 'A' && x <= 'Z' ? 'a' - 'A' : 0;
        y += y >= 'A' && y <= 'Z' ? 'a' - 'A' : 0;
        if (x != y)
            return false;
    }
    return true;
}

bool mst_sfa_same_name(const char *a, const char *b) {
    size_t length = strlen(a);
    return length == strlen(b) && same_letters(a, b, length);
}

bool mst_sfa_name_ends(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    return length >= end && same_letters(name + length - end, ending, end);
}

const char *mst_sfa_file_name(const char *path) {
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/' || *p == '\\' || *p == '!')
            name = p + 1;
    return name;
}

const mst_sfa_directory *mst_sfa_directory_named(const char *name) {
    const mst_sfa_directory *found = NULL;
    for (size_t i = 0; i < MST_COUNT_OF(directories); i++)
        if (mst_sfa_same_name(directories[i].name, name) && (!found || directories[i].has_files))
            found = &directories[i];
    return found;
}

const mst_sfa_map *mst_sfa_map_of(int number) {
    return number >= 0 && number < MST_SFA_MAPS ? &maps[number] : NULL;
}

const mst_sfa_map *mst_sfa_map_of_list(const char *list) {
    for (size_t i = 0; i < MST_COUNT_OF(maps); i++)
        if (mst_sfa_same_name(maps[i].list, list))
            return &maps[i];
    return NULL;
}

bool mst_sfa_is_list_of_no_map(const char *list) {
    for (size_t i = 0; i < MST_COUNT_OF(lists_of_no_map); i++)
        if (mst_sfa_same_name(lists_of_no_map[i], list))
            return true;
    return false;
}

const char *mst_sfa_list_at(size_t index) {
    if (index < MST_SFA_MAPS)
        return maps[index].list;
    index -= MST_SFA_MAPS;
    return index < MST_COUNT_OF(lists_of_no_map) ? lists_of_no_map[index] : NULL;
}

_Static_assert(MST_COUNT_OF(directories) == MST_SFA_DIRECTORIES, "a directory is missing");
_Static_assert(MST_COUNT_OF(maps) == MST_SFA_MAPS, "a map is missing");
