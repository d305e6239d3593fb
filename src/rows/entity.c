/* SPDX-License-Identifier: MIT */
#include "../core/map.h"
#include "../read/placement.h"
#include "../tables/fields.h"
#include "rows.h"

enum {
    FILE_ID,
    PATH,
    OFFSET,
    INNER,
    INDEX,
    LIST,
    CLASS,
    NAME,
    X,
    YAW = X + 3,
    OWN_X,
    LAYER = OWN_X + 3,
    GROUP,
    LOCATION,
    RAW
};
static const char *const label_words[] = {"layer", "group", "location"}; /* in the order of the columns */
#define LABELS MST_COUNT_OF(label_words)

typedef struct entity_rows {
    mst_rows *rows;
    const mst_row_world *world; /* NULL: `placed` has the positions */
    mst_part_place sector;      /* of a world that has sectors */
    bool in_sector;
    mst_entities *placed;
    mst_hash_map by_path; /* of `placed` */
    mst_labels *labels[LABELS];
    bool has_pairs;         /* some version of the elements has properties */
    bool has_field[LABELS]; /* some version of the elements has a field of that name */
    mst_array joined;
    mst_row_members members; /* of the element */
} entity_rows;

/* ---- positions from the scene ---------------------------------------------------------------------- */

static mst_status place_by_scene(entity_rows *e) {
    mst_status status = mst_level_entities(e->rows->level, &e->placed, NULL);
    if (status != MST_OK) /* without a scene nothing has a position */
        return status == MST_NO_MEMORY ? status : MST_OK;
    e->by_path = (mst_hash_map){.allocator = e->rows->allocator};
    for (size_t i = 0; i < e->placed->count; i++) {
        uint32_t *index = mst_hash_map_add(&e->by_path, mst_key_text(e->placed->items[i].path));
        if (!index)
            return MST_NO_MEMORY;
        *index = (uint32_t)i;
    }
    return MST_OK;
}

static bool placed_at(const entity_rows *e, const char *path, double world[3]) {
    const uint32_t *index = e->placed ? mst_hash_map_find(&e->by_path, mst_key_text(path)) : NULL;
    for (int i = 0; i < 3 && index; i++)
        world[i] = (double)e->placed->items[*index].world[i];
    return index != NULL;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static void put_position(entity_rows *e, const mst_row_element *element, const char *path) {
    mst_rows *rows = e->rows;
    double own[3], world[3], yaw;
    const unsigned count = mst_position_by(mst_placement_of(&element->value), mst_row_find, &e->members, own);
    for (unsigned i = 0; i < count; i++)
        mst_cell_real(rows, OWN_X + i, own[i]);
    if (e->in_sector && count == 3)
        mst_row_in_sector(e->world, &e->sector, own);
    const bool has = e->world ? mst_row_in_world(e->world, own, count, world) : placed_at(e, path, world);
    for (unsigned i = 0; i < 3 && has; i++)
        mst_cell_real(rows, X + i, world[i]);
    if (mst_rows_want(rows, YAW) && mst_row_yaw(e->world, &e->members, &yaw))
        mst_cell_real(rows, YAW, yaw);
}

static void put_offset(mst_rows *rows, const mst_row_element *element) {
    uint64_t offset, length;
    mst_place place;
    if (element->inside || !(mst_rows_want(rows, OFFSET) || mst_rows_want(rows, INNER)))
        return;
    mst_value_span(&element->value, &offset, &length);
    if (mst_place_of(element->document, offset, length, &place) != MST_OK || place.kind == MST_PLACE_MADE)
        return;
    mst_cell_integer(rows, OFFSET, (int64_t)place.offset);
    if (place.kind == MST_PLACE_PACKED)
        mst_cell_integer(rows, INNER, (int64_t)place.inner);
}

/* The element's own value of a name, or its property of that name. */
static void put_named(entity_rows *e, size_t column, const char *name, const char *property) {
    mst_rows *rows = e->rows;
    mst_value value;
    char text[2];
    size_t length = 1;
    mst_value one;
    if (!mst_rows_want(rows, column) || (!mst_row_find(&e->members, name, &value) &&
                                         !(e->has_pairs && mst_row_find(&e->members, property, &value))))
        return;
    if (mst_value_type(&value) == MST_TYPE_LIST && mst_count(&value) == 1 &&
        mst_element(&value, 0, &one) == MST_OK)
        value = one;
    if (mst_get_text(&value, text, sizeof text, &length) != MST_OK || length) /* empty: not a name */
        mst_cell_value(rows, column, &value);
}

static void put_kind(entity_rows *e, const mst_row_element *element) {
    mst_value value;
    const char *kind = element->compared ? element->compared->kind[0] : NULL;
    if (kind && mst_rows_want(e->rows, CLASS) && mst_row_find(&e->members, kind, &value))
        mst_cell_value(e->rows, CLASS, &value);
}

/* All names of a label, separated by commas; for a field of that name without labels, its number. */
static mst_status put_label(entity_rows *e, unsigned which, const mst_row_element *element) {
    mst_value value;
    const mst_labels *labels = e->labels[which];
    const char *name;
    if (!labels) {
        if (e->has_field[which] && mst_row_find(&e->members, label_words[which], &value))
            mst_cell_value(e->rows, LAYER + which, &value);
        return MST_OK;
    }
    name = mst_labels_name(labels, element->index, 0);
    if (!name || !mst_labels_name(labels, element->index, 1)) {
        mst_cell_word(e->rows, LAYER + which, name);
        return MST_OK;
    }
    e->joined.count = 0;
    for (size_t i = 0; (name = mst_labels_name(labels, element->index, i)) != NULL; i++) {
        const size_t length = strlen(name), comma = i ? 2 : 0;
        char *to = mst_array_push(&e->joined, comma + length);
        if (!to)
            return MST_NO_MEMORY;
        memcpy(to, ", ", comma);
        memcpy(to + comma, name, length);
    }
    mst_cell_text(e->rows, LAYER + which, e->joined.items, e->joined.count);
    return MST_OK;
}

static void close_labels(entity_rows *e) {
    for (unsigned i = 0; i < LABELS; i++) {
        mst_labels_close(e->labels[i]);
        e->labels[i] = NULL;
    }
}

static bool has_field(const mst_value *element, const char *name) {
    const mst_field *field = mst_field_of(element);
    bool has = false;
    if (field->record)
        for (mst_fields it = mst_fields_of_record(field->record); !has && mst_fields_next(&it);)
            has = strcmp(it.field->name, name) == 0;
    return has;
}

static mst_status open_labels(entity_rows *e, const mst_row_element *element) {
    close_labels(e);
    e->has_pairs = has_field(&element->value, "properties");
    for (unsigned i = 0; i < LABELS; i++)
        e->has_field[i] = has_field(&element->value, label_words[i]);
    for (unsigned i = 0; i < LABELS && !element->inside; i++) {
        if (!mst_rows_want(e->rows, LAYER + i))
            continue;
        if (mst_labels_open(&e->labels[i], element->document, element->list, label_words[i], NULL) ==
            MST_NO_MEMORY)
            return MST_NO_MEMORY;
    }
    return MST_OK;
}

static mst_status put_entity(void *user, const mst_row_element *element) {
    entity_rows *e = user;
    mst_rows *rows = e->rows;
    char path[MST_ROW_PATH];
    const size_t length = mst_row_path(element, path, sizeof path);
    mst_status status = element->first ? open_labels(e, element) : MST_OK;
    const bool by_json = !rows->kind && mst_rows_want(rows, RAW); /* all elements are rows */
    if (by_json)
        mst_row_members_write(&e->members, &element->value, rows, RAW);
    else
        mst_row_members_take(&e->members, &element->value);
    if (rows->kind && !mst_row_is_of_class(element, &e->members, rows->kind))
        return status;
    mst_cell_integer(rows, FILE_ID, rows->file);
    mst_cell_text(rows, PATH, path, length);
    put_offset(rows, element);
    mst_cell_integer(rows, INDEX, (int64_t)element->index);
    mst_cell_word(rows, LIST, element->list);
    if (mst_value_type(&element->value) == MST_TYPE_RECORD) {
        put_kind(e, element);
        put_named(e, NAME, "name", "properties.name");
        put_position(e, element, path);
        for (unsigned i = 0; i < LABELS && status == MST_OK; i++)
            if (mst_rows_want(rows, LAYER + i))
                status = put_label(e, i, element);
    }
    if (!by_json)
        mst_cell_json(rows, RAW, &element->value, NULL);
    if (rows->kind)
        mst_rows_put_class(rows, RAW + 1, &element->value);
    mst_row_end(rows);
    return status;
}

mst_status mst_rows_entity(mst_rows *rows) {
    entity_rows e = {.rows = rows, .world = mst_row_world_of(rows->document->format)};
    const mst_document *document = rows->document;
    mst_status status = MST_OK;
    rows->by_element = !rows->kind;
    e.in_sector = e.world && e.world->side > 0 && document->format->parts && document->format->parts->place &&
                  document->format->parts->place(document->name, &e.sector);
    e.joined = (mst_array){.element_size = 1, .allocator = rows->allocator};
    const bool places = mst_rows_want(rows, X) || mst_rows_want(rows, X + 1) || mst_rows_want(rows, X + 2);
    if (!e.world && places)
        status = place_by_scene(&e);
    if (status == MST_OK)
        status = mst_rows_each(rows, rows->kind != NULL, put_entity, &e);
    close_labels(&e);
    mst_array_free(&e.joined);
    if (e.placed)
        mst_hash_map_end(&e.by_path);
    mst_entities_free(e.placed);
    return status;
}
