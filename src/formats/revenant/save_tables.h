/* SPDX-License-Identifier: MIT */
/*
 * The tables of saved games, included by revenant_tables.c because players are objects: game.sav and
 * newgame.sav, versions 14 and 15. Facts: published analyses of the retail game; no file was seen.
 */
#ifndef MST_FORMATS_REVENANT_SAVE_TABLES_H
#define MST_FORMATS_REVENANT_SAVE_TABLES_H

#define SAVE_RECORDS(X)                                                                                      \
    X(save) X(game_state) X(sold) X(text_record) X(spell) X(automap_level) X(automap) X(player) X(kept_player)
enum { BEFORE_SAVE = I_generator, SAVE_RECORDS(RECORD_INDEX) };

static const mst_field text_record_fields[] = {{.name = "text",
                                                NAME,
                                                .doc = "The text shown where it is used; empty: none.",
                                                .range = "up to 255 bytes"}};
RECORD(text_record, "text", "a text", .is_inline = true);

static const mst_field game_state_fields[] = {
    {.name = "name",
     NAME,
     .flags = MST_FIELD_HIGH,
     .doc = "Name of the state, which the game's scripts set and test."},
    {.name = "value", I32, .doc = "Its current state, interpreted by scripts."}};
RECORD(game_state, "game_state", "something that has happened in the world");

static const mst_field sold_fields[] = {
    {.name = "numbers", I32, FIXED(2), .doc = "An object and its seller; it is not known which is which."}};
RECORD(sold, "sold", "a thing that is sold only once, and has been");

static const mst_field spell_fields[] = {{.name = "code",
                                          .kind = MST_KIND_CHAR8,
                                          FIXED(6),
                                          .doc = "The letters of its talismans, filled up with NUL."},
                                         {.name = "unknown",
                                          I32,
                                          .doc = "Not known: stored by players of versions 6-8 only.",
                                          IF(MIN(R_PLAYER, 6), {MST_BELOW, R_PLAYER, 9})}};
RECORD(spell, "spell", "a spell that a player knows");

static const mst_field automap_level_fields[] = {
    {.name = "level", I32, .doc = "Number of the level: the first one in the names of its sectors."},
    {.name = "seen",
     U16,
     MST_PREFIXED,
     .doc = "A packed mask of the explored area, 0x2080 bytes when unpacked; the packing is not known."}};
RECORD(automap_level, "automap_level", "the part of a level that a player has explored");

static const mst_field automap_fields[] = {
    {.name = "module", NAME, .doc = "Folder of the module of which the map is."},
    {.name = "levels", LIST(automap_level), .doc = "The levels of which a part has been explored."}};
RECORD(automap, "automap", "the map that a player draws while walking");

#define TEXTS(n) .kind = MST_KIND_RECORD, .record = &text_record, FIXED(n)
#define PLAYER_HEADER                                                                                        \
    {.name = "object_version",                                                                               \
     I16,                                                                                                    \
     BIND(R_PLAYER),                                                                                         \
     .flags = MST_FIELD_STOP,                                                                                \
     .doc = "Form of the player's data; negative: no player.",                                               \
     .range = "up to 15"},                                                                                   \
        {.name = "class", I16, NAMED(class), .doc = "The class of the object.", .range = "player"},          \
        {.name = "unique_id", U32, .doc = "Which player: the unique id of its type in class.def."},          \
        {SIZE(1), .flags = MST_FIELD_SIZE}, {                                                                \
        SIZE(2), .flags = MST_FIELD_SIZE_LAST                                                                \
    }

static const mst_field player_fields[] = {
    PLAYER_HEADER,
    {.name = "character_version",
     U8,
     BIND(R_OBJECT_VERSION),
     .doc = "The size of the character's data that follows.",
     .range = "4"},
    {COMPLEX_VERSION, IF(MIN(R_OBJECT_VERSION, 3))},
    {INSTANCE_VERSION, IF(MIN(R_OBJECT_VERSION, 3), MIN(R_COMPLEX, 1))},
    {OBJECT_NAME, .flags = MST_FIELD_HIGH},
    {OBJECT_FLAGS},
    {POSITION},
    {VELOCITY, IF(LACKS(MST_REVENANT_IMMOBILE))},
    {STATE, U16},
    {LEVEL, U16, IF(HAS(MST_REVENANT_NONMAP))},
    {INVENTORY_NUMBER},
    {INVENTORY_INDEX},
    {SHADOW, .range = "-1 for none"},
    {ROTATION_X},
    {ROTATION_Y},
    {ROTATION_Z},
    {MAP_INDEX},
    {FRAME, IF(HAS(MST_REVENANT_ANIMATE))},
    {FRAME_RATE, IF(HAS(MST_REVENANT_ANIMATE))},
    {GROUP},
    {STATS_HIGH},
    {LIGHT, IF(HAS(MST_REVENANT_LIGHT))},
    {ACTION},
    {ROOT_STATE},
    {RECOVERY_TIMES, IF(MIN(R_OBJECT_VERSION, 1))},
    {LAST_POISON, IF(MIN(R_OBJECT_VERSION, 4))},
    {TELEPORT_POSITION, IF(MIN(R_OBJECT_VERSION, 2))},
    {TELEPORT_LEVEL, IF(MIN(R_OBJECT_VERSION, 2))},
    {.name = "quick_spells", TEXTS(5), .doc = "The spells on the five keys.", IF(MIN(R_PLAYER, 4))},
    {.name = "known_spells", LIST(spell), .doc = "The spells that the player knows.", IF(MIN(R_PLAYER, 5))},
    {.name = "hud",
     I32,
     FIXED(4),
     .doc = "Whether the sidebar is open, the content of its upper and lower half, and one unknown number. "
            "The game does not use them after loading.",
     IF(MIN(R_PLAYER, 7))},
    {.name = "level_up_statistics",
     I32,
     FIXED(3),
     .doc = "Statistics with which the player reaches the next level; which ones is not known.",
     IF(MIN(R_PLAYER, 8))},
    {.name = "identity",
     .kind = MST_KIND_RAW,
     FIXED(50),
     .doc = "Not known in detail: the players of a multiplayer game.",
     IF(IS(R_PLAYER, 10))},
    {.name = "identity_names", TEXTS(2), .doc = "The players, in multiplayer games.", IF(MIN(R_PLAYER, 11))},
    {.name = "identity_numbers",
     I32,
     FIXED(1),
     .doc = "Not known in detail: a number of players.",
     IF(MIN(R_PLAYER, 11), {MST_BELOW, R_PLAYER, 13})},
    {.name = "identity_numbers",
     I32,
     FIXED(3),
     .doc = "Not known in detail: numbers of players.",
     IF(MIN(R_PLAYER, 13))},
    {.name = "module", NAME, .doc = "Folder of the module in which the player is.", IF(MIN(R_PLAYER, 11))},
    {.name = "player_state",
     I32,
     .doc = "The player's overall state in the game; the numbers are not known.",
     IF(MIN(R_PLAYER, 13))},
    {.name = "state_time",
     I32,
     .doc = "Game time when that state began; its unit is not known.",
     IF(MIN(R_PLAYER, 13))},
    {.name = "profile", TEXTS(4), .doc = "The player's own description.", IF(MIN(R_PLAYER, 13))},
    {.name = "kills",
     I32,
     FIXED(2),
     .doc = "The player's kills; how they are grouped is not known.",
     IF(MIN(R_PLAYER, 13), {MST_BELOW, R_PLAYER, 15})},
    {.name = "kills",
     I32,
     FIXED(4),
     .doc = "The player's kills; how they are grouped is not known.",
     IF(MIN(R_PLAYER, 15))},
    {.name = "automap",
     .kind = MST_KIND_RECORD,
     .record = &automap,
     .doc = "The parts of the levels that the player has explored.",
     IF(MIN(R_PLAYER, 14))},
    {TAIL},
    {INVENTORY_COUNT},
    {INVENTORY},
    {INVENTORY_TAIL},
};
RECORD(player, "player", "a player and the carried objects");

static const mst_field kept_player_fields[] = {
    PLAYER_HEADER,
    {.name = "data", RAW_TO_END, .doc = "Not known: the player's data has another form than expected."}};
RECORD(kept_player, "kept_player", "a player, kept as bytes");

static const mst_field save_fields[] = {
    {.name = "game_time", I32, .doc = "Game time when it was saved; its unit is not known."},
    {.name = "reserved_1", .kind = MST_KIND_RAW, FIXED(16), .doc = "Not used by the game.", .range = "0"},
    {.name = "multiplayer",
     I32,
     BIND(R_MULTIPLAYER),
     .doc = "Whether several play; then more data follows.",
     .range = "0 or 1"},
    {.name = "player_list_version", U32, .doc = "Form of the list of players.", .range = "2"},
    {.name = "stream_version", U32, .doc = "Form of the objects, as the version of sectors.", .range = "15"},
    {.name = "module",
     .kind = MST_KIND_CHAR8,
     FIXED(32),
     .doc = "Folder of the module that is played, filled up with NUL."},
    {.name = "reserved_2", .kind = MST_KIND_RAW, FIXED(64), .doc = "Not used by the game.", .range = "0"},
    {.name = "multiplayer_data",
     .kind = MST_KIND_RAW,
     FIXED(512),
     .doc = "Not known: the state of games in which several play.",
     IF(IS_NOT(R_MULTIPLAYER, 0))},
    {.name = "states", LIST(game_state), .doc = "Events in the world."},
    {.name = "sold", LIST(sold), .doc = "Things that are sold only once, and have been."},
    {.name = "players",
     LIST(player),
     .doc = "The players, each with the carried objects.",
     IF(IS(MST_VARIABLE_LAYOUT, 0))},
    {.name = "players",
     LIST(kept_player),
     .doc = "The players, whose data does not have the known form.",
     IF(IS(MST_VARIABLE_LAYOUT, 1))},
    {.name = "trailing",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Not known: bytes after the players, kept unchanged."},
};
RECORD(save, "save", "a saved game");

static const mst_record *const save_records[] = {OBJECT_RECORDS(RECORD_ADDRESS) SAVE_RECORDS(RECORD_ADDRESS)};

static const mst_code_information save_codes[] = {
    {"REV-SAVE-VERSION", MST_ERROR, "the version of the objects is not known"},
    {"REV-SAVE-OVERRUN", MST_ERROR, "a record or block does not end where it should"},
    {"REV-SAVE-COUNT", MST_ERROR, "a count is too large for the remaining bytes"},
    {"REV-SAVE-PLAYER", MST_WARNING,
     "the players do not have the known form, and are kept as bytes: their statistics and inventories cannot "
     "be edited"},
    {"REV-SAVE-TAIL", MST_WARNING,
     "the player's record has bytes that are not understood; they are kept unchanged"},
    {"REV-SAVE-TRAILING", MST_WARNING, "bytes follow the players; they are kept unchanged"},
};

#endif
