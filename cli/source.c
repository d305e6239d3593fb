/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files up to this size are read, larger ones mapped: for small files a mapping is slower. */
#define SMALL ((uint64_t)256 << 10)

/* ---- reading -------------------------------------------------------------------------------------- */

/* Limit for anything but a regular file, which may be endless. Set once, before any thread starts. */
static uint64_t stream_limit = (uint64_t)4 << 30;

bool input_limit_choose(const options *given) {
    return options_size(given, OPTION_INPUT_LIMIT, &stream_limit);
}

static int open_to_read(const char *path, struct stat *status, mst_diagnostic *why) {
    int descriptor;
    do
        descriptor = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    while (descriptor < 0 && errno == EINTR);
    memset(status, 0, sizeof *status);
    if (descriptor < 0)
        blame(why, MST_IO, "cannot open it: %s", strerror(errno));
    else if (fstat(descriptor, status) == 0 && S_ISDIR(status->st_mode)) {
        blame(why, MST_IO, "it is a directory");
        if (descriptor != STDIN_FILENO)
            close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

/* The size of a regular file; 0: unknown. */
static size_t size_expected(const struct stat *status) {
    return S_ISREG(status->st_mode) && status->st_size > 0 && (uint64_t)status->st_size < SIZE_MAX / 2
               ? (size_t)status->st_size
               : 0;
}

/* Reads until `reused` is full or the end; a negative result is an error. */
static ssize_t fill(int descriptor, char *bytes, size_t capacity) {
    size_t size = 0;
    while (size < capacity) {
        ssize_t n = read(descriptor, bytes + size, capacity - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        size += (size_t)n;
    }
    return (ssize_t)size;
}

/* Reads an open file, into `reused` or into new memory: the `expected` bytes of a regular file, or (0) to the
 * end. */
static mst_status read_all(int descriptor, size_t expected, buffer *reused, char **bytes, size_t *size,
                           mst_diagnostic *why) {
    buffer own = {0}, *to = reused ? reused : &own;
    size_t limit = stream_limit < SIZE_MAX / 2 ? (size_t)stream_limit : SIZE_MAX / 2;
    size_t filled = 0, wanted = expected ? expected : PREFIX_CAPACITY;
    for (;;) {
        if (!expected && wanted > limit)
            wanted = limit + 1; /* to detect one too many */
        if (to->capacity < wanted) {
            char *larger = realloc(to->data, wanted);
            if (!larger) {
                free(own.data);
                return blame(why, MST_NO_MEMORY, "not enough memory to read it");
            }
            to->data = larger;
            to->capacity = wanted;
        }
        ssize_t n = fill(descriptor, to->data + filled, wanted - filled);
        if (n < 0) {
            blame(why, MST_IO, "cannot read it: %s", strerror(errno));
            free(own.data);
            return MST_IO;
        }
        filled += (size_t)n;
        if (!expected && filled > limit) {
            free(own.data);
            return blame(why, MST_IO, "it has more than %zu bytes; --input-limit allows more", limit);
        }
        if (filled < wanted || filled == expected)
            break;
        wanted *= 2;
    }
    *bytes = to->data;
    *size = filled;
    return MST_OK;
}

mst_status read_whole(const char *path, char **bytes, size_t *size, mst_diagnostic *why) {
    *bytes = NULL;
    *size = 0;
    struct stat status;
    int descriptor = open_to_read(path, &status, why);
    if (descriptor < 0)
        return MST_IO;
    mst_status result = read_all(descriptor, size_expected(&status), NULL, bytes, size, why);
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return result;
}

bool is_regular(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

mst_status read_prefix(const char *path, void *prefix, size_t capacity, size_t *size, uint64_t *file_size,
                       mst_diagnostic *why) {
    struct stat status;
    int descriptor = open_to_read(path, &status, why);
    if (descriptor < 0)
        return MST_IO;
    mst_status result = MST_OK;
    ssize_t n = 0;
    if (!S_ISREG(status.st_mode))
        result = blame(why, MST_IO, "it is not a regular file");
    else if ((n = fill(descriptor, prefix, capacity)) < 0)
        result = blame(why, MST_IO, "cannot read it: %s", strerror(errno));
    else
        *file_size = (uint64_t)status.st_size;
    *size = n > 0 ? (size_t)n : 0;
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return result;
}

/* ---- loading -------------------------------------------------------------------------------------- */

static void set_bytes(source *opened, const char *bytes, size_t size) {
    opened->loaded = true;
    opened->bytes = opened->prefix = bytes ? bytes : "";
    opened->size = size;
    opened->prefix_size = size < PREFIX_CAPACITY ? size : PREFIX_CAPACITY;
    opened->file_size = size;
}

static mst_status load_member(source *opened, archive *in, size_t member, mst_diagnostic *why) {
    mst_status status = archive_read(in, member, &opened->member, why);
    if (status != MST_OK)
        return status;
    opened->in = in;
    free(opened->owned);
    opened->owned = NULL;
    set_bytes(opened, opened->member.data, opened->member.size);
    return MST_OK;
}

/* Reads the beginning of a member, which suffices to decide whether the rest is needed, if that is cheaper.
 */
static mst_status load_beginning(source *opened, archive *in, size_t member, mst_diagnostic *why) {
    if (!opened->owned) /* else it could not be read, and is tried again */
        opened->owned = need(malloc(PREFIX_CAPACITY));
    mst_status status = archive_peek(in, member, opened->owned, PREFIX_CAPACITY, &opened->prefix_size,
                                     &opened->file_size, why);
    opened->loaded = status == MST_OK;
    opened->prefix = opened->owned;
    return status;
}

mst_status source_load(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why) {
    const char *from = given->value[OPTION_FROM];
    if (opened->loaded)
        return MST_OK;
    if (item->in)
        return (flags & SOURCE_BYTES) || archive_is_streamed(item->in)
                   ? load_member(opened, item->in, item->member, why)
                   : load_beginning(opened, item->in, item->member, why);
    struct stat file;
    int descriptor = open_to_read(item->path, &file, why);
    if (descriptor < 0)
        return MST_IO;
    mst_status status;
    char *bytes = NULL;
    size_t size = 0;
    bool small = !S_ISREG(file.st_mode) || (uint64_t)file.st_size <= SMALL || descriptor == STDIN_FILENO;
    if (small || (flags & SOURCE_BYTES) || (from && !strcmp(from, "json"))) {
        buffer *reused = small ? opened->reused : NULL; /* it stays small */
        size_t expected = descriptor == STDIN_FILENO ? 0 : size_expected(&file);
        status = read_all(descriptor, expected, reused, &bytes, &size, why);
        if (status == MST_OK)
            set_bytes(opened, bytes, size);
        if (status == MST_OK && !reused)
            opened->owned = bytes;
    } else {
        if (!opened->owned)
            opened->owned = need(malloc(PREFIX_CAPACITY));
        ssize_t n = fill(descriptor, opened->owned, PREFIX_CAPACITY);
        status = n < 0 ? blame(why, MST_IO, "cannot read it: %s", strerror(errno)) : MST_OK;
        opened->loaded = n >= 0;
        opened->prefix = opened->owned;
        opened->prefix_size = n < 0 ? 0 : (size_t)n;
        opened->file_size = (uint64_t)file.st_size;
    }
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return status;
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* Whether text begins as a JSON object does. */
static bool begins_as_json(const char *bytes, size_t size) {
    size_t at = size >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    return at < size && bytes[at] == '{';
}

/* Reports what is left out of a damaged file. */
typedef struct lost {
    const char *path;
    source *opened;
} lost;

static mst_status tell_loss(void *user, const mst_diagnostic *loss) {
    lost *of = user;
    of->opened->salvaged = true;
    say_diagnosis(of->path, loss);
    return MST_OK;
}

/* Finds the second file of a document beside the first, and nowhere else. */
static mst_status find_other(void *user, const char *name, const void **bytes, size_t *size) {
    source *opened = user;
    const input *item = opened->item;
    if (item->in)
        return archive_beside(item->in, item->member, name, bytes, size);
    if (!strcmp(item->path, "-"))
        return MST_NO_PATH;
    if (!opened->search) {
        char *directory = need(strdup(item->path));
        directory[base_name(directory) - directory] = 0;
        if (mst_search_create(NULL, &opened->search) != MST_OK)
            need(NULL);
        if (opened->unmapped)
            mst_search_unmapped(opened->search);
        bool broken = mst_search_add(opened->search, directory, NULL) != MST_OK &&
                      access(*directory ? directory : ".", R_OK) == 0;
        free(directory);
        if (broken) { /* the directory may be listed, but listing it failed */
            mst_search_free(opened->search);
            opened->search = NULL;
            return MST_IO;
        }
    }
    mst_resolver resolver = mst_search_resolver(opened->search);
    return resolver.find(resolver.user, name, bytes, size);
}

bool source_is_second(source *opened, const input *item, const mst_format_information *format) {
    char other[256];
    const void *bytes;
    size_t size;
    opened->item = item;
    for (unsigned attempt = 0;; attempt++) {
        int which = mst_format_file(format, base_name(item->path), attempt, other, sizeof other);
        if (which != 1)
            return false;
        if (find_other(opened, other, &bytes, &size) == MST_OK)
            return true;
    }
}

bool two_files_on_stdout(const mst_document *document) {
    if (mst_document_file_count(document) == 1)
        return false;
    say(MST_ERROR, "%s consists of two files; use -o FILE", mst_document_format(document)->title);
    return true;
}

mst_status source_open(source *opened, const input *item, const options *given, unsigned flags,
                       mst_diagnostic *why) {
    const char *from = given->value[OPTION_FROM], *called = given->value[OPTION_AS_PATH], *path = item->path;
    mst_status status = source_load(opened, item, given, flags, why);
    if (status != MST_OK)
        return status;
    mst_open_options how = {.format = from, .name = called ? called : input_name(item)};
    how.lenient_json = (flags & SOURCE_LENIENT) != 0;
    lost loss = {path, opened};
    how.salvage = options_has(given, OPTION_SALVAGE);
    how.report = tell_loss;
    how.report_user = &loss;
    how.unmapped = options_has(given, OPTION_NO_MMAP);
    mst_resolver beside = {.find = find_other, .user = opened};
    how.sidecars = &beside;
    opened->item = item;
    opened->unmapped = options_has(given, OPTION_NO_MMAP);
    if (from && !strcmp(from, "json"))
        opened->from_json = true;
    else if (!from && (flags & SOURCE_JSON))
        opened->from_json =
            !strcasecmp(extension_of(path), ".json") ||
            (begins_as_json(opened->prefix, opened->prefix_size) &&
             !mst_identify(opened->prefix, opened->prefix_size, opened->file_size, how.name, NULL));
    if (!opened->bytes && item->in) {
        status = load_member(opened, item->in, item->member, why);
        if (status != MST_OK)
            return status;
    }
    if (!opened->bytes && opened->from_json) {
        char *bytes;
        size_t size;
        status = read_whole(path, &bytes, &size, why);
        if (status != MST_OK)
            return status;
        free(opened->owned);
        opened->owned = bytes;
        set_bytes(opened, bytes, size);
    }
    if (!opened->bytes)
        return mst_open_file(path, &how, &opened->document, why);
    if (!opened->from_json)
        return mst_open_memory(opened->bytes, opened->size, &how, &opened->document, why);
    how.format = NULL;
    how.name = called; /* the name of the JSON is not the level's */
    size_t mark = opened->size >= 3 && !memcmp(opened->bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
    return mst_open_json(opened->bytes + mark, opened->size - mark, &how, &opened->document, why);
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
        if (!item.in) {
            status = why->status;
        } else {
            item.member = archive_find(item.in, path + length + 1);
            if (item.member == SIZE_MAX)
                status = blame(why, MST_IO, "there is no %s in the archive", path + length + 1);
        }
    }
    if (status == MST_OK)
        status = source_open(opened, &item, given, flags, why);
    free(copy);
    return status;
}

void source_close(source *opened) {
    mst_close(opened->document);
    if (opened->in)
        archive_release(opened->in, &opened->member);
    archive_close(opened->own_archive);
    mst_search_free(opened->search);
    free(opened->owned);
    *opened = (source){.reused = opened->reused};
}
