/* SPDX-License-Identifier: MIT */
/*
 * Sectors of Revenant as a scene. Below the root, which scales units to metres, is a group for each sector,
 * with its objects at absolute positions: glTF's X is the game's x, Z its y, Y its z. The models are in other
 * files, so every object is a small box, and every tile a flat rectangle.
 */
#include "../../scene/geometry.h"
#include "../../scene/work.h"
#include "../fields.h"
#include "revenant.h"
#include "tiles.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define UNIT_METRES   0.03125 /* 32 units are a metre */
#define SECTOR        1024    /* units */
#define BOX           16.0F   /* units: edge of the box that represents an object, half a metre */
#define PATH_CAPACITY 400
#define CLASSES       32  /* classes that have a material of their own */
#define NAMES         512 /* size of the cache of extras' names, a power of 2 */
#define SPARE         2   /* fields of bytes that there may be after an inventory */
#define FLAG_TEXTS    64  /* size of the cache of texts of flags */

/* An intensity of 255 with the game's default multiplier, 28, is a household bulb. */
#define CANDELA            50.0
#define LUX                3.0 /* the same for directional light */
#define MULTIPLIER_DEFAULT 28
#define MULTIPLIER_LIMIT   280
#define LIGHT_DIRECTIONAL  1

typedef enum part_kind { PART_OTHER, PART_OBJECTS, PART_OBJECT, PART_STATS, PART_STAT, PART_LIGHT } part_kind;

/* A list or record that the walk is in. */
typedef struct part {
    uint8_t kind, spare_count;
    int32_t node;            /* of an object; -1: not added yet */
    mst_scene_source source; /* of a list of objects, or of an object */
    mst_extra *spare;        /* reserved for the fields after the inventory */
} part;

/* The object whose fields are being read; its inventory comes after them. */
typedef struct object {
    bool any, placed, lit;
    int32_t class_number;
    const char *class_name, *name;
    uint32_t id;
    uint64_t slot;
    int32_t position[3], light_position[3];
    uint32_t turn;
    uint32_t light_color[3], light_flags, intensity, multiplier;
    uint32_t stats[256], stat_count, stat; /* their number is a u8 */
    int32_t stat_value;
    char stat_text[16];
} object;

typedef struct kept_name {
    const mst_field *field;
    uint32_t component;
    const char *text;
} kept_name;

typedef struct flag_text {
    const mst_field *field;
    uint32_t flags;
    const char *text;
} flag_text;

typedef struct work {
    mst_scene_builder *builder;
    mst_revenant_classes classes;
    mst_revenant_tiles tiles;
    bool markers, has_place;
    mst_revenant_place place;
    int32_t sector;   /* node of its group */
    const char *file; /* its name */
    mst_array parts, items, light_items;
    object now;
    int32_t class_materials[CLASSES];
    kept_name names[NAMES];
    size_t name_count;
    flag_text flags[FLAG_TEXTS];
} work;

/* ---- extras ------------------------------------------------------------------------------------ */

/* Names are few and objects many: each name is stored once. `suffix` is appended to the field's name. */
static const char *extra_name(work *w, const mst_field *field, uint32_t component, const char *suffix) {
    size_t at = ((size_t)(uintptr_t)field / 8 * 31 + component * 7) % NAMES;
    while (w->names[at].field && (w->names[at].field != field || w->names[at].component != component))
        at = (at + 1) % NAMES;
    if (w->names[at].field)
        return w->names[at].text;
    char text[64];
    snprintf(text, sizeof text, "%s%s", field->name, suffix);
    const char *kept = mst_scene_text(w->builder, text, strlen(text));
    if (mst_scene_ok(w->builder) &&
        !MST_UNREACHABLE(w->name_count == NAMES / 2)) { /* there are fewer fields */
        w->names[at] = (kept_name){field, component, kept};
        w->name_count++;
    }
    return kept;
}

/* `name` is kept: it must be a constant or a text in the arena. */
static void add_extra(work *w, mst_array *items, const char *name, mst_extra extra) {
    mst_extra *added = mst_scene_push(w->builder, items, 1);
    if (!added)
        return;
    extra.name = name;
    if (!extra.text)
        extra.text = "";
    *added = extra;
}

static mst_extra of_integer(int64_t value) {
    if (value <= INT32_MAX) /* no field has more than 32 bits */
        return (mst_extra){.kind = MST_EXTRA_INTEGER, .integer = (int32_t)value};
    return (mst_extra){.kind = MST_EXTRA_REAL, .real = (double)value};
}

static void add_integer(work *w, mst_array *items, const char *name, int64_t value) {
    add_extra(w, items, name, of_integer(value));
}

static void add_text(work *w, mst_array *items, const char *name, const char *kept) {
    if (*kept)
        add_extra(w, items, name, (mst_extra){.kind = MST_EXTRA_TEXT, .text = kept});
}

/* Copies the items, at least one, to the arena, with space for `spare` more, and empties the array. */
static mst_extras take_extras(work *w, mst_array *items, size_t spare, mst_extra **spare_items) {
    size_t count = items->count;
    mst_extra *copy = mst_scene_take(w->builder, count + spare, sizeof *copy);
    items->count = 0;
    if (!copy)
        return (mst_extras){0};
    memcpy(copy, items->items, count * sizeof *copy);
    if (spare_items)
        *spare_items = copy + count;
    return (mst_extras){copy, count};
}

static const char *text_of_flags(work *w, const mst_field *field, uint32_t flags) {
    flag_text *kept = &w->flags[(flags * 2654435761u >> 16) % FLAG_TEXTS];
    if (kept->field == field && kept->flags == flags)
        return kept->text;
    char text[512];
    size_t length = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        if (!(flags >> bit & 1))
            continue;
        for (uint32_t i = 0; i < field->names->count; i++) {
            const mst_enum_name *name = &field->names->items[i];
            size_t size = strlen(name->name);
            if (name->value != (int64_t)bit ||
                MST_UNREACHABLE(length + size + 1 >= sizeof text)) /* all names together fit */
                continue;
            if (length)
                text[length++] = ' ';
            memcpy(text + length, name->name, size);
            length += size;
        }
    }
    *kept = (flag_text){field, flags, mst_scene_text(w->builder, text, length)};
    return kept->text;
}

/* ---- materials and meshes ---------------------------------------------------------------------- */

/* Colours of the known classes (sRGB), easy to tell apart; those of others depend on their names. */
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
    float common[4], own[4];
    mst_color_of_name(style, common);
    mst_color_of_name(name, own);
    for (int i = 0; i < 3; i++) {
        float grey = 0.16F, mixed = 0.55F * common[i] + 0.45F * own[i];
        material.color[i] = 0.65F * mixed + 0.35F * grey;
    }
    material.color[3] = 1;
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
    uint32_t index = mst_revenant_kind_of(&w->tiles, o->class_number, o->id, &made);
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
        text[length++] = "0123456789abcdef"[o->id >> digit * 4 & 15];
    kind->by_id = mst_scene_text(w->builder, text, length);
    kind->id_text = kind->by_id + (*kind->by_id ? length - 8 : 0);
    const mst_revenant_type *type = mst_revenant_type_of(&w->classes, o->id);
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
    bool directional = (o->light_flags & LIGHT_DIRECTIONAL) != 0;
    int32_t multiplier = (int32_t)o->multiplier > 0 ? (int32_t)o->multiplier : MULTIPLIER_DEFAULT;
    if (multiplier > MULTIPLIER_LIMIT)
        multiplier = MULTIPLIER_LIMIT;
    double strength = o->intensity / 255.0 * multiplier / MULTIPLIER_DEFAULT;
    mst_light light = {.name = "light",
                       .kind = directional ? MST_LIGHT_DIRECTIONAL : MST_LIGHT_POINT,
                       .intensity = (float)(strength * (directional ? LUX : CANDELA))};
    for (int i = 0; i < 3; i++)
        light.color[i] = mst_linear_of_srgb((float)o->light_color[i] / 255);
    int32_t light_index = mst_scene_add_light(w->builder, &light);
    mst_extras extras = take_extras(w, &w->light_items, 0, NULL);
    mst_node *node = mst_scene_node(w->builder, index);
    if (!node)
        return;
    const mst_node *holder = mst_scene_node(w->builder, parent);
    node->layer = holder->layer;
    node->class_name = holder->class_name;
    node->light = light_index;
    node->extras = extras;
    /* lights do not turn with their object */
    double x = o->light_position[0], z = o->light_position[1];
    double sine = angle != 0 ? sin(angle) : 0, cosine = angle != 0 ? cos(angle) : 1;
    node->translation[0] = (float)(x * cosine - z * sine);
    node->translation[1] = (float)o->light_position[2];
    node->translation[2] = (float)(x * sine + z * cosine);
    if (directional) { /* the direction is not stored: from above */
        node->rotation[0] = -0.70710678F;
        node->rotation[3] = 0.70710678F;
    }
}

/* Adds the node of the object that was read; `spare`: fields after its inventory may follow. */
static void add_object(work *w, part *at, bool spare) {
    object *o = &w->now;
    mst_scene_builder *builder = w->builder;
    if (!mst_scene_ok(w->builder) || !o->any)
        return;
    o->any = false;
    uint32_t kind_index = kind_of(w, o);
    if (!mst_scene_ok(w->builder))
        return;
    mst_revenant_kind *kind = (mst_revenant_kind *)w->tiles.kinds.items + kind_index;
    int32_t parent = w->sector;
    const part *parts = w->parts.items;
    for (size_t i = w->parts.count - 1; i-- > 0;)
        if (parts[i].kind == PART_OBJECT) {
            parent = parts[i].node;
            break;
        }
    bool carried = parent != w->sector, tile = o->class_number == MST_REVENANT_TILE;
    add_integer(w, &w->items, "slot", (int64_t)o->slot);
    add_text(w, &w->items, "unique_id_hex", kind->id_text);
    add_text(w, &w->items, "type", kind->type_name);
    add_text(w, &w->items, "imagery", kind->imagery);
    mst_extras extras = take_extras(w, &w->items, spare ? SPARE : 0, &at->spare);
    at->spare_count = spare ? SPARE : 0;
    int32_t index =
        mst_scene_add_node(builder, parent, NULL, tile && !carried ? MST_ROLE_GEOMETRY : MST_ROLE_ENTITY);
    mst_node *node = mst_scene_node(builder, index);
    if (!node)
        return;
    at->node = index;
    node->source = at->source;
    const char *own = o->name, *type = kind->type_name;
    node->name = *own ? own : *type ? type : kind->by_id;
    node->class_name = node->layer = o->class_name;
    if (o->class_number == MST_REVENANT_EXIT || o->class_number == MST_REVENANT_CHARACTER)
        node->label = *own || !*type || o->class_number == MST_REVENANT_EXIT ? own : type;
    node->extras = extras;
    /*
     * Facing 0 is towards -y and 64 towards +x, as in the game's published source: angles go from x to y.
     * About glTF's Y that is the opposite direction, and a node faces along its -Z.
     */
    double angle = o->turn ? -(double)o->turn / 256 * 6.283185307179586 : 0;
    if (!carried) {
        node->translation[0] = absolute_position(w, o->position[0], w->place.x);
        node->translation[1] = (float)o->position[2];
        node->translation[2] = absolute_position(w, o->position[1], w->place.y);
        static const float upwards[3] = {0, 1, 0};
        if (o->turn)
            mst_quaternion_axis(upwards, (float)angle, node->rotation);
        kind->seen = true;
        if ((tile || w->markers) &&
            !mst_revenant_place_kind(&w->tiles, kind_index, index, o->position, node->translation))
            mst_scene_fail(w->builder);
    }
    if (o->lit && !carried)
        add_light(w, o, index, angle);
    w->light_items.count = 0;
}

/* ---- fields ------------------------------------------------------------------------------------ */

/* Copies a number that the scene itself needs. */
static void take_number(object *o, part_kind kind, const char *name, int64_t value) {
    const struct {
        part_kind kind;
        const char *name;
        uint32_t *to;
    } known[] = {{PART_OBJECT, "unique_id", &o->id},
                 {PART_OBJECT, "object_type", &o->id}, /* version 0 has no ids */
                 {PART_OBJECT, "facing", &o->turn},
                 {PART_OBJECT, "rotation_z", &o->turn},
                 {PART_LIGHT, "flags", &o->light_flags},
                 {PART_LIGHT, "intensity", &o->intensity},
                 {PART_LIGHT, "multiplier", &o->multiplier}};
    for (size_t i = 0; i < MST_COUNT_OF(known); i++)
        if (known[i].kind == kind && strcmp(known[i].name, name) == 0) {
            *known[i].to = (uint32_t)value;
            return;
        }
}

static void take_numbers(object *o, part_kind kind, const char *name, uint32_t index, int64_t value) {
    if (kind == PART_OBJECT && strcmp(name, "position") == 0)
        o->position[index] = (int32_t)value;
    else if (kind == PART_LIGHT && strcmp(name, "position") == 0)
        o->light_position[index] = (int32_t)value;
    else if (kind == PART_LIGHT) /* the other list is its colour */
        o->light_color[index] = (uint32_t)value;
}

static void read_numbers(work *w, part_kind kind, const mst_value *value, mst_array *items) {
    static const char *const axes[3] = {"_x", "_y", "_z"}, *const colors[3] = {"_r", "_g", "_b"};
    const mst_field *field = mst_field_of(value);
    int64_t numbers[3] = {0};
    uint64_t count = 0;
    mst_target target = {.type = MST_I64, .components = 1, .data = numbers, .capacity = 3};
    if (mst_read(value, &target, &count, NULL) != MST_OK)
        return;
    const char *const *suffix = strcmp(field->name, "color") == 0 ? colors : axes;
    for (uint32_t i = 0; i < count; i++) {
        if (MST_UNREACHABLE(i == 3)) /* the target has room for 3 */
            break;
        take_numbers(&w->now, kind, field->name, i, numbers[i]);
        add_integer(w, items, extra_name(w, field, i + 1, suffix[i]), numbers[i]);
    }
}

static void read_number(work *w, part_kind kind, const mst_value *value, mst_array *items) {
    const mst_field *field = mst_field_of(value);
    int64_t number = 0;
    mst_get_integer(value, &number);
    take_number(&w->now, kind, field->name, number);
    if (kind == PART_OBJECT && strcmp(field->name, "class") == 0) {
        const char *name = mst_get_name(value);
        w->now.any = number >= 0;
        w->now.class_number = mst_revenant_class_of(value->document, (int32_t)number);
        w->now.class_name = name ? name : "unknown";
        add_text(w, items, "class", w->now.class_name);
        add_integer(w, items, "class_number", number);
        return;
    }
    add_integer(w, items, extra_name(w, field, 0, ""), number);
    if (field->flags & MST_FIELD_FLAGS)
        add_text(w, items, extra_name(w, field, 4, "_names"), text_of_flags(w, field, (uint32_t)number));
}

/* "stat_HP"; a second one with the same code gets "_2". */
static void add_stat(work *w) {
    object *o = &w->now;
    char text[48];
    uint32_t twins = 1;
    for (uint32_t i = 0; i < o->stat_count; i++)
        twins += o->stats[i] == o->stat;
    if (twins > 1)
        snprintf(text, sizeof text, "stat_%s_%u", o->stat_text, (unsigned)twins);
    else
        snprintf(text, sizeof text, "stat_%s", o->stat_text);
    o->stats[o->stat_count++] = o->stat;
    add_integer(w, &w->items, mst_scene_text(w->builder, text, strlen(text)), o->stat_value);
}

static void read_stat(object *o, const mst_value *value, const char *name) {
    int64_t number = 0;
    const void *bytes;
    size_t size;
    if (strcmp(name, "value") == 0) {
        mst_get_integer(value, &number);
        o->stat_value = (int32_t)number;
    } else if (mst_get_bytes(value, &bytes, &size) == MST_OK) { /* the code: four letters */
        memcpy(&o->stat, bytes, sizeof o->stat);                /* compared for being equal only */
        mst_get_text(value, o->stat_text, sizeof o->stat_text, NULL);
        for (size_t end = strlen(o->stat_text); end && o->stat_text[end - 1] == ' ';)
            o->stat_text[--end] = 0;
    }
}

static void read_field(work *w, part *at, const mst_value *value, uint64_t length) {
    const mst_field *field = mst_field_of(value);
    part_kind kind = (part_kind)at->kind;
    mst_array *items = kind == PART_LIGHT ? &w->light_items : &w->items;
    if (kind == PART_STAT) {
        read_stat(&w->now, value, field->name);
        return;
    }
    if (kind != PART_OBJECT && kind != PART_LIGHT)
        return;
    if (kind == PART_OBJECT && at->node >= 0) { /* fields after the inventory are bytes */
        mst_node *node = mst_scene_node(w->builder, at->node);
        if (node && at->spare_count && length) {
            *at->spare = of_integer((int64_t)length);
            at->spare->name = extra_name(w, field, 5, "_bytes");
            at->spare->text = "";
            at->spare++;
            at->spare_count--;
            node->extras.count++;
        }
        return;
    }
    switch (mst_value_type(value)) {
    case MST_TYPE_BYTES:
        if (length)
            add_integer(w, items, extra_name(w, field, 5, "_bytes"), (int64_t)length);
        break;
    case MST_TYPE_TEXT: {
        const char *text = mst_scene_text_of(w->builder, &w->builder->arena, value, NULL);
        add_text(w, items, extra_name(w, field, 0, ""), text);
        if (strcmp(field->name, "name") == 0)
            w->now.name = text;
        break;
    }
    case MST_TYPE_LIST: read_numbers(w, kind, value, items); break;
    default: read_number(w, kind, value, items);
    }
}

/* ---- the walk ---------------------------------------------------------------------------------- */

static part *innermost(work *w) {
    return w->parts.count ? (part *)w->parts.items + w->parts.count - 1 : NULL;
}

static part_kind kind_of_part(const part *within, const mst_event *event) {
    part_kind outer = within ? (part_kind)within->kind : PART_OTHER;
    if (event->kind == MST_EVENT_BEGIN_LIST)
        return strcmp(event->name, "stats") == 0 ? PART_STATS : PART_OBJECTS;
    return outer == PART_OBJECTS  ? PART_OBJECT
           : outer == PART_STATS  ? PART_STAT
           : outer == PART_OBJECT ? PART_LIGHT
                                  : PART_OTHER;
}

/* The path of a list of objects, in the sector or in the object around it. */
static const char *path_of_list(work *w, const part *list, const char *name) {
    const part *around = list - 1;
    char path[PATH_CAPACITY];
    size_t length = 0;
    if (list > (const part *)w->parts.items && around->kind == PART_OBJECT) {
        length = mst_scene_source_path(&around->source, path, sizeof path - 1);
        if (length > sizeof path - 2) /* nested more deeply than the game can */
            length = sizeof path - 2;
        path[length++] = '.';
    }
    snprintf(path + length, sizeof path - length, "%s", name);
    return mst_scene_text(w->builder, path, strlen(path));
}

static void begin_part(work *w, const mst_event *event) {
    part *within = innermost(w);
    part_kind kind = kind_of_part(within, event);
    if (kind == PART_OBJECTS && within->kind == PART_OBJECT)
        add_object(w, within, true);
    part *entered = mst_scene_push(w->builder, &w->parts, 1);
    if (!entered)
        return;
    *entered = (part){.kind = (uint8_t)kind, .node = -1};
    if (kind == PART_OBJECTS) {
        entered->source = (mst_scene_source){w->file, path_of_list(w, entered, event->name), MST_NO_INDEX};
    } else if (kind == PART_OBJECT) {
        entered->source = entered[-1].source;
        entered->source.index = (uint32_t)event->index;
        w->items.count = w->light_items.count = 0;
        w->now.any = w->now.lit = false;
        w->now.class_number = -1;
        w->now.class_name = w->now.name = "";
        w->now.id = w->now.turn = w->now.stat_count = 0;
        w->now.slot = event->index;
        memset(w->now.position, 0, sizeof w->now.position);
    } else if (kind == PART_LIGHT) {
        w->now.lit = true;
        w->now.light_flags = w->now.intensity = 0;
        w->now.multiplier = 0;
        memset(w->now.light_position, 0, sizeof w->now.light_position);
        memset(w->now.light_color, 0, sizeof w->now.light_color);
    } else if (kind == PART_STAT) {
        w->now.stat = 0;
        w->now.stat_value = 0;
        w->now.stat_text[0] = 0;
    }
}

static void end_part(work *w) {
    part *left = innermost(w);
    if (MST_UNREACHABLE(!left)) /* every end has a beginning */
        return;
    if (left->kind == PART_OBJECT && left->node < 0)
        add_object(w, left, false);
    else if (left->kind == PART_STAT)
        add_stat(w);
    w->parts.count--;
}

static mst_status visit(void *user, const mst_event *event) {
    work *w = user;
    switch (event->kind) {
    case MST_EVENT_BEGIN_RECORD:
    case MST_EVENT_BEGIN_LIST: begin_part(w, event); break;
    case MST_EVENT_END: end_part(w); break;
    case MST_EVENT_LEAF: read_field(w, innermost(w), event->value, event->length); break;
    case MST_EVENT_DERIVED: break;
    }
    return w->builder->status;
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
    w->file = mst_scene_text(w->builder, file, strlen(file));
    mst_scene_set_source(builder, w->sector, w->file, "", MST_NO_INDEX);
    w->parts.count = 0;
    mst_status status = mst_walk(document, visit, w);
    if (builder->status == MST_OK)
        builder->status = status;
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
    w->parts = mst_scene_array(&builder, sizeof(part));
    w->items = mst_scene_array(&builder, sizeof(mst_extra));
    w->light_items = mst_scene_array(&builder, sizeof(mst_extra));
    mst_revenant_tiles_begin(&w->tiles, &builder.scratch.allocator);
    for (size_t i = 0; i < CLASSES; i++)
        w->class_materials[i] = -1;

    const void *text;
    size_t size;
    if (options->sidecars && options->sidecars->find &&
        options->sidecars->find(options->sidecars->user, "class.def", &text, &size) == MST_OK &&
        mst_revenant_read_classes(text, size, &builder.scratch, &w->classes, NULL, NULL) != MST_OK)
        mst_scene_fail(w->builder);
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
                          .symbolic = 1};
    mst_array_free(&w->parts);
    mst_array_free(&w->items);
    mst_array_free(&w->light_items);
    mst_revenant_tiles_end(&w->tiles);
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
