/* SPDX-License-Identifier: MIT */
/* Checks of materials. */
#include "../../../core/number.h"
#include "../../present.h"
#include "material_items.h"
#include "turok_model_parts.h"
#include <stdio.h>
#include <string.h>

#define UNITS    4
#define COMPARED 1000 /* with more materials, names are not compared */

/* Begins a finding about a word or one of its values. */
static void begin(mst_checker *checker, const char *path, const mst_kex_item *item, const char *member) {
    mst_value value = item->record;
    mst_find(item->record, member, &value, NULL);
    mst_finding_of(checker, &value, "%s[%llu].%s", path, (unsigned long long)item->index, member);
}

static mst_status report(mst_checker *checker, const char *code, const char *expected, mst_kex_text found) {
    return mst_report(checker, code, expected, "%.*s", found.size < 60 ? (int)found.size : 60, found.text);
}

/* Whether a word's values are valid; `*expected` describes the valid ones. */
static bool has_good_value(const mst_kex_item *item, const char **expected) {
    static const struct {
        const char *word, *values[7], *expected;
    } known[] = {
        {"sort",
         {"default", "masked", "translucent", "water", "custom1", "custom2", "custom3"},
         "default, masked, translucent, water, custom1, custom2 or custom3"},
        {"cull", {"none", "back", "front"}, "none, back or front"},
        {"alphafunc", {"gequal", "equal", "lequal"}, "gequal, equal or lequal"},
        {"filter", {"linear", "nearest"}, "linear or nearest"},
        {"wrap", {"repeat", "clamp", "mirrored"}, "repeat, clamp or mirrored"},
    };
    for (size_t i = 0; i < MST_COUNT_OF(known); i++) {
        if (!mst_kex_is(item->word, known[i].word))
            continue;
        *expected = known[i].expected;
        for (size_t k = 0; k < MST_COUNT_OF(known[i].values) && known[i].values[k]; k++)
            if (mst_kex_is(item->values[0], known[i].values[k]))
                return true;
        return false;
    }
    double mask;
    *expected = "0 to 1";
    return !mst_kex_is(item->word, "alphamask") ||
           (mst_read_f64(item->values[0].text, item->values[0].size, &mask) && mask >= 0 && mask <= 1);
}

static mst_status check_item(mst_checker *checker, const char *path, const mst_kex_item *item) {
    const char *expected;
    float color[4];
    if (!item->known) {
        begin(checker, path, item, "word");
        return report(checker, "KMAT-KEY", NULL, item->word);
    }
    if (!has_good_value(item, &expected)) {
        begin(checker, path, item, "values[0].text");
        return report(checker, "KMAT-VALUE", expected, item->values[0]);
    }
    if (mst_kex_is(item->word, "color_diffuse") && !mst_kex_color(item->values[0], color)) {
        begin(checker, path, item, "values[0].text");
        return report(checker, "KMAT-COLOUR", "four numbers", item->values[0]);
    }
    return MST_OK;
}

static mst_status check_block(mst_checker *checker, const char *path, const mst_kex_item *sampler) {
    char inner[64];
    mst_kex_items items = mst_kex_items_of(&sampler->record, MST_KMAT_SAMPLER);
    mst_kex_item item;
    mst_status status = MST_OK;
    snprintf(inner, sizeof inner, "%s[%llu].items", path, (unsigned long long)sampler->index);
    while (status == MST_OK && mst_kex_next_item(&items, &item))
        status = check_item(checker, inner, &item);
    return status;
}

/* Whether no other sampler has this sampler's unit. */
static bool takes_unit(const mst_kex_item *sampler, bool taken[UNITS]) {
    uint64_t unit;
    bool good =
        mst_read_u64(sampler->values[1].text, sampler->values[1].size, &unit) && unit < UNITS && !taken[unit];
    if (good)
        taken[unit] = true;
    return good;
}

typedef struct seen { /* in a material */
    bool units[UNITS], sampler, tested, masked, hidden;
} seen;

static mst_status check_words(mst_checker *checker, const char *path, const mst_kex_item *material,
                              seen *all) {
    mst_kex_items items = mst_kex_items_of(&material->record, MST_KMAT_MATERIAL);
    mst_kex_item item;
    mst_status status = MST_OK;
    while (status == MST_OK && mst_kex_next_item(&items, &item)) {
        all->tested = all->tested || mst_kex_is(item.word, "alphatest");
        all->hidden = all->hidden || mst_kex_is(item.word, "nodraw");
        all->masked = all->masked || (mst_kex_is(item.word, "sort") && mst_kex_is(item.values[0], "masked"));
        status = check_item(checker, path, &item);
        if (status != MST_OK || !mst_kex_is(item.word, "sampler"))
            continue;
        all->sampler = true;
        if (!takes_unit(&item, all->units)) {
            begin(checker, path, &item, "values[1].text");
            status = report(checker, "KMAT-SAMPLER", "a unit from 0 to 3 that no other has", item.values[1]);
        }
        if (status == MST_OK)
            status = check_block(checker, path, &item);
    }
    return status;
}

static mst_status check_material(mst_checker *checker, const mst_kex_item *material) {
    char path[48];
    seen all = {.sampler = false};
    snprintf(path, sizeof path, "materials[%llu].items", (unsigned long long)material->index);
    mst_status status = check_words(checker, path, material, &all);
    if (status == MST_OK && !all.sampler && !all.hidden) {
        begin(checker, "materials", material, "items");
        status = mst_checker_report(checker, "KMAT-SAMPLER");
    }
    if (status == MST_OK && all.tested && !all.masked) {
        begin(checker, "materials", material, "items");
        status = mst_checker_report(checker, "KMAT-SORT");
    }
    return status;
}

/* Whether an earlier material has the same name. */
static bool is_again(const mst_value *root, const mst_kex_item *material) {
    mst_kex_items items = mst_kex_items_of(root, MST_KMAT_FILE);
    mst_kex_item other;
    while (items.count < material->index && mst_kex_next_item(&items, &other))
        if (other.known && other.values[0].size == material->values[0].size &&
            memcmp(other.values[0].text, material->values[0].text, other.values[0].size) == 0)
            return true;
    return false;
}

mst_status mst_kex_check_material(mst_checker *checker) {
    mst_value root = mst_root(checker->document);
    mst_kex_items items = mst_kex_items_of(&root, MST_KMAT_FILE);
    mst_kex_item material;
    mst_status status = MST_OK;
    while (status == MST_OK && mst_kex_next_item(&items, &material)) {
        status = check_item(checker, "materials", &material);
        if (status == MST_OK && material.known)
            status = check_material(checker, &material);
        if (status == MST_OK && material.known && material.index < COMPARED && is_again(&root, &material)) {
            begin(checker, "materials", &material, "values[0].text");
            status = report(checker, "KMAT-TWICE", "another name", material.values[0]);
        }
    }
    return status == MST_OK ? mst_kex_check_files(checker) : status;
}
