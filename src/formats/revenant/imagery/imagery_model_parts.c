/* SPDX-License-Identifier: MIT */
/* Finding the parts of a model by its offsets. */
#include "../../../core/unreachable.h"
#include "imagery_model.h"
#include <stdlib.h>

#define OLD_FIELDS                                                                                           \
    {MST_OLD_VERTICES, 64}, {MST_OLD_FACES, 1}, {MST_OLD_PIXELS, 8}, {MST_OLD_PALETTES, 8},                  \
        {MST_OLD_MOTION, 64}, {                                                                              \
        MST_OLD_KEYS, 64                                                                                     \
    }
const mst_model_kind mst_model_kinds[MST_MODEL_KINDS] = {
    [MST_MODEL_BODY] = {60, 7, {{8, 1}, {16, 1}, {24, 1}, {32, 1}, {40, 1}, {48, 1}, {56, 1}}},
    [MST_MODEL_SHORT_BODY] = {52, 6, {{8, 1}, {16, 1}, {24, 1}, {32, 1}, {40, 1}, {48, 1}}},
    [MST_MODEL_STATES] = {16, 1, {{4, 3}}},
    [MST_MODEL_NAMED_STATES] = {80, 1, {{4, 3}}},
    [MST_MODEL_ICON] = {.size = 1},
    [MST_MODEL_MOTION] = {.size = 4},
    [MST_MODEL_ROOT_MOTION] = {.size = 8},
    [MST_MODEL_FACING_MOTION] = {.size = 4},
    [MST_MODEL_VERTEX_STATES] = {4, 1, {{0, 1}}},
    [MST_MODEL_VERTEX_FRAMES] = {4, 1, {{0, 1}}},
    [MST_MODEL_VERTICES] = {.size = 32},
    [MST_MODEL_FACES] = {.size = 6},
    [MST_MODEL_MATERIALS] = {.size = 80},
    [MST_MODEL_TEXTURES] = {120, 1, {{108, 2}}},
    [MST_MODEL_TEXTURE_FRAMES] = {4, 1, {{0, 1}}},
    [MST_MODEL_PIXELS] = {.size = 1},
    [MST_MODEL_OBJECTS] = {48, 1, {{40, 2}}},
    [MST_MODEL_OBJECT_FACES] = {.size = 4},
    [MST_MODEL_OBJECT_STATES] = {12, 1, {{8, 1}}},
    [MST_MODEL_OBJECT_LONG_STATES] = {8, 1, {{4, 1}}},
    [MST_MODEL_KEYS] = {.size = 4},
    [MST_MODEL_LONG_KEYS] = {.size = 8},
    [MST_MODEL_TAGS] = {16, 1, {{8, 2}}},
    [MST_MODEL_SOUND_TAGS] = {.size = 44},
    [MST_MODEL_TEXT] = {.size = 1},
    [MST_MODEL_OLD_BODY] = {MST_OLD_END, 8, {OLD_FIELDS, {MST_OLD_ICONS, 64}, {MST_OLD_PARENTS, 64}}},
    [MST_MODEL_OLDER_BODY] = {MST_OLD_PARENTS, 7, {OLD_FIELDS, {MST_OLD_ICONS, 64}}},
    [MST_MODEL_OLDEST_BODY] = {MST_OLD_ICONS, 6, {OLD_FIELDS}},
    [MST_MODEL_ICONS] = {12, 1, {{4, 2}}},
    [MST_MODEL_PARENTS] = {.size = 1},
};

typedef struct explorer {
    const mst_imagery *imagery;
    const uint8_t *data;
    uint32_t size, flags, version, vertices, textures;
    mst_model_parts *parts;
    bool odd; /* it does not consist of parts */
} explorer;

static uint32_t number_at(const explorer *f, uint32_t at) {
    return mst_load32(f->data + at, false);
}

/* The frames of a state. */
static uint32_t frames_of(const explorer *f, uint32_t state) {
    const uint8_t *frames = f->imagery->header + 8 + MST_IMAGERY_STATE * (size_t)state + 42;
    return mst_load16(frames, false);
}

/* Records the part that an offset field points to. */
static void note(explorer *f, uint32_t field, unsigned kind, uint32_t count, uint32_t of) {
    uint32_t target = mst_imagery_target(f->data, f->size, field);
    uint64_t size = (uint64_t)mst_model_kinds[kind].size * count;
    if (f->odd || target == MST_IMAGERY_NONE)
        return;
    /* each is found by a field of four bytes: with more parts, some are found repeatedly */
    f->odd = count > INT32_MAX || !mst_fits(target, size, f->size) || f->parts->items.count > f->size / 4 ||
             target != field + number_at(f, field); /* it points past the end */
    if (f->odd)
        return;
    mst_model_part *part = mst_array_push(&f->parts->items, 1);
    if (!part) {
        f->parts->status = MST_NO_MEMORY;
        f->odd = true;
        return;
    }
    *part = (mst_model_part){.at = target,
                             .size = (uint32_t)size,
                             .count = count,
                             .of = of,
                             .field = field,
                             .kind = (uint8_t)kind};
}

/* Records a text, including its NUL. */
static void note_text(explorer *f, uint32_t field) {
    uint32_t target = mst_imagery_target(f->data, f->size, field);
    if (target == MST_IMAGERY_NONE)
        return;
    const uint8_t *nul = target < f->size ? memchr(f->data + target, 0, f->size - target) : NULL;
    if (nul)
        note(f, field, MST_MODEL_TEXT, (uint32_t)(nul - f->data) - target + 1, 0);
    else
        f->odd = true;
}

static void note_icon(explorer *f, uint32_t at) {
    note(f, at + 4, MST_MODEL_ICON, number_at(f, at), 0);
    f->odd = f->odd || number_at(f, at + 8); /* no known file has an animation */
}

static unsigned motion_of(const explorer *f) {
    return f->flags & MST_MODEL_MOVES_ROOT     ? MST_MODEL_ROOT_MOTION
           : f->flags & MST_MODEL_FACES_MOTION ? MST_MODEL_FACING_MOTION
                                               : MST_MODEL_MOTION;
}

static void note_state(explorer *f, uint32_t at, uint32_t state) {
    note_icon(f, at);
    note(f, at + 12, motion_of(f), frames_of(f, state), 0);
}

/* Records a texture: its description, and the fields that point to the pixels and a palette, and count its
 * frames. */
static void note_texture(explorer *f, uint32_t at, uint32_t frames, uint32_t palette, uint32_t count) {
    uint64_t pixels = (uint64_t)number_at(f, at + 8) * number_at(f, at + 12); /* of two bytes */
    f->odd = f->odd || number_at(f, palette) || pixels > INT32_MAX / 2;
    note(f, frames, MST_MODEL_TEXTURE_FRAMES, number_at(f, count), 2 * (uint32_t)pixels);
}

static void note_object(explorer *f, uint32_t at) {
    bool shorter = (f->flags & MST_MODEL_SHORT_KEYS) != 0;
    note(f, at + 40, MST_MODEL_OBJECT_FACES, f->textures + 1, 0);
    note(f, at + 44, shorter ? MST_MODEL_OBJECT_STATES : MST_MODEL_OBJECT_LONG_STATES,
         f->imagery->state_count, 0);
}

/* Records the parts that an element of a part points to. */
static void follow(explorer *f, const mst_model_part *part, uint32_t i) {
    uint32_t at = part->at + mst_model_kinds[part->kind].size * i, morph = f->flags & MST_MODEL_MORPHS;
    switch (part->kind) {
    case MST_MODEL_STATES:
    case MST_MODEL_NAMED_STATES: note_state(f, at, i); break;
    case MST_MODEL_VERTEX_STATES: note(f, at, MST_MODEL_VERTEX_FRAMES, morph ? frames_of(f, i) : 1, 0); break;
    case MST_MODEL_VERTEX_FRAMES: note(f, at, MST_MODEL_VERTICES, f->vertices, 0); break;
    case MST_MODEL_TEXTURES: note_texture(f, at, at + 108, at + 112, at + 116); break;
    case MST_MODEL_TEXTURE_FRAMES: note(f, at, MST_MODEL_PIXELS, part->of, 0); break;
    case MST_MODEL_OBJECTS: note_object(f, at); break;
    case MST_MODEL_OBJECT_STATES: note(f, at + 8, MST_MODEL_KEYS, number_at(f, at + 4), 0); break;
    case MST_MODEL_OBJECT_LONG_STATES: note(f, at + 4, MST_MODEL_LONG_KEYS, frames_of(f, i), 0); break;
    case MST_MODEL_ICONS: note_icon(f, at); break;
    case MST_MODEL_TAGS:
        note_text(f, at + 8);
        note_text(f, at + 12);
        break;
    default: break; /* they have no offsets */
    }
}

static void follow_body(explorer *f, bool tags) {
    uint32_t states = f->imagery->state_count;
    note(f, 8, f->version == 2 ? MST_MODEL_NAMED_STATES : MST_MODEL_STATES, states, 0);
    note(f, 16, MST_MODEL_VERTEX_STATES, f->flags & MST_MODEL_MORPHS ? states : 1, 0);
    note(f, 24, MST_MODEL_FACES, number_at(f, 20), 0);
    note(f, 32, MST_MODEL_MATERIALS, number_at(f, 28), 0);
    note(f, 40, MST_MODEL_TEXTURES, f->textures, 0);
    note(f, 48, MST_MODEL_OBJECTS, number_at(f, 44), 0);
    if (tags)
        note(f, 56, f->version == 3 ? MST_MODEL_TAGS : MST_MODEL_SOUND_TAGS, number_at(f, 52), 0);
}

/* ---- bodies of the old kind ---------------------------------------------------------------------- */

/* Requires zeros in a list of `count` offsets after the first `used`. */
static void need_none(explorer *f, uint32_t list, uint32_t used, uint32_t count) {
    for (uint32_t i = used; i < count && !f->odd; i++)
        f->odd = number_at(f, list + 4 * i) != 0;
}

static void follow_old_states(explorer *f, unsigned body, uint32_t states, uint32_t objects) {
    bool morphs = (f->flags & MST_MODEL_MORPHS) != 0;
    bool icons = (f->flags & MST_MODEL_HAS_ICONS) && body != MST_MODEL_OLDEST_BODY;
    for (uint32_t i = 0; i < states && !f->odd; i++) {
        uint64_t keys = (uint64_t)frames_of(f, i) * objects;
        note(f, MST_OLD_VERTICES + 4 * i, MST_MODEL_VERTEX_FRAMES, morphs ? frames_of(f, i) : 1, 0);
        note(f, MST_OLD_MOTION + 4 * i, motion_of(f), frames_of(f, i), 0);
        note(f, MST_OLD_KEYS + 4 * i, MST_MODEL_LONG_KEYS, (uint32_t)keys, 0);
        if (icons)
            note(f, MST_OLD_ICONS + 4 * i, MST_MODEL_ICONS, 1, 0);
    }
    need_none(f, MST_OLD_VERTICES, states, MST_OLD_OBJECTS_MAX);
    need_none(f, MST_OLD_MOTION, states, MST_OLD_OBJECTS_MAX);
    need_none(f, MST_OLD_KEYS, states, MST_OLD_OBJECTS_MAX);
    if (body != MST_MODEL_OLDEST_BODY)
        need_none(f, MST_OLD_ICONS, icons ? states : 0, MST_OLD_OBJECTS_MAX);
}

static void follow_old_body(explorer *f, unsigned body) {
    uint32_t states = f->imagery->state_count, objects = number_at(f, MST_OLD_OBJECT_COUNT);
    bool hangs = (f->flags & MST_MODEL_HIERARCHY) && body == MST_MODEL_OLD_BODY;
    f->odd = states > MST_OLD_OBJECTS_MAX || objects > MST_OLD_OBJECTS_MAX ||
             f->textures > MST_OLD_TEXTURES_MAX ||
             number_at(f, MST_OLD_MATERIAL_COUNT) > MST_OLD_TEXTURES_MAX;
    note(f, MST_OLD_FACES, MST_MODEL_FACES, number_at(f, MST_OLD_FACE_COUNT), 0);
    for (uint32_t i = 0; i < f->textures && !f->odd; i++)
        note_texture(f, MST_OLD_TEXTURES + MST_OLD_TEXTURE * i, MST_OLD_PIXELS + 4 * i,
                     MST_OLD_PALETTES + 4 * i, MST_OLD_FRAME_COUNTS + 4 * i);
    need_none(f, MST_OLD_PIXELS, f->textures, MST_OLD_TEXTURES_MAX);
    need_none(f, MST_OLD_PALETTES, 0, MST_OLD_TEXTURES_MAX);
    follow_old_states(f, body, states, objects);
    for (uint32_t i = 0; i < objects && hangs && !f->odd;
         i++) /* the tool reserved four times as many as it used */
        note(f, MST_OLD_PARENTS + 4 * i, MST_MODEL_PARENTS, 4 * states, 0);
    if (body == MST_MODEL_OLD_BODY)
        need_none(f, MST_OLD_PARENTS, hangs ? objects : 0, MST_OLD_OBJECTS_MAX);
}

/* The beginning of the first part after the body; offsets that point outside of the data are found later. */
static uint32_t end_of_old_body(const explorer *f) {
    const mst_model_kind *kind = &mst_model_kinds[MST_MODEL_OLDEST_BODY];
    uint32_t end = f->size;
    for (unsigned i = 0; i < kind->runs; i++)
        for (uint32_t k = 0; k < kind->fields[i].count; k++) {
            uint32_t target = mst_imagery_target(f->data, f->size, kind->fields[i].at + 4 * k);
            end = target < end ? target : end;
        }
    return end;
}

static unsigned old_body(const explorer *f) {
    uint32_t end = end_of_old_body(f);
    return end < MST_OLD_PARENTS ? MST_MODEL_OLDEST_BODY
           : end < MST_OLD_END   ? MST_MODEL_OLDER_BODY
                                 : MST_MODEL_OLD_BODY;
}

/* ---- all parts ----------------------------------------------------------------------------------- */

int mst_model_by_place(const void *a, const void *b) {
    const mst_model_part *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    if (left->size != right->size)
        return left->size < right->size ? -1 : 1;
    return (int)left->kind - (int)right->kind;
}

static int by_field(const void *a, const void *b) {
    const mst_model_part *left = a, *right = b;
    return (left->field > right->field) - (left->field < right->field);
}

/* Sorts the parts and removes duplicates; false if any overlap. */
static bool settle(mst_model_parts *parts) {
    mst_array *list = &parts->items;
    mst_model_part *items = list->items, *links = mst_array_push(&parts->links, list->count);
    size_t kept = 1;
    if (!links) {
        parts->status = MST_NO_MEMORY;
        return false;
    }
    memcpy(links, items, list->count * sizeof *items);
    qsort(links, list->count, sizeof *links, by_field);
    qsort(items, list->count, sizeof *items, mst_model_by_place);
    for (size_t i = 1; i < list->count; i++)
        if (mst_model_by_place(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    list->count = kept;
    for (size_t i = 1; i < kept; i++)
        if (items[i].at - items[i - 1].at < items[i - 1].size)
            return false;
    return items[0].field == UINT32_MAX; /* the body */
}

/* The first part; -1: none. */
static int body_of(explorer *f) {
    if (f->size < mst_model_kinds[MST_MODEL_BODY].size)
        return -1;
    f->flags = number_at(f, 0);
    if (!(f->flags & MST_MODEL_HAS_PARTS)) {
        if (f->size < MST_OLD_ICONS)
            return -1;
        f->vertices = number_at(f, MST_OLD_VERTEX_COUNT);
        f->textures = number_at(f, MST_OLD_TEXTURE_COUNT);
        return (int)old_body(f);
    }
    f->version = number_at(f, 4);
    f->vertices = number_at(f, 12);
    f->textures = number_at(f, 36);
    bool tags = mst_imagery_target(f->data, f->size, 8) != 52; /* the states follow the body immediately */
    return f->version < 1 || f->version > 3 || f->textures > INT32_MAX ? -1
           : tags                                                      ? MST_MODEL_BODY
                                                                       : MST_MODEL_SHORT_BODY;
}

bool mst_model_is_third_kind(const uint8_t *data, size_t size, uint32_t *version) {
    bool parts = size >= 8 && (mst_load32(data, false) & MST_MODEL_HAS_PARTS);
    *version = parts ? mst_load32(data + 4, false) : 0;
    return parts && (*version < 1 || *version > 3);
}

bool mst_model_find_parts(const mst_imagery *imagery, const mst_allocator *allocator,
                          mst_model_parts *parts) {
    explorer f = {.imagery = imagery, .data = imagery->data, .size = imagery->data_size, .parts = parts};
    parts->items = (mst_array){.element_size = sizeof(mst_model_part), .allocator = *allocator};
    parts->links = parts->items;
    parts->status = MST_OK;
    int kind = body_of(&f);
    if (kind < 0)
        return false;
    mst_model_part *body = mst_array_push(&parts->items, 1);
    if (!body) {
        parts->status = MST_NO_MEMORY;
        return false;
    }
    *body = (mst_model_part){
        .size = mst_model_kinds[kind].size, .count = 1, .kind = (uint8_t)kind, .field = UINT32_MAX};
    if (f.flags & MST_MODEL_HAS_PARTS)
        follow_body(&f, kind == MST_MODEL_BODY);
    else
        follow_old_body(&f, (unsigned)kind);
    for (size_t i = 1; i < parts->items.count && !f.odd; i++) {
        const mst_model_part part = ((const mst_model_part *)parts->items.items)[i];
        for (uint32_t k = 0; k < part.count && !f.odd && mst_model_kinds[part.kind].runs; k++)
            follow(&f, &part, k);
    }
    return !f.odd && settle(parts);
}

uint32_t mst_model_target(const mst_model_parts *parts, uint32_t field) {
    const mst_model_part wanted = {.field = field}, *found;
    found = bsearch(&wanted, parts->links.items, parts->links.count, sizeof wanted, by_field);
    if (!found)
        return MST_IMAGERY_NONE;
    const mst_model_part *items = parts->items.items;
    const mst_model_part *part = bsearch(found, items, parts->items.count, sizeof *items, mst_model_by_place);
    return MST_UNREACHABLE(!part) ? MST_IMAGERY_NONE : (uint32_t)(part - items); /* links are parts */
}
