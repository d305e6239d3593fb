/* SPDX-License-Identifier: MIT */
#include "../core/diagnose.h"
#include "../tables/fields.h"
#include "following.h"
#include <stdio.h>

/* ---- facts ------------------------------------------------------------------------------------------ */

static bool ends_with_name(const char *path, const char *name) {
    return path && strcmp(mst_last_name(path), name) == 0;
}

/* Whether the target of a fact is a list whose elements are removed with the last reference to them. */
static bool names_owned(const mst_format *format, const mst_refers *fact) {
    const char *name = mst_last_name(fact->target);
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        if ((it.field->flags & MST_FIELD_OWNED) && strcmp(it.field->name, name) == 0)
            return true;
    return false;
}

static bool field_concerns(const mst_format *format, const mst_field *field, const mst_field *list,
                           bool inside) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        if (ends_with_name(field->refers[i].target, list->name) ||
            ends_with_name(field->refers[i].then, list->name) ||
            (inside && names_owned(format, &field->refers[i])))
            return true;
    return field->parallel && ends_with_name(field->parallel->target, list->name);
}

#define RECORDS 512 /* in formats with more, elements may contain any record */

/* Marks a record and all records that it may contain, in a variant of the format; NULL: in any. */
static void mark_below(const mst_format *format, const mst_variant *variant, const mst_record *record,
                       uint8_t *inside) {
    uint16_t waiting[RECORDS];
    size_t count = 0;
    memset(inside, 0, format->tables.record_count);
    if (!record)
        return;
    inside[record->index] = 1;
    waiting[count++] = record->index;
    while (count)
        for (mst_fields it = mst_fields_of_record(format->tables.records[waiting[--count]]);
             mst_fields_next(&it);) {
            const mst_record *below = it.field->record;
            if (!below || inside[below->index] ||
                (variant && mst_presence_in(it.field, *variant) == MST_ABSENT))
                continue;
            inside[below->index] = 1;
            waiting[count++] = below->index;
        }
}

bool mst_record_is_inside(const mst_format *format, const mst_field *list, const mst_record *record) {
    uint8_t inside[RECORDS];
    if (format->tables.record_count > RECORDS)
        return true;
    mark_below(format, NULL, list->record, inside);
    return inside[record->index];
}

bool mst_is_followed(const mst_format *format, const mst_field *list) {
    uint8_t few[RECORDS];
    size_t count = format->tables.record_count;
    if (list->parallel ||
        (list->flags & (MST_FIELD_OWNED | MST_FIELD_SLOTS | MST_FIELD_APPEND | MST_FIELD_NUMBERED)))
        return true;
    if (count <= RECORDS)
        mark_below(format, NULL, list->record, few);
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        if (field_concerns(format, it.field, list, count > RECORDS || few[it.record->index]))
            return true;
    /* a list of numbers: its own facts */
    for (uint8_t i = 0; i < list->refers_count; i++)
        if (names_owned(format, &list->refers[i]))
            return true;
    return false;
}

/* A list and its parallel lists, which get elements together. */
typedef struct together {
    const mst_field *lists[MST_PARALLEL_MAX + 1];
    size_t count;
    uint8_t inside[RECORDS]; /* the records that their elements may contain */
} together;

static bool is_among(const together *t, const mst_field *field) {
    for (size_t i = 0; i < t->count; i++)
        if (t->lists[i] == field)
            return true;
    return false;
}

/* Whether several elements can be inserted into the lists at once, as far as the lists themselves are
 * concerned. */
static bool gather(const mst_format *format, const mst_variant *variant, const mst_field *list, together *t) {
    const uint32_t more = MST_FIELD_SLOTS | MST_FIELD_APPEND | MST_FIELD_NUMBERED | MST_FIELD_REPEATED;
    uint8_t inside[RECORDS];
    *t = (together){.lists = {list}, .count = 1};
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        if (!it.field->parallel || !ends_with_name(it.field->parallel->target, list->name))
            continue;
        if (t->count > MST_PARALLEL_MAX || !mst_is_counted(it.field))
            return false;
        t->lists[t->count++] = it.field;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (t->lists[i]->flags & more)
            return false;
        mark_below(format, variant, t->lists[i]->record, inside);
        for (size_t r = 0; r < format->tables.record_count; r++)
            t->inside[r] |= inside[r];
    }
    return true;
}

bool mst_is_counted(const mst_field *list) {
    return list->mode == MST_COUNT_PREFIX || list->mode == MST_COUNT_VARIABLE ||
           list->mode == MST_COUNT_TO_END || list->mode == MST_COUNT_DATA_SET;
}

bool mst_is_followed_at_once(const mst_document *document, const mst_field *list) {
    const mst_format *format = document->format;
    const mst_variant *variant = &document->variant;
    uint8_t there[RECORDS]; /* the records that the document may contain */
    together t;
    if (list->parallel || format->tables.record_count > RECORDS || MST_OPTION(format->editing, voids) ||
        !gather(format, variant, list, &t))
        return false;
    mark_below(format, variant, format->tables.root, there);
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; there[it.record->index] && i < it.field->refers_count; i++) {
            const mst_refers *fact = &it.field->refers[i];
            bool then = false, target = false;
            for (size_t k = 0; k < t.count; k++) {
                then = then || ends_with_name(fact->then, t.lists[k]->name);
                target = target || ends_with_name(fact->target, t.lists[k]->name);
            }
            if ((!then && !target) || mst_presence_in(it.field, *variant) == MST_ABSENT)
                continue;
            /* elements that name each other are given with the numbers at the time of insertion; ids do not
             * change */
            bool within = is_among(&t, it.field) || t.inside[it.record->index];
            if (then || (fact->run && !fact->ends_run) || fact->heir || (within && fact->by != MST_BY_ID))
                return false;
        }
    return true;
}

bool mst_has_parallel(const mst_format *format, const mst_field *list) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        if (it.field->parallel && ends_with_name(it.field->parallel->target, list->name))
            return true;
    return false;
}

typedef bool (*fact_function)(const mst_refers *fact, void *user);

/* Calls the function for the facts about a list, until it returns true. */
static bool each_about(const mst_format *format, const mst_field *list, fact_function function, void *user) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count; i++)
            if (ends_with_name(it.field->refers[i].target, list->name) &&
                function(&it.field->refers[i], user))
                return true;
    return false;
}

static bool is_run(const mst_refers *fact, void *user) {
    (void)user;
    return fact->run;
}

bool mst_has_runs(const mst_format *format, const mst_field *list) {
    return each_about(format, list, is_run, NULL);
}

static bool is_end(const mst_refers *fact, void *user) {
    (void)user;
    return fact->run || fact->end_is_none ||
           fact->then; /* `then`: numbers after it name those of another list */
}

bool mst_is_named_past_end(const mst_format *format, const mst_field *list) {
    return each_about(format, list, is_end, NULL);
}

static bool take_key(const mst_refers *fact, void *user) {
    *(const char **)user = fact->key;
    return fact->key != NULL;
}

const char *mst_key_of(const mst_format *format, const mst_field *list) {
    const char *key = NULL;
    each_about(format, list, take_key, &key);
    return key;
}

bool mst_is_no_key(const mst_no_keys *all, uint64_t key) {
    for (size_t i = 0; i < all->count; i++)
        if (all->keys[i] == key)
            return true;
    return false;
}

static bool take_nones(const mst_refers *fact, void *user) {
    mst_no_keys *all = user;
    for (uint8_t i = 0; fact->key && i < fact->nones; i++)
        if (!mst_is_no_key(all, fact->none[i]) && all->count < MST_NO_KEYS)
            all->keys[all->count++] = fact->none[i];
    return false;
}

void mst_no_keys_of(const mst_format *format, const mst_field *list, mst_no_keys *all) {
    all->count = 0;
    each_about(format, list, take_nones, all);
}

bool mst_stands_in_grid(const mst_format *format, const mst_field *list) {
    if (list->mode == MST_COUNT_PRODUCT)
        return true;
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (const mst_compared *c = format->tables.compared; it.field == list && c && c->record; c++)
            if (c->as == MST_AS_GRID && strcmp(c->record, it.record->name) == 0 &&
                strcmp(c->field, list->name) == 0)
                return true;
    return false;
}

/* ---- lists ------------------------------------------------------------------------------------------ */

change *mst_change_at(const follow *w, const mst_field *field, uint64_t offset) {
    for (change *c = w->changes; c; c = c->next)
        if (c->field == field && (c->offset == offset || (field->flags & MST_FIELD_REPEATED)))
            return c;
    return NULL;
}

change *mst_change_of(const follow *w, const mst_value *list) {
    return list->document ? mst_change_at(w, mst_field_of(list), list->offset) : NULL;
}

bool mst_follow_owns(const follow *w, const mst_field *list) {
    return (list->flags & MST_FIELD_OWNED) && !w->inserts && !(w->options && w->options->keep_loose);
}

change *mst_change_begin(follow *w, const mst_field *field, uint64_t offset, uint64_t count,
                         const char *path) {
    change *made = mst_arena_zero(&w->arena, 1, sizeof *made);
    if (!made || count >= UINT32_MAX)
        return NULL;
    *made = (change){w->changes,
                     mst_arena_text(&w->arena, path, strlen(path)),
                     field,
                     offset,
                     count,
                     mst_arena_zero(&w->arena, (size_t)count + 1, 1),
                     mst_arena_zero(&w->arena, (size_t)count + 1, sizeof(uint32_t)),
                     NULL,
                     NULL,
                     0,
                     0,
                     NULL,
                     0};
    bool owned = mst_follow_owns(w, field);
    if (owned) {
        made->kept = mst_arena_zero(&w->arena, (size_t)count + 1, sizeof(uint32_t));
        made->lost = mst_arena_zero(&w->arena, (size_t)count + 1, sizeof(uint32_t));
    }
    if (!made->path || !made->gone || !made->lower || (owned && (!made->kept || !made->lost)))
        return NULL;
    w->changes = made;
    return made;
}

mst_status mst_follow_say(follow *w, mst_severity severity, const char *path, uint64_t offset,
                          const char *message) {
    if (!w->options || !w->options->report)
        return MST_OK;
    memset(&w->said, 0, sizeof w->said);
    w->said.severity = severity;
    w->said.offset = offset;
    MST_SET(w->said.path, "%s", path);
    MST_SET(w->said.message, "%s", message);
    return w->options->report(w->options->user, &w->said);
}

mst_status mst_follow_remove(follow *w, change *list, uint64_t index, const char *why) {
    char path[MAX_PATH];
    w->implied |= why && list->gone[index] == MST_GONE_ASKED;
    if (list->gone[index])
        return MST_OK;
    list->gone[index] = MST_GONE;
    list->removed++;
    w->more = true;
    snprintf(path, sizeof path, "%s[%llu]", list->path, (unsigned long long)index);
    return why ? mst_follow_say(w, MST_INFORMATION, path, MST_NO_OFFSET, why) : MST_OK;
}

void mst_change_number_again(change *list) {
    uint32_t lower = 0;
    bool stays = (list->field->flags & MST_FIELD_SLOTS) != 0;
    for (uint64_t i = 0; i <= list->count; i++) {
        list->lower[i] = lower;
        lower += !stays && i < list->count && list->gone[i];
    }
}
mst_status mst_change_of_item(follow *w, const mst_item *item, change **own) {
    char path[MAX_PATH];
    *own = mst_change_at(w, item->field, item->offset);
    if (*own)
        return MST_OK;
    mst_value value = mst_value_of_item(w->document, item);
    mst_numbers_item_path(&w->walk, item, path, sizeof path);
    *own = mst_change_begin(w, item->field, item->offset, mst_count(&value), path);
    w->more = true;
    return *own ? MST_OK : MST_NO_MEMORY;
}
