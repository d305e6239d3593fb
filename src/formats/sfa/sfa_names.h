/* SPDX-License-Identifier: MIT */
/* The names of the directories, maps and object types of Star Fox Adventures, and how they are related. */
#ifndef MST_SFA_SFA_NAMES_H
#define MST_SFA_SFA_NAMES_H

#include "../../core/text.h"

/* A directory of the disc, by the number used in cells. Names repeat: `animtest` fills unused numbers. */
typedef struct mst_sfa_directory {
    int16_t number;
    const char *name;
    int16_t parent; /* loaded together with it for its blocks and textures; -1: none */
    bool has_files;
} mst_sfa_directory;
#define MST_SFA_DIRECTORIES 73

const mst_sfa_directory *mst_sfa_directory_of(int number);
/* Ignores case; of directories with the same name, the one that has files. */
const mst_sfa_directory *mst_sfa_directory_named(const char *name);
/* The N of a directory's mod<N> files, and the directory of an N (-1: none). */
int mst_sfa_file_number(int directory);
int mst_sfa_directory_of_file(int number);

typedef enum mst_sfa_map_kind {
    MST_SFA_MAP = 0,
    MST_SFA_SUB_MAP, /* carried by an object */
    MST_SFA_SPECIAL, /* not used */
    MST_SFA_SPECIAL_SUB_MAP,
    MST_SFA_SPECIAL_MAP /* title, flights, world map */
} mst_sfa_map_kind;

typedef struct mst_sfa_map {
    int16_t number;
    int16_t directory;   /* -1: none */
    uint8_t kind;        /* mst_sfa_map_kind */
    int16_t object_type; /* type that carries it; 0: none, or unknown */
    const char *list;    /* the name of its object list, without an ending */
    const char *name;    /* in MAPINFO.bin */
} mst_sfa_map;
#define MST_SFA_MAPS        117
#define MST_SFA_MAP_OFFSETS 7 /* words of a row of MAPS.tab */

const mst_sfa_map *mst_sfa_map_of(int number);
/* The map with this object list; accepts the list's name or a path of its file; ignores case. */
const mst_sfa_map *mst_sfa_map_of_list(const char *name);
/* An object list's file is its name and one of these; NULL after the last. */
const char *mst_sfa_list_ending(size_t index);
/* The length of the list's name in the name of its file: "frontend" of "frontend.romlist.zlb". */
size_t mst_sfa_list_length(const char *file);
/* Seven object lists belong to no map. */
bool mst_sfa_is_list_of_no_map(const char *list);
/* The names of all object lists: the lists of maps by map number, then the lists of no map; NULL after the
 * last. */
const char *mst_sfa_list_at(size_t index);

/* For fields that hold their numbers: the unique names of directories, and the names of the maps' lists. */
extern const struct mst_enum mst_sfa_directory_names, mst_sfa_map_names;

/* ---- object types ------------------------------------------------------------------------------- */

#define MST_SFA_CHECKPOINT 0x05
#define MST_SFA_CURVE      0x6E

typedef struct mst_sfa_object_type {
    int16_t type;
    uint8_t words; /* size of its records in words of 4 bytes; 0: it varies (curves) */
    char name[12]; /* in the game: truncated, so not always unique */
} mst_sfa_object_type;
#define MST_SFA_OBJECT_TYPES 814

/* NULL if the game has no object of the type. */
const mst_sfa_object_type *mst_sfa_object_type_of(int type);
/* Ascending by type; NULL after the last. */
const mst_sfa_object_type *mst_sfa_object_type_at(size_t index);
/* The size of a curve's record in words, by its kind. */
unsigned mst_sfa_curve_words(unsigned kind);
/* The size of a type's records in words (`kind`: of curves); 0: unknown type. */
unsigned mst_sfa_words_of(int type, unsigned kind);
/* Whether the type is known and its records have this size. */
bool mst_sfa_width_known(int type, unsigned kind, unsigned words);

/* ---- file names --------------------------------------------------------------------------------- */

/* The part of a path after the last '/', '\\' or '!'. */
const char *mst_sfa_file_name(const char *path);
#define MST_SFA_SEPARATORS ".-_ "
/* Whether a path's last part is a name of the game, possibly after the name of its folder, as in collections
 * of several folders: "gamefront.TEX0.tab". Ignores case. */
bool mst_sfa_is_file(const char *path, const char *name);
/* Both ignore the case of ASCII letters. */
bool mst_sfa_name_ends(const char *name, const char *ending);

#endif
