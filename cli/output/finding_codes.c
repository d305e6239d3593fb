/* SPDX-License-Identifier: MIT */
#include "finding_codes.h"
#include "../../src/export/gltf_check.h"
#include "../inputs/format_names.h"
#include "../inputs/pattern.h"

#include <mapstone/export.h>
#include <stdlib.h>
#include <string.h>

/* ---- selection ------------------------------------------------------------------------------------ */

static bool has_wildcard(const char *pattern) {
    return strpbrk(pattern, "*?[") != NULL;
}

/* Whether a pattern matches any code; if not, `best` receives the most similar one. */
static bool fits_any(const char *pattern, nearest *best) {
    const mst_code_information *code;
    size_t count = mst_format_count();
    for (size_t i = 0; i <= count; i++)
        for (size_t k = 0;
             (code = i < count ? mst_code_at(mst_format_at(i), k) : mst_gltf_code_at(k)) != NULL; k++) {
            if (is_like(code->code, pattern))
                return true;
            nearest_consider(best, code->code);
        }
    return false;
}

static bool check_patterns(const options *given, const char *option, char **patterns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        nearest best = {.wanted = patterns[i]};
        if (fits_any(patterns[i], &best))
            continue;
        if (has_wildcard(patterns[i]))
            options_usage(given, "%s: no code matches '%s'; check --codes FORMAT lists them", option,
                          patterns[i]);
        else if (best.name)
            options_usage(given, "%s: '%s' is not a code; did you mean '%s'?", option, patterns[i],
                          best.name);
        else
            options_usage(given, "%s: '%s' is not a code; check --codes FORMAT lists them", option,
                          patterns[i]);
        return false;
    }
    return true;
}

/* The patterns of all occurrences of an option. */
static char **read_patterns(const options *given, option_id id, size_t *count) {
    stream all = stream_memory();
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == id)
            print(&all, "%s,", given->arguments[i].value);
    put(&all, "", 1);
    for (char *at = all.data; *at; at++)
        if (*at >= 'a' && *at <= 'z')
            *at = (char)(*at - 'a' + 'A');
    char **patterns = split_commas(all.data, count);
    stream_free(&all);
    return patterns;
}

bool code_filter_read(code_filter *filter, const options *given) {
    filter->only = read_patterns(given, OPTION_ONLY, &filter->only_count);
    filter->ignore = read_patterns(given, OPTION_IGNORE, &filter->ignore_count);
    if (options_has(given, OPTION_ONLY) && !filter->only_count) {
        options_usage(given, "--only names no code; check --codes FORMAT lists them");
        return false;
    }
    return check_patterns(given, "--only", filter->only, filter->only_count) &&
           check_patterns(given, "--ignore", filter->ignore, filter->ignore_count);
}

static bool fits(char *const *patterns, size_t count, const char *code, bool *named) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (!is_like(code, patterns[i]))
            continue;
        any = true;
        *named = *named || !has_wildcard(patterns[i]);
    }
    return any;
}

bool code_filter_wants(const code_filter *filter, const char *code, bool *named) {
    bool outright = false, ignored = false;
    bool wanted = !filter->only_count || fits(filter->only, filter->only_count, code, &outright);
    if (named)
        *named = outright;
    return wanted && !fits(filter->ignore, filter->ignore_count, code, &ignored);
}

bool code_filter_names_any(const code_filter *filter) {
    for (size_t i = 0; i < filter->only_count; i++)
        if (!has_wildcard(filter->only[i]))
            return true;
    return false;
}

void code_filter_free(code_filter *filter) {
    split_free(filter->only);
    split_free(filter->ignore);
    memset(filter, 0, sizeof *filter);
}

/* ---- counts --------------------------------------------------------------------------------------- */

code_count *code_counts_at(code_counts *all, const char *code, mst_severity severity) {
    for (size_t i = 0; i < all->used; i++) { /* consecutive findings often have the same code */
        size_t at = (all->last + i) % all->used;
        if (all->items[at].severity == severity && !strcmp(all->items[at].code, code)) {
            all->last = at;
            return &all->items[at];
        }
    }
    if (all->used == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 16;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    all->last = all->used;
    code_count *fresh = &all->items[all->used++];
    *fresh = (code_count){.severity = severity};
    strncat(fresh->code, code, sizeof fresh->code - 1);
    return fresh;
}

void code_counts_add_file(code_counts *all, const code_counts *file) {
    for (size_t i = 0; i < file->used; i++) {
        code_count *sum = code_counts_at(all, file->items[i].code, file->items[i].severity);
        sum->count += file->items[i].count;
        sum->files++;
    }
}

uint64_t code_counts_of(const code_counts *all, mst_severity severity) {
    uint64_t count = 0;
    for (size_t i = 0; i < all->used; i++)
        if (all->items[i].severity == severity)
            count += all->items[i].count;
    return count;
}

static int by_weight(const void *a, const void *b) {
    const code_count *first = a, *second = b;
    if (first->severity != second->severity)
        return first->severity > second->severity ? -1 : 1;
    if (first->count != second->count)
        return first->count > second->count ? -1 : 1;
    return strcmp(first->code, second->code);
}

static void sort(code_counts *all) {
    if (all->used)
        qsort(all->items, all->used, sizeof *all->items, by_weight);
}

void code_counts_put(code_counts *all, stream *to) {
    bool several = false;
    int width = 7;
    for (size_t i = 0; i < all->used; i++) {
        several = several || all->items[i].count > 1;
        width = all->items[i].severity == MST_INFORMATION ? 11 : width;
    }
    sort(all);
    for (size_t i = 0; i < all->used && several; i++) {
        const code_count *one = &all->items[i];
        print(to, "%7llu %-*s %s in %llu %s\n", (unsigned long long)one->count, width,
              severity_name(one->severity), one->code, (unsigned long long)one->files,
              one->files == 1 ? "file" : "files");
    }
}

void code_counts_put_json(code_counts *all, stream *to) {
    sort(all);
    put_text(to, ",\"codes\":[");
    for (size_t i = 0; i < all->used; i++) {
        const code_count *one = &all->items[i];
        put_text(to, i ? ",{" : "{");
        put_json_member(to, "code", one->code);
        put_json_member(to, "severity", severity_name(one->severity));
        print(to, ",\"count\":%llu,\"files\":%llu}", (unsigned long long)one->count,
              (unsigned long long)one->files);
    }
    put_text(to, "]");
}
