/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "where.h"
#include "output.h"
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- one condition -------------------------------------------------------------------------------- */

/* The operator outside brackets; false: there is none. */
static bool find_operator(const char *text, size_t length, size_t *at, size_t *size, comparison *how) {
    static const struct {
        const char *text;
        comparison how;
    } operators[] = {{"!=", WHERE_IS_NOT}, {"!~", WHERE_UNLIKE}, {"<=", WHERE_OTHER},
                     {">=", WHERE_OTHER},  {"=", WHERE_IS},      {"<", WHERE_OTHER},
                     {">", WHERE_OTHER},   {"~", WHERE_LIKE},    {" has ", WHERE_OTHER}};
    size_t brackets = 0;
    bool quote = false;
    for (*at = 0; *at < length; ++*at) {
        char c = text[*at];
        if (quote || (brackets && c == '"'))
            quote = !quote || c != '"';
        else if (c == '[' || c == ']')
            brackets += c == '[' ? 1 : brackets ? SIZE_MAX : 0;
        for (size_t k = 0; k < sizeof operators / sizeof *operators && !brackets; k++) {
            *size = strlen(operators[k].text);
            *how = operators[k].how;
            if (*size <= length - *at && !memcmp(text + *at, operators[k].text, *size))
                return true;
        }
    }
    return false;
}

static char *copy_trimmed(const char *text, size_t length) {
    while (length && *text == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    return copy_of(text, length);
}

static void add(conditions *all, columns *shown, const char *text, size_t length) {
    size_t at, size;
    comparison how;
    all->items = need(realloc(all->items, (all->count + 1) * sizeof *all->items));
    condition *one = &all->items[all->count++];
    if (!find_operator(text, length, &at, &size, &how))
        return;
    char *name = copy_trimmed(text, at);
    bool place = how == WHERE_IS && !strcmp(name, "within");
    *one = (condition){.column = place ? SIZE_MAX : columns_add(shown, name, "--where"),
                       .how = place ? WHERE_OTHER : how,
                       .text = copy_trimmed(text, length),
                       .value = copy_of(text + at + size, length - at - size)};
    free(name);
}

/* ---- all of them ---------------------------------------------------------------------------------- */

/* The length of the condition that a text begins with: up to an & outside quotes. */
static size_t condition_length(const char *text) {
    bool quoted = false;
    size_t length = 0;
    for (; text[length] && (quoted || text[length] != '&'); length++)
        quoted ^= text[length] == '"';
    return length;
}

/* Whether & joins conditions, and is not in a value. */
static bool are_several(const char *text) {
    size_t at, size;
    comparison how;
    for (;;) {
        size_t length = condition_length(text);
        if (!find_operator(text, length, &at, &size, &how) || !at)
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

bool conditions_read(conditions *all, columns *shown, const options *given) {
    for (size_t i = 0; i < given->argument_count; i++) {
        const char *text = given->arguments[i].value;
        size_t at, size;
        comparison how;
        if (given->arguments[i].id != OPTION_WHERE)
            continue;
        if (!find_operator(text, strlen(text), &at, &size, &how) || !at) {
            options_usage(given, "--where: '%s' is not of the form COLUMN=VALUE", text);
            return false;
        }
        bool several = are_several(text);
        for (size_t length; *text; text += length + (text[length] == '&')) {
            length = several ? condition_length(text) : strlen(text);
            add(all, shown, text, length);
        }
    }
    return true;
}

void conditions_free(conditions *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].text);
        free(all->items[i].value);
    }
    free(all->items);
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static bool is_text(const char *wanted, size_t length, const char *cell, size_t size) {
    return length == size && (!size || !memcmp(wanted, cell, size));
}

bool condition_is_met(const condition *one, const char *cell, size_t size) {
    size_t length = strlen(one->value);
    bool same = is_text(one->value, length, cell, size);
    if (one->how == WHERE_IS || one->how == WHERE_IS_NOT) {
        char *bare = copy_trimmed(one->value, length);
        size_t inner = strlen(bare);
        bool quoted = inner > 1 && bare[0] == '"' && bare[inner - 1] == '"';
        same = same || is_text(bare + quoted, inner - 2 * quoted, cell, size);
        free(bare);
        return same == (one->how == WHERE_IS);
    }
    char *pattern = copy_trimmed(one->value, length), *text = copy_of(size ? cell : "", size);
    bool like = is_like(text, pattern);
    free(pattern);
    free(text);
    return like == (one->how == WHERE_LIKE);
}

bool condition_is_known(const condition *one, const mst_value *element) {
    static const char *const any[] = {"~*", "!~*"};
    size_t name, size;
    comparison how;
    int met = 0;
    find_operator(one->text, strlen(one->text), &name, &size, &how);
    for (size_t i = 0; i < 2 && !met; i++) {
        char *text = need(calloc(name + 4, 1));
        memcpy(text, one->text, name);
        memcpy(text + name, any[i], strlen(any[i]));
        mst_meets(element, text, &met, NULL);
        free(text);
    }
    return met;
}
