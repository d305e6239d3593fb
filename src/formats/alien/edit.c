/* SPDX-License-Identifier: MIT */
/* What follows edits of a level beyond the tables: runs of quads, the nearest path nodes. */
#include "../../core/diagnose.h"
#include "alien.h"
#include <mapstone/edit.h>
#include <string.h>

#define QUAD_SIZE       20
#define LAST_BYTE       19 /* of a quad: the light, and in bit 7 whether the quad is the last of its run */
#define LAST_OF_RUN     0x80u
#define MODEL_LAST_BYTE 18 /* of a model's quad: what it is, and in bit 7 whether it is the last */

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

/* Sets the bit that says that a quad is the last of its run, or of its model. */
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
        return "the terminator stays the last quad";
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

const char *mst_alien_blank(const mst_document *document, const mst_field *list) {
    (void)document;
    return strcmp(list->name, "triggers") == 0 ? "{\"mask\":1,\"uses\":255}" : NULL;
}

/* ---- boxes ------------------------------------------------------------------------------------------ */

bool mst_alien_reaches(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".drop_type") == 0;
}

/* What a box drops is a number of the list that its `drop_type` says: another type makes it another thing. */
mst_status mst_alien_settle(const mst_document *before, mst_document *after,
                            const struct mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_value old, now, was, is;
    uint64_t index = 0;
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
            mst_fail(diagnostic, MST_REFUSED, "what the box drops would be another thing of that number");
            if (diagnostic) {
                MST_SET(diagnostic->path, "map.boxes[%llu].drop_type", (unsigned long long)index);
                MST_SET(diagnostic->expected, "%s, too, in the same edit", name);
            }
            return MST_REFUSED;
        }
    }
    return MST_OK;
}
