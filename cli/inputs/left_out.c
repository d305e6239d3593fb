/* SPDX-License-Identifier: MIT */
#include "left_out.h"
#include "../../src/system/file_names.h"
#include <string.h>

#define SHOWN 50 /* further files are only counted */

static void say_one(left_out *all, const char *name, size_t length, const char *why) {
    if (all->count++ < SHOWN && !all->quiet)
        say(MST_INFORMATION, "%s%s%.*s is left out of %s: %s", all->path ? all->path : "",
            all->path ? ": " : "", (int)length, name, all->what, why);
}

void left_out_take(void *user, const char *name) {
    say_one(user, name, strlen(name), "it is neither a level nor a file that levels need");
}

bool left_out_name(left_out *all, const char *name, size_t offset, bool hidden) {
    const char *why = mst_name_fault(name + offset);
    if (!why)
        return false;
    if (!hidden && mst_name_is_hidden(name + offset))
        return true;
    if (all->length && strncmp(name, all->last, all->length) == 0 &&
        (name[all->length] == '/' || !name[all->length]))
        return true;
    size_t length = offset + strcspn(name + offset, "/");
    while (!mst_name_fault_of(name + offset, length - offset))
        length += 1 + strcspn(name + length + 1, "/");
    all->last = name;
    all->length = length;
    say_one(all, name, length, why);
    return true;
}

void left_out_names(left_out *all, const mst_container *files, bool hidden) {
    all->length = 0;
    for (size_t i = 0; i < mst_container_count(files); i++)
        left_out_name(all, mst_container_name(files, i), 0, hidden);
}

void left_out_end(const left_out *all) {
    if (all->count > SHOWN && !all->quiet)
        say(MST_INFORMATION, "%zu more are left out of %s", all->count - SHOWN, all->what);
}
