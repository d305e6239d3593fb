/* SPDX-License-Identifier: MIT */
/*
 * Sectors as the game shows them: every object is the picture of its type and state, at its place in the
 * game's projection. Sources: the behaviour of the published engine, and a picture of the running game, with
 * which the result agrees.
 */
#include "../../core/diagnose.h"
#include "../../core/hash.h"
#include "../../read/binding.h"
#include "imagery/stills.h"
#include "revenant.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR     1024 /* units */
#define INVISIBLE  0x80u
#define EDITOR     0x100u
#define MIRRORED   0x200u
#define SELECTED   0x400u /* in the editor */
#define DEPTH_BASE 47359

#define SCALE(number)                                                                                        \
    ((number)*867 / 1000) /* a unit of height on the screen, about the sine of 60 degrees                    \
                           */

typedef struct bound_object {
    mst_value class_value, name;
    uint32_t id, flags;
    int32_t position[3];
    int32_t state;
    uint8_t facing;
} bound_object;
static const mst_binding object_items[] = {
    MST_BINDING(bound_object, class_value, "class"), MST_BINDING(bound_object, name, "name"),
    MST_BINDING(bound_object, id, "unique_id"),      MST_BINDING(bound_object, flags, "flags"),
    MST_BINDING(bound_object, position, "position"), MST_BINDING(bound_object, state, "state"),
    MST_BINDING(bound_object, facing, "facing"),     MST_BINDING(bound_object, facing, "rotation_z")};
const mst_bindings mst_revenant_shown_bindings = MST_BINDINGS(bound_object, "object", object_items);

/* A model, drawn in a state and a direction. */
typedef struct drawn {
    uint32_t state;
    uint8_t facing;
    mst_still still;
} drawn;

/* A file of imagery that was looked up. */
typedef struct file {
    const char *path; /* as in class.def */
    uint64_t hash;    /* of the path in lower case */
    mst_stills stills;
    const char *name; /* this and the rest: of a model; its bytes are the resolver's */
    const void *bytes;
    size_t size;
    mst_array views; /* drawn */
} file;

typedef struct work {
    mst_sprites_builder builder;
    const mst_sprites_options *options;
    mst_arena scratch;
    mst_revenant_classes classes;
    int32_t *file_of_type; /* index; -1: not yet looked up */
    mst_array files;
    const mst_resolver *sidecars;
    mst_revenant_place place;
    bool has_place;
    const char *file_name; /* of the sector */
    size_t missing, models;
    size_t untyped; /* objects whose type is not in class.def, including invisible ones */
    size_t untyped_missing;
    mst_status status; /* of the report */
} work;

/* ---- imagery ------------------------------------------------------------------------------------- */

static void report(work *w, const char *path, const char *message) {
    mst_diagnostic finding = {.status = MST_OK, .severity = MST_INFORMATION, .code = "REV-IMAGE-MISSING"};
    if (!w->options || !w->options->report || w->status != MST_OK)
        return;
    snprintf(finding.path, sizeof finding.path, "%s", path);
    snprintf(finding.message, sizeof finding.message, "%s", message);
    w->status = w->options->report(w->options->user, &finding);
}

/* Reports unknown types: class.def is another game's, or the objects are a mod's without the mod. */
static void report_untyped(work *w) {
    mst_diagnostic finding = {.status = MST_OK, .severity = MST_INFORMATION, .path = "class.def"};
    if (!w->untyped || !w->options || !w->options->report || w->status != MST_OK)
        return;
    snprintf(finding.message, sizeof finding.message, "it does not have the type%s of %zu object%s",
             w->untyped == 1 ? "" : "s", w->untyped, w->untyped == 1 ? "" : "s");
    w->status = w->options->report(w->options->user, &finding);
}

static void read_file(work *w, file *one) {
    char place[sizeof((mst_diagnostic *)0)->path];
    const void *bytes = NULL;
    size_t size = 0;
    mst_diagnostic why;
    mst_revenant_imagery_place(one->path, place, sizeof place);
    mst_status status = w->sidecars->find(w->sidecars->user, place, &bytes, &size);
    if (status == MST_NO_MEMORY)
        w->builder.status = status;
    if (status != MST_OK) {
        one->stills.kind = MST_STILLS_DAMAGED;
        report(w, place, "the file of a picture or model is missing");
        return;
    }
    mst_sprites_read(&w->builder, w->options, size);
    one->name = mst_sprites_text(&w->builder, place);
    one->bytes = bytes;
    one->size = size;
    mst_stills_read(&w->builder, &w->scratch, one->name, bytes, size, &one->stills, &why);
    if (one->stills.kind == MST_STILLS_DAMAGED)
        report(w, place, why.message);
}

/* The imagery of a type; NULL: no memory. */
static file *file_of(work *w, const mst_revenant_type *type) {
    int32_t *index = &w->file_of_type[type - w->classes.types];
    file *files = w->files.items;
    if (*index >= 0)
        return &files[*index];
    uint64_t hash = mst_hash_letters(MST_HASH, type->imagery);
    for (size_t i = 0; i < w->files.count && *index < 0; i++)
        if (files[i].hash == hash)
            *index = (int32_t)i;
    if (*index >= 0)
        return &files[*index];
    file *added = mst_array_push(&w->files, 1);
    if (!added) {
        w->builder.status = MST_NO_MEMORY;
        return NULL;
    }
    *added = (file){.path = type->imagery,
                    .hash = hash,
                    .views = {.element_size = sizeof(drawn), .allocator = w->files.allocator}};
    read_file(w, added);
    *index = (int32_t)w->files.count - 1;
    return added;
}

/* The picture of a model in a state and a direction. */
static mst_still view_of(work *w, file *model, uint32_t state, uint8_t facing) {
    const drawn *known = model->views.items;
    for (size_t i = 0; i < model->views.count; i++)
        if (known[i].state == state && known[i].facing == facing)
            return known[i].still;
    mst_still still = mst_model_still(&w->builder, model->name, model->bytes, model->size, state, facing);
    drawn *added = mst_array_push(&model->views, 1);
    if (added)
        *added = (drawn){state, facing, still};
    else
        w->builder.status = MST_NO_MEMORY;
    return still;
}

/* The picture of an object of a type; `image` UINT32_MAX: none. Models of effects are not bodies: the game
 * plays a part of their texture at a time. */
static mst_still still_of(work *w, const mst_revenant_type *type, const bound_object *o,
                          int32_t class_number) {
    const mst_still nothing = {.image = UINT32_MAX};
    file *imagery = type && *type->imagery ? file_of(w, type) : NULL;
    if (!imagery || imagery->stills.kind == MST_STILLS_DAMAGED) {
        w->missing++;
        w->untyped_missing += !type;
        return nothing;
    }
    if (imagery->stills.kind == MST_STILLS_PICTURES)
        return o->state >= 0 && (uint32_t)o->state < imagery->stills.count ? imagery->stills.states[o->state]
                                                                           : nothing;
    mst_still still = nothing;
    bool models = !(w->options && w->options->no_models) && class_number != MST_REVENANT_EFFECT;
    if (models && o->state >= 0)
        still = view_of(w, imagery, (uint32_t)o->state, o->facing);
    w->models += still.image == UINT32_MAX;
    return still;
}

/* ---- objects ------------------------------------------------------------------------------------- */

static int64_t absolute(const work *w, int32_t position, int32_t sector) {
    return w->has_place ? ((uint32_t)position & (SECTOR - 1)) + (int64_t)sector * SECTOR : position;
}

static int32_t limited(int64_t number) {
    const int64_t far_off = 1 << 30; /* so that no sum of two overflows */
    return (int32_t)(number < -far_off ? -far_off : number > far_off ? far_off : number);
}

/* The position of an object in the game's picture, and its depth. */
typedef struct spot {
    int64_t x, y, depth;
} spot;

static spot spot_of(const work *w, const int32_t position[3]) {
    int64_t x = absolute(w, position[0], w->place.x), y = absolute(w, position[1], w->place.y);
    int64_t z = position[2];
    return (spot){x - y, (x + y) / 2 - SCALE(z), DEPTH_BASE - z / 2 - SCALE(x + y)};
}

static void add_sprite(work *w, const bound_object *o, int32_t class_number, const mst_revenant_type *type,
                       spot at, uint32_t index) {
    const mst_still still = still_of(w, type, o, class_number);
    if (still.image == UINT32_MAX || (!still.lit && !still.unlit) ||
        ((o->flags & SELECTED) && !still.selected))
        return;
    const mst_sprite sprite = {.image = still.image,
                               .left = limited(at.x - still.x),
                               .top = limited(at.y - still.y),
                               .depth = limited(at.depth - still.z),
                               .mirrored = (o->flags & MIRRORED) != 0,
                               .lit = !still.unlit,
                               .flat = still.flat,
                               .name = type->name,
                               .source = {w->file_name, "objects", index}};
    mst_sprites_add(&w->builder, &sprite);
}

/* Adds labels for exits and people, whose names belong on a map. */
static void add_label(work *w, const bound_object *o, int32_t class_number, const mst_revenant_type *type,
                      spot at, uint32_t index) {
    char text[64] = "";
    bool person = class_number == MST_REVENANT_CHARACTER;
    if (!person && class_number != MST_REVENANT_EXIT)
        return;
    if (!mst_is_void(&o->name))
        mst_get_text(&o->name, text, sizeof text, NULL);
    const char *label = *text ? text : person && type ? type->name : "";
    const mst_sprite_label one = {.text = mst_sprites_text(&w->builder, label),
                                  .class_name = mst_revenant_class_name((uint32_t)class_number),
                                  .x = limited(at.x),
                                  .y = limited(at.y),
                                  .source = {w->file_name, "objects", index}};
    if (*label)
        mst_sprites_add_label(&w->builder, &one);
}

static void add_object(work *w, const mst_document *document, const bound_object *o, uint32_t index) {
    int64_t stored = -1;
    if (!mst_is_void(&o->class_value))
        mst_get_integer(&o->class_value, &stored);
    if (stored < 0) /* an empty slot */
        return;
    const mst_revenant_type *type = mst_revenant_type_of(&w->classes, o->id);
    w->untyped += !type;
    spot at = spot_of(w, o->position);
    int32_t class_number = mst_revenant_class_of(document, (int32_t)stored);
    if (!(o->flags & (INVISIBLE | EDITOR)))
        add_sprite(w, o, class_number, type, at, index);
    add_label(w, o, class_number, type, at, index);
}

static void add_sector(work *w, const mst_document *document) {
    mst_value root = mst_root(document), objects, record;
    mst_bound bound;
    int32_t *carriers = NULL;
    uint64_t count = 0;
    uint32_t index = 0;
    if (document->variant.version == 0 || mst_member(&root, "objects", &objects) != MST_OK)
        return; /* types of version 0 are not in class.def */
    w->has_place = mst_revenant_place_of(mst_document_name(document), &w->place);
    w->file_name = mst_sprites_text(&w->builder, mst_document_name(document));
    mst_arena scratch;
    mst_arena_begin(&scratch, &document->allocator, 0);
    if (document->variant.version < 3 &&
        mst_revenant_carriers(&objects, &scratch, &carriers, &count) != MST_OK)
        w->builder.status = MST_NO_MEMORY;
    mst_bind(document, &mst_revenant_shown_bindings, &bound);
    for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &record) && w->builder.status == MST_OK;
         index++) {
        bound_object o = {0};
        mst_fill(&bound, &record, &o);
        bool carried = carriers && index < count && carriers[index] >= 0;
        if (!carried)
            add_object(w, document, &o, index);
    }
    mst_arena_end(&scratch);
}

/* ---- levels -------------------------------------------------------------------------------------- */

/* Sectors row by row; sectors without a place are last, in their order. */
typedef struct sector {
    const mst_document *document;
    int64_t row, column;
    size_t index;
} sector;

static int by_place(const void *left, const void *right) {
    const sector *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static sector *sectors_in_order(work *w, const mst_document *const *documents, size_t count) {
    sector *sectors = mst_arena_take(&w->scratch, count, sizeof *sectors);
    for (size_t i = 0; i < count && sectors; i++) {
        mst_revenant_place place;
        bool placed = mst_revenant_place_of(mst_document_name(documents[i]), &place);
        sectors[i] = (sector){documents[i], placed ? place.y : INT64_MAX, placed ? place.x : INT64_MAX, i};
    }
    if (sectors)
        qsort(sectors, count, sizeof *sectors, by_place);
    return sectors;
}

static mst_status read_classes(work *w, mst_diagnostic *diagnostic) {
    const void *text;
    size_t size;
    if (!w->sidecars || !w->sidecars->find ||
        w->sidecars->find(w->sidecars->user, "class.def", &text, &size) != MST_OK)
        return mst_fail(diagnostic, MST_NO_PATH,
                        "class.def, which gives the objects' looks, was not found in the level's directory");
    mst_sprites_read(&w->builder, w->options, size);
    mst_arena *arena = &w->builder.owner->arena; /* sprites keep the names of types */
    mst_status status = mst_revenant_read_classes(text, size, arena, &w->classes, NULL, NULL);
    if (status == MST_OK)
        w->file_of_type = mst_arena_take(&w->scratch, w->classes.type_count, sizeof *w->file_of_type);
    if (!w->file_of_type)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for class.def");
    for (uint32_t i = 0; i < w->classes.type_count; i++)
        w->file_of_type[i] = -1;
    return MST_OK;
}

mst_status mst_revenant_sprites(const mst_document *const *documents, size_t count,
                                const mst_sprites_options *options, mst_sprites **sprites,
                                mst_diagnostic *diagnostic) {
    work w = {.options = options, .sidecars = options ? options->sidecars : NULL};
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += documents[i]->size;
    mst_status status = mst_sprites_begin(&w.builder, options, total, diagnostic);
    if (status != MST_OK)
        return status;
    const mst_allocator *allocator = &w.builder.owner->arena.allocator;
    mst_arena_begin(&w.scratch, allocator, 0);
    w.files = (mst_array){.element_size = sizeof(file), .allocator = *allocator};
    status = read_classes(&w, diagnostic);
    sector *sectors = status == MST_OK ? sectors_in_order(&w, documents, count) : NULL;
    for (size_t i = 0; i < count && sectors && w.builder.status == MST_OK; i++)
        add_sector(&w, sectors[i].document);
    report_untyped(&w);
    if (status == MST_OK && !sectors)
        status = MST_NO_MEMORY;
    if (status == MST_OK && w.status != MST_OK)
        status = mst_fail(diagnostic, w.status, "the report of a file has ended it");
    if (status != MST_OK && w.builder.status == MST_OK)
        w.builder.status = status;
    mst_sprites settings = {.format = documents[0]->format->information.id,
                            .name = "",
                            .missing_count = w.missing,
                            .untyped_count = w.untyped_missing,
                            .model_count = w.models};
    for (size_t i = 0; i < w.files.count; i++)
        mst_array_free(&((file *)w.files.items)[i].views);
    mst_array_free(&w.files);
    mst_arena_end(&w.scratch);
    return mst_sprites_finish(&w.builder, &settings, sprites, diagnostic);
}
