/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded while the program runs, by POSIX. */
#include "system.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void take_reason(char *why, size_t capacity) {
    const char *reason = dlerror();
    snprintf(why, capacity, "%s", reason ? reason : "it cannot be loaded");
}

void *mst_system_load(const char *name, char *why, size_t capacity) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        take_reason(why, capacity);
    return library;
}

mst_system_function mst_system_find_function(void *library, const char *name, char *why, size_t capacity) {
    void *address = dlsym(library, name);
    mst_system_function function = NULL;
    static_assert(sizeof function == sizeof address, "POSIX: a pointer holds a function's address");
    memcpy(&function, &address, sizeof function); /* C has no conversion for it */
    if (!function)
        take_reason(why, capacity);
    return function;
}
