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
#include <stdio.h>
#include <string.h>

#define GAP 64.0F /* between the blocks of a bank, units */

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
    const mst_resolver *sidecars = w->options.sidecars;
    if (!sidecars || !sidecars->find)
        return false;
    inside in = {sidecars, directory};
    return find_inside(&in, name, bytes, size) == MST_OK;
}

mst_document *mst_sfa_scene_open(mst_sfa_scene_work *w, const char *directory, const char *name,
                                 const char *format, char *state, size_t capacity) {
    const char *slash = directory[0] ? "/" : "";
    char ignored[1];
    const void *bytes;
    size_t size;
    mst_document *document = NULL;
    mst_diagnostic why;
    if (!state) {
        state = ignored;
        capacity = sizeof ignored;
    }
    state[0] = 0;
    if (!mst_sfa_scene_find(w, directory, name, &bytes, &size)) {
        mst_diagnostic_set(state, capacity, "not found: %s%s%s", directory, slash, name);
        return NULL;
    }
    inside in = {w->options.sidecars, directory};
    mst_resolver resolver = {.find = find_inside, .user = &in};
    mst_open_options options = {
        .format = format, .name = name, .allocator = w->options.allocator, .sidecars = &resolver};
    if (mst_open_memory(bytes, size, &options, &document, &why) == MST_OK &&
        strcmp(mst_document_format(document)->id, format) == 0) {
        w->size += document->size;
        mst_scene_limit(w->build, &w->options, w->size);
        return document;
    }
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
    textures->entries = mst_scene_array(w->build, sizeof(mst_sfa_scene_texture));
    textures->first_material = w->materials.count;
    snprintf(textures->directory, sizeof textures->directory, "%s", directory);
    textures->bank =
        mst_sfa_scene_open(w, directory, "TEX1.bin", "sfa-textures", textures->state, sizeof textures->state);
    if (!textures->bank)
        return;
    snprintf(textures->state, sizeof textures->state, "%s%sTEX1.bin", directory, directory[0] ? "/" : "");
    const mst_document *bank = textures->bank;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(bank->data, bank->size, true);
    mst_sfa_scene_texture *entries = mst_scene_push(w->build, &textures->entries, cursor.count);
    if (!entries)
        return;
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

void mst_sfa_scene_name(const mst_document *document, char *name, size_t capacity) {
    const char *file = mst_document_name(document);
    mst_scene_stem(file, name, capacity);
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".zlb") == 0)
        name[length - 4] = 0;
}

void mst_sfa_scene_label(mst_sfa_scene_work *w, int32_t parent, const char *text, float x, float z) {
    const char *own = mst_scene_printf(w->build, "%s", text);
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
    mst_scene_builder build;
    mst_sfa_scene_work w;
    mst_sfa_scene_textures textures;
    mst_extras_builder extras;
    char name[120];
    uint32_t count = 0, shown = 0, side = 1, unknown = 0;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    while (!single && mst_sfa_bank_next(&cursor))
        count++;
    while (side * side < count)
        side++;
    options = mst_scene_start(&build, options, document->size, (float)MST_SFA_METRES);
    mst_sfa_scene_work_begin(&w, &build, options, document->size);
    mst_sfa_scene_textures_begin(&w, "", &textures);
    mst_sfa_scene_name(document, name, sizeof name);
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
            source.path = mst_scene_printf(&build, MST_SFA_BANK_BLOCK, (unsigned)cursor.index);
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
    mst_extras_string(&extras, "textures", textures.state);
    if (unknown)
        mst_extras_integer(&extras, "blocks_not_shown", unknown);
    mst_scene settings = {.name = name,
                          .format = document->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .unit_metres = MST_SFA_METRES,
                          .pictured = 1};
    mst_sfa_scene_textures_end(&textures);
    mst_sfa_scene_work_end(&w);
    return mst_scene_finish(&build, &settings, scene, diagnostic);
}

mst_status mst_sfa_block_scene(const mst_document *document, const mst_scene_options *options,
                               mst_scene **scene, mst_diagnostic *diagnostic) {
    return scene_of_blocks(document, options, true, scene, diagnostic);
}
mst_status mst_sfa_blocks_scene(const mst_document *document, const mst_scene_options *options,
                                mst_scene **scene, mst_diagnostic *diagnostic) {
    return scene_of_blocks(document, options, false, scene, diagnostic);
}
