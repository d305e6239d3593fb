/* SPDX-License-Identifier: MIT */
/*
 * Floors by area, ceilings, water, walls along solid edges, and the map that the game draws of them. Every
 * sector is visited a fixed number of times.
 */
#include "../../scene/geometry.h"
#include "turok_scene.h"
#include <math.h>
#include <stdio.h>

#define WALL_HEIGHT 71.68F /* where there is no ceiling */
#define NO_LINK     0xFFFFu
#define AREAS_MAX   0x10000u /* sectors refer to them by 16 bits */
#define COLORS      64       /* of water that get a shared material */

enum {
    WATER = 0,
    BLOCK = 1,
    CLIFF = 3,
    CLIMB = 4,
    ONE_SIDED = 5,
    CEILING = 6,
    CRAWL = 7,
    ENTER_CRAWL = 8,
    HIDDEN = 9,
    SECRET = 11,
    RESTRICTED = 12,
    SLOPE_TEST = 13,
    DEATH_PIT = 14,
    EVENT = 16,
    TELEPORT = 18,
    DAMAGE = 19,
    TELEPORT_AIR = 21,
    LAVA = 22,
    LADDER = 25,
    CHECKPOINT = 26,
    SAVE_GAME = 27,
    WARP_RETURN = 28
};
#define BIT(flag) ((uint32_t)1 << (flag))

/* A floor has the first class that matches; "wall" has its own rule, is_wall. */
typedef struct floor_class {
    const char *name;
    uint32_t any; /* at least one of these flags */
    uint32_t color;
} floor_class;
enum { CLASS_WALL = 7 };
static const floor_class classes[] = {
    {"death_pit", BIT(DEATH_PIT), 0x200000},
    {"damage", BIT(DAMAGE) | BIT(LAVA), 0xe65a0c},
    {"teleport", BIT(TELEPORT) | BIT(TELEPORT_AIR), 0xb233e6},
    {"checkpoint", BIT(CHECKPOINT) | BIT(SAVE_GAME), 0x33e64d},
    {"event", BIT(EVENT), 0xf2d933},
    {"secret", BIT(SECRET), 0xff66cc},
    {"climb", BIT(CLIMB) | BIT(LADDER), 0x996633},
    {"wall", 0, 0x808080},
    {"crawl", BIT(CRAWL) | BIT(ENTER_CRAWL), 0x669999},
    {"water", BIT(WATER), 0x335980},
    {"restricted", BIT(RESTRICTED) | BIT(BLOCK) | BIT(WARP_RETURN), 0x993333},
    {"bridge", BIT(ONE_SIDED), 0xb39966},
    {"plain", UINT32_MAX, 0x598c4d},
};
#define CLASSES    MST_COUNT_OF(classes)
#define CLASS_NONE 0xFF

/* The automap's colours, subdued so that large areas of them are readable. Hidden sectors are dark, and are
 * painted below the rest. */
enum { KEY_OTHER = 11, KEY_HIDDEN };
static const mst_map_key keys[] = {
    {"white", {206, 210, 214, 255}}, {"green", {104, 158, 88, 255}}, {"blue", {72, 118, 190, 255}},
    {"red", {188, 72, 62, 255}},     {"pink", {216, 138, 168, 255}}, {"purple", {136, 96, 176, 255}},
    {"brown", {146, 110, 76, 255}},  {"cyan", {84, 172, 180, 255}},  {"yellow", {204, 184, 88, 255}},
    {"orange", {208, 134, 66, 255}}, {"black", {58, 62, 68, 255}},   {"other", {128, 132, 138, 255}},
    {"hidden", {52, 54, 70, 255}},
};

typedef struct sector {
    uint32_t flags, floor_class;
    uint32_t area;
    float floor[3][3], ceiling[3];
    float normal[3];
} sector;

/* The class of each sector, and the sectors sorted by area, then class, then number. */
typedef struct sorted {
    uint8_t *classes;
    uint32_t *order;
    uint32_t count, ceilings, waters, solid_edges;
} sorted;

static void linear_of_rgb(const uint8_t srgb[3], float color[4]) {
    for (int i = 0; i < 3; i++)
        color[i] = mst_linear_of_srgb((float)srgb[i] / 255);
    color[3] = 1;
}

static int32_t add_material(mst_turok_work *w, const char *name, uint32_t rgb, bool both_sides) {
    const uint8_t srgb[3] = {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
    mst_material material = {.name = name, .image = -1, .double_sided = both_sides};
    linear_of_rgb(srgb, material.color);
    return mst_scene_add_material(w->builder, &material);
}

/* ---- sectors ------------------------------------------------------------------------------------ */

/* The normal of a triangle; if it has no area, `flat`, or up if that is NULL. */
static void normal_of(const float *const corners[3], const float *flat, float normal[3]) {
    double a[3], b[3], n[3], length;
    for (int i = 0; i < 3; i++) {
        a[i] = (double)corners[1][i] - (double)corners[0][i];
        b[i] = (double)corners[2][i] - (double)corners[0][i];
    }
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0 ? (float)(n[i] / length) : flat ? flat[i] : i == 2 ? 1.0F : 0;
}

static bool is_wall(uint32_t flags, const float normal[3]) {
    if (flags & BIT(SLOPE_TEST))
        return normal[2] <= 0.5F;
    return (flags & BIT(CLIFF)) != 0;
}

/* False if a corner is missing or not finite. A missing area has no flags. */
static bool sector_at(const mst_turok_work *w, uint64_t index, sector *s) {
    s->area = mst_column_u16(&w->sector_areas, index, 0);
    s->flags = mst_column_u16(&w->sector_flags, index, 0);
    if (s->area < w->area_flags.count)
        s->flags |= mst_column_u32(&w->area_flags, s->area, 0) & 0xFFFF0000u;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t vertex = mst_column_u16(&w->sector_corners, index, k);
        if (vertex >= w->positions.count)
            return false;
        for (uint32_t i = 0; i < 3; i++) {
            s->floor[k][i] = mst_turok_real(&w->positions, vertex, i);
            if (!isfinite(s->floor[k][i]))
                return false;
        }
        s->ceiling[k] = mst_turok_real(&w->ceilings, vertex, 0);
        if (!isfinite(s->ceiling[k]))
            s->flags &= ~BIT(CEILING);
    }
    const float *const corners[3] = {s->floor[0], s->floor[1], s->floor[2]};
    normal_of(corners, NULL, s->normal);
    s->floor_class = 0;
    while (s->floor_class == CLASS_WALL
               ? !is_wall(s->flags, s->normal)
               : !(s->flags & classes[s->floor_class].any) && s->floor_class != CLASSES - 1)
        s->floor_class++;
    return true;
}

static bool has_water(const mst_turok_work *w, const sector *s) {
    return (s->flags & BIT(WATER)) && s->area < w->water_heights.count &&
           isfinite(mst_turok_real(&w->water_heights, s->area, 0));
}

/* The ends of a link's edge, counter-clockwise around the sector. */
static void edge_of(const mst_turok_work *w, uint32_t link, uint32_t *from, uint32_t *to) {
    *from = w->links_turned ? link : (link + 2) % 3;
    *to = (*from + 1) % 3;
}

/* Sectors without a draw order are not from the editor: uses the rule that gives more links a shared edge. */
static void find_edge_rule(mst_turok_work *w) {
    uint64_t fits[2] = {0, 0};
    if (w->sector_orders.count)
        return;
    for (int turned = 0; turned < 2; turned++) {
        w->links_turned = turned;
        for (uint64_t i = 0; i < w->sector_count; i++)
            for (uint32_t link = 0; link < 3; link++) {
                uint32_t other = mst_column_u16(&w->sector_links, i, link), ends[2], found = 0;
                if (other >= w->sector_count)
                    continue;
                edge_of(w, link, &ends[0], &ends[1]);
                for (uint32_t e = 0; e < 2; e++)
                    for (uint32_t k = 0; k < 3; k++)
                        if (mst_column_u16(&w->sector_corners, i, ends[e]) ==
                            mst_column_u16(&w->sector_corners, other, k)) {
                            found++;
                            break;
                        }
                fits[turned] += found == 2;
            }
    }
    w->links_turned = fits[1] > fits[0];
}

static bool sort_sectors(mst_turok_work *w, sorted *all) {
    uint32_t total = (uint32_t)w->sector_count;
    uint32_t *by_class = mst_scene_scratch(w->builder, total, sizeof *by_class);
    uint32_t *starts = mst_scene_scratch(w->builder, AREAS_MAX + 1, sizeof *starts);
    uint32_t class_starts[CLASSES + 1] = {0};
    all->classes = mst_scene_scratch(w->builder, total, 1);
    all->order = mst_scene_scratch(w->builder, total, sizeof *all->order);
    if (!mst_scene_ok(w->builder))
        return false;
    for (uint32_t i = 0; i < total; i++) {
        sector s;
        all->classes[i] = CLASS_NONE;
        if (!sector_at(w, i, &s))
            continue;
        all->classes[i] = (uint8_t)s.floor_class;
        class_starts[s.floor_class + 1]++;
        starts[s.area + 1]++;
        all->count++;
        all->ceilings += (s.flags & BIT(CEILING)) != 0;
        all->waters += has_water(w, &s);
        for (uint32_t link = 0; link < 3; link++)
            all->solid_edges += mst_column_u16(&w->sector_links, i, link) == NO_LINK;
        for (int k = 0; k < 3; k++)
            w->lowest = s.floor[k][2] < w->lowest ? s.floor[k][2] : w->lowest;
    }
    w->left_out = total - all->count;
    for (uint32_t k = 0; k < CLASSES; k++)
        class_starts[k + 1] += class_starts[k];
    for (uint32_t k = 0; k < AREAS_MAX; k++)
        starts[k + 1] += starts[k];
    for (uint32_t i = 0; i < total; i++)
        if (all->classes[i] != CLASS_NONE)
            by_class[class_starts[all->classes[i]]++] = i;
    for (uint32_t i = 0; i < all->count; i++)
        all->order[starts[mst_column_u16(&w->sector_areas, by_class[i], 0)]++] = by_class[i];
    return true;
}

/* ---- layers ------------------------------------------------------------------------------------- */

/* An array of triangles that is filled in order; primitives refer to parts of it. */
typedef struct soup {
    float *positions, *normals;
    uint32_t *sectors;
    uint32_t used, capacity;
} soup;

static bool soup_begin(mst_turok_work *w, soup *to, uint32_t triangles) {
    *to = (soup){.capacity = triangles};
    to->positions = mst_scene_take(w->builder, triangles, 9 * sizeof(float));
    to->normals = mst_scene_take(w->builder, triangles, 9 * sizeof(float));
    to->sectors = mst_scene_take(w->builder, triangles, sizeof *to->sectors);
    return mst_scene_ok(w->builder);
}

static void soup_add(soup *to, uint32_t sector_index, const float *a, const float *b, const float *c,
                     const float normal[3]) {
    const float *const corners[3] = {a, b, c};
    if (MST_CHANGED(to->used == to->capacity)) /* the same rules counted the triangles */
        return;
    for (size_t k = 0; k < 3; k++) {
        memcpy(to->positions + ((size_t)to->used * 3 + k) * 3, corners[k], 3 * sizeof(float));
        memcpy(to->normals + ((size_t)to->used * 3 + k) * 3, normal, 3 * sizeof(float));
    }
    to->sectors[to->used++] = sector_index;
}

static mst_primitive soup_part(const soup *from, uint32_t first, int32_t material) {
    return (mst_primitive){.material = material,
                           .vertex_count = (from->used - first) * 3,
                           .positions = from->positions + (size_t)first * 9,
                           .normals = from->normals + (size_t)first * 9,
                           .source = {.path = "collision.sectors", .index = MST_NO_INDEX},
                           .elements = from->sectors + first};
}

/* Adds the numbers of sectors as one text. */
static void add_numbers(mst_turok_work *w, mst_extras_builder *extras, const uint32_t *numbers,
                        uint32_t count) {
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t number = numbers[i]; length++, number >= 10;)
            number /= 10;
    char *text = mst_scene_scratch(w->builder, length + count + 1, 1);
    if (!text)
        return;
    length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            text[length++] = ' ';
        length += mst_write_u64(text + length, numbers[i]);
    }
    mst_extras_text(extras, "sectors", text, length);
}

/* Adds a geometry node; `primitives` must be in the arena. */
static int32_t add_geometry(mst_turok_work *w, int32_t parent, const char *name, const char *layer,
                            const mst_primitive *primitives, size_t count, const uint32_t *sectors,
                            uint32_t sector_count, const mst_value *record) {
    mst_mesh mesh = {.name = mst_scene_text(w->builder, name, strlen(name)),
                     .primitives = primitives,
                     .primitive_count = count};
    int32_t index = mst_scene_add_node(w->builder, parent, name, MST_ROLE_GEOMETRY);
    int32_t shape = mst_scene_add_mesh(w->builder, &mesh);
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->builder);
    if (record)
        mst_extras_fields(&extras, record);
    if (sectors)
        add_numbers(w, &extras, sectors, sector_count);
    mst_extras list = mst_extras_end(&extras);
    mst_node *node = mst_scene_node(w->builder, index);
    if (!node)
        return -1;
    node->layer = layer;
    node->mesh = shape;
    node->source = primitives->source;
    node->extras = list;
    return index;
}

/* Adds a node for each area in use, with a primitive for each class in it. */
static void add_floor(mst_turok_work *w, const sorted *all) {
    int32_t group = mst_scene_add_group(w->builder, 0, "floor", "floor"), materials[CLASSES];
    bool used[CLASSES] = {false};
    soup floor;
    if (!all->count || !soup_begin(w, &floor, all->count))
        return;
    for (uint32_t i = 0; i < all->count; i++)
        used[all->classes[all->order[i]]] = true;
    for (uint32_t k = 0; k < CLASSES; k++)
        materials[k] = used[k] ? add_material(w, classes[k].name, classes[k].color, false) : -1;
    for (uint32_t i = 0; i < all->count && mst_scene_ok(w->builder);) {
        mst_primitive parts[CLASSES];
        size_t count = 0;
        uint32_t first = i, area = mst_column_u16(&w->sector_areas, all->order[i], 0);
        while (i < all->count && mst_column_u16(&w->sector_areas, all->order[i], 0) == area) {
            uint8_t kind = all->classes[all->order[i]];
            uint32_t start = floor.used;
            for (; i < all->count && mst_column_u16(&w->sector_areas, all->order[i], 0) == area &&
                   all->classes[all->order[i]] == kind;
                 i++) {
                sector s = {0};
                sector_at(w, all->order[i], &s);
                soup_add(&floor, all->order[i], s.floor[0], s.floor[1], s.floor[2], s.normal);
            }
            parts[count++] = soup_part(&floor, start, materials[kind]);
        }
        const mst_primitive *primitives = mst_scene_copy(w->builder, parts, count, sizeof *parts);
        if (!primitives)
            return;
        char name[16];
        snprintf(name, sizeof name, "area_%04u", (unsigned)area);
        bool known = area < w->area_flags.count;
        mst_value record = w->areas;
        if (known)
            record = mst_element_in(&w->areas, area);
        int32_t node = add_geometry(w, group, name, "floor", primitives, count, all->order + first, i - first,
                                    known ? &record : NULL);
        if (known)
            mst_scene_set_source(w->builder, node, NULL, "collision.sector_sets", area);
    }
}

static void add_ceiling(mst_turok_work *w, const sorted *all) {
    soup ceiling;
    uint32_t *numbers = mst_scene_scratch(w->builder, all->ceilings, sizeof *numbers);
    mst_primitive *part = mst_scene_take(w->builder, 1, sizeof *part);
    if (!mst_scene_ok(w->builder) || !all->ceilings || !soup_begin(w, &ceiling, all->ceilings))
        return;
    for (uint32_t i = 0; i < (uint32_t)w->sector_count; i++) {
        sector s = {0};
        float points[3][3], normal[3];
        const float *const corners[3] = {points[0], points[1], points[2]};
        if (all->classes[i] == CLASS_NONE)
            continue;
        sector_at(w, i, &s);
        if (!(s.flags & BIT(CEILING)))
            continue;
        for (int k = 0; k < 3; k++) {
            const float *corner = s.floor[2 - k];
            points[k][0] = corner[0];
            points[k][1] = corner[1];
            points[k][2] = s.ceiling[2 - k];
        }
        normal_of(corners, NULL, normal);
        numbers[ceiling.used] = i;
        soup_add(&ceiling, i, points[0], points[1], points[2], normal);
    }
    *part = soup_part(&ceiling, 0, add_material(w, "ceiling", 0x6b635a, false));
    add_geometry(w, 0, "ceiling", "ceiling", part, 1, numbers, ceiling.used, NULL);
}

/* Materials of water: areas of the same colour share one, for the first COLORS colours. */
typedef struct waters {
    uint32_t colors[COLORS];
    int32_t materials[COLORS];
    size_t count;
} waters;

static int32_t water_material(mst_turok_work *w, waters *known, uint32_t area) {
    uint8_t bytes[4];
    uint32_t color = 0;
    for (uint32_t i = 0; i < 4; i++)
        color = color << 8 | (bytes[i] = mst_column_u8(&w->water_colors, area, i));
    for (size_t i = 0; i < known->count; i++)
        if (known->colors[i] == color)
            return known->materials[i];
    mst_material material = {.name = mst_scene_printf(w->builder, "water_%08x", (unsigned)color),
                             .image = -1,
                             .alpha_mode = MST_ALPHA_BLEND,
                             .double_sided = 1};
    linear_of_rgb(bytes, material.color);
    material.color[3] = (float)bytes[3] / 255;
    int32_t index = mst_scene_add_material(w->builder, &material);
    if (known->count < COLORS) {
        known->colors[known->count] = color;
        known->materials[known->count++] = index;
    }
    return index;
}

static void add_water(mst_turok_work *w, const sorted *all) {
    static const float up[3] = {0, 0, 1};
    soup water;
    waters known = {.count = 0};
    mst_array parts = mst_scene_array(w->builder, sizeof(mst_primitive));
    uint32_t *numbers = mst_scene_scratch(w->builder, all->waters, sizeof *numbers), start = 0;
    int32_t material = -1;
    if (!mst_scene_ok(w->builder) || !all->waters || !soup_begin(w, &water, all->waters))
        return;
    for (uint32_t i = 0, area = UINT32_MAX; mst_scene_ok(w->builder); i++) {
        sector s = {0};
        bool last = i == all->count;
        if (!last)
            sector_at(w, all->order[i], &s);
        if (!last && !has_water(w, &s))
            continue;
        int32_t next = last ? -1 : s.area == area ? material : water_material(w, &known, s.area);
        area = s.area;
        if (next != material) {
            mst_primitive *part = water.used > start ? mst_scene_push(w->builder, &parts, 1) : NULL;
            if (part)
                *part = soup_part(&water, start, material);
            start = water.used;
            material = next;
        }
        if (last)
            break;
        float height = mst_turok_real(&w->water_heights, s.area, 0);
        for (int k = 0; k < 3; k++)
            s.floor[k][2] = height;
        numbers[water.used] = all->order[i];
        soup_add(&water, all->order[i], s.floor[0], s.floor[1], s.floor[2], up);
    }
    const mst_primitive *primitives =
        mst_scene_copy(w->builder, parts.items, parts.count, sizeof *primitives);
    if (primitives && !MST_CHANGED(!parts.items)) /* there is water */
        add_geometry(w, 0, "water", "water", primitives, parts.count, numbers, water.used, NULL);
    mst_array_free(&parts);
}

static void add_walls(mst_turok_work *w, const sorted *all) {
    soup walls;
    mst_primitive *part = mst_scene_take(w->builder, 1, sizeof *part);
    if (!part || !all->solid_edges || all->solid_edges > UINT32_MAX / 6 ||
        !soup_begin(w, &walls, all->solid_edges * 2))
        return;
    for (uint32_t i = 0; i < (uint32_t)w->sector_count; i++) {
        sector s = {0};
        if (all->classes[i] == CLASS_NONE)
            continue;
        sector_at(w, i, &s);
        for (uint32_t link = 0; link < 3; link++) {
            if (mst_column_u16(&w->sector_links, i, link) != NO_LINK)
                continue;
            uint32_t from, to;
            edge_of(w, link, &from, &to);
            const float *a = s.floor[from], *b = s.floor[to];
            bool roofed = (s.flags & BIT(CEILING)) != 0;
            float high_a[3] = {a[0], a[1], roofed ? s.ceiling[from] : a[2] + WALL_HEIGHT};
            float high_b[3] = {b[0], b[1], roofed ? s.ceiling[to] : b[2] + WALL_HEIGHT};
            double dx = (double)b[0] - (double)a[0], dy = (double)b[1] - (double)a[1];
            double length = sqrt(dx * dx + dy * dy);
            const float inwards[3] = {length > 0 ? (float)(-dy / length) : 1,
                                      length > 0 ? (float)(dx / length) : 0, 0};
            /* a ceiling below the floor reverses the triangles */
            const float *const lower[3] = {b, a, high_a}, *const upper[3] = {b, high_a, high_b};
            float normal[3];
            normal_of(lower, inwards, normal);
            soup_add(&walls, i, b, a, high_a, normal);
            normal_of(upper, inwards, normal);
            soup_add(&walls, i, b, high_a, high_b, normal);
        }
    }
    *part = soup_part(&walls, 0, add_material(w, "walls", 0x8f8678, false));
    add_geometry(w, 0, "walls", "walls", part, 1, NULL, 0, NULL);
}

/* ---- the map ------------------------------------------------------------------------------------ */

static int32_t draw_order(const mst_turok_work *w, uint64_t index) {
    if (index >= w->sector_orders.count)
        return 0;
    uint32_t bits = mst_column_u16(&w->sector_orders, index, 0);
    return bits < 0x8000 ? (int32_t)bits : (int32_t)bits - 0x10000;
}

static bool is_hidden(const mst_turok_work *w, uint32_t index) {
    return mst_column_u16(&w->sector_flags, index, 0) & BIT(HIDDEN);
}

/* Sort key of a sector in painting order, 0 to 0x10000: hidden ones first, then by descending draw order, so
 * that the lowest are painted last. */
static uint32_t paint_key(const mst_turok_work *w, uint32_t index) {
    return is_hidden(w, index) ? 0 : (uint32_t)(0x8000 - draw_order(w, index));
}

static uint32_t key_of(const mst_turok_work *w, uint32_t index, uint32_t area) {
    if (is_hidden(w, index))
        return KEY_HIDDEN;
    uint32_t color = KEY_OTHER;
    if (area < w->map_colors.count)
        color = w->map_colors.data[(size_t)area * w->map_colors.stride];
    return color < KEY_OTHER ? color : KEY_OTHER;
}

static void add_map_walls(mst_turok_work *w, uint32_t index, const sector *s, mst_array *lines) {
    for (uint32_t link = 0; link < 3; link++) {
        if (mst_column_u16(&w->sector_links, index, link) != NO_LINK)
            continue;
        uint32_t from, to;
        mst_map_line *line = mst_scene_push(w->builder, lines, 1);
        if (!line)
            return;
        edge_of(w, link, &from, &to);
        line->kind = MST_MAP_WALL;
        memcpy(line->from, s->floor[from], sizeof line->from);
        memcpy(line->to, s->floor[to], sizeof line->to);
    }
}

static void add_map(mst_turok_work *w, const sorted *all, mst_array *lines) {
    enum { PAINT_KEYS = 0x10001 };
    uint32_t total = (uint32_t)w->sector_count, count = 0;
    uint32_t *starts = mst_scene_scratch(w->builder, PAINT_KEYS + 1, sizeof *starts);
    for (uint32_t i = 0; starts && i < total; i++)
        if (all->classes[i] != CLASS_NONE) {
            starts[paint_key(w, i) + 1]++;
            count++;
        }
    mst_map_face *faces = mst_scene_take(w->builder, count, sizeof *faces);
    if (!starts || !faces)
        return;
    for (uint32_t k = 0; k < PAINT_KEYS; k++)
        starts[k + 1] += starts[k];
    for (uint32_t i = 0; i < total; i++) {
        sector s = {0};
        if (all->classes[i] == CLASS_NONE)
            continue;
        sector_at(w, i, &s);
        mst_map_face *face = &faces[starts[paint_key(w, i)]++];
        memcpy(face->corners, s.floor, sizeof face->corners);
        face->key = key_of(w, i, s.area);
        if (!is_hidden(w, i))
            add_map_walls(w, i, &s, lines);
    }
    w->map.keys = keys;
    w->map.key_count = MST_COUNT_OF(keys);
    w->map.faces = faces;
    w->map.face_count = count;
}

/* ---- entry point -------------------------------------------------------------------------------- */

static bool take_columns(mst_turok_work *w) {
    mst_value collision = mst_member_in(&w->root, "collision"),
              vertices = mst_member_in(&collision, "vertices"),
              sectors = mst_member_in(&collision, "sectors");
    w->areas = mst_member_in(&collision, "sector_sets");
    w->positions = mst_column_in(&vertices, "position");
    w->ceilings = mst_column_in(&vertices, "ceiling");
    w->area_flags = mst_column_in(&w->areas, "flags");
    w->water_colors = mst_column_in(&w->areas, "water_color");
    w->water_heights = mst_column_in(&w->areas, "water_height");
    w->map_colors = mst_column_in(&w->areas, "automap_color");
    w->sector_areas = mst_column_in(&sectors, "sector_set");
    w->sector_flags = mst_column_in(&sectors, "flags");
    w->sector_corners = mst_column_in(&sectors, "vertices");
    w->sector_links = mst_column_in(&sectors, "links");
    if (!mst_column_of(&sectors, "draw_order", &w->sector_orders)) /* sectors of 16 bytes have none */
        w->sector_orders = (mst_column){0};
    w->sector_count = w->sector_areas.count;
    return w->sector_count &&
           !MST_UNREACHABLE(w->sector_count > UINT32_MAX / 9); /* offsets in a level are u32 */
}

void mst_turok_add_floors(mst_turok_work *w, mst_array *lines) {
    sorted all = {0};
    w->lowest = INFINITY;
    if (!take_columns(w))
        return;
    find_edge_rule(w);
    if (!sort_sectors(w, &all))
        return;
    add_floor(w, &all);
    add_ceiling(w, &all);
    add_water(w, &all);
    add_walls(w, &all);
    add_map(w, &all, lines);
}
