/* SPDX-License-Identifier: MIT */
/* All formats; files are probed in this order. */
#include "alien/alien.h"
#include "ns2/ns2.h"
#include "revenant/imagery/imagery.h"
#include "revenant/revenant.h"
#include "sfa/sfa.h"
#include "spark/spark.h"
#include "turok/models/models.h"
#include "turok/turok.h"

const mst_format *const mst_formats[] = {&mst_format_ns2_level,
                                         &mst_format_alien_map,
                                         &mst_format_alien_gfx,
                                         &mst_format_alien_models,
                                         &mst_format_revenant_sector,
                                         &mst_format_revenant_def,
                                         &mst_format_revenant_save,
                                         &mst_format_revenant_image,
                                         &mst_format_revenant_model,
                                         &mst_format_revenant_headers,
                                         &mst_format_sfa_mapinfo,
                                         &mst_format_sfa_globalma,
                                         &mst_format_sfa_trkblk,
                                         &mst_format_sfa_warptab,
                                         &mst_format_sfa_objindex,
                                         &mst_format_sfa_textable,
                                         &mst_format_turok_map,
                                         &mst_format_ns2_clip,
                                         &mst_format_iguana,
                                         &mst_format_sfa_blocks,
                                         &mst_format_sfa_block,
                                         &mst_format_sfa_textures,
                                         &mst_format_sfa_texture,
                                         &mst_format_sfa_romlist,
                                         &mst_format_sfa_maps,
                                         &mst_format_sfa_hits,
                                         &mst_format_spark_model,
                                         &mst_format_dds,
                                         &mst_format_spark_material,
                                         &mst_format_turok_material,
                                         &mst_format_turok_animation,
                                         &mst_format_alien_sprites,
                                         &mst_format_alien_palette,
                                         &mst_format_alien_shades,
                                         &mst_format_alien_matches,
                                         &mst_format_turok_model,
                                         &mst_format_sfa_voxmap,
                                         &mst_format_sfa_packed,
                                         &mst_format_alien_picture,
                                         &mst_format_sfa_kept,
                                         &mst_format_sfa_table,
                                         &mst_format_ns2_overview,
                                         NULL};
