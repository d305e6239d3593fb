/* SPDX-License-Identifier: MIT */
#include "container.h"

#if MST_WITH_ARCHIVE

#include "libarchive.h"

#include <assert.h>

/* Compilation fails if <archive.h> declares a function differently. */
#define CHECK(type, name, arguments)                                                                         \
    static_assert(_Generic(&archive_##name, type(*) arguments : 1, default : 0),                             \
                  "archive_" #name " has another type");
MST_LIBARCHIVE_FUNCTIONS(CHECK)

#ifdef MST_ARCHIVE_LOADED /* the library's file name, with the version of its interface */

#include "../system/system.h"

#include <stdio.h>
#include <string.h>

#define NAME(type, name, arguments) {"archive_" #name, offsetof(mst_libarchive, name)},
static const mst_system_member members[] = {MST_LIBARCHIVE_FUNCTIONS(NAME)};

bool mst_libarchive_load(mst_libarchive *functions, char *why, size_t capacity) {
    char reason[256] = "";
    const bool loaded = mst_system_load(MST_ARCHIVE_LOADED, members, sizeof members / sizeof *members,
                                        functions, reason, sizeof reason);
    if (!loaded)
        snprintf(why, capacity, "libarchive is not installed (in Debian: %s): %s", MST_ARCHIVE_PACKAGE,
                 reason);
    return loaded;
}

#else

#define LINKED(type, name, arguments) .name = archive_##name,

bool mst_libarchive_load(mst_libarchive *functions, char *why, size_t capacity) {
    static const mst_libarchive linked = {MST_LIBARCHIVE_FUNCTIONS(LINKED)};
    (void)why, (void)capacity;
    *functions = linked;
    return true;
}

#endif

#endif
