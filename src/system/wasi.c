/* SPDX-License-Identifier: MIT */
/* WASI has no mapped files, owners, modes, locks or processes. */
#include "at.h"

#include <errno.h>
#include <time.h>

int mst_system_may_write(const char *path) {
    (void)path;
    return 0;
}

int mst_system_may_write_at(int directory, const char *name) {
    (void)directory, (void)name;
    return 0;
}

void *mst_system_map(int file, size_t size) {
    (void)file, (void)size;
    return NULL;
}

void mst_system_unmap(void *bytes, size_t size) {
    (void)bytes, (void)size;
}

int mst_system_keep(int file, int source, const mst_system_info *like, unsigned *lost) {
    (void)file, (void)source, (void)like, (void)lost;
    return 0;
}

int mst_system_lock(int file) {
    (void)file;
    return ENOTSUP;
}

int mst_system_try_close(int file) {
    (void)file;
    return 0;
}

int mst_system_sync_disk(const char *path) {
    (void)path;
    return ENOTSUP;
}

bool mst_system_is_own(const mst_system_info *info) {
    (void)info;
    return true;
}

void mst_system_pause(void) {
    nanosleep(&(struct timespec){0, 1000000}, NULL);
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
