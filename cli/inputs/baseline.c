/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "baseline.h"
#include "../../src/core/lower_bound.h"
#include "opened_source.h"
#include <stdlib.h>
#include <string.h>

static const char heading[] = "# Findings that 'mapstone check --baseline' leaves out: file, code, path.\n";

/* Writes the path in a canonical form. */
static void put_file(stream *to, const char *file) {
    stream clean = stream_memory();
    while (file[0] == '.' && file[1] == '/')
        file += 1 + strspn(file + 1, "/");
    put_text(&clean, *file == '#' ? "./" : ""); /* not a comment */
    for (; *file; file++)
        if (*file != '/' || file[1] != '/')
            put(&clean, file, 1);
    put(&clean, "", 1);
    put_visible(to, clean.data);
    stream_free(&clean);
}

void baseline_put(stream *to, const char *file, const mst_diagnostic *finding) {
    put_file(to, file);
    print(to, "\t%s\t", finding->code);
    put_visible(to, finding->path);
    put_text(to, "\n");
}

static int by_line(const void *a, const void *b) {
    return strcmp(((const baseline_entry *)a)->line, ((const baseline_entry *)b)->line);
}

/* Splits a text in place into its lines, without comments and empty ones. */
static baseline_entry *split_lines(char *text, size_t *count) {
    baseline_entry *entries = NULL;
    size_t capacity = 0;
    *count = 0;
    for (char *line = text, *next; *line; line = next) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = 0;
        if (length && line[length - 1] == '\r')
            line[length - 1] = 0;
        if (!*line || *line == '#')
            continue;
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            entries = need(realloc(entries, capacity * sizeof *entries));
        }
        entries[(*count)++] = (baseline_entry){.line = line, .count = 1};
    }
    if (*count)
        qsort(entries, *count, sizeof *entries, by_line);
    return entries;
}

int baseline_read(baseline *all, const char *path) {
    mst_diagnostic why;
    size_t count, kept = 0;
    if (read_text(path, &all->text, &why) != MST_OK)
        return say_diagnosis(path, &why);
    all->entries = split_lines(all->text, &count);
    for (size_t i = 0; i < count; i++) {
        const char *line = all->entries[i].line, *code = strchr(line, '\t');
        if (!code || !strchr(code + 1, '\t')) {
            say(MST_ERROR,
                "%s: '%s' is not a line of a baseline; it needs a file, a code and a path, separated by tabs",
                path, line);
            return EXIT_TROUBLE;
        }
        if (kept && !strcmp(all->entries[kept - 1].line, line)) {
            all->entries[kept - 1].count++;
        } else {
            all->entries[kept].line = line;
            all->entries[kept].count = 1;
            kept++;
        }
    }
    all->count = kept;
    return EXIT_YES;
}

bool baseline_takes(baseline *all, const char *file, const mst_diagnostic *finding) {
    if (!all->count) /* quick: there may be millions of findings */
        return false;
    stream line = stream_memory();
    baseline_put(&line, file, finding);
    line.data[line.size - 1] = 0;
    baseline_entry wanted = {.line = line.data};
    baseline_entry *entry = bsearch(&wanted, all->entries, all->count, sizeof wanted, by_line);
    stream_free(&line);
    return entry && entry->used++ < entry->count;
}

uint64_t baseline_unused(const baseline *all, const stream *checked) {
    uint64_t unused = 0;
    for (const char *file = checked->size ? checked->data : "", *end = file + checked->size; file < end;
         file += strlen(file) + 1) {
        stream name = stream_memory();
        put_file(&name, file);
        put_text(&name, "\t");
        /* the first line of this file */
        MST_LOWER_BOUND(first, middle, all->count,
                        strncmp(all->entries[middle].line, name.data, name.size) < 0);
        for (; first < all->count && !strncmp(all->entries[first].line, name.data, name.size); first++)
            if (all->entries[first].used < all->entries[first].count)
                unused += all->entries[first].count - all->entries[first].used;
        stream_free(&name);
    }
    return unused;
}

void baseline_free(baseline *all) {
    free(all->entries);
    free(all->text);
    memset(all, 0, sizeof *all);
}

int baseline_write(const char *path, stream *lines) {
    size_t count;
    put(lines, "", 1);
    baseline_entry *entries = split_lines(lines->data, &count);
    target out;
    int code = target_begin(&out, path) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES) {
        put_text(&out.text, heading);
        for (size_t i = 0; i < count; i++) {
            put_text(&out.text, entries[i].line);
            put_text(&out.text, "\n");
        }
        code = target_finish(&out) ? EXIT_YES : EXIT_TROUBLE;
    }
    free(entries);
    return code;
}
