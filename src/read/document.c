/* SPDX-License-Identifier: MIT */
/* Documents: identifying, opening, closing, saving. */
#include "../core/diagnose.h"
#include "../core/output.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "../core/write.h"
#include "engine.h"
#include "opened.h"
#include <stdio.h>

void mst_close(mst_document *document) {
    if (!document)
        return;
    mst_allocator allocator = document->allocator;
    if (document->own)
        allocator.resize(allocator.user, document->own, document->own_capacity, 0);
    mst_parsed_free(document);
    if (document->file.data)
        mst_file_bytes_free(&document->file);
    mst_arena_end(&document->arena);
    allocator.resize(allocator.user, document, sizeof *document, 0);
}

/* The position of the version field; leaves both unchanged if that is not fixed. */
static void find_version(const mst_document *document, uint64_t *offset, uint64_t *length) {
    const mst_record *root = document->format->tables.root;
    const mst_field_plan *plan = mst_plan_of(document, root)->fields;
    for (uint16_t i = 0; i < root->field_count; i++)
        if (strcmp(root->fields[i].name, document->format->identity.version_field) == 0 &&
            plan[i].offset != UINT32_MAX) {
            *offset = plan[i].offset;
            *length = plan[i].size;
        }
}

static mst_status keep_name(mst_document *document, const char *path) {
    const char *name = path && strcmp(path, "-") != 0 ? mst_base_name(path) : "";
    document->name = mst_arena_text(&document->arena, name, strlen(name));
    return document->name ? MST_OK : MST_NO_MEMORY;
}

static mst_status take_variant(mst_document *document, mst_variant variant) {
    document->variant = variant;
    mst_variant_context(variant, document->context);
    return mst_plans_compile(document->format, variant, &document->arena, &document->plans);
}

/* The part of opening that does not depend on where the bytes came from. On failure the caller still owns the
 * document. */
static mst_status establish(mst_document *document, const mst_variant *as, const mst_open_options *options,
                            const char *name, mst_diagnostic *diagnostic) {
    const char *id = options ? options->format : NULL;
    mst_variant variant = {0, false, 0};
    if (!document->data) /* never NULL, even for no bytes */
        document->data = (const uint8_t *)"";
    if (keep_name(document, name) != MST_OK)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a document");
    if (!document->format) {
        size_t prefix = document->size < 4096 ? (size_t)document->size : 4096;
        const mst_format *found = mst_probe(document->data, prefix, document->size, name, &variant);
        if (id) {
            const mst_format *requested = mst_format_named(id, strlen(id));
            if (!requested)
                return mst_fail(diagnostic, MST_ARGUMENT, "there is no format called %s", id);
            if (found != requested) {
                variant = mst_default_variant(requested);
                requested->identity.probe(document->data, prefix, document->size, name, &variant);
            }
            found = requested;
        }
        if (!found) {
            mst_describe_unknown(diagnostic, document->data, prefix);
            return MST_UNKNOWN;
        }
        document->format = found;
        if (found->files.count) {
            mst_status parsed = mst_parse(document, options, name, diagnostic);
            if (parsed != MST_OK)
                return parsed;
        }
    } else if (!document->format->files.count && !as) {
        size_t prefix = document->size < 4096 ? (size_t)document->size : 4096;
        variant = mst_default_variant(document->format);
        document->format->identity.probe(document->data, prefix, document->size, name, &variant);
    }
    mst_status status = MST_OK;
    if (as)
        variant = *as;
    else if (document->format->files.count)
        variant = mst_default_variant(document->format);
    else if (document->format->identity.resolve_variant)
        status = document->format->identity.resolve_variant(document->data, (size_t)document->size, &variant,
                                                            diagnostic);
    if (status != MST_OK)
        return status;
    status = take_variant(document, variant);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "not enough memory for the plans");
    if (document->format->identity.version_known &&
        !document->format->identity.version_known(variant.version)) {
        /* unrecognised bytes have the default version, so that the wrong magic is reported instead */
        uint64_t offset = 0, length = 0;
        find_version(document, &offset, &length);
        mst_problem_at(document, diagnostic, MST_PROBLEM_VERSION, offset, length, "version %u is unknown",
                       variant.version);
        if (diagnostic) {
            MST_SET(diagnostic->path, "%s", document->format->identity.version_field);
            MST_SET(diagnostic->expected, "one of %s", document->format->information.versions);
            MST_SET(diagnostic->found, "%u", variant.version);
        }
        return MST_DAMAGED;
    }
    status = mst_walk_first(document, diagnostic);
    if (status == MST_DAMAGED && diagnostic && mst_place_diagnostic(document, diagnostic) != MST_OK)
        diagnostic->offset = MST_NO_OFFSET;
    mst_diagnostic ignored; /* not reported: the default variant's diagnosis is */
    while (status == MST_DAMAGED && document->format->identity.fallback &&
           document->format->identity.fallback(&variant)) {
        status = take_variant(document, variant);
        if (status == MST_OK)
            status = mst_walk_first(document, &ignored);
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to open the document");
    return status;
}

static mst_document *document_new(const mst_open_options *options, uint64_t size) {
    mst_allocator allocator = mst_allocator_or_default(options ? &options->allocator : NULL);
    mst_document *document = allocator.resize(allocator.user, NULL, 0, sizeof *document);
    if (!document)
        return NULL;
    memset(document, 0, sizeof *document);
    document->allocator = allocator;
    document->size = size;
    size_t budget = options ? options->budget : 0;
    document->budget_given = budget != 0;
    document->growth_limit = mst_default_growth(size);
    mst_arena_begin(&document->arena, &allocator, budget ? budget : mst_default_budget(size));
    return document;
}

/* Opens whatever can be salvaged of a document that failed to open with `status`; closes the damaged one. */
static mst_status salvage(mst_document *damaged, const mst_open_options *options, const char *name,
                          mst_status status, mst_document **document, mst_diagnostic *diagnostic) {
    const mst_format *format = damaged->format;
    mst_buffer repaired = {.allocator = damaged->allocator};
    if (status == MST_DAMAGED && options && options->salvage &&
        MST_OPTION(format->content.special, salvage)) {
        mst_status done = format->content.special->salvage(damaged->data, (size_t)damaged->size,
                                                           damaged->variant, options, &repaired);
        mst_open_options again = *options;
        again.name = name;
        again.salvage = 0;
        if (done == MST_OK) {
            status = mst_document_adopt(format, NULL, &repaired, &again, document, diagnostic);
            if (status == MST_OK && !MST_UNREACHABLE(!*document)) /* adopting succeeded */
                (*document)->edited = true;
        } else if (done != MST_UNSUPPORTED) {
            status = mst_fail(diagnostic, done, "the salvaged data could not be made into a document");
        }
    }
    mst_buffer_free(&repaired);
    mst_close(damaged);
    return status;
}

mst_status mst_open_memory(const void *bytes, size_t size, const mst_open_options *options,
                           mst_document **document, mst_diagnostic *diagnostic) {
    if (document)
        *document = NULL;
    if (!document || (!bytes && size))
        return mst_fail(diagnostic, MST_ARGUMENT, "bytes and a pointer for the document are needed");
    mst_open_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_document *made = document_new(&given, size);
    if (!made)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a document");
    made->data = bytes;
    status = establish(made, NULL, &given, given.name, diagnostic);
    if (status != MST_OK)
        return salvage(made, &given, given.name, status, document, diagnostic);
    *document = made;
    return MST_OK;
}

mst_status mst_open_file(const char *path, const mst_open_options *options, mst_document **document,
                         mst_diagnostic *diagnostic) {
    if (document)
        *document = NULL;
    if (!document || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a pointer for the document are needed");
    mst_open_options given = {.size = 0};
    mst_file_bytes file;
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    mst_allocator allocator = mst_allocator_or_default(&given.allocator);
    if (status == MST_OK)
        status = mst_file_read(path, &allocator, 0, given.unmapped != 0, &file, diagnostic);
    if (status != MST_OK)
        return status;
    mst_document *made = document_new(&given, file.size);
    if (!made) {
        mst_file_bytes_free(&file);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a document");
    }
    made->file = file;
    made->data = file.data;
    made->place = strcmp(path, "-") != 0 ? path : NULL;
    const char *name = given.name ? given.name : path;
    status = establish(made, NULL, &given, name, diagnostic);
    made->place = NULL;
    if (status != MST_OK)
        return salvage(made, &given, name, status, document, diagnostic);
    *document = made;
    return MST_OK;
}

mst_status mst_document_adopt(const mst_format *format, const mst_variant *as, mst_buffer *bytes,
                              const mst_open_options *options, mst_document **document,
                              mst_diagnostic *diagnostic) {
    *document = NULL;
    mst_document *made = document_new(options, bytes->size);
    if (!made)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a document");
    made->format = format;
    made->data = bytes->data;
    mst_status status = establish(made, as, options, options ? options->name : NULL, diagnostic);
    if (status != MST_OK) {
        mst_close(made);
        return status;
    }
    made->own = bytes->data;
    made->own_capacity = bytes->capacity;
    *bytes = (mst_buffer){.allocator = bytes->allocator};
    *document = made;
    return MST_OK;
}

mst_status mst_open_content(const mst_value *value, const mst_open_options *options, mst_document **content,
                            mst_diagnostic *diagnostic) {
    if (content)
        *content = NULL;
    if (!content || mst_is_void(value))
        return mst_fail(diagnostic, MST_ARGUMENT, "a value and a pointer for the document are needed");
    const mst_format *format = value->document->format;
    if (!MST_OPTION(format->content.special, unpack))
        return mst_fail(diagnostic, MST_UNSUPPORTED, "nothing is packed in %s", format->information.title);
    mst_open_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_buffer bytes = {.allocator = mst_allocator_or_default(&given.allocator)};
    mst_variant variant = value->document->variant;
    status = format->content.special->unpack(value, &bytes, &variant, diagnostic);
    if (status == MST_OK)
        status = mst_document_adopt(format, &variant, &bytes, &given, content, diagnostic);
    mst_buffer_free(&bytes);
    return status;
}

mst_status mst_added_column(const mst_value *element, const char *column, const mst_resolver *sidecars,
                            char *text, size_t capacity) {
    if (mst_is_void(element) || !column || !text || !capacity)
        return MST_ARGUMENT;
    *text = 0;
    const mst_format *format = element->document->format;
    if (!MST_OPTION(format->content.special, look_up))
        return MST_NO_PATH;
    return format->content.special->look_up(element, column, sidecars, text, capacity);
}

mst_status mst_guess_content(const mst_value *value, char *words, size_t capacity) {
    if (mst_is_void(value) || !words || !capacity)
        return MST_ARGUMENT;
    *words = 0;
    const mst_format *format = value->document->format;
    bool guessed = mst_value_type(value) == MST_TYPE_BYTES && MST_OPTION(format->content.special, guess) &&
                   format->content.special->guess(value, words, capacity);
    return guessed ? MST_OK : MST_UNSUPPORTED;
}

const mst_format_information *mst_document_format(const mst_document *document) {
    return document ? &document->format->information : NULL;
}

const char *mst_document_name(const mst_document *document) {
    return document ? document->name : "";
}

uint32_t mst_document_version(const mst_document *document) {
    if (!document)
        return 0;
    return document->format->identity.version_field ? document->variant.version : 0;
}

size_t mst_document_memory(const mst_document *document) {
    if (!document)
        return 0;
    const mst_spans *spans = atomic_load(&document->spans);
    return document->arena.used + document->own_capacity + document->files[0].own_capacity +
           document->files[1].own_capacity + sizeof *document + (spans ? spans->used : 0) +
           (document->file.mapped ? 0 : document->file.size);
}

bool mst_is_edited(const mst_document *document) {
    return document && document->edited;
}

mst_status mst_save(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic) {
    if (!document || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a sink are needed");
    size_t size;
    const void *bytes = mst_document_file(document, 0, NULL, &size);
    mst_status status = sink.write(sink.user, bytes, size);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the document could not be written");
}

/* Search for a name in a directory that differs only in case. */
typedef struct namesake {
    char *name;
    size_t length;
} namesake;

static mst_status take_namesake(void *user, const char *name) {
    namesake *wanted = user;
    if (!mst_same_text(name, wanted->name))
        return MST_OK;
    memcpy(wanted->name, name, wanted->length);
    return MST_STOPPED;
}

/* If the path does not exist, changes it to a file there whose name differs only in case. */
static void find_namesake(char *path, size_t directory) {
    char kept = path[directory];
    namesake wanted = {path + directory, strlen(path + directory)};
    if (mst_file_look(path, NULL) != MST_FILE_NONE)
        return;
    char name[256], folder[4096];
    if (wanted.length >= sizeof name || directory + 2 > sizeof folder || !kept)
        return;
    memcpy(name, wanted.name, wanted.length + 1);
    memcpy(folder, directory ? path : ".", directory ? directory : 1);
    folder[directory ? directory : 1] = 0;
    wanted.name = name;
    if (mst_directory_read(folder, take_namesake, &wanted, NULL) == MST_STOPPED)
        memcpy(path + directory, name, wanted.length);
}

/* The extra bytes that such a path takes beyond the path that it is derived from. */
#define PATH_MORE 256
/* The path of file `index` when the document is saved at `path`; NULL: no memory. */
static char *path_of_file(const mst_document *document, const char *path, size_t index) {
    mst_allocator allocator = document->allocator;
    char other[PATH_MORE];
    const char *base = mst_base_name(path), *beside = other;
    size_t directory = (size_t)(base - path), capacity = strlen(path) + sizeof other;
    int which = document->format->files.sidecar(base, 0, other, sizeof other);
    if (which >= 0 && document->files[which].name && strcmp(base, document->files[which].name) == 0 &&
        document->files[1 - which].name && strlen(document->files[1 - which].name) < sizeof other &&
        document->files[1 - which].name[0])
        beside = document->files[1 - which].name; /* both keep their names */
    char *target = allocator.resize(allocator.user, NULL, 0, capacity);
    if (!target)
        return NULL;
    if (which < 0) { /* an unusual name is used for the first file, the second gets a suffix */
        snprintf(target, capacity, "%s%s", path, index ? ".tab" : "");
    } else if ((size_t)which == index) {
        snprintf(target, capacity, "%s", path);
    } else {
        snprintf(target, capacity, "%.*s%s", (int)directory, path, beside);
        find_namesake(target, directory);
    }
    return target;
}

size_t mst_save_path(const mst_document *document, const char *path, size_t index, char *text,
                     size_t capacity) {
    if (capacity)
        text[0] = 0;
    if (!document || !path || index >= mst_document_file_count(document))
        return 0;
    bool single = mst_document_file_count(document) == 1 || strcmp(path, "-") == 0;
    char *target = single ? NULL : path_of_file(document, path, index);
    const char *chosen = target ? target : path;
    size_t length = strlen(chosen);
    if (capacity) {
        size_t kept = length < capacity ? length : capacity - 1;
        memcpy(text, chosen, kept);
        text[kept] = 0;
    }
    if (target)
        document->allocator.resize(document->allocator.user, target, strlen(path) + PATH_MORE, 0);
    return length;
}

/* Writes one file of the document completely, at `path`, or next to the file at `target` unless that is
 * NULL. */
static mst_status begin_file(const mst_document *document, size_t index, const char *path, const char *target,
                             const mst_file_options *options, mst_file_writer **writer,
                             mst_diagnostic *diagnostic) {
    mst_file_options how = *options;
    mst_allocator allocator = document->allocator;
    size_t length = (size_t)(mst_base_name(path) - path), size;
    char *folder = NULL;
    if (target && strcmp(target, path) != 0 && !how.below) {
        folder = allocator.resize(allocator.user, NULL, 0, length + 1);
        if (!folder)
            return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to save the document");
        memcpy(folder, path, length);
        folder[length] = 0;
        how.below = folder;
    }
    const void *bytes = mst_document_file(document, index, NULL, &size);
    mst_status status = mst_file_create(target ? target : path, &how, writer, diagnostic);
    if (status == MST_OK) {
        mst_sink sink = mst_file_sink(*writer);
        sink.write(sink.user, bytes, size); /* the writer remembers a failure */
    }
    if (folder)
        allocator.resize(allocator.user, folder, length + 1, 0);
    return status;
}

mst_status mst_save_begin(const mst_document *document, const char *path, const mst_file_options *options,
                          mst_file_writer **writers, size_t *count, mst_diagnostic *diagnostic) {
    mst_file_options how = {0};
    if (!document || !path || !writers || !count)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a document, a path and pointers for the writers and their count are needed");
    mst_allocator allocator = document->allocator;
    size_t files = strcmp(path, "-") == 0 ? 1 : mst_document_file_count(document);
    mst_status status = mst_take_options(&how, sizeof how, options, diagnostic);
    if (!how.allocator)
        how.allocator = &allocator;
    *count = 0;
    for (size_t i = 0; i < files && status == MST_OK; i++) {
        char *target = files > 1 ? path_of_file(document, path, i) : NULL;
        if (files > 1 && !target)
            status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to save the document");
        else
            status = begin_file(document, i, path, target, &how, &writers[i], diagnostic);
        *count += status == MST_OK;
        if (target)
            allocator.resize(allocator.user, target, strlen(path) + PATH_MORE, 0);
    }
    while (status != MST_OK && *count)
        mst_file_abandon(writers[--*count]);
    return status;
}

mst_status mst_save_file(const mst_document *document, const char *path, mst_diagnostic *diagnostic) {
    mst_file_writer *writers[MST_SAVE_FILES] = {NULL};
    size_t count = 0;
    mst_status status = mst_save_begin(document, path, NULL, writers, &count, diagnostic);
    return status == MST_OK ? mst_file_finish_all(writers, count, diagnostic) : status;
}

mst_status mst_scene_from_document(const mst_document *document, const mst_scene_options *options,
                                   mst_scene **scene, mst_diagnostic *diagnostic) {
    return mst_scene_from_documents(&document, 1, options, scene, diagnostic);
}

static mst_status find_nothing(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user, (void)name;
    *bytes = NULL;
    *size = 0;
    return MST_UNKNOWN;
}

const mst_resolver *mst_resolver_of_each(const mst_resolver *resolver, mst_resolver *with_find) {
    if (!resolver->each)
        return NULL;
    *with_find = *resolver;
    with_find->find = find_nothing;
    return with_find;
}

/* Whether a scene or sprites can be made of the documents: all have one format. */
static mst_status are_alike(const mst_document *const *documents, size_t count, const void *made,
                            mst_diagnostic *diagnostic) {
    if (!made || (!documents && count))
        return mst_fail(diagnostic, MST_ARGUMENT, "documents and a pointer for the scene are needed");
    if (!count)
        return mst_fail(diagnostic, MST_ARGUMENT, "a scene needs at least one document");
    for (size_t i = 0; i < count; i++)
        if (!documents[i])
            return mst_fail(diagnostic, MST_ARGUMENT, "document %zu is missing", i);
    for (size_t i = 1; i < count; i++)
        if (documents[i]->format != documents[0]->format)
            return mst_fail(diagnostic, MST_ARGUMENT, "documents of different formats cannot make one scene");
    return MST_OK;
}

mst_status mst_scene_from_documents(const mst_document *const *documents, size_t count,
                                    const mst_scene_options *options, mst_scene **scene,
                                    mst_diagnostic *diagnostic) {
    if (scene)
        *scene = NULL;
    mst_status status = are_alike(documents, count, scene, diagnostic);
    if (status != MST_OK)
        return status;
    mst_scene_options given = {.size = 0};
    mst_resolver resolver;
    status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (given.sidecars && !given.sidecars->find)
        given.sidecars = mst_resolver_of_each(given.sidecars, &resolver);
    const mst_format *format = documents[0]->format;
    if (MST_OPTION(format->parts, build))
        return format->parts->build(documents, count, &given, scene, diagnostic);
    if (!format->build_scene || count > 1)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s %s", format->information.title,
                        format->build_scene ? "makes a scene alone" : "has no scene");
    return format->build_scene(documents[0], &given, scene, diagnostic);
}

mst_status mst_sprites_from_documents(const mst_document *const *documents, size_t count,
                                      const mst_sprites_options *options, mst_sprites **sprites,
                                      mst_diagnostic *diagnostic) {
    if (sprites)
        *sprites = NULL;
    mst_status status = are_alike(documents, count, sprites, diagnostic);
    if (status != MST_OK)
        return status;
    const mst_format *format = documents[0]->format;
    if (!MST_OPTION(format->parts, sprites))
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has no view of the game", format->information.title);
    mst_sprites_options given = {.size = 0};
    status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    return format->parts->sprites(documents, count, &given, sprites, diagnostic);
}
