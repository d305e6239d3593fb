/* SPDX-License-Identifier: MIT */
/* The distance between names, for "did you mean". */
#include "name.h"
#include "spelling.h"
#include "text.h"

#include <limits.h>
#include <string.h>

#define LONGEST 63
#define EDIT    4 /* a missing, extra or wrong letter, or one swapped with the next */
#define CASE    1 /* a letter in the other case, or another separator */
#define WITHIN  3 /* minimum letters of a name that is a hint when another contains it */

static char normalized(char c) {
    return c == '-' || c == '.' || c == ' ' ? '_' : mst_lower(c);
}

static unsigned cost_of(char a, char b) {
    return a == b ? 0 : normalized(a) == normalized(b) ? CASE : EDIT;
}

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Whether `text` contains `part`, in any case. */
static int contains(const char *text, size_t length, const char *part, size_t part_length) {
    for (size_t i = 0; i + part_length <= length; i++) {
        size_t n = 0;
        while (n < part_length && normalized(text[i + n]) == normalized(part[n]))
            n++;
        if (n == part_length)
            return 1;
    }
    return 0;
}

unsigned mst_name_distance(const char *a, const char *b) {
    if (!a || !b)
        return UINT_MAX;
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST)
        return UINT_MAX;
    size_t longer = a_length > b_length ? a_length : b_length, shorter = a_length + b_length - longer;
    unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = EDIT * (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = EDIT * (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned cost = last[j - 1] + cost_of(a[i - 1], b[j - 1]);
            cost = smaller(cost, smaller(last[j], row[j - 1]) + EDIT);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = smaller(cost, before[j - 2] + EDIT);
            row[j] = cost;
        }
        unsigned *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    unsigned distance = last[b_length];
    if (shorter >= WITHIN && (contains(a, a_length, b, b_length) || contains(b, b_length, a, a_length)))
        return smaller(distance, EDIT + (unsigned)(longer - shorter));
    /* a third of the letters may be wrong, but not all */
    return distance <= EDIT * (1 + (unsigned)longer / 3) && (distance < EDIT * longer || !longer) ? distance
                                                                                                  : UINT_MAX;
}

void mst_names_add(mst_names *all, const char *name) {
    unsigned distance = mst_name_distance(all->wanted, name);
    size_t at = all->count;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i], name) == 0)
            return;
    all->more = all->more || at == MST_NAMES;
    if (at == MST_NAMES)
        at--;
    else
        all->count++;
    if (all->more && distance >= all->distances[at])
        return;
    for (; at && all->distances[at - 1] > distance; at--) {
        all->items[at] = all->items[at - 1];
        all->distances[at] = all->distances[at - 1];
    }
    all->items[at] = name;
    all->distances[at] = distance;
}

const char *mst_names_nearest(const mst_names *all) {
    return all->count && all->distances[0] != UINT_MAX ? all->items[0] : NULL;
}

void mst_names_text(const mst_names *all, char *text, size_t capacity) {
    static const char more[] = ", ...";
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; i < all->count; i++) {
        bool last = i + 1 == all->count && !all->more;
        size_t size = strlen(all->items[i]), separator = length ? 2 : 0;
        if (length + separator + size + (last ? 1 : sizeof more) > capacity) {
            memcpy(text + length, length ? more : more + 2, length ? sizeof more : sizeof more - 2);
            return;
        }
        memcpy(text + length, ", ", separator);
        memcpy(text + length + separator, all->items[i], size + 1);
        length += separator + size;
    }
    if (all->more)
        memcpy(text + length, more, sizeof more);
}
