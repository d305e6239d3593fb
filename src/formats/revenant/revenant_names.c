/* SPDX-License-Identifier: MIT */
#include "revenant_names.h"
#include "revenant.h"

#define NAME(value, name, meaning)    {value, name},
#define MEANING(value, name, meaning) meaning,
#define NAMES(one, list)                                                                                     \
    static const mst_enum_name one##_names[] = {list(NAME)};                                                 \
    const mst_enum mst_revenant_##one##_names = {one##_names, MST_COUNT_OF(one##_names)};                    \
    const char *const mst_revenant_##one##_meanings[] = {list(MEANING)};

#define CLASSES(X)                                                                                           \
    X(-1, "empty", "An empty slot.")                                                                         \
    X(0, "item", "Can be picked up and has no other use.")                                                   \
    X(1, "weapon", "Is held in the hand to strike with.")                                                    \
    X(2, "armor", "Is worn: clothing, rings, collars.")                                                      \
    X(3, "talisman", "A sign; several make a spell.")                                                        \
    X(4, "food", "Is eaten or drunk.")                                                                       \
    X(5, "container", "Holds other things: a chest, a pouch, a bookcase.")                                   \
    X(6, "lightsource", "A lamp or torch that a character wears.")                                           \
    X(7, "tool", "Lock picks and the like.")                                                                 \
    X(8, "money", "Coins.")                                                                                  \
    X(9, "tile", "Scenery: floors, walls, trees, furniture.")                                                \
    X(10, "exit", "A door, stairs, a lever or a plate, which opens or leads to another place.")              \
    X(11, "player", "A player. Saved games have them; in sectors their slots are empty.")                    \
    X(12, "character", "People, animals and monsters.")                                                      \
    X(13, "trap", "Hurts those who come near: arrows, scythes, spikes.")                                     \
    X(14, "shadow", "A shadow, drawn on the ground.")                                                        \
    X(15, "helper", "A box, axis or plane for the editor, or a generator of monsters.")                      \
    X(16, "key", "Opens the locks that have its number.")                                                    \
    X(17, "invcontainer", "A bag that can be carried, with things in it (1999).")                            \
    X(18, "potion", "Is drunk (1999).")                                                                      \
    X(19, "unused_19", "The game has no such class.")                                                        \
    X(20, "unused_20", "The game has no such class.")                                                        \
    X(21, "ammo", "Arrows.")                                                                                 \
    X(22, "scroll", "A text to be read.")                                                                    \
    X(23, "rangedweapon", "A bow or crossbow.")                                                              \
    X(24, "unused_24", "The game has no such class.")                                                        \
    X(25, "effect", "Fire, smoke, dripping water, a sound.")                                                 \
    X(26, "mapscroll", "A map to be read (1999). The game neither saves nor reads them.")
NAMES(class, CLASSES)

/* The earliest files number classes differently. */
#define EARLY_CLASSES(X)                                                                                     \
    X(-1, "empty", "An empty slot.")                                                                         \
    X(0, "item", "As in later files.")                                                                       \
    X(1, "weapon", "As in later files.")                                                                     \
    X(2, "armor", "As in later files.")                                                                      \
    X(3, "talisman", "As in later files.")                                                                   \
    X(4, "food", "As in later files.")                                                                       \
    X(5, "container", "As in later files.")                                                                  \
    X(6, "lightsource", "As in later files.")                                                                \
    X(7, "tool", "As in later files.")                                                                       \
    X(MST_REVENANT_EARLY_TILE, "tile", "Scenery; 9 in later files, 8 became money.")                         \
    X(MST_REVENANT_EARLY_EXIT, "exit", "A way to another place; 10 in later files.")                         \
    X(MST_REVENANT_EARLY_PLAYER, "player", "A player and the carried objects; 11 in later files.")           \
    X(MST_REVENANT_EARLY_CHARACTER, "character", "People, animals and monsters; 12 in later files.")         \
    X(MST_REVENANT_EARLY_SHADOW, "shadow", "A shadow on the ground; 14 in later files.")                     \
    X(MST_REVENANT_EARLY_BARE, "early_20",                                                                   \
      "Not known: four such slots are at the end of one file, and have no data beyond the type.")
NAMES(early_class, EARLY_CLASSES)

/* "Set by the game": from the class when the object is read, regardless of the file. */
#define FLAGS(X)                                                                                             \
    X(0, "immobile", "Neither moves nor falls. Without it a velocity is stored.")                            \
    X(1, "editorlock", "The editor does not move it.")                                                       \
    X(2, "light", "Shines: a light is stored.")                                                              \
    X(3, "moving", "Belongs to a moving object: characters, exits, missiles. Set by the game.")              \
    X(4, "animating", "Its picture is changing at this moment.")                                             \
    X(5, "ai", "Acts on its own. Set by the game.")                                                          \
    X(6, "disabled", "Is switched off.")                                                                     \
    X(7, "invisible", "Is not drawn while the game is played.")                                              \
    X(8, "editor", "Is drawn in the editor only.")                                                           \
    X(9, "foreground",                                                                                       \
      ("Drawn in front, where its kind is drawn behind; in 1998: mirrored. Cleared by the "                  \
       "game in files below version 12."))                                                                   \
    X(10, "seldraw", "Is selected in the editor.")                                                           \
    X(11, "reveal", "Becomes transparent while the player is behind it.")                                    \
    X(12, "kill", "Vanishes with the next frame.")                                                           \
    X(13, "generated", "Made by the map generator, which may replace it.")                                   \
    X(14, "animate", "Is updated in each frame: frame and frame_rate are stored.")                           \
    X(15, "pulse", "Is updated in each tick of the game.")                                                   \
    X(16, "weightless", "Moves, but does not fall.")                                                         \
    X(17, "complex", "Performs actions, as characters do. Set by the game.")                                 \
    X(18, "notify", "Learns when other objects vanish. Set by the game.")                                    \
    X(19, "nonmap",                                                                                          \
      ("Is not part of the map: its level is stored, and sectors do not keep it. Set by the "                \
       "game."))                                                                                             \
    X(20, "onexit", "Has just arrived through an exit and is still on it, so it does not return at once.")   \
    X(21, "pause", "Its script waits.")                                                                      \
    X(22, "nowalk", "The heights on which one can walk on it do not count.")                                 \
    X(23, "paralyze", "Is stopped in the middle of a movement.")                                             \
    X(24, "nocollision", "Goes through other objects.")                                                      \
    X(25, "iced", "Is under the spell of ice.")                                                              \
    X(26, "virgin",                                                                                          \
      ("Unchanged since the level was designed: its statistics are its type's, except health, fatigue and "  \
       "mana. Cleared by the game below version 12, as are 27 to 31."))                                      \
    X(27, "loading", "Set only while it is being read.")                                                     \
    X(28, "invulnerable", "Cannot be hurt.")                                                                 \
    X(29, "background", "Drawn behind, where its kind is drawn in front.")                                   \
    X(30, "inventory", "Can be carried. Set by the game.")                                                   \
    X(31, "calledpredel", "Is being removed. Set by the game.")
NAMES(flag, FLAGS)

#define LIGHT_FLAGS(X)                                                                                       \
    X(0, "directional", "Shines in one direction, not all around.")                                          \
    X(1, "sun", "Is the sun.")                                                                               \
    X(2, "moon", "Is the moon.")
NAMES(light_flag, LIGHT_FLAGS)

#define EXIT_FLAGS(X)                                                                                        \
    X(0, "on", "The player is on it.")                                                                       \
    X(1, "activated", "It has led somewhere.")                                                               \
    X(2, "from_exit", "The player has just arrived at it through another exit.")
NAMES(exit_flag, EXIT_FLAGS)

#define ACTIONS(X)                                                                                           \
    X(0, "none", "Does nothing.")                                                                            \
    X(1, "animate", "Shows a movement on the spot.")                                                         \
    X(2, "move", "Walks or runs.")                                                                           \
    X(3, "combat", "Stands ready to fight.")                                                                 \
    X(4, "combat_move", "Walks ready to fight.")                                                             \
    X(5, "combat_leap", "Leaps in a fight.")                                                                 \
    X(6, "collapse", "Breaks down.")                                                                         \
    X(7, "attack", "Strikes.")                                                                               \
    X(8, "block", "Wards off a blow.")                                                                       \
    X(9, "dodge", "Avoids a blow.")                                                                          \
    X(10, "miss", "Has struck nothing.")                                                                     \
    X(11, "invoke", "Casts a spell.")                                                                        \
    X(12, "impact", "Is hit.")                                                                               \
    X(13, "stun", "Is dazed.")                                                                               \
    X(14, "knockdown", "Is thrown to the ground.")                                                           \
    X(15, "flyback", "Is flung back.")                                                                       \
    X(16, "say", "Speaks.")                                                                                  \
    X(17, "pivot", "Turns on the spot.")                                                                     \
    X(18, "pull", "Pulls something, such as a lever.")                                                       \
    X(19, "dead", "Lies dead.")                                                                              \
    X(20, "pulp", "Has been crushed.")                                                                       \
    X(21, "burn", "Is on fire.")                                                                             \
    X(22, "flail", "Waves its arms about.")                                                                  \
    X(23, "sleep", "Is asleep.")                                                                             \
    X(24, "leap", "Leaps.")                                                                                  \
    X(25, "bow", "Holds a bow.")                                                                             \
    X(26, "bow_move", "Walks with a bow.")                                                                   \
    X(27, "bow_aim", "Aims a bow.")                                                                          \
    X(28, "bow_shoot", "Shoots with a bow.")
NAMES(action, ACTIONS)
