/* SPDX-License-Identifier: MIT */
#include "file_names.h"
#include <string.h>

typedef struct part {
    const char *at;
    size_t size;
} part;

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Whether the first `size` bytes are a word in any case; the word is in lower case. */
static bool is_word(const char *at, size_t size, const char *word) {
    size_t i = 0;
    while (i < size && word[i] && lower(at[i]) == word[i])
        i++;
    return i == size && !word[i];
}

/* ---- HFS+ -------------------------------------------------------------------------------------------- */

/* The length of the code point at the beginning if HFS+ ignores it: U+200C to U+200F, U+202A to U+202E,
 * U+206A to U+206F, U+FEFF. Else 0. */
static size_t ignored(part p) {
    const unsigned char *c = (const unsigned char *)p.at;
    if (p.size < 3)
        return 0;
    bool is = (c[0] == 0xE2 && c[1] == 0x80 &&
               ((c[2] >= 0x8C && c[2] <= 0x8F) || (c[2] >= 0xAA && c[2] <= 0xAE))) ||
              (c[0] == 0xE2 && c[1] == 0x81 && c[2] >= 0xAA && c[2] <= 0xAF) ||
              (c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF);
    return is ? 3 : 0;
}

static part without_ignored(part p) {
    for (size_t n; (n = ignored(p)); p.size -= n)
        p.at += n;
    return p;
}

/* ---- Windows ----------------------------------------------------------------------------------------- */

/* Whether the text is a single digit, as in COM1; Windows accepts superscripts as digits. */
static bool is_device_number(const char *at, size_t size) {
    if (size == 1)
        return *at >= '0' && *at <= '9';
    return size == 2 && at[0] == '\xC2' && (at[1] == '\xB9' || at[1] == '\xB2' || at[1] == '\xB3');
}

/* The part after a dot is irrelevant, as are blanks before it. */
static bool is_device(part p) {
    static const char *const words[] = {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"};
    const char *dot = memchr(p.at, '.', p.size);
    size_t stem = dot ? (size_t)(dot - p.at) : p.size;
    while (stem && p.at[stem - 1] == ' ')
        stem--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(p.at, stem, words[i]))
            return true;
    return stem > 3 && (is_word(p.at, 3, "com") || is_word(p.at, 3, "lpt")) &&
           is_device_number(p.at + 3, stem - 3);
}

/* Whether the name may be an NTFS short name of a file without an extension. */
static bool is_short(part p) {
    const char *tilde = memchr(p.at, '~', p.size);
    size_t stem = tilde ? (size_t)(tilde - p.at) : 0, digit = stem + 1;
    if (!stem || p.size > 8 || digit == p.size || p.at[digit] == '0')
        return false;
    while (digit < p.size && p.at[digit] >= '0' && p.at[digit] <= '9')
        digit++;
    return digit == p.size && !memchr(p.at, '.', p.size);
}

/* ---- all --------------------------------------------------------------------------------------------- */

static bool has_control(part p) {
    for (size_t i = 0; i < p.size; i++) {
        unsigned char c = (unsigned char)p.at[i], next = i + 1 < p.size ? (unsigned char)p.at[i + 1] : 0;
        if (c < 0x20 || c == 0x7F || (c == 0xC2 && next >= 0x80 && next < 0xA0))
            return true;
    }
    return false;
}

static const char hidden[] = "it is hidden";

static const char *fault_of(part p) {
    part seen = without_ignored(p);
    if (!seen.size || is_word(seen.at, seen.size, ".") || is_word(seen.at, seen.size, ".."))
        return "it leads out of its folder";
    if (memchr(p.at, ':', p.size))
        return "it has a colon, which names a drive or a stream on Windows";
    if (memchr(p.at, '\\', p.size))
        return "it has a backslash, which divides folders on Windows";
    if (has_control(p))
        return "it has control characters";
    if (*seen.at == '.')
        return hidden;
    if (p.at[p.size - 1] == ' ' || p.at[p.size - 1] == '.')
        return "it ends in a blank or dot, which Windows leaves out";
    if (is_device(p))
        return "it is a device on Windows";
    return is_short(p) ? "it may be the short name of a hidden file on Windows" : NULL;
}

const char *mst_name_fault_of(const char *path, size_t length) {
    const char *why = NULL;
    for (size_t begin = 0; begin <= length && !why;) {
        const char *slash = begin < length ? memchr(path + begin, '/', length - begin) : NULL;
        size_t end = slash ? (size_t)(slash - path) : length;
        why = fault_of((part){path + begin, end - begin});
        begin = end + 1;
    }
    return why;
}

const char *mst_name_fault(const char *path) {
    return mst_name_fault_of(path, strlen(path));
}

bool mst_name_is_hidden(const char *path) {
    return mst_name_fault(path) == hidden;
}
