/* SPDX-License-Identifier: MIT */
/* The files that models and materials name, and the findings about missing ones. */
#include "../../check/finding.h"
#include "../../core/text.h"
#include "../../files/named_files.h"
#include "../../read/opened.h"
#include "spark_model.h"
#include <stdio.h>
#include <string.h>

/* ---- the named files ----------------------------------------------------------------------------- */

mst_status mst_spark_model_names(const mst_document *document, const mst_resolver *sidecars,
                                 mst_take_name take, void *taker) {
    (void)sidecars;
    mst_value list, value, root = mst_root(document);
    mst_status status = MST_OK;
    uint64_t index = 0;
    if (mst_spark_list(document, "materials", &list))
        for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &value); index++) {
            char path[48];
            snprintf(path, sizeof path, "materials[%llu]", (unsigned long long)index);
            status = mst_take_text(take, taker, MST_ASSET_MATERIAL, &value, path);
        }
    if (status == MST_OK && mst_member(&root, "animation_model", &value) == MST_OK)
        status = mst_take_text(take, taker, MST_ASSET_MODEL, &value, "animation_model");
    return status;
}

mst_status mst_spark_material_names(const mst_document *document, const mst_resolver *sidecars,
                                    mst_take_name take, void *taker) {
    (void)sidecars;
    static const char *const pictures[] = {".dds", ".png", ".psd", ".tga"};
    mst_value root = mst_root(document), values = mst_member_in(&root, "values"), one;
    mst_status status = MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&values); status == MST_OK && mst_next(&it, &one); index++) {
        mst_value member = mst_member_in(&one, "value");
        const void *bytes = "";
        size_t size = 0;
        char path[48];
        bool picture = false;
        mst_get_bytes(&member, &bytes, &size);
        const char *text = bytes;
        for (size_t i = 0; i < MST_COUNT_OF(pictures); i++)
            picture = picture || mst_text_ends_in(text, size, pictures[i]);
        bool shader = mst_text_ends_in(text, size, ".surface_shader");
        snprintf(path, sizeof path, "values[%llu].value", (unsigned long long)index);
        /* a script draws `*name`; `%inherit` is the map of another material */
        if ((picture || shader) && text[0] != '*' && text[0] != '%')
            status = take(taker, shader ? MST_ASSET_SHADER : MST_ASSET_TEXTURE, text, size, path);
    }
    return index ? status : MST_DAMAGED; /* any text opens, but a material sets something */
}

/* ---- missing files ------------------------------------------------------------------------------- */

static const char *code_of(const mst_asset *asset) {
    static const char *const missing[] = {"SPARK-MODEL-MISSING", "SPARK-MATERIAL-MISSING",
                                          "SPARK-TEXTURE-MISSING", NULL};
    switch (asset->state) {
    case MST_ASSET_MISSING: return missing[asset->kind]; /* the game's own shaders are not needed */
    case MST_ASSET_UNREADABLE: return "SPARK-UNREADABLE";
    case MST_ASSET_OUTSIDE: return "SPARK-PATH";
    default: return NULL;
    }
}

static mst_status report(mst_checker *checker, const mst_assets *all, const mst_asset *one) {
    const char *code = code_of(one);
    bool own = one->by == MST_NO_ASSET;
    char times[48] = "";
    if (one->uses > 1)
        snprintf(times, sizeof times, ", %llu times", (unsigned long long)one->uses);
    mst_value value, root = mst_root(checker->document);
    bool there = own && mst_find(root, one->path, &value, NULL) == MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, there ? &value : NULL, "%s", own ? one->path : "");
    MST_SET(finding->expected, "%s%s%s%s", one->name, times, own ? "" : ", for ",
            own ? "" : all->items[one->by].name);
    return mst_checker_report(checker, code);
}

mst_status mst_spark_check_assets(mst_checker *checker) {
    const mst_check_options *options = checker->options;
    mst_assets *all;
    bool search = options && options->assets && options->sidecars;
    /* files named directly by a document are checked even without a search; a level names too many for
     * that */
    if (!search && strncmp(mst_document_format(checker->document)->id, "spark-", 6) != 0)
        return MST_OK;
    mst_status status =
        mst_assets_of(&checker->document, 1, search ? options->sidecars : NULL, &all, checker->failure);
    if (status != MST_OK)
        return status;
    size_t missing[3] = {0}, sum = 0;
    for (size_t i = 0; i < all->count && status == MST_OK; i++) {
        const mst_asset *one = &all->items[i];
        const char *code = code_of(one);
        if (!code || (!search && one->state != MST_ASSET_OUTSIDE))
            continue;
        if (one->state == MST_ASSET_MISSING) {
            missing[one->kind]++;
            sum++;
        }
        status = report(checker, all, one);
    }
    mst_assets_free(all);
    if (status != MST_OK || !sum)
        return status;
    mst_diagnostic *finding = mst_finding_of(checker, NULL, "%s", "");
    MST_SET(finding->message, "%zu model%s, %zu material%s and %zu texture%s that are named were not found",
            missing[0], missing[0] == 1 ? "" : "s", missing[1], missing[1] == 1 ? "" : "s", missing[2],
            missing[2] == 1 ? "" : "s");
    return mst_checker_report(checker, "SPARK-MISSING");
}
