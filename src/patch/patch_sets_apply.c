/* SPDX-License-Identifier: MIT */
/* Applying the patch of a directory or archive: all of its sections, or none. */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/text.h"
#include "../system/file_names.h"
#include "patch_sets.h"
#include <stdlib.h>

/* A file of the result that is changed or removed. */
typedef struct outcome {
    const char *name;
    uint8_t *bytes; /* from the allocator; NULL: removed */
    size_t size;
} outcome;

typedef struct apply_state {
    mst_container *files;
    mst_patch_options options, each;
    mst_arena arena;
    mst_array outcomes, moved_on; /* mst_patched_level: see there */
    mst_array names;              /* const char *: names of the files that the patch changes */
    const char *file;             /* the file being patched */
    uint64_t misfits;
    mst_diagnostic *diagnostic;
} apply_state;

static mst_status no_memory(const apply_state *a) {
    return mst_fail(a->diagnostic, MST_NO_MEMORY, "not enough memory for the patch");
}

/* ---- rejected changes -------------------------------------------------------------------------------- */

static mst_status hear(void *user, const mst_conflict *conflict) {
    apply_state *a = user;
    mst_conflict heard = *conflict;
    heard.file = a->file;
    a->misfits++;
    return a->options.rejected ? a->options.rejected(a->options.user, &heard) : MST_OK;
}

/* Rejects a section about a complete file, which is not the expected one. */
static mst_status reject(apply_state *a, bool is_there) {
    const mst_conflict conflict = {.size = sizeof conflict,
                                   .kind = is_there ? MST_CONFLICT_VALUE : MST_CONFLICT_REMOVED_BY_OURS,
                                   .path = "",
                                   .label = "",
                                   .ours = is_there ? "" : NULL};
    return hear(a, &conflict);
}

/* Reports a new finding in a file, with the file's name. */
static mst_status hear_finding(void *user, const mst_diagnostic *finding) {
    apply_state *a = user;
    mst_diagnostic heard = *finding;
    mst_patched_fail(a->file, MST_OK, &heard);
    return a->options.found(a->options.user, &heard);
}

/* ---- results ----------------------------------------------------------------------------------------- */

/* Keeps `size` bytes, or with NULL that the file is removed. The bytes may be filled in. */
static mst_status keep(apply_state *a, const char *name, const void *bytes, size_t size, uint8_t **room) {
    const mst_allocator *allocator = &a->arena.allocator;
    outcome *made = mst_array_push(&a->outcomes, 1);
    if (!made)
        return no_memory(a);
    *made = (outcome){.name = name};
    if (!bytes && !room)
        return MST_OK;
    made->bytes = allocator->resize(allocator->user, NULL, 0, size + 1);
    if (!made->bytes)
        return no_memory(a);
    made->size = size;
    if (bytes && size)
        memcpy(made->bytes, bytes, size);
    if (room)
        *room = made->bytes;
    return MST_OK;
}

/* Whether a name in a patch may name a file; else reports why not. */
static bool is_safe(const apply_state *a, const char *name) {
    const char *why = name ? mst_name_fault(name) : NULL;
    if (!name)
        mst_fail(a->diagnostic, MST_REFUSED, "a part of the patch names no file of the directory");
    else if (why)
        mst_fail(a->diagnostic, MST_REFUSED, "the patch names \"%s\", which is refused: %s", name, why);
    return name && !why;
}

/* ---- sections ---------------------------------------------------------------------------------------- */

/* Keeps the files of a document that has changed. */
static mst_status keep_document(apply_state *a, const char *file, const mst_document *document) {
    size_t directory = (size_t)(mst_base_name(file) - file);
    mst_status status = MST_OK;
    for (size_t i = 0; i < mst_document_file_count(document) && status == MST_OK; i++) {
        const char *base;
        size_t count;
        const void *bytes = mst_document_file(document, i, &base, &count);
        const char *name =
            mst_document_file_count(document) == 1
                ? file
                : mst_arena_printf(&a->arena, "%.*s%s", (int)directory, file, base ? base : "");
        status = name ? keep(a, name, count ? bytes : "", count, NULL) : no_memory(a);
    }
    return status;
}

/* Records a level that is not the one that the patch was made for, if other files state facts about it. */
static mst_status note_moved(apply_state *a, mst_patched_member *opened, const char *made) {
    if (!mst_index_file(opened->document))
        return MST_OK;
    const char *hash = mst_document_sha256(opened->document, &a->arena);
    if (!hash)
        return no_memory(a);
    if (made && strcmp(hash, made) == 0)
        return MST_OK;
    mst_patched_level *one = mst_array_push(&a->moved_on, 1);
    if (!one)
        return no_memory(a);
    *one = (mst_patched_level){.name = a->file, .opened = *opened};
    *opened = (mst_patched_member){.from = NULL};
    return MST_OK;
}

/* ---- files next to a file ---------------------------------------------------------------------------- */

/* Their old versions. */
static mst_status find_before(void *user, const char *name, const void **bytes, size_t *size) {
    const apply_state *a = user;
    return mst_level_member_beside(a->files, a->file, name, false, bytes, size);
}

/* Their versions after the patch. A file that is yet to be patched is not found, so that its old version is
 * not relied on. */
static mst_status find_patched(void *user, const char *name, const void **bytes, size_t *size) {
    const apply_state *a = user;
    const size_t directory = (size_t)(mst_base_name(a->file) - a->file);
    const outcome *made = a->outcomes.items;
    const char *const *names = a->names.items;
    for (size_t i = 0; i < a->outcomes.count; i++)
        if (strncmp(made[i].name, a->file, directory) == 0 && mst_same_text(made[i].name + directory, name)) {
            *bytes = made[i].bytes;
            *size = made[i].size;
            return made[i].bytes ? MST_OK : MST_NO_PATH;
        }
    for (size_t i = 0; i < a->names.count; i++)
        if (strncmp(names[i], a->file, directory) == 0 && mst_same_text(names[i] + directory, name))
            return MST_NO_PATH;
    return mst_level_member_beside(a->files, a->file, name, false, bytes, size);
}

/* `made`: the hash of the result for the file that the patch was made for; NULL: not stated. */
static mst_status patch_level(apply_state *a, size_t index, const char *text, size_t size, const char *made) {
    mst_patched_member opened;
    const mst_resolver before = {.find = find_before, .user = a}, after = {.find = find_patched, .user = a};
    const mst_check_options usual = {.size = sizeof usual, .details = !a->options.found};
    mst_check_options checks = {.size = 0};
    mst_status status = mst_take_options(&checks, sizeof checks,
                                         a->options.checks ? a->options.checks : &usual, a->diagnostic);
    if (status != MST_OK)
        return status;
    mst_check_options was = checks;
    if (!checks.sidecars) {
        was.sidecars = &before;
        checks.sidecars = &after;
    }
    a->each.checks = &checks;
    status = mst_patched_open(a->files, index, &a->arena.allocator, &opened, a->diagnostic);
    if (status == MST_OK && !opened.document) {
        status = reject(a, true);
    } else if (status == MST_OK) {
        uint64_t misfits = a->misfits;
        status = mst_patched_apply(opened.document, a->file, text, size, &a->each, &was, a->moved_on.items,
                                   a->moved_on.count, a->diagnostic);
        if (status == MST_REFUSED && a->misfits > misfits && !a->options.partial) {
            status = MST_OK; /* the other files are examined as well */
        } else if (status != MST_OK) {
            mst_patched_fail(a->file, status, a->diagnostic);
        } else {
            status = keep_document(a, a->file, opened.document);
            if (status == MST_OK)
                status = note_moved(a, &opened, made);
        }
    }
    mst_patched_close(&opened);
    return status;
}

/* The bytes of a hexadecimal string in quotes; SIZE_MAX: it is not one. */
static size_t hex_size(const char *quoted) {
    size_t length = strlen(quoted);
    return length >= 2 && *quoted == '"' && length % 2 == 0 ? (length - 2) / 2 : SIZE_MAX;
}

/* Replaces bytes of a file that is not a level, or that is added or removed. */
static mst_status patch_bytes(apply_state *a, const mst_patch_steps *steps,
                              const mst_container_bytes *bytes) {
    const mst_patch_step *step = steps->count == 1 ? steps->items : NULL;
    if (!step || step->kind != MST_STEP_RAW)
        return mst_fail(a->diagnostic, MST_ARGUMENT, "%s: a file that is not a level needs one raw operation",
                        a->file);
    const char *was = a->options.reverse ? step->now : step->old,
               *is = a->options.reverse ? step->old : step->now;
    size_t n = hex_size(was), k = hex_size(is);
    if (n == SIZE_MAX || k == SIZE_MAX || step->to > bytes->size || n > bytes->size - step->to)
        return mst_fail(a->diagnostic, MST_ARGUMENT, "%s: the bytes to replace are not there", a->file);
    size_t first = (size_t)step->to, rest = bytes->size - first - n;
    uint8_t *room = NULL;
    char hash[65];
    const char *made = steps->sha256[!a->options.reverse];
    if (!made)
        return keep(a, a->file, NULL, 0, NULL);
    if (k > SIZE_MAX - 1 - (first + rest))
        return no_memory(a);
    mst_status status = keep(a, a->file, NULL, first + k + rest, &room);
    if (status != MST_OK || !room)
        return status;
    if (first && bytes->data)
        memcpy(room, bytes->data, first);
    if (rest && bytes->data)
        memcpy(room + first + k, (const uint8_t *)bytes->data + first + n, rest);
    bool hex = mst_read_hex(is + 1, 2 * k, room + first);
    mst_sha256_text(room, first + k + rest, hash);
    return hex && strcmp(hash, made) == 0
               ? MST_OK
               : mst_fail(a->diagnostic, MST_ARGUMENT,
                          "%s: its bytes are not those that the patch was made for", a->file);
}

/* A section about a file's raw bytes, or its name. */
static mst_status patch_file(apply_state *a, const mst_patch_steps *steps, size_t index, const char *to) {
    const char *wanted = steps->sha256[a->options.reverse ? 1 : 0];
    mst_container_bytes bytes = {.data = NULL};
    char hash[65];
    if (index == SIZE_MAX)
        return wanted ? reject(a, false) : patch_bytes(a, steps, &bytes);
    if (!wanted)
        return reject(a, true);
    mst_status status = mst_container_read(a->files, index, &bytes, a->diagnostic);
    if (status != MST_OK)
        return mst_patched_fail(a->file, status, a->diagnostic);
    mst_sha256_text(bytes.data, bytes.size, hash);
    if (strcmp(hash, wanted) != 0 || (to && mst_patched_find(a->files, to) != SIZE_MAX)) {
        status = reject(a, true);
    } else if (to) {
        status = keep(a, to, bytes.size ? bytes.data : "", bytes.size, NULL);
        if (status == MST_OK)
            status = keep(a, a->file, NULL, 0, NULL);
    } else {
        status = patch_bytes(a, steps, &bytes);
    }
    mst_container_release(a->files, &bytes);
    return status;
}

/* The first pass applies all sections but those of index files, which describe the other files. */
static mst_status apply_section(apply_state *a, const char *text, size_t size, int pass) {
    const char *end = memchr(text, '\n', size);
    mst_patch_steps steps;
    mst_status status =
        mst_patch_read(text, end ? (size_t)(end - text) : size, true, &a->arena, &steps, a->diagnostic);
    if (status != MST_OK)
        return status;
    bool turned = a->options.reverse && steps.to;
    const char *to = turned ? steps.file : steps.to;
    a->file = turned ? steps.to : steps.file;
    if (!is_safe(a, a->file) || (to && !is_safe(a, to)))
        return MST_REFUSED;
    if (mst_patched_may_be_index(a->file) != (pass == 1))
        return MST_OK;
    size_t index = mst_patched_find(a->files, a->file);
    if (steps.format)
        return index == SIZE_MAX
                   ? reject(a, false)
                   : patch_level(a, index, text, size, steps.sha256[a->options.reverse ? 0 : 1]);
    status = mst_patch_read(text, size, false, &a->arena, &steps, a->diagnostic);
    return status == MST_OK ? patch_file(a, &steps, index, to)
                            : mst_patched_fail(a->file, status, a->diagnostic);
}

/* ---- complete patches -------------------------------------------------------------------------------- */

/* The size of the first section, up to the next head. */
static size_t section_size(const char *text, size_t size) {
    static const char head[] = "{\"mspatch\"";
    size_t at = 0;
    do {
        const char *end = memchr(text + at, '\n', size - at);
        at = end ? (size_t)(end - text) + 1 : size;
    } while (at < size && (size - at < sizeof head - 1 || memcmp(text + at, head, sizeof head - 1) != 0));
    return at;
}

/* Updates an index file that the patch does not mention. */
static mst_status renew_index(apply_state *a, const mst_patched_level *level) {
    const char *path = mst_patched_index_of(level, &a->arena);
    const outcome *made = a->outcomes.items;
    mst_patched_member opened;
    if (!path)
        return no_memory(a);
    size_t index = *path ? mst_container_find(a->files, path) : SIZE_MAX;
    if (index == SIZE_MAX)
        return MST_OK;
    path = mst_container_name(a->files, index);
    for (size_t i = 0; i < a->outcomes.count; i++)
        if (strcmp(made[i].name, path) == 0)
            return MST_OK;
    mst_status status = mst_patched_open(a->files, index, &a->arena.allocator, &opened, a->diagnostic);
    if (status == MST_OK && opened.document) {
        status =
            mst_patched_update(opened.document, path, a->moved_on.items, a->moved_on.count, a->diagnostic);
        if (status == MST_OK && mst_is_edited(opened.document))
            status = keep_document(a, path, opened.document);
    }
    mst_patched_close(&opened);
    return status;
}

static mst_status renew_indices(apply_state *a) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < a->moved_on.count && status == MST_OK; i++)
        status = renew_index(a, (const mst_patched_level *)a->moved_on.items + i);
    return status;
}

/* Records the names of the files that the patch changes. */
static mst_status note_names(apply_state *a, const char *text, size_t size, size_t at) {
    mst_patch_steps steps;
    mst_status status = MST_OK;
    for (size_t length; status == MST_OK && at < size; at += length) {
        length = section_size(text + at, size - at);
        const char *end = memchr(text + at, '\n', length);
        status = mst_patch_read(text + at, end ? (size_t)(end - text) - at : length, true, &a->arena, &steps,
                                a->diagnostic);
        const char *name = status != MST_OK                         ? NULL
                           : a->options.reverse && steps.to != NULL ? steps.to
                                                                    : steps.file;
        const char **slot = name ? mst_array_push(&a->names, 1) : NULL;
        if (name && !slot)
            return no_memory(a);
        if (name)
            *slot = name;
    }
    return status;
}

static mst_status apply_all(apply_state *a, const char *text, size_t size) {
    mst_patch_steps head;
    size_t at = section_size(text, size);
    uint64_t count = 0;
    mst_status status = mst_patch_read(text, at, true, &a->arena, &head, a->diagnostic);
    if (status == MST_OK && (!head.many || head.count))
        return mst_fail(a->diagnostic, MST_ARGUMENT,
                        "the patch is for one file, not for a directory or archive");
    if (status == MST_OK)
        status = note_names(a, text, size, at);
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (size_t begin = at, length; status == MST_OK && begin < size; begin += length, count++) {
            length = section_size(text + begin, size - begin);
            status = apply_section(a, text + begin, length, pass);
        }
    }
    if (status == MST_OK)
        status = renew_indices(a);
    if (status == MST_OK && count != head.files)
        return mst_fail(a->diagnostic, MST_ARGUMENT, "the patch is cut off: its first line does not fit");
    if (status == MST_OK && a->misfits && !a->options.partial)
        return mst_fail(a->diagnostic, MST_REFUSED,
                        "%llu of the changes do not fit: the patch was made for other files",
                        (unsigned long long)a->misfits);
    return status;
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const outcome *)left)->name, ((const outcome *)right)->name);
}

static mst_status hand_over(apply_state *a, mst_merged_function take, void *user) {
    const outcome *all = a->outcomes.items;
    size_t count = a->outcomes.count;
    mst_status status = MST_OK;
    if (count)
        qsort(a->outcomes.items, count, sizeof *all, by_name);
    for (size_t i = 1; i < count; i++)
        if (strcmp(all[i - 1].name, all[i].name) == 0)
            return mst_fail(a->diagnostic, MST_ARGUMENT, "the patch makes %s twice", all[i].name);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        const mst_merged_file file = {
            .size = sizeof file, .name = all[i].name, .bytes = all[i].bytes, .byte_count = all[i].size};
        status = take(user, &file);
    }
    for (size_t i = 0; i < mst_container_count(a->files) && status == MST_OK; i++) {
        const outcome same = {.name = mst_container_name(a->files, i)};
        mst_merged_file file = {.size = sizeof file, .name = same.name, .is_ours = 1};
        mst_container_bytes bytes;
        if (mst_name_fault(same.name) || (count && bsearch(&same, all, count, sizeof *all, by_name)))
            continue;
        status = mst_container_read(a->files, i, &bytes, a->diagnostic);
        if (status != MST_OK)
            return mst_patched_fail(same.name, status, a->diagnostic);
        file.bytes = bytes.size ? bytes.data : "";
        file.byte_count = bytes.size;
        status = take(user, &file);
        mst_container_release(a->files, &bytes);
    }
    return status;
}

static mst_status apply_sets(apply_state *a, const char *text, size_t size, const mst_patch_files *files) {
    if (a->diagnostic)
        *a->diagnostic->message = 0;
    const mst_allocator allocator = mst_allocator_or_default(&a->options.allocator);
    a->each = a->options;
    a->each.rejected = hear;
    a->each.user = a;
    a->each.found = a->options.found ? hear_finding : NULL;
    mst_arena_begin(&a->arena, &allocator, 0);
    a->outcomes = (mst_array){.element_size = sizeof(outcome), .allocator = allocator};
    a->moved_on = (mst_array){.element_size = sizeof(mst_patched_level), .allocator = allocator};
    a->names = (mst_array){.element_size = sizeof(const char *), .allocator = allocator};
    mst_text plain;
    mst_status status = mst_text_wish(text, size, &a->arena, &plain, a->diagnostic);
    if (status == MST_OK)
        status = apply_all(a, plain.at, plain.size);
    if (status == MST_OK)
        status = hand_over(a, files->take, files->user);
    for (size_t i = 0; i < a->outcomes.count; i++) {
        const outcome *one = (const outcome *)a->outcomes.items + i;
        if (one->bytes)
            allocator.resize(allocator.user, one->bytes, one->size + 1, 0);
    }
    for (size_t i = 0; i < a->moved_on.count; i++)
        mst_patched_close(&((mst_patched_level *)a->moved_on.items)[i].opened);
    mst_array_free(&a->moved_on);
    mst_array_free(&a->names);
    mst_array_free(&a->outcomes);
    mst_arena_end(&a->arena);
    return status;
}

mst_status mst_patch_apply(mst_document *document, const char *text, size_t size,
                           const mst_patch_options *options, mst_diagnostic *diagnostic) {
    apply_state a = {.diagnostic = diagnostic};
    mst_patch_files files = {.size = 0};
    mst_status status = mst_take_options(&a.options, sizeof a.options, options, diagnostic);
    if (status == MST_OK && a.options.files)
        status = mst_take_options(&files, sizeof files, a.options.files, diagnostic);
    if (status != MST_OK)
        return status;
    a.files = files.files;
    if (!text || (a.options.files ? document || !files.files || !files.take : !document))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a patch and a document are needed, or a container and a function");
    return a.options.files ? apply_sets(&a, text, size, &files)
                           : mst_patch_apply_but(document, text, size, &a.options, NULL, diagnostic);
}
