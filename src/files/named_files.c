/* SPDX-License-Identifier: MIT */
/*
 * The files that documents name. The list is its own queue: each found file that can name others is opened in
 * its turn, so that nothing is read twice and no chain of names is followed by recursion.
 */
#include "named_files.h"
#include "../core/diagnose.h"
#include "../core/map.h"
#include "../core/text.h"
#include "../read/opened.h"
#include "../system/file_names.h"
#include <string.h>

typedef struct assets {
    mst_assets list;
    mst_arena arena;      /* this, names and paths */
    mst_array items;      /* mst_asset */
    mst_hash_map by_name; /* index by key_of */
    const mst_resolver *sidecars;
    size_t document, by; /* the source of the next names */
} assets;

const char *mst_asset_kind_name(mst_asset_kind kind) {
    static const char *const names[] = {"model",     "material", "texture", "shader",
                                        "animation", "picture",  "table"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "asset";
}

/* ---- names --------------------------------------------------------------------------------------- */

bool mst_asset_name(const char *name, size_t length, char plain[MST_ASSET_NAME]) {
    size_t size = mst_utf8_cut(name, length, MST_ASSET_NAME - 1), at = 0;
    bool whole = size == length;
    for (size_t i = 0; i < size; i++) {
        char c = name[i] == '\\' ? '/' : name[i];
        whole = whole && c;
        plain[at++] = c ? c : '?';
    }
    plain[at] = 0;
    static const char core[] = "../core/"; /* the engine's own folder is also a root */
    if (strncmp(plain, core, sizeof core - 1) == 0)
        memmove(plain, plain + sizeof core - 1, at - (sizeof core - 1) + 1);
    return whole && !mst_name_fault(plain);
}

static bool ends_as(mst_asset_kind kind, const char *file) {
    static const char *const endings[][8] = {
        [MST_ASSET_MODEL] = {".model", ".bin", ".i3d", ".bnd", ".b16"},
        [MST_ASSET_MATERIAL] = {".material", ".kmat"},
        [MST_ASSET_TEXTURE] = {".dds", ".png", ".psd", ".tga", ".bmp", ".jpg", ".bin", ".b16"},
        [MST_ASSET_SHADER] = {".surface_shader"},
        [MST_ASSET_ANIMATION] = {".bin"},
        [MST_ASSET_PICTURE] = {".i2d", ".i3d", ".bin", ".b16", ".16", ".bnd"},
        [MST_ASSET_TABLE] = {".def"},
    };
    size_t length = strlen(file), digits = 0;
    while (digits < length && file[length - 1 - digits] >= '0' && file[length - 1 - digits] <= '9')
        digits++;
    if (kind == MST_ASSET_PICTURE && digits && digits < length && file[length - 1 - digits] == '.')
        return true; /* Revenant's IMAGERY.12 */
    for (size_t i = 0; i < sizeof *endings / sizeof **endings && endings[kind][i]; i++)
        if (mst_text_ends_in(file, length, endings[kind][i]))
            return true;
    return false;
}

bool mst_asset_ends(const char *file) {
    bool ends = false;
    for (int kind = MST_ASSET_MODEL; kind <= MST_ASSET_TABLE && !ends; kind++)
        ends = ends_as((mst_asset_kind)kind, file);
    return ends;
}

/* The key of a name: its kind, and the name in lower case; false: it is too long. */
static bool key_of(mst_asset_kind kind, const char *name, char key[MST_ASSET_NAME + 1]) {
    size_t length = strlen(name);
    if (length >= MST_ASSET_NAME)
        return false;
    key[0] = (char)('0' + kind);
    for (size_t i = 0; i <= length; i++)
        key[1 + i] = mst_lower(name[i]);
    return true;
}

const mst_asset *mst_asset_called(const mst_assets *list, mst_asset_kind kind, const char *name) {
    const assets *all = (const assets *)(const void *)list;
    char key[MST_ASSET_NAME + 1];
    const uint32_t *index =
        key_of(kind, name, key) ? mst_hash_map_find(&all->by_name, mst_key_text(key)) : NULL;
    return index ? &list->items[*index] : NULL;
}

mst_status mst_take_text(mst_take_name take, void *taker, mst_asset_kind kind, const mst_value *value,
                         const char *path) {
    char name[MST_ASSET_NAME + 1]; /* one more than fits, to detect truncation */
    size_t length = 0;
    mst_get_text(value, name, sizeof name, &length);
    length = length < sizeof name ? length : sizeof name - 1;
    return length ? take(taker, kind, name, length, path) : MST_OK;
}

/* ---- the list ------------------------------------------------------------------------------------ */

static mst_status take(void *taker, mst_asset_kind kind, const char *name, size_t length, const char *path) {
    assets *all = taker;
    char plain[MST_ASSET_NAME] = "", key[MST_ASSET_NAME + 1];
    bool inside = mst_asset_name(name, length, plain);
    key_of(kind, plain, key);
    const uint32_t *known = mst_hash_map_find(&all->by_name, mst_key_text(key));
    if (known) {
        ((mst_asset *)all->items.items)[*known].uses++;
        return MST_OK;
    }
    mst_asset one = {.kind = kind,
                     .state = inside ? MST_ASSET_MISSING : MST_ASSET_OUTSIDE,
                     .name = mst_arena_text(&all->arena, plain, strlen(plain)),
                     .uses = 1,
                     .path = mst_arena_text(&all->arena, path, strlen(path)),
                     .document = all->document,
                     .by = all->by};
    mst_asset *added =
        one.name && one.path && all->items.count < UINT32_MAX - 1 ? mst_array_push(&all->items, 1) : NULL;
    const char *kept = added ? mst_arena_text(&all->arena, key, strlen(key)) : NULL;
    uint32_t *index = kept ? mst_hash_map_add(&all->by_name, mst_key_text(kept)) : NULL;
    if (!index)
        return MST_NO_MEMORY;
    one.file = one.name;
    *added = one;
    *index = (uint32_t)all->items.count - 1;
    return MST_OK;
}

/* Levels sometimes name the picture that a texture was made from, while the game has the texture in the same
 * place: the texture's name; NULL: `name` is not such a picture. */
static const char *texture_beside(assets *all, const char *name) {
    static const char *const pictures[] = {".png", ".psd", ".tga"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (mst_text_ends_in(name, length, pictures[i]))
            return mst_arena_printf(&all->arena, "%.*s.dds", (int)(length - 4), name);
    return NULL;
}

static mst_status look_for(assets *all, mst_asset *one) {
    if (!all->sidecars || !all->sidecars->find || one->state == MST_ASSET_OUTSIDE ||
        !ends_as(one->kind, one->name)) /* otherwise a level could cause any file to be passed on */
        return MST_OK;
    const void *bytes = NULL;
    size_t size = 0;
    mst_status status = all->sidecars->find(all->sidecars->user, one->name, &bytes, &size);
    if (status == MST_NO_PATH && one->kind == MST_ASSET_TEXTURE) {
        const char *beside = texture_beside(all, one->name);
        one->file = beside ? beside : one->name;
        if (beside)
            status = all->sidecars->find(all->sidecars->user, beside, &bytes, &size);
    }
    if (status == MST_NO_MEMORY)
        return status;
    if (status == MST_OK) {
        one->bytes = bytes ? bytes : "";
        one->size = size;
    }
    one->state = status == MST_OK   ? MST_ASSET_FOUND
                 : status == MST_IO ? MST_ASSET_UNREADABLE
                                    : MST_ASSET_MISSING;
    return MST_OK;
}

/* Lists the files that a found file names. */
static mst_status follow(assets *all, size_t index) {
    mst_asset one = ((const mst_asset *)all->items.items)[index];
    const mst_open_options how = {.size = sizeof how, .allocator = all->arena.allocator, .name = one.file};
    mst_document *document;
    mst_status status = mst_open_memory(one.bytes, one.size, &how, &document, NULL);
    if (status == MST_OK) {
        all->document = one.document;
        all->by = index;
        if (document->format->content.names)
            status = document->format->content.names(document, all->sidecars, take, all);
        mst_close(document);
    }
    if (status == MST_OK || status == MST_NO_MEMORY)
        return status;
    mst_asset *bad = (mst_asset *)all->items.items + index;
    bad->state = MST_ASSET_UNREADABLE;
    bad->bytes = NULL;
    bad->size = 0;
    return MST_OK;
}

/* Whether a file is opened: it may name others, or its format must be verified. Textures other than DDS have
 * no format of their own. */
static bool is_followed(const mst_asset *one) {
    return one->kind == MST_ASSET_MODEL || one->kind == MST_ASSET_MATERIAL ||
           one->kind == MST_ASSET_PICTURE ||
           (one->kind == MST_ASSET_TEXTURE && mst_text_ends_in(one->file, strlen(one->file), ".dds"));
}

static mst_status list_all(assets *all, const mst_document *const *documents, size_t count) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        all->document = i;
        all->by = MST_NO_ASSET;
        if (documents[i]->format->content.names)
            status = documents[i]->format->content.names(documents[i], all->sidecars, take, all);
        if (status == MST_DAMAGED) /* an open document need not name anything */
            status = MST_OK;
    }
    for (size_t i = 0; i < all->items.count && status == MST_OK; i++) {
        mst_asset *one = (mst_asset *)all->items.items + i;
        status = look_for(all, one);
        if (status == MST_OK && one->state == MST_ASSET_FOUND && is_followed(one))
            status = follow(all, i);
    }
    return status;
}

mst_status mst_assets_of(const mst_document *const *documents, size_t count, const mst_resolver *sidecars,
                         mst_assets **result, mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!result || (!documents && count))
        return mst_fail(diagnostic, MST_ARGUMENT, "documents and a pointer for the list are needed");
    for (size_t i = 0; i < count; i++)
        if (!documents[i])
            return mst_fail(diagnostic, MST_ARGUMENT, "document %zu is missing", i);
    mst_arena arena;
    mst_arena_begin(&arena, count ? &documents[0]->allocator : NULL, 0);
    assets *all = mst_arena_zero(&arena, 1, sizeof *all);
    mst_status status = MST_NO_MEMORY;
    if (all) {
        all->arena = arena;
        all->items = (mst_array){.element_size = sizeof(mst_asset), .allocator = arena.allocator};
        all->by_name.allocator = mst_arena_allocator(&all->arena);
        all->sidecars = sidecars;
        status = list_all(all, documents, count);
        arena = all->arena;
        all->list = (mst_assets){all->items.items, all->items.count};
    }
    if (status == MST_OK) {
        *result = &all->list;
        return MST_OK;
    }
    if (all)
        mst_array_free(&all->items);
    mst_arena_end(&arena);
    return mst_fail(diagnostic, status, "not enough memory for the list of files that the level names");
}

void mst_assets_free(mst_assets *list) {
    if (!list)
        return;
    assets *all = (assets *)(void *)list;
    mst_array_free(&all->items);
    mst_arena arena = all->arena; /* the list itself is in it */
    mst_arena_end(&arena);
}
