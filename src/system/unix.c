/* SPDX-License-Identifier: MIT */
/* The part of POSIX that WASI lacks: mapped files, owners and modes, locks, processes. */
#define _GNU_SOURCE 1 /* flock, syncfs */

#include "at.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif

int mst_system_may_write(const char *path) {
    return access(path, W_OK) == 0 ? 0 : errno;
}

int mst_system_may_write_at(int directory, const char *name) {
    return faccessat(directory, name, W_OK, 0) == 0 ? 0 : errno;
}

void *mst_system_map(int file, size_t size) {
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    return bytes != MAP_FAILED ? bytes : NULL;
}

void mst_system_unmap(void *bytes, size_t size) {
    munmap(bytes, size);
}

/* ---- rights ----
 *
 * The mode is fixed last: until then only the owner may read the new file. */

#if defined(__linux__)

#define ACL "system.posix_acl_access"

/* An access control list in the kernel's form: a version, then entries of a tag, permissions, and a user or
 * group, all little-endian. */
enum { ACL_HEAD = 4, ACL_ENTRY = 8, ACL_OWN_GROUP = 0x04, ACL_MASK = 0x10, ACL_OTHERS = 0x20 };

/* The permissions of the first entry with a tag; NULL: there is none. */
static unsigned char *rights_of(unsigned char *list, size_t size, unsigned tag) {
    for (size_t at = ACL_HEAD; at + ACL_ENTRY <= size; at += ACL_ENTRY)
        if (list[at] == tag && !list[at + 1])
            return list + at + 2;
    return NULL;
}

/* Copies the list; whether there is one now. With a list, the group bits of a mode are its mask: without the
 * list they become the group's own permissions. */
static bool keep_list(int file, int source, bool other_group, mode_t *mode, unsigned *lost) {
    unsigned char list[ACL_HEAD + 128 * ACL_ENTRY];
    ssize_t size = source >= 0 ? fgetxattr(source, ACL, list, sizeof list) : -1;
    bool none = size < 0 && source >= 0 && (errno == ENODATA || errno == ENOTSUP || errno == ENOSYS);
    fremovexattr(file, ACL); /* the list inherited from its directory */
    if (none)
        return false;
    unsigned char *group = NULL, *others = NULL, *mask = NULL;
    if (size > 0) {
        group = rights_of(list, (size_t)size, ACL_OWN_GROUP);
        others = rights_of(list, (size_t)size, ACL_OTHERS);
        mask = rights_of(list, (size_t)size, ACL_MASK);
    }
    if (group && others && other_group)
        *group &= *others;
    if (group && others && fsetxattr(file, ACL, list, (size_t)size, 0) == 0)
        return true;
    mode_t left = group ? (mode_t)(*group & (mask ? *mask : 7)) : 0;
    *mode = (*mode & ~(mode_t)070) | (*mode & left << 3);
    *lost |= MST_SYSTEM_LOST_RIGHTS;
    return false;
}

/* Copies the user attributes of the file. */
static bool keep_attributes(int file, int source) {
    char names[2048], value[4096];
    ssize_t length = source >= 0 ? flistxattr(source, names, sizeof names) : 0;
    bool kept = length >= 0 || errno == ENOTSUP || errno == ENOSYS;
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        if (strncmp(names + at, "user.", 5) != 0)
            continue;
        ssize_t size = fgetxattr(source, names + at, value, sizeof value);
        kept = size >= 0 && fsetxattr(file, names + at, value, (size_t)size, 0) == 0 && kept;
    }
    return kept;
}

#else /* other systems' extensions of the mode are not copied: the mode alone decides */

static bool keep_list(int file, int source, bool other_group, mode_t *mode, unsigned *lost) {
    (void)file, (void)source, (void)other_group, (void)mode, (void)lost;
    return false;
}

static bool keep_attributes(int file, int source) {
    (void)file, (void)source;
    return true;
}

#endif

/* Gives the file the owner and the group, as far as permitted. */
static void keep_owner(int file, const mst_system_info *now, const mst_system_info *like, unsigned *lost) {
    if (now->owner == like->owner && now->group == like->group)
        return;
    if (fchown(file, (uid_t)like->owner, (gid_t)like->group) == 0)
        return;
    if (now->owner != like->owner)
        *lost |= MST_SYSTEM_LOST_OWNER;
    if (now->group != like->group &&
        (now->owner == like->owner || fchown(file, (uid_t)-1, (gid_t)like->group) != 0))
        *lost |= MST_SYSTEM_LOST_GROUP;
}

int mst_system_keep(int file, int source, const mst_system_info *like, unsigned *lost) {
    mode_t mode = (mode_t)like->mode;
    mst_system_info now;
    int error = mst_system_about_open(file, &now);
    if (error)
        return error;
    *lost = 0;
    keep_owner(file, &now, like, lost);
    bool other_group = (*lost & MST_SYSTEM_LOST_GROUP) != 0;
    if (*lost)
        mode &= 0777; /* another owner's set-user bit would be dangerous on our file */
    if (!keep_attributes(file, source))
        *lost |= MST_SYSTEM_LOST_ATTRIBUTES;
    if (!keep_list(file, source, other_group, &mode, lost) &&
        other_group) /* permissions of the old group alone are not for ours */
        mode &= ~(mode_t)070 | (mode & 07) << 3;
    return fchmod(file, mode) == 0 ? 0 : errno;
}

int mst_system_lock(int file) {
    return flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}

int mst_system_try_close(int file) {
    int copy = dup(file);
    return copy < 0 ? errno : mst_system_close(copy);
}

int mst_system_sync_disk(const char *path) {
#if defined(__linux__)
    int file = -1, error = path ? mst_system_open(path, MST_SYSTEM_READ, &file) : 0;
    if (error || !path)
        return error;
    error = syncfs(file) == 0 ? 0 : errno;
    close(file);
    return error;
#else
    if (path)
        sync();
    return 0;
#endif
}

bool mst_system_is_own(const mst_system_info *info) {
    return info->owner == (uint32_t)geteuid();
}

void mst_system_pause(void) {
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

int mst_system_lock_in_turn(int file) {
    int locked;
    do
        locked = flock(file, LOCK_EX);
    while (locked != 0 && errno == EINTR);
    return locked == 0 ? 0 : errno;
}

uint64_t mst_system_seed(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
}

void mst_system_yield(void) {
    sched_yield();
}
