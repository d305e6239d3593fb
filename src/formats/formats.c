/* SPDX-License-Identifier: MIT */
/* All formats, one line each. Recognition asks them in this order. */
#include "ns2/ns2.h"

const mst_format *const mst_formats[] = {
    &mst_format_ns2_level,
    &mst_format_ns2_clip,
    NULL,
};
