/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "opened_source.h"
#include "../../src/core/text.h"
#include "../../src/level/sources.h"
#include "../../src/read/opened.h"
#include "../commands/commands.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading -------------------------------------------------------------------------------------- */

/* Limit for anything but a regular file, which may be endless. Set once, before any thread starts. */
static uint64_t stream_limit = (uint64_t)4 << 30;
/* The same for scripts, patches, schemas and lists, which are smaller. */
static uint64_t text_limit = (uint64_t)256 << 20;

static uint64_t largest_growth, most_memory;

bool limits_choose(const options *given) {
    return options_size(given, OPTION_INPUT_LIMIT, &stream_limit) &&
           options_size(given, OPTION_INPUT_LIMIT, &text_limit) &&
           options_size(given, OPTION_GROWTH_LIMIT, &largest_growth) &&
           options_size(given, OPTION_MEMORY_LIMIT, &most_memory);
}

uint64_t memory_limit(void) {
    return most_memory;
}

uint64_t growth_limit(void) {
    return largest_growth;
}

/* Replaces the name of the input in a message by "it": the message is printed after that name. */
static void shorten(mst_diagnostic *why, const char *path) {
    const char *name = strcmp(path, "-") != 0 ? path : "standard input";
    char *at = strstr(why->message, name);
    size_t length = strlen(name);
    if (why->status != MST_IO || !at || length < 2)
        return;
    memmove(at + 2, at + length, strlen(at + length) + 1);
    memcpy(at, "it", 2);
}

mst_status read_whole(const char *path, char **bytes, size_t *size, mst_diagnostic *why) {
    const mst_level_options how = {
        .size = sizeof how, .single = 1, .unopened = 1, .unmapped = 1, .input_limit = text_limit};
    mst_level *level;
    *bytes = NULL;
    *size = 0;
    mst_status status = mst_level_open(path, &how, &level, why);
    if (status != MST_OK) {
        shorten(why, path);
        return status;
    }
    const void *read = mst_level_bytes_of(level, 0, size);
    *bytes = need(calloc(*size + 1, 1));
    memcpy(*bytes, read, *size);
    mst_level_close(level);
    return MST_OK;
}

mst_status read_text(const char *path, char **text, mst_diagnostic *why) {
    char *bytes;
    size_t size;
    mst_arena arena;
    mst_text plain;
    const mst_allocator allocator = mst_allocator_or_default(NULL);
    *text = NULL;
    mst_status status = read_whole(path, &bytes, &size, why);
    if (status != MST_OK)
        return status;
    mst_arena_begin(&arena, &allocator, 0);
    status = mst_text_wish(bytes, size, &arena, &plain, why);
    if (status == MST_OK) {
        *text = need(malloc(plain.size + 1));
        memcpy(*text, plain.at, plain.size);
        (*text)[plain.size] = 0;
    }
    mst_arena_end(&arena);
    free(bytes);
    return status;
}

/* Whether an archive has files below a folder; "" is the whole archive. */
static bool has_folder(const archive *in, const char *folder) {
    size_t size = strlen(folder);
    while (size && folder[size - 1] == '/')
        size--;
    bool found = !size;
    for (size_t i = 0; i < mst_container_count(in->members) && !found; i++) {
        const char *name = mst_container_name(in->members, i);
        found = !strncasecmp(name, folder, size) && name[size] == '/';
    }
    return found;
}

/* Whether an archive, or a folder in one, can be searched for files. */
static bool searches_archive(const char *path, const options *given, mst_diagnostic *why) {
    size_t length = archive_prefix(path);
    if (!length && !looks_like_archive(path))
        return false;
    char *file = file_of(path);
    archive *in = archive_open(file, given, why);
    bool found = in && has_folder(in, length ? path + length + 1 : "");
    archive_close(in);
    free(file);
    return found;
}

bool search_paths_exist(const options *given) {
    mst_search *search;
    mst_diagnostic why;
    bool exist = true;
    if (mst_search_create(NULL, &search) != MST_OK)
        need(NULL);
    for (size_t i = 0; i < given->argument_count && exist; i++)
        if (given->arguments[i].id == OPTION_SEARCH_PATH)
            exist = searches_archive(given->arguments[i].value, given, &why) ||
                    mst_search_add(search, given->arguments[i].value, &why) == MST_OK;
    if (!exist)
        say(MST_ERROR, "--search-path: %s", why.message);
    mst_search_free(search);
    return exist;
}

/* ---- opening -------------------------------------------------------------------------------------- */

static mst_status print_report(void *user, const char *file, const mst_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->status == MST_OK && !diagnostic->code[0])
        say(diagnostic->severity, "%s", diagnostic->message);
    else
        say_diagnosis(file, diagnostic);
    return MST_OK;
}

/* The options of a level; free `search_paths`. */
static mst_level_options options_of(const source *opened, const input *item, const options *given,
                                    unsigned flags) {
    const char **paths = need(calloc(given->argument_count + 1, sizeof *paths));
    mst_level_options how = {.size = sizeof how,
                             .format = given->value[OPTION_FROM],
                             .name = given->value[OPTION_AS_PATH],
                             .map = given->value[OPTION_MAP],
                             .search_paths = paths,
                             .sidecars = opened->sidecars,
                             .cache = opened->cache,
                             .input_limit = stream_limit,
                             .unmapped = options_has(given, OPTION_NO_MMAP),
                             .writable = (flags & SOURCE_EDIT) != 0,
                             .json = (flags & SOURCE_JSON) != 0,
                             .lenient_json = (flags & SOURCE_LENIENT) != 0,
                             .salvage = options_has(given, OPTION_SALVAGE),
                             .unopened = (flags & SOURCE_READ) != 0,
                             .unlinked = given->command == &collect_command, /* its result is shared */
                             .found = !item->named,
                             .single = 1,
                             .report = print_report};
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_SEARCH_PATH)
            paths[how.search_path_count++] = given->arguments[i].value;
    if (item->in)
        archive_share(item->in, &how);
    return how;
}

mst_status source_open(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why) {
    mst_level_options how = options_of(opened, item, given, flags);
    if (flags & SOURCE_IDENTIFY) {
        how.identified = &opened->format;
        how.identified_size = &opened->file_size;
    }
    mst_status status = mst_level_open(item->path, &how, &opened->level, why);
    free((void *)how.search_paths);
    if (status != MST_OK) {
        shorten(why, item->path);
        return status;
    }
    opened->document = mst_level_document(opened->level, 0);
    opened->from_json = mst_level_is_json(opened->level, 0);
    opened->salvaged = mst_level_is_salvaged(opened->level, 0) != 0;
    opened->bytes = mst_level_bytes_of(opened->level, 0, &opened->size);
    return MST_OK;
}

mst_status source_identify(const input *item, const options *given, unsigned flags,
                           const mst_format_information **format, uint64_t *size, mst_diagnostic *why) {
    const source nothing = {.level = NULL};
    mst_level_options how = options_of(&nothing, item, given, flags);
    mst_status status = mst_level_identify(item->path, &how, format, size, why);
    free((void *)how.search_paths);
    if (status != MST_OK)
        shorten(why, item->path);
    return status;
}

mst_status source_add(source *opened, const char *path, const options *given, unsigned flags,
                      mst_diagnostic *why) {
    char *copy = need(strdup(path));
    const input item = {.path = copy, .relative = copy, .named = true};
    mst_level_options how = options_of(opened, &item, given, flags);
    mst_status status = mst_level_add(opened->level, path, &how, why);
    free((void *)how.search_paths);
    free(copy);
    if (status != MST_OK)
        shorten(why, path);
    return status;
}

bool source_is_second(const source *opened, const input *item) {
    const char *second = NULL;
    size_t size;
    if (opened->from_json || mst_document_file_count(opened->document) == 1)
        return false;
    mst_document_file(opened->document, 1, &second, &size);
    return second && strcmp(second, base_name(item->path)) == 0;
}

char *saved_path(const mst_document *document, const char *path, size_t index) {
    size_t length = mst_save_path(document, path, index, NULL, 0);
    char *file = need(malloc(length + 1));
    mst_save_path(document, path, index, file, length + 1);
    return file;
}

bool two_files_on_stdout(const mst_document *document) {
    if (mst_document_file_count(document) == 1)
        return false;
    say(MST_ERROR, "%s consists of two files; use -o FILE", mst_document_format(document)->title);
    return true;
}

mst_status source_open_path(source *opened, const char *path, const options *given, unsigned flags,
                            mst_diagnostic *why) {
    memset(opened, 0, sizeof *opened);
    char *copy = need(strdup(path));
    input item = {.path = copy, .relative = copy, .named = true};
    size_t length = archive_prefix(path);
    mst_status status = MST_OK;
    if (length) {
        copy[length] = 0;
        item.in = opened->own_archive = archive_open(copy, given, why);
        copy[length] = '!';
        if (!item.in)
            status = why->status;
        else if (mst_container_find(item.in->members, path + length + 1) == SIZE_MAX)
            status = blame(why, MST_IO, "there is no %s in the archive", path + length + 1);
    }
    if (status == MST_OK)
        status = source_open(opened, &item, given, flags, why);
    free(copy);
    return status;
}

void source_close(source *opened) {
    mst_level_close(opened->level);
    archive_close(opened->own_archive);
    *opened = (source){.cache = opened->cache, .sidecars = opened->sidecars};
}
