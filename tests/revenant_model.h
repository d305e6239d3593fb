/* SPDX-License-Identifier: MIT */
/* A model of Revenant, written byte by byte from its description. */
#ifndef MST_TESTS_REVENANT_MODEL_H
#define MST_TESTS_REVENANT_MODEL_H

#include "revenant_image.h"

typedef struct model_plan {
    uint32_t flags;   /* in addition to the one for parts */
    uint32_t version; /* 0: 1 */
    bool short_body, icon, motion, tags;
} model_plan;

static inline void model_floats(writer *w, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        put_f32(w, (float)i + 0.5f);
}

/* Two states of 2 and 3 frames; an object with 3 vertices, one face, a texture of 2 x 1 pixels; a key for
 * each frame of its first state, and hidden in the second. */
static inline writer model_usual(const model_plan *plan) {
    image_source s;
    image_begin(&s);
    image_state(&s, "walk", 0, 2, 1, "\1\2");
    image_state(&s, "walk to stand", 0, 0, 0, NULL);
    mst_store16(s.header.data + 42, 2, false);
    mst_store16(s.header.data + 76 + 42, 3, false);
    uint32_t flags = plan->flags | 16, version = plan->version ? plan->version : 1;
    bool morph = flags & 1, shorter = flags & 128;
    writer *w = &s.data;
    w->size = 0;
    put_u32(w, flags), put_u32(w, version), put_u32(w, 0);
    put_u32(w, 3), put_u32(w, 0);
    put_u32(w, 1), put_u32(w, 0);
    put_u32(w, 1), put_u32(w, 0);
    put_u32(w, 1), put_u32(w, 0);
    put_u32(w, 1), put_u32(w, 0);
    if (!plan->short_body)
        put_u32(w, plan->tags ? 1 : 0), put_u32(w, 0);
    uint32_t states = (uint32_t)w->size;
    image_lead(w, 8, states);
    for (unsigned i = 0; i < 2; i++) {
        put_u32(w, plan->icon && !i ? 5 : 0);
        image_zeros(w, version == 2 ? 76 : 12);
    }
    uint32_t state_size = version == 2 ? 80 : 16;
    image_lead(w, 48, w->size);
    uint32_t object = (uint32_t)w->size;
    char name[32] = "box01";
    put_bytes_of(w, name, sizeof name);
    put_u16(w, 0), put_u16(w, 0), put_u16(w, 3), put_u16(w, 0), put_u32(w, 0), put_u32(w, 0);
    image_lead(w, object + 40, w->size);
    put_u16(w, 0), put_u16(w, 0), put_u16(w, 0), put_u16(w, 1);
    image_lead(w, object + 44, w->size);
    uint32_t object_states = (uint32_t)w->size;
    for (unsigned i = 0; i < 2; i++) {
        put_u32(w, UINT32_MAX);
        if (shorter)
            put_u32(w, i ? 0 : 2);
        put_u32(w, 0);
    }
    image_lead(w, 16, w->size);
    uint32_t vertex_states = (uint32_t)w->size;
    image_zeros(w, morph ? 8 : 4);
    for (unsigned i = 0; i < (morph ? 2u : 1u); i++) {
        uint32_t frames = (uint32_t)w->size, count = morph ? 2 + i : 1;
        image_lead(w, vertex_states + 4 * i, frames);
        image_zeros(w, 4 * count);
        for (unsigned k = 0; k < count; k++) {
            image_lead(w, frames + 4 * k, w->size);
            model_floats(w, 24);
        }
    }
    image_lead(w, 24, w->size);
    put_u16(w, 0), put_u16(w, 1), put_u16(w, 2);
    if (plan->motion) {
        image_lead(w, states + 12, w->size);
        for (unsigned i = 0; i < (flags & 64 ? 4u : 2u); i++)
            put_u32(w, 0x01020304 + i);
    }
    image_align(w);
    image_lead(w, object_states + (shorter ? 8 : 4), w->size);
    for (unsigned i = 0; i < 2; i++)
        shorter ? put_u32(w, 1 + i) : put_u64(w, 0x800800800 + i);
    image_lead(w, 32, w->size);
    put_u32(w, 80);
    model_floats(w, 17);
    put_u32(w, 1), put_u32(w, 0);
    image_lead(w, 40, w->size);
    uint32_t texture = (uint32_t)w->size;
    put_u32(w, 108), put_u32(w, 0x1007), put_u32(w, 1), put_u32(w, 2);
    image_zeros(w, 68);
    put_u32(w, 16), put_u32(w, 0xF800), put_u32(w, 0x7E0), put_u32(w, 0x1F), put_u32(w, 0), put_u32(w, 0);
    put_u32(w, 4), put_u32(w, 0), put_u32(w, 1);
    image_zeros(w, 0);
    image_set(w, texture + 116, 1);
    image_lead(w, texture + 108, w->size);
    put_u32(w, 4);
    put_u16(w, 0xF800), put_u16(w, 0x1F);
    if (plan->tags) {
        image_lead(w, 56, w->size);
        uint32_t tag = (uint32_t)w->size;
        put_u32(w, 0), put_u32(w, 1), put_u32(w, 0), put_u32(w, 0);
        if (version == 3) {
            image_lead(w, tag + 8, w->size);
            put_bytes_of(w, "play", 5);
            image_lead(w, tag + 12, w->size);
            put_bytes_of(w, "step", 5);
        } else {
            image_zeros(w, 44 - 16);
        }
    }
    if (plan->icon) {
        image_align(w);
        image_lead(w, states + 4, w->size);
        put_bytes_of(w, "image", 5);
    }
    (void)state_size;
    writer made = image_finish(&s);
    made.data[20] = 1;
    return made;
}

#endif
