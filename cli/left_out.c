/* SPDX-License-Identifier: MIT */
#include "left_out.h"
#include "../src/system/names.h"
#include <string.h>

#define SHOWN 8 /* files; of others only their number is of interest */

static void say_one(left_out *all, const char *name, size_t length, const char *why) {
    if (all->count++ < SHOWN && !all->quiet)
        say(MST_INFORMATION, "%s: %.*s is left out of %s: %s", all->path, (int)length, name, all->what, why);
}

void left_out_take(void *user, const char *name) {
    say_one(user, name, strlen(name), "it is neither a level nor what levels need");
}

void left_out_names(left_out *all, const mst_container *files, bool hidden) {
    const char *last = "";
    size_t length = 0; /* of the part of the last one that is said */
    for (size_t i = 0; i < mst_container_count(files); i++) {
        const char *name = mst_container_name(files, i), *why = mst_name_fault(name);
        if (!why || (!hidden && mst_name_is_hidden(name)) ||
            (length && strncmp(name, last, length) == 0 && (name[length] == '/' || !name[length])))
            continue;
        for (length = strcspn(name, "/"); !mst_name_fault_of(name, length);)
            length += 1 + strcspn(name + length + 1, "/");
        last = name;
        say_one(all, name, length, why);
    }
}

void left_out_end(const left_out *all) {
    if (all->count > SHOWN && !all->quiet)
        say(MST_INFORMATION, "%s: %zu more are left out of %s", all->path, all->count - SHOWN, all->what);
}
