/* SPDX-License-Identifier: MIT */
#include "git_versions.h"
#include "../../src/core/hash.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "git_program.h"
#include "opened_source.h"
#include "paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSIONS 500 /* maximum number of versions to examine */
#define DEPTH    64  /* maximum depth of directories */

typedef struct versions {
    char *ids[VERSIONS];
    size_t count;
} versions;

/* Adds the id of a file's content, unless already present. Zeros are not an id. */
static void take_id(versions *all, const char *id, size_t length) {
    if (strspn(id, "0") >= length || all->count == VERSIONS)
        return;
    for (size_t i = 0; i < all->count; i++)
        if (strncmp(all->ids[i], id, length) == 0)
            return;
    all->ids[all->count++] = copy_of(id, length);
}

/* Parses lines such as ":100644 100644 OLD NEW M<tab>PATH", which git prints newest first. */
static void take_lines(versions *all, const char *text) {
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line;
        for (int field = 0; *line == ':' && field < 2; field++)
            at += strcspn(at, " \n"), at += *at == ' ';
        const size_t old = strspn(at, "0123456789abcdef");
        if (at == line || old < 40 || at[old] != ' ')
            continue;
        take_id(all, at + old + 1, strspn(at + old + 1, "0123456789abcdef"));
        take_id(all, at, old);
    }
}

/* The content of a version, with the filters of a checkout, if it has that hash. */
static char *version_of(const char *folder, const char *path, char *id, const char *sha256) {
    char *const arguments[] = {
        "git", "-C", (char *)(size_t)folder, "cat-file", "--filters", (char *)(size_t)path, id, NULL};
    char *made = git_write(arguments), *bytes = NULL, hash[65] = "";
    size_t size = 0;
    mst_diagnostic why;
    if (made && read_whole(made, &bytes, &size, &why) == MST_OK)
        mst_sha256_text(bytes, size, hash);
    free(bytes);
    if (made && strcmp(hash, sha256) != 0) {
        mst_system_remove(made);
        free(made);
        made = NULL;
    }
    return made;
}

/* Whether a directory is in a repository; otherwise git would print an error. */
static bool is_in_repository(const char *folder) {
    bool found = false;
    stream above = stream_memory();
    put_text(&above, folder);
    for (int i = 0; i < DEPTH && !found; i++) {
        stream one = stream_memory();
        print(&one, "%.*s/.git", (int)above.size, above.data);
        put(&one, "", 1);
        found = is_directory(one.data) || is_regular(one.data);
        stream_free(&one);
        put_text(&above, "/..");
    }
    stream_free(&above);
    return found;
}

static char *find_version(char *folder, char *name, const char *sha256) {
    char *const arguments[] = {
        "git",         "--literal-pathspecs", "-C",        folder, "log", "--all", "--raw",
        "--no-abbrev", "--no-renames",        "--format=", "-m",   "--",  name,    NULL};
    char *text = NULL, *found = NULL;
    size_t size = 0;
    versions all = {.count = 0};
    stream path = stream_memory();
    print(&path, "--path=%s", name);
    put(&path, "", 1);
    if (git_run(arguments, &text, &size) == 0)
        take_lines(&all, text);
    for (size_t i = 0; i < all.count; i++) {
        if (!found)
            found = version_of(folder, path.data, all.ids[i], sha256);
        free(all.ids[i]);
    }
    stream_free(&path);
    free(text);
    return found;
}

char *git_version_with(const char *file, const char *sha256) {
    const size_t length = mst_system_directory_length(file);
    char *folder = copy_of(length ? file : ".", length ? length : 1), *name = need(strdup(file + length));
    char *found = is_in_repository(folder) ? find_version(folder, name, sha256) : NULL;
    free(folder);
    free(name);
    return found;
}
