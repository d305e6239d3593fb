/* SPDX-License-Identifier: MIT */
/* The room of Natural Selection 2: what its parts tell each other. */
#ifndef MST_FORMATS_NS2_H
#define MST_FORMATS_NS2_H

#include "../../schema/engine.h"

extern const mst_format mst_format_ns2_level, mst_format_ns2_clip;

#define MST_NS2_CODES 33
extern const mst_code_information mst_ns2_codes[MST_NS2_CODES];

mst_status mst_ns2_check(mst_checker *checker);
mst_status mst_ns2_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                         mst_diagnostic *diagnostic);
mst_status mst_ns2_clip_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic);

#endif
