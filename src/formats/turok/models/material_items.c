/* SPDX-License-Identifier: MIT */
#include "material_items.h"
#include "../../../core/number.h"
#include "../../../core/text.h"
#include "../../present.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CUTOFF 0.6525F

/* ---- iteration ----------------------------------------------------------------------------------- */

static mst_kex_text text_in(const mst_value *record, const char *name) {
    mst_value member = mst_member_in(record, name);
    const void *bytes = "";
    size_t size = 0;
    mst_get_bytes(&member, &bytes, &size);
    return (mst_kex_text){bytes, size};
}

mst_kex_items mst_kex_items_of(const mst_value *record, mst_kmat_block block) {
    mst_value list;
    mst_kex_items items = {.block = block};
    items.some = mst_member(record, block == MST_KMAT_FILE ? "materials" : "items", &list) == MST_OK;
    if (items.some)
        items.iterator = mst_iterate(&list);
    return items;
}

bool mst_kex_next_item(mst_kex_items *items, mst_kex_item *item) {
    mst_value value;
    memset(item, 0, sizeof *item);
    if (!items->some || !mst_next(&items->iterator, &item->record))
        return false;
    item->index = items->count++;
    item->word = text_in(&item->record, "word");
    item->known = mst_kmat_find(items->block, item->word.text, item->word.size);
    mst_value list = mst_member_in(&item->record, "values");
    mst_iterator it = mst_iterate(&list);
    for (size_t i = 0; i < MST_KEX_VALUES; i++)
        item->values[i] = mst_next(&it, &value) ? text_in(&value, "text") : (mst_kex_text){"", 0};
    return true;
}

bool mst_kex_is(mst_kex_text text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.text, wanted, text.size) == 0;
}

bool mst_kex_color(mst_kex_text text, float color[4]) {
    size_t at = 0, count = 0;
    for (;;) {
        while (at < text.size && strchr(" \t", text.text[at]))
            at++;
        size_t start = at;
        while (at < text.size && !strchr(" \t", text.text[at]))
            at++;
        double number;
        if (at == start)
            return count == 4;
        if (count == 4 || !mst_read_f64(text.text + start, at - start, &number) || !isfinite((float)number))
            return false;
        color[count++] = (float)number;
    }
}

/* ---- appearance ---------------------------------------------------------------------------------- */

static void take_sampler(const mst_kex_item *sampler, mst_kex_look *look) {
    mst_kex_text path = sampler->values[2];
    mst_kex_items items = mst_kex_items_of(&sampler->record, MST_KMAT_SAMPLER);
    mst_kex_item item;
    snprintf(look->picture, sizeof look->picture, "%.*s",
             path.size < sizeof look->picture ? (int)path.size : 0, path.text);
    look->nearest = false;
    look->wrap = MST_WRAP_REPEAT;
    while (mst_kex_next_item(&items, &item)) {
        if (mst_kex_is(item.word, "filter"))
            look->nearest = mst_kex_is(item.values[0], "nearest");
        if (mst_kex_is(item.word, "wrap"))
            look->wrap = mst_kex_is(item.values[0], "clamp")      ? MST_WRAP_CLAMP
                         : mst_kex_is(item.values[0], "mirrored") ? MST_WRAP_MIRROR
                                                                  : MST_WRAP_REPEAT;
    }
}

void mst_kex_look_at(const mst_kex_item *material, mst_kex_look *look) {
    mst_kex_items items = mst_kex_items_of(&material->record, MST_KMAT_MATERIAL);
    mst_kex_item item;
    bool masked = false, sorted = false, blend = false;
    uint64_t best = UINT64_MAX;
    *look = (mst_kex_look){.color = {1, 1, 1, 1}, .cutoff = CUTOFF};
    mst_kex_text name = material->values[0];
    snprintf(look->name, sizeof look->name, "%.*s", name.size < sizeof look->name ? (int)name.size : 0,
             name.text);
    while (mst_kex_next_item(&items, &item)) {
        mst_kex_text value = item.values[0];
        double number;
        if (mst_kex_is(item.word, "sort")) {
            masked = masked || mst_kex_is(value, "masked");
            sorted = mst_kex_is(value, "translucent") || mst_kex_is(value, "water");
        } else if (mst_kex_is(item.word, "alphatest")) {
            masked = true;
        } else if (mst_kex_is(item.word, "blend")) {
            blend = true;
        } else if (mst_kex_is(item.word, "cull")) {
            look->one_sided = mst_kex_is(value, "back");
        } else if (mst_kex_is(item.word, "fullbright")) {
            look->unlit = true;
        } else if (mst_kex_is(item.word, "nodraw")) {
            look->hidden = true;
        } else if (mst_kex_is(item.word, "alphamask") && mst_read_f64(value.text, value.size, &number)) {
            look->cutoff = number >= 0 && number <= 1 ? (float)number : CUTOFF;
        } else if (mst_kex_is(item.word, "color_diffuse")) {
            float color[4];
            if (mst_kex_color(value, color))
                for (unsigned k = 0; k < 4; k++)
                    look->color[k] = color[k] < 0 ? 0 : color[k] > 1 ? 1 : color[k];
        } else if (mst_kex_is(item.word, "sampler") && mst_kex_is(value, "diffuse")) {
            uint64_t unit = 0;
            if (mst_read_u64(item.values[1].text, item.values[1].size, &unit) && unit < best) {
                best = unit;
                take_sampler(&item, look);
            }
        }
    }
    look->alpha = masked ? MST_KEX_MASKED : sorted || blend ? MST_KEX_BLENDED : MST_KEX_SOLID;
}

bool mst_kex_find_look(const mst_document *document, const char *name, size_t size, mst_kex_look *look) {
    mst_value root = mst_root(document);
    mst_kex_items items = mst_kex_items_of(&root, MST_KMAT_FILE);
    mst_kex_item material;
    while (mst_kex_next_item(&items, &material))
        if (material.known && material.values[0].size == size &&
            memcmp(material.values[0].text, name, size) == 0) {
            mst_kex_look_at(&material, look);
            return true;
        }
    return false;
}
