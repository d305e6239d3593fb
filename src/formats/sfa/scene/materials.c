/* SPDX-License-Identifier: MIT */
/* Materials from the shaders of blocks and from the surfaces of their collision. */
#include "../../../core/diagnose.h"
#include "../../../core/hash.h"
#include "../../../scene/geometry.h"
#include "meshes.h"
#include <stdio.h>
#include <string.h>

#define FLAG_CULL_BACK    UINT32_C(0x8)
#define FLAG_HEAT_SHIMMER UINT32_C(0x80)
#define FLAG_ALPHA_TEST   UINT32_C(0x400)
#define FLAG_FUR          UINT32_C(0x4000) /* 4 layers; the next two bits: 8 and 16 */
#define FLAG_BLENDED      UINT32_C(0x60000000)
#define MODE_BLEND_BELOW  9
#define WATER_ALPHA       0.5F
#define COLLISION_ALPHA   0.3F
#define NO_TEXTURE        UINT32_MAX

const char *const mst_sfa_pass_names[MST_SFA_PASSES] = {"opaque", "transparent", "water", "hidden"};

/* The field of a lone shader that names a texture: of a layer, or another one. */
static mst_column texture_field(const mst_sfa_shaders *shader, unsigned which) {
    static const char *const others[] = {"auxiliary_texture", "indirect_texture"};
    if (which >= 2)
        return mst_column_among(&shader->all, &mst_sfa_shader_record, others[which - 2]);
    mst_column field = mst_sfa_layers_of(shader, 0, "texture");
    field.data += which * field.stride;
    return field;
}

static const mst_sfa_scene_texture *decoded(mst_sfa_scene_work *w, mst_sfa_scene_textures *textures,
                                            uint32_t number) {
    static const mst_wrap wraps[] = {MST_WRAP_CLAMP, MST_WRAP_REPEAT, MST_WRAP_MIRROR};
    mst_sfa_texture texture;
    mst_diagnostic why;
    uint64_t size;
    if (number >= textures->entries.count)
        return NULL;
    mst_sfa_scene_texture *entry = (mst_sfa_scene_texture *)textures->entries.items + number;
    if (entry->tried)
        return entry->image < 0 ? NULL : entry;
    entry->tried = true;
    entry->image = -1;
    if (!entry->content_size)
        return NULL;
    const uint8_t *bytes =
        mst_sfa_texture_in(textures->bank->data + entry->content, entry->content_size, &size);
    if (!bytes)
        return NULL;
    mst_sfa_texture_read(bytes, size, &texture, &why); /* validated when it was parsed */
    const char *name = mst_scene_printf(w->build, "%s%stexture_%u", textures->directory,
                                        textures->directory[0] ? "_" : "", (unsigned)number);
    uint8_t *pixels = mst_scene_take(w->build, texture.width * 4, texture.height);
    if (!pixels)
        return NULL;
    mst_sfa_texture_decode(&texture, pixels);
    mst_image image = {.name = name,
                       .pixels = {.width = texture.width, .height = texture.height, .data = pixels}};
    entry->image = mst_scene_add_image(w->build, &image);
    entry->wrap_s = wraps[texture.wrap_s < 3 ? texture.wrap_s : 1];
    entry->wrap_t = wraps[texture.wrap_t < 3 ? texture.wrap_t : 1];
    entry->nearest = texture.nearest;
    return entry->image < 0 ? NULL : entry;
}

static void texture_extra(mst_extras_builder *extras, const char *name, uint32_t number) {
    if (number != NO_TEXTURE)
        mst_extras_integer(extras, name, number);
}

static void flag_names(mst_extras_builder *extras, uint32_t flags) {
    char text[512];
    size_t length = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        char number[16];
        if (!(flags >> bit & 1))
            continue;
        const char *known = mst_name_of_number(&mst_sfa_shader_flags, bit);
        snprintf(number, sizeof number, "bit_%u", (unsigned)bit);
        int wrote =
            snprintf(text + length, sizeof text - length, "%s%s", length ? " " : "", known ? known : number);
        length += (size_t)wrote;
        if (MST_UNREACHABLE(length >= sizeof text)) /* all names together fit */
            return;
    }
    if (length)
        mst_extras_text(extras, "flags_names", text, length);
}

/* The properties that decide how a shader is shown. */
typedef struct appearance {
    uint32_t flags;
    unsigned layers, second_mode;
} appearance;

static appearance look_of(const mst_sfa_material_key *key) {
    mst_sfa_shaders shader = mst_sfa_shaders_at(key->shader, 1);
    mst_column modes = mst_sfa_layers_of(&shader, 0, "tev_mode");
    return (appearance){key->lone ? FLAG_CULL_BACK : mst_column_u32(&shader.flags, 0, 0),
                        mst_column_u8(&shader.layer_counts, 0, 0), mst_column_u8(&modes, 1, 0) & 0x7F};
}

static mst_extras material_extras(mst_sfa_scene_work *w, const mst_sfa_material_key *key,
                                  const appearance *look, unsigned shader) {
    const char *pass = mst_sfa_pass_names[key->pass];
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_text(&extras, "pass", pass, strlen(pass));
    if (!key->lone) {
        mst_extras_integer(&extras, "shader", shader);
        mst_extras_integer(&extras, "flags", look->flags);
        flag_names(&extras, look->flags);
        mst_extras_integer(&extras, "layer_count", look->layers);
        texture_extra(&extras, "texture", key->textures[0]);
        if (look->layers > 1) {
            texture_extra(&extras, "layer_1_texture", key->textures[1]);
            mst_extras_integer(&extras, "layer_1_mode", look->second_mode);
        }
        for (unsigned bit = 0; bit < 3; bit++)
            if (look->flags & FLAG_FUR << bit)
                mst_extras_integer(&extras, "fur_layers", 4 << bit);
        texture_extra(&extras, "auxiliary_texture", key->textures[2]);
        texture_extra(&extras, "indirect_texture", key->textures[3]);
    }
    return mst_extras_end(&extras);
}

static int32_t add_material(mst_sfa_scene_work *w, mst_sfa_scene_textures *textures,
                            const mst_sfa_material_key *key, unsigned shader) {
    const appearance look = look_of(key);
    uint32_t flags = look.flags;
    bool two = look.layers > 1 && look.second_mode == MODE_BLEND_BELOW;
    bool water = (flags & MST_SFA_SHADER_WATER) != 0;
    const char *own = key->lone ? "no_shader" : mst_scene_printf(w->build, "shader_%u", shader);
    const char *name = mst_names_unique(&w->material_names, own, 0);
    if (!name) {
        mst_scene_fail(w->build);
        return -1;
    }
    mst_material material = {.name = name, .color = {1, 1, 1, 1}, .image = -1, .unlit = 1};
    material.double_sided = !(flags & FLAG_CULL_BACK);
    if (key->pass == MST_SFA_PASS_TRANSPARENT || key->pass == MST_SFA_PASS_WATER || flags & FLAG_BLENDED ||
        water)
        material.alpha_mode = MST_ALPHA_BLEND;
    else if (flags & FLAG_ALPHA_TEST && !(flags & FLAG_HEAT_SHIMMER) && !two) /* alpha blends layers there */
        material.alpha_mode = MST_ALPHA_MASK;
    if (material.alpha_mode == MST_ALPHA_MASK)
        material.alpha_cutoff = 1 / 255.0F;
    if (water)
        material.color[3] = WATER_ALPHA;
    const mst_sfa_scene_texture *texture =
        !water && key->textured && look.layers ? decoded(w, textures, key->textures[0]) : NULL;
    if (texture) {
        material.image = texture->image;
        material.wrap_s = texture->wrap_s;
        material.wrap_t = texture->wrap_t;
        material.nearest = texture->nearest;
    }
    material.extras = material_extras(w, key, &look, shader);
    return mst_scene_add_material(w->build, &material);
}

int32_t mst_sfa_scene_material(mst_sfa_scene_work *w, const mst_sfa_block *block,
                               mst_sfa_scene_textures *textures, unsigned shader, unsigned pass,
                               bool textured) {
    mst_sfa_material_key key;
    memset(&key, 0, sizeof key); /* padding is also compared */
    key.pass = (uint8_t)pass;
    key.textured = textured;
    key.lone = shader >= block->shaders.all.count;
    if (!key.lone)
        memcpy(key.shader, block->shaders.all.data + (size_t)shader * MST_SFA_SHADER, MST_SFA_SHADER);
    mst_sfa_shaders own = mst_sfa_shaders_at(key.shader, 1);
    for (unsigned i = 0; i < MST_COUNT_OF(key.textures); i++) {
        mst_column field = texture_field(&own, i);
        uint32_t index = key.lone ? UINT32_MAX : mst_column_u32(&field, 0, 0);
        key.textures[i] =
            index < block->textures.count ? mst_column_u32(&block->textures, index, 0) : NO_TEXTURE;
        memset(key.shader + (field.data - key.shader), 0, 4); /* equal textures may have other indices */
    }
    uint32_t hash = mst_hash32_bytes(MST_HASH32, &key, sizeof key);
    const mst_sfa_material *entries = w->materials.items;
    for (size_t i = textures->first_material; i < w->materials.count; i++)
        /* padding in keys is zeroed */
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        if (entries[i].hash == hash && memcmp(&entries[i].key, &key, sizeof key) == 0)
            return entries[i].index;
    int32_t index = add_material(w, textures, &key, shader);
    mst_sfa_material *added = mst_scene_push(w->build, &w->materials, 1);
    if (!added)
        return -1;
    added->hash = hash;
    added->index = index;
    memcpy(&added->key, &key, sizeof key);
    return index;
}

void mst_sfa_scene_surface_name(unsigned surface, char name[32]) {
    const char *known = mst_name_of_number(&mst_sfa_surfaces, surface);
    if (known)
        snprintf(name, 32, "%s", known);
    else
        snprintf(name, 32, "surface_0x%02X", surface);
}

int32_t mst_sfa_scene_surface_material(mst_sfa_scene_work *w, unsigned surface) {
    if (w->surface_materials[surface] >= 0)
        return w->surface_materials[surface];
    char name[32];
    mst_sfa_scene_surface_name(surface, name);
    const char *own = mst_scene_printf(w->build, "collision_%s", name);
    /* translucent, as it coincides with the visible ground */
    mst_material material = {.name = own, .image = -1, .alpha_mode = MST_ALPHA_BLEND, .unlit = 1};
    mst_color_of_name(name, material.color);
    material.color[3] = COLLISION_ALPHA;
    return w->surface_materials[surface] = mst_scene_add_material(w->build, &material);
}
