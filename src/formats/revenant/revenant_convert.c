/* SPDX-License-Identifier: MIT */
/*
 * Converts sectors between versions, by the tables: fields that both have are copied, fields that only the
 * new version has get their default value, and fields that only the old version has are reported as lost.
 */
#include "../../core/diagnose.h"
#include "../../core/text.h"
#include "../../core/unreachable.h"
#include "revenant.h"
#include <stdio.h>

#define MEMBERS 64

/* The fields of the object in the old version, looked up by name. */
typedef struct members {
    mst_value values[MEMBERS];
    bool taken[MEMBERS];
    size_t count;
} members;

/* An object whose inventory is being written. */
typedef struct frame {
    mst_iterator list;
    uint64_t index; /* of the element being written */
    size_t sizes;   /* offset of the sizes of the object in the output */
    size_t begin;   /* offset of its body */
    size_t last;    /* offset of its inventory */
    mst_value tails[2];
    uint8_t tail_count;
} frame;

typedef struct converter {
    const mst_document *document;
    mst_report_function report;
    void *user;
    mst_buffer *out;
    mst_diagnostic *diagnostic;
    uint32_t from, to;    /* versions */
    int64_t class_number; /* of the object */
    frame *frames;
    size_t depth, capacity;
    members parts;
} converter;

/* ---- losses -------------------------------------------------------------------------------------- */

static mst_status lose(converter *c, const mst_value *value, const char *name, const char *why) {
    mst_diagnostic loss;
    memset(&loss, 0, sizeof loss);
    loss.severity = MST_WARNING;
    mst_value_span(value, &loss.offset, &loss.length);
    MST_SET(loss.message, "%s", why);
    size_t length = 0;
    for (size_t i = 0; i < c->depth && length < sizeof loss.path; i++)
        length = mst_path_step(loss.path, sizeof loss.path, length, i ? "inventory" : "objects",
                               c->frames[i].index);
    mst_path_step(loss.path, sizeof loss.path, length, name, UINT64_MAX);
    int64_t number;
    if (mst_get_integer(value, &number) == MST_OK)
        MST_SET(loss.found, "%lld", (long long)number);
    return c->report(c->user, &loss);
}

static const char not_stored[] = "the new version cannot store it";

/* The default value of a field. */
static int64_t default_of(const char *name) {
    static const struct {
        const char *name;
        int64_t value;
    } values[] = {{"inventory_index", -1}, {"map_index", -1}, {"frame_rate", 1},
                  {"complex_version", 1},  {"action", 1},     {"last_poison", -1},
                  {"teleport_level", -1},  {"shadow", -1},    {"first_item", -1},
                  {"next_item", -1}};
    for (size_t i = 0; i < MST_COUNT_OF(values); i++)
        if (strcmp(values[i].name, name) == 0)
            return values[i].value;
    return 0;
}

static bool is_default(const mst_value *value, const char *name) {
    int64_t number;
    const void *bytes;
    size_t size;
    uint64_t offset, length;
    if (mst_get_integer(value, &number) == MST_OK)
        return number == default_of(name);
    if (strcmp(name, "root_state") == 0)
        return mst_get_bytes(value, &bytes, &size) == MST_OK && size == 5 && memcmp(bytes, "still", 5) == 0;
    mst_value_span(value, &offset, &length);
    uint8_t none = strcmp(name, "teleport_position") == 0 ? 0xFF : 0;
    for (uint64_t i = 0; i < length; i++)
        if (value->document->data[offset + i] != none)
            return false;
    return true;
}

/* ---- output ------------------------------------------------------------------------------------- */

static mst_status write_bytes(converter *c, const void *bytes, size_t size) {
    mst_sink sink = mst_buffer_sink(c->out);
    mst_status status = sink.write(sink.user, bytes, size);
    return status == MST_OK ? MST_OK : mst_fail(c->diagnostic, status, "not enough memory for the result");
}

static mst_status write_number(converter *c, unsigned width, int64_t value) {
    uint8_t bytes[8];
    mst_store(bytes, width, (uint64_t)value, false);
    return write_bytes(c, bytes, width);
}

static mst_status write_size(converter *c, size_t offset, size_t size) {
    if (size > INT16_MAX)
        return mst_fail(c->diagnostic, MST_REFUSED, "an object of %zu bytes is too large: at most 32767",
                        size);
    mst_store16(c->out->data + offset, (uint16_t)size, false);
    return MST_OK;
}

/* ---- fields ------------------------------------------------------------------------------------- */

static const mst_value *part_of(const converter *c, const char *name) {
    for (size_t i = 0; i < c->parts.count; i++)
        if (strcmp(mst_field_of(&c->parts.values[i])->name, name) == 0)
            return &c->parts.values[i];
    return NULL;
}

/* The same for a part that is about to be written. */
static const mst_value *take(converter *c, const char *name) {
    const mst_value *part = part_of(c, name);
    if (part)
        c->parts.taken[part - c->parts.values] = true;
    return part;
}

static mst_status write_integer(converter *c, const mst_field *field, const mst_value *old,
                                uint32_t *context) {
    unsigned width = mst_kind_width[field->kind];
    int64_t value = default_of(field->name);
    if (old)
        mst_get_integer(old, &value);
    bool is_signed = field->kind == MST_KIND_I16 || field->kind == MST_KIND_I32;
    int64_t max = is_signed ? ((int64_t)1 << (8 * width - 1)) - 1 : ((int64_t)1 << (8 * width)) - 1;
    if (value > max) { /* fields that became narrower are unsigned */
        mst_status status = lose(c, old, field->name, "the field of the new version is too narrow for it");
        if (status != MST_OK)
            return status;
        value = max;
    }
    if (field->bind)
        context[field->bind - 1] = field->transform ? field->transform((uint32_t)value) : (uint32_t)value;
    return write_number(c, width, value);
}

/* From version 14 on the bytes of names and of the codes of statistics have bit 7 set. */
static mst_status write_text(converter *c, const mst_field *field, const mst_value *old) {
    const void *bytes = "still";
    size_t size = strcmp(field->name, "root_state") == 0 ? 5 : 0;
    if (old)
        mst_get_bytes(old, &bytes, &size);
    mst_status status = write_number(c, mst_kind_width[field->prefix], (int64_t)size);
    size_t from = c->out->size;
    if (status == MST_OK)
        status = write_bytes(c, bytes, size);
    bool was_high = old && (mst_field_of(old)->flags & MST_FIELD_HIGH);
    for (size_t i = from; status == MST_OK && i < c->out->size; i++) {
        if (field->flags & MST_FIELD_HIGH)
            c->out->data[i] |= 0x80;
        else if (was_high)
            c->out->data[i] &= 0x7F;
    }
    return status;
}

static mst_status write_stats(converter *c, const mst_field *field, const mst_value *old) {
    uint64_t offset = 0, length = 1;
    if (!old)
        return write_number(c, 1, 0);
    mst_value_span(old, &offset, &length);
    size_t from = c->out->size + 1;
    mst_status status = write_bytes(c, old->document->data + offset, (size_t)length);
    bool high = (field->record->fields[1].flags & MST_FIELD_HIGH) != 0;
    bool was_high = (mst_field_of(old)->record->fields[1].flags & MST_FIELD_HIGH) != 0;
    for (size_t i = from; status == MST_OK && high != was_high && i + 8 <= c->out->size; i += 8)
        for (size_t k = 4; k < 8; k++)
            c->out->data[i + k] = (uint8_t)(high ? c->out->data[i + k] | 0x80 : c->out->data[i + k] & 0x7F);
    return status;
}

static mst_status write_span(converter *c, const mst_value *value) {
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    return write_bytes(c, value->document->data + offset, (size_t)length);
}

/* Fields that have the same bytes in every version. */
static mst_status write_same(converter *c, const mst_field *field, const mst_value *old) {
    if (old)
        return write_span(c, old);
    uint8_t filler[32];
    size_t size =
        (size_t)field->count * mst_kind_width[field->kind]; /* never a light: all versions have them */
    memset(filler, strcmp(field->name, "teleport_position") == 0 ? 0xFF : 0, sizeof filler);
    return write_bytes(c, filler, size < sizeof filler ? size : sizeof filler);
}

/* From version 15 on, each monster has a time, which is last. */
static mst_status write_monsters(converter *c, const mst_value *monsters) {
    mst_value monster, member;
    mst_status status = write_number(c, 1, (int64_t)mst_count(monsters));
    for (mst_iterator it = mst_iterate(monsters); status == MST_OK && mst_next(&it, &monster);) {
        for (mst_iterator of = mst_iterate(&monster); status == MST_OK && mst_next(&of, &member);) {
            bool time = strcmp(mst_field_of(&member)->name, "start_time") == 0;
            if (!time || c->to >= 15)
                status = write_span(c, &member);
            else if (!is_default(&member, "start_time"))
                status = lose(c, &member, "generator", not_stored);
        }
        if (status == MST_OK && c->from < 15 && c->to >= 15)
            status = write_number(c, 4, 0);
    }
    return status;
}

static mst_status write_generator(converter *c, const mst_value *generator) {
    mst_value member;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(generator); status == MST_OK && mst_next(&it, &member);)
        status =
            mst_value_type(&member) == MST_TYPE_LIST ? write_monsters(c, &member) : write_span(c, &member);
    return status;
}

static bool is_spike_wall(const converter *c) {
    const mst_value *type = part_of(c, "unique_id");
    return type && mst_scalar_of(type) == MST_REVENANT_TYPE_SPIKE_WALL;
}

/* Up to version 13 a SpikeWall has exit_flags; the retail game skips the same bytes as a tail. */
static const mst_value *exit_flags_of_spike_wall(converter *c) {
    uint64_t offset, length = 0;
    if (!is_spike_wall(c))
        return NULL;
    if (c->to >= 14)
        return take(c, "exit_flags");
    const mst_value *tail = c->from >= 14 ? part_of(c, "unknown_tail") : NULL;
    if (tail)
        mst_value_span(tail, &offset, &length);
    return length == 4 ? take(c, "unknown_tail") : NULL;
}

static mst_status write_field(converter *c, const mst_field *field, uint32_t *context) {
    bool character = context[MST_VARIABLE_VERSION] >= 8 && strcmp(field->name, "object_version") == 0;
    const mst_value *old = take(c, field->name);
    if (character && c->from < 9) { /* all fields that the class can store are written */
        int64_t value = c->class_number == MST_REVENANT_CHARACTER ? 4 : 0;
        context[field->bind - 1] = (uint32_t)value;
        return write_number(c, 2, value);
    }
    if (!old && strcmp(field->name, "rotation_z") == 0)
        old = take(c, "facing");
    if (!old && strcmp(field->name, "facing") == 0)
        old = take(c, "rotation_z");
    if (!old && strcmp(field->name, "exit_flags") == 0 && (old = exit_flags_of_spike_wall(c)) != NULL)
        return write_same(c, field, old);
    if (strcmp(field->name, "target") == 0 || strcmp(field->name, "generator") == 0) {
        /* only objects of a few types have these fields */
        return !old ? MST_OK : field->kind == MST_KIND_RECORD ? write_generator(c, old) : write_span(c, old);
    }
    if (strcmp(field->name, "stats") == 0)
        return write_stats(c, field, old);
    if (mst_is_text(field))
        return write_text(c, field, old);
    if (field->kind == MST_KIND_RECORD || field->mode == MST_COUNT_FIXED || field->kind == MST_KIND_RAW)
        return write_same(c, field, old);
    return write_integer(c, field, old, context);
}

/* ---- objects ------------------------------------------------------------------------------------ */

static bool is_any(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static mst_status report_losses(converter *c) {
    static const char *const elsewhere[] = {
        "size_1",          "size_2",         "unknown_tail",   "inventory",
        "inventory_count", "inventory_tail", "object_version", NULL};
    mst_status status = MST_OK;
    for (size_t i = 0; i < c->parts.count && status == MST_OK; i++) {
        const char *name = mst_field_of(&c->parts.values[i])->name;
        if (!c->parts.taken[i] && !is_any(name, elsewhere) && !is_default(&c->parts.values[i], name))
            status = lose(c, &c->parts.values[i], name, not_stored);
    }
    return status;
}

static bool is_present(const mst_value *value) {
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    return length > 0;
}

/* The data of a player is unknown; it can be kept if both versions have the two sizes. */
static bool keeps_players(const converter *c) {
    return c->from >= 14 && c->to >= 14;
}

static mst_status grow(converter *c) {
    if (c->depth < c->capacity)
        return MST_OK;
    const mst_allocator *a = &c->document->allocator;
    size_t capacity = c->capacity ? c->capacity * 2 : 8;
    frame *grown = a->resize(a->user, c->frames, c->capacity * sizeof *grown, capacity * sizeof *grown);
    if (!grown)
        return mst_fail(c->diagnostic, MST_NO_MEMORY, "not enough memory for the result");
    c->frames = grown;
    c->capacity = capacity;
    return MST_OK;
}

static mst_status write_tails(converter *c, frame *f) {
    mst_status status = MST_OK;
    for (uint8_t i = 0; i < f->tail_count && status == MST_OK; i++)
        status = c->to < 4 ? lose(c, &f->tails[i], mst_field_of(&f->tails[i])->name, not_stored)
                           : write_span(c, &f->tails[i]);
    return status;
}

/* Ends an object after its inventory: writes tails and sizes. */
static mst_status end_object(converter *c, frame *f) {
    mst_status status = c->to < 14 ? write_tails(c, f) : MST_OK;
    if (status != MST_OK || c->to < 4)
        return status;
    status = write_size(c, f->sizes, c->out->size - f->begin);
    if (status == MST_OK && c->to >= 14)
        status = write_size(c, f->sizes + 2, c->out->size - f->last);
    return status;
}

/* `owner` receives the data to end the object; its list is the inventory. */
static mst_status write_object(converter *c, const mst_value *object, frame *owner, uint64_t *carried) {
    const mst_record *table = mst_field_of(object)->record;
    members *parts = &c->parts;
    memset(owner, 0, sizeof *owner);
    parts->count = 0;
    *carried = 0;
    mst_value value;
    c->class_number = -1;
    for (mst_iterator it = mst_iterate(object); mst_next(&it, &value);) {
        if (MST_UNREACHABLE(parts->count == MEMBERS)) /* no object has that many fields */
            break;
        parts->taken[parts->count] = false;
        parts->values[parts->count++] = value;
    }
    const mst_value *class_value = take(c, "class");
    if (class_value)
        mst_get_integer(class_value, &c->class_number);
    bool player = c->class_number == MST_REVENANT_PLAYER && (c->to >= 8 || c->from >= 8);
    bool empty = parts->count <= 1 || c->class_number < 0;
    if (player && !keeps_players(c)) {
        mst_status status = lose(c, object, NULL, "the new version cannot store a player");
        if (status != MST_OK)
            return status;
        empty = true;
    }
    if (empty) {
        owner->begin = SIZE_MAX;
        return write_number(c, 2, -1);
    }
    uint32_t context[MST_VARIABLES];
    mst_variant_context((mst_variant){c->to, false, 0}, context);
    static const char *const later[] = {"unknown_tail", "inventory", "inventory_count", "inventory_tail",
                                        NULL};
    mst_status status = MST_OK;
    for (uint16_t i = 0; i < table->field_count && status == MST_OK; i++) {
        const mst_field *field = &table->fields[i];
        if (is_any(field->name, later) || !mst_field_present(field, context))
            continue;
        if (field->flags & MST_FIELD_SIZES) {
            if (!owner->sizes)
                owner->sizes = c->out->size;
            status = write_number(c, 2, 0);
            owner->begin = c->out->size;
            continue;
        }
        status = write_field(c, field, context);
        if (field->kind == MST_KIND_RAW) /* a player's body: no fields follow */
            break;
    }
    const mst_value *spikes = c->to >= 14 && !player ? exit_flags_of_spike_wall(c) : NULL;
    if (status == MST_OK && spikes)
        status = write_bytes(c, c->document->data + spikes->offset, 4);
    if (status == MST_OK)
        status = report_losses(c);
    for (size_t i = 0; i < parts->count; i++) {
        const char *name = mst_field_of(&parts->values[i])->name;
        if (strcmp(name, "inventory") == 0) {
            *carried = mst_count(&parts->values[i]);
            owner->list = mst_iterate(&parts->values[i]);
            owner->index = UINT64_MAX; /* before the first */
        } else if ((strcmp(name, "unknown_tail") == 0 || strcmp(name, "inventory_tail") == 0) &&
                   !parts->taken[i] && is_present(&parts->values[i])) {
            owner->tails[owner->tail_count++] = parts->values[i];
        }
    }
    if (status == MST_OK && c->to >= 14)
        status = write_tails(c, owner);
    owner->last = c->out->size;
    if (status == MST_OK && *carried && c->to < 3) {
        status = lose(c, object, "inventory", not_stored);
        *carried = 0;
    }
    if (status == MST_OK && (c->to >= 14 ? *carried > 0 : c->to >= 3))
        status = write_number(c, 4, (int64_t)*carried);
    return status;
}

static mst_status write_objects(converter *c, const mst_value *objects) {
    mst_status status = grow(c);
    if (status != MST_OK)
        return status;
    memset(&c->frames[0], 0, sizeof c->frames[0]);
    c->frames[0].list = mst_iterate(objects);
    c->frames[0].index = UINT64_MAX; /* before the first */
    c->frames[0].begin = SIZE_MAX;
    c->depth = 1;
    while (c->depth && status == MST_OK) {
        frame *top = &c->frames[c->depth - 1];
        mst_value object;
        if (!mst_next(&top->list, &object)) {
            frame done = *top;
            c->depth--;
            if (c->depth)
                status = end_object(c, &done);
            continue;
        }
        top->index++;
        frame owner;
        uint64_t carried;
        status = write_object(c, &object, &owner, &carried);
        if (status != MST_OK || owner.begin == SIZE_MAX)
            continue;
        if (!carried) {
            status = end_object(c, &owner);
            continue;
        }
        status = grow(c);
        if (status == MST_OK)
            c->frames[c->depth++] = owner;
    }
    return status;
}

mst_status mst_revenant_convert(const mst_document *document, const mst_convert_options *options,
                                mst_report_function report, void *user, mst_buffer *bytes,
                                mst_diagnostic *diagnostic) {
    if (document->variant.version == 0 || options->version == 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED,
                        "sectors of version 0 cannot be converted: they do not store the types of objects");
    const mst_allocator *a = &document->allocator;
    converter *c = a->resize(a->user, NULL, 0, sizeof *c);
    if (!c)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to convert");
    memset(c, 0, sizeof *c);
    c->document = document;
    c->report = report;
    c->user = user;
    c->out = bytes;
    c->diagnostic = diagnostic;
    c->from = document->variant.version;
    c->to = options->version;
    mst_value root = mst_root(document), objects = root, trailing = root, hash;
    uint64_t stored = 0;
    mst_status status = write_bytes(c, "MAP ", 4);
    if (status == MST_OK)
        status = write_number(c, 4, c->to);
    if (mst_member(&root, "state_hash", &hash) == MST_OK)
        mst_get_unsigned(&hash, &stored);
    if (status == MST_OK && c->to >= 14)
        status = write_number(c, 4, (int64_t)stored);
    mst_member(&root, "objects", &objects); /* all convertible versions have them */
    if (status == MST_OK)
        status = write_number(c, 4, (int64_t)mst_count(&objects));
    if (status == MST_OK)
        status = write_objects(c, &objects);
    c->depth = 0;
    mst_member(&root, "trailing", &trailing);
    if (status == MST_OK && is_present(&trailing))
        status = lose(c, &trailing, "trailing", "bytes after the objects are dropped");
    a->resize(a->user, c->frames, c->capacity * sizeof(frame), 0);
    a->resize(a->user, c, sizeof *c, 0);
    return status;
}
