/* SPDX-License-Identifier: MIT */
/* Names of numbers and bits in Revenant's sectors, and their meanings. */
#ifndef MST_REVENANT_REVENANT_NAMES_H
#define MST_REVENANT_REVENANT_NAMES_H

#include "../../tables/schema.h"

/* The meanings are in the order of the names. */
extern const mst_enum mst_revenant_class_names, mst_revenant_early_class_names, mst_revenant_flag_names,
    mst_revenant_light_flag_names, mst_revenant_exit_flag_names, mst_revenant_action_names;
extern const char *const mst_revenant_class_meanings[], *const mst_revenant_early_class_meanings[],
                                                            *const mst_revenant_flag_meanings[],
                                                                *const mst_revenant_light_flag_meanings[],
                                                                    *const mst_revenant_exit_flag_meanings[],
                                                                        *const mst_revenant_action_meanings[];

#define NAMED(one) .names = &mst_revenant_##one##_names, .meanings = mst_revenant_##one##_meanings

#endif
