/* SPDX-License-Identifier: MIT */
/* The content of class.def and exit.def as the records of their tables: mst_open_content. */
#include "../../core/number.h"
#include "revenant.h"
#include "revenant_classes.h"
#include <string.h>

static void put_bytes(mst_buffer *bytes, mst_status *status, const void *data, size_t size) {
    mst_sink sink = mst_buffer_sink(bytes);
    if (*status == MST_OK && size)
        *status = sink.write(sink.user, data, size);
}

static void put_number(mst_buffer *bytes, mst_status *status, uint32_t number) {
    uint8_t four[4];
    mst_store32(four, number, false);
    put_bytes(bytes, status, four, sizeof four);
}

static void put_text(mst_buffer *bytes, mst_status *status, const char *text, size_t length) {
    put_number(bytes, status, (uint32_t)length);
    put_bytes(bytes, status, text, length);
}

static void put_string(mst_buffer *bytes, mst_status *status, const char *text) {
    put_text(bytes, status, text, strlen(text));
}

#define CLASS_NAME 64 /* bytes: it is repeated for each type, and the text may be large */

static void put_class(mst_buffer *bytes, mst_status *status, const mst_revenant_class *of) {
    size_t length = strlen(of->name);
    if (length > CLASS_NAME)
        for (length = CLASS_NAME; length && ((unsigned char)of->name[length] & 0xC0) == 0x80;)
            length--;
    put_text(bytes, status, of->name, length);
    put_number(bytes, status, (uint32_t)of->number);
}

static void put_properties(mst_buffer *bytes, mst_status *status, const mst_revenant_stat *stats,
                           uint32_t stat_count, const int32_t *values, uint32_t count) {
    put_number(bytes, status, count);
    for (uint32_t i = 0; i < count; i++) {
        char name[MST_REVENANT_STAT_NAME];
        mst_revenant_stat_name(stats, stat_count, i, name);
        put_string(bytes, status, name);
        put_number(bytes, status, (uint32_t)values[i]);
    }
}

static void put_statistics(mst_buffer *bytes, mst_status *status, const mst_revenant_class *of,
                           uint8_t owner) {
    const mst_revenant_stat *stats = owner ? of->object_stats : of->stats;
    uint32_t count = owner ? of->object_stat_count : of->stat_count;
    for (uint32_t i = 0; i < count; i++) {
        put_class(bytes, status, of);
        put_bytes(bytes, status, &owner, 1);
        put_string(bytes, status, stats[i].name);
        put_string(bytes, status, stats[i].code);
        put_number(bytes, status, (uint32_t)stats[i].initial);
        put_number(bytes, status, (uint32_t)stats[i].minimum);
        put_number(bytes, status, (uint32_t)stats[i].maximum);
    }
}

mst_status mst_revenant_pack_classes(const char *text, size_t size, mst_buffer *bytes) {
    mst_arena arena;
    mst_arena_begin(&arena, &bytes->allocator, 0);
    mst_revenant_classes classes;
    mst_status status = mst_revenant_read_classes(text, size, &arena, &classes, NULL, NULL);
    if (status == MST_OK) {
        put_number(bytes, &status, classes.type_count);
        for (uint32_t i = 0; i < classes.type_count; i++) {
            const mst_revenant_type *type = &classes.types[i];
            const mst_revenant_class *of = &classes.classes[type->class_index];
            put_class(bytes, &status, of);
            put_string(bytes, &status, type->name);
            put_number(bytes, &status, type->unique_id);
            put_string(bytes, &status, type->imagery);
            put_properties(bytes, &status, of->stats, of->stat_count, type->stats, type->stat_count);
            put_properties(bytes, &status, of->object_stats, of->object_stat_count, type->object_stats,
                           type->object_stat_count);
            put_number(bytes, &status, type->line);
        }
        uint32_t count = 0;
        for (uint32_t i = 0; i < classes.class_count; i++)
            count += classes.classes[i].stat_count + classes.classes[i].object_stat_count;
        put_number(bytes, &status, count);
        for (uint32_t i = 0; i < classes.class_count; i++) {
            put_statistics(bytes, &status, &classes.classes[i], 0);
            put_statistics(bytes, &status, &classes.classes[i], 1);
        }
    }
    mst_arena_end(&arena);
    return status;
}

static void put_three(mst_buffer *bytes, mst_status *status, bool any, const int32_t three[3]) {
    put_number(bytes, status, any ? 3 : 0);
    for (int i = 0; any && i < 3; i++)
        put_number(bytes, status, (uint32_t)three[i]);
}

mst_status mst_revenant_pack_exits(const char *text, size_t size, mst_buffer *bytes) {
    mst_status status = MST_OK;
    uint32_t count = 0;
    size_t start = bytes->size;
    put_number(bytes, &status, 0); /* replaced by the count at the end */
    for (mst_revenant_exit one = MST_REVENANT_FIRST_EXIT; mst_revenant_next_exit(text, size, &one); count++) {
        put_text(bytes, &status, one.name, one.name_length);
        put_three(bytes, &status, one.has_position, one.position);
        put_number(bytes, &status, (uint32_t)one.level);
        put_number(bytes, &status, (uint32_t)one.map_index);
        put_number(bytes, &status, (uint32_t)one.ambient);
        put_three(bytes, &status, one.has_color, one.color);
        put_number(bytes, &status, one.line);
    }
    if (status == MST_OK)
        mst_store32(bytes->data + start, count, false);
    return status;
}
