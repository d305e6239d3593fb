/* SPDX-License-Identifier: MIT */
/*
 * Sectors of Revenant as a scene. Below the root, which scales units to metres, is a group for each sector,
 * with its objects at absolute positions: glTF's X is the game's x, Z its y, Y its z. Pictures and models are
 * in other files: where they are not found, an object is a small box, and a tile a flat rectangle.
 */
#include "revenant_scene.h"
#include "../../core/angles.h"
#include "../../scene/geometry.h"
#include "looks.h"
#include "revenant.h"
#include "tiles.h"
#include <stdio.h>
#include <string.h>

#define UNIT_METRES   0.03125 /* 32 units are a metre */
#define SECTOR        1024    /* units */
#define BOX           16.0F   /* units: edge of the box that represents an object, half a metre */
#define PATH_CAPACITY 400
#define CLASSES       32 /* classes with a separate material */
#define TAILS         2  /* maximum number of byte fields after an inventory */

/* An intensity of 255 with the game's default multiplier, 28, is a household bulb. */
#define CANDELA            50.0
#define LUX                3.0 /* the same for directional light */
#define MULTIPLIER_DEFAULT 28
#define MULTIPLIER_LIMIT   280
#define LIGHT_DIRECTIONAL  1

#define NOT_SEEN 0x180u /* flags of objects: invisible, or only in the editor */
#define MIRRORED 0x200u

typedef struct bound_object {
    mst_value class_value, name;
    uint32_t id, turn, flags;
    int32_t position[3], state;
    int16_t type; /* version 0 has these instead of ids */
} bound_object;
static const mst_binding object_items[] = {
    MST_BINDING(bound_object, class_value, "class"), MST_BINDING(bound_object, id, "unique_id"),
    MST_BINDING(bound_object, name, "name"),         MST_BINDING(bound_object, position, "position"),
    MST_BINDING(bound_object, turn, "facing"),       MST_BINDING(bound_object, turn, "rotation_z"),
    MST_BINDING(bound_object, type, "object_type"),  MST_BINDING(bound_object, flags, "flags"),
    MST_BINDING(bound_object, state, "state")};
static const mst_binding early_items[] = {
    MST_BINDING(bound_object, class_value, "class"), MST_BINDING(bound_object, type, "object_type"),
    MST_BINDING(bound_object, name, "name"), MST_BINDING(bound_object, position, "position"),
    MST_BINDING(bound_object, turn, "facing")};
const mst_bindings mst_revenant_placed_bindings = MST_BINDINGS(bound_object, "object", object_items),
                   mst_revenant_early_bindings = MST_BINDINGS(bound_object, "early_object", early_items);

typedef struct bound_light {
    uint32_t flags, color[3], intensity;
    int32_t position[3], multiplier;
} bound_light;
static const mst_binding light_items[] = {
    MST_BINDING(bound_light, flags, "flags"), MST_BINDING(bound_light, color, "color"),
    MST_BINDING(bound_light, intensity, "intensity"), MST_BINDING(bound_light, position, "position"),
    MST_BINDING(bound_light, multiplier, "multiplier")};
const mst_bindings mst_revenant_light_bindings = MST_BINDINGS(bound_light, "light", light_items);

/* An object being read. */
typedef struct object {
    bound_object bound;
    int32_t class_number;
    const char *class_name, *name;
    bool lit;
    bound_light light;
    mst_value carried; /* its inventory; void: none */
    mst_value tails[TAILS];
    size_t tail_count;
} object;

/* A list of objects being read. */
typedef struct level {
    mst_iterator list;
    mst_scene_source source; /* of the object that was read last */
    int32_t parent;          /* of their nodes */
} level;

typedef struct work {
    mst_scene_builder *builder;
    mst_revenant_texts texts;
    mst_revenant_classes classes;
    mst_revenant_tiles tiles;
    mst_revenant_looks looks;
    bool markers, has_place;
    mst_revenant_place place;
    int32_t sector; /* node of its group */
    mst_array levels;
    mst_bound object, light, stat;
    mst_extra_list items, light_items;
    int32_t class_materials[CLASSES];
} work;

/* ---- materials and meshes ---------------------------------------------------------------------- */

/* Colours of the known classes (sRGB), easy to tell apart; the colours of others depend on their names. */
static const uint8_t class_colors[][3] = {
    {176, 182, 192}, {230, 90, 80},   {150, 170, 210}, {200, 120, 255}, {150, 210, 90},  {200, 140, 70},
    {255, 230, 130}, {160, 130, 110}, {255, 210, 40},  {120, 120, 110}, {60, 200, 255},  {255, 255, 255},
    {255, 80, 150},  {255, 130, 30},  {70, 70, 90},    {110, 220, 190}, {240, 220, 160}, {170, 110, 50},
    {90, 120, 255},  {128, 128, 128}, {128, 128, 128}, {190, 90, 60},   {240, 230, 210}, {210, 60, 60},
    {128, 128, 128}, {130, 255, 140}, {220, 190, 150}};

static int32_t class_material(work *w, int32_t number, const char *name) {
    bool own = !MST_CHANGED(number < 0) && number < CLASSES; /* a negative class is an empty slot */
    if (own && w->class_materials[number] >= 0)
        return w->class_materials[number];
    mst_material material = {.name = name, .image = -1};
    if ((size_t)number < MST_COUNT_OF(class_colors)) {
        for (int i = 0; i < 3; i++)
            material.color[i] = mst_linear_of_srgb((float)class_colors[number][i] / 255);
        material.color[3] = 1;
    } else {
        mst_color_of_name(name, material.color);
    }
    int32_t index = mst_scene_add_material(w->builder, &material);
    if (own)
        w->class_materials[number] = index;
    return index;
}

/* Tiles have muted colours. Names begin with the style of a place ("Dun", "For"): tiles of one style look
 * alike. */
static int32_t tile_material(work *w, const char *name) {
    mst_material material = {.name = name, .image = -1};
    char style[4] = "";
    for (int i = 0; i < 3 && name[i]; i++)
        style[i] = (char)(name[i] | 32);
    mst_color_of_family(style, name, material.color);
    for (int i = 0; i < 3; i++)
        material.color[i] = 0.65F * material.color[i] + 0.35F * 0.16F;
    return mst_scene_add_material(w->builder, &material);
}

static mst_primitive tile_shape(work *w, const mst_revenant_kind *kind, const float *normals) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    static const float ways[4][2] = {{-0.5F, -0.5F}, {-0.5F, 0.5F}, {0.5F, 0.5F}, {0.5F, -0.5F}};
    float *positions = mst_scene_take(w->builder, 12, sizeof *positions);
    if (!positions)
        return (mst_primitive){0};
    for (int k = 0; k < 4; k++) {
        positions[k * 3] = ways[k][0] * kind->size[0];
        positions[k * 3 + 1] = kind->lift;
        positions[k * 3 + 2] = ways[k][1] * kind->size[1];
    }
    return (mst_primitive){
        .vertex_count = 4, .index_count = 6, .positions = positions, .normals = normals, .indices = order};
}

static void add_meshes(work *w) {
    static const float upwards[12] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
    mst_revenant_kind *kinds = w->tiles.kinds.items;
    const mst_revenant_placed *placed = w->tiles.placed.items;
    const mst_primitive *box = NULL;
    if (mst_scene_ok(w->builder) && !mst_revenant_measure(&w->tiles))
        mst_scene_fail(w->builder);
    for (size_t i = 0; i < w->tiles.kinds.count && mst_scene_ok(w->builder); i++) {
        mst_revenant_kind *kind = &kinds[i];
        if (kind->class_number == MST_REVENANT_TILE) {
            mst_primitive shape = tile_shape(w, kind, upwards);
            kind->mesh = mst_scene_add_shape(w->builder, &shape, kind->name, tile_material(w, kind->name));
        } else if (w->markers && kind->seen) {
            if (!box)
                box = mst_scene_box(w->builder, BOX, true);
            kind->mesh = mst_scene_add_shape(w->builder, box, kind->name,
                                             class_material(w, kind->class_number, kind->class_name));
        }
    }
    for (size_t i = 0; i < w->tiles.placed.count && mst_scene_ok(w->builder); i++)
        mst_scene_node(w->builder, placed[i].node)->mesh = kinds[placed[i].kind].mesh;
}

/* ---- objects ----------------------------------------------------------------------------------- */

static uint32_t kind_of(work *w, const object *o) {
    bool made;
    uint32_t index = mst_revenant_kind_of(&w->tiles, o->class_number, o->bound.id, &made);
    if (index == MST_REVENANT_NO_KIND) {
        mst_scene_fail(w->builder);
        return index;
    }
    if (!made)
        return index;
    mst_revenant_kind *kind = (mst_revenant_kind *)w->tiles.kinds.items + index;
    kind->class_name = o->class_name;
    char text[64];
    size_t length = 0, class_length = strlen(o->class_name);
    memcpy(text, o->class_name, class_length < 40 ? class_length : 40);
    length += class_length < 40 ? class_length : 40;
    text[length++] = ' ';
    for (int digit = 7; digit >= 0; digit--)
        text[length++] = "0123456789abcdef"[o->bound.id >> digit * 4 & 15];
    kind->by_id = mst_scene_text(w->builder, text, length);
    kind->id_text = kind->by_id + (*kind->by_id ? length - 8 : 0);
    const mst_revenant_type *type = mst_revenant_type_of(&w->classes, o->bound.id);
    if (type) {
        kind->type_name = mst_scene_text(w->builder, type->name, strlen(type->name));
        kind->imagery = mst_scene_text(w->builder, type->imagery, strlen(type->imagery));
    }
    kind->name = *kind->type_name                                     ? kind->type_name
                 : o->class_number == MST_REVENANT_TILE && o->name[0] ? o->name
                                                                      : kind->by_id;
    return index;
}

static float absolute_position(const work *w, int32_t position, int32_t sector) {
    if (w->has_place) /* the game takes the upper bits from the file's name */
        return (float)((double)((uint32_t)position & (SECTOR - 1)) + (double)sector * SECTOR);
    return (float)position;
}

static void add_light(work *w, const object *o, int32_t parent, double angle) {
    int32_t index = mst_scene_add_node(w->builder, parent, "light", MST_ROLE_LIGHT);
    bool directional = (o->light.flags & LIGHT_DIRECTIONAL) != 0;
    int32_t multiplier = o->light.multiplier > 0 ? o->light.multiplier : MULTIPLIER_DEFAULT;
    if (multiplier > MULTIPLIER_LIMIT)
        multiplier = MULTIPLIER_LIMIT;
    double strength = o->light.intensity / 255.0 * multiplier / MULTIPLIER_DEFAULT;
    mst_light light = {.name = "light",
                       .kind = directional ? MST_LIGHT_DIRECTIONAL : MST_LIGHT_POINT,
                       .intensity = (float)(strength * (directional ? LUX : CANDELA))};
    for (int i = 0; i < 3; i++)
        light.color[i] = mst_linear_of_srgb((float)o->light.color[i] / 255);
    int32_t light_index = mst_scene_add_light(w->builder, &light);
    mst_extras extras = mst_extra_take(&w->light_items);
    mst_node *node = mst_scene_node(w->builder, index);
    if (!node)
        return;
    const mst_node *holder = mst_scene_node(w->builder, parent);
    node->layer = holder->layer;
    node->class_name = holder->class_name;
    node->light = light_index;
    node->extras = extras;
    /* lights do not rotate with their object */
    double x = o->light.position[0], z = o->light.position[1];
    double sine = mst_sine(angle), cosine = mst_cosine(angle);
    node->translation[0] = (float)(x * cosine - z * sine);
    node->translation[1] = (float)o->light.position[2];
    node->translation[2] = (float)(x * sine + z * cosine);
    if (directional) { /* the direction is not stored: from above */
        node->rotation[0] = -0.70710678F;
        node->rotation[3] = 0.70710678F;
    }
}

/* The mesh that the game shows for an object; -1: none, or unknown. */
static int32_t look_of(work *w, const object *o, bool *turns) {
    const mst_revenant_type *type = mst_revenant_type_of(&w->classes, o->bound.id);
    bool seen =
        type && !(o->bound.flags & NOT_SEEN) && o->bound.state >= 0 && o->class_number != MST_REVENANT_EFFECT;
    *turns = true;
    return seen ? mst_revenant_look(&w->looks, type, (uint32_t)o->bound.state,
                                    (o->bound.flags & MIRRORED) != 0, turns)
                : -1;
}

/* Adds the node of an object, and returns its index. */
static int32_t add_object(work *w, const object *o, int32_t parent, const mst_scene_source *source) {
    mst_scene_builder *builder = w->builder;
    uint32_t kind_index = kind_of(w, o);
    if (!mst_scene_ok(builder))
        return -1;
    mst_revenant_kind *kind = (mst_revenant_kind *)w->tiles.kinds.items + kind_index;
    bool carried = parent != w->sector, tile = o->class_number == MST_REVENANT_TILE, turns = true;
    int32_t look = carried ? -1 : look_of(w, o, &turns);
    mst_extra_integer(&w->items, "slot", source->index);
    mst_extra_some_text(&w->items, "unique_id_hex", kind->id_text);
    mst_extra_some_text(&w->items, "type", kind->type_name);
    mst_extra_some_text(&w->items, "imagery", kind->imagery);
    for (size_t i = 0; i < o->tail_count; i++)
        mst_revenant_add_field(&w->texts, &w->items, &o->tails[i]);
    mst_extras extras = mst_extra_take(&w->items);
    int32_t index =
        mst_scene_add_node(builder, parent, NULL, tile && !carried ? MST_ROLE_GEOMETRY : MST_ROLE_ENTITY);
    mst_node *node = mst_scene_node(builder, index);
    if (!node)
        return -1;
    node->source = *source;
    const char *own = o->name, *type = kind->type_name;
    node->name = *own ? own : *type ? type : kind->by_id;
    node->class_name = node->layer = o->class_name;
    if (o->class_number == MST_REVENANT_EXIT || o->class_number == MST_REVENANT_CHARACTER)
        node->label = *own || !*type || o->class_number == MST_REVENANT_EXIT ? own : type;
    node->extras = extras;
    /*
     * Facing 0 is towards -y and 64 towards +x, as in the game's published source: angles increase from x to
     * y. About glTF's Y this is the opposite direction, and a node faces along its -Z.
     */
    const bound_object *stored = &o->bound;
    bool turned = stored->turn && turns;
    double angle = turned ? -(double)stored->turn / 256 * 6.283185307179586 : 0;
    if (!carried) {
        node->translation[0] = absolute_position(w, stored->position[0], w->place.x);
        node->translation[1] = (float)stored->position[2];
        node->translation[2] = absolute_position(w, stored->position[1], w->place.y);
        static const float upwards[3] = {0, 1, 0};
        node->mesh = look;
        if (turned)
            mst_quaternion_axis(upwards, (float)angle, node->rotation);
        kind->seen = true;
        if (look < 0 && (tile || w->markers) &&
            !mst_revenant_place_kind(&w->tiles, kind_index, index, stored->position, node->translation))
            mst_scene_fail(builder);
    }
    if (o->lit && !carried)
        add_light(w, o, index, angle);
    return index;
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* The path of the inventory of an object. */
static const char *path_of_inventory(work *w, const mst_scene_source *owner, const char *name) {
    char path[PATH_CAPACITY];
    size_t length = mst_scene_source_path(owner, path, sizeof path - 1);
    if (length > sizeof path - 2) /* nested more deeply than the game can */
        length = sizeof path - 2;
    snprintf(path + length, sizeof path - length, ".%s", name);
    return mst_scene_text(w->builder, path, strlen(path));
}

static void begin_list(work *w, const mst_value *list, const char *file, const char *path, int32_t parent) {
    level *begun = mst_scene_push(w->builder, &w->levels, 1);
    if (begun)
        *begun = (level){mst_iterate(list), {file, path, UINT32_MAX}, parent};
}

static void add_fields(work *w, mst_extra_list *list, const mst_value *record) {
    mst_value field;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &field);)
        mst_revenant_add_field(&w->texts, list, &field);
}

static void read_light(work *w, object *o, const mst_value *light) {
    o->lit = true;
    mst_fill(&w->light, light, &o->light);
    add_fields(w, &w->light_items, light);
}

static void read_field(work *w, object *o, const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    if (field->flags & MST_FIELD_SIZES)
        return;
    if (field == o->bound.class_value.field) {
        mst_extra_some_text(&w->items, "class", o->class_name);
        int64_t number = 0;
        mst_get_integer(value, &number);
        mst_extra_integer(&w->items, "class_number", number);
    } else if (field->record == w->light.record) {
        read_light(w, o, value);
    } else if (field->record == w->object.record) {
        o->carried = *value;
    } else if (field->record == w->stat.record) {
        mst_revenant_add_stats(&w->items, &w->stat, value);
    } else if (field->record) {
        add_fields(w, &w->items, value);
    } else if (!mst_is_void(&o->carried)) { /* fields after the inventory are bytes */
        if (!MST_UNREACHABLE(o->tail_count == TAILS))
            o->tails[o->tail_count++] = *value;
    } else {
        const char *text = mst_revenant_add_field(&w->texts, &w->items, value);
        if (field == o->bound.name.field)
            o->name = text;
    }
}

/* Reads an object and adds its node, whose index is returned (-1: none); its inventory, if it has one,
 * becomes the innermost list. */
static int32_t read_object(work *w, const mst_value *record, const level *from) {
    object o = {.name = ""};
    mst_value field;
    int64_t number = -1;
    mst_fill(&w->object, record, &o.bound);
    mst_get_integer(&o.bound.class_value, &number);
    if (number < 0) /* an empty slot */
        return -1;
    if (record->document->variant.version == 0)
        o.bound.id = (uint32_t)o.bound.type;
    const char *class_name = mst_get_name(&o.bound.class_value);
    o.class_name = class_name ? class_name : "unknown";
    o.class_number = mst_revenant_class_of(record->document, (int32_t)number);
    w->items.items.count = w->light_items.items.count = 0;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &field);)
        read_field(w, &o, &field);
    const mst_scene_source source = from->source;
    int32_t node = add_object(w, &o, from->parent, &source);
    if (node >= 0 && !mst_is_void(&o.carried))
        begin_list(w, &o.carried, source.file, path_of_inventory(w, &source, mst_field_of(&o.carried)->name),
                   node);
    return node;
}

#define PASSES 8 /* nesting of carriers whose slots follow the slots of their contents */

/* Up to version 2 all objects are in one list: carried objects follow the others. */
static void read_slots(work *w, const mst_value *objects, const char *file) {
    int32_t *carriers, *nodes = NULL;
    uint64_t count;
    mst_value record;
    if (mst_revenant_carriers(objects, &w->builder->scratch, &carriers, &count) == MST_OK)
        nodes = mst_arena_take(&w->builder->scratch, (size_t)count, sizeof *nodes);
    if (!nodes) {
        mst_scene_fail(w->builder);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        nodes[i] = -1;
    bool left = true;
    for (int pass = 0; left && pass <= PASSES; pass++) {
        level slots = {mst_iterate(objects), {file, "objects", 0}, w->sector};
        left = false;
        for (uint64_t i = 0; i < count && mst_scene_ok(w->builder) && mst_next(&slots.list, &record); i++) {
            bool carried = carriers[i] >= 0;
            if (nodes[i] >= 0)
                continue;
            if (carried && nodes[carriers[i]] < 0 && pass < PASSES) {
                left = true;
                continue;
            }
            slots.source.index = (uint32_t)i;
            slots.parent = carried && nodes[carriers[i]] >= 0 ? nodes[carriers[i]] : w->sector;
            nodes[i] = read_object(w, &record, &slots);
        }
    }
}

static void read_objects(work *w, const mst_value *objects, const char *file) {
    mst_value record;
    bool early = objects->document->variant.layout == MST_REVENANT_EARLY;
    mst_bind(objects->document, early ? &mst_revenant_early_bindings : &mst_revenant_placed_bindings,
             &w->object);
    bool high = objects->document->variant.version >= 14;
    mst_bind(objects->document, &mst_revenant_light_bindings, &w->light);
    mst_bind(objects->document, high ? &mst_revenant_stat_high_bindings : &mst_revenant_stat_bindings,
             &w->stat);
    if (objects->document->variant.version < 3) {
        read_slots(w, objects, file);
        return;
    }
    begin_list(w, objects, file, "objects", w->sector);
    while (w->levels.count && mst_scene_ok(w->builder)) {
        level *innermost = (level *)w->levels.items + w->levels.count - 1;
        if (mst_next(&innermost->list, &record)) {
            innermost->source.index++;
            read_object(w, &record, innermost);
        } else {
            w->levels.count--;
        }
    }
}

/* ---- sectors ----------------------------------------------------------------------------------- */

static void add_sector(work *w, const mst_document *document, bool one_level) {
    mst_scene_builder *builder = w->builder;
    const char *file = mst_document_name(document);
    w->has_place = mst_revenant_place_of(file, &w->place);
    mst_extras_builder extras;
    mst_extras_begin(&extras, builder);
    if (*file)
        mst_extras_text(&extras, "file", file, strlen(file));
    mst_extras_integer(&extras, "version", mst_document_version(document));
    const char *name = "sector";
    if (w->has_place) {
        mst_extras_integer(&extras, "level", w->place.level);
        mst_extras_integer(&extras, "sector_x", w->place.x);
        mst_extras_integer(&extras, "sector_y", w->place.y);
        name = one_level ? mst_scene_printf(builder, "sector %ld,%ld", (long)w->place.x, (long)w->place.y)
                         : mst_scene_printf(builder, "level %ld sector %ld,%ld", (long)w->place.level,
                                            (long)w->place.x, (long)w->place.y);
    }
    mst_value root = mst_root(document), field;
    int64_t hash = 0;
    if (mst_member(&root, "state_hash", &field) == MST_OK) {
        mst_get_integer(&field, &hash);
        mst_extras_integer(&extras, "state_hash", hash);
    }
    if (mst_member(&root, "objects", &field) == MST_OK)
        mst_extras_integer(&extras, "slots", (int64_t)mst_count(&field));
    mst_extras list = mst_extras_end(&extras);
    w->sector = mst_scene_add_node(builder, 0, name, MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(builder, w->sector);
    if (!node)
        return;
    node->extras = list;
    file = mst_scene_text(builder, file, strlen(file));
    mst_scene_set_source(builder, w->sector, file, "", MST_NO_INDEX);
    if (mst_member(&root, "objects", &field) == MST_OK)
        read_objects(w, &field, file);
}

static bool same_level(const mst_document *const *documents, size_t count, mst_revenant_place *first) {
    mst_revenant_place place;
    if (!mst_revenant_place_of(mst_document_name(documents[0]), first))
        return false;
    for (size_t i = 1; i < count; i++)
        if (!mst_revenant_place_of(mst_document_name(documents[i]), &place) || place.level != first->level)
            return false;
    return true;
}

mst_status mst_revenant_scene(const mst_document *const *documents, size_t count,
                              const mst_scene_options *options, mst_scene **scene,
                              mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += documents[i]->size;
    options = mst_scene_start(&builder, options, total, (float)UNIT_METRES);
    work *w = mst_scene_scratch(&builder, 1, sizeof *w); /* too large for the stack */
    if (!w)
        return mst_scene_finish(&builder, NULL, scene, diagnostic);
    w->builder = &builder;
    w->markers = !options->no_markers;
    w->texts.builder = &builder;
    w->levels = mst_scene_array(&builder, sizeof(level));
    mst_extra_begin(&w->items, &builder);
    mst_extra_begin(&w->light_items, &builder);
    mst_revenant_tiles_begin(&w->tiles, &builder.scratch.allocator);
    for (size_t i = 0; i < CLASSES; i++)
        w->class_materials[i] = -1;

    const void *text;
    size_t size = 0;
    if (options->sidecars && options->sidecars->find &&
        options->sidecars->find(options->sidecars->user, "class.def", &text, &size) == MST_OK &&
        mst_revenant_read_classes(text, size, &builder.scratch, &w->classes, NULL, NULL) != MST_OK)
        mst_scene_fail(w->builder);
    /* types of the first version are not in class.def */
    mst_scene_options found = *options;
    found.no_assets = found.no_assets || documents[0]->variant.version == 0;
    mst_revenant_looks_begin(&w->looks, &builder, &found, &w->classes,
                             total + (w->classes.type_count ? size : 0));
    mst_revenant_place place;
    bool one_level = same_level(documents, count, &place);
    for (size_t i = 0; i < count && mst_scene_ok(w->builder); i++)
        add_sector(w, documents[i], one_level);
    add_meshes(w);

    mst_extras_builder extras;
    mst_extras_begin(&extras, &builder);
    mst_extras_integer(&extras, "sectors", (int64_t)count);
    if (one_level)
        mst_extras_integer(&extras, "level", place.level);
    const char *name = NULL;
    if (one_level)
        name = count > 1 ? mst_scene_printf(&builder, "level %ld", (long)place.level)
                         : mst_scene_printf(&builder, "level %ld, sector %ld %ld", (long)place.level,
                                            (long)place.x, (long)place.y);
    mst_scene settings = {.name = name,
                          .format = documents[0]->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .unit_metres = UNIT_METRES,
                          .grid_step = (float)(SECTOR * UNIT_METRES),
                          .symbolic = !w->looks.count,
                          .pictured = w->looks.count != 0};
    mst_revenant_looks_end(&w->looks);
    mst_array_free(&w->levels);
    mst_array_free(&w->items.items);
    mst_array_free(&w->light_items.items);
    mst_revenant_tiles_end(&w->tiles);
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
