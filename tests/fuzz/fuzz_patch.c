/* SPDX-License-Identifier: MIT */
#include "../../src/write/rebuild.h"
#include "../patch_files.h"
#include "plan.h"
#include <mapstone/patch.h>
#include <stdio.h>
#include <stdlib.h>

const char fuzz_promise[] =
    "the patch between two documents makes the second of the first, byte for byte, and "
    "backwards the first of the second; a merge with a side that did nothing is the "
    "other side, any merge is understood or refused; and a patch that was changed is "
    "refused, or makes a document that is understood; all of this of directories, too";

/* Gives all elements of a list the value of one of them, or something odd: if they had the same value, one
 * operation of a patch suffices. */
static void edit_all(mst_document *document, const fuzz_sample *sample, fuzz_random *random) {
    const mst_edit_options options = {.size = sizeof options, .each = 1};
    const fuzz_thing *thing = &sample->things[fuzz_below(random, sample->count)];
    const char *bracket = strchr(thing->path, '['), *after = bracket ? strchr(bracket, ']') : NULL;
    char path[300];
    mst_value value;
    mst_diagnostic why;
    size_t length;
    if (!after)
        return;
    snprintf(path, sizeof path, "%.*s[*%s", (int)(bracket - thing->path), thing->path, after);
    MUST(mst_find(mst_root(document), thing->path, &value, NULL), NULL);
    char *own = fuzz_json_of(&value, true, &length);
    mst_operation one = {.kind = MST_OPERATION_SET, .path = path};
    one.value = fuzz_below(random, 2) ? own : fuzz_odd_json(random);
    if (fuzz_below(random, 3) == 0)
        one.assignment = MST_ASSIGN_OR_ADD;
    mst_edit(document, &one, 1, &options, &why);
    free(own);
}

/* Some operations that can be applied; the others are left out. */
static void edit(mst_document *document, fuzz_random *random, uint32_t most) {
    mst_edit_options options = {.size = sizeof options, .cascade = 1, .each = fuzz_below(random, 2) == 0};
    fuzz_sample sample;
    mst_diagnostic why;
    for (uint32_t i = 1 + fuzz_below(random, most); i-- > 0;) {
        fuzz_plan one = {.count = 0};
        MUST(fuzz_take_sample(document, random, false, &sample), NULL);
        if (!sample.count)
            return;
        if (fuzz_below(random, 4) == 0) {
            edit_all(document, &sample, random);
            continue;
        }
        fuzz_plan_add(document, &sample, random, &one);
        mst_edit(document, one.operations, one.count, &options, &why);
        fuzz_plan_free(&one);
    }
}

static mst_document *copy_of(const mst_document *document) {
    mst_document *copy;
    mst_diagnostic why;
    MUST(mst_rebuild(document, &copy, &why), &why);
    return copy;
}

static mst_status apply(mst_document *document, const mst_buffer *text, int reverse, mst_diagnostic *why) {
    mst_patch_options options = {.size = sizeof options, .reverse = reverse};
    return mst_patch_apply(document, (const char *)text->data, text->size, &options, why);
}

/* Forward and backward. */
static void goes_both_ways(const mst_document *old, const mst_document *now, const mst_buffer *text) {
    fuzz_files before = fuzz_files_of(old), after = fuzz_files_of(now);
    mst_document *document = copy_of(old);
    mst_diagnostic why;
    MUST(apply(document, text, 0, &why), &why);
    HOLDS(fuzz_same_files(document, &after));
    MUST(apply(document, text, 1, &why), &why);
    HOLDS(fuzz_same_files(document, &before));
    mst_close(document);
    fuzz_files_free(&before);
    fuzz_files_free(&after);
}

/* A patch for another file, and one with changed text. */
static void goes_elsewhere(const mst_document *other, mst_buffer *text, fuzz_random *random) {
    mst_document *document = copy_of(other);
    fuzz_files before = fuzz_files_of(document);
    mst_diagnostic why;
    if (fuzz_below(random, 2) && text->size)
        text->data[fuzz_below(random, text->size)] = (unsigned char)(32 + fuzz_below(random, 95));
    if (apply(document, text, fuzz_below(random, 4) == 0, &why) == MST_OK)
        fuzz_is_understood(document);
    else
        HOLDS(fuzz_same_files(document, &before));
    fuzz_files_free(&before);
    mst_close(document);
}

static void merges(const mst_document *base, const mst_document *ours, const mst_document *theirs) {
    const mst_check_options checks = {.size = sizeof checks, .details = 0};
    mst_merge_options options = {.size = sizeof options, .checks = &checks};
    const mst_document *const sides[3][3] = {{ours, base, base}, {base, base, theirs}, {ours, base, theirs}};
    for (size_t i = 0; i < 3; i++) {
        mst_document *document = copy_of(sides[i][0]);
        fuzz_files expected = fuzz_files_of(i == 1 ? theirs : ours);
        mst_diagnostic why;
        mst_status status = mst_merge(document, sides[i][1], sides[i][2], &options, NULL, &why);
        if (i < 2)
            MUST(status, &why);
        if (i < 2 || status != MST_OK)
            HOLDS(fuzz_same_files(document, &expected));
        else
            fuzz_is_understood(document);
        fuzz_files_free(&expected);
        mst_close(document);
    }
}

/* ---- directories ------------------------------------------------------------------------------------- */

#define SET_FILES 4

typedef struct set {
    fuzz_files files;
    const char *names[SET_FILES];
    char made[SET_FILES][32]; /* names of files without one */
    const void *bytes[SET_FILES];
    size_t sizes[SET_FILES], count;
} set;

static void add_file(set *to, const char *name, const void *bytes, size_t size) {
    to->names[to->count] = name;
    to->bytes[to->count] = bytes;
    to->sizes[to->count++] = size;
}

/* The files of a document, one that is not a level but has a name that levels need, and one with the same
 * content under any name. */
static void begin_set(set *of, const mst_document *document, const char *text, const char *same) {
    *of = (set){.files = fuzz_files_of(document)};
    for (size_t i = 0; i < of->files.count; i++) {
        const char *name;
        size_t size;
        mst_document_file(document, i, &name, &size);
        snprintf(of->made[i], sizeof of->made[i], "level%zu.png", i);
        add_file(of, *name ? name : of->made[i], of->files.bytes[i], size);
    }
    add_file(of, "notes.png", text, strlen(text));
    add_file(of, same, "the same", 8);
}

static const char *name_of(void *user, size_t index, uint64_t *size) {
    const set *of = user;
    *size = of->sizes[index];
    return of->names[index];
}

static mst_status read_of(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    const set *of = user;
    memcpy(to, (const uint8_t *)of->bytes[index] + offset, count);
    return MST_OK;
}

static mst_container *container_of(set *of) {
    const mst_container_files files = {
        .size = sizeof files, .count = of->count, .name = name_of, .read = read_of, .user = of};
    mst_container *container;
    mst_diagnostic why;
    MUST(mst_container_open_files(&files, NULL, &container, &why), &why);
    return container;
}

/* The result of a patch; `wanted`: the expected result, NULL: any. */
typedef struct arrived {
    const set *wanted;
    size_t count;
} arrived;

static mst_status arrives(void *user, const mst_merged_file *file) {
    arrived *to = user;
    if (!file->bytes)
        return MST_OK;
    to->count++;
    for (size_t i = 0; to->wanted; i++) {
        HOLDS(i < to->wanted->count);
        if (strcmp(to->wanted->names[i], file->name) != 0)
            continue;
        HOLDS(file->byte_count == to->wanted->sizes[i]);
        HOLDS(!file->byte_count || memcmp(file->bytes, to->wanted->bytes[i], file->byte_count) == 0);
        break;
    }
    return MST_OK;
}

static void sets(const mst_document *base, const mst_document *ours, const mst_document *theirs,
                 fuzz_random *random) {
    set all[3];
    mst_container *containers[3];
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_patch_options how = {.size = sizeof how, .with_data = 1, .plain = fuzz_below(random, 8) != 0};
    begin_set(&all[0], base, "a text", "a name.png");
    begin_set(&all[1], ours, "a longer text", "another name.png");
    begin_set(&all[2], theirs, "a text", "a name.png");
    for (size_t i = 0; i < 3; i++)
        containers[i] = container_of(&all[i]);
    MUST(make_sets(containers, &how, &text, &why), &why);
    for (int reverse = 0; reverse < 2; reverse++) {
        how.reverse = reverse != 0;
        arrived got = {.wanted = &all[!how.reverse]};
        MUST(apply_sets(containers[how.reverse], &text, &how, arrives, &got, &why), &why);
        HOLDS(got.count == got.wanted->count);
    }
    arrived any = {.wanted = NULL};
    how.reverse = fuzz_below(random, 4) == 0;
    how.partial = fuzz_below(random, 2) == 0;
    if (fuzz_below(random, 2))
        text.data[fuzz_below(random, text.size)] = (unsigned char)(32 + fuzz_below(random, 95));
    memset(&why, 0x7F, sizeof why);
    mst_status status = apply_sets(containers[2], &text, &how, arrives, &any, &why);
    if (status != MST_OK) {
        fuzz_is_told(&why, status);
        HOLDS(any.count == 0);
    }
    mst_buffer_free(&text);
    for (size_t i = 0; i < 3; i++) {
        mst_container_close(containers[i]);
        fuzz_files_free(&all[i].files);
    }
}

void fuzz_property(fuzz_input *in) {
    mst_document *base = fuzz_open(in, NULL);
    if (!base)
        return;
    mst_document *ours = copy_of(base), *theirs = copy_of(base);
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_patch_options options = {.size = sizeof options, .with_data = 1};
    edit(ours, &in->random, 6);
    edit(theirs, &in->random, 3);
    options.plain =
        fuzz_below(&in->random, 8) != 0; /* a changed byte of a packed patch is mostly no stream */
    MUST(mst_patch_make(base, ours, &options, mst_buffer_sink(&text), &why), &why);
    goes_both_ways(base, ours, &text);
    merges(base, ours, theirs);
    goes_elsewhere(theirs, &text, &in->random);
    sets(base, ours, theirs, &in->random);
    mst_buffer_free(&text);
    mst_close(base);
    mst_close(ours);
    mst_close(theirs);
}
