/* SPDX-License-Identifier: MIT */
#include "ns2_renames.h"
#include "ns2_bindings.h"
#include "relations.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_SIZE 512 /* longer texts are not names */

typedef struct naming {
    mst_name_use_function visit;
    void *user;
    mst_bound property;
    uint32_t from, to; /* bits of the relations of the entity's class */
    mst_name_use one;
} naming;

/* Longer texts are not names, and are not compared repeatedly. */
static bool is_short(const mst_value *value) {
    return value->end - value->offset <= 2 * NAME_MAX_SIZE;
}

static void enter(naming *n, const mst_value *object) {
    char class_name[96] = "";
    mst_value value;
    if (mst_member(object, "class_name", &value) == MST_OK && is_short(&value))
        mst_get_text(&value, class_name, sizeof class_name, NULL);
    n->from = n->to = 0;
    for (uint32_t i = 0; i < MST_NS2_RELATIONS; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        n->from |= (uint32_t)(one->own && mst_ns2_relation_has(one->from, class_name)) << i;
        n->to |= (uint32_t)(one->own && mst_ns2_relation_has(one->to, class_name)) << i;
    }
}

/* The role of a property with that name in the relations of its entity. */
static void classify(naming *n, const char *name, mst_ns2_how how) {
    n->one.names = n->one.refers = false;
    for (uint32_t i = 0; (n->from | n->to) >> i; i++) {
        const mst_ns2_relation *one = &mst_ns2_relations[i];
        if (one->how != how)
            continue;
        if (n->to >> i & 1 && mst_ns2_relation_names(one->target, name, strlen(name)))
            n->one.names = true;
        if (n->from >> i & 1 && mst_ns2_relation_names(one->property, name, strlen(name)))
            n->one.refers = true;
    }
}

static mst_status visit_property(naming *n, const mst_value *property, uint64_t index) {
    char name[96] = "", below[64], text[NAME_MAX_SIZE];
    int64_t number = 0;
    size_t length = 0;
    mst_ns2_bound_property p;
    memset(&p, 0, sizeof p);
    mst_fill(&n->property, property, &p);
    if (mst_is_void(&p.value) || mst_element(&p.value, 0, &n->one.value) != MST_OK)
        return MST_OK;
    const bool by_name = mst_value_type(&n->one.value) == MST_TYPE_TEXT;
    if ((!by_name && mst_value_type(&n->one.value) != MST_TYPE_INTEGER) || !is_short(&n->one.value) ||
        !is_short(&p.name))
        return MST_OK;
    mst_get_text(&p.name, name, sizeof name, NULL);
    classify(n, name, by_name ? MST_NS2_BY_NAME : MST_NS2_BY_NUMBER);
    if (!n->one.names && !n->one.refers)
        return MST_OK;
    if (by_name ? mst_get_text(&n->one.value, text, sizeof text, &length) != MST_OK || !length ||
                      length >= sizeof text
                : mst_get_integer(&n->one.value, &number) != MST_OK)
        return MST_OK;
    if (!by_name)
        snprintf(text, sizeof text, "%lld", (long long)number);
    snprintf(below, sizeof below, "properties[%llu].value[0]", (unsigned long long)index);
    n->one.below = below;
    n->one.text = text;
    return n->visit(n->user, &n->one);
}

static mst_status visit_object(naming *n, const mst_value *object, uint64_t index) {
    mst_value properties, property;
    uint64_t k = 0;
    mst_status status = MST_OK;
    if (mst_member(object, "properties", &properties) != MST_OK)
        return MST_OK;
    n->one.element = index;
    enter(n, object);
    for (mst_iterator it = mst_iterate(&properties); status == MST_OK && mst_next(&it, &property); k++)
        status = visit_property(n, &property, k);
    return status;
}

mst_status mst_ns2_naming(const mst_value *list, uint64_t element, mst_name_use_function visit, void *user) {
    naming n = {.visit = visit, .user = user};
    mst_value object;
    uint64_t index = 0;
    mst_status status = MST_OK;
    mst_bind(list->document, &mst_ns2_property_bindings, &n.property);
    if (element != UINT64_MAX)
        return mst_element(list, element, &object) == MST_OK ? visit_object(&n, &object, element) : MST_OK;
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &object); index++)
        status = visit_object(&n, &object, index);
    return status;
}
