/* SPDX-License-Identifier: MIT */
/* The blocks that the cells of maps show. */
#include "../../../core/unreachable.h"
#include "../block/blocks.h"
#include "sfa_map.h"
#include <stdio.h>

void mst_sfa_use_blocks(mst_sfa_scene_work *w, mst_sfa_used_blocks *used, const mst_sfa_map_view *map) {
    for (uint32_t i = 0; i < map->cell_count; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(map, i);
        if (!mst_sfa_shows_block(cell) || MST_UNREACHABLE(cell.sub >= MST_SFA_SUBS)) /* six bits */
            continue;
        mst_sfa_used_directory **directory = &used->directories[cell.mod];
        if (!*directory)
            *directory = mst_scene_scratch(w->build, 1, sizeof **directory);
        if (!*directory)
            return;
        mst_sfa_used_block **block = &(*directory)->blocks[cell.sub];
        if (*block)
            continue;
        *block = mst_scene_scratch(w->build, 1, sizeof **block);
        if (!*block)
            return;
        if (used->first_blocks.directories)
            (*block)->number = mst_sfa_block_number(&used->first_blocks, cell.mod, cell.sub);
        used->count++;
    }
}

/* Makes the blocks with a number: several cells may refer to the same block, as numbers are clamped. */
static void make_number(mst_sfa_scene_work *w, const mst_sfa_used_directory *directory, uint32_t number,
                        const uint8_t *image, uint64_t size, const char *file,
                        mst_sfa_scene_textures *textures) {
    const mst_sfa_used_block *like = NULL;
    for (unsigned sub = 0; mst_scene_ok(w->build) && sub < MST_SFA_SUBS; sub++) {
        mst_sfa_used_block *block = directory->blocks[sub];
        if (!block || block->number != number)
            continue;
        mst_scene_source source = {file, mst_scene_printf(w->build, MST_SFA_BANK_BLOCK, (unsigned)number),
                                   MST_NO_INDEX};
        if (like)
            block->block = like->block;
        else
            mst_sfa_scene_block_make(w, image, size, &source, textures, &block->block);
        like = block;
    }
}

static void make_directory(mst_sfa_scene_work *w, mst_sfa_used_directory *used, bool numbered, int mod) {
    const char *directory = mst_sfa_directory_of(mod)->name;
    char name[40], state[160];
    snprintf(name, sizeof name, "mod%d.zlb.bin", mst_sfa_file_number(mod));
    mst_document *bank = mst_sfa_scene_open(w, directory, name, "sfa-blocks", state, sizeof state);
    if (!bank) {
        used->bank = mst_scene_printf(w->build, "%s", state);
        return;
    }
    mst_sfa_scene_textures textures;
    mst_sfa_scene_textures_begin(w, directory, &textures);
    if (!textures.bank)
        used->textures = mst_scene_printf(w->build, "%s", textures.state);
    const char *file = mst_scene_printf(w->build, "%s/%s", directory, name);
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(bank->data, bank->size, false);
    for (; mst_scene_ok(w->build) && mst_sfa_bank_next(&cursor); numbered = true) {
        if (!numbered) /* without TRKBLK.tab, the bank's first block is its directory's */
            for (unsigned sub = 0; sub < MST_SFA_SUBS; sub++)
                if (used->blocks[sub])
                    used->blocks[sub]->number = cursor.index + sub;
        if (!cursor.kept)
            make_number(w, used, cursor.index, bank->data + cursor.content, cursor.content_size, file,
                        &textures);
    }
    mst_sfa_scene_textures_end(&textures);
    mst_close(bank);
}

void mst_sfa_make_blocks(mst_sfa_scene_work *w, mst_sfa_used_blocks *used) {
    for (int mod = 0; mst_scene_ok(w->build) && mod < MST_SFA_DIRECTORIES; mod++)
        if (used->directories[mod])
            make_directory(w, used->directories[mod], used->first_blocks.directories != 0, mod);
}
