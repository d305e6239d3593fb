/* SPDX-License-Identifier: MIT */
/* Patches of directories, for tests and for the fuzzer. */
#ifndef MST_TESTS_PATCH_FILES_H
#define MST_TESTS_PATCH_FILES_H

#include <mapstone/patch.h>

static inline mst_status make_sets(mst_container *const sides[2], const mst_patch_options *options,
                                   mst_buffer *text, mst_diagnostic *why) {
    const mst_patch_files files = {.size = sizeof files, .files = sides[0], .new_files = sides[1]};
    mst_patch_options how = options ? *options : (mst_patch_options){.size = sizeof how};
    how.files = &files;
    return mst_patch_make(NULL, NULL, &how, mst_buffer_sink(text), why);
}

static inline mst_status apply_sets(mst_container *to, const mst_buffer *text,
                                    const mst_patch_options *options, mst_merged_function take, void *user,
                                    mst_diagnostic *why) {
    const mst_patch_files files = {.size = sizeof files, .files = to, .take = take, .user = user};
    mst_patch_options how = *options;
    how.files = &files;
    return mst_patch_apply(NULL, (const char *)text->data, text->size, &how, why);
}

#endif
