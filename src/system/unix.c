/* SPDX-License-Identifier: MIT */
/* What POSIX has and WASI lacks: mapped files, owners and modes, locks, processes. */
#define _DEFAULT_SOURCE 1 /* flock */

#include "system.h"

#include <errno.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int mst_system_may_write(const char *path) {
    return access(path, W_OK) == 0 ? 0 : errno;
}

void *mst_system_map(int file, size_t size) {
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    return bytes != MAP_FAILED ? bytes : NULL;
}

void mst_system_unmap(void *bytes, size_t size) {
    munmap(bytes, size);
}

int mst_system_keep_mode(int file, const mst_system_info *like) {
    mode_t mode = (mode_t)like->mode;
    mst_system_info now;
    int error = mst_system_about_open(file, &now);
    if (error)
        return error;
    if ((now.owner != like->owner || now.group != like->group) &&
        fchown(file, (uid_t)like->owner, (gid_t)like->group) != 0)
        mode &= 0777; /* the set-user bit of another owner's file would be dangerous on ours */
    return fchmod(file, mode) == 0 ? 0 : errno;
}

int mst_system_lock(int file) {
    return flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
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
