/* SPDX-License-Identifier: MIT */
/* Moves of things whose place is one number per axis, combined into one change. */
#define _GNU_SOURCE
#include "change_lines.h"
#include "streams.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The axis of a change: 0 to 2; -1: none. Only whole numbers are shown exactly. */
static int axis_of(const change_item *one) {
    const char *const texts[2] = {one->old_text, one->new_text};
    if (one->kind != MST_DIFFERENCE_SET || !one->element || !one->was || !one->is || one->by ||
        strlen(one->path) != 1 || *one->path < 'x' || *one->path > 'z')
        return -1;
    for (int i = 0; i < 2; i++)
        if (!texts[i] || !*texts[i] || texts[i][strspn(texts[i], "-0123456789")])
            return -1;
    return *one->path - 'x';
}

/* The number of changes from `at` on that are axes of one element; `by` receives the distance. */
static size_t run_of_axes(const changes *all, size_t at, long long by[3]) {
    size_t end = at;
    by[0] = by[1] = by[2] = 0;
    for (int axis; end < all->count && all->items[end].element == all->items[at].element; end++) {
        const change_item *one = &all->items[end];
        if ((axis = axis_of(one)) < 0)
            break;
        by[axis] = strtoll(one->new_text, NULL, 10) - strtoll(one->old_text, NULL, 10);
    }
    return end - at;
}

void changes_join_axes(changes *all) {
    for (size_t at = 0, count; at < all->count; at += count ? count : 1) {
        long long by[3];
        count = run_of_axes(all, at, by);
        for (size_t i = at; i < at + count; i++) {
            change_item *one = &all->items[i];
            const int made = one->moves || by[2] ? asprintf(&one->by, "%lld,%lld,%lld", by[0], by[1], by[2])
                                                 : asprintf(&one->by, "%lld,%lld", by[0], by[1]);
            if (made < 0)
                need(NULL);
            one->follows_axis = i > at;
        }
    }
}
