/* SPDX-License-Identifier: MIT */
/* How far names are apart: "did you mean". */
#include <mapstone/base.h>

#include <limits.h>
#include <string.h>

#define LONGEST 63
#define EDIT    4 /* a letter that is missing, too many, wrong, or has changed places with the next one */
#define CASE    1 /* a letter of the other case, or another separator */
#define WITHIN  3 /* letters that say something when a name contains them */

static char folded(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '-' || c == '.' || c == ' ' ? '_' : c;
}

static unsigned cost_of(char a, char b) {
    return a == b ? 0 : folded(a) == folded(b) ? CASE : EDIT;
}

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Whether `part` stands somewhere in `whole`, in any case. */
static int contains(const char *whole, size_t length, const char *part, size_t part_length) {
    for (size_t i = 0; i + part_length <= length; i++) {
        size_t n = 0;
        while (n < part_length && folded(whole[i + n]) == folded(part[n]))
            n++;
        if (n == part_length)
            return 1;
    }
    return 0;
}

unsigned mst_name_distance(const char *a, const char *b) {
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
