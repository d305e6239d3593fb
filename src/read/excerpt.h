/* SPDX-License-Identifier: MIT */
/* A part of a user's text. */
#ifndef MST_READ_EXCERPT_H
#define MST_READ_EXCERPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a text. */
typedef struct mst_excerpt {
    const char *text;
    size_t length;
} mst_excerpt;

/* Without leading and trailing spaces. */
static inline mst_excerpt mst_trimmed(const char *text, size_t length) {
    while (length && *text == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    return (mst_excerpt){text, length};
}

/* The length of the content of a bracket; SIZE_MAX if it is not closed. */
static inline size_t mst_bracket_length(const char *text) {
    bool quoted = false;
    size_t depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == ']' && !quoted && !depth--)
            return i;
        depth += text[i] == '[' && !quoted;
        quoted ^= text[i] == '"';
    }
    return SIZE_MAX;
}

#endif
