/* SPDX-License-Identifier: MIT */
/* Consequences of edits of a level that the tables do not describe: runs of quads, the nearest path nodes. */
#include "../../core/diagnose.h"
#include "../../core/json_text.h"
#include "../../core/number.h"
#include "../../edit/add.h"
#include "../../edit/single_edit.h"
#include "../../write/given.h"
#include "../present.h"
#include "alien.h"
#include <mapstone/edit.h>
#include <string.h>

#define QUAD_SIZE       20
#define LAST_BYTE       19 /* of a quad: the light, and in bit 7 whether the quad is the last of its run */
#define LAST_OF_RUN     0x80u
#define MODEL_LAST_BYTE 18 /* of a model's quad: its kind, and in bit 7 whether it is the last */

bool mst_alien_ends_run(const uint8_t *quad, bool big) {
    (void)big;
    return (quad[LAST_BYTE] & LAST_OF_RUN) != 0;
}

static uint64_t distance(const mst_value *node, uint64_t x, uint64_t y) {
    int64_t across = (int64_t)mst_number_in(node, "x") - (int64_t)x,
            along = (int64_t)mst_number_in(node, "y") - (int64_t)y;
    return (uint64_t)(across * across + along * along);
}

uint64_t mst_alien_nearest_node(const mst_value *nodes, const uint8_t *gone, const mst_value *cells,
                                uint64_t cell) {
    mst_value root = mst_root(cells->document), map, node;
    uint64_t nearest = UINT64_MAX, least = UINT64_MAX, index = 0;
    if (mst_member(&root, "map", &map) != MST_OK)
        return nearest;
    uint64_t columns = mst_number_in(&map, "grid_columns");
    for (mst_iterator it = mst_iterate(nodes); columns && mst_next(&it, &node); index++) {
        uint64_t away = gone[index] ? UINT64_MAX : distance(&node, cell % columns, cell / columns);
        if (away < least) {
            least = away;
            nearest = index;
        }
    }
    return nearest;
}

/* Sets the bit that marks a quad as the last of its run or model. */
static void mark(uint8_t *byte, bool last) {
    *byte = (uint8_t)((*byte & ~LAST_OF_RUN) | (last ? LAST_OF_RUN : 0));
}

static bool is_of_map(const mst_value *list) {
    mst_value root = mst_root(list->document), map, quads;
    return mst_member(&root, "map", &map) == MST_OK && mst_member(&map, "quads", &quads) == MST_OK &&
           quads.offset == list->offset;
}

/* A model is one run: only its last quad is marked. */
static void mark_model(const mst_value *list, uint64_t index, int by, uint8_t *bytes) {
    uint64_t count = mst_count(list);
    mst_value first;
    if (mst_element(list, 0, &first) != MST_OK)
        return;
    uint8_t *quads = bytes + first.offset; /* the first has not moved */
    if (by > 0)
        mark(quads + index * QUAD_SIZE + MODEL_LAST_BYTE, index == count);
    if (index && index + (by < 0) == count)
        mark(quads + (index - 1) * QUAD_SIZE + MODEL_LAST_BYTE, by < 0);
}

const char *mst_alien_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                               uint8_t *bytes) {
    mst_value quad, terminator;
    uint64_t count = mst_count(list);
    if (strcmp(mst_field_of(list)->name, "quads") != 0 || !count)
        return NULL;
    if (!is_of_map(list)) {
        mark_model(list, index, by, bytes);
        return NULL;
    }
    const uint8_t *data = list->document->data;
    if (mst_element(list, count - 1, &terminator) != MST_OK)
        return NULL;
    if (!memcmp(data + terminator.offset, mst_alien_terminator, 16) && index + (by < 0) >= count)
        return "the terminator must remain the last quad";
    /* the quads before `index`, and the place of the one there, have not moved */
    if (!index) {
        if (by > 0 && count > 1 && mst_element(list, 0, &quad) == MST_OK)
            mark(bytes + quad.offset + LAST_BYTE, false);
        return NULL;
    }
    if (mst_element(list, index - 1, &quad) != MST_OK)
        return NULL;
    bool ended = mst_alien_ends_run(data + quad.offset, after->variant.big);
    if (by < 0 && !ended) { /* the run ends earlier if the removed quad was its last */
        const uint8_t *removed = data + quad.offset + QUAD_SIZE;
        mark(bytes + quad.offset + LAST_BYTE, mst_alien_ends_run(removed, after->variant.big));
    } else if (by > 0) { /* at the end of a run, the new quad becomes its last */
        mark(bytes + quad.offset + LAST_BYTE, false);
        mark(bytes + quad.offset + QUAD_SIZE + LAST_BYTE, ended);
    }
    return NULL;
}

bool mst_alien_alone(const mst_value *list, int by, bool last) {
    (void)by;
    return strcmp(mst_field_of(list)->name, "quads") == 0 && (last || mst_count(list) < 2);
}

/* The number of consecutive elements that begin with one of several. */
static size_t in_a_row(const mst_several *several, size_t first) {
    size_t next = first + 1;
    while (next < several->count && several->indices[next] - several->indices[first] == next - first)
        next++;
    return next - first;
}

/* At the end of a run, the last of the new quads becomes its last. */
static void mark_new(const mst_several *several, bool map, bool big, uint8_t *marks) {
    for (size_t i = 0, row; i < several->count; i += row) {
        uint64_t index = several->indices[i];
        bool ended = map && index && mst_alien_ends_run(marks + (index - 1) * QUAD_SIZE - LAST_BYTE, big);
        row = in_a_row(several, i);
        for (size_t k = 0; k < row; k++)
            mark(marks + (index + k) * QUAD_SIZE, false);
        if (!ended)
            continue;
        mark(marks + (index - 1) * QUAD_SIZE, false);
        mark(marks + (index + row - 1) * QUAD_SIZE, true);
    }
}

/* A run ends earlier if its last quad was removed. */
static void mark_left(const mst_several *several, const uint8_t *quads, bool big, uint8_t *marks) {
    for (size_t i = 0, row; i < several->count; i += row) {
        uint64_t index = several->indices[i];
        bool ended = false;
        row = in_a_row(several, i);
        for (size_t k = 0; k < row && !ended; k++)
            ended = mst_alien_ends_run(quads + (index + k) * QUAD_SIZE, big);
        if (index && !mst_alien_ends_run(quads + (index - 1) * QUAD_SIZE, big))
            mark(marks + (index - 1 - i) * QUAD_SIZE, ended);
    }
}

mst_status mst_alien_renumber_all(const mst_value *list, const mst_document *after,
                                  const mst_several *several, uint8_t *bytes) {
    mst_value first;
    if (strcmp(mst_field_of(list)->name, "quads") != 0 || mst_element(list, 0, &first) != MST_OK)
        return MST_OK;
    bool map = is_of_map(list), big = after->variant.big;
    uint8_t *marks = bytes + first.offset + (map ? LAST_BYTE : MODEL_LAST_BYTE); /* the list has not moved */
    if (several->order)
        mark_new(several, map, big, marks);
    else if (map)
        mark_left(several, list->document->data + first.offset, big, marks);
    return MST_OK;
}

const char *mst_alien_blank(const mst_document *document, const mst_field *list) {
    (void)document;
    return strcmp(list->name, "triggers") == 0 ? "{\"mask\":1,\"uses\":255}" : NULL;
}

/* ---- boxes ------------------------------------------------------------------------------------------ */

bool mst_alien_reaches(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".drop_type") == 0;
}

#define VENT_FIRST 16 /* types of monsters that are vents, where others appear */
#define VENT_COUNT 4

static unsigned vents_of(const mst_document *document) {
    mst_value monsters, monster;
    unsigned types = 0;
    if (mst_find(mst_root(document), "map.monsters", &monsters, NULL) != MST_OK)
        return 0;
    for (mst_iterator it = mst_iterate(&monsters); mst_next(&it, &monster);) {
        uint64_t type = mst_number_in(&monster, "type");
        if (type >= VENT_FIRST && type < VENT_FIRST + VENT_COUNT)
            types |= 1u << (type - VENT_FIRST);
    }
    return types;
}

/* How the mask depends on the vents is not known; nothing else would report that it may be wrong. */
static mst_status say_vents(const mst_document *before, const mst_document *after,
                            const mst_edit_options *options) {
    mst_diagnostic said = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!options || !options->report || vents_of(before) == vents_of(after))
        return MST_OK;
    MST_SET(said.path, "map.vent_mask");
    MST_SET(
        said.message,
        "is kept: the level has other types of vents now, and how its bits follow from them is not known");
    return options->report(options->user, &said);
}

/* After a merge or a patch, the mask may be that of one side, and the monsters those of the other. */
static void mask_again(const mst_document *before, mst_document *after) {
    const mst_value roots[2] = {mst_root(before), mst_root(after)};
    mst_value maps[2];
    if (mst_member(&roots[0], "map", &maps[0]) != MST_OK ||
        mst_member(&roots[1], "map", &maps[1]) != MST_OK ||
        mst_number_in(&maps[0], "enemy_mask") != mst_alien_enemy_mask(&maps[0]))
        return;
    const mst_value stored = mst_member_in(&maps[1], "enemy_mask");
    mst_store16(mst_edit_bytes(after) + stored.offset, mst_alien_enemy_mask(&maps[1]), after->variant.big);
}

/* The item that a box drops is an index into the list that `drop_type` selects: with another type it is
 * another item. */
mst_status mst_alien_settle(const mst_document *before, mst_document *after,
                            const struct mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_value old, now, was, is;
    uint64_t index = 0;
    mst_status status = say_vents(before, after, options);
    if (status != MST_OK)
        return status;
    if (!options)
        mask_again(before, after);
    if (mst_find(mst_root(before), "map.boxes", &old, NULL) != MST_OK ||
        mst_find(mst_root(after), "map.boxes", &now, NULL) != MST_OK || mst_count(&old) != mst_count(&now) ||
        (options && options->force))
        return MST_OK;
    mst_iterator others = mst_iterate(&now);
    for (mst_iterator it = mst_iterate(&old); mst_next(&it, &was) && mst_next(&others, &is); index++) {
        if (mst_number_in(&was, "drop_type") == mst_number_in(&is, "drop_type"))
            continue;
        for (int k = 0; k < 2; k++) {
            const char *name = k ? "drop_second" : "drop_first";
            uint64_t number = mst_number_in(&is, name);
            if (number == 255 || number != mst_number_in(&was, name))
                continue;
            mst_fail(diagnostic, MST_REFUSED, "the number would refer to another dropped thing");
            if (diagnostic) {
                MST_SET(diagnostic->path, "map.boxes[%llu].drop_type", (unsigned long long)index);
                MST_SET(diagnostic->expected, "%s as well, in the same edit", name);
            }
            return MST_REFUSED;
        }
    }
    return MST_OK;
}

/* ---- a quad for a cell --------------------------------------------------------------------------------- */

static mst_status no_cell(mst_diagnostic *diagnostic, uint64_t count) {
    mst_fail(diagnostic, MST_ARGUMENT, "the cell does not exist");
    if (diagnostic) {
        MST_SET(diagnostic->path, "map.cells");
        MST_SET(diagnostic->expected, "cell=NUMBER, below %llu", (unsigned long long)count);
    }
    return MST_ARGUMENT;
}

/* Where the JSON of the quad states its cell; false: nowhere. */
static bool take_cell(const mst_json *json, uint32_t *cell_at) {
    for (uint32_t at = 1; at < json->nodes[0].end; at = json->nodes[at + 1].end)
        if (json->nodes[at].length == 4 && memcmp(json->nodes[at].text, "cell", 4) == 0) {
            *cell_at = at + 1;
            return true;
        }
    return false;
}

/* The end of a cell's run or, if it has none, the place for it: before the run of the cell `next`. */
static uint64_t end_of_run(const mst_value *cells, const mst_value *quads, uint64_t cell, bool *empty,
                           uint64_t *next) {
    uint64_t index = 0, count = mst_count(quads), begin = UINT64_MAX;
    mst_value one;
    *empty = false;
    for (mst_iterator it = mst_iterate(cells); begin == UINT64_MAX && mst_next(&it, &one); index++) {
        int32_t first = (int32_t)mst_number_in(&one, "first_quad");
        if (index < cell)
            continue;
        if (index == cell)
            *empty = first < 0 || (uint64_t)first >= count;
        if (first >= 0 && (uint64_t)first < count)
            begin = (uint64_t)first, *next = index;
    }
    if (*empty)
        return begin == UINT64_MAX ? count - (count != 0) : begin; /* before the terminator */
    while (begin < count && mst_element(quads, begin, &one) == MST_OK &&
           !mst_alien_ends_run(quads->document->data + one.offset, false))
        begin++;
    return begin < count ? begin + 1 : count;
}

static bool then_set(mst_added *added, mst_arena *arena, const char *list, uint64_t index, const char *field,
                     const char *value, mst_assignment how) {
    const char *path = mst_arena_printf(arena, "%s[%llu].%s", list, (unsigned long long)index, field);
    added->then[added->then_count++] = (mst_operation){.path = path, .value = value, .assignment = how};
    return path && value;
}

mst_status mst_alien_place(const mst_document *document, mst_added *added, mst_arena *arena,
                           mst_diagnostic *diagnostic) {
    static const char last[] = "last_of_run";
    mst_value root = mst_root(document), map, cells, quad;
    mst_json json, rest;
    uint32_t at = 0;
    uint64_t cell, next = 0;
    bool empty;
    if (strcmp(added->list, "map.quads") != 0 || mst_member(&root, "map", &map) != MST_OK ||
        mst_member(&map, "cells", &cells) != MST_OK)
        return MST_OK;
    mst_status status = mst_json_parse(added->json, strlen(added->json), arena, &json, diagnostic);
    if (status != MST_OK || !take_cell(&json, &at))
        return status;
    const mst_json_node *number = &json.nodes[at];
    if (number->kind != MST_JSON_NUMBER || !mst_read_u64(number->text, number->length, &cell) ||
        cell >= mst_count(&cells))
        return no_cell(diagnostic, mst_count(&cells));
    if (mst_json_without_member(&json, "cell", arena, &rest) != MST_OK)
        return MST_NO_MEMORY;
    added->json = mst_json_text_of(&rest, 0, arena);
    added->placed = true;
    added->index = end_of_run(&cells, &added->elements, cell, &empty, &next);
    if (!added->json || !empty)
        return added->json ? MST_OK : MST_NO_MEMORY;
    const char *first = mst_arena_printf(arena, "%llu", (unsigned long long)added->index);
    bool made = then_set(added, arena, "map.cells", cell, "first_quad", first, MST_ASSIGN) &&
                then_set(added, arena, added->list, added->index, "light", last, MST_ASSIGN_PLUS);
    if (made && !added->index) { /* it has joined the first run, which must begin after it */
        made = mst_count(&added->elements) < 2 ||
               then_set(added, arena, "map.cells", next, "first_quad", "1", MST_ASSIGN);
    } else if (made && mst_element(&added->elements, added->index - 1, &quad) == MST_OK &&
               mst_alien_ends_run(document->data + quad.offset,
                                  false)) { /* or the previous run, which must end there */
        made = then_set(added, arena, added->list, added->index - 1, "light", last, MST_ASSIGN_PLUS);
    }
    return made ? MST_OK : MST_NO_MEMORY;
}
