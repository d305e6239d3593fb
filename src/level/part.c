/* SPDX-License-Identifier: MIT */
/* The documents of a level: reading a file or member, identifying and opening it. */
#include "../container/container.h"
#include "../core/diagnose.h"
#include "../core/search.h"
#include "../core/text.h"
#include "../read/engine.h"
#include "inside.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Files up to this size are read, larger ones mapped: for small files a mapping is slower. */
#define SMALL ((uint64_t)256 << 10)

/* ---- parts -------------------------------------------------------------------------------------- */

void mst_level_part_free(mst_level *level, mst_level_part *part) {
    mst_close(part->document);
    for (size_t i = 0; i < part->before_count; i++)
        mst_file_bytes_free(&part->before[i]);
    if (part->is_member) {
        mst_level_guard(&level->options, true);
        mst_container_release(level->container, &part->member);
        mst_level_guard(&level->options, false);
    } else if (part->file.data)
        mst_file_bytes_free(&part->file);
    *part = (mst_level_part){0};
}

mst_status mst_level_part_remember(mst_level *level, mst_level_part *part, bool opened) {
    for (size_t i = 0; i < part->before_count; i++)
        mst_file_bytes_free(&part->before[i]);
    part->before_count = 0;
    for (size_t i = 0; i < mst_document_file_count(part->document); i++) {
        mst_file_bytes *to = &part->before[i];
        const void *bytes = mst_document_file(part->document, i, NULL, &to->size);
        if (opened && mst_document_file_count(part->document) == 1) { /* false for JSON and salvaged files */
            bytes = mst_level_part_bytes(part).data;
            to->size = mst_level_part_bytes(part).size;
        }
        to->allocator = level->allocator;
        to->mapped = 0;
        to->data = NULL;
        void *copy = to->size ? level->allocator.resize(level->allocator.user, NULL, 0, to->size) : NULL;
        if (to->size && !copy)
            return MST_NO_MEMORY;
        if (to->size)
            memcpy(copy, bytes, to->size);
        to->data = copy;
        part->before_count++;
    }
    return MST_OK;
}

/* ---- one input ---------------------------------------------------------------------------------- */

/* The state of opening one input. */
typedef struct open_state {
    mst_level *level;
    const mst_level_options *options;
    mst_level_part *part;
    size_t member;           /* SIZE_MAX: a file */
    mst_search *search;      /* of its directory, if its second file was searched there */
    mst_file_reader *reader; /* of a file; also has the beginning of a member */
    const void *prefix;      /* its beginning, possibly in `reader` */
    size_t prefix_size;
    uint64_t size;
    const mst_format_information *format; /* by its beginning; NULL: unknown */
    mst_diagnostic unknown;               /* the reason */
} open_state;

/* Finds the second file of a document next to the first, and nowhere else. */
static mst_status find_second(void *user, const char *name, const void **bytes, size_t *size) {
    open_state *o = user;
    const mst_resolver *given = o->options->sidecars;
    mst_status status = given && given->find ? given->find(given->user, name, bytes, size) : MST_NO_PATH;
    if (status != MST_NO_PATH)
        return status;
    if (o->part->is_member) {
        const char *member = mst_container_name(o->level->container, o->member);
        mst_level_guard(o->options, true);
        status = mst_level_member_beside(o->level->container, member, name, false, bytes, size);
        mst_level_guard(o->options, false);
        return status;
    }
    const char *path = o->part->path;
    if (mst_level_is_stdin(path))
        return MST_NO_PATH;
    if (!o->search) {
        char directory[4096];
        int length = (int)(mst_base_name(path) - path);
        if ((size_t)length >= sizeof directory)
            return MST_NO_PATH;
        snprintf(directory, sizeof directory, "%.*s", length, path);
        if (mst_search_create(&o->level->allocator, &o->search) != MST_OK)
            return MST_NO_MEMORY;
        if (o->options->unmapped || o->options->writable)
            mst_search_unmapped(o->search);
        if (mst_search_add(o->search, directory, NULL) != MST_OK &&
            mst_file_may_read(length ? directory : "."))
            return MST_IO; /* the directory may be listed, but listing it failed */
    }
    mst_resolver resolver = mst_search_resolver(o->search);
    return resolver.find(resolver.user, name, bytes, size);
}

/* Whether the input is the second file of a document whose first file is next to it. */
static bool is_second(open_state *o, const mst_format_information *format, const char *name) {
    char other[256];
    const void *bytes;
    size_t size;
    for (unsigned attempt = 0; mst_format_file(format, name, attempt, other, sizeof other) == 1; attempt++)
        if (find_second(o, other, &bytes, &size) == MST_OK)
            return true;
    return false;
}

static bool is_json(const open_state *o) {
    const mst_level_options *options = o->options;
    if (options->format)
        return strcmp(options->format, "json") == 0;
    if (!options->json)
        return false;
    return mst_text_ends_in(o->part->path, strlen(o->part->path), ".json") ||
           (mst_text_is_object(o->prefix, o->prefix_size) && !o->format);
}

/* Whether a found input is worth opening, by its beginning. */
static bool is_recognised(open_state *o, const char *name) {
    const mst_level_options *options = o->options;
    if (!options->found)
        return true;
    if (options->format)
        return strcmp(options->format, "json") != 0 ||
               mst_text_ends_in(o->part->path, strlen(o->part->path), ".json");
    return o->format ? !is_second(o, o->format, name)
                     : options->json && mst_text_is_level(o->prefix, o->prefix_size);
}

/* Reads the input. */
static mst_status load(open_state *o, mst_diagnostic *diagnostic) {
    const mst_level_options *options = o->options;
    mst_level *level = o->level;
    mst_status status;
    if (o->part->is_member) {
        mst_level_guard(options, true);
        status = mst_container_read(level->container, o->member, &o->part->member, diagnostic);
        mst_level_guard(options, false);
    } else {
        bool small = o->reader->size && !mst_level_is_stdin(o->part->path) && o->reader->size <= SMALL;
        status = mst_file_rest(o->reader, &level->allocator, options->input_limit,
                               small || options->unmapped || options->writable, &o->part->file, diagnostic);
    }
    mst_level_bytes all = mst_level_part_bytes(o->part);
    o->prefix = all.data ? all.data : "";
    o->prefix_size = all.size < MST_FILE_BEGINNING ? all.size : MST_FILE_BEGINNING;
    o->size = all.size;
    return status;
}

/* Reads the beginning of a member. */
static mst_status peek_member(open_state *o, mst_diagnostic *diagnostic) {
    mst_level_guard(o->options, true);
    mst_status status = mst_container_peek(o->level->container, o->member, o->reader->beginning,
                                           sizeof o->reader->beginning, &o->prefix_size, diagnostic);
    mst_level_guard(o->options, false);
    o->prefix = o->reader->beginning;
    o->size = mst_container_size(o->level->container, o->member);
    return status;
}

static mst_status peek_file(open_state *o, mst_diagnostic *diagnostic) {
    mst_status status = o->reader->beginning_size ? MST_OK : mst_file_peek(o->reader, diagnostic);
    o->prefix = o->reader->beginning;
    o->prefix_size = o->reader->beginning_size;
    o->size = o->reader->size;
    return status;
}

/* Whether the input is a stream that has no known format, whatever follows its beginning: only the beginning
 * is read, because the stream may be endless. */
static bool is_hopeless(open_state *o, const char *name, mst_status *status, mst_diagnostic *diagnostic) {
    const mst_level_options *options = o->options;
    if (o->part->is_member || o->reader->size || options->format || options->unopened)
        return false;
    *status = mst_file_peek(o->reader, diagnostic);
    o->prefix = o->reader->beginning;
    o->prefix_size = o->reader->beginning_size;
    o->size = MST_SIZE_UNKNOWN;
    o->format = NULL;
    return *status == MST_OK && o->prefix_size == MST_FILE_BEGINNING &&
           !mst_identify(o->prefix, o->prefix_size, o->size, name, &o->unknown) && !is_json(o);
}

/* Reads the beginning of the input, or all of it if it can be read only once, and identifies it. */
static mst_status look(open_state *o, const char *name, bool *complete, mst_diagnostic *diagnostic) {
    const mst_level_options *options = o->options;
    mst_container *container = o->level->container;
    mst_status status = MST_OK;
    if (o->part->is_member) {
        *complete = !options->identified && (!options->found || mst_container_is_streamed(container));
    } else {
        if (o->reader->file < 0)
            status = mst_file_open(o->part->path, o->reader, diagnostic);
        *complete = !o->reader->size || mst_level_is_stdin(o->part->path);
    }
    if (status == MST_OK && *complete && is_hopeless(o, name, &status, diagnostic))
        return status;
    if (status == MST_OK)
        status = *complete            ? load(o, diagnostic)
                 : o->part->is_member ? peek_member(o, diagnostic)
                                      : peek_file(o, diagnostic);
    if (status == MST_OK)
        o->format = mst_identify(o->prefix, o->prefix_size, o->size, name, &o->unknown);
    return status;
}

static mst_status take_loss(void *user, const mst_diagnostic *loss) {
    open_state *o = user;
    o->part->is_salvaged = true;
    return o->options->report ? o->options->report(o->options->report_user, o->part->path, loss) : MST_OK;
}

static mst_status open_document(open_state *o, const char *name, mst_diagnostic *diagnostic) {
    const mst_level_options *options = o->options;
    const mst_resolver beside = {.find = find_second, .user = o};
    mst_open_options how = {.size = sizeof how,
                            .format = options->format,
                            .name = name,
                            .allocator = options->allocator,
                            .budget = options->budget,
                            .lenient_json = options->lenient_json,
                            .salvage = options->salvage,
                            .report = take_loss,
                            .report_user = o,
                            .sidecars = &beside};
    mst_level_bytes all = mst_level_part_bytes(o->part);
    const char *data = all.data ? (const char *)all.data : "";
    if (!o->part->is_json)
        return mst_open_memory(data, all.size, &how, &o->part->document, diagnostic);
    how.format = NULL;
    how.name = options->name; /* the name of the JSON is not the level's */
    return mst_open_json(data, all.size, &how, &o->part->document, diagnostic);
}

/* Reads the input, and opens it unless it is only to be identified. */
static mst_status open_input(open_state *o, const char *name, mst_diagnostic *diagnostic) {
    const mst_level_options *options = o->options;
    bool complete;
    mst_status status = look(o, name, &complete, diagnostic);
    if (status != MST_OK)
        return status;
    bool recognised = is_recognised(o, name);
    if (options->identified)
        *options->identified = o->format;
    if (options->identified_size)
        *options->identified_size = o->size;
    if (!recognised)
        return mst_fail(diagnostic, MST_UNKNOWN, "no known format begins like this");
    o->part->is_json = is_json(o);
    bool usable =
        o->format ||
        (o->level->identifies ? options->found : o->part->is_json || options->format || options->unopened);
    if (!usable && diagnostic)
        *diagnostic = o->unknown;
    if (!usable || o->level->identifies)
        return usable ? MST_OK : MST_UNKNOWN;
    if (!complete)
        status = load(o, diagnostic);
    return status == MST_OK && !options->unopened ? open_document(o, name, diagnostic) : status;
}

mst_status mst_level_read_part(mst_level *level, const char *path, size_t member, mst_file_reader *reader,
                               const mst_level_options *options, mst_diagnostic *diagnostic) {
    mst_level_part part = {.name = "", .is_member = member != SIZE_MAX};
    open_state o = {.level = level, .options = options, .part = &part, .member = member, .reader = reader};
    part.path = mst_arena_text(&level->arena, path, strlen(path));
    if (part.is_member)
        part.name = mst_container_name(level->container, member);
    if (!part.path)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    const char *name = options->name              ? options->name
                       : part.is_member           ? part.name
                       : mst_level_is_stdin(path) ? NULL
                                                  : path;
    mst_status status = open_input(&o, name, diagnostic);
    mst_search_free(o.search);
    if (status == MST_OK && options->writable && part.document &&
        mst_level_part_remember(level, &part, true) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to keep %s as it was", path);
    mst_level_part *added = status == MST_OK ? mst_array_push(&level->parts, 1) : NULL;
    if (!added) {
        mst_level_part_free(level, &part);
        return status != MST_OK ? status
                                : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    }
    *added = part;
    return MST_OK;
}
