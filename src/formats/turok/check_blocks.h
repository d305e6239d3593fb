/* SPDX-License-Identifier: MIT */
/* Shared by the checks of a level. */
#ifndef MST_FORMATS_TUROK_CHECK_BLOCKS_H
#define MST_FORMATS_TUROK_CHECK_BLOCKS_H

#include "../../check/finding.h"
#include "../../core/number.h"
#include "turok.h"
#include "turok_bindings.h"
#include <math.h>

/* a[i].b[j].c[k]; NULL: no step, MST_TUROK_NONE: no index */
typedef struct mst_turok_path {
    struct {
        const char *name;
        uint64_t index;
    } steps[3];
} mst_turok_path;
#define MST_TUROK_NONE UINT64_MAX

/* A level being checked. */
typedef struct mst_turok_level {
    mst_checker *checker;
    const mst_document *document;
    bool big;
    bool information; /* also report findings of that severity */
    mst_data_set vertices, sector_sets, sectors;
    struct {
        mst_column position, ceiling;
    } vertex;
    struct {
        mst_column flags, unknown_3e;
    } set;
    struct {
        mst_column sector_set, flags, vertices, links;
    } sector;
    struct {
        mst_column origin, rotation, bounds_min, bounds_max, flags;
    } mesh; /* of no list in particular */
    mst_bound actor;
    mst_column minimums, maximums; /* boxes of cells */
    int64_t width, height;         /* of the grid; 0 if its parts contradict each other */
    uint64_t meshes;
} mst_turok_level;

#define MST_TUROK_TRY(call)                                                                                  \
    do {                                                                                                     \
        mst_status tried = (call);                                                                           \
        if (tried != MST_OK)                                                                                 \
            return tried;                                                                                    \
    } while (0)

mst_diagnostic *mst_turok_finding(const mst_turok_level *level, uint64_t offset, uint64_t length,
                                  const mst_turok_path *path);

/* Reports a finding; `expected` and `found` may be NULL. */
mst_status mst_turok_report(const mst_turok_level *level, const char *code, uint64_t offset, uint64_t length,
                            const mst_turok_path *path, const char *expected, const char *found);
/* The same with a number as `found`. */
mst_status mst_turok_report_number(const mst_turok_level *level, const char *code, uint64_t offset,
                                   uint64_t length, const mst_turok_path *path, const char *expected,
                                   int64_t found);
mst_status mst_turok_report_real(const mst_turok_level *level, const char *code, uint64_t offset,
                                 const mst_turok_path *path, const char *expected, double found);

/* The shortest text of a number. */
typedef struct mst_turok_text {
    char text[MST_NUMBER_MAX + 1];
} mst_turok_text;
mst_turok_text mst_turok_real(double value);

/* Reads an archive's header and checks the padding after it. */
mst_status mst_turok_archive(const mst_turok_level *level, uint64_t offset, uint64_t end,
                             const mst_turok_path *path, mst_archive *archive);
/* Checks the offset of block `index`, whose content ends at `end`, and the padding after it. */
mst_status mst_turok_block(const mst_turok_level *level, const mst_archive *archive, uint32_t index,
                           uint64_t end, const mst_turok_path *path);

typedef enum mst_turok_path_kind { MST_TUROK_SKY, MST_TUROK_MODEL, MST_TUROK_ANIMATION } mst_turok_path_kind;
/* Whether block `index` of an archive is a path as the game writes it, aligned and padded correctly. */
bool mst_turok_is_canonical(const mst_turok_level *level, const mst_archive *archive, uint32_t index,
                            mst_turok_path_kind kind);
/* Checks the text at `offset`. `length` (may be NULL) receives its length, `end` the end of the data set. */
mst_status mst_turok_string(const mst_turok_level *level, uint64_t offset, mst_turok_path_kind kind,
                            const mst_turok_path *path, uint64_t *length, uint64_t *end);

mst_status mst_turok_check_collision(const mst_turok_level *level);
/* Checks the cells of the archive and everything in them. */
mst_status mst_turok_check_cells(mst_turok_level *level, const mst_archive *archive);
/* Checks the actors' records in `list`; `models` holds the paths of their models. */
mst_status mst_turok_check_actors(const mst_turok_level *level, const mst_data_set *list,
                                  const mst_archive *models);

/* ---- numbers ------------------------------------------------------------------------------------ */

static inline double mst_turok_f32(const mst_column *column, uint64_t index, uint32_t component) {
    return (double)mst_f32_of_bits(mst_column_u32(column, index, component));
}
/* Corner `k` of a sector; false if the vertex does not exist. */
static inline bool mst_turok_corner(const mst_turok_level *level, uint64_t sector, unsigned k,
                                    double xyz[3]) {
    uint32_t v = mst_column_u16(&level->sector.vertices, sector, k);
    if (v >= level->vertices.count)
        return false;
    for (unsigned i = 0; i < 3; i++)
        xyz[i] = mst_turok_f32(&level->vertex.position, v, i);
    return true;
}
/* Twice the area of a, b, c seen from above; positive if counter-clockwise. */
static inline double mst_turok_area(const double a[3], const double b[3], const double c[3]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

#endif
