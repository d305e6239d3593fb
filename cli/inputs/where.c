/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "where.h"
#include "../../src/read/joined.h"
#include "../../src/read/opened.h"
#include "../output/streams.h"

#include <stdlib.h>
#include <string.h>

/* ---- one condition -------------------------------------------------------------------------------- */

/* Finds the operator outside brackets; false: there is none. The library interprets it. */
static bool find_operator(const char *text, size_t length, size_t *at) {
    size_t brackets = 0;
    bool quote = false;
    for (*at = 0; *at < length; ++*at) {
        char c = text[*at];
        if (quote || (brackets && c == '"'))
            quote = !quote || c != '"';
        else if (c == '[' || c == ']')
            brackets += c == '[' ? 1 : brackets ? SIZE_MAX : 0;
        else if (!brackets &&
                 (strchr("=<>~", c) || (c == '!' && strchr("=~", text[*at + 1]) && text[*at + 1])))
            return true;
        else if (!brackets && length - *at >= 5 && !memcmp(text + *at, " has ", 5))
            return true;
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

/* The condition for the library: on the column's own field, with the value in quotes if it has a joining
 * operator and is not an expression. */
static char *text_of(const char *name, const char *rest) {
    const char *joins = strpbrk(rest, "&|()");
    const char *value = rest + strspn(rest, "=!<>~");
    stream text = stream_memory();
    put_text(&text, name);
    put(&text, rest, (size_t)(value - rest));
    const mst_excerpt wanted = mst_trimmed(value, strlen(value));
    bool calculates = !memchr(rest, '~', (size_t)(value - rest)) && mst_is_in_brackets(wanted);
    if (joins && !calculates && !strchr(rest, '"'))
        print(&text, "\"%s\"", value);
    else
        put_text(&text, value);
    put(&text, "", 1);
    return text.data;
}

static void add(conditions *all, columns *shown, const char *text, size_t length) {
    size_t at;
    all->items = need(realloc(all->items, (all->count + 1) * sizeof *all->items));
    condition *one = &all->items[all->count++];
    find_operator(text, length, &at);
    char *name = copy_trimmed(text, at), *rest = copy_of(text + at, length - at);
    bool place = *rest == '=' && !strcmp(name, "within");
    *one = (condition){
        .column = place ? SIZE_MAX : columns_add(shown, name, "--where"), .rest = rest, .given = text};
    one->text = text_of(
        place || shown->items[one->column].kind != COLUMN_FIELD ? name : shown->items[one->column].name,
        rest);
    free(name);
}

/* ---- all of them ---------------------------------------------------------------------------------- */

static mst_joined begin(const char *text) {
    return (mst_joined){.text = text, .length = strlen(text)};
}

/* Whether all parts that & and | join are conditions; otherwise & and | are part of a value. */
static bool are_several(const char *text) {
    mst_excerpt one = {NULL, 0};
    size_t at;
    for (mst_joined from = begin(text); mst_joined_condition(&from, &one);)
        if (!find_operator(one.text, one.length, &at) || !at)
            return false;
    return true;
}

bool conditions_read(conditions *all, columns *shown, const options *given) {
    for (size_t i = 0; i < given->argument_count; i++) {
        const char *text = given->arguments[i].value;
        mst_excerpt one = {NULL, 0};
        mst_diagnostic why;
        size_t at;
        if (given->arguments[i].id != OPTION_WHERE)
            continue;
        if (!find_operator(text, strlen(text), &at) || !at) {
            options_usage(given, "--where: '%s' is not of the form COLUMN=VALUE", text);
            return false;
        }
        const where whole = {{text, strlen(text)}, are_several(text)};
        all->texts = need(realloc(all->texts, (all->text_count + 1) * sizeof *all->texts));
        all->texts[all->text_count++] = whole;
        if (!whole.joined) {
            add(all, shown, text, whole.text.length);
            continue;
        }
        if (mst_joined_check(whole.text, &why) != MST_OK) {
            options_usage(given, "--where: '%s': %s", text, why.message);
            return false;
        }
        for (mst_joined from = begin(text); mst_joined_condition(&from, &one);)
            add(all, shown, one.text, one.length);
    }
    return true;
}

typedef struct asked {
    const conditions *all;
    bool (*holds)(void *user, const condition *one);
    void *user;
} asked;

/* There are few conditions: finds each by its position in the argument. */
static bool given_holds(void *user, mst_excerpt text) {
    const asked *of = user;
    for (size_t i = 0; i < of->all->count; i++)
        if (of->all->items[i].given == text.text)
            return of->holds(of->user, &of->all->items[i]);
    return false;
}

bool conditions_hold(const conditions *all, bool (*holds)(void *user, const condition *one), void *user) {
    asked of = {all, holds, user};
    bool hold = true;
    for (size_t i = 0; hold && i < all->text_count; i++)
        hold = all->texts[i].joined ? mst_joined_holds(all->texts[i].text, given_holds, &of)
                                    : given_holds(&of, all->texts[i].text);
    return hold;
}

void conditions_free(conditions *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].text);
        free(all->items[i].rest);
    }
    free(all->items);
    free(all->texts);
}

/* ---- rows ----------------------------------------------------------------------------------------- */

bool condition_is_met(const condition *one, const char *cell, const mst_value *element) {
    bool met = false;
    mst_text_matches(cell, one->rest, element, &met);
    return met;
}

bool condition_is_known(const condition *one, const mst_value *element) {
    static const char *const any[] = {"~*", "!~*"};
    size_t name;
    bool met = false;
    find_operator(one->text, strlen(one->text), &name);
    for (size_t i = 0; i < 2 && !met; i++) {
        char *text = need(calloc(name + 4, 1));
        memcpy(text, one->text, name);
        memcpy(text + name, any[i], strlen(any[i]));
        mst_matches(element, text, &met, NULL);
        free(text);
    }
    return met;
}
