/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "options.h"
#include "../../src/core/spelling.h"
#include "../output/streams.h"
#include "shell_words.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 48

const command *command_find(const char *name) {
    for (size_t i = 0; command_table[i]; i++)
        if (!strcmp(command_table[i]->name, name))
            return command_table[i];
    return NULL;
}

void nearest_consider(nearest *so_far, const char *candidate) {
    unsigned distance = mst_name_distance(so_far->wanted, candidate);
    if (distance == UINT_MAX || (so_far->name && distance >= so_far->distance))
        return;
    so_far->name = candidate;
    so_far->distance = distance;
}

const char *command_nearest(const char *name) {
    nearest best = {.wanted = name};
    for (size_t i = 0; command_table[i]; i++)
        nearest_consider(&best, command_table[i]->name);
    return best.name;
}

int options_usage(const options *given, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    say(MST_ERROR, "%s", message);
    say_plain("Try 'mapstone help %s'.", given->command->name);
    return EXIT_TROUBLE;
}

/* Suggests the options that begin with the name, or else the most similar. */
static void complain_unknown(const options *given, const char *text) {
    char name[64], meant[256] = "";
    size_t length = strcspn(text, "="), used = 0;
    if (strncmp(text, "--", 2) || length - 2 >= sizeof name) {
        options_usage(given, "%s: unknown option", text);
        return;
    }
    length -= 2;
    memcpy(name, text + 2, length);
    name[length] = 0;
    nearest best = {.wanted = name};
    for (const option_row *row = given->command->options; row->id; row++) {
        nearest_consider(&best, row->name);
        if (!strncmp(row->name, name, length) && used + strlen(row->name) + 8 < sizeof meant)
            used +=
                (size_t)snprintf(meant + used, sizeof meant - used, "%s--%s", used ? " or " : "", row->name);
    }
    if (!used && best.name)
        snprintf(meant, sizeof meant, "--%s", best.name);
    if (meant[0])
        options_usage(given, "--%s: unknown option; did you mean %s?", name, meant);
    else
        options_usage(given, "--%s: unknown option", name);
}

/* Whether the text is an abbreviated long option, which getopt_long accepts: a later option may have the same
 * beginning. */
static bool is_abbreviated(const char *text, int option, const command *of) {
    const option_row *row = of->options;
    while (row->id && 256 + (int)row->id != option)
        row++;
    return row->id && strcspn(text, "=") - 2 != strlen(row->name);
}

static bool is_word_of(const char *word, const char *words) {
    size_t length = strlen(word);
    for (const char *at = words; *at;) {
        size_t n = strcspn(at, " ");
        if (n == length && !memcmp(at, word, n))
            return true;
        at += n;
        at += strspn(at, " ");
    }
    return false;
}

static const char *name_of(const command *of, option_id id) {
    const option_row *row = of->options;
    while (row->id && row->id != id)
        row++;
    return row->name;
}

bool options_idle(const options *given, option_id id, const char *what) {
    if (options_has(given, id))
        options_usage(given, "--%s has no effect with %s", name_of(given->command, id), what);
    return options_has(given, id);
}

/* Whether at most one input is -; if not, prints a message. Operands from git are always names. */
static bool reads_stdin_once(const options *given) {
    size_t times = 0;
    if (options_has(given, OPTION_GIT) || options_has(given, OPTION_TEXTCONV))
        return true;
    for (size_t i = 0; i < given->argument_count; i++) {
        option_id id = given->arguments[i].id;
        bool input = id == OPTION_NONE || id == OPTION_SCRIPT || id == OPTION_PASTE || id == OPTION_SCHEMA ||
                     id == OPTION_BASELINE || id == OPTION_MARKS || id == OPTION_FILES0_FROM;
        times += input && !strcmp(given->arguments[i].value, "-");
    }
    if (times > 1)
        options_usage(given,
                      "- is standard input, which can be read only once: use files for the other inputs");
    return times <= 1;
}

/* Whether no incompatible options are given. */
static bool go_together(const options *given) {
    for (const option_pair *pair = given->command->clashes; pair && pair->one; pair++) {
        char other[64];
        snprintf(other, sizeof other, "--%s", name_of(given->command, pair->other));
        if (options_has(given, pair->other) && options_idle(given, pair->one, other))
            return false;
    }
    return true;
}

/* Whether the command has the option that getopt_long found in the text, with or without a value as required;
 * if not, prints a message. */
static bool is_accepted(const options *given, int c, const char *text) {
    char letter[3] = {'-', (char)optopt, 0};
    int option = c == ':' || c == '?' ? optopt : c; /* a letter, or 256 and more for a name */
    if (option >= 256 && is_abbreviated(text, option, given->command))
        complain_unknown(given, text);
    else if (c == ':')
        options_usage(given, "%s needs a value", text);
    else if (c == '?' && option >= 256)
        options_usage(given, "%.*s takes no value", (int)strcspn(text, "="), text);
    else if (c == '?')
        complain_unknown(given, optopt ? letter : text);
    else
        return true;
    return false;
}

bool options_parse(options *result, const command *of, int argc, char **argv) {
    memset(result, 0, sizeof *result);
    result->command = of;
    words_room(result, (size_t)argc);
    if (of->accepts && !of->accepts(argc, argv))
        return false;

    /* '-' first: operands are returned in order with the options; ':': no messages from getopt */
    char letters[3 + 2 * ROWS_MAX] = "-:";
    struct option names[ROWS_MAX + 1];
    size_t letter_count = 2, name_count = 0;
    memset(names, 0, sizeof names);
    for (const option_row *row = of->options; row->id && name_count < ROWS_MAX; row++) {
        names[name_count].name = row->name;
        names[name_count].has_arg = row->argument ? required_argument : no_argument;
        names[name_count++].val = 256 + (int)row->id;
        if (row->letter) {
            letters[letter_count++] = row->letter;
            if (row->argument)
                letters[letter_count++] = ':';
        }
    }
    letters[letter_count] = 0;

    opterr = 0;
    optind = 1;
    for (;;) {
        int before = optind > 0 ? optind : 1;
        if (before < argc && words_ask_help(argv[before])) {
            words_take(result, OPTION_HELP, "");
            optind++;
            continue;
        }
        int c = getopt_long(argc, argv, letters, names, NULL);
        if (c == -1 && optind == before && before < argc && !strcmp(argv[before], "-")) {
            words_take(result, OPTION_NONE, argv[optind++]); /* musl ends the options here */
            continue;
        }
        if (c == -1)
            break;
        if (c == 1) {
            if (!words_operand(result, optarg))
                return false;
            continue;
        }
        if (!is_accepted(result, c, before < argc ? argv[before] : ""))
            return false;
        const option_row *row = of->options;
        while (row->id && (c >= 256 ? c - 256 != (int)row->id : c != row->letter))
            row++;
        const char *value = row->argument ? optarg : "";
        if (row->values && !is_word_of(value, row->values)) {
            options_usage(result, "--%s: '%s' is none of: %s", row->name, value, row->values);
            return false;
        }
        if (row->argument && !*value && words_names_file(row->argument)) {
            options_usage(result, "--%s: an empty text is not a %s", row->name,
                          row->argument[0] == 'F' ? "file" : "directory");
            return false;
        }
        words_take(result, row->id, words_names_file(row->argument) ? words_path(result, value) : value);
    }
    while (optind < argc)
        if (!words_operand(result, argv[optind++]))
            return false;
    return options_has(result, OPTION_HELP) || (go_together(result) && reads_stdin_once(result));
}

void options_free(options *result) {
    free(result->arguments);
    free(result->operands);
    for (size_t i = 0; i < result->owned_count; i++)
        free(result->owned[i]);
    free(result->owned);
    memset(result, 0, sizeof *result);
}

bool options_number(const options *given, option_id id, double minimum, double maximum, double *number) {
    const char *text = given->value[id];
    if (!text)
        return true;
    const char *name = name_of(given->command, id);
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value)) {
        options_usage(given, "--%s: '%s' is not a number", name, text);
        return false;
    }
    if (value < minimum || value > maximum) {
        options_usage(given, "--%s: %s is not in %.6g..%.6g", name, text, minimum, maximum);
        return false;
    }
    *number = value;
    return true;
}

bool options_size(const options *given, option_id id, uint64_t *size) {
    static const char units[] = "KMG";
    const char *text = given->value[id];
    if (!text)
        return true;
    const char *name = name_of(given->command, id);
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (*text < '0' || *text > '9' || end[unit != NULL] || errno || !value || value > UINT64_MAX >> shift) {
        options_usage(given, "--%s: '%s' is not a size, such as 4096, 64M or 2G", name, text);
        return false;
    }
    *size = (uint64_t)value << shift;
    return true;
}

/* ---- arguments ---------------------------------------------------------------------------------------- */

char **split_commas(const char *text, size_t *count) {
    size_t n = 1;
    for (const char *at = text; *at; at++)
        n += *at == ',';
    /* the pointers, followed by the text that they point into */
    char **parts = need(malloc((n + 1) * sizeof *parts + strlen(text) + 1));
    char *copy = (char *)(parts + n + 1);
    memcpy(copy, text, strlen(text) + 1);
    n = 0;
    for (char *part = copy; part;) {
        char *comma = strchr(part, ',');
        if (comma)
            *comma++ = 0;
        if (*part)
            parts[n++] = part;
        part = comma;
    }
    parts[n] = NULL;
    *count = n;
    return parts;
}

void split_free(char **parts) {
    free(parts);
}
