/* SPDX-License-Identifier: MIT */
#include "../../core/diagnose.h"
#include "turok.h"
mst_status mst_turok_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    (void)document;
    (void)options;
    (void)scene;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "not yet");
}
