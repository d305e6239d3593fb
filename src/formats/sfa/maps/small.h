/* SPDX-License-Identifier: MIT */
/* Checks shared by the small tables. */
#ifndef MST_FORMATS_SFA_SMALL_H
#define MST_FORMATS_SFA_SMALL_H

#include "../../../schema/engine.h"

/* The checked document is TRKBLK.tab, with `count` numbers before its end mark. */
mst_status mst_sfa_check_block_counts(mst_checker *checker, uint32_t count);

#endif
