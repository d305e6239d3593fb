/* SPDX-License-Identifier: MIT */
#include "threads.h"

#define THREADS_MAX 256

size_t threads_wanted(const options *given, size_t usual, size_t work) {
    double wanted = (double)usual;
    if (!options_number(given, OPTION_JOBS, 0, THREADS_MAX, &wanted))
        return 0;
    if (wanted < 1)
        wanted = (double)system_processors();
    size_t threads = wanted > THREADS_MAX ? THREADS_MAX : (size_t)wanted;
    return threads > work && work ? work : threads;
}

typedef struct parts {
    size_t next, count;
    void (*work)(void *data, size_t index);
    void *data;
    lock lock;
} parts;

static void *work_on(void *user) {
    parts *all = user;
    for (;;) {
        lock_take(&all->lock);
        size_t index = all->next < all->count ? all->next++ : all->count;
        lock_give(&all->lock);
        if (index == all->count)
            return NULL;
        all->work(all->data, index);
    }
}

static void run_parts(void *user, size_t count, void (*work)(void *data, size_t index), void *data) {
    parts all = {.count = count, .work = work, .data = data};
    lock_begin(&all.lock);
    system_threads(threads_wanted(user, 0, count), work_on, &all);
    lock_end(&all.lock);
}

mst_parallel threads_parallel(const options *given, size_t inputs) {
    return inputs > 1 ? (mst_parallel){NULL, NULL} : (mst_parallel){run_parts, (void *)(uintptr_t)given};
}
