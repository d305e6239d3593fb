/* SPDX-License-Identifier: MIT */
#include "conversion_losses.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loss_kind {
    mst_diagnostic first;
    char field[sizeof((mst_diagnostic *)0)->path]; /* its path without indices */
    uint64_t count;
};

/* "objects[].stats[].id" of "objects[12].stats[3].id" */
static void field_of(const char *path, char *field) {
    while (*path) {
        *field++ = *path;
        if (*path++ == '[')
            path += strspn(path, "0123456789");
    }
    *field = 0;
}

mst_status losses_take(void *user, const mst_diagnostic *loss) {
    losses *all = user;
    if (all->each) {
        say_diagnosis(all->file, loss);
        return MST_OK;
    }
    char field[sizeof loss->path];
    field_of(loss->path, field);
    size_t i = 0;
    while (i < all->count && (strcmp(all->kinds[i].field, field) != 0 ||
                              strcmp(all->kinds[i].first.message, loss->message) != 0))
        i++;
    if (i == all->count) {
        if (i == all->capacity) {
            all->capacity = all->capacity ? 2 * all->capacity : 8;
            all->kinds = need(realloc(all->kinds, all->capacity * sizeof *all->kinds));
        }
        all->kinds[all->count++] = (loss_kind){.first = *loss};
        memcpy(all->kinds[i].field, field, sizeof field);
    }
    all->kinds[i].count++;
    return MST_OK;
}

void losses_say(losses *all) {
    for (size_t i = 0; i < all->count; i++) {
        loss_kind *kind = &all->kinds[i];
        if (kind->count > 1) {
            char message[sizeof kind->first.message];
            snprintf(message, sizeof message, "%.100s, %llu times, first at %.60s", kind->first.message,
                     (unsigned long long)kind->count, kind->first.path);
            memcpy(kind->first.message, message, sizeof message);
            memcpy(kind->first.path, kind->field, sizeof kind->field);
        }
        say_diagnosis(all->file, &kind->first);
    }
    free(all->kinds);
    all->kinds = NULL;
    all->count = all->capacity = 0;
}
