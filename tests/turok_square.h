/* SPDX-License-Identifier: MIT */
/* A Turok level without findings, from JSON. */
#ifndef MST_TESTS_TUROK_SQUARE_H
#define MST_TESTS_TUROK_SQUARE_H

#include "thorough.h"

/* A square of two sectors, one mesh in the first of two cells, the player. `%s`: the byte order, the form,
 * further members of the root. */
static const char base[] =
    "{\"$format\": \"turok-map\", \"$byte_order\": \"%s\", \"$layout\": \"%s\", \"version\": 1,\n"
    "\"world\": {\"sun_direction\": [0.6, 0, 0.8], \"sun_color\": [1, 1, 1, 1],\n"
    " \"ambient_color\": [0, 0, 0, 1]}, \"sky_material\": \"skies/skyMaterials/sky_brown\",\n"
    "\"collision\": {\"vertices\": [{\"position\": [0, 0, 0]}, {\"position\": [100, 0, 0]},\n"
    "  {\"position\": [100, 100, 0]}, {\"position\": [0, 100, 0]}],\n"
    " \"sector_sets\": [{\"flags\": 0}],\n"
    " \"sectors\": [{\"vertices\": [0, 1, 2], \"links\": [1, 65535, 65535]},\n"
    "  {\"vertices\": [0, 2, 3], \"links\": [65535, 0, 65535]}]},\n"
    "\"grid_bounds\": {\"size\": [2, 1], \"minimums\": [[-10.24, -10.24], [50, 0]],\n"
    " \"maximums\": [[110.24, 110.24], [50, 0]]},\n"
    "\"grid_sections\": [{\"static_meshes\": [{\"origin\": [20, 50, 0], \"rotation\": [0, 0, 0, 1],\n"
    "  \"bounds_min\": [-20, -50, 0], \"bounds_max\": [80, 50, 10], \"sector\": -1}],\n"
    "  \"models\": [\"models/tree01.bin\"]}, {}],\n"
    "\"actors\": {\"records\": [{\"type\": 0, \"origin\": [60, 20, 0], \"sector\": 0, \"bounds_min\": [-1, "
    "-1, 0],\n"
    "  \"bounds_max\": [1, 1, 2], \"tid\": 100}], \"models\": [\"models/dyn_turok.bin\"],\n"
    " \"animations\": [\"anims/turok_anim.bin\"]}%s}";
static const char stride_18[] = "sectors of 18 bytes", stride_16[] = "sectors of 16 bytes";

static inline mst_document *make(bool big, const char *layout, const char *more) {
    static char text[8192];
    int length = snprintf(text, sizeof text, base, big ? "big" : "little", layout, more);
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_document *made = NULL;
    mst_diagnostic why;
    mst_status status = mst_open_json(text, (size_t)length, &options, &made, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return made;
}

#endif
