/* SPDX-License-Identifier: MIT */
/* Shared by the checks of levels, meshes and entities: lists, ids, layer words and unknown chunks. */
#include "ns2_check.h"

void *mst_ns2_push(mst_ns2_level *level, mst_ns2_list *list, size_t size) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 32;
        void *items = mst_arena_take(&level->checker->scratch, capacity, size);
        if (!items)
            return NULL;
        if (list->count)
            memcpy(items, list->items, list->count * size);
        list->items = items;
        list->capacity = capacity;
    }
    return (uint8_t *)list->items + list->count++ * size;
}

mst_status mst_ns2_read_ids(mst_ns2_level *l, const mst_value *table, mst_ns2_ids *list) {
    mst_value entry;
    uint64_t count = mst_count(table);
    list->items = mst_arena_take(&l->checker->scratch, (size_t)count, sizeof *list->items);
    if (!list->items)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(table); mst_next(&it, &entry); list->count++) {
        if (MST_CHANGED(list->count == count)) /* the iterator yields `count` elements */
            break;
        list->items[list->count] = (mst_ns2_id){(uint32_t)mst_number_in(&entry, "id"), (uint32_t)list->count};
    }
    list->count = mst_ns2_ids_sort(list->items, list->count);
    return MST_OK;
}

mst_status mst_ns2_check_layer_format(mst_ns2_level *l, uint32_t number, uint64_t offset, const char *path) {
    if (number == MST_NS2_LAYER_FORMAT)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_at(l->checker, offset, 4, "%s", path);
    MST_SET(finding->expected, "%u", MST_NS2_LAYER_FORMAT);
    MST_SET(finding->found, "%u", number);
    MST_REPORT(l->checker, "NS2-LAYER-FORMAT");
    return MST_OK;
}

/* Whether the record has chunks of that id: then an unknown chunk with the id is a duplicate. */
static bool is_known(const mst_record *record, uint64_t id) {
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_chunks *chunks = record->fields[f].chunks;
        for (uint8_t c = 0; chunks && c < chunks->case_count; c++)
            if (chunks->cases[c].id == id)
                return true;
    }
    return false;
}

mst_status mst_ns2_check_chunks(mst_ns2_level *l, const mst_value *record, const char *path) {
    mst_value list, chunk;
    if (mst_member(record, "unknown_chunks", &list) != MST_OK)
        return MST_OK; /* a setting of another kind has no chunks */
    const mst_record *root = l->checker->document->format->tables.root, *table = mst_field_of(record)->record;
    if (!table) /* the document itself */
        table = root;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &chunk); index++) {
        uint64_t id = mst_number_in(&chunk, "id");
        bool duplicate = is_known(table, id), mesh = duplicate && table == root && id == MST_NS2_MESH;
        const char *code = mesh ? "NS2-MESH-COUNT" : duplicate ? "NS2-CHUNK-TWICE" : "NS2-CHUNK-UNKNOWN";
        mst_status status;
        if (mst_checker_counts(l->checker, code, &status)) {
            if (status != MST_OK)
                return status;
            continue;
        }
        mst_diagnostic *finding = mst_finding_of(l->checker, &chunk, "%s%sunknown_chunks[%llu]", path,
                                                 *path ? "." : "", (unsigned long long)index);
        MST_SET(finding->found, "%llu", (unsigned long long)id);
        if (mesh)
            MST_SET(finding->message, "the level has more than one mesh: known levels have one");
        MST_REPORT(l->checker, code);
    }
    return MST_OK;
}
