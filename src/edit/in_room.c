/* SPDX-License-Identifier: MIT */
#include "in_room.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../read/conditions.h"
#include "../read/labels.h"
#include "moving.h"
#include <stdio.h>

/* Reports elements of a list that are partly in the room. */
static mst_status report_crossing(const mst_document *document, const char *list, mst_excerpt room,
                                  const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_rooms *rooms = document->format->rooms;
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    mst_labels *labels;
    mst_status status = mst_labels_make(&labels, document, list,
                                        (mst_excerpt){rooms->word, strlen(rooms->word)}, &room, diagnostic);
    MST_SET(what.message, "stays: it crosses the border of %.*s", (int)(room.length < 60 ? room.length : 60),
            room.text);
    for (uint64_t i = 0; status == MST_OK && i < labels->count; i++)
        if (labels->crosses[i]) {
            MST_SET(what.path, "%s[%llu]", list, (unsigned long long)i);
            status = options->report(options->user, &what);
        }
    mst_labels_close(labels);
    return status;
}

/* Whether the room exists; else the diagnosis lists the names of existing rooms. */
static mst_status check_room(const mst_document *document, const char *list, mst_excerpt room,
                             mst_diagnostic *diagnostic) {
    const mst_rooms *rooms = document->format->rooms;
    char what[192], name[64];
    mst_labels *labels;
    mst_status status = mst_labels_make(&labels, document, list,
                                        (mst_excerpt){rooms->word, strlen(rooms->word)}, NULL, diagnostic);
    if (status == MST_OK && !mst_labels_know(labels, room)) {
        snprintf(name, sizeof name, "%.*s", (int)(room.length < 60 ? room.length : 60), room.text);
        snprintf(what, sizeof what, "there is no %s \"%s\"", rooms->word, name);
        mst_fail_unlabelled(what, labels, name, diagnostic);
        status = MST_NO_PATH;
    }
    mst_labels_close(labels);
    return status;
}

/* The centre of the box that encloses all volumes of the room, as text. */
static mst_status middle_of(const mst_document *document, mst_excerpt room, mst_arena *arena,
                            const char **text) {
    mst_array rooms = {.element_size = sizeof(mst_room), .allocator = document->allocator};
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    char numbers[3 * (MST_NUMBER_MAX + 1)];
    size_t met = 0, length = 0;
    mst_status status = document->format->rooms->find(document, arena, &rooms);
    const mst_room *all = rooms.items;
    for (size_t r = 0; r < rooms.count && status == MST_OK; r++) {
        if (strlen(all[r].name) != room.length || memcmp(all[r].name, room.text, room.length) != 0)
            continue;
        for (int i = 0; i < 3; i++) {
            double from = all[r].middle[i] - all[r].half[i], to = all[r].middle[i] + all[r].half[i];
            low[i] = met && low[i] < from ? low[i] : from;
            high[i] = met && high[i] > to ? high[i] : to;
        }
        met++;
    }
    mst_array_free(&rooms);
    for (int i = 0; i < 3; i++) {
        if (i)
            numbers[length++] = ',';
        length += mst_write_f64(numbers + length, (low[i] + high[i]) / 2);
    }
    *text = mst_arena_text(arena, numbers, length);
    return status == MST_OK && !*text ? MST_NO_MEMORY : status;
}

mst_status mst_in_room(const mst_document *document, const mst_operation *operation,
                       const mst_edit_options *options, mst_arena *arena, mst_array *operations,
                       mst_diagnostic *diagnostic) {
    const mst_rooms *rooms = mst_rooms_of(document, diagnostic);
    mst_excerpt room;
    mst_operation one = *operation;
    const char *rest = mst_is_room(operation->path, &room);
    if (!rooms)
        return MST_ARGUMENT;
    if (operation->kind == MST_OPERATION_INSERT || operation->kind == MST_OPERATION_MOVE ||
        operation->kind == MST_OPERATION_DUPLICATE)
        return mst_fail(diagnostic, MST_ARGUMENT, "a room can be moved, turned, scaled, changed or removed");
    mst_status status = check_room(document, rooms->lists[0], room, diagnostic);
    if (status == MST_OK && mst_operation_moves(operation->kind) &&
        operation->kind != MST_OPERATION_MOVE_BY && !one.about)
        status = middle_of(document, room, arena, &one.about);
    one.each = 1;
    for (size_t i = 0; rooms->lists[i] && status == MST_OK; i++) {
        if (options->report)
            status = report_crossing(document, rooms->lists[i], room, options, diagnostic);
        one.path = mst_arena_printf(arena, "%s[within=\"%.*s\"]%s", rooms->lists[i], (int)room.length,
                                    room.text, rest);
        mst_operation *made = status == MST_OK && one.path ? mst_array_push(operations, 1) : NULL;
        if (made)
            *made = one;
        else if (status == MST_OK)
            status = MST_NO_MEMORY;
    }
    return status;
}
