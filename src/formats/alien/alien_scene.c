/* SPDX-License-Identifier: MIT */
/*
 * An Alien Trilogy level as a scene: objects, triggers and start; geometry is in alien_mesh.c. The root node
 * scales the file's units to metres; nothing is mirrored or rotated.
 */
#include "../../core/diagnose.h"
#include "../../core/output.h"
#include "../../core/text.h"
#include "../../scene/geometry.h"
#include "../extras.h"
#include "../present.h"
#include "alien_stock.h"
#include <stdio.h>

#define EYE_HEIGHT    (1.7F * MST_ALIEN_UNITS)
#define EIGHTH        0.785398163397448F /* of a turn */
#define TEXT_SHOWN    200                /* bytes of a trigger's text in a cell's extras */
#define TEXT_CAPACITY 1024
#define TRIGGERS      256
#define MODELS        256 /* doors and lifts refer to them by a byte */
#define CLASSES_MAX   96  /* for all kinds together; the tables have fewer */

/* A list of objects that are placed in cells. */
typedef struct kind {
    const char *path; /* of the list; its name follows IN_MAP */
    const char *group, *layer;
    const char *class_name; /* for types without a name */
    const char *models;     /* list of their models; NULL: none */
} kind;

#define IN_MAP "map."
static const kind kinds[] = {{IN_MAP "monsters", "Monsters", "monsters", "monster", NULL},
                             {IN_MAP "pickups", "Pickups", "pickups", "pickup", NULL},
                             {IN_MAP "boxes", "Boxes", "boxes", "box", NULL},
                             {IN_MAP "doors", "Doors", "doors", "door", "door_models"},
                             {IN_MAP "lifts", "Lifts", "lifts", "lift", "lift_models"},
                             {IN_MAP "path_nodes", "Path", "path", "path_node", NULL}};

/* The numbered models of one kind. */
typedef struct models {
    const char *name; /* of the list */
    mst_value list;
    uint64_t count;
    uint64_t index_of[MODELS]; /* index in the list by number; UINT64_MAX: none */
    int32_t mesh[MODELS];      /* MESH_UNKNOWN: not made yet */
} models;
enum { MESH_UNKNOWN = -2 };

typedef struct marker {
    const char *class_name;
    int32_t mesh;
} marker;

typedef struct scene_work {
    mst_alien_work base;
    const mst_document *document;
    mst_value map;
    bool markers;
    uint64_t columns, rows;
    mst_column floors, ceilings, lights;
    mst_alien_stock stock;
    marker *made; /* CLASSES_MAX */
    size_t made_count;
    models *models;
    char textures[120]; /* name of the texture file, or why there is none */
} scene_work;

/* ---- positions ---------------------------------------------------------------------------------- */

static float middle(uint64_t cell, uint64_t cells) {
    return (float)(((double)cell - (double)cells / 2) * MST_ALIEN_CELL + MST_ALIEN_CELL / 2.0);
}

/* The middle of a cell's floor; outside of the grid the floor is at 0. */
static void position_of_cell(const scene_work *w, uint64_t x, uint64_t y, float position[3]) {
    position[0] = middle(x, w->columns);
    position[1] = 0;
    position[2] = middle(y, w->rows);
    if (x < w->columns && y < w->rows)
        position[1] = (float)(w->floors.data[(y * w->columns + x) * w->floors.stride] * MST_ALIEN_STEP);
}

/* Rotates +Z to the direction of an angle: 0 is +Z, 2 is +X. */
static void turn_of(uint64_t angle, float rotation[4]) {
    static const float up[3] = {0, 1, 0};
    mst_quaternion_axis(up, (float)(angle % 8) * EIGHTH, rotation);
}

/* ---- markers and models ------------------------------------------------------------------------- */

/* The marker of a class: a box on the floor, as large as its body. */
static int32_t marker_mesh(scene_work *w, const char *class_name, const float size[2]) {
    mst_scene_builder *builder = w->base.builder;
    for (size_t i = 0; i < w->made_count; i++)
        if (strcmp(w->made[i].class_name, class_name) == 0)
            return w->made[i].mesh;
    if (MST_UNREACHABLE(w->made_count == CLASSES_MAX) || /* class names are from the tables */
        !mst_scene_ok(w->base.builder))
        return -1;
    const mst_primitive *box = mst_scene_box(builder, size[0], true);
    float *positions =
        box ? mst_scene_copy(builder, box->positions, box->vertex_count, 3 * sizeof *positions) : NULL;
    if (!positions)
        return -1;
    for (uint32_t i = 0; i < box->vertex_count; i++)
        positions[3 * (size_t)i + 1] *= size[1] / size[0];
    mst_primitive shape = *box;
    shape.positions = positions;
    mst_material material = {.name = class_name, .image = -1};
    mst_color_of_name(class_name, material.color);
    int32_t mesh =
        mst_scene_add_shape(builder, &shape, class_name, mst_scene_add_material(builder, &material));
    w->made[w->made_count++] = (marker){class_name, mesh};
    return mesh;
}

/* "D012": 12; -1 if it has no number. */
static int number_of_model(const mst_value *model) {
    mst_value name = mst_member_in(model, "name");
    char text[8] = "";
    int number = 0;
    mst_get_text(&name, text, sizeof text, NULL);
    for (const char *at = text + 1; at < text + 4; at++) {
        if (*at < '0' || *at > '9')
            return -1;
        number = number * 10 + (*at - '0');
    }
    return number;
}

/* Maps model numbers to sections; a section without a number counts by its position. */
static void find_models(scene_work *w, const char *list_name) {
    models *m = w->models;
    mst_value root = mst_root(w->document), model;
    m->name = list_name;
    m->count = 0;
    for (size_t i = 0; i < MODELS; i++) {
        m->index_of[i] = UINT64_MAX;
        m->mesh[i] = MESH_UNKNOWN;
    }
    m->list = mst_member_in(&root, list_name);
    for (mst_iterator it = mst_iterate(&m->list); mst_next(&it, &model); m->count++) {
        int number = number_of_model(&model);
        if (number >= 0 && number < MODELS && m->index_of[number] == UINT64_MAX)
            m->index_of[number] = m->count;
    }
    for (size_t i = 0; i < MODELS && i < m->count; i++)
        if (m->index_of[i] == UINT64_MAX)
            m->index_of[i] = i;
}

/* The mesh of a model; -1: none. */
static int32_t model_mesh(scene_work *w, uint8_t number, char prefix) {
    models *m = w->models;
    if (m->index_of[number] == UINT64_MAX)
        return -1;
    if (m->mesh[number] != MESH_UNKNOWN)
        return m->mesh[number];
    m->mesh[number] = -1;
    mst_primitive *primitives = NULL;
    mst_value model = mst_element_in(&m->list, m->index_of[number]);
    const char *path =
        mst_scene_printf(w->base.builder, "%s[%llu].quads", m->name, (unsigned long long)m->index_of[number]);
    size_t count = mst_alien_primitives(&w->base, &model, path, &primitives);
    if (!count)
        return -1;
    const char *name = mst_scene_printf(w->base.builder, "%c%03u", prefix, (unsigned)number);
    mst_mesh mesh = {.name = name, .primitives = primitives, .primitive_count = count};
    return m->mesh[number] = mst_scene_add_mesh(w->base.builder, &mesh);
}

/* ---- objects ------------------------------------------------------------------------------------ */

/* Adds a node for an object at a cell. */
static int32_t add_thing(scene_work *w, int32_t parent, const char *class_name, const char *layer,
                         mst_role role, uint64_t x, uint64_t y) {
    int32_t index = mst_scene_add_node(w->base.builder, parent, class_name, role);
    mst_node *node = mst_scene_node(w->base.builder, index);
    if (!node)
        return -1;
    node->class_name = class_name;
    node->layer = layer;
    position_of_cell(w, x, y, node->translation);
    return index;
}

/* The light of a cell, and how high its room is. */
static uint32_t look_up_cell(const scene_work *w, uint64_t x, uint64_t y, float *height) {
    *height = 0;
    if (x >= w->columns || y >= w->rows)
        return MST_ALIEN_LIGHTS;
    uint64_t cell = y * w->columns + x;
    *height = (float)((mst_column_u8(&w->ceilings, cell, 0) - (int)mst_column_u8(&w->floors, cell, 0)) *
                      MST_ALIEN_STEP);
    return mst_column_u8(&w->lights, cell, 0);
}

/* The mesh of a thing; -1: it has none, or its file was not found. */
static int32_t thing_mesh(scene_work *w, const kind *k, const mst_value *record, float *up) {
    uint64_t x = mst_number_in(record, "x"), y = mst_number_in(record, "y");
    *up = 0;
    if (k->models)
        return model_mesh(w, (uint8_t)mst_number_in(record, "model"), k->layer[0] == 'd' ? 'D' : 'L');
    if (strcmp(k->layer, "path") == 0)
        return -1;
    uint64_t type = mst_number_in(record, "type");
    if (strcmp(k->layer, "pickups") == 0)
        return mst_alien_pickup_mesh(&w->stock, type);
    if (strcmp(k->layer, "boxes") == 0)
        return mst_alien_box_mesh(&w->stock, type);
    uint32_t light = look_up_cell(w, x, y, up);
    if (!mst_alien_hangs(type))
        *up = 0;
    return mst_alien_monster_mesh(&w->stock, &w->base, type, light);
}

/* Adds the visible model of a thing as a child node. */
static bool add_model(scene_work *w, const kind *k, const mst_value *record, int32_t parent) {
    float up;
    int32_t mesh = thing_mesh(w, k, record, &up);
    if (mesh < 0)
        return false;
    const char *name = ((const mst_mesh *)w->base.builder->meshes.items + mesh)->name;
    mst_node *node =
        mst_scene_node(w->base.builder, mst_scene_add_node(w->base.builder, parent, name, MST_ROLE_GEOMETRY));
    if (!node)
        return false;
    node->mesh = mesh;
    node->layer = k->layer;
    node->translation[1] = up;
    return true;
}

static void add_one(scene_work *w, const kind *k, const mst_value *record, uint64_t number, int32_t group) {
    mst_value field;
    const char *class_name = NULL;
    if (mst_member(record, "type", &field) == MST_OK)
        class_name = mst_get_name(&field);
    class_name = class_name ? class_name : k->class_name;
    bool is_path_node = k->layer[0] == 'p' && k->layer[1] == 'a'; /* invisible in the game */
    int32_t index =
        add_thing(w, group, class_name, k->layer, is_path_node ? MST_ROLE_HELPER : MST_ROLE_ENTITY,
                  mst_number_in(record, "x"), mst_number_in(record, "y"));
    mst_extras_builder extras;
    char path[64];
    mst_scene_source source = {.path = k->path, .index = (uint32_t)number};
    mst_extras_begin(&extras, w->base.builder);
    mst_scene_source_path(&source, path, sizeof path);
    mst_extras_string(&extras, "path", path);
    mst_extras_fields(&extras, record);
    mst_extras list = mst_extras_end(&extras);
    mst_node *node = mst_scene_node(w->base.builder, index);
    if (!node)
        return;
    node->extras = list;
    node->source = source;
    turn_of(mst_number_in(record, "rotation"), node->rotation);
    bool shown = add_model(w, k, record, index);
    if (shown || is_path_node || !w->markers)
        return;
    float size[2];
    uint64_t type = mst_member(record, "type", &field) == MST_OK ? mst_number_in(record, "type") : 0;
    mst_alien_body(k->layer, type, size);
    int32_t mesh = marker_mesh(w, class_name, size);
    node = mst_scene_node(w->base.builder, index);
    if (node)
        node->mesh = mesh;
}

static void add_things(scene_work *w, const kind *k) {
    mst_value list = mst_member_in(&w->map, k->path + strlen(IN_MAP)), record;
    if (!mst_count(&list))
        return;
    if (k->models)
        find_models(w, k->models);
    int32_t group = mst_scene_add_group(w->base.builder, 0, k->group, k->layer);
    mst_scene_set_source(w->base.builder, group, NULL, k->path, MST_NO_INDEX);
    uint64_t number = 0;
    for (mst_iterator it = mst_iterate(&list); mst_scene_ok(w->base.builder) && mst_next(&it, &record);
         number++)
        add_one(w, k, &record, number, group);
}

/* ---- triggers ----------------------------------------------------------------------------------- */

typedef struct trigger {
    char text[TEXT_SHOWN + 4];
    bool ends_level;
} trigger;

/* Whether the chain of commands that a trigger starts ends the level. */
static bool ends_level(const scene_work *w, uint64_t number) {
    enum { END_OF_LEVEL = 8, NO_COMMAND = 255 };
    mst_value triggers = mst_member_in(&w->map, "triggers"), commands = mst_member_in(&w->map, "commands");
    const mst_column first = mst_column_in(&triggers, "first_command"),
                     operations = mst_column_in(&commands, "operation"),
                     nexts = mst_column_in(&commands, "next");
    uint64_t at = first.data[number * first.stride];
    /* a chain of more steps than there are commands is circular */
    for (uint64_t steps = 0; at != NO_COMMAND && at < operations.count && steps < operations.count; steps++) {
        if (operations.data[at * operations.stride] == END_OF_LEVEL)
            return true;
        at = nexts.data[at * nexts.stride];
    }
    return false;
}

/* Buffers of describe_triggers, too large for the stack. */
typedef struct description {
    mst_output out;
    char text[TEXT_CAPACITY];
} description;

/* Describes each trigger in the scene's extra "json"; the beginnings of the texts are kept for the cells. */
static void describe_triggers(scene_work *w, trigger *triggers, mst_extras_builder *extras) {
    mst_buffer json = {.allocator = w->base.builder->scratch.allocator};
    mst_value list = mst_member_in(&w->map, "triggers");
    uint64_t count = mst_count(&list);
    description *d = mst_scene_scratch(w->base.builder, 1, sizeof *d);
    bool any = false;
    if (!d)
        return;
    mst_output_begin(&d->out, mst_buffer_sink(&json));
    mst_output_text(&d->out, "{\"triggers\":[");
    if (MST_UNREACHABLE(count > TRIGGERS)) /* the count is a u8 */
        count = TRIGGERS;
    for (uint32_t i = 0; i < count; i++) {
        triggers[i].ends_level = ends_level(w, i);
        if (!mst_alien_trigger_text(&w->map, i, d->text, sizeof d->text))
            continue;
        size_t length = strlen(d->text), shown = mst_utf8_cut(d->text, length, TEXT_SHOWN);
        snprintf(triggers[i].text, sizeof triggers[i].text, "%.*s%s", (int)shown, d->text,
                 shown < length ? "..." : "");
        mst_output_format(&d->out, "%s{\"index\":%u,\"text\":", any ? "," : "", (unsigned)i);
        mst_output_json_string(&d->out, d->text, length);
        mst_output_text(&d->out, "}");
        any = true;
    }
    mst_output_text(&d->out, "]}");
    if (mst_output_end(&d->out) == MST_OK)
        mst_extras_text(extras, "json", (const char *)json.data, json.size);
    else
        mst_scene_fail(w->base.builder);
    mst_buffer_free(&json);
}

/* Adds a node for each cell with a trigger, and a label where the level ends. */
static void add_triggers(scene_work *w, const trigger *triggers) {
    mst_value list = mst_member_in(&w->map, "cells");
    const mst_column numbers = mst_column_in(&list, "trigger");
    int32_t group = -1;
    for (uint64_t i = 0; i < numbers.count && mst_scene_ok(w->base.builder); i++) {
        unsigned number = numbers.data[i * numbers.stride];
        if (!number)
            continue;
        if (group < 0)
            group = mst_scene_add_group(w->base.builder, 0, "Triggers", "triggers");
        const trigger *t = &triggers[number];
        int32_t index = add_thing(w, group, t->ends_level ? "level_end" : "trigger", "triggers",
                                  MST_ROLE_ENTITY, i % w->columns, i / w->columns);
        mst_extras_builder extras;
        char path[48];
        mst_scene_source source = {.path = IN_MAP "cells", .index = (uint32_t)i};
        mst_scene_source_path(&source, path, sizeof path);
        mst_extras_begin(&extras, w->base.builder);
        mst_extras_string(&extras, "path", path);
        mst_extras_integer(&extras, "trigger", number);
        if (t->text[0])
            mst_extras_string(&extras, "text", t->text);
        mst_extras made = mst_extras_end(&extras);
        mst_node *node = mst_scene_node(w->base.builder, index);
        if (!node)
            return;
        node->extras = made;
        node->source = source;
        node->label = t->ends_level ? "level end" : "";
    }
}

/* ---- start -------------------------------------------------------------------------------------- */

static void add_start(scene_work *w) {
    mst_scene_builder *builder = w->base.builder;
    uint64_t x = mst_number_in(&w->map, "start_x"), y = mst_number_in(&w->map, "start_y"),
             angle = mst_number_in(&w->map, "start_angle");
    int32_t index = add_thing(w, 0, "start", "start", MST_ROLE_ENTITY, x, y);
    mst_extras_builder extras;
    mst_extras_begin(&extras, builder);
    mst_extras_integer(&extras, "start_x", (int64_t)x);
    mst_extras_integer(&extras, "start_y", (int64_t)y);
    mst_extras_integer(&extras, "start_angle", (int64_t)angle);
    mst_value field = mst_member_in(&w->map, "start_angle");
    const char *name = mst_get_name(&field);
    if (name)
        mst_extras_string(&extras, "start_angle_name", name);
    mst_extras made = mst_extras_end(&extras);
    static const float size[2] = {0.5F * MST_ALIEN_UNITS, 0.5F * MST_ALIEN_UNITS};
    int32_t mesh = w->markers ? marker_mesh(w, "start", size) : -1;
    mst_node *node = mst_scene_node(builder, index);
    if (!node)
        return;
    node->extras = made;
    node->source = (mst_scene_source){.path = "map", .index = MST_NO_INDEX};
    node->label = "start";
    node->mesh = mesh;
    turn_of(angle, node->rotation);

    mst_camera camera = {.name = "start", .vertical_fov = 1.0F, .near_plane = 0.1F};
    int32_t made_camera = mst_scene_add_camera(builder, &camera);
    index = add_thing(w, 0, "", "start", MST_ROLE_CAMERA, x, y);
    node = mst_scene_node(builder, index);
    if (!node)
        return;
    static const float half_turn[4] = {0, 1, 0, 0}; /* cameras look along -Z */
    float facing[4];
    turn_of(angle, facing);
    mst_quaternion_multiply(facing, half_turn, node->rotation);
    node->name = "camera";
    node->source = (mst_scene_source){.path = "map", .index = MST_NO_INDEX};
    node->translation[1] += EYE_HEIGHT;
    node->camera = made_camera;
}

/* ---- geometry ----------------------------------------------------------------------------------- */

static void add_geometry(scene_work *w) {
    mst_scene_builder *builder = w->base.builder;
    mst_primitive *primitives;
    size_t count = mst_alien_primitives(&w->base, &w->map, IN_MAP "quads", &primitives);
    if (!count)
        return;
    int32_t group = mst_scene_add_group(w->base.builder, 0, "Geometry", "geometry");
    for (size_t i = 0; i < count && mst_scene_ok(w->base.builder); i++) {
        const char *name = ((const mst_material *)builder->materials.items + primitives[i].material)->name;
        mst_mesh mesh = {.name = name, .primitives = &primitives[i], .primitive_count = 1};
        int32_t index = mst_scene_add_mesh(builder, &mesh);
        mst_node *node = mst_scene_node(builder, mst_scene_add_node(builder, group, name, MST_ROLE_GEOMETRY));
        if (!node)
            return;
        node->mesh = index;
        node->source = primitives[i].source;
        node->layer = "geometry";
    }
}

static void add_collision(scene_work *w) {
    mst_scene_builder *builder = w->base.builder;
    mst_primitive *primitive = mst_scene_take(builder, 1, sizeof *primitive);
    if (!primitive || !mst_alien_collision(&w->base, &w->map, primitive))
        return;
    mst_mesh mesh = {.name = "collision", .primitives = primitive, .primitive_count = 1};
    int32_t index = mst_scene_add_mesh(builder, &mesh);
    mst_node *node = mst_scene_node(builder, mst_scene_add_node(builder, 0, "Collision", MST_ROLE_COLLISION));
    if (!node)
        return;
    node->mesh = index;
    node->source = primitive->source;
    node->layer = "collision";
}

/* ---- the texture file --------------------------------------------------------------------------- */

/* Opens the level's texture file, a sidecar; NULL if there is no usable one. `w->textures` receives the
 * outcome. Fails only with MST_NO_MEMORY. */
static mst_status open_textures(scene_work *w, const mst_scene_options *options, mst_document **textures) {
    static const char *const endings[] = {"GFX.BIN", "GFX.B16"};
    const mst_resolver *sidecars = options->sidecars;
    char number[4];
    *textures = NULL;
    MST_SET(w->textures, "not found");
    if (!sidecars || !sidecars->find || !mst_alien_level_number(mst_document_name(w->document), number))
        return MST_OK;
    for (size_t i = 0; i < MST_COUNT_OF(endings); i++) {
        char name[16];
        const void *bytes = NULL;
        size_t size = 0;
        mst_diagnostic why;
        mst_open_options how = {
            .size = sizeof how, .format = "alien-gfx", .name = name, .allocator = options->allocator};
        snprintf(name, sizeof name, "%s%s", number, endings[i]);
        mst_status status = sidecars->find(sidecars->user, name, &bytes, &size);
        bool found = status == MST_OK;
        if (found)
            status = mst_open_memory(bytes, size, &how, textures, &why);
        if (status == MST_OK)
            MST_SET(w->textures, "%s", name);
        else if (found)
            MST_SET(w->textures, "damaged: %s: %s", name, why.message);
        if (status == MST_OK || status == MST_NO_MEMORY)
            return status;
    }
    return MST_OK;
}

/* ---- the scene ---------------------------------------------------------------------------------- */

static void add_all(scene_work *w, mst_extras_builder *extras) {
    mst_value list = mst_member_in(&w->map, "cells");
    w->columns = mst_number_in(&w->map, "grid_columns");
    w->rows = mst_number_in(&w->map, "grid_rows");
    w->floors = mst_column_in(&list, "floor");
    w->ceilings = mst_column_in(&list, "ceiling");
    w->lights = mst_column_in(&list, "light");
    mst_alien_take_level(&w->base, &w->map);
    add_geometry(w);
    w->models = mst_scene_scratch(w->base.builder, 1, sizeof *w->models);
    w->made = mst_scene_scratch(w->base.builder, CLASSES_MAX, sizeof *w->made);
    trigger *triggers = mst_scene_scratch(w->base.builder, TRIGGERS, sizeof *triggers);
    if (!mst_scene_ok(w->base.builder))
        return;
    for (size_t i = 0; i < MST_COUNT_OF(kinds); i++)
        add_things(w, &kinds[i]);
    describe_triggers(w, triggers, extras);
    add_triggers(w, triggers);
    add_start(w);
    add_collision(w);
    mst_extras_integer(extras, "grid_columns", (int64_t)w->columns);
    mst_extras_integer(extras, "grid_rows", (int64_t)w->rows);
}

/* "L111 Entrance", or the file's name without its extension. */
static void name_of_level(const mst_document *document, char *name, size_t capacity) {
    const char *file = mst_document_name(document), *title = NULL;
    char number[4];
    if (mst_alien_level_number(file, number) && (title = mst_alien_level_name(number)) != NULL) {
        snprintf(name, capacity, "L%s %s", number, title);
        return;
    }
    mst_scene_stem(file, name, capacity);
}

mst_status mst_alien_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_extras_builder extras;
    scene_work w = {.document = document, .base.builder = &builder};
    char name[120];
    options = mst_scene_start(&builder, options, document->size, 1 / MST_ALIEN_UNITS);
    mst_document *textures;
    if (open_textures(&w, options, &textures) != MST_OK)
        mst_scene_fail(&builder);
    mst_scene_limit(&builder, options, document->size + (textures ? textures->size : 0));
    w.markers = !options->no_markers;
    name_of_level(document, name, sizeof name);
    if (textures && !options->no_textures)
        mst_alien_take_textures(&w.base, textures);
    mst_extras_begin(&extras, &builder);
    mst_extras_string(&extras, "textures", w.textures);
    mst_value root = mst_root(document);
    if (mst_member(&root, "map", &w.map) == MST_OK && mst_scene_ok(&builder)) {
        mst_alien_stock_begin(&w.stock, &builder, &w.map, document->name, textures, options);
        add_all(&w, &extras);
        mst_alien_stock_end(&w.stock);
    }
    mst_close(textures);
    if (w.base.left_out)
        mst_extras_integer(&extras, "faces_not_shown", (int64_t)w.base.left_out);
    mst_scene settings = {.name = name,
                          .format = document->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .unit_metres = 1 / (double)MST_ALIEN_UNITS};
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
