/* SPDX-License-Identifier: MIT */
#include "wrap.h"
#include "../system/console.h"
#include <stdlib.h>
#include <string.h>

#define WIDTH_UNKNOWN 80  /* columns */
#define WIDTH_MIN     40  /* below this, words no longer fit next to the options */
#define WIDTH_MAX     120 /* longer lines are hard to read */

int wrap_width(void) {
    const char *set = getenv("COLUMNS");
    long width = set ? strtol(set, NULL, 10) : 0;
    if (width <= 0)
        width = system_terminal_width(1 /* stdout */);
    if (width <= 0)
        width = WIDTH_UNKNOWN;
    return (int)(width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width);
}

/* Writes one paragraph or item; lines after the first are indented by `indent`. */
static void put_paragraph(stream *to, const char *text, size_t size, int indent, int column) {
    int width = wrap_width();
    bool begins = true;
    for (size_t i = 0; i < size;) {
        size_t length = strcspn(text + i, " \n");
        if (!begins && column + 1 + (int)length > width) {
            print(to, "\n%*s", indent, "");
            column = indent;
        } else if (!begins) {
            put_text(to, " ");
            column++;
        }
        put(to, text + i, length);
        column += (int)length;
        begins = false;
        i += length;
        i += i < size;
    }
}

/* Lines after the first are indented by `indent`; `column` is the current column. */
static void put_words(stream *to, const char *text, int indent, int column) {
    for (;;) {
        size_t size = strcspn(text, "\n");
        bool item = strncmp(text, WRAP_ITEM, strlen(WRAP_ITEM)) == 0;
        put_paragraph(to, text, size, item ? indent + 2 : indent, column);
        put_text(to, "\n");
        text += size;
        size_t breaks = strspn(text, "\n");
        text += breaks;
        if (!*text)
            return;
        print(to, "%s%*s", breaks > 1 ? "\n" : "", indent, "");
        column = indent;
    }
}

void put_wrapped(stream *to, const char *text) {
    put_words(to, text, 0, 0);
}

void put_hanging(stream *to, const char *margin, const char *left, int indent, const char *text) {
    int width = (int)(strlen(margin) + strlen(left));
    print(to, "%s%s", margin, left);
    if (width + 2 > indent) {
        put_text(to, "\n");
        width = 0;
    }
    print(to, "%*s", indent - width, "");
    put_words(to, text, indent, indent);
}
