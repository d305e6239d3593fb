/* SPDX-License-Identifier: MIT */
/* The formats of Star Fox Adventures. */
#ifndef MST_FORMATS_SFA_H
#define MST_FORMATS_SFA_H

#include "../../tables/schema.h"

extern const mst_format mst_format_sfa_mapinfo, mst_format_sfa_globalma, mst_format_sfa_trkblk,
    mst_format_sfa_warptab, mst_format_sfa_objindex, mst_format_sfa_textable, mst_format_sfa_romlist,
    mst_format_sfa_packed, mst_format_sfa_table, mst_format_sfa_kept, mst_format_sfa_textures,
    mst_format_sfa_texture, mst_format_sfa_blocks, mst_format_sfa_block;
extern const mst_format mst_format_sfa_maps, mst_format_sfa_hits, mst_format_sfa_voxmap;
extern const mst_compared mst_sfa_compared[];

/* The sources of the facts. */
#define MST_SFA_SOURCES(measured)                                                                            \
    "[Notes on the game](https://github.com/RenaKunisaki/StarFoxAdventures/wiki/Maps), its code as others "  \
    "have published it. Measured: " measured ".\n"

#endif
