/* SPDX-License-Identifier: MIT */
/* Changes that another line includes: empty fields that only one of two versions of a format has, which the
 * version's line names; and values that only state whether an added or removed value exists. */
#include "change_lines.h"
#include <string.h>

/* Whether an added or removed field is empty or zero. */
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

/* Whether the version explains the change: an empty field or property, or a field of the document that only
 * one version has; the version's line names it. */
static bool is_of_version(const change_item *one) {
    return one->was != one->is && ((one->exact && says_nothing(one)) || (one->is_field && !one->element));
}

/* Whether a value only states that the element has another one, which was added or removed: "has_layers", for
 * the layers. */
static bool only_tells(const changes *all, size_t at) {
    static const char beginning[] = "has_";
    const change_item *one = &all->items[at];
    const size_t length = strlen(one->path), start = sizeof beginning - 1;
    if (length <= start + 1 || strncmp(one->path, beginning, start) != 0 || !one->element)
        return false;
    for (size_t i = at + 1; i < all->count && all->items[i].element == one->element; i++) {
        const change_item *other = &all->items[i];
        if (other->was != other->is && strlen(other->path) == length - start - 1 &&
            strncmp(other->path, one->path + start, length - start - 1) == 0)
            return true;
    }
    return false;
}

void changed_fold_version(changes *all, bool everything) {
    const bool folds = !everything && has_changed_version(all);
    for (size_t i = 0; i < all->count; i++) {
        change_item *one = &all->items[i];
        one->of_version = folds && is_of_version(one);
        one->folded = one->of_version || (!everything && only_tells(all, i));
    }
}

#define NAMES_MAX 16 /* maximum listed; versions have fewer */

/* Lists the names of added or removed fields. */
static void put_names(const changes *all, stream *to, bool added) {
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < all->count && count < NAMES_MAX; i++) {
        const change_item *one = &all->items[i];
        size_t at = 0;
        if (!one->of_version || one->is != added)
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
