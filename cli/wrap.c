/* SPDX-License-Identifier: MIT */
#include "wrap.h"
#include <string.h>

/* Lines after the first are indented by `indent`; `column` is the current column. */
static void put_words(stream *to, const char *text, int indent, int column) {
    bool begins = true;
    while (*text) {
        if (*text == '\n') {
            print(to, "\n\n%*s", indent, "");
            column = indent;
            begins = true;
            text += strspn(text, "\n");
            continue;
        }
        int length = (int)strcspn(text, " \n");
        if (!begins && column + 1 + length > WRAP_WIDTH) {
            print(to, "\n%*s", indent, "");
            column = indent;
        } else if (!begins) {
            put_text(to, " ");
            column++;
        }
        put(to, text, (size_t)length);
        column += length;
        begins = false;
        text += length;
        text += *text == ' ';
    }
    put_text(to, "\n");
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
