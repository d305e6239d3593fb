/* SPDX-License-Identifier: MIT */
/* A part of what a user wrote. */
#ifndef MST_READ_EXCERPT_H
#define MST_READ_EXCERPT_H

#include <stddef.h>

/* A part of a text. */
typedef struct mst_excerpt {
    const char *text;
    size_t length;
} mst_excerpt;

/* Without the spaces at both ends. */
static inline mst_excerpt mst_trimmed(const char *text, size_t length) {
    while (length && *text == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    return (mst_excerpt){text, length};
}

#endif
