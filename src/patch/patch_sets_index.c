/* SPDX-License-Identifier: MIT */
/* Index files (MAPS.bin) of levels that were patched, but are not the ones that the patch was made for: their
 * facts are taken from these levels. */
#include "../core/text.h"
#include "../edit/assign.h"
#include "../edit/single_edit.h"
#include "patch_sets.h"
#include <mapstone/edit.h>

bool mst_patched_may_be_index(const char *name) {
    const mst_format_information *format;
    for (size_t i = 0; (format = mst_format_at(i)); i++) {
        const char *index = MST_OPTION(mst_format_of(format)->set, index_file);
        size_t stem = index ? strcspn(index, ".") : 0;
        if (stem && strncmp(mst_base_name(name), index, stem + 1) == 0)
            return true;
    }
    return false;
}

const char *mst_patched_index_of(const mst_patched_level *level, mst_arena *arena) {
    const char *index = mst_index_file(level->opened.document);
    size_t directory = (size_t)(mst_base_name(level->name) - level->name);
    return index ? mst_arena_printf(arena, "%.*s%s", (int)directory, level->name, index) : "";
}

mst_status mst_patched_update(mst_document *document, const char *name, const mst_patched_level *levels,
                              size_t count, mst_diagnostic *diagnostic) {
    size_t directory = (size_t)(mst_base_name(name) - name);
    const char *first;
    size_t size;
    mst_document_file(document, 0, &first, &size);
    for (size_t i = 0; i < count; i++) {
        const char *index = mst_index_file(levels[i].opened.document);
        if (!index || !mst_same_text(index, first ? first : name + directory) ||
            (size_t)(mst_base_name(levels[i].name) - levels[i].name) != directory ||
            memcmp(levels[i].name, name, directory) != 0)
            continue;
        mst_status status = mst_update_index(levels[i].opened.document, document, diagnostic);
        if (status != MST_OK && status != MST_NO_PATH)
            return mst_patched_fail(levels[i].name, status, diagnostic);
    }
    return MST_OK;
}

/* ---- a patch's statements about other files ---------------------------------------------------------- */

typedef struct sift_state {
    const char *name;
    const mst_patched_level *levels;
    size_t count;
    mst_document *now, *tried; /* as the levels require; and after the steps' values were set */
    mst_arena arena;
} sift_state;

static mst_status text_at(sift_state *s, const mst_document *document, const char *path, const char **text) {
    mst_value value;
    *text = NULL;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK
               ? mst_value_text(&value, &s->arena, text, NULL)
               : MST_OK;
}

/* Leaves out a step about a value that the levels determine: setting it has no lasting effect. */
static mst_status leave_out(void *user, mst_patch_step *step) {
    sift_state *s = user;
    const char *now, *then = NULL;
    if (step->kind != MST_STEP_SET || !step->now)
        return MST_OK;
    mst_status status = text_at(s, s->now, step->key, &now);
    if (status != MST_OK || !now)
        return status;
    status = mst_set(s->tried, step->key, step->now, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    status = mst_patched_update(s->tried, s->name, s->levels, s->count, NULL);
    if (status == MST_OK)
        status = text_at(s, s->tried, step->key, &then);
    step->left_out = status == MST_OK && then && strcmp(now, then) == 0;
    return status == MST_NO_MEMORY ? status : MST_OK;
}

mst_status mst_patched_apply(mst_document *document, const char *name, const char *text, size_t size,
                             const mst_patch_options *options, const mst_check_options *was,
                             const mst_patched_level *levels, size_t count, mst_diagnostic *diagnostic) {
    sift_state s = {.name = name, .levels = levels, .count = count};
    const bool sifts = count && mst_patched_may_be_index(name);
    const mst_patch_filter filter = {sifts ? leave_out : NULL, &s, was};
    if (!sifts)
        return mst_patch_apply_but(document, text, size, options, &filter, diagnostic);
    /* errors are known only after the facts of the levels have been entered */
    mst_patch_options unchecked = *options;
    const mst_edit_options checked = {.size = sizeof checked,
                                      .checks = options->checks,
                                      .force = options->force,
                                      .report = options->found,
                                      .user = options->user};
    mst_document *before = NULL;
    unchecked.force = 1;
    unchecked.found = NULL;
    mst_arena_begin(&s.arena, &document->allocator, 0);
    mst_status status = mst_edit_copy(document, &before, diagnostic);
    if (status == MST_OK)
        status = mst_edit_copy(document, &s.now, diagnostic);
    if (status == MST_OK)
        status = mst_patched_update(s.now, name, levels, count, diagnostic);
    if (status == MST_OK)
        status = mst_edit_copy(s.now, &s.tried, diagnostic);
    if (status == MST_OK)
        status = mst_patch_apply_but(document, text, size, &unchecked, &filter, diagnostic);
    if (status == MST_OK)
        status = mst_patched_update(document, name, levels, count, diagnostic);
    if (status == MST_OK)
        status = mst_edit_recheck(before, was, document, &checked, diagnostic);
    mst_close(before);
    mst_close(s.now);
    mst_close(s.tried);
    mst_arena_end(&s.arena);
    return status;
}
