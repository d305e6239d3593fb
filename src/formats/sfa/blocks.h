/* SPDX-License-Identifier: MIT */
/* Block models in files, for those that draw them. */
#ifndef MST_SFA_BLOCKS_H
#define MST_SFA_BLOCKS_H

#include "block.h"
#include "entry.h"

extern const mst_sfa_content mst_sfa_block_content;

/* The image of a block: of the one in a document of a single block, or of the one of that number in a bank. */
bool mst_sfa_block_in(const mst_document *document, uint32_t number, const uint8_t **image, uint64_t *size);

#endif
