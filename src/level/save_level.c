/* SPDX-License-Identifier: MIT */
/* Saving files that belong together: the files of pairs, and index files, all or none. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../core/write.h"
#include "../read/engine.h"
#include "inside.h"
#include <string.h>

/* A document that is being saved. */
typedef struct output {
    mst_document *document;
    const char *path;
    mst_level_part *part;   /* NULL: an index file that is not a document of the level */
    mst_level_part indexed; /* that file */
    bool in_place;
    size_t first, count; /* its files in `save_state` */
} output;

typedef struct save_state {
    mst_level *level;
    mst_arena arena; /* paths */
    mst_level_save_options options;
    const char *named; /* the path that the caller has named; other files are found next to it */
    mst_array outputs; /* output */
    mst_array files;   /* mst_level_file */
    mst_array writers; /* mst_file_writer *, of the files that are written */
} save_state;

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to save the level");
}

static char *path_beside(save_state *s, const char *path, const char *name) {
    return mst_arena_printf(&s->arena, "%.*s%s", (int)(mst_base_name(path) - path), path, name);
}

static bool same_directory(const char *a, const char *b) {
    size_t length = (size_t)(mst_base_name(a) - a);
    return length == (size_t)(mst_base_name(b) - b) && memcmp(a, b, length) == 0;
}

/* ---- files to save ------------------------------------------------------------------------------ */

static mst_status add_output(save_state *s, mst_document *document, const char *path, mst_level_part *part,
                             bool in_place, mst_diagnostic *diagnostic) {
    output *added = mst_array_push(&s->outputs, 1);
    if (!added)
        return no_memory(diagnostic);
    *added = (output){.document = document, .path = path, .part = part, .in_place = in_place};
    return MST_OK;
}

/* The index file at `path`, among the level's documents or the outputs; NULL if it is not open. */
static mst_document *open_index(const save_state *s, const char *path) {
    const output *outputs = s->outputs.items;
    for (size_t i = 0; i < s->outputs.count; i++)
        if (strcmp(outputs[i].path, path) == 0)
            return outputs[i].document;
    for (size_t i = 0; i < mst_level_count(s->level); i++) {
        const mst_level_part *part = mst_level_part_at(s->level, i);
        const char *name = mst_base_name(path);
        if (!part->is_member && same_directory(part->path, path) &&
            strcmp(mst_document_name(part->document), name) == 0)
            return part->document;
    }
    return NULL;
}

/* Opens the index file at `path` for this call; MST_NO_PATH if it does not exist. */
static mst_status load_index(save_state *s, const char *path, mst_document **document,
                             mst_diagnostic *diagnostic) {
    mst_status status = mst_file_is_regular(path);
    if (status == MST_IO) /* it may exist */
        return mst_fail(diagnostic, MST_IO, "cannot access %s", path);
    if (status != MST_OK)
        return MST_NO_PATH;
    const mst_open_options how = {
        .size = sizeof how, .allocator = s->level->options.allocator, .unmapped = 1};
    mst_level_part index = {.path = path, .name = ""};
    status = mst_open_file(path, &how, &index.document, diagnostic);
    if (status == MST_OK && mst_level_part_remember(s->level, &index, false) != MST_OK)
        status = no_memory(diagnostic);
    if (status == MST_OK)
        status = add_output(s, index.document, path, NULL, true, diagnostic);
    if (status != MST_OK) {
        mst_level_part_free(s->level, &index);
        return status;
    }
    ((output *)s->outputs.items)[s->outputs.count - 1].indexed = index;
    *document = index.document;
    return MST_OK;
}

/* Updates the index file next to `path`, and adds it to the outputs. */
static mst_status update_index(save_state *s, const mst_document *document, const char *path,
                               mst_diagnostic *diagnostic) {
    const char *name = mst_index_file(document);
    if (!name || !mst_is_edited(document) || strcmp(path, "-") == 0)
        return MST_OK;
    const char *beside = path_beside(s, path, name);
    if (!beside)
        return no_memory(diagnostic);
    mst_document *index = open_index(s, beside), *named = NULL;
    mst_status status = index ? MST_OK : load_index(s, beside, &index, diagnostic);
    if (status == MST_NO_PATH)
        return MST_OK;
    /* its entry has the name of the output */
    const mst_convert_options as = {.size = sizeof as, .name = mst_base_name(path)};
    if (status == MST_OK && strcmp(mst_document_name(document), as.name) != 0)
        status = mst_convert(document, &as, NULL, NULL, &named, diagnostic);
    if (status == MST_OK)
        status = mst_update_index(named ? named : document, index, diagnostic);
    mst_close(named);
    if (status != MST_NO_PATH)
        return status;
    mst_level_warn(&s->level->options, beside, "%s has no entry for %s and is not updated", name, as.name);
    return MST_OK;
}

/* ---- writing ------------------------------------------------------------------------------------ */

/* The directory that the caller named, if an output in it was found under another name; NULL if the output's
 * path was named. */
static const char *folder_of(save_state *s, const output *out, mst_status *status) {
    const char *folder = s->level->folder;
    size_t length = 0;
    if (folder && strncmp(out->path, folder, strlen(folder)) == 0)
        return folder;
    if (out->part && !out->part->is_sidecar)
        return NULL;
    for (size_t i = 0; s->named[i] && s->named[i] == out->path[i]; i++)
        if (s->named[i] == '/' || (size_t)(mst_base_name(s->named) - s->named) == i + 1)
            length = i + 1;
    while (strncmp(out->path + length, "../", 3) == 0) /* found in a folder above */
        length += 3;
    folder = mst_arena_text(&s->arena, out->path, length);
    if (!folder)
        *status = MST_NO_MEMORY;
    return folder;
}

/* Writes the previous contents of a file to a file next to it, readable by the same users. */
static mst_status begin_backup(save_state *s, mst_level_file *file, const char *below,
                               mst_diagnostic *diagnostic) {
    const char *path = mst_arena_printf(&s->arena, "%s%s", file->path, s->options.backup);
    mst_file_writer **slot = path ? mst_array_push(&s->writers, 1) : NULL;
    if (!slot)
        return no_memory(diagnostic);
    const mst_file_options how = {.size = sizeof how,
                                  .allocator = &s->level->allocator,
                                  .watch = s->options.watch,
                                  .below = below,
                                  .like = file->path,
                                  .lost = s->options.lost,
                                  .user = s->options.user};
    mst_status status = mst_file_create(path, &how, slot, diagnostic);
    if (status != MST_OK) {
        s->writers.count--;
        return status;
    }
    file->backup = path;
    file->replaces_backup = mst_file_replaces(*slot);
    mst_sink sink = mst_file_sink(*slot);
    sink.write(sink.user, file->before, file->before_size); /* the writer remembers a failure */
    return MST_OK;
}

/* Begins to write one file of an output, unless it is a file of a pair that has not changed. */
static mst_status begin_file(save_state *s, const output *out, size_t index, const char *below,
                             mst_file_writer *writer, mst_diagnostic *diagnostic) {
    const mst_level_part *part = out->part ? out->part : &out->indexed;
    mst_level_file file = {.path = out->path, .document_files = mst_document_file_count(out->document)};
    const char *name;
    file.after = mst_document_file(out->document, index, &name, &file.after_size);
    if (file.document_files > 1 && strcmp(out->path, "-") != 0)
        file.path = path_beside(s, out->path, name);
    bool known = part->before_count > index;
    if (known) {
        file.before = part->before[index].data ? (const void *)part->before[index].data : "";
        file.before_size = part->before[index].size;
    }
    file.other_names = mst_file_other_names(writer);
    bool same = known && out->in_place && part->before_count > 1 && file.before_size == file.after_size &&
                memcmp(file.before, file.after, file.after_size) == 0;
    mst_level_file *added = file.path ? mst_array_push(&s->files, 1) : NULL;
    mst_file_writer **slot = added && !same ? mst_array_push(&s->writers, 1) : NULL;
    if (!added || (!same && !slot)) {
        mst_file_abandon(writer);
        return no_memory(diagnostic);
    }
    if (same)
        file.other_names = 0;
    *added = file;
    if (same)
        mst_file_abandon(writer); /* fewer renames are safer */
    else
        *slot = writer;
    if (known && out->in_place && !same)
        mst_file_expect(writer, file.before, file.before_size);
    bool keeps = s->options.backup && s->options.backup[0] && known && out->in_place && !same;
    return keeps ? begin_backup(s, added, below, diagnostic) : MST_OK;
}

static mst_status begin_output(save_state *s, const output *out, mst_diagnostic *diagnostic) {
    mst_file_writer *writers[MST_SAVE_FILES];
    size_t count = 0;
    mst_status status = MST_OK;
    const mst_file_options how = {.size = sizeof how,
                                  .watch = s->options.watch,
                                  .below = folder_of(s, out, &status),
                                  .lost = s->options.lost,
                                  .user = s->options.user};
    if (status != MST_OK)
        return no_memory(diagnostic);
    status = mst_save_begin(out->document, out->path, &how, writers, &count, diagnostic);
    for (size_t i = 0; i < count; i++) {
        if (status == MST_OK)
            status = begin_file(s, out, i, how.below, writers[i], diagnostic);
        else
            mst_file_abandon(writers[i]);
    }
    return status;
}

/* Writes all outputs that were edited, or none. */
static mst_status write_all(save_state *s, bool edited_only, mst_diagnostic *diagnostic) {
    const output *outputs = s->outputs.items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < s->outputs.count && status == MST_OK; i++)
        if ((!edited_only && outputs[i].part) || mst_is_edited(outputs[i].document))
            status = begin_output(s, &outputs[i], diagnostic);
    mst_file_writer **writers = s->writers.items;
    if (status == MST_OK)
        return mst_file_finish_all(writers, s->writers.count, diagnostic);
    while (s->writers.count)
        mst_file_abandon(writers[--s->writers.count]);
    return status;
}

static mst_status begin(save_state *s, mst_level *level, const char *named,
                        const mst_level_save_options *options, mst_diagnostic *diagnostic) {
    *s = (save_state){.level = level, .named = named};
    mst_arena_begin(&s->arena, &level->allocator, 0);
    s->outputs = (mst_array){.element_size = sizeof(output), .allocator = level->allocator};
    s->files = (mst_array){.element_size = sizeof(mst_level_file), .allocator = level->allocator};
    s->writers = (mst_array){.element_size = sizeof(mst_file_writer *), .allocator = level->allocator};
    return mst_take_options(&s->options, sizeof s->options, options, diagnostic);
}

static mst_status end(save_state *s, mst_status status) {
    output *outputs = s->outputs.items;
    const mst_level_file *files = s->files.items;
    if (status == MST_OK && s->options.saved)
        for (size_t i = 0; i < s->files.count; i++)
            s->options.saved(s->options.user, &files[i]);
    for (size_t i = 0; i < s->outputs.count; i++) {
        /* if memory for it is lacking, only the check for other programs is lost */
        if (status == MST_OK && outputs[i].part && outputs[i].in_place)
            mst_level_part_remember(s->level, outputs[i].part, false);
        if (outputs[i].indexed.document)
            mst_level_part_free(s->level, &outputs[i].indexed);
    }
    mst_array_free(&s->outputs);
    mst_array_free(&s->files);
    mst_array_free(&s->writers);
    mst_arena_end(&s->arena);
    return status;
}

/* ---- the interface ------------------------------------------------------------------------------ */

static mst_status may_save(const mst_level *level, const mst_level_part *part, mst_diagnostic *diagnostic) {
    if (!level->options.writable)
        return mst_fail(diagnostic, MST_ARGUMENT, "the level was not opened as writable");
    if (part->is_member)
        return mst_fail(diagnostic, MST_REFUSED, "archives cannot be written");
    if (strcmp(part->path, "-") == 0)
        return mst_fail(diagnostic, MST_REFUSED, "standard input cannot be changed in place");
    if (part->is_json && mst_document_file_count(part->document) > 1)
        return mst_fail(diagnostic, MST_REFUSED,
                        "%s is JSON of two files, which cannot replace it; write "
                        "them to other names",
                        part->path);
    return MST_OK;
}

mst_status mst_level_save(mst_level *level, const mst_level_save_options *options,
                          mst_diagnostic *diagnostic) {
    if (!level)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level is needed");
    const mst_level_part *first = mst_level_part_at(level, 0);
    save_state s;
    mst_status status = begin(&s, level, first ? first->path : "", options, diagnostic);
    for (size_t i = 0; i < level->parts.count && status == MST_OK; i++) {
        mst_level_part *part = mst_level_part_at(level, i);
        status = mst_is_edited(part->document) ? may_save(level, part, diagnostic) : MST_OK;
        if (status == MST_OK && !part->is_member)
            status = add_output(&s, part->document, part->path, part, true, diagnostic);
    }
    for (size_t i = 0; i < level->parts.count && status == MST_OK; i++) {
        const mst_level_part *part = mst_level_part_at(level, i);
        if (!part->is_member)
            status = update_index(&s, part->document, part->path, diagnostic);
    }
    if (status == MST_OK)
        status = write_all(&s, true, diagnostic);
    if (status == MST_OK)
        level->together = false;
    return end(&s, status);
}

mst_status mst_level_rename(mst_level *level, size_t index, const char *name, mst_diagnostic *diagnostic) {
    mst_level_part *part = mst_level_part_at(level, index);
    if (!part || !part->document || !name)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level, one of its documents and a name are needed");
    const char *old = mst_document_name(part->document);
    if (!mst_checksum_path(part->document) || !old[0] || strcmp(old, name) == 0)
        return MST_OK;
    mst_document *named;
    const mst_convert_options as = {.size = sizeof as, .name = name};
    mst_status status = mst_convert(part->document, &as, NULL, NULL, &named, diagnostic);
    if (status == MST_OK) {
        mst_close(part->document);
        part->document = named;
        status = mst_level_join_group(level, part);
    }
    return status;
}

mst_status mst_level_save_as(mst_level *level, size_t index, const char *path,
                             const mst_level_save_options *options, mst_diagnostic *diagnostic) {
    mst_level_part *part = mst_level_part_at(level, index);
    if (!part || !part->document || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level, one of its documents and a path are needed");
    if (level->together)
        return mst_fail(diagnostic, MST_REFUSED,
                        "an edit changed several files of the level, which are saved together, in place");
    save_state s;
    mst_status status = begin(&s, level, path, options, diagnostic);
    if (status == MST_OK && strcmp(path, "-") != 0)
        status = mst_level_rename(level, index, mst_base_name(path), diagnostic);
    bool in_place = !part->is_member && strcmp(path, part->path) == 0;
    if (status == MST_OK)
        status = add_output(&s, part->document, path, part, in_place, diagnostic);
    if (status == MST_OK)
        status = update_index(&s, part->document, path, diagnostic);
    if (status == MST_OK)
        status = write_all(&s, false, diagnostic);
    return end(&s, status);
}
