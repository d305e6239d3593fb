/* SPDX-License-Identifier: MIT */
/*
 * Lists of offsets and bytes, the form in which fixes of games circulate: [{"offset": 189246, "old": "ff",
 * "new": "00"}]. They state where and not what, so that they fit one file only. The result has to be a level;
 * new errors are refused unless the list shows, by the bytes that it replaces, that it was made for this
 * file.
 */
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/text.h"
#include "../edit/single_edit.h"
#include "../files/offset_path.h"
#include "drafts.h"
#include <stdio.h>

/* An entry: the bytes to replace, and the new ones. `old` may be NULL. */
typedef struct replacement {
    uint64_t offset;
    const mst_json_node *old, *now;
} replacement;

static mst_status bad_entry(size_t index, const char *message, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_ARGUMENT, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->path, "[%zu]", index);
        MST_SET(diagnostic->expected,
                "{\"offset\": NUMBER, \"old\": \"HEX\", \"new\": \"HEX\"}, without \"old\" if any "
                "bytes are replaced");
    }
    return MST_ARGUMENT;
}

/* Reads an entry, which may also have a note for readers. */
static mst_status read_entry(const mst_json *json, uint32_t at, size_t index, bool reverse, replacement *made,
                             mst_diagnostic *diagnostic) {
    static const char *const remarks[] = {"note", "comment", "description", "name"};
    const mst_json_node *entry = &json->nodes[at];
    bool placed = false;
    *made = (replacement){.offset = 0};
    if (entry->kind != MST_JSON_OBJECT)
        return bad_entry(index, "this is not an entry of a list of offsets", diagnostic);
    for (uint32_t key = at + 1; key < entry->end; key = json->nodes[key + 1].end) {
        const mst_json_node *name = &json->nodes[key], *value = name + 1;
        bool known = false;
        for (size_t i = 0; i < MST_COUNT_OF(remarks); i++)
            known = known || mst_is_word(name, remarks[i]);
        if (mst_is_word(name, "offset"))
            known = placed = (value->kind == MST_JSON_NUMBER || value->kind == MST_JSON_STRING) &&
                             mst_offset_number(value->text, value->length, &made->offset);
        else if (mst_is_word(name, "old") || mst_is_word(name, "new"))
            *((*name->text == 'o') != reverse ? &made->old : &made->now) = value,
                                                             known = value->kind == MST_JSON_STRING &&
                                                                     value->length && value->length % 2 == 0;
        if (!known)
            return bad_entry(index, "unknown member of an entry, or a value that it cannot have", diagnostic);
    }
    if (!placed || !made->now)
        return bad_entry(index,
                         reverse ? "without \"old\" a list cannot be reversed"
                                 : "an entry needs \"offset\" and \"new\"",
                         diagnostic);
    if (made->old && made->old->length != made->now->length)
        return bad_entry(index, "\"old\" and \"new\" have different lengths: bytes keep their places",
                         diagnostic);
    return MST_OK;
}

/* Reports that the file has other bytes, and the field that they belong to. */
static mst_status refuse(const mst_document *document, const replacement *entry, const uint8_t *there,
                         size_t count, mst_diagnostic *diagnostic) {
    char offset[32], path[1024] = "", hex[65];
    snprintf(offset, sizeof offset, "0x%llx", (unsigned long long)entry->offset);
    mst_offset_path(document, offset, path, sizeof path, NULL);
    for (size_t i = 0; i < count && i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", there[i]);
    mst_fail(diagnostic, MST_REFUSED, "the bytes there are not those that the list replaces%s%s",
             *path ? ": they are " : "", path);
    if (diagnostic) {
        MST_SET(diagnostic->path, "@%s", offset);
        MST_SET(diagnostic->expected, "%.*s", (int)(entry->old->length < 64 ? entry->old->length : 64),
                entry->old->text);
        MST_SET(diagnostic->found, "%.64s", hex);
    }
    return MST_REFUSED;
}

/* Reports an entry that does not fit; false: the list is refused. */
static bool leaves_out(const mst_patch_options *how, const mst_diagnostic *why, mst_status *status) {
    const mst_conflict conflict = {.size = sizeof conflict,
                                   .kind = MST_CONFLICT_VALUE,
                                   .path = why->path,
                                   .label = "",
                                   .ours = why->found};
    *status = how->rejected ? how->rejected(how->user, &conflict) : MST_OK;
    return how->partial && *status == MST_OK;
}

static mst_status replace(const mst_document *document, const replacement *entry, uint8_t *bytes, size_t size,
                          mst_arena *arena, mst_diagnostic *diagnostic) {
    size_t count = entry->now->length / 2;
    uint8_t *old = mst_arena_take(arena, count, 1), *now = mst_arena_take(arena, count, 1);
    if (!old || !now)
        return MST_NO_MEMORY;
    if (!mst_read_hex(entry->now->text, entry->now->length, now) ||
        (entry->old && !mst_read_hex(entry->old->text, entry->old->length, old)))
        return mst_fail(diagnostic, MST_ARGUMENT, "bytes are not hexadecimal digits");
    if (count > size || entry->offset > size - count) {
        mst_fail(diagnostic, MST_REFUSED, "the file ends before that offset");
        if (diagnostic) {
            MST_SET(diagnostic->path, "@0x%llx", (unsigned long long)entry->offset);
            MST_SET(diagnostic->expected, "less than 0x%zx", size);
            MST_SET(diagnostic->found, "0x%llx", (unsigned long long)entry->offset);
        }
        return MST_REFUSED;
    }
    if (entry->old && memcmp(bytes + entry->offset, old, count) != 0)
        return refuse(document, entry, bytes + entry->offset, count, diagnostic);
    memcpy(bytes + entry->offset, now, count);
    return MST_OK;
}

bool mst_offsets_are_listed(const char *text, size_t size) {
    size_t at = 0;
    while (at < size && memchr(" \t\r\n", text[at], 4))
        at++;
    return at < size && text[at] == '[';
}

mst_status mst_offsets_apply(const mst_document *document, const char *text, size_t size,
                             const mst_patch_options *how, mst_arena *arena, mst_document **result,
                             mst_diagnostic *diagnostic) {
    mst_json json;
    mst_diagnostic why = {0};
    size_t old_size, index = 0;
    bool fits = true; /* every entry states what it replaces: the list was made for this file */
    const void *old = mst_document_file(document, 0, NULL, &old_size);
    if (mst_document_file_count(document) > 1)
        return mst_fail(diagnostic, MST_REFUSED, "offsets count in one file, and this document is two");
    mst_status status = mst_json_parse(text, size, arena, &json, diagnostic);
    if (status != MST_OK)
        return status == MST_DAMAGED ? MST_ARGUMENT : status;
    uint8_t *bytes = mst_arena_take(arena, old_size + 1, 1);
    if (!bytes || !old)
        return MST_NO_MEMORY;
    memcpy(bytes, old, old_size);
    for (uint32_t at = 1; at < json.nodes->end && status == MST_OK; at = json.nodes[at].end, index++) {
        replacement entry;
        status = read_entry(&json, at, index, how->reverse, &entry, &why);
        fits = fits && entry.old;
        if (status == MST_OK)
            status = replace(document, &entry, bytes, old_size, arena, &why);
        if (status == MST_REFUSED && !leaves_out(how, &why, &status) && status == MST_OK)
            status = MST_REFUSED;
    }
    if (status != MST_OK) {
        if (diagnostic && status != MST_NO_MEMORY)
            *diagnostic = why;
        return status;
    }
    const mst_open_options open = {.size = sizeof open,
                                   .format = document->format->information.id,
                                   .name = mst_document_name(document),
                                   .allocator = arena->allocator};
    mst_edit_options checks = mst_patch_rechecks(how);
    checks.force = checks.force || fits;
    if (mst_open_memory(bytes, old_size, &open, result, &why) != MST_OK) {
        mst_fail(diagnostic, MST_REFUSED, "with these bytes the file cannot be opened: %s", why.message);
        if (diagnostic)
            MST_SET(diagnostic->path, "%s", why.path);
        return MST_REFUSED;
    }
    status = mst_edit_recheck(document, NULL, *result, &checks, diagnostic);
    if (status != MST_OK) {
        mst_close(*result);
        *result = NULL;
    }
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static void put_run(mst_output *to, const uint8_t *old, const uint8_t *now, size_t from, size_t to_end,
                    bool first) {
    mst_output_format(to, "%s {\"offset\":%zu,\"old\":\"", first ? "[\n" : ",\n", from);
    mst_output_hex(to, old + from, to_end - from);
    mst_output_text(to, "\",\"new\":\"");
    mst_output_hex(to, now + from, to_end - from);
    mst_output_text(to, "\"}");
}

mst_status mst_offsets_make(const mst_document *old_document, const mst_document *new_document,
                            mst_patch_made *made, mst_sink sink, mst_diagnostic *diagnostic) {
    size_t size, now_size;
    const uint8_t *old = mst_document_file(old_document, 0, NULL, &size),
                  *now = mst_document_file(new_document, 0, NULL, &now_size);
    if (mst_document_file_count(old_document) > 1)
        return mst_fail(diagnostic, MST_REFUSED, "offsets count in one file, and this document is two");
    if (size != now_size) {
        mst_fail(diagnostic, MST_REFUSED, "the files have different sizes: a list of offsets moves nothing");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%zu bytes", size);
            MST_SET(diagnostic->found, "%zu", now_size);
        }
        return MST_REFUSED;
    }
    mst_output to;
    mst_output_begin(&to, sink);
    for (size_t at = 0, end; at < size; at = end) {
        for (end = at; end < size && old[end] != now[end];)
            end++;
        if (end > at)
            put_run(&to, old, now, at, end, made->operations++ == 0);
        end += end == at;
    }
    mst_output_text(&to, made->operations ? "\n]\n" : "[]\n");
    return mst_output_end(&to);
}
