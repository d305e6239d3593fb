/* SPDX-License-Identifier: MIT */
#include "pair.h"
#include "../../../core/diagnose.h"
#include "../../../read/engine.h"
#include "../sfa_names.h"
#include <mapstone/search.h>
#include <stdio.h>

#define MARK 0xFFFFFFFFu

static bool same(const mst_buffer *made, const uint8_t *bytes, size_t size) {
    return made->size == size && (!size || memcmp(made->data, bytes, size) == 0);
}

mst_status mst_sfa_pair_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                              mst_diagnostic *diagnostic) {
    const mst_sfa_pair *pair = format->files.parameters;
    size_t start = w->to->size;
    mst_status status = pair->parse(pair, files, w, diagnostic);
    if (status != MST_OK)
        return status;
    mst_buffer made[2] = {{.allocator = w->to->allocator}, {.allocator = w->to->allocator}};
    mst_parsed_reader reader = {w->to->data + start, w->to->size - start, 0, false};
    status = pair->serialize(pair, &reader, made, NULL);
    /* out of memory just means that the original files are kept */
    bool standard = status == MST_OK && same(&made[0], files[0].data, files[0].size) &&
                    same(&made[1], files[1].data, files[1].size);
    mst_buffer_free(&made[0]);
    mst_buffer_free(&made[1]);
    for (int i = 0; i < 2; i++)
        mst_parsed_original(w, files[i].data, standard ? 0 : files[i].size);
    return w->status == MST_OK
               ? MST_OK
               : mst_fail(diagnostic, w->status, "the files need more memory than the limit allows");
}

bool mst_sfa_pair_is_canonical(const mst_format *format, const uint8_t *parsed, uint64_t offset,
                               uint64_t end) {
    const mst_sfa_pair *pair = format->files.parameters;
    return mst_sfa_entry_is_canonical(parsed, offset, end, pair->content); /* not called without entries */
}

mst_status mst_sfa_pair_serialize(const mst_format *format, const uint8_t *parsed, size_t size,
                                  mst_buffer *files, mst_diagnostic *diagnostic) {
    const mst_sfa_pair *pair = format->files.parameters;
    mst_parsed_reader reader = {parsed, size, 0, false};
    mst_status status = pair->serialize(pair, &reader, files, diagnostic);
    bool fits = status != MST_STOPPED;
    if (status != MST_OK && fits)
        return status;
    mst_file_view original[2];
    bool any = false;
    for (int i = 0; i < 2; i++) {
        uint32_t length;
        original[i].data = mst_parsed_read_counted(&reader, &length);
        original[i].size = length;
        any = any || length;
    }
    if (reader.failed)
        return mst_fail(diagnostic, MST_REFUSED, "the document is incomplete");
    if (!any && !fits)
        return MST_REFUSED; /* with serialize's diagnostic */
    if (!any)
        return MST_OK;
    /* the original files are kept if they still parse to the same values */
    mst_buffer again = {.allocator = files[0].allocator};
    mst_buffer made[2] = {{.allocator = files[0].allocator}, {.allocator = files[0].allocator}};
    uint64_t limit = 16 * ((uint64_t)original[0].size + original[1].size) + 2 * (uint64_t)size + (1u << 20);
    mst_parsed_writer parsed_again = {.to = &again, .limit = limit};
    status = pair->parse(pair, original, &parsed_again, NULL);
    if (status == MST_OK) {
        mst_parsed_reader all = {again.data, again.size, 0, false};
        status = pair->serialize(pair, &all, made, NULL);
    }
    bool kept = (status == MST_OK || (status == MST_STOPPED && !fits)) &&
                same(&made[0], files[0].data, files[0].size) && same(&made[1], files[1].data, files[1].size);
    for (int i = 0; i < 2; i++) {
        mst_buffer_free(&made[i]);
        if (!kept)
            continue;
        files[i].size = 0;
        mst_parsed_writer w = {.to = &files[i], .limit = UINT64_MAX};
        mst_parsed_bytes(&w, original[i].data, original[i].size);
        if (w.status != MST_OK)
            status = w.status;
    }
    mst_buffer_free(&again);
    if (status == MST_NO_MEMORY)
        return mst_fail(diagnostic, status, "out of memory while writing the files");
    return fits || kept ? MST_OK : MST_REFUSED;
}

/* ---- names -------------------------------------------------------------------------------------- */

int mst_sfa_sidecar(const char *name, unsigned attempt, char *other, size_t capacity) {
    size_t length = strlen(name), stem = length;
    int which = 0;
    const char *ending = NULL;
    if (length > 4 && mst_sfa_name_ends(name, ".tab")) {
        static const char *const endings[] = {".zlb.bin", ".bin"};
        which = 1;
        stem -= 4;
        /* only banks of blocks, mod<N>, end in .zlb.bin */
        bool numbered = name[stem - 1] >= '0' && name[stem - 1] <= '9' && (name[0] == 'm' || name[0] == 'M');
        if (attempt < 2)
            ending = endings[numbered ? attempt : 1 - attempt];
    } else if (length > 8 && mst_sfa_name_ends(name, ".zlb.bin")) {
        stem -= 8;
        ending = attempt == 0 ? ".tab" : NULL;
    } else if (length > 4 && mst_sfa_name_ends(name, ".bin")) {
        stem -= 4;
        ending = attempt == 0 ? ".tab" : NULL;
    }
    if (!ending)
        return -1;
    bool upper = true; /* MAPS.TAB belongs to MAPS.BIN */
    for (size_t i = stem; i < length; i++)
        upper = upper && !(name[i] >= 'a' && name[i] <= 'z');
    int n = snprintf(other, capacity, "%.*s%s", (int)stem, name, ending);
    if ((size_t)n >= capacity)
        return -1;
    for (size_t i = stem; upper && other[i]; i++)
        if (other[i] >= 'a' && other[i] <= 'z')
            other[i] = (char)(other[i] - 'a' + 'A');
    return which;
}

bool mst_sfa_pair_is_named(const char *name, const char *stem) {
    static const char *const endings[] = {"bin", "tab"};
    char known[32];
    for (size_t i = 0; name && i < MST_COUNT_OF(endings); i++) {
        mst_diagnostic_set(known, sizeof known, "%s.%s", stem, endings[i]);
        if (mst_sfa_is_file(name, known))
            return true;
    }
    return false;
}

/* ---- sidecars ----------------------------------------------------------------------------------- */

const mst_resolver *mst_sfa_resolver_of(const mst_checker *checker) {
    const mst_resolver *resolver = checker->options ? checker->options->sidecars : NULL;
    return resolver && resolver->find ? resolver : NULL;
}

static bool find(const mst_resolver *resolver, const char *name, mst_file_view *file) {
    const void *bytes;
    if (!resolver || !resolver->find || resolver->find(resolver->user, name, &bytes, &file->size) != MST_OK)
        return false;
    file->data = bytes;
    return true;
}

bool mst_sfa_find_beside(const mst_checker *checker, const char *name, mst_file_view *file) {
    return find(mst_sfa_resolver_of(checker), name, file);
}

bool mst_sfa_find_list(const mst_resolver *resolver, const char *list, char name[MST_SFA_LIST_FILE],
                       mst_file_view *file) {
    const char *ending;
    for (size_t i = 0; (ending = mst_sfa_list_ending(i)) != NULL; i++) {
        mst_diagnostic_set(name, MST_SFA_LIST_FILE, "%s%s", list, ending);
        if (find(resolver, name, file))
            return true;
    }
    mst_diagnostic_set(name, MST_SFA_LIST_FILE, "%s%s", list, mst_sfa_list_ending(0));
    return false;
}

mst_status mst_sfa_open_beside(const mst_checker *checker, const char *name, const mst_format *format,
                               mst_document **document) {
    mst_file_view file;
    mst_open_options options = {.size = sizeof options,
                                .name = name,
                                .format = format->information.id,
                                .allocator = checker->document->allocator,
                                .sidecars = mst_sfa_resolver_of(checker)};
    *document = NULL;
    if (!mst_sfa_find_beside(checker, name, &file))
        return MST_NO_PATH;
    mst_status status = mst_open_memory(file.data, file.size, &options, document, NULL);
    if (status == MST_OK && (*document)->format != format) { /* the other file of a pair is missing */
        mst_close(*document);
        *document = NULL;
        status = MST_DAMAGED;
    }
    return status;
}

/* ---- tables ------------------------------------------------------------------------------------- */

mst_status mst_sfa_table_read(const uint8_t *bytes, size_t size, uint32_t *count,
                              mst_diagnostic *diagnostic) {
    for (*count = 0; mst_fits(4 * (uint64_t)*count, 4, size); ++*count)
        if (mst_load32(bytes + 4 * (size_t)*count, true) == MARK)
            return MST_OK;
    mst_fail(diagnostic, MST_DAMAGED, "the table has no end mark");
    if (diagnostic) {
        MST_SET(diagnostic->code, "SFA-TAB");
        diagnostic->offset = size;
        MST_SET(diagnostic->expected, "0xffffffff");
    }
    return MST_DAMAGED;
}

mst_status mst_sfa_table_parse(mst_parsed_writer *w, const mst_file_view *table, uint32_t *count,
                               mst_diagnostic *diagnostic) {
    mst_status status = mst_sfa_table_read(table->data, table->size, count, diagnostic);
    if (status != MST_OK)
        mst_parsed_blame(w, table->data, false, diagnostic);
    return status;
}

uint32_t mst_sfa_table_word(const mst_file_view *table, uint32_t index) {
    return mst_load32(table->data + 4 * (size_t)index, true);
}

void mst_sfa_table_notes(mst_parsed_writer *w, const mst_file_view *table, uint32_t words) {
    size_t end = 4 * (size_t)words, padding = 0;
    while (end + 4 + padding < table->size && (end + 4 + padding) % 32 && !table->data[end + 4 + padding])
        padding++;
    mst_parsed_note(w, "end_mark", MST_BYTES_DERIVED, table->data + end, 4);
    mst_parsed_note(w, "padding", MST_BYTES_PADDING, table->data + end + 4, padding);
}

void mst_sfa_table_end(mst_parsed_writer *table, mst_parsed_reader *parsed) {
    uint32_t size = 0;
    const uint8_t *tail = parsed ? mst_parsed_read_counted(parsed, &size) : NULL;
    mst_parsed_number(table, MARK, 4);
    mst_parsed_bytes(table, tail, size);
    mst_parsed_zeros(table, size ? 0 : (size_t)mst_sfa_padding(table->to->size));
}

/* ---- padding ------------------------------------------------------------------------------------ */

bool mst_sfa_is_zero(const uint8_t *bytes, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

bool mst_sfa_parse_padding(mst_parsed_writer *w, const uint8_t *bytes, uint64_t end, uint64_t size) {
    uint64_t tail = size - end;
    bool standard = tail == mst_sfa_padding(end) && mst_sfa_is_zero(bytes + end, tail);
    mst_parsed_counted(w, bytes + end, standard ? 0 : (size_t)tail);
    return standard;
}
