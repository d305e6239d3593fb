/* SPDX-License-Identifier: MIT */
/* Loading shared libraries at run time, on POSIX. */
#include "system.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void take_reason(char *why, size_t capacity) {
    const char *reason = dlerror();
    snprintf(why, capacity, "%s", reason ? reason : "it cannot be loaded");
}

bool mst_system_load(const char *name, const mst_system_member *members, size_t count, void *functions,
                     char *why, size_t capacity) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        take_reason(why, capacity);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, members[i].name);
        static_assert(sizeof address == sizeof(void (*)(void)),
                      "POSIX: a pointer holds a function's address");
        if (!address) {
            take_reason(why, capacity);
            return false;
        }
        memcpy((char *)functions + members[i].offset, &address,
               sizeof address); /* C has no conversion between the two */
    }
    return true;
}
