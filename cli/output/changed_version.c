/* SPDX-License-Identifier: MIT */
/* Fields that only one of two versions of a format has, where they say nothing: part of the version's line.
 */
#include "change_lines.h"
#include <string.h>

/* Whether a field that is new, or no longer there, is empty or zero in all words. */
static bool says_nothing(const change_item *one) {
    static const char *const nothing[] = {"", "0", "[]", "\"\"", "false", "none"};
    const char *text = one->is ? one->new_text : one->old_text;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (!strcmp(text, nothing[i]))
            return true;
    return false;
}

static bool has_changed_version(const changes *all) {
    for (size_t i = 0; i < all->count; i++) {
        const change_item *one = &all->items[i];
        if (!one->element && one->was && one->is && !strcmp(one->path, "version"))
            return true;
    }
    return false;
}

void changed_fold_version(changes *all, bool everything) {
    const bool folds = !everything && has_changed_version(all);
    for (size_t i = 0; i < all->count; i++) {
        change_item *one = &all->items[i];
        one->folded = folds && one->is_field && one->exact && says_nothing(one);
    }
}

#define NAMES_MAX 16 /* that are listed; versions have fewer */

/* Lists the names of the fields that are new, or no longer there. */
static void put_names(const changes *all, stream *to, bool added) {
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < all->count && count < NAMES_MAX; i++) {
        const change_item *one = &all->items[i];
        size_t at = 0;
        if (!one->folded || one->is != added)
            continue;
        while (at < count && strcmp(names[at], one->path) != 0)
            at++;
        if (at < count)
            continue;
        put_text(to, count ? ", " : added ? ", which adds " : ", which drops ");
        put_visible(to, one->path);
        names[count++] = one->path;
    }
}

void changed_put_version(const changes *all, stream *to) {
    put_names(all, to, true);
    put_names(all, to, false);
}
