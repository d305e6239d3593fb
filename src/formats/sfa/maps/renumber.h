/* SPDX-License-Identifier: MIT */
/* Inserting and removing blocks in all files of a set. */
#ifndef MST_FORMATS_SFA_RENUMBER_H
#define MST_FORMATS_SFA_RENUMBER_H

#include "../../../edit/numbered.h"

/* Changes the files of the set for a block that is inserted into or removed from a bank: edit.renumber_files
 * of banks. MST_REFUSED: cells show the block, files are missing, or the game has no room. */
mst_status mst_sfa_renumber_blocks(const mst_renumbering *what, mst_diagnostic *diagnostic);

/* For lists whose elements describe blocks. */
#define MST_SFA_NUMBERED .reaches = mst_is_list_of_root, .resize = mst_set_numbered /* of mst_edit_hooks */
#define MST_SFA_NUMBERED_BY_BLOCKS                                                                           \
    &(const mst_set_rules) {                                                                                 \
        .numbered_by = "the bank of the block, modN.zlb.bin"                                                 \
    }

#endif
