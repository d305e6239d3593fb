/* SPDX-License-Identifier: MIT */
#include "pattern.h"
#include <stddef.h>

/* The end of the set that begins after a `[`; NULL: it has none. A `]` at the beginning belongs to the
 * set. */
static const char *end_of_set(const char *set) {
    if (*set == '!' || *set == '^')
        set++;
    for (const char *at = set + (*set == ']'); *at; at++)
        if (*at == ']')
            return at;
    return NULL;
}

static bool is_in_set(unsigned char c, const char *set, const char *end) {
    bool others = *set == '!' || *set == '^', found = false;
    for (const char *at = set + others; at < end; at++) {
        unsigned char first = (unsigned char)*at, last = first;
        if (at + 2 < end && at[1] == '-') {
            last = (unsigned char)at[2];
            at += 2;
        }
        found = found || (first <= c && c <= last);
    }
    return found != others;
}

/* The rest of the pattern, if its beginning matches the character; NULL: it does not. */
static const char *match_one(char c, const char *pattern) {
    const char *end = *pattern == '[' ? end_of_set(pattern + 1) : NULL;
    if (end)
        return is_in_set((unsigned char)c, pattern + 1, end) ? end + 1 : NULL;
    return *pattern == '?' || *pattern == c ? pattern + 1 : NULL;
}

bool is_like(const char *text, const char *pattern) {
    const char *star = NULL, *from = NULL; /* the last `*`, and the current end of its match */
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
            continue;
        }
        const char *next = *pattern ? match_one(*text, pattern) : NULL;
        if (next) {
            pattern = next;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
