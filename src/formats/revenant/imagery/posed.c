/* SPDX-License-Identifier: MIT */
/*
 * Models have objects, which are the parts of a body that move as one: each has corners, faces by texture,
 * and in each state keys that rotate, translate and scale it, after which the keys of its parent apply.
 */
#include "posed.h"
#include "../../../core/angles.h"
#include <math.h>
#include <string.h>

#define MORPH        (1u << 0) /* flags of a body */
#define PARTS        (1u << 4)
#define SHORT_KEYS   (1u << 7)
#define HIERARCHY    (1u << 2)
#define PI           3.14159265358979323846
#define CORNER       32u /* bytes */
#define FACE         6u
#define MATERIAL     80u
#define OLD_BODY     6876u /* and up to two more lists of 64 offsets */
#define NEW_BODY     52u
#define COUNT_MAX    65536u /* of corners, faces and objects: the file numbers them with 16 bits */
#define SKIP         1u     /* code of a short key */
#define PARENTS      256    /* maximum depth up to the root */
#define TEXTURES_MAX 256u

typedef struct reader {
    const mst_imagery *imagery;
    const uint8_t *data;
    uint32_t size, flags, state, frames;
    uint32_t corners, faces, materials, textures, objects;                /* counts */
    uint32_t corners_at, faces_at, materials_at, textures_at, objects_at; /* their offsets */
    uint32_t shapes_at; /* offset fields that point to the corners of each frame */
    bool bad;
    bool apart; /* objects are not assembled */
} reader;

/* ---- numbers ------------------------------------------------------------------------------------- */

/* `size` bytes at an offset; NULL: not inside the data. */
static const uint8_t *bytes_at(reader *r, uint64_t at, uint64_t size) {
    if (at > r->size || size > r->size - at) {
        r->bad = true;
        return NULL;
    }
    return r->data + at;
}

static uint32_t number_at(reader *r, uint64_t at) {
    const uint8_t *bytes = bytes_at(r, at, 4);
    return bytes ? mst_load32(bytes, false) : 0;
}

static uint32_t short_at(reader *r, uint64_t at) {
    const uint8_t *bytes = bytes_at(r, at, 2);
    return bytes ? mst_load16(bytes, false) : 0;
}

static float real_at(reader *r, uint64_t at) {
    uint32_t bits = number_at(r, at);
    float real;
    memcpy(&real, &bits, sizeof real);
    return isfinite(real) ? real : 0;
}

/* The target of an offset field; false: none. */
static bool lead(reader *r, uint64_t field, uint32_t *target) {
    uint32_t offset = number_at(r, field);
    *target = (uint32_t)field + offset;
    return offset && !r->bad;
}

static int32_t low_bits(uint64_t bits, unsigned count) {
    uint32_t value = (uint32_t)(bits & ((1u << count) - 1));
    return value >> (count - 1) ? (int32_t)(value - (1u << count)) : (int32_t)value;
}

/* ---- keys ---------------------------------------------------------------------------------------- */

static const mst_posed_key still = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};

static mst_posed_key long_key(reader *r, uint64_t at) {
    mst_posed_key k = still;
    uint64_t bits = number_at(r, at) | (uint64_t)number_at(r, at + 4) << 32;
    for (unsigned i = 0; i < 3; i++) {
        k.position[i] = ((int32_t)(bits >> 12 * i & 0xFFF) - 0x800) / 4.0;
        k.rotation[i] = ((int32_t)(bits >> (36 + 9 * i) & 0x1FF) - 0x100) * PI / 256;
    }
    return k;
}

/* Which numbers of a key (position, rotation, scale: nine bits) a short one sets; 0: it is a code. */
static unsigned set_by(uint32_t bits) {
    uint32_t kind = bits & 3, code = bits >> 2 & 63;
    return kind ? 7u << (3 * kind - 3) : code >= 2 && code <= 10 ? 1u << (code - 2) : 0;
}

static void apply(uint32_t bits, unsigned sets, mst_posed_key *k) {
    static const double units[3] = {1.0 / 4, PI / 512, 1.0 / 64};
    for (unsigned c = 0; c < 9; c++) {
        double *to = c < 3 ? &k->position[c] : c < 6 ? &k->rotation[c - 3] : &k->scale[c - 6];
        if (sets >> c & 1)
            *to = bits & 3 ? low_bits(bits >> (2 + 10 * (c % 3)), 10) * units[c / 3]
                           : low_bits(bits >> 8, 24) / 256.0;
    }
}

/* A frame ends at a number that it already has, or with a code, which may skip frames. Numbers that are not
 * set keep their values. */
static void read_short_keys(reader *r, uint32_t at, uint32_t count, uint32_t frames, mst_posed_key *keys) {
    mst_posed_key k = still;
    unsigned seen = 0;
    uint32_t frame = 0;
    for (uint32_t i = 0; i < count && frame < frames && !r->bad; i++) {
        uint32_t bits = number_at(r, at + 4 * (uint64_t)i);
        unsigned sets = set_by(bits);
        if (!sets || (seen & sets)) {
            int32_t skipped = !sets && (bits >> 2 & 63) == SKIP ? low_bits(bits >> 8, 24) : 1;
            for (skipped -= !seen; skipped > 0 && frame < frames; skipped--)
                keys[frame++] = k;
            seen = 0;
        }
        seen |= sets;
        apply(bits, sets, &k);
    }
    while (frame < frames)
        keys[frame++] = k;
}

static void turn(double *a, double *b, double angle) {
    double c = mst_cosine(angle), s = mst_sine(angle), x = *a * c - *b * s;
    *b = *a * s + *b * c;
    *a = x;
}

/* Rotates, translates and scales a point (or only rotates a direction) by the keys of its object and the
 * objects above it. */
static void pose(const mst_posed_object *parts, uint32_t count, uint32_t object, double p[3],
                 bool direction) {
    for (int depth = 0; depth < PARENTS; depth++) {
        const mst_posed_object *one = &parts[object];
        turn(&p[1], &p[2], one->key.rotation[0]);
        turn(&p[2], &p[0], one->key.rotation[1]);
        turn(&p[0], &p[1], one->key.rotation[2]);
        for (int i = 0; i < 3 && !direction; i++)
            p[i] = (p[i] + one->key.position[i]) * one->key.scale[i];
        if (one->parent < 0 || (uint32_t)one->parent >= count)
            break;
        object = (uint32_t)one->parent;
    }
}

/* ---- bodies -------------------------------------------------------------------------------------- */

static bool open_new(reader *r) {
    uint32_t states = 0, frames = 0;
    r->corners = number_at(r, 12);
    r->faces = number_at(r, 20);
    r->materials = number_at(r, 28);
    r->textures = number_at(r, 36);
    r->objects = number_at(r, 44);
    bool found = lead(r, 16, &states);
    if (found && (r->flags & 1)) /* each state has separate corners */
        states += 4 * r->state;
    found = found && lead(r, states, &frames) && lead(r, frames, &r->corners_at);
    r->shapes_at = found ? frames : 0;
    return found && lead(r, 24, &r->faces_at) && (!r->materials || lead(r, 32, &r->materials_at)) &&
           (!r->textures || lead(r, 40, &r->textures_at)) && lead(r, 48, &r->objects_at);
}

static bool open_old(reader *r) {
    uint32_t frames = 0;
    r->corners = number_at(r, 4);
    r->faces = number_at(r, 264);
    r->materials = number_at(r, 272);
    r->materials_at = 276;
    r->textures = number_at(r, 916);
    r->textures_at = 920;
    r->objects = number_at(r, 1880);
    uint64_t field = 8 + (r->flags & 1 ? 4 * (uint64_t)r->state : 0);
    bool found = lead(r, field, &frames) && lead(r, frames, &r->corners_at);
    r->shapes_at = found ? frames : 0;
    return found && r->materials <= 8 && r->textures <= 7 && r->objects <= 64 && lead(r, 268, &r->faces_at);
}

/* The offset of an object's keys; 0: none. `count`: of short ones. */
typedef struct key_list {
    uint32_t at, count;
} key_list;

static mst_posed_object new_object(reader *r, uint32_t index, key_list *keys) {
    uint64_t at = r->objects_at + 48 * (uint64_t)index;
    mst_posed_object one = {
        .first = short_at(r, at + 34), .count = short_at(r, at + 36), .parent = -1, .hidden = true};
    bool shorter = (r->flags & SHORT_KEYS) != 0;
    uint32_t states;
    if (!lead(r, at + 44, &states))
        return one;
    uint64_t state = states + (shorter ? 12 : 8) * (uint64_t)r->state;
    if (r->flags & HIERARCHY)
        one.parent = (int32_t)number_at(r, state);
    /* a morph has corners instead of keys */
    one.hidden = !lead(r, state + (shorter ? 8 : 4), &keys->at) && !(r->flags & MORPH);
    keys->count = number_at(r, state + 4);
    return one;
}

static mst_posed_object old_object(reader *r, uint32_t index, key_list *keys) {
    mst_posed_object one = {.first = short_at(r, 4060 + 2 * (uint64_t)index),
                            .count = short_at(r, 4188 + 2 * (uint64_t)index),
                            .parent = -1};
    uint32_t parents;
    if ((r->flags & HIERARCHY) && lead(r, 7132 + 4 * (uint64_t)index, &parents)) {
        /* a byte per state; the tool reserved four */
        const uint8_t *parent = bytes_at(r, (uint64_t)parents + r->state, 1);
        one.parent = parent ? (int8_t)*parent : -1;
    }
    if (lead(r, 6620 + 4 * (uint64_t)r->state, &keys->at))
        keys->at += (uint32_t)(8 * (uint64_t)r->frames * index);
    else
        keys->at = 0;
    return one;
}

/* Reads an object and its keys in the first frames of the state. */
static mst_posed_object read_object(reader *r, uint32_t index, uint32_t frames, mst_posed_key *keys) {
    key_list list = {0, 0};
    bool parted = (r->flags & PARTS) != 0;
    mst_posed_object one = parted ? new_object(r, index, &list) : old_object(r, index, &list);
    if (one.hidden || !list.at || (r->flags & MORPH)) {
        for (uint32_t i = 0; i < frames; i++)
            keys[i] = still;
    } else if (parted && (r->flags & SHORT_KEYS)) {
        read_short_keys(r, list.at, list.count, frames, keys);
    } else {
        for (uint32_t i = 0; i < frames; i++)
            keys[i] = long_key(r, list.at + 8 * (uint64_t)i);
    }
    return one;
}

static void read_name(reader *r, uint32_t index, char name[33]) {
    uint64_t at = r->flags & PARTS ? r->objects_at + 48 * (uint64_t)index : 1884 + 32 * (uint64_t)index;
    const uint8_t *bytes = bytes_at(r, at, 32);
    if (bytes)
        memcpy(name, bytes, 32);
    name[32] = 0;
}

/* The first face and the number of faces of an object with a texture; slot 0: without one. */
static void faces_of(reader *r, uint32_t object, uint32_t slot, uint32_t *first, uint32_t *count) {
    uint32_t at;
    if (!(r->flags & PARTS)) {
        uint64_t field = 16 * (uint64_t)object + 2 * (uint64_t)slot;
        *first = short_at(r, 4316 + field);
        *count = short_at(r, 5340 + field);
    } else if (lead(r, r->objects_at + 48 * (uint64_t)object + 40, &at)) {
        *first = short_at(r, at + 4 * (uint64_t)slot);
        *count = short_at(r, at + 4 * (uint64_t)slot + 2);
    } else {
        *first = *count = 0;
    }
}

static uint32_t material_of(reader *r, uint32_t object) {
    return r->flags & PARTS ? short_at(r, r->objects_at + 48 * (uint64_t)object + 32)
                            : short_at(r, 3932 + 2 * (uint64_t)object);
}

/* ---- the shape ----------------------------------------------------------------------------------- */

static void read_corners(reader *r, const mst_posed_object *parts, const mst_posed *shape,
                         mst_posed_corner *corners) {
    for (uint32_t i = 0; i < shape->object_count; i++) {
        uint32_t end = parts[i].first + parts[i].count;
        for (uint32_t k = parts[i].first; k < end && k < r->corners && !r->bad; k++) {
            uint64_t at = r->corners_at + CORNER * (uint64_t)k;
            double position[3], normal[3];
            for (unsigned c = 0; c < 3; c++) {
                position[c] = real_at(r, at + 4 * c);
                normal[c] = real_at(r, at + 12 + 4 * c);
            }
            if (!r->apart) {
                pose(parts, shape->object_count, i, position, false);
                pose(parts, shape->object_count, i, normal, true);
            }
            double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
            for (unsigned c = 0; c < 3; c++) {
                corners[k].position[c] = (float)position[c];
                corners[k].normal[c] = length > 0 ? (float)(normal[c] / length) : c == 2;
            }
            corners[k].texture[0] = real_at(r, at + 24);
            corners[k].texture[1] = real_at(r, at + 28);
        }
    }
}

static void add_face(reader *r, uint32_t face, uint32_t object, const mst_posed_object *one, int32_t texture,
                     mst_posed *shape, mst_posed_triangle *triangles) {
    mst_posed_triangle *to = &triangles[shape->triangle_count];
    for (unsigned c = 0; c < 3; c++) {
        uint32_t corner = short_at(r, r->faces_at + FACE * (uint64_t)face + 2 * c);
        if (corner >= one->count || one->first + corner >= r->corners)
            return; /* refers to a corner of another object */
        to->corners[c] = one->first + corner;
    }
    uint32_t material = material_of(r, object);
    to->object = (uint16_t)object;
    to->texture = (int16_t)texture;
    to->material = material < shape->material_count ? (int16_t)material : -1;
    shape->triangle_count++;
}

static void read_faces(reader *r, const mst_posed_object *parts, mst_posed *shape,
                       mst_posed_triangle *triangles) {
    for (uint32_t i = 0; i < shape->object_count && !r->bad; i++)
        for (uint32_t slot = 0; slot <= shape->texture_count && (r->apart || !parts[i].hidden) && !r->bad;
             slot++) {
            uint32_t first, count;
            faces_of(r, i, slot, &first, &count);
            for (uint32_t k = first; k < first + count && k < r->faces; k++)
                add_face(r, k, i, &parts[i], (int32_t)slot - 1, shape, triangles);
        }
}

/* A description without masks has the usual ones. */
static void read_masks(reader *r, uint64_t at, uint16_t masks[4]) {
    static const uint16_t usual[4] = {0xF800, 0x7E0, 0x1F, 0};
    for (unsigned c = 0; c < 4; c++)
        masks[c] = (uint16_t)number_at(r, at + 4 * c);
    if (!(masks[0] | masks[1] | masks[2]))
        memcpy(masks, usual, sizeof usual);
}

static mst_posed_alpha alpha_of(const mst_posed_texture *texture) {
    mst_posed_alpha alpha = MST_POSED_OPAQUE;
    size_t count = (size_t)texture->width * texture->height;
    for (size_t i = 0; texture->pixels && texture->masks[3] && i < count; i++) {
        unsigned bits = mst_load16(texture->pixels + 2 * i, false) & texture->masks[3];
        if (bits && bits != texture->masks[3])
            return MST_POSED_BLENDS;
        alpha = bits ? alpha : MST_POSED_HOLES;
    }
    return alpha;
}

static void read_textures(reader *r, mst_posed *shape, mst_posed_texture *textures) {
    bool parted = (r->flags & PARTS) != 0;
    for (uint32_t i = 0; i < r->textures && !r->bad; i++) {
        uint64_t at = r->textures_at + (parted ? 120 : 108) * (uint64_t)i;
        uint32_t pixels = 0, frames;
        mst_posed_texture one = {.width = number_at(r, at + 12), .height = number_at(r, at + 8)};
        bool found = lead(r, parted ? at + 108 : 1784 + 4 * (uint64_t)i, &frames) && lead(r, frames, &pixels);
        uint64_t size = 2 * (uint64_t)one.width * one.height;
        bool fits = found && one.width && one.height && one.width <= COUNT_MAX && one.height <= COUNT_MAX &&
                    pixels <= r->size && size <= r->size - pixels && number_at(r, at + 84) == 16;
        one.pixels = fits ? r->data + pixels : NULL;
        read_masks(r, at + 88, one.masks);
        one.alpha = alpha_of(&one);
        textures[shape->texture_count++] = one;
    }
}

static void read_materials(reader *r, float (*colors)[4]) {
    for (uint32_t i = 0; i < r->materials && !r->bad; i++)
        for (unsigned c = 0; c < 4; c++)
            colors[i][c] = real_at(r, r->materials_at + MATERIAL * (uint64_t)i + 4 + 4 * c);
}

/* Whether no corner and no face belongs to two objects, which bounds the work by the size of the file. */
static bool is_shared_out(reader *r, const mst_posed_object *parts) {
    uint64_t corners = 0, faces = 0;
    for (uint32_t i = 0; i < r->objects && !r->bad; i++) {
        corners += parts[i].count;
        for (uint32_t slot = 0; slot <= r->textures && !r->bad; slot++) {
            uint32_t first, count;
            faces_of(r, i, slot, &first, &count);
            faces += count;
        }
    }
    return !r->bad && corners <= r->corners && faces <= r->faces;
}

/* Whether the data can hold this many of each. */
static bool is_sound(const reader *r) {
    return !r->bad && r->textures <= TEXTURES_MAX && r->corners <= COUNT_MAX && r->faces <= COUNT_MAX &&
           r->objects <= COUNT_MAX && (uint64_t)r->corners * CORNER <= r->size &&
           (uint64_t)r->faces * FACE <= r->size && (uint64_t)r->objects * 32 <= r->size &&
           (uint64_t)r->textures * 108 <= r->size && (uint64_t)r->materials * MATERIAL <= r->size;
}

static mst_status read_all(reader *r, mst_arena *arena, mst_posed *shape) {
    mst_posed_corner *corners = mst_arena_zero(arena, r->corners, sizeof *corners);
    mst_posed_triangle *triangles = mst_arena_zero(arena, r->faces, sizeof *triangles);
    mst_posed_texture *textures = mst_arena_zero(arena, r->textures, sizeof *textures);
    float(*colors)[4] = mst_arena_zero(arena, r->materials, sizeof *colors);
    mst_posed_object *objects = mst_arena_zero(arena, r->objects, sizeof *objects);
    if (!corners || !triangles || !textures || !colors || !objects)
        return MST_NO_MEMORY;
    shape->object_count = r->objects;
    shape->material_count = r->materials;
    shape->corner_count = r->corners;
    for (uint32_t i = 0; i < r->objects && !r->bad; i++) {
        mst_posed_key first;
        objects[i] = read_object(r, i, 1, &first);
        objects[i].key = first;
        read_name(r, i, objects[i].name);
    }
    if (!is_shared_out(r, objects))
        return MST_UNSUPPORTED;
    read_corners(r, objects, shape, corners);
    read_textures(r, shape, textures);
    read_materials(r, colors);
    read_faces(r, objects, shape, triangles);
    shape->corners = corners;
    shape->triangles = triangles;
    shape->textures = textures;
    shape->colors = (const float(*)[4])colors;
    shape->objects = objects;
    return r->bad ? MST_UNSUPPORTED : MST_OK;
}

/* Finds the parts of a body; false: the body is not supported, or there is no such state. */
static bool begin(reader *r, const mst_imagery *imagery, uint32_t state) {
    *r = (reader){.imagery = imagery, .data = imagery->data, .size = imagery->data_size, .state = state};
    if (state >= imagery->state_count || r->size < NEW_BODY)
        return false;
    r->flags = number_at(r, 0);
    r->frames = mst_load16(imagery->header + 8 + MST_IMAGERY_STATE * (size_t)state + 42, false);
    bool parted = (r->flags & PARTS) != 0;
    if (!parted && (r->size < OLD_BODY || state >= 64))
        return false;
    return (parted ? open_new(r) : open_old(r)) && is_sound(r);
}

mst_status mst_posed_read(const mst_imagery *imagery, uint32_t state, mst_arena *arena, mst_posed *shape) {
    reader r;
    memset(shape, 0, sizeof *shape);
    return begin(&r, imagery, state) ? read_all(&r, arena, shape) : MST_UNSUPPORTED;
}

mst_status mst_posed_read_apart(const mst_imagery *imagery, uint32_t state, mst_arena *arena,
                                mst_posed *shape) {
    reader r;
    memset(shape, 0, sizeof *shape);
    bool begun = begin(&r, imagery, state);
    r.apart = true;
    return begun ? read_all(&r, arena, shape) : MST_UNSUPPORTED;
}

uint32_t mst_posed_frames(const mst_imagery *imagery, uint32_t state) {
    reader r;
    return begin(&r, imagery, state) && !(r.flags & MORPH) ? r.frames : 0;
}

bool mst_posed_track(const mst_imagery *imagery, uint32_t state, uint32_t object, uint32_t frames,
                     mst_posed_key *keys, mst_posed_object *track) {
    reader r;
    memset(track, 0, sizeof *track);
    if (!begin(&r, imagery, state) || object >= r.objects)
        return false;
    *track = read_object(&r, object, frames, keys);
    return !r.bad;
}

uint32_t mst_posed_shapes(const mst_imagery *imagery, uint32_t state) {
    reader r;
    return begin(&r, imagery, state) && (r.flags & MORPH) ? r.frames : 0;
}

bool mst_posed_shape_at(const mst_imagery *imagery, uint32_t state, uint32_t frame, uint32_t *place) {
    reader r;
    return begin(&r, imagery, state) && lead(&r, r.shapes_at + 4 * (uint64_t)frame, place);
}

bool mst_posed_shape_read(const mst_imagery *imagery, uint32_t place, const mst_posed *shape,
                          mst_posed_corner *corners) {
    reader r;
    if (!begin(&r, imagery, 0))
        return false;
    r.apart = true;
    r.corners_at = place;
    read_corners(&r, shape->objects, shape, corners);
    return !r.bad;
}

/* The bits of a pixel that a mask selects, and their maximum value. */
static unsigned channel_of(unsigned pixel, unsigned mask, unsigned *most) {
    pixel &= mask;
    for (; mask && !(mask & 1); mask >>= 1)
        pixel >>= 1;
    *most = mask;
    return pixel;
}

/* Colours are the upper bits of a byte, five at most, as in pictures. */
void mst_posed_color(const mst_posed_texture *texture, size_t at, uint8_t color[4]) {
    unsigned pixel = mst_load16(texture->pixels + 2 * at, false), most;
    for (unsigned c = 0; c < 3; c++) {
        unsigned value = channel_of(pixel, texture->masks[c], &most);
        for (; most > 31; most >>= 1)
            value >>= 1;
        for (; most && most < 128; most = most << 1 | 1)
            value <<= 1;
        color[c] = (uint8_t)value;
    }
    unsigned alpha = channel_of(pixel, texture->masks[3], &most);
    color[3] = (uint8_t)(most ? alpha * 255 / most : 255);
}
