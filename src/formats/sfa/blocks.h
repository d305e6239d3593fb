/* SPDX-License-Identifier: MIT */
/* Block models in files, for those that draw them. */
#ifndef MST_SFA_BLOCKS_H
#define MST_SFA_BLOCKS_H

#include "block.h"
#include "entry.h"

extern const mst_sfa_content mst_sfa_block_content;
/* For the codes of a format that holds blocks. */
#define MST_SFA_BLOCK_CODES                                                                                  \
    {"SFA-BLOCK-HEADER", MST_ERROR,                                                                          \
     "the block's header makes no sense, or it has another size than it says"},                              \
        {"SFA-BLOCK-OFFSET", MST_ERROR, "an array of the block lies outside of it"},                         \
        {"SFA-BLOCK-COUNT", MST_ERROR,                                                                       \
         "a polygon names a position, or the groups polygons, that there are not"},                          \
        {"SFA-STREAM", MST_ERROR, "a stream of drawing operations has no end, or one that there is not"},    \
        {"SFA-LIST", MST_ERROR,                                                                              \
         "a display list is not there, or has a command or an index that there is not"},                     \
        {"SFA-BLOCK-SIZE", MST_WARNING, "the block is larger than the game takes"},                          \
        {"SFA-GROUP-ORDER", MST_WARNING, "the first polygons of groups fall"},                               \
        {"SFA-BLOCK-OVERLAP", MST_WARNING, "arrays overlap, or lie in another order than usual"},            \
        {"SFA-LIST-UNUSED", MST_WARNING, "no stream draws the display list"},                                \
        {"SFA-SHADER-INDEX", MST_WARNING, "a shader is not there, or not the one that the list names"},      \
        {"SFA-SHADER-ATTRIBUTES", MST_WARNING, "readers disagree about shaders without colours"},            \
        {"SFA-TEXTURE-INDEX", MST_WARNING, "a layer's texture is not there"},                                \
        {"SFA-BOUNDS", MST_WARNING, "a box, or the range of y, is not that of the vertices"},                \
        {"SFA-BITS", MST_WARNING, "the stored place of an operation is not where it stands"},                \
        {"SFA-SUB-BLOCKS", MST_WARNING, "the strips that a polygon touches are not those stored"},           \
        {"SFA-GEOMETRY-RANGE", MST_INFORMATION, "vertices lie outside of the block's square"}, {             \
        "SFA-NAME", MST_WARNING, "the block's name is not of the usual kind"                                 \
    }

#endif
