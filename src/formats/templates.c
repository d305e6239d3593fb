/* SPDX-License-Identifier: MIT */
/* The formats of which new files can be made. */
#include "alien/alien.h"
#include "ns2/ns2.h"
#include "revenant/revenant.h"
#include "sfa/sfa.h"
#include "turok/turok.h"

const mst_templates_of mst_all_templates[] = {
    {&mst_format_ns2_level, mst_ns2_templates},
    {&mst_format_alien_map, mst_alien_templates},
    {&mst_format_revenant_sector, mst_revenant_templates},
    {&mst_format_turok_map, mst_turok_templates},
    {&mst_format_sfa_romlist, mst_sfa_templates},
    {NULL, NULL},
};
