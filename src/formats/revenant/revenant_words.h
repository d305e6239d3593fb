/* SPDX-License-Identifier: MIT */
/* Characters and words of the game's texts. */
#ifndef MST_REVENANT_REVENANT_WORDS_H
#define MST_REVENANT_REVENANT_WORDS_H

#include "../../core/arena.h"
#include "../../core/text.h"
#include "../../core/unreachable.h"
#include <string.h>

/* Replaces a byte that is NUL or not ASCII: U+FFFD. */
#define REPLACEMENT "\xEF\xBF\xBD"

/* Whether the text is the word in any case. */
static inline bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && mst_same_letters(text, word, length);
}

static inline bool is_newline(char c) {
    return c == '\n' || c == '\r';
}

/* Control characters count as blanks. */
static inline bool is_blank(char c) {
    return ((unsigned char)c <= ' ' && !is_newline(c)) || c == 0x7F;
}

static inline bool is_foreign(char c) {
    return c == 0 || (unsigned char)c >= 0x80;
}

/* A copy in the arena that is valid UTF-8 without NUL. */
static inline char *copy_text(mst_arena *arena, const char *text, size_t length, bool in_lower_case) {
    size_t foreign = 0;
    for (size_t i = 0; i < length; i++)
        foreign += is_foreign(text[i]);
    if (foreign > (SIZE_MAX - length - 1) / 2)
        return NULL;
    char *copy = mst_arena_take(arena, length + 2 * foreign + 1, 1), *to = copy;
    if (!copy)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (!is_foreign(c)) {
            *to++ = in_lower_case ? mst_lower(c) : c;
        } else if (!MST_CHANGED(foreign == 0)) { /* the text has more of these than were counted */
            memcpy(to, REPLACEMENT, 3);
            to += 3;
            foreign--;
        }
    }
    *to = 0;
    return copy;
}

#endif
