/* SPDX-License-Identifier: MIT */
/* Links between the points of curves, and between checkpoints of races: strips from one to the next. */
#include "sfa_links.h"
#include "../../../core/diagnose.h"
#include "../../../core/lower_bound.h"
#include "../../../scene/geometry.h"
#include "../../present.h"
#include "sfa_parameters.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINK_WIDTH 0.75F /* half the width of a link's strips */
#define FAR        1e6F  /* units; links further out are not shown */

/* A point of a curve, or a checkpoint. */
typedef struct point {
    const mst_sfa_object *object;
    uint32_t index; /* in the list */
} point;

/* A link that is drawn. */
typedef struct link {
    float from[3], to[3];
    uint32_t object; /* its index in the list */
    uint16_t bucket; /* kind of curve, or CHECKPOINTS */
} link;
#define CHECKPOINTS 256
#define BUCKETS     257

typedef struct work {
    mst_scene_builder *build;
    const mst_sfa_objects *list;
    point *points; /* ascending by type and id */
    size_t point_count;
} work;

static int compare_points(const void *a, const void *b) {
    const point *x = a, *y = b;
    if (x->object->type != y->object->type)
        return x->object->type < y->object->type ? -1 : 1;
    if (x->object->id != y->object->id)
        return x->object->id < y->object->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void scan(work *w) {
    size_t points = 0;
    for (uint32_t i = 0; i < w->list->count; i++)
        points += mst_sfa_has_links(w->list->items[i].type);
    w->points = mst_scene_scratch(w->build, points, sizeof *w->points);
    for (uint32_t i = 0; w->points && i < w->list->count; i++)
        if (mst_sfa_has_links(w->list->items[i].type))
            w->points[w->point_count++] = (point){&w->list->items[i], i};
    if (w->points)
        qsort(w->points, w->point_count, sizeof *w->points, compare_points);
}

/* The first point of a type with an id. */
static const point *point_of(const work *w, int type, uint32_t id) {
    const mst_sfa_object wanted = {.type = (int16_t)type, .id = id};
    const point key = {.object = &wanted};
    MST_LOWER_BOUND(low, middle, w->point_count, compare_points(&w->points[middle], &key) < 0);
    const point *found = w->points + low;
    return low < w->point_count && found->object->type == type && found->object->id == id ? found : NULL;
}

/* The ids to which a point links; returns their number. */
static unsigned links_of(const mst_sfa_object *object, uint32_t ids[4]) {
    if (!mst_sfa_has_parameters(object))
        return 0;
    if (object->type == MST_SFA_CURVE) {
        memcpy(ids, object->links, sizeof object->links);
        return MST_SFA_LINKS;
    }
    mst_value next = mst_member_in(&object->parameters, "next");
    mst_target target = {.type = MST_U32, .data = ids, .capacity = MST_SFA_LINKS};
    uint64_t count = 0;
    mst_read(&next, &target, &count, NULL);
    return (unsigned)count;
}

static bool is_near(const float position[3]) {
    return fabsf(position[0]) < FAR && fabsf(position[1]) < FAR && fabsf(position[2]) < FAR;
}

static bool same_position(const float a[3], const float b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void add_link(work *w, mst_array *links, const point *from, const point *to) {
    bool curve = from->object->type == MST_SFA_CURVE;
    link made = {.object = from->index, .bucket = curve ? from->object->kind : CHECKPOINTS};
    mst_sfa_position_of(from->object, made.from);
    mst_sfa_position_of(to->object, made.to);
    if (!is_near(made.from) || !is_near(made.to) || same_position(made.from, made.to))
        return;
    link *added = mst_scene_push(w->build, links, 1);
    if (added)
        *added = made;
}

/* Two points that link to each other yield one link, from the first to the second, unless only the way back
 * is open. */
static void find_links(work *w, mst_array *links) {
    for (size_t i = 0; i < w->point_count && mst_scene_ok(w->build); i++) {
        const point *from = &w->points[i];
        uint32_t ids[4], back[4];
        unsigned count = links_of(from->object, ids);
        for (unsigned k = 0; k < count && mst_scene_ok(w->build); k++) {
            bool seen = false;
            for (unsigned before = 0; before < k; before++)
                seen = seen || ids[before] == ids[k];
            const point *to =
                ids[k] == MST_SFA_NO_LINK || seen ? NULL : point_of(w, from->object->type, ids[k]);
            if (!to || to->object->id == from->object->id)
                continue;
            bool mutual = false, back_open = false, open = !(from->object->blocked_links >> k & 1);
            unsigned back_count = links_of(to->object, back);
            for (unsigned n = 0; n < back_count && !mutual; n++) {
                mutual = back[n] == from->object->id;
                back_open = mutual && !(to->object->blocked_links >> n & 1);
            }
            if (!mutual || (open != back_open ? open : from->index < to->index))
                add_link(w, links, from, to);
        }
    }
}

/* Two crossed strips, visible from all sides. */
static void put_strips(const link *l, float *positions, uint32_t *indices, uint32_t base) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    double x = (double)l->to[0] - (double)l->from[0], z = (double)l->to[2] - (double)l->from[2];
    double length = sqrt(x * x + z * z);
    float across[2][3] = {{LINK_WIDTH, 0, 0}, {0, LINK_WIDTH, 0}};
    if (length > 1e-3) {
        across[0][0] = (float)(-z / length * (double)LINK_WIDTH);
        across[0][2] = (float)(x / length * (double)LINK_WIDTH);
    } else { /* vertical */
        across[1][1] = 0;
        across[1][2] = LINK_WIDTH;
    }
    for (uint32_t strip = 0; strip < 2; strip++) {
        for (uint32_t corner = 0; corner < 4; corner++)
            for (uint32_t i = 0; i < 3; i++) {
                const float *end = corner == 0 || corner == 3 ? l->from : l->to;
                *positions++ = end[i] + (corner < 2 ? -across[strip][i] : across[strip][i]);
            }
        for (uint32_t i = 0; i < 6; i++)
            *indices++ = base + strip * 4 + order[i];
    }
}

static const char *bucket_name(work *w, unsigned bucket) {
    const mst_record *part = mst_sfa_object_part_of(MST_SFA_CURVE);
    const char *known = bucket == CHECKPOINTS ? "checkpoints" : NULL;
    for (uint32_t i = 0; !known && i < part->field_count; i++)
        if (strcmp(part->fields[i].name, "kind") == 0)
            known = mst_name_of_number(part->fields[i].names, bucket);
    char text[48];
    if (known)
        snprintf(text, sizeof text, "links_%s", known);
    else
        snprintf(text, sizeof text, "links_kind_%02X", bucket);
    return mst_scene_text(w->build, text, strlen(text));
}

/* Adds one mesh for the links of each kind of curve. */
static void add_link_meshes(work *w, int32_t group, const mst_scene_source *source, const char *layer,
                            const link *links, size_t count) {
    uint32_t counts[BUCKETS] = {0};
    if (count > UINT32_MAX / 12)
        return;
    for (size_t i = 0; i < count; i++)
        counts[links[i].bucket]++;
    for (unsigned bucket = 0; bucket < BUCKETS && mst_scene_ok(w->build); bucket++) {
        if (!counts[bucket])
            continue;
        float *positions = mst_scene_take(w->build, counts[bucket], 8 * 3 * sizeof *positions);
        uint32_t *indices = mst_scene_take(w->build, counts[bucket], 12 * sizeof *indices),
                 *elements = mst_scene_take(w->build, counts[bucket], 4 * sizeof *elements);
        const char *name = bucket_name(w, bucket);
        if (!mst_scene_ok(w->build))
            return;
        uint32_t done = 0;
        for (size_t i = 0; i < count; i++)
            if (links[i].bucket == bucket) {
                put_strips(&links[i], positions + 24 * (size_t)done, indices + 12 * (size_t)done, 8 * done);
                for (size_t k = 0; k < 4; k++)
                    elements[4 * (size_t)done + k] = links[i].object;
                done++;
            }
        mst_material material = {.name = name, .image = -1, .double_sided = 1, .unlit = 1};
        mst_color_of_name(name, material.color);
        mst_primitive primitive = {.vertex_count = 8 * done,
                                   .index_count = 12 * done,
                                   .positions = positions,
                                   .indices = indices,
                                   .source = *source,
                                   .elements = elements};
        int32_t mesh =
            mst_scene_add_shape(w->build, &primitive, name, mst_scene_add_material(w->build, &material));
        int32_t index = mst_scene_add_node(w->build, group, name, MST_ROLE_HELPER);
        mst_node *node = mst_scene_node(w->build, index);
        if (node) {
            node->mesh = mesh;
            node->source = primitive.source;
            node->layer = layer;
        }
    }
}

void mst_sfa_scene_links(mst_scene_builder *build, int32_t group, const mst_sfa_objects *list,
                         const mst_scene_source *source, const char *layer, mst_array *lines) {
    work w = {.build = build, .list = list};
    mst_array links = mst_scene_array(build, sizeof(link));
    scan(&w);
    find_links(&w, &links);
    add_link_meshes(&w, group, source, layer, links.items, links.count);
    if (lines && links.count && mst_scene_ok(build)) {
        mst_map_line *added = mst_scene_push(build, lines, links.count);
        const link *found = links.items;
        for (size_t i = 0; added && i < links.count; i++) {
            added[i].kind = MST_MAP_LINK;
            memcpy(added[i].from, found[i].from, sizeof added[i].from);
            memcpy(added[i].to, found[i].to, sizeof added[i].to);
        }
    }
    mst_array_free(&links);
}
