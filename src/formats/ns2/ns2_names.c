/* SPDX-License-Identifier: MIT */
/* The files that a level names: the materials of its faces, the models and materials (of decals) of its
 * entities.
 */
#include "../../files/named_files.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_bindings.h"
#include <stdio.h>
#include <string.h>

/* Of several properties named `model` or `material`, the first of each counts. */
static mst_status take_files(mst_take_name take, void *taker, const mst_bound *bound,
                             const mst_value *properties, uint64_t object) {
    mst_value one, text;
    uint64_t index = 0;
    mst_status status = MST_OK;
    bool seen[2] = {false, false};
    for (mst_iterator it = mst_iterate(properties); status == MST_OK && mst_next(&it, &one); index++) {
        char name[16] = "", path[96];
        mst_ns2_bound_property p;
        memset(&p, 0, sizeof p);
        mst_fill(bound, &one, &p);
        if (mst_is_void(&p.value))
            continue;
        mst_get_text(&p.name, name, sizeof name, NULL);
        bool material = strcmp(name, "material") == 0;
        if ((!material && strcmp(name, "model") != 0) || seen[material])
            continue;
        seen[material] = true;
        snprintf(path, sizeof path, "objects[%llu].properties[%llu].value", (unsigned long long)object,
                 (unsigned long long)index);
        mst_iterator values = mst_iterate(&p.value);
        bool is_text = mst_next(&values, &text) && mst_value_type(&text) == MST_TYPE_TEXT;
        if (is_text)
            status = mst_take_text(take, taker, material ? MST_ASSET_MATERIAL : MST_ASSET_MODEL, &text, path);
    }
    return status;
}

mst_status mst_ns2_name_files(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                              void *taker) {
    (void)sidecars;
    mst_value root = mst_root(document), list, one;
    mst_status status = MST_OK;
    uint64_t index = 0;
    if (mst_find(root, "mesh.materials", &list, NULL) == MST_OK)
        for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &one); index++) {
            char path[48];
            snprintf(path, sizeof path, "mesh.materials[%llu]", (unsigned long long)index);
            status = mst_take_text(take, taker, MST_ASSET_MATERIAL, &one, path);
        }
    mst_bound object, property;
    mst_bind(document, &mst_ns2_object_bindings, &object);
    mst_bind(document, &mst_ns2_property_bindings, &property);
    list = mst_member_in(&root, "objects");
    index = 0;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &one); index++) {
        mst_ns2_bound_object o;
        memset(&o, 0, sizeof o);
        mst_fill(&object, &one, &o);
        status = take_files(take, taker, &property, &o.properties, index);
    }
    return status;
}
