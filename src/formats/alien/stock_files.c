/* SPDX-License-Identifier: MIT */
#include "stock_files.h"
#include "../../check/finding.h"
#include "../../core/text.h"
#include "../../files/named_files.h"
#include "../../read/opened.h"
#include "../present.h"
#include "alien_stock.h"
#include <stdio.h>
#include <string.h>

/* ---- models and files of things ------------------------------------------------------------------- */

static const mst_alien_monster_look monsters[] = {
    {"EGGS", 10, 4, false, 256, 512},         {"HUGGER", 8.34375F, 4, false, 256, 512},
    {"BURSTER", 7.5625F, 4, false, 256, 512}, {"BAMBI", 9, 4, false, 256, 512},
    {"DOG", 10, 4, false, 256, 768},          {"WAR", 10, 4, false, 256, 768},
    {"QUEEN", 11, 0, false, 384, 1536},       {"WARCEIL", 10, 1, true, 256, 256},
    {"DOGCEIL", 10, 1, true, 256, 256},       {"COLONIST", 8.203125F, 0, false, 256, 512},
    {"GUARD", 8, 4, false, 256, 768},         {"SOLDIER", 8.5F, 4, false, 256, 768},
    {"SYNTH", 9, 4, false, 256, 768},         {"HANDLER", 9, 4, false, 256, 768}};

const mst_alien_monster_look *mst_alien_monster_look_of(uint64_t type) {
    return type >= 1 && type <= MST_COUNT_OF(monsters) ? &monsters[type - 1] : NULL;
}

bool mst_alien_hangs(uint64_t type) {
    const mst_alien_monster_look *look = mst_alien_monster_look_of(type);
    return look && look->hangs;
}

void mst_alien_body(const char *layer, uint64_t type, float size[2]) {
    const mst_alien_monster_look *look = mst_alien_monster_look_of(type);
    bool monster = strcmp(layer, "monsters") == 0;
    size[0] = size[1] = 128;
    if (monster && look) {
        size[0] = look->width;
        size[1] = look->height;
    }
}

/* The second derm patch looks like the first; 5 has no model. */
int mst_alien_pickup_model(uint64_t type) {
    if (type == 24)
        return 21;
    return type < MST_ALIEN_PICKUP_MODELS && type != 5 ? (int)type : -1;
}

int mst_alien_box_model(uint64_t type, bool chapter_3) {
    static const struct {
        uint8_t type;
        int8_t models[2];
    } models[] = {{20, {1, 41}},  {21, {-1, -1}}, {22, {11, 27}}, {23, {0, 0}},   {24, {3, 19}}, {25, {2, 2}},
                  {26, {15, 31}}, {27, {7, 23}},  {28, {-1, -1}}, {29, {-1, -1}}, {32, {40, 40}}};
    if (type >= 33 && type <= 37)
        return (int)type + 2;
    for (size_t i = 0; i < MST_COUNT_OF(models); i++)
        if (models[i].type == type)
            return models[i].models[chapter_3];
    return 1; /* a crate */
}

unsigned mst_alien_box_pages(int model) {
    if ((model >= 3 && model <= 18) || model == 35)
        return MST_ALIEN_PANEL_0;
    return (model >= 19 && model <= 34) || model == 41 ? MST_ALIEN_PANEL_1 : MST_ALIEN_PICKUP_PAGES;
}

bool mst_alien_is_chapter_3(const char number[4]) {
    return number[0] == '3' || strcmp(number, "908") == 0 || strcmp(number, "909") == 0;
}

/* ---- files ---------------------------------------------------------------------------------------- */

const char mst_alien_model_files[2][MST_ALIEN_FILE] = {"GFX/PICKMOD.BND", "GFX/OBJ3D.BND"};
const char mst_alien_languages[] = "EUJGISF";

void mst_alien_monster_file(const mst_alien_monster_look *look, char name[MST_ALIEN_FILE]) {
    snprintf(name, MST_ALIEN_FILE, "NME/%s.BND", look->file);
}

void mst_alien_pages_file(unsigned pages, char letter, char name[MST_ALIEN_FILE]) {
    if (pages == MST_ALIEN_PICKUP_PAGES)
        snprintf(name, MST_ALIEN_FILE, "GFX/PICKGFX.BND");
    else
        snprintf(name, MST_ALIEN_FILE, "LANGUAGE/PNL%uGFX%c.BND", pages - MST_ALIEN_PANEL_0, letter);
}

mst_status mst_alien_find(const mst_resolver *sidecars, char name[MST_ALIEN_FILE], const void **bytes,
                          size_t *size) {
    if (!sidecars || !sidecars->find)
        return MST_NO_PATH;
    mst_status status = sidecars->find(sidecars->user, name, bytes, size);
    const char *base = strchr(name, '/');
    if (status != MST_NO_PATH || !base)
        return status;
    status = sidecars->find(sidecars->user, base + 1, bytes, size);
    if (status == MST_OK)
        memmove(name, base + 1, strlen(base));
    return status;
}

mst_status mst_alien_find_pages(const mst_resolver *sidecars, unsigned pages, char name[MST_ALIEN_FILE],
                                const void **bytes, size_t *size) {
    mst_status status = MST_NO_PATH;
    for (const char *letter = mst_alien_languages; *letter && status == MST_NO_PATH; letter++) {
        mst_alien_pages_file(pages, *letter, name);
        status = mst_alien_find(sidecars, name, bytes, size);
        if (pages == MST_ALIEN_PICKUP_PAGES)
            break;
    }
    if (status == MST_NO_PATH)
        mst_alien_pages_file(pages, *mst_alien_languages, name);
    return status;
}

/* ---- files that a level names --------------------------------------------------------------------- */

typedef struct namer {
    const mst_resolver *sidecars;
    mst_take_name take;
    void *taker;
    bool pages[MST_ALIEN_PAGE_FILES]; /* already named */
} namer;

static mst_status name_file(const namer *n, mst_asset_kind kind, const char *file, const char *path) {
    char name[MST_ALIEN_FILE];
    const void *bytes;
    size_t size;
    snprintf(name, sizeof name, "%s", file);
    mst_alien_find(n->sidecars, name, &bytes, &size); /* the file may be next to the level */
    return n->take(n->taker, kind, name, strlen(name), path);
}

static mst_status name_pages(namer *n, unsigned pages, const char *path) {
    char name[MST_ALIEN_FILE];
    const void *bytes;
    size_t size;
    if (n->pages[pages])
        return MST_OK;
    n->pages[pages] = true;
    mst_alien_find_pages(n->sidecars, pages, name, &bytes, &size);
    return n->take(n->taker, MST_ASSET_PICTURE, name, strlen(name), path);
}

static mst_status name_thing(namer *n, unsigned list, uint64_t type, bool chapter_3, const char *path) {
    const mst_alien_monster_look *look = mst_alien_monster_look_of(type);
    char name[MST_ALIEN_FILE];
    if (list == 0) {
        if (!look)
            return MST_OK;
        mst_alien_monster_file(look, name);
        return name_file(n, MST_ASSET_PICTURE, name, path);
    }
    int model = list == 1 ? mst_alien_pickup_model(type) : mst_alien_box_model(type, chapter_3);
    if (model < 0)
        return MST_OK;
    mst_status status = name_file(n, MST_ASSET_MODEL, mst_alien_model_files[list - 1], path);
    return status == MST_OK
               ? name_pages(n, list == 1 ? MST_ALIEN_PICKUP_PAGES : mst_alien_box_pages(model), path)
               : status;
}

/* The level's own texture file, in the available number of colours. */
static mst_status name_textures(const namer *n, const char number[4]) {
    char name[MST_ALIEN_FILE];
    const void *bytes;
    size_t size;
    snprintf(name, sizeof name, "%sGFX.B16", number);
    if (mst_alien_find(n->sidecars, name, &bytes, &size) != MST_OK)
        snprintf(name, sizeof name, "%sGFX.BIN", number);
    else if (n->sidecars) { /* the usual one, if both exist */
        char usual[MST_ALIEN_FILE];
        snprintf(usual, sizeof usual, "%sGFX.BIN", number);
        if (mst_alien_find(n->sidecars, usual, &bytes, &size) == MST_OK)
            snprintf(name, sizeof name, "%s", usual);
    }
    return n->take(n->taker, MST_ASSET_TEXTURE, name, strlen(name), "map.quads");
}

mst_status mst_alien_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                           void *taker) {
    static const char *const lists[] = {"monsters", "pickups", "boxes"};
    namer n = {.sidecars = sidecars, .take = take, .taker = taker};
    mst_value root = mst_root(document), map, thing;
    char number[4] = "";
    if (mst_member(&root, "map", &map) != MST_OK ||
        !mst_alien_level_number(mst_document_name(document), number))
        return MST_OK;
    mst_status status = name_textures(&n, number);
    for (unsigned i = 0; i < MST_COUNT_OF(lists); i++) {
        mst_value list = mst_member_in(&map, lists[i]);
        uint64_t index = 0;
        for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &thing); index++) {
            char path[64];
            snprintf(path, sizeof path, "map.%s[%llu].type", lists[i], (unsigned long long)index);
            status = name_thing(&n, i, mst_number_in(&thing, "type"), mst_alien_is_chapter_3(number), path);
        }
    }
    return status;
}

/* ---- missing files -------------------------------------------------------------------------------- */

mst_status mst_alien_check_files(mst_checker *checker) {
    const mst_check_options *options = checker->options;
    mst_assets *all = NULL;
    if (!options || !options->assets || !options->sidecars)
        return MST_OK;
    mst_status status = mst_assets_of(&checker->document, 1, options->sidecars, &all, checker->failure);
    for (size_t i = 0; status == MST_OK && i < all->count; i++) {
        const mst_asset *one = &all->items[i];
        mst_value value, root = mst_root(checker->document);
        if (one->state == MST_ASSET_FOUND)
            continue;
        bool there = mst_find(root, one->path, &value, NULL) == MST_OK;
        mst_diagnostic *finding = mst_finding_of(checker, there ? &value : NULL, "%s", one->path);
        if (one->uses > 1)
            MST_SET(finding->expected, "%s, %llu times", one->name, (unsigned long long)one->uses);
        else
            MST_SET(finding->expected, "%s", one->name);
        status = mst_checker_report(checker, one->state == MST_ASSET_UNREADABLE ? "ALIEN-FILE-UNREADABLE"
                                                                                : "ALIEN-FILE-MISSING");
    }
    mst_assets_free(all);
    return status;
}
