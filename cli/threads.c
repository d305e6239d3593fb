/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "threads.h"
#include <unistd.h>

#define THREADS_MAX 256

#if WITH_THREADS
size_t threads_wanted(const options *given, size_t usual, size_t work) {
    double wanted = (double)usual;
    if (!options_number(given, OPTION_JOBS, 0, THREADS_MAX, &wanted))
        return 0;
    if (wanted < 1) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        wanted = processors > 0 ? (double)processors : 1;
    }
    size_t threads = wanted > THREADS_MAX ? THREADS_MAX : (size_t)wanted;
    return threads > work && work ? work : threads;
}

void threads_run(size_t count, void *(*work)(void *user), void *user) {
    pthread_t ids[THREADS_MAX];
    size_t started = 0;
    while (started + 1 < count && started < THREADS_MAX &&
           pthread_create(&ids[started], NULL, work, user) == 0)
        started++;
    work(user);
    for (size_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
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
    threads_run(threads_wanted(user, 0, count), work_on, &all);
    lock_end(&all.lock);
}

mst_parallel threads_parallel(const options *given, size_t inputs) {
    return inputs > 1 ? (mst_parallel){NULL, NULL} : (mst_parallel){run_parts, (void *)(uintptr_t)given};
}
#else
size_t threads_wanted(const options *given, size_t usual, size_t work) {
    (void)given, (void)usual, (void)work;
    return 1;
}

void threads_run(size_t count, void *(*work)(void *user), void *user) {
    (void)count;
    work(user);
}

mst_parallel threads_parallel(const options *given, size_t inputs) {
    (void)given, (void)inputs;
    return (mst_parallel){NULL, NULL};
}
#endif
