/* SPDX-License-Identifier: MIT */
#if MST_WITH_SQLITE
#include "sqlite.h"

#include <assert.h>

/* Does not compile unless the function has the type that the table repeats. */
#define CHECK(type, name, arguments)                                                                         \
    static_assert(_Generic(&sqlite3_##name, type(*) arguments : 1, default : 0),                             \
                  "sqlite3_" #name " has another type");
SQLITE_FUNCTIONS(CHECK)

#ifdef MST_SQLITE_LOADED /* the library's file name, including the version of its interface */

#include "../../src/system/system.h"
#include <stdio.h>
#include <string.h>

#define NAME(type, name, arguments) {"sqlite3_" #name, offsetof(sqlite_functions, name)},
static const mst_system_member members[] = {SQLITE_FUNCTIONS(NAME)};

bool sqlite_load(sqlite_functions *functions, char *why, size_t capacity) {
    char reason[256] = "";
    const bool loaded = mst_system_load(MST_SQLITE_LOADED, members, sizeof members / sizeof *members,
                                        functions, reason, sizeof reason);
    if (!loaded)
        snprintf(why, capacity, "SQLite is not installed (in Debian: %s): %s", MST_SQLITE_PACKAGE, reason);
    return loaded;
}

#else

#define LINKED(type, name, arguments) .name = sqlite3_##name,

bool sqlite_load(sqlite_functions *functions, char *why, size_t capacity) {
    static const sqlite_functions linked = {SQLITE_FUNCTIONS(LINKED)};
    (void)why, (void)capacity;
    *functions = linked;
    return true;
}

#endif
#else
typedef int sqlite_is_not_there; /* C requires a declaration */
#endif
