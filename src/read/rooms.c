/* SPDX-License-Identifier: MIT */
/* The rooms that contain elements, or whether elements are within a range, by their positions or all of their
 * corners. */
#include "rooms.h"
#include "../core/diagnose.h"
#include "labels_making.h"
#include "placement.h"

static const char begin[] = "in=(";

#define SLACK 0.001 /* in the format's unit: walls at the border of a room are in it */

/* Counts, for one element, its corners in the rooms of each name. */
typedef struct place_state {
    mst_labels_draft *making;
    const mst_room *rooms;
    size_t room_count;
    const uint32_t *name_of; /* by room; UINT32_MAX: not requested */
    const mst_range *range;  /* instead of rooms */
} place_state;

static bool is_in_room(const mst_room *room, const double at[3]) {
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += (at[k] - room->middle[k]) * room->axes[i][k];
        if (!(along >= -room->half[i] - SLACK && along <= room->half[i] + SLACK))
            return false;
    }
    return true;
}

static bool is_there(const place_state *p, uint32_t name, const double at[3], unsigned coordinates) {
    if (p->range)
        return mst_is_within(p->range, at, coordinates);
    for (size_t r = 0; r < p->room_count; r++)
        if (p->name_of[r] == name && is_in_room(&p->rooms[r], at))
            return true;
    return false;
}

/* `coordinates` of each corner; an element with a position has one corner. */
static mst_status place(place_state *p, uint64_t element, const double *corners, size_t count,
                        unsigned coordinates) {
    mst_labels *labels = p->making->labels;
    for (uint32_t name = 0; name < labels->name_count && element < labels->count; name++) {
        size_t in = 0;
        for (size_t i = 0; i < count; i++)
            in += is_there(p, name, corners + 3 * i, coordinates);
        if (in && in < count)
            labels->crosses[element] = 1;
        mst_label_pair *pair = in && in == count ? mst_array_push(&p->making->pairs, 1) : NULL;
        if (pair)
            *pair = (mst_label_pair){element, name};
        else if (in && in == count)
            return MST_NO_MEMORY;
    }
    return MST_OK;
}

static mst_status place_corners(void *user, uint64_t element, const double *corners, size_t count) {
    return place(user, element, corners, count, 3);
}

static mst_status place_all(place_state *p, const mst_value *list) {
    mst_labels *labels = p->making->labels;
    const mst_rooms *rooms = list->document->format->rooms;
    mst_value element;
    double at[3];
    uint64_t i = 0;
    mst_status status = MST_OK;
    labels->crosses = mst_arena_zero(&labels->arena, (size_t)labels->count + 1, 1);
    if (!labels->crosses)
        return MST_NO_MEMORY;
    if (!mst_field_of(list)->record->placement)
        return rooms ? rooms->corners(list, place_corners, p) : MST_NO_PATH;
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &element); i++) {
        unsigned coordinates = mst_position_of(&element, at);
        if (coordinates)
            status = place(p, i, at, 1, coordinates);
    }
    return status;
}

static mst_status name_rooms(mst_labels *labels, const mst_room *rooms, size_t count, uint32_t *name_of,
                             const mst_excerpt *only) {
    labels->names = mst_arena_take(&labels->arena, count + 1, sizeof *labels->names);
    labels->ids = mst_arena_zero(&labels->arena, count + 1, sizeof *labels->ids);
    if (!labels->names || !labels->ids)
        return MST_NO_MEMORY;
    for (size_t r = 0; r < count; r++) {
        const char *name = rooms[r].name;
        uint32_t n = 0;
        bool other = only && (strlen(name) != only->length || memcmp(name, only->text, only->length) != 0);
        while (n < labels->name_count && strcmp(labels->names[n], name) != 0)
            n++;
        name_of[r] = other || !*name ? UINT32_MAX : n;
        if (!other && *name && n == labels->name_count)
            labels->names[labels->name_count++] = name;
    }
    return MST_OK;
}

mst_status mst_labels_of_rooms(mst_labels_draft *m, const mst_value *list, const mst_excerpt *only) {
    const mst_document *document = list->document;
    mst_array rooms = {.element_size = sizeof(mst_room), .allocator = document->allocator};
    mst_arena *arena = &m->labels->arena;
    mst_status status = document->format->rooms->find(document, arena, &rooms);
    uint32_t *name_of = mst_arena_take(arena, rooms.count + 1, sizeof *name_of);
    place_state p = {.making = m, .rooms = rooms.items, .room_count = rooms.count, .name_of = name_of};
    if (status == MST_OK)
        status = name_of ? name_rooms(m->labels, rooms.items, rooms.count, name_of, only) : MST_NO_MEMORY;
    if (status == MST_OK)
        status = place_all(&p, list);
    mst_array_free(&rooms);
    return status;
}

mst_status mst_labels_within(mst_labels **labels, const mst_document *document, const char *list_path,
                             const mst_range *range, mst_diagnostic *diagnostic) {
    static const char *const here = "";
    mst_value list;
    mst_labels_draft m;
    *labels = NULL;
    mst_status status = mst_find(mst_root(document), list_path, &list, diagnostic);
    if (status != MST_OK)
        return status;
    if (mst_value_type(&list) != MST_TYPE_LIST)
        return mst_fail(diagnostic, MST_NO_PATH, "this is not a list");
    status = mst_labels_begin(&m, document, &list);
    place_state p = {.making = &m, .range = range};
    if (status == MST_OK) {
        m.labels->names = mst_arena_take(&m.labels->arena, 1, sizeof here);
        if (!m.labels->names)
            status = MST_NO_MEMORY;
    }
    if (status == MST_OK) {
        m.labels->names[m.labels->name_count++] = here;
        status = place_all(&p, &list);
    }
    return mst_labels_end(&m, status, labels, diagnostic);
}

bool mst_has_corners(const mst_document *document, const mst_record *record) {
    const mst_rooms *rooms = document->format->rooms;
    mst_value list;
    for (size_t i = 0; rooms && rooms->lists[i]; i++)
        if (mst_find(mst_root(document), rooms->lists[i], &list, NULL) == MST_OK &&
            mst_field_of(&list)->record == record && !record->placement)
            return true;
    return false;
}

size_t mst_room_length(mst_excerpt text) {
    size_t depth = 0;
    if (text.length < sizeof begin - 1 || memcmp(text.text, begin, sizeof begin - 1) != 0)
        return 0;
    for (size_t i = sizeof begin - 2; i < text.length; i++) {
        depth += text.text[i] == '(';
        if (text.text[i] == ')' && !--depth)
            return i + 1;
    }
    return 0;
}

const char *mst_is_room(const char *path, mst_excerpt *name) {
    const size_t length = mst_room_length((mst_excerpt){path, strlen(path)});
    if (length && name) {
        *name = mst_trimmed(path + sizeof begin - 1, length - sizeof begin);
        if (name->length > 1 && *name->text == '"' && name->text[name->length - 1] == '"')
            *name = (mst_excerpt){name->text + 1, name->length - 2};
    }
    return length ? path + length : NULL;
}

const mst_rooms *mst_rooms_of(const mst_document *document, mst_diagnostic *diagnostic) {
    if (!document->format->rooms)
        mst_fail(diagnostic, MST_ARGUMENT,
                 "levels of this format have no rooms with names: use LIST[within=...]");
    return document->format->rooms;
}
