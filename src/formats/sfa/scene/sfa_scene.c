/* SPDX-License-Identifier: MIT */
/* Scenes of Star Fox Adventures: finding sidecars of a level, and the scenes of one block and of a bank of
 * them. */
#include "sfa_scene.h"
#include "../../../core/diagnose.h"
#include "../../../core/text.h"
#include "../../../core/unreachable.h"
#include "../../../read/engine.h"
#include "../block/blocks.h"
#include "../sfa_names.h"
#include <stdio.h>
#include <string.h>

#define GAP 64.0F /* between the blocks of a bank, units */

/* ---- sidecars ------------------------------------------------------------------------------------ */

/* A resolver for a directory below another resolver's. */
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
    mst_open_options options = {.size = sizeof options,
                                .format = format,
                                .name = name,
                                .allocator = w->options.allocator,
                                .sidecars = &resolver};
    if (mst_open_memory(bytes, size, &options, &document, &w->why) == MST_OK &&
        strcmp(mst_document_format(document)->id, format) == 0) {
        w->size += document->size;
        mst_scene_limit(w->build, &w->options, w->size);
        return document;
    }
    if (document)
        mst_diagnostic_set(state, capacity, "incomplete: %s%s%s", directory, slash, name);
    else
        mst_diagnostic_set(state, capacity, "damaged: %s%s%s: %s", directory, slash, name, w->why.message);
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

/* Too much for the stack, as banks are opened on top of it. */
typedef struct square {
    mst_sfa_scene_work work;
    mst_sfa_scene_textures textures;
    mst_sfa_scene_block made;
    uint32_t side, shown, unknown; /* blocks */
} square;

static void add_block(square *s, const uint8_t *image, uint64_t size, const mst_scene_source *source,
                      bool single) {
    mst_sfa_scene_block *made = &s->made;
    mst_sfa_scene_block_make(&s->work, image, size, source, &s->textures, made);
    if (!made->usable) {
        s->unknown++;
        return;
    }
    size_t column = s->shown % s->side, row = s->shown / s->side;
    float position[3] = {(float)column * (MST_SFA_BLOCK_EDGE + GAP), 0,
                         (float)row * (MST_SFA_BLOCK_EDGE + GAP)};
    s->shown++;
    int32_t node = mst_sfa_scene_block_place(&s->work, 0, made->name, position, made);
    if (!single)
        mst_sfa_scene_label(&s->work, node, made->name, MST_SFA_BLOCK_EDGE / 2, MST_SFA_BLOCK_EDGE / 2);
}

static void add_blocks(square *s, const mst_document *document, bool single) {
    mst_scene_builder *build = s->work.build;
    mst_scene_source source = {.index = MST_NO_INDEX};
    if (single) {
        const uint8_t *image = NULL;
        uint64_t size = 0, length;
        mst_sfa_entry_content(document->data, document->size, &image, &size, &length);
        source.path = "block";
        add_block(s, image, size, &source, true);
        return;
    }
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    while (mst_scene_ok(build) && mst_sfa_bank_next(&cursor)) {
        source.path = mst_scene_printf(build, MST_SFA_BANK_BLOCK, (unsigned)cursor.index);
        /* the content's size is 0 if the entry is kept */
        add_block(s, document->data + cursor.content, cursor.content_size, &source, false);
    }
}

/* Arranges the blocks of a document in a square. */
static mst_status scene_of_blocks(const mst_document *document, const mst_scene_options *options, bool single,
                                  mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder build;
    mst_extras_builder extras;
    char name[120];
    uint32_t count = 0, side = 1;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    while (!single && mst_sfa_bank_next(&cursor))
        count++;
    while (side * side < count)
        side++;
    options = mst_scene_start(&build, options, document->size, (float)MST_SFA_METRES);
    mst_sfa_scene_name(document, name, sizeof name);
    mst_scene settings = {.name = name,
                          .format = document->format->information.id,
                          .unit_metres = MST_SFA_METRES,
                          .pictured = 1};
    square *s = mst_scene_scratch(&build, 1, sizeof *s);
    if (!s)
        return mst_scene_finish(&build, &settings, scene, diagnostic);
    s->side = side;
    mst_sfa_scene_work_begin(&s->work, &build, options, document->size);
    mst_sfa_scene_textures_begin(&s->work, "", &s->textures);
    if (mst_scene_ok(&build))
        add_blocks(s, document, single);
    mst_extras_begin(&extras, &build);
    mst_extras_string(&extras, "textures", s->textures.state);
    if (s->unknown)
        mst_extras_integer(&extras, "blocks_not_shown", s->unknown);
    settings.extras = mst_extras_end(&extras);
    mst_sfa_scene_textures_end(&s->textures);
    mst_sfa_scene_work_end(&s->work);
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
