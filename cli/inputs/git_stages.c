/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "git_stages.h"
#include "../../src/core/fingerprint.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "git_program.h"
#include "opened_source.h"
#include "paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "mapstone resolutions 1"

/* Parses "MODE ID STAGE<tab>PATH<NUL>", which git prints for each version. */
static void take_versions(git_stages *all, const char *text, size_t size) {
    for (const char *at = text; at < text + size; at += strlen(at) + 1) {
        const char *id = strchr(at, ' '), *stage = id ? strchr(id + 1, ' ') : NULL;
        if (!stage || stage[1] < '1' || stage[1] > '3' || stage[2] != '\t')
            continue;
        char **one = &all->ids[stage[1] - '1'];
        free(*one);
        *one = copy_of(id + 1, (size_t)(stage - id - 1));
        free(all->path);
        all->path = need(strdup(stage + 3));
    }
}

static int list_versions(git_stages *all) {
    char *const arguments[] = {"git", "--literal-pathspecs", "-C", all->folder, "ls-files", "-u",
                               "-z",  "--full-name",         "--", all->name,   NULL};
    char *text;
    size_t size;
    const int ended = git_run(arguments, &text, &size);
    if (ended == 0)
        take_versions(all, text, size);
    free(text);
    if (ended > 0)
        say(MST_ERROR, "%s is not in a git repository: give three files, BASE OURS THEIRS", all->name);
    return ended ? EXIT_TROUBLE : EXIT_YES;
}

/* Finds git's directory for the file's work tree. */
static int find_store(git_stages *all) {
    char *const arguments[] = {"git", "-C", all->folder, "rev-parse", "--git-path", "mapstone", NULL};
    char *text, print[MST_FINGERPRINT];
    size_t size;
    const int ended = git_run(arguments, &text, &size);
    if (ended == 0 && size > 1 && text[size - 1] == '\n') {
        text[size - 1] = 0;
        mst_fingerprint(all->path, strlen(all->path), print);
        if (asprintf(&all->store, "%s%s%s/%s", mst_system_is_absolute(text) ? "" : all->folder,
                     mst_system_is_absolute(text) ? "" : "/", text, print) < 0)
            need(NULL);
    }
    free(text);
    return all->store ? EXIT_YES : EXIT_TROUBLE;
}

static void free_choices(git_stages *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->choices[i].path);
        free(all->choices[i].value);
    }
    free(all->choices);
    all->choices = NULL;
    all->count = 0;
}

/* Reads "SIDE<tab>PATH", for a value with "<tab>JSON"; choices for other versions belong to an earlier
 * merge. */
static void read_choices(git_stages *all) {
    char *text = NULL, *save = NULL;
    size_t size = 0;
    mst_diagnostic why;
    stream head = stream_memory();
    print(&head, HEAD " %s %s %s", all->ids[0], all->ids[1], all->ids[2]);
    put(&head, "", 1);
    if (is_regular(all->store) && read_whole(all->store, &text, &size, &why) == MST_OK) {
        char *line = strtok_r(text, "\n", &save);
        if (line && !strcmp(line, head.data))
            while ((line = strtok_r(NULL, "\n", &save))) {
                char *path = strchr(line, '\t'), *value = path ? strchr(path + 1, '\t') : NULL;
                if (!path || !strchr("otvw", *line) || (*line == 'v') != (value != NULL)) {
                    say(MST_WARNING, "%s: a damaged line is ignored", all->store);
                    continue;
                }
                *path++ = 0;
                if (value)
                    *value++ = 0;
                git_stages_choose(all, path, *line, value);
            }
    }
    stream_free(&head);
    free(text);
}

static int write_version(git_stages *all, int side) {
    char *path;
    if (asprintf(&path, "--path=%s", all->path) < 0)
        need(NULL);
    char *const arguments[] = {"git", "-C", all->folder, "cat-file", "--filters", path, all->ids[side], NULL};
    all->files[side] = git_write(arguments);
    free(path);
    return all->files[side] ? EXIT_YES : EXIT_TROUBLE;
}

int git_stages_begin(git_stages *all, const char *file) {
    const size_t length = mst_system_directory_length(file);
    *all = (git_stages){.folder = copy_of(length ? file : ".", length ? length : 1),
                        .name = need(strdup(file + length))};
    int code = list_versions(all);
    if (code == EXIT_YES && !all->path) {
        say(MST_ERROR, "%s: git has no conflict in it", file);
        return EXIT_NO;
    }
    if (code == EXIT_YES && (!all->ids[0] || !all->ids[1] || !all->ids[2])) {
        say(MST_ERROR, "%s: %s: decide with 'git add' or 'git rm'", file,
            !all->ids[0] ? "both sides added it" : "one side removed it");
        return EXIT_REFUSED;
    }
    code = code == EXIT_YES ? find_store(all) : code;
    for (int side = 0; side < 3 && code == EXIT_YES; side++)
        code = write_version(all, side);
    if (code == EXIT_YES)
        read_choices(all);
    return code;
}

void git_stages_end(git_stages *all) {
    for (int i = 0; i < 3; i++) {
        if (all->files[i])
            mst_system_remove(all->files[i]);
        free(all->files[i]);
        free(all->ids[i]);
    }
    free_choices(all);
    free(all->folder);
    free(all->name);
    free(all->path);
    free(all->store);
}

const git_choice *git_stages_choice(const git_stages *all, const char *path) {
    for (size_t i = all->count; i-- > 0;)
        if (!strcmp(all->choices[i].path, path))
            return &all->choices[i];
    return NULL;
}

void git_stages_choose(git_stages *all, const char *path, char side, const char *value) {
    git_choice *one = (git_choice *)git_stages_choice(all, path);
    if (!one) {
        if ((all->count & (all->count + 1)) == 0)
            all->choices = need(realloc(all->choices, 2 * (all->count + 1) * sizeof *all->choices));
        one = &all->choices[all->count++];
        *one = (git_choice){.path = need(strdup(path))};
    }
    free(one->value);
    one->side = side;
    one->value = value ? need(strdup(value)) : NULL;
}

bool git_stages_keep(const git_stages *all) {
    target out;
    if (!make_parents(all->store) || !target_begin(&out, all->store))
        return false;
    print(&out.text, HEAD " %s %s %s\n", all->ids[0], all->ids[1], all->ids[2]);
    for (size_t i = 0; i < all->count; i++) {
        const git_choice *one = &all->choices[i];
        print(&out.text, "%c\t%s", one->side, one->path);
        if (one->value)
            print(&out.text, "\t%s", one->value);
        put(&out.text, "\n", 1);
    }
    return target_settle(&out, MST_OK, all->store, NULL) == EXIT_YES;
}

bool git_stages_add(const git_stages *all) {
    char *const arguments[] = {"git", "--literal-pathspecs", "-C", all->folder, "add", "--", all->name, NULL};
    char *text;
    size_t size;
    const int ended = git_run(arguments, &text, &size);
    free(text);
    if (ended > 0)
        say(MST_ERROR, "git could not add %s", all->name);
    if (ended == 0)
        mst_system_remove(all->store);
    return ended == 0;
}
