/* SPDX-License-Identifier: MIT */
/* Information about cells, triggers and things that is not in their records. */
#include "../present.h"
#include "alien.h"
#include <stdarg.h>
#include <stdio.h>

/* A text that is being composed; it is truncated to fit. */
typedef struct words {
    char *text;
    size_t capacity, length;
} words;

static void add(words *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(words *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->length, to->capacity - to->length, format, arguments);
    va_end(arguments);
    size_t left = to->capacity - to->length - 1;
    to->length += (size_t)length < left ? (size_t)length : left;
}

static const char *comma(const words *to) {
    return to->length ? ", " : "";
}

typedef struct place {
    mst_value map, element;
    uint64_t index; /* in its list */
} place;

static uint64_t index_in(const mst_value *map, const char *list, const mst_value *element) {
    mst_value elements = mst_member_in(map, list), first = mst_element_in(&elements, 0);
    uint64_t size = element->end - element->offset;
    return MST_CHANGED(!size) ? 0 : (element->offset - first.offset) / size;
}

/* ---- cells -------------------------------------------------------------------------------------- */

static void add_cell(words *to, const mst_value *map, uint64_t index) {
    uint64_t columns = mst_number_in(map, "grid_columns");
    if (MST_CHANGED(!columns)) /* there are as many cells as columns times rows */
        return;
    add(to, "%s%llu %llu", comma(to), (unsigned long long)(index % columns),
        (unsigned long long)(index / columns));
}

/* The cells that set a trigger off. */
static void add_cells(words *to, const place *trigger) {
    mst_value cells = mst_member_in(&trigger->map, "cells");
    mst_column triggers = mst_column_in(&cells, "trigger");
    for (uint64_t i = 0; i < triggers.count && trigger->index; i++)
        if (mst_column_u8(&triggers, i, 0) == trigger->index)
            add_cell(to, &trigger->map, i);
}

/* ---- dropped items ------------------------------------------------------------------------------ */

static void add_drop(words *to, const place *from, const char *field, bool monster) {
    uint64_t index = mst_number_in(&from->element, field);
    mst_value list = mst_member_in(&from->map, monster ? "monsters" : "pickups"), one, type;
    if (index == 255)
        return;
    add(to, "%s%s %llu", comma(to), monster ? "monster" : "pickup", (unsigned long long)index);
    if (mst_element(&list, index, &one) != MST_OK)
        return;
    type = mst_member_in(&one, "type");
    const char *name = mst_get_name(&type);
    if (name)
        add(to, " %s", name);
}

/* ---- triggers that act on an element ------------------------------------------------------------ */

/* Whether a trigger's chain has a command that acts on an element of the list. */
static bool acts_on(const mst_value *commands, uint64_t first, const uint8_t operations[2], uint64_t target) {
    uint8_t seen[32] = {0};
    mst_value command;
    for (uint64_t next = first; next < 256 && !(seen[next / 8] >> next % 8 & 1);
         next = mst_number_in(&command, "next")) {
        seen[next / 8] |= (uint8_t)(1u << next % 8);
        if (mst_element(commands, next, &command) != MST_OK)
            break;
        uint64_t operation = mst_number_in(&command, "operation");
        if ((operation == operations[0] || operation == operations[1]) &&
            mst_number_in(&command, "target") == target)
            return true;
    }
    return false;
}

static void add_triggers(words *to, const place *of, const uint8_t operations[2]) {
    mst_value triggers = mst_member_in(&of->map, "triggers"), commands = mst_member_in(&of->map, "commands"),
              trigger;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&triggers); mst_next(&it, &trigger); index++)
        if (acts_on(&commands, mst_number_in(&trigger, "first_command"), operations, of->index))
            add(to, "%s%llu", comma(to), (unsigned long long)index);
}

/* ---- columns ------------------------------------------------------------------------------------ */

enum { HAS_CELL = 1, HAS_CELLS = 2, DROPS_PICKUP = 4, DROPS_EITHER = 8, DOES = 16, IS_ACTED_ON = 32 };

static const struct {
    const char *record, *list;
    uint8_t has;
    uint8_t operations[2]; /* of the commands that act on it */
} kinds[] = {
    {"cell", "cells", HAS_CELL, {0, 0}},
    {"trigger", "triggers", HAS_CELLS | DOES, {0, 0}},
    {"command", "commands", DOES, {0, 0}},
    {"monster", "monsters", DROPS_PICKUP | IS_ACTED_ON, {3, 3}},
    {"pickup", "pickups", IS_ACTED_ON, {2, 2}},
    {"box", "boxes", DROPS_EITHER | IS_ACTED_ON, {4, 4}},
    {"door", "doors", IS_ACTED_ON, {1, 6}},
    {"lift", "lifts", IS_ACTED_ON, {5, 7}},
    {"light", "lights", IS_ACTED_ON, {0, 0}},
    {"texture_animator", "texture_animators", IS_ACTED_ON, {9, 9}},
};

static void add_deeds(words *to, const place *of, const char *list) {
    if (strcmp(list, "triggers") == 0) {
        char text[4096];
        if (mst_alien_trigger_text(&of->map, (uint32_t)of->index, text, sizeof text))
            add(to, "%s", strchr(text, ':') + 2);
    } else if (!mst_alien_is_empty(mst_bytes_in(&of->element, 4))) {
        mst_alien_command_text(&of->element, to->text, to->capacity);
    }
}

mst_status mst_alien_look_up(const mst_value *element, const char *column, const mst_resolver *sidecars,
                             char *text, size_t capacity) {
    const mst_field *field = mst_field_of(element);
    mst_value root = mst_root(element->document);
    place of = {.element = *element};
    words to = {.capacity = capacity};
    size_t k = 0;
    (void)sidecars;
    to.text = text;
    if (!field->record || mst_shape_of(element) != MST_SHAPE_ONE ||
        mst_member(&root, "map", &of.map) != MST_OK)
        return MST_NO_PATH;
    while (k < MST_COUNT_OF(kinds) && strcmp(kinds[k].record, field->record->name) != 0)
        k++;
    if (k == MST_COUNT_OF(kinds))
        return MST_NO_PATH;
    uint8_t has = kinds[k].has;
    of.index = index_in(&of.map, kinds[k].list, element);
    if ((has & HAS_CELL) && strcmp(column, "cell") == 0)
        add_cell(&to, &of.map, of.index);
    else if ((has & HAS_CELLS) && strcmp(column, "cells") == 0)
        add_cells(&to, &of);
    else if ((has & DOES) && strcmp(column, "does") == 0)
        add_deeds(&to, &of, kinds[k].list);
    else if ((has & IS_ACTED_ON) && strcmp(column, "triggers") == 0)
        add_triggers(&to, &of, kinds[k].operations);
    else if ((has & DROPS_PICKUP) && strcmp(column, "drops") == 0)
        add_drop(&to, &of, "drop", false);
    else if ((has & DROPS_EITHER) && strcmp(column, "drops") == 0)
        for (int i = 0; i < 2; i++)
            add_drop(&to, &of, i ? "drop_second" : "drop_first",
                     mst_number_in(&of.element, "drop_type") == 2);
    else
        return MST_NO_PATH;
    return MST_OK;
}
