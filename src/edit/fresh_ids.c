/* SPDX-License-Identifier: MIT */
#include "fresh_ids.h"
#include "../check/refers.h"
#include "../core/json.h"
#include "../core/number.h"

static mst_status add(mst_fresh_ids *ids, uint64_t id) {
    uint32_t *times = mst_hash_map_add(&ids->times, mst_key_number(id));
    if (!times)
        return MST_NO_MEMORY;
    ++*times;
    bool negative = ids->is_signed && id > ids->last >> 1;
    if (id >= ids->next && id != ids->last && !negative && !mst_is_no_key(&ids->none, id))
        ids->next = id + 1;
    return MST_OK;
}

mst_status mst_fresh_ids_begin(mst_fresh_ids *ids, const mst_value *list, const char *key, mst_arena *arena) {
    mst_value element, value;
    mst_status status = MST_OK;
    uint64_t id;
    *ids = (mst_fresh_ids){.key = key, .times.allocator = mst_arena_allocator(arena)};
    mst_no_keys_of(list->document->format, mst_field_of(list), &ids->none);
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &element);) {
        if (mst_member(&element, key, &value) != MST_OK)
            continue;
        if (!mst_is_number(mst_field_of(&value)))
            return MST_UNSUPPORTED;
        ids->last = mst_bits_in(mst_field_of(&value));
        ids->is_signed = mst_is_signed(mst_field_of(&value)->kind);
        if (mst_refers_id_of(&element, key, &id))
            status = add(ids, id);
    }
    return status;
}

mst_status mst_fresh_ids_renew(mst_fresh_ids *ids, const char **json, mst_arena *arena) {
    mst_json given;
    const char *text = *json;
    uint64_t own;
    int64_t negative;
    mst_status status = mst_json_parse(text, strlen(text), arena, &given, NULL);
    if (status != MST_OK)
        return status;
    const uint32_t at = mst_json_find_member(&given, ids->key);
    const mst_json_node *number = &given.nodes[at];
    if (!at || number->kind != MST_JSON_NUMBER || ids->next >= ids->last >> ids->is_signed)
        return MST_UNSUPPORTED;
    if (!mst_read_u64(number->text, number->length, &own)) {
        if (!ids->is_signed || !mst_read_i64(number->text, number->length, &negative))
            return MST_UNSUPPORTED;
        own = (uint64_t)negative & ids->last;
    }
    const uint32_t *times = mst_hash_map_find(&ids->times, mst_key_number(own));
    bool renews = times && *times == 1 && own != ids->last && !mst_is_no_key(&ids->none, own);
    if (!renews)
        return add(ids, own);
    own = ids->next;
    *json = mst_arena_printf(arena, "%.*s%llu%s", (int)(number->text - text), text, (unsigned long long)own,
                             number->text + number->length);
    return *json ? add(ids, own) : MST_NO_MEMORY;
}
