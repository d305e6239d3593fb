/* SPDX-License-Identifier: MIT */
#include "work.h"
#include "../core/text.h"
#include <string.h>

void mst_scene_limit(mst_scene_builder *builder, const mst_scene_options *options, uint64_t size) {
    const size_t min = (size_t)4 << 20;
    builder->arena.budget = options->budget                ? options->budget
                            : size < (SIZE_MAX - min) / 64 ? (size_t)size * 64 + min
                                                           : SIZE_MAX;
}

const mst_scene_options *mst_scene_start(mst_scene_builder *builder, const mst_scene_options *options,
                                         uint64_t size, float unit_metres) {
    static const mst_scene_options standard = {.size = sizeof standard};
    options = options ? options : &standard;
    mst_scene_begin(builder, &options->allocator, 0);
    mst_scene_limit(builder, options, size);
    mst_node *top = mst_scene_node(builder, mst_scene_add_node(builder, -1, "level", MST_ROLE_GROUP));
    if (top)
        top->scale[0] = top->scale[1] = top->scale[2] = unit_metres;
    return options;
}

int32_t mst_scene_add_group(mst_scene_builder *builder, int32_t parent, const char *name, const char *layer) {
    int32_t index = mst_scene_add_node(builder, parent, name, MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(builder, index);
    if (node)
        node->layer = layer;
    return index;
}

void mst_extra_begin(mst_extra_list *list, mst_scene_builder *scene) {
    *list = (mst_extra_list){scene, mst_scene_array(scene, sizeof(mst_extra))};
}

static void add_extra(mst_extra_list *list, mst_extra extra) {
    mst_extra *added = mst_scene_push(list->scene, &list->items, 1);
    if (added)
        *added = extra;
}

void mst_extra_real(mst_extra_list *list, const char *name, double value) {
    add_extra(list, (mst_extra){.name = name, .kind = MST_EXTRA_REAL, .real = value, .text = ""});
}

void mst_extra_integer(mst_extra_list *list, const char *name, int64_t value) {
    if (value > INT32_MAX)
        mst_extra_real(list, name, (double)value);
    else
        add_extra(list, (mst_extra){
                            .name = name, .kind = MST_EXTRA_INTEGER, .integer = (int32_t)value, .text = ""});
}

void mst_extra_text(mst_extra_list *list, const char *name, const char *text) {
    add_extra(list, (mst_extra){.name = name, .kind = MST_EXTRA_TEXT, .text = text});
}

void mst_extra_some_text(mst_extra_list *list, const char *name, const char *text) {
    if (*text)
        mst_extra_text(list, name, text);
}

mst_extras mst_extra_take(mst_extra_list *list) {
    size_t count = list->items.count;
    list->items.count = 0;
    const mst_extra *kept = mst_scene_copy(list->scene, list->items.items, count, sizeof *kept);
    return kept ? (mst_extras){kept, count} : (mst_extras){0};
}

void mst_scene_stem(const char *file, char *name, size_t capacity) {
    const char *dot = strrchr(file, '.');
    size_t length = dot && dot > file ? (size_t)(dot - file) : strlen(file);
    length = mst_utf8_cut(file, length, capacity - 1);
    memcpy(name, file, length);
    name[length] = 0;
}

const mst_map *mst_scene_keep_map(mst_scene_builder *builder, const mst_map *map, const mst_array *lines) {
    static const mst_map none = {0};
    mst_map *own = map || lines->count ? mst_scene_copy(builder, map ? map : &none, 1, sizeof *map) : NULL;
    if (own) {
        own->lines = mst_scene_copy(builder, lines->items, lines->count, sizeof *own->lines);
        own->line_count = lines->count;
    }
    return own;
}
