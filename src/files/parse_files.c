/* SPDX-License-Identifier: MIT */
/* Parsed files: finding both files of a pair, parsing and serializing them. */
#include "../core/diagnose.h"
#include "../core/output.h"
#include "../core/search.h"
#include "../core/text.h"
#include "../read/engine.h"
#include "parsed.h"
#include <mapstone/search.h>
#include <stdio.h>
#include <stdlib.h>

static void free_file(const mst_allocator *allocator, mst_parsed_file *file) {
    if (file->own)
        allocator->resize(allocator->user, file->own, file->own_capacity, 0);
    *file = (mst_parsed_file){0};
}

static void forget_spans(mst_document *document) {
    mst_spans_free(atomic_exchange(&document->spans, NULL));
}

void mst_parsed_free(mst_document *document) {
    forget_spans(document);
    for (size_t i = 0; i < MST_FILES_MAX; i++)
        free_file(&document->allocator, &document->files[i]);
}

bool mst_left_out(const mst_document *document, const mst_field *field, uint64_t offset, uint64_t end) {
    return (field->flags & MST_FIELD_ORIGINAL) &&
           document->format->files.is_canonical(document->format, document->data, offset, end);
}

/* ---- the files of a document -----------------------------------------------------------------------*/

size_t mst_document_file_count(const mst_document *document) {
    if (!document)
        return 0;
    return document->format->files.count ? document->format->files.count : 1;
}

const void *mst_document_bytes(const mst_document *document, size_t *size) {
    if (size)
        *size = document ? (size_t)document->size : 0;
    return document ? document->data : NULL;
}

const void *mst_document_file(const mst_document *document, size_t index, const char **name, size_t *size) {
    if (name)
        *name = "";
    if (!document)
        return mst_document_bytes(NULL, size);
    const mst_parsed_file *file = &document->files[index < MST_FILES_MAX ? index : 0];
    bool parsed = document->format->files.count != 0;
    if (name)
        *name = !parsed ? document->name : file->name ? file->name : "";
    if (!parsed)
        return mst_document_bytes(document, size);
    if (size)
        *size = file->size;
    return file->data;
}

/* ---- the second file --------------------------------------------------------------------------- */

int mst_format_file(const mst_format_information *information, const char *name, unsigned attempt,
                    char *other, size_t capacity) {
    if (!name || !other)
        return -1;
    const mst_format *format = mst_format_of(information);
    if (!format || format->files.count < 2)
        return -1;
    return format->files.sidecar(mst_base_name(name), attempt, other, capacity);
}

/* A resolver for the directory of the opened file; the caller frees `search`. */
static mst_status look_beside(const mst_document *document, const char *path, mst_search **search,
                              mst_resolver *resolver) {
    char directory[4096];
    size_t length = (size_t)(mst_base_name(path) - path);
    if (length >= sizeof directory)
        return MST_NO_PATH;
    memcpy(directory, path, length);
    directory[length] = 0;
    mst_status status = mst_search_create(&document->allocator, search);
    if (status == MST_OK)
        status = mst_search_add(*search, directory, NULL);
    if (status == MST_OK)
        *resolver = mst_search_resolver(*search);
    return status;
}

static mst_status copy_file(mst_document *document, mst_parsed_file *file, const void *bytes, size_t size) {
    file->own = document->allocator.resize(document->allocator.user, NULL, 0, size ? size : 1);
    if (!file->own)
        return MST_NO_MEMORY;
    if (size)
        memcpy(file->own, bytes, size);
    file->own_capacity = size ? size : 1;
    file->data = file->own;
    file->size = size;
    return MST_OK;
}

/* Reads the other file of a pair into file 1 - `which`. MST_NO_PATH: there is none; `missing` receives the
 * expected name. */
static mst_status find_other(mst_document *document, const mst_open_options *options, const char *name,
                             int *which, char *missing, size_t capacity) {
    mst_search *search = NULL;
    mst_resolver resolver;
    const mst_resolver *sidecars = options ? options->sidecars : NULL;
    mst_status status = MST_OK;
    if (!sidecars || !sidecars->find) {
        status = document->place ? look_beside(document, document->place, &search, &resolver) : MST_NO_PATH;
        sidecars = &resolver;
    }
    char other[256];
    missing[0] = 0;
    bool found = false;
    for (unsigned attempt = 0; !found; attempt++) {
        int is = document->format->files.sidecar(mst_base_name(name), attempt, other, sizeof other);
        if (is < 0)
            break;
        *which = is;
        if (!missing[0])
            mst_diagnostic_set(missing, capacity, "%s", other);
        const void *bytes;
        size_t size = 0;
        mst_status looked =
            status == MST_OK ? sidecars->find(sidecars->user, other, &bytes, &size) : MST_NO_PATH;
        if (looked == MST_NO_PATH)
            continue;
        if (looked != MST_OK) {
            status = looked;
            break;
        }
        mst_parsed_file *file = &document->files[1 - is];
        const char *called =
            search ? mst_base_name(mst_search_found(search)) : other; /* in the directory's spelling */
        status = copy_file(document, file, bytes, size);
        file->name = mst_arena_text(&document->arena, called, strlen(called));
        if (!file->name)
            status = MST_NO_MEMORY;
        found = true;
    }
    mst_search_free(search);
    return status == MST_OK && !found ? MST_NO_PATH : status;
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* The document's allocator within its budget, for the parsed bytes and temporary memory. */
typedef struct bounded {
    mst_allocator inner;
    size_t left;
} bounded;

static void *bounded_resize(void *user, void *old, size_t old_size, size_t new_size) {
    bounded *b = user;
    if (new_size > old_size && new_size - old_size > b->left)
        return NULL;
    void *made = b->inner.resize(b->inner.user, old, old_size, new_size);
    if (made || !new_size)
        b->left = b->left + old_size - new_size;
    return made;
}

void mst_parsed_blame(const mst_parsed_writer *w, const uint8_t *bytes, bool packed,
                      mst_diagnostic *diagnostic) {
    if (!diagnostic || !w->files)
        return;
    for (size_t i = 0; i < MST_FILES_MAX; i++) {
        uintptr_t begin = (uintptr_t)w->files[i].data, at = (uintptr_t)bytes;
        if (!begin || at < begin || at - begin > w->files[i].size)
            continue;
        if (packed && diagnostic->offset != MST_NO_OFFSET) {
            diagnostic->packed = 1;
            diagnostic->inner = diagnostic->offset;
            diagnostic->offset = 0;
        }
        if (diagnostic->offset == MST_NO_OFFSET)
            diagnostic->offset = 0;
        diagnostic->offset += at - begin;
        diagnostic->file[0] = (char)('0' + i); /* parse_files fills in its name */
        diagnostic->file[1] = 0;
        return;
    }
}

/* Gives the file of a diagnostic its name, if there are several. */
static void name_file(const mst_document *document, mst_diagnostic *diagnostic) {
    if (!diagnostic || !diagnostic->file[0])
        return;
    size_t which = diagnostic->file[0] == '1';
    diagnostic->file[0] = 0;
    if (document->format->files.count > 1)
        MST_SET(diagnostic->file, "%s", document->files[which].name ? document->files[which].name : "");
}

/* The rest of the budget after `more` further bytes. */
static size_t budget_left(const mst_document *document, size_t more) {
    size_t left = document->arena.budget, taken = document->arena.used + sizeof *document + more;
    for (size_t i = 0; i < MST_FILES_MAX; i++)
        taken += document->files[i].own_capacity;
    return taken < left ? left - taken : 0;
}

/* A parser is never given NULL, even for no bytes. */
static mst_file_view view_of(const mst_document *document, size_t which) {
    const mst_parsed_file *file = &document->files[which];
    return (mst_file_view){file->data ? file->data : (const uint8_t *)"", file->size};
}

mst_status mst_parse_again(const mst_document *document, mst_spans *spans) {
    mst_file_view views[MST_FILES_MAX];
    size_t left = budget_left(document, document->own_capacity), same = 0;
    bounded bound = {document->allocator, left - left / 2};
    spans->left = left / 2;
    if (!document->budget_given) { /* the budget for opening is enough again */
        bound.left = (size_t)document->parsed_limit;
        spans->left = document->arena.budget;
    }
    for (size_t i = 0; i < MST_FILES_MAX; i++) {
        views[i] = view_of(document, i);
        mst_spans_file(spans, i, views[i].data, views[i].size);
    }
    mst_buffer bytes = {.allocator = {bounded_resize, &bound}};
    mst_parsed_writer w = {.to = &bytes, .limit = document->parsed_limit, .files = views, .spans = spans};
    mst_status status = document->format->files.parse(document->format, views, &w, NULL);
    while (status == MST_OK && same < bytes.size && same < document->size &&
           bytes.data[same] == document->data[same])
        same++;
    mst_buffer_free(&bytes);
    for (size_t i = 0; i < spans->origin_count; i++)
        spans->origins[i].data = i < MST_FILES_MAX ? NULL : spans->origins[i].content.data;
    if (status == MST_OK)
        status = spans->status;
    if (status == MST_OK && same < document->size) {
        mst_spans_cut(spans, same, spans->note_count);
        mst_spans_add(spans, same, NULL, 1, 1, false);
    }
    return status == MST_OK || status == MST_NO_MEMORY ? status : MST_UNKNOWN;
}

static mst_status parse_files(mst_document *document, mst_diagnostic *diagnostic) {
    mst_file_view views[MST_FILES_MAX];
    uint64_t size = 0;
    for (size_t i = 0; i < MST_FILES_MAX; i++) {
        views[i] = view_of(document, i);
        size += views[i].size;
    }
    size_t standard = mst_default_budget(size);
    /* the budget was computed for the opened file alone */
    if (!document->budget_given && document->arena.budget < standard)
        document->arena.budget = standard;
    size_t left = budget_left(document, 0);
    left -= left / 8 < 1u << 16 ? left / 8 : 1u << 16; /* reserved for plans */
    document->parsed_limit = left;
    bounded bound = {document->allocator, left};
    mst_buffer bytes = {.allocator = {bounded_resize, &bound}};
    mst_parsed_writer w = {.to = &bytes, .limit = left, .files = views};
    forget_spans(document);
    mst_status status = document->format->files.parse(document->format, views, &w, diagnostic);
    if (status != MST_OK) {
        mst_buffer_free(&bytes);
        name_file(document, diagnostic);
        return status == MST_NO_MEMORY
                   ? mst_fail(diagnostic, status, "there is not enough memory to read the files")
                   : status;
    }
    if (document->own)
        document->allocator.resize(document->allocator.user, document->own, document->own_capacity, 0);
    document->own = bytes.data;
    document->own_capacity = bytes.capacity;
    document->data = bytes.data ? bytes.data : (const uint8_t *)"";
    document->size = bytes.size;
    return MST_OK;
}

mst_status mst_parse(mst_document *document, const mst_open_options *options, const char *name,
                     mst_diagnostic *diagnostic) {
    if (!name)
        name = "";
    mst_parsed_file opened = {.data = document->data, .size = (size_t)document->size, .name = document->name};
    int which = 0;
    if (document->format->files.count > 1) {
        char missing[256];
        mst_status status = find_other(document, options, name, &which, missing, sizeof missing);
        if (status == MST_NO_PATH) {
            document->format = document->format->files.alone[which];
            return MST_OK;
        }
        if (status != MST_OK)
            return mst_fail(diagnostic, status, "the second file cannot be read: %s", missing);
    }
    document->files[which] = opened;
    document->name = document->files[0].name;
    return parse_files(document, diagnostic);
}

/* ---- serializing ------------------------------------------------------------------------------- */

mst_status mst_keep_file_names(mst_document *document, const mst_document *from) {
    for (size_t i = 0; i < MST_FILES_MAX; i++) {
        const char *name = from->files[i].name;
        document->files[i].name = name ? mst_arena_text(&document->arena, name, strlen(name)) : NULL;
        if (name && !document->files[i].name)
            return MST_NO_MEMORY;
    }
    return MST_OK;
}

/* Names files without a name after the document, whose name may be that of either. */
static mst_status name_files(mst_document *document) {
    char other[256] = "";
    int which = 0;
    if (document->format->files.count > 1 && document->name[0]) {
        which = document->format->files.sidecar(document->name, 0, other, sizeof other);
        if (which < 0)
            which = 0, other[0] = 0;
    }
    for (int i = 0; i < MST_FILES_MAX; i++) {
        mst_parsed_file *file = &document->files[i];
        if (!file->name)
            file->name = i == which ? document->name : mst_arena_text(&document->arena, other, strlen(other));
        if (!file->name)
            return MST_NO_MEMORY;
    }
    document->name = document->files[0].name;
    return MST_OK;
}

mst_status mst_serialize(mst_document *document, mst_diagnostic *diagnostic) {
    const mst_format *format = document->format;
    if (!format->files.count)
        return MST_OK;
    mst_buffer made[MST_FILES_MAX] = {{.allocator = document->allocator}, {.allocator = document->allocator}};
    mst_status status = name_files(document);
    if (status == MST_OK)
        status = format->files.serialize(format, document->data, (size_t)document->size, made, diagnostic);
    else
        mst_fail(diagnostic, status, "not enough memory for the names of the files");
    if (status != MST_OK) {
        for (size_t i = 0; i < MST_FILES_MAX; i++)
            mst_buffer_free(&made[i]);
        return status == MST_NO_MEMORY ? mst_fail(diagnostic, status, "not enough memory to write the files")
                                       : status;
    }
    for (size_t i = 0; i < MST_FILES_MAX; i++) {
        const char *name = document->files[i].name;
        free_file(&document->allocator, &document->files[i]);
        document->files[i] = (mst_parsed_file){.data = made[i].data ? made[i].data : (const uint8_t *)"",
                                               .size = made[i].size,
                                               .own = made[i].data,
                                               .own_capacity = made[i].capacity,
                                               .name = name};
    }
    /* from now on, the document equals the content of its files */
    mst_diagnostic why;
    status = parse_files(document, &why);
    if (status == MST_OK)
        status = mst_walk_first(document, &why);
    if (status == MST_DAMAGED) {
        mst_fail(diagnostic, MST_REFUSED, "the files could not be read back");
        if (diagnostic) {
            MST_SET(diagnostic->code, "%s", why.code);
            MST_SET(diagnostic->path, "%s", why.path);
            MST_SET(diagnostic->found, "%s", why.message);
        }
        return MST_REFUSED;
    }
    return status == MST_OK ? MST_OK
                            : mst_fail(diagnostic, status, "not enough memory to read the files again");
}
