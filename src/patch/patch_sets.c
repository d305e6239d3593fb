/* SPDX-License-Identifier: MIT */
/* The patch that makes one directory or archive from another: a patch for each file that has changed. */
#include "patch_sets.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../core/output.h"
#include "../core/text.h"
#include "../system/file_names.h"

#define DATA_MAX 1024 /* bytes of files that are not levels, unless requested */

enum { OLD = 0, NEW, SIDES };

/* ---- sections ---------------------------------------------------------------------------------------- */

typedef struct make_state {
    mst_container *sides[SIDES];
    mst_patch_options options;
    mst_arena arena;
    mst_buffer text; /* all sections */
    size_t sections;
    uint64_t data;  /* raw bytes of files */
    bool *is_taken; /* new files that are renamed old ones */
    mst_diagnostic *diagnostic;
} make_state;

static mst_status no_memory(const make_state *m) {
    return mst_fail(m->diagnostic, MST_NO_MEMORY, "not enough memory for the patch");
}

static mst_status quote(make_state *m, const char *name, const char **quoted) {
    *quoted = "";
    if (!mst_utf8_valid(name, strlen(name)))
        return mst_fail(m->diagnostic, MST_REFUSED, "the name of a file is not UTF-8");
    const char *made = mst_json_quoted(&m->arena, name, strlen(name));
    if (!made)
        return no_memory(m);
    *quoted = made;
    return MST_OK;
}

static mst_status begin_head(make_state *m, mst_output *out, const char *name) {
    const char *quoted;
    mst_status status = quote(m, name, &quoted);
    if (status != MST_OK)
        return status;
    mst_output_begin(out, mst_buffer_sink(&m->text));
    mst_output_text(out, "{\"mspatch\":1,\"file\":");
    mst_output_text(out, quoted);
    m->sections++;
    return MST_OK;
}

static void put_side(mst_output *out, const char *name, const mst_container_bytes *bytes) {
    char hash[65];
    if (!bytes)
        return;
    mst_sha256_text(bytes->data, bytes->size, hash);
    mst_output_format(out, ",\"%s\":{\"version\":0,\"sha256\":\"%s\"}", name, hash);
}

/* A file's old and new bytes; NULL: no such file. */
static mst_status write_bytes(make_state *m, const char *name, const mst_container_bytes *old,
                              const mst_container_bytes *now) {
    const uint8_t *was = old ? old->data : NULL, *is = now ? now->data : NULL;
    size_t n = old ? old->size : 0, k = now ? now->size : 0, first = 0;
    mst_output out;
    while (first < n && first < k && was[first] == is[first])
        first++;
    while (n > first && k > first && was[n - 1] == is[k - 1])
        n--, k--;
    size_t data = k > first ? k - first : 0;
    m->data += data > n - first ? data : n - first;
    if (m->data > DATA_MAX && !m->options.with_data) {
        mst_fail(m->diagnostic, MST_REFUSED,
                 "the patch would contain %llu bytes of raw data, which has to be allowed explicitly",
                 (unsigned long long)m->data);
        return mst_patched_fail(name, MST_REFUSED, m->diagnostic);
    }
    mst_status status = begin_head(m, &out, name);
    if (status != MST_OK)
        return status;
    put_side(&out, "old", old);
    put_side(&out, "new", now);
    mst_output_format(&out, "}\n{\"op\":\"raw\",\"offset\":%zu,\"old\":\"", first);
    if (n > first)
        mst_output_hex(&out, was + first, n - first);
    mst_output_text(&out, "\",\"new\":\"");
    if (data)
        mst_output_hex(&out, is + first, data);
    mst_output_text(&out, "\"}\n{\"end\":{\"operations\":1}}\n");
    return mst_output_end(&out) == MST_OK ? MST_OK : no_memory(m);
}

/* The patch of a level, whose head also names the file. */
static mst_status write_level(make_state *m, const char *name, const mst_document *old,
                              const mst_document *now) {
    static const char head[] = "{\"mspatch\":1";
    mst_buffer text = {.allocator = m->arena.allocator};
    mst_output out;
    mst_patch_made made = {.operations = 0}, *all = m->options.made;
    mst_patch_options how = m->options;
    how.made = &made;
    mst_status status = mst_patch_of_documents(old, now, &how, mst_buffer_sink(&text), m->diagnostic);
    if (all)
        *all = (mst_patch_made){.operations = all->operations + made.operations,
                                .raw_bytes = all->raw_bytes + made.raw_bytes,
                                .packed = all->packed || made.packed,
                                .one_way = all->one_way || made.one_way};
    if (status == MST_OK)
        status = begin_head(m, &out, name);
    else
        mst_patched_fail(name, status, m->diagnostic);
    if (status == MST_OK) {
        mst_output_bytes(&out, text.data + sizeof head - 1, text.size - (sizeof head - 1));
        status = mst_output_end(&out) == MST_OK ? MST_OK : no_memory(m);
    }
    mst_buffer_free(&text);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------- */

static mst_status is_same(make_state *m, size_t old, size_t now, bool *same) {
    mst_container_bytes left, right;
    *same = false;
    if (mst_container_size(m->sides[OLD], old) != mst_container_size(m->sides[NEW], now))
        return MST_OK;
    mst_status status = mst_container_read(m->sides[OLD], old, &left, m->diagnostic);
    if (status != MST_OK)
        return mst_patched_fail(mst_container_name(m->sides[OLD], old), status, m->diagnostic);
    status = mst_container_read(m->sides[NEW], now, &right, m->diagnostic);
    if (status == MST_OK) {
        *same = mst_patched_same_bytes(&left, &right);
        mst_container_release(m->sides[NEW], &right);
    } else {
        mst_patched_fail(mst_container_name(m->sides[NEW], now), status, m->diagnostic);
    }
    mst_container_release(m->sides[OLD], &left);
    return status;
}

static void close_both(mst_patched_member sides[SIDES]) {
    mst_patched_close(&sides[OLD]);
    mst_patched_close(&sides[NEW]);
}

/* Opens the old and the new version of a file. `levels`: whether a patch makes one level from the other. */
static mst_status open_both(make_state *m, size_t old, size_t now, mst_patched_member sides[SIDES],
                            bool *levels) {
    sides[OLD] = sides[NEW] = (mst_patched_member){.from = NULL};
    mst_status status = mst_patched_open(m->sides[OLD], old, &m->arena.allocator, &sides[OLD], m->diagnostic);
    if (status == MST_OK)
        status = mst_patched_open(m->sides[NEW], now, &m->arena.allocator, &sides[NEW], m->diagnostic);
    const mst_document *a = sides[OLD].document, *b = sides[NEW].document;
    *levels = a && b && mst_document_format(a) == mst_document_format(b) &&
              mst_document_file_count(a) == mst_document_file_count(b);
    return status;
}

/* How a changed file is patched: as a level; with the first file of its level, which has a patch; or as
 * bytes. */
typedef enum manner { AS_LEVEL, WITH_FIRST, AS_BYTES } manner;

/* A level's second file is patched with the first one, if that has also changed, and as a level. */
static mst_status find_manner(make_state *m, const char *name, const mst_document *document, manner *how) {
    const char *first;
    size_t size, directory = (size_t)(mst_base_name(name) - name);
    *how = AS_LEVEL;
    mst_document_file(document, 0, &first, &size);
    if (mst_document_file_count(document) == 1 || !first || strcmp(first, name + directory) == 0)
        return MST_OK;
    const char *path = mst_arena_printf(&m->arena, "%.*s%s", (int)directory, name, first);
    if (!path)
        return no_memory(m);
    size_t old = mst_patched_find(m->sides[OLD], path), now = mst_patched_find(m->sides[NEW], path);
    if (old == SIZE_MAX || now == SIZE_MAX)
        return MST_OK;
    bool same, levels;
    mst_patched_member sides[SIDES];
    mst_status status = is_same(m, old, now, &same);
    if (status != MST_OK || same)
        return status;
    status = open_both(m, old, now, sides, &levels);
    *how = levels ? WITH_FIRST : AS_BYTES;
    close_both(sides);
    return status;
}

static mst_status write_changed(make_state *m, size_t old, size_t now) {
    const char *name = mst_container_name(m->sides[OLD], old);
    mst_patched_member sides[SIDES];
    bool levels;
    manner how = AS_BYTES;
    mst_status status = open_both(m, old, now, sides, &levels);
    if (status == MST_OK && levels)
        status = find_manner(m, name, sides[OLD].document, &how);
    if (status == MST_OK && how == AS_LEVEL)
        status = write_level(m, name, sides[OLD].document, sides[NEW].document);
    else if (status == MST_OK && how == AS_BYTES)
        status = write_bytes(m, name, &sides[OLD].bytes, &sides[NEW].bytes);
    close_both(sides);
    return status;
}

/* A file that only one side has. */
static mst_status write_lonely(make_state *m, int side, size_t index) {
    mst_container *from = m->sides[side];
    const char *name = mst_container_name(from, index);
    mst_container_bytes bytes;
    mst_status status = mst_container_read(from, index, &bytes, m->diagnostic);
    if (status != MST_OK)
        return mst_patched_fail(name, status, m->diagnostic);
    status = write_bytes(m, name, side == OLD ? &bytes : NULL, side == NEW ? &bytes : NULL);
    mst_container_release(from, &bytes);
    return status;
}

static mst_status write_renamed(make_state *m, size_t old, const char *to) {
    const char *name = mst_container_name(m->sides[OLD], old), *quoted;
    mst_container_bytes bytes;
    mst_output out;
    mst_status status = quote(m, to, &quoted);
    if (status != MST_OK)
        return status;
    status = mst_container_read(m->sides[OLD], old, &bytes, m->diagnostic);
    if (status != MST_OK)
        return mst_patched_fail(name, status, m->diagnostic);
    status = begin_head(m, &out, name);
    if (status == MST_OK) {
        mst_output_text(&out, ",\"to\":");
        mst_output_text(&out, quoted);
        put_side(&out, "old", &bytes);
        put_side(&out, "new", &bytes);
        mst_output_text(&out, "}\n{\"end\":{\"operations\":0}}\n");
        status = mst_output_end(&out) == MST_OK ? MST_OK : no_memory(m);
    }
    mst_container_release(m->sides[OLD], &bytes);
    return status;
}

/* Reports a changed file that is not in the patch. */
static void leave_out(const make_state *m, const char *name) {
    if (m->options.left_out)
        m->options.left_out(m->options.user, name);
}

/* A removed file; it may have been added under another name. */
static mst_status write_gone(make_state *m, size_t old) {
    mst_container *from = m->sides[OLD], *to = m->sides[NEW];
    for (size_t i = 0; i < mst_container_count(to); i++) {
        const char *name = mst_container_name(to, i);
        bool same = false;
        if (m->is_taken[i] || mst_container_size(to, i) != mst_container_size(from, old) ||
            mst_patched_find(from, name) != SIZE_MAX || !mst_set_has(to, i))
            continue;
        mst_status status = is_same(m, old, i, &same);
        if (status != MST_OK)
            return status;
        m->is_taken[i] = same;
        if (same)
            return write_renamed(m, old, name);
    }
    return write_lonely(m, OLD, old);
}

/* Files that only the new side has. */
static mst_status write_new(make_state *m) {
    mst_container *now = m->sides[NEW];
    mst_status status = MST_OK;
    for (size_t i = 0; i < mst_container_count(now) && status == MST_OK; i++) {
        const char *name = mst_container_name(now, i);
        if (m->is_taken[i] || mst_name_fault(name) || mst_patched_find(m->sides[OLD], name) != SIZE_MAX)
            continue;
        if (mst_set_has(now, i))
            status = write_lonely(m, NEW, i);
        else
            leave_out(m, name);
    }
    return status;
}

static mst_status make_all(make_state *m) {
    mst_container *old = m->sides[OLD], *now = m->sides[NEW];
    mst_status status = MST_OK;
    m->is_taken = mst_arena_zero(&m->arena, mst_container_count(now) + 1, sizeof *m->is_taken);
    if (!m->is_taken)
        return no_memory(m);
    for (size_t i = 0; i < mst_container_count(old) && status == MST_OK; i++) {
        const char *name = mst_container_name(old, i);
        size_t other = mst_patched_find(now, name);
        bool same = mst_name_fault(name) != NULL; /* such a file is not read */
        if (!same && other != SIZE_MAX)
            status = is_same(m, i, other, &same);
        if (status != MST_OK || same)
            continue;
        if (!mst_set_has(old, i) && (other == SIZE_MAX || !mst_set_has(now, other)))
            leave_out(m, name);
        else
            status = other == SIZE_MAX ? write_gone(m, i) : write_changed(m, i, other);
    }
    return status == MST_OK ? write_new(m) : status;
}

static mst_status make_sets(make_state *m, mst_sink sink) {
    if (m->diagnostic)
        *m->diagnostic->message = 0;
    if (m->options.made)
        *m->options.made = (mst_patch_made){.operations = 0};
    const mst_allocator allocator = mst_allocator_or_default(&m->options.allocator);
    mst_arena_begin(&m->arena, &allocator, 0);
    m->text.allocator = allocator;
    mst_status status = make_all(m);
    if (status == MST_OK) {
        mst_output out;
        mst_output_begin(&out, sink);
        mst_output_format(&out, "{\"mspatch\":1,\"files\":%zu}\n", m->sections);
        if (m->text.size)
            mst_output_bytes(&out, m->text.data, m->text.size);
        status = mst_output_end(&out);
        if (status != MST_OK)
            mst_fail(m->diagnostic, status, "the patch cannot be written");
    }
    mst_buffer_free(&m->text);
    mst_arena_end(&m->arena);
    return status;
}

mst_status mst_patch_make(const mst_document *old_document, const mst_document *new_document,
                          const mst_patch_options *options, mst_sink sink, mst_diagnostic *diagnostic) {
    make_state m = {.diagnostic = diagnostic};
    mst_patch_files files = {.size = 0};
    mst_status status = mst_take_options(&m.options, sizeof m.options, options, diagnostic);
    if (status == MST_OK && m.options.files)
        status = mst_take_options(&files, sizeof files, m.options.files, diagnostic);
    if (status != MST_OK)
        return status;
    if (!m.options.files)
        return mst_patch_of_documents(old_document, new_document, &m.options, sink, diagnostic);
    m.sides[0] = files.files;
    m.sides[1] = files.new_files;
    if (old_document || new_document || !m.sides[0] || !m.sides[1] || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents or two containers, and a sink, are needed");
    return make_sets(&m, sink);
}
