/* SPDX-License-Identifier: MIT */
#include "ns2_check_links.h"
#include <stdio.h>
#include <stdlib.h>

#define NO_PROPERTY UINT64_MAX

/* A reference of an entity; its target may be later in the file. */
typedef struct source {
    uint64_t object, at;     /* index of the property; NO_PROPERTY: the entity lacks one that it needs */
    uint64_t offset, length; /* of the value, or of the class name without a property */
    uint64_t key;
    uint32_t relation;
} source;

void mst_ns2_links_enter(mst_ns2_links *links, const char *class_name, uint64_t object,
                         const mst_item *item) {
    links->object = object;
    links->offset = item->offset;
    links->length = item->length;
    links->first = links->sources.count;
    links->met = 0;
    if (strcmp(links->class_name, class_name) == 0)
        return;
    MST_SET(links->class_name, "%s", class_name);
    links->from = links->to = 0;
    for (uint32_t i = 0; i < MST_NS2_RELATIONS; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        if (!one->code)
            continue;
        links->from |= (uint32_t)mst_ns2_relation_has(one->from, class_name) << i;
        links->to |= (uint32_t)mst_ns2_relation_has(one->to, class_name) << mst_ns2_targets_of(i);
    }
}

static mst_status keep(mst_ns2_links *links, uint32_t relation, const mst_ns2_said *said, uint32_t key) {
    source *kept = mst_ns2_push(links->level, &links->sources, sizeof *kept);
    if (!kept)
        return MST_NO_MEMORY;
    *kept = (source){.object = links->object,
                     .at = said->at,
                     .offset = said->offset,
                     .length = said->length,
                     .key = (uint64_t)mst_ns2_targets_of(relation) << 32 | key,
                     .relation = relation};
    return MST_OK;
}

/* The key of a value under a relation; false if the value has none. */
static bool key_of(const mst_ns2_relation *relation, const mst_ns2_said *said, uint32_t *key) {
    if (relation->how == MST_NS2_BY_NUMBER) {
        *key = (uint32_t)said->number;
        return said->kind == MST_NS2_SAYS_NUMBER;
    }
    *key = said->kind == MST_NS2_SAYS_TEXT ? mst_ns2_relation_hash(said->text, said->size) : 0;
    return said->kind == MST_NS2_SAYS_TEXT;
}

void mst_ns2_links_met(mst_ns2_links *links, const uint8_t *name, size_t length) {
    for (uint32_t i = 0; links->from >> i; i++)
        links->met |= (uint32_t)mst_ns2_relation_names(mst_ns2_relations[i].property, name, length) << i;
    links->met &= links->from;
}

mst_status mst_ns2_links_property(mst_ns2_links *links, const mst_ns2_said *said) {
    for (uint32_t i = 0, bits = links->from | links->to; bits >> i; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        bool from =
            links->from >> i & 1 && mst_ns2_relation_names(one->property, said->name, said->name_length);
        bool to = links->to >> i & 1 && mst_ns2_relation_names(one->target, said->name, said->name_length);
        if (!from && !to)
            continue;
        uint32_t key;
        bool known = key_of(one, said, &key), empty = known && said->kind == MST_NS2_SAYS_TEXT && !said->size;
        if (from && !empty)
            links->met |= 1u << i; /* a value that cannot be read still counts as present */
        if (!known || empty)
            continue;
        uint64_t *target = to ? mst_ns2_push(links->level, &links->targets, sizeof *target) : NULL;
        if (to && !target)
            return MST_NO_MEMORY;
        if (to)
            *target = (uint64_t)i << 32 | key;
        if (from && keep(links, i, said, key) != MST_OK)
            return MST_NO_MEMORY;
    }
    return MST_OK;
}

/* Whether the entity has the property that takes precedence over the relation's. */
static bool has_other(const mst_ns2_links *links, const mst_ns2_relation *relation) {
    for (uint32_t i = 0; relation->instead && links->met >> i; i++)
        if (links->met >> i & 1 && strcmp(mst_ns2_relations[i].property, relation->instead) == 0)
            return true;
    return false;
}

mst_status mst_ns2_links_leave(mst_ns2_links *links) {
    const mst_ns2_said nothing = {.at = NO_PROPERTY, .offset = links->offset, .length = links->length};
    source *sources;
    uint32_t others = 0;
    for (uint32_t i = 0; links->from >> i; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        if (!(links->from >> i & 1))
            continue;
        if (has_other(links, one))
            others |= 1u << i;
        else if (one->needed && !(links->met >> i & 1) && keep(links, i, &nothing, 0) != MST_OK)
            return MST_NO_MEMORY;
    }
    sources = links->sources.items;
    size_t kept = links->first;
    for (size_t i = links->first; others && i < links->sources.count; i++)
        if (!(others >> sources[i].relation & 1))
            sources[kept++] = sources[i];
    if (others)
        links->sources.count = kept;
    return MST_OK;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Decodes the text of a reference for a message. */
static void read_text(const mst_ns2_links *links, const source *from, char *text, size_t capacity) {
    const mst_document *document = links->level->checker->document;
    mst_item item = {.kind = MST_ITEM_LEAF,
                     .field = links->text,
                     .context = document->context,
                     .offset = from->offset,
                     .limit = document->size};
    mst_value value = mst_value_of_item(document, &item);
    mst_get_text(&value, text, capacity, NULL);
}

static mst_status report(const mst_ns2_links *links, const source *from) {
    const mst_ns2_relation *one = &mst_ns2_relations[from->relation];
    bool has_property = from->at != NO_PROPERTY;
    unsigned long long object = from->object, at = from->at;
    mst_diagnostic *finding = mst_finding_at(
        links->level->checker, from->offset, from->length,
        has_property ? "%s[%llu].properties[%llu].value" : "%s[%llu].class_name", links->path, object, at);
    if (!has_property) {
        MST_SET(finding->expected, "a property %s", one->property);
    } else if (one->how == MST_NS2_BY_NAME) {
        char name[72];
        read_text(links, from, name, sizeof name);
        MST_SET(finding->found, "\"%s\"", name);
    } else {
        MST_SET(finding->found, "%lld", (long long)(int32_t)(uint32_t)from->key);
    }
    MST_REPORT(links->level->checker, one->code);
    return MST_OK;
}

mst_status mst_ns2_links_end(mst_ns2_links *links) {
    const source *sources = links->sources.items;
    const uint64_t *targets = links->targets.items;
    mst_status status = MST_OK;
    if (links->targets.count)
        qsort(links->targets.items, links->targets.count, sizeof *targets, compare_keys);
    for (size_t i = 0; i < links->sources.count && status == MST_OK; i++) {
        bool met = sources[i].at != NO_PROPERTY && links->targets.count &&
                   bsearch(&sources[i].key, targets, links->targets.count, sizeof *targets, compare_keys);
        status = met ? MST_OK : report(links, &sources[i]);
    }
    return status;
}
