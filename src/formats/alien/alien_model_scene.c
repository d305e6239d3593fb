/* SPDX-License-Identifier: MIT */
/* Files of models of Alien Trilogy as scenes: the models side by side, in the order of the file. */
#include "../../core/text.h"
#include "../present.h"
#include "alien_stock.h"
#include "stock_files.h"
#include <stdio.h>

#define GAP     64.0F /* between models, in units */
#define MENU    MST_ALIEN_PAGE_FILES
#define NO_FILE (MENU + 1) /* for files with other names */
#define LISTS   100        /* BX00 to BX99 */

/* The rectangles of one list. */
typedef struct window {
    uint32_t first, count;
} window;

typedef struct show_state {
    mst_scene_builder *builder;
    const mst_scene_options *options;
    mst_alien_work works[NO_FILE + 1];
    bool begun[NO_FILE + 1], boxes, pickups, menu;
    window lists[LISTS]; /* of the menu's textures, by number */
    uint64_t size;       /* of all files */
    float right;         /* left edge of the next model */
} show_state;

/* The number in a model's name; -1: none. */
static int number_of(const char name[4]) {
    int number = 0;
    for (int i = 1; i < 4; i++) {
        if (name[i] < '0' || name[i] > '9')
            return -1;
        number = number * 10 + name[i] - '0';
    }
    return number;
}

/* Which file a model's textures are in; NO_FILE: it is not known. */
static unsigned pages_of(const show_state *s, int number) {
    return number < 0   ? NO_FILE
           : s->boxes   ? mst_alien_box_pages(number)
           : s->pickups ? MST_ALIEN_PICKUP_PAGES
           : s->menu    ? MENU
                        : NO_FILE;
}

static void find_lists(show_state *s, const mst_document *textures) {
    const mst_value root = mst_root(textures), lists = mst_member_in(&root, "rectangle_lists");
    mst_value list;
    uint32_t first = 0;
    for (mst_iterator it = mst_iterate(&lists); mst_next(&it, &list);) {
        const mst_value name = mst_member_in(&list, "name"), all = mst_member_in(&list, "rectangles");
        const char *letters = (const char *)mst_bytes_in(&name, 4);
        const int number = (letters[2] - '0') * 10 + letters[3] - '0';
        const uint32_t count = (uint32_t)mst_count(&all);
        if (number >= 0 && number < LISTS)
            s->lists[number] = (window){first, count};
        first += count;
    }
}

/* The file of pages; `name` receives its name. */
static mst_status find_pages(const show_state *s, unsigned pages, char name[MST_ALIEN_FILE],
                             const void **bytes, size_t *size) {
    if (pages < MENU)
        return mst_alien_find_pages(s->options->sidecars, pages, name, bytes, size);
    snprintf(name, MST_ALIEN_FILE, "GFX/OPTGFX.BND");
    return mst_alien_find(s->options->sidecars, name, bytes, size);
}

static mst_alien_work *work_of(show_state *s, unsigned pages) {
    static const char *const labels[NO_FILE + 1] = {"pickups_", "panel_0_", "panel_1_", "menu_", NULL};
    mst_alien_work *work = &s->works[pages];
    if (s->begun[pages])
        return work;
    s->begun[pages] = true;
    work->builder = s->builder;
    work->label = labels[pages];
    mst_alien_begin_materials(work);
    char name[MST_ALIEN_FILE];
    const void *bytes;
    size_t size;
    if (pages == NO_FILE || s->options->no_assets || find_pages(s, pages, name, &bytes, &size) != MST_OK)
        return work;
    const mst_open_options how = {
        .size = sizeof how, .format = "alien-gfx", .name = name, .allocator = s->options->allocator};
    s->size += size;
    mst_scene_limit(s->builder, s->options, s->size);
    mst_document *document = NULL;
    mst_status status = mst_open_memory(bytes, size, &how, &document, NULL);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(s->builder);
    if (status == MST_OK && !s->options->no_textures)
        mst_alien_take_textures(work, document);
    if (status == MST_OK && pages == MENU)
        find_lists(s, document);
    mst_close(document);
    return work;
}

/* The extent of a mesh along X. */
static void extent(const mst_primitive *primitives, size_t count, float *low, float *high) {
    *low = *high = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < primitives[i].vertex_count; k++) {
            const float x = primitives[i].positions[3 * (size_t)k];
            *low = x < *low ? x : *low;
            *high = x > *high ? x : *high;
        }
}

static void add_one(show_state *s, const mst_value *model, uint64_t index) {
    mst_value name = mst_member_in(model, "name");
    const char *letters = (const char *)mst_bytes_in(&name, 4);
    const int number = number_of(letters);
    mst_alien_work *work = work_of(s, pages_of(s, number));
    const char *path = mst_scene_printf(s->builder, "models[%llu].quads", (unsigned long long)index);
    mst_primitive *primitives;
    if (!mst_scene_ok(s->builder))
        return;
    mst_alien_rectangle *const all = work->rectangles;
    const uint32_t all_count = work->rectangle_count;
    if (s->menu && number >= 0 && all) { /* model 7 has the textures of list BX07 */
        const window list = number < LISTS ? s->lists[number] : (window){0, 0};
        work->rectangles += list.first;
        work->rectangle_count = list.count;
    }
    const size_t count = mst_alien_primitives(work, model, path, &primitives);
    work->rectangles = all;
    work->rectangle_count = all_count;
    const char *text = mst_scene_text(s->builder, letters, 4);
    const mst_mesh mesh = {.name = text, .primitives = primitives, .primitive_count = count};
    const int32_t made = count ? mst_scene_add_mesh(s->builder, &mesh) : -1;
    mst_node *node = mst_scene_node(s->builder, mst_scene_add_node(s->builder, 0, text, MST_ROLE_GEOMETRY));
    if (!node)
        return;
    float low, high;
    extent(primitives, count, &low, &high);
    node->mesh = made;
    node->source = (mst_scene_source){.path = "models", .index = (uint32_t)index};
    node->translation[0] = s->right - low;
    s->right += high - low + GAP;
}

mst_status mst_alien_model_scene(const mst_document *document, const mst_scene_options *options,
                                 mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_extras_builder extras;
    char stem[64];
    options = mst_scene_start(&builder, options, document->size, 1 / MST_ALIEN_UNITS);
    mst_scene_stem(document->name, stem, sizeof stem);
    show_state s = {.builder = &builder,
                    .options = options,
                    .size = document->size,
                    .boxes = mst_same_text(stem, "OBJ3D"),
                    .pickups = mst_same_text(stem, "PICKMOD"),
                    .menu = mst_same_text(stem, "OPTOBJ")};
    const mst_value root = mst_root(document), list = mst_member_in(&root, "models");
    mst_value model;
    uint64_t index = 0, left_out = 0;
    for (mst_iterator it = mst_iterate(&list); mst_scene_ok(&builder) && mst_next(&it, &model); index++)
        add_one(&s, &model, index);
    for (unsigned i = 0; i <= NO_FILE; i++)
        left_out += s.works[i].left_out;
    mst_extras_begin(&extras, &builder);
    if (left_out)
        mst_extras_integer(&extras, "faces_not_shown", (int64_t)left_out);
    const mst_scene settings = {.name = stem,
                                .format = document->format->information.id,
                                .extras = mst_extras_end(&extras),
                                .unit_metres = 1 / (double)MST_ALIEN_UNITS,
                                .object = MST_OBJECT_BODY};
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
