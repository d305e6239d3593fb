/* SPDX-License-Identifier: MIT */
/* Text encodings: UTF-8, UTF-16 of either byte order, JSON's escapes. */
#ifndef MST_CORE_TEXT_H
#define MST_CORE_TEXT_H

#include "arena.h"
#include "output.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes are well-formed UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF). */
bool mst_utf8_valid(const void *bytes, size_t length);

/* The largest length <= `limit` at which `text` can be cut without splitting a character. */
size_t mst_utf8_cut(const char *text, size_t length, size_t limit);

/* The length in bytes as UTF-8 of `units` UTF-16 code units; SIZE_MAX if there is an unpaired surrogate. */
size_t mst_utf16_length_as_utf8(const void *utf16, size_t units, bool big);
/* Converts; `utf8` has mst_utf16_length_as_utf8 bytes. An unpaired surrogate becomes U+FFFD (3 bytes per unit
 * are always enough). Returns the length written. */
size_t mst_utf16_to_utf8(const void *utf16, size_t units, bool big, char *utf8);
/* The number of UTF-16 code units for well-formed UTF-8. */
size_t mst_utf8_length_as_utf16(const char *utf8, size_t length);
/* Converts well-formed UTF-8; `utf16` has 2 bytes per unit. Returns the units written. */
size_t mst_utf8_to_utf16(const char *utf8, size_t length, bool big, void *utf16);

/*
 * Whether this character must be escaped before text from a file is shown on a terminal: control characters
 * (U+0000 to U+001F, U+007F to U+009F) and those that change the direction of the text around them (U+061C,
 * U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). JSON that the library writes has them escaped.
 */
bool mst_is_control(uint32_t character);

/* Writes a JSON string with its quotes. The text is well-formed UTF-8. The quote, the backslash and
 * mst_is_control characters are escaped; U+2028/2029 are not. */
void mst_output_json_string(mst_output *output, const char *text, size_t length);
/* The same from UTF-16 without unpaired surrogates. */
void mst_output_json_utf16(mst_output *output, const void *utf16, size_t units, bool big);
/* Writes lower-case hexadecimal digits, two per byte, without quotes. */
void mst_output_hex(mst_output *output, const void *bytes, size_t size);
/* Reads hexadecimal digits (either case); false if there are other characters or an odd number of digits. */
bool mst_read_hex(const char *text, size_t length, uint8_t *bytes);

/* Texts are compared ignoring the case of ASCII letters only; systems differ in how they treat other
 * letters. */
static inline char mst_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
bool mst_same_letters(const char *a, const char *b, size_t length);
/* As strcmp. */
int mst_compare_letters(const char *a, const char *b);
static inline bool mst_same_text(const char *a, const char *b) {
    return mst_compare_letters(a, b) == 0;
}
/* Whether the text ends with `ending`, in any case. */
bool mst_text_ends_in(const char *text, size_t length, const char *ending);

/* The size of the UTF-8 byte order mark at the start of a text; 0: there is none. */
size_t mst_byte_order_mark(const void *text, size_t size);

/* A text from another program, as UTF-8 without a byte order mark: Windows PowerShell writes UTF-16. Text
 * without a mark is unchanged. */
typedef struct mst_text {
    const char *at; /* in the bytes given, or in the arena */
    size_t size;
    size_t mark; /* the number of bytes skipped before it; SIZE_MAX: it was UTF-16, and offsets differ */
} mst_text;
/* MST_DAMAGED: UTF-16 with half a character; MST_NO_MEMORY. */
mst_status mst_text_plain(const void *bytes, size_t size, mst_arena *arena, mst_text *text,
                          mst_diagnostic *diagnostic);
/* The same for a text that requests something: MST_ARGUMENT in place of MST_DAMAGED. */
mst_status mst_text_wish(const void *bytes, size_t size, mst_arena *arena, mst_text *text,
                         mst_diagnostic *diagnostic);
/* Whether a text, by its beginning, is JSON that the library wrote, and whether it is an object. */
bool mst_text_is_level(const void *bytes, size_t size);
bool mst_text_is_object(const void *bytes, size_t size);

/* The part of a path after the last '/' or '\\'. */
const char *mst_base_name(const char *path);

/* Whether the text matches a pattern, in which * matches any characters, ? one byte, and {a,b} either
 * alternative. */
bool mst_text_is_like(const char *text, const char *pattern, size_t length);

#endif
