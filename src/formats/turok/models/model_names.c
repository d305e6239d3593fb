/* SPDX-License-Identifier: MIT */
/* The files that models and materials name, and the findings about missing ones. */
#include "model_names.h"
#include "../../../core/text.h"
#include "../../../read/opened.h"
#include "../../present.h"
#include "material_items.h"
#include "turok_model_parts.h"
#include <stdio.h>
#include <string.h>

/* ---- the named files ----------------------------------------------------------------------------- */

bool mst_kex_split_material(const char *name, size_t size, char file[MST_ASSET_NAME], const char **last) {
    static const char ending[] = ".kmat";
    size_t slash = size;
    while (slash && name[slash - 1] != '/' && name[slash - 1] != '\\')
        slash--;
    if (slash < 2 || slash - 1 + sizeof ending > MST_ASSET_NAME)
        return false;
    memcpy(file, name, slash - 1);
    memcpy(file + slash - 1, ending, sizeof ending);
    *last = name + slash;
    return true;
}

typedef struct taker {
    mst_take_name take;
    void *user;
} taker;

static mst_status take_surface(void *user, const mst_kex_surface *surface, uint64_t node, uint64_t object,
                               uint64_t index) {
    const taker *to = user;
    const void *name = "";
    const char *last;
    size_t size = 0;
    char file[MST_ASSET_NAME], path[96];
    mst_get_bytes(&surface->material, &name, &size);
    if (!mst_kex_split_material(name, size, file, &last))
        return MST_OK;
    snprintf(path, sizeof path, "nodes[%llu].objects[%llu][%llu].material", (unsigned long long)node,
             (unsigned long long)object, (unsigned long long)index);
    return to->take(to->user, MST_ASSET_MATERIAL, file, strlen(file), path);
}

mst_status mst_kex_model_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                               void *user) {
    (void)sidecars;
    taker to = {take, user};
    return mst_kex_each_surface(document, take_surface, &to);
}

mst_status mst_kex_material_names(const mst_document *document, const mst_resolver *sidecars,
                                  mst_take_name take, void *user) {
    (void)sidecars;
    mst_value root = mst_root(document);
    mst_kex_items materials = mst_kex_items_of(&root, MST_KMAT_FILE);
    mst_kex_item material, item;
    mst_status status = MST_OK;
    while (status == MST_OK && mst_kex_next_item(&materials, &material)) {
        mst_kex_items items = mst_kex_items_of(&material.record, MST_KMAT_MATERIAL);
        while (status == MST_OK && mst_kex_next_item(&items, &item)) {
            mst_kex_text file = item.values[2];
            char path[80];
            if (!mst_kex_is(item.word, "sampler") || !file.size || file.text[0] == '_')
                continue;
            snprintf(path, sizeof path, "materials[%llu].items[%llu].values[2].text",
                     (unsigned long long)material.index, (unsigned long long)item.index);
            status = take(user, MST_ASSET_TEXTURE, file.text, file.size, path);
        }
    }
    return status;
}

/* ---- missing files ------------------------------------------------------------------------------- */

static const char *code_of(const mst_asset *asset) {
    switch (asset->kind) {
    case MST_ASSET_MODEL: return "TUROK-MODEL-MISSING";
    case MST_ASSET_ANIMATION: return "TUROK-MODEL-ANIMATION";
    case MST_ASSET_MATERIAL: return "TUROK-MODEL-KMAT";
    default: return "TUROK-MODEL-TEXTURE";
    }
}

/* Reports a finding about the value at `path` of the document or of a file that it names. */
static mst_status report(mst_checker *checker, const mst_assets *all, const char *code, size_t by,
                         const char *path, const char *name) {
    mst_value value, root = mst_root(checker->document);
    bool own = by == MST_NO_ASSET, there = own && mst_find(root, path, &value, NULL) == MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, there ? &value : NULL, "%s", own ? path : "");
    MST_SET(finding->expected, "%s%s%s", name, own ? "" : ", for ", own ? "" : all->items[by].name);
    return mst_checker_report(checker, code);
}

/* Looks for the materials that models name in the files that were found, and for their pictures. */
typedef struct files_check {
    mst_checker *checker;
    const mst_assets *all;
    bool *reported; /* per asset: that it is missing was reported */
    size_t by;      /* the current model; MST_NO_ASSET: the document */
} files_check;

static mst_status check_picture(const files_check *c, const mst_kex_look *look) {
    const mst_asset *picture = mst_asset_called(c->all, MST_ASSET_TEXTURE, look->picture);
    size_t index = picture ? (size_t)(picture - c->all->items) : 0;
    if (!picture || picture->state == MST_ASSET_FOUND || c->reported[index])
        return MST_OK;
    c->reported[index] = true;
    return report(c->checker, c->all, code_of(picture), picture->by, picture->path, picture->name);
}

static mst_status check_surface(void *user, const mst_kex_surface *surface, uint64_t node, uint64_t object,
                                uint64_t index) {
    const files_check *c = user;
    const void *name = "";
    const char *last;
    size_t size = 0;
    char file[MST_ASSET_NAME], path[96], shown[128];
    mst_get_bytes(&surface->material, &name, &size);
    bool split = mst_kex_split_material(name, size, file, &last);
    const mst_asset *asset = split ? mst_asset_called(c->all, MST_ASSET_MATERIAL, file) : NULL;
    mst_document *document;
    if (!asset || asset->state != MST_ASSET_FOUND)
        return MST_OK;
    const mst_open_options how = {
        .size = sizeof how, .allocator = c->checker->document->allocator, .name = asset->name};
    mst_status status = mst_open_memory(asset->bytes, asset->size, &how, &document, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    mst_kex_look *look = mst_arena_zero(&c->checker->scratch, 1, sizeof *look);
    bool has = look && mst_kex_find_look(document, last, size - (size_t)(last - (const char *)name), look);
    mst_close(document);
    if (!look)
        return MST_NO_MEMORY;
    if (has)
        return check_picture(c, look);
    snprintf(path, sizeof path, "nodes[%llu].objects[%llu][%llu].material", (unsigned long long)node,
             (unsigned long long)object, (unsigned long long)index);
    snprintf(shown, sizeof shown, "%.*s", size < sizeof shown ? (int)size : (int)sizeof shown - 1,
             (const char *)name);
    return report(c->checker, c->all, "TUROK-MODEL-MATERIAL", c->by, path, shown);
}

static mst_status check_model(files_check *c, size_t index) {
    const mst_asset *asset = &c->all->items[index];
    mst_document *document;
    const mst_open_options how = {
        .size = sizeof how, .allocator = c->checker->document->allocator, .name = asset->name};
    mst_status status = mst_open_memory(asset->bytes, asset->size, &how, &document, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    c->by = index;
    if (document->format == &mst_format_turok_model)
        status = mst_kex_each_surface(document, check_surface, c);
    mst_close(document);
    return status;
}

static mst_status check_assets(files_check *c) {
    const mst_format *format = c->checker->document->format;
    mst_status status = MST_OK;
    if (format == &mst_format_turok_model)
        status = mst_kex_each_surface(c->checker->document, check_surface, c);
    for (size_t i = 0; i < c->all->count && status == MST_OK; i++) {
        const mst_asset *one = &c->all->items[i];
        bool used = one->kind != MST_ASSET_TEXTURE || format == &mst_format_turok_material;
        if (one->state == MST_ASSET_FOUND)
            status = one->kind == MST_ASSET_MODEL ? check_model(c, i) : MST_OK;
        else if (used) /* pictures of models are reported with the materials that use them */
            status = report(c->checker, c->all, code_of(one), one->by, one->path, one->name);
    }
    return status;
}

mst_status mst_kex_check_files(mst_checker *checker) {
    const mst_check_options *options = checker->options;
    mst_assets *all;
    if (!options || !options->assets || !options->sidecars)
        return MST_OK;
    mst_status status = mst_assets_of(&checker->document, 1, options->sidecars, &all, checker->failure);
    if (status != MST_OK)
        return status;
    files_check c = {checker, all, mst_arena_zero(&checker->scratch, all->count + 1, sizeof *c.reported),
                     MST_NO_ASSET};
    status = c.reported ? check_assets(&c) : MST_NO_MEMORY;
    mst_assets_free(all);
    return status == MST_NO_MEMORY
               ? mst_fail(checker->failure, status, "not enough memory for the referenced files")
               : status;
}
