/* SPDX-License-Identifier: MIT */
/* Whether a .gltf fits the files next to it, for `mapstone check`. */
#ifndef MST_EXPORT_GLTF_CHECK_H
#define MST_EXPORT_GLTF_CHECK_H

#include <mapstone/document.h>

/*
 * Compares the sizes that a .gltf gives for its buffers with the sizes of the files, which `beside` finds: a
 * .gltf and a .bin that were not written together are reported (GLTF-BUFFER, GLTF-BUFFER-LONGER). Nothing
 * else is checked; embedded buffers, and those with absolute URIs, are ignored. MST_DAMAGED: not JSON;
 * MST_UNSUPPORTED: this build does not read JSON; else the status that `report` or `beside` returned.
 */
mst_status mst_gltf_check(const char *text, size_t size, const mst_resolver *beside,
                          mst_report_function report, void *user, mst_diagnostic *diagnostic);
/* The codes that it reports; NULL past the end. */
const mst_code_information *mst_gltf_code_at(size_t index);

#endif
