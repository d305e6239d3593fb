/* SPDX-License-Identifier: MIT */
/*
 * Checks of entities: their layers, groups, properties and outputs. They go along with the walk for the
 * tables' rules, as most of a level may be entities.
 */
#include "check.h"
#include <stdio.h>
#include <stdlib.h>

#define NEEDED    8
#define FEW       64 /* names of one entity that are compared with each other */
#define LAST_TYPE 10 /* of properties that is known */

typedef struct text {
    const uint8_t *bytes;
    size_t length;
} text;

/* An output, whose entity may come later. */
typedef struct output {
    uint64_t object, at, offset; /* of the text */
    uint32_t hash;
} output;

/* A list in the check's own memory, which goes with it. */
typedef struct list {
    void *items;
    size_t count, capacity;
} list;

struct mst_ns2_objects {
    mst_ns2_level *level;
    const char *path, *at_path; /* of a level's entities; of what the walk is in */
    char in_block[48];          /* the path of the entities of a clipboard's block */
    list names; /* uint32_t: hashes of all entities' names, ascending in the end. Equal hashes of different
                 * names could hide a finding, never make a wrong one. */
    list outputs;
    const mst_field *text;   /* of what outputs say */
    uint32_t counts[NEEDED]; /* of the classes in `needed` */
    /* where the walk is */
    bool in_object, in_property, class_known;
    uint32_t depth;      /* of the object */
    uint64_t object, at; /* which, and which of its properties; UINT64_MAX: none */
    char class_name[128];
    text seen[FEW];
    mst_ns2_property property;
};

/* "objects[3].properties[2].value"; paths are only written when there is something to say. */
static mst_diagnostic finding_of(const mst_ns2_objects *o, uint64_t offset, uint64_t length,
                                 const char *field) {
    char path[160];
    if (o->at == UINT64_MAX)
        snprintf(path, sizeof path, "%s[%llu].%s", o->at_path, (unsigned long long)o->object, field);
    else
        snprintf(path, sizeof path, "%s[%llu].properties[%llu]%s%s", o->at_path,
                 (unsigned long long)o->object, (unsigned long long)o->at, *field ? "." : "", field);
    mst_diagnostic finding = mst_ns2_finding(NULL, path);
    finding.offset = offset;
    finding.length = length;
    return finding;
}

static uint32_t hash_of(const void *bytes, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    return hash;
}

static int compare_hashes(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* How many components values of a type have in the levels that were seen. */
static bool components_usual(uint64_t type, uint64_t components) {
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
    if (components_usual(p->type, p->components))
        return MST_OK;
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    mst_diagnostic finding = finding_of(o, offset, length, "value");
    MST_SET(finding.expected, "%s",
            p->type == 5                                   ? "3 or 4"
            : p->type == 2 || p->type == 7 || p->type == 9 ? "1 or 3"
                                                           : "1");
    MST_SET(finding.found, "%llu", (unsigned long long)p->components);
    MST_NS2_REPORT(o->level, "NS2-PROPERTY-COMPONENTS", finding);
    return MST_OK;
}

/* Room for one more. */
static void *push(mst_ns2_objects *o, list *l, size_t size) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 32;
        void *items = mst_arena_take(&o->level->checker->scratch, capacity, size);
        if (!items)
            return NULL;
        if (l->count)
            memcpy(items, l->items, l->count * size);
        l->items = items;
        l->capacity = capacity;
    }
    return (uint8_t *)l->items + l->count++ * size;
}

/* What is called "name" is what outputs name: output1 .. output10 of other entities. */
static mst_status keep_text(mst_ns2_objects *o, const mst_value *value) {
    const mst_ns2_property *p = &o->property;
    bool is_name = p->name_length == 4 && memcmp(p->name, "name", 4) == 0;
    bool is_output = p->type == 0 && p->name_length >= 7 && memcmp(p->name, "output", 6) == 0 &&
                     p->name[6] >= '0' && p->name[6] <= '9';
    const void *bytes;
    size_t size;
    if (o->at_path != o->path || (!is_name && !is_output) || mst_get_bytes(value, &bytes, &size) != MST_OK ||
        (is_output && !size))
        return MST_OK;
    uint32_t hash = hash_of(bytes, size);
    if (is_name) {
        uint32_t *name = push(o, &o->names, sizeof *name);
        if (!name)
            return MST_NO_MEMORY;
        *name = hash;
    } else {
        output *kept = push(o, &o->outputs, sizeof *kept);
        if (!kept)
            return MST_NO_MEMORY;
        *kept = (output){o->object, o->at, value->offset, hash};
        o->text = mst_field_of(value)->record->fields;
    }
    return MST_OK;
}

static mst_status check_outputs(mst_ns2_objects *o) {
    const mst_document *document = o->level->checker->document;
    const output *outputs = o->outputs.items;
    o->at_path = o->path;
    if (o->names.count)
        qsort(o->names.items, o->names.count, sizeof(uint32_t), compare_hashes);
    for (size_t i = 0; i < o->outputs.count; i++) {
        if (o->names.count &&
            bsearch(&outputs[i].hash, o->names.items, o->names.count, sizeof(uint32_t), compare_hashes))
            continue;
        char name[72];
        uint64_t offset, length;
        mst_item item = {.kind = MST_ITEM_LEAF,
                         .field = o->text,
                         .registers = document->registers,
                         .offset = outputs[i].offset,
                         .limit = document->size};
        mst_value value = mst_value_of_item(document, &item);
        mst_get_text(&value, name, sizeof name, NULL);
        mst_value_span(&value, &offset, &length);
        o->object = outputs[i].object;
        o->at = outputs[i].at;
        mst_diagnostic finding = finding_of(o, offset, length, "value");
        MST_SET(finding.found, "\"%s\"", name);
        MST_NS2_REPORT(o->level, "NS2-OUTPUT-TARGET", finding);
    }
    return MST_OK;
}

/* ---- properties -------------------------------------------------------------------------------- */

static mst_status take_name(mst_ns2_objects *o, const mst_item *item) {
    mst_ns2_property *p = &o->property;
    p->name = o->level->checker->document->data + item->offset + item->shape.prefix;
    p->name_length = (size_t)item->shape.count;
    p->name_offset = item->offset;
    p->name_size = item->length;
    if (o->class_known) {
        mst_value value = mst_value_of_item(o->level->checker->document, item);
        size_t length = 0;
        mst_get_text(&value, p->text, sizeof p->text, &length);
        p->has_text = length < sizeof p->text;
    }
    if (o->at < FEW)
        o->seen[o->at] = (text){p->name, p->name_length};
    for (uint64_t i = 0; i < o->at && i < FEW; i++)
        if (o->seen[i].bytes && o->seen[i].length == p->name_length &&
            memcmp(o->seen[i].bytes, p->name, p->name_length) == 0) {
            char name[72];
            mst_value value = mst_value_of_item(o->level->checker->document, item);
            mst_get_text(&value, name, sizeof name, NULL);
            mst_diagnostic finding = finding_of(o, item->offset, item->length, "name");
            MST_SET(finding.found, "\"%s\"", name);
            MST_NS2_REPORT(o->level, "NS2-DUPLICATE-PROPERTY", finding);
            break;
        }
    return MST_OK;
}

static mst_status take_value(mst_ns2_objects *o, const mst_item *item, mst_ns2_property_field which) {
    const mst_document *document = o->level->checker->document;
    mst_ns2_property *p = &o->property;
    if (which == MST_NS2_PROPERTY_INTEGERS && item->shape.count == 1) {
        p->has_number = true;
        p->number = (int32_t)mst_load32(document->data + item->offset, document->variant.big);
        p->value_offset = item->offset;
        p->value_size = item->length;
    }
    if (which != MST_NS2_PROPERTY_TEXTS && components_usual(p->type, p->components))
        return MST_OK;
    mst_value value = mst_value_of_item(document, item);
    mst_status status = check_components(o, &value);
    return status == MST_OK && which == MST_NS2_PROPERTY_TEXTS ? keep_text(o, &value) : status;
}

/* What is behind a value. Where none is expected, or more or fewer numbers, that has been told already. */
static mst_status take_data(mst_ns2_objects *o, const mst_item *item) {
    const mst_ns2_property *p = &o->property;
    if (!item->length || !p->name || p->animated || p->type > LAST_TYPE ||
        !components_usual(p->type, p->components))
        return MST_OK;
    mst_diagnostic finding = finding_of(o, item->offset, item->length, "data");
    MST_SET(finding.expected, "nothing");
    MST_SET(finding.found, "%llu bytes", (unsigned long long)item->length);
    MST_NS2_REPORT(o->level, "NS2-TAIL", finding);
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
        number = mst_load32(document->data + item->offset, document->variant.big);
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
        mst_diagnostic finding = finding_of(o, item->offset, item->length, "animated");
        MST_SET(finding.found, "%u", number);
        MST_NS2_REPORT(o->level, "NS2-ANIMATED", finding);
        return MST_OK;
    }
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
        mst_diagnostic finding = finding_of(o, p->offset, end - p->offset, "");
        MST_SET(finding.found, "%u", p->id);
        MST_NS2_REPORT(o->level, "NS2-CHUNK-UNKNOWN", finding);
        return MST_OK;
    }
    if (!o->class_known)
        return MST_OK;
    char path[160];
    snprintf(path, sizeof path, "%s[%llu].properties[%llu]", o->at_path, (unsigned long long)o->object,
             (unsigned long long)o->at);
    return mst_ns2_setup_check(o->level->setup, o->level->checker, o->class_name, p, path);
}

/* ---- entities ---------------------------------------------------------------------------------- */

/* What the smallest playable level has. */
static const struct {
    const char *class_name;
    uint32_t at_least;
} needed[] = {{"ns2_gamerules", 1}, {"location", 2},    {"power_point", 2}, {"resource_point", 2},
              {"tech_point", 2},    {"light_point", 1}, {"light_spot", 1},  {"light_ambient", 1}};
_Static_assert(MST_COUNT_OF(needed) == NEEDED, "one counter for each");
#define FIRST_LIGHT 5 /* one light of any kind is enough */

static mst_status check_class(mst_ns2_objects *o, const mst_item *item) {
    mst_value value = mst_value_of_item(o->level->checker->document, item);
    mst_get_text(&value, o->class_name, sizeof o->class_name, NULL);
    o->class_known = o->level->setup && mst_ns2_setup_has_class(o->level->setup, o->class_name);
    for (size_t i = 0; i < NEEDED; i++)
        o->counts[i] += strcmp(o->class_name, needed[i].class_name) == 0;
    if (!o->level->setup || o->class_known)
        return MST_OK;
    mst_diagnostic finding = finding_of(o, item->offset, item->length, "class_name");
    MST_SET(finding.found, "\"%.70s\"", o->class_name);
    MST_NS2_REPORT(o->level, "NS2-CLASS-UNKNOWN", finding);
    return MST_OK;
}

static mst_status object_item(mst_ns2_objects *o, const mst_item *item) {
    if (strcmp(item->name, "layer_format") == 0) {
        char path[96];
        snprintf(path, sizeof path, "%s[%llu].layer_format", o->at_path, (unsigned long long)o->object);
        return mst_ns2_check_layer_format(o->level, item, path);
    } else if (strcmp(item->name, "class_name") == 0) {
        return check_class(o, item);
    } else if (o->at_path == o->in_block && strcmp(item->name, "id") == 0) {
        uint32_t number = (uint32_t)mst_scalar_bits(o->level->checker->document, item->field, item->offset);
        if (number == MST_NS2_CLIP_OBJECT)
            return MST_OK;
        mst_diagnostic finding = finding_of(o, item->offset, item->length, "id");
        MST_SET(finding.expected, "%u", MST_NS2_CLIP_OBJECT);
        MST_SET(finding.found, "%u", number);
        MST_NS2_REPORT(o->level, "NS2-CHUNK-UNKNOWN", finding);
    }
    return MST_OK;
}

mst_status mst_ns2_objects_item(void *objects, const mst_item *item) {
    mst_ns2_objects *o = objects;
    if (o->in_property) { /* nothing in it has another record in it, but texts, which are passed over */
        if (item->kind != MST_ITEM_END_RECORD)
            return item->kind == MST_ITEM_END_LIST ? MST_OK : property_item(o, item);
        o->in_property = false;
        return end_property(o, item->offset);
    }
    if (!o->in_object) {
        if (item->kind != MST_ITEM_BEGIN_RECORD)
            return MST_OK;
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
        o->at = UINT64_MAX;
        o->class_name[0] = 0;
        o->class_known = false;
    } else if (item->kind == MST_ITEM_BEGIN_RECORD && item->record == &mst_ns2_property_record) {
        o->in_property = true;
        o->at = item->index;
        memset(&o->property, 0, sizeof o->property);
        o->property.offset = item->offset;
        if (o->at < FEW)
            o->seen[o->at].bytes = NULL;
    } else if (item->kind == MST_ITEM_END_RECORD && item->depth == o->depth) {
        o->in_object = false;
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
        mst_diagnostic finding = mst_ns2_finding(NULL, o->path);
        MST_SET(finding.expected, "at least %u %s", needed[i].at_least,
                light ? "light" : needed[i].class_name);
        MST_SET(finding.found, "%u", found);
        MST_NS2_REPORT(o->level, "NS2-PLAYABLE", finding);
    }
    return MST_OK;
}

mst_status mst_ns2_objects_begin(mst_ns2_level *level, const char *path, mst_ns2_objects **objects) {
    mst_ns2_objects *o = *objects = mst_arena_zero(&level->checker->scratch, 1, sizeof *o);
    if (!o)
        return MST_NO_MEMORY;
    o->level = level;
    o->path = o->at_path = path;
    return MST_OK;
}

mst_status mst_ns2_objects_end(mst_ns2_objects *o) {
    mst_status status = check_outputs(o);
    return status == MST_OK && mst_checker_wants(o->level->checker, "NS2-PLAYABLE") ? check_playable(o)
                                                                                    : status;
}
