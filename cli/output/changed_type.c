/* SPDX-License-Identifier: MIT */
#include "changed_type.h"
#include "../../src/core/hash.h"
#include "change_lines.h"
#include "changed_parts.h"
#include "show.h"
#include <stdlib.h>

/* Takes ownership of `name` and `text` (NULL: made from the value). */
static void add_member(changed_members *all, char *name, const mst_value *value, char *text) {
    stream json = stream_memory();
    const mst_value none = {.document = NULL};
    bool said;
    put_value_json(&json, value);
    if ((all->count & (all->count + 1)) == 0)
        all->items = need(realloc(all->items, 2 * (all->count + 1) * sizeof *all->items));
    changed_member *one = &all->items[all->count++];
    one->name = name;
    one->hash = mst_hash_bytes(MST_HASH, json.data, json.size);
    one->text = text ? text : changed_value(value, &none, false, &said);
    stream_free(&json);
}

/* Adds the pairs of a name and a value in a list, such as properties; false if the list has others. */
static bool add_pairs(changed_members *all, const mst_value *list) {
    mst_value item, name, value;
    char text[200];
    mst_iterator at = mst_iterate(list);
    bool any = false;
    while (mst_next(&at, &item)) {
        if (mst_value_type(&item) != MST_TYPE_RECORD || mst_member(&item, "name", &name) != MST_OK ||
            mst_member(&item, "value", &value) != MST_OK ||
            mst_get_text(&name, text, sizeof text, NULL) != MST_OK)
            return any;
        add_member(all, need(strdup(text)), &value, NULL);
        any = true;
    }
    return any;
}

changed_members changed_members_of(const mst_value *element, const char *list, uint64_t index) {
    changed_members all = {NULL, 0};
    mst_value one;
    mst_iterator at = mst_iterate(element);
    while (mst_value_type(element) == MST_TYPE_RECORD && mst_next(&at, &one)) {
        if (mst_value_type(&one) == MST_TYPE_LIST && add_pairs(&all, &one))
            continue;
        char *name = need(strdup(mst_value_field(&one).name));
        char *text = changed_name_in(&one, list, index, &name);
        add_member(&all, name, &one, text);
    }
    return all;
}

void changed_members_free(changed_members *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].name);
        free(all->items[i].text);
    }
    free(all->items);
    *all = (changed_members){NULL, 0};
}

static const changed_member *find(const changed_members *in, const char *name) {
    for (size_t i = 0; i < in->count; i++)
        if (!strcmp(in->items[i].name, name))
            return &in->items[i];
    return NULL;
}

bool changed_members_alike(const changed_members *old, const changed_members *now) {
    const size_t most = old->count > now->count ? old->count : now->count;
    size_t same = 0;
    for (size_t i = 0; i < old->count; i++) {
        const changed_member *other = find(now, old->items[i].name);
        same += other && other->hash == old->items[i].hash;
    }
    return 2 * same > most;
}

static void put_member(stream *to, const char *sign, const changed_member *one, const changed_member *now,
                       size_t *said) {
    put_text(to, (*said)++ ? ", " : "");
    put_text(to, sign);
    put_visible(to, one->name);
    put_text(to, *one->text ? " " : "");
    put_visible(to, one->text);
    if (now && *now->text) {
        put_text(to, " -> ");
        put_visible(to, now->text);
    }
}

void changed_members_put(stream *to, const changed_members *old, const changed_members *now) {
    size_t said = 0;
    for (size_t i = 0; i < old->count; i++) {
        const changed_member *other = find(now, old->items[i].name);
        if (!other || other->hash != old->items[i].hash)
            put_member(to, other ? "" : "- ", &old->items[i], other, &said);
    }
    for (size_t i = 0; i < now->count; i++)
        if (!find(old, now->items[i].name))
            put_member(to, "+ ", &now->items[i], NULL, &said);
}

/* Finds the element that replaced a removed one, with another type. */
static void find_partner(changes *all, size_t removed) {
    change_item *old = &all->items[removed];
    for (size_t i = 0; i < all->count && !old->partner; i++) {
        change_item *now = &all->items[i];
        if (now->kind != MST_DIFFERENCE_ADD || !now->members.count || now->partner || now->came ||
            strcmp(old->list, now->list) != 0 || strcmp(old->place, now->place) != 0 ||
            !changed_members_alike(&old->members, &now->members))
            continue;
        old->partner = i + 1;
        now->partner = removed + 1;
    }
}

void changed_find_partners(changes *all) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind == MST_DIFFERENCE_REMOVE && all->items[i].members.count &&
            !all->items[i].partner)
            find_partner(all, i);
}
