/* SPDX-License-Identifier: MIT */
/* The files of directories or archives that are merged. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "merge_sets.h"

mst_status mst_merge_no_memory(mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to merge the files");
    return MST_NO_MEMORY;
}

mst_status mst_merge_fail_in(sets *s, const char *name, mst_status status) {
    char message[sizeof s->diagnostic->message];
    if (!s->diagnostic)
        return status;
    memcpy(message, s->diagnostic->message, sizeof message);
    MST_SET(s->diagnostic->message, "%s: %s", name, message);
    return status;
}

static mst_status find_second(void *user, const char *name, const void **bytes, size_t *size) {
    const struct {
        mst_container *from;
        const char *member;
    } *beside = user;
    return mst_level_member_beside(beside->from, beside->member, name, false, bytes, size);
}

mst_status mst_merge_open(sets *s, const entry *one, int side, mst_document **document) {
    struct {
        mst_container *from;
        const char *member;
    } beside = {s->from[side], mst_container_name(s->from[side], one->at[side])};
    const mst_resolver resolver = {.find = find_second, .user = &beside};
    const mst_open_options how = {.size = sizeof how,
                                  .name = mst_base_name(one->name),
                                  .allocator = s->arena.allocator,
                                  .sidecars = &resolver};
    mst_container_bytes bytes;
    mst_document *opened = NULL;
    mst_status status = mst_container_read(s->from[side], one->at[side], &bytes, s->diagnostic);
    if (status != MST_OK)
        return mst_merge_fail_in(s, one->name, status);
    void *kept = mst_arena_take(&s->arena, bytes.size + 1, 1);
    if (kept && bytes.size)
        memcpy(kept, bytes.data, bytes.size);
    status = kept ? mst_open_memory(kept, bytes.size, &how, &opened, s->diagnostic)
                  : mst_merge_no_memory(s->diagnostic);
    mst_container_release(s->from[side], &bytes);
    if (status != MST_OK)
        return status == MST_UNKNOWN ? status : mst_merge_fail_in(s, one->name, status);
    mst_document **slot = mst_array_push(&s->documents, 1);
    if (!slot) {
        mst_close(opened);
        return mst_merge_no_memory(s->diagnostic);
    }
    *slot = *document = opened;
    return MST_OK;
}

const mst_format_information *mst_merge_format(sets *s, entry *one, int side) {
    char beginning[MST_FILE_BEGINNING];
    size_t size = 0;
    bool asks = !one->is_identified[side] && one->at[side] != NOT_THERE;
    one->is_identified[side] = true;
    if (asks &&
        mst_container_peek(s->from[side], one->at[side], beginning, sizeof beginning, &size, NULL) == MST_OK)
        one->formats[side] =
            mst_identify(beginning, size, mst_container_size(s->from[side], one->at[side]), one->name, NULL);
    return one->formats[side];
}
