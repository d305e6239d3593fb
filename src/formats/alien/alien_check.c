/* SPDX-License-Identifier: MIT */
/* Checks of a level beyond those that the tables describe. */
#include "../../check/finding.h"
#include "../present.h"
#include "alien.h"
#include "alien_stock.h"
#include <stdio.h>

static const mst_code_information codes[] = {
    {"ALIEN-MAGIC", MST_ERROR, "the file is not a FORM container of a level"},
    {"ALIEN-SIZE", MST_ERROR,
     "the size of the container or of a section does not match the file: bytes were lost or added"},
    {"ALIEN-BLOCKS", MST_ERROR,
     "the blocks of MAP0 do not fill its section in either byte order: one of the counts in it is wrong"},
    {"ALIEN-NO-MAP0", MST_ERROR,
     "the section MAP0 is missing: it holds all of the level except the shapes of doors and lifts"},
    {"ALIEN-MODEL-SIZE", MST_ERROR,
     "the counts of the model do not match the size of its section, which is kept unchanged"},
    {"ALIEN-QUAD-VERTEX", MST_WARNING, "the vertex does not exist"},
    {"ALIEN-QUAD-TEXTURE", MST_WARNING,
     "the texture file has no such rectangle: the file belongs to another level, or the number is wrong"},
    {"ALIEN-TRIANGLE-FLAG", MST_WARNING,
     "the triangle does not have the draw flag of a triangle: set draw_flags to 1, or give it a fourth "
     "vertex"},
    {"ALIEN-RUNS", MST_WARNING,
     "the cells' runs of quads are not contiguous, or do not cover all quads: cells draw the wrong quads"},
    {"ALIEN-TERMINATOR", MST_WARNING,
     "the last quad is not the terminator that ends the list of quads in known levels"},
    {"ALIEN-ENEMY-MASK", MST_WARNING,
     "the mask does not match the monsters in the level: the game crashes when it names a type that the "
     "level lacks"},
    {"ALIEN-COMMAND-TARGET", MST_WARNING, "the list that the operation acts on has no such target"},
    {"ALIEN-COMMAND-NEXT", MST_WARNING,
     "the next command does not exist: set another, or 255 to end the chain"},
    {"ALIEN-TRIGGER", MST_WARNING, "the trigger does not exist: set another, or 0 for none"},
    {"ALIEN-LINK", MST_WARNING, "the path node does not exist: set another, or 255 for none"},
    {"ALIEN-REFERENCE", MST_WARNING, "the light, path node or program does not exist"},
    {"ALIEN-POSITION", MST_WARNING,
     "the position is outside the grid, where the level has no floor: move it into a cell"},
    {"ALIEN-MODEL", MST_WARNING, "no section holds that model: the door or lift has no shape"},
    {"ALIEN-DROP", MST_WARNING, "the pickup or monster to drop does not exist: set another, or 255 for none"},
    {"ALIEN-START", MST_WARNING,
     "the player would start outside the grid or in a solid cell: set start_x and start_y"},
    {"ALIEN-PICKUP-CRASH", MST_WARNING, "a pickup of this type crashes the game: set one of 0 to 27"},
    {"ALIEN-NONZERO", MST_WARNING, "a byte that is 0 in all known levels is not 0: its meaning is not known"},
    {"ALIEN-SECTION", MST_WARNING, "the section is not known: its bytes are kept unchanged"},
    {"ALIEN-FIXED-COUNT", MST_WARNING,
     "the game reads a different, fixed number of elements: it misreads the data after them"},
    {"ALIEN-CHAIN", MST_WARNING, "the chain of commands is circular and never ends"},
    {"ALIEN-COMMAND-LOOSE", MST_WARNING, "no trigger's chain contains the command: it is never executed"},
    {"ALIEN-MODEL-LAST", MST_WARNING,
     "the last quad of a model, and no other, must be marked as the last: a reader that relies on the mark "
     "draws too few or too many quads"},
    {"ALIEN-FILE-MISSING", MST_WARNING, "a file with graphics of the level was not found"},
    {"ALIEN-FILE-UNREADABLE", MST_WARNING,
     "a file with graphics of the level cannot be read: copy it from the game again"},
};
const mst_codes mst_alien_map_codes = MST_CODES(codes);

typedef struct level {
    mst_checker *checker;
    const mst_document *document;
    mst_value map;
    uint64_t columns, rows, quads;
} level;

static uint64_t count_of(const mst_value *map, const char *name) {
    mst_value list = mst_member_in(map, name);
    return mst_count(&list);
}

/* ---- quads and cells ---------------------------------------------------------------------------- */

#define NO_VERTEX 0xFFFFFFFFu

/* Checks the first `count` quads of a list, without the terminator. `kind`: the field with their draw flags.
 * Animated quads of levels refer to an animator. */
static mst_status check_quads(const level *l, const char *path, const mst_value *list, uint64_t count,
                              const char *kind, uint64_t textures) {
    const mst_column corners = mst_column_in(list, "vertices"), texture = mst_column_in(list, "texture"),
                     flags = mst_column_in(list, kind);
    bool of_level = strcmp(kind, "draw_flags") == 0;
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < count && status == MST_OK; i++) {
        uint8_t flag = mst_column_u8(&flags, i, 0);
        uint32_t index = mst_column_u16(&texture, i, 0);
        bool nothing = true;
        for (uint32_t c = 0; c < 4; c++)
            nothing = nothing && mst_column_u32(&corners, i, c) == NO_VERTEX;
        bool odd = of_level && flag == 5 && mst_column_u32(&corners, i, 3) == NO_VERTEX;
        bool outside = !(of_level && flag == 8) && index >= textures;
        if (!odd && !outside && !nothing)
            continue;
        mst_value quad = mst_element_in(list, i);
        if (nothing) /* a terminator before the end */
            status = mst_alien_report(l->checker, "ALIEN-QUAD-VERTEX", &quad, path, i, "vertices", UINT64_MAX,
                                      NULL);
        if (odd && status == MST_OK)
            status = mst_alien_report(l->checker, "ALIEN-TRIANGLE-FLAG", &quad, path, i, kind, flag, "1");
        if (outside && status == MST_OK)
            status =
                mst_alien_report(l->checker, "ALIEN-QUAD-TEXTURE", &quad, path, i, "texture", index, NULL);
    }
    return status;
}

/* The number of rectangles in the level's texture file; UINT64_MAX if the file is not available. */
static mst_status count_textures(const level *l, uint64_t *textures) {
    const mst_check_options *options = l->checker->options;
    const mst_resolver *sidecars = options ? options->sidecars : NULL;
    char number[4], name[16];
    *textures = UINT64_MAX;
    if (!sidecars || !sidecars->find || !mst_alien_level_number(l->document->name, number))
        return MST_OK;
    static const char *const endings[] = {"BIN", "B16"};
    for (size_t i = 0; i < MST_COUNT_OF(endings); i++) {
        const void *bytes;
        size_t size;
        mst_document *file = NULL;
        mst_open_options opening = {
            .size = sizeof opening, .format = "alien-gfx", .allocator = l->document->allocator};
        snprintf(name, sizeof name, "%sGFX.%s", number, endings[i]);
        mst_status status = sidecars->find(sidecars->user, name, &bytes, &size);
        if (status == MST_OK)
            status = mst_open_memory(bytes, size, &opening, &file, NULL);
        if (status == MST_NO_MEMORY)
            return status;
        if (status != MST_OK)
            continue;
        *textures = mst_alien_rectangle_count(file);
        mst_close(file);
        break;
    }
    return MST_OK;
}

const uint8_t mst_alien_terminator[20] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                          255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

static mst_status check_terminator(const level *l, const mst_value *quads) {
    mst_value last = *quads;
    const void *bytes = NULL;
    if (l->quads) {
        last = mst_element_in(quads, l->quads - 1);
        bytes = mst_bytes_in(&last, 20);
    }
    if (bytes && memcmp(bytes, mst_alien_terminator, sizeof mst_alien_terminator) == 0)
        return MST_OK;
    return mst_alien_report(l->checker, "ALIEN-TERMINATOR", &last, "map.quads",
                            l->quads ? l->quads - 1 : UINT64_MAX, NULL, l->quads, NULL);
}

/* Each run begins where the previous one ended, at bit 7 of a quad's light, and runs cover all quads. */
static mst_status check_runs(const level *l, const mst_value *quads, const mst_value *cells) {
    const mst_column first = mst_column_in(cells, "first_quad"), lights = mst_column_in(quads, "light");
    uint64_t next = 0, covered = l->quads ? l->quads - 1 : 0;
    for (uint64_t i = 0; i < first.count; i++) {
        uint32_t at = mst_column_u32(&first, i, 0);
        if (at == NO_VERTEX)
            continue;
        if (at != next || at >= covered) {
            mst_value cell = mst_element_in(cells, i);
            char expected[40];
            snprintf(expected, sizeof expected, "%llu", (unsigned long long)next);
            return mst_alien_report(l->checker, "ALIEN-RUNS", &cell, "map.cells", i, "first_quad", at,
                                    expected);
        }
        while (next < covered && !(lights.data[next * lights.stride] & 0x80))
            next++;
        next++;
    }
    if (next == covered)
        return MST_OK;
    return mst_alien_report(l->checker, "ALIEN-RUNS", quads, "map.quads", UINT64_MAX, NULL, next,
                            "runs that cover all quads");
}

static mst_status check_geometry(const level *l) {
    mst_value quads = mst_member_in(&l->map, "quads"), cells = mst_member_in(&l->map, "cells");
    uint64_t textures;
    mst_status status = count_textures(l, &textures);
    if (status == MST_OK)
        status = check_quads(l, "map.quads", &quads, l->quads ? l->quads - 1 : 0, "draw_flags", textures);
    if (status == MST_OK)
        status = check_terminator(l, &quads);
    if (status == MST_OK)
        status = check_runs(l, &quads, &cells);
    /* the models share the level's textures */
    static const char *const models[] = {"door_models", "lift_models"};
    mst_value root = mst_root(l->document), model;
    for (size_t m = 0; m < MST_COUNT_OF(models); m++) {
        mst_value list = mst_member_in(&root, models[m]);
        uint64_t index = 0;
        for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &model); index++) {
            char path[64];
            snprintf(path, sizeof path, "%s[%llu].quads", models[m], (unsigned long long)index);
            quads = mst_member_in(&model, "quads");
            status = check_quads(l, path, &quads, mst_count(&quads), "kind", textures);
            if (status == MST_OK)
                status = mst_alien_check_model_end(l->checker, &model, path);
        }
    }
    return status;
}

/* ---- objects ------------------------------------------------------------------------------------ */

static mst_status check_position(const level *l, const mst_value *thing, const char *list, uint64_t index) {
    if (mst_number_in(thing, "x") < l->columns && mst_number_in(thing, "y") < l->rows)
        return MST_OK;
    bool x = mst_number_in(thing, "x") >= l->columns;
    char expected[40];
    snprintf(expected, sizeof expected, "below %llu", (unsigned long long)(x ? l->columns : l->rows));
    return mst_alien_report(l->checker, "ALIEN-POSITION", thing, list, index, x ? "x" : "y",
                            mst_number_in(thing, x ? "x" : "y"), expected);
}

static mst_status check_thing(const level *l, const mst_value *thing, const char *list, const char *path,
                              uint64_t i) {
    mst_status status = check_position(l, thing, path, i);
    if (status != MST_OK)
        return status;
    if (strcmp(list, "pickups") != 0 || mst_number_in(thing, "type") < 28)
        return MST_OK;
    return mst_alien_report(l->checker, "ALIEN-PICKUP-CRASH", thing, path, i, "type",
                            mst_number_in(thing, "type"), "below 28");
}

static mst_status check_things(const level *l) {
    static const char *const lists[] = {"path_nodes", "monsters", "pickups", "boxes", "doors", "lifts"};
    mst_status status = MST_OK;
    for (size_t k = 0; k < MST_COUNT_OF(lists); k++) {
        mst_value list = mst_member_in(&l->map, lists[k]), thing;
        uint64_t index = 0;
        char path[32];
        snprintf(path, sizeof path, "map.%s", lists[k]);
        for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &thing); index++)
            status = check_thing(l, &thing, lists[k], path, index);
    }
    return status;
}

static mst_status check_commands(const level *l) {
    mst_value list = mst_member_in(&l->map, "triggers"), one;
    mst_status status = MST_OK;
    uint64_t i = 0;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &one); i++) {
        uint8_t last = mst_bytes_in(&one, 4)[3];
        if (last != 0 && !mst_alien_is_empty(mst_bytes_in(&one, 4)))
            status = mst_alien_report(l->checker, "ALIEN-NONZERO", &one, "map.triggers", i, "unknown_03",
                                      last, "0");
    }
    i = 0;
    list = mst_member_in(&l->map, "commands");
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &one); i++) {
        uint64_t operation = mst_number_in(&one, "operation");
        if (operation > 9 && operation != 255) /* 255: no operation, no target */
            status = mst_alien_report(l->checker, "ALIEN-COMMAND-TARGET", &one, "map.commands", i,
                                      "operation", operation, "an operation from 0 to 9");
    }
    return status;
}

static mst_status check_header(const level *l) {
    uint16_t mask = mst_alien_enemy_mask(&l->map);
    uint64_t found = mst_number_in(&l->map, "enemy_mask");
    char expected[16];
    snprintf(expected, sizeof expected, "%u", mask);
    mst_status status = MST_OK;
    if (found != mask)
        status = mst_alien_report(l->checker, "ALIEN-ENEMY-MASK", &l->map, "map", UINT64_MAX, "enemy_mask",
                                  found, expected);
    uint64_t x = mst_number_in(&l->map, "start_x"), y = mst_number_in(&l->map, "start_y");
    bool is_open = false;
    if (x < l->columns && y < l->rows) {
        mst_value cells = mst_member_in(&l->map, "cells");
        mst_column first_quads = mst_column_in(&cells, "first_quad");
        uint64_t start = y * l->columns + x;
        is_open = start < first_quads.count && mst_column_u32(&first_quads, start, 0) != NO_VERTEX;
    }
    bool y_is_outside = x < l->columns && y >= l->rows;
    if (!is_open && status == MST_OK)
        status = mst_alien_report(l->checker, "ALIEN-START", &l->map, "map", UINT64_MAX,
                                  y_is_outside ? "start_y" : "start_x", y_is_outside ? y : x, NULL);
    return status;
}

/* ---- the container ------------------------------------------------------------------------------ */

static mst_status check_container(const level *l) {
    mst_value root = mst_root(l->document), trailing = mst_member_in(&root, "trailing"),
              sections = mst_member_in(&root, "unknown_sections"), section;
    mst_status status = MST_OK;
    const void *bytes;
    size_t size = 0;
    mst_get_bytes(&trailing, &bytes, &size);
    if (size)
        status = mst_alien_report(l->checker, "ALIEN-SIZE", &trailing, "trailing", UINT64_MAX, NULL, size,
                                  "no bytes after the container");
    uint64_t i = 0;
    for (mst_iterator it = mst_iterate(&sections); status == MST_OK && mst_next(&it, &section); i++) {
        mst_value name = mst_member_in(&section, "name");
        char text[16] = "";
        mst_get_text(&name, text, sizeof text, NULL);
        bool model = (text[0] == 'D' || text[0] == 'L') && text[1] >= '0' && text[1] <= '9';
        mst_diagnostic *finding =
            mst_finding_of(l->checker, &section, "unknown_sections[%llu]", (unsigned long long)i);
        MST_SET(finding->found, "%s", text);
        status = mst_checker_report(l->checker, model ? "ALIEN-MODEL-SIZE" : "ALIEN-SECTION");
    }
    return status;
}

mst_status mst_alien_check_map(mst_checker *checker) {
    level l = {.checker = checker, .document = checker->document};
    mst_value root = mst_root(checker->document);
    mst_status status = check_container(&l);
    if (status != MST_OK)
        return status;
    if (mst_member(&root, "map", &l.map) != MST_OK)
        return mst_alien_report(l.checker, "ALIEN-NO-MAP0", &root, "", UINT64_MAX, NULL, 0, "a section MAP0");
    l.columns = mst_number_in(&l.map, "grid_columns");
    l.rows = mst_number_in(&l.map, "grid_rows");
    l.quads = count_of(&l.map, "quads");
    status = check_header(&l);
    if (status == MST_OK)
        status = mst_alien_check_counts(checker, &l.map);
    if (status == MST_OK)
        status = check_geometry(&l);
    if (status == MST_OK)
        status = check_things(&l);
    if (status == MST_OK)
        status = check_commands(&l);
    if (status == MST_OK)
        status = mst_alien_check_chains(checker, &l.map);
    return status == MST_OK ? mst_alien_check_files(checker) : status;
}
