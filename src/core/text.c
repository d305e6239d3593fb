/* SPDX-License-Identifier: MIT */
#include "text.h"
#include "bytes.h"
#include "diagnose.h"
#include "file.h"

#define REPLACEMENT 0xFFFDu

static const char hexadecimal[] = "0123456789abcdef";

/* ---- UTF-8 ---- */

static bool continues(uint8_t byte) {
    return (byte & 0xC0) == 0x80;
}

/* The length of the well-formed character at `p`, before `left` bytes end; 0 if there is none. */
static size_t character(const uint8_t *p, size_t left) {
    uint8_t c = p[0];
    if (c < 0x80)
        return 1;
    if (c < 0xC2)
        return 0;
    if (c < 0xE0)
        return left >= 2 && continues(p[1]) ? 2 : 0;
    if (c < 0xF0) {
        if (left < 3 || !continues(p[1]) || !continues(p[2]))
            return 0;
        if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F)) /* overlong, surrogate */
            return 0;
        return 3;
    }
    if (c > 0xF4 || left < 4 || !continues(p[1]) || !continues(p[2]) || !continues(p[3]))
        return 0;
    if ((c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F)) /* overlong, above U+10FFFF */
        return 0;
    return 4;
}

bool mst_utf8_valid(const void *bytes, size_t length) {
    const uint8_t *p = bytes;
    while (length) {
        uint64_t eight;
        while (length >= sizeof eight) {
            memcpy(&eight, p, sizeof eight);
            if (eight & UINT64_C(0x8080808080808080))
                break;
            p += sizeof eight;
            length -= sizeof eight;
        }
        if (!length)
            break;
        size_t size = character(p, length);
        if (!size)
            return false;
        p += size;
        length -= size;
    }
    return true;
}

/* Reads one character of well-formed UTF-8 and advances `*p`. */
static uint32_t read_utf8(const uint8_t **place) {
    const uint8_t *p = *place;
    uint32_t c = p[0];
    if (c < 0x80) {
        *place = p + 1;
        return c;
    }
    if (c < 0xE0) {
        *place = p + 2;
        return (c & 0x1F) << 6 | (p[1] & 0x3Fu);
    }
    if (c < 0xF0) {
        *place = p + 3;
        return (c & 0x0F) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    }
    *place = p + 4;
    return (c & 0x07) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
}

static size_t write_utf8(char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xC0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3F));
        to[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3F));
    to[2] = (char)(0x80 | (c >> 6 & 0x3F));
    to[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* ---- UTF-16 ---- */

/* Reads the character at unit *index and advances it; UINT32_MAX for an unpaired surrogate (one unit). */
static uint32_t read_utf16(const uint8_t *units, size_t count, bool big, size_t *index) {
    uint32_t c = mst_load16(units + 2 * *index, big);
    ++*index;
    if (c < 0xD800 || c > 0xDFFF)
        return c;
    if (c > 0xDBFF || *index == count)
        return UINT32_MAX;
    uint32_t low = mst_load16(units + 2 * *index, big);
    if (low < 0xDC00 || low > 0xDFFF)
        return UINT32_MAX;
    ++*index;
    return 0x10000 + ((c & 0x3FF) << 10 | (low & 0x3FF));
}

size_t mst_utf16_length_as_utf8(const void *utf16, size_t units, bool big) {
    size_t length = 0;
    for (size_t i = 0; i < units;) {
        uint32_t c = read_utf16(utf16, units, big, &i);
        if (c == UINT32_MAX)
            return SIZE_MAX;
        length += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }
    return length;
}

size_t mst_utf16_to_utf8(const void *utf16, size_t units, bool big, char *utf8) {
    size_t length = 0;
    for (size_t i = 0; i < units;) {
        uint32_t c = read_utf16(utf16, units, big, &i);
        length += write_utf8(utf8 + length, c == UINT32_MAX ? REPLACEMENT : c);
    }
    return length;
}

size_t mst_utf8_length_as_utf16(const char *utf8, size_t length) {
    size_t units = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = (uint8_t)utf8[i];
        units += (size_t)!continues(c) + (c >= 0xF0);
    }
    return units;
}

size_t mst_utf8_to_utf16(const char *utf8, size_t length, bool big, void *utf16) {
    const uint8_t *p = (const uint8_t *)utf8, *end = p + length;
    uint8_t *to = utf16;
    while (p < end) {
        uint32_t c = read_utf8(&p);
        if (c >= 0x10000) {
            mst_store16(to, (uint16_t)(0xD800 + ((c - 0x10000) >> 10)), big);
            to += 2;
            c = 0xDC00 + (c & 0x3FF);
        }
        mst_store16(to, (uint16_t)c, big);
        to += 2;
    }
    return (size_t)(to - (uint8_t *)utf16) / 2;
}

/* ---- JSON and hexadecimal ---- */

bool mst_is_control(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

static bool needs_escape(uint32_t c) {
    return c == '"' || c == '\\' || ((c < 0x20 || c >= 0x7F) && mst_is_control(c)); /* most are letters */
}

/* The length of the character at `p` if it needs an escape, otherwise 0. Only a few bytes can begin such a
 * character. */
static size_t escaped_length(const uint8_t *p) {
    if (*p < 0x80)
        return needs_escape(*p);
    if (*p != 0xC2 && *p != 0xD8 && *p != 0xE2)
        return 0;
    const uint8_t *end = p;
    return needs_escape(read_utf8(&end)) ? (size_t)(end - p) : 0;
}

/* The longest escape has 6 characters: escaped characters are below U+10000. */
static size_t write_escape(char *to, uint32_t c) {
    static const char letters[] = "btn.fr"; /* for 8..13; there is none for 11 */
    to[0] = '\\';
    if (c >= 8 && c <= 13 && c != 11) {
        to[1] = letters[c - 8];
        return 2;
    }
    if (c == '"' || c == '\\') {
        to[1] = (char)c;
        return 2;
    }
    to[1] = 'u';
    for (unsigned i = 0; i < 4; i++)
        to[2 + i] = hexadecimal[c >> (12 - 4 * i) & 15];
    return 6;
}

/* The high bit of each byte of the result is set if that byte of `v` is zero. Only the lowest such bit is
 * reliable, so this only tests whether there are any. */
static uint64_t zero_bytes(uint64_t v) {
    return (v - UINT64_C(0x0101010101010101)) & ~v & UINT64_C(0x8080808080808080);
}

/* The number of bytes from `p` on that need no escape. */
static size_t plain_run(const uint8_t *p, size_t length) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t run = 0;
    while (length - run >= 8) {
        uint64_t v;
        memcpy(&v, p + run, sizeof v);
        uint64_t control = zero_bytes(v & ones * 0xE0) | zero_bytes(v ^ ones * 0x7F);
        if ((v & ones * 0x80) | control | zero_bytes(v ^ ones * '"') | zero_bytes(v ^ ones * '\\'))
            break;
        run += 8;
    }
    while (run < length && !escaped_length(p + run))
        run++;
    return run;
}

void mst_output_json_string(mst_output *output, const char *text, size_t length) {
    const uint8_t *p = (const uint8_t *)text;
    mst_output_bytes(output, "\"", 1);
    while (length) {
        size_t run = plain_run(p, length);
        mst_output_bytes(output, p, run);
        p += run;
        length -= run;
        if (length) {
            const uint8_t *start = p;
            uint32_t c = read_utf8(&p);
            mst_output_advance(output, write_escape(mst_output_reserve(output, 6), c));
            length -= (size_t)(p - start);
        }
    }
    mst_output_bytes(output, "\"", 1);
}

void mst_output_json_utf16(mst_output *output, const void *utf16, size_t units, bool big) {
    mst_output_bytes(output, "\"", 1);
    for (size_t i = 0; i < units;) {
        /* A piece of at most 256 units, each at most 6 bytes long. */
        size_t stop = units - i < 256 ? units : i + 256;
        char *place = mst_output_reserve(output, (stop - i + 1) * 6), *to = place;
        while (i < stop) {
            uint32_t c = read_utf16(utf16, units, big, &i);
            if (needs_escape(c))
                to += write_escape(to, c);
            else
                to += write_utf8(to, c == UINT32_MAX ? REPLACEMENT : c);
        }
        mst_output_advance(output, (size_t)(to - place));
    }
    mst_output_bytes(output, "\"", 1);
}

void mst_output_hex(mst_output *output, const void *bytes, size_t size) {
    const uint8_t *p = bytes;
    while (size) {
        size_t piece = size < MST_OUTPUT_CAPACITY / 8 ? size : MST_OUTPUT_CAPACITY / 8;
        char *to = mst_output_reserve(output, piece * 2);
        for (size_t i = 0; i < piece; i++) {
            to[2 * i] = hexadecimal[p[i] >> 4];
            to[2 * i + 1] = hexadecimal[p[i] & 15];
        }
        mst_output_advance(output, piece * 2);
        p += piece;
        size -= piece;
    }
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool mst_read_hex(const char *text, size_t length, uint8_t *bytes) {
    if (length % 2)
        return false;
    for (size_t i = 0; i < length; i += 2) {
        int high = digit_value(text[i]), low = digit_value(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool mst_same_letters(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (mst_lower(a[i]) != mst_lower(b[i]))
            return false;
    return true;
}

int mst_compare_letters(const char *a, const char *b) {
    while (*a && mst_lower(*a) == mst_lower(*b)) {
        a++;
        b++;
    }
    return (int)(unsigned char)mst_lower(*a) - (int)(unsigned char)mst_lower(*b);
}

bool mst_text_ends_in(const char *text, size_t length, const char *ending) {
    size_t n = strlen(ending);
    return n <= length && mst_same_letters(text + length - n, ending, n);
}

size_t mst_byte_order_mark(const void *text, size_t size) {
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* The byte order of UTF-16 by its mark: 'l' or 'b', 0 if there is none. */
static char utf16_order(const uint8_t *bytes, size_t size) {
    bool little = size >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE;
    bool big = size >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF;
    return little ? 'l' : big ? 'b' : 0;
}

static mst_status half_a_character(const uint8_t *bytes, size_t size, bool big, mst_diagnostic *diagnostic) {
    size_t at = 1, before = 1, units = size / 2;
    while (at < units && read_utf16(bytes, units, big, &at) != UINT32_MAX)
        before = at;
    mst_fail(diagnostic, MST_DAMAGED, "not valid UTF-16, despite the byte order mark");
    if (diagnostic) {
        diagnostic->offset = 2 * (uint64_t)before;
        MST_SET(diagnostic->expected, "whole characters of UTF-16");
        if (before < units)
            MST_SET(diagnostic->found, "half a pair, 0x%04x", mst_load16(bytes + 2 * before, big));
        else
            MST_SET(diagnostic->found, "a single byte at the end");
    }
    return MST_DAMAGED;
}

mst_status mst_text_plain(const void *bytes, size_t size, mst_arena *arena, mst_text *text,
                          mst_diagnostic *diagnostic) {
    const uint8_t *at = bytes;
    char order = utf16_order(at, size);
    size_t mark = mst_byte_order_mark(bytes, size);
    *text = (mst_text){size ? (const char *)bytes + mark : "", size - mark, mark};
    if (!order)
        return MST_OK;
    bool big = order == 'b';
    size_t units = size / 2 - 1, length = mst_utf16_length_as_utf8(at + 2, units, big);
    if (size % 2 || length == SIZE_MAX)
        return half_a_character(at, size, big, diagnostic);
    char *made = mst_arena_take(arena, length + 1, 1);
    if (!made)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for text of %zu bytes", size);
    made[mst_utf16_to_utf8(at + 2, units, big, made)] = 0;
    *text = (mst_text){made, length, SIZE_MAX};
    return MST_OK;
}

mst_status mst_text_wish(const void *bytes, size_t size, mst_arena *arena, mst_text *text,
                         mst_diagnostic *diagnostic) {
    mst_status status = mst_text_plain(bytes, size, arena, text, diagnostic);
    if (status != MST_DAMAGED)
        return status;
    if (diagnostic)
        diagnostic->status = MST_ARGUMENT;
    return MST_ARGUMENT;
}

/* The ASCII characters at the beginning, without the byte order mark; others become 0. */
static size_t beginning(const uint8_t *bytes, size_t size, char *text, size_t most) {
    char order = utf16_order(bytes, size);
    size_t step = order ? 2 : 1, count = 0;
    for (size_t at = order ? 2 : mst_byte_order_mark(bytes, size); at + step <= size && count < most;
         at += step) {
        unsigned c = order ? mst_load16(bytes + at, order == 'b') : bytes[at];
        text[count++] = (char)(c < 0x80 ? c : 0);
    }
    return count;
}

bool mst_text_is_level(const void *bytes, size_t size) {
    static const char mark[] = "\"$format\"";
    char text[MST_FILE_BEGINNING];
    size_t count = beginning(bytes, size, text, sizeof text);
    for (size_t i = 0; i + sizeof mark - 1 <= count; i++)
        if (memcmp(text + i, mark, sizeof mark - 1) == 0)
            return true;
    return false;
}

bool mst_text_is_object(const void *bytes, size_t size) {
    char text[MST_FILE_BEGINNING];
    size_t count = beginning(bytes, size, text, sizeof text), at = 0;
    while (at < count && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    return at < count && text[at] == '{';
}

const char *mst_base_name(const char *path) {
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    return name;
}

/* Whether the text matches a pattern without braces. */
static bool is_like(const char *text, const char *pattern, size_t length) {
    const char *end = pattern + length, *star = NULL, *again = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            again = text;
        } else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
            pattern++, text++;
        } else if (star) {
            pattern = star;
            text = ++again;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

#define PATTERN_MAX 512 /* of a pattern with braces; longer ones match nothing */

/* The places in a pattern with braces that are reachable after part of a text has been read. */
typedef struct places {
    const char *pattern;
    size_t length;
    bool at[PATTERN_MAX + 1];
} places;

/* The place after the brace that closes the group open at `from`; 0: none does. */
static size_t after_brace(const places *p, size_t from) {
    const char *close = from < p->length ? memchr(p->pattern + from, '}', p->length - from) : NULL;
    return close ? (size_t)(close - p->pattern) + 1 : 0;
}

/* Adds the places that are reachable without reading more of the text. */
static void spread(places *p) {
    size_t inside = 0; /* in braces: the place after them */
    for (size_t i = 0; i < p->length; i++) {
        char c = p->pattern[i];
        size_t closed = c == '{' && !inside ? after_brace(p, i) : 0;
        if (closed) {
            for (size_t k = i + 1; p->at[i] && k < closed; k++)
                if (k == i + 1 || p->pattern[k - 1] == ',')
                    p->at[k] = true;
            p->at[i] = false;
            inside = closed;
        } else if (inside && (c == ',' || i + 1 == inside)) {
            p->at[inside] = p->at[inside] || p->at[i];
            p->at[i] = false;
        } else if (c == '*') {
            p->at[i + 1] = p->at[i + 1] || p->at[i];
        }
        inside = i + 1 == inside ? 0 : inside;
    }
}

static bool is_like_some(const char *text, const char *pattern, size_t length) {
    places now = {.pattern = pattern, .length = length, .at = {true}};
    if (length > PATTERN_MAX)
        return false;
    for (spread(&now); *text; text++, spread(&now)) {
        bool any = false;
        for (size_t i = length + 1; i-- > 0;) {
            bool stays = i < length && pattern[i] == '*' && now.at[i];
            bool reads = i && now.at[i - 1] && (pattern[i - 1] == '?' || pattern[i - 1] == *text) &&
                         pattern[i - 1] != '*';
            now.at[i] = stays || reads;
            any = any || now.at[i];
        }
        if (!any)
            return false;
    }
    return now.at[length];
}

bool mst_text_is_like(const char *text, const char *pattern, size_t length) {
    return memchr(pattern, '{', length) ? is_like_some(text, pattern, length)
                                        : is_like(text, pattern, length);
}
