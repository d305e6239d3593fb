/* SPDX-License-Identifier: MIT */
#include "revenant_documents.h"

mst_status try_named(const writer *w, const char *name, mst_document **document, mst_diagnostic *why) {
    mst_open_options options = {.size = sizeof options, .name = name};
    return mst_open_memory(w->data, w->size, &options, document, why);
}

writer written(const sector *s) {
    writer w = {0};
    write_sector(&w, s);
    return w;
}

void assert_is_sector(const mst_document *d, const sector *s) {
    writer w = written(s);
    assert_same_bytes(d, w.data, w.size);
    writer_free(&w);
}

void right_hash(sector *s) {
    s->state_hash = s->version >= 14 ? sector_hash(s, 44, 3, 5) : 0;
}

void deep(uint32_t version, uint32_t depth, writer *w) {
    sector_object one = sector_thing(SECTOR_CONTAINER, SECTOR_IMMOBILE, "");
    sector_source r = {.s = {.version = version, .objects = &one, .object_count = 1}};
    writer single = {0};
    one.has_inventory = true;
    put_sector_object(&single, &r.s, &one, "x");
    put_bytes_of(w, "MAP ", 4);
    put_u32(w, version);
    if (version >= 14)
        put_u32(w, 0);
    put_u32(w, 1);
    size_t sizes = version >= 8 ? 8 : 6, header = version >= 14 ? 12 : version >= 8 ? 10 : 8;
    for (uint32_t i = 0; i < depth; i++) {
        uint8_t *place = put(w, single.size);
        memcpy(place, single.data, single.size);
        uint32_t left = depth - 1 - i;
        mst_store32(place + single.size - 4, left > 0, false);
        if (version >= 4) {
            size_t body = single.size - header - 4, last = 4 + left * single.size;
            mst_store16(place + sizes, (uint16_t)(body + last), false);
            assert_true(body + last <= INT16_MAX);
            if (version >= 14)
                mst_store16(place + sizes + 2, (uint16_t)last, false);
        }
    }
    writer_free(&single);
}

mst_status find_exits(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    if (strcmp(name, "exit.def") != 0)
        return MST_UNKNOWN;
    *bytes = exit_def;
    *size = sizeof exit_def - 1;
    return MST_OK;
}

void good_sector(sector_source *r, uint32_t version) {
    full_sector(r, version);
    r->objects[7].tail_size = r->objects[7].inventory_tail_size = 0;
    right_hash(&r->s);
}

void check_with(const mst_document *d, bool classes, bool exits, findings *list, mst_check_result *result) {
    mst_resolver resolver = {.find = find_exits};
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_diagnostic why;
    if (classes) {
        options.schema = class_def;
        options.schema_size = sizeof class_def - 1;
    }
    if (exits)
        options.sidecars = &resolver;
    MUST(mst_check(d, &options, collect, list, result, &why), &why);
}
