/* SPDX-License-Identifier: MIT */
/*
 * Checks of a level beyond those that the tables describe. This file walks the archives block by block; the
 * parser has already proved that all offsets are in bounds. Sectors, meshes and actors have their own files.
 */
#include "check_blocks.h"
#include "models/turok_model_parts.h"
#include <stdio.h>

static const mst_code_information codes[] = {
    {"TUROK-ROOT", MST_ERROR, "the root has fewer blocks than a level"},
    {"TUROK-TRUNCATED", MST_ERROR, "a block extends past the end of the file"},
    {"TUROK-COUNT", MST_ERROR, "a count is too large for the remaining bytes"},
    {"TUROK-OFFSET", MST_ERROR, "offsets descend, or point into a header"},
    {"TUROK-CHILDREN", MST_ERROR, "an archive has the wrong number of blocks"},
    {"TUROK-STRIDE", MST_ERROR, "the elements of a data set have the wrong size"},
    {"TUROK-STRING", MST_ERROR, "a text is not a data set of one element"},
    {"TUROK-VERTEX-INDEX", MST_ERROR, "the vertex does not exist"},
    {"TUROK-SET-INDEX", MST_ERROR, "the sector set does not exist"},
    {"TUROK-LINK-INDEX", MST_ERROR, "the linked sector does not exist"},
    {"TUROK-GRID-SIZE", MST_ERROR, "the grid's size does not match the number of its cells"},
    {"TUROK-MODEL-COUNT", MST_ERROR,
     "the number of paths differs from the number of records: it is not certain which model belongs to which "
     "record"},
    {"TUROK-LIMIT", MST_ERROR, "there are more elements than 16-bit indices can address"},
    {"TUROK-VERSION", MST_WARNING,
     "the version is not 1, as in all known levels: the file is read as version 1"},
    {"TUROK-ROOT-EXTRA", MST_WARNING, "the root has more blocks than a level; they are kept unchanged"},
    {"TUROK-TAIL", MST_WARNING, "bytes follow the end of the archive; they are kept unchanged"},
    {"TUROK-TAIL-SHORT", MST_WARNING, "the last padding is missing; no data is lost"},
    {"TUROK-PADDING", MST_WARNING, "the padding is not zero; it is kept unchanged"},
    {"TUROK-GAP", MST_WARNING,
     "a block does not begin at the end of the previous one, rounded up to a multiple of 8"},
    {"TUROK-STRING-NUL", MST_WARNING,
     "the text has no NUL at its end, or one before its end, where a reader may stop"},
    {"TUROK-PATH", MST_WARNING,
     "the path does not follow the game's naming, so that the game may not find the file: lower case, "
     "slashes, the folder and ending of its kind"},
    {"TUROK-NONFINITE", MST_WARNING,
     "the number is not finite and cannot be used as a position or size: set another"},
    {"TUROK-WINDING", MST_WARNING,
     "the sector is clockwise seen from above: exchange two of its vertices, and the links of its other two "
     "edges"},
    {"TUROK-DEGENERATE", MST_WARNING,
     "the sector has no area seen from above, so nothing can be in it: move a vertex, or remove the sector"},
    {"TUROK-FLAGS-LESS", MST_WARNING,
     "the sector lacks a flag of its set, which all sectors of known levels have: set it"},
    {"TUROK-CEILING-BELOW", MST_WARNING,
     "the ceiling is not above the floor: there is no room in the sector"},
    {"TUROK-VERTEX-UNUSED", MST_WARNING, "no sector uses the vertex: it can be removed"},
    {"TUROK-SET-UNUSED", MST_WARNING, "no sector uses the set: it can be removed"},
    {"TUROK-SET-RESERVED", MST_WARNING, "the last bytes of a set are not 0: their meaning is not known"},
    {"TUROK-LINK-SELF", MST_WARNING,
     "the sector links to itself: set its neighbour across that edge, or 65535 for a wall"},
    {"TUROK-LINK-MISSING", MST_WARNING,
     "two sectors share an edge, but do not link to each other across it: it acts as a wall"},
    {"TUROK-LINK-ONEWAY", MST_WARNING,
     "one-way link: the linked sector does not link back across the shared edge, which is a wall from its "
     "side"},
    {"TUROK-LINK-EDGE", MST_WARNING,
     "the linked sector does not have the edge: link the sector on the other side of it, or set 65535 for a "
     "wall"},
    {"TUROK-EDGE-THREE", MST_WARNING,
     "more than two sectors share the edge: each of them can link to only one other across it"},
    {"TUROK-GRID-BOUNDS", MST_WARNING,
     "the cell's box is not the bounds of its meshes plus 10.24 on each side: --refile sets it"},
    {"TUROK-GRID-EMPTY", MST_WARNING, "the box of the empty cell is not the cell's corner of the grid"},
    {"TUROK-MESH-CELL", MST_WARNING,
     "the origin of the mesh is outside the box of its cell: --refile moves it to the cell that contains it"},
    {"TUROK-QUATERNION", MST_WARNING, "the rotation is not normalized: divide its numbers by its length"},
    {"TUROK-MESH-BOUNDS", MST_WARNING, "the box is inverted: a minimum is above its maximum"},
    {"TUROK-MESH-SECTOR", MST_WARNING, "the sector does not exist"},
    {"TUROK-MESH-NO-MODEL", MST_WARNING,
     "the mesh has no model, so it is invisible: set its path, or remove it"},
    {"TUROK-MESH-FLAGS", MST_WARNING, "flags without a known meaning are set"},
    {"TUROK-ACTOR-BOUNDS", MST_WARNING, "the box is inverted: a minimum is above its maximum"},
    {"TUROK-ACTOR-SECTOR-RANGE", MST_WARNING, "the sector does not exist"},
    {"TUROK-ACTOR-OUTSIDE", MST_WARNING,
     "the actor is not above its sector: set the sector that contains it, or move it"},
    {"TUROK-ACTOR-YAW", MST_WARNING,
     "the angle is more than half a turn: add or subtract full turns until it is between -pi and pi"},
    {"TUROK-TARGET", MST_INFORMATION, "no actor has the tag to trigger: it triggers nothing in this level"},
    {"TUROK-NO-PLAYER", MST_WARNING, "there is no actor of type 0, where the player starts"},
    {"TUROK-SUN-LENGTH", MST_WARNING, "the direction is not normalized: divide its numbers by its length"},
    {"TUROK-VISIBILITY-SIZE", MST_WARNING,
     "the table does not fit the number of sectors or meshes: it belongs to another version of the level"},
    {"TUROK-LINK-DROP", MST_INFORMATION, "a link down from a bridge; the sector below does not link back"},
    {"TUROK-FLAGS-DIFFER", MST_INFORMATION, "the sector has flags that its set does not have"},
    {"TUROK-MESH-FILED", MST_INFORMATION,
     "the mesh is listed in a cell that does not contain its origin; the game's own levels also do this"},
    {"TUROK-ACTOR-BOUNDS-NONE", MST_INFORMATION, "the actor has no model, and therefore no box"},
    {"TUROK-ACTOR-NO-SECTOR", MST_INFORMATION, "the actor is in no sector"},
    {"TUROK-ACTOR-TYPE", MST_INFORMATION, "the type is not known, nor what the game does with it"},
    {"TUROK-EMPTY-END", MST_INFORMATION, "the end of an archive without blocks is not 0"},
    {"TUROK-STRING-ABSENT", MST_INFORMATION, "the text is absent, not empty"},
    MST_KEX_FILE_CODES,
};
const mst_codes mst_turok_codes = MST_CODES(codes);

/* ---- the blocks --------------------------------------------------------------------------------- */

static mst_status check_world(const mst_turok_level *l, uint64_t offset, uint64_t limit, uint64_t *end) {
    static const struct {
        const char *name;
        uint32_t size;
    } fields[] = {{"sun_direction", 12}, {"sun_color", 16}, {"ambient_color", 16}};
    mst_turok_path path = {{{"world", MST_TUROK_NONE}}};
    mst_archive archive;
    MST_TUROK_TRY(mst_turok_archive(l, offset, limit, &path, &archive));
    for (uint32_t i = 0; i < MST_COUNT_OF(fields); i++) {
        uint64_t at = mst_archive_block(l->document, &archive, i);
        path.steps[1].name = fields[i].name;
        path.steps[1].index = MST_TUROK_NONE;
        if (i == 0) {
            const mst_column sun = {l->document->data + at, 1, fields[i].size, l->big};
            double x = mst_turok_f32(&sun, 0, 0), y = mst_turok_f32(&sun, 0, 1),
                   z = mst_turok_f32(&sun, 0, 2);
            double length = sqrt(x * x + y * y + z * z);
            if (length < 0.999 || length > 1.001)
                MST_TUROK_TRY(mst_turok_report(l, "TUROK-SUN-LENGTH", at, 12, &path, "a length of 1",
                                               mst_turok_real(length).text));
        }
        MST_TUROK_TRY(mst_turok_block(l, &archive, i, at + fields[i].size, &path));
    }
    *end = mst_archive_block(l->document, &archive, archive.count);
    return MST_OK;
}

static mst_status check_limit(const mst_turok_level *l, const mst_data_set *list, uint32_t max,
                              const mst_turok_path *path) {
    char expected[24];
    snprintf(expected, sizeof expected, "at most %u", max);
    return list->count <= max
               ? MST_OK
               : mst_turok_report_number(l, "TUROK-LIMIT", list->offset - 4, 4, path, expected, list->count);
}

/* The column of the field that is bound to the member at `to`. */
static mst_column column_of(const mst_bound *bound, size_t to, const mst_data_set *set) {
    mst_column column = mst_bound_column(bound, to);
    return mst_column_at(&column, set->offset, set->count);
}

/* `bounds`: vertices, sector sets and sectors. */
static void find_columns(mst_turok_level *l, const mst_bound bounds[3]) {
    l->vertex.position = column_of(&bounds[0], offsetof(mst_turok_bound_vertex, position), &l->vertices);
    l->vertex.ceiling = column_of(&bounds[0], offsetof(mst_turok_bound_vertex, ceiling), &l->vertices);
    l->set.flags = column_of(&bounds[1], offsetof(mst_turok_bound_set, flags), &l->sector_sets);
    l->set.unknown_3e = column_of(&bounds[1], offsetof(mst_turok_bound_set, unknown_3e), &l->sector_sets);
    l->sector.sector_set = column_of(&bounds[2], offsetof(mst_turok_bound_sector, sector_set), &l->sectors);
    l->sector.flags = column_of(&bounds[2], offsetof(mst_turok_bound_sector, flags), &l->sectors);
    l->sector.vertices = column_of(&bounds[2], offsetof(mst_turok_bound_sector, vertices), &l->sectors);
    l->sector.links = column_of(&bounds[2], offsetof(mst_turok_bound_sector, links), &l->sectors);
}

static mst_status check_collision(mst_turok_level *l, uint64_t offset, uint64_t limit, uint64_t *end) {
    const struct {
        const char *name;
        const mst_bindings *bindings;
        mst_data_set *list;
        uint32_t max;
    } lists[] = {{"vertices", &mst_turok_vertex_bindings, &l->vertices, 65536},
                 {"sector_sets", &mst_turok_set_bindings, &l->sector_sets, 65536},
                 {"sectors", &mst_turok_sector_bindings, &l->sectors, 65535}};
    mst_turok_path path = {{{"collision", MST_TUROK_NONE}}};
    mst_archive archive;
    mst_bound bounds[MST_COUNT_OF(lists)];
    MST_TUROK_TRY(mst_turok_archive(l, offset, limit, &path, &archive));
    for (uint32_t i = 0; i < MST_COUNT_OF(lists); i++) {
        path.steps[1].name = lists[i].name;
        path.steps[1].index = MST_TUROK_NONE;
        mst_bind(l->document, lists[i].bindings, &bounds[i]);
        uint64_t after = mst_data_set_at(l->document, mst_archive_block(l->document, &archive, i),
                                         mst_plan_of(l->document, bounds[i].record)->stride, lists[i].list);
        MST_TUROK_TRY(check_limit(l, lists[i].list, lists[i].max, &path));
        MST_TUROK_TRY(mst_turok_block(l, &archive, i, after, &path));
    }
    *end = mst_archive_block(l->document, &archive, archive.count);
    find_columns(l, bounds);
    return mst_turok_check_collision(l);
}

static mst_status check_cell_count(mst_turok_level *l, const int64_t *cells, uint64_t count, uint64_t offset,
                                   const mst_turok_path *path) {
    if (*cells < 0 || (uint64_t)*cells == count)
        return MST_OK;
    char expected[24];
    snprintf(expected, sizeof expected, "%lld", (long long)*cells);
    l->width = l->height = 0;
    return mst_turok_report_number(l, "TUROK-GRID-SIZE", offset, 4, path, expected, (int64_t)count);
}

/* `cells` receives the number of cells for the grid's size, -1 if the size is not valid. */
static mst_status check_grid_bounds(mst_turok_level *l, uint64_t offset, uint64_t limit, int64_t *cells,
                                    uint64_t *end) {
    mst_turok_path path = {{{"grid_bounds", MST_TUROK_NONE}}};
    const struct {
        const char *name;
        uint32_t element;
        mst_column *column;
    } lists[] = {{"size", 2, NULL}, {"minimums", 8, &l->minimums}, {"maximums", 8, &l->maximums}};
    mst_archive archive;
    *cells = -1;
    MST_TUROK_TRY(mst_turok_archive(l, offset, limit, &path, &archive));
    for (uint32_t i = 0; i < MST_COUNT_OF(lists); i++) {
        path.steps[1].name = lists[i].name;
        path.steps[1].index = MST_TUROK_NONE;
        mst_data_set list;
        uint64_t after = mst_data_set_at(l->document, mst_archive_block(l->document, &archive, i),
                                         lists[i].element, &list);
        if (i) {
            *lists[i].column = (mst_column){list.data, list.count, list.stride, l->big};
            MST_TUROK_TRY(check_cell_count(l, cells, list.count, list.offset - 4, &path));
        } else if (list.count != 2) {
            MST_TUROK_TRY(mst_turok_report_number(l, "TUROK-GRID-SIZE", list.offset - 4, 4, &path,
                                                  "2 numbers", list.count));
        } else {
            const mst_column size = {list.data, list.count, list.stride, l->big};
            l->width = (int16_t)mst_column_u16(&size, 0, 0);
            l->height = (int16_t)mst_column_u16(&size, 1, 0);
            *cells = l->width * l->height;
            if (l->width < 0 || l->height < 0) {
                *cells = -1;
                MST_TUROK_TRY(mst_turok_report_number(l, "TUROK-GRID-SIZE", list.offset, 4, &path,
                                                      "no negative numbers",
                                                      l->width < 0 ? l->width : l->height));
                l->width = l->height = 0;
            }
        }
        MST_TUROK_TRY(mst_turok_block(l, &archive, i, after, &path));
    }
    *end = mst_archive_block(l->document, &archive, archive.count);
    return MST_OK;
}

static mst_status check_actors(mst_turok_level *l, uint64_t offset, uint64_t limit, uint64_t *end) {
    static const char *const names[] = {"records", "models", "animations"};
    mst_turok_path path = {{{"actors", MST_TUROK_NONE}}};
    mst_archive archive, paths;
    mst_data_set actors;
    MST_TUROK_TRY(mst_turok_archive(l, offset, limit, &path, &archive));
    *end = mst_archive_block(l->document, &archive, archive.count);
    uint64_t starts[4];
    for (uint32_t i = 0; i < 4; i++)
        starts[i] = mst_archive_block(l->document, &archive, i);
    const uint32_t size = mst_bound_column(&l->actor, offsetof(mst_turok_bound_actor, type)).stride;
    uint64_t after = mst_data_set_at(l->document, starts[0], size, &actors);
    paths = mst_archive_at(l->document, starts[1], starts[2]);
    MST_TUROK_TRY(mst_turok_check_actors(l, &actors, &paths));
    path.steps[1].name = names[0];
    path.steps[1].index = MST_TUROK_NONE;
    MST_TUROK_TRY(mst_turok_block(l, &archive, 0, after, &path));
    for (uint32_t i = 1; i < 3; i++) {
        path.steps[1].name = names[i];
        path.steps[1].index = MST_TUROK_NONE;
        MST_TUROK_TRY(mst_turok_archive(l, starts[i], starts[i + 1], &path, &paths));
        if (paths.count != actors.count) {
            char expected[24];
            snprintf(expected, sizeof expected, "%u", actors.count);
            MST_TUROK_TRY(
                mst_turok_report_number(l, "TUROK-MODEL-COUNT", starts[i], 4, &path, expected, paths.count));
        }
        for (uint32_t k = 0; k < paths.count; k++) {
            mst_turok_path_kind kind = i == 1 ? MST_TUROK_MODEL : MST_TUROK_ANIMATION;
            if (mst_turok_is_canonical(l, &paths, k, kind))
                continue;
            path.steps[1].index = k;
            MST_TUROK_TRY(
                mst_turok_string(l, mst_archive_block(l->document, &paths, k), kind, &path, NULL, &after));
            MST_TUROK_TRY(mst_turok_block(l, &paths, k, after, &path));
        }
        path.steps[1].index = MST_TUROK_NONE;
        after = mst_archive_block(l->document, &paths, paths.count);
        MST_TUROK_TRY(mst_turok_block(l, &archive, i, after, &path));
    }
    return MST_OK;
}

static mst_status check_visibility(const mst_turok_level *l, uint64_t offset, uint64_t *end) {
    mst_data_set rows;
    char expected[40];
    *end = mst_data_set_at(l->document, offset, 0, &rows);
    if (rows.count != l->sectors.count) {
        mst_turok_path path = {{{"visibility", MST_TUROK_NONE}, {"row_count", MST_TUROK_NONE}}};
        snprintf(expected, sizeof expected, "%u", l->sectors.count);
        MST_TUROK_TRY(
            mst_turok_report_number(l, "TUROK-VISIBILITY-SIZE", offset + 4, 4, &path, expected, rows.count));
    }
    if (8 * (uint64_t)rows.stride < l->meshes) {
        mst_turok_path path = {{{"visibility", MST_TUROK_NONE}, {"stride", MST_TUROK_NONE}}};
        snprintf(expected, sizeof expected, "%llu or more", (unsigned long long)((l->meshes + 7) / 8));
        MST_TUROK_TRY(
            mst_turok_report_number(l, "TUROK-VISIBILITY-SIZE", offset, 4, &path, expected, rows.stride));
    }
    return MST_OK;
}

static mst_status check_version(const mst_turok_level *l, uint64_t offset, uint64_t *end) {
    mst_turok_path path = {{{"version", MST_TUROK_NONE}}};
    mst_value root = mst_root(l->document);
    uint32_t version = (uint32_t)mst_number_in(&root, "version");
    *end = offset + 4;
    return version == 1 ? MST_OK
                        : mst_turok_report_number(l, "TUROK-VERSION", offset, 4, &path, "1", version);
}

static mst_status check_cells(mst_turok_level *l, uint64_t offset, uint64_t limit, int64_t expected,
                              uint64_t *end) {
    mst_turok_path path = {{{"grid_sections", MST_TUROK_NONE}}};
    mst_archive cells;
    MST_TUROK_TRY(mst_turok_archive(l, offset, limit, &path, &cells));
    MST_TUROK_TRY(check_cell_count(l, &expected, cells.count, offset, &path));
    *end = mst_archive_block(l->document, &cells, cells.count);
    return mst_turok_check_cells(l, &cells);
}

/* Blocks of the root, in order. */
enum { VERSION, WORLD, SKY, COLLISION, GRID_BOUNDS, CELLS, ACTORS, VISIBILITY, LEVEL_BLOCKS };

static mst_status check_root(mst_turok_level *l) {
    const mst_document *document = l->document;
    const mst_turok_path root_path = {{{NULL, MST_TUROK_NONE}}}, tail = {{{"tail", MST_TUROK_NONE}}};
    char text[40];
    mst_archive root;
    int64_t cells = -1;
    MST_TUROK_TRY(mst_turok_archive(l, 0, document->size, &root_path, &root));
    if (root.count > LEVEL_BLOCKS)
        MST_TUROK_TRY(
            mst_turok_report_number(l, "TUROK-ROOT-EXTRA", 0, 4, &root_path, "7 or 8 blocks", root.count));
    for (uint32_t i = 0; i < root.count; i++) {
        uint64_t at = mst_archive_block(document, &root, i), end = at,
                 limit = mst_archive_block(document, &root, i + 1);
        mst_turok_path path = {{{document->format->tables.root->fields[i].name, MST_TUROK_NONE}}};
        mst_status status = MST_OK;
        switch (i) {
        case VERSION: status = check_version(l, at, &end); break;
        case WORLD: status = check_world(l, at, limit, &end); break;
        case SKY: status = mst_turok_string(l, at, MST_TUROK_SKY, &path, NULL, &end); break;
        case COLLISION: status = check_collision(l, at, limit, &end); break;
        case GRID_BOUNDS: status = check_grid_bounds(l, at, limit, &cells, &end); break;
        case CELLS: status = check_cells(l, at, limit, cells, &end); break;
        case ACTORS: status = check_actors(l, at, limit, &end); break;
        case VISIBILITY: status = check_visibility(l, at, &end); break;
        default: end = limit; break; /* unknown block: kept unchanged */
        }
        if (status == MST_OK)
            status = mst_turok_block(l, &root, i, end, &path);
        if (status != MST_OK)
            return status;
    }
    uint64_t last_offset = 4 + 4 * (uint64_t)root.count, end = mst_archive_end(document, &root);
    if (end > document->size || (end == document->size && end % MST_BLOCK_ALIGN)) {
        uint64_t padded_size = (end + MST_BLOCK_ALIGN - 1) / MST_BLOCK_ALIGN * MST_BLOCK_ALIGN;
        snprintf(text, sizeof text, "%llu bytes", (unsigned long long)padded_size);
        char found[40];
        snprintf(found, sizeof found, "%llu", (unsigned long long)document->size);
        MST_TUROK_TRY(mst_turok_report(l, "TUROK-TAIL-SHORT", last_offset, 4, &root_path, text, found));
    }
    if (end >= document->size)
        return MST_OK;
    snprintf(text, sizeof text, "%llu bytes", (unsigned long long)(document->size - end));
    return mst_turok_report(l, "TUROK-TAIL", end, document->size - end, &tail, "nothing", text);
}

/* ---- the level ---------------------------------------------------------------------------------- */

static void bind_objects(mst_turok_level *l) {
    mst_bound bound;
    mst_bind(l->document, &mst_turok_mesh_bindings, &bound);
    l->mesh.origin = mst_bound_column(&bound, offsetof(mst_turok_bound_mesh, origin));
    l->mesh.rotation = mst_bound_column(&bound, offsetof(mst_turok_bound_mesh, rotation));
    l->mesh.bounds_min = mst_bound_column(&bound, offsetof(mst_turok_bound_mesh, bounds_min));
    l->mesh.bounds_max = mst_bound_column(&bound, offsetof(mst_turok_bound_mesh, bounds_max));
    l->mesh.flags = mst_bound_column(&bound, offsetof(mst_turok_bound_mesh, flags));
    mst_bind(l->document, &mst_turok_actor_bindings, &l->actor);
}

mst_status mst_turok_check(mst_checker *checker) {
    mst_turok_level l;
    memset(&l, 0, sizeof l);
    l.checker = checker;
    l.document = checker->document;
    l.big = l.document->variant.big;
    l.information = checker->options && checker->options->information;
    bind_objects(&l);
    mst_status status = check_root(&l);
    return status == MST_OK ? mst_kex_check_files(checker) : status;
}
