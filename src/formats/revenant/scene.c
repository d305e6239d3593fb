/* SPDX-License-Identifier: MIT */
#include "../../core/diagnose.h"
#include "revenant.h"
mst_status mst_revenant_scene(const mst_document *const *documents, size_t count,
                              const mst_scene_options *options, mst_scene **scene,
                              mst_diagnostic *diagnostic) {
    (void)documents;
    (void)count;
    (void)options;
    (void)scene;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "not yet");
}
