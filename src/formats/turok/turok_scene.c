/* SPDX-License-Identifier: MIT */
/*
 * A Turok level as a scene: meshes and actors, sun, start and grid; floors and walls are in scene_floor.c.
 * The root node turns Z up to Y up and scales units to metres; everything below it has the file's
 * coordinates.
 */
#include "turok_scene.h"
#include "../../scene/geometry.h"
#include "tags.h"
#include <math.h>
#include <stdio.h>

#define EYE_SHARE   0.9F /* of an actor's collision height */
#define SUN_LUX     3    /* viewers expect about this much from a sun */
#define GRID_WIDTH  4.0F /* units, of the lines drawn around cells */
#define LINKS_MAX   16   /* arrows from one actor: many may share a tag */
#define LINKS_ALL   4096 /* arrows in all: more would be unreadable */
#define ACTORS      "actors.records"
#define TYPE_PLAYER 0

/* ---- static meshes in bulk ---------------------------------------------------------------------- */

/* The static meshes of a cell. All fields are numbers at fixed offsets and none is an enum, so they can be
 * read by the plan without looking up each field. */
typedef struct rows {
    const mst_document *document;
    const mst_record *record;
    const mst_plan *plan;
    mst_value list;
    uint64_t offset; /* of the first record */
} rows;

/* False if the list is empty. */
static bool rows_of(const mst_value *list, rows *all) {
    mst_value first;
    *all = (rows){.document = list->document, .record = mst_field_of(list)->record, .list = *list};
    if (mst_element(list, 0, &first) != MST_OK)
        return false;
    all->plan = mst_plan_of(all->document, all->record);
    all->offset = first.offset;
    return true;
}

/* Adds the same extras as mst_extras_fields, for mst_extras_begin_like. */
static void add_row(mst_extras_builder *extras, const rows *all, uint64_t index) {
    uint64_t at = all->offset + index * all->plan->stride;
    for (uint16_t i = 0; i < all->record->field_count; i++) {
        const mst_field *field = &all->record->fields[i];
        const mst_field_plan *plan = &all->plan->fields[i];
        uint64_t bits = 0;
        for (uint32_t k = 0; k < plan->size; k += mst_kind_width[field->kind]) {
            bits = mst_scalar_bits(all->document, field, at + plan->offset + k);
            if (field->kind == MST_KIND_F32)
                mst_extras_real(extras, field->name, (double)mst_f32_of_bits((uint32_t)bits));
            else
                mst_extras_integer(extras, field->name, (int64_t)bits);
        }
        if (field->flags & MST_FIELD_FLAGS)
            mst_extras_flags(extras, field, bits);
    }
}

/* ---- numbers of records ------------------------------------------------------------------------- */

static void real_row(const mst_column *column, uint64_t index, uint32_t count, float *numbers) {
    for (uint32_t k = 0; k < count; k++)
        numbers[k] = mst_turok_real(column, index, k);
}

static void real_list(const mst_value *record, const char *name, uint32_t count, float *numbers) {
    mst_value list = mst_member_in(record, name);
    for (uint32_t i = 0; i < count; i++) {
        mst_value element = mst_element_in(&list, i);
        double number = 0;
        mst_get_real(&element, &number);
        numbers[i] = (float)number;
    }
}

static double real_of(const mst_value *record, const char *name) {
    mst_value field = mst_member_in(record, name);
    double number = 0;
    mst_get_real(&field, &number);
    return number;
}

static int64_t integer_of(const mst_value *record, const char *name) {
    mst_value field = mst_member_in(record, name);
    int64_t number = 0;
    mst_get_integer(&field, &number);
    return number;
}

/* ---- boxes -------------------------------------------------------------------------------------- */

typedef struct boxes {
    mst_hash_map meshes;       /* by the path of the model that a box replaces: index + 1 */
    const mst_primitive *cube; /* NULL: not made yet */
} boxes;

/* The unit cube in the colour derived from a model's path. */
static int32_t box_mesh(mst_turok_work *w, boxes *all, const char *path) {
    bool fresh;
    uint32_t *number = mst_kex_number_of(&all->meshes, w->builder, path, &fresh);
    if (!number)
        return -1;
    if (!fresh)
        return (int32_t)*number - 1;
    if (!all->cube)
        all->cube = mst_scene_box(w->builder, 1, false);
    mst_material material = {
        .name = *path ? all->meshes.entries[all->meshes.count - 1].key.bytes : "no_model", .image = -1};
    mst_color_of_name(material.name, material.color);
    int32_t mesh = mst_scene_add_shape(w->builder, all->cube, material.name,
                                       mst_scene_add_material(w->builder, &material));
    *number = (uint32_t)(mesh + 1);
    return mesh;
}

/* The columns that give the boxes of a list of records. Boxes of actors do not include the scale. */
typedef struct box_columns {
    mst_column origins, minimums, maximums, scales;
    bool scaled;
} box_columns;

static box_columns columns_of_boxes(const mst_value *list, bool scaled) {
    box_columns columns = {.origins = mst_column_in(list, "origin"),
                           .minimums = mst_column_in(list, "bounds_min"),
                           .maximums = mst_column_in(list, "bounds_max"),
                           .scaled = scaled};
    if (scaled)
        columns.scales = mst_column_in(list, "scale");
    return columns;
}

/* The box is already rotated, but the scale is along the model's own axes: uses the larger of the two
 * horizontal factors for both. */
static void scale_of_box(const box_columns *columns, uint64_t record, float scale[3]) {
    scale[0] = scale[1] = scale[2] = 1;
    if (!columns->scaled)
        return;
    real_row(&columns->scales, record, 3, scale);
    for (int i = 0; i < 3; i++)
        scale[i] = fabsf(scale[i]);
    scale[0] = scale[1] = scale[0] > scale[1] ? scale[0] : scale[1];
}

/* Adds the box around an origin, unless it is not finite or is inverted, which means no model. */
static void add_box(mst_turok_work *w, boxes *all, int32_t group, const char *layer, const char *name,
                    const char *path, const char *list, const box_columns *columns, uint64_t record) {
    float origin[3], low[3], high[3], scale[3], middle[3], size[3];
    real_row(&columns->origins, record, 3, origin);
    real_row(&columns->minimums, record, 3, low);
    real_row(&columns->maximums, record, 3, high);
    scale_of_box(columns, record, scale);
    for (int i = 0; i < 3; i++) {
        middle[i] = origin[i] + scale[i] * ((low[i] + high[i]) / 2);
        size[i] = scale[i] * (high[i] - low[i]);
        if (!(low[i] <= high[i]) || !isfinite(middle[i]) || !isfinite(size[i]))
            return;
    }
    int32_t mesh = box_mesh(w, all, path),
            index = mst_scene_add_node(w->builder, group, name, MST_ROLE_HELPER);
    mst_node *node = mst_scene_node(w->builder, index);
    if (!node)
        return;
    node->mesh = mesh;
    node->layer = layer;
    node->source = (mst_scene_source){.path = list, .index = (uint32_t)record};
    memcpy(node->translation, middle, sizeof middle);
    memcpy(node->scale, size, sizeof size);
}

/* The next text of a list of paths; "" after its end. */
static void next_path(mst_iterator *paths, char text[MST_TUROK_PATH]) {
    mst_value path;
    text[0] = 0;
    if (mst_next(paths, &path))
        mst_get_text(&path, text, MST_TUROK_PATH, NULL);
}

/* ---- models ------------------------------------------------------------------------------------- */

/* The extras about the model shown, if models were found. */
static void add_model_extras(const mst_turok_work *w, mst_extras_builder *extras, bool found,
                             const mst_kex_shown *shown) {
    if (!w->stock.found)
        return;
    mst_extras_integer(extras, "model_resolved", found);
    mst_extras_string(extras, "materials", shown->materials);
}

/* ---- static meshes ------------------------------------------------------------------------------ */

/* `like` receives the extras of the first mesh, whose names the others share. */
static void add_mesh(mst_turok_work *w, int32_t group, const char *name, const char *path, const char *from,
                     const rows *all, const mst_column transform[3], uint64_t index, mst_extras *like) {
    mst_extras_builder extras;
    if (like->count)
        mst_extras_begin_like(&extras, w->builder, like);
    else
        mst_extras_begin(&extras, w->builder);
    mst_kex_shown shown;
    bool model = mst_kex_stock_model(&w->stock, path, "", MST_KEX_STATIC, &shown);
    mst_extras_string(&extras, "model", path);
    add_model_extras(w, &extras, model, &shown);
    if (like->count) {
        add_row(&extras, all, index);
    } else {
        mst_value record = mst_element_in(&all->list, index);
        mst_extras_fields(&extras, &record);
    }
    mst_extras list = mst_extras_end(&extras);
    if (!like->count)
        *like = list;
    mst_role role = shown.mesh >= 0 ? MST_ROLE_GEOMETRY : MST_ROLE_GROUP;
    mst_node *node = mst_scene_node(w->builder, mst_scene_add_node(w->builder, group, name, role));
    if (!node)
        return;
    node->mesh = shown.mesh;
    node->layer = "static_meshes";
    node->extras = list;
    node->source = (mst_scene_source){.path = from, .index = (uint32_t)index};
    real_row(&transform[0], index, 3, node->translation);
    real_row(&transform[1], index, 4, node->rotation);
    real_row(&transform[2], index, 3, node->scale);
}

/* "mesh_3_17" */
static void name_mesh(char name[64], const char *stem, uint64_t cell, uint64_t index) {
    size_t length = strlen(stem);
    memcpy(name, stem, length);
    name[length++] = '_';
    length += mst_write_u64(name + length, cell);
    name[length++] = '_';
    length += mst_write_u64(name + length, index);
    name[length] = 0;
}

/* Called once for meshes and once for boxes, so that the nodes of a layer are contiguous. */
static void add_meshes(mst_turok_work *w, boxes *all, bool as_boxes) {
    const char *layer = as_boxes ? "static_mesh_boxes" : "static_meshes";
    mst_value cells = mst_member_in(&w->root, "grid_sections"), cell, list;
    mst_extras like = {.count = 0};
    int32_t group = mst_scene_add_group(w->builder, 0, layer, layer);
    uint64_t cell_index = 0;
    for (mst_iterator it = mst_iterate(&cells); mst_scene_ok(w->builder) && mst_next(&it, &cell);
         cell_index++) {
        rows meshes;
        if (mst_member(&cell, "static_meshes", &list) != MST_OK || !rows_of(&list, &meshes))
            continue;
        mst_column transform[3] = {mst_column_in(&list, "origin"), mst_column_in(&list, "rotation"),
                                   mst_column_in(&list, "scale")};
        const box_columns box = columns_of_boxes(&list, false);
        mst_value models = mst_member_in(&cell, "models");
        mst_iterator paths = mst_iterate(&models);
        const char *from =
            mst_scene_printf(w->builder, "grid_sections[%llu].static_meshes", (unsigned long long)cell_index);
        for (uint64_t index = 0; mst_scene_ok(w->builder) && index < transform[0].count; index++) {
            char name[64];
            name_mesh(name, as_boxes ? "box" : "mesh", cell_index, index);
            next_path(&paths, w->model);
            if (!as_boxes)
                add_mesh(w, group, name, w->model, from, &meshes, transform, index, &like);
            else if (!mst_kex_stock_has(&w->stock, w->model))
                add_box(w, all, group, layer, name, w->model, from, &box, index);
        }
    }
}

/* ---- actors ------------------------------------------------------------------------------------- */

static void turn_of_yaw(double yaw, float rotation[4]) {
    if (!isfinite(yaw))
        yaw = 0;
    rotation[0] = rotation[1] = 0;
    rotation[2] = (float)sin(yaw / 2);
    rotation[3] = (float)cos(yaw / 2);
}

static const char *class_of(mst_turok_work *w, int64_t type) {
    const char *name = mst_turok_name_of_actor(&w->actor_names, (int32_t)type);
    return name       ? name
           : type < 0 ? mst_scene_printf(w->builder, "type_m%lld", -(long long)type)
                      : mst_scene_printf(w->builder, "type_%03lld", (long long)type);
}

/* Below the actor's node, so that maps still show its symbol. */
static void add_model_of_actor(mst_turok_work *w, int32_t actor, const char *name, int32_t mesh) {
    char own[48];
    snprintf(own, sizeof own, "%s_model", name);
    mst_node *node =
        mst_scene_node(w->builder, mst_scene_add_node(w->builder, actor, own, MST_ROLE_GEOMETRY));
    if (node) {
        node->layer = "actors";
        node->mesh = mesh;
    }
}

static void add_actor(mst_turok_work *w, int32_t group, const char *name, const char *model,
                      const char *animation, const char *tag, const mst_value *record, uint64_t index) {
    mst_extras_builder extras;
    const char *class_name = class_of(w, integer_of(record, "type"));
    mst_kex_shown shown;
    bool found =
        mst_kex_stock_model(&w->stock, model, animation, (uint32_t)integer_of(record, "variant"), &shown);
    mst_extras_begin(&extras, w->builder);
    mst_extras_string(&extras, "model", model);
    mst_extras_string(&extras, "animation", animation);
    add_model_extras(w, &extras, found, &shown);
    mst_extras_fields(&extras, record);
    mst_extras list = mst_extras_end(&extras);
    int32_t made = mst_scene_add_node(w->builder, group, name, MST_ROLE_ENTITY);
    mst_node *node = mst_scene_node(w->builder, made);
    if (!node)
        return;
    node->layer = "actors";
    node->class_name = class_name;
    node->extras = list;
    node->source = (mst_scene_source){.path = ACTORS, .index = (uint32_t)index};
    node->tag = tag;
    node->facing = MST_FACING_Y;
    real_list(record, "origin", 3, node->translation);
    real_list(record, "scale", 3, node->scale);
    turn_of_yaw(real_of(record, "yaw"), node->rotation);
    if (shown.mesh >= 0)
        add_model_of_actor(w, made, name, shown.mesh);
}

/* Adds a camera at the player's eyes. */
static void add_start(mst_turok_work *w, const char *name, const mst_value *record, uint64_t index) {
    static const float ahead[4] = {MST_TUROK_HALF_ROOT, 0, 0, MST_TUROK_HALF_ROOT};
    float origin[3] = {0}, turn[4];
    mst_camera camera = {.name = "start", .vertical_fov = 1.0F, .near_plane = 0.1F};
    int32_t lens = mst_scene_add_camera(w->builder, &camera);
    real_list(record, "origin", 3, origin);
    turn_of_yaw(real_of(record, "yaw"), turn);
    mst_node *node = mst_scene_node(w->builder, mst_scene_add_node(w->builder, 0, name, MST_ROLE_CAMERA));
    if (!node)
        return;
    node->layer = "start";
    node->source = (mst_scene_source){.path = ACTORS, .index = (uint32_t)index};
    node->camera = lens;
    memcpy(node->translation, origin, sizeof origin);
    node->translation[2] += EYE_SHARE * (float)real_of(record, "collision_height");
    mst_quaternion_multiply(turn, ahead, node->rotation);
}

static void add_links(mst_turok_work *w, const mst_turok_tags *t, const mst_value *records,
                      mst_array *lines) {
    mst_column origins = mst_column_in(records, "origin");
    size_t end = lines->count + LINKS_ALL;
    for (uint32_t i = 0; i < t->tids.count; i++) {
        uint16_t target = mst_turok_tag_at(&t->targets, i);
        unsigned made = 0;
        if (!mst_turok_is_target(target))
            continue;
        for (uint32_t to = t->first[target];
             to != MST_TUROK_NO_ACTOR && made < LINKS_MAX && lines->count < end; to = t->next[to]) {
            if (to == i)
                continue;
            mst_map_line *line = mst_scene_push(w->builder, lines, 1);
            if (!line)
                return;
            line->kind = MST_MAP_LINK;
            for (uint32_t k = 0; k < 3; k++) {
                line->from[k] = mst_turok_real(&origins, i, k);
                line->to[k] = mst_turok_real(&origins, to, k);
            }
            made++;
        }
    }
}

/* The tag of an actor that triggers another or is triggered; "" for the rest. */
static const char *tag_text(mst_turok_work *w, const mst_turok_tags *t, uint64_t index) {
    uint16_t tag = mst_turok_tag_at(&t->tids, index);
    if (!mst_turok_is_target(tag) ||
        !(t->targeted[tag] || mst_turok_is_target(mst_turok_tag_at(&t->targets, index))))
        return "";
    return mst_scene_printf(w->builder, "%d", tag < 0x8000 ? tag : tag - 0x10000);
}

enum { PASS_ACTORS, PASS_BOXES, PASS_STARTS };

static void add_actors(mst_turok_work *w, boxes *all, mst_array *lines) {
    mst_value actors = mst_member_in(&w->root, "actors"), records = mst_member_in(&actors, "records"),
              models = mst_member_in(&actors, "models"), animations = mst_member_in(&actors, "animations"),
              record;
    mst_turok_tags t;
    char name[32];
    const box_columns box = columns_of_boxes(&records, true);
    if (mst_turok_find_tags(&records, &w->builder->scratch, &t) != MST_OK) {
        mst_scene_fail(w->builder);
        return;
    }
    add_links(w, &t, &records, lines);
    for (int pass = PASS_ACTORS; pass <= PASS_STARTS; pass++) {
        static const char *const layers[] = {"actors", "actor_boxes"};
        int32_t group =
            pass == PASS_STARTS ? 0 : mst_scene_add_group(w->builder, 0, layers[pass], layers[pass]);
        mst_iterator paths[2] = {mst_iterate(&models), mst_iterate(&animations)};
        unsigned long index = 0;
        for (mst_iterator it = mst_iterate(&records);
             mst_scene_ok(w->builder) && index < t.tids.count && mst_next(&it, &record); index++) {
            static const char *const stems[] = {"actor", "actor_box", "start"};
            snprintf(name, sizeof name, "%s_%lu", stems[pass], index);
            if (pass == PASS_STARTS) {
                if (integer_of(&record, "type") == TYPE_PLAYER)
                    add_start(w, name, &record, index);
                continue;
            }
            next_path(&paths[0], w->model);
            if (pass == PASS_BOXES) {
                if (!mst_kex_stock_has(&w->stock, w->model))
                    add_box(w, all, group, layers[pass], name, w->model, ACTORS, &box, index);
            } else {
                next_path(&paths[1], w->animation);
                add_actor(w, group, name, w->model, w->animation, tag_text(w, &t, index), &record, index);
            }
        }
    }
}

/* ---- sun and grid ------------------------------------------------------------------------------- */

/* A light shines along its -Z, so its +Z is turned towards the sun. */
static void add_sun(mst_turok_work *w, mst_extras_builder *extras) {
    mst_value world = mst_member_in(&w->root, "world");
    float to_sun[3], color[4];
    mst_extras_fields(extras, &world);
    real_list(&world, "sun_direction", 3, to_sun);
    real_list(&world, "sun_color", 4, color);
    double length = sqrt((double)to_sun[0] * (double)to_sun[0] + (double)to_sun[1] * (double)to_sun[1] +
                         (double)to_sun[2] * (double)to_sun[2]);
    if (!(length > 0) || !isfinite(length))
        return;
    double x = (double)to_sun[0] / length, y = (double)to_sun[1] / length, z = (double)to_sun[2] / length;
    mst_light light = {.name = "sun", .kind = MST_LIGHT_DIRECTIONAL, .intensity = SUN_LUX};
    for (int i = 0; i < 3; i++)
        light.color[i] = color[i] > 0 ? color[i] < 1 ? color[i] : 1 : 0;
    int32_t index = mst_scene_add_light(w->builder, &light);
    mst_node *node = mst_scene_node(w->builder, mst_scene_add_node(w->builder, 0, "sun", MST_ROLE_LIGHT));
    if (!node)
        return;
    node->layer = "sun";
    node->source = (mst_scene_source){.path = "world", .index = MST_NO_INDEX};
    node->light = index;
    /* the shortest rotation of +Z to the direction; straight down it is not unique, and any half turn is
     * valid */
    double part = sqrt((1 + z) * 2);
    bool down = part < 1e-6;
    node->rotation[0] = down ? 1 : (float)(-y / part);
    node->rotation[1] = down ? 0 : (float)(x / part);
    node->rotation[2] = 0;
    node->rotation[3] = down ? 0 : (float)(part / 2);
}

/* Two triangles of a rectangle, facing up. */
static void put_strip(float *to, float left, float front, float right, float back, float height) {
    const float x[6] = {left, right, right, left, right, left};
    const float y[6] = {front, front, back, front, back, back};
    for (int k = 0; k < 6; k++) {
        to[k * 3] = x[k];
        to[k * 3 + 1] = y[k];
        to[k * 3 + 2] = height;
    }
}

static bool next_corner(mst_iterator *corners, float point[2]) {
    mst_value corner;
    if (!mst_next(corners, &corner))
        return false;
    for (uint64_t k = 0; k < 2; k++) {
        mst_value number = mst_element_in(&corner, k);
        double real = 0;
        mst_get_real(&number, &real);
        point[k] = (float)real;
    }
    return true;
}

/* Adds an outline at the height of the lowest floor for each cell that is not empty. */
static void add_grid(mst_turok_work *w) {
    mst_value cells = mst_member_in(&w->root, "grid_sections"),
              bounds = mst_member_in(&w->root, "grid_bounds"), low_list = mst_member_in(&bounds, "minimums"),
              high_list = mst_member_in(&bounds, "maximums"), cell, list;
    int32_t group = mst_scene_add_group(w->builder, 0, "grid", "grid");
    float height = isfinite(w->lowest) ? w->lowest : 0;
    mst_iterator lows = mst_iterate(&low_list), highs = mst_iterate(&high_list);
    mst_array quads = mst_scene_array(w->builder, 18 * sizeof(float)),
              numbers = mst_scene_array(w->builder, sizeof(uint32_t));
    uint32_t index = 0;
    for (mst_iterator it = mst_iterate(&cells); mst_scene_ok(w->builder) && mst_next(&it, &cell); index++) {
        float box[4] = {0};
        if (!next_corner(&lows, box) || !next_corner(&highs, box + 2))
            break;
        if (mst_member(&cell, "static_meshes", &list) != MST_OK || !mst_count(&list) ||
            !(box[0] < box[2] && box[1] < box[3]) || !isfinite(box[2] - box[0]) || !isfinite(box[3] - box[1]))
            continue;
        float *to = mst_scene_push(w->builder, &quads, 4);
        uint32_t *number = mst_scene_push(w->builder, &numbers, 1);
        if (!to || !number)
            break;
        *number = index;
        put_strip(to, box[0], box[1], box[2], box[1] + GRID_WIDTH, height);
        put_strip(to + 18, box[0], box[3] - GRID_WIDTH, box[2], box[3], height);
        put_strip(to + 36, box[0], box[1], box[0] + GRID_WIDTH, box[3], height);
        put_strip(to + 54, box[2] - GRID_WIDTH, box[1], box[2], box[3], height);
    }
    /* four per cell, which has at least one mesh of 88 bytes: the vertices fit a u32 */
    if (mst_scene_ok(w->builder) && quads.count && !MST_UNREACHABLE(quads.count >= UINT32_MAX / 6)) {
        mst_material material = {
            .name = "grid", .color = {0.8F, 0.8F, 0.2F, 1}, .image = -1, .double_sided = 1, .unlit = 1};
        const float *positions = mst_scene_copy(w->builder, quads.items, quads.count, quads.element_size);
        mst_primitive *part = mst_scene_take(w->builder, 1, sizeof *part);
        uint32_t *elements = mst_scene_take(w->builder, quads.count, 2 * sizeof *elements);
        if (positions && part && elements) {
            for (size_t i = 0; i < 2 * quads.count; i++) /* a quad is two triangles, four are a cell */
                elements[i] = ((const uint32_t *)numbers.items)[i / 8];
            *part = (mst_primitive){.material = mst_scene_add_material(w->builder, &material),
                                    .vertex_count = (uint32_t)quads.count * 6,
                                    .positions = positions,
                                    .source = {.path = "grid_sections", .index = MST_NO_INDEX},
                                    .elements = elements};
            mst_mesh mesh = {.name = "cells", .primitives = part, .primitive_count = 1};
            int32_t shape = mst_scene_add_mesh(w->builder, &mesh);
            mst_node *node =
                mst_scene_node(w->builder, mst_scene_add_node(w->builder, group, "cells", MST_ROLE_HELPER));
            if (node) {
                node->layer = "grid";
                node->source = part->source;
                node->mesh = shape;
            }
        }
    }
    mst_array_free(&quads);
    mst_array_free(&numbers);
}

/* ---- the scene ---------------------------------------------------------------------------------- */

static void add_all(mst_turok_work *w, mst_array *lines, mst_extras_builder *extras) {
    boxes all = {.cube = NULL};
    mst_value sky = mst_member_in(&w->root, "sky_material");
    mst_get_text(&sky, w->model, sizeof w->model, NULL);
    mst_extras_string(extras, "sky_material", w->model);
    mst_turok_add_floors(w, lines);
    add_meshes(w, &all, false);
    add_meshes(w, &all, true);
    add_actors(w, &all, lines);
    add_sun(w, extras);
    add_grid(w);
    if (w->left_out)
        mst_extras_integer(extras, "sectors_not_shown", (int64_t)w->left_out);
}

mst_status mst_turok_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_extras_builder extras;
    char name[120];
    options = mst_scene_start(&builder, options, document->size, 1 / MST_TUROK_UNITS);
    mst_array lines = mst_scene_array(&builder, sizeof(mst_map_line));
    mst_scene_stem(mst_document_name(document), name, sizeof name);
    mst_turok_turn_up(mst_scene_node(&builder, 0));
    mst_extras_begin(&extras, &builder);
    mst_turok_work *w = mst_scene_scratch(&builder, 1, sizeof *w);
    mst_map *map = NULL;
    if (w) {
        w->builder = &builder;
        w->root = mst_root(document);
        map = &w->map;
        mst_kex_stock_begin(&w->stock, &builder, document, options);
        /* definitions that cannot be read are ignored */
        if (mst_turok_read_actor_names(options->sidecars, &builder.arena, &w->actor_names) == MST_NO_MEMORY)
            mst_scene_fail(&builder);
        if (mst_scene_ok(&builder))
            add_all(w, &lines, &extras);
        mst_kex_stock_end(&w->stock);
    }
    mst_scene settings = {.name = name,
                          .format = document->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .unit_metres = 1 / (double)MST_TUROK_UNITS,
                          .map = mst_scene_keep_map(&builder, map, &lines)};
    mst_array_free(&lines);
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
