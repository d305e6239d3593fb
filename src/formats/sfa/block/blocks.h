/* SPDX-License-Identifier: MIT */
/* Packed block models, for the code that draws them. */
#ifndef MST_SFA_BLOCKS_H
#define MST_SFA_BLOCKS_H

#include "../packing/entry.h"
#include "block.h"

extern const mst_sfa_content mst_sfa_block_content;
/* For the list of codes of a format that holds blocks. */
#define MST_SFA_BLOCK_CODES                                                                                  \
    {"SFA-BLOCK-HEADER", MST_ERROR, "the block's header is invalid, or does not state the block's size"},    \
        {"SFA-BLOCK-OFFSET", MST_ERROR, "an array is outside the block"},                                    \
        {"SFA-BLOCK-COUNT", MST_ERROR,                                                                       \
         "a polygon refers to a position, or a group to polygons, that do not exist"},                       \
        {"SFA-STREAM", MST_ERROR, "a stream of drawing operations has no end, or an invalid operation"},     \
        {"SFA-LIST", MST_ERROR, "a display list does not exist, or has an invalid command or index"},        \
        {"SFA-BLOCK-SIZE", MST_WARNING,                                                                      \
         "the block is larger than the game accepts: the game does not load it"},                            \
        {"SFA-GROUP-ORDER", MST_WARNING, "the first polygons of the groups are not in ascending order"},     \
        {"SFA-BLOCK-OVERLAP", MST_WARNING, "arrays overlap, or are in an unusual order"},                    \
        {"SFA-LIST-UNUSED", MST_WARNING, "no stream draws the display list: it is invisible"},               \
        {"SFA-SHADER-INDEX", MST_WARNING,                                                                    \
         "the shader does not exist, or is not the one that the stream selects"},                            \
        {"SFA-SHADER-ATTRIBUTES", MST_WARNING, "readers disagree about shaders without colours"},            \
        {"SFA-TEXTURE-INDEX", MST_WARNING, "a layer's texture does not exist"},                              \
        {"SFA-BOUNDS", MST_WARNING, "a box, or the range of y, does not match the vertices"},                \
        {"SFA-BITS", MST_WARNING, "the bit address of an operation is wrong"},                               \
        {"SFA-SUB-BLOCKS", MST_WARNING, "sub_blocks does not match the strips that the polygon touches"},    \
        {"SFA-GEOMETRY-RANGE", MST_INFORMATION, "vertices are outside the block's square"}, {                \
        "SFA-NAME", MST_WARNING, "the block's name is not of the form mod<N>.<sub>"                          \
    }

#endif
