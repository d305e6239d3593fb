/* SPDX-License-Identifier: MIT */
/* WASI maps no files, and has neither owners, modes, locks nor processes. */
#include "system.h"

#include <time.h>

int mst_system_may_write(const char *path) {
    (void)path;
    return 0;
}

void *mst_system_map(int file, size_t size) {
    (void)file, (void)size;
    return NULL;
}

void mst_system_unmap(void *bytes, size_t size) {
    (void)bytes, (void)size;
}

int mst_system_keep_mode(int file, const mst_system_info *like) {
    (void)file, (void)like;
    return 0;
}

int mst_system_lock(int file) {
    (void)file;
    return 0;
}

int mst_system_lock_in_turn(int file) {
    (void)file;
    return 0;
}

uint64_t mst_system_seed(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
}

void mst_system_yield(void) {
}
