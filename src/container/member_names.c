/* SPDX-License-Identifier: MIT */
/* Names of members. Those from archives are made safe to print and to derive file names from. */
#include "../core/text.h"
#include "container.h"

#include <string.h>

const char *mst_name_base(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* Code page 437 from 0x80 on. */
static const uint16_t page_437[128] = {
    0x00C7, 0x00FC, 0x00E9, 0x00E2, 0x00E4, 0x00E0, 0x00E5, 0x00E7, 0x00EA, 0x00EB, 0x00E8, 0x00EF, 0x00EE,
    0x00EC, 0x00C4, 0x00C5, 0x00C9, 0x00E6, 0x00C6, 0x00F4, 0x00F6, 0x00F2, 0x00FB, 0x00F9, 0x00FF, 0x00D6,
    0x00DC, 0x00A2, 0x00A3, 0x00A5, 0x20A7, 0x0192, 0x00E1, 0x00ED, 0x00F3, 0x00FA, 0x00F1, 0x00D1, 0x00AA,
    0x00BA, 0x00BF, 0x2310, 0x00AC, 0x00BD, 0x00BC, 0x00A1, 0x00AB, 0x00BB, 0x2591, 0x2592, 0x2593, 0x2502,
    0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557, 0x255D, 0x255C, 0x255B, 0x2510, 0x2514,
    0x2534, 0x252C, 0x251C, 0x2500, 0x253C, 0x255E, 0x255F, 0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550,
    0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C,
    0x2588, 0x2584, 0x258C, 0x2590, 0x2580, 0x03B1, 0x00DF, 0x0393, 0x03C0, 0x03A3, 0x03C3, 0x00B5, 0x03C4,
    0x03A6, 0x0398, 0x03A9, 0x03B4, 0x221E, 0x03C6, 0x03B5, 0x2229, 0x2261, 0x00B1, 0x2265, 0x2264, 0x2320,
    0x2321, 0x00F7, 0x2248, 0x00B0, 0x2219, 0x00B7, 0x221A, 0x207F, 0x00B2, 0x25A0, 0x00A0};

typedef struct writer {
    char *text;
    size_t size, capacity, part; /* `part`: offset of the part being written */
} writer;

static bool put(writer *to, unsigned char byte) {
    if (to->size + 1 >= to->capacity)
        return false;
    to->text[to->size++] = (char)byte;
    return true;
}

static bool put_from_page(writer *to, unsigned char byte) {
    unsigned code = page_437[byte - 0x80];
    if (code < 0x800)
        return put(to, (unsigned char)(0xC0 | code >> 6)) && put(to, (unsigned char)(0x80 | (code & 0x3F)));
    return put(to, (unsigned char)(0xE0 | code >> 12)) &&
           put(to, (unsigned char)(0x80 | (code >> 6 & 0x3F))) &&
           put(to, (unsigned char)(0x80 | (code & 0x3F)));
}

/* Removes the part just written if it is not allowed in a name: "", ".", "..", "C:". */
static void end_part(writer *to) {
    size_t length = to->size - to->part;
    const char *part = to->text + to->part;
    bool none = length == 0 || (length == 1 && part[0] == '.') ||
                (length == 2 && ((part[0] == '.' && part[1] == '.') || (!to->part && part[1] == ':')));
    if (none)
        to->size = to->part;
}

bool mst_name_is_odd(const char *name, size_t length) {
    bool odd = length && (name[0] == '/' || name[0] == '\\');
    for (size_t begin = 0, end; begin < length && !odd; begin = end + 1) {
        for (end = begin; end < length && name[end] != '/' && name[end] != '\\'; end++)
            odd = odd || (unsigned char)name[end] < 0x20 || name[end] == 0x7F ||
                  (name[end] == '\xC2' && end + 1 < length && (unsigned char)name[end + 1] < 0xA0);
        odd = odd || (end - begin == 2 &&
                      ((name[begin] == '.' && name[begin + 1] == '.') || (!begin && name[begin + 1] == ':')));
    }
    return odd;
}

size_t mst_name_make_safe(const char *name, size_t length, char *safe, size_t capacity) {
    writer to = {.capacity = capacity};
    to.text = safe;
    bool utf8 = mst_utf8_valid(name, length);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool fits = true;
        if (c == '/' || c == '\\') {
            end_part(&to);
            if (to.size && to.text[to.size - 1] != '/')
                fits = put(&to, '/');
            to.part = to.size;
        } else if (c < 0x20 || c == 0x7F) {
            fits = put(&to, '_');
        } else if (utf8 && c == 0xC2 && (unsigned char)name[i + 1] < 0xA0) { /* C1 control characters */
            fits = put(&to, '_');
            i++;
        } else {
            fits = c < 0x80 || utf8 ? put(&to, c) : put_from_page(&to, c);
        }
        if (!fits)
            return 0;
    }
    end_part(&to);
    while (to.size && to.text[to.size - 1] == '/')
        to.size--;
    if (capacity)
        to.text[to.size] = 0;
    return to.size;
}
