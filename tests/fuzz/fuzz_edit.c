/* SPDX-License-Identifier: MIT */
#include "../../src/read/engine.h"
#include "property.h"
#include <stdio.h>
#include <string.h>

const char fuzz_promise[] =
    "an edit is done, and then the document is understood and has the value, or leaves "
    "everything as it was";

/* Whether another element of an ordered list has the value: a changed object moves to its place in the order.
 */
static bool has_moved(const mst_document *document, const char *path, int64_t wanted) {
    const char *open = strchr(path, '['), *close = open ? strchr(open, ']') : NULL;
    mst_value list, value;
    char other[300];
    if (!close || strcmp(mst_document_format(document)->id, "sfa-romlist") != 0)
        return false;
    snprintf(other, sizeof other, "%.*s", (int)(open - path), path);
    MUST(mst_find(mst_root(document), other, &list, NULL), NULL);
    for (uint64_t i = 0; i < mst_count(&list); i++) {
        int64_t is;
        snprintf(other, sizeof other, "%.*s[%llu%s", (int)(open - path), path, (unsigned long long)i, close);
        if (mst_find(mst_root(document), other, &value, NULL) == MST_OK &&
            mst_get_integer(&value, &is) == MST_OK && is == wanted)
            return true;
    }
    return false;
}

/* The value that was set is present. */
static void has_value(const mst_document *document, const fuzz_thing *thing, const char *json) {
    mst_value value;
    mst_diagnostic why;
    int64_t is;
    char *end;
    long long wanted = strtoll(json, &end, 10);
    if (thing->type != MST_TYPE_INTEGER || end == json || *end || strlen(json) > 18)
        return;
    if (has_moved(document, thing->path, wanted))
        return;
    MUST(mst_find(mst_root(document), thing->path, &value, &why), &why);
    MUST(mst_get_integer(&value, &is), NULL);
    HOLDS(is == wanted);
}

static mst_status edit(mst_document *document, const fuzz_thing *thing, const char *own, fuzz_input *in,
                       bool *same) {
    mst_diagnostic why;
    mst_status status;
    const char *odd = fuzz_odd_json(&in->random);
    char path[300];
    *same = false;
    switch (fuzz_below(&in->random, 8)) {
    case 0:
    case 1: *same = true; return mst_set(document, thing->path, own, &why);
    case 2:
        if (thing->index != UINT64_MAX)
            return mst_insert(document, thing->path, own, &why);
        snprintf(path, sizeof path, "%s[0]", thing->path);
        return mst_insert(document, path, odd, &why);
    case 3: return mst_remove(document, thing->path, &why);
    case 4:
        snprintf(path, sizeof path, "%s[%u]", thing->path, fuzz_below(&in->random, 4));
        return mst_remove(document, path, &why);
    default:
        status = mst_set(document, thing->path, odd, &why);
        if (status == MST_OK)
            has_value(document, thing, odd);
        return status;
    }
}

/* Descriptions of the document state the new value, or are unchanged. */
static void is_told_elsewhere(const mst_document *document, fuzz_input *in) {
    const char *name = mst_index_file(document);
    mst_resolver resolver = fuzz_resolver(in);
    mst_open_options options = {.size = sizeof options, .name = name, .sidecars = &resolver};
    const void *bytes;
    size_t size;
    mst_document *other;
    mst_diagnostic why;
    if (!name || resolver.find(resolver.user, name, &bytes, &size) != MST_OK ||
        mst_open_memory(bytes, size, &options, &other, &why) != MST_OK)
        return;
    fuzz_files before = fuzz_files_of(other);
    mst_status status = mst_update_index(document, other, &why);
    if (status == MST_OK) {
        fuzz_is_understood(other);
    } else {
        fuzz_is_told(&why, status);
        HOLDS(fuzz_same_files(other, &before));
    }
    fuzz_files_free(&before);
    mst_close(other);
}

/* Each edit is done or leaves everything unchanged; the result opens and is understood. */
void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    mst_document *document = fuzz_open(in, &memory);
    mst_diagnostic why;
    for (int round = 0; document && round < 4; round++) {
        fuzz_sample sample;
        MUST(fuzz_take_sample(document, &in->random, false, &sample), NULL);
        if (!sample.count)
            break;
        const fuzz_thing *thing = &sample.things[fuzz_below(&in->random, sample.count)];
        mst_value value;
        MUST(mst_find(mst_root(document), thing->path, &value, &why), &why);
        size_t length;
        char *own = fuzz_json_of(&value, true, &length);
        HOLDS(own);
        fuzz_files before = fuzz_files_of(document);
        bool same;
        size_t held = memory.bytes;
        if (fuzz_below(&in->random, 16) == 0)
            memory.fail_at = memory.calls + 1 + fuzz_below(&in->random, 12);
        mst_status status = edit(document, thing, own, in, &same);
        memory.fail_at = 0;
        if (status == MST_OK) {
            fuzz_is_understood(document);
            /* in archives, the bytes between blocks are made again; masks are derived from edited values */
            if (same && strncmp(mst_document_format(document)->id, "ns2", 3) == 0)
                HOLDS(fuzz_same_files(document, &before));
        } else {
            HOLDS(fuzz_same_files(document, &before));
            HOLDS(memory.bytes == held);
        }
        fuzz_files_free(&before);
        free(own);
    }
    if (document)
        is_told_elsewhere(document, in);
    fuzz_close(document, in, &memory, 128);
}
