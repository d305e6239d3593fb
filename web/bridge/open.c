/* SPDX-License-Identifier: MIT */
/* Answers; opening, describing and saving files. */
#include "bridge.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions that JavaScript provides --------------------------------------------------------------- */

#define IMPORT(name) __attribute__((import_module("mapstone"), import_name(#name)))
/* A file of a set: its name, cut to `capacity` (returns the full length); its size; its bytes (returns true
 * if all were copied). */
IMPORT(file_name) uint32_t file_name(uint32_t set, uint32_t index, char *to, uint32_t capacity);
IMPORT(file_size) double file_size(uint32_t set, uint32_t index);
IMPORT(file_read) int file_read(uint32_t set, uint32_t index, double offset, void *to, uint32_t count);

struct opened {
    uint32_t set;
    mst_container *files;
    mst_level *level;
    char name[4097]; /* of the last file asked for */
};

static const char *name_of_file(void *user, size_t index, uint64_t *size) {
    opened *of = user;
    uint32_t length = file_name(of->set, (uint32_t)index, of->name, sizeof of->name - 1);
    of->name[length < sizeof of->name ? length : sizeof of->name - 1] = 0;
    *size = (uint64_t)file_size(of->set, (uint32_t)index);
    return of->name;
}

static mst_status read_file(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    const opened *of = user;
    return file_read(of->set, (uint32_t)index, (double)offset, to, (uint32_t)count) ? MST_OK : MST_IO;
}

/* ---- answers --------------------------------------------------------------------------------------------
 */

answer *web_answer(void) {
    answer *made = need(calloc(1, sizeof *made));
    made->text = stream_memory();
    return made;
}
char *web_answer_data(answer *of) {
    return of->text.data;
}
uint32_t web_answer_size(const answer *of) {
    return (uint32_t)of->text.size;
}
void web_answer_clear(answer *of) {
    if (of->text.capacity > (1u << 16))
        stream_free(&of->text);
    of->text.size = 0;
}
void *web_take(uint32_t size) {
    return malloc(size ? size : 1);
}
void web_drop(void *memory) {
    free(memory);
}

mst_status answer_end(answer *to, mst_status status) {
    if (status == MST_OK)
        return status;
    to->why.status = status;
    to->text.size = 0;
    put_json_diagnosis(&to->text, NULL, &to->why);
    return status;
}

mst_status answer_end_with(answer *to, mst_status status, answer *reported) {
    answer_end(to, status);
    put(&to->text, reported->text.data, reported->text.size);
    stream_free(&reported->text);
    return status;
}

void put_number(stream *to, double number) {
    if (isfinite(number))
        print(to, "%.9g", number);
    else
        put_text(to, "null");
}

void put_numbers(stream *to, const char *name, const float *numbers, size_t count) {
    put_json_key(to, name);
    for (size_t i = 0; i < count; i++) {
        put_text(to, i ? "," : "[");
        put_number(to, (double)numbers[i]);
    }
    put_text(to, "]");
}

mst_status put_finding(void *user, const mst_diagnostic *finding) {
    return put_finding_of(user, NULL, finding);
}

mst_status put_finding_of(void *user, const char *file, const mst_diagnostic *finding) {
    answer *to = user;
    put_json_diagnosis(&to->text, file, finding);
    return MST_OK;
}

/* ---- levels ---------------------------------------------------------------------------------------------
 */

/* The rest of a path after the "-!" that begins the names of members. */
static const char *member_name(const char *path) {
    const char *mark = path ? strchr(path, '!') : NULL;
    return mark ? mark + 1 : path;
}

static mst_status put_warning(void *user, const char *file, const mst_diagnostic *warning) {
    return put_finding_of(user, member_name(file), warning);
}

void web_close(opened *of) {
    if (!of)
        return;
    mst_level_close(of->level);
    mst_container_close(of->files);
    free(of);
}

/* The files of a set as a container; a single archive or disc image is opened as an archive. */
static mst_status open_set(opened *of, uint32_t count, mst_diagnostic *why) {
    const mst_container_files files = {sizeof files, count, name_of_file, read_file, of};
    unsigned char first[512];
    double size = count == 1 ? file_size(of->set, 0) : 0;
    uint32_t beginning = size < sizeof first ? (uint32_t)size : (uint32_t)sizeof first;
    bool archive =
        beginning && file_read(of->set, 0, 0, first, beginning) && mst_container_is_archive(first, beginning);
    return archive ? mst_container_open_slices(&files, 0, NULL, &of->files, why)
                   : mst_container_open_files(&files, NULL, &of->files, why);
}

/* The format of a member, from its first bytes; NULL if unknown. */
static const mst_format_information *format_of(mst_container *files, size_t index) {
    unsigned char first[4096];
    size_t size;
    if (mst_container_peek(files, index, first, sizeof first, &size, NULL) != MST_OK)
        return NULL;
    return mst_identify(first, size, mst_container_size(files, index), mst_container_name(files, index),
                        NULL);
}

mst_status web_members(answer *to, uint32_t set, uint32_t count, int identify) {
    opened *of = need(calloc(1, sizeof *of));
    of->set = set;
    mst_status status = open_set(of, count, &to->why);
    for (size_t i = 0; status == MST_OK && i < mst_container_count(of->files); i++) {
        const mst_format_information *format = identify ? format_of(of->files, i) : NULL;
        put_text(&to->text, "{");
        put_json_member(&to->text, "name", mst_container_name(of->files, i));
        print(&to->text, ",\"size\":%llu", (unsigned long long)mst_container_size(of->files, i));
        if (format)
            put_json_member(&to->text, "format", format->id);
        put_text(&to->text, "}\n");
    }
    web_close(of);
    return answer_end(to, status);
}

opened *web_open(answer *to, uint32_t set, uint32_t count, const char *name, const char *format,
                 const char *level, uint32_t flags) {
    opened *of = need(calloc(1, sizeof *of));
    of->set = set;
    mst_status status = open_set(of, count, &to->why);
    const mst_level_options how = {.size = sizeof how,
                                   .format = or_null(format),
                                   .level = or_null(level),
                                   .container = of->files,
                                   .json = (flags & OPEN_JSON) != 0,
                                   .lenient_json = (flags & OPEN_LENIENT) != 0,
                                   .salvage = (flags & OPEN_SALVAGE) != 0,
                                   .report = put_warning,
                                   .report_user = to};
    stream path = stream_memory();
    print(&path, "-%s%s", *name ? "!" : "", name);
    put(&path, "", 1);
    if (status == MST_OK)
        status = mst_level_open(path.data, &how, &of->level, &to->why);
    stream_free(&path);
    if (status == MST_OK)
        return of;
    web_close(of);
    answer_end(to, status);
    return NULL;
}

mst_level *opened_level(const opened *of) {
    return of->level;
}

mst_document *opened_document(const opened *of, uint32_t index, answer *to) {
    mst_document *document = mst_level_document(of->level, index);
    if (!document)
        blame(&to->why, MST_ARGUMENT, "there is no document %u", index);
    return document;
}

/* ---- descriptions ------------------------------------------------------------------------------------- */

static void put_format(stream *to, const mst_format_information *format) {
    put_text(to, "{");
    put_json_member(to, "id", format->id);
    put_json_member(to, "title", format->title);
    put_json_member(to, "extensions", format->extensions);
    put_json_member(to, "versions", format->versions);
    put_json_member(to, "rows", format->rows);
    put_text(to, "}");
}

mst_status web_formats(answer *to) {
    const mst_format_information *format;
    for (size_t i = 0; (format = mst_format_at(i)) != NULL; i++) {
        put_text(&to->text, i ? "," : "[");
        put_format(&to->text, format);
    }
    put_text(&to->text, "]");
    return MST_OK;
}

mst_status web_identify(answer *to, const void *bytes, uint32_t size, double file_bytes, const char *name) {
    const mst_format_information *format =
        mst_identify(bytes, size, (uint64_t)file_bytes, or_null(name), &to->why);
    if (!format)
        return answer_end(to, MST_UNKNOWN);
    put_format(&to->text, format);
    return MST_OK;
}

uint32_t web_count(const opened *of) {
    return (uint32_t)mst_level_count(of->level);
}

mst_status web_document(answer *answer_to, const opened *of, uint32_t index) {
    const mst_document *document = opened_document(of, index, answer_to);
    if (!document)
        return answer_end(answer_to, MST_ARGUMENT);
    stream *to = &answer_to->text;
    size_t size;
    mst_document_bytes(document, &size);
    put_text(to, "{");
    put_json_member(to, "name", member_name(mst_level_path(of->level, index)));
    put_json_key(to, "format");
    put_format(to, mst_document_format(document));
    print(to, ",\"images\":%zu", mst_image_count(document));
    print(to, ",\"version\":%u,\"size\":%zu,\"edited\":%s,\"salvaged\":%s", mst_document_version(document),
          size, mst_is_edited(document) ? "true" : "false",
          mst_level_is_salvaged(of->level, index) ? "true" : "false");
    put_json_key(to, "files");
    for (size_t i = 0; i < mst_document_file_count(document); i++) {
        const char *name = NULL;
        mst_document_file(document, i, &name, &size);
        put_text(to, i ? ",{" : "[{");
        put_json_member(to, "name", name);
        print(to, ",\"size\":%zu}", size);
    }
    put_text(to, "]}");
    return MST_OK;
}

mst_status web_save(answer *to, const opened *of, uint32_t index, uint32_t file) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    size_t size;
    if (file >= mst_document_file_count(document))
        return answer_end(to, blame(&to->why, MST_ARGUMENT, "the document has no file %u", file));
    const void *bytes = mst_document_file(document, file, NULL, &size);
    put(&to->text, bytes, size);
    return MST_OK;
}
