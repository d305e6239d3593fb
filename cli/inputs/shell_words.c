/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "shell_words.h"
#include "../output/streams.h"
#include "../system/console.h"
#include "paths.h"
#include <stdlib.h>
#include <string.h>

bool words_names_file(const char *kind) {
    return kind && (!strcmp(kind, "FILE") || !strcmp(kind, "DIR"));
}

const char *words_keep(options *to, char *word) {
    to->owned = need(realloc(to->owned, (to->owned_count + 1) * sizeof *to->owned));
    return to->owned[to->owned_count++] = word;
}

const char *words_path(options *to, const char *path) {
    char *tidy = strcmp(path, "-") != 0 ? system_tidy_path(path) : NULL;
    return tidy ? words_keep(to, tidy) : path;
}

void words_room(options *to, size_t count) {
    to->capacity = count + 1; /* NULL after the last */
    to->arguments = need(realloc(to->arguments, to->capacity * sizeof *to->arguments));
    to->operands = need(realloc(to->operands, to->capacity * sizeof *to->operands));
    memset(to->operands + to->operand_count, 0, (to->capacity - to->operand_count) * sizeof *to->operands);
}

void words_take(options *to, option_id id, const char *value) {
    if (to->argument_count + 1 >= to->capacity)
        words_room(to, 2 * (to->argument_count + 1));
    to->arguments[to->argument_count++] = (argument){id, value};
    if (id == OPTION_NONE)
        to->operands[to->operand_count++] = value;
    else
        to->value[id] = value;
}

/* Whether the next operand is a path. The help writes other operands in lower case, or as one of these
 * words. */
static bool is_path(const options *to) {
    static const char *const others[] = {"PATH", "NAME", "COMMAND", "FORMAT", "PATTERN"};
    const char *word = to->command->operands;
    for (size_t i = 0; i < to->operand_count; i++) {
        size_t length = strcspn(word, " ");
        if (!word[length] || (length > 3 && !strncmp(word + length - 3, "...", 3)))
            break;
        word += length + 1;
    }
    word += *word == '[';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(word, others[i], strlen(others[i])))
            return false;
    return *word >= 'A' && *word <= 'Z';
}

static void take_match(void *user, const char *path) {
    options *to = user;
    words_take(to, OPTION_NONE, words_keep(to, need(strdup(path))));
}

bool words_operand(options *to, const char *word) {
    if (!is_path(to)) {
        words_take(to, OPTION_NONE, word);
        return true;
    }
    const char *path = words_path(to, word);
    if (!system_shell_is_plain() || !path[strcspn(path, "*?\"")] || !strncmp(path, "//?/", 4)) {
        words_take(to, OPTION_NONE, path);
        return true;
    }
    if (strchr(path, '"'))
        say(MST_ERROR,
            "%s: the shell takes \\\" for a quotation mark: leave out the \\ before it, or write / ", word);
    else if (system_matches(path, take_match, to))
        return true;
    else
        say(MST_ERROR, "no file matches %s", word);
    return false;
}

bool words_ask_help(const char *word) {
    return !strcmp(word, "-?") || (system_shell_is_plain() && !strcmp(word, "/?"));
}

void words_hint(int count, char **words) {
    if (!system_shell_is_plain())
        return;
    for (int i = 1; i < count; i++)
        if (words[i][0] == '\'' && !is_regular(words[i]) && !is_directory(words[i])) {
            say(MST_INFORMATION, "%s: cmd.exe does not remove single quotes: use double quotes", words[i]);
            return;
        }
}
