/* SPDX-License-Identifier: MIT */
/* Scenes of Star Fox Adventures: finding sidecars of a level, and the scenes of one block and of a bank of
 * them. */
#include "scene.h"
#include "../../../core/diagnose.h"
#include "../../../core/text.h"
#include "../../../core/unreachable.h"
#include "../../../schema/engine.h"
#include "../block/blocks.h"
#include "../names.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GAP 64.0F /* between the blocks of a bank, units */

void mst_sfa_scene_fail(mst_sfa_scene_work *w) {
    if (w->build->status == MST_OK)
        w->build->status = MST_NO_MEMORY;
}

const char *mst_sfa_scene_text(mst_scene_builder *build, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *own = mst_arena_text(&build->arena, text, strlen(text));
    if (!own)
        build->status = MST_NO_MEMORY;
    return own ? own : "";
}

/* ---- sidecars ------------------------------------------------------------------------------------ */

/* A resolver for a directory below that of another resolver. */
typedef struct inside {
    const mst_resolver *outer;
    const char *directory;
} inside;

static mst_status find_inside(void *user, const char *name, const void **bytes, size_t *size) {
    const inside *in = user;
    char path[300];
    *bytes = NULL;
    *size = 0;
    int length = snprintf(path, sizeof path, "%s%s%s", in->directory, in->directory[0] ? "/" : "", name);
    if (MST_UNREACHABLE((size_t)length >= sizeof path)) /* names of the game's files are short */
        return MST_NO_PATH;
    return in->outer->find(in->outer->user, path, bytes, size);
}

bool mst_sfa_scene_find(const mst_sfa_scene_work *w, const char *directory, const char *name,
                        const void **bytes, size_t *size) {
    if (!w->sidecars || !w->sidecars->find)
        return false;
    inside in = {w->sidecars, directory};
    return find_inside(&in, name, bytes, size) == MST_OK;
}

mst_document *mst_sfa_scene_open(const mst_sfa_scene_work *w, const char *directory, const char *name,
                                 const char *format, char *state, size_t capacity) {
    const char *slash = directory[0] ? "/" : "";
    const void *bytes;
    size_t size;
    mst_document *document = NULL;
    mst_diagnostic why;
    state[0] = 0;
    if (!mst_sfa_scene_find(w, directory, name, &bytes, &size)) {
        mst_diagnostic_set(state, capacity, "not found: %s%s%s", directory, slash, name);
        return NULL;
    }
    inside in = {w->sidecars, directory};
    mst_resolver resolver = {.find = find_inside, .user = &in};
    mst_open_options options = {
        .format = format, .name = name, .allocator = w->allocator, .sidecars = &resolver};
    if (mst_open_memory(bytes, size, &options, &document, &why) == MST_OK &&
        strcmp(mst_document_format(document)->id, format) == 0)
        return document;
    if (document)
        mst_diagnostic_set(state, capacity, "incomplete: %s%s%s", directory, slash, name);
    else
        mst_diagnostic_set(state, capacity, "damaged: %s%s%s: %s", directory, slash, name, why.message);
    mst_close(document);
    return NULL;
}

/* ---- textures ------------------------------------------------------------------------------------ */

void mst_sfa_scene_textures_begin(mst_sfa_scene_work *w, const char *directory,
                                  mst_sfa_scene_textures *textures) {
    memset(textures, 0, sizeof *textures);
    textures->entries = (mst_array){.element_size = sizeof(mst_sfa_scene_texture), .allocator = w->allocator};
    textures->first_material = w->materials.count;
    snprintf(textures->directory, sizeof textures->directory, "%s", directory);
    textures->bank =
        mst_sfa_scene_open(w, directory, "TEX1.bin", "sfa-textures", textures->state, sizeof textures->state);
    if (!textures->bank)
        return;
    snprintf(textures->state, sizeof textures->state, "%s%sTEX1.bin", directory, directory[0] ? "/" : "");
    const mst_document *bank = textures->bank;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(bank->data, bank->size, true);
    mst_sfa_scene_texture *entries = mst_array_push(&textures->entries, cursor.count);
    if (!entries) {
        mst_sfa_scene_fail(w);
        return;
    }
    memset(entries, 0, textures->entries.count * sizeof *entries);
    while (mst_sfa_bank_next(&cursor))
        if (!cursor.frame && !cursor.kept) {
            entries[cursor.index].content = cursor.content;
            entries[cursor.index].content_size = cursor.content_size;
        }
}

void mst_sfa_scene_textures_end(mst_sfa_scene_textures *textures) {
    mst_array_free(&textures->entries);
    mst_close(textures->bank);
    textures->bank = NULL;
}

/* ---- scenes -------------------------------------------------------------------------------------- */

size_t mst_sfa_scene_budget(const mst_scene_options *options, uint64_t size) {
    const size_t min = (size_t)4 << 20;
    if (options->budget)
        return options->budget;
    return size < (SIZE_MAX - min) / 64 ? (size_t)size * 64 + min : SIZE_MAX;
}

void mst_sfa_scene_name(const mst_document *document, char *name, size_t capacity) {
    const char *file = mst_document_name(document);
    const char *dot = strrchr(file, '.');
    size_t length = dot && dot > file ? (size_t)(dot - file) : strlen(file);
    if (length > 4 && strncmp(file + length - 4, ".zlb", 4) == 0)
        length -= 4;
    length = mst_utf8_cut(file, length, capacity - 1);
    memcpy(name, file, length);
    name[length] = 0;
}

mst_status mst_sfa_scene_finish(mst_scene_builder *build, const mst_scene *settings, mst_scene **scene,
                                mst_diagnostic *diagnostic) {
    return mst_scene_finish(build, settings, scene, diagnostic);
}

const mst_map *mst_sfa_scene_links(mst_scene_builder *build, const mst_array *lines) {
    if (!lines->count || build->status != MST_OK)
        return NULL;
    mst_map *map = mst_arena_zero(&build->arena, 1, sizeof *map);
    mst_map_line *own = mst_arena_take(&build->arena, lines->count, sizeof *own);
    if (!map || !own) {
        build->status = MST_NO_MEMORY;
        return NULL;
    }
    memcpy(own, lines->items, lines->count * sizeof *own);
    map->lines = own;
    map->line_count = lines->count;
    return map;
}

void mst_sfa_scene_label(mst_sfa_scene_work *w, int32_t parent, const char *text, float x, float z) {
    const char *own = mst_sfa_scene_text(w->build, "%s", text);
    mst_node *node = mst_scene_node(w->build, mst_scene_add_node(w->build, parent, "label", MST_ROLE_GROUP));
    if (!node)
        return;
    node->label = own;
    node->layer = "labels";
    node->translation[0] = x;
    node->translation[2] = z;
}

/* Arranges the blocks of a document in a square. */
static mst_status scene_of_blocks(const mst_document *document, const mst_scene_options *options, bool single,
                                  mst_scene **scene, mst_diagnostic *diagnostic) {
    static const mst_scene_options standard = {0};
    mst_scene_builder build;
    mst_sfa_scene_work w;
    mst_sfa_scene_textures textures;
    mst_extras_builder extras;
    char name[120];
    uint32_t count = 0, shown = 0, side = 1, unknown = 0;
    options = options ? options : &standard;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    while (!single && mst_sfa_bank_next(&cursor))
        count++;
    while (side * side < count)
        side++;
    /* the budget grows when the size of the textures is known */
    mst_scene_begin(&build, &options->allocator, mst_sfa_scene_budget(options, document->size));
    mst_sfa_scene_work_begin(&w, &build, options);
    mst_sfa_scene_textures_begin(&w, "", &textures);
    if (!options->budget && textures.bank)
        build.arena.budget = mst_sfa_scene_budget(options, document->size + textures.bank->size);
    mst_sfa_scene_name(document, name, sizeof name);
    mst_node *top = mst_scene_node(&build, mst_scene_add_node(&build, -1, "level", MST_ROLE_GROUP));
    if (top)
        top->scale[0] = top->scale[1] = top->scale[2] = MST_SFA_METRES;
    cursor = mst_sfa_bank_open(document->data, document->size, false);
    for (bool more = true; more && build.status == MST_OK;) {
        const uint8_t *image = NULL;
        uint64_t size = 0;
        mst_sfa_scene_block made;
        mst_scene_source source = {.index = MST_NO_INDEX};
        if (single) {
            uint64_t length;
            more = false;
            mst_sfa_entry_content(document->data, document->size, &image, &size, &length);
            source.path = "block";
        } else {
            more = mst_sfa_bank_next(&cursor);
            if (!more)
                break;
            image = document->data + cursor.content;
            size = cursor.content_size; /* 0 if the entry is kept */
            source.path = mst_sfa_scene_text(&build, MST_SFA_BANK_BLOCK, (unsigned)cursor.index);
        }
        mst_sfa_scene_block_make(&w, image, size, &source, &textures, &made);
        if (!made.usable) {
            unknown++;
            continue;
        }
        size_t column = shown % side, row = shown / side;
        float position[3] = {(float)column * (MST_SFA_BLOCK_EDGE + GAP), 0,
                             (float)row * (MST_SFA_BLOCK_EDGE + GAP)};
        shown++;
        int32_t node = mst_sfa_scene_block_place(&w, 0, made.name, position, &made);
        if (!single)
            mst_sfa_scene_label(&w, node, made.name, MST_SFA_BLOCK_EDGE / 2, MST_SFA_BLOCK_EDGE / 2);
    }
    mst_extras_begin(&extras, &build);
    mst_extras_text(&extras, "textures", textures.state, strlen(textures.state));
    if (unknown)
        mst_extras_integer(&extras, "blocks_not_shown", unknown);
    mst_scene settings = {.name = name,
                          .format = document->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .unit_metres = (double)MST_SFA_METRES,
                          .pictured = 1};
    mst_sfa_scene_textures_end(&textures);
    mst_sfa_scene_work_end(&w);
    return mst_sfa_scene_finish(&build, &settings, scene, diagnostic);
}

mst_status mst_sfa_block_scene(const mst_document *document, const mst_scene_options *options,
                               mst_scene **scene, mst_diagnostic *diagnostic) {
    return scene_of_blocks(document, options, true, scene, diagnostic);
}
mst_status mst_sfa_blocks_scene(const mst_document *document, const mst_scene_options *options,
                                mst_scene **scene, mst_diagnostic *diagnostic) {
    return scene_of_blocks(document, options, false, scene, diagnostic);
}
