/* SPDX-License-Identifier: MIT */
/*
 * Converts a block to meshes: the display lists to triangles, with one primitive for each material of a pass,
 * and the collision polygons, with one mesh for each surface.
 */
#include "../../../core/bytes.h"
#include "../../../core/diagnose.h"
#include "../../../core/unreachable.h"
#include "../../../scene/geometry.h"
#include "../../../schema/engine.h"
#include "scene.h"
#include <stdio.h>
#include <string.h>

#define FLAG_HIDDEN       UINT32_C(0x2)
#define FLAG_CULL_BACK    UINT32_C(0x8)
#define FLAG_HEAT_SHIMMER UINT32_C(0x80)
#define FLAG_ALPHA_TEST   UINT32_C(0x400)
#define FLAG_FUR          UINT32_C(0x4000) /* 4 layers; the next two bits: 8 and 16 */
#define FLAG_BLENDED      UINT32_C(0x60000000)
#define FLAG_WATER        UINT32_C(0x80000000)
#define MODE_BLEND_BELOW  9
#define WATER_ALPHA       0.5F
#define COLLISION_ALPHA   0.3F
#define NO_TEXTURE        UINT32_MAX
#define NO_VERTEX         UINT32_MAX
#define SHADERS           64 /* as many as a stream can select */
#define NO_SHADER         SHADERS
#define LISTS_MAX         255

static const char *const pass_names[MST_SFA_PASSES] = {"opaque", "transparent", "water", "hidden"};

static bool good(const mst_sfa_scene_work *w) {
    return w->build->status == MST_OK;
}

static uint32_t load32(const uint8_t *p) {
    return mst_load32(p, true);
}
static unsigned load16(const uint8_t *p) {
    return mst_load16(p, true);
}
static int signed16(const uint8_t *p) {
    return (int16_t)mst_load16(p, true);
}

/* Space for n elements; discards the array's content. */
static void *reserve(mst_sfa_scene_work *w, mst_array *array, size_t n) {
    array->count = 0;
    void *items = mst_array_push(array, n ? n : 1);
    array->count = 0;
    if (!items)
        mst_sfa_scene_fail(w);
    return items;
}

/* Copies a non-empty array into the scene's memory. */
static const void *keep(mst_sfa_scene_work *w, const void *items, size_t count, size_t size) {
    void *own = mst_arena_take(&w->build->arena, count, size);
    if (own)
        memcpy(own, items, count * size);
    else
        mst_sfa_scene_fail(w);
    return own;
}

/* ---- materials ---------------------------------------------------------------------------------- */

/* Equal shaders with the same textures become one material. */
typedef struct material_key {
    uint8_t shader[MST_SFA_SHADER];
    uint32_t textures[4]; /* numbers in the bank, or NO_TEXTURE */
    uint8_t pass, textured, lone;
} material_key;

typedef struct material_entry {
    uint32_t hash;
    int32_t index;
    material_key key;
} material_entry;

static uint32_t hash_of(const void *bytes, size_t size) {
    uint32_t hash = UINT32_C(2166136261);
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT32_C(16777619);
    return hash;
}

/* The number in the bank of a shader's texture; clears the field in the shader's copy. */
static uint32_t texture_of(const mst_sfa_block *block, uint8_t *field) {
    uint32_t index = load32(field);
    memset(field, 0, 4);
    return index < block->texture_count ? load32(block->textures + (size_t)index * 4) : NO_TEXTURE;
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
    const char *name = mst_sfa_scene_text(w->build, "%s%stexture_%u", textures->directory,
                                          textures->directory[0] ? "_" : "", (unsigned)number);
    uint8_t *pixels = mst_arena_take(&w->build->arena, (size_t)texture.width * 4, texture.height);
    if (!pixels) {
        mst_sfa_scene_fail(w);
        return NULL;
    }
    mst_sfa_texture_decode(&texture, pixels);
    mst_image image = {.name = name, .width = texture.width, .height = texture.height, .pixels = pixels};
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

static mst_extras material_extras(mst_sfa_scene_work *w, const material_key *key, unsigned shader) {
    const uint8_t *s = key->shader;
    uint32_t flags = load32(s + 0x3C);
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_text(&extras, "pass", pass_names[key->pass], strlen(pass_names[key->pass]));
    if (!key->lone) {
        mst_extras_integer(&extras, "shader", shader);
        mst_extras_integer(&extras, "flags", flags);
        flag_names(&extras, flags);
        mst_extras_integer(&extras, "layer_count", s[0x41]);
        texture_extra(&extras, "texture", key->textures[0]);
        if (s[0x41] > 1) {
            texture_extra(&extras, "layer_1_texture", key->textures[1]);
            mst_extras_integer(&extras, "layer_1_mode", s[0x30] & 0x7F);
        }
        for (unsigned bit = 0; bit < 3; bit++)
            if (flags & FLAG_FUR << bit)
                mst_extras_integer(&extras, "fur_layers", 4 << bit);
        texture_extra(&extras, "auxiliary_texture", key->textures[2]);
        texture_extra(&extras, "indirect_texture", key->textures[3]);
    }
    return mst_extras_end(&extras);
}

static int32_t add_material(mst_sfa_scene_work *w, mst_sfa_scene_textures *textures, const material_key *key,
                            unsigned shader) {
    uint32_t flags = key->lone ? FLAG_CULL_BACK : load32(key->shader + 0x3C);
    bool two = key->shader[0x41] > 1 && (key->shader[0x30] & 0x7F) == MODE_BLEND_BELOW;
    bool water = (flags & FLAG_WATER) != 0;
    const char *own = key->lone ? "no_shader" : mst_sfa_scene_text(w->build, "shader_%u", shader);
    const char *name = mst_names_unique(&w->material_names, own, 0);
    if (!name) {
        mst_sfa_scene_fail(w);
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
        !water && key->textured && key->shader[0x41] ? decoded(w, textures, key->textures[0]) : NULL;
    if (texture) {
        material.image = texture->image;
        material.wrap_s = texture->wrap_s;
        material.wrap_t = texture->wrap_t;
        material.nearest = texture->nearest;
    }
    material.extras = material_extras(w, key, shader);
    return mst_scene_add_material(w->build, &material);
}

static int32_t material_of(mst_sfa_scene_work *w, const mst_sfa_block *block,
                           mst_sfa_scene_textures *textures, unsigned shader, unsigned pass, bool textured) {
    material_key key;
    memset(&key, 0, sizeof key); /* padding is compared, too */
    key.pass = (uint8_t)pass;
    key.textured = textured;
    key.lone = shader >= block->shader_count;
    for (int i = 0; i < 4; i++)
        key.textures[i] = NO_TEXTURE;
    if (!key.lone) {
        static const uint8_t offsets[4] = {0x24, 0x2C, 0x34, 0x38};
        memcpy(key.shader, block->shaders + (size_t)shader * MST_SFA_SHADER, MST_SFA_SHADER);
        for (int i = 0; i < 4; i++)
            key.textures[i] = texture_of(block, key.shader + offsets[i]);
    }
    uint32_t hash = hash_of(&key, sizeof key);
    const material_entry *entries = w->materials.items;
    for (size_t i = textures->first_material; i < w->materials.count; i++)
        /* padding in keys is zeroed */
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        if (entries[i].hash == hash && memcmp(&entries[i].key, &key, sizeof key) == 0)
            return entries[i].index;
    int32_t index = add_material(w, textures, &key, shader);
    material_entry *added = good(w) ? mst_array_push(&w->materials, 1) : NULL;
    if (!added) {
        mst_sfa_scene_fail(w);
        return -1;
    }
    added->hash = hash;
    added->index = index;
    memcpy(&added->key, &key, sizeof key);
    return index;
}

/* The path of a list in the block that is being made. */
static const char *part_path(mst_sfa_scene_work *w, const char *list) {
    return mst_sfa_scene_text(w->build, "%s.%s", w->source.path, list);
}

/* ---- display lists ------------------------------------------------------------------------------- */

/* A list as a pass draws it. */
typedef struct draw {
    uint8_t list, pass;
    bool water; /* ignores the alpha of vertex colours */
    bool textured;
    bool leads; /* is the first draw of its material */
    int32_t material;
} draw;

static uint32_t flags_of(const mst_sfa_block *block, unsigned shader) {
    return shader == NO_SHADER ? 0 : load32(block->shaders + (size_t)shader * MST_SFA_SHADER + 0x3C);
}

/* The materials of a stream's shaders, made on first use; shaders with the same material count as one. */
typedef struct stream_shaders {
    int32_t materials[SHADERS + 1][2]; /* without and with texcoords; -1: not made yet */
    uint8_t same[SHADERS + 1][2];      /* the first shader of that material */
    uint8_t seen[SHADERS + 1][32];     /* a bit for each list drawn with it */
} stream_shaders;

static unsigned first_shader(mst_sfa_scene_work *w, const mst_sfa_block *block,
                             mst_sfa_scene_textures *textures, stream_shaders *shaders, unsigned shader,
                             unsigned stream, bool textured) {
    if (shaders->materials[shader][textured] >= 0)
        return shaders->same[shader][textured];
    /* hidden parts, too, get the material of the stream that would draw them */
    int32_t material =
        material_of(w, block, textures, shader == NO_SHADER ? block->shader_count : shader, stream, textured);
    unsigned first = 0;
    while (first <= SHADERS && shaders->materials[first][textured] != material)
        first++;
    if (!good(w) || first > SHADERS)
        first = shader;
    shaders->materials[shader][textured] = material;
    shaders->same[shader][textured] = (uint8_t)first;
    return first;
}

/* Collects the draws of the streams; a list that a stream draws twice in the same way counts once. */
static void find_draws(mst_sfa_scene_work *w, const mst_sfa_block *block, mst_sfa_scene_textures *textures) {
    w->draws.count = 0;
    for (unsigned stream = 0; stream < MST_SFA_STREAMS; stream++) {
        stream_shaders shaders;
        bool begun[SHADERS + 1][2] = {{false}};
        unsigned shader = NO_SHADER;
        memset(&shaders, 0, sizeof shaders);
        memset(shaders.materials, 0xFF, sizeof shaders.materials);
        for (mst_sfa_ops it = mst_sfa_stream_ops(block, stream); good(w) && mst_sfa_next_op(&it);) {
            unsigned list = it.operand;
            if (it.op == MST_SFA_OP_SHADER)
                shader = it.operand < block->shader_count && it.operand < SHADERS ? it.operand : NO_SHADER;
            if (it.op != MST_SFA_OP_LIST || list >= block->list_count)
                continue;
            uint32_t flags = flags_of(block, shader);
            bool water = (flags & FLAG_WATER) != 0; /* has no texture */
            bool textured = !water && mst_sfa_list_commands(block, list).texcoord_count > 0;
            unsigned like = first_shader(w, block, textures, &shaders, shader, stream, textured);
            if (!good(w) || shaders.seen[like][list / 8] >> (list & 7) & 1)
                continue;
            shaders.seen[like][list / 8] = (uint8_t)(shaders.seen[like][list / 8] | 1u << (list & 7));
            draw *added = mst_array_push(&w->draws, 1);
            if (!added) {
                mst_sfa_scene_fail(w);
                return;
            }
            *added = (draw){.list = (uint8_t)list,
                            .pass = (uint8_t)(flags & FLAG_HIDDEN ? MST_SFA_PASS_HIDDEN : stream),
                            .water = water,
                            .textured = textured,
                            .leads = !begun[like][textured],
                            .material = shaders.materials[shader][textured]};
            begun[like][textured] = true;
        }
    }
}

typedef struct slot {
    uint64_t key; /* position, colour, texcoord; plus 1, as 0 is an empty slot */
    uint32_t vertex;
} slot;

typedef struct mesher {
    const mst_sfa_block *block;
    slot *table;
    uint32_t mask;
    float *positions, *texcoords, *colors;
    uint32_t *indices, *corners, *elements;
    uint32_t list; /* that is being drawn */
    uint32_t vertex_count, index_count, dropped;
    const float *linear;
    float y_offset;
    bool textured, water;
} mesher;

static uint32_t new_vertex(mesher *m, unsigned position, unsigned color, unsigned texcoord) {
    const mst_sfa_block *b = m->block;
    uint32_t index = m->vertex_count++;
    const uint8_t *p = b->positions + (size_t)position * 6;
    float *to = m->positions + (size_t)index * 3;
    to[0] = (float)signed16(p) / 8;
    to[1] = (float)signed16(p + 2) / 8 + m->y_offset;
    to[2] = (float)signed16(p + 4) / 8;
    unsigned bits = color < b->color_count ? load16(b->colors + (size_t)color * 2) : 0xFFFF;
    float *c = m->colors + (size_t)index * 4;
    c[0] = m->linear[bits >> 12];
    c[1] = m->linear[bits >> 8 & 15];
    c[2] = m->linear[bits >> 4 & 15];
    c[3] = m->water ? 1 : (float)(bits & 15) / 15;
    if (m->textured) {
        float *t = m->texcoords + (size_t)index * 2;
        const uint8_t *from = b->texcoords + (size_t)texcoord * 4;
        bool exists = texcoord < b->texcoord_count;
        t[0] = exists ? (float)signed16(from) / 256 : 0;
        t[1] = exists ? (float)signed16(from + 2) / 256 : 0;
    }
    return index;
}

static uint32_t vertex_of(mesher *m, const uint8_t *from) {
    unsigned position = load16(from), color = load16(from + 2), texcoord = m->textured ? load16(from + 4) : 0;
    if (position >= m->block->position_count)
        return NO_VERTEX;
    uint64_t key = ((uint64_t)position << 32 | (uint64_t)color << 16 | texcoord) + 1;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) & m->mask;
    while (m->table[at].key) {
        if (m->table[at].key == key)
            return m->table[at].vertex;
        at = (at + 1) & m->mask;
    }
    uint32_t vertex = new_vertex(m, position, color, texcoord);
    m->table[at] = (slot){key, vertex};
    return vertex;
}

/* Adds a clockwise triangle of the list, as a counter-clockwise one. */
static void put_triangle(mesher *m, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *to = m->indices + m->index_count;
    if (a == NO_VERTEX || b == NO_VERTEX || c == NO_VERTEX) {
        m->dropped++;
        return;
    }
    if (a == b || b == c || c == a)
        return;
    to[0] = a;
    to[1] = c;
    to[2] = b;
    m->elements[m->index_count / 3] = m->list;
    m->index_count += 3;
}

/* The largest number of triangles that a command yields. */
static uint64_t triangles_of(unsigned opcode, unsigned vertices) {
    switch (opcode >> 3) {
    case 0x80 >> 3:
    case 0x88 >> 3: return vertices / 4 * 2;
    case 0x90 >> 3: return vertices / 3;
    case 0x98 >> 3:
    case 0xA0 >> 3: return vertices > 2 ? vertices - 2 : 0;
    default: return 0;
    }
}

static void put_command(mesher *m, const mst_sfa_commands *command) {
    unsigned n = command->vertex_count;
    uint32_t *v = m->corners;
    if (!triangles_of(command->opcode, n))
        return;
    for (unsigned i = 0; i < n; i++)
        v[i] = vertex_of(m, command->vertices + (size_t)i * command->stride);
    switch (command->opcode >> 3) {
    case 0x80 >> 3:
    case 0x88 >> 3:
        for (unsigned i = 0; i + 3 < n; i += 4) {
            put_triangle(m, v[i], v[i + 1], v[i + 2]);
            put_triangle(m, v[i], v[i + 2], v[i + 3]);
        }
        break;
    case 0x90 >> 3:
        for (unsigned i = 0; i + 2 < n; i += 3)
            put_triangle(m, v[i], v[i + 1], v[i + 2]);
        break;
    case 0x98 >> 3:
        for (unsigned i = 0; i + 2 < n; i++)
            put_triangle(m, v[i + (i & 1)], v[i + 1 - (i & 1)], v[i + 2]);
        break;
    default:
        for (unsigned i = 1; i + 1 < n; i++)
            put_triangle(m, v[0], v[i], v[i + 1]);
        break;
    }
}

/* Whether two draws share a primitive: a material belongs to one pass and is either textured or not. */
static bool together(const draw *a, const draw *b) {
    return a->material == b->material;
}

static bool make_primitive(mst_sfa_scene_work *w, const mst_sfa_block *block, size_t first,
                           mst_primitive *primitive, uint64_t *dropped) {
    const draw *draws = w->draws.items;
    const draw *like = &draws[first];
    uint64_t vertices = 0, triangles = 0;
    unsigned max = 0;
    for (size_t i = first; i < w->draws.count; i++)
        if (together(&draws[i], like))
            for (mst_sfa_commands it = mst_sfa_list_commands(block, draws[i].list);
                 mst_sfa_next_command(&it);) {
                uint64_t more = triangles_of(it.opcode, it.vertex_count);
                vertices += more ? it.vertex_count : 0;
                triangles += more;
                max = it.vertex_count > max ? it.vertex_count : max;
            }
    if (MST_UNREACHABLE(vertices >
                        UINT32_MAX / 8)) /* 255 lists of 64 KiB have fewer, as each is drawn once */
        triangles = UINT64_MAX;
    size_t budget = w->build->arena.budget;
    if (budget && triangles > budget / 4) { /* each needs at least an index */
        mst_sfa_scene_fail(w);
        return false;
    }
    uint32_t capacity = 16;
    while (capacity < vertices * 2)
        capacity *= 2;
    mesher m = {.block = block,
                .mask = capacity - 1,
                .linear = w->linear,
                .y_offset = block->y_offset,
                .textured = like->textured,
                .water = like->water};
    m.table = reserve(w, &w->table, capacity);
    m.positions = reserve(w, &w->positions, (size_t)vertices);
    m.texcoords = reserve(w, &w->texcoords, m.textured ? (size_t)vertices : 0);
    m.colors = reserve(w, &w->colors, (size_t)vertices);
    m.indices = reserve(w, &w->indices, (size_t)triangles);
    m.elements = reserve(w, &w->elements, (size_t)triangles);
    m.corners = reserve(w, &w->corners, max);
    if (!good(w))
        return false;
    memset(m.table, 0, capacity * sizeof *m.table);
    for (size_t i = first; i < w->draws.count; i++)
        if (together(&draws[i], like)) {
            m.list = draws[i].list;
            for (mst_sfa_commands it = mst_sfa_list_commands(block, draws[i].list);
                 mst_sfa_next_command(&it);)
                put_command(&m, &it);
        }
    *dropped += m.dropped;
    if (!m.index_count)
        return false;
    *primitive = (mst_primitive){.material = like->material,
                                 .vertex_count = m.vertex_count,
                                 .index_count = m.index_count,
                                 .positions = keep(w, m.positions, m.vertex_count, 3 * sizeof(float)),
                                 .colors = keep(w, m.colors, m.vertex_count, 4 * sizeof(float)),
                                 .indices = keep(w, m.indices, m.index_count, sizeof(uint32_t)),
                                 .source = {w->source.file, part_path(w, "lists"), MST_NO_INDEX},
                                 .elements = keep(w, m.elements, m.index_count / 3, sizeof(uint32_t))};
    if (m.textured)
        primitive->texcoords = keep(w, m.texcoords, m.vertex_count, 2 * sizeof(float));
    return good(w);
}

static mst_extras pass_extras(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned pass) {
    char lists[4 * LISTS_MAX + 1], sorts[4 * LISTS_MAX + 1]; /* numbers up to 255 and spaces */
    size_t length = 0, sort_length = 0;
    unsigned reported = 0;
    const draw *draws = w->draws.items;
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_text(&extras, "pass", pass_names[pass], strlen(pass_names[pass]));
    for (size_t i = 0; i < w->draws.count; i++) {
        if (draws[i].pass != pass || reported == LISTS_MAX)
            continue;
        reported++;
        unsigned sort = block->image[block->list_offsets[draws[i].list] + MST_SFA_LIST_SORT_LAYER];
        length +=
            (size_t)snprintf(lists + length, sizeof lists - length, "%s%u", length ? " " : "", draws[i].list);
        sort_length += (size_t)snprintf(sorts + sort_length, sizeof sorts - sort_length, "%s%u",
                                        sort_length ? " " : "", sort);
    }
    mst_extras_text(&extras, "lists", lists, length);
    mst_extras_text(&extras, "sort_layers", sorts, sort_length);
    return mst_extras_end(&extras);
}

static const char *mesh_name(mst_sfa_scene_work *w, const mst_sfa_scene_block *made, const char *part) {
    return mst_sfa_scene_text(w->build, "%s_%s", made->name, part);
}

static void make_pass(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned pass,
                      mst_sfa_scene_block *made, uint64_t *dropped) {
    const draw *draws = w->draws.items;
    size_t kinds = 0, count = 0;
    for (size_t i = 0; i < w->draws.count; i++)
        kinds += draws[i].pass == pass && draws[i].leads;
    if (!kinds)
        return;
    mst_primitive *primitives = mst_arena_take(&w->build->arena, kinds, sizeof *primitives);
    if (!primitives) {
        mst_sfa_scene_fail(w);
        return;
    }
    for (size_t i = 0; good(w) && i < w->draws.count; i++)
        if (draws[i].pass == pass && draws[i].leads &&
            make_primitive(w, block, i, &primitives[count], dropped))
            count++;
    if (!good(w) || !count)
        return;
    mst_mesh mesh = {
        .name = mesh_name(w, made, pass_names[pass]), .primitives = primitives, .primitive_count = count};
    made->meshes[pass] = mst_scene_add_mesh(w->build, &mesh);
    made->extras[pass] = pass_extras(w, block, pass);
}

/* ---- collision ----------------------------------------------------------------------------------- */

static void surface_name(unsigned surface, char name[32]) {
    const char *known = mst_name_of_number(&mst_sfa_surfaces, surface);
    if (known)
        snprintf(name, 32, "%s", known);
    else
        snprintf(name, 32, "surface_0x%02X", surface);
}

static int32_t surface_material(mst_sfa_scene_work *w, unsigned surface) {
    if (w->surface_materials[surface] >= 0)
        return w->surface_materials[surface];
    char name[32];
    surface_name(surface, name);
    const char *own = mst_sfa_scene_text(w->build, "collision_%s", name);
    /* translucent, as it coincides with the visible ground */
    mst_material material = {.name = own, .image = -1, .alpha_mode = MST_ALPHA_BLEND, .unlit = 1};
    mst_color_of_name(name, material.color);
    material.color[3] = COLLISION_ALPHA;
    return w->surface_materials[surface] = mst_scene_add_material(w->build, &material);
}

/* The polygons of a group, without those of groups before it, so that overlapping groups do not show a
 * polygon twice. */
static void group_range(const mst_sfa_block *block, unsigned group, unsigned *next, unsigned *first,
                        unsigned *end) {
    const uint8_t *record = block->groups + (size_t)group * MST_SFA_GROUP;
    unsigned from = load16(record), to = load16(record + MST_SFA_GROUP);
    if (from < *next)
        from = *next;
    if (to > block->polygon_count)
        to = block->polygon_count;
    *first = from;
    *end = to > from ? to : from;
    if (*end > *next)
        *next = *end;
}

static bool make_surface(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned surface,
                         uint32_t polygons, mst_primitive *primitive, uint64_t *dropped) {
    uint32_t *remap = reserve(w, &w->remap, block->position_count);
    uint32_t vertices = 0, indices = 0;
    float *positions = reserve(w, &w->positions, block->position_count); /* used at most once each */
    uint32_t *corners = reserve(w, &w->indices, polygons), *elements = reserve(w, &w->elements, polygons);
    if (!good(w))
        return false;
    memset(remap, 0xFF, block->position_count * sizeof *remap);
    unsigned next = 0, first, end;
    for (unsigned g = 0; g < block->group_count; g++) {
        group_range(block, g, &next, &first, &end);
        if (block->groups[(size_t)g * MST_SFA_GROUP + 0x11] != surface)
            continue;
        for (unsigned p = first; p < end; p++) {
            const uint8_t *from = block->polygons + (size_t)p * MST_SFA_POLYGON;
            unsigned v[3] = {load16(from), load16(from + 2), load16(from + 4)};
            if (v[0] >= block->position_count || v[1] >= block->position_count ||
                v[2] >= block->position_count) {
                *dropped += 1;
                continue;
            }
            elements[indices / 3] = p;
            for (int k = 0; k < 3; k++) {
                if (remap[v[k]] == NO_VERTEX) {
                    const uint8_t *at = block->positions + (size_t)v[k] * 6;
                    float *to = positions + (size_t)vertices * 3;
                    for (int axis = 0; axis < 3; axis++) {
                        int eighths = signed16(at + axis * 2);
                        int units = (eighths - ((eighths % 8 + 8) & 7)) / 8; /* rounded down */
                        to[axis] = (float)units;
                    }
                    to[1] += block->y_offset;
                    remap[v[k]] = vertices++;
                }
                corners[indices++] = remap[v[k]];
            }
        }
    }
    if (!indices)
        return false;
    *primitive = (mst_primitive){.material = surface_material(w, surface),
                                 .vertex_count = vertices,
                                 .index_count = indices,
                                 .positions = keep(w, positions, vertices, 3 * sizeof(float)),
                                 .indices = keep(w, corners, indices, sizeof(uint32_t)),
                                 .source = {w->source.file, part_path(w, "polygons"), MST_NO_INDEX},
                                 .elements = keep(w, elements, indices / 3, sizeof(uint32_t))};
    return good(w);
}

static void make_collision(mst_sfa_scene_work *w, const mst_sfa_block *block, mst_sfa_scene_block *made,
                           uint64_t *dropped) {
    uint32_t polygons[256] = {0};
    size_t kinds = 0;
    unsigned next = 0, first, end;
    for (unsigned g = 0; g < block->group_count; g++) {
        group_range(block, g, &next, &first, &end);
        uint32_t *count = &polygons[block->groups[(size_t)g * MST_SFA_GROUP + 0x11]];
        kinds += !*count && end > first;
        *count += end - first;
    }
    mst_sfa_scene_surface *surfaces = mst_arena_take(&w->build->arena, kinds, sizeof *surfaces);
    mst_primitive *primitives = mst_arena_take(&w->build->arena, kinds, sizeof *primitives);
    if (!surfaces || !primitives) {
        mst_sfa_scene_fail(w);
        return;
    }
    for (unsigned surface = 0; good(w) && surface < 256; surface++) {
        char name[32];
        mst_primitive *primitive = &primitives[made->surface_count];
        if (!polygons[surface] || !make_surface(w, block, surface, polygons[surface], primitive, dropped))
            continue;
        surface_name(surface, name);
        mst_mesh mesh = {.name = mst_sfa_scene_text(w->build, "%s_collision_%s", made->name, name),
                         .primitives = primitive,
                         .primitive_count = 1};
        surfaces[made->surface_count++] =
            (mst_sfa_scene_surface){surface, mst_scene_add_mesh(w->build, &mesh)};
    }
    made->surfaces = surfaces;
}

/* ---- shared state -------------------------------------------------------------------------------- */

static mst_array array_of(const mst_allocator *allocator, size_t size) {
    return (mst_array){.element_size = size, .allocator = *allocator};
}

void mst_sfa_scene_work_begin(mst_sfa_scene_work *w, mst_scene_builder *build,
                              const mst_scene_options *options) {
    memset(w, 0, sizeof *w);
    w->build = build;
    w->allocator = mst_allocator_or_default(&options->allocator);
    w->sidecars = options->sidecars;
    mst_names_begin(&w->material_names, &build->arena);
    w->materials = array_of(&w->allocator, sizeof(material_entry));
    w->draws = array_of(&w->allocator, sizeof(draw));
    w->table = array_of(&w->allocator, sizeof(slot));
    w->positions = array_of(&w->allocator, 3 * sizeof(float));
    w->texcoords = array_of(&w->allocator, 2 * sizeof(float));
    w->colors = array_of(&w->allocator, 4 * sizeof(float));
    w->indices = array_of(&w->allocator, 3 * sizeof(uint32_t));
    w->corners = array_of(&w->allocator, sizeof(uint32_t));
    w->elements = array_of(&w->allocator, sizeof(uint32_t));
    w->remap = array_of(&w->allocator, sizeof(uint32_t));
    for (int i = 0; i < 256; i++)
        w->surface_materials[i] = -1;
    for (int i = 0; i < 16; i++)
        w->linear[i] = mst_linear_of_srgb((float)i / 15);
}

void mst_sfa_scene_work_end(mst_sfa_scene_work *w) {
    mst_array *const arrays[] = {&w->materials, &w->draws,   &w->table,   &w->positions, &w->texcoords,
                                 &w->colors,    &w->indices, &w->corners, &w->elements,  &w->remap};
    for (size_t i = 0; i < MST_COUNT_OF(arrays); i++)
        mst_array_free(arrays[i]);
    mst_names_end(&w->material_names);
}

/* ---- the block ----------------------------------------------------------------------------------- */

/* The block's name with '_' for other than printable ASCII; "block" if it is empty. */
static const char *own_name(mst_sfa_scene_work *w, const mst_sfa_block *block) {
    char text[24];
    size_t length = 0;
    for (; length < 20 && block->name[length]; length++) {
        char c = block->name[length];
        text[length] = c > ' ' && c < 0x7F ? c : '_';
    }
    text[length] = 0;
    return mst_sfa_scene_text(w->build, "%s", length ? text : "block");
}

void mst_sfa_scene_block_make(mst_sfa_scene_work *w, const uint8_t *image, uint64_t size,
                              const mst_scene_source *source, mst_sfa_scene_textures *textures,
                              mst_sfa_scene_block *made) {
    mst_sfa_block block;
    uint64_t dropped = 0;
    unsigned raw_lists = 0;
    *made = (mst_sfa_scene_block){.name = "block", .source = *source, .meshes = {-1, -1, -1, -1}};
    w->source = *source;
    if (mst_sfa_block_view(image, (size_t)size, &block) != MST_OK || block.raw)
        return;
    made->usable = true;
    made->name = own_name(w, &block);
    find_draws(w, &block, textures);
    for (unsigned pass = 0; good(w) && pass < MST_SFA_PASSES; pass++)
        make_pass(w, &block, pass, made, &dropped);
    if (good(w))
        make_collision(w, &block, made, &dropped);
    for (unsigned i = 0; i < block.list_count; i++)
        raw_lists += image[block.list_offsets[i] + MST_SFA_LIST_FORM] != 0;
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_text(&extras, "block", made->name, strlen(made->name));
    mst_extras_integer(&extras, "y_min", block.y_min);
    mst_extras_integer(&extras, "y_max", block.y_max);
    mst_extras_integer(&extras, "y_offset", block.y_offset);
    if (raw_lists)
        mst_extras_integer(&extras, "lists_not_shown", raw_lists);
    if (dropped)
        mst_extras_integer(&extras, "triangles_not_shown", (int64_t)dropped);
    made->block_extras = mst_extras_end(&extras);
}

int32_t mst_sfa_scene_block_place(mst_sfa_scene_work *w, int32_t parent, const char *name,
                                  const float position[3], const mst_sfa_scene_block *made) {
    int32_t index = mst_scene_add_node(w->build, parent, name, MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(w->build, index);
    if (!node)
        return -1;
    memcpy(node->translation, position, sizeof node->translation);
    node->source = made->source;
    node->extras = made->block_extras;
    for (unsigned pass = 0; pass < MST_SFA_PASSES; pass++) {
        if (made->meshes[pass] < 0)
            continue;
        mst_role role = pass == MST_SFA_PASS_HIDDEN ? MST_ROLE_HELPER : MST_ROLE_GEOMETRY;
        node = mst_scene_node(w->build, mst_scene_add_node(w->build, index, pass_names[pass], role));
        if (!node)
            return -1;
        node->mesh = made->meshes[pass];
        node->source = made->source;
        node->extras = made->extras[pass];
        node->layer = pass_names[pass];
    }
    if (!made->surface_count)
        return index;
    int32_t group = mst_scene_add_node(w->build, index, "collision", MST_ROLE_GROUP);
    node = mst_scene_node(w->build, group);
    if (node)
        node->layer = "collision";
    for (size_t i = 0; i < made->surface_count; i++) {
        char surface[32];
        surface_name(made->surfaces[i].surface, surface);
        node = mst_scene_node(w->build, mst_scene_add_node(w->build, group, surface, MST_ROLE_COLLISION));
        if (!node)
            return -1;
        node->mesh = made->surfaces[i].mesh;
        node->source = made->source;
        node->layer = "collision";
    }
    return index;
}
