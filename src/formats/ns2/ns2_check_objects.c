/* SPDX-License-Identifier: MIT */
/*
 * Checks of entities: their layers, groups, properties and outputs. They run during the walk, as entities may
 * be most of a level.
 */
#include "../../core/number.h"
#include "ns2_check_links.h"
#include <stdio.h>
#include <stdlib.h>

#define NEEDED         8
#define NAMES_COMPARED 64 /* property names of an entity that are compared with each other */
#define LAST_TYPE      10 /* the last known type of properties */

struct name {
    const uint8_t *bytes;
    size_t length;
};

/* Classes with special requirements. */
typedef enum entity { OTHER_ENTITY, PROP_STATIC, PROP_DYNAMIC, LOCATION } entity;
/* Properties that these requirements concern. */
typedef enum aspect { NOTHING = 0, ORIGIN = 1 << 0, MODEL = 1 << 1, NAME = 1 << 2, SCALE = 1 << 3 } aspect;

/* An entity that sets the rules of the game, with the position of its class name. */
typedef struct rules {
    const uint8_t *class_name;
    uint64_t object, offset, length;
} rules;

/* Fields that the walk examines; `id` only on clipboards. */
typedef struct fields {
    const mst_field *layer_format, *class_name, *id;
} fields;

struct mst_ns2_objects {
    fields fields, clip_fields;
    const mst_field *extra_name;
    mst_ns2_level *level;
    const char *path, *at_path; /* of the level's entities; of the list that the walk is in */
    char in_block[48];          /* the path of the entities of a clipboard's block */
    mst_ns2_links links;
    mst_ns2_list rules;
    uint32_t counts[NEEDED]; /* of the classes in `needed` */
    /* position of the walk */
    bool informs; /* information is requested */
    bool in_object, in_property, in_extra, is_entity, class_known;
    uint32_t depth; /* of the object */
    entity entity;
    uint32_t met;               /* bits of aspects: properties that exist and are not empty */
    uint64_t offset;            /* of the object */
    uint64_t extra, extra_data; /* index of the extra; offset of its data */
    bool is_cubemap;
    aspect aspect;       /* of the property */
    bool value_passed;   /* its value was passed on */
    uint64_t object, at; /* index of the entity; of its property, UINT64_MAX: none */
    char class_name[128];
    struct name seen[NAMES_COMPARED];
    mst_ns2_property property;
};

/* "objects[3].properties[2].value"; a path is formatted only for a finding. */
static mst_diagnostic *finding_of(const mst_ns2_objects *o, uint64_t offset, uint64_t length,
                                  const char *field) {
    unsigned long long object = o->object, at = o->at;
    if (o->at == UINT64_MAX)
        return mst_finding_at(o->level->checker, offset, length, "%s[%llu].%s", o->at_path, object, field);
    return mst_finding_at(o->level->checker, offset, length, "%s[%llu].properties[%llu]%s%s", o->at_path,
                          object, at, *field ? "." : "", field);
}

/* Whether values of the type have that many components in known levels. */
static bool default_components(uint64_t type, uint64_t components) {
    switch (type) {
    case 2:
    case 7:
    case 9: return components == 1 || components == 3;
    case 5: return components == 3 || components == 4;
    default: return components == 1;
    }
}

static mst_status check_components(const mst_ns2_objects *o, const mst_value *value) {
    const mst_ns2_property *p = &o->property;
    if (default_components(p->type, p->components))
        return MST_OK;
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    mst_diagnostic *finding = finding_of(o, offset, length, "value");
    MST_SET(finding->expected, "%s",
            p->type == 5                                   ? "3 or 4"
            : p->type == 2 || p->type == 7 || p->type == 9 ? "1 or 3"
                                                           : "1");
    MST_SET(finding->found, "%llu", (unsigned long long)p->components);
    MST_REPORT(o->level->checker, "NS2-PROPERTY-COMPONENTS");
    return MST_OK;
}

/* ---- requirements of some classes --------------------------------------------------------------- */

#define FAR 5000.0 /* m */

static aspect aspect_of(const mst_ns2_property *p) {
    static const struct {
        const char *name;
        aspect aspect;
    } known[] = {{"origin", ORIGIN}, {"model", MODEL}, {"name", NAME}, {"scale", SCALE}};
    for (size_t i = 0; i < MST_COUNT_OF(known); i++)
        if (p->name_length == strlen(known[i].name) && memcmp(p->name, known[i].name, p->name_length) == 0)
            return known[i].aspect;
    return NOTHING;
}

static mst_status check_model(const mst_ns2_objects *o, const mst_value *value, const uint8_t *text,
                              size_t size) {
    const char *problem = NULL;
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t unit = text[i] | (uint32_t)text[i + 1] << 8;
        if (unit == '\\')
            problem = "the path has backslashes: write slashes, as the game's own paths have";
        else if (unit >= 'A' && unit <= 'Z' && !problem)
            problem = "the path has capital letters, which matter where files are found by their exact names";
    }
    if (!problem)
        return MST_OK;
    char name[72];
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    mst_get_text(value, name, sizeof name, NULL);
    mst_diagnostic *finding = finding_of(o, offset, length, "value");
    MST_SET(finding->message, "%s", problem);
    MST_SET(finding->found, "\"%s\"", name);
    return mst_checker_inform(o->level->checker, "NS2-MODEL");
}

/* Checks the position or the size of an entity. */
static mst_status check_numbers(mst_ns2_objects *o, const mst_item *item) {
    const mst_document *document = o->level->checker->document;
    double square = 0;
    mst_column numbers = mst_column_of_numbers(document, item);
    for (uint32_t c = 0; c < 3; c++) {
        uint64_t offset = item->offset + item->shape.prefix + numbers.stride * c;
        uint32_t bits = mst_column_u32(&numbers, c, 0);
        double value = (double)mst_f32_of_bits(bits);
        square += value * value;
        if (o->aspect != SCALE || o->entity != LOCATION || bits << 1 != 0) /* neither 0 nor -0 */
            continue;
        char field[16];
        snprintf(field, sizeof field, "value[%u]", c);
        mst_diagnostic *finding = finding_of(o, offset, 4, field);
        MST_SET(finding->message, "the location has no size, so nothing can be in it: set its scale");
        MST_SET(finding->found, "0");
        MST_REPORT(o->level->checker, "NS2-LOCATION");
    }
    if (o->aspect != ORIGIN || !(square > FAR * FAR) || square - square != 0)
        return MST_OK; /* numbers that are not finite have a separate code */
    mst_diagnostic *finding = finding_of(o, item->offset, item->length, "value");
    MST_SET(finding->message,
            "the entity is more than 5000 m away from the origin: it was probably moved by mistake");
    return mst_checker_inform(o->level->checker, "NS2-ORIGIN");
}

static mst_status report_entity(const mst_ns2_objects *o, uint64_t end, const char *code, const char *message,
                                bool informs) {
    mst_diagnostic *finding = mst_finding_at(o->level->checker, o->offset, end - o->offset, "%s[%llu]",
                                             o->at_path, (unsigned long long)o->object);
    MST_SET(finding->message, "%s", message);
    MST_SET(finding->found, "\"%.70s\"", o->class_name);
    return informs ? mst_checker_inform(o->level->checker, code)
                   : mst_checker_report(o->level->checker, code);
}

/* Reports the missing parts of the entity. */
static mst_status end_entity(const mst_ns2_objects *o, uint64_t end) {
    mst_status status = MST_OK;
    if (!(o->met & ORIGIN))
        status =
            report_entity(o, end, "NS2-ORIGIN",
                          "the entity has no origin, and so no place in the level: add the property", false);
    if (status == MST_OK && o->entity == LOCATION && !(o->met & NAME))
        status = report_entity(o, end, "NS2-LOCATION",
                               "the location has no name to show: set its property name", false);
    if (status == MST_OK && (o->entity == PROP_STATIC || o->entity == PROP_DYNAMIC) && !(o->met & MODEL))
        status = report_entity(o, end, "NS2-MODEL",
                               "the entity has no model, so it is invisible: set its property model",
                               o->entity == PROP_DYNAMIC);
    return status;
}

static int compare_rules(const void *a, const void *b) {
    const rules *x = a, *y = b;
    int order = (x->length > y->length) - (x->length < y->length);
    if (!order)
        order = memcmp(x->class_name, y->class_name, (size_t)x->length);
    return order ? order : (x->object > y->object) - (x->object < y->object);
}

static mst_status check_rules(mst_ns2_objects *o) {
    rules *all = o->rules.items;
    if (o->rules.count > 1)
        qsort(all, o->rules.count, sizeof *all, compare_rules);
    for (size_t i = 1; i < o->rules.count; i++) {
        if (all[i].length != all[i - 1].length ||
            memcmp(all[i].class_name, all[i - 1].class_name, (size_t)all[i].length) != 0)
            continue;
        mst_diagnostic *finding =
            mst_finding_at(o->level->checker, all[i].offset, all[i].length, "%s[%llu].class_name", o->path,
                           (unsigned long long)all[i].object);
        MST_SET(finding->found, "another one at %s[%llu]", o->path, (unsigned long long)all[i - 1].object);
        MST_REPORT(o->level->checker, "NS2-GAMERULES-TWICE");
    }
    return MST_OK;
}

/* Checks an item of an extra during the walk. */
static mst_status extra_item(mst_ns2_objects *o, const mst_item *item) {
    static const char cubemap[] = MST_NS2_CUBEMAP;
    if (item->kind == MST_ITEM_LEAF && item->field == o->extra_name) {
        o->extra_data = item->offset + item->length + 4; /* 4: the length of the data */
        o->is_cubemap = item->shape.count == sizeof cubemap - 1 &&
                        memcmp(o->level->checker->document->data + item->offset + item->shape.prefix, cubemap,
                               sizeof cubemap - 1) == 0;
    }
    if (item->kind != MST_ITEM_END_RECORD) /* an extra has no records in it */
        return MST_OK;
    o->in_extra = false;
    if (!o->is_cubemap || item->offset - o->extra_data == MST_NS2_CUBEMAP_SIZE)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_at(o->level->checker, o->extra_data, item->offset - o->extra_data,
                                             "%s[%llu].extras[%llu].data", o->at_path,
                                             (unsigned long long)o->object, (unsigned long long)o->extra);
    MST_SET(finding->expected, "%u bytes", MST_NS2_CUBEMAP_SIZE);
    MST_SET(finding->found, "%llu", (unsigned long long)finding->length);
    MST_REPORT(o->level->checker, "NS2-EXTRA-SIZE");
    return MST_OK;
}

/* ---- properties -------------------------------------------------------------------------------- */

static mst_status take_name(mst_ns2_objects *o, const mst_item *item) {
    mst_ns2_property *p = &o->property;
    p->name = o->level->checker->document->data + item->offset + item->shape.prefix;
    p->name_length = (size_t)item->shape.count;
    p->name_offset = item->offset;
    p->name_size = item->length;
    o->aspect = aspect_of(p);
    o->met |= o->aspect;
    if (o->class_known) {
        mst_value value = mst_value_of_item(o->level->checker->document, item);
        size_t length = 0;
        mst_get_text(&value, p->text, sizeof p->text, &length);
        p->has_text = length < sizeof p->text;
    }
    if (o->at < NAMES_COMPARED)
        o->seen[o->at] = (struct name){p->name, p->name_length};
    for (uint64_t i = 0; i < o->at && i < NAMES_COMPARED; i++)
        if (o->seen[i].bytes && o->seen[i].length == p->name_length &&
            memcmp(o->seen[i].bytes, p->name, p->name_length) == 0) {
            char name[72];
            mst_value value = mst_value_of_item(o->level->checker->document, item);
            mst_get_text(&value, name, sizeof name, NULL);
            mst_diagnostic *finding = finding_of(o, item->offset, item->length, "name");
            MST_SET(finding->found, "\"%s\"", name);
            MST_REPORT(o->level->checker, "NS2-DUPLICATE-PROPERTY");
            break;
        }
    return MST_OK;
}

/* A value of one text or one number may refer to another entity. */
static mst_status take_reference(mst_ns2_objects *o, const mst_item *item, const mst_value *text) {
    const mst_ns2_property *p = &o->property;
    mst_ns2_said said = {.kind = p->has_number ? MST_NS2_SAYS_NUMBER : MST_NS2_SAYS_NOTHING,
                         .name = p->name,
                         .name_length = p->name_length,
                         .number = p->number,
                         .at = o->at,
                         .offset = p->value_offset,
                         .length = p->value_size};
    const void *bytes;
    if (text && mst_get_bytes(text, &bytes, &said.size) == MST_OK) {
        said.kind = p->type == 0 ? MST_NS2_SAYS_TEXT
                                 : MST_NS2_SAYS_NOTHING; /* only texts, not file names, name entities */
        said.text = bytes;
        mst_value_span(text, &said.offset, &said.length);
        o->links.text = item->record->fields;
        if (!said.size)
            o->met &= ~(uint32_t)(o->aspect & (MODEL | NAME));
        if (o->aspect == MODEL && o->informs) {
            mst_status status = check_model(o, text, said.text, said.size);
            if (status != MST_OK)
                return status;
        }
    }
    o->value_passed = true;
    return o->at_path == o->path ? mst_ns2_links_property(&o->links, &said) : MST_OK;
}

static mst_status take_value(mst_ns2_objects *o, const mst_item *item, mst_ns2_property_field which) {
    const mst_document *document = o->level->checker->document;
    mst_ns2_property *p = &o->property;
    bool standard = default_components(p->type, p->components);
    if (which == MST_NS2_PROPERTY_INTEGERS && item->shape.count == 1) {
        p->has_number = true;
        p->number = (int32_t)mst_scalar_bits(document, item->field, item->offset);
        p->value_offset = item->offset;
        p->value_size = item->length;
    }
    if (which == MST_NS2_PROPERTY_REALS && item->shape.count == 3 && (o->aspect & (ORIGIN | SCALE))) {
        mst_status status = check_numbers(o, item);
        if (status != MST_OK)
            return status;
    }
    if (which == MST_NS2_PROPERTY_REALS && standard)
        return MST_OK;
    if (which != MST_NS2_PROPERTY_TEXTS && standard)
        return take_reference(o, item, NULL);
    mst_value value = mst_value_of_item(document, item);
    mst_status status = check_components(o, &value);
    return status == MST_OK ? take_reference(o, item, which == MST_NS2_PROPERTY_TEXTS ? &value : NULL)
                            : status;
}

/* Bytes after a value, unless the value itself was reported: as animated, or for its type or components. */
static mst_status take_data(mst_ns2_objects *o, const mst_item *item) {
    const mst_ns2_property *p = &o->property;
    if (!item->length || !p->name || p->animated || p->type > LAST_TYPE ||
        !default_components(p->type, p->components))
        return MST_OK;
    mst_diagnostic *finding = finding_of(o, item->offset, item->length, "data");
    MST_SET(finding->expected, "nothing");
    MST_SET(finding->found, "%llu bytes", (unsigned long long)item->length);
    MST_REPORT(o->level->checker, "NS2-TAIL");
    return MST_OK;
}

static mst_status property_item(mst_ns2_objects *o, const mst_item *item) {
    const mst_document *document = o->level->checker->document;
    mst_ns2_property *p = &o->property;
    mst_ns2_property_field which = (mst_ns2_property_field)(item->field - mst_ns2_property_record.fields);
    uint32_t number = 0;
    switch (which) {
    case MST_NS2_PROPERTY_ID:
    case MST_NS2_PROPERTY_TYPE:
    case MST_NS2_PROPERTY_COMPONENTS:
    case MST_NS2_PROPERTY_ANIMATED:
        number = (uint32_t)mst_scalar_bits(document, item->field, item->offset);
        break;
    default: break;
    }
    switch (which) {
    case MST_NS2_PROPERTY_ID: p->id = number; return MST_OK;
    case MST_NS2_PROPERTY_NAME: return take_name(o, item);
    case MST_NS2_PROPERTY_TYPE:
        p->type = number;
        p->type_offset = item->offset;
        return MST_OK;
    case MST_NS2_PROPERTY_COMPONENTS: p->components = number; return MST_OK;
    case MST_NS2_PROPERTY_ANIMATED: {
        p->animated = number != 0;
        if (!number)
            return MST_OK;
        mst_diagnostic *finding = finding_of(o, item->offset, item->length, "animated");
        MST_SET(finding->found, "%u", number);
        MST_REPORT(o->level->checker, "NS2-ANIMATED");
        return MST_OK;
    }
    case MST_NS2_PROPERTY_DISTANCES:
    case MST_NS2_PROPERTY_ANGLES: return take_value(o, item, MST_NS2_PROPERTY_REALS);
    case MST_NS2_PROPERTY_TEXTS:
    case MST_NS2_PROPERTY_BOOLS:
    case MST_NS2_PROPERTY_REALS:
    case MST_NS2_PROPERTY_INTEGERS: return take_value(o, item, which);
    case MST_NS2_PROPERTY_DATA: return take_data(o, item);
    case MST_NS2_PROPERTY_LENGTH:
    case MST_NS2_PROPERTY_FIELDS: break;
    }
    return MST_OK;
}

static mst_status end_property(mst_ns2_objects *o, uint64_t end) {
    const mst_ns2_property *p = &o->property;
    if (!p->name) {
        mst_diagnostic *finding = finding_of(o, p->offset, end - p->offset, "");
        MST_SET(finding->found, "%u", p->id);
        MST_REPORT(o->level->checker, "NS2-CHUNK-UNKNOWN");
        return MST_OK;
    }
    if (!o->value_passed)
        mst_ns2_links_met(&o->links, p->name, p->name_length);
    if (!o->class_known)
        return MST_OK;
    char path[160];
    snprintf(path, sizeof path, "%s[%llu].properties[%llu]", o->at_path, (unsigned long long)o->object,
             (unsigned long long)o->at);
    return mst_ns2_setup_check(o->level->setup, o->level->checker, o->class_name, p, path);
}

/* ---- entities ---------------------------------------------------------------------------------- */

/* The entities that the smallest playable level must have. */
static const struct {
    const char *class_name;
    uint32_t at_least;
} needed[] = {{"ns2_gamerules", 1}, {"location", 2},    {"power_point", 2}, {"resource_point", 2},
              {"tech_point", 2},    {"light_point", 1}, {"light_spot", 1},  {"light_ambient", 1}};
_Static_assert(MST_COUNT_OF(needed) == NEEDED, "one counter for each class");
#define FIRST_LIGHT 5 /* one light of any kind is enough */

static bool ends_in(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static mst_status check_class(mst_ns2_objects *o, const mst_item *item) {
    mst_value value = mst_value_of_item(o->level->checker->document, item);
    mst_get_text(&value, o->class_name, sizeof o->class_name, NULL);
    o->class_known = o->level->setup && mst_ns2_setup_has_class(o->level->setup, o->class_name);
    o->entity = strcmp(o->class_name, "prop_static") == 0    ? PROP_STATIC
                : strcmp(o->class_name, "prop_dynamic") == 0 ? PROP_DYNAMIC
                : strcmp(o->class_name, "location") == 0     ? LOCATION
                                                             : OTHER_ENTITY;
    if (o->at_path == o->path)
        mst_ns2_links_enter(&o->links, o->class_name, o->object, item);
    for (size_t i = 0; i < NEEDED; i++)
        o->counts[i] += strcmp(o->class_name, needed[i].class_name) == 0;
    if (ends_in(o->class_name, "gamerules")) {
        rules *one = mst_ns2_push(o->level, &o->rules, sizeof *one);
        if (!one)
            return MST_NO_MEMORY;
        *one =
            (rules){o->level->checker->document->data + item->offset, o->object, item->offset, item->length};
    }
    if (!o->class_name[0]) {
        finding_of(o, item->offset, item->length, "class_name");
        MST_REPORT(o->level->checker, "NS2-CLASS-EMPTY");
    } else if (o->level->setup && !o->class_known) {
        mst_diagnostic *finding = finding_of(o, item->offset, item->length, "class_name");
        MST_SET(finding->found, "\"%.70s\"", o->class_name);
        MST_REPORT(o->level->checker, "NS2-CLASS-UNKNOWN");
    }
    return MST_OK;
}

static mst_status object_item(mst_ns2_objects *o, const mst_item *item) {
    const fields *of = o->at_path == o->in_block ? &o->clip_fields : &o->fields;
    if (item->field == of->layer_format) {
        char path[96];
        snprintf(path, sizeof path, "%s[%llu].layer_format", o->at_path, (unsigned long long)o->object);
        uint32_t number = (uint32_t)mst_scalar_bits(o->level->checker->document, item->field, item->offset);
        return mst_ns2_check_layer_format(o->level, number, item->offset, path);
    }
    if (item->field == of->class_name)
        return check_class(o, item);
    if (item->field == of->id) {
        uint32_t number = (uint32_t)mst_scalar_bits(o->level->checker->document, item->field, item->offset);
        if (number == MST_NS2_CLIP_OBJECT)
            return MST_OK;
        mst_diagnostic *finding = finding_of(o, item->offset, item->length, "id");
        MST_SET(finding->expected, "%u", MST_NS2_CLIP_OBJECT);
        MST_SET(finding->found, "%u", number);
        MST_REPORT(o->level->checker, "NS2-CHUNK-UNKNOWN");
    }
    return MST_OK;
}

mst_status mst_ns2_objects_item(void *objects, const mst_item *item) {
    mst_ns2_objects *o = objects;
    if (o->in_property) { /* the only records in a property are texts, which are inline */
        if (item->kind != MST_ITEM_END_RECORD)
            return item->kind == MST_ITEM_END_LIST ? MST_OK : property_item(o, item);
        o->in_property = false;
        return end_property(o, item->offset);
    }
    if (o->in_extra)
        return extra_item(o, item);
    if (!o->in_object) {
        if (item->kind != MST_ITEM_BEGIN_RECORD)
            return MST_OK;
        o->is_entity = item->record != &mst_ns2_setting_record;
        if (item->record == &mst_ns2_object_record)
            o->at_path = o->path;
        else if (item->record == &mst_ns2_setting_record)
            o->at_path = "editor_settings";
        else if (item->record == &mst_ns2_clip_object_record)
            o->at_path = o->in_block;
        else {
            if (item->record == &mst_ns2_block_record)
                snprintf(o->in_block, sizeof o->in_block, "blocks[%llu].objects",
                         (unsigned long long)item->index);
            return MST_OK;
        }
        o->in_object = true;
        o->depth = item->depth;
        o->object = item->index;
        o->offset = item->offset;
        o->entity = OTHER_ENTITY;
        o->met = 0;
        o->at = UINT64_MAX;
        o->class_name[0] = 0;
        o->class_known = false;
    } else if (item->kind == MST_ITEM_BEGIN_RECORD && item->record == &mst_ns2_property_record) {
        o->in_property = true;
        o->value_passed = false;
        o->at = item->index;
        memset(&o->property, 0, sizeof o->property);
        o->property.offset = item->offset;
        if (o->at < NAMES_COMPARED)
            o->seen[o->at].bytes = NULL;
    } else if (item->kind == MST_ITEM_BEGIN_RECORD && item->record == &mst_ns2_extra_record) {
        o->in_extra = true;
        o->extra = item->index;
    } else if (item->kind == MST_ITEM_END_RECORD && item->depth == o->depth) {
        o->in_object = false;
        if (o->is_entity) {
            mst_status status = o->at_path == o->path ? mst_ns2_links_leave(&o->links) : MST_OK;
            return status == MST_OK ? end_entity(o, item->offset) : status;
        }
    } else if (item->kind == MST_ITEM_LEAF && item->depth == o->depth + 1) {
        return object_item(o, item);
    }
    return MST_OK;
}

static mst_status check_playable(const mst_ns2_objects *o) {
    uint32_t lights = 0;
    for (size_t i = FIRST_LIGHT; i < NEEDED; i++)
        lights += o->counts[i];
    for (size_t i = 0; i <= FIRST_LIGHT; i++) {
        bool light = i == FIRST_LIGHT;
        uint32_t found = light ? lights : o->counts[i];
        if (found >= needed[i].at_least)
            continue;
        mst_diagnostic *finding = mst_finding_of(o->level->checker, NULL, "%s", o->path);
        MST_SET(finding->expected, "at least %u %s", needed[i].at_least,
                light ? "light" : needed[i].class_name);
        MST_SET(finding->found, "%u", found);
        MST_REPORT(o->level->checker, "NS2-PLAYABLE");
    }
    return MST_OK;
}

mst_status mst_ns2_objects_begin(mst_ns2_level *level, const char *path, mst_ns2_objects **objects) {
    mst_ns2_objects *o = *objects = mst_arena_zero(&level->checker->scratch, 1, sizeof *o);
    if (!o)
        return MST_NO_MEMORY;
    o->level = level;
    o->path = o->at_path = o->links.path = path;
    o->links.level = level;
    o->informs = mst_checker_wants(level->checker, "NS2-PLAYABLE");
    o->fields = (fields){mst_field_named(&mst_ns2_object_record, "layer_format"),
                         mst_field_named(&mst_ns2_object_record, "class_name"), NULL};
    o->clip_fields = (fields){mst_field_named(&mst_ns2_clip_object_record, "layer_format"),
                              mst_field_named(&mst_ns2_clip_object_record, "class_name"),
                              mst_field_named(&mst_ns2_clip_object_record, "id")};
    o->extra_name = mst_field_named(&mst_ns2_extra_record, "name");
    return MST_OK;
}

mst_status mst_ns2_objects_end(mst_ns2_objects *o) {
    mst_status status = mst_ns2_links_end(&o->links);
    if (status == MST_OK)
        status = check_rules(o);
    return status == MST_OK && mst_checker_wants(o->level->checker, "NS2-PLAYABLE") ? check_playable(o)
                                                                                    : status;
}
