/* SPDX-License-Identifier: MIT */
/* A mutex; does nothing in builds without threads. */
#ifndef CLI_LOCK_H
#define CLI_LOCK_H

#ifndef __wasi__
#include <pthread.h>
#define WITH_THREADS 1
typedef pthread_mutex_t lock;
static inline void lock_begin(lock *one) {
    pthread_mutex_init(one, NULL);
}
static inline void lock_end(lock *one) {
    pthread_mutex_destroy(one);
}
static inline void lock_take(lock *one) {
    pthread_mutex_lock(one);
}
static inline void lock_give(lock *one) {
    pthread_mutex_unlock(one);
}
#else
#define WITH_THREADS 0
typedef int lock;
static inline void lock_begin(lock *one) {
    *one = 0;
}
static inline void lock_end(lock *one) {
    (void)one;
}
static inline void lock_take(lock *one) {
    (void)one;
}
static inline void lock_give(lock *one) {
    (void)one;
}
#endif

#endif
