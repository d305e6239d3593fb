/* SPDX-License-Identifier: MIT */
/* Checks of entities: their layers, groups, properties and outputs. */
#include "check.h"
#include <stdio.h>
#include <stdlib.h>

/* A property's fields, gathered in one go. */
typedef struct property {
    mst_value id, name, animated, value;
    bool has_value;
    const uint8_t *text; /* the name; NULL: none */
    size_t length;
    uint64_t type_number, components, animation;
} property;

static void gather(const mst_value *whole, property *p) {
    memset(p, 0, offsetof(property, text));
    p->text = NULL;
    p->length = 0;
    p->type_number = p->components = p->animation = 0;
    mst_value field;
    for (mst_iterator it = mst_iterate(whole); mst_next(&it, &field);) {
        const char *label = mst_field_of(&field)->name;
        const void *bytes = NULL;
        if (strcmp(label, "id") == 0) {
            p->id = field;
        } else if (strcmp(label, "name") == 0) {
            p->name = field;
            mst_get_bytes(&field, &bytes, &p->length);
            p->text = bytes;
        } else if (strcmp(label, "type") == 0) {
            mst_get_unsigned(&field, &p->type_number);
        } else if (strcmp(label, "component_count") == 0) {
            mst_get_unsigned(&field, &p->components);
        } else if (strcmp(label, "animated") == 0) {
            p->animated = field;
            mst_get_unsigned(&field, &p->animation);
        } else if (strcmp(label, "value") == 0) {
            p->value = field;
            p->has_value = true;
        }
    }
}

#define NEEDED 8
#define FEW    64 /* names of one entity that are compared with each other */

typedef struct objects {
    mst_ns2_level *level;
    const char *path;
    mst_array names; /* uint32_t: hashes of all entities' names, ascending. Equal hashes of different names
                      * could hide a finding, never make a wrong one. */
    uint32_t counts[NEEDED]; /* of the classes in `needed` */
    uint64_t object, at;     /* where it is */
} objects;

/* "objects[3].properties[2].value"; paths are only written when there is something to say. */
static mst_diagnostic finding_of(const objects *o, const mst_value *value, const char *field) {
    char path[160];
    if (o->at == UINT64_MAX)
        snprintf(path, sizeof path, "%s[%llu].%s", o->path, (unsigned long long)o->object, field);
    else
        snprintf(path, sizeof path, "%s[%llu].properties[%llu]%s%s", o->path, (unsigned long long)o->object,
                 (unsigned long long)o->at, *field ? "." : "", field);
    return mst_ns2_finding(value, path);
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

static mst_status collect_names(objects *o, const mst_value *list) {
    mst_value object, properties, one, name, value;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &object);) {
        properties = mst_member_in(&object, "properties");
        for (mst_iterator inner = mst_iterate(&properties); mst_next(&inner, &one);) {
            const void *bytes;
            size_t size = 0;
            if (mst_member(&one, "name", &name) != MST_OK)
                continue;
            mst_get_bytes(&name, &bytes, &size);
            if (size != 4 || memcmp(bytes, "name", 4) != 0 || mst_member(&one, "value", &value) != MST_OK ||
                mst_get_bytes(&value, &bytes, &size) != MST_OK)
                continue;
            uint32_t *hash = mst_array_push(&o->names, 1);
            if (!hash)
                return MST_NO_MEMORY;
            *hash = hash_of(bytes, size);
        }
    }
    if (o->names.count)
        qsort(o->names.items, o->names.count, sizeof(uint32_t), compare_hashes);
    return MST_OK;
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

static mst_status check_value(const objects *o, const property *p) {
    if (p->animation) {
        mst_diagnostic finding = finding_of(o, &p->animated, "animated");
        MST_SET(finding.found, "%llu", (unsigned long long)p->animation);
        MST_NS2_REPORT(o->level, "NS2-ANIMATED", finding);
        return MST_OK;
    }
    if (p->type_number > 10 || components_usual(p->type_number, p->components))
        return MST_OK;
    mst_diagnostic finding = finding_of(o, &p->value, "value");
    MST_SET(finding.expected, "%s",
            p->type_number == 5                                                 ? "3 or 4"
            : p->type_number == 2 || p->type_number == 7 || p->type_number == 9 ? "1 or 3"
                                                                                : "1");
    MST_SET(finding.found, "%llu", (unsigned long long)p->components);
    MST_NS2_REPORT(o->level, "NS2-PROPERTY-COMPONENTS", finding);
    return MST_OK;
}

/* output1 .. output10 name other entities. */
static mst_status check_output(const objects *o, const property *p) {
    const void *bytes;
    size_t size;
    if (p->type_number != 0 || p->length < 7 || memcmp(p->text, "output", 6) != 0 || p->text[6] < '0' ||
        p->text[6] > '9' || !p->has_value || mst_get_bytes(&p->value, &bytes, &size) != MST_OK || !size)
        return MST_OK;
    uint32_t hash = hash_of(bytes, size);
    if (o->names.count && bsearch(&hash, o->names.items, o->names.count, sizeof hash, compare_hashes))
        return MST_OK;
    char text[72];
    mst_get_text(&p->value, text, sizeof text, NULL);
    mst_diagnostic finding = finding_of(o, &p->value, "value");
    MST_SET(finding.found, "\"%s\"", text);
    MST_NS2_REPORT(o->level, "NS2-OUTPUT-TARGET", finding);
    return MST_OK;
}

static mst_status check_properties(objects *o, const mst_value *list, const char *class_name,
                                   bool class_known) {
    struct {
        const void *text;
        size_t length;
    } names[FEW];
    mst_ns2_level *level = o->level;
    mst_value one;
    o->at = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &one); o->at++) {
        property p;
        gather(&one, &p);
        if (o->at < FEW) {
            names[o->at].text = p.text;
            names[o->at].length = p.length;
        }
        if (!p.text) {
            uint64_t id = 0;
            mst_get_unsigned(&p.id, &id);
            mst_diagnostic finding = finding_of(o, &one, "");
            MST_SET(finding.found, "%llu", (unsigned long long)id);
            MST_NS2_REPORT(level, "NS2-CHUNK-UNKNOWN", finding);
            continue;
        }
        for (uint64_t i = 0; i < o->at && i < FEW; i++)
            if (names[i].text && names[i].length == p.length &&
                memcmp(names[i].text, p.text, p.length) == 0) {
                char text[72];
                mst_get_text(&p.name, text, sizeof text, NULL);
                mst_diagnostic finding = finding_of(o, &p.name, "name");
                MST_SET(finding.found, "\"%s\"", text);
                MST_NS2_REPORT(level, "NS2-DUPLICATE-PROPERTY", finding);
                break;
            }
        mst_status status = check_value(o, &p);
        if (status == MST_OK)
            status = check_output(o, &p);
        if (status == MST_OK && class_known) {
            char path[160];
            snprintf(path, sizeof path, "%s[%llu].properties[%llu]", o->path, (unsigned long long)o->object,
                     (unsigned long long)o->at);
            status = mst_ns2_setup_check(level->setup, level->checker, class_name, &one, path);
        }
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

/* What the smallest playable level has. */
static const struct {
    const char *class_name;
    uint32_t at_least;
} needed[] = {{"ns2_gamerules", 1}, {"location", 2},    {"power_point", 2}, {"resource_point", 2},
              {"tech_point", 2},    {"light_point", 1}, {"light_spot", 1},  {"light_ambient", 1}};
_Static_assert(MST_COUNT_OF(needed) == NEEDED, "one counter for each");
#define FIRST_LIGHT 5 /* one light of any kind is enough */

static mst_status check_object(objects *o, const mst_value *object) {
    mst_ns2_level *level = o->level;
    mst_value field, properties = *object;
    bool class_known = false;
    char class_name[128] = "";
    uint64_t number = 0;
    o->at = UINT64_MAX;
    for (mst_iterator it = mst_iterate(object); mst_next(&it, &field);) {
        const char *label = mst_field_of(&field)->name;
        if (strcmp(label, "layer_masks") == 0 || strcmp(label, "layer_mask") == 0) {
            mst_value word = field;
            bool many = mst_value_type(&field) == MST_TYPE_LIST;
            uint64_t count = many ? mst_count(&field) : 1;
            char path[96];
            snprintf(path, sizeof path, "%s[%llu].%s", o->path, (unsigned long long)o->object, label);
            for (uint64_t i = 0; i < count; i++) {
                if (many)
                    word = mst_element_in(&field, i);
                mst_get_unsigned(&word, &number);
                if (!number)
                    continue;
                uint64_t offset, length;
                mst_value_span(&word, &offset, &length);
                mst_status status = mst_ns2_check_layers(level, number, i * 32, offset, length, path);
                if (status != MST_OK)
                    return status;
            }
        } else if (strcmp(label, "group") == 0) {
            mst_get_unsigned(&field, &number);
            if (number == MST_NS2_NONE || mst_ns2_has_id(&level->groups, (uint32_t)number))
                continue;
            mst_diagnostic finding = finding_of(o, &field, "group");
            MST_SET(finding.found, "%llu", (unsigned long long)number);
            MST_NS2_REPORT(level, "NS2-GROUP-UNKNOWN", finding);
        } else if (strcmp(label, "class_name") == 0) {
            mst_get_text(&field, class_name, sizeof class_name, NULL);
            class_known = level->setup && mst_ns2_setup_has_class(level->setup, class_name);
            if (!level->setup || class_known)
                continue;
            mst_diagnostic finding = finding_of(o, &field, "class_name");
            MST_SET(finding.found, "\"%.70s\"", class_name);
            MST_NS2_REPORT(level, "NS2-CLASS-UNKNOWN", finding);
        } else if (strcmp(label, "properties") == 0) {
            properties = field;
        }
    }
    for (size_t i = 0; i < NEEDED; i++)
        o->counts[i] += strcmp(class_name, needed[i].class_name) == 0;
    return check_properties(o, &properties, class_name, class_known);
}

static mst_status check_playable(const objects *o) {
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

mst_status mst_ns2_check_objects(mst_ns2_level *level, const mst_value *list, const char *path) {
    objects o = {.level = level, .path = path};
    o.names.element_size = sizeof(uint32_t);
    o.names.allocator = level->checker->document->allocator;
    mst_status status = collect_names(&o, list);
    mst_value object;
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &object); o.object++)
        status = check_object(&o, &object);
    if (status == MST_OK && mst_checker_wants(level->checker, "NS2-PLAYABLE"))
        status = check_playable(&o);
    mst_array_free(&o.names);
    return status;
}
