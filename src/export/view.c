/* SPDX-License-Identifier: MIT */
/* Gathers a scene's triangles, and finds the part of the world that a picture should show: levels have
 * outliers, such as sky boxes and forgotten objects far away, which must not make the level small. */
#include "view.h"
#include "../core/bytes.h"
#include "../core/unreachable.h"
#include "../scene/geometry.h"
#include "links.h"

#include <math.h>
#include <string.h>

#define FAR_AWAY     1e6f /* metres; nothing is drawn farther out */
#define FEW          50   /* this few triangles have no outliers */
#define BINS         1024
#define STRAY_SHARE  0.02  /* of the area, on either side */
#define ENTITY_SHARE 0.004 /* of the weight, the maximum for one entity */
#define FENCE        0.35  /* of the size, added beyond that share */
#define GRID         128   /* cells per side in the search for floors */
#define HEADROOM     2.0   /* metres that a player needs */
#define SQUARES_MAX  100   /* maximum width of a level of squares */

static bool layer_wanted(const mst_picture_options *options, const char *layer) {
    for (size_t i = 0; i < options->layer_count; i++)
        if (layer && options->layers[i] && strcmp(options->layers[i], layer) == 0)
            return true;
    return false;
}

static bool finite_point(const float point[3]) {
    return fabsf(point[0]) < FAR_AWAY && fabsf(point[1]) < FAR_AWAY && fabsf(point[2]) < FAR_AWAY;
}

/* NULL if there is none that can be drawn. */
static mst_texels *usable_image(mst_view_world *world, const mst_scene *scene, int32_t index) {
    const mst_image *image = mst_texels_usable(scene, index);
    if (!image)
        return NULL;
    world->textures[index].image = image;
    return &world->textures[index];
}

static void fill_part(mst_view_world *world, mst_view_part *part, const mst_scene *scene,
                      const mst_primitive *primitive, const float matrix[16]) {
    *part = (mst_view_part){.primitive = primitive};
    memcpy(part->place, matrix + 12, sizeof part->place);
    if (primitive->material >= 0 && (size_t)primitive->material < scene->material_count)
        part->material = &scene->materials[primitive->material];
    if (part->material && primitive->texcoords) {
        part->image = usable_image(world, scene, part->material->image);
        part->glow = usable_image(world, scene, (int32_t)(part->material->emissive_texture - 1));
    }
    /* Normals are transformed by the cofactors of the matrix. */
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
            part->turn[row * 3 + column] =
                matrix[c1 * 4 + r1] * matrix[c2 * 4 + r2] - matrix[c2 * 4 + r1] * matrix[c1 * 4 + r2];
        }
    float determinant = 0;
    for (int column = 0; column < 3; column++)
        determinant += matrix[column * 4] * part->turn[column];
    part->mirrored = determinant < 0;
}

/* Adds the triangle to the world unless it has no area or is not finite. */
static bool fill_triangle(mst_view_triangle *triangle, const mst_view_part *part, uint32_t index,
                          const float matrix[16]) {
    const mst_primitive *primitive = part->primitive;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t corner = part->mirrored ? 2 - k : k;
        uint32_t vertex = primitive->indices ? primitive->indices[index + corner] : index + corner;
        if (vertex >= primitive->vertex_count)
            return false;
        mst_matrix_point(matrix, primitive->positions + (size_t)vertex * 3, triangle->corners[k]);
        if (!finite_point(triangle->corners[k]))
            return false;
    }
    double a[3], b[3], n[3];
    for (int i = 0; i < 3; i++) {
        a[i] = (double)triangle->corners[1][i] - (double)triangle->corners[0][i];
        b[i] = (double)triangle->corners[2][i] - (double)triangle->corners[0][i];
    }
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 1e-12))
        return false;
    for (int i = 0; i < 3; i++)
        triangle->normal[i] = (float)(n[i] / length);
    triangle->area = (float)(length / 2);
    triangle->index = index;
    return true;
}

static float size_of(const float matrix[16]) {
    float size = 1;
    for (int i = 0; i < 3; i++) {
        const float *axis = matrix + 4 * i;
        size *= sqrtf(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    }
    return isfinite(size) ? size : 0;
}

static uint32_t corner_count(const mst_primitive *primitive) {
    uint32_t count = primitive->indices ? primitive->index_count : primitive->vertex_count;
    return primitive->positions ? count - count % 3 : 0;
}

/* Helpers are drawn if their layer was requested by name. */
static const mst_mesh *node_mesh(const mst_scene *scene, const mst_node *node,
                                 const mst_picture_options *options) {
    bool helper = node->role == MST_ROLE_HELPER && options->layers && layer_wanted(options, node->layer);
    if ((node->role != MST_ROLE_GEOMETRY && !helper) || node->mesh < 0 ||
        (size_t)node->mesh >= scene->mesh_count)
        return NULL;
    return &scene->meshes[node->mesh];
}

/* Its direction: of a camera along its -Z, of an entity along its node's facing. */
static void find_facing(mst_view_entity *entity, mst_facing facing, const float matrix[16]) {
    bool camera = entity->role == MST_ROLE_CAMERA;
    const float *axis = matrix + (camera || facing == MST_FACING_Z ? 8 : facing == MST_FACING_Y ? 4 : 0);
    float length = sqrtf(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    bool known = (camera || facing != MST_FACING_NONE) && length > 1e-20f && length < 1e20f;
    for (int i = 0; i < 3; i++)
        entity->facing[i] = known ? (camera ? -axis[i] : axis[i]) / length : 0;
}

/* The map's faces replace the geometry's triangles. */
static mst_status take_map(mst_view_world *world, const mst_scene *scene, const float matrix[16]) {
    static const mst_primitive no_primitive;
    const mst_map *map = scene->map;
    size_t count = map->face_count;
    world->map = map;
    world->parts = mst_arena_take(world->arena, 1, sizeof *world->parts);
    world->triangles =
        count < INT32_MAX ? mst_arena_take(world->arena, count, sizeof *world->triangles) : NULL;
    if (!world->parts || !world->triangles)
        return MST_NO_MEMORY;
    fill_part(world, &world->parts[0], scene, &no_primitive, matrix);
    for (size_t i = 0; i < count; i++) {
        const mst_primitive face = {.vertex_count = 3, .positions = &map->faces[i].corners[0][0]};
        const mst_view_part part = {.primitive = &face, .mirrored = world->parts[0].mirrored};
        mst_view_triangle *triangle = &world->triangles[world->triangle_count];
        if (map->faces[i].key >= map->key_count || !fill_triangle(triangle, &part, 0, matrix))
            continue;
        triangle->part = 0;
        triangle->index = (uint32_t)i;
        world->triangle_count++;
    }
    return MST_OK;
}

static mst_status take_lines(mst_view_world *world, const mst_map *map, const mst_picture_options *options,
                             bool walls, const float matrix[16]) {
    world->lines = mst_arena_take(world->arena, map->line_count, sizeof *world->lines);
    if (!world->lines)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < map->line_count; i++) {
        mst_map_line *line = &world->lines[world->line_count];
        line->kind = map->lines[i].kind;
        mst_matrix_point(matrix, map->lines[i].from, line->from);
        mst_matrix_point(matrix, map->lines[i].to, line->to);
        bool left_out = line->kind == MST_MAP_LINK ? options->no_links || options->no_entities : !walls;
        world->line_count += !left_out && finite_point(line->from) && finite_point(line->to);
    }
    return MST_OK;
}

/* Finds the nodes that are in the requested branch and layers, and not hidden. */
static mst_status find_wanted(const mst_view_world *world, const mst_scene *scene,
                              const mst_picture_options *options, bool *shown, bool *wanted) {
    bool *within_branch = mst_arena_take(world->arena, scene->node_count, sizeof *within_branch);
    if (!within_branch)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        bool child = node->parent >= 0 && (size_t)node->parent < i;
        shown[i] = !node->hidden && (!child || shown[node->parent]);
        within_branch[i] = i == options->branch || !options->branch || (child && within_branch[node->parent]);
        bool inherited = child && wanted[node->parent];
        wanted[i] = within_branch[i] && (!options->layers || inherited || layer_wanted(options, node->layer));
    }
    for (size_t i = 0; i < scene->node_count; i++)
        wanted[i] = wanted[i] && shown[i];
    return MST_OK;
}

mst_status mst_view_gather(mst_view_world *world, const mst_scene *scene, const mst_picture_options *options,
                           mst_arena *arena) {
    *world = (mst_view_world){.arena = arena,
                              .square = (double)scene->grid_step,
                              .texture_count = scene->image_count,
                              .pictured = scene->pictured && !options->heights,
                              .object = scene->object != MST_OBJECT_NONE,
                              .labelled = options->labels != 0,
                              .symbolic = scene->symbolic != 0,
                              .cut = INFINITY};
    size_t count = scene->node_count;
    float *matrices = mst_arena_take(arena, count, 16 * sizeof(float));
    bool *wanted = mst_arena_take(arena, count, sizeof *wanted),
         *shown = mst_arena_take(arena, count, sizeof *shown);
    world->entities = mst_arena_take(arena, count, sizeof *world->entities);
    world->textures = mst_arena_zero(arena, scene->image_count, sizeof *world->textures);
    if (!matrices || !wanted || !shown || !world->entities || !world->textures)
        return MST_NO_MEMORY;
    mst_scene_world_matrices(scene, matrices);

    /* A map has no layers or branches: if some are requested, their geometry is drawn. */
    bool has_map =
        scene->map && count && options->view == MST_VIEW_ABOVE && !options->layers && !options->branch;
    bool painted = has_map && scene->map->face_count && !options->heights;
    mst_status status = find_wanted(world, scene, options, shown, wanted);
    if (status == MST_OK && (has_map || (options->links && scene->map && count)))
        status = take_lines(world, scene->map, options, has_map, matrices);
    if (status == MST_OK && world->line_count)
        status = mst_links_choose(world, scene, matrices, shown);
    if (painted && status == MST_OK)
        status = take_map(world, scene, matrices);
    if (status != MST_OK)
        return status;

    uint64_t triangles = 0;
    for (size_t i = 0; i < count; i++) {
        const mst_node *node = &scene->nodes[i];
        const mst_mesh *mesh = wanted[i] && !painted ? node_mesh(scene, node, options) : NULL;
        for (size_t k = 0; mesh && k < mesh->primitive_count; k++) {
            triangles += corner_count(&mesh->primitives[k]) / 3;
            world->part_count++;
        }
    }
    if (triangles >= INT32_MAX || world->part_count >= UINT32_MAX)
        return MST_NO_MEMORY;
    if (!painted) {
        world->parts = mst_arena_take(arena, world->part_count, sizeof *world->parts);
        world->triangles = mst_arena_take(arena, (size_t)triangles, sizeof *world->triangles);
        if (!world->parts || !world->triangles)
            return MST_NO_MEMORY;
    }

    uint32_t part = 0;
    for (size_t i = 0; i < count; i++) {
        const mst_node *node = &scene->nodes[i];
        const float *matrix = matrices + i * 16;
        const mst_mesh *mesh = wanted[i] && !painted ? node_mesh(scene, node, options) : NULL;
        for (size_t k = 0; mesh && k < mesh->primitive_count; k++, part++) {
            const mst_primitive *primitive = &mesh->primitives[k];
            fill_part(world, &world->parts[part], scene, primitive, matrix);
            for (uint32_t index = 0; index < corner_count(primitive); index += 3) {
                mst_view_triangle *triangle = &world->triangles[world->triangle_count];
                triangle->part = part;
                world->triangle_count += fill_triangle(triangle, &world->parts[part], index, matrix);
            }
        }
        bool thing =
            node->role == MST_ROLE_ENTITY || node->role == MST_ROLE_LIGHT || node->role == MST_ROLE_CAMERA;
        thing = thing || (node->role == MST_ROLE_GROUP && node->label && *node->label); /* only a name */
        bool sun = node->light >= 0 && (size_t)node->light < scene->light_count &&
                   scene->lights[node->light].kind == MST_LIGHT_DIRECTIONAL; /* has no position */
        if (!thing || sun || !wanted[i] || options->no_entities || !finite_point(matrix + 12))
            continue;
        if (node->role == MST_ROLE_ENTITY && node->parent >= 0 && (size_t)node->parent < i &&
            scene->nodes[node->parent].role == MST_ROLE_ENTITY)
            continue; /* belongs to another entity */
        mst_view_entity *entity = &world->entities[world->entity_count++];
        entity->class_name = node->class_name ? node->class_name : "";
        entity->label = node->label ? node->label : "";
        entity->named = node->name && !strcmp(entity->label, node->name);
        if (options->labels && !*entity->label && node->name && strcmp(node->name, entity->class_name) != 0)
            entity->label = node->name; /* its class is in the legend */
        entity->tag = node->tag ? node->tag : "";
        entity->role = node->role;
        entity->color = NULL;
        if (node->role == MST_ROLE_LIGHT && node->light >= 0 && (size_t)node->light < scene->light_count)
            entity->color = scene->lights[node->light].color;
        memcpy(entity->position, matrix + 12, sizeof entity->position);
        entity->size = size_of(matrix);
        entity->node = i;
        find_facing(entity, node->facing, matrix);
    }
    if (options->lit && mst_lamps_gather(scene, matrices, wanted, arena, &world->lamps) != MST_OK)
        return MST_NO_MEMORY;
    return MST_OK;
}

/* ---- textures ---------------------------------------------------------------------------------------- */

/* The number of texels across a pixel; 0 if the triangle has the same one everywhere. */
static double texels_across(const mst_view_part *part, const mst_view_triangle *t,
                            const mst_projection *projection, const mst_pixels *image) {
    double corner[3][2], uv[3][2];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t from = part->mirrored ? 2 - k : k;
        size_t vertex =
            part->primitive->indices ? part->primitive->indices[t->index + from] : t->index + from;
        corner[k][0] = mst_view_dot(projection->right, t->corners[k]) * projection->scale;
        corner[k][1] = mst_view_dot(projection->down, t->corners[k]) * projection->scale;
        uv[k][0] = (double)part->primitive->texcoords[vertex * 2] * image->width;
        uv[k][1] = (double)part->primitive->texcoords[vertex * 2 + 1] * image->height;
    }
    double texels =
        (uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) - (uv[1][1] - uv[0][1]) * (uv[2][0] - uv[0][0]);
    double pixels = (corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
                    (corner[1][1] - corner[0][1]) * (corner[2][0] - corner[0][0]);
    return sqrt(fabs(texels / pixels));
}

mst_status mst_view_load_textures(mst_view_world *world, const mst_projection *projection) {
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        const mst_view_part *part = &world->parts[t->part];
        mst_texels *const both[2] = {part->image, part->glow};
        for (int k = 0; k < 2; k++)
            if (both[k])
                mst_texels_need(both[k], texels_across(part, t, projection, &both[k]->image->pixels));
    }
    return mst_texels_load(world->textures, world->texture_count, world->arena);
}

/* ---- the part to show -------------------------------------------------------------------------------- */

/* Values with weights, for quantiles. */
typedef struct sampling {
    float *values, *weights;
    size_t count;
    double *bins; /* BINS */
} sampling;

/* The value with `share` of the weight below it, by increasingly fine histograms. */
static double value_at(const sampling *s, double share) {
    double low = INFINITY, high = -INFINITY, total = 0;
    for (size_t i = 0; i < s->count; i++) {
        double value = (double)s->values[i];
        low = value < low ? value : low;
        high = value > high ? value : high;
        total += (double)s->weights[i];
    }
    double wanted = total * share, below = 0;
    for (int pass = 0; pass < 4 && high > low; pass++) {
        double step = (high - low) / BINS;
        if (MST_UNREACHABLE(!(step > 0))) /* the spacing of floats is larger */
            break;
        memset(s->bins, 0, BINS * sizeof *s->bins);
        for (size_t i = 0; i < s->count; i++) {
            double value = (double)s->values[i];
            if (value < low || value > high)
                continue;
            size_t bin = (size_t)((value - low) / step);
            s->bins[bin < BINS ? bin : BINS - 1] += (double)s->weights[i];
        }
        /* Values exactly at the upper end count in the last bin; they are found there or above it. */
        size_t bin = 0;
        while (bin + 1 < BINS && below + s->bins[bin] < wanted)
            below += s->bins[bin++];
        low += step * (double)bin;
        high = low + step;
    }
    return share < 0.5 ? low : high;
}

static mst_range share_range(const sampling *s, double share) {
    return (mst_range){value_at(s, share), value_at(s, 1 - share)};
}

static mst_range fenced(mst_range range, double min) {
    double reach = (range.high - range.low) * FENCE + min;
    return (mst_range){range.low - reach, range.high + reach};
}

static bool within(mst_range range, double value) {
    return value >= range.low && value <= range.high;
}

static void widen(mst_range *range, double value) {
    range->low = value < range->low ? value : range->low;
    range->high = value > range->high ? value : range->high;
}

static const double upwards[3] = {0, 1, 0};

/* Centres of triangles weighted by area (limited by area_max: a ground plane is one triangle), and entities,
 * which together have a third of that weight. */
static void sample_axis(const mst_view_world *world, sampling *s, const double axis[3], double area_max) {
    double total = 0;
    s->count = 0;
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        double weight = (double)t->area < area_max ? (double)t->area : area_max;
        s->values[s->count] = (float)((mst_view_dot(axis, t->corners[0]) + mst_view_dot(axis, t->corners[1]) +
                                       mst_view_dot(axis, t->corners[2])) /
                                      3);
        s->weights[s->count++] = (float)weight;
        total += weight;
    }
    double each = total > 0 ? total / 3 / (double)world->entity_count : 1;
    if (total > 0 && each > total * ENTITY_SHARE)
        each = total * ENTITY_SHARE;
    for (size_t i = 0; i < world->entity_count; i++) {
        s->values[s->count] = (float)mst_view_dot(axis, world->entities[i].position);
        s->weights[s->count++] = (float)each;
    }
}

/* Some of a level's grid squares may be far from the others, within limits. */
static bool all_within_squares(const mst_view_world *world, const sampling *s) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        double value = (double)s->values[i];
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return world->square > 0 && high - low < world->square * SQUARES_MAX;
}

static mst_range fence_of(const mst_view_world *world, sampling *s, const double axis[3], double area_max,
                          double min) {
    if (world->triangle_count + world->entity_count >= FEW && !world->object) {
        sample_axis(world, s, axis, area_max);
        if (axis != upwards && all_within_squares(world, s))
            return fenced(share_range(s, 0), world->square);
        /* With few items, three may be outliers. */
        return fenced(share_range(s, STRAY_SHARE + 3.0 / (double)s->count), min);
    }
    mst_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < world->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            widen(&range, mst_view_dot(axis, world->triangles[i].corners[k]));
    for (size_t i = 0; i < world->entity_count && !world->triangle_count; i++)
        widen(&range, mst_view_dot(axis, world->entities[i].position));
    return fenced(range, min);
}

mst_status mst_view_fit(mst_view_world *world, const mst_projection *projection, bool *empty) {
    size_t count = world->triangle_count + world->entity_count;
    *empty = count == 0;
    if (count == 0)
        return MST_OK;
    sampling s = {.values = mst_arena_take(world->arena, count, sizeof(float)),
                  .weights = mst_arena_take(world->arena, count, sizeof(float)),
                  .bins = mst_arena_take(world->arena, BINS, sizeof(double))};
    if (!s.values || !s.weights || !s.bins)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < world->triangle_count; i++) {
        s.values[i] = world->triangles[i].area;
        s.weights[i] = 1;
    }
    s.count = world->triangle_count;
    double area_max = s.count ? value_at(&s, 0.75) : 0;
    world->area_max = (float)area_max;
    mst_range across = fence_of(world, &s, projection->right, area_max, 1);
    mst_range along = fence_of(world, &s, projection->down, area_max, 1);
    world->height = fence_of(world, &s, upwards, area_max, 6);

    /* Then extended to everything inside the fence, and to elements that begin there and end soon: no room is
     * cut. */
    const mst_range nothing = {INFINITY, -INFINITY};
    const mst_range far_across = fenced(across, 0), far_along = fenced(along, 0),
                    far_up = fenced(world->height, 0);
    world->across = world->along = nothing;
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        double x[3], y[3];
        bool begins = false, ends = true;
        for (int k = 0; k < 3; k++) {
            double up = (double)t->corners[k][1];
            x[k] = mst_view_dot(projection->right, t->corners[k]);
            y[k] = mst_view_dot(projection->down, t->corners[k]);
            begins = begins || (within(across, x[k]) && within(along, y[k]) && within(world->height, up));
            ends = ends && within(far_across, x[k]) && within(far_along, y[k]) && within(far_up, up);
        }
        for (int k = 0; k < 3 && begins && ends; k++) {
            widen(&world->across, x[k]);
            widen(&world->along, y[k]);
        }
    }
    for (size_t i = 0; i < world->entity_count; i++) {
        const float *point = world->entities[i].position;
        double x = mst_view_dot(projection->right, point), y = mst_view_dot(projection->down, point);
        if (within(across, x) && within(along, y) && within(world->height, (double)point[1])) {
            widen(&world->across, x);
            widen(&world->along, y);
        }
    }
    if (!(world->across.low <= world->across.high)) {
        world->across = across;
        world->along = along;
    }
    return MST_OK;
}

/* ---- roofs and floors -------------------------------------------------------------------------------- */

/* A coarse map: for each cell, the slabs of height (of 64) that contain a floor. */
typedef struct slab_map {
    uint64_t *cells; /* GRID * GRID */
    double low, step;
} slab_map;

static bool note_slab(void *user, uint32_t id, int32_t x, int32_t y, float depth) {
    slab_map *map = user;
    (void)id;
    double slab = ((double)depth - map->low) / map->step;
    unsigned bit = slab <= 0 ? 0 : slab >= 63 ? 63 : (unsigned)slab;
    map->cells[(size_t)y * GRID + (size_t)x] |= (uint64_t)1 << bit;
    return false;
}

static void coarse_floors(const mst_view_world *world, mst_samples *samples, slab_map *map) {
    double width = world->across.high - world->across.low, depth = world->along.high - world->along.low;
    double scale = GRID / ((width > depth ? width : depth) + 1e-3);
    mst_samples_clear(samples);
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        if (t->normal[1] <= MST_VIEW_FLOOR)
            continue;
        double corners[3][3], low = INFINITY;
        for (int k = 0; k < 3; k++) {
            corners[k][0] = ((double)t->corners[k][0] - world->across.low) * scale;
            corners[k][1] = ((double)t->corners[k][2] - world->along.low) * scale;
            corners[k][2] = (double)t->corners[k][1];
            low = corners[k][2] < low ? corners[k][2] : low;
        }
        if (low < world->height.high && low >= world->height.low)
            mst_samples_triangle(samples, (const double(*)[3])corners, (uint32_t)i + 1, note_slab, map);
    }
}

/*
 * A roof is a floor without entities on it that hides much of the map and has floors below it almost
 * everywhere. The cut is made below the roof, but above the entities.
 */
static double find_cut(const mst_view_world *world, const slab_map *map) {
    size_t people = 0;
    size_t at_least[65] = {0}; /* entities in slab k and above */
    for (size_t i = 0; i < world->entity_count; i++) {
        const mst_view_entity *entity = &world->entities[i];
        if (entity->role != MST_ROLE_ENTITY || !within(world->height, (double)entity->position[1]))
            continue;
        /* Half a metre up: entities may be sunk into their floor a little. */
        double slab = ((double)entity->position[1] + 0.5 - map->low) / map->step;
        at_least[slab <= 0 ? 0 : slab >= 63 ? 63 : (size_t)slab]++;
        people++;
    }
    for (size_t k = 63; k-- > 0;)
        at_least[k] += at_least[k + 1];
    if (people < 5)
        return world->height.high;
    unsigned gap = (unsigned)(HEADROOM / map->step) + 1;
    double result = world->height.high;
    for (unsigned k = 63; k > gap && at_least[k] * 50 <= people; k--) {
        size_t floors = 0, above = 0, covering = 0;
        for (size_t i = 0; i < (size_t)GRID * GRID; i++) {
            uint64_t mask = map->cells[i];
            floors += mask != 0;
            if (mask >> k == 0)
                continue;
            above++;
            covering += (mask & (((uint64_t)1 << (k - gap)) - 1)) != 0;
        }
        if (above * 8 >= floors && covering * 10 >= above * 7)
            result = map->low + map->step * k;
    }
    return result;
}

mst_status mst_view_find_floors(mst_view_world *world, float ceiling_cut) {
    size_t cells = (size_t)GRID * GRID;
    mst_samples samples = {.width = GRID, .rows = GRID};
    samples.depth = mst_arena_take(world->arena, cells, sizeof(float));
    samples.id = mst_arena_take(world->arena, cells, sizeof(uint32_t));
    slab_map map = {.cells = mst_arena_zero(world->arena, cells, sizeof(uint64_t))};
    sampling s = {.values = mst_arena_take(world->arena, world->triangle_count, sizeof(float)),
                  .weights = mst_arena_take(world->arena, world->triangle_count, sizeof(float)),
                  .bins = mst_arena_take(world->arena, BINS, sizeof(double))};
    if (!samples.depth || !samples.id || !map.cells || !s.values || !s.weights || !s.bins)
        return MST_NO_MEMORY;

    world->cut = world->height.high;
    if (ceiling_cut != 0) {
        world->cut = (double)ceiling_cut;
    } else {
        mst_range range = {INFINITY, -INFINITY};
        for (size_t i = 0; i < world->triangle_count; i++) {
            const mst_view_triangle *t = &world->triangles[i];
            for (int k = 0; k < 3 && t->normal[1] > MST_VIEW_FLOOR; k++)
                if (within(world->height, (double)t->corners[k][1]))
                    widen(&range, (double)t->corners[k][1]);
        }
        if (range.high - range.low > HEADROOM) {
            map.low = range.low;
            map.step = (range.high - range.low) / 63;
            coarse_floors(world, &samples, &map);
            world->cut = find_cut(world, &map);
        }
    }
    /* The colours span the drawn floors; the weight of a vast floor is limited. */
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        double x = ((double)t->corners[0][0] + (double)t->corners[1][0] + (double)t->corners[2][0]) / 3;
        double z = ((double)t->corners[0][2] + (double)t->corners[1][2] + (double)t->corners[2][2]) / 3;
        float y = (t->corners[0][1] + t->corners[1][1] + t->corners[2][1]) / 3;
        if (t->normal[1] <= MST_VIEW_FLOOR || (double)y >= world->cut || (double)y < world->height.low ||
            !within(world->across, x) || !within(world->along, z))
            continue;
        s.values[s.count] = y;
        s.weights[s.count++] = t->area < world->area_max ? t->area : world->area_max;
    }
    mst_range floors = {0, 0};
    if (s.count)
        floors = share_range(&s, 0.01);
    double missing = 3 - (floors.high - floors.low);
    if (missing > 0) {
        floors.low -= missing / 2;
        floors.high += missing / 2;
    }
    /* Half even steps, half equal areas: one deep pit must not leave all rooms in one colour. */
    for (int k = 0; k < MST_VIEW_STOPS; k++) {
        double share = (double)k / (MST_VIEW_STOPS - 1);
        double even = floors.low + (floors.high - floors.low) * share;
        bool inner = k > 0 && k < MST_VIEW_STOPS - 1 && s.count && missing <= 0;
        double rank = inner ? value_at(&s, share) : even;
        rank = fmin(fmax(rank, floors.low), floors.high);
        world->stops[k] = (even + rank) / 2;
    }
    return MST_OK;
}

bool mst_view_has_textured_floors(const mst_view_world *world) {
    double all = 0, textured = 0;
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        if (t->normal[1] <= MST_VIEW_FLOOR)
            continue;
        double area = (double)(t->area < world->area_max ? t->area : world->area_max);
        all += area;
        const mst_texels *texture = world->parts[t->part].image;
        textured += texture && !texture->image->placeholder ? area : 0;
    }
    return all > 0 && textured * 2 >= all;
}

double mst_view_height_share(const mst_view_world *world, double height) {
    int k = 0;
    while (k < MST_VIEW_STOPS - 2 && height > world->stops[k + 1])
        k++;
    double step = world->stops[k + 1] - world->stops[k]; /* at least a third of a metre */
    double share = (k + (height - world->stops[k]) / step) / (MST_VIEW_STOPS - 1);
    return share > 0 ? share < 1 ? share : 1 : 0;
}
