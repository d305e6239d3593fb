/* SPDX-License-Identifier: MIT */
/* Separate from text.c, whose functions fail with diagnostics, which in turn are cut by this function. */
#include "text.h"

size_t mst_utf8_cut(const char *text, size_t length, size_t limit) {
    if (length <= limit)
        return length;
    /* At most three bytes follow the first byte of a character; if there are more, it is not UTF-8. */
    size_t cut = limit;
    for (unsigned back = 0; cut && back < 4; back++, cut--)
        if (((uint8_t)text[cut] & 0xC0) != 0x80)
            return cut;
    return cut ? limit : 0;
}
