/* SPDX-License-Identifier: MIT */
/* Names of the game's directories and maps, from its executable and discs. */
#include "sfa_names.h"
#include "../../tables/schema.h"
#include <string.h>

/* clang-format off */
#define OWN(number, label, parent, has_files)    {number, label, parent, has_files},
#define SHARED(number, label, parent, has_files) {number, label, parent, has_files},
static const mst_sfa_directory directories[] = {
#include "directory_list.h"
};
#undef OWN
#undef SHARED
#define OWN(number, label, parent, has_files) {number, label},
#define SHARED(number, label, parent, has_files)
static const mst_enum_name directory_names[] = {
#include "directory_list.h"
};
const mst_enum mst_sfa_directory_names = {directory_names, MST_COUNT_OF(directory_names)};

#define MAP(number, directory, kind, object_type, list, label) {number, directory, kind, object_type, list, label},
static const mst_sfa_map maps[] = {
#include "map_list.h"
};
#undef MAP
#define MAP(number, directory, kind, object_type, list, label) {number, list},
static const mst_enum_name map_names[] = {
#include "map_list.h"
};
const mst_enum mst_sfa_map_names = {map_names, MST_COUNT_OF(map_names)};
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

bool mst_sfa_name_ends(const char *name, const char *ending) {
    return mst_text_ends_in(name, strlen(name), ending);
}

const char *mst_sfa_file_name(const char *path) {
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/' || *p == '\\' || *p == '!')
            name = p + 1;
    return name;
}

bool mst_sfa_is_file(const char *path, const char *name) {
    const char *file = mst_sfa_file_name(path);
    const size_t length = strlen(file), own = strlen(name);
    const bool copied = length > own && strchr(MST_SFA_SEPARATORS, file[length - own - 1]);
    return mst_same_text(copied ? file + length - own : file, name);
}

const mst_sfa_directory *mst_sfa_directory_named(const char *name) {
    const mst_sfa_directory *found = NULL;
    for (size_t i = 0; i < MST_COUNT_OF(directories); i++)
        if (mst_same_text(directories[i].name, name) && (!found || directories[i].has_files))
            found = &directories[i];
    return found;
}

const mst_sfa_map *mst_sfa_map_of(int number) {
    return number >= 0 && number < MST_SFA_MAPS ? &maps[number] : NULL;
}

const char *mst_sfa_list_ending(size_t index) {
    static const char *const endings[] = {".romlist.zlb", ".romlist.bin", ".romlist"};
    return index < MST_COUNT_OF(endings) ? endings[index] : NULL;
}

size_t mst_sfa_list_length(const char *file) {
    return strcspn(file, ".");
}

const mst_sfa_map *mst_sfa_map_of_list(const char *name) {
    const char *list = mst_sfa_file_name(name);
    size_t length = mst_sfa_list_length(list);
    for (size_t i = 0; i < MST_COUNT_OF(maps); i++)
        if (strlen(maps[i].list) == length && mst_same_letters(maps[i].list, list, length))
            return &maps[i];
    return NULL;
}

bool mst_sfa_is_list_of_no_map(const char *list) {
    for (size_t i = 0; i < MST_COUNT_OF(lists_of_no_map); i++)
        if (mst_same_text(lists_of_no_map[i], list))
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
