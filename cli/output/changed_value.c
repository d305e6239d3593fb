/* SPDX-License-Identifier: MIT */
/* Changed values as short texts. */
#include "change_lines.h"
#include "show.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define VALUE_SHOWN 60 /* characters shown of a value */

/* A number as the editor shows it: lengths and vectors with two decimals, others with up to four as
 * needed. */
static void put_real(stream *to, double number, bool two) {
    char text[64];
    if (!isfinite(number) || fabs(number) >= 1e9) {
        print(to, "%g", number);
        return;
    }
    snprintf(text, sizeof text, two ? "%.2f" : "%.4f", number);
    if (!two) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        text[length - (text[length - 1] == '.')] = 0;
    }
    put_text(to, strcmp(text, "-0.00") != 0 && strcmp(text, "-0") != 0 ? text : text + 1);
}

static bool put_reals(stream *to, const mst_value *value) {
    mst_value one;
    bool list = mst_value_type(value) == MST_TYPE_LIST;
    uint64_t count = list ? mst_count(value) : 1;
    double number;
    if (list ? mst_element(value, 0, &one) != MST_OK || mst_value_type(&one) != MST_TYPE_REAL || count > 16
             : mst_value_type(value) != MST_TYPE_REAL)
        return false;
    const mst_field_information field = mst_value_field(value);
    bool two = count == 3 || strcmp(field.unit, "m") == 0;
    for (uint64_t i = 0; i < count; i++) {
        if (list)
            mst_element(value, i, &one);
        else
            one = *value;
        put_text(to, i ? " " : "");
        if (mst_get_real(&one, &number) == MST_OK)
            put_real(to, number, two);
    }
    return true;
}

/* Appends a text, cut between characters if it is too long. */
static void put_cut(stream *to, const char *text, size_t length) {
    size_t shown = length;
    if (length > VALUE_SHOWN)
        for (shown = VALUE_SHOWN; shown && ((unsigned char)text[shown] & 0xC0) == 0x80;)
            shown--;
    for (size_t i = 0; i < shown; i++)
        put(to, text[i] == '\n' ? " " : &text[i], 1);
    if (shown < length)
        put_text(to, "..");
}

/* Appends a value as a short text; false if it is too long. `exactly`: numbers with all digits. */
static bool put_briefly(stream *to, const mst_value *value, bool exactly) {
    mst_value inner = *value;
    while (mst_value_type(&inner) == MST_TYPE_LIST && mst_count(&inner) == 1 &&
           mst_element(&inner, 0, &inner) == MST_OK)
        ;
    if (!exactly && put_reals(to, &inner))
        return true;
    mst_type type = mst_value_type(&inner);
    if (type == MST_TYPE_NONE || type == MST_TYPE_RECORD ||
        (type == MST_TYPE_LIST && !is_short_list(&inner, 16)))
        return false;
    stream text = stream_memory();
    if (type == MST_TYPE_BYTES)
        put_value_short(&text, &inner);
    else
        put_value_plain(&text, &inner);
    if (type == MST_TYPE_TEXT || (type == MST_TYPE_LIST && !text.size)) {
        put_text(to, type == MST_TYPE_TEXT ? "\"" : "[]");
        put_cut(to, text.data ? text.data : "", text.size);
        put_text(to, type == MST_TYPE_TEXT ? "\"" : "");
    } else {
        put_cut(to, text.data ? text.data : "", text.size);
    }
    stream_free(&text);
    return true;
}

static char *text_of(stream *from) {
    put(from, "", 1);
    return from->data;
}

char *changed_value(const mst_value *value, const mst_value *named, bool exactly, bool *said) {
    stream text = stream_memory();
    *said = mst_value_type(named) == MST_TYPE_TEXT ? put_briefly(&text, named, exactly)
                                                   : put_briefly(&text, value, exactly);
    return text_of(&text);
}
