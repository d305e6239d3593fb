/* SPDX-License-Identifier: MIT */
/* Functions shared by all kinds of containers: adding members, omitting files, reading files, releasing
 * bytes. */
#include "../core/diagnose.h"
#include "container.h"

#include <stdio.h>
#include <string.h>

#define FOUND_NAME 48 /* bytes shown of a name that is too long */

mst_status mst_container_fail(const mst_container *container, const mst_container_member *member,
                              mst_diagnostic *diagnostic, mst_status status, const char *why) {
    if (member)
        return mst_fail(diagnostic, status, "cannot read %s in %s: %s", member->name, container->path, why);
    return mst_fail(diagnostic, status, "cannot read %s: %s", container->path, why);
}

mst_status mst_container_too_large(const mst_container *container, const mst_container_member *member,
                                   mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_IO, "%s has more than %llu bytes", member->name,
             (unsigned long long)container->limit);
    return mst_because(MST_IO, diagnostic, MST_REASON_INPUT_LIMIT);
}

mst_status mst_container_omit(mst_container *container, const char *why, const char *found,
                              mst_diagnostic *diagnostic) {
    mst_diagnostic odd;
    container->omitted++;
    if (!container->report)
        return MST_OK;
    mst_fail(&odd, MST_OK, "a file is left out of the container: %s", why);
    odd.severity = MST_WARNING;
    if (found)
        MST_SET(odd.found, "%s", found);
    mst_status status = container->report(container->report_user, &odd);
    return status == MST_OK ? status : mst_container_fail(container, NULL, diagnostic, status, "stopped");
}

mst_container_member *mst_container_add(mst_container *container, const char *name,
                                        mst_diagnostic *diagnostic) {
    if (container->members.count >= MST_CONTAINER_MEMBERS_MAX) {
        mst_fail(diagnostic, MST_IO, "%s has more than %u files", container->path, MST_CONTAINER_MEMBERS_MAX);
        return NULL;
    }
    char *copy = mst_arena_text(&container->arena, name, strlen(name));
    mst_container_member *member = copy ? mst_array_push(&container->members, 1) : NULL;
    if (!member) {
        mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the names in %s", container->path);
        return NULL;
    }
    *member = (mst_container_member){.name = copy};
    return member;
}

mst_status mst_container_add_foreign(mst_container *container, const char *name, size_t length,
                                     mst_container_member **member, mst_diagnostic *diagnostic) {
    char safe[MST_CONTAINER_NAME_MAX + 1];
    *member = NULL;
    if (!mst_name_make_safe(name, length, safe, sizeof safe)) {
        size_t part = length < FOUND_NAME ? length : FOUND_NAME;
        while (part && part < length && ((unsigned char)name[part] & 0xC0) == 0x80)
            part--;
        if (!length) /* folders may have such names */
            return MST_OK;
        if (!mst_name_make_safe(name, part, safe, sizeof safe))
            return mst_container_omit(container, "its name has no usable part", NULL, diagnostic);
        size_t end = strlen(safe);
        snprintf(safe + end, sizeof safe - end, "...");
        return mst_container_omit(container, "its name is too long", safe, diagnostic);
    }
    *member = mst_container_add(container, safe, diagnostic);
    if (*member && mst_name_is_odd(name, length) && !container->renamed++)
        container->first_renamed = (*member)->name;
    if (*member)
        return MST_OK;
    return container->members.count >= MST_CONTAINER_MEMBERS_MAX ? MST_IO : MST_NO_MEMORY;
}

mst_status mst_container_tell_renamed(const mst_container *container, mst_diagnostic *diagnostic) {
    mst_diagnostic odd;
    if (!container->report || !container->renamed)
        return MST_OK;
    mst_fail(
        &odd, MST_OK,
        "names that lead out of the archive, or have control characters, are changed: of %llu file%s, the "
        "first of which is read as %s",
        (unsigned long long)container->renamed, container->renamed == 1 ? "" : "s", container->first_renamed);
    odd.severity = MST_WARNING;
    mst_status status = container->report(container->report_user, &odd);
    return status == MST_OK ? status : mst_container_fail(container, NULL, diagnostic, status, "stopped");
}

mst_status mst_container_load(const mst_container *container, const char *path, uint64_t limit,
                              mst_file_bytes *bytes, mst_diagnostic *diagnostic) {
    return mst_file_read(path, &container->allocator, limit, container->unmapped, bytes, diagnostic);
}

void mst_container_release_memory(mst_container *container, mst_container_bytes *bytes) {
    container->allocator.resize(container->allocator.user, bytes->held, bytes->size, 0);
}

void mst_container_release(mst_container *container, mst_container_bytes *bytes) {
    if (!container || !bytes)
        return;
    if (bytes->held)
        container->kind->release(container, bytes);
    *bytes = (mst_container_bytes){.data = ""};
}
