/* SPDX-License-Identifier: MIT */
/* Opening a level, and access to its parts. */
#include "../container/container.h"
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../core/write.h"
#include "../read/engine.h"
#include "inside.h"
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------------ */

/* The length of the archive's path in "archive!member"; 0 if no '!' follows the path of a file. With a
 * container, which is that file, the rest must be a member's name. */
static size_t archive_length(mst_level *level, const char *path) {
    if (mst_level_is_stdin(path) || (!level->container && mst_file_look(path, NULL) != MST_FILE_NONE))
        return 0;
    for (const char *at = strchr(path, '!'); at; at = strchr(at + 1, '!')) {
        if (level->container) {
            if (mst_container_find(level->container, at + 1) != SIZE_MAX)
                return (size_t)(at - path);
            continue;
        }
        char *file = mst_arena_text(&level->arena, path, (size_t)(at - path));
        if (file && mst_file_look(file, NULL) == MST_FILE_REGULAR)
            return (size_t)(at - path);
    }
    return 0;
}

static mst_status open_container(const char *path, const mst_level_options *options,
                                 mst_container **container, mst_diagnostic *diagnostic) {
    const mst_container_options how = {.size = sizeof how,
                                       .allocator = options->allocator,
                                       .member_limit = options->member_limit,
                                       .unmapped = options->unmapped || options->writable};
    return mst_container_open(path, &how, container, diagnostic);
}

/* Whether a file begins like an archive (an ISO 9660 image: after 16 sectors), and not like a level. */
static bool is_archive(const mst_file_reader *reader) {
    const uint8_t *beginning = reader->beginning;
    return (mst_container_is_archive(beginning, reader->beginning_size) ||
            mst_file_has(reader, MST_ISO_MARK_AT, MST_ISO_MARK, strlen(MST_ISO_MARK))) &&
           !mst_identify(beginning, reader->beginning_size, reader->size, reader->path, NULL);
}

/* Opens the level in a directory: its files are opened by their paths, so that they can be saved. */
static mst_status open_directory(mst_level *level, const char *path, const mst_level_options *options,
                                 mst_diagnostic *diagnostic) {
    mst_container *files;
    size_t length = strlen(path);
    const char *prefix =
        mst_arena_printf(&level->arena, "%s%s", path, length && path[length - 1] == '/' ? "" : "/");
    if (!prefix)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    level->folder = prefix;
    mst_status status = open_container(path, options, &files, diagnostic);
    if (status != MST_OK)
        return status;
    status = mst_level_choose(level, files, prefix, options, diagnostic);
    mst_container_close(files);
    return status;
}

/* Opens a member of the archive that is `length` bytes of the path; 0: the level in it. */
static mst_status open_archive(mst_level *level, const char *path, size_t length,
                               const mst_level_options *options, mst_diagnostic *diagnostic) {
    const char *file = mst_arena_text(&level->arena, path, length ? length : strlen(path));
    mst_status status =
        file ? MST_OK : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    if (status == MST_OK && !level->container) {
        status = open_container(file, options, &level->container, diagnostic);
        level->own_container = status == MST_OK;
    }
    if (status == MST_OK)
        status = mst_level_find_beside(level, file, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (!length) {
        const char *prefix = mst_arena_printf(&level->arena, "%s!", path);
        return prefix ? mst_level_choose(level, level->container, prefix, options, diagnostic)
                      : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    }
    size_t member = mst_container_find(level->container, path + length + 1);
    if (member == SIZE_MAX)
        return mst_fail(diagnostic, MST_IO, "there is no %s in the archive", path + length + 1);
    return mst_level_open_part(level, path, member, options, diagnostic);
}

typedef struct recover_state {
    const mst_level_options *options;
    const char *path;
} recover_state;

static void tell_recovered(void *user, const char *message) {
    const recover_state *of = user;
    mst_level_warn(of->options, of->path, "%s", message);
}

static mst_status open_level(mst_level *level, const char *path, const mst_level_options *options,
                             mst_diagnostic *diagnostic) {
    recover_state of = {options, path};
    if (options->writable && !options->container && !mst_level_is_stdin(path))
        mst_file_recover(path, tell_recovered, &of, NULL);
    size_t length = archive_length(level, path);
    if (length || level->container)
        return open_archive(level, path, length, options, diagnostic);
    if (!options->single && !mst_level_is_stdin(path) && mst_file_look(path, NULL) != MST_FILE_REGULAR &&
        mst_directory_read(path, NULL, NULL, NULL) == MST_OK)
        return open_directory(level, path, options, diagnostic);
    mst_file_reader reader;
    mst_status status = mst_file_open(path, &reader, diagnostic);
    bool archive = false;
    if (status == MST_OK && reader.size && !options->single && !options->format &&
        !mst_level_is_stdin(path)) {
        status = mst_file_peek(&reader, diagnostic);
        archive = status == MST_OK && is_archive(&reader);
    }
    if (status == MST_OK && !archive)
        status = mst_level_find_beside(level, path, options, diagnostic);
    if (status == MST_OK && !archive)
        status = mst_level_open_part_from(level, path, SIZE_MAX, &reader, options, diagnostic);
    mst_file_close(&reader);
    return archive ? open_archive(level, path, 0, options, diagnostic) : status;
}

/* A level without documents; NULL: no memory. */
static mst_level *new_level(const mst_level_options *options) {
    mst_allocator allocator = mst_allocator_or_default(&options->allocator);
    mst_level *level = allocator.resize(allocator.user, NULL, 0, sizeof *level);
    if (!level)
        return NULL;
    *level = (mst_level){.allocator = allocator, .options = *options, .container = options->container};
    level->parts = (mst_array){.element_size = sizeof(mst_level_part), .allocator = allocator};
    mst_arena_begin(&level->arena, &allocator, 0);
    level->options.name = level->options.level = NULL;
    level->options.search_paths = NULL;
    level->options.search_path_count = 0;
    level->options.identified = NULL;
    level->options.identified_size = NULL;
    if (options->map) {
        level->options.map = mst_arena_text(&level->arena, options->map, strlen(options->map));
        if (!level->options.map) {
            mst_level_close(level);
            return NULL;
        }
    }
    return level;
}

mst_status mst_level_open(const char *path, const mst_level_options *options, mst_level **result,
                          mst_diagnostic *diagnostic) {
    mst_level_options given = {.size = 0};
    if (result)
        *result = NULL;
    if (!path || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a pointer for the level are needed");
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_level *level = new_level(&given);
    if (!level)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    status = open_level(level, path, &given, diagnostic);
    if (status == MST_OK)
        *result = level;
    else
        mst_level_close(level);
    return status;
}

mst_status mst_level_identify(const char *path, const mst_level_options *options,
                              const mst_format_information **format, uint64_t *size,
                              mst_diagnostic *diagnostic) {
    if (format)
        *format = NULL;
    if (!path || !format)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a pointer for the format are needed");
    mst_level_options how = {.size = 0};
    mst_status status = mst_take_options(&how, sizeof how, options, diagnostic);
    if (status != MST_OK)
        return status;
    how.identified = format;
    how.identified_size = size;
    if (size)
        *size = 0;
    mst_level *level = new_level(&how);
    if (!level)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the level");
    level->identifies = true;
    status = open_level(level, path, &how, diagnostic);
    mst_level_close(level);
    return status;
}

mst_status mst_level_add(mst_level *level, const char *path, const mst_level_options *options,
                         mst_diagnostic *diagnostic) {
    if (!level || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a path are needed");
    mst_level_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    options = options ? &given : &level->options;
    if (!options->container)
        return mst_level_open_part(level, path, SIZE_MAX, options, diagnostic);
    size_t length = options->container == level->container ? archive_length(level, path) : 0;
    if (!length)
        return mst_fail(diagnostic, MST_ARGUMENT, "%s is not a member of the level's archive", path);
    return mst_level_open_part(level, path, mst_container_find(level->container, path + length + 1), options,
                               diagnostic);
}

void mst_level_close(mst_level *level) {
    if (!level)
        return;
    for (size_t i = 0; i < level->parts.count; i++)
        mst_level_part_free(level, mst_level_part_at(level, i));
    mst_array_free(&level->parts);
    if (level->own_cache)
        mst_level_cache_free(level->cache);
    if (level->own_container)
        mst_container_close(level->container);
    mst_arena_end(&level->arena);
    mst_allocator allocator = level->allocator;
    allocator.resize(allocator.user, level, sizeof *level, 0);
}

/* ---- documents ---------------------------------------------------------------------------------- */

size_t mst_level_count(const mst_level *level) {
    return level ? level->parts.count : 0;
}

mst_document *mst_level_document(const mst_level *level, size_t index) {
    const mst_level_part *part = mst_level_part_at(level, index);
    return part ? part->document : NULL;
}

const char *mst_level_path(const mst_level *level, size_t index) {
    const mst_level_part *part = mst_level_part_at(level, index);
    return part ? part->path : NULL;
}

bool mst_level_is_json(const mst_level *level, size_t index) {
    const mst_level_part *part = mst_level_part_at(level, index);
    return part && part->is_json;
}

bool mst_level_is_salvaged(const mst_level *level, size_t index) {
    const mst_level_part *part = mst_level_part_at(level, index);
    return part && part->is_salvaged;
}

const void *mst_level_bytes_of(const mst_level *level, size_t index, size_t *size) {
    const mst_level_part *part = mst_level_part_at(level, index);
    mst_level_bytes bytes = part ? mst_level_part_bytes(part) : (mst_level_bytes){NULL, 0};
    if (size)
        *size = bytes.size;
    return bytes.data;
}

const mst_resolver *mst_level_sidecars(mst_level *level) {
    return level ? &level->resolver : NULL;
}

/* Opens a sidecar that is a member, or a file in a directory of the search. */
static mst_status open_sidecar(mst_level *level, const char *file, mst_diagnostic *diagnostic) {
    const void *bytes;
    size_t size;
    mst_status status = level->resolver.find(level->resolver.user, file, &bytes, &size);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "there is no file %s that belongs to the level", file);
    const mst_resolver *given = level->options.sidecars;
    if (given && given->find && given->find(given->user, file, &bytes, &size) == MST_OK)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s is given by the caller, and is not opened", file);
    const char *path = mst_level_found_path(level);
    size_t member = level->container ? mst_container_find(level->container, file) : SIZE_MAX;
    if (level->container && member == SIZE_MAX) { /* next to the level's first member */
        const char *first = mst_level_part_at(level, 0)->name;
        const char *beside =
            mst_arena_printf(&level->arena, "%.*s%s", (int)(mst_base_name(first) - first), first, file);
        member = beside ? mst_container_find(level->container, beside) : SIZE_MAX;
    }
    if (!path && member == SIZE_MAX) /* it is in an archive directory without parts of the level */
        return mst_fail(diagnostic, MST_NO_PATH, "there is no file %s in the level's directory", file);
    mst_level_options options = level->options;
    options.format = NULL;
    options.found = 0;
    status = mst_level_open_part(level, path ? path : file, path ? SIZE_MAX : member, &options, diagnostic);
    if (status == MST_OK) {
        mst_level_part *part = mst_level_part_at(level, level->parts.count - 1);
        part->is_sidecar = true;
        part->name = mst_arena_text(&level->arena, file, strlen(file));
        if (!part->name)
            part->name = "";
    }
    return status;
}

mst_status mst_level_find(mst_level *level, const char *file, mst_document **document,
                          mst_diagnostic *diagnostic) {
    if (document)
        *document = NULL;
    if (!level || !file || !document)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a level, a file and a pointer for its document are needed");
    size_t index = 0;
    for (; *file && index < level->parts.count; index++) {
        const mst_level_part *part = mst_level_part_at(level, index);
        if (strcmp(part->name, file) == 0 ||
            (part->document && strcmp(mst_document_name(part->document), file) == 0))
            break;
    }
    mst_status status = index < level->parts.count ? MST_OK : open_sidecar(level, file, diagnostic);
    if (status == MST_OK)
        *document = mst_level_part_at(level, index)->document;
    return status;
}
