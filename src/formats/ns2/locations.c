/* SPDX-License-Identifier: MIT */
/* Rooms: the volumes of entities of the class location, and the faces in them. */
#include "../../core/angles.h"
#include "../../core/number.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_bindings.h"

/* ---- locations -------------------------------------------------------------------------------------- */

/* The axes of a rotated box. */
static void axes_of(const float angles[3], double axes[3][3]) {
    const double turned_by[3] = {(double)angles[0], (double)angles[1], (double)angles[2]};
    double turn[3][3];
    mst_turn_of_angles(turned_by, turn);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axes[i][k] = turn[k][i];
}

static void read_three(const mst_value *value, float numbers[3]) {
    float found[3] = {0, 0, 0};
    mst_target target = {.type = MST_F32, .components = 3, .data = found, .capacity = 1};
    uint64_t read;
    if (mst_value_type(value) == MST_TYPE_LIST && mst_count(value) == 3 &&
        mst_read(value, &target, &read, NULL) == MST_OK)
        memcpy(numbers, found, sizeof found);
}

static const char *read_text(const mst_value *value, mst_arena *arena) {
    size_t length = 0;
    mst_get_text(value, NULL, 0, &length);
    char *text = mst_arena_zero(arena, length + 1, 1);
    if (text)
        mst_get_text(value, text, length + 1, NULL);
    return text;
}

static mst_status read_location(const mst_bound *bound, const mst_value *properties, mst_arena *arena,
                                mst_room *room) {
    mst_value property;
    float origin[3] = {0, 0, 0}, angles[3] = {0, 0, 0}, scale[3] = {0, 0, 0};
    room->name = "";
    for (mst_iterator it = mst_iterate(properties); mst_next(&it, &property);) {
        mst_ns2_bound_property p = {.type = 0};
        mst_fill(bound, &property, &p);
        if (mst_is_void(&p.name) || mst_is_void(&p.value))
            continue;
        if (mst_value_is(&p.name, "name", 4) && !*room->name)
            room->name = read_text(&p.value, arena);
        else if (mst_value_is(&p.name, "origin", 6))
            read_three(&p.value, origin);
        else if (mst_value_is(&p.name, "angles", 6))
            read_three(&p.value, angles);
        else if (mst_value_is(&p.name, "scale", 5))
            read_three(&p.value, scale);
        if (!room->name)
            return MST_NO_MEMORY;
    }
    axes_of(angles, room->axes);
    for (int i = 0; i < 3; i++) {
        room->middle[i] = (double)origin[i];
        room->half[i] = (double)(scale[i] < 0 ? -scale[i] : scale[i]) / 2;
    }
    return MST_OK;
}

static mst_status find_rooms(const mst_document *document, mst_arena *arena, mst_array *rooms) {
    mst_value objects, object;
    mst_bound object_bound, property_bound;
    mst_status status = MST_OK;
    if (mst_find(mst_root(document), "objects", &objects, NULL) != MST_OK)
        return MST_OK;
    mst_bind(document, &mst_ns2_object_bindings, &object_bound);
    mst_bind(document, &mst_ns2_property_bindings, &property_bound);
    for (mst_iterator it = mst_iterate(&objects); status == MST_OK && mst_next(&it, &object);) {
        mst_ns2_bound_object bound = {.group = 0};
        mst_fill(&object_bound, &object, &bound);
        if (mst_is_void(&bound.class_name) || mst_is_void(&bound.properties) ||
            !mst_value_is(&bound.class_name, "location", strlen("location")))
            continue;
        mst_room *room = mst_array_push(rooms, 1);
        status = room ? read_location(&property_bound, &bound.properties, arena, room) : MST_NO_MEMORY;
    }
    return status;
}

/* ---- corners of faces ------------------------------------------------------------------------------- */

typedef struct faces {
    mst_column points, ends;
    mst_array corners; /* three numbers each, of one face */
} faces;

static mst_status add_corners(faces *f, const mst_value *loop) {
    mst_column edges = mst_column_in(loop, "edge"), flipped = mst_column_in(loop, "flipped");
    for (uint64_t i = 0; i < edges.count; i++) {
        uint32_t edge = mst_column_u32(&edges, i, 0), end = mst_column_u32(&flipped, i, 0) != 0;
        uint32_t vertex = edge < f->ends.count ? mst_column_u32(&f->ends, edge, end) : UINT32_MAX;
        double *corner = vertex < f->points.count ? mst_array_push(&f->corners, 1) : NULL;
        if (vertex >= f->points.count)
            continue;
        if (!corner)
            return MST_NO_MEMORY;
        for (uint32_t k = 0; k < 3; k++)
            corner[k] = (double)mst_f32_of_bits(mst_column_u32(&f->points, vertex, k));
    }
    return MST_OK;
}

static mst_status read_corners(const mst_value *list, mst_corners_function take, void *user) {
    const mst_value root = mst_root(list->document);
    mst_value points, edges, face, loop;
    faces f = {.corners = {.element_size = sizeof(double[3]), .allocator = list->document->allocator}};
    uint64_t index = 0;
    mst_status status = MST_OK;
    if (mst_field_of(list)->record != &mst_ns2_face_record ||
        mst_find(root, "mesh.vertices", &points, NULL) != MST_OK ||
        mst_find(root, "mesh.edges", &edges, NULL) != MST_OK)
        return MST_OK;
    f.points = mst_column_in(&points, "position");
    f.ends = mst_column_in(&edges, "vertices");
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &face); index++) {
        mst_value loops = mst_member_in(&face, "loops");
        f.corners.count = 0;
        for (mst_iterator each = mst_iterate(&loops); status == MST_OK && mst_next(&each, &loop);)
            status = add_corners(&f, &loop);
        if (status == MST_OK && f.corners.count)
            status = take(user, index, f.corners.items, f.corners.count);
    }
    mst_array_free(&f.corners);
    return status;
}

static const char *const lists[] = {"mesh.faces", "objects", NULL};
const mst_rooms mst_ns2_rooms = {.word = "location",
                                 .lists = lists,
                                 .find = find_rooms,
                                 .corners = read_corners,
                                 .links = mst_ns2_acts_on};
